/* referee/sandbox/sandbox-argv.h - a box as arguments of bubblewrap. */
#ifndef REFEREE_SANDBOX_ARGV_H
#define REFEREE_SANDBOX_ARGV_H

#include "protocol/util.h"
#include "referee/sandbox/box.h"
#include "referee/sandbox/sandbox-closed.h"
#include "referee/sandbox/sandbox.h"

/* The folders of the system that every box shows, at their own paths; NULL
 * ends. */
extern const char *const sandbox_roots[];

/* Descriptors that bubblewrap and the first process find open. */
struct sandbox_fds {
	int filter, passwd, group; /* to be read to their end */
	int shim;   /* the program itself; -1: it is bound from its path */
	int report; /* where the first process writes to */
	int bot[3]; /* what become 0, 1 and 2 of the bot */
};

struct sandbox_start {
	const struct sandbox_box *box;
	struct sandbox_sources sources; /* of what the box shows */
	const char *bwrap, *shim;	/* paths of the two programs */
	const char
		*folder;   /* the working directory where box->folder is NULL */
	char *const *argv; /* of the bot; NULL: the box is only looked at */
	struct sandbox_fds fds;
};

/* The arguments, NULL ends; both they and the list are owned. */
char **sandbox_argv(const struct sandbox_start *start) MUST_CHECK;

#endif
