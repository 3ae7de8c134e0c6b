#!/usr/bin/env python3
"""Tests trouble from outside: a machine that cannot start more processes,
impatient signals, and arguments that other users can read.  End-to-end for limits,
signals and /proc of the kernel."""

import pathlib
import resource
import signal

import arena
import tap

STAYS = ("stays", arena.BAD + " no-bye --seconds 30")
ENDLESS = ["--games", 100000, "--jobs", 2]


def read(path):
    """Returns the text of a file in /proc, or "" if the process has ended."""
    try:
        return path.read_text()
    except OSError:
        return ""


def spawner_of(match):
    """Returns the spawner of a match, once it has its own name."""
    def find(parent):
        listed = pathlib.Path(f"/proc/{parent}/task/{parent}/children")
        for pid in read(listed).split():
            name = read(pathlib.Path(f"/proc/{pid}/comm")).strip()
            found = int(pid) if name == "referee-spawner" else find(pid)
            if found:
                return found
        return None
    return arena.wait_for(lambda: find(match.pid))


def records(place):
    return place.folder.is_dir() and list(place.folder.glob("*.rec"))


def aborted(place):
    return [one for one in place.records() if one.aborted()]


with arena.Arena() as place:
    match = place.start("toepen", *arena.bots(arena.RANDOM_C, "random"),
                        *ENDLESS, "--json", *arena.PATIENT)
    arena.wait_for(lambda: records(place))
    resource.prlimit(spawner_of(match), resource.RLIMIT_NOFILE, (4, 4))
    err = match.communicate(timeout=tap.TIMEOUT_S)[1].decode()
    tap.ok(match.returncode == 3 and len(err.splitlines()) == 1
           and "the machine cannot start bot random-bot: " in err
           and ": fork: " in err,
           "nothing more can be started: exit code 3 and one sentence",
           (match.returncode, err))
    faults = [one.path.name for one in place.records() if any(one.faults())]
    tap.equal(faults, [], "nobody is charged with it")
    tap.ok(aborted(place), "the game is aborted")
    tap.ok(all("aborted machine" in one.path.read_text("ascii")
               for one in aborted(place)), "and says why")

with arena.Arena() as place:
    match = place.start("toepen", *arena.bots("random", STAYS), *ENDLESS)
    arena.wait_for(lambda: records(place))
    # Both signals are pending when it continues, the lower number first.  Sent
    # one after the other, the first might end it before the second comes.
    for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
        match.send_signal(number)
    out = match.communicate(timeout=tap.TIMEOUT_S)[0]
    tap.equal((match.returncode, out), (-signal.SIGTERM, b""),
              "a second signal ends it at once")
    tap.equal(place.left_behind(arena.GONE_S), {}, "and all bots")

for given in (["--seed", "sesame"], ["--seed=sesame"]):
    with arena.Arena() as place:
        match = place.start("toepen", *arena.bots("random", STAYS), *ENDLESS,
                            *given)
        arena.wait_for(lambda: records(place))
        line = pathlib.Path(f"/proc/{match.pid}/cmdline").read_bytes()
        match.kill()
        match.communicate()
        tap.ok(b"toepen" in line and b"sesame" not in line,
               f"{' '.join(given)}: it is not among the arguments any more",
               line)
        tap.ok(records(place), "and games are played with it")
tap.done()
