#!/usr/bin/env python3
"""Tests `referee replay --opinions` and `--swing`: what the strong bot thinks
of a seat.  End-to-end because another program thinks; its sentences are for
tests/unit/test-opinion.c."""

import html
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import arena
import tap

PROGRAM = tap.BUILD_DIR / "sample-bots" / "strong" / "strong-opinions"
SOURCE = tap.VECTORS / "toepen-source.rec"


def replay(path, seat, *args):
    return tap.referee("replay", "--view", str(seat), *args, path)


def opinions(path, seat, *args):
    run = replay(path, seat, "--opinions", "--json", *args)
    lines = [json.loads(line) for line in run.out.splitlines()]
    return [line for line in lines if "opinion" in line], lines


# ---- a game of each kind, each seat: the same each time, and true to its lines
def test_games(folder):
    for game, seats in (("daumen-drauf", 2), ("daupun", 2), ("doubles-dread", 2),
                        ("durnius", 2), ("toepen", 3)):
        record = folder / f"{game}.rec"
        tap.write_record(record, f"game={game}", f"seats={seats}", "seed=opinions",
                         "fault_rate=40", "faults=3")
        first, again = (replay(record, seats - 1, "--opinions", "--json",
                               "--playouts", "10") for _ in range(2))
        tap.ok(first.code == 0 and first.out == again.out and not first.err,
               f"{game}: the same opinions each time", first)
        found, lines = opinions(record, 0, "--playouts", "20")
        wrong = []
        events = [line for line in lines if "event" in line]
        for one in found:
            after = next(line["event"] for line in events[one["at"]:]
                         if line["event"].startswith(("move", "quiet")))
            made = one.get("made", {}).get("token")
            if made is None and after.startswith(("move 0", "quiet")):
                wrong.append((one, after))
            elif made is not None and after not in (f"move 0 {made}", "quiet"):
                wrong.append((one, after))
            values = [best["value"] for best in one["best"]]
            if values != sorted(values, reverse=True) or not 0 < len(values) <= 3:
                wrong.append(values)
        tap.ok(found and not wrong, f"{game}: each has the move that was made",
               wrong[:3])


# ---- words
# ---- what is wrong
def test_wrong(folder):
    for args, why in (
            (["--opinions"], "need --view SEAT"),
            (["--opinions", "--view", "public"], "need --view SEAT"),
            (["--opinions", "--view", "1", "--raw"], "do not go with --raw"),
            (["--opinions", "--view", "1", "--step"], "does not go with --step"),
            (["--swing", "--view", "1", "--from", "2"], "only one of --from"),
            (["--playouts", "10"], "need --opinions or --swing"),
            (["--opinions", "--view", "1", "--playouts", "0"], "from 1 to 1000000"),
            (["--opinions", "--view", "1", "--playouts", "1000001"],
             "from 1 to 1000000")):
        run = tap.referee("replay", *args, SOURCE)
        tap.ok(run.code == 2 and why in run.err and not run.out, " ".join(args), run)
    run = replay(SOURCE, 1, "--opinions", "--opinion-program", folder / "none")
    tap.ok(run.code == 3 and not run.out and run.err == f"referee: cannot start "
           f"{folder}/none: No such file or directory\n",
           "a program that is not there: one sentence", run)
    alone = folder / "alone"
    alone.mkdir()
    shutil.copy(tap.REFEREE, alone / "referee")
    run = tap.run([alone / "referee", "replay", "--view", "1", "--opinions", SOURCE])
    if os.path.exists("/usr/libexec/referee/strong-opinions"):
        tap.ok(run.code == 0, "the installed one", run)
    else:
        tap.ok(run.code == 3 and "there is no program strong-opinions" in run.err,
               "no strong bot beside the program", run)


# ---- the program itself
def ask(text, *args):
    with tempfile.TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        return tap.run([PROGRAM, *args], stdin=file)


