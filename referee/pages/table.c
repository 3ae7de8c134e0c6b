/* referee/pages/table.c - see table.h. */
#include "referee/pages/table.h"

#include <stdio.h>
#include <string.h>

#define CLASS_BYTES HTML_NUMBER_BYTES
#define BAR_LENGTH 100 /* of the picture of a bar */

struct drawing {
	struct html *html;
	const char *folder;
	const struct frame_table *table;
	int viewer;
};

/* ---- pictures ------------------------------------------------------------- */

static void
write_use(const struct drawing *draw, const char *class, const char *name)
{
	char path[HTML_NUMBER_BYTES];

	snprintf(path, sizeof(path), "%s%scards.svg#%s", draw->html->root,
		 draw->folder, name);
	HTML_LEAF(draw->html, "", "use", "class", class, "href", path);
}

static void
write_picture(const struct drawing *draw, const char *class, const char *name)
{
	HTML_OPEN(draw->html, "svg", "class", class, "aria-hidden", "true");
	write_use(draw, NULL, name);
	html_close(draw->html, "svg");
}

/* Where a seat is on a round table: the viewer's own in the south, the next one
 * to the left of it. */
static const char *
place_of(const struct drawing *draw, int seat)
{
	static const char *const around[SEATS_MAX][SEATS_MAX] = {
		{ "S" },
		{ "S", "N" },
		{ "S", "NW", "NE" },
		{ "S", "W", "N", "E" },
		{ "S", "W", "NW", "NE", "E" },
		{ "S", "W", "NW", "N", "NE", "E" },
		{ "S", "SW", "W", "NW", "NE", "E", "SE" },
		{ "S", "SW", "W", "NW", "N", "NE", "E", "SE" },
	};
	const int seats = draw->table->seats;
	const int own = draw->viewer > 0 ? draw->viewer : 0;

	return around[seats - 1][(seat + seats - own) % seats];
}

/* ---- pieces --------------------------------------------------------------- */

/* What is said of a piece to who does not see it. */
static void
describe_piece(const struct drawing *draw, const struct frame_piece *piece,
	       char text[HTML_NUMBER_BYTES])
{
	char name[PIECE_NAME];
	unsigned bit;
	int n;

	piece_name((enum piece_kind)draw->table->kind, piece->code, name);
	n = snprintf(text, HTML_NUMBER_BYTES, "%s", name);
	for (bit = 0; frame_piece_word(bit) != NULL; bit++)
		if ((piece->marks >> bit & 1) != 0 && n < HTML_NUMBER_BYTES)
			n += snprintf(text + n, (size_t)(HTML_NUMBER_BYTES - n),
				      ", %s", frame_piece_word(bit));
}

/* Its classes: its colour, its marks. */
static void
class_of(const struct drawing *draw, const struct frame_piece *piece,
	 char class[CLASS_BYTES])
{
	const enum piece_kind kind = (enum piece_kind)draw->table->kind;
	const char colour = piece_colour(kind, piece->code);
	unsigned bit;
	int n = snprintf(class, CLASS_BYTES, "piece");

	if (colour != '\0')
		n += snprintf(class + n, (size_t)(CLASS_BYTES - n), " %s-%c",
			      piece_noun(kind), colour);
	else if (strcmp(piece->code, "?") == 0)
		n += snprintf(class + n, (size_t)(CLASS_BYTES - n), " back");
	for (bit = 0; frame_piece_word(bit) != NULL; bit++)
		if ((piece->marks >> bit & 1) != 0 && n < CLASS_BYTES)
			n += snprintf(class + n, (size_t)(CLASS_BYTES - n),
				      " is-%s", frame_piece_word(bit));
}

/* A card has two faces, of which the style shows one: with all its pips, and
 * with a large index. */
static void
write_card(const struct drawing *draw, const char *code)
{
	char name[16];

	snprintf(name, sizeof(name), "card-%c%c", code[1], code[0]);
	write_use(draw, "full", name);
	snprintf(name, sizeof(name), "large-%c%c", code[1], code[0]);
	write_use(draw, "large", name);
}

