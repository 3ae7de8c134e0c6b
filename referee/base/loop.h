/* referee/base/loop.h - the one event loop, its timers and its passes.
 *
 * A pass waits for events and lets their callbacks read, settles the
 * tables whose answers are in, and writes to the bots that are asked.  Answers
 * read together count as simultaneous.  While answers come at once the pass
 * takes them and goes on asking; seats that were not asked are told what
 * happened at its end, or TELL_MS after it did.  So a bot that is asked soon
 * gets it in one write with the ask, instead of being woken for every move of
 * the others.
 *
 * Embed a struct loop_task to get a turn at the end of the pass. */
#ifndef REFEREE_LOOP_H
#define REFEREE_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "protocol/clock.h"
#include "protocol/util.h"
#include "referee/base/timers.h"

struct event;
struct event_base;

/* A task that runs once in the pass in which it was posted.  `run` may post any
 * task, also its own.  What settling posts for LOOP_ASK and LOOP_TELL, and what
 * these post for LOOP_SEND, still runs in this pass; another LOOP_SETTLE runs
 * when answers are next taken in. */
struct loop_task {
	void (*run)(struct loop_task *task);
	TAILQ_ENTRY(loop_task) at;
	struct loop_queue *in; /* NULL: not posted */
	uint64_t since_us;     /* when it was posted, for LOOP_TELL */
};

enum loop_stage {
	LOOP_SETTLE, /* settles tables whose answers are in */
	LOOP_ASK,    /* sends what is collected for bots that are asked */
	LOOP_TELL,   /* sends what is collected for the others */
	LOOP_SEND,   /* after each of the two: connections that have collected
		      * lines of several bots write them */
	LOOP_STAGES,
};

TAILQ_HEAD(loop_queue, loop_task);

struct loop {
	struct event_base *base;
	struct timers timers;
	struct timer beat;
	struct event *wake; /* libevent's only timer, */
	uint64_t wake_us;   /* and when it wakes us; UINT64_MAX: it does not */
	uint64_t beaten_us; /* the last beat, by the machine's clock */
	uint64_t lag_us;    /* lag of the last beat */
	uint64_t worst_us[2], minute_us; /* the worst lag of this minute and of
					  * the last */
	struct loop_queue queue[LOOP_STAGES];
	struct loop_queue running; /* the rest of the queue that is being run */
	bool stop;
	/* Slow steps since events were last polled; the round of them, and true if
	 * the last poll left some to be taken in this round. */
	unsigned slow_steps;
	uint64_t round;
	bool unfinished;
	/* The call that looks at the bot asked last; how many bots were asked
	 * in this pass; how many looks in a row found no answer, and how many
	 * of the next asks go without a look because of that. */
	void (*peek)(void *arg);
	void *peek_arg;
	unsigned asked, misses, skip;
};

int loop_init(struct loop *loop)
	MUST_CHECK; /* returns or -1 and errno if it fails */
void loop_release(struct loop *loop);

/* Gives how late the loop was at its last check, of which there are 20 a
 * second, and the worst of the last one or two minutes. */
void loop_lag(const struct loop *loop, uint64_t *last_us, uint64_t *worst_us);

void loop_post(struct loop *loop, enum loop_stage stage,
	       struct loop_task *task);
/* Forgets a task if it is posted.  Call it before the task is freed. */
void loop_cancel(struct loop *loop, struct loop_task *task);

typedef void loop_call(int fd, short what, void *arg);

/* These make events of libevent, which event_free() frees; without memory the
 * program aborts.  The first is called whenever `fd` can be read. */
struct event *loop_reads(struct event_base *base, int fd, loop_call *call,
			 void *arg) MUST_CHECK;
/* Makes `n` events, one for each signal. */
void loop_signals(struct event_base *base, struct event *event[],
		  const int signals[], size_t n, loop_call *call, void *arg);
/* Adds events for SIGINT, SIGTERM and SIGHUP (a terminal that has gone), but not for
 * a SIGHUP that is ignored, as nohup(1) does it.  Returns how many events it adds. */
#define LOOP_END_SIGNALS 3
size_t loop_end_signals(struct event_base *base,
			struct event *event[LOOP_END_SIGNALS], loop_call *call,
			void *arg) MUST_CHECK;
/* Frees an event, unless it is NULL, and forgets it. */
void loop_drop(struct event **event);

/* Notes that `arg` has been asked, in LOOP_ASK or LOOP_SEND. If it is the only
 * one, while others wait to be told, look(arg) may be called before the loop
 * waits for events; it reads what is there. */
void loop_asked(struct loop *loop, void (*look)(void *arg), void *arg);
/* Forgets that `arg` was asked.  Call it before `arg` is freed. */
void loop_forget(struct loop *loop, const void *arg);

/* Callbacks of strangers may take this many slow steps, such as those of a TLS
 * handshake, each time that events are polled.  More of them would let bots wait, and
 * the loop's clock stand. */
#define LOOP_SLOW_STEPS 4
/* Returns true if the callback may take such a step now.  Otherwise it returns without
 * reading or writing: its event comes again in the next pass.  `*stepped`, at first 0,
 * is the caller's: one that had a step waits until all others that wait had one. */
bool loop_may_step(struct loop *loop, uint64_t *stepped) MUST_CHECK;

/* Runs one pass; waits for an event or a timer only if no task is posted. */
void loop_pass(struct loop *loop);
/* Runs passes until loop->stop is true. */
void loop_run(struct loop *loop);

#endif
