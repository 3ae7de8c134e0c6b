/* tests/unit/test-command-usage.c - each mistake in a command line is one
 * sentence and exit code 2, and makes no file; what a shell may complete. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/util.h"
#include "referee/base/command.h"
#include "referee/cli/commands.h"
#include "referee/cli/complete.h"
#include "referee/games/game.h"

#define WORDS 64
#define RUN_S 600 /* ends a command that goes on with a mistake */
#define LONG_BYTES 5000
#define CUT_10 "xxxxxxxxxx"
#define CUT_50 CUT_10 CUT_10 CUT_10 CUT_10 CUT_10
#define CUT_98 CUT_50 CUT_10 CUT_10 CUT_10 CUT_10 "xxxxxxxx"
#define CUT "'" CUT_98 "xx...'"
#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* A command line and the sentence about it: all of it behind a `=`, otherwise a
 * part of it; NULL: there is nothing to complain of.  Words are apart by one
 * space each.  These stand for others:
 *
 *	''	an empty word
 *	B2	--bot random --bot house
 *	LONG	five thousand times x
 *	@NAME	a file of tests/vectors
 *
 * and in each word ~ stands for a space. */
struct usage {
	const char *line, *told;
};

static const struct command *const commands[] = {
	&command_bench,	 &command_bots,	      &command_check,  &command_connect,
	&command_games,	 &command_ladder,     &command_match,  &command_replay,
	&command_report, &command_tournament, &command_verify,
};

static char folder[64], long_word[LONG_BYTES + 1];

static void
begin(void)
{
	snprintf(folder, sizeof(folder), "%s/usage-XXXXXX", getenv("TMPDIR"));
	cr_assert_not_null(mkdtemp(folder));
	memset(long_word, 'x', LONG_BYTES);
}

static void
end(void)
{
	cr_assert_eq(rmdir(folder), 0, "a file was made");
}

TestSuite(command_usage, .init = begin, .fini = end);

/* Cuts the line into words, in `copy`; returns how many there are. */
static int
cut(char *copy, char **argv, char (*paths)[512])
{
	static char bot[] = "--bot", dice[] = "random", house[] = "house",
		    empty[] = "";
	int argc = 0;

	for (char *word; (word = strsep(&copy, " ")) != NULL;) {
		cr_assert_lt(argc, WORDS - 5);
		for (char *c = word; *c != '\0'; c++)
			if (*c == '~')
				*c = ' ';
		if (strcmp(word, "B2") == 0) {
			argv[argc++] = bot;
			argv[argc++] = dice;
			argv[argc++] = bot;
			argv[argc++] = house;
		} else if (strcmp(word, "LONG") == 0) {
			argv[argc++] = long_word;
		} else if (strcmp(word, "''") == 0) {
			argv[argc++] = empty;
		} else if (*word == '@') {
			snprintf(*paths, sizeof(*paths), "%s/tests/vectors/%s",
				 SOURCE_DIR, word + 1);
			argv[argc++] = *paths++;
		} else {
			argv[argc++] = word;
		}
	}
	argv[argc] = NULL;
	return argc;
}

/* Ends the process at once: nothing of the test runner's is to be done. */
static void
leave(int code, void *arg)
{
	(void)arg;
	fflush(NULL);
	_exit(code);
}

_Noreturn static void
run(char *line, int out, int err)
{
	char *argv[WORDS], paths[4][512], name[64];
	const int argc = cut(line, argv, paths);

	alarm(RUN_S);
	if (chdir(folder) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(err, STDERR_FILENO) < 0 || on_exit(leave, NULL) != 0)
		_exit(99);
	for (size_t i = 0; i < NELEM(commands); i++)
		if (strcmp(commands[i]->name, argv[0]) == 0) {
			snprintf(name, sizeof(name), "referee %s", argv[0]);
			argv[0] = name;
			exit(commands[i]->run(argc, argv));
		}
	_exit(98);
}

/* Reads what was written to a file. */
static void
read_back(int fd, char *text, size_t size)
{
	const ssize_t n = pread(fd, text, size - 1, 0);

	cr_assert_geq(n, 0);
	text[n] = '\0';
	cr_assert_eq(close(fd), 0);
}

