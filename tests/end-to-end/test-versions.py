#!/usr/bin/env python3
"""Tests that an author goes back to an earlier version of a bot, and withdraws the
bot.  End-to-end, because roster, folders, ladders and pages meet here."""

import json
import shutil

import arena
import html_page
import local_bots
import tap
from local_bots import add, bots, shown


def change(serve, path, name, token):
    return serve.get(path, "PUT", shown(name, token) + "Content-Length: 0\r\n")


def plays(serve, name):
    """Waits for one more game of that bot on the ladder."""
    def games():
        return sum(name in record.bots() for record in serve.games("toepen"))
    before = games()
    return arena.wait_for(lambda: games() > before)


def standing(serve, name):
    """Returns a bot's standing."""
    for row in serve.get("/api/1/ladders/toepen").json()["standings"]:
        if row["bot"] == name:
            return row
    return {}


def marked(serve, what, **wanted):
    """Tests the marks of these bots, ann_2 for ann.2.  A page is kept for a moment."""
    def now():
        return {name: standing(serve, name.replace("_", ".")).get("mark")
                for name in wanted}
    arena.wait_for(lambda: now() == wanted)
    tap.equal(now(), wanted, what)
    hidden = [name.replace("_", ".") for name in wanted if wanted[name]]
    rows = serve.get("/api/1/ladders/toepen").json()["standings"]
    shows = [json.loads(line) for line in serve.ladder(
        "show", "toepen", "--json").out.splitlines()]
    tap.equal([[row["bot"] for row in those if "rank" in row and row["bot"] in hidden or
                row["bot"] in hidden and row.get("best", 0) > 0]
               for those in (rows, shows)], [[], []],
              "a superseded version has no rank")
    ranks = sorted(row["best"] for row in shows if row.get("best", 0) > 0)
    tap.equal((len(ranks), ranks[0]), (len(shows) - len(hidden), 1),
              "the others are ranked without it")
    page = html_page.Page(
        serve.get("/ladders/toepen").text.encode("latin-1").decode())
    tap.ok(any("1 other version" in name and name.startswith("ann")
               for name in page.column("bot")) and
           len(page.column("bot")) == len(rows) - len(hidden),
           "it is folded under the one that plays", page.column("bot"))


def versions(serve, token):
    notes = serve.get("/api/1/bots/ann/notes", headers=shown("ann", token))
    return [(version["number"], version["plays_as"])
            for version in notes.json()["versions"]]


def goes_back(serve, token):
    tap.ok(plays(serve, "ann"), "a version plays")
    add(serve, local_bots.folder(serve.root, "ann", "2"), "--ladder", "toepen")
    tap.ok(plays(serve, "ann.2"), "and then the next one")
    marked(serve, "it has taken its place", ann="superseded", ann_2=None)
    tap.equal(versions(serve, token), [(2, "ann.2"), (1, "ann")],
              "its author can go back")
    answer = change(serve, "/bots/ann/version?number=1", "ann", token)
    tap.equal((answer.code, answer.json()), (200, {"done": True}), "back")
    tap.ok(plays(serve, "ann"), "the earlier one plays")
    marked(serve, "it is in the standings under its own name", ann=None,
           ann_2="superseded")
    tap.ok("Another version, ann, has its place." in
           serve.get("/bots/ann.2").text, "the other one says why it rests")
    tap.equal(versions(serve, token), [(1, "ann"), (2, "ann.2")], "so it is told")
    done = bots(serve, "back", "ann", "2")
    tap.equal((done.code, done.out), (0, "ann.2 plays again\n"),
              "the organiser goes forth again")
    tap.equal(bots(serve, "back", "ann", "2").out, "ann.2 plays already\n",
              "once is enough")
    bots(serve, "owner", "ann", "kay")
    kay = tap.referee("owners", "token", "kay", "--data", serve.data).out.strip()
    tap.equal(serve.get("/bots/ann/version?number=1", "PUT", "X-Owner: kay\r\n" +
                        shown("ann", kay) + "Content-Length: 0\r\n").code, 200,
              "so does her owner")
    bots(serve, "back", "ann", "2")
    tap.ok(plays(serve, "ann.2"), "it plays")
    marked(serve, "as before", ann="superseded", ann_2=None)


