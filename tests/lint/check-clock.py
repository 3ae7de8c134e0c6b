#!/usr/bin/env python3
"""Nothing in the product looks at a clock, or waits for a while, but protocol/clock.c and
the loop: so a test that moves these moves all time.

poll() and the like may look (0) or wait without a limit (-1); an event of libevent has
no time of its own, because referee/base/timers.h is for that.  Time that a process has
computed is no clock.  Speaks TAP."""

import sys

from c_text import looks, sources

FREE = {"0", "-1", "NULL"}
BOX = "runs in the box of a bot, without our libraries"
ALLOWED = {
    "protocol/clock.c": "is the clock",
    "referee/base/loop.c": "lets libevent wake it for its own timers",
    "referee/sandbox/box-watch.c": BOX,
    "referee/sandbox/referee-box.c": BOX,
    "referee/spawner/spawner-process.c": "is the loop of the spawner's process",
    "referee/spawner/bot-usage.c": "reads the processor time of a bot",
    "referee/bench/bench-engine.c": "reads our own processor time",
    "ladder/store.c": "SQLite waits by its VFS, which a test can replace",
    "ladder/copy.c": "SQLite waits by its VFS, which a test can replace",
}
# Code, and whether it is refused.
SAMPLES = (
    ("now = time(NULL);", True), ("clock_gettime(CLOCK_MONOTONIC, &now);", True),
    ("gettimeofday(&now, NULL);", True), ("usleep(10);", True),
    ("if (poll(ready, 2, MS) < 0)", True), ("poll(f(a, b), 2, most ? 5 : -1);", True),
    ("event_add(event, &limit);", True), ("event_active(e, EV_TIMEOUT, 0);", True),
    ("sqlite3_busy_timeout(db, 5);", True), ("epoll_wait(fd, at, 8, 100);", True),
    ("poll(&look, 1, 0);", False), ("poll(ready, f(1, 2), -1);", False),
    ("event_add(event, NULL);", False), ("ppoll(&fd, 1, NULL, &mask)", False),
    ("set_clock(clock); clock_us(); job->time(x);", False),
    ("struct seat_clock clock; uint64_t time_us;", False),
    ("/* time(NULL) */ say(\"poll(a, 1, 2)\");", False),
)


def refused(text):
    """Returns the line and the word of each look at a clock, or wait."""
    return [(line, word) for line, word, limit in looks(text) if limit not in FREE]


wrong = [code for code, bad in SAMPLES if bool(refused(code)) != bad]
found = {path: refused(text) for path, text in sources().items()}
found = {path: places for path, places in found.items() if places}
complaints = [f"{path}:{line}: {word}" for path, places in found.items()
              if path not in ALLOWED for line, word in places]
idle = [path for path in ALLOWED if path not in found]
print("1..3")
print(f"{'not ' if wrong else ''}ok 1 - the rule knows what it refuses")
print(f"{'not ' if complaints else ''}ok 2 - time comes from protocol/clock.h, "
      "and timers from the loop")
print(f"{'not ' if idle else ''}ok 3 - each exception is needed")
for line in wrong + complaints + idle:
    print("# " + line)
sys.exit(bool(wrong or complaints or idle))
