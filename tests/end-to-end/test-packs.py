#!/usr/bin/env python3
"""Tests a ladder whose records lie in packs and in files of their own.  End-to-end
for what its readers print of them, also of a damaged pack: commands, pages, and a
backup."""

import json

import daemon
import followed
import records
import tap

GAMES = 6
ALONE, CLOSED = 1, 4  # the first serials are in files, the next in a closed pack
CLOSED_NAME = f"{ALONE + 1:08}-{CLOSED:08}.tar.gz"
OPEN_NAME = f"{CLOSED + 1:08}-.tar"
CONFIG = """ladder quick { game = toepen seats = 2 options = { "points=4" }
readers = everybody read-after-minutes = 0 }"""
REBUILT = "nothing differs"


def play(base):
    """Plays games of a ladder; returns {serial: {name: bytes}} of their files."""
    base.mkdir(parents=True)
    run = tap.referee("match", "toepen", "--seats", "2", "-o", "points=4", "--bot",
                      "random", "--bot", "house", "--games", GAMES, "--seed",
                      "packs", "--asks", "--ladder", base / "ladder.db",
                      "--records", base / "records")
    if run.code != 0:
        raise RuntimeError(f"no games: {run}")
    files = {}
    for pattern in ("0*.rec", "0*.asks"):
        for path in records.find(base / "records", pattern):
            files.setdefault(int(path.name[:8]), {})[path.name] = \
                path.read_bytes()
    return files


def lay_out(folder, files):
    """Makes a folder with these packs and the founding."""
    for path in folder.iterdir():
        if not path.name.endswith(".ladder"):
            path.unlink()
    packs = {CLOSED_NAME: {}, OPEN_NAME: {}}
    for serial, some in files.items():
        for name, content in some.items():
            if serial <= ALONE:
                (folder / name).write_bytes(content)
            else:
                packs[CLOSED_NAME if serial <= CLOSED else OPEN_NAME][name] = \
                    content
    for name, content in packs.items():
        records.write_pack(folder / name, content)


def read_by_commands(base, files):
    folder = base / "records"
    run = tap.referee("verify", folder)
    tap.ok(run.code == 0 and run.out.count("\nok ") == GAMES - 1 and not run.err,
           "verify of a folder has every record", run)
    for pack, count in ((CLOSED_NAME, CLOSED - ALONE),
                        (OPEN_NAME, GAMES - CLOSED)):
        run = tap.referee("verify", folder / pack)
        tap.ok(run.code == 0 and run.out.count(f"ok {folder / pack}/") == count,
               f"and of {pack} its own", run)
    for path in records.find(folder):
        name, content = path.name, path.read_bytes()
        copy = base / name
        copy.write_bytes(content)
        copy.with_suffix(".asks").write_bytes(
            path.with_suffix(".asks").read_bytes())
        one, other = (tap.referee("replay", "--asks", of) for of in (path, copy))
        tap.ok((one.code, one.out) == (0, other.out) and not one.err
               and "It thought" in one.out,
               f"replay of {path.parent.name}/{name} tells its asks, too", one)
    packed = records.find(folder)[ALONE]
    run = tap.referee("verify", "--json", packed)
    told = json.loads(run.out)
    tap.equal((run.code, told["file"], told["ok"]), (0, str(packed), True),
              "verify of one")
    tap.equal(tap.referee("verify", "--receipt", told["hash"], packed).code, 0,
              "by its receipt")
    tap.complains(tap.referee("verify", "--receipt", told["hash"],
                              packed.parent), 2, "or pack", "a pack has none")
    was = folder / f"{ALONE + 1:08}-.tar" / packed.name
    tap.equal(tap.referee("verify", was).code, 0,
              "a record is found under the name of the pack when it was open")
    tap.complains(tap.referee("verify", packed.with_name("00000099-x.rec")), 2,
                  "no such file", "one that is not in it")
    ids = {name.partition("-")[2][:-4] for some in files.values()
           for name in some if name.endswith(".rec")}
    out = base / "whole.html"
    run = tap.referee("report", "--all", "-o", out, folder)
    text = out.read_text("utf-8") if out.exists() else ""
    tap.ok(run.code == 0 and all(f"game-{ident}" in text or ident in text
                                 for ident in ids), "a report has all games", run)
    out = base / "part.html"
    run = tap.referee("report", "--all", "-o", out, folder / CLOSED_NAME,
                      records.find(folder)[-1])
    tap.equal((run.code, sum(ident in out.read_text("utf-8") for ident in ids)),
              (0, CLOSED - ALONE + 1), "one of a pack, and of a record in one")
    rebuilt(base, "a rebuild has them all")
    followed.agrees(base / "ladder.db", "files, a closed pack and an open one")