def while_it_plays():
    """Tests that an author goes back to a version whose last game still runs."""
    with local_bots.serve() as serve:
        serve.file.write_text(serve.file.read_text("ascii").replace(
            "{ game = toepen", "{ move-time = 600000 game = toepen"), "ascii")
        serve.start()
        guest = serve.guest("guest", serve.token("guest"))
        guest.say("sit toepen")
        add(serve, local_bots.folder(serve.root, "old"), "--ladder", "toepen")
        guest.hear_until("game")
        add(serve, local_bots.folder(serve.root, "old", "2"), "--ladder", "toepen")
        tap.equal(bots(serve, "back", "old", "1").out, "old plays again\n",
                  "back to a version whose game runs")
        add(serve, local_bots.folder(serve.root, "new"), "--ladder", "toepen")
        tap.ok(plays(serve, "new"), "it plays others meanwhile")
        tap.ok(any(sorted(record.bots()) == ["new", "old"]
                   for record in serve.games("toepen")), "under its name")
        guest.close()
        tap.ok(plays(serve, "new"), "and when that game is over")
        tap.ok(len(list(serve.data.glob("bots/*/bot"))) == 3,
               "each program is kept once")


def refused(serve, token):
    other = serve.token("ben")
    tap.equal(change(serve, "/bots/ann/version?number=1", "ben", other).code, 403,
              "another bot's token")
    for path, code in (("", 400), ("?number=x", 409), ("?number=0", 409),
                       ("?number=3", 409)):
        tap.equal(change(serve, f"/bots/ann/version{path}", "ann", token).code, code,
                  f"version{path}")
    listed = [json.loads(line)
              for line in bots(serve, "list", "--json").out.splitlines()]
    now = [bot["local"]["hash"] for bot in listed if bot["bot"] == "ann"][0]
    for home in serve.data.glob("bots/*"):
        if home.is_dir() and home.name != now and \
                'name = "ann"' in (home / "bot" / "bot.conf").read_text():
            shutil.rmtree(home)
    answer = change(serve, "/bots/ann/version?number=1", "ann", token)
    tap.ok(answer.code == 409 and "the program of ann is not kept any more: send "
           "it in again" in answer.text, "a program that is gone", answer.text)
    tap.equal(versions(serve, token), [(2, "ann.2")], "it is no longer offered")
    bots(serve, "disable", "ann")
    tap.equal(change(serve, "/bots/ann/version?number=1", "ann", token).code, 403,
              "a disabled bot")
    bots(serve, "enable", "ann")


def deeds(serve):
    lines = [json.loads(line) for line in tap.referee(
        "owners", "deeds", "--json", "--data", serve.data).out.splitlines()]
    tap.equal([(deed["who"], deed["note"]) for deed in lines
               if deed["what"] == "back"],
              [("organiser", "ann.2"), ("owner kay", "ann"), ("organiser", "ann.2"),
               ("bot ann", "ann")], "who did it")


def withdrawn(serve):
    """Tests that a bot has no rank as soon as its owner withdraws it."""
    bots(serve, "owner", "ben", "zoe")
    token = tap.referee("owners", "token", "zoe", "--data",
                        serve.data).out.strip()
    tap.ok(arena.wait_for(lambda: "rank" in standing(serve, "ben")), "it has a rank")
    headers = (f"X-Owner: zoe\r\nAuthorization: Bearer {token}\r\n"
               "Content-Length: 0\r\n")
    tap.equal(serve.get("/bots/ben/withdrawn", "PUT", headers).code, 200,
              "it is withdrawn")
    arena.wait_for(lambda: "mark" in standing(serve, "ben"))
    row = standing(serve, "ben")
    tap.equal((row.get("rank"), row.get("best", 0), row.get("mark")),
              (None, 0, "withdrawn"), "JSON has no rank")

    def rank():
        page = html_page.Page(
            serve.get("/ladders/toepen").text.encode("latin-1").decode())
        return [rank for name, rank in zip(page.column("bot"), page.column("rank"))
                if name.startswith("ben")]
    arena.wait_for(lambda: rank() == ["\u2013"])
    tap.equal(rank(), ["\u2013"], "nor has the page")
    shows = [json.loads(line) for line in serve.ladder(
        "show", "toepen", "--json").out.splitlines()]
    tap.equal([(row.get("rank"), row["mark"]) for row in shows
               if row["bot"] == "ben"], [(None, "withdrawn")],
              "nor has ladder show")
    tap.ok("Its owner has withdrawn it." in serve.get("/bots/ben").text,
           "its page says why")


def main():
    while_it_plays()
    with local_bots.serve() as serve:
        add(serve, local_bots.folder(serve.root, "ann"), "--ladder", "toepen")
        add(serve, local_bots.folder(serve.root, "ben"), "--ladder", "toepen")
        token = serve.token("ann")
        serve.start()
        goes_back(serve, token)
        refused(serve, token)
        deeds(serve)
        withdrawn(serve)
        serve.stop()
        tap.equal(bots(serve, "back", "ann", "9").code, 2, "without a daemon")
    tap.done()


main()
