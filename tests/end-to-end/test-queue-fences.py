#!/usr/bin/env python3
"""End-to-end because the functions of the queue are SQL, and only a database runs them.

Tests the functions of the queue: two workers never hold a job at the same
time, late results do not count or count once, and a worker's role may do
nothing else.

In the long form a million jobs wait."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading

import arena
import postgres
import tap

if postgres.missing():
    tap.skip_all(postgres.missing())
LONG = bool(os.environ.get("CHECK_ALL"))
RULES = "{toepen/1,durnius/2}"


class Queue:
    """A database with a queue, two enlisted workers and a daemon."""

    def __init__(self, cluster, name):
        self.cluster, self.name = cluster, name
        self.conninfo = cluster.create(name)
        done = tap.referee("queue", "init", "--queue", self.conninfo)
        if done.code != 0:
            raise RuntimeError(repr(done))
        self.epoch = self.one("SELECT referee.take_house('daemon')")
        for worker in "anna", "ben":
            self.enlist(worker)

    def run(self, text, user="postgres"):
        return self.cluster.psql(text, self.name, user)

    def session(self, user="postgres"):
        return self.cluster.session(self.name, user)

    def rows(self, text, user="postgres"):
        """Returns the rows; a worker asks in a new session."""
        if user == "postgres":
            return self.cluster.sql(text, self.name)
        return self.fresh(text, user)

    def fresh(self, text, user="postgres"):
        """Returns the rows from a new session, which makes its own plans."""
        done = self.run(text, user)
        if done.code != 0:
            raise RuntimeError(f"{text}: {done}")
        return [line.split("\t") for line in done.out.split("\n")[:-1]]

    def one(self, text, user="postgres"):
        found = self.rows(text, user)
        return found[0][0] if found else None

    def enlist(self, worker, instance="first", user=None):
        return self.run(f"SELECT * FROM referee.enlist('{worker}', '{instance}',"
                        " '', '0.1', 'x', 2, 1.0)", user or worker)

    def add(self, game, rules="toepen/1", class_="", bots="h1,h2"):
        return self.one(
            f"SELECT referee.add_job({self.epoch}, 'cup', '{game}', 'spec',"
            f" 'sealed', 'commitment', '{{{bots}}}', '{{one,two}}', '{class_}',"
            f" '{rules}')")

    def by_hand(self, *words):
        return tap.referee("queue", *words, "--queue", self.conninfo)

    def admit(self, worker):
        """Does what `queue admit` does, without a program."""
        self.run("UPDATE referee.worker SET suspended = false, why = NULL, told = NULL "
                 f"WHERE worker = '{worker}'")

    def stays(self, worker, user=None):
        """Opens a session of a worker, which is enlisted as long as the session
        is open."""
        session = self.session(user or worker)
        _, _, told = session.ask(
            f"SELECT * FROM referee.enlist('{worker}', 'first', '', '0.1', 'x', "
            "2, 1.0)")
        tap.equal(told, "", f"{worker} is there")
        return session

    def suspended(self, worker):
        """Returns why a worker is suspended, or ""."""
        return self.one("SELECT coalesce(why, '') FROM referee.worker WHERE "
                        f"worker = '{worker}' AND suspended") or ""

    def claim(self, worker, n=1, known="{}", lease=600, class_="", rules=RULES):
        """Claims jobs; returns [(job, attempt)]."""
        return [tuple(row) for row in self.rows(
            f"SELECT job, attempt FROM referee.claim('{worker}', {n}, "
            f"'{class_}', '{rules}', {lease}, '{known}')", worker)]

    def state(self, job):
        return self.rows("SELECT state, attempt, losses FROM referee.job "
                         f"WHERE job = {job}")[0]

    def clear(self):
        """Removes all jobs."""
        self.run("UPDATE referee.job SET state = 'void' WHERE state IN "
                 "('waiting', 'claimed', 'reported')")

    def sweep(self, games):
        """Removes the jobs of these games from the disk, too: what is left of them
        makes each later claim slow."""
        self.run(f"DELETE FROM referee.job WHERE game LIKE '{games}'")
        self.run("VACUUM referee.job")

    def report(self, worker, job, attempt, body="body"):
        return self.one(f"SELECT referee.report('{worker}', {job}, {attempt}, "
                        f"'{body}')", worker)

    def late(self, job):
        """Ends the lease of a job."""
        self.run("UPDATE referee.job SET lease_until = now() - interval '1 s' "
                 f"WHERE job = {job}")

    def decide(self, job, attempt, serial, game, hash_="h", epoch=None):
        return self.run(
            f"SELECT referee.add_verdicts({self.epoch if epoch is None else epoch}, '{{cup}}', "
            f"'{{{serial}}}', '{{{game}}}', '{{{job}}}', '{{{attempt}}}', "
            f"ARRAY['{hash_}'::bytea], ARRAY['record'::bytea], "
            "ARRAY[NULL::bytea])")

    def results(self):
        return self.rows("SELECT job, attempt, worker FROM referee.result "
                         "WHERE state = 'new' ORDER BY made, job")


def refused(done, state, what):
    tap.ok(done.code != 0 and f"ERROR:  {state}:" in done.err, what, done)


def test_order(queue):
    first, second, other = (queue.add("a1"), queue.add("a2", "durnius/2"),
                            queue.add("a3", "toepen/9"))
    big = queue.add("a4", class_="big")
    tap.equal(queue.add("a1"), first, "a game is added once")
    tap.equal(queue.claim("anna", 9), [(first, "1"), (second, "1")],
              "the oldest first, of rules that it has and no class")
    tap.equal(queue.claim("ben", 9), [], "what is claimed is gone")
    tap.equal(queue.claim("ben", 9, class_="big", rules="{toepen/9,toepen/1}"),
              [(other, "1"), (big, "1")], "of both, with its class")
    tap.equal(queue.claim("anna", 9, f"{{{first}}}"), [(second, "1")],
              "what it holds and does not know of is told again")
    tap.equal(queue.claim("anna", 0, "{}"), [], "no more than it wants")
    queue.clear()


def test_classes(queue):
    """Tests a change of the class of workers that a ladder asks for."""
    ran, waits, other = (queue.add(f"k{i}") for i in range(3))
    queue.claim("anna", 1)
    queue.run(f"UPDATE referee.job SET ladder = 'else' WHERE job = {other}")

    def change(class_, n=9):
        return queue.one(f"SELECT referee.set_classes({queue.epoch}, "
                         f"'{{cup}}', '{{{class_}}}', {n})")
    tap.equal([change("big", 1), change("big"), change("big")],
              ["1", "1", "0"], "jobs of a ladder change their class")
    tap.equal(queue.claim("ben", 9), [(other, "1")],
              "only a worker of the class gets what waits")
    queue.late(ran)
    tap.equal(queue.claim("ben", 9, f"{{{other}}}"), [], "or what was lost")
    tap.equal(queue.claim("ben", 9, f"{{{other}}}", class_="big"),
              [(ran, "2"), (waits, "1")], "which gets both")
    refused(queue.run("SELECT referee.set_classes(0, '{cup}', '{x}', 9)"),
            "RF002", "only the daemon changes it")
    queue.clear()


def test_suspended(queue):
    """Tests a worker that an organiser suspends while it plays."""
    job = queue.add("o1")
    queue.claim("ben")
    tap.equal(queue.by_hand("suspend", "ben", "--why", "slow").code, 0, "suspend")
    refused(queue.run("SELECT referee.claim('ben', 1, '', '{}', 1, '{}')",
                      "ben"), "RF001", "it gets no job")
    tap.equal((queue.claim("anna"), queue.state(job)),
              ([(job, "2")], ["claimed", "2", "0"]),
              "what it had is another one's at once, and not lost")
    done = queue.by_hand("workers")
    tap.ok("suspended: slow\n" in done.out, "it is shown", done)
    tap.equal((queue.by_hand("admit", "ben").code, queue.rows(
        "SELECT suspended, why FROM referee.worker WHERE worker = 'ben'")),
              (0, [["f", ""]]), "until it is admitted")
    queue.clear()


def test_beats(queue):
    job, = queue.claim("anna", 1, lease=5) if queue.add("b1") else ()
    queue.late(job[0])
    beat = (f"SELECT job FROM referee.beat('anna', '{{{job[0]},77}}', "
            "'{1,1}', 60)")
    tap.equal(queue.rows(beat, "anna"), [["77"]],
              "a beat saves a lease that no one has ended; 77 is not its own")
    queue.late(job[0])
    tap.equal(queue.claim("ben"), [(job[0], "2")],
              "an expired lease: another one claims it")
    tap.equal(queue.state(job[0]), ["claimed", "2", "1"], "which is a loss")
    tap.equal(queue.rows(beat, "anna"), [[job[0]], ["77"]],
              "and the first one is told")
    wrong = queue.rows(f"SELECT job FROM referee.beat('ben', '{{{job[0]}}}', "
                       "'{1}', 60)", "ben")
    tap.equal(wrong, [[job[0]]], "a beat of another attempt")
    return job[0]


def test_late(queue, job):
    """Tests a result that comes after another worker has claimed the job."""
    refused(queue.run(f"SELECT referee.report('ben', {job}, 3, 'x')", "ben"),
            "RF003", "an attempt that was never made")
    refused(queue.run(f"SELECT referee.report('anna', {job}, 2, 'x')", "anna"),
            "RF003", "another one's attempt")
    refused(queue.run(f"SELECT referee.report('ben', {job}, 1, 'x')", "ben"),
            "RF003", "an attempt that another one had")
    tap.equal(queue.report("anna", job, 1), "ok", "the first result may count")
    tap.equal(queue.report("anna", job, 1), "ok", "once more, the same answer")
    tap.equal(queue.state(job)[0], "reported", "the job is reported")
    tap.equal(queue.rows(f"SELECT job FROM referee.beat('ben', '{{{job}}}', "
                         "'{2}', 60)", "ben"), [[job]],
              "it is not Ben's any more")
    tap.equal(queue.report("ben", job, 2), "late", "the second one is late")
    tap.equal(queue.results(), [[job, "1", "anna"]], "one result is new")
    refused(queue.run(f"SELECT referee.refuse({queue.epoch} - 1, {job}, 1, "
                      "'no', true)"), "RF002", "a daemon that was replaced")
    queue.run(f"SELECT referee.refuse({queue.epoch}, {job}, 1, 'wrong cards', "
              "true)")
    tap.equal(queue.results(), [[job, "2", "ben"]],
              "if it does not hold, the other one gets its turn")
    refused(queue.run("SELECT referee.claim('anna', 1, '', '{}', 9, '{}')",
                      "anna"), "RF001", "the worker is suspended")
    told = queue.run("SELECT referee.report('anna', 1, 1, 'x')", "anna")
    tap.ok(f"the worker anna is suspended: job {job}: wrong cards" in told.err,
           "and told why", told)
    refused(queue.enlist("other", user="anna"), "RF001",
            "nor does another name of the same login help")
    queue.admit("anna")
    queue.run(f"SELECT referee.refuse({queue.epoch}, {job}, 2, 'too', true)")
    tap.equal(queue.state(job)[0], "parked",
              "after two that do not hold it is parked")
    why = queue.one(f"SELECT why FROM referee.job WHERE job = {job}")
    tap.ok("anna, ben" in why and "too" in why, "and says whose they were", why)
    tap.equal(queue.one("SELECT suspended FROM referee.worker "
                        "WHERE worker = 'ben'"), "f",
              "the second worker may be right, and goes on")
    tap.referee("queue", "retry", job, "--queue", queue.conninfo)
    tap.equal(queue.claim("ben"), [(job, "3")], "it can be played a third time")


def test_verdicts(queue, job):
    game = queue.one(f"SELECT game FROM referee.job WHERE job = {job}")
    tap.equal(queue.report("ben", job, 3), "ok", "the third result")
    refused(queue.decide(job, 3, 1, game, epoch=int(queue.epoch) - 1), "RF002",
            "a daemon that was replaced decides nothing")
    tap.equal(queue.one("SELECT count(*) FROM referee.verdict"), "0",
              "there is no verdict then")
    tap.equal(queue.decide(job, 3, 1, game).code, 0, "a verdict")
    tap.equal(queue.decide(job, 3, 1, game).code, 0, "the same once more")
    refused(queue.decide(job, 3, 2, game), "23505", "another serial")
    refused(queue.decide(job, 3, 1, game, "other"), "23505", "another hash")
    refused(queue.decide(0, 0, 1, "elsewhere"), "23505",
            "another game of that serial")
    tap.equal(queue.decide(0, 0, 2, "remote").code, 0, "a game without a job")
    tap.equal((queue.state(job)[0], queue.report("ben", job, 3),
               queue.report("anna", job, 1), queue.results()),
              ("done", "done", "done", []), "then the job is done")
    tap.equal(queue.rows("SELECT state, length(body) FROM referee.result "
                         f"WHERE job = {job} AND attempt = 3"),
              [["taken", "0"]], "its result is taken, the body is in the verdict")
    tap.equal(queue.rows(
        "SELECT v.worker = 'ben', v.processor = w.processor, v.speed = w.speed "
        "FROM referee.verdict v JOIN referee.worker w ON w.worker = 'ben' "
        f"WHERE v.job = {job}"), [["t", "t", "t"]],
              "which names its worker, and the machine")
    # If one job of a group is bad, none is added.
    done = queue.run(
        f"SELECT referee.add_verdicts({queue.epoch}, '{{cup,cup}}', '{{3,2}}',"
        " '{g3,g4}', '{0,0}', '{0,0}', ARRAY['h'::bytea,'h'], ARRAY['r'::bytea,"
        "'r'], ARRAY[NULL::bytea,NULL])")
    refused(done, "23505", "a group with one that is refused")
    tap.equal(queue.one("SELECT count(*) FROM referee.verdict"), "2",
              "is refused as a whole")


def test_sweep(queue):
    """Tests that yesterday's finished jobs are removed when others come."""
    jobs = [queue.add(f"s{i}") for i in range(3)]
    queue.claim("anna", 9)
    for i in range(2):
        queue.report("anna", jobs[i], 1)
    queue.decide(jobs[0], 1, 100, "s0")
    queue.run("UPDATE referee.job SET made = now() - interval '25 hours' "
              f"WHERE job >= {jobs[0]}")
    queue.decide(jobs[1], 1, 101, "s1")
    left = [row[0] for row in queue.rows("SELECT job FROM referee.job "
                                         f"WHERE job >= {jobs[0]}")]
    tap.ok(jobs[0] not in left and jobs[2] in left,
           "what is over is swept, what runs is not", left)
    tap.equal((queue.report("anna", jobs[0], 1), queue.one(
        "SELECT count(*) FROM referee.verdict WHERE game = 's0'")),
              ("done", "1"), "its verdict stays, and it is done")
    queue.clear()


