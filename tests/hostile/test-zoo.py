#!/usr/bin/env python3
"""End-to-end because only the kernel can hold these bots.

Tests each hostile bot in its box at a table with decent ones: what it tried
and got, its faults, its effect on the others, and what it left.

All of them play house moves or nothing, so the game must be the one that
`house` plays in that seat, except for the lines about faults.  It runs as root
or as an ordinary user.  The long form plays each bot as both and alone, and
compares the others' turns with those beside a decent bot.
"""

import concurrent.futures
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import arena  # noqa: E402
import held  # noqa: E402
import machine  # noqa: E402
import tap  # noqa: E402
import zoo  # noqa: E402

ALL = bool(os.environ.get("CHECK_ALL"))
GAME = "toepen"
SEATS = 3
MOVE_MS = 3600000  # a quick bot is never late
# Bots that are late on purpose use this bank up; the others do not.
LATE = ("--move-time", 1000, "--bank", 5000)
AT_A_TIME = 1 if ALL else 4
WORK_US = 4000 if ALL else 0  # work of an honest bot a turn
WORKED = 5  # ticks that show that it has a processor
PONDER_OFF = ("--ponder", "off")
TRIES = 5  # tries to compare turns on a machine that may be busy
QUIET = 1.2  # the machine is quiet if a decent table's turns take so many times their work
CROWD = .1  # or the processors that all other programs may use meanwhile
SLOWER = 1.2  # largest factor of the others' median turn
WANT = os.environ.get("ZOO_SANDBOX", "on")  # off: to see this fail
ONLY = os.environ.get("ZOO_BOTS", "").split()  # the bots to play; empty: all
CLOSED = ("devices", "setuid", "fork-bomb", "raise-limits", "signals")
# A control group bounds these if root plays, otherwise the limits of a process
# and polling.
BOTH = ("fork-bomb", "thread-bomb", "memory-many", "name-bomb")
# A user that cannot play here is removed; the next one plays all bots.
USERS = ([zoo.NOBODY] if os.geteuid() == 0 else []) + [os.geteuid()]

SANDBOX = ["--sandbox", WANT]
if "--sandbox" not in tap.referee("match", "--help").out:
    if WANT == "on":
        tap.skip_all("this referee has no sandbox")
    SANDBOX = []


class Played:
    """A match of one game between bots with the names bot0, bot1, … The seed
    decides the seats; the third bot is the tested one."""

    def __init__(self, ground, *commands, options=(), name="match"):
        folder = ground.root / "records" / name
        bots = []
        for number, command in enumerate(commands):
            bots += ["--bot", command, "--name", f"bot{number}"]
        self.run = tap.run(
            [*ground.become(), tap.REFEREE, "match", GAME, *bots,
             "--games", 1, "--exact", "--seed", "zoo", "--move-time", MOVE_MS,
             "--records", folder, *SANDBOX, *options],
            cwd=ground.root / "home", env={
                **ground.arena.environ, "HOME": str(ground.root / "home"),
                "SECRET": "a secret"})
        self.records = ground.arena.records(folder)
        self.record = self.records[0] if len(self.records) == 1 else None

    def seat(self, number):
        return self.record.bots().index(f"bot{number}")

    def remarks(self):
        """Returns what the third bot has said."""
        return zoo.remarks(self.record, self.seat(2)) if self.record else []

    def tier(self):
        match = re.search(r"\btier ([ABCD])\b", self.run.err)
        return match.group(1) if match else "?"

    def turns_ms(self):
        """Returns the milliseconds of each turn of the first bot."""
        seat = self.seat(0)
        text = self.record.path.read_text("ascii")
        return [float(ms) for ms in re.findall(
            rf"^move {seat} \S+ ; ([0-9.]+)ms", text, re.MULTILINE)]

    def median_ms(self):
        turns = self.turns_ms()
        return statistics.median(turns) if turns else 0.0


def honest(ground):
    return f"{ground.root}/other/honest {WORK_US}"


def play(ground, bot, name=None, options=()):
    return Played(ground, honest(ground), "random", ground.command(bot),
                  options=[*(LATE if zoo.TIMEOUT in bot.faults
                             and None not in bot.faults else ()), *options],
                  name=name or bot.name)


def decent(ground, name):
    return Played(ground, honest(ground), "random",
                  f"{ground.root}/other/honest", name=name)


# ---- what is wrong, as sentences -------------------------------------------

