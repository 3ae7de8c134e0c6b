/* referee/serve/scheduler-game.c - one game of a scheduler, from its job until
 * its record is safe.
 *
 * It begins in scheduler_game_begin(), is over in on_over(), safe in
 * on_written(); what the disk refuses waits for scheduler_game_again(). */
#include "referee/serve/scheduler-inside.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "referee/table/bot.h"
#include "referee/table/deal.h"
#include "referee/runner/kept.h"
#include "referee/serve/local-bot.h"

void
scheduler_log(struct scheduler *scheduler, enum log_level level,
	      const char *event, const char *why)
{
	struct log_line line;

	log_begin(&line, scheduler->logger, level, event);
	log_str(&line, "ladder", scheduler->setup.name);
	log_str(&line, "why", why);
	log_end(&line);
}

/* ---- a game ends ------------------------------------------------------ */

static struct run *
of_game(struct dispatched *game)
{
	return ENCLOSING(game, struct run, game);
}

static void
run_free(struct run *run)
{
	LIST_CUT(run);
	text_release(&run->job.header);
	free(run);
}

/* How the game went for each seat, as far as the bench is concerned. */
static void
fill_ends(const struct run *run, enum pairing_end end[SEATS_MAX])
{
	unsigned s;

	for (s = 0; s < run->scheduler->setup.setup.seats; s++) {
		end[s] = PAIRING_FINE;
		if (run->game.result.outcome.retired[s])
			end[s] = PAIRING_RETIRED;
		if (run->lost[s])
			end[s] = PAIRING_CRASHED;
	}
}

static void
tell_seats(const struct run *run, bool seated)
{
	struct scheduler *scheduler = run->scheduler;
	const struct scheduler_calls *calls = scheduler->calls;
	struct participant *participant;

	for (unsigned s = 0; s < scheduler->setup.setup.seats; s++) {
		participant = run->participant[s];
		if (participant != NULL && seated)
			calls->seated(scheduler->arg, scheduler, participant);
		else if (participant != NULL)
			calls->changed(scheduler->arg, participant);
	}
}

static void
begin_line(struct log_line *line, const struct run *run, enum log_level level,
	   const char *event)
{
	log_begin(line, run->scheduler->logger, level, event);
	log_str(line, "ladder", run->scheduler->setup.name);
	log_str(line, "game", run->setup.deal.id);
}

/* Of the bot of seat `s`. */
static void
begin_bot(struct log_line *line, const struct run *run, unsigned s,
	  enum log_level level, const char *event)
{
	begin_line(line, run, level, event);
	log_str(line, "bot", run->setup.name[s]);
}

static void
log_game(const struct run *run, enum log_level level, const char *event,
	 const char *why)
{
	const struct scheduler *scheduler = run->scheduler;
	struct log_line line;
	char key[16];
	unsigned s;

	begin_line(&line, run, level, event);
	if (why != NULL)
		log_str(&line, "why", why);
	for (s = 0; s < scheduler->setup.setup.seats; s++) {
		snprintf(key, sizeof(key), "bot%u", s);
		log_str(&line, key, run->setup.name[s]);
		if (why != NULL)
			continue;
		snprintf(key, sizeof(key), "place%u", s);
		log_num(&line, key, run->game.result.outcome.place[s]);
	}
	log_end(&line);
}

/* What its bots told of their own mistakes. */
static void
log_slips(const struct run *run)
{
	static const char *const events[SLIPS] = {
		[SLIP_FALLBACK] = "bot-fallback",
		[SLIP_FAILED] = "bot-failed",
	};
	const struct scheduler *scheduler = run->scheduler;
	const struct seat_slip *slip;
	struct log_line line;
	unsigned s, i;

	for (s = 0; s < scheduler->setup.setup.seats; s++)
		for (i = 0; i < SLIPS; i++) {
			slip = &run->game.result.outcome.slip[s][i];
			if (slip->count == 0)
				continue;
			begin_bot(&line, run, s, LOG_LEVEL_WARN, events[i]);
			log_num(&line, "count", slip->count);
			log_str(&line, "why", slip->first);
			log_end(&line);
		}
}

