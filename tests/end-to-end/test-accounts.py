#!/usr/bin/env python3
"""Tests owners' accounts over HTTP: a code, a token, bots, games, records, a ban, and
who did what.  End-to-end, because commands, daemon and requests meet here."""

import contextlib
import io
import json
import re
import socket
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import threading

import arena
import daemon
import keys
import tap

CONFIG = """sign-up = %s
opinions = "strong-bot"
ladder quick { game = daumen-drauf seats = 2 options = { "games=1" } }
ladder secret { game = daumen-drauf seats = 2 options = { "games=1" }
                readers = nobody }
"""
GAMES = 3  # at least so many are played
CHECKER = tap.SOURCE_DIR / "tests" / "independent" / "check-record.py"


def owners(serve, *words):
    return tap.referee("owners", *words, "--data", serve.data)


def put(serve, path, source="127.0.0.1", **headers):
    """Sends a PUT without a body: x_owner="ann" is the header X-Owner."""
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n"
                    for name, value in headers.items())
    return serve.get(path, "PUT", lines + "Content-Length: 0\r\n", source)


def as_owner(name, token, **more):
    return dict(X_Owner=name, Authorization=f"Bearer {token}", **more)


def headers(name, token, bot=None):
    return (f"X-Owner: {name}\r\nAuthorization: Bearer {token}\r\n" +
            (f"X-Bot: {bot}\r\n" if bot else ""))


def test_code(serve):
    tap.equal(put(serve, "/owners/ann", next(daemon.STRANGERS),
                  X_Code="0" * 16).code, 401, "there is no code")
    tap.complains(owners(serve, "code", "--days", "367"), 2,
                  "366", "a code ends sooner")
    old = owners(serve, "code").out.strip()
    code = owners(serve, "code", "--accounts", "3").out.strip()
    tap.ok(re.fullmatch(r"[0-9a-f]{16}", code), "a code", code)
    tap.equal(put(serve, "/owners/ann", next(daemon.STRANGERS), X_Code=old).code,
              401, "the code before it has ended")
    tap.equal(put(serve, "/owners/ann").code, 400, "no code")
    made = put(serve, "/owners/ann", X_Code=code)
    tap.equal(made.code, 201, "an account")
    tap.equal(made.headers.get("cache-control"), "private, no-store",
              "which nobody keeps")
    tap.equal(put(serve, "/owners/Ann", X_Code=code).code, 409,
              "the name is taken, capitals aside")
    tap.equal([put(serve, "/owners/code", X_Code=code).code for _ in "ab"],
              [201, 409], "a name that is taken is no wrong code")
    ben = put(serve, "/owners/ben", X_Code=code).json()["token"]
    tap.equal(put(serve, "/owners/cas", next(daemon.STRANGERS), X_Code=code).code,
              401, "no fourth account")
    return made.json()["token"], ben


