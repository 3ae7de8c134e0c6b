#!/usr/bin/env python3
"""What one daemon bears on this machine, as a table.

    make -C build check TESTS= && BUILD_DIR=build tests/bench/scale.py

Thousands of bots play from one process (load-bots), each from an address of its
own in 127.0.0.0/8.  Three loads: bots that only are there; bots that answer at
once, two to a game; the same with some that take a second for each answer.
Nothing here passes or fails: the figures are the machine's.
"""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("SOURCE_DIR", str(HERE.parent.parent))
sys.path.insert(0, str(HERE.parent / "end-to-end"))
import daemon  # noqa: E402
import tap  # noqa: E402

LOAD = tap.BUILD_DIR / "tests" / "bench" / "load-bots"
LADDER = ("game = toepen seats = 2 move-time = 60000 keep-days = 0 "
          "at-once = {} pairing = random")
LIMITS = {"connections": 18000, "unauthenticated": 18000,
          "lines-per-second": 100000, "keep-alive": 600000}


def cpu_s(pid):
    with open(f"/proc/{pid}/stat", "rb") as file:
        words = file.read().rpartition(b")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def measure(what, bots, at_once, seconds, slow):
    """One line of the table."""
    with daemon.House({"load": LADDER.format(max(at_once, 1))}, LIMITS) as house, \
            tempfile.NamedTemporaryFile("w") as tokens:
        house.start()
        empty_mb = house.memory_kb() // 1024
        for number in range(bots):
            name = f"bot{number:05}"
            token = daemon.request(house.data, "token", name)
            tokens.write(f"{name} {token}\n")
        tokens.flush()
        before_s = cpu_s(house.process.pid)
        arguments = [LOAD, house.port("bots"), tokens.name, seconds]
        arguments += ["load", slow, 1000] if at_once else []
        with subprocess.Popen([str(word) for word in arguments],
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as load:
            peak_mb = 0
            while load.poll() is None:
                peak_mb = max(peak_mb, house.memory_kb() // 1024)
                try:
                    load.wait(0.2)
                except subprocess.TimeoutExpired:
                    pass
            figures, connected = load.stdout.read(), load.stderr.read()
        spent_s = cpu_s(house.process.pid) - before_s
        print(f"{what}: {figures.strip()}; {connected.strip()}; memory of the "
              f"daemon {empty_mb} MB empty, {peak_mb} MB at most; processor "
              f"{spent_s:.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--idle", type=int, default=10000)
    parser.add_argument("--games", type=int, default=1000)
    args = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    measure("idle", args.idle, 0, args.seconds, 0)
    measure("instant", 2 * args.games, args.games, args.seconds, 0)
    measure("instant with 20 slow", 2 * args.games, args.games, args.seconds,
            20)


if __name__ == "__main__":
    main()
