#!/usr/bin/env python3
"""Tests what `referee serve` answers over HTTP.  End-to-end for what its pages and
metrics say of what really happened; how requests are read, bounded and refused is
for tests/unit/test-http*.c."""

import gzip
import json
import math
import re
import socket
import time

import arena
import daemon
import kept_fit
import keys
import tap

CONFIG = """
ladder quick { game = daumen-drauf seats = 2 options = { "games=1" } }
# The first fault leads to the bench.
ladder strict { game = toepen seats = 2 faults = 1 move-time = 3600000 }
ladder idle { game = toepen seats = 3 open = arrival }
"""
NONE = {"timeout": 0, "illegal": 0, "protocol": 0, "crash": 0}
SAFE = {"x-content-type-options": "nosniff", "x-frame-options": "DENY",
        "cache-control": "private, no-store", "referrer-policy": "no-referrer",
        "content-security-policy":
            "default-src 'none'; frame-ancestors 'none'",
        "connection": "keep-alive"}


def is_metrics(text):
    """Tests that every line is valid for Prometheus, and every value comes
    once, after the type of its name, with the labels of the manual."""
    types, seen = {}, set()
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            name, kind = line.split(" ")[2:]
            if name in types or kind not in ("gauge", "counter"):
                return line
            types[name] = kind
        elif not line.startswith("# HELP "):
            match = re.fullmatch(r'(([a-z_]+)(?:\{[a-z]+="[\w.-]+"'
                                 r'(?:,[a-z]+="[\w.-]+")*\})?) \d+(?:\.\d+)?', line)
            if not match or match[2] not in types or match[1] in seen:
                return line
            if keys.METRICS[match[2]][1] != tuple(
                    re.findall(r"(\w+)=", match[1])):
                return f"other labels are documented: {line}"
            seen.add(match[1])
    return "" if text.endswith("\n") and seen else "nothing"


def test_metrics(serve):
    serve.play("alice", "quick")
    serve.play("bob", "quick")
    rated = 'referee_games_rated_total{ladder="quick"}'
    arena.wait_for(lambda: serve.metric(rated) >= 3)
    answer = serve.get("/metrics")
    tap.equal(answer.code, 200, "metrics")
    tap.equal(is_metrics(answer.text), "", "in the format of Prometheus")
    tap.ok(serve.metric(rated) >= 3, "games are counted", answer.text)
    tap.equal(serve.metric('referee_guests{state="here"}'), 2, "and bots")
    tap.equal(serve.metric('referee_bots_sitting{ladder="quick"}'), 2,
              "and where they sit")
    tap.equal(serve.metric('referee_connections{kind="bots"}'), 2,
              "and connections")
    tap.ok(serve.metric('referee_turns_total{ladder="quick"}') > 6, "and turns")
    tap.equal(serve.metric(
        'referee_faults_total{ladder="quick",kind="timeout"}'), 0,
              "and faults")
    tap.equal(serve.metric('referee_games_begun_total{ladder="idle"}'), 0,
              "another ladder has its own numbers")
    tap.ok(serve.metric("process_resident_memory_bytes") > 1e6, "and memory")


def test_health(serve):
    """Tests the metrics that warn of what will stop a daemon one day."""
    for name, least, most in (
            ("process_open_fds", 5, 1000), ("process_max_fds", 200, 1e10),
            ("referee_disk_free_bytes", 1, 1e16),
            ('referee_oldest_game_seconds{ladder="idle"}', 0, 0),
            ('referee_games_given_up_total{ladder="quick"}', 0, 0),
            ('referee_ladder_failures_total{ladder="quick"}', 0, 0)):
        value = serve.metric(name)
        tap.ok(value is not None and least <= value <= most, name, value)
    if not serve.tls:
        tap.skip("the expiry of a certificate", "nothing here makes one")
        return
    days = (serve.metric('referee_certificate_expiry_seconds{listener="safe"}')
            - time.time()) / 86400  # luck: a date, tenths of a day
    tap.ok(1.9 < days <= 2, "a certificate for two days expires in two", days)
    for days, told in (31, 1), (30, 2):
        daemon.make_certificate(serve.root, days)
        tap.ok(serve.reload() and len(serve.log(
            "certificate-expires listener=safe")) == told,
            f"the log tells of {told} by now: {days} days", serve.text())


