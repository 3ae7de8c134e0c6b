/* referee/web/owner-view.c - see api.h.
 *
 * The loop notes what it knows about the bots; a thread adds what ladders have
 * of them. */
#include "referee/web/api.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ladder/roster-owner.h"
#include "protocol/clock.h"
#include "protocol/date.h"
#include "protocol/message.h"
#include "referee/base/json-line.h"
#include "referee/base/serve-limits.h"
#include "referee/data/ladder-json.h"
#include "referee/data/owner.h"
#include "referee/pages/standings.h"
#include "referee/scheduler/who.h"
#include "referee/web/api-bots.h"
#include "referee/web/owner-games.h"
#include "referee/web/page-ask.h"
#include "referee/web/trials.h"

/* All that is asked for about an owner. */
struct view_ask {
	struct page_ask ask; /* first */
	struct owner_wish wish;
	struct ladder_pool pool[LADDER_PLACES]; /* of each shelf */
	struct roster *roster;			/* for the loop alone */
	json_t *answer;				/* of owner_view; owned */
	char data[CONFIG_PATH_BYTES + 1];	/* of owner_view */
	struct owner_tar *tar;			/* of the records; owned */
};

static void
release(struct page_ask *ask)
{
	struct view_ask *view = (struct view_ask *)ask;

	json_decref(view->answer);
	owner_tar_free(view->tar);
	owner_wish_release(&view->wish);
}

static void
add_shelves(struct view_ask *view, const char *ladder)
{
	struct owner_wish *wish = &view->wish;
	struct scheduler *scheduler;

	LADDERS_EACH (view->ask.pages->ladders, scheduler, i) {
		if (ladder[0] != '\0' &&
		    strcmp(ladder, scheduler_name(scheduler)) != 0)
			continue;
		scheduler_pool(scheduler_setup(scheduler),
			       &view->pool[wish->shelves]);
		page_shelf(scheduler, ADDED(wish->shelf, wish->shelves));
	}
}

static void
add_bot(void *arg, const char *name)
{
	struct view_ask *view = arg;
	struct owner_bot *bot = ADDED(view->wish.bot, view->wish.bots);

	snprintf(bot->name, sizeof(bot->name), "%s", name);
	text_init(&bot->names, SIZE_MAX);
	who_stood_as(view->roster, name, &bot->names);
	(void)text_string(&bot->names);
}

/* Adds all bots of the owner, or the one of that name if it is not "".  Returns
 * false if the request was refused. */
static bool
add_bots(struct view_ask *view, const char *name)
{
	struct http_request *request = view->ask.request;
	struct roster_bot bot;
	struct error why;

	view->roster = view->ask.pages->roster;
	if (name[0] == '\0') {
		if (roster_owner_bots(view->roster, view->wish.owner, add_bot,
				      view, &why) == 0)
			return true;
		return http_refuse(
			request, 503,
			"the referee cannot look up your bots now; try "
			"again later");
	}
	who_look_up(view->roster, name, &bot);
	if (bot.number == 0 || bot.state == ROSTER_DELETED ||
	    strcmp(bot.owner, view->wish.owner) != 0)
		return http_refuse(request, 404, "you have no such bot");
	add_bot(view, bot.name);
	return true;
}

/* ---- bots ------------------------------------------------------------- */

static json_t *
day_json(int64_t day)
{
	char text[DATE_BYTES];

	roster_write_day(day, text);
	return text[0] == '\0' ? NULL : json_string(text);
}

/* The running games of a bot. */
struct running {
	const char *names, *ladder;
	json_t *games;
};

static void
add_running(void *arg, const char *id, const char name[][NAME_BYTES + 1],
	    unsigned seats, bool elsewhere)
{
	struct running *running = arg;

	for (unsigned s = 0; s < seats; s++) {
		if (!who_is_among(running->names, name[s]))
			continue;
		JSON_PUSH(running->games, TEXT("id", id),
			  TEXT("ladder", running->ladder),
			  BOOL("elsewhere", elsewhere));
		return;
	}
}

