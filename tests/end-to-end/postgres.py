"""Runs PostgreSQL: one server for all tests of a run, or one that a test may
kill.

    why = postgres.missing()            # None, or the reason in one line
    with postgres.shared() as cluster:
        where = cluster.create("queue")         # a database: its conninfo
        cluster.sql("SELECT 1", dbname="queue") # rows of text
        cluster.role("anna", "LOGIN")           # all tests have the same roles
    with postgres.Cluster() as cluster:         # the same, and
        cluster.kill()                          # like a power cut
        cluster.start()
        with postgres.Proxy(cluster) as proxy:  # a network to cut
            proxy.conninfo("queue")

The first test of a run that needs a server starts a keeper (`python3
postgres.py`).  The keeper makes an empty cluster and starts the shared server
on a copy of it; a test's own server runs on another copy.  The keeper ends,
with all servers and their files, when no test uses them any more and the `make`
that began it is gone: the kernel tells it both, whatever ended them.  It shares
three files in the build folder with the tests, for their locks.

Servers do not listen on the network, but on a Unix socket.  A process that
reaches the socket may be any role, so only the owner may enter its folder.
Root cannot run PostgreSQL, so for root it runs as the user postgres."""

import contextlib
import fcntl
import functools
import glob
import itertools
import os
import pathlib
import pwd
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading

import arena
import tap

START_S = 600
SETTINGS = {
    "listen_addresses": "''",
    "max_connections": "60",
    "shared_buffers": "16MB",
    "dynamic_shared_memory_type": "mmap",
    "autovacuum": "off",
    "jit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "log_min_messages": "warning",
}
# Settings of the server that all tests of a run share.
SHARED_SETTINGS = {"max_connections": "300", "shared_buffers": "64MB",
                   "synchronous_commit": "off"}
LOCKS = tap.BUILD_DIR / "tests" / "end-to-end" / f"postgres-{os.getuid()}"


