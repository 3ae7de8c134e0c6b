/* referee/base/refusals.c - see refusals.h. */
#include "referee/base/refusals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/error.h"
#include "protocol/limits.h"
#include "referee/base/address.h"
#include "referee/base/loop.h"

static const struct {
	const char *name, *event;
	enum log_level level;
} kinds[REFUSAL_KINDS] = {
	[REFUSAL_LIMIT] = { "limit", "connection-refused", LOG_LEVEL_WARN },
	[REFUSAL_HELLO] = { "hello", "connection-refused", LOG_LEVEL_INFO },
	[REFUSAL_TOKEN] = { "token", "wrong-token", LOG_LEVEL_WARN },
	[REFUSAL_BOT] = { "bot", "connection-refused", LOG_LEVEL_INFO },
};

/* The last refusal of a kind from an address, and how many were not logged. */
struct row {
	enum refusal kind;
	char address[ADDRESS_TEXT_BYTES];
	char who[REFUSAL_WHO_BYTES], why[ERROR_BYTES];
	unsigned told;
	uint64_t untold;
};

struct refusals {
	struct logger *logger;
	struct timer timer;
	uint64_t count[REFUSAL_KINDS];
	unsigned rows;
	struct row row[REFUSALS_APART], others[REFUSAL_KINDS];
};

const char *
refusal_name(enum refusal kind)
{
	return kinds[kind].name;
}

uint64_t
refusals_count(const struct refusals *refusals, enum refusal kind)
{
	return refusals->count[kind];
}

static void
log_row(struct refusals *refusals, const struct row *row, uint64_t count)
{
	const bool token = row->kind == REFUSAL_TOKEN;
	const size_t n = strlen(REFUSAL_OWNER);
	const bool owner = strncmp(row->who, REFUSAL_OWNER, n) == 0;
	const bool bot = !owner && row->who[0] != '\0';

	log_event(refusals->logger, kinds[row->kind].level,
		  kinds[row->kind].event,
		  "address=%s bot=%s owner=%s kind=%s why=%s count=%" PRId64,
		  row->address, bot ? row->who : NULL,
		  owner ? row->who + n : NULL,
		  token ? NULL : kinds[row->kind].name, token ? NULL : row->why,
		  (int64_t)count);
}

static struct row *
find_row(struct refusals *refusals, enum refusal kind, const char *from)
{
	struct row *row = refusals->row;
	char address[ADDRESS_TEXT_BYTES];

	address_host(from, address);
	for (; row < refusals->row + refusals->rows; row++)
		if (row->kind == kind && strcmp(row->address, address) == 0)
			return row;
	if (refusals->rows == REFUSALS_APART)
		return &refusals->others[kind];
	refusals->rows++;
	*row = (struct row){ .kind = kind };
	memcpy(row->address, address, sizeof(address));
	return row;
}

void
refusals_tell(void *arg, enum refusal kind, const char *from, const char *who,
	      const char *why)
{
	struct refusals *refusals = arg;
	struct row *row = find_row(refusals, kind, from);

	refusals->count[kind]++;
	snprintf(row->who, sizeof(row->who), "%s", who);
	snprintf(row->why, sizeof(row->why), "%s", why);
	if (row->told == REFUSALS_EACH) {
		row->untold++;
		return;
	}
	row->told++;
	log_row(refusals, row, 1);
}

void
refusals_end_period(struct refusals *refusals)
{
	for (unsigned i = 0; i < refusals->rows; i++)
		if (refusals->row[i].untold > 0)
			log_row(refusals, &refusals->row[i],
				refusals->row[i].untold);
	refusals->rows = 0;
	for (unsigned i = 0; i < REFUSAL_KINDS; i++) {
		if (refusals->others[i].untold > 0)
			log_row(refusals, &refusals->others[i],
				refusals->others[i].untold);
		refusals->others[i].untold = 0;
	}
}

static void
on_timer(void *arg)
{
	refusals_end_period(arg);
}

struct refusals *
refusals_new(struct loop *loop, struct logger *logger)
{
	struct refusals *refusals = zeroed(1, sizeof(*refusals));
	enum refusal kind;

	refusals->logger = logger;
	for (kind = 0; kind < REFUSAL_KINDS; kind++)
		refusals->others[kind] = (struct row){ .kind = kind,
						       .address = "others",
						       .told = REFUSALS_EACH };
	timer_init(&refusals->timer, &loop->timers, on_timer, refusals);
	timer_every(&refusals->timer, REFUSALS_PERIOD_MS * UINT64_C(1000));
	return refusals;
}

void
refusals_free(struct refusals *refusals)
{
	if (refusals == NULL)
		return;
	refusals_end_period(refusals);
	timer_stop(&refusals->timer);
	free(refusals);
}
