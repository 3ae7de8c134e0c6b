/* referee/hall.c - see hall.h.
 *
 * A running game is a struct run: its table, who sits there, its
 * writer job.  It begins in begin_game(), is over in on_over(), safe in
 * on_written(). */
#include "referee/hall.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ladder/pairing.h"
#include "referee/bot.h"
#include "referee/deal.h"
#include "referee/finished.h"
#include "referee/hall-ladder.h"
#include "referee/hall-prune.h"
#include "referee/hall-recall.h"
#include "referee/match-faults.h"
#include "referee/table.h"
#include "referee/writer.h"

struct run {
	struct hall *hall;
	struct run *next, **prev;
	struct table *table;
	struct pairing_table paired;
	struct guest *guest[SEATS_MAX]; /* NULL: it has left */
	struct event *limit;		/* wall time */
	struct writer_job job;
	struct table_outcome outcome;
	bool failed; /* to be written again */
};

struct hall {
	struct loop *loop;
	struct logger *logger;
	struct config_ladder setup;
	const struct hall_calls *calls;
	void *arg;
	struct hall_ladder at; /* its ladder is the writer's */
	struct writer *writer;
	struct hall_prune *prune;	  /* NULL: records are kept for ever */
	char dir[LADDER_PATH_BYTES - 16]; /* room for a name below */
	struct event *written, *again, *retry;
	struct loop_task fill_task;
	struct pairing *pairing;
	struct guest **guest; /* by handle: who sits here, or NULL */
	unsigned guests;      /* room in it */
	struct run *runs;     /* all that are not safe yet */
	struct hall_counts counts;
	uint64_t number;
	bool stopping, failing;
	bool hurried; /* hall_abort(): what cannot be written is given up */
};

const char *
hall_name(const struct hall *hall)
{
	return hall->setup.name;
}

const struct hall_counts *
hall_counts(const struct hall *hall)
{
	return &hall->counts;
}

const struct config_ladder *
hall_setup(const struct hall *hall)
{
	return &hall->setup;
}

void
hall_path(const struct hall *hall, char path[LADDER_PATH_BYTES])
{
	snprintf(path, LADDER_PATH_BYTES, "%s/ladder.db", hall->dir);
}

bool
hall_is_empty(const struct hall *hall)
{
	return hall->runs == NULL;
}

unsigned
hall_sitting(const struct hall *hall)
{
	unsigned i, n = 0;

	for (i = 0; i < hall->guests; i++)
		n += hall->guest[i] != NULL;
	return n;
}

bool
hall_bot(const struct hall *hall, const char *name, struct hall_bot *bot)
{
	int handle = pairing_find(hall->pairing, name);
	struct pairing_bot_view view;

	memset(bot, 0, sizeof(*bot));
	if (handle < 0)
		return false;
	pairing_view(hall->pairing, handle, &view);
	bot->rating_milli = view.rating_milli;
	bot->games = view.games;
	bot->playing = view.playing;
	bot->sits =
		(unsigned)handle < hall->guests && hall->guest[handle] != NULL;
	bot->benched = pairing_bench_tell(hall->pairing, handle, clock_us(),
					  bot->bench);
	if (!bot->benched)
		bot->bench[0] = '\0';
	return true;
}

static void
wake(struct hall *hall)
{
	loop_post(hall->loop, LOOP_SETTLE, &hall->fill_task);
}

static void
log_sentence(struct hall *hall, enum log_level level, const char *event,
	     const char *why)
{
	struct log_line line;

	log_begin(&line, hall->logger, level, event);
	log_str(&line, "ladder", hall->setup.name);
	log_str(&line, "why", why);
	log_end(&line);
}

/* ---- who sits here ---------------------------------------------------- */

static int
handle_of(struct hall *hall, const struct guest *guest)
{
	struct pairing_known known = {
		.rating_milli = hall->setup.start_milli,
		.entered = hall->counts.rated + hall->counts.settled,
	};
	int bot = pairing_find(hall->pairing, guest->stands_as);

	if (bot < 0)
		bot = pairing_enter(hall->pairing, guest->stands_as, &known);
	return bot;
}

