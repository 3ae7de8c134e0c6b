/* referee/base/fair.c - see fair.h. */
#include "referee/base/fair.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void
fair_init(struct fair *fair)
{
	TAILQ_INIT(&fair->entries);
	fair->count = 0;
	fair->round = 0;
}

static bool
is_of(const struct fair_entry *entry, const char *who)
{
	return strncmp(entry->who, who, FAIR_WHO_BYTES - 1) == 0;
}

static bool
comes_after(const struct fair_entry *entry, const struct fair_entry *other)
{
	return entry->rank != other->rank ? entry->rank > other->rank
					  : entry->round > other->round;
}

/* Sets whom the entry counts for, and when it comes. */
static void
place(const struct fair *fair, struct fair_entry *entry, const char *who,
      unsigned rank)
{
	const struct fair_entry *other;

	snprintf(entry->who, sizeof(entry->who), "%s", who);
	entry->rank = rank;
	entry->round = fair->round + 1;
	TAILQ_FOREACH(other, &fair->entries, at)
	if (is_of(other, who) && other->round >= entry->round)
		entry->round = other->round + 1;
}

void
fair_add(struct fair *fair, struct fair_entry *entry, const char *who,
	 unsigned rank)
{
	struct fair_entry *other;

	place(fair, entry, who, rank);
	TAILQ_FOREACH(other, &fair->entries, at)
	if (comes_after(other, entry))
		break;
	if (other == NULL)
		TAILQ_INSERT_TAIL(&fair->entries, entry, at);
	else
		TAILQ_INSERT_BEFORE(other, entry, at);
	fair->count++;
}

void
fair_remove(struct fair *fair, struct fair_entry *entry)
{
	TAILQ_REMOVE(&fair->entries, entry, at);
	fair->count--;
}

struct fair_entry *
fair_take(struct fair *fair)
{
	struct fair_entry *entry = TAILQ_FIRST(&fair->entries);

	if (entry == NULL)
		return NULL;
	fair_remove(fair, entry);
	if (entry->round > fair->round)
		fair->round = entry->round;
	return entry;
}

unsigned
fair_count(const struct fair *fair, const char *who)
{
	const struct fair_entry *entry;
	unsigned count = 0;

	TAILQ_FOREACH(entry, &fair->entries, at)
	count += is_of(entry, who);
	return count;
}

struct fair_entry *
fair_first(const struct fair *fair, const char *who)
{
	struct fair_entry *entry;

	TAILQ_FOREACH(entry, &fair->entries, at)
	if (is_of(entry, who))
		break;
	return entry;
}

struct fair_entry *
fair_yields(const struct fair *fair, const char *who, unsigned rank)
{
	struct fair_entry *last = TAILQ_LAST(&fair->entries, fair_entries);
	struct fair_entry entry;

	place(fair, &entry, who, rank);
	return last != NULL && comes_after(last, &entry) ? last : NULL;
}
