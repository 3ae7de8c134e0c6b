#!/usr/bin/env python3
"""tests/lint/check-python.py - checks that each global name that a script in
Python uses is bound in that script, and that each imported name is used there.
Python itself notices the former only when the line runs, which may be in a
branch that this machine skips."""

import builtins
import os
import pathlib
import symtable
import sys

TREE = pathlib.Path(os.environ.get(
    "SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
FOLDERS = ("tests", "sample-bots", "protocol", "doc", "ladder", "referee")
GIVEN = set(dir(builtins)) | {"__file__", "__name__", "__doc__"}
# Samples, with the names that each does not bind, and does not use.
SAMPLES = (
    ("def f():\n  return socket.SHUT_RDWR", {"socket"}, set()),
    ("import socket\ndef f():\n  return [socket for _ in range(3)]", set(), set()),
    ("import socket\ndef f(socket):\n  return socket", set(), {"socket"}),
    ("def f():\n  global count\n  count = 1\ndef g():\n  return count", set(), set()),
    ("import os.path\nclass A:\n  b = os.path.sep", set(), set()),
    ("import os as here", set(), {"here"}),
    ("def f():\n  import os\n  return g", {"g"}, {"os"}),
    ("print(nothing)", {"nothing"}, set()),
    ("def top(a):\n  return a", set(), set()),
)


def scopes(table):
    yield table
    for child in table.get_children():
        yield from scopes(child)


def faults(text, path):
    """Returns the names that `text` uses and binds nowhere, and the names that
    it imports and does not use."""
    top = symtable.symtable(text, path, "exec")
    bound, used, idle = set(GIVEN), set(), set()
    for table in scopes(top):
        for symbol in table.get_symbols():
            # The second look is for functions of the name "top", which symtable
            # takes for the whole script.
            is_global = table is top or symbol.is_global() and not symbol.is_local()
            if is_global and (symbol.is_assigned() or symbol.is_imported()
                              or symbol.is_namespace()):
                bound.add(symbol.get_name())
            if is_global and symbol.is_referenced():
                used.add(symbol.get_name())
            if table is not top and symbol.is_imported() and not (
                    symbol.is_referenced() or symbol.is_global()):
                idle.add(symbol.get_name())
    idle |= {symbol.get_name() for symbol in top.get_symbols()
             if symbol.is_imported() and symbol.get_name() not in used}
    return used - bound, idle


def scripts():
    for folder in FOLDERS:
        for path in sorted((TREE / folder).rglob("*")):
            if path.is_file() and not path.is_symlink() and (
                    path.suffix == ".py" or path.suffix == ""
                    and path.open("rb").readline().startswith(b"#!")
                    and b"python" in path.open("rb").readline()):
                yield path


def main():
    wrong = [text for text, *expected in SAMPLES
             if list(faults(text, "sample")) != expected]
    unbound, idle, seen = [], [], 0
    for path in scripts():
        less, more = faults(path.read_text(), str(path))
        unbound += [f"{path}: {name}" for name in sorted(less)]
        idle += [f"{path}: {name}" for name in sorted(more)]
        seen += 1
    checks = [("the samples are judged as they should be", wrong),
              (f"{seen} scripts: each global name is bound", unbound),
              ("each imported name is used", idle)]
    print(f"1..{len(checks)}")
    for number, (what, lines) in enumerate(checks, 1):
        for line in lines:
            print(f"# {line}")
        print(f"{'not ' if lines else ''}ok {number} - {what}")
    sys.exit(any(lines for _, lines in checks))


main()
