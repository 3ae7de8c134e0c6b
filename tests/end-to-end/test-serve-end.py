#!/usr/bin/env python3
"""Tests how a daemon ends.  End-to-end for what bots read then, its exit code, a
disk of the kernel that is full, and a log whose reader is gone."""

import concurrent.futures
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


def stop_and_abort():
    """Tests that a second SIGTERM aborts games at once, though they have an hour."""
    with Duel(**{"stop-time": 3600000}) as duel:
        id_ = duel.begin()
        duel.stop()
        duel.serve.term()
        told = [guest.rest()[-3:] for guest in (duel.alice, duel.bob)]
        tap.equal(told, 2 * [[f"abort {id_} shutdown"] + STOPPING],
                  "a second SIGTERM: bots are told that their game was aborted")
        tap.equal(duel.carol.rest()[1:], STOPPING,
                  "so are those that do not play")
        tap.equal(duel.serve.wait(), 0, "exit code 0")
        records = duel.serve.records("slow")
        tap.equal([path.name for path in records], [f"{id_}.rec"],
                  "the aborted game has its record")


def stop_and_finish():
    """Tests a stop with enough time to play to the end, even to connect again."""
    with Duel(**{"stop-time": 3600000, "return-time": 3600000}) as duel:
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


def stop_with_a_full_disk():
    """Tests that with a full disk the daemon does not stay for ever, and does
    not say that a game is safe."""
    with Duel({"slow": PATIENT, "idle": PATIENT}, True,
              **{"stop-time": 3600000}) as duel:
        if not duel.disk.is_own:
            tap.ok(True, "a full disk # SKIP not allowed to mount")
            return
        id_ = duel.begin()
        duel.disk.fill()
        answer = [threading.Thread(target=guest.play)
                  for guest in (duel.alice, duel.bob)]
        for one in answer:
            one.start()
        duel.serve.wait_for_log("disk-fails")
        tap.equal(duel.serve.get("/metrics").code, 200,
                  "a full disk ends nothing")
        duel.stop()
        tap.ok(duel.serve.process.poll() is None, "the daemon still tries")
        duel.serve.term()
        for one in answer:
            one.join()
        tap.equal([guest.told for guest in (duel.alice, duel.bob)],
                  2 * [f"abort {id_} machine"], "bots are told `abort`")
        tap.equal(duel.serve.wait(), 3, "the exit code says it")
        tap.equal(duel.serve.records("slow"), [], "so do the records")
        tap.equal(len(duel.serve.log("game-lost")), 1, "so does the log")


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
stop_and_abort()
stop_and_finish()
stop_with_a_full_disk()
tap.done()
