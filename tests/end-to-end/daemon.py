"""Runs a daemon in a folder of its own, with its configuration, log, ports,
tokens, connections, pages and bots.

    with daemon.Daemon(ladders, limits) as serve:
        token = serve.token("alice")
        serve.start()
        alice = serve.guest("alice", token)
        alice.say("sit toepen")
        ...
        serve.play("bob", "toepen")         # a bot in a thread
        serve.get("/metrics").text
        serve.stop()                        # its exit code

Its listeners are `bots` (TCP), `safe` (TLS; with tls=True, if there is a
program that makes certificates) and `pages` (HTTP), at free ports.
"""

import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import arena
import keys
import machine
import records
import tap

LIMITS = {"connections": 1000, "connections-per-address": 1000,
          "unauthenticated": 1000, "lines-per-second": 5000,
          "return-time": 2000, "stop-time": 1000,
          "keep-alive": 3600000}  # a bot that a test does not read answers no ping
BOTS = 'listener "bots" { kind = tcp port = 0 }\n'
SAFE = ('listener "safe" { kind = tls port = 0 certificate = "cert.pem" '
        'key = "key.pem" }\n')
PAGES = 'listener "pages" { kind = http port = 0 }\n'
LISTENERS = BOTS + PAGES
# Addresses for wrong tokens: each wrong token of one address is answered twice as late
# as the one before.
STRANGERS = map("127.0.0.{}".format, itertools.count(2))
# The names under which programs and libevent read the clock that never jumps,
# for wrong_date().
STEADY = "CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_COARSE"


def make_certificate(folder, days=2):
    """Makes cert.pem and key.pem for this machine; returns true if they exist
    now."""
    if shutil.which("openssl") is None:
        return False
    return tap.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", str(days),
                    "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=IP:127.0.0.1,DNS:localhost",
                    "-keyout", folder / "key.pem",
                    "-out", folder / "cert.pem"]).code == 0


def preloaded(folder, name, source, environ=os.environ):
    """Builds this C source as a library in this folder; returns an environment
    that preloads it, or None if there is no compiler."""
    path, library = folder / f"{name}.c", folder / f"{name}.so"
    path.write_text(source, "ascii")
    compiler = os.environ.get("CC", "cc").split()[0]
    if shutil.which(compiler) is None or tap.run(
            [compiler, "-shared", "-fPIC", "-o", library, path]).code != 0:
        return None
    options = os.environ.get("ASAN_OPTIONS", "")
    return dict(environ, LD_PRELOAD=str(library),
                ASAN_OPTIONS=f"{options}:verify_asan_link_order=0")


def wrong_date(root, clock="CLOCK_REALTIME", environ=os.environ, workers=False):
    """Returns an environment in which the date, or another clock, is wrong by
    the seconds in the file `wrong` of this folder; or None.  Workers, which play
    the games of a match, inherit little of an environment: they have this clock
    only with `workers`."""
    source = WRONG_DATE.replace("id == CLOCK_REALTIME", f"id == {clock}")
    return preloaded(root, "wrong", source + (FOR_WORKERS if workers else ""),
                     dict(environ, WRONG_DATE=str(root / "wrong")))


def slow_clock(place):
    """Makes the clock of the programs that this arena starts ten times slower, where
    there is a compiler: then each of their limits is ten times longer, and no slow
    machine makes a decent bot late."""
    place.environ = preloaded(place.root, "slow", SLOW_CLOCK + FOR_WORKERS,
                              place.environ) or place.environ


def slow_time(root):
    """Returns an environment in which the clock is ten times slower, or None."""
    return preloaded(root, "slow", SLOW_CLOCK)


def slow_workers(root, environ=os.environ):
    """Returns an environment in which the clock is ten times slower for the workers
    that a program starts, and right for the program itself, which renews its claims by
    it; or None.  With WRONG_DATE the date is wrong for all, as in wrong_date()."""
    return preloaded(root, "slow", SLOW_CLOCK + FOR_WORKERS,
                     dict(environ, SLOW_WORKERS="yes"))