/* Of the bot of a seat in this game. */
static void
log_bot(const struct run *run, unsigned s, const char *event, const char *kind,
	unsigned count)
{
	struct log_line line;

	begin_bot(&line, run, s, LOG_LEVEL_INFO, event);
	if (kind != NULL) {
		log_str(&line, "kind", kind);
		log_num(&line, "count", count);
	}
	log_end(&line);
}

/* Until when the bots of its seats are suspended. */
static void
note_suspensions(const struct run *run, uint64_t until_us[SEATS_MAX])
{
	struct pairing_bot_view view;
	unsigned s;

	for (s = 0; s < run->scheduler->setup.setup.seats; s++) {
		pairing_view(run->scheduler->pairing, run->paired.bot[s],
			     &view);
		until_us[s] = view.suspension.until_us;
	}
}

static void
log_suspended(const struct run *run, const uint64_t before[SEATS_MAX])
{
	struct scheduler *scheduler = run->scheduler;
	char why[PAIRING_SUSPENSION_BYTES];
	uint64_t after[SEATS_MAX];
	struct log_line line;
	unsigned s;

	note_suspensions(run, after);
	for (s = 0; s < scheduler->setup.setup.seats; s++) {
		if (after[s] == before[s] ||
		    !pairing_suspension_tell(scheduler->pairing,
					     run->paired.bot[s], clock_us(),
					     why))
			continue;
		begin_bot(&line, run, s, LOG_LEVEL_WARN, "suspended");
		log_str(&line, "why", why);
		log_end(&line);
	}
}

/* A ladder that takes one has taken those that waited. */
void
scheduler_count_rated(struct scheduler *scheduler, unsigned count)
{
	count += (unsigned)scheduler->counts.unrated;
	scheduler->counts.rated += count;
	scheduler->counts.games += count;
	scheduler->counts.unrated = 0;
}

static void
count_and_rate(struct run *run)
{
	struct scheduler *scheduler = run->scheduler;
	const struct ladder_game *game = &run->job.game;
	unsigned s;

	log_slips(run);
	if (run->job.aborted) {
		scheduler->counts.aborted++;
		log_game(run, LOG_LEVEL_INFO, "game-aborted",
			 abort_name(run->game.result.outcome.aborted));
		return;
	}
	if (run->job.refused)
		scheduler->counts.refused++;
	else if (run->job.unrated)
		scheduler->counts.unrated++;
	else
		scheduler_count_rated(scheduler, 1);
	for (s = 0; s < game->seats; s++) {
		if (!run->job.unrated)
			pairing_rate(scheduler->pairing, run->paired.bot[s],
				     game->seat[s].before_milli +
					     game->seat[s].delta_milli);
		if (!run->job.refused)
			fault_counts_add(&scheduler->faults,
					 (unsigned)run->paired.bot[s],
					 game->seat[s].faults);
	}
	log_game(run, LOG_LEVEL_INFO, "game-over", NULL);
}

/* What a bot told of its own mistakes: to its author, too. */
static void
tell_slips(const struct run *run)
{
	static const char *const what[SLIPS] = {
		[SLIP_FALLBACK] =
			"made the first legal move instead of its own",
		[SLIP_FAILED] = "failed elsewhere",
	};
	const struct scheduler *scheduler = run->scheduler;
	char sentence[FAULT_SENTENCE_BYTES];
	const struct seat_slip *slip;
	unsigned s, i;

	for (s = 0; s < scheduler->setup.setup.seats; s++)
		for (i = 0; i < SLIPS; i++) {
			slip = &run->game.result.outcome.slip[s][i];
			if (slip->count == 0)
				continue;
			snprintf(sentence, sizeof(sentence), "%s %s: %s",
				 what[i], counted(slip->count, "time").text,
				 slip->first);
			scheduler->calls->charged(scheduler->arg, run->bot[s],
						  run->setup.deal.id, s,
						  sentence);
		}
}

