/* tests/unit/test-scheduler-game.c - games from their start until their records
 * are safe, without a scheduler: with a real writer, a real loop and built-in
 * bots. */
#include <criterion/criterion.h>
#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "referee/scheduler/scheduler-game.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/ladder-kit.h"

#define SEATS 2
#define PATIENCE_US UINT64_C(60000000)
#define TICK_US 10000

static struct {
	struct loop loop;
	struct logger *logger;
	struct dispatch *dispatch;
	struct ladder *ladder;
	struct ladder_log *log;
	struct writer *writer;
	struct event *written;
	struct timer tick; /* so that no pass waits for ever */
	struct config_ladder setup;
	struct scheduler_counts counts;
	struct scheduler_games *games;
	struct participant participant[SEATS];
	struct scheduler_game_seats seats;
	bool refuses; /* a bot cannot begin */
	/* a letter for each callback, in order */
	struct text heard;
	char id[ID_BYTES + 1];
	bool is_there; /* the game was found when it was over, as: */
	struct scheduler_game found;
	struct scheduler_game_end end;
	struct ladder_game game;
	unsigned records; /* records that were safe when a game ended */
} world;

/* ---- bots ------------------------------------------------------------- */

static struct bot *
begin_bot(struct participant *participant, const char *id)
{
	struct chance chance;

	(void)participant;
	(void)id;
	errno = ENOMEM;
	if (world.refuses)
		return NULL;
	memset(&chance, 0, sizeof(chance));
	return bot_builtin_new(&world.loop, "house", &chance);
}

static bool
entropy(const struct participant *participant)
{
	(void)participant;
	return false;
}

static const struct participant_ops ops = { .begin = begin_bot,
					    .entropy = entropy };

/* ---- what is called back ---------------------------------------------- */

static void
hear(char what)
{
	text_add(&world.heard, &what, 1);
}

static void
on_seated(void *arg, const char *ladder, struct participant *participant)
{
	(void)arg;
	(void)ladder;
	hear((char)('A' + (participant - world.participant)));
}

static void
on_changed(void *arg, struct participant *participant)
{
	(void)arg;
	hear((char)('a' + (participant - world.participant)));
}

static void
on_over(void *arg, const char *id, const struct job_result *result)
{
	(void)arg;
	(void)result;
	snprintf(world.id, sizeof(world.id), "%s", id);
	world.is_there = scheduler_games_find(world.games, id, &world.found);
	hear('o');
}

static void
on_charged(void *arg, const char *bot, const char *id, unsigned seat,
	   const char *sentence)
{
	(void)arg;
	(void)bot;
	(void)id;
	(void)seat;
	(void)sentence;
	hear('c');
}

static void
on_ended(void *arg, const struct scheduler_game_end *end)
{
	(void)arg;
	cr_expect_eq(end->paired->started_us, world.seats.paired.started_us);
	world.end = *end;
	world.game = *end->game;
	world.records = kit_count_records();
	hear('e');
}

static void
on_called_off(void *arg, const char *id, const struct pairing_table *paired,
	      struct participant *const participant[SEATS_MAX], unsigned blamed)
{
	(void)arg;
	(void)id;
	cr_expect_eq(blamed, 0);
	cr_expect_eq(paired->started_us, world.seats.paired.started_us);
	for (unsigned s = 0; s < SEATS; s++)
		cr_expect_eq(participant[s], &world.participant[s]);
	hear('f');
}

static void
on_room(void *arg)
{
	(void)arg;
	hear('r');
}

static const struct scheduler_game_calls calls = {
	.ended = on_ended,
	.called_off = on_called_off,
	.room = on_room,
};

static const struct scheduler_game_news news = {
	.seated = on_seated,
	.over = on_over,
	.charged = on_charged,
	.changed = on_changed,
};

static void
expect_heard(const char *want)
{
	cr_expect_str_eq(text_string(&world.heard), want);
}

/* Ignores what the dispatch tells: no program of these bots can end. */
static void
on_end(void *arg, uint64_t number, unsigned seat, const struct job_end *end)
{
	(void)arg;
	(void)number;
	(void)seat;
	(void)end;
}

static const struct dispatch_calls dispatch_calls = { .ended = on_end };

/* ---- the world -------------------------------------------------------- */

static void
on_writer(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
	writer_tell(world.writer);
}

static void
on_tick(void *arg)
{
	(void)arg;
}

static void
seat_bots(void)
{
	static const char *const names[SEATS] = { "alice", "bob" };
	struct participant *participant;

	for (unsigned s = 0; s < SEATS; s++) {
		participant = &world.participant[s];
		participant->ops = &ops;
		snprintf(participant->bot, sizeof(participant->bot), "%s",
			 names[s]);
		snprintf(participant->stands_as, sizeof(participant->stands_as),
			 "%s", names[s]);
		world.seats.participant[s] = participant;
	}
	world.seats.paired.started_us = clock_us();
}