def test_ladders(serve):
    ladders = serve.get("/api/1/ladders").json()["ladders"]
    tap.equal([ladder["ladder"] for ladder in ladders], ["quick", "strict", "idle"],
              "all ladders")
    tap.equal((ladders[2]["game"], ladders[2]["seats"], ladders[2]["open"],
               ladders[2]["options"], ladders[2]["bots_sitting"]),
              ("toepen", 3, "arrival", "points=15", 0), "what is played there")
    quick = serve.get("/api/1/ladders/quick").json()
    standings = quick["standings"]
    tap.equal(sorted(row["bot"] for row in standings), ["alice", "bob"],
              "standings have the bots")
    live = [row["live_elo_milli"] for row in standings]
    tap.ok(live[0] >= live[1] and abs(sum(live) - 3000000) < 10,
           "and their live Elo", standings)
    tap.equal(serve.get("/api/1/ladders/idle").json()["standings"], [],
              "no games, no standings")
    tap.ok(arena.wait_for(lambda: serve.get("/api/1/ladders/quick").json()
                          ["standings"][0]["games"] > standings[0]["games"]),
           "standings are read anew")


def test_keys(serve):
    """Tests that all JSON pages have the keys of the manual."""
    for path, name in (
            ("/ladders", "/ladders"), ("/ladders/quick", "/ladders/NAME"),
            ("/ladders/idle", "/ladders/NAME"),
            ("/ladders/quick/games", "/ladders/NAME/games"),
            ("/ladders/quick/games?count=1", "/ladders/NAME/games"),
            ("/ladders/idle/games", "/ladders/NAME/games"),
            ("/bots/alice", "/bots/NAME"), ("/bots/sleepy", "/bots/NAME")):
        answer = serve.get("/api/1" + path)
        tap.equal((answer.code, keys.wrong("/api/1" + name, answer.text)),
                  (200, ""),
                  f"the keys of {path}")


def test_bots(serve):
    alice = serve.get("/api/1/bots/alice").json()
    ladder = alice["ladders"][0]
    tap.equal((alice["bot"], alice["here"], ladder["ladder"], ladder["sits"],
               ladder["suspended"]), ("alice", True, "quick", True, False),
              "a bot")
    tap.ok(ladder["games"] >= 3, "its games", alice)
    serve.play("carol", "strict")
    token = serve.token("sleepy")  # a connection has ten seconds to say who comes
    # A file left open would keep the connection until its `ping`.
    with socket.create_connection(
            ("127.0.0.1", serve.port("bots")), tap.TIMEOUT_S) as link, \
            link.makefile("r", encoding="ascii") as lines:
        link.sendall(f"bot 1 sleepy token={token}\n"
                     "sit strict\n".encode())
        for line in lines:
            if line.startswith("ask "):
                link.sendall(b"do 1 no-such-token\n")
            if line == "retired\n":
                break
        why = arena.wait_for(lambda: next(
            (one for one in serve.get("/api/1/bots/sleepy").json()["ladders"]
             if one["suspended"]), None))
        tap.ok(why and " s more" in why.get("why", ""),
               "one that is suspended reads why", why)
    shown = f"X-Bot: sleepy\r\nAuthorization: Bearer {token}\r\n"
    log = serve.get("/api/1/bots/sleepy/log", headers=shown).text
    tap.ok(re.search(
        r"(?m)^On the ladder strict: (not )?suspended.*\nGame [0-9a-f]{32}, seat "
        r"[01]:\nillegal: answered ask 1 with `no-such-token`; legal: \S+",
        log), "and what it was charged with", log)
    # The seconds that are left, and in the end the sentence, change meanwhile.
    moving = r"(?m)^On the ladder .*$"
    tap.equal(re.sub(moving, "", tap.referee("bots", "log", "sleepy", "--data",
                                             serve.data).out),
              re.sub(moving, "", log), "as `bots log` tells it")
    tap.ok(serve.get("/api/1/bots/sleepy/log").code == 401, "others do not")
    arena.wait_for(lambda: not serve.get("/api/1/bots/sleepy").json()["here"])
    tap.ok(not serve.get("/api/1/bots/sleepy").json()["here"], "one that has gone")
    tap.ok(serve.metric(
        'referee_faults_total{ladder="strict",kind="illegal"}') >= 1,
           "its faults are counted by kind")


