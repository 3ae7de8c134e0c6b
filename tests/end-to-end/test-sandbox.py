#!/usr/bin/env python3
"""What a program finds in its sandbox: as root, and as an ordinary user.

The program is tests/sandbox/peek; tests/sandbox/run-boxed starts it.  Where
there is no sandbox the reason is told and nothing is tested.
"""

import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import tap

BUILT = tap.BUILD_DIR / "tests" / "sandbox"
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
MEMORY_MIB = 64
NAMES = 16384  # BOX_NAMES
LONG_MS = 10000  # nobody gets that far


class Place:
    """A folder that anybody can read, with the three programs, a file and a
    folder of the host's."""

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


class Boxed:
    """One run: its lines, and how it ended."""

    def __init__(self, place, user, *arguments, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        # Leaked descriptors would be seen: 9 is one, and 3 is for the end.
        told = tempfile.TemporaryFile()
        extra = os.open(place.root / "other" / "secret", os.O_RDONLY)

        def descriptors():
            os.dup2(extra, 9)
            os.dup2(told.fileno(), 3)
            os.set_inheritable(3, True)
            os.set_inheritable(9, True)
        done = subprocess.run(
            [*user, str(place.root / "run-boxed"), *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100,
            preexec_fn=descriptors, close_fds=False, check=False,
            cwd=place.bot, env=dict(os.environ, SECRET="of the referee"),
            **options)
        os.close(extra)
        told.seek(0)
        self.end = told.read().decode().split()
        told.close()
        self.lines = done.stdout.decode("latin-1").splitlines()
        self.err = done.stderr.decode("latin-1")

    def words(self, word):
        """What stands behind `word` in its lines."""
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
    hidden = [path for path in run.words("see") if path not in (
        "/", "/etc", "/dev", "/usr", "/bin", "/proc", "/tmp", "/bot",
        "/proc/sys", "/proc/1/mem", "/bot/data")]
    tap.equal(hidden, [], f"{who}: nothing of the machine's people is seen")
    tap.ok("/bot/data" in run.words("see"), f"{who}: its own folder is", run)
    tap.equal(run.words("open"), [], f"{who}: the first process is closed")
    tap.equal(run.word("processes"), "2", f"{who}: no other process")
    tap.equal((run.word("uid"), run.word("gid"), run.word("groups"),
               run.word("users"), run.word("host"), run.word("here")),
              ("1000", "1000", "0", "3", "box", "/bot"),
              f"{who}: users and names of its own")
    tap.equal(run.words("socket"), [], f"{who}: no socket of any family")
    tap.ok("pair" in run.lines, f"{who}: but pairs", run)
    tap.equal(run.words("may"), [], f"{who}: no call that is refused")
    tap.equal([run.limit(name) for name in (
        "core", "processes", "file", "descriptors", "data", "stack",
        "queues")],
        [1, 65, 16 << 20, 256, 512 << 20, 8 << 20, 0], f"{who}: limits")
    tap.ok(int(run.word("nice")) >= 5, f"{who}: behind the referee", run)
    tap.equal(run.end[:2], ["end", "0"], f"{who}: it ends well")
    tap.ok(tier in "AB", f"{who}: tier {tier}")


def walls_hold(place, user):
    """A look around in tier C, or None.  What sanitizers want of memory before
    the exec is more than its limits leave."""
    run = Boxed(place, user, "--tier", "C", "--see", place.bot, "./peek")
    return run if run.end[:2] == ["end", "0"] else None


def walls(who, place, user):
    """Tier C: Landlock, limits and the filter, with the machine in view."""
    run = walls_hold(place, user)
    if not run:
        tap.ok(True, f"{who}: tier C # SKIP not here, or not with sanitizers")
        return
    tap.equal((run.word("fds"), run.words("write"), run.words("socket"),
               run.words("may"), run.words("open")), ("0 1 2", [], [], [], []),
              f"{who}: tier C: nothing is written, no socket, no call")
    tap.equal((run.limit("core"), run.limit("data"), run.limit("file")),
              (1, 512 << 20, 16 << 20), f"{who}: tier C: limits")
    run = Boxed(place, user, "--tier", "C", "--see", place.bot, "sh", "-c",
                f"cat data /etc/passwd {place.root}/other/secret; "
                "ls /home /root /etc; "
                f"cat /proc/{os.getpid()}/environ; kill -0 {os.getpid()} && "
                f"echo signalled; cat {place.bot}/../other/secret; exit 5")
    tap.equal((run.lines, run.end[:2]), (["mine"], ["end", "1280"]),
              f"{who}: tier C: what is to be seen, and no more")
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
    tap.equal((now.st_mode & 0o777, now.st_mtime, now.st_size, now.st_uid,
               own.stat().st_mode & 0o777),
              (0o600, 1, 9, own.stat().st_uid, 0o755),
              f"{who}: tier C: others' files keep owner, mode and times")
    run = Boxed(place, user, "--tier", "C", "--folder", place.bot, "sh", "-c",
                "cat data; echo x >data; pwd")
    tap.equal(run.lines, ["mine", str(place.bot)], f"{who}: tier C: a folder")
    if user or os.getuid() != 0:
        return
    # Root's, which nobody else can read: with no right of root's but that one.
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


def closed(who, place):
    """Root's bots in folders and files that nobody else can read: they run
    all the same, and still not as root."""
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
    """Where root may not mount, as in many containers."""
    place.bot.chmod(0o700)
    run = Boxed(place, ["setpriv", "--bounding-set", "-sys_admin"],
                "--tier", "B", "--folder", place.bot, "true")
    tap.ok(run.end[:2] == ["failed", "sandbox"] and
           "chmod o+rX" in run.err and len(run.err.splitlines()) == 1,
           f"{who}, closed folder: refused in a sentence with its cure where "
           "there is no way", run)
    place.bot.chmod(0o755)


def words(who, place):
    """What the words of a folder's command name elsewhere is not looked at:
    it would show in how the bot is shown its own folder."""
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
    """A folder that two bots see may have a named pipe in it: a wire."""
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
    """How it ended is told as it was."""
    for code in (0, 3, 139):
        run = Boxed(place, user, "sh", "-c", f"exit {code}")
        tap.equal(run.end[:2], ["end", str(code << 8)],
                  f"{who}: exit {code} is told")
    for number in (signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM):
        run = Boxed(place, user, "sh", "-c", f"kill -{int(number)} $$")
        tap.equal(run.end[:2], ["end", str(int(number))],
                  f"{who}: so is signal {int(number)}")
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
    for mib, ms, end in (MEMORY_MIB - 16, 600, "0"), \
            (MEMORY_MIB + 16, LONG_MS, "9"):
        run = Boxed(place, user, "--memory", MEMORY_MIB, "--folder", place.bot,
                    "./peek", "keep", mib, ms)
        tap.equal(run.end[:2], ["end", end],
                  f"{who}: {mib} MiB of {MEMORY_MIB}, however they are taken")
    for mib, ms, end in (MEMORY_MIB // 2 - 8, 600, "0"), \
            (MEMORY_MIB // 2 + 8, LONG_MS, "9"):
        run = Boxed(place, user, "--memory", MEMORY_MIB, "--folder", place.bot,
                    "sh", "-c", f"./peek keep {mib} {ms} & "
                    f"./peek keep {mib} {ms}; wait")
        tap.ok(run.words("kept") == ["", ""] if end == "0" else
               len(run.words("kept")) < 2,
               f"{who}: {mib} MiB twice, of {MEMORY_MIB}", run)
    if tier == "B":
        for names, ms, end in (NAMES - 100, 600, "0"), \
                (NAMES + 1, LONG_MS, "9"):
            run = Boxed(place, user, "--folder", place.bot, "./peek",
                        "names", names, ms)
            tap.equal(run.end[:2], ["end", end], f"{who}: {names} names")
    run = Boxed(place, user, "--folder", place.bot, "./peek", "file")
    tap.ok(run.word("file") is not None and 14 <= int(run.word("file")) <= 16,
           f"{who}: 16 MiB in /tmp", run)


def files(who, place, user):
    """What is seen of folders at their own path, and what of it is hidden."""
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


def wait_for(what, seconds=20):
    end = time.monotonic() + seconds
    while not (value := what()) and time.monotonic() < end:
        time.sleep(0.02)
    return value


def dies(who, place, user, tier, victim):
    """Whoever of ours is killed, the bot goes with it, helpers too."""
    mark = place.root.name.encode()
    run = subprocess.Popen(
        [*user, str(place.root / "run-boxed"), "--tier", tier, "--see",
         str(place.bot), "sh", "-c",
         f"exec 3<&0; {place.bot}/peek wait <&3 & {place.bot}/peek wait"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    there = wait_for(lambda: len([line for line in running(mark)
                                  if line.startswith(
                                      f"{place.bot}/peek ".encode())]) == 2)
    pid = run.pid
    if victim == "nursery":
        pid = int(pathlib.Path(f"/proc/{pid}/task/{pid}/children")
                  .read_text().split()[0])
    os.kill(pid, signal.SIGKILL)
    gone = wait_for(lambda: not running(mark))
    run.communicate()
    tap.ok(there and gone, f"{who}: tier {tier}: the {victim} is killed, and "
           "the bot with it", running(mark))


def tier_of(place, user):
    run = Boxed(place, user, "--tier", "A", "sh", "-c", "true")
    if run.end[:2] == ["end", "0"]:
        return "A"
    run = Boxed(place, user, "--tier", "B", "sh", "-c", "true")
    return "B" if run.end[:2] == ["end", "0"] else run.err


def refused(place):
    """Who asks for more than there is gets a sentence, and nothing starts."""
    conf = place.root / "daemon.conf"
    conf.write_text("sandbox = off sandbox-minimum = B\n")
    run = tap.referee("serve", "--config", conf, cwd=place.root)
    tap.complains(run, 3, "the sandbox is off, and at least tier B",
                  "a daemon below its minimum does not start")
    run = tap.referee("match", "toepen", "--bot", "./no-such-bot-anywhere",
                      "--bot", "random", "--sandbox", "maybe")
    tap.complains(run, 2, "auto, on or off", "--sandbox maybe")
    run = tap.referee("match", "toepen", "--bot", "random", "--bot",
                      f"{place.root}/bot/peek", "--ponder", "maybe")
    tap.complains(run, 2, "on or off", "--ponder maybe")


def seen(place):
    """A match tells what holds, and what a box does not show."""
    (place.bot / "first.sh").write_text(
        (tap.SOURCE_DIR / "sample-bots/shell/first.sh").read_text())
    run = tap.referee("match", "toepen", "--bot", "random", "--bot",
                      "sh bot/first.sh", "--games", 2, cwd=place.root)
    tap.ok(run.code == 0 and run.err.startswith("referee: sandbox tier ")
           and run.err.count("\n") == 1, "a match says its tier", run)
    # A bot that lays what it sees of the folder into its remarks.
    (place.bot / "spy.sh").write_text("""\
echo "say $(cd bot; echo * games/* l.db.records/*)"; cat bot/l.db | wc -c | sed 's/^/say /'
exec sh bot/first.sh
""")
    run = tap.referee("match", "toepen", "--bot", "random", "--bot",
                      "sh bot/spy.sh", "--games", 3, "--jobs", 1, "--records",
                      "bot/games", "--ladder", "bot/l.db", "-o", "points=2",
                      cwd=place.root)
    said = [line for path in (place.bot / "games").glob("*.rec")
            for line in re.findall(r" ; say \d (\S+)", path.read_text())]
    tap.ok(run.code == 0 and len(said) == 6
           and not any(re.search(r"\d{8}-", line) for line in said)
           and sum("data" in line for line in said) == 3
           and said.count("0") == 3,
           "what the match writes is not seen", f"{run}\n{said}")
    run = tap.referee("match", "toepen", "--bot", "random", "--bot",
                      "peek-is-not-in-the-path", "--games", 2,
                      env=dict(os.environ, PATH=f"{place.bot}:/usr/bin:/bin"))
    tap.complains(run, 2, "no such program in PATH", "no such program")
    shutil.copy(place.bot / "peek", place.bot / "elsewhere")
    run = tap.referee("match", "toepen", "--bot", "random", "--bot",
                      "elsewhere", "--games", 2,
                      env=dict(os.environ, PATH=f"{place.bot}:/usr/bin:/bin"))
    tap.complains(run, 2, "not seen in the sandbox", "a PATH of one's own")


def running(mark):
    """Command lines of processes with this in it."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if mark in line:
            found.append(line.replace(b"\0", b" "))
    return found


def left_behind(place):
    found = running(place.root.name.encode())
    groups = [path for path in pathlib.Path("/sys/fs/cgroup").glob("*/referee-*")
              if not pathlib.Path("/proc", re.sub(r".*-", "", path.name)).exists()]
    return found + groups


if not shutil.which("bwrap") or not shutil.which("setpriv"):
    tap.skip_all("there is no bubblewrap or no setpriv here")
with Place() as place:
    users = [("as root", []), ("as nobody", NOBODY)] if os.getuid() == 0 \
        else [("as it is", [])]
    for who, user in users:
        tier = tier_of(place, user)
        if tier not in ("A", "B"):
            tap.ok(True, f"{who} # SKIP no sandbox: {tier.splitlines()[:1]}")
            continue
        look(who, place, user, tier)
        pipes(who, place, user)
        ends(who, place, user)
        bounds(who, place, user, tier)
        files(who, place, user)
        walls(who, place, user)
        if not user and os.getuid() == 0:
            closed_for_good(who, place)
            if tap.run(["unshare", "--mount", "true"]).code == 0:
                closed(who, place)
                words(who, place)
        dies(who, place, user, tier, "referee")
        dies(who, place, user, tier, "nursery")
        if walls_hold(place, user):
            dies(who, place, user, "C", "referee")
    refused(place)
    seen(place)
    tap.equal(left_behind(place), [], "nothing is left behind")
tap.done()
