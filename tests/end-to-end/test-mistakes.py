#!/usr/bin/env python3
"""Five mistakes of a first-time author, in Python, C and Java, and whether
what `match` and `check` print has the cause in it by name.  `check` and Java,
which start slowly, are of the long form alone; with --show all is printed."""

import concurrent.futures
import os
import re
import shlex
import shutil
import sys

import arena
import tap

SHOW = "--show" in sys.argv
ALL = SHOW or os.environ.get("CHECK_ALL") == "1"
MISTAKES = ("exception", "held-back", "debug-print", "wrong-token",
            "third-game")

# A bot without a kit; the first argument is its mistake.
PYTHON = """
import sys
mistake, games = sys.argv[1], 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "game":
        games += 1
    if words[0] == "bye":
        break
    if words[0] != "ask":
        continue
    if mistake == "debug-print":
        print("my hand is empty")
    if mistake == "third-game" and games == 3:
        {}["left over from game 2"]
    print("do", words[1], "pley" if mistake == "wrong-token" else words[3],
          flush=mistake != "held-back")
"""
KIT = """
import referee_bot
class Mine(referee_bot.Bot):
    def choose(self, ask):
        return self.table.hands[0]
referee_bot.run(Mine)
"""
C = r"""
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	static char line[9000], token[9000];
	const char *mistake = argc > 1 ? argv[1] : "";
	int games = 0, k;

	while (fgets(line, sizeof(line), stdin)) {
		games += strncmp(line, "game ", 5) == 0;
		if (strcmp(line, "bye\n") == 0)
			break;
		if (sscanf(line, "ask %d %*d %s", &k, token) != 2)
			continue;
		if (strcmp(mistake, "exception") == 0)
			assert(!"the hand is empty");
		if (strcmp(mistake, "third-game") == 0 && games == 3)
			assert(!"left over from game 2");
		if (strcmp(mistake, "debug-print") == 0)
			puts("my hand is empty");
		if (strcmp(mistake, "wrong-token") == 0)
			strcpy(token, "pley");
		printf("do %d %s\n", k, token);
		if (strcmp(mistake, "held-back") != 0)
			fflush(stdout);
	}
	return 0;
}
"""
JAVA = """
import java.io.*;
class Mine {
    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in));
        var out = new PrintWriter(new BufferedWriter(
            new OutputStreamWriter(System.out)));
        int games = 0;
        String mistake = args[0], line;
        while ((line = in.readLine()) != null) {
            String[] words = line.split(" ");
            if (words[0].equals("game"))
                games++;
            if (words[0].equals("bye"))
                break;
            if (!words[0].equals("ask"))
                continue;
            if (mistake.equals("exception"))
                words = new String[0];
            if (mistake.equals("third-game") && games == 3)
                throw new IllegalStateException("left over from game 2");
            if (mistake.equals("debug-print"))
                out.println("my hand is empty");
            String token = mistake.equals("wrong-token") ? "pley" : words[3];
            out.println("do " + words[1] + " " + token);
            if (!mistake.equals("held-back"))
                out.flush();
        }
    }
}
"""

# What must be told, which is not the name of the mistake, for that stands in the
# command line; by `match` and by `check`.
CAUSES = {
    ("Python", "exception"): "AttributeError: 'ToepenTable' object has no "
                             "attribute 'hands'",
    ("C", "exception"): "the hand is empty",
    ("Java", "exception"): "ArrayIndexOutOfBoundsException: Index",
    ("Python", "third-game"): "KeyError: 'left over from game 2'",
    ("C", "third-game"): "left over from game 2",
    ("Java", "third-game"): "IllegalStateException: left over from game 2",
}
COMMON = {"held-back": "it flush its output", "debug-print": "my hand is empty",
          "wrong-token": "pley"}


def languages(place):
    """{language: how it is started}"""
    (place.root / "mine.py").write_text(PYTHON)
    (place.root / "kit.py").write_text(KIT)
    shutil.copy(tap.SOURCE_DIR / "sample-bots/python/referee_bot.py",
                place.root)
    found = {"Python": [sys.executable, "-B", str(place.root / "mine.py")]}
    for language, tool, name, text, build, run in (
            ("C", "cc", "mine.c", C, ["cc", "-o", "mine", "mine.c"],
             [str(place.root / "mine")]),
            ("Java", "javac", "Mine.java", JAVA, ["javac", "Mine.java"],
             ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp",
              str(place.root), "Mine"])):
        if not shutil.which(tool):
            tap.ok(True, f"{language} # SKIP there is no {tool}")
        elif language != "Java" or ALL:
            (place.root / name).write_text(text)
            built = tap.run(build, cwd=place.root, env=place.environ)
            tap.equal(built.code, 0, f"{language}: it is built")
            found[language] = run
    return found


def play(place, command, language, mistake):
    if (language, mistake) == ("Python", "exception"):
        command = [sys.executable, "-B", str(place.root / "kit.py")]
    bot = shlex.join([*command, mistake])
    common = ("--sandbox", "off", "--move-time", 300, "--seed", "mistakes")
    reuse = ("--reuse",) if mistake == "third-game" else ()
    match = tap.run([tap.REFEREE, "match", "toepen", "--jobs", 1, "-o", "points=1", "--bot",
                     bot, "--name", "mine", "--bot", "random", "--games", 6,
                     *common, *reuse], env=place.environ)
    check = None
    if ALL:
        check = tap.run([tap.REFEREE, "check", bot, "--game", "toepen",
                         "--quick", "--limit", 20, *common, *reuse],
                        env=place.environ)
    return match, check


def tell(run, command, language, mistake):
    cause = CAUSES.get((language, mistake)) or COMMON[mistake]
    tap.ok(cause in run.out + run.err,
           f"{language}, {mistake}: {command} tells `{cause}`", run)
    if SHOW:
        tap.note(re.sub(r"(?m)^", f"{language} {mistake} {command}| ",
                        f"exit code {run.code}\n{run.out}{run.err}"))


with arena.Arena() as place:
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        runs = {(language, mistake): pool.submit(play, place, command,
                                                 language, mistake)
                for language, command in languages(place).items()
                for mistake in MISTAKES
                if ALL or mistake != "held-back"}  # that one waits
        for (language, mistake), run in runs.items():
            match, check = run.result()
            tell(match, "match", language, mistake)
            if check:
                tell(check, "check", language, mistake)
tap.done()
