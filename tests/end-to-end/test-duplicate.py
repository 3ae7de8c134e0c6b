#!/usr/bin/env python3
"""End-to-end because a match is killed in the middle of a block: the games of a block have
one deal, their records appear together when its last game is over, and the match says
how much that gains.  CHECK_ALL=1 kills more often."""

import json
import os
import re
import signal
import sys

import arena
import held
import machine
import tap

sys.path.insert(0, str(tap.VECTORS.parent / "independent"))
import match_bars

ALL = os.environ.get("CHECK_ALL") == "1"
GAMES, KILLS = (1200, 30) if ALL else (120, 3)
SEATS = 3
BOTS = arena.bots("random", ("house", "house"), ("other", "random"),
                  ("last", "random"))
MATCH = ["match", "toepen", "--duplicate", "-o", "points=2", *BOTS, "--seats",
         SEATS, "--games", GAMES, "--seed", "deals"]


def play(place, *arguments):
    return tap.referee(*MATCH, *arguments, cwd=place.root)


def heads(folder):
    """Returns (headers as {key: value}, body) of each record in a folder."""
    found = []
    for path in sorted(folder.glob("*.rec")):
        head, _, body = path.read_text().partition("\n\n")
        lines = dict(line.rsplit(" ", 1) if line.startswith("bot ")
                     else line.split(" ", 1) for line in head.splitlines()
                     if " " in line)
        found.append({**lines, "body": body})
    return found


def blocks(folder):
    """Returns {ID: {number in the block: record}}."""
    found = {}
    for head in heads(folder):
        if "block" in head:
            name, number = head["block"].split()
            found.setdefault(name, {})[int(number)] = head
    return found


def seats_of(head):
    return [head[f"bot {seat}"] for seat in range(SEATS)]


