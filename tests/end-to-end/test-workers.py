#!/usr/bin/env python3
"""Worker processes of a match are killed, at any moment.

No game is lost and none counts twice; a game that is played again is dealt the
same cards, also where its bots give entropy; nothing is left behind; each loss
is told in one sentence; a game that has lost two workers is not played a third
time.  WORKER_KILLS says how often one is killed (8; with CHECK_ALL=1 200).
"""

import os
import random
import re
import shlex
import signal
import sys

import arena
import machine
import tap

KILLS = int(os.environ.get("WORKER_KILLS",
                           "200" if os.environ.get("CHECK_ALL") else "8"))
LATEST_S = 0.3
LOST = re.compile(r"referee: worker process \d+ (was killed by signal 9|ended "
                  r"with status 3); \d+ of its games (is|are) played again")
# Gives other entropy each time it is started, writes down which, and takes
# its time for its first answer.
# Gives entropy, and writes it down when it is sure to be kept: at the first round.
GIVES = """
import os, sys, time
out = open(sys.argv[1], "a")
given = None
for line in sys.stdin:
    words = line.split()
    if words[0] == "referee":
        print("bot gives", flush=True)
    elif words[0] == "game":
        game, first = words[1], True
    elif words[0] == "entropy?":
        given = os.urandom(8).hex()
        print("entropy", given, flush=True)
    elif words[0] == "round" and given:
        print(game, given, file=out, flush=True)
        given = None
    elif words[0] == "ask":
        if first:
            time.sleep(0.5)
        first = False
        print("do", words[1], words[3], flush=True)
"""


# Answers at once until it has one processor, which takes long where others work;
# then thinks, and writes down how many it has.
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
            until = time.process_time() + 0.02
            while time.process_time() < until:
                pass
        print("do", words[1], words[3], flush=True)
"""


def workers(place):
    """Each with the process that starts its bots; a fork of that which is
    about to become a bot looks the same, and is none."""
    found = {pid: arena.status(pid)[0] for pid, line in place.processes().items()
             if re.search(r" play-jobs \d+ -?\d+ $", line)}
    return [pid for pid, parent in found.items()
            if found.get(parent) not in found]


def kill_one(place, match, dice):
    """Whether there was one."""
    found = arena.wait_for(lambda: match.poll() is not None or workers(place))
    if found is True or not found:
        return False
    arena.wait_for(lambda: match.poll() is not None,
                   dice.uniform(0, LATEST_S))
    left = workers(place)
    if not left or match.poll() is not None:
        return False
    try:
        os.kill(dice.choice(left), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def play(arguments, kills=0):
    """The match's records by number of their games, and what it said."""
    with arena.Arena() as place:
        match = place.start(*arguments)
        dice = random.Random()
        killed = sum(kill_one(place, match, dice) for _ in range(kills))
        out, err = (part.decode() for part in match.communicate())
        left = place.left_behind(arena.GONE_S)
        verified = tap.referee("verify", *place.folder.glob("*.rec"))
        names = sorted(path.name for path in place.folder.glob("*.rec"))
        bodies = {record.path.name: record.body for record in place.records()}
        return match.returncode, out, err, killed, left, verified, names, \
            bodies


def same_games():
    games = max(399, 21 * KILLS)
    arguments = ["toepen", "--seed", "workers", "--games", games, "--jobs", 4,
                 *arena.bots(arena.RANDOM_C, "random", "house")]
    quiet = play(arguments)
    tap.equal(quiet[0], 0, "a match without a loss")
    code, _, err, killed, left, verified, names, bodies = play(
        arguments, KILLS)
    lines = err.splitlines()
    tap.ok(killed > 0, "workers were killed", killed)
    tap.note(f"{killed} workers killed")
    told = [line for line in lines if LOST.fullmatch(line)]
    # A worker may be killed together with what starts its bots.
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
        given = place.root / "given"
        bot = place.root / "gives.py"
        bot.write_text(GIVES, encoding="ascii")
        command = shlex.join([sys.executable, "-B", str(bot), str(given)])
        match = place.start("toepen", "--games", 1, "--exact", "--bot", command,
                            "--entropy", "--bot", "random")
        arena.wait_for(lambda: given.exists() and given.read_text("ascii"))
        os.kill(workers(place)[0], signal.SIGKILL)
        err = match.communicate()[1].decode()
        tap.equal(match.returncode, 0, "a game with entropy is played again")
        told = [line.split() for line in
                given.read_text("ascii").splitlines()]
        records = place.records()
        found = [words[2] for record in records for words in record.head
                 if words[0] == "entropy"]
        tap.equal(found, [told[0][1]],
                  "with the entropy that its bot gave first")
        tap.equal(len(told), 1, "and it is not asked for it twice")
        tap.equal(tap.referee("verify", records[0].path).code, 0,
                  "its record verifies")
        tap.equal(len(LOST.findall(err)), 1, "the loss is told")


