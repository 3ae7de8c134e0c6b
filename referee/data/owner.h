/* referee/data/owner.h - runs a request on a data folder: in the daemon that
 * has locked it, or in this process if there is none.  Never in both. */
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
	/* The request as words for the daemon's control socket. */
	unsigned words;
	char *const *word;
	/* It changes data of a queue, which only the daemon may do. */
	bool changes;
	/* Does the same on the files while we hold their lock: appends to `out`
	 * and returns 0, or -1 and an error. */
	int (*on_files)(const struct owner_request *request, struct text *out,
			struct error *why);
	void *arg; /* for on_files() alone */
};

/* Runs a request in one of the two ways.  Returns 0 and appends the answer to
 * `out`; or -1 and an error.  Waits DATA_FOLDER_WAIT_MS for a process that has
 * the folder and does not answer: a daemon that starts or ends, or another such
 * command. */
int owner_do(const struct owner_request *request, struct text *out,
	     struct error *why) MUST_CHECK;

/* Returns true if the ladder in `file`, which need not exist, belongs to a data
 * folder; then writes the folder and the ladder's name. */
bool owner_of_ladder(const char *file, char data[LADDER_PATH_BYTES],
		     char name[NAME_BYTES + 1]) MUST_CHECK;
/* Returns -1 and a sentence if the ladder lies in a data folder that others can
 * write to or that is not ours (data-folder.h); else 0. */
int owner_check_ladder(const char *file, struct error *why) MUST_CHECK;
/* Opens a ladder for reading, as ladder_open() does.  Its standings are marked
 * by the roster beside it, if there is one; the copy of a freeze has marks in it.
 * The caller frees `*marks`, which may be NULL, after ladder_close(), whatever the
 * result is. */
int owner_open_ladder(const char *file, struct ladder **ladder,
		      struct roster_marks **marks,
		      struct error *why) MUST_CHECK;
/* Says on standard error that a ladder opened for reading is behind its log, if
 * no process writes to it and this can be known, or that the log is not its own or is
 * damaged. */
void owner_tell_behind(struct ladder *ladder, const char *file);
/* Finds the file of a ladder of which the data folder has at least the records.
 * If there is none, returns -1 and a sentence that names the ladders.  `name`
 * may be NULL. */
int owner_find_ladder(const char *data, const char *name,
		      char file[LADDER_PATH_BYTES],
		      struct error *why) MUST_CHECK;
/* Returns true while the daemon keeps a copy of the ladder in `file`, whose standings
 * have frozen: from about that moment on until it reads a configuration without
 * `freezes`. */
bool owner_ladder_is_frozen(const char *file) MUST_CHECK;
/* Writes the path of a ladder's file.  Returns false if `name` is invalid or
 * the path is too long. */
bool owner_ladder_file(const char *data, const char *name,
		       char file[LADDER_PATH_BYTES]) MUST_CHECK;

#endif
