/* ladder/pairing.c - lets bots come, go and fail, and shows them. */
#include "ladder/pairing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/pairing-inside.h"

struct pairing *
pairing_new(const struct pairing_setup *setup)
{
	struct pairing *pairing = zeroed(1, sizeof(*pairing));

	if (setup->seats < 2 || setup->seats > SEATS_MAX)
		bug("a ladder with %u seats", setup->seats);
	pairing->seats = setup->seats;
	pairing->same_bot = setup->same_bot;
	pairing->apart = setup->apart;
	pairing->manner = setup->manner;
	pairing->noise = setup->seed;
	pairing->games = setup->games;
	return pairing;
}

void
pairing_free(struct pairing *pairing)
{
	if (pairing == NULL)
		return;
	free(pairing->bot);
	free(pairing->by_name);
	free(pairing->owner);
	free(pairing->met);
	free(pairing->ready);
	free(pairing->near);
	free(pairing->weight);
	free(pairing->flags);
	free(pairing);
}

/* ---- handles ---------------------------------------------------------- */

static struct pairing_bot *
bot_of(const struct pairing *pairing, int bot)
{
	if (bot < 0 || bot >= pairing->bots)
		bug("no bot %d in the ladder", bot);
	return &pairing->bot[bot];
}

/* Hashes a name by FNV-1a, which spreads names well, so that few are compared. */
static uint64_t
hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *name != '\0'; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	return hash;
}

/* Returns the place where the name is, or would be. */
static size_t
place_of(const struct pairing *pairing, uint64_t hash, const char *name)
{
	size_t last = 2 * (size_t)pairing->room - 1, at = hash & last;
	const struct pairing_bot *bot;

	for (; pairing->by_name[at] != 0; at = (at + 1) & last) {
		bot = &pairing->bot[pairing->by_name[at] - 1];
		if (bot->name_hash == hash && strcmp(bot->name, name) == 0)
			break;
	}
	return at;
}

int
pairing_find(const struct pairing *pairing, const char *name)
{
	if (pairing->room == 0)
		return -1;
	return pairing->by_name[place_of(pairing, hash_name(name), name)] - 1;
}

static void
list_name(struct pairing *pairing, int bot)
{
	const struct pairing_bot *named = &pairing->bot[bot];

	pairing->by_name[place_of(pairing, named->name_hash, named->name)] =
		bot + 1;
}

/* Lists all names again, once there is more room. */
static void
list_names(struct pairing *pairing)
{
	size_t places = 2 * (size_t)pairing->room;

	memset(pairing->by_name, 0, places * sizeof(*pairing->by_name));
	for (int i = 0; i < pairing->bots; i++)
		list_name(pairing, i);
}

/* Makes the rows of `met` longer, so each row moves. */
static void
widen_met(struct pairing *pairing, int room)
{
	size_t words = (size_t)room / 64, old = (size_t)pairing->room / 64, i;
	uint64_t *met = zeroed(words * (size_t)room, sizeof(*met));

	for (i = 0; i < (size_t)pairing->bots; i++)
		memcpy(&met[i * words], &pairing->met[i * old],
		       old * sizeof(*met));
	free(pairing->met);
	pairing->met = met;
}

static void
make_room(struct pairing *pairing)
{
	int room = pairing->room == 0 ? 64 : 2 * pairing->room;
	size_t n = (size_t)room;

	if (pairing->bots < pairing->room)
		return;
	pairing->bot = memory(pairing->bot, n * sizeof(*pairing->bot));
	pairing->ready = memory(pairing->ready, n * sizeof(*pairing->ready));
	pairing->near = memory(pairing->near, n * sizeof(*pairing->near));
	pairing->weight = memory(pairing->weight, n * sizeof(*pairing->weight));
	pairing->flags = memory(pairing->flags, n);
	memset(pairing->flags, 0, n);
	widen_met(pairing, room);
	pairing->by_name =
		memory(pairing->by_name, 2 * n * sizeof(*pairing->by_name));
	pairing->room = room;
	list_names(pairing);
}

/* ---- coming and going ------------------------------------------------- */

int
pairing_enter(struct pairing *pairing, const char *name,
	      const struct pairing_known *known)
{
	struct pairing_bot *bot;

	if (strlen(name) > NAME_BYTES)
		bug("a name of %zu bytes", strlen(name));
	if (pairing_find(pairing, name) >= 0)
		return PAIRING_THERE;
	if (pairing->bots == PAIRING_BOTS_MAX)
		return PAIRING_FULL;
	make_room(pairing);
	bot = &pairing->bot[pairing->bots];
	memset(bot, 0, sizeof(*bot));
	memset(bot->last, 0xff, sizeof(bot->last)); /* no bot */
	bot->rating_milli = known->rating_milli;
	bot->games = known->games;
	bot->entered = known->entered;
	memcpy(bot->seat, known->seat, sizeof(bot->seat));
	bot->name_hash = hash_name(name);
	memcpy(bot->name, name, strlen(name) + 1);
	list_name(pairing, pairing->bots);
	pairing->unsettled++;
	return pairing->bots++;
}

