#!/usr/bin/env python3
"""The daemon is killed, its disk is full, its bots come, go and misbehave; what
a bot was told to be safe counts, once.

CHECK_ALL=1 takes minutes, and hundreds of bots.
"""

import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import arena
import daemon
import tap

LONG = bool(os.environ.get("CHECK_ALL"))
BOTS = 240 if LONG else 24
KILLS = 20 if LONG else 3
LIFE_S = (2, 15) if LONG else (0.5, 1.5)
STEADY_S = 120 if LONG else 2  # of the last life, which memory is measured in
GROWTH = 1.10  # of memory in the second half of it
POINTS = 15 if LONG else 2  # of a game of Toepen
DISK_BYTES = 512 << 20 if LONG else 64 << 20
PATIENCE_S = 60
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
# A sanitizer keeps what was freed, which would look like a leak.
QUARANTINE = "quarantine_size_mb=1:thread_local_quarantine_size_kb=64"


# ---- a disk of its own ----------------------------------------------------

def may_mount():
    """In a mount namespace of our own, which goes when this process does."""
    if os.environ.get("REFEREE_TEST_MOUNTS"):
        return True
    if shutil.which("unshare") and tap.run(
            ["unshare", "-m", "sh", "-c",
             "mount -t tmpfs -o size=64k none /tmp"]).code == 0:
        os.environ["REFEREE_TEST_MOUNTS"] = "1"
        sys.stdout.flush()
        os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv])
    return False


class Disk:
    """Of the daemon's data; None: as large as ours."""

    def __init__(self, house):
        self.ballast = house.data / "ballast"
        house.data.mkdir()
        house.data.chmod(0o700)
        self.is_own = may_mount() and tap.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=0700",
             "none", house.data]).code == 0

    def fill(self):
        with open(self.ballast, "wb", buffering=0) as file:
            block = bytes(1 << 16)
            try:
                while file.write(block) > 0:
                    pass
            except OSError:
                pass

    def free(self):
        self.ballast.unlink()


# ---- bots -----------------------------------------------------------------

class Crowd:
    def __init__(self, house):
        self.house, self.process = house, None
        self.told = house.root / "told"
        self.tally = house.root / "tally"
        self.ports = house.root / "ports"
        dice = random.Random(1)
        lines = []
        for i in range(BOTS):
            name = f"bot{i}"
            ladders = dice.sample(list(LADDERS), dice.randint(1, 3))
            lines.append(" ".join((
                name, house.token(name), MANNERS[i % len(MANNERS)],
                str(dice.choice((1, 1, 3, 8))),
                "tls" if house.tls and i % 4 == 1 else "tcp", *ladders)))
        (house.root / "bots").write_text("\n".join(lines) + "\n", "ascii")

    def find_daemon(self):
        new = self.ports.with_suffix(".new")
        new.write_text(" ".join(map(str, self.house.ports)) + "\n", "ascii")
        new.rename(self.ports)

    def come(self):
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(REMOTE_BOTS), "--ports",
             str(self.ports), "--bots", str(self.house.root / "bots"),
             "--told", str(self.told), "--tally", str(self.tally)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(self.house.root / "crowd-stderr", "ab"))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def leave(self):
        self.process.terminate()
        return self.process.wait(PATIENCE_S)

    def lines(self):
        """What was told, but for a line that is not whole."""
        if not self.told.exists():
            return []
        return self.told.read_text("ascii").split("\n")[:-1]


# ---- what counts ----------------------------------------------------------

def record_hash(path):
    """As RECORD.md has it: of all but comments."""
    text = "".join(line.split(" ;")[0] + "\n" for line in
                   path.read_text("utf-8").split("\n")[:-1]
                   if not line.startswith(";"))
    return hashlib.blake2b(text.encode(), digest_size=32).hexdigest()


def rated(house, name):
    """[(game, hash)] as the ladder's file has them, and whether it is sound."""
    base = sqlite3.connect(house.data / "ladders" / name / "ladder.db")
    rows = base.execute("select id, hash from game").fetchall()
    sound = base.execute("pragma integrity_check").fetchall() == [("ok",)]
    base.close()
    return [(id_, hash_.hex()) for id_, hash_ in rows], sound


