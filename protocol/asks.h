/* protocol/asks.h - the side file of a record: every ask of the game, with the
 * time that it took.
 *
 * RECORD.md, «The asks of a game», is its description for people.  It stands
 * beside the record, means nothing to it, and may be lost.  It tells what only
 * the seat itself, and who sees all, may know, and that only when the game is
 * over. */
#ifndef PROTOCOL_ASKS_H
#define PROTOCOL_ASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/fault.h"
#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define ASKS_ANSWER_BYTES 32 /* of a token, and its NUL */
#define ASKS_SUFFIX ".asks"  /* of its name, in place of a record's .rec */

struct asks_ask {
	uint32_t line;	 /* lines of the body that stand before what came of
			  * the decision */
	uint32_t number; /* of the seat's asks, from 1; 0: it was not sent */
	uint8_t seat;
	uint8_t fault;	/* enum fault */
	uint64_t us;	/* that it took */
	uint64_t bank;	/* left after it, in milliseconds */
	uint64_t wrote; /* bytes on standard error in this game, up to the
			 * answer; of a remote bot 0 */
	char answer[ASKS_ANSWER_BYTES]; /* "": none that counted */
};

/* ---- while the game is played ----------------------------------------- */

/* Writes the asks of one game, in the order of its decisions and in each of the
 * seats. */
struct asks_writer {
	struct text text; /* the whole file; what would pass ASKS_BYTES is left
			   * out, and all that comes after it */
	size_t looked;	  /* bytes of the body whose lines were counted */
	uint32_t lines;	  /* in them */
	uint32_t line;	  /* of the last ask */
	uint64_t bank[SEATS_MAX], wrote[SEATS_MAX]; /* the same of each seat */
};

/* `bank`: what each seat has at the start, in milliseconds. */
void asks_begin(struct asks_writer *writer, const char *id, uint64_t bank);
void asks_release(struct asks_writer *writer);
/* Returns how many lines the body has before the decision, which begins after its first
 * `used` bytes.  The body has grown since the last call. */
uint32_t asks_count_lines(struct asks_writer *writer, const char *body,
			  size_t used) MUST_CHECK;
/* ask->number says only whether it is 0. */
void asks_add(struct asks_writer *writer, const struct asks_ask *ask);

/* ---- when it is over -------------------------------------------------- */

/* Zeroed asks are empty. */
struct asks {
	char id[ID_BYTES + 1];
	struct asks_ask *ask; /* owned; in the order of the file */
	unsigned count;
};

/* Reads it, of a game with these seats: 0; or -1 and in `why` a sentence that
 * begins "LINE: ", and `asks` has what stands before that line.  Its owner calls
 * asks_forget() in either case. */
int asks_parse(const char *bytes, size_t n, unsigned seats, uint64_t bank,
	       struct asks *asks, struct error *why) MUST_CHECK;
void asks_forget(struct asks *asks);

/* Writes the path or name of the side file of a record; returns false if the record's
 * does not end in .rec, or is too long. */
bool asks_path(const char *record, char *path, size_t size) MUST_CHECK;

#endif
