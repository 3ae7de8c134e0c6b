"""A PostgreSQL of a test's own, in a temporary folder, at a Unix socket there.

    why = postgres.missing()            # None, or the reason in one line
    with postgres.Cluster() as cluster:
        where = cluster.create("queue")         # a database: its conninfo
        cluster.sql("SELECT 1", dbname="queue") # rows of text
        cluster.kill()                          # as a power cut
        cluster.start()
        with postgres.Proxy(cluster) as proxy:  # a network to cut
            proxy.conninfo("queue")

It listens at no port of the network.  Who can reach the socket may be any role:
the folder is the owner's alone.  Root cannot run a PostgreSQL, so for root it
runs as the user postgres."""

import functools
import glob
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading

import arena
import tap

START_S = 120
SETTINGS = {
    "listen_addresses": "''",
    "max_connections": "60",
    "shared_buffers": "16MB",
    "dynamic_shared_memory_type": "mmap",
    "autovacuum_naptime": "5s",
    "log_min_messages": "warning",
}


@functools.cache
def programs():
    """The folder with the newest server's programs; or None."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"),
                   key=lambda path: float(path.split("/")[4]), reverse=True)
    beside = shutil.which("initdb")
    found += [os.path.dirname(os.path.realpath(beside))] if beside else []
    return next((folder for folder in found
                 if all(os.access(f"{folder}/{name}", os.X_OK)
                        for name in ("initdb", "postgres", "psql"))), None)


@functools.cache
def owner():
    """Words to become who may run it."""
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
    """Why there can be no PostgreSQL here; or None."""
    if programs() is None:
        return "there is no PostgreSQL here (Debian: postgresql)"
    if owner() is None:
        return "there is no user who may run a PostgreSQL for root"
    done = tap.run([*owner(), f"{programs()}/postgres", "--version"])
    return None if done.code == 0 else f"PostgreSQL does not run: {done}"


def quoted(value):
    return "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'"


class Cluster:
    """One server.  With `fsync` it does what it does elsewhere; without, it
    still loses nothing when its processes are killed.  With `disk`, a size, what
    it keeps is on a disk of its own, but its log ahead of it (pg_wal), without
    which a server ends; the caller may mount."""

    def __init__(self, fsync=False, settings=None, disk=None):
        # Short: a socket's path has 107 bytes.
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="referee-pg-",
                                                  dir="/tmp"))
        self.data = self.root / "data"
        self.log = self.root / "log"
        self.process = None
        if os.getuid() == 0:
            os.chown(self.root, int(owner()[2]), int(owner()[4]))
        self.disk = disk
        if disk is not None:
            self._mount(disk)
        wal = [] if disk is None else ["--waldir", self.root / "wal"]
        done = self._run("initdb", "--pgdata", self.data, "--no-sync", *wal,
                         "--username", "postgres", "--auth", "trust",
                         "--encoding", "UTF8", "--no-locale")
        if done.code != 0:
            raise RuntimeError(f"initdb: {done}")
        self.settings = dict(SETTINGS, fsync="on" if fsync else "off",
                             unix_socket_directories=f"'{self.root}'",
                             **(settings or {}))
        with open(self.data / "postgresql.conf", "a",
                  encoding="ascii") as conf:
            for key, value in self.settings.items():
                conf.write(f"{key} = {value}\n")
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop("immediate")
        if self.disk is not None:
            tap.run(["umount", self.data])
        shutil.rmtree(self.root, ignore_errors=True)

    def _mount(self, size):
        self.data.mkdir(mode=0o700)
        own = "" if os.getuid() else f",uid={owner()[2]},gid={owner()[4]}"
        done = tap.run(["mount", "-t", "tmpfs", "-o",
                        f"size={size},mode=0700{own}", "none", self.data])
        if done.code != 0:
            raise RuntimeError(f"mount: {done}")

    def _run(self, name, *arguments):
        return tap.run([*owner(), f"{programs()}/{name}", *arguments],
                       cwd="/")

    def start(self):
        """Until it answers."""
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*owner(), f"{programs()}/postgres", "-D", str(self.data)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
        if not arena.wait_for(lambda: self.process.poll() is not None or
                              self.answers(), START_S) or (
                                  self.process.poll() is not None):
            raise RuntimeError("PostgreSQL does not start: " +
                               self.log.read_text("utf-8", "replace"))

    def answers(self):
        return self.psql("SELECT 1").code == 0

    def stop(self, how="fast"):
        """`fast` ends sessions, `immediate` is a crash that says good-bye."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGQUIT if how == "immediate"
                                 else signal.SIGINT)
        try:
            self.process.wait(START_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process = None

    def pids(self):
        """The server's, and those of its sessions."""
        if self.process is None:
            return []
        first, found = self.process.pid, []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            parent, _ = arena.status(int(folder.name))
            if parent == first:
                found.append(int(folder.name))
        return [first, *found]

    def signal(self, number):
        """To all of them, the first one first: it starts no other then."""
        for pid in self.pids():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def kill(self):
        """All at once, as when the power fails."""
        if self.process is None:
            return
        self.signal(signal.SIGKILL)
        self.process.wait(START_S)
        self.process = None

    def restart(self, how="fast"):
        self.stop(how)
        self.start()

    def conninfo(self, dbname="postgres", user="postgres"):
        return f"host={self.root} user={user} dbname={dbname}"

    def create(self, dbname):
        self.sql(f'CREATE DATABASE "{dbname}"')
        return self.conninfo(dbname)

    def psql(self, text, dbname="postgres", user="postgres", file=None):
        """What psql says of it, one transaction; or of a file, where each
        statement is one."""
        what = ["--command", text] if file is None else ["--file", file]
        return tap.run([f"{programs()}/psql", "--no-psqlrc", "--quiet",
                        "--no-align", "--tuples-only", "--field-separator",
                        "\t", "--set", "ON_ERROR_STOP=1", "--set",
                        "VERBOSITY=verbose", *what,
                        self.conninfo(dbname, user)], cwd="/")

    def sql(self, text, dbname="postgres", user="postgres"):
        """Its rows, as lists of text; trouble is an exception."""
        done = self.psql(text, dbname, user)
        if done.code != 0:
            raise RuntimeError(f"{text}: {done}")
        return [line.split("\t") for line in done.out.splitlines()]


SSL_REQUEST = struct.pack("!II", 8, 80877103)


class Proxy:
    """A port of 127.0.0.1 that leads to a cluster's socket, and can be cut.
    With `tls`, an ssl.SSLContext of a server, it speaks TLS, else it says that it
    does not."""

    def __init__(self, cluster, tls=None):
        self.path = str(cluster.root / ".s.PGSQL.5432")
        self.tls = tls
        self.flows = threading.Event()  # what the database says
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
        return (f"host=127.0.0.1 port={self.port} user={user} dbname={dbname} "
                f"{more}")

    def cut(self):
        """All connections end."""
        with self.lock:
            ends, self.open = self.open, set()
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,),
                             daemon=True).start()

    def _greet(self, client):
        """The client's end, behind TLS if both want that; and its first bytes."""
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


