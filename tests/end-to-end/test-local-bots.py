#!/usr/bin/env python3
"""End-to-end because a daemon starts bots of its own machine from folders that authors
send in: their games, new versions, and uploads over HTTP.  tests/world has their games
and uploads by the thousand, test-scheduler-bots.c the ratings of versions."""

import json
import os
import re
import shutil
import socket
import subprocess

import arena
import daemon
import html_page
import machine
import local_bots
import records
import tap
from local_bots import add, archive, bots, entry, put, shown, told


SAT = {}
# Lets a sync of the folder of bots wait until somebody writes to SLOW_DISK.
SLOW_DISK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int fsync(int fd)
{
	char link[64], path[4096] = "";
	int (*next)(int);
	*(void **)&next = dlsym(RTLD_NEXT, "fsync");
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, path, sizeof(path) - 1) > 5 &&
	    strcmp(path + strlen(path) - 5, "/bots") == 0)
		close(open(getenv("SLOW_DISK"), O_RDONLY));
	return next(fd);
}
"""


def sat(path):
    """Returns the bots of the game of this record, which does not change."""
    if path.name not in SAT:
        head, _, _ = path.read_text("ascii").partition("\n\n")
        SAT[path.name] = {line.split()[2] for line in head.split("\n")
                          if line.startswith("bot ")}
    return SAT[path.name]


def over(serve, count, *names):
    """Waits for this many games with all of these bots, by the records, since
    the log omits some of many games."""
    def games():
        return sum(set(names) <= sat(path)
                   for path in records.of_data(serve.data))
    arena.wait_for(lambda: games() >= count)
    return games()


def play(serve):
    add(serve, local_bots.folder(serve.root, "ann"))
    slips = local_bots.BOT.replace(
        'echo "do', 'echo "say fallback TypeError: no hand"; echo "do')
    add(serve, local_bots.folder(serve.root, "ben", **{
        "bot.sh": slips.format(name="ben", version="1")}), "--ladder", "toepen")
    serve.start()
    tap.ok(over(serve, 3, "ann", "ben") >= 3,
           "two of them play, with nobody else", serve.text())
    serve.play("guest", "toepen")
    tap.ok(over(serve, 2, "guest") >= 2, "and with a guest")
    tap.ok(arena.wait_for(lambda: any(
        re.search(r"bot=ben count=\d+ why=\"TypeError: no hand\"", line)
        for line in serve.log("bot-fallback"))),
        "the log tells what ben says of itself", serve.log("bot-fallback"))
    tap.ok(log_of(serve, "ben", r"(?m)^made the first legal move instead of its own "
                  r"\d+ times?: TypeError: no hand$")[0],
           "and so does the log for its author", bots(serve, "log", "ben"))
    tap.ok(not any("ladder=durnius" in line
                   for line in serve.log("game-over")),
           "nobody plays alone on the other ladder")
    tap.ok(log_of(serve, "ann", "sits down")[0],
           "the end of what they write is kept", bots(serve, "log", "ann"))
    listed = bots(serve, "list").out
    tap.ok(re.search(r"ben .*\n\tlocal bot .* plays as ben, on toepen, hash "
                     r"[0-9a-f]{16}\n", listed), "they are listed", listed)
    serve.token("ann")
    refused = serve.guest("ann", serve.token("ann"))
    tap.ok("runs on the referee's machine" in (refused.hear() or ""),
           "nobody comes under the name of one")
    refused.close()


def added_beside(serve):
    done = add(serve, local_bots.folder(serve.root, "cal"), "--ladder",
               "nowhere")
    tap.ok(done.code == 2 and "there is no ladder nowhere; there are "
           "toepen, durnius" in done.err,
           "a ladder that is not there", done)
    tap.equal(add(serve, local_bots.folder(serve.root, "eve")).code, 0,
              "one more is added while they play")
    tap.ok(over(serve, 1, "eve") >= 1, "and plays")
    done = add(serve, local_bots.folder(serve.root, "fat",
                                       more="memory = 4096\n"
                                       'build = { "false" }\n'))
    tap.ok(done.code == 2 and "asks for 4096 MiB" in done.err,
           "one that asks for too much memory, before it is built", done)


def sentence(why):
    return why[0].upper() + why[1:] + "."


def told_why(serve, bot, name, why):
    """Tests that the page of `bot`, and the JSON under `name`, tell why it does
    not play, and that the ladder knows that all of its bots are local."""
    text = re.sub("<[^>]*>", "", serve.get(f"/bots/{bot}").text)
    tap.ok("A bot of this machine" in text and sentence(why) in text,
           f"the page of {bot}: {why}", text)
    answer = serve.get(f"/api/1/bots/{name}").json()
    tap.equal(answer.get("why"), why, f"and programs are told of {name}")
    found = html_page.Page(serve.get("/ladders/toepen").text)
    homes = dict(zip(found.column("bot"), found.column("where")))
    tap.equal({bot: home for bot, home in homes.items()
               if home != "local" and "guest" not in bot}, {},
              "the standings have it here")


def opens_all(serve, *games):
    """Tests that the token of a bot opens the games and pages of all its
    versions."""
    for name in ("ann", "nosy"):
        headers = local_bots.shown(name, serve.token(name))
        codes = {}
        for game, version in zip(games, ("ann", "ann.2")):
            seat, of = game.bots().index(version), game.header("id")
            for path in (f"records/{of}?view={seat}",
                         f"games/{of}/asks?view={seat}",
                         f"bots/{version}/log", f"bots/{version}/notes"):
                codes[path] = serve.get("/api/1/" + path, headers=headers).code
        tap.ok(set(codes.values()) == {200 if name == "ann" else 403},
               f"what the token of {name} opens of ann and ann.2", codes)


def ended(serve, bot):
    """Waits until no game of this version runs, and all of its records are on disk."""
    for ladder in "toepen", "durnius":
        path = f"/api/1/ladders/{ladder}/running"
        arena.wait_for(lambda path=path: not any(
            bot in game["bots"] for game in serve.get(path).json()["games"]))
        queue = f'referee_writer_queue{{ladder="{ladder}"}}'
        arena.wait_for(lambda queue=queue: serve.metric(queue) == 0)


def versions(serve):
    done = add(serve, local_bots.folder(serve.root, "ann", "2"))
    tap.equal(done.out, "ann was added, its version 2, which plays as ann.2\n",
              "a new version")
    tap.ok(over(serve, 2, "ann.2") >= 2, "it plays under a name of its own")
    def played():  # on this ladder; it may begin on the other one
        return [record for record in serve.games("toepen")
                if "ann.2" in record.bots()]
    arena.wait_for(played)
    first = played()[0]
    text = first.path.read_text("ascii")
    seat = first.bots().index("ann.2")
    tap.ok(f"\nheir-of {seat} ann\n" in text, "its records say whose heir")
    ended(serve, "ann")
    before, more = over(serve, 0, "ann"), over(serve, 0, "ann.2") + 4
    tap.ok(over(serve, more, "ann.2") >= more, "it goes on")
    ended(serve, "ann")
    tap.equal(over(serve, 0, "ann"), before, "the one before it does not")
    opens_all(serve, next(record for record in serve.games("toepen")
                          if "ann" in record.bots()), first)
    tap.ok("name ann.2 is taken" in bots(serve, "token", "ann.2").err,
           "nobody else is called so")


def idle(serve):
    """A bot that no ladder plays with is taken, and its owner is told."""
    for words, game, part in (((), "daupun", "no ladder of this daemon"),
                              (("--ladder", "durnius"), "toepen",
                               "no ladder that --ladder names")):
        path = local_bots.folder(serve.root, f"only-{game}",
                                 more=f'games = {{ "{game}" }}\n')
        done = add(serve, path, *words)
        tap.equal((done.code, done.out), (
            0, f"only-{game} was added\nIt gets no game: {part} has a game of its "
            "`games` in bot.conf\n"), f"a bot of {game}, which gets no game")


def states(serve):
    tap.equal(bots(serve, "disable", "ann", "loud").code, 0, "disable")
    tap.ok(arena.wait_for(lambda: serve.log("local-bot-leaves bot=ann")),
           "it leaves")
    told_why(serve, "ann.2", "ann.2", "the organiser has disabled it: loud")

    def plays():
        return sum(ladder["playing"] for ladder in serve.get(
            "/api/1/bots/ann.2").json()["ladders"])
    tap.ok(arena.wait_for(lambda: plays() == 0), "its games end")
    count = over(serve, 0, "ann.2")
    over(serve, over(serve, 0) + 6)
    tap.equal((plays(), over(serve, 0, "ann.2")), (0, count), "and no more begin")
    bots(serve, "enable", "ann")
    count = over(serve, 0, "ann.2")
    tap.ok(over(serve, count + 1, "ann.2") > count, "enable: it plays again")
    tap.ok("Another version, ann.2, has its place." in serve.get(
        "/bots/ann").text, "the version before it says why it does not")
    bots(serve, "remove", "eve")
    told_why(serve, "eve", "eve", "the organiser has removed it")
    done = add(serve, local_bots.folder(serve.root, "eve", "2"))
    tap.ok(done.code == 2 and "was removed" in done.err,
           "remove: the name stays taken", done)


def replaced():
    """Tests two new versions while the first one still plays."""
    with local_bots.serve() as serve:
        serve.file.write_text(serve.file.read_text("ascii").replace(
            "{ game = toepen", "{ move-time = 600000 game = toepen"), "ascii")
        serve.start()
        guest = serve.guest("guest", serve.token("guest"))
        guest.say("sit toepen")
        homes = []
        for version in "123456":
            add(serve, local_bots.folder(serve.root, "old", version),
                "--ladder", "toepen")
            if version == "1":
                guest.hear_until("game")
            homes.append({*serve.data.glob("bots/*")} - {*sum(homes, [])})
            homes[-1] = [*homes[-1]]
        arena.wait_for(lambda: not any(home.exists() for home in homes[1]))
        tap.equal([[home.exists() for home in some] for some in homes],
                  [[True], [False]] + 4 * [[True]],
                  "a version that plays keeps its folder, and so do the last 4")
        guest.close()
        arena.wait_for(lambda: not homes[0][0].exists())
        tap.equal(homes[0][0].exists(), False, "and then that goes, too")


DIES = "echo 'I give up' >&2; exit 1\n"


def log_of(serve, name, *patterns):
    """Returns the log for the bot's author, once it has all these in it; or the last
    one that was read, and whether it has."""
    seen = []

    def whole():
        seen[:] = [bots(serve, "log", name).out.replace(
            "its process ended with status 1\n", "")]
        return all(re.search(pattern, seen[0]) for pattern in patterns)
    return arena.wait_for(whole), seen[0]


def of(serve, name):
    """Returns the texts of the records of a bot's games."""
    return [path.read_text("ascii") for path in records.of_data(serve.data)
            if name in sat(path)]


