#!/usr/bin/env python3
"""Tests that bots that sit on several ladders play equally often on all of
them, and that no bot waits for a ladder without games.

Each bot has room for one game at a time.
"""

import re
import threading

import arena
import daemon
import local_bots
import tap

GAME = ('game = daumen-drauf seats = 2 options = { "games=1" } pairing = random'
        ' at-once = 20')
FAR_S = 180  # enough on a busy machine


def games(serve, bot):
    """{ladder: games of that bot there that count}; a bot that has just come may
    not be known yet."""
    page = serve.get(f"/api/1/bots/{bot}")
    return {ladder["ladder"]: ladder["games"] for ladder in
            (page.json()["ladders"] if page.code == 200 else ())}


def wait_for_games(serve, bot, count):
    arena.wait_for(lambda: sum(games(serve, bot).values()) >= count, FAR_S)
    return games(serve, bot)


def is_even(counts, ladders, part=0.6):
    """Returns true if each ladder has at least this part of a fair share."""
    fair = sum(counts.values()) / len(ladders)
    return all(counts.get(ladder, 0) >= part * fair for ladder in ladders)


def test_two_bots_on_four_ladders():
    """Tests two bots that meet only each other, on four ladders."""
    ladders = ("a", "b", "c", "d")
    with daemon.Daemon({name: GAME for name in ladders}) as serve:
        serve.start()
        serve.play("ann", *ladders)
        serve.play("bea", *reversed(ladders))
        counts = wait_for_games(serve, "ann", 40)
        tap.ok(is_even(counts, ladders, 0.9),
               "two bots play on four ladders in turn", counts)


def test_few_and_many():
    """Tests ladder `few`, whose two bots are free only when they have just met;
    on `many` another bot is always free."""
    ladders = ("many", "few")
    with daemon.Daemon({name: GAME for name in ladders}) as serve:
        serve.start()
        many = [f"many{i}" for i in range(5)]
        for bot in many:
            serve.play(bot, "many")
        for i in range(2):
            serve.play(f"few{i}", "few")
        serve.play("cat", *ladders)
        counts = wait_for_games(serve, "cat", 60)
        tap.ok(is_even(counts, ladders, 0.7),
               "a bot plays with the few as often as with the many", counts)

        def others():
            return [sum(games(serve, bot).values()) for bot in many]
        tap.ok(arena.wait_for(lambda: min(others()) > 20, FAR_S),
               "and the many do not wait", others())


def test_one_game_a_connection():
    """Tests that the ladders remember a bot that leaves after each game."""
    ladders = ("a", "b", "c")
    with daemon.Daemon({name: GAME for name in ladders}) as serve:
        serve.start()
        serve.play("eva", *ladders)
        token = serve.token("fay")
        for _ in range(12):
            fay = serve.guest("fay", token)
            fay.say(f"sit {' '.join(ladders)}")
            fay.hear_until("game")
            fay.say("quit")
            fay.play_on()
        counts = games(serve, "fay")
        tap.ok(is_even(counts, ladders, 0.7),
               "a bot that comes anew for each game plays everywhere", counts)


def test_nobody_waits_for_the_slowest():
    """Tests that no bot waits for a ladder: `stuck` has a game that does not
    end, and `empty` no other bot."""
    ladders = ("stuck", "empty", "quick")
    with daemon.Daemon({name: f"{GAME} move-time = 100000"
                       for name in ladders}) as serve:
        serve.start()
        stuck = [serve.guest(name, serve.token(name)) for name in "xyz"]
        for guest in stuck[:2]:
            guest.say("sit stuck")
        for guest in stuck[:2]:
            guest.hear_until("game")
        serve.play("gus", *ladders)
        serve.play("hal", "quick")
        counts = wait_for_games(serve, "gus", 30)
        tap.ok(counts.get("quick", 0) >= 30,
               "a bot plays where others are, whatever a game lasts elsewhere",
               counts)
        stuck[2].say("sit stuck")
        player = threading.Thread(target=stuck[2].play_on)
        player.start()
        tap.ok(arena.wait_for(lambda: games(serve, "z"), FAR_S),
               "and there when somebody comes")
        serve.kill()
        player.join()
        for guest in stuck[:2]:
            guest.close()


def test_one_connection_one_seat():
    """Tests that a bot with room for more games never gets two seats in one
    game."""
    with daemon.Daemon({"twice": GAME + " same-bot-twice = yes"}) as serve:
        serve.start()
        ann = serve.guest("ann", serve.token("ann"), " multi=yes games=4")
        ann.say("sit twice")
        serve.wait_for_log("bot-sits")
        bea = serve.guest("bea", serve.token("bea"))
        bea.say("sit twice")
        told = [guest.hear_until("game") for guest in (bea, ann)]
        tap.ok(all(told) and serve.process.poll() is None,
               "a bot that could have two seats waits for another bot", told)
        serve.kill()
        for guest in (ann, bea):
            guest.close()


def begun(serve):
    """Returns the games of the ladders `all` and `pairs`."""
    text = serve.get("/metrics").text
    return [int(re.search(rf'^referee_games_begun_total{{ladder="{name}"}} '
                          r"(\d+)$", text, re.M)[1]) for name in ("all", "pairs")]


def test_tables_that_need_all():
    """Tests four local bots: tables of two do not keep them from the table that
    needs all four."""
    with daemon.Daemon("local-bots { games = 8 at-once = 1 }\n"
                      "limits { stop-time = 0 }\n"
                      f"ladder pairs {{ {GAME} }}\nladder all {{ "
                      f"{GAME.replace('seats = 2', 'seats = 4')} }}\n") as serve:
        serve.start()
        for name in ("ann", "bea", "cal", "dan"):
            local_bots.add(serve, local_bots.folder(serve.root, name))
        # The first bots played in pairs until the last one came.
        before = begun(serve)
        arena.wait_for(lambda: begun(serve)[0] >= before[0] + 6, FAR_S)
        tables, pairs = (b - a for a, b in zip(before, begun(serve)))
        # A bot that plays equally often on both sits at two tables of two for
        # each table of four; it may be 16 games behind.
        tap.ok(pairs <= 2 * tables + 16 * 2, "tables of four are filled, too",
               (tables, pairs))
        serve.kill()


test_one_connection_one_seat()
test_tables_that_need_all()
test_two_bots_on_four_ladders()
test_few_and_many()
test_one_game_a_connection()
test_nobody_waits_for_the_slowest()
tap.done()
