"""Makes a ladder with any number of games in seconds: rows without records.

    big_ladder.py FILE GAMES [BOTS]     # of daumen-drauf, 2 seats

The referee makes the file; the rows are as it would write them, but the ratings
do not add up, so `ladder rebuild` refuses it.
"""

import pathlib
import sqlite3
import sys

import tap

OPTIONS = "games=1 twin=turn"


def fill(file, games, bots=500):
    """Makes `file`, which must not exist, and its folder."""
    file = pathlib.Path(file)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = tap.referee("ladder", "new", "--ladder", file)
    if made.code != 0:
        raise RuntimeError(str(made))
    base = sqlite3.connect(file, isolation_level=None)
    base.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
                       "PRAGMA foreign_keys = OFF; BEGIN")
    base.execute("INSERT INTO pool (pool, game, options, seats, arrival)"
                 " VALUES (1, 'daumen-drauf', ?, 2, 0)", (OPTIONS,))
    base.executemany("INSERT INTO bot (bot, name) VALUES (?, ?)",
                     ((i + 1, f"bot{i}") for i in range(bots)))
    base.executemany(
        "INSERT INTO rating (pool, bot, milli, games, wins, places, halves,"
        " entered) VALUES (1, ?, 1500000, ?, 0, 0, 0, ?)",
        ((i + 1, 2 * games // bots, i + 1) for i in range(bots)))
    base.executemany(
        "INSERT INTO game (serial, id, pool, ended, folder, hash)"
        " VALUES (?, ?, 1, '2026-11-01T00:00:00Z', NULL, zeroblob(32))",
        ((i + 1, f"{i + 1:08x}{0:024x}") for i in range(games)))
    base.executemany("INSERT INTO course (serial, moves, faults) VALUES (?, -1, 0)",
                     ((i + 1,) for i in range(games)))
    base.executemany(
        "INSERT INTO seat (serial, seat, bot, place, points, before_milli,"
        " delta_milli) VALUES (?, ?, ?, ?, 0, 1500000, 0)",
        ((i + 1, s, (i * 7 + s * (1 + i // bots % (bots - 1))) % bots + 1,
          s + 1) for i in range(games) for s in range(2)))
    base.execute("COMMIT")
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.close()


if __name__ == "__main__":
    fill(sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:]))
