#!/usr/bin/env python3
"""Tests how a ladder's owner is told that the file, records or room on the disk
are lost.  End-to-end for the daemon's health page, limits and disks of the kernel,
and what `serve --check`, `verify` and `ladder rebuild` say of one damaged pack."""

import json
import re
import tarfile
import tempfile

import arena
import daemon
import machine
import tap

TWO = arena.bots("random", "house")
SETUP = 'game = toepen seats = 2 options = { "points=1" } at-once = 2'
REBUILD = "referee ladder rebuild"
HOLE = "of its log is missing; restore it, or go on without it by"


def play(serve, games):
    """Plays so many games more, ends the daemon, and returns its last open pack."""
    had = len(serve.records("quick", "0*.rec"))
    serve.start()
    for name in ("alice", "bob"):
        serve.play(name, "quick")
    tap.ok(arena.wait_for(lambda: len(serve.records("quick", "0*.rec"))
                          >= had + games), f"{games} games are played")
    serve.stop()
    return max((serve.data / "ladders" / "quick" / "records").glob("*-.tar"))


def lost_while_it_runs(serve):
    """Tests a daemon whose ladder's file is moved away."""
    base = serve.data / "ladders" / "quick" / "ladder.db"
    serve.start()
    for name in ("alice", "bob"):
        serve.play(name, "quick")
    lost = 'referee_ladder_lost{ladder="quick"}'
    tap.equal((serve.metric(lost), serve.get("/healthz").text), (0, "ok\n"),
              "a ladder's file is there")
    base.rename(base.with_name("aside.db"))
    tap.ok(serve.wait_for_log("ladder-lost"), "a daemon tells that it is gone")
    told = serve.get("/healthz")
    tap.ok(serve.metric(lost) == 1 and told.code == 503
           and "restart the daemon" in told.text, "so does its health", told)
    had = len(serve.records("quick", "0*.rec"))
    tap.ok(arena.wait_for(lambda: len(serve.records("quick", "0*.rec")) > had + 2),
           "games go on")
    serve.stop()
    tap.equal(len(serve.log("ladder-lost")), 1, "it tells it once")
    for path in base.parent.glob("ladder.db*"):
        path.unlink()
    serve.start()
    tap.equal((serve.metric(lost), len(serve.log("ladder-made-again"))), (0, 1),
              "and the next daemon makes it again")
    serve.stop()
    return base


def missing_record(serve, base):
    record = serve.records("quick", "0*.rec")[1]
    content = record.read_bytes()
    record.unlink()
    serve.start()
    tap.ok(serve.wait_for_log("records-missing"), "serve tells of a lost record")
    tap.equal(serve.metric('referee_records_missing{ladder="quick"}'), 1,
              "and so does a metric")
    serve.stop()
    base.unlink()
    serve.launch()
    serve.wait()
    tap.ok(f"entry 2 {HOLE} `{REBUILD} --gaps`" in serve.text(),
           "serve does not go on without it", serve.text())
    record.write_bytes(content)
    run = tap.referee("ladder", "rebuild", "--data", serve.data, "--ladder", "quick")
    tap.equal(run.code, 0, "its records are found where a daemon has them")


def damaged_pack(serve, base):
    """Damages the last record of an open pack, and takes the asks behind it away."""
    pack = play(serve, 6)
    with tarfile.open(pack) as tar:
        last = [member for member in tar if member.name.endswith(".rec")][-1]
    end = last.offset_data + (last.size + 511) // 512 * 512
    whole, total = pack.read_bytes(), len(serve.records("quick", "0*.rec"))
    bad = whole[:last.offset + 5] + b"\xff" + whole[last.offset + 6:end]
    pack.write_bytes(bad)
    base.unlink()
    missing = f"entry {total} of its log is not found, and the pack {pack} is " \
        f"damaged; restore it from a copy, or take what is there by `{REBUILD} --gaps`"
    run = tap.referee("serve", "--check", "--config", serve.file)
    tap.complains(run, 2, missing, "serve --check tells of a damaged record")
    serve.launch()
    code = serve.wait()
    tap.ok(code == 3 and missing in serve.text(), "serve does not start",
           (code, serve.text()))
    tap.ok(pack.read_bytes() == bad and not list(pack.parent.glob("*.damaged*")),
           "it leaves the pack as it is")
    run = tap.referee("verify", pack.parent)
    tap.ok(run.code == 1 and run.out.count("ok ") == total - 1
           and f"{pack}: the pack is damaged" in run.err,
           "verify reads all other records", run)
    data = ["--data", serve.data, "--ladder", "quick"]
    run = tap.referee("ladder", "rebuild", *data)
    tap.complains(run, 1, f"1 record is missing, serial {total},",
                  "rebuild tells the gap")
    run = tap.referee("ladder", "rebuild", *data, "--gaps", "--json")
    told = json.loads(run.out)
    tap.equal((run.code, told["gaps"], told["games"]), (0, 1, total - 1),
              "--gaps takes all other games")
    after = play(serve, 2)
    tap.equal(after.name, f"{total + 1:08}-.tar",
              "the daemon goes on behind it in another pack")
    told = serve.log("pack-cut")
    kept = pack.with_name(pack.name + ".damaged")
    tap.ok(len(told) == 1 and f"copy={kept} bytes={end - last.offset} entries=0 "
           in told[0] and kept.read_bytes() == bad, "it is cut off with a word",
           serve.text())


# The daemon aborts no game at its end: verify would count its record, too.
with daemon.Daemon({"quick": SETUP}, {"stop-time": 60000}) as home:
    play(home, 6)
    file = lost_while_it_runs(home)
    missing_record(home, file)
    damaged_pack(home, file)

# ---- a file may not grow, and a disk is full

def both(place, *before):
    """Runs a match on a ladder and a roster command in a folder of their own;
    returns both."""
    for what in (["match", "toepen", *TWO, "--games", "200", "--ladder", "l.db"],
                 ["bots", "token", "bob", "--data", "data"]):
        folder = tempfile.mkdtemp(dir=place.root)
        yield tap.run([*before, tap.REFEREE, *what], cwd=folder)


def says_why(run, name, *reasons):
    """Returns true if the command said why in one sentence."""
    said = re.findall("^referee: .*", run.err, re.MULTILINE)
    return run.code == 3 and len(said) == 1 and \
        re.search(rf"{name}.*({'|'.join(reasons)})", said[0])


with arena.Arena() as place:
    for kib in (20, 140):
        match, roster = both(place, "bash", "-c", f'ulimit -f {kib}; exec "$@"',
                             "bash")
        tap.ok(says_why(match, "ladder l.db:", "File too large"),
               f"files of {kib} KiB at most: a ladder", match)
        tap.ok(roster.code == 0 if kib > 100 else
               says_why(roster, "roster data/roster.db:", "File too large"),
               f"files of {kib} KiB at most: a roster", roster)
    why = None if machine.may_mount() else "not allowed to mount"
    for kib in () if tap.skip("a full disk", why) else (12, 80):
        match, roster = both(
            place, "unshare", "--mount", "sh", "-c",
            f'mount -t tmpfs -o size={kib}k none . && cd "$PWD" && exec "$@"',
            "sh")
        full = "the disk is full$", "No space left on device"
        tap.ok(says_why(match, "ladder l.db:", *full),
               f"a disk of {kib} KiB: a ladder", match)
        tap.ok(says_why(roster, "data/roster", *full),
               f"a disk of {kib} KiB: a roster", roster)
tap.done()
