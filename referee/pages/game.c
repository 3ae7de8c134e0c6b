/* referee/pages/game.c - see game.h.
 *
 * It draws zones, pieces and gauges of a frame, and knows no game. */
#include "referee/pages/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "referee/records/replay-frames.h"

#define PILE_DRAWN 8 /* pieces of a pile: of more only the number is told */
#define PATH_BYTES 96

/* A page in the making. */
struct drawing {
	struct html html;
	const struct game_view *view;
	struct frame frame; /* at the moment */
	unsigned lines;	    /* that the viewer sees in all */
	unsigned first;	    /* number of the first line of its round */
	unsigned before;    /* where the round before begins; 0: nowhere */
	unsigned after;	    /* where the next one begins; 0: nowhere */
	struct text told;   /* the items of that round's list */
};

void
game_view_name(int viewer, char name[8])
{
	if (viewer == VIEW_ALL || viewer == VIEW_PUBLIC)
		snprintf(name, 8, "%s", viewer == VIEW_ALL ? "all" : "public");
	else
		snprintf(name, 8, "%d", viewer);
}

/* The path of this page at another moment, or from another view. */
static void
path_of(const struct drawing *game, int viewer, unsigned at,
	char path[PATH_BYTES])
{
	char name[8];

	game_view_name(viewer, name);
	snprintf(path, PATH_BYTES, "games/%s?view=%s&at=%u#moment",
		 game->view->record->id, name, at);
}

/* ---- pieces --------------------------------------------------------------- */

/* What is said of a piece to who does not see its colours and places. */
static void
describe_piece(const struct drawing *game, const struct frame_piece *piece,
	       char text[HTML_NUMBER_BYTES])
{
	char name[PIECE_NAME];
	unsigned bit;
	int n;

	piece_name((enum piece_kind)game->frame.table.kind, piece->code, name);
	n = snprintf(text, HTML_NUMBER_BYTES, "%s", name);
	for (bit = 0; frame_piece_word(bit) != NULL; bit++)
		if ((piece->marks >> bit & 1) != 0 && n < HTML_NUMBER_BYTES)
			n += snprintf(text + n, (size_t)(HTML_NUMBER_BYTES - n),
				      ", %s", frame_piece_word(bit));
}

/* Its classes: what it is, its colour, its marks. */
static void
class_of(const struct drawing *game, const struct frame_piece *piece,
	 char class[HTML_NUMBER_BYTES])
{
	const enum piece_kind kind = (enum piece_kind)game->frame.table.kind;
	const char colour = piece_colour(kind, piece->code);
	unsigned bit;
	int n = snprintf(class, HTML_NUMBER_BYTES, "piece %s",
			 piece_noun(kind));

	if (colour == '\0')
		n += snprintf(class + n, (size_t)(HTML_NUMBER_BYTES - n),
			      " back");
	else
		n += snprintf(class + n, (size_t)(HTML_NUMBER_BYTES - n),
			      " %s-%c", piece_noun(kind), colour);
	for (bit = 0; frame_piece_word(bit) != NULL; bit++)
		if ((piece->marks >> bit & 1) != 0 && n < HTML_NUMBER_BYTES)
			n += snprintf(class + n,
				      (size_t)(HTML_NUMBER_BYTES - n), " is-%s",
				      frame_piece_word(bit));
}

static void
write_piece(struct drawing *game, const struct frame_zone *zone,
	    const struct frame_piece *piece)
{
	struct html *html = &game->html;
	const enum piece_kind kind = (enum piece_kind)game->frame.table.kind;
	char class[HTML_NUMBER_BYTES], text[HTML_NUMBER_BYTES],
		sign[PIECE_SIGN];

	class_of(game, piece, class);
	HTML_OPEN(html, "span", "class", class);
	piece_sign(kind, piece->code, sign);
	HTML_LEAF(html, sign, "span", "aria-hidden", "true");
	describe_piece(game, piece, text);
	HTML_LEAF(html, text, "span", "class", "sr");
	html_close(html, "span");
	if (piece->by >= 0 && piece->by != zone->owner) {
		HTML_OPEN(html, "small");
		html_name(html, game->frame.table.seat[piece->by].name);
		html_close(html, "small");
	}
}

/* A piece with all that lies on it. */
static void
write_group(struct drawing *game, const struct frame_zone *zone,
	    unsigned bottom)
{
	unsigned i;

	HTML_OPEN(&game->html, "li");
	write_piece(game, zone, &zone->piece[bottom]);
	for (i = 0; i < zone->pieces; i++)
		if (zone->piece[i].on == (int)bottom)
			write_piece(game, zone, &zone->piece[i]);
	html_close(&game->html, "li");
}

