#!/usr/bin/env python3
"""Tests a daemon that is killed, whose disk is full, and whose bots come, go
and misbehave: a result that a bot was told counts, once.

CHECK_ALL=1 takes minutes and has hundreds of bots.
"""

import collections
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess

import arena
import daemon
import tap

LONG = bool(os.environ.get("CHECK_ALL"))
BOTS = 240 if LONG else 24
KILLS = 20 if LONG else 3
LIFE = (1000, 9000) if LONG else (20, 80)  # lines between two kills
STEADY = 9000 if LONG else 60  # lines in the last one, in which memory is measured
LOOKS = 60  # how often it is measured
GROWTH = 1.10  # allowed growth of memory in its second half
POINTS = 15 if LONG else 2  # points of a game of Toepen
DISK_BYTES = 1024 << 20 if LONG else 64 << 20
PATIENCE_S = 600  # ends a test that hangs
REMOTE_BOTS = tap.SOURCE_DIR / "tests" / "bench" / "remote-bots.py"
TIMES = "move-time = 500 bank = 0 faults = 3"
LADDERS = {
    "toepen": f'game = toepen seats = 3 options = {{ "points={POINTS}" }} '
              f'at-once = 12 {TIMES}',
    "quick": f'game = toepen seats = 2 options = {{ "points={POINTS}" }} '
             f'at-once = 20 open = arrival pairing = random {TIMES}',
    "daumen": f'game = daumen-drauf seats = 2 options = {{ "games=1" }} '
              f'at-once = 12 pairing = rounds {TIMES}',
    "durnius": f'game = durnius seats = 4 at-once = 8 {TIMES}',
}
MANNERS = ("good", "good", "good", "slow", "cuts", "cuts", "forgets", "dies",
           "bad", "good")
# A sanitizer keeps freed memory, which would look like a leak.
QUARANTINE = "quarantine_size_mb=1:thread_local_quarantine_size_kb=64"


# ---- bots -----------------------------------------------------------------