def test_refused(queue):
    """Tests that the job of a refused result waits for another one."""
    job = queue.add("r1")
    queue.claim("anna")
    queue.report("anna", job, 1)
    queue.run(f"SELECT referee.refuse({queue.epoch}, {job}, 1, 'no', true)")
    tap.equal((queue.state(job), queue.claim("ben")),
              (["waiting", "1", "0"], [(job, "2")]),
              "a job whose result was refused waits again")
    tap.equal(queue.one("SELECT length(body) FROM referee.result "
                        f"WHERE job = {job}"), "0",
              "and no cards of it stay in the database")
    queue.admit("anna")
    queue.clear()


def test_long(queue):
    """Tests the longest result that is accepted, and one byte more."""
    job = queue.add("long")
    queue.claim("anna")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        os.chmod(file.name, 0o644)
        for more in 1, 0:
            file.write(f"SELECT referee.report('anna', {job}, 1, "
                       f"repeat('x', 150000000 + {more})::bytea);\n")
            file.flush()
            done = queue.cluster.psql(None, queue.name, "anna", file.name)
            if more:
                tap.equal(done.out.strip(), "refused",
                          "a result that is too long")
                tap.equal(queue.suspended("anna"), "it gave 150000001 bytes of "
                          "a result, and at most 150000000 are taken",
                          "in a sentence")
                queue.admit("anna")
            file.seek(0)
            file.truncate()
    tap.equal(done.out.strip(), "ok", "one that is as long as may be")
    queue.clear()
    queue.run(f"DELETE FROM referee.job WHERE job = {job}")


