#!/usr/bin/env python3
"""The decision on the page of a game, and the times of asks: for those who may
see the seat, when the game is over; what a bot wrote, for its author alone."""

import json
import re

import arena
import daemon
import html_page
import tap
from local_bots import add, folder, shown

# Says which ask it answers, with what could be HTML; games of Durnius do not end.
BOT = """#!/bin/sh
read -r line
echo "bot 1 {name}"
echo "{name} sits <down>" >&2
while read -r verb number what token rest; do
\tcase $verb in
\tgame) game=$what ;;
\task) [ "$game" = durnius ] && sleep 60
\t\techo "{name} answers $number" >&2
\t\techo "do $number ${{token%% *}}" ;;
\tbye) exit 0 ;;
\tesac
done
"""
LADDERS = (
    "residents { games = 4 at-once = 2 }\n"
    'ladder "toepen" { game = toepen seats = 2 readers = players\n'
    'options = { "points=3" } }\n'
    'ladder "durnius" { game = durnius seats = 2 readers = everybody at-once = 1\n'
    "move-time = 60000 }\n"
    "limits { stop-time = 1000 }\n" + daemon.BOTS + daemon.PAGES)


def section_of(answer):
    """The page's section about the decision; "": it has none."""
    found = re.search(r'<section id="decision"[^>]*>(.*?)</section>', answer.text,
                      re.DOTALL)
    return found[1].strip() if found else ""


def over(house):
    games = house.get("/api/1/ladders/toepen/games").json()
    return games["games"] if isinstance(games, dict) else games


def running(house, headers):
    ids = re.findall(r'"id":\s*"([0-9a-f]{32})"', house.get(
        "/api/1/ladders/durnius/running").text)
    tap.ok(ids, "a game runs")
    for view in ("", "?view=public", "?view=0", "?view=1"):
        answers = [house.get(f"/api/1/games/{ids[0]}/asks{view}", headers=header)
                   for header in headers]
        tap.equal({(answer.code, "us" in answer.text) for answer in answers},
                  {(404, False)}, f"while it runs no times: {view}")
        pages = [house.get(f"/games/{ids[0]}{view}", headers=header)
                 for header in headers]
        tap.ok(not any("It thought" in page.text or section_of(page)
                       for page in pages), "nor on its page")


def finished(house, game, ann, ben):
    url = f"/games/{game['id']}"
    names = [seat["bot"] for seat in game["seats"]]
    seat = names.index("ann")
    lines = house.get(f"/api/1/games/{game['id']}/frames?view={seat}",
                      headers=ann).text.splitlines()
    asks = [json.loads(line) for line in house.get(
        f"/api/1/games/{game['id']}/asks?view={seat}", headers=ann)
        .text.splitlines()]
    tap.equal(len(asks), len({ask["ask"] for ask in asks}), "each has its number")
    by_line = {ask["line"]: ask for ask in asks}
    shown_asks, wrong = set(), []
    for at, line in enumerate(map(json.loads, lines), 1):
        answer = house.get(f"{url}?view={seat}&at={at}", headers=ann)
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
    pages = [house.get(f"{url}?view={seat}&at={at}", headers=ann).text
             for at in (first, first - 1)]
    tap.ok(any("ann sits &lt;down&gt;" in page for page in pages),
           "what stands before her first answer belongs to it", pages[0][-2000:])
    for what, view, headers, code, decision in (
            ("ben, of ann's seat", seat, ben, 200, True),
            ("ben, of all", "all", ben, 200, True),
            ("ann, of what all saw", "public", ann, 200, False),
            ("a spectator", "public", "", 200, False),
            ("a spectator, of ann's seat", seat, "", 401, False)):
        answers = [house.get(f"{url}?view={view}&at={at}", headers=headers)
                   for at in range(1, len(lines) + 1, 3)]
        tap.equal(({answer.code for answer in answers},
                   any(section_of(answer) for answer in answers),
                   any("ann answers" in answer.text for answer in answers)),
                  ({code}, decision, False), what)
    answers = [house.get(f"{url}?at={at}", headers=ann)
               for at in range(1, len(lines) + 1)]
    tap.ok(any("ann answers" in answer.text for answer in answers)
           and not any("ben answers" in answer.text for answer in answers),
           "ann, of all: what she wrote, not what ben did")


with daemon.House(LADDERS) as house:
    house.start()
    for name in ("ann", "ben"):
        made = add(house, folder(house.root, name,
                                 **{"bot.sh": BOT.format(name=name)}))
        tap.equal(made.code, 0, f"{name} is added")
    ann = shown("ann", house.token("ann"))
    ben = shown("ben", house.token("ben"))
    arena.wait_for(lambda: len(over(house)) > 1)
    finished(house, over(house)[-1], ann, ben)
    arena.wait_for(lambda: '"id"' in house.get(
        "/api/1/ladders/durnius/running").text)
    running(house, (ann, ben, ""))

tap.done()
