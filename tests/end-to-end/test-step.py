#!/usr/bin/env python3
"""End-to-end because `referee replay --step` draws on a terminal: here on one of its
own."""

import fcntl
import os
import pathlib
import pty
import re
import select
import shlex
import signal
import struct
import termios

import arena
import tap

SOURCE = tap.VECTORS / "toepen-source.rec"
EIGHT = tap.VECTORS / "toepen-eight.rec"
LEAVE = b"\033[?1049l"
PROMPT = b"q: quit"
CONTROL = re.compile(r"\033\[([?0-9;]*)([A-Za-z])")


def drawn(data, rows, columns):
    """Returns the lines that the terminal shows after these bytes.  A character
    beyond its last row or column is an error."""
    screen = [[" "] * columns for _ in range(rows)]
    text, at, row, column = data.decode("utf-8"), 0, 0, 0
    while at < len(text):
        control = CONTROL.match(text, at)
        if control:
            at = control.end()
            if control[2] == "H":
                place = (control[1] or "1;1").split(";")
                row, column = int(place[0]) - 1, int(place[1]) - 1
            elif control[2] == "J":
                screen = [[" "] * columns for _ in range(rows)]
        else:
            screen[row][column] = text[at]
            column += 1
            at += 1
    return ["".join(line).rstrip() for line in screen]


class Terminal:
    """The program on a pseudo-terminal, and its output in pieces."""

    def __init__(self, *args, rows=24, columns=80, **environment):
        self.master, self.slave = pty.openpty()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.slave)
        self.pid = os.fork()
        if self.pid == 0:
            login(self.slave)
            os.execve(tap.REFEREE, [tap.REFEREE, "replay", "--step",
                                    *map(str, args)],
                      {**os.environ, "LC_ALL": "C.UTF-8", **environment})
        self.seen = b""

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ,
                    struct.pack("HHHH", rows, columns, 0, 0))

    def read_until(self, end):
        """Returns what was written up to and with `end`; b"" if it never comes."""
        while end not in self.seen:
            if not select.select([self.master], [], [], tap.TIMEOUT_S)[0]:
                return b""
            self.seen += os.read(self.master, 65536)
        at = self.seen.index(end) + len(end)
        screen, self.seen = self.seen[:at], self.seen[at:]
        return screen

    def shown(self, keys=""):
        """Returns the rows that the terminal shows after these keys."""
        screen = b""
        for key in keys or [""]:
            os.write(self.master, key.encode())
            screen = self.read_until(PROMPT)
        return drawn(screen.split(b"\033[2J")[-1], self.rows, self.columns)

    def quit(self):
        os.write(self.master, b"q")
        self.read_until(LEAVE)
        code = self.end()
        self.close()
        return code

    def end(self):
        """Returns how it ended: exit code, or minus the signal."""
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
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for number in range(3):
        os.dup2(slave, number)


def last(screen):
    """Returns the sentence about the current line, in one piece."""
    at = max(i for i, line in enumerate(screen) if line.startswith("> "))
    return " ".join(line.strip() for line in screen[at:-1]).strip()[2:]


try:
    for descriptor in pty.openpty():
        os.close(descriptor)
except OSError as error:
    tap.skip_all("no terminals here: %s" % error)

# ---- the table
terminal = Terminal(SOURCE)
screen = terminal.read_until(PROMPT)
tap.ok(not terminal.restored(), "the terminal is in raw mode")
shown = drawn(screen.split(b"\033[2J")[-1], 24, 80)
tap.equal((shown[0], last(shown)),
          ("toepen   view all   round 1   line 1 of 70",
           "Round 1 begins; stephen deals."), "it begins with the first line")
tap.equal(shown[1], "G: how it ends", "which does not give the end away")
tap.ok(any(line.startswith(" 0 stephen") and "(dealer)" in line
           for line in shown), "the seats, by name", "\n".join(shown))
shown = terminal.shown("nnnnn")
tap.equal(last(shown), "michael lays the hand face down and asks for a new "
          "one.", "n: the next line")
tap.ok(any(line.startswith(">1 terry") and "hand: 8♥ 9♥ Q♣ 10♣" in line for line in shown),
       "a hand with the signs of its suits, and whose turn it is",
       "\n".join(shown))
tap.ok(any("laid down: (J♣) (J♦) (Q♠) (7♣)" in line for line in shown),
       "cards that lie face down", "\n".join(shown))