static bool
all_hidden(const struct frame_zone *zone)
{
	unsigned i;

	for (i = 0; i < zone->pieces; i++)
		if (strcmp(zone->piece[i].code, "?") != 0)
			return false;
	return true;
}

static void
write_pieces(struct drawing *game, const struct frame_zone *zone)
{
	struct html *html = &game->html;
	unsigned i;

	HTML_OPEN(html, "ul", "class",
		  zone->layout == LAYOUT_PAIRS ? "pieces pairs" : "pieces");
	for (i = 0; i < zone->pieces; i++)
		if (zone->piece[i].on < 0)
			write_group(game, zone, i);
	html_close(html, "ul");
}

static void
write_zone(struct drawing *game, const struct frame_zone *zone)
{
	struct html *html = &game->html;
	const bool counted = zone->layout == LAYOUT_PILE &&
			     (zone->pieces > PILE_DRAWN || all_hidden(zone));

	if (zone->pieces == 0)
		return;
	HTML_OPEN(html, "div", "class", zone->dim ? "zone dim" : "zone");
	HTML_OPEN(html, "p", "class", "zone-label");
	html_text(html, zone->label);
	if (counted || zone->pieces > 1)
		html_fmt(html, ": %u", zone->pieces);
	html_close(html, "p");
	if (!counted)
		write_pieces(game, zone);
	html_close(html, "div");
}

/* ---- seats and the middle ------------------------------------------------- */

static void
write_gauge(struct drawing *game, const struct frame_gauge *gauge)
{
	struct html *html = &game->html;

	if (!gauge->known)
		return;
	HTML_OPEN(html, "div");
	HTML_LEAF(html, gauge->label, "dt");
	HTML_OPEN(html, "dd");
	html_fmt(html, "%d", gauge->value);
	if (gauge->goal > 0)
		html_fmt(html, " of %d", gauge->goal);
	html_close(html, "dd");
	html_close(html, "div");
}

/* All that belongs to a seat; -1: to none. */
static void
write_owned(struct drawing *game, int owner)
{
	const struct frame_table *table = &game->frame.table;
	unsigned i;

	HTML_OPEN(&game->html, "dl", "class", "gauges");
	for (i = 0; i < table->gauges; i++)
		if (table->gauge[i].owner == owner)
			write_gauge(game, &table->gauge[i]);
	html_close(&game->html, "dl");
	HTML_OPEN(&game->html, "div", "class", "zones");
	for (i = 0; i < table->zones; i++)
		if (table->zone[i].owner == owner)
			write_zone(game, &table->zone[i]);
	html_close(&game->html, "div");
}

static void
write_flags(struct drawing *game, const struct frame_seat *seat)
{
	unsigned bit;

	for (bit = 0; frame_seat_word(bit) != NULL; bit++) {
		if ((seat->flags >> bit & 1) == 0)
			continue;
		html_text(&game->html, " ");
		HTML_LEAF(&game->html, frame_seat_word(bit), "span", "class",
			  "tag");
	}
}

static void
write_seat(struct drawing *game, int s)
{
	const struct frame_seat *seat = &game->frame.table.seat[s];
	struct html *html = &game->html;
	char class[32];

	snprintf(class, sizeof(class), "seat%s%s",
		 (seat->flags & SEAT_TURN) != 0 ? " turn" : "",
		 (seat->flags & (SEAT_OUT | SEAT_FOLDED)) != 0 ? " dim" : "");
	HTML_OPEN(html, "section", "class", class);
	HTML_OPEN(html, "h3");
	html_name(html, seat->name);
	write_flags(game, seat);
	html_close(html, "h3");
	HTML_OPEN(html, "p", "class", "soft");
	html_fmt(html, "seat %d", s);
	if (seat->team > 0)
		html_fmt(html, ", team %u", seat->team);
	if (seat->scored && !frame_has_gauge(&game->frame.table, s, "points"))
		html_fmt(html, ", %d point%s", seat->points,
			 seat->points == 1 ? "" : "s");
	if (seat->place > 0)
		html_fmt(html, ", place %u", seat->place);
	if (seat->faults > 0)
		html_fmt(html, ", %u fault%s", seat->faults,
			 seat->faults == 1 ? "" : "s");
	html_close(html, "p");
	write_owned(game, s);
	html_close(html, "section");
}

