/* referee/check/check.c - plays the games of a check.
 *
 * begin_game() lets the runner play one, seat_bot() seats the bot and the
 * others, on_over() judges a finished game, on_own_ended() handles the end of
 * the bot's process.  A game is done when both have been called and the other
 * bots have left.  Only with CHECK_REUSE a process stays for the next game. */
#include "referee/check/check-inside.h"

#include <errno.h>
#include <event2/event.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "protocol/record.h"
#include "referee/base/progress.h"
#include "referee/runner/idle.h"
#include "referee/runner/job.h"
#include "referee/runner/runner.h"
#include "referee/sandbox/program-exec.h"
#include "referee/spawner/bot-child.h"
#include "referee/table/deal.h"

#define LOOK_US 25000  /* between two looks at its processes */
#define DELAY_US 3000  /* delay of the others' answers, CHECK_SLOW */
#define END_AT 3       /* its input ends at this ask */
#define REUSE_GAMES 3  /* games of one process */
#define BANK_MOVES 100 /* moves whose time is in the bank, CHECK_BANK */

void
check_wake(struct check *check)
{
	loop_post(&check->loop, LOOP_SETTLE, &check->next_task);
}

struct check_game *
check_last_game(struct check *check)
{
	struct check_game *last = check->game;

	for (unsigned i = 1; i < GAMES_AT_ONCE; i++)
		if (check->game[i].number > last->number)
			last = &check->game[i];
	return last;
}

static void
stop(struct check *check, enum abort_word why)
{
	check->stopping = true;
	runner_abort(check->runner, why);
	check_wake(check);
}

static void
note_failure(struct check *check, const char *why)
{
	if (!check->report->failed)
		snprintf(check->report->why, sizeof(check->report->why), "%s",
			 why);
	check->report->failed = true;
	check->stopping = true;
}

static void
machine_failed(struct check *check, const char *why)
{
	note_failure(check, why);
	stop(check, ABORT_MACHINE);
}

/* ---- a process ends --------------------------------------------------- */

static void
not_started(struct check *check, const struct bot_end *end)
{
	struct check_report *report = check->report;

	const char *program = check->setup->argv[0];
	char why[512];

	if (end->machine) {
		snprintf(why, sizeof(why),
			 "the machine cannot start %s: %s: %s: %s",
			 check->setup->name, quoted(program).text, end->step,
			 strerror(end->error));
		machine_failed(check, end->started || end->error == EPIPE
					      ? SPAWNER_DIED
					      : why);
		return;
	}
	if (!report->not_started && !report->failed)
		snprintf(report->why, sizeof(report->why),
			 "%s cannot be started: %s: %s", check->setup->name,
			 quoted(program).text, program_exec_words(end->error));
	report->not_started = true;
	stop(check, ABORT_NOT_STARTED);
}

static void
on_own_failed(void *arg, struct bot *bot UNUSED, const struct bot_end *end)
{
	if (end->machine || !end->started)
		not_started(((struct check_game *)arg)->check, end);
}

static void
on_own_ended(void *arg, struct bot *bot, const struct bot_end *end)
{
	struct check_game *game = arg;

	if (game->check->listener != NULL)
		check_remote_ended(game);
	else if (end->started && !end->machine)
		check_judge_end(game, bot, end);
	else
		not_started(game->check, end);
	game->own = NULL;
	game->alive--;
	check_wake(game->check);
}

static void
on_other_ended(void *arg, struct bot *bot UNUSED,
	       const struct bot_end *end UNUSED)
{
	struct check_game *game = arg;

	game->alive--;
	check_wake(game->check);
}

/* ---- a game ends ------------------------------------------------------ */

static void
abort_game(struct loop_task *task)
{
	struct check_game *game =
		ENCLOSING(task, struct check_game, abort_task);

	runner_abort_one(game->check->runner, game->number, ABORT_INTERRUPTED);
}

static bool
stays_for_more(const struct check_game *game)
{
	return game->check->setup->reuse ||
	       (game->trial.style == CHECK_REUSE && game->series < REUSE_GAMES);
}

static struct check_game *
find_game(struct check *check, uint64_t number)
{
	struct check_game *game = check->game;

	while (game->number != number)
		game++;
	return game;
}

