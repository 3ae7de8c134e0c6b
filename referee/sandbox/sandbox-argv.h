/* referee/sandbox/sandbox-argv.h - makes the arguments of bubblewrap for a box. */
#ifndef REFEREE_SANDBOX_ARGV_H
#define REFEREE_SANDBOX_ARGV_H

#include "protocol/util.h"
#include "referee/sandbox/box.h"
#include "referee/sandbox/sandbox-closed.h"
#include "referee/sandbox/sandbox.h"

/* System folders that every box shows at their own paths; ends with NULL. */
extern const char *const sandbox_roots[];

/* Descriptors that bubblewrap and the first process inherit. */
struct sandbox_fds {
	int filter, passwd, group; /* to be read to their end */
	int shim;   /* the program itself; -1: it is bound from its path */
	int report; /* the first process writes to it */
	int bot[3]; /* become 0, 1 and 2 of the bot */
};

struct sandbox_start {
	const struct sandbox_box *box;
	struct sandbox_sources sources; /* where the shown files lie */
	const char *bwrap, *shim;	/* paths of the two programs */
	const char
		*folder;   /* the working directory where box->folder is NULL */
	char *const *argv; /* the bot's; NULL: only look at the box */
	struct sandbox_fds fds;
};

/* Returns the arguments, ending with NULL. The caller owns the list and the
 * words. */
char **sandbox_argv(const struct sandbox_start *start) MUST_CHECK;

#endif