@functools.cache
def programs():
    """Returns the folder with the newest server's programs, or None."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"),
                   key=lambda path: float(path.split("/")[4]), reverse=True)
    beside = shutil.which("postgres")
    found += [os.path.dirname(os.path.realpath(beside))] if beside else []
    return next((folder for folder in found
                 if all(os.access(f"{folder}/{name}", os.X_OK)
                        for name in ("postgres", "psql"))), None)


@functools.cache
def owner():
    """Returns words that start a program as the user who may run a server."""
    if os.getuid() != 0:
        return ()
    for name in "postgres", "nobody":
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return ("setpriv", "--reuid", str(user.pw_uid), "--regid",
                str(user.pw_gid), "--clear-groups")
    return None


@functools.cache
def missing():
    """Returns why there can be no PostgreSQL here, or None."""
    if programs() is None:
        return "there is no PostgreSQL here (Debian: postgresql)"
    if owner() is None:
        return "there is no user who may run a PostgreSQL for root"
    done = tap.run([*owner(), f"{programs()}/postgres", "--version"])
    return None if done.code == 0 else f"PostgreSQL does not run: {done}"


def own(path):
    """Gives a path to the user who runs the server."""
    if os.getuid() == 0:
        os.chown(path, int(owner()[2]), int(owner()[4]))


# ---- the server that a run shares -------------------------------------------

def _opened(name):
    LOCKS.parent.mkdir(parents=True, exist_ok=True)
    return os.open(f"{LOCKS}.{name}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC,
                   0o600)


def _locked(fd, how):
    try:
        fcntl.flock(fd, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _make():
    """Returns the outermost `make` that this process descends from; 0 if there
    is none."""
    found, pid = 0, os.getpid()
    while pid and pid != 1:
        try:
            name = pathlib.Path(f"/proc/{pid}/comm").read_text("latin-1")
        except OSError:
            break
        found = pid if name.strip() in ("make", "gmake") else found
        pid = arena.status(pid)[0]
    return found


@functools.cache
def run_folder():
    """Returns the folder of the run's keeper, which stays until this process
    ends."""
    begin, users, keeper = map(_opened, ("begin", "users", "keeper"))
    fcntl.flock(begin, fcntl.LOCK_EX)
    # Waits for one that is ending.
    fcntl.flock(users, fcntl.LOCK_SH)
    if _locked(keeper, fcntl.LOCK_SH):
        fcntl.flock(keeper, fcntl.LOCK_UN)
        with subprocess.Popen(
                [*tap.PYTHON, os.path.realpath(__file__), str(_make())],
                env=dict(os.environ, BUILD_DIR=str(tap.BUILD_DIR),
                         REFEREE=os.path.realpath(tap.REFEREE)),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, cwd="/", start_new_session=True) as made:
            if made.stdout.read() != b"ready":
                raise RuntimeError("no PostgreSQL: " +
                                   made.stderr.read().decode())
            made.returncode = 0  # we do not wait for it
    root = pathlib.Path(os.pread(keeper, 4096, 0).decode())
    os.close(keeper)
    os.close(begin)  # `users` stays open
    return root


def _keep(make):
    """Runs the keeper."""
    keeper, users = map(_opened, ("keeper", "users"))
    fcntl.flock(keeper, fcntl.LOCK_EX)
    root = pathlib.Path(tempfile.mkdtemp(prefix="referee-pg-", dir="/tmp"))
    server = None
    try:
        own(root)
        done = tap.run([*owner(), f"{programs()}/initdb", "--pgdata",  # luck: once
                        root / "empty", "--no-sync", "--username", "postgres",
                        "--auth", "trust", "--encoding", "UTF8", "--no-locale"],
                       cwd="/")
        if done.code != 0:
            raise RuntimeError(f"no cluster: {done}")
        server = Cluster(settings=SHARED_SETTINGS, root=root)
        os.ftruncate(keeper, 0)
        os.pwrite(keeper, str(root).encode(), 0)
        os.write(1, b"ready")
        nothing = os.open("/dev/null", os.O_RDWR)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        if make:
            try:
                select.select([os.pidfd_open(make)], [], [])
            except OSError:
                pass  # it is gone already
        fcntl.flock(users, fcntl.LOCK_EX)
    finally:
        if server is not None:
            server.stop("immediate")
        shutil.rmtree(root, ignore_errors=True)
        os.ftruncate(keeper, 0)
        os.close(keeper)


# ---- what a test says to a server -------------------------------------------

def messages(data):
    """Returns (type, whole message) of the complete messages, and the rest."""
    found = []
    while len(data) >= 5:
        size = struct.unpack_from("!I", data, 1)[0] + 1
        if len(data) < size:
            break
        found.append((data[:1], data[:size]))
        data = data[size:]
    return found, data


class Session:
    """A connection, which costs much less than a psql for each statement."""

    def __init__(self, path, dbname, user):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(START_S)
        self.rest, self.found = b"", []
        self.open, self.idle = True, False
        try:
            self.socket.connect(path)
            # A conninfo has them in quotes.
            user, dbname = user.strip("'"), dbname.strip("'")
            words = f"user\0{user}\0database\0{dbname}\0\0".encode()
            self.socket.sendall(struct.pack("!II", 8 + len(words), 196608) +
                                words)
        except OSError as trouble:
            self.close()
            self.trouble = f"connection failed: {trouble}\n"
            return
        _, _, self.trouble = self._answer()

    def close(self):
        self.open = False
        self.socket.close()

    def end(self):
        """Closes the session and waits for the end of its server process, which
        holds a worker's name until then."""
        self._send(b"X" + struct.pack("!I", 4))
        while self.open and self._message()[0] is not None:
            pass
        self.close()

    def _message(self):
        while not self.found:
            try:
                data = self.socket.recv(1 << 20)
            except OSError:
                data = b""
            if not data:
                return None, b""
            self.found, self.rest = messages(self.rest + data)
        kind, whole = self.found.pop(0)
        return kind, whole[5:]

    @staticmethod
    def _row(body):
        row, at = [], 2
        for _ in range(struct.unpack_from("!H", body)[0]):
            size = struct.unpack_from("!i", body, at)[0]
            at += 4
            row.append(body[at:at + max(size, 0)].decode("latin-1"))
            at += max(size, 0)
        return row

    def _answer(self):
        """Reads until the server is ready again; returns rows, copied data and
        errors."""
        rows, copied, told = [], [], ""
        while True:
            kind, body = self._message()
            if kind is None:
                self.close()
                return rows, copied, told + "the connection was lost\n"
            if kind == b"D":
                rows.append(self._row(body))
            elif kind == b"d":
                copied.append(body.decode("latin-1"))
            elif kind == b"G":
                self.socket.sendall(b"f" + struct.pack("!I", 7) + b"no\0")
            elif kind in (b"E", b"N"):
                field = {part[:1]: part[1:].decode("latin-1")
                         for part in body.split(b"\0") if part}
                told += f"{field[b'S']}:  {field[b'C']}: {field[b'M']}\n"
                if b"D" in field:
                    told += f"DETAIL:  {field[b'D']}\n"
            elif kind == b"Z":
                self.idle = body == b"I"
                return rows, copied, told

    @staticmethod
    def _query(text):
        data = text.encode() + b"\0"
        return b"Q" + struct.pack("!I", 4 + len(data)) + data

    def ask(self, text):
        """Runs one transaction; returns its rows, copied data and errors."""
        if not self.open:
            return [], [], self.trouble
        self._send(self._query(text))
        return self._answer()

    def ask_once(self, text):
        """Asks once; then others can use the session if it is open and idle,
        because it has lost its settings and locks."""
        if not self.open:
            return [], [], self.trouble
        self._send(self._query(text) + self._query(
            "RESET ROLE; RESET ALL; SELECT pg_advisory_unlock_all()"))
        answer, idle = self._answer(), self.idle
        if self.open:
            self._answer()
        self.idle = self.idle and idle
        return answer

    def _send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # the answer says that it failed


