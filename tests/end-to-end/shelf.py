"""Puts records of any origin on a daemon's shelf, so that its pages show them
as games.

    shelf = shelf.Shelf(serve, "quick")
    id = shelf.put(text)        # of a record
    id = shelf.put_vector("toepen-sealed")

They lie where games lie that count for no rating: their page is found by ID."""

import hashlib
import re

import tap

ENDED = "ended 2026-11-23T10:00:00Z"


class Shelf:
    def __init__(self, serve, ladder):
        self.folder = serve.data / "ladders" / ladder / "records"

    def put(self, text, name=""):
        """Adds a record; returns its ID, or a new one in the daemon's form if
        it had another form."""
        ident = re.search(r"^id (.*)$", text, re.MULTILINE)[1]
        if not re.fullmatch("[0-9a-f]{32}", ident) or self.path(ident).exists():
            ident = hashlib.sha256((name + text).encode()).hexdigest()[:32]
            text = re.sub(r"^id .*$", f"id {ident}", text, count=1,
                          flags=re.MULTILINE)
        if not re.search("^ended ", text, re.MULTILINE):
            text = text.replace("\n\n", f"\n{ENDED}\n\n", 1)
        self.folder.mkdir(exist_ok=True)
        self.path(ident).write_text(text, "utf-8")
        return ident

    def path(self, ident):
        return self.folder / f"{ident}.rec"

    def put_vector(self, name):
        path = tap.SOURCE_DIR / "tests" / "vectors" / f"{name}.rec"
        return self.put(path.read_text("utf-8"), name)
