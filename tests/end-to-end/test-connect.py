#!/usr/bin/env python3
"""End-to-end because `referee connect` brings real bots to a daemon elsewhere: they
play, also when the connection breaks or the daemon or bots end."""

import concurrent.futures
import contextlib
import os
import shlex
import signal
import socket
import sys
import threading

import arena
import daemon
import elsewhere
import tap

ALL = bool(os.environ.get("CHECK_ALL"))
CUTS = 60 if ALL else 4
AT_A_TIME = 4
KITS = {
    "c": [arena.RANDOM_C],
    "shell": shlex.split(arena.FIRST),
    "python": shlex.split(arena.python_bot("sample-bots/python/random_bot.py")),
}
USAGE = 2
# An honest bot has a minute for a move; no test waits so long.
PATIENT = "move-time = 60000"
MAIN = elsewhere.ladder("main", PATIENT)
SIT = ("--ladder", "main")


def script(place, name, text):
    """Writes a bot in Python into the arena; returns its command line."""
    path = place.root / name
    path.write_text("import os, pathlib, sys\n" + text, "utf-8")
    return [*tap.PYTHON, path]


def spotless(records, what):
    wrong = [record.path.name for record in records
             if any(record.faults()) or record.aborted()]
    tap.ok(records and not wrong, f"{what}: {len(records)} games without a "
           "fault", wrong)
    run = tap.referee("verify", *(record.path for record in records))
    tap.equal(run.code, 0, f"{what}: and they verify")


def kits():
    """Tests a kit over TCP and another one over TLS."""
    with arena.Arena() as place:
        with elsewhere.Daemon(place, MAIN, tls=True) as serve:
            pin = elsewhere.fingerprint(place.root)
            away = []
            for kit, kind, more in (("c", "bots", ()),
                                    ("shell", "safe", ("--ca", "cert.pem")),
                                    ("python", "safe", ("--fingerprint", pin))):
                serve.token_file(kit)
                away.append(elsewhere.Away(place, kit, serve.port(kind), KITS[kit],
                                           *SIT, *more))
            for one in away:
                one.wait_for_games(2)
            for one in away:
                one.process.send_signal(signal.SIGTERM)
            for one in away:
                tap.ok(one.wait() == 0 and len(one.games()) >= 2,
                       f"{one.name}: plays, and leaves", one)
            spotless(serve.games("main"), "kits")


OWN = """
print("bot 1 own", flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "entropy?":
        print("entropy 00ff", flush=True)
    elif words[0] == "ask":
        print("do", words[1], words[3], flush=True)
    elif words[0] == "bye":
        break
"""


def dice():
    """Tests that `connect` gives entropy for the bots and says which, and that
    a bot may give its own."""
    with contextlib.ExitStack() as stack:
        place = stack.enter_context(arena.Arena())
        daemon.slow_clock(place)  # there is one second to give entropy
        serve = stack.enter_context(elsewhere.Daemon(place, MAIN))
        port = serve.port("bots")
        own = script(place, "own.py", OWN)
        away = []
        for name, command, more in (("alice", KITS["shell"], ()),
                                    ("bob", own, ("--entropy",))):
            serve.token_file(name)
            away.append(elsewhere.Away(place, name, port, command, *SIT, *more))
        for one in away:
            one.wait_for_games(2)
        for one in away:
            one.process.send_signal(signal.SIGTERM)
        left = [one.wait() for one in away]
        told = dict(line.split()[1:]
                    for line in away[0].out.read_text("ascii").splitlines()
                    if line.startswith("entropy "))
        found = {}
        for record in serve.games("main"):
            given = {words[1]: words[2] for words in record.head
                     if words[0] == "entropy"}
            seat, = (words[1] for words in record.head
                     if words[0] == "bot" and words[2] == "alice")
            found[record.header("id")] = given.get(seat)
            tap.equal(given.get(str(1 - int(seat))), "00ff",
                      "a bot gives entropy of its own")
        tap.ok(left == [0, 0] and len(found) >= 2 and found == told and
               len(set(found.values())) == len(found) and
               all(len(given or "") == 64 for given in found.values()),
               "the records have the entropy that connect told", (found, told))
        tap.ok("entropy" not in away[1].out.read_text("ascii"),
               "and it tells none that it did not give", away[1])
        spotless(serve.games("main"), "dice")


