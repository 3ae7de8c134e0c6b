#!/usr/bin/env python3
"""Tests `referee bots` without a daemon and beside one.  End-to-end for what the
command prints, for commands at once, and for bots that it puts out of a game."""

import os
import re
import socket
import stat
import threading

import daemon
import local_bots
import tap

TOKEN = re.compile(r"[0-9a-f]{64}\n")


def bots(serve, *words, **options):
    return tap.referee("bots", *words, "--data", serve.data, **options)


def many(serve, where, name):
    """Tests tokens for the names in a file."""
    names = serve.root / "names"
    names.write_text(f"\n  {name}-a\t\r\n{name}-b\na name\n", "ascii")
    tap.complains(bots(serve, "token", "--file", names), 2,
                  f"{names}:4: 'a name' is not a name",
                  f"{where}: a file with a mistake")
    names.write_text(f"\n  {name}-a\t\r\n{name}\n{name}-b", "ascii")
    made = bots(serve, "token", "--file", names, "--owner", "club")
    told = [line.split(" ") for line in made.out.splitlines()]
    tap.ok(made.code == 2 and [one[0] for one in told] ==
           [f"{name}-a", f"{name}-b"] and
           all(TOKEN.fullmatch(one[1] + "\n") for one in told) and
           f"there is a bot {name}; its owner" in made.err,
           f"{where}: the others get theirs", made)
    tap.ok(re.search(rf"^{name}-a .*owner=club$", bots(serve, "list").out, re.M),
           f"{where}: with their owner")
    again = bots(serve, "token", "--file", names, "--replace")
    tap.ok(again.code == 0 and again.out.count("\n") == 3,
           f"{where}: or other ones", again)


def wrong_files(serve):
    """Tests files of names that cannot be read."""
    os.mkfifo(serve.root / "pipe")
    (serve.root / "nul").write_text("x\0x\n", "ascii")
    (serve.root / "long").write_text(1048577 * "\n", "ascii")
    for file, part in (("pipe", "/pipe': not a file"), (".", "Is a directory"),
                       ("nul", "has a NUL byte"), ("none", "cannot open"),
                       ("long", "has more than 1048576 bytes")):
        tap.complains(bots(serve, "token", "--file", serve.root / file), 2, part,
                      f"a file of names: {file}")
    tap.complains(bots(serve, "list", "--file", serve.root / "none"), 2,
                  "--file needs token, without a name", "--file with list")
    for option in (["--trial"], ["--upload"], ["--no-check"], ["--ladder", "main"],
                   ["--name", "x"]):
        tap.complains(bots(serve, "list", *option), 2,
                      f"{option[0]} needs add PATH", f"{option[0]} with list")
    tap.complains(bots(serve, "add", serve.root, "--trial"), 2,
                  "--trial needs --upload", "--trial alone")


def names(serve):
    """Tests that a new bot cannot take the name of another one, by any way in."""
    serve.token("alice")
    serve.token("other")
    for name, part in (("random", "reserved for the referee's own bot"),
                       ("trial", "a version in a trial is called so"),
                       ("alice.2", "versions of a bot are called"),
                       ("ALICE", "is or was called")):
        for words in ("token", name), ("rename", "other", name):
            tap.complains(bots(serve, *words), 2, part, f"{words[0]} {name}")
        run = local_bots.add(serve, local_bots.folder(serve.root, name))
        tap.ok(run.code == 2 and part in run.err, f"add {name}", run)
    tap.equal(bots(serve, "rename", "other", "OTHER").code, 0,
              "a bot may write its own name in other letters")
    bots(serve, "remove", "OTHER")