class Crowd:
    def __init__(self, serve):
        self.serve, self.process = serve, None
        self.told = serve.root / "told"
        self.tally = serve.root / "tally"
        self.ports = serve.root / "ports"
        dice = tap.dice("crowd")
        lines = []
        for i in range(BOTS):
            name = f"bot{i}"
            ladders = dice.sample(list(LADDERS), dice.randint(1, 3))
            lines.append(" ".join((
                name, serve.token(name), MANNERS[i % len(MANNERS)],
                str(dice.choice((1, 1, 3, 8))),
                "tls" if serve.tls and i % 4 == 1 else "tcp", *ladders)))
        (serve.root / "bots").write_text("\n".join(lines) + "\n", "ascii")

    def find_daemon(self):
        new = self.ports.with_suffix(".new")
        new.write_text(" ".join(str(self.serve.port(name))
                                for name in ("bots", "safe")) + "\n", "ascii")
        new.rename(self.ports)

    def come(self):
        self.process = subprocess.Popen(
            [*tap.PYTHON, str(REMOTE_BOTS), "--ports",
             str(self.ports), "--bots", str(self.serve.root / "bots"),
             "--told", str(self.told), "--tally", str(self.tally)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(self.serve.root / "crowd-stderr", "ab"))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def leave(self):
        self.process.terminate()
        return self.process.wait(PATIENCE_S)

    def lines(self):
        """Returns the lines that bots were told, without an incomplete last
        one."""
        if not self.told.exists():
            return []
        return self.told.read_text("ascii").split("\n")[:-1]


# ---- what counts ----------------------------------------------------------

def record_hash(path):
    """Returns the hash that RECORD.md describes: over all but comments."""
    text = "".join(line.split(" ;")[0] + "\n" for line in
                   path.read_text("utf-8").split("\n")[:-1]
                   if not line.startswith(";"))
    return hashlib.blake2b(text.encode(), digest_size=32).hexdigest()


def rated(serve, name):
    """Returns [(game, hash)] of the ladder's file, and true if the file is
    sound."""
    base = sqlite3.connect(serve.data / "ladders" / name / "ladder.db")
    rows = base.execute("select id, hash from game").fetchall()
    sound = base.execute("pragma integrity_check").fetchall() == [("ok",)]
    base.close()
    return [(id_, hash_.hex()) for id_, hash_ in rows], sound


def gather(serve):
    """Returns for all ladders [(game, hash)] of the rated games, and {game:
    [hash]} of the finished and of the aborted records."""
    games, finished, aborted = [], {}, {}
    for name in LADDERS:
        rows, sound = rated(serve, name)
        tap.ok(sound, f"{name}: the ladder's file is sound")
        games += rows
        for path in serve.records(name):
            if path.suffix != ".rec":
                continue
            to = finished if "-" in path.name else aborted
            to.setdefault(path.stem.split("-")[-1], []).append(
                record_hash(path))
    return games, finished, aborted


def told(crowd):
    """Returns {game: {hash}} of the games that bots heard were over, and the
    aborted games."""
    over, abort = {}, set()
    for words in map(str.split, crowd.lines()):
        if words[0] == "over":
            over.setdefault(words[1], set()).add(words[2])
        else:
            abort.add(words[1])
    return over, abort


def compare_what_was_told(serve, crowd):
    over, abort = told(crowd)
    games, finished, aborted = gather(serve)
    counts = collections.Counter(id_ for id_, _ in games)
    hashes = dict(games)
    tap.note(f"{len(crowd.lines())} lines told of {len(over)} games "
             f"that were over and {len(abort)} aborted; {len(games)} are rated,"
             f" {len(finished)} + {len(aborted)} have records")
    tap.ok(len(over) > BOTS, "games were over", len(over))

    def none(wrong, what):
        tap.ok(not wrong, what, sorted(wrong)[:5])

    none([id_ for id_, n in counts.items() if n > 1], "no game counts twice")
    none([id_ for id_, told_ in over.items()
          if told_ != {hashes.get(id_)}],
         "what was told to be over is rated, with this hash")
    none([id_ for id_, told_ in over.items()
          if finished.get(id_) != list(told_)],
         "and has one record, with this hash")
    none([id_ for id_, found in finished.items()
          if found != [hashes.get(id_)]],
         "each record is of a game that is rated")
    none([id_ for id_ in hashes if id_ not in finished],
         "each game that is rated has its record")
    none(abort & set(hashes), "what was told to be aborted does not count")


def verify_all(serve):
    bad = [path.name for name in LADDERS for path in serve.records(name, "*")
           if path.suffix not in (".rec", ".asks", ".ladder")]
    tap.ok(not bad, "no temporary file is left", bad)
    paths = [path for name in LADDERS for path in serve.records(name)]
    wrong = []
    for i in range(0, len(paths), 1000):
        run = tap.referee("verify", *paths[i:i + 1000])
        if run.code != 0 or run.out.count("ok ") != len(paths[i:i + 1000]):
            wrong.append(run)
    tap.ok(not wrong, f"all records verify ({len(paths)})", wrong)


def rebuild_copies(serve):
    """Tests that a rebuild from its records gives the same ladder."""
    for name in LADDERS:
        copy = serve.root / "copy" / name
        shutil.copytree(serve.data / "ladders" / name, copy)
        before = serve.ladder("export", name).out
        rebuilt = tap.referee("ladder", "rebuild", "--json", "--ladder",
                              copy / "ladder.db")
        after = tap.referee("ladder", "export", "--ladder",
                            copy / "ladder.db").out
        report = json.loads(rebuilt.out or "{}")
        tap.ok(rebuilt.code == 0 and before == after and report["games"] > 0
               and not (report["added"] or report["altered"]
                        or report["changed"]),
               f"{name}: the ladder is what its records say", rebuilt)


# ---- the soak -------------------------------------------------------------

def wait_for_more(crowd, more=20):
    """Waits until bots were told this many more lines."""
    enough = len(crowd.lines()) + more
    return arena.wait_for(lambda: len(crowd.lines()) >= enough, PATIENCE_S)


def kill_and_start(serve, crowd, dice):
    """Kills and starts the daemon; now and then the bots die with it."""
    going, settled = [], 0
    for turn in range(KILLS):
        going.append(wait_for_more(crowd, dice.randint(*LIFE)))
        serve.process.send_signal(signal.SIGHUP)
        wait_for_more(crowd, dice.randint(0, 9))
        if turn % 3 == 1:
            crowd.kill()
        serve.kill()
        serve.start()
        crowd.find_daemon()
        settled += sum(int(line.split("settled=")[1].split()[0])
                       for line in serve.log("ladder-open"))
        if turn % 3 == 1:
            crowd.come()
    tap.note(f"{KILLS} kills, after which {settled} games were still rated")
    tap.ok(all(going), f"killed {KILLS} times, it goes on each time", going)


def fill_disk(serve, crowd):
    disk = serve.disk
    if not disk.is_own:
        tap.ok(True, "a full disk # SKIP not allowed to mount")
        return
    failed = len(serve.log("disk-fails"))
    disk.fill()
    tap.ok(serve.wait_for_log("disk-fails", failed + 1),
           "a full disk is told in the log")
    tap.equal(serve.get("/metrics").code, 200, "and does not end it")
    disk.free()
    tap.ok(wait_for_more(crowd), "and it goes on when there is room")


def watch(serve, crowd):
    """Measures descriptors and memory of an undisturbed daemon."""
    if tap.skip("no more descriptors than bots", serve.hidden):
        return
    samples = []
    for _ in range(LOOKS):
        wait_for_more(crowd, STEADY // LOOKS)
        samples.append((serve.descriptors(), serve.memory_kb()))
    half = len(samples) // 2
    first, last = samples[half // 2:half], samples[half + half // 2:]
    tap.note("descriptors " + " ".join(str(fd) for fd, _ in samples[::6]))
    tap.note("own KiB " + " ".join(str(kb) for _, kb in samples[::6]))
    tap.ok(max(fd for fd, _ in samples) <= serve.idle_fds + 2 * BOTS,
           "no more descriptors than bots", samples)
    if LONG:
        tap.ok(max(kb for _, kb in last)
               <= GROWTH * max(kb for _, kb in first) + 1024,
               "memory does not grow", samples)
    tap.ok(wait_for_more(crowd), "it still plays")


def is_played(serve):
    """Tells if a game is rated on each ladder since the daemon's last start."""
    return all(serve.metric(f'referee_games_rated_total{{ladder="{name}"}}')
               for name in LADDERS)


def soak():
    dice = tap.dice("kills")
    os.environ["ASAN_OPTIONS"] = ":".join(
        filter(None, (os.environ.get("ASAN_OPTIONS"), QUARANTINE)))
    with daemon.Daemon(LADDERS, tls=True) as serve:
        serve.disk = daemon.Disk(serve, DISK_BYTES)
        crowd = Crowd(serve)
        serve.start()
        serve.hidden = serve.hides_descriptors()
        serve.idle_fds = None if serve.hidden else serve.descriptors()
        crowd.find_daemon()
        crowd.come()
        try:
            kill_and_start(serve, crowd, dice)
            fill_disk(serve, crowd)
            watch(serve, crowd)
            arena.wait_for(lambda: len(told(crowd)[0]) > BOTS
                           and is_played(serve), PATIENCE_S)
            crowd.leave()
            gone = "when the bots are gone their descriptors are, too"
            if not tap.skip(gone, serve.hidden):
                # Each ladder's pack is open now.
                tap.ok(arena.wait_for(lambda: serve.descriptors()
                                      <= serve.idle_fds + len(LADDERS),
                                      PATIENCE_S), gone,
                       (serve.descriptors(), serve.idle_fds))
            serve.term()
            tap.equal(serve.wait(), 0, "SIGTERM: it ends well")
        finally:
            crowd.kill()
        for line in crowd.tally.read_text("utf-8").splitlines():
            tap.note(line.replace("\t", ": "))
        tap.note((serve.root / "crowd-stderr").read_text("utf-8"))
        compare_what_was_told(serve, crowd)
        verify_all(serve)
        rebuild_copies(serve)


daemon.may_mount()
soak()
tap.done()
