#!/usr/bin/env python3
"""Tests the term of a ladder: its games begin, its standings freeze, its games end, and
the organiser thaws it.  No path over HTTP may tell how a game ended after the freeze.

End-to-end because it asks for every path of the program as spectators do.  The clock is
moved by hand."""

import datetime
import os
import re
import threading

import arena
import daemon
import local_bots
import tap
import web

HOUR_S = 3600
LADDER = """game = toepen seats = 2 options = { "points=1" } readers = everybody
            at-once = 1 spectators-delay = 0 move-time = 600000"""
GAMES = 6  # rated in each part of the term
NAMES = ("alice", "bob")
PATHS = ("/", "/projector/main", "/ladders/main", "/ladders/main/cross",
         "/ladders/main/games", "/bots/alice", "/bots/bob", "/bots/alice/vs/bob",
         "/api/1/ladders", "/api/1/ladders/main", "/api/1/ladders/main/games",
         "/api/1/ladders/main/games?format=plain", "/api/1/bots/alice",
         "/api/1/bots/bob", "/live", "/about", "/tournaments",
         "/api/1/tournaments", "/queue", "/api/1/queue", "/metrics")
# These may change: how many tables and bots there are, how many games were rated, and
# why none begins.
COUNTS = re.compile(
    r'data-fact="(?:sitting|running)">\d+|<p id="why".*?</p>|<h2 id="why">.*?</ul>'
    r'|"(?:games_rated|games_running|bots_sitting|playing|games)": ?\d+,?'
    r'|"(?:sits|here)": ?(?:true|false),?|"why": ?"[^"]*",?'
    r'|<a href="./live">\d+ tables?|id="tables-title">.*?(?=<h2|</section)'
    r'|<p class="warn">No bots.*?</p>|The games end(?:ed)? on <time.*?</time>'
    # /metrics also has what is of no ladder, and counts bots, games and searches.
    r'|(?<=\n)\w+(?:{(?!ladder)[^}\n]*})? [0-9.]+(?=\n)'
    r'|(?<=_up_seconds )\d+|(?:bots_sitting|bots_suspended|last_game_seconds'
    r'|oldest_game_seconds|games_begun_total|games_running|games_rated_total'
    r'|games_unrated|offers_total|table_searches_total|writer_queue)'
    r'{ladder="main"} \d+', re.S)


def hours_of(serve, count):
    """Returns that many dates, hour by hour, after the start that the log tells."""
    now = datetime.datetime.strptime(serve.log()[0][:19], "%Y-%m-%dT%H:%M:%S")
    return [f"{now + datetime.timedelta(hours=n + 1):%Y-%m-%dT%H:%M:%SZ}"
            for n in range(count)]


def move_to(serve, hours):
    """Moves the clock to some minutes after that hour."""
    new = serve.root / "wrong.new"
    new.write_text(str(hours * HOUR_S + 600), "ascii")
    new.rename(serve.root / "wrong")


class Term:
    def __init__(self, serve):
        """Starts the daemon; its log says when."""
        self.serve = serve
        self.answer, self.held = threading.Event(), threading.Event()
        self.answer.set()
        serve.configure({"main": LADDER})
        serve.start()
        self.hours = hours_of(serve, 3)
        serve.reload(self.configure())

    def configure(self, frozen=True):
        begins, freezes, ends = self.hours
        return {"main": f"{LADDER} begins = {begins} ends = {ends}"
                + f" freezes = {freezes}" * frozen}

    def play_slowly(self, guest):
        """Has the bot answer only while `answer` is set; `held` says that it waits."""
        say = guest.say

        def later(line):
            if line.startswith("do ") and not self.answer.is_set():
                self.held.set()
                self.answer.wait()
            say(line)
        guest.say = later

    def ladder(self):
        return self.serve.get("/api/1/ladders/main").json()

    def facts(self):
        return self.serve.get("/api/1/ladders").json()["ladders"][0]

    def play(self, games):
        """Waits until so many games more are rated."""
        until = self.facts()["games_rated"] + games
        return arena.wait_for(lambda: self.facts()["games_rated"] >= until)

    def read(self):
        """Returns what everybody can read, without the counts that may change."""
        return {path: COUNTS.sub("", self.serve.get(path).text) for path in PATHS}

    def elo(self):
        """Returns the live Elo that the organiser's command prints."""
        rows = self.serve.ladder("show", "main", "--json").out
        return re.findall(r'"live_elo_milli": ?(\d+)', rows)


def begins(serve):
    move_to(serve, 1)
    return serve.wait_for_log("games-begin")


