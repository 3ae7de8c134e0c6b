/* referee/serve/html-make.c - see html-make.h. */
#include "referee/serve/html-make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-ladder.h"
#include "protocol/date.h"
#include "protocol/hidden.h"
#include "referee/config/serve-limits.h"
#include "referee/pages/bot.h"
#include "referee/pages/cross.h"
#include "referee/pages/front.h"
#include "referee/serve/owner.h"

void
html_wish_release(struct html_wish *wish)
{
	free(wish->ladder);
	free(wish->local);
}

/* ---- a ladder --------------------------------------------------------- */

struct opened {
	struct ladder *ladder;
	struct roster_marks *marks;
	struct standings standings;
	struct ladder_view_of view;
};

static void
close_ladder(struct opened *opened)
{
	standings_release(&opened->standings);
	ladder_close(opened->ladder);
	roster_marks_free(opened->marks);
}

/* Opens it and reads what all of its pages tell. */
static int
open_ladder(const struct html_wish *wish, unsigned which, struct opened *opened,
	    struct error *why)
{
	const struct html_ladder *ladder = &wish->ladder[which];
	struct tally *tally = tallies_of(wish->tallies, ladder->shelf.path);
	int result;

	*opened = (struct opened){ .ladder = NULL };
	result = owner_open_ladder(ladder->shelf.path, &opened->ladder,
				   &opened->marks, why);
	if (result == 0)
		result = standings_read(opened->ladder, &ladder->head.pool,
					&opened->standings, why);
	if (result == 0)
		result = tally_update(tally, opened->ladder,
				      opened->standings.pool.number, why);
	opened->view = (struct ladder_view_of){
		.head = &ladder->head,
		.standings = &opened->standings,
		.tally = tally,
		.local = wish->local,
		.locals = wish->locals,
		.sort = wish->sort,
		.falling = wish->falling,
	};
	if (result < 0)
		close_ladder(opened);
	return result;
}

/* ---- the front page --------------------------------------------------- */

static void
fill_front(const struct html_wish *wish, unsigned which,
	   struct front_ladder *ladder)
{
	const struct standings_row **row;
	struct opened opened;
	struct error why;
	unsigned i;

	ladder->head = wish->ladder[which].head;
	if (open_ladder(wish, which, &opened, &why) < 0) {
		ladder->unread = true;
		return;
	}
	row = ladder_ranked(&opened.view);
	for (i = 0; i < FRONT_BOTS && i < opened.standings.count; i++) {
		snprintf(ladder->bot[i].name, sizeof(ladder->bot[i].name), "%s",
			 row[i]->standing.bot);
		ladder->bot[i].rating = standings_rating(row[i]);
		ladder->bot[i].bar = standings_bar(row[i]);
	}
	ladder->bots = i;
	free(row);
	ladder->hour = tally_hour(opened.view.tally, wish->now);
	close_ladder(&opened);
}

static void
make_front(const struct html_wish *wish, const struct site *site,
	   struct text *to)
{
	struct front_ladder *ladder =
		zeroed(wish->ladders + 1, sizeof(*ladder));
	unsigned i;

	for (i = 0; i < wish->ladders; i++)
		fill_front(wish, i, &ladder[i]);
	front_page(site, &(struct front){ ladder, wish->ladders }, to);
	free(ladder);
}

/* ---- a ladder's pages ------------------------------------------------- */

static int
make_games(const struct html_wish *wish, const struct opened *opened,
	   const struct site *site, struct text *to, struct error *why)
{
	struct games_found found = { .count = 0 };
	struct ladder_wanted wanted;
	enum games_order order;
	const char *wrong = games_form_read(&wish->form, &wanted, &order);
	int result = 0;

	if (wrong == NULL)
		result =
			games_find(opened->ladder, &wanted, order, &found, why);
	if (result < 0 && why->kind != ERROR_INPUT)
		return 503;
	if (result < 0)
		wrong = "this ladder does not know the bot";
	games_page(site, opened->view.head, &opened->standings.season,
		   &wish->form, &found, wrong, to);
	free(found.row);
	return 200;
}

static int
make_ladder(const struct html_wish *wish, const struct site *site,
	    struct text *to, struct error *why)
{
	struct opened opened;
	int code = 200;

	if (open_ladder(wish, wish->which, &opened, why) < 0)
		return 503;
	if (wish->page == HTML_LADDER)
		ladder_page(site, &opened.view, to);
	else if (wish->page == HTML_CROSS)
		cross_page(site, &opened.view, wish->from, to);
	else
		code = make_games(wish, &opened, site, to, why);
	close_ladder(&opened);
	return code;
}

/* ---- bots ------------------------------------------------------------- */

/* The ladders that know the bot, and the other one if it is not "". */
struct known_at {
	char name[CONFIG_LADDERS][NAME_BYTES + 1];
	unsigned count;
	unsigned first; /* of wish->ladder: the one to show */
};

