#!/usr/bin/env python3
"""End-to-end because a build runs a stranger's program in a real box: what it may do and
what it leaves, as root and as an ordinary user."""

import os
import pathlib
import re
import shutil
import signal
import stat

import arena
import daemon
import keys
import local_bots
import machine
import tap
from local_bots import add, bots, entry, put, shown, told

ALL = os.environ.get("CHECK_ALL") == "1"  # the long form
BUILT_FILES, BUILT_BYTES = 20000, 536870912
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


class Place:
    """A data folder of a user, and the bots that are sent in there."""

    def __init__(self, serve, user):
        self.user, self.serve = user, serve
        self.no_boxes = machine.no_boxes(tuple(user))
        self.who = "ordinary user" if user else "we"
        self.root = serve.root / ("user" if user else "own")
        self.root.mkdir()
        self.data = self.root / "data"
        if user:
            os.chown(self.root, 65534, 65534)

    def bots(self, *words, **options):
        return tap.run([*self.user, tap.REFEREE, "bots", *words, "--data",
                        self.data], cwd=self.root, **options)

    def add(self, name, script, *words, more="", **options):
        """Sends in a bot whose build is this script."""
        path = local_bots.folder(
            self.root, name, more='build = { "sh", "make.sh" }\n' + more)
        (path / "make.sh").write_text(script, "utf-8")
        return self.bots("add", path, "--no-check", *words, **options)

    def refused(self, name, script, sentence, **options):
        done = self.add(name, script, **options)
        tap.ok(done.code == 1 and
               sum(sentence in line for line in done.err.splitlines()) == 1 and
               self.listed(name) == [], f"{self.who}: {name}: {sentence}",
               done)
        self.empty(name)

    def listed(self, *names):
        return [line.split()[0] for line in self.bots("list").out.splitlines()
                if line[0] != "\t" and line.split()[0] in names]

    def empty(self, name):
        left = [*self.data.glob("incoming/*")]
        if left:
            tap.ok(False, f"{self.who}: {name}: nothing is left", left)

    def built(self, name):
        """Returns the folder of that bot."""
        hash_ = re.search(rf"^{name} .*\n\t.* hash (\w+)$",
                          self.bots("list").out, re.M)[1]
        return next(self.data.glob(f"bots/{hash_}*/bot"))

    def log(self, name):
        return self.bots("log", name).out


# ---- the manifest ----------------------------------------------------------

def manifests(place):
    kinds = (
            ("written", "sed -i s/written/victim/ bot.conf"),
            ("longer", "echo >>bot.conf"),
            ("renamed", "sed s/renamed/victim/ bot.conf >x; mv x bot.conf"),
            ("linked", "mv bot.conf x; ln -s x bot.conf"),
            ("hard", "sed s/hard/victim/ bot.conf >x; ln -f x bot.conf"),
            ("a-folder", "rm bot.conf; mkdir bot.conf"),
            ("a-pipe", "rm bot.conf; mkfifo bot.conf"),
            ("gone", "rm bot.conf"))
    for name, script in kinds if ALL or not place.user else kinds[:1]:
        place.refused(name, script, "has changed bot.conf")
    tap.equal(place.bots("list").out, "", f"{place.who}: nobody came in")
    done = place.add("same", "cp bot.conf x; rm bot.conf; mv x bot.conf" + (
        "" if place.no_boxes else "; chmod 400 bot.conf"))
    tap.equal(done.code, 0, f"{place.who}: the same bytes once more do")


# ---- what is left ----------------------------------------------------------

