"""Knows the keys of everything that machines read, as the manual documents
them.

    import keys
    keys.wrong("match", '{"rank":1, ...}')   # "" or what is wrong

An item of a page's section JSON is `NAME`, or `NAME: KEY` for the objects (or the
object) below a key; what stands in parentheses is for people.  Then come the
keys; those in brackets may be missing.  `*` stands for keys that are names of
something.  A name that has several items prints lines of several kinds."""

import json
import os
import pathlib
import re

TREE = pathlib.Path(os.environ.get("SOURCE_DIR",
                                   pathlib.Path(__file__).parents[2]))
MANUAL = TREE / "doc"


def _documented():
    items, found = [], {}
    for page in sorted(MANUAL.glob("referee*.[178]")):
        section = re.search(r"^\.Sh JSON\n(.*?)(?=^\.Sh |\Z)",
                            page.read_text("ascii"), re.MULTILINE | re.DOTALL)
        items += re.findall(r"^\.It (.*)\n([^.]*)", section[1],
                            re.MULTILINE) if section else []
    for label, text in items:
        name = re.sub(r" *\(.*\)", "", label.replace("Pa ", ""))
        words = re.split(r",\s+", text.strip())
        may = {word[1:-1] for word in words if word.startswith("[")}
        found.setdefault(name, []).append(
            (set(words) - {f"[{word}]" for word in may}, may))
    return found


FORMS = _documented()


def _events():
    """Returns {event: (required keys, optional keys)}."""
    page = (MANUAL / "referee-log.5").read_text("ascii")
    page = page.split("\n.Sh EVENTS\n")[1]
    found = {}
    for event, text in re.findall(r"^\.It Ql (\S+)\n(?:Keys: (.*)\.|No keys\.)$",
                                  page, re.MULTILINE):
        words = [word for word in text.split(", ") if word]
        may = {word[1:-1] for word in words if word.startswith("[")}
        found[event] = ({word for word in words if word[0] != "["}, may)
    return found


def _metrics():
    """Returns {name: (type, labels, help)}."""
    page = (MANUAL / "referee-metrics.5").read_text("ascii")
    found = {}
    for name, kind, labels, text in re.findall(
            r"^\.It Ql (\S+)\n(Gauge|Counter|Histogram)(?:, by (.*))?\.\n((?:[^.].*\n)+)",
            page, re.MULTILINE):
        found[name] = (kind.lower(), tuple(labels.split(", ") if labels else ()),
                       text.strip().replace("\n", " "))
    return found


EVENTS = _events()
METRICS = _metrics()
EVERY_LINE = {"level", "event", "suppressed", "lost", "cut"}


def wrong_event(line):
    """Returns what is wrong with a line of a daemon's log, or "".  Lines of a
    sanitizer or of another program are not judged."""
    if not re.match(r"\d{4}-\d\d-\d\dT\S+Z level=", line):
        return ""
    fields = re.sub(r'"(?:[^"\\]|\\.)*"', "x", line).split(" ")[1:]
    keys = {field.split("=")[0] for field in fields}
    event = next(field[6:] for field in fields if field.startswith("event="))
    if event == "log" or keys & {"cut", "suppressed"}:
        return ""
    if event not in EVENTS:
        return f"{event} is not documented: {line}"
    must, may = EVENTS[event]
    keys = {re.sub(r"^(bot|place)\d$", r"\1*", key) for key in keys - EVERY_LINE}
    # `lost` is also a key.
    if keys <= must | may and must - EVERY_LINE <= keys:
        return ""
    return f"{event} has the keys {sorted(keys)}: {line}"


def _twice(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def parse(line):
    """Parses one line; raises ValueError if it is not JSON, also for NaN and
    for a key that stands twice."""
    def refuse(what):
        raise ValueError(f"{what} is no JSON")
    return json.loads(line, object_pairs_hook=_twice, parse_constant=refuse)


def wrong(name, line):
    """Returns what is wrong with a line of `name`, or ""."""
    try:
        found = parse(line)
    except ValueError as error:
        return f"{error}: {line[:200]}"
    if not isinstance(found, dict):
        return f"no object: {line[:200]}"
    return _object(name, found)


def _object(name, found):
    forms = FORMS.get(name, [])
    if not forms:
        return f"{name} is not documented: {sorted(found)}"
    if forms == [({"*"}, set())]:
        return ""
    keys = set(found)
    if not any(must <= keys <= must | may for must, may in forms):
        return f"{name}: no documented object has the keys {sorted(keys)}"
    for key, value in found.items():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                bad = _object(f"{name.split(':')[0]}: {key}", one)
                if bad:
                    return bad
    return ""
