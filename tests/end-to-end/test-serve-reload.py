#!/usr/bin/env python3
"""Tests SIGHUP: a new configuration while games go on, and a wrong one that is
refused.  End-to-end for listeners, TLS and descriptors of the kernel, which change
while bots play."""

import pathlib
import re
import socket
import ssl

import arena
import daemon
import tap

GAME = 'game = daumen-drauf seats = 2 options = { "games=1" }'
QUICK = "ladder quick { %s move-time = %d at-once = 2 }\n"
SLOW = "ladder slow { %s }\n" % GAME


def listeners(tls, pages, extra=""):
    return (f"listener bots {{ kind = tcp port = {tls} }}\n"
            f"listener pages {{ kind = http port = {pages} }}\n{extra}")


def names(serve):
    return [ladder["ladder"] for ladder in
            serve.get("/api/1/ladders").json()["ladders"]]


def rated(serve, ladder):
    return serve.metric(f'referee_games_rated_total{{ladder="{ladder}"}}')


def plays_on(serve):
    asks = serve.asks
    return arena.wait_for(lambda: serve.asks > asks + 50)


def test_refused(serve, good):
    serve.configure(good)
    before = (names(serve), serve.port("bots"), serve.port("pages"))
    for what, config, why in (
            ("no configuration", "ladder {", "referee.conf:"),
            ("another data folder", good + 'data = "elsewhere"', "data"),
            ("another game on a ladder",
             good.replace("daumen-drauf", "durnius")
             .replace('"games=1"', '"decks=1"'), "ladder quick"),
            ("a sandbox below its minimum", "sandbox = off sandbox-minimum = B\n"
             + good, "at least tier B"),
            ("uploads without a box", "sandbox = off uploads = yes\n" + good,
             "uploads = yes needs"),
            ("another K", good.replace("at-once", "k = 32 at-once"),
             "ladder quick"),
            ("a certificate that is none", good + daemon.LISTENERS +
             "listener safe { kind = tls port = 0 certificate = none.pem "
             "key = none.pem }", "listener safe"),
            ("a port that somebody else has", good + daemon.LISTENERS +
             "listener more { kind = tcp port = %d }" % serve.taken,
             "listener more"),
            ("a ladder that cannot be opened", good +
             "ladder broken { game = toepen }", "ladder broken")):
        text = config
        if what == "another data folder":
            serve.file.write_text(f'data = "elsewhere"\n{good}')
            text = None
        tap.ok(not serve.reload(text), f"{what} is refused")
        last = serve.log("configuration-refused")[-1]
        tap.ok(why in last, "and why is told", last)
    tap.equal((names(serve), serve.port("bots"), serve.port("pages")), before,
              "nothing has changed")
    tap.equal(serve.metric('referee_reloads_total{result="refused"}'), 9,
              "it is counted")
    tap.ok(plays_on(serve), "and games go on")


def test_ladders(serve):
    tap.ok(serve.reload(QUICK % (GAME, 5000) + SLOW), "one more ladder")
    tap.equal(names(serve), ["quick", "slow"], "is open")
    serve.play("carol", "slow")
    serve.play("dave", "slow")
    tap.ok(arena.wait_for(lambda: rated(serve, "slow") > 0), "and played on")
    tap.ok(serve.reload(SLOW), "one less")
    tap.ok(arena.wait_for(lambda: serve.log("ladder-closed")),
           "closes when its games have ended")
    tap.equal(names(serve), ["slow"], "and is gone")
    asks = serve.asks
    tap.ok(arena.wait_for(lambda: serve.asks > asks + 50),
           "the other goes on")
    tap.equal(serve.metric('referee_guests{state="here"}'), 4,
              "bots that sat there are still here")
    begun = set(line.split(" game=")[1].split()[0] for line in
                serve.log("game-aborted"))
    tap.equal(begun, set(), "no game was dropped")
    tap.ok(serve.reload(QUICK % (GAME, 5000)), "it comes back, another goes")
    tap.ok(arena.wait_for(lambda: names(serve) == ["quick"]), "and so it is",
           names(serve))
    serve.play("erin", "quick")
    serve.play("frank", "quick")
    tap.ok(arena.wait_for(lambda: rated(serve, "quick") > 0),
           "those who come play there")
    tap.ok(arena.wait_for(lambda: len(serve.get("/api/1/ladders/quick").json()
                                      ["standings"]) == 4),
           "on top of what was rated before")


def test_settings(serve):
    """Tests a changed time for a move, which asks show."""
    serve.reload(QUICK % (GAME, 4321))
    gina = serve.guest("gina", serve.token("gina"))
    gina.say("sit quick")
    game = gina.hear_until("game")
    tap.ok(" time=4321 " in game, "the next game has the new settings", game)
    gina.say("quit")
    gina.play()  # the game waits for a bot that has left
    gina.close()


def test_anchors(serve):
    """Tests that bots that a reload fixes are fixed for commands, too."""
    fixed = QUICK.replace("at-once", 'anchor = { "alice=1100" } at-once')
    tap.ok(serve.reload(fixed % (GAME, 5000)), "a bot is fixed")
    tap.ok(arena.wait_for(lambda: "alice is fixed at 1100.\n" in
                          serve.ladder("show", "quick").out), "`show` has it")
    tap.ok(serve.reload(QUICK % (GAME, 5000)), "none is fixed")
    tap.ok(arena.wait_for(lambda: "is fixed" not in
                          serve.ladder("show", "quick").out), "nor shown")


