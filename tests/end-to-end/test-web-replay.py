#!/usr/bin/env python3
"""End-to-end because the page of a game is a program of its own in the browser: keys,
steps, views, lines and files.  test-frames-views has what each view sees.
PICTURES may name a folder for pictures."""

import json
import os
import pathlib
import re

import daemon
import shelf
import tap
import web

CONFIG = """
ladder open { game = toepen seats = 2 readers = everybody }
ladder closed { game = toepen seats = 2 readers = players }
"""
GAMES = ["daumen-drauf", "daupun", "doubles-dread", "durnius", "toepen"]
# Remarks that a bot may make, percent-encoded: a script, right-to-left text,
# two hundred letters.
REMARKS = ["%3Cscript%3Ealert(1)%3C/script%3E", "%D7%90%D7%91%E2%80%AE%20txt",
           "W" * 200]
# Microseconds at which the form of a time changes.
TIMES = {0: "0.000 ms", 9: "0.009 ms", 87: "0.087 ms", 99: "0.099 ms", 100: "0.1 ms",
         149: "0.1 ms", 150: "0.2 ms", 250: "0.3 ms", 9949: "9.9 ms", 9950: "10 ms",
         45678: "46 ms", 999499: "999 ms", 999500: "1.0 s", 12345678: "12.3 s"}
UNSENT = None  # an ask that was not sent



def remark(text):
    """Adds three remarks to the first moves."""
    for said in REMARKS:
        seat = re.search(r"^move (\d)[^;\n]*$", text, re.MULTILINE)[1]
        text = re.sub(rf"^(move {seat}[^;\n]*)$", rf"\1 ; say {seat} {said}",
                      text, count=1, flags=re.MULTILINE)
    return text


def long_game(folder):
    path = pathlib.Path(folder) / "long.rec"
    tap.write_record(path, "game=durnius", "seats=4", "options=games=9",
                     "seed=long", "faults=3", "fault_rate=2")
    return path.read_text("utf-8")


def put_asks(path, bank):
    """Writes times for all asks of a record that has none."""
    head, _, _ = path.read_text("utf-8").partition("\n\n")
    told = tap.referee("replay", "--json", "--asks", path).out.splitlines()
    at, lines = head.count("\n") + 3, ["asks 1", f"id {path.stem}"]
    asks = [line for line in map(json.loads, told) if "tokens" in line]
    for i, ask in enumerate(asks):
        us = [*TIMES, UNSENT][i % (len(TIMES) + 1)]
        lines.append(f"{ask['line'] - at} {ask['ask']} " +
                     ("- - fault=timeout" if us is None else
                      f"{us} {ask['tokens'][0]}") +
                     (f" bank={9000 - 4 * i}" if bank else ""))
        at = ask["line"]
    path.with_suffix(".asks").write_text("\n".join(lines) + "\n", "ascii")


def fill(serve):
    """Makes games; returns their IDs by purpose."""
    shown = shelf.Shelf(serve, "open")
    ids = {game: shown.put_vector(f"{game}-sealed") for game in GAMES}
    for game in ("durnius", "daupun"):
        put_asks(shown.path(ids[game]), game == "durnius")
    text = (tap.VECTORS / "toepen-source.rec").read_text("utf-8")
    ids["remarks"] = shown.put(remark(text), "remarks")
    text = re.sub(r"^bot 0 .*$", "bot 0 alice", text, flags=re.MULTILINE)
    ids["own"] = shelf.Shelf(serve, "closed").put(text, "own")
    with tap.folder() as folder:
        ids["long"] = shown.put(long_game(folder))
    return ids


def test_times(serve, ids):
    """Tests that the program prints times as the page does."""
    path = shelf.Shelf(serve, "open").path(ids["durnius"])
    told = re.findall(r"It thought ([0-9.]+ m?s)",
                      tap.referee("replay", "--asks", path).out)
    tap.equal(told[:len(TIMES)], [*TIMES.values()], "times have one form")


def test_downloads(serve, ids):
    """Tests that the record for download verifies, as the page says."""
    ident = ids["toepen"]
    page = serve.get(f"/games/{ident}").text
    tap.ok("proved: commitment, deal, moves" in page, "a game is proved", page)
    record = serve.get(f"/api/1/records/{ident}?view=all").text
    with tap.folder() as folder:
        path = pathlib.Path(folder) / f"{ident}.rec"
        path.write_text(record, "latin-1")
        tap.ok(f"referee verify {path.name}" in page and
               tap.run([tap.REFEREE, "verify", path]).code == 0,
               "by the command that it tells")
    text = (tap.VECTORS / "toepen-sealed.rec").read_text("utf-8")
    wrong = shelf.Shelf(serve, "open").put(
        re.sub("^(secret ..)..", r"\g<1>00", text, flags=re.MULTILINE), "wrong")
    page = serve.get(f"/games/{wrong}?view=public").text
    tap.ok("not proved" in page, "and another one is not", page)


def test_browser(serve, ids):
    if web.skip("the replay in a browser"):
        return
    web.play("web-replay.mjs", {
        "base": f"http://127.0.0.1:{serve.port('pages')}", "ids": ids,
        "games": GAMES, "token": serve.token("alice"),
        "times": [[us, text] for us, text in TIMES.items()],
        "pictures": os.environ.get("PICTURES")})


with daemon.Daemon(CONFIG) as serve:
    serve.start()
    ids = fill(serve)
    test_times(serve, ids)
    test_downloads(serve, ids)
    test_browser(serve, ids)
    tap.equal(serve.stop(), 0, "and the daemon ends")
tap.done()
