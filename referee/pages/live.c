/* referee/pages/live.c - see live.h. */
#include "referee/pages/live.h"

#include <stdio.h>

#include "referee/pages/hands.h"

/* ---- one table ------------------------------------------------------------ */

static void
write_players(struct html *html, const struct frame_table *table)
{
	for (unsigned s = 0; s < table->seats; s++) {
		if (s > 0)
			html_text(html, s + 1 < table->seats ? ", " : " and ");
		html_name(html, table->seat[s].name);
	}
}

/* Writes the table.  The `data-` attributes are for live.js. */
static void
write_table(struct html *html, const struct live_table *table)
{
	html_fmt(html,
		 "<section id='table' aria-labelledby='table-title' "
		 "data-game='%s' data-ladder='%s' data-root='%s' "
		 "data-line='%u'><h2 id='table-title'>",
		 table->id, table->ladder, html->root, table->frame.number);
	write_players(html, &table->frame.table);
	html_fmt(html, "</h2><p class='told'>%s</p>",
		 table->frame.number > 0 ? table->frame.sentence
					 : "The cards are not dealt yet.");
	hands_write(html, &table->frame.table);
	html_fmt(html,
		 "<p class='soft where'><a href='games/%s'>"
		 "All that happened in this game</a> on the ladder "
		 "<a href='ladders/%s'>%s</a></p></section>",
		 table->id, table->ladder, table->ladder);
}

static const char why_frozen[] =
	"The standings are frozen, and games are hidden until the organiser "
	"shows them.";
#define WHY_HIDDEN                                                             \
	"Games of a ladder whose records are not public, or whose standings "  \
	"are frozen, cannot be watched."

/* Returns why the ladder's term hides all tables, or NULL. */
static const char *
why_term(const struct ladder_head *head)
{
	if (head->begins > head->now)
		return "A table appears here when the games have begun.";
	if (head->frozen)
		return why_frozen;
	if (head->ends != 0 && head->ends <= head->now)
		return "The games have ended.";
	return NULL;
}

/* Returns true if tables run that the public may not watch. */
static bool
hides_tables(const struct live_view *view)
{
	unsigned watched = 0;

	for (unsigned i = 0; i < view->ladders; i++)
		if (view->ladder[i]->records && !view->ladder[i]->frozen)
			watched += view->ladder[i]->running;
	return view->running > watched;
}

/* Returns why no table of any of the ladders is shown. */
static const char *
why_none(const struct live_view *view)
{
	const char *why = view->ladders > 0 ? why_term(view->ladder[0]) : NULL;

	for (unsigned i = 1; i < view->ladders; i++)
		if (why_term(view->ladder[i]) != why)
			why = NULL;
	if (why != why_frozen && hides_tables(view))
		return WHY_HIDDEN;
	if (why != NULL)
		return why;
	if (view->elsewhere > 0)
		return "Other machines play. Such a game can be read when it "
		       "is over.";
	return "A table appears here when enough bots sit at a ladder.";
}

/* Writes the dates of the ladders; a projector has them beside its standings. */
static void
write_terms(struct html *html, const struct live_view *view)
{
	const struct ladder_head *head;

	for (unsigned i = 0; i < view->ladders && !html->bare; i++) {
		head = view->ladder[i];
		if (head->begins == 0 && head->freezes == 0 && head->ends == 0)
			continue;
		html_fmt(html,
			 "<h3 class='plain'><a href='ladders/%s'>%s</a></h3>",
			 head->name, head->name);
		ladder_write_term(html, head);
	}
}

static void
write_none(struct html *html, const struct live_view *view)
{
	const char *why = why_none(view);

	html_fmt(html,
		 "<section id='table' data-root='%s'><h2>%s</h2><p>%s</p>",
		 html->root,
		 why == why_frozen || view->running > 0 || view->elsewhere > 0
			 ? "No table that can be watched runs now"
			 : "No table runs now",
		 why);
	write_terms(html, view);
	html_close(html, "section");
}

static void
write_shown(struct html *html, const struct live_view *view)
{
	if (view->shown < view->tables)
		write_table(html, &view->table[view->shown]);
	else
		write_none(html, view);
}

/* ---- the list ------------------------------------------------------------- */

/* Writes "round 3, stake 2". */
static void
write_state(struct html *html, const struct live_table *table)
{
	const struct frame_table *of = &table->frame.table;

	html_text(html, table->ladder);
	if (table->frame.round > 0)
		html_fmt(html, ", round %u", table->frame.round);
	for (unsigned i = 0; i < of->gauges; i++)
		if (of->gauge[i].owner < 0 && of->gauge[i].known)
			html_fmt(html, ", %s %d", of->gauge[i].label,
				 of->gauge[i].value);
}

static void
write_points(struct html *html, const struct frame_table *table)
{
	bool any = false;

	for (unsigned s = 0; s < table->seats; s++) {
		if (!table->seat[s].scored)
			continue;
		html_fmt(html, "%s%d", any ? " : " : "", table->seat[s].points);
		any = true;
	}
	if (any)
		html_fmt(html, " %ss", table->unit);
}

