#!/usr/bin/env python3
"""Tests that the page of each game and `referee games` say the same, and that
the engine does it.

It compares options, seats, moves and lines, in both directions, with the output
for people.  Every example on a page, in a table, a block or the text, must have
one of these forms.  The forms themselves are compared with all test vectors and
with random records that have the asks.  End-to-end for pages that people read."""

import itertools
import re
import runpy

import forms
import orders
import pages
import tap

# Values that a page gives in words.
IN_WORDS = {
    "two different digits from 1 to 8, the smaller first: `12` to `78`":
        [f"{a}{b}" for a, b in itertools.combinations(range(1, 9), 2)],
}
# Options that make every move come up.
RECORDS = {
    "daumen-drauf": [(2, ""), (4, "games=20")],
    "daupun": [(2, "")],
    "doubles-dread": [(2, ""), (4, "rounds=20")],
    "durnius": [(3, "passing=yes travel=yes games=20")],
    "toepen": [(3, ""), (4, "")],
}
# The rules of a checker that knows our records, but not our program.
CHECKER = runpy.run_path(
    str(tap.SOURCE_DIR / "tests" / "independent" / "check-record.py"))
MOST_SEATS = 7  # with these, no piece of a game stays in the box
DECKS = {name: rules.pieces(MOST_SEATS, {})
         for name, rules in CHECKER["GAMES"].items()}


# ---- what `referee games` prints for people

def section(text, title):
    found = re.search(rf"^{re.escape(title)}.*\n((?:  .*\n?| {{15}}.*\n?)+)",
                      text, re.MULTILINE)
    return found.group(1).splitlines() if found else []


def printed_options(text):
    """Returns (name, values as text, default) of the options, in order."""
    found = []
    for line in section(text, "Options"):
        if line[2] != " ":
            found.append(line[2:])
        elif "; default " not in found[-1]:
            found[-1] += " " + line.strip()
    return [re.fullmatch(r"(\S+) +(.*); default (.*)", one).groups()
            for one in found]


def printed_moves(text):
    return [line.split()[0] for line in section(text, "Moves")]


def printed_lines(text):
    return [line.strip() for line in section(text, "Lines")]


# ---- what a page says

def page_values(cell):
    if cell in IN_WORDS:
        return ", ".join(IN_WORDS[cell])
    return ", ".join(pages.code(cell)) or cell


def page_options(page):
    return [(pages.code(row["option"])[0], page_values(row["values"]),
             row["default"].strip("`")) for row in page.table("option")]


def all_forms(page, head):
    return [one for row in page.table(head + " | example")
            for one in pages.code(row[head])]


# ---- tests

def compare(game, page, text):
    """Compares whole lists, which covers both directions."""
    what = f"{game.name}: "
    tap.equal(page_options(page), printed_options(text), what + "options")
    tap.equal(sorted(all_forms(page, "move")), sorted(printed_moves(text)),
              what + "moves")
    tap.equal(sorted(all_forms(page, "line")), sorted(printed_lines(text)),
              what + "lines")
    seats = re.findall(r"\b(\d)(?: to (\d))?\s+seats\b",
                       page.text.partition("\n- [")[0])
    least, most = game.seats
    tap.equal(seats, [(str(least), "" if least == most else str(most))],
              what + "seats, in the introduction")
    tap.equal(printed_options(text), json_options(game),
              what + "options, for people and in JSON")
    tap.equal((printed_moves(text), printed_lines(text)),
              (game.moves, game.lines), what + "moves and lines in JSON")


def json_options(game):
    found = []
    for one in game.options:
        values = (", ".join(one["values"]) if "values" in one
                  else f"{one['min']} to {one['max']}")
        default = str(one["default"])
        found.append((one["name"], values,
                      "as many as seats" if default == "seats" else default))
    return found


def check_examples(game, page):
    """Checks that each example has a form of its row, and each form an example."""
    for head, like in (("line", game.lines_like), ("move", game.moves_like)):
        wrong = []
        for row in page.table(head + " | example"):
            told, examples = pages.code(row[head]), pages.code(row["example"])
            met = [set(like(one)) & set(told) for one in examples]
            if not all(met) or set().union(*met) != set(told):
                wrong.append((told, examples))
        tap.equal(wrong, [], f"{game.name}: an example of each {head}")


