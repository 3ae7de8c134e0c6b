#!/usr/bin/env python3
"""Tests versions that play before they count: an archive, games beside those of the
ladder, a table for its author alone.  End-to-end, because uploads, processes and
the roster meet here."""

import json
import pathlib
import re

import arena
import daemon
import keys
import local_bots
import machine
import tap
from local_bots import add, archive, bots, put, shown

FIRST = 12  # moments of a game
PROCESSES = 37  # of a local bot
KEPT = 8388608  # SERVE_TRIAL_BYTES
MANY = 130  # games, more than have room if each has 64 KiB of standard error
WAIT_S = 2400  # for so many; they are niced
# Settings of the ladder that its games and trials have in common; no value is that of a
# match without them.
SETTINGS = {"game": "toepen", "seats": 2, "options": '{ "points=14" }',
            "open": "arrival", "move-time": 900000, "bank": 1000, "increment": 10,
            "total": 1200000, "faults": 4, "ponder": "no"}
# Those that no game of a trial can have; `total` is below `game-minutes`.
OTHERS = {"pairing", "at-once", "class", "same-bot-twice", "same-owner", "game-minutes",
          "keep-days", "ranked-days", "readers", "read-after-minutes",
          "spectators-delay", "spectators-delay-local", "begins", "freezes", "ends",
          "games-a-day", "k", "start-rating", "anchor"}
# Lines of a record's header that are of one game alone.
OWN = {"id", "bot", "started", "ended", "commit", "secret", "ladder", "serial", "cpu",
       "memory"}


def send(serve, query, token, name="ann", version="2", bot=None):
    files = local_bots.files(name, version, local_bots.ONE_GAME,
                             **({"bot.sh": bot} if bot else {}))
    entries = [local_bots.entry(path, text.encode()) for path, text in files.items()]
    return put(serve, f"{name}/trial?{query}", archive(entries, manifest=False),
               shown(name, token))


def asked(serve, token, name="ann"):
    return serve.get(f"/api/1/bots/{name}/trial", headers=shown(name, token))


def change(serve, path, name, token):
    return serve.get(path, "PUT", shown(name, token) + "Content-Length: 0\r\n")


def result(serve, token, name="ann"):
    """Returns the trial as soon as it is over."""
    def over():
        told = asked(serve, token, name).json()
        return told["state"] == "over" or "failed" in told
    arena.wait_for(over, WAIT_S)
    return asked(serve, token, name)


def folders(serve):
    return len(list(serve.data.glob("bots/*/bot")))


def first_lines(serve, page, **options):
    """Returns the pages of the first moments, at which both bots are asked."""
    return "".join(serve.get(f"{page}&at={line}", **options).text
                   for line in range(1, FIRST))


def records(serve, token, played):
    """Tests that the author reads the records, and no other author does."""
    tap.equal([game["number"] for game in played], [1, 2, 3, 4], "all its games")
    for game in played[:2]:
        path = f"/api/1/records/{game['id']}"
        own = serve.get(path, headers=shown("ann", token))
        tap.ok(own.code == 200, "a record", own)
        whole = own.text.splitlines()
        tap.ok(any(line.startswith("secret ") for line in whole) and
               f"bot {game['seat']} trial" in whole and
               f"bot {1 - game['seat']} ben" in whole,
               "it is whole, and that of the version", own.text[:500])
        ben = serve.get(path, headers=shown("ben", serve.token("ben")))
        tap.equal((serve.get(path).code, ben.code), (401, 401),
                  "neither all nor an opponent read it")
        asks = serve.get(f"/api/1/games/{game['id']}/asks?view={game['seat']}",
                         headers=shown("ann", token))
        tap.ok(asks.code == 200 and '"answer"' in asks.text, "its asks", asks)
        page = f"/games/{game['id']}?view={game['seat']}"
        seen = first_lines(serve, page, headers=shown("ann", token))
        tap.ok("ann 2 sits down" in seen and "ben 1 sits down" not in seen,
               "the page has what the version wrote, and only that", seen[-2000:])
        tap.ok("sits down" not in first_lines(serve, page), "which no other page has")
    tap.equal(list(serve.data.glob("trials/*/stderr")), [],
              "nothing is kept of what others wrote")
    tap.equal([path.name[-10:] for path in serve.data.glob("trials/*/wrote/*")],
              ["-trial.txt"] * len(played), "but what the version wrote")


