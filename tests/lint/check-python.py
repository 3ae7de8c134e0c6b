#!/usr/bin/env python3
"""tests/lint/check-python.py - checks that each name that a script in Python uses
is bound somewhere in that script, and that each imported name is used there.
Python itself notices the former only when the line runs, which may be in a
branch that this machine skips."""

import ast
import builtins
import os
import pathlib
import sys

TREE = pathlib.Path(os.environ.get(
    "SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
FOLDERS = ("tests", "sample-bots", "protocol", "doc", "ladder", "referee")
GIVEN = set(dir(builtins)) | {"__file__", "__name__", "__doc__"}
# Samples, with the names that each does not bind, and does not use.
SAMPLES = (
    ("def f():\n  return socket.SHUT_RDWR", {"socket"}, set()),
    ("import socket\ndef f():\n  return [socket for _ in range(3)]", set(), set()),
    ("def f(*a, b=1, **c):\n  return a, b, c", set(), set()),
    ("def f():\n  global count\n  count = 1\ndef g():\n  return count", set(), set()),
    ("import os.path\nclass A:\n  b = os.path.sep", set(), set()),
    ("import os as here", set(), {"here"}),
    ("def f():\n  import os\n  return g", {"g"}, {"os"}),
    ("try:\n  f = 1\nexcept OSError as e:\n  print(e, f)", set(), set()),
    ("if (n := len([])) > 1:\n  print(n)", set(), set()),
    ("match [1]:\n  case [first, *rest]:\n    print(first, rest)", set(), set()),
    ("print(nothing)", {"nothing"}, set()),
)


def faults(text):
    """Returns the names that `text` uses and binds nowhere, and the names that
    it imports and does not use."""
    bound, used, imported = set(dir(builtins)) | {"__file__", "__name__"}, set(), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            imported |= {(name.asname or name.name).partition(".")[0]
                         for name in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef,
                               ast.ClassDef, ast.ExceptHandler, ast.MatchAs,
                               ast.MatchStar)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    return used - bound - imported, imported - used


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
             if list(faults(text)) != expected]
    unbound, idle, seen = [], [], 0
    for path in scripts():
        less, more = faults(path.read_text())
        unbound += [f"{path}: {name}" for name in sorted(less)]
        idle += [f"{path}: {name}" for name in sorted(more)]
        seen += 1
    checks = [("the samples are judged as they should be", wrong),
              (f"{seen} scripts: each name is bound", unbound),
              ("each imported name is used", idle)]
    print(f"1..{len(checks)}")
    for number, (what, lines) in enumerate(checks, 1):
        for line in lines:
            print(f"# {line}")
        print(f"{'not ' if lines else ''}ok {number} - {what}")
    sys.exit(any(lines for _, lines in checks))


main()
