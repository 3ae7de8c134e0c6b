#!/usr/bin/env python3
"""End-to-end because the kernel is what holds a bot: what a program finds in its sandbox,
as root and as an ordinary user.

The program is tests/sandbox/peek; tests/sandbox/run-boxed starts it.  Without a
sandbox the test prints the reason and tests nothing.  tests/hostile/test-zoo.py has
what hostile bots try in theirs."""

import ctypes
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

import arena
import machine
import tap

BUILT = tap.BUILD_DIR / "tests" / "sandbox"
MEMORY_MIB = 64
LONG_MS = 60000  # longer than any run takes
WAITS = 12  # of the spawner, among which it has looked at all programs


class Place:
    """A folder that anybody can read, with the three programs, a file and a
    folder of the host."""

    def __init__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="referee-test-"))
        self.root.chmod(0o755)
        for source in (BUILT / "peek", BUILT / "run-boxed",
                       tap.BUILD_DIR / "referee" / "referee-box"):
            shutil.copy(source, self.root)
        self.bot = self.root / "bot"
        self.bot.mkdir()
        shutil.copy(BUILT / "peek", self.bot)
        (self.bot / "data").write_text("mine\n")
        (self.bot / "records").mkdir()
        (self.bot / "records" / "secret").write_text("not for bots\n")
        (self.root / "other").mkdir()
        (self.root / "other" / "secret").write_text("not for bots\n")
        for path in [self.bot, *self.bot.rglob("*"), self.root / "other"]:
            path.chmod(0o755)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)


class Quota:
    """A control group of half a processor, as a container may have.  Processes join it
    by its folder, which is None where control groups are not of version 1."""

    def __init__(self):
        base = pathlib.Path("/sys/fs/cgroup/cpu")
        self.folder = None
        if os.access(base / "cgroup.procs", os.W_OK):
            self.folder = pathlib.Path(tempfile.mkdtemp(prefix="half-", dir=base))
            (self.folder / "cpu.cfs_quota_us").write_text("50000")

    def __enter__(self):
        return self.folder

    def __exit__(self, *_):
        if self.folder:
            arena.wait_for(lambda: not is_held(self.folder))
            self.folder.rmdir()


