/* referee/serve/resident.h - bots that live on this machine: a folder each, and
 * a fresh process for each of their games, which dispatch.h plays.
 *
 * A resident is a participant.  What is told of one costs as much as it
 * concerns, however many others live here.  How many games they play at once is
 * bounded for each and for all of them together, whatever the ladders would
 * like.  Who lives here, and on which ladders, its owner says, the daemon. */
#ifndef REFEREE_RESIDENT_H
#define REFEREE_RESIDENT_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/table/loop.h"
#include "referee/child/sandbox.h"
#include "referee/net/participant.h"

#define RESIDENT_WHY_BYTES 6144 /* of a sentence: BOT_FOLDER_WHY_BYTES */

struct bot_folder;
struct job_end;
struct resident;
struct residents;

struct resident_setup {
	unsigned games;	     /* that residents play at a time, all together */
	unsigned at_once;    /* of them, one and the same resident */
	unsigned memory_mib; /* the most that one may ask for */
	unsigned processes;  /* of one game's one bot */
	enum sandbox_tier tier;
};

/* By the loop. */
struct resident_calls {
	/* A process of this one has ended, or the setup has changed: it may
	 * have room for another game. */
	void (*room)(void *arg, struct resident *resident);
	/* All of them together can begin a game again: residents_full() is
	 * over.
	 */
	void (*open)(void *arg);
	/* Nothing of it runs any more, after resident_dismiss();
	 * resident_free() is due, once no scheduler knows it. */
	void (*idle)(void *arg, struct resident *resident);
};

struct resident {
	/* For the owner to read. */
	struct participant
		participant; /* `stands_as`, `before`: the owner's to set */
	char name[NAME_BYTES + 1];
	const struct bot_folder *folder;     /* owned */
	unsigned games;			     /* processes that run */
	bool leaving;			     /* it was dismissed */
	uint64_t sits;			     /* for the owner's use */
	int64_t entry;			     /* likewise */
	char hash[ROSTER_CONTENT_BYTES + 1]; /* likewise */
	unsigned offered;		     /* likewise */
	/* The rest is resident.c's. */
	struct residents *residents;
	struct resident *next, *next_changed;
	bool changed;		/* is in that list */
	char *home;		/* owned: the folder's real path */
	struct sandbox_box box; /* of the game that it sat down for last */
	char *complaint;	/* owned: the last STDERR_BYTES of its games */
	size_t complaint_bytes;
};

struct residents *residents_new(struct loop *loop,
				const struct resident_calls *calls,
				void *arg) MUST_CHECK;
/* No game of theirs may run. */
void residents_free(struct residents *residents); /* NULL is fine */

/* From the next game on. */
void residents_set(struct residents *residents,
		   const struct resident_setup *setup);
/* No process can be started any more: none of them plays again. */
void residents_stop(struct residents *residents);
/* The process at this seat of a job has ended; NULL: how is not known.  Others'
 * seats do not matter. */
void residents_ended(struct residents *residents, uint64_t number,
		     unsigned seat, const struct job_end *end);
/* Whether none of them may begin a game now, for together they play as many as
 * they may.  What a resident has room for by itself is told without it. */
bool residents_full(const struct residents *residents);
/* One that lives in this folder from now on, under this name.  NULL and a
 * sentence: it cannot be started, or asks for too much. */
struct resident *resident_new(struct residents *residents, const char *name,
			      const char *folder,
			      char why[RESIDENT_WHY_BYTES]) MUST_CHECK;
/* It begins no more games; those that run go on to their end, and idle()
 * follows. */
void resident_dismiss(struct resident *resident);
/* Nothing of it may run. */
void resident_free(struct resident *resident);

/* One after the other; NULL at the end. */
struct resident *residents_first(const struct residents *residents);
struct resident *resident_next(const struct resident *resident);
/* Of that name, and not dismissed; or NULL. */
struct resident *residents_find(const struct residents *residents,
				const char *name);
/* The one that this participant is, or NULL. */
struct resident *participant_resident(const struct participant *participant);

#endif