def never_begins(serve):
    """Tests that the games of a bot that dies before its first line do not
    count."""
    done = add(serve, local_bots.folder(serve.root, "gus", **{"bot.sh": DIES}))
    tap.equal((done.code, done.err), (0, ""), "one more is added")
    whole, told = log_of(
        serve, "gus", r"(?m)^On the ladder \w+: suspended for \d+ s more: it ended "
        r"before its first word; failures so far: \d+$",
        r"(?m)^Game [0-9a-f]{32}, seat [01]:\ndid not begin to play; the game "
        r"counts for no one\nStandard error:\nI give up\n")
    tap.ok(whole, "one that never begins is suspended, and its log says why", told)
    tap.ok(arena.wait_for(lambda: re.search(
        r"(?m)^referee_bots_suspended\S* [1-9]",
        serve.get("/metrics").text)), "and is counted",
        serve.get("/metrics").text)
    tap.ok(any("bot=gus" in line and "it ended before its first word" in line
               for line in serve.log("suspended")), "the daemon's log says so",
           serve.log("suspended"))
    tap.ok("it ended before its first word" in serve.get("/bots/gus").text,
           "and so does its page", serve.get("/bots/gus").text)
    over(serve, 1, "gus")
    games = of(serve, "gus")
    tap.ok(games and not any("\nfault " in game or "\naborted not-started\n"
                             not in game for game in games),
           "its games are aborted, and nothing is charged", games)
    tap.equal([ladder["games"] - ladder["playing"] for ladder in
               serve.get("/api/1/bots/gus").json()["ladders"]], [0, 0],
              "and no ladder has them")


