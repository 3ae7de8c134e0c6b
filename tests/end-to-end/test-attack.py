#!/usr/bin/env python3
"""End-to-end because sockets, TLS and memory are the machine's: hostile strangers and bots
while honest bots play.  No other game is lost or stands still, memory is bounded, and
nothing is left behind.  test-door, test-link, test-stream, test-remote-bot and
test-http-crowd have more kinds, each against the part that it meets.

The daemon has the default limits.  All attacks go on at the same time until the others
have played some games.  The test prints how long their turns take before the attack and
during it, for measurements.  CHECK_ALL=1 has full numbers and more games, and runs each
attack alone before; arguments name the attacks to run."""

import collections
import errno
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading

import arena
import daemon
import tap

LONG = bool(os.environ.get("CHECK_ALL"))
GAMES = 60 if LONG else 4  # games during an attack
PAIRS = 3  # pairs of honest bots
THINK_MS = 5
NICE = 19  # real attackers take no processor from the daemon
MEMORY_KB = 64 << 10  # bound of the growth during an attack
SANITIZED = 4  # factor with sanitizers
CROWD = 5000 if LONG else 500  # connections from one address
LOAD = tap.BUILD_DIR / "tests" / "bench" / "load-bots"
NOBODY = 65534
ATTACKER = tap.BUILD_DIR / "tests" / "hostile" / "attacker"
LADDERS = """
ladder "main" { game = toepen seats = 2 at-once = 8 pairing = random
	move-time = 60000 options = { "points=5" } }
ladder "pit" { game = toepen seats = 2 at-once = 64 pairing = random
	same-bot-twice = yes move-time = 20 faults = 100 }
limits { stop-time = 1000 }
"""
SAFE = daemon.SAFE if shutil.which("openssl") else ""  # openssl makes certificates
LISTENERS = daemon.BOTS + SAFE + daemon.PAGES + \
    'listener "near" { kind = unix path = "near" }\n'
# A sanitizer keeps freed memory, which would count as memory in use.
QUARANTINE = "quarantine_size_mb=1:thread_local_quarantine_size_kb=64"


# ---- what the honest ones see ---------------------------------------------

class Honest:
    """Bots that take THINK_MS for each answer, and their turn times."""

    def __init__(self, serve):
        names = [f"honest{i}" for i in range(2 * PAIRS)]
        path = serve.root / "honest"
        path.write_text("".join(f"{name} {serve.token(name)}\n"
                                for name in names), "ascii")
        self.said = open(serve.root / "honest-stderr", "w+b")
        self.process = subprocess.Popen(
            [LOAD, str(serve.port("bots")), path, "0", "main",
             str(len(names)), str(THINK_MS)], text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said)

    def figures(self):
        """Returns (median, 99th percentile, games) since the last call."""
        self.process.stdin.write("\n")
        line = self.process.stdout.readline()
        words = line.split()
        lost, games = int(words[3]), int(words[5])
        found = re.search(r"median (\d+) p99 (\d+)", line)
        if lost:
            raise RuntimeError(f"honest bots are lost: {line}")
        return (int(found[1]), int(found[2]), games) if found else None

    def play_on(self, games, meanwhile=lambda: None):
        """Waits for at least this many games, a minute at most; returns their
        figures."""
        found = [(0, 0, 0)]

        def look():
            meanwhile()
            more = self.figures()
            if more:
                found.append((*more[:2], found[-1][2] + more[2]))
            return found[-1][2] >= games
        arena.wait_for(look)
        return found[-1]

    def leave(self):
        self.process.stdin.close()
        code = self.process.wait(tap.TIMEOUT_S)
        self.said.seek(0)
        return code, self.said.read().decode("latin-1")


class Newcomer:
    """Connects again and again, like bots that have lost their connection, and
    changes its address, because connections from one address are limited.
    Counts how often it tried and how often it was let in."""

    def __init__(self, siege):
        self.siege, self.going, self.tries = siege, True, []
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while self.going:
            self.tries.append(self.comes_in())

    def comes_in(self):
        try:
            address = f"127.79.0.{len(self.tries) % 250 + 1}"
            with stranger(self.siege.bots, address) as link:
                link.sendall(self.siege.hello("newcomer"))
                with link.makefile("rb") as file:
                    return file.readline().startswith(b"referee ")
        except OSError:
            return False

    def stop(self):
        self.going = False
        self.thread.join(tap.TIMEOUT_S)
        return sum(self.tries), len(self.tries)


