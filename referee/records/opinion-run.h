/* referee/records/opinion-run.h - the program that has opinions, as a process.
 *
 * It gets its input as standard input, and its output is read over a pipe until
 * it ends, is stopped or has used its time.  It is niced, and the caller starts
 * one at a time, so that games have the processors: beside a game that needs one
 * all the time it gets a tenth of it.  The
 * program of this build gives up all rights before it reads (opinions.c). */
#ifndef REFEREE_OPINION_RUN_H
#define REFEREE_OPINION_RUN_H

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define OPINION_NICE 10
#define OPINION_BYTES 4194304 /* of its output */
#define OPINION_PROGRAM "strong-opinions"

struct opinion_job {
	const char *program;  /* a path */
	const char *playouts; /* of each decision, or NULL: as it likes */
	unsigned ms;	      /* then it is killed */
	int stop; /* a descriptor: readable when the program must end; or -1 */
};

/* The path of this build's own: beside this program or where `make install`
 * puts it.  NULL and a sentence: it is not there. */
const char *opinion_program(struct error *why) MUST_CHECK;

/* Runs it to its end, which may take as long as the job says; for a thread that
 * may wait.  `output` is initialised here: release it.  0, or -1 and a
 * sentence. */
int opinion_run(const struct opinion_job *job, const struct text *input,
		struct text *output, struct error *why) MUST_CHECK;

#endif
