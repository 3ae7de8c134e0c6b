/* tests/world/crowd.c - see crowd.h. */
#include "tests/world/crowd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/clock.h"
#include "protocol/text.h"
#include "tests/world/author.h"
#include "tests/world/bots.h"
#include "tests/world/life.h"
#include "tests/world/organiser.h"
#include "tests/world/owner.h"
#include "tests/world/promises.h"
#include "tests/world/proxied.h"
#include "tests/world/spawner-luck.h"
#include "tests/world/subprocess-luck.h"
#include "tests/world/talk.h"
#include "tests/world/watcher.h"
#include "tests/world/world-disk.h"

#define DAY_PACE 600
#define DAY_THINK_US 20000000
#define WATCHERS_MOST 4
#define BEGIN_US 2000000
#define PAUSE_US 3000000
#define STAY_AWAY 100
#define IMPATIENT 100
#define ADDRESSES 40
#define OWNERS_ADDRESS 0x7f000301
#define AUTHORS 600 /* of 1000 remote bots that are not honest */
#define UPLOAD_EACH_US 8000000
#define SLUGGISH 300
#define CALM_BEGIN_US 20000000 /* until all have come */
#define CALM_ASK_US 20000000   /* without an ask */
#define CALM_OVER_US 600000000 /* without the end of a game; some are long */

static const char *paths[64];
static bool stops; /* the daemon was told to stop */

/* Returns how much longer all but the bots wait than in lives of a minute. */
static uint64_t
pace(const struct scenario *scenario)
{
	return scenario->kind == SCENARIO_DAY ? DAY_PACE : 1;
}

/* ---- what bots tell --------------------------------------------------- */

static void
on_read(void *arg UNUSED, const struct bot_about *bot, const char *id,
	unsigned seat, uint64_t number, const char *line)
{
	/* check-rules.c reads it. */
	if (number == 1)
		world_trace("begun: %s seat %u by %s at %" PRId64, id, seat,
			    bot->name[0] == '\0' ? "-" : bot->name,
			    clock_seconds());
	promise_read(id, seat, number, line);
}

static void
offer(const char *before, const char *id, const char *after)
{
	char *path = formatted("%s%s%s", before, id, after);

	watchers_offer(path);
	free(path);
}

static void
on_over(void *arg UNUSED, const struct bot_about *bot, const char *id,
	const char *hash)
{
	promise_over(id, hash);
	world_trace("bot %s %" PRIu64 " reads over %s", bot->name, bot->number,
		    id);
	offer("/games/", id, "");
	offer("/api/1/records/", id, "");
	offer("/api/1/games/", id, "/frames");
	offer("/api/1/games/", id, "/asks");
	offer("/api/1/events?topic=frames:", id, "");
}

static void
on_aborted(void *arg UNUSED, const struct bot_about *bot, const char *id,
	   const char *why)
{
	world_trace("bot %s %" PRIu64 " reads abort %s %s", bot->name,
		    bot->number, id, why);
}

static void
on_gone(void *arg UNUSED, const struct bot_about *bot, const char *id)
{
	world_trace("bot %s %" PRIu64 " reads gone %s", bot->name, bot->number,
		    id);
}

static void
on_charged(void *arg UNUSED, const struct bot_about *bot, const char *id,
	   const char *why, bool away)
{
	if (bot->nature == NATURE_HONEST && !away)
		world_broken("the honest bot %s %" PRIu64
			     " was charged with %s in %s",
			     bot->name, bot->number, why, id);
	world_trace("bot %s %" PRIu64 " is charged with %s in %s", bot->name,
		    bot->number, why, id);
}

static void
on_refused(void *arg UNUSED, const struct bot_about *bot, const char *id,
	   const char *said, const char *made)
{
	world_broken("the honest bot %s %" PRIu64
		     " said %s in %s, and %s was made",
		     bot->name, bot->number, said, id, made);
}

