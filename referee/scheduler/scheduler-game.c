/* referee/scheduler/scheduler-game.c - see scheduler-game.h.
 *
 * A game begins in scheduler_games_begin(), is over in on_over(), and is safe
 * in on_written().  A record that the disk refuses waits for write_again(). */
#include "referee/scheduler/scheduler-game.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/clock.h"
#include "referee/runner/kept.h"
#include "referee/scheduler/scheduler-ladder.h"

/* A game that is not safe yet: its setup, its participants, its writer's task. */
struct run {
	struct scheduler_games *games;
	struct run *next, **prev;
	struct dispatched game;
	struct table_setup setup;
	struct pairing_table paired;
	struct participant *participant[SEATS_MAX]; /* NULL: has left */
	bool lost[SEATS_MAX]; /* has left and did not wait for the end */
	bool untried[SEATS_MAX];
	char bot[SEATS_MAX][NAME_BYTES + 1]; /* the first name of each */
	struct writer_task task;
	bool failed;  /* to be written again */
	bool adopted; /* its bots were not paired here */
};

struct scheduler_games {
	struct scheduler_games_setup with;
	struct timer retry;
	struct run *runs;      /* all games that are not safe yet */
	struct run *beginning; /* NULL again if it is called off */
	bool failing;	       /* the disk fails */
	bool hurried;	       /* records that the disk refuses are given up */
};

/* ---- a game ends ------------------------------------------------------ */

static struct run *
of_game(struct dispatched *game)
{
	return ENCLOSING(game, struct run, game);
}

static void
run_free(struct run *run)
{
	if (run->games->beginning == run)
		run->games->beginning = NULL;
	LIST_CUT(run);
	text_release(&run->task.header);
	free(run);
}

/* Returns true if the game was aborted because the bot of this seat, none of whose
 * games counts yet, did not begin to play. */
static bool
did_not_begin(const struct run *run, unsigned s)
{
	const struct job_result *result = &run->game.result;

	return result->outcome.aborted == ABORT_NOT_STARTED &&
	       result->not_started == (int)s;
}

/* Stores how the game ended for each seat with regard to suspensions. */
static void
fill_ends(const struct run *run, enum pairing_end end[SEATS_MAX])
{
	for (unsigned s = 0; s < run->setup.game.seats; s++) {
		end[s] = PAIRING_FINE;
		if (run->game.result.outcome.retired[s])
			end[s] = PAIRING_RETIRED;
		if (run->lost[s])
			end[s] = PAIRING_CRASHED;
		if (did_not_begin(run, s))
			end[s] = run->game.result.end[s].started
					 ? PAIRING_SILENT
					 : PAIRING_NOT_STARTED;
	}
}

static void
tell_seats(const struct run *run, bool seated)
{
	const struct scheduler_games_setup *with = &run->games->with;
	struct participant *participant;

	for (unsigned s = 0; s < run->setup.game.seats; s++) {
		participant = run->participant[s];
		if (participant != NULL && seated)
			with->news->seated(with->news_arg, with->ladder->name,
					   participant);
		else if (participant != NULL)
			with->news->changed(with->news_arg, participant);
	}
}

static void
log_game(const struct run *run, enum log_level level, const char *event,
	 const char *why)
{
	struct log_line line;
	char key[16];

	log_begin(&line, run->games->with.logger, level, event);
	log_str(&line, "ladder", run->games->with.ladder->name);
	log_str(&line, "game", run->setup.deal.id);
	if (why != NULL)
		log_str(&line, "why", why);
	for (unsigned s = 0; s < run->setup.game.seats; s++) {
		snprintf(key, sizeof(key), "bot%u", s);
		log_str(&line, key, run->setup.name[s]);
		if (why != NULL)
			continue;
		snprintf(key, sizeof(key), "place%u", s);
		log_num(&line, key, run->game.result.outcome.place[s]);
	}
	log_end(&line);
}

static void
log_error(const struct run *run, const char *event, const char *why)
{
	log_event(run->games->with.logger, LOG_LEVEL_ERROR, event,
		  "ladder=%s why=%s", run->games->with.ladder->name, why);
}

