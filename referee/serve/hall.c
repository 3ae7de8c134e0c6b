/* referee/serve/hall.c - see hall.h; its games are in hall-game.c. */
#include "referee/serve/hall-inside.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/serve/hall-recall.h"
#include "referee/serve/resident.h"

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

/* Of those before it the latest that has a rating.  One whose first game still
 * runs has none: if that ended later, the heir would enter with the rating of a
 * bot that nobody knows. */
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
		if (view.games > view.playing)
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

void
hall_rate_newcomers(struct hall *hall)
{
	struct pairing_bot_view view;
	unsigned i;

	for (i = 0; i < hall->sitters; i++) {
		if (hall->sitter[i] == NULL)
			continue;
		pairing_view(hall->pairing, (int)i, &view);
		if (view.games == view.playing)
			pairing_rate(hall->pairing, (int)i,
				     start_of(hall, hall->sitter[i]));
	}
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

static bool
is_guest(const struct sitter *sitter)
{
	return sitter != NULL && sitter_resident(sitter) == NULL;
}

/* Or nobody: NULL. */
static void
set_sitter(struct hall *hall, unsigned bot, struct sitter *sitter)
{
	hall->guests -= is_guest(hall->sitter[bot]);
	hall->guests += is_guest(sitter);
	hall->sitter[bot] = sitter;
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
	set_sitter(hall, bot, sitter);
}

/* For how many more games it is wanted here.  A slow bot that plays many at a
 * time would else have all tables, and nobody else one.  Bots of this machine
 * are bounded by `residents`. */
static unsigned
room_of(const struct hall *hall, int bot, const struct sitter *sitter)
{
	unsigned room = sitter->ops->room(sitter), most;
	struct pairing_bot_view view;

	if (!is_guest(sitter))
		return room;
	most = ((unsigned)hall->setup.at_once + 1) / 2;
	if (hall->setup.same_bot_twice) /* seats */
		most *= hall->setup.setup.seats;
	pairing_view(hall->pairing, bot, &view);
	most = most > view.playing ? most - view.playing : 0;
	return room < most ? room : most;
}

bool
hall_sit(struct hall *hall, struct sitter *sitter)
{
	int bot = handle_of(hall, sitter);

	hall->counts.offers++;
	if (bot < 0)
		return false;
	keep_sitter(hall, (unsigned)bot, sitter);
	pairing_tie(hall->pairing, bot, !is_guest(sitter));
	pairing_once(hall->pairing, bot, is_guest(sitter));
	pairing_own(hall->pairing, bot, sitter->owner);
	pairing_offer(hall->pairing, bot, room_of(hall, bot, sitter));
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
	set_sitter(hall, (unsigned)bot, NULL);
	if (hall->blocked)
		hall_wake(hall); /* it may be so no more */
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

/* False: nobody who sits here can begin a game, so none is looked for. */
static bool
look_who_may(struct hall *hall)
{
	bool full = hall->calls->full(hall->arg);

	pairing_hold(hall->pairing, full);
	return !full || hall->guests > 0;
}

const char *
hall_blocked(const struct hall *hall)
{
	return hall->blocked ? hall->why : NULL;
}

static bool
sits(const void *arg, int bot)
{
	const struct hall *hall = arg;

	return (unsigned)bot < hall->sitters && hall->sitter[bot] != NULL;
}

/* Nobody shall think that the ladder is idle for no reason. */
static void
look_if_blocked(struct hall *hall)
{
	bool was = hall->blocked;
	unsigned bots, apart;

	hall->blocked =
		pairing_blocked(hall->pairing, sits, hall, &bots, &apart);
	if (!hall->blocked || was)
		return;
	snprintf(hall->why, sizeof(hall->why),
		 "%u bots are here, but a table needs %u of different owners, "
		 "and so many could meet: %u (same-owner = no)",
		 bots, hall->setup.setup.seats, apart);
	hall_log(hall, LOG_LEVEL_WARN, "owners-kept-apart", hall->why);
}

/* A game could not be had a moment ago. */
static bool
is_calm(const struct hall *hall)
{
	return hall->calm_us > clock_us();
}

static void
fill(struct loop_task *task)
{
	struct hall *hall = (struct hall *)((char *)task -
					    offsetof(struct hall, fill_task));
	struct pairing_table paired;
	uint64_t again_us;

	while (!hall->stopping && !hall->failing && !is_calm(hall) &&
	       hall->counts.running + hall->counts.writing <
		       hall->setup.at_once &&
	       look_who_may(hall)) {
		hall->counts.searches++;
		if (!pairing_next(hall->pairing, clock_us(), &paired,
				  &again_us)) {
			look_if_blocked(hall);
			ask_again_at(hall, again_us);
			break;
		}
		hall->blocked = false;
		if (!hall_game_begin(hall, &paired))
			break;
	}
	if (is_calm(hall))
		ask_again_at(hall, hall->calm_us);
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
	struct run *run, *next;

	hall->hurried = true;
	hall_rebuild_stop(hall);
	if (hall->failing) /* once more, for the last time */
		hall_game_again(hall);
	for (run = hall->runs; run != NULL; run = next) {
		next = run->next; /* one that waits is gone at once */
		dispatch_abort(hall->dispatch, &run->game, why);
	}
}

/* ---- records that are not kept ----------------------------------------- */

static void
on_pruned(evutil_socket_t fd, short what, void *arg)
{
	struct hall *hall = arg;
	char why[HALL_PRUNE_WHY_BYTES];
	struct hall_prune_done done;
	struct log_line line;
	int result = hall_prune_told(hall->prune, &done, why);

	(void)fd;
	(void)what;
	if (result > 0)
		return;
	hall->counts.prune_runs++;
	hall->counts.prune_failures += result < 0;
	hall->counts.pruned += done.pruned;
	log_begin(&line, hall->logger,
		  result < 0 ? LOG_LEVEL_ERROR : LOG_LEVEL_INFO,
		  result < 0 ? "prune-fails" : "records-pruned");
	log_str(&line, "ladder", hall->setup.name);
	log_num(&line, "pruned", done.pruned);
	log_num(&line, "limit", done.limit);
	log_str(&line, "more", done.more ? "yes" : "no");
	if (result < 0)
		log_str(&line, "why", why);
	log_end(&line);
}

/* As `keep-days` is now.  False, and errno: there is no thread. */
static bool
set_prune(struct hall *hall)
{
	const unsigned days = (unsigned)hall->setup.keep_days;
	char path[LADDER_PATH_BYTES];

	if (hall->prune != NULL)
		hall_prune_set(hall->prune, days);
	if (hall->prune != NULL || days == 0)
		return true;
	hall_path(hall, path);
	hall->prune = hall_prune_new(path, hall->at.records, days);
	if (hall->prune == NULL)
		return false;
	hall->prune_told =
		event_new(hall->loop->base, hall_prune_fd(hall->prune),
			  EV_READ | EV_PERSIST, on_pruned, hall);
	if (hall->prune_told == NULL)
		bug("out of memory");
	event_add(hall->prune_told, NULL);
	return true;
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
	pairing_set_apart(hall->pairing, hall_apart(ladder));
	if (!set_prune(hall))
		hall_log(hall, LOG_LEVEL_ERROR, "prune-fails", strerror(errno));
	hall_wake(hall);
}

/* ---- opening ---------------------------------------------------------- */

static void
take_past(struct hall *hall, struct hall_opening *opening)
{
	hall->setup = opening->setup;
	memcpy(hall->dir, opening->dir, sizeof(hall->dir));
	hall->at = opening->at;
	hall->pairing = opening->pairing;
	hall->counts.settled = hall->at.settled;
	hall->counts.lost = hall->at.lost;
	hall->counts.missing = (uint64_t)ladder_missing(hall->at.ladder);
	free(opening);
	hall_ladder_tell(&hall->at, &hall->setup, hall->logger);
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
	if (set_prune(hall))
		return 0;
	snprintf(why, HALL_WHY_BYTES, "cannot start a thread: %s",
		 strerror(errno));
	return -1;
}

struct hall *
hall_open(struct loop *loop, struct logger *logger, struct dispatch *dispatch,
	  struct hall_opening *opening, const struct hall_calls *calls,
	  void *arg, char why[HALL_WHY_BYTES])
{
	struct hall *hall = memory(NULL, sizeof(*hall));

	memset(hall, 0, sizeof(*hall));
	hall->loop = loop;
	hall->logger = logger;
	hall->dispatch = dispatch;
	hall->calls = calls;
	hall->arg = arg;
	hall->fill_task.run = fill;
	take_past(hall, opening);
	if (open_writer(hall, why) == 0 && open_prune(hall, why) == 0)
		return hall;
	hall_close(hall);
	return NULL;
}

void
hall_close_events(struct hall *hall)
{
	loop_cancel(hall->loop, &hall->fill_task);
	if (hall->written != NULL) {
		event_free(hall->written);
		event_free(hall->again);
		event_free(hall->retry);
	}
	if (hall->prune_told != NULL)
		event_free(hall->prune_told);
}

void
hall_close_files(struct hall *hall)
{
	hall_prune_free(hall->prune);
	writer_free(hall->writer);
	hall_ladder_close(&hall->at);
	pairing_free(hall->pairing);
	free(hall->sitter);
	free(hall);
}

void
hall_close(struct hall *hall)
{
	hall_close_events(hall);
	hall_close_files(hall);
}
