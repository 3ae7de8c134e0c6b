/* referee/cli/data-bot.h - finds a bot of a data folder for a match on this
 * machine. */
#ifndef REFEREE_DATA_BOT_H
#define REFEREE_DATA_BOT_H

#include <jansson.h>

#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/data/owner.h"
#include "referee/import/incoming.h"

struct data_bot {
	char name[NAME_BYTES + 1];    /* its name in records and ladders */
	char path[IMPORT_PATH_BYTES]; /* its folder */
};

/* Finds the latest version of the bot that is called `name` in the data folder;
 * a daemon may run there.  Returns 0 if the bot's files are those that were
 * imported; they stay until this process ends, even if another version is
 * imported.  Returns -1 and an error if there is no such bot, if it is
 * disabled, if it does not live on this machine, or if its files have changed. */
int data_bot_find(const char *data, const char *name, struct data_bot *found,
		  struct error *why) MUST_CHECK;

/* Returns the bots of the data folder as a list of what `referee bots list --json`
 * prints, which the caller releases; or NULL and an error. */
json_t *data_bot_list(const char *data, struct error *why) MUST_CHECK;
/* Holds and checks the files with this hash.  Returns 0, or -1 and an error. */
int data_bot_hold(const char *data, const char *hash,
		  struct error *why) MUST_CHECK;

/* Answers a request about the bots of a data folder from its files; for
 * owner_request.on_files. */
int data_bot_on_files(const struct owner_request *request, struct text *out,
		      struct error *why) MUST_CHECK;

#endif
