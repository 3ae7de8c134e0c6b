#!/usr/bin/env python3
"""Tests how `match` names, starts and refuses a bot that is a folder."""

import arena
import tap

BOT = """#!/bin/sh
[ -f ./bot.conf ] || exit 3
pwd >&2
while read -r verb k ms token rest; do
	if [ "$verb" = ask ]; then echo "do $k $token"; fi
done
"""


def write(place, conf, name="one"):
    """Makes the folder of a bot with this manifest."""
    folder = place.root / name
    folder.mkdir(exist_ok=True)
    (folder / "play.sh").write_text(BOT)
    (folder / "play.sh").chmod(0o755)
    (folder / "bot.conf").write_text(conf)
    return folder


def play(place, *bots):
    return place.match("toepen", *arena.bots(*bots), "--games", 4, "--seed",
                       " ".join(map(str, bots)), "-o", "points=3")


with arena.Arena() as place:
    conf = 'name = "alice"\nrun = { "./play.sh" }\ngames = { "toepen" }\n'
    folder = write(place, conf)
    run = play(place, folder, "random", folder, "one/")
    records = place.records()
    tap.equal((run.code, run.err), (0, ""), "a folder plays")
    tap.equal(sorted(records[0].bots()),
              ["alice", "alice-2", "alice-3", "random"],
              "under the name that it says, and every name once")
    tap.equal([record.faults() for record in records], [[[], [], [], []]] * 4,
              "with the folder as working directory")
    run = play(place, ("bob", folder), "random")
    tap.ok(["bob", "random"] in [sorted(record.bots())
                                 for record in place.records()],
              "--name goes before the manifest's", run)
    run = place.match("daupun", *arena.bots(folder, "random"))
    tap.complains(run, 2, "does not play daupun, says its bot.conf",
                  "a game that it does not play")
    write(place, conf + "memory = much\n")
    tap.complains(play(place, folder, "random"), 2,
                  f"{folder}/bot.conf:4: memory: expected an integer from 16 "
                  "to 65536, not 'much'", "a mistake in the manifest")
    write(place, 'name = "alice"\nrun = { "./played.sh" }\n')
    tap.complains(play(place, folder, "random"), 2, "alice cannot be started",
                  "a program that is not there")
    write(place, conf + 'needs = { "sh", "no-such-program" }\n')
    tap.complains(play(place, folder, "random"), 2,
                  "alice needs 'no-such-program': no such program in PATH",
                  "what it needs is not there")
    (folder / "bot.conf").unlink()
    tap.complains(play(place, folder, "random"), 2,
                  f"{folder}/bot.conf: cannot read it",
                  "a folder without a manifest")
tap.done()
