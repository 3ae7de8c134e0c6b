#!/usr/bin/env python3
"""End-to-end because the kernel enforces the restrictions of the unit.

Tests a daemon under the restrictions of doc/referee.service: its local bots
still get boxes, and play.

The long form starts the unit by a systemd of its own; the short form sets the
same filters by unit.py, and mounts over /proc if root may do that.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import arena
import machine
import local_bots
import records
import tap
import unit

UNIT = pathlib.Path(os.environ.get("UNIT",
                                   tap.SOURCE_DIR / "doc" / "referee.service"))
SYSTEMD = "/lib/systemd/systemd"
GROUPS = pathlib.Path("/sys/fs/cgroup")
GAMES = 3
BOOT_S = 120
INSIDE = "REFEREE_TEST_INSIDE"  # names the folder inside
USER = 60500  # in a root of its own
BOTS = {"random-py": ("python", "python3"), "random-js": ("javascript", "node"),
        "random-c": ("c", "cc")}
CONFIG = """data = "/var/lib/referee"
local-bots { games = 4 at-once = 2 }
listener "bots" { kind = tcp port = 0 }
ladder "toepen" { game = toepen seats = 2 at-once = 4 move-time = 3600000 }
"""
# Runs systemd in namespaces of its own, as root of them, with the system's
# programs and empty writable folders.
BOOT = r"""
root=$1 var=$2
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs "$root"
cd "$root"
mkdir usr etc run tmp var proc sys dev root home old
mount --rbind /usr usr
mount --bind "$var" var
for link in bin sbin lib lib64 lib32; do
	[ ! -L "/$link" ] || cp -a "/$link" .
