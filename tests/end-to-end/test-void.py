#!/usr/bin/env python3
"""Tests games that do not count (`ladder void`) and pardoned bots.  End-to-end for
what the commands print, and the requests of a running daemon."""

import json
import re
import shutil

import arena
import daemon
import followed
import tap

TWO = arena.bots("random", "house")
SETUP = 'game = toepen seats = 2 options = { "points=1" } at-once = 2'


def export(file):
    lines = list(map(json.loads, tap.referee(
        "ladder", "export", "--ladder", file).out.splitlines()))
    lines[0].pop("created")
    return lines


def games(lines):
    return [line for line in lines if line["type"] == "game"]


def again(file, what):
    """Rebuilds the ladder from its files alone, in another place."""
    before = export(file)
    copy = file.parent.parent / "again"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(file.parent, copy)
    (copy / file.name).unlink()
    for left in copy.glob(f"{file.name}-*"):
        left.unlink()
    run = tap.referee("ladder", "rebuild", "--ladder", copy / file.name)
    tap.ok(run.code == 0 and export(copy / file.name) == before,
           f"{what}: its files alone make the same ladder", run)
    followed.agrees(copy / file.name, what)


with arena.Arena() as place:
    (place.root / "home").mkdir()
    file = place.root / "home" / "c.db"

    def void(*arguments):
        return tap.referee("ladder", "void", "--ladder", file, *arguments)

    tap.referee("match", "toepen", *TWO, "-o", "points=1", "--games", 8,
                "--ladder", file)
    first = games(export(file))
    one = first[2]["id"]
    run = void(one[:8], "--why", "they talked, and more")
    tap.equal((run.code, run.out), (0, "void 9: 1 game does not count any "
                                    "longer\n"), "a game is voided")
    voided = games(export(file))
    tap.equal([line.get("void") for line in voided],
              [None, None, {"number": 9, "why": "they talked, and more"}]
              + [None] * 5, "the export says so")
    tap.equal([seat["delta_milli"] for seat in voided[2]["seat"]], [0, 0],
              "nothing changes by it")
    for what in (["games"], ["history", "house"]):
        text = tap.referee("ladder", *what, "--ladder", file).out
        tap.ok("\n          void 9: they talked, and more\n" in text,
               f"ladder {what[0]} shows it", text)
        lines = tap.referee("ladder", *what, "--json", "--ladder",
                            file).out.splitlines()
        tap.equal([line["serial"] for line in map(json.loads, lines)
                   if "void" in line], [3], f"and ladder {what[0]} --json")
    text = tap.referee("ladder", "export", "--format", "csv", "--ladder",
                       file).out
    tap.equal(text.count(',"they talked, and more"\n'), 2, "and as CSV")
    text = tap.referee("ladder", "show", "--json", "--ladder", file).out
    tap.equal([json.loads(line)["games"] for line in text.splitlines()], [7, 7],
              "seven games stand in the table")
    for words, part in (([one, "--why", "x"], "voided already (they talked"),
                        (["abc", "--why", "x"], "has rated no game"),
                        ([one], "--why"),
                        ([one, "--why", "a\nb"], "--why"),
                        (["--why", "x"], "the ID of a game"),
                        (["a b", "--why", "x"], "the ID of a game"),
                        ([one, "--bot", "house", "--since", "2026-01-01",
                          "--why", "x"], "not both"),
                        (["--bot", "house", "--why", "x"], "--since"),
                        (["--bot", "house", "--since", "2026-02-30", "--why",
                          "x"], "2026-02-30"),
                        (["--bot", "nobody", "--since", "2026-01-01", "--why",
                          "x"], "nobody")):
        tap.complains(void(*words), 2, part, f"void {' '.join(words)[:40]!r}")
    run = void("--bot", "house", "--since", "2000-01-01", "--why", "all",
               "--json")
    tap.equal(json.loads(run.out), {"void": 10, "games": 7},
              "all games of a bot")
    tap.ok(tap.referee("ladder", "show", "--ladder", file).out.startswith(
        "no games yet\n"), "none is left that counts")
    for what in (["games"], ["history", "house"]):
        text = tap.referee("ladder", *what, "--ladder", file).out
        tap.ok(text.startswith("pool 1: toepen, 2 seats"),
               f"ladder {what[0]} tells what they were games of", text)
    again(file, "voids")


