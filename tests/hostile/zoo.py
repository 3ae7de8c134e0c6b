"""Describes the hostile bots of sample-bots/hostile for the tests here: the
faults of each, what it may get in its box, and what it gets without one.

    for bot in zoo.BOTS: ...
    with zoo.Ground(user) as ground:    # things to be attacked, and witnesses
        ground.command(bot)             # a command line
        ground.witnesses(start)         # what was touched that should not be
"""

import contextlib
import ctypes
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import arena  # noqa: E402
import tap  # noqa: E402

FOLDER = tap.SOURCE_DIR / "sample-bots" / "hostile"
BUILT = tap.BUILD_DIR / "sample-bots" / "hostile"
HONEST = tap.BUILD_DIR / "tests" / "hostile" / "honest-bot"
NOBODY = 65534
CRASH, PROTOCOL, TIMEOUT = "crash", "protocol", "timeout"
# A bot that takes much may be killed for it, or be late.
HEAVY = (None, CRASH, TIMEOUT)
OWN_BOX = "of its own box"
COMMON = ("/", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/run")
LIBC = ctypes.CDLL(None)
QUEUE, KEY = b"/hostile-leave-ipc", 0x405711e  # names that leave-ipc uses
GONE_S = 60  # the kernel may need a moment to end a killed process


def limit(name):
    """Returns a default limit of a box."""
    text = (tap.SOURCE_DIR / "protocol" / "limits.h").read_text("ascii")
    return int(re.search(rf"^#define {name} (\d+)", text, re.MULTILINE)[1])


MEMORY = limit("BOX_MEMORY_MIB")
PROCESSES = limit("BOX_PROCESSES")
FILES = limit("BOX_DESCRIPTORS")
TMP = limit("BOX_TMP_MIB")


class Bot:
    """`args` are those of its command line ({name}: of the ground).

    fault: what it is charged with in the record; a tuple: one of them (None:
        nothing at all).
    may: what it may get in a box after all, and why that is no harm; may_b:
        the same, only in tier B.
    most: how much of something it may get in a box.
    bites: what it gets without a sandbox, as expressions.
    root: bites only as root.
    ponders: it thinks while others are asked.
    talks: all it does is in the conversation, where no sandbox has a part.
    """

    def __init__(self, name, *args, fault=None, may=None, may_b=None,
                 most=None, bites=(), root=False, ponders=False,
                 talks=False):
        self.name, self.args = name, args
        self.root, self.ponders, self.talks = root, ponders, talks
        self.may_b = may_b or {}
        self.faults = fault if isinstance(fault, tuple) else (fault,)
        self.may, self.most, self.bites = may or {}, most or {}, bites
        self.file = next(path for path in (
            BUILT / name, FOLDER / f"{name}.sh", FOLDER / f"{name}.py")
            if path.is_file())


BOTS = (
    # These take more than their share.
    Bot("fork-bomb", most={"forks": PROCESSES}, bites=["forks"]),
    Bot("pid-creep", fault=HEAVY, most={"daemons one by one": PROCESSES},
        bites=["daemons one by one"]),
    Bot("thread-bomb", most={"threads": PROCESSES}, bites=["threads"]),
    Bot("memory-one", fault=HEAVY,
        bites=["MiB in one process", "MiB shared with nobody",
               "MiB of growing stacks"],
        most={"MiB .*": MEMORY}),
    Bot("memory-many", fault=HEAVY, bites=["MiB in many processes"],
        most={"MiB in many processes": MEMORY},
        may_b={"MiB in many processes": "more, between two checks of the sum"}),
    Bot("memory-files", fault=HEAVY, bites=["MiB in files without a name",
                               "MiB of System V segments"],
        most={"MiB in files without a name": TMP,
              "MiB of System V segments": 0, "MiB in pipes": FILES // 2,
              "MiB in sockets": FILES // 2}),
    Bot("page-tables", fault=HEAVY, bites=["MiB of page tables"],
        most={"MiB of page tables": MEMORY}),
    Bot("name-bomb", fault=HEAVY, bites=["names in .*"],
        may={"names in .*": "A: counted as memory; B: more, between two "
                            "checks"}),
    Bot("disk-fill", bites=["MiB in /tmp", "MiB in /var/tmp"],
        most={"MiB in .*": TMP}),
    Bot("descriptors", bites=["descriptors under way"],
        most={"descriptors": FILES, "descriptors under way": FILES + 2}),
    Bot("ponder", ponders=True),
    Bot("ponder-aside", ponders=True),
    Bot("raise-limits", bites=["a better priority", "the scheduler fifo",
                               "core files"], root=True,
        may={"more processor time": "turns are bounded by the clock"}),
    Bot("hang-box", bites=["(limits|priority|scheduler|processors|disks) of "
                           "process 1", "priority of its whole group"],
        root=True),
    Bot("starve-others", bites=["(limits|priorities|processors|disks) of "
                                "others"]),
    Bot("cgroup-leave", bites=["leave for .*"], root=True),
    # These look where they must not.
    Bot("shadow", bites=["/etc/shadow"], root=True),
    Bot("ladder", "@{ladder}", "@{records}",
        bites=["read .*", "lock .*", "write .*", "create .*"]),
    Bot("neighbour", "@{other}", bites=["list its folder", "read its files",
                                        "write into its folder"]),
    Bot("neighbour-memory", bites=["memory by .*"]),
    Bot("proc-peek", bites=["(arguments|environment|maps|files) of others"],
        may={"(arguments|maps|files|folders) of others": OWN_BOX}),
    Bot("ptrace", bites=["trace others", "take descriptors of others"]),
    Bot("environment", bites=["variable SECRET", "descriptor 9"]),
    Bot("escape", "@{secret}",
        bites=["its path", "up and down", "its own folder, and up",
               "a symbolic link"]),
    Bot("setuid", bites=["be root", "capabilities", "become nobody",
                         "a setuid program of root's"], root=True),
    Bot("write-self", bites=["write into its own program", "rename itself",
                             "write beside itself"]),
    # These talk to others.
    Bot("net-out", "{port}", bites=["TCP", "UDP"]),
    Bot("net-listen", bites=["listen by TCP", "listen by UDP"]),
    Bot("net-families", bites=["inet stream", "netlink route"]),
    Bot("abstract", "@{abstract}", bites=["call an abstract socket"]),
    Bot("control-socket", "@{control}", bites=["{control}"]),
    Bot("keyring", bites=["a key in the session's ring"]),
    Bot("leave-ipc", bites=["leave a segment", "leave semaphores",
                            "leave a queue", "leave shared memory"],
        may={"leave shared memory": OWN_BOX}),
    Bot("tiocsti", bites=["type into /dev/tty"]),
    # These attack the kernel.
    Bot("io-uring", bites=["io_uring"]),
    Bot("userns", bites=["user namespace by clone", "network namespace .*"]),
    Bot("mount", bites=["mount a tmpfs", "bind the root"], root=True),
    Bot("kernel-doors", bites=["bpf", "reboot", "adjtimex"], root=True),
    Bot("devices", bites=["make a disk", "/proc/sys/kernel/core_pattern"],
        root=True),
    Bot("core-dump", bites=["core files"]),
    # These stay behind or kill.
    Bot("daemon", may={"leave a daemon": "it dies with the box"},
        bites=["leave a daemon"]),
    Bot("close-all", fault=CRASH, may={"close all descriptors": "its own"}),
    Bot("stop-self", fault=TIMEOUT, may={"stop": "its own time"}),
    Bot("signals", bites=["signal others", "signal others by pidfd"],
        may={"signal others": OWN_BOX, "signal others by pidfd": OWN_BOX,
             "signal all at once": OWN_BOX}),
    Bot("kill-parent", fault=(None, CRASH), bites=["kill an ancestor"],
        may={"kill an ancestor": OWN_BOX}),
    Bot("nested-referee", "{referee}", "@{data}",
        bites=["a match inside", "a token from the daemon"],
        may={"a match inside": "on its own share, with bots of its own",
             "a token from the daemon": "of a data folder in its own /tmp"}),
    # These break the conversation; their faults show that they work.
    Bot("flood-stdout", fault=PROTOCOL, talks=True),
    Bot("flood-stderr", talks=True),
    Bot("gigabyte-line", fault=PROTOCOL, talks=True),
    Bot("never-reads", fault=TIMEOUT, talks=True),
    Bot("escape-say", fault=PROTOCOL, talks=True),
    Bot("escape-name", fault=PROTOCOL, talks=True),
    Bot("clock-deadline", fault=TIMEOUT, talks=True),
    Bot("clock-early", fault=PROTOCOL, talks=True),
    Bot("clock-twice", talks=True),
)
WHISPER = Bot("whisper", "speak")
LISTEN = Bot("whisper", "listen",
             may={"bits by the processor": "no wall stops it"})


def check_complete(names):
    """Checks that none of the folder's bots is forgotten here."""
    there = {path.stem for path in FOLDER.glob("*")
             if path.suffix in (".c", ".sh", ".py")}
    tap.equal(set(names) ^ there, set(), "every bot of the zoo is tested")


class Said:
    """A line `tried WHAT: RESULT`."""

    def __init__(self, text):
        self.what, _, self.result = text.removeprefix("tried ").rpartition(
            ": ")
        match = re.match(r"(\d+) of (\d+)", self.result)
        self.count, self.bound = map(int, match.groups()) if match else (
            None, None)

    def __str__(self):
        return f"{self.what}: {self.result}"

    def bit(self):
        """Returns true if it reached its aim, or stopped only by itself."""
        if self.count is not None:
            return self.count == self.bound
        return self.result.startswith("got it")


def remarks(record, seat):
    """Returns the remarks of a seat in the record."""
    text = record.path.read_text("ascii")
    found = re.findall(rf" ; say {seat} (\S+)", text)
    return [re.sub("%(..)", lambda hexa: chr(int(hexa[1], 16)), one)
            for one in found]


def reports(lines):
    return [Said(line) for line in lines if line.startswith("tried ")
            and ": " in line]


def one_port():
    """Returns a socket of TCP and one of UDP at the same port, which others may have
    for one of them, and the port."""
    busy = []
    while True:
        tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        tcp.bind(("127.0.0.1", 0))
        port = tcp.getsockname()[1]
        try:
            udp.bind(("127.0.0.1", port))
        except OSError:
            busy += [tcp, udp]  # open until now: another port comes next
            continue
        for one in busy:
            one.close()
        return tcp, udp, port


class Ground:
    """A folder with all that the bots aim at, and witnesses of what they did:
    sockets that are called, folders that change, names that stay."""

    def __init__(self, user):
        self.user = user
        self.groups_before = set(self.dead_groups())
        self.arena = arena.Arena()
        root = self.root = self.arena.root
        for name in ("bots", "other", "records", "home", "data"):
            (root / name).mkdir()
        (root / "secret").write_text("a secret\n")
        (root / "ladder.db").write_text("a ladder\n")
        shutil.copy(HONEST, root / "other" / "honest")
        self.tcp, self.udp, self.port = one_port()
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind("\0" + root.name)
        self.control = socket.socket(socket.AF_UNIX)
        self.control.bind(str(root / "control"))
        for one in (self.tcp, self.abstract, self.control):
            one.listen(8)
            one.setblocking(False)
        self.udp.setblocking(False)
        self.names = {"ladder": root / "ladder.db", "records":
                      root / "records", "other": root / "other",
                      "data": root / "data",
                      "secret": root / "secret", "port": self.port,
                      "abstract": root.name, "control": root / "control",
                      "referee": tap.REFEREE}
        if user != os.geteuid():
            subprocess.run(["chown", "-R", f"{user}:{user}", root], check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in (self.tcp, self.udp, self.abstract, self.control):
            one.close()
        self.arena.__exit__()

    def open_to_all(self, is_open):
        """Lets users other than the owner look into the folder, or not."""
        self.root.chmod(0o755 if is_open else 0o700)

    def become(self):
        """Returns what turns a command into one of this user."""
        if self.user == os.geteuid():
            return []
        return ["setpriv", f"--reuid={self.user}", f"--regid={self.user}",
                "--clear-groups", "--"]

    def program(self, bot):
        """Makes a copy in a folder of its own, as if it was sent in."""
        folder = self.root / "bots" / bot.name
        path = folder / bot.file.name
        if not path.exists():
            folder.mkdir()
            shutil.copy(bot.file, path)
            path.chmod(0o755)  # sources may be read-only
            shutil.chown(folder, self.user, self.user)
            shutil.chown(path, self.user, self.user)
        return path

    def arguments(self, bot):
        return [str(self.program(bot)),
                *(arg.format(**self.names) for arg in bot.args),
                "--", f"@{self.root.name}"]

    def command(self, bot):
        return shlex.join(self.arguments(bot))

    def calls(self):
        """Returns the users whose sockets were called, though none should have
        been."""
        for name, one in (("TCP", self.tcp), ("an abstract socket",
                                              self.abstract),
                          ("the control socket", self.control)):
            try:
                one.accept()[0].close()
                yield f"{name} was called"
            except BlockingIOError:
                pass
        try:
            self.udp.recv(100)
            yield "UDP was called"
        except BlockingIOError:
            pass

    def changes(self):
        """Returns the files that were left in all known places."""
        for folder in (*COMMON, self.root, self.root / "records",
                       self.root / "other", self.root / "home",
                       *(self.root / "bots").glob("*")):
            for path in pathlib.Path(folder).glob("hostile-*"):
                yield f"the file {path} was left"
            for path in pathlib.Path(folder).glob("core"):
                if path.is_file():
                    yield f"the core {path} was left"
        for path in (self.root / "data").iterdir():
            yield f"{path} was made"

    def objects(self):
        """Returns kernel objects that outlive their process."""
        for kind in ("shm", "sem", "msg"):
            text = pathlib.Path(f"/proc/sysvipc/{kind}").read_text("ascii")
            if re.search(rf"^\s*{KEY}\b", text, re.MULTILINE):
                yield f"a System V {kind} was left"
        if "hostile-keyring" in pathlib.Path("/proc/keys").read_text("ascii"):
            yield "a key was left"
        if LIBC.mq_open(QUEUE, os.O_RDONLY) >= 0:
            yield "a POSIX queue was left"

    def dead_groups(self):
        """Yields this user's control groups of referees that have ended. os.walk()
        skips folders that vanish, such as those of other referees."""
        for folder, names, _ in os.walk("/sys/fs/cgroup"):
            for name in names:
                pid = name.removeprefix("referee-")
                path = pathlib.Path(folder, name)
                if (pid != name and pid.isdigit()
                        and not pathlib.Path("/proc", pid).exists()):
                    with contextlib.suppress(FileNotFoundError):
                        if path.stat().st_uid == self.user:
                            yield path

    def groups(self, start):
        """Yields the control groups of dead referees that stay although start()
        starts others, which remove them.  Other tests kill referees, too, and a
        killed process may take a moment to end."""
        stay = set(self.dead_groups()) - self.groups_before

        def gone():
            if stay:
                start()
            stay.intersection_update(self.dead_groups())
            return not stay

        arena.wait_for(gone)
        for path in sorted(stay):
            yield f"the control group {path} was left"

    def clean_up(self):
        """Removes what a bot has left because a protection was missing."""
        for folder in COMMON:
            for path in pathlib.Path(folder).glob("hostile-*"):
                with contextlib.suppress(OSError):  # another user's
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
        tap.run(["ipcrm", "-M", KEY, "-S", KEY, "-Q", KEY])
        LIBC.mq_unlink(QUEUE)

    def witnesses(self, start):
        """Returns all that is left, as sentences; start() starts a referee."""
        left = self.arena.left_behind(GONE_S)
        return [*self.calls(), *self.changes(), *self.objects(),
                *self.groups(start),
                *(f"process {pid} was left: {line}"
                  for pid, line in left.items())]