class Server:
    """`root` is the folder of its socket."""

    def __init__(self, root):
        self.root = root
        self.log = root / "log"
        self.local = threading.local()  # threads cannot share sessions
        self.started = 0

    def __enter__(self):
        return self

    def name(self, dbname):
        """Returns the name of a test's database on this server."""
        return dbname

    def conninfo(self, dbname="postgres", user="postgres"):
        return f"host={self.root} user={user} dbname={self.name(dbname)}"

    def create(self, dbname):
        self.sql(f'CREATE DATABASE "{self.name(dbname)}"')
        return self.conninfo(dbname)

    def role(self, name, what="LOGIN"):
        """Makes a role unless a test has made it before."""
        self.sql(f"DO $$ BEGIN CREATE ROLE \"{name}\" {what}; EXCEPTION WHEN "
                 "duplicate_object OR unique_violation THEN NULL; END $$")

    def session(self, dbname="postgres", user="postgres"):
        return Session(str(self.root / ".s.PGSQL.5432"), self.name(dbname), user)

    def answers(self):
        return self.psql("SELECT 1").code == 0

    def psql(self, text, dbname="postgres", user="postgres", file=None):
        """Runs the text as one transaction of a new session and returns what
        psql would; or runs psql on a file, in which each statement is a
        transaction."""
        if file is None:
            session = self.session(dbname, user)
            rows, copied, told = session.ask(text)
            session.end()
            failed = any(line.startswith(("ERROR:", "FATAL:", "the connection",
                                          "connection"))
                         for line in told.splitlines())
            return tap.Run(int(failed), "".join(
                ["\t".join(row) + "\n" for row in rows] + copied), told)
        return tap.run([f"{programs()}/psql", "--no-psqlrc", "--quiet",
                        "--no-align", "--tuples-only", "--field-separator",
                        "\t", "--set", "ON_ERROR_STOP=1", "--set",
                        "VERBOSITY=verbose", "--file", file,
                        self.conninfo(dbname, user)], cwd="/")

    def sql(self, text, dbname="postgres", user="postgres"):
        """Returns the rows as lists of text; raises an exception on an error.
        Settings and locks of the session are gone afterwards."""
        kept = self.local.__dict__
        where = (dbname, user, self.started)
        session = kept.pop(where, None) or self.session(dbname, user)
        rows, _, told = session.ask_once(text)
        if not session.open or "ERROR:" in told:
            session.close()
            raise RuntimeError(f"{text}: {told}")
        if session.open and session.idle:
            kept[where] = session
        else:
            session.close()
        return rows

    def forget_sessions(self):
        self.started += 1
        for session in self.local.__dict__.values():
            session.close()
        self.local.__dict__.clear()


class Shared(Server):
    """The run's server.  The test's name is put before the names of its
    databases, and they are removed with this object."""

    def __init__(self):
        super().__init__(run_folder())
        self.mark = f"{pathlib.Path(sys.argv[0]).stem}-{os.getpid()}-"
        self.made = []
        # Two tests that make a queue at the same time would both make these
        # roles.
        for name in "referee_coordinator", "referee_worker":
            self.role(name, "NOLOGIN")

    def __exit__(self, *_):
        for dbname in self.made:
            self.sql(f'DROP DATABASE "{self.name(dbname)}" WITH (FORCE)')
        self.forget_sessions()

    def name(self, dbname):
        return dbname if dbname == "postgres" else self.mark + dbname

    def create(self, dbname):
        self.made.append(dbname)
        return super().create(dbname)


def shared():
    return Shared()