def at_noon(root):
    """Returns an environment in which it is noon UTC now, so that no day begins while a
    test counts what was done in one; or None.  It is the next noon: programs that the
    daemon starts have the true date, and what they write must not be of its future."""
    environ = wrong_date(root)
    if environ:
        now = int(time.time())  # luck: this only decides how wrong the date is
        (root / "wrong").write_text(str((43200 - now) % 86400), "ascii")
    return environ


_kept_ports = []


def free_port():
    """Returns a port for one listener.  It stays bound while this program runs, so that
    no connection and no other program gets it by chance; the listener may share it."""
    keeper = socket.socket()
    keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    keeper.bind(("127.0.0.1", 0))
    _kept_ports.append(keeper)
    return keeper.getsockname()[1]


def request(data, *words):
    """Returns what the daemon of this folder answers at its control socket."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(data / "control"))
        line.sendall("\t".join(words).encode() + b"\n")
        with line.makefile("rb") as file:
            code, _, rest = file.read().decode().partition("\n")
    if code != "0":
        raise RuntimeError(f"{words}: {code}")
    return rest.strip()


# ---- who comes -------------------------------------------------------------

class RemoteBot:
    """A connection of a bot, which reads and writes lines."""

    def __init__(self, port, hello, source="127.0.0.1"):
        self.socket = socket.create_connection(("127.0.0.1", port),
                                               arena.PATIENCE_S, (source, 0))
        self.file = self.socket.makefile("rb")
        self.told = None  # how its last game ended
        self.asks = 0  # asks that it has answered
        self.say(hello)

    def say(self, line):
        self.socket.sendall(line.encode() + b"\n")

    def hear(self):
        """Returns the next line, or None at the end."""
        line = self.file.readline()
        return line[:-1].decode() if line.endswith(b"\n") else None

    def hear_until(self, verb):
        """Reads up to a line with one of these verbs and returns it, or None; a
        leading `@ID ` is skipped."""
        while (line := self.hear()) is not None:
            words = line.split(" ")
            if words[words[0][:1] == "@"] == verb:
                return line
        return None

    def play(self):
        """Answers with the first token until a game is over; returns that line."""
        while (line := self.hear()) is not None:
            words = line.split(" ")
            if words[0] == "ask":
                self.asks += 1
                self.say(f"do {words[1]} {words[3]}")
            elif words[0] == "ping":
                self.say(f"pong {line[5:]}")
            elif words[0] in ("over", "abort"):
                self.told = line
                return line
        return None

    def play_on(self):
        """Plays game after game until the connection ends."""
        try:
            self.socket.settimeout(None)
            while self.play() is not None:
                pass
        except OSError:
            pass  # the daemon was killed
        self.close()

    def rest(self):
        """Returns all lines that still come."""
        lines = []
        while (line := self.hear()) is not None:
            lines.append(line)
        return lines

    def close(self):
        self.file.close()
        self.socket.close()


class Answer:
    """A page: code, headers by their lower-case names, text."""

    def __init__(self, raw):
        head, _, body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        words = lines[0].split(" ", 2)
        self.code = int(words[1]) if len(words) > 1 else 0
        self.headers = {key.lower(): value for key, _, value in
                        (line.partition(": ") for line in lines[1:])}
        self.text = body.decode("latin-1")

    def json(self):
        return json.loads(self.text)


# ---- a clock that is wrong -------------------------------------------------

# Has the workers that it starts use the library, too.
FOR_WORKERS = """
#include <dlfcn.h>
#include <spawn.h>
#include <string.h>
extern char **environ;
int posix_spawn(pid_t *pid, const char *path,
	const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *how,
	char *const argv[], char *const envp[])
{
	static int (*next)(pid_t *, const char *,
		const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
		char *const[], char *const[]);
	char *all[64], **at;
	unsigned n = 0;
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "posix_spawn");
	while (envp[n] && n < 60) {
		all[n] = envp[n];
		n++;
	}
	for (at = environ; *at; at++)
		if (!strncmp(*at, "LD_PRELOAD=", 11) ||
		    !strncmp(*at, "WRONG_DATE=", 11))
			all[n++] = *at;
	all[n] = 0;
	return next(pid, path, actions, how, argv, all);
}
"""
# Moves the date by as many seconds as the file says, if it is there.  It must
# not allocate, as dlsym() does, because the address sanitizer reads the clock within
# free().
WRONG_DATE = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static time_t wrong(void)
{
	const char *file = getenv("WRONG_DATE");
	char text[32] = "";
	int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
	if (fd >= 0 && read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	if (fd >= 0)
		close(fd);
	return strtoll(text, 0, 10);
}
int clock_gettime(clockid_t id, struct timespec *ts)
{
	int result = syscall(SYS_clock_gettime, id, ts);
	if (id == CLOCK_REALTIME)
		ts->tv_sec += wrong();
	return result;
}
time_t time(time_t *to)
{
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	if (to)
		*to = ts.tv_sec;
	return ts.tv_sec;
}
int gettimeofday(struct timeval *to, void *zone)
{
	struct timespec ts;
	(void)zone;
	clock_gettime(CLOCK_REALTIME, &ts);
	to->tv_sec = ts.tv_sec;
	to->tv_usec = ts.tv_nsec / 1000;
	return 0;
}
"""

