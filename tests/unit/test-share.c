/* tests/unit/test-share.c - bots that share their games out among ladders.
 *
 * Each ladder is a pairing; games are not played but last as long as their
 * slowest bot takes, and the clock is a number. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/pairing.h"
#include "referee/scheduler/share.h"

#define LADDERS 4
#define BOTS 32
#define SEATS 2
#define STEP_US 1000

/* ---- one bot, by hand ------------------------------------------------- */

struct lounge {
	uint64_t may_pair_soon; /* ladders where others play */
	uint64_t played_us[LADDERS];
};

static bool
may_pair_soon(void *arg, unsigned ladder)
{
	const struct lounge *lounge = arg;

	return lounge->may_pair_soon >> ladder & 1;
}

static uint64_t
played_us(void *arg, unsigned ladder)
{
	const struct lounge *lounge = arg;

	return lounge->played_us[ladder];
}

static const struct share_calls by_hand = { may_pair_soon, played_us };

static int
widen(struct share *share, struct lounge *lounge, uint64_t now_us)
{
	uint64_t again_us;

	return share_widen(share, &by_hand, lounge, now_us, &again_us);
}

/* Plays a game of so long. */
static void
play(struct share *share, unsigned ladder, uint64_t *now_us, uint64_t us)
{
	share_begins(share, ladder, *now_us);
	share_room(share, 1, 0, *now_us);
	*now_us += us;
	share_room(share, 0, 1, *now_us);
}

static void
sit(struct share *share, uint64_t sits)
{
	memset(share, 0, sizeof(*share));
	share_sit(share, sits, 0);
	share_room(share, 0, 1, 0);
}

Test(share, opens_by_games_then_by_age)
{
	struct lounge lounge = { .played_us = { 5, 9, 7 } };
	uint64_t now_us = 10;
	struct share share;

	sit(&share, 7);
	cr_assert_eq(widen(&share, &lounge, now_us), 0);
	cr_assert_eq(widen(&share, &lounge, now_us), 2);
	cr_assert_eq(widen(&share, &lounge, now_us), 1);
	cr_assert_eq(widen(&share, &lounge, now_us), -1);
	play(&share, 0, &now_us, 10);
	cr_assert_eq(widen(&share, &lounge, now_us), 2);
	cr_assert_eq(widen(&share, &lounge, now_us), 1);
	cr_assert_eq(widen(&share, &lounge, now_us), 0);
}

Test(share, waits_where_others_play)
{
	struct lounge lounge = { .may_pair_soon = 2 };
	uint64_t now_us = 0, again_us;
	struct share share;

	sit(&share, 3);
	play(&share, 0, &now_us, 100);
	play(&share, 0, &now_us, 100);
	cr_assert_eq(widen(&share, &lounge, now_us), 1);
	cr_assert_eq(share_widen(&share, &by_hand, &lounge, now_us, &again_us),
		     -1);
	cr_assert_eq(again_us, now_us + 200, "a game's time for each game");
	cr_assert_eq(widen(&share, &lounge, again_us - 1), -1);
	cr_assert_eq(widen(&share, &lounge, again_us), 0);
	now_us = again_us;
	play(&share, 0, &now_us, 100);
	cr_assert_eq(widen(&share, &lounge, now_us), 1);
	cr_assert_eq(widen(&share, &lounge, now_us), 0,
		     "after waiting in vain it plays two games");
	play(&share, 0, &now_us, 100);
	cr_assert_eq(widen(&share, &lounge, now_us), 1);
	cr_assert_eq(widen(&share, &lounge, now_us), -1);
	lounge.may_pair_soon = 0;
	cr_assert_eq(widen(&share, &lounge, now_us), 0, "nobody is there");
}

Test(share, never_waits_more_than_a_minute)
{
	struct lounge lounge = { .may_pair_soon = 2 };
	uint64_t now_us = 0, again_us;
	struct share share;

	sit(&share, 3);
	play(&share, 0, &now_us, UINT64_C(3600000000));
	cr_assert_eq(widen(&share, &lounge, now_us), 1);
	cr_assert_eq(share_widen(&share, &by_hand, &lounge, now_us, &again_us),
		     -1);
	cr_assert_eq(again_us, now_us + SHARE_WAIT_US_MAX);
}

Test(share, gets_a_few_games_back)
{
	struct lounge lounge = { 0 };
	uint64_t now_us = 0;
	struct share share;
	unsigned i;

	sit(&share, 3);
	for (i = 0; i < 1000; i++)
		play(&share, 0, &now_us, 10);
	for (i = 0; i < SHARE_LAG; i++) {
		cr_assert_eq(widen(&share, &lounge, now_us), 1);
		play(&share, 1, &now_us, 10);
	}
	lounge.played_us[1] = now_us;
	cr_assert_eq(widen(&share, &lounge, now_us), 0);
}

