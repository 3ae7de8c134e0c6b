/* tests/unit/test-scheduler-bots.c - the bots at a ladder, and the effect of
 * games on them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "referee/scheduler/scheduler-bots.h"

#define START_MILLI 1500000
#define ID "00000000000000000000000000000002"

/* ---- bots without programs -------------------------------------------- */

static unsigned
room(const struct participant *participant)
{
	(void)participant;
	return 1;
}

static void
seat(struct participant *participant, struct job *job, unsigned s)
{
	(void)participant;
	(void)job;
	(void)s;
}

static const struct participant_ops local = { .room = room, .seat = seat };
static const struct participant_ops remote = { .room = room };

/* ---- a ladder --------------------------------------------------------- */

static struct {
	struct config_ladder setup;
	struct scheduler_ladder at;
	struct scheduler_counts counts;
	struct logger *logger;
	int log[2];
	struct scheduler_bots *bots;
	struct participant alice, bob;
	struct scheduler_game_seats seats;
	struct ladder_game game;
	struct scheduler_game_end end;
} world;

static struct participant
participant(const struct participant_ops *ops, const char *name)
{
	struct participant made = { .ops = ops };

	snprintf(made.bot, sizeof(made.bot), "%s", name);
	snprintf(made.stands_as, sizeof(made.stands_as), "%s", name);
	return made;
}

/* Begins with two of this kind, which sit here. */
static void
begin(const struct participant_ops *ops)
{
	const struct pairing_setup pairing = { .seats = 2 };
	const struct scheduler_standings none = { 0 };
	struct scheduler_bots_setup setup = {
		.setup = &world.setup,
		.at = &world.at,
		.counts = &world.counts,
	};

	cr_assert_eq(pipe(world.log), 0);
	world.logger = log_new(world.log[1], LOG_LEVEL_INFO);
	setup.logger = world.logger;
	snprintf(world.setup.name, sizeof(world.setup.name), "main");
	world.setup.setup.seats = 2;
	world.setup.at_once = 4;
	world.setup.start_milli = START_MILLI;
	world.bots = scheduler_bots_new(&setup, pairing_new(&pairing), &none);
	world.alice = participant(ops, "alice");
	world.bob = participant(ops, "bob");
	cr_assert(scheduler_bots_sit(world.bots, &world.alice));
	cr_assert(scheduler_bots_sit(world.bots, &world.bob));
}

static void
end(void)
{
	scheduler_bots_free(world.bots);
	log_free(world.logger);
	close(world.log[0]);
	close(world.log[1]);
}

TestSuite(scheduler_bots, .fini = end);

static bool
next(void)
{
	uint64_t again_us;

	return scheduler_bots_may(world.bots, false) &&
	       scheduler_bots_next(world.bots, &world.seats, &again_us);
}

/* Plays a game of both without faults; the first seat wins 10 points. */
static void
play(void)
{
	unsigned s;

	cr_assert(next());
	memset(&world.end, 0, sizeof(world.end));
	world.game = (struct ladder_game){ .seats = 2 };
	snprintf(world.game.id, sizeof(world.game.id), "%032x", 1);
	for (s = 0; s < 2; s++) {
		snprintf(world.game.seat[s].bot, sizeof(world.game.seat[s].bot),
			 "%s", world.seats.participant[s]->stands_as);
		world.game.seat[s].before_milli = START_MILLI;
		world.game.seat[s].delta_milli = s == 0 ? 10000 : -10000;
		world.game.seat[s].faults[FAULT_TIMEOUT] = s;
	}
	world.end.paired = &world.seats.paired;
	world.end.game = &world.game;
	world.end.safe = true;
}

/* Returns the information about the bot in seat s. */
static struct scheduler_bot
told(unsigned s)
{
	struct scheduler_bot bot;

	cr_assert(scheduler_bots_tell(
		world.bots, world.seats.participant[s]->stands_as, &bot));
	return bot;
}

/* ---- games end -------------------------------------------------------- */