LEFT = r"""
cp /bin/true suid; chmod 6755 suid; cp suid sticky; chmod 1777 sticky
mkdir shut; echo in >shut/in; chmod 0 shut/in; chmod 0 shut
mkfifo pipe
python3 -c 'import socket, os
try: socket.socketpair()[0].bind("x")
except OSError: pass
try: os.mknod("device", 0o20666, os.makedev(1, 3))
except OSError: pass'
echo one >hard-1; ln hard-1 hard-2
mkdir -p venv/bin mods/.bin mods/tool
ln -s /usr/bin/python3 venv/bin/python3; ln -s python3 venv/bin/python
ln -s ../tool/cli mods/.bin/tool; echo >mods/tool/cli
ln -s /bot/bot.sh whole; ln -s nowhere dangling; ln -s . self
ln -s /etc/passwd out; ln -s ../x up; ln -s mods/../../x around
ln -s /usr/../etc/shadow back; ln -s /bot/../etc bot-back; ln -s / root
ln -s /usrx like; ln -s ../../.. mods/.bin/far; ln -s /proc/self/cwd proc
ln -s venv/bin/../../../etc by
"""
DROPPED = ("out", "up", "around", "back", "bot-back", "root", "like",
           "mods/.bin/far", "proc", "by")


def left(place):
    done = place.add("left", LEFT)
    tap.equal(done.code, 0, f"{place.who}: a build that leaves much")
    bot = place.built("left")
    modes = {str(path.relative_to(bot)): path.lstat()
             for path in bot.rglob("*")}
    tap.equal([name for name, st in modes.items() if st.st_mode & 0o7000], [],
              f"{place.who}: no file is setuid, setgid or sticky")
    tap.equal([name for name, st in modes.items() if not (
        stat.S_ISREG(st.st_mode) or stat.S_ISDIR(st.st_mode) or
        stat.S_ISLNK(st.st_mode))], [], f"{place.who}: no pipes, no devices")
    tap.equal({st.st_uid for st in modes.values()},
              {65534 if place.user else os.geteuid()},
              f"{place.who}: all is of the daemon's user")
    tap.equal([(bot / name).lstat().st_nlink for name in
               ("hard-1", "hard-2")], [1, 1],
              f"{place.who}: hard links are files of their own")
    links = {str(path.relative_to(bot)): os.readlink(path)
             for path in bot.rglob("*") if path.is_symlink()}
    tap.equal(links, {"venv/bin/python3": "/usr/bin/python3",
                      "venv/bin/python": "python3",
                      "mods/.bin/tool": "../tool/cli",
                      "whole": "/bot/bot.sh", "dangling": "nowhere",
                      "self": "."},
              f"{place.who}: links that stay in the folder, or in /usr, stay")
    text = place.log("left")
    missing = [name for name in (*DROPPED, "pipe")
               if f"'{name}' was left out" not in text]
    tap.equal(missing, [], f"{place.who}: what was left out is told")
    tap.equal((bot / "shut" / "in").read_text(), "in\n",
              f"{place.who}: what was closed is there")
    place.empty("left")


def bounds(place):
    """Tests the bounds of a build.  Below tier B it works in its own folder,
    where it must not change times (so no touch), and only what it leaves is
    bounded."""
    name = "é" * 50 + "x"
    long = "/".join(["p" * 249] * 3)  # with a name of 250 bytes it has 1000
    if place.user and not ALL:
        return
    done = place.add("deep", f"mkdir -p {'/'.join('d' * 31)}; : >"
                     f"{'/'.join('d' * 31)}/x; : >{'n' * 255}; "
                     f": >{name}; mkdir -p {long}; cd {long}; "
                     f": >{'p' * 250}")
    tap.equal(done.code, 0, f"{place.who}: at the limits")
    for name, script, sentence in (
            ("deeper", f"mkdir -p {'/'.join('d' * 32)}; : >"
             f"{'/'.join('d' * 32)}/x", "is more than 31 folders deep"),
            ("abyss", "python3 -c 'import os\nfor _ in range(5000):\n"
             " os.mkdir(\"abcdefghij\"); os.chdir(\"abcdefghij\")'",
             "is more than 31 folders deep"),
            ("long-path", f"mkdir -p {long}; cd {long}; : >{'p' * 251}",
             "has more than 1000 bytes"),
            ("newline", ": >'a\nb'", "contains a control character"),
            ("latin", ": >$(printf '\\351')", "is not UTF-8"),
            ("too-many", f"for d in $(seq 50); do mkdir $d; cd $d; for f in "
             f"$(seq {BUILT_FILES // 50}); do : >$f; done; cd ..; done" +
             ("" if place.no_boxes else "; sleep 600"),
             ("" if place.no_boxes else "made ") +
             f"more than {BUILT_FILES} files"),
            ("hard-links", "truncate -s 200000000 x; ln x y; ln x z",
             f"more than {BUILT_BYTES} bytes")):
        place.refused(name, script, sentence)
    done = place.add("too-much", "for i in 1 2 3; do "
                     "yes | head -c 200000000 >$i || exit 1; done")
    tap.ok(done.code == 1 and (
        f"more than {BUILT_BYTES} bytes" if place.no_boxes
        else "No space left") in done.err,
           f"{place.who}: too-much: the disk of a build is full", done)
    place.empty("too-much")