def rewrite(serve, script, text):
    """Replaces a program, so that a shell that reads the old one can go on."""
    new = serve.root / "rewritten"
    new.write_text(text, "ascii")
    shutil.copymode(script, new)
    new.rename(script)


def crashes(serve):
    """Tests that once a game of a bot has counted, it is charged however early
    it dies."""
    add(serve, local_bots.folder(serve.root, "hal"), "--ladder", "toepen")
    # These are more than the games that may have begun before one counted.
    tap.ok(over(serve, 4, "hal") >= 4, "one that plays", serve.text())
    script = next(path for path in serve.data.glob("bots/*/bot/bot.sh")
                  if "hal 1 sits" in path.read_text("ascii"))
    good = script.read_text("ascii")
    rewrite(serve, script, DIES)
    whole, told = log_of(
        serve, "hal", "suspended for",
        r"(?m)^Game [0-9a-f]{32}, seat [01]:\ncrash: ended, or closed its "
        r"output, before it answered ask 1; legal: .*\n(crash: .*\n)*"
        r"Standard error:\nI give up\n")
    tap.ok(whole, "and crashes then is suspended, and its log says why", told)
    arena.wait_for(lambda: any("\nfault " in game for game in of(serve, "hal")))
    charged = [game for game in of(serve, "hal") if "\nfault " in game]
    tap.ok(charged and not any("\naborted " in game for game in charged),
           "its games have a result", charged)
    rewrite(serve, script, good)


