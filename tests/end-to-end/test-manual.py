#!/usr/bin/env python3
"""End-to-end because the program prints its own help: the manual, doc/referee*.[1578],
agrees with it on commands, usage, options with their values in the order of --help, the
options of both kinds of configuration, and the paths over HTTP. --help names its page,
each page that another one names exists, and mandoc finds no fault."""

import pathlib
import re
import shlex
import shutil

import tap

FILES = sorted(path for path in (tap.SOURCE_DIR / "doc").iterdir()
               if re.fullmatch(r"referee[a-z.-]*\.[1578]", path.name))
PAGES = {path.name: path.read_text("ascii") for path in FILES}
HELP = tap.referee("help").out
BRIEFS = [(name, brief) for name, brief in
          re.findall(r"^  ([a-z]+) +(.*)$", HELP, re.MULTILINE)
          if name != "help"]


def listed(command):
    """Returns the words that the --help of a command lists before its options."""
    return re.findall(r"^  ([a-z]+) ",
                      tap.referee(command, "--help").out.split("-?,")[0],
                      re.MULTILINE)


LADDER, FORMATS = listed("ladder"), listed("tournament")
LISTED = {"ladder": [f"ladder {name}" for name in LADDER],
          "tournament": [f"tournament {name}" for name in FORMATS]}
WITHOUT_JSON = ("ladder export", "ladder new")


# ---- what the program says --------------------------------------------

def helped(command):
    """Returns the options of a command with their values, as --help lists them."""
    text = tap.referee(*command.split(), "--help").out.split("\n  -?,")[0]
    return [(short or long).lower() for short, long in re.findall(
        r"^(?:  (-\w(?:, --\S+| \S+=\S+)?)|      (--\S+))", text,
        re.MULTILINE)]


def usages(command):
    """Returns the usage lines of a command without options."""
    return [bare(line) for line in re.findall(
        r"^(?:Usage:|  or: ) (.*)$",
        tap.referee(*command.split(), "--help").out, re.MULTILINE)]


# ---- what a page says --------------------------------------------------

def plain(line):
    """Returns the text of a line with macros, in lower case."""
    text, end = "", ""
    for word in re.sub(r"\\&", "", line).split():
        if word == "Op":
            text, end = text + " [", "]"
        elif word == "Oo":
            text += "["
        elif word == "Oc":
            text += "]"
        elif word == "Fl":
            text += " -"
        elif word == "Ns":
            text = text.rstrip() + "\0"
        elif word not in ("Ar", "Cm", "Ic", "Nm", "No", "Pa"):
            text += " " + word
    text = re.sub(r"(\0|(?<=\[)|(?<= -)) +", "", text + end)
    text = re.sub(r" *\| *", "|", text.replace("\0", ""))
    return re.sub(r" +(?=[,:\]]|\.\.\.)", "", text).strip().lower()


def bare(usage):
    """Returns a usage line without the words that begin with a dash."""
    return " ".join(word for word in usage.lower().split()
                    if not word.startswith("-"))


