"""Bots that are sent in: folders and archives, good ones and others."""

import io
import tarfile

import arena
import daemon
import machine
import tap

MANIFEST = 'name = "{name}"\nversion = "{version}"\nrun = {{ "sh", "bot.sh" }}\n'
# Answers with the first token, and says on standard error that it is there.
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
    """Returns what is in the folder of a bot, by path."""
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
    """One of an archive."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    info.mode = 0o644
    for key, value in fields.items():
        setattr(info, key, value)
    return info, data


def archive(entries, name="alice", manifest=True, mode="w:gz"):
    """Returns its bytes: a good bot, and these entries."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode=mode) as tar:
        if manifest:
            for path, text in files(name).items():
                info, data = entry(path, text.encode())
                tar.addfile(info, io.BytesIO(data))
        for info, data in entries:
            tar.addfile(info, io.BytesIO(data))
    return whole.getvalue()


def bots(serve, *words):
    return tap.referee("bots", *words, "--data", serve.data)


def add(serve, path, *words):
    """Without `referee check`, which has tests of its own and takes long."""
    return bots(serve, "add", path, "--no-check", *words)


# Where there is no box the rest of uploads is tried without.
UPLOADS = "without-box" if machine.no_boxes() else "yes"


def serve(**options):
    text = "".join(f"{key} = {value} " for key, value in options.items())
    return daemon.Daemon(
        f"local-bots {{ games = 4 at-once = 2 {text}}}\n"
        f"uploads = {UPLOADS}\n"
        'ladder "toepen" { game = toepen seats = 2 at-once = 4 }\n'
        'ladder "durnius" { game = durnius seats = 2 at-once = 4 }\n'
        "limits { stop-time = 1000 return-time = 2000 unauthenticated = 1000 "
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


def told(serve, name, token, part):
    def text():
        return serve.get(f"/api/1/bots/{name}/log", headers=shown(name, token)).text
    arena.wait_for(lambda: part in text())
    return text()