static void
keep_guest(struct hall *hall, unsigned bot, struct guest *guest)
{
	unsigned size = hall->guests;

	if (bot >= size) {
		size = 2 * bot + 16;
		hall->guest = memory(hall->guest, size * sizeof(*hall->guest));
		memset(hall->guest + hall->guests, 0,
		       (size - hall->guests) * sizeof(*hall->guest));
		hall->guests = size;
	}
	hall->guest[bot] = guest;
}

bool
hall_sit(struct hall *hall, struct guest *guest)
{
	int bot = handle_of(hall, guest);
	unsigned room = 0;

	if (bot < 0)
		return false;
	if (guest->here && !guest->quitting && guest->games < guest->games_max)
		room = guest->games_max - guest->games;
	keep_guest(hall, (unsigned)bot, guest);
	pairing_offer(hall->pairing, bot, room);
	wake(hall);
	return true;
}

void
hall_rise(struct hall *hall, struct guest *guest)
{
	int bot = pairing_find(hall->pairing, guest->stands_as);

	if (bot < 0 || (unsigned)bot >= hall->guests ||
	    hall->guest[bot] != guest)
		return;
	pairing_offer(hall->pairing, bot, 0);
	hall->guest[bot] = NULL;
}

void
hall_forget(struct hall *hall, struct guest *guest)
{
	struct run *run;
	unsigned s;

	hall_rise(hall, guest);
	for (run = hall->runs; run != NULL; run = run->next)
		for (s = 0; s < SEATS_MAX; s++)
			if (run->guest[s] == guest)
				run->guest[s] = NULL;
}

bool
hall_benched(const struct hall *hall, const struct guest *guest, char *text,
	     size_t n)
{
	char sentence[PAIRING_BENCH_BYTES];
	int bot = pairing_find(hall->pairing, guest->stands_as);

	if (bot < 0 ||
	    !pairing_bench_tell(hall->pairing, bot, clock_us(), sentence))
		return false;
	snprintf(text, n, "%s", sentence);
	return true;
}

/* ---- a game ends ------------------------------------------------------ */

static void
run_free(struct run *run)
{
	if (run->limit != NULL)
		event_free(run->limit);
	if (run->next != NULL)
		run->next->prev = run->prev;
	*run->prev = run->next;
	text_release(&run->job.header);
	free(run);
}

/* How the game went for each seat, as far as the bench is concerned. */
static void
fill_ends(const struct run *run, enum pairing_end end[SEATS_MAX])
{
	unsigned s;

	for (s = 0; s < run->hall->setup.setup.seats; s++) {
		end[s] = PAIRING_FINE;
		if (run->outcome.retired[s])
			end[s] = PAIRING_RETIRED;
		if (run->guest[s] == NULL)
			end[s] = PAIRING_CRASHED;
	}
}

static void
tell_changed(const struct run *run)
{
	struct hall *hall = run->hall;
	unsigned s;

	for (s = 0; s < hall->setup.setup.seats; s++)
		if (run->guest[s] != NULL)
			hall->calls->changed(hall->arg, run->guest[s]);
}

static void
log_game(const struct run *run, const char *event, const char *why)
{
	const struct hall *hall = run->hall;
	struct log_line line;
	char key[16];
	unsigned s;

	log_begin(&line, hall->logger, LOG_LEVEL_INFO, event);
	log_str(&line, "ladder", hall->setup.name);
	log_str(&line, "game", run->job.game.id);
	if (why != NULL)
		log_str(&line, "why", why);
	for (s = 0; s < hall->setup.setup.seats; s++) {
		snprintf(key, sizeof(key), "bot%u", s);
		log_str(&line, key, run->job.game.seat[s].bot);
		if (why != NULL)
			continue;
		snprintf(key, sizeof(key), "place%u", s);
		log_num(&line, key, run->outcome.place[s]);
	}
	log_end(&line);
}

