/* referee/spawner/spawner-message.h - the messages between the referee and its
 * spawner.
 *
 * One message is one packet of a SOCK_SEQPACKET pair; the two ends are the same
 * program, so structs go as they are.  The spawner answers every request with
 * exactly one message (started, failed, heard), by which the referee knows that
 * there is room in the socket again.  It sends `ended` unasked. */
#ifndef REFEREE_SPAWNER_MESSAGE_H
#define REFEREE_SPAWNER_MESSAGE_H

#include <stdint.h>

#include "referee/sandbox/sandbox.h"
#include "referee/spawner/spawner-end.h"

enum spawner_request_kind { REQUEST_START, REQUEST_KILL };

/* START brings three descriptors and strings that each end in a NUL: the folder
 * (empty: none), argv, the additions to the environment; for a box also its
 * folder (empty: none), what it shows and what it hides. */
struct spawner_request {
	uint32_t kind;
	uint32_t tag; /* the referee's number for this child */
	uint32_t args;
	uint32_t extras;
	uint32_t sees, hides;
	struct sandbox_box box; /* what it points to follows */
	char strings[];
};

enum spawner_answer_kind {
	ANSWER_READY,	/* the spawner's first message; error 0, or it exits */
	ANSWER_STARTED, /* pid */
	ANSWER_FAILED,	/* step, error */
	ANSWER_HEARD,	/* answers a kill; the child may have ended before */
	ANSWER_ENDED,	/* end */
};

enum spawner_step {
	STEP_FORK,
	STEP_SETSID,
	STEP_PRCTL,
	STEP_LANDLOCK,
	STEP_SECCOMP,
	STEP_SETRLIMIT,
	STEP_CHDIR,
	STEP_DUP,
	STEP_CLOSE,
	STEP_EXEC,
	STEP_EXEC_ANY,	/* no program can be started, not only the bot's */
	STEP_EXEC_SOON, /* within SPAWNER_EXEC_MS */
	STEP_BOX,  /* no box could be made; the bot's standard error has the
		    * words of bubblewrap */
	STEP_SEND, /* only set on the referee's side */
};

struct spawner_answer {
	uint32_t kind;
	uint32_t tag;
	int32_t pid;
	uint32_t step; /* enum spawner_step */
	int32_t error; /* errno */
	struct spawner_end end;
};

#endif
