/* protocol/record.h - the record of a game: read, hash, cut into views.
 *
 * RECORD.md is its description for people.  A record is header lines, an
 * empty line, body lines; ` ;` starts a comment that means nothing.  The
 * record is kept as text; this file knows lines and words, not rules. */
#ifndef PROTOCOL_RECORD_H
#define PROTOCOL_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/record-word.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define RECORD_HASH_BYTES 32

struct record_option {
	const char *name, *value;
};

struct record {
	char *bytes; /* owned: everything below points into it */
	/* Owned: this is one array of all lines.  `body` points into it; the empty line
	 * stands between the two. */
	struct record_line *header, *body;
	unsigned headers, bodies;

	const char *id;	  /* header `id` */
	const char *game; /* header `game` */
	unsigned seats;
	struct record_option *option; /* owned array, in the record's order */
	unsigned options;
	const char *name[SEATS_MAX]; /* header `bot S NAME` */
	const char *aborted; /* why, of a game without a result; or NULL */
	unsigned forfeits;   /* `forfeit` lines at the end of the body */
};

/* Parses a record from `n` bytes, which it copies: 0 and `*record` (free it
 * with record_free()), or -1 and in `why` a sentence that begins "LINE: ". */
int record_parse(const char *bytes, size_t n, struct record **record,
		 struct error *why) MUST_CHECK;
/* Does what record_parse() does with the bytes of a file; sentences begin with its
 * name. */
int record_read(const char *path, struct record **record,
		struct error *why) MUST_CHECK;
void record_free(struct record *record);

/* Returns the value of the first header line that begins with the word `key`, or NULL.
 * record_header_line() returns the line itself. */
const char *record_header(const struct record *record, const char *key);
const struct record_line *record_header_line(const struct record *record,
					     const char *key);

/* Computes the BLAKE2b-256 of the record without comments: of every line up to its
 * comment, each followed by LF. */
void record_hash(const struct record *record,
		 unsigned char hash[RECORD_HASH_BYTES]);
void record_hash_text(const char *bytes, size_t n,
		      unsigned char hash[RECORD_HASH_BYTES]);

/* Draws the ID of a game, a ladder or an entry of its log: ID_BYTES hex digits
 * that cannot be guessed. */
void id_draw(char id[ID_BYTES + 1]);

/* Returns how many moves the lines of a body tell, each of which but the last ends at a
 * LF. */
int64_t record_moves(const char *body, size_t n) MUST_CHECK;

/* The result as a ladder counts it: place per seat, retired seats behind all
 * others, the earlier retired the lower, those of one decision alike.  A seat
 * with a `forfeit` line was retired at its last `fault` line; RECORD.md tells
 * how decisions are told apart.  `points` is what the `result` lines say.
 * 0, or -1 and in `why` a sentence that begins "LINE: " if the game was
 * aborted or these lines are not whole or do not go together. */
int record_places(const struct record *record, int place[SEATS_MAX],
		  long points[SEATS_MAX], struct error *why) MUST_CHECK;

#endif
