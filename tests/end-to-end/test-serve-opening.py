#!/usr/bin/env python3
"""Tests that a ladder with many games is opened while the daemon goes on.
End-to-end for the threads of the kernel, which the world does not have."""

import pathlib
import shutil
import signal

import arena
import big_ladder
import daemon
import tap

GAMES = 20000
QUICK = 'game = daumen-drauf seats = 2 options = { "games=1" }'
PART = 0.2  # share of the work of opening that the loop may do


def threads(serve):
    """Returns nanoseconds of processor time of the loop's thread and of all
    threads."""
    pid = serve.process.pid
    def spent(task):
        try:
            return int((task / "schedstat").read_text("ascii").split()[0])
        except OSError:
            return 0
    tasks = {int(task.name): spent(task)
             for task in pathlib.Path(f"/proc/{pid}/task").iterdir()}
    return tasks[pid], sum(tasks.values())


class Place:
    """A daemon with a small ladder and a big one that it may open."""

    def __init__(self, serve, big):
        self.serve = serve
        self.big = big

    def put(self, name):
        folder = self.serve.data / "ladders" / name
        folder.mkdir(mode=0o700)
        shutil.copyfile(self.big, folder / "ladder.db")
        (folder / "ladder.db").chmod(0o600)

    def hup(self, *names):
        self.serve.configure({name: QUICK for name in ("small", *names)})
        self.serve.process.send_signal(signal.SIGHUP)

    def wait_for_read(self, count):
        return self.serve.wait_for_log("configuration-read", count)


def test_cost(place):
    """Tests that the loop does not do the work of opening; nothing is played
    during the test."""
    serve = place.serve
    place.put("big")
    before = threads(serve)
    place.hup("big")
    place.wait_for_read(1)
    loop, all_ = (b - a for a, b in zip(before, threads(serve)))
    tap.ok("ladder=big" in serve.log("ladder-open")[-1], "it is opened",
           serve.text())
    tap.ok(loop < PART * all_, "opening is not the loop's work",
           f"{loop / 1e6:.1f} ms of {all_ / 1e6:.1f}")
    tap.ok(serve.metric("referee_loop_lag_max_seconds") is not None,
           "a metric tells how late the loop was")


def test_meanwhile(place):
    """Tests requests, reloads and the daemon's end while the ladder is being
    opened."""
    serve = place.serve
    place.put("third")
    place.hup("big", "third")
    serve.wait_for_log("ladder-opening", 2)
    place.hup("big")                    # not wanted any more
    rebuild = serve.ladder("rebuild", "third")
    tap.ok(rebuild.code == 3 and "is still being opened" in rebuild.err or
           rebuild.code != 3, "a rebuild meanwhile is told to wait", rebuild)
    place.wait_for_read(3)
    arena.wait_for(lambda: serve.log("ladder-closed ladder=third"))
    tap.ok(serve.log("ladder-closed ladder=third"), "a reload meanwhile is "
           "heeded afterwards", serve.text()[-2000:])
    listed = serve.get("/api/1/ladders").json()["ladders"]
    tap.equal(sorted(one["ladder"] for one in listed), ["big", "small"],
              "and all is as it says")
    # The whole configuration is refused, because one of two ladders cannot be
    # opened.
    (serve.data / "ladders" / "bad").mkdir(mode=0o700)
    (serve.data / "ladders" / "bad" / "ladder.db").write_bytes(b"x" * 4096)
    place.hup("big", "third", "bad")
    serve.wait_for_log("configuration-refused")
    tap.ok("ladder bad" in (serve.log("configuration-refused") or [""])[0],
           "one that cannot be opened refuses it", serve.text()[-2000:])
    listed = serve.get("/api/1/ladders").json()["ladders"]
    tap.equal(sorted(one["ladder"] for one in listed), ["big", "small"],
              "as a whole")


def test_end(place):
    serve = place.serve
    count = len(serve.log("ladder-opening"))
    place.hup("big", "third")
    serve.wait_for_log("ladder-opening", count + 1)
    serve.term()
    serve.term()
    tap.equal(serve.wait(tap.TIMEOUT_S), 0, "SIGTERM meanwhile ends it")
    shown = serve.ladder("show", "third")
    tap.equal(shown.code, 0, "and the ladder is as it was")


def main():
    with tap.folder() as root, \
            daemon.Daemon({"small": QUICK}, {"stop-time": 500}) as serve:
        big = pathlib.Path(root) / "big" / "ladder.db"
        big_ladder.fill(big, GAMES)
        serve.start()
        place = Place(serve, big)
        test_cost(place)
        test_meanwhile(place)
        test_end(place)


main()
tap.done()
