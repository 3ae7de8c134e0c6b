/* referee/pages/game.c - see game.h. */
#include "referee/pages/game.h"

#include <stdio.h>
#include <stdlib.h>

#include "protocol/hidden.h"
#include "protocol/prune.h"
#include "referee/base/serve-limits.h"
#include "referee/pages/hands.h"
#include "referee/records/replay-frames.h"
#include "referee/records/replay-notes.h"
#include "referee/records/verify.h"

#define PATH_BYTES 96
/* A page that is being written. */
struct drawing {
	struct html html;
	const struct game_view *view;
	struct frame frame; /* the frame at the moment */
	unsigned lines;	    /* lines that the viewer sees in all */
	unsigned at;	    /* number of the line at the moment */
	struct text told;   /* the items of the list of all lines */
	struct text faults; /* the items of the list of all faults */
};

/* Writes the path of this page at another moment, or from another view. */
static void
path_of(const struct drawing *game, int viewer, unsigned at,
	char path[PATH_BYTES])
{
	snprintf(path, PATH_BYTES, "games/%s?view=%s&at=%u#moment",
		 game->view->record->id, view_name(viewer).text, at);
}

/* ---- the lines ------------------------------------------------------------ */

/* Writes what bots said with this line, as far as the viewer may know. */
static void
tell_remarks(struct html *html, const struct drawing *game,
	     const struct replay_walk *walk)
{
	const char *from = NULL;
	struct replay_note note;

	while (replay_note_next(walk->line, walk->viewer, &from, &note)) {
		if (!note.spoke || note.seat >= game->frame.table.seats)
			continue;
		html_fmt(html, "<p class='remark'><bdi>%s</bdi> says: ",
			 game->frame.table.seat[note.seat].name);
		HTML_LEAF(html, note.text, "q", "dir", "auto");
		html_close(html, "p");
	}
}

static void
tell_line(struct drawing *game, const struct replay_walk *walk, bool now,
	  struct text *to)
{
	const bool fault = (walk->frame.marks & MARK_FAULT) != 0;
	char path[PATH_BYTES], said[SAID_BYTES + 1];
	struct html html;

	html_begin(&html, game->html.site, to, game->html.root);
	HTML_OPEN(&html, "li", "class", fault ? "fault" : NULL, "aria-current",
		  now ? "step" : NULL);
	path_of(game, game->view->viewer, walk->frame.number, path);
	HTML_OPEN_LINK(&html, path);
	html_words(&html, walk->frame.sentence);
	html_close_link(&html);
	if (walk->said != NULL) {
		replay_said_text(walk->said, said);
		html_text(&html, " It had sent: ");
		HTML_LEAF(&html, said, "q", "dir", "auto");
	}
	tell_remarks(&html, game, walk);
	html_close(&html, "li");
	html_end(&html);
}

/* Counts the lines and finds which one is the moment. */
static void
count_lines(struct drawing *game, const struct replay *replay)
{
	for (unsigned i = 0; i < replay->lines; i++)
		game->lines +=
			replay_visible(&replay->line[i], game->view->viewer);
	game->at = game->view->at;
	if (game->at == 0 && !game->view->running)
		game->at = 1;
	if (game->at == 0 || game->at > game->lines)
		game->at = game->lines;
}

/* Writes all lines and keeps the frame of the moment. */
static int
read_lines(struct drawing *game, struct replay_walk *walk)
{
	int result;

	while ((result = replay_walk_next(walk)) > 0) {
		const bool now = walk->frame.number == game->at;

		tell_line(game, walk, now, &game->told);
		if ((walk->frame.marks & MARK_FAULT) != 0)
			tell_line(game, walk, false, &game->faults);
		if (now)
			game->frame = walk->frame;
	}
	return result;
}

/* ---- views ---------------------------------------------------------------- */

static void
write_view(struct drawing *game, int viewer)
{
	struct html *html = &game->html;
	char path[PATH_BYTES];

	path_of(game, viewer, game->frame.number, path);
	HTML_OPEN(html, "li");
	HTML_OPEN_LINK(html, path, "data-view", view_name(viewer).text,
		       "aria-current",
		       viewer == game->view->viewer ? "true" : NULL);
	if (viewer >= 0)
		html_fmt(html, "Seat %d: %s", viewer,
			 game->view->record->name[viewer]);
	else
		html_text(html, viewer == VIEW_ALL ? "All cards" : "Public");
	html_fmt(html, "</a></li>");
}

