#!/usr/bin/env python3
"""End-to-end because the daemon, its workers and the database die as processes do.

Tests a daemon and two workers with a queue.  First the network loses answers of
statements that were committed, while the clock of one worker is an hour off, and
jumps: nothing happens twice, nothing is lost.  Then all of them are killed: each
game is rated once, and the ladder follows from its records alone.  A wrong result is
refused; a lost ladder is made again from the database.

The long form kills more often, and loses 20 answers of each statement."""

import json
import os
import re
import shutil
import signal
import subprocess

import arena
import daemon
import html_page
import local_bots
import postgres
import tap
import web

if postgres.missing():
    tap.skip_all(postgres.missing())
LONG = bool(os.environ.get("CHECK_ALL"))
KILLS = int(os.environ.get("QUEUE_KILLS", "30" if LONG else "3"))
# The answers that are lost of each statement of the daemon and of the workers, which
# wait up to 5 s before they connect again.
LOST = 20 if LONG else 2
DAEMON = "add_job", "add_verdicts"
WORKER = "claim", "report", "give_entropy"
WAIT_S = 600
LADDER = "toepen"
AT_ONCE = 4
# Games are counted here, and moves are not.
SHORT = 'options = { "points=2" }'
# A bot gives entropy and takes its time before each game: without end, games take the
# processors from what is tested.  It plays the first move.
BOT = """#!/bin/sh
read -r line
echo "bot 1 {name}"
echo "{name} 1 sits down" >&2
while read -r line; do
\tset -- $line
\tcase $1 in
\tentropy\\?) echo "entropy 0011223344556677"
\t\tsleep 2 ;; # luck: this only bounds how many games are played
\task) echo "do $2 $4" ;;
\tbye) exit 0 ;;
\tesac
done
"""


class Worker:
    """Runs one `referee worker`, and starts it again under its name."""

    def __init__(self, place, name):
        self.place, self.name, self.process, self.lives = place, name, None, 0

    def start(self):
        self.lives += 1
        place = self.place
        with open(place.serve.root / f"{self.name}-{self.lives}.log",
                  "wb") as log:
            self.process = subprocess.Popen(
                [tap.REFEREE, "worker", "--queue",
                 place.network["worker"].conninfo("queue"), "--key",
                 place.key, "--name", self.name, "--jobs", "2", "--data",
                 place.serve.root / self.name],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=place.environs[self.name])

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(WAIT_S)

    def text(self):
        return "".join(
            path.read_text("latin-1") for path in
            sorted(self.place.serve.root.glob(f"{self.name}-*.log")))


