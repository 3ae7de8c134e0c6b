/* referee/records/replay-wrote.h - what bots wrote to standard error in a game,
 * beside the decisions in which they wrote it.
 *
 * The asks of a game say how much a bot had written at each of its answers
 * (protocol/asks.h).  So an ask has what was written after the answer before it,
 * up to its own.  Only the author of a bot may read this; other code decides who
 * that is. */
#ifndef REFEREE_REPLAY_WROTE_H
#define REFEREE_REPLAY_WROTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/asks.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define REPLAY_WROTE_BYTES 160 /* bytes of a sentence and its NUL */

/* A bot's standard error in the game. */
struct replay_wrote {
	char *bytes; /* NULL: not known, or not for this reader */
	size_t n;
	uint64_t from; /* the place of the first byte in all that it wrote */
	bool gone;     /* the reader may see it, but it is no longer kept */
};

/* A part of it, borrowed. */
struct replay_wrote_part {
	const char *bytes;
	size_t n; /* at most so many as were wished for, the last ones */
	uint64_t
		all; /* bytes that the bot wrote there; 0: nothing, or it is not
		       * for this reader */
	unsigned seat;
	bool after; /* it was written after the bot's last answer */
};

/* Finds what belongs to an ask. */
struct replay_wrote_part replay_wrote_at(const struct asks *asks,
					 const struct asks_ask *ask,
					 const struct replay_wrote *wrote,
					 size_t most);
/* Finds what the seat wrote after its last answer. */
struct replay_wrote_part replay_wrote_after(const struct asks *asks,
					    unsigned seat,
					    const struct replay_wrote *wrote,
					    size_t most);
/* Writes a sentence that says which part there is; it ends with a colon if
 * part->n is not 0. */
void replay_wrote_sentence(const struct replay_wrote_part *part,
			   char sentence[REPLAY_WROTE_BYTES]);

/* ---- the files of a match (`referee match --stderr`) -------------------- */

/* Keeps what the bot of a seat has written in game `number`, the last bytes of
 * which are in `text`; it wrote `from` bytes before them. */
int replay_wrote_keep(const char *dir, uint64_t number, unsigned seat,
		      const char *name, const struct text *text,
		      uint64_t from) MUST_CHECK;
/* Reads what was kept of the game whose record has this path.  Returns 0; or -1
 * and a sentence.  The caller calls replay_wrote_forget() in either case. */
int replay_wrote_read(const char *dir, const char *path,
		      const struct record *record,
		      struct replay_wrote wrote[SEATS_MAX],
		      struct error *why) MUST_CHECK;
void replay_wrote_forget(struct replay_wrote wrote[SEATS_MAX]);

#endif
