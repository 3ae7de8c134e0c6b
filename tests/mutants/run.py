#!/usr/bin/env python3
"""tests/mutants/run.py - breaks the product in thirty ways, one after the other,
and tells which tests notice it.

    run.py [NN...] [--part unit|end-to-end|world|lint] [--all-tests]
           [--apply-only] [--folder FOLDER] [--seeds N]

NN are numbers of mutants; without them all are tried.  Each patch of this folder
is applied to a copy of the tree, which is built with --enable-werror, and the tests
that its line `tests:` names run until one fails.  --part runs those of one kind
only; world is tests/world/world with the seeds 1 to N, if it was built.
--all-tests runs every test of the part, or of the tree, also behind the first that
fails.  --apply-only looks whether all patches apply.

All these tests run in the unchanged tree first: one that fails there counts for
nothing.  The copy and what is built from it stay in FOLDER (`mutants` in
BUILD_DIR), so a second run compiles little.

Prints a line for each mutant.  Exit codes: 0; 1 if too few are found, or a patch
does not apply or compile; 2 wrong usage.  Of all thirty two may be missed, of fewer
none."""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import patches

TREE = pathlib.Path(os.environ.get(
    "SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2])).resolve()
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", TREE / "build-check")).resolve()
MAY_MISS = 2      # of all mutants
TEST_S = 900      # ends a test that hangs in the unchanged tree;
TIMES = 30        # with a mutant it may take so many times as long as there,
LEAST_S = 120     # and so long in any case;
SCRIPT_S = 400    # scripts give up waiting after 300 s, and say for what
WORLD = "tests/world/world"
WORLD_SEEDS = 20
TOLD_POINTS = 3   # failed points of a test, in the line of a mutant
KINDS = {"unit": "tests/unit/", "end-to-end": "tests/end-to-end/",
         "lint": "tests/lint/", "world": WORLD}
JOBS = os.environ.get("MUTANT_JOBS", str(os.cpu_count() or 1))


# ---- the copy ----------------------------------------------------------------

def sources():
    """Returns the files of the tree: those that git would take, or, without git,
    all that are not in build folders."""
    if (TREE / ".git").exists() and shutil.which("git"):
        listed = subprocess.run(
            ["git", "-C", TREE, "ls-files", "-z", "--cached", "--others",
             "--exclude-standard"], capture_output=True, check=True)
        return sorted(name for name in listed.stdout.decode().split("\0")
                      if name and (TREE / name).is_file())
    tops = [path for path in TREE.iterdir()
            if path.name != "build" and not path.name.startswith("build-")]
    return sorted(
        str(path.relative_to(TREE)) for top in tops
        for path in (top.rglob("*") if top.is_dir() else [top]) if path.is_file())


def put(path, bytes_, mode):
    """Writes a file unless it is there already, so that make sees only changes."""
    if path.is_file() and path.read_bytes() == bytes_:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes_)
    path.chmod(mode)


class Copy:
    """A copy of the tree, and a folder where it is built."""

    def __init__(self, folder):
        self.tree = folder / "tree"
        self.build = folder / "build"
        self.log = folder / "build.log"
        self.build.mkdir(parents=True, exist_ok=True)

    def fill(self):
        names = sources()
        for name in names:
            path = TREE / name
            put(self.tree / name, path.read_bytes(), path.stat().st_mode & 0o777)
        kept = self.tree / ".files"  # what an earlier run has copied
        before = kept.read_text().split("\n") if kept.is_file() else []
        for name in set(before) - set(names):
            (self.tree / name).unlink(missing_ok=True)
        kept.write_text("\n".join(names))

    def mutate(self, mutant):
        """Changes the copy; returns what undoes it."""
        undo = {}
        for name, text in mutant.changed(self.tree).items():
            undo[name] = (self.tree / name).read_bytes()
            (self.tree / name).write_text(text)
        return undo

    def restore(self, undo):
        for name, bytes_ in undo.items():
            (self.tree / name).write_bytes(bytes_)

    def _run(self, *words, where=None):
        with open(self.log, "ab") as log:
            return subprocess.run(words, cwd=where or self.build, stdout=log,
                                  stderr=log, check=False).returncode == 0

    def configure(self):
        if (self.build / "Makefile").is_file():
            return True
        cc = ["CC=ccache gcc"] if shutil.which("ccache") else []
        return (self._run("autoreconf", "-fi", where=self.tree) and
                self._run(self.tree / "configure", "-q", "--enable-werror",
                          "CFLAGS=-O0 -g", *cc))

    def make(self, *targets):
        return self._run("make", "-s", "-j", JOBS, *targets)

    def build_for(self, test):
        """Builds what a test needs."""
        program = test.partition(":")[0].split()[0]
        if program.startswith(KINDS["lint"]):
            return True
        if program.startswith(KINDS["unit"]) or program == WORLD:
            return self.make(program)
        # `all` is made by a make of its own, beside which no other may run.
        return self.make("all") and self.make("tests/seeded/referee")

    def listed(self):
        """Returns all tests, in the order in which they run."""
        made = subprocess.run(["make", "-s", "-C", self.build, "list-tests"],
                              capture_output=True, text=True, check=True)
        return made.stdout.split()


# ---- tests -------------------------------------------------------------------

def command_of(copy, test):
    """Returns the words that run a test."""
    program, _, only = test.partition(":")
    if program == WORLD or program.startswith(WORLD + " "):
        return [str(copy.build / WORLD), *program.split()[1:]]
    if program.endswith(".py"):
        return [sys.executable, "-B", str(copy.tree / program)]
    if program.endswith(".sh"):
        return ["sh", str(copy.tree / program)]
    return [str(copy.build / program), *(["--filter", only] if only else [])]


def run_test(copy, test, limit_s):
    """Runs a test; returns the points that failed, none if it passed or was
    skipped."""
    env = dict(os.environ, SOURCE_DIR=str(copy.tree), BUILD_DIR=str(copy.build),
               CHECK_SEED=os.environ.get("CHECK_SEED", "1"), CHECK_ALL="")
    env["PYTHONHASHSEED"] = env["CHECK_SEED"]
    env["PATH"] = os.path.dirname(sys.executable) + os.pathsep + env["PATH"]
    for name in ("CHECK_LIVES", "REFEREE"):
        env.pop(name, None)
    process = subprocess.Popen(
        command_of(copy, test), cwd=copy.build, env=env, text=True,
        errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True)
    try:
        out, _ = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        return [f"it hung for {limit_s:.0f} s"]
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)  # and what it has left behind
        except ProcessLookupError:
            pass
        process.communicate()
    failed = [line.partition(" - ")[2] or line for line in out.splitlines()
              if line.startswith("not ok ") and "# SKIP" not in line
              and "# TODO" not in line]
    if not failed and (process.returncode != 0 or "Bail out!" in out):
        last = out.strip().splitlines()[-1:] or ["it said nothing"]
        failed = [f"exit code {process.returncode}: {last[0]}"]
    return failed


