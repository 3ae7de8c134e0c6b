#!/usr/bin/env python3
"""End-to-end because readers ask a real daemon with their tokens: who may read records
over HTTP, and when, and what is left of them.  test-record-view has every policy,
test-api-standings the lists of games."""

import json
import re
import shutil
import socket
import sqlite3
import threading
import time

import arena
import daemon
import html_page
import records
import tap

GAME = 'game = daumen-drauf seats = 2 at-once = 1 options = { "games=1" }'
CONFIG = f"""
limits {{ stop-time = 100 keep-alive = 3600000 }}
ladder open {{ {GAME} readers = everybody }}
ladder mine {{ {GAME} }}
ladder late {{ {GAME} readers = everybody read-after-minutes = 60 }}
ladder slow {{ game = toepen seats = 2 move-time = 600000 readers = everybody }}
"""
LADDERS = ("open", "mine", "late")
GAMES = 4
DAY_S = 86400


class Asker:
    """A client with an address of its own, for wrong tokens."""

    count = 0

    def __init__(self, serve, name=None, token=None):
        Asker.count += 1
        self.serve, self.source = serve, f"127.1.0.{Asker.count}"
        self.headers = "" if name is None else (
            f"X-Bot: {name}\r\nAuthorization: Bearer {token}\r\n")

    def get(self, path, method="GET"):
        return self.serve.get(path, method, self.headers, self.source)

    def code(self, path):
        return self.get(path).code


def games(serve, ladder, query=""):
    return serve.get(f"/api/1/ladders/{ladder}/games{query}").json()


def record_path(serve, ladder, game):
    return records.find(serve.data / "ladders" / ladder / "records",
                        f"{game['serial']:08}-{game['id']}.rec")[0]


def bots(serve, *words):
    done = tap.referee("bots", *words, "--data", serve.data)
    if done.code != 0:
        raise RuntimeError(f"bots: {done}")


def sit_still(serve, name):
    """Connects a bot to the slow ladder that never answers; returns the
    connection."""
    token = serve.token(name)  # a connection has ten seconds to say who comes
    link = socket.create_connection(
        ("127.0.0.1", serve.port("bots")), tap.TIMEOUT_S)
    link.sendall(f"bot 1 {name} token={token}\nsit slow\n".encode())
    return link


def running_id(link):
    for line in link.makefile("r", encoding="ascii"):
        if line.startswith("game "):
            return line.split()[1]
    return ""


def tour(serve, name, token):
    """Plays GAMES games of a bot and its opponent on each ladder, one ladder
    after another."""
    with socket.create_connection(
            ("127.0.0.1", serve.port("bots")), tap.TIMEOUT_S) as link:
        lines = link.makefile("r", encoding="ascii")
        link.sendall(f"bot 1 {name} token={token}\nsit {LADDERS[0]}\n"
                     .encode())
        over = 0
        for line in lines:
            words = line.split()
            if words[0] == "ask":
                link.sendall(f"do {words[1]} {words[3]}\n".encode())
            elif words[0] == "over":
                over += 1
                if over == GAMES * len(LADDERS):
                    link.sendall(b"quit\n")
                elif over % GAMES == 0:
                    link.sendall(f"sit {LADDERS[over // GAMES]}\n".encode())


def test_running(serve, game):
    tap.equal([serve.get(f"/api/1/records/{game}{view}").code
               for view in ("", "?view=public", "?view=0")], [404] * 3,
              "a running game has no record")


def body_of(text):
    return text.partition("\n\n")[2]


def asks_of(answer):
    return [json.loads(line) for line in answer.text.splitlines()]


