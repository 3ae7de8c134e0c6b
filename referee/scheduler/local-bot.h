/* referee/scheduler/local-bot.h - bots that run on this machine: each has a folder,
 * and a fresh process for each game, which dispatch.h plays.
 *
 * A local bot is a participant.  The cost of an event does not depend on the
 * number of the other local bots.  The number of games at once is bounded for
 * each bot and for all of them together, whatever the ladders ask for.  The
 * owner, the daemon, says which bots there are and on which ladders they
 * play. */
#ifndef REFEREE_LOCAL_BOT_H
#define REFEREE_LOCAL_BOT_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/runner/participant.h"
#include "referee/sandbox/sandbox.h"
#include "referee/scheduler/share.h"

#define LOCAL_BOT_WHY_BYTES 400 /* of what is kept of a refusal */

struct bot_folder;
struct job_end;
struct local_bot;
struct local_bots;

struct local_bot_setup {
	unsigned games;	     /* that local bots play at a time, all together */
	unsigned at_once;    /* of them, one and the same local bot */
	unsigned memory_mib; /* the most that one may ask for */
	unsigned processes;  /* of one game's one bot */
	enum sandbox_tier tier;
};

/* By the loop. */
struct local_bot_calls {
	/* A process of this one has ended, or the setup has changed: it may
	 * have room for another game. */
	void (*room)(void *arg, struct local_bot *local);
	/* All of them together can begin a game again: local_bots_full() is
	 * over.
	 */
	void (*open)(void *arg);
	/* How its process has ended in game `id`, which is over: a sentence, if
	 * it is worth telling. */
	void (*ended)(void *arg, struct local_bot *local, const char *id,
		      unsigned seat, const char *sentence);
	/* It has written to standard error there: end->complaint.  Borrowed.
	 */
	void (*wrote)(void *arg, struct local_bot *local, const char *id,
		      unsigned seat, const struct job_end *end);
	/* Nothing of it runs any more, after local_bot_dismiss();
	 * local_bot_free() is due, once no scheduler knows it. */
	void (*idle)(void *arg, struct local_bot *local);
};

struct local_bot {
	/* For the owner to read. */
	struct local_bot *next; /* the one after it, or NULL */
	struct participant
		participant; /* `stands_as`, `before`: the owner's to set */
	char name[NAME_BYTES + 1];
	const struct bot_folder *folder;     /* owned */
	unsigned games;			     /* processes that run */
	bool leaving;			     /* it was dismissed */
	struct share share;		     /* for the owner's use */
	int64_t entry;			     /* likewise */
	char hash[ROSTER_CONTENT_BYTES + 1]; /* likewise */
	/* The rest is local-bot.c's. */
	struct local_bots *locals;
	struct local_bot *next_changed;
	bool changed;		/* is in that list */
	char *home;		/* owned: the folder's real path */
	struct sandbox_box box; /* of the game that it sat down for last */
};

struct local_bots *local_bots_new(struct loop *loop,
				  const struct local_bot_calls *calls,
				  void *arg) MUST_CHECK;
/* No game of theirs may run. */
void local_bots_free(struct local_bots *locals); /* NULL is fine */

/* From the next game on. */
void local_bots_set(struct local_bots *locals,
		    const struct local_bot_setup *setup);
/* No process can be started any more: none of them plays again. */
void local_bots_stop(struct local_bots *locals);
/* The process at this seat of a job has ended; NULL: how is not known.  Others'
 * seats do not matter. */
void local_bots_ended(struct local_bots *locals, uint64_t number, unsigned seat,
		      const struct job_end *end);
/* Whether none of them may begin a game now, for together they play as many as
 * they may.  What a local bot has room for by itself is told without it. */
bool local_bots_full(const struct local_bots *locals);
/* One that lives in this folder from now on, under this name.  NULL and a
 * sentence: it cannot be started, or asks for too much. */
struct local_bot *local_bot_new(struct local_bots *locals, const char *name,
				const char *folder,
				struct error *why) MUST_CHECK;
/* Notes why the bot `name`, which should live here, does not.  Without a name it
 * forgets all of them. */
void local_bots_refuse(struct local_bots *locals, const char *name,
		       const char *why);
/* The sentence of the bot `name`, until the next one is noted; or NULL. */
const char *local_bots_refused(const struct local_bots *locals,
			       const char *name) MUST_CHECK;
/* It begins no more games; those that run go on to their end, and idle()
 * follows. */
void local_bot_dismiss(struct local_bot *local);
/* Nothing of it may run. */
void local_bot_free(struct local_bot *local);

/* The first of those that live here, or NULL. */
struct local_bot *local_bots_first(const struct local_bots *locals);
/* The one that this participant is, or NULL. */
struct local_bot *participant_local_bot(const struct participant *participant);

#endif
