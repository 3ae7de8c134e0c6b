#!/usr/bin/env python3
"""Each hostile bot at a table with decent ones, in its box: what it tried, what
it got, what it is charged with, what that did to the others, what was left.

All of them play house moves or nothing, so the game is the one that `house`
plays in that seat, but for the lines that tell of faults.  As root, and as an
ordinary user.  The long form plays each alone, and compares the others' turns
with those beside a decent bot.
"""

import concurrent.futures
import os
import pathlib
import re
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import tap  # noqa: E402
import zoo  # noqa: E402

ALL = bool(os.environ.get("CHECK_ALL"))
GAME = "toepen"
SEATS = 3
MOVE_MS = 1000
AT_A_TIME = 1 if ALL else 4
WORK_US = 1000  # of an honest bot, each turn
TRIES = 4  # of turns, on a machine that others may use, too
SLOWER = 1.2  # others' median turn, at most
WANT = os.environ.get("ZOO_SANDBOX", "on")  # off: to see this fail
MENDED_MS = 0.3  # a change that is less than this is nobody's affair
USERS = [os.geteuid()] + ([zoo.NOBODY] if os.geteuid() == 0 else [])

SANDBOX = ["--sandbox", WANT]
if "--sandbox" not in tap.referee("match", "--help").out:
    if WANT == "on":
        tap.skip_all("this referee has no sandbox")
    SANDBOX = []


class Played:
    """A match of one game; `third` is in the third seat, the guests behind."""

    def __init__(self, ground, *commands, options=(), name="match"):
        folder = ground.root / "records" / name
        bots = []
        for number, command in enumerate(commands):
            bots += ["--bot", command, "--name", f"bot{number}"]
        self.run = tap.run(
            [*ground.become(), tap.REFEREE, "match", GAME, *bots,
             "--games", 1, "--seed", "zoo", "--move-time", MOVE_MS,
             "--records", folder, *SANDBOX, *options],
            cwd=ground.root / "home", env={
                **ground.arena.environ, "HOME": str(ground.root / "home"),
                "SECRET": "a secret"})
        self.records = ground.arena.records(folder)
        self.record = self.records[0] if len(self.records) == 1 else None

    def tier(self):
        match = re.search(r"\btier ([ABCD])\b", self.run.err)
        return match.group(1) if match else "?"

    def turns_ms(self, seat=0):
        text = self.record.path.read_text("ascii")
        return [float(ms) for ms in re.findall(
            rf"^move {seat} \S+ ; ([0-9.]+)ms", text, re.MULTILINE)]

    def median_ms(self):
        turns = self.turns_ms()
        return statistics.median(turns) if turns else 0.0


def honest(ground):
    return f"{ground.root}/other/honest {WORK_US}"


def play(ground, bot, options=(), name=None):
    return Played(ground, honest(ground), "random", ground.command(bot),
                  options=options, name=name or bot.name)


def decent(ground, name):
    return Played(ground, honest(ground), "random",
                  f"{ground.root}/other/honest", name=name)


# ---- what is wrong, as sentences -------------------------------------------

def holes(bot, said, tier):
    """What it got that it should not have."""
    for one in said:
        what = next((key for key in bot.most if re.fullmatch(key, one.what)),
                    None)
        may = any(re.fullmatch(key, one.what) for key in bot.may)
        if what is not None and one.count is not None:
            if one.count > bot.most[what] and not (
                    what == "MiB in many processes" and tier != "A"):
                yield f"{one}, and no more than {bot.most[what]} may be"
        elif one.bit() and not may:
            yield f"it got {one}"


def charges(bot, played, model):
    record = played.record
    faults = record.faults()
    mine = set(faults.pop(2)) or {None}
    if any(faults):
        yield f"others were charged: {faults}"
    if len(mine) != 1 or not mine <= set(bot.faults):
        yield f"charged with {mine}, not with {bot.faults}"
    if record.played() != model.record.played():
        yield "another game than with a decent bot"
    if record.aborted():
        yield "the game was aborted"


def troubles(bot, played, model, said):
    if played.run.code != 0 or played.record is None:
        yield f"{len(played.records)} records; {played.run}"
        return
    yield from holes(bot, said, played.tier())
    yield from charges(bot, played, model)
    if not said and (bot.may or bot.most or bot.bites) and \
            None in bot.faults and not played.record.faults()[2]:
        yield "it said nothing of what it tried"


# ---- the table ---------------------------------------------------------------

