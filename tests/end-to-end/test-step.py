#!/usr/bin/env python3
"""referee replay --step on a terminal of its own."""

import os
import pty
import select
import signal
import sys
import termios
import time

import tap

SOURCE = tap.VECTORS / "toepen-source.rec"
LEAVE = b"\033[?1049l"
PROMPT = b"q: quit"


class Terminal:
    """The program on a pseudo-terminal; what it wrote, in pieces."""

    def __init__(self, *args):
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.pid = os.fork()
        if self.pid == 0:
            os.login_tty(self.slave) if hasattr(os, "login_tty") else login(
                self.slave)
            os.execv(tap.REFEREE, [tap.REFEREE, "replay", "--step",
                                   *map(str, args)])
        self.seen = b""

    def read_until(self, end):
        """What was written up to and with `end`; b"" if it never comes."""
        deadline = time.monotonic() + 30
        while end not in self.seen:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                return b""
            self.seen += os.read(self.master, 65536)
        at = self.seen.index(end) + len(end)
        screen, self.seen = self.seen[:at], self.seen[at:]
        return screen

    def press(self, keys, screens=1):
        """The last screen after these keys."""
        os.write(self.master, keys)
        screen = b""
        for _ in range(screens):
            screen = self.read_until(PROMPT)
        return screen

    def end(self):
        """How it ended: exit code, or minus the signal."""
        status = os.waitpid(self.pid, 0)[1]
        return os.waitstatus_to_exitcode(status) if hasattr(
            os, "waitstatus_to_exitcode") else (
                os.WEXITSTATUS(status) if os.WIFEXITED(status)
                else -os.WTERMSIG(status))

    def restored(self):
        return termios.tcgetattr(self.slave) == self.before

    def close(self):
        os.close(self.master)
        os.close(self.slave)


def login(slave):
    import fcntl
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for number in range(3):
        os.dup2(slave, number)


try:
    for descriptor in pty.openpty():
        os.close(descriptor)
except OSError as error:
    tap.skip_all("no terminals here: %s" % error)

terminal = Terminal(SOURCE)
screen = terminal.read_until(PROMPT)
tap.ok(b"round 1 0" in screen and b"deal" not in screen,
       "it begins with the first line", screen)
tap.ok(not terminal.restored(), "the terminal is in raw mode")
screen = terminal.press(b"n")
tap.ok(b"deal 1 8H 9H QC TC" in screen, "n: the next line", screen)
screen = terminal.press(b"\033[B")
tap.ok(b"deal 2 KD JS 9S AC" in screen, "an arrow: the next line", screen)
screen = terminal.press(b"b")
tap.ok(b"deal 2" not in screen and b"deal 1" in screen, "b: back", screen)
screen = terminal.press(b"v")
tap.ok(b"deal 1 ? ? ? ?" in screen and b"view public" in screen,
       "v: the public's view", screen)
screen = terminal.press(b"vv")
tap.ok(b"view seat 1" in screen and b"deal 1 8H 9H QC TC" in screen,
       "v: a seat's view", screen)
screen = terminal.press(b"r")
tap.ok(b"round 2 1" in screen, "r: the next round", screen)
screen = terminal.press(b"rrr")
tap.ok(b"round 3 2" in screen, "r: stays at the last round", screen)
os.write(terminal.master, b"q")
tap.ok(terminal.read_until(LEAVE), "q: the screen is as before")
tap.equal(terminal.end(), 0, "q: exit code 0")
tap.ok(terminal.restored(), "q: the terminal is as before")
terminal.close()

terminal = Terminal("--from", "3", "--view", "0", "--asks", SOURCE)
screen = terminal.read_until(PROMPT)
tap.ok(b"round 3 2" in screen and b"view seat 0" in screen,
       "--from and --view say where it begins", screen)
screen = terminal.press(b" " * 4)
tap.ok(b"ask 0 " in screen and b"ask 1 " not in screen,
       "the asks of this seat only", screen)
os.write(terminal.master, b"\x03")
terminal.read_until(LEAVE)
tap.equal(terminal.end(), -signal.SIGINT, "Ctrl-C ends it")
tap.ok(terminal.restored(), "Ctrl-C: the terminal is as before")
terminal.close()

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGABRT):
    terminal = Terminal(SOURCE)
    terminal.read_until(PROMPT)
    os.kill(terminal.pid, number)
    terminal.read_until(LEAVE)
    tap.equal(terminal.end(), -number, f"{number.name} ends it")
    tap.ok(terminal.restored(), f"{number.name}: the terminal is as before")
    terminal.close()

terminal = Terminal(SOURCE)
terminal.read_until(PROMPT)
os.kill(terminal.pid, signal.SIGTSTP)
terminal.read_until(LEAVE)
status = os.waitpid(terminal.pid, os.WUNTRACED)[1]
tap.ok(os.WIFSTOPPED(status), "stopped")
tap.ok(terminal.restored(), "stopped: the terminal is as before")
os.kill(terminal.pid, signal.SIGCONT)
screen = terminal.read_until(PROMPT)
tap.ok(b"round 1 0" in screen and not terminal.restored(),
       "continued: it draws anew", screen)
os.write(terminal.master, b"q")
tap.equal(terminal.end(), 0, "and ends")
tap.ok(terminal.restored(), "the terminal is as before")
terminal.close()
tap.done()
