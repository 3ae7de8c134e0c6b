/* referee/match/match.c - keeps as many games running as were asked for, and
 * tells their results in order.
 *
 * A game runs in match-games.c; from its end until its result is told it is in
 * match->played. */
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
#include "referee/match/match-games.h"
#include "referee/match/match-seat.h"
#include "referee/match/match-trouble.h"
#include "referee/runner/job.h"
#include "referee/runner/workers.h"

/* Most games that may wait for the writer, beside those that run. */
#define WRITING_MAX 256
/* Most games that may have begun since the oldest one whose result is not told,
 * beside those that run.  They bound the results that are held back, and the
 * games that are played for nothing if a rule may end the match. */
#define AHEAD_MAX 1024
#define AHEAD_RULE_MAX 32

struct match {
	const struct match_setup *setup;
	struct match_report *report;
	struct loop loop;
	struct timer progress_timer;
	struct event *signal_event[LOOP_END_SIGNALS];
	size_t signals;
	struct match_games *games;
	struct match_played *played; /* their results are not told yet */
	struct in_order order;
	struct standings *standings;
	struct gain_blocks *blocks; /* NULL: no duplicate deals */
	struct match_seats seats;
	struct loop_task start_task;
	uint64_t started; /* games begun, so the number of the last one */
	bool reuses;
	struct ahead ahead; /* used if `reuses` */
	uint64_t began_us;
	bool ended;    /* the source has no other game */
	bool enough;   /* the rule ends the match: later results are not told */
	bool stopping; /* begin no more games */
	bool finishing; /* match_games_finish() was called */
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
	match_games_abort(match->games, why);
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
on_failed(void *match, const char *why)
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

static struct match_played *
find(const struct match *match, uint64_t number)
{
	struct match_played *played = match->played;

	while (played != NULL && played->number != number)
		played = played->next;
	return played;
}

static void
count_faults(struct match *match, const struct match_result *result,
	     const struct match_played *played)
{
	const struct match_setup *setup = match->setup;
	struct match_faults *faults = match->report->faults;
	const uint64_t number = result->number;

	if (played == NULL) {
		match_faults_add(
			faults, number, result->bot,
			&match_resume_find(setup->resume, number)->faults);
		return;
	}
	match_faults_add(faults, number, result->bot, &played->result.body);
	match_slips_add(faults, number, result->bot, setup->game.seats,
			&played->result.outcome);
}

/* Tells a result to the report, the source and the rule.  `played` is NULL if
 * the game was there already. */
static void
tell_result(struct match *match, const struct match_result *result,
	    const struct match_played *played)
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
		count_faults(match, result, played);
	}
	report->last = result->number;
	if (setup->source.hear != NULL)
		setup->source.hear(setup->source.arg, result);
	match->enough = setup->rule.enough != NULL &&
			setup->rule.enough(setup->rule.arg, result);
}

static void
drop(struct match_played *played)
{
	LIST_CUT(played);
	match_played_free(played);
}

/* Tells all results that are next in the order of their numbers. */
static void
tell_results(struct match *match)
{
	struct match_result result;
	struct match_played *played;

	while (in_order_take(&match->order, &result)) {
		played = find(match, result.number);
		if (!match->enough)
			tell_result(match, &result, played);
		if (played != NULL)
			drop(played);
	}
}

static void
fill_result(const struct match_played *played, struct match_result *result)
{
	const struct table_outcome *outcome = &played->result.outcome;

	result->counts = true;
	result->known = played->known;
	memcpy(result->place, outcome->place, sizeof(result->place));
	memcpy(result->points, outcome->points, sizeof(result->points));
	memcpy(result->faults, outcome->faults, sizeof(result->faults));
	memcpy(result->retired, outcome->retired, sizeof(result->retired));
	result->turns = outcome->turns;
}

