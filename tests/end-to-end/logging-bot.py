#!/usr/bin/env python3
"""logging-bot.py FOLDER [MISS]: writes every line it is sent, byte for byte,
into FOLDER/ID-SEAT, and plays at random, but the same moves in the same game
and seat.  Its answer to ask MISS is not in the list, and neither is about one
of MISS later answers."""

import pathlib
import random
import sys


def answer(dice, miss, words):
    if miss and (dice.randrange(miss) == 0 or int(words[1]) == miss):
        return "miss"
    token = dice.choice(words[3:])
    verb, _, numbers = token.rpartition(":")
    if ".." in numbers:
        low, high = map(int, numbers.split(".."))
        return f"{verb}:{dice.randint(low, high)}"
    return token


def main():
    folder = pathlib.Path(sys.argv[1])
    miss = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    held, log, dice = b"", None, None
    for line in sys.stdin.buffer:
        words = line.decode("latin-1").rstrip("\n").split(" ")
        if words[0] == "game":
            name = f"{words[1]}-{words[4]}"
            dice = random.Random(name)
            log = open(folder / name, "wb", buffering=0)
            log.write(held)
        if log is None:
            held += line
            continue
        log.write(line)
        if words[0] == "ask":
            print("do", words[1], answer(dice, miss, words), flush=True)
        if words[0] == "bye":
            break


main()
