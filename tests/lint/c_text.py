"""Holds what the lints have in common: our C files, and how to take one apart."""

import os
import pathlib
import re

TREE = pathlib.Path(os.environ.get("SOURCE_DIR",
                                   pathlib.Path(__file__).resolve().parents[2]))
PRODUCT = ("protocol", "ladder", "referee")
NO_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\""
                     r"|'(?:[^'\\\n]|\\.)+'", re.DOTALL)
TOKEN = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*|[{};]", re.MULTILINE | re.DOTALL)


def sources(folders=PRODUCT, kinds=(".c", ".h")):
    """Returns {path: text} of every such file, in order of names."""
    return {str(path.relative_to(TREE)): path.read_text()
            for folder in folders
            for path in sorted((TREE / folder).rglob("*"))
            if path.suffix in kinds and path.is_file()}


def bare(text):
    """Returns the text without comments, strings and characters; lines stay
    where they are."""
    return NO_CODE.sub(lambda found: " " + "\n" * found[0].count("\n"), text)


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def chunks(code):
    """Returns what stands in a file's bare text outside of all braces, in order: its
    offset, kind ("function", "data", "macro", "prototype", "other"), the name that it
    defines or declares, or None, and its text."""
    start = depth = 0
    for token in TOKEN.finditer(code):
        text = code[start:token.end()]
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth -= 1
            if depth == 0 and text[:text.index("{")].rstrip().endswith(")"):
                yield start, *function(text), text
                start = token.end()
        elif depth == 0 and token[0] == ";":
            yield start, *declaration(text), text
            start = token.end()
        elif depth == 0:
            macro = re.match(r"\s*#\s*define\s+(\w+)", token[0])
            yield (token.start(), "macro" if macro else "other",
                   macro and macro[1], token[0])
            if not code[start:token.start()].strip():
                start = token.end()


def function(text):
    head = text.partition("{")[0]
    names = re.findall(r"^(\w+)\(", head, re.MULTILINE) or \
        re.findall(r"(\w+)\s*\(", head)
    return "function", names[-1]


def declaration(text):
    head = text.partition("{")[0]
    value = re.search(r"(\w+)\s*(?:(?:\[[^\]]*\]|\((?!\*)[^()]*\)|\))\s*)*=", text)
    if value and "=" in head:
        return "data", value[1]
    called = re.search(r"[\w*]\s+\**(\w+)\s*\(", head)
    return ("prototype", called[1]) if called and "{" not in text else (
        "other", None)