static void
count_and_rate(struct run *run)
{
	struct hall *hall = run->hall;
	const struct ladder_game *game = &run->job.game;
	unsigned s;

	if (run->job.aborted) {
		hall->counts.aborted++;
		log_game(run, "game-aborted", run->outcome.aborted);
		return;
	}
	hall->counts.rated++;
	if (!run->job.unrated)
		for (s = 0; s < game->seats; s++)
			pairing_rate(hall->pairing, run->paired.bot[s],
				     game->seat[s].before_milli +
					     game->seat[s].delta_milli);
	log_game(run, "game-over", NULL);
}

static void
look_if_empty(struct hall *hall)
{
	if (hall->stopping && hall->runs == NULL)
		hall->calls->empty(hall->arg, hall);
}

/* Its record is safe, or (NULL) never will be. */
static void
finish(struct run *run, const unsigned char *hash)
{
	struct hall *hall = run->hall;
	enum pairing_end end[SEATS_MAX];

	hall->counts.writing--;
	fill_ends(run, end);
	if (hash != NULL)
		count_and_rate(run);
	pairing_ended(hall->pairing, &run->paired, end, !run->job.aborted,
		      clock_us());
	running_end(hall->at.running, run->job.id);
	table_receipt(run->table, hash);
	tell_changed(run);
	run_free(run);
	wake(hall);
}

/* Nothing is lost: it is tried again, and meanwhile no game begins. */
static void
wait_for_disk(struct run *run)
{
	const struct timeval again = { .tv_sec = HALL_AGAIN_MS / 1000,
				       .tv_usec = HALL_AGAIN_MS % 1000 * 1000 };
	struct hall *hall = run->hall;

	hall->counts.failures++;
	hall->failing = true;
	run->failed = true;
	log_sentence(hall, LOG_LEVEL_ERROR, "disk-fails", run->job.why);
	event_add(hall->retry, &again);
}

static void
try_again(struct hall *hall)
{
	struct run *run;

	hall->failing = false;
	writer_mend(hall->writer);
	for (run = hall->runs; run != NULL; run = run->next) {
		if (!run->failed)
			continue;
		run->failed = false;
		writer_submit(hall->writer, &run->job);
	}
	wake(hall);
}

static void
on_retry(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	try_again(arg);
}

/* There is no time left to wait for the disk. */
static void
give_up(struct run *run)
{
	struct hall *hall = run->hall;

	hall->counts.given_up++;
	log_sentence(hall, LOG_LEVEL_ERROR, "disk-fails", run->job.why);
	log_game(run, "game-lost", "disk");
	finish(run, NULL);
	look_if_empty(hall);
}

static void
on_written(struct run *run)
{
	struct hall *hall = run->hall;

	if (run->job.failed && hall->hurried) {
		give_up(run);
		return;
	}
	if (run->job.failed) {
		wait_for_disk(run);
		return;
	}
	if (run->job.unrated) {
		/* The record is safe; the next game's rating takes it along. */
		log_sentence(hall, LOG_LEVEL_ERROR, "ladder-fails",
			     run->job.why);
		writer_mend(hall->writer);
	}
	finish(run, run->job.hash);
	look_if_empty(hall);
}

static void
on_writer(evutil_socket_t fd, short what, void *arg)
{
	struct hall *hall = arg;
	struct writer_job *job;

	(void)fd;
	(void)what;
	while ((job = writer_done(hall->writer)) != NULL)
		on_written((struct run *)((char *)job -
					  offsetof(struct run, job)));
}

static void
count_turns(struct run *run)
{
	const unsigned everybody[SEATS_MAX] = { 0 };
	struct match_faults faults = { 0 };
	unsigned i;

	run->hall->counts.turns += run->outcome.turns;
	match_faults_add(&faults, 1, everybody, run->job.body);
	for (i = 0; i < FAULT_KINDS; i++)
		run->hall->counts.faults[i] += faults.kind[i];
}

static void
on_over(struct table *table, void *arg)
{
	struct run *run = arg;
	struct hall *hall = run->hall;

	table_outcome(table, &run->outcome);
	finished_job(table, &run->outcome, ++hall->number, &run->job);
	count_turns(run);
	hall->counts.running--;
	hall->counts.writing++;
	if (run->limit != NULL)
		event_del(run->limit);
	writer_submit(hall->writer, &run->job);
}

