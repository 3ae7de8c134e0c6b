"""The pages of the games, referee/games/NAME.md, as what a program can read.

    page = pages.Page("toepen")
    page.table("option")        # [{"option": "`points`", "values": …}, …]
    page.blocks()               # what is fenced

A table is found by the heads of its first columns; there is one of each kind
on a page."""

import re

import tap

CODE = re.compile(r"`([^`]+)`", re.DOTALL)


def code(text):
    """Returns what stands between backticks, each on one line."""
    return [re.sub(r"\s+", " ", one) for one in CODE.findall(text)]


class Page:
    def __init__(self, name):
        path = tap.SOURCE_DIR / "referee" / "games" / (name + ".md")
        self.text = path.read_text("utf-8")
        self.prose = re.sub(r"^```.*?^```$", "", self.text,
                            flags=re.MULTILINE | re.DOTALL)

    def table(self, head):
        """Rows by the heads of their columns; fails if there is not exactly
        one such table."""
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
        """(kind, lines) of what is fenced; the kind is mostly ""."""
        return [(kind, body.splitlines()) for kind, body in re.findall(
            r"^```([a-z]*)\n(.*?)^```$", self.text,
            re.MULTILINE | re.DOTALL)]

    def told(self):
        """(view, path, lines) of the blocks behind a remark like `<!-- told to
        seat 1 in tests/vectors/NAME.rec -->`."""
        return [(view, path, body.splitlines()) for view, path, body
                in re.findall(r"^<!-- told to (?:seat )?(\d|all|public) in "
                              r"(\S+) -->\n```\n(.*?)^```$", self.text,
                              re.MULTILINE | re.DOTALL)]

    def headings(self):
        return re.findall(r"^## (.*)$", self.text, re.MULTILINE)

    def contents(self):
        """(title, anchor)"""
        return re.findall(r"^- \[([^]]*)\]\(#([^)]*)\)",
                          self.text, re.MULTILINE)

    def refusals(self):
        """The sentences; words in capitals stand for any."""
        return [one for row in self.table("refused with")
                for one in code(row["refused with"])]
