"""Plays the referee's end of a connection, for tests that know which lines
come.

    with Place(ladder="main") as place:
        bot = place.start(argv)          # the bot, told to come here
        line = place.read_line()         # accepts first if need be
        place.send(b"referee 1 x\\n")
        place.cut()
        status = place.finish()

A line that does not come in time, or should not come, raises Unexpected; then the
folder of the place stays, with what was said and the bot's standard error."""

import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import tempfile

from test_kits import tap

SECONDS = 900  # ends a test that hangs
TOKEN = "s3cret"


class Unexpected(Exception):
    pass


class Place:
    def __init__(self, name="mole", ladder="main", more=(), tls=None):
        """`more`: arguments for the bot; `tls`: a server's SSLContext."""
        self.more, self.tls = list(more), tls
        self.folder = tempfile.mkdtemp(prefix="referee-test-")
        self.token_file = os.path.join(self.folder, "token")
        with open(self.token_file, "w", encoding="ascii") as file:
            file.write(TOKEN + "\n")
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(SECONDS)
        self.port = self.listener.getsockname()[1]
        self.arguments = ["--name", name] if name else []
        self.arguments += ["--token-file", self.token_file,
                           "--ladder", ladder]
        self.process = None
        self.connection = None
        self.heard = b""
        self.talk = []  # what was sent (>) and read (<)
        self.err = b""  # what the bot has written to standard error

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process:
            self.process.kill()
            self.process.wait()
            if not self.process.stderr.closed:
                self.err = self.process.stderr.read()
                self.process.stderr.close()
        if self.connection:
            self.connection.close()
        self.listener.close()
        if kind is None:  # the test tells what else may be wrong
            shutil.rmtree(self.folder)
            return
        pathlib.Path(self.folder, "stderr").write_bytes(self.err)
        pathlib.Path(self.folder, "talk").write_text("\n".join(self.talk) + "\n",
                                                     "ascii")
        tap.working_in(self.folder)
        tap.leave(self.folder)

    def start(self, argv, host="127.0.0.1"):
        self.process = subprocess.Popen(
            argv + ["--connect", "%s:%d" % (host, self.port)]
            + self.arguments + self.more, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def accept(self):
        try:
            self.connection = self.listener.accept()[0]
        except OSError as error:
            raise Unexpected("no connection: %s" % error) from error
        self.connection.settimeout(SECONDS)
        self.heard = b""
        if self.tls:
            self.connection = self.tls.wrap_socket(self.connection,
                                                   server_side=True)

    def send(self, data):
        if not self.connection:
            self.accept()
        self.talk.append(f"> {data!r}")
        self.connection.sendall(data)

    def read_line(self):
        """Returns the next line without its LF; None if the connection has
        ended."""
        if not self.connection:
            self.accept()
        while b"\n" not in self.heard:
            try:
                data = self.connection.recv(65536)
            except ConnectionResetError:
                data = b""
            except OSError as error:
                raise Unexpected("nothing came but %r: %s" % (
                    self.heard, error)) from error
            if not data:
                return None
            self.heard += data
        line, self.heard = self.heard.split(b"\n", 1)
        self.talk.append(f"< {line!r}")
        return line.decode("ascii")

    def expect(self, line):
        if not self.connection:
            self.accept()
        got = self.read_line()
        if got != line:
            raise Unexpected("expected %r, found %r" % (line, got))

    def expect_end(self):
        """Expects that the bot closes the connection without another line."""
        if self.connection:
            line = self.read_line()
            if line is not None or self.heard:
                raise Unexpected("unexpected: %r %r" % (line, self.heard))
        self.close()

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def cut(self):
        """Closes the connection."""
        if not self.connection:
            self.accept()
        self.close()

    def reset(self):
        if not self.connection:
            self.accept()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                   struct.pack("ii", 1, 0))
        self.close()

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def finish(self):
        """Returns the exit status and standard error of a bot that must not
        connect again."""
        try:
            self.err = self.process.communicate(timeout=SECONDS)[1]
        except subprocess.TimeoutExpired:
            raise Unexpected("it does not end") from None
        self.listener.settimeout(0)
        try:
            self.listener.accept()[0].close()
        except OSError:
            return self.process.returncode, self.err.decode("ascii", "replace")
        raise Unexpected("it came once more")

    def stop(self):
        """Ends a bot that would connect for ever; returns its standard error."""
        self.process.kill()
        err = self.process.communicate()[1]
        self.process = None
        return err.decode("ascii", "replace")
