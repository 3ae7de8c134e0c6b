#!/usr/bin/env python3
"""Kills worker processes of a daemon at any moment.  End-to-end because the world's
workers are no processes of the kernel.

No game of its local bots is lost or rated twice; a game that is played again
has the same cards; each loss is logged once; no process is left, also when the
daemon itself ends or is killed.  WORKER_KILLS says how often one is killed (3;
with CHECK_ALL=1 200).
"""

import os
import pathlib
import re
import signal

import arena
import daemon
import local_bots
import tap

KILLS = int(os.environ.get("WORKER_KILLS",
                           "200" if os.environ.get("CHECK_ALL") else "3"))
LATEST = 4  # most games that begin before the next kill
LOST = re.compile(r'event=worker-lost why="worker process \d+ was killed by '
                  r'signal 9; \d+ of its games (is|are) played again"')
# Writes down its game and its first hand, and answers with the first token,
# perhaps after a while.
BOT = """#!/bin/sh
read -r line
echo "bot 1 {name}"
while read -r verb seat time token rest; do
\tcase $verb in
\tgame) game=$seat dealt= ;;
\tcommit) commit=$seat ;;
\tdeal)
\t\t[ "$dealt$time" = "?" ] || [ -n "$dealt" ] ||
\t\t\techo "$game $commit $time $token $rest" >>{told}
\t\t[ "$time" = "?" ] || dealt=yes ;;
\task) {wait} echo "do $seat ${{token%% *}}" ;;
\tover) {over} ;;
\tbye) exit 0 ;;
\tesac
done
"""


def serve(games, stop_s=500):
    return daemon.Daemon(
        f"sandbox = off\nlocal-bots {{ games = {games} at-once = {games} }}\n"
        f'ladder "toepen" {{ game = toepen seats = 2 at-once = {games} '
        'options = { "points=3" } move-time = 3600000 }\n'
        f"limits {{ stop-time = {stop_s * 1000} }}\n" + daemon.BOTS + daemon.PAGES)


def move_in(home, name, wait="", over=":"):
    text = BOT.format(name=name, told=home.root / f"{name}.told", wait=wait,
                      over=over)
    done = local_bots.add(home, local_bots.folder(home.root, name,
                                                **{"bot.sh": text}))
    if done.code != 0:
        raise RuntimeError(str(done))


def told(home, name):
    """Returns the commitment of each game and the bot's first hand, for each
    time that it was dealt."""
    path, games = home.root / f"{name}.told", {}
    for line in path.read_text("ascii").splitlines() if path.exists() else ():
        game, _, held = line.partition(" ")
        games.setdefault(game, []).append(held)
    return games


def children(home, parent, command):
    """Returns the children of a process with this command line."""
    return sorted(pid for pid, line in home.processes().items()
                  if arena.status(pid)[0] == parent
                  and re.search(command, line))


def workers(home):
    return children(home, home.process.pid, r" play-jobs \d+ -?\d+ $")


def spawner(home):
    """Returns the process that starts others for the daemon.  A worker that the daemon
    is just starting has the same command line."""
    return next(pid for pid in children(home, home.process.pid, " serve ")
                if pathlib.Path(f"/proc/{pid}/comm").read_text("ascii") ==
                "referee-spawner\n")


def left(home):
    arena.wait_for(lambda: not home.processes(), arena.GONE_S)
    return home.processes()


def total(home, name):
    return int(re.search(rf'^referee_{name}_total\S* (\d+)$',
                         home.get("/metrics").text, re.M)[1])


def killed_at_any_moment():
    with serve(4) as home:
        move_in(home, "ann")
        move_in(home, "ben")
        home.start()
        dice, killed = tap.dice("kills"), set()  # a dying process may be found again
        while len(killed) < KILLS and home.process.poll() is None:
            goal = len(told(home, "ann")) + dice.randint(1, LATEST)
            if not arena.wait_for(lambda: workers(home) and len(told(
                    home, "ann")) >= goal):  # pylint: disable=W0640
                break
            here = workers(home)
            one = dice.choice(here) if here else None
            if one is not None and arena.kill(one):
                killed.add(one)
        killed = len(killed)
        tap.equal(killed, KILLS, "workers are killed")
        before = len(told(home, "ann"))
        tap.ok(arena.wait_for(lambda: len(told(home, "ann")) > before + 4),
               "and the games go on")
        arena.wait_for(lambda: total(home, "workers_lost") >= killed)
        tap.equal(total(home, "workers_lost"), killed, "a metric counts them")
        tap.equal(home.stop(), 0, "SIGTERM ends the daemon")
        tap.ok(not left(home), "no process is left", home.processes())
        # The log omits some of many lines of one kind, and says so, perhaps in
        # a line of its own.
        lost = [line for line in home.log("worker-lost") if " why=" in line]
        tap.ok((len(lost) == killed or " suppressed=" in home.text())
               and 0 < len(lost) <= killed
               and all(map(LOST.search, lost)),
               "each loss is told once", lost)
        whole_and_once(home)


