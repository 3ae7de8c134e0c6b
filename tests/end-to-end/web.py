"""Drives pages in headless Chromium by a script for Node.

    if not web.skip("the pages in a browser"):
        web.play("web-pages.mjs", {"base": "http://127.0.0.1:8080"})

The script imports web.mjs, which explains its form; its checks are test points
of this program.  It needs node, chromium, and the modules playwright-core and
axe-core from NODE_PATH or from build-web/ in the tree (`./bootstrap check` puts
them there).
"""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

import tap

TIMEOUT_S = 3300  # ends a script that hangs
MODULES = ("playwright-core", "axe-core")
SCRIPTS = tap.SOURCE_DIR / "tests" / "end-to-end"
FOLDER = tap.SOURCE_DIR / "build-web"
FAILED = tap.BUILD_DIR / "web-failed"  # pictures of what went wrong


@functools.cache
def modules():
    """Returns the folder with the modules, or None."""
    for folder in [*os.environ.get("NODE_PATH", "").split(":"),
                   FOLDER / "node_modules"]:
        if folder and all((pathlib.Path(folder) / name).is_dir()
                          for name in MODULES):
            return folder
    return None


@functools.cache
def browser():
    """Returns Chromium, or None; it prefers the headless shell, which takes two
    thirds of the time."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def missing():
    """Returns why there is no browser here, or None."""
    return ("there is no chromium" if not browser() else
            "there is no node" if not shutil.which("node") else
            f"{' and '.join(MODULES)} are neither in NODE_PATH nor in {FOLDER}"
            if not modules() else None)


def skip(what):
    """Returns true, and skips the test, if there is no browser here."""
    return tap.skip(what, missing())


class Script:
    """Runs a script and reads what it prints, line by line."""

    def __init__(self, name, home, errors):
        # The browser's user files go to a folder that is removed.
        environment = dict(os.environ, HOME=home, NODE_MODULES=str(modules()),
                           CHROMIUM=browser())
        for key in [key for key in environment if key.startswith("XDG_")]:
            del environment[key]
        self.process = subprocess.Popen(
            [shutil.which("node"), SCRIPTS / name], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
            text=True, encoding="utf-8")

    def say(self, value):
        self.process.stdin.write(json.dumps(value) + "\n")
        self.process.stdin.flush()

    def run(self, given, answers):
        """Runs the script; returns true if it said that it is done."""
        self.say(given)
        for line in self.process.stdout:
            heard = json.loads(line)
            if "ok" in heard:
                tap.ok(heard["ok"], heard["what"], heard["details"])
            elif "note" in heard:
                tap.note(heard["note"])
            elif "ask" in heard:
                self.say(answers[heard["ask"]](*heard["args"]))
            else:
                return True
        return False


def play(name, given, **answers):
    """Runs a script of this folder with `given`; it may `ask` the functions in
    `answers`."""
    given = dict(given, failed=str(FAILED),
                 program=pathlib.Path(sys.argv[0]).stem)
    with tempfile.TemporaryDirectory() as home, \
            tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        script = Script(name, home, errors)
        timer = threading.Timer(TIMEOUT_S, script.process.kill)
        timer.start()
        try:
            done = script.run(given, answers)
            script.process.stdin.close()
            code = script.process.wait()
        finally:
            timer.cancel()
            script.process.kill()
            script.process.wait()
            script.process.stdout.close()
        errors.seek(0)
        tap.ok(done and code == 0, f"{name} ran to its end",
               f"exit code {code}\n{errors.read()}")
