#!/usr/bin/env python3
"""tests/lint/check-mutants.py - checks that each patch in tests/mutants applies to
the product as it is now, says what it is, and names tests that there are.
Whether tests find the mutants is tried by tests/mutants/run.py.  Speaks TAP."""

import os
import pathlib
import sys

TREE = pathlib.Path(os.environ.get(
    "SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
PRODUCT = ("protocol/", "ladder/", "referee/")
MUTANTS = 30

sys.path.insert(0, str(TREE / "tests" / "mutants"))
sys.dont_write_bytecode = True
import patches  # noqa: E402 (its folder is known only here)


def is_test(name):
    """A program in C has no file of its name."""
    if name == "tests/world/world":
        return True
    program = name.partition(":")[0]
    listed = (TREE / "tests" / "unit" / "local.mk").read_text("utf-8")
    return ((TREE / program).is_file() or
            f"%reldir%/{program.removeprefix('tests/unit/')}\n" in listed)


def faults():
    numbers = []
    for path in patches.paths():
        try:
            mutant = patches.Mutant(path)
            numbers.append(mutant.number)
            for name in mutant.changed(TREE):
                if not name.startswith(PRODUCT):
                    yield f"{path.name}: {name} is no file of the product"
            for test in mutant.tests:
                if not is_test(test):
                    yield f"{path.name}: there is no test {test}"
        except patches.Wrong as wrong:
            yield str(wrong)
    wanted = [f"{number:02}" for number in range(1, MUTANTS + 1)]
    if numbers != wanted:
        yield f"the mutants are not numbered from 01 to {MUTANTS}"


found = list(faults())
print("1..1")
for fault in found:
    print(f"# {fault}")
print(("not " if found else "") + "ok 1 - all mutants apply, and their tests exist")
sys.exit(bool(found))