def gather(house):
    """Of all ladders: [(game, hash)] that are rated, and {game: [hash]} of
    records that are finished and of those that were aborted."""
    games, finished, aborted = [], {}, {}
    for name in LADDERS:
        rows, sound = rated(house, name)
        tap.ok(sound, f"{name}: the ladder's file is sound")
        games += rows
        for path in house.records(name):
            if path.suffix != ".rec":
                continue
            to = finished if "-" in path.name else aborted
            to.setdefault(path.stem.split("-")[-1], []).append(
                record_hash(path))
    return games, finished, aborted


def told(crowd):
    """{game: {hash}} of what was over, and the games that were aborted."""
    over, abort = {}, set()
    for words in map(str.split, crowd.lines()):
        if words[0] == "over":
            over.setdefault(words[1], set()).add(words[2])
        else:
            abort.add(words[1])
    return over, abort


def compare_what_was_told(house, crowd):
    over, abort = told(crowd)
    games, finished, aborted = gather(house)
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


def verify_all(house):
    paths = [path for name in LADDERS for path in house.records(name)]
    bad = [path.name for path in paths if path.suffix != ".rec"]
    tap.ok(not bad, "no temporary file is left", bad)
    wrong = []
    for i in range(0, len(paths), 1000):
        run = tap.referee("verify", *paths[i:i + 1000])
        if run.code != 0 or run.out.count("ok ") != len(paths[i:i + 1000]):
            wrong.append(run)
    tap.ok(not wrong, f"all records verify ({len(paths)})", wrong)


def rebuild_copies(house):
    """Each ladder comes out of its records as it is."""
    for name in LADDERS:
        copy = house.root / "copy" / name
        shutil.copytree(house.data / "ladders" / name, copy)
        before = house.ladder("export", name).out
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
    """So many more lines were told."""
    enough = len(crowd.lines()) + more
    return arena.wait_for(lambda: len(crowd.lines()) >= enough, PATIENCE_S)


def kill_and_start(house, crowd, dice):
    """Lives that end by SIGKILL; now and then the bots die with it."""
    going, settled = [], 0
    for turn in range(KILLS):
        going.append(wait_for_more(crowd))
        time.sleep(dice.uniform(*LIFE_S))
        house.process.send_signal(signal.SIGHUP)
        time.sleep(dice.uniform(0, 0.2))
        if turn % 3 == 1:
            crowd.kill()
        house.kill()
        house.start()
        crowd.find_daemon()
        settled += sum(int(line.split("settled=")[1].split()[0])
                       for line in house.log("ladder-open"))
        if turn % 3 == 1:
            crowd.come()
    tap.note(f"{KILLS} kills, after which {settled} games were still rated")
    tap.ok(all(going), f"killed {KILLS} times, it goes on each time", going)


def fill_disk(house, crowd):
    disk = house.disk
    if not disk.is_own:
        tap.ok(True, "a full disk # SKIP not allowed to mount")
        return
    failed = len(house.log("disk-fails"))
    disk.fill()
    tap.ok(house.wait_for_log("disk-fails", failed + 1),
           "a full disk is told in the log")
    # What was told before it failed may still be on its way.
    arena.wait_for(lambda: house.process.poll() is not None, 3)
    before = len(crowd.lines())
    arena.wait_for(lambda: house.process.poll() is not None, 3)
    tap.ok(house.process.poll() is None, "and does not end it")
    tap.ok(len(crowd.lines()) - before < 3 * BOTS,
           "and few games are over meanwhile", len(crowd.lines()) - before)
    disk.free()
    tap.ok(wait_for_more(crowd), "and it goes on when there is room")