def test_program():
    lines = tap.referee("replay", "--raw", "--asks", "--view", "1", SOURCE).out
    words = [line.split() for line in SOURCE.read_text().splitlines()]
    seats = next(word[1] for word in words if word[:1] == ["seats"])
    options = "".join(f" {word[1]}={word[2]}" for word in words
                      if word[:1] == ["option"])
    game = f"game x toepen seat 1 of {seats}{options} faults=3 time=100\n"
    whole = ask(game + lines, "--playouts", "20")
    tap.ok(whole.code == 0 and whole.out.splitlines()[-1].startswith("over "),
           "the output of replay is its input", whole)
    tap.equal(ask("game y" + game[6:] + lines, "--playouts", "20").out == whole.out,
              False, "another game's ID: other numbers")
    few = ask(game + lines, "--playouts", "20", "--asks", "2")
    over = whole.out.splitlines()[-1].split()
    tap.ok(few.out.count("opinion ") == 2
           and few.out.splitlines()[-1] == f"over 2 of {over[3]}",
           "--asks 2: two are judged, and it says so", few)
    all_asks = ask(game + lines, "--playouts", "20", "--asks", over[3])
    tap.equal(all_asks.out, whole.out, "as many as there are: all")
    for text, what in (("", "nothing"), ("deal 1 ? ?\n", "no game"),
                       ("game x chess seat 0 of 2\n", "an unknown game"),
                       ("game x toepen seat 9 of 4\n", "no such seat"),
                       (game + "ask 1 pass\n", "an ask out of nothing"),
                       (game + "round 1 0\n" + lines, "lines that cannot be"),
                       (game + lines.replace("ask 1 ", "ask 1 play:QQ "),
                        "other asks are not looked at")):
        run = ask(text, "--playouts", "2")
        fine = what.startswith("other")
        tap.ok(run.code == (0 if fine else 1) and (fine or len(run.err) > 10), what,
               run)
    tap.equal(ask(game, "--playouts").code, 2, "--playouts without a number")


# ---- the other seating of a duplicate deal
def public(path):
    return tap.referee("replay", "--view", "public", "--raw", path).out.splitlines()


