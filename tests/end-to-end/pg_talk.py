"""Drives tests/unit/pg-talk, which connects to PostgreSQL as the referee does.

    with pg_talk.Talk(conninfo) as talk:
        talk.ask("1 SELECT 2")          # "1 done 1 number 2"
        talk.ask("line 2 SELECT 3")     # by the connection that waits
"""

import os
import queue
import subprocess
import threading

import tap

TALK = os.environ.get("PG_TALK",
                      str(tap.BUILD_DIR / "tests" / "unit" / "pg-talk"))
WAIT_S = 300


def missing():
    """Returns why there is no PostgreSQL or no pg-talk, or None."""
    return None if os.access(TALK, os.X_OK) else (
        f"no {TALK} was built (it needs Criterion)")


class Talk:
    """A running pg-talk."""

    def __init__(self, conninfo, **environ):
        self.process = subprocess.Popen(
            [TALK, conninfo, "news"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=dict(os.environ, **environ))
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace").rstrip("\n"))
        self.lines.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def say(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def line(self):
        """Returns the next line, or None at the end or when none comes."""
        try:
            line = self.lines.get(timeout=WAIT_S)
        except queue.Empty:
            return None
        if line is None:
            self.lines.put(None)
        return line

    def until(self, *begins):
        """Returns the lines up to the first that begins with one of these."""
        before = []
        while (line := self.line()) is not None:
            if line.startswith(begins):
                return line, before
            before.append(line)
        return None, before

    def ask(self, line):
        self.say(line)
        name = line.split()[1 if line.startswith("line ") else 0]
        return self.until(f"{name} ")[0]

    def end(self):
        """Ends it; returns its exit code and its standard error."""
        try:
            self.process.stdin.close()
            code = self.process.wait(WAIT_S)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            self.process.kill()
            code = self.process.wait()
        return code, self.process.stderr.read().decode("utf-8", "replace")