def test_bots(serve, ann, ben):
    made = put(serve, "/bots/alpha/token", **as_owner("ann", ann))
    tap.equal(made.code, 201, "a bot")
    bot = made.json()["token"]
    tap.equal(put(serve, "/bots/alpha/token", **as_owner("ben", ben)).code,
              403, "another owner gets no token of it")
    tap.equal(put(serve, "/bots/alpha/token", next(daemon.STRANGERS),
                  **as_owner("ann", ben)).code, 401, "nor with the wrong token")
    tap.ok(serve.log("wrong-token")[-1].endswith(" owner=ann count=1"),
           "the log names the owner", serve.log("wrong-token"))
    tap.equal(put(serve, "/bots/beta/token").code, 401, "nor without one")
    other = put(serve, "/bots/alpha/token", **as_owner("ann", ann))
    tap.ok(other.code == 201 and other.json()["token"] != bot,
           "another token of it", other)
    guest = serve.guest("alpha", bot, source=next(daemon.STRANGERS))
    tap.ok((guest.hear() or "").startswith("error"), "the old one is invalid")
    guest.close()
    guest = serve.guest("alpha", other.json()["token"])
    tap.ok((guest.hear() or "error")[:5] != "error", "the new one is not")
    guest.close()
    seen = serve.get("/api/1/owners/ann", headers=headers("ann", ann))
    tap.equal(seen.code, 200, "what ann has")
    have = seen.json()
    tap.equal([bot["bot"] for bot in have["bots"]], ["alpha"], "one bot")
    tap.ok(re.fullmatch(r"\d{4}-\d\d-\d\d", have["token_used"]),
           "the last use of her token", have)
    tap.ok(re.fullmatch(r"\d{4}-\d\d-\d\d", have["bots"][0]["token_used"]),
           "and of the bot's", have)
    tap.equal(keys.wrong("/api/1/owners/NAME", seen.text), "", "its keys")
    tap.equal((have["bots"][0]["names"], have["bots"][0]["running"]),
              (["alpha"], []), "its names; it plays nothing")
    tap.equal(serve.get("/api/1/owners/ann",
                        headers=headers("ben", ben)).code, 403,
              "not for ben")
    tap.equal(serve.get("/api/1/owners/ann").code, 401, "nor for all")
    tap.equal(serve.get("/api/1/bots/alpha/notes",
                        headers=headers("ann", ann, "alpha")).code, 200,
              "an owner reads what a bot's token reads")
    tap.equal(serve.get("/api/1/bots/alpha/notes",
                        headers=headers("ben", ben, "alpha")).code, 403,
              "of her own bots alone")


def asked(serve, token, what, query=""):
    return serve.get(f"/api/1/owners/ann/{what}{query}",
                     headers=headers("ann", token))


def play(serve, ann, ben):
    """Has alpha play with ben's gamma, on both ladders; returns once they rest.  They
    play few games, however long this takes: one page has at most 100."""
    def some(guest):
        for ladder in "quick", "secret":
            guest.say(f"sit {ladder}")
            for _ in range(GAMES + 1):  # the first may be of the ladder before
                guest.play()
        guest.say("rest")
        rest.append(guest)
        guest.play_on()

    rest = []
    for name, owner, token in (("alpha", "ann", ann), ("gamma", "ben", ben)):
        made = put(serve, f"/bots/{name}/token", **as_owner(owner, token))
        guest = serve.guest(name, made.json()["token"])
        guest.socket.settimeout(None)
        thread = threading.Thread(target=some, args=(guest,))
        thread.start()
        serve.players.append((guest, thread))
    arena.wait_for(lambda: len(rest) == 2)
    serve.stand_still("quick", "secret")


def test_games(serve, ann, ben):
    play(serve, ann, ben)
    answer = asked(serve, ann, "games", "?count=100")
    tap.equal(answer.code, 200, "her games")
    tap.equal(keys.wrong("/api/1/owners/NAME/games", answer.text), "",
              "their keys")
    found = answer.json()
    games = found["games"]
    tap.ok(len(games) == found["found"] >= 2 * GAMES and
           {game["ladder"] for game in games} == {"quick", "secret"},
           "of all ladders", found)
    tap.equal([game["place"] for game in games],
              sorted((game["place"] for game in games), reverse=True),
              "the lost ones first")
    tap.ok(all(game["seats"][game["seat"]]["bot"] == "alpha" and
               game["seats"][game["seat"]]["place"] == game["place"] and
               game["replay"] == f"games/{game['id']}?view={game['seat']}"
               for game in games), "from the bot's seat", games)
    latest = asked(serve, ann, "games", "?order=latest&count=100").json()
    ends = [game["ended"] for game in latest["games"]]
    tap.equal(ends, sorted(ends, reverse=True), "or the latest first")
    paged, start = [], 1
    while start:
        page = asked(serve, ann, "games", f"?count=2&from={start}").json()
        paged += page["games"]
        start = page.get("next")
    tap.equal([game["id"] for game in paged], [game["id"] for game in games],
              "page by page")
    for query, keep in (
            ("place=2", lambda game: game["place"] == 2),
            ("ladder=quick", lambda game: game["ladder"] == "quick"),
            ("fault=any", lambda game: game["faults"]),
            ("bot=alpha&other=gamma", lambda _: True),
            ("other=alpha2", lambda _: False)):
        some = asked(serve, ann, "games", f"?count=100&{query}").json()
        tap.equal(sorted(game["id"] for game in some["games"]),
                  sorted(game["id"] for game in games if keep(game)), query)
    for query, code in (("bot=gamma", 404), ("ladder=none", 404), ("place=9", 400),
                        ("order=best", 400), ("count=100", 200),
                        ("count=101", 400), ("from=0", 400), ("view=0", 400)):
        tap.equal(asked(serve, ann, "games", f"?{query}").code, code, query)
    tap.equal(serve.get("/api/1/owners/ann/games",
                        headers=headers("ben", ben)).code, 403, "not for ben")
    return games


