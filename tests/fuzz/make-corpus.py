#!/usr/bin/env python3
"""Makes seeds for the fuzzer from the vectors, and two dictionaries.

    python3 tests/fuzz/make-corpus.py FOLDER

Writes FOLDER/NAME/seed-*, FOLDER/game.dict and FOLDER/frame.dict.
"""

import hashlib
import pathlib
import re
import sys

TREE = pathlib.Path(__file__).resolve().parents[2]
VECTORS = TREE / "protocol" / "vectors"
RECORDS = TREE / "tests" / "vectors"
SEEDS = pathlib.Path(sys.argv[1])
BODY_LINES = 14  # lines of a record that is cut short


def write(target, name, data):
    (SEEDS / target).mkdir(parents=True, exist_ok=True)
    (SEEDS / target / ("seed-" + name)).write_bytes(data)


def pairs(name):
    """Yields the lines "KEY VALUE" of a file of vectors; a comment is ("#",
    text)."""
    for line in (VECTORS / name).read_text("ascii").splitlines():
        if line:
            key, _, value = line.partition(" ")
            yield key, value


def some_bytes(text, count):
    """Returns printable bytes that depend only on the text."""
    digits = "".join(hashlib.sha256(b"%d %s" % (i, text.encode())).hexdigest()
                     for i in range(count // 32 + 1))
    return bytes(0x20 + int(digits[2 * i:2 * i + 2], 16) % 0x5f
                 for i in range(count))


def lines():
    escapes = {b"\\n": b"\n", b"\\r": b"\r", b"\\\\": b"\\"}

    def byte(match):
        return escapes.get(match[0]) or bytes([int(match[0][2:], 16)])

    number = 0
    for key, value in pairs("stream.txt"):
        if key == "max":
            most = int(value)
        elif key == "bytes":
            stream = re.sub(rb"\\(x[0-9a-f]{2}|.)", byte, value.encode())
            cuts = [1 + number % 7, 0, 3][:1 + number % 3]
            write("line", "%02d" % number,
                  bytes([min(most, 255), len(cuts)] + cuts) + stream)
            number += 1


def messages():
    sections = [[]]
    for key, value in pairs("bot-lines.txt"):
        if key == "#":
            sections.append([])
        elif key == "in":
            sections[-1].append(value)
    for number, section in enumerate(filter(None, sections)):
        write("message", "%02d" % number,
              "".join(line + "\n" for line in section).encode())


def redactions():
    fulls = [value for key, value in pairs("redact.txt") if key == "full"]
    for number, line in enumerate(fulls):
        write("redact", "%02d" % number, line.encode())


def played():
    """Yields name, header, body and first line for the target, of each record."""
    for path in sorted(RECORDS.glob("*.rec")):
        head, _, body = path.read_text("ascii").partition("\n\n")
        header = [line.split() for line in head.splitlines()]
        first = [words[1] for words in header if words[0] in ("game", "seats")]
        first += ["seed"] + ["=".join(words[1:3]) for words in header
                             if words[0] == "option"]
        yield path.stem, head, body.splitlines(), " ".join(first)


def at_random(name):
    """Returns true if the record was played at random and not by hand."""
    return name.endswith(("-aborted", "-arrival", "-retired", "-sealed"))


def records():
    for name, head, body, _ in played():
        if at_random(name):
            if "\naborted " not in head:
                head += "\naborted cut short"
            write("record", name, "\n".join(
                [head, ""] + body[:BODY_LINES] + [""]).encode())


def spoiled():
    """Yields copies of a record with one mistake in each."""
    good = (RECORDS / "toepen-challenge.rec").read_text("ascii")
    option = re.search("option .*\n", good)[0]
    first = re.search("\n\n(.*\n)", good)[1]
    result = re.search("result 0 .*\n", good)[0]
    for name, bad in (
            ("lf-missing", good[:-1]),
            ("empty-line-more", good.replace(first, first + "\n")),
            ("header-alone", good[:good.index("\n\n") + 1]),
            ("crlf", good.replace("\n", "\r\n")),
            ("nul", good.replace(first, "\0" + first)),
            ("two-spaces", good.replace(option, option.replace(" ", "  "))),
            ("option-twice", good.replace(option, option + option)),
            ("bot-missing", re.sub("bot 0 .*\n", "", good)),
            ("forfeit-early", good.replace(result, "forfeit 0 faults\n" +
                                           result)),
            ("forfeit-faultless", good + "forfeit 0 faults\n"),
            ("place-wrong", re.sub("(result 0) .", r"\1 4", good)),
            ("space-at-end", good.replace(first, first[:-1] + " \n")),
            ("mark-broken", good.replace("{", "", 1))):
        assert bad != good, name
        write("record", "spoiled-" + name, bad.encode())


def charged():
    """Yields records with wrong fault lines: at a wrong place, without a seat,
    or too long."""
    good = (RECORDS / "toepen-retired.rec").read_text("ascii")
    head, _, body = good.partition("\n\n")
    comments = [" ; said x", " ; say 1 hm ; said x", " ; said  x", " ; said"]
    lines = [line + comments[i % len(comments)] for i, line in enumerate(
        line.split(" ;")[0] for line in body.splitlines()[:BODY_LINES])]
    lines += [f"fault {seat} illegal ; said {{KS}}{seat}"
              for seat in ("0", "1", "3", "9", "12", "/", ".", "-1")]
    lines += ["fault 1 protocol ; said " + "%20" * 200,
              "fault 1 protocol ; said " + "x" * 601]
    write("record", "charged", "\n".join([head, "", *lines, ""]).encode())


def plain(line):
    """Returns the line as a reader sees it when the game is over."""
    return re.sub(r"\{([^}]*)\}[0-9]*", r"\1", line.split(" ;")[0])


def moves_of(body):
    """Returns the moves that take effect, as answers; an empty one if everybody
    passed."""
    for line in body:
        if line.startswith("move "):
            yield plain(line)[len("move "):]
        elif line == "quiet":
            yield ""


def misspelt(moves):
    """Yields tokens that are nearly moves."""
    return [bad for move in sorted(set(filter(None, moves)))
            for bad in (move + ":", move + "0", move[:-1], "9" + move[1:],
                        move.replace(":", "::"), move + " ")]


def answers():
    """Yields moves of the records, for other cards, so that many of them are
    refused."""
    for name, _, body, first in played():
        moves = list(moves_of(body))[:60]
        if at_random(name):
            write("game", name, "\n".join([first] + moves + [""]).encode())
        if name.endswith("-sealed"):
            write("game", name + "-misspelt",
                  "\n".join([first] + misspelt(moves) + [""]).encode())


def games():
    """Yields legal moves, picked by bytes, with the records' options and seats."""
    done = set()
    for name, _, _, first in played():
        if first not in done:
            write("game", name + "-legal",
                  first.encode() + b"\n#" + some_bytes(first, 200) + b"\n")
        done.add(first)


def new_deals():
    """Yields legal moves, with house moves and new deals between them."""
    done = set()
    for name, _, _, first in played():
        seats = int(first.split()[1])
        if first in done or not at_random(name):
            continue
        done.add(first)
        lines = [first.encode()]
        picks = some_bytes(first + "?", 120)
        for i in range(0, len(picks), 4):
            seat = picks[i] % (seats + 1)  # the last viewer is the public
            lines.append(b"#" + picks[i:i + 4])
            lines.append(b"%c%d" % (b"?!"[i // 4 % 2], seat))
        write("game", name + "-anew", b"\n".join(lines) + b"\n")


def views():
    """Yields two viewers' views of the records that were played at random."""
    for name, _, _, first in played():
        game, seats, _, *options = first.split()
        for view in ("public", "1") if at_random(name) else ():
            path = RECORDS / "views" / f"{name}.{view}"
            text = re.sub(" ;.*", "", path.read_text("ascii"))
            write("frame", f"{name}-{view}", "\n".join(
                [" ".join([game, seats, *options])] +
                text.splitlines()[:120] + [""]).encode())


def dictionary():
    """Returns the words of the games: names, options, pieces, and each verb
    once."""
    words = {"0 ", "1 ", "2 ", "7 ", "#", "?0", "?1", "?9", "!0", "!1", "\\x0a", "\\x0a#", ":", "..", "99"}
    verbs = {}
    for _, _, body, first in played():
        game, *options = first.split()
        words.add(game + " ")
        words.update(" " + option for option in options if "=" in option)
        for token in filter(None, moves_of(body)):
            verb, *arguments = token.split(" ")[1].split(":")
            words.update(":" + argument for argument in arguments
                         if not argument.isdigit())
            verbs.setdefault((game, verb), " " + token.split(" ")[1])
    words.update(verbs.values())
    (SEEDS / "game.dict").write_text(
        "".join('"%s"\n' % word for word in sorted(words)))


def line_dictionary():
    """Returns the beginning of each line of the games, and their moves."""
    words = {" ?", " 0", " 7", " -1", "\\x0a"}
    for _, _, body, _ in played():
        for line in map(plain, body):
            verb, *rest = line.split(" ")
            words.add("\\x0a" + verb + " ")
            if verb == "move":
                words.add("\\x0amove 0 " + rest[1])
            words.update(" " + word for word in rest if verb == "deal")
    (SEEDS / "frame.dict").write_text(
        "".join('"%s"\n' % word for word in sorted(words) if len(word) < 24))


for make in (lines, messages, redactions, records, spoiled, charged, answers,
             games, new_deals, views, dictionary, line_dictionary):
    make()
