#!/usr/bin/env python3
"""End-to-end because a report is one file that a browser opens from a disk, with and
without a script: it shows only what everyone may see.  test-command-usage has its
mistakes in the command line, test-report how its file is written."""

import json
import os
import re
import shutil
import sqlite3

import arena
import html_page
import machine
import tap
import web

# A bot whose words would end an element, if they were not escaped.
ODD_BOT = '''import sys
for line in sys.stdin:
    words = line.split()
    if words and words[0] == "ask":
        print("say </script><script>alert(1)</script><!-- \\u2028")
        print("do", words[1], "</script><!--<script>" if words[1] == "1"
              else words[3], flush=True)
'''
ODD = ["<script>alert(1)</script>", "\u05d0\u05d1\u05d2\u202e txt", "\"'&<>"]
SCRIPT = re.compile(r"<script[^>]*>.*?</script>|<style>.*?</style>", re.DOTALL)


def frames(html):
    """Returns the lines that are embedded for each game, by ID."""
    return {ident: [json.loads(line) for line in text.splitlines()]
            for ident, text in re.findall(
                r'<script type="application/json" id="frames-([^"]+)">(.*?)'
                r"</script>", html, re.DOTALL)}


def replayed(record, view):
    """Returns the lines of a view as `replay` prints them."""
    run = tap.referee("replay", "--json", "--tables", "--view", view,
                      record.path)
    return [json.loads(line) for line in run.out.splitlines()]


def without_day(html):
    """Returns a report without the day on which it was made."""
    return re.sub(r"(?<= on )\d{4}-\d\d-\d\d(?=\. It has )", "", html)


def report(*arguments, **options):
    return tap.referee("report", *arguments, **options)


class Reports(arena.Arena):
    """Plays games on a ladder and makes reports of them."""

    def prepare(self):
        odd = self.root / "odd.py"
        odd.write_text(ODD_BOT, "utf-8")
        self.ladder = self.root / "l.db"
        run = self.match(
            "toepen", *arena.bots(("anna", "random"), ("bob", "house"),
                                  ("odd", f"python3 -B {odd}")),
            "--games", 4, "--records", "records", "--ladder", "l.db",
            "--sandbox", "off")
        if run.code != 0:
            raise RuntimeError(run)

    def make(self, name, *arguments):
        """Makes a report; returns its text."""
        path = self.root / name
        run = report("-o", path, *arguments)
        tap.ok(run.code == 0 and run.out.startswith("wrote "),
               f"{name} is made", run)
        return path.read_text("utf-8")

    def vector(self, name):
        """Adds a record with known cards as if its game had just ended."""
        text = (tap.VECTORS / f"{name}.rec").read_text("utf-8")
        path = self.root / f"{name}.rec"
        path.write_text(text if "\nended " in text else text.replace(
            "\n\n", "\nended 2026-11-23T10:00:00Z\n\n", 1), "utf-8")
        return arena.Record(path)


def cards(lines):
    """Returns all pieces in these lines."""
    return set(re.findall(r'"([2-9TJQKA][CDHS])"', json.dumps(lines)))


def test_secrets(place):
    """Tests that the cards that stay hidden in a game are not in its report."""
    for name in ("toepen-sealed", "daupun-sealed"):
        record = place.vector(name)
        html = place.make(f"{name}.html", record.path)
        every = place.make(f"{name}-all.html", "--all", record.path)
        found = list(frames(html).values())
        tap.ok(found == [replayed(record, "public")],
               f"{name}: what spectators saw")
        tap.ok(list(frames(every).values()) == [replayed(record, "all")],
               f"{name}: with --all, all of it")
        tap.ok('id="asks-' not in html, f"{name}: no times of asks")
        hidden = cards(replayed(record, "all")) - cards(found)
        tap.ok(hidden or not name.startswith("toepen"),
               f"{name}: {len(hidden)} cards stay hidden")
        tap.equal([card for card in hidden if f'"{card}"' in html
                   or in_words(card) in html], [],
                  "and are not in it")
        tap.ok("secret " not in html and "secret " not in SCRIPT.sub("", every),
               f"{name}: no secret of a deal")


def in_words(card):
    """Returns the name of a card in sentences: "ten of hearts"."""
    ranks = dict(zip("23456789TJQKA", "two three four five six seven eight nine ten "
                     "jack queen king ace".split()))
    suits = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
    return f"{ranks.get(card[0])} of {suits.get(card[1])}"