/* To the author alone, and not before the others have played to the end. */
static void
tell_charges(const struct run *run)
{
	const struct job_result *result = &run->game.result;
	const struct scheduler *scheduler = run->scheduler;
	char sentence[FAULT_SENTENCE_BYTES];
	const struct fault_note *note;
	unsigned i;

	tell_slips(run);
	for (i = 0; i < result->faults.count; i++) {
		note = &result->faults.note[i];
		fault_note_sentence(note, sentence);
		scheduler->calls->charged(scheduler->arg, run->bot[note->seat],
					  run->setup.deal.id, note->seat,
					  sentence);
	}
}

/* Its record is safe, or (NULL) never will be. */
static void
finish(struct run *run, const unsigned char *hash)
{
	struct scheduler *scheduler = run->scheduler;
	enum pairing_end end[SEATS_MAX];
	uint64_t before[SEATS_MAX];

	scheduler->counts.writing--;
	fill_ends(run, end);
	if (hash != NULL)
		count_and_rate(run);
	tell_charges(run);
	note_suspensions(run, before);
	pairing_ended(scheduler->pairing, &run->paired, end, !run->job.aborted,
		      clock_us());
	log_suspended(run, before);
	running_end(scheduler->at.running, run->setup.deal.id);
	dispatch_receipt(scheduler->dispatch, &run->game, hash);
	tell_seats(run, false);
	run_free(run);
	scheduler_wake(scheduler);
}

/* Nothing is lost: it is tried again, and meanwhile no game begins. */
static void
wait_for_disk(struct run *run)
{
	struct scheduler *scheduler = run->scheduler;

	scheduler->counts.failures++;
	scheduler->failing = true;
	run->failed = true;
	scheduler_log(scheduler, LOG_LEVEL_ERROR, "disk-fails",
		      run->job.why.text);
	loop_after_us(scheduler->retry, SCHEDULER_AGAIN_MS * 1000);
}

void
scheduler_game_again(struct scheduler *scheduler)
{
	struct run *run;

	scheduler->failing = false;
	writer_mend(scheduler->writer);
	for (run = scheduler->runs; run != NULL; run = run->next) {
		if (!run->failed)
			continue;
		run->failed = false;
		writer_submit(scheduler->writer, &run->job);
	}
	scheduler_wake(scheduler);
}

void
scheduler_on_retry(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	scheduler_game_again(arg);
}

/* There is no time left to wait for the disk. */
static void
give_up(struct run *run)
{
	struct scheduler *scheduler = run->scheduler;

	scheduler->counts.given_up++;
	scheduler_log(scheduler, LOG_LEVEL_ERROR, "disk-fails",
		      run->job.why.text);
	log_game(run, LOG_LEVEL_INFO, "game-lost", "disk");
	finish(run, NULL);
	scheduler_look_if_empty(scheduler);
}

static void
on_written(struct run *run)
{
	struct scheduler *scheduler = run->scheduler;

	if (run->job.failed && scheduler->hurried) {
		give_up(run);
		return;
	}
	if (run->job.failed) {
		wait_for_disk(run);
		return;
	}
	if (run->job.unrated) {
		/* The record is safe; the next game's rating takes it along. */
		scheduler->counts.ladder_failures++;
		scheduler_log(scheduler, LOG_LEVEL_ERROR, "ladder-fails",
			      run->job.why.text);
		writer_mend(scheduler->writer);
	}
	finish(run, run->job.hash);
	scheduler_look_if_empty(scheduler);
}

void
scheduler_on_writer(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct scheduler *scheduler = arg;
	struct writer_job *job;

	while ((job = writer_done(scheduler->writer)) != NULL) {
		if (job == &scheduler->ranking)
			scheduler_ranking_done(scheduler);
		else if (job == &scheduler->fit.job)
			scheduler_fit_done(scheduler);
		else if (job->run != NULL)
			scheduler_rebuild_done(scheduler);
		else
			on_written(ENCLOSING(job, struct run, job));
	}
}