Test(share, sits_down_anew)
{
	struct lounge lounge = { 0 };
	uint64_t now_us = 0;
	struct share share;

	sit(&share, 3);
	play(&share, 0, &now_us, 10);
	share_rise(&share);
	cr_assert_eq(widen(&share, &lounge, now_us), -1);
	share_sit(&share, 7, now_us);
	cr_assert_eq(widen(&share, &lounge, now_us), 1, "known and behind");
	cr_assert_eq(widen(&share, &lounge, now_us), 2, "level with it");
	cr_assert_eq(widen(&share, &lounge, now_us), 0);
	play(&share, 1, &now_us, 10);
	play(&share, 1, &now_us, 10);
	share_drop(&share, 1);
	cr_assert_eq(share.sits, 5);
	share_sit(&share, 7, now_us);
	cr_assert_eq(share.games[1], 0, "another ladder in its place");
}

/* ---- many bots, as the daemon does it --------------------------------- */

struct world {
	struct pairing *pairing[LADDERS];
	unsigned ladders, bots;
	uint64_t now_us, hash;
	struct player {
		struct share share;
		uint64_t speed_us;
		unsigned playing, games[LADDERS];
	} player[BOTS];
	struct table {
		unsigned ladder;
		uint64_t end_us; /* 0: no bot plays there */
		struct pairing_table paired;
	} table[BOTS];
};

struct asker {
	struct world *world;
	unsigned bot;
};

static bool
world_may_pair_soon(void *arg, unsigned ladder)
{
	const struct asker *asker = arg;
	unsigned i;

	for (i = 0; i < BOTS; i++)
		if (asker->world->table[i].end_us != 0 &&
		    asker->world->table[i].ladder == ladder)
			return true;
	return false;
}

static uint64_t
world_played_us(void *arg, unsigned ladder)
{
	const struct asker *asker = arg;
	struct pairing_bot_view view;

	pairing_view(asker->world->pairing[ladder], (int)asker->bot, &view);
	return view.ended_us;
}

static const struct share_calls in_world = { world_may_pair_soon,
					     world_played_us };

static bool
widen_one(struct world *world, unsigned bot)
{
	struct asker asker = { world, bot };
	uint64_t again_us;
	int ladder = share_widen(&world->player[bot].share, &in_world, &asker,
				 world->now_us, &again_us);

	if (ladder >= 0)
		pairing_offer(world->pairing[ladder], (int)bot, 1);
	return ladder >= 0;
}

static void
begin(struct world *world, unsigned ladder, const struct pairing_table *paired)
{
	struct table *table = world->table;
	struct player *player;
	unsigned s, i, bot;

	while (table->end_us != 0)
		table++;
	*table = (struct table){ ladder, world->now_us, *paired };
	for (s = 0; s < SEATS; s++) {
		bot = (unsigned)paired->bot[s];
		player = &world->player[bot];
		if (table->end_us < world->now_us + player->speed_us)
			table->end_us = world->now_us + player->speed_us;
		player->games[ladder]++;
		share_begins(&player->share, ladder, world->now_us);
		share_room(&player->share, 1, 0, world->now_us);
		for (i = 0; i < world->ladders; i++)
			pairing_offer(world->pairing[i], (int)bot, 0);
		world->hash = world->hash * 31 + bot + 100 * ladder;
	}
}

static void
end_those_over(struct world *world)
{
	static const enum pairing_end fine[SEATS_MAX];
	struct table *table;
	unsigned i, s, bot;

	for (i = 0; i < BOTS; i++) {
		table = &world->table[i];
		if (table->end_us == 0 || table->end_us > world->now_us)
			continue;
		table->end_us = 0;
		pairing_ended(world->pairing[table->ladder], &table->paired,
			      fine, true, world->now_us);
		for (s = 0; s < SEATS; s++) {
			bot = (unsigned)table->paired.bot[s];
			share_room(&world->player[bot].share, 0, 1,
				   world->now_us);
			(void)!widen_one(world, bot);
		}
	}
}

static void
fill_all(struct world *world)
{
	struct pairing_table paired;
	uint64_t again_us;
	unsigned i;

	for (i = 0; i < world->ladders; i++)
		while (pairing_next(world->pairing[i], world->now_us, &paired,
				    &again_us))
			begin(world, i, &paired);
}