def works(serve, where):
    """Tests the whole life of a bot."""
    name = "bot-" + where.replace(" ", "-")
    made = bots(serve, "token", name)
    tap.ok(made.code == 0 and TOKEN.fullmatch(made.out),
              f"{where}: a token of 64 digits", made)
    tap.complains(bots(serve, "token", name), 2, f"bot {name} has a token; "
                  "--replace", f"{where}: it is not replaced by mistake")
    again = bots(serve, "token", name, "--replace")
    tap.ok(again.code == 0 and TOKEN.fullmatch(again.out) and
              again.out != made.out, f"{where}: another one", again)
    tap.ok(re.search(rf"^{name} +enabled +\S+Z token$",
                        bots(serve, "list").out, re.M),
              f"{where}: it is listed")
    tap.equal([line.split()[:3] for line in
               bots(serve, "list").out.splitlines() if "(UTC)" in line],
              [["bot", "state", "since"]], f"{where}: below one header")
    many(serve, where, name)
    tap.equal(bots(serve, "disable", name, "loops for ever").code, 0,
              f"{where}: disable")
    tap.ok(re.search(rf"^{name} +disabled .* loops for ever$",
                        bots(serve, "list").out, re.M),
              f"{where}: the reason is listed")
    for count in 201, 40000:
        long = bots(serve, "disable", name, "x" * count)
        tap.ok(long.code == 2 and " has at most " in long.err and
               long.err.count("\n") == 1,
               f"{where}: a reason of {count} bytes", long)
    tap.ok(f'"bot":"{name}","state":"disabled"' in
           bots(serve, "list", "--json").out, f"{where}: as JSON")
    tap.equal(bots(serve, "enable", name).code, 0, f"{where}: enable")
    tap.equal(bots(serve, "rename", name, name + "-2").code, 0,
              f"{where}: rename")
    tap.complains(bots(serve, "token", name, "--replace"), 2,
                  f"is called {name}-2 now", f"{where}: nor one of an old name")
    tap.complains(bots(serve, "token", f"no-{name}", "--replace"), 2,
                  f"there is no bot no-{name}", f"{where}: nor what is not there")
    taken = bots(serve, "token", name)
    tap.ok(taken.code == 2 and name in taken.err and
              taken.err.count("\n") == 1,
              f"{where}: its old name stays taken", taken)
    tap.equal(bots(serve, "revoke", name + "-2").code, 0, f"{where}: revoke")
    tap.ok("no-token" in bots(serve, "list").out,
              f"{where}: it has no token then")
    tap.equal(bots(serve, "token", name + "-2").code, 0,
              f"{where}: and gets one again")
    tap.equal(bots(serve, "remove", name + "-2").code, 0, f"{where}: remove")
    gone = bots(serve, "enable", name + "-2")
    tap.ok(gone.code == 2 and gone.err.count("\n") == 1,
              f"{where}: what was removed stays so", gone)


def refuses(serve):
    for words, what in (([], "no words"), (["fly", "alice"], "unknown "
                                           "request"),
                        (["token"], "no name"),
                        (["token", "a", "b"], "a name too many"),
                        (["rename", "a"], "one name"),
                        (["replace", "a"], "no word of the command line"),
                        (["list", "--replace"], "--replace beside list"),
                        (["token", "a", "--replace", "--owner", "b"],
                         "--replace with an owner"),
                        (["token", "a\tb"], "a tab")):
        run = bots(serve, *words)
        tap.ok(run.code == 2 and run.out == "" and run.err,
                  f"refused: {what}", run)
    bad = bots(serve, "token", "no name")
    tap.ok(bad.code == 2 and bad.err.count("\n") == 1,
              "refused: what is no name", bad)
    nobody = bots(serve, "disable", "nobody")
    tap.ok(nobody.code == 2 and "nobody" in nobody.err,
              "refused: who is not there", nobody)
    nowhere = tap.referee("bots", "list", "--data", serve.root / "no" / "where")
    tap.ok(nowhere.code == 2 and nowhere.err.count("\n") == 1,
              "a folder that is not there", nowhere)
    nowhere = tap.referee("bots", "token", "x", "--data",
                          serve.root / "no" / "where")
    tap.ok(nowhere.code == 3 and nowhere.err.count("\n") == 1,
              "a folder that cannot be made", nowhere)


def says_what_it_makes(serve):
    """A command that makes a data folder names it; it may be the wrong one."""
    here = serve.root / "elsewhere"
    here.mkdir()
    (here / "names").write_text("x\ny\n", "ascii")
    where = (here / "referee-data").resolve()
    for words, part in ((["--file", "names"],
                         f"referee: made the data folder '{where}'\n"),
                        (["z"], "")):
        made = tap.referee("bots", "token", *words, cwd=here)
        tap.equal((made.code, made.err), (0, part),
                  f"bots token {words[0]}: what it says of its data folder")


