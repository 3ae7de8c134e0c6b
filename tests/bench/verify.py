#!/usr/bin/env python3
"""Measures how long a line of a record takes to verify, in short and in long records.

    make -C build check TESTS= && BUILD_DIR=build tests/bench/verify.py
"""

import os
import pathlib
import resource
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("SOURCE_DIR", str(HERE.parent.parent))
sys.path.insert(0, str(HERE.parent / "end-to-end"))
import tap  # noqa: E402

LINES = 1000000  # at least, of each length


def processor_s():
    """Returns the processor time of the programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    with tempfile.TemporaryDirectory() as folder:
        for games in 1, 10, 50:
            path = pathlib.Path(folder) / f"long-{games}.rec"
            tap.write_record(path, "game=daumen-drauf", "seats=7", "asks",
                             f"options=games={games}")
            lines = path.read_text("ascii").count("\n")
            times = -(-LINES // lines)
            begun = processor_s()
            run = tap.referee("verify", *[path] * times)
            if run.code != 0:
                raise RuntimeError(run)
            print(f"{lines} lines: "
                  f"{(processor_s() - begun) * 1e9 / lines / times:.0f} ns a line")


main()