/* Runs the line in a process of its own; returns its exit code. */
static int
try(const char *line, char *out, char *err, size_t size)
{
	const int fd_out = memfd_create("out", MFD_CLOEXEC),
		  fd_err = memfd_create("err", MFD_CLOEXEC);
	char copy[1024];
	int status;
	pid_t pid;

	cr_assert(fd_out >= 0 && fd_err >= 0);
	snprintf(copy, sizeof(copy), "%s", line);
	pid = fork();
	if (pid == 0)
		run(copy, fd_out, fd_err);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	read_back(fd_out, out, size);
	read_back(fd_err, err, size);
	cr_assert(WIFEXITED(status), "`%s` was killed: %s", line, err);
	return WEXITSTATUS(status);
}

/* Returns true if `err` is the sentence, and maybe the hint behind it. */
static bool
is_told(const char *told, const char *err)
{
	const char *line = strchr(err, '\n');
	char wanted[1024];

	snprintf(wanted, sizeof(wanted), "referee: %s\n", told + 1);
	if (*told == '=')
		return strcmp(err, wanted) == 0;
	return strncmp(err, "referee", 7) == 0 && line != NULL &&
	       strstr(err, told) != NULL && strstr(err, told) < line &&
	       (line[1] == '\0' || (strncmp(line + 1, "Try ", 4) == 0 &&
				    strchr(line + 1, '\n')[1] == '\0'));
}

static void
expect(const struct usage *usages, size_t n)
{
	char out[8192], err[8192];
	const struct usage *it;
	int code;

	for (it = usages; it < usages + n; it++) {
		code = try(it->line, out, err, sizeof(out));
		if (it->told == NULL) {
			cr_expect(code == EXIT_DONE && *err == '\0',
				  "`%s`: %d, %s", it->line, code, err);
			continue;
		}
		cr_expect(code == EXIT_USAGE && *out == '\0' &&
				  is_told(it->told, err),
			  "`%s`: expected `%s`, found %d, %s%s", it->line,
			  it->told, code, out, err);
	}
}

#define EXPECT(...)                                                            \
	do {                                                                   \
		static const struct usage usages[] = { __VA_ARGS__ };          \
                                                                               \
		expect(usages, NELEM(usages));                                 \
	} while (0)

Test(command_usage, options)
{
	EXPECT({ "match --xyzzy", "=there is no option '--xyzzy'" },
	       { "games --xyzzy", "=there is no option '--xyzzy'" },
	       { "replay --xyzzy", "=there is no option '--xyzzy'" },
	       { "verify --xyzzy", "=there is no option '--xyzzy'" },
	       { "bench --xyzzy", "=there is no option '--xyzzy'" },
	       { "match -x", "=there is no option '-x'" },
	       { "games -jx", "=there is no option '-x'" },
	       { "match toepen B2 --games", "=option '--games' needs a value" },
	       { "match toepen B2 -g", "=option '-g' needs a value" },
	       { "replay --view", "=option '--view' needs a value" },
	       { "match toepen B2 --json=3",
		 "=option '--json=3' takes no value" },
	       { "games --json=yes", "--json" },
	       { "match toepen B2 --gmaes=3",
		 "=there is no option '--gmaes=3'; did you mean --games?" },
	       { "match LONG", CUT }, { "match toepen B2 --games LONG", CUT },
	       { "match toepen --bot random --name LONG", CUT },
	       { "match toepen B2 -o LONG", CUT },
	       { "match toepen B2 --open LONG", CUT },
	       { "replay --view LONG file", CUT },
	       { "ladder show nobody", "=unexpected argument 'nobody'" });
}

