#!/usr/bin/env python3
"""Versions of one bot: each enters a ladder with the rating of the one before
it, and sending in several in a row does not get rid of a bad one."""

import json

import arena
import daemon
import followed
import kept_fit
import local_bots
import tap

# Some games wait for us, however long we take.
LADDER = ('game = toepen seats = 2 options = { "points=1" } k = 100 at-once = 4 '
          "move-time = 600000")


def add(house, version, say="do"):
    """A version that makes a fault of each answer, unless it says `do`."""
    path = local_bots.folder(house.root, "ann", version)
    bot = path / "bot.sh"
    bot.write_text(bot.read_text("ascii").replace('"do ', f'"{say} '), "ascii")
    return tap.referee("bots", "add", "--data", house.data, "--no-check", path)


def standings(house):
    text = tap.referee("ladder", "show", "--data", house.data, "--ladder",
                       "ladder", "--json").out
    return {one["bot"]: one for one in map(json.loads, text.splitlines())}


def plays(house, name):
    page = house.get(f"/api/1/bots/{name}")
    return page.code == 200 and page.json()["ladders"][0]["playing"] > 0


def paired_at(house, name):
    row = house.get(f"/api/1/bots/{name}").json()["ladders"][0]
    return f"{row['paired_at']:.3f}"


def fit_of(house, name):
    kept = house.data / "ladders" / "ladder" / "ladder.db.fit-1"
    rows = kept_fit.rows(kept) if kept.exists() else {}
    return f"{rows[name].rating:.3f}" if name in rows else None


with daemon.House({"ladder": LADDER}) as house:
    with house.file.open("a", encoding="ascii") as file:
        file.write("local-bots { games = 4 }\n")
    house.start()
    add(house, "1", "done")
    bob = house.guest("bob", house.token("bob"), " multi=yes games=2")
    bob.say("sit ladder")
    bob.hear_until("game")
    bob.say("rest")

    held = []

    def say(words):
        bob.say(f"{words[0]} do {words[2]} {words[4]}")

    def answer(but=""):
        """Until a game or all is over; asks of `but` are left open."""
        while (line := bob.hear()) is not None:
            words = line.split(" ")
            if words[1:2] == ["ask"]:
                held.append(words) if words[0] == but else say(words)
            if words[1:2] == ["over"]:
                return True
        return False

    answer()
    arena.wait_for(lambda: "ann" in standings(house))
    tap.ok(standings(house)["ann"]["live_elo_milli"] < 1500000, "a bot plays badly")
    tap.equal(add(house, "2").code, 0, "so its author sends in another version")
    bob.say("sit ladder")
    arena.wait_for(lambda: plays(house, "ann.2"))
    # Its first game runs as long as bob likes.
    first = bob.hear_until("game").split(" ")[0]
    arena.wait_for(lambda: paired_at(house, "ann.2") == fit_of(house, "ann"))
    tap.equal(paired_at(house, "ann.2"), fit_of(house, "ann"),
              "which is paired by the fit of the one before it")
    tap.equal(add(house, "3").code, 0, "and a third while that has no rating")
    answer(but=first)
    arena.wait_for(lambda: "ann.3" in standings(house))
    now = standings(house)
    tap.equal(sorted(now), ["ann", "ann.3", "bob"], "which is rated first")
    tap.equal(now["ann.3"].get("heir_of"), "ann",
              "it has entered with the rating of the last that has one")
    ranks = {one["bot"]: one for one in
             house.get("/api/1/ladders/ladder").json()["standings"]}
    tap.ok(ranks["ann.3"]["heir_of"] == "ann" and
           ranks["ann.3"]["provisional"] is True and
           "provisional" not in ranks["bob"], "a page says so", ranks)
    shown = house.ladder("show", "ladder")
    tap.ok("provisional, from ann" in shown.out, "and the ladder", shown)

    # One whose games are all voided is as if it had never been.
    bob.say("rest")
    add(house, "4")
    bob.say("sit ladder")
    arena.until(lambda: "ann.4" in standings(house),
                lambda: answer(but=first), "a game of ann.4")
    bob.say("quit")
    for words in held:
        say(words)
    while answer():
        pass
    run = tap.referee("ladder", "void", "--bot", "ann.3", "--since",
                      "2000-01-01", "--why", "x", "--data", house.data,
                      "--ladder", "ladder")
    tap.equal(run.code, 0, "all games of the third are voided")
    now = standings(house)
    tap.equal(now["ann.4"].get("heir_of"), "ann",
              "its heir has then entered with what the one before it has")
    bob.close()
    house.stop()
    run = tap.referee("ladder", "rebuild", "--data", house.data, "--ladder",
                      "ladder")
    tap.ok("nothing differs" in run.out, "a rebuild comes to the same", run)
    followed.agrees(house.data / "ladders" / "ladder" / "ladder.db",
                    "heirs, also of voided games")

    # A season after it: the versions that it does not know enter as the latest
    # one before them that it knows.
    old = {bot: one["live_elo_milli"] for bot, one in standings(house).items()}
    run = tap.referee("ladder", "new", "--data", house.data, "--ladder", "next",
                      "--from", "ladder", "--season", "next")
    tap.ok(run.code == 0, "a season in a data folder", run)
    add(house, "5")
    house.configure({"next": LADDER})
    with house.file.open("a", encoding="ascii") as file:
        file.write("local-bots { games = 4 }\n")
    house.start()
    bob = house.guest("bob", house.token("bob"), " multi=yes games=1")
    bob.say("sit next")
    answer()
    bob.close()
    names = {"season": "next", "after": json.loads(tap.referee(
        "ladder", "export", "--data", house.data, "--ladder", "ladder")
        .out.splitlines()[0])["id"]}
    pages = [house.get("/api/1/ladders").json()["ladders"][0],
             house.get("/api/1/ladders/next").json()]
    tap.equal([{key: page.get(key) for key in names} for page in pages],
              [names, names], "the daemon's pages name the season")
    house.stop()
    followed.agrees(house.data / "ladders" / "next" / "ladder.db",
                    "a daemon's season")
    head = arena.Record(house.records("next", "*-*.rec")[0]).head
    game = next(line for line in map(json.loads, tap.referee(
        "ladder", "export", "--data", house.data, "--ladder", "next")
        .out.splitlines()) if line["type"] == "game")
    half = {bot: 1500000 + int((milli - 1500000) / 2)
            for bot, milli in old.items()}
    tap.equal({seat["bot"]: seat["before_milli"] for seat in game["seat"]},
              {"ann.5": half["ann.4"], "bob": half["bob"]},
              "bots enter a daemon's season with half of their way")
    tap.ok(["heir-of", "0", "ann.4"] in head or ["heir-of", "1", "ann.4"]
           in head, "a later version as the one before it", head)
    run = tap.referee("ladder", "rebuild", "--data", house.data, "--ladder",
                      "next")
    tap.ok("nothing differs" in run.out, "and a rebuild comes to the same", run)
tap.done()
