/* referee/data/control.h - the daemon's control socket: requests of its owner.
 *
 * DIR/control is a unix socket of mode 0600.  A client writes one line of
 * words, separated by one tab each, and reads the answer to its end: a line
 * with the exit code (enum error_kind) and, if that is not 0, a space and a
 * sentence; then what the command prints.  An answer may take long. */
#ifndef REFEREE_CONTROL_H
#define REFEREE_CONTROL_H

#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/loop.h"

#define CONTROL_LINE_BYTES 32768 /* bytes of a request, with its LF */
#define CONTROL_WORDS 72	 /* words of a request */
#define CONTROL_ANSWER_BYTES 16777216
#define CONTROL_CLIENTS 16     /* clients at a time */
#define CONTROL_MS 5000	       /* time of a client to ask, and to read */
#define CONTROL_PAUSE_MS 250   /* pause when no descriptors are left */
#define CONTROL_PATH_BYTES 108 /* bytes of the socket's path and its NUL */

struct control;

/* Result of control_run: control_answer() will follow. */
#define CONTROL_LATER 1
/* Result of control_ask(): no daemon answers. */
#define CONTROL_SILENT (-2)

/* Carries out a request and appends to `out`.  Returns 0, -1 and an error, or
 * CONTROL_LATER. */
typedef int control_run(void *arg, uint64_t number, unsigned words,
			char *const word[], struct text *out,
			struct error *why);

struct control *control_new(struct loop *loop, const char *data,
			    control_run *run, void *arg,
			    struct error *why) MUST_CHECK;
void control_free(struct control *control); /* may be NULL */

/* Answers the request of that number; its client may be gone.  `why` is NULL
 * after success. */
void control_answer(struct control *control, uint64_t number,
		    const struct text *out, const struct error *why);

/* Sends a request as a client and waits.  Returns 0 and appends the answer to
 * `out`; or -1 or CONTROL_SILENT, and an error. */
int control_ask(const char *data, unsigned words, char *const word[],
		struct text *out, struct error *why) MUST_CHECK;

#endif