class Place:
    """Runs the database, the daemon and the workers.  Its networks can lose answers."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.where = cluster.create("queue")
        self.serve = daemon.Daemon("")
        self.key = self.serve.root / "queue.key"
        for words in (("init", "--queue", self.where), ("key", self.key)):
            done = tap.referee("queue", *words)
            tap.equal(done.code, 0, f"queue {words[0]}")
        self.network = {
            who: postgres.Losing(cluster, [f"referee.{word}(" for word in words],
                                 0.5, who)
            for who, words in (("daemon", DAEMON), ("worker", WORKER))}
        # There is one second to give entropy.
        slow = daemon.slow_workers(self.serve.root)
        self.environs = {"one": slow and dict(
            slow, WRONG_DATE=str(self.serve.root / "wrong")), "two": slow}
        self.hours = 1
        self.jump()
        self.configure(self.serve, "no")
        self.workers = [Worker(self, "one"), Worker(self, "two")]

    def configure(self, serve, standby, more=""):
        serve.configure(
            f'queue = "{self.network["daemon"].conninfo("queue")}"\n'
            f'queue-key = "{self.key}"\nstandby = {standby}\n'
            "local-bots { games = 16 at-once = 16 }\n"
            f'ladder "{LADDER}" {{ game = toepen seats = 2 {SHORT} '
            f"at-once = {AT_ONCE} {more}}}\n"
            "limits { stop-time = 1000 }\n" + daemon.LISTENERS)

    def jump(self):
        """Sets the date of the first worker an hour ahead, or behind."""
        self.hours = -self.hours
        new = self.serve.root / "wrong.new"
        new.write_text(str(3600 * self.hours), "ascii")
        new.rename(self.serve.root / "wrong")

    def sql(self, text):
        return self.cluster.sql(text, dbname="queue")

    def number(self, text):
        return int(self.sql(text)[0][0])

    def verdicts(self):
        return self.number("SELECT count(*) FROM referee.verdict")

    def left(self, states="'waiting', 'claimed', 'reported', 'parked'"):
        return self.number("SELECT count(*) FROM referee.job "
                           f"WHERE state IN ({states})")

    def comes(self, what):
        """Waits until what() is true.  A job that was lost twice is parked, and takes
        the place of another one until it is tried again."""
        def come():
            for row in self.sql("SELECT job FROM referee.job WHERE state = 'parked' "
                                "AND commitment <> ''"):
                tap.referee("queue", "retry", row[0], "--queue", self.where)
            return what()
        return arena.wait_for(come, WAIT_S)

    def grows(self, more):
        """Waits for this many more games."""
        want = self.verdicts() + more
        return self.comes(lambda: self.verdicts() >= want)

    def tell(self):
        """Returns what a failed test prints."""
        return "\n".join([str(self.sql("SELECT job, state, attempt, losses, "
                                       "worker, why FROM referee.job "
                                       "WHERE state <> 'done'")),
                          self.serve.text()[-4000:],
                          self.workers[0].text()[-2000:],
                          self.workers[1].text()[-2000:]])


def classes(place):
    """Tests a change of the class of workers that a ladder asks for, before
    there are workers."""
    serve = place.serve

    def waiting():
        return place.sql("SELECT DISTINCT class FROM referee.job "
                         "WHERE state = 'waiting'")
    place.configure(serve, "no", "class = fast ")
    # A database is upgraded before its daemon.
    place.sql("UPDATE referee.house SET version = version + 1")
    serve.start()
    place.sql("UPDATE referee.house SET version = version - 1")
    tap.ok(arena.wait_for(lambda: waiting() == [["fast"]]),
           "jobs ask for the class of their ladder", place.tell())
    place.configure(serve, "no")
    tap.ok(serve.reload(), "the ladder asks for none any more", serve.text())
    tap.ok(arena.wait_for(lambda: waiting() == [[""]]),
           "nor do the jobs that wait", place.tell())


# Counts the waiting jobs whose bots are not all there.
LACKING = ("SELECT count(*) FROM referee.job j WHERE state = 'waiting' AND EXISTS "
           "(SELECT FROM unnest(j.bot) AS h WHERE h NOT IN "
           "(SELECT hash FROM referee.bot))")


def bots_go(place):
    """Tests that a job enters the database only when its bots are there: a database
    that has lost them gets them again, and the games of a bot that cannot be sent are
    parked."""
    serve = place.serve

    def jobs(*names):
        return place.number("SELECT count(*) FROM referee.job WHERE state = "
                            f"'waiting' AND name @> ARRAY{list(names)}")
    tap.equal(place.number(LACKING), 0, "bots of the jobs that wait are there")
    local_bots.add(serve, local_bots.folder(serve.root, "cat"))
    # The bot was built by a referee that did not keep its source.  The daemon keeps
    # running, because a bot that was changed before a start does not play.
    manifest = next(path for path in serve.data.glob("bots/*/bot/bot.conf")
                    if 'name = "cat"' in path.read_text("ascii"))
    (manifest.parent / "built").write_text("by an earlier one", "ascii")
    tap.equal(local_bots.bots(serve, "disable", "ben").code, 0, "two bots are left")
    # No running game has the third bot now.
    place.sql("UPDATE referee.job SET state = 'void'; DELETE FROM referee.bot")
    tap.ok(arena.wait_for(lambda: any(
        "built by an earlier referee" in line for line in serve.log("game-parked")),
        WAIT_S), "a game of one that cannot come is parked", serve.text())
    tap.ok(any("bot=cat" in line for line in serve.log("bot-not-copied")),
           "the log tells of that bot, too", serve.log("bot-not-copied"))
    for what, name in ("enable", "ben"), ("disable", "cat"):
        tap.equal(local_bots.bots(serve, what, name).code, 0, f"{what} {name}")
    tap.ok(arena.wait_for(lambda: jobs("ann", "ben") > 0, WAIT_S),
           "games of those that came again are played", serve.text())
    tap.equal((jobs("cat"), place.number(LACKING)), (0, 0),
              "no job waits for a bot that is not there")


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


def looks(place):
    """Checks what people see of the queue while nothing is played: jobs wait,
    one is parked."""
    serve = place.serve
    job, game = place.sql("SELECT job, game FROM referee.job WHERE state = "
                          "'waiting' ORDER BY job LIMIT 1")[0]
    long = place.sql(
        "INSERT INTO referee.job (ladder, game, spec, sealed, commitment, bot, "
        "name, rules, state, losses) VALUES (repeat('l', 32), 'other', '', '', "
        "'', '{}', array_fill(repeat('n', 32), ARRAY[8]), '', 'parked', 2) "
        "RETURNING job")[0][0]
    done = tap.referee("queue", "park", job, "--queue", place.where, "--why",
                       "<b>secret</b> of host7")
    tap.equal(done.code, 0, "a job is parked by hand")

    def text(path):
        return serve.get(path).text

    tap.ok(arena.wait_for(lambda: "waits for the organiser" in text("/queue")),
           "the page of the queue tells", text("/queue"))
    pages = {path: html_page.Page(text(path))
             for path in ("/", "/queue", "/bots/ann", "/live")}
    tap.equal([page.wrong for page in pages.values()], [[]] * 4, "sound pages")
    tap.equal(pages["/queue"].column("job"), [job, long],
              "which ones are parked")
    tap.equal(pages["/queue"].column("why"),
              ["it waits for the organiser",
               "the machines that played it were lost"], "and why")
    tap.ok("./queue" in pages["/"].links, "the first page leads there",
           pages["/"].links)
    tap.ok(f"(job {job})" in pages["/bots/ann"].text,
           "the page of its bot tells of it, too", pages["/bots/ann"].text)
    tap.ok("for other machines (" in pages["/live"].text and
           "No table that can be watched" in pages["/live"].text,
           "what is played elsewhere cannot be watched", pages["/live"].text)
    public = json_lines(text("/api/1/queue"))
    told = json_lines(tap.referee("queue", "show", "--json", "--queue",
                                  place.where).out)
    tap.equal((set(told[0]) - set(public[0]), set(public[0]) - set(told[0])),
              ({"holder", "key"}, set()), "the figures for all, but for hosts")
    mine = next(one for one in told if one["type"] == "job")
    tap.equal(mine.pop("why"), "<b>secret</b> of host7", "an operator reads why")
    tap.equal(public[1:], [mine, next(one for one in told if one.get("job") ==
                                      int(long))],
              "all read the rest, in the same shape")
    seen = [text(path) for path in ("/", "/queue", "/bots/ann", "/live",
                                    "/api/1/queue")]

    def log():
        return tap.referee("bots", "log", "ann", "--data", serve.data).out

    # The page reads the database; the log is written when the daemon has read it.
    tap.ok(arena.wait_for(lambda: game in log()) and
           "is parked and counts for no one" in log(),
           "its author reads it in the bot's log", f"{game}\n{log()}")
    secrets = ["secret", "host7", place.key.name, "port=", os.uname().nodename
               + " process"]
    tap.ok(not any(one in "".join(seen) + log() for one in secrets),
           "no reason of a machine and no host is told", secrets)
    running = json.loads(text(f"/api/1/ladders/{LADDER}/running"))["games"]
    tap.ok(running and all(one["elsewhere"] for one in running),
           "that these run elsewhere is told", running)
    for path in ("/games/", "/api/1/events?topic=game:"):
        answer = serve.get(path + running[0]["id"])
        tap.ok(answer.code == 403 and "another machine" in answer.text,
               f"{path} of one of them says so", answer.text)
    # It asks the database every five seconds.
    tap.ok(arena.wait_for(lambda: serve.metric("referee_queue_parked") == 2),
           "it is counted", text("/metrics"))
    tap.ok(serve.metric("referee_queue_up") == 1 and
           serve.metric("referee_queue_connects_total") ==
           len(serve.log("queue-up")) and
           serve.metric("referee_queue_waiting") > 0 and
           serve.metric("referee_queue_workers") == 0, "so is the rest",
           text("/metrics"))
    if not web.skip("the queue in a browser"):
        web.play("web-queue.mjs", {
            "base": f"http://127.0.0.1:{serve.port('pages')}",
            "bot": "/bots/ann", "pictures": os.environ.get("PICTURES")})
    place.sql(f"DELETE FROM referee.job WHERE job = {long}")
    done = tap.referee("queue", "retry", job, "--queue", place.where)
    tap.equal(done.code, 0, "it may be played after all")


def rated(place):
    """Checks what people see of the queue after games."""
    metrics = dict(line.rpartition(" ")[::2] for line in
                   place.serve.get("/metrics").text.splitlines())
    count, every, total = (
        float(metrics[f"referee_queue_lag_seconds_{what}"])
        for what in ("count", 'bucket{le="+Inf"}', "sum"))
    tap.ok(count == every > 0 and total > 0,
           "how long results wait for their verdicts is counted", count)

    def told():
        return json_lines(place.serve.get("/api/1/queue").text)[0]
    tap.ok(arena.wait_for(lambda: told()["recent"] > 0 and
                          told()["lag_worst_s"] >= told()["lag_median_s"] > 0),
           "and told, with the pace", told())
    # A page rests for a moment.
    tap.ok(arena.wait_for(lambda: "games a second" in
                          place.serve.get("/queue").text), "on the page, too")
    workers = json_lines(tap.referee("queue", "workers", "--json", "--queue",
                                     place.where).out)
    tap.ok(sum(one["hour"] for one in workers) > 0,
           "and what each worker has reported", workers)

    def log():
        return tap.referee("bots", "log", "ann", "--data", place.serve.data).out
    tap.ok(arena.wait_for(lambda: re.search(
        r"Game .*\nStandard error:\nann 1 sits down\n", log())),
           "an author reads what a bot without a fault has written",
           log()[-2000:])


# A loaded machine may stop a worker for longer than its lease.
LENGTHEN = """
CREATE FUNCTION public.lengthen() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.lease_until := NEW.lease_until + interval '1 hour';
    RETURN NEW;