Test(command_usage, numbers)
{
	EXPECT({ "match toepen B2 --games=0", "from 1 to 1000000" },
	       { "match toepen B2 --games=1000001", "from 1 to 1000000" },
	       { "match toepen B2 --games=", "from 1 to 1000000" },
	       { "match toepen B2 --games=1x", "from 1 to 1000000" },
	       { "match toepen B2 --games=x", "from 1 to 1000000" },
	       { "match toepen B2 --games=1.5", "from 1 to 1000000" },
	       { "match toepen B2 --games=18446744073709551616",
		 "from 1 to 1000000" },
	       { "match toepen B2 --jobs=0", "from 1 to 1000" },
	       { "match toepen B2 --jobs=1001", "from 1 to 1000" },
	       { "match toepen B2 --faults=0", "from 1 to 1000" },
	       { "match toepen B2 --faults=1001", "from 1 to 1000" },
	       { "match toepen B2 --bank=-1", "from 0 to 86400000" },
	       { "match toepen B2 --bank=86400001", "from 0 to 86400000" },
	       { "match toepen B2 --increment=-1", "from 0 to 86400000" },
	       { "match toepen B2 --increment=86400001", "from 0 to 86400000" },
	       { "match toepen B2 --move-time=0", "from 1 to 86400000" },
	       { "match toepen B2 --move-time=86400001", "from 1 to 86400000" },
	       { "match toepen B2 --total=0", "from 1 to 604800000" },
	       { "match toepen B2 --total=604800001", "from 1 to 604800000" },
	       { "match toepen B2 --seed ''", "1 to 256 bytes" },
	       { "match toepen B2 --seed " CUT_50 CUT_50 CUT_50 CUT_50 CUT_50
		 "xxxxxxx",
		 "1 to 256 bytes" });
}

/* --usage comes after the options are read. */
Test(command_usage, the_last_that_are_taken)
{
	char out[8192], err[8192];
	int code;

	code = try("match toepen B2 --games=1 --jobs=1 --faults=1 --bank=0 "
		   "--increment=0 --move-time=1 --total=1 --seed x --usage",
		   out, err, sizeof(out));
	cr_expect(code == EXIT_DONE, "%s", err);
	code = try(
		"match toepen B2 --games=1000000 --jobs=1000 --faults=1000 "
		"--bank=86400000 --increment=86400000 "
		"--move-time=86400000 --total=604800000 --seed " CUT_50 CUT_50
			CUT_50 CUT_50 CUT_50 "xxxxxx --usage",
		out, err, sizeof(out));
	cr_expect(code == EXIT_DONE, "%s", err);
}

/* test-setups tries the values of all options. */
Test(command_usage, games_and_their_options)
{
	EXPECT({ "match", "GAME" },
	       { "match toepen daumen-drauf B2", "daumen-drauf" },
	       { "match poker B2",
		 "=there is no game 'poker'; `referee games` lists them" },
	       { "match teopen B2", "=there is no game 'teopen'; `referee "
				    "games` lists them; did you mean toepen?" },
	       { "games dread",
		 "=there is no game 'dread'; `referee games` lists them" },
	       { "games toep\x1b[2Jen", "\\x1b" },
	       { "games toepen poker", "poker" },
	       { "check --game daumendrauf x",
		 "=there is no game 'daumendrauf'; `referee games` lists "
		 "them; did you mean daumen-drauf?" },
	       { "match toepen B2 --seats 9", "=toepen needs 2 to 8 seats" },
	       { "match daumen-drauf B2 --seats 8",
		 "=daumen-drauf is for 2 to 7 seats, not 8" },
	       { "match toepen B2 --seats 3", "=3 seats need 3 bots, not 2" },
	       { "match toepen B2 --seats 0", "--seats" },
	       { "match toepen B2 -o points=100",
		 "=option points must be an integer from 1 to 99" },
	       { "match daumen-drauf B2 -o games=51",
		 "=option games must be an integer from 1 to 50, not 51" },
	       { "match toepen B2 -o rounds=3",
		 "=toepen has no option rounds; it has points" },
	       { "match durnius B2 --seats 7 -o games=0 -o travel=yes",
		 "=durnius needs 2 to 6 seats" },
	       { "match durnius B2 -o games=0 -o foo=1",
		 "durnius has no option foo; it has decks, " },
	       { "match durnius B2 -o travel=yes -o games=0",
		 "=option games must be an integer from 1 to 1000" },
	       { "match durnius B2 -o travel=yes -o teams=pairs",
		 "=travel yes needs passing yes" },
	       { "match toepen B2 -o points=3 -o points=4",
		 "=option points is given twice" },
	       { "match toepen B2 -o =3",
		 "=-o takes NAME=VALUE; '=3' has no NAME" },
	       { "match toepen B2 -o points", "NAME=VALUE" },
	       { "match toepen B2 -o ''", "NAME=VALUE" },
	       { "match toepen B2 --open both", "priority or arrival" },
	       { "match toepen B2 --sandbox maybe", "auto, on or off" },
	       { "match toepen B2 --ponder maybe", "on or off" });
}