/* Keeps the own bot, which has heard the end of its game, for the next one. */
static void
on_kept(void *arg, uint64_t number, unsigned seat UNUSED, struct bot *bot)
{
	struct check *check = arg;

	if (check->stopping)
		idle_send_away(bot);
	else
		find_game(check, number)->stays = true;
}

static void
on_over(void *arg, struct job_result *result)
{
	struct check *check = arg;
	struct check_game *game = find_game(check, result->number);
	unsigned char hash[RECORD_HASH_BYTES];
	const bool begun = result->header.used > 0;

	game->playing = false;
	if (begun) {
		check_judge_game(game);
		check->report->games++;
		job_result_hash(result, hash);
	}
	if (result->machine)
		note_failure(check, result->why);
	runner_receipt(check->runner, result->number, begun ? hash : NULL);
	check_wake(check);
}

/* ---- a game begins ---------------------------------------------------- */

static void
own_orders(const struct check_game *game, struct tap_orders *orders)
{
	const struct check_trial *trial = &game->trial;

	*orders = (struct tap_orders){
		.child = game->check->listener == NULL,
		.words = trial->style == CHECK_WORDS,
		.drip = trial->style == CHECK_DRIP &&
			game->check->listener == NULL,
		.spoil_from =
			trial->style == CHECK_RETIRE ? CHECK_SPOIL_FROM : 0,
		.end_at = trial->style == CHECK_EOF ? END_AT : 0,
	};
}

static struct bot *
start_own(struct check_game *game)
{
	const struct check_setup *setup = game->check->setup;
	struct sandbox_box box = { .tier = SANDBOX_NONE };

	if (setup->box != NULL)
		box = *setup->box;
	box.watch = box.tier >= SANDBOX_BOX && sandbox_can_watch();
	box.strict = !box.watch && game->trial.style == CHECK_STRICT;
	return bot_child_start(&game->check->loop, setup->spawner,
			       &(struct spawner_task){ .argv = setup->argv,
						       .folder = setup->folder,
						       .box = &box });
}

static struct bot *
seat_own(struct check_game *game, const char *id)
{
	struct tap_orders orders;
	struct check *check = game->check;
	struct bot *inner;

	if (game->own == NULL) {
		inner = check->listener == NULL ? start_own(game)
						: check_remote_seat(game, id);
		if (inner == NULL)
			return NULL;
		game->own = tap_new(&check->loop, inner);
		if (check->followed)
			tap_follow(game->own, &check->watch);
		game->own->failed = on_own_failed;
		game->own->complained = check_on_complained;
		game->own->ended = on_own_ended;
		game->own->ended_arg = game;
		game->processes_told = game->orphans_told = false;
		game->stderr_told = game->sum_told = false;
		game->aside = (struct check_aside){ 0 };
		game->alive++;
	}
	own_orders(game, &orders);
	tap_begin(game->own, game->trial.seat, &orders, &check_calls, game,
		  &check->report->seen);
	return game->own;
}

static struct bot *
seat_other(struct check_game *game, const struct deal *deal, unsigned seat)
{
	static struct watch_seen nobody;
	const struct check_trial *trial = &game->trial;
	struct tap_orders orders = {
		.delay_us = trial->style == CHECK_SLOW ? DELAY_US : 0,
		.spoil_from =
			trial->style == CHECK_OTHERS ? CHECK_SPOIL_FROM : 0,
	};
	struct chance chance;
	struct bot *inner, *tap;

	deal_side_chance(deal, "referee random 1", seat, &chance);
	inner = bot_builtin_new(&game->check->loop,
				trial->house ? "house" : "random", &chance);
	if (inner == NULL)
		return NULL;
	tap = tap_new(&game->check->loop, inner);
	tap->ended = on_other_ended;
	tap->ended_arg = game;
	tap_begin(tap, seat, &orders, NULL, NULL, &nobody);
	game->alive++;
	return tap;
}

static void
set_clock(const struct check_game *game, struct seat_clock *clock)
{
	const uint64_t max_us = TIME_MS_MAX * (uint64_t)1000;
	uint64_t time_us = game->check->setup->clock.time_us;

	*clock = game->check->setup->clock;
	if (game->trial.style != CHECK_BANK)
		return;
	/* A bot that keeps to the time for a move never runs out of it. */
	clock->increment_us += time_us;
	clock->bank_us += time_us * BANK_MOVES;
	clock->time_us = 1000;
	if (clock->total_us == 0)
		clock->total_us = TOTAL_MS_MAX * (uint64_t)1000;
	if (clock->increment_us > max_us)
		clock->increment_us = max_us;
	if (clock->bank_us > max_us)
		clock->bank_us = max_us;
}

