#!/usr/bin/env python3
"""End-to-end because the final of a ladder takes its bots from a data folder, beside
its daemon, which shows the bracket; and because a final that was killed goes on.
test-tournament.c has the bracket of any number of bots."""

import json
import os
import re
import signal
import subprocess
import time

import arena
import keys
import local_bots
import tap
import web
from local_bots import add, bots

# A bot that begins no game as long as there is a file `hold`.
GATE = """#!/bin/sh
while read -r verb ask ms move others && [ "$verb" != bye ]; do
	[ "$verb" != game ] || while [ -e %s/hold ]; do sleep 0.05; done
	[ "$verb" != ask ] || echo "do $ask $move"
done
"""
FROZEN = ('ladder "cup" { game = toepen options = { "points=1" } seats = 2 '
          "freezes = %s }\n")
NAMES = ["ann", "bob", "cyd", "dan", "eve", "fay", "gus", "hal"]


def prepare(serve, names, **files):
    for name in names:
        add(serve, local_bots.folder(serve.root, name, "1",
                                     'games = { "toepen" }\n', **files))


def rate(serve, ladder, *words):
    """Plays games on a ladder of the data folder while no daemon runs."""
    folder = serve.data / "ladders" / ladder
    folder.mkdir(parents=True, exist_ok=True)
    run = tap.referee("match", "toepen", "-o", "points=1", "--data", serve.data,
                      *words, "--sandbox", "off", "--ladder", folder / "ladder.db",
                      cwd=serve.root)
    tap.ok(run.code == 0, f"games on {ladder}", run)


def final(serve, ladder, *words):
    return ["tournament", "knockout", "--data", serve.data, "--final", ladder,
            "--sandbox", "off", *words]


def ranked(serve, ladder):
    run = tap.referee("ladder", "show", "--json", "--data", serve.data, "--ladder",
                      ladder)
    return [row["bot"] for row in map(json.loads, run.out.splitlines())
            if "rank" in row]


def told(folder):
    """Returns the only tournament of a folder."""
    path, = folder.glob("tournament-*.json")
    return json.loads(path.read_text("ascii"))


def seeds(tournament):
    return [bot["bot"] for bot in sorted(tournament["bots"],
                                         key=lambda bot: bot["draw"])]


def beside(serve):
    """Tests a final while the daemon plays on the ladder, with a bot on it that
    lives elsewhere."""
    prepare(serve, NAMES[:5])
    serve.start()
    serve.play("zed", "toepen")
    arena.wait_for(lambda: len(ranked(serve, "toepen")) == 6)
    serve.rest()
    arena.wait_for(lambda: serve.metric(
        'referee_games_rated_total{ladder="toepen"}') > 20)
    # The ladder plays on beside the final, but not as fast as it can.
    serve.file.write_text(serve.file.read_text("ascii").replace(
        "{ game = toepen", "{ games-a-day = 8640 game = toepen"), "ascii")
    serve.reload()
    run = tap.referee(*final(serve, "toepen", "--top", 32, "--resume", "fin"),
                      cwd=serve.root)
    tap.ok(run.code == 0, "a final beside the daemon", run)
    tap.ok("do not live on this machine: zed" in run.err,
           "a bot that lives elsewhere is named", run.err)
    tap.ok("has 5 bots for the final, not 32" in run.err, "so is their number",
           run.err)
    cup = told(serve.root / "fin")
    tap.equal((cup["final"], sorted(seeds(cup))), ("toepen", NAMES[:5]),
              "all others play")
    first, second, last = cup["bracket"]
    tap.equal([match["bye"] for match in first], [True, False, True, True],
              "the best three have a bye")
    tap.equal([len(second), len(last), last[0]["winner"]], [2, 1, 1],
              "the bracket leads to the winner")
    page = serve.get(f"/tournaments/{cup['id']}").text
    text = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", page))
    tap.ok(all(part in text for part in (
        f"{cup['bots'][0]['bot']} has won.", "Quarter-finals", "Semi-finals",
        "Final", "the final of toepen")), "the daemon shows it", text)
    api = serve.get(f"/api/1/tournaments/{cup['id']}")
    every = serve.get("/api/1/tournaments")
    tap.equal((api.code, api.json(), keys.wrong("/api/1/tournaments/ID", api.text)),
              (200, cup, ""), "JSON has what the file has")
    tap.equal(([(one["id"], one["winner"]) for one in every.json()["tournaments"]],
               keys.wrong("/api/1/tournaments", every.text)),
              ([(cup["id"], cup["bots"][0]["bot"])], ""), "and the list its winner")
    for path in ("x", "0" * 32):
        tap.equal(serve.get(f"/api/1/tournaments/{path}").code, 404,
                  f"{path[:4]} is no tournament")
    made = tap.referee("report", "-o", "fin.html", "fin", cwd=serve.root)
    html = (serve.root / "fin.html").read_text("utf-8")
    tap.ok(made.code == 0 and 'class="cup tree"' in html and
           "Semi-finals" in html, "so does a report", made)
    serve.stop()


