#!/usr/bin/env python3
"""End-to-end because a kit connects by the sockets of its own language.

Tests the kits with a remote referee, which this script plays over a socket.

remote.txt holds conversations with every turn that a connection may take.  The
conversations of random.txt and hands.txt must go over a connection as they go
over a pipe, however the lines arrive: line by line, waiting for each answer;
whole; cut at random places.  Without CHECK_ALL these take turns, another one for
each conversation and language, and each language has every fourth conversation:
test_kits.py has them all.  Speaks TAP."""

import os
import re
import shutil
import socket
import threading

from fake_referee import SECONDS, Place, Unexpected
from test_kits import (ALL, HAND_BOTS, RANDOM_BOTS, THROWN, cut, language_of,
                       read_conversations, spoken, tap, why_not)


def attempt(work, *arguments):
    """Returns what went wrong, as a sentence; None if nothing."""
    try:
        return work(*arguments)
    except Unexpected as error:
        return str(error)


def each_kit(bots, title, work, *arguments):
    """Tests all kits at the same time, because they mostly wait."""
    problems = {}

    def try_it(language, argv):
        problems[language] = "the test itself failed"
        problems[language] = attempt(work, argv, *arguments)

    threads = [threading.Thread(target=try_it, args=kit)
               for kit in bots.items() if shutil.which(kit[1][0])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for language, argv in bots.items():
        here = "%s: %s" % (language, title)
        if language in problems:
            tap.holds(here, problems[language])
        else:
            tap.skip(here, why_not(argv))


# ---- conversations with cuts ----------------------------------------------

def read_remote():
    """[(title, [(sign, text)])]"""
    found = []
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "remote.txt")
    with open(path, encoding="ascii") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith("== "):
                found.append((line[3:], []))
            elif line[:2] in ("> ", "< ", "! "):
                found[-1][1].append((line[0], line[2:]))
            elif line and line[0] != "#":
                raise ValueError("not understood: " + line)
    return found


def do_step(place, text):
    verb, _, rest = text.partition(" ")
    if verb == "half":
        place.send(rest.encode())
    elif verb == "cut":
        place.cut()
    elif verb == "reset":
        place.reset()
    elif verb == "term":
        place.terminate()
    elif verb == "exit":
        place.expect_end()
        status, err = place.finish()
        if status != int(rest):
            return "exit status %s, expected %s\n%s" % (status, rest, err)
    else:
        raise ValueError(text)
    return None


def converse(argv, conversation):
    with Place() as place:
        place.start(argv)
        for at, (sign, text) in enumerate(conversation):
            try:
                if sign == ">":
                    place.send((text + "\n").encode())
                elif sign == "<":
                    place.expect(text)
                else:
                    problem = do_step(place, text)
                    if problem:
                        return problem
            except Unexpected as error:
                return "step %d, %s %s: %s" % (at + 1, sign, text, error)
    return None


# ---- the conversations of pipes -------------------------------------------

def over_tcp(conversation, hello):
    """Returns the conversation as it goes over a connection."""
    game = None
    found = [("<", hello)]
    for by_referee, line in conversation:
        words = line.split()
        if by_referee:
            found.append((">", line))
            if words[:1] == ["referee"]:
                found.append(("<", "sit main"))
            if words[:1] == ["game"] and len(words) > 6:
                game = words[1]
        elif words[0] in ("do", "say"):
            found.append(("<", "@%s %s" % (game, line)))
        elif words[0] != "bot":
            found.append(("<", line))
    if found[-1] != (">", "bye"):
        found.append((">", "bye"))
    return found


def sent(conversation):
    return "".join(line + "\n" for sign, line in conversation
                   if sign == ">").encode()


def in_pieces(argv, conversation, pieces, expected):
    """Sends everything that the referee has to say without waiting for answers."""
    answers = [line for sign, line in conversation if sign == "<"]
    with Place() as place:
        place.start(argv)
        place.expect(answers[0])
        for piece in pieces:
            place.send(piece)
        for answer in answers[1:]:
            place.expect(answer)
        place.expect_end()
        status, err = place.finish()
        return ("exit status %d\n%s" % (status, err) if status != expected
                else None)


def test_pipes_over_tcp(bots, name, hello):
    for number, (title, conversation) in enumerate(read_conversations(name)):
        if not conversation or not any(
                line.startswith("referee ") for _, line in conversation):
            continue
        title = "%s over TCP: %s" % (name, title)
        talk = {language: over_tcp(spoken(conversation, argv), hello)
                for language, argv in bots.items()}
        data = sent(talk["python"])
        status = int("\nerror again=no " in data.decode("ascii"))

        def in_turns(argv):
            return converse(argv, talk[language_of(argv)]
                            + [("!", "exit %d" % status)])

        def fed(argv, pieces):
            return in_pieces(argv, talk[language_of(argv)], pieces, status)

        def by_turns(argv):
            way = (number + list(bots.values()).index(argv)) % 3
            return (in_turns(argv) if way == 0 else
                    fed(argv, [data] if way == 1 else cut(data, 0)))

        if not ALL:
            turn = [language for index, language in enumerate(bots)
                    if (number + index) % 4 == 0]
            each_kit({language: bots[language] for language in turn}, title,
                     by_turns)
            continue
        each_kit(bots, title + ": in turns", in_turns)
        each_kit(bots, title + ": whole", fed, [data])
        each_kit(bots, title + ": cut", fed, cut(data, 0))


# ---- arguments ------------------------------------------------------------

