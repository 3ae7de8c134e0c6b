"""Writes TAP for the scripts here, and runs the program for them.

    import tap
    run = tap.referee("verify", path)   # run.code, run.out, run.err
    tap.equal(run.code, 0, "a good record verifies")
    tap.done()                          # prints the plan, exits

Environment: REFEREE is the program (else tests/seeded/referee in BUILD_DIR, which
draws from CHECK_SEED), SOURCE_DIR the tree, BUILD_DIR where it was built.  A script
that cannot test anything here says why with tap.skip_all().

CHECK_SEED decides everything that a test draws: dice(WHAT) are the test's own,
and the program's generator is seeded with it.  A failed point says how to
repeat it, and keeps the folders of folder() and working_in(); so
does a test that ends without its plan.
With CHECK_COST=1 each point prints its processor time.
"""

import atexit
import contextlib
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import traceback

import last_words

SOURCE_DIR = pathlib.Path(os.environ.get(
    "SOURCE_DIR", pathlib.Path(__file__).parents[2])).resolve()
BUILD_DIR = pathlib.Path(os.environ.get("BUILD_DIR", os.getcwd())).resolve()
VECTORS = SOURCE_DIR / "tests" / "vectors"
TIMEOUT_S = 600  # a program that runs longer hangs
# -S: to look for installed packages takes longer than all else at its start.
PYTHON = [sys.executable, "-B", "-S"]
SEED = int(os.environ.setdefault("CHECK_SEED", "1"))
PROGRAM = os.path.relpath(os.path.abspath(sys.argv[0]), SOURCE_DIR)
if PROGRAM.startswith(".."):
    PROGRAM = sys.argv[0]


def _find_program():
    """Returns the program that draws from CHECK_SEED, if it was built."""
    places = [str(BUILD_DIR / folder / "referee")
              for folder in ("tests/seeded", "referee")]
    return next((place for place in places if os.access(place, os.X_OK)),
                places[-1])


def _count_lives():
    """Makes the file that counts the processes of the program, so that each
    draws from a stream of its own (tests/seeded/referee-seeded.c).  Each test
    starts with an empty one, whatever else runs."""
    if "CHECK_LIVES" in os.environ:  # this is a test's own child
        return
    file, path = tempfile.mkstemp(prefix="referee-lives-")
    os.fchmod(file, 0o666)  # some tests run it as another user
    os.close(file)
    os.environ["CHECK_LIVES"] = path
    owner = os.getpid()
    atexit.register(lambda: os.getpid() == owner and os.unlink(path))


def again_by(*words):
    """Runs this test by these words, from its beginning, instead of going on."""
    sys.stdout.flush()
    os.unlink(os.environ.pop("CHECK_LIVES"))
    os.execvp(words[0], [*words, *PYTHON, *sys.argv])


REFEREE = os.environ.get("REFEREE") or _find_program()

if not os.access(REFEREE, os.X_OK):
    print(f"Bail out! There is no program {REFEREE}; REFEREE can name it")
    sys.exit(1)

_count = 0
_failed = 0
_cost_s = 0.0
_folders = []
_left = []  # folders that go with the plan, if no point has failed


def dice(what=""):
    """Returns dice that depend only on CHECK_SEED, this program and `what`."""
    return random.Random(f"{SEED} {PROGRAM} {what}")


def working_in(folder):
    """Makes a failed point name this folder from now on, and leave() keep it."""
    _folders.append(pathlib.Path(folder))


def leave(folder):
    """Removes a folder, unless a point has failed.  While an exception passes by,
    it stays until the plan: perhaps this test ends without one."""
    folder = pathlib.Path(folder)
    if sys.exc_info()[0] and not last_words.is_kept():
        _left.append(folder)
    elif not _failed:
        shutil.rmtree(folder, ignore_errors=True)
        if folder in _folders:
            _folders.remove(folder)


@contextlib.contextmanager
def folder():
    """Makes a folder for a test; a failed point names it, and it stays then."""
    path = tempfile.mkdtemp(prefix="referee-test-")
    working_in(path)
    try:
        yield path
    finally:
        leave(path)