def refused(serve):
    rate(serve, "few", "--bot", "house", "--bot", "random", "--games", 2)
    for words, part in (
            (final(serve, "toepen", "toepen"), "leave out GAME"),
            (final(serve, "toepen", "--bot", "ann"), "leave out GAME"),
            (final(serve, "toepen", "--seats", 2), "leave out GAME"),
            (final(serve, "toepen", "--top", 1), "--top takes"),
            (final(serve, "toepen", "--top", 33), "--top takes"),
            (final(serve, "topen"), "there is no ladder topen"),
            (final(serve, ""), "--final takes the name of a ladder, not ''"),
            (["tournament", "knockout", "--final", "toepen"], "needs --data DIR"),
            (["tournament", "knockout", "toepen", "--top", 3],
             "--top goes with --final"),
            (["tournament", "knockout", "toepen", "--frozen"],
             "--frozen goes with --final")):
        tap.complains(tap.referee(*words, cwd=serve.root), 2, part, part)
    words = ("--resume", "again", "--games", 2)
    run = tap.referee(*final(serve, "toepen", *words, "--top", 4, "--best", 2),
                      cwd=serve.root)
    tap.ok(run.code == 2 and "--best takes" in run.err,
           "a final that does not begin", run)
    run = tap.referee(*final(serve, "toepen", *words, "--top", 2), cwd=serve.root)
    tap.ok(run.code == 0 and len(told(serve.root / "again")["bots"]) == 2,
           "the next command chooses its bots again", run)
    few = tap.referee(*final(serve, "few"), cwd=serve.root)
    tap.ok(few.code == 2 and "needs 2 bots, and 0 can play" in few.err,
           "bots that are built in are not bots of the ladder", few)


def owners(serve):
    """Tests that at three seats each owner has one bot."""
    for name in ("ann", "bob"):
        bots(serve, "owner", name, "kim")
    rate(serve, "three", *[word for name in NAMES[:5] for word in ("--bot", name)],
         "--seats", 3, "--games", 30, "--bank", 1234, "--faults", 5)
    order = ranked(serve, "three")
    out = next(name for name in reversed(order) if name in ("ann", "bob"))
    run = tap.referee(*final(serve, "three", "--resume", "three"), cwd=serve.root)
    tap.ok(run.code == 0 and f"has one bot in the final: {out}" in run.err,
           "an owner's second bot is left out", run)
    plan = json.loads((serve.root / "three" / "plan").read_text("ascii"))
    tap.equal((plan["times"], plan["faults"], plan["seats"]),
              ([10000000, 1234000, 0, 0], 5, 3), "its limits are the ladder's")
    tap.equal(seeds(told(serve.root / "three")),
              [name for name in order if name != out],
              "the others are seeded by their ranks")


def versions(serve):
    """Tests that a bot plays whose present version has no games on the ladder, and
    that a sentence says why others do not."""
    games = [word for name in ("bob", "cyd", "dan") for word in ("--bot", name)]
    rate(serve, "line", *games, "--seats", 2, "--games", 12)
    add(serve, local_bots.folder(serve.root, "cyd", "2", 'games = { "toepen" }\n'))
    run = tap.referee(*final(serve, "line", "--resume", "line"), cwd=serve.root)
    tap.ok(run.code == 0 and "left out" not in run.err, "nobody is left out", run)
    tap.equal(seeds(told(serve.root / "line")),
              ["cyd.2" if name == "cyd" else name for name in ranked(serve, "line")],
              "the present version plays for the bot")
    rate(serve, "line", *games, "--seats", 2, "--games", 12)
    bots(serve, "disable", "dan")
    run = tap.referee(*final(serve, "line", "--resume", "two"), cwd=serve.root)
    tap.equal((run.code, sorted(seeds(told(serve.root / "two")))),
              (0, ["bob", "cyd.2"]), "a bot plays once, and only if it may")
    tap.ok("because they are superseded: cyd" in run.err and
           "because they are disabled: dan" in run.err, "others are named", run.err)
    bots(serve, "enable", "dan")