Test(command_usage, bots)
{
	EXPECT({ "match toepen", "=give --bot at least twice; `random` and "
				 "`house` are built in" },
	       { "match toepen --bot random",
		 "=give --bot at least twice; `random` and `house` are built "
		 "in" },
	       { "match toepen B2 --bot ./none", "'./none': no such file" },
	       { "match toepen B2 --games 1000000 --bot ./none", "./none" },
	       { "match toepen B2 --bot no-such-bot",
		 "no such program in PATH" },
	       { "match toepen B2 --bot ''", "empty" },
	       { "match toepen B2 --bot ~~", "empty" },
	       { "match toepen B2 --bot $(id)", "shell" },
	       { "match toepen B2 --bot LONG", "4096" },
	       { "match toepen B2 --name ''", "name" },
	       { "match toepen B2 --name \xc3\xa4", "name" },
	       { "match toepen B2 --name one --name two",
		 "=two names for one bot: 'one' and 'two'" },
	       { "match toepen --bot random --name one --bot house --name one",
		 "=two bots have the name 'one'" },
	       { "match toepen --name one B2", "after its --bot" },
	       { "match toepen --entropy B2", "after its --bot" });
}

Test(command_usage, files_and_folders)
{
	EXPECT({ "match toepen B2 --ladder ''",
		 "=--ladder takes a path, not ''" },
	       { "match toepen B2 --records ''",
		 "=--records takes a path, not ''" },
	       { "match toepen B2 --records no/such", "no/such" },
	       { "match toepen B2 --ladder l.db --records no/such", "no/such" },
	       { "match toepen B2 --ladder no/l.db", "no" },
	       { "match toepen B2 --stderr no/such", "no/such" },
	       { "bots lst", "did you mean list?" },
	       { "bots list -d nodata", "nodata is not a daemon's data" },
	       { "bots list -d .", "is not a daemon's data folder" },
	       { "bots log ann -d nodata", "nodata is not a daemon's data" },
	       { "bots pardon ann -d nodata", "nodata is not a daemon's data" },
	       { "bots owner ann -d nodata", "nodata is not a daemon's data" },
	       { "bots disable ann -d nodata",
		 "nodata is not a daemon's data" },
	       { "bots remove ann -d nodata", "nodata is not a daemon's data" },
	       { "ladder show -d nodata -l a", "nodata" },
	       { "ladder history ann -d nodata -l a", "nodata" },
	       { "ladder games -d nodata -l a", "nodata" },
	       { "ladder export -d nodata -l a", "nodata" },
	       { "ladder rebuild -d nodata -l a", "nodata" },
	       { "ladder void ann --why x -d nodata -l a", "nodata" },
	       { "ladder shwo", "=there is no `referee ladder` 'shwo'; "
				"`referee ladder --help` lists what there is; "
				"did you mean show?" },
	       { "ladder shwo --ladder l.db",
		 "=there is no `referee ladder` 'shwo'; `referee ladder "
		 "--help` lists what there is; did you mean show?" },
	       { "ladder new --k 1e3",
		 "=--k must be a number from 0 to 1000 with at most three "
		 "decimals, not '1e3'" });
}

