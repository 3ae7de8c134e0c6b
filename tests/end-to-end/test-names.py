#!/usr/bin/env python3
"""Tests that a new bot cannot take the name of another one, by any way in."""

import local_bots
import tap

BUILT_IN = "reserved for the referee's own bot"
VERSION = "versions of a bot are called"
TAKEN = "is or was called"
WRONG = (("random", BUILT_IN), ("House", BUILT_IN), ("alice.2", VERSION),
         ("ALICE", TAKEN))


def test_bots(serve, where):
    other = f"other-{where}"
    for name, part in WRONG:
        tap.complains(local_bots.bots(serve, "token", name), 2, part,
                      f"{where}: token {name}")
        tap.complains(local_bots.bots(serve, "rename", other, name), 2, part,
                      f"{where}: rename {name}")
        tap.complains(local_bots.bots(serve, "token", name, "--owner", "eve"),
                      2, part, f"{where}: token {name} --owner")
    for name in f"random-{where}", f"alice.{where}":
        tap.equal(local_bots.bots(serve, "token", name).code, 0,
                  f"{where}: {name} is another name")
    tap.equal(local_bots.bots(serve, "rename", other, other.upper()).code, 0,
              f"{where}: a bot may write its own name in other letters")


def test_import(serve):
    for name, part in WRONG:
        run = local_bots.add(serve, local_bots.folder(serve.root, name))
        tap.ok(run.code == 2 and part in run.err, f"add {name}", run)
    run = local_bots.add(serve, local_bots.folder(serve.root, "house2"))
    tap.equal(run.code, 0, "add house2")
    run = local_bots.add(serve, local_bots.folder(serve.root, "house2", "2"))
    tap.ok(run.code == 0 and "house2.2" in run.out,
           "and its second version is called so", run)


def test_match(serve):
    bot = f"sh {local_bots.folder(serve.root, 'carl') / 'bot.sh'}"
    rated = ["--games", "2", "--ladder", serve.root / "l.db"]
    for name in "random", "HOUSE":
        tap.complains(tap.referee("match", "toepen", "--bot", bot, "--name",
                                  name, "--bot", "random", "--name", "other",
                                  *rated), 2, "only the built-in bot",
                      f"match --ladder: {name}")
    tap.equal(tap.referee("match", "toepen", "--bot", bot, "--name", "random2",
                          "--bot", "random", *rated).code, 0,
              "match --ladder: random2, and random itself")


def main():
    with local_bots.serve() as serve:
        for where in "files", "daemon":
            if where == "daemon":
                serve.start()
            serve.token(f"other-{where}")
            if where == "files":
                serve.token("alice")
            test_bots(serve, where)
        test_import(serve)
        test_match(serve)
    tap.done()


if __name__ == "__main__":
    main()
