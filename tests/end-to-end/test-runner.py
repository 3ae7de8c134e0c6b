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

tap.done()
