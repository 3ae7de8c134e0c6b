#!/usr/bin/env python3
"""End-to-end because shells run the scripts in doc/completion: what they complete, and
that each command completes all of its options.  test-command-usage has the candidates."""

import os
import pathlib
import shutil
import subprocess

import tap

SCRIPTS = tap.SOURCE_DIR / "doc" / "completion"
GAMES = [line.split()[0] for line in tap.referee("games").out.splitlines()]
SOME = [game for game in GAMES if game.startswith("d")]  # some games
COMMANDS = ["backup", "bench", "bots", "check", "connect", "games", "ladder",
            "match", "owners", "queue", "replay", "report", "restore", "serve",
            "tournament", "verify", "worker"]

PARTS = {"ladder": "export", "tournament": "knockout"}


def candidates(*words):
    run = tap.referee("complete", *words)
    return sorted(line.split("\t")[0] for line in run.out.splitlines())


def offers(words, *expected):
    tap.equal(candidates(*words), sorted(expected), " ".join(words) or "''")


offers([""], *COMMANDS)
offers(["ma"], "match")
offers(["no-command", ""])
offers([])
# Each command completes the options that its --help lists.
for command in COMMANDS:
    help_text = tap.referee(command, "--help").out
    if command in PARTS:
        help_text = tap.referee(command, PARTS[command], "--help").out
    listed = {word.strip(",").split("=")[0].split("[")[0]
              for line in help_text.splitlines() if line.startswith("  ")
              for word in line.split()[:2] if word.startswith("--") and word != "--"}
    words = [command] + ([PARTS[command]] if command in PARTS else [])
    tap.equal(set(candidates(*words, "--")) | {"--usage"}, listed | {"--usage"},
              f"{command}: all its options")


def shell(name, script, line, *expected):
    if shutil.which(name) is None:
        tap.skip(f"{name}: {line}", f"there is no {name} here")
        return
    path = f"{pathlib.Path(tap.REFEREE).parent}:{os.environ['PATH']}"
    run = subprocess.run([name, *(["-f"] if name == "zsh" else []), "-c",
                          script, name, *line.split(" ")],
                         env={**os.environ, "PATH": path, "HOME": "/nonexistent",
                              "XDG_DATA_HOME": "/nonexistent",
                              "XDG_CONFIG_HOME": "/nonexistent"},
                         capture_output=True, text=True, timeout=tap.TIMEOUT_S)
    found = sorted(word.split("\t")[0] for word in run.stdout.splitlines())
    tap.equal((found, run.stderr), (sorted(expected), ""),
              f"{name}: {line}")


BASH = f"""source {SCRIPTS}/referee
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_referee
[ ${{#COMPREPLY[@]}} = 0 ] || printf '%s\\n' "${{COMPREPLY[@]}}" """
ZSH = f"""words=("$@") CURRENT=$#
_describe() {{ print -l -- "${{(@)candidates%%:*}}" }}
_files() {{ print files }}
_referee() {{ source {SCRIPTS}/_referee }}
_referee"""
FISH = f"source {SCRIPTS}/referee.fish; complete -C \"$argv[2..-1]\""
for line, *expected in (("referee match toepen --pin ", "auto", "off"),
                        ("referee ladder sh", "show"),
                        ("referee match d", *SOME)):
    shell("bash", BASH, line, *expected)
    shell("zsh", ZSH, line, *expected)
    shell("fish", FISH, line, *expected)
shell("zsh", ZSH, "referee verify no-such-file-", "files")
tap.done()
