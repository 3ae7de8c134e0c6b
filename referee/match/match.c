/* referee/match/match.c - keeps as many games running as were asked for.
 *
 * A running game is a struct run: its table and its writer job.  It begins in
 * start_game(), is over in on_table_over(), safe in on_written(); in between
 * only the loop works.  A bot that was let go may take BYE_MS to leave;
 * meanwhile the next game begins, up to a limit of such stragglers.  A program
 * that is used again is idle (idle.h) until then. */
#include "referee/match/match.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "referee/table/bot.h"
#include "referee/command.h"
#include "referee/complaints.h"
#include "referee/table/deal.h"
#include "referee/records/finished.h"
#include "referee/table/loop.h"
#include "referee/match/match-faults.h"
#include "referee/child/nursery.h"
#include "referee/child/program-exec.h"
#include "referee/progress.h"
#include "referee/match/idle.h"
#include "referee/match/schedule.h"
#include "referee/match/standings.h"
#include "referee/table/table.h"

/* Games with the writer, beside those that run. */
#define WRITING_MAX 256

#define NURSERY_DIED "the process that starts the bots has died"

struct match {
	const struct match_setup *setup;
	struct match_report *report;
	struct loop loop;
	struct event *nursery_event, *writer_event, *progress_event;
	struct event *signal_event[2];
	struct schedule *schedule;
	struct standings *standings;
	struct complaints complaints;
	struct loop_task start_task;
	uint64_t started;  /* games begun: the number of the last */
	unsigned running;  /* games on tables */
	unsigned writing;  /* games with the writer */
	unsigned programs; /* bots that have not ended */
	bool reuses;
	struct idle idle; /* those of them that wait for a game */
	uint64_t began_us;
	bool stopping;	  /* begin no more games */
	struct run *runs; /* all that are not safe yet */
};

struct run {
	struct match *match;
	struct run *next, **prev;
	struct table *table;
	uint64_t number;
	unsigned bot[SEATS_MAX];	    /* by seat: numbers in the setup */
	struct sitting *sitting[SEATS_MAX]; /* by seat; NULL: it has ended */
	bool not_started;		    /* a program of it could not be */
	bool held; /* over, but the end of a program is awaited */
	struct writer_job job;
	struct table_outcome outcome;
};

/* A bot of a game, as long as its program lives. */
struct sitting {
	struct match *match;
	struct run *run; /* NULL: its game is done */
	struct bot *program;
	unsigned bot, seat;
	uint64_t game;
	uint64_t cpu_us; /* that it took for the games before this one */
};

/* ---- stopping --------------------------------------------------------- */

static void
wake(struct match *match)
{
	loop_post(&match->loop, LOOP_SETTLE, &match->start_task);
}

static void
stop(struct match *match, const char *why)
{
	struct run *run;

	match->stopping = true;
	for (run = match->runs; run != NULL; run = run->next)
		table_abort(run->table, why);
	wake(match);
}

static void
machine_failed(struct match *match, const char *why)
{
	if (!match->report->failed)
		snprintf(match->report->why, sizeof(match->report->why), "%s",
			 why);
	match->report->failed = true;
	stop(match, "machine");
}

/* The first lets games be aborted and recorded; who sends a second does not
 * want to wait for that.  The nursery ends the bots. */
static void
on_signal(evutil_socket_t number, short what, void *arg)
{
	struct match *match = arg;

	(void)what;
	if (match->report->signal != 0) {
		signal(number, SIG_DFL);
		raise(number);
	}
	match->report->signal = number;
	stop(match, "interrupted");
}

/* ---- a game ends ------------------------------------------------------ */

/* Its programs may outlive it. */
static void
forget_sittings(struct run *run)
{
	unsigned s;

	for (s = 0; s < SEATS_MAX; s++)
		if (run->sitting[s] != NULL)
			run->sitting[s]->run = NULL;
}

static void
run_free(struct run *run)
{
	forget_sittings(run);
	if (run->next != NULL)
		run->next->prev = run->prev;
	*run->prev = run->next;
	text_release(&run->job.header);
	free(run);
}

