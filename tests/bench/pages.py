#!/usr/bin/env python3
"""Measures bytes, requests a second and first paint of a large ladder's page.

    make -C build referee/referee && BUILD_DIR=build tests/bench/pages.py

Use a build without sanitizers.  The script makes a ladder of a thousand bots,
and a daemon serves it.  Requests a second need wrk, the first paint needs
chromium and node (see web.py); without them it is left out.  The paint is the
median of seven browser contexts without a cache: the goal is less than 0.3 s.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("SOURCE_DIR", str(HERE.parent.parent))
sys.path.insert(0, str(HERE.parent / "end-to-end"))
import big_ladder  # noqa: E402
import daemon  # noqa: E402
import web  # noqa: E402

CONFIG = {"big": 'game = daumen-drauf seats = 2 options = { "games=1" }'}
# All requests come from one address.
LIMITS = {"pages-per-address": 64}
GZIP = "Accept-Encoding: gzip\r\n"
PATHS = ("/ladders/big", "/ladders/big?sort=games", "/ladders/big/cross",
         "/api/1/ladders/big", "/", "/about")
# The last page is nearly empty: it shows what the browser itself takes.
PAINTED = ("/ladders/big", "/ladders/big?sort=games", "/about")
PAINT_S = 0.3


def told(serve, path):
    """Returns how many bytes a page has and how long one request takes."""
    plain = serve.raw(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    begun = time.monotonic()
    packed = serve.raw(f"GET {path} HTTP/1.1\r\nHost: x\r\n{GZIP}\r\n".encode())
    took = time.monotonic() - begun
    sizes = [len(one.partition(b"\r\n\r\n")[2]) for one in (plain, packed)]
    return sizes, took


def a_second(base, path, seconds, connections):
    """Returns the answered requests a second, by wrk."""
    if not shutil.which("wrk") or seconds == 0:
        return None
    run = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-H",
         "Accept-Encoding: gzip", base + path], capture_output=True, text=True,
        check=True)
    if "Non-2xx" in run.stdout:
        raise RuntimeError(run.stdout)
    return float(run.stdout.partition("Requests/sec:")[2].split()[0])


def paints(base, paths, count):
    """Returns the milliseconds of each first paint."""
    if web.missing():
        print(f"no paints: {web.missing()}")
        return {}
    found = {path: [] for path in paths}
    web.play("../bench/first-paint.mjs",
             {"base": base, "paths": list(paths), "count": count},
             painted=lambda path, ms: found[path].append(ms))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--games", type=int, default=20000)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--paints", type=int, default=7)
    given = parser.parse_args()
    with daemon.Daemon(CONFIG, LIMITS) as serve:
        big_ladder.fill(serve.data / "ladders" / "big" / "ladder.db",
                        given.games, given.bots)
        serve.start()
        base = f"http://127.0.0.1:{serve.port('pages')}"
        print(f"{given.bots} bots, {given.games} games")
        print("| path | bytes | gzipped | alone, ms | requests a second |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for path in PATHS:
            (plain, packed), took = told(serve, path)
            rate = a_second(base, path, given.seconds, given.connections)
            print(f"| {path} | {plain} | {packed} | {1000 * took:.1f} | "
                  f"{'?' if rate is None else f'{rate:.0f}'} |", flush=True)
        missed = False
        for path, each in paints(base, PAINTED, given.paints).items():
            median = statistics.median(each)
            missed |= path.startswith("/ladders") and median > 1000 * PAINT_S
            print(f"first paint of {path}: {median:.0f} ms (median of "
                  f"{len(each)}, {min(each):.0f} to {max(each):.0f})")
        print(f"goal, below {1000 * PAINT_S:.0f} ms: "
              f"{'missed' if missed else 'reached'}")
        serve.stop()


if __name__ == "__main__":
    main()
