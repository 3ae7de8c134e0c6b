#!/usr/bin/env python3
"""End-to-end because libpq, a server and the network between them fail as they do.

Tests the connection to PostgreSQL: every request gets one answer, in order,
which correctly says if it has happened, also when the server or the network
fails."""

import contextlib
import os
import pathlib
import signal
import socket
import ssl

import arena
import pg_talk
import postgres
import tap

if postgres.missing():
    tap.skip_all(postgres.missing())
if pg_talk.missing():
    tap.skip_all(pg_talk.missing())
WAIT_S = 300


def test_values(talk):
    parameters = ("SELECT ARRAY[$1::text, $2::text, $3, encode($4, 'hex'), "
                  "coalesce($5, '-'), $6::text, array_to_string($7, '.', '~'), "
                  "$8::text]")
    tap.equal(talk.ask(f"a {parameters}"),
              "a done 1 list of 8 -5 0.25 wörter? 0001ff - "
              "{-1,9223372036854775807} one.~.thr?ee {\"\\\\x0078\",NULL}",
              "parameters of each type; what is no UTF-8 is legible")
    for name, sql, shown in (
            ("b", "SELECT (-3)::int2", "number -3"),
            ("c", "SELECT (-70000)::int4", "number -70000"),
            ("d", "SELECT (-9223372036854775808)::int8", "number "
             "-9223372036854775808"),
            ("e", "SELECT true", "number 1"),
            ("f", "SELECT 0.125::float8", "real 0.125"),
            ("g", "SELECT ''", "text "),
            ("h", "SELECT NULL::int8", "null"),
            ("i", r"SELECT '\x00ff'::bytea", "bytea 00 ff of 2"),
            ("j", "SELECT '{}'::text[]", "list of 0"),
            ("k", "SELECT '{a,NULL,b}'::text[]", "list of 3 a  b")):
        tap.equal(talk.ask(f"{name} {sql}"), f"{name} done 1 {shown}", sql)
    tap.equal(talk.ask("l SELECT 1 WHERE false"), "l done 0", "no rows")
    tap.equal(talk.ask("m SELECT 1/0"),
              "m refused 22012 the database says: division by zero",
              "what is refused")
    tap.equal(talk.ask("n SELECT current_setting('statement_timeout')"),
              "n done 1 text 5s", "a statement has its time")
    tap.equal(talk.ask("line o SELECT current_setting('statement_timeout')"),
              "o done 1 text 5s", "also without the loop")
    tap.equal(talk.ask("line p SELECT 1/0"),
              "p refused 22012 the database says: division by zero",
              "without the loop: what is refused")


def test_order(talk):
    """Tests the order of answers, also if some requests are refused: each is a
    transaction of its own."""
    talk.say("times q 500 INSERT INTO public.t VALUES (1) RETURNING 1")
    talk.say("r SELECT 1/0")
    talk.say("s INSERT INTO public.t VALUES (2) RETURNING 2")
    found = [talk.line() for _ in range(502)]
    tap.equal(found, [f"q.{i} done 1 number 1" for i in range(500)] +
              ["r refused 22012 the database says: division by zero",
               "s done 1 number 2"], "answers come in order")
    tap.equal(talk.ask("t SELECT count(*) FROM public.t"), "t done 1 number 501",
              "a request that is refused undoes no other")