def holes(bot, said, tier):
    """Returns what the bot got although it must not."""
    may = {**bot.may, **(bot.may_b if tier == "B" else {})}
    for one in said:
        if any(re.fullmatch(key, one.what) for key in may):
            continue
        most = next((bot.most[key] for key in bot.most
                     if re.fullmatch(key, one.what)), None)
        if most is not None and one.count is not None:
            if one.count > most:
                yield f"{one}, and no more than {most} may be"
        elif one.bit():
            yield f"it got {one}"


def charges(bot, played, model):
    record = played.record
    faults = record.faults()
    mine = set(faults.pop(played.seat(2))) or {None}
    if any(faults):
        yield f"others were charged: {faults}"
    if len(mine) != 1 or not mine <= set(bot.faults):
        yield f"charged with {mine}, not with {bot.faults}"
    if record.played() != model.record.played():
        yield "another game than with a decent bot"
    if record.aborted():
        yield "the game was aborted"


def troubles(bot, played, model, said):
    # A bot that is killed before its first answer has not begun to play: 2.
    codes = (0, 2) if zoo.CRASH in bot.faults else (0,)
    if played.run.code not in codes or played.record is None:
        yield f"{len(played.records)} records; {played.run}"
        return
    yield from holes(bot, said, played.tier())
    yield from charges(bot, played, model)
    if not said and (bot.may or bot.most or bot.bites) and \
            None in bot.faults and not played.record.faults()[played.seat(2)]:
        yield "it said nothing of what it tried"


# ---- the table ---------------------------------------------------------------

def tell(who, bot, played, said, turn, wrong):
    record = played.record
    fault = ",".join(sorted(set(record.faults()[played.seat(2)]))) \
        if record else "?"
    tap.note(f"{who} {bot.name}: fault {fault or 'none'}; others' turn "
             f"{turn}; {'; '.join(map(str, said)) or 'says nothing'}"
             + (f"; WRONG: {'; '.join(wrong)}" if wrong else ""))


def others_turns(ground, bot, options=()):
    """Returns the honest bot's median turn beside this bot and beside a decent
    one, both in ms.  It takes the first of some tries in which the machine was
    quiet and both are alike, otherwise the last one in which it was quiet,
    otherwise None."""
    last = None
    for turn in range(TRIES):
        name = f"{bot.name}-{'-'.join(options)}-{turn}"
        without = decent(ground, f"decent-{name}").median_ms()
        if without > QUIET * WORK_US / 1000:
            continue
        before = others_s()
        begun = time.monotonic()  # luck: it decides if the try counts
        with_it = play(ground, bot, name, options).median_ms()
        took = time.monotonic() - begun  # luck: as above
        if others_s() - before > CROWD * took:
            continue
        last = (with_it, without)
        if untouched(*last):
            break
    return last