/* The viewer's own seat in front. */
static void
write_table(struct drawing *game)
{
	const int seats = game->frame.table.seats;
	const int own = game->view->viewer > 0 ? game->view->viewer : 0;
	int i;

	HTML_OPEN(&game->html, "div", "class", "felt");
	HTML_OPEN(&game->html, "section", "class", "middle", "aria-label",
		  "Middle of the table");
	write_owned(game, -1);
	html_close(&game->html, "section");
	for (i = 0; i < seats; i++)
		write_seat(game, (own + i) % seats);
	html_close(&game->html, "div");
}

/* ---- the lines ------------------------------------------------------------ */

static void
tell_line(struct drawing *game, const struct replay_walk *walk, bool now)
{
	struct html html;
	char path[PATH_BYTES];

	html_begin(&html, &game->told, game->html.root);
	HTML_OPEN(&html, "li", "class",
		  (walk->frame.marks & MARK_FAULT) != 0 ? "fault" : NULL,
		  "aria-current", now ? "step" : NULL);
	path_of(game, game->view->viewer, walk->frame.number, path);
	html_link(&html, walk->frame.sentence, path);
	if (walk->said != NULL) {
		html_text(&html, " It had sent: ");
		html_escape(&game->told, walk->said, strcspn(walk->said, " "));
	}
	html_close(&html, "li");
	html_end(&html);
}

/* Goes through all lines: finds the moment, and tells its round. */
static int
read_lines(struct drawing *game, struct replay_walk *walk)
{
	const unsigned at = game->view->at;
	unsigned begun = 1, round = 0;
	bool found = false;
	int result;

	while ((result = replay_walk_next(walk)) > 0) {
		game->lines++;
		if (walk->frame.round != round) {
			if (found && game->after == 0)
				game->after = game->lines;
			if (!found) {
				text_clear(&game->told);
				game->before = round > 0 ? begun : 0;
				begun = game->lines;
			}
			round = walk->frame.round;
		}
		if (game->after == 0)
			tell_line(game, walk, game->lines == at);
		if (!found)
			game->frame = walk->frame;
		if (game->lines == at)
			found = true;
	}
	game->first = begun;
	return result;
}

static void
write_step(struct drawing *game, const char *text, unsigned at, const char *key)
{
	struct html *html = &game->html;
	char path[PATH_BYTES];

	HTML_OPEN(html, "li", "class", key);
	if (at >= 1 && at <= game->lines && at != game->frame.number) {
		path_of(game, game->view->viewer, at, path);
		html_link(html, text, path);
	} else {
		HTML_LEAF(html, text, "span", "class", "soft");
	}
	html_close(html, "li");
}

static void
write_steps(struct drawing *game)
{
	const unsigned at = game->frame.number;
	struct html *html = &game->html;

	HTML_OPEN(html, "nav", "aria-label", "Moments");
	HTML_OPEN(html, "ul", "class", "links");
	write_step(game, "First", 1, "first");
	write_step(game, "Round before",
		   at > game->first ? game->first : game->before, "round-back");
	write_step(game, "Back", at - 1, "prev");
	write_step(game, "On", at + 1, "next");
	write_step(game, "Next round", game->after, "round-on");
	write_step(game, "Last", game->lines, "last");
	html_close(html, "ul");
	html_close(html, "nav");
}

static void
write_moment(struct drawing *game)
{
	struct html *html = &game->html;
	char start[16];

	HTML_OPEN(html, "section", "id", "moment", "aria-labelledby",
		  "moment-title");
	HTML_OPEN(html, "h2", "id", "moment-title");
	if (game->frame.round > 0)
		html_fmt(html, "Round %u, ", game->frame.round);
	html_fmt(html, "%s %u of %u", game->frame.round > 0 ? "line" : "Line",
		 game->frame.number, game->lines);
	html_close(html, "h2");
	write_steps(game);
	HTML_LEAF(html, game->frame.sentence, "p", "class", "told");
	write_table(game);
	html_close(html, "section");
	HTML_LEAF(html, "What happened", "h2");
	snprintf(start, sizeof(start), "%u", game->first);
	HTML_OPEN(html, "ol", "class", "lines", "start", start);
	text_add(html->to, game->told.bytes, game->told.used);
	html_close(html, "ol");
}

/* ---- around it ------------------------------------------------------------ */