def tell(who, bot, played, said, turn, wrong):
    record = played.record
    fault = ",".join(sorted(set(record.faults()[2]))) if record else "?"
    tap.note(f"{who} {bot.name}: fault {fault or 'none'}; others' turn "
             f"{turn}; {'; '.join(map(str, said)) or 'says nothing'}"
             + (f"; WRONG: {'; '.join(wrong)}" if wrong else ""))


def others_turns(ground, bot, played):
    """The honest bot's median beside this one and beside a decent one: the best
    of some tries, for the machine may have other things to do."""
    best = None
    for turn in range(TRIES):
        without = decent(ground, f"decent-{bot.name}-{turn}").median_ms()
        with_it = (played if turn == 0 else play(
            ground, bot, name=f"{bot.name}-{turn}")).median_ms()
        if best is None or with_it - without < best[0] - best[1]:
            best = (with_it, without)
        if untouched(*best):
            break
    return best


def untouched(with_it, without):
    return with_it < max(SLOWER * without, without + MENDED_MS)


def test(ground, who, bot, played, model):
    said = zoo.reports(zoo.remarks(played.record, 2)) if played.record else []
    wrong = list(troubles(bot, played, model, said))
    turn = f"{played.median_ms():.2f} ms" if played.record else "?"
    if ALL and not wrong:
        with_it, without = others_turns(ground, bot, played)
        turn = f"{with_it:.2f} ms (without it {without:.2f} ms)"
        if played.tier() == "A" and not untouched(with_it, without):
            wrong.append(f"others' turns took {turn}")
    tell(who, bot, played, said, turn, wrong)
    tap.ok(not wrong, f"{who}: {bot.name} gets nothing by it",
           "\n".join(wrong))


def whisper(ground, who):
    """Two of one author: what they tell each other."""
    played = Played(ground, ground.command(zoo.WHISPER), "random",
                    ground.command(zoo.LISTEN), name="whisper")
    said = zoo.reports(zoo.remarks(played.record, 2)) if played.record else []
    wrong = [] if played.run.code == 0 and said else [str(played.run)]
    wrong += [f"they hear each other: {one}" for one in said
              if one.count is not None and one.count > 20
              and one.what not in zoo.LISTEN.may]
    tell(who, zoo.LISTEN, played, said, "-", wrong)
    tap.ok(not wrong, f"{who}: whisper is not heard", "\n".join(wrong))


def ponder_off(ground, who):
    """Nobody thinks on others' time, by his own figures."""
    for bot in zoo.BOTS:
        if not bot.name.startswith("ponder"):
            continue
        aside = []
        for ponder in ("on", "off"):
            played = play(ground, bot, ["--ponder", ponder],
                          f"{bot.name}-{ponder}")
            said = zoo.remarks(played.record, 2) if played.record else []
            figures = re.findall(r"aside: (\d+)", "\n".join(said))
            aside.append(int(figures[-1]) if figures else -1)
        tap.ok(aside[0] > 0 <= aside[1] < aside[0] / 5,
               f"{who}: {bot.name} with --ponder off does not think aside",
               f"with --ponder on {aside[0]}, off {aside[1]}")


def visit(user):
    who = "root" if user == 0 else f"user {user}"
    with zoo.Ground(user) as ground:
        for arg in tap.REFEREE, str(zoo.BUILT):
            if tap.run([*ground.become(), "test", "-x", arg]).code != 0:
                tap.ok(True, f"# SKIP {who} cannot reach {arg}")
                return
        model = Played(ground, honest(ground), "random", "house",
                       name="model")
        if not tap.ok(model.run.code == 0, f"{who}: a sandbox",
                      model.run):
            return
        tap.note(model.run.err.strip())
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            # The long ones first.
            order = sorted(zoo.BOTS, key=lambda bot: zoo.TIMEOUT
                           not in bot.faults)
            matches = [(bot, pool.submit(play, ground, bot))
                       for bot in order]
            for bot, match in matches:
                test(ground, who, bot, match.result(), model)
        whisper(ground, who)
        if "--ponder" in tap.referee("match", "--help").out:
            ponder_off(ground, who)
        left = ground.witnesses()
        tap.ok(not left, f"{who}: nothing is left, nobody was called",
               "\n".join(left))
        if left:
            ground.clean_up()


zoo.check_complete([bot.name for bot in zoo.BOTS] + ["whisper"])
for one in USERS:
    visit(one)
tap.done()