/* What its bots were charged with, and who plays no further. */
static void
count_turns(struct run *run)
{
	const unsigned *faults;
	enum fault fault;
	unsigned s;

	run->scheduler->counts.turns += run->game.result.outcome.turns;
	for (s = 0; s < run->scheduler->setup.setup.seats; s++) {
		faults = run->job.game.seat[s].faults;
		for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++) {
			run->scheduler->counts.faults[fault] += faults[fault];
			if (faults[fault] > 0)
				log_bot(run, s, "fault", fault_name(fault),
					faults[fault]);
		}
		if (run->game.result.outcome.retired[s])
			log_bot(run, s, "retired", NULL, 0);
	}
}

/* ---- a game that is none ---------------------------------------------- */

/* The pairing has taken a game of theirs away, which did not begin.  Remote
 * bots are offered again by tell_changed() whatever has changed. */
static void
give_back(const struct run *run)
{
	struct scheduler *scheduler = run->scheduler;
	unsigned s;

	for (s = 0; s < scheduler->setup.setup.seats; s++)
		if (run->participant[s] != NULL &&
		    participant_local_bot(run->participant[s]) != NULL)
			(void)!scheduler_sit(scheduler, run->participant[s]);
}

/* As if its bots had not been paired.  No game begins for a while. */
static void
call_off(struct run *run)
{
	const enum pairing_end fine[SEATS_MAX] = { PAIRING_FINE };
	struct scheduler *scheduler = run->scheduler;

	scheduler->counts.running--;
	scheduler->calm_us = clock_us() + SCHEDULER_AGAIN_MS * 1000;
	pairing_ended(scheduler->pairing, &run->paired, fine, false,
		      clock_us());
	running_end(scheduler->at.running, run->setup.deal.id);
	give_back(run);
	tell_seats(run, false);
	run_free(run);
	scheduler_wake(scheduler);
}

/* Its bots could not be seated. */
static void
not_begun(struct run *run)
{
	const struct job_result *result = &run->game.result;
	struct scheduler *scheduler = run->scheduler;

	scheduler->counts.parked++;
	scheduler_log(scheduler, LOG_LEVEL_ERROR, "game-not-begun",
		      result->machine ? result->why
				      : abort_name(result->outcome.aborted));
	dispatch_receipt(scheduler->dispatch, &run->game, NULL);
	call_off(run);
}

static void
on_parked(struct dispatched *game, const char *why)
{
	struct run *run = of_game(game);

	run->scheduler->counts.parked++;
	log_game(run, LOG_LEVEL_WARN, "game-parked", why);
	call_off(run);
}

/* ---- a game is over --------------------------------------------------- */

static void
on_over(struct dispatched *game)
{
	struct run *run = of_game(game);
	struct scheduler *scheduler = run->scheduler;

	if (game->result.header.used == 0) {
		not_begun(run);
		return;
	}
	kept_job(&run->setup, &game->result, game->number, &run->job);
	scheduler->calls->over(scheduler->arg, run->setup.deal.id,
			       &game->result);
	count_turns(run);
	scheduler->counts.running--;
	scheduler->counts.writing++;
	writer_submit(scheduler->writer, &run->job);
}

/* Those that are over have a result. */
static bool
is_over(const struct run *run)
{
	return run->game.result.number != 0;
}

bool
scheduler_find_game(const struct scheduler *scheduler, const char *id,
		    struct scheduler_game *game)
{
	const struct run *run = scheduler->runs;

	while (run != NULL && strcmp(run->setup.deal.id, id) != 0)
		run = run->next;
	if (run == NULL)
		return false;
	game->dispatched = is_over(run) ? NULL : &run->game;
	game->here = run->game.here;
	return true;
}

void
scheduler_each_game(const struct scheduler *scheduler,
		    void (*each)(void *arg, const char *id,
				 const char name[][NAME_BYTES + 1],
				 unsigned seats),
		    void *arg)
{
	const struct run *run;

	for (run = scheduler->runs; run != NULL; run = run->next)
		if (!is_over(run))
			each(arg, run->setup.deal.id, run->setup.name,
			     run->setup.game.seats);
}

