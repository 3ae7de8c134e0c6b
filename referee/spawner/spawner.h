/* referee/spawner/spawner.h - starts bots, ends them, and removes all they leave
 * behind.
 *
 * The bots are children of a helper process, the spawner, which is forked
 * before the referee has a thread or a secret.  Here is the referee's side, for
 * an event loop: requests go out at once and never block; answers come in when
 * spawner_fd() is readable, as callbacks out of spawner_dispatch().
 *
 * Whatever a bot started ends with it, daemons included.  A process that has
 * left both its parent and its bot's session belongs to no bot and may be ended
 * at any time.  When the referee dies, however that happens, the spawner ends
 * all bots and then itself.  Only if the spawner itself is killed from outside
 * do the bots' own children outlive them.
 *
 * Every bot is in a Landlock domain of its own (Linux 5.13; where there is no
 * Landlock it goes without): it cannot trace, read or write what is outside of
 * it, and since Linux 6.12 it cannot signal it either.  An exec gives a bot no
 * privileges: setuid programs like sudo run as the bot's user. */
#ifndef REFEREE_SPAWNER_H
#define REFEREE_SPAWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/sandbox/box.h"
#include "referee/sandbox/sandbox.h"
#include "referee/spawner/spawner-end.h"

struct spawner;
struct spawner_child;

/* What becomes of a child: `failed` alone; or `started`, then `ended`.  The
 * last of them is the end of its handle.  They may call any function here but
 * spawner_dispatch() and spawner_free().  Any of them may be NULL. */
struct spawner_calls {
	void (*started)(void *arg, pid_t pid); /* the exec has succeeded */
	/* `step` is what went wrong: "fork", "chdir", "exec", …; `error` its
	 * errno. */
	void (*failed)(void *arg, const char *step, int error);
	void (*ended)(void *arg, const struct spawner_end *end);
};

/* What to start.  All is copied. */
struct spawner_job {
	char *const *argv;  /* NULL ends; argv[0] is looked for in PATH */
	char *const *extra; /* NAME=VALUE, NULL ends; NULL: none.  Added to
			     * PATH, HOME, LANG, USER and TMPDIR (where the
			     * referee had them when it began), or in their
			     * place; a bot gets no other variable */
	const char *folder; /* its working directory; NULL: the referee's */
	const struct sandbox_box *box; /* NULL: bare.  In a box the environment
					* is a new one, `extra` is added */
	int fds[3]; /* become its 0, 1 and 2; the caller keeps them
		     * and may close them at once */
};

/* Forks the spawner: before the first thread.  NULL and errno; ENOSYS where
 * the kernel shows no process its children (/proc not mounted). */
struct spawner *spawner_new(void) MUST_CHECK;
/* Makes one in a worker of process `above`: while that is stopped, so are the worker
 * and its bots. */
struct spawner *spawner_new_below(pid_t above) MUST_CHECK;
/* Ends all bots without a callback, and waits until the spawner is gone.  NULL
 * is fine. */
void spawner_free(struct spawner *spawner);

/* Readable when there is something to dispatch; borrowed. */
int spawner_fd(const struct spawner *spawner);
/* Sends what had to wait, reads all answers, runs the callbacks.  0; or -1
 * once the spawner is gone: every child has then had its last callback. */
int spawner_dispatch(struct spawner *spawner) MUST_CHECK;

/* Asks for a bot: its handle, borrowed until its last callback.  No callback
 * runs inside.  NULL and errno: E2BIG (SPAWNER_REQUEST_BYTES), EPIPE (the
 * spawner is gone), EMFILE. */
struct spawner_child *spawner_start(struct spawner *spawner,
				    const struct spawner_job *job,
				    const struct spawner_calls *calls,
				    void *arg) MUST_CHECK;
/* Ends a bot and all that it started, at once.  `ended` comes as always. */
void spawner_kill(struct spawner *spawner, struct spawner_child *child);
/* Ends it likewise, for an owner that goes away: no callback any more, the
 * handle is void. */
void spawner_drop(struct spawner *spawner, struct spawner_child *child);

/* Whether it is the machine that would not start a bot, and no fault of the
 * bot's: by what failed() was told. */
bool spawner_is_machine(const char *step, int error) MUST_CHECK;

/* Whether there is such a program to start, by PATH as execvp(3) has it;
 * otherwise one sentence, without a full stop, in `why`. */
bool spawner_program_ok(const char *argv0, char *why,
			size_t why_bytes) MUST_CHECK;

/* Likewise in a box of this tier (SANDBOX_LANDLOCK or better) that shows the
 * folder `folder`: by the PATH of boxes, and without a look at what is not
 * shown there, for those who read the sentence may not know what else there is.
 * What cannot be told so is true: the exec in the box will tell. */
bool spawner_boxed_program_ok(const char *folder, enum sandbox_tier tier,
			      const char *argv0, char *why,
			      size_t why_bytes) MUST_CHECK;

#endif