def watch(house, crowd):
    """Descriptors and memory of a daemon that nobody disturbs."""
    samples = []
    began = time.monotonic()
    while time.monotonic() - began < STEADY_S:
        time.sleep(STEADY_S / 60)
        samples.append((house.descriptors(), house.memory_kb()))
    half = len(samples) // 2
    first, last = samples[half // 2:half], samples[half + half // 2:]
    tap.note("descriptors " + " ".join(str(fd) for fd, _ in samples[::6]))
    tap.note("own KiB " + " ".join(str(kb) for _, kb in samples[::6]))
    tap.ok(max(fd for fd, _ in samples) <= house.idle_fds + 2 * BOTS,
           "no more descriptors than bots", samples)
    if LONG:
        tap.ok(max(kb for _, kb in last)
               <= GROWTH * max(kb for _, kb in first) + 1024,
               "memory does not grow", samples)
    tap.ok(wait_for_more(crowd), "it still plays")


def soak():
    dice = random.Random()
    os.environ["ASAN_OPTIONS"] = ":".join(
        filter(None, (os.environ.get("ASAN_OPTIONS"), QUARANTINE)))
    with daemon.House(LADDERS) as house:
        house.disk = Disk(house)
        crowd = Crowd(house)
        house.start()
        house.idle_fds = house.descriptors()
        crowd.find_daemon()
        crowd.come()
        try:
            kill_and_start(house, crowd, dice)
            fill_disk(house, crowd)
            watch(house, crowd)
            crowd.leave()
            tap.ok(arena.wait_for(lambda: house.descriptors()
                                  == house.idle_fds, PATIENCE_S),
                   "when the bots are gone their descriptors are, too",
                   (house.descriptors(), house.idle_fds))
            house.term()
            tap.equal(house.wait(), 0, "SIGTERM: it ends well")
        finally:
            crowd.kill()
        for line in crowd.tally.read_text("utf-8").splitlines():
            tap.note(line.replace("\t", ": "))
        tap.note((house.root / "crowd-stderr").read_text("utf-8"))
        compare_what_was_told(house, crowd)
        verify_all(house)
        rebuild_copies(house)


# ---- the end of a life ----------------------------------------------------

PATIENT = 'game = toepen seats = 2 options = { "points=1" } at-once = 4 ' \
    'move-time = 60000 k = 20'
STOPPING = ["error the referee is stopping", "bye"]


class Duel:
    """A daemon, two bots that play a game, and one that sits idle."""

    def __init__(self, ladders=None, on_a_disk=False, **limits):
        self.house = daemon.House(ladders or {"slow": PATIENT}, limits)
        if on_a_disk:
            self.disk = Disk(self.house)
        self.tokens = {name: self.house.token(name)
                       for name in ("alice", "bob", "carol", "dave")}

    def __enter__(self):
        self.house.start()
        self.alice, self.bob, self.carol = map(
            self.come, ("alice", "bob", "carol"))
        return self

    def __exit__(self, *_):
        for guest in (self.alice, self.bob, self.carol):
            guest.close()
        self.house.__exit__()

    def come(self, name, more=""):
        return self.house.guest(name, self.tokens[name], more)

    def begin(self, ladder="slow"):
        """The game's ID."""
        for guest in (self.alice, self.bob):
            guest.say(f"sit {ladder}")
        self.bob.hear_until("game")
        return self.alice.hear_until("game").split(" ")[1]

    def play(self):
        """Both, until it is over; what they were told."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return list(pool.map(daemon.Guest.play, (self.alice, self.bob)))

    def stop(self):
        """And it says that it does."""
        self.house.term()
        self.house.wait_for_log("stopping")


def stop_and_abort(again):
    """Nobody answers any more: when stop-time is over, or at the second
    SIGTERM, the games are aborted."""
    title = "a second SIGTERM" if again else "SIGTERM, and stop-time"
    with Duel(**{"stop-time": 3600000 if again else 500}) as duel:
        id_ = duel.begin()
        duel.stop()
        if again:
            duel.house.term()
        told = [guest.rest()[-3:] for guest in (duel.alice, duel.bob)]
        tap.equal(told, 2 * [[f"abort {id_} shutdown"] + STOPPING],
                  f"{title}: bots are told that their game was aborted")
        tap.equal(duel.carol.rest()[1:], STOPPING,
                  f"{title}: so are those that do not play")
        tap.equal(duel.house.wait(), 0, f"{title}: exit code 0")
        records = duel.house.records("slow")
        tap.equal([path.name for path in records], [f"{id_}.rec"],
                  f"{title}: the aborted game has its record")
        tap.equal(tap.referee("verify", *records).code, 0,
                  f"{title}: which verifies")
        duel.house.start()
        tap.equal(duel.house.log("game-lost"), [], f"{title}: nothing is lost")


def stop_and_finish():
    """There is time enough to play to the end, even to come back."""
    with Duel(**{"stop-time": 3600000}) as duel:
        id_ = duel.begin()
        duel.stop()
        tap.equal(duel.carol.rest()[1:], STOPPING,
                  "while it stops, who does not play has to go")
        dave = duel.come("dave")
        tap.equal(dave.rest(), STOPPING,
                  "and who comes is told that it does")
        dave.close()
        duel.bob.close()
        duel.bob = duel.come("bob", f" resume={id_}:1")
        tap.ok(duel.bob.hear().startswith("referee 1 "),
               "but who plays may come back")
        told = duel.play()
        tap.ok(told[0] and told[0] == told[1]
               and told[0].startswith(f"over {id_} "),
               "and play to the end", told)
        tap.equal([guest.rest() for guest in (duel.alice, duel.bob)],
                  2 * [STOPPING], "then they are told, too")
        tap.equal(duel.house.wait(), 0, "and that is the end of it")
        tap.equal(json.loads(duel.house.ladder("games", "slow", "--json").out)
                  ["id"], id_, "the game counts")


def lose_games():
    """What was running at a kill is told at the next start."""
    with Duel() as duel:
        rated_ = duel.begin()
        for _ in range(6):  # more than may run
            duel.play()
        over = duel.alice.hear_until("game").split(" ")[1]
        duel.house.kill()
        duel.house.start()
        lost = duel.house.log("game-lost")
        tap.ok(len(lost) == 1 and f" game={over} " in lost[0]
               and "alice" in lost[0] and "bob" in lost[0],
               "a game that a kill has cut off is told", lost)
        duel.house.kill()
        file = duel.house.data / "ladders" / "slow" / "running"
        room = file.read_text("ascii").index("\n")
        file.write_text("".join(f"{text:{room}}\n" for text in (
            f"{rated_} alice bob", "", "nonsense", f"{'0' * 32} alice bob",
            "\0", f"{'1' * 32} alice b/b")) + "half a line", "ascii")
        duel.house.start()
        lost = [line.split(" game=")[1] for line in
                duel.house.log("game-lost")]
        tap.equal(lost, [f"{'0' * 32} bot0=alice bot1=bob",
                         f"{'1' * 32} bot0=alice"],
                  "once, unless it is rated, and whatever the file holds")


# Preloaded: the date, and nothing else, is another while there is a file.
WRONG_DATE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static time_t wrong(void)
{
	const char *file = getenv("WRONG_DATE");
	return file && access(file, F_OK) == 0 ? 315360000 : 0;
}
int clock_gettime(clockid_t id, struct timespec *ts)
{
	static int (*next)(clockid_t, struct timespec *);
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
	int result = next(id, ts);
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


def make_wrong_date(house):
    """Whether there is such a library now."""
    source, library = house.root / "wrong.c", house.root / "wrong.so"
    source.write_text(WRONG_DATE, "ascii")
    compiler = os.environ.get("CC", "cc").split()[0]
    if shutil.which(compiler) is None or tap.run(
            [compiler, "-shared", "-fPIC", "-o", library, source]).code != 0:
        return False
    options = os.environ.get("ASAN_OPTIONS", "")
    house.environ = dict(os.environ, LD_PRELOAD=str(library),
                         WRONG_DATE=str(house.root / "wrong"),
                         ASAN_OPTIONS=f"{options}:verify_asan_link_order=0")
    return True


def jump_in_time():
    """The date jumps by ten years, and back: no clock of a game minds, nor
    that of connections, nor that of stopping."""
    with Duel(**{"stop-time": 500, "keep-alive": 60000}) as duel:
        wrong = duel.house.root / "wrong"
        duel.house.kill()
        if not make_wrong_date(duel.house):
            tap.ok(True, "the date jumps # SKIP no C compiler")
            return
        duel.__enter__()
        duel.begin()
        duel.alice.hear_until("deal")
        wrong.touch()
        told = duel.play()
        duel.alice.hear_until("deal")
        wrong.unlink()
        told += duel.play()
        tap.ok(all(told) and all(line.startswith("over ") for line in told),
               "the date jumps, and games are played", told)
        records = list(map(arena.Record, duel.house.records("slow")))
        years = [int(one.header("ended")[:4]) for one in records]
        tap.ok(max(years) - min(years) == 10, "their records have it", years)
        tap.ok(not any(any(one.faults()) for one in records),
               "nobody is charged for it", records)
        wrong.touch()
        duel.stop()
        wrong.unlink()
        tap.equal(duel.house.wait(), 0, "and it still knows when to stop")


def go_on_from_a_backup():
    """A copy that is made while games are played is a ladder: with it and the
    records that came later the daemon goes on."""
    with Duel() as duel:
        house = duel.house
        duel.begin()
        duel.play()
        copy = house.root / "copy.db"
        made = house.ladder("export", "slow", "--backup", copy)
        tap.equal(made.code, 0, "a ladder is copied while it is played")
        in_copy = tap.referee("ladder", "games", "--json", "--ladder",
                              copy).out.count("\n")
        told = [duel.play()[0] for _ in range(3)]
        tap.ok(in_copy >= 1 and all(told), "the daemon does not mind",
               (in_copy, told))
        tap.equal(house.log("disk-fails") + house.log("ladder-fails"), [],
                  "and its writer neither")
        house.kill()
        before, count = export(house, "slow")
        restore(house, copy)
        whole = house.records("slow")[0]
        half = whole.with_name("00000099-" + "ab" * 8 + ".rec.tmp")
        half.write_bytes(whole.read_bytes()[:300])
        house.configure({"slow": PATIENT.replace("k = 20", "k = 40")}, {})
        house.start()
        line = house.log("ladder-open")[0]
        tap.ok(count > in_copy and f" settled={count - in_copy} " in line,
               "with the copy it rates what came later", (count, line))
        tap.ok(not half.exists(), "a half-written record is removed")
        house.term()
        tap.equal(house.wait(), 0, "it ends well")
        tap.equal(export(house, "slow")[0], before + [
            f'{{"type":"setting","from_serial":{count + 1},"k_milli":40000,'
            '"start_milli":1500000}'],
                  "the ladder is as it was, and a new K counts from now on")


def export(house, name):
    """Its lines, settings last, and how many games there are."""
    lines = house.ladder("export", name).out.splitlines()
    return (sorted(lines, key=lambda line: '"type":"setting"' in line),
            sum('"type":"game"' in line for line in lines))


def restore(house, copy):
    folder = house.data / "ladders" / "slow"
    for path in folder.glob("ladder.db-*"):
        path.unlink()
    copy.rename(folder / "ladder.db")


def stop_alone_with_a_full_disk():
    """The same when no connection is left that would keep it, and another
    ladder has nothing to wait for."""
    ladders = {"slow": PATIENT, "idle": PATIENT}
    with Duel(ladders, True, **{"stop-time": 500}) as duel:
        if not duel.disk.is_own:
            tap.ok(True, "to stop alone # SKIP not allowed to mount")
            return
        duel.begin()
        duel.disk.fill()
        for guest in (duel.alice, duel.bob):
            guest.say("do 1 wrong")
            guest.say("quit")
        for guest in (duel.alice, duel.bob, duel.carol):
            guest.close()
        duel.house.wait_for_log("disk-fails")
        duel.stop()
        tap.equal(duel.house.wait(), 3, "it stops alone with a full disk")
        tap.equal(len(duel.house.log("game-lost")), 1, "and tells what is lost")


def stop_with_a_full_disk(mends):
    """It does not stay for ever, nor does it say that anything is safe."""
    title = f"a disk that {'has room again' if mends else 'stays full'}"
    ladders = {"slow": PATIENT, "idle": PATIENT}
    with Duel(ladders, True, **{"stop-time": 3600000}) as duel:
        if not duel.disk.is_own:
            tap.ok(True, f"{title} # SKIP not allowed to mount")
            return
        id_ = duel.begin()
        duel.disk.fill()
        if mends:
            duel.stop()
        answer = [threading.Thread(target=guest.play)
                  for guest in (duel.alice, duel.bob)]
        for one in answer:
            one.start()
        duel.house.wait_for_log("disk-fails")
        if not mends:
            duel.stop()
            tap.equal(duel.carol.rest()[1:], STOPPING,
                      f"{title}: who does not play has to go")
        tap.ok(duel.house.process.poll() is None, f"{title}: it still tries")
        if mends:
            duel.disk.free()
        else:
            duel.house.term()
        for one in answer:
            one.join()
        verb = "over" if mends else "abort"
        tap.equal([guest.told for guest in (duel.alice, duel.bob)
                   if not (guest.told or "").startswith(f"{verb} {id_} ")],
                  [], f"{title}: bots are told `{verb}`")
        tap.equal(duel.house.wait(), 0 if mends else 3,
                  f"{title}: the exit code says it")
        tap.equal(len(duel.house.records("slow")), int(mends),
                  f"{title}: so do the records")
        if not mends:
            tap.equal(len(duel.house.log("game-lost")), 1,
                      f"{title}: so does the log")


may_mount()
stop_and_abort(False)
stop_and_abort(True)
stop_and_finish()
lose_games()
jump_in_time()
go_on_from_a_backup()
stop_with_a_full_disk(True)
stop_with_a_full_disk(False)
stop_alone_with_a_full_disk()
soak()
tap.done()
