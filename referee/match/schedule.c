/* referee/match/schedule.c - groups, rotations, and orders around the table. */
#include "referee/match/schedule.h"

#include <stdlib.h>
#include <string.h>

struct group {
	uint8_t bot[SEATS_MAX]; /* rising */
	unsigned sets;		/* played so far */
};

struct schedule {
	unsigned bots, seats;
	unsigned groups;
	struct group *group;	   /* owned; in lexicographic order */
	unsigned *sets;		   /* owned; by bot, so far */
	unsigned order[SEATS_MAX]; /* the group that plays, around the table */
	unsigned rotation;	   /* of it; `seats`: take a new one */
};

_Static_assert(BOTS_MAX <= UINT8_MAX + 1, "a bot's number fits a byte");

unsigned
schedule_groups(unsigned bots, unsigned seats)
{
	uint64_t groups = 1;
	unsigned i;

	/* After each factor it is a binomial, so the division is exact. */
	for (i = 1; i <= seats; i++) {
		groups = groups * (bots - seats + i) / i;
		if (groups > SCHEDULE_GROUPS_MAX)
			return 0;
	}
	return (unsigned)groups;
}

/* The group after `bot`, in lexicographic order. */
static void
advance(const struct schedule *schedule, unsigned bot[])
{
	unsigned seats = schedule->seats, i = seats;

	while (i > 0 && bot[i - 1] == schedule->bots - seats + i - 1)
		i--;
	if (i == 0)
		return;
	bot[i - 1]++;
	for (; i < seats; i++)
		bot[i] = bot[i - 1] + 1;
}

struct schedule *
schedule_new(unsigned bots, unsigned seats)
{
	struct schedule *schedule = calloc(1, sizeof(*schedule));
	unsigned bot[SEATS_MAX], g, i;

	if (schedule == NULL)
		bug("out of memory");
	schedule->bots = bots;
	schedule->seats = seats;
	schedule->rotation = seats;
	schedule->groups = schedule_groups(bots, seats);
	schedule->group = calloc(schedule->groups, sizeof(struct group));
	schedule->sets = calloc(bots, sizeof(*schedule->sets));
	if (schedule->group == NULL || schedule->sets == NULL)
		bug("out of memory");
	for (i = 0; i < seats; i++)
		bot[i] = i;
	for (g = 0; g < schedule->groups; g++) {
		for (i = 0; i < seats; i++)
			schedule->group[g].bot[i] = (uint8_t)bot[i];
		advance(schedule, bot);
	}
	return schedule;
}

void
schedule_free(struct schedule *schedule)
{
	if (schedule == NULL)
		return;
	free(schedule->group);
	free(schedule->sets);
	free(schedule);
}

/* How much its bots have played, lower is better: the fewest sets of the group
 * itself first, so that each round of the round robin is whole; then the
 * busiest of its bots, then all of them. */
static uint64_t
load(const struct schedule *schedule, const struct group *group)
{
	uint64_t sum = 0, most = 0, sets;
	unsigned i;

	for (i = 0; i < schedule->seats; i++) {
		sets = schedule->sets[group->bot[i]];
		sum += sets;
		if (sets > most)
			most = sets;
	}
	return (uint64_t)group->sets << 44 | most << 24 | (sum & 0xffffff);
}

/* Order number `k` of the group around the table: its first bot stays, the
 * others are permuted, k counted in the factorial system. */
static void
arrange(struct schedule *schedule, const struct group *group, unsigned k)
{
	unsigned pool[SEATS_MAX], left = schedule->seats - 1, i, pick;

	for (i = 0; i < left; i++)
		pool[i] = group->bot[i + 1];
	schedule->order[0] = group->bot[0];
	for (i = 1; i < schedule->seats; i++) {
		pick = k % left;
		k /= left;
		schedule->order[i] = pool[pick];
		memmove(&pool[pick], &pool[pick + 1],
			(left - pick - 1) * sizeof(pool[0]));
		left--;
	}
}

static void
take_group(struct schedule *schedule)
{
	struct group *best = &schedule->group[0];
	uint64_t lowest = UINT64_MAX, l;
	unsigned g, i;

	for (g = 0; g < schedule->groups; g++) {
		l = load(schedule, &schedule->group[g]);
		if (l < lowest) {
			lowest = l;
			best = &schedule->group[g];
		}
	}
	arrange(schedule, best, best->sets);
	best->sets++;
	for (i = 0; i < schedule->seats; i++)
		schedule->sets[best->bot[i]]++;
	schedule->rotation = 0;
}

void
schedule_next(struct schedule *schedule, unsigned bot[SEATS_MAX])
{
	unsigned i, seats = schedule->seats;

	if (schedule->rotation == seats)
		take_group(schedule);
	for (i = 0; i < seats; i++)
		bot[(i + schedule->rotation) % seats] = schedule->order[i];
	schedule->rotation++;
}