Test(command_usage, replay_and_verify)
{
	EXPECT({ "replay", "RECORD" },
	       { "replay @toepen-source.rec @toepen-sealed.rec", "one RECORD" },
	       { "replay --view 4 @toepen-source.rec", "no seat 4" },
	       { "replay --view 8 @toepen-source.rec", "--view" },
	       { "replay --view -1 @toepen-source.rec", "--view" },
	       { "replay --view everyone @toepen-source.rec", "everyone" },
	       { "replay --view '' @toepen-source.rec", "--view" },
	       { "replay --from 0 @toepen-source.rec", "--from" },
	       { "replay --from two @toepen-source.rec", "two" },
	       { "replay --from 4 @toepen-source.rec", "no round 4" },
	       { "replay --from 99999999999999999999 @toepen-source.rec",
		 "--from" },
	       { "replay --step --json @toepen-source.rec", "--step" },
	       { "replay --step @toepen-source.rec", "terminal" },
	       { "replay --raw --json @toepen-source.rec", "only one of" },
	       { "replay --tables @toepen-source.rec", "needs --json" },
	       { "replay nowhere.rec", "nowhere.rec" },
	       { "replay @", "cannot read it" },
	       { "replay @golden.txt", "begins with `record 1`; this is not" },
	       { "verify", "RECORD" }, { "verify nowhere.rec", "nowhere.rec" },
	       { "verify @toepen-source.rec/x", "no such file" },
	       { "verify .", "no *.rec" },
	       { "verify --receipt '' @toepen-sealed.rec", "64 hex digits" },
	       { "verify --receipt " HASH "0 @toepen-sealed.rec",
		 "64 hex digits" },
	       { "verify --receipt 0" HASH " @toepen-sealed.rec",
		 "64 hex digits" },
	       { "verify --receipt A @toepen-sealed.rec", "64 hex digits" },
	       { "verify --receipt " HASH " @", "--receipt" },
	       { "verify --receipt " HASH
		 " @toepen-sealed.rec @toepen-source.rec",
		 "--receipt" });
}

Test(command_usage, check)
{
	EXPECT({ "check", "which BOT?" }, { "check x y", "one BOT, not also" },
	       { "check random", "random is built in" },
	       { "check no-such-program", "no such program in PATH" },
	       { "check cat -G skat", "there is no game 'skat'" },
	       { "check cat -G toepen -G toepen", "given twice" },
	       { "check cat --quick --all", "--quick and --all" },
	       { "check cat --limit 0",
		 "--limit takes an integer from 1 to 86400, not '0'" },
	       { "check cat --memory 15", "--memory takes an integer from 16" },
	       { "check cat --games 1001", "--games takes" },
	       { "check cat --seed ''", "--seed takes" },
	       { "check cat --sandbox maybe",
		 "--sandbox takes auto, on or off, not 'maybe'" },
	       { "check --listen 65536", "--listen takes PORT, ADDRESS:PORT" },
	       { "check --listen x", "--listen takes PORT, ADDRESS:PORT" },
	       { "check --listen ::1:0", "needs brackets" },
	       { "check --listen 0.0.0.0:0",
		 "beyond this machine tokens need TLS; --plain" },
	       { "check cat --plain", "--plain goes with --listen" },
	       { "check cat --listen 0", "either BOT or --listen" },
	       { "check --listen 0 --sandbox off",
		 "--sandbox is for a BOT that is started here" },
	       { "check --listen 0 --reuse",
		 "--reuse is for a BOT that is started here" });
}

#define CONNECT "connect 127.0.0.1:1 "
#define WHO " --name a --token-file t --ladder l "

#define WITH_PORT "=expected HOST:PORT, with a port from 1 to 65535, found "

