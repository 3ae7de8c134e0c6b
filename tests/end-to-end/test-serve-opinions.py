#!/usr/bin/env python3
"""Tests the strong bot's opinions of finished games in the daemon: who may see
them, when and how often they are computed, and that the program ends with the
daemon.  End-to-end because another program computes them."""

import hashlib
import json
import os
import re
import time

import arena
import daemon
import tap

CONFIG = """
opinions = "{opinions}"
trusted-proxies = {{ "127.0.0.1" }}
ladder open {{ game = toepen seats = 4 readers = everybody }}
ladder closed {{ game = toepen seats = 4 readers = players }}
ladder late {{ game = toepen seats = 4 readers = everybody
              read-after-minutes = 525600 }}
ladder secret {{ game = toepen seats = 4 readers = nobody }}
"""
ENDED = "ended 2026-11-23T10:00:00Z"
WAITING, EACH, AN_HOUR = 8, 2, 30  # SERVE_OPINIONS_…


def put(serve, ladder, text, key="", ended=ENDED):
    """Puts a record where games lie that count for no rating; returns its ID."""
    ident = hashlib.sha256((key + ladder + text).encode()).hexdigest()[:32]
    text = re.sub(r"^id .*$", f"id {ident}", text, count=1, flags=re.MULTILINE)
    text = re.sub(r"^ended .*\n", "", text, flags=re.MULTILINE)
    folder = serve.data / "ladders" / ladder / "records"
    folder.mkdir(exist_ok=True)
    (folder / f"{ident}.rec").write_text(
        text.replace("\n\n", f"\n{ended}\n\n", 1), "utf-8")
    return ident


def vector(name="toepen-source"):
    return (tap.VECTORS / f"{name}.rec").read_text("utf-8")


def path_of(ident, view=0):
    return f"/api/1/games/{ident}/opinions?view={view}"


def ready(serve, path, headers=""):
    """Asks until the answer is not 202; returns it."""
    answers = []

    def there():
        answers.append(serve.get(path, headers=headers))
        return answers[-1].code != 202

    arena.wait_for(there)
    return answers[-1]


def script(serve, body):
    path = serve.root / f"program-{hashlib.sha256(body.encode()).hexdigest()[:8]}"
    path.write_text(f"#!/bin/sh\n{body}\n", "ascii")
    path.chmod(0o755)
    return path


def forwarded(number):
    return f"X-Forwarded-For: 10.1.{number // 250}.{number % 250 + 1}\r\n"


# ---- the strong bot itself
def test_opinions(serve):
    ident = put(serve, "open", vector())
    first = serve.get(path_of(ident, 1))
    tap.ok(first.code == 202 and first.headers["retry-after"] == "2"
           and first.headers["cache-control"] == "private, no-store"
           and json.loads(first.text) == {"coming": True},
           "202 until it is found out", first.text)
    answer = ready(serve, path_of(ident, 1))
    lines = [json.loads(line) for line in answer.text.splitlines()]
    tap.ok(answer.code == 200 and len(lines) > 5
           and answer.headers["content-type"] == "application/x-ndjson"
           and all("opinion" in line for line in lines[:-1]), "then opinions",
           answer.text)
    run = tap.referee("replay", "--view", "1", "--opinions", "--json",
                      serve.data / "ladders" / "open" / "records" / f"{ident}.rec")
    same = [json.loads(line) for line in run.out.splitlines() if '"opinion"' in line]
    tap.equal(lines[:-1], same, "the same as by `referee replay`")
    worst = max(same, key=lambda one: one["best"][0]["value"]
                - one.get("made", one["best"][0])["value"])
    tap.equal(lines[-1], {"judged": len(same), "choices": len(same),
                          "swing": worst["at"]}, "and the biggest swing")
    return ident


def test_page(serve, ident):
    """Tests the page's section about opinions, which a script fills."""
    page = serve.get(f"/games/{ident}?view=1").text
    tap.ok('data-known="1"' in page and "Why did they lose?" in page,
           "what is known is announced to it", page)
    page = serve.get(f"/games/{ident}?view=0").text
    tap.ok('id="opinions"' in page and "data-known" not in page,
           "what is not known is offered", page)


