#!/usr/bin/env python3
"""End-to-end because a kit meets real signals and connections that end.

Tests the kits when a connection is lost, when they have to wait, and when
they are told to leave.  A game whose connection is cut at any place must stay
the same.  Speaks TAP."""

import os
import re
import socket

from fake_referee import SECONDS, Place, Unexpected
from test_kits import RANDOM_BOTS, read_conversations, tap
from test_remote import each_kit

CHECK_ALL = os.environ.get("CHECK_ALL") == "1"
CUTS = 60 if CHECK_ALL else 12  # cuts in a game


# ---- a game that is cut anywhere ------------------------------------------

class Story:
    """A game, and a bot that hears it over connections that do not last."""

    def __init__(self, place, conversation, seed):
        self.place = place
        self.dice = tap.dice(seed)
        self.lines = []       # lines of the game
        self.answers = {}     # by the place in `lines` of their ask
        for by_referee, line in conversation:
            if by_referee and line.split()[0] not in ("referee", "bye"):
                self.lines.append(line)
            elif not by_referee:
                self.answers[len(self.lines) - 1] = line
        # A bot that has read the last line does not come back, so there is no
        # cut after it.
        self.cuts = self.dice.sample(range(len(self.lines) - 1),
                                     min(CUTS, len(self.lines) - 1))
        self.id = self.lines[0].split()[1]
        self.sent = 0         # the most whole lines that it can have read
        self.sure = 0         # lines that it must have read
        self.answered = set()
        self.last = None      # the newest ask that has been read

    def come_back(self):
        """Takes a new connection; returns the bot's first words."""
        hello = self.place.read_line()
        found = re.fullmatch(r"bot 1 mole token=s3cret entropy=yes(?: resume=%s:(\d+))?"
                             % self.id, hello or "")
        read = int(found[1] or 0) if found else -1
        if not self.sure <= read <= self.sent:
            raise Unexpected("%r: %d to %d lines were sent" % (
                hello, self.sure, self.sent))
        self.place.send(b"referee 1 x\n")
        self.place.expect("sit main")
        asks = [at for at in self.answers if at < read]
        if asks:
            self.hear(max(asks))
        return read

    def hear(self, ask):
        self.place.expect("@%s %s" % (self.id, self.answers[ask]))
        self.answered.add(ask)
        self.sure = max(self.sure, ask + 1)

    def lose(self):
        self.dice.choice([self.place.cut, self.place.reset])()

    def tell(self, at):
        """Sends a line and reads the answer; returns false if the connection
        was lost."""
        line = self.lines[at] + "\n"
        cut = at in self.cuts
        if cut:
            self.cuts.remove(at)
        if cut and self.dice.random() < 0.5:
            self.place.send(line[:self.dice.randrange(len(line))].encode())
            self.lose()
            return False
        self.sent = max(self.sent, at + 1)
        self.place.send(line.encode())
        if cut:
            self.lose()
            return False
        if at in self.answers:
            self.hear(at)
        return True

    def play(self):
        """Plays the game; returns the number of connections."""
        connections = 0
        at = 0
        while at < len(self.lines):
            connections += 1
            at = self.come_back()
            while at < len(self.lines) and self.tell(at):
                at += 1
        return connections


def cut_anywhere(argv, conversation, seed):
    with Place() as place:
        place.start(argv)
        story = Story(place, conversation, seed)
        connections = story.play()
        place.send(b"bye\n")
        place.expect_end()
        status, err = place.finish()
        missing = set(story.answers) - story.answered
        if missing:
            return "no answers: %s" % sorted(missing)
        if story.cuts or connections < 2:
            return "only %d connections" % connections
        return "exit status %d\n%s" % (status, err) if status else None


def test_cut_anywhere():
    for title, conversation in read_conversations("random.txt"):
        if title.startswith("a game of "):
            each_kit(RANDOM_BOTS, title + ", cut anywhere",
                     cut_anywhere, conversation, title)


# ---- patience -------------------------------------------------------------

def back_off(argv):
    """Tests that each wait is longer than the one before, until there is a
    game.  The bot prints each wait, to a tenth of a second."""
    with Place() as place:
        place.start(argv)
        for _ in range(4):
            place.cut()
            place.accept()
        place.read_line()
        place.send(b"referee 1 x\ngame aa toepen seat 0 of 2\nask 1 5 a\n")
        place.expect("sit main")
        place.expect("@aa do 1 a")
        place.cut()
        place.accept()
        err = place.stop()
        waits = [float(wait) / (1000 if unit == "ms" else 1) for wait, unit in
                 re.findall(r"; again in ([0-9.]+) (m?s)", err)]
        if len(waits) != 5 or any(
                not 0.5 * most - 0.06 < wait < most + 0.06
                for wait, most in zip(waits, (0.1, 0.2, 0.4, 0.8, 0.1))):
            return "it waited %s\n%s" % (waits, err)
    return None


def silence(argv):
    """Tests a referee that goes silent: the bot gives up after a while."""
    with Place() as place:
        place.start(argv)
        place.read_line()
        place.send(b"referee 1 x\ngame aa toepen seat 0 of 2\n")
        place.expect("sit main")
        dead = place.connection
        place.connection = None
        place.expect("bot 1 mole token=s3cret entropy=yes resume=aa:1")
        dead.close()
        place.stop()


def quit_early(argv):
    """Tests SIGTERM before the referee's first line."""
    with Place() as place:
        place.start(argv)
        place.expect("bot 1 mole token=s3cret entropy=yes")
        place.terminate()
        place.send(b"referee 1 x\n")
        line = place.read_line()
        if line == "sit main":  # it heard of both at once
            line = place.read_line()
        if line != "quit":
            return "expected quit, found %r" % line
        place.send(b"bye\n")
        place.expect_end()
        status, err = place.finish()
        return "exit status %d\n%s" % (status, err) if status else None


def quit_away(argv):
    """Tests SIGTERM while there is no connection and no game."""
    with Place() as place:
        place.start(argv)
        for _ in range(4):
            place.cut()
        place.listener.shutdown(socket.SHUT_RDWR)  # and the port stays ours
        place.terminate()
        place.process.wait(SECONDS)
        err = place.process.stderr.read()
        if place.process.returncode:
            return "exit status %d\n%s" % (place.process.returncode, err)
    return None


def twice(argv):
    """Tests that the second SIGTERM ends it even in a game."""
    with Place() as place:
        place.start(argv)
        place.expect("bot 1 mole token=s3cret entropy=yes")
        place.send(b"referee 1 x\ngame aa toepen seat 0 of 2\n")
        place.expect("sit main")
        place.terminate()
        place.expect("quit")
        place.terminate()
        place.expect_end()
        status, err = place.finish()
        return None if status == -15 else "exit status %d\n%s" % (status, err)


def main():
    test_cut_anywhere()
    each_kit(RANDOM_BOTS, "patience", back_off)
    for work in (quit_early, quit_away, twice):
        each_kit(RANDOM_BOTS, work.__doc__, work)
    if CHECK_ALL:
        each_kit(RANDOM_BOTS, "silence is a loss", silence)
    tap.done()


if __name__ == "__main__":
    main()