def test_sound(place):
    """Tests that every section is as sound as the daemon's pages, with any
    bot's name, and that links lead to sections."""
    ladder = place.root / "odd.db"
    shutil.copy(place.ladder, ladder)
    with sqlite3.connect(ladder) as base:
        base.executemany("UPDATE bot SET name = ? WHERE bot = ?",
                         zip(ODD, range(1, 4)))
    base.close()
    for name, which, *more in (("plain.html", place.ladder),
                               ("every.html", place.ladder, "--all"),
                               ("odd.html", ladder)):
        html = place.make(name, "--ladder", which, "--title", "<b>&\"'", *more)
        found = html_page.Page(SCRIPT.sub("", html))
        tap.equal(found.wrong, [], f"{name} is sound")
        tap.equal([link for link in found.links
                   if "#" not in link or link.partition("#")[2]
                   not in found.ids], [], "its links lead into it")
        tap.ok("<script>alert" not in html and "</script><!--" not in html,
               "what bots say and are called ends no element")
        tap.ok(not more or "\\u003c/script>" in html, "but is in it")


def test_views(place):
    """Tests the views that a configuration allows."""
    data = place.root / "data"
    folder = data / "ladders" / "quick"
    folder.mkdir(parents=True)
    data.chmod(0o700)
    run = place.match("toepen", *arena.bots("random", "house"), "--games", 2,
                      "--records", folder / "records", "--ladder",
                      folder / "ladder.db")
    records = {record.header("id"): record for record in
               place.records(folder / "records")}
    tap.ok(run.code == 0 and len(records) == 2, "a ladder in a data folder",
           run)
    for readers, view in (("readers = everybody", "all"),
                          ("readers = everybody read-after-minutes = 60",
                           "public"),
                          ("readers = players", "public"),
                          ("readers = nobody", None)):
        config = place.root / "referee.conf"
        config.write_text(f'data = "{data}"\nladder quick {{ game = toepen '
                          f"seats = 2 {readers} }}\nladder unplayed {{ game = "
                          "durnius }\n", "ascii")
        (place.root / "c.html").unlink(missing_ok=True)
        html = place.make("c.html", "--config", config)
        tap.ok(frames(html) == ({} if view is None else {
            ident: replayed(record, view)
            for ident, record in records.items()}), readers)
    html = place.make("d.html", "--data", data, "--ladder", "quick")
    tap.ok(frames(html) == {ident: replayed(record, "public")
                            for ident, record in records.items()},
           "without a configuration: what spectators saw")
    tap.complains(report("--data", data, "--ladder", "slow", "-o",
                         place.root / "x"), 2, "quick", "no such ladder")
    tap.complains(report("--config", config, "--ladder", "slow", "-o",
                         place.root / "x"), 2, "no ladder 'slow'",
                  "none of that name")


def test_blocks(place):
    """Tests that a report leaves out games of an unfinished block, since they
    show the cards of the others."""
    if tap.skip("reports of blocks", machine.no_boxes()):
        return
    run = tap.referee("match", "toepen", *arena.bots("random", "house"),
                      "--games", 4, "--duplicate", "--records",
                      place.root / "block")
    records = place.records(place.root / "block")
    tap.ok(run.code == 0 and len(records) == 4, "two blocks", run)
    records[0].path.unlink()
    broken = {one.header("id") for one in records[1:]
              if one.header("block") == records[0].header("block")}
    whole = {one.header("id") for one in records[1:]} - broken
    html = place.make("block.html", place.root / "block")
    tap.ok(frames(html).keys() == whole and len(whole) == 2
           and not any(ident in html for ident in broken),
           "only those of the whole block", (frames(html).keys(), whole))
    html = place.make("all.html", "--all", place.root / "block")
    tap.equal(frames(html).keys(), whole | broken, "with --all all of them")


