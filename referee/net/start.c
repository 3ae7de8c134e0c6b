/* referee/net/start.c - see start.h. */
#include "referee/net/start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/limits.h"
#include "protocol/util.h"

#define MOST_US (START_MS * (uint64_t)1000)

struct start {
	struct start *next;
	char name[NAME_BYTES + 1];
	unsigned users;
	uint64_t left_us, taken_us; /* at since_us */
	uint64_t since_us;
};

/* What is taken has its place kept: it may come back. */
static void
fill(struct start *start, uint64_t now_us)
{
	uint64_t us = (now_us - start->since_us) / START_PART,
		 room_us = MOST_US - start->taken_us - start->left_us;

	start->left_us += us < room_us ? us : room_us;
	start->since_us += us * START_PART;
}

/* Those that are as good as new.  There are few: of the names that were here in
 * the time in which an account fills up. */
static void
forget_full(struct start **at, uint64_t now_us)
{
	struct start *start;

	while ((start = *at) != NULL) {
		fill(start, now_us);
		if (start->users > 0 || start->left_us < MOST_US) {
			at = &start->next;
			continue;
		}
		*at = start->next;
		free(start);
	}
}

struct start *
start_open(struct start **starts, const char *name, uint64_t now_us)
{
	struct start *start;

	forget_full(starts, now_us);
	for (start = *starts; start != NULL; start = start->next)
		if (strcmp(start->name, name) == 0)
			break;
	if (start == NULL) {
		start = memory(NULL, sizeof(*start));
		*start = (struct start){ .next = *starts,
					 .left_us = MOST_US,
					 .since_us = now_us };
		snprintf(start->name, sizeof(start->name), "%s", name);
		*starts = start;
	}
	start->users++;
	return start;
}

void
start_close(struct start *start)
{
	start->users--;
}

uint64_t
start_take(struct start *start, uint64_t now_us)
{
	uint64_t us;

	fill(start, now_us);
	us = start->left_us;
	start->taken_us += us;
	start->left_us = 0;
	return us;
}

void
start_give(struct start *start, uint64_t taken_us, uint64_t used_us,
	   uint64_t now_us)
{
	fill(start, now_us);
	start->taken_us -= taken_us;
	start->left_us += taken_us - used_us;
}

void
starts_release(struct start **starts)
{
	struct start *start;

	while ((start = *starts) != NULL) {
		*starts = start->next;
		free(start);
	}
}
