/* tests/unit/random-record.h - writes the record of a random game.
 *
 * The same recipe gives the same bytes. */
#ifndef TESTS_RANDOM_RECORD_H
#define TESTS_RANDOM_RECORD_H

#include <stdbool.h>

#include "protocol/text.h"

struct record_recipe {
	const char *game;
	unsigned seats;
	const char *options; /* "NAME=VALUE" separated by a space; "": none */
	const char *seed;    /* of deal, moves and faults */
	bool asks;	     /* with `ask` lines, their tokens shuffled */
	bool arrival;	     /* `open arrival`, else `open priority` */
	bool comments;	     /* with comments behind moves */
	bool unsealed;	     /* without commitment and secret */
	unsigned entropies; /* number of seats, the last ones, that gave some */
	unsigned faults;    /* the fault that retires a seat; 0: no header */
	unsigned fault_rate; /* one answer in this many is a fault; 0: none */
	unsigned block;	     /* this game of the seed's first block; 0: none */
	unsigned cut;	     /* aborted after this many body lines; 0: not */
};

/* Appends the record; bug() if there is no such game or option. */
void random_record(const struct record_recipe *recipe, struct text *to);

#endif