# ---- who may see them
def test_secrecy(serve):
    text = re.sub(r"^bot 0 .*$", "bot 0 alice", vector(), flags=re.MULTILINE)
    closed = put(serve, "closed", text)
    secret = put(serve, "secret", text)
    later = put(serve, "late", text,
                ended=time.strftime("ended %Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    token = serve.token("alice")
    alice = f"Authorization: Bearer {token}\r\nX-Bot: alice\r\n"
    for path, headers, code, what in (
            (path_of(closed, 0), "", 401, "no one asks"),
            (path_of(later, 1), alice, 403, "not before its time"),
            (path_of(closed, 0), alice.replace(token, "x" * len(token)), 401,
             "a wrong token"),
            (path_of(secret, 0), alice, 403, "no record of this ladder is public"),
            (path_of("0" * 32, 0), "", 404, "no such game, or one that is played"),
            (path_of(closed, 4), alice, 404, "no such seat"),
            (path_of(closed, "all"), alice, 400, "of no seat: all"),
            (path_of(closed, "public"), "", 400, "of no seat: public"),
            (path_of(closed, 0)[:-1] + "x", alice, 400, "a view that is none"),
            (path_of("x", 0), "", 404, "an ID that is none")):
        answer = serve.get(path, headers=headers)
        tap.ok(answer.code == code and "opinion\"" not in answer.text,
               f"{code}: {what}", answer.text)
    tap.equal(len(serve.log("opinion")) + len(serve.log("opinion-failed")),
              serve.computed, "for none of them the program was started")
    answer = ready(serve, path_of(closed, 0), alice)
    tap.equal(answer.code, 200, "a bot has those on its own seat")
    tap.equal(answer.headers["cache-control"], "private, no-store",
              "which no proxy keeps")
    tap.equal(serve.get(path_of(closed, 0)).code, 401,
              "what is known is not told to others")
    page = serve.get(f"/games/{closed}?view=0")
    tap.ok(page.code == 200 and "data-opinion" not in page.text
           and "The best of" not in page.text, "nor by the page, which is public",
           page)
    tap.ok("data-known" not in serve.get(f"/games/{closed}?view=public").text,
           "not even that they are known")


# ---- a program in its place
def test_limits(serve):
    hold = serve.root / "hold"
    body = (f"cat >/dev/null; echo x >>{serve.root}/started; "
            f"while test -e {hold}; do sleep 0.05; done; echo over 0 of 0")
    hold.touch()
    serve.reload(CONFIG.format(opinions=script(serve, body)))
    games = [put(serve, "open", vector(), f"limit {i}") for i in range(12)]
    games[5] = put(serve, "open", re.sub(r"^bot 0 .*$", "bot 0 author", vector(),
                                         flags=re.MULTILINE), "limit 5")
    codes = [serve.get(path_of(games[4], seat), headers=forwarded(0)).code
             for seat in range(4)]
    tap.equal(codes, [202] * EACH + [429] * (4 - EACH),
              "so many wait of one address")
    codes = [serve.get(path_of(ident, seat), headers=forwarded(i + 1)).code
             for i, (ident, seat) in enumerate(
                 (ident, seat) for ident in games[:4] for seat in range(3))]
    tap.equal(codes, [202] * (WAITING - EACH) + [503] * (12 - WAITING + EACH),
              "so many wait in all, and no more")
    # A request with the token of a bot that sat there, from any address, goes ahead
    # of these and replaces the last of them; a token alone does not.
    token = serve.token("author")
    author = f"Authorization: Bearer {token}\r\nX-Bot: author\r\n"
    tap.equal(serve.get(path_of(games[6], 0), headers=author).code, 503,
              "an author of a bot that did not sit there comes with spectators")
    codes = [serve.get(path_of(games[5], seat),
                       headers=author + forwarded(50 + seat)).code
             for seat in range(4)]
    tap.equal(codes, [202] * EACH + [429] * (4 - EACH), "so many of an author")
    tap.equal(serve.get(path_of(games[1], 2), headers=forwarded(6)).code, 503,
              "who made room asks again, and is refused like others")
    again = serve.get(path_of(games[0], 0), headers=forwarded(99))
    tap.equal(again.code, 202, "the same one is not computed twice")
    started = serve.root / "started"
    arena.wait_for(lambda: started.exists() and started.stat().st_size)
    tap.equal(started.read_text(), "x\n", "one at a time")
    hold.unlink()
    order = [path_of(games[4], seat) for seat in range(EACH)]
    order += [path_of(games[5], seat) for seat in range(EACH)]
    tap.equal([ready(serve, path, author).code for path in order], [200] * 4,
              "then they are there")
    codes = [ready(serve, path_of(ident, seat), forwarded(60 + seat)).code
             for ident in games[:2] for seat in range(4)]
    tap.equal(codes, [200] * 8, "and all others when they are asked for")

    # All come from one address.  It may have one more each two minutes, so there are
    # more of them than it gets in hours.
    codes = []
    for path in (path_of(put(serve, "open", vector(), f"hour {i}"), seat)
                 for i in range(AN_HOUR) for seat in range(4)):
        answer = serve.get(path, headers=forwarded(300))
        if answer.code != 202:
            break
        codes.append(ready(serve, path, forwarded(301)).code)
    tap.ok(len(codes) >= AN_HOUR and set(codes) == {200},
           "an address may have so many computed in an hour", codes)
    tap.ok(answer.code == 429 and "your address has asked for many opinions"
           in answer.text, "one sentence", answer.text)
    tap.equal(serve.get(path_of(games[0], 0), headers=forwarded(300)).code, 200,
              "what is known costs nothing")


def test_trouble(serve):
    ident = put(serve, "open", vector(), "trouble")
    for number, (program, why) in enumerate((
            (serve.root / "none", "No such file"),
            (script(serve, "echo '<b>oh'; exit 1"), "ended with status 1"),
            (script(serve, "echo '<script>'"), "are not the opinions"))):
        serve.reload(CONFIG.format(opinions=program))
        before = len(serve.log("opinion-failed"))
        answer = ready(serve, path_of(ident), forwarded(400 + number))
        tap.ok(answer.code == 503 and "has failed; try again" in answer.text
               and "/" not in answer.text, f"{why}: one sentence", answer.text)
        log = serve.log("opinion-failed")
        tap.ok(len(log) == before + 1 and why in log[-1], "and why in the log", log)
        answer = serve.get(f"/games/{ident}?view=0",
                           headers=forwarded(400 + number))
        tap.equal(answer.code, 200, "the page is there")
    serve.reload(CONFIG.format(opinions="off"))
    answer = serve.get(path_of(ident))
    tap.ok(answer.code == 404 and "there are no opinions here" in answer.text,
           "off", answer.text)
    tap.ok('id="opinions"' not in serve.get(f"/games/{ident}").text,
           "off: nothing is offered")


def test_another_program(serve):
    """Tests that a reload does not wait for an opinion that the old program
    still computes."""
    mark = serve.root / "old-pid"
    serve.reload(CONFIG.format(opinions=script(
        serve, f"echo $$ >{mark}; exec sleep 1000")))
    games = [put(serve, "open", vector(), f"another {i}") for i in range(2)]
    for ident in games:
        tap.equal(serve.get(path_of(ident), headers=forwarded(700)).code, 202,
                  "the old program takes long")
    arena.wait_for(lambda: mark.exists() and mark.read_text().endswith("\n"))
    pid = int(mark.read_text())
    failed = len(serve.log("opinion-failed"))
    serve.reload(CONFIG.format(opinions=script(serve, "echo over 0 of 0")))
    tap.ok(arena.wait_for(lambda: not os.path.exists(f"/proc/{pid}")),
           "it ends when there is another one")
    for ident in games:
        answer = ready(serve, path_of(ident), forwarded(701))
        tap.ok(answer.code == 200 and '"choices": 0' in answer.text.replace(
            '":0', '": 0'), "which answers", answer.text)
    tap.equal(len(serve.log("opinion-failed")), failed, "and nothing has failed")


def test_end(serve):
    mark = serve.root / "pid"
    serve.reload(CONFIG.format(opinions=script(
        serve, f"echo $$ >{mark}; exec sleep 1000")))
    ident = put(serve, "open", vector(), "end")
    tap.equal(serve.get(path_of(ident), headers=forwarded(600)).code, 202,
              "one that takes long")
    arena.wait_for(lambda: mark.exists() and mark.read_text().endswith("\n"))
    pid = int(mark.read_text())
    tap.ok(arena.wait_for(lambda: os.getpriority(os.PRIO_PROCESS, pid) == 10),
           "the program is niced")
    tap.equal(serve.get("/").code, 200, "and no page waits for it")
    tap.equal(serve.stop(), 0, "the daemon ends")
    tap.ok(arena.wait_for(lambda: not os.path.exists(f"/proc/{pid}")),
           "and the program with it")


with daemon.Daemon(CONFIG.format(opinions="strong-bot")) as serve:
    serve.start()
    test_page(serve, test_opinions(serve))
    serve.computed = len(serve.log("opinion"))
    test_secrecy(serve)
    test_limits(serve)
    test_trouble(serve)
    test_another_program(serve)
    test_end(serve)
tap.done()