static void
write_views(struct drawing *game)
{
	struct html *html = &game->html;

	html_fmt(html, "<nav id='views' aria-label='Views'>"
		       "<ul class='links'>");
	if (game->view->all)
		write_view(game, VIEW_ALL);
	write_view(game, VIEW_PUBLIC);
	for (unsigned s = 0; s < game->view->record->seats; s++)
		if (game->view->seat[s])
			write_view(game, (int)s);
	html_fmt(html, "</ul></nav>");
}

static void
write_view_note(struct drawing *game)
{
	const int viewer = game->view->viewer;
	struct html *html = &game->html;

	HTML_OPEN(html, "p", "id", "view-note", "class", "soft");
	html_text(html, viewer == VIEW_ALL ? "You see all cards."
			: viewer == VIEW_PUBLIC
				? "You see what everyone at the table saw."
				: "You see what this seat saw: ");
	if (viewer >= 0)
		html_fmt(html, "<bdi>%s</bdi>.",
			 game->view->record->name[viewer]);
	html_close(html, "p");
}

/* Writes why a view is refused. replay.js shows the view anyway if the tab has
 * the token that opens it. */
static void
write_refused(struct drawing *game)
{
	const struct game_view *view = game->view;
	struct html *html = &game->html;

	if (view->refused == NULL)
		return;
	html_fmt(html,
		 "<p id='refused' class='warn' data-view='%s'>This link shows ",
		 view_name(view->wanted).text);
	if (view->wanted >= 0)
		html_fmt(html, "what one seat saw, that of <bdi>%s</bdi>",
			 view->record->name[view->wanted]);
	else
		html_text(html, "all cards");
	html_fmt(html, ", and you may not see that: %s.</p>", view->refused);
}

/* ---- the moment ----------------------------------------------------------- */

/* Writes the moment.  The `data-` attributes are for replay.js and running.js. */
static void
write_moment(struct drawing *game)
{
	struct html *html = &game->html;
	const char *const id = game->view->record->id;

	html_fmt(html,
		 "<section id='moment' aria-labelledby='moment-title' "
		 "data-%s='%s' data-root='%s' data-view='%s' data-at='%u' "
		 "data-lines='%u'><h2 id='moment-title'>",
		 game->view->running ? "running" : "game", id, html->root,
		 view_name(game->view->viewer).text, game->frame.number,
		 game->lines);
	if (game->frame.round > 0)
		html_fmt(html, "Round %u, ", game->frame.round);
	html_fmt(html, "%s %u of %u</h2>",
		 game->frame.round > 0 ? "line" : "Line", game->frame.number,
		 game->lines);
	write_refused(game);
	write_view_note(game);
	html_fmt(html, "<p class='told'>%s</p>",
		 game->frame.number > 0 ? game->frame.sentence
					: "The cards are not dealt yet.");
	hands_write(html, &game->frame.table);
	write_views(game);
	html_close(html, "section");
}

static void
write_lines(struct drawing *game)
{
	struct html *html = &game->html;

	html_fmt(html, "<section id='happened' "
		       "aria-labelledby='happened-title'>"
		       "<h2 id='happened-title'>What happened</h2>"
		       "<ol class='lines'>");
	text_add(html->to, game->told.bytes, game->told.used);
	html->to->full |= game->told.full;
	html_fmt(html, "</ol></section>");
}

static void
write_faults(struct drawing *game)
{
	struct html *html = &game->html;

	html_fmt(html, "<section id='faults' aria-labelledby='faults-title'>"
		       "<h2 id='faults-title'>Faults</h2>");
	if (game->faults.used == 0)
		HTML_LEAF(html, "Every answer was in time and legal.", "p");
	HTML_OPEN(html, "ul", "class", "plain lines");
	text_add(html->to, game->faults.bytes, game->faults.used);
	html_fmt(html, "</ul></section>");
}

/* ---- around it ------------------------------------------------------------ */

static void
write_players(struct drawing *game)
{
	const struct record *record = game->view->record;
	struct html *html = &game->html;

	HTML_OPEN(html, "p", "class", "seated");
	for (unsigned s = 0; s < record->seats; s++) {
		html_text(html, s > 0 ? ", " : "");
		if (game->view->trial)
			html_name(html, record->name[s]);
		else
			html_name_link(html, "bots", record->name[s]);
	}
	html_close(html, "p");
	if (game->view->trial)
		HTML_LEAF(html,
			  "A game of a trial, which counts for no rating.", "p",
			  "class", "soft");
}

