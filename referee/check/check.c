/* referee/check/check.c - one game after the other, and what the bot did in it.
 *
 * begin_game() has the runner play one, seat_bot() seats the bot and the
 * others, on_over() judges the game when it is over, on_own_ended() hears of
 * the end of its process.  A game is done when both have come and the others
 * have left as well; only with CHECK_REUSE a process stays for the next one. */
#include "referee/check/check-inside.h"

#include <errno.h>
#include <event2/event.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "protocol/record.h"
#include "referee/check/check-listen.h"
#include "referee/child/bot-child.h"
#include "referee/table/bot.h"
#include "referee/command.h"
#include "referee/table/deal.h"
#include "referee/table/loop.h"
#include "referee/child/spawner.h"
#include "referee/child/program-exec.h"
#include "referee/progress.h"
#include "referee/child/sandbox.h"
#include "referee/runner/idle.h"
#include "referee/runner/job.h"
#include "referee/runner/runner.h"
#include "referee/table/table.h"

#define LOOK_US 25000  /* between two looks at its processes */
#define DELAY_US 3000  /* of the others' answers, CHECK_SLOW */
#define END_AT 3       /* ask at which its input ends */
#define REUSE_GAMES 3  /* for one process */
#define BANK_MOVES 100 /* so much time is in a bank, CHECK_BANK */

static void
wake(struct check *check)
{
	loop_post(&check->loop, LOOP_SETTLE, &check->next_task);
}

static void
stop(struct check *check, const char *why)
{
	check->stopping = true;
	runner_abort(check->runner, why);
	wake(check);
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
	stop(check, "machine");
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
	stop(check, "not-started");
}

static void
on_own_failed(void *arg, struct bot *bot UNUSED, const struct bot_end *end)
{
	not_started(arg, end);
}

static void
on_own_ended(void *arg, struct bot *bot, const struct bot_end *end)
{
	struct check *check = arg;

	if (check->listener != NULL) {
		check->watch = *tap_watch(bot);
		check->followed = true;
		check_report_ended(check->report,
				   check_listen_why(check->listener), NULL);
	} else if (end->started && !end->machine)
		check_judge_end(check, bot, end);
	else
		not_started(check, end);
	check->own = NULL;
	check->alive--;
	wake(check);
}

static void
on_other_ended(void *arg, struct bot *bot UNUSED,
	       const struct bot_end *end UNUSED)
{
	struct check *check = arg;

	check->alive--;
	wake(check);
}

/* ---- a game ends ------------------------------------------------------ */

static void
abort_game(struct loop_task *task)
{
	struct check *check = ENCLOSING(task, struct check, abort_task);

	runner_abort(check->runner, "interrupted");
}

static void
cut_connection(struct loop_task *task)
{
	struct check *check = ENCLOSING(task, struct check, cut_task);

	check_listen_cut(check->listener);
}

static bool
stays_for_more(const struct check *check)
{
	return check->setup->reuse || (check->trial->style == CHECK_REUSE &&
				       check->series < REUSE_GAMES);
}

/* The own bot has heard the end of its game and may play the next one. */
static void
on_kept(void *arg, uint64_t number UNUSED, unsigned seat UNUSED,
	struct bot *bot)
{
	struct check *check = arg;

	if (check->stopping)
		idle_send_away(bot);
	else
		check->stays = true;
}

static void
on_over(void *arg, struct job_result *result)
{
	struct check *check = arg;
	unsigned char hash[RECORD_HASH_BYTES];
	const bool begun = result->header.used > 0;

	check->playing = false;
	if (begun) {
		check_judge_game(check);
		check->report->games++;
		job_result_hash(result, hash);
	}
	if (result->machine)
		note_failure(check, result->why);
	runner_receipt(check->runner, result->number, begun ? hash : NULL);
	wake(check);
}

/* ---- a game begins ---------------------------------------------------- */

static void
own_orders(const struct check *check, struct tap_orders *orders)
{
	const struct check_trial *trial = check->trial;

	*orders = (struct tap_orders){
		.child = check->listener == NULL,
		.words = trial->style == CHECK_WORDS,
		.drip = trial->style == CHECK_DRIP && check->listener == NULL,
		.spoil_from =
			trial->style == CHECK_RETIRE ? CHECK_SPOIL_FROM : 0,
		.end_at = trial->style == CHECK_EOF ? END_AT : 0,
	};
}

static struct bot *
start_own(struct check *check)
{
	const struct check_setup *setup = check->setup;
	struct sandbox_box box = { .tier = SANDBOX_NONE };

	if (setup->box != NULL)
		box = *setup->box;
	box.watch = box.tier >= SANDBOX_BOX && sandbox_can_watch();
	box.strict = !box.watch && check->trial->style == CHECK_STRICT;
	return bot_child_start(&check->loop, setup->spawner,
			       &(struct spawner_job){ .argv = setup->argv,
						      .folder = setup->folder,
						      .box = &box });
}

