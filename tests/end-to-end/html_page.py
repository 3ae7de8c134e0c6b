"""Reads a page of the daemon strictly.

    page = html_page.Page(text)
    page.wrong          # what is not in order: sentences; [] is a sound page
    page.links          # hrefs of links, and what the page loads
    page.tables         # rows of cells' texts, without their spaces at the ends
    page.loads              # addresses of scripts and pictures, and of forms
    page.by_text("Next")    # hrefs of links with this text
    page.title, page.text

Elements must nest and be closed.  IDs must be unique, each th must have a
scope, all rows of a table as many cells, and each picture a name.  The page
itself must not have a script, style or handler."""

import html.parser

VOID = {"br", "hr", "input", "link", "meta"}
# An element with this attribute needs no name for readers that cannot see it.
HIDDEN = "aria-hidden"


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.wrong, self.links, self.tables = [], [], []
        self.title = self.text = ""
        self.open, self.ids, self.named, self.heads = [], [], [], []
        self.loads = []
        self.texts = []  # links: [href, text]
        self.lang = ""
        if not text.startswith("<!DOCTYPE html>\n"):
            self.wrong.append("no doctype")
        self.feed(text)
        self.close()
        self.finish()

    def finish(self):
        if self.open:
            self.wrong.append(f"not closed: {self.open}")
        for one in {one for one in self.ids if self.ids.count(one) > 1}:
            self.wrong.append(f"the ID {one} stands twice")
        for one in self.named:
            if one not in self.ids:
                self.wrong.append(f"there is no {one}")
        if self.heads.count("h1") != 1:
            self.wrong.append(f"{self.heads.count('h1')} headings h1")
        if not self.title.strip():
            self.wrong.append("no title")
        if self.lang != "en":
            self.wrong.append("no language")
        if not self.text.strip().startswith(self.title):
            self.wrong.append("no text")
        for table in self.tables:
            if len({len(row) for row in table}) != 1:
                self.wrong.append(f"rows of different length: {table[:3]}")

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if len(given) != len(attrs):
            self.wrong.append(f"an attribute of <{tag}> stands twice")
        for name in given:
            if name == "style" or name.startswith("on"):
                self.wrong.append(f"<{tag} {name}>")
        if tag in ("style", "iframe", "object", "base") or (
                tag == "script" and list(given) != ["type", "src"]):
            self.wrong.append(f"<{tag}>")
        if tag not in VOID:
            self.open.append(tag)
        self.note(tag, given)

    def note(self, tag, given):
        if "id" in given:
            self.ids.append(given["id"])
        self.named += given.get("aria-labelledby", "").split()
        if tag == "html":
            self.lang = given.get("lang")
        if tag in ("a", "link"):
            self.links.append(given.get("href", ""))
        if tag in ("script", "use", "form"):
            self.loads.append(given.get({"script": "src", "use": "href",
                                         "form": "action"}[tag], ""))
        if tag == "a":
            self.texts.append([given.get("href", ""), ""])
        if tag == "th" and given.get("scope") not in ("col", "row"):
            self.wrong.append("a th without a scope")
        if tag == "svg" and HIDDEN not in given and not (
                given.get("role") == "img" and given.get("aria-labelledby")):
            self.wrong.append("a picture without a name")
        if tag in ("h1", "h2", "h3"):
            self.heads.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.tables:
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.wrong.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if "script" in self.open:
            self.wrong.append(f"a script in the page: {data[:40]}")
        if "title" in self.open and "svg" not in self.open:
            self.title += data
        self.text += data
        if "a" in self.open:
            self.texts[-1][1] += data
        if {"td", "th"} & set(self.open) and self.tables and self.tables[-1]:
            row = self.tables[-1][-1]
            row[-1] = (row[-1] + data).strip()

    def by_text(self, text):
        return [href for href, said in self.texts if said == text]

    def column(self, title, table=0):
        """Returns the cells below a head that begins with `title`."""
        heads = self.tables[table][0]
        at = next(i for i, head in enumerate(heads) if head.startswith(title))
        return [row[at] for row in self.tables[table][1:]]