def start(serve, *words):
    """Starts a final, which waits in its first games."""
    (serve.root / "hold").touch()
    known = set((serve.data / "tournaments").glob("*.json"))
    process = subprocess.Popen(
        [tap.REFEREE, *map(str, final(serve, "cup", "--jobs", 2, *words))],
        cwd=serve.root,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    new = []
    arena.wait_for(lambda: new.extend(
        set((serve.data / "tournaments").glob("*.json")) - known) or new)
    return process, new[0]


def killed(serve):
    """Tests that the same command goes on with the same bots, even if the ladder is
    another one meanwhile."""
    order = ranked(serve, "cup")
    words = ("--top", 6, "--resume", "killed")
    process, _ = start(serve, *words)
    process.send_signal(signal.SIGKILL)
    process.wait()
    bots(serve, "disable", order[0], "too slow")
    (serve.root / "hold").unlink()
    run = tap.referee(*final(serve, "cup", *words), cwd=serve.root)
    cup = told(serve.root / "killed")
    tap.ok(run.code == 0 and cup["over"] and seeds(cup) == order[:6],
           "a final that was killed goes on with its bots", run)
    bots(serve, "enable", order[0])
    tap.complains(tap.referee(*final(serve, "cup", "--top", 7, "--resume",
                                     "killed"), cwd=serve.root), 2,
                  "differs in `tournament`", "another --top is another final")


def frozen(serve):
    """Tests that the seeds of a final do not tell frozen standings, unless the
    organiser wants it."""
    text = serve.file.read_text("ascii")
    serve.file.write_text(text + FROZEN % "2020-01-01T00:00:00Z", "ascii")
    serve.start()
    folder = serve.data / "ladders" / "cup"
    arena.wait_for(lambda: list(folder.glob("frozen-*.db")))
    words = final(serve, "cup", "--top", 2)
    tap.complains(tap.referee(*words, cwd=serve.root), 2, "cup are frozen",
                  "a final is refused while its ladder's standings are frozen")
    run = tap.referee(*words, "--frozen", "--resume", "late", cwd=serve.root)
    tap.equal(run.code, 0, "not if the organiser says so")
    run = tap.referee(*words, "--resume", "late", cwd=serve.root)
    tap.equal(run.code, 0, "and one that has begun goes on")
    kept = serve.root / "late" / "final"
    older = json.loads(kept.read_text("ascii"))
    del older["frozen"]
    kept.write_text(json.dumps(older), "ascii")
    run = tap.referee(*words, "--resume", "late", cwd=serve.root)
    tap.equal((run.code, told(serve.root / "late").get("frozen")), (0, True),
              "also one that an older program began")
    cup = told(serve.root / "late")["id"]
    paths = [f"{at}/{cup}" for at in ("/tournaments", "/api/1/tournaments")]
    paths.append(f"{paths[0]}/projector")
    older = told(serve.root / "killed")["id"]

    def seen():
        return ([serve.get(path).code for path in paths],
                [cup in serve.get(path.partition(cup)[0][:-1]).text
                 for path in paths[:2]], serve.get(f"/tournaments/{older}").code)
    tap.equal(seen(), ([403] * 3, [False] * 2, 200),
              "pages hide it, and show one that began before")
    tap.ok("while the standings of its ladder were frozen" in
           serve.get(paths[0]).text, "and say why")
    ladder = serve.file.read_text("ascii")
    serve.file.write_text(text, "ascii")
    serve.reload()
    arena.wait_for(lambda: serve.get("/ladders/cup").code == 404)
    serve.stop()
    serve.start()
    tap.equal(seen(), ([403] * 3, [False] * 2, 200),
              "nobody knows of a ladder that is gone whether it has thawed")
    serve.file.write_text(ladder.replace(
        "freezes = 2020-01-01T00:00:00Z", ""), "ascii")
    serve.reload()
    # A page that is 100 ms old is sent as it is.
    shown = ([200] * 3, [True] * 2, 200)
    tap.ok(arena.wait_for(lambda: seen() == shown), "until the standings are shown")
    tap.equal(keys.wrong("/api/1/tournaments/ID", serve.get(paths[1]).text), "",
              "with its keys")
    again = told(serve.root / "late")["told"] + 1
    date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(again))
    serve.file.write_text(text + FROZEN % date, "ascii")
    serve.reload()
    arena.wait_for((folder / f"frozen-{again}.db").exists)
    run = tap.referee(*words, "--frozen", "--resume", "later", cwd=serve.root)
    later = told(serve.root / "later")["id"]
    tap.equal((run.code, serve.get(f"/tournaments/{later}").code), (0, 403),
              "the next freeze hides its own final")
    tap.equal(seen(), shown, "but not that of the freeze before")
    serve.file.write_text(text, "ascii")
    serve.stop()