def test_against(folder):
    one, other = folder / "one.rec", folder / "other.rec"
    for path, number in ((one, 1), (other, 2)):
        tap.write_record(path, "game=toepen", "seats=2", "seed=against",
                         f"block={number}")
    mine, theirs = public(one), public(other)
    at = next((i for i, (a, b) in enumerate(zip(mine, theirs)) if a != b), None)
    run = tap.referee("replay", one, "--against", other, "--json")
    if at is None:  # with this seed both play alike
        tap.ok(run.code == 0 and "the same course" in run.err, "no difference", run)
    else:
        tap.equal(json.loads(run.out)["at"], at + 1, "the first line that differs")
        tap.ok(f"Line {at + 1} is the first that differs." in
               tap.referee("replay", "--against", other, one).out, "in words")
    changed = folder / "changed.rec"
    lines = one.read_text().splitlines()
    body = lines.index("")
    moves = [i for i, line in enumerate(lines) if i > body
             and line.startswith("move ")]
    cut = moves[len(moves) // 2]
    changed.write_text("\n".join(lines[:cut]).replace("\n\n",
                                                     "\naborted test\n\n", 1) + "\n")
    run = tap.referee("replay", one, "--against", changed, "--json")
    answer = json.loads(run.out)
    tap.equal((answer["at"], "against" in answer), (cut - body, False),
              "one that ends before")
    run = tap.referee("replay", one, "--against", one)
    tap.ok(run.code == 0 and not run.out and run.err == "referee: both games took "
           "the same course for spectators\n", "itself", run)
    run = tap.referee("replay", one, "--against", tap.VECTORS / "durnius-basic.rec")
    tap.ok(run.code == 2 and "are not the same game" in run.err, "another game", run)
    run = tap.referee("replay", one, "--against", folder / "none.rec")
    tap.equal(run.code, 2, "no such record")
    run = tap.referee("replay", one, "--against", one, "--raw")
    tap.ok(run.code == 2 and "only --json may be given" in run.err, "--raw", run)


# ---- reports
def test_report(folder):
    games = folder / "games"
    run = tap.referee("match", "toepen", "-o", "points=2", "--bot", "random", "--bot",
                      "house", "--games", "2", "--seed", "report", "--records", games)
    tap.equal(run.code, 0, "some games")
    record = sorted(games.glob("*.rec"))[0]
    told = []
    for seat in range(2):
        run = tap.referee("replay", "--view", str(seat), "--swing", "--json", record)
        told.append(json.loads(run.out.splitlines()[0]) if run.out else None)
    file = folder / "report.html"
    run = tap.referee("report", "--all", "--opinions", "-o", file, games)
    text = file.read_text("utf-8") if file.exists() else ""
    tap.ok(run.code == 0 and text.count("The biggest mistakes") == 2,
           "a report has the biggest mistakes of each game", run)
    tap.ok(all(one is None or f'data-swing="{one["at"]}"' in text and
               one["sentence"] in html.unescape(text) for one in told),
           "which are those of --swing", told)
    every = []
    for path in sorted(games.glob("*.rec")):
        for seat in range(2):
            run = tap.referee("replay", "--view", str(seat), "--opinions", "--json",
                              path)
            every += [json.loads(line) for line in run.out.splitlines()
                      if '"opinion"' in line]
    tap.ok(len(every) > 20 and text.count("data-opinion=") == len(every) and all(
        f'data-opinion="{one["at"]}">Line {one["at"]}: ' in text
        and one["sentence"] in html.unescape(text)
        and all(f'<code>{best["token"]}</code> {best["value"]:.2f}\u00b1' in text
                for best in one["best"]) for one in every),
        "and all that it thinks of each decision", (len(every), every[:1]))
    size = len(text.encode())
    file = folder / "report-all.html"
    run = tap.referee("report", "--all", "-o", file, games)
    text = file.read_text("utf-8")
    tap.ok(run.code == 0 and "biggest mistakes" not in text,
           "without --opinions it has none", run)
    each = (size - len(text.encode())) / len(every)
    tap.ok(each < 700, f"one takes {each:.0f} bytes", each)
    file = folder / "report-opinions.html"
    tap.complains(tap.referee("report", "--opinions", "-o", file, games), 2, "--all",
                  "of games whose cards are hidden there are none")
    tap.ok(not file.exists(), "so there is no report")


def test_configured(folder):
    """Tests that a viewer that may read all cards may read opinions."""
    data = folder / "data"
    ladder = data / "ladders" / "quick"
    ladder.mkdir(parents=True)
    data.chmod(0o700)
    run = tap.referee("match", "toepen", "-o", "points=1", "--bot", "random", "--bot",
                      "house", "--games", "1", "--records", ladder / "records",
                      "--ladder", ladder / "ladder.db")
    tap.equal(run.code, 0, "a ladder")
    for readers, judged in (("everybody", True), ("players", False)):
        config = folder / "referee.conf"
        config.write_text(f'data = "{data}"\nladder quick {{ game = toepen options = '
                          f'{{ "points=1" }} seats = 2 readers = {readers} }}\n', "ascii")
        run = tap.referee("report", "--opinions", "--config", config, "-o", "-")
        tap.ok(run.code == 0 and ("data-opinion=" in run.out) == judged and
               ("there are no opinions" in run.err) != judged,
               f"opinions for {readers}", (run.code, run.err))


def test_interrupt(folder):
    """Tests that Ctrl-C ends a report and leaves nothing behind."""
    temporary, file = folder / "temporary", folder / "interrupted.html"
    temporary.mkdir()
    # A strong bot beside the program that thinks until it is killed.
    endless = folder / "endless"
    endless.mkdir()
    shutil.copy(tap.REFEREE, endless / "referee")
    (endless / "strong-opinions").write_text("#!/bin/sh\nexec sleep 1000\n", "ascii")
    (endless / "strong-opinions").chmod(0o755)
    process = subprocess.Popen(
        [endless / "referee", "report", "--all", "--opinions", "-o", file,
         folder / "games"],
        env={**os.environ, "TMPDIR": str(temporary)}, stderr=subprocess.PIPE)
    arena.wait_for(lambda: any(temporary.iterdir()))
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=tap.TIMEOUT_S)[1].decode()
    tap.ok(process.returncode == 3 and "was stopped" in said and not file.exists()
           and not any(temporary.iterdir()), "a report can be interrupted", said)


with tap.folder() as name:
    test_report(pathlib.Path(name))
    test_configured(pathlib.Path(name))
    test_interrupt(pathlib.Path(name))
    test_against(pathlib.Path(name))
    test_games(pathlib.Path(name))
    test_wrong(pathlib.Path(name))
    test_program()
tap.done()
