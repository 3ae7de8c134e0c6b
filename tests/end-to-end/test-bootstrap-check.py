#!/usr/bin/env python3
"""End-to-end because `./bootstrap check` is what people run, and what it prints is all
that they see of a failed test.  Its functions that install, build and run are replaced
here by those that say what they were told."""

import os
import pathlib
import re
import shutil
import subprocess

import tap

HEAD = """
. ./bootstrap help >/dev/null
. tests/check.sh
need() { :; }
missing_of() { :; }
begin_fetching() { :; }
end_fetching() { :; }
configure_in() { echo "configures in $1"; }
make_in() { :; }
list() { [ "$2" != tests ] || printf '%s\\n' tests/end-to-end/test-a.py \\
	tests/end-to-end/test-b.py; }
compile_scripts() { :; }
run_some() { [ $# -eq 3 ] || echo "in $1, long=$long: ${*:4}"; }
count_some() { passed=1; }
"""


def shell(text, *words, **environ):
    """Runs these lines, which know all functions of ./bootstrap check."""
    kept = {key: value for key, value in os.environ.items() if key != "CHECK_ALL"}
    return tap.run(["bash", "-c", HEAD + text, "bash", *words], cwd=tap.SOURCE_DIR,
                   env=dict(kept, **environ))


def check(*words, **environ):
    return shell('check "$@"', *words, **environ)


def runs(done, *lines):
    """Tests that it ran this."""
    found = [line for line in done.out.splitlines() if line.startswith("in ")]
    tap.ok(done.code == 0 and found == list(lines),
           f"it runs {' and '.join(lines)}", done)


def test_again():
    """Tests that a command as a failed point prints it runs the same again."""
    one = "tests/end-to-end/test-seed.py"
    runs(check(one), f"in build-check, long=: {one}")
    runs(check(one, CHECK_ALL="1"), f"in build-check, long=1: {one}")
    runs(check("--part", "clang-plain", one),
         f"in build-check/clang-plain, long=: {one}")
    runs(check("--part", "gcc-plain"),
         "in build-check/gcc-plain, long=: tests/end-to-end/test-a.py "
         "tests/end-to-end/test-b.py")
    for words, why in ((["tests/no-such.py"], "there is no test"),
                       (["--part", "gcc-plain", "tests/no-such.py"],
                        "there is no test"),
                       (["--part", "world", one], "takes no tests"),
                       (["--part", one], "takes a name"),
                       (["--part", "gcc"], "has no part")):
        done = check(*words)
        tap.ok(done.code == 2 and why in done.err, why, done)


def test_command():
    """Tests the command that a failed point prints."""
    with tap.folder() as folder:
        path = pathlib.Path(folder) / "test-it.py"
        path.write_text(f"import sys\nsys.path.insert(0, {os.path.dirname(tap.__file__)!r})\n"
                        "import tap\ntap.ok(False, 'a point')\n", "ascii")
        for build, form, command in (
                ("build-check", "", f"./bootstrap check {path}"),
                ("build-check", "1", f"CHECK_ALL=1 ./bootstrap check {path}"),
                ("build-check/gcc-plain", "",
                 f"./bootstrap check --part gcc-plain {path}")):
            done = subprocess.run(
                [*tap.PYTHON, path], check=False, stdout=subprocess.PIPE,
                env=dict(os.environ, CHECK_ALL=form, REFEREE=tap.REFEREE,
                         BUILD_DIR=str(tap.SOURCE_DIR / build)))
            tap.ok(f"\n# again: CHECK_SEED={tap.SEED} {command}\n".encode()
                   in done.stdout, command, done.stdout.decode())


LOG = """
FAIL: tests/a.py
================

# not of a failure
ok 1 - good
PASS: tests/a.py 1 - good
# line 1
not ok 2 - bad
FAIL: tests/a.py 2 - bad
{more}
# at a.py:17: tap.ok(bad)
# again: CHECK_SEED=7 ./bootstrap check tests/a.py
# files: /tmp/one
# files: /tmp/two
ok 3 - good
# at b.py:18: not of a failure
PASS: tests/a.py 3 - good
Bail out! KeyError
ERROR: tests/a.py - Bail out! KeyError
# Traceback
# again: CHECK_SEED=7 ./bootstrap check tests/a.py
"""
LINES = 30


def test_summary(folder):
    """Tests that the summary has what a failed point says before and behind itself,
    and the end of it however long its details are."""
    path = pathlib.Path(folder) / "log"
    path.write_text(LOG.format(more="\n".join(f"# line {i}"
                                              for i in range(2, LINES))), "ascii")
    done = shell(f"faults_in {path}")
    found = done.out.splitlines()
    first = [f"# line {i}" for i in range(1, LINES) if f"# line {i}" in found]
    cut = 2 + len(first)
    tap.ok(found[:2] == ["FAIL: tests/a.py", "FAIL: tests/a.py 2 - bad"]
           and found[2:cut] == first and 10 < len(first) < LINES - 1,
           "its first lines", done)
    tap.equal(found[cut:], [
        "# (more in the log of the test)",
        "# at a.py:17: tap.ok(bad)",
        "# again: CHECK_SEED=7 ./bootstrap check tests/a.py",
        "# files: /tmp/one", "# files: /tmp/two",
        "ERROR: tests/a.py - Bail out! KeyError", "# Traceback",
        "# again: CHECK_SEED=7 ./bootstrap check tests/a.py"],
        "and where, how to repeat it, its files")