def test_faults(serve):
    """Tests the faults of `sleepy`, which answered an illegal token and was
    retired."""
    here = [ladder["faults"] for ladder in
            serve.get("/api/1/bots/sleepy").json()["ladders"]]
    rows = {row["bot"]: row for row in
            serve.get("/api/1/ladders/strict").json()["standings"]}
    shown = {row["bot"]: row for row in map(json.loads, serve.ladder(
        "show", "strict", "--json").out.splitlines())}
    charged = sum(len(faults) for game in serve.games("strict")
                  for faults, name in zip(game.faults(), game.bots())
                  if name == "sleepy")
    tap.ok(charged > 0 and here == [dict(NONE, illegal=charged)]
           and rows["sleepy"]["faults"] == here[0]
           and shown["sleepy"]["faults"] == here[0]
           and shown["carol"]["faults"] == NONE,
           "faults stand in /bots, /ladders and ladder show", (here, rows, shown))
    tap.ok(f"\n      faults: {charged} illegal\n" in
           serve.ladder("show", "strict").out, "also for people")
    for event, more in (("fault", f" kind=illegal count={charged}"),
                        ("retired", ""), ("suspended", ' why="suspended for')):
        line = (serve.log(event) or [""])[0]
        tap.ok(f"{more}" in line and " bot=sleepy" in line and " game=" in line
               and " ladder=strict" in line, f"and the log: {event}", line)
    tap.referee("bots", "disable", "sleepy", "--data", serve.data)
    tap.ok(arena.wait_for(lambda: ["disabled"] == [
        row.get("mark") for row in
        serve.get("/api/1/ladders/strict").json()["standings"]
        if row["bot"] == "sleepy"]), "a disabled bot is marked")
    tap.ok(re.search(r"(?m)^ +[\d-]+  sleepy .*\n? +disabled\b",
                     serve.ladder("show", "strict").out),
           "also for people")


def told(number):
    """Returns the number as JSON writes it, which has no infinity."""
    return f"{number:.3f}" if number is not None and math.isfinite(number) else None


def test_fit(serve):
    """Tests that a separate process fits a ladder."""
    def rows():
        return serve.get("/api/1/ladders/strict").json()["standings"]
    tap.ok(arena.wait_for(lambda: rows() and all("elo" in row for row in rows())),
           "/api/1/ladders/NAME has the fit", rows())
    kept = serve.data / "ladders" / "strict" / "ladder.db.fit-1"
    fitted = kept_fit.rows(kept)
    tap.equal({row["bot"]: [told(row[key]) for key in ("elo", "from", "to")]
               for row in rows()},
              {bot: [told(row.rating), told(row.low), told(row.high)]
               for bot, row in fitted.items()}, "the one that is kept")
    tap.ok(kept_fit.is_of(kept, kept.with_suffix("")), "of this ladder", kept)
    test_paired(serve, fitted)


def paired(serve, bots):
    """Returns the fits by which `strict` finds close opponents."""
    return {bot: [f"{row['paired_at']:.3f}" for row in
                  serve.get(f"/api/1/bots/{bot}").json()["ladders"]
                  if row["ladder"] == "strict"] for bot in bots}


def test_paired(serve, fitted):
    """Tests that pairing uses the fit as soon as there is one; `fitted` is its
    kept file."""
    wanted = {bot: [f"{row.rating:.3f}"] for bot, row in fitted.items()}
    arena.wait_for(lambda: paired(serve, fitted) == wanted)
    tap.equal(paired(serve, fitted), wanted, "pairing goes by the fit")