def waits(term):
    serve = term.serve
    for name in NAMES:
        serve.play(name, "main")
    for guest, _ in serve.players:
        term.play_slowly(guest)
    arena.wait_for(lambda: term.facts()["bots_sitting"] == 2 and
                   "why" in term.facts())
    facts = term.facts()
    tap.equal((facts["why"], facts["games_running"], facts["games_rated"]),
              (f"the games begin at {term.hours[0]}", 0, 0),
              "bots sit before the games begin, and the ladder says why none plays")
    page = serve.get("/ladders/main").text
    tap.ok("The games begin on" in page and '<p id="why" class="warn"></p>' in page
           and len(serve.log("games-wait")) == 1, "so do its page, once, and the log")
    tap.ok("A table appears here when the games have begun." in
           serve.get("/projector/main").text, "so does its projector")
    if not web.skip("the pages in a browser"):
        web.play("web-term.mjs", {"base": f"http://127.0.0.1:{serve.port('pages')}",
                                  "pictures": os.environ.get("PICTURES")},
                 begin=lambda: begins(serve))


def freezes(term, tokens):
    serve = term.serve
    serve.wait_for_log("standings-frozen")
    # A game that has just begun may still count for what was before.
    term.play(1)
    first = term.read()
    shown = {game["id"] for game in
             serve.get("/api/1/ladders/main/games?count=100").json()["games"]}
    late = [record.header("id") for record in serve.games("main")
            if record.header("ended") >= term.hours[1]]
    tap.ok(shown and not shown & set(late), "the games before the freeze are listed",
           (shown, late))
    term.play(GAMES)
    look(term, first, "while games go on")
    watched(term)
    move_to(serve, 3)
    serve.wait_for_log("games-ended")
    ended = f"the games ended at {term.hours[2]}"
    arena.wait_for(lambda: term.facts()["games_running"] == 0 and
                   term.facts().get("why") == ended)
    tap.equal(term.facts().get("why"), ended,
              "after the end it says why no game begins")
    look(term, first, "when the games have ended")
    hidden = [record for record in serve.games("main") if record.header("id") not in shown]
    tap.ok(len(hidden) > GAMES, "games came after the freeze", len(hidden))
    everything = "".join(serve.get(path).text for path in PATHS)
    told = [record.header("id") for record in hidden if record.header("id") in everything]
    tap.equal(told, [], "no page names them")
    tap.equal([milli for milli in term.elo()
               if re.search(rf"\b{milli}\b", everything)], [],
              "no page has a rating of now")
    records(term, hidden[-1], tokens)
    return shown


def watched(term):
    """Holds a game, and tries to watch it."""
    serve = term.serve
    term.answer.clear()
    running = []

    def one_runs():
        running[:] = [game["id"] for game in
                      serve.get("/api/1/ladders/main/running").json()["games"]]
        return running
    try:
        # The game that was answered last may just end.
        arena.wait_for(lambda: term.held.wait(0) and one_runs())
        paths = [f"{path}{running[0]}" for path in
                 ("/games/", "/api/1/events?topic=game:",
                  "/api/1/events?topic=frames:")]
        tap.equal([serve.get(path).code for path in paths], [403] * 3,
                  "a game that runs cannot be watched")
        tap.equal([path for path in ("/", "/live", "/projector/main")
                   if running[0] in serve.get(path).text], [], "and no page names it")
    finally:
        term.answer.set()


def look(term, first, when):
    for path, text in term.read().items():
        if text != first[path]:
            words = zip(first[path].split(), text.split())
            tap.ok(False, f"{path} stays as it was {when}",
                   [pair for pair in words if pair[0] != pair[1]][:9])
    tap.ok(True, f"every page was looked at {when}")
    live = term.serve.get("/api/1/bots/alice").json()["ladders"][0]
    tap.equal(sorted({"live_elo_milli", "paired_at", "faults"} & set(live)), [],
              f"a bot has no live Elo {when}")


def records(term, game, tokens):
    serve, identity = term.serve, game.header("id")
    paths = [f"/games/{identity}", f"/api/1/records/{identity}",
             f"/api/1/records/{identity}?view=public",
             f"/api/1/games/{identity}/frames?view=public",
             f"/api/1/games/{identity}/asks?view=0",
             f"/api/1/games/{identity}/opinions?view=0"]
    codes = [serve.get(path).code for path in paths]
    tap.equal(codes, [403] * len(paths), "strangers may not read such a game")
    shows = f"Authorization: Bearer {tokens['carol']}\r\nX-Bot: carol\r\n"
    tap.equal([serve.get(path, headers=shows).code for path in paths],
              [403] * len(paths), "nor may a bot that did not play it")
    shows = f"Authorization: Bearer {tokens['alice']}\r\nX-Bot: alice\r\n"
    answers = [serve.get(path, headers=shows) for path in paths[:2]]
    tap.equal([answer.code for answer in answers], [200] * 2,
              "a bot that played it may")
    tap.ok("result" in answers[1].text, "with its result")