def read_by(serve, readers, played, token):
    """Returns what a stranger and the author get of a record, and what pages they
    read, while the ladder has these readers."""
    before = serve.file.read_text("ascii")
    ladder = '"toepen" { '
    serve.file.write_text(before.replace(
        ladder, f"{ladder}readers = {readers} "), "ascii")
    serve.reload()
    path = f"/api/1/records/{played['id']}"
    page = f"/games/{played['id']}?view={played['seat']}"
    author = shown("ann", token)
    found = ([serve.get(path).code, serve.get(path, headers=author).code],
             first_lines(serve, page), first_lines(serve, page, headers=author))
    serve.file.write_text(before, "ascii")
    serve.reload()
    return found


def readers(serve, token, played):
    """Tests that `readers` of the ladder holds for trials, and that only the author
    reads what the version wrote."""
    codes, strange, own = read_by(serve, "everybody", played, token)
    tap.equal(codes, [200, 200], "all read a record that all may read")
    tap.ok("sits down" not in strange and "ann 2 sits down" in own,
           "but only the author reads what the version wrote", strange[-2000:])
    codes, strange, own = read_by(serve, "nobody", played, token)
    tap.equal(codes, [403, 403], "the author does not read what is for nobody")
    tap.ok("sits down" not in strange + own, "no page has it then", own[-2000:])


def rules(serve):
    """Tests that a trial is played by every setting of the ladder."""
    page = (keys.MANUAL / "referee.conf.5").read_text("ascii")
    ladder = page.split("\n.Sh LADDERS\n")[1].split("\n.Ss The term\n")[0]
    tap.equal(set(re.findall(r"^\.It Ic (\S+)", ladder, re.MULTILINE)),
              SETTINGS.keys() | OTHERS, "all settings are tried, or of no trial")

    def header(record):
        return [words for words in record.head if words[0] not in OWN]
    trial = header(arena.Record(next(serve.data.glob("trials/*/records/*.rec"))))
    game = header(arena.wait_for(lambda: serve.games("toepen"))[0])
    tap.equal(trial, game, "the header of a trial's record is that of the ladder")


def plays(serve, token):
    tap.equal(asked(serve, token).code, 404, "there is no trial at first")
    answer = send(serve, "ladder=toepen&games=3&against=ben", token)
    tap.equal(answer.code, 202, "a trial is taken")
    told = result(serve, token)
    tap.equal(keys.wrong("/api/1/bots/NAME/trial", told.text), "", "its keys")
    told = told.json()
    tap.equal((told["state"], told["against"], told.get("failed"), told["games"]),
              ("over", ["ben"], None, 4), "it is over; each bot sat as often in each seat")
    tap.equal({row["bot"]: row["games"] for row in told["table"]},
              {"trial": 4, "ben": 4}, "its table")
    rules(serve)
    records(serve, token, told["played"])
    readers(serve, token, told["played"][0])
    tap.equal([sorted({"trouble", "fallback", "failure"} & set(row))
               for row in told["table"] if row["bot"] == "ben"], [[]],
              "nothing of what another author's program said")
    log = serve.get("/api/1/bots/ann/log", headers=shown("ann", token)).text
    tap.ok("A version of ann was imported for a trial" in log and
           "waits" not in log, "the log does not say that it waits", log)
    tap.ok("plays as ann," in bots(serve, "list").out, "it is not entered")
    tap.ok(not any("trial" in record.bots() for record in serve.games("toepen")),
           "no game of it is on the ladder")