def distrust():
    with arena.Arena() as place:
        with elsewhere.Daemon(place, MAIN, tls=True) as serve:
            pin = elsewhere.fingerprint(place.root)
            serve.token_file("alice")
            port = serve.port("safe")
            wrong = ("0" if pin[0] != "0" else "1") + pin[1:]
            for what, more in (("another fingerprint",
                                ("--fingerprint", wrong)),
                               ("an unknown authority", ("--tls",))):
                one = elsewhere.Away(place, "alice", port, KITS["c"], *SIT,
                                     *more)
                tap.ok(one.wait() == USAGE and "certificate" in one.said(),
                       f"{what}: it does not play", one)
            tap.ok("bot-came" not in serve.text(),
                   "and has not told its token")
            for what, kind, more, part in (
                    ("no TLS where it is spoken", "safe", (), "the referee "
                     "says: this port takes TLS alone: connect with --tls"),
                    ("TLS where it is not spoken", "bots", ("--tls", "--ca",
                     "cert.pem"), "wrong version number; if it listens "
                     "without TLS, leave out --tls, --ca and --fingerprint")):
                one = elsewhere.Away(place, "alice", serve.port(kind),
                                     KITS["c"], *SIT, *more)
                tap.ok(one.wait() == USAGE and part in one.said()
                       and one.said().count("\n") == 1,
                       f"{what}: one sentence", one)


def refused():
    """Tests that the sentence of a referee that refuses is shown."""
    with arena.Arena() as place, elsewhere.Daemon(place, MAIN) as serve:
        port = serve.port("bots")
        for name in "alice", "bob", "carol":
            serve.token_file(name)
        (place.root / "alice.token").write_text("wrong\n", "ascii")
        tap.referee("bots", "disable", "carol", "it loops", cwd=place.root)
        for name, sit, part in (
                ("alice", "main", "unknown bot name or wrong token"),
                ("bob", "nowhere", "there is no ladder nowhere; there "),
                ("carol", "main", "carol is disabled: it loops")):
            one = elsewhere.Away(place, name, port, KITS["c"], "--ladder", sit)
            tap.ok(one.wait() == USAGE
                   and f"referee: the referee says: {part}" in one.said()
                   and "again" not in one.said(),
                   f"refused: {part}", one)
        away = [elsewhere.Away(place, name, port, KITS["c"], *SIT)
                for name in ("bob", "dave") if serve.token_file(name)]
        for one in away:
            one.wait_for_games(1)
        tap.referee("bots", "revoke", "bob", cwd=place.root)
        tap.ok(away[0].wait() == USAGE and "the referee says: your token has "
               "changed\n" in away[0].said(),
               "a token that is revoked: it goes", away[0])
        tap.equal(away[1].leave(), 0, "the other leaves")


def told_to_come_again():
    """Tests an `error` before and after something has gone well."""
    answers = ("error there are too many connections\nbye\n",
               "error why=full say again=no to nobody\n",
               "referee 1 somebody\nerror the referee is stopping\nbye\n",
               "error again=no this is the end\nbye\n")
    with arena.Arena() as place, \
            socket.create_server(("127.0.0.1", 0)) as listening:
        (place.root / "alice.token").write_text("secret\n", "ascii")
        one = elsewhere.Away(place, "alice", listening.getsockname()[1],
                             KITS["c"], *SIT)
        for answer in answers:
            listening.settimeout(60)
            came = listening.accept()[0]
            with came:
                came.makefile("rb").readline()
                came.sendall(answer.encode())
                while came.recv(4096):
                    pass
        tap.ok(one.wait() == USAGE and [
            line.partition("says: ")[2] for line in one.said().split("\n")
            if "says: " in line] == [
                "there are too many connections; trying again",
                "say again=no to nobody; trying again",
                "the referee is stopping; trying again", "this is the end"],
               "it comes again, unless it is told not to", one)