Test(scheduler_bots, a_game_moves_ratings_and_counts)
{
	begin(&local);
	play();
	cr_expect_eq(told(0).playing, 1);
	scheduler_bots_ended(world.bots, &world.end);
	cr_expect_eq(told(0).playing, 0);
	cr_expect_eq(told(0).rating_milli, START_MILLI + 10000);
	cr_expect_eq(told(1).rating_milli, START_MILLI - 10000);
	cr_expect_eq(told(0).faults[FAULT_TIMEOUT], 0);
	cr_expect_eq(told(1).faults[FAULT_TIMEOUT], 1);
	cr_expect_eq(told(1).games, 1);
	cr_expect_eq(world.counts.rated, 1);
	cr_expect_eq(world.counts.games, 1);
}

Test(scheduler_bots, what_waits_for_the_ladder_counts_with_the_next)
{
	begin(&local);
	play();
	world.end.behind = true;
	scheduler_bots_ended(world.bots, &world.end);
	cr_expect_eq(world.counts.unrated, 1);
	cr_expect_eq(world.counts.games, 0);
	cr_expect_eq(told(0).rating_milli, START_MILLI);
	cr_expect_eq(told(1).faults[FAULT_TIMEOUT], 1, "its record is safe");
	scheduler_bots_sit(world.bots, &world.alice);
	scheduler_bots_sit(world.bots, &world.bob);
	play();
	scheduler_bots_ended(world.bots, &world.end);
	cr_expect_eq(world.counts.unrated, 0);
	cr_expect_eq(world.counts.rated, 2);
	cr_expect_eq(world.counts.games, 2);
}

Test(scheduler_bots, games_that_do_not_count)
{
	begin(&local);
	play();
	world.end.aborted = true;
	scheduler_bots_ended(world.bots, &world.end);
	cr_expect_eq(world.counts.aborted, 1);
	cr_expect_eq(told(0).games, 0, "an aborted game is none");
	cr_expect_eq(told(1).faults[FAULT_TIMEOUT], 0);
	scheduler_bots_sit(world.bots, &world.alice);
	scheduler_bots_sit(world.bots, &world.bob);
	play();
	world.end.safe = false;
	scheduler_bots_ended(world.bots, &world.end);
	cr_expect_eq(world.counts.rated, 0);
	cr_expect_eq(told(0).rating_milli, START_MILLI);
}

static void
logs_suspended(const char *game, const char *bot)
{
	char line[LOG_LINE_BYTES + 1] = "", want[128];

	cr_assert_gt(read(world.log[0], line, sizeof(line) - 1), 0);
	snprintf(want, sizeof(want),
		 "event=suspended ladder=main game=%s bot=%s", game, bot);
	cr_expect_not_null(strstr(line, want), "%s", line);
}

Test(scheduler_bots, who_fails_is_suspended_and_the_log_says_so)
{
	begin(&local);
	play();
	world.end.end[1] = PAIRING_CRASHED;
	scheduler_bots_ended(world.bots, &world.end);
	cr_expect(told(1).suspended);
	cr_expect_not(told(0).suspended);
	logs_suspended(world.game.id, world.game.seat[1].bot);
	cr_expect_not(scheduler_bots_may_pair_soon(world.bots,
						   world.seats.participant[1]));
	cr_expect(scheduler_bots_pardon(world.bots, world.game.seat[1].bot));
	cr_expect_not(told(1).suspended);
}

Test(scheduler_bots, one_is_untried_until_a_game_of_it_counts)
{
	begin(&local);
	play();
	cr_expect(world.seats.untried[0] && world.seats.untried[1]);
	world.end.aborted = true;
	scheduler_bots_ended(world.bots, &world.end);
	world.end.aborted = false;
	cr_assert(scheduler_bots_sit(world.bots, &world.alice));
	cr_assert(scheduler_bots_sit(world.bots, &world.bob));
	play();
	cr_expect(world.seats.untried[0] && world.seats.untried[1]);
	scheduler_bots_ended(world.bots, &world.end);
	cr_assert(scheduler_bots_sit(world.bots, &world.alice));
	cr_assert(scheduler_bots_sit(world.bots, &world.bob));
	cr_assert(next());
	cr_expect_not(world.seats.untried[0] || world.seats.untried[1]);
}