/* With whatever was charged to a bot that never ran, it is no game. */
static void
discard(struct run *run)
{
	struct match *match = run->match;

	match->running--;
	table_receipt(run->table, NULL);
	run_free(run);
	wake(match);
}

static void
hand_in(struct run *run)
{
	struct match *match = run->match;
	struct table *table = run->table;

	table_outcome(table, &run->outcome);
	if (run->not_started && run->outcome.aborted == NULL) {
		discard(run);
		return;
	}
	finished_job(table, &run->outcome, run->number, &run->job);
	match->running--;
	match->writing++;
	writer_submit(match->setup->writer, &run->job);
	wake(match);
}

/* Whether a program that said nothing has broken its line and not yet ended:
 * only its end tells whether it was ever started. */
static bool
end_is_awaited(const struct run *run)
{
	const struct bot *program;
	unsigned s;

	for (s = 0; s < SEATS_MAX; s++) {
		if (run->sitting[s] == NULL)
			continue;
		program = run->sitting[s]->program;
		if (program->gone && program->bytes_in == 0)
			return true;
	}
	return false;
}

/* What its program took for the game that it plays. */
static void
note_usage(const struct sitting *sitting, uint64_t cpu_us, uint64_t peak_kib)
{
	uint64_t before_us = sitting->cpu_us;

	table_used(sitting->run->table, sitting->seat,
		   &(struct bot_usage){ .cpu_us = cpu_us > before_us
							  ? cpu_us - before_us
							  : 0,
					.peak_kib = peak_kib });
}

/* Of those that live; the others have told when they ended. */
static void
note_usages(const struct run *run)
{
	struct bot_usage usage;
	unsigned s;

	for (s = 0; s < SEATS_MAX; s++)
		if (run->sitting[s] != NULL &&
		    bot_usage(run->sitting[s]->program, &usage))
			note_usage(run->sitting[s], usage.cpu_us,
				   usage.peak_kib);
}

static void
on_table_over(struct table *table, void *arg)
{
	struct run *run = arg;

	(void)table;
	note_usages(run);
	run->held = end_is_awaited(run);
	if (!run->held)
		hand_in(run);
}

static bool
is_used_again(const struct run *run, unsigned seat)
{
	return run->match->setup->bot[run->bot[seat]].reuse;
}

/* The game is over and safe: what becomes of its bots.  Those that play game
 * after game have made no fault if the table hands them back. */
static void
end_game(struct run *run)
{
	struct match *match = run->match;
	const unsigned char *hash = run->job.failed ? NULL : run->job.hash;
	struct bot *bot[SEATS_MAX];
	unsigned s;

	if (match->stopping || match->started == match->setup->games) {
		table_receipt(run->table, hash);
		return;
	}
	table_receipt_reuse(run->table, hash, bot);
	for (s = 0; s < match->setup->game.seats; s++) {
		if (bot[s] == NULL)
			continue;
		run->sitting[s]->run = NULL;
		if (is_used_again(run, s))
			idle_keep(&match->idle, run->bot[s], bot[s],
				  match->setup->jobs * IDLE_A_JOB);
		else
			idle_send_away(bot[s]);
	}
}

static void
on_written(struct run *run)
{
	struct match *match = run->match;
	struct match_report *report = match->report;

	match->writing--;
	if (run->job.failed || run->job.unrated)
		machine_failed(match, run->job.why);
	if (!run->job.failed && !run->job.aborted) {
		report->games++;
		report->known += run->job.counted;
		report->turns += run->outcome.turns;
		standings_add(match->standings, run->number, run->bot,
			      &run->outcome);
		match_faults_add(report->faults, run->number, run->bot,
				 run->job.body);
	}
	end_game(run);
	run_free(run);
	wake(match);
}

static void
on_writer(evutil_socket_t fd, short what, void *arg)
{
	struct match *match = arg;
	struct writer_job *job;

	(void)fd;
	(void)what;
	while ((job = writer_done(match->setup->writer)) != NULL)
		on_written((struct run *)((char *)job -
					  offsetof(struct run, job)));
}