static void
write_snake(const struct drawing *draw, const struct frame_piece *piece)
{
	char name[16];

	snprintf(name, sizeof(name), "snake-%c", piece->code[0]);
	write_use(draw, NULL, name);
	if (piece->code[2] != '?')
		write_use(draw, NULL,
			  piece->code[2] == 't' ? "toxic" : "harmless");
	if ((piece->marks & PIECE_THUMB) != 0)
		write_use(draw, "thumb", "thumb");
}

static void
write_face(const struct drawing *draw, const struct frame_piece *piece)
{
	static const char *const boxes[] = {
		[PIECES_PLAIN] = "0 0 50 70",
		[PIECES_CARD] = "0 0 50 70",
		[PIECES_PAWN] = "0 0 50 60",
		[PIECES_SNAKE] = "0 0 60 60",
	};
	const enum piece_kind kind = (enum piece_kind)draw->table->kind;
	char name[16];

	HTML_OPEN(draw->html, "svg", "class", "face", "viewBox", boxes[kind],
		  "aria-hidden", "true");
	if (piece_colour(kind, piece->code) == '\0') {
		snprintf(name, sizeof(name), "back-%s", piece_noun(kind));
		if (strcmp(piece->code, "?") == 0)
			write_use(draw, NULL, name);
	} else if (kind == PIECES_CARD) {
		write_card(draw, piece->code);
	} else if (kind == PIECES_PAWN) {
		snprintf(name, sizeof(name), "pawn-%c", piece->code[0]);
		write_use(draw, NULL, name);
	} else {
		write_snake(draw, piece);
	}
	if ((piece->marks & PIECE_DOWN) != 0 && strcmp(piece->code, "?") != 0) {
		snprintf(name, sizeof(name), "back-%s", piece_noun(kind));
		write_use(draw, "veil", name);
	}
	html_close(draw->html, "svg");
}

/* What of the code is not in the picture: a number before a letter, or the
 * whole code of a piece that has no picture. */
static void
write_sign(const struct drawing *draw, const char *code)
{
	const enum piece_kind kind = (enum piece_kind)draw->table->kind;

	if (strcmp(code, "?") == 0 || kind == PIECES_CARD)
		return;
	HTML_OPEN(draw->html, "span", "class", "sign", "aria-hidden", "true");
	if (kind == PIECES_PLAIN) {
		html_text(draw->html, code);
	} else {
		html_fmt(draw->html, "%c", code[1]);
		HTML_OPEN(draw->html, "i");
		html_fmt(draw->html, "%c", code[0]);
		html_close(draw->html, "i");
	}
	html_close(draw->html, "span");
}

static void
write_piece(const struct drawing *draw, const struct frame_zone *zone,
	    const struct frame_piece *piece)
{
	char class[CLASS_BYTES], text[HTML_NUMBER_BYTES];

	class_of(draw, piece, class);
	HTML_OPEN(draw->html, "span", "class", class, "data-piece",
		  piece->code);
	write_face(draw, piece);
	write_sign(draw, piece->code);
	describe_piece(draw, piece, text);
	HTML_LEAF(draw->html, text, "span", "class", "sr");
	html_close(draw->html, "span");
	if (piece->by >= 0 && piece->by != zone->owner) {
		HTML_OPEN(draw->html, "small");
		html_name(draw->html, draw->table->seat[piece->by].name);
		html_close(draw->html, "small");
	}
}

/* ---- zones ---------------------------------------------------------------- */