/* ---- a game begins ---------------------------------------------------- */

static void
fill_seat(struct run *run, unsigned s, struct table_setup *setup)
{
	const struct participant *participant = run->participant[s];
	const char *heir_of = scheduler_heir_of(run->scheduler, participant);

	memcpy(setup->name[s], participant->stands_as, sizeof(setup->name[s]));
	memcpy(run->bot[s], participant->bot, sizeof(run->bot[s]));
	setup->entropy[s] = participant->ops->entropy(participant);
	if (heir_of != NULL)
		snprintf(setup->heir_of[s], sizeof(setup->heir_of[s]), "%s",
			 heir_of);
}

static void
fill_setup(struct run *run, struct table_setup *setup)
{
	const struct config_ladder *from = &run->scheduler->setup;
	unsigned s;

	memset(setup, 0, sizeof(*setup));
	setup->game = from->setup;
	deal_random(&setup->deal);
	setup->arrival = from->arrival;
	setup->clock.time_us = from->move_time_ms * 1000;
	setup->clock.bank_us = from->bank_ms * 1000;
	setup->clock.increment_us = from->increment_ms * 1000;
	setup->clock.total_us = config_total_ms(from) * 1000;
	setup->faults = (unsigned)from->faults;
	setup->date = (uint64_t)time(NULL);
	for (s = 0; s < from->setup.seats; s++)
		fill_seat(run, s, setup);
}

static struct bot *
on_seat(struct dispatched *game, unsigned s)
{
	const struct run *run = of_game(game);
	struct participant *participant = run->participant[s];

	if (participant == NULL) {
		errno = ECANCELED; /* it has left before its game began */
		return NULL;
	}
	return participant->ops->begin(participant, run->setup.deal.id);
}

static const struct dispatched_calls dispatched_calls = {
	.seat = on_seat,
	.over = on_over,
	.parked = on_parked,
};

static void
keep_run(struct run *run)
{
	const struct table_setup *setup = &run->setup;
	struct scheduler *scheduler = run->scheduler;
	const char *name[SEATS_MAX];
	unsigned s;

	for (s = 0; s < setup->game.seats; s++)
		name[s] = setup->name[s];
	running_begin(scheduler->at.running, setup->deal.id, name, s);
	LIST_PUT(scheduler->runs, run);
	scheduler->counts.begun++;
	scheduler->counts.running++;
}

static void
play(struct run *run)
{
	struct scheduler *scheduler = run->scheduler;
	struct participant *participant;
	struct job job;
	unsigned s;

	memset(&job, 0, sizeof(job));
	job.number = dispatch_number(scheduler->dispatch);
	job.setup = run->setup;
	job.rests = !scheduler->setup.ponder;
	job.charges_start = true;
	job.limit_us = scheduler->setup.game_minutes * 60 * UINT64_C(1000000);
	for (s = 0; s < job.setup.game.seats; s++) {
		participant = run->participant[s];
		job.seat[s].own = participant->ops->seat == NULL;
		if (!job.seat[s].own)
			participant->ops->seat(participant, &job, s);
	}
	run->game.calls = &dispatched_calls;
	dispatch_play(scheduler->dispatch, &job, &run->game);
}

bool
scheduler_game_begin(struct scheduler *scheduler,
		     const struct pairing_table *paired)
{
	struct run *run = zeroed(1, sizeof(*run));
	const uint64_t calm_us = scheduler->calm_us;
	unsigned s;

	run->scheduler = scheduler;
	run->paired = *paired;
	for (s = 0; s < scheduler->setup.setup.seats; s++)
		run->participant[s] = scheduler->participant[paired->bot[s]];
	fill_setup(run, &run->setup);
	keep_run(run);
	play(run);
	if (scheduler->calm_us != calm_us)
		return false; /* it was called off */
	tell_seats(run, true);
	tell_seats(run, false);
	return true;
}