forth = terminal.shown("nnn")
tap.equal(terminal.shown("bbb"), shown, "b: back to the same page")
tap.equal(terminal.shown("nnn"), forth, "and forward to the same page")
moves = [terminal.shown("j") for _ in range(8)]
tap.ok(any("trick 1: terry:8♥< michael:K♥" in line for page in moves for line in page),
       "the trick, and who led", "\n".join(moves[-1]))
tap.equal([terminal.shown("k") for _ in range(7)], moves[-2::-1],
          "k: the moves back are the same pages")

# ---- jumps
tap.equal(last(terminal.shown("r")), "Round 2 begins; terry deals.",
          "r: the next round")
shown = terminal.shown("rrr")
tap.equal((last(shown), shown[0].split("   ")[2]),
          ("Round 3 begins; sophie deals.", "round 3"),
          "r: stays at the last round")
tap.equal(last(terminal.shown("R")), "Round 2 begins; terry deals.",
          "R: the round before")
tap.equal(last(terminal.shown("G")), "michael comes fourth with 4 points.",
          "G: the end")
tap.equal(last(terminal.shown("g")), "Round 1 begins; stephen deals.",
          "g: the beginning")
tap.ok("has won it" in "".join(terminal.shown("?")), "?: help")
tap.equal(last(terminal.shown("n")), "terry is dealt the eight of hearts, the "
          "nine of hearts, the queen of clubs and the ten of clubs.",
          "a key after the help does what it does")

# ---- views
shown = terminal.shown("v")
tap.ok(last(shown) == "terry is dealt 4 cards." and "view public" in shown[0]
       and any(line.startswith(">1 terry") and "hand: ? ? ? ?" in line
               for line in shown), "v: the public's view", "\n".join(shown))
shown = terminal.shown("vv")
tap.ok("view seat 1" in shown[0] and "hand: 8♥ 9♥ Q♣ 10♣" in "".join(shown)
       and any(line.startswith(">1=terry") for line in shown),
       "v: a seat's view", "\n".join(shown))
tap.ok("view seat 0" in terminal.shown("V")[0], "V: the view before")
os.write(terminal.master, b"q")
tap.ok(terminal.read_until(LEAVE), "q: the screen is as before")
tap.equal(terminal.end(), 0, "q: exit code 0")
tap.ok(terminal.restored(), "q: the terminal is as before")
terminal.close()

# ---- terminals
terminal = Terminal(EIGHT)
shown = terminal.shown("")
shown = terminal.shown("jjjjjj")
tap.ok(all(any(f"{seat} random{seat}" in line for line in shown)
           for seat in range(8)) and "too small" not in "".join(shown) and
       last(shown), "eight seats in 80 times 24", "\n".join(shown))
whole = last(shown)
for rows, columns in ((4, 20), (60, 200)):
    terminal.resize(rows, columns)
    os.kill(terminal.pid, signal.SIGWINCH)
    # Both the terminal and the test tell it the size, so the page of the old
    # size may come twice.
    page = terminal.read_until(f"\033[{rows};1H\033[7mn/b".encode())
    terminal.read_until(b"\033[0m")
    shown = drawn(page.split(b"\033[2J")[-1], rows, columns)
    tap.ok(shown[0].startswith("toepen   view all"[:columns]) and
           (columns < 80 or last(shown) == whole),
           f"resized to {rows} times {columns}", "\n".join(shown))
tap.equal(terminal.quit(), 0, "and ends")

with tap.folder() as folder:
    path = pathlib.Path(folder) / "same.rec"
    name = "a-bot-with-a-very-long-name-1234"
    text = re.sub(r"^bot (\d) .*$", rf"bot \1 {name}", SOURCE.read_text(),
                  flags=re.M)
    path.write_text(re.sub(
        r"^(move 2 challenge).*$",
        r"\1 ; 12.345ms ; say 2 caf%C3%A9%1B[2J ; say 1 quiet", text,
        flags=re.M))
    terminal = Terminal(path, rows=40)
    terminal.shown("")
    shown = terminal.shown("njj")
    tap.ok(all(any(f"{seat} a-bot-with-a-ver~({seat})" in line
                   for line in shown) for seat in range(4)),
           "long names that are alike are told apart", "\n".join(shown))
    tap.equal(last(shown), f"{name}(2) challenges the hand that was laid down. "
              f"(12.345ms) {name}(2) says: \"café\\x1b[2J\" {name}(1) says: "
              "\"quiet\"", "thinking time and remarks")
    terminal.shown("v")
    tap.ok("café" not in last(shown := terminal.shown("nb")) and
           "ms)" not in last(shown), "not for the public", "\n".join(shown))
    shown = terminal.shown("vv")
    tap.ok("quiet" in last(shown) and "café" not in last(shown) and
           "ms)" not in last(shown), "a seat has its own", "\n".join(shown))
    terminal.quit()

