/* referee/web/api.c - see api.h. */
#include "referee/web/api.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "protocol/date.h"
#include "referee/base/json-line.h"
#include "referee/base/serve-limits.h"
#include "referee/data/ladder-json.h"
#include "referee/scheduler/scheduler-recall.h"
#include "referee/scheduler/who.h"
#include "referee/web/api-bots.h"
#include "referee/web/api-standings.h"
#include "referee/web/page-ask.h"
#include "referee/web/page-cache.h"

/* Answers with the object and takes it over. */
static void
answer_json(struct http_request *request, json_t *json)
{
	struct text text = { .max = SIZE_MAX };

	json_text(json, 7, &text);
	page_send(request, 200, PAGE_JSON, &text);
}

void
api_metrics(struct pages *pages, struct http_request *request,
	    const struct page_path *none UNUSED)
{
	struct text out = { .max = SERVE_METRICS_BYTES };

	pages->metrics(pages->arg, &out);
	page_send(request, 200, "text/plain; version=0.0.4; charset=utf-8",
		  &out);
}

void
api_healthz(struct pages *pages, struct http_request *request,
	    const struct page_path *none UNUSED)
{
	struct text out = { .max = SERVE_METRICS_BYTES };
	bool healthy;

	healthy = pages->healthy(pages->arg, &out);
	page_send(request, healthy ? 200 : 503, PAGE_PLAIN, &out);
}

/* ---- ladders ---------------------------------------------------------- */

/* Returns the date, or NULL for 0. */
static const char *
date_of(int64_t seconds, char date[DATE_BYTES])
{
	date_write(seconds, date);
	return seconds == 0 ? NULL : date;
}

static json_t *
ladder_object(const struct pages *pages, unsigned place)
{
	const struct scheduler *scheduler = pages->ladders->scheduler[place];
	const struct config_ladder *setup = scheduler_setup(scheduler);
	const struct scheduler_counts *counts = scheduler_counts(scheduler);
	struct ladder_pool pool;
	json_t *json;

	const int64_t frozen = scheduler_frozen(scheduler);
	char begins[DATE_BYTES], freezes[DATE_BYTES], ends[DATE_BYTES];

	scheduler_pool(setup, &pool);
	json = JSON_OBJECT(
		TEXT("ladder", setup->name), TEXT("game", pool.game),
		TEXT("options", pool.options), INT("seats", pool.seats),
		TEXT("open", pool.arrival ? "arrival" : "priority"),
		BOOL("closing", (pages->ladders->closing >> place & 1)),
		INT("bots_sitting",
		    scheduler_bots_sitting(scheduler_bots(scheduler))),
		INT("games_running", counts->running),
		INT("games_rated", counts->games),
		INT("games_aborted", counts->aborted),
		INT("starved", counts->starved),
		TEXT_IF("why", scheduler_blocked(scheduler)),
		TEXT_IF("begins", date_of(setup->begins, begins)),
		TEXT_IF("freezes", date_of(setup->freezes, freezes)),
		JSON_IF("frozen", frozen != 0 ? json_true() : NULL),
		TEXT_IF("ends", date_of(setup->ends, ends)),
		INT_IF("games_a_day", setup->games_a_day != 0,
		       (json_int_t)setup->games_a_day));
	ladder_season_json(json, scheduler_season(scheduler));
	return json;
}

void
api_ladders(struct pages *pages, struct http_request *request,
	    const struct page_path *none UNUSED)
{
	struct scheduler *scheduler;
	json_t *all = json_array();

	LADDERS_EACH (pages->ladders, scheduler, i)
		json_array_append_new(all, ladder_object(pages, i));
	answer_json(request, JSON_OBJECT(JSON("ladders", all)));
}

/* The standings of a ladder, after the other facts about it. */
struct ladder_ask {
	struct page_ask ask; /* first */
	char path[LADDER_PATH_BYTES];
	struct ladder_pool pool;
};

static void
read_ladder(struct page_ask *ask)
{
	const struct ladder_ask *ladder = (struct ladder_ask *)ask;

	if (api_standings_read(ladder->path, &ladder->pool, &ask->text,
			       &ask->why) < 0)
		ask->code = 503;
	text_str(&ask->text, "}");
}

static const struct page_maker ladder_maker = {
	.type = PAGE_JSON,
	.most = SIZE_MAX,
	.make = read_ladder,
	.unread = PAGE_UNREAD_LADDER,
	.event = "ladder-unread",
};

