#!/usr/bin/env python3
"""Tests six mistakes of a first-time author, in Python, C and Java: `match`,
`check` and the log that a daemon shows the author must name the cause.  Only
the long form has `check` and Java, which start slowly, and other languages than
Python at the daemon; --show prints everything."""

import concurrent.futures
import os
import re
import shlex
import shutil
import sys

import arena
import local_bots
import tap

SHOW = "--show" in sys.argv
ALL = SHOW or os.environ.get("CHECK_ALL") == "1"
MISTAKES = ("exception", "held-back", "endless-loop", "debug-print", "wrong-token",
            "third-game")

# A bot without a kit; the first argument is its mistake.  An endless loop begins at
# the second ask, because the first one has five seconds more.  A daemon starts a
# process for each game, so there the bot takes one game in three, by its ID, as
# the third.
PYTHON = """
import sys
mistake, games = sys.argv[1], 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "game":
        games += 1
        if mistake == "one-in-three" and int(words[1][-1], 16) % 3 == 0:
            mistake, games = "third-game", 3
    if words[0] == "bye":
        break
    if words[0] != "ask":
        continue
    if mistake == "debug-print":
        print("my hand is empty")
    while mistake == "endless-loop" and words[1] != "1":
        pass
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
	char last;

	while (fgets(line, sizeof(line), stdin)) {
		games += strncmp(line, "game ", 5) == 0;
		if (strcmp(mistake, "one-in-three") == 0 && games == 1 &&
		    sscanf(line, "game %*31s%c", &last) == 1 &&
		    strchr("0369cf", last)) {
			mistake = "third-game";
			games = 3;
		}
		if (strcmp(line, "bye\n") == 0)
			break;
		if (sscanf(line, "ask %d %*d %s", &k, token) != 2)
			continue;
		if (strcmp(mistake, "exception") == 0)
			assert(!"the hand is empty");
		for (volatile int n = strcmp(mistake, "endless-loop"); n == 0 && k > 1;)
			;
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
            if (words[0].equals("game") && mistake.equals("one-in-three")
                    && "0369cf".indexOf(words[1].charAt(31)) >= 0) {
                mistake = "third-game";
                games = 3;
            }
            if (words[0].equals("bye"))
                break;
            if (!words[0].equals("ask"))
                continue;
            if (mistake.equals("exception"))
                words = new String[0];
            while (mistake.equals("endless-loop") && !words[1].equals("1"))
                games++;
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

# `match` and `check` must print this.  It is not the name of the mistake,
# because that stands in the command line.
CAUSES = {
    ("Python", "exception"): "AttributeError: 'ToepenTable' object has no "
                             "attribute 'hands'",
    ("C", "exception"): "the hand is empty",
    ("Java", "exception"): "ArrayIndexOutOfBoundsException: Index",
    ("Python", "third-game"): "KeyError: 'left over from game 2'",
    ("C", "third-game"): "left over from game 2",
    ("Java", "third-game"): "IllegalStateException: left over from game 2",
}
COMMON = {"held-back": "it was waiting, not computing: did it flush its "
          "output?", "endless-loop": "it was still computing: is it too slow, "
          "or in an endless loop?", "debug-print": "my hand is empty",
          "wrong-token": "pley"}


BUSY = "the machine is overloaded"  # may be printed instead
SILENT = ("held-back", "endless-loop")  # these run out of time
SHORT_MS, LONG_MS = 300, 60000


def languages(place):
    """Returns {language: command line}."""
    (place.root / "mine.py").write_text(PYTHON)
    (place.root / "kit.py").write_text(KIT)
    shutil.copy(tap.SOURCE_DIR / "sample-bots/python/referee_bot.py",
                place.root)
    found = {"Python": [*tap.PYTHON, str(place.root / "mine.py")]}
    for language, tool, name, text, build, run in (
            ("C", "cc", "mine.c", C, ["cc", "-o", "mine", "mine.c"],
             [str(place.root / "mine")]),
            ("Java", "javac", "Mine.java", JAVA, ["javac", "Mine.java"],
             ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp",
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
        command = [*tap.PYTHON, str(place.root / "kit.py")]
    bot = shlex.join([*command, mistake])
    common = ("--sandbox", "off", "--seed", "mistakes", "--move-time",
              SHORT_MS if mistake in SILENT else LONG_MS)
    reuse = ("--reuse",) if mistake == "third-game" else ()
    few = ("--faults", 1) if mistake in SILENT else ()  # each fault takes the time for a move
    match = tap.run([tap.REFEREE, "match", "toepen", "--jobs", 1, "-o", "points=1", "--bot",
                     bot, "--name", "mine", "--bot", "random", "--games",
                     2 if few else 6, *common, *reuse, *few], env=place.environ)
    check = None
    if ALL:
        check = tap.run([tap.REFEREE, "check", bot, "--game", "toepen",
                         "--quick", "--limit", 120, *common, *reuse],
                        env=place.environ)
    return match, check


def cause_of(language, mistake):
    return CAUSES.get((language, mistake)) or COMMON[mistake]


def tell(text, teller, language, mistake):
    cause = cause_of(language, mistake)
    tap.ok(cause in text or mistake in SILENT and BUSY in text,
           f"{language}, {mistake}: {teller} tells `{cause}`", text)
    if SHOW:
        tap.note(re.sub(r"(?m)^", f"{language} {mistake} {teller}| ",
                        text[:3000]))


def told(run):
    return f"exit code {run.code}\n{run.out}{run.err}"


# ---- at a daemon -----------------------------------------------------------

def move_in(serve, place, language, command, mistake):
    """Adds the bot as a local bot; returns its name."""
    name = f"{language}-{mistake}".lower()
    files = {"mine.py": PYTHON, "kit.py": KIT, "referee_bot.py":
             (place.root / "referee_bot.py").read_text("ascii")}
    run = ["python3", "-B", "kit.py" if mistake == "exception" else "mine.py"]
    if language != "Python":
        files, run = {}, ["./mine"]
    if language == "Java":
        run = [command[0], "-Xmx64m", *command[1:-2], ".", "Mine"]
    run.append("one-in-three" if mistake == "third-game" else mistake)
    words = ", ".join(f'"{word}"' for word in run)
    folder = serve.root / name
    folder.mkdir()
    for file, text in files.items():
        (folder / file).write_text(text, "ascii")
    for binary in {"C": ["mine"], "Java": ["Mine.class"]}.get(language, []):
        shutil.copy(place.root / binary, folder)
    (folder / "bot.conf").write_text(
        f'name = "{name}"\nversion = "1"\nrun = {{ {words} }}\n'
        + "memory = 512\n" * (language == "Java"), "ascii")
    added = local_bots.add(serve, folder, "--ladder",
                           "short" if mistake in SILENT else "toepen")
    tap.equal((added.code, local_bots.without_made(added.err)), (0, ""),
              f"{name} is added")
    return name


def at_a_daemon(place, commands):
    """Tests the logs of such bots, which their authors read with their tokens."""
    with local_bots.serve() as serve:
        conf = serve.file.read_text("ascii")
        serve.file.write_text(conf.replace(
            '"durnius" { game = durnius',
            f'"short" {{ game = toepen move-time = {SHORT_MS}').replace(
            '"toepen" {', f'"toepen" {{ move-time = {LONG_MS}'), "ascii")
        serve.start()
        serve.play("guest", "toepen")
        serve.play("patient", "short")
        # One at a time: they play, and take the processor, as long as they may.
        for language, command in commands.items():
            for mistake in MISTAKES if ALL or language == "Python" else ():
                name = move_in(serve, place, language, command, mistake)
                causes = [cause_of(language, mistake), BUSY]
                tell(local_bots.told(serve, name, serve.token(name),
                                     *causes[:1 + (mistake in SILENT)]),
                     "log", language, mistake)
                tap.equal(local_bots.bots(serve, "disable", name).code, 0,
                          f"{name} plays no more")


with arena.Arena() as place:
    commands = languages(place)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        runs = {(language, mistake): pool.submit(play, place, command,
                                                 language, mistake)
                for language, command in commands.items()
                for mistake in MISTAKES}
        at_a_daemon(place, commands)
        for (language, mistake), run in runs.items():
            match, check = run.result()
            tell(told(match), "match", language, mistake)
            if check:
                tell(told(check), "check", language, mistake)
tap.done()