def again(term, shown):
    """Starts the daemon without the copy, as after a restored backup."""
    serve = term.serve
    texts = [serve.get("/api/1/ladders/main/games?format=plain").text,
             term.ladder()["standings"]]
    serve.stop()
    for path in (serve.data / "ladders" / "main").glob("frozen-*"):
        path.unlink()
    serve.start()
    serve.wait_for_log("standings-frozen")
    tap.equal([serve.get("/api/1/ladders/main/games?format=plain").text,
               term.ladder()["standings"]], texts,
              "the standings of the freeze are made again")
    serve.reload(term.configure(frozen=False))
    # A page that is 100 ms old is sent as it is.
    arena.wait_for(lambda: "frozen" not in term.ladder())
    tap.equal(sorted(str(row["live_elo_milli"]) for row in
                     term.ladder()["standings"]), sorted(term.elo()), "without `freezes` the standings are those of now")
    latest = serve.get("/api/1/ladders/main/games").json()["games"][0]["id"]
    tap.ok(latest not in shown and serve.get(f"/games/{latest}").code == 200,
           "and everybody may read the last game")
    tap.equal(list((serve.data / "ladders" / "main").glob("frozen-*")), [],
              "and the copy is gone")


def late(serve):
    """Tests games that ended before the freeze, and are rated after it.  The workers
    that play these games do not follow the daemon's clock."""
    ladder = "game = toepen seats = 2 at-once = 1"
    serve.configure({"main": ladder})
    serve.start()
    freezes = hours_of(serve, 1)[0]
    serve.reload({"main": f"{ladder} freezes = {freezes}"})
    for name in ("ann", "ben", "cyd", "dee"):
        local_bots.add(serve, local_bots.folder(serve.root, name))

    def standings():
        return {row["bot"]: row for row in
                serve.get("/api/1/ladders/main").json()["standings"]}

    def listed():
        return {game["id"] for game in serve.get(
            "/api/1/ladders/main/games?count=100").json()["games"]}

    def marks():
        return [standings()[name].get("mark") for name in ("ben", "cyd", "dee")]
    arena.wait_for(lambda: len(standings()) == 4)
    local_bots.bots(serve, "disable", "cyd", "loops")
    move_to(serve, 1)
    serve.wait_for_log("standings-frozen")
    before = listed()
    arena.wait_for(lambda: listed() - before)
    new = listed() - before
    ended = [record.header("ended") for record in serve.games("main")
             if record.header("id") in new]
    tap.ok(ended and max(ended) < freezes, "frozen standings take the games that ended "
           "before", (ended, freezes))
    tap.ok(max(row.get("worst", 0) for row in standings().values()) <= 3,
           "a bot that was disabled before has no rank", standings())
    local_bots.bots(serve, "enable", "cyd")
    local_bots.bots(serve, "disable", "dee", "loops")
    before = listed()
    arena.wait_for(lambda: listed() - before)
    tap.equal(marks(), [None, "disabled", None],
              "frozen standings have the marks of the freeze")
    local_bots.add(serve, local_bots.folder(
        serve.root, "eve", **{"bot.sh": "#!/bin/sh\nread -r line\n"
                              "echo 'bot 1 eve'\nread -r line\nexit 1\n"}))

    def suspended():
        return [at for at in serve.get("/api/1/bots/eve").json().get("ladders", [])
                if at["suspended"]]
    tap.equal([at.get("why") for at in arena.wait_for(suspended)], [None],
              "a bot that fails is suspended, and nobody is told what it did")
    told = arena.wait_for(lambda: re.search(r"It is suspended[^<]*",
                                            serve.get("/bots/eve").text))
    tap.equal(told and told[0], "It is suspended.", "nor by its page")
    tap.equal(re.findall(r"^\w+(?:faults|turns)_total{.*", serve.get("/metrics").text,
                         re.M), [], "nor by the metrics")
    serve.stop()
    serve.start()
    tap.equal(marks(), [None, "disabled", None], "also after another start")
    serve.reload({"main": ladder})
    arena.wait_for(lambda: marks()[1] is None)
    tap.equal(marks(), [None, None, "disabled"], "without `freezes` those of now")


def main():
    with daemon.Daemon("local-bots { games = 4 }") as serve:
        serve.environ = daemon.wrong_date(serve.root)
        if serve.environ:
            late(serve)
    with daemon.Daemon("") as serve:
        serve.environ = daemon.wrong_date(serve.root)
        if tap.skip("a clock that is moved", None if serve.environ
                    else "a C compiler"):
            return
        term = Term(serve)
        tokens = {name: serve.token(name) for name in (*NAMES, "carol")}
        serve.token = tokens.get
        waits(term)
        begins(serve)
        term.play(GAMES)
        move_to(serve, 2)
        again(term, freezes(term, tokens))


main()
tap.done()