static void
tell_charge(const struct run *run, unsigned s, const char *sentence)
{
	const struct scheduler_games_setup *with = &run->games->with;

	with->news->charged(with->news_arg, run->bot[s], run->setup.deal.id, s,
			    sentence);
}

/* Passes on the mistakes that bots have reported: to their authors, and to the
 * log if the game is safe. */
static void
tell_slips(const struct run *run, bool safe)
{
	static const struct {
		const char *event, *what;
	} kinds[SLIPS] = {
		[SLIP_FALLBACK] = { "bot-fallback",
				    "made the first legal move instead of "
				    "its own" },
		[SLIP_FAILED] = { "bot-failed", "failed elsewhere" },
	};
	struct logger *logger = run->games->with.logger;
	char sentence[FAULT_SENTENCE_BYTES];
	const struct seat_slip *slip;

	for (unsigned s = 0; s < run->setup.game.seats; s++)
		for (unsigned i = 0; i < SLIPS; i++) {
			slip = &run->game.result.outcome.slip[s][i];
			if (slip->count == 0)
				continue;
			if (safe && log_may(logger, LOG_LEVEL_WARN,
					    kinds[i].event, run->setup.name[s]))
				log_event(
					logger, LOG_LEVEL_WARN, kinds[i].event,
					"ladder=%s game=%s bot=%s count=%u "
					"why=%s",
					run->games->with.ladder->name,
					run->setup.deal.id, run->setup.name[s],
					slip->count, slip->first);
			snprintf(sentence, sizeof(sentence), "%s %s: %s",
				 kinds[i].what,
				 counted(slip->count, "time").text,
				 slip->first);
			tell_charge(run, s, sentence);
		}
}

/* Tells the charges to the author alone, and only after the others have played
 * to the end. */
static void
tell_charges(const struct run *run)
{
	const struct job_result *result = &run->game.result;
	char sentence[FAULT_SENTENCE_BYTES];
	const struct fault_note *note;

	for (unsigned i = 0; i < run->setup.game.seats; i++)
		if (did_not_begin(run, i))
			tell_charge(run, i,
				    "did not begin to play; the game "
				    "counts for no one");
	for (unsigned i = 0; i < result->faults.count; i++) {
		note = &result->faults.note[i];
		fault_note_sentence(note, sentence);
		tell_charge(run, note->seat, sentence);
	}
}

static void
tell_end(const struct run *run, bool safe)
{
	const struct scheduler_games_setup *with = &run->games->with;
	struct scheduler_game_end end = { .paired = run->adopted ? NULL
								 : &run->paired,
					  .game = &run->task.game,
					  .aborted = run->task.aborted,
					  .safe = safe,
					  .behind = run->task.behind };

	fill_ends(run, end.end);
	with->calls->ended(with->arg, &end);
}

/* Ends a game whose record is safe, or was given up if `hash` is NULL. */
static void
finish(struct run *run, const unsigned char *hash)
{
	const struct scheduler_games_setup *with = &run->games->with;

	with->counts->writing--;
	tell_slips(run, hash != NULL);
	if (hash != NULL && run->task.aborted)
		log_game(run, LOG_LEVEL_INFO, "game-aborted",
			 abort_name(run->game.result.outcome.aborted));
	else if (hash != NULL)
		log_game(run, LOG_LEVEL_INFO, "game-over", NULL);
	tell_charges(run);
	tell_end(run, hash != NULL);
	dispatch_receipt(&run->game, hash);
	tell_seats(run, false);
	run_free(run);
	with->calls->room(with->arg);
}

/* ---- the disk --------------------------------------------------------- */

/* Tries the record again later.  No game begins until a write succeeds. */
static void
wait_for_disk(struct run *run)
{
	struct scheduler_games *all = run->games;

	all->with.counts->failures++;
	all->failing = true;
	run->failed = true;
	timer_after(&all->retry, SCHEDULER_AGAIN_MS * 1000);
}

static void
write_again(void *arg)
{
	const struct scheduler_games *all = arg;
	struct run *run;

	for (run = all->runs; run != NULL; run = run->next) {
		if (!run->failed)
			continue;
		run->failed = false;
		writer_submit(all->with.writer, &run->task);
	}
}

/* Gives the record up, as there is no time left to wait for the disk. */
static void
give_up(struct run *run)
{
	run->games->with.counts->given_up++;
	log_game(run, LOG_LEVEL_INFO, "game-lost", "disk");
	finish(run, NULL);
}