# ---- commands --------------------------------------------------------------

def outside(place):
    """Tests that the uploader is told nothing that depends on files outside."""
    if tap.skip(f"{place.who}: the log tells nothing of outside",
                place.no_boxes):
        return
    secret = place.root / "secret"
    place.data.chmod(0o755)  # so that a box can show a bot at its own path
    path = local_bots.folder(place.root, "curious")
    manifest = (path / "bot.conf").read_text() + 'games = { "toepen" }\n'
    (path / "bot.sh").write_text("stat -c 'seen %u:%a' /bot; exit 1\n")
    (path / "script").write_text(f"#!{secret}\n")
    (path / "script").chmod(0o755)

    def ask(run, more):
        (path / "bot.conf").write_text(
            re.sub("run = .*", f"run = {run}", manifest) + more)
        done = place.bots("add", path)
        seen = re.findall("seen [0-9:]+", done.err)
        return done.code, seen[:1] or re.sub("seed [0-9a-f]+", "", done.err)

    cases = (
        (f'{{ "{secret}" }}', ""), ('{ "./script" }', ""),
        ('{ "../secret" }', ""), (f'{{ "sh", "bot.sh", "{secret}" }}', ""),
        ('{ "sh", "bot.sh" }', 'needs = { "secret-tool" }\n'))
    for run, more in cases if ALL or not place.user else cases[:1]:
        answers = []
        for make in (lambda: None, lambda: secret.write_text("text"),
                     lambda: secret.chmod(0o700),
                     lambda: (secret.unlink(), secret.mkdir(0o700))):
            make()
            answers.append(ask(run, more))
        secret.rmdir()
        tap.ok(len(set(map(repr, answers))) == 1 and answers[0][0] == 1 and
               ("bot.sh" not in run or more or
                answers[0][1][0].startswith("seen")),
               f"{place.who}: {run} {more.strip()}: the log tells nothing of "
               "outside", "\n".join(map(str, answers)))


# ---- over HTTP -------------------------------------------------------------

def files(name, script):
    more = 'games = { "toepen" }\n' + (
        'build = { "sh", "make.sh" }\n' if script else "")
    made = local_bots.files(name, more=more)
    if script:
        made["make.sh"] = script
    return local_bots.archive([entry(path, text.encode()) for path, text in
                              made.items()], manifest=False)


class Author:
    """An author, who has the token of a bot."""

    def __init__(self, serve, name):
        self.serve, self.name = serve, name
        self.token = serve.token(name)
        self.count = 0

    def send(self, data):
        self.count = len(self.serve.log("upload-over"))
        return put(self.serve, self.name, data, shown(self.name, self.token))

    def log(self):
        """Returns the log of the upload once it is over."""
        arena.wait_for(lambda: len(self.serve.log("upload-over")) > self.count)
        return told(self.serve, self.name, self.token, "upload:")