def asks_that_are_over():
    """Tests that a process that begins in the middle of a game is not sent old
    asks."""
    game = "ab" * 16
    lines = ["game %s toepen seat 0 of 2" % game, "round 1 0", "ask 1 10000 a",
             "void 1", "fault 0 timeout", "ask 2 10000 b", "move 0 b",
             "ask 3 700 c"]
    with arena.Arena() as place, \
            socket.create_server(("127.0.0.1", 0)) as listening:
        (place.root / "alice.token").write_text("secret\n", "ascii")
        bot = script(place, "bot", """
for line in sys.stdin:
    with open("told", "a") as told:
        told.write(line)
    if line.startswith("ask "):
        words = line.split()
        print("do", words[1], words[3], flush=True)
""")
        one = elsewhere.Away(place, "alice", listening.getsockname()[1],
                             bot, *SIT)
        listening.settimeout(60)
        came = listening.accept()[0]
        with came, came.makefile("rb") as said:
            said.readline()
            came.sendall("".join(["referee 1 x\n", f"awaits {game} 3 700\n"] + [
                f"@{game} {line}\n" for line in lines]).encode())
            said.readline()
            tap.equal(said.readline(), f"@{game} do 3 c\n".encode(),
                      "asks that are over: one answer")
            came.sendall(f"@{game} ask 4 10000 d\n".encode())
            tap.equal(said.readline(), f"@{game} do 4 d\n".encode(),
                      "and then as ever")
            came.sendall(b"error again=no enough\nbye\n")
            one.wait()
        told = (place.root / "told").read_text("ascii").split("\n")
        tap.equal([line for line in told if line[:4] in ("ask ", "void")],
                  ["ask 3 700 c", "ask 4 10000 d"], "nor is it told of others")


def tokens():
    with arena.Arena() as place:
        token = place.root / "t"
        token.touch(0o600)
        full = ["--name", "a", "--token-file", token, "--ladder", "l"]
        here = "127.0.0.1:1"
        for content in "", "two words\n", "x" * 129 + "\n", "a\x01\n", \
                "a\0b\n":
            token.write_text(content, "ascii")
            run = tap.referee("connect", here, *full, "--", "sh")
            tap.complains(run, USAGE, f"the first line of '{token}' is not a token: "
                          "expected 1 to 128 bytes without spaces",
                          f"token {content[:12]!r}")
        token.write_text("secret\n", "ascii")
        run = tap.referee("connect", here, *full, "--", "no-such-program")
        tap.complains(run, USAGE, "no-such-program", "no such program")
        run = tap.referee("connect", here, *full, "--tls", "--fingerprint", "12", "--",
                          "sh")
        tap.complains(run, USAGE, "a fingerprint is 64 hex digits", "no fingerprint")
        token.write_text("two words\n", "ascii")
        token.chmod(0o644)
        run = tap.referee("connect", here, *full, "--", "sh")
        tap.ok(f"other users can read the token in '{token}': chmod 600 it"
               in run.err, "a token that others can read", run)