/* Notes if the ladder's file is lost, and logs it once.  The games are safe in
 * the log and go on. */
static void
tell_if_lost(const struct run *run, bool lost)
{
	struct scheduler_counts *counts = run->games->with.counts;

	if (lost && counts->lost == 0)
		log_error(run, "ladder-lost", SCHEDULER_LADDER_LOST);
	counts->lost = lost;
}

static void
on_written(struct writer_task *task)
{
	struct run *run = ENCLOSING(task, struct run, task);

	if (task->failed) {
		log_error(run, "disk-fails", task->why.text);
		if (run->games->hurried)
			give_up(run);
		else
			wait_for_disk(run);
		return;
	}
	if (task->behind) {
		/* The record is safe; the scheduler lets the ladder follow
		 * later. */
		run->games->with.counts->ladder_failures++;
		log_error(run, "ladder-fails", task->why.text);
	}
	run->games->failing = false;
	tell_if_lost(run, task->lost);
	finish(run, task->hash);
}

/* ---- a game that is none ---------------------------------------------- */

static void
call_off(struct run *run)
{
	const struct scheduler_games_setup *with = &run->games->with;

	with->counts->running--;
	with->counts->parked++;
	with->calls->called_off(with->arg, run->setup.deal.id, &run->paired,
				run->participant, run->game.blamed);
	tell_seats(run, false);
	run_free(run);
	with->calls->room(with->arg);
}

/* Calls off a game whose bots could not be seated. */
static void
not_begun(struct run *run)
{
	const struct job_result *result = &run->game.result;

	log_error(run, "game-not-begun",
		  result->machine ? result->why
				  : abort_name(result->outcome.aborted));
	dispatch_receipt(&run->game, NULL);
	call_off(run);
}

#define PARKED "the game is parked and counts for no one"

/* Returns the sentence for authors.  They do not get `why`, because it names
 * machines and quotes them. */
static const char *
parked_elsewhere(bool blamed)
{
	return blamed ? PARKED ": no machine can fetch or build this bot"
		      : PARKED "; the page /queue tells why, unless the "
			       "organiser has given it up";
}

static void
on_parked(struct dispatched *game, const char *why)
{
	struct run *run = of_game(game);

	if (why != NULL) {
		log_game(run, LOG_LEVEL_WARN, "game-parked", why);
		for (unsigned s = 0; s < run->setup.game.seats; s++)
			tell_charge(run, s,
				    game->ops->elsewhere
					    ? parked_elsewhere(game->blamed &
							       (1U << s))
					    : why);
	}
	call_off(run);
}

/* ---- a game is over --------------------------------------------------- */

/* Counts turns and faults, and logs faults and retired bots. */
static void
count_turns(struct run *run)
{
	struct scheduler_counts *counts = run->games->with.counts;
	struct logger *logger = run->games->with.logger;
	const char *ladder = run->games->with.ladder->name;
	const char *game = run->setup.deal.id, *bot;
	unsigned starved[SEATS_MAX] = { 0 }, s;
	const unsigned *faults;
	char late[16];
	enum fault fault;

	fault_count_starved(run->game.result.body.bytes,
			    run->game.result.body.used, starved);
	counts->turns += run->game.result.outcome.turns;
	for (s = 0; s < run->setup.game.seats; s++) {
		bot = run->setup.name[s];
		faults = run->task.game.seat[s].faults;
		counts->starved += starved[s];
		snprintf(late, sizeof(late), "%u", starved[s]);
		for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++) {
			counts->faults[fault] += faults[fault];
			if (faults[fault] > 0 &&
			    log_may(logger, LOG_LEVEL_INFO, "fault", bot))
				log_event(logger, LOG_LEVEL_INFO, "fault",
					  "ladder=%s game=%s bot=%s kind=%s "
					  "count=%u starved=%s",
					  ladder, game, bot, fault_name(fault),
					  faults[fault],
					  fault == FAULT_TIMEOUT &&
							  starved[s] > 0
						  ? late
						  : NULL);
		}
		if (run->game.result.outcome.retired[s] &&
		    log_may(logger, LOG_LEVEL_INFO, "retired", bot))
			log_event(logger, LOG_LEVEL_INFO, "retired",
				  "ladder=%s game=%s bot=%s", ladder, game,
				  bot);
	}
}