# No worker inherits SLOW_WORKERS.
SLOW_CLOCK = WRONG_DATE.replace("""
	return result;
""", """
	if (!getenv("SLOW_WORKERS") &&
	    (id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_COARSE)) {
		long long ns = (ts->tv_sec * 1000000000LL + ts->tv_nsec) / 10;
		ts->tv_sec = ns / 1000000000;
		ts->tv_nsec = ns % 1000000000;
	}
	return result;
""")


# ---- the daemon ------------------------------------------------------------

class Daemon:
    """`ladders` is the text of each ladder's section by its name; the daemon
    then has generous LIMITS, but for those in `limits`.  Or it is the text of a
    configuration without a data folder and, unless a test wants others, without
    listeners.  A given `root` is not removed at the end."""

    def __init__(self, ladders, limits=(), root=None, tls=False):
        self.own = root is None
        self.root = pathlib.Path(
            root or tempfile.mkdtemp(prefix="referee-test-"))
        tap.working_in(self.root)
        self.data = self.root / "referee-data"  # where its commands look by default
        self.file = self.root / "referee.conf"
        self.process, self.lives, self.environ = None, 0, None
        self.before = []  # words in front of the daemon's command line
        self.beside, self.players = [], []
        self.processes = arena.Processes(self.root.name.encode())
        self.tls = tls and make_certificate(self.root)
        self.configure(ladders, limits)

    def configure(self, ladders, limits=()):
        text = ladders
        if not isinstance(text, str):
            text = "limits {\n" + "".join(
                f"\t{key} = {value}\n"
                for key, value in dict(LIMITS, **dict(limits)).items()) + "}\n"
            text += "".join(f'ladder "{name}" {{ {what} }}\n'
                            for name, what in ladders.items())
        if not re.search(r"^limits ", text, re.M):
            # At the end of a test no game is played to its end.
            text += (f"\nlimits {{ stop-time = {LIMITS['stop-time']} "
                     f"keep-alive = {LIMITS['keep-alive']} }}\n")
        if "listener " not in text:
            text += "\n" + BOTS + (SAFE if self.tls else "") + PAGES
        self.file.write_text(f'data = "{self.data}"\n{text}\n', "ascii")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [self.process, *self.beside]:
            if process is not None:
                process.kill()
                process.wait()
        for _, thread in self.players:
            thread.join(tap.TIMEOUT_S)
        for log in self.root.glob("log-*"):
            # splitlines() also splits within the bytes of a character.
            for line in log.read_text("latin-1").split("\n"):
                if line and (bad := keys.wrong_event(line)):
                    tap.ok(False, "the log is as the manual says", bad)
        if self.data.is_mount():  # a Disk
            tap.run(["umount", self.data])
        if self.own:
            tap.leave(self.root)

    def token(self, name):
        """Returns a token for the bot, which replaces an older one."""
        made = tap.referee("bots", "token", name, "--data", self.data)
        if "--replace" in made.err:
            made = tap.referee("bots", "token", name, "--replace", "--data",
                               self.data)
        if made.code != 0:
            raise RuntimeError(f"no token: {made}")
        return made.out.strip()

    def token_file(self, name):
        path = self.root / f"{name}.token"
        path.touch(0o600)
        path.write_text(self.token(name) + "\n", "ascii")
        return path

    # ---- the process

    def launch(self):
        """Starts the daemon and does not wait until it listens."""
        self.lives += 1
        with open(self.log_file(), "wb") as log:
            self.process = subprocess.Popen(
                [*self.before, tap.REFEREE, "serve", "--config", str(self.file)],
                cwd=self.root, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env=self.environ)

    def start(self):
        listeners = self.file.read_text("ascii").count("listener ")
        self.launch()
        self.wait_for_log("listening", listeners)
        if len(self.log("listening")) < listeners:
            raise RuntimeError("no daemon: " + self.text())
        return self

    def start_beside(self, command, **options):
        """Starts another process, which ends with this object."""
        process = subprocess.Popen(list(map(str, command)), cwd=self.root,
                                   stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, **options)
        self.beside.append(process)
        return process

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process = None

    def term(self):
        self.process.send_signal(signal.SIGTERM)

    def wait(self, seconds=arena.PATIENCE_S):
        """Returns its exit code."""
        code = self.process.wait(seconds)
        self.process = None
        return code

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.wait(tap.TIMEOUT_S)

    def reload(self, ladders=None, limits=()):
        """Sends SIGHUP; returns true if the daemon took the configuration."""
        if ladders is not None:
            self.configure(ladders, limits)
        events = ("configuration-read", "configuration-refused")
        before = [len(self.log(event)) for event in events]
        self.process.send_signal(signal.SIGHUP)
        arena.wait_for(lambda: [len(self.log(event)) for event in events]
                       != before)
        return len(self.log(events[0])) > before[0]

    # ---- its log

    def log_file(self):
        return self.root / f"log-{self.lives}"

    def text(self):
        return self.log_file().read_text("latin-1")

    def log(self, event=None):
        """Returns the lines of one kind that it has logged since its start."""
        return [line for line in self.text().splitlines()
                if event is None or f" event={event}" in line + " "]

    def says(self, part):
        return part in self.text()

    def wait_for_log(self, event, count=1, seconds=arena.PATIENCE_S):
        return arena.wait_for(lambda: len(self.log(event)) >= count
                              or self.process.poll() is not None, seconds)

    def port(self, listener):
        """Returns the port of a listener; None if it does not listen."""
        lines = self.log(f"listening listener={listener} ")
        return int(re.search(r" port=(\d+)", lines[-1])[1]) if lines else None

    # ---- who plays there

    def guest(self, name, token, more="", source="127.0.0.1"):
        return RemoteBot(self.port("bots"), f"bot 1 {name} token={token}{more}",
                         source)

    def play(self, name, *ladders, token=None):
        """Starts a thread that answers with the first token until the
        connection ends."""
        guest = self.guest(name, token or self.token(name))
        guest.seat = f"sit {' '.join(ladders)}"
        guest.say(guest.seat)
        thread = threading.Thread(target=guest.play_on)
        thread.start()
        self.players.append((guest, thread))

    def rest(self):
        """Such bots begin no other game, until play_again(): games that a test does
        not need take the processor from what it looks at."""
        for guest, _ in self.players:
            guest.say("rest")

    def stand_still(self, *ladders):
        """Waits until no game of these ladders runs or is being written; no bot may
        begin another one."""
        return arena.wait_for(lambda: all(
            self.metric(f'{name}{{ladder="{ladder}"}}') == 0
            for name in ("referee_games_running", "referee_writer_queue",
                         "referee_games_unrated") for ladder in ladders))

    def play_again(self):
        for guest, _ in self.players:
            guest.say(guest.seat)

    @property
    def asks(self):
        """Returns how many asks such bots have answered."""
        return sum(guest.asks for guest, _ in self.players)

    # ---- its pages

    def raw(self, text, port=None, source="127.0.0.1"):
        """Sends these bytes; returns those that come back."""
        with socket.create_connection(
                ("127.0.0.1", port or self.port("pages")), arena.PATIENCE_S,
                (source, 0)) as http:
            parts = []
            try:
                http.sendall(text)
                http.shutdown(socket.SHUT_WR)  # else it would stay open
                while part := http.recv(65536):
                    parts.append(part)
            except ConnectionError:
                pass
            return b"".join(parts)

    def get(self, path, method="GET", headers="", source="127.0.0.1"):
        return Answer(self.raw(
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n"
            .encode("latin-1"), source=source))

    def metric(self, name):
        """Returns the value of a metric, or None; `name` has its labels."""
        for line in self.get("/metrics").text.splitlines():
            key, _, value = line.rpartition(" ")
            if key == name:
                return float(value)
        return None

    # ---- what the kernel knows of it

    def hides_descriptors(self):
        """Returns why its descriptors cannot be counted here, or None.  The
        daemon does not let other processes, even those of its user, look into
        its memory and /proc."""
        try:
            os.listdir(f"/proc/{self.process.pid}/fd")
        except PermissionError:
            return "only root may count the daemon's descriptors"
        return None

    def sockets(self):
        """Returns how many connections and listeners it has, without files,
        which come and go as games end."""
        count = 0
        folder = f"/proc/{self.process.pid}/fd"
        for name in os.listdir(folder):
            try:
                count += os.readlink(f"{folder}/{name}").startswith("socket:")
            except FileNotFoundError:
                pass
        return count

    def memory_kb(self):
        """Returns the memory of the daemon alone; files that it has mapped do not
        count."""
        text = pathlib.Path(
            f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(re.search(r"^RssAnon:\s+(\d+)", text, re.M).group(1))

    # ---- what it has left

    def ladder(self, what, name, *arguments):
        return tap.referee("ladder", what, "--ladder",
                           self.data / "ladders" / name / "ladder.db",
                           *arguments)

    def records(self, name, pattern="*.rec"):
        return records.find(self.data / "ladders" / name / "records", pattern)

    def games(self, name):
        """Returns the records of that ladder."""
        return [arena.Record(path) for path in self.records(name)]


# ---- a disk of its own ----------------------------------------------------

def may_mount():
    """Returns true if this process may mount, in a mount namespace of its own, which
    goes when the process ends."""
    if os.environ.get("REFEREE_TEST_MOUNTS"):
        return True
    if machine.may_mount():
        os.environ["REFEREE_TEST_MOUNTS"] = "1"
        tap.again_by("unshare", "-m")
    return False


class Disk:
    """Holds the daemon's data on a disk of this size; None: on ours."""

    def __init__(self, serve, size):
        self.ballast = serve.data / "ballast"
        serve.data.mkdir()
        serve.data.chmod(0o700)
        self.is_own = may_mount() and tap.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700",
             "none", serve.data]).code == 0

    def fill(self):
        with open(self.ballast, "wb", buffering=0) as file:
            block = bytes(1 << 16)
            try:
                while file.write(block) > 0:
                    pass
            except OSError:
                pass
