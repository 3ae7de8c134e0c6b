/* referee/data/owner.h - runs a request on a data folder: in the daemon that
 * has it locked, or in this process when there is none.  Never in both. */
#ifndef REFEREE_OWNER_H
#define REFEREE_OWNER_H

#include <stdbool.h>

#include "ladder/roster.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/data/control.h"
#include "referee/data/data-folder.h"

struct owner_request {
	const char *data;
	/* For a daemon's control socket. */
	unsigned words;
	char *const *word;
	/* It changes what a daemon's queue keeps: only that daemon may. */
	bool changes;
	/* Does the same on the files, whose lock is held meanwhile: appends to
	 * `out` and returns 0, or -1 and an error. */
	int (*on_files)(const struct owner_request *request, struct text *out,
			struct error *why);
	void *arg; /* for on_files() alone */
};

/* Does it, one way or the other: 0, and the answer is appended to `out`; or -1
 * and an error.  Waits DATA_FOLDER_WAIT_MS for a process that has the folder and
 * does not answer: a daemon that starts or ends, or another such command. */
int owner_do(const struct owner_request *request, struct text *out,
	     struct error *why) MUST_CHECK;

/* Whether the ladder in `file`, which need not be there, is one of a data
 * folder's; then the folder and the ladder's name. */
bool owner_of_ladder(const char *file, char data[LADDER_PATH_BYTES],
		     char name[NAME_BYTES + 1]) MUST_CHECK;
/* Whether it is one in a data folder that others can write in, or that is not
 * ours (data-folder.h): -1 and a sentence; else 0. */
int owner_check_ladder(const char *file, struct error *why) MUST_CHECK;
/* Opens a ladder to read.  What the roster beside it says of its bots, if it
 * has one, is marked in its standings; `*marks`, which may be NULL, is freed
 * after ladder_close(), whatever comes back.  As ladder_open(). */
int owner_open_ladder(const char *file, struct ladder **ladder,
		      struct roster_marks **marks,
		      struct error *why) MUST_CHECK;
/* Says on standard error that a ladder that is open for reading is behind its log, if
 * nobody writes to it, and it can be told. */
void owner_tell_behind(struct ladder *ladder, const char *file);
/* The file of a ladder that the data folder has, if only its records.  Without
 * one: -1 and a sentence that names those that it has.  `name` may be NULL. */
int owner_find_ladder(const char *data, const char *name,
		      char file[LADDER_PATH_BYTES],
		      struct error *why) MUST_CHECK;
/* Its file.  False: `name` is none, or the path is too long. */
bool owner_ladder_file(const char *data, const char *name,
		       char file[LADDER_PATH_BYTES]) MUST_CHECK;

#endif
