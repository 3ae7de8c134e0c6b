#!/usr/bin/env python3
"""With --ponder off nobody has a processor while somebody else is asked.

One bot has a helper that counts as fast as it can, the other takes its time:
how much the first has used of it stands in the record.
"""

import glob
import pathlib
import re
import shutil
import threading

import arena
import tap

# Counts to a bound of its own, some ten seconds.
BUSY = """\
i=0
(while [ $i -lt 20000000 ]; do i=$((i + 1)); done) &
while read -r verb ask ms move others && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || echo "do $ask $move"
done
"""
SLOW = """\
while read -r verb ask ms move others && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || { sleep 0.05; echo "do $ask $move"; }
done
"""


def used(place, run):
    """Milliseconds of the busy bot, and how long its game took; checks what
    can be checked of any game."""
    record = place.records()[-1]
    seat = record.bots().index("busy")
    cpu = {words[1]: float(words[2]) for words in record.head
           if words[0] == "cpu"}
    memory = {words[1]: int(words[2]) for words in record.head
              if words[0] == "memory"}
    tap.ok(run.code == 0 and not any(record.faults()),
           "a game without a fault", run)
    tap.ok(sorted(cpu) == sorted(memory) == ["0", "1"]
           and all(100 < kib < 100000 for kib in memory.values()),
           "every bot's time and memory are in the record", record.head)
    verified = tap.referee("verify", place.folder)
    tap.equal(verified.code, 0, "the record verifies")
    return cpu[str(seat)]


class Groups(threading.Thread):
    """Watches which of the bots' control groups stand back (`1`): all that was
    seen, as pairs of the busy bot's and the slow one's."""

    def __init__(self, place):
        super().__init__(daemon=True)
        self.mark, self.over = str(place.root).encode(), threading.Event()
        self.seen = set()
        self.start()

    def bot(self, group):
        """Whose group it is."""
        for pid in (group / "cgroup.procs").read_text("ascii").split():
            line = pathlib.Path("/proc", pid, "cmdline").read_bytes()
            found = re.search(rb"(busy|slow)\.sh", line)
            if found and self.mark in line:
                return found.group(1).decode()
        return None

    def look(self):
        idle = {}
        for file in map(pathlib.Path, glob.iglob(
                "/sys/fs/cgroup/**/referee-*/[0-9]*/cpu.idle",
                recursive=True)):
            try:
                idle[self.bot(file.parent)] = file.read_text("ascii").strip()
            except OSError:
                continue  # it has ended meanwhile
        if "busy" in idle and "slow" in idle:
            self.seen.add((idle["busy"], idle["slow"]))

    def run(self):
        while not self.over.wait(0.002):
            self.look()

    def stop(self):
        self.over.set()
        self.join()
        return self.seen


def behind(seen, ponder):
    """Whoever is not asked stands back, unless he has no processor at all."""
    if not seen:
        tap.ok(True, "bots stand back # SKIP no groups with cpu.idle")
        return
    tap.note(f"groups with --ponder {ponder}: {sorted(seen)}")
    if ponder == "off":
        tap.equal(seen, {("0", "0")}, "nobody has to stand back")
    else:
        tap.ok(("1", "0") in seen, "who is not asked stands back", seen)


def game(sandbox, ponder):
    with arena.Arena() as place:
        groups = Groups(place)
        place.root.chmod(0o755)
        (place.root / "busy.sh").write_text(BUSY)
        (place.root / "slow.sh").write_text(SLOW)
        run = place.match("toepen", "--bot", "sh busy.sh", "--bot",
                          "sh slow.sh", "--games", 1, "--exact", "--seed", "ponder",
                          "-o", "points=6", "--sandbox", sandbox, "--ponder",
                          ponder)
        seen = groups.stop()
        if sandbox != "off":
            behind(seen, ponder)
        cpu = used(place, run)
        tap.equal(place.left_behind(arena.GONE_S), {}, "nothing stays")
        return cpu


boxes = ["off"]
if shutil.which("bwrap"):
    boxes.append("auto")
for sandbox in boxes:
    on, off = game(sandbox, "on"), game(sandbox, "off")
    tap.note(f"sandbox {sandbox}: {on} ms with --ponder on, {off} ms off")
    tap.ok(off < on / 2, f"sandbox {sandbox}: no processor while not asked",
           f"{on} ms, {off} ms")
tap.done()