# ---- attacks --------------------------------------------------------------

Counts = collections.namedtuple("Counts", "connections bytes")


class Mob:
    """A running `attacker`; the arguments are words of its command line."""

    numbers = iter(range(0x4d0001, 0x4e0000, 10))  # addresses: 127.77.0.1

    def __init__(self, siege, target, *words, first=(), again=None):
        files = [word for data in first for word in
                 ("--first", siege.file(data))]
        if again is not None:
            files += ["--again", siege.file(again)]
        self.process = subprocess.Popen(
            [str(word) for word in
             ("nice", "-n", NICE, ATTACKER, "--from", next(self.numbers),
              *words, *files, target)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)

    def wait_until_it_runs(self):
        """Waits until the mob has a connection, or has said what it had to say."""
        folder = f"/proc/{self.process.pid}/fd"

        def runs():
            try:
                return self.process.poll() is not None or any(
                    os.readlink(f"{folder}/{fd}").startswith("socket:")
                    for fd in os.listdir(folder))
            except OSError:
                return False
        arena.wait_for(runs)

    def tell_to_stop(self):
        try:  # at its low priority it would take long
            os.setpriority(os.PRIO_PROCESS, self.process.pid, 0)
        except OSError:
            pass  # only root may raise the priority again
        self.process.terminate()

    def stop(self):
        self.tell_to_stop()
        words = self.process.communicate(timeout=tap.TIMEOUT_S)[0].split()
        return Counts(*map(int, words[:2] or (0, 0)))


class Thread:
    """Calls `one(siege, turn)` over and over, and counts the bytes that it
    sent."""

    def __init__(self, siege, one):
        self.siege, self.one = siege, one
        self.going, self.turns, self.bytes = True, 0, 0
        self.failure = None
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        while self.going:
            try:
                self.bytes += self.one(self.siege, self.turns)
            except OSError:  # refused or disconnected
                pass
            except Exception as failure:  # stop() reports it
                self.failure = failure
                return
            self.turns += 1

    def wait_until_it_runs(self):
        arena.wait_for(lambda: self.turns > 0 or self.failure)

    def tell_to_stop(self):
        self.going = False

    def stop(self):
        self.tell_to_stop()
        self.thread.join(tap.TIMEOUT_S)
        if self.failure:
            raise self.failure
        return Counts(self.turns, self.bytes)


class Siege:
    def __init__(self, serve):
        self.serve, self.files = serve, 0
        self.bots, self.safe, self.pages = map(
            serve.port, ("bots", "safe", "pages"))
        self.near = serve.root / "near"
        self.control = serve.data / "control"
        self.tokens = {name: serve.token(name) for name in
                       ("flood", "deaf", "thief", "newcomer")}
        self.context = ssl.create_default_context()
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE
        self.targets = [self.bots, self.near, self.control, self.pages]
        self.targets += [self.safe] if self.safe else []

    def file(self, data):
        self.files += 1
        path = self.serve.root / f"attack-{self.files}"
        path.write_bytes(data)
        return path

    def hello(self, name, more=""):
        return f"bot 1 {name} token={self.tokens[name]}{more}\n".encode()

    def game(self, turn):
        """Returns the ID of a running game of others, as spectators see it."""
        page = self.serve.get("/api/1/ladders/main/running",
                              source="127.0.0.77")
        found = re.findall(r"\b[0-9a-f]{32}\b", page.text)
        return tap.dice(f"game {turn}").choice(found) if found else "0" * 32


def client_bytes(context):
    """Returns the first flight of a TLS client."""
    into, out = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(into, out)
    try:
        tls.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return out.read()


def garbage(siege):
    dice = tap.dice("garbage")
    kinds = [dice.randbytes(3000), bytes(5000), b"\n" * 5000,
             b" " * 999 + b"\n",
             b"GET / HTTP/1.0\r\n\r\n", b"\x16\x03\x01\x40\x00" + b"x" * 9000,
             client_bytes(siege.context), b"\x80" + dice.randbytes(200),
             b"bot 1 a multi=yes games=999999999999999999999\n",
             b"bot 1 " + b"a" * 900 + b"\n",
             b"bot 1 x" + b" a=b" * 200 + b"\n",
             b"EHLO there\r\n", b"SSH-2.0-x\r\n", b"\xff\xf4\xff\xfd\x06",
             b"GET /api/1/ladders HTTP/1.1\r\nHost: x\r\n\r\n" * 50,
             b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n",
             b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n",
             b"\tlist\t" * 500 + b"\n"]
    return [Mob(siege, target, "--open", 8, "--addresses", 2000, "--life", 200,
                first=kinds) for target in siege.targets]


def silent(siege):
    return [Mob(siege, target, "--open", 40, "--addresses", 4)
            for target in siege.targets]


def tls_hellos(siege):
    """Begins TLS handshakes, each of which costs a signature."""
    return [Mob(siege, siege.safe, "--open", 32, "--addresses", 4, "--life",
                20, first=[client_bytes(siege.context)])]


def key_exchanges(siege):
    """Tests that a handshake is refused if the client wants a key exchange that
    costs the daemon much time."""
    for group, refused in (("X25519", False), ("P-256", False), ("ffdhe2048", True),
                           ("ffdhe8192", True)):
        done = tap.run(["openssl", "s_client", "-groups", group, "-connect",
                        f"127.0.0.1:{siege.safe}"])
        tap.equal(done.code != 0, refused,
                  f"TLS with {group} {'is refused' if refused else 'is possible'}")


def crowd(siege):
    """Attacks from an address from which an honest bot also plays."""
    return [Mob(siege, target, "--open", CROWD, "--from", 0x000101)
            for target in siege.targets if target != siege.control]


def no_lf_before(siege):
    """Sends up to a gigabyte without a line feed."""
    return [Mob(siege, siege.bots, "--open", 4, again=b"x" * 65536)]


def wrong_tokens(siege):
    return [Mob(siege, siege.bots, "--open", 64, "--addresses", 9000,
                "--life", 20, first=[
                    b"bot 1 honest0 token=0############\n",
                    b"bot 1 nobody######## token=x\n"])]


def flood(siege):
    """Sends useless lines faster than they are read."""
    return [Mob(siege, siege.bots, first=[siege.hello("flood")], again=lines)
            for lines in (b"pong 1\n" * 9000, b"do 1 pass\n" * 6000)]


def deaf(siege):
    """Sits down for many games and reads nothing."""
    return [Mob(siege, siege.bots, "--deaf",
                first=[siege.hello("deaf", " multi=yes games=64")],
                again=b"sit pit\nrest\nsit pit\n" + b"quit\n" * 3)]


def thief(siege, turn):
    """Tries to resume the games of others."""
    more = f" multi=yes games=8 resume={siege.game(turn)}:{turn % 3}"
    with stranger(siege.bots) as link:
        said = siege.hello("thief", more)
        link.sendall(said)
        with link.makefile("rb") as file:
            lines = [file.readline(), file.readline()]
    if lines[0].startswith(b"referee ") and lines[1][:5] != b"gone ":
        raise RuntimeError(f"a game of others was told: {lines}")
    return len(said)


def stranger(port, address="127.78.0.1"):
    link = socket.socket()
    link.settimeout(60)
    link.bind((address, 0))
    link.connect(("127.0.0.1", port))
    return link


def threads(one):
    return lambda siege: [Thread(siege, one)]


ATTACKS = [
    ("garbage", garbage),
    ("silent connections", silent),
    (f"{CROWD} from one address", crowd),
    ("no LF before hello", no_lf_before),
    ("wrong tokens", wrong_tokens),
    ("a flood of lines", flood),
    ("never reads", deaf),
    ("others' games", threads(thief)),
]
SAFE_ATTACKS = [("TLS hellos", tls_hellos)]


# ---- what is measured -----------------------------------------------------

class Row:
    def __init__(self, name):
        self.name = name
        self.before = self.during = (0, 0, 0)
        self.memory = self.peak = 0
        self.counts = Counts(0, 0)
        self.let_in = (0, 0)

    def __str__(self):
        return (f"{self.name}: {self.counts.connections} connections, "
                f"{self.counts.bytes} bytes; turns take {self.before[0]} us, at most "
                f"{self.before[1]} before it and {self.during[0]}, at most "
                f"{self.during[1]} during it; {self.memory} KiB before, "
                f"{self.peak} KiB at most; {self.during[2]} games; "
                f"{self.let_in[0]} of {self.let_in[1]} newcomers let in")


def measure(siege, honest, name, attacks):
    """Runs each attack until the others have played enough games during it and
    a newcomer was let in."""
    serve, row = siege.serve, Row(name)
    row.memory = serve.memory_kb()
    row.before = honest.play_on(1)
    going = [one for attack in attacks for one in attack(siege)]
    for one in going:
        one.wait_until_it_runs()
    honest.figures()
    newcomer = Newcomer(siege)

    def look():
        row.peak = max(row.peak, serve.memory_kb())
        return sum(newcomer.tries) > 0 or serve.process.poll() is not None
    try:
        look()
        row.during = honest.play_on(GAMES, look)
        arena.wait_for(look)
    finally:
        for one in going:
            one.tell_to_stop()
        row.let_in = newcomer.stop()
        counts = [one.stop() for one in going]
    row.counts = Counts(*map(sum, zip(*counts)))
    return row


def attack(siege, honest, name, attacks):
    row = measure(siege, honest, name, attacks)
    tap.note(row)
    tap.ok(row.during[2] >= GAMES, f"{name}: others play on", row)
    bound_kb = MEMORY_KB * (SANITIZED if siege.sanitized else 1)
    tap.ok(row.peak <= siege.quiet_kb + bound_kb,
           f"{name}: memory grows by {bound_kb >> 10} MiB at most", row)
    tap.ok(row.let_in[0] > 0, f"{name}: who comes late is let in", row)


def keep_out(siege):
    """Tests the attacks that need another user on this machine."""
    if os.geteuid() != 0:
        tap.ok(True, "another user gets in nowhere # SKIP not as root")
        return
    siege.serve.root.chmod(0o755)
    if (child := os.fork()) == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        os._exit(sum(socket.socket(socket.AF_UNIX).connect_ex(str(path))
                     != errno.EACCES for path in (siege.near, siege.control)))
    tap.equal(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0,
              "another user gets in nowhere")


def play(serve):
    serve.start()
    siege = Siege(serve)
    siege.sanitized = "Sanitizer" in pathlib.Path(
        tap.REFEREE).read_bytes().decode("latin-1")
    honest = Honest(serve)
    honest.play_on(2 * PAIRS)
    hidden = serve.hides_descriptors()
    siege.quiet_kb = serve.memory_kb()
    before = None if hidden else serve.sockets()
    all_attacks = ATTACKS + (SAFE_ATTACKS if siege.safe else [])
    tap.skip("attacks on TLS", None if siege.safe else
             "no openssl to make a certificate")
    if siege.safe:
        key_exchanges(siege)
    if len(sys.argv) > 1:
        all_attacks = [row for row in all_attacks if row[0] in sys.argv[1:]]
    for name, one in all_attacks if LONG or len(sys.argv) > 1 else ():
        attack(siege, honest, name, [one])
    attack(siege, honest, "all at once", [one for _, one in all_attacks])
    gone = "when they are gone, so are their descriptors"
    if not tap.skip(gone, hidden):
        tap.ok(arena.wait_for(lambda: serve.sockets() <= before), gone,
               (before, serve.sockets()))
    tap.ok(serve.process.poll() is None, "the daemon is alive")
    keep_out(siege)
    records = serve.games("main")
    code, said = honest.leave()
    tap.ok(code == 0 and said.count("\n") == 1, "no honest bot was thrown out",
           said)
    tap.equal(serve.stop(), 0, "it ends well") or tap.note(serve.text())
    wrong = [record.path.name for record in records
             if any(record.faults()) or record.aborted()]
    tap.ok(records and not wrong,
           f"{len(records)} games of honest bots, without a fault", wrong)


os.environ["ASAN_OPTIONS"] = ":".join(
    filter(None, (os.environ.get("ASAN_OPTIONS"), QUARANTINE)))
with daemon.Daemon(LISTENERS + LADDERS, tls=True) as home:
    play(home)
tap.done()