def test_suspects(queue):
    """Tests that a job that takes its worker down is parked, and that the jobs
    of the same claim are not."""
    jobs = [queue.add(f"p{i}") for i in range(5)]
    tap.equal(len(queue.claim("anna", 9)), 5, "five jobs at a time")
    queue.enlist("anna", "died once")
    tap.equal([queue.state(job) for job in jobs], 5 * [["waiting", "1", "1"]],
              "its worker dies: all of them are suspects")
    fresh = [queue.add(f"q{i}") for i in range(3)]
    mine = queue.claim("anna", 9)
    tap.equal(mine, [(jobs[0], "2"), *((job, "1") for job in fresh)],
              "a worker gets one suspect at a time, and others")
    tap.equal(queue.claim("anna", 9, "{%s}" % ",".join(row[0] for row in mine)),
              [], "and no second one while it has one")
    tap.equal(queue.claim("ben", 9), [(jobs[1], "2")],
              "another worker gets another")
    queue.enlist("anna", "died twice")
    tap.equal(queue.state(jobs[0]), ["parked", "2", "2"],
              "it dies again: the suspect is parked")
    tap.equal([queue.state(job) for job in fresh], 3 * [["waiting", "1", "0"]],
              "and the others have nothing to do with it")
    tap.equal(queue.report("ben", jobs[1], 2), "ok",
              "one that did nothing is played")
    queue.claim("ben", 9)
    for job in jobs[2], *fresh:
        queue.late(job)
    tap.equal(queue.one("SELECT referee.expire(100)"), "4", "leases are over")
    tap.equal([queue.state(job) for job in (jobs[2], *fresh)],
              [["parked", "2", "2"], *(3 * [["waiting", "2", "0"]])],
              "which is no other")
    queue.clear()


def test_losses(queue):
    job = queue.add("c1")
    tap.equal(queue.claim("anna"), [(job, "1")], "a job")
    queue.enlist("anna", "first")
    tap.equal(queue.state(job), ["claimed", "1", "0"],
              "the same process connects again: nothing is lost")
    queue.enlist("anna", "second")
    tap.equal(queue.state(job), ["waiting", "1", "1"],
              "another process: it is lost once")
    tap.equal(queue.claim("ben"), [(job, "2")], "it is claimed again")
    queue.late(job)
    tap.equal(queue.one("SELECT referee.expire(100)"), "1", "a lease is over")
    tap.equal(queue.state(job), ["parked", "2", "2"], "after two it is parked")
    why = queue.one(f"SELECT why FROM referee.job WHERE job = {job}")
    tap.ok("one, two" in why and "ben was not heard from" in why,
           "with the names of its bots", why)
    tap.equal(queue.claim("anna"), [], "no worker gets it")
    tap.equal(queue.report("ben", job, 2), "ok",
              "but a result that comes after all may count")
    queue.decide(job, 2, 10, "c1")

    job = queue.add("c2")
    queue.claim("anna")
    give = "SELECT referee.give_back('anna', '{%s}', '{%d}', %s)"
    queue.run(give % (job, 2, "NULL"), "anna")
    tap.equal(queue.state(job)[0], "claimed", "another attempt is not given back")
    queue.run(give % (job, 1, "NULL"), "anna")
    queue.run(give % (job, 1, "NULL"), "anna")
    tap.equal(queue.state(job), ["waiting", "1", "0"],
              "given back, and once more: no loss")
    queue.claim("anna")
    queue.run(give % (job, 2, "'no memory'"), "anna")
    tap.equal(queue.state(job), ["waiting", "2", "1"], "with a reason: a loss")
    queue.claim("anna")
    queue.run(f"SELECT referee.void_job({queue.epoch}, {job}, 'gone')")
    tap.equal((queue.state(job)[0], queue.report("anna", job, 3)),
              ("void", "done"), "a job that is void")