class Cluster(Server):
    """A test's own server.  With `fsync` it syncs as servers elsewhere do;
    without, it still loses nothing when its processes are killed.  With `disk`,
    a size, its data is on a disk of its own, except the write-ahead log
    (pg_wal), because a server without room for that ends; the caller must be
    allowed to mount."""

    numbers = itertools.count()

    def __init__(self, fsync=False, settings=None, disk=None, root=None):
        of_run = root is None
        if of_run:
            # The name is short because a socket's path has at most 107 bytes.
            root = run_folder() / f"{os.getpid()}-{next(self.numbers)}"
            root.mkdir(mode=0o700)
            own(root)
        super().__init__(root)
        self.of_run = of_run
        self.data = root / "data"
        self.process = None
        self.disk = disk
        empty = root.parent / "empty" if of_run else root / "empty"
        if disk is not None:
            self._mount(disk)
        done = self._run_plain("cp", "-r", f"{empty}/.", self.data)
        if disk is not None and done.code == 0:
            done = self._run_plain("mv", self.data / "pg_wal", root / "wal")
            self._run_plain("ln", "-s", root / "wal", self.data / "pg_wal")
        if done.code != 0:
            raise RuntimeError(f"no copy of a cluster: {done}")
        self.settings = dict(SETTINGS, fsync="on" if fsync else "off",
                             unix_socket_directories=f"'{self.root}'")
        self.settings.update(settings or {})
        with open(self.data / "postgresql.conf", "a",
                  encoding="ascii") as conf:
            for key, value in self.settings.items():
                conf.write(f"{key} = {value}\n")
        self.start()

    def __exit__(self, *_):
        self.stop("immediate")
        if self.disk is not None:
            tap.run(["umount", self.data])
        shutil.rmtree(self.root, ignore_errors=True)

    def _mount(self, size):
        self.data.mkdir(mode=0o700)
        uid = "" if os.getuid() else f",uid={owner()[2]},gid={owner()[4]}"
        done = tap.run(["mount", "-t", "tmpfs", "-o",
                        f"size={size},mode=0700{uid}", "none", self.data])
        if done.code != 0:
            raise RuntimeError(f"mount: {done}")

    def _run_plain(self, *words):
        # The server wants a folder with mode 0700.
        return tap.run([*owner(), "sh", "-c", 'umask 077 && exec "$@"', "sh",
                        *words], cwd="/")

    def start(self):
        """Starts the server and waits until it answers. It dies with the thread that
        has started it."""
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*(owner() or ("setpriv",)), "--pdeathsig", "QUIT",
                 f"{programs()}/postgres", "-D", str(self.data)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                start_new_session=True)
        if not arena.wait_for(lambda: self.process.poll() is not None or
                              self.answers(), START_S) or (
                                  self.process.poll() is not None):
            raise RuntimeError("PostgreSQL does not start: " +
                               self.log.read_text("utf-8", "replace"))

    def stop(self, how="fast"):
        """Stops the server: `fast` ends sessions; `immediate` acts like a
        crash, but tells the clients."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGQUIT if how == "immediate"
                                 else signal.SIGINT)
        try:
            self.process.wait(START_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process = None
        self.forget_sessions()

    def pids(self):
        """Returns the processes of the server and of its sessions."""
        if self.process is None:
            return []
        first, found = self.process.pid, []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            parent, _ = arena.status(int(folder.name))
            if parent == first:
                found.append(int(folder.name))
        return [first, *found]

    def signal(self, number):
        """Signals all processes, the first one first, so that it does not start
        others.  Returns them."""
        pids = self.pids()
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        return pids

    def kill(self):
        """Kills all processes at once, as a power failure does.  Waits until they are
        gone: no server starts while one of them has the shared memory."""
        if self.process is None:
            return
        pids = self.signal(signal.SIGKILL)
        self.process.wait(START_S)
        arena.wait_for(lambda: not any(pathlib.Path(f"/proc/{pid}").exists()
                                       for pid in pids), START_S)
        self.process = None
        self.forget_sessions()


SSL_REQUEST = struct.pack("!II", 8, 80877103)


class Proxy:
    """A port of 127.0.0.1 that leads to a cluster's socket and can be cut.
    With `tls`, a server's ssl.SSLContext, it speaks TLS; without, it refuses
    TLS."""

    def __init__(self, cluster, tls=None):
        self.cluster = cluster
        self.path = str(cluster.root / ".s.PGSQL.5432")
        self.tls = tls
        self.flows = threading.Event()  # set while the database's bytes pass
        self.flows.set()
        self.seen = b""  # the last client's certificate
        self.asked_tls = 0
        self.lock = threading.Lock()
        self.open = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # A thread may be in accept(), which close() does not end.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.flows.set()
        self.cut()

    def conninfo(self, dbname="postgres", user="postgres", more=""):
        return (f"host=127.0.0.1 port={self.port} user={user} "
                f"dbname={self.cluster.name(dbname)} {more}")

    def cut(self, reset=False):
        """Ends all connections; with `reset`, also what is on its way."""
        with self.lock:
            ends, self.open = self.open, set()
        for end in ends:
            try:
                if reset and end.family == socket.AF_INET:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                   struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def say(self, data):
        """Says to each client what the database does not."""
        with self.lock:
            for end in self.open:
                if end.family == socket.AF_INET:
                    with contextlib.suppress(OSError):  # it has ended
                        end.sendall(data)

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,),
                             daemon=True).start()

    def _greet(self, client):
        """Returns the client's socket, in TLS if both want it, and its first
        bytes."""
        first = client.recv(8, socket.MSG_WAITALL)
        if first != SSL_REQUEST:
            return client, first
        self.asked_tls += 1
        if self.tls is None:
            client.sendall(b"N")
            return client, b""
        client.sendall(b"S")
        client = self.tls.wrap_socket(client, server_side=True)
        self.seen = client.getpeercert(binary_form=True) or b""
        return client, b""

    def _serve(self, client):
        try:
            client, first = self._greet(client)
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.path)
            server.sendall(first)
        except OSError:
            client.close()
            return
        with self.lock:
            self.open |= {client, server}
        threading.Thread(target=self._copy, args=(client, server, None),
                         daemon=True).start()
        self._copy(server, client, self.flows)

    def _copy(self, source, to, flows):
        try:
            while data := source.recv(65536):
                if flows is not None:
                    flows.wait()
                to.sendall(data)
        except (OSError, ValueError):
            pass
        for end in source, to:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Losing(Proxy):
    """Loses answers: the database commits a statement, and then the connection
    ends without the answer.

    This happens to statements that have one of `words`; `left[word]` is how
    many more answers are lost, each with this chance; `lost[word]` is how many
    were."""

    class Talk:
        """Counts the requests and answers of a connection, and knows which
        answer is lost."""

        def __init__(self):
            self.asked = self.answered = 0
            self.doomed = self.word = None
            self.refused = False

    def __init__(self, cluster, words, chance=1.0, what=""):
        self.left = dict.fromkeys(words, 0)
        self.lost = dict.fromkeys(words, 0)
        self.chance, self.random = chance, tap.dice(f"losing {what}")
        super().__init__(cluster)

    def _choose(self, talk, text):
        with self.lock:
            for word, left in self.left.items():
                if talk.doomed is None and left > 0 and (
                        word.encode() in text and
                        self.random.random() < self.chance):
                    self.left[word] -= 1
                    talk.doomed, talk.word = talk.asked + 1, word

    def _to_server(self, client, server, talk):
        rest = b""
        try:
            while data := client.recv(65536):
                found, rest = messages(rest + data)
                for kind, whole in found:
                    if kind in (b"P", b"Q"):
                        self._choose(talk, whole)
                    talk.asked += kind in (b"S", b"Q")
                    server.sendall(whole)
        except (OSError, ValueError):
            pass

    def _to_client(self, server, client, talk):
        """Passes on the server's bytes up to the answer that is lost."""
        rest, held = b"", b""
        try:
            while data := server.recv(65536):
                found, rest = messages(rest + data)
                for kind, whole in found:
                    held += whole
                    talk.refused |= kind == b"E"
                    if kind != b"Z":
                        continue
                    # The first answer ends the log-in.
                    if talk.answered == talk.doomed:
                        with self.lock:
                            self.lost[talk.word] += not talk.refused
                            self.left[talk.word] += talk.refused
                        return
                    client.sendall(held)
                    held, talk.refused = b"", False
                    talk.answered += 1
                if talk.answered != talk.doomed:
                    client.sendall(held)
                    held = b""
        except (OSError, ValueError):
            pass

    def _serve(self, client):
        talk = self.Talk()
        server = socket.socket(socket.AF_UNIX)
        try:
            client, first = self._greet(client)
            server.connect(self.path)
            # The first message has no type.
            first += client.recv(4 - len(first), socket.MSG_WAITALL) if (
                len(first) < 4) else b""
            size = struct.unpack_from("!I", first)[0]
            server.sendall(first + client.recv(size - len(first),
                                               socket.MSG_WAITALL))
        except (OSError, struct.error):
            client.close()
            server.close()
            return
        with self.lock:
            self.open |= {client, server}

        def ends():
            for end in client, server:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

        def upwards():
            self._to_server(client, server, talk)
            ends()
        threading.Thread(target=upwards, daemon=True).start()
        self._to_client(server, client, talk)
        ends()


if __name__ == "__main__":
    _keep(int(sys.argv[1]))
