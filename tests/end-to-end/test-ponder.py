#!/usr/bin/env python3
"""End-to-end because the kernel gives the processor: with --ponder off a bot has none
while another one is asked.

One bot has a helper that computes without end; the other is held at an ask.
The first one must stand still then, or may work.
"""

import glob
import pathlib
import re
import shutil

import arena
import held
import tap

# Computes until the bot ends, or up to its own bound.
BUSY = """\
(ulimit -t 100; while :; do :; done) &
while read -r verb ask ms move others && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || echo "do $ask $move"
done
"""
WORKED = 5  # ticks that show that it has a processor


def busy(place):
    """Returns the processes of the busy bot."""
    return [pid for pid, line in place.processes().items()
            if line.startswith("sh ") and "busy.sh" in line]


def groups(place):
    """Returns, by bot, if its control group is idle (`1`)."""
    idle = {}
    for file in map(pathlib.Path, glob.iglob(
            "/sys/fs/cgroup/**/referee-*/[0-9]*/cpu.idle", recursive=True)):
        try:
            for pid in (file.parent / "cgroup.procs").read_text("ascii").split():
                line = pathlib.Path("/proc", pid, "cmdline").read_bytes()
                found = re.search(rb"(busy|held)\.sh", line)
                if found and str(place.root).encode() in line:
                    idle[found.group(1).decode()] = file.read_text("ascii").strip()
        except OSError:
            continue  # it has ended by now
    return idle


def behind(place, ponder):
    """Tests that a bot that is not asked yields the processor, unless it has
    none at all."""
    if groups(place).keys() != {"busy", "held"}:
        tap.ok(True, "bots stand back # SKIP no groups with cpu.idle")
        return
    tap.ok(bases(place), "a bot has a control group", busy(place))
    if ponder == "off":
        tap.equal(groups(place), {"busy": "0", "held": "0"},
                  "nobody has to stand back")
    else:
        wanted = {"busy": "1", "held": "0"}
        arena.wait_for(lambda: groups(place) == wanted)
        tap.equal(groups(place), wanted, "who is not asked stands back")


def bases(place):
    """Returns the names of the folders in which the busy bot's control groups are."""
    return {name for pid in busy(place) for name in re.findall(
        r"/(referee-[0-9]+)/", pathlib.Path("/proc", str(pid), "cgroup").read_text("ascii"))}


def meanwhile(place, sandbox, ponder):
    """Tests what the busy bot does while the other one is asked."""
    if ponder == "off":
        tap.ok(arena.wait_for(lambda: held.stand(busy(place))),
               f"sandbox {sandbox}: no processor while not asked",
               place.processes())
    else:
        before = held.ticks(busy(place))
        tap.ok(arena.wait_for(lambda: held.ticks(busy(place))
                              >= before + WORKED),
               f"sandbox {sandbox}: it works, unless it is told to rest",
               place.processes())
    if sandbox != "off":
        behind(place, ponder)


def look_at(record):
    """Checks what holds in any game."""
    cpu = {words[1] for words in record.head if words[0] == "cpu"}
    memory = {words[1]: int(words[2]) for words in record.head
              if words[0] == "memory"}
    tap.ok(not any(record.faults()), "a game without a fault", record.faults())
    tap.ok(sorted(cpu) == sorted(memory) == ["0", "1"]
           and all(100 < kib < 100000 for kib in memory.values()),
           "every bot's time and memory are in the record", record.head)
    tap.equal(tap.referee("verify", record.path).code, 0, "the record verifies")


def game(sandbox, ponder):
    with arena.Arena() as place:
        place.root.chmod(0o755)
        (place.root / "busy.sh").write_text(BUSY)
        match = place.start(
            "toepen", "--bot", f"sh {place.root}/busy.sh", "--bot",
            held.bot(place.root), "--games", 1, "--exact", "--seed", "ponder",
            "-o", "points=2", "--sandbox", sandbox, "--ponder", ponder,
            *held.TIMES)
        hold = held.wait(place.processes)
        meanwhile(place, sandbox, ponder)
        made = bases(place)
        held.release(hold)
        err = match.communicate()[1]
        tap.equal(match.returncode, 0, "the match ends") or tap.note(err)
        look_at(place.records()[-1])
        tap.equal(place.left_behind(arena.GONE_S), {}, "nothing stays")
        tap.equal([name for name in made if glob.glob(
            f"/sys/fs/cgroup/**/{name}", recursive=True)], [], "and no control group")


boxes = ["off"]
if shutil.which("bwrap"):
    boxes.append("auto")
for box in boxes:
    for how in ("on", "off"):
        game(box, how)
tap.done()