def test_entropy(queue):
    job = queue.add("d1")
    queue.claim("anna")
    give = "SELECT referee.give_entropy('%s', %s, %d, '%s')"
    tap.equal(queue.one(give % ("anna", job, 1, "abc"), "anna"), r"\x616263",
              "entropy")
    tap.equal(queue.one(give % ("anna", job, 1, "xyz"), "anna"), r"\x616263",
              "the first one counts")
    queue.late(job)
    queue.claim("ben")
    tap.equal(queue.one(give % ("anna", job, 1, "xyz"), "anna"), "",
              "one whose job is another's")
    tap.equal(queue.one(give % ("ben", job, 2, "xyz"), "ben"), r"\x616263",
              "who plays it again gets the same")
    queue.report("ben", job, 2)
    queue.decide(job, 2, 20, "d1")


def test_unbuilt(queue):
    """Tests a bot that a worker cannot build: another worker gets its job, and
    after two the bot is to blame."""
    queue.clear()
    job = queue.add("u1")

    def unable(worker, attempt, why):
        queue.run(f"SELECT referee.give_back_unbuilt('{worker}', {job}, "
                  f"{attempt}, 'h2', '{why}')", worker)

    queue.claim("anna")
    unable("anna", 7, "no gcc")
    tap.equal(queue.state(job)[0], "claimed", "another attempt")
    unable("anna", 1, "no gcc")
    tap.equal(queue.state(job), ["waiting", "1", "0"],
              "a bot that cannot be built is no loss")
    tap.equal(queue.claim("anna"), [], "that worker does not get it again")
    queue.run("SELECT referee.park_unbuilt()")
    tap.equal(queue.state(job)[0], "waiting", "it waits for another one")
    tap.equal(queue.claim("ben"), [(job, "2")], "which gets it")
    unable("ben", 2, "no cc")
    tap.equal(queue.state(job), ["parked", "2", "0"],
              "that cannot either: it is parked")
    tap.equal(queue.rows("SELECT why, blamed FROM referee.job WHERE job = "
                         f"{job}"),
              [["the bot two cannot be had: anna says: no gcc; ben says: no cc",
                "h2"]], "with the bot that is why")
    shown = tap.referee("queue", "show", "--json", "--queue", queue.conninfo)
    tap.equal([one["unbuilt"] for one in map(json.loads, shown.out.splitlines())
               if one.get("job") == int(job)], ["two"], "by its name")
    more = queue.add("u2")
    tap.equal(queue.claim("ben") + queue.claim("anna"), [],
              "nor is another game with it played")
    queue.run("SELECT referee.park_unbuilt()")
    tap.equal(queue.state(more)[0], "parked", "it is parked, too")
    tap.referee("queue", "retry", more, "--queue", queue.conninfo)
    tap.equal(queue.claim("anna"), [(more, "1")], "until it is tried again")
    job = more
    unable("anna", 1, "still none")
    queue.run("UPDATE referee.worker SET seen = now() - interval '2 minutes' "
              "WHERE worker = 'ben'; UPDATE referee.unbuilt SET made = now() - "
              "interval '2 minutes'; SELECT referee.park_unbuilt()")
    tap.equal(queue.state(more)[0], "parked",
              "the only worker is heard, after a minute")
    queue.run("UPDATE referee.unbuilt SET made = now() - interval '11 minutes'")
    later = queue.add("u3")
    tap.equal(queue.claim("anna"), [(later, "1")],
              "after ten minutes it is tried once more")
    queue.run("DELETE FROM referee.unbuilt")
    queue.clear()


def test_rights(queue):
    tables = [row[0] for row in queue.rows(
        "SELECT table_name FROM information_schema.tables "
        "WHERE table_schema = 'referee'")]
    tap.ok(len(tables) >= 12, "there are tables", tables)
    for table in tables:
        for text in (f"SELECT * FROM referee.{table}",
                     f"DELETE FROM referee.{table}",
                     f"INSERT INTO referee.{table} DEFAULT VALUES",
                     f"BEGIN; LOCK TABLE referee.{table}",
                     f"TRUNCATE referee.{table}"):
            refused(queue.run(text, "anna"), "42501", f"a worker: {text}")
    may = {"queue_version", "enlist", "claim", "give_entropy", "beat", "report", "give_back",
           "give_back_unbuilt", "fetch_bot"}
    functions = dict(queue.rows(
        "SELECT proname, has_function_privilege('anna', p.oid, 'execute') FROM "
        "pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = "
        "'referee'"))
    tap.equal({name for name, can in functions.items() if can == "t"}, may,
              "a worker may call these functions")
    tap.ok(len(functions) > len(may) + 7, "of many", functions)
    refused(queue.run("CREATE TABLE referee.x ()", "anna"), "42501",
            "a worker makes no table there")
    refused(queue.run("SET ROLE referee_coordinator", "anna"), "42501",
            "and does not become the daemon")
    refused(queue.enlist("anna", user="ben"), "RF003",
            "another role does not take a worker's name")
    refused(queue.run("SELECT referee.claim('ben', 1, '', '{}', 9, '{}')",
                      "anna"), "RF003", "nor claims for it")
    refused(queue.run("SELECT referee.claim('carl', 1, '', '{}', 9, '{}')",
                      "anna"), "RF003", "a worker that is not enlisted")
    queue.run("SET ROLE referee_coordinator; INSERT INTO referee.bot VALUES "
              "(repeat('ab', 32), 'one', 'archive of it')")
    fetch = "SELECT * FROM referee.fetch_bot(repeat('%s', 32), %d, %d)"
    tap.equal([queue.rows(fetch % ("ab", at, 8), "anna") for at in (0, 8, 13)],
              [[["13", r"\x6172636869766520"]], [["13", r"\x6f66206974"]],
               [["13", r"\x"]]], "an archive in pieces")
    tap.equal(queue.rows(fetch % ("cd", 0, 8), "anna"), [], "no such archive")


def test_sizes(queue):
    """Tests the bounds of what a worker says about itself and its bots, since
    the daemon and other workers read all of it."""
    job = queue.add("sizes")
    queue.claim("anna", 1)

    def give(n):
        return queue.run("SELECT length(referee.give_entropy('anna', "
                         f"{job}, 1, decode(repeat('00', {n}), 'hex')))", "anna")
    told = give(265)
    tap.ok("it gave 265 bytes of entropy, and at most 264 are taken" in told.err,
           "more entropy than eight seats have is refused", told)
    tap.equal(queue.rows("SELECT entropy FROM referee.job WHERE job = "
                         f"{job}"), [[""]], "and not kept")
    queue.admit("anna")
    tap.equal(give(264).out, "264\n", "as much as they have is")
    for what, told in (("class", "repeat('x', 300), '', '', 1, 1"),
                       ("version", "'', repeat('x', 300), '', 1, 1"),
                       ("processor", "'', '', repeat('x', 300), 1, 1"),
                       ("number of cores", "'', '', '', -1, 1"),
                       ("speed", "'', '', '', 1, 'NaN'"),
                       ("speed", "'', '', '', 1, '-Infinity'")):
        refused(queue.run(f"SELECT referee.enlist('anna', 'first', {told})",
                          "anna"), "RF003", f"a strange {what} is refused")
    queue.clear()