static void
fill_setup(struct check_game *game, struct table_setup *setup)
{
	const struct check_trial *trial = &game->trial;

	memset(setup, 0, sizeof(*setup));
	setup->game = trial->setup;
	deal_from_seed(&setup->deal, game->check->setup->seed, game->number);
	setup->deal.seeded = true;
	setup->arrival = trial->arrival;
	set_clock(game, &setup->clock);
	setup->faults = game->check->setup->faults;
	setup->show_names = trial->style != CHECK_NAMES;
	setup->date = (uint64_t)clock_seconds();
	for (unsigned s = 0; s < trial->setup.seats; s++)
		snprintf(setup->name[s], sizeof(setup->name[s]), "other-%u", s);
	snprintf(setup->name[trial->seat], sizeof(setup->name[0]), "%s",
		 game->check->report->name);
	setup->entropy[trial->seat] =
		game->check->listener == NULL
			? game->check->setup->entropy
			: check_remote_entropy(game->check);
}

static struct bot *
seat_bot(void *arg, const struct job *job, unsigned seat)
{
	struct check_game *game = find_game(arg, job->number);

	if (seat == game->trial.seat)
		return seat_own(game, job->setup.deal.id);
	return seat_other(game, &job->setup.deal, seat);
}

static void
begin_game(struct check_game *game)
{
	struct check *check = game->check;
	struct job job;

	if (check->begun++ == 0) {
		check->begun_us = clock_us();
		timer_after(&check->limit_timer,
			    check->setup->limit_s * 1000000);
	}
	game->number = check->begun;
	game->series++;
	game->answers = 0;
	game->missed = 0;
	game->timeouts = 0;
	game->wrong = game->stays = false;
	game->playing = true;
	memset(&job, 0, sizeof(job));
	job.number = game->number;
	fill_setup(game, &job.setup);
	for (unsigned s = 0; s < game->trial.setup.seats; s++)
		job.seat[s].own = true;
	job.seat[game->trial.seat].reuse = stays_for_more(game);
	runner_play(check->runner, job_copy(&job));
}

/* ---- from game to game ------------------------------------------------ */

static void
count_wrong(struct check_game *game)
{
	struct check *check = game->check;
	struct check_report *report = check->report;

	report->wrong_games += game->wrong;
	check->speechless_games += game->speechless;
	game->wrong = game->speechless = false;
	if ((report->wrong_games < CHECK_WRONG_GAMES &&
	     check->speechless_games < CHECK_SPEECHLESS_GAMES) ||
	    check->setup->keep_going || check->stopping)
		return;
	report->gave_up = true;
	if (check->speechless_games >= CHECK_SPEECHLESS_GAMES)
		report->speechless_games = check->speechless_games;
	check->stopping = true;
}

/* Picks the next trial, unless the process that played goes on with this one. */
static bool
pick_trial(struct check_game *game, unsigned at_once)
{
	struct check *check = game->check;
	const struct check_plan *plan = check->setup->plan;

	if (game->own != NULL && game->trial.style == CHECK_REUSE &&
	    game->series < REUSE_GAMES)
		return true;
	game->series = 0;
	if (check->index == plan->count)
		return false;
	game->trial = plan->trial[check->index];
	game->trial.at_once = (uint8_t)at_once;
	if (++check->repeat < check->setup->repeats)
		return true;
	check->repeat = 0;
	check->index++;
	return true;
}

static bool
bot_is_there(struct check *check, bool idle)
{
	return check->listener == NULL ||
	       check->index == check->setup->plan->count ||
	       check_remote_is_there(check, idle);
}

/* Returns true if all bots that will leave have left. */
static bool
is_over(const struct check_game *game)
{
	return !game->playing &&
	       game->alive <= (game->own != NULL && game->stays);
}

/* Returns the number of running games. */
static unsigned
look_at_games(struct check *check)
{
	struct check_game *game = check->game;
	unsigned running = 0;

	for (; game < check->game + GAMES_AT_ONCE; game++)
		if (is_over(game))
			count_wrong(game);
		else
			running++;
	return running;
}

