/* referee/match/match.c - keeps as many games running as were asked for, and
 * tells their results in order.
 *
 * A game is a struct run.  play_game() gives it to the workers, on_over() hears
 * that it is over, on_written() that its record is safe.  From end_run() until its
 * result is told it is in match->played.
 *
 * The workers play the games, the writer keeps them, and in between only the
 * loop works. */
#include "referee/match/match.h"

#include <errno.h>
#include <event2/event.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "referee/base/command.h"
#include "referee/base/progress.h"
#include "referee/match/ahead.h"
#include "referee/match/in-order.h"
#include "referee/match/match-faults.h"
#include "referee/match/match-job.h"
#include "referee/match/match-trouble.h"
#include "referee/records/replay-wrote.h"
#include "referee/runner/complaints.h"
#include "referee/runner/job.h"
#include "referee/runner/kept.h"
#include "referee/runner/workers.h"
#include "referee/sandbox/program-exec.h"

/* Most games that may wait for the writer, beside those that run. */
#define WRITING_MAX 256
/* Most games that may have begun since the oldest one whose result is not told,
 * beside those that run.  They bound the results that are held back, and the
 * games that are played for nothing if a rule may end the match. */
#define AHEAD_MAX 1024
#define AHEAD_RULE_MAX 32

/* A game, from its job until its result is told. */
struct run {
	struct match *match;
	struct run *next, **prev;
	uint64_t number;
	uint64_t began_us;
	struct match_game game; /* its bots by seat */
	struct table_setup setup;
	struct writer_task task;
	struct job_result result; /* without the header, if there is a record */
	bool held;		  /* waits until its block is over */
};