def with_arguments(argv, change, status, part):
    """Tests that a bot with wrong arguments ends at once and says why."""
    with Place() as place:
        change(place)
        place.start(argv)
        got, err = place.finish()
        if got != status or part not in err:
            return "exit status %s\n%s" % (got, err)
    return None


def less(option):
    def change(place):
        at = place.arguments.index(option)
        del place.arguments[at:at + 2]
    return change


def more(*arguments):
    return lambda place: place.more.extend(arguments)


def token(text):
    def change(place):
        with open(place.token_file, "w", encoding="ascii") as file:
            file.write(text)
    return change


BAD_ARGUMENTS = [
    ("no name", less("--name"), "--name"),
    ("no token file", less("--token-file"), "--token-file"),
    ("no ladder", less("--ladder"), "--ladder"),
    ("a name that is none", more("--name", "a b"), "--name"),
    ("a ladder that is none", more("--ladder", "a b"), "--ladder"),
    ("an unknown option", more("--tsl"), "--tsl"),
    ("a token on the command line", more("--token", "s3cret"), "--token"),
    ("an option without its value", more("--ca"), "--ca"),
    ("no port", more("--connect", "localhost"), "--connect"),
    ("no such token file", more("--token-file", "/nowhere/token"),
     "/nowhere/token"),
    ("an empty token file", token("\n"), "token"),
    ("a token with a space", token("a b\n"), "token"),
    ("a token that is too long", token("a" * 129), "token"),
]


def own_arguments(argv):
    """Tests that the arguments before --connect are left to the author."""
    with Place() as place:
        place.start(argv + ["--level", "3"])
        place.expect("bot 1 mole token=s3cret entropy=yes")
        place.send(b"bye\n")
        status, err = place.finish()
        return "exit status %d\n%s" % (status, err) if status else None


def two_ladders(argv):
    with Place(more=["--ladder", "other"]) as place:
        place.start(argv)
        place.read_line()
        place.send(b"referee 1 x\n")
        place.expect("sit main other")
        place.stop()


def named_by_itself(argv):
    """Tests a bot with a name from its author, which prints its random numbers."""
    with Place(name=None) as place:
        place.start(argv)
        place.expect("bot 1 hand token=s3cret entropy=yes")
        place.send(b"referee 1 x\ngame aa toepen seat 0 of 2\nentropy?\n")
        place.expect("sit main")
        place.expect("@aa say tab here")
        found = re.fullmatch("@(aa entropy ([0-9a-f]{64}))",
                             place.read_line() or "")
        place.send(b"abort aa shutdown\nbye\n")
        err = place.finish()[1]
        if not found or "entropy aa " + found.group(2) not in err.split("\n"):
            return "found %r, %r" % (found, err)
    return None


def fresh(argv):
    """Tests that each game has a new object (in C, at least a new hand)."""
    game = (b"game %s toepen seat 0 of 2\nround 1 1\ndeal 0 %s\n"
            b"ask 1 5 pass knock\n")
    thrown = THROWN.get(language_of(argv))
    with Place() as place:
        place.start(argv)
        place.send(b"referee 1 x\n" + game % (b"aa", b"AC KC")
                   + b"abort aa shutdown\n" + game % (b"bb", b"7H"))
        place.expect("bot 1 mole token=s3cret entropy=yes")
        place.expect("sit main")
        table = "say table 1 1 %d held %d 0 points 0 0 inside 0 1 seen %d -"
        for line in ("@aa say tab here", "@aa FAILED", "@aa say hand AC KC",
                     "@aa " + table % (30, 2, 2), "@aa do 1 knock",
                     "@bb say tab here", "@bb FAILED", "@bb say hand 7H",
                     "@bb " + table % (31, 1, 1), "@bb do 1 knock"):
            if thrown or "FAILED" not in line:
                place.expect(line.replace(
                    "FAILED", "say failed %s: an author's mistake" % thrown))
        place.stop()


def outside_address():
    """Returns an address of this machine that others might reach, or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            return None
        address = sock.getsockname()[0]
        return None if address.startswith("127.") else address


def plain_beyond(argv):
    """Tests that the token is not sent in plain text beyond this machine."""
    with Place() as place:
        host = outside_address()
        place.listener.close()
        place.listener = socket.create_server((host, 0))
        place.listener.settimeout(SECONDS)
        place.port = place.listener.getsockname()[1]
        place.start(argv, host)
        line = place.read_line()
        status, err = place.finish()
        if line is not None or status != 1 or "tls" not in err:
            return "%r, exit status %d\n%s" % (line, status, err)
    return None


def test_arguments():
    for title, change, part in BAD_ARGUMENTS:
        each_kit(RANDOM_BOTS, title, with_arguments, change, 2, part)
    each_kit(RANDOM_BOTS, "arguments of its own", own_arguments)
    each_kit(RANDOM_BOTS, "two ladders", two_ladders)
    each_kit(HAND_BOTS, "a name and dice of its own", named_by_itself)
    each_kit(HAND_BOTS, fresh.__doc__, fresh)
    if outside_address():
        each_kit(RANDOM_BOTS, "no token in plain text beyond here",
                 plain_beyond)


def main():
    for title, conversation in read_remote():
        each_kit(RANDOM_BOTS, title, converse, conversation)
    test_pipes_over_tcp(RANDOM_BOTS, "random.txt",
                        "bot 1 mole token=s3cret entropy=yes")
    test_pipes_over_tcp(HAND_BOTS, "hands.txt",
                        "bot 1 mole token=s3cret entropy=yes")
    test_arguments()
    tap.done()


if __name__ == "__main__":
    main()