def unread(serve, token):
    """Tests a version whose files are gone when it is to be entered."""
    folder = next(path.parents[1] for path in serve.data.glob("bots/*/bot/bot.conf")
                  if 'version = "2"' in path.read_text("ascii"))
    away = folder.rename(serve.root / "away")
    answer = change(serve, "/bots/ann/trial/entered", "ann", token)
    tap.ok(answer.code in (409, 503) and "log says why" in answer.text and
           str(serve.data) not in answer.text, "no path is told", answer.text)
    tap.ok(str(folder) in serve.log("request")[-1], "but to the log")
    away.rename(folder)


def enters(serve, token):
    answer = change(serve, "/bots/ann/trial/entered", "ann", token)
    tap.equal((answer.code, answer.json()), (200, {"done": True}), "entered")
    tap.ok("plays as ann.2," in bots(serve, "list").out, "it plays")
    tap.ok(arena.wait_for(lambda: not list(serve.data.glob("trials/*"))),
           "the records of its trial are gone")
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
    send(serve, "ladder=toepen&games=2&against=RANDOM", token, version="4")
    told = result(serve, token).json()
    tap.equal((told["against"], told.get("failed")), (["random"], None),
              "another trial")
    arena.wait_for(lambda: folders(serve) == before + 1)
    tap.equal(folders(serve), before + 1, "the first one's files are gone")
    put(serve, "ann", b"no archive", shown("ann", token))
    tap.equal(asked(serve, token).code, 404, "an upload ends it")


def fails(serve, token):
    send(serve, "ladder=toepen&games=2", token, version="5", bot="exit 1\n")
    told = result(serve, token).json()
    tap.ok("refused" in told.get("failed", "") and told["state"] == "over",
           "an import that fails", told)
    notes = serve.get("/api/1/bots/ann/notes", headers=shown("ann", token))
    tap.equal(keys.wrong("/api/1/bots/NAME/notes", notes.text), "", "its keys")
    failed = notes.json()["failed_upload"]
    tap.ok(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", failed["at"]) and
           "check" in failed["why"] and not failed["why"].endswith("."),
           "when and why", failed)
    tap.equal(notes.json()["trial_ladders"], ["toepen", "durnius"],
              "where trials are played")
    for query, code, part in (
            ("ladder=toepen&games=0", 400, "from 1 to 200"),
            ("ladder=toepen&games=201", 400, "from 1 to 200"),
            ("ladder=nowhere&games=2", 400, "a ladder of this referee"),
            ("ladder=toepen&games=2&against=zoe", 400, "a bot of this machine"),
            ("ladder=toepen&games=2&against=trial", 400, "a bot of this machine"),
            ("ladder=toepen&games=2&against=ben,ben", 400, "has 1 other seat: name 1 opponent")):
        answer = send(serve, query, token)
        tap.ok(answer.code == code and part in answer.text, f"refused: {query}",
               answer.text)
    tap.equal(serve.get("/api/1/bots/ann/trial", headers=shown(
        "ben", serve.token("ben"))).code, 403, "another bot asks")


def errs(serve):
    """Tests what the author of a program that makes faults is told of the first."""
    token = serve.token("eve")
    wrong = local_bots.BOT.format(name="eve", version="1").replace(
        "case $verb in", "case $verb$rest in game*faults=4*) x=x; esac; case $verb in"
    ).replace("${token%% *}", "${token%% *}$x")
    tap.equal(send(serve, "ladder=toepen&games=2&against=random", token, name="eve",
                   version="1", bot=wrong).code, 202, "a program that makes faults")
    told = result(serve, token, "eve")
    tap.equal(keys.wrong("/api/1/bots/NAME/trial", told.text), "", "its keys")
    trouble = next(row["trouble"] for row in told.json()["table"]
                   if row["bot"] == "trial")
    tap.ok(trouble["fault"] == "illegal" and trouble["game"] in
           [game["number"] for game in told.json()["played"]],
           "it is told in which of its games", trouble)
    tap.ok(str(serve.data) not in told.text, "and no path of the machine", trouble)


