"""tests/mutants/patches.py - reads and applies the patches of this folder.

Each begins with three lines: `fault:` says what is broken, `where:` where this
really happened, `tests:` which tests are expected to find it, the quickest first:
paths from the root of the tree, for a C program with `:SUITE/TEST` behind it if
only these of its tests are meant (`*` stands for anything)."""

import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
KEYS = ("fault", "where", "tests")


class Wrong(Exception):
    """A patch that cannot be read, or does not apply."""


class Mutant:
    """A patch: `name`, `number`, `fault`, `where`, `tests` (a list), and `hunks`:
    (file, old lines, new lines), each of the lines as one text."""

    def __init__(self, path):
        self.name = path.stem
        self.number = self.name.split("-")[0]
        lines = path.read_text().splitlines(keepends=True)
        for key, line in zip(KEYS, lines):
            if not line.startswith(key + ": "):
                raise Wrong(f"{path.name}: its head has no line `{key}: `")
            setattr(self, key, line[len(key) + 2:].strip())
        self.tests = [test.strip() for test in self.tests.split(",")]
        self.hunks = list(self._read(path.name, lines[len(KEYS):]))
        if not self.hunks:
            raise Wrong(f"{path.name}: it changes nothing")

    @staticmethod
    def _read(name, lines):
        file, old, new = None, [], []
        for line in lines + ["@@"]:
            if line.startswith(("--- ", "+++ ", "@@")):
                if old or new:
                    yield file, "".join(old), "".join(new)
                old, new = [], []
                if line.startswith("+++ b/"):
                    file = line[len("+++ b/"):].strip()
            elif file is None or line[0] not in " -+":
                raise Wrong(f"{name}: no line of a patch: {line.strip()}")
            else:
                if line[0] in " -":
                    old.append(line[1:])
                if line[0] in " +":
                    new.append(line[1:])

    def changed(self, tree):
        """Returns what the files of the tree become: {path: text}.  The lines of
        a hunk may have moved, but must stand there exactly once."""
        files = {}
        for path, old, new in self.hunks:
            if path not in files:
                if not (tree / path).is_file():
                    raise Wrong(f"{self.name}: there is no {path}")
                files[path] = (tree / path).read_text()
            count = files[path].count(old)
            if count != 1:
                first = next(iter(
                    line for line in old.splitlines() if line.strip()), "")
                raise Wrong(f"{self.name}: {path} has these lines "
                            f"{count} times, not once: {first.strip()} ...")
            files[path] = files[path].replace(old, new)
        return files


def paths(numbers=()):
    """Returns the patches, or those with these numbers, in their order."""
    found = sorted(HERE.glob("[0-9]*.patch"))
    known = {re.match("[0-9]+", path.name).group() for path in found}
    wanted = [number.zfill(2) for number in numbers]
    for number in wanted:
        if number not in known:
            raise Wrong(f"there is no mutant {number}")
    return [path for path in found
            if not wanted or re.match("[0-9]+", path.name).group() in wanted]