static json_t *
list_running(const struct pages *pages, const char *names)
{
	struct running running = { names, NULL, json_array() };
	struct scheduler *scheduler;

	LADDERS_EACH (pages->ladders, scheduler, i) {
		running.ladder = scheduler_name(scheduler);
		scheduler_games_each(scheduler_games(scheduler), add_running,
				     &running);
	}
	return running.games;
}

/* Lists the different names of who_stood_as(). */
static json_t *
list_names(const char *names)
{
	json_t *all = json_array();
	char name[NAME_BYTES + 1];
	size_t n;

	while ((n = strcspn(names, " ")) > 0) {
		snprintf(name, sizeof(name), "%.*s", (int)n, names);
		names += n + 1;
		if (!who_is_among(names, name))
			json_array_append_new(all, json_string(name));
	}
	return all;
}

/* Returns how the trial of a bot goes, without its table and games; NULL: it has
 * none. */
static json_t *
trial_json(const struct pages *pages, int64_t number)
{
	json_t *told = trials_tell(pages->trials, number);

	if (told != NULL) {
		(void)!json_object_del(told, "table");
		(void)!json_object_del(told, "played");
	}
	return told;
}

static json_t *
bot_object(const struct pages *pages, struct owner_bot *bot)
{
	char stands_as[NAME_BYTES + 1];
	struct roster_entry entry;
	struct roster_bot known;
	bool local;
	int place;

	who_look_up(pages->roster, bot->name, &known);
	bot->number = known.number;
	local = who_is_local(pages->roster, bot->name, &entry);
	who_stands_as(pages->roster, bot->name, stands_as);
	place = uploads_place(pages->uploads, known.number);
	return JSON_OBJECT(
		TEXT("bot", bot->name),
		TEXT("state", roster_state_word(known.state)),
		TEXT_SOME("why", known.reason), BOOL("token", known.has_token),
		JSON_IF("token_used", day_json(known.token_used)),
		TEXT("plays_as", stands_as),
		TEXT_IF("version",
			local && entry.version[0] ? entry.version : NULL),
		JSON("names", list_names(bot->names.bytes)),
		INT_IF("before", place >= 0, place),
		JSON_IF("trial", trial_json(pages, known.number)),
		JSON("running", list_running(pages, bot->names.bytes)),
		JSON("ladders", api_bot_ladders(pages, stands_as)));
}

/* Adds to the bots whose last upload failed when and why. */
static void
add_failed(const struct view_ask *view, json_t *bots)
{
	for (unsigned i = 0; i < view->wish.bots; i++)
		JSON_ADD(
			json_array_get(bots, i),
			JSON_IF("failed_upload",
				api_bots_failed_upload(
					view->data, view->wish.bot[i].number)));
}

/* Adds to each bot where it stands on this ladder. */
static void
add_elo(json_t *bots, const char *ladder, const struct standings *standings)
{
	const struct standings_row *row;
	json_t *bot, *at;
	size_t i, j;

	json_array_foreach(bots, i, bot)
	{
		row = standings_find(
			standings,
			json_string_value(json_object_get(bot, "plays_as")));
		json_array_foreach(json_object_get(bot, "ladders"), j, at)
		{
			if (row == NULL ||
			    strcmp(json_string_value(
					   json_object_get(at, "ladder")),
				   ladder) != 0)
				continue;
			fit_rows_json(at, row->fit, row->before);
		}
	}
}

/* Reads the standings of a ladder, which has no file before its first game. */
static int
read_elo(const struct view_ask *view, unsigned i, json_t *bots,
	 struct error *why)
{
	const struct record_shelf *shelf = &view->wish.shelf[i];
	struct roster_marks *marks;
	struct standings standings;
	struct ladder *ladder;
	int result;

	if (access(shelf->shown, F_OK) < 0 && errno == ENOENT)
		return 0;
	result = owner_open_ladder(shelf->shown, &ladder, &marks, why);
	if (result == 0)
		result = standings_read(ladder, &view->pool[i], false,
					&standings, why);
	if (result == 0) {
		add_elo(bots, shelf->name, &standings);
		standings_release(&standings);
	}
	ladder_close(ladder);
	roster_marks_free(marks);
	return result;
}

