#!/usr/bin/env python3
"""End-to-end because a newcomer clicks: the worst mistake of `random` is three clicks away,
also on a phone and in a report."""

import daemon
import shelf
import tap
import web

CONFIG = """
opinions = strong-bot
ladder quick { game = toepen seats = 2 options = { "points=4" }
               readers = everybody }
ladder closed { game = toepen seats = 4 readers = players }
"""


def play_some(serve):
    """Plays games of `random` before the daemon starts."""
    folder = serve.data / "ladders" / "quick"
    folder.mkdir(parents=True)
    run = tap.referee("match", "toepen", "--seats", "2", "-o", "points=4", "--bot",
                      "random", "--bot", "house", "--games", "4", "--seed",
                      "opinions", "--ladder", folder / "ladder.db", "--records",
                      folder / "records")
    if run.code != 0:
        raise RuntimeError(f"no games: {run}")


if not web.skip("opinions in a browser"):
    with daemon.Daemon(CONFIG) as serve:
        play_some(serve)
        serve.start()
        report = serve.root / "report.html"
        tap.referee("report", "--all", "--opinions", "--games", "1", "-o", report,
                    serve.data / "ladders" / "quick" / "records")
        closed = shelf.Shelf(serve, "closed").put_vector("toepen-source")
        web.play("web-opinions.mjs", {
            "base": f"http://127.0.0.1:{serve.port('pages')}", "closed": closed,
            "report": str(report)})
        tap.equal(serve.stop(), 0, "and the daemon ends")
tap.done()
