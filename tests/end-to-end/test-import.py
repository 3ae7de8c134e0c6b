#!/usr/bin/env python3
"""End-to-end because archives come from any tar, onto a real disk: what `referee bots add`
accepts and refuses, and that it leaves nothing half done."""

import gzip
import hashlib
import io
import os
import re
import tarfile

import machine
import local_bots
import tap
from local_bots import add, archive, bots, entry

FILES, FILE_BYTES, PATH_BYTES, PART_BYTES, DEPTH = 2000, 33554432, 240, 100, 8


def left_over(serve):
    folder = serve.data / "incoming"
    return list(folder.iterdir()) if folder.exists() else []


def refused(serve, name, data, sentence):
    path = serve.root / f"{name}.tar.gz"
    path.write_bytes(data)
    done = add(serve, path)
    tap.ok(done.code == 2 and sentence in done.err and
           done.err.count("\n") == 1, f"{name}: {sentence}", done)
    if left_over(serve):
        tap.ok(False, f"{name}: nothing is left", left_over(serve))


def link(name, kind, to):
    return entry(name, type=kind, linkname=to)


def sparse(name):
    """Returns an entry in the old GNU form for sparse files."""
    whole = io.BytesIO(archive([], mode="w:"))
    info = tarfile.TarInfo(name)
    info.type = tarfile.GNUTYPE_SPARSE
    info.size = 512
    head = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    head[386:398], head[398:410] = b"00000002000\0", b"00000001000\0"
    head[483:495] = b"00000003000\0"
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    text = whole.getvalue().rstrip(b"\0")
    text += bytes(-len(text) % 512) + bytes(head) + bytes(512) + bytes(1024)
    return gzip.compress(text)


def evil(serve):
    for name, entries, sentence in (
            ("absolute", [entry("/etc/x")], "'/etc/x' is an absolute path"),
            ("dots", [entry("a/../../x")], "'a/../../x' leaves the folder"),
            ("point", [entry("a/./x")], "'a/./x' contains the part `.`"),
            ("empty", [entry("a//x")], "'a//x' has an empty part"),
            ("control", [entry("a\x1bx")], "contains a control character"),
            ("symlink", [link("x", tarfile.SYMTYPE, "/etc/passwd")],
             "'x' is a link"),
            ("hardlink", [link("x", tarfile.LNKTYPE, "bot.sh")],
             "'x' is a link"),
            ("device", [entry("x", type=tarfile.CHRTYPE, devmajor=1,
                              devminor=3)], "'x' is neither a file"),
            ("twice", [entry("x", b"1"), entry("x", b"2")],
             "'x' is given twice"),
            ("file-as-folder", [entry("x"), entry("x/y")], "cannot copy"),
    ):
        refused(serve, name, archive(entries), sentence)
    refused(serve, "sparse", sparse("x"), "is a sparse file")
    refused(serve, "no-archive", b"no archive at all", "or a tar archive")
    refused(serve, "cut", archive([entry("x", tap.dice().randbytes(5000))])[:-2000],
            "or a tar archive")
    refused(serve, "nothing", b"", "or a tar archive")
    refused(serve, "no-manifest", archive([entry("x")], manifest=False),
            "no-manifest.tar.gz: bot.conf: cannot read it: No such file")
    refused(serve, "no-name", archive([entry("bot.conf", b"name = 1 2\n")],
                                      manifest=False),
            "no-name.tar.gz: bot.conf:1: ")
    tap.equal(bots(serve, "list").out, "", "nobody was added")


def taken(serve, name, entries):
    path = serve.root / f"{name}.tar.gz"
    path.write_bytes(archive(entries, name))
    done = add(serve, path)
    tap.equal((done.code, done.out), (0, f"{name} was added\n"),
              f"{name} comes in")