static uint64_t (*machine_us)(void);
static uint64_t later_us; /* the clock is so much ahead */

static uint64_t
tell_time(void)
{
	return machine_us() + later_us;
}

static void
open_all(void)
{
	struct scheduler_games_setup setup = { .loop = &world.loop,
					       .ladder = &world.setup,
					       .counts = &world.counts,
					       .calls = &calls,
					       .news = &news };
	int64_t folder;

	kit_begin();
	machine_us = clock_us;
	clock_us = tell_time;
	cr_assert_eq(loop_init(&world.loop), 0);
	text_init(&world.heard, 4096);
	world.logger = log_new(STDERR_FILENO, LOG_LEVEL_ERROR);
	world.dispatch = dispatch_new(&world.loop, NULL, &dispatch_calls, NULL);
	world.ladder = kit_open(&folder);
	world.log = kit_log(world.ladder);
	world.writer = writer_new(world.log, kit_path("records"));
	cr_assert_not_null(world.writer);
	world.written = loop_reads(world.loop.base, writer_fd(world.writer),
				   on_writer, NULL);
	timer_init(&world.tick, &world.loop.timers, on_tick, NULL);
	timer_every(&world.tick, TICK_US);
	snprintf(world.setup.name, sizeof(world.setup.name), "main");
	game_setup_init(&world.setup.setup, &game_toepen, SEATS);
	world.setup.move_time_ms = 60000;
	world.setup.faults = 3;
	world.setup.game_minutes = 60;
	setup.logger = world.logger;
	setup.dispatch = world.dispatch;
	setup.writer = world.writer;
	world.games = scheduler_games_new(&setup);
	seat_bots();
}

/* Tries again what waits for the disk. */
static void
pass_later(void)
{
	later_us += SCHEDULER_AGAIN_MS * UINT64_C(1000);
	fake_pass(&world.loop);
}

static void
close_all(void)
{
	cr_expect(scheduler_games_is_empty(world.games));
	cr_expect_eq(world.counts.running + world.counts.writing, 0);
	scheduler_games_free(world.games);
	timer_stop(&world.tick);
	event_free(world.written);
	writer_free(world.writer);
	ladder_log_free(world.log);
	ladder_close(world.ladder);
	dispatch_free(world.dispatch);
	log_free(world.logger);
	text_release(&world.heard);
	loop_release(&world.loop);
	kit_end();
}

TestSuite(scheduler_game, .init = open_all, .fini = close_all);

/* Runs passes until this was called back. */
static void
pass_until(char what)
{
	const uint64_t until_us = clock_us() + PATIENCE_US;

	while (strchr(text_string(&world.heard), what) == NULL) {
		cr_assert_lt(clock_us(), until_us, "%s",
			     text_string(&world.heard));
		loop_pass(&world.loop);
	}
}

/* Lets the writer's files grow no more, or grow again. */
static void
limit_files(bool full)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = full ? 0 : limit.rlim_max;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void
pass_until_it_fails(void)
{
	const uint64_t until_us = clock_us() + PATIENCE_US;

	while (!scheduler_games_is_failing(world.games)) {
		cr_assert_lt(clock_us(), until_us);
		loop_pass(&world.loop);
	}
}

static void
pass_until_failures(uint64_t count)
{
	const uint64_t until_us = clock_us() + PATIENCE_US;

	while (world.counts.failures < count) {
		cr_assert_lt(clock_us(), until_us);
		loop_pass(&world.loop);
	}
}

/* ---- games ------------------------------------------------------------ */

Test(scheduler_game, is_played_and_written_before_it_has_ended)
{
	scheduler_games_begin(world.games, &world.seats);
	expect_heard("ABab");
	cr_expect_eq(world.counts.running, 1);
	pass_until('e');
	expect_heard("ABaboeabr");
	cr_expect_eq(world.records, 1);
	cr_expect(world.end.safe);
	cr_expect_not(world.end.aborted);
	cr_expect_not(world.end.behind);
	cr_expect_eq(world.end.end[0], PAIRING_FINE);
	cr_expect_str_eq(world.game.id, world.id);
	cr_expect_str_eq(world.game.seat[1].bot, "bob");
	cr_expect_neq(world.game.seat[0].delta_milli, 0);
	cr_expect_gt(world.counts.turns, 0);
}

static void
count_game(void *arg, const char *id, const char name[][NAME_BYTES + 1],
	   unsigned seats, bool elsewhere)
{
	unsigned *count = arg;

	(void)id;
	cr_expect_not(elsewhere);
	cr_expect_eq(seats, SEATS);
	cr_expect_str_eq(name[0], "alice");
	++*count;
}

