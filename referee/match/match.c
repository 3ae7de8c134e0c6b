/* referee/match/match.c - keeps as many games running as were asked for.
 *
 * A game is a struct run: it is given to the workers in start_game(), over in
 * on_over(), safe in on_written(); in between only the loop works. */
#include "referee/match/match.h"

#include <errno.h>
#include <event2/event.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/command.h"
#include "referee/match/ahead.h"
#include "referee/match/in-order.h"
#include "referee/match/match-faults.h"
#include "referee/match/match-job.h"
#include "referee/match/match-publish.h"
#include "referee/match/match-seat.h"
#include "referee/match/match-trouble.h"
#include "referee/match/standings.h"
#include "referee/progress.h"
#include "referee/runner/job.h"
#include "referee/runner/kept.h"
#include "referee/runner/workers.h"
#include "referee/table/loop.h"
#include "referee/table/table.h"

/* Games with the writer, beside those that run. */
#define WRITING_MAX 256
/* Games that have begun since the oldest one whose result is not told, beside
 * those that run: what is held for it, and if a rule may end the match, what is
 * played for nothing. */
#define AHEAD_MAX 1024
#define AHEAD_RULE_MAX 32

struct match {
	const struct match_setup *setup;
	struct match_report *report;
	struct loop loop;
	struct event *writer_event, *progress_event;
	struct event *signal_event[2];
	struct workers *workers;
	struct in_order order;
	struct standings *standings;
	struct gain_blocks *blocks; /* NULL: no duplicate deals */
	struct match_seats seats;
	struct loop_task start_task;
	uint64_t started;    /* games begun: the number of the last */
	unsigned running;    /* games on tables */
	unsigned writing;    /* games with the writer */
	unsigned publishing; /* blocks with it */
	bool reuses;
	struct ahead ahead; /* if it reuses */
	uint64_t began_us;
	bool ended;	  /* the source has no other game */
	bool enough;	  /* as the rule says: later results are not told */
	bool stopping;	  /* begin no more games */
	bool finishing;	  /* the workers know it */
	struct run *runs; /* all that are not safe yet */
};

struct run {
	struct match *match;
	struct run *next, **prev;
	uint64_t number, began_us;
	struct match_game game;
	struct table_setup setup;
	struct job_result result;
	struct writer_job job;
	bool ended; /* and is kept until its result is told */
};

/* ---- stopping --------------------------------------------------------- */

static void
wake(struct match *match)
{
	loop_post(&match->loop, LOOP_SETTLE, &match->start_task);
}

static void
stop(struct match *match, enum abort_word why)
{
	match->stopping = true;
	workers_abort(match->workers, why);
	wake(match);
}

/* The match ends for this: the games that run are played to their ends unless
 * it is the machine that fails.  The machine's first reason is told, otherwise
 * the first. */
static void
end_for(struct match *match, const struct error *why)
{
	struct error *first = &match->report->why;

	if (first->kind == ERROR_NONE ||
	    (first->kind != ERROR_MACHINE && why->kind == ERROR_MACHINE))
		*first = *why;
	if (why->kind == ERROR_MACHINE)
		stop(match, ABORT_MACHINE);
	match->stopping = true;
	wake(match);
}

static void
machine_failed(struct match *match, const char *why)
{
	struct error error;

	error_set(&error, ERROR_MACHINE, "%s", why);
	end_for(match, &error);
}

/* The first lets games be aborted and recorded; who sends a second does not
 * want to wait for that.  The workers end the bots. */
static void
on_signal(evutil_socket_t number, short what UNUSED, void *arg)
{
	struct match *match = arg;

	if (match->report->signal != 0) {
		signal(number, SIG_DFL);
		raise(number);
	}
	match->report->signal = number;
	stop(match, ABORT_INTERRUPTED);
}

/* ---- a game ends ------------------------------------------------------ */

static struct run *
find(const struct match *match, uint64_t number)
{
	struct run *run = match->runs;

	while (run != NULL && run->number != number)
		run = run->next;
	return run;
}