def section(text, name, kind="Sh"):
    found = re.search(rf"^\.{kind} {re.escape(name)}\n(.*?)(?=^\.Sh |\Z"
                      + (r"|^\.Ss " if kind == "Ss" else "") + ")",
                      text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def options(text):
    return [plain(line) for line in
            re.findall(r"^\.It (Fl .*)$", text, re.MULTILINE)]


def synopsis(text):
    return [bare(" ".join(plain(line) for line in one.split("\n.")))
            for one in re.split(r"^\.(?=Nm)", section(text, "SYNOPSIS"),
                                flags=re.MULTILINE)[1:]]


def page_of(command):
    """Returns the page of a command; `.so` names the page that has it."""
    for number in "18":
        name = f"referee-{command}.{number}"
        if name in PAGES:
            link = re.fullmatch(r"\.so man\d/(.*)\n", PAGES[name])
            return link[1] if link else name
    return None


# ---- commands ----------------------------------------------------------

tap.ok(len(BRIEFS) > 8, "commands were found", BRIEFS)
tap.equal([name for name, _ in BRIEFS if page_of(name) not in PAGES], [],
          "each command has a page")
overview = PAGES["referee.1"]
tap.equal(re.findall(r"^\.It Cm ([a-z]+)\n(.*):\n\.Xr (.*) (\d)$",
                     section(overview, "COMMANDS"), re.MULTILINE),
          [(name, brief, *page_of(name).rsplit(".", 1))
           for name, brief in BRIEFS], "referee(1) lists them as help does")
for name, brief in BRIEFS:
    told = tap.referee(name, "--help").out
    tap.ok(name == "tournament" or "Exit codes: 0" in told and "Example" in told
           and max(map(len, told.splitlines())) <= 80,
           f"{name}: --help has exit codes and an example, in 80 columns", told)
    text = PAGES[page_of(name)]
    commands = LISTED.get(name, [name])
    tap.equal([command for command in [name, *commands] if not
               tap.referee(*command.split(), "--help").out.endswith(
                   f"\n`man referee-{name}` says more.\n")], [],
              f"{name}: --help ends with the name of its page")
    if name != "restore":
        tap.ok(f"\n.Nd {brief}\n" in text, f"{name}: the brief of help",
               text[:300])
    wanted = [line for command in commands for line in usages(command)]
    found = synopsis(text)
    if name == "tournament":
        wanted = [wanted[0].replace(FORMATS[0], "|".join(FORMATS))]
    if name in ("backup", "restore"):
        found = [line for line in found if line.split()[1] == name]
    tap.equal(found, wanted, f"{name}: the usage of --help")
    if name == "ladder":
        common = options(section(text, "OPTIONS"))
        for command in commands:
            wanted = helped(command)
            tap.equal(options(section(text, command, "Ss")),
                      [option for option in wanted if option not in common],
                      f"the options of {command}")
            tap.equal([option for option in common if option not in wanted],
                      ["-j, --json"] if command in WITHOUT_JSON else [],
                      f"{command} takes the common options")
        continue
    wanted = helped(commands[0])
    if name == "tournament":  # words that `match` does not have
        match = set(helped("match"))
        wanted = sorted({option for command in commands
                         for option in helped(command)} - match)
    tap.equal(options(section(text, "OPTIONS")), wanted,
              f"the options of {name}")
tap.ok(sum(len(options(text)) for text in PAGES.values()) > 100,
       "options were found")


# ---- examples ----------------------------------------------------------

def examples(text):
    """Returns the words of each `$ referee ...` of a page."""
    text = re.sub(r"^\.Dl ", "", text, flags=re.MULTILINE)
    for line in re.findall(r"^\$ referee (.*)$", text.replace("\\e\n", ""),
                           re.MULTILINE):
        words = shlex.split(line.split(" | ")[0])
        yield [word for word in words if not word.startswith(">")]


def usage_code(words):
    """Returns the exit code with --usage, which comes after the options are
    checked."""
    count = 2 if words[0] in LISTED else 1
    return tap.referee(*words[:count], "--usage", *words[count:]).code


ran = [(name, words) for name, text in PAGES.items()
       for words in examples(text)]
tap.ok(len(ran) > 20, "examples were found", ran)
tap.equal([(name, words) for name, words in ran if usage_code(words) != 0], [],
          "the options of all examples exist")


# ---- configuration -----------------------------------------------------

def configured(text):
    """Returns [(section, [(option, value or None)])] of a printed
    configuration, with the first section of each kind."""
    found, where = {"": []}, ""
    for line in text.split("\n"):
        opened = re.match(r"([a-z-]+) .*\{$|([a-z-]+) \{$", line)
        option = re.match(r"\t?(# )?([a-z-]+) = (.*)$", line)
        if opened and not option:
            where = opened[1] or opened[2]
            where = where if where not in found else None
            if where:
                found[where] = []
        elif line == "}":
            where = ""
        elif option and where is not None and not (option[1] and
                                                   ": " in option[3]):
            found[where].append((option[2],
                                 None if option[1] else option[3]))
    return found


def described(text, name):
    return [(option, value.replace(r"\(dq", '"')) for option, value in
            re.findall(r"^\.It Ic ([a-z-]+) = (.*)$", section(text, name),
                       re.MULTILINE)]


printed = configured(tap.referee("serve", "--print").out)
TITLES = {"": "GLOBAL OPTIONS", "listener": "LISTENERS", "limits": "LIMITS",
          "local-bots": "LOCAL BOTS", "ladder": "LADDERS"}
tap.equal(sorted(printed), sorted(TITLES), "the sections of a configuration")
for kind, title in TITLES.items():
    shown = described(PAGES["referee.conf.5"], title)
    tap.ok(printed[kind], f"{title}: options were found")
    tap.equal([option for option, _ in shown],
              [option for option, _ in printed[kind]],
              f"{title}: the options")
    tap.equal([pair for pair, (_, default) in zip(shown, printed[kind])
               if not pair[1].startswith(("Ar ", "{ Ar"))
               and pair[1] != default], [], f"{title}: the defaults")
shown = re.findall(r"^\.Bd [^\n]*\n(.*?)^\.Ed$", PAGES["referee.conf.5"],
                   re.MULTILINE | re.DOTALL)
with tap.folder() as folder:
    for number, text in enumerate(shown):
        path = pathlib.Path(folder, f"{number}.conf")
        path.write_text(text)
        tap.equal(tap.referee("serve", "--config", path, "--print").code, 0,
                  f"the configuration of example {number + 1} is right")
tap.ok(len(shown) > 1, "configurations were found")
tap.equal(re.findall(r"[a-z]+", " ".join(re.findall(
    r"^\.It Ic (.*)$", PAGES["referee-bot.conf.5"], re.MULTILINE))),
    re.findall(r"^(?:# )?([a-z]+) = ",
               (tap.SOURCE_DIR / "doc" / "bot.conf.example").read_text("utf-8"),
               re.MULTILINE), "the settings of a bot's folder")


# ---- paths over HTTP ----------------------------------------------------

NAMES = {"ladder": "NAME", "bot": "NAME", "other": "OTHER", "game": "GAME",
         "id": "ID", "owner": "NAME"}
routes = re.findall(r'^\t\{ "GET", (API )?"([^"]*)"',
                    (tap.SOURCE_DIR / "referee" / "web" / "routes.c")
                    .read_text("utf-8"), re.MULTILINE)
http = PAGES["referee-http.7"]
paths = [path.split("?")[0].rstrip("/") for line in re.findall(
    r"^\.It Pa (.*)$", section(http, "PAGES FOR PEOPLE")
    + section(http, "PAGES FOR PROGRAMS"), re.MULTILINE)
    for path in line.split(" , ")]
tap.ok(len(paths) > 25 and len(set(paths)) == len(paths),
       "paths were found, each once", paths)
tap.equal(set(paths), {
    re.sub(r"\{(\w+)\}", lambda found: NAMES[found[1]],
           ("/api/1" if api else "") + path).rstrip("/")
    for api, path in routes if not path.startswith("/static/")},
    "referee-http(7) has the paths of routes.c")


# ---- between pages -----------------------------------------------------

named = {f"{name}.{number}" for text in PAGES.values() for name, number in
         re.findall(r"^\.Xr (referee\S*) (\d)", text, re.MULTILINE)}
whole = {name for name, text in PAGES.items() if not text.startswith(".so ")}
tap.equal(sorted(named - whole), [], "each page that is named exists")
tap.equal(sorted({f"{name}.{number}" for name, number in re.findall(
    r"^\.Xr (referee\S*) (\d)", section(overview, "SEE ALSO"), re.MULTILINE)}),
    sorted(whole - {"referee.1"}), "referee(1) names all pages")
tap.equal([(name, title) for name, text in PAGES.items() for title in
           re.findall(r"^\.Sx (.*?)(?: [.,;)]+)*$", text, re.MULTILINE)
           if not re.search(rf"^\.S[hs] {re.escape(title)}$", text,
                            re.MULTILINE)], [],
          "each section that is named exists")
if shutil.which("mandoc"):
    lint = tap.run(["mandoc", "-Tlint", "-Wstyle",
                    *(path for path in FILES if path.name in whole)])
    # mandoc does not find these pages, because they are not installed.
    tap.equal([line for line in lint.out.splitlines()
               if "referenced manual not found" not in line], [],
              "mandoc finds nothing wrong")
else:
    tap.ok(True, "mandoc finds nothing wrong # SKIP there is no mandoc")
tap.done()