static struct bot *
seat_own(struct check *check, const char *id)
{
	struct tap_orders orders;
	struct bot *inner;

	if (check->own == NULL) {
		inner = check->listener == NULL
				? start_own(check)
				: check_listen_seat(check->listener, id,
						    check->trial->style ==
							    CHECK_DRIP);
		if (inner == NULL)
			return NULL;
		check->own = tap_new(&check->loop, inner);
		if (check->followed)
			tap_follow(check->own, &check->watch);
		check->own->failed = on_own_failed;
		check->own->complained = check_on_complained;
		check->own->ended = on_own_ended;
		check->own->ended_arg = check;
		check->processes_told = check->orphans_told = false;
		check->stderr_told = check->sum_told = false;
		check->aside = (struct check_aside){ 0 };
		check->alive++;
	}
	own_orders(check, &orders);
	tap_begin(check->own, check->trial->seat, &orders, &check_calls, check,
		  &check->report->seen);
	return check->own;
}

static struct bot *
seat_other(struct check *check, const struct deal *deal, unsigned seat)
{
	static struct watch_seen nobody;
	const struct check_trial *trial = check->trial;
	struct tap_orders orders = {
		.delay_us = trial->style == CHECK_SLOW ? DELAY_US : 0,
		.spoil_from =
			trial->style == CHECK_OTHERS ? CHECK_SPOIL_FROM : 0,
	};
	struct chance chance;
	struct bot *inner, *tap;

	deal_side_chance(deal, "referee random 1", seat, &chance);
	inner = bot_builtin_new(&check->loop, trial->house ? "house" : "random",
				&chance);
	if (inner == NULL)
		return NULL;
	tap = tap_new(&check->loop, inner);
	tap->ended = on_other_ended;
	tap->ended_arg = check;
	tap_begin(tap, seat, &orders, NULL, NULL, &nobody);
	check->alive++;
	return tap;
}

