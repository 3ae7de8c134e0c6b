#!/usr/bin/env python3
"""End-to-end because a real interpreter tells its own errors: six mistakes of a
first-time author, in Python, of which `match` must name the cause.  test-error-line
finds the error in the output of other languages; test-check.py and test-local-bots.py
have the same for `check` and for the log that a daemon shows the author."""

import concurrent.futures
import shlex
import shutil

import arena
import tap

# A bot without a kit; the first argument is its mistake.  An endless loop begins at
# the second ask, because the first one has five seconds more.
PYTHON = """
import sys
mistake, games = sys.argv[1], 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "game":
        games += 1
    if words[0] == "bye":
        break
    if words[0] != "ask":
        continue
    if mistake == "debug-print":
        print("my hand is empty")
    while mistake == "endless-loop" and words[1] != "1":
        pass
    if mistake == "third-game" and games == 3:
        {}["left over from game 2"]
    print("do", words[1], "pley" if mistake == "wrong-token" else words[3],
          flush=mistake != "held-back")
"""
KIT = """
import referee_bot
class Mine(referee_bot.Bot):
    def choose(self, ask):
        return self.table.hands[0]
referee_bot.run(Mine)
"""
# It must print this.  It is not the name of the mistake,
# because that stands in the command line.
CAUSES = {
    "exception": "AttributeError: 'ToepenTable' object has no attribute 'hands'",
    "third-game": "KeyError: 'left over from game 2'",
    "held-back": "it was waiting, not computing: did it flush its output?",
    "endless-loop": "it was still computing: is it too slow, or in an endless loop?",
    "debug-print": "my hand is empty",
    "wrong-token": "pley",
}
BUSY = "the machine is overloaded"  # may be printed instead
SILENT = ("held-back", "endless-loop")  # these run out of time
SHORT_MS, LONG_MS = 300, 60000


def play(place, mistake):
    """Returns what `match` says of a bot with this mistake."""
    bot = shlex.join([*tap.PYTHON, str(place.root / (
        "kit.py" if mistake == "exception" else "mine.py")), mistake])
    common = ("--sandbox", "off", "--seed", "mistakes", "--move-time",
              SHORT_MS if mistake in SILENT else LONG_MS)
    reuse = ("--reuse",) if mistake == "third-game" else ()
    few = ("--faults", 1) if mistake in SILENT else ()  # each fault takes the time for a move
    return tap.run([tap.REFEREE, "match", "toepen", "--jobs", 1, "-o", "points=1",
                    "--bot", bot, "--name", "mine", "--bot", "random", "--games",
                    2 if few else 6, *common, *reuse, *few], env=place.environ)


with arena.Arena() as place:
    (place.root / "mine.py").write_text(PYTHON)
    (place.root / "kit.py").write_text(KIT)
    shutil.copy(tap.SOURCE_DIR / "sample-bots/python/referee_bot.py", place.root)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        runs = {mistake: pool.submit(play, place, mistake) for mistake in CAUSES}
    for mistake, run in runs.items():
        told = str(run.result())
        tap.ok(CAUSES[mistake] in told or mistake in SILENT and BUSY in told,
               f"{mistake}: `{CAUSES[mistake]}` is told", told)
tap.done()
