#!/usr/bin/env python3
"""End-to-end because the kits are programs in eight languages.

Tests the kits with lines that arrive in every possible way.

random.txt and hands.txt hold conversations with the bots' answers.  Each bot
must give these answers when a conversation comes line by line, waiting for each
answer; whole; byte by byte; and cut at random places.  Without CHECK_ALL one of
these is tried for each conversation and language, by turns.  Speaks TAP.

The pieces really arrive one by one: in a pipe in packet mode (O_DIRECT, see
pipe(2)) each read() gets what one write() has put in."""

import os
import re
import select
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end-to-end"))

import tap  # noqa: E402

BUILD = str(tap.BUILD_DIR)
SAMPLES = os.path.join(HERE, "..", "..", "sample-bots")
PACKET = 4096  # the longest packet
SECONDS = 900  # ends a test that hangs
ALL = bool(os.environ.get("CHECK_ALL"))
CUTS = 3 if ALL else 1
WAYS = ("in turns", "whole", "byte by byte", "cut")


def tool(variable, program):
    """Returns a program that configure has found or that is in the PATH, or
    "none"."""
    for found in (os.environ.get(variable), shutil.which(program)):
        if found and shutil.which(found):
            return found
    return "no " + program


def why_not(argv):
    """Returns why a bot cannot be tested here."""
    return ("there is " + argv[0] if argv[0].startswith("no ")
            else "%s has not been built" % os.path.relpath(argv[0], BUILD))


NODE = tool("NODE", "node")
JAVA = tool("JAVA", "java")


def java_bot(name, *folders):
    """Returns the command of a Java bot, whose classes are in the build, or a
    list with the reason why there is none."""
    paths = [os.path.join(BUILD, folder, "java") for folder in folders]
    if not os.path.exists(os.path.join(paths[-1], name + ".class")):
        return ["no bot in Java: it has not been built"]
    return [JAVA, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp",
            ":".join(paths), name]


RANDOM_BOTS = {
    "python": tap.PYTHON + [os.path.join(SAMPLES, "python", "random_bot.py")],
    "javascript": [NODE, os.path.join(SAMPLES, "javascript", "random-bot.js")],
    "c": [os.path.join(BUILD, "tests", "kits", "random-bot")],
    "c++": [os.path.join(BUILD, "sample-bots", "cpp", "random-bot")],
    "go": [os.path.join(BUILD, "sample-bots", "go", "random-bot")],
    "java": java_bot("RandomBot", "sample-bots"),
    "rust": [os.path.join(BUILD, "sample-bots", "rust", "random-bot")],
}
HAND_BOTS = {
    "python": tap.PYTHON + [os.path.join(HERE, "hand_bot.py")],
    "javascript": [NODE, os.path.join(HERE, "hand-bot.js")],
    "c": [os.path.join(BUILD, "tests", "kits", "hand-bot")],
    "c++": [os.path.join(BUILD, "tests", "kits", "cpp", "hand-bot")],
    "go": [os.path.join(BUILD, "tests", "kits", "go", "hand-bot")],
    "java": java_bot("HandBot", "sample-bots", "tests/kits"),
    "rust": [os.path.join(BUILD, "tests", "kits", "rust", "hand-bot")],
}
SHELL_BOT = ["sh", os.path.join(SAMPLES, "shell", "first.sh")]
# A shell reads byte by byte and never ahead, and is slow, so it has tests of
# its own.
SHELL_BOTS = {
    "random.txt": ["sh", os.path.join(SAMPLES, "shell", "random_bot.sh")],
    "hands.txt": ["sh", os.path.join(HERE, "hand_bot.sh")],
}
# The name of the exception in each language.
THROWN = {"python": "RuntimeError", "javascript": "Error", "c++": "exception",
          "go": "panic", "java": "RuntimeException", "rust": "panic"}


def read_conversations(name):
    """Returns [(title, [(true if the referee says it, line)])]."""
    found = []
    with open(os.path.join(HERE, name), encoding="ascii") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith("== "):
                found.append((line[3:], []))
            elif line[:2] in ("> ", "< "):
                found[-1][1].append((line[0] == ">", line[2:]))
            elif line and line[0] != "#":
                raise ValueError("%s: not understood: %s" % (name, line))
    return found