/* ---- a program ends --------------------------------------------------- */

static void
could_not_start(struct match *match, const struct match_bot *bot, int error)
{
	struct match_report *report = match->report;
	char why[512];

	if (report->not_started || report->failed)
		return;
	if (bot->box.tier > SANDBOX_NONE &&
	    (error == ENOENT || error == EACCES || error == ENOTDIR))
		snprintf(why, sizeof(why),
			 "%s: %s in the sandbox, which shows the system and "
			 "the folders of the files that the command line names "
			 "(--sandbox off goes without)",
			 quoted(bot->argv[0]).text, strerror(error));
	else if (bot->folder != NULL || bot->box.tier > SANDBOX_NONE ||
		 nursery_program_ok(bot->argv[0], why, sizeof(why)))
		snprintf(why, sizeof(why), "%s: %s", quoted(bot->argv[0]).text,
			 program_exec_words(error));
	snprintf(report->why, sizeof(report->why),
		 "bot %s cannot be started: %s", bot->name, why);
	report->not_started = true;
	match->stopping = true;
}

/* Nobody is to lose a game because the machine has no process left. */
static void
on_bot_failed(void *arg, struct bot *bot, const struct bot_end *end)
{
	const struct sitting *sitting = arg;
	const struct match_bot *which =
		&sitting->match->setup->bot[sitting->bot];
	char why[512];

	(void)bot;
	if (!end->machine)
		return;
	if (end->started || end->error == EPIPE)
		snprintf(why, sizeof(why), "%s", NURSERY_DIED);
	else
		snprintf(why, sizeof(why),
			 "the machine cannot start bot %s: %s: %s: %s",
			 which->name, quoted(which->argv[0]).text, end->step,
			 strerror(end->error));
	machine_failed(sitting->match, why);
}

static void
on_bot_ended(void *arg, struct bot *bot, const struct bot_end *end)
{
	struct sitting *sitting = arg;
	struct match *match = sitting->match;
	const struct match_bot *which = &match->setup->bot[sitting->bot];
	struct run *run = sitting->run;

	match->programs--;
	if (run != NULL) {
		run->sitting[sitting->seat] = NULL;
		note_usage(sitting, end->cpu_us, end->peak_kib);
	}
	if (end->machine) {
		on_bot_failed(sitting, bot, end); /* perhaps nobody listened */
	} else if (!end->started) {
		could_not_start(match, which, end->error);
		if (run != NULL) {
			run->not_started = true;
			table_abort(run->table, "not-started");
		}
	} else if (bot->gone || (bot->asked && bot->bytes_in == 0)) {
		/* Whoever answered and was let go may leave as it likes. */
		complaints_hear(&match->complaints, which->name, sitting->bot,
				sitting->game, sitting->seat, end,
				bot->ops->complaint(bot));
	}
	if (run != NULL && run->held && !end_is_awaited(run))
		hand_in(run);
	free(sitting);
	wake(match);
}

/* ---- a game begins ---------------------------------------------------- */

/* A program that has played before; or NULL. */
static struct bot *
seat_again(struct match *match, struct run *run, unsigned seat)
{
	struct bot *bot = idle_take(&match->idle, run->bot[seat]);
	struct bot_usage usage;
	struct sitting *sitting;

	if (bot == NULL)
		return NULL;
	sitting = bot->ended_arg;
	sitting->run = run;
	sitting->seat = seat;
	sitting->game = run->number;
	if (bot_usage(bot, &usage))
		sitting->cpu_us = usage.cpu_us;
	run->sitting[seat] = sitting;
	return bot;
}

