#!/usr/bin/env python3
"""Bots that sit on several ladders play on all of them, in equal share, and
nobody waits for a ladder where nothing happens.

All have room for one game at a time.
"""

import re
import threading

import arena
import daemon
import local_bots
import tap

GAME = ('game = daumen-drauf seats = 2 options = { "games=1" } pairing = random'
        ' at-once = 20')
FAR_S = 180  # to come so far, on a machine that others load


def games(house, bot):
    """{ladder: games of that bot there that count}."""
    return {ladder["ladder"]: ladder["games"]
            for ladder in house.get(f"/api/1/bots/{bot}").json()["ladders"]}


def wait_for_games(house, bot, count):
    arena.wait_for(lambda: sum(games(house, bot).values()) >= count, FAR_S)
    return games(house, bot)


def is_even(counts, ladders, part=0.6):
    """Whether each ladder has so great a part of what is fair, at least."""
    fair = sum(counts.values()) / len(ladders)
    return all(counts.get(ladder, 0) >= part * fair for ladder in ladders)


def test_two_bots_on_four_ladders():
    """Whoever they could meet elsewhere, they meet nobody but each other."""
    ladders = ("a", "b", "c", "d")
    with daemon.House({name: GAME for name in ladders}) as house:
        house.start()
        house.play("ann", *ladders)
        house.play("bea", *reversed(ladders))
        counts = wait_for_games(house, "ann", 40)
        tap.ok(is_even(counts, ladders, 0.9),
               "two bots play on four ladders in turn", counts)


def test_few_and_many():
    """On `few` are two that are free only when they have just met, on `many`
    is always somebody."""
    ladders = ("many", "few")
    with daemon.House({name: GAME for name in ladders}) as house:
        house.start()
        many = [f"many{i}" for i in range(5)]
        for bot in many:
            house.play(bot, "many")
        for i in range(2):
            house.play(f"few{i}", "few")
        house.play("cat", *ladders)
        counts = wait_for_games(house, "cat", 60)
        tap.ok(is_even(counts, ladders, 0.7),
               "a bot plays with the few as often as with the many", counts)

        def others():
            return [sum(games(house, bot).values()) for bot in many]
        tap.ok(arena.wait_for(lambda: min(others()) > 20, FAR_S),
               "and the many do not wait", others())


def test_one_game_a_connection():
    """Who leaves after each game is no newcomer to the ladders."""
    ladders = ("a", "b", "c")
    with daemon.House({name: GAME for name in ladders}) as house:
        house.start()
        house.play("eva", *ladders)
        token = house.token("fay")
        for _ in range(12):
            fay = house.guest("fay", token)
            fay.say(f"sit {' '.join(ladders)}")
            fay.hear_until("game")
            fay.say("quit")
            fay.play_on()
        counts = games(house, "fay")
        tap.ok(is_even(counts, ladders, 0.7),
               "a bot that comes anew for each game plays everywhere", counts)


def test_nobody_waits_for_the_slowest():
    """On `stuck` a game runs that does not end; on `empty` is nobody."""
    ladders = ("stuck", "empty", "quick")
    with daemon.House({name: f"{GAME} move-time = 100000"
                       for name in ladders}) as house:
        house.start()
        stuck = [house.guest(name, house.token(name)) for name in "xyz"]
        for guest in stuck[:2]:
            guest.say("sit stuck")
        for guest in stuck[:2]:
            guest.hear_until("game")
        house.play("gus", *ladders)
        house.play("hal", "quick")
        counts = wait_for_games(house, "gus", 30)
        tap.ok(counts.get("quick", 0) >= 30,
               "a bot plays where others are, whatever a game lasts elsewhere",
               counts)
        stuck[2].say("sit stuck")
        player = threading.Thread(target=stuck[2].play_on)
        player.start()
        tap.ok(arena.wait_for(lambda: games(house, "z"), FAR_S),
               "and there when somebody comes")
        house.kill()
        player.join()
        for guest in stuck[:2]:
            guest.close()


def test_one_connection_one_seat():
    """A bot with room for more games has no second seat in one of them."""
    with daemon.House({"twice": GAME + " same-bot-twice = yes"}) as house:
        house.start()
        ann = house.guest("ann", house.token("ann"), " multi=yes games=4")
        ann.say("sit twice")
        house.wait_for_log("bot-sits")
        bea = house.guest("bea", house.token("bea"))
        bea.say("sit twice")
        told = [guest.hear_until("game") for guest in (bea, ann)]
        tap.ok(all(told) and house.process.poll() is None,
               "a bot that could have two seats waits for another bot", told)
        house.kill()
        for guest in (ann, bea):
            guest.close()


def begun(house):
    """Games of the ladders `all` and `pairs`."""
    text = house.get("/metrics").text
    return [int(re.search(rf'^referee_games_begun_total{{ladder="{name}"}} '
                          r"(\d+)$", text, re.M)[1]) for name in ("all", "pairs")]


def test_tables_that_need_all():
    """Four bots of this machine: tables of two do not keep them from the one
    table that needs all of them at a time."""
    with daemon.House("local-bots { games = 8 at-once = 1 }\n"
                      "limits { stop-time = 0 }\n"
                      f"ladder pairs {{ {GAME} }}\nladder all {{ "
                      f"{GAME.replace('seats = 2', 'seats = 4')} }}\n") as house:
        house.start()
        for name in ("ann", "bea", "cal", "dan"):
            local_bots.add(house, local_bots.folder(house.root, name))
        # Those that came first played in pairs until the last one was there.
        before = begun(house)
        arena.wait_for(lambda: begun(house)[0] >= before[0] + 6, FAR_S)
        tables, pairs = (b - a for a, b in zip(before, begun(house)))
        # A bot that plays as often on both sits at two tables of two for each
        # of four; it may be 16 games behind.
        tap.ok(pairs <= 2 * tables + 16 * 2, "tables of four are filled, too",
               (tables, pairs))
        house.kill()


test_one_connection_one_seat()
test_tables_that_need_all()
test_two_bots_on_four_ladders()
test_few_and_many()
test_one_game_a_connection()
test_nobody_waits_for_the_slowest()
tap.done()