END $$;
CREATE TRIGGER lengthen BEFORE UPDATE OF lease_until ON referee.job
    FOR EACH ROW EXECUTE FUNCTION public.lengthen()"""
AS_BEFORE = ("DROP TRIGGER lengthen ON referee.job; "
             "UPDATE referee.job SET lease_until = lease_until - interval '1 hour'")


def answers(place):
    """Tests lost answers of committed statements.  Leases are long until then."""
    left = [proxy.left for proxy in place.network.values()]
    for proxy in place.network.values():
        with proxy.lock:
            for word in proxy.left:
                proxy.left[word] = LOST
    by_wrong_date = "SELECT count(*) FROM referee.result WHERE worker = 'one'"

    def all_lost():
        place.jump()
        return not any(n for words in left for n in words.values()) and \
            place.number(by_wrong_date)
    tap.ok(arena.wait_for(all_lost, WAIT_S), "answers of each statement are lost",
           (left, place.tell()))
    tap.ok(all(n > 0 for proxy in place.network.values()
               for n in proxy.lost.values()), "after they were committed",
           [proxy.lost for proxy in place.network.values()])
    last = place.number("SELECT max(job) FROM referee.job")
    tap.ok(arena.wait_for(lambda: not place.number(
        f"SELECT count(*) FROM referee.job WHERE job <= {last} AND state NOT IN "
        "('done', 'void')"), WAIT_S), "all games end", place.tell())
    tap.equal(place.sql("SELECT job, count(*) FROM referee.result GROUP BY job "
                        "HAVING count(*) > 1"), [], "no job has two results")
    tap.equal(place.number("SELECT sum(losses) FROM referee.job"), 0,
              "no game was lost")
    place.sql(AS_BEFORE)
    tap.equal(place.number("SELECT count(*) FROM referee.job WHERE state = 'done' "
                           "AND coalesce(entropy, '') = ''"), 0,
              "each game that was played has the entropy of its bots")
    if tap.skip("a wrong date", None if place.environs["one"] else "no C compiler"):
        return
    # A date is rounded down to a whole second.
    rows = place.sql(
        "SELECT substring(convert_from(v.record, 'UTF8') FROM "
        "E'\\nended (\\\\S+)'), to_char(r.made AT TIME ZONE 'UTC', "
        "'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') "
        "FROM referee.verdict v JOIN referee.result r "
        "ON (r.job, r.attempt) = (v.job, v.attempt)")
    tap.equal([row for row in rows if row[0] != row[1]], [],
              "games end when the database got their results")


def kills(place):
    dice = tap.dice("kills")
    for i in range(KILLS):
        who = ([*place.workers, place.serve])[i % 3]
        who.kill()
        if dice.random() < 0.5 and who is not place.serve:
            place.grows(1)
        who.start()
        grown = place.grows(1)
        if not grown:
            tap.ok(False, "games go on after a kill", place.tell())
            return
    tap.ok(True, f"games go on after each of {KILLS} kills")
    place.cluster.kill()
    place.cluster.start()
    tap.ok(place.grows(1), "and after all of the database was killed",
           place.tell())


def takes_over(place):
    """Tests that a second daemon waits for the end of the first one."""
    with daemon.Daemon("") as second:
        place.configure(second, "yes")
        second.launch()
        tap.ok(second.wait_for_log("standby-follows", seconds=WAIT_S),
               "a standby waits",
               second.text())
        place.serve.kill()
        tap.ok(second.wait_for_log("ladder-open", seconds=WAIT_S) and
               place.grows(1),
               "and takes over", second.text())
        tap.equal(second.stop(), 0, "until it is stopped")
        place.serve.start()
        tap.ok(place.grows(1), "and the first one is back", place.tell())


def ends(place):
    """Lets no more games begin, and all running games end."""
    for name in "ann", "ben":
        tap.equal(local_bots.bots(place.serve, "disable", name).code, 0,
                  f"{name} plays no more")

    tap.ok(place.comes(lambda: place.left() == 0), "no job is left over",
           place.tell())


def checks(place):
    serve = place.serve
    rows = place.sql("SELECT serial, game, job FROM referee.verdict "
                     "ORDER BY serial")
    tap.equal([int(row[0]) for row in rows],
              list(range(1, len(rows) + 1)), "serials without a hole")
    tap.equal(sorted(int(row[2]) for row in rows),
              [int(row[0]) for row in place.sql(
                  "SELECT job FROM referee.job WHERE state = 'done' "
                  "ORDER BY job")],
              "each job was rated once")
    told = {match for line in serve.log("game-over")
            for match in re.findall(r"game=(\w+)", line)}
    tap.ok(told <= {row[1] for row in rows},
           "no game is told that the database does not have")
    tap.equal([place.number("SELECT count(*) FROM referee.result r "
                            "WHERE r.state = 'refused'")], [0],
              "no honest result was refused")


def shown(place, ladder):
    done = tap.referee("ladder", "show", "--ladder", ladder, "--json")
    rows = [json.loads(line) for line in done.out.splitlines()]
    for row in rows:
        # The roster has the mark, and takes the rank of a bot that it disables.
        for key in "mark", "rank", "best", "worst":
            row.pop(key, None)
    return rows


def same_alone(place):
    """Tests that the ladder follows from its records alone."""
    folder = place.serve.data / "ladders" / LADDER
    alone = place.serve.root / "alone.db"
    done = tap.referee("ladder", "rebuild", "--ladder", folder / "ladder.db")
    tap.ok(done.code == 0 and "nothing differs" in done.out,
           "a rebuild comes to the same", done)
    done = tap.referee("ladder", "rebuild", "--ladder", alone, "--records",
                       folder / "records")
    tap.equal(done.code, 0, "the records alone make a ladder")
    standings = shown(place, folder / "ladder.db")
    tap.equal(shown(place, alone), standings, "with the same ratings")
    tap.equal(sum(row["games"] for row in standings),
              2 * place.verdicts(), "of all games")


def lost(place):
    """Tests a ladder whose folder is lost."""
    folder = place.serve.data / "ladders" / LADDER
    before = shown(place, folder / "ladder.db")
    shutil.rmtree(folder)
    place.serve.start()
    tap.equal(place.serve.stop(), 0, "the daemon starts without its folder")
    tap.equal(shown(place, folder / "ladder.db"), before,
              "the ladder was made from the database")
    done = tap.referee("ladder", "rebuild", "--ladder", folder / "ladder.db")
    tap.ok(done.code == 0 and "nothing differs" in done.out,
           "to the last digit", done)


SPOIL = """
CREATE TABLE public.spoilt (job bigint);
CREATE FUNCTION public.spoil() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
AS $$ BEGIN
    IF NEW.job > {last} AND NOT EXISTS (SELECT FROM public.spoilt) THEN
        INSERT INTO public.spoilt VALUES (NEW.job);
        NEW.body := 'x';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER spoil BEFORE INSERT ON referee.result
    FOR EACH ROW EXECUTE FUNCTION public.spoil()"""


def waits_on(place):
    """Tests that the game of a refused result stays the same game."""
    serve = place.serve
    before = len(serve.log("result-refused"))
    # Older jobs may be of the daemon that was killed; this one adopts them.
    last = place.number("SELECT max(job) FROM referee.job")
    place.sql(SPOIL.format(last=last))
    tap.ok(arena.wait_for(lambda: len(serve.log("result-refused")) > before,
                          WAIT_S), "a result is refused while its daemon lives",
           place.tell())
    place.sql("DROP TRIGGER spoil ON referee.result")
    game = place.sql("SELECT j.game FROM referee.job j JOIN public.spoilt s "
                     "ON s.job = j.job")[0][0]
    for worker in place.workers:
        tap.referee("queue", "admit", "--queue", place.where, worker.name)
        worker.kill()
        worker.start()
    tap.ok(place.comes(lambda: place.number(
        f"SELECT count(*) FROM referee.verdict WHERE game = '{game}'") == 1),
           "its game is played again", place.tell())
    tap.ok(game not in "".join(serve.log("game-adopted")),
           "and is no second one for the daemon", serve.log("game-adopted"))


def stall(place):
    """Opens a session of a worker's login that leaves its transaction open."""
    place.cluster.role("carl", "LOGIN IN ROLE referee_worker")
    holds = place.cluster.session("queue", "carl")
    holds.ask("BEGIN; SELECT 1")
    return holds