static struct bot *
seat_bot(struct match *match, struct run *run, const struct deal *deal,
	 unsigned seat)
{
	const struct match_bot *which = &match->setup->bot[run->bot[seat]];
	struct bot *bot = seat_again(match, run, seat);
	struct sitting *sitting;
	struct chance chance;

	if (bot != NULL)
		return bot;
	sitting = memory(NULL, sizeof(*sitting));
	if (which->builtin != NULL) {
		deal_side_chance(deal, "referee random 1", seat, &chance);
		bot = bot_builtin_new(&match->loop, which->builtin, &chance);
	} else {
		bot = bot_child_start(
			&match->loop, match->setup->nursery,
			&(struct nursery_job){ .argv = which->argv,
					       .folder = which->folder,
					       .box = &which->box });
	}
	if (bot == NULL) {
		free(sitting);
		return NULL;
	}
	*sitting = (struct sitting){ .match = match,
				     .run = run,
				     .program = bot,
				     .bot = run->bot[seat],
				     .seat = seat,
				     .game = run->number };
	bot->rests = match->setup->no_pondering;
	bot->failed = on_bot_failed;
	bot->ended = on_bot_ended;
	bot->ended_arg = sitting;
	run->sitting[seat] = sitting;
	match->programs++;
	return bot;
}

static int
seat_bots(struct match *match, struct run *run, const struct deal *deal,
	  struct bot *bot[])
{
	unsigned s, seats = match->setup->game.seats;
	int error;

	for (s = 0; s < seats; s++) {
		bot[s] = seat_bot(match, run, deal, s);
		if (bot[s] != NULL)
			continue;
		error = errno;
		while (s-- > 0)
			bot_part(bot[s], 0);
		errno = error;
		return -1;
	}
	return 0;
}

static void
fill_setup(const struct match *match, const struct run *run,
	   struct table_setup *setup)
{
	const struct match_setup *from = match->setup;
	unsigned s;

	memset(setup, 0, sizeof(*setup));
	setup->game = from->game;
	deal_from_seed(&setup->deal, from->seed, run->number);
	/* A seed that nobody knows until the end binds as well as a secret
	 * drawn for the game alone. */
	setup->deal.seeded = from->seeded;
	setup->arrival = from->arrival;
	setup->clock = from->clock;
	setup->faults = from->faults;
	setup->record_asks = from->record_asks;
	setup->show_names = true;
	setup->date = (uint64_t)time(NULL);
	for (s = 0; s < from->game.seats; s++) {
		memcpy(setup->name[s], from->bot[run->bot[s]].name,
		       sizeof(setup->name[s]));
		setup->entropy[s] = from->bot[run->bot[s]].entropy;
	}
}

static void
start_game(struct match *match)
{
	struct table_setup setup;
	struct bot *bot[SEATS_MAX];
	struct run *run = calloc(1, sizeof(*run));
	char why[128];

	if (run == NULL)
		bug("out of memory");
	run->match = match;
	run->number = ++match->started;
	schedule_next(match->schedule, run->bot);
	fill_setup(match, run, &setup);
	if (seat_bots(match, run, &setup.deal, bot) < 0) {
		snprintf(why, sizeof(why), "cannot start a bot's program: %s",
			 strerror(errno));
		forget_sittings(run);
		free(run);
		machine_failed(match, why);
		return;
	}
	run->next = match->runs;
	run->prev = &match->runs;
	if (run->next != NULL)
		run->next->prev = &run->next;
	match->runs = run;
	match->running++;
	run->table = table_new(&match->loop, &setup, bot, on_table_over, run);
}

/* Games at a time.  Processes that play game after game have ended one when
 * they have its receipt; otherwise the next one need not wait for the disk. */
static unsigned
games_at_a_time(const struct match *match)
{
	return match->running + (match->reuses ? match->writing : 0);
}

static bool
may_start(const struct match *match)
{
	const struct match_setup *setup = match->setup;
	unsigned placed =
		match->running * setup->game.seats + match->idle.count;
	/* A program that has died at its table is no straggler. */
	unsigned stragglers =
		match->programs > placed ? match->programs - placed : 0;

	return !match->stopping && match->started < setup->games &&
	       games_at_a_time(match) < setup->jobs &&
	       match->writing < WRITING_MAX &&
	       stragglers < setup->jobs * STRAGGLERS_A_JOB;
}