Test(command_usage, connect)
{
	EXPECT({ "connect", "=give the referee's HOST:PORT first" },
	       { "connect here" WHO "-- sh", WITH_PORT "'here'" },
	       { "connect :1" WHO "-- sh", WITH_PORT "':1'" },
	       { "connect here:" WHO "-- sh", WITH_PORT "'here:'" },
	       { "connect here:0" WHO "-- sh", WITH_PORT "'here:0'" },
	       { "connect here:65536" WHO "-- sh", WITH_PORT "'here:65536'" },
	       { "connect here:x" WHO "-- sh", WITH_PORT "'here:x'" },
	       { "connect ::1:7" WHO "-- sh",
		 "='::1:7': an IPv6 address needs brackets: "
		 "[ADDRESS]:PORT" },
	       { CONNECT "--name a --token-file t --ladder l",
		 "=give the bot's command after --" },
	       { CONNECT "--token-file t --ladder l -- sh",
		 "=give the bot's name with --name" },
	       { CONNECT "--name a --ladder l -- sh",
		 "=give the file of the bot's token with --token-file" },
	       { CONNECT "--name a --token-file t -- sh",
		 "=give at least one --ladder" },
	       { CONNECT "--name a --token-file t --ladder l -j17 -- sh",
		 "=--jobs takes an integer from 1 to 16, not '17'" },
	       { CONNECT "--name a --token-file t --ladder l --ca x --plain -- "
			 "sh",
		 "=--plain is without TLS: leave it out, or leave out --tls, "
		 "--ca and --fingerprint" },
	       { "connect 192.0.2.1:7" WHO "-- sh",
		 "=192.0.2.1 is another machine, and others could read the "
		 "token on the way: give --tls, or --plain to accept that" },
	       { "connect [2001:db8::1]:7" WHO "-- sh",
		 "=2001:db8::1 is another machine, and others could read the "
		 "token on the way: give --tls, or --plain to accept that" },
	       { "connect 127.0.0.1:1" WHO "-- sh", "No such file" });
}

#define THREE "toepen --bot random --bot house --bot random --name mine "

Test(command_usage, tournaments)
{
	EXPECT({ "tournament", "expected roundrobin, gauntlet, swiss or "
			       "knockout" },
	       { "tournament swiss", "which GAME?" },
	       { "tournament swis " THREE "-j1",
		 "=there is no tournament 'swis'; `referee tournament --help` "
		 "lists the formats; did you mean swiss?" },
	       { "tournament swiss " THREE "--rounds 0",
		 "=--rounds takes an integer from 1 to 1000, not '0'" },
	       { "tournament swiss " THREE "--rounds 1001",
		 "=--rounds takes an integer from 1 to 1000, not '1001'" },
	       { "tournament swiss " THREE "--best 1",
		 "=a swiss has no --best; `referee tournament swiss --help` "
		 "lists what it has" },
	       { "tournament roundrobin " THREE "--hero mine",
		 "a roundrobin has no --hero; " },
	       { "tournament knockout " THREE "--rounds 2",
		 "a knockout has no --rounds; " },
	       { "tournament gauntlet " THREE "-j1",
		 "a gauntlet needs --hero NAME" },
	       { "tournament gauntlet " THREE "--hero mime",
		 "--hero: none of the bots is called 'mime'; did you mean "
		 "mine?" },
	       { "tournament knockout " THREE "--best 2",
		 "--best takes an integer from 1 to 1 at a table of 2, not 2" },
	       { "tournament knockout " THREE "--seats 3 --best 0",
		 "--best takes an integer from 1 to 7, not '0'" },
	       { "tournament knockout " THREE "--seats 4",
		 "4 seats need 4 bots, not 3" },
	       { "tournament swiss " THREE "--exact",
		 "--exact is for `referee match`, not for a tournament" },
	       { "tournament swiss " THREE "--csv --json",
		 "--csv goes with neither --json nor --cross" },
	       { "tournament swiss " THREE "--games 1000000",
		 "the tournament would have more than 1000000 games" },
	       { "tournament roundrobin " THREE "--games 1000 --rounds 1000",
		 "the tournament would have more than 1000000 games" });
}

#define SPRT "match toepen B2 --sprt "