def control_is_for_the_owner(serve):
    path = serve.data / "control"
    mode = stat.S_IMODE(os.stat(path).st_mode)
    tap.equal(oct(mode), "0o600", "nobody else may speak to the daemon")


def control_bears_anything(serve):
    """Sends half lines, long lines, many words and nothing; the control socket
    must still answer."""
    for garbage in (b"", b"list", b"x" * 5000, b"\n", b"a\tb\tc\td\te\n",
                    b"\0\0\n", b"token\t\n", b"\t" * 900 + b"\n"):
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(str(serve.data / "control"))
            one.sendall(garbage)
            if garbage.endswith(b"\n"):
                one.settimeout(60)
                answer = one.recv(4096)
                tap.ok(re.match(rb"[123] [ -~]+\n", answer),
                          f"garbage is refused in a sentence: {garbage[:9]!r}",
                          answer)
    tap.equal(bots(serve, "list").code, 0, "and then it answers as ever")


def who_is_put_out_has_to_go(serve):
    token = serve.token("alice")
    alice = serve.guest("alice", token)
    tap.ok(alice.hear().startswith("referee 1 "), "alice comes in")
    bots(serve, "disable", "alice", "for a test")
    told = alice.rest()
    tap.ok(told and told[0].startswith("error ") and told[-1] == "bye",
              "disabled: she is told, and has to go", told)
    alice.close()
    alice = serve.guest("alice", token)
    told = alice.rest()
    tap.ok(told and "for a test" in told[0],
              "she may not come again, and is told why", told)
    alice.close()
    bots(serve, "enable", "alice")
    alice = serve.guest("alice", token)
    tap.ok(alice.hear().startswith("referee 1 "), "enabled: she may")
    bots(serve, "token", "alice", "--replace")
    told = alice.rest()
    tap.ok(told and told[-1] == "bye", "a new token ends the old one's line",
              told)
    alice.close()


