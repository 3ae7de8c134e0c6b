/* referee/records/replay-asks.h - the asks of a record, from the file beside it
 * (protocol/asks.h), for those who may see them.
 *
 * A seat sees its own, VIEW_ALL all of them, VIEW_PUBLIC none; and none of a
 * game that runs.  Whether somebody may have that view, others say. */
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

#define REPLAY_ASK_BYTES 160 /* of a sentence, and its NUL */
#define REPLAY_TIME_BYTES 32 /* likewise, of a time */

/* Reads the file beside the record at this path, which may go through a pack
 * (ladder/pack.h; `cache` may be NULL); `line` of an ask is then the
 * number of the record's line that its decision begins with.  0, also if there
 * is no such file; or -1 and a sentence, and `asks` has what can be used.  The
 * caller calls asks_forget() in either case. */
int replay_asks_read(struct pack_cache *cache, const char *path,
		     const struct record *record, struct asks *asks,
		     struct error *why) MUST_CHECK;

/* Whether the viewer sees it. */
bool replay_ask_visible(const struct asks_ask *ask, int viewer) MUST_CHECK;
/* The one that a line of a replay tells of, an ask, a fault or a move, if this
 * viewer sees it, or NULL; replay->asks may be NULL. */
const struct asks_ask *replay_asks_of(const struct replay *replay,
				      const struct replay_line *line,
				      int viewer);

/* "0.8 ms", "1.5 s": as timeText() of static/replay-text.js. */
void replay_time(uint64_t us, char text[REPLAY_TIME_BYTES]);
/* "It thought 0.8 ms and answered `pass`." */
void replay_ask_sentence(const struct asks_ask *ask,
			 const struct record *record,
			 char sentence[REPLAY_ASK_BYTES]);
/* "It thought 0.8 ms." */
void replay_ask_time(const struct asks_ask *ask,
		     char sentence[REPLAY_ASK_BYTES]);
/* us, bank_ms, answer, fault: those that it has. */
void replay_ask_fill(const struct asks_ask *ask, json_t *json);

/* Those that the viewer sees, an object of JSON a line. */
void replay_asks_write(const struct asks *asks, int viewer, struct text *to);

#endif