def is_line(game, line):
    """Returns true if the line may stand in a block: an event line, or a line
    of a record or a conversation between them."""
    words = line.split(" ")
    if words[0] == "do":
        return bool(re.fullmatch(r"do \d+ \S+", line)
                    and game.moves_like(words[2]))
    if words[0] == "ask":
        moves = [word for word in words[1:] if not word.isdigit()]
        return bool(re.match(r"ask \d+ (\d+ )?\D", line)
                    and all(map(game.moves_like, moves)))
    return bool(game.lines_like(line))


def check_blocks(game, page):
    blocks = page.blocks()
    wrong = [line for kind, lines in blocks if kind == ""
             for line in lines if not is_line(game, line)]
    tap.equal(wrong, [], f"{game.name}: what is fenced has forms of its lines")
    decks = [lines for kind, lines in blocks if kind == "text"]
    tap.ok(len(decks) == 1 and "" in {kind for kind, _ in blocks}
           and {kind for kind, _ in blocks} == {"", "text"},
           f"{game.name}: there are fenced lines, and one deck as text",
           [kind for kind, _ in blocks])
    wrong = [(words, DECKS.get(game.name, game.deck)) for words in map(str.split, map(
        " ".join, decks)) if not is_deck(words, DECKS.get(game.name, game.deck))]
    tap.equal(wrong, [], f"{game.name}: its pieces have these numbers")


def is_deck(words, deck):
    """Returns true if these are all pieces in order, or pieces behind their
    numbers, where rows may be left out."""
    if not words[0].isdigit():
        return words == deck
    pairs = list(zip(words, words[1:]))
    told = {int(number): piece for number, piece in pairs if number.isdigit()}
    whole = "..." in words or len(told) == len(deck)
    return whole and all(deck[number:number + 1] == [piece]
                         for number, piece in told.items())


def plain(line):
    """Returns the line without an ask's number and time, which a record does
    not have.  The first move stays first; the order of the others does not
    count."""
    words = line.split(" ")
    if words[0] != "ask":
        return line
    first, *others = [word for word in words[1:] if not word.isdigit()]
    return ("ask", first, *sorted(others))


def answers_wrongly(block):
    """Returns each `do` that does not answer the ask before it with one of its
    moves."""
    ask, wrong = [], []
    for words in map(str.split, block):
        if words[0] == "ask":
            ask = words
        elif words[0] == "do" and (words[1] != ask[1] or not any(
                words[2] == token or (".." in token and words[2].partition(
                    ":")[0] == token.partition(":")[0])
                for token in ask[3:])):
            wrong.append(words)
    return wrong


def holds(lines, part):
    return any(lines[i:i + len(part)] == part
               for i in range(len(lines) - len(part) + 1))


def check_told(game, page):
    """Checks the blocks that name their source: they must be the same word for
    word, including asks."""
    told = page.told()
    for view, path, block in told:
        verified = tap.referee("verify", tap.SOURCE_DIR / path)
        replay = tap.referee("replay", tap.SOURCE_DIR / path, "--view", view,
                             "--asks", "--raw")
        part = [plain(line) for line in block if not line.startswith("do ")]
        lines = [plain(line) for line in replay.out.splitlines()]
        if not any(line.startswith("ask ") for line in block):
            lines = [line for line in lines if isinstance(line, str)]
        tap.ok(verified.code == 0 and part and holds(lines, part),
               f"{game.name}: told to {view} in {path}", part)
        tap.equal(answers_wrongly(block), [], f"{game.name}: what it says")
    tap.ok(any(view.isdigit() and any(line.startswith("do ")
                                      for line in block)
               for view, _, block in told),
           f"{game.name}: one is a conversation")


def check_prose(game, page):
    """Checks that code in the text that begins like a line is a line or a form."""
    verbs = {line.split(" ")[0] for line in game.lines}
    wrong = []
    for one in pages.code(page.prose):
        words = one.split(" ")
        if len(words) < 2 or words[0] not in verbs:
            continue
        if one not in game.lines and not game.lines_like(one) and \
                not told_as_form(game, words):
            wrong.append(one)
    tap.equal(wrong, [], f"{game.name}: lines in the text have their forms")


