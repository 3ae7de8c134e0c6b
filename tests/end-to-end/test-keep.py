#!/usr/bin/env python3
"""Tests how long a ladder keeps records and what is left of them, also when the
clock is wrong and after a long time without games."""

import datetime
import re
import threading

import daemon
import tap

GAMES = 3
DAY_S = 86400
YEAR_S = 365 * DAY_S
LADDER = ('game = daupun seats = 2 keep-days = {days} '
          'options = {{ "rounds=2" }}')


def play(serve, names=("alice", "bob")):
    """Plays until each guest has seen this many games end."""
    def sit(name, token):
        guest = serve.guest(name, token)
        guest.hear()
        guest.say("sit daupun")
        for _ in range(GAMES):
            guest.play()
        guest.close()
    threads = [threading.Thread(target=sit, args=(name, serve.token(name)))
               for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(tap.TIMEOUT_S)


def rated(serve):
    """Returns the records without those of aborted games."""
    return [path for path in serve.records("daupun", "*.rec") if "-" in path.name]


def names(paths):
    """Returns names that are the same for an open and a closed pack."""
    return [path.name for path in paths]


def pruned(serve):
    return [path for path in rated(serve)
            if "\npruned " in path.read_text("ascii")]


def life(serve, wrong_s, days=10, games=True):
    """Runs the ladder with a clock that is wrong by this much; returns the log
    of its first prune."""
    (serve.root / "wrong").write_text(str(wrong_s), "ascii")
    serve.configure({"daupun": LADDER.format(days=days)})
    serve.start()
    serve.wait_for_log("records-pruned")
    lines = serve.log("records-pruned") + serve.log("prune-fails")
    counts = [serve.metric(f'referee_{name}_total{{ladder="daupun"}}')
              for name in ("prune_runs", "records_pruned", "prune_failures")]
    if games:
        play(serve)
    serve.term()
    tap.equal(serve.wait(), 0, "the daemon ends")
    return lines, counts


def said(number):
    return f"ladder=daupun pruned={number:.0f} limit=1000 more=no"


def test_clocks(serve):
    lines, counts = life(serve, -YEAR_S)
    tap.ok(len(lines) == 1 and said(0) in lines[0] and counts == [1, 0, 0],
           "a run that prunes nothing is told, too", (lines, counts))
    old = names(rated(serve))
    life(serve, 0)
    tap.equal(pruned(serve), [], "a year of rest, and a game after it: "
              "nothing is pruned")
    life(serve, 10 * YEAR_S)
    tap.equal(pruned(serve), [], "nor at the start of a life with the date "
              "ten years ahead")
    ahead = names(rated(serve))
    life(serve, -2 * YEAR_S, games=False)
    tap.equal(pruned(serve), [], "nor by a clock that is behind")
    before = serve.ladder("show", "daupun")
    lines, counts = life(serve, 10 * YEAR_S, games=False)
    tap.equal(names(pruned(serve)), old, "what is old by games and by the clock is")
    # Records of games that were aborted then go as well.
    tap.ok(len(lines) == 1 and said(counts[1]) in lines[0] and
           counts[1] >= len(old) and counts[::2] == [1, 0],
           "and that is told", (lines, counts))
    tap.equal(names(rated(serve)), ahead, "no record is gone or new")
    return before


def test_what_is_left(serve, before):
    tap.equal(serve.ladder("show", "daupun").out, before.out,
              "the ladder stands as it did")
    rebuilt = serve.ladder("rebuild", "daupun")
    tap.ok(rebuilt.code == 0 and "nothing differs" in rebuilt.out,
           "and is rebuilt from what is left", rebuilt)
    whole = tap.referee("verify", rated(serve)[-1])
    tap.equal(whole.code, 0, "a whole record is proven")
    tap.equal({path.with_suffix(".asks").exists() for path in pruned(serve)},
              {False}, "its asks are gone")
    tap.ok(any(serve.records("daupun", "*.asks")), "those of others are not")
    cut = tap.referee("verify", pruned(serve)[0])
    tap.ok(cut.code == 1 and "pruned" in cut.out and cut.out.count("\n") == 1,
           "a pruned one cannot be, and that is told", cut)


def test_reload(serve):
    """Tests that a changed number of days holds at once, and that a failure is
    logged and counted."""
    (serve.root / "wrong").write_text(str(10 * YEAR_S), "ascii")
    serve.configure({"daupun": LADDER.format(days=0)})
    serve.start()
    serve.reload({"daupun": LADDER.format(days=7)})
    serve.wait_for_log("records-pruned")
    tap.equal(len(pruned(serve)), len(rated(serve)) - GAMES_AHEAD,
              "keep-days holds from the reload on")
    records = serve.data / "ladders" / "daupun" / "records"
    records.rename(records.with_name("away"))
    serve.reload({"daupun": LADDER.format(days=6)})
    serve.wait_for_log("prune-fails")
    tap.ok(serve.log("prune-fails") and "records" in
           serve.log("prune-fails")[0] and serve.metric(
               'referee_prune_failures_total{ladder="daupun"}') == 1,
           "a failure is told and counted", serve.log("prune-fails"))
    records.with_name("away").rename(records)
    serve.stop()


with daemon.Daemon({"daupun": LADDER.format(days=10)}) as home:
    if not home.make_wrong_date():
        tap.skip_all("no C compiler")
    shown = test_clocks(home)
    SOON = f"{datetime.date.today().year + 5}"
    GAMES_AHEAD = sum(re.search(r"^ended (\d+)", path.read_text("ascii"),
                                re.M)[1] > SOON for path in rated(home))
    test_what_is_left(home, shown)
    test_reload(home)
tap.done()