/* ---- a game begins ---------------------------------------------------- */

static void
on_limit(evutil_socket_t fd, short what, void *arg)
{
	struct run *run = arg;

	(void)fd;
	(void)what;
	table_abort(run->table, "too-long");
}

static void
fill_setup(const struct run *run, struct table_setup *setup)
{
	const struct config_ladder *from = &run->hall->setup;
	unsigned s;

	memset(setup, 0, sizeof(*setup));
	setup->game = from->setup;
	deal_random(&setup->deal);
	setup->arrival = from->arrival;
	setup->clock.time_us = from->move_time_ms * 1000;
	setup->clock.bank_us = from->bank_ms * 1000;
	setup->clock.increment_us = from->increment_ms * 1000;
	setup->faults = (unsigned)from->faults;
	setup->date = (uint64_t)time(NULL);
	for (s = 0; s < from->setup.seats; s++) {
		memcpy(setup->name[s], run->guest[s]->stands_as,
		       sizeof(setup->name[s]));
		setup->entropy[s] = run->guest[s]->entropy;
	}
}

static void
set_limit(struct run *run)
{
	struct hall *hall = run->hall;
	const struct timeval limit = {
		.tv_sec = (time_t)hall->setup.game_minutes * 60
	};

	run->limit = evtimer_new(hall->loop->base, on_limit, run);
	if (run->limit == NULL)
		bug("out of memory");
	event_add(run->limit, &limit);
}

static void
begin_game(struct hall *hall, const struct pairing_table *paired)
{
	struct run *run = memory(NULL, sizeof(*run));
	struct bot *bot[SEATS_MAX] = { NULL };
	const char *name[SEATS_MAX];
	struct table_setup setup;
	unsigned s;

	memset(run, 0, sizeof(*run));
	run->hall = hall;
	run->paired = *paired;
	for (s = 0; s < hall->setup.setup.seats; s++)
		run->guest[s] = hall->guest[paired->bot[s]];
	fill_setup(run, &setup);
	for (s = 0; s < hall->setup.setup.seats; s++) {
		bot[s] = bot_remote_new(run->guest[s], setup.deal.id);
		bot[s]->rests = !hall->setup.ponder;
		name[s] = setup.name[s];
	}
	running_begin(hall->at.running, setup.deal.id, name, s);
	run->next = hall->runs;
	run->prev = &hall->runs;
	if (run->next != NULL)
		run->next->prev = &run->next;
	hall->runs = run;
	hall->counts.begun++;
	hall->counts.running++;
	set_limit(run);
	run->table = table_new(hall->loop, &setup, bot, on_over, run);
	tell_changed(run);
}

static void
ask_again_at(struct hall *hall, uint64_t at_us)
{
	uint64_t now_us = clock_us(),
		 in_us = at_us > now_us ? at_us - now_us : 0;
	const struct timeval in = { .tv_sec = (time_t)(in_us / 1000000),
				    .tv_usec = (suseconds_t)(in_us % 1000000) };

	if (at_us != PAIRING_NEVER)
		event_add(hall->again, &in);
}

static void
fill(struct loop_task *task)
{
	struct hall *hall = (struct hall *)((char *)task -
					    offsetof(struct hall, fill_task));
	struct pairing_table paired;
	uint64_t again_us;

	while (!hall->stopping && !hall->failing &&
	       hall->counts.running + hall->counts.writing <
		       hall->setup.at_once) {
		if (!pairing_next(hall->pairing, clock_us(), &paired,
				  &again_us)) {
			ask_again_at(hall, again_us);
			break;
		}
		begin_game(hall, &paired);
	}
	look_if_empty(hall);
}

static void
on_again(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	wake(arg);
}

/* ---- stopping --------------------------------------------------------- */

void
hall_stop(struct hall *hall)
{
	hall->stopping = true;
	wake(hall);
}

void
hall_abort(struct hall *hall, const char *why)
{
	struct run *run;

	hall->hurried = true;
	if (hall->failing) /* once more, for the last time */
		try_again(hall);
	for (run = hall->runs; run != NULL; run = run->next)
		table_abort(run->table, why);
}