struct match {
	const struct match_setup *setup;
	struct match_report *report;
	struct loop loop;
	struct timer progress_timer;
	struct event *signal_event[LOOP_END_SIGNALS];
	size_t signals;
	struct workers *workers;
	struct event *writer_event;
	struct run *runs;   /* games that have not ended */
	struct run *played; /* their results are not told yet */
	/* Games being played; over and with the writer; over but held until the
	 * block is over. */
	unsigned running, writing, holding;
	uint64_t begun; /* the last game that was played or was there already */
	struct in_order order;
	struct standings *standings;
	struct gain_blocks *blocks; /* NULL: no duplicate deals */
	struct complaints complaints;
	struct loop_task start_task;
	uint64_t started; /* games begun, so the number of the last one */
	bool reuses;
	struct ahead ahead; /* used if `reuses` */
	uint64_t began_us;
	bool ended;    /* the source has no other game */
	bool enough;   /* the rule ends the match: later results are not told */
	bool stopping; /* begin no more games */
	bool finishing; /* workers_finish() was called */
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

/* Ends the match for this error.  The games that run are played to their ends,
 * unless the machine fails.  The report gets the first error of the machine, or
 * if there is none the first error. */
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

/* The first signal lets games be aborted and recorded; a second one does not
 * wait for that.  The workers end the bots. */
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
find(struct run *run, uint64_t number)
{
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
	match_faults_add(faults, number, result->bot, &run->result.body);
	match_slips_add(faults, number, result->bot, setup->game.seats,
			&run->result.outcome);
}

/* Tells a result to the report, the source and the rule.  `run` is NULL if
 * the game was there already. */
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
		fit_game(report->fit, setup->game.seats, result->bot,
			 result->place,
			 setup->duplicate ? (uint32_t)((result->number - 1) /
						       setup->game.seats)
					  : FIT_ALONE);
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
drop(struct run *run)
{
	LIST_CUT(run);
	text_release(&run->task.header);
	job_result_release(&run->result);
	free(run);
}

/* Tells all results that are next in the order of their numbers. */
static void
tell_results(struct match *match)
{
	struct match_result result;
	struct run *run;

	while (in_order_take(&match->order, &result)) {
		run = find(match->played, result.number);
		if (!match->enough)
			tell_result(match, &result, run);
		if (run != NULL)
			drop(run);
	}
}

static void
fill_result(const struct run *run, struct match_result *result)
{
	const struct table_outcome *outcome = &run->result.outcome;

	result->counts = true;
	result->known = run->task.counted;
	memcpy(result->place, outcome->place, sizeof(result->place));
	memcpy(result->points, outcome->points, sizeof(result->points));
	memcpy(result->faults, outcome->faults, sizeof(result->faults));
	memcpy(result->retired, outcome->retired, sizeof(result->retired));
	result->turns = outcome->turns;
}

/* The game counts if it was recorded, and not aborted. */
static void
end_run(struct run *run, bool counts)
{
	struct match *match = run->match;
	struct match_result result = { .number = run->number };

	LIST_CUT(run);
	memcpy(result.bot, run->game.bot, sizeof(result.bot));
	if (counts)
		fill_result(run, &result);
	LIST_PUT(match->played, run);
	in_order_add(&match->order, &result);
	tell_results(match);
	wake(match);
}

static void
on_written(struct writer_task *task)
{
	struct run *run = ENCLOSING(task, struct run, task);
	struct match *match = run->match;
	char file[LADDER_FILE_BYTES];

	match->writing--;
	if (task->failed || task->behind)
		machine_failed(match, task->why.text);
	if (!task->failed) {
		writer_file_name(task, file);
		for (unsigned s = 0; s < match->setup->game.seats; s++)
			match_trouble_kept(
				&match->report->trouble[run->game.bot[s]],
				run->number, file);
	}
	workers_receipt(match->workers, run->number,
			task->failed ? NULL : task->hash);
	end_run(run, !task->failed && !task->aborted);
}

static void
on_writer(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	const struct match *match = arg;

	writer_tell(match->setup->writer);
}

/* ---- blocks ------------------------------------------------------------ */

/* The secret in the record of one game tells the cards of its whole block.  So
 * no bot hears of the end of a game of a block, and no file has the record,
 * before the last game of the block is over. */

static uint64_t
block_of(const struct match *match, uint64_t number)
{
	return (number - 1) / match->setup->game.seats;
}

/* Gives the held games of this block, or of all blocks if it is NULL, to the
 * writer as one group in the order of their numbers.  The list has the newest
 * first. */
static void
let_go(struct match *match, const uint64_t *block)
{
	struct thread_task *tasks = NULL;
	struct run *run;

	for (run = match->runs; run != NULL; run = run->next) {
		if (!run->held ||
		    (block != NULL && block_of(match, run->number) != *block))
			continue;
		run->held = false;
		match->holding--;
		match->writing++;
		run->task.waits.next = tasks;
		tasks = &run->task.waits;
	}
	if (tasks != NULL)
		writer_submit_all(match->setup->writer,
				  (struct writer_task *)tasks);
}

/* Gives the games of the block to the writer if the last of them has begun and
 * none is being played. */
static void
end_block(struct match *match, uint64_t number)
{
	const uint64_t block = block_of(match, number);
	const struct run *run;

	if (block_of(match, match->begun + 1) == block)
		return;
	for (run = match->runs; run != NULL; run = run->next)
		if (block_of(match, run->number) == block && !run->held &&
		    run->task.body == NULL)
			return;
	let_go(match, &block);
}

/* ---- a game is over ---------------------------------------------------- */

/* Ends the match because a bot's program could not be started with the errno
 * `error`. */
static void
end_not_started(struct match *match, const struct match_bot *bot, int error)
{
	struct error end;
	char why[512];

	if (bot->box.tier > SANDBOX_NONE &&
	    (error == ENOENT || error == EACCES || error == ENOTDIR))
		snprintf(why, sizeof(why),
			 "%s: %s in the sandbox, which shows the system and "
			 "the folders of the files that the command line names "
			 "(--sandbox off goes without)",
			 quoted(bot->argv[0]).text, strerror(error));
	else if (bot->folder != NULL || bot->box.tier > SANDBOX_NONE ||
		 spawner_program_ok(bot->argv[0], why, sizeof(why)))
		snprintf(why, sizeof(why), "%s: %s", quoted(bot->argv[0]).text,
			 program_exec_words(error));
	error_set(&end, ERROR_INPUT, "bot %s cannot be started: %s", bot->name,
		  why);
	end_for(match, &end);
}

static int
keep_stderr(const struct match_setup *setup, uint64_t number, unsigned bot,
	    unsigned seat, const struct job_end *end, struct error *why)
{
	if (setup->stderr_dir == NULL || setup->bot[bot].builtin != NULL ||
	    replay_wrote_keep(setup->stderr_dir, number, seat,
			      setup->bot[bot].name, &end->complaint,
			      end->wrote_from) == 0)
		return 0;
	return error_set(why, ERROR_MACHINE,
			 "cannot keep the standard error of a bot in %s: %m",
			 quoted(setup->stderr_dir).text);
}

/* The program of bot number `bot` has ended, or lives on and game `number` is
 * over.  `note` is its first fault in that game, or NULL.  Prints what is worth
 * telling, keeps it for the report, and ends the match if it must end for that. */
static void
hear_seat(struct match *match, uint64_t number, unsigned bot, unsigned seat,
	  const struct fault_note *note, const struct job_end *end)
{
	const struct match_setup *setup = match->setup;
	struct match_report *report = match->report;
	struct match_trouble *trouble = &report->trouble[bot];
	const char *name = setup->bot[bot].name;
	struct error why;

	complaints_hear(&match->complaints, name, bot, number, seat, end);
	match_trouble_hear(trouble, number, seat, note, end);
	if (keep_stderr(setup, number, bot, seat, end, &why) < 0) {
		end_for(match, &why);
	} else if (report->why.kind == ERROR_NONE && !setup->goes_on &&
		   match_trouble_is_silent(trouble, setup->games)) {
		match_trouble_silent(trouble, name, &why);
		report->never_began = true;
		end_for(match, &why);
	}
}

/* Ends the match if the end of a game's programs demands it, and keeps what
 * they said. */
static void
hear_ends(struct match *match, const struct run *run)
{
	const struct job_result *result = &run->result;
	const int s = result->not_started;

	if (result->machine)
		machine_failed(match, result->why);
	if (s >= 0)
		end_not_started(match, &match->setup->bot[run->game.bot[s]],
				result->end[s].error);
	for (unsigned i = 0; i < match->setup->game.seats; i++)
		if (match->setup->bot[run->game.bot[i]].builtin == NULL)
			hear_seat(match, run->number, run->game.bot[i], i,
				  fault_notes_first(&result->faults, i),
				  &result->end[i]);
}

/* Returns true for a game with a bot that never ran, whatever that bot was
 * charged with; for a game that has not begun; and for an aborted game that
 * will be played when the match is resumed. */
static bool
is_no_game(const struct match *match, const struct job_result *result)
{
	return result->header.used == 0 ||
	       (result->outcome.aborted == ABORT_NONE
			? result->not_started >= 0
			: match->setup->resume != NULL);
}

/* Returns a game of the workers. */
static struct run *
running(const struct match *match, uint64_t number)
{
	struct run *run = find(match->runs, number);

	if (run == NULL)
		bug("a game of the workers is not in the match");
	return run;
}

static void
on_over(void *arg, struct job_result *result)
{
	struct match *match = arg;
	struct run *run = running(match, result->number);

	job_result_move(&run->result, result);
	match->running--;
	ahead_started(&match->ahead, clock_us() - run->began_us);
	hear_ends(match, run);
	wake(match);
	if (is_no_game(match, &run->result)) {
		workers_receipt(match->workers, run->number, NULL);
		end_run(run, false);
		return;
	}
	kept_task(&run->setup, &run->result, run->number, &run->task);
	run->task.done = on_written;
	if (match->setup->duplicate) {
		run->held = true;
		match->holding++;
		end_block(match, run->number);
	} else {
		match->writing++;
		writer_submit(match->setup->writer, &run->task);
	}
}

static void
on_left(void *arg, uint64_t number, unsigned seat, uint32_t bot,
	const struct job_end *end)
{
	hear_seat(arg, number, bot, seat, NULL, end);
}

static void
tell_parked(struct match *match, const struct run *run)
{
	struct text names = { .max = SEATS_MAX * (NAME_BYTES + 2) };

	for (unsigned s = 0; s < match->setup->game.seats; s++)
		text_fmt(&names, "%s%s", s > 0 ? ", " : "",
			 match->setup->bot[run->game.bot[s]].name);
	match->report->parked++;
	if (match->setup->progress)
		progress_erase();
	note("game %" PRIu64 " is not played: %d worker processes "
	     "were lost with it; its bots: %s",
	     run->number, WORKER_LOSSES, text_string(&names));
	text_release(&names);
}

static void
on_parked(void *arg, uint64_t number)
{
	struct match *match = arg;
	struct run *run = running(match, number);

	match->running--;
	if (!match->stopping)
		tell_parked(match, run);
	end_run(run, false);
	if (match->setup->duplicate)
		end_block(match, number);
}

static void
on_lost(void *arg, const char *sentence)
{
	const struct match *match = arg;

	if (match->setup->progress)
		progress_erase();
	note("%s", sentence);
}

/* Returns a game that is still being played, or NULL. */
static struct run *
on_table(const struct match *match)
{
	struct run *run = match->runs;

	while (run != NULL && run->task.body != NULL)
		run = run->next;
	return run;
}

static void
on_failed(void *arg, const char *why)
{
	struct match *match = arg;
	struct run *run;

	machine_failed(match, why);
	while ((run = on_table(match)) != NULL) {
		match->running--;
		end_run(run, false);
	}
}

static void
on_finished(void *arg)
{
	struct match *match = arg;

	match->loop.stop = match->writing == 0;
}

static const struct workers_calls workers_calls = {
	.over = on_over,
	.ended = on_left,
	.parked = on_parked,
	.lost = on_lost,
	.failed = on_failed,
	.finished = on_finished,
};

/* ---- a game begins ---------------------------------------------------- */

static bool
may_reuse(struct match *match)
{
	return !match->reuses || ahead_may_begin(&match->ahead, match->running,
						 match->writing, clock_us());
}

/* Returns true if no game runs and none waits to be kept. */
static bool
is_idle(const struct match *match)
{
	return match->running == 0 && match->holding == 0 &&
	       match->writing == 0;
}

/* Returns true if no more games begin.  A block that has begun is played to its
 * end. */
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

static void
play_game(struct match *match, uint64_t number, const struct match_game *game)
{
	struct run *run = zeroed(1, sizeof(*run));
	struct job job;

	run->match = match;
	run->began_us = clock_us();
	run->number = number;
	run->game = *game;
	job_result_init(&run->result);
	match_job(match->setup, number, game, &job);
	run->setup = job.setup;
	LIST_PUT(match->runs, run);
	match->begun = number;
	match->running++;
	workers_play(match->workers, &job);
}

/* Starts the game, or tells its result if it is there already. */
static void
take_game(struct match *match, const struct match_game *game)
{
	const struct match_done *done =
		match_resume_find(match->setup->resume, ++match->started);
	struct error why;

	if (done == NULL) {
		play_game(match, match->started, game);
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
	match->begun = match->started;
	if (match->setup->duplicate)
		end_block(match, match->started);
	tell_results(match);
}

/* Takes the next game from the source.  Returns false if there is none now. */
static bool
next_game(struct match *match)
{
	const struct match_source *source = &match->setup->source;
	struct match_game game;
	enum match_next next =
		source->next(source->arg, match->started + 1, &game);

	if (next == MATCH_WAIT && is_idle(match) && match->played == NULL)
		bug("the source of games waits for no game");
	match->ended = next == MATCH_END;
	if (next == MATCH_GAME)
		take_game(match, &game);
	return next == MATCH_GAME;
}

/* No game runs and no other will begin.  The games of unfinished blocks are
 * written, or dropped if they will be played again. */
static void
end_blocks(struct match *match)
{
	struct run *run, *next;

	if (match->setup->resume == NULL)
		let_go(match, NULL);
	for (run = match->runs; run != NULL; run = next) {
		next = run->next;
		if (!run->held)
			continue;
		match->holding--;
		workers_receipt(match->workers, run->number, NULL);
		end_run(run, false);
	}
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
	if (match->running == 0 && match->holding > 0 &&
	    (match->stopping || match->ended))
		end_blocks(match);
	/* The block of these will not be over, so they cannot be told. */
	if (is_idle(match) && (match->stopping || match->ended))
		while (match->played != NULL)
			drop(match->played);
	if (is_idle(match) && match->played == NULL && !match->finishing &&
	    (match->stopping || match->ended || has_enough(match) ||
	     match->started == match->setup->games)) {
		match->finishing = true;
		workers_finish(match->workers);
	}
}

/* ---- the match -------------------------------------------------------- */

static void
on_progress(void *arg)
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
	match->signals = loop_end_signals(match->loop.base, match->signal_event,
					  on_signal, match);
	timer_init(&match->progress_timer, &match->loop.timers, on_progress,
		   match);
	if (match->setup->progress)
		timer_every(&match->progress_timer, PROGRESS_US);
	match->writer_event =
		loop_reads(match->loop.base, writer_fd(match->setup->writer),
			   on_writer, match);
}

static void
close_events(struct match *match)
{
	if (match->setup->progress) {
		timer_stop(&match->progress_timer);
		progress_erase();
	}
	for (size_t i = 0; i < match->signals; i++)
		event_free(match->signal_event[i]);
	event_free(match->writer_event);
}

bool
match_reuses(const struct match_setup *setup)
{
	for (unsigned b = 0; b < setup->bots; b++)
		if (setup->bot[b].reuse)
			return true;
	return false;
}

/* Starts a worker for each processor, but not more workers than games at a time. */
static void
play(struct match *match)
{
	const struct match_setup *setup = match->setup;
	struct workers_setup workers = { .count = workers_count(),
					 .jobs = setup->jobs + setup->ahead,
					 .pin = setup->pin };

	if (workers.count > setup->jobs)
		workers.count = setup->jobs;
	match->workers = workers_new(&match->loop, &workers, &workers_calls,
				     match, &match->report->why);
	if (match->workers == NULL)
		return;
	open_events(match);
	wake(match);
	loop_run(&match->loop);
	close_events(match);
	workers_free(match->workers);
}

/* Drops the troubles of games after the last one that the report tells of. */
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

static struct fit *
make_fit(const struct match_setup *setup)
{
	struct fit *fit = fit_new();

	for (unsigned b = 0; b < setup->bots; b++)
		if (fit_bot(fit, setup->bot[b].name) != b)
			bug("two bots of a name");
	return fit;
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
	report->fit = make_fit(setup);
	match.order.unit = setup->duplicate ? setup->game.seats : 1;
	match.standings = standings_new(setup->bots, setup->game.seats);
	if (setup->duplicate) {
		standings_use_blocks(match.standings);
		match.blocks = gain_new(setup->game.seats);
	}
	match.start_task.run = start_games;
	match.reuses = match_reuses(setup);
	ahead_init(&match.ahead, setup->jobs, setup->ahead);
	match.complaints.progress = setup->progress;
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
	free(report->standing);
	report->standing = NULL;
	fit_free(report->fit);
	report->fit = NULL;
	free(report->faults);
	report->faults = NULL;
	for (unsigned b = 0; b < report->bots; b++)
		match_trouble_release(&report->trouble[b]);
	free(report->trouble);
	report->trouble = NULL;
}