static void
make_view(struct page_ask *ask)
{
	struct view_ask *view = (struct view_ask *)ask;
	json_t *bots = json_object_get(view->answer, "bots");

	for (unsigned i = 0; i < view->wish.shelves; i++)
		if (read_elo(view, i, bots, &ask->why) < 0) {
			ask->code = 503;
			return;
		}
	add_failed(view, bots);
	json_text(view->answer, 7, &ask->text);
	view->answer = NULL;
}

static const struct page_maker view_maker = {
	.type = PAGE_JSON,
	.most = SIZE_MAX,
	.make = make_view,
	.release = release,
	.unread = PAGE_UNREAD_LADDER,
	.event = "ladder-unread",
};

/* Begins an answer about the owner in the path.  Returns NULL if the request was
 * refused. */
static struct view_ask *
begin(struct pages *pages, struct http_request *request,
      const struct page_path *path, const struct page_maker *maker)
{
	char name[NAME_BYTES + 1];
	struct view_ask *view;

	if (!page_is_this_owner(pages, request, path->name[0], name))
		return NULL;
	view = page_ask_new(pages, request, sizeof(*view), maker);
	memcpy(view->wish.owner, name, sizeof(name));
	return view;
}

void
owner_view(struct pages *pages, struct http_request *request,
	   const struct page_path *path)
{
	struct view_ask *view = begin(pages, request, path, &view_maker);
	struct roster_owner owner;
	struct error ignored;
	json_t *bots;

	if (view == NULL)
		return;
	add_shelves(view, "");
	if (!add_bots(view, "")) {
		page_ask_drop(&view->ask);
		return;
	}
	if (roster_owner_find(pages->roster, view->wish.owner, &owner,
			      &ignored) < 0)
		owner.token_used = 0;
	memcpy(view->data, pages->config->data, sizeof(view->data));
	bots = json_array();
	for (unsigned i = 0; i < view->wish.bots; i++)
		json_array_append_new(bots,
				      bot_object(pages, &view->wish.bot[i]));
	view->answer = JSON_OBJECT(
		TEXT("owner", view->wish.owner),
		JSON_IF("token_used", day_json(owner.token_used)),
		BOOL("uploads", pages->config->uploads != CONFIG_UPLOADS_NO),
		JSON("trial_ladders", api_bots_trial_ladders(pages)),
		JSON("bots", bots));
	page_ask_send(&view->ask);
}

/* ---- games and records ------------------------------------------------ */

static void
make_games(struct page_ask *ask)
{
	const struct view_ask *view = (struct view_ask *)ask;

	if (owner_games_json(&view->wish, &ask->text, &ask->why) < 0)
		ask->code = 503;
}

static const struct page_maker games_maker = {
	.type = PAGE_JSON,
	.most = SERVE_GAMES_BYTES,
	.make = make_games,
	.release = release,
	.unread = PAGE_UNREAD_LADDER,
	.event = "ladder-unread",
};

static void
make_records(struct page_ask *ask)
{
	struct view_ask *view = (struct view_ask *)ask;
	int result;

	if (view->tar == NULL)
		view->tar = owner_tar_new(&view->wish);
	result = owner_tar_add(view->tar, &ask->text, &ask->why);
	ask->more = result > 0;
	if (result < 0)
		ask->code = 503;
}

static void
answer_records(struct page_ask *ask)
{
	const struct view_ask *view = (struct view_ask *)ask;
	char file[NAME_BYTES + 64];

	snprintf(file, sizeof(file), "attachment; filename=\"%s.tar\"",
		 view->wish.owner);
	if (ask->code == 200)
		http_add_header(ask->request, "Content-Disposition", file);
	page_ask_answer(ask);
}

static const struct page_maker records_maker = {
	.type = "application/x-tar",
	.most = SIZE_MAX,
	.make = make_records,
	.answer = answer_records,
	.release = release,
	.unread = PAGE_UNREAD_LADDER,
	.event = "record-unread",
};

static const char *
read_count(const char *text, uint64_t most, unsigned *count)
{
	uint64_t number = *count;

	if (*text != '\0' &&
	    (message_number(text, strlen(text), most, &number) < 0 ||
	     number == 0))
		return "expected from= and a place, and count= from 1 to 100";
	*count = (unsigned)number;
	return NULL;
}