def language_of(argv):
    return next((language for bots in (RANDOM_BOTS, HAND_BOTS)
                 for language, known in bots.items() if known == argv), None)


def spoken(conversation, argv):
    """Returns the conversation in the words of that bot's language."""
    language, number, tokens, spoken_here = language_of(argv), 0, 0, []
    thrown = THROWN.get(language)
    for referee, line in conversation:
        if referee and line.startswith("ask "):
            number, tokens = int(line.split()[1]), len(line.split()) - 3
        elif not referee and line.startswith("say failed "):
            if not thrown:
                continue
            line = line.replace("TYPE", thrown)
        elif not referee and line.startswith("say fallback "):
            if language == "c":
                line = "say fallback illegal: move %d of only %d" % (
                    tokens, tokens)
            elif thrown:
                line = line.replace("TYPE", thrown)
            else:
                line = "say fallback illegal: nonsense is not in the list"
            if number == 3:
                line = line.replace(
                    "nonsense is not in the list",
                    "non..sense is a range: answer with one number of it")
        spoken_here.append((referee, line))
    return spoken_here


def said(conversation, by_referee):
    return "".join(line + "\n" for referee, line in conversation
                   if referee == by_referee).encode()


class Running:
    """A bot at the other end of two pipes."""

    def __init__(self, argv):
        # A shell reads single bytes and would lose the rest of a packet.
        mode = 0 if argv[0] == "sh" else os.O_DIRECT
        reading, self.to = os.pipe2(mode | os.O_CLOEXEC)
        self.process = subprocess.Popen(
            argv, stdin=reading, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        os.close(reading)
        self.heard, self.pings = b"", 0

    def send(self, data):
        for i in range(0, len(data), PACKET):
            try:
                os.write(self.to, data[i:i + PACKET])
            except BrokenPipeError:
                return

    def wait_for(self, n):
        """Waits until the bot has written this many bytes; returns false if it
        does not."""
        out = self.process.stdout.fileno()
        while len(self.heard) < n:
            if not select.select([out], [], [], SECONDS)[0]:
                return False
            data = os.read(out, 65536)
            if not data:
                return False
            self.heard += data
        return True

    def answer(self, pieces, n):
        """Returns what it says to these pieces: n bytes, then the answer to a ping,
        unless it is wrong."""
        self.pings += 1
        for piece in pieces:
            self.send(piece)
        if not self.wait_for(n):
            self.process.kill()
        self.send(b"ping %d\n" % self.pings)
        end = b"pong %d\n" % self.pings
        while end not in self.heard and self.wait_for(len(self.heard) + 1):
            pass
        said, _, self.heard = self.heard.partition(end)
        return said

    def finish(self):
        """Returns all that it said, and its exit status."""
        os.close(self.to)
        try:
            rest = self.process.communicate(timeout=SECONDS)[0]
        except subprocess.TimeoutExpired:
            self.process.kill()
            rest = self.process.communicate()[0] + b"(it did not end)\n"
        return self.heard + rest, self.process.returncode


def compare(expected, got, status):
    if status != 0:
        return "exit status %d" % status
    if got == expected:
        return None
    want, have = expected.splitlines(), got.splitlines()
    for i in range(max(len(want), len(have))):
        if want[i:i + 1] != have[i:i + 1]:
            return "answer %d: expected %r, found %r" % (
                i + 1, want[i:i + 1], have[i:i + 1])
    return "expected %r, found %r" % (expected[-20:], got[-20:])


def feed(argv, pieces, expected):
    bot = Running(argv)
    for piece in pieces:
        bot.send(piece)
    # At the end of a pipe Node also drops packets that it has not read.
    bot.wait_for(len(expected))
    return compare(expected, *bot.finish())


def cut(data, seed):
    """Cuts the data into pieces of 1 to 99 bytes."""
    dice = tap.dice(seed)
    pieces = []
    while data:
        n = dice.randint(1, 99)
        pieces.append(data[:n])
        data = data[n:]
    return pieces


def talk(argv, conversation):
    """Talks line by line, and waits for each answer."""
    bot = Running(argv)
    heard = 0
    for referee, line in conversation:
        line = (line + "\n").encode()
        if referee:
            bot.send(line)
            continue
        heard += len(line)
        if not bot.wait_for(heard):
            got = bot.finish()[0]
            return "no answer %r, only %r" % (line, got[-60:])
    return compare(said(conversation, False), *bot.finish())


def legal_problem(conversation):
    """Returns true if the answers that the conversation expects are legal at all."""
    asked = {}
    for referee, line in conversation:
        words = line.split()
        if referee and words[:1] == ["game"]:
            asked = {}
        elif referee and words[:1] == ["ask"] and len(words) > 3:
            asked[words[1]] = words[3:]
        elif not referee and words[0] == "do":
            tokens = asked.pop(words[1], None)
            if tokens is None:
                return "%s: not asked, or answered twice" % line
            if not any(allows(token, words[2]) for token in tokens):
                return "%s: not in %s" % (line, tokens)
    return None


def allows(entry, token):
    parts = re.split(r"(\d+)\.\.(\d+)", entry, maxsplit=1)
    if len(parts) == 1:
        return entry == token
    number = re.fullmatch(re.escape(parts[0]) + r"(0|[1-9]\d*)"
                          + re.escape(parts[3]), token)
    return bool(number) and (
        int(parts[1]) <= int(number.group(1)) <= int(parts[2]))


def first_moves(conversation):
    """Returns the answers of a bot that makes the first move of every list."""
    out = ""
    for referee, line in conversation:
        words = line.split()
        if referee and words[0] == "ask":
            out += "do %s %s\n" % (words[1], words[3])
    return out.encode()


def ways(number):
    """Returns the ways in which a conversation arrives."""
    return WAYS if ALL else WAYS[number % len(WAYS):][:1]


def test_conversations(bots, name):
    for number, (title, conversation) in enumerate(read_conversations(name)):
        title = "%s: %s" % (name, title)
        lines = said(conversation, True)
        tap.holds(title + ": the answers are legal",
                  legal_problem(conversation))
        for turn, (language, argv) in enumerate(bots.items(), number):
            here = "%s, %s: " % (language, title)
            if not shutil.which(argv[0]):
                tap.skip(here + "all", why_not(argv))
                continue
            mine = spoken(conversation, argv)
            answers = said(mine, False)
            if "whole" in ways(turn):
                tap.holds(here + "whole", feed(argv, [lines], answers))
            if "byte by byte" in ways(turn):
                tap.holds(here + "byte by byte", feed(
                    argv, [lines[i:i + 1] for i in range(len(lines))],
                    answers))
            for seed in range(CUTS if "cut" in ways(turn) else 0):
                tap.holds(here + "cut %d" % seed,
                          feed(argv, cut(lines, seed), answers))
            if "in turns" in ways(turn):
                tap.holds(here + "in turns", talk(argv, mine))


GAME = b"referee 1 x\ngame aa toepen seat 0 of 2 points=15\n"
# One process hears all of these, one after the other.
ODD = [
    ("a ping before any game",
     [b"referee 1 x\nping 17 x\nping\n"], b"pong 17 x\npong\n"),
    ("an ask that is void by now is left alone",
     [GAME + b"ask 1 5 a\nmove 1 knock\nvoid 1\nask 2 5 b\n"],
     b"do 2 b\n"),
    ("a void of another ask changes nothing",
     [GAME + b"ask 1 5 a\nvoid 11\nask 2 5 b\nvoid 1x\n"],
     b"do 1 a\ndo 2 b\n"),
    ("a void that has not come yet",
     [GAME + b"ask 1 5 a\nvoid 1", b"\n"], b"do 1 a\n"),
    ("lines that end in CR LF",
     [GAME.replace(b"\n", b"\r\n") + b"ask 1 5 a\r\n"], b"do 1 a\n"),
    ("empty lines and spaces",
     [b"\n\n" + GAME + b"\n \n  \nask 1 5 a\n\n"], b"do 1 a\n"),
    ("a line as long as a line may be",
     [GAME + b"ask 1 5 " + b"a" * 8183 + b"\n"],
     b"do 1 " + b"a" * 8183 + b"\n"),
    ("a line that is too long is left out",
     [GAME + b"ask 1 5 " + b"a" * 8184 + b"\nask 2 5 b\n"], b"do 2 b\n"),
    ("a line that is far too long is left out",
     [GAME + b"zork " * 40000 + b"\nask 2 5 b\n"], b"do 2 b\n"),
    ("what a line that is too long ends with is no line",
     [GAME, b"z" * 4096, b"z" * 4096, b"ask 1 5 a\nask 2 5 b\n"], b"do 2 b\n"),
    ("as many words as a line can hold",
     [GAME + b"ask 1 5" + b" a" * 4092 + b"\n"], b"do 1 a\n"),
    ("bytes that no line may have",
     [GAME + b"zork \x00\x01\xff\xc3\x28 {\nask 1 5 a\n"], b"do 1 a\n"),
]
# These are the last that a process hears.
ENDS = [
    ("nothing is heard after bye",
     [GAME + b"bye\nask 1 5 a\n"], b""),
    ("bye right behind an ask",
     [GAME + b"ask 1 5 a\nbye\n"], b"do 1 a\n"),
    ("the end in the middle of a line",
     [GAME + b"ask 1 5 a\nask 2 5 b"], b"do 1 a\n"),
    ("the end in the middle of a game", [GAME], b""),
]
ENTROPY_BYTES = 2 * len("entropy " + 64 * "0" + "\n")


def entropy_problem(got):
    """Checks that entropy is 32 bytes in hex and different each time."""
    found = re.fullmatch(
        rb"entropy ([0-9a-f]{64})\nentropy ([0-9a-f]{64})\n", got)
    if not found:
        return "found %r" % got
    if found.group(1) == found.group(2):
        return "twice the same: %r" % got
    return None


def test_odd(language, argv, odd=ODD):
    bot = Running(argv)
    for title, pieces, answers in odd:
        tap.holds("%s: %s" % (language, title), compare(
            answers, bot.answer(pieces, len(answers)), 0))
    tap.holds(language + ": entropy, when asked for", entropy_problem(
        bot.answer([GAME + b"entropy?\nentropy?\n"], ENTROPY_BYTES)))
    bot.send(b"bye\n")
    tap.holds(language + ": bye, and nothing more", compare(b"", *bot.finish()))
    for title, pieces, answers in ENDS:
        tap.holds("%s: %s" % (language, title), feed(argv, pieces, answers))


def test_shell():
    for title, conversation in read_conversations("random.txt"):
        if not title.startswith("a game"):
            continue
        lines = said(conversation, True)
        answers = first_moves(conversation)
        tap.holds("shell, %s: whole" % title,
                  feed(SHELL_BOT, [lines], answers))
        tap.holds("shell, %s: cut" % title,
                  feed(SHELL_BOT, cut(lines, 0), answers))
        end = lines.rfind(b"\nbye")
        tap.holds("shell, %s: no bye" % title,
                  feed(SHELL_BOT, [lines[:end + 1]], answers))


def test_shell_kit():
    for name, argv in SHELL_BOTS.items():
        for number, (title, conversation) in enumerate(read_conversations(name)):
            conversation = spoken(conversation, argv)
            if ALL or number % 2:
                tap.holds("shell kit, %s: %s: in turns" % (name, title),
                          talk(argv, conversation))
            if ALL or number % 2 == 0:
                tap.holds("shell kit, %s: %s: whole" % (name, title), feed(
                    argv, [said(conversation, True)], said(conversation, False)))
    test_odd("shell kit", SHELL_BOTS["random.txt"],
             [odd for odd in ODD if "void by now" not in odd[0]])


def main():
    test_conversations(RANDOM_BOTS, "random.txt")
    test_conversations(HAND_BOTS, "hands.txt")
    for language, argv in RANDOM_BOTS.items():
        if shutil.which(argv[0]):
            test_odd(language, argv)
        else:
            tap.skip(language + ": odd lines", why_not(argv))
    test_shell()
    test_shell_kit()
    tap.done()


if __name__ == "__main__":
    main()