def broken(serve):
    """Tests that a final goes on without a bot that does not begin any more."""
    add(serve, local_bots.folder(serve.root, "ida", "1", 'games = { "toepen" }\n', **{
        "bot.sh": f"[ ! -e {serve.root}/gone ] || exit 1\n" + GATE % serve.root}))
    rate(serve, "odd", "--bot", "ann", "--bot", "bob", "--bot", "ida", "--games", 12)
    (serve.root / "gone").touch()
    run = tap.referee(*final(serve, "odd", "--top", 3, "--resume", "odd", "--json"),
                      cwd=serve.root)
    rows = {row["bot"]: row for row in map(json.loads, run.out.splitlines())
            if "bot" in row}
    cup = told(serve.root / "odd")
    tap.ok(run.code == 0 and cup["over"] and cup["bots"][0]["bot"] in ("ann", "bob"),
           "a bot that does not begin ends no final", run)
    tap.equal((rows["ida"]["wins"], rows["ida"]["trouble"]["fault"]), (0, "crash"),
              "it loses its games, and the table says why")
    bots(serve, "remove", "ida")


def sixteen(serve, path):
    """Makes the file of a final of sixteen bots from that of another; returns its
    path."""
    cup = json.loads(path.read_text("ascii"))
    cup.update(id="f" * 32, phase=1, over=False, byes=[], bots=[
        dict(cup["bots"][0], bot=f"a-bot-with-a-name-{n}", draw=n, phase=1, byes=0)
        for n in range(1, 17)], tables=[
            {"phase": 1, "bots": [n, 17 - n], "shares": [0.0, 0.0], "games": 0,
             "first": "0" * 32} for n in range(1, 9)])
    (serve.data / "tournaments" / f"tournament-{cup['id']}.json").write_text(
        json.dumps(cup), "ascii")
    return f"/tournaments/{cup['id']}"


def browser(serve):
    if web.skip("the final in a browser"):
        return
    serve.start()
    process, path = start(serve, "--resume", "shown")
    web.play("web-final.mjs", {
        "base": f"http://127.0.0.1:{serve.port('pages')}",
        "path": f"/tournaments/{path.stem[-32:]}",
        "sixteen": sixteen(serve, path), "best": ranked(serve, "cup")[0],
        "pictures": os.environ.get("PICTURES")},
        go=lambda: (serve.root / "hold").unlink() or process.wait())
    serve.stop()


with local_bots.serve() as serve:
    for test in (beside, refused, owners, versions):
        test(serve)
with local_bots.serve() as serve:
    serve.file.write_text(serve.file.read_text("ascii").replace(
        'ladder "toepen" { game = toepen seats = 2 at-once = 4 }\n', ""), "ascii")
    prepare(serve, NAMES, **{"bot.sh": GATE % serve.root})
    rate(serve, "cup", *[word for name in NAMES for word in ("--bot", name)],
         "--seats", 2, "--games", 56, "--move-time", 3600000)
    killed(serve)
    broken(serve)
    browser(serve)
    frozen(serve)
tap.done()
