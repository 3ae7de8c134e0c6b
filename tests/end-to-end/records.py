"""Reads the records in a folder and their asks, from files of their own or from
packs (RECORD.md), by Python's tarfile.

    for path in records.find(folder):       # or find(folder, "*.asks")
        path.read_text("ascii")
    records.find(folder)[3].unlink()        # out of its pack, too

A path is a `pathlib.Path`, or a `Packed`, which reads and writes like one: its
text, DIR/PACK/MEMBER, can be given to `referee verify`."""

import fnmatch
import functools
import gzip
import io
import os
import pathlib
import re
import tarfile

PACK = re.compile(r"(\d{8,})-(\d{8,}\.tar\.gz|\.tar)$")
BLOCK = 512


@functools.lru_cache(maxsize=8)
def _unpacked(path, *_state):
    raw = pathlib.Path(path).read_bytes()
    if raw[:1] == b"\x1f":
        raw = gzip.decompress(raw)
    members = {}
    with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
        try:
            for member in tar:
                members[member.name] = tar.extractfile(member).read()
        except tarfile.ReadError:
            pass  # the last member is being written
    return members


def _pack(path):
    """Returns the present path of a pack: an open one may have been closed by
    now."""
    while not path.exists():
        first = PACK.match(path.name)[1]
        closed = sorted(path.parent.glob(f"{first}-*.tar.gz"))
        if not closed:
            raise FileNotFoundError(path)
        path = closed[0]
    return path


def members(path):
    """Returns {name: bytes} of a pack."""
    while True:
        present = _pack(path)
        try:
            about = present.stat()
            if about.st_size == 0:
                return {}
            return dict(_unpacked(str(present), about.st_ino, about.st_size,
                                  about.st_mtime_ns))  # luck: what it has read
        except FileNotFoundError:
            pass  # it was closed just now


def _order(name):
    """Returns the key by which names are sorted in a pack: a record, then its asks."""
    stem, _, suffix = name.rpartition(".")
    return stem, suffix == "asks", suffix


def write_pack(path, content):
    """Replaces a pack by one with these members.  The file stays the same,
    because a daemon may go on with an open pack."""
    raw = io.BytesIO()
    for name in sorted(content, key=_order):
        member = tarfile.TarInfo(name)
        member.size = len(content[name])
        raw.write(member.tobuf(tarfile.USTAR_FORMAT))
        raw.write(content[name] + b"\0" * (-member.size % BLOCK))
    if path.suffix != ".gz":
        path.write_bytes(raw.getvalue())
        return
    raw.write(b"\0" * (2 * BLOCK))
    half = path.with_name(path.name + ".half")
    half.write_bytes(gzip.compress(raw.getvalue()))
    half.rename(path)


class Packed(pathlib.PurePosixPath):
    """A path DIR/PACK/MEMBER."""

    def exists(self):
        try:
            return self.name in members(pathlib.Path(self.parent))
        except FileNotFoundError:
            return False

    def read_bytes(self):
        found = members(pathlib.Path(self.parent))
        if self.name not in found:
            raise FileNotFoundError(self)
        return found[self.name]

    def read_text(self, encoding="ascii"):
        return self.read_bytes().decode(encoding)

    def _change(self, content):
        pack = _pack(pathlib.Path(self.parent))
        found = members(pack)
        if content is None:
            del found[self.name]
        else:
            found[self.name] = content
        write_pack(pack, found)

    def write_bytes(self, content):
        self._change(content)

    def write_text(self, text, encoding="ascii"):
        self._change(text.encode(encoding))

    def unlink(self):
        self._change(None)


def at(path):
    """Returns the Path or Packed of the record or the asks at this path."""
    path = pathlib.PurePosixPath(path)
    return (Packed if PACK.match(path.parent.name) else pathlib.Path)(path)


def find(folder, pattern="*.rec"):
    """Returns the paths whose names match, in packs and outside, sorted by
    name."""
    folder = pathlib.Path(folder)
    try:
        names = set(os.listdir(folder))
    except FileNotFoundError:
        return []
    found = {}
    # A closed pack comes before the open one that it was made of.
    for name in sorted(names, key=lambda name: name.endswith(".tar")):
        if not PACK.match(name):
            if fnmatch.fnmatchcase(name, pattern):
                found[name, name] = folder / name
            continue
        for member in members(folder / name):
            if fnmatch.fnmatchcase(member, pattern):
                found.setdefault((member, "packed"),
                                 Packed(folder / name / member))
    return sorted(found.values(), key=lambda path: (path.name, str(path)))


def close(folder):
    """Closes the open pack of a folder as the daemon would; the daemon must not
    run."""
    for path in pathlib.Path(folder).glob("*-.tar"):
        found = members(path)
        last = max(name.partition("-")[0] for name in found)
        write_pack(path.with_name(f"{path.name[:-4]}{last}.tar.gz"), found)
        path.unlink()


def of_data(data):
    """Returns the records of all ladders of a data folder."""
    return [path for folder in sorted(pathlib.Path(data).glob(
        "ladders/*/records")) for path in find(folder)]