Test(command_usage, matches_that_stop)
{
	EXPECT({ "match toepen --bot random --sprt elo0=0,elo1=80",
		 "give --bot at least twice" },
	       { SPRT "elo0=0,elo1=80 --until-sure",
		 "--sprt and --until-sure are two ways" },
	       { SPRT "elo0=0,elo1=80 --bot house --seats 2",
		 "--sprt compares the first two bots" },
	       { "match toepen B2 --until-sure --bot house --seats 2",
		 "--until-sure compares the first two bots" },
	       { SPRT "elo0=0,elo1=80,model=logistic --bot house",
		 "logistic Elo is for two seats, not 3" },
	       { SPRT "elo0=20,elo1=0", "elo1 must be more than elo0" },
	       { SPRT "elo0=nan,elo1=1e999", "elo0 must be a number" },
	       { SPRT "elo0=0,elo1=80,alpha=0", "alpha must be a number" },
	       { SPRT "elo0=0,elo1=80,alpha=.6,beta=.4",
		 "less than 1 together" },
	       { SPRT "elo0=0,elo1=80,model=x", "model must be normalized or" },
	       { SPRT "LONG", "--sprt takes elo0=" },
	       { "match toepen B2 --duplicate --reuse", "leave out --reuse" },
	       { "match toepen B2 --duplicate --exact",
		 "plays whole blocks; leave out --exact" },
	       { "match toepen B2 --duplicate --sandbox off",
		 "leave out --sandbox off" },
	       { "match toepen B2 --processes 9 --sandbox off",
		 "--processes is a limit of the sandbox" });
}

Test(command_usage, reports)
{
	EXPECT({ "report -o out", "give --ladder" },
	       { "report @toepen-sealed.rec", "--output" },
	       { "report -o out -l l.db @toepen-sealed.rec", "either" },
	       { "report -o out -l none.db", "none.db" },
	       { "report -o out @golden.txt", "golden.txt" },
	       { "report -o out none.rec", "none.rec" },
	       { "report -o out -c none.conf", "none.conf" },
	       { "report -o out -g 1001 @toepen-sealed.rec", "--games" },
	       { "report -o none/x @toepen-sealed.rec", "cannot write" },
	       { "report -o out @toepen-sealed.rec @toepen-sealed.rec",
		 "same game" });
}

/* Writes a file of results; returns its path. */
static const char *
results(const char *text)
{
	static char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s-results.csv", folder);
	file = fopen(path, "we");
	cr_assert_not_null(file);
	cr_assert_geq(fputs(text, file), 0);
	cr_assert_eq(fclose(file), 0);
	return path;
}

/* Tests that `ladder fit` refuses this file at this line. */
static void
refuses(const char *text, const char *told)
{
	struct usage usage = { .told = told };
	char line[256];

	snprintf(line, sizeof(line), "ladder fit --results %s", results(text));
	usage.line = line;
	expect(&usage, 1);
}

#define HEAD "game,block,bot,place\n"
#define TWO HEAD "1,,a,1\n1,,b,2\n"
#define EIGHT "1,,a,1\n1,,a,1\n1,,a,1\n1,,a,1\n1,,a,1\n1,,a,1\n1,,a,1\n1,,a,1\n"

Test(command_usage, files_of_results)
{
	refuses("bot,place\n", "line 1");
	refuses("", "line 1");
	refuses(TWO "2,a,1\n", "line 4");
	refuses(TWO "2,,a,1,\n", "line 4");
	refuses(HEAD "1,,,1\n", "line 2");
	refuses(HEAD "1,,\"a\",1\n", "line 2");
	refuses(HEAD "1,," CUT_50 CUT_10 "xxxxx,1\n", "line 2");
	refuses(HEAD "1,,\xc2\x9b\x31m,1\n", "line 2");
	refuses(HEAD "1,,a,1\r1,,b,2\n", "line 2");
	refuses("game,block,bot,place\r1,,a,1\r", "line 1");
	refuses(HEAD "1,,a,\n", "line 2");
	refuses(HEAD "1,,a,0\n", "line 2");
	refuses(TWO "2,,a,9\n", "line 4");
	refuses(HEAD "1,,a,1.5\n", "line 2");
	refuses(TWO "2,,a,1\n3,,b,1\n", "line 5");
	refuses(HEAD EIGHT "1,,a,1\n", "line 10");
	refuses(TWO "2,,a,1\n2,,b,2\n1,,a,1\n1,,b,2\n", "line 6");
	refuses(HEAD "1,x,a,1\n1,y,b,2\n", "line 3");
	refuses(HEAD "1,,a,1\n1,y,b,2\n", "line 3");
	cr_assert_eq(unlink(results("")), 0);
	EXPECT({ "ladder fit --results /dev/zero", "not a file" },
	       { "ladder fit --results .", "Is a directory" },
	       { "ladder fit --results none.csv", "none.csv" });
}

