/* referee/web/html-make.c - see html-make.h. */
#include "referee/web/html-make.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/pack.h"
#include "protocol/date.h"
#include "protocol/hidden.h"
#include "referee/base/serve-limits.h"
#include "referee/data/owner.h"
#include "referee/pages/cross.h"
#include "referee/records/replay-asks.h"

void
html_locals_drop(struct html_locals *locals)
{
	if (locals == NULL || --locals->users > 0)
		return;
	free(locals->local);
	free(locals);
}

void
html_wish_release(struct html_wish *wish)
{
	free(wish->ladder);
	html_locals_drop(wish->locals);
	free(wish->table);
	free(wish->seen);
	free(wish->parked);
	free(wish->notice);
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

/* Opens a ladder and reads what all of its pages show. */
static int
open_ladder(const struct html_wish *wish, unsigned which, struct opened *opened,
	    struct error *why)
{
	const struct html_ladder *ladder = &wish->ladder[which];
	struct tally *tally = tallies_of(wish->tallies, ladder->shelf.shown);
	int result;

	*opened = (struct opened){ .ladder = NULL };
	result = owner_open_ladder(ladder->shelf.shown, &opened->ladder,
				   &opened->marks, why);
	if (result == 0)
		result = standings_read(opened->ladder, &ladder->head.pool,
					wish->fit, &opened->standings, why);
	if (result == 0)
		result = tally_update(tally, opened->ladder,
				      opened->standings.pool.number, why);
	opened->view = (struct ladder_view_of){
		.head = &ladder->head,
		.standings = &opened->standings,
		.tally = tally,
		.local = wish->locals == NULL ? NULL : wish->locals->local,
		.locals = wish->locals == NULL ? 0 : wish->locals->count,
		.sort = wish->sort,
		.from = wish->from,
		.falling = wish->falling,
	};
	if (result < 0)
		close_ladder(opened);
	return result;
}

/* ---- the front page --------------------------------------------------- */

static void
fill_front(const struct html_wish *wish, unsigned which,
	   struct front_ladder *ladder, struct error *why)
{
	struct opened opened;

	ladder->head = wish->ladder[which].head;
	for (unsigned i = 0; i < wish->seen_tables; i++)
		if (wish->seen[i].ladder == which && ladder->tables++ == 0)
			ladder->table = &wish->seen[i];
	if (open_ladder(wish, which, &opened, why) < 0) {
		ladder->unread = true;
		return;
	}
	ladder->bots = ladder_best(&opened.view, FRONT_BOTS, ladder->bot);
	ladder->hour = tally_hour(opened.view.tally, wish->now);
	close_ladder(&opened);
}

static void
make_front(const struct html_wish *wish, const struct site *site,
	   struct text *to, struct error *why)
{
	struct front_ladder *ladder =
		zeroed(wish->ladders + 1, sizeof(*ladder));

	for (unsigned i = 0; i < wish->ladders; i++)
		fill_front(wish, i, &ladder[i], why);
	front_page(site,
		   &(struct front){ ladder, wish->ladders, wish->queue,
				    access(wish->tournaments, F_OK) == 0,
				    wish->uploads, wish->sign_up },
		   to);
	free(ladder);
}

/* ---- what runs now ---------------------------------------------------- */

static void
make_live(const struct html_wish *wish, const struct site *site,
	  struct text *to)
{
	const struct ladder_head **head =
		zeroed(wish->ladders + 1, sizeof(*head));
	struct live_view view = { .table = wish->table,
				  .elsewhere = wish->elsewhere,
				  .tables = wish->tables,
				  .ladder = head,
				  .asked = wish->asked };

	view.missing =
		wish->asks && (wish->tables == 0 ||
			       strcmp(wish->table[0].id, wish->asked) != 0);

	for (unsigned i = 0; i < wish->ladders; i++) {
		view.running += wish->ladder[i].head.running;
		if (wish->ladder[i].head.records)
			head[view.ladders++] = &wish->ladder[i].head;
	}
	live_page(site, &view, to);
	free(head);
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

	if (wish->found != NULL) {
		games_page(site, opened->view.head, &opened->standings.season,
			   &wish->form, wish->found, NULL, to);
		return 200;
	}
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
	else if (wish->page == HTML_PROJECTOR)
		live_projector(site,
			       &(struct live_view){
				       .table = wish->table,
				       .tables = wish->tables,
				       .running = opened.view.head->running,
				       .elsewhere = wish->elsewhere,
				       .ladder = &opened.view.head,
				       .ladders = 1 },
			       &opened.view, to);
	else
		code = make_games(wish, &opened, site, to, why);
	close_ladder(&opened);
	return code;
}

/* ---- bots ------------------------------------------------------------- */

/* The ladders that know the bot, and also the other bot if it is not "". */
struct known_at {
	char name[CONFIG_LADDERS][NAME_BYTES + 1];
	unsigned count;
	unsigned first; /* index in wish->ladder of the one to show */
};

/* Returns 1 if the ladder knows the bots, else 0, or -1 and an error.  A ladder
 * has no file before its first game. */
static int
knows(const char *path, const char *bot, const char *other, struct error *why)
{
	struct ladder *ladder = NULL;
	int known;

	if (access(path, F_OK) < 0 && errno == ENOENT)
		return 0;
	if (ladder_open(path, LADDER_READ, &ladder, why) < 0)
		return -1;
	known = ladder_knows_bot(ladder, bot, why);
	if (known > 0 && other[0] != '\0')
		known = ladder_knows_bot(ladder, other, why);
	ladder_close(ladder);
	return known;
}

/* Finds the ladders that know the bot.  Returns -1 and an error if none is
 * found and one that may know it cannot be read. */
static int
find_ladders(const struct html_wish *wish, struct known_at *at,
	     struct error *why)
{
	struct error ignored;
	int known, result = 0;

	at->count = 0;
	at->first = wish->ladders;
	for (unsigned i = 0; i < wish->ladders && i < CONFIG_LADDERS; i++) {
		known = knows(wish->ladder[i].shelf.shown, wish->bot,
			      wish->other, result < 0 ? &ignored : why);
		if (known < 0)
			result = -1;
		if (known <= 0)
			continue;
		memcpy(at->name[at->count++], wish->ladder[i].head.name,
		       NAME_BYTES + 1);
		if (at->first == wish->ladders || i == wish->which)
			at->first = i;
	}
	return at->count > 0 ? 0 : result;
}

/* Adds what all may know about the conduct in a game at `path`; the cache has
 * its pack. */
static void
add_conduct(const struct html_wish *wish, const struct record_shelf *shelf,
	    struct pack_cache *cache, const char *path,
	    const struct record *record, struct conduct *conduct)
{
	struct record_wish public = { .view = VIEW_PUBLIC, .now = wish->now };
	struct record_wish own = public;
	const int64_t ended = date_read(record_header(record, "ended"));
	char sentence[256];
	struct asks asks;
	struct error why;
	bool times;

	if (record_view_may(shelf, &public, record, ended, sentence) != 200)
		return;
	for (unsigned s = 0; s < record->seats; s++) {
		if (strcmp(record->name[s], wish->bot) != 0)
			continue;
		own.view = (int)s;
		times = record_view_may(shelf, &own, record, ended, sentence) ==
			200;
		asks = (struct asks){ .count = 0 };
		if (times) /* a damaged file gives the part that can be read */
			(void)!replay_asks_read(cache, path, record, &asks,
						&why);
		conduct_add(conduct, record, s, times, &asks);
		asks_forget(&asks);
	}
}

/* Reads the conduct in its last games that all may know. */
static void
read_conduct(const struct html_wish *wish, const struct opened *opened,
	     const struct record_shelf *shelf, const struct games_found *found,
	     struct conduct *conduct)
{
	struct pack_cache cache = { 0 };
	char path[LADDER_PATH_BYTES];
	struct record *record;
	struct error why;

	for (unsigned i = 0; i < found->count && i < CONDUCT_GAMES; i++) {
		if (ladder_game_path(opened->ladder, &found->row[i].game, path,
				     &why) < 0 ||
		    path[0] == '\0' ||
		    packed_record(&cache, path, &record, &why) < 0)
			continue;
		add_conduct(wish, shelf, &cache, path, record, conduct);
		record_free(record);
	}
	pack_cache_release(&cache);
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
				 .called = wish->called[0] != '\0'
						   ? wish->called
						   : wish->bot,
				 .ladder = at.name,
				 .conduct = &conduct,
				 .parked = wish->parked,
				 .parked_jobs = wish->parked_jobs,
				 .notice = wish->notice,
				 .notices = wish->notices,
				 .games = &found };

	if (find_ladders(wish, &at, why) < 0)
		return 503;
	if (at.count == 0 && !wish->known)
		return 404;
	view.ladders = at.count;
	if (at.count == 0) {
		for (; view.ladders < wish->ladders &&
		       view.ladders < CONFIG_LADDERS;
		     view.ladders++)
			snprintf(at.name[view.ladders],
				 sizeof(at.name[view.ladders]), "%s",
				 wish->ladder[view.ladders].head.name);
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

static int
make_versus(const struct html_wish *wish, const struct site *site,
	    struct text *to, struct error *why)
{
	struct ladder_wanted wanted = { .bot = wish->bot,
					.other = wish->other };
	struct games_found found;
	struct known_at at;
	struct opened opened;

	if (find_ladders(wish, &at, why) < 0)
		return 503;
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
					   at.name, at.count, &found },
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
		make_front(wish, site, to, why);
		return 200;
	case HTML_LIVE:
		make_live(wish, site, to);
		return 200;
	case HTML_BOT:
		return make_bot(wish, site, to, why);
	case HTML_VERSUS:
		return make_versus(wish, site, to, why);
	default:
		return make_ladder(wish, site, to, why);
	}
}