static void
step(struct world *world)
{
	unsigned b;
	bool more;

	world->now_us += STEP_US;
	end_those_over(world);
	do {
		fill_all(world);
		more = false;
		for (b = 0; b < world->bots; b++)
			more |= widen_one(world, b);
	} while (more);
}

static struct world *
world_new(unsigned ladders)
{
	static struct world world;
	unsigned i;

	memset(&world, 0, sizeof(world));
	world.ladders = ladders;
	world.now_us = 1;
	for (i = 0; i < ladders; i++)
		world.pairing[i] = pairing_new(
			&(struct pairing_setup){ .seats = SEATS, .seed = i });
	return &world;
}

static void
world_free(struct world *world)
{
	unsigned i;

	for (i = 0; i < world->ladders; i++)
		pairing_free(world->pairing[i]);
}

static unsigned
enter(struct world *world, uint64_t sits, uint64_t speed_us)
{
	const struct pairing_known known = { .rating_milli = 1500000 };
	unsigned bot = world->bots++, i;
	char name[16];

	snprintf(name, sizeof(name), "bot-%u", bot);
	for (i = 0; i < world->ladders; i++)
		cr_assert_eq(pairing_enter(world->pairing[i], name, &known),
			     (int)bot);
	world->player[bot].speed_us = speed_us;
	share_sit(&world->player[bot].share, sits, world->now_us);
	share_room(&world->player[bot].share, 0, 1, world->now_us);
	return bot;
}

static unsigned
all_games(const struct world *world, unsigned bot)
{
	unsigned i, n = 0;

	for (i = 0; i < world->ladders; i++)
		n += world->player[bot].games[i];
	return n;
}

/* Expects each ladder within a tenth of what is fair. */
static void
assert_even(const struct world *world, unsigned bot)
{
	unsigned all = all_games(world, bot), i;

	for (i = 0; i < world->ladders; i++)
		cr_assert(10 * world->player[bot].games[i] * world->ladders >=
				  9 * all,
			  "bot %u: %u of %u games on ladder %u", bot,
			  world->player[bot].games[i], all, i);
}

Test(share, two_bots_take_turns)
{
	unsigned ladders, i, a, b;
	struct world *world;

	for (ladders = 2; ladders <= LADDERS; ladders++) {
		world = world_new(ladders);
		a = enter(world, (1U << ladders) - 1, 5000);
		b = enter(world, (1U << ladders) - 1, 7000);
		for (i = 0; i < 7 * 100 * ladders; i++)
			step(world);
		assert_even(world, a);
		assert_even(world, b);
		cr_assert(all_games(world, a) >= 99 * ladders,
			  "and lose no time: %u games", all_games(world, a));
		world_free(world);
	}
}

/* Makes ladders: on the first there is always another bot; the others have two
 * bots that are free only when they have just met; on one of these they are
 * slow. */
static struct world *
few_and_many(void)
{
	static const uint64_t speed_us[LADDERS] = { 0, 10000, 20000, 80000 };
	struct world *world = world_new(LADDERS);
	unsigned i, j;

	(void)enter(world, 15, 10000);
	for (i = 0; i < 9; i++)
		(void)enter(world, 1, 10000 + 1000 * i);
	for (i = 1; i < LADDERS; i++)
		for (j = 0; j < 2; j++)
			(void)enter(world, 1U << i, speed_us[i]);
	for (i = 0; i < 40000; i++)
		step(world);
	return world;
}

Test(share, few_and_many)
{
	struct world *world = few_and_many();
	unsigned i;

	assert_even(world, 0);
	for (i = 1; i < 10; i++)
		cr_assert(all_games(world, i) > 1500, "bot %u: %u games", i,
			  all_games(world, i));
	world_free(world);
}

Test(share, is_a_function_of_the_calls)
{
	struct world *world = few_and_many();
	uint64_t hash = world->hash;

	world_free(world);
	world = few_and_many();
	cr_assert_eq(world->hash, hash);
	world_free(world);
}

Test(share, a_game_that_hangs_takes_half_the_time)
{
	struct world *world = world_new(2);
	unsigned i;

	(void)enter(world, 3, 10000);
	for (i = 0; i < 3; i++)
		(void)enter(world, 1, 10000);
	for (i = 0; i < 2; i++)
		(void)enter(world, 2, UINT64_C(1000000000));
	for (i = 0; i < 10000; i++)
		step(world);
	cr_assert(all_games(world, 0) >= 400, "%u games of 1000",
		  all_games(world, 0));
	cr_assert(all_games(world, 1) >= 600, "others: %u",
		  all_games(world, 1));
	world_free(world);
}