def cuts():
    """Tests connections that break again and again, with one process a game."""
    with arena.Arena() as place, elsewhere.Daemon(place, MAIN) as serve:
        bot = ["sh", "-c", f"tee read.$$ | {shlex.quote(arena.RANDOM_C)}"]
        for name in "alice", "bob":
            serve.token_file(name)
        proxy = elsewhere.Proxy(serve.port("bots"), CUTS, tap.dice("cuts"))
        alice = elsewhere.Away(place, "alice", proxy.own, bot, *SIT, jobs=3)
        bob = elsewhere.Away(place, "bob", serve.port("bots"), KITS["c"], *SIT,
                             jobs=3)
        arena.wait_for(lambda: proxy.done >= CUTS
                       or alice.process.poll() is not None)
        tap.ok(proxy.done >= CUTS, f"cut {proxy.done} times", alice)
        alice.wait_for_games(len(alice.games()) + 3)
        tap.equal(alice.leave(), 0, "and it leaves as it should")
        tap.equal(bob.leave(), 0, "and so does the other")
        proxy.close()
        tap.ok("trying again" in alice.said(), "it says that it is back", alice)
        records = serve.games("main")
        spotless(records, "cuts")
        ids = {record.header("id") for record in records}
        for one in alice, bob:
            tap.ok(set(one.games()) == ids and len(one.games()) == len(ids),
                   f"{one.name} has read the end of every game, once",
                   (sorted(one.games()), sorted(ids)))
        told = [[" ".join(line.split()[:2]) for line in
                 path.read_text("ascii").split("\n")]
                for path in place.root.glob("read.*")]
        tap.equal(len(told), len(ids), "each game has had one process")
        wrong = [lines for lines in told
                 if lines[0] != "referee 1" or lines[-2:] != ["bye", ""]
                 or [line for line in lines if line.startswith("ask ")] !=
                 [f"ask {1 + ask}" for ask in range(
                     sum(line.startswith("ask ") for line in lines))]]
        tap.equal(wrong, [], "which has been asked everything once")

        def left():
            return [line for line in place.processes().values()
                    if " serve --config " not in line
                    and " ladder fit " not in line]  # the daemon's, after a game
        arena.wait_for(lambda: not left())
        tap.equal(left(), [], "nothing is left behind")


def restarts():
    """Tests that all bots come back when the daemon has died and started again."""
    with arena.Arena() as place, elsewhere.Daemon(place, MAIN) as serve:
        for name in "alice", "bob":
            serve.token_file(name)
        proxies = [elsewhere.Proxy(serve.port("bots"), 0, None)
                   for _ in range(2)]
        away = [elsewhere.Away(place, name, proxy.own, KITS["c"], *SIT)
                for name, proxy in zip(("alice", "bob"), proxies)]
        for number in signal.SIGKILL, signal.SIGTERM:
            for one in away:
                one.wait_for_games(len(one.games()) + 1)
            # The proxies lead to a port at which nothing listens; another
            # program may use the old one.
            for proxy in proxies:
                proxy.port = 1
            serve.stop(number)
            serve.start()
            for proxy in proxies:
                proxy.port = serve.port("bots")
            for one in away:
                more = one.wait_for_games(len(one.games()) + 2)
                tap.ok(more and one.process.poll() is None,
                       f"the daemon ends by {number.name} and comes back: "
                       f"{one.name} plays on", one)
        for one in away:
            tap.equal(one.leave(), 0, f"{one.name} leaves")
        for proxy in proxies:
            proxy.close()


def bots_of(place):
    return {pid: line for pid, line in place.processes().items()
            if "stays.py" in line and " connect " not in line}


def killed():
    """Tests kill -9 and two signals."""
    with arena.Arena() as place, elsewhere.Daemon(place, MAIN) as serve:
        stays = script(place, "stays.py", "for line in sys.stdin: pass\n")
        for name in "alice", "bob":
            serve.token_file(name)
        bob = elsewhere.Away(place, "bob", serve.port("bots"), KITS["c"], *SIT,
                             jobs=2)
        for what in "kill -9", "two signals":
            alice = elsewhere.Away(place, "alice", serve.port("bots"), stays,
                                   *SIT, jobs=2)
            arena.wait_for(lambda: bots_of(place))
            tap.ok(bots_of(place), f"{what}: a bot plays", alice)
            if what == "kill -9":
                alice.process.kill()
            else:
                alice.process.send_signal(signal.SIGTERM)
                arena.wait_for(lambda: "second" in alice.said())
                tap.ok(alice.process.poll() is None and bots_of(place),
                       "one signal: its game may end", alice)
                alice.process.send_signal(signal.SIGTERM)
                tap.equal(alice.wait(), -signal.SIGTERM,
                          "the second ends it at once")
            alice.wait()
            arena.wait_for(lambda: not bots_of(place), arena.GONE_S)
            tap.ok(not bots_of(place), f"{what}: no bot is left",
                   bots_of(place))
        bob.process.kill()
        bob.wait()