def a_day(serve, token):
    """Tests the limit of a day: 388 games were begun so far."""
    if tap.skip("games of a day", None if serve.environ else
                "no C compiler for a day that does not end"):
        return
    serve.file.write_text(serve.file.read_text("ascii").replace(
        "limits {", "limits { trial-games-per-day = 392"), "ascii")
    serve.reload()
    refused = send(serve, "ladder=toepen&games=5", token)
    tap.equal(refused.code, 429, "too many games")
    tap.ok(10 < int(refused.headers["retry-after"]) <= 43200, "until midnight")
    tap.equal(send(serve, "ladder=toepen&games=4", token).code, 202, "just enough")
    tap.equal(send(serve, "ladder=toepen&games=1", token).code, 429, "and no more")


def bounded(serve):
    """Tests that a trial keeps its first games until they have 8 MiB."""
    token = serve.token("cid")
    loud = local_bots.BOT.format(name="cid", version="1").replace(
        'echo "cid 1 sits down"', "printf %070000d 0")
    answer = send(serve, f"ladder=toepen&games={MANY}&against=random", token,
                  name="cid", version="1", bot=loud)
    tap.equal(answer.code, 202, "many games of a program that writes much")
    told = result(serve, token, "cid").json()
    numbers = [game["number"] for game in told["played"]]
    tap.ok(len(numbers) < MANY and numbers == list(range(1, len(numbers) + 1)),
           "the first ones are kept", told)
    own = next(serve.data.glob(f"trials/*/records/*-{told['played'][0]['id']}.rec"))
    sizes = {number: sum(path.stat().st_size for path in own.parents[1].glob(
        f"*/{number:08}-*")) for number in range(1, MANY + 1)}
    kept = [sizes[number] for number in numbers]
    tap.ok(sum(kept[:-1]) < KEPT <= sum(kept), "up to the limit", kept)
    tap.equal(sum(sizes.values()), sum(kept), "and no other file is")


def limited(serve):
    """Tests that a version has as many processes as in games of the ladder."""
    if tap.skip("processes of a version", None if machine.told()[0] == "A" else
                "processes are counted in tier A"):
        return
    token = serve.token("dan")
    bot = local_bots.BOT.format(name="dan", version="1").replace(
        'echo "dan 1 sits down"',
        # The first process of the box counts, too, and a check has room for one more.
        f"grep -E 'processes *({PROCESSES + 1}|{PROCESSES + 2}) ' /proc/self/limits "
        ">&2 || exit 1")
    tap.equal(send(serve, "ladder=toepen&games=2&against=random", token, name="dan",
                   version="1", bot=bot).code, 202,
              "a version that says its limit, and leaves if that is another one")
    result(serve, token, "dan")
    told = [re.findall(r"processes +(\d+)", path.read_text("ascii"))
            for path in serve.data.glob("trials/*/wrote/*")]
    tap.ok([str(PROCESSES + 1)] in told, "what the configuration says, also in its check",
           (told, asked(serve, token, "dan").text))


