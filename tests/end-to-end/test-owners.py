#!/usr/bin/env python3
"""Tests several bots of one owner: they do not meet where they could help each
other, and their number and their uploads are bounded.  End-to-end because commands,
uploads, a reload and games of remote bots on two ladders take part."""

import re

import arena
import daemon
import local_bots
import tap

THREE = ('game = daumen-drauf seats = 3 options = { "games=1" } '
         "same-owner = %s")
TWO = 'game = daumen-drauf seats = 2 options = { "games=1" }'
LIMITS = {"bots-per-owner": 3, "uploads-per-day": 2}


def bots(serve, *words):
    return tap.referee("bots", *words, "--data", serve.data)


def owner_of(serve, name):
    found = re.search(rf"^{name} .*? owner=(\S+)", bots(serve, "list").out,
                      re.M)
    return found and found[1]


def test_command(serve):
    made = bots(serve, "token", "bot", "--owner", "zoe")
    tap.ok(made.code == 0 and owner_of(serve, "bot") == "zoe",
           "a token with an owner", made)
    tap.equal((bots(serve, "token", "bot", "--replace").code, owner_of(serve, "bot")),
              (0, "zoe"), "a new token changes no owner")
    tap.complains(bots(serve, "token", "bot", "--owner", "yan"), 2,
                  "there is a bot bot; its owner is changed by "
                  "`referee bots owner`", "nor does another one")
    for owner, told in (("yan", "the owner of bot bot is yan\n"),
                        ("", "bot bot has no owner\n")):
        tap.equal((bots(serve, "owner", "bot", owner).code,
                   bots(serve, "owner", "bot").out), (0, told), told.strip())
    for words, what in ((("token", "new", "--owner", "no name"), "no name"),
                        (("list", "--owner", "ann"), "another request")):
        done = bots(serve, *words)
        tap.ok(done.code == 2 and not done.out and done.err, f"refused: {what}", done)
    tap.ok("\nnew " not in bots(serve, "list").out, "and no bot is made of it")
    bots(serve, "remove", "bot")


def test_bound(serve):
    for i in range(5):
        done = bots(serve, "token", f"many{i}", "--owner", "mia")
        tap.equal(done.code, 0 if i < 3 else 2,
                  f"bot {i + 1} of 3 that an owner may have")
    tap.ok("mia has 3 bots" in done.err and done.err.count("\n") == 1,
           "and the sentence says so", done)
    tap.ok("many3" not in bots(serve, "list").out, "nothing has changed")
    bots(serve, "remove", "many0")
    tap.equal(bots(serve, "token", "many3", "--owner", "mia").code, 0,
              "who is removed does not count")


def ladder(serve, name):
    return serve.get(f"/api/1/ladders/{name}").json()


def seats_of(serve, name):
    return [record.bots() for record in serve.games(name)
            if not record.aborted()]


def test_tables(serve):
    """Tests the tables of a ladder on which ann has two bots, and one bot has
    no owner."""
    for name in ("ann1", "ann2"):
        bots(serve, "token", name, "--owner", "ann")
    for name in ("ann1", "ann2", "free"):
        serve.play(name, "three", "two")
    arena.wait_for(lambda: any({"ann1", "ann2"} == set(names)
                               for names in seats_of(serve, "two")))
    tap.ok(any({"ann1", "ann2"} == set(names)
               for names in seats_of(serve, "two")), "two of one owner meet at "
           "a table of two", serve.text()[-1000:])
    serve.wait_for_log("owners-kept-apart")
    lines = serve.log("owners-kept-apart")
    tap.ok(lines and "ladder=three" in lines[0] and
           "3 bots are here, but a table needs 3 of different owners" in
           lines[0], "the log says why nobody plays", lines)
    tap.ok("3 bots are here" in ladder(serve, "three").get("why", ""),
           "and so does the ladder", ladder(serve, "three"))
    tap.ok(arena.wait_for(lambda: "why" not in ladder(serve, "two")),
           "the other has nothing to tell", ladder(serve, "two"))
    tap.equal(seats_of(serve, "three"), [], "they do not meet at one of three")
    serve.play("extra", "three")
    arena.wait_for(lambda: len(seats_of(serve, "three")) >= 6)
    tap.ok(len(seats_of(serve, "three")) >= 6 and
           not any({"ann1", "ann2"} <= set(names)
                   for names in seats_of(serve, "three")),
           "with another bot there are games, never with both",
           seats_of(serve, "three"))
    # For a moment only the three that cannot meet may be there.
    tap.ok(arena.wait_for(lambda: "why" not in ladder(serve, "three")),
           "and nothing to be told", ladder(serve, "three"))