def test_deferred(talk):
    """Tests a request that the commit refuses, after its result."""
    talk.ask("u CREATE TABLE public.d (i int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
    talk.ask("v INSERT INTO public.d VALUES (1)")
    tap.ok(talk.ask("w INSERT INTO public.d VALUES (1) RETURNING i").startswith(
        "w refused 23505 "), "what only the commit refuses is refused")
    tap.ok(talk.ask("line x INSERT INTO public.d VALUES (1) RETURNING i").startswith(
        "x refused 23505 "), "without the loop, too")


def test_passing(talk):
    """Tests that a request that the database cannot do now has not happened,
    and is sent again over the next connection."""
    for setting, sql, part in (
            ("default_transaction_read_only = on", "INSERT INTO public.t VALUES (9)",
             "25006 the database says: cannot execute INSERT"),
            ("statement_timeout = 50", "SELECT pg_sleep(60)",
             "57014 the database says: canceling statement")):
        talk.ask(f"p SET {setting}")
        tap.ok((said := talk.ask(f"q {sql}")).startswith(f"q unsent {part}"),
               f"{setting}: it is unsent", said)
        down = talk.until("down")[0]
        tap.ok("the database says: " in down and down.count("says") == 1,
               "the connection is given up, with the reason", down)
        tap.equal(talk.until("up")[0], "up", "for another one")
        tap.equal(talk.ask("r SELECT count(*) FROM public.t WHERE i = 9"),
                  "r done 1 number 0", "nothing has happened")
        talk.ask(f"line s SET {setting}")
        tap.ok((said := talk.ask(f"line t {sql}")).startswith(
            f"t unsent {part}"), f"without the loop: {setting}", said)
        tap.equal(talk.ask("line u INSERT INTO public.t VALUES (10)"), "u done 0",
                  "and the next one is asked a new connection")


def test_notices(cluster, talk):
    cluster.sql("NOTIFY news, 'hello'; NOTIFY olds, 'no'", "one")
    tap.equal(talk.until("notice")[0], "notice news hello", "a notice")


def test_restart(cluster, talk):
    for how in "fast", "immediate":
        talk.ask("x SET statement_timeout = 0")
        talk.say("y SELECT pg_sleep(3600)")
        backends = "SELECT 1 FROM pg_stat_activity WHERE query ~ 'pg_sleep' " \
            "AND pid <> pg_backend_pid() AND state = 'active'"
        arena.wait_for(lambda: cluster.sql(backends, "one"))
        cluster.stop(how)
        tap.ok(talk.until("y ")[0].startswith("y unknown the connection to the "
                                              "database was lost: "),
               f"{how}: what was asked is unknown")
        down = talk.until("down")[0]
        tap.ok(down.startswith("down ") and ";" not in down and "\t" not in down,
               f"{how}: one sentence", down)
        tap.ok(talk.ask("z SELECT 1").startswith("z unsent "),
               f"{how}: what is asked then is unsent")
        tap.ok((said := talk.ask("line z SELECT 1")).startswith(
            "z unsent cannot reach the database: "),
            f"{how}: without the loop, too", said)
        cluster.start()
        line, before = talk.until("up")
        tap.equal((line, before), ("up", []), f"{how}: it comes back, and was "
                  "told to be away once")
        tap.equal(talk.ask("A SELECT 7"), "A done 1 number 7",
                  f"{how}: it goes on")
        tap.equal(talk.ask("line A SELECT 7"), "A done 1 number 7",
                  f"{how}: without the loop, too, at once")
        cluster.sql("NOTIFY news, 'again'", "one")
        tap.equal(talk.until("notice")[0], "notice news again",
                  f"{how}: it listens again")


def has_row(cluster, number):
    return cluster.sql(f"SELECT count(*) FROM public.t WHERE i = {number}",
                       "one") == [["1"]]


def wait_for_row(cluster, number):
    tap.ok(arena.wait_for(lambda: has_row(cluster, number)),
           f"{number} is committed")


def test_network(cluster):
    with postgres.Proxy(cluster) as proxy:
        with pg_talk.Talk(proxy.conninfo("one")) as talk:
            tap.equal(talk.until("up")[0], "up", "over a network")
            # The answer is lost, but the request has happened.
            tap.equal(talk.ask("a INSERT INTO public.t VALUES (77)"), "a done 0",
                      "an insert")
            proxy.flows.clear()
            talk.say("b INSERT INTO public.t VALUES (78)")
            wait_for_row(cluster, 78)
            proxy.cut()
            proxy.flows.set()
            tap.ok(talk.until("b ")[0].startswith("b unknown "),
                   "a commit whose answer was lost")
            tap.equal(talk.until("up")[0], "up", "and it connects again")
            # The connection stays open, and nothing comes.
            proxy.flows.clear()
            talk.say("c INSERT INTO public.t VALUES (79)")
            wait_for_row(cluster, 79)
            talk.say("jump 30")
            tap.equal(talk.until("c ")[0],
                      "c unknown the connection to the database was lost: the "
                      "database does not answer", "a database that is silent")
            proxy.flows.set()
            tap.equal(talk.until("up")[0], "up", "is tried again")
            # A request is no sign that the database lives.
            proxy.flows.clear()
            talk.say("f INSERT INTO public.t VALUES (80)")
            wait_for_row(cluster, 80)
            most = 8  # it takes three: the limit is 20 seconds
            for more in range(most):
                talk.say("jump 9")
                talk.say(f"g{more} INSERT INTO public.t VALUES ({81 + more})")
                arena.wait_for(lambda row=81 + more: has_row(cluster, row)
                               or not talk.lines.empty())
                if not talk.lines.empty():
                    break
            said = talk.until("f ")[0]
            tap.ok(more < most - 1 and said == "f unknown the connection to the "
                   "database was lost: the database does not answer",
                   "a database that is silent while more is asked", (more, said))
            proxy.flows.set()
            tap.equal(talk.until("up")[0], "up", "is tried again, too")
            size = 4_000_000
            talk.ask("d SET statement_timeout = 0")
            tap.ok((said := talk.ask(f"e SELECT repeat('x', {size})::bytea"))
                   .endswith(f" of {size}"), "a large answer", said)


def test_found_while_sending(cluster):
    """Tests that libpq finds the connection broken while we ask: it closes the
    socket that our loop watches."""
    with postgres.Proxy(cluster) as proxy, \
            pg_talk.Talk(proxy.conninfo("one")) as talk:
        talk.until("up")
        talk.ask("a SELECT 1")
        # If it waits when it stops, it hears what comes meanwhile in order.
        arena.wait_for(lambda: arena.waits(talk.process.pid))
        talk.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, talk.process.pid, os.WSTOPPED)
        # It hears this before the connection's end, and sends it in pieces:
        # libpq forgives the first error.
        talk.say("wide b 40000")
        proxy.cut(reset=True)
        gone = arena.wait_for(lambda: not any(
            line.split()[2].endswith(f":{proxy.port:04X}") for line in
            pathlib.Path("/proc/net/tcp").read_text("ascii").splitlines()))
        talk.process.send_signal(signal.SIGCONT)
        tap.ok(gone, "the connection is gone")
        line, _ = talk.until("b ")
        tap.ok(line is not None and line.startswith("b unknown "),
               "the connection breaks while we ask", line)
        tap.equal(talk.until("up")[0], "up", "and it connects again")
        tap.equal(talk.end(), (0, ""), "without complaints")


