/* referee/pages/games.c - see games.h. */
#include "referee/pages/games.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/message.h"

#define DASH "\xe2\x80\x93"

const char *const games_orders[GAMES_ORDERS] = { "latest", "closest", "longest",
						 "upset" };

/* ---- the form --------------------------------------------------------- */

static const char *
read_number(const char *text, uint64_t max, int64_t *number)
{
	uint64_t value = 0;

	if (*text != '\0' &&
	    message_number(text, strlen(text), max, &value) < 0)
		return "expected a number";
	*number = (int64_t)value;
	return NULL;
}

static const char *
read_fault(const char *text, enum fault *fault)
{
	*fault = FAULT_NONE;
	if (*text == '\0' || fault_read(text, strlen(text), fault))
		return NULL;
	return strcmp(text, "any") == 0
		       ? NULL
		       : "expected a fault: any, timeout, illegal, protocol or "
			 "crash";
}

const char *
games_form_read(const struct games_form *form, struct ladder_wanted *wanted,
		enum games_order *order)
{
	int64_t place = 0;
	const char *wrong;

	*wanted = (struct ladder_wanted){ .count = GAMES_PAGE };
	*order = GAMES_LATEST;
	while (form->order[0] != '\0' && *order < GAMES_ORDERS &&
	       strcmp(form->order, games_orders[*order]) != 0)
		++*order;
	if (*order == GAMES_ORDERS)
		return "expected an order: latest, closest, longest or upset";
	if (form->bot[0] != '\0')
		wanted->bot = form->bot;
	if (read_number(form->place, SEATS_MAX, &place) != NULL)
		return "expected a place from 1 to 8";
	wanted->place = (int)place;
	if (place > 0 && wanted->bot == NULL)
		return "expected a bot, too, whose place that is";
	if ((wrong = read_fault(form->fault, &wanted->fault)) != NULL)
		return wrong;
	if (read_number(form->moves, INT32_MAX, &wanted->moves_min) != NULL)
		return "expected a number of moves";
	if (read_number(form->before, LADDER_SERIAL_MAX, &wanted->before) !=
	    NULL)
		return "expected a game's serial";
	if ((form->since[0] != '\0' && !ladder_date_ok(form->since)) ||
	    (form->until[0] != '\0' && !ladder_date_ok(form->until)))
		return "expected dates like 2026-11-23";
	wanted->since = form->since[0] != '\0' ? form->since : NULL;
	wanted->until = form->until[0] != '\0' ? form->until : NULL;
	return NULL;
}

/* ---- finding them ----------------------------------------------------- */

static void
on_game(void *arg, const struct ladder_game *game,
	const struct ladder_course *course)
{
	struct games_found *found = arg;

	*ADDED(found->row, found->count) =
		(struct games_page_row){ *game, *course };
}

/* Returns the distance in points between the best place and the next one, or
 * LONG_MAX if there is none. */
static long
distance(const struct ladder_game *game)
{
	long first = LONG_MAX, second = LONG_MAX, far;
	int best = SEATS_MAX + 1, next = SEATS_MAX + 1;

	for (unsigned s = 0; s < game->seats; s++) {
		if (game->seat[s].place < best) {
			next = best;
			second = first;
			best = game->seat[s].place;
			first = game->seat[s].points;
		} else if (game->seat[s].place < next) {
			next = game->seat[s].place;
			second = game->seat[s].points;
		}
	}
	far = second == LONG_MAX ? LONG_MAX : labs(first - second);
	return game->void_number > 0 ? LONG_MAX : far;
}

static int64_t
rise(const struct ladder_game *game)
{
	int64_t most = INT64_MIN;

	for (unsigned s = 0; s < game->seats; s++)
		if (game->seat[s].place == 1 &&
		    game->seat[s].delta_milli > most)
			most = game->seat[s].delta_milli;
	return most;
}