def test_restart(serve):
    """Tests that games and faults from before the restart are known."""
    serve.stop()
    kept = serve.data / "ladders" / "strict" / "ladder.db.fit-1"
    other = kept_fit.with_rating(kept, "carol", 1234.5)
    kept.write_bytes(other)
    serve.start()
    there = paired(serve, ["carol"])
    if kept.read_bytes() == other:  # it has not been fitted again yet
        tap.equal(there, {"carol": ["1234.500"]},
                  "pairing goes by the fit that is kept")
    ladders = {ladder["ladder"]: ladder["games_rated"]
               for ladder in serve.get("/api/1/ladders").json()["ladders"]}
    for name in "quick", "strict":
        games = sum(row["games"] for row in
                    serve.get(f"/api/1/ladders/{name}").json()["standings"]) // 2
        tap.ok(games == ladders[name] > 0,
               f"{name}: games_rated is what standings have", ladders)
    here = serve.get("/api/1/bots/sleepy").json()["ladders"]
    tap.ok(here[0]["faults"]["illegal"] > 0, "and the faults", here)
    run = tap.referee("ladder", "rebuild", "--data", serve.data, "--ladder",
                      "strict")
    tap.ok("nothing differs" in run.out
           and serve.get("/api/1/bots/sleepy").json()["ladders"] == here,
           "a rebuilt ladder counts the same", run)


def test_kept(serve):
    """Tests that the page of a bot is made once while nothing changes: one that has to
    be made tells nothing of a ladder whose file is away."""
    serve.stop()
    serve.configure(CONFIG + "log-level = debug\n")
    serve.start()  # now no bot plays
    # A fit changes the page, too.  No other is due after these.
    tap.ok(serve.wait_for_log("pairing-fitted", 2), "quick and strict are fitted")
    page = serve.get("/bots/alice")
    tap.equal(page.code, 200, "the page of a bot")
    ladder = serve.data / "ladders" / "quick" / "ladder.db"
    pair = serve.get("/bots/alice/vs/bob")
    aside = ladder.rename(serve.root / "ladder.db")
    try:
        tap.equal(serve.get("/ladders/quick/games").code, 503,
                  "no page of the ladder can be made")
        again = serve.get("/bots/alice")
        tap.ok(again.code == 200 and again.text == page.text,
               "but that of the bot is kept", again)
        for path in "/bots/bob", "/bots/alice?ladder=strict":
            tap.ok(serve.get(path).text != page.text, f"{path} is another page")
        tap.ok(serve.get("/bots/alice/vs/bob").text != pair.text,
               "that of a pair is not kept")
    finally:
        aside.rename(ladder)


def test_healthz(serve):
    """Tests /healthz, which balancers and containers ask."""
    answer = serve.get("/healthz")
    tap.equal((answer.code, answer.text), (200, "ok\n"), "all is well")
    for name in "quick", "strict":
        age = serve.metric(
            f'referee_last_game_seconds{{ladder="{name}"}}')
        tap.ok(age is not None and 0 <= age <= serve.metric(
            "referee_up_seconds"), f"{name}: when its last game ended", age)
        tap.equal(serve.metric(
            f'referee_bots_suspended{{ladder="{name}"}}'), 0,
            f"{name}: nobody is suspended")


def test_refusals(serve):
    for path, code in (
            ("/nothing", 404), ("/api/1/ladders/none", 404),
            ("/api/1/bots/nobody", 404), ("/api/1/bots/.hidden", 404),
            ("/api/1/ladders/" + "x" * 33, 404), ("/api/1/ladders/quick%00", 400)):
        answer = serve.get(path)
        tap.ok(answer.code == code
               and re.fullmatch(rf"{code}: [^\n]+\n", answer.text),
               f"{path[:24]} is {code}", (answer.code, answer.text))
    for page in "/api/1/ladders/quic", "/api/1/ladders/quic/games":
        text = serve.get(page).text
        tap.ok("there is no ladder quic; there are " in text
               and "did you mean quick?" in text, f"{page}: what there is", text)
    answer = serve.get("/api/1/ladders/q",
                       headers="Accept: text/html, */*;q=0.1\r\n")
    tap.ok(answer.code == 404 and "<p>404: there is no ladder q;" in answer.text
           and 'href="../../../">All ladders</a>' in answer.text
           and "script-src 'self'" in answer.headers["content-security-policy"],
           "who reads pages gets one", answer.text)
    for path in ("/metrics", "/nowhere"):
        answer = serve.get(path)
        tap.equal({key: answer.headers.get(key) for key in SAFE}, SAFE,
                  f"{path}: headers that keep it where it belongs")


