"""Reads the pages of the games, referee/games/NAME.md.

    page = pages.Page("toepen")
    page.table("option")        # [{"option": "`points`", "values": …}, …]
    page.blocks()               # what is fenced

A table is found by the heads of its first columns; a page has one of each kind."""

import re

import tap

CODE = re.compile(r"`([^`]+)`", re.DOTALL)


def code(text):
    """Returns the texts between backticks, each on one line."""
    return [re.sub(r"\s+", " ", one) for one in CODE.findall(text)]


class Page:
    def __init__(self, name):
        path = tap.SOURCE_DIR / "referee" / "games" / (name + ".md")
        self.text = path.read_text("utf-8")
        self.prose = re.sub(r"^```.*?^```$", "", self.text,
                            flags=re.MULTILINE | re.DOTALL)

    def table(self, head):
        """Returns the rows as {head of the column: cell}; fails unless there is
        exactly one such table."""
        start = rf"^\| {re.escape(head)} \|.*"
        found = re.findall(start + r"\n\| ---.*\n((?:\|.*\n)+)",
                           self.text, re.MULTILINE)
        heads = re.findall(start + "$", self.text, re.MULTILINE)
        if len(found) != 1 or len(heads) != 1:
            raise ValueError(f"{len(heads)} tables of {head!r}")
        names = [cell.strip() for cell in heads[0].strip("|").split("|")]
        return [dict(zip(names, (cell.strip() for cell in
                                 row.strip("|").split("|"))))
                for row in found[0].splitlines()]

    def blocks(self):
        """Returns (kind, lines) of the fenced blocks; the kind is mostly ""."""
        return [(kind, body.splitlines()) for kind, body in re.findall(
            r"^```([a-z]*)\n(.*?)^```$", self.text,
            re.MULTILINE | re.DOTALL)]

    def told(self):
        """Returns (view, path, lines) of the blocks that follow a comment like
        `<!-- told to seat 1 in tests/vectors/NAME.rec -->`."""
        return [(view, path, body.splitlines()) for view, path, body
                in re.findall(r"^<!-- told to (?:seat )?(\d|all|public) in "
                              r"(\S+) -->\n```\n(.*?)^```$", self.text,
                              re.MULTILINE | re.DOTALL)]

    def headings(self):
        return re.findall(r"^## (.*)$", self.text, re.MULTILINE)

    def contents(self):
        """Returns (title, anchor) of each heading."""
        return re.findall(r"^- \[([^]]*)\]\(#([^)]*)\)",
                          self.text, re.MULTILINE)

    def refusals(self):
        """Returns the sentences of refusals; words in capitals stand for any
        word."""
        return [one for row in self.table("refused with")
                for one in code(row["refused with"])]
