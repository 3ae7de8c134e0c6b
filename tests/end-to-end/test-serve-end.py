#!/usr/bin/env python3
"""Tests how a daemon ends and the next one begins: SIGTERM, a kill, a full
disk, a ladder from a backup; and dates that jump."""

import concurrent.futures
import datetime
import json
import os
import threading

import arena
import daemon
import tap

DISK_BYTES = 16 << 20

PATIENT = 'game = toepen seats = 2 options = { "points=1" } at-once = 4 ' \
    'move-time = 60000 k = 20'
STOPPING = ["error the referee is stopping", "bye"]


class Duel:
    """A daemon, two bots that play a game, and one that sits idle."""

    def __init__(self, ladders=None, on_a_disk=False, **limits):
        self.serve = daemon.Daemon(ladders or {"slow": PATIENT}, limits)
        if on_a_disk:
            self.disk = daemon.Disk(self.serve, DISK_BYTES)
        self.tokens = {name: self.serve.token(name)
                       for name in ("alice", "bob", "carol", "dave")}

    def __enter__(self):
        self.serve.start()
        self.alice, self.bob, self.carol = map(
            self.come, ("alice", "bob", "carol"))
        return self

    def __exit__(self, *_):
        for guest in (self.alice, self.bob, self.carol):
            guest.close()
        self.serve.__exit__()

    def come(self, name, more=""):
        return self.serve.guest(name, self.tokens[name], more)

    def begin(self, ladder="slow"):
        """Begins a game; returns its ID."""
        for guest in (self.alice, self.bob):
            guest.say(f"sit {ladder}")
        self.bob.hear_until("game")
        return self.alice.hear_until("game").split(" ")[1]

    def play(self):
        """Plays both bots until the game is over; returns what they were told."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return list(pool.map(daemon.RemoteBot.play, (self.alice, self.bob)))

    def stop(self):
        """Stops the daemon, and checks that it says so."""
        self.serve.term()
        self.serve.wait_for_log("stopping")


def stop_and_abort(again):
    """Tests that games without further answers are aborted when stop-time is
    over, or at the second SIGTERM."""
    title = "a second SIGTERM" if again else "SIGTERM, and stop-time"
    with Duel(**{"stop-time": 3600000 if again else 500}) as duel:
        id_ = duel.begin()
        duel.stop()
        if again:
            duel.serve.term()
        told = [guest.rest()[-3:] for guest in (duel.alice, duel.bob)]
        tap.equal(told, 2 * [[f"abort {id_} shutdown"] + STOPPING],
                  f"{title}: bots are told that their game was aborted")
        tap.equal(duel.carol.rest()[1:], STOPPING,
                  f"{title}: so are those that do not play")
        tap.equal(duel.serve.wait(), 0, f"{title}: exit code 0")
        records = duel.serve.records("slow")
        tap.equal([path.name for path in records], [f"{id_}.rec"],
                  f"{title}: the aborted game has its record")
        tap.equal(tap.referee("verify", *records).code, 0,
                  f"{title}: which verifies")


def stop_and_finish():
    """Tests a stop with enough time to play to the end, even to connect again."""
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
        tap.equal(duel.serve.wait(), 0, "and that is the end of it")
        tap.equal(json.loads(duel.serve.ladder("games", "slow", "--json").out)
                  ["id"], id_, "the game counts")


# Preloaded code: changes only the date while a file exists.


def jump_in_time():
    """Tests that a date that jumps by ten years and back does not affect the
    clocks of games, of connections and of the stop."""
    with Duel(**{"stop-time": 500, "keep-alive": 60000}) as duel:
        wrong = duel.serve.root / "wrong"
        duel.serve.kill()
        if not duel.serve.make_wrong_date():
            tap.ok(True, "the date jumps # SKIP no C compiler")
            return
        duel.__enter__()
        duel.begin()
        duel.alice.hear_until("deal")
        wrong.write_text("315360000", "ascii")
        told = duel.play()
        duel.alice.hear_until("deal")
        wrong.unlink()
        told += duel.play()
        tap.ok(all(told) and all(line.startswith("over ") for line in told),
               "the date jumps, and games are played", told)
        records = list(map(arena.Record, duel.serve.records("slow")))
        ended = [datetime.date.fromisoformat(one.header("ended")[:10])
                 for one in records]
        tap.ok((max(ended) - min(ended)).days >= 3649, "their records have it",
               ended)
        tap.ok(not any(any(one.faults()) for one in records),
               "nobody is charged for it", records)
        wrong.write_text("315360000", "ascii")
        duel.stop()
        wrong.unlink()
        tap.equal(duel.serve.wait(), 0, "and it still knows when to stop")


def go_on_from_a_backup():
    """Tests that a copy that was made while games were played is a valid
    ladder: the daemon goes on with it and the later records."""
    with Duel() as duel:
        serve = duel.serve
        duel.begin()
        duel.play()
        copy = serve.root / "copy.db"
        made = serve.ladder("export", "slow", "--backup", copy)
        tap.equal(made.code, 0, "a ladder is copied while it is played")
        in_copy = tap.referee("ladder", "games", "--json", "--ladder",
                              copy).out.count("\n")
        told = [duel.play()[0] for _ in range(3)]
        tap.ok(in_copy >= 1 and all(told), "the daemon does not mind",
               (in_copy, told))
        tap.equal(serve.log("disk-fails") + serve.log("ladder-fails"), [],
                  "and its writer neither")
        serve.kill()
        before, count = export(serve, "slow")
        restore(serve, copy)
        half = (serve.data / "ladders" / "slow" / "records"
                / f"00000099-{'ab' * 8}.rec.tmp")
        half.write_bytes(serve.records("slow")[0].read_bytes()[:300])
        serve.configure({"slow": PATIENT.replace("k = 20", "k = 40")}, {})
        serve.start()
        line = serve.log("ladder-open")[0]
        tap.ok(count > in_copy and f"settled={count - in_copy}" in line.split(),
               "with the copy it rates what came later", (count, line))
        tap.ok(not half.exists(), "a half-written record is removed")
        serve.term()
        tap.equal(serve.wait(), 0, "it ends well")
        tap.equal(export(serve, "slow")[0], before + [
            f'{{"type":"setting","from_serial":{count + 1},"k_milli":40000,'
            '"start_milli":1500000}'],
                  "the ladder is as it was, and a new K counts from now on")


def export(serve, name):
    """Returns the lines of the export, settings last, and the number of games."""
    lines = serve.ladder("export", name).out.splitlines()
    return (sorted(lines, key=lambda line: '"type":"setting"' in line),
            sum('"type":"game"' in line for line in lines))


def restore(serve, copy):
    folder = serve.data / "ladders" / "slow"
    for path in folder.glob("ladder.db-*"):
        path.unlink()
    copy.rename(folder / "ladder.db")


def stop_alone_with_a_full_disk():
    """Tests that the daemon also stops with a full disk when no connection is
    left to wait for, and another ladder has nothing to write."""
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
        duel.serve.wait_for_log("disk-fails")
        duel.stop()
        tap.equal(duel.serve.wait(), 3, "it stops alone with a full disk")
        tap.equal(len(duel.serve.log("game-lost")), 1, "and tells what is lost")


def stop_with_a_full_disk(mends):
    """Tests that with a full disk the daemon does not stay for ever, and does
    not say that a game is safe."""
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
        duel.serve.wait_for_log("disk-fails")
        if not mends:
            duel.stop()
            tap.equal(duel.carol.rest()[1:], STOPPING,
                      f"{title}: who does not play has to go")
        tap.ok(duel.serve.process.poll() is None, f"{title}: it still tries")
        if mends:
            duel.disk.free()
        else:
            duel.serve.term()
        for one in answer:
            one.join()
        verb = "over" if mends else "abort"
        tap.equal([guest.told for guest in (duel.alice, duel.bob)
                   if not (guest.told or "").startswith(f"{verb} {id_} ")],
                  [], f"{title}: bots are told `{verb}`")
        tap.equal(duel.serve.wait(), 0 if mends else 3,
                  f"{title}: the exit code says it")
        tap.equal(len(duel.serve.records("slow")), int(mends),
                  f"{title}: so do the records")
        if not mends:
            tap.equal(len(duel.serve.log("game-lost")), 1,
                      f"{title}: so does the log")


def play_without_a_log():
    """Tests a log whose reader was gone before the first line."""
    with daemon.Daemon(f'ladder "slow" {{ {PATIENT} }}\n'
                      'listener "local" { kind = unix path = "local" }') as serve:
        path = serve.root / "local"
        read, write = os.pipe()
        os.close(read)
        process = serve.start_beside(
            [tap.REFEREE, "serve", "--config", serve.file], stderr=write)
        os.close(write)
        arena.wait_for(lambda: path.exists() or process.poll() is not None)
        tap.equal(process.poll(), None, "a log that is closed ends no daemon")
        process.terminate()
        tap.equal(process.wait(tap.TIMEOUT_S), 0, "it ends when it is told to")


daemon.may_mount()
play_without_a_log()
stop_and_abort(False)
stop_and_abort(True)
stop_and_finish()
jump_in_time()
go_on_from_a_backup()
stop_with_a_full_disk(True)
stop_with_a_full_disk(False)
stop_alone_with_a_full_disk()
tap.done()