def limits(serve):
    deep = "/".join("d" * DEPTH)
    taken(serve, "deep", [entry(deep)])
    refused(serve, "deeper", archive([entry("d/" + deep)]), "folders deep")
    taken(serve, "part", [entry("n" * PART_BYTES)])
    refused(serve, "longer-part", archive([entry("n" * (PART_BYTES + 1))]),
            f"has more than {PART_BYTES} bytes")
    long = "/".join(["p" * 79] * 3) + "p"
    assert len(long) == PATH_BYTES
    taken(serve, "path", [entry(long)])
    refused(serve, "longer-path", archive([entry(long + "p")]),
            f"has more than {PATH_BYTES} bytes")
    many = [entry(f"f{i}") for i in range(FILES - 2)]
    taken(serve, "many", many)
    refused(serve, "more", archive(many + [entry("one-more")]),
            f"more than {FILES} files")
    refused(serve, "more-folders",
            archive([entry(f"{i}/a/b/c") for i in range(FILES // 3)]),
            f"more than {FILES} files")
    zeros = bytes(FILE_BYTES)
    taken(serve, "large", [entry("x", zeros)])
    refused(serve, "larger", archive([entry("x", zeros + b"0")]),
            f"has more than {FILE_BYTES} bytes")
    refused(serve, "bomb", archive([entry("x", zeros), entry("y", zeros)]),
            "all files together have more than")
    path = serve.root / "archive.tar.gz"
    with open(path, "wb") as file:
        file.truncate(16777217)
    tap.ok("at most 16777216 bytes" in add(serve, path).err,
           "an archive that is too large is not opened")


def names(serve):
    """Tests that archives have UTF-8 in any locale."""
    for what, name, good in (("utf-8", "b\u00fccher/\u4e16", True),
                             ("latin-1", "b\udcfccher", False)):
        path = serve.root / "names.tar.gz"
        with tarfile.open(path, "w:gz", format=tarfile.GNU_FORMAT,
                          errors="surrogateescape") as tar:
            for file, text in local_bots.files("names").items():
                info, data = entry(file, text.encode())
                tar.addfile(info, io.BytesIO(data))
            tar.addfile(entry(name)[0])
        done = tap.run([tap.REFEREE, "bots", "add", path, "--data", serve.data,
                        "--no-check"], env=dict(os.environ, LC_ALL="C"))
        tap.ok(done.code == (0 if good else 2) and
               ("is not UTF-8" in done.err) == (not good), f"a name in {what}", done)
    tap.equal([str(path.relative_to(path.parents[1]))
               for path in serve.data.glob("bots/*/bot/b*/*")],
              ["b\u00fccher/\u4e16"], "the name is what it was")


def modes(serve):
    path = serve.root / "modes.tar.gz"
    path.write_bytes(archive([entry("suid", mode=0o4755),
                              entry("shut", mode=0o000),
                              entry("open", mode=0o777)], "modes"))
    add(serve, path)
    kept = {file.name: file.stat().st_mode & 0o7777
            for file in serve.data.glob("bots/*/bot/*")}
    tap.equal([kept[name] & 0o7733 for name in ("suid", "shut", "open")],
              [0o711, 0o600, 0o711], "of a mode the x is kept, and no more")


def hashed(serve):
    """Tests that the hash is the documented one."""
    path = local_bots.folder(serve.root, "hashed")
    (path / "sub").mkdir()
    (path / "sub" / "tool").write_bytes(b"\0\1")
    (path / "sub" / "tool").chmod(0o700)
    add(serve, path)
    state = hashlib.blake2b(digest_size=32)
    for below in sorted(str(one.relative_to(path)) for one in
                        path.rglob("*")):
        one = path / below
        state.update(below.encode() + b"\0")
        if one.is_dir():
            state.update(b"d")
            continue
        data = one.read_bytes()
        state.update(b"x" if one.stat().st_mode & 0o111 else b"f")
        state.update(len(data).to_bytes(8, "little") + data)
    tap.ok((serve.data / "bots" / state.hexdigest() / "bot").is_dir(),
           "it lies where its hash says")


def folders(serve):
    for name, make, sentence in (
            ("a-link", lambda path: (path / "x").symlink_to("/etc/passwd"),
             "'x' is a link"),
            ("a-loop", lambda path: (path / "x").symlink_to("."),
             "'x' is a link"),
            ("a-fifo", lambda path: os.mkfifo(path / "x"),
             "'x' is neither a file")):
        path = local_bots.folder(serve.root, name)
        make(path)
        done = add(serve, path)
        tap.ok(done.code == 2 and sentence in done.err, f"folder: {name}",
               done)
    done = add(serve, serve.root / "nowhere")
    tap.ok(done.code == 2 and "No such file" in done.err, "no folder", done)
    path = local_bots.folder(serve.root, "single")
    with tarfile.open(serve.root / "single.tgz", "w:gz") as tar:
        tar.add(path, "single")
    tap.equal(add(serve, serve.root / "single.tgz").out, "single was added\n",
              "an archive of one folder is that folder")
    tap.ok("nothing changed" in add(serve, path).out,
           "and the folder itself is the same bot")
    tap.equal(bots(serve, "add", path, "--no-check", "--name", "other").code,
              2, "--name: no other bot")
    path = local_bots.folder(serve.root, "within")
    for what, part in (("left out", "The data folder 'referee-data' was left "
                        "out of it.\nwithin was added\n"),
                       ("of it.\nwithin has this version already",
                        "nothing changed")):
        done = tap.run([tap.REFEREE, "bots", "add", ".", "--no-check"],
                       cwd=path)
        tap.ok(done.code == 0 and what in done.out and part in done.out,
               "a data folder in the bot's folder is none of its files", done)
    tap.equal([at.name for at in path.glob("referee-data/bots/*/bot/*")
               if at.is_dir()], [], "and is not in the copy")


def builds(serve):
    if tap.skip("builds", machine.no_builds()):
        return
    build = 'build = {{ "sh", "-c", "{}" }}\n'
    path = local_bots.folder(serve.root, "built", more=build.format(
        "echo made; echo ok > made"))
    tap.equal(add(serve, path).code, 0, "a build")
    tap.ok("built, which is its version now, its build:\nmade\n" in bots(
        serve, "log", "built").out,
           "its output is kept", bots(serve, "log", "built"))
    tap.equal(len(list(serve.data.glob("bots/*/bot/made"))), 1,
              "and what it made")
    path = local_bots.folder(serve.root, "failing", more=build.format(
        "echo no good; exit 3"))
    done = add(serve, path)
    tap.ok(done.code == 1 and "exit code 3" in done.err and
           "no good" in done.err, "a build that fails", done)
    tap.equal(left_over(serve), [], "nothing is left of them")
    tap.ok("failing" not in bots(serve, "list").out, "and nobody was added")


def checked(serve):
    path = local_bots.folder(serve.root, "wrong", more='games = { "toepen" }\n')
    (path / "bot.sh").write_text("#!/bin/sh\nexit 1\n", "ascii")
    done = bots(serve, "add", path)
    tap.ok(done.code == 1 and "What was added, its check:" in done.err and
           re.search("`referee check` found something wrong with the bot: Toepen, .*, "
                     "game [0-9]+.*: .*[a-z]", done.err),
           "a bot that fails its check", done)
    tap.ok("wrong" not in bots(serve, "list").out, "is not added")


def removed(serve):
    add(serve, local_bots.folder(serve.root, "gone"))
    bots(serve, "remove", "gone")
    before = sorted(serve.data.glob("bots/*"))
    done = add(serve, local_bots.folder(serve.root, "gone", "2"))
    tap.ok(done.code == 2 and "was removed" in done.err,
           "the name of one that was removed", done)
    tap.equal(sorted(serve.data.glob("bots/*")), before,
              "and nothing stays of what was refused")


def main():
    with local_bots.serve() as serve:
        evil(serve)
        limits(serve)
        names(serve)
        modes(serve)
        hashed(serve)
        folders(serve)
        builds(serve)
        checked(serve)
        removed(serve)
    tap.done()


main()