static void
count_faults(struct match *match, const struct match_result *result,
	     const struct run *run)
{
	const struct match_setup *setup = match->setup;
	struct match_faults *faults = match->report->faults;
	const uint64_t number = result->number;

	if (run == NULL) {
		match_faults_add(
			faults, number, result->bot,
			&match_resume_find(setup->resume, number)->faults);
		return;
	}
	match_faults_add(faults, number, result->bot, run->job.body);
	match_slips_add(faults, number, result->bot, setup->game.seats,
			&run->result.outcome);
}

/* `run` NULL: it was there already. */
static void
tell_result(struct match *match, const struct match_result *result,
	    const struct run *run)
{
	const struct match_setup *setup = match->setup;
	struct match_report *report = match->report;

	if (result->counts) {
		report->games++;
		report->known += result->known;
		report->turns += result->turns;
		standings_add(match->standings, result);
		if (match->blocks != NULL)
			gain_add(match->blocks, result);
		count_faults(match, result, run);
	}
	report->last = result->number;
	if (setup->source.hear != NULL)
		setup->source.hear(setup->source.arg, result);
	match->enough = setup->rule.enough != NULL &&
			setup->rule.enough(setup->rule.arg, result);
}

static void
run_free(struct run *run)
{
	LIST_CUT(run);
	text_release(&run->job.header);
	job_result_release(&run->result);
	free(run);
}

/* All results that are there in order. */
static void
tell_results(struct match *match)
{
	struct match_result result;
	struct run *run;

	while (in_order_take(&match->order, &result)) {
		run = find(match, result.number);
		if (!match->enough)
			tell_result(match, &result, run);
		if (run != NULL)
			run_free(run);
	}
}

static void
fill_result(const struct run *run, struct match_result *result)
{
	const struct table_outcome *outcome = &run->result.outcome;

	result->counts = true;
	result->known = run->job.counted;
	memcpy(result->place, outcome->place, sizeof(result->place));
	memcpy(result->points, outcome->points, sizeof(result->points));
	memcpy(result->faults, outcome->faults, sizeof(result->faults));
	memcpy(result->retired, outcome->retired, sizeof(result->retired));
	result->turns = outcome->turns;
}

/* It is over; the run may be gone now. */
static void
end_run(struct match *match, struct run *run, bool counts)
{
	struct match_result result = { .number = run->number };
	const struct match_setup *setup = match->setup;
	const uint64_t number = run->number;

	memcpy(result.bot, run->game.bot, sizeof(result.bot));
	if (counts)
		fill_result(run, &result);
	run->ended = true;
	in_order_add(&match->order, &result);
	if (setup->duplicate && setup->records != NULL &&
	    in_order_is_whole(&match->order, number)) {
		match->publishing++;
		match_publish(setup->writer, setup->records, setup->seed,
			      setup->game.seats, number);
	}
	tell_results(match);
	wake(match);
}

static void
hear_seat(struct match *match, uint64_t number, unsigned bot, unsigned seat,
	  const struct fault_note *note, const struct job_end *end)
{
	struct error why;

	if (match_seat_hear(&match->seats, number, bot, seat, note, end, &why) <
	    0)
		end_for(match, &why);
}

/* What the end of the programs says of the match. */
static void
hear_ends(struct match *match, const struct run *run)
{
	const struct job_result *result = &run->result;
	const int s = result->not_started;
	struct error why;
	unsigned i;

	if (result->machine)
		machine_failed(match, result->why);
	if (s >= 0) {
		match_seat_not_started(&match->setup->bot[run->game.bot[s]],
				       result->end[s].error, &why);
		end_for(match, &why);
	}
	for (i = 0; i < match->setup->game.seats; i++)
		if (match->setup->bot[run->game.bot[i]].builtin == NULL)
			hear_seat(match, run->number, run->game.bot[i], i,
				  fault_notes_first(&result->faults, i),
				  &result->end[i]);
}

