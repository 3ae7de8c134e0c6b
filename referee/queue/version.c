/* referee/queue/version.c - see version.h. */
#include "referee/queue/version.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "referee/queue/schema.h"

#define NO_FUNCTION "42883" /* version 1 cannot be asked */
#define NO_SCHEMA "3F000"
#define NO_TABLE "42P01"
#define NO_RIGHT "42501"

int
queue_trouble(const struct pg_answer *answer, const char *role,
	      struct error *why)
{
	const char *state = answer->state;

	if (answer->outcome != PG_REFUSED)
		return error_set(why, ERROR_MACHINE, "%s", answer->why);
	if (strcmp(state, NO_SCHEMA) == 0 || strcmp(state, NO_TABLE) == 0)
		return error_set(why, ERROR_INPUT,
				 "there is no queue in this database: `referee "
				 "queue init` makes one");
	if (strcmp(state, NO_FUNCTION) == 0)
		return error_set(why, ERROR_INPUT,
				 "this queue does not go with this program: "
				 "`referee queue init` of the newer one brings "
				 "it up to date");
	if (strcmp(state, NO_RIGHT) == 0)
		return error_set(why, ERROR_INPUT,
				 "%s; log in as a member of %s", answer->why,
				 role);
	return error_set(why, ERROR_INPUT, "%s", answer->why);
}

enum queue_fit
queue_fit(const struct pg_answer *answer, char why[QUEUE_FIT_BYTES])
{
	int64_t version = 1;

	if (answer->outcome == PG_DONE && pg_rows(answer) > 0) {
		version = pg_number(answer, 0, 0);
		if (pg_number(answer, 0, 1) > QUEUE_SCHEMA) {
			snprintf(
				why, QUEUE_FIT_BYTES,
				"the queue has version %" PRId64
				", and this referee knows only %d: install the "
				"newer one here, too",
				version, QUEUE_SCHEMA);
			return QUEUE_TOO_NEW;
		}
	} else if (strcmp(answer->state, NO_FUNCTION) != 0) {
		return QUEUE_UNKNOWN;
	}
	if (version >= QUEUE_SCHEMA)
		return QUEUE_FITS;
	snprintf(why, QUEUE_FIT_BYTES,
		 "the queue has version %" PRId64
		 ", and this referee needs %d: run its `referee queue init`",
		 version, QUEUE_SCHEMA);
	return QUEUE_TOO_OLD;
}
