#!/usr/bin/env python3
"""`referee bots`, with no daemon and beside one."""

import os
import re
import socket
import stat
import threading

import daemon
import tap

TOKEN = re.compile(r"[0-9a-f]{64}\n")


def bots(house, *words):
    return tap.referee("bots", *words, "--data", house.data)


def works(house, where):
    """The whole life of a bot."""
    name = "bot-" + where.replace(" ", "-")
    made = bots(house, "token", name)
    tap.ok(made.code == 0 and TOKEN.fullmatch(made.out),
              f"{where}: a token of 64 digits", made)
    again = bots(house, "token", name)
    tap.ok(again.code == 0 and TOKEN.fullmatch(again.out) and
              again.out != made.out, f"{where}: another one", again)
    tap.ok(re.search(rf"^{name} +enabled +\S+Z token$",
                        bots(house, "list").out, re.M),
              f"{where}: it is listed")
    tap.equal(bots(house, "disable", name, "loops for ever").code, 0,
              f"{where}: disable")
    tap.ok(re.search(rf"^{name} +disabled .* loops for ever$",
                        bots(house, "list").out, re.M),
              f"{where}: the reason is listed")
    for count in 201, 40000:
        long = bots(house, "disable", name, "x" * count)
        tap.ok(long.code == 2 and " has at most " in long.err and
               long.err.count("\n") == 1,
               f"{where}: a reason of {count} bytes", long)
    tap.ok(f'"bot":"{name}","state":"disabled"' in
           bots(house, "list", "--json").out, f"{where}: as JSON")
    tap.equal(bots(house, "enable", name).code, 0, f"{where}: enable")
    tap.equal(bots(house, "rename", name, name + "-2").code, 0,
              f"{where}: rename")
    taken = bots(house, "token", name)
    tap.ok(taken.code == 2 and name in taken.err and
              taken.err.count("\n") == 1,
              f"{where}: its old name stays taken", taken)
    tap.equal(bots(house, "revoke", name + "-2").code, 0, f"{where}: revoke")
    tap.ok("no-token" in bots(house, "list").out,
              f"{where}: it has no token then")
    tap.equal(bots(house, "remove", name + "-2").code, 0, f"{where}: remove")
    gone = bots(house, "enable", name + "-2")
    tap.ok(gone.code == 2 and gone.err.count("\n") == 1,
              f"{where}: what was removed stays so", gone)


def refuses(house):
    for words, what in (([], "no words"), (["fly", "alice"], "unknown "
                                           "request"),
                        (["token"], "no name"),
                        (["token", "a", "b"], "a name too many"),
                        (["rename", "a"], "one name"),
                        (["token", "a\tb"], "a tab")):
        run = bots(house, *words)
        tap.ok(run.code == 2 and run.out == "" and run.err,
                  f"refused: {what}", run)
    bad = bots(house, "token", "no name")
    tap.ok(bad.code == 2 and bad.err.count("\n") == 1,
              "refused: what is no name", bad)
    nobody = bots(house, "disable", "nobody")
    tap.ok(nobody.code == 2 and "nobody" in nobody.err,
              "refused: who is not there", nobody)
    nowhere = tap.referee("bots", "list", "--data", house.root / "no" / "where")
    tap.ok(nowhere.code == 2 and nowhere.err.count("\n") == 1,
              "a folder that is not there", nowhere)
    nowhere = tap.referee("bots", "token", "x", "--data",
                          house.root / "no" / "where")
    tap.ok(nowhere.code == 3 and nowhere.err.count("\n") == 1,
              "a folder that cannot be made", nowhere)


def control_is_for_the_owner(house):
    path = house.data / "control"
    mode = stat.S_IMODE(os.stat(path).st_mode)
    tap.equal(oct(mode), "0o600", "nobody else may speak to the daemon")


def control_bears_anything(house):
    """Half lines, long ones, many words, nothing; then it still answers."""
    for garbage in (b"", b"list", b"x" * 5000, b"\n", b"a\tb\tc\td\te\n",
                    b"\0\0\n", b"token\t\n", b"\t" * 900 + b"\n"):
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(str(house.data / "control"))
            one.sendall(garbage)
            if garbage.endswith(b"\n"):
                one.settimeout(60)
                answer = one.recv(4096)
                tap.ok(re.match(rb"[123] [ -~]+\n", answer),
                          f"garbage is refused in a sentence: {garbage[:9]!r}",
                          answer)
    tap.equal(bots(house, "list").code, 0, "and then it answers as ever")


def who_is_put_out_has_to_go(house):
    token = house.token("alice")
    alice = house.guest("alice", token)
    tap.ok(alice.hear().startswith("referee 1 "), "alice comes in")
    bots(house, "disable", "alice", "for a test")
    told = alice.rest()
    tap.ok(told and told[0].startswith("error ") and told[-1] == "bye",
              "disabled: she is told, and has to go", told)
    alice.close()
    alice = house.guest("alice", token)
    told = alice.rest()
    tap.ok(told and "for a test" in told[0],
              "she may not come again, and is told why", told)
    alice.close()
    bots(house, "enable", "alice")
    alice = house.guest("alice", token)
    tap.ok(alice.hear().startswith("referee 1 "), "enabled: she may")
    bots(house, "token", "alice")
    told = alice.rest()
    tap.ok(told and told[-1] == "bye", "a new token ends the old one's line",
              told)
    alice.close()


def many_at_once(house, count):
    """Whoever comes while another has the folder waits: without a daemon for some
    seconds at most, so there only a few come."""
    names = [f"many-{i}" for i in range(count)]
    runs = {}
    threads = [threading.Thread(target=lambda name=name: runs.update(
        {name: bots(house, "token", name)})) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(tap.TIMEOUT_S)
    tap.equal({name for name in names if runs[name].code == 0}, set(names),
              f"{count} at once, each gets its token")


def games_of(house, name):
    """How many the ladder says it has played."""
    found = re.search(rf" {name} +\S+ +\S+ +\S+ +(\d+) ",
                      house.ladder("show", "daupun").out)
    return int(found.group(1)) if found else 0


def play(house, names, games=2):
    """So many games of these two, each name with its token."""
    def sit(name, token):
        guest = house.guest(name, token)
        guest.hear()
        guest.say("sit daupun")
        for i in range(games):
            guest.hear_until("game")
            if i == games - 1:
                guest.say("quit")  # or one would leave another game
            guest.play()
        guest.close()
    threads = [threading.Thread(target=sit, args=one) for one in names.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(tap.TIMEOUT_S)


def who_is_renamed_keeps_the_rating(house):
    carl, dora = house.token("carl"), house.token("dora")
    play(house, {"carl": carl, "dora": dora})
    before = games_of(house, "carl")
    tap.ok(before >= 2, f"carl has played {before} games")
    bots(house, "rename", "carl", "charles")
    play(house, {"charles": carl, "dora": dora})
    tap.ok(games_of(house, "carl") >= before + 2 and
           games_of(house, "charles") == 0,
           "under another name he plays on where he stood",
           house.ladder("show", "daupun").out)


with daemon.House({"toepen": "game = toepen", "daupun":
                   'game = daupun options = { "rounds=2" }'}) as home:
    works(home, "no daemon")
    refuses(home)
    many_at_once(home, 3)
    home.launch()  # does not wait until it listens
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
    home.term()
    tap.equal(home.wait(), 0, "the daemon ends")
    tap.ok(not (home.data / "control").exists(), "and its socket is gone")
    works(home, "no daemon any more")
tap.done()
