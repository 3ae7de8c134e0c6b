/* referee/cli/command-connect.c - `referee connect`: a bot of this machine plays at
 * a remote referee. */
#include <argp.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "protocol/ascii.h"
#include "protocol/message.h"
#include "referee/base/address.h"
#include "referee/base/networks.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/cli/play-options.h"
#include "referee/remote/away.h"
#include "referee/remote/tls.h"
#include "referee/spawner/spawner.h"

struct arguments {
	struct away_setup setup;
	struct tls_trust trust;
	bool tls;
	const char *token_file;
	char host[HOST_BYTES], port[8];
	char token[BOT_TOKEN_BYTES + 1];
};

static const char doc[] =
	"Play on the ladders of a remote referee (`referee serve`) with "
	"COMMAND, an ordinary bot that uses standard input and output.\v"
	"COMMAND is started once for each game, as in `referee "
	"match`; the start counts for the clock. COMMAND does not see the "
	"connection: a lost connection is made again, with growing pauses, and "
	"the games go on. If a process ends in the middle of its game, its "
	"seat is charged with `crash` at this and each further ask; after "
	"three "
	"such games in a row, no more are played.\n\n"
	"A line is printed for each game that is over: `over ID HASH` with the "
	"receipt, `abort ID WHY`, or `gone ID` for a game that the referee no "
	"longer knows. `retired ID` comes before it if the bot was retired. "
	"`entropy ID HEX` tells what was sent for the deal: the game's record "
	"must have it, too.\n\n"
	"After SIGTERM or SIGINT (Ctrl-C) running games are finished and no "
	"new ones are taken; a second signal ends them at once.\n\n"
	"Exit codes: 0 stopped by a signal, 1 the bot ended early three times "
	"in a row, or games were left unfinished, 2 wrong usage, or the "
	"referee refused the bot (a wrong token, an unknown ladder), 3 the "
	"machine's fault.\n\n"
	"Example:\n"
	"  $ umask 077; echo f3a9... >alice.token\n"
	"  $ referee connect cards.example.org:7450 --tls --name alice \\\n"
	"      --token-file alice.token --ladder toepen --jobs 2 \\\n"
	"      -- python3 sample-bots/python/toepen_bot.py\n";

/* ---- arguments -------------------------------------------------------- */

static void
take_ladder(void *to, const struct argument *option UNUSED, char *arg)
{
	struct away_setup *setup = &((struct arguments *)to)->setup;

	if (!message_name_ok(arg, strlen(arg)))
		refuse_argument("--ladder takes a ladder name, not %s",
				quoted(arg).text);
	if (setup->ladders == AWAY_LADDERS_MAX)
		refuse_argument("--ladder may be given %d times at most",
				AWAY_LADDERS_MAX);
	setup->ladder[setup->ladders++] = arg;
}

static const struct argument options[] = {
	{ "name", 0, "NAME", "The bot's name at that referee",
	  STORE_TEXT(struct arguments, setup.name), .take = argument_check_name,
	  .group = 1 },
	{ "token-file", 0, "FILE",
	  "Read the bot's token from the first line of FILE, which other users "
	  "must not be able to read",
	  STORE_TEXT(struct arguments, token_file), .group = 1 },
	{ "ladder", 0, "LADDER",
	  "Play on this ladder; may be given several times", TAKE(take_ladder),
	  .group = 1 },
	{ "jobs", 'j', "N",
	  "Games at a time, 1 to 16, a process for each (default 1)",
	  STORE_NUMBER(struct arguments, setup.jobs, 1, GAMES_AT_ONCE),
	  .group = 1 },
	{ "entropy", 0, NULL,
	  "The bot answers `entropy?` itself (default: this command does, with "
	  "32 random bytes)",
	  STORE_FLAG(struct arguments, setup.entropy), .group = 1 },
	{ "tls", 0, NULL,
	  "Use TLS, and check the referee's certificate against the system's "
	  "authorities",
	  STORE_FLAG(struct arguments, tls), .group = 2 },
	{ "ca", 0, "FILE",
	  "Use TLS, and check the certificate against the authorities in this "
	  "PEM file",
	  STORE_TEXT(struct arguments, trust.ca_file), .group = 2 },
	{ "fingerprint", 0, "HEX",
	  "Use TLS, and accept only the certificate with this SHA-256",
	  STORE_TEXT(struct arguments, trust.pin), .group = 2 },
	{ "plain", 0, NULL,
	  "Connect to another machine without TLS: others on the way can read "
	  "the token and the cards",
	  STORE_FLAG(struct arguments, setup.plain), .group = 2 },
	{ "no-stderr", 0, NULL,
	  "Drop what the bot writes to standard error (default: pass each line "
	  "on, after the beginning of the game's ID)",
	  STORE_VALUE(struct arguments, setup.hear, false), .group = 3 },
	{ 0 },
};

static const struct argp argp = {
	.args_doc = "HOST:PORT -- COMMAND...",
	.doc = doc,
};

/* Returns true if the host is an address that other machines can have. */
static bool
is_far_address(const char *host)
{
	struct sockaddr_storage at;

	return networks_read(host, &at) &&
	       !address_is_local((const struct sockaddr *)&at);
}

/* Takes the referee's address from the first word, and the bot's command from
 * the others. */
