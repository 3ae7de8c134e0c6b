#!/usr/bin/env python3
"""Takes pictures of the pages, for people to look at after a change:

    BUILD_DIR=build-check tests/end-to-end/pictures.py FOLDER

The pictures show the first page, a ladder, its cross table, a bot, a game and
the table of each game, on a desktop and a phone, light and dark.  No program
compares them: fonts and the smoothing of edges differ from machine to machine,
Elo and dates from day to day."""

import pathlib
import sys

import arena
import daemon
import shelf
import tap
import web

GAMES = ["daumen-drauf", "daupun", "doubles-dread", "durnius", "toepen"]
CONFIG = """
ladder quick { game = daumen-drauf seats = 2 options = { "games=1" }
               readers = everybody }
"""
RATED = 20  # games, so that each Elo has an interval


def draw(serve, folder):
    shown = shelf.Shelf(serve, "quick")
    ids = {game: shown.put_vector(f"{game}-sealed") for game in GAMES}
    paths = {"front": "/", "ladder": "/ladders/quick",
             "cross": "/ladders/quick/cross", "bot": "/bots/alice"}
    for game, ident in ids.items():
        for line in (10, 40):
            paths[f"{game}-{line}"] = f"/games/{ident}?at={line}&view=all"
    web.play("pictures.mjs", {
        "base": f"http://127.0.0.1:{serve.port('pages')}", "paths": paths,
        "pictures": str(folder)})
    tap.note(f"{len(list(folder.glob('*.png')))} pictures are in {folder}")


if len(sys.argv) != 2:
    sys.exit(__doc__)
if web.missing():
    sys.exit(f"no pictures: {web.missing()}")
place = pathlib.Path(sys.argv[1]).resolve()
place.mkdir(parents=True, exist_ok=True)
with daemon.Daemon(CONFIG) as serve:
    serve.start()
    for name in ("alice", "bob", "carol"):
        serve.play(name, "quick")
    arena.wait_for(lambda: (serve.metric(
        'referee_games_rated_total{ladder="quick"}') or 0) >= RATED)
    draw(serve, place)
    serve.stop()
tap.done()