def ends(serve):
    tap.equal(serve.stop(), 0, "SIGTERM ends the daemon")
    tap.ok(arena.wait_for(lambda: not serve.processes()),
           "and no process stays", serve.processes())
    serve.start()
    before = over(serve, 0)
    tap.ok(over(serve, before + 1) > before, "bots play", serve.text())
    serve.kill()
    arena.wait_for(lambda: not serve.processes())
    tap.equal(serve.processes(), {}, "nor after kill -9")


def changed(serve):
    """Tests that a bot whose files have been changed does not play."""
    if tap.skip("files that were changed", machine.no_builds()):
        return
    ada = local_bots.folder(serve.root, "ada")
    bob = local_bots.folder(serve.root, "bob", more='build = { "sh", "-c", '
                            '"echo built >made; ln -s made link" }\n')
    for path in ada, bob:
        tap.equal(add(serve, path).code, 0, f"{path.name} is added")
    serve.start()
    tap.equal(serve.log("local-bot-refused"), [], "both are what they were")
    serve.stop()
    for base in serve.data.glob("bots/*/bot"):
        with (base / ("made" if (base / "made").exists() else "more")).open(
                "a", encoding="ascii") as file:
            file.write("x")
    serve.start()
    arena.wait_for(lambda: len(serve.log("local-bot-refused")) == 2)
    lines = serve.log("local-bot-refused")
    tap.ok(all(any(f"bot={name}" in line and
                   "not what was imported any more" in line for line in lines)
               for name in ("ada", "bob")), "changed files are found", lines)
    came = len(serve.log("local-bot-came"))
    for path in ada, bob:
        tap.equal(add(serve, path).code, 0, f"{path.name} is added again")
    arena.wait_for(lambda: len(serve.log("local-bot-came")) == came + 2)
    tap.equal(len(serve.log("local-bot-came")), came + 2, "which mends it")
    serve.stop()


def lowered(serve):
    """Tests that a bot leaves once the daemon allows less memory than it asks for."""
    add(serve, local_bots.folder(serve.root, "lea", more="memory = 200\n"))
    serve.start()

    def lines(event):
        return [line for line in serve.log(event) if "bot=lea" in line]
    tap.ok(arena.wait_for(lambda: lines("local-bot-came")), "one that fits plays")
    serve.file.write_text(serve.file.read_text("ascii").replace(
        "local-bots {", "local-bots { memory = 199"), "ascii")
    serve.reload()
    tap.ok(arena.wait_for(lambda: lines("local-bot-refused")) and
           "asks for 200 MiB" in lines("local-bot-refused")[0],
           "and leaves when it does not any more", serve.text())
    tap.equal(len(lines("local-bot-leaves")), 1, "once")
    serve.stop()


# ---- over HTTP -------------------------------------------------------------

