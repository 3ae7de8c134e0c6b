#!/usr/bin/env python3
"""Tests that nothing is done in a data folder in which others could have laid a
trap.  End-to-end for owners and modes of the kernel, as every command meets them."""

import contextlib
import fcntl
import os
import pathlib
import shutil

import daemon
import machine
import tap

LADDERS = {"quick": "game = toepen seats = 2"}
STRANGER = 65534


def commands(serve):
    """Returns each command that opens a data folder, as a list of words."""
    ladder = serve.data / "ladders" / "quick" / "ladder.db"
    bot = tap.SOURCE_DIR / "sample-bots" / "shell"
    return {
        "serve": ["serve", "--config", serve.file],
        "serve --check": ["serve", "--check", "--config", serve.file],
        "bots list": ["bots", "list", "--data", serve.data],
        "bots token": ["bots", "token", "eve", "--data", serve.data],
        "bots add": ["bots", "add", bot, "--data", serve.data],
        "bots log": ["bots", "log", "eve", "--data", serve.data],
        "ladder show": ["ladder", "show", "--data", serve.data, "--ladder",
                        "quick"],
        "ladder show FILE": ["ladder", "show", "--ladder", ladder],
        "ladder rebuild": ["ladder", "rebuild", "--data", serve.data,
                           "--ladder", "quick"],
        "ladder export": ["ladder", "export", "--data", serve.data,
                          "--ladder", "quick"],
        "ladder new": ["ladder", "new", "--ladder",
                       serve.data / "ladders" / "other" / "ladder.db"],
        "match": ["match", "toepen", "--games", "1", "--exact", "--ladder", ladder,
                  "--bot", "random", "--name", "a", "--bot", "random",
                  "--name", "b"],
    }


def tree(folder):
    """Returns the files of a folder and their dates."""
    return {str(path): path.lstat().st_mtime_ns  # luck: if it was written
            for path in sorted(pathlib.Path(folder).rglob("*"))}


def run(words):
    """Runs a command; a daemon that is not refused is stopped."""
    return tap.run(["timeout", "60", tap.REFEREE, *words])


def refused(serve, what, path, cure):
    """Tests that every command refuses in one sentence and changes nothing."""
    before = tree(serve.data)
    for name, words in commands(serve).items():
        done = run(words)
        tap.ok(done.code in (2, 3) and str(path) in done.err and
               cure in done.err and
               done.err.count("referee: ") == 1 and
               not done.out, f"{what}: {name} is refused", done)
    tap.equal(tree(serve.data), before, f"{what}: nothing has changed")


def taken(serve, what):
    done = tap.referee("bots", "list", "--data", serve.data)
    tap.equal((done.code, done.err), (0, ""), f"{what}: is taken")


def modes(serve):
    data = serve.data
    data.chmod(0o770)
    refused(serve, "mode 0770", data, "chmod go-w ")
    for mode in (0o1777, 0o702):
        data.chmod(mode)
        tap.complains(tap.referee("bots", "list", "--data", data), 3, "chmod go-w ",
                      f"mode {mode:04o}")
    for mode in (0o755, 0o711, 0o700):
        data.chmod(mode)
        taken(serve, f"mode {mode:04o}")


def insides(serve):
    """Tests that each command also checks the contents of a folder that others
    may enter."""
    data = serve.data
    for name in ("incoming", "trials"):
        (data / name).mkdir(exist_ok=True)
    data.chmod(0o755)
    for name, open_, shut in (("ladders", 0o777, 0o700),
                              ("ladders/quick", 0o777, 0o700),
                              ("incoming", 0o733, 0o700),
                              ("trials", 0o733, 0o700),
                              ("roster.db", 0o666, 0o600),
                              ("lock", 0o666, 0o600)):
        (data / name).chmod(open_)
        done = tap.referee("bots", "list", "--data", data)
        if name == "ladders/quick":
            done = tap.referee("ladder", "show", "--data", data, "--ladder",
                               "quick")
        tap.ok(done.code == 3 and f"{data / name}" in done.err and
               "chmod go-w " in done.err, f"{name} of mode {open_:04o} "
               "is refused", done)
        data.chmod(0o700)
        taken(serve, f"{name} of mode {open_:04o} where nobody gets to it")
        data.chmod(0o755)
        (data / name).chmod(shut)
    taken(serve, "all shut again")
    data.chmod(0o700)


def owners(serve):
    if os.geteuid() != 0:
        tap.ok(True, "of somebody else # SKIP only root can give files away")
        return
    data = serve.data
    os.chown(data, STRANGER, STRANGER)
    refused(serve, "of somebody else", data, f"run this as user {STRANGER}")
    os.chown(data, 0, 0)
    for name in ("ladders", "roster.db", "roster.key", "lock"):
        os.chown(data / name, STRANGER, STRANGER)
        done = tap.referee("bots", "list", "--data", data)
        tap.ok(done.code == 3 and str(data / name) in done.err,
               f"{name} of somebody else is refused", done)
        os.chown(data / name, 0, 0)
    taken(serve, "all ours again")