static void
write_places(struct drawing *game, const int place[], const long points[])
{
	const struct record *record = game->view->record;
	struct html *html = &game->html;
	unsigned p, s, told = 0;

	HTML_OPEN(html, "p");
	for (p = 1; p <= record->seats; p++) {
		for (s = 0; s < record->seats; s++) {
			if (place[s] != (int)p)
				continue;
			html_fmt(html, "%s%u. <bdi>%s</bdi> %ld %s%s",
				 told++ > 0 ? ", " : "", p, record->name[s],
				 points[s], game->frame.table.unit,
				 points[s] == 1 ? "" : "s");
		}
	}
	html_close(html, "p");
}

/* Writes the result folded, because a visitor may want to see the game first. */
static void
write_result(struct drawing *game)
{
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	struct error why;
	struct html *html = &game->html;

	if (record_places(game->view->record, place, points, &why) < 0) {
		if (!game->view->running)
			html_fmt(html, "<p class='warn'>Aborted: this game "
				       "counts for no rating.</p>");
		return;
	}
	HTML_OPEN(html, "details", "class", "result", "open",
		  game->at == game->lines ? "" : NULL);
	HTML_LEAF(html, "How it ended", "summary");
	write_places(game, place, points);
	html_close(html, "details");
}

/* ---- files ---------------------------------------------------------------- */

/* Writes a link to `/api/1/KIND?view=NAME`, which is saved as ID.END. */
static void
write_file(struct drawing *game, const char *text, const char *class,
	   const char *path, const char *end)
{
	const char *id = game->view->record->id;
	struct html *html = &game->html;
	char file[PATH_BYTES];

	snprintf(file, sizeof(file), "%s.%s", id, end);
	HTML_OPEN(html, "li");
	HTML_OPEN_LINK(html, path, "class", class, "download", file);
	html_text(html, text);
	html_close_link(html);
	html_close(html, "li");
}

/* Writes a link to the record as this viewer may read it. */
static void
write_record(struct drawing *game, int viewer, const char *text)
{
	char path[PATH_BYTES], end[24];
	const struct view_name view = view_name(viewer);

	snprintf(path, sizeof(path), "api/1/records/%s?view=%s",
		 game->view->record->id, view.text);
	if (viewer == VIEW_ALL)
		snprintf(end, sizeof(end), "rec");
	else
		snprintf(end, sizeof(end), "%s.rec", view.text);
	write_file(game, text, "record", path, end);
}

/* Links the whole record; if the reader may not have it, what its bots saw. */
static void
write_records(struct drawing *game)
{
	char text[NAME_BYTES + 32];

	if (game->view->all) {
		write_record(game, VIEW_ALL, "The whole record");
		return;
	}
	for (unsigned s = 0; s < game->view->record->seats; s++) {
		if (!game->view->seat[s])
			continue;
		snprintf(text, sizeof(text), "The record as %s saw it",
			 game->view->record->name[s]);
		write_record(game, (int)s, text);
	}
}

static void
write_downloads(struct drawing *game)
{
	const char *id = game->view->record->id;
	struct html *html = &game->html;
	const struct view_name view = view_name(game->view->viewer);
	char path[PATH_BYTES], end[24];

	HTML_OPEN(html, "ul", "class", "links");
	write_records(game);
	snprintf(path, sizeof(path), "api/1/records/%s?view=%s", id, view.text);
	snprintf(end, sizeof(end), "%s.rec", view.text);
	write_file(game, "This view", "of-view", path, end);
	snprintf(path, sizeof(path), "api/1/games/%s/frames?view=%s", id,
		 view.text);
	snprintf(end, sizeof(end), "%s.ndjson", view.text);
	write_file(game, "Its tables as JSON", "frames", path, end);
	html_close(html, "ul");
}

/* Returns true if the reader's own bot in this seat wrote what is not kept any more. */
static bool
is_gone(const struct decision_view *decision, unsigned s)
{
	const struct asks *asks = decision->asks;

	if (asks == NULL || decision->wrote == NULL || !decision->wrote[s].gone)
		return false;
	for (unsigned i = 0; i < asks->count; i++)
		if (asks->ask[i].seat == s && asks->ask[i].wrote > 0)
			return true;
	return false;
}

/* Says so, because an author might think that nothing was written. */
static void
write_gone(struct drawing *game)
{
	struct html *html = &game->html;

	for (unsigned s = 0; s < game->view->record->seats; s++) {
		if (!is_gone(&game->view->decision, s))
			continue;
		html_fmt(html,
			 "<p class='gone soft'>What <bdi>%s</bdi> wrote to "
			 "standard error is no longer kept",
			 game->view->record->name[s]);
		if (!game->view->trial)
			html_fmt(html,
				 ": the daemon has that of the last %d games "
				 "of a bot, until it is started again",
				 GAME_NOTES_A_BOT);
		html_fmt(html, ".</p>");
	}
}