static int
by_order(const void *left, const void *right, void *arg)
{
	const struct games_page_row *a = left, *b = right;
	const enum games_order order = *(const enum games_order *)arg;
	int64_t x = a->course.moves, y = b->course.moves;

	if (order == GAMES_CLOSEST) {
		x = -distance(&a->game);
		y = -distance(&b->game);
	} else if (order == GAMES_UPSET) {
		x = rise(&a->game);
		y = rise(&b->game);
	}
	if (x == y) {
		x = a->game.serial;
		y = b->game.serial;
	}
	return (x < y) - (x > y);
}

int
games_find_all(struct ladder *ladder, struct ladder_wanted *wanted,
	       unsigned count, struct games_found *found, struct error *why)
{
	int result;

	*found = (struct games_found){ .count = 0 };
	wanted->count = count;
	result = ladder_search(ladder, wanted, on_game, found, why);
	if (result < 0) {
		free(found->row);
		*found = (struct games_found){ .count = 0 };
	}
	return result;
}

int
games_find(struct ladder *ladder, struct ladder_wanted *wanted,
	   enum games_order order, struct games_found *found, struct error *why)
{
	const unsigned count =
		order == GAMES_LATEST ? GAMES_PAGE + 1 : GAMES_LOOKED;
	int result = games_find_all(ladder, wanted, count, found, why);

	if (result < 0)
		return result;
	if (order != GAMES_LATEST && found->count > 0)
		qsort_r(found->row, found->count, sizeof(*found->row), by_order,
			&order);
	if (found->count > GAMES_PAGE) {
		found->count = GAMES_PAGE;
		if (order == GAMES_LATEST)
			found->next = found->row[GAMES_PAGE - 1].game.serial;
	}
	return 0;
}

/* ---- the table -------------------------------------------------------- */

static void
write_seat(struct html *html, const struct games_page_row *row, unsigned s)
{
	const struct ladder_seat *seat = &row->game.seat[s];
	enum fault fault;

	html_fmt(html, "<li>%d. ", seat->place);
	html_name_link(html, "bots", seat->bot);
	html_fmt(html, " %ld", seat->points);
	for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++)
		if (row->course.fault[s][fault])
			html_fmt(html, " <span class='tag warn'>%s</span>",
				 fault_name(fault));
	html_close(html, "li");
}

static void
write_row(struct html *html, const struct ladder_head *head,
	  const struct games_page_row *row)
{
	const struct ladder_game *game = &row->game;
	const bool seen = head->records && game->folder != 0;

	html_fmt(html, "<tr><th scope='row'>");
	if (seen)
		html_fmt(html, "<a href='games/%s'>%.8s</a>", game->id,
			 game->id);
	else
		html_fmt(html, "%.8s", game->id);
	html_fmt(html, "</th><td><ol class='seats'>");
	for (int place = 1; place <= (int)game->seats; place++)
		for (unsigned s = 0; s < game->seats; s++)
			if (game->seat[s].place == place)
				write_seat(html, row, s);
	html_close(html, "ol");
	if (game->void_number > 0) {
		html_fmt(html, "<p class='warn'>Does not count: ");
		html_text(html, game->void_why);
		html_close(html, "p");
	}
	html_close(html, "td");
	if (row->course.moves < 0)
		html_fmt(html, "<td class='n middling'>?</td>");
	else
		html_fmt(html, "<td class='n middling'>%" PRId64 "</td>",
			 row->course.moves);
	HTML_OPEN(html, "td", "class", "nowrap");
	ladder_write_date(html, game->ended);
	html_fmt(html, "</td><td class='middling'>");
	if (seen)
		html_fmt(html,
			 "<a href='api/1/records/%s?view=public'>record</a> "
			 "<a href='api/1/games/%s/frames?view=public'>tables"
			 "</a>",
			 game->id, game->id);
	else
		html_text(html, " ");
	html_fmt(html, "</td></tr>");
}