Test(scheduler_game, can_be_found_until_it_has_ended)
{
	struct scheduler_game game;
	unsigned count = 0;

	scheduler_games_begin(world.games, &world.seats);
	scheduler_games_each(world.games, count_game, &count);
	cr_expect_eq(count, 1);
	pass_until('o');
	cr_assert(world.is_there);
	cr_assert_not_null(world.found.setup);
	cr_expect_null(world.found.dispatched, "it is over");
	cr_expect(world.found.here);
	scheduler_games_each(world.games, count_game, &count);
	cr_expect_eq(count, 1);
	pass_until('e');
	cr_expect_not(scheduler_games_find(world.games, world.id, &game));
}

Test(scheduler_game, has_heirs)
{
	world.seats.heir_of[1] = "rob";
	scheduler_games_begin(world.games, &world.seats);
	pass_until('e');
	cr_expect_str_eq(world.game.seat[0].heir_of, "");
	cr_expect_str_eq(world.game.seat[1].heir_of, "rob");
}

Test(scheduler_game, one_that_has_left_is_told_nothing)
{
	scheduler_games_begin(world.games, &world.seats);
	scheduler_games_forget(world.games, &world.participant[0], true);
	scheduler_games_forget(world.games, &world.participant[1], false);
	pass_until('e');
	expect_heard("ABaboer");
	cr_expect_eq(world.end.end[0], PAIRING_CRASHED);
	cr_expect_eq(world.end.end[1], PAIRING_FINE);
}

Test(scheduler_game, is_none_if_a_bot_cannot_begin)
{
	world.refuses = true;
	scheduler_games_begin(world.games, &world.seats);
	for (unsigned i = 0; i < 10; i++)
		fake_pass(&world.loop);
	cr_expect_not_null(strstr(text_string(&world.heard), "fabr"), "%s",
			   text_string(&world.heard));
	cr_expect_null(strchr(text_string(&world.heard), 'e'));
	cr_expect_eq(world.counts.parked, 1);
	cr_expect_eq(kit_count_records(), 0);
}

/* ---- the disk --------------------------------------------------------- */

Test(scheduler_game, waits_for_a_disk_that_is_full)
{
	limit_files(true);
	scheduler_games_begin(world.games, &world.seats);
	pass_until_it_fails();
	expect_heard("ABabo");
	cr_expect_eq(world.counts.failures, 1);
	/* A try is not a success: no game begins meanwhile. */
	pass_later();
	cr_expect(scheduler_games_is_failing(world.games));
	expect_heard("ABabo");
	pass_until_failures(2);
	limit_files(false);
	pass_later();
	pass_until('e');
	expect_heard("ABaboeabr");
	cr_expect_not(scheduler_games_is_failing(world.games));
	cr_expect(world.end.safe);
	cr_expect_eq(world.records, 1);
}

Test(scheduler_game, is_given_up_when_there_is_no_time)
{
	limit_files(true);
	scheduler_games_begin(world.games, &world.seats);
	pass_until_it_fails();
	scheduler_games_abort(world.games, ABORT_SHUTDOWN);
	pass_until('e');
	limit_files(false);
	cr_expect_not(world.end.safe);
	cr_expect_eq(world.counts.given_up, 1);
	cr_expect_eq(kit_count_records(), 0);
}

/* The organiser's command is charged to no one. */
Test(scheduler_game, of_a_bot_that_is_taken_out_counts_for_no_one)
{
	scheduler_games_begin(world.games, &world.seats);
	scheduler_games_withdraw(world.games, &world.participant[0]);
	scheduler_games_forget(world.games, &world.participant[0], true);
	pass_until('e');
	expect_heard("ABaboebr");
	cr_expect(world.end.safe);
	cr_expect(world.end.aborted);
	cr_expect_eq(world.end.end[0], PAIRING_FINE);
	cr_expect_eq(world.end.end[1], PAIRING_FINE);
	cr_expect_eq(world.records, 1);
}

/* The game is over, but its record not yet safe: it counts. */
Test(scheduler_game, that_was_over_when_its_bot_was_taken_out_counts)
{
	scheduler_games_begin(world.games, &world.seats);
	pass_until('o');
	scheduler_games_withdraw(world.games, &world.participant[0]);
	pass_until('e');
	cr_expect_not(world.end.aborted);
	cr_expect_eq(world.end.end[0], PAIRING_FINE);
}

Test(scheduler_game, is_recorded_as_aborted)
{
	scheduler_games_begin(world.games, &world.seats);
	scheduler_games_abort(world.games, ABORT_SHUTDOWN);
	pass_until('e');
	cr_expect(world.end.safe);
	cr_expect(world.end.aborted);
	cr_expect_eq(world.records, 1);
}