def stalled(place, holds):
    serve = place.serve
    tap.ok(serve.wait_for_log("queue-stalled", seconds=WAIT_S) and
           "the login carl" in serve.log("queue-stalled")[0],
           "the daemon names a session that holds a transaction", place.tell())
    tap.ok(holds.ask("SELECT 1")[0] == [], "and has ended it")
    holds.close()


def elsewhere(place):
    """Tests that results that this daemon cannot use do not block others."""
    rules = place.sql("SELECT max(rules) FROM referee.job")[0][0]
    for ladder, game, count in ("elsewhere", "e", 4200), (LADDER, "d", 1):
        place.sql(
            "INSERT INTO referee.job (ladder, game, spec, sealed, commitment, "
            "bot, name, rules, state, made) SELECT "
            f"'{ladder}', '{game}' || i, '', '', '', '{{}}', '{{}}', "
            f"'{rules}', 'reported', now() - interval '1 hour' "
            f"FROM generate_series(1, {count}) i; "
            "INSERT INTO referee.result (job, attempt, worker, body, state, "
            "made) SELECT job, 1, 'one', 'x', 'new', made FROM referee.job j "
            "WHERE commitment = '' AND NOT EXISTS (SELECT FROM "
            "referee.result r WHERE r.job = j.job)")
    tap.ok(place.grows(1), "games are rated beside results of other ladders",
           place.tell())
    tap.ok(arena.wait_for(lambda: "damaged" in place.sql(
        "SELECT concat(state, why) FROM referee.job WHERE game = 'd1'")[0][0],
        WAIT_S), "a job that cannot be read is parked", place.tell())
    place.sql("DELETE FROM referee.job WHERE commitment = ''")