def others_s():
    """Returns the processor time that was spent so far, but for that of this process
    and of those that it has waited for."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, softirq, steal = map(
            int, file.readline().split()[1:9])
    busy = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    return busy - sum(os.times()[:4])  # luck: it decides if the try counts


def untouched(with_it, without):
    return with_it < SLOWER * without


def compare(ground, bot):
    """Returns a text about the others' turns, and true if they got slower.
    They may beside a bot that thinks on their time, unless it is told to rest."""
    if bot.ponders:
        free, _ = told(others_turns(ground, bot))
        rests, slower = told(others_turns(ground, bot, PONDER_OFF))
        return f"{free}; with --ponder off {rests}", slower
    return told(others_turns(ground, bot))


def told(both):
    if not both:
        return "not to be told, the machine is busy", False
    return f"{both[0]:.2f} ms (without it {both[1]:.2f} ms)", \
        not untouched(*both)


def test(ground, who, bot, played, model):
    said = zoo.reports(played.remarks())
    wrong = list(troubles(bot, played, model, said))
    turn = f"{played.median_ms():.2f} ms" if played.record else "?"
    if ALL and not wrong:
        turn, slower = compare(ground, bot)
        if slower and played.tier() == "A":
            wrong.append(f"others' turns took {turn}")
    tell(who, bot, played, said, turn, wrong)
    tap.ok(not wrong, f"{who}: {bot.name} gets nothing by it",
           "\n".join(wrong))


def whisper(ground, who):
    """Tests what two bots of one author can tell each other."""
    played = Played(ground, ground.command(zoo.WHISPER), "random",
                    ground.command(zoo.LISTEN), name="whisper")
    said = zoo.reports(played.remarks())
    wrong = [] if played.run.code == 0 and said else [str(played.run)]
    wrong += [f"they hear each other: {one}" for one in said
              if one.count is not None and one.count > 20
              and one.what not in zoo.LISTEN.may]
    tell(who, zoo.LISTEN, played, said, "-", wrong)
    tap.ok(not wrong, f"{who}: whisper is not heard", "\n".join(wrong))


def closed(ground, who):
    """Tests bots in a folder that only root can read: in their box they must be
    a user who can."""
    ground.open_to_all(False)
    model = Played(ground, honest(ground), "random", "house", name="closed")
    for bot in zoo.BOTS:
        if bot.name in CLOSED and (not ONLY or bot.name in ONLY):
            test(ground, f"{who}, closed folder", bot,
                 play(ground, bot, name=f"closed-{bot.name}"), model)
    ground.open_to_all(True)


def ponder_off(ground, who, bots):
    """Tests that while another bot is held at an ask all processes of this bot
    are stopped, or go on if they may."""
    for bot in bots:
        for how in ("on", "off") if bot.ponders else ():
            aside(ground, who, bot, how)


def aside(ground, who, bot, how):
    def processes():
        return [pid for pid, line in ground.arena.processes().items()
                if line.startswith(str(ground.root / "bots" / bot.name))]
    with subprocess.Popen(
            [*map(str, [*ground.become(), tap.REFEREE, "match", GAME, "--bot",
             held.bot(ground.root / "other"), "--bot", ground.command(bot),
             "--games", 1, "--exact", "--seed", "zoo", *held.TIMES, "-o",
             "points=1", "--records", ground.root / "records" / f"{how}-{bot.name}",
             "--ponder", how, *SANDBOX])],
            cwd=ground.root / "home", env={
                **ground.arena.environ, "HOME": str(ground.root / "home")},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL) as match:
        hold = held.wait(ground.arena.processes)
        if how == "off":
            tap.ok(arena.wait_for(lambda: held.stand(processes())),
                   f"{who}: {bot.name} with --ponder off does not think aside",
                   ground.arena.processes())
        else:
            before = held.ticks(processes())
            tap.ok(arena.wait_for(lambda: held.ticks(processes())
                                  >= before + WORKED),
                   f"{who}: {bot.name} with --ponder on does",
                   ground.arena.processes())
        held.release(hold)


def plays(bot, user):
    """Returns true if this user plays the bot.  The short form plays most bots
    as an ordinary user, because root's walls are the same; root plays those
    that work only as root, and those that talk."""
    if ONLY:
        return bot.name in ONLY
    return ALL or len(USERS) == 1 or bot.name in BOTH or (
        bot.root or bot.talks) == (user == 0)


def visit(user):
    who = "root" if user == 0 else f"user {user}"
    with zoo.Ground(user) as ground:
        ground.open_to_all(True)
        ground.clean_up()
        for arg in tap.REFEREE, str(zoo.BUILT):
            if tap.run([*ground.become(), "test", "-x", arg]).code != 0:
                tap.ok(True, f"# SKIP {who} cannot reach {arg}")
                USERS.remove(user)
                return
        if WANT == "on" and tap.skip(f"{who}: a sandbox", machine.no_boxes(
                tuple(ground.become()))):
            USERS.remove(user)
            return
        bots = [bot for bot in zoo.BOTS if plays(bot, user)]
        model = Played(ground, honest(ground), "random", "house",
                       name="model")
        if not tap.ok(model.run.code == 0, f"{who}: a sandbox",
                      model.run):
            return
        tap.note(model.run.err.strip())
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            # The long ones come first.
            order = sorted(bots, key=lambda bot: zoo.TIMEOUT
                           not in bot.faults)
            matches = [(bot, pool.submit(play, ground, bot))
                       for bot in order]
            for bot, match in matches:
                test(ground, who, bot, match.result(), model)
        if plays(zoo.WHISPER, user):
            whisper(ground, who)
        if user == 0:
            closed(ground, who)
        if "--ponder" in tap.referee("match", "--help").out:
            ponder_off(ground, who, bots)
        left = ground.witnesses(lambda: decent(ground, "last"))
        tap.ok(not left, f"{who}: nothing is left, nobody was called",
               "\n".join(left))
        if left:
            ground.clean_up()


zoo.check_complete([bot.name for bot in zoo.BOTS] + ["whisper"])
for one in list(USERS):
    visit(one)
tap.done()