static void
start_games(struct loop_task *task)
{
	struct match *match =
		(struct match *)((char *)task -
				 offsetof(struct match, start_task));

	while (may_start(match))
		start_game(match);
	if (match->stopping || match->started == match->setup->games)
		idle_dismiss(&match->idle);
	if (match->running == 0 && match->writing == 0 &&
	    match->programs == 0 &&
	    (match->stopping || match->started == match->setup->games))
		match->loop.stop = true;
}

/* ---- the match -------------------------------------------------------- */

static void
on_nursery(evutil_socket_t fd, short what, void *arg)
{
	struct match *match = arg;

	(void)fd;
	(void)what;
	if (nursery_dispatch(match->setup->nursery) < 0) {
		event_del(match->nursery_event);
		machine_failed(match, NURSERY_DIED);
	}
}

static void
on_progress(evutil_socket_t fd, short what, void *arg)
{
	struct match *match = arg;

	(void)fd;
	(void)what;
	progress_draw(match->report->games, match->setup->games,
		      clock_us() - match->began_us);
}

static void
open_events(struct match *match)
{
	static const int signals[] = { SIGINT, SIGTERM };
	const struct timeval often = { .tv_usec = 200000 };
	struct event_base *base = match->loop.base;
	unsigned i;

	match->writer_event = event_new(base, writer_fd(match->setup->writer),
					EV_READ | EV_PERSIST, on_writer, match);
	event_add(match->writer_event, NULL);
	if (match->setup->nursery != NULL) {
		match->nursery_event =
			event_new(base, nursery_fd(match->setup->nursery),
				  EV_READ | EV_PERSIST, on_nursery, match);
		event_add(match->nursery_event, NULL);
	}
	for (i = 0; i < NELEM(signals); i++) {
		match->signal_event[i] =
			evsignal_new(base, signals[i], on_signal, match);
		event_add(match->signal_event[i], NULL);
	}
	if (match->setup->progress) {
		match->progress_event =
			event_new(base, -1, EV_PERSIST, on_progress, match);
		event_add(match->progress_event, &often);
	}
}

static void
close_events(struct match *match)
{
	unsigned i;

	event_free(match->writer_event);
	if (match->nursery_event != NULL)
		event_free(match->nursery_event);
	if (match->progress_event != NULL) {
		event_free(match->progress_event);
		progress_erase();
	}
	for (i = 0; i < NELEM(match->signal_event); i++)
		event_free(match->signal_event[i]);
}

bool
match_reuses(const struct match_setup *setup)
{
	unsigned b;

	for (b = 0; b < setup->bots; b++)
		if (setup->bot[b].reuse)
			return true;
	return false;
}

void
match_play(const struct match_setup *setup, struct match_report *report)
{
	struct match match = { .setup = setup, .report = report };

	memset(report, 0, sizeof(*report));
	if (loop_init(&match.loop) < 0) {
		snprintf(report->why, sizeof(report->why),
			 "cannot make an event loop: %s", strerror(errno));
		report->failed = true;
		return;
	}
	report->faults = calloc(setup->bots, sizeof(*report->faults));
	if (report->faults == NULL)
		bug("out of memory");
	match.schedule = schedule_new(setup->bots, setup->game.seats);
	match.standings = standings_new(setup->bots, setup->game.seats);
	match.start_task.run = start_games;
	match.reuses = match_reuses(setup);
	idle_init(&match.idle);
	match.complaints.progress = setup->progress;
	match.began_us = clock_us();
	open_events(&match);
	wake(&match);
	loop_run(&match.loop);
	report->seconds = (double)(clock_us() - match.began_us) / 1e6;
	report->standing = standings_make(match.standings);
	close_events(&match);
	standings_free(match.standings);
	schedule_free(match.schedule);
	loop_release(&match.loop);
}

void
match_report_release(struct match_report *report)
{
	free(report->standing);
	report->standing = NULL;
	free(report->faults);
	report->faults = NULL;
}
