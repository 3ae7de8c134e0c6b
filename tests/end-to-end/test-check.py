#!/usr/bin/env python3
"""End-to-end because `referee check` starts real bots, or waits for them on a real
port: decent bots pass, and each bad one gets its sentence.  test-check-watch has the
sentences about lines, test-command-usage those about the command line."""

import concurrent.futures
import json
import os
import re
import shlex
import signal
import socket
import subprocess

import arena
import daemon
import tap

ALL = bool(os.environ.get("CHECK_ALL"))
AT_A_TIME = 8  # most of them wait
PYTHON_BOT = arena.python_bot("sample-bots/python/random_bot.py")

# On a busy machine a bot may lack a processor.  That is told in place of what it does.
STARVED = r"had the processor for \d+ of \d+ ms: the machine is overloaded"
# Each manner of bad-bot with the sentence about it.
MANNERS = (
    ("silent", r"did not answer ask 1 within 300 ms; it (was waiting, not "
     rf"computing: did it flush its output\?|{STARVED})$"),
    ("loops", r"did not answer ask 1 within 300 ms; it (was still computing: is "
     rf"it too slow, or in an endless loop\?|{STARVED})$"),
    ("never-reads", r"did not answer ask 1 within 300 ms; "
     f"it (had not even read the ask|{STARVED})"),
    ("exit-now", r"ended, or closed its output, before ask \d+ was answered: "
     "it ended with status 0"),
    ("close-stdout", r"it was killed, or closed its output and lived on"),
    ("no-bye", r"did not leave within 500 ms of `bye` and was killed"),
    ("grandchild", r"left 1 process behind"),
    ("stderr-flood --bytes 2000000",
     r"wrote more than 1048576 bytes to standard error"),
    ("crash-at --at 4", r"before ask 4 was answered: it was killed"),
    ("stops-itself", r"did not answer ask 1 within 300 ms; it was stopped"),
)


LIMIT_S = 600  # bound of a check that ends by itself
LIFE = " --seconds 600"  # for processes that nothing ends: longer than we look for them
LATE_MS, GOOD_MS = 300, 60000  # time for a move of late bots, and of others
LATE_ONES = {"silent", "loops", "never-reads", "stops-itself"}  # answer no ask


def check(place, bot, *arguments, bounded=True):
    if "--sandbox" not in arguments:  # see arena.Arena.command()
        arguments = ("--sandbox", "off", *arguments)
    if bounded and "--limit" not in arguments:
        arguments += ("--limit", LIMIT_S)
    return tap.run([tap.REFEREE, "check", bot, "--seed", "check", *arguments],
                   cwd=place.root, env=place.environ)


def objects(run):
    """Returns (problems, summary) of the JSON."""
    lines = [json.loads(line) for line in run.out.splitlines()]
    if not lines:
        raise RuntimeError(run)
    return lines[:-1], lines[-1]


def script(place, text, name):
    path = place.root / name
    path.write_text(text)
    return shlex.join(["sh", str(path)])


def decent():
    with arena.Arena() as place:
        return check(place, arena.RANDOM_C, "--json", *(() if ALL else ("--quick",)))


def manner(which, part):
    with arena.Arena() as place:
        late = which.split()[0] in LATE_ONES
        run = check(place, f"{shlex.quote(arena.BAD)} {which}{LIFE}",
                    "--quick", "--game", "toepen", "--json", "--move-time",
                    LATE_MS if late else GOOD_MS)
        left = place.left_behind(arena.GONE_S)
        return which, part, run, left


# ---- bots that come by TCP

