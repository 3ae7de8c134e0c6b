#!/usr/bin/env python3
"""End-to-end because authors keep their token in a browser: the author's section of a
bot's page with its token, with a wrong one, an upload by keyboard alone, and the way
from a code to an account, a bot, its program and its games.
test-game-notes has what is told to whom."""

import json
import pathlib

import arena
import daemon
import keys
import local_bots
import tap
import web

CONFIG = """
sandbox = off
uploads = without-box
sign-up = code
trusted-proxies = { "127.0.0.1" }
ladder quick { game = daumen-drauf seats = 2 options = { "games=1" }
               readers = everybody }
ladder strict { game = toepen seats = 2 faults = 1 }
"""
WROTE = '<script>alert("x")</script> says \\xff'


def program(name):
    """Returns an archive with a bot of the game of `quick`: a check of all games takes
    long."""
    return local_bots.archive([], name=name, more='games = { "daumen-drauf" }\n')


def notes(serve, name, token):
    return serve.get(f"/api/1/bots/{name}/notes",
                     headers=f"X-Bot: {name}\r\nAuthorization: Bearer {token}\r\n")


def prepare(serve):
    """Makes `sam`, which writes to standard error and plays with bob, and
    `sleepy`, which is suspended."""
    made = local_bots.add(serve, local_bots.folder(
        serve.root, "sam", **{"bot.sh": local_bots.BOT.format(
            name="sam", version="1").replace(
                'echo "sam 1 sits down" >&2',
                f"printf '%s\\n\\377' '{WROTE}' >&2")}))
    if made.code != 0:
        raise RuntimeError(str(made))
    serve.start()
    serve.play("bob", "quick")
    serve.play("carol", "strict")
    guest = serve.guest("sleepy", serve.token("sleepy"))
    guest.say("sit strict")
    while (line := guest.hear()) not in (None, "retired"):
        if line.startswith("ask "):
            guest.say(f"do {line.split()[1]} nonsense")
    guest.close()


def test_notes(serve):
    """Checks the notes as JSON."""
    token = serve.token("sleepy")
    found = notes(serve, "sleepy", token)
    tap.ok(arena.wait_for(lambda: notes(serve, "sleepy", token).json()
                          ["suspensions"]), "why it was suspended", found.text)
    text = notes(serve, "sleepy", token).text
    tap.equal(keys.wrong("/api/1/bots/NAME/notes", text), "", "its keys")
    found = json.loads(text)
    once = found["suspensions"][0]
    tap.ok(once["ladder"] == "strict" and
           once["why"].startswith("suspended" if once["now"] else "not suspended")
           and "it was retired for its faults" in once["why"], "and where", found)
    tap.ok("answered ask 1 with `nonsense`" in found["games"][0]["told"]
           and found["games"][0]["seat"] in (0, 1) and not found["uploading"],
           "and what it was charged with", found)
    own = serve.token("sam")
    tap.ok(arena.wait_for(lambda: any(
        "\n\\xff" in one["stderr"] for one in
        notes(serve, "sam", own).json()["games"])), "any bytes are told as text",
        notes(serve, "sam", own).text[:500])
    serve.rest()
    tap.equal(notes(serve, "sleepy", token).headers["cache-control"],
              "private, no-store", "it is not kept")


def rename(serve, token):
    """Renames sam; returns a game that calls it sam, and for which it has notes."""
    daemon.request(serve.data, "rename", "sam", "samuel")
    game = arena.wait_for(lambda: next(
        (one["id"] for one in notes(serve, "samuel", token).json()["games"]
         if one["stderr"]), None))
    arena.wait_for(lambda: serve.get(f"/games/{game}").code == 200)
    return game


def test_renamed(serve, token):
    """Tests that records and ladders keep the old name of a renamed bot, and that its
    token has the new one."""
    found = notes(serve, "samuel", token).json()
    tap.equal((found["bot"], found["names"][0]), ("samuel", "sam"),
              "what records call it")
    for name in ("sam", "samuel"):
        tap.ok('data-bot="samuel"' in serve.get(f"/bots/{name}").text,
               f"the page of {name} asks for the token of samuel")
    tap.equal(notes(serve, "sleepy", serve.token("sleepy")).json()["names"],
              ["sleepy"], "a remote bot has one name")


def rated(serve, name):
    """Waits until a bot has played.  It plays with sam, who then plays no more: endless
    games would take the processor from the browser."""
    daemon.request(serve.data, "enable", "sam")
    found = arena.wait_for(lambda: name in serve.get("/ladders/quick").text)
    daemon.request(serve.data, "disable", "sam")
    return bool(found)


def test_browser(serve, token):
    if web.skip("the author's part in a browser"):
        rename(serve, token)
        return
    arena.wait_for(lambda: any(one["stderr"] for one in notes(
        serve, "sam", token).json()["games"]))
    with tap.folder() as folder:
        archive = pathlib.Path(folder) / "sam.tar.gz"
        archive.write_bytes(program("sam"))
        (pathlib.Path(folder) / "ace.tar.gz").write_bytes(program("ace"))
        local_bots.put(serve, "sam/trial?ladder=quick&games=2&against=random",
                       archive.read_bytes(), local_bots.shown("sam", token))
        arena.wait_for(lambda: "table" in notes(serve, "sam", token).json().get(
            "trial", {}))
        broken = pathlib.Path(folder) / "broken.tar.gz"
        broken.write_bytes(b"no archive")
        web.play("web-author.mjs", {
            "base": f"http://127.0.0.1:{serve.port('pages')}", "token": token,
            "sleepy": serve.token("sleepy"), "code": tap.referee(
                "owners", "code", "--data", serve.data).out.strip(),
            "folder": folder, "archive": str(archive), "broken": str(broken),
            "wrote": WROTE}, rated=lambda name: rated(serve, name),
            rename=lambda: rename(serve, token),
            ban=lambda name: daemon.request(serve.data, "ban", name, "two accounts"),
            unban=lambda name: daemon.request(serve.data, "unban", name))
    asks = "Ask the organiser for a name and a token"
    tap.ok(asks not in serve.get("/").text, "an account is the one way in")
    serve.reload(CONFIG.replace("sign-up = code", ""))
    tap.ok(arena.wait_for(lambda: asks in serve.get("/").text),
           "or the organiser is")
    tap.ok("Nobody can make an account here" in serve.get("/sign-up").text,
           "a page says that nobody can sign up")
    tap.ok("sign-up" not in serve.get("/").text + serve.get("/about").text,
           "and no page leads there")


with daemon.Daemon(CONFIG) as serve:
    prepare(serve)
    test_notes(serve)
    TOKEN = serve.token("sam")
    test_browser(serve, TOKEN)
    test_renamed(serve, TOKEN)
    tap.equal(serve.stop(), 0, "and the daemon ends")
tap.done()
