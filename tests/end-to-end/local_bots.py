"""Makes folders and archives of bots to be sent in, good ones and bad ones."""

import io
import re
import tarfile

import arena
import daemon
import machine
import tap

# A check of all games takes long, and has tests of its own.
ONE_GAME = 'games = { "toepen" }\n'
MANIFEST = 'name = "{name}"\nversion = "{version}"\nrun = {{ "sh", "bot.sh" }}\n'
# Answers with the first token, and says on standard error that it runs.
BOT = """#!/bin/sh
read -r line
echo "bot 1 {name}"
echo "{name} {version} sits down" >&2
while read -r verb seat time token rest; do
\tcase $verb in
\task) echo "do $seat ${{token%% *}}" ;;
\tbye) exit 0 ;;
\tesac
done
"""


def files(name, version="1", more="", **others):
    """Returns the files of a bot's folder by path."""
    made = {"bot.conf": MANIFEST.format(name=name, version=version) + more,
            "bot.sh": BOT.format(name=name, version=version)}
    made.update(others)
    return made


def folder(root, name, version="1", more="", **others):
    path = root / f"{name}-{version}"
    path.mkdir()
    for file, text in files(name, version, more, **others).items():
        (path / file).parent.mkdir(parents=True, exist_ok=True)
        (path / file).write_text(text, "ascii")
    return path


def entry(name, data=b"", **fields):
    """Returns an entry of an archive."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    info.mode = 0o644
    for key, value in fields.items():
        setattr(info, key, value)
    return info, data


def archive(entries, name="alice", manifest=True, mode="w:gz", more=""):
    """Returns the bytes of an archive with a good bot, whose manifest has `more`, and
    these entries."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode=mode) as tar:
        if manifest:
            for path, text in files(name, more=more).items():
                info, data = entry(path, text.encode())
                tar.addfile(info, io.BytesIO(data))
        for info, data in entries:
            tar.addfile(info, io.BytesIO(data))
    return whole.getvalue()


def without_made(err):
    """Returns what a command wrote, without the line about a data folder that it
    made."""
    return re.sub(r"(?m)^referee: made the data folder .*\n", "", err)


def bots(serve, *words):
    return tap.referee("bots", *words, "--data", serve.data)


def add(serve, path, *words):
    """Adds a bot without `referee check`, which takes long and has tests of its
    own."""
    return bots(serve, "add", path, "--no-check", *words)


# Without boxes the rest of uploads is tested without a box.
UPLOADS = "without-box" if machine.no_boxes() else "yes"


def serve(**options):
    text = "".join(f"{key} = {value} " for key, value in options.items())
    return daemon.Daemon(
        f"local-bots {{ games = 4 at-once = 2 {text}}}\n"
        f"uploads = {UPLOADS}\n"
        'ladder "toepen" { game = toepen seats = 2 at-once = 4 }\n'
        'ladder "durnius" { game = durnius seats = 2 at-once = 4 }\n'
        "limits { stop-time = 1000 return-time = 2000 unauthenticated = 1000 "
        "keep-alive = 3600000 "
        "connections-per-address = 1000 }\n"
        + daemon.BOTS + daemon.PAGES)


# ---- over HTTP -------------------------------------------------------------

def put(serve, name, body, headers, length=None, method="PUT"):
    head = (f"{method} /bots/{name} HTTP/1.1\r\nHost: localhost\r\n"
            f"Content-Length: {len(body) if length is None else length}\r\n"
            + headers + "\r\n").encode()
    return daemon.Answer(serve.raw(head + body))


def shown(name, token):
    return f"X-Bot: {name}\r\nAuthorization: Bearer {token}\r\n"


def told(serve, name, token, *parts):
    """Returns the log of a bot as soon as one of these parts is in it."""
    def text():
        return serve.get(f"/api/1/bots/{name}/log", headers=shown(name, token)).text
    arena.wait_for(lambda: any(part in text() for part in parts))
    return text()
