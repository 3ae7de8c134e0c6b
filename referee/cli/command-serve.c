/* referee/cli/command-serve.c - `referee serve`: runs the daemon. */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "referee/base/log.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/config/serve-config.h"
#include "referee/sandbox/sandbox.h"
#include "referee/serve/rehearsal.h"
#include "referee/serve/server.h"
#include "referee/spawner/spawner.h"

struct arguments {
	const char *file; /* the configuration; NULL: the defaults */
	bool check, print;
};

static const struct argument options[] = {
	{ "config", 'c', "FILE",
	  "Read the configuration (default: none, which listens on 127.0.0.1 "
	  "and keeps one ladder for each game in the folder referee-data)",
	  STORE_TEXT(struct arguments, file) },
	{ "check", 'k', NULL,
	  "Only check the configuration, its certificates, the key of its "
	  "queue, its ladders and what this machine can do, and print `ok`",
	  STORE_FLAG(struct arguments, check) },
	{ "print", 'p', NULL,
	  "Only print the effective configuration, with a comment for every "
	  "option",
	  STORE_FLAG(struct arguments, print) },
	{ 0 },
};

static const struct argp argp = {
	.doc = "Run ladders: accept bots, seat them at tables, rate their "
	       "games.\v"
	       "A bot needs a token: `referee bots token NAME`.  After "
	       "SIGTERM running games may end within the configured time and "
	       "are then aborted; a second SIGTERM aborts them at once.  "
	       "SIGHUP reloads the configuration and certificates.  Each event "
	       "is one line of log on standard error.\n"
	       "\n"
	       "Exit codes: 0 stopped by a signal, 2 wrong usage or "
	       "configuration, 3 the machine's fault.\n"
	       "\n"
	       "Example:\n"
	       "  $ referee bots token alice >alice.token\n"
	       "  $ referee serve\n",
};

/* Logs the sandbox that holds strangers' programs.  If it is too weak for the
 * configuration, prints a sentence and returns EXIT_MACHINE. */
static int
choose_sandbox(const struct config *config, struct logger *logger)
{
	struct error why;
	enum sandbox_tier tier;

	if (config_tier(config, &tier, &why) < 0)
		return complain_machine("%s", why.text);
	if (config->sandbox == SANDBOX_OFF)
		log_event(logger, LOG_LEVEL_INFO, "sandbox", "tier=%s holds=%s",
			  sandbox_tiers[tier], "the sandbox is off");
	else
		/* A long value is cut, and the reason is at the end of it. */
		log_event(logger, LOG_LEVEL_INFO, "sandbox",
			  "tier=%s missing=%s holds=%s", sandbox_tiers[tier],
			  sandbox_probe()->missing, sandbox_probe()->sentence);
	return EXIT_DONE;
}

/* Starts the spawner.  Without it no local bot can play, but the ladders go on
 * with remote bots. */
static struct spawner *
start_spawner(struct logger *logger)
{
	struct spawner *spawner = spawner_new();

	if (spawner == NULL)
		log_event(logger, LOG_LEVEL_WARN, "spawner-failed", "why=%s",
			  strerror(errno));
	return spawner;
}

/* Runs the daemon.  Takes ownership of the configuration.  Returns an exit
 * code. */
static int
serve(struct config *config, const char *file)
{
	struct logger *logger = log_new(STDERR_FILENO, config->log_level);
	struct error why;
	struct spawner *spawner;
	struct server *server;
	unsigned lost;
	bool taken;
	int code;

	signal(SIGPIPE, SIG_IGN); /* the log's reader may be gone */
	code = choose_sandbox(config, logger);
	if (code != EXIT_DONE) {
		config_free(config);
		log_free(logger);
		return code;
	}
	/* The spawner must be started before the first thread. */
	spawner = start_spawner(logger);
	server = server_new(config, file, spawner, logger, &why);
	if (server == NULL) {
		if (why.text[0] != '\0')
			code = complain_machine("%s", why.text);
	} else {
		taken = server_run(server, &lost, &why) < 0;
		server_free(server);
		/* The daemon that has taken over is responsible for the games
		 * that are not written here. */
		if (taken)
			code = complain_machine("%s", why.text);
		else if (lost > 0)
			code = complain_machine(
				"%u %s not be written and %s "
				"lost: the disk failed",
				lost, lost == 1 ? "game could" : "games could",
				lost == 1 ? "is" : "are");
	}
	spawner_free(spawner);
	log_end_hour(logger);
	log_flush(logger);
	log_free(logger);
	return code;
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct error why, reason;
	struct config *config;
	const struct words words =
		parse_arguments(&argp, options, argc, argv, &arguments);

	if (words.count > 0)
		refuse_argument("serve takes no %s",
				quoted(words.word[0]).text);
	if (config_read(arguments.file, &config, &why) < 0)
		return complain_usage("%s", why.text);
	if (arguments.check && rehearse(config, &why) < 0) {
		config_free(config);
		return complain_usage("%s: %s",
				      arguments.file == NULL ? "the defaults"
							     : arguments.file,
				      why.text);
	}
	if (!arguments.print && !arguments.check) {
		if (server_raise_descriptors(config, &reason) == 0)
			return serve(config, arguments.file);
		config_free(config);
		return complain_usage("%s", reason.text);
	}
	if (arguments.print)
		config_print(config, stdout);
	else
		puts("ok");
	config_free(config);
	return finish_output();
}

const struct command command_serve = {
	.name = "serve",
	.brief = "run ladders for bots that connect",
	.run = run,
};
