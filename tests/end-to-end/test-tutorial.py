#!/usr/bin/env python3
"""End-to-end because people follow it: each step of the tutorial in
sample-bots/README.md, from an empty folder to a rated bot, by walk.py, and that the
small bots that it shows for the other languages are complete."""

import os
import re
import shlex
import shutil

import arena
import tap
import walk

README = (tap.SOURCE_DIR / "sample-bots" / "README.md").read_text("utf-8")
TUTORIAL = re.search(r"^## Ten minutes to a bot\n.*?(?=^## )", README,
                     re.MULTILINE | re.DOTALL)[0]
NOTHING = re.compile(r"(?!)")  # all of it is tested
MOVE = ["-o", "points=3", "--games", 2, "--bot", "random"]

# Each row has the files beside the bot, the name of its file, the command that
# builds it, and the one that runs it.
OWN = {
    "python": (["python/referee_bot.py"], "mine.py", None, "python3 mine.py"),
    "javascript": (["javascript/referee-bot.js"], "mine.js", None,
                   "node mine.js"),
    "c": (["c/referee-bot.c", "c/referee-bot.h"], "mine.c",
          "cc -o mine mine.c referee-bot.c", "./mine"),
    "cpp": (["cpp/referee_bot.hpp", "c/referee-bot.c", "c/referee-bot.h"],
            "mine.cpp", "cc -c referee-bot.c && "
            "c++ -std=c++17 -o mine mine.cpp referee-bot.o", "./mine"),
    "go": (["go/referee_bot.go"], "mine.go",
           "go build -o mine mine.go referee_bot.go", "./mine"),
    "java": (["java/RefereeBot.java"], "Mine.java", "javac Mine.java",
             "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m Mine"),
    "rust": (["rust/referee_bot.rs"], "mine.rs",
             "rustc --edition 2021 mine.rs", "./mine"),
    "sh": (["shell/referee_bot.sh"], "mine.sh", None, "sh mine.sh"),
}
SHOWN = re.compile(r"^## Your own bot in [^\n]*\n.*?^```(\w+)\n(.*?)^```",
                   re.MULTILINE | re.DOTALL)


def act(command, tree):
    """Runs a command.  Compiles the kit as soon as it is there: in a box Python would
    compile it at each start."""
    done = walk.run(command, tree)
    if command.startswith("cp "):
        tap.run([*tap.PYTHON, "-m", "compileall", "-q", tree / "my-bot"])
    return done


def try_own(place, language, text):
    files, name, build, command = OWN[language]
    program = (build or command).split()[0]
    if not shutil.which(program):
        tap.note(f"skipped: {language} (there is no {program})")
        return
    folder = place.root / language
    folder.mkdir()
    for file in files:
        shutil.copy(tap.SOURCE_DIR / "sample-bots" / file, folder)
    (folder / name).write_text(text, "utf-8")
    if build:
        cache = {"GO111MODULE": "off", "GOPROXY": "off",
                 "GOCACHE": str(tap.BUILD_DIR / ".go" / "cache"),
                 "GOPATH": str(tap.BUILD_DIR / ".go"), "CGO_ENABLED": "0",
                 "JAVA_TOOL_OPTIONS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"}
        done = tap.run(["sh", "-c", build], cwd=folder,
                       env={**os.environ, **cache})
        tap.equal(done.code, 0, f"{language}: {build}") or tap.note(done)
    run = place.match("toepen", "--bot", shlex.join([
        "sh", "-c", f"cd {shlex.quote(str(folder))} && exec {command}"]),
        "--name", "mine", *MOVE, *arena.PATIENT)
    line = next((line.split() for line in run.out.splitlines()
                 if " mine " in line), ["?"])
    tap.ok(run.code == 0 and line[-1] == "0",
           f"{language}: the small bot plays without a fault", run)


with arena.Arena() as place:
    tree = place.root / "tree"
    walk.lay_out(tree)
    walk.walk(TUTORIAL, tree, NOTHING, act)
    own = dict(SHOWN.findall(README))
    tap.equal(sorted(own), sorted(OWN), "a small bot for each kit")
    for language in sorted(own.keys() & OWN.keys()):
        try_own(place, language, own[language])
tap.done()