static void
on_over(struct dispatched *game)
{
	struct run *run = of_game(game);
	const struct scheduler_games_setup *with = &run->games->with;

	if (game->result.header.used == 0) {
		not_begun(run);
		return;
	}
	kept_task(&run->setup, &game->result, game->number, &run->task);
	run->task.queue_job = game->queue_job;
	run->task.queue_attempt = game->queue_attempt;
	with->news->over(with->news_arg, run->setup.deal.id, &game->result);
	count_turns(run);
	with->counts->last_us = clock_us();
	with->counts->running--;
	with->counts->writing++;
	run->task.done = on_written;
	writer_submit(with->writer, &run->task);
}

/* ---- a game begins ---------------------------------------------------- */

static void
fill_seat(struct run *run, unsigned s, const char *heir_of)
{
	const struct participant *participant = run->participant[s];
	struct table_setup *setup = &run->setup;

	memcpy(setup->name[s], participant->stands_as, sizeof(setup->name[s]));
	memcpy(run->bot[s], participant->bot, sizeof(run->bot[s]));
	setup->entropy[s] = participant->ops->entropy(participant);
	if (heir_of != NULL)
		snprintf(setup->heir_of[s], sizeof(setup->heir_of[s]), "%s",
			 heir_of);
}

static void
fill_setup(struct run *run, const struct scheduler_game_seats *seats)
{
	const struct config_ladder *from = run->games->with.ladder;
	struct table_setup *setup = &run->setup;

	setup->game = from->setup;
	deal_random(&setup->deal);
	setup->arrival = from->arrival;
	setup->clock.time_us = from->move_time_ms * 1000;
	setup->clock.bank_us = from->bank_ms * 1000;
	setup->clock.increment_us = from->increment_ms * 1000;
	setup->clock.total_us = config_total_ms(from) * 1000;
	setup->faults = (unsigned)from->faults;
	setup->date = (uint64_t)clock_seconds();
	for (unsigned s = 0; s < from->setup.seats; s++)
		fill_seat(run, s, seats->heir_of[s]);
}

