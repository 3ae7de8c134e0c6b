/* referee/control.h - the daemon's control socket: requests of its owner.
 *
 * DIR/control is a unix socket of mode 0600.  Whoever connects writes one line,
 * words separated by one tab each, and reads the answer up to the end: a line
 * with the exit code and, where that is not 0, a space and a sentence; then
 * what is to be printed. */
#ifndef REFEREE_CONTROL_H
#define REFEREE_CONTROL_H

#include "ladder/roster.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/loop.h"

#define CONTROL_LINE_BYTES 1024 /* of a request, with its LF */
#define CONTROL_WHY_BYTES 5120	/* of a sentence with a path in it */
#define CONTROL_CLIENTS 16	/* at a time */
#define CONTROL_MS 5000		/* for a client to be done */
#define CONTROL_PATH_BYTES 108	/* of the socket, and a NUL */

struct control;

/* What is to be done with a request: appends to `out`, returns the exit code;
 * with another one than 0 a sentence stands in `why`. */
typedef int control_run(void *arg, unsigned words, char *const word[],
			struct text *out, char why[LADDER_WHY_BYTES]);

struct control *control_new(struct loop *loop, const char *data,
			    control_run *run, void *arg,
			    char why[CONTROL_WHY_BYTES]) MUST_CHECK;
void control_free(struct control *control); /* NULL is fine */

/* The client's side, which waits: the exit code, the answer in `out` or a
 * sentence in `why`.  -1: no daemon answers at `data`. */
int control_ask(const char *data, unsigned words, char *const word[],
		struct text *out, char why[CONTROL_WHY_BYTES]) MUST_CHECK;

#endif
