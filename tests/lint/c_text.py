"""Holds what the lints have in common: our C files, how to take one apart,
and how C looks at a clock or waits."""

import os
import pathlib
import re

TREE = pathlib.Path(os.environ.get("SOURCE_DIR",
                                   pathlib.Path(__file__).resolve().parents[2]))
PRODUCT = ("protocol", "ladder", "referee")
NO_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\""
                     r"|'(?:[^'\\\n]|\\.)+'", re.DOTALL)
TOKEN = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*|[{};]", re.MULTILINE | re.DOTALL)
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


def sources(folders=PRODUCT, kinds=(".c", ".h")):
    """Returns {path: text} of every such file, in order of names."""
    return {str(path.relative_to(TREE)): path.read_text()
            for folder in folders
            for path in sorted((TREE / folder).rglob("*"))
            if path.suffix in kinds and path.is_file()}


def bare(text):
    """Returns the text without comments, strings and characters; lines stay
    where they are."""
    return NO_CODE.sub(lambda found: " " + "\n" * found[0].count("\n"), text)


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def chunks(code):
    """Returns what stands in a file's bare text outside of all braces, in order: its
    offset, kind ("function", "data", "macro", "prototype", "other"), the name that it
    defines or declares, or None, and its text."""
    start = depth = 0
    for token in TOKEN.finditer(code):
        text = code[start:token.end()]
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth -= 1
            if depth == 0 and text[:text.index("{")].rstrip().endswith(")"):
                yield start, *function(text), text
                start = token.end()
        elif depth == 0 and token[0] == ";":
            yield start, *declaration(text), text
            start = token.end()
        elif depth == 0:
            macro = re.match(r"\s*#\s*define\s+(\w+)", token[0])
            yield (token.start(), "macro" if macro else "other",
                   macro and macro[1], token[0])
            if not code[start:token.start()].strip():
                start = token.end()


def function(text):
    head = text.partition("{")[0]
    names = re.findall(r"^(\w+)\(", head, re.MULTILINE) or \
        re.findall(r"(\w+)\s*\(", head)
    return "function", names[-1]


def declaration(text):
    head = text.partition("{")[0]
    value = re.search(r"(\w+)\s*(?:(?:\[[^\]]*\]|\((?!\*)[^()]*\)|\))\s*)*=", text)
    if value and "=" in head:
        return "data", value[1]
    called = re.search(r"[\w*]\s+\**(\w+)\s*\(", head)
    return ("prototype", called[1]) if called and "{" not in text else (
        "other", None)


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
    """Yields the line and the word of each look at a clock, or wait, and the limit of
    a wait for something else, or None."""
    code = re.sub(r"(->|\.)\s*\w+", lambda member: " " * len(member[0]), bare(text))
    code = re.sub(r"#\s*include[^\n]*", "", code)
    for rule in (CLOCKS, WAITS):
        for match in rule.finditer(code):
            yield line_of(code, match.start()), match[0].rstrip("( "), None
    for match in POLLS.finditer(code):
        given = arguments(code, match.end())[LIMITS[match[1]]:]
        yield line_of(code, match.start()), match[1], given[0] if given else None