def test_too_much(queue):
    """Tests that each text and list of a worker has a bound, and that a worker
    that sends more is suspended and named."""
    job = queue.add("much")
    queue.claim("anna")
    more = "(SELECT array_agg(i) FROM generate_series(1, 1025) i)"
    for call, what in (
            (f"claim('anna', 1, repeat('x', 201), '{{}}', 9, '{{}}')",
             "201 bytes of a class, and at most 200"),
            ("claim('anna', 1, '', array_fill('x'::text, '{101}'), 9, '{}')",
             "101 rules, and at most 100"),
            ("claim('anna', 1, '', ARRAY['', repeat('x', 65)], 9, '{}')",
             "65 bytes of rules, and at most 64"),
            (f"claim('anna', 1, '', '{{}}', 9, {more})",
             "1025 jobs, and at most 1024"),
            (f"beat('anna', {more}, '{{1}}', 9)",
             "1025 jobs, and at most 1024"),
            (f"beat('anna', '{{1}}', {more}, 9)",
             "1025 jobs, and at most 1024"),
            (f"give_back('anna', {more}, '{{1}}', NULL)",
             "1025 jobs, and at most 1024"),
            (f"give_back('anna', '{{{job}}}', '{{1}}', repeat('x', 6144))",
             "6144 bytes of a reason, and at most 6143"),
            (f"give_back_unbuilt('anna', {job}, 1, 'h2', repeat('x', 6144))",
             "6144 bytes of a reason, and at most 6143"),
            (f"give_back_unbuilt('anna', {job}, 1, repeat('x', 65), '')",
             "65 bytes of a hash, and at most 64")):
        why, name = f"it gave {what} are taken", call[:call.index("(")]
        told = queue.run(f"SELECT referee.{call}", "anna")
        tap.ok(f"WARNING:  01000: the worker anna is suspended: {why}\n" ==
               told.err, f"{name}: {what}", told)
        tap.equal(queue.state(job)[0], "claimed", "nothing of it is taken")
        refused(queue.run("SELECT referee.claim('anna', 1, '', '{}', 9, '{}')",
                          "anna"), "RF001", "and no more from this worker")
        tap.equal([queue.rows("SELECT * FROM referee.tell_suspended()")
                   for _ in range(2)], [[["anna", why]], []],
                  "and the daemon tells it once")
        queue.admit("anna")
    tap.equal(queue.run(f"SELECT referee.give_back_unbuilt('anna', {job}, 1, "
                        "'h2', repeat('x', 6143))", "anna").err, "",
              "a reason that just fits")
    tap.equal(queue.rows("SELECT length(why) FROM referee.unbuilt"), [["500"]],
              "is kept as far as it is read")
    queue.run("DELETE FROM referee.unbuilt")
    for call in ("fetch_bot(repeat('x', 65), 0, 1)",
                 "enlist(repeat('x', 65), '', '', '', '', 1, 1)",
                 "claim(repeat('x', 9999), 1, '', '{}', 9, '{}')"):
        told = queue.run(f"SELECT referee.{call}", "anna")
        refused(told, "RF003", call)
        tap.ok(len(told.err) < 300, "in a short sentence", told)
    queue.clear()


def test_two_workers(queue):
    """Tests that parking a game takes two workers, if there are two."""
    anna, ben = queue.stays("anna"), queue.stays("ben")

    def claim(session, worker, n=9):
        return [tuple(row) for row in session.ask(
            f"SELECT job, attempt FROM referee.claim('{worker}', {n}, '', "
            f"'{RULES}', 600, '{{}}')")[0]]

    def give(session, worker, job, attempt):
        session.ask(f"SELECT referee.give_back('{worker}', '{{{job}}}', "
                    f"'{{{attempt}}}', 'no memory')")

    one, two = queue.add("w1"), queue.add("w2")
    tap.equal(claim(anna, "anna"), [(one, "1"), (two, "1")], "two games")
    for job in one, two:
        give(anna, "anna", job, 1)
    tap.equal(claim(anna, "anna"), [], "who lost them does not get them again")
    tap.equal(queue.stays("anna2", "anna").ask(
        "SELECT job FROM referee.claim('anna2', 9, '', "
        f"'{RULES}', 600, '{{}}')")[0], [], "under no name")
    tap.equal(claim(ben, "ben"), [(one, "2")], "another one does")
    give(ben, "ben", one, 2)
    tap.equal(queue.state(one), ["parked", "2", "2"],
              "who loses it, too: it is parked")
    queue.run("UPDATE referee.job SET lost_at = now() - interval '10 minutes' "
              f"WHERE job = {two}")
    tap.equal(claim(anna, "anna"), [(two, "2")],
              "what no other takes for ten minutes it gets again")
    give(anna, "anna", two, 2)
    tap.equal(queue.state(two)[0], "parked", "and is parked as well")
    ben.close()
    three = queue.add("w3")
    tap.equal(claim(anna, "anna"), [(three, "1")], "a game")
    give(anna, "anna", three, 1)
    tap.ok(arena.wait_for(lambda: claim(anna, "anna") == [(three, "2")]),
           "the only worker that is there gets it again", queue.state(three))
    give(anna, "anna", three, 2)
    tap.equal(queue.state(three)[0], "parked", "the second loss parks it")
    anna.close()
    queue.run("DELETE FROM referee.given_back")
    queue.clear()


def test_to_blame(queue):
    """Tests that a worker that claims and gives back jobs that others play is
    to blame itself."""
    jobs = [queue.add(f"t{i}", bots=f"b{i},b{i + 1}") for i in range(9)]

    def give(*some):
        # A worker also sends each by itself.
        for job in some:
            queue.run(f"SELECT referee.give_back('anna', '{{{job}}}', '{{1}}', "
                      "'it fails')", "anna")
    tap.equal(len(queue.claim("anna", 9)), 9, "a worker claims all that waits")
    give(*jobs[:4])
    tap.equal((queue.suspended("anna"), queue.state(jobs[0])),
              ("", ["waiting", "1", "1"]), "and gives back four")
    give(jobs[4])
    why = ("it gave back 5 games that have no bot in common, at last: anna gave "
           "it back: it fails")
    tap.equal(queue.suspended("anna"), why, "with the fifth it is suspended")
    tap.equal([queue.state(job) for job in jobs[:5]],
              5 * [["waiting", "1", "0"]], "and none of them is lost")
    tap.equal([row[0] for row in queue.claim("ben", 9)], jobs,
              "another worker gets them all")
    queue.admit("anna")
    queue.clear()
    # One bot may be to blame; or one of two.
    jobs = [queue.add(f"v{i}", bots=f"same,b{i}") for i in range(6)]
    queue.claim("anna", 9)
    give(*jobs)
    tap.equal(queue.suspended("anna"), "", "a bot in all of them is to blame")
    queue.run("DELETE FROM referee.given_back")
    queue.clear()


