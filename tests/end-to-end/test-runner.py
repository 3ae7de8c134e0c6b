#!/usr/bin/env python3
"""End-to-end because it is about programs: what tests/unit/runner.c does with the tests
of tests/unit/runner-sample.c."""

import os
import re

import tap

SAMPLE = tap.BUILD_DIR / "tests" / "unit" / "runner-sample"


def run(pattern, seed=tap.SEED):
    return tap.run([SAMPLE, "--filter", pattern],
                   env=dict(os.environ, CHECK_SEED=str(seed)))


def draws(pattern, seed=tap.SEED):
    """Returns what each process draws, by its name: two numbers each."""
    return dict(re.findall("(?m)^# (test|parent|child) (.*)$",
                           run(pattern, seed).out))


drawn = draws("draws/*")
tap.equal(sorted(drawn), ["child", "parent", "test"], "tests draw")
tap.equal(draws("draws/*"), drawn, "the same seed, the same draws")
tap.equal({**draws("draws/second"), **draws("draws/first")}, drawn,
          "also of a test alone")
other = draws("draws/*", tap.SEED + 1)
numbers = " ".join([*drawn.values(), *other.values()]).split()
tap.equal(len(set(numbers)), 12,
          "another seed, test or process draws others")

tap.equal(run("values/passes").code, 0, "comparisons that hold")
failed = run("values/fails")
tap.equal(re.sub("0x[0-9a-f]+", "0x", "\n".join(re.findall(
    "(?m)^# (?:.*Assertion failed: )?((?:found|of|no) .*)$", failed.out))),
          """found 7, expected == 8
of case 17
found 9223372036854775808, expected <= 4
found -0.5, expected >= 0
found 1, expected != 1
found 0x, expected == (nil)
of case 18
found `these`, expected == `others`
found 0.5, expected about 1
no values
found 8, expected == 9""", "others tell what they found, beside the caller's words")
tap.equal(failed.code, 1, "and fail")

tap.done()