class Tests:
    """Which tests are run, and which of them pass in the unchanged tree."""

    def __init__(self, copy, wish):
        self.copy = copy
        self.wish = wish
        self.bad = set()  # those that fail without a mutant, too
        self.took = {}    # how long they took there

    def of(self, mutant):
        part = self.wish.part
        if part == "world":
            return [f"{WORLD} {seed}" for seed in range(1, self.wish.seeds + 1)]
        if not self.wish.all_tests:
            named = mutant.tests
            return [test for test in named
                    if part is None or test.startswith(KINDS[part])]
        return [test for test in self.copy.listed()
                if part is None or test.startswith(KINDS[part])]

    def run(self, mutant):
        """Returns what fails: {test: points}; None: the mutant does not compile."""
        found = {}
        for test in self.of(mutant):
            if test in self.bad:
                continue
            if not self.copy.build_for(test):
                return None
            least = SCRIPT_S if test.endswith(".py") else LEAST_S
            points = run_test(self.copy, test,
                              max(least, TIMES * self.took[test]))
            if points:
                found[test] = points
                if not self.wish.all_tests:
                    break
        return found

    def look_at(self, tests):
        """Runs tests in the unchanged tree."""
        for test in tests:
            begun = time.monotonic()  # luck: it only bounds what hangs
            points = run_test(self.copy, test, TEST_S)
            self.took[test] = time.monotonic() - begun  # luck: as above
            if points:
                self.bad.add(test)
                print(f"{test} fails without a mutant: {points[0]}", flush=True)


