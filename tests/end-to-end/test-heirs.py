#!/usr/bin/env python3
"""Tests versions of one bot: each enters a ladder with the rating of the one
before it, and an author cannot shed a bad rating by sending in several in a
row."""

import json

import arena
import daemon
import followed
import kept_fit
import local_bots
import tap

# Some games wait for the test, so their time is long.
LADDER = ('game = toepen seats = 2 options = { "points=1" } k = 100 at-once = 4 '
          "move-time = 600000")


def add(serve, version, say="do"):
    """Sends in a version whose answers are all faults, unless `say` is `do`."""
    path = local_bots.folder(serve.root, "ann", version)
    bot = path / "bot.sh"
    bot.write_text(bot.read_text("ascii").replace('"do ', f'"{say} '), "ascii")
    return tap.referee("bots", "add", "--data", serve.data, "--no-check", path)


def standings(serve):
    text = tap.referee("ladder", "show", "--data", serve.data, "--ladder",
                       "ladder", "--json").out
    return {one["bot"]: one for one in map(json.loads, text.splitlines())}


def plays(serve, name):
    page = serve.get(f"/api/1/bots/{name}")
    return page.code == 200 and any(
        one["playing"] > 0 for one in page.json()["ladders"])


def paired_at(serve, name):
    row = serve.get(f"/api/1/bots/{name}").json()["ladders"][0]
    return f"{row['paired_at']:.3f}"


def fit_of(serve, name):
    kept = serve.data / "ladders" / "ladder" / "ladder.db.fit-1"
    rows = kept_fit.rows(kept) if kept.exists() else {}
    return f"{rows[name].rating:.3f}" if name in rows else None


with daemon.Daemon({"ladder": LADDER}) as serve:
    with serve.file.open("a", encoding="ascii") as file:
        file.write("local-bots { games = 4 }\n")
    serve.start()
    add(serve, "1", "done")
    bob = serve.guest("bob", serve.token("bob"), " multi=yes games=2")
    bob.say("sit ladder")
    bob.hear_until("game")
    bob.say("rest")

    held = []

    def say(words):
        bob.say(f"{words[0]} do {words[2]} {words[4]}")

    def answer(but=""):
        """Answers until a game or everything is over, but leaves the asks of
        game `but` open."""
        while (line := bob.hear()) is not None:
            words = line.split(" ")
            if words[1:2] == ["ask"]:
                held.append(words) if words[0] == but else say(words)
            if words[1:2] == ["over"]:
                return True
        return False

    answer()
    arena.wait_for(lambda: "ann" in standings(serve))
    tap.ok(standings(serve)["ann"]["live_elo_milli"] < 1500000, "a bot plays badly")
    tap.equal(add(serve, "2").code, 0, "so its author sends in another version")
    bob.say("sit ladder")
    arena.wait_for(lambda: plays(serve, "ann.2"))
    # The first game of the heir runs until bob answers.
    first = bob.hear_until("game").split(" ")[0]
    arena.wait_for(lambda: paired_at(serve, "ann.2") == fit_of(serve, "ann"))
    tap.equal(paired_at(serve, "ann.2"), fit_of(serve, "ann"),
              "which is paired by the fit of the one before it")
    tap.equal(add(serve, "3").code, 0, "and a third while that has no rating")
    answer(but=first)
    arena.wait_for(lambda: "ann.3" in standings(serve))
    now = standings(serve)
    tap.equal(sorted(now), ["ann", "ann.3", "bob"], "which is rated first")
    tap.equal(now["ann.3"].get("heir_of"), "ann",
              "it has entered with the rating of the last that has one")
    ranks = {one["bot"]: one for one in
             serve.get("/api/1/ladders/ladder").json()["standings"]}
    tap.ok(ranks["ann.3"]["heir_of"] == "ann" and
           ranks["ann.3"]["provisional"] is True and
           "provisional" not in ranks["bob"], "a page says so", ranks)
    shown = serve.ladder("show", "ladder")
    tap.ok("provisional, from ann" in shown.out, "and the ladder", shown)

    # A version whose games are all voided counts as if it had never played.
    bob.say("rest")
    add(serve, "4")
    bob.say("sit ladder")
    arena.until(lambda: "ann.4" in standings(serve),
                lambda: answer(but=first), "a game of ann.4")
    bob.say("quit")
    for words in held:
        say(words)
    while answer():
        pass
    run = tap.referee("ladder", "void", "--bot", "ann.3", "--since",
                      "2000-01-01", "--why", "x", "--data", serve.data,
                      "--ladder", "ladder")
    tap.equal(run.code, 0, "all games of the third are voided")
    now = standings(serve)
    tap.equal(now["ann.4"].get("heir_of"), "ann",
              "its heir has then entered with what the one before it has")
    bob.close()
    serve.stop()
    run = tap.referee("ladder", "rebuild", "--data", serve.data, "--ladder",
                      "ladder")
    tap.ok("nothing differs" in run.out, "a rebuild comes to the same", run)
    followed.agrees(serve.data / "ladders" / "ladder" / "ladder.db",
                    "heirs, also of voided games")

    # In the next season unknown versions enter with the rating of the latest
    # known version before them.
    old = {bot: one["live_elo_milli"] for bot, one in standings(serve).items()}
    run = tap.referee("ladder", "new", "--data", serve.data, "--ladder", "next",
                      "--from", "ladder", "--season", "next")
    tap.ok(run.code == 0, "a season in a data folder", run)
    add(serve, "5")
    serve.configure({"next": LADDER})
    with serve.file.open("a", encoding="ascii") as file:
        file.write("local-bots { games = 4 }\n")
    serve.start()
    bob = serve.guest("bob", serve.token("bob"), " multi=yes games=1")
    bob.say("sit next")
    answer()
    bob.close()
    names = {"season": "next", "after": json.loads(tap.referee(
        "ladder", "export", "--data", serve.data, "--ladder", "ladder")
        .out.splitlines()[0])["id"]}
    pages = [serve.get("/api/1/ladders").json()["ladders"][0],
             serve.get("/api/1/ladders/next").json()]
    tap.equal([{key: page.get(key) for key in names} for page in pages],
              [names, names], "the daemon's pages name the season")
    serve.stop()
    followed.agrees(serve.data / "ladders" / "next" / "ladder.db",
                    "a daemon's season")
    head = arena.Record(serve.records("next", "*-*.rec")[0]).head
    game = next(line for line in map(json.loads, tap.referee(
        "ladder", "export", "--data", serve.data, "--ladder", "next")
        .out.splitlines()) if line["type"] == "game")
    half = {bot: 1500000 + int((milli - 1500000) / 2)
            for bot, milli in old.items()}
    tap.equal({seat["bot"]: seat["before_milli"] for seat in game["seat"]},
              {"ann.5": half["ann.4"], "bob": half["bob"]},
              "bots enter a daemon's season with half of their way")
    tap.ok(["heir-of", "0", "ann.4"] in head or ["heir-of", "1", "ann.4"]
           in head, "a later version as the one before it", head)
    run = tap.referee("ladder", "rebuild", "--data", serve.data, "--ladder",
                      "next")
    tap.ok("nothing differs" in run.out, "and a rebuild comes to the same", run)
tap.done()