# Connects again after a lost connection, also if it broke while the bot wrote;
# the arguments are its manner and the port.
COMER = """
import contextlib, socket, sys
manner, port = sys.argv[1], int(sys.argv[2])
multi = manner in ("multi", "bare", "strange")
lines, game, over, told = {}, "", False, False
while not over:
    link = socket.create_connection(("127.0.0.1", port))
    with contextlib.suppress(ConnectionError), link:
        def say(text):
            link.sendall(text.encode() + bytes([10]))
        say("hello there" if manner == "nonsense" else "bot 1 comer token=x"
            + (" multi=yes games=4" if multi else "")
            + (" resume=" + ",".join(f"{game}:{n}" for game, n in lines.items())
               if lines else ""))
        say("pong 7" if manner == "stands" else "sit here there")
        told = told or print("said", flush=True) is None
        for line in link.makefile():
            words = line.split()
            if words[0] in ("referee", "ping", "error", "bye", "awaits"):
                over |= words[0] == "bye"
                continue
            mark = words.pop(0) + " " if multi else ""
            game = mark[1:-1] or game
            if words[0] == "game":
                game = words[1]
                if not multi:
                    lines.clear()
                lines[game] = 0
            lines[game] += 1
            if words[0] == "ask" and manner == "dies" and words[1] == "3":
                sys.exit("no more")
            if manner == "bare":
                mark = ""
            if manner == "strange":
                mark = f"@{game[::-1]} "
            if words[0] == "ask":
                say(f"{mark}my move" if manner == "print" and words[1] == "2"
                    else f"{mark}do {words[1]} {words[3]}")
            if words[0] == "over" and manner == "quit":
                say("quit")
            if words[0] in ("over", "abort") and multi:
                del lines[game]
    if manner == "once":
        over = True
"""
# Each row has the manner of the comer, the exit code, the arguments, and the
# sentence about it.
COMERS = (
    ("multi", 0, ("--limit", LIMIT_S), None),
    ("bare", 1, ("--limit", LIMIT_S), r"^said `do 1 \w+.*` without the `@ID ` that "
     "`multi=yes` puts in front of each line of a game"),
    ("strange", 1, ("--limit", LIMIT_S, "--move-time", 500), r"^said `@\w+ do 1 .*` "
     "with an ID that no `game` line had"),
    # luck: it tries this limit
    ("nonsense", 2, ("--limit", 20), r"no bot came to 127\.0\.0\.1 port \d+ within "
     r"20 seconds; the last that came, from 127\.0\.0\.1:\d+, got no further: "
     r"the first line is: bot 1 NAME token=SECRET"),
    # luck: it tries this limit
    ("stands", 2, ("--limit", 20), r"comer was there and did not say `sit "
     r"LADDER` within 20 seconds; it said `pong 7` outside of its games"),
    ("print", 1, ("--limit", LIMIT_S), r"^said `my move`: .*is it a debug print"),
    ("dies", 1, ("--limit", LIMIT_S), r"^lost its connection after ask 3, and did not "
     r"come back within 5 seconds: the connection was lost"),
    ("dies", 1, ("--limit", LIMIT_S, "--move-time", 2000), r"^did not answer ask 3 "
     r"within 2000 ms; it has left: the connection was lost"),
    ("once", 1, ("--limit", LIMIT_S), r"^lost its connection after ask 3, and did "
     "not come back within 5 seconds"),
    ("quit", 0, ("--limit", LIMIT_S), None),
)


