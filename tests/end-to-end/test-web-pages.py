#!/usr/bin/env python3
"""End-to-end because people read the pages of `referee serve` in a browser: each is sound
HTML, its links work, it sorts, filters and pages without a script, and names are never
markup.  test-ladder-page, test-tally and test-page-cache have their parts."""

import os
import re
import socket
import sqlite3
import urllib.parse

import arena
import big_ladder
import daemon
import html_page
import tap
import web

CONFIG = """
ladder quick { game = daumen-drauf seats = 2 options = { "games=1" }
               readers = everybody }
ladder strict { game = toepen seats = 2 faults = 1 readers = nobody }
ladder empty { game = durnius seats = 3 }
ladder big { game = daumen-drauf seats = 2 options = { "games=1" } }
ladder pair { game = daumen-drauf seats = 2 options = { "games=1" } }
"""
BOTS = 400
ROWS = 100  # rows of a page
GAMES = 1600
# Names that a bot could have if names were not restricted.
ODD = ["<script>alert(1)</script>", "\u05d0\u05d1\u05d2\u202e txt",
       "n " * 100, "\"'&<>"]
# Pages show them with a ? for each byte that is not ASCII.
SHOWN = [re.sub("[^ -~]", "?", one.encode().decode("latin-1")) for one in ODD]
PAGES = ["/", "/about", "/rules", "/rules/durnius", "/ladders/quick",
         "/ladders/quick/cross", "/ladders/quick/games", "/ladders/empty",
         "/ladders/empty/cross", "/ladders/empty/games", "/bots/alice",
         "/bots/alice/vs/bob", "/ladders/big", "/ladders/big/cross",
         "/bots/bot7", "/api"]


def page(serve, path):
    answer = serve.get(path)
    if answer.code != 200:
        raise RuntimeError(f"{path}: {answer.code} {answer.text[:200]}")
    return html_page.Page(answer.text.encode("latin-1").decode())


def prepare(serve):
    """Makes the ladder `big`, in which the bots with odd names have the fewest
    games."""
    big_ladder.fill(serve.data / "ladders" / "pair" / "ladder.db", 60, 2)
    file = serve.data / "ladders" / "big" / "ladder.db"
    big_ladder.fill(file, GAMES, BOTS)
    base = sqlite3.connect(file)
    base.executemany("UPDATE bot SET name = ? WHERE bot = ?",
                     zip(ODD, range(1, len(ODD) + 1)))
    base.execute("UPDATE rating SET milli = 1500000 + 1000 * bot")
    base.execute("UPDATE rating SET games = 1 WHERE bot <= ?", (len(ODD),))
    # Both bots of the latest game made every fault there is.
    base.execute("UPDATE course SET faults = 0xffff WHERE serial = ?", (GAMES,))
    base.commit()
    base.close()


def test_sound(serve):
    """Tests every page, and every page to which one of them links."""
    seen, wrong, queue, games = set(), [], list(PAGES), 0
    while queue:
        path = queue.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = serve.get(path)
        if answer.code != 200:
            wrong.append(f"{path}: {answer.code}")
        if answer.code != 200 or not answer.text.startswith("<!DOCTYPE html>"):
            continue
        found = html_page.Page(answer.text)
        wrong += [f"{path}: {one}" for one in found.wrong]
        for link in found.links:
            to = urllib.parse.urljoin(path, link).partition("#")[0]
            # Only some of many similar links are followed.
            if "/bots/bot" in to or "/big?" in to or "://" in to or (
                    "/games/" in to and (games >= 40 or "/api/" in to
                                         or "/games/00000" in to)):
                continue
            games += "/games/" in to
            if len(seen) + len(queue) < 250:
                queue.append(to)
    tap.equal(wrong, [], f"{len(seen)} pages are sound, and lead to others")


def test_pair(serve):
    """Tests the page of a pair, which lists fewer games than it counts."""
    found = page(serve, "/bots/bot0/vs/bot1?ladder=pair")
    counts = re.search(r"won, level, lost(\d+), (\d+), (\d+)", found.text)
    tap.equal((sum(map(int, counts.groups())), len(found.tables[0]) - 1,
               "Their latest 50 games:" in found.text), (60, 50, True),
              "a list says that it is only the latest of more games")
    found = page(serve, "/bots/alice/vs/bob")
    tap.ok("Their latest" not in found.text or len(found.tables[0]) > 50,
           "and does not if these are all")


def column(serve, path, title):
    """Returns a column over all pages of a ladder, names without their tags."""
    cells, sizes, links = [], [], [path]
    while links:
        path = urllib.parse.urljoin(path, links[0])
        found = page(serve, path)
        cells += [cell.removesuffix("provisional") for cell in found.column(title)]
        sizes.append(len(found.column(title)))
        links = found.by_text("Next bots")
    return cells, sizes


