#!/usr/bin/env python3
"""Nothing in the product looks at a clock, or waits for a while, but protocol/clock.c and
the loop: so a test that moves these moves all time.

poll() and the like may look (0) or wait without a limit (-1); an event of libevent has
no time of its own, because referee/base/timers.h is for that.  Time that a process has
computed is no clock.  Speaks TAP."""

import re
import sys

from c_text import bare, line_of, sources

CLOCKS = re.compile(
    r"\b(?:clock_gettime|clock_getres|gettimeofday|ftime|timespec_get|time|clock)"
    r"\s*\((?!void\b)")
WAITS = re.compile(
    r"\b(?:nanosleep|clock_nanosleep|usleep|sleep|thrd_sleep|alarm|ualarm|setitimer"
    r"|timer_create|timer_settime|timerfd_\w+|select|pselect|sigtimedwait"
    r"|(?:pthread|sem|mq|mtx|cnd)_\w*timed\w+|sqlite3_sleep|sqlite3_busy_timeout"
    r"|evtimer_\w+|event_base_once|event_base_loopexit|event_remove_timer"
    r"|bufferevent_\w*timeouts?|SO_RCVTIMEO|SO_SNDTIMEO|EV_TIMEOUT)\b")
POLLS = re.compile(r"\b(ppoll|poll|epoll_p?wait|event_add)\s*\(")
LIMITS = {"poll": 2, "ppoll": 2, "epoll_wait": 3, "epoll_pwait": 3, "event_add": 1}
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


def arguments(code, at):
    """Returns those of the call whose bracket was opened before `at`."""
    depth, start, found = 0, at, []
    for place in range(at, len(code)):
        if code[place] == "," and depth == 0 or code[place] == ")" and depth == 0:
            found.append(code[start:place].strip())
            start = place + 1
            if code[place] == ")":
                break
        depth += {"(": 1, ")": -1}.get(code[place], 0)
    return found


def looks(text):
    """Yields the line and the word of each look at a clock, or wait."""
    code = re.sub(r"(->|\.)\s*\w+", lambda member: " " * len(member[0]), bare(text))
    code = re.sub(r"#\s*include[^\n]*", "", code)
    for rule in (CLOCKS, WAITS):
        for match in rule.finditer(code):
            yield line_of(code, match.start()), match[0].rstrip("( ")
    for match in POLLS.finditer(code):
        given = arguments(code, match.end())
        if len(given) <= LIMITS[match[1]] or given[LIMITS[match[1]]] not in FREE:
            yield line_of(code, match.start()), match[1]


wrong = [code for code, refused in SAMPLES if bool(list(looks(code))) != refused]
found = {path: list(looks(text)) for path, text in sources().items()}
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
