/* referee/scheduler/local-bot.h - bots that run on this machine.  Each has a
 * folder, and a fresh process for each game, which dispatch.h plays.
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

#define LOCAL_BOT_WHY_BYTES 400 /* bytes of a refusal that are kept */

struct bot_folder;
struct job_end;
struct local_bot;
struct local_bots;

struct local_bot_setup {
	unsigned games;	     /* games of all local bots at a time */
	unsigned at_once;    /* games of one local bot at a time */
	unsigned memory_mib; /* the most that a bot may ask for */
	unsigned processes;  /* of one bot in one game */
	enum sandbox_tier tier;
};

/* The loop makes these calls. */
struct local_bot_calls {
	/* A process of this bot has ended, or the setup has changed: the bot
	 * may have room for another game. */
	void (*room)(void *arg, struct local_bot *local);
	/* local_bots_full() has become false: local bots can begin games again. */
	void (*open)(void *arg);
	/* The bot's process has ended in game `id`, which is over.  Called only
	 * if the sentence about it is worth telling. */
	void (*ended)(void *arg, struct local_bot *local, const char *id,
		      unsigned seat, const char *sentence);
	/* It has written end->complaint to standard error in that game.
	 * Borrowed. */
	void (*wrote)(void *arg, struct local_bot *local, const char *id,
		      unsigned seat, const struct job_end *end);
	/* After local_bot_dismiss() no process of it runs any more.  Call
	 * local_bot_free() once no scheduler knows it. */
	void (*idle)(void *arg, struct local_bot *local);
};

struct local_bot {
	/* The owner may read these. */
	struct local_bot *next; /* next local bot, or NULL */
	struct participant
		participant; /* the owner sets `stands_as` and `before` */
	char name[NAME_BYTES + 1];
	const struct bot_folder *folder;     /* owned */
	unsigned games;			     /* running processes */
	bool leaving;			     /* dismissed */
	struct share share;		     /* for the owner's use */
	int64_t entry;			     /* for the owner's use */
	char hash[ROSTER_CONTENT_BYTES + 1]; /* for the owner's use */
	/* Only local-bot.c uses the rest. */
	struct local_bots *locals;
	struct local_bot *next_changed;
	bool changed;		/* is in the list of `next_changed` */
	char *home;		/* owned; the folder's real path */
	struct sandbox_box box; /* box of the last game that it sat down for */
};

struct local_bots *local_bots_new(struct loop *loop,
				  const struct local_bot_calls *calls,
				  void *arg) MUST_CHECK;
/* Frees the bots.  None of their games may run. */
void local_bots_free(struct local_bots *locals); /* NULL is allowed */

/* Sets the bounds from the next game on. */
void local_bots_set(struct local_bots *locals,
		    const struct local_bot_setup *setup);
/* Lets no local bot play again, because no process can be started any more. */
void local_bots_stop(struct local_bots *locals);
/* Notes that the process at this seat of a job has ended.  `end` is NULL if it
 * is not known how.  Seats without a local bot are ignored. */
void local_bots_ended(struct local_bots *locals, uint64_t number, unsigned seat,
		      const struct job_end *end);
/* Returns true if no local bot may begin a game now, because together they play
 * as many as they may, or were stopped, or the next place is kept.  The room of
 * each bot does not take this into account. */
bool local_bots_full(const struct local_bots *locals);
/* Returns true if it is not full but for a place that is kept. */
bool local_bots_have_place(const struct local_bots *locals);
/* Keeps the next place that becomes free from local bots, for a trial, until it
 * is called with false. */
void local_bots_keep_place(struct local_bots *locals, bool keep);
/* Makes a local bot of this folder, under this name.  Returns NULL and an error
 * if it cannot be started or asks for too much. */
struct local_bot *local_bot_new(struct local_bots *locals, const char *name,
				const char *folder,
				struct error *why) MUST_CHECK;
/* Notes why the bot `name`, which should live here, does not.  If `name` is
 * NULL, it forgets all notes. */
void local_bots_refuse(struct local_bots *locals, const char *name,
		       const char *why);
/* Returns the noted sentence about the bot `name`, borrowed until the next
 * note, or NULL. */
const char *local_bots_refused(const struct local_bots *locals,
			       const char *name) MUST_CHECK;
/* Lets the bot begin no more games.  Running games go on to their end, then
 * idle() is called. */
void local_bot_dismiss(struct local_bot *local);
/* Frees the bot.  None of its processes may run. */
void local_bot_free(struct local_bot *local);

/* Returns the first local bot, or NULL. */
struct local_bot *local_bots_first(const struct local_bots *locals);
/* Returns the local bot that this participant is, or NULL. */
struct local_bot *participant_local_bot(const struct participant *participant);

#endif