def test_elo(serve, ann):
    """Checks that the owner sees the fit that the ladder shows."""
    def row():
        return next((row for row in
                     serve.get("/api/1/ladders/quick").json()["standings"]
                     if row["bot"] == "alpha"), {})
    tap.ok(arena.wait_for(lambda: "elo" in row()), "there is a fit", row())
    looks = []

    def same():
        """Returns false if another fit has come between the two answers."""
        answer = serve.get("/api/1/owners/ann", headers=headers("ann", ann))
        at = next(at for at in answer.json()["bots"][0]["ladders"]
                  if at["ladder"] == "quick")
        there = row()
        looks.append((answer.text, *([one[key] for key in ("elo", "from", "to")]
                                     for one in (at, there))))
        return looks[-1][1] == looks[-1][2]
    arena.wait_for(same)
    text, told, shown = looks[-1]
    tap.equal(keys.wrong("/api/1/owners/NAME", text), "", "its keys")
    tap.equal(told, shown, "elo, from and to, as on the ladder")


def test_worst(serve, ann, games):
    """Has a game judged that comes last: by the worst decision it is first."""
    game = [game for game in games if game["ladder"] == "quick"][-1]
    path = f"/api/1/games/{game['id']}/opinions?view={game['seat']}"
    own = headers("ann", ann, "alpha")
    arena.wait_for(lambda: serve.get(path, headers=own).code == 200)
    end = json.loads(serve.get(path, headers=own).text.splitlines()[-1])
    answer = asked(serve, ann, "games", "?order=worst")
    tap.equal(keys.wrong("/api/1/owners/NAME/games", answer.text), "",
              "keys of a game that is judged")
    first, second = answer.json()["games"][:2]
    tap.equal((first["id"], first["worst"]["at"]),
              (game["id"], end.get("swing", 0)), "the moment of the worst decision")
    tap.equal(first["worst"]["loss"] > 0, "swing" in end, "and what it lost")
    tap.ok("worst" not in second and answer.json()["opinions"],
           "others are not judged yet", answer.text)