static void
take_words(struct arguments *a, const struct words *words)
{
	const char *where = words->word[0];

	if (where == NULL)
		refuse_argument("give the referee's HOST:PORT first");
	if (!parse_place(where, true, a->host, a->port) || a->port[0] == '0')
		refuse_argument(
			"expected HOST:PORT, with a port from 1 to 65535, "
			"found %s",
			quoted(where).text);
	if (words->count == 1)
		refuse_argument("give the bot's command after --");
	a->setup.argv = words->word + 1;
}

static void
check_arguments(const struct arguments *a)
{
	struct error why;

	if (a->setup.name == NULL)
		refuse_argument("give the bot's name with --name");
	if (a->token_file == NULL)
		refuse_argument(
			"give the file of the bot's token with --token-file");
	if (a->setup.ladders == 0)
		refuse_argument("give at least one --ladder");
	if (a->trust.ca_file != NULL && a->trust.pin != NULL)
		refuse_argument("give --ca or --fingerprint, not both");
	if (a->tls && a->setup.plain)
		refuse_argument(
			"--plain is without TLS: leave it out, or leave "
			"out --tls, --ca and --fingerprint");
	if (!a->tls && !a->setup.plain && is_far_address(a->host))
		refuse_argument("%s is another machine, and others could read "
				"the token on the way: give --tls, or --plain "
				"to accept that",
				a->host);
	if (!spawner_program_ok(a->setup.argv[0], why.text, sizeof(why.text)))
		refuse_argument("%s", why.text);
}

/* ---- the token -------------------------------------------------------- */

/* Warns if other users can read the token; a pipe is private. */
static void
warn_if_open(FILE *file, const char *path)
{
	struct stat st;

	if (fstat(fileno(file), &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_mode & (S_IRGRP | S_IROTH)))
		note("other users can read the token in %s: chmod 600 it",
		     quoted(path).text);
}

/* Reads the token from the first line.  Returns EXIT_DONE, or prints a sentence
 * and returns an exit code. */
static int
read_token(const char *path, char token[BOT_TOKEN_BYTES + 1])
{
	char line[BOT_TOKEN_BYTES + 3];
	FILE *file = fopen(path, "re");
	int error = errno, c;
	size_t n = 0;

	if (file != NULL) {
		warn_if_open(file, path);
		setvbuf(file, NULL, _IONBF, 0); /* no copy in a buffer */
		errno = 0;
		while (n < sizeof(line) && (c = getc(file)) != EOF && c != '\n')
			line[n++] = (char)c;
		error = errno;
		fclose(file);
	}
	if (error == ENOENT || error == ENOTDIR || error == EISDIR)
		return complain_usage("cannot read the token in %s: %s",
				      quoted(path).text, strerror(error));
	if (error != 0)
		return complain_machine("cannot read the token in %s: %s",
					quoted(path).text, strerror(error));
	if (n > 0 && line[n - 1] == '\r')
		n--;
	if (n == 0 || n > BOT_TOKEN_BYTES || !ascii_printable(line, n) ||
	    memchr(line, ' ', n) != NULL)
		return complain_usage("the first line of %s is not a token: "
				      "expected 1 to %d bytes without spaces",
				      quoted(path).text, BOT_TOKEN_BYTES);
	memcpy(token, line, n);
	token[n] = '\0';
	sodium_memzero(line, sizeof(line));
	return EXIT_DONE;
}

/* ---- the command ------------------------------------------------------ */

static int
play(struct arguments *a, int *caught)
{
	struct away_setup *setup = &a->setup;
	struct error why;
	struct tls *tls = NULL;
	int code;

	/* The spawner must be forked before we have a secret. */
	setup->spawner = spawner_new();
	if (setup->spawner == NULL)
		return complain_machine("cannot make the process that starts "
					"the bots: %m");
	code = read_token(a->token_file, a->token);
	if (code == EXIT_DONE && a->tls) {
		tls = tls_client_new(&a->trust, &why);
		if (tls == NULL)
			code = complain_usage("%s", why.text);
	}
	if (code == EXIT_DONE) {
		setup->tls = tls;
		code = away_run(setup, caught);
	}
	sodium_memzero(a->token, sizeof(a->token));
	tls_free(tls);
	spawner_free(setup->spawner);
	return code;
}

static int
run(int argc, char **argv)
{
	struct arguments *a = zeroed(1, sizeof(*a));
	struct words words;
	int code, caught = 0;

	a->setup.jobs = 1;
	a->setup.hear = true;
	words = parse_arguments(&argp, options, argc, argv, a);
	take_words(a, &words);
	a->tls = a->tls || a->trust.ca_file != NULL || a->trust.pin != NULL;
	check_arguments(a);
	a->setup.host = a->host;
	a->setup.port = a->port;
	a->setup.token = a->token;
	setvbuf(stdout, NULL, _IOLBF, 0);
	code = play(a, &caught);
	free(a);
	/* No secret is left in our memory, and a leak checker must be able to
	 * read it. */
	prctl(PR_SET_DUMPABLE, 1);
	play_raise(caught);
	return code != EXIT_DONE ? code : finish_output();
}

const struct command command_connect = {
	.name = "connect",
	.brief = "play with a bot of this machine at a remote referee",
	.run = run,
};