void
pairing_offer(struct pairing *pairing, int bot, unsigned free)
{
	bot_of(pairing, bot)->free = free;
}

void
pairing_leave(struct pairing *pairing, int bot)
{
	bot_of(pairing, bot)->free = 0;
	pairing->bot[bot].comes = false;
}

void
pairing_remote(struct pairing *pairing, int bot, bool remote)
{
	bot_of(pairing, bot)->remote = remote;
}

/* Returns the owner's number.  Owners that are not used any more stay, so there
 * are as many as ever came. */
static int
number_of(struct pairing *pairing, uint64_t hash)
{
	int i, room;

	for (i = 1; i < pairing->owners; i++)
		if (pairing->owner[i].hash == hash)
			return i;
	if (i >= pairing->owners_room) {
		room = 2 * pairing->owners_room + 16;
		pairing->owner = memory(pairing->owner,
					(size_t)room * sizeof(*pairing->owner));
		pairing->owners_room = room;
	}
	memset(&pairing->owner[i], 0, sizeof(*pairing->owner));
	pairing->owner[i].hash = hash;
	pairing->owners = i + 1;
	return i;
}

void
pairing_own(struct pairing *pairing, int bot, const char *owner)
{
	uint64_t hash = hash_name(owner);
	struct pairing_bot *owned = bot_of(pairing, bot);

	if (owner[0] == '\0')
		owned->owner = 0;
	else if (owned->owner == 0 || pairing->owner[owned->owner].hash != hash)
		owned->owner = number_of(pairing, hash);
}

void
pairing_set_apart(struct pairing *pairing, bool apart)
{
	pairing->apart = apart;
}

bool
pairing_blocked(struct pairing *pairing, bool (*sits)(const void *arg, int bot),
		const void *arg, unsigned *bots, unsigned *apart)
{
	*bots = *apart = 0;
	for (int i = 0; i < pairing->bots; i++) {
		if (!sits(arg, i))
			continue;
		++*bots;
		*apart += pairing_count_apart(pairing, i);
	}
	pairing_counted(pairing);
	return *bots >= pairing->seats && *apart < pairing->seats &&
	       !pairing->same_bot;
}

void
pairing_hold(struct pairing *pairing, bool held)
{
	pairing->held = held;
}

void
pairing_rate(struct pairing *pairing, int bot, int64_t rating_milli)
{
	bot_of(pairing, bot)->rating_milli = rating_milli;
}

void
pairing_refit(struct pairing *pairing, int64_t shift_milli)
{
	pairing->shift_milli = shift_milli;
	for (int i = 0; i < pairing->bots; i++)
		pairing->bot[i].fitted = false;
}

void
pairing_fit(struct pairing *pairing, int bot, int64_t fit_milli)
{
	struct pairing_bot *fitted = bot_of(pairing, bot);

	fitted->fitted = true;
	fitted->fit_milli = fit_milli;
}

void
pairing_forget_games(struct pairing *pairing, int64_t rating_milli)
{
	for (int i = 0; i < pairing->bots; i++) {
		pairing->bot[i].games = pairing->bot[i].playing;
		pairing->bot[i].rating_milli = rating_milli;
	}
}

void
pairing_recount(struct pairing *pairing, int bot, uint64_t games)
{
	bot_of(pairing, bot)->games = games + pairing->bot[bot].playing;
}

/* ---- who has met ------------------------------------------------------ */

static void
drop_recent(struct pairing_bot *bot, int gone)
{
	unsigned i, kept = 0;

	for (i = 0; i < bot->recents; i++)
		if (bot->recent[i] != gone)
			bot->recent[kept++] = bot->recent[i];
	bot->recents = kept;
}

void
pairing_remember(struct pairing_bot *a, int b)
{
	drop_recent(a, b);
	if (a->recents < PAIRING_RECENT)
		a->recents++;
	memmove(&a->recent[1], &a->recent[0],
		(a->recents - 1) * sizeof(a->recent[0]));
	a->recent[0] = b;
	a->last[a->lasts++ % PAIRING_LAST] = (uint16_t)b;
}

static void
set_met(struct pairing *pairing, int a, int b)
{
	*pairing_met_word(pairing, a, b) |= UINT64_C(1) << (unsigned)b % 64;
}

void
pairing_met(struct pairing *pairing, int a, int b)
{
	if (a == b)
		return;
	pairing_remember(bot_of(pairing, a), b);
	pairing_remember(bot_of(pairing, b), a);
	set_met(pairing, a, b);
	set_met(pairing, b, a);
}

/* ---- the end of a game ------------------------------------------------ */