static void
write_item(struct html *html, const struct live_table *table, bool shown)
{
	char path[HTML_NUMBER_BYTES];

	snprintf(path, sizeof(path), "live?game=%s", table->id);
	HTML_OPEN(html, "li");
	HTML_OPEN_LINK(html, path, "data-game", table->id, "data-ladder",
		       table->ladder, "aria-current", shown ? "true" : NULL);
	HTML_OPEN(html, "span", "class", "players");
	write_players(html, &table->frame.table);
	html_fmt(html, "</span><span class='soft'>");
	write_state(html, table);
	html_fmt(html, "</span><span class='points'>");
	write_points(html, &table->frame.table);
	html_fmt(html, "</span></a></li>");
}

static void
write_list(struct html *html, const struct live_view *view)
{
	html_fmt(html,
		 "<section id='tables' aria-labelledby='tables-title'>"
		 "<h2 id='tables-title'>%u table%s run%s now</h2>"
		 "<ul class='tables'>",
		 view->running, view->running == 1 ? "" : "s",
		 view->running == 1 ? "s" : "");
	for (unsigned i = 0; i < view->tables; i++)
		write_item(html, &view->table[i], i == view->shown);
	html_close(html, "ul");
	if (view->elsewhere > 0) /* some of these may still wait */
		html_fmt(html,
			 "<p class='soft'>%u of them %s for other machines "
			 "(<a href='queue'>the queue</a>) and cannot be "
			 "watched.</p>",
			 view->elsewhere, view->elsewhere == 1 ? "is" : "are");
	/* If no table is shown, the reason stands in its place. */
	if (view->tables > 0 && view->tables + view->elsewhere < view->running)
		html_fmt(html,
			 "<p class='soft'>Only some are listed. " WHY_HIDDEN
			 "</p>");
	html_close(html, "section");
}

static void
write_ladders(struct html *html, const struct live_view *view)
{
	html_fmt(html, "<nav aria-labelledby='projectors'>"
		       "<h2 id='projectors'>For a projector</h2>"
		       "<ul class='links'>");
	for (unsigned i = 0; i < view->ladders; i++)
		html_fmt(html, "<li><a href='projector/%s'>%s</a></li>",
			 view->ladder[i]->name, view->ladder[i]->name);
	html_fmt(html, "</ul></nav>");
}

/* Says that the game of the link is not shown.  Without this a link to a game
 * that is over would show another game as if it were that one. */
static void
write_missing(struct html *html, const struct live_view *view)
{
	html_fmt(html, "<p role='status' class='missing'>"
		       "The game of this link does not run now, or cannot be "
		       "watched. ");
	if (view->asked[0] != '\0')
		html_fmt(html,
			 "<a href='games/%s'>Its page</a>"
			 " tells how it went once it is over. ",
			 view->asked);
	html_fmt(html, "%s</p>",
		 view->tables > 0 ? "Here is another table."
				  : "No other table can be watched.");
}

void
live_page(const struct site *site, const struct live_view *view,
	  struct text *to)
{
	struct html html;

	html_begin(&html, site, to, "./");
	layout_begin(&html, &(struct layout){ .title = "Live",
					      .script = "live.js",
					      .table = true,
					      .refresh_s = LIVE_REFRESH_S });
	if (view->missing)
		write_missing(&html, view);
	write_shown(&html, view);
	write_list(&html, view);
	if (view->ladders > 0)
		write_ladders(&html, view);
	layout_end(&html);
}

/* ---- a projector ---------------------------------------------------------- */

static void
write_standings(struct html *html, const struct ladder_view_of *view)
{
	struct ladder_short best[LIVE_BOTS];
	const unsigned count = ladder_best(view, LIVE_BOTS, best);

	html_fmt(html, "<section id='standings' "
		       "aria-labelledby='standings-title'>"
		       "<h2 id='standings-title'>Standings</h2>");
	ladder_write_term(html, view->head);
	if (view->standings->count == 0)
		HTML_LEAF(html, "No game has been rated here yet.", "p");
	else
		ladder_write_best(html, best, count, false);
	html_close(html, "section");
}

void
live_projectors(const struct site *site, const struct live_view *view,
		const char *root, struct text *to)
{
	struct html html;

	html_begin(&html, site, to, root);
	layout_begin(&html, &(struct layout){ .title = "Projectors" });
	html_fmt(&html, "<p class='lead'>A ladder's running tables and its "
			"standings in turns, to be read from afar.</p>");
	if (view->ladders > 0)
		write_ladders(&html, view);
	else
		HTML_LEAF(&html, "No ladder can be watched here.", "p");
	html_fmt(&html, "<p><a href='tournaments'>Tournaments</a>"
			" have such pages of their own.</p>");
	layout_end(&html);
}

void
live_projector(const struct site *site, const struct live_view *view,
	       const struct ladder_view_of *ladder, struct text *to)
{
	struct html html;

	html_begin(&html, site, to, "../");
	layout_begin(&html, &(struct layout){ .title = ladder->head->name,
					      .script = "live.js",
					      .table = true,
					      .refresh_s = LIVE_REFRESH_S,
					      .bare = "projector" });
	write_shown(&html, view);
	write_standings(&html, ladder);
	layout_end(&html);
}