def uploads(serve):
    serve.start()
    tap.ok("tar czf ../bot.tar.gz ." in serve.get("/").text,
           "the archive of a bot is not made within what it archives")
    hal, ida = serve.token("hal"), serve.token("ida")
    good = archive([], "hal", more=local_bots.ONE_GAME)
    for what, code, answer in (
            ("no token", 401, put(serve, "hal", good, "")),
            ("a wrong token", 401, put(serve, "hal", good, shown("hal", "0" * 64))),
            ("another's token", 403, put(serve, "hal", good, shown("ida", ida))),
            ("nothing", 400, put(serve, "hal", b"", shown("hal", hal)))):
        tap.equal(answer.code, code, f"upload: {what}: {code}")
    large = put(serve, "hal", b"", shown("hal", hal), 1 << 40)
    tap.equal((large.code, large.text), (
        413, "413: expected an upload of at most 4194304 bytes\n"),
        "upload: too large")
    cut = put_cut(serve, good, shown("hal", hal))
    tap.ok(cut is None or cut.code >= 400, "upload: cut in the middle")
    tap.equal((serve.log("upload"), serve.log("upload-over")), ([], []),
              "none of them is imported")

    answer = put(serve, "hal", good, shown("hal", hal))
    tap.equal((answer.code, answer.headers.get("location")),
              (202, "../api/1/bots/hal/log"), "an upload is taken")
    answer = put(serve, "ida", archive([entry("/x")], "ida"),
                 shown("ida", ida))
    tap.equal(answer.code, 202, "one of another waits")
    arena.wait_for(lambda: len(serve.log("upload-over")) == 2, tap.TIMEOUT_S)
    tap.equal([re.search("bot=.*", line)[0]
               for line in serve.log("upload-over")],
              ["bot=hal code=0", "bot=ida code=2"], "they are imported")
    tap.ok("is an absolute path" in told(serve, "ida", ida, "absolute"),
           "why not, its log says", told(serve, "ida", ida, "absolute"))
    tap.ok("checking hal" in told(serve, "hal", hal, "checking"),
           "and what the check said")
    tap.equal(serve.get("/api/1/bots/hal/log").code, 401, "with a token")
    tap.equal(serve.get("/api/1/bots/hal/log", headers=shown("ida", ida)).code, 403,
              "of its own")
    put(serve, "ida", archive([], "hal"), shown("ida", ida))
    tap.ok("but ida was expected" in told(serve, "ida", ida, "but ida"),
           "a token is for one name")
    put(serve, "hal", archive([], "ida"), shown("hal", hal))
    text = told(serve, "hal", hal, "but hal")
    tap.ok(text.startswith("Its last upload:\nNot imported: the bot's name is "
                           "ida, but hal was expected\nhal, which is its version "
                           "now, its check:\n"),
           "a verdict stands on top, and each part says of which version it is",
           text)
    add(serve, local_bots.folder(serve.root, "jan"))
    tap.ok(over(serve, 1, "hal", "jan") >= 1, "who was sent in plays")