def died_in_a_row():
    """Tests deaths in a row at a referee that waits for each of them: the bot
    is lost only in a game in which it was asked once more."""
    with arena.Arena() as place, \
            socket.create_server(("127.0.0.1", 0)) as listening:
        (place.root / "alice.token").write_text("secret\n", "ascii")
        alice = elsewhere.Away(place, "alice", listening.getsockname()[1],
                               ["sh", "-c", "read greeting; echo alas >&2; exit 3"],
                               "--no-stderr", *SIT)
        listening.settimeout(60)
        with listening.accept()[0] as came:
            came.settimeout(60)
            heard = came.makefile("rb")
            heard.readline()
            came.sendall(b"referee 1 alice\n")
            tap.equal(heard.readline(), b"sit main\n", "it sits down")
            for turn, again in enumerate((1, 1, 0, 1, 1, 1), 1):
                game = f"{turn:032}"
                came.sendall(f"@{game} game {game} toepen seat 0 of 2\n"
                             f"@{game} ask 1 40 play a b\n".encode())
                arena.wait_for(lambda: alice.said().count(
                    "ended with status 3") == turn)
                tap.ok("in a row" not in alice.said(), f"dead: {turn}", alice)
                came.sendall((f"@{game} ask 2 40 play a b\n" * again +
                              f"@{game} over {game} hash\n").encode())
                tap.equal(heard.readline(), f"@{game} crashed\n".encode(),
                          "and told")
            tap.equal(heard.readline(), b"quit\n", "three in a row: it quits")
            came.sendall(b"bye\n")
        tap.ok(alice.wait() == 1 and "in 3 games in a row" in alice.said(),
               "and says why", alice)
        tap.ok("alas" not in alice.said(), "--no-stderr: nothing of it", alice)


def left_behind():
    """Tests that `connect` does not return to games that wait only 200 ms."""
    with arena.Arena() as place, \
            socket.create_server(("127.0.0.1", 0)) as listening:
        (place.root / "alice.token").write_text("secret\n", "ascii")
        alice = elsewhere.Away(place, "alice", listening.getsockname()[1],
                               KITS["c"], *SIT)
        listening.settimeout(60)
        with listening.accept()[0] as came:
            came.settimeout(60)
            heard = came.makefile("rb")
            heard.readline()
            game = f"{1:032}"
            came.sendall(b"referee 1 alice ping=1 colour=red grace=200\n"
                         + f"@{game} game {game} toepen seat 0 of 2\n"
                         .encode())
            tap.equal(heard.readline(), b"sit main\n", "it sits down")
            alice.process.send_signal(signal.SIGTERM)
            tap.equal(heard.readline(), b"quit\n", "asked to go, it quits")
            heard.close()
        listening.close()
        arena.wait_for(lambda: alice.process.poll() is not None)
        tap.ok(alice.process.poll() == 1 and
               "games are left behind: 1" in alice.said(),
               "its game is lost by then, it leaves", alice)


WORDS = {"x" * 2000: "protocol", "@x": "protocol", "do 1 nonsense": "illegal"}