def test_records(serve, ann, games):
    """Checks that the tar has the records that the ladder's rules allow."""
    answer = asked(serve, ann, "records", "?count=100").text.encode("latin-1")
    allowed = {game["id"] for game in games if game["ladder"] == "quick"}
    with tarfile.open(fileobj=io.BytesIO(answer)) as tar:
        names = set(tar.getnames())
        left = tar.extractfile("left-out.txt").read().decode()
    tap.equal(names, {f"{one}.rec" for one in allowed} | {"left-out.txt"},
              "the records of the ladder that lets her read them")
    tap.equal(left, "".join(
        f"{game['id']}: the records of this ladder are not public\n"
        for game in games if game["ladder"] == "secret"), "why others are not")
    with tempfile.NamedTemporaryFile(suffix=".tar") as file:
        file.write(answer)
        file.flush()
        ran = subprocess.run([sys.executable, CHECKER, file.name], check=False,
                             capture_output=True, text=True)
        tap.ok(ran.returncode == 0 and len(ran.stdout.splitlines()) ==
               len(allowed), "the independent checker reads it", ran)
    with tap.folder() as folder:
        with tarfile.open(fileobj=io.BytesIO(answer)) as tar:
            tar.extractall(folder)
        tap.equal(tap.referee("verify", folder).code, 0, "and referee verify")
    own = asked(serve, ann, "records",
                "?ladder=quick&count=1&view=own").text.encode("latin-1")
    with tarfile.open(fileobj=io.BytesIO(own)) as tar:
        name = tar.getnames()[0]
        text = tar.extractfile(name).read().decode()
        left = tar.extractfile("left-out.txt").read().decode()
    game = asked(serve, ann, "games", "?ladder=quick&count=1").json()["games"][0]
    tap.equal(name, f"{game['id']}-{game['seat']}.rec", "as the bot saw it")
    tap.equal(text, serve.get(f"/api/1/records/{game['id']}?view={game['seat']}",
                              headers=headers("ann", ann, "alpha")).text,
              "like the single record")
    tap.ok(re.match(r"[0-9]+ more games do not fit into this file\. On the page press "
                    "More games .* with from=2\\.\\n$", left),
           "what the limit left out", left)


def test_no_way_out(serve, ann, ben):
    """Tests that no owner ends a game that his bot may be losing."""
    for what in ("withdrawn", "token"):
        guests = []
        for name, owner, token in (("alpha", "ann", ann), ("gamma", "ben", ben)):
            made = put(serve, f"/bots/{name}/token", **as_owner(owner, token))
            guests.append(serve.guest(name, made.json()["token"]))
            guests[-1].hear()
            guests[-1].say("sit quick")
        for guest in guests:
            guest.hear_until("game")
        tap.ok(put(serve, f"/bots/alpha/{what}", **as_owner("ann", ann)).code in
               (200, 201), f"{what}, in a game")
        told = []
        other = threading.Thread(target=lambda: told.append(guests[1].play()))
        other.start()
        own = guests[0].play() or ""
        other.join(tap.TIMEOUT_S)
        tap.equal([own.split(" ")[0], *((one or "").split(" ")[0] for one in told)],
                  ["over", "over"], f"{what}: the game goes on to its end")
        tap.equal(guests[0].rest()[-1:], ["bye"], f"{what}: then the bot has to go")
        for guest in guests:
            guest.close()
        tap.equal(put(serve, "/bots/alpha/playing", **as_owner("ann", ann)).code, 200,
                  f"{what}: it may play again")
    tap.equal([line for line in serve.log("game-aborted") if "why=organiser" in line],
              [], "no game is undone")


def test_withdrawn(serve, ann, ben):
    tap.equal(put(serve, "/bots/alpha/withdrawn",
                  **as_owner("ben", ben)).code, 403, "ben withdraws it not")
    token = put(serve, "/bots/alpha/token", **as_owner("ann", ann)).json()["token"]
    guest = serve.guest("alpha", token)
    guest.hear()
    tap.equal(put(serve, "/bots/alpha/withdrawn",
                  **as_owner("ann", ann)).code, 200, "withdrawn")
    tap.ok(any("you were withdrawn" in line for line in iter(guest.hear, None)),
           "the bot is told so, in the same word")
    guest.close()
    def listed():
        return [json.loads(line) for line in tap.referee(
            "bots", "list", "--json", "--data", serve.data).out.splitlines()
            if '"alpha"' in line][0]
    tap.equal((listed()["state"], listed().get("why")), ("withdrawn", None),
              "the list says so, and needs no reason")
    seen = serve.get("/api/1/owners/ann", headers=headers("ann", ann)).json()
    tap.equal([bot["state"] for bot in seen["bots"]], ["withdrawn"],
              "and her page")
    tap.equal(put(serve, "/bots/alpha/playing", **as_owner("ann", ann)).code,
              200, "back")
    tap.referee("bots", "disable", "alpha", "withdrawn by its owner", "--data",
                serve.data)
    tap.equal((listed()["state"], put(serve, "/bots/alpha/playing",
                                      **as_owner("ann", ann)).code),
              ("disabled", 403), "no reason of the organiser withdraws a bot")
    tap.referee("bots", "disable", "alpha", "it loops", "--data", serve.data)
    tap.equal(put(serve, "/bots/alpha/playing", **as_owner("ann", ann)).code,
              403, "but not if the organiser has disabled it")
    tap.equal(put(serve, "/bots/alpha/withdrawn",
                  **as_owner("ann", ann)).code, 200, "withdrawn once more")
    tap.ok("it loops" in tap.referee("bots", "list", "--data",
                                     serve.data).out,
           "the organiser's reason stays")
    tap.referee("bots", "enable", "alpha", "--data", serve.data)