def many_at_once(serve, count, environ=None):
    """Runs commands at the same time: each waits while another has the folder.
    Without a daemon it waits only some seconds, so there are only two."""
    names = [f"many-{count}-{i}" for i in range(count)]
    runs = {}
    threads = [threading.Thread(target=lambda name=name: runs.update(
        {name: bots(serve, "token", name, env=environ)})) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(tap.TIMEOUT_S)
    tap.equal({name for name in names if runs[name].code == 0}, set(names),
              f"{count} at once, each gets its token")


def games_of(serve, name):
    """Returns how many games a bot has played by the ladder."""
    found = re.search(rf" {name} +\S+ +\S+ +\S+ +(\d+) ",
                      serve.ladder("show", "daupun").out)
    return int(found.group(1)) if found else 0


def play(serve, names, games=2):
    """Plays this many games between two bots, each name with its token."""
    def sit(name, token):
        guest = serve.guest(name, token)
        guest.hear()
        guest.say("sit daupun")
        for i in range(games):
            guest.hear_until("game")
            if i == games - 1:
                guest.say("quit")  # otherwise it would leave another game
            guest.play()
        guest.close()
    threads = [threading.Thread(target=sit, args=one) for one in names.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(tap.TIMEOUT_S)


def who_is_renamed_keeps_the_rating(serve):
    carl, dora = serve.token("carl"), serve.token("dora")
    play(serve, {"carl": carl, "dora": dora})
    before = games_of(serve, "carl")
    tap.ok(before >= 2, f"carl has played {before} games")
    bots(serve, "rename", "carl", "charles")
    play(serve, {"charles": carl, "dora": dora})
    tap.ok(games_of(serve, "carl") >= before + 2 and
           games_of(serve, "charles") == 0,
           "under another name he plays on where he stood",
           serve.ladder("show", "daupun").out)


def in_a_game(serve, token, one, other):
    """Returns both bots in a game, before they have answered."""
    guests = [serve.guest(one, token), serve.guest(other, serve.token(other))]
    for guest in guests:
        guest.hear()
        guest.say("sit daupun")
    for guest in guests:
        guest.hear_until("game")
    return guests


def is_charged_to_no_one(serve, what, *names):
    lines = [line for event in ("fault", "retired", "suspended")
             for line in serve.log(event)
             if any(f"bot={name}" in line.split(" ") for name in names)]
    tap.equal(lines, [], f"{what}: costs no author")


def an_organiser_s_command_costs_no_author(serve):
    token = serve.token("eve")
    eve, fay = in_a_game(serve, token, "eve", "fay")
    bots(serve, "rename", "eve", "eva")
    eve.close()
    eve = serve.guest("eve", token)  # its program knows only that name
    tap.ok(eve.hear().startswith("referee 1 "), "renamed: it may come back")
    eve.say("quit")
    fay.say("quit")
    thread = threading.Thread(target=fay.play)
    thread.start()
    tap.ok((eve.play() or "").startswith("over "), "and plays on")
    thread.join(tap.TIMEOUT_S)
    is_charged_to_no_one(serve, "rename", "eve", "fay")
    eve.close()
    fay.close()
    for what in ("disable", "revoke", "token", "remove"):
        one, other = f"one-{what}", f"other-{what}"
        guests = in_a_game(serve, serve.token(one), one, other)
        before = games_of(serve, other)
        tap.equal(bots(serve, what, one, *["--replace"] * (what == "token"))
                  .code, 0, f"{what} in a game")
        end = guests[1].hear_until("abort") or ""
        tap.ok(end.endswith(" organiser"), f"{what}: the game is aborted", end)
        tap.ok((guests[0].rest() or [""])[-1] == "bye", f"{what}: it has to go")
        for guest in guests:
            guest.close()
        tap.ok(any(f"bot{seat}={one}" in line and " why=organiser" in line
                   for line in serve.log("game-aborted") for seat in (0, 1)),
               f"{what}: the log says why", serve.log("game-aborted"))
        tap.equal(games_of(serve, other), before, f"{what}: it is not rated")
        is_charged_to_no_one(serve, what, one, other)


def who_moves_in_ends_its_games_first(serve):
    """Tests that a remote bot that its author or the organiser sends in first
    ends its games, and can still lose them."""
    gus, hal = in_a_game(serve, serve.token("gus"), "gus", "hal")
    home = local_bots.folder(serve.root, "gus")
    added = local_bots.add(serve, home, "--sandbox", "off")
    tap.ok(added.code == 0, "a bot that plays from elsewhere is added", added)
    tap.equal(serve.log("local-bot-came"), [], "it waits for its game")
    hal.say("quit")
    thread = threading.Thread(target=hal.play)
    thread.start()
    tap.ok((gus.play() or "").startswith("over "), "which is played")
    thread.join(tap.TIMEOUT_S)
    told = gus.rest()
    tap.ok(told[-1:] == ["bye"] and "referee's machine" in told[-2],
           "then the other program has to go", told)
    gus.close()
    hal.close()
    tap.ok(serve.wait_for_log("local-bot-came"), "and it moves in")
    is_charged_to_no_one(serve, "add", "gus", "hal")


# Games wait while a command runs, and a bot has lost nothing when it comes back.
with daemon.Daemon({"toepen": "game = toepen", "daupun":
                   'game = daupun move-time = 60000 options = { "rounds=2" }'},
                  {"return-time": 60000}) as home:
    works(home, "no daemon")
    refuses(home)
    wrong_files(home)
    names(home)
    says_what_it_makes(home)
    many_at_once(home, 2, daemon.slow_time(home.root))
    home.launch()  # this does not wait until it listens
    tap.equal(bots(home, "list").code, 0, "a daemon that starts is waited for")
    home.term()
    home.wait()
    home.start()
    many_at_once(home, 12)
    works(home, "a daemon")
    control_is_for_the_owner(home)
    control_bears_anything(home)
    who_is_put_out_has_to_go(home)
    who_is_renamed_keeps_the_rating(home)
    an_organiser_s_command_costs_no_author(home)
    who_moves_in_ends_its_games_first(home)
    home.term()
    tap.equal(home.wait(), 0, "the daemon ends")
    tap.ok(not (home.data / "control").exists(), "and its socket is gone")
    tap.equal(bots(home, "list").code, 0, "no daemon any more")
tap.done()