/* With whatever was charged to a bot that never ran, it is no game; nor is one
 * that has not begun, or that will be played when the match is resumed. */
static bool
is_no_game(const struct match *match, const struct job_result *result)
{
	return result->header.used == 0 ||
	       (result->outcome.aborted == ABORT_NONE
			? result->not_started >= 0
			: match->setup->resume != NULL);
}

static void
on_over(void *arg, struct job_result *result)
{
	struct match *match = arg;
	struct run *run = find(match, result->number);

	if (run == NULL)
		bug("a result of a game that is none");
	job_result_move(&run->result, result);
	match->running--;
	ahead_started(&match->ahead, clock_us() - run->began_us);
	hear_ends(match, run);
	if (is_no_game(match, &run->result)) {
		workers_receipt(match->workers, run->number, NULL);
		end_run(match, run, false);
	} else {
		kept_job(&run->setup, &run->result, run->number, &run->job);
		match->writing++;
		writer_submit(match->setup->writer, &run->job);
		wake(match);
	}
}

static void
on_ended(void *arg, uint64_t number, unsigned seat, uint32_t bot,
	 const struct job_end *end)
{
	hear_seat(arg, number, bot, seat, NULL, end);
}

static void
tell_file(struct match *match, const struct run *run)
{
	char file[LADDER_FILE_BYTES];
	unsigned s;

	if (run->job.failed)
		return;
	writer_file_name(match->setup->writer, &run->job, file);
	for (s = 0; s < match->setup->game.seats; s++)
		match_trouble_kept(&match->report->trouble[run->game.bot[s]],
				   run->number, file);
}

static void
on_written(struct run *run)
{
	struct match *match = run->match;

	match->writing--;
	if (run->job.failed || run->job.unrated)
		machine_failed(match, run->job.why.text);
	tell_file(match, run);
	workers_receipt(match->workers, run->number,
			run->job.failed ? NULL : run->job.hash);
	end_run(match, run, !run->job.failed && !run->job.aborted);
}

static void
on_published(struct match *match, struct writer_job *job)
{
	match->publishing--;
	if (job->failed)
		machine_failed(match, job->why.text);
	free(job);
	wake(match);
}

static void
on_writer(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct match *match = arg;
	struct writer_job *job;

	while ((job = writer_done(match->setup->writer)) != NULL)
		if (job->run != NULL)
			on_published(match, job);
		else
			on_written(ENCLOSING(job, struct run, job));
}

/* ---- workers ---------------------------------------------------------- */

static void
say(struct match *match, const char *sentence)
{
	if (match->setup->progress)
		progress_erase();
	note("%s", sentence);
}

/* Two workers have died of this game. */
static void
on_parked(void *arg, uint64_t number)
{
	struct match *match = arg;
	struct run *run = find(match, number);
	struct text names;
	unsigned s;

	if (run == NULL)
		bug("a game is parked that is none");
	match->running--;
	if (!match->stopping) {
		text_init(&names, SEATS_MAX * (NAME_BYTES + 2));
		for (s = 0; s < match->setup->game.seats; s++)
			text_fmt(&names, "%s%s", s > 0 ? ", " : "",
				 match->setup->bot[run->game.bot[s]].name);
		match->report->parked++;
		if (match->setup->progress)
			progress_erase();
		note("game %" PRIu64 " is not played: %d worker processes "
		     "were lost with it; its bots: %s",
		     number, WORKER_LOSSES, text_string(&names));
		text_release(&names);
	}
	end_run(match, run, false);
}

static void
on_lost(void *arg, const char *sentence)
{
	say(arg, sentence);
}

/* A game that is on its table still; or NULL. */
static struct run *
running(const struct match *match)
{
	struct run *run = match->runs;

	while (run != NULL && (run->ended || run->job.body != NULL))
		run = run->next;
	return run;
}

static void
on_workers_failed(void *arg, const char *why)
{
	struct match *match = arg;
	struct run *run;

	machine_failed(match, why);
	while ((run = running(match)) != NULL) {
		match->running--;
		end_run(match, run, false);
	}
}