def put_cut(serve, body, headers):
    """Uploads half of the body and closes the connection."""
    head = (f"PUT /bots/hal HTTP/1.1\r\nHost: localhost\r\n"
            f"Content-Length: {len(body)}\r\n{headers}\r\n").encode()
    with socket.create_connection(("127.0.0.1", serve.port("pages")),
                                  60) as line:
        line.sendall(head + body[:len(body) // 2])
        line.shutdown(socket.SHUT_WR)
        whole = b""
        while part := line.recv(4096):
            whole += part
    return daemon.Answer(whole) if whole else None


def not_allowed():
    with local_bots.serve() as serve:
        serve.file.write_text(serve.file.read_text("ascii").replace(
            f"uploads = {local_bots.UPLOADS}", "uploads = no"), "ascii")
        serve.start()
        token = serve.token("kim")
        small = archive([], "kim")
        tap.equal(put(serve, "kim", small, shown("kim", token)).code, 405,
                  "where uploads are not allowed there is no PUT")
        tap.ok("uploads are off here" in put(
            serve, "kim", small, shown("kim", token)).text, "and it is told so")
        tap.ok("Send in a bot" not in serve.get("/").text,
               "nor is anybody asked to send one")
        tap.equal(serve.get("/bots/kim", "OPTIONS").headers.get("allow"),
                  "GET, HEAD", "and nothing says that there is")


def tournament(serve):
    """Tests a tournament of bots in the data folder, which the daemon's pages
    show while it runs and afterwards."""
    for name in ("nia", "oli", "pam"):
        add(serve, local_bots.folder(serve.root, name))
    bots(serve, "disable", "pam", "too slow")
    play_ = ["tournament", "knockout", "toepen", "-o", "points=1", "--data",
             serve.data, "--bot", "nia", "--bot", "oli", "--bot", "random",
             "--sandbox", "off"]
    early = tap.referee(*play_, cwd=serve.root)
    tap.equal(early.code, 0, "bots are taken by their names")
    for name, why in (("pam", "is disabled: too slow"), ("ola", "has no bot "
                      "'ola'; there are")):
        tap.complains(tap.referee(*play_, "--bot", name, cwd=serve.root), 2,
                      why, f"{name}: {why}")
    serve.start()
    add(serve, local_bots.folder(serve.root, "oli", "2"))
    run = tap.referee(*play_, "--records", "cup", "--json", cwd=serve.root)
    rows = [json.loads(line) for line in run.out.splitlines()]
    tap.equal(sorted(row["bot"] for row in rows if "rank" in row),
              ["nia", "oli.2", "random"],
              "the latest version plays, beside a daemon, as ladders call it")
    ident, = (path.stem[-32:] for path in
              (serve.root / "cup").glob("tournament-*.json"))
    winner = rows[0]["bot"]
    every = serve.get("/tournaments").text
    tap.ok(every.count('href="./tournaments/') == 2 and ident in every,
           "the daemon's page lists both", every)
    for path in (f"/tournaments/{ident}", f"/tournaments/{ident}/projector"):
        tap.ok(f"{winner} has won." in re.sub("<[^>]*>", "", serve.get(path).text),
               f"{path[:12]}: who has won")
    for path in ("/tournaments/x", f"/tournaments/{'0' * 32}",
                 f"/tournaments/{'0' * 32}/projector"):
        tap.equal(serve.get(path).code, 404, f"{path[:20]} is not there")
    file = serve.data / "tournaments" / f"tournament-{ident}.json"
    # luck: the date is kept
    text, when = file.read_text("ascii"), file.stat().st_mtime_ns
    page = serve.get(f"/tournaments/{ident}").text
    file.write_text(text.replace('"nia"', '"<b>"'), "ascii")
    os.utime(file, ns=(when, when))
    tap.ok(serve.get(f"/tournaments/{ident}").text == page and
           ident in serve.get("/tournaments").text,
           "pages of files that have not changed are not made again")
    os.rename(file, file.with_suffix(".new"))
    os.rename(file.with_suffix(".new"), file)
    os.utime(file)
    tap.ok(arena.wait_for(  # a page is also cached for a moment
        lambda: serve.get(f"/tournaments/{ident}").code == 404 and
        ident not in serve.get("/tournaments").text),
           "a file with a name that is none is not shown")

def traps(serve):
    """Tests that a tournament is not written where others could have laid a
    trap."""
    add(serve, local_bots.folder(serve.root, "tia"))
    folder = serve.data / "tournaments"
    play_ = ["tournament", "roundrobin", "toepen", "-o", "points=1", "--data",
             serve.data, "--bot", "house", "--bot", "random", "--seed", "traps"]
    tap.equal(tap.referee(*play_, cwd=serve.root).code, 0, "a tournament is kept")
    file, = folder.glob("tournament-*.json")
    os.mkfifo(f"{file}.tmp")
    kept = tap.referee(*play_, cwd=serve.root)
    tap.ok(kept.code == 3 and "cannot write '" in kept.err,
           "a pipe in its place does not hold it up", kept)
    os.unlink(f"{file}.tmp")
    folder.chmod(0o777)
    serve.data.chmod(0o755)
    tap.complains(tap.referee(*play_, cwd=serve.root), 3,
                  "others may write in", "nor is it written where others write")
    play_[play_.index(serve.data)] = serve.root
    tap.complains(tap.referee(*play_, cwd=serve.root), 2,
                  "is not a daemon's data folder", "nor in any folder")


def held(serve):
    """Tests that a version that plays in a tournament stays until it is over,
    even if the author sends in a new one."""
    gate = """#!/bin/sh
while read -r verb ask ms move others && [ "$verb" != bye ]; do
	[ "$verb" != game ] || while [ -e %s/hold ]; do sleep 0.05; done
	[ "$verb" != ask ] || echo "do $ask $move"
done
""" % serve.root
    hold = serve.root / "hold"
    hold.touch()
    add(serve, local_bots.folder(serve.root, "quy", **{"bot.sh": gate}))
    serve.start()
    folder = next(path for path in (serve.data / "bots").iterdir())
    match = subprocess.Popen(
        [tap.REFEREE, "tournament", "roundrobin", "toepen", "-o", "points=1",
         "--data", serve.data, "--bot", "quy", "--bot", "random", "--sandbox",
         "off", "--jobs", "1", "--move-time", "3600000"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    arena.wait_for(lambda: list((serve.data / "tournaments").glob("*.json")))
    add(serve, local_bots.folder(serve.root, "quy", "2"))
    add(serve, local_bots.folder(serve.root, "ria"))
    tap.ok(folder.is_dir(), "its folder stays while it plays")
    hold.unlink()
    out, _ = match.communicate()
    tap.ok(match.returncode == 0 and b"crash" not in out,
           "and no game is lost", out)
    for version in "3456":  # the last four versions keep their folders
        add(serve, local_bots.folder(serve.root, "quy", version))
    serve.stop()
    serve.start()
    add(serve, local_bots.folder(serve.root, "sam"))
    tap.ok(arena.wait_for(lambda: not folder.exists()), "then it goes")


def boxless():
    """Tests that bots play in tier C where there are no boxes, if the machine
    has it."""
    with local_bots.serve() as serve:
        serve.before = machine.BOXLESS
        serve.file.write_text(serve.file.read_text("ascii").replace(
            f"uploads = {local_bots.UPLOADS}", "uploads = without-box")
            .replace("seats = 2", "seats = 2 move-time = 3600000"), "ascii")
        add(serve, local_bots.folder(serve.root, "lea"))
        add(serve, local_bots.folder(serve.root, "max"))
        serve.start()
        tier = serve.log("sandbox")[0].split("tier=")[1][0]
        if tap.skip("local bots without boxes", None if tier == "C" else
                    f"it is tier {tier} here without them"):
            return
        tap.ok(over(serve, 2, "lea", "max") >= 2 and
               log_of(serve, "lea", "sits down")[0],
               "tier C: they play, from their folders",
               bots(serve, "log", "lea"))
        arena.wait_for(lambda: serve.games("toepen"))  # the others may be of durnius
        # The end of the daemon aborts games that run.
        faults = [(game.aborted(), *game.faults())
                  for game in serve.games("toepen")]
        serve.stop()
        tap.ok(faults and not any(map(any, faults)), "and without a fault",
               faults)


def slow_disk():
    """Tests that the daemon goes on while a disk takes long to keep a new bot."""
    with local_bots.serve() as serve:
        gate = serve.root / "gate"
        os.mkfifo(gate)
        serve.environ = daemon.preloaded(serve.root, "slow", SLOW_DISK, dict(
            os.environ, SLOW_DISK=str(gate)))
        if tap.skip("a slow disk", None if serve.environ else "no compiler"):
            return
        serve.start()
        path = local_bots.folder(serve.root, "slow")
        with subprocess.Popen(
                [tap.REFEREE, "bots", "add", path, "--no-check", "--data", serve.data],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as adding:
            tap.ok(arena.wait_for(lambda: [*serve.data.glob("bots/*/bot")]),
                   "the folder of a bot is moved in", serve.text())
            tap.equal(serve.get("/healthz").code, 200,
                      "while the disk is slow, pages are answered")
            tap.equal(serve.get("/ladders/toepen").code, 200,
                      "those, too, that a thread makes")
            tap.equal(bots(serve, "token", "other").code, 0, "and requests")
            tap.ok("slow" not in bots(serve, "list").out,
                   "the bot is not entered before it is on disk")
            gate.write_text("", "ascii")
            tap.equal((adding.stdout.read(), adding.wait()), ("slow was added\n", 0),
                      "and then it is")
        tap.ok("slow" in bots(serve, "list").out, "with its name in the list")
        serve.stop()


def main():
    slow_disk()
    with local_bots.serve() as serve:
        play(serve)
        added_beside(serve)
        versions(serve)
        idle(serve)
        states(serve)
        never_begins(serve)
        crashes(serve)
        ends(serve)
    with local_bots.serve() as serve:
        changed(serve)
        lowered(serve)
    with local_bots.serve() as serve:
        uploads(serve)
    with local_bots.serve() as serve:
        tournament(serve)
    with local_bots.serve() as serve:
        traps(serve)
    with local_bots.serve() as serve:
        held(serve)
    replaced()
    not_allowed()
    boxless()
    tap.done()


main()