/* Begins as many games as the bot plays at once.  When there are no more, sends
 * its process away and ends the check. */
static void
go_on(struct loop_task *task)
{
	struct check *check = ENCLOSING(task, struct check, next_task);
	const unsigned at_once = check_remote_games(check);
	unsigned running = look_at_games(check), i;
	struct check_game *game;

	for (i = 0; i < GAMES_AT_ONCE && running < at_once; i++) {
		game = &check->game[i];
		if (!is_over(game))
			continue;
		if (!check->stopping && !bot_is_there(check, running == 0))
			return;
		if (check->stopping || !pick_trial(game, at_once))
			break;
		if (++running > check->report->at_once)
			check->report->at_once = running;
		begin_game(game);
	}
	if (running > 0)
		return;
	if (check->game[0].stays) {
		check->game[0].stays = false;
		idle_send_away(check->game[0].own);
	} else {
		check->loop.stop = true;
	}
}

/* ---- the check -------------------------------------------------------- */

static void
on_orphaned(void *arg)
{
	machine_failed(arg, SPAWNER_DIED);
}

static const struct runner_calls runner_calls = {
	.seat = seat_bot,
	.over = on_over,
	.kept = on_kept,
	.orphaned = on_orphaned,
};

static void
on_limit(void *arg)
{
	struct check *check = arg;

	check->report->at_limit = true;
	stop(check, ABORT_INTERRUPTED);
}

static void
on_signal(evutil_socket_t number, short what UNUSED, void *arg)
{
	struct check *check = arg;

	if (check->report->signal != 0) {
		signal(number, SIG_DFL);
		raise(number);
	}
	check->report->signal = number;
	stop(check, ABORT_INTERRUPTED);
}

static void
on_progress(void *arg)
{
	struct check *check = arg;

	progress_draw(check->report->games, check->report->planned,
		      clock_us() - check->begun_us, "");
}

static void
open_events(struct check *check)
{
	timer_init(&check->look_timer, &check->loop.timers, check_on_look,
		   check);
	timer_every(&check->look_timer, LOOK_US);
	timer_init(&check->limit_timer, &check->loop.timers, on_limit, check);
	check->signals = loop_end_signals(check->loop.base, check->signal_event,
					  on_signal, check);
	timer_init(&check->progress_timer, &check->loop.timers, on_progress,
		   check);
	if (check->setup->progress)
		timer_every(&check->progress_timer, PROGRESS_US);
}

static void
close_events(struct check *check)
{
	timer_stop(&check->look_timer);
	timer_stop(&check->limit_timer);
	for (size_t i = 0; i < check->signals; i++)
		event_free(check->signal_event[i]);
	if (check->setup->progress) {
		timer_stop(&check->progress_timer);
		progress_erase();
	}
}

uint64_t
check_games(const struct check_setup *setup)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < setup->plan->count; i++)
		count += setup->plan->trial[i].style == CHECK_REUSE
				 ? REUSE_GAMES
				 : 1;
	return count * setup->repeats;
}

void
check_play(const struct check_setup *setup, struct check_report *report)
{
	struct check check = { .setup = setup, .report = report };

	memset(report, 0, sizeof(*report));
	snprintf(report->name, sizeof(report->name), "%s", setup->name);
	report->planned = check_games(setup);
	if (loop_init(&check.loop) < 0) {
		snprintf(report->why, sizeof(report->why),
			 "cannot make an event loop: %s", strerror(errno));
		report->failed = true;
		return;
	}
	check.next_task.run = go_on;
	for (unsigned i = 0; i < GAMES_AT_ONCE; i++) {
		check.game[i].check = &check;
		check.game[i].abort_task.run = abort_game;
	}
	check.begun_us = clock_us();
	check.runner = runner_new(&check.loop, setup->spawner, GAMES_AT_ONCE,
				  -1, &runner_calls, &check);
	open_events(&check);
	if (check_remote_open(&check) == 0) {
		check_wake(&check);
		loop_run(&check.loop);
	}
	report->seconds = (double)(clock_us() - check.begun_us) / 1e6;
	check_remote_close(&check);
	close_events(&check);
	runner_free(check.runner);
	loop_release(&check.loop);
}
