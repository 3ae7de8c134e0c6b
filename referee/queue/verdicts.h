/* referee/queue/verdicts.h - the games of a ladder as the queue's database has
 * them: what counts, and with what serials.
 *
 * The folder and the ladder of the daemon are a copy.  Each writer has a
 * connection of its own, which waits in the writer's thread; whatever is written
 * is refused once another coordinator has taken over.  Once a ladder is bound by
 * who may write, its voids are in the database before they are on disk. */
#ifndef REFEREE_VERDICTS_H
#define REFEREE_VERDICTS_H

#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "protocol/text.h"
#include "referee/queue/voids.h"
#include "referee/records/writer.h"

/* Of one statement: games, and bytes of records. */
#define VERDICTS_GAMES 200
#define VERDICTS_BYTES 16777216
#define VERDICTS_TRIES 5 /* to write */

/* Who may write there. */
struct queue_house {
	const char *conninfo;
	int64_t epoch; /* 0: only reads, as a standby does */
};

struct verdicts;

/* Of the ladder that is configured under this name.  Everything is copied.  Does
 * not connect yet.  NULL and a sentence. */
struct verdicts *verdicts_new(const struct queue_house *house, const char *name,
			      struct error *why) MUST_CHECK;
void verdicts_free(struct verdicts *verdicts); /* NULL is fine */

/* The ID of the ladder that the database knows by that name; "": none. */
int verdicts_find(struct verdicts *verdicts, char id[ID_BYTES + 1],
		  struct error *why) MUST_CHECK;
/* Appends what that ladder began with, for ladder_found_again(), to `to`;
 * nothing if the database knows none by that name. */
int verdicts_founding(struct verdicts *verdicts, struct text *to,
		      struct error *why) MUST_CHECK;
/* After ladder_settle(): the ladder is the one that the database knows, or is
 * made known; what it has and the database lacks is brought there, which are
 * games from before the queue.  ERROR_INPUT: they do not go together. */
int verdicts_bind(struct verdicts *verdicts, struct ladder *ladder,
		  struct error *why) MUST_CHECK;
/* Of a ladder that is bound: the voids that the database has, and its folder of
 * records `dir` lacks; those that the folder alone has come into the database.
 * They are about games that the database has by now. */
int verdicts_voids(struct verdicts *verdicts, const char *dir,
		   struct void_list *voids, struct error *why) MUST_CHECK;
/* For writer_set_log(); borrowed. */
const struct writer_log *verdicts_log(const struct verdicts *verdicts);

#endif
