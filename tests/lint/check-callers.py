#!/usr/bin/env python3
"""Every function of the product has a caller in the product.

The programs are linked once more, by `make callers`, without what cannot be
reached from main(); what our libraries define and no program still has is left
out.  A function that the compiler put into its callers vanishes likewise, so one
that its own file names a second time passes.  What is there for tests alone says
so: its comment in the header begins with "For tests:".  Speaks TAP."""

import os
import pathlib
import re
import subprocess
import sys

TREE = pathlib.Path(os.environ.get("SOURCE_DIR",
                                   pathlib.Path(__file__).parents[2]))
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", "."))
FOR_TESTS = re.compile(r"/\* For tests:.*?\*/\s*[^;(]*?\b(\w+)\(", re.DOTALL)
NO_CODE = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)


def run(*command):
    env = {name: value for name, value in os.environ.items()
           if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print("# " + done.stdout[-2000:].replace("\n", "\n# "))
        print(f"Bail out! {' '.join(map(str, command))} failed")
        sys.exit(1)
    return done.stdout


def functions(names):
    """Of files in the build folder: the functions that other files see."""
    said = run("nm", "--defined-only", *(BUILD / name for name in names))
    return set(re.findall(r"^[0-9a-f]+ T (\w+)$", said, re.MULTILINE))


def sources():
    for folder in ("protocol", "ladder", "referee"):
        for path in sorted((TREE / folder).rglob("*.[ch]")):
            yield path.relative_to(TREE), path.read_text()


def lists():
    """What `make callers` made: LIBRARIES... and PROGRAMS..., a line each."""
    return [line.split() for line in
            run("make", "-s", "-C", BUILD, "callers").splitlines()[-2:]]


libraries, programs = lists()
unreached = functions(libraries) - functions(programs)
marked = {name for path, text in sources() if path.suffix == ".h"
          for name in FOR_TESTS.findall(text)}
code = {path: NO_CODE.sub(" ", text) for path, text in sources()
        if path.suffix == ".c"}
if not marked & unreached:
    print("1..0 # SKIP nothing is left out: made without -ffunction-sections,"
          " or a linker without --gc-sections")
    sys.exit(0)

failed = 0
idle = {}
for name in unreached:
    for path, text in code.items():
        here = re.search(rf"^[\s#].*(?<!struct )\b{name}\b", text, re.MULTILINE)
        if re.search(rf"^{name}\(", text, re.MULTILINE) and not here:
            idle[name] = path
for name in sorted(set(idle) - marked):
    failed += 1
    print(f"not ok {failed} - {idle[name]}: {name}() has no caller")
for name in sorted(marked - set(idle)):
    failed += 1
    print(f"not ok {failed} - {name}() is not for tests alone: it has a caller,"
          " or is gone")
print(f"ok {failed + 1} - {len(unreached)} functions looked at"
      f"\n1..{failed + 1}")
sys.exit(1 if failed else 0)