static void
write_result(struct drawing *game)
{
	const struct record *record = game->view->record;
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	struct error why;
	struct html *html = &game->html;
	const bool over = record_places(record, place, points, &why) == 0;
	unsigned p, s;

	HTML_OPEN(html, "div", "class", "scroll");
	HTML_OPEN(html, "table", "class", "game-result");
	HTML_LEAF(html, over ? "Result" : "Aborted: it counts for no rating",
		  "caption");
	text_str(html->to, "<thead><tr><th scope=\"col\" class=\"n\">Place"
			   "</th><th scope=\"col\">Bot</th><th scope=\"col\" "
			   "class=\"n\">Seat</th><th scope=\"col\" "
			   "class=\"n\">Points</th></tr></thead>");
	HTML_OPEN(html, "tbody");
	for (p = 1; p <= record->seats; p++) {
		for (s = 0; s < record->seats; s++) {
			if (over ? place[s] != (int)p : s + 1 != p)
				continue;
			HTML_OPEN(html, "tr");
			HTML_OPEN(html, "td", "class", "n");
			if (over)
				html_fmt(html, "%u", p);
			html_close(html, "td");
			HTML_OPEN(html, "th", "scope", "row");
			html_name_link(html, "bots", record->name[s]);
			html_close(html, "th");
			HTML_OPEN(html, "td", "class", "n");
			html_fmt(html, "%u", s);
			html_close(html, "td");
			HTML_OPEN(html, "td", "class", "n");
			if (over)
				html_fmt(html, "%ld", points[s]);
			html_close(html, "td");
			html_close(html, "tr");
		}
	}
	html_close(html, "tbody");
	html_close(html, "table");
	html_close(html, "div");
}

static void
write_view(struct drawing *game, int viewer)
{
	const struct record *record = game->view->record;
	struct html *html = &game->html;
	char text[HTML_NUMBER_BYTES], path[PATH_BYTES];

	if (viewer >= 0)
		snprintf(text, sizeof(text), "Seat %d: %s", viewer,
			 record->name[viewer]);
	else
		snprintf(text, sizeof(text), "%s",
			 viewer == VIEW_ALL ? "All cards" : "Public");
	HTML_OPEN(html, "li");
	if (viewer == game->view->viewer) {
		HTML_LEAF(html, text, "span", "aria-current", "true");
	} else {
		path_of(game, viewer, game->frame.number, path);
		html_link(html, text, path);
	}
	html_close(html, "li");
}

static void
write_views(struct drawing *game)
{
	struct html *html = &game->html;
	unsigned s;

	HTML_OPEN(html, "nav", "aria-label", "Views");
	HTML_OPEN(html, "ul", "class", "links");
	if (game->view->all)
		write_view(game, VIEW_ALL);
	write_view(game, VIEW_PUBLIC);
	for (s = 0; s < game->view->record->seats; s++)
		if (game->view->seat[s])
			write_view(game, (int)s);
	html_close(html, "ul");
	html_close(html, "nav");
}

static void
write_files(struct drawing *game)
{
	const struct record *record = game->view->record;
	const char *ended = record_header(record, "ended");
	struct html *html = &game->html;
	char name[8], path[PATH_BYTES];

	game_view_name(game->view->viewer, name);
	HTML_OPEN(html, "p", "class", "soft");
	if (ended != NULL)
		html_fmt(html, "Ended %s. ", ended);
	html_text(html, "Download ");
	snprintf(path, sizeof(path), "api/1/records/%s?view=%s", record->id,
		 name);
	html_link(html, "the record", path);
	html_text(html, " or ");
	snprintf(path, sizeof(path), "api/1/games/%s/frames?view=%s",
		 record->id, name);
	html_link(html, "its tables as JSON", path);
	html_text(html, ".");
	if (game->view->viewer == VIEW_ALL) {
		html_text(html, " The record proves its deal and its moves: ");
		HTML_LEAF(html, "referee verify FILE", "code");
		html_text(html, ".");
	}
	html_close(html, "p");
}

static void
write_all(struct drawing *game, const struct site *site)
{
	const struct record *record = game->view->record;
	char path[HTML_NUMBER_BYTES], list[HTML_NUMBER_BYTES],
		title[HTML_NUMBER_BYTES];

	snprintf(path, sizeof(path), "ladders/%s", game->view->ladder);
	snprintf(list, sizeof(list), "ladders/%s/games", game->view->ladder);
	snprintf(title, sizeof(title), "A game of %s", record->game);
	layout_begin(&game->html,
		     &(struct layout){ .site = site,
				       .title = title,
				       .crumb = { { game->view->ladder, path },
						  { "Games", list } } });
	write_result(game);
	write_views(game);
	write_moment(game);
	write_files(game);
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
		text_init(&game->told, SIZE_MAX);
		html_begin(&game->html, to, "../");
		replay_walk_begin(walk, &replay, view->viewer);
		game->frame = walk->frame;
		result = read_lines(game, walk);
		if (result == 0)
			write_all(game, site);
		text_release(&game->told);
		replay_release(&replay);
	}
	free(walk);
	free(game);
	return result;
}