def test_pruning(serve):
    """Tests that keep-days holds from a reload on, and what is told of it."""
    kept = QUICK.replace("at-once", "keep-days = %d at-once")
    tap.ok(serve.reload(kept % (GAME, 5000, 7)), "records are kept for a week")
    serve.wait_for_log("records-pruned")
    tap.ok(re.search(r" ladder=quick pruned=0 limit=\d+ more=no",
                     serve.log("records-pruned")[-1]),
           "a run that prunes nothing is told", serve.log("records-pruned"))
    failures = 'referee_prune_failures_total{ladder="quick"}'
    tap.equal((serve.metric('referee_prune_runs_total{ladder="quick"}'),
               serve.metric(failures)), (1, 0), "and counted")
    arena.wait_for(lambda: not serve.get(
        "/api/1/ladders/quick/running").json()["games"] and serve.metric(
            'referee_writer_queue{ladder="quick"}') == 0)
    folder = serve.data / "ladders" / "quick" / "records"
    folder.rename(folder.with_name("away"))
    serve.reload(kept % (GAME, 5000, 6))
    serve.wait_for_log("prune-fails")
    tap.ok("records" in serve.log("prune-fails")[0] and serve.metric(failures) == 1,
           "so is a run that fails", serve.log("prune-fails"))
    folder.with_name("away").rename(folder)
    serve.reload(QUICK % (GAME, 5000))


def test_listeners(serve):
    ports = [serve.port("bots"), daemon.free_port(), daemon.free_port()]
    quick = QUICK % (GAME, 5000)
    # The test keeps the port, so no other program gets it when the daemon leaves.
    tap.ok(serve.reload(quick + listeners(0, ports[1])), "pages at a port of ours")
    path = serve.root / "bots.sock"
    config = quick + listeners(0, ports[2], f"listener local {{ kind = unix "
                               f'path = "{path}" }}')
    tap.ok(serve.reload(config), "other listeners")
    tap.equal(serve.port("pages"), ports[2], "a new place for pages")
    tap.equal(serve.port("bots"), ports[0], "that of the bots is as it was")
    tap.equal(len(serve.log("listening listener=bots")), 1,
              "not even opened anew")
    try:
        serve.raw(b"", ports[1])
        tap.ok(False, "the old place is closed")
    except ConnectionRefusedError:
        tap.ok(True, "the old place is closed")
    with socket.socket(socket.AF_UNIX) as local:
        local.connect(str(path))
        tap.ok(plays_on(serve), "games go on")
    path.unlink()
    tap.ok(serve.reload(config), "its socket was removed by somebody")
    with socket.socket(socket.AF_UNIX) as local:
        tap.equal(local.connect_ex(str(path)), 0, "it is there again")
    if tap.skip("TLS in the place of none", None if daemon.make_certificate(
            serve.root) else "no openssl to make a certificate"):
        return
    config = quick + (
        "listener bots { kind = tls port = 0 certificate = cert.pem "
        "key = key.pem }\nlistener pages { kind = http port = %d }" % ports[2])
    tap.ok(serve.reload(config), "TLS in the place of none")
    trust = ssl.create_default_context(cafile=serve.root / "cert.pem")
    with socket.create_connection(("127.0.0.1", ports[0]), 60) as line, \
            trust.wrap_socket(line, server_hostname="localhost") as hello:
        tap.equal(hello.getpeercert()["subject"],
                  ((("commonName", "localhost"),),), "has its certificate")
    tap.ok(plays_on(serve), "who came before stays")
    tap.ok(not path.exists(), "a socket that is not listened at is gone")


def test_descriptors():
    """Tests that a reload allows as many connections as a start."""
    start = QUICK % (GAME, 10000)
    with daemon.Daemon(start + "limits { connections = 10 }\n") as serve:
        serve.before = ["prlimit", "--nofile=200:5000"]
        serve.start()

        def soft():
            limits = pathlib.Path(f"/proc/{serve.process.pid}/limits")
            return int(re.search(r"Max open files +(\d+)",
                                 limits.read_text("ascii")).group(1))

        first = soft()
        tap.ok(serve.reload(start + "limits { connections = 1500 }\n"),
               "more connections")
        tap.equal(soft(), first + 1490, "have descriptors")
        tap.ok(not serve.reload(start + "limits { connections = 5000 }\n"),
               "more than there can be")
        tap.ok("allow fewer connections" in
               serve.log("configuration-refused")[-1], "are refused",
               serve.log("configuration-refused"))


with arena.Arena() as place:
    start = QUICK % (GAME, 10000)
    with daemon.Daemon(start, root=place.root) as server, \
            socket.create_server(("127.0.0.1", 0)) as taken:
        server.start()
        server.taken = taken.getsockname()[1]
        (server.data / "ladders" / "broken").write_text("a file")
        server.play("alice", "quick")
        server.play("bob", "quick")
        arena.wait_for(lambda: rated(server, "quick") > 0)
        test_refused(server, start)
        test_ladders(server)
        test_settings(server)
        test_anchors(server)
        server.rest()
        test_pruning(server)
        server.play_again()
        test_listeners(server)
        tap.equal(server.stop(), 0, "it stops") or tap.note(
            server.text())
        tap.ok(not server.says("Sanitizer"), "and has leaked nothing",
               server.text()[-3000:])
test_descriptors()
tap.done()
