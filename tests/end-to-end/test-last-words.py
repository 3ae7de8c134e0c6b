#!/usr/bin/env python3
"""Tests that a test program that ends without its plan says why and how to repeat
it, whatever has ended it.  End-to-end because other tests rely on it."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import tap

HEAD = """import os, signal, sys, threading
sys.path.insert(0, {path!r})
import tap
tap.ok(True, "a point")
"""
WAITS = 'print("# waits", flush=True)\n'


def program(folder, text, number=None):
    """Runs a program; with `number`, waits until it waits and sends it that
    signal."""
    path = folder / "test-it.py"
    path.write_text(HEAD.format(path=os.path.dirname(tap.__file__)) + text)
    environ = {key: value for key, value in os.environ.items()
               if key != "CHECK_LIVES"}
    environ["TMPDIR"] = str(folder)  # a crash leaves its file there
    child = subprocess.Popen([*tap.PYTHON, path], env=environ,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    out = b""
    while number is not None and b"# waits\n" not in out:
        out += child.stdout.readline()
    if number is not None:
        child.send_signal(number)
    rest, err = child.communicate(timeout=tap.TIMEOUT_S)
    return tap.Run(child.returncode, (out + rest).decode(), err.decode())


def says(done, code, why, where, what):
    """Tests that the program says so once, on a line of its own, and where it
    was, if that is known."""
    bails = [line for line in done.out.splitlines() if "Bail out!" in line]
    tap.ok(done.code == code and len(bails) == 1
           and bails[0].startswith(f"Bail out! {why}")
           and where in done.out.partition("Bail out!")[2]
           and done.out.count(f"\n# again: CHECK_SEED={tap.SEED} ") == 1
           and "\nok 1 - a point\n" in "\n" + done.out, what, done)


def test_ends(folder):
    says(program(folder, "raise ValueError('two\\nlines')\n"), 1,
         "ValueError: two lines", "# Traceback (most recent call last):",
         "an exception")
    says(program(folder, "import subprocess\nsubprocess.run(['sleep', '60'], "
                 "timeout=0.01)\n"),  # luck: what runs takes longer by far
         1, "subprocess.TimeoutExpired: ",
         "in run", "a program that takes too long")
    says(program(folder, "sys.exit(0)\n"), 0, "this ended before its plan", "",
         "an early exit")
    says(program(folder, ""), 0, "this ended before its plan", "",
         "a file without done()")
    says(program(folder, "sys.stdout.write('half a li')\nraise KeyError(1)\n"), 1,
         "KeyError: 1", "", "with half a line before it")
    done = program(folder, "os.abort()\n")
    tap.ok(done.code == -signal.SIGABRT and "Fatal Python error: Aborted" in
           done.err and "test-it.py" in done.err,
           "a crash is told on standard error", done)


def test_signals(folder):
    for name in ("SIGTERM", "SIGHUP"):
        number = signal.Signals[name]
        says(program(folder, "def stands_here():\n\t" + WAITS +
                     "\tthreading.Event().wait()\nstands_here()\n", number),
             128 + number, f"{name} has ended this", "in stands_here", name)
    done = program(folder, "def stands_here():\n\there.set()\n\tgo.wait()\n"
                   "here, go = threading.Event(), threading.Event()\n"
                   "one = threading.Thread(target=stands_here, name='a helper')\n"
                   "one.start()\n"
                   "here.wait()\n"
                   "try:\n\t" + WAITS + "\tone.join()\n"
                   "finally:\n\tos.kill(os.getpid(), signal.SIGTERM)\n"
                   "\tgo.set()\n\tprint('# tidy', flush=True)\n", signal.SIGTERM)
    says(done, 128 + signal.SIGTERM, "SIGTERM has ended this", "# a helper:",
         "every thread is told")
    tap.ok("in stands_here" in done.out and done.out.endswith("# tidy\n"),
           "what tidies up is not disturbed by a second signal", done)


def test_files(folder):
    """Tests what becomes of the folder that it works in."""
    begin = "import arena\nwith arena.Arena() as place:\n\t"
    for text, number, code in (
            (begin + "raise KeyError(1)\n", None, 1),
            (begin + "sys.exit(0)\n", None, 0),
            (begin + WAITS + "\tthreading.Event().wait()\n", signal.SIGTERM,
             128 + signal.SIGTERM)):
        done = program(folder, text, number)
        files = [line[len("# files: "):] for line in done.out.splitlines()
                 if line.startswith("# files: ")]
        kept = list(folder.glob("referee-test-*"))
        tap.equal(done.code, code, "it ends")
        tap.equal([str(path) for path in kept], files or ["no files are told"],
                  f"{done.code}: it names its folder, which stays")
        for path in kept:
            shutil.rmtree(path)
    done = program(folder, "try:\n\t" + begin.replace("\n", "\n\t") +
                   "raise KeyError(1)\nexcept KeyError:\n\tpass\ntap.done()\n")
    tap.ok(done.code == 0 and not list(folder.glob("referee-test-*")),
           "the folder of an exception that the test awaits goes", done)


def test_kept(folder):
    for text, code, what in (
            ("tap.done()\n", 0, "a plan"),
            ("tap.ok(False, 'no')\ntap.done()\n", 1, "a plan with a failed point"),
            ("tap.skip_all('no')\n", 0, "a test that is skipped"),
            ("if os.fork() == 0:\n\tsys.exit(3)\nos.wait()\ntap.done()\n", 0,
             "a child that was forked")):
        done = program(folder, text)
        tap.ok(done.code == code and "Bail out!" not in done.out
               and "\n1.." in done.out, what, done)


with tempfile.TemporaryDirectory() as scratch:
    test_ends(pathlib.Path(scratch))
    test_signals(pathlib.Path(scratch))
    test_files(pathlib.Path(scratch))
    test_kept(pathlib.Path(scratch))
tap.done()