# Answers as a checker that takes no record for good.
WRONG = """#!/bin/sh
echo .
while read -r folder; do
	printf 'a move is wrong\\n.\\n'
done
"""
SEED = "10"  # one that is calm


def test_world(folder):
    """Tests that a scenario says below the line of its seed what is wrong."""
    world = tap.BUILD_DIR / "tests" / "world" / "world"
    if tap.skip("a scenario", "" if world.exists() else "it has not been built"):
        return
    python = pathlib.Path(folder) / "python3"
    python.write_text(WRONG, "ascii")
    python.chmod(0o755)
    done = tap.run([world, SEED], env=dict(
        os.environ, PATH=f"{folder}:{os.environ['PATH']}"))
    lines = done.out.splitlines()
    tap.ok(done.code == 1 and not done.err
           and lines[1].startswith(f"not ok 1 - seed {SEED}: lives ")
           and lines[2] == "# world: a move is wrong"
           and lines[3].startswith("# files: ")
           and lines[4] == f"# again: {world} --keep {SEED}",
           "what is wrong, its files, how to repeat it", done)
    for path in re.findall("# files: (.*)", done.out):
        shutil.rmtree(path)
    tap.equal(lines[5], "ok 2 - the first seed, once more", "it is the same again")


def test_hangs():
    """Tests that what hangs is ended, and said."""
    done = shell("takes 60 'part world'\nbounded cat <<<here\n"
                 "echo $seconds\nseconds=1\n! bounded sleep 36000 || exit 9\n")
    tap.ok(done.code == 0 and done.out == "here\n108000\n"
           and "bootstrap: part world is ended after 0 minutes" in done.err
           and "sleep 36000" in done.err, "a command that hangs is ended", done)
    # All of them hold the pipe, so reading ends when they have ended.
    hangs = "bounded sh -c 'echo begun; exec sleep 36000'"
    child = subprocess.Popen(
        ["bash", "-c", HEAD + f"takes 60 it\nhang() {{ {hangs}; }}\nhang &\n{hangs}"],
        cwd=tap.SOURCE_DIR, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    begun = [child.stdout.readline() for _ in range(2)]
    child.terminate()
    rest = child.communicate(timeout=tap.TIMEOUT_S)[0]
    tap.equal((begun, rest, child.returncode), ([b"begun\n"] * 2, b"", 143),
              "a signal ends all that check has started")


# On a machine without any package.
BARE = """
. tests/check.sh
passed=1
run_part() { :; }
run_tests() { :; }
build_tests() { :; }
missing_of() { awk '{ printf "%s ", $1 }' <<<"$1"; }
database() { say fetches a database; }
browser() { say fetches a browser; }
machines() { say fetches machines; }
has_modules() { [ -n "$MODULES" ]; }
check "$@"
"""


def bare(*words, modules=""):
    """Returns what check says to these words, and the packages that it announces."""
    done = shell(BARE, *words, MODULES=modules)
    tap.equal(done.code, 0, f"check {' '.join(words)}")
    found = re.search("installs from Debian: (.*)", done.err)
    return done.err, found[1].split() if found else []


def test_fetching():
    """Tests that a part installs what it needs, and that this is announced."""
    said, packages = bare("--part", "lint")
    tap.ok("fetches" not in said and packages == ["clang-format", "shellcheck"],
           "lint fetches nothing", said)
    said, packages = bare("--part", "fuzz", "world")
    tap.ok("fetches" not in said and "clang" in packages and "gcc" in packages
           and "chromium" not in packages and len(set(packages)) == len(packages),
           "nor do others without a browser", said)
    said, packages = bare("--part", "gcc-plain")
    tap.ok(all(words in said for words in (
        "fetches a database", "fetches a browser", "fetches from npm"))
           and "clang" not in packages and "patroni" not in packages
           and {"chromium", "chromium-headless-shell", "postgresql"} <= set(packages),
           "a build fetches what its tests need", said)
    said, packages = bare("--all", modules="yes")
    tap.ok("fetches machines" in said and "fetches a browser" in said
           and "from npm" not in said and {"clang", "xz-utils"} <= set(packages)
           and ("patroni" in packages) == (os.geteuid() == 0), "all", said)
    said, packages = bare("tests/end-to-end/test-seed.py")
    tap.ok("runs these tests" in said and "gcc" in packages
           and "chromium" not in packages and "fetches" not in said,
           "a test announces what it installs", said)


test_again()
test_command()
test_fetching()
test_hangs()
with tap.folder() as scratch:
    test_world(scratch)
    test_summary(scratch)
tap.done()