def test_sort(serve):
    # A fit that comes between two pages would change the order.
    tap.ok(arena.wait_for(lambda: f"are those after {GAMES} games." in
                          page(serve, "/ladders/big").text),
           "the games of a ladder are computed at once")
    for key, title, number in (("bot", "bot", str), ("elo", "Elo", int)):
        up, sizes = column(serve, f"/ladders/big?sort={key}", title)
        down, _ = column(serve, f"/ladders/big?sort=-{key}", title)
        tap.equal(sizes, [ROWS] * (BOTS // ROWS), "in pages")
        tap.ok([number(one) for one in up] == sorted(
            number(one) for one in up) and len(up) == BOTS,
            f"sorted by {key}", str(up[:5]))
        tap.ok([number(one) for one in down] == sorted(
            (number(one) for one in down), reverse=True),
            f"and the other way by {key}", str(down[:5]))
    answer = serve.get("/ladders/big?sort=shoe")
    tap.equal(answer.code, 400, "no column of that name")
    rows = page(serve, f"/ladders/big?from={BOTS + 1}").column("bot")
    tap.equal(len(rows), ROWS, "from beyond the last")
    tap.equal(serve.get("/ladders/big?from=-1").code, 400, "no place")
    back = page(serve, "/ladders/big?sort=bot&from=301")
    back = page(serve, urllib.parse.urljoin(
        "/ladders/big", back.by_text("Previous bots")[0]))
    tap.equal(back.column("bot"),
              page(serve, "/ladders/big?sort=bot&from=201").column("bot"),
              "and back")


def test_filters(serve):
    whole = page(serve, "/ladders/big/games")
    first = [row[0] for row in whole.tables[0][1:]]
    tap.equal(first, [f"{GAMES - i:08x}" for i in range(50)],
              "the latest games come first")
    more = next(link for link in whole.links if "before=" in link)
    second = page(serve, urllib.parse.urljoin("/ladders/big/games", more))
    tap.equal([row[0] for row in second.tables[0][1:]],
              [f"{GAMES - 50 - i:08x}" for i in range(50)], "and then earlier ones")
    one = page(serve, "/ladders/big/games?bot=bot7&place=1")
    places = [re.findall(r"(\d)\.bot7 ", row[1]) for row in one.tables[0][1:]]
    tap.ok(places and all(place == ["1"] for place in places),
           "of one bot, at one place", str(one.tables[0][:3]))
    for query, sentence in (("place=9", "a place from 1 to 8"),
                            ("bot=zoe", "does not know the bot")):
        found = page(serve, f"/ladders/big/games?{query}")
        tap.ok(sentence in found.text and not found.wrong,
               f"{query} is told", found.text[-400:])
    later = page(serve, "/ladders/big/games?since=2027-01-01")
    tap.ok("No such game" in later.text, "no game after the last one")
    longest = page(serve, "/ladders/quick/games?order=longest&moves=1")
    moves = [int(one) for one in longest.column("moves")]
    tap.ok(moves and moves == sorted(moves, reverse=True) and moves[-1] > 0,
           "the longest first", str(moves))


def test_faults(serve):
    """Tests the faults of `bad`, whose answers are not in the list."""
    serve.play("good", "quick")
    guest = serve.guest("bad", serve.token("bad"))
    guest.say("sit quick")
    while True:
        line = guest.hear()
        if line is None or " over " in f" {line} ":
            break
        words = line.split(" ")
        if words[0] == "ask":
            guest.say(f"do {words[1]} nonsense")
    guest.socket.close()
    serve.rest()
    arena.wait_for(lambda: len(page(serve, "/ladders/quick/games?fault=any")
                               .tables) > 0)
    found = page(serve, "/ladders/quick/games?bot=bad&fault=illegal")
    tap.ok("illegal" in found.tables[0][1][1], "games with a fault are found",
           str(found.tables))
    own = page(serve, "/bots/bad")
    links = [link for link in own.links if "&at=" in link]
    tap.ok(links and not own.wrong, "a bot's page leads to its faults",
           str(own.links))
    place = int(links[0].partition("&at=")[2])
    ident = re.search(r"games/(\w+)", links[0])[1]
    lines = serve.get(f"/api/1/records/{ident}?view=public").text.partition(
        "\n\n")[2].splitlines()
    tap.ok(lines[place - 1].startswith("fault "), "and to the very line",
           f"{place} {lines[:place + 1]}")
    view = re.search(r"view=(\w+)", links[0])[1]
    tap.ok(view in "01", "in the view of its seat, which all may read", links[0])
    moment = serve.get(urllib.parse.urljoin("/bots/bad", links[0])).text
    tap.ok("answers with a move that is not allowed" in
           moment.partition("What happened")[0], "where it is shown", moment[:300])
    tap.ok("Thinking time" in own.text, "and tells its times", own.text)


def test_kept(serve):
    """Tests that a cached page is not outdated."""
    tap.equal(len({serve.get("/ladders/big").headers["etag"]
                   for _ in range(5)}), 1, "a ladder at rest stays as it is")
    base = sqlite3.connect(serve.data / "ladders" / "big" / "ladder.db")
    base.execute("UPDATE bot SET name = '0-first' WHERE bot = 390")
    base.commit()
    base.close()
    tap.ok(arena.wait_for(lambda: "0-first" in serve.get(
        "/ladders/big?sort=bot").text), "what another process writes")
    daemon.request(serve.data, "token", "0-first")
    daemon.request(serve.data, "disable", "0-first")
    tap.ok(arena.wait_for(lambda: "disabled" in serve.get(
        "/ladders/big?sort=bot").text), "and the roster's marks")
    games = [int(one) for one in page(serve, "/ladders/quick").column("games")]
    serve.play_again()
    arena.wait_for(lambda: serve.metric(
        'referee_games_rated_total{ladder="quick"}') > max(games))
    tap.ok(arena.wait_for(lambda: max(map(int, page(
        serve, "/ladders/quick").column("games"))) > max(games)),
        "and what is played")
    serve.rest()


def test_names(serve):
    names, _ = column(serve, "/ladders/big", "bot")
    told = page(serve, "/ladders/big?sort=-rank")
    for name in SHOWN:
        tap.ok(name[:32].strip() in names, f"{name[:12]!r} is only a name",
               str(names[-6:]))
    tap.ok(not told.wrong and all("script" not in link for link in told.links),
           "and nowhere more than that")


def test_damaged(serve):
    """Tests that a bot's page is not "not found" because one ladder cannot be
    read."""
    folder = serve.data / "ladders" / "big"
    for path in folder.glob("ladder.db*"):
        path.unlink()
    (folder / "ladder.db").write_bytes(b"damaged " * 1000)
    # All pages that are kept are out of date when the roster has changed.
    daemon.request(serve.data, "enable", "0-first")
    for path in ("/bots/bot7", "/bots/bot7/vs/bot8", "/ladders/big"):
        # A cached page is checked again after a moment.
        arena.wait_for(lambda path=path: serve.get(path).code == 503)
        answer = serve.get(path)
        tap.ok(answer.code == 503 and "cannot read the ladder now" in answer.text
               and str(serve.data) not in answer.text, f"{path}: 503", answer)
    tap.equal(serve.get("/bots/alice").code, 200, "others can be read")
    tap.ok(arena.wait_for(lambda: "cannot be read now" in serve.get("/").text),
           "the first page says so")


def test_browser(serve):
    """Tests pages in Chromium, on a desktop and a phone: no serious finding of
    axe, no violation of the policy, no horizontal scrolling, and targets that
    are large enough for thumbs."""
    if web.skip("the pages in a browser"):
        return
    for guest, _ in serve.players:  # so that Chromium has the machine for itself
        guest.socket.shutdown(socket.SHUT_RDWR)
    games = page(serve, "/ladders/quick/games")
    web.play("web-pages.mjs", {
        "base": f"http://127.0.0.1:{serve.port('pages')}",
        "ladder": "/ladders/big",
        "odd": SHOWN,
        "game": next(link for link in games.links
                     if re.search("games/[0-9a-f]{32}$", link))[-32:],
        "pictures": os.environ.get("PICTURES"),
        "paths": ["/", "/about", "/api", "/ladders/quick", "/ladders/quick/cross",
                  "/ladders/quick/games", "/bots/bad", "/rules/toepen",
                  "/ladders/big"]})


with daemon.Daemon(CONFIG) as serve:
    prepare(serve)
    serve.start()
    for name, ladder in (("alice", "quick"), ("bob", "quick"),
                         ("carol", "strict"), ("dave", "strict")):
        serve.play(name, ladder)
    arena.wait_for(lambda: all(
        serve.metric(f'referee_games_rated_total{{ladder="{name}"}}') >= 3
        for name in ("quick", "strict")))
    serve.rest()
    for test in (test_sound, test_pair, test_sort, test_filters, test_faults,
                 test_kept, test_names, test_browser, test_damaged):
        test(serve)
    tap.equal(serve.stop(), 0, "and the daemon ends")
tap.done()