void
api_ladder(struct pages *pages, struct http_request *request,
	   const struct page_path *names)
{
	const char *name = names->name[0];
	const int place = page_find_ladder(pages, request, name);
	const struct scheduler *scheduler;
	struct ladder_ask *ladder;
	char key[PAGE_KEY_BYTES];
	struct text *text;
	uint64_t changes;

	if (place < 0)
		return;
	scheduler = pages->ladders->scheduler[place];
	changes = pages->changes + scheduler_counts(scheduler)->games +
		  scheduler_counts(scheduler)->fits;
	ladder = page_ask_new(pages, request, sizeof(*ladder), &ladder_maker);
	scheduler_pool(scheduler_setup(scheduler), &ladder->pool);
	scheduler_shown_path(scheduler, ladder->path);
	text = &ladder->ask.text;
	json_text(ladder_object(pages, (unsigned)place), 7, text);
	text->used -= strlen("}");
	text_str(text, ",\"standings\":");
	snprintf(key, sizeof(key), "json %s", name);
	page_ask_keep(&ladder->ask, key,
		      page_version(changes, text->bytes, text->used));
}

/* ---- running games ---------------------------------------------------- */

static void
add_running(void *arg, const char *id, const char name[][NAME_BYTES + 1],
	    unsigned seats, bool elsewhere)
{
	json_t *bots = json_array();

	for (unsigned s = 0; s < seats; s++)
		json_array_append_new(bots, json_string(name[s]));
	JSON_PUSH(arg, TEXT("id", id), JSON("bots", bots),
		  BOOL("elsewhere", elsewhere));
}

void
api_running(struct pages *pages, struct http_request *request,
	    const struct page_path *names)
{
	const char *name = names->name[0];
	const int place = page_find_ladder(pages, request, name);
	json_t *running;

	if (place < 0)
		return;
	running = json_array();
	scheduler_games_each(scheduler_games(pages->ladders->scheduler[place]),
			     add_running, running);
	answer_json(request,
		    JSON_OBJECT(TEXT("ladder", name), JSON("games", running)));
}

/* ---- bots ------------------------------------------------------------- */

static json_t *
bot_object(const struct scheduler *scheduler, const struct scheduler_bot *bot)
{
	/* Frozen standings must not be read from what has moved since. */
	const bool shown = scheduler_frozen(scheduler) == 0;

	return JSON_OBJECT(
		TEXT("ladder", scheduler_name(scheduler)),
		INT_IF("live_elo_milli", shown, bot->rating_milli),
		JSON_IF("paired_at",
			shown ? json_real((double)bot->paired_milli / 1000)
			      : NULL),
		INT("games", bot->games), INT("playing", bot->playing),
		BOOL("sits", bot->sits), BOOL("suspended", bot->suspended),
		JSON_IF("faults", shown ? json_faults(bot->faults) : NULL),
		TEXT_IF("why",
			shown && bot->suspended ? bot->suspension : NULL));
}

json_t *
api_bot_ladders(const struct pages *pages, const char *stands_as)
{
	json_t *ladders = json_array();
	struct scheduler *scheduler;
	struct scheduler_bot bot;

	LADDERS_EACH (pages->ladders, scheduler, i)
		if (scheduler_bots_tell(scheduler_bots(scheduler), stands_as,
					&bot))
			json_array_append_new(ladders,
					      bot_object(scheduler, &bot));
	return ladders;
}

void
api_bot(struct pages *pages, struct http_request *request,
	const struct page_path *names)
{
	const char *name = names->name[0];
	const struct remote_bot *remote;
	char first[NAME_BYTES + 1];
	char who[NAME_BYTES + 1];
	char why[API_BOTS_WHY_BYTES];
	struct roster_bot own;
	json_t *ladders;

	if (!page_ask_who(pages, request, who))
		return;
	who_look_up(pages->roster, name, &own);
	/* The owner of a bot is shown to the bot alone. */
	if (strcmp(who, own.name) != 0)
		own.owner[0] = '\0';
	remote = remote_bots_find(pages->remotes, own.name);
	who_stands_as(pages->roster, name, first);
	ladders = api_bot_ladders(pages, first);
	api_bots_why(pages, own.name, why);
	if (why[0] == '\0')
		api_bots_why_version(pages, first, why);
	if (remote != NULL && !remote->here && remote->why[0] != '\0')
		snprintf(why, sizeof(why), "%.400s", remote->why);
	if (remote == NULL && json_array_size(ladders) == 0 && why[0] == '\0') {
		json_decref(ladders);
		http_refuse(request, 404, "unknown bot name");
		return;
	}
	answer_json(
		request,
		JSON_OBJECT(TEXT("bot", name), TEXT_SOME("owner", own.owner),
			    BOOL("here", remote != NULL && remote->here),
			    TEXT_SOME("why", why), JSON("ladders", ladders)));
}
