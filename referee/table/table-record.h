/* referee/table/table-record.h - the record of a game while it is played.
 *
 * It is kept in memory until it is whole.  The body is collected as it comes;
 * the header is written at the end, for it tells the secret. */
#ifndef REFEREE_TABLE_RECORD_H
#define REFEREE_TABLE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/abort.h"
#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/table/deal.h"
#include "referee/table/seat.h"
#include "referee/table/table-setup.h"

#define RECORD_DATE_BYTES 32 /* YYYY-MM-DDTHH:MM:SSZ and a NUL */
/* These bound the two parts of a record that a table makes; its keeper has the rest of
 * RECORD_BYTES, for header lines of its own. */
#define TABLE_HEADER_BYTES 8192
#define TABLE_BODY_BYTES (RECORD_BYTES - 2 * TABLE_HEADER_BYTES)

struct table_record {
	struct text body;
	struct text asks;    /* of the decision that stands */
	struct text remarks; /* comments that wait for the next line */
};

void table_record_init(struct table_record *record);
void table_record_release(struct table_record *record);

/* Keeps an `ask` line until table_record_asks() puts it before the lines that resolve
 * its decision. */
void table_record_ask(struct table_record *record, unsigned seat,
		      const char *tokens, size_t n);
void table_record_asks(struct table_record *record);

/* Adds event lines, each with its LF.  `thought_us` (or NULL) becomes a comment of the
 * first. */
void table_record_events(struct table_record *record, const char *text,
			 size_t n, const uint64_t *thought_us);

/* Adds the line of a fault; `said`, percent-encoded, and that the bot has starved
 * become comments of it. */
void table_record_fault(struct table_record *record, const char *line, size_t n,
			const struct seat_said *said,
			const struct bot_seen *seen);

/* Adds a remark: a comment of the next event line that has room for it,
 * percent-encoded. */
void table_record_remark(struct table_record *record, unsigned seat,
			 const char *text, size_t n);

/* Appends to `to` what the public may read, while the game runs, of the whole
 * lines in bytes `from` to `until` of a body: event lines and faults, each with
 * its LF, no asks, no forfeits, no comments.  At most PUBLIC_BYTES of the body
 * at a time; up to which byte it was read. */
#define PUBLIC_BYTES 65536
size_t table_record_public(const struct text *body, size_t from, size_t until,
			   struct text *to) MUST_CHECK;

/* The body is full: drops what may stand there of a last line. */
void table_record_cut(struct table_record *record);

/* Adds the `forfeit` lines of seats[0..count-1]. */
void table_record_forfeits(struct table_record *record, const unsigned seats[],
			   unsigned count, const enum fault why[]);

/* The first lines of the header: which game it is, and who sits where. */
void table_record_names(struct text *to, const struct table_setup *setup);
/* All header lines that the table knows. */
void table_record_header(struct text *to, const struct table_setup *setup,
			 const struct seat seat[],
			 const struct entropy *entropy, const char *ended,
			 enum abort_word aborted);
/* Adds what the bots of the seats have taken; nothing of those of which that is not
 * known. */
void table_record_usage(struct text *to, const struct bot_usage used[],
			unsigned seats);

#endif