def test_settings(place):
    """Tests that records are rated with the K and the start rating of the
    founding beside them."""
    title = ("--title", "The same")
    ladder, folder = place.root / "k.db", place.root / "k.db.records"

    def play(seed):
        run = tap.referee("match", "toepen", "--bot", "random", "--bot", "house",
                          "--games", 6, "--seed", seed, "--ladder",
                          ladder)
        tap.equal(run.code, 0, "games on a ladder with another K")

    run = tap.referee("ladder", "new", "--ladder", ladder, "--k", 40, "--start", 1000)
    tap.equal(run.code, 0, "a ladder with another K")
    play("a")
    founding = next(folder.glob("00000000-*.ladder"))
    lines = founding.read_text("ascii").splitlines()
    setting = folder / f"00000007-{'5' * 32}.setting"
    setting.write_text("\n".join(
        ["setting 1", f"id {'5' * 32}", lines[2], "serial 7", lines[4],
         "rating-k 5", "rating-start 1200", "end"]) + "\n", "ascii")
    play("b")
    void = tap.referee("ladder", "void", "--ladder", ladder, "--why", "x",
                       arena.Record(next(folder.glob("00000002-*"))).header("id"))
    tap.equal(void.code, 0, "a game on it does not count")
    expected = without_day(place.make("k-ladder.html", *title, "--ladder", ladder))
    tap.ok("1000" in expected, "the start rating is seen")
    run = report("-o", "-", *title, folder)
    tap.ok(run.code == 0 and run.err == "", "a report of its records", run.err)
    tap.ok(without_day(run.out.encode("latin-1").decode()) == expected,
           "shows what that of the ladder does")
    out = place.root / "k.html"
    tap.complains(report("-o", out, "--k", 3, folder), 2, "founding",
                  "another K than that of the founding")
    tap.complains(report("-o", out, "--k", 3, "--ladder", ladder), 2, "--k",
                  "another K than that of the ladder")
    # A copy of the log in a second folder must be the same.
    more = place.root / "more"
    more.mkdir()
    record = max(folder.glob("*.rec"))
    record.rename(more / record.name)
    text = founding.read_text("ascii")
    twin = more / founding.name
    twin.write_text(text.replace("date 2", "date 1"), "ascii")
    for folders in (folder, more), (more, folder):
        tap.complains(report("-o", out, *folders), 2, "differs there",
                      "another founding in a second folder")
    twin.write_text(text, "ascii")
    run = report("-o", "-", *title, folder, more)
    tap.ok(without_day(run.out.encode("latin-1").decode()) == expected,
           "the same one is fine")
    twin.unlink()
    (more / record.name).rename(record)
    os.mkfifo(more / "pipe")
    founding.rename(place.root / "elsewhere.ladder")
    (more / "pipe").rename(founding)
    tap.complains(report("-o", out, folder), 2, "not a file",
                  "a pipe in place of the founding is not waited for")
    founding.unlink()
    run = report("-o", place.root / "k-16.html", *title, folder)
    tap.ok(run.code == 0 and "K 16 and the start rating 1500" in run.err,
           "without the founding it says with what it has rated", run)
    run = report("-o", out, *title, "--k", "40", "--start", 1000, folder)
    tap.ok(run.code == 0 and run.err == "", "unless that was said", run)
    tap.ok(out.read_text() != (place.root / "k-16.html").read_text(),
           "and then it is another report")


def test_mistakes(place):
    out = place.root / "mistake.html"
    record = place.records()[0].path
    (place.root / "pipes").mkdir()
    os.mkfifo(place.root / "pipes" / "x.rec")
    tap.complains(report("-o", out, place.root / "pipes"), 2, "x.rec: not a file",
                  "a pipe in a folder")
    tap.complains(report("-o", out, place.root / "pipes" / "x.rec"), 2,
                  "not a file", "a pipe by its name")
    tap.ok(not out.exists(), "and no file is made")
    out.write_text("mine")
    tap.complains(report("-o", out, record), 2, "exists", "a file that exists")
    tap.equal(out.read_text(), "mine", "stays as it is")
    run = report("-o", place.root / "undated.html", "--all",
                 tap.SOURCE_DIR / "tests/vectors/toepen-arrival.rec")
    tap.ok(run.code == 0 and "1 game left out" in run.err
           and "does not say when it ended" in run.err,
           "why a game is left out", run)
    run = report("-o", "-", "--ladder", place.ladder)
    plain = place.make("plain-again.html", "--ladder", place.ladder)
    tap.ok(run.code == 0 and run.err == ""
           and without_day(run.out) == without_day(
               plain.encode().decode("latin-1")),
           "on standard output there is the report and nothing else",
           (run.code, run.err, run.out[-200:]))
    run = tap.run(["bash", "-c", 'exec "$@" >/dev/full', "bash", tap.REFEREE,
                   "report", "-o", "-", record])
    tap.complains(run, 3, "standard output", "standard output that is full")


def test_browser(place):
    if web.skip("a report in a browser"):
        return
    path = place.root / "browser.html"
    html = place.make(path.name, "--games", 2, "--ladder", place.ladder)
    found = frames(html)
    one, other = found
    tap.note(f"a report of {len(found)} games has {len(html)} characters")
    web.play("web-report.mjs", {
        "report": str(path), "game": one, "other": other,
        "lines": len(found[one]),
        "parts": ["ladder-toepen", "cross-toepen", "games-toepen",
                  "bot-toepen-anna", f"game-{one}"],
        "pictures": os.environ.get("PICTURES")})


with Reports() as serve:
    serve.prepare()
    for test in (test_secrets, test_sound, test_views,
                 test_blocks, test_settings, test_mistakes, test_browser):
        test(serve)
tap.done()