# ---- mutants -----------------------------------------------------------------

def told(found):
    lines = []
    for test, points in found.items():
        some = "; ".join(points[:TOLD_POINTS])
        more = len(points) - TOLD_POINTS
        lines.append(f"{test}: {some}" + (f"; and {more} more" if more > 0 else ""))
    return " | ".join(lines)


def try_mutant(copy, tests, mutant):
    """Returns what finds the mutant: {test: points}; None: it does not apply or
    compile."""
    try:
        undo = copy.mutate(mutant)
    except patches.Wrong as wrong:
        print(f"{mutant.name}: DOES NOT APPLY: {wrong}", flush=True)
        return None
    try:
        found = tests.run(mutant)
        if found is None:
            print(f"{mutant.name}: DOES NOT COMPILE, see {copy.log}", flush=True)
        return found
    finally:
        copy.restore(undo)


def run(wish, mutants):
    folder = pathlib.Path(wish.folder or BUILD / "mutants").resolve()
    copy = Copy(folder)
    copy.log.unlink(missing_ok=True)
    copy.fill()
    if wish.part == "world" and not (BUILD / WORLD).is_file():
        print(f"# {WORLD} was not built in {BUILD}: nothing is tried")
        return 0
    # Everything is made before the first mutant: bots, and what tests need.
    if not (copy.configure() and copy.make() and
            copy.make("check", "TESTS=")):
        print(f"the copy does not build, see {copy.log}")
        return 1
    tests = Tests(copy, wish)
    tests.look_at({test: None for mutant in mutants for test in tests.of(mutant)})
    hits, tried, whole = 0, 0, True
    for mutant in mutants:
        if not tests.of(mutant):
            print(f"{mutant.name}: no test of this part is named", flush=True)
            continue
        tried += 1
        found = try_mutant(copy, tests, mutant)
        if found is None:
            whole = False
            continue
        hits += bool(found)
        print(f"{mutant.name}: " + (
            f"found by {told(found)}" if found else "NOT FOUND"), flush=True)
    print(f"{hits} of {tried} mutants are found")
    may_miss = MAY_MISS if not wish.numbers and tried == len(mutants) else 0
    return int(hits < tried - may_miss or not whole)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*")
    parser.add_argument("--part", choices=sorted(KINDS))
    parser.add_argument("--all-tests", action="store_true")
    parser.add_argument("--apply-only", action="store_true")
    parser.add_argument("--folder")
    parser.add_argument("--seeds", type=int, default=WORLD_SEEDS)
    wish = parser.parse_args()
    # Tests are ended with this program.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        paths = patches.paths(wish.numbers)
    except patches.Wrong as wrong:
        parser.error(str(wrong))
    try:
        mutants = [patches.Mutant(path) for path in paths]
        if wish.apply_only:
            for mutant in mutants:
                mutant.changed(TREE)
    except patches.Wrong as wrong:
        print(wrong)
        sys.exit(1)
    if wish.apply_only:
        print(f"{len(mutants)} mutants apply")
        sys.exit(0)
    sys.exit(run(wish, mutants))


if __name__ == "__main__":
    main()
