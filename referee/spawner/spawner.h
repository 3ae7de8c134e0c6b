/* referee/spawner/spawner.h - starts bots, ends them, and removes all they leave
 * behind.
 *
 * The bots are children of a helper process, the spawner, which is forked
 * before the referee has a thread or a secret.  This is the referee's side, for
 * an event loop.  Requests go out at once and never block.  Answers come when
 * spawner_fd() is readable, as callbacks out of spawner_dispatch().
 *
 * All that a bot started ends with it, daemons included.  A process that has
 * left both its parent and its bot's session belongs to no bot and may be ended
 * at any time.  When the referee dies, however that happens, the spawner ends
 * all bots and then itself.  Only if the spawner itself is killed from outside
 * do the bots' own children outlive them.
 *
 * Every bot is in a Landlock domain of its own if the kernel has Landlock
 * (Linux 5.13).  It cannot trace, read or write processes outside of it, and
 * since Linux 6.12 it cannot signal them either.  An exec gives a bot no
 * privileges: setuid programs like sudo run as the bot's user. */
#ifndef REFEREE_SPAWNER_H
#define REFEREE_SPAWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/sandbox/sandbox.h"
#include "referee/spawner/spawner-end.h"

struct spawner;
struct spawner_child;

/* Callbacks of a child: either `failed` alone, or `started` and then `ended`.
 * The last one ends its handle.  They may call any function here but
 * spawner_dispatch() and spawner_free().  Any of them may be NULL. */
struct spawner_calls {
	void (*started)(void *arg, pid_t pid); /* the exec has succeeded */
	/* `step` is what went wrong: "fork", "chdir", "exec", …; `error` its
	 * errno. */
	void (*failed)(void *arg, const char *step, int error);
	void (*ended)(void *arg, const struct spawner_end *end);
};

/* A program to start. spawner_start() copies all of it. */
struct spawner_task {
	char *const *argv;  /* ends with NULL; argv[0] is looked for in PATH */
	char *const *extra; /* NAME=VALUE, ends with NULL; NULL: none.  They are
			     * added to PATH, HOME, LANG, USER and TMPDIR (if
			     * the referee had them at its start), or replace
			     * them; a bot gets no other variable */
	const char *folder; /* its working directory; NULL: the referee's */
	const struct sandbox_box *box; /* NULL: bare.  A box has an environment
				        * of its own plus `extra` */
	int fds[3]; /* become its 0, 1 and 2; the caller keeps them
		     * and may close them at once */
};

/* Forks the spawner.  Call it before the first thread.  Returns NULL and errno
 * on failure; ENOSYS if the kernel does not list the children of a process
 * (/proc is not mounted). */
struct spawner *spawner_new(void) MUST_CHECK;
/* Forks the spawner of a worker of process `above`.  While that process is
 * stopped, the worker and its bots are stopped, too. */
struct spawner *spawner_new_below(pid_t above) MUST_CHECK;
/* Ends all bots without a callback and waits until the spawner is gone.
 * `spawner` may be NULL. */
void spawner_free(struct spawner *spawner);

/* Returns a borrowed descriptor that is readable when there is something to
 * dispatch. */
int spawner_fd(const struct spawner *spawner);
/* Sends waiting requests, reads all answers and runs the callbacks.  Returns 0;
 * or -1 once the spawner is gone: then every child has had its last callback. */
int spawner_dispatch(struct spawner *spawner) MUST_CHECK;

/* Asks for a bot.  Returns its handle, which is borrowed until its last
 * callback.  Runs no callback.  Returns NULL and errno on failure: E2BIG
 * (SPAWNER_REQUEST_BYTES), EPIPE (the spawner is gone), EMFILE. */
struct spawner_child *spawner_start(struct spawner *spawner,
				    const struct spawner_task *task,
				    const struct spawner_calls *calls,
				    void *arg) MUST_CHECK;
/* Ends a bot and all that it started, at once.  `ended` is called as always. */
void spawner_kill(struct spawner *spawner, struct spawner_child *child);
/* Ends a bot for an owner that goes away: no callback is called any more, and
 * the handle is invalid. */
void spawner_drop(struct spawner *spawner, struct spawner_child *child);

/* Returns true if the arguments of failed() say that the machine, not the bot,
 * is to blame. */
bool spawner_is_machine(const char *step, int error) MUST_CHECK;

/* Returns true if the program exists, by PATH as in execvp(3).  Otherwise
 * writes one sentence without a full stop to `why`. */
bool spawner_program_ok(const char *argv0, char *why,
			size_t why_bytes) MUST_CHECK;

/* Returns true if the program exists in a box of this tier (SANDBOX_LANDLOCK or
 * better) that shows `folder`, by the PATH of boxes.  It does not look at what
 * the box hides, because readers of the sentence may not learn what else there
 * is.  Returns true, too, if that cannot be known: the exec in the box will
 * tell.  Otherwise writes a sentence to `why`. */
bool spawner_boxed_program_ok(const char *folder, enum sandbox_tier tier,
			      const char *argv0, char *why,
			      size_t why_bytes) MUST_CHECK;

#endif
