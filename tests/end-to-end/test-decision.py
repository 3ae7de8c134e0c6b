#!/usr/bin/env python3
"""Tests the decision and the times of asks on the page of a finished game, for
readers who may see the seat; and that only the author sees what a bot wrote.
End-to-end because real programs write it."""

import json
import os
import re

import arena
import daemon
import html_page
import tap
import web
from local_bots import add, folder, shown

CHECK_ALL = bool(os.environ.get("CHECK_ALL"))
# Says which ask it answers, and before that hostile text; its games of Durnius do
# not end.
BOT = """#!/bin/sh
read -r line
echo "bot 1 {name}"
printf '{name} sits <down>\\000\\033[2Jand\\377\\n' >&2
while read -r verb number what token rest; do
\tcase $verb in
\tgame) game=$what ;;
\task) [ "$game" = durnius ] && sleep 3600
\t\techo "{name} answers $number" >&2
\t\techo "do $number ${{token%% *}}" ;;
\tresult) echo "{name} is done" >&2 ;;
\tbye) exit 0 ;;
\tesac
done
"""
LADDERS = (
    'ladder "toepen" { game = toepen seats = 2 readers = players move-time = 3600000\n'
    'options = { "points=3" } }\n'
    'ladder "durnius" { game = durnius seats = 2 readers = everybody at-once = 1\n'
    "move-time = 3600000 }\n"
    "limits { stop-time = 1000 }\nsign-up = code\n" + daemon.BOTS + daemon.PAGES)
# A bot's output is kept only for its last 50 games, so no more may begin while
# the test looks at it.
PLAYS = "local-bots { games = 4 at-once = 2 }\n"
RESTS = "local-bots { games = 0 at-once = 2 }\n"
AFTER = "After its last answer it wrote to standard error:"
GONE = "What it wrote to standard error is no longer kept."
LOST = "What <bdi>{}</bdi> wrote to standard error is no longer kept"


def section_of(answer):
    """Returns the page's section about the decision, or ""."""
    found = re.search(r'<section id="decision"[^>]*>(.*?)</section>', answer.text,
                      re.DOTALL)
    return found[1].strip() if found else ""


def over(serve):
    # These are few enough that the notes of all are kept.
    games = serve.get("/api/1/ladders/toepen/games?count=40").json()
    return games["games"] if isinstance(games, dict) else games


def run_now(serve, ladder):
    """Returns the IDs of running games."""
    return re.findall(r'"id":\s*"([0-9a-f]{32})"', serve.get(
        f"/api/1/ladders/{ladder}/running").text)


def running(serve, headers):
    ids = run_now(serve, "durnius")
    tap.ok(ids, "a game runs")
    for view in ("", "?view=public", "?view=0", "?view=1"):
        answers = [serve.get(f"/api/1/games/{ids[0]}/asks{view}", headers=header)
                   for header in headers]
        tap.equal({(answer.code, "us" in answer.text) for answer in answers},
                  {(404, False)}, f"while it runs no times: {view}")
        pages = [serve.get(f"/games/{ids[0]}{view}", headers=header)
                 for header in headers]
        tap.ok(not any("It thought" in page.text or section_of(page)
                       for page in pages), "nor on its page")


def names_of(game):
    return [seat["bot"] for seat in game["seats"]]