static bool
knows(const char *path, const char *bot, const char *other)
{
	struct ladder *ladder = NULL;
	struct error why;
	bool known =
		ladder_open(path, LADDER_READ, &ladder, &why) == 0 &&
		ladder_knows_bot(ladder, bot, &why) > 0 &&
		(other[0] == '\0' || ladder_knows_bot(ladder, other, &why) > 0);

	ladder_close(ladder);
	return known;
}

static void
find_ladders(const struct html_wish *wish, struct known_at *at)
{
	unsigned i;

	at->count = 0;
	at->first = wish->ladders;
	for (i = 0; i < wish->ladders && i < CONFIG_LADDERS; i++) {
		if (!knows(wish->ladder[i].shelf.path, wish->bot, wish->other))
			continue;
		memcpy(at->name[at->count++], wish->ladder[i].head.name,
		       NAME_BYTES + 1);
		if (at->first == wish->ladders || i == wish->which)
			at->first = i;
	}
}

/* What may be told of its last games to all. */
static void
read_conduct(const struct html_wish *wish, const struct opened *opened,
	     const struct record_shelf *shelf, const struct games_found *found,
	     struct conduct *conduct)
{
	struct record_wish public = { .view = VIEW_PUBLIC, .now = wish->now };
	struct record_wish own = public;
	char path[LADDER_PATH_BYTES], sentence[256];
	struct record *record;
	struct error why;
	unsigned i, s;
	int64_t ended;

	for (i = 0; i < found->count && i < CONDUCT_GAMES; i++) {
		if (ladder_game_path(opened->ladder, &found->row[i].game, path,
				     &why) < 0 ||
		    path[0] == '\0' || record_read(path, &record, &why) < 0)
			continue;
		ended = date_read(record_header(record, "ended"));
		for (s = 0; s < record->seats; s++) {
			own.view = (int)s;
			if (strcmp(record->name[s], wish->bot) == 0 &&
			    record_view_may(shelf, &public, record, ended,
					    sentence) == 200)
				conduct_add(conduct, record, s,
					    record_view_may(shelf, &own, record,
							    ended,
							    sentence) == 200);
		}
		record_free(record);
	}
}

static int
make_bot(const struct html_wish *wish, const struct site *site, struct text *to,
	 struct error *why)
{
	struct ladder_wanted wanted = { .bot = wish->bot };
	struct conduct conduct = CONDUCT_NONE;
	struct games_found found;
	struct known_at at;
	struct opened opened;
	struct bot_view view = { .name = wish->bot,
				 .ladder = at.name,
				 .conduct = &conduct,
				 .games = &found };

	find_ladders(wish, &at);
	if (at.count == 0 && !wish->known)
		return 404;
	view.ladders = at.count;
	if (at.count == 0) {
		bot_page(site, &view, to);
		return 200;
	}
	if (open_ladder(wish, at.first, &opened, why) < 0)
		return 503;
	if (games_find_all(opened.ladder, &wanted, CONDUCT_GAMES, &found, why) <
	    0) {
		close_ladder(&opened);
		return 503;
	}
	read_conduct(wish, &opened, &wish->ladder[at.first].shelf, &found,
		     &conduct);
	if (found.count > BOT_GAMES)
		found.count = BOT_GAMES;
	view.at = &opened.view;
	bot_page(site, &view, to);
	conduct_release(&conduct);
	free(found.row);
	close_ladder(&opened);
	return 200;
}

/* A block of games has one deal. */
static unsigned
count_deals(const struct games_found *found)
{
	unsigned deals = 0, i, j;
	const char *block;

	for (i = 0; i < found->count; i++) {
		block = found->row[i].game.block;
		for (j = 0; j < i && block[0] != '\0'; j++)
			if (strcmp(found->row[j].game.block, block) == 0)
				break;
		deals += block[0] == '\0' || j == i;
	}
	return deals;
}

static int
make_versus(const struct html_wish *wish, const struct site *site,
	    struct text *to, struct error *why)
{
	struct ladder_wanted wanted = { .bot = wish->bot,
					.other = wish->other };
	struct games_found found;
	struct known_at at;
	struct opened opened;

	find_ladders(wish, &at);
	if (at.count == 0)
		return 404;
	if (open_ladder(wish, at.first, &opened, why) < 0)
		return 503;
	if (games_find_all(opened.ladder, &wanted, GAMES_PAGE, &found, why) <
	    0) {
		close_ladder(&opened);
		return 503;
	}
	versus_page(site,
		    &(struct versus_view){ wish->bot, wish->other, &opened.view,
					   at.name, at.count, &found,
					   count_deals(&found) },
		    to);
	free(found.row);
	close_ladder(&opened);
	return 200;
}

int
html_make(const struct html_wish *wish, const struct site *site,
	  struct text *to, struct error *why)
{
	switch (wish->page) {
	case HTML_FRONT:
		make_front(wish, site, to);
		return 200;
	case HTML_BOT:
		return make_bot(wish, site, to, why);
	case HTML_VERSUS:
		return make_versus(wish, site, to, why);
	default:
		return make_ladder(wish, site, to, why);
	}
}