static void
on_finished(void *arg)
{
	struct match *match = arg;

	match->loop.stop = match->writing == 0 && match->publishing == 0;
}

static const struct workers_calls workers_calls = {
	.over = on_over,
	.ended = on_ended,
	.parked = on_parked,
	.lost = on_lost,
	.failed = on_workers_failed,
	.finished = on_finished,
};

/* ---- a game begins ---------------------------------------------------- */

static void
start_game(struct match *match, const struct match_game *game)
{
	struct run *run = zeroed(1, sizeof(*run));
	struct job job;

	run->match = match;
	run->number = match->started;
	run->began_us = clock_us();
	run->game = *game;
	job_result_init(&run->result);
	match_job(match->setup, run->number, game, &job);
	run->setup = job.setup;
	LIST_PUT(match->runs, run);
	match->running++;
	workers_play(match->workers, &job);
}

static bool
may_reuse(struct match *match)
{
	return !match->reuses || ahead_may_begin(&match->ahead, match->running,
						 match->writing, clock_us());
}

/* No more games begin, but those of a block that has begun. */
static bool
has_enough(const struct match *match)
{
	return match->enough && match->started % match->order.unit == 0;
}

static bool
may_start(struct match *match)
{
	const struct match_setup *setup = match->setup;
	const unsigned ahead = setup->rule.ends ? AHEAD_RULE_MAX : AHEAD_MAX;

	return !match->stopping && !match->ended && !has_enough(match) &&
	       match->started < setup->games && match->running < setup->jobs &&
	       match->started - match->order.taken < setup->jobs + ahead &&
	       match->writing < WRITING_MAX && may_reuse(match);
}

/* Starts the game, or tells its result if it is there already. */
static void
take_game(struct match *match, const struct match_game *game)
{
	const struct match_done *done =
		match_resume_find(match->setup->resume, ++match->started);
	struct error why;

	if (done == NULL) {
		start_game(match, game);
		return;
	}
	if (memcmp(done->result.bot, game->bot,
		   match->setup->game.seats * sizeof(*game->bot)) != 0) {
		error_set(&why, ERROR_INPUT,
			  "game %" PRIu64 " in %s has other bots than this "
			  "match gives it; remove its record to have the game "
			  "played again",
			  match->started, quoted(match->setup->records).text);
		end_for(match, &why);
		return;
	}
	in_order_add(&match->order, &done->result);
	tell_results(match);
}

/* False: not now. */
static bool
next_game(struct match *match)
{
	const struct match_source *source = &match->setup->source;
	struct match_game game;
	enum match_next next =
		source->next(source->arg, match->started + 1, &game);

	if (next == MATCH_WAIT && match->runs == NULL)
		bug("the source of games waits for no game");
	match->ended = next == MATCH_END;
	if (next == MATCH_GAME)
		take_game(match, &game);
	return next == MATCH_GAME;
}

/* Of a block that will not be over no result is told. */
static void
drop_runs(struct match *match)
{
	while (match->runs != NULL)
		run_free(match->runs);
}

static void
start_games(struct loop_task *task)
{
	struct match *match = ENCLOSING(task, struct match, start_task);

	if (match->reuses) {
		ahead_settle(&match->ahead, clock_us());
		workers_share(match->workers, match->ahead.sets);
	}
	while (may_start(match) && next_game(match))
		continue;
	if (match->running == 0 && match->writing == 0 &&
	    (match->stopping || match->ended))
		drop_runs(match);
	if (match->runs == NULL && match->publishing == 0 &&
	    !match->finishing &&
	    (match->stopping || match->ended || has_enough(match) ||
	     match->started == match->setup->games)) {
		match->finishing = true;
		workers_finish(match->workers);
	}
}

/* ---- the match -------------------------------------------------------- */

