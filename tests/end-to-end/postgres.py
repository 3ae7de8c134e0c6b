"""A PostgreSQL of a test's own, in a temporary folder, at a Unix socket there.

    why = postgres.missing()            # None, or the reason in one line
    with postgres.Cluster() as cluster:
        where = cluster.create("queue")         # a database: its conninfo
        cluster.sql("SELECT 1", dbname="queue") # rows of text
        cluster.kill()                          # as a power cut
        cluster.start()

It listens at no port of the network.  Who can reach the socket may be any role:
the folder is the owner's alone.  Root cannot run a PostgreSQL, so for root it
runs as the user postgres."""

import functools
import glob
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile

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
    still loses nothing when its processes are killed."""

    def __init__(self, fsync=False, settings=None):
        # Short: a socket's path has 107 bytes.
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="referee-pg-",
                                                  dir="/tmp"))
        self.data = self.root / "data"
        self.log = self.root / "log"
        self.process = None
        if os.getuid() == 0:
            os.chown(self.root, int(owner()[2]), int(owner()[4]))
        done = self._run("initdb", "--pgdata", self.data, "--no-sync",
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
        shutil.rmtree(self.root, ignore_errors=True)

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

    def psql(self, text, dbname="postgres", user="postgres"):
        """What psql says of it."""
        return tap.run([f"{programs()}/psql", "--no-psqlrc", "--quiet",
                        "--no-align", "--tuples-only", "--field-separator",
                        "\t", "--set", "ON_ERROR_STOP=1", "--command", text,
                        self.conninfo(dbname, user)], cwd="/")

    def sql(self, text, dbname="postgres", user="postgres"):
        """Its rows, as lists of text; trouble is an exception."""
        done = self.psql(text, dbname, user)
        if done.code != 0:
            raise RuntimeError(f"{text}: {done}")
        return [line.split("\t") for line in done.out.splitlines()]
