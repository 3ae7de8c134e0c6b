/* referee/web/api-records.c - see api.h. */
#include "referee/web/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/clock.h"
#include "protocol/hidden.h"
#include "protocol/message.h"
#include "referee/base/fair.h"
#include "referee/base/serve-limits.h"
#include "referee/scheduler/who.h"
#include "referee/web/api-games.h"
#include "referee/web/page-html.h"
#include "referee/web/trials.h"
#include "referee/web/live.h"
#include "referee/web/page-ask.h"

/* ---- the games of a ladder -------------------------------------------- */

struct games_ask {
	struct page_ask ask; /* first */
	struct games_wish wish;
};

static void
read_games(struct page_ask *ask)
{
	const struct games_ask *list = (struct games_ask *)ask;

	if (api_games_read(&list->wish, &ask->text, &ask->why) != 0)
		ask->code = 503;
}

static const struct page_maker games_maker = {
	.type = PAGE_JSON,
	.most = SERVE_GAMES_BYTES,
	.make = read_games,
	.unread = PAGE_UNREAD_LADDER,
	.event = "record-unread",
};

/* Reads a number of the query, which may be missing.  Returns 0, or -1 if it is
 * not from 1 to `max`. */
static int
read_number(struct http_request *request, const char *name, uint64_t max,
	    uint64_t *number)
{
	char value[24];
	int given = http_query(request, name, value, sizeof(value));

	if (given == 0)
		return 0;
	return given < 0 ||
			       message_number(value, strlen(value), max,
					      number) < 0 ||
			       *number == 0
		       ? -1
		       : 0;
}

static const char *
read_query(struct http_request *request, struct games_wish *wish)
{
	uint64_t count = SERVE_GAMES_DEFAULT, before = INT64_MAX;
	char format[8] = "json";

	if (read_number(request, "count", SERVE_GAMES_MAX, &count) < 0)
		return "expected count= from 1 to 100";
	if (read_number(request, "before", INT64_MAX, &before) < 0)
		return "expected before= and a game's serial";
	if (http_query(request, "format", format, sizeof(format)) < 0 ||
	    (strcmp(format, "json") != 0 && strcmp(format, "plain") != 0))
		return "expected format=json or format=plain";
	wish->count = (unsigned)count;
	wish->before = (int64_t)before;
	wish->plain = format[0] == 'p';
	return NULL;
}

void
api_records_games(struct pages *pages, struct http_request *request,
		  const struct page_path *names)
{
	const char *name = names->name[0];
	const int place = page_find_ladder(pages, request, name);
	struct games_wish wish = { .count = 0 };
	struct games_ask *list;
	const char *wrong;

	_Static_assert(SERVE_GAMES_MAX == 100, "as the sentence says");
	if (place < 0)
		return;
	wrong = read_query(request, &wish);
	if (wrong != NULL) {
		http_refuse(request, 400, wrong);
		return;
	}
	list = page_ask_new(pages, request, sizeof(*list), &games_maker);
	if (wish.plain)
		list->ask.type = PAGE_PLAIN;
	list->wish = wish;
	snprintf(list->wish.ladder, sizeof(list->wish.ladder), "%s", name);
	scheduler_shown_path(pages->ladders->scheduler[place], list->wish.path);
	page_ask_send(&list->ask);
}

/* ---- a record --------------------------------------------------------- */

struct record_ask {
	struct page_ask ask;	    /* first */
	struct record_shelf *shelf; /* owned */
	unsigned shelves;
	struct record_wish wish;
	struct text bots;		      /* names of the bot that asks */
	struct text opinions;		      /* opinions that are known */
	struct replay_wrote wrote[SEATS_MAX]; /* their bytes are owned */
	char who[FAIR_WHO_BYTES];	      /* the client that has asked */
	struct record_found found;
};

static void
read_record(struct page_ask *ask)
{
	struct record_ask *read = (struct record_ask *)ask;
	struct record_found *found = &read->found;

	record_view_read(read->shelf, read->shelves, &read->wish, found);
	ask->code = found->code;
	ask->sentence = found->sentence;
	ask->why = found->why;
	ask->text = found->text;
}

/* Asks for opinions, unless another client has done so while the record was
 * read.  Returns false if the request was refused. */
