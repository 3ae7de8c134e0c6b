#!/usr/bin/env python3
"""Tests versions that play before they count: an archive, games beside those of the
ladder, a table for its author alone.  End-to-end, because uploads, processes and
the roster meet here."""

import pathlib

import arena
import daemon
import keys
import local_bots
import tap
from local_bots import add, archive, bots, put, shown


def send(serve, query, token, name="ann", version="2", bot=None):
    files = local_bots.files(name, version, **({"bot.sh": bot} if bot else {}))
    entries = [local_bots.entry(path, text.encode()) for path, text in files.items()]
    return put(serve, f"{name}/trial?{query}", archive(entries, manifest=False),
               shown(name, token))


def asked(serve, token, name="ann"):
    return serve.get(f"/api/1/bots/{name}/trial", headers=shown(name, token))


def change(serve, path, name, token):
    return serve.get(path, "PUT", shown(name, token) + "Content-Length: 0\r\n")


def result(serve, token):
    """Returns the trial as soon as it is over."""
    def over():
        told = asked(serve, token).json()
        return told["state"] == "over" or "failed" in told
    arena.wait_for(over)
    return asked(serve, token)


def folders(serve):
    return len(list(serve.data.glob("bots/*/bot")))


def plays(serve, token):
    tap.equal(asked(serve, token).code, 404, "there is no trial at first")
    answer = send(serve, "ladder=toepen&games=4&against=ben", token)
    tap.equal(answer.code, 202, "a trial is taken")
    told = result(serve, token)
    tap.equal(keys.wrong("/api/1/bots/NAME/trial", told.text), "", "its keys")
    told = told.json()
    tap.equal((told["state"], told["against"], told.get("failed")),
              ("over", ["ben"], None), "it is over")
    tap.equal({row["bot"]: row["games"] for row in told["table"]},
              {"trial": 4, "ben": 4}, "its table")
    tap.equal([sorted({"trouble", "fallback", "failure"} & set(row))
               for row in told["table"] if row["bot"] == "ben"], [[]],
              "nothing of what another author's program said")
    tap.ok("plays as ann," in bots(serve, "list").out, "it is not entered")
    tap.ok(not any("trial" in record.bots() for record in serve.games("toepen")),
           "no game of it is on the ladder")


def enters(serve, token):
    answer = change(serve, "/bots/ann/trial/entered", "ann", token)
    tap.equal((answer.code, answer.json()), (200, {"done": True}), "entered")
    tap.ok("plays as ann.2," in bots(serve, "list").out, "it plays")
    tap.equal((asked(serve, token).code,
               change(serve, "/bots/ann/trial/entered", "ann", token).code),
              (404, 409), "once")


def dropped(serve, token):
    """Tests a trial in place of another one, and an upload in place of both."""
    before = folders(serve)
    send(serve, "ladder=toepen&games=2", token, version="3")
    told = result(serve, token).json()
    tap.equal((len(told["table"]), told["against"]), (2, ["ben"]),
              "a bot of the ladder is its opponent")
    send(serve, "ladder=toepen&games=2&against=random", token, version="4")
    tap.equal(result(serve, token).json()["against"], ["random"], "another trial")
    arena.wait_for(lambda: folders(serve) == before + 1)
    tap.equal(folders(serve), before + 1, "the first one's files are gone")
    put(serve, "ann", b"no archive", shown("ann", token))
    tap.equal(asked(serve, token).code, 404, "an upload ends it")


def fails(serve, token):
    send(serve, "ladder=toepen&games=2", token, version="5", bot="exit 1\n")
    told = result(serve, token).json()
    tap.ok("refused" in told.get("failed", ""), "an import that fails", told)
    for query, code, part in (
            ("ladder=toepen&games=0", 400, "from 1 to 200"),
            ("ladder=toepen&games=201", 400, "from 1 to 200"),
            ("ladder=nowhere&games=2", 400, "a ladder of this referee"),
            ("ladder=toepen&games=2&against=zoe", 400, "a bot of this machine"),
            ("ladder=toepen&games=2&against=trial", 400, "a bot of this machine"),
            ("ladder=toepen&games=2&against=ben,ben", 400, "than seats")):
        answer = send(serve, query, token)
        tap.ok(answer.code == code and part in answer.text, f"refused: {query}",
               answer.text)
    tap.equal(serve.get("/api/1/bots/ann/trial", headers=shown(
        "ben", serve.token("ben"))).code, 403, "another bot asks")


def a_day(serve, token):
    """Tests the limit of a day: 210 games were asked for so far."""
    if tap.skip("games of a day", None if serve.environ else
                "no C compiler for a day that does not end"):
        return
    serve.file.write_text(serve.file.read_text("ascii").replace(
        "limits {", "limits { trial-games-per-day = 214"), "ascii")
    serve.reload()
    tap.equal(send(serve, "ladder=toepen&games=5", token).code, 429, "too many games")
    tap.equal(send(serve, "ladder=toepen&games=4", token).code, 202, "just enough")
    tap.equal(send(serve, "ladder=toepen&games=1", token).code, 429, "and no more")


def ends(serve, token):
    """Tests that a trial ends with the daemon."""
    def running():
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if b"match" in words and f"--data={serve.data}".encode() in words:
                found.append(path)
        return found
    send(serve, "ladder=toepen&games=200&against=random", token, version="9")
    tap.ok(arena.wait_for(running), "it plays")
    serve.stop()
    tap.ok(arena.wait_for(lambda: not running()), "it has ended with the daemon")


def main():
    with local_bots.serve() as serve:
        add(serve, local_bots.folder(serve.root, "ann"), "--ladder", "toepen")
        add(serve, local_bots.folder(serve.root, "ben"), "--ladder", "toepen")
        token = serve.token("ann")
        serve.environ = daemon.at_noon(serve.root)
        serve.start()
        plays(serve, token)
        enters(serve, token)
        dropped(serve, token)
        fails(serve, token)
        ends(serve, token)
        serve.start()
        a_day(serve, token)
    tap.done()


main()
