#!/usr/bin/env python3
"""doc/referee-metrics.5 lists every metric of the daemon, and no other, with its type
and its help; the rules for alerts name no other.

A metric of the code is three literals in a row: name, type, help.  The labels
of what is really shown are compared by tests/end-to-end/test-serve-http.py.
Speaks TAP."""

import os
import pathlib
import re
import sys

TREE = pathlib.Path(os.environ.get("SOURCE_DIR",
                                   pathlib.Path(__file__).parents[2]))
sys.path.insert(0, str(TREE / "tests" / "end-to-end"))
import keys  # noqa: E402

NAME = r'"((?:referee|process)_[a-z_]+)"'
METRIC = re.compile(NAME + r',\s*"(\w+)",\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')


def coded():
    found = {}
    for path in sorted((TREE / "referee" / "serve").glob("*.c")):
        for name, kind, literals in METRIC.findall(path.read_text("utf-8")):
            found[name] = (kind, "".join(re.findall(r'"([^"]*)"', literals)))
    return found


def shown():
    """Returns the names with a value: `NAME `, `NAME{`; a histogram has three."""
    return {re.sub("_(?:bucket|sum|count)$", "", name) for path in (TREE / "referee" / "serve").glob("*.c")
            for name in re.findall(r'"((?:referee|process)_[a-z_]+)[ {"]',
                                   path.read_text("utf-8"))}


def alerting():
    """Returns the metrics that the rules for Prometheus use, with their files."""
    return {(name, re.sub("_(?:bucket|sum|count)$", "", metric))
            for name in ("alerts.yaml", "MANY-MACHINES.md")
            for rule in re.findall(r"^    expr: (.*(?:\n      .*)*)",
                                   (TREE / "doc" / name).read_text("utf-8"), re.M)
            for metric in re.findall(r"\b(?:referee|process)_[a-z_]+", rule)}


code, page = coded(), {name: (kind, text) for name, (kind, _, text)
                       in keys.METRICS.items()}
checks = [
    ("there are metrics", len(code) > 30, len(code)),
    ("each name of the code has a type and a help", shown() <= set(code),
     sorted(shown() - set(code))),
    ("each metric of the code is documented", set(code) <= set(page),
     sorted(set(code) - set(page))),
    ("each documented metric is one of the code", set(page) <= set(code),
     sorted(set(page) - set(code))),
    ("both files with rules for alerts have some",
     {name for name, _ in alerting()} == {"alerts.yaml", "MANY-MACHINES.md"},
     alerting()),
    ("each metric of these is one of the code",
     {metric for _, metric in alerting()} <= set(code),
     [rule for rule in sorted(alerting()) if rule[1] not in code]),
    ("in order, each once", list(page) == sorted(page), list(page)),
    ("gauges, counters, histograms, and only counters end in _total",
     all(kind in ("gauge", "counter", "histogram") and (kind == "counter") ==
         name.endswith("_total") for name, (kind, _) in code.items()), code),
    ("each help is a sentence", all(re.fullmatch(r"[A-Z][^.]*[a-z0-9)]\.", text)
                                    for _, text in code.values()),
     [text for _, text in code.values()]),
]
checks += [(f"{name}: as documented", code[name] == page[name],
            (code[name], page[name])) for name in sorted(set(code) & set(page))
           if code[name] != page[name]]
for number, (what, good, why) in enumerate(checks, 1):
    print(f"{'ok' if good else 'not ok'} {number} - {what}"
          + ("" if good else f"\n# {why}"))
print(f"1..{len(checks)}")
raise SystemExit(not all(good for _, good, _ in checks))