def test_ban(serve, ann):
    token = put(serve, "/bots/alpha/token", **as_owner("ann", ann))
    guest = serve.guest("alpha", token.json()["token"])
    guest.hear()
    tap.equal(owners(serve, "ban", "ann", "two accounts").code, 0, "a ban")
    tap.ok("your owner is banned" in (guest.hear_until("error") or ""),
           "the bot is told")
    guest.close()
    refused = put(serve, "/bots/alpha/token", **as_owner("ann", ann))
    tap.equal((refused.code, refused.text.strip()),
              (403, "403: you are banned: two accounts; ask the organiser"),
              "the token is of no use, and she is told why")
    listed = owners(serve, "list").out
    tap.ok(re.search(r"^ann +banned .* two accounts$", listed, re.M),
           "it is listed", listed)
    tap.complains(tap.referee("bots", "enable", "alpha", "--data",
                              serve.data), 2, "ann is banned",
                  "no bot of hers is enabled")
    tap.equal(owners(serve, "unban", "ann").code, 0, "undone")
    tap.equal(put(serve, "/bots/alpha/token", **as_owner("ann", ann)).code,
              201, "as before")
    tap.complains(owners(serve, "unban", "zoe"), 2, "no owner zoe",
                  "nobody's ban")


def test_tokens(serve, ann):
    made = put(serve, "/owners/ann/token", **as_owner("ann", ann))
    tap.equal(made.code, 201, "another token of an owner")
    tap.equal(put(serve, "/owners/ann/token", next(daemon.STRANGERS),
                  **as_owner("ann", ann)).code, 401, "the old one is invalid")
    given = owners(serve, "token", "ann").out.strip()
    tap.equal(serve.get("/api/1/owners/ann",
                        headers=headers("ann", given)).code, 200,
              "the organiser makes one, too")


def test_deeds(serve):
    lines = [json.loads(line) for line in
             owners(serve, "deeds", "--json").out.splitlines()]
    have = {(deed["who"], deed["what"], deed.get("name")) for deed in lines}
    for want in (("owner ann", "sign-up", "ann"), ("owner ann", "add", "alpha"),
                 ("owner ann", "token", "alpha"),
                 ("owner ann", "withdraw", "alpha"),
                 ("owner ann", "enable", "alpha"),
                 ("organiser", "disable", "alpha"),
                 ("organiser", "ban", "ann"), ("organiser", "unban", "ann"),
                 ("owner ann", "owner-token", "ann"),
                 ("organiser", "owner-token", "ann")):
        tap.ok(want in have, f"deed: {' '.join(want)}", have)
    tap.ok(("owner ann", "disable", "alpha") not in have,
           "only the organiser disables a bot", have)
    numbers = [deed["number"] for deed in lines]
    tap.equal(numbers, sorted(numbers, reverse=True), "the last one first")
    tap.equal(len(owners(serve, "deeds", "--last", "2").out.splitlines()), 2,
              "the last two")