def bad_bots(place):
    return {pid for pid, line in place.processes().items() if "bad-bot" in line
            and not re.search(r" (match|worker) ", line)}


def poison():
    with arena.Arena() as place:
        slow = f"{arena.BAD} slow --ms 200 --seconds 30"
        match = place.start("toepen", "--games", 2, "--jobs", 1,
                            *arena.bots(("slow", slow), "random"))
        seen = set()
        for _ in range(2):
            # A bot of the worker killed before may live a little longer: only
            # a bot not seen before says that the game has begun again.
            new = arena.wait_for(lambda: bad_bots(place) - seen)
            seen |= new
            before = workers(place)
            os.kill(before[0], signal.SIGKILL)
            arena.wait_for(lambda: not set(before) & set(workers(place)))
        err = match.communicate()[1].decode()
        tap.ok("referee: game 1 is not played: 2 worker processes were lost "
               "with it; its bots: slow, random" in err
               or "its bots: random, slow" in err,
               "a game that has lost two workers is parked", err)
        tap.equal(match.returncode, 3, "the match says so at its end")
        tap.equal(len(place.records()), 1, "and the other game is played")
        tap.ok(not place.left_behind(arena.GONE_S), "nothing is left behind",
               place.processes())


def parent():
    """A worker without a parent ends, with its bots."""
    with arena.Arena() as place:
        slow = f"{arena.BAD} slow --ms 200 --seconds 30"
        match = place.start("toepen", "--games", 2, "--jobs", 2,
                            *arena.bots(("slow", slow), "random"))
        arena.wait_for(lambda: any("bad-bot" in line for line in
                                   place.processes().values()))
        match.kill()
        match.communicate()
        tap.ok(not place.left_behind(arena.GONE_S),
               "a match that is killed leaves no worker", place.processes())


SLOW = """#!/bin/sh
while read -r verb rest; do
	case $verb in
	referee) echo "bot 1 slow" ;;
	ask)
		set -- $rest
		sleep 0.3
		echo "do $1 $3"
		;;
	esac
done
"""


def users(place, program):
    """By process, of those that run the program as a user of a slot."""
    found = {}
    for pid, line in place.processes().items():
        if line.startswith("sh ") and str(program) in line:
            try:
                uid = os.stat(f"/proc/{pid}").st_uid
            except OSError:
                continue
            if uid >= 60000:
                found[pid] = uid
    # The shell's own fork that is about to become a sleep is no bot.
    return {pid: uid for pid, uid in found.items()
            if arena.status(pid)[0] not in found}


def own_users():
    """No two bots share a user, whichever worker has started them."""
    what = "each bot has a user of its own"
    if tap.skip(what, "only root's bots have users" if os.geteuid() != 0
                else machine.no_boxes()):
        return
    with arena.Arena() as place:
        program = place.root / "slow.sh"
        program.write_text(SLOW, encoding="ascii")
        os.chmod(place.root, 0o755)
        match = place.start("toepen", "--games", 4, "--jobs", 4, "--sandbox",
                            "on", *arena.bots(("slow", f"sh {program}"),
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
    """A bot that thinks has them, wherever it was while it was quick."""
    what = "a bot that thinks has all processors again"
    have = len(os.sched_getaffinity(0))
    if tap.skip(what, have < 2 and "there is one processor"):
        return
    with arena.Arena() as place:
        bot = place.root / "thinks.py"
        bot.write_text(THINKS, encoding="ascii")
        seen = place.root / "seen"
        command = shlex.join([sys.executable, "-B", str(bot), str(seen)])
        match = place.start("daumen-drauf", "-o", "games=50", "--games", 1, "--exact",
                            "--sandbox", "off", "--bot", command, "--bot",
                            "random")
        match.communicate()
        lines = seen.read_text("ascii").splitlines()
        tap.ok(f"True {have}" in lines and "True 1" not in lines, what, lines)
        tap.ok("False 1" in lines, "and one that is quick has one", lines)


def main():
    all_processors()
    own_users()
    same_games()
    same_entropy()
    poison()
    parent()


main()
tap.done()