static struct bot *
on_seat(struct dispatched *game, unsigned s)
{
	const struct run *run = of_game(game);
	struct participant *participant = run->participant[s];

	if (participant == NULL) {
		errno = ECANCELED; /* the bot has left before its game began */
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
	struct scheduler_games *all = run->games;

	LIST_PUT(all->runs, run);
	all->with.counts->begun++;
	all->with.counts->running++;
}

static void
play(struct run *run)
{
	const struct scheduler_games *all = run->games;
	const struct scheduler_games_setup *with = &all->with;
	struct participant *participant;
	struct job job;

	memset(&job, 0, sizeof(job));
	job.number = dispatch_number(with->dispatch);
	job.setup = run->setup;
	job.rests = !with->ladder->ponder;
	job.charges_start = true;
	job.limit_us = with->ladder->game_minutes * 60 * UINT64_C(1000000);
	for (unsigned s = 0; s < job.setup.game.seats; s++) {
		participant = run->participant[s];
		job.seat[s].own = participant->ops->seat == NULL;
		if (!job.seat[s].own)
			participant->ops->seat(participant, &job, s);
		job.seat[s].untried = run->untried[s];
	}
	run->game.calls = &dispatched_calls;
	run->game.ladder = with->ladder->name;
	dispatch_play(with->dispatch, &job, &run->game);
}

void
scheduler_games_begin(struct scheduler_games *all,
		      const struct scheduler_game_seats *seats)
{
	struct run *run = zeroed(1, sizeof(*run));

	run->games = all;
	run->paired = seats->paired;
	memcpy(run->participant, seats->participant, sizeof(run->participant));
	memcpy(run->untried, seats->untried, sizeof(run->untried));
	fill_setup(run, seats);
	keep_run(run);
	all->beginning = run;
	play(run);
	if (all->beginning == NULL)
		return; /* the game was called off */
	all->beginning = NULL;
	tell_seats(run, true);
	tell_seats(run, false);
}

struct dispatched *
scheduler_games_adopt(struct scheduler_games *all,
		      const struct table_setup *setup)
{
	struct run *run = zeroed(1, sizeof(*run));

	run->games = all;
	run->adopted = true;
	run->setup = *setup;
	run->paired.started_us = clock_us();
	for (unsigned s = 0; s < setup->game.seats; s++)
		memcpy(run->bot[s], setup->name[s], sizeof(run->bot[s]));
	keep_run(run);
	run->game.calls = &dispatched_calls;
	return &run->game;
}

/* ---- all of them ------------------------------------------------------ */

/* Returns true if the game is over, which is when it has a result. */
static bool
is_over(const struct run *run)
{
	return run->game.result.number != 0;
}

bool
scheduler_games_find(const struct scheduler_games *all, const char *id,
		     struct scheduler_game *game)
{
	const struct run *run = all->runs;

	while (run != NULL && strcmp(run->setup.deal.id, id) != 0)
		run = run->next;
	if (run == NULL)
		return false;
	game->dispatched = is_over(run) ? NULL : &run->game;
	game->setup = &run->setup;
	game->here = run->game.ops->here;
	return true;
}

void
scheduler_games_each(const struct scheduler_games *all,
		     void (*each)(void *arg, const char *id,
				  const char name[][NAME_BYTES + 1],
				  unsigned seats, bool elsewhere),
		     void *arg)
{
	const struct run *run;

	for (run = all->runs; run != NULL; run = run->next)
		if (!is_over(run))
			each(arg, run->setup.deal.id, run->setup.name,
			     run->setup.game.seats, run->game.ops->elsewhere);
}

uint64_t
scheduler_games_oldest_us(const struct scheduler_games *all)
{
	uint64_t now_us = clock_us(), oldest_us = 0;
	const struct run *run;

	for (run = all->runs; run != NULL; run = run->next)
		if (now_us - run->paired.started_us > oldest_us)
			oldest_us = now_us - run->paired.started_us;
	return oldest_us;
}

bool
scheduler_games_is_empty(const struct scheduler_games *all)
{
	return all->runs == NULL;
}

bool
scheduler_games_is_failing(const struct scheduler_games *all)
{
	return all->failing;
}

void
scheduler_games_forget(struct scheduler_games *all,
		       const struct participant *participant, bool lost)
{
	struct run *run;

	for (run = all->runs; run != NULL; run = run->next) {
		for (unsigned s = 0; s < SEATS_MAX; s++) {
			if (run->participant[s] != participant)
				continue;
			run->participant[s] = NULL;
			run->lost[s] = lost;
		}
	}
}

static bool
has(const struct run *run, const struct participant *participant)
{
	unsigned s = 0;

	while (s < SEATS_MAX && run->participant[s] != participant)
		s++;
	return s < SEATS_MAX;
}

void
scheduler_games_withdraw(struct scheduler_games *all,
			 const struct participant *participant)
{
	struct run *run, *next;

	for (run = all->runs; run != NULL; run = next) {
		next = run->next;
		if (has(run, participant))
			dispatch_abort(&run->game, ABORT_ORGANISER);
	}
	scheduler_games_forget(all, participant, false);
}

void
scheduler_games_abort(struct scheduler_games *all, enum abort_word why)
{
	struct run *run, *next;

	all->hurried = true;
	if (all->failing) /* one last attempt */
		write_again(all);
	for (run = all->runs; run != NULL; run = next) {
		next = run->next; /* a waiting game is freed at once */
		dispatch_abort(&run->game, why);
	}
}

void
scheduler_games_leave(struct scheduler_games *all)
{
	struct run *run, *next;

	for (run = all->runs; run != NULL; run = next) {
		next = run->next;
		if (run->game.ops->elsewhere)
			dispatch_abort(&run->game, ABORT_SHUTDOWN);
	}
}

struct scheduler_games *
scheduler_games_new(const struct scheduler_games_setup *setup)
{
	struct scheduler_games *all = zeroed(1, sizeof(*all));

	all->with = *setup;
	timer_init(&all->retry, &setup->loop->timers, write_again, all);
	return all;
}

void
scheduler_games_free(struct scheduler_games *all)
{
	if (all == NULL)
		return;
	timer_stop(&all->retry);
	free(all);
}