def test_limit(serve, ben):
    token = put(serve, "/owners/ben/token",
                **as_owner("ben", ben)).json()["token"]
    for _ in range(101):  # two days' bounds of 50, as midnight may come meanwhile
        made = put(serve, "/owners/ben/token", **as_owner("ben", token))
        if made.code != 201:
            break
        token = made.json()["token"]
    tap.equal(made.code, 429, "a bound of the day")


def commits(serve):
    """Returns a function whose result changes with each commit to the roster."""
    roster = sqlite3.connect(serve.data / "roster.db")
    return lambda: roster.execute("pragma data_version").fetchone()


def guess(serve, address, count):
    """Sends wrong codes and waits for none of the answers, which come late."""
    head = (f"PUT /owners/zoe HTTP/1.1\r\nHost: localhost\r\nX-Code: {'0' * 16}\r\n"
            f"X-Forwarded-For: {address}\r\nContent-Length: 0\r\n\r\n").encode()
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            http = stack.enter_context(socket.create_connection(
                ("127.0.0.1", serve.port("pages")), arena.PATIENCE_S))
            http.sendall(head)
        tap.ok(arena.wait_for(lambda: sum(
            f"address={address} " in line for line in serve.log("wrong-token"))
            == count), "wrong codes are in the log", serve.log("wrong-token"))


def test_address(serve):
    """Tests how many accounts an address makes in a day, as the proxy names it, and how
    many a code makes in all.  Wrong codes count for nothing, and cost no write."""
    serve.configure(CONFIG % "code" + 'trusted-proxies = { "127.0.0.1" }\n'
                    "limits { sign-ups-per-address = 3 }\n")
    serve.reload()

    def sign_up(name, address):
        return put(serve, f"/owners/{name}", X_Code=code, X_Forwarded_For=address)

    def day():
        return serve.log("request")[-1][:10]
    roster = commits(serve)
    before = roster()
    guess(serve, "192.0.2.7", 5)
    tap.equal(roster(), before, "and none of them wrote to the roster")
    for name, address in (("eva", "192.0.2.7"), ("fay", "192.0.2.8")):
        code = owners(serve, "code").out.strip()
        before = day()
        tried = [sign_up(name, address) for _ in range(4)]
        if day() == before:
            break  # else midnight came meanwhile
    tap.equal([answer.code for answer in tried], [201, 409, 409, 429],
              "three times from one address, then no more")
    tap.ok("from your address today" in tried[-1].text, "which a sentence says",
           tried[-1].text)
    code = owners(serve, "code", "--accounts", "2").out.strip()
    tap.equal([sign_up(f"gus-{number}", f"192.0.2.{number}").code
               for number in (17, 18, 19)], [201, 201, 401],
              "two with one code, from any address, then no more")


def test_off(serve):
    serve.configure(CONFIG % "off")
    serve.reload()
    answer = put(serve, "/owners/dan", X_Code="0" * 16)
    tap.equal(answer.code, 403, "sign-up = off")


def main():
    with daemon.Daemon(CONFIG % "code") as serve:
        tap.equal(tap.referee("owners", "list", "--data", serve.data).code, 2,
                  "no data folder")
        serve.start()
        ann, ben = test_code(serve)
        test_bots(serve, ann, ben)
        games = test_games(serve, ann, ben)
        test_records(serve, ann, games)
        test_worst(serve, ann, games)
        test_elo(serve, ann)
        test_no_way_out(serve, ann, ben)
        test_withdrawn(serve, ann, ben)
        test_ban(serve, ann)
        test_tokens(serve, ann)
        test_deeds(serve)
        test_limit(serve, ben)
        test_address(serve)
        test_off(serve)
        serve.stop()
        tap.ok("ann" in owners(serve, "list").out, "also without a daemon")
    tap.done()


main()