def test_changes(serve):
    """Tests that a new owner and a new setting hold from the next game on."""
    def both():
        return any({"ann1", "ann2"} <= set(names)
                   for names in seats_of(serve, "three"))
    bots(serve, "owner", "ann2", "bea")
    tap.ok(arena.wait_for(both), "with another owner they meet")
    bots(serve, "owner", "ann2", "ann")
    serve.reload({"three": THREE % "yes", "two": TWO}, LIMITS)
    before = len(seats_of(serve, "three"))
    tap.ok(arena.wait_for(lambda: any(
        {"ann1", "ann2"} <= set(names)
        for names in seats_of(serve, "three")[before:])),
        "where the ladder allows it, too")
    rebuilt = serve.ladder("rebuild", "three")
    tap.ok(rebuilt.code == 0 and "nothing differs" in rebuilt.out,
           "a rebuild comes out the same", rebuilt)


def shown(name, token):
    return f"X-Bot: {name}\r\nAuthorization: Bearer {token}\r\n"


def test_pages(serve):
    own = bots(serve, "token", "own", "--owner", "ann").out.strip()
    other = serve.token("other")
    guests = [serve.guest("own", own), serve.guest("other", other)]
    for guest in guests:
        guest.hear()
    for headers, owner in (("", None), (shown("own", own), "ann"),
                           (shown("other", other), None)):
        answer = serve.get("/api/1/bots/own", headers=headers)
        tap.equal((answer.code, answer.json().get("owner")), (200, owner),
                  f"its page, asked by {headers[7:12].strip() or 'nobody'}")
    tap.equal(serve.get("/api/1/bots/own", headers=shown("own", other)).code, 401,
              "a wrong token")
    for guest in guests:
        guest.close()


def put(serve, name, token):
    return daemon.Answer(serve.raw((
        f"PUT /bots/{name} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1"
        f"\r\n{shown(name, token)}\r\nx").encode())).code


def test_uploads(serve):
    if tap.skip("uploads of a day", None if serve.environ else
                "no C compiler for a day that does not end"):
        return
    tokens = {name: bots(serve, "token", name, "--owner", "uma").out.strip()
              for name in ("up1", "up2")}
    tokens["up3"] = serve.token("up3")
    codes = []
    for name in ("up1", "up2", "up1", "up2", "up3", "up3", "up3"):
        codes.append(put(serve, name, tokens[name]))
        arena.wait_for(lambda: len(serve.log("upload-over")) ==
                       codes.count(202))
    tap.equal(codes, [202, 202, 429, 429, 202, 202, 202],
              "an owner sends in two a day, nobody's bots are not counted")
    token = bots(serve, "token", "up4", "--owner", "val").out.strip()
    for _ in range(2):
        tap.equal(serve.raw((
            "PUT /bots/up4 HTTP/1.1\r\nHost: localhost\r\n"
            f"Content-Length: 9\r\n{shown('up4', token)}\r\nx").encode()),
            b"", "one that breaks off hears nothing")
    tap.equal(put(serve, "up4", token), 429, "but what was begun counts")
    serve.stop()
    serve.start()
    tap.equal(put(serve, "up1", tokens["up1"]), 429, "also after a start")


with daemon.Daemon({"three": THREE % "no", "two": TWO}, LIMITS) as home:
    home.file.write_text(f"uploads = {local_bots.UPLOADS}\n" + home.file.read_text("ascii"),
                         "ascii")
    home.environ = daemon.at_noon(home.root)
    home.start()
    test_command(home)
    test_bound(home)
    test_pages(home)
    test_uploads(home)
    test_tables(home)
    test_changes(home)
tap.done()