/* A piece with all that lies on it, and from where it was played. */
static void
write_group(const struct drawing *draw, const struct frame_zone *zone,
	    unsigned bottom)
{
	const int by = zone->piece[bottom].by;
	unsigned i;

	HTML_OPEN(draw->html, "li", "data-at",
		  by >= 0 ? place_of(draw, by) : NULL);
	write_piece(draw, zone, &zone->piece[bottom]);
	for (i = 0; i < zone->pieces; i++)
		if (zone->piece[i].on == (int)bottom)
			write_piece(draw, zone, &zone->piece[i]);
	html_close(draw->html, "li");
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

/* Of a large pile, or one whose pieces are all hidden, the top is enough, and
 * what lies open at its bottom. */
static bool
is_drawn(const struct frame_zone *zone, unsigned i)
{
	if (zone->piece[i].on >= 0)
		return false; /* with the piece that it lies on */
	if (zone->layout != LAYOUT_PILE ||
	    (zone->pieces <= TABLE_PILE && !all_hidden(zone)) || i == 0)
		return true;
	return i == zone->pieces - 1u &&
	       (zone->piece[i].marks & PIECE_SHOWN) != 0;
}

static void
write_pieces(const struct drawing *draw, const struct frame_zone *zone)
{
	unsigned i;

	if (zone->pieces == 0)
		return;
	HTML_OPEN(draw->html, "ul", "class", "pieces", "data-layout",
		  frame_layout_word(zone->layout));
	for (i = 0; i < zone->pieces; i++)
		if (is_drawn(zone, i))
			write_group(draw, zone, i);
	html_close(draw->html, "ul");
}

/* "your hand"; "Anna: taken"; "trick". */
static void
name_zone(const struct drawing *draw, const struct frame_zone *zone,
	  char name[HTML_NUMBER_BYTES])
{
	if (zone->owner < 0)
		snprintf(name, HTML_NUMBER_BYTES, "%s", zone->label);
	else if (zone->owner == draw->viewer && strcmp(zone->kind, "hand") == 0)
		snprintf(name, HTML_NUMBER_BYTES, "your hand");
	else
		snprintf(name, HTML_NUMBER_BYTES, "%s: %s",
			 draw->table->seat[zone->owner].name, zone->label);
}

/* Zones that have a picture of their own behind the pieces. */
static void
write_scene(const struct drawing *draw, const struct frame_zone *zone)
{
	if (strcmp(zone->kind, "monster") == 0)
		write_picture(draw, "scene", "monster");
	else if (strcmp(zone->kind, "bark") == 0)
		write_picture(draw, "scene", "boat");
}

/* All zones that are of no seat, and those at a spot. */
static bool
is_in_middle(const struct frame_zone *zone)
{
	return zone->owner < 0 || zone->spot[0] != '\0';
}

static void
write_zone(const struct drawing *draw, const struct frame_zone *zone)
{
	char name[HTML_NUMBER_BYTES], count[8];

	name_zone(draw, zone, name);
	snprintf(count, sizeof(count), "%u", zone->pieces);
	HTML_OPEN(draw->html, "div", "class", zone->dim ? "zone dim" : "zone",
		  "data-zone", zone->kind, "data-spot",
		  zone->spot[0] != '\0' ? zone->spot : NULL, "data-pieces",
		  count, "role", "group", "aria-label", name);
	write_scene(draw, zone);
	HTML_OPEN(draw->html, "p", "class", "zone-label");
	html_words(draw->html, zone->label);
	HTML_OPEN(draw->html, "b");
	HTML_LEAF(draw->html, ": ", "i");
	html_text(draw->html, count);
	html_close(draw->html, "b");
	html_close(draw->html, "p");
	if (zone->owner >= 0 && is_in_middle(zone)) {
		HTML_OPEN(draw->html, "p", "class", "zone-owner");
		html_name(draw->html, draw->table->seat[zone->owner].name);
		html_close(draw->html, "p");
	}
	write_pieces(draw, zone);
	html_close(draw->html, "div");
}

/* ---- gauges --------------------------------------------------------------- */

/* A line as long as the goal, or as the value if that is more; the value on it,
 * and the goal. */
static void
write_bar(const struct drawing *draw, const struct frame_gauge *gauge)
{
	struct html *html = draw->html;
	const long value = gauge->value > 0 ? gauge->value : 0;
	const long goal = gauge->goal > 0 ? gauge->goal : 1;
	const long whole = value > goal ? value : goal;
	char path[32], at[24];

	HTML_OPEN(html, "svg", "class", "bar", "viewBox", "-6 0 112 12",
		  "aria-hidden", "true");
	HTML_LEAF(html, "", "path", "class", "trough", "d", "M0 6H100");
	snprintf(path, sizeof(path), "M0 6H%ld", BAR_LENGTH * value / whole);
	HTML_LEAF(html, "", "path", "class", "fill", "d", path);
	snprintf(path, sizeof(path), "M%ld 0V12", BAR_LENGTH * goal / whole);
	HTML_LEAF(html, "", "path", "class", "goal", "d", path);
	snprintf(at, sizeof(at), "%ld", BAR_LENGTH * value / whole);
	HTML_LEAF(html, "", "circle", "cx", at, "cy", "6", "r", "4");
	html_close(html, "svg");
}

/* One for each, and up to a goal empty ones; of more than ten, one for each ten
 * before the others, and so on with hundreds. */
static void
write_beads(const struct drawing *draw, const struct frame_gauge *gauge)
{
	static const struct {
		long worth;
		const char *class;
	} beads[] = { { 100, "hundred" }, { 10, "ten" }, { 1, NULL } };
	const long all = gauge->value > 0 ? gauge->value : 0;
	long value = all;
	unsigned i, written = 0;

	HTML_OPEN(draw->html, "span", "class", "beads", "aria-hidden", "true");
	for (i = 0; i < NELEM(beads); i++)
		for (; value >= beads[i].worth && written < TABLE_BEADS;
		     value -= beads[i].worth, written++)
			HTML_LEAF(draw->html, "", "i", "class", beads[i].class);
	for (value = all; value < gauge->goal && written < TABLE_BEADS;
	     value++, written++)
		HTML_LEAF(draw->html, "", "i", "class", "none");
	html_close(draw->html, "span");
}

/* What the other seat may do with an offer. */
static void
write_ladder(const struct drawing *draw)
{
	static const char *const rungs[] = { "raise", "accept", "give up" };
	unsigned i;

	HTML_OPEN(draw->html, "span", "class", "ladder");
	for (i = 0; i < NELEM(rungs); i++) {
		html_text(draw->html, " ");
		HTML_LEAF(draw->html, rungs[i], "span");
	}
	html_close(draw->html, "span");
}

static void
write_gauge(const struct drawing *draw, const struct frame_gauge *gauge)
{
	struct html *html = draw->html;

	if (!gauge->known)
		return;
	HTML_OPEN(html, "div", "data-gauge", gauge->kind);
	HTML_LEAF(html, gauge->label, "dt");
	HTML_OPEN(html, "dd");
	html_fmt(html, "%d", gauge->value);
	if (gauge->goal > 0)
		html_fmt(html, " of %d", gauge->goal);
	if (gauge->layout == GAUGE_BAR)
		write_bar(draw, gauge);
	else if (gauge->layout == GAUGE_BEADS)
		write_beads(draw, gauge);
	if (strcmp(gauge->kind, "offer") == 0)
		write_ladder(draw);
	html_close(html, "dd");
	html_close(html, "div");
}

/* ---- seats and the middle ------------------------------------------------- */

/* All that belongs to a seat; -1: to none. */
static void
write_owned(const struct drawing *draw, int owner)
{
	const struct frame_table *table = draw->table;
	unsigned i;

	HTML_OPEN(draw->html, "dl", "class", "gauges");
	for (i = 0; i < table->gauges; i++)
		if (table->gauge[i].owner == owner)
			write_gauge(draw, &table->gauge[i]);
	html_close(draw->html, "dl");
	HTML_OPEN(draw->html, "div", "class", "zones");
	for (i = 0; i < table->zones; i++)
		if (is_in_middle(&table->zone[i])
			    ? owner < 0
			    : table->zone[i].owner == owner)
			write_zone(draw, &table->zone[i]);
	html_close(draw->html, "div");
}

static void
write_flags(const struct drawing *draw, const struct frame_seat *seat)
{
	unsigned bit;

	for (bit = 0; frame_seat_word(bit) != NULL; bit++) {
		if ((seat->flags >> bit & 1) == 0)
			continue;
		html_text(draw->html, " ");
		HTML_LEAF(draw->html, frame_seat_word(bit), "span", "class",
			  "tag", "data-flag", frame_seat_word(bit));
	}
}

/* "seat 2", "team 1", "7 points": each in a place of its own. */
static void
write_fact(const struct drawing *draw, const char *kind, const char *text)
{
	html_text(draw->html, " ");
	HTML_OPEN(draw->html, "span", "data-fact", kind);
	html_words(draw->html, text);
	html_close(draw->html, "span");
}

static void
write_count(const struct drawing *draw, const char *kind, long number)
{
	char text[HTML_NUMBER_BYTES];

	snprintf(text, sizeof(text), "%ld %s%s", number, kind,
		 number == 1 ? "" : "s");
	write_fact(draw, kind, text);
}

static void
write_number(const struct drawing *draw, const char *kind, unsigned number)
{
	char text[HTML_NUMBER_BYTES];

	snprintf(text, sizeof(text), "%s %u", kind, number);
	write_fact(draw, kind, text);
}

static void
write_facts(const struct drawing *draw, int s)
{
	const struct frame_seat *seat = &draw->table->seat[s];

	HTML_OPEN(draw->html, "p", "class", "standing");
	write_number(draw, "seat", (unsigned)s);
	if (seat->team > 0)
		write_number(draw, "team", seat->team);
	if (seat->scored && !frame_has_gauge(draw->table, s, "points"))
		write_count(draw, "point", seat->points);
	if (seat->place > 0)
		write_number(draw, "place", seat->place);
	if (seat->faults > 0)
		write_count(draw, "fault", seat->faults);
	html_close(draw->html, "p");
}

static void
write_seat(const struct drawing *draw, int s)
{
	const struct frame_seat *seat = &draw->table->seat[s];
	struct html *html = draw->html;
	char class[32], number[16];

	snprintf(class, sizeof(class), "seat%s%s",
		 (seat->flags & SEAT_TURN) != 0 ? " turn" : "",
		 (seat->flags & (SEAT_OUT | SEAT_FOLDED)) != 0 ? " dim" : "");
	snprintf(number, sizeof(number), "%d", s);
	HTML_OPEN(html, "section", "class", class, "data-seat", number,
		  "data-at", place_of(draw, s));
	HTML_OPEN(html, "h3");
	if (seat->team > 0) {
		snprintf(number, sizeof(number), "team-%u", seat->team);
		write_picture(draw, "team", number);
	}
	html_name(html, seat->name);
	write_flags(draw, seat);
	html_close(html, "h3");
	write_facts(draw, s);
	write_owned(draw, s);
	html_close(html, "section");
}

/* Who is attacked: an arrow from the middle. */
static void
write_arrow(const struct drawing *draw)
{
	int s;

	for (s = 0; s < draw->table->seats; s++) {
		if ((draw->table->seat[s].flags & SEAT_DEFENDER) == 0)
			continue;
		HTML_OPEN(draw->html, "div", "class", "arrow", "data-at",
			  place_of(draw, s));
		write_picture(draw, NULL, "arrow");
		html_close(draw->html, "div");
	}
}

/* The kinds of the zones in the middle: by them the style tells the games
 * apart. */
static void
name_middle(const struct frame_table *table, char names[HTML_NUMBER_BYTES])
{
	size_t n = 0;
	unsigned i;

	names[0] = '\0';
	for (i = 0; i < table->zones; i++)
		if (is_in_middle(&table->zone[i]) && n < HTML_NUMBER_BYTES)
			n += (size_t)snprintf(names + n, HTML_NUMBER_BYTES - n,
					      "%s%s", n > 0 ? " " : "",
					      table->zone[i].kind);
}

void
table_write(struct html *html, const char *folder,
	    const struct frame_table *table, int viewer)
{
	const struct drawing draw = { html, folder, table, viewer };
	char names[HTML_NUMBER_BYTES], seats[8];
	const int own = viewer > 0 ? viewer : 0;
	int i;

	name_middle(table, names);
	snprintf(seats, sizeof(seats), "%d", table->seats);
	HTML_OPEN(html, "div", "class", "felt", "data-pieces",
		  piece_noun((enum piece_kind)table->kind), "data-middle",
		  names);
	HTML_OPEN(html, "div", "class", "round", "data-seats", seats);
	HTML_OPEN(html, "section", "class", "middle", "aria-label",
		  "Middle of the table");
	write_arrow(&draw);
	write_owned(&draw, -1);
	html_close(html, "section");
	for (i = 0; i < table->seats; i++)
		write_seat(&draw, (own + i) % table->seats);
	html_close(html, "div");
	html_close(html, "div");
}