def messages(data):
    """(type, whole message) of what is complete, and the rest."""
    found = []
    while len(data) >= 5:
        size = struct.unpack_from("!I", data, 1)[0] + 1
        if len(data) < size:
            break
        found.append((data[:1], data[:size]))
        data = data[size:]
    return found, data


class Losing(Proxy):
    """Loses answers: the database has done, and committed, what was asked; then
    the connection ends instead of telling so.

    `words`: statements with one of them are meant; `left[word]` is how many more
    of their answers are lost, each with this chance; `lost[word]` how many were."""

    class Talk:
        """Of one connection: how many requests were sent and answered, and whose
        answer is lost."""

        def __init__(self):
            self.asked = self.answered = 0
            self.doomed = self.word = None
            self.refused = False

    def __init__(self, cluster, words, chance=1.0, seed=1):
        self.left = dict.fromkeys(words, 0)
        self.lost = dict.fromkeys(words, 0)
        self.chance, self.random = chance, random.Random(seed)
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
        """Ends with the answer that is lost."""
        rest, held = b"", b""
        try:
            while data := server.recv(65536):
                found, rest = messages(rest + data)
                for kind, whole in found:
                    held += whole
                    talk.refused |= kind == b"E"
                    if kind != b"Z":
                        continue
                    # The first one ends the log-in.
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