def finished(serve, game, ann, ben):
    url = f"/games/{game['id']}"
    seat = names_of(game).index("ann")
    lines = serve.get(f"/api/1/games/{game['id']}/frames?view={seat}",
                      headers=ann).text.splitlines()
    asks = [json.loads(line) for line in serve.get(
        f"/api/1/games/{game['id']}/asks?view={seat}", headers=ann)
        .text.splitlines()]
    tap.equal(len(asks), len({ask["ask"] for ask in asks}), "each has its number")
    by_line = {ask["line"]: ask for ask in asks}
    shown_asks, wrong = set(), []
    for at, line in enumerate(map(json.loads, lines), 1):
        answer = serve.get(f"{url}?view={seat}&at={at}", headers=ann)
        page = html_page.Page(answer.text)
        text = section_of(answer)
        wrote = re.findall(r"ann answers (\d+)", text)
        shown_asks.update(map(int, wrote))
        if page.wrong or len(wrote) > 1:
            wrong.append((at, page.wrong, wrote))
        own = by_line.get(line["line"])
        if own and line["event"].startswith(f"move {seat}") and (
                wrote != [str(own["ask"])] or f'<code>{own["answer"]}</code>.' not in text
                or f'chosen" aria-current="true"><strong>{own["answer"]}<' not in text
                or "It thought" not in text):
            wrong.append((at, line, own, text))
    tap.equal(wrong, [], "ann reads her decisions, with what she wrote")
    tap.equal(shown_asks, {ask["ask"] for ask in asks}, "all of them")
    first = next(at for at, line in enumerate(map(json.loads, lines), 1)
                 if line["line"] in by_line)
    pages = [serve.get(f"{url}?view={seat}&at={at}", headers=ann).text
             for at in (first, first - 1)]
    tap.ok(any("ann sits &lt;down&gt;" in page for page in pages),
           "what stands before her first answer belongs to it", pages[0][-2000:])
    tap.ok(any("&gt;\ufffd\ufffd[2Jand\ufffd\nann answers" in
               page.encode("latin-1").decode() for page in pages),
           "a NUL hides nothing of it, and no control character is sent",
           re.findall("ann sits.*", pages[0] + pages[1]))
    end = [section_of(serve.get(f"{url}?view={seat}&at={at}", headers=ann))
           for at in (len(lines) // 2, len(lines))]
    tap.equal([AFTER in text and "ann is done" in text for text in end],
              [False, True], "what she wrote after her last answer stands last")
    tap.equal([ask["ask"] for ask in asks if ask["wrote"] == len(
        f"ann answers {ask['ask']}\n")], [ask["ask"] for ask in asks[1:]],
              "her asks say how much she wrote")
    for what, view, headers, code, decision in (
            ("ben, of ann's seat", seat, ben, 200, True),
            ("ben, of all", "all", ben, 200, True),
            ("ann, of what all saw", "public", ann, 200, False),
            ("a spectator", "public", "", 200, False),
            ("a spectator, of ann's seat", seat, "", 200, False)):
        answers = [serve.get(f"{url}?view={view}&at={at}", headers=headers)
                   for at in range(1, len(lines) + 1, 3)]
        tap.equal(({answer.code for answer in answers},
                   any(section_of(answer) for answer in answers),
                   any("ann answers" in answer.text for answer in answers)),
                  ({code}, decision, False), what)
        told = serve.get(f"/api/1/games/{game['id']}/asks?view={view}",
                         headers=headers)
        tap.equal(any("wrote" in ask and ask["seat"] == seat for ask in map(
            json.loads, told.text.splitlines() if told.code == 200 else ())),
                  False, f"nor how much: {what}")


def of_owner(serve, game, ann):
    """Tests that the owner reads what her bot wrote, and another owner, of the
    bot beside it, does not."""
    seat = names_of(game).index("ann")
    tokens = {}
    code = tap.referee("owners", "code", "--accounts", 2, "--data",
                       serve.data).out.strip()
    for owner, bot in (("anna", "ann"), ("bert", "ben")):
        made = serve.get(f"/owners/{owner}", "PUT",
                         f"X-Code: {code}\r\nContent-Length: 0\r\n")
        tokens[owner] = made.json()["token"]
        daemon.request(serve.data, "owner", bot, owner)

    def read(owner, bot, of=None):
        headers = (f"X-Owner: {owner}\r\nX-Bot: {bot}\r\n"
                   f"Authorization: Bearer {tokens[of or owner]}\r\n")
        pages = [serve.get(f"{path}?view={view}{at}", headers=headers,
                           source=next(daemon.STRANGERS))
                 for view in (seat, "all")
                 for path, at in ((f"/games/{game['id']}", "&at=999"),
                                  (f"/api/1/games/{game['id']}/asks", ""))]
        return ("".join(page.text for page in pages),
                {page.code for page in pages})

    text, codes = read("anna", "ann")
    tap.ok(codes == {200} and "ann is done" in text and '"wrote"' in text and
           "ben is done" not in text, "her owner reads it, too", text[-2000:])
    text, codes = read("bert", "ben")
    tap.ok(codes == {200} and "ann is done" not in text,
           "the owner of the other bot does not", text[-2000:])
    tap.equal(read("bert", "ann")[1], {403}, "nor as her bot")
    tap.equal(read("anna", "ann", "bert")[1], {401}, "nor with another token")
    text = "".join(serve.get(path).text for path in (
        f"/games/{game['id']}?view=all", f"/games/{game['id']}?view=public",
        f"/games/{game['id']}", "/bots/ann", "/metrics"))
    tap.ok("is done" not in text, "nor does anybody without a token")
    tap.equal([str(path) for path in serve.data.rglob("*") if path.is_file() and
               b"is done" in path.read_bytes() and path.name != "bot.sh"], [],
              "and no file has it, so no backup and no pack")
    for path in (f"/games/{game['id']}?view=all",
                 f"/api/1/games/{game['id']}/asks?view=all"):
        tap.equal(serve.get(path, headers=ann).headers["cache-control"],
                  "private, no-store", "no cache keeps it")


def in_browser(serve, game, token, gone=False):
    if web.skip("standard error in a browser"):
        return
    web.play("web-wrote.mjs", {
        "gone": gone,
        "base": f"http://127.0.0.1:{serve.port('pages')}", "id": game["id"],
        "seat": names_of(game).index("ann"), "token": token,
        "record": serve.get(f"/api/1/records/{game['id']}?view=all",
                            headers=shown("ann", token)).text,
        "pictures": os.environ.get("PICTURES")})


def of_all(serve, game, ann):
    """Tests that Ann reads the same output in the full view and in her seat's
    view."""
    found = {}
    for view in ("all", names_of(game).index("ann")):
        url = f"/games/{game['id']}?view={view}"
        lines = serve.get(f"/api/1/games/{game['id']}/frames?view={view}",
                          headers=ann).text.splitlines()
        pages = [serve.get(f"{url}&at={at}", headers=ann)
                 for at in range(1, len(lines) + 1)]
        found[view] = (
            {page.code for page in pages},
            {int(ask) for page in pages
             for ask in re.findall(r"ann answers (\d+)", page.text)},
            any("ben answers" in page.text for page in pages),
            any(GONE in page.text for page in pages))
    asks = [json.loads(line) for line in serve.get(
        f"/api/1/games/{game['id']}/asks?view=all", headers=ann)
        .text.splitlines()]
    expected = ({200}, {ask["ask"] for ask in asks if names_of(game)[
        ask["seat"]] == "ann"}, False, False)
    tap.equal(found, dict.fromkeys(found, expected),
              f"ann, in seat {names_of(game).index('ann')}, of all: what she "
              "wrote, not what ben did")


def forgotten(serve, game, ann, ben):
    """Tests that a daemon that was started again, and has lost what bots wrote,
    says so to the author alone, who might think that nothing was written."""
    seat = names_of(game).index("ann")
    lines = len(serve.get(f"/api/1/games/{game['id']}/frames?view=all",
                          headers=ann).text.splitlines())
    for what, view, headers, told in (
            ("ann, of all", "all", ann, True),
            ("ann, of her seat", seat, ann, True),
            ("ann, of ben's seat", 1 - seat, ann, False),
            ("ann, of what all saw", "public", ann, False),
            ("ben, of ann's seat", seat, ben, False)):
        pages = [serve.get(f"/games/{game['id']}?view={view}&at={at}",
                           headers=headers) for at in range(1, lines + 1, 3)]
        tap.equal(({page.code for page in pages},
                   any("answers" in section_of(page) for page in pages),
                   any(GONE in page.text for page in pages)),
                  ({200}, False, told), f"no longer kept: {what}")
        tap.equal({tuple(LOST.format(name) in page.text for name in ("ann", "ben"))
                   for page in pages}, {(headers == ann, headers == ben)},
                  f"each page says so of the reader's own bot: {what}")
    # Two seats were asked; she reads only the ask of her own.
    both = [text for text in (section_of(serve.get(
        f"/games/{game['id']}?view=all&at={at}", headers=ann))
        for at in range(1, lines + 1)) if text.count("<h3>") == 2]
    tap.equal({text.count(GONE) for text in both}, {1},
              "where both were asked, of her own alone")


with daemon.Daemon(PLAYS + LADDERS) as serve:
    serve.start()
    for name in ("ann", "ben"):
        made = add(serve, folder(serve.root, name,
                                 **{"bot.sh": BOT.format(name=name)}))
        tap.equal(made.code, 0, f"{name} is added")
    token = serve.token("ann")
    ann = shown("ann", token)
    ben = shown("ben", serve.token("ben"))
    arena.wait_for(lambda: run_now(serve, "durnius") and {
        names_of(game)[0] for game in over(serve)} == {"ann", "ben"})
    tap.ok(serve.reload(RESTS + LADDERS), "no more games begin")
    arena.wait_for(lambda: not run_now(serve, "toepen"))
    running(serve, (ann, ben, ""))
    games = {names_of(game)[0]: game for game in over(serve)}
    finished(serve, games["ann"], ann, ben)
    for game in over(serve) if CHECK_ALL else games.values():
        of_all(serve, game, ann)
    of_owner(serve, games["ann"], ann)
    in_browser(serve, games["ann"], token)
    tap.equal(serve.stop(), 0, "the daemon ends")
    serve.start()
    for game in games.values():
        forgotten(serve, game, ann, ben)
    in_browser(serve, games["ann"], token, gone=True)

tap.done()
