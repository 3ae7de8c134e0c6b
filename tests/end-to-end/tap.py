"""A tiny TAP writer for the scripts here, and how they run the program.

    import tap
    run = tap.referee("verify", path)   # run.code, run.out, run.err
    tap.equal(run.code, 0, "a good record verifies")
    tap.done()                          # prints the plan, exits

Environment: REFEREE is the program (else referee/referee in BUILD_DIR),
SOURCE_DIR the tree, BUILD_DIR where it was built.  A script that cannot test
anything here says why with tap.skip_all().
"""

import os
import pathlib
import subprocess
import sys

SOURCE_DIR = pathlib.Path(os.environ.get(
    "SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BUILD_DIR = pathlib.Path(os.environ.get("BUILD_DIR", os.getcwd())).resolve()
VECTORS = SOURCE_DIR / "tests" / "vectors"
REFEREE = os.environ.get("REFEREE", str(BUILD_DIR / "referee" / "referee"))
TIMEOUT_S = 120

if not os.access(REFEREE, os.X_OK):
    print(f"Bail out! There is no program {REFEREE}; REFEREE can name it")
    sys.exit(1)

_count = 0
_failed = 0


class Run:
    """What a program did: exit code (negative: killed by that signal), text
    on standard output and standard error."""

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
    """A random record (tests/unit/write-record.c) in a file."""
    program = os.environ.get(
        "WRITE_RECORD", str(BUILD_DIR / "tests" / "unit" / "write-record"))
    done = run([program, *fields])
    if done.code != 0:
        raise RuntimeError(f"write-record: {done}")
    pathlib.Path(path).write_text(done.out, encoding="ascii")


def note(text):
    for line in str(text).split("\n"):
        print("# " + line)


def ok(truth, what, details=""):
    """One test point; `details` are told if it failed."""
    global _count, _failed
    _count += 1
    print(f"{'ok' if truth else 'not ok'} {_count} - {what}")
    if not truth:
        _failed += 1
        note(details)
    sys.stdout.flush()
    return bool(truth)


def equal(found, expected, what):
    return ok(found == expected, what,
              f"expected {expected!r}\nfound    {found!r}")


def complains(done, code, part, what):
    """It ended with this code after a complaint that holds `part`: one
    sentence, and behind it at most the hint where to read about usage."""
    lines = done.err.rstrip("\n").split("\n")
    hint = len(lines) == 2 and lines[1].startswith("Try ")
    return ok(done.code == code and done.out == "" and part in lines[0]
              and lines[0].startswith("referee") and (len(lines) == 1 or hint),
              what, done)


def skip(what, why):
    """A test point that this machine cannot have, if there is a reason why;
    whether it was skipped."""
    if why:
        ok(True, f"{what} # SKIP {' '.join(str(why).split())}")
    return bool(why)


def skip_all(why):
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


def done():
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)