def test_moved(serve):
    """Tests that a path without a page redirects to its JSON, relative to the
    request."""
    for path, to in (("/ladders", "api/1/ladders"),
                     ("/ladders?a=%20b", "api/1/ladders?a=%20b"),
                     ("/bots/alice/log", "../../api/1/bots/alice/log"),
                     (f"/records/{'0' * 32}", f"../api/1/records/{'0' * 32}")):
        answer = serve.get(path)
        tap.equal((answer.code, answer.headers.get("location")), (308, to),
                  f"{path} leads to its JSON")


def test_static(serve):
    """Tests that the files that pages load are served plain and gzipped, and
    may be cached for ever."""
    made = (tap.BUILD_DIR / "referee/web/static-data.c").read_text("ascii")
    found = re.search(r'static_files_hash\[\] = "([0-9a-f]{16})"', made).group(1)
    style = tap.SOURCE_DIR / "referee/web/static/style.css"
    plain = serve.get(f"/static/{found}/style.css")
    packed = serve.raw(f"GET /static/{found}/style.css HTTP/1.1\r\nHost: a\r\n"
                       "Accept-Encoding: br, gzip\r\n\r\n".encode())
    tap.equal((plain.code, plain.text, plain.headers["content-type"]),
              (200, style.read_text("ascii"), "text/css; charset=utf-8"),
              "a file that pages load")
    tap.equal(gzip.decompress(packed.partition(b"\r\n\r\n")[2]),
              style.read_bytes(), "gzipped for those who take that")
    headers = daemon.Answer(packed).headers
    tap.equal((headers.get("content-encoding"), headers["vary"],
               headers["cache-control"]),
              ("gzip", "Accept-Encoding", "public, max-age=31536000, immutable"),
              "to be kept for ever")
    tap.equal([serve.get(path).code for path in (
        f"/static/{found}/none.css", f"/static/{'0' * 16}/style.css",
        f"/static/{found}/../style.css", f"/static/{found}")], [404] * 4,
              "no other file is there")


class Stream:
    """Reads a stream of events as (kind, id, lines)."""

    def __init__(self, serve, topic, source="127.0.0.1", client="192.0.2.1"):
        self.socket = socket.create_connection(
            ("127.0.0.1", serve.port("pages")), tap.TIMEOUT_S, (source, 0))
        self.file = self.socket.makefile("r", encoding="utf-8", newline="\n")
        self.socket.sendall(f"GET /api/1/events?topic={topic} HTTP/1.1\r\n"
                            f"Host: a\r\nX-Forwarded-For: {client}\r\n\r\n".encode())
        self.head = list(iter(lambda: self.file.readline().strip(), ""))

    def hear(self):
        """Returns the next event; comments come in any silence."""
        kind = number = ""
        lines = []
        for line in iter(self.file.readline, "\n"):
            key, _, value = line.rstrip("\n").partition(": ")
            kind = value if key == "event" else kind
            number = value if key == "id" else number
            lines += [value] if key == "data" else []
            if not line:
                raise EOFError("the stream has ended")
        return (kind, number, lines) if kind else self.hear()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()


def test_live(serve):
    arena.wait_for(lambda: serve.get(
        "/api/1/ladders/quick/running").json()["games"])
    with Stream(serve, "ladder:quick") as stream:
        rated = []

        def hear():
            rated.append(json.loads(stream.hear()[2][0])["games_rated"])
        # A game that begins, or a fit, is a change, too.
        arena.until(lambda: rated and rated[-1] > rated[0], hear,
                    "a ladder's changes")
        tap.ok("X-Accel-Buffering: no" in stream.head, "a ladder's changes",
               stream.head)
    tap.equal([serve.get(f"/api/1/events{query}").code for query in (
        "", "?topic=x", "?topic=ladder:none", f"?topic=game:{'0' * 32}",
        "?topic=" + ",".join(["ladder:quick"] * 9))], [400, 400, 404, 404, 400],
              "what nobody can watch")
    tap.equal(serve.get("/api/1/events?topic=ladder:quick", "HEAD").text, "",
              "HEAD has no stream")