class Run:
    """Holds the result of a program: exit code (negative: killed by that
    signal), standard output and standard error."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f"exit code {self.code}\n{self.out}{self.err}"


def run(args, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run([str(arg) for arg in args], stderr=subprocess.PIPE,
                          timeout=TIMEOUT_S, check=False, **options)
    return Run(done.returncode, (done.stdout or b"").decode("latin-1"),
               done.stderr.decode("latin-1"))


def referee(*args, **options):
    return run([REFEREE, *args], **options)


def write_record(path, *fields):
    """Writes a random record (tests/unit/write-record.c) to a file."""
    program = os.environ.get(
        "WRITE_RECORD", str(BUILD_DIR / "tests" / "unit" / "write-record"))
    done = run([program, *fields])
    if done.code != 0:
        raise RuntimeError(f"write-record: {done}")
    pathlib.Path(path).write_text(done.out, encoding="ascii")


def note(text):
    for line in str(text).split("\n"):
        print("# " + line)


def _tell_cost():
    """Prints the processor time of the programs that have ended since the point
    before."""
    global _cost_s
    so_far = sum(os.times()[:4])  # luck: only told
    note(f"cost {so_far - _cost_s:.1f} s")
    _cost_s = so_far


def ok(truth, what, details=""):
    """Prints a test point, and `details` if it failed."""
    global _count
    _count += 1
    if "CHECK_COST" in os.environ:
        _tell_cost()
    print(f"{'ok' if truth else 'not ok'} {_count} - {what}")
    if not truth:
        if str(details):
            note(details)
        _tell_where()
        for line in _fail():
            note(line)
    sys.stdout.flush()
    return bool(truth)


def _tell_where():
    """Prints the line of the point."""
    for frame in reversed(traceback.extract_stack()):
        if frame.filename != __file__:
            note(f"at {os.path.basename(frame.filename)}:{frame.lineno}: "
                 f"{frame.line}")
            if os.path.abspath(frame.filename) == os.path.abspath(sys.argv[0]):
                break


def _fail():
    """Counts a failure.  Returns the command that runs this test again, in this
    form and this part's build, and the folders that it worked in."""
    global _failed
    _failed += 1
    form = "CHECK_ALL=1 " if os.environ.get("CHECK_ALL") else ""
    part = (f"--part {BUILD_DIR.name} "
            if BUILD_DIR.parent == SOURCE_DIR / "build-check" else "")
    return [f"again: CHECK_SEED={SEED} {form}./bootstrap check {part}{PROGRAM}",
            *(f"files: {folder}" for folder in _folders if folder.exists())]


def _plan(text):
    print(text)
    last_words.kept()
    for folder in _left:
        leave(folder)


def equal(found, expected, what):
    return ok(found == expected, what,
              f"expected {expected!r}\nfound    {found!r}")


def holds(what, problem):
    """Tests that there is no problem: None, or a sentence that says what is wrong."""
    return ok(not problem, what, problem or "")


def complains(done, code, part, what):
    """Tests that a program ended with this code and printed one sentence with
    `part` in it, followed at most by the hint where to read about usage."""
    lines = done.err.rstrip("\n").split("\n")
    hint = len(lines) == 2 and lines[1].startswith("Try ")
    return ok(done.code == code and done.out == "" and part in lines[0]
              and lines[0].startswith("referee") and (len(lines) == 1 or hint),
              what, done)


def skip(what, why):
    """Skips a test point if there is a reason `why`; returns true if it did."""
    if why:
        ok(True, f"{what} # SKIP {' '.join(str(why).split())}")
    return bool(why)


def skip_all(why):
    _plan(f"1..0 # SKIP {why}")
    sys.exit(0)


def done():
    _plan(f"1..{_count}")
    sys.exit(1 if _failed else 0)


if "CHECK_LIVES" not in os.environ and len(sys.argv) == 1 and (
        os.path.basename(PROGRAM).startswith(("test-", "test_"))):
    last_words.promise(_fail)
_count_lives()
