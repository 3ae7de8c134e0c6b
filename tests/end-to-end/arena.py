"""Plays matches for the tests here: seats bots, reads records, and looks for
what is left behind.

    with arena.Arena() as place:            # a folder of its own
        run = place.match("toepen", "--bot", "random", ...)
        for record in place.records():      # by the number of their game
            ...
        place.left_behind()                 # processes that should be gone
"""

import hashlib
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import forms
import records
import tap

GAMES = forms.NAMES
TWO = ("toepen", "daumen-drauf")  # for tests in which the game hardly matters
RANDOM_C = str(tap.BUILD_DIR / "sample-bots" / "c" / "random-bot")
BAD = str(tap.BUILD_DIR / "tests" / "hostile" / "bad-bot")
FIRST = shlex.join(["sh", str(tap.SOURCE_DIR / "sample-bots/shell/first.sh")])
# Arguments of a match whose honest bots are not late, however slow the machine is.
PATIENT = ("--move-time", 3600000)
GONE_S = 60  # for what may take the kernel a moment
# Ends what hangs.  A step may take minutes where many tests run at a time, and more if
# it is niced.
PATIENCE_S = 900


def python_bot(path):
    """Returns a bot's command line; `path` is relative to the tree."""
    return shlex.join([*tap.PYTHON, str(tap.SOURCE_DIR / path)])


def bots(*specs):
    """Returns the arguments for these bots, each a command line or (name,
    command line)."""
    arguments = []
    for spec in specs:
        name, command = spec if isinstance(spec, tuple) else (None, spec)
        arguments += ["--bot", command]
        arguments += ["--name", name] if name else []
    return arguments


def seats(game, wanted):
    """Returns `wanted`, or as many seats as the game can have."""
    return min(wanted, forms.Game(game).seats[1])


def wait_for(what, seconds=PATIENCE_S):
    """Polls until what() is true; its last value.  Many looks start a program, so it
    rests four times as long as the last look took, and longer the longer it has waited:
    from 0.02 to 0.25 s."""
    start = time.monotonic()  # luck: this ends only what hangs
    while True:
        begun = time.monotonic()  # luck: this only decides how long it rests
        value = what()
        now = time.monotonic()  # luck: the same
        if value or now >= start + seconds:
            return value
        rest = max(0.02, 4 * (now - begun), (now - start) / 10)
        time.sleep(min(rest, 0.25))  # luck: between two looks


def until(done, step, what, seconds=PATIENCE_S):
    """Takes steps until done(); without it after so many seconds the program ends
    with a failed test point."""
    end = time.monotonic() + seconds  # luck: this ends only what hangs
    while not done():
        if time.monotonic() > end:  # luck: the same
            tap.ok(False, f"{what}: not within {seconds} s")
            tap.done()
        step()


class Record:
    """Reads the text of a record."""

    def __init__(self, path):
        self.path = records.at(path)
        head, _, body = self.path.read_text("ascii").partition("\n\n")
        self.head = [line.split(" ") for line in head.split("\n")]
        lines = [line.split(" ;")[0] for line in body.splitlines()]
        self.body = [line for line in lines if line]

    def header(self, key):
        return next((words[1] for words in self.head if words[0] == key),
                    None)

    def bots(self):
        return [words[2] for words in self.head if words[0] == "bot"]

    def faults(self):
        """Returns the list of each seat's faults."""
        faults = [[] for _ in self.bots()]
        for words in map(str.split, self.body):
            if words[0] == "fault":
                faults[int(words[1])].append(words[2])
        return faults

    def forfeits(self):
        return [int(line.split(" ")[1]) for line in self.body
                if line.startswith("forfeit ")]

    def aborted(self):
        return any(line.split(" ")[0] == "aborted" for line in self.body) or \
            any(words[0] == "aborted" for words in self.head)

    def points(self):
        return [int(line.split(" ")[3]) for line in self.body
                if line.startswith("result ")]

    def places(self):
        """Returns the places as a ladder counts them: retired seats come last,
        the earlier the lower; this does not tell apart two seats that retire in
        one decision."""
        keys = [int(line.split(" ")[2]) for line in self.body
                if line.startswith("result ")]
        order = self.forfeits()
        for turn, seat in enumerate(order):
            keys[seat] = 100 + len(order) - turn
        return [1 + sum(other < key for other in keys) for key in keys]

    def played(self):
        """Returns the body without the lines about faults."""
        return [line for line in self.body
                if line.split(" ")[0] not in ("fault", "forfeit")]


