/* referee/cli/ladder-options.h - the options of each `referee ladder WHAT`, and
 * the struct that they are read into. */
#ifndef REFEREE_LADDER_OPTIONS_H
#define REFEREE_LADDER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "referee/cli/arguments.h"
#include "referee/cli/ladder-fit.h"
#include "referee/records/ladder-rebuild.h"

struct ladder_arguments {
	const char *ladder; /* the file; NULL: ladder.db */
	const char *data;   /* data folder where `ladder` is a name; or NULL */
	char file[LADDER_PATH_BYTES], from_file[LADDER_PATH_BYTES];
	const char *word; /* the bot of `history`, the game of `void` */
	bool makes;	  /* the ladder need not exist */
	const char *bot, *since, *why, *versions, *from, *season;
	const char *backup;
	bool json, csv, accept, gaps, running;
	const char *records[REBUILD_FOLDERS + 1]; /* ends with NULL */
	unsigned folders;
	int64_t k_milli, start_milli;
	struct fit_request fit;
};

/* The options of `history` and `games` are the common ones; each other WHAT has
 * its own. */
extern const struct argument ladder_options_common[];
extern const struct argument ladder_options_show[];
extern const struct argument ladder_options_rebuild[];
extern const struct argument ladder_options_void[];
extern const struct argument ladder_options_export[];
extern const struct argument ladder_options_new[];
extern const struct argument ladder_options_fit[];

#endif
