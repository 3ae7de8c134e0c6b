#!/usr/bin/env python3
"""`referee queue`: from an empty database to a queue, what waits in it and who
plays; every mistake is one clear sentence."""

import json
import pathlib
import tempfile

import postgres
import tap


def queue(*arguments, at=None):
    return tap.referee("queue", *arguments, *(["--queue", at] if at else []))


def test_usage(folder):
    for words, part in (
            ([], "queue takes one of: init, key FILE, show"),
            (["shwo"], "did you mean show?"),
            (["init", "more", "--queue", ""], "queue takes one of"),
            (["retry", "--queue", ""], "queue takes one of"),
            (["show"], "name the database: --queue 'host=... dbname=...'"),
            (["init", "--json", "--queue", ""], "--json needs show or workers"),
            (["show", "--why", "x", "--queue", ""], "--why needs park or suspend"),
            (["key", "x", "--queue", ""], "key takes no --queue"),
            (["park", *map(str, range(1, 1001)), "--queue", ""],
             "at most 999 jobs are allowed"),
            (["show", "--queue", "nonsense"], 'missing "=" after "nonsense"')):
        tap.complains(queue(*words), 2, part, " ".join(words[:4]) or "no words")
    key = folder / "key"
    done = queue("key", str(key))
    tap.ok(done.code == 0 and done.out.startswith("key ") and done.err == ""
           and key.stat().st_mode & 0o777 == 0o600, "a key", done)
    tap.complains(queue("key", str(key)), 2, "is there already",
                  "a key is not overwritten")
    tap.complains(queue("key", str(folder / "no" / "key")), 3, "cannot make",
                  "a key in no folder")
    tap.complains(queue("show", at=f"host={folder}"), 3,
                  "cannot reach the database: connection to server on socket",
                  "no database there")


def test_init(cluster, at):
    for what in "show", "workers":
        tap.complains(queue(what, at=at), 2,
                      "make it with `referee queue init`", f"{what}: no queue")
    cluster.sql("CREATE ROLE weak LOGIN; CREATE ROLE other LOGIN")
    tap.complains(queue("init", at=cluster.conninfo("one", "weak")), 2,
                  "init needs a role that may create roles",
                  "init by a role that may not")
    tap.complains(queue("init", at=cluster.conninfo("two")), 3,
                  'database "two" does not exist', "init in no database")
    for what in "new", "there already":
        done = queue("init", at=at)
        tap.equal((done.code, done.out, done.err),
                  (0, "the queue is there, version 1\n", ""), f"init: {what}")
    tap.complains(queue("show", at=cluster.conninfo("one", "weak")), 2,
                  "log in as a member of referee_coordinator",
                  "show by a role that may not")
    cluster.sql("GRANT referee_coordinator TO weak")
    tap.equal(queue("show", at=cluster.conninfo("one", "weak")).code, 0,
              "show by the daemon's role")
    # Another owner of a database, who is no superuser.
    cluster.sql("CREATE ROLE owner LOGIN CREATEROLE")
    cluster.sql("CREATE DATABASE theirs OWNER owner")
    done = queue("init", at=cluster.conninfo("theirs", "owner"))
    tap.equal((done.code, done.err), (0, ""), "init by a database's owner")
    cluster.sql("UPDATE referee.house SET version = 2", "theirs")
    tap.complains(queue("init", at=cluster.conninfo("theirs")), 2,
                  "made by a newer referee", "init of a newer queue")


def shown(at):
    return json.loads(queue("show", "--json", at=at).out.split("\n")[0])


def test_jobs(cluster, at):
    def state(job):
        return cluster.sql("SELECT state, losses FROM referee.job WHERE job = "
                           f"{job}", "one")[0]

    epoch = cluster.sql("SELECT referee.take_house('h\x1b[31m')", "one")[0][0]
    for i in range(4):
        cluster.sql(f"SELECT referee.add_job({epoch}, 'cup', 'game-{i}', '', '',"
                    " '', '{}', '{one,two}', '', 'r')", "one")
    cluster.sql("SELECT referee.enlist('w', 'i', 'big', '0.1', 'cpu', 4, 2.5)",
                "one")
    cluster.sql("SELECT referee.claim('w', 1, '', '{r}', 60, '{}')", "one")
    found = shown(at)
    tap.equal([found[key] for key in ("waiting", "claimed", "parked", "epoch")],
              [3, 1, 0, 1], "show --json counts")
    done = queue("show", at=at)
    tap.ok(done.code == 0 and "waiting   3, the oldest for " in done.out and
           "claimed   1\n" in done.out and "h\\x1b[31m" in done.out,
           "show, and no control bytes", done)
    done = queue("workers", at=at)
    tap.ok(done.out.startswith("w: 4 cores, 1 job, heard of ") and
           done.out.endswith(", class big\n"), "workers", done)
    done = queue("park", "1", "2", "--why", "it smells", at=at)
    tap.equal((done.code, done.out), (0, "job 1 is parked\njob 2 is parked\n"),
              "park, also what is claimed")
    done = queue("show", at=at)
    tap.ok("parked job 1 of cup: it smells\nparked job 2 of cup: it smells\n"
           in done.out, "show lists them", done)
    done = queue("park", "3", "99", at=at)
    tap.ok(done.code == 1 and done.out == "job 3 is parked\n" and
           "there is no job 99 that waits or runs" in done.err,
           "park: one of two is there", done)
    done = queue("retry", "2", at=at)
    tap.equal((done.code, done.out, state(2)),
              (0, "job 2 waits again\n", ["waiting", "0"]), "retry")
    tap.complains(queue("retry", "2", at=at), 1,
                  "there is no job 2 that is parked", "retry of what waits")
    for word in "0", "x", "1x", "-1", "9" * 19:
        tap.complains(queue("retry", "--queue", at, "--", word), 2,
                      "is not a job's number", f"retry {word}")
    done = queue("retry", "all", at=at)
    tap.equal((done.code, done.out),
              (0, "job 1 waits again\njob 3 waits again\n"), "retry all")
    tap.equal(queue("retry", "all", at=at).code, 0, "retry all of none")


def test_workers(cluster, at):
    done = queue("suspend", "w", "--why", "hot", at=at)
    tap.equal((done.code, done.out), (0, "w is suspended\n"), "suspend")
    tap.ok(queue("workers", at=at).out.endswith(", suspended: hot\n"),
           "workers says so")
    claim = "SELECT referee.claim('w', 1, '', '{r}', 60, '{}')"
    tap.ok("is suspended: hot" in cluster.psql(claim, "one").err,
           "it gets no job")
    tap.equal(queue("admit", "w", at=at).out, "w gets jobs again\n", "admit")
    tap.equal(cluster.psql(claim, "one").code, 0, "and it does")
    for what in "suspend", "admit":
        tap.complains(queue(what, "nobody", at=at), 1,
                      "there is no worker 'nobody'", f"{what} nobody")


with tempfile.TemporaryDirectory() as scratch:
    test_usage(pathlib.Path(scratch))
if not tap.skip("with a database", postgres.missing()):
    with postgres.Cluster() as here:
        one = here.create("one")
        test_init(here, one)
        test_jobs(here, one)
        test_workers(here, one)
tap.done()