def takeovers(serve):
    serve.start()
    add(serve, local_bots.folder(serve.root, "bob"))
    bots(serve, "token", "off")
    bots(serve, "disable", "off")
    before = bots(serve, "list").out
    alice = Author(serve, "alice")
    why = machine.no_boxes()
    if not tap.skip("an upload that builds another bot", why):
        alice.send(files("alice", "sed -i s/alice/bob/ bot.conf"))
        tap.ok("has changed bot.conf" in alice.log(),
               "an upload that builds another bot", alice.log())
    tap.equal([line for line in bots(serve, "list").out.splitlines()
               if not line.startswith("alice ")], before.splitlines(),
              "changes no other bot")
    tap.ok(arena.wait_for(lambda: not [*serve.data.glob("incoming/*")]),
           "and leaves nothing")

    serve.get("/")  # the daemon still runs
    if not tap.skip("a bot that is disabled meanwhile is not entered", why):
        alice.send(files("alice", "sleep 600; true"))
        sleeps = arena.wait_for(lambda: [
            pid for pid, line in serve.processes().items()
            if line.strip() == "sleep 600"])
        bots(serve, "disable", "alice")
        for pid in sleeps:  # now the build may end
            os.kill(pid, signal.SIGKILL)
        tap.ok("bot alice is disabled" in alice.log(),
               "a bot that is disabled meanwhile is not entered", alice.log())
    bots(serve, "disable", "alice")
    tap.equal(alice.send(files("alice", "")).code, 403, "nor taken at all")
    bots(serve, "enable", "alice")
    bots(serve, "revoke", "alice")
    path = serve.root / "alice.tar.gz"
    path.write_bytes(files("alice", ""))
    for what, name, sentence in (
            ("without a token", "alice", "bot alice has no token"),
            ("that is not there", "ghost", "there is no bot ghost")):
        path.write_bytes(files(name, ""))
        done = add(serve, path, "--upload")
        tap.ok(done.code == 2 and sentence in done.err,
               f"--upload: a bot {what}", done)
    serve.stop()