def lies(place):
    """Tests that the daemon does not believe another machine's report."""
    serve, worker = place.serve, place.workers[0]
    serve.kill()
    tap.ok(arena.wait_for(lambda: place.number(
        "SELECT count(*) FROM referee.result WHERE state = 'new'") > 1,
        WAIT_S), "results wait for a daemon", place.tell())
    changed = place.sql(
        "UPDATE referee.result r SET body = overlay(body PLACING 'x' FROM "
        "position(convert_to(j.game, 'UTF8') IN body)), worker = 'one' "
        "FROM referee.job j WHERE j.job = r.job AND r.state = 'new' "
        "AND r.job = (SELECT min(job) FROM referee.result "
        "WHERE state = 'new') RETURNING j.game")
    # This job has another version, as from a newer daemon.
    other, rules = place.sql(
        "UPDATE referee.job j SET rules = 'toepen/999/1' FROM (SELECT job, "
        "rules FROM referee.job WHERE job = (SELECT max(job) FROM "
        "referee.result WHERE state = 'new')) o WHERE j.job = o.job "
        "RETURNING j.job, o.rules")[0]
    holds = place.cluster.session("queue")
    holds.ask("BEGIN; SELECT FROM referee.worker WHERE worker = 'one' FOR UPDATE")
    serve.start()
    tap.ok(arena.wait_for(lambda: place.number(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
        "AND datname = current_database() AND query LIKE '%referee.refuse(%'")
        > 0, WAIT_S), "the database is asked to refuse one", place.tell())
    tap.equal(serve.log("result-refused"), [], "which is not told before it has")
    holds.close()
    tap.ok(serve.wait_for_log("result-refused", seconds=WAIT_S),
           "one that was changed is refused", place.tell())
    tap.ok(changed[0][0] in "".join(serve.log("result-refused")),
           "it alone", serve.log("result-refused"))
    tap.equal(place.sql("SELECT worker FROM referee.worker WHERE suspended"),
              [["one"]], "its worker is suspended")
    tap.ok(arena.wait_for(lambda: "worker=one why=\"job " in "".join(
        serve.log("queue-suspended")), WAIT_S), "which the daemon tells",
        serve.log("queue-suspended"))
    tap.equal(worker.process.wait(WAIT_S), 1, "and ends by itself")
    place.sql("UPDATE referee.result SET state = 'late' "
              "WHERE state = 'refused'")
    done = tap.referee("queue", "admit", "--queue", place.where, "one")
    tap.equal(done.code, 0, "until it is admitted again")
    worker.kill()
    worker.start()
    tap.ok(place.comes(lambda: place.number(
        "SELECT count(*) FROM referee.verdict "
        f"WHERE game = '{changed[0][0]}'") == 1),
        "the game is played again", place.tell())
    tap.equal(place.sql("SELECT j.state, r.state FROM referee.job j JOIN "
                        "referee.result r ON r.job = j.job "
                        f"WHERE j.job = {other}"), [["reported", "new"]],
              "what this daemon cannot read waits, and no one is suspended")
    place.sql(f"UPDATE referee.job SET rules = '{rules}' WHERE job = {other}")
    tap.ok(arena.wait_for(lambda: place.sql(
        f"SELECT state FROM referee.job WHERE job = {other}") == [["done"]],
        WAIT_S), "until one can", place.tell())


