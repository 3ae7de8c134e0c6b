/* referee/serve/rehearsal.c - see rehearsal.h. */
#include "referee/serve/rehearsal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/log.h"
#include "referee/base/command.h"
#include "referee/data/data-folder.h"
#include "referee/queue/pg.h"
#include "referee/queue/seal.h"
#include "referee/records/opinion-run.h"
#include "referee/scheduler/scheduler-ladder.h"
#include "referee/scheduler/scheduler-recall.h"
#include "referee/serve/listeners.h"
#include "referee/serve/server.h"

static int
check_queue(const struct config *config, struct error *why)
{
	struct seal_key key;

	if (!config_has_queue(config))
		return 0;
	if (!pg_conninfo_holds(config->queue, why))
		return error_prefix(why, "queue: ");
	if (seal_key_load(config->queue_key, &key, why) < 0)
		return -1;
	seal_key_forget(&key);
	return 0;
}

/* Checks that the program that gives opinions is there, the only one that a
 * configuration names.  What this user cannot look into is left to the daemon. */
static int
check_opinions(const struct config *config, struct error *why)
{
	const char *program = config->opinions;
	struct stat st;

	if (strcmp(program, SERVE_OPINIONS_OFF) == 0)
		return 0;
	if (strcmp(program, SERVE_OPINIONS_OWN) == 0)
		return opinion_program(why) != NULL
			       ? 0
			       : error_prefix(why, "opinions: ");
	if (stat(program, &st) < 0)
		return errno == EACCES
			       ? 0
			       : error_set(why, ERROR_INPUT,
					   "opinions: cannot find the program "
					   "%s: %m",
					   quoted(program).text);
	if (S_ISREG(st.st_mode) && (st.st_mode & 0111) != 0)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "opinions: %s is no program that can be executed",
			 quoted(program).text);
}

/* Checks the log of a ladder, unless a queue's database has it. */
static int
check_log(const struct config *config, const char *name, const char *path,
	  struct error *why)
{
	struct ladder_rehearsed found;

	if (config_has_queue(config))
		return 0;
	if (ladder_rehearse(path, &found, why) < 0)
		return error_prefix(why, "ladder %s: ", name);
	if (found.lost)
		note("the file of ladder %s is lost: a daemon that starts "
		     "makes it again from its log, which ends with entry "
		     "%" PRId64,
		     name, found.end);
	else if (found.end > found.last)
		note("ladder %s is behind: it ends with entry %" PRId64
		     " and its log with entry %" PRId64
		     "; a daemon that starts follows it",
		     name, found.last, found.end);
	return 0;
}

/* Checks a ladder.  One that is not there yet will be made.  A ladder that this
 * user cannot read is left to the daemon. */
static int
check_ladder(const struct config *config, const struct config_ladder *setup,
	     struct error *why)
{
	char path[LADDER_PATH_BYTES];
	struct ladder_pool pool;
	struct ladder *ladder;
	int result;

	if ((size_t)snprintf(path, sizeof(path), "%s/ladders/%s/ladder.db",
			     config->data, setup->name) >= sizeof(path))
		return error_set(why, ERROR_INPUT,
				 "data: the path is too "
				 "long");
	if (data_folder_rehearse(config->data, setup->name, why) < 0)
		return -1;
	if (access(path, R_OK) < 0 && errno != ENOENT)
		return 0;
	if (check_log(config, setup->name, path, why) < 0)
		return -1;
	if (access(path, R_OK) < 0 || ladder_is_empty(path))
		return 0;
	if (ladder_open(path, LADDER_READ, &ladder, why) < 0)
		return error_prefix(why, "ladder %s: ", setup->name);
	scheduler_pool(setup, &pool);
	result = ladder_season_is_apart(ladder, &pool, why);
	if (result > 0)
		note("ladder %s is the season %s, but " SCHEDULER_LADDER_APART,
		     setup->name, ladder_season(ladder)->name);
	ladder_close(ladder);
	return result < 0 ? -1 : 0;
}

int
rehearse(const struct config *config, struct error *why)
{
	enum sandbox_tier tier;

	if (config_tier(config, &tier, why) < 0 ||
	    server_raise_descriptors(config, why) < 0 ||
	    listeners_check_certificates(config, why) < 0 ||
	    check_queue(config, why) < 0 || check_opinions(config, why) < 0 ||
	    data_folder_rehearse(config->data, NULL, why) < 0)
		return -1;
	for (unsigned i = 0; i < config->ladders; i++)
		if (check_ladder(config, &config->ladder[i], why) < 0)
			return -1;
	return 0;
}