def owned(serve, token):
    """Tests that an owner is told of an upload that failed, and that one is his."""
    put(serve, "ann", b"no archive", shown("ann", token))

    def failed():
        return serve.get("/api/1/bots/ann/notes", headers=shown(
            "ann", token)).json().get("failed_upload")
    tap.ok(arena.wait_for(failed), "an upload that fails")
    owner = tap.referee("owners", "token", "olga", "--data", serve.data).out.strip()
    bots(serve, "owner", "ann", "olga")
    seen = serve.get("/api/1/owners/olga", headers=(
        f"X-Owner: olga\r\nAuthorization: Bearer {owner}\r\n"))
    tap.equal(keys.wrong("/api/1/owners/NAME", seen.text), "", "what an owner has")
    tap.equal(seen.json()["bots"][0]["failed_upload"], failed(),
              "its owner is told the same")
    tap.equal(seen.json()["bots"][0].get("trial"), None, "and of no trial")

    def deeds():
        return [json.loads(line) for line in tap.referee(
            "owners", "deeds", "--json", "--data", serve.data).out.splitlines()]

    before = deeds()[0]["number"]
    put(serve, "ann", archive([], name="ann", more=local_bots.ONE_GAME +
                              'author = "olga"\n'),
        f"X-Owner: olga\r\n{shown('ann', owner)}")

    def entered():
        return next((deed["who"] for deed in deeds()
                     if deed["what"] == "enter" and deed["who"] != "organiser"
                     and deed["number"] > before), None)
    arena.wait_for(entered)
    tap.equal(entered(), "owner olga", "an upload by her token is her deed")


def renamed(serve, token):
    """Tests a trial that is sent in under other names that its bot has had."""
    bots(serve, "rename", "ann", "anna")
    for name, what in (("ann", "its first name"), ("ann.2", "that of a version")):
        answer = put(serve, f"{name}/trial?ladder=toepen&games=1&against=random",
                     b"no archive", shown("ann", token))
        tap.equal((answer.code, answer.headers.get("location")),
                  (202, "../../api/1/bots/anna/trial"), f"a trial under {what}")


def ends(serve, token):
    """Tests a trial that ends amid its games, by an upload and with the daemon."""
    before = set(serve.data.glob("trials/*"))

    def running():
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if b"match" in words and f"--data={serve.data}".encode() in words:
                found.append(words)
        return found

    def records_of():
        return [path for folder in set(serve.data.glob("trials/*")) - before
                for path in folder.glob("records/*.rec")]

    def codes(game):
        return [serve.get(page + game, headers=shown("ann", token)).code
                for page in ("/api/1/records/", "/games/")]
    send(serve, "ladder=toepen&games=190&against=random", token, version="9")
    path = arena.wait_for(records_of)[0]
    tap.equal(codes(path.stem[-32:]), [404, 404], "no record is read amid the games")
    put(serve, "ann", b"no archive", shown("ann", token))
    tap.ok(arena.wait_for(lambda: not path.parents[1].exists()),
           "an upload removes the records of a trial that plays")
    tap.equal(codes(path.stem[-32:]), [404, 404], "and no record is read")
    send(serve, "ladder=toepen&games=190&against=random", token, version="9")
    words = arena.wait_for(running)[0]
    tap.ok(b"--ponder=off" in words, "as the ladder, no bot thinks while others are asked",
           words)
    tap.ok(b"--as-ladder" in words, "nor are bots told names", words)
    serve.stop()
    tap.ok(arena.wait_for(lambda: not running()), "it has ended with the daemon")
    serve.start()
    tap.equal(list(serve.data.glob("trials/*")), [],
              "the next start removes what it has left")


def main():
    with local_bots.serve(processes=PROCESSES) as serve:
        add(serve, local_bots.folder(serve.root, "ann"), "--ladder", "toepen")
        add(serve, local_bots.folder(serve.root, "ben"), "--ladder", "toepen")
        # Games of the ladder go on beside the trials, but not as fast as they can.
        settings = "".join(f"{key} = {value} " for key, value in SETTINGS.items())
        serve.file.write_text(serve.file.read_text("ascii").replace(
            "{ game = toepen seats = 2 ", "{ games-a-day = 8640 " + settings), "ascii")
        token = serve.token("ann")
        serve.environ = daemon.at_noon(serve.root)
        serve.start()
        plays(serve, token)
        unread(serve, token)
        enters(serve, token)
        dropped(serve, token)
        fails(serve, token)
        limited(serve)
        errs(serve)
        bounded(serve)
        ends(serve, token)
        a_day(serve, token)
        owned(serve, token)
        renamed(serve, token)
    tap.done()


main()