def importers(serve):
    """Returns the processes that import uploads."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"--upload" in words and str(serve.data).encode() in words:
            found.append(int(path.parent.name))
    return found


def waits(serve):
    """Tests that an upload says whose place it takes."""
    if tap.skip("an upload in place of one that waits", machine.no_boxes()):
        return
    serve.start()
    dan, eve, eva = (Author(serve, name) for name in ("dan", "eve", "eva"))
    for name in ("eve", "eva"):
        bots(serve, "owner", name, "kit")
    dan.send(files("dan", "sleep 600"))
    arena.wait_for(lambda: list(serve.data.glob("incoming/*/bot/make.sh")))
    first, second = (author.send(files(author.name, "")) for author in (eve, eva))
    tap.equal((first.code, first.text), (202, "see /api/1/bots/eve/log\n"),
              "an upload waits")
    sentence = "It replaced the upload of eve that waited, which is not imported.\n"
    tap.equal((second.code, second.text),
              (202, "see /api/1/bots/eva/log\n" + sentence), "another one in its place")
    notes = serve.get("/api/1/bots/eva/notes", headers=shown("eva", eva.token))
    tap.equal((keys.wrong("/api/1/bots/NAME/notes", notes.text),
               notes.json()["before"], notes.json()["replaced"]), ("", 1, "eve"),
              "its notes say so")
    tap.ok(sentence in told(serve, "eva", eva.token, "waits"), "and its log")
    serve.stop()


def cut_off(serve):
    """Tests that the log mentions an accepted upload whatever happens."""
    if tap.skip("an import that is killed is told", machine.no_boxes()):
        return
    serve.start()
    dan = Author(serve, "dan")

    def begin():
        tap.equal(dan.send(files("dan", "sleep 600")).code, 202,
                  "an upload is taken")
        arena.wait_for(lambda: list(serve.data.glob("incoming/*/bot/make.sh")))

    begin()
    for pid in importers(serve):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    tap.ok("Not imported: it was ended by signal 9" in dan.log(),
           "an import that is killed is told", dan.log())
    arena.wait_for(lambda: not importers(serve))
    begin()
    bots(serve, "rename", "dan", "don")
    dan.name = "don"
    serve.stop()
    serve.start()
    text = told(serve, "don", dan.token, "upload:")
    tap.ok("Not imported: the referee stopped before" in text and
           "upload waits" not in text,
           "and one that the daemon did not live to end", text)
    tap.ok(any("bot=don" in line for line in serve.log("upload-lost")),
           "which its log names, too", serve.log("upload-lost"))
    dan.send(files("dan", ""))
    tap.ok("but don was expected" in dan.log(), "under its name", dan.log())
    bots(serve, "rename", "don", "din")
    tap.ok("but don was expected" in
           told(serve, "din", dan.token, "upload:") and
           "but don was expected" in bots(serve, "log", "din").out,
           "whatever it is called", bots(serve, "log", "din"))
    serve.stop()


def below_b(serve):
    """Tests that no upload is built without a box."""
    serve.file.write_text(serve.file.read_text().replace(
        f"uploads = {local_bots.UPLOADS}",
        "uploads = without-box\nsandbox = off"))
    serve.start()
    cal = Author(serve, "cal")
    cal.send(files("cal", "touch " + str(serve.root / "ran")))
    tap.ok("which the build of an upload needs" in cal.log() and
           not (serve.root / "ran").exists(), "no build below tier B",
           cal.log())
    serve.file.write_text(serve.file.read_text().replace(
        "uploads = without-box", "uploads = yes"))
    tap.ok(not serve.reload() and "needs a sandbox of tier A or B" in
           serve.log("configuration-refused")[-1],
           "nor are uploads allowed there by a reload that does not say so")
    path = local_bots.folder(serve.root, "own", more='build = { "sh", "-c", '
                            '"touch built" }\n')
    done = add(serve, path, "--sandbox", "off")
    tap.ok(done.code == 0 and [*serve.data.glob("bots/*/bot/built")],
           "the operator's own may be built there", done)
    done = bots(serve, "add", local_bots.folder(
        serve.root, "own", "2", more='build = { "sh", "-c", '
        '"echo >>bot.conf" }\n'), "--no-check", "--sandbox", "off")
    tap.ok(done.code == 1 and "has changed bot.conf" in done.err,
           "and not change its manifest", done)
    serve.stop()


def left_overs(serve):
    """Tests that leftover trees of any depth and shape are removed."""
    deep = serve.data / "incoming" / "deep"
    deep.mkdir(parents=True)
    here = os.open(".", os.O_RDONLY)
    os.chdir(deep)
    for number in range(6000 if ALL else 600):
        os.mkdir("0123456789")
        if number % 200 == 0:
            os.mkdir("beside")
            os.symlink("/", "root")
            os.mkfifo("pipe")
        os.chdir("0123456789")
    os.fchdir(here)
    os.close(here)
    shut = serve.data / "incoming" / "shut"
    (shut / "in").mkdir(parents=True)
    (shut / "in" / "file").touch()
    (shut / "in").chmod(0)
    shut.chmod(0)
    (serve.data / "incoming" / "file").touch()
    if os.geteuid() == 0 and shutil.which("setpriv") and \
            tap.run([*NOBODY, "test", "-x", tap.REFEREE]).code == 0:
        for path in [serve.data, serve.data / "incoming", shut / "in" / "file",
                     shut / "in", shut]:
            os.chown(path, 65534, 65534)
        user = NOBODY
    else:
        user = []
    serve.root.chmod(0o755)
    path = local_bots.folder(serve.root, "dan")
    done = tap.run([*user, "sh", "-c", 'ulimit -n 100; exec "$@"', "sh",
                    tap.REFEREE, "bots", "add", path, "--no-check", "--data",
                    serve.data])
    tap.ok(done.code == 0, "an import", done)
    left = [path.name for path in (serve.data / "incoming").iterdir()]
    if user:
        tap.equal(left, ["deep"], "what belongs to others stays")
        # Root works only in root's own folders.
        for folder, _, names in os.walk(serve.data):
            if "deep" not in folder:
                for one in [folder, *(os.path.join(folder, name)
                                      for name in names)]:
                    os.chown(one, 0, 0, follow_symlinks=False)
        done = tap.run(["sh", "-c", 'ulimit -n 100; exec "$@"', "sh",
                        tap.REFEREE, "bots", "add", path, "--no-check",
                        "--data", serve.data])
        left = [path.name for path in (serve.data / "incoming").iterdir()]
    tap.equal(left, [], "sweeps what others have left")
    (serve.data / "incoming" / "x" / "y").mkdir(parents=True)
    serve.start()
    tap.ok(arena.wait_for(lambda: not [*serve.data.glob("incoming/*")]),
           "and so does the daemon's start")
    serve.stop()


def crowded(serve):
    """Tests that no more builds run at a time than there is room for."""
    waits = []
    for number in range(4):
        path = local_bots.folder(
            serve.root, f"slow-{number}",
            more='build = { "sh", "-c", "echo; sleep 600" }\n')
        waits.append(serve.start_beside(
            [tap.REFEREE, "bots", "add", path, "--no-check", "--data",
             serve.data]))
    arena.wait_for(lambda: len([*serve.data.glob("incoming/*/bot/bot.conf")])
                   == 4)
    done = add(serve, local_bots.folder(serve.root, "fifth"))
    tap.ok(done.code == 3 and "4 bots are being imported now, the most at a time: "
           "wait until one is in, or end one" in done.err,
           "a fifth import at a time is refused, and a sentence says how to make room",
           done)
    waits[0].kill()
    waits[0].wait()
    tap.ok(arena.wait_for(lambda: add(serve, serve.root / "fifth-1").code == 0),
           "and taken when one has ended")


def full(serve):
    """Tests that uploads stop when the disk is full, and that games go on."""
    need = (512 << 20) + (64 << 20) + (512 << 20)
    disk = daemon.Disk(serve, need + (1 << 20))
    if not disk.is_own:
        tap.ok(True, "a full disk # SKIP no mounts here")
        return
    serve.start()
    eve = Author(serve, "eve")
    answer = eve.send(files("eve", ""))
    tap.equal(answer.code, 202, "there is room for one upload")
    tap.ok("checking eve" in eve.log(), "and it comes in", eve.log())
    with open(disk.ballast, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, 2 << 20)
    answer = eve.send(files("eve", "true"))
    tap.ok(answer.code == 507 and "no room for uploads: each needs "
           f"{need >> 20} MiB" in answer.text and
           answer.text.count("\n") == 1, "there is no room: 507",
           (answer.code, answer.text))
    path = serve.root / "eve.tar.gz"
    path.write_bytes(files("eve", "true"))
    done = add(serve, path, "--upload")
    tap.ok(done.code == 3 and "no room for uploads" in done.err,
           "nor for one that has waited", done)
    tap.equal(add(serve, path).code, 0, "the operator's own comes in")
    serve.stop()


def main():
    daemon.may_mount()  # which may start this script again
    users = [[]]
    if os.geteuid() == 0 and shutil.which("setpriv"):
        users.append(NOBODY)
    with local_bots.serve() as serve:
        serve.root.chmod(0o755)
        for user in users:
            if tap.skip("we: builds", None if user else machine.no_builds()):
                continue
            place = Place(serve, user)
            for test in manifests, left, bounds, outside:
                test(place)
    for test in (takeovers, waits, cut_off, below_b, left_overs, crowded, full):
        if test in (takeovers, waits, cut_off, crowded) and \
                tap.skip(test.__name__, machine.no_builds()):
            continue
        with local_bots.serve() as serve:
            test(serve)
    tap.done()


main()
