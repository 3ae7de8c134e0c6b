/* referee/serve/hall.c - see hall.h; its games are in hall-game.c. */
#include "referee/serve/hall-inside.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "referee/serve/hall-recall.h"

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
	return hall->runs == NULL && hall->rebuild == NULL;
}

unsigned
hall_sitting(const struct hall *hall)
{
	unsigned i, n = 0;

	for (i = 0; i < hall->sitters; i++)
		n += hall->sitter[i] != NULL;
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
	bot->sits = (unsigned)handle < hall->sitters &&
		    hall->sitter[handle] != NULL;
	bot->benched = pairing_bench_tell(hall->pairing, handle, clock_us(),
					  bot->bench);
	if (!bot->benched)
		bot->bench[0] = '\0';
	return true;
}

void
hall_wake(struct hall *hall)
{
	loop_post(hall->loop, LOOP_SETTLE, &hall->fill_task);
}

void
hall_look_if_empty(struct hall *hall)
{
	if (hall->stopping && hall_is_empty(hall))
		hall->calls->empty(hall->arg, hall);
}

/* ---- who sits here ---------------------------------------------------- */

const char *
hall_heir_of(const struct hall *hall, const struct sitter *sitter)
{
	struct pairing_bot_view view;
	unsigned i;
	int bot;

	for (i = 0; i < SITTER_BEFORE && sitter->before[i][0] != '\0'; i++) {
		bot = pairing_find(hall->pairing, sitter->before[i]);
		if (bot < 0)
			continue;
		pairing_view(hall->pairing, bot, &view);
		if (view.games > 0)
			return sitter->before[i];
	}
	return NULL;
}

/* What it would enter the ladder with. */
static int64_t
start_of(const struct hall *hall, const struct sitter *sitter)
{
	const char *heir_of = hall_heir_of(hall, sitter);
	struct pairing_bot_view view;

	if (heir_of == NULL)
		return hall->setup.start_milli;
	pairing_view(hall->pairing, pairing_find(hall->pairing, heir_of),
		     &view);
	return view.rating_milli;
}

static int
handle_of(struct hall *hall, const struct sitter *sitter)
{
	struct pairing_known known = {
		.rating_milli = start_of(hall, sitter),
		.entered = hall->counts.rated + hall->counts.settled,
	};
	int bot = pairing_find(hall->pairing, sitter->stands_as);

	if (bot < 0)
		bot = pairing_enter(hall->pairing, sitter->stands_as, &known);
	return bot;
}

static void
keep_sitter(struct hall *hall, unsigned bot, struct sitter *sitter)
{
	unsigned size = hall->sitters;

	if (bot >= size) {
		size = 2 * bot + 16;
		hall->sitter =
			memory(hall->sitter, size * sizeof(*hall->sitter));
		memset(hall->sitter + hall->sitters, 0,
		       (size - hall->sitters) * sizeof(*hall->sitter));
		hall->sitters = size;
	}
	hall->sitter[bot] = sitter;
}

bool
hall_sit(struct hall *hall, struct sitter *sitter)
{
	int bot = handle_of(hall, sitter);

	if (bot < 0)
		return false;
	keep_sitter(hall, (unsigned)bot, sitter);
	pairing_offer(hall->pairing, bot, sitter->ops->room(sitter));
	hall_wake(hall);
	return true;
}

void
hall_hold(struct hall *hall, struct sitter *sitter)
{
	int bot = pairing_find(hall->pairing, sitter->stands_as);

	if (bot >= 0)
		pairing_offer(hall->pairing, bot, 0);
}

bool
hall_hopes(const struct hall *hall, const struct sitter *sitter)
{
	int bot = pairing_find(hall->pairing, sitter->stands_as);
	struct pairing_bot_view view;

	if (bot < 0 || hall->stopping || hall->failing)
		return false;
	pairing_view(hall->pairing, bot, &view);
	return view.bench.until_us <= clock_us() &&
	       hall->counts.running + hall->counts.writing > view.playing;
}

uint64_t
hall_played_us(const struct hall *hall, const struct sitter *sitter)
{
	int bot = pairing_find(hall->pairing, sitter->stands_as);
	struct pairing_bot_view view;

	if (bot < 0)
		return 0;
	pairing_view(hall->pairing, bot, &view);
	return view.ended_us;
}

void
hall_rise(struct hall *hall, struct sitter *sitter)
{
	int bot = pairing_find(hall->pairing, sitter->stands_as);

	if (bot < 0 || (unsigned)bot >= hall->sitters ||
	    hall->sitter[bot] != sitter)
		return;
	pairing_offer(hall->pairing, bot, 0);
	hall->sitter[bot] = NULL;
}

static void
forget(struct hall *hall, struct sitter *sitter, bool lost)
{
	struct run *run;
	unsigned s;

	hall_rise(hall, sitter);
	for (run = hall->runs; run != NULL; run = run->next) {
		for (s = 0; s < SEATS_MAX; s++) {
			if (run->sitter[s] != sitter)
				continue;
			run->sitter[s] = NULL;
			run->lost[s] = lost;
		}
	}
}

void
hall_forget(struct hall *hall, struct sitter *sitter)
{
	forget(hall, sitter, true);
}

void
hall_let_go(struct hall *hall, struct sitter *sitter)
{
	forget(hall, sitter, false);
}

bool
hall_benched(const struct hall *hall, const struct sitter *sitter, char *text,
	     size_t n)
{
	char sentence[PAIRING_BENCH_BYTES];
	int bot = pairing_find(hall->pairing, sitter->stands_as);

	if (bot < 0 ||
	    !pairing_bench_tell(hall->pairing, bot, clock_us(), sentence))
		return false;
	snprintf(text, n, "%s", sentence);
	return true;
}

bool
hall_pardon(struct hall *hall, const char *name)
{
	char sentence[PAIRING_BENCH_BYTES];
	int bot = pairing_find(hall->pairing, name);
	bool benched;

	if (bot < 0)
		return false;
	benched = pairing_bench_tell(hall->pairing, bot, clock_us(), sentence);
	pairing_pardon(hall->pairing, bot);
	hall_wake(hall);
	return benched;
}

/* ---- who meets whom --------------------------------------------------- */

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
		if (!hall_game_begin(hall, &paired)) {
			ask_again_at(hall, clock_us() + HALL_AGAIN_MS * 1000);
			break;
		}
	}
	hall_look_if_empty(hall);
}

static void
on_again(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	hall_wake(arg);
}

/* ---- stopping --------------------------------------------------------- */

void
hall_stop(struct hall *hall)
{
	hall->stopping = true;
	hall_wake(hall);
}

void
hall_abort(struct hall *hall, const char *why)
{
	struct run *run;

	hall->hurried = true;
	hall_rebuild_stop(hall);
	if (hall->failing) /* once more, for the last time */
		hall_game_again(hall);
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
	hall_wake(hall);
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
	hall->counts.missing = (uint64_t)ladder_missing(hall->at.ladder);
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
				  EV_READ | EV_PERSIST, hall_on_writer, hall);
	hall->again = evtimer_new(hall->loop->base, on_again, hall);
	hall->retry = evtimer_new(hall->loop->base, hall_on_retry, hall);
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
	free(hall->sitter);
	free(hall);
}