def rebuilt(base, what):
    run = tap.referee("ladder", "rebuild", "--ladder", base / "ladder.db")
    tap.ok(run.code == 0 and f"{GAMES} games" in run.out and REBUILT in run.out,
           what, run)


def damaged(base):
    """Tests that a damaged pack gives one sentence, and that the other records
    are read."""
    folder = base / "records"
    pack = folder / CLOSED_NAME
    whole, content = pack.read_bytes(), records.members(pack)
    first = min(name for name in content if name.endswith(".rec"))
    others = GAMES - (CLOSED - ALONE)

    def tries(what, sentence, ok, rebuild, left=1):
        run = tap.referee("verify", folder)
        tap.ok(run.code == 1 and run.out.count("ok ") >= ok
               and (run.out + run.err).count(sentence) == 1
               and run.err.count("\n") == left, f"{what}: verify", run)
        run = tap.referee("ladder", "rebuild", "--ladder", base / "ladder.db")
        tap.ok(run.code in (1, 2) and rebuild in run.err
               and run.err.count("\n") == 1, f"{what}: rebuild", run)
        tap.equal(tap.referee("verify", folder / OPEN_NAME).code, 0,
                  f"{what}: the other pack is whole")

    for n in (len(whole) - 1, 15):
        pack.write_bytes(whole[:n])
        tries(f"cut to {n} bytes", f"{pack}: the pack is damaged", others,
              CLOSED_NAME)
        tap.complains(tap.referee("replay", pack / first), 2, "damaged",
                      f"cut to {n} bytes: replay")
        tap.complains(tap.referee("report", "-o", base / "x.html", folder), 2,
                      "damaged", f"cut to {n} bytes: report")
    pack.write_bytes(whole)


def on_pages(serve, base):
    folder = base / "records"
    serve.start()
    for path in records.find(folder):
        ident = path.stem.partition("-")[2]
        answer = serve.get(f"/api/1/records/{ident}")
        tap.equal((answer.code, answer.text), (200, path.read_text("ascii")),
                  f"the API has {path.parent.name}/{path.name}")
        asks = serve.get(f"/api/1/games/{ident}/asks")
        tap.equal((asks.code, asks.headers.get("x-asks")), (200, "whole"),
                  "and its asks")
        tap.equal(serve.get(f"/games/{ident}").code, 200, "it has a page")
    tap.equal(serve.get("/bots/house?ladder=quick").code, 200,
              "so has who played them")
    pack = folder / CLOSED_NAME
    whole = pack.read_bytes()
    pack.write_bytes(whole[:-1])
    codes = [serve.get(f"/api/1/records/{ident}").code for ident in IDS]
    tap.equal(codes, [200] * ALONE + [503] * (CLOSED - ALONE)
              + [200] * (GAMES - CLOSED), "of a damaged pack none, of others all")
    tap.ok(serve.says("the pack is damaged"), "the log says why")
    pack.write_bytes(whole)
    tap.equal(serve.stop(), 0, "the daemon ends")


def backed_up(serve, base):
    folder = base / "records"
    twin = folder / f"{ALONE + 1:08}-.tar"
    records.write_pack(twin, records.members(folder / CLOSED_NAME))
    before = tap.referee("ladder", "export", "--ladder", base / "ladder.db").out
    run = tap.referee("backup", serve.root / "backup", "--data", serve.data)
    tap.equal(run.code, 0, "a backup")
    copy = serve.root / "again"
    run = tap.referee("restore", serve.root / "backup", "--data", copy)
    tap.equal(run.code, 0, "is restored")
    there = copy / "ladders" / "quick"
    tap.ok((there / "records" / twin.name).exists()
           != (there / "records" / CLOSED_NAME).exists(),
           "a pack that is just closed is there once")
    tap.equal([(path.name, path.read_bytes())
               for path in records.find(there / "records", "0*")],
              [(path.name, path.read_bytes())
               for path in records.find(folder, "0*")],
              "with every record and all asks")
    rebuilt(there, "its ladder is that of its records")
    tap.equal(tap.referee("ladder", "export", "--ladder",
                          there / "ladder.db").out, before, "and the same")
    twin.unlink()


with daemon.Daemon(CONFIG) as home:
    quick = home.data / "ladders" / "quick"
    home.token("carol")  # makes the data folder
    kept = play(quick)
    IDS = [name.partition("-")[2][:-4] for serial in sorted(kept)
           for name in kept[serial] if name.endswith(".rec")]
    lay_out(quick / "records", kept)
    read_by_commands(quick, kept)
    damaged(quick)
    backed_up(home, quick)
    on_pages(home, quick)
tap.done()
