/* referee/spawner/spawner-bots.c - a sorted array. */
#include "referee/spawner/spawner-bots.h"

#include <string.h>

/* The index of the first bot whose pid is not below `pid`. */
static size_t
place_of(const struct bots *bots, pid_t pid)
{
	size_t low = 0, high = bots->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (bots->bot[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct spawned *
bots_find(const struct bots *bots, pid_t pid)
{
	size_t i = place_of(bots, pid);

	if (i == bots->count || bots->bot[i].pid != pid)
		return NULL;
	return &bots->bot[i];
}

struct spawned *
bots_find_tag(const struct bots *bots, uint32_t tag)
{
	for (size_t i = 0; i < bots->count; i++)
		if (bots->bot[i].tag == tag)
			return &bots->bot[i];
	return NULL;
}

static bool
is_walled(const struct spawned *bot)
{
	return bot->direct && bot->boxed != NULL;
}

void
bots_add(struct bots *bots, pid_t pid, uint32_t tag, struct boxed *boxed,
	 bool direct)
{
	size_t i = place_of(bots, pid);
	struct spawned *at;

	(void)ADDED(bots->bot, bots->count);
	at = bots->bot + i;
	memmove(at + 1, at, (bots->count - 1 - i) * sizeof(*at));
	*at = (struct spawned){
		.pid = pid, .tag = tag, .boxed = boxed, .direct = direct
	};
	bots->walled += is_walled(at);
}

void
bots_remove(struct bots *bots, struct spawned *bot)
{
	size_t i = (size_t)(bot - bots->bot);

	bots->walled -= is_walled(bot);
	bots->count--;
	memmove(bot, bot + 1, (bots->count - i) * sizeof(*bot));
}

void
bots_end_by(struct bots *bots, struct spawned *bot, uint64_t until_ms)
{
	bot->until_ms = until_ms;
	if (bots->due_ms == 0 || until_ms < bots->due_ms)
		bots->due_ms = until_ms;
}
