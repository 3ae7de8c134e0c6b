"""A daemon for the tests here: `referee serve` in a folder of its own.

    with lodging.Daemon(LISTENER_AND_LADDERS) as place:
        place.port("bots")               # of the listener of that name
        place.token("alice")             # a file with her token
        place.records("main")            # of that ladder, finished games
        place.stop()                     # its exit code
"""

import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

import arena
import tap


class Daemon:
    def __init__(self, config, files=None):
        """`config` may say {root} for the daemon's folder; `files`: a
        function that puts more into it beforehand."""
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="referee-test-"))
        if files:
            files(self.root)
        (self.root / "referee.conf").write_text(
            f'data = "{self.root}/data"\n'
            + config.replace("{root}", str(self.root)), "ascii")
        self.started = []
        with (self.root / "log").open("wb") as log:
            self.process = self.start(
                [tap.REFEREE, "serve", "--config", self.root / "referee.conf"],
                stderr=log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.wait()
        shutil.rmtree(self.root, ignore_errors=True)

    def start(self, command, **options):
        """A process that is gone when this is."""
        process = subprocess.Popen(list(map(str, command)), cwd=self.root,
                                   stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, **options)
        self.started.append(process)
        return process

    def log(self):
        return (self.root / "log").read_text("ascii")

    def port(self, listener):
        """Once it listens there; None if it does not."""
        found = arena.wait_for(lambda: self.process.poll() is not None
                               or re.search(f"listener={listener} .*"
                                            r"\bport=(\d+)", self.log()))
        return int(found[1]) if found and found is not True else None

    def token(self, name):
        path = self.root / f"{name}.token"
        with path.open("wb") as file:
            run = tap.run([tap.REFEREE, "bots", "--data", self.root / "data",
                           "token", name], stdout=file)
        if run.code != 0:
            raise RuntimeError(f"bots token: {run}")
        return path

    def records(self, ladder):
        folder = self.root / "data" / "ladders" / ladder / "records"
        return sorted(folder.rglob("*.rec"))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(tap.TIMEOUT_S)