static bool
begin_opinions(struct record_ask *read)
{
	struct http_request *request = read->ask.request;
	struct opinion_queue *queue = read->ask.pages->opinions;
	const unsigned seat = (unsigned)read->wish.view;
	enum opinion_room room;

	if (opinion_queue_find(queue, read->wish.id, seat, NULL) ==
	    OPINION_NONE) {
		room = opinion_queue_room(queue, read->who, read->found.sat);
		if (room == OPINION_SHARE)
			return http_refuse(
				request, 429,
				"you wait for other opinions; try again "
				"when they are there");
		if (room == OPINION_FULL)
			return http_refuse(
				request, 503,
				"many games wait for an opinion now; try "
				"again later");
		if (!http_may_ask(request, SERVE_OPINIONS_PER_ADDRESS))
			return http_refuse(
				request, 429,
				"your address has asked for many opinions "
				"in the last hour; try again later");
		opinion_queue_ask(queue, read->who, read->found.sat,
				  read->wish.id, seat, &read->found.input);
	}
	return true;
}

static void
answer_later(struct http_request *request)
{
	struct text text = { .max = SIZE_MAX };

	http_retry_after(request, SERVE_OPINION_WAIT_S);
	http_set_cache(request, HTTP_NO_STORE);
	text_str(&text, "{\"coming\":true}\n");
	page_send(request, 202, PAGE_JSON_LINES, &text);
}

static void
answer(struct page_ask *ask)
{
	struct record_ask *read = (struct record_ask *)ask;

	if (read->found.input.used > 0 && !begin_opinions(read))
		return;
	if (ask->code == 202) {
		answer_later(ask->request);
		return;
	}
	if (ask->code == 200)
		http_add_header(ask->request, "X-Record", read->found.state);
	if (ask->code == 200 && read->found.asks != NULL)
		http_add_header(ask->request, "X-Asks", read->found.asks);
	page_ask_answer(ask);
}

static void
release(struct page_ask *ask)
{
	struct record_ask *read = (struct record_ask *)ask;

	text_release(&read->found.input);
	text_release(&read->opinions);
	text_release(&read->bots);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		free(read->wrote[s].bytes);
	free(read->shelf);
}

static const struct page_maker record_maker = {
	.type = PAGE_JSON_LINES,
	.make = read_record,
	.answer = answer,
	.release = release,
	.event = "record-unread",
};

/* Adds the shelf of the trial that has the game, or those of all ladders, because
 * any of them may have it.  `name` is the bot that asks, or "". */
static void
add_shelves(struct record_ask *read, const char *name)
{
	struct pages *pages = read->ask.pages;
	struct scheduler *scheduler;
	struct roster_bot who;
	bool own;

	read->shelf = zeroed(LADDER_PLACES, sizeof(*read->shelf));
	who_look_up(pages->roster, name, &who);
	if (trials_find_game(pages->trials, read->wish.id, &who, read->shelf,
			     &own)) {
		read->shelves = 1;
		/* The author sat there under that name, and no other one did. */
		read->wish.bots = own ? TRIALS_SELF " " : NULL;
		return;
	}
	LADDERS_EACH (pages->ladders, scheduler, i)
		page_shelf(scheduler, &read->shelf[read->shelves++]);
}

/* Reads `view=all`, `view=public` or `view=SEAT`.  Returns 0, or -1 if it is
 * none of them. */
static int
read_view(struct http_request *request, int *view, bool *named)
{
	char value[8];
	int given = http_query(request, "view", value, sizeof(value));

	*named = given != 0;
	*view = VIEW_ALL;
	return given == 0 || (given == 1 && view_read(value, view)) ? 0 : -1;
}

/* Looks up the opinions.  The check if the client may see them comes later,
 * with the record. */
static void
look_up_opinions(struct record_ask *read)
{
	struct record_wish *wish = &read->wish;

	text_init(&read->opinions, SIZE_MAX);
	wish->opinions =
		opinion_queue_find(read->ask.pages->opinions, wish->id,
				   (unsigned)wish->view, &read->opinions);
	wish->opinions_text = &read->opinions;
}