def bad_lines():
    """Tests that bad lines are the same faults as in a match."""
    with arena.Arena() as place, elsewhere.Daemon(place, MAIN) as serve:
        port = serve.port("bots")
        serve.token_file("bob")
        bob = elsewhere.Away(place, "bob", port, KITS["c"], *SIT, jobs=16)
        away = {}
        for turn, line in enumerate(WORDS):
            serve.token_file(f"a{turn}")
            away[line] = elsewhere.Away(
                place, f"a{turn}", port, script(place, f"bad-{turn}.py", f"""
for line in sys.stdin:
    if line.startswith("ask 1 "):
        print("{line}", flush=True)
    elif line.startswith("ask "):
        print("do", line.split()[1], line.split()[3], flush=True)
"""), *SIT)
        for one in away.values():
            one.wait_for_games(1)
        for one in away.values():
            one.leave()
        bob.leave()
        for line, fault in WORDS.items():
            found = {why for record in serve.games("main")
                     for name, faults in zip(record.bots(), record.faults())
                     for why in faults if name == away[line].name}
            tap.equal(found, {fault}, f"{line[:20]!r} is the fault that it is "
                      "at home")
            tap.ok(f"fault 1, {fault}, at ask 1; it said last: "
                   in away[line].said(), "and told as it happens", away[line])
        tap.ok("illegal, at ask 1; it said last: do 1 nonsense\n"
               in away["do 1 nonsense"].said(), "with the line")


# A bot whose first answer is a fault; once the other one reads of that, it
# waits.
STAYS = """
for line in sys.stdin:
    print(line, end='', file=sys.stderr, flush=True)
    if line.startswith("ask "):
        print("do 1 nonsense", flush=True)
"""
OTHER = """
for line in sys.stdin:
    while line.startswith("fault ") and not os.path.exists("go"):
        select.select([], [], [], 0.02)  # luck: between two looks
    if line.startswith("ask "):
        print("do", line.split()[1], line.split()[3], flush=True)
"""


def retired():
    one = elsewhere.ladder("one", PATIENT, "faults = 1")
    with arena.Arena() as place, elsewhere.Daemon(place, one) as serve:
        for name in "alice", "bob":
            serve.token_file(name)
        away = [elsewhere.Away(place, name, serve.port("bots"), bot,
                               "--ladder", "one")
                for name, bot in (
                    ("alice", script(place, "stays.py", STAYS)),
                    ("bob", script(place, "other.py", "import select" + OTHER)))]
        away[0].wait_for_games(1, "retired")
        arena.wait_for(lambda: not bots_of(place), arena.GONE_S)
        tap.ok(len(away[0].games("retired")) == 1 and not bots_of(place)
               and not away[0].games(),
               "retired: the game is over for its process",
               (away[0].games("retired"), away[0].games(), bots_of(place),
                away[0]))

        def read():
            return [line.partition(": ")[2]
                    for line in away[0].said().split("\n")]
        # The last lines may come after the end of the program.
        arena.wait_for(lambda: read()[-2:] == ["bye", ""])
        words = read()
        away[0].process.send_signal(signal.SIGTERM)  # with this game
        (place.root / "go").touch()
        tap.ok("retired after 1 fault; the referee makes the bot's moves from "
               "here on" in away[0].said(), "and it says why", away[0])
        tap.equal(away[0].wait(), 0, "asked to go it leaves with its game")
        tap.equal(away[0].games(), away[0].games("retired"),
                  "but how it ended is told")
        tap.ok("referee 1 " in words[1] and words[-3:] == ["retired", "bye", ""],
               "its bot has read what it reads at home", words)
        tap.equal(away[1].leave(), 0, "the other leaves")


def together(tests):
    """Runs the tests at the same time, because most of them mostly wait."""
    lock, ok = threading.Lock(), tap.ok

    def one_at_a_time(*told):
        with lock:
            return ok(*told)
    tap.ok = one_at_a_time
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        for done in [pool.submit(test) for test in tests]:
            done.result()


together([test for test in (refused, told_to_come_again,
                            asks_that_are_over, retired, restarts, cuts,
                            kits, dice, died_in_a_row, left_behind, killed,
                            bad_lines,
                            distrust, tokens)
          if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]])
tap.done()