class Boxed:
    """One run: its lines and how it ended."""

    def __init__(self, place, user, *arguments, until=None, **options):
        """If there is until(), standard input ends when that has returned."""
        options.setdefault("stdin", subprocess.PIPE if until else subprocess.DEVNULL)
        # The test must see leaked descriptors: 9 is one, and 3 is for the end.
        told = tempfile.TemporaryFile()
        extra = os.open(place.root / "other" / "secret", os.O_RDONLY)

        def descriptors():
            os.dup2(extra, 9)
            os.dup2(told.fileno(), 3)
            os.set_inheritable(3, True)
            os.set_inheritable(9, True)
        with subprocess.Popen(
                [*user, str(place.root / "run-boxed"), *map(str, arguments)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                preexec_fn=descriptors, close_fds=False, cwd=place.bot,
                env=dict(os.environ, SECRET="of the referee"), **options) as process:
            try:
                if until:
                    until(process)
                out, err = process.communicate(timeout=300)
            except BaseException:
                process.kill()
                raise
        os.close(extra)
        told.seek(0)
        self.end = told.read().decode().split()
        told.close()
        self.lines = out.decode("latin-1").splitlines()
        self.err = err.decode("latin-1")

    def words(self, word):
        """Returns the words that follow `word` in its lines."""
        return [line[len(word) + 1:] for line in self.lines
                if line.split(" ")[0] == word]

    def word(self, word):
        return (self.words(word) or [None])[0]

    def limit(self, name):
        found = [line.split()[1] for line in self.words("limit")
                 if line.split()[0] == name]
        return int(found[0]) if found else None

    def __repr__(self):
        return "\n".join([*self.lines, self.err, f"end {self.end}"])


def look(who, place, user, tier):
    run = Boxed(place, user, "--folder", place.bot, "./peek", place.root,
                place.root / "other/secret", "/bot/data")
    tap.equal(run.word("fds"), "0 1 2", f"{who}: three descriptors")
    tap.ok("9" not in run.words("open"), f"{who}: and no other", run)
    tap.equal(sorted(run.words("env")), sorted([
        "PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
        "HOME=/tmp", "LANG=C.UTF-8", "USER=bot", "TMPDIR=/tmp", "PWD=/bot"]),
        f"{who}: a clean environment")
    tap.equal(run.words("write"), ["/tmp"], f"{who}: only /tmp is writable")
    # An ordinary user keeps its groups; only root may drop them.
    groups = str(0 if os.getuid() == 0 else len(os.getgroups()))
    hidden = [path for path in run.words("see") if path not in (
        "/", "/etc", "/dev", "/usr", "/bin", "/proc", "/tmp", "/bot",
        "/proc/sys", "/proc/1/mem", "/bot/data")]
    tap.equal(hidden, [], f"{who}: nothing of the machine's people is seen")
    tap.ok("/bot/data" in run.words("see"), f"{who}: its own folder is", run)
    tap.equal(run.words("open"), [], f"{who}: the first process is closed")
    tap.equal(run.word("processes"), "2", f"{who}: no other process")
    tap.equal((run.word("uid"), run.word("gid"), run.word("groups"),
               run.word("users"), run.word("host"), run.word("here")),
              ("1000", "1000", groups, "3", "box", "/bot"),
              f"{who}: users and names of its own")
    tap.equal(run.words("socket"), [], f"{who}: no socket of any family")
    tap.ok("pair" in run.lines, f"{who}: but pairs", run)
    tap.equal(run.words("may"), [], f"{who}: no call that is refused")
    tap.equal(run.word("own"), "0 0 0 0 0", f"{who}: but for itself")
    tap.equal([run.limit(name) for name in (
        "core", "processes", "file", "descriptors", "data", "stack",
        "queues", "signals")],
        [1, 65, 16 << 20, 256, 512 << 20, 8 << 20, 0, 1024], f"{who}: limits")
    tap.ok(int(run.word("nice")) >= 5, f"{who}: behind the referee", run)
    tap.equal(run.end[:2], ["end", "0"], f"{who}: it ends well")
    tap.ok(tier in "AB", f"{who}: tier {tier}")


def walls_hold(place, user):
    """Looks around in tier C; returns the run, or None, since sanitizers need
    more memory before the exec than the limits leave."""
    run = Boxed(place, user, "--tier", "C", "--see", place.bot, "./peek")
    return run if run.end[:2] == ["end", "0"] else None


def both_seen(process):
    """Waits until both programs have all of their memory, and then until the spawner,
    which is the child of run-boxed, has looked at them."""
    for _ in range(2):
        process.stdout.readline()

    def waits():
        """Returns how often the spawner has begun to wait."""
        return sum(int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", (
            folder / "status").read_text("latin-1"))[1])
            for folder in pathlib.Path("/proc").glob("[0-9]*")
            if arena.status(int(folder.name))[0] == process.pid)
    before = waits()
    arena.wait_for(lambda: waits() >= before + WAITS)