def test_one_login(queue):
    """Tests that two names of one login do not count as two workers."""
    job = queue.add("l1")
    anna, ben = queue.stays("anna"), queue.stays("ben")
    other = queue.stays("anna2", "anna")
    for session, name in (anna, "anna"), (other, "anna2"):
        row, = session.ask(f"SELECT job, attempt FROM referee.claim('{name}', 1, "
                           f"'', '{RULES}', 600, '{{}}')")[0]
        session.ask(f"SELECT referee.give_back_unbuilt('{name}', {row[0]}, "
                    f"{row[1]}, 'h2', 'no')")
    tap.equal(queue.state(job)[0], "waiting",
              "a bot that two of one login cannot build is not to blame yet")
    tap.equal(len(ben.ask("SELECT job FROM referee.claim('ben', 1, '', "
                          f"'{RULES}', 600, '{{}}')")[0]), 1,
              "another one gets it")
    for session in anna, ben, other:
        session.close()
    queue.run("DELETE FROM referee.unbuilt; DELETE FROM referee.worker WHERE "
              "worker = 'anna2'")
    queue.clear()


def test_blocked(queue):
    """Tests that a worker that holds games in an open transaction is named and
    disconnected."""
    job = queue.add("held")
    holds = queue.session("anna")
    # In one go, because a slow test would be one that does so for long.
    rows, _, told = holds.ask(
        f"BEGIN; SELECT FROM referee.claim('anna', 9, '', '{RULES}', 600, '{{}}'); "
        "SHOW idle_in_transaction_session_timeout; SHOW statement_timeout; "
        "SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0")
    tap.equal(rows[1:], 2 * [["5s"]], "it may not do so for long") or tap.note(told)
    pid = holds.ask("SELECT pg_backend_pid()")[0][0][0]
    for words in ("void", "all"), ("park", job):
        tap.complains(queue.by_hand(*words), 3, "nothing was changed: the login "
                      "anna (of worker anna) has a transaction open since ",
                      f"queue {words[0]} {words[1]} says who is in the way")
    holder = queue.session()
    holder.ask("BEGIN; SELECT FROM referee.worker WHERE worker = 'ben' FOR UPDATE")
    tap.complains(queue.by_hand("admit", "ben"), 3, "nothing was changed: the "
                  "login postgres", "and so does admit")
    holder.close()
    others = [queue.session("ben"), queue.cluster.session("postgres", "anna")]
    tap.equal(queue.by_hand("suspend", "anna").out, "anna is suspended\n",
              "queue suspend is in nobody's way")
    tap.equal([session.ask("SELECT 1")[0] for session in others], [[["1"]]] * 2,
              "and ends no session of another worker, or of another database")
    for session in others:
        session.close()
    tap.equal(queue.rows(f"SELECT FROM pg_stat_activity WHERE pid = {pid}"), [],
              "and ends its sessions")
    tap.equal(queue.by_hand("void", job).code, 0, "after that all goes on")
    queue.admit("anna")
    holds.close()


def test_stalled(queue):
    """Tests that the daemon finds the sessions of workers that hold a
    transaction."""
    holds, mine = queue.session("anna"), queue.session()
    for session in holds, mine:
        session.ask("BEGIN; SELECT 1")
    tap.equal(queue.rows("SELECT * FROM referee.end_stalled(60)"), [],
              "no session is ended before its time")
    told = queue.rows("SET ROLE referee_coordinator; SELECT * FROM "
                      "referee.end_stalled(0)")
    tap.ok(len(told) == 1 and told[0][0] == "the login anna (of worker anna)"
           and told[0][2] == "t", "one of a worker is, and is named", told)
    tap.ok(mine.ask("SELECT 1")[0] == [["1"]] and
           holds.ask("SELECT 1")[0] == [], "and no other one")
    mine.close()


def test_no_right(queue):
    """Tests a daemon without the right to end sessions of workers."""
    right = ("pg_signal_backend, pg_read_all_stats", "referee_coordinator")
    name = "queue_only"
    queue.cluster.role(name, "LOGIN")
    queue.run(f"GRANT ALL ON ALL TABLES IN SCHEMA referee TO {name}; GRANT USAGE "
              f"ON SCHEMA referee TO {name}; GRANT EXECUTE ON ALL FUNCTIONS IN "
              f"SCHEMA referee TO {name}")
    holds = queue.session("anna")
    at = queue.cluster.conninfo(queue.name, name)
    done = tap.referee("queue", "suspend", "anna", "--queue", at)
    tap.ok(done.code == 2 and done.out == "anna is suspended\n" and
           f"a superuser has to run: GRANT {right[0]} TO {right[1]}" in done.err,
           "suspend says who has to give it", done)
    holds.close()
    queue.admit("anna")
    queue.run(f"DROP OWNED BY {name}")


