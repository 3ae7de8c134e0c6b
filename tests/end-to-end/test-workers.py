#!/usr/bin/env python3
"""Kills worker processes of a match at any moment.  End-to-end because the world's
workers are no processes of the kernel.

No game is lost or counts twice; a game that is played again has the same cards,
also if its bots give entropy; nothing is left behind; each loss gives one
sentence; a game that has lost two workers is not played a third time.
WORKER_KILLS says how often one is killed (4; with CHECK_ALL=1 200).
"""

import os
import re
import shlex

import arena
import daemon
import machine
import tap

KILLS = int(os.environ.get("WORKER_KILLS",
                           "200" if os.environ.get("CHECK_ALL") else "4"))
LOST = re.compile(r"referee: worker process \d+ (was killed by signal 9|ended "
                  r"with status 3); \d+ of its games (is|are) played again")
# Gives different entropy at each start, and writes it down at the first round,
# when it is sure to be kept; then it does not answer while a file `hold`
# exists.  The 1 before the seed keeps a seed like 08 from being octal.
GIVES = r'''echo >>"$1.starts"
starts=$(wc -l <"$1.starts")
while read -r verb one two three others && [ "$verb" != bye ]; do
	case $verb in
	referee) echo "bot gives" ;;
	game) game=$one given='' held='' ;;
	entropy\?)
		given=$(printf %016x "$((1${CHECK_SEED:-1} % 1000000 * 1000 + starts))")
		echo "entropy $given" ;;
	round)
		[ -z "$given" ] || echo "$game $given" >>"$1"
		held=$held$given given='' ;;
	ask)
		while [ "$held" ] && [ -e hold ]; do sleep 0.05; done
		echo "do $one $three" ;;
	esac
done
'''

# Makes the first moves, but begins no game while a file `hold` exists; writes a line to
# `began` before it waits.
HELD = r'''while read -r verb ask ms move others && [ "$verb" != bye ]; do
	[ "$verb" != game ] || {
		echo >>began
		while [ -e hold ]; do sleep 0.05; done
	}
	[ "$verb" != ask ] || echo "do $ask $move"
done
'''


# Answers at once until it may use only one processor, which takes long on a
# busy machine; then thinks, and writes down how many it may use.
THINKS = """
import os, sys, time
thoughts = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "referee":
        print("bot 1 thinks", flush=True)
    elif words[0] == "ask":
        have = len(os.sched_getaffinity(0))
        if thoughts <= 10:
            with open(sys.argv[1], "a") as out:
                print(thoughts > 1, have, file=out)
        if have == 1 or 0 < thoughts <= 10:
            thoughts += 1
            until = time.process_time() + 0.02  # luck: it works, however long
            while time.process_time() < until:  # luck: the same
                pass
        print("do", words[1], words[3], flush=True)
"""


def workers(place):
    """Returns the workers with their spawners; a fork of a spawner that is
    about to become a bot looks the same, and does not count."""
    found = {pid: arena.status(pid)[0] for pid, line in place.processes().items()
             if re.search(r" play-jobs \d+ -?\d+ $", line)}
    return [pid for pid, parent in found.items()
            if found.get(parent) not in found]


def kill_one(place, match, goal, dice):
    """Kills a worker once there are enough records and workers; returns true if
    there was one."""
    found = arena.wait_for(lambda: match.poll() is not None or (
        place.folder.is_dir() and len(list(place.folder.glob("*.rec"))) >= goal
        and workers(place)))
    if found is True or not found:
        return False
    left = workers(place)
    if not left or match.poll() is not None:
        return False
    return arena.kill(dice.choice(left))