static const char *
read_order(const char *text, enum owner_order *order)
{
	*order = OWNER_LOST;
	while (*text != '\0' && *order < OWNER_ORDERS &&
	       strcmp(text, owner_orders[*order]) != 0)
		++*order;
	return *order == OWNER_ORDERS
		       ? "expected an order: lost, latest or worst"
		       : NULL;
}

static const char *
read_view(const char *text, bool *own_view)
{
	*own_view = strcmp(text, "own") == 0;
	return *text == '\0' || *own_view || strcmp(text, "all") == 0
		       ? NULL
		       : "expected view=all or view=own";
}

/* Reads the query; returns NULL, or a sentence about what is wrong. */
static const char *
read_query(struct http_request *request, struct owner_wish *wish,
	   char bot[NAME_BYTES + 1], char ladder[NAME_BYTES + 1])
{
	struct games_form *form = &wish->form;
	char order[16], from[16], count[16], view[16];
	const char *wrong;
	const struct {
		const char *name;
		char *value;
		size_t size;
	} values[] = {
		{ "bot", bot, NAME_BYTES + 1 },
		{ "ladder", ladder, NAME_BYTES + 1 },
		{ "other", wish->other, sizeof(wish->other) },
		{ "place", form->place, sizeof(form->place) },
		{ "fault", form->fault, sizeof(form->fault) },
		{ "moves", form->moves, sizeof(form->moves) },
		{ "since", form->since, sizeof(form->since) },
		{ "until", form->until, sizeof(form->until) },
		{ "order", order, sizeof(order) },
		{ "from", from, sizeof(from) },
		{ "count", count, sizeof(count) },
		{ "view", view, sizeof(view) },
	};

	_Static_assert(SERVE_GAMES_MAX == 100, "as the sentence says");
	for (unsigned i = 0; i < NELEM(values); i++) {
		values[i].value[0] = '\0';
		if (http_query(request, values[i].name, values[i].value,
			       values[i].size) < 0)
			return "a value of the query is too long, or given "
			       "twice";
	}
	wish->from = 1;
	wish->count = SERVE_GAMES_DEFAULT;
	if ((wrong = read_order(order, &wish->order)) == NULL &&
	    (wrong = read_view(view, &wish->own_view)) == NULL &&
	    (wrong = read_count(from, UINT32_MAX, &wish->from)) == NULL &&
	    (wrong = read_count(count, SERVE_GAMES_MAX, &wish->count)) == NULL)
		wrong = owner_games_wrong(wish);
	return wrong;
}

static void
add_worst(void *arg, const struct opinion_worst *worst)
{
	struct owner_wish *wish = arg;

	*ADDED(wish->worst, wish->worsts) = *worst;
}

/* Fills in what to search for.  Returns false if the request was refused. */
static bool
fill(struct view_ask *view, bool records)
{
	struct pages *pages = view->ask.pages;
	struct http_request *request = view->ask.request;
	struct owner_wish *wish = &view->wish;
	char bot[NAME_BYTES + 1], ladder[NAME_BYTES + 1];
	const char *wrong = read_query(request, wish, bot, ladder);

	if (wrong != NULL)
		return http_refuse(request, 400, wrong);
	if ((ladder[0] != '\0' &&
	     page_find_ladder(pages, request, ladder) < 0) ||
	    !add_bots(view, bot))
		return false;
	if (records && !http_expect_large(request))
		return http_refuse(
			request, 429,
			"too many records are being read; try again later");
	add_shelves(view, ladder);
	wish->now = clock_seconds();
	wish->opinions =
		opinion_queue_find(pages->opinions, "", 0, NULL) != OPINION_OFF;
	opinion_queue_worst(pages->opinions, add_worst, wish);
	return true;
}

void
owner_view_games(struct pages *pages, struct http_request *request,
		 const struct page_path *path)
{
	const bool records = path->what == OWNER_RECORDS;
	struct view_ask *view = begin(pages, request, path,
				      records ? &records_maker : &games_maker);

	if (view == NULL)
		return;
	if (fill(view, records))
		page_ask_send(&view->ask);
	else
		page_ask_drop(&view->ask);
}