static uint64_t
pause_us(unsigned steps)
{
	uint64_t pause = PAIRING_PAUSE_US;

	while (--steps > 0 && pause < PAIRING_PAUSE_US_MAX)
		pause *= 2;
	return pause < PAIRING_PAUSE_US_MAX ? pause : PAIRING_PAUSE_US_MAX;
}

static void
bench(struct pairing_bot *bot, uint64_t now_us)
{
	bot->good = 0;
	if (bot->steps == 0 || pause_us(bot->steps) < PAIRING_PAUSE_US_MAX)
		bot->steps++;
	bot->suspended_us = now_us;
	bot->suspended_until_us = now_us + pause_us(bot->steps);
}

/* Counts the end of a game for a bot.  Games that had begun before the last
 * pause say nothing about the bot after it: neither many failures at once nor
 * late good games count. */
static void
judge(struct pairing_bot *bot, enum pairing_end end, bool played,
      uint64_t started_us, uint64_t now_us)
{
	bool old =
		bot->suspended_until_us != 0 && started_us <= bot->suspended_us;

	if (end != PAIRING_FINE) {
		bot->failed++;
		bot->reason = end;
		if (!old)
			bench(bot, now_us);
	} else if (played && !old && bot->steps > 0 &&
		   ++bot->good == PAIRING_PARDON_GAMES) {
		bot->good = 0;
		bot->steps--;
	}
}

static void
leave_seat(struct pairing *pairing, const struct pairing_table *table,
	   unsigned seat, bool played, uint64_t now_us)
{
	struct pairing_bot *bot = bot_of(pairing, table->bot[seat]);

	if (bot->playing == 0)
		bug("%s has no game that could end", bot->name);
	bot->playing--;
	bot->ended_us = bot->free_us = now_us;
	bot->lasted_us = now_us - table->started_us;
	if (!played) {
		bot->tally--;
		bot->games--;
		bot->seat[seat]--;
	}
}

void
pairing_ended(struct pairing *pairing, const struct pairing_table *table,
	      const enum pairing_end end[], bool played, uint64_t now_us)
{
	for (unsigned a = 0; a < pairing->seats; a++) {
		leave_seat(pairing, table, a, played, now_us);
		judge(&pairing->bot[table->bot[a]], end[a], played,
		      table->started_us, now_us);
		for (unsigned b = 0; played && b < pairing->seats; b++)
			if (table->bot[a] != table->bot[b])
				set_met(pairing, table->bot[a], table->bot[b]);
	}
	pairing->games += played;
}

/* ---- for people ------------------------------------------------------- */

void
pairing_view(const struct pairing *pairing, int handle,
	     struct pairing_bot_view *view)
{
	const struct pairing_bot *bot = bot_of(pairing, handle);

	*view = (struct pairing_bot_view){
		.name = bot->name,
		.rating_milli = bot->rating_milli,
		.fitted = bot->fitted,
		.fit_milli = pairing_stands_milli(pairing, bot),
		.games = bot->games,
		.entered = bot->entered,
		.free = bot->free,
		.playing = bot->playing,
		.ended_us = bot->ended_us,
		.suspension = { .reason = bot->reason,
				.steps = bot->steps,
				.failed = bot->failed,
				.until_us = bot->suspended_until_us },
	};
	memcpy(view->seat, bot->seat, sizeof(view->seat));
}

static const char *
end_name(enum pairing_end end)
{
	static const char *const name[] = {
		[PAIRING_FINE] = "fine",
		[PAIRING_NOT_STARTED] = "did not start",
		[PAIRING_SILENT] = "ended before its first word",
		[PAIRING_CRASHED] = "crashed",
		[PAIRING_RETIRED] = "was retired for its faults",
	};

	if ((unsigned)end >= NELEM(name))
		bug("a game that ended in way %d", (int)end);
	return name[end];
}

bool
pairing_suspension_tell(const struct pairing *pairing, int handle,
			uint64_t now_us, char text[PAIRING_SUSPENSION_BYTES])
{
	const struct pairing_bot *bot = bot_of(pairing, handle);
	uint64_t left = 0;

	if (bot->suspended_until_us > now_us)
		left = bot->suspended_until_us - now_us;
	if (bot->reason == PAIRING_FINE)
		snprintf(text, PAIRING_SUSPENSION_BYTES, "has never failed");
	else if (left == 0)
		snprintf(text, PAIRING_SUSPENSION_BYTES,
			 "not suspended; it %s last; failures so far: "
			 "%" PRIu64,
			 end_name(bot->reason), bot->failed);
	else
		snprintf(text, PAIRING_SUSPENSION_BYTES,
			 "suspended for %" PRIu64
			 " s more: it %s; failures so far: %" PRIu64,
			 left / 1000000 + (left % 1000000 != 0),
			 end_name(bot->reason), bot->failed);
	return left > 0;
}

void
pairing_pardon(struct pairing *pairing, int handle)
{
	struct pairing_bot *bot = bot_of(pairing, handle);

	bot->suspended_until_us = 0;
	bot->steps = 0;
	bot->good = 0;
}
