#!/usr/bin/env python3
"""Tests `anchor` of a ladder: all its readers fix the same bots, also after a
reload, without the daemon, and in a copy."""

import json
import os

import arena
import daemon
import tap

GAME = 'game = daumen-drauf seats = 2 options = { "games=1" } at-once = 2'
FIRST = GAME + ' anchor = { "carol=1100", "nobody=1" }'
SECOND = GAME + ' anchor = { "dave=1600" }'
MEAN = "1500 is the mean of all bots."


def fixed(rows):
    """Returns {bot: Elo} of the fixed bots."""
    return {row["bot"]: row["elo"] for row in rows if row.get("fixed")}


def page(serve):
    return fixed(serve.get("/api/1/ladders/fixed").json()["standings"])


def people(serve):
    """Returns what the page says below the table."""
    return serve.get("/ladders/fixed").text


def command(serve, what, *arguments):
    run = serve.ladder(what, "fixed", "--json", *arguments)
    return fixed([json.loads(line) for line in run.out.splitlines()])


def test_readers(serve):
    arena.wait_for(lambda: page(serve))
    tap.equal(page(serve), {"carol": 1100}, "JSON over HTTP")
    tap.ok(arena.wait_for(lambda: "carol is fixed at 1100." in people(serve)),
           "a page")
    for what in "show", "fit":
        tap.equal(command(serve, what), {"carol": 1100}, f"`ladder {what}`")
        tap.ok("carol is fixed at 1100.\n" in serve.ladder(what, "fixed").out,
               "and for people")
    tap.equal(command(serve, "fit", "--anchor", "dave=1700"), {"dave": 1700},
              "--anchor replaces them")
    both = serve.ladder("fit", "fixed", "--anchor", "carol=1000", "--anchor",
                        "dave=1401").out
    tap.ok("dave is fixed at 1401, carol is fixed at 1000.\n" in both,
           "two are told in one sentence", both)
    tap.complains(serve.ladder("fit", "fixed", "--anchor", "dave=1",
                               "--anchor", "dave=2"), 2, "given twice",
                  "a bot twice")


def test_reload(serve):
    serve.stop()  # no games come
    serve.start()
    arena.wait_for(lambda: page(serve))
    tap.ok(serve.reload({"fixed": SECOND}), "other anchors by a reload")
    arena.wait_for(lambda: command(serve, "show") == {"dave": 1600})
    tap.equal(command(serve, "show"), {"dave": 1600}, "`show` has them")
    seen = []

    def is_new():
        seen.append(page(serve))
        return seen[-1] == {"dave": 1600}
    if not os.environ.get("CHECK_ALL"):  # a minute after the one before
        serve.stop()
        serve.start()
    tap.ok(arena.wait_for(is_new, 180) and
           all(one in ({"carol": 1100}, {"dave": 1600}) for one in seen),
           "and pages, from one fit to the next", seen)


def test_files(serve):
    serve.stop()
    base = serve.data / "ladders" / "fixed" / "ladder.db"
    tap.equal(command(serve, "fit"), {"dave": 1600}, "without a daemon")
    tap.equal(tap.referee("ladder", "rebuild", "--ladder", base).code, 0,
              "rebuilt")
    tap.equal(command(serve, "show"), {"dave": 1600}, "they stay")
    copy = serve.root / "copy.db"
    tap.equal(serve.ladder("export", "fixed", "--backup", copy).code, 0,
              "a copy")
    run = tap.referee("ladder", "show", "--ladder", copy)
    tap.ok("dave is fixed at 1600.\n" in run.out, "has them", run)
    run = tap.referee("report", "-o", "-", "--ladder", base)
    tap.ok("dave is fixed at 1600." in run.out, "`report`, too", run.err)
    serve.configure({"fixed": GAME})
    serve.start()
    arena.wait_for(lambda: page(serve) == {})
    tap.ok(arena.wait_for(lambda: MEAN in people(serve)),
           "none is fixed any more")
    tap.equal(command(serve, "show"), {}, "anywhere")


def main():
    with daemon.Daemon({"fixed": FIRST}) as serve:
        serve.start()
        serve.play("carol", "fixed")
        serve.play("dave", "fixed")
        arena.wait_for(lambda: serve.metric(
            'referee_games_rated_total{ladder="fixed"}') > 20)
        test_readers(serve)
        test_reload(serve)
        test_files(serve)
    tap.done()


if __name__ == "__main__":
    main()
