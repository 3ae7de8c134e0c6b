#!/usr/bin/env python3
"""json_pack() has as many arguments as its format says, and of its kinds.

The compiler does not look at such a format, and the call takes what lies on the
stack.  What can be seen in the text: how many arguments there are, that keys
are literal, that `I` takes a json_int_t and that `i`, `b` and `f` take none.
Speaks TAP; a test for each file that has a call."""

import os
import pathlib
import re
import sys

TREE = pathlib.Path(os.environ.get("SOURCE_DIR",
                                   pathlib.Path(__file__).parents[2]))
CALL = re.compile(r"\bjson_pack\s*\(")
LITERAL = re.compile(r'(\s*"(?:[^"\\]|\\.)*")+\s*')


def arguments(text, at):
    """Those of the call whose parenthesis ends before `at`, as text."""
    found, depth, start = [], 0, at
    while True:
        skip = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'|/\*.*?\*/',
                          re.DOTALL).match(text, at)
        if skip:
            at = skip.end()
            continue
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            if depth == 0:
                return found + [text[start:at].strip()]
            depth -= 1
        elif text[at] == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
        at += 1


def wanted(form):
    """A letter for each argument: k for a key, else that of the value."""
    letters, objects = [], []  # objects: whether a key comes next, or None
    for letter in re.sub(r"[\s:,*?]", "", form):
        if letter == "{":
            objects.append(True)
        elif letter == "[":
            objects.append(None)
        elif letter in "}]":
            objects.pop()
            if objects and objects[-1] is False:
                objects[-1] = True
        elif objects and objects[-1]:
            if letter != "s":
                return None
            letters.append("k")
            objects[-1] = False
        elif letter in "#%":
            letters.append("size")
        elif letter != "n":
            letters.append(letter)
            if objects and objects[-1] is False:
                objects[-1] = True
        elif objects and objects[-1] is False:
            objects[-1] = True
    return None if objects else letters


def wrong(call):
    """What is wrong with the arguments of one call, or None."""
    if not call or not LITERAL.fullmatch(call[0]):
        return "its format is no literal"
    form = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', call[0]))
    letters = wanted(form)
    if letters is None:
        return f"the format {form} is none"
    if len(letters) != len(call) - 1:
        return f"{form} takes {len(letters)} arguments, not {len(call) - 1}"
    for letter, argument in zip(letters, call[1:]):
        big = argument.startswith("(json_int_t)")
        if letter == "k" and not LITERAL.fullmatch(argument):
            return f"{argument} stands where a key should"
        if letter == "I" and not big:
            return f"I takes a json_int_t, and {argument} is not cast to one"
        if letter in "ibf" and big:
            return f"{letter} takes no json_int_t: {argument}"
        if letter not in "ks" and LITERAL.fullmatch(argument):
            return f"{letter} takes no text: {argument}"
    return None


def mistakes(text):
    # A comment before a call is kept; one that names it is not a call.
    code = re.sub(r"/\*.*?\*/", lambda one: re.sub(r"[^\n]", " ", one[0]), text,
                  flags=re.DOTALL)
    for call in CALL.finditer(code):
        why = wrong(arguments(code, call.end()))
        if why:
            yield code.count("\n", 0, call.start()) + 1, why


# Of the calls below each but the first is wrong: else this test sees nothing.
SAMPLES = [
    ('json_pack("{s:s, s:I}", "a", b, "c", (json_int_t)d)', False),
    ('json_pack("{s:s, s:f}", "a", b, "c", d, "e", f)', True),
    ('json_pack("{s:s, s:f, s:i}", "a", b, "c", d)', True),
    ('json_pack("{s:I}", "a", b)', True),
    ('json_pack("{s:i}", "a", (json_int_t)b)', True),
    ('json_pack("{s:i, s:s}", "a", "b", c, "d")', True),
    ('json_pack("{s{s:i}", "a", "b", c)', True),
    ('json_pack(format, "a")', True),
    ('json_pack("{s{sI,sI},s[ss]}", "a", "b", (json_int_t)c, "d", '
     '(json_int_t)e, "f", g, h)', False),
]

count, failed = 0, 0


def report(good, what):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {what}")


for sample, bad in SAMPLES:
    report(bool(list(mistakes(sample))) == bad, f"sees {sample[:40]}")
files = [path for folder in ("referee", "ladder", "protocol")
         for path in sorted((TREE / folder).rglob("*.c"))
         if CALL.search(path.read_text())]
report(len(files) > 5, "calls were found")
for path in files:
    found = list(mistakes(path.read_text()))
    for line, why in found:
        print(f"# {path.relative_to(TREE)}:{line}: {why}")
    report(not found, path.relative_to(TREE))
print(f"1..{count}")
sys.exit(1 if failed else 0)