def come(command, *arguments, back=True, held=False):
    """Runs a check that listens and a bot that connects to it; returns the run and the
    bot's standard error.  With `back` the bot must come back in time.  With `held` the
    check is stopped, and its clock with it, until a comer has said its first lines."""
    with arena.Arena() as place:
        environ = place.environ
        if back:
            daemon.slow_clock(place)  # there are five seconds to come back
        (place.root / "comer.py").write_text(COMER)
        (place.root / "token").write_text("any\n")
        process = subprocess.Popen(
            [tap.REFEREE, "check", "--listen", "0", "--quick", "--game",
             "toepen", "--seed", "check", "--json", *map(str, arguments)],
            env=place.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        where = process.stderr.readline()
        port = re.fullmatch(r"referee: listening at 127\.0\.0\.1 port (\d+) for "
                            r"\d+ seconds?: come with any name and any token, and "
                            r"sit on any ladder; \d+ games, at most \d+ seconds?; "
                            r"--seed check\n", where)[1]
        if held:
            process.send_signal(signal.SIGSTOP)
        bot = command and subprocess.Popen(
            [word.format(port=port) for word in shlex.split(command)],
            cwd=place.root, env=environ, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        if held:
            bot.stdout.readline()
            process.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=10 * tap.TIMEOUT_S)
        if bot and "comer.py" in command:
            bot.kill()
        said = bot and bot.communicate(timeout=tap.TIMEOUT_S)[1]
        return tap.Run(process.returncode, out, err), said


def comer(manner, code, arguments, part):
    run, said = come(
        shlex.join([*tap.PYTHON, "comer.py", manner, "{port}"]),
        *arguments, back=manner in ("multi", "quit"), held=code == 2)
    return manner, code, part, tap.Run(run.code, run.out, run.err + said)


def tell_kit(run, said):
    problems, summary = objects(run)
    tap.ok(run.code == 0 and not problems and summary["whole"]
           and summary["bot"] == "mole" and summary["memory_mib"] == 0
           and summary["shown"]["aborted"] and summary["games"] > 10,
           "a kit's bot by TCP passes", run)
    tap.ok(said.count("it closed the connection") == 1
           and said.endswith("the check is over\n"),
           "its connection was cut once, and it was sent home", said)


def tell_connect(run, said):
    problems, summary = objects(run)
    tap.ok(run.code == 0 and not problems and summary["whole"]
           and summary["bot"] == "mole" and summary["shown"]["at_once"] == 3,
           "a bot in `connect` passes, three games at once", run)
    tap.ok(said.count("the connection was lost") == 1,
           "the connection was cut once", said)


def tell_comer(manner, code, part, run):
    if part is None or code == 2:
        tap.ok(run.code == code and re.search(part or "", run.err),
               f"by TCP, {manner}: exit code {code}", run)
    if code == 2:
        return
    problems, summary = objects(run)
    tap.ok(run.code == code and summary["bot"] == "comer"
           and summary["whole"] == (manner == "multi")
           and any(re.search(part, one["sentence"])
                   for one in problems) == (part is not None) if part
           else not problems, f"by TCP, {manner}: {part or 'nothing'}", run)
    tap.equal(summary["shown"]["at_once"],
              4 if manner in ("multi", "bare", "strange") else 1,
              f"{manner}: games at once")


# ---- decent bots

with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
    good = pool.submit(decent)
    bad = [pool.submit(manner, *one) for one in MANNERS]
    kit = pool.submit(come, PYTHON_BOT + " --connect 127.0.0.1:{port} --name mole "
                      "--token-file token --ladder any", "--limit", LIMIT_S)
    connect = pool.submit(
        come, shlex.join([str(tap.REFEREE), "connect", "--name", "mole",
                          "--token-file", "token", "--ladder", "any", "--jobs",
                          "3", "127.0.0.1:{port}", "--", arena.RANDOM_C]),
        "--limit", LIMIT_S)
    # luck: it tries this limit
    nobody = pool.submit(come, None, "--limit", 1, back=False)
    comers = [pool.submit(comer, *one) for one in COMERS]
    run = good.result()
    problems, summary = objects(run)
    shown = summary["shown"]
    tap.ok(run.code == 0 and not problems and summary["whole"]
           and summary["wrong"] == 0 and run.err == "",
           f"the random bot in C passes: {summary['games']} games", run)
    tap.ok(shown["voids"] > 5 and shown["ranges"] > 10
           and shown["longest_list"] > 20 and shown["longest_line"] > 200
           and shown["aborted"] >= 2, "and was shown much", shown)
    tap.ok(summary["answer_ms"]["count"] > 500
           and 0 < summary["answer_ms"]["median"]
           <= summary["answer_ms"]["p90"] <= summary["answer_ms"]["p99"]
           <= summary["answer_ms"]["max"]
           and 1 < summary["memory_mib"] < 256 and summary["cpu_s"] > 0,
           "and was measured", summary)
    for run in bad:
        which, part, run, left = run.result()
        problems, summary = objects(run)
        if which == "silent":
            tap.ok(summary["games"] == 2 and not summary["whole"] and
                   summary["kinds"]["timeout"] == 2,
                   "nothing is said: two games are enough", run)
        tap.ok(run.code == 1 and summary["wrong"] > 0 and not left
               and any(re.search(part, one["sentence"]) for one in problems),
               f"{which}: {part}", f"{left}\n{run}")

    tell_kit(*kit.result())
    tell_connect(*connect.result())
    run, _ = nobody.result()
    tap.ok(run.code == 2 and run.out == "" and re.fullmatch(
        r"referee: no bot came to 127\.0\.0\.1 port \d+ within 1 second\n",
        run.err), "nobody comes", run)
    for run in comers:
        tell_comer(*run.result())

with socket.create_server(("127.0.0.1", 0)) as taken, arena.Arena() as place:
    port = taken.getsockname()[1]
    tap.complains(tap.referee("check", "--listen", port), 3,
                  f"cannot listen at 127.0.0.1 port {port}: Address already in "
                  "use", "the port is in use")

# ---- what is told

ANSWERS = """
while read -r verb k ms token rest; do
	if [ "$verb" = ask ]; then echo "do $k $token"; fi
done
"""
DANCES = """
n=0
trap '' PIPE
while read -r verb k ms token rest; do
	if [ "$verb" = ask ]; then
		n=$((n + 1))
		if [ $n = 2 ]; then printf 'no\\033[31m idea\\n' >&2; token=dance; fi
		echo "do $k $token"
	fi
done
"""
with arena.Arena() as place:
    bot = script(place, DANCES, "dances.sh")
    run = check(place, bot, "--quick", "-G", "toepen", "-G", "daupun")
    lines = run.out.splitlines()
    tap.ok(re.fullmatch(r"checking dances: \d+ games, at most 600 seconds; "
                        r"--seed check", lines[0]), "it begins with its bounds",
           lines[0])
    tap.ok(run.code == 1 and re.fullmatch(
        r"Daupun, 2 seats, seat 0, game 1: answered ask 2 with `dance`, which "
        r"was not among `.*", lines[1]), "the sentence says where", lines[1])
    last = lines.index("    > do 2 dance")
    tap.ok(lines[last - 1].startswith("    < ask 2 10000 ")
           and lines[last + 1].startswith("    < fault 0 illegal")
           and "    ! no\\x1b[31m idea" in lines[last:],
           "the lines around it, and its standard error without escapes",
           lines[:30])
    tap.ok("\x1b" not in run.out, "nothing reaches the terminal as it came")
    tap.ok(re.search(r"^and \d+ more like these: illegal$", run.out,
                     re.MULTILINE), "others of the kind are counted", run)
    tap.ok(re.search(r"^stopped after 1\d of \d+ games: in 10 of them something "
                     r"was wrong$", run.out, re.MULTILINE),
           "ten wrong games are enough", run)
    run = check(place, bot, "--quick", "-G", "toepen", "--keep-going", "--json")
    problems, summary = objects(run)
    tap.ok(summary["games"] == summary["planned"] > 10 and summary["whole"],
           "--keep-going goes on", summary)
    tap.ok(len(problems) == 3 and len({one["number"] for one in problems}) == 3,
           "each kind is told three times, of three games", problems)

DEAF = """
while read -r verb k ms token rest; do
	case $verb in
	bye) exit ;;
	ask) echo "do $k $token" ;;
	esac
done
sleep 600
"""
with arena.Arena() as place:
    run = check(place, script(place, DEAF, "deaf.sh"), "--quick", "-G",
                "toepen", "--json")
    problems, _ = objects(run)
    tap.ok(run.code == 1 and [(one["style"], one["sentence"])
                              for one in problems] == [(
        "its input ends", "did not leave within 500 ms of the end of its input "
        "and was killed")], "a bot that waits for `bye` after the end", run)
    tap.equal(place.left_behind(arena.GONE_S), {}, "is gone all the same")

# A bot that answers ask 2 when it is void.
LATE = """
while read -r verb k ms token rest; do
	case $verb$k in
	bye) exit ;;
	ask2) late=$token ;;
	ask*) echo "do $k $token" ;;
	void2) echo "do 2 $late" ;;
	esac
done
"""
# A bot that does not end its answer to ask 2.
HALF = LATE.replace("late=$token", 'printf "do 2 $token"').replace(
    'echo "do 2 $late"', ":")
with arena.Arena() as place:
    for text, words in (
            (LATE, r"(?!.*no end).*; its answer came \d+ ms late"),
            (HALF, r"; it(s line `do 2 [^`]*` has no end \(no line feed\)"
             rf"| {STARVED})")):
        run = check(place, script(place, text, "late.sh"), "--quick", "-G",
                    "toepen", "--json", "--move-time", LATE_MS)
        problems, _ = objects(run)
        tap.ok(run.code == 1 and any(re.fullmatch(
            f"did not answer ask 2 within {LATE_MS} ms{words}",
            one["sentence"]) for one in problems),
               "an answer that is late, or has no end", run)

# ---- folders, entropy, reuse, memory

ENTROPY = """#!/bin/sh
while read -r verb k ms token rest; do
	case $verb in
	'entropy?') echo "entropy 00ff" ;;
	ask) echo "do $k $token" ;;
	esac
done
"""


def folder(place, name, conf, text):
    path = place.root / name
    path.mkdir()
    (path / "bot.conf").write_text(
        f'name = "{name}"\nrun = {{ "./play.sh" }}\n{conf}')
    (path / "play.sh").write_text(text)
    (path / "play.sh").chmod(0o755)
    return path


with arena.Arena() as place:
    daemon.slow_clock(place)  # there is one second to give entropy
    good = folder(place, "good", "games = { toepen, doubles-dread }\nentropy = yes\n"
                  "reuse = yes\nmemory = 64\n", ENTROPY)
    run = check(place, good, "--quick", "--json")
    problems, summary = objects(run)
    tap.ok(run.code == 0 and summary["bot"] == "good"
           and summary["shown"]["entropy"] == summary["games"],
           "a folder that says all of it passes", run)
with arena.Arena() as place:
    mute = folder(place, "mute", "games = toepen\nentropy = yes\n",
                  ENTROPY.replace("entropy 00ff", "say no"))
    run = check(place, mute, "--quick", "--json")
    tap.ok(run.code == 1 and objects(run)[0][0]["sentence"]
           == "did not answer `entropy?` in time", "entropy that never comes",
           run)
    once = folder(place, "once", "games = toepen\nreuse = yes\n",
                  ENTROPY.replace("do\n", "do\n[ $verb = over ] && exit\n"))
    run = check(place, once, "--quick", "--json")
    problems, summary = objects(run)
    tap.ok(run.code == 1 and {one["style"] for one in problems}
           == {"one process, several games"} and problems[0]["kind"] == "crash",
           "`reuse` that is not true", run)
    # These three do it in one game only, because it costs much processor time.
    def hungry(turn):
        return script(place, f"""\
if mkdir {place.root}/hungry-{turn} 2>/dev/null; then
\texec {shlex.join(tap.PYTHON)} {place.root}/hungry.py
fi
""" + ANSWERS, f"hungry-{turn}.sh")
    (place.root / "hungry.py").write_text("""
import sys
x = b"x" * 60000000
for line in sys.stdin:
    words = line.split()
    if words[0] == "ask":
        print("do", words[1], words[3], flush=True)
""")
    run = check(place, hungry(1), "--quick", "-G", "daupun", "--memory", 32)
    tap.ok(run.code == 1 and re.search(r"took \d+ MiB of memory; more than 32 "
                                       r"is too much", run.out),
           "more memory than it may have", run)
    dying = script(place, ANSWERS + "kill -SEGV $$\n",
                   "dying.sh")
    run = check(place, dying, "--quick", "-G", "toepen")
    tap.ok(run.code == 1 and "left, but it was ended by signal 11 "
           "(Segmentation fault)" in run.out, "death on leaving", run)
    forbidden = script(place, "read line\nkill -SYS $$\n", "forbidden.sh")
    run = check(place, forbidden, "--quick", "-G", "daupun", bounded=False)
    tap.ok(" games, at most 60 seconds; " in run.out, "--quick has its limit", run)
    tap.ok(run.code == 1 and "it was ended by signal 31 (Bad system call: "
           "a forbidden call)" in run.out, "death by a forbidden call",
           run)

# ---- in a box

TRIES = """
import socket, sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "ask":
        try:
            socket.socket(socket.AF_INET)
        except OSError as error:
            print("no network:", error, file=sys.stderr)
        print("do", words[1], words[3], flush=True)
"""
DAEMON = """
(sleep 600 &)
while read -r verb k ms token rest; do
	if [ "$verb" = ask ]; then echo "do $k $token"; fi
done
"""
with arena.Arena() as place:
    run = check(place, arena.FIRST, "--quick", "--sandbox", "on", "-G",
                "toepen")
    if run.code == 3:
        tap.ok(True, f"in a box # SKIP {run.err.strip()}")
    else:
        tap.ok(run.code == 0 and run.err.startswith("referee: sandbox tier "),
               "a decent bot passes in a box", run)
        run = tap.run(["nice", "-n", "1", "chrt", "-b", "0", "prlimit",
                       "--core=0", "--stack=4194304", "--memlock=0",
                       "--sigpending=100", "--msgqueue=0", "--nofile=512",
                       tap.REFEREE, "check", arena.FIRST, "--quick", "-G",
                       "toepen", "--limit", LIMIT_S], env=place.environ)
        tap.ok(run.code == 0,
               "also if the referee comes after others and has small limits",
               run)
        run = check(place, PYTHON_BOT, "--quick", "--json", "--reuse",
                    "-G", "toepen", "-G", "daupun")
        problems, summary = objects(run)
        tap.ok(run.code == 0 and summary["whole"] and not problems and
               0 < summary["first_ms"]["count"] < summary["games"] / 2,
               "--reuse: one process plays game after game", run)
        third = place.root / "third.py"
        third.write_text("""import sys
games = 0
for line in sys.stdin:
    words = line.split()
    games += words[0] == "game"
    if words[0] == "bye":
        break
    if words[0] == "ask":
        if games == 3:
            raise KeyError("third")
        print("do", words[1], words[3], flush=True)
""")
        run = check(place, shlex.join([*tap.PYTHON, str(third)]), "--quick",
                    "-G", "toepen", "--reuse")
        tap.ok(run.code == 1 and "it ended with status 1" in run.out and
               "    ! KeyError: 'third'" in run.out,
               "and one that fails in its third game is told why", run)
        path = place.root / "tries.py"
        path.write_text(TRIES)
        run = check(place, shlex.join([*tap.PYTHON, str(path)]), "--quick",
                    "--sandbox", "on",
                    "-G", "toepen", "--json")
        problems, _ = objects(run)
        tap.ok(run.code == 1 and {(one["kind"], one["style"])
                                  for one in problems} == {
            ("forbidden", one["style"]) for one in problems} and
            problems[0]["sentence"].endswith(": inet") and
            "no network: [Errno 97]" in problems[0]["stderr"],
            "one that tries the network is told", run)
        run = check(place, script(place, DAEMON, "daemon.sh"), "--quick",
                    "--sandbox", "on", "-G", "toepen", "--json")
        problems, _ = objects(run)
        tap.ok(run.code == 1 and problems[0]["sentence"].startswith(
            "started a process whose parent has ended"),
            "and one that leaves a daemon", run)

# ---- bounds and interrupts

with arena.Arena() as place:
    silent = script(place, "cat >/dev/null\n", "silent.sh")
    # luck: it tries this limit
    run = check(place, silent, "--limit", 2, "--json")
    problems, summary = objects(run)
    # Two games would be enough, but the first one takes longer than the limit.
    tap.ok(not summary["whole"] and summary["games"] < 2, "--limit ends it", run)
    run = check(place, silent, "--quick", "--move-time", LATE_MS)
    tap.ok(re.search(r"^stopped after 2 of \d+ games: in 2 of them it answered "
                     "nothing$", run.out, re.MULTILINE),
           "two games without an answer are enough", run)
    unended = script(place, "read a; printf 'do 1'; cat >/dev/null\n", "un.sh")
    # luck: its time is over before any move is late
    run = check(place, unended, "--limit", 1, "--move-time", 600000)
    tap.ok(run.code == 1 and "\nthe time was over after " in run.out
           and "no game came to its end, so the check failed\n" in run.out
           and "nothing wrong" not in run.out,
           "a bot that has not ended a game by then does not pass", run)
    process = subprocess.Popen(
        [tap.REFEREE, "check", silent, "--sandbox", "off", "--limit",
         str(LIMIT_S), "--move-time", "600000"],
        env=place.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    arena.wait_for(lambda: len(place.processes()) > 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=tap.TIMEOUT_S)
    tap.ok(process.returncode == -signal.SIGINT and b"interrupted after" in err
           and b"nothing wrong" in out,
           "SIGINT: it says how far it was",
           (process.returncode, out, err))
    tap.equal(place.left_behind(arena.GONE_S), {}, "and leaves nothing")
    process = subprocess.Popen(
        [tap.REFEREE, "check", silent, "--sandbox", "off"],
        env=place.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    arena.wait_for(lambda: len(place.processes()) > 2)
    process.kill()
    process.communicate(timeout=tap.TIMEOUT_S)
    tap.equal(place.left_behind(arena.GONE_S), {}, "nor does being killed")
    with open("/dev/full", "w", encoding="ascii") as full:
        run = tap.run([tap.REFEREE, "check", arena.FIRST, "--quick", "-G",
                       "toepen", "--sandbox", "off"], stdout=full)
    tap.equal(run.code, 3, "a full disk is the machine's fault")
tap.done()