/* ---- games that do not count ---------------------------------------------- */

Test(scheduler_bots, bots_of_a_game_that_is_none_are_as_before)
{
	struct scheduler_game_seats seats;

	begin(&local);
	cr_assert(next());
	seats = world.seats;
	cr_expect_not(next(), "they have no room");
	scheduler_bots_called_off(world.bots, ID, &seats.paired,
				  seats.participant, 0);
	world.seats = seats;
	cr_expect_eq(told(0).games, 0);
	cr_expect(next());
}

Test(scheduler_bots, one_that_could_not_start_is_suspended)
{
	struct scheduler_game_seats seats;

	begin(&local);
	cr_assert(next());
	seats = world.seats;
	scheduler_bots_called_off(world.bots, ID, &seats.paired,
				  seats.participant, 2);
	world.seats = seats;
	cr_expect_not(told(0).suspended);
	cr_expect(told(1).suspended);
	logs_suspended(ID, seats.participant[1]->stands_as);
	cr_expect_eq(told(1).games, 0);
	cr_expect_not(next(), "its opponent has nobody to play with");
}

Test(scheduler_bots, a_remote_bot_waits_until_it_is_offered_again)
{
	begin(&remote);
	cr_assert(next());
	scheduler_bots_called_off(world.bots, ID, &world.seats.paired,
				  world.seats.participant, 0);
	cr_expect_not(next());
	scheduler_bots_sit(world.bots, &world.alice);
	scheduler_bots_sit(world.bots, &world.bob);
	cr_expect(next());
}

Test(scheduler_bots, one_that_rose_does_not_sit_again_by_itself)
{
	begin(&local);
	cr_assert(next());
	cr_expect(scheduler_bots_rise(world.bots, &world.alice));
	cr_expect_not(scheduler_bots_rise(world.bots, &world.alice));
	scheduler_bots_called_off(world.bots, ID, &world.seats.paired,
				  world.seats.participant, 0);
	cr_expect_eq(scheduler_bots_sitting(world.bots), 1);
	cr_expect_not(next());
}

/* ---- heirs ------------------------------------------------------------ */

Test(scheduler_bots, a_new_version_goes_on_from_the_one_before)
{
	struct participant later = participant(&local, "later");

	begin(&local);
	play();
	scheduler_bots_ended(world.bots, &world.end);
	snprintf(later.before[0], sizeof(later.before[0]), "%s",
		 world.game.seat[0].bot);
	cr_assert(scheduler_bots_rise(world.bots, &world.alice));
	cr_assert(scheduler_bots_rise(world.bots, &world.bob));
	cr_assert(scheduler_bots_sit(world.bots, &later));
	cr_assert(scheduler_bots_sit(world.bots, &world.bob));
	cr_assert(next());
	for (unsigned s = 0; s < 2; s++) {
		if (world.seats.participant[s] != &later) {
			cr_expect_null(world.seats.heir_of[s]);
			continue;
		}
		cr_expect_str_eq(world.seats.heir_of[s],
				 world.game.seat[0].bot);
		cr_expect_eq(told(s).rating_milli, START_MILLI + 10000);
	}
}

Test(scheduler_bots, a_new_version_is_paired_by_the_fit_of_the_one_before)
{
	struct participant later = participant(&local, "later");
	struct fit_row row = { .name = "alice", .rating = 1700 };
	const struct fit_kept kept = { .count = 1, .row = &row };
	struct scheduler_bot bot;

	begin(&local);
	play();
	scheduler_bots_ended(world.bots, &world.end);
	cr_expect_eq(scheduler_bots_fitted(world.bots, &kept), 1);
	snprintf(later.before[0], sizeof(later.before[0]), "alice");
	cr_assert(scheduler_bots_rise(world.bots, &world.alice));
	cr_assert(scheduler_bots_sit(world.bots, &later));
	cr_assert(scheduler_bots_tell(world.bots, "later", &bot));
	cr_expect_eq(bot.paired_milli, 1700000);
}
