#!/usr/bin/env python3
"""Checks that pages are made of elements and text: no script makes markup from
a string, and no element has a style or a handler of its own.  The policy of the
pages (CSP) would refuse the latter, but only in a browser.

A script may read a page of the daemon with DOMParser, because the page keeps
the same rules.  This lint reads the scripts and pictures of referee/web/static
and the C that writes HTML; tests/end-to-end/html_page.py reads what the daemon
really sends.  Speaks TAP."""

import os
import pathlib
import re

TREE = pathlib.Path(os.environ.get("SOURCE_DIR",
                                   pathlib.Path(__file__).parents[2]))
FOLDERS = ["referee/pages", "referee/serve", "referee/web"]
SCRIPTS = "referee/web/static"

ANYWHERE = {
    r"(?<![\w-])style=": "a style in the markup",
    r"(?<![\w-])on[a-z]+=[\"'\\]": "a handler in the markup",
    r"\"on(?:abort|blur|change|click|close|error|focus|input|key\w+|load|message|"
    r"mouse\w+|pointer\w+|scroll|submit|toggle|touch\w+|wheel)\"":
        "a handler as an attribute",
    r"\"style\"\s*,": "a style as an attribute",
    r"javascript:": "a script as a link",
}
IN_SCRIPTS = {
    r"\b(?:inner|outer)HTML\b": "an element from a string",
    r"\binsertAdjacentHTML\b": "an element from a string",
    r"\bsetHTML(?:Unsafe)?\b": "an element from a string",
    r"\bcreateContextualFragment\b": "an element from a string",
    r"\bdocument\.write": "an element from a string",
    r"\bsrcdoc\b": "a page from a string",
    r"\beval\(|\bnew Function\b|\bset(?:Timeout|Interval)\(\s*[\"'`]":
        "a script from a string",
    r"\.on[a-z]+\s*=(?!=)": "a handler that only one can set; addEventListener",
    r"\bcssText\b": "a style from a string",
}

# Each line of REFUSED must be refused, and none of PASSES.
REFUSED = ['a.innerHTML = b;', 'a.outerHTML', 'a["insertAdjacentHTML"](b)',
           'document.writeln(a)', 'a.onclick = b;', 'a.setAttribute("style", b)',
           'a.setAttribute("onclick", b)', 'make("a", { "onload": b })',
           '`<p style="${a}">`', "'<p onclick=\"a()\">'", 'setTimeout("a()", 1)',
           'text_str(to, "<p style=\\"a\\">")', 'text_str(to, "<a onclick=\\"b\\">")',
           'HTML_OPEN(html, "p", "style", "color: red");',
           'a.href = "javascript:b()"']
PASSES = ['a.textContent = b;', 'a.style.setProperty("--b", c);',
          'a.addEventListener("click", b);', 'if (a.only === b)', 'one = on === b;',
          'site.style', 'HTML_OPEN(html, "link", "rel", "stylesheet");',
          'const question = a.once;', 'a.onward(b)', 'moments.last = 3;',
          '"version=2"', 'a.on == b']


def wrong(line, rules):
    return [why for rule, why in rules.items() if re.search(rule, line)]


def uncommented(text):
    """Returns these lines without comments."""
    text = re.sub(r"/\*.*?\*/", lambda it: "\n" * it[0].count("\n"), text,
                  flags=re.DOTALL)
    return re.sub(r"(?m)(^|\s)//.*$", r"\1", text)


def read(paths, rules):
    return [f"{path.relative_to(TREE)}:{number}: {why}" for path in paths
            for number, line in enumerate(
                uncommented(path.read_text("utf-8")).splitlines(), 1)
            for why in wrong(line, rules)]


EVERY = {**ANYWHERE, **IN_SCRIPTS}
scripts = sorted((TREE / SCRIPTS).glob("*.js"))
pictures = sorted((TREE / SCRIPTS).glob("*.svg"))
sources = sorted(path for folder in FOLDERS for path in (TREE / folder).glob("*.c"))
passed = [line for line in REFUSED if not wrong(line, EVERY)]
refused = [(line, wrong(line, EVERY)) for line in PASSES if wrong(line, EVERY)]
checks = [
    ("samples that are refused", not passed, passed),
    ("samples that pass", not refused, refused),
    ("there are scripts, pictures and sources",
     len(scripts) > 1 and pictures and len(sources) > 50,
     (len(scripts), len(pictures), len(sources))),
]
for what, paths, rules in (
        ("scripts", scripts, EVERY),
        ("pictures", pictures, {**ANYWHERE, r"<script\b": "a script"}),
        ("C that writes HTML", sources, ANYWHERE)):
    found = read(paths, rules)
    checks.append((what, not found, "\n# ".join(found)))
for number, (what, good, why) in enumerate(checks, 1):
    print(f"{'ok' if good else 'not ok'} {number} - {what}"
          + ("" if good else f"\n# {why}"))
print(f"1..{len(checks)}")
raise SystemExit(not all(good for _, good, _ in checks))
