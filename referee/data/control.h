/* referee/data/control.h - the daemon's control socket: requests of its owner.
 *
 * DIR/control is a unix socket of mode 0600.  A client writes one line, words
 * separated by one tab each, and reads the answer up to the end: a line with
 * the exit code (enum error_kind) and, where that is not 0, a space and a
 * sentence; then what the command prints.  An answer may take its time. */
#ifndef REFEREE_CONTROL_H
#define REFEREE_CONTROL_H

#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/loop.h"

#define CONTROL_LINE_BYTES 32768 /* of a request, with its LF */
#define CONTROL_WORDS 72	 /* of a request at most */
#define CONTROL_ANSWER_BYTES 16777216
#define CONTROL_CLIENTS 16     /* at a time */
#define CONTROL_MS 5000	       /* for a client to ask, and to read */
#define CONTROL_PAUSE_MS 250   /* where there are no descriptors for one */
#define CONTROL_PATH_BYTES 108 /* of the socket, and a NUL */

struct control;

/* control_answer() will answer it. */
#define CONTROL_LATER 1
/* No daemon answers. */
#define CONTROL_SILENT (-2)

/* Does what a request asks for, and appends to `out`: 0, -1 and an error, or
 * CONTROL_LATER. */
typedef int control_run(void *arg, uint64_t number, unsigned words,
			char *const word[], struct text *out,
			struct error *why);

struct control *control_new(struct loop *loop, const char *data,
			    control_run *run, void *arg,
			    struct error *why) MUST_CHECK;
void control_free(struct control *control); /* NULL is fine */

/* Answers the request of that number, whose client may be gone.  `why` is NULL
 * if it was done. */
void control_answer(struct control *control, uint64_t number,
		    const struct text *out, const struct error *why);

/* The client's side, which waits: 0, and the answer is appended to `out`; -1 or
 * CONTROL_SILENT, and an error. */
int control_ask(const char *data, unsigned words, char *const word[],
		struct text *out, struct error *why) MUST_CHECK;

#endif