def test_asks(serve, game, path):
    """Tests that times are shown only in the view of the seat."""
    url = f"/api/1/games/{game['id']}/asks"
    every = serve.get(url)
    tap.equal((every.code, every.headers["content-type"],
               every.headers["x-asks"]), (200, "application/x-ndjson", "whole"),
              "the asks of all seats")
    found = asks_of(every)
    shown = {(ask["line"], ask["ask"]): ask for ask in map(json.loads, tap.referee(
        "replay", "--json", "--asks", path).out.splitlines()) if "tokens" in ask}
    fields = ("us", "bank_ms", "answer", "fault")
    tap.equal([[ask.get(field) for field in fields] for ask in found],
              [[shown[ask["line"], ask["seat"]].get(field) for field in fields]
               for ask in found], "`replay --asks` says the same")
    tap.ok(len(found) > 10 and len(found) == len(shown), "there is one for each")
    for seat in (0, 1):
        own = asks_of(serve.get(f"{url}?view={seat}"))
        tap.equal(own, [ask for ask in found if ask["seat"] == seat],
                  f"with the view of seat {seat} its own alone")
        tap.equal([ask["ask"] for ask in own], [*range(1, len(own) + 1)],
                  "counted from 1")
    public = serve.get(f"{url}?view=public")
    tap.equal((public.code, public.text), (200, ""), "spectators get none")
    beside = path.with_suffix(".asks")
    text = beside.read_bytes()
    # The cut is in the middle of a line, because a file that ends with a whole
    # line is valid.
    beside.write_bytes(text[:len(text) // 2].rstrip(b"\n"))
    cut = serve.get(url)
    tap.equal((cut.code, cut.headers["x-asks"], asks_of(cut)),
              (200, "damaged", found[:len(asks_of(cut))]), "damaged: what there is")
    beside.unlink()
    none = serve.get(url)
    tap.equal((none.code, none.headers["x-asks"], none.text),
              (200, "missing", ""), "lost: none")
    beside.write_bytes(text)


def test_texts(serve, game):
    """Tests the whole record, byte for byte, and the views, as `referee replay`
    prints them."""
    path = record_path(serve, "open", game)
    whole = serve.get(f"/api/1/records/{game['id']}")
    tap.equal((whole.code, whole.headers["x-record"], whole.text),
              (200, "whole", path.read_text("ascii")), "the record, as it is")
    tap.ok("\nsecret " in whole.text, "it tells its secret", whole.text)
    for view in ("public", "0"):
        seen = serve.get(f"/api/1/records/{game['id']}?view={view}")
        replay = tap.referee("replay", "--raw", "--view", view, path)
        tap.equal((seen.code, body_of(seen.text)), (200, replay.out),
                  f"the view {view} is that of `replay`")
        tap.ok("secret" not in seen.text and "{" not in seen.text
               and seen.text.startswith(f"record 1\nid {game['id']}\n")
               and seen.text != whole.text, "and has no secret", seen.text)
        drawn = serve.get(f"/api/1/games/{game['id']}/frames?view={view}")
        replay = tap.referee("replay", "--json", "--tables", "--view", view, path)
        tap.equal((drawn.code, drawn.headers["content-type"], drawn.text),
                  (200, "application/x-ndjson", replay.out),
                  "and its frames are those of `replay`")
    drawn = serve.get(f"/api/1/games/{game['id']}/frames")
    replay = tap.referee("replay", "--json", "--tables", path)
    tap.equal(drawn.text, replay.out, "the frames of all cards")
    test_asks(serve, game, path)
    head = serve.get(f"/api/1/records/{game['id']}", "HEAD")
    tap.equal((head.code, head.text, head.headers["content-length"]),
              (200, "", str(len(whole.text))), "HEAD: the head alone")
    tap.equal(serve.get(f"/api/1/records/{game['id']}", "POST").code, 405, "POST")


def plain(text):
    """Replaces the minus sign of pages."""
    return text.replace("\u2212", "-")


def test_pages(serve, game):
    """Tests that a game's page tells the same as `replay` at every moment."""
    path = record_path(serve, "open", game)
    for view in ("all", "0"):
        seen = () if view == "all" else ("--view", view)
        told = re.sub(r" It thought [0-9.]+ m?s\.$", "",
                      tap.referee("replay", *seen, path).out
                      .encode("latin-1").decode(),
                      flags=re.MULTILINE).splitlines()
        for at in (1, len(told) // 2, len(told) + 1):
            answer = serve.get(f"/games/{game['id']}?view={view}&at={at}")
            page = html_page.Page(answer.text.encode("latin-1").decode())
            now = min(at, len(told))
            tap.equal((answer.code, page.wrong), (200, []),
                      f"the page of view {view} at {at} is sound")
            tap.ok(f"line {now} of {len(told)}" in page.text.lower()
                   and plain(page.text).count(plain(told[now - 1])) >= 2,
                   "and tells this moment and its round", page.text)
    for query in ("at=0", "at=-1", "at=x", "at=", "at=99999999999", "view=9"):
        tap.equal(serve.get(f"/games/{game['id']}?{query}").code, 400,
                  f"?{query} is refused")


def test_ids(serve, game):
    number = game["id"]
    for path in (f"{number}0", number.upper(), "../" + number, number + ".rec",
                 "%2e%2e%2froster.db"):
        if path == number:  # it had no letters
            continue
        tap.equal(serve.get(f"/api/1/records/{path}").code, 404,
                  f"no record: {path[:24]}")
    tap.equal(serve.get(f"/api/1/records/{number}%00").code, 400, "nor with a NUL")


def test_headers(serve, game, token):
    path = f"/api/1/records/{game['id']}"
    for what, headers in (
            ("a name alone", "X-Bot: alicia\r\n"),
            ("a token alone", f"Authorization: Bearer {token}\r\n"),
            ("another scheme", "X-Bot: alicia\r\n"
             f"Authorization: Basic {token}\r\n"),
            ("two tokens", "X-Bot: alicia\r\n"
             + f"Authorization: Bearer {token}\r\n" * 2)):
        tap.equal(serve.get(path, headers=headers).code, 400, what)
    tap.equal(serve.get(path, headers="x-bot: alicia\r\n"
                        f"authorization: bearer {token}\r\n").code, 200,
              "letters large or small")


def test_reload(serve, askers, game):
    path = f"/api/1/records/{game['id']}"
    for readers, expected in (("everybody", (200, 200, 200)),
                              ("nobody", (403, 403, 403)),
                              ("players", (401, 200, 403))):
        text = CONFIG.replace(f"ladder mine {{ {GAME}",
                              f"ladder mine {{ {GAME} readers = {readers}")
        tap.ok(serve.reload(text), f"SIGHUP: readers = {readers}")
        tap.equal(tuple(askers[who].code(path)
                        for who in ("nobody", "alice", "carol")), expected,
                  "is in force")
    page = serve.get(f"/games/{game['id']}?view=0&at=2")
    tap.ok(page.code == 200 and 'id="refused"' in page.text
           and "paste the token" in page.text and "what everyone at the table saw"
           in page.text, "a link to a view tells those who may not see it", page.text)
    tap.ok('id="refused"' not in serve.get(f"/games/{game['id']}").text,
           "the game's page does not")
    text = CONFIG.replace("read-after-minutes = 60", "")
    tap.ok(serve.reload(text), "SIGHUP: read-after-minutes = 0")


def first_life(root):
    """Plays and asks; returns the games and the one that ran at the end."""
    with daemon.Daemon(CONFIG, root=root) as serve:
        serve.start()
        tokens = {name: serve.token(name)
                  for name in ("alice", "bob", "carol")}
        bots_at_play = [threading.Thread(target=tour, args=(
            serve, name, tokens[name])) for name in ("alice", "bob")]
        for bot in bots_at_play:
            bot.start()
        still = [sit_still(serve, name) for name in ("dora", "emil")]
        running = running_id(still[0])
        test_running(serve, running)
        for bot in bots_at_play:
            bot.join()
        # The bots have left, and may still read.
        bots(serve, "rename", "alice", "alicia")
        bots(serve, "disable", "bob", "for a while")
        chosen = {ladder: games(serve, ladder)["games"][0]
                  for ladder in LADDERS}
        test_texts(serve, chosen["open"])
        test_pages(serve, chosen["open"])
        test_ids(serve, chosen["open"])
        askers = {"nobody": Asker(serve),
                  "alice": Asker(serve, "alicia", tokens["alice"]),
                  "carol": Asker(serve, "carol", tokens["carol"])}
        mine = chosen["mine"]
        path = f"/api/1/records/{mine['id']}"
        tap.equal(Asker(serve, "alice", tokens["alice"]).code(path), 200,
                  "a renamed bot may use its old name")
        bob = Asker(serve, "bob", tokens["bob"])
        tap.equal(bob.code(path), 200, "a disabled bot may read")
        bots(serve, "remove", "bob")
        tap.equal(bob.code(path), 401, "a removed one's token is worth nothing")
        test_headers(serve, mine, tokens["alice"])
        test_reload(serve, askers, mine)
        tap.equal(askers["alice"].code(f"/api/1/records/{chosen['late']['id']}"),
                  200, "from then on the record is not too young")
        tap.equal(serve.stop(), 0, "it stops")
        for link in still:
            link.close()
        text = serve.text()
        tap.ok(not any(secret in text for secret in [*tokens.values(), "Bearer"]),
               "no token is in the log")
        tap.ok("Sanitizer" not in text, "and it has leaked nothing",
               text[-3000:])
        return chosen, running


def make_older(serve, game, path):
    """Sets the end of the ladder's first game three days back, in ladder and
    record."""
    then = time.strftime("%Y-%m-%dT%H:%M:%SZ",
                         time.gmtime(time.time() - 3 * DAY_S))  # luck: a date
    base = sqlite3.connect(serve.data / "ladders" / "open" / "ladder.db")
    with base:
        base.execute("UPDATE game SET ended = ? WHERE id = ?",
                     (then, game["id"]))
    base.close()
    path.write_text(re.sub(r"\nended \S+", f"\nended {then}",
                           path.read_text("ascii")), "ascii")


def second_life(root, chosen, running):
    """Tests records that are aborted, pruned, lost or broken."""
    config = CONFIG.replace("ladder open {", "ladder open { keep-days = 2")
    rows = {}
    with daemon.Daemon(config, root=root) as serve:
        serve.start()
        rows = games(serve, "open")["games"]
        serve.stop()
    gone, broken, large = rows[1:4]
    old = rows[-1]
    path = {game["id"]: record_path(serve, "open", game) for game in rows}
    make_older(serve, old, path[old["id"]])
    path[gone["id"]].unlink()
    path[broken["id"]].write_text("record 2\n", "ascii")
    # No pack holds a record of that size.
    text = path[large["id"]].read_text("ascii") + "x" * 4194304
    path[large["id"]].unlink()
    alone = serve.data / "ladders" / "open" / "records" / path[large["id"]].name
    alone.write_text(text, "ascii")
    records.close(alone.parent)  # only closed packs are pruned
    with daemon.Daemon(config, root=root) as serve:
        serve.start()
        aborted = serve.get(f"/api/1/records/{running}")
        tap.ok((aborted.code, aborted.headers.get("x-record"))
               == (200, "aborted") and "\naborted shutdown" in aborted.text,
               "an aborted game has a record", aborted.text)
        folder = serve.data / "ladders" / "slow" / "records"
        shutil.copy(folder / f"{running}.rec", folder / "short.rec")
        tap.equal(serve.get("/api/1/records/short").code, 404,
                  "a file that is named otherwise is no record")
        tap.ok(arena.wait_for(lambda: serve.get(
            f"/api/1/records/{old['id']}").headers.get("x-record") == "pruned"),
               "a pruned record says so")
        text = serve.get(f"/api/1/records/{old['id']}").text
        tap.ok("\npruned " in text and body_of(text).count("\n") == 2
               and body_of(text).startswith("result 0 "),
               "and is what is left of it", text)
        text = serve.get(f"/api/1/records/{old['id']}?view=public").text
        tap.ok("\npruned " in text and "secret" not in text,
               "a view of it has no secret either", text)
        for what, game, code in (("one that is gone", gone, 410),
                                 ("one that is none", broken, 503),
                                 ("one that is too large", large, 503),
                                 ("another", chosen["open"], 200)):
            answer = serve.get(f"/api/1/records/{game['id']}")
            tap.ok(answer.code == code and str(root) not in answer.text,
                   f"{what} is {code}", (answer.code, answer.text[:300]))
        tap.ok(serve.says("event=record-unread"), "the log says why")
        tap.equal(serve.stop(), 0, "it stops")
        tap.ok(not serve.says("Sanitizer"), "and has leaked nothing",
               serve.text()[-3000:])


with arena.Arena() as place:
    second_life(place.root, *first_life(place.root))
tap.done()