done
cp -a /etc/passwd /etc/group /etc/ld.so.cache /etc/alternatives etc/
echo "referee:x:$3:$3::/var/lib/referee:/usr/sbin/nologin" >>etc/passwd
echo "referee:x:$3:" >>etc/group
mount -t tmpfs tmpfs usr/local/bin
cp var/bin/* usr/local/bin/
mkdir -p etc/systemd
cp -r var/units etc/systemd/system
cp var/referee.conf etc/
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
mount -t tmpfs tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
cd dev
for node in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" \
		"tty 5 0" "console 5 1"; do
	set -- $node
	mknod -m 666 "$1" c "$2" "$3"
done
mkdir pts shm
mount -t devpts -o newinstance,ptmxmode=666 devpts pts
ln -s pts/ptmx ptmx
ln -s /proc/self/fd fd
cd ..
pivot_root . old
umount -l old
# luck: a machine that boots has no seed
exec env -i container=test SYSTEMD_UNIT_PATH=/etc/systemd/system \
	PATH=/usr/bin:/bin /lib/systemd/systemd --system \
	--unit=multi-user.target --log-target=console --show-status=0
"""


def wanted(folder):
    """Makes folders with bots in the installed languages."""
    for name, (language, program) in BOTS.items():
        if tap.skip(f"a local bot in {language}", None if
                    shutil.which(program) else f"no {program}"):
            continue
        path = folder / language
        shutil.copytree(tap.SOURCE_DIR / "sample-bots" / language, path)
        if language == "c":
            # The bot is built here without sanitizers, which do not run in a
            # box.
            subprocess.run(["cc", "-o", "random-bot", "random-bot.c",
                            "referee-bot.c"], cwd=path, check=True)
            conf = (path / "bot.conf").read_text("ascii")
            (path / "bot.conf").write_text(
                re.sub("(?m)^(build|needs) = .*\n", "", conf), "ascii")
        yield name, path


def judge(what, log, records, names, tiers="AB"):
    """Checks a daemon's log and its records."""
    tier = re.search(r"event=sandbox tier=(\w)", log)
    tap.ok(tier and tier[1] in tiers, f"{what}: tier {' or '.join(tiers)}",
           log[:2000])
    games = [arena.Record(path) for path in records]
    faults = [(game.path.name, name, game.faults()[seat]) for game in games
              for seat, name in enumerate(game.bots())
              if game.faults()[seat] or game.aborted()]
    for name in names:
        played = [game for game in games if name in game.bots()]
        tap.ok(len(played) >= GAMES and not any(name == one for _, one, _ in
                                                faults),
               f"{what}: {name} plays", f"{len(played)} games; {faults}")


def enough(records, names):
    """Returns true if all bots have played often enough."""
    def played(name):
        return sum(name in arena.Record(path).bots() for path in records())
    return lambda: all(played(name) >= GAMES for name in names)


# ---- by its filters --------------------------------------------------------

def inside(folder):
    """Runs as the unit's user, under the restrictions of the unit."""
    watched = machine.told()[1]
    machine.told.cache_clear()
    unit.Unit(UNIT).restrict()
    tap.equal(machine.told()[1], watched, "filters: a check watches as ever")
    with local_bots.serve() as serve:
        serve.file.write_text(serve.file.read_text("ascii").replace(
            "seats = 2", "seats = 2 move-time = 3600000"), "ascii")
        names = []
        for path in sorted((folder / "bots").iterdir()):
            done = local_bots.add(serve, path)
            said = re.sub("^referee: made the data folder .*\n", "", done.err)
            tap.equal((done.code, said), (0, ""), f"{path.name} comes in")
            names.append(re.search('name = "(.*)"', (path / "bot.conf")
                                   .read_text("ascii"))[1])
        serve.start()

        def kept():
            return records.of_data(serve.data)
        arena.wait_for(enough(kept, names))
        judge("filters", serve.text(), kept(), names)
        tap.equal(serve.stop(), 0, "filters: it ends")
    tap.done()


def outside(root):
    """Copies what is needed to a folder that anybody may enter, and runs the
    rest inside."""
    if tap.skip("the unit's filters", None if shutil.which("systemd-analyze")
                else "no systemd-analyze to say what is in @system-service"):
        tap.done()
    become = machine.NOBODY if os.getuid() == 0 else ()
    if tap.skip("the unit's filters", machine.no_boxes(become)):
        tap.done()
    python = machine.python(become)
    if tap.skip("the unit's filters", None if python else
                "no Python that somebody else may start"):
        tap.done()
    # luck: only the installed program has a box that the unit can filter
    for program in ("referee/referee", "referee/referee-box",
                    "tests/sandbox/run-boxed"):
        shutil.copy(tap.BUILD_DIR / program, root)
    shutil.copytree(tap.SOURCE_DIR / "tests" / "end-to-end", root / "tests")
    shutil.copy(UNIT, root / "unit")
    (root / "bots").mkdir()
    list(wanted(root / "bots"))
    subprocess.run(["chmod", "-R", "a+rX", root], check=True)
    sys.stdout.flush()
    environ = dict(os.environ, REFEREE=str(root / "referee"), TMPDIR="/tmp",
                   RUN_BOXED=str(root / "run-boxed"),
                   # The leak check uses ptrace, which the unit forbids.
                   ASAN_OPTIONS=":".join(filter(None, (os.environ.get(
                       "ASAN_OPTIONS"), "detect_leaks=0"))),
                   UNIT=str(root / "unit"), **{INSIDE: str(root)})
    script = [python, "-B", root / "tests" / "test-unit.py"]
    if os.getuid() == 0 and machine.may_mount():
        script = ["unshare", "--mount", sys.executable, "-B", "-c",
                  "import os, pathlib, sys, unit; "
                  "unit.Unit(pathlib.Path(os.environ['UNIT'])).hide(); "
                  "os.execvp(sys.argv[1], sys.argv[1:])", *become, *script]
        environ["PYTHONPATH"] = str(root / "tests")
    else:
        script = [*become, *script]
    done = tap.run(script, env=environ, cwd=root)
    print(re.sub(r"(?m)^(1\.\.\d+|(not )?ok.*)\n", "", done.out), end="")
    points = re.findall(r"(?m)^(not )?ok \d+ - (.*)$", done.out)
    for bad, what in points:
        tap.ok(not bad, what)
    tap.ok(done.code == 0 and points, "the unit's filters", done.err)


# ---- by systemd ------------------------------------------------------------

def no_boot():
    """Returns why systemd cannot be started here, or None."""
    if os.getuid() != 0:
        return "only root can start a systemd of its own"
    if not os.access(SYSTEMD, os.X_OK):
        return "no systemd"
    if not machine.may_mount():
        return "not allowed to mount"
    return None if group_root() else "no control groups of version 2"


def group_root():
    for path in (GROUPS, GROUPS / "unified"):
        if os.access(path / "cgroup.procs", os.W_OK):
            return path
    return None


def prepare(var):
    """Fills /var of the root; returns the names of the local bots."""
    for folder in ("bin", "units/referee.service.d", "bots", "log",
                   "lib/referee"):
        (var / folder).mkdir(parents=True)
    for program in ("referee", "referee-box"):
        shutil.copy(tap.BUILD_DIR / "referee" / program, var / "bin")
    shutil.copy(UNIT, var / "units" / "referee.service")
    (var / "units/referee.service.d/log.conf").write_text(
        "[Service]\nStandardOutput=file:/var/log/referee\n"
        "StandardError=file:/var/log/referee\n")
    for name in ("sysinit", "basic", "shutdown", "network", "umount"):
        (var / "units" / f"{name}.target").write_text(
            "[Unit]\nDefaultDependencies=no\n")
    (var / "units/multi-user.target").write_text(
        "[Unit]\nWants=referee.service\n")
    (var / "referee.conf").write_text(CONFIG)
    names = []
    for name, path in wanted(var / "bots"):
        done = tap.referee("bots", "add", path, "--no-check", "--data",
                           var / "lib" / "referee")
        tap.equal(done.code, 0, f"{name} comes in")
        names.append(name)
    subprocess.run(["chown", "-R", f"{USER}:{USER}", var / "lib" / "referee"],
                   check=True)
    (var / "lib" / "referee").chmod(0o700)
    return names


def booted(root):
    if tap.skip("booted", no_boot()):
        return
    var = root / "var"
    (root / "root").mkdir()
    names = prepare(var)
    group = group_root() / f"referee-test-{os.getpid()}"
    group.mkdir()
    said = open(root / "console", "wb")
    bounds = (group / "cgroup.controllers").read_text("ascii").split()
    process = subprocess.Popen(
        ["unshare", "--pid", "--mount", "--net", "--uts", "--ipc", "--cgroup",
         "--fork", "--kill-child", "sh", "-euc", BOOT, "sh", root / "root",
         var, str(USER)], stdin=subprocess.DEVNULL, stdout=said, stderr=said,
        preexec_fn=lambda: (group / "cgroup.procs").write_text("0"))

    def kept():
        return records.of_data(var / "lib" / "referee")
    try:
        # The starter must leave the group before controllers can be enabled
        # below it.
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}",
                                "children")
        arena.wait_for(lambda: process.poll() is not None or
                       children.read_text("ascii"))
        (group_root() / "cgroup.procs").write_text(str(process.pid))
        arena.wait_for(enough(kept, names), BOOT_S)
    finally:
        process.kill()
        process.wait()
        arena.wait_for(lambda: removed(group))
    log = var / "log" / "referee"
    judge("booted", (log.read_text("latin-1") if log.exists() else "") +
          (root / "console").read_text("latin-1"), kept(), names,
          "A" if {"memory", "pids"} <= set(bounds) else "AB")


def removed(group):
    """Removes a group once its processes are gone; returns true if that worked."""
    for path in sorted(group.rglob("*/"), reverse=True):
        try:
            path.rmdir()
        except OSError:
            pass
    try:
        group.rmdir()
    except OSError:
        pass
    return not group.exists()


def warned():
    """No unit sets what its own comment warns of, whatever bubblewrap is here."""
    for path in sorted((tap.SOURCE_DIR / "doc").glob("*.service")):
        text = path.read_text("ascii")
        comment = text.partition("# Do not add these")[2].partition("\n[")[0]
        names = re.findall(r"[A-Z]\w+", " ".join(re.findall(
            r"^#\t([A-Z][\w, ]*):", comment, re.M)))
        tap.ok("RestrictSUIDSGID" in names, f"{path.name} warns", names)
        tap.equal([name for name in names if f"\n{name}=" in text], [],
                  f"{path.name} sets nothing that it warns of")


def main():
    if INSIDE in os.environ:
        inside(pathlib.Path(os.environ[INSIDE]))
    # A box has its own /tmp, so the folder is elsewhere, where anybody may
    # enter.
    root = pathlib.Path(tempfile.mkdtemp(prefix="referee-test-",
                                         dir="/var/tmp"))
    root.chmod(0o755)
    try:
        warned()
        outside(root)
        if os.environ.get("CHECK_ALL"):
            (root / "boot").mkdir()
            booted(root / "boot")
    finally:
        shutil.rmtree(root, ignore_errors=True)
    tap.done()


main()