def test_open_transaction(queue):
    """Tests that a worker that leaves its transaction open does not block the
    daemon."""
    first, second = queue.add("open1"), queue.add("open2")
    queue.claim("anna", 2)
    for job in first, second:
        queue.report("anna", job, 1)
    with subprocess.Popen(
            [f"{postgres.programs()}/psql", "--no-psqlrc", "--quiet",
             "--tuples-only", queue.cluster.conninfo(queue.name, "anna")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/") as held:
        for job in first, second:
            held.stdin.write(b"BEGIN; SELECT 'it says ' || referee.report("
                             b"'anna', %d, 1, '');\n" % int(job))
        held.stdin.flush()
        tap.equal([held.stdout.readline().strip() for _ in range(3)][::2],
                  [b"it says ok"] * 2, "it reports again")
        wait = "SET lock_timeout = 60000; "
        tap.equal(queue.run(
            f"{wait}SELECT referee.add_verdicts({queue.epoch}, '{{cup}}', "
            f"'{{30}}', '{{open1}}', '{{{first}}}', '{{1}}', ARRAY['h'::bytea], "
            "ARRAY['record'::bytea], ARRAY[NULL::bytea])").code, 0,
            "its game is decided")
        tap.equal(queue.run(
            f"{wait}SELECT referee.refuse({queue.epoch}, {second}, 1, 'bad', "
            "false)").code, 0, "and its result refused")
        held.stdin.close()
        held.wait()
    tap.equal([queue.state(job)[0] for job in (first, second)],
              ["done", "waiting"], "both are over")
    queue.clear()


def test_shadows(queue):
    """Tests that others never call a worker's functions, even if all may make
    functions in `public`, as in a database from PostgreSQL 14."""
    queue.run("GRANT CREATE ON SCHEMA public TO PUBLIC")
    for name, result, body in (
            ("pg_advisory_xact_lock(integer)", "void", ""),
            ("format(text, name)", "text", "'SELECT 1'"),
            ("pg_has_role(text, text)", "bool", "false"),
            ("times(bigint, interval)", "interval", "$2")):
        done = queue.run(
            f"CREATE FUNCTION public.{name} RETURNS {result} LANGUAGE plpgsql "
            f"AS $$ BEGIN INSERT INTO public.called VALUES ('{name}'); "
            f"RETURN {body}; END $$", "anna")
        tap.equal(done.code, 0, f"{name} is made")
    queue.run("CREATE OPERATOR public.* (LEFTARG = bigint, RIGHTARG = interval, "
              "FUNCTION = public.times)", "anna")
    queue.run("CREATE TABLE public.called (name text)", "anna")
    queue.add("shadow", class_="big")
    queue.run("UPDATE referee.worker SET class = 'big'")
    for words in ("init",), ("show",), ("workers",):
        done = tap.referee("queue", *words, "--queue", queue.conninfo)
        tap.equal(done.code, 0, f"queue {words[0]}")
    tap.equal(queue.rows("TABLE public.called"), [], "and none was called")
    queue.run("DROP OWNED BY anna; REVOKE CREATE ON SCHEMA public FROM PUBLIC; "
              "UPDATE referee.worker SET class = ''")
    queue.clear()


def test_house(queue):
    """Tests two daemons."""
    other = queue.session()
    # The session may end a moment later than its connection.
    arena.wait_for(
        lambda: other.ask("SELECT referee.take_house('one')")[0] != [[""]])
    pid = other.ask("SELECT pg_backend_pid()")[0][0][0]
    tap.equal(queue.one("SELECT referee.take_house('two')"), "",
              "one daemon has the queue")
    epoch = queue.one("SELECT epoch FROM referee.house")
    tap.equal(queue.one(f"SELECT referee.keep_house({epoch})"), "f",
              "and no other session has its lock")
    tap.equal(queue.one(f"SELECT pg_terminate_backend({pid}, 600000)"), "t",
              "its connection is lost")
    other.close()
    tap.equal(queue.one(f"SELECT referee.keep_house({epoch})"), "t",
              "after a lost connection it has it again")
    queue.epoch = arena.wait_for(
        lambda: queue.one("SELECT referee.take_house('two')"))
    tap.ok(int(queue.epoch) > int(epoch), "the next daemon's epoch",
           (queue.epoch, epoch))
    refused(queue.run(f"SELECT referee.keep_house({epoch})"), "RF002",
            "the first one is told")
    for call in (f"add_job({epoch}, 'l', 'g', '', '', '', '{{}}', '{{}}', '', '')",
                 f"void_job({epoch}, 1, '')",
                 f"put_roster({epoch}, 8, 9, 1, '', '{{0}}', '{{x}}', "
                 "4096)",
                 f"add_verdicts({epoch}, '{{l}}', '{{1}}', '{{v}}', '{{0}}', "
                 "'{0}', ARRAY['h'::bytea], ARRAY['void'::bytea], "
                 "ARRAY[NULL::bytea])", f"check_epoch({epoch})"):
        refused(queue.run(f"SELECT referee.{call}"), "RF002", call)
    before = queue.epoch
    queue.run(f"UPDATE referee.house SET epoch = {epoch}")
    queue.epoch = arena.wait_for(
        lambda: queue.one("SELECT referee.take_house('three')"))
    refused(queue.run(f"SELECT referee.check_epoch({before})"), "RF002",
            "one that a restored database does not know is not given again")


CLAIMED = 30
CLAIMS = (f"DO $$ DECLARE t timestamptz; BEGIN FOR i IN 1..{CLAIMED} LOOP "
          "t := clock_timestamp(); PERFORM referee.claim('anna', 4, '', "
          f"'{RULES}', 60, (SELECT coalesce(array_agg(job), '{{}}') FROM "
          "referee.job WHERE state = 'claimed')); RAISE NOTICE 'took %', "
          "extract(epoch FROM clock_timestamp() - t) * 1000; END LOOP; END $$")


def claim_times(queue):
    """Returns the milliseconds of each of some claims."""
    done = queue.run(CLAIMS)
    if done.code != 0:
        raise RuntimeError(repr(done))
    return sorted(map(float, re.findall(r"took ([0-9.]+)", done.err)))


def fill(queue, n):
    queue.run("INSERT INTO referee.job (ladder, game, spec, sealed, commitment, "
              "bot, name, class, rules) SELECT 'cup', 'x' || i, "
              "repeat('s', 300)::bytea, 's', 'c', '{a,b}', '{a,b}', "
              "CASE WHEN i < %d THEN 'rare' ELSE '' END, "
              "CASE i %% 2 WHEN 0 THEN 'toepen/1' ELSE 'durnius/2' END "
              "FROM generate_series(1, %d) i"
              % (n // 2, n))


def entries_read(queue, text, index="job_waits", user="postgres"):
    """Returns how many entries this transaction has read of an index, or of all
    job indexes whose names match."""
    return int(queue.fresh(
        f"{text}; SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid)) FROM "
        f"pg_stat_user_indexes WHERE indexrelname LIKE '{index}'", user)[-1][0])


def test_locked(queue):
    """Tests that a claim does not wait for a locked job: two claims would wait
    for each other."""
    job = queue.add("locked")
    tap.equal(queue.claim("anna"), [(job, "1")], "a job")
    holds = queue.session()
    holds.ask(f"BEGIN; SELECT FROM referee.job WHERE job = {job} FOR UPDATE")
    done = queue.run("SET lock_timeout = 60000; SELECT job FROM referee.claim("
                     f"'anna', 1, '', '{RULES}', 600, '{{}}')", "anna")
    tap.equal((done.code, done.out.strip()), (0, ""),
              "a claim passes over what another one is losing")
    holds.ask("COMMIT")
    holds.close()
    tap.equal(queue.claim("anna"), [(job, "1")], "and tells it the next time")
    queue.clear()


def test_damaged(queue):
    """Tests that a job whose row is damaged is parked, repaired and played
    again."""
    job = queue.add("damaged")
    queue.claim("anna")
    queue.report("anna", job, 1)
    queue.run(f"SELECT referee.park_job({queue.epoch}, {job}, 'damaged')")
    tap.referee("queue", "retry", job, "--queue", queue.conninfo)
    queue.claim("ben")
    queue.report("ben", job, 2)
    tap.equal([row for row in queue.results() if row[0] == job],
              [[job, "2", "ben"]], "one result may count")
    queue.run(f"SELECT referee.refuse({queue.epoch}, {job}, 2, 'no', false)")
    tap.equal([row for row in queue.results() if row[0] == job],
              [[job, "1", "anna"]], "the one before it is kept beside it")
    queue.decide(job, 1, 40, "damaged")


def test_over(queue, n=10000):
    """Tests many finished jobs."""
    queue.run("INSERT INTO referee.job (ladder, game, spec, sealed, commitment, "
              "bot, name, rules, state) SELECT 'cup', 'over' || i, '', '', '', "
              f"'{{h}}', '{{}}', 'toepen/1', 'done' "
              f"FROM generate_series(1, {n}) i")
    queue.run("VACUUM ANALYZE referee.job")
    read = queue.fresh("INSERT INTO referee.unbuilt VALUES ('h', 'anna', ''), "
              "('h', 'ben', ''); SELECT referee.park_unbuilt(); "
              f"SELECT referee.set_classes({queue.epoch}, '{{cup}}', '{{big}}', "
              "9); DELETE FROM referee.unbuilt; SELECT 'all', "
              "seq_tup_read FROM pg_stat_xact_user_tables "
              "WHERE schemaname = 'referee' AND relname = 'job'")
    tap.equal(read[-1], ["all", "0"],
              "which nothing looks at that asks for those that wait")
    queue.sweep("over%")


def test_many_late(queue, n=500):
    """Tests a worker that dies with many jobs."""
    queue.run("INSERT INTO referee.job (ladder, game, spec, sealed, commitment, "
              "bot, name, rules) SELECT 'cup', 'many' || i, '', '', '', '{}', "
              f"'{{}}', 'toepen/1' FROM generate_series(1, {n}) i")
    queue.run("VACUUM ANALYZE referee.job")
    tap.equal(len(queue.claim("ben", n)), n, f"a worker has {n} jobs")
    queue.run("UPDATE referee.job SET lease_until = now() - interval '1 s' "
              "WHERE state = 'claimed'")
    read = entries_read(queue, f"SELECT referee.expire({n})", "job_%")
    tap.equal(queue.one("SELECT count(*) FROM referee.job WHERE game LIKE "
                        "'many%' AND state = 'waiting'"), str(n),
              "which are lost with it")
    tap.ok(0 < read < 20 * n, "each without a look at all others", read)
    queue.sweep("many%")


def test_speed(queue):
    """Tests the speed as the owner of the functions, who is the worker of that
    name here."""
    n = 1_000_000 if LONG else 5_000
    fill(queue, n)
    # PostgreSQL makes a session's first plans for the given values.
    read = entries_read(queue, "SELECT referee.claim('ben', 4, '', "
                        f"'{RULES}', 600, '{{}}')", user="ben")
    tap.ok(0 < read < 1000,
           "the first claim of a session does not read all that wait", read)
    queue.run("UPDATE referee.worker SET role = 'postgres'")
    if LONG:
        took = claim_times(queue)
        tap.note(f"{n} jobs wait: a claim takes {took[len(took) // 2]:.2f} ms, "
                 f"{took[-1]:.2f} ms at most")
    read = entries_read(queue, CLAIMS)
    tap.ok(0 < read < CLAIMED * 1000, "nor do later ones", read)
    queue.run("UPDATE referee.worker SET role = worker")
    # Changing a million rows takes too long for a test.
    queue.run("TRUNCATE referee.job CASCADE")


def test_crowd(queue, folder):
    """Tests that of eight claims at once no two get the same job."""
    names = [f"crowd{i}" for i in range(8)]
    for name in names:
        queue.cluster.role(name, "LOGIN IN ROLE referee_worker")
        queue.enlist(name)
    queue.clear()
    queue.run("INSERT INTO referee.job (ladder, game, spec, sealed, commitment, "
              "bot, name, rules) SELECT 'cup', 'y' || i, '', '', '', '{}', "
              "'{}', 'toepen/1' FROM generate_series(1, 400) i")
    found, lock = [], threading.Lock()

    def claims(name):
        mine = folder / f"{name}.sql"
        # The worker names the jobs that it holds, so each answer is new.
        mine.write_text(
            "SELECT coalesce(array_agg(job), '{}') AS known FROM (SELECT "
            "NULL::bigint AS job WHERE false) n \\gset\n" + "".join(
                # Each claim bounds the next one, which waits for seven others.
                "SET statement_timeout = 0;\n"
                "SELECT coalesce(array_agg(job), '{}') AS got FROM "
                f"referee.claim('{name}', 7, '', '{RULES}', 600, :'known') "
                "\\gset\n\\echo :got\n"
                "SELECT (:'known'::bigint[] || :'got'::bigint[]) AS known "
                "\\gset\n" for _ in range(12)))
        done = queue.cluster.psql(None, queue.name, name, mine)
        with lock:
            found.extend(re.findall(r"\d+", done.out))
            if done.code != 0:
                tap.note(done)

    threads = [threading.Thread(target=claims, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tap.equal((len(found), len(set(found))), (400, 400),
              "eight workers claim 400 jobs, each once")
    tap.equal(queue.rows("SELECT DISTINCT attempt FROM referee.job WHERE game "
                         "LIKE 'y%'"), [["1"]], "all by their first attempt")


with postgres.shared() as here, tap.folder() as scratch:
    for who in "anna", "ben":
        here.role(who, "LOGIN IN ROLE referee_worker")
    one = Queue(here, "queue")
    test_order(one)
    test_classes(one)
    test_suspended(one)
    played = test_beats(one)
    test_late(one, played)
    test_verdicts(one, played)
    test_refused(one)
    test_losses(one)
    test_suspects(one)
    test_locked(one)
    test_damaged(one)
    test_over(one)
    test_many_late(one)
    if LONG:
        test_long(one)
    test_entropy(one)
    test_sweep(one)
    test_unbuilt(one)
    test_rights(one)
    test_sizes(one)
    test_too_much(one)
    test_two_workers(one)
    test_to_blame(one)
    test_one_login(one)
    test_blocked(one)
    test_stalled(one)
    test_no_right(one)
    test_open_transaction(one)
    test_shadows(one)
    test_house(one)
    test_speed(one)
    test_crowd(one, pathlib.Path(scratch))
    tap.ok("PANIC" not in here.log.read_text("utf-8", "replace"),
           "the database is well")
tap.done()