for environment, sign, colour in (({"NO_COLOR": "1"}, "10♣", False),
                                  ({"LC_ALL": "C"}, "TC", True)):
    terminal = Terminal(SOURCE, **environment)
    terminal.read_until(PROMPT)
    os.write(terminal.master, b"n")
    screen = terminal.read_until(PROMPT).decode()
    tap.ok((sign in screen, "\033[31m" in screen) == (True, colour),
           f"signs and colours with {environment}", screen)
    terminal.quit()

# ---- standard error of a match: seat 0 writes before it answers, and at the end

BOT = r"""
import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "ask":
        print("ask", words[1], "\0\033[2J\033]0;mine\7\u202e", file=sys.stderr, flush=True)
        print("do", words[1], words[3], flush=True)
    elif words[0] == "result":
        print("done", words[1], file=sys.stderr, flush=True)
    elif words[0] == "bye":
        break
"""
with arena.Arena() as place:
    (place.root / "bot.py").write_text(BOT)
    run = place.match("toepen", "-o", "points=1", "--bot",
                      shlex.join([*tap.PYTHON, "bot.py"]), "--name", "ann", "--bot",
                      "random", "--games", 1, "--exact", "--stderr", "errors", *arena.PATIENT)
    tap.equal(run.code, 0, "a match")
    path = place.records()[0].path
    errors = place.root / "errors"

    def told(*keys, at=("--view", "all"), rows=24):
        """Returns what the page says after each of these keys."""
        terminal = Terminal("--stderr", errors, *at, path, rows=rows)
        terminal.read_until(PROMPT)
        pages = [" ".join(" ".join(terminal.shown(key)).split()) for key in keys]
        terminal.quit()
        return pages

    first, second, back, end = told("e", "e", "E", "G")
    tap.ok("It wrote to standard error: ask 1 \\x00\\x1b[2J\\x1b]0;mine\\x07\\xe2\\x80\\xae"
           in first, "e: what the bot wrote, as text", first)
    tap.ok("ask 2 " in second, "e: at the next decision", second)
    tap.equal(back, first, "E: and back")
    tap.ok("ann: After its last answer it wrote to standard error: done 0 done 1" in end,
           "and at the end", end)
    seat = place.records()[0].bots().index("ann")
    for view, own in (("public", False), (seat, True), (1 - seat, False)):
        pages = told("G", "E", "E", at=("--view", view), rows=60)
        tap.equal("standard error" in " ".join(pages), own,
                  f"the view {view} has only its own")
    tap.complains(tap.referee("replay", "--stderr", errors, path), 2,
                  "--stderr needs --step", "it needs a terminal")

terminal = Terminal("--from", "3", "--view", "0", "--asks", SOURCE)
shown = terminal.shown("")
tap.ok("round 3" in shown[0] and "view seat 0" in shown[0],
       "--from and --view say where it begins", "\n".join(shown))
shown = terminal.shown("nnnn")
tap.ok("stephen may " in "".join(shown) and "terry may" not in "".join(shown)
       and ">0=stephen" in "".join(shown),
       "the asks of this seat only", "\n".join(shown))
os.write(terminal.master, b"\x03")
terminal.read_until(LEAVE)
tap.equal(terminal.end(), -signal.SIGINT, "Ctrl-C ends it")
tap.ok(terminal.restored(), "Ctrl-C: the terminal is as before")
terminal.close()

for number in (signal.SIGTERM, signal.SIGABRT):
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
tap.ok(b"Round 1 begins" in screen and not terminal.restored(),
       "continued: it draws again", screen)
os.write(terminal.master, b"q")
tap.equal(terminal.end(), 0, "and ends")
tap.ok(terminal.restored(), "the terminal is as before")
terminal.close()
tap.done()
