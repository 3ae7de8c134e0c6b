#!/usr/bin/env python3
"""tests/lint/check-links.py - checks the links of the documents: the file
exists, and so does the heading behind `#`.

README.md's claims about proofs must have such a link.  Speaks TAP."""

import os
import pathlib
import re
import sys

TREE = pathlib.Path(os.environ.get(
    "SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
LINK = re.compile(r"\[[^][]*\]\(([^()\s]+)\)")
# Each claim with the target of the link near it.
PROVEN = {
    r"check\s+its deal and every move": "protocol/RECORD.md#what-a-record-proves",
    r"proven only where bots send\s+entropy":
        "protocol/PROTOCOL.md#fair-deals-entropy-the-receipt",
    r"counts once or not at all": "tests/end-to-end/test-kill.py",
    r"counts\s+from then on, once": "tests/world/check.h",
}
NEAR = 400  # characters between a claim and its link
# Words that claim more than a proof shows.
TOO_STRONG = re.compile(
    r"prove\s+that\s+it\s+was\s+fair|all\s+options\s+of\s+their\s+printed\s+rules|"
    r"loses\s+no\s+result|cannot\s+choose\s+the\s+cards\s+after|the deal was fair|"
    r"dealt fairly")
FOLDERS = ("debian", "doc", "ladder", "protocol", "referee", "sample-bots", "tests")


def prose(text):
    """Returns the text without code."""
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`]*`", "", text)


def anchors(text):
    """Returns the anchors of its headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
            for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


def dead(text, where, root):
    """Returns the links that lead nowhere."""
    for target in LINK.findall(prose(text)):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = (where.parent / path) if path else where
        if not file.exists() or root not in file.resolve().parents:
            yield target
        elif anchor and file.suffix == ".md":
            there = text if file == where else file.read_text("utf-8")
            if anchor not in anchors(there):
                yield target


def unproven(text):
    """Returns the claims that are missing, or have no link near them."""
    for claim, target in PROVEN.items():
        found = re.search(claim, text)
        if not found or f"({target})" not in re.sub(
                r"\s", "", text[found.start():found.end() + NEAR]):
            yield claim


count = failed = 0


def report(wrong, what):
    global count, failed
    count += 1
    failed += bool(wrong)
    print(f"{'not ok' if wrong else 'ok'} {count} - {what}")
    for one in wrong:
        print(f"# {one}")


def look(root):
    pages = sorted([*root.glob("*.md"), *(
        page for folder in FOLDERS for page in (root / folder).rglob("*.md"))])
    for page in pages:
        report(list(dead(page.read_text("utf-8"), page, root)),
               f"{page.relative_to(root)}: its links lead somewhere")
    readme = (root / "README.md").read_text("utf-8")
    report(list(unproven(readme)), "README.md: what it claims has its proof")
    report(list(unproven(readme.replace("test-kill.py", "test-x.py")))
           != [r"counts once or not at all"] and ["found nothing"] or [],
           "a claim without its proof is found")
    told = pages + sorted(root.glob("referee/pages/*.c"))
    told = [path for path in told if path.name != "CHANGES.md"]
    report([path for path in told if TOO_STRONG.search(
        re.sub(r'"\s+"', "", path.read_text("utf-8")))],
        "no page is stronger than its proof")
    sample = "# One two\n[a](#one-two) [b](#three) [c](no.md) [d](https://x.y/#z)\n"
    report(list(dead(sample, root / "README.md", root)) != ["#three", "no.md"]
           and ["found others"] or [], "a dead link is found")


look(TREE.resolve())
print(f"1..{count}")
sys.exit(failed > 0)
