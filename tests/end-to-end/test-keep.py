#!/usr/bin/env python3
"""How long a ladder keeps records, and what is left of them."""

import os
import threading
import time

import arena
import daemon
import tap

GAMES = 3
DAY_S = 86400


def play(house, names):
    """Each guest plays until it has seen so many games end."""
    def sit(name, token):
        guest = house.guest(name, token)
        guest.hear()
        guest.say("sit daupun")
        for _ in range(GAMES):
            guest.play()
        guest.close()
    threads = [threading.Thread(target=sit, args=(name, house.token(name)))
               for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


def rated(house):
    """Without those of games that were aborted."""
    return [path for path in house.records("daupun") if "-" in path.name]


def is_pruned(path):
    return "\npruned " in path.read_text("ascii")


def stop(house):
    house.term()
    tap.equal(house.wait(), 0, "the daemon ends")


def age(paths, days):
    then = time.time() - days * DAY_S
    for path in paths:
        os.utime(path, (then, then))


with daemon.House({"daupun": "game = daupun seats = 2 keep-days = 2 "
                             'options = { "rounds=2" }'}) as home:
    home.start()
    play(home, ("alice", "bob"))
    stop(home)
    before = home.ladder("show", "daupun")
    records = rated(home)
    tap.ok(len(records) >= GAMES, f"{len(records)} games were played")
    age(records[:1], 1)
    age(records[1:], 3)
    home.start()
    tap.ok(arena.wait_for(lambda: all(map(is_pruned,
                                          rated(home)[1:]))),
           "what is older is pruned")
    tap.ok(not is_pruned(records[0]), "what is younger is not")
    stop(home)
    tap.equal(rated(home), records, "no file is gone or new")
    tap.equal(home.ladder("show", "daupun").out, before.out,
              "the ladder stands as it did")
    rebuilt = home.ladder("rebuild", "daupun")
    tap.ok(rebuilt.code == 0 and "nothing differs" in rebuilt.out,
           "and is rebuilt from what is left", rebuilt)
    whole = tap.referee("verify", records[0])
    tap.equal(whole.code, 0, "a whole record is proven")
    pruned = tap.referee("verify", records[1])
    tap.ok(pruned.code == 1 and "pruned" in pruned.out and
           pruned.out.count("\n") == 1,
           "a pruned one cannot be, and that is told", pruned)
tap.done()