static void
set_clock(const struct check *check, struct seat_clock *clock)
{
	const uint64_t max_us = TIME_MS_MAX * (uint64_t)1000;
	uint64_t time_us = check->setup->clock.time_us;

	*clock = check->setup->clock;
	if (check->trial->style != CHECK_BANK)
		return;
	/* Whoever keeps to the time for a move never runs out of it. */
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
fill_setup(struct check *check, struct table_setup *setup)
{
	const struct check_trial *trial = check->trial;
	unsigned s;

	memset(setup, 0, sizeof(*setup));
	setup->game = trial->setup;
	deal_from_seed(&setup->deal, check->setup->seed, check->game);
	setup->deal.seeded = true;
	setup->arrival = trial->arrival;
	set_clock(check, &setup->clock);
	setup->faults = check->setup->faults;
	setup->show_names = trial->style != CHECK_NAMES;
	setup->date = (uint64_t)time(NULL);
	for (s = 0; s < trial->setup.seats; s++)
		snprintf(setup->name[s], sizeof(setup->name[s]), "other-%u", s);
	snprintf(setup->name[trial->seat], sizeof(setup->name[0]), "%s",
		 check->report->name);
	setup->entropy[trial->seat] =
		check->listener == NULL ? check->setup->entropy
					: check_listen_entropy(check->listener);
}

static struct bot *
seat_bot(void *arg, const struct job *job, unsigned seat)
{
	struct check *check = arg;

	if (seat == check->trial->seat)
		return seat_own(check, job->setup.deal.id);
	return seat_other(check, &job->setup.deal, seat);
}

static void
begin_game(struct check *check)
{
	struct job job;
	unsigned s;

	if (check->game++ == 0) {
		check->begun_us = clock_us();
		loop_after_us(check->limit_event,
			      check->setup->limit_s * 1000000);
	}
	check->series++;
	check->answers = 0;
	check->missed = 0;
	check->wrong = check->stays = false;
	check->playing = true;
	memset(&job, 0, sizeof(job));
	job.number = check->game;
	fill_setup(check, &job.setup);
	for (s = 0; s < check->trial->setup.seats; s++)
		job.seat[s].own = true;
	job.seat[check->trial->seat].reuse = stays_for_more(check);
	runner_play(check->runner, job_copy(&job));
}

/* ---- a bot that comes by TCP ------------------------------------------ */

static void
on_changed(void *arg)
{
	wake(arg);
}

static void
on_back(void *arg)
{
	struct check *check = arg;

	if (check->own == NULL)
		return;
	check->missed = tap_watch(check->own)->ask;
	tap_returned(check->own);
}

static void
on_absent(void *arg, const char *why)
{
	struct check *check = arg;
	struct check_report *report = check->report;
	const char *name = check_listen_name(check->listener);

	if (check->game > 0) {
		report->gave_up = true;
		/* Else it is told already. */
		if (report->told[CHECK_CRASH].game != check->game)
			check_report_add(report, CHECK_CRASH, check->trial,
					 check->game, NULL, why);
	} else {
		snprintf(report->why, sizeof(report->why), "%s%s%s", name,
			 name[0] == '\0' ? "" : " ", why);
		report->not_started = true;
	}
	check->stopping = true;
	wake(check);
}

static const struct check_listen_calls listen_calls = {
	.changed = on_changed,
	.back = on_back,
	.absent = on_absent,
	.useless = check_on_useless,
};

/* -1: the report says why. */
static int
open_listener(struct check *check)
{
	const struct check_setup *setup = check->setup;
	struct check_report *report = check->report;
	const char *where;
	struct error why;
	uint64_t seconds;

	if (setup->listen == NULL)
		return 0;
	report->by_tcp = true;
	check->listener =
		check_listen_open(&check->loop, setup->listen->host,
				  setup->listen->port, setup->listen->plain,
				  setup->limit_s, &listen_calls, check, &why);
	if (check->listener != NULL) {
		where = check_listen_where(check->listener, &seconds);
		note("listening at %s for %s: come with any name and any "
		     "token, and sit on any ladder; %s, at most %s; --seed %s",
		     where, counted(seconds, "second").text,
		     counted(report->planned, "game").text,
		     counted(setup->limit_s, "second").text, setup->seed);
		return 0;
	}
	snprintf(report->why, sizeof(report->why), "%.500s", why.text);
	report->failed = why.kind == ERROR_MACHINE;
	report->not_started = !report->failed;
	return -1;
}

/* ---- from game to game ------------------------------------------------ */

static void
count_wrong(struct check *check)
{
	struct check_report *report = check->report;

	report->wrong_games += check->wrong;
	check->speechless_games += check->speechless;
	check->wrong = check->speechless = false;
	if ((report->wrong_games < CHECK_WRONG_GAMES &&
	     check->speechless_games < CHECK_SPEECHLESS_GAMES) ||
	    check->setup->keep_going || check->stopping)
		return;
	report->gave_up = true;
	check->stopping = true;
}

/* The next trial, unless the process that played goes on with this one. */
static bool
pick_trial(struct check *check)
{
	const struct check_plan *plan = check->setup->plan;

	if (check->trial != NULL && check->own != NULL &&
	    check->trial->style == CHECK_REUSE && check->series < REUSE_GAMES)
		return true;
	check->series = 0;
	if (check->index == plan->count)
		return false;
	check->trial = &plan->trial[check->index];
	if (++check->repeat < check->setup->repeats)
		return true;
	check->repeat = 0;
	check->index++;
	return true;
}

/* Whether the bot is there for the next game. */
static bool
bot_is_there(struct check *check)
{
	struct check_report *report = check->report;

	if (check->listener == NULL ||
	    check->index == check->setup->plan->count)
		return true;
	if (check_listen_ready(check->listener)) {
		snprintf(report->name, sizeof(report->name), "%s",
			 check_listen_name(check->listener));
		return true;
	}
	if (!check_listen_has_quit(check->listener))
		return false;
	report->quit = check->game > 0;
	if (!report->quit)
		on_absent(check, "quit before its first game");
	check->stopping = true;
	return true;
}

static void
go_on(struct loop_task *task)
{
	struct check *check = ENCLOSING(task, struct check, next_task);
	const unsigned staying = check->own != NULL && check->stays;

	if (check->playing || check->alive > staying)
		return;
	count_wrong(check);
	if (!check->stopping && !bot_is_there(check))
		return;
	if (!check->stopping && pick_trial(check)) {
		begin_game(check);
	} else if (staying > 0) {
		check->stays = false;
		idle_send_away(check->own);
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
on_limit(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct check *check = arg;

	check->report->at_limit = true;
	stop(check, "interrupted");
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
	stop(check, "interrupted");
}

static void
on_progress(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct check *check = arg;

	progress_draw(check->report->games, check->report->planned,
		      clock_us() - check->begun_us, "");
}

static void
open_events(struct check *check)
{
	static const int signals[] = { SIGINT, SIGTERM };
	struct event_base *base = check->loop.base;

	check->look_event = loop_every(base, LOOK_US, check_on_look, check);
	check->limit_event = loop_timer(base, on_limit, check);
	loop_signals(base, check->signal_event, signals, NELEM(signals),
		     on_signal, check);
	if (check->setup->progress)
		check->progress_event =
			loop_every(base, PROGRESS_US, on_progress, check);
}

static void
close_events(struct check *check)
{
	unsigned i;

	event_free(check->look_event);
	event_free(check->limit_event);
	for (i = 0; i < NELEM(check->signal_event); i++)
		event_free(check->signal_event[i]);
	if (check->progress_event != NULL) {
		event_free(check->progress_event);
		progress_erase();
	}
}

uint64_t
check_games(const struct check_setup *setup)
{
	uint64_t count = 0;
	unsigned i;

	for (i = 0; i < setup->plan->count; i++)
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
	check.abort_task.run = abort_game;
	check.cut_task.run = cut_connection;
	check.begun_us = clock_us();
	check.runner = runner_new(&check.loop, setup->spawner, 1, -1,
				  &runner_calls, &check);
	open_events(&check);
	if (open_listener(&check) == 0) {
		wake(&check);
		loop_run(&check.loop);
	}
	report->seconds = (double)(clock_us() - check.begun_us) / 1e6;
	if (check.listener != NULL)
		check_listen_close(check.listener);
	close_events(&check);
	runner_free(check.runner);
	loop_release(&check.loop);
}