static void
on_ended(void *arg, struct match_played *played)
{
	struct match *match = arg;
	struct match_result result = { .number = played->number };

	memcpy(result.bot, played->game.bot, sizeof(result.bot));
	if (played->counts)
		fill_result(played, &result);
	LIST_PUT(match->played, played);
	in_order_add(&match->order, &result);
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

/* Ends the match if the end of a game's programs demands it, and keeps what
 * they said. */
static void
hear_ends(struct match *match, const struct match_played *played)
{
	const struct job_result *result = &played->result;
	const int s = result->not_started;
	struct error why;

	if (result->machine)
		on_failed(match, result->why);
	if (s >= 0) {
		match_seat_not_started(&match->setup->bot[played->game.bot[s]],
				       result->end[s].error, &why);
		end_for(match, &why);
	}
	for (unsigned i = 0; i < match->setup->game.seats; i++)
		if (match->setup->bot[played->game.bot[i]].builtin == NULL)
			hear_seat(match, played->number, played->game.bot[i], i,
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

static bool
on_over(void *arg, const struct match_played *played, uint64_t us)
{
	struct match *match = arg;

	ahead_started(&match->ahead, us);
	hear_ends(match, played);
	wake(match);
	return !is_no_game(match, &played->result);
}

static void
on_left(void *arg, uint64_t number, unsigned bot, unsigned seat,
	const struct job_end *end)
{
	hear_seat(arg, number, bot, seat, NULL, end);
}

static void
on_kept(void *arg, const struct match_played *played,
	const char file[LADDER_FILE_BYTES])
{
	const struct match *match = arg;
	struct match_trouble *trouble = match->report->trouble;

	for (unsigned s = 0; s < match->setup->game.seats; s++)
		match_trouble_kept(&trouble[played->game.bot[s]],
				   played->number, file);
}

/* ---- workers ---------------------------------------------------------- */

static void
on_parked(void *arg, const struct match_played *played)
{
	struct match *match = arg;
	struct text names = { .max = SEATS_MAX * (NAME_BYTES + 2) };

	if (match->stopping)
		return;
	for (unsigned s = 0; s < match->setup->game.seats; s++)
		text_fmt(&names, "%s%s", s > 0 ? ", " : "",
			 match->setup->bot[played->game.bot[s]].name);
	match->report->parked++;
	if (match->setup->progress)
		progress_erase();
	note("game %" PRIu64 " is not played: %d worker processes "
	     "were lost with it; its bots: %s",
	     played->number, WORKER_LOSSES, text_string(&names));
	text_release(&names);
}

static void
on_lost(void *arg, const char *sentence)
{
	const struct match *match = arg;

	if (match->setup->progress)
		progress_erase();
	note("%s", sentence);
}

static void
on_finished(void *arg)
{
	struct match *match = arg;

	match->loop.stop = match_games_counts(match->games).writing == 0;
}

static const struct match_game_calls game_calls = {
	.over = on_over,
	.kept = on_kept,
	.parked = on_parked,
	.ended = on_ended,
	.left = on_left,
	.lost = on_lost,
	.failed = on_failed,
	.finished = on_finished,
};

/* ---- a game begins ---------------------------------------------------- */

static bool
may_reuse(struct match *match, struct match_games_counts count)
{
	return !match->reuses || ahead_may_begin(&match->ahead, count.running,
						 count.writing, clock_us());
}

/* Returns true if no game runs and none waits to be kept. */
static bool
is_idle(const struct match *match)
{
	const struct match_games_counts count =
		match_games_counts(match->games);

	return count.running == 0 && count.holding == 0 && count.writing == 0;
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
	const struct match_games_counts count =
		match_games_counts(match->games);

	return !match->stopping && !match->ended && !has_enough(match) &&
	       match->started < setup->games && count.running < setup->jobs &&
	       match->started - match->order.taken < setup->jobs + ahead &&
	       count.writing < WRITING_MAX && may_reuse(match, count);
}

/* Starts the game, or tells its result if it is there already. */
static void
take_game(struct match *match, const struct match_game *game)
{
	const struct match_done *done =
		match_resume_find(match->setup->resume, ++match->started);
	struct error why;

	if (done == NULL) {
		match_games_play(match->games, match->started, game);
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
	match_games_pass(match->games, match->started);
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

/* Drops the results that cannot be told because their block will not be over. */
static void
drop_played(struct match *match)
{
	while (match->played != NULL)
		drop(match->played);
}

static void
start_games(struct loop_task *task)
{
	struct match *match = ENCLOSING(task, struct match, start_task);
	struct match_games_counts count;

	if (match->reuses) {
		ahead_settle(&match->ahead, clock_us());
		match_games_share(match->games, match->ahead.sets);
	}
	while (may_start(match) && next_game(match))
		continue;
	count = match_games_counts(match->games);
	if (count.running == 0 && count.holding > 0 &&
	    (match->stopping || match->ended))
		match_games_end_blocks(match->games,
				       match->setup->resume == NULL);
	if (is_idle(match) && (match->stopping || match->ended))
		drop_played(match);
	if (is_idle(match) && match->played == NULL && !match->finishing &&
	    (match->stopping || match->ended || has_enough(match) ||
	     match->started == match->setup->games)) {
		match->finishing = true;
		match_games_finish(match->games);
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
}

bool
match_reuses(const struct match_setup *setup)
{
	for (unsigned b = 0; b < setup->bots; b++)
		if (setup->bot[b].reuse)
			return true;
	return false;
}

static void
play(struct match *match)
{
	match->games = match_games_new(&match->loop, match->setup, &game_calls,
				       match, &match->report->why);
	if (match->games == NULL)
		return;
	open_events(match);
	wake(match);
	loop_run(&match->loop);
	close_events(match);
	match_games_free(match->games);
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