READY = b"Z\0\0\0\5I"
SHORT = b"D\0\0\0\1"


def test_nonsense(cluster, proxy, more=""):
    """Tests a database that does not keep to its protocol."""
    for number, (what, said) in enumerate((("an answer without a result", READY),
                                           ("an impossible length", SHORT))):
        for way in "", "line ":
            with pg_talk.Talk(proxy.conninfo(
                    "one", more=f"connect_timeout={WAIT_S} {more}")) as talk:
                talk.until("up")
                talk.ask(f"{way}a SET statement_timeout = 0")
                row = 100 + 2 * number + bool(way) + 10 * bool(more)
                proxy.flows.clear()
                talk.say(f"{way}b INSERT INTO public.t VALUES ({row})")
                wait_for_row(cluster, row)
                proxy.say(said)
                line, _ = talk.until("b ")
                tap.ok(line is not None and line.startswith(
                    "b unknown the connection to the database was lost: "),
                    f"{what}: {way}unknown", line)
                proxy.flows.set()
                if not way:
                    talk.until("up")
                tap.equal(talk.ask(f"{way}c SELECT 1"), "c done 1 number 1",
                          "the next one is asked a new connection")
                tap.equal(talk.end(), (0, ""), "and it ends without complaints")


def certificate(folder, name, signer=None):
    key, request, cert = (folder / f"{name}.{end}"
                          for end in ("key", "csr", "crt"))
    common = ["-subj", f"/CN={name}", "-nodes", "-newkey", "rsa:2048", "-keyout",
              key]
    if signer is None:
        made = tap.run(["openssl", "req", "-x509", "-days", "2", *common,
                        "-out", cert])
    else:
        tap.run(["openssl", "req", *common, "-out", request])
        made = tap.run(["openssl", "x509", "-req", "-days", "2", "-in", request,
                        "-CA", folder / f"{signer}.crt", "-CAkey",
                        folder / f"{signer}.key", "-CAcreateserial", "-out",
                        cert])
    if made.code != 0:
        raise RuntimeError(f"openssl: {made}")
    key.chmod(0o600)
    return cert, key