static void
on_progress(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct match *match = arg;
	const struct match_rule *rule = &match->setup->rule;
	char more[PROGRESS_BYTES] = "";

	if (rule->tell != NULL)
		rule->tell(rule->arg, more, sizeof(more));
	progress_draw(match->report->games,
		      rule->ends ? 0 : match->setup->games,
		      clock_us() - match->began_us, more);
}

static void
open_events(struct match *match)
{
	static const int signals[] = { SIGINT, SIGTERM };
	struct event_base *base = match->loop.base;

	match->writer_event = loop_reads(base, writer_fd(match->setup->writer),
					 on_writer, match);
	loop_signals(base, match->signal_event, signals, NELEM(signals),
		     on_signal, match);
	if (match->setup->progress)
		match->progress_event =
			loop_every(base, PROGRESS_US, on_progress, match);
}

static void
close_events(struct match *match)
{
	unsigned i;

	event_free(match->writer_event);
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

/* One for each processor, as far as there are games for them. */
static struct workers *
open_workers(struct match *match)
{
	const struct match_setup *setup = match->setup;
	struct workers_setup workers = { .count = workers_count(),
					 .jobs = setup->jobs + setup->ahead,
					 .pin = setup->pin };

	if (workers.count > setup->jobs)
		workers.count = setup->jobs;
	return workers_new(&match->loop, &workers, &workers_calls, match,
			   &match->report->why);
}

static void
play(struct match *match)
{
	match->workers = open_workers(match);
	if (match->workers == NULL)
		return;
	open_events(match);
	wake(match);
	loop_run(&match->loop);
	close_events(match);
	workers_free(match->workers);
}

/* What the games after the last one that counts had to explain. */
static void
forget_later(const struct match *match)
{
	struct match_report *report = match->report;

	for (unsigned b = 0; match->enough && b < report->bots; b++) {
		if (report->trouble[b].game <= report->last)
			continue;
		match_trouble_release(&report->trouble[b]);
		memset(&report->trouble[b], 0, sizeof(report->trouble[b]));
	}
}

static struct match_standing *
make_standings(const struct match *match)
{
	const struct match_source *source = &match->setup->source;
	unsigned order[BOTS_MAX];

	if (source->order != NULL)
		source->order(source->arg, order);
	return standings_make(match->standings,
			      source->order != NULL ? order : NULL);
}

void
match_play(const struct match_setup *setup, struct match_report *report)
{
	struct match match = { .setup = setup, .report = report };

	memset(report, 0, sizeof(*report));
	if (loop_init(&match.loop) < 0) {
		error_set(&report->why, ERROR_MACHINE,
			  "cannot make an event loop: %m");
		return;
	}
	report->faults = zeroed(setup->bots, sizeof(*report->faults));
	report->trouble = zeroed(setup->bots, sizeof(*report->trouble));
	report->bots = setup->bots;
	match.order.unit = setup->duplicate ? setup->game.seats : 1;
	match.standings = standings_new(setup->bots, setup->game.seats);
	if (setup->duplicate) {
		standings_use_blocks(match.standings);
		match.blocks = gain_new(setup->game.seats);
	}
	match.start_task.run = start_games;
	match.reuses = match_reuses(setup);
	ahead_init(&match.ahead, setup->jobs, setup->ahead);
	match.seats.setup = setup;
	match.seats.report = report;
	match.seats.complaints.progress = setup->progress;
	match.began_us = clock_us();
	play(&match);
	report->seconds = (double)(clock_us() - match.began_us) / 1e6;
	report->standing = make_standings(&match);
	forget_later(&match);
	report->gain = gain_make(match.blocks);
	gain_free(match.blocks);
	standings_free(match.standings);
	in_order_release(&match.order);
	loop_release(&match.loop);
}

void
match_report_release(struct match_report *report)
{
	unsigned b;

	free(report->standing);
	report->standing = NULL;
	free(report->faults);
	report->faults = NULL;
	for (b = 0; b < report->bots; b++)
		match_trouble_release(&report->trouble[b]);
	free(report->trouble);
	report->trouble = NULL;
}
