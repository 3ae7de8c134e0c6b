/* referee/records/replay-asks.h - the asks of a record, from the file beside it
 * (protocol/asks.h), for viewers who may see them.
 *
 * A seat sees its own asks, VIEW_ALL all of them, VIEW_PUBLIC none.  Asks of a
 * running game are never shown.  Other code decides who may have which view. */
#ifndef REFEREE_REPLAY_ASKS_H
#define REFEREE_REPLAY_ASKS_H

#include <jansson.h>
#include <stdint.h>

#include "ladder/pack.h"
#include "protocol/asks.h"
#include "protocol/error.h"
#include "protocol/record.h"
#include "protocol/util.h"
#include "referee/records/replay.h"

#define REPLAY_ASK_BYTES 160 /* bytes of a sentence and its NUL */
#define REPLAY_TIME_BYTES 32 /* bytes of a time and its NUL */

/* Reads the file beside the record at this path, which may go through a pack
 * (ladder/pack.h; `cache` may be NULL).  Sets `line` of an ask to the number of
 * the record's line that its decision begins with.  Returns 0, also if there is
 * no such file; or -1 and a sentence, and `asks` has what could be used.  The
 * caller calls asks_forget() in either case. */
int replay_asks_read(struct pack_cache *cache, const char *path,
		     const struct record *record, struct asks *asks,
		     struct error *why) MUST_CHECK;

/* Returns true if the viewer may see the ask. */
bool replay_ask_visible(const struct asks_ask *ask, int viewer) MUST_CHECK;
/* Returns the ask that a line of a replay (an ask, a fault or a move) is about,
 * if this viewer may see it, or NULL. replay->asks may be NULL. */
const struct asks_ask *replay_asks_of(const struct replay *replay,
				      const struct replay_line *line,
				      int viewer);

/* Writes a time like "0.8 ms" or "1.5 s", as timeText() of
 * static/replay-text.js does. */
void replay_time(uint64_t us, char text[REPLAY_TIME_BYTES]);
/* Writes a sentence like "It thought 0.8 ms and answered `pass`." */
void replay_ask_sentence(const struct asks_ask *ask,
			 const struct record *record,
			 char sentence[REPLAY_ASK_BYTES]);
/* Writes a sentence like "It thought 0.8 ms." */
void replay_ask_time(const struct asks_ask *ask,
		     char sentence[REPLAY_ASK_BYTES]);
/* Adds the keys us, bank_ms, answer and fault as far as the ask has them. */
void replay_ask_fill(const struct asks_ask *ask, json_t *json);

/* Writes the asks that the viewer may see, a JSON object on each line.  Those of
 * the seats in `own`, a bit for each, say how much was written to standard error
 * for them. */
void replay_asks_write(const struct asks *asks, int viewer, unsigned own,
		       struct text *to);

#endif