static void
on_waited(void *arg UNUSED, const struct bot_about *bot, const char *id,
	  uint64_t us, uint64_t allowed_us)
{
	/* The daemon aborts its games then, and says so when the records are safe.
	 * So it does when a bot does not start, and a sync may be slow then.
	 * A worker that is killed at the end leaves its bots in the world. */
	if (life_aborts() || world_disk_waits() || spawners_counts.died ||
	    (stops && bot->name[0] == '\0'))
		return;
	world_broken("bot %s %" PRIu64 " has read nothing of %s for %" PRIu64
		     " ms, more than %" PRIu64 " ms",
		     bot->name, bot->number, id, us / 1000, allowed_us / 1000);
}

static void
on_wrong(void *arg UNUSED, const struct bot_about *bot, const char *line,
	 const char *why)
{
	world_broken("bot %s %" PRIu64 " (%s) reads `%.200s`: %s", bot->name,
		     bot->number, nature_names[bot->nature], line, why);
}

static void
on_turned_away(void *arg UNUSED, const struct bot_about *bot,
	       const char *sentence, bool for_good UNUSED)
{
	world_trace("bot %s %" PRIu64 " is turned away: %s", bot->name,
		    bot->number, sentence);
	/* The tokens of honest bots are never taken away. */
	if (bot->nature == NATURE_HONEST && strstr(sentence, "token") != NULL)
		world_broken("the honest bot %s is turned away: %s", bot->name,
			     sentence);
}

static const struct bot_calls bot_calls = {
	.read = on_read,
	.over = on_over,
	.aborted = on_aborted,
	.gone = on_gone,
	.charged = on_charged,
	.refused = on_refused,
	.waited = on_waited,
	.wrong = on_wrong,
	.turned_away = on_turned_away,
};

static void
on_wrong_answer(void *arg UNUSED, const char *path, unsigned status,
		const char *why)
{
	world_broken("GET %s, %u: %s", path, status, why);
}

static const struct watcher_calls watcher_calls = { .wrong = on_wrong_answer };

/* ---- who comes -------------------------------------------------------- */

static uint32_t
draw_address(struct dice *dice)
{
	return (uint32_t)(0x7f000101 + dice_draw(dice, ADDRESSES));
}

static void
begin_remote(const struct scenario *scenario, const struct scenario_bot *bot,
	     struct dice *dice)
{
	const struct remote_setup setup = {
		.nature = nature_read(bot->nature),
		.name = bot->name,
		.token = bot->token,
		.ladders = scenario->ladder[bot->ladder].name,
		.port = SCENARIO_BOTS_PORT,
		.address = draw_address(dice),
		.multi = dice_often(dice, 500),
		.entropy = dice_often(dice, 500),
		.games = 1 + (unsigned)dice_draw(dice, 6),
		.begin_us = BEGIN_US,
		.stay_away = STAY_AWAY,
	};

	remote_begin(&setup);
}

/* An honest bot must stay one, so its author is content with it. */
static void
begin_author(const struct scenario *scenario, const struct scenario_bot *bot,
	     struct dice *dice)
{
	const struct author_setup setup = {
		.port = SCENARIO_PAGES_PORT,
		.address = draw_address(dice),
		.name = bot->name,
		.token = bot->token,
		.owner = bot->owner,
		.ladder = scenario->ladder[bot->ladder].name,
		.each_us = UPLOAD_EACH_US * pace(scenario),
	};

	if (nature_read(bot->nature) != NATURE_HONEST &&
	    dice_often(dice, AUTHORS))
		author_begin(&setup);
}