/* Sets the client that the request counts for: who shows the token of a bot counts
 * for its owner, at any address. */
static void
look_up_who(struct record_ask *read, const char *name)
{
	struct roster_bot bot;
	struct error why;

	if (name[0] == '\0')
		http_who(read->ask.request, read->who);
	else if (roster_find(read->ask.pages->roster, name, &bot, &why) == 0 &&
		 bot.owner[0] != '\0')
		snprintf(read->who, sizeof(read->who), "owner %s", bot.owner);
	else
		snprintf(read->who, sizeof(read->who), "bot %s", name);
}

/* Copies what the bot wrote, which only the author who has shown its token may
 * read, like the notes of its games. */
static void
look_up_wrote(struct record_ask *read, const char *name)
{
	char first[NAME_BYTES + 1];
	struct replay_wrote *wrote;
	const char *bytes;

	who_first_name(read->ask.pages->roster, name, first);
	for (unsigned s = 0; s < SEATS_MAX; s++) {
		wrote = &read->wrote[s];
		bytes = game_notes_find(read->ask.pages->notes, first,
					read->wish.id, s, &wrote->from,
					&wrote->n);
		if (bytes == NULL)
			continue;
		wrote->bytes = memory(NULL, wrote->n);
		memcpy(wrote->bytes, bytes, wrote->n);
	}
	read->wish.wrote = read->wrote;
}

/* Answers for a game that runs, which all see in the public view.  Returns
 * false if it does not run. */
static bool
read_running(struct pages *pages, struct http_request *request, const char *id,
	     const struct record_wish *wish)
{
	const enum live_state state = live_state_of(pages->live, id);

	if (state == LIVE_NOT)
		return false;
	if (state == LIVE_HIDDEN)
		http_refuse(request, 403,
			    "the games of this ladder are not public");
	else if (state == LIVE_ELSEWHERE)
		http_refuse(request, 403, LIVE_NO_ELSEWHERE);
	else if (wish->view >= 0)
		http_refuse(request, 403,
			    "this game runs; until it is over it has the "
			    "public view alone");
	else if (http_expect_large(request))
		page_live_game(pages, request, id, wish->at);
	else
		http_refuse(request, 429,
			    "too many records are being read; try again later");
	return true;
}

void
api_records_read(struct pages *pages, struct http_request *request,
		 const struct page_path *names)
{
	const enum record_form form = (enum record_form)names->what;
	const char *id = names->name[0];
	struct record_wish wish = { .now = clock_seconds(),
				    .form = form,
				    .site = page_html_site() };
	char name[NAME_BYTES + 1];
	uint64_t at = 0;
	struct record_ask *read;

	if (!message_id_ok(id, strlen(id))) {
		http_refuse(
			request, 404,
			"expected a game's ID: 32 hex digits in lower case");
		return;
	}
	if (read_view(request, &wish.view, &wish.named) < 0) {
		http_refuse(request, 400,
			    "expected view=all, view=public or view=SEAT");
		return;
	}
	if (read_number(request, "at", UINT32_MAX, &at) < 0) {
		http_refuse(request, 400,
			    "expected at= and the number of a line");
		return;
	}
	wish.at = (unsigned)at;
	if (!page_ask_who(pages, request, name))
		return;
	if (form == RECORD_PAGE && read_running(pages, request, id, &wish))
		return;
	if (!http_expect_large(request)) {
		http_refuse(request, 429,
			    "too many records are being read; try again later");
		return;
	}
	snprintf(wish.id, sizeof(wish.id), "%s", id);
	read = page_ask_new(pages, request, sizeof(*read), &record_maker);
	if (form == RECORD_TEXT || form == RECORD_PAGE)
		read->ask.type = form == RECORD_TEXT ? PAGE_PLAIN : PAGE_HTML;
	read->wish = wish;
	look_up_who(read, name);
	look_up_opinions(read);
	text_init(&read->bots, SIZE_MAX);
	if (name[0] != '\0') {
		who_stood_as(pages->roster, name, &read->bots);
		read->wish.bots = text_string(&read->bots);
	}
	if (form == RECORD_PAGE && name[0] != '\0')
		look_up_wrote(read, name);
	add_shelves(read, name);
	page_ask_send(&read->ask);
}
