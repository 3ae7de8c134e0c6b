/* referee/table/record-keys.h - the lines of a record's header that are for the
 * referee: one table, by which they are written and read.
 *
 * RECORD.md tells the same to people, and test-record-keys.c tries every row.
 * A new line is a row of the table in record-keys.c, a name in the list below,
 * and a row of the table in RECORD.md.  (The lines that every record begins
 * with have an order of their own; protocol/record.c reads them.) */
#ifndef REFEREE_RECORD_KEYS_H
#define REFEREE_RECORD_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "protocol/util.h"

/* These limit values; the limits of times, faults and ratings stand elsewhere. */
#define RECORD_RULES_MAX 65535		    /* of `rules` */
#define RECORD_VERSION_BYTES 32		    /* of `referee VERSION` */
#define RECORD_CPU_MS_MAX 1000000000000	    /* of `cpu`: 31 years */
#define RECORD_MEMORY_KIB_MAX 1099511627776 /* of `memory`: an EiB */
#define RECORD_SERIAL_MAX LADDER_SERIAL_MAX /* of `serial` */

enum record_key {
	RECORD_RULES,
	RECORD_OPEN,
	RECORD_TIME,
	RECORD_BANK,
	RECORD_INCREMENT,
	RECORD_TOTAL,
	RECORD_FAULTS,
	RECORD_STARTED,
	RECORD_ENDED,
	RECORD_REFEREE,
	RECORD_COMMIT,
	RECORD_BLOCK,
	RECORD_ENTROPY,
	RECORD_SEEDED,
	RECORD_SECRET,
	RECORD_LADDER,
	RECORD_SERIAL,
	RECORD_HEIR_OF,
	RECORD_OWED,
	RECORD_BROKEN,
	RECORD_CPU,
	RECORD_MEMORY,
	RECORD_ABORTED,
	RECORD_PRUNED,
	RECORD_KEYS
};

enum record_form {
	FORM_NONE,   /* the key alone */
	FORM_WORD,   /* at most `max` bytes, no space */
	FORM_CHOICE, /* one of `words` */
	FORM_NAME,   /* as of a bot */
	FORM_NUMBER, /* `min` to `max`, without leading zeros */
	FORM_MILLI,  /* to `max`, with exactly three decimals */
	FORM_DATE,   /* YYYY-MM-DDTHH:MM:SSZ, a day that there is */
	FORM_HEX,    /* `min` to `max` bytes in small hex digits */
	FORM_BLOCK,  /* hex digits, a space, and a number from 1 to that of the
		       * seats */
};

struct record_row {
	const char *key;
	enum record_form form;
	bool seat; /* `KEY SEAT VALUE`, once for each seat; else once */
	uint64_t min, max;
	const char *words[5]; /* up to NULL */
	const char *with;     /* stands only where this key does; or NULL */
	const char *without;  /* and where this one does not; or NULL */
};

extern const struct record_row record_rows[RECORD_KEYS];

/* Writes the line `KEY`, or `KEY VALUE` if `fmt` is not empty.  The value has
 * the form of its row; of one for seats it begins with the seat. */
void record_put(struct text *to, enum record_key key, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

#define RECORD_FORM_BYTES 256

/* Returns 0 if each header line that has a row has its form, and stands as often and
 * beside what it must.  Else returns -1, sets `*at` to the index of the line (headers:
 * one is missing), and `expected` to what should stand there. */
int record_keys_check(const struct record *record, unsigned *at,
		      char expected[RECORD_FORM_BYTES]) MUST_CHECK;

#endif