def whole_and_once(home):
    records = home.games("toepen")
    ids = [record.path.stem.rpartition("-")[2] for record in records]
    parked = [re.search(r" game=(\S+)", line)[1]
              for line in home.log("game-parked")]
    tap.equal(len(set(ids)), len(ids), "no game has two records")
    games = set(told(home, "ann")) | set(told(home, "ben"))
    tap.equal(sorted(games - set(ids) - set(parked)), [], "no game is lost")
    tap.equal([record.path for record in records if record.aborted()], [],
              "none is aborted")
    tap.ok(all(tap.referee("verify", *[record.path for record in some]).code == 0
               for some in (records[i:i + 500]
                            for i in range(0, len(records), 500))),
           "all records verify")
    rated = home.ladder("games", "toepen", "--json").out.splitlines()
    tap.equal(len(rated), len(records), "each is rated once")
    dealt = [held for name in ("ann", "ben")
             for held in told(home, name).values()]
    tap.note(f"{len(ids)} games, {len(parked)} parked")
    tap.ok(all(len(set(held)) == 1 for held in dealt),
           "games that are played again have the same cards",
           [held for held in dealt if len(held) > 1])


def parked():
    with serve(1) as home:
        move_in(home, "ann", "sleep 300;")
        move_in(home, "ben", "sleep 300;")
        home.start()
        for i in range(2):
            arena.wait_for(lambda: sum(map(len, told(home, "ann").values()))
                           > i)  # pylint: disable=W0640
            before = workers(home)
            for pid in before:
                arena.kill(pid)
            arena.wait_for(lambda: len(home.log("worker-lost")) > i)
        arena.wait_for(lambda: home.log("game-parked"))
        dealt = next(iter(told(home, "ann").values()))
        tap.ok(len(dealt) == 2 and dealt[0] == dealt[1],
               "a game is played again with the same cards", dealt)
        lines = home.log("game-parked")
        tap.ok(len(lines) == 1 and "worker processes were lost with it"
               in lines[0] and "=ann" in lines[0] and "=ben" in lines[0],
               "a game that has lost two workers is parked", home.text())
        tap.equal(total(home, "games_parked"), 1, "a metric counts it")
        tap.ok(arena.wait_for(lambda: len(told(home, "ann")) > 1),
               "and its bots play again", told(home, "ann"))
        home.kill()
        tap.ok(not left(home), "kill -9 of the daemon leaves no process",
               home.processes())


def early_signal():
    """Tests a signal to all processes of a service that reaches one that is
    just starting."""
    with serve(2) as home:
        move_in(home, "ann")
        move_in(home, "ben")
        home.launch()
        found = []  # as early as can be
        arena.until(lambda: found, lambda: found.extend(workers(home)),
                    "a worker starts")
        for pid in found:
            os.kill(pid, signal.SIGTERM)
        home.wait_for_log("game-over")
        tap.ok(found and not home.log("worker-lost"),
               "SIGTERM to a worker that starts changes nothing",
               home.log("worker-lost"))
        home.stop()


def spawners():
    """Tests the loss of the spawners of a worker and of the daemon."""
    with serve(2) as home:
        move_in(home, "ann")
        move_in(home, "ben")
        home.start()
        arena.wait_for(lambda: told(home, "ann"))
        arena.kill(arena.wait_for(lambda: [
            pid for worker in workers(home)
            for pid in children(home, worker, " play-jobs ")])[0])
        tap.ok(home.wait_for_log("worker-lost") and
               "ended with status 3" in home.log("worker-lost")[0],
               "a worker without it is lost, too", home.log("worker-lost"))
        tap.equal((home.metric("referee_nursery_up"),
                   home.get("/healthz").text), (1, "ok\n"), "all is well")
        arena.kill(spawner(home))
        tap.ok(home.wait_for_log("nursery-lost"),
               "that of the daemon is told to be lost")
        tap.equal(home.wait(), 3, "and the daemon ends, to be started again")
        tap.ok("without it no local bot plays: start the referee again" in
               home.text(), "with a sentence", home.text())
        tap.ok(not left(home), "no process is left", home.processes())
        tap.equal(home.log("game-lost"), [],
                  "no game is lost")
        home.start()
        tap.ok(home.wait_for_log("game-over"), "then they play again")
        tap.equal(home.stop(), 0, "it ends well")
        tap.ok(not left(home), "no process is left", home.processes())


killed_at_any_moment()
parked()
spawners()
early_signal()
tap.done()