def play(arguments, games, kills=0):
    """Plays a match; returns its records by the number of their games, and its
    standard error."""
    with arena.Arena() as place:
        name, command = held(place)
        if kills == 0:
            (place.root / "hold").unlink()
        match = place.start(*arguments, "--bot", command, "--name", name)
        dice = tap.dice("kills")
        goals = sorted(dice.randrange(games * 3 // 4) for _ in range(kills - 1))
        killed = 0
        if kills > 0:
            # The first one is killed before any game can end, the others at any moment.
            arena.wait_for(lambda: match.poll() is not None or begun(place))
            killed += kill_one(place, match, 0, dice)
            (place.root / "hold").unlink()
        killed += sum(kill_one(place, match, goal, dice) for goal in goals)
        out, err = (part.decode() for part in match.communicate())
        left = place.left_behind(arena.GONE_S)
        verified = tap.referee("verify", *place.folder.glob("*.rec"))
        names = sorted(path.name for path in place.folder.glob("*.rec"))
        bodies = {record.path.name: record.body for record in place.records()}
        return match.returncode, out, err, killed, left, verified, names, \
            bodies


def same_games():
    games = max(100, 20 * KILLS)
    arguments = ["toepen", "--seed", "workers", "--games", games, "--jobs", 4,
                 *arena.PATIENT,
                 *arena.bots(arena.RANDOM_C, "random", "house")]
    quiet = play(arguments, games)
    tap.equal(quiet[0], 0, "a match without a loss")
    code, _, err, killed, left, verified, names, bodies = play(
        arguments, games, KILLS)
    lines = err.splitlines()
    tap.ok(killed > 0, "workers were killed", killed)
    tap.note(f"{killed} workers killed")
    told = [line for line in lines if LOST.fullmatch(line)]
    # A worker may be killed together with its spawner.
    tap.ok(0 < len(told) <= killed, "each loss is told in a sentence", err)
    parked = [line for line in lines if " is not played: " in line]
    tap.ok(not left, "nothing is left behind", left)
    tap.equal(verified.code, 0, "all records verify")
    tap.equal(len(names) + len(parked), games, "no game is lost")
    tap.equal(code, 3 if parked else 0, "the exit code tells of parked games")
    tap.ok(all(bodies[name] == quiet[7].get(name) for name in bodies),
           "and each is the game that it was", names)


def same_entropy():
    with arena.Arena() as place:
        daemon.slow_clock(place)  # there is one second to give entropy
        given = place.root / "given"
        (place.root / "gives.sh").write_text(GIVES, encoding="ascii")
        (place.root / "hold").touch()
        match = place.start("toepen", "--games", 8, "--jobs", 1, "--bot",
                            f"sh gives.sh {given}", "--entropy", "--bot",
                            "random", "-o", "points=1", *arena.PATIENT)
        arena.wait_for(lambda: given.exists() and given.read_text("ascii"))
        arena.kill(workers(place)[0])
        (place.root / "hold").unlink()
        err = match.communicate()[1].decode()
        tap.equal(match.returncode, 0, "a game with entropy is played again")
        told = [line.split() for line in
                given.read_text("ascii").splitlines()]
        records = place.records()
        found = {record.header("id"): words[2] for record in records
                 for words in record.head if words[0] == "entropy"}
        tap.equal(found.get(told[0][0]), told[0][1],
                  "with the entropy that its bot gave first")
        tap.equal(len({game for game, _ in told}), len(told),
                  "and it is not asked for it twice")
        tap.equal(tap.referee("verify", place.folder).code, 0,
                  "its record verifies")
        tap.equal(len(LOST.findall(err)), 1, "the loss is told")


def held(place):
    """Returns the command line of a bot that is held while a file `hold`
    exists."""
    (place.root / "held.sh").write_text(HELD)
    (place.root / "hold").touch()
    return "held", "sh held.sh"


def begun(place):
    """Returns in how many games its bot was told of their beginning."""
    path = place.root / "began"
    return path.stat().st_size if path.exists() else 0


def poison():
    with arena.Arena() as place:
        match = place.start("toepen", "--games", 2, "--jobs", 1, *arena.PATIENT,
                            *arena.bots(held(place), "random"))
        for count in (1, 2):
            arena.wait_for(lambda: begun(place) >= count)
            before = workers(place)
            arena.kill(before[0])
            arena.wait_for(lambda: not set(before) & set(workers(place)))
        (place.root / "hold").unlink()
        err = match.communicate()[1].decode()
        tap.ok("referee: game 1 is not played: 2 worker processes were lost "
               "with it; its bots: held, random" in err
               or "its bots: random, held" in err,
               "a game that has lost two workers is parked", err)
        tap.equal(match.returncode, 3, "the match says so at its end")
        tap.equal(len(place.records()), 1, "and the other game is played")
        tap.ok(not place.left_behind(arena.GONE_S), "nothing is left behind",
               place.processes())


SLOW = """#!/bin/sh
while read -r verb rest; do
	case $verb in
	referee) echo "bot 1 slow" ;;
	ask) sleep 1000 ;;
	esac
done
"""


def users(place, program):
    """Returns the user of each process that runs the program as a user of a
    slot."""
    found = {}
    for pid, line in place.processes().items():
        if line.startswith("sh ") and str(program) in line:
            try:
                uid = os.stat(f"/proc/{pid}").st_uid
            except OSError:
                continue
            if uid >= 60000:
                found[pid] = uid
    # A fork of the shell that is about to become `sleep` is not a bot.
    return {pid: uid for pid, uid in found.items()
            if arena.status(pid)[0] not in found}


def own_users():
    """Tests that no two bots share a user, also bots of different workers."""
    what = "each bot has a user of its own"
    if tap.skip(what, "only root's bots have users" if os.geteuid() != 0
                else machine.no_boxes()):
        return
    with arena.Arena() as place:
        program = place.root / "slow.sh"
        program.write_text(SLOW, encoding="ascii")
        os.chmod(place.root, 0o755)
        match = place.start("toepen", "--games", 4, "--jobs", 4, *arena.PATIENT,
                            "--sandbox", "on", *arena.bots(("slow", f"sh {program}"),
                                              ("calm", f"sh {program} ")))
        found = arena.wait_for(lambda: match.poll() is not None
                               or [now for now in [users(place, program)]
                                   if len(now) >= 8])
        tap.ok(isinstance(found, list)
               and len(set(found[0].values())) == len(found[0]) == 8, what,
               found)
        match.terminate()
        match.communicate()


def all_processors():
    """Tests that a bot that thinks may use all processors, also if it was
    pinned while it was quick."""
    what = "a bot that thinks has all processors again"
    have = len(os.sched_getaffinity(0))
    if tap.skip(what, have < 2 and "there is one processor"):
        return
    with arena.Arena() as place:
        bot = place.root / "thinks.py"
        bot.write_text(THINKS, encoding="ascii")
        seen = place.root / "seen"
        command = shlex.join([*tap.PYTHON, str(bot), str(seen)])
        match = place.start("daumen-drauf", "-o", "games=50", "--games", 1, "--exact",
                            "--sandbox", "off", "--bot", command, "--bot",
                            "random", *arena.PATIENT)
        match.communicate()
        lines = seen.read_text("ascii").splitlines()
        # An answer is quick if it comes within a millisecond.
        if tap.skip(what, None if "False 1" in lines else
                    "this machine was not quick often enough"):
            return
        tap.ok(f"True {have}" in lines and "True 1" not in lines, what, lines)


def main():
    all_processors()
    own_users()
    same_games()
    same_entropy()
    poison()


main()
tap.done()