def whole(place):
    run = play(place, "--records", "whole", "--jobs", 2)
    tap.ok(run.code == 0, "a match in blocks", run)
    found = blocks(place.root / "whole")
    tap.equal({len(block) for block in found.values()}, {SEATS},
              "has as many games of each deal as seats")
    tap.equal(len(found), GAMES // SEATS, "and no other")
    tap.equal(tap.referee("verify", place.root / "whole").code, 0,
              "each verifies")
    first = {name: re.findall(r"(?m)^(?:round 1 |deal ).*", block[1]["body"])
             for name, block in found.items()}
    odd = [name for name, block in found.items() for k in block
           if block[k]["body"].split("\n")[:SEATS + 1] !=
           first[name][:SEATS + 1]]
    tap.equal(odd, [], "dealt the same hands")
    odd = [name for name, block in found.items() for k in block
           if seats_of(block[k]) != (seats_of(block[1]) * 2)[
               SEATS + 1 - k:][:SEATS]]
    tap.equal(odd, [], "to bots that sit one seat further in each game")
    seals = [head["commit"] for head in heads(place.root / "whole")]
    tap.equal(len(set(seals)), GAMES, "each game has its own commitment")
    tap.equal(sorted(path.name for path in (place.root / "whole").iterdir()
                     if path.suffix not in (".rec", ".asks")), [],
              "and nothing is left behind")
    return run


def gains(place, run):
    numbers = {int(path.name[:8]): path for path in
               (place.root / "whole").glob("*.rec")}
    games = {number: (record.bots(), record.places()) for number, record in
             ((number, arena.Record(path)) for number, path in
              numbers.items())}
    found, error = match_bars.gain(SEATS, games)
    tap.ok(f"gain: {found:.3f} +-{error:.3f} (" in run.out,
           "the gain is that of the records", (found, error, run.out))
    js = json.loads(play(place, "--json").out.splitlines()[-1])
    tap.ok(abs(js["gain"] - found) < 1e-8 and
           abs(js["gain_error"] - error) < 1e-8, "in JSON, too", js)
    plain = tap.referee(*[word for word in MATCH if word != "--duplicate"],
                        "--json", cwd=place.root).out.splitlines()[-1]
    tap.ok("gain" not in plain, "and only there", plain)


def table(text):
    return re.sub(r"\d+\s+turns\s+in\s+[\d.]+\s+s", "", text)


def public(folder):
    """Returns the blocks with records in the folder, and the incomplete ones
    among them."""
    found = blocks(folder)
    return found, [name for name, block in found.items()
                   if len(block) < SEATS]


def kill_at(place, folder, goal, *arguments, number=signal.SIGKILL):
    """Kills a match; returns true if it was not over."""
    match = place.popen(list(map(str, [*MATCH, "--jobs", 2, *arguments])))
    arena.wait_for(lambda: match.poll() is not None or
                   len(list((place.root / folder).glob("*.rec"))) >= goal)
    match.send_signal(number)
    match.communicate()
    return match.returncode == -number


def killed(place, run):
    """Tests that after a kill at most one block is there in part: the one that
    was being written."""
    dice, kills, before = tap.dice("kills"), 0, set()
    goals = sorted(dice.randrange(GAMES * 3 // 4) for _ in range(KILLS))
    folder = place.root / "killed"
    for n, goal in enumerate(goals):
        number = signal.SIGTERM if n % 3 == 1 else signal.SIGKILL
        kills += kill_at(place, "killed", goal, "--resume", "killed",
                         number=number)
        half = set(public(folder)[1])
        most = 1 if number == signal.SIGKILL else 0
        tap.ok(len(half - before) <= most,
               f"{number.name} after {goal} games: at most {most} more of the "
               "blocks is there in part", half)
        before = half
    tap.note(f"killed {kills} times, {len(before)} blocks were cut at last")
    tap.ok(kills > 0, "it was killed before it was over", goals)
    last = play(place, "--resume", "killed")
    tap.equal((last.code, table(last.out)), (0, table(run.out)),
              "resumed it ends with the table of one that ran through")
    found, some = public(folder)
    tap.equal((len(found), some), (GAMES // SEATS, []),
              "no block is lost, doubled or half")
    tap.equal(sorted(path.name for path in folder.iterdir()
                     if path.suffix not in (".rec", ".asks")), ["plan"],
              "and nothing else is left behind")
    alone = [path.name for path in folder.glob("*.asks")
             if not path.with_suffix(".rec").exists()]
    tap.ok(not alone and any(folder.glob("*.asks")),
           "asks have come with their records", alone)
    tap.complains(tap.referee(*[word for word in MATCH if word !=
                                "--duplicate"], "--resume", "killed",
                              cwd=place.root), 2, "differs in `duplicate`",
                  "without blocks it is another match")
    tap.complains(play(place, "--records", "killed"), 2,
                  "has the plan of another match", "nor are its records mixed")


def played(folder):
    """Returns {block: the records of its finished games}."""
    return {name: [head for head in block.values() if "aborted" not in head]
            for name, block in blocks(folder).items()}


def halves(folder):
    return [name for name, games in played(folder).items()
            if 0 < len(games) < SEATS]


def all_count(place, name, folder, what):
    """Tests that all records are on the ladder and no game is void."""
    ids = {head["id"] for games in played(folder).values() for head in games}
    run = tap.referee("ladder", "games", "--ladder", name, "--json",
                      cwd=place.root)
    told = {game["id"]: "void" in game for game in
            map(json.loads, run.out.splitlines())}
    tap.equal(told, dict.fromkeys(ids, False), what)
    tap.equal(list(folder.glob("*.void")), [], "nothing is voided for that")
    rebuilt = tap.referee("ladder", "rebuild", "--ladder", name,
                          cwd=place.root)
    tap.ok(rebuilt.code == 0 and "nothing differs" in rebuilt.out,
           "and the ladder is that of its records", rebuilt)


def on_a_ladder(place):
    """Tests that if a match without a plan is interrupted, its records count."""
    for attempt in range(20):  # until a block was not over
        name = f"ladder-{attempt}"
        folder = place.root / f"{name}.records"
        kill_at(place, folder.name, 20, "--ladder", name, "--games", 6000,
                number=signal.SIGTERM)
        if halves(folder):
            break
    half = halves(folder)
    tap.ok(half, "interrupted: some blocks are there in part")
    again = tap.referee("match", "toepen", "-o", "points=2", *BOTS, "--seats",
                        SEATS, "--duplicate", "--games", 3, "--ladder", name,
                        cwd=place.root)
    tap.equal(again.code, 0, "another match goes on there")
    all_count(place, name, folder, "all that is recorded counts")
    if half:
        fitted(place, name)


# Seat 0 is held before its first answer until the test ends the process that
# holds it.  It logs its answers and the ends of games.
GATE = """
import subprocess, sys, time
def log(what):
    # luck: what comes first is earlier
    print(what, time.monotonic_ns(), file=sys.stderr, flush=True)
held = False
for line in sys.stdin:
    words = line.split()
    if words[0] == "referee":
        print("bot gate", flush=True)
    elif words[0] == "game":
        held = words[4] == "0"
    elif words[0] == "ask":
        if held:
            subprocess.run(["sleep", "86400"])
        held = False
        log("answers")
        print("do", words[1], words[3], flush=True)
    elif words[0] == "over":
        log("over")
"""


def with_gate(place, *arguments):
    """Starts a match that plays two games at a time and has a held game in two
    blocks; all other games that have begun are over."""
    bot = place.root / "gate"
    if not bot.exists():
        bot.mkdir()
        (bot / "bot.py").write_text(GATE)
        (bot / "bot.conf").write_text(
            'name = "gate"\nrun = { "python3", "bot.py" }\nentropy = yes\n')
    match = place.popen(list(map(str, [
        "match", "toepen", "--duplicate", "-o", "points=2", "--bot", "random",
        "--bot", "house", "--bot", bot, "--games", 12, "--jobs", 2, "--seed",
        "gate", *held.TIMES, *arguments])))
    arena.wait_for(lambda: match.poll() is not None or
                   len(holding(place)) == 2)
    tap.ok(match.poll() is None, "two blocks are held")
    return match


def holding(place):
    return [pid for pid, line in place.processes().items()
            if line.strip() == held.NAP]


def end(match, number):
    match.send_signal(number)
    match.communicate()


def in_secret(place):
    """Tests that until a block is over no file has a game of it, and no bot has
    heard that one is over."""
    if machine.no_boxes():
        tap.skip("bots in boxes", machine.no_boxes())
        return
    folder = place.root / "secret"
    match = with_gate(place, "--resume", folder, "--stderr", "gates")
    tap.equal([str(path.relative_to(folder)) for path in folder.rglob("*")],
              ["plan"], "no game of theirs is in the folder")
    end(match, signal.SIGTERM)
    tap.equal(heads(folder), [], "nor when it is interrupted, to be resumed")
    end(with_gate(place, "--resume", folder, "--stderr", "gates"),
        signal.SIGKILL)
    tap.equal(heads(folder), [], "nor killed")
    match = with_gate(place, "--resume", folder, "--stderr", "gates")

    def let_on():
        for pid in holding(place):
            held.release(pid)
        return match.poll() is not None
    arena.wait_for(let_on)
    match.communicate()
    tap.equal((match.returncode, len(heads(folder))), (0, 12),
              "resumed it is played to its end")
    tap.equal([head["id"] for head in heads(folder)
               if any(key.startswith("entropy ") for key in head)], [],
              "and no bot gives entropy for a deal that is played again")
    answers, over = {}, {}
    for path in (place.root / "gates").glob("*.txt"):
        block = (int(path.name[:8]) - 1) // SEATS
        for what, at in re.findall(r"(?m)^(answers|over) (\d+)$",
                                   path.read_text()):
            (over if what == "over" else answers).setdefault(block, []).append(
                int(at))
    tap.equal({block: len(times) for block, times in over.items()},
              dict.fromkeys(range(4), SEATS), "its bot hears of each game's end")
    tap.equal([block for block, times in over.items()
               if min(times) < max(answers[block])], [],
              "but of none before the last answer of its block")

    match = with_gate(place, "--ladder", "gate.db")
    folder = place.root / "gate.db.records"
    tap.equal([path.suffix for path in folder.iterdir()], [".ladder"],
              "on a ladder, too, nothing is there but what that began with")
    end(match, signal.SIGTERM)
    found = blocks(folder)
    left = {name: {k for k, head in block.items() if "aborted" in head}
            for name, block in found.items()}
    tap.equal([len(left[name]) for name in found], [1, 1],
              "interrupted for good it has one game of each aborted")
    first = next((block for block in found.values() if len(block) == SEATS), {})
    tap.equal(len([k for k in first if "aborted" not in first[k]]), SEATS - 1,
              "and what was over is recorded")
    tap.equal([name for name, block in found.items()
               if sorted(block) != list(range(1, len(block) + 1))], [],
              "without a hole")
    all_count(place, "gate.db", folder, "and counts")


def fitted(place, name):
    """Tests that a ladder's fit takes the games of a block as one cluster, like
    the blocks in a file of results."""
    folder = place.root / f"{name}.records"
    played = [head for head in heads(folder) if "aborted" not in head]
    played.sort(key=lambda head: int(head["serial"]))
    lines = {True: [], False: []}
    for head in played:
        places = {line.split()[1]: line.split()[2] for line in
                  head["body"].splitlines() if line.startswith("result ")}
        for with_block, to in lines.items():
            block = head["block"].split()[0] if with_block else ""
            to += [f"{head['id']},{block},{bot},{places[str(seat)]}\n"
                   for seat, bot in enumerate(seats_of(head))]
    bars = {}
    for with_block, to in lines.items():
        file = place.root / "results.csv"
        file.write_text("game,block,bot,place\n" + "".join(to))
        run = tap.referee("ladder", "fit", "--results", file, "--json")
        bars[with_block] = fit_of(run)
    run = tap.referee("ladder", "fit", "--ladder", name, "--json",
                      cwd=place.root)
    tap.equal(fit_of(run), bars[True], "the ladder's fit is that of blocks")
    tap.ok(fit_of(run) != bars[False], "not that of single games",
           (run, bars[False]))
    run = tap.referee("ladder", "games", "--ladder", name, "--json",
                      cwd=place.root)
    told = {game["id"]: game.get("block") for game in
            map(json.loads, run.out.splitlines())}
    tap.equal({head["id"]: told[head["id"]] for head in played},
              {head["id"]: head["block"].split()[0] for head in played},
              "its games are listed with their blocks")


def fit_of(run):
    return sorted((line["bot"], line["elo"], line["from"], line["to"])
                  for line in map(json.loads, run.out.splitlines()))


def workers(place):
    return [pid for pid, line in place.processes().items()
            if re.search(r" play-jobs \d+ -?\d+ $", line)]


def lost_workers(place):
    """Tests that a game that has lost a worker is played again in its block,
    and that one that has lost two is void with its block."""
    # The whole path is given, because an ordinary user can tell the processes
    # only by it.
    match = place.popen(list(map(str, [
        *MATCH, "--games", 1000000, "--records", place.root / "lost", "--jobs", 1])))
    for goal in (10, 20, 30):
        arena.wait_for(lambda: match.poll() is not None or len(list(
            (place.root / "lost").glob("*.rec"))) >= goal)
        before = arena.wait_for(lambda: workers(place))
        if not tap.ok(before, f"after {goal} games a worker is there", match):
            break
        arena.kill(before[0])
        arena.wait_for(lambda: not set(before) & set(workers(place)))
    arena.wait_for(lambda: len(list(
        (place.root / "lost").glob("*.rec"))) >= 60)
    match.send_signal(signal.SIGTERM)
    err = match.communicate()[1].decode()
    found = blocks(place.root / "lost")
    half = [name for name, block in found.items() if len(block) < SEATS]
    tap.ok(len(found) >= 20 and len(half) <= 1 + err.count(
        "is not played: 2 worker processes were lost with it"),
           "blocks are whole, though workers are lost", (half, err))


def refused(place):
    bot = place.root / "again"
    bot.mkdir()
    (bot / "bot.conf").write_text('name = "again"\nrun = { "cat" }\n'
                                  'reuse = yes\n')
    run = tap.referee("match", "toepen", "--duplicate", "--bot", "random",
                      "--bot", bot, cwd=place.root)
    tap.complains(run, 2, "bot again has `reuse = yes`",
                  "nor with a bot whose process plays on")
    if machine.no_boxes():
        run = tap.referee("match", "toepen", "--duplicate", "--bot", "random",
                          "--bot", "cat", cwd=place.root)
        tap.complains(run, 3, "for --duplicate at least sandbox tier B",
                      "nor with programs without a box")


with arena.Arena() as place:
    through = whole(place)
    gains(place, through)
    killed(place, through)
    in_secret(place)
    on_a_ladder(place)
    lost_workers(place)
    refused(place)
tap.done()