/* ---- other settings --------------------------------------------------- */

bool
hall_can_set(const struct hall *hall, const struct config_ladder *ladder)
{
	struct ladder_pool now, then;

	hall_pool(&hall->setup, &now);
	hall_pool(ladder, &then);
	return strcmp(now.game, then.game) == 0 &&
	       strcmp(now.options, then.options) == 0 &&
	       now.seats == then.seats && now.arrival == then.arrival &&
	       hall->setup.k_milli == ladder->k_milli &&
	       hall->setup.start_milli == ladder->start_milli &&
	       hall->setup.same_bot_twice == ladder->same_bot_twice;
}

void
hall_set(struct hall *hall, const struct config_ladder *ladder)
{
	hall->setup = *ladder;
	hall->stopping = false;
	wake(hall);
}

/* ---- opening ---------------------------------------------------------- */

/* What it was, and what has become of it. */
static int
open_past(struct hall *hall, const char *dir, char why[HALL_WHY_BYTES])
{
	char reason[LADDER_WHY_BYTES];

	if (hall_ladder_open(dir, &hall->setup, hall->logger, &hall->at, why) <
	    0)
		return -1;
	hall->counts.settled = hall->at.settled;
	hall->counts.lost = hall->at.lost;
	hall->pairing =
		hall_recall(hall->at.ladder, &hall->setup, (uint64_t)time(NULL),
			    HALL_RECALLED, reason);
	if (hall->pairing != NULL)
		return 0;
	snprintf(why, HALL_WHY_BYTES, "%s", reason);
	return -1;
}

static int
open_writer(struct hall *hall, char why[HALL_WHY_BYTES])
{
	hall->writer =
		writer_new(hall->at.records, hall->at.ladder, hall->at.folder);
	if (hall->writer == NULL) {
		snprintf(why, HALL_WHY_BYTES, "cannot write to %s: %s",
			 hall->at.records, strerror(errno));
		return -1;
	}
	hall->written = event_new(hall->loop->base, writer_fd(hall->writer),
				  EV_READ | EV_PERSIST, on_writer, hall);
	hall->again = evtimer_new(hall->loop->base, on_again, hall);
	hall->retry = evtimer_new(hall->loop->base, on_retry, hall);
	if (hall->written == NULL || hall->again == NULL || hall->retry == NULL)
		bug("out of memory");
	event_add(hall->written, NULL);
	return 0;
}

/* Where records are not kept for ever. */
static int
open_prune(struct hall *hall, char why[HALL_WHY_BYTES])
{
	if (hall->setup.keep_days == 0)
		return 0;
	hall->prune = hall_prune_new(hall->at.records,
				     (unsigned)hall->setup.keep_days);
	if (hall->prune != NULL)
		return 0;
	snprintf(why, HALL_WHY_BYTES, "cannot start a thread: %s",
		 strerror(errno));
	return -1;
}

struct hall *
hall_open(struct loop *loop, struct logger *logger,
	  const struct config_ladder *ladder, const char *data,
	  const struct hall_calls *calls, void *arg, char why[HALL_WHY_BYTES])
{
	struct hall *hall = memory(NULL, sizeof(*hall));

	memset(hall, 0, sizeof(*hall));
	hall->loop = loop;
	hall->logger = logger;
	hall->setup = *ladder;
	hall->calls = calls;
	hall->arg = arg;
	hall->fill_task.run = fill;
	snprintf(hall->dir, sizeof(hall->dir), "%s/ladders/%s", data,
		 ladder->name);
	if (open_past(hall, hall->dir, why) == 0 &&
	    open_writer(hall, why) == 0 && open_prune(hall, why) == 0)
		return hall;
	hall_close(hall);
	return NULL;
}

void
hall_close(struct hall *hall)
{
	loop_cancel(hall->loop, &hall->fill_task);
	if (hall->written != NULL) {
		event_free(hall->written);
		event_free(hall->again);
		event_free(hall->retry);
	}
	hall_prune_free(hall->prune);
	writer_free(hall->writer);
	hall_ladder_close(&hall->at);
	pairing_free(hall->pairing);
	free(hall->guest);
	free(hall);
}
