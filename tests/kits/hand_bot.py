"""Makes an author's mistakes, which the kit must tolerate: it prints, fails,
and gives illegal answers.  At each ask it says its hand and its table, and
makes the last move of the list unless it fails."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "sample-bots", "python"))
import referee_bot  # noqa: E402


def words(*numbers):
    return "".join(" %d" % number for number in numbers)


class HandBot(referee_bot.Bot):
    name = "hand"

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
        table = self.table
        self.say("hand" + "".join(" " + card for card in sorted(table.hand)))
        self.say("table%s held%s points%s inside%s seen%s %s%s" % (
            words(table.round, table.stake, table.stock),
            words(*table.held), words(*table.points),
            words(*sorted(table.inside)), words(len(table.seen)),
            table.trump or "-", "".join(
                " %d:%s" % play for play in table.lying)))
        if ask.number % 6 == 0:
            raise RuntimeError("another one")
        if not ask.number % 3:
            return "non..sense" if ask.number == 3 else "nonsense"
        last = ask.moves[-1]
        return last.with_number(last.low) if last.is_range else last


referee_bot.run(HandBot)