void
games_write_table(struct html *html, const struct ladder_head *head,
		  const struct games_found *found)
{
	HTML_OPEN_TABLE(html, "games", "game", NULL, "places and points", NULL,
			"moves", "n middling", "ended (UTC)", NULL,
			"public view", "middling");
	for (unsigned i = 0; i < found->count; i++)
		write_row(html, head, &found->row[i]);
	html_close_table(html);
}

/* ---- the page --------------------------------------------------------- */

static void
write_input(struct html *html, const char *label, const char *name,
	    const char *value, const char *type)
{
	html_fmt(html,
		 "<label>%s<input name='%s' type='%s' value='%s'></label>",
		 label, name, type, value);
}

static void
write_choice(struct html *html, const char *value, const char *text,
	     const char *chosen)
{
	HTML_LEAF(html, text, "option", "value", value, "selected",
		  strcmp(value, chosen) == 0 ? "selected" : NULL);
}

static void
write_form(struct html *html, const struct ladder_head *head,
	   const struct games_form *form)
{
	html_fmt(html, "<form action='%sladders/%s/games' method='get'>",
		 html->root, head->name);
	write_input(html, "bot", "bot", form->bot, "text");
	write_input(html, "its place", "place", form->place, "number");
	html_fmt(html, "<label>fault<select name='fault'>");
	write_choice(html, "", "with or without", form->fault);
	write_choice(html, "any", "any", form->fault);
	for (unsigned i = FAULT_TIMEOUT; i < FAULT_KINDS; i++)
		write_choice(html, fault_name((enum fault)i),
			     fault_name((enum fault)i), form->fault);
	html_fmt(html, "</select></label>");
	write_input(html, "moves, at least", "moves", form->moves, "number");
	write_input(html, "ended from (UTC)", "since", form->since, "text");
	write_input(html, "ended before (UTC)", "until", form->until, "text");
	html_fmt(html, "<label>order<select name='order'>");
	for (unsigned i = 0; i < GAMES_ORDERS; i++)
		write_choice(html, games_orders[i], games_orders[i],
			     form->order[0] ? form->order : games_orders[0]);
	html_fmt(html, "</select></label><button type='submit'>Show</button>"
		       "</form>");
}

static void
add_value(struct text *to, const char *name, const char *value)
{
	if (*value == '\0')
		return;
	text_fmt(to, "&%s=", name);
	html_query(to, value);
}

static void
write_next(struct html *html, const struct ladder_head *head,
	   const struct games_form *form, int64_t next)
{
	struct text path = { .max = 1024 };

	if (next == 0)
		return;
	text_fmt(&path, "ladders/%s/games?before=%" PRId64, head->name, next);
	add_value(&path, "bot", form->bot);
	add_value(&path, "place", form->place);
	add_value(&path, "fault", form->fault);
	add_value(&path, "moves", form->moves);
	add_value(&path, "since", form->since);
	add_value(&path, "until", form->until);
	html_fmt(html, "<p><a href='%s'>Earlier games</a></p>",
		 text_string(&path));
	text_release(&path);
}

void
games_page(const struct site *site, const struct ladder_head *head,
	   const struct ladder_season *season, const struct games_form *form,
	   const struct games_found *found, const char *sentence,
	   struct text *to)
{
	char path[HTML_NUMBER_BYTES];
	struct html html;

	html_begin(&html, site, to, "../../");
	snprintf(path, sizeof(path), "ladders/%s", head->name);
	layout_begin(&html,
		     &(struct layout){ .title = "Games",
				       .crumb = { { "Ladders", "" },
						  { head->name, path } } });
	ladder_write_head(&html, head, season, "/games");
	if (site->part == NULL)
		write_form(&html, head, form);
	if (sentence != NULL) {
		html_fmt(&html,
			 "<p class='warn' role='alert'>Not understood: %s.</p>",
			 sentence);
	} else if (found->count == 0) {
		HTML_LEAF(&html, "No such game.", "p");
	} else {
		games_write_table(&html, head, found);
		write_next(&html, head, form, found->next);
	}
	layout_end(&html);
}
