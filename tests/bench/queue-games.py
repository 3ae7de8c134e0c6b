#!/usr/bin/env python3
"""Measures how many games workers play from a queue, and what the queue costs.

    make -C build check TESTS= && BUILD_DIR=build tests/bench/queue-games.py

There are a daemon, a PostgreSQL that syncs, and first one worker on one
processor, then two on one each.  Bots in C answer at once, in a process for
each game.  The script prints games a second by the log of verdicts, and the
processor time of the database and of the daemon as a share of that of the
workers and their bots.  With `--bot sample-bots/python` the bots are those of
that folder.  Nothing here passes or fails: the figures are the machine's.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("SOURCE_DIR", str(HERE.parent.parent))
sys.path.insert(0, str(HERE.parent / "end-to-end"))
import arena  # noqa: E402
import daemon  # noqa: E402
import local_bots  # noqa: E402
import postgres  # noqa: E402
import tap  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
BOT = tap.BUILD_DIR / "sample-bots" / "c" / "random-bot"
WAIT_S = 60


def stat(pid):
    """Returns the parent of a process, and the processor time of it and of the
    children that it has waited for; or None."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text("latin-1")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15])) / TICKS


def tree_s(root):
    """Returns the processor time of a process and of all below it."""
    found = {int(path.name): stat(path.name)
             for path in pathlib.Path("/proc").glob("[0-9]*")}
    found = {pid: one for pid, one in found.items() if one}
    inside, more = {root}, True
    while more:
        more = {pid for pid, (parent, _) in found.items()
                if parent in inside} - inside
        inside |= more
    return sum(found[pid][1] for pid in inside if pid in found)


class Bench:
    def __init__(self, cluster, serve, game, at_once, bot):
        self.cluster, self.serve = cluster, serve
        self.where = cluster.create("queue")
        self.key = serve.root / "queue.key"
        for words in (("init", "--queue", self.where), ("key", self.key)):
            done = tap.referee("queue", *words)
            if done.code != 0:
                raise RuntimeError(str(done))
        serve.configure(
            f'queue = "{self.where}"\nqueue-key = "{self.key}"\n'
            f"local-bots {{ games = {at_once} at-once = {at_once} }}\n"
            f"ladder bench {{ {game} at-once = {at_once} }}\n"
            "limits { stop-time = 1000 }\n" + daemon.LISTENERS)
        for name in ("ann", "ben"):
            made = local_bots.add(serve, self.folder(name, bot))
            if made.code != 0:
                raise RuntimeError(str(made))
        self.workers = []

    def folder(self, name, bot):
        if bot is None:
            folder = local_bots.folder(
                self.serve.root, name,
                **{"bot.sh": "#!/bin/sh\nexec ./bot\n"})
            shutil.copy(BOT, folder / "bot")
            return folder
        folder = self.serve.root / f"{name}-bot"
        shutil.copytree(bot, folder)
        conf = folder / "bot.conf"
        conf.write_text(re.sub(r'(?m)^name = .*$', f'name = "{name}"',
                               conf.read_text("ascii")), "ascii")
        return folder

    def verdicts(self):
        return int(self.cluster.sql("SELECT count(*) FROM referee.verdict",
                                    dbname="queue")[0][0])

    def start(self, core):
        """Starts one more worker on this processor."""
        log = open(self.serve.root / f"w{core}.log", "wb")
        self.workers.append(subprocess.Popen(
            ["taskset", "-c", str(core), tap.REFEREE, "worker", "--queue",
             self.where, "--key", self.key, "--name", f"w{core}", "--data",
             self.serve.root / f"w{core}"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def measure(self, seconds):
        before = self.verdicts()
        if not arena.wait_for(lambda: self.verdicts() > before + 20, WAIT_S):
            raise RuntimeError("no game is played: " + self.serve.text())
        roots = {"database": [self.cluster.process.pid],
                 "daemon": [self.serve.process.pid],
                 "workers": [one.pid for one in self.workers]}

        def used():
            return {what: sum(map(tree_s, pids))
                    for what, pids in roots.items()}
        games, took, began = self.verdicts(), used(), time.monotonic()
        time.sleep(seconds)
        lasted = time.monotonic() - began
        took = {what: now - took[what] for what, now in used().items()}
        games = self.verdicts() - games
        print(f"{len(self.workers)} worker{'s' * (len(self.workers) > 1)}: "
              f"{games / lasted:.1f} games/s; processor time of "
              + ", ".join(f"{what} {100 * took[what] / took['workers']:.0f} %"
                          for what in ("database", "daemon"))
              + f" of the workers' {took['workers']:.1f} s; a game takes them "
              f"{1000 * took['workers'] / max(1, games):.1f} ms", flush=True)

    def stop(self):
        for one in self.workers:
            one.terminate()
        for one in self.workers:
            one.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--at-once", type=int, default=32)
    parser.add_argument("--ladder", default="game = toepen seats = 2",
                        help="what a ladder of the configuration says")
    parser.add_argument("--bot", metavar="FOLDER",
                        help="the bots' folder, in place of bots in C")
    arguments = parser.parse_args()
    if postgres.missing():
        sys.exit(postgres.missing())
    with postgres.Cluster(fsync=True) as cluster, daemon.Daemon("") as serve:
        bench = Bench(cluster, serve, arguments.ladder, arguments.at_once,
                      arguments.bot)
        serve.start()
        try:
            for core in sorted(os.sched_getaffinity(0))[:2]:
                bench.start(core)
                bench.measure(arguments.seconds)
        finally:
            bench.stop()
        serve.stop()


main()