def walls(who, place, user):
    """Tests tier C: Landlock, limits and the filter, with the machine in view."""
    run = walls_hold(place, user)
    if not run:
        tap.ok(True, f"{who}: tier C # SKIP not here, or not with sanitizers")
        return
    tap.equal((run.word("fds"), run.words("write"), run.words("socket"),
               run.words("may"), run.words("open")), ("0 1 2", [], [], [], []),
              f"{who}: tier C: nothing is written, no socket, no call")
    tap.equal(run.word("own"), "0 0 0 0 0", f"{who}: tier C: but for itself")
    tap.equal((run.limit("core"), run.limit("data"), run.limit("file")),
              (1, 512 << 20, 16 << 20), f"{who}: tier C: limits")
    run = Boxed(place, user, "--tier", "C", "--see", place.bot, "sh", "-c",
                f"cat data /etc/passwd {place.root}/other/secret; "
                "ls /home /root /etc; "
                f"cat /proc/{os.getpid()}/environ; kill -0 {os.getpid()} && "
                f"echo signalled; cat {place.bot}/../other/secret; exit 5")
    tap.equal((run.lines, run.end[:2]), (["mine"], ["end", "1280"]),
              f"{who}: tier C: what is to be seen, and no more")
    for how, mib, until, end in (("hold 24", 48, both_seen, "0"),
                                 (f"tables 40 {LONG_MS}", 80, None, "9")):
        run = Boxed(place, user, "--tier", "C", "--memory", MEMORY_MIB, "--see",
                    place.bot, "sh", "-c",
                    f"exec 4<&0; ./peek {how} <&4 & ./peek {how}; wait", until=until)
        tap.ok(run.end[:2] == ["end", end] and
               ("over" in run.end) == (end == "9") and
               int(run.end[3]) > (mib << 10 if end == "0" else
                                  MEMORY_MIB // 2 << 10),
               f"{who}: tier C: twice {mib // 2} MiB of {MEMORY_MIB}: {how}",
               run)
    own = place.root / "own"
    own.mkdir(exist_ok=True)
    (own / "file").write_text("as it was")
    (own / "file").chmod(0o600)
    os.utime(own / "file", (1, 1))
    if user:
        for path in own, own / "file":
            shutil.chown(path, 65534, 65534)
    Boxed(place, user, "--tier", "C", "--see", place.bot, "sh", "-c",
          f"chmod 777 {own}/file; chown 65534:65534 {own}/file; "
          f"touch -d @9 {own}/file; chmod 777 {own}; "
          f"truncate -s 2 {own}/file; rm {own}/file")
    now = (own / "file").stat()
    # luck: it has set this time itself
    tap.equal((now.st_mode & 0o777, now.st_mtime, now.st_size, now.st_uid,
               own.stat().st_mode & 0o777),
              (0o600, 1, 9, own.stat().st_uid, 0o755),
              f"{who}: tier C: others' files keep owner, mode and times")
    run = Boxed(place, user, "--tier", "C", "--folder", place.bot, "sh", "-c",
                "cat data; echo x >data; pwd")
    tap.equal(run.lines, ["mine", str(place.bot)], f"{who}: tier C: a folder")
    if user or os.getuid() != 0:
        return
    # Only root can read this file, and root has no other right here.
    (place.bot / "data").chmod(0o600)
    place.root.chmod(0o700)
    run = Boxed(place, user, "--tier", "C", "--folder", place.bot, "sh", "-c",
                "cat data; grep -E '^(Uid|Cap)' /proc/self/status; "
                f"cat {place.root}/other/secret /etc/shadow")
    words = {line.split()[0]: set(line.split()[1:]) for line in run.lines}
    tap.ok(run.lines[:1] == ["mine"] and "not for bots" not in run.lines
           and min(map(int, words["Uid:"])) >= 60000,
           f"{who}: tier C, closed folder: a user of its own", run)
    tap.equal({int(cap, 16) for cap in words["CapPrm:"] | words["CapEff:"] |
               words["CapInh:"] | words["CapAmb:"]}, {1 << 2},
              f"{who}: tier C, closed folder: one right, to read")
    (place.bot / "data").chmod(0o755)
    place.root.chmod(0o755)


def private_ground(place):
    """Tests root without boxes in a folder that is closed to the bot's user."""
    shut = place.root / "shut"
    shut.mkdir(mode=0o700)
    bot = tap.SOURCE_DIR / "sample-bots" / "shell" / "first.sh"
    done = tap.run([*machine.BOXLESS, tap.REFEREE, "match", "toepen", "--games",
                    2, "--bot", f"sh {bot}", "--bot", "random", *arena.PATIENT], cwd=shut)
    tap.ok(done.code == 0 and "tier C" in done.err,
           "tier C: a bot starts where its user may not look", done)


def reaches(who, place, user, tier):
    """Tests the limits, priorities and processors of other processes, where
    they are in view."""
    if tier == "C" and not walls_hold(place, user):
        tap.ok(True, f"{who}: tier C: reach # SKIP not here, or not with "
               "sanitizers")
        return
    with subprocess.Popen([*user, "sleep", "1000"]) as other:
        run = Boxed(place, user, "--tier", tier, "--see", place.bot,
                    f"{place.bot}/peek", "reach", other.pid)
        other.kill()
    tap.equal((run.words("may"), run.word("own")), ([], "0 0 0 0 0"),
              f"{who}: tier {tier}: it reaches itself, and nobody else")


# Each program starts two threads, and gives one of them a priority.
THREADS = {
    "node": ("threads.js", """\
const { Worker, isMainThread } = require("worker_threads"), os = require("os");
if (isMainThread) {
  for (let i = 0; i < 2; i++) new Worker(__filename);
} else {
  os.setPriority(19);
  os.setPriority(process.pid, 19);
  console.log("worked");
}
"""),
    "java": ("Threads.java", """\
class Threads {
  static void work() { System.out.println("worked"); }
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 2; i++) {
      Thread one = new Thread(Threads::work);
      one.setPriority(i == 0 ? Thread.MIN_PRIORITY : Thread.MAX_PRIORITY);
      one.start();
      one.join();
    }
  }
}
"""),
}


def threads(who, place, user):
    for runtime, (name, text) in THREADS.items():
        if not shutil.which(runtime, path="/usr/local/bin:/usr/bin:/bin"):
            tap.ok(True, f"{who}: threads # SKIP no {runtime} here")
            continue
        (place.bot / name).write_text(text)
        run = Boxed(place, user, "--folder", place.bot, runtime, name)
        tap.equal((run.lines, run.end[:2]), (["worked"] * 2, ["end", "0"]),
                  f"{who}: threads of {runtime}")


def closed(who, place):
    """Tests that root's bots in folders and files that only root can read run
    all the same, but not as root."""
    records, secret = place.bot / "records", place.bot / "records" / "secret"
    peek = place.bot / "peek"
    for path in place.root, place.bot, peek:
        path.chmod(0o700)
    before = pathlib.Path("/proc/self/mountinfo").read_text("ascii")
    tell = ["sh", "-c", "cat /proc/self/uid_map; cat data; ls records; "
            "./peek | grep ^write; echo x >data; kill -0 1"]
    for shown in (["--see", place.bot, "--hide", records],
                  ["--folder", place.bot]):
        run = Boxed(place, [], *shown, *tell)
        inside, outside, count = (run.lines or ["0 0 0"])[0].split()
        tap.ok((inside, count) == ("1000", "1") and int(outside) >= 60000,
               f"{who}, closed folder: a user of its own", run)
        tap.equal(run.lines[1:], ["mine", *(["secret"] * (
            "--hide" not in shown)), "write /tmp"],
            f"{who}, closed folder: it sees what is its own, to be read")
    tap.equal((pathlib.Path("/proc/self/mountinfo").read_text("ascii"),
               secret.read_text("ascii"),
               (place.bot / "data").read_text("ascii")),
              (before, "not for bots\n", "mine\n"),
              f"{who}, closed folder: nothing of it is seen outside")
    for path in place.root, place.bot, peek:
        path.chmod(0o755)


def closed_for_good(who, place):
    """In many containers root may not mount."""
    place.bot.chmod(0o700)
    run = Boxed(place, ["setpriv", "--bounding-set", "-sys_admin"],
                "--tier", "B", "--folder", place.bot, "true")
    tap.ok(run.end[:2] == ["failed", "sandbox"] and
           "chmod o+rX" in run.err and len(run.err.splitlines()) == 1,
           f"{who}, closed folder: refused in a sentence with its cure where "
           "there is no way", run)
    place.bot.chmod(0o755)


def words(who, place):
    """Tests that words of a folder's command are not looked up elsewhere, which
    would show in the bot's view of its own folder."""
    secret = place.root / "elsewhere"
    answers = []
    for make in lambda: None, lambda: secret.touch(0o600):
        make()
        answers.append(Boxed(place, [], "--folder", place.bot, "stat", "-c",
                             "%u %g", "/bot", secret).lines)
    secret.unlink()
    tap.ok(answers[0] == answers[1] and answers[0],
           f"{who}: a word does not tell whether there is such a file",
           answers)


def pipes(who, place, user):
    """Tests a named pipe in a folder that two bots see, by which they could
    talk."""
    pipe = place.bot / "wire"
    if not pipe.exists():
        os.mkfifo(pipe)
        pipe.chmod(0o666)
    run = Boxed(place, user, "--folder", place.bot, "sh", "-c",
                "(exec 3<>wire) && echo talks; "
                f"{'' if user else 'echo x >/dev/stdout; '}echo y >/tmp/z && cat /tmp/z; "
                "echo z >/dev/null && exit 4")
    if "talks" in run.lines and not landlock():
        tap.ok(True, f"{who}: pipes # SKIP no Landlock")
        return
    tap.equal((run.lines, run.end[1]), (["y"] if user else ["x", "y"], "1024"),
              f"{who}: nobody writes into a pipe in a folder that is seen")


def landlock():
    return ctypes.CDLL(None).syscall(444, None, 0, 1) > 0


def ends(who, place, user):
    """Tests that the end of a program is reported as it was."""
    run = Boxed(place, user, "sh", "-c", "exit 139")
    tap.equal(run.end[:2], ["end", str(139 << 8)], f"{who}: exit 139 is told")
    run = Boxed(place, user, "sh", "-c", f"kill -{int(signal.SIGSEGV)} $$")
    tap.equal(run.end[:2], ["end", str(int(signal.SIGSEGV))],
              f"{who}: so is a signal")
    run = Boxed(place, user, "--kill", "sh", "-c", "sleep 1000 & sleep 1000")
    tap.equal(run.end[:2], ["end", str(int(signal.SIGKILL))],
              f"{who}: and a kill")
    run = Boxed(place, user, "--folder", place.bot, "./nothing")
    tap.equal(run.end, "failed exec No such file or directory".split(),
              f"{who}: so is a program that is not there")
    run = Boxed(place, user, "sh", "-c", "i=0; while [ $i -lt 60000 ]; do "
                "i=$((i + 1)); done")
    tap.ok(run.end[0] == "end" and 5000 < int(run.end[2]) < 60e6
           and 300 < int(run.end[3]) < 100000,
           f"{who}: time and memory are told", run)


def elf(*segments, machine=None, start=b""):
    """Returns a program for this machine that does nothing; `segments` are
    (type, offset, bytes) of its headers and their contents."""
    head = bytearray(pathlib.Path("/proc/self/exe").read_bytes()[:64])
    head[16:18] = (2).to_bytes(2, sys.byteorder)  # ET_EXEC
    if machine:
        head[18:20] = machine.to_bytes(2, sys.byteorder)
    head[32:40] = (64).to_bytes(8, sys.byteorder)
    head[54:58] = struct.pack("=HH", 56, len(segments))
    return bytes(head) + b"".join(
        struct.pack("=IIQQQQQQ", kind, 5, offset, 0x400000, 0x400000, size,
                    size, 4096) for kind, offset, size in segments
    ) + start + bytes(600)


LOAD, INTERPRETER = 1, 3
BEHIND = 64 + 2 * 56  # two headers
NONE = {  # what becomes of an exec of it
    "beyond": (elf((INTERPRETER, 1 << 20, 20), (LOAD, 0, 512)), "Input"),
    "missing": (elf((INTERPRETER, BEHIND, 8), (LOAD, 0, 512),
                    start=b"/no/such"[:7] + b"\0"), "No such"),
    "folder": (elf((INTERPRETER, BEHIND, 5), (LOAD, 0, 512),
                   start=b"/usr\0"), "Permission|Is a directory"),
    "long": (elf((INTERPRETER, BEHIND, 5000), (LOAD, 0, 512)), "Exec"),
    "other": (elf((LOAD, 0, 512), machine=8), "Exec"),
    "headless": (elf(), "Exec"),
    "empty": (b"", "Exec"),
    "zeros": (bytes(4096), "Exec"),
    "lost": (b"#!/no/such/interpreter\n", "No such"),
    "script-of-folder": (b"#!/usr\n", "Permission"),
    "of-itself": (b"#!./of-itself\n", "Too many levels"),
}


def not_programs(who, place, user):
    """Tests that the author is charged for a file that is not a program."""
    for name, (content, _) in NONE.items():
        (place.bot / name).write_bytes(content)
        (place.bot / name).chmod(0o755)
    (place.bot / "loop").symlink_to("loop")
    names = dict({name: words for name, (_, words) in NONE.items()},
                 loop="Too many levels", records="Permission")
    tiers = "BD" + "C" * bool(walls_hold(place, user))
    for tier in tiers:
        wrong = []
        for name, words in names.items():
            run = Boxed(place, user, "--tier", tier, "--see", place.bot,
                        f"{place.bot}/{name}")
            if run.end[:2] != ["failed", "exec"] or not re.match(
                    words, " ".join(run.end[2:])):
                wrong.append(f"{name}: {run}")
        tap.equal(wrong, [], f"{who}: tier {tier}: what is no program fails "
                  "by its exec")
    for name in names:
        path = place.bot / name
        if not path.is_dir():
            path.unlink()
    (place.bot / "text").write_text("exit 3\n")
    (place.bot / "text").chmod(0o755)
    run = Boxed(place, user, "--see", place.bot, f"{place.bot}/text")
    tap.equal(run.end[:2], ["end", str(3 << 8)],
              f"{who}: but a text is the shell's")


def bounds(who, place, user, tier):
    run = Boxed(place, user, "--processes", 20, "--folder", place.bot,
                "./peek", "forks")
    tap.equal(run.word("forks"), "19", f"{who}: 20 processes, 19 are its own")
    run = Boxed(place, user, "--memory", MEMORY_MIB, "--folder", place.bot,
                "./peek", "memory", 1, MEMORY_MIB + 8)
    tap.equal(run.word("memory"), "0", f"{who}: no process beyond its memory")
    if tier == "A":
        run = Boxed(place, user, "--memory", MEMORY_MIB, "--folder", place.bot,
                    "./peek", "memory", 3, MEMORY_MIB * 5 // 8)
        tap.ok(int(run.word("memory") or 0) <= 1,
               f"{who}: the memory of all together is bounded", run)
    for how, mib, ms, end in ("keep", MEMORY_MIB - 16, 600, "0"), \
            ("young", MEMORY_MIB - 16, 600, "0"), \
            ("leaderless", MEMORY_MIB + 16, LONG_MS, "9"):
        if how == "young" and tap.skip(f"{who}: {how}", tap.run(
                [BUILT / "peek", "compares"]).code and "the kernel compares no processes"):
            continue
        run = Boxed(place, user, "--memory", MEMORY_MIB, "--folder", place.bot,
                    "./peek", how, mib, ms)
        tap.equal((run.end[:2], "over" in run.end), (["end", end], end == "9"),
                  f"{who}: {mib} MiB of {MEMORY_MIB}, however they are taken: "
                  f"{how}")
    run = Boxed(place, user, "--folder", place.bot, "./peek", "file")
    tap.ok(run.word("file") is not None and 14 <= int(run.word("file")) <= 16,
           f"{who}: 16 MiB in /tmp", run)


def files(who, place, user):
    """Tests that a program sees folders at their own path, but not their hidden
    parts."""
    cat = f"cat {place.bot}/data {place.bot}/records/* {place.root}/other/*"
    run = Boxed(place, user, "--see", place.bot, "--hide",
                place.bot / "records", "sh", "-c", cat)
    tap.equal(run.lines, ["mine"], f"{who}: what is to be seen, and no more")
    run = Boxed(place, user, "--see", place.bot, "sh", "-c",
                f"echo x >{place.bot}/data; echo x >/usr/x; "
                "ln -s /etc/shadow /tmp/l; cat /tmp/l; "
                f"cat {place.bot}/../other/secret; cat /proc/1/root/etc/shadow")
    tap.equal(run.lines, [], f"{who}: no way out by links")
    tap.equal((place.bot / "data").read_text(), "mine\n",
              f"{who}: nothing is written to")


def dies(who, place, user, tier, victim):
    """Tests that the bot ends when one of our processes, also a helper, is
    killed."""
    mark = place.root.name.encode()
    run = subprocess.Popen(
        [*user, str(place.root / "run-boxed"), "--tier", tier, "--see",
         str(place.bot), "sh", "-c",
         f"exec 3<&0; {place.bot}/peek wait <&3 & {place.bot}/peek wait"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, cwd=place.root)
    there = arena.wait_for(lambda: len([line for line in running(mark)
                                  if line.startswith(
                                      f"{place.bot}/peek ".encode())]) == 2)
    pid = run.pid
    if victim == "spawner":
        pid = int(pathlib.Path(f"/proc/{pid}/task/{pid}/children")
                  .read_text().split()[0])
    os.kill(pid, signal.SIGKILL)
    gone = arena.wait_for(lambda: not running(mark))
    run.communicate()
    tap.ok(there and gone, f"{who}: tier {tier}: the {victim} is killed, and "
           "the bot with it", running(mark))


def children(pid):
    return [int(one) for one in pathlib.Path(
        f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Hung:
    """A bot that waits in its box, with the box's first process."""

    def __init__(self, place, user, tier):
        self.mark = place.root.name.encode()
        self.run = subprocess.Popen(
            [*user, str(place.root / "run-boxed"), "--tier", tier, "--see",
             str(place.bot), f"{place.bot}/peek", "wait"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        arena.wait_for(lambda: any(line.startswith(f"{place.bot}/peek ".encode())
                             for line in running(self.mark)))
        spawner = children(self.run.pid)[0]
        self.first = children(children(spawner)[0])[0]

    def end(self):
        """Returns what run-boxed prints, or None if it does not end."""
        try:
            self.run.wait(timeout=tap.TIMEOUT_S)  # its input stays open
            return self.run.communicate()[1].decode().split()[:2]
        except subprocess.TimeoutExpired:
            return None
        finally:
            for pid in (self.first, self.run.pid):
                if self.run.poll() is None:
                    os.kill(pid, signal.SIGKILL)


def hangs(who, place, user, tier):
    """Tests that the box ends whatever happens to its first process."""
    if tier == "A":
        tier = "B"  # the program looks around by itself there
    hung = Hung(place, user, tier)
    same = re.search(r"^Uid:\t(\d+)", pathlib.Path(
        f"/proc/{hung.first}/status").read_text(), re.MULTILINE)[1]
    subprocess.run([*(["setpriv", "--reuid", same, "--regid", same,
                       "--clear-groups"] if os.getuid() == 0 else []),
                    "prlimit", "--pid", str(hung.first), "--nofile=0:0"],
                   check=True)
    tap.equal(hung.end(), ["end", "9"],
              f"{who}: tier {tier}: a first process that cannot wait ends its "
              "box")
    if os.getuid() != 0:
        return
    hung = Hung(place, user, tier)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, hung.first, 0, 0) < 0:  # PTRACE_ATTACH: it stops
        tap.ok(True, f"{who}: a first process that hangs # SKIP no ptrace")
        hung.run.send_signal(signal.SIGUSR1)
        hung.end()
        return
    os.waitpid(hung.first, 0x40000000)  # __WALL: it has stopped
    hung.run.send_signal(signal.SIGUSR1)
    tap.equal(hung.end(), ["end", "9"],
              f"{who}: tier {tier}: one that hangs is ended from outside")
    os.waitpid(hung.first, 0x40000000)


def killed_while_it_looks(place):
    """Tests a kill while the referee looks around in a box at its start.
    Bubblewrap is two processes; here the first has just made the second, which
    is stuck."""
    stuck = f"1000.{os.getpid()}"
    fake = place.root / "bwrap"
    fake.write_text(f"#!/bin/sh\nsleep {stuck} &\nwait\n")
    fake.chmod(0o755)
    with subprocess.Popen(
            ["unshare", "--mount", "sh", "-c",
             'mount --bind "$0" "$(command -v bwrap)" && exec "$@"', fake,
             tap.REFEREE, "match", "toepen", "--bot", "random", "--bot",
             "sh bot/first.sh"], cwd=place.root, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL) as referee:
        there = arena.wait_for(lambda: running(f"sleep\0{stuck}".encode()))
        referee.kill()
    gone = arena.wait_for(lambda: not running(f"sleep\0{stuck}".encode()))
    tap.ok(there and gone, "a referee that is killed while it looks around "
           "leaves nothing", (there, running(stuck.encode())))
    for folder in pathlib.Path("/proc").glob("[0-9]*") if not gone else ():
        if running_in(folder, f"sleep\0{stuck}".encode()):
            os.kill(int(folder.name), signal.SIGKILL)


def tier_of(place, user):
    run = Boxed(place, user, "--tier", "A", "sh", "-c", "true")
    if run.end[:2] == ["end", "0"]:
        return "A"
    run = Boxed(place, user, "--tier", "B", "sh", "-c", "true")
    return "B" if run.end[:2] == ["end", "0"] else run.err


def refused(place):
    """Tests that a user who asks for more than the machine has gets a sentence,
    and nothing starts."""
    conf = place.root / "daemon.conf"
    conf.write_text("sandbox = off sandbox-minimum = B\n")
    run = tap.referee("serve", "--config", conf, cwd=place.root)
    tap.complains(run, 3, "the sandbox is off, but at least tier B",
                  "a daemon below its minimum does not start")
    conf.write_text("sandbox = off uploads = yes\n")
    run = tap.referee("serve", "--config", conf, cwd=place.root)
    tap.complains(run, 3, "uploads = yes needs a sandbox of tier A or B",
                  "nor one that would take uploads without a box")

def seen(place):
    """Tests that a match says which protections hold, and that a box hides the
    rest."""
    (place.bot / "first.sh").write_text(
        (tap.SOURCE_DIR / "sample-bots/shell/first.sh").read_text())
    run = tap.referee("match", "toepen", "--bot", "random", "--bot",
                      "sh bot/first.sh", "--games", 2, *arena.PATIENT, cwd=place.root)
    tap.ok(run.code == 0 and run.err.startswith("referee: sandbox tier ")
           and run.err.count("\n") == 1, "a match says its tier", run)
    tier = run.err.split()[3].rstrip(":,")
    run = tap.referee("match", "toepen", "--bot", "random", "--bot",
                      "sh bot/first.sh", "--games", 2, "--brief-sandbox",
                      *arena.PATIENT, cwd=place.root)
    tap.equal((run.code, run.err), (0, f"referee: sandbox tier {tier}\n"),
              "and no more with --brief-sandbox")
    if tap.skip("what the match writes is not seen", machine.no_boxes()):
        return
    # A bot that lists its folder in its remarks.
    (place.bot / "spy.sh").write_text("""\
echo "say $(cd bot; echo * games/* l.db.records/*)"; cat bot/l.db | wc -c | sed 's/^/say /'
exec sh bot/first.sh
""")
    run = tap.referee("match", "toepen", "--bot", "random", "--bot",
                      "sh bot/spy.sh", "--games", 3, "--exact", "--jobs", 1,
                      "--records", "bot/games", "--ladder", "bot/l.db", "-o", "points=2",
                      *arena.PATIENT, cwd=place.root)
    said = [line for path in (place.bot / "games").glob("*.rec")
            for line in re.findall(r" ; say \d (\S+)", path.read_text())]
    tap.ok(run.code == 0 and len(said) == 6
           and not any(re.search(r"\d{8}-", line) for line in said)
           and sum("data" in line for line in said) == 3
           and said.count("0") == 3,
           "what the match writes is not seen", f"{run}\n{said}")


def commands(place):
    """Tests that programs are looked for where a box has them."""
    run = tap.referee("match", "toepen", "--bot", "random", "--bot",
                      "peek-is-not-in-the-path", "--games", 2,
                      env=dict(os.environ, PATH=f"{place.bot}:/usr/bin:/bin"))
    tap.complains(run, 2, "no such program in PATH", "no such program")
    for sandbox, name, words in (
            ("auto", "beyond", "a damaged program"),
            ("off", "other", "neither a program for this machine nor a script")):
        (place.bot / name).write_bytes(NONE[name][0])
        (place.bot / name).chmod(0o755)
        run = tap.referee("match", "toepen", "--bot", "random", "--bot", f"bot/{name}",
                          "--name", "carol", "--sandbox", sandbox, cwd=place.root)
        tap.ok(run.code == 2 and "referee: bot carol cannot be started: "
               f"'bot/{name}': {words}" in run.err,
               f"a match names who is no program: {name}, sandbox {sandbox}", run)
    shutil.copy(place.bot / "peek", place.bot / "elsewhere")
    run = tap.referee("match", "toepen", "--bot", "random", "--bot",
                      "elsewhere", "--games", 2,
                      env=dict(os.environ, PATH=f"{place.bot}:/usr/bin:/bin"))
    tap.complains(run, 2, "not visible in the sandbox", "a PATH of one's own")


def running_in(folder, mark):
    """Returns the command line of a process if it has the mark."""
    try:
        line = (folder / "cmdline").read_bytes()
    except OSError:
        return None
    return line.replace(b"\0", b" ") if mark in line else None


def running(mark):
    """Returns the command lines of processes with the mark."""
    return list(filter(None, (running_in(folder, mark) for folder in
                              pathlib.Path("/proc").glob("[0-9]*"))))


def is_held(group):
    """Returns true if a process is in a control group or in one below it."""
    try:
        return any(one.read_text() for one in group.rglob("cgroup.procs"))
    except OSError:
        return False  # it has just been removed


def half_a_processor(place):
    with Quota() as folder:
        if not folder:
            tap.skip("a container with half a processor", "no control groups of version 1")
            return
        run = Boxed(place, ["sh", "-c", 'echo 0 >"$0/cgroup.procs" && exec "$@"', folder],
                    "--folder", place.bot, "./peek")
        tap.equal(run.word("here"), "/bot", "a box in a container with half a processor")


def left_behind(place):
    """Returns our processes, and the groups of dead referees that the next box does not
    remove.  Other tests kill referees at the same time: it may remove theirs a moment
    later, and not while one of their processes is there."""
    tier_of(place, [])
    groups = [path for path in pathlib.Path("/sys/fs/cgroup").glob("*/referee-*")
              if not pathlib.Path("/proc", re.sub(r".*-", "", path.name)).exists()]
    return running(place.root.name.encode()) + [
        group for group in groups if not is_held(group) and group.exists()]


with Place() as place:
    users = [("as root", []), ("as nobody", list(machine.NOBODY))] if os.getuid() == 0 \
        else [("as it is", [])]
    for who, user in users:
        tier = tier_of(place, user)
        if tier not in ("A", "B"):
            tap.skip(f"{who}: a box", machine.no_boxes(tuple(user)))
            walls(who, place, user)
            if walls_hold(place, user):
                dies(who, place, user, "C", "referee")
            continue
        look(who, place, user, tier)
        pipes(who, place, user)
        if user or len(users) == 1:  # root's box is the same
            ends(who, place, user)
            not_programs(who, place, user)
            threads(who, place, user)
        bounds(who, place, user, tier)
        files(who, place, user)
        walls(who, place, user)
        for low in "CD":
            reaches(who, place, user, low)
        if not user and os.getuid() == 0:
            half_a_processor(place)
            closed_for_good(who, place)
            if tap.run(["unshare", "--mount", "true"]).code == 0:
                closed(who, place)
                words(who, place)
        hangs(who, place, user, tier)
        dies(who, place, user, tier, "referee")
        dies(who, place, user, tier, "spawner")
        if walls_hold(place, user):
            dies(who, place, user, "C", "referee")
    if os.getuid() == 0 and walls_hold(place, []):
        private_ground(place)
    refused(place)
    commands(place)
    seen(place)
    if tap.run(["unshare", "--mount", "true"]).code == 0:
        killed_while_it_looks(place)
    tap.ok(arena.wait_for(lambda: not left_behind(place)), "nothing is left behind",
           left_behind(place))
tap.done()