def test_tls(cluster, folder):
    with postgres.Proxy(cluster) as proxy:
        with pg_talk.Talk(proxy.conninfo("one", more="sslmode=require")) as talk:
            down = talk.until("down", "up")[0]
            tap.ok("server does not support SSL, but SSL was required" in down
                   and proxy.asked_tls > 0, "TLS that is required", down)
    root, _ = certificate(folder, "root")
    server, client = (certificate(folder, name, "root")
                      for name in ("localhost", "worker"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*server)
    context.load_verify_locations(root)
    context.verify_mode = ssl.CERT_REQUIRED
    verify = f"hostaddr=127.0.0.1 host=localhost sslmode=verify-full " \
        f"sslrootcert={root} "
    with postgres.Proxy(cluster, context) as proxy:
        both = proxy.conninfo("one", more=f"{verify} sslcert={client[0]} "
                              f"sslkey={client[1]}")
        with pg_talk.Talk(both) as talk:
            tap.equal(talk.until("up", "down")[0], "up",
                      "TLS with certificates of both")
            size = 4_000_000
            for name in "a", "line b":
                talk.ask(f"{name} SET statement_timeout = 0")
                said = talk.ask(f"{name} SELECT repeat('x', {size})::bytea")
                tap.ok(said.endswith(f" of {size}"), f"a large answer, {name}",
                       said)
            tap.equal(talk.end(), (0, ""), "and ends without complaints")
        test_nonsense(cluster, proxy, f"{verify} sslcert={client[0]} "
                      f"sslkey={client[1]}")
        tap.equal(proxy.seen, ssl.PEM_cert_to_DER_cert(client[0].read_text()),
                  "the certificate that was named is shown")
        with pg_talk.Talk(proxy.conninfo("one", more=verify)) as talk:
            tap.equal(talk.until("up", "down")[0][:5], "down ",
                      "without one there is no connection")


def test_wrong():
    for conninfo, part in (("nonsense", 'missing "=" after "nonsense"'),
                           ("hots=a", 'invalid connection option "hots"'),
                           ("host='a", "unterminated quoted string"),
                           ("postgresql://[::1", "")):
        done = tap.run([pg_talk.TALK, conninfo, "news"])
        tap.ok(done.code == 1 and done.out.count("\n") == 1 and
               done.out.startswith("invalid connection string: ") and
               part in done.out and done.err == "", f"conninfo: {conninfo}",
               done)
    # Neither of two hosts answers.
    with pg_talk.Talk("host=/nowhere-1,/nowhere-2 dbname=one") as talk:
        down = talk.until("down")[0]
        tap.ok("nowhere-1" in down and "; connection to server" in down and
               "nowhere-2" in down and "\t" not in down,
               "all hosts are named in one sentence", down)
        tap.equal(talk.end(), (0, ""), "it ends while it tries")


def test_a_host_says_no(cluster):
    """Tests that the next host is asked if one does not have our database yet,
    has no free session, or refuses us."""
    with postgres.Cluster(settings={"max_connections": 4,
                                    "superuser_reserved_connections": 0}) as no:
        where = f"host={no.root},{cluster.root} user=postgres dbname=one"

        def asked(what, part):
            with pg_talk.Talk(where) as talk:
                tap.equal(talk.until("up", "down")[0], "up",
                          f"no {what} at a host: the next one is taken")
                tap.equal(talk.ask("line a SELECT 7"), "a done 1 number 7",
                          "without the loop, too")
            with pg_talk.Talk(where.replace(str(cluster.root),
                                            str(no.root))) as talk:
                down = talk.until("up", "down")[0]
                tap.ok(down.count(part) == 2 and "\t" not in down,
                       "if no host takes us, each is told", down)

        asked("database", 'database "one" does not exist')
        with contextlib.ExitStack() as taken:
            for _ in range(4):
                taken.enter_context(pg_talk.Talk(no.conninfo())).until("up")
            asked("session", "too many clients")
        (no.data / "pg_hba.conf").write_text("local all all reject\n", "ascii")
        no.process.send_signal(signal.SIGHUP)
        arena.wait_for(lambda: "rejects" in no.psql("SELECT 1").err)
        asked("entry", "pg_hba.conf rejects")


def test_session_refused(cluster):
    """Tests that nothing is asked where a session cannot be set up: other schemas
    would be searched, and nothing would have a limit."""
    where = cluster.create("poor")
    cluster.sql("REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, "
                "boolean) FROM PUBLIC; CREATE ROLE poor LOGIN", "poor")
    with pg_talk.Talk(where.replace("user=postgres", "user=poor")) as talk:
        down, before = talk.until("down")
        tap.ok("permission denied for function set_config" in down and
               before == [], "a session that cannot be set up never is", down)
        for name in "a", "b", "line a", "line b":
            said = talk.ask(f"{name} SELECT 1")
            name = name[-1]
            tap.ok(said.startswith(f"{name} unsent ") and "set_config" in said,
                   f"{name}: nothing is sent there", said)
        tap.equal(talk.end(), (0, ""), "and it ends without complaints")


def test_ends_while_connecting():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with pg_talk.Talk(f"host=127.0.0.1 port={silent.getsockname()[1]} user=a "
                  "dbname=b") as talk:
            silent.settimeout(WAIT_S)
            held, _ = silent.accept()
            tap.equal(talk.end(), (0, ""), "it ends while a host is silent")
            held.close()


with postgres.Cluster() as here, tap.folder() as scratch:
    where = here.create("one")
    here.sql("CREATE TABLE public.t (i int)", "one")
    with pg_talk.Talk(where) as one:
        tap.equal(one.until("up", "down")[0], "up", "it connects")
        test_values(one)
        test_order(one)
        test_deferred(one)
        test_passing(one)
        test_notices(here, one)
        test_restart(here, one)
        tap.equal(one.end(), (0, ""), "it ends without complaints")
    test_network(here)
    test_found_while_sending(here)
    with postgres.Proxy(here) as plain:
        test_nonsense(here, plain)
    test_tls(here, pathlib.Path(scratch))
    test_wrong()
    test_a_host_says_no(here)
    test_session_refused(here)
    test_ends_while_connecting()
tap.done()
