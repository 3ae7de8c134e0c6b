/* referee/records/opinion-run.h - runs the program that gives opinions.
 *
 * The program gets its input as standard input, and we read its output from a
 * pipe until it ends, is stopped or has used its time.  It is niced, and the
 * caller starts one at a time, so that games have the processors: beside a game
 * that needs one all the time it gets a tenth of it.  The program of this build
 * gives up all rights before it reads (opinions.c). */
#ifndef REFEREE_OPINION_RUN_H
#define REFEREE_OPINION_RUN_H

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define OPINION_NICE 10
#define OPINION_BYTES 4194304 /* bytes of its output */
#define OPINION_PROGRAM "strong-opinions"

struct opinion_task {
	const char *program; /* a path */
	const char
		*playouts; /* playouts for each decision; NULL: its default */
	unsigned ms;	   /* time until it is killed */
	int stop; /* a descriptor: readable when the program must end; or -1 */
};

/* Returns the path of this build's own program: beside this one, or where `make
 * install` puts it.  Returns NULL and a sentence if it is missing. */
const char *opinion_program(struct error *why) MUST_CHECK;

/* Runs the program to its end, which may take as long as the task says; call it
 * in a thread that may wait.  Initialises `output`, which the caller releases.
 * Returns 0, or -1 and a sentence. */
int opinion_run(const struct opinion_task *task, const struct text *input,
		struct text *output, struct error *why) MUST_CHECK;

#endif
