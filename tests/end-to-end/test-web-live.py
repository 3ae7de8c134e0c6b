#!/usr/bin/env python3
"""End-to-end because pages change while people look at them, with and without scripts:
running games, /live, /projector and standings.  The public sees a running game with the
delay of its ladder, and only its public lines.  test-live-feed has the events."""

import os
import re
import socket
import threading
import time

import arena
import daemon
import html_page
import tap
import web

CONFIG = """
limits { watchers-per-address = 200 pages-per-address = 200 lines-per-second = 5000
         connections-per-address = 1000 unauthenticated = 1000 return-time = 2000
         stop-time = 1000 keep-alive = 3600000 }
ladder slow { game = toepen seats = 2 options = { "points=4" } readers = everybody
              spectators-delay = 0 move-time = 3600000 }
ladder late { game = toepen seats = 2 readers = everybody spectators-delay = 2
              move-time = 3600000 }
ladder secret { game = toepen seats = 2 readers = nobody move-time = 3600000 }
ladder board { game = toepen seats = 2 readers = everybody spectators-delay = 0
               move-time = 3600000 }
ladder quick { game = daumen-drauf seats = 2 options = { "games=1" }
               readers = everybody spectators-delay = 0 move-time = 3600000 }
"""
NEVER = ("ask", "legal", "think", "bank", "ms)")


class Table:
    """Two bots at a ladder, which answer only as often as the test lets them."""

    def __init__(self, serve, ladder, *names):
        self.serve, self.ladder = serve, ladder
        self.gate = threading.Semaphore(0)
        self.guests = [serve.guest(name, serve.token(name)) for name in names]
        for guest in self.guests:
            guest.socket.settimeout(None)
            guest.say(f"sit {ladder}")
            threading.Thread(target=self.play, args=(guest,)).start()
        self.game = self.find()

    def play(self, guest):
        try:
            while (line := guest.hear()) is not None:
                words = line.split(" ")
                if words[0] == "ask":
                    self.gate.acquire()
                    guest.say(f"do {words[1]} {words[3]}")
                elif words[0] == "ping":
                    guest.say(f"pong {line[5:]}")
        except OSError:
            pass

    def find(self, other_than=None):
        """Returns the running game."""
        found = []

        def look():
            found[:] = [game["id"] for game in self.serve.get(
                f"/api/1/ladders/{self.ladder}/running").json()["games"]
                if game["id"] != other_than]
            return found
        arena.wait_for(look)
        return found[0]

    def move(self, count=1):
        for _ in range(count):
            self.gate.release()

    def stop(self):
        while self.gate.acquire(blocking=False):
            pass

    def leave(self):
        for guest in self.guests:
            guest.socket.shutdown(socket.SHUT_RDWR)
        self.move(1000)


def page(serve, path):
    answer = serve.get(path)
    if answer.code != 200:
        raise RuntimeError(f"{path}: {answer.code} {answer.text[:200]}")
    return html_page.Page(answer.text.encode("latin-1").decode())


def text_of(found):
    return " ".join(found.text.split())


def events(serve, topic, until, last="", heard=None):
    """Returns (kind, id, lines) of a stream, up to the first event of that
    kind; `heard` has those so far."""
    heard = [] if heard is None else heard
    with socket.create_connection(("127.0.0.1", serve.port("pages")),
                                  60) as stream:
        more = f"Last-Event-ID: {last}\r\n" if last else ""
        stream.sendall(f"GET /api/1/events?topic={topic} HTTP/1.1\r\n"
                       f"Host: a\r\n{more}\r\n".encode())
        file = stream.makefile("r", encoding="utf-8", newline="\n")
        kind, number, lines = "", "", []
        for line in file:
            key, _, value = line.rstrip("\n").partition(": ")
            kind = value if key == "event" else kind
            number = value if key == "id" else number
            lines += [value] if key == "data" else []
            if line == "\n" and kind:
                heard.append((kind, number, lines))
                if kind == until:
                    return heard
                kind, number, lines = "", "", []
    return heard


def test_running(serve, table):
    """Tests a running game's page without a script."""
    path = f"/games/{table.game}"
    def led():
        return "leads" in page(serve, path).text

    def move():
        """Makes a move, and another one if the public does not see the first."""
        table.move()
        arena.wait_for(led, 1)  # luck: ends the look, not the test
    arena.until(led, move, "a card is led")
    found = page(serve, path)
    tap.equal(found.wrong, [], "the page of a running game is sound")
    tap.ok("runs now" in found.text and any(
        link.startswith(path[1:]) or link.endswith(path) for link in found.links),
           "and says so, with a link to load it again", found.links)
    tap.equal([word for word in NEVER if word in found.text.lower()], [],
              "it tells no asks, no lists, no times")
    lines = re.findall(r"line (\d+) of (\d+)", found.text)
    tap.ok(lines and lines[0][0] == lines[0][1], "it shows the last moment",
           found.text[:600])
    second = page(serve, f"{path}?at=2")
    tap.ok("line 2 of " in second.text and "is dealt" in text_of(second),
           "?at=2 is another moment", second.text[:400])
    tap.equal([serve.get(f"{path}?view={view}").code
               for view in ("0", "public", "all")], [403, 200, 200],
              "no seat's view as long as it runs")
    tap.equal(serve.get(f"/api/1/records/{table.game}").code, 404,
              "and no record")


def test_hidden(serve, table):
    """Tests the games of a ladder whose records no one may read."""
    tap.equal([serve.get(path).code for path in (
        f"/games/{table.game}", f"/api/1/events?topic=frames:{table.game}")],
        [403, 403], "a secret game has no page and no events")
    found = page(serve, "/live")
    tap.ok(table.game not in str(found.links) and "yuri" not in found.text,
           "and does not stand on /live", found.links)
    tap.ok(table.game not in serve.get("/projector/secret").text,
           "nor on the projector")


