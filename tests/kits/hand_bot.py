"""Does what an author should not do, to see the kit put up with it: prints,
fails, answers what is not allowed.  At each ask it says its hand, and
unless it fails makes the last move of the list."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "sample-bots", "python"))
import referee_bot  # noqa: E402


class HandBot(referee_bot.Bot):
    name = "hand"
    entropy = True

    def start(self):
        print("a game begins")
        self.say("tab\there")
        if hasattr(self, "used"):
            self.say("this object has played before")
        self.used = True

    def event(self, verb, words):
        if verb == "round":
            raise RuntimeError("an author's mistake")

    def choose(self, ask):
        os.write(1, b"do 1 noise\n")
        self.say(" ".join(["hand"] + sorted(self.table.hand)))
        if ask.number % 6 == 0:
            raise RuntimeError("another one")
        return ask.moves[-1] if ask.number % 3 else "nonsense"


referee_bot.run(HandBot)