def told_as_form(game, words):
    """Returns true for a form with other letters (`pickup D n` for `pickup S
    n`), for one with a `?` for a card, and for the beginning of a form (`round
    1`)."""
    if words[0] == "round" and len(words) == 2:
        return True
    return any(len(words) == len(form.split(" ")) and all(
        word == part or len(word) < 3
        for word, part in zip(words, re.sub(r"[{}]S?", "", form).split(" ")))
        for form in game.lines)


def check_contents(game, page):
    tap.equal([title for title, _ in page.contents()], page.headings(),
              f"{game.name}: the contents are those of the page")
    tap.equal([anchor for _, anchor in page.contents()],
              [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-")
               for title in page.headings()], f"{game.name}: and lead there")


def bodies(game):
    """Returns the bodies of the vectors and of records with asks."""
    for path in sorted(tap.VECTORS.glob(game.name + "-*.rec")):
        yield path.read_text("ascii").partition("\n\n")[2]
    program = tap.BUILD_DIR / "tests" / "unit" / "write-record"
    for seats, options in RECORDS.get(game.name, [(2, ""), (game.seats[1], "")]):
        yield tap.run([program, f"game={game.name}", f"seats={seats}",
                       f"options={options}", "seed=pages", "asks",
                       "fault_rate=40"]).out.partition("\n\n")[2]


def check_engine(game):
    """Checks that the engine writes and offers what `referee games` says."""
    met, offered, odd, count = set(), set(), [], 0
    for body in bodies(game):
        for line in body.splitlines():
            line = line.partition(" ;")[0]
            verb, *words = line.split(" ")
            count += 1
            if verb == "ask":
                like = [game.moves_like(word) for word in words[1:]]
                offered.update(*like)
            elif verb == "forfeit" or not line:
                continue
            else:
                like = [game.lines_like(line)]
                met.update(*like)
            if not all(like):
                odd.append(line)
    tap.equal(odd[:5], [], f"{game.name}: {count} lines have told forms")
    tap.equal(set(game.lines) - met, set(),
              f"{game.name}: lines of each form were met")
    tap.equal(set(game.moves) - offered, set(),
              f"{game.name}: moves of each form were offered")


def check_orders(game, page):
    """Checks the order of pieces in each line with several: the page states it,
    and records keep to it."""
    said = {}
    for row in page.table("line | example"):
        for form in pages.code(row["line"]):
            if re.search(r"\b([cp]) \1\b|\b[cp] \.\.\.", form):
                said[form.split(" ")[0]] = " ".join(row.values())
    promised = {verb: words for verb, (words, _)
                in orders.PROMISES.get(game.name, {}).items()}
    tap.equal(sorted(set(said) - orders.DRAWN[game.name]), sorted(promised),
              f"{game.name}: these lines have several pieces")
    tap.equal([verb for verb, words in promised.items()
               if words not in said.get(verb, "")], [],
              f"{game.name}: the page says in which order they stand")
    wrong, met = orders.broken(game.name, DECKS.get(game.name, game.deck), bodies(game))
    tap.equal(wrong[:5], [], f"{game.name}: and so they do")
    tap.equal([verb for verb, count in met.items() if count == 0
               and orders.PROMISES[game.name][verb][1]], [],
              f"{game.name}: with two pieces or more each was met")


for name in forms.NAMES:
    its_game, its_page = forms.Game(name), pages.Page(name)
    compare(its_game, its_page, tap.referee("games", name).out)
    check_examples(its_game, its_page)
    check_blocks(its_game, its_page)
    check_told(its_game, its_page)
    check_prose(its_game, its_page)
    check_contents(its_game, its_page)
    check_engine(its_game)
    check_orders(its_game, its_page)
listed = tap.referee("games").out.splitlines()
tap.equal(tuple(line.split()[0] for line in listed), forms.NAMES,
          "these are all the games")
tap.ok(not any("2 to 2" in line for line in listed), "2 seats, not 2 to 2",
       listed)
tap.done()