Test(command_usage, fits)
{
	static const struct usage usages[] = {
		{ "--anchor x=1500", "no bot x" },
		{ "--anchor a", "'a'" },
		{ "--anchor a=10000", "a=10000" },
		{ "--anchor =1500", "'=1500'" },
		{ "--prior -1", "'-1'" },
		{ "--prior 0.5", "0.5" },
		{ "--prior 350", "350" },
		{ "--versus a", "two bots" },
		{ "--versus a a", "two different bots" },
		{ "--versus a z", "have both" },
		{ "b", "'b'" },
		{ "--pool 1", "--pool" },
		{ "--since 2026-11-22", "--since" },
		{ "--csv --json", "not both" },
		{ "--csv --cross", "--cross" },
	};
	struct usage usage;
	char line[256];

	for (size_t i = 0; i < NELEM(usages); i++) {
		snprintf(line, sizeof(line), "ladder fit --results %s %s",
			 results(TWO), usages[i].line);
		usage = (struct usage){ line, usages[i].told };
		expect(&usage, 1);
	}
	cr_assert_eq(unlink(results("")), 0);
}

Test(command_usage, games_are_told)
{
	static const char *const told[] = { "2 to 8",
					    "points",
					    "1 to 99",
					    "default 15",
					    "play:PIECE",
					    "knock",
					    "deal S {c c c c}S",
					    "result S place points" };
	char out[8192], err[8192], line[64];

	cr_assert_eq(try("games", out, err, sizeof(out)), EXIT_DONE);
	cr_expect(strstr(out, "daupun         2 seats       build") &&
			  strstr(out, "toepen         2 to 8 seats  bluff"),
		  "%s", out);
	for (unsigned i = 0; games[i] != NULL; i++) {
		snprintf(line, sizeof(line), "games %s", games[i]->name);
		cr_assert_eq(try(line, out, err, sizeof(out)), EXIT_DONE);
		for (const char *at = out; *at != '\0'; at += *at == '\n') {
			cr_expect_leq(strcspn(at, "\n"), 80, "%.80s", at);
			at += strcspn(at, "\n");
		}
	}
	cr_assert_eq(try("games daupun", out, err, sizeof(out)), EXIT_DONE);
	cr_expect(strstr(out, "\nSeats: 2\n") && !strstr(out, "  pass "), "%s",
		  out);
	cr_assert_eq(try("games toepen", out, err, sizeof(out)), EXIT_DONE);
	for (size_t i = 0; i < NELEM(told); i++)
		cr_expect(strstr(out, told[i]), "%s", told[i]);
}

/* Tests that these are the candidates, in this order. */
static void
offers(const char *line, const char *wanted)
{
	char out[8192], err[8192], found[1024] = "";

	cr_assert_eq(try(line, out, err, sizeof(out)), EXIT_DONE, "%s", err);
	for (char *at = out, *row; (row = strsep(&at, "\n")) != NULL;)
		if (*row != '\0')
			snprintf(found + strlen(found),
				 sizeof(found) - strlen(found), "%s ",
				 strsep(&row, "\t"));
	cr_expect_str_eq(found, wanted, "%s", line);
}

Test(command_usage, words_that_may_follow)
{
	completing = true;
	offers("match d", "daumen-drauf daupun doubles-dread durnius ");
	offers("games t", "toepen ");
	offers("match toepen --pi", "--pin ");
	offers("match toepen --pin ''", "auto off ");
	offers("match toepen --pin = o", "off ");
	offers("match toepen --pin =", "auto off ");
	offers("match toepen --pin=o", "--pin=off ");
	offers("replay -v p", "public ");
	offers("bots add --sandbox-minimum ''", "A B C D ");
	offers("check --game to", "toepen ");
	offers("bots re", "revoke rename remove ");
	offers("tournament s", "swiss ");
	offers("tournament swiss t", "toepen ");
	offers("tournament swiss toepen --h", "--help ");
	offers("tournament gauntlet toepen --h", "--hero --help ");
	offers("ladder e", "export ");
	offers("ladder history ''", "");
	offers("ladder void ''", "");
	offers("match toepen ''", "");
}