static void
fill_paths(const struct scenario *scenario)
{
	static const char *const fixed[] = {
		"/",	    "/about",	      "/rules",
		"/live",    "/tournaments",   "/projector",
		"/metrics", "/healthz",	      "/api",
		"/nothing", "/api/1/ladders", "/queue",
	};
	static const struct {
		const char *before, *after;
	} of_ladder[] = {
		{ "/api/1/events?topic=ladder:", "" },
		{ "/ladders/", "" },
		{ "/ladders/", "/cross" },
		{ "/ladders/", "/games" },
		/* The form shows what was asked. */
		{ "/ladders/", "/games?since=%22%3E%3Cb%20x%3D%27%26" },
		{ "/api/1/ladders/", "" },
		{ "/api/1/ladders/", "/games" },
		{ "/api/1/ladders/", "/running" },
		{ "/projector/", "" },
	};
	size_t n = 0, i;
	unsigned ladder;

	for (i = 0; i < NELEM(fixed); i++)
		paths[n++] = fixed[i];
	for (ladder = 0; ladder < scenario->ladders; ladder++)
		for (i = 0; i < NELEM(of_ladder); i++)
			paths[n++] = formatted("%s%s%s", of_ladder[i].before,
					       scenario->ladder[ladder].name,
					       of_ladder[i].after);
	for (i = 0; i < scenario->bots && i < 8; i++) {
		paths[n++] = formatted("/bots/%s", scenario->bot[i].name);
		paths[n++] = formatted("/api/1/bots/%s", scenario->bot[i].name);
	}
}