def test_proxy(serve):
    """Tests that SIGHUP changes which proxies are trusted."""
    for config, code in (CONFIG, 429), (
            CONFIG + 'trusted-proxies = { "127.0.3.0/24" }\n', 200):
        serve.reload(config + "limits { stop-time = 1000 watchers-per-address = 1 }\n")
        with Stream(serve, "ladder:quick", "127.0.3.1", "192.0.2.1"):
            arena.wait_for(lambda: serve.metric(
                'referee_connections{kind="watchers"}') == 1)
            with Stream(serve, "ladder:quick", "127.0.3.1", "192.0.2.2") as other:
                tap.ok(other.head[0].startswith(f"HTTP/1.1 {code} "),
                       "who is no proxy is not believed" if code == 429
                       else "behind a proxy clients are counted", other.head)
        arena.wait_for(lambda: serve.metric(
            'referee_connections{kind="watchers"}') == 0)


def test_about(serve):
    """Tests that /about has the limits of the configuration."""
    serve.reload(CONFIG + "limits { stop-time = 1000 }\nlocal-bots { processes = 7 }\n")
    text = " ".join(re.sub("<[^>]*>", " ", serve.get("/about").text).split())
    tap.ok("processes of a program 7 " in text, "the processes of a bot", text)


def test_one_address(serve):
    """Tests that an address with too many connections loses its oldest one."""
    serve.reload(CONFIG + "limits { stop-time = 1000 pages-per-address = 2 }\n")
    few = [socket.create_connection(("127.0.0.1", serve.port("pages")),
                                    tap.TIMEOUT_S, ("127.0.2.1", 0)) for _ in range(3)]
    with few[0].makefile("rb") as file:
        answer = daemon.Answer(file.read())
    tap.equal((answer.code, answer.text, answer.headers.get("retry-after")),
              (429, "429: there are too many connections from your address\n",
               "10"), "the third from an address replaces the first")
    line = serve.log("connection-refused address=127.0.2.1 ")[0]
    tap.ok(line.endswith(' kind=limit why="there are too many connections from '
                         'your address" count=1'),
           "the log says where from and why", line)
    for one in few:
        one.close()


def test_turned_away(serve):
    """Tests that each refused connection leaves a line in the log, and a flood
    only a number."""
    before, sent = refused(serve, "hello"), []

    def lines():
        return serve.log("connection-refused address=127.0.4.1 ")

    def send():
        serve.raw(b"GET / HTTP/1.1\r\n\r\n", serve.port("bots"), "127.0.4.1")
        sent.append(1)
        arena.wait_for(lambda: refused(serve, "hello") == before + len(sent))
    # Each minute the next five have lines again.
    arena.until(lambda: len(lines()) < len(sent), send, "a flood leaves only a number")
    tap.ok(len(lines()) >= 5 and all(line.endswith(
        ' kind=hello why="the first line is: bot 1 NAME token=SECRET" count=1')
        for line in lines()), "the first of them have a line each", lines())
    before = refused(serve, "token")
    serve.raw(b"bot 1 alice token=x\n", serve.port("bots"), "127.0.4.2")
    serve.get("/api/1/bots/bob", headers="X-Bot: bob\r\nAuthorization: "
              "Bearer x\r\n", source="127.0.4.3")
    tap.ok(arena.wait_for(lambda: refused(serve, "token") == before + 2)
           and len(serve.log("wrong-token address=127.0.4.2 bot=alice ")) == 1
           and len(serve.log("wrong-token address=127.0.4.3 bot=bob ")) == 1,
           "wrong tokens, of bots and of readers of pages", serve.text())


def refused(serve, kind):
    return serve.metric(f'referee_connections_refused_total{{kind="{kind}"}}')


with daemon.Daemon(CONFIG, tls=True) as server:
    server.start()
    test_metrics(server)
    test_health(server)
    test_ladders(server)
    test_bots(server)
    test_live(server)
    server.rest()
    test_faults(server)
    test_fit(server)
    test_keys(server)
    test_healthz(server)
    test_refusals(server)
    test_moved(server)
    test_static(server)
    test_turned_away(server)
    test_about(server)
    test_one_address(server)
    test_proxy(server)
    test_restart(server)
    test_kept(server)
    tap.equal(server.stop(), 0, "it stops") or tap.note(server.text())
    tap.ok(not server.says("Sanitizer"), "and has leaked nothing",
           server.text()[-3000:])
tap.done()