def left_over(place):
    """Tests that a restarted daemon knows the games that it left."""
    for worker in place.workers:
        worker.kill()
    open_ones = "'waiting', 'claimed', 'reported'"
    tap.ok(place.comes(lambda: place.left(open_ones) >= AT_ONCE),
           "games wait", place.tell())
    place.serve.kill()
    place.sql("UPDATE referee.job SET state = 'void' WHERE job = (SELECT "
              "min(job) FROM referee.job WHERE state IN ('waiting', "
              "'claimed'))")
    last = place.number("SELECT max(job) FROM referee.job")
    place.serve.start()
    tap.ok(arena.wait_for(lambda: place.number(
        "SELECT max(job) FROM referee.job") > last, WAIT_S),
        "there is room for one", place.tell())
    for worker in place.workers:
        worker.start()
    place.grows(1)
    tap.ok(place.left(open_ones) <= AT_ONCE, "no more games are open after it "
           "was started again", place.tell())


def main():
    with postgres.Cluster() as cluster:
        place = Place(cluster)
        with place.serve as serve:
            for name in "ann", "ben":
                local_bots.add(serve, local_bots.folder(
                    serve.root, name, more="entropy = yes\n",
                    **{"bot.sh": BOT.format(name=name)}))
            try:
                classes(place)
                bots_go(place)
                # The daemon ends it after ten seconds, beside other tests.
                holds = stall(place)
                looks(place)
                place.sql(LENGTHEN)
                for worker in place.workers:
                    worker.start()
                answers(place)
                stalled(place, holds)
                kills(place)
                rated(place)
                waits_on(place)
                elsewhere(place)
                lies(place)
                left_over(place)
                takes_over(place)
                ends(place)
                for worker in place.workers:
                    tap.equal(worker.stop(), 0, f"worker {worker.name} stops")
                tap.equal(serve.stop(), 0, "the daemon stops")
                checks(place)
                same_alone(place)
                lost(place)
                left = {}

                def gone():
                    left.clear()
                    left.update(serve.processes())
                    return not left
                tap.ok(arena.wait_for(gone), "no process is left", left)
            finally:
                for worker in place.workers:
                    worker.kill()
    tap.done()


main()