/* A bot has no page before its first game. */
static bool
may_lack(const char *path)
{
	static const char *const begins[] = { "/nothing", "/queue", "/bots/",
					      "/api/1/bots/" };

	for (size_t i = 0; i < NELEM(begins); i++)
		if (strncmp(path, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

void
crowd_begin(const struct scenario *scenario, unsigned life)
{
	struct dice dice = dice_of("crowd", life);
	struct watcher_setup watcher = { .port = SCENARIO_PAGES_PORT,
					 .paths = paths,
					 .pause_us = PAUSE_US * pace(scenario),
					 .may_lack = may_lack,
					 .impatient = IMPATIENT };
	uint64_t watchers = dice_draw(&dice, WATCHERS_MOST + 1);
	unsigned i;

	bots_tell(&bot_calls, NULL);
	if (scenario->kind == SCENARIO_DAY)
		bots_think_us = DAY_THINK_US;
	watchers_tell(&watcher_calls, NULL);
	for (i = 0; i < scenario->ladders; i++)
		watchers_tell_games |= scenario->ladder[i].term.freezes != 0;
	fill_paths(scenario);
	for (i = 0; i < scenario->bots; i++)
		if (scenario->bot[i].remote) {
			begin_remote(scenario, &scenario->bot[i], &dice);
			begin_author(scenario, &scenario->bot[i], &dice);
		}
	for (i = 0; i < scenario->owners; i++)
		if (scenario->owner[i].account)
			owner_begin(scenario, i, OWNERS_ADDRESS + i);
	proxied_begin(SCENARIO_PAGES_PORT, SCENARIO_PROXY,
		      scenario->ladder[0].name, scenario->watchers);
	for (; watchers > 0; watchers--) {
		watcher.address = draw_address(&dice);
		watcher_begin(&watcher);
	}
}

void
crowd_stopping(void)
{
	stops = true;
	watchers_stop();
	authors_stop();
	owners_stop();
}

void
crowd_end(void)
{
	talks_close();
}

/* The daemon stops then, as after a signal. */
static void
on_spawner_died(void)
{
	organiser_end();
	crowd_stopping();
}

void
crowd_draw_luck(unsigned life)
{
	struct dice dice = dice_of("luck", life);

	if (dice_often(&dice, 300)) {
		spawner_luck.machine_fails = (unsigned)dice_draw(&dice, 50);
		spawner_luck.bot_fails = (unsigned)dice_draw(&dice, 300);
	}
	spawner_luck.over = (unsigned)dice_draw(&dice, 500);
	if (dice_often(&dice, 60))
		spawner_luck.dies_us = 1 + dice_draw(&dice, 60000000);
	spawner_luck.died = on_spawner_died;
	spawner_luck_begin();
	if (dice_often(&dice, 300)) {
		subprocess_luck.crashes = (unsigned)dice_draw(&dice, 300);
		subprocess_luck.hangs = (unsigned)dice_draw(&dice, 200);
		subprocess_luck.garbles = (unsigned)dice_draw(&dice, 300);
	}
	subprocess_luck.refuses = (unsigned)dice_draw(&dice, 400);
	bots_sluggish = SLUGGISH;
}

/* Returns true if a bot may meet every other. */
static bool
is_free(const struct scenario *scenario, const struct scenario_bot *bot)
{
	return scenario->ladder[bot->ladder].same_owner ||
	       bot->owner[0] == '\0';
}

/* Says that too little was played, where nothing went wrong.  A ladder on which enough
 * honest bots of this machine are plays at least one game at a time, most of the
 * time. */
void
crowd_check_calm(const struct scenario *scenario, uint64_t us)
{
	const uint64_t lasted = us < CALM_BEGIN_US ? 0 : us - CALM_BEGIN_US;
	unsigned ladder, i, bots;

	for (ladder = 0; ladder < scenario->ladders; ladder++) {
		for (bots = i = 0; i < scenario->bots; i++)
			bots += scenario->bot[i].ladder == ladder &&
				is_free(scenario, &scenario->bot[i]);
		if (bots < scenario->ladder[ladder].seats)
			continue;
		if (bots_counts.asks < lasted / CALM_ASK_US ||
		    bots_counts.over < lasted / CALM_OVER_US)
			world_broken("%u honest bots on %s, for %" PRIu64
				     " s: found only %" PRIu64
				     " asks and %" PRIu64 " times `over`",
				     bots, scenario->ladder[ladder].name,
				     us / 1000000, bots_counts.asks,
				     bots_counts.over);
	}
}

void
crowd_report(void)
{
	const struct bots_counts *bots = &bots_counts;
	const struct watchers_counts *watchers = &watchers_counts;

	world_trace("bots: %" PRIu64 " games, %" PRIu64 " asks, %" PRIu64
		    " answers, %" PRIu64 " over, %" PRIu64 " aborted, %" PRIu64
		    " gone, %" PRIu64 " faults, %" PRIu64
		    " connections, waited %" PRIu64 " us",
		    bots->games, bots->asks, bots->answers, bots->over,
		    bots->aborted, bots->gone, bots->faults, bots->connections,
		    bots->longest_us);
	world_trace("programs: %" PRIu64 " starts, %" PRIu64 " failed, %" PRIu64
		    " ended, %u run",
		    spawners_counts.starts, spawners_counts.failed,
		    spawners_counts.ended, spawners_counts.running);
	world_trace("processes: %" PRIu64 " starts, %" PRIu64 " ended, %" PRIu64
		    " killed, %" PRIu64 " crashed",
		    subprocesses_counts.starts, subprocesses_counts.ended,
		    subprocesses_counts.killed, subprocesses_counts.crashed);
	world_trace("authors: %" PRIu64 " uploads, %" PRIu64 " taken, %" PRIu64
		    " refused, %" PRIu64 " broken off",
		    authors_counts.uploads, authors_counts.taken,
		    authors_counts.refused, authors_counts.broken_off);
	world_trace("owners: %" PRIu64 " requests, %" PRIu64 " done, %" PRIu64
		    " refused, %" PRIu64 " broken off",
		    owners_counts.requests, owners_counts.done,
		    owners_counts.refused, owners_counts.broken_off);
	world_trace(
		"watchers: %" PRIu64 " requests, %" PRIu64 " answers, %" PRIu64
		" 2xx, %" PRIu64 " 3xx, %" PRIu64 " 4xx, %" PRIu64
		" 5xx, %" PRIu64 " events, longest %" PRIu64 " us",
		watchers->requests, watchers->answers, watchers->status[2],
		watchers->status[3], watchers->status[4], watchers->status[5],
		watchers->events, watchers->longest_us);
}