def rehearsed(serve, what, data, sentence):
    """Tests that `serve --check` says why a daemon cannot use this folder (no
    sentence: it can), and makes nothing."""
    file = serve.root / "rehearsed.conf"
    file.write_text(f'data = "{data}"\nladder "quick" '
                    '{ game = toepen seats = 2 }\n')
    before = list(tree(serve.root))
    done = tap.referee("serve", "--check", "--config", file)
    if sentence:
        tap.complains(done, 2, f"{file}: {sentence}", f"--check: {what}")
    else:
        tap.equal((done.code, done.out, done.err), (0, "ok\n", ""),
                  f"--check: {what}")
    tap.equal(list(tree(serve.root)), before,
              f"--check: {what}: it makes nothing")


def rehearsals(serve):
    root = serve.root
    (root / "plain").write_text("")
    rehearsed(serve, "a plain file", root / "plain",
              f"{root}/plain is not a folder")
    rehearsed(serve, "a folder in a plain file", root / "plain" / "data",
              f"cannot make the folder {root}/plain/data: Not a directory")
    rehearsed(serve, "a folder in none", root / "no" / "data",
              f"cannot make the folder {root}/no/data: No such file")
    rehearsed(serve, "a folder that a daemon would make", root / "new", "")
    rehearsed(serve, "a good folder", serve.data, "")
    (serve.data / "ladders" / "quick").chmod(0o777)
    serve.data.chmod(0o755)
    rehearsed(serve, "a ladder in which others may write", serve.data,
              f"others may write in {serve.data}/ladders/quick")
    serve.data.chmod(0o700)
    (serve.data / "ladders" / "quick").chmod(0o700)


def shut(what):
    """Tests a check of the configuration by a user who cannot look into the
    folder."""
    done = os.geteuid() == 0 and tap.run([*machine.NOBODY, tap.REFEREE,
                                          "--version"])
    if not done or done.code != 0:
        tap.skip(what, "no other user can run the program here")
        return
    with tap.folder() as root:
        data, file = pathlib.Path(root, "data"), pathlib.Path(root, "its.conf")
        data.mkdir(mode=0o700)
        os.chmod(root, 0o755)
        os.chown(data, STRANGER - 1, STRANGER - 1)
        file.write_text(f'data = "{data}"\nladder "quick" '
                        '{ game = toepen seats = 2 }\n')
        done = tap.run([*machine.NOBODY, tap.REFEREE, "serve", "--check",
                        "--config", file])
        tap.equal((done.code, done.out, done.err), (0, "ok\n", ""), what)


def link(serve):
    """Tests that a link to the folder is judged like its target."""
    name = serve.root / "link"
    name.symlink_to(serve.data)
    done = tap.referee("bots", "list", "--data", name)
    tap.equal(done.code, 0, "a link to a good one is taken")
    serve.data.chmod(0o777)
    done = tap.referee("bots", "list", "--data", name)
    tap.equal(done.code, 3, "to a bad one not")
    serve.data.chmod(0o700)


def readers(serve):
    """Tests that the daemon warns and starts if others may read the folder."""
    serve.data.chmod(0o755)
    serve.start()
    tap.equal(len(serve.log("data-folder-open")), 1, "it warns of readers")
    serve.stop()
    serve.data.chmod(0o750)
    serve.start()
    tap.equal(serve.log("data-folder-open"), [], "a group is no stranger")
    serve.stop()
    serve.data.chmod(0o700)


@contextlib.contextmanager
def locked(serve):
    """Holds the lock as another process does."""
    with open(serve.data / "lock", "r+", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.truncate(0)
        lock.write("4711\n")
        lock.flush()
        yield


def another_has_it(serve):
    """Tests a start while a short command of the owner holds the lock."""
    with locked(serve):
        serve.environ = daemon.slow_time(serve.root)  # it waits for 5 s of its clock
        serve.launch()
        serve.environ = None
        serve.wait_for_log("data-folder-waits")
        waits = serve.process.poll() is None
    tap.ok(waits and serve.says("process 4711"),
           "a daemon waits for a command that has its folder", serve.text())
    serve.wait_for_log("listening", 2)
    tap.equal(len(serve.log("listening")), 2, "and starts when it is done")
    serve.stop()
    with locked(serve):
        serve.launch()
        tap.equal(serve.wait(), 3, "it does not wait for ever")
        tap.ok(f"referee: {serve.data}/lock is in use by another referee "
               "(process 4711)" in serve.text(),
               "and says which process has it", serve.text())


def own_mask(serve):
    """Tests that the referee's own files are closed to others with any umask."""
    shutil.rmtree(serve.data)
    before = os.umask(0)
    try:
        serve.start()
        serve.token("ann")
        serve.stop()
    finally:
        os.umask(before)
    found = [(str(path), oct(path.lstat().st_mode & 0o777))
             for path in [serve.data, *serve.data.rglob("*")]
             if path.lstat().st_mode & 0o022 and not path.is_symlink()]
    tap.equal(found, [], "with a umask of 0 nothing can be written by others")


with daemon.Daemon(LADDERS) as home:
    home.token("alice")
    home.start()
    home.stop()
    (home.data / "ladders" / "other").mkdir()
    modes(home)
    insides(home)
    owners(home)
    rehearsals(home)
    shut("--check: what this user cannot look into is the daemon's to tell")
    link(home)
    readers(home)
    another_has_it(home)
    own_mask(home)
tap.done()