/* Writes if the record is proved.  If something differs, the page does not say
 * what, because that would show cards. */
static void
write_proof(struct drawing *game, const struct verdict *verdict)
{
	struct html *html = &game->html;

	HTML_OPEN(html, "p");
	HTML_LEAF(html,
		  !verdict->ok	    ? "not proved"
		  : verdict->sealed ? "proved: commitment, deal, moves"
				    : "proved by the rules: moves",
		  "span", "id", "proof", "class",
		  verdict->ok ? "tag good" : "tag warn");
	if (!verdict->ok)
		html_text(html, " The record does not agree with the rules, or "
				"lacks its secret.");
	html_fmt(html,
		 " %s <code>referee verify %s.rec</code> to check it.</p>",
		 game->view->all ? "Download the whole record and run"
				 : "Who may read the whole record can run",
		 game->view->record->id);
}

static void
write_files(struct drawing *game)
{
	const struct record *record = game->view->record;
	const char *ended = record_header(record, "ended");
	unsigned char hash[RECORD_HASH_BYTES];
	struct html *html = &game->html;
	struct verdict verdict;

	html_fmt(html, "<section id='files' aria-labelledby='files-title'>"
		       "<h2 id='files-title'>Downloads</h2>");
	write_downloads(game);
	write_gone(game);
	if (!record_pruned(record, hash)) {
		verify_record(record, false, NULL, &verdict);
		write_proof(game, &verdict);
	}
	if (ended != NULL)
		html_fmt(html, "<p class='soft'>The game ended %s.</p>", ended);
	html_close(html, "section");
}

/* Writes the part that stands beside the table if there is room: the decision
 * at the moment, the strong bot's opinion on it, and the lines. */
static void
write_beside(struct drawing *game)
{
	struct html *html = &game->html;

	HTML_OPEN(html, "div", "class", "beside");
	if (!game->view->running) {
		HTML_OPEN(html, "div", "class", "panels");
		decision_write(html, &game->view->decision, game->view->record,
			       game->view->viewer, game->frame.number);
		opinion_write(html, &game->view->opinion, game->view->record,
			      game->view->viewer);
		html_close(html, "div");
	}
	write_lines(game);
	html_close(html, "div");
}

/* Writes the rest, which is known once the game is over. */
static void
write_rest(struct drawing *game)
{
	write_faults(game);
	if (game->html.site->part == NULL)
		write_files(game);
}

static void
write_all(struct drawing *game)
{
	const struct record *record = game->view->record;
	const bool running = game->view->running;
	char path[HTML_NUMBER_BYTES], list[HTML_NUMBER_BYTES],
		title[HTML_NUMBER_BYTES];

	snprintf(path, sizeof(path), "ladders/%s", game->view->ladder);
	snprintf(list, sizeof(list), "ladders/%s/games", game->view->ladder);
	snprintf(title, sizeof(title), "A game of %s", record->game);
	layout_begin(&game->html,
		     &(struct layout){ .title = title,
				       .table = true,
				       .script = running ? "running.js"
							 : "replay.js",
				       .crumb = { { game->view->ladder, path },
						  { "Games", list } } });
	if (running)
		html_fmt(&game->html,
			 "<p id='running' class='lead'>This game runs now. "
			 "<a href='games/%s'>Load the page again</a> "
			 "to see what has happened since.</p>",
			 record->id);
	write_players(game);
	write_result(game);
	HTML_OPEN(&game->html, "div", "class", "replay");
	write_moment(game);
	write_beside(game);
	html_close(&game->html, "div");
	if (!running)
		write_rest(game);
	layout_end(&game->html);
}

int
game_page(const struct site *site, const struct game_view *view,
	  struct text *to)
{
	struct drawing *game = zeroed(1, sizeof(*game));
	struct replay_walk *walk = memory(NULL, sizeof(*walk));
	struct verdict verdict;
	struct replay replay;
	int result = replay_init(&replay, view->record, false, &verdict);

	if (result == 0) {
		game->view = view;
		text_init(&game->told, SERVE_FRAMES_BYTES);
		text_init(&game->faults, SIZE_MAX);
		html_begin(&game->html, site, to, "../");
		replay_walk_begin(walk, &replay, view->viewer);
		game->frame = walk->frame;
		count_lines(game, &replay);
		result = read_lines(game, walk);
		if (result == 0)
			write_all(game);
		text_release(&game->told);
		text_release(&game->faults);
		replay_release(&replay);
	}
	free(walk);
	free(game);
	return result;
}
