/* referee/queue/player-inside.h - what the files of a player share.
 *
 * Each job that was claimed is a struct held.  What comes next for each
 * of them follows from its state alone: player_look() does it, after everything
 * that happens. */
#ifndef REFEREE_PLAYER_INSIDE_H
#define REFEREE_PLAYER_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/text.h"
#include "referee/base/loop.h"
#include "referee/queue/bot-cache.h"
#include "referee/queue/pg.h"
#include "referee/queue/player.h"
#include "referee/queue/spec.h"
#include "referee/runner/job.h"

struct event;

enum held_state {
	HELD_WAITS, /* for its bots, or for room */
	HELD_PLAYS,
	HELD_OVER,    /* its result is here */
	HELD_RETURNS, /* it goes back to the queue */
	HELD_DONE,    /* no more to do */
};

/* A job that was claimed. */
struct held {
	struct player *player;
	struct held *next, **prev;
	enum held_state state;
	int64_t job, attempt; /* as in the database */
	uint64_t number;      /* as for the workers; later ones are higher */
	struct job *spec;     /* owned; NULL: it cannot be read */
	struct cached *bot[SEATS_MAX]; /* NULL: none sits there */
	uint64_t began_us;
	bool asking; /* the database is asked about it: it must stay */
	bool lost;   /* it is another's by now, */
	bool ending; /* and so its game is aborted */
	/* Its bots have given this, which is not yet kept. */
	bool gave;
	struct entropy entropy;
	/* Of one that is over: whether the database has it, and the bots know;
	 * until when these wait, and what it is. */
	bool reported, told;
	uint64_t until_us;
	struct text body;
	unsigned refusals; /* of its report */
	uint64_t retry_us; /* the database is not asked before */
	/* Why it is given back; "": we stop, which is no fault. */
	char why[JOB_WHY_BYTES];
	const struct cached *unbuilt; /* a bot of its that cannot be had here */
};

struct player {
	struct loop loop;
	const struct player_setup *setup;
	struct pg *pg;
	struct workers *workers;
	struct bot_cache *cache;
	struct loop_task task; /* player_look() */
	struct held *held;     /* the last one first */
	uint64_t number;
	unsigned asks;	       /* answers that are due */
	char instance[32 + 1]; /* of this process */
	const char **rules;    /* of all games; owned */
	size_t games;
	bool enlisted, enlisting, claiming, beating;
	/* A seal did not open: the queue is asked again whose key it has; and it
	 * is this one's. */
	bool doubts_key, knows_key;
	bool unfit;	      /* the queue has another version, for now */
	uint64_t enlisted_us; /* player_boot_us(), when asked */
	char waits[512];      /* why it is not enlisted, as it was told */
	uint64_t claimed_us, beaten_us; /* player_boot_us(), when asked */
	unsigned wanted;		/* of the claim */
	bool dry; /* the queue had no more; until poll or notice */
	uint64_t
		leased_us; /* player_boot_us(): what we hold is ours until then */
	uint64_t game_us;  /* how long one takes, about */
	uint64_t pause_us; /* player_boot_us(): no claims until then */
	unsigned failures; /* of this machine, in a row */
	bool stopping, aborted, settling, finishing, finished;
	uint64_t stop_us; /* when running games are aborted */
	uint64_t give_up_us;
	struct event *signal[3], *poll, *beat, *tick;
	struct error *why;
	bool failed; /* `why` is set */
};

/* Does what comes next, soon. */
void player_look(struct player *player);
/* It cannot go on: it stops, and gives its jobs back if it can. */
void player_fail(struct player *player, enum error_kind kind, const char *fmt,
		 ...) PRINTF_LIKE(3, 4) COLD;
void player_log(struct player *player, enum log_level level, const char *event,
		const struct held *held, const char *why);
/* Microseconds since the machine was started, whatever stood still. */
uint64_t player_boot_us(void);

/* ---- player-held.c ---- */

/* A job from a row of claim(); NULL: it is held already. */
struct held *held_claimed(struct player *player, const struct pg_answer *answer,
			  unsigned row);
void held_free(struct held *held);
struct held *held_find(const struct player *player, uint64_t number);
/* It is given back: a loss unless `why` is "". */
void held_return(struct held *held, const char *why);
/* Plays it if its bots are here. */
void held_begin(struct held *held);
/* Its bots are told the hash of their record, or (NULL) nothing. */
void held_tell(struct held *held, const unsigned char *hash);
/* The calls of the workers, whose `arg` is the player. */
extern const struct workers_calls held_calls;

/* ---- player-ask.c ---- */

/* Whether the database can be asked now. */
bool player_is_ready(const struct player *player);
void player_enlist(struct player *player);
/* A seal did not open.  Whether the key may be another one than the queue's: then
 * the worker ends, and no game is to blame. */
bool player_doubts_key(struct player *player) MUST_CHECK;
void player_claim(struct player *player, unsigned n);
void player_beat(struct player *player);
void player_fetch(void *arg, const char *hash, uint64_t at);
/* What its state asks for; it is `asking` from now on. */
void player_ask_entropy(struct held *held);
void player_ask_report(struct held *held);
void player_ask_return(struct held *held);

#endif