def test_delay(serve, table):
    """Tests that the page shows nothing newer than the delay."""
    path = f"/games/{table.game}"
    begun = time.monotonic()  # luck: the cause is timed before its effect
    table.move(12)
    seen = arena.wait_for(lambda: "leads" in page(serve, path).text)
    tap.ok(seen and time.monotonic() >= begun + 2,  # luck: the same
           "a move is on the page of a late ladder after its delay")
    table.stop()


def test_live(serve, slow, late):
    found = page(serve, "/live")
    tap.equal(found.wrong, [], "/live is sound")
    tap.ok(all(f"live?game={table.game}" in str(found.links)
               for table in (slow, late)), "it lists the running tables",
           found.links)
    for table, name in ((slow, "anna"), (late, "lena")):
        text = text_of(page(serve, f"/live?game={table.game}"))
        tap.ok(name in text.partition("tables run now")[0],
               f"?game= draws the table of {name}", text[:300])
    tap.ok("stake" in found.text and "round 1" in found.text,
           "with stake and round", found.text[-600:])
    told = page(serve, "/projector/slow")
    tap.ok(not told.wrong and "anna" in told.text and "Standings" in told.text
           and not [link for link in told.links if "static" not in link
                    and slow.game not in link and "ladders/" not in link],
           "a projector has a table, the standings, and no controls",
           (told.wrong, told.links))
    tap.equal([serve.get(path).code for path in (
        "/projector/none", "/live?game=x", f"/live?game={'0' * 32}")],
        [404, 200, 200], "what is not there")
    told = page(serve, f"/live?game={'0' * 32}")
    tap.ok(not told.wrong and "does not run now" in told.text
           and "Here is another table" in told.text
           and any(link.endswith(f"games/{'0' * 32}") for link in told.links),
           "a link to a game that does not run", (told.wrong, told.text[:400]))
    tap.ok("does not run" not in found.text and "does not run" not in
           page(serve, f"/live?game={slow.game}").text, "where it runs, nothing")
    seen = page(serve, "/")
    tap.ok(not seen.wrong and all(f"./live?game={table.game}" in seen.links
                                  for table in (slow, late))
           and "yuri" not in seen.text, "the first page has them, too",
           (seen.wrong, seen.links))
    raw = serve.get("/live").text
    tap.ok('<noscript><meta http-equiv="refresh" content="10"></noscript>' in raw
           and raw.count("http-equiv") == 1,
           "without a script it is loaded again, and with one it is not")
    tap.ok("./live" in page(serve, "/").links, "the header leads there")


def test_frames(serve, table):
    """Tests that the events of a game agree with its record."""
    game = table.game
    heard = []
    watch = threading.Thread(target=events, args=(
        serve, f"frames:{game}", "over", "", heard))
    watch.start()
    arena.wait_for(lambda: heard)  # the game must not be over before it watches
    table.move(10000)
    watch.join(tap.TIMEOUT_S)
    table.stop()
    record = f"/api/1/games/{game}/frames?view=public"
    arena.wait_for(lambda: serve.get(record).code == 200)
    expected = [re.sub(r'^{"line":\s*\d+,\s*', "{", line) for line in
                serve.get(record).text.splitlines()]
    told = [line for kind, _, lines in heard if kind == "frame"
            for line in lines]
    tap.equal(told, expected, "frames of the stream are those of the record")
    tap.ok(heard[-1][:2] == ("over", f"{game}:{len(told)}"), "and it is over",
           heard[-1])
    middle = events(serve, f"frames:{game}", "over", f"{game}:5")
    tap.equal([line for kind, _, lines in middle if kind == "frame"
               for line in lines], expected[5:], "who comes back misses nothing")


def browse(serve, late):
    """Looks at pages in Chromium."""
    if web.skip("pages that move in a browser"):
        return
    board = Table(serve, "board", "mona", "nina")
    other = Table(serve, "board", "olga", "paul")
    other.game = other.find(board.game)
    quick = Table(serve, "quick", "ella", "finn")
    rated = 'referee_games_rated_total{ladder="quick"}'

    def lines():
        return int(re.search(r"line \d+ of (\d+)",
                             page(serve, f"/games/{board.game}").text)[1])

    def move():
        """Makes moves until the public sees one."""
        before = lines()
        def step():
            board.move()
            # luck: this ends the look, not the test
            arena.wait_for(lambda: lines() > before, 1)
        arena.until(lambda: lines() > before, step, "a move is told")
        return True

    def play():
        """Plays until one more game is rated."""
        before = serve.metric(rated) or 0
        quick.move(1000)
        played = arena.wait_for(lambda: (serve.metric(rated) or 0) > before)
        quick.stop()
        return played

    web.play("web-live.mjs", {
        "base": f"http://127.0.0.1:{serve.port('pages')}",
        "game": board.game, "late": late.game,
        "pictures": os.environ.get("PICTURES"),
    }, move=move, play=play, finish=lambda: board.move(10000))
    for table in board, other, quick:
        table.leave()


with daemon.Daemon(CONFIG) as serve:
    serve.start()
    tables = [Table(serve, ladder, *names) for ladder, *names in (
        ("slow", "anna", "bert"), ("late", "lena", "lars"),
        ("secret", "yuri", "zora"))]
    SLOW, LATE, SECRET = tables
    for test, *used in ((test_running, SLOW), (test_hidden, SECRET),
                        (test_delay, LATE), (test_live, SLOW, LATE),
                        (test_frames, SLOW), (browse, LATE)):
        test(serve, *used)
    for one in tables:
        one.leave()
    tap.equal(serve.stop(), 0, "and the daemon ends")
tap.done()