with daemon.Daemon({"quick": SETUP}, {"return-time": 100}) as serve:
    file = serve.data / "ladders" / "quick" / "ladder.db"
    serve.start()
    for name in ("alice", "bob"):
        serve.play(name, "quick")
    arena.wait_for(lambda: len(serve.records("quick", "0*.rec")) > 5)
    first = games(export(file))
    run = tap.referee("ladder", "void", first[1]["id"], "--why", "live",
                      "--data", serve.data, "--ladder", "quick")
    said = re.fullmatch(r"void (\d+): 1 game does not count any longer\n",
                        run.out)
    tap.ok(run.code == 0 and said, "a daemon does it", run)
    names = [path.name for path in serve.records("quick", "*.void")]
    tap.ok(said and len(names) == 1 and re.fullmatch(
        f"{int(said[1]):08}-[0-9a-f]{{32}}.void", names[0]),
        "and has it in a pack, as the next entry", names)
    tap.ok(serve.says("event=games-voided"), "and logs it")
    seen = json.loads(serve.get(
        f"/api/1/ladders/quick/games?before={first[1]['serial'] + 1}&count=1").text)
    tap.equal(seen["games"][0].get("void"), "live", "its page shows it")
    run = tap.referee("ladder", "void", first[1]["id"], "--why", "live",
                      "--data", serve.data, "--ladder", "quick")
    tap.complains(run, 2, "voided already", "not twice")
    run = tap.referee("ladder", "rebuild", "--ladder", file)
    tap.ok(run.code == 0 and "1 of them as void; nothing differs" in run.out,
           "its rebuild comes to the same", run)

    dan = serve.guest("dan", serve.token("dan"))
    dan.say("sit quick")
    dan.hear_until("game")
    dan.say("quit")
    dan.play()
    arena.wait_for(lambda: serve.log("bot-left bot=dan"))
    dan.close()

    def seen_of(name):
        page = serve.get(f"/api/1/bots/{name}").json()["ladders"][0]
        return page["games"] - page["playing"], page["live_elo_milli"]

    tap.equal(seen_of("dan")[0], 1, "another has played a game")
    run = tap.referee("ladder", "void", "--bot", "dan", "--since",
                      "2000-01-01", "--why", "gone", "--data", serve.data,
                      "--ladder", "quick")
    tap.equal(run.code, 0, "which is voided")
    tap.equal(seen_of("dan"), (0, 1500000), "its page tells neither the game "
                                            "nor what it had won")

    # The pardon is tested with only one opponent of carol.
    serve.players[0][0].say("quit")
    carol = serve.guest("carol", serve.token("carol"))
    carol.say("sit quick")
    run = tap.referee("bots", "pardon", "carol", "--data", serve.data)
    tap.equal(run.out, "carol is not suspended\n", "nothing to pardon")

    def suspended(name):
        page = json.loads(serve.get(f"/api/1/bots/{name}").text)
        return page["ladders"] and page["ladders"][0]["suspended"]

    # A bot that leaves in the middle of games is suspended.
    for n in range(1, 10):
        carol.hear_until("ask")
        carol.close()
        serve.wait_for_log("bot-left bot=carol", n)
        arena.wait_for(lambda: not any(ladder["playing"] for ladder in serve.get(
            "/api/1/bots/carol").json()["ladders"]))
        if suspended("carol"):
            break
        carol = serve.guest("carol", serve.token("carol"))
        carol.say("sit quick")
    tap.ok(suspended("carol"), "a bot is suspended")
    run = tap.referee("bots", "pardon", "carol", "--data", serve.data)
    tap.equal((run.code, run.out), (0, "carol plays again on ladder quick\n"),
              "it is pardoned")
    tap.ok(not suspended("carol"), "and off the bench")
    run = tap.referee("bots", "pardon", "dora", "--data", serve.data)
    tap.complains(run, 2, "dora", "nobody of that name")
    serve.stop()
    run = tap.referee("bots", "pardon", "carol", "--data", serve.data)
    tap.equal((run.code, run.out),
              (0, "carol is not suspended: no daemon runs\n"), "without a daemon")
    again(file, "a daemon's")
tap.done()
