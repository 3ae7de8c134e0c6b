#!/usr/bin/env python3
"""End-to-end because the database decides who may make a queue, and what it shows.

Tests `referee queue`: it makes a queue in an empty database and shows the
waiting jobs and the workers; every mistake gives one clear sentence."""

import json
import os
import pathlib
import re

import daemon
import postgres
import tap

CHECK_ALL = bool(os.environ.get("CHECK_ALL"))
SHOWN = 20  # QUEUE_SHOWN of referee/cli/queue-show.h
COUNTED = 10000  # QUEUE_COUNTED of referee/queue/queue-figures.h


def queue(*arguments, at=None):
    return tap.referee("queue", *arguments, *(["--queue", at] if at else []))


def test_usage(folder):
    for words, part in (
            ([], "queue takes one of: init, key FILE, show"),
            (["shwo"], "did you mean show?"),
            (["init", "more", "--queue", ""], "write: queue init"),
            (["retry", "--queue", ""], "write: queue retry JOB...|all"),
            (["suspend", "a", "b", "--queue", ""], "write: queue suspend NAME"),
            (["show"], "name the database: --queue 'host=... dbname=...'"),
            (["init", "--json", "--queue", ""], "--json needs show or workers"),
            (["show", "--why", "x", "--queue", ""],
             "--why needs park, void or suspend"),
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


def test_owners(cluster):
    """Tests a role that owns a database, but is no superuser and has not made
    the roles: since PostgreSQL 16 CREATEROLE is not enough, but the advice of
    the sentence is."""
    cluster.sql('CREATE ROLE "The owner" LOGIN CREATEROLE')
    cluster.sql('CREATE DATABASE theirs OWNER "The owner"')
    at = cluster.conninfo("theirs", "'The owner'")
    if int(cluster.sql("SHOW server_version_num")[0][0]) >= 160000:
        done = queue("init", at=at)
        tap.complains(done, 2, 'the role "The owner" may not become '
                      "referee_coordinator; a superuser has to run: GRANT "
                      "referee_coordinator, referee_worker TO \"The owner\" "
                      "WITH ADMIN OPTION", "init by another owner")
        cluster.sql(done.err.partition(" to run: ")[2])
    done = queue("init", at=at)
    tap.equal((done.code, done.err), (0, ""), "init by an owner who may")
    cluster.sql("CREATE ROLE three LOGIN IN ROLE referee_coordinator, "
                "referee_worker", "theirs", "'The owner'")
    # A role without CREATEROLE is refused in every version.
    cluster.sql("CREATE ROLE plain LOGIN")
    cluster.sql("CREATE DATABASE another OWNER plain")
    at = cluster.conninfo("another", "plain")
    done = queue("init", at=at)
    tap.complains(done, 2, "to run: GRANT referee_coordinator, referee_worker TO "
                  "plain WITH ADMIN OPTION", "init by one without CREATEROLE")
    cluster.sql(done.err.partition(" to run: ")[2])
    done = queue("init", at=at)
    tap.equal((done.code, done.err), (0, ""), "who may, too, after that")


def test_init(cluster, at):
    for what in "show", "workers":
        tap.complains(queue(what, at=at), 2,
                      "`referee queue init` makes one", f"{what}: no queue")
    cluster.sql("CREATE ROLE weak LOGIN; CREATE ROLE other LOGIN")
    tap.complains(queue("init", at=cluster.conninfo("one", "weak")), 2,
                  "init needs a role that may create roles",
                  "init by a role that may not")
    tap.complains(queue("init", at=cluster.conninfo("two")), 3,
                  'database "two" does not exist', "init in no database")
    # The owner of a database makes the roles without being a superuser.
    cluster.sql("CREATE ROLE maker LOGIN CREATEROLE")
    cluster.sql("CREATE DATABASE made OWNER maker")
    own = cluster.conninfo("made", "maker")
    for what in "new", "there already":
        done = queue("init", at=own)
        tap.equal((done.code, done.err), (0, ""),
                  f"init by a database's owner: {what}")
    tap.equal(queue("show", at=own).code, 0, "who has the queue then")
    cluster.sql("CREATE ROLE one LOGIN IN ROLE referee_coordinator; "
                "CREATE ROLE two LOGIN IN ROLE referee_worker", "made", "maker")
    tap.equal(queue("show", at=cluster.conninfo("made", "one")).code, 0,
              "and lets others have it")
    for what in "new", "there already":
        done = queue("init", at=at)
        tap.equal((done.code, done.out, done.err),
                  (0, "the queue is there, version 5\n", ""), f"init: {what}")
    tap.complains(queue("show", at=cluster.conninfo("one", "weak")), 2,
                  "log in as a member of referee_coordinator",
                  "show by a role that may not")
    cluster.sql("GRANT referee_coordinator TO weak")
    tap.equal(queue("show", at=cluster.conninfo("one", "weak")).code, 0,
              "show by the daemon's role")
    # A table of millions would be slow to change; here the statement timeout
    # acts instead, because waiting 21 s for each answer takes too long.
    cluster.sql(
        "CREATE FUNCTION slow() RETURNS event_trigger LANGUAGE plpgsql AS $$ "
        "BEGIN IF current_setting('statement_timeout') <> '0' THEN RAISE "
        "EXCEPTION 'it has to be quick'; END IF; "
        f"PERFORM pg_sleep({21 if CHECK_ALL else 0}); END $$; CREATE EVENT "
        "TRIGGER slow ON ddl_command_start WHEN tag IN ('CREATE SCHEMA') "
        "EXECUTE FUNCTION slow()", "one")
    done = queue("init", at=at)
    tap.equal((done.code, done.err), (0, ""), "init of a slow database")
    cluster.sql("DROP EVENT TRIGGER slow", "one")
    test_owners(cluster)
    cluster.sql("UPDATE referee.house SET version = 99, oldest = 99", "theirs")
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
    # A name belongs to the session that asks for it, so this one must end.
    cluster.psql("SELECT referee.enlist('w', 'i', 'big', '0.1', 'cpu', 4, 2.5)",
                 "one")
    cluster.sql("SELECT referee.claim('w', 1, '', '{r}', 60, '{}')", "one")
    found = shown(at)
    tap.equal([found[key] for key in ("waiting", "claimed", "parked", "epoch")],
              [3, 1, 0, int(epoch)], "show --json counts")
    done = queue("show", at=at)
    tap.ok(done.code == 0 and "waiting   3, the oldest for " in done.out and
           "claimed   1\n" in done.out and "h\\x1b[31m" in done.out,
           "show, and no control bytes", done)
    tap.equal(re.findall(r"(?m)^waiting job (\d+) of cup, with one, two, for "
                         r"\d+ seconds?$", done.out), ["2", "3", "4"],
              "by their numbers")
    tap.equal([(one["job"], one["game"], one["bots"]) for one in map(
        json.loads, queue("show", "--json", at=at).out.splitlines())
        if one["type"] == "waiting"],
        [(i + 1, f"game-{i}", ["one", "two"]) for i in (1, 2, 3)],
        "also in JSON")
    done = queue("workers", at=at)
    tap.ok(done.out.startswith("w: 4 cores, 1 job, 0 results in the last hour, "
                               "heard from ") and
           done.out.endswith(" ago, class big\n  referee 0.1, speed 2.50, "
                             "cpu\n"), "workers", done)
    # Only workers that have reported in the last minute count.
    cluster.sql("UPDATE referee.worker SET seen = now() + interval '1 day'; "
                "UPDATE referee.job SET class = 'huge' WHERE job = 3", "one")
    done = queue("show", at=at)
    tap.ok(done.out.endswith("\n1 job for a machine of class huge, which no "
                             "worker has: start one with --class\n"),
           "show says which machines are missing", done)
    cluster.sql("UPDATE referee.job SET class = 'big' WHERE job = 3", "one")
    done = queue("show", at=at)
    tap.ok("class" not in done.out, "and that none is", done)
    tap.ok('{"type":"class","class":"big","waiting":1,"workers":1}' in
           queue("show", "--json", at=at).out.replace(" ", ""),
           "show --json counts both", done)
    done = queue("park", "1", "2", "--why", "it smells", at=at)
    tap.equal((done.code, done.out), (0, "job 1 is parked\njob 2 is parked\n"),
              "park, also what is claimed")
    done = queue("show", at=at)
    tap.ok("parked job 1 of cup, with one, two:\n  it smells\n"
           "parked job 2 of cup, with one, two:\n  it smells\n"
           in done.out, "show lists them", done)
    found = next(one for one in map(json.loads, queue(
        "show", "--json", at=at).out.splitlines()) if one["type"] == "job")
    tap.ok(found.pop("made") > "2026" and found == {
        "type": "job", "job": 1, "ladder": "cup", "game": "game-0", "losses": 0,
        "bots": ["one", "two"], "why": "it smells"}, "also as JSON", found)
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
    done = queue("retry", "all", at=at)
    tap.equal((done.code, done.out), (0, "no job is parked\n"),
              "retry all of none")
    cluster.sql("SELECT referee.report('w', job, attempt, 'x') FROM "
                "referee.claim('w', 1, '', '{r}', 60, '{}')", "one")
    done = queue("void", "1", "99", "--why", "lost", at=at)
    tap.ok(done.code == 1 and done.out == "job 1 is void\n" and
           "there is no job 99 that is still open" in done.err,
           "void of what is reported", done)
    tap.equal(cluster.sql("SELECT state, why FROM referee.result", "one"),
              [["refused", "lost"]], "its result counts for nothing")
    done = queue("void", "all", at=at)
    tap.equal((done.code, done.out),
              (0, "job 2 is void\njob 3 is void\njob 4 is void\n"), "void all")
    tap.equal(queue("void", "all", at=at).out, "no job is still open\n",
              "void all of none")
    tap.complains(queue("retry", "2", at=at), 1, "there is no job 2 that is parked",
                  "what is void is not played")


def test_many(cluster, at):
    """Tests more jobs than are shown and counted, and an older queue."""
    def fill(state, count):
        have = cluster.sql("SELECT count(*) FROM referee.job WHERE state = "
                           f"'{state}'", "one")[0][0]
        cluster.sql("INSERT INTO referee.job (ladder, game, spec, sealed, "
                    "commitment, bot, name, rules, state, why) SELECT 'cup', "
                    f"'{state}-' || i, '', '', '', '{{}}', '{{o}}', 'r', "
                    f"'{state}', repeat('\u00e9', 400) FROM "
                    f"generate_series({have} + 1, {count}) i", "one")
        return queue("show", at=at).out

    told = fill("parked", SHOWN)
    tap.ok(told.count("\nparked job ") == SHOWN and "more" not in told,
           "as many as a person reads", told[:300])
    told = fill("parked", SHOWN + 1)
    tap.ok(told.count("\nparked job ") == SHOWN and
           told.endswith("\nand 1 more; --json lists all\n"), "and one more",
           told[-200:])
    told = fill("waiting", SHOWN + 1)
    tap.ok(told.count("\nwaiting job ") == SHOWN and
           "\nand 1 more that wait\n" in told, "those that wait, too",
           told[-300:])
    if CHECK_ALL:
        for state, word in ("parked", "parked   "), ("waiting", "waiting  "):
            for count, about in (COUNTED, ""), (COUNTED + 1, "about "):
                tap.ok(re.search(rf"\n{word} {about}{count}[,\n]",
                                 fill(state, count)), f"{count} of {state}")
    many = COUNTED + 1 if CHECK_ALL else SHOWN + 1
    found = [json.loads(line) for line in
             queue("show", "--json", at=at).out.splitlines()]
    parked = [one for one in found if one["type"] == "job"]
    tap.equal(len({one["job"] for one in parked}), many, "--json tells all")
    tap.equal(parked[-1]["why"].encode("latin-1").decode(), "\u00e9" * 255,
              "a long reason is cut where a letter ends")
    done = queue("retry", "all", at=at)
    tap.ok(done.code == 0 and done.out.count(" waits again\n") == many,
           "retry all of many", done.out[-200:])
    cluster.sql("DELETE FROM referee.job WHERE job > 4", "one")
    cluster.sql("ALTER TABLE referee.follower RENAME TO away", "one")
    done = queue("show", at=at)
    tap.ok(done.code == 2 and "`referee queue init` makes one" in done.err,
           "a queue that lacks its followers", done)
    cluster.sql("ALTER TABLE referee.away RENAME TO follower", "one")
    cluster.sql("DROP FUNCTION referee.figures", "one")
    tap.complains(queue("show", at=at), 2, "does not go with this program",
                  "a queue from before")
    tap.equal(queue("init", at=at).code, 0, "which is brought up to date")


def test_versions(cluster, at):
    """Tests that the command reports jobs that wait for another version."""
    for i, (rules, state) in enumerate((
            ("toepen/999/1", "reported"), ("toepen/999/1", "reported"),
            ("toepen/999/1", "waiting"), ("toepen/0/0", "waiting"),
            ("\x1b[31m/1/1", "reported"))):
        cluster.sql("INSERT INTO referee.job (ladder, game, spec, sealed, "
                    "commitment, bot, name, rules, state) VALUES ('cup', "
                    f"'other-{i}', '', '', '', '{{}}', '{{}}', '{rules}', "
                    f"'{state}')", "one")
    done = queue("show", at=at)
    tap.ok("waits     1 game of toepen/999/1, for a newer worker\n"
           "waits     2 results of toepen/999/1, for a newer daemon\n"
           in done.out, "show: what waits for a newer version", done)
    tap.ok("waits     1 game of toepen/0/0, for an older worker\n" in done.out,
           "and for an older one", done)
    tap.ok("waits     1 result of \\x1b[31m/1/1, for a daemon that has the "
           "game\n" in done.out, "and for another one", done)
    found = [json.loads(line) for line in
             queue("show", "--json", at=at).out.splitlines()]
    tap.ok({"type": "rules", "rules": "toepen/999/1", "waiting": 1,
            "reported": 2} in found, "as JSON, too", found)
    cluster.sql("DELETE FROM referee.job WHERE game LIKE 'other-%'", "one")


def test_workers(cluster, at):
    done = queue("suspend", "w", "--why", "hot", at=at)
    tap.equal((done.code, done.out), (0, "w is suspended\n"), "suspend")
    tap.ok(queue("workers", at=at).out.endswith("\n  suspended: hot\n"),
           "workers says so")
    tap.equal(queue("admit", "w", at=at).out, "w gets jobs again; start it "
              "if it has ended\n", "admit")
    for what in "suspend", "admit":
        tap.complains(queue(what, "nobody", at=at), 1,
                      "there is no worker 'nobody'", f"{what} nobody")


def test_daemon(cluster, at):
    """Tests that the command says why a daemon cannot have the queue, and the
    cure."""
    cluster.sql("CREATE ROLE stranger LOGIN")
    cluster.create("empty")
    cluster.sql("UPDATE referee.house SET version = 1", "made")
    cluster.sql("UPDATE referee.house SET key_print = 'another'; "
                "UPDATE referee.job SET state = 'parked' WHERE job = 1", "one")
    with daemon.Daemon("") as serve:
        key, other = serve.root / "key", serve.root / "other"
        for path in key, other:
            queue("key", path)
        for conninfo, file, words, code, part in (
                ("nonsense", key, ["--check"], 2, "invalid connection string"),
                (at, serve.root / "none", ["--check"], 2, "none'"),
                (cluster.conninfo("empty"), key, [], 3, "`referee queue init`"),
                (cluster.conninfo("made"), key, [], 3,
                 "needs 5: run its `referee queue init`"),
                (cluster.conninfo("theirs"), key, [], 3,
                 "knows only 5: install the newer one"),
                (cluster.conninfo("one", "stranger"), key, [], 3,
                 "log in as a member of referee_coordinator"),
                (at, other, [], 3, "queue-key must name the file with that one")):
            serve.configure(f'queue = "{conninfo}"\nqueue-key = "{file}"\n'
                            'ladder "toepen" { game = toepen seats = 2 }\n')
            done = tap.referee("serve", "--config", serve.file, *words)
            said = done.err.rstrip("\n").split("\n")[-1]
            tap.ok(done.code == code and said.startswith("referee: ") and
                   part in said, f"serve: {part}", done)


with tap.folder() as scratch:
    test_usage(pathlib.Path(scratch))
if not tap.skip("with a database", postgres.missing()):
    with postgres.Cluster() as here:
        one = here.create("one")
        test_init(here, one)
        test_jobs(here, one)
        test_many(here, one)
        test_versions(here, one)
        test_workers(here, one)
        test_daemon(here, one)
tap.done()
