#!/usr/bin/env python3
"""How long a ladder keeps records, and what is left of them: also when the
clock is wrong, and when nothing was played for long."""

import datetime
import re
import threading

import arena
import daemon
import tap

GAMES = 3
DAY_S = 86400
YEAR_S = 365 * DAY_S
LADDER = ('game = daupun seats = 2 keep-days = {days} '
          'options = {{ "rounds=2" }}')


def play(house, names=("alice", "bob")):
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
        thread.join(tap.TIMEOUT_S)


def rated(house):
    """Without those of games that were aborted."""
    return [path for path in house.records("daupun", "*.rec") if "-" in path.name]


def names(paths):
    """A pack may have been closed."""
    return [path.name for path in paths]


def pruned(house):
    return [path for path in rated(house)
            if "\npruned " in path.read_text("ascii")]


def life(house, wrong_s, days=10, games=True):
    """A day of the ladder by a clock that is wrong by so much; what its first
    run has said."""
    (house.root / "wrong").write_text(str(wrong_s), "ascii")
    house.configure({"daupun": LADDER.format(days=days)})
    house.start()
    house.wait_for_log("records-pruned")
    lines = house.log("records-pruned") + house.log("prune-fails")
    counts = [house.metric(f'referee_{name}_total{{ladder="daupun"}}')
              for name in ("prune_runs", "records_pruned", "prune_failures")]
    if games:
        play(house)
    house.term()
    tap.equal(house.wait(), 0, "the daemon ends")
    return lines, counts


def said(number):
    return f"ladder=daupun pruned={number:.0f} limit=1000 more=no"


def test_clocks(house):
    lines, counts = life(house, -YEAR_S)
    tap.ok(len(lines) == 1 and said(0) in lines[0] and counts == [1, 0, 0],
           "a run that prunes nothing is told, too", (lines, counts))
    old = names(rated(house))
    life(house, 0)
    tap.equal(pruned(house), [], "a year of rest, and a game after it: "
              "nothing is pruned")
    life(house, 10 * YEAR_S)
    tap.equal(pruned(house), [], "nor at the start of a life with the date "
              "ten years ahead")
    ahead = names(rated(house))
    life(house, -2 * YEAR_S, games=False)
    tap.equal(pruned(house), [], "nor by a clock that is behind")
    before = house.ladder("show", "daupun")
    lines, counts = life(house, 10 * YEAR_S, games=False)
    tap.equal(names(pruned(house)), old, "what is old by games and by the clock is")
    # Records of games that were aborted then go as well.
    tap.ok(len(lines) == 1 and said(counts[1]) in lines[0] and
           counts[1] >= len(old) and counts[::2] == [1, 0],
           "and that is told", (lines, counts))
    tap.equal(names(rated(house)), ahead, "no record is gone or new")
    return before


def test_what_is_left(house, before):
    tap.equal(house.ladder("show", "daupun").out, before.out,
              "the ladder stands as it did")
    rebuilt = house.ladder("rebuild", "daupun")
    tap.ok(rebuilt.code == 0 and "nothing differs" in rebuilt.out,
           "and is rebuilt from what is left", rebuilt)
    whole = tap.referee("verify", rated(house)[-1])
    tap.equal(whole.code, 0, "a whole record is proven")
    tap.equal({path.with_suffix(".asks").exists() for path in pruned(house)},
              {False}, "its asks are gone")
    tap.ok(any(house.records("daupun", "*.asks")), "those of others are not")
    cut = tap.referee("verify", pruned(house)[0])
    tap.ok(cut.code == 1 and "pruned" in cut.out and cut.out.count("\n") == 1,
           "a pruned one cannot be, and that is told", cut)


def test_reload(house):
    """Other days hold at once; a failure is told and counted."""
    (house.root / "wrong").write_text(str(10 * YEAR_S), "ascii")
    house.configure({"daupun": LADDER.format(days=0)})
    house.start()
    house.reload({"daupun": LADDER.format(days=7)})
    house.wait_for_log("records-pruned")
    tap.equal(len(pruned(house)), len(rated(house)) - GAMES_AHEAD,
              "keep-days holds from the reload on")
    records = house.data / "ladders" / "daupun" / "records"
    records.rename(records.with_name("away"))
    house.reload({"daupun": LADDER.format(days=6)})
    house.wait_for_log("prune-fails")
    tap.ok(house.log("prune-fails") and "records" in
           house.log("prune-fails")[0] and house.metric(
               'referee_prune_failures_total{ladder="daupun"}') == 1,
           "a failure is told and counted", house.log("prune-fails"))
    records.with_name("away").rename(records)
    house.stop()


with daemon.House({"daupun": LADDER.format(days=10)}) as home:
    if not home.make_wrong_date():
        tap.skip_all("no C compiler")
    shown = test_clocks(home)
    SOON = f"{datetime.date.today().year + 5}"
    GAMES_AHEAD = sum(re.search(r"^ended (\d+)", path.read_text("ascii"),
                                re.M)[1] > SOON for path in rated(home))
    test_what_is_left(home, shown)
    test_reload(home)
tap.done()