def digest(records):
    """Returns a hash of the bodies in the given order."""
    sum_ = hashlib.sha256()
    for record in records:
        sum_.update("".join(line + "\n" for line in record.body).encode())
    return sum_.hexdigest()


def _read(path):
    try:
        return path.read_bytes()
    except OSError:  # it has ended by now, or is not ours
        return b""


class Processes:
    """Finds the processes that run for a folder: the folder's name is in their
    command line, their environment or their working directory.  An ordinary
    user sees only the command line of the referee's own processes, and a
    process in a box has none of the three: such processes are found by their
    parents, and remembered when the parents have ended."""

    def __init__(self, mark):
        self.mark, self.known = mark, set()

    def _marked(self, folder, line):
        if self.mark in line or self.mark in _read(folder / "environ"):
            return True
        try:
            return self.mark in os.fsencode(os.readlink(folder / "cwd"))
        except OSError:
            return False

    def __call__(self):
        """Returns {pid: command line}."""
        found, others = {}, {}
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            line = _read(folder / "cmdline")
            if line:
                (found if self._marked(folder, line) else others)[
                    int(folder.name)] = line
        self._add_children(found, others)
        found.pop(os.getpid(), None)
        return {pid: line.replace(b"\0", b" ").decode("latin-1")
                for pid, line in found.items()}

    def _add_children(self, found, others):
        left = {pid: status(pid) for pid in others}
        while new := [pid for pid, (parent, begun) in left.items()
                      if parent in found or (pid, begun) in self.known]:
            found.update((pid, others[pid]) for pid in new)
            for pid in new:
                del left[pid]
        self.known = {(pid, status(pid)[1]) for pid in found}


def _stat(pid):
    return _read(pathlib.Path(f"/proc/{pid}/stat")).rpartition(b")")[2].split()


def status(pid):
    """Returns the parent and the start time of a process; (None, None) if it is
    gone."""
    words = _stat(pid)
    return (int(words[1]), int(words[19])) if words else (None, None)


def waits(pid):
    """Returns true if the first thread of a process waits for something."""
    return _stat(pid)[:1] == [b"S"]


def kill(pid):
    """Kills a process; returns true if it existed."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


class Arena:
    """A folder of its own; the processes that are started for it are found by
    its name."""

    def __init__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="referee-test-"))
        tap.working_in(self.root)
        self.processes = Processes(self.root.name.encode())
        self.folder = self.root / "records"
        (self.root / "tmp").mkdir()
        self.environ = dict(os.environ, TMPDIR=str(self.root / "tmp"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        tap.leave(self.root)

    def command(self, game, *arguments):
        # Bots with sanitizers, or with an interpreter in a home folder, do not
        # run in a sandbox, which has tests of its own.
        if "--sandbox" not in arguments:
            arguments = ("--sandbox", "off", *arguments)
        return [tap.REFEREE, "match", game, "--records", str(self.folder),
                *map(str, arguments)]

    def match(self, game, *arguments, **options):
        options.setdefault("cwd", self.root)
        return tap.run(self.command(game, *arguments), env=self.environ,
                       **options)

    def start(self, game, *arguments, **options):
        """Starts the command and does not wait for it."""
        return self.popen(self.command(game, *arguments)[1:], **options)

    def popen(self, arguments, **options):
        """Starts any command of the referee and does not wait for it."""
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([tap.REFEREE, *map(str, arguments)],
                                cwd=self.root, env=self.environ, **options)

    def records(self, folder=None):
        def number(record):
            match = re.match(r"(\d{8,})-[0-9a-f]{32}\.rec$", record.path.name)
            return int(match.group(1)) if match else sys.maxsize
        return sorted(map(Record, records.find(folder or self.folder)),
                      key=number)

    def left_behind(self, seconds=0):
        """Waits at most this many seconds for the processes to end; returns
        those that are left."""
        wait_for(lambda: not self.processes(), seconds)
        return self.processes()
