/* referee/pages/hands.c - see hands.h. */
#include "referee/pages/hands.h"

#include <string.h>

static void
write_gauge(struct html *html, const struct frame_gauge *gauge)
{
	html_fmt(html, "<li>%s: %d", gauge->label, (int)gauge->value);
	if (gauge->goal > 0 && gauge->value > gauge->goal)
		html_fmt(html, " (over %d)", (int)gauge->goal);
	else if (gauge->goal > 0)
		html_fmt(html, " of %d", (int)gauge->goal);
	html_close(html, "li");
}

/* Writes a piece's name, its marks, and the seat that played it if it lies
 * elsewhere.  New pieces have no mark here, because the line says what is new. */
static void
write_piece(struct html *html, const struct frame_table *table,
	    const struct frame_zone *zone, const struct frame_piece *piece)
{
	char name[PIECE_NAME];

	piece_name((enum piece_kind)table->kind, piece->code, name);
	html_text(html, name);
	for (unsigned bit = 0; frame_piece_word(bit) != NULL; bit++)
		if (((piece->marks & ~PIECE_NEW) >> bit & 1) != 0)
			html_fmt(html, " %s", frame_piece_word(bit));
	if (piece->by >= 0 && piece->by != zone->owner)
		html_fmt(html, " (<bdi>%s</bdi>)", table->seat[piece->by].name);
}

/* Names pieces that are known, and counts the others. */
static void
write_zone(struct html *html, const struct frame_table *table,
	   const struct frame_zone *zone)
{
	const char *before = ": ";
	unsigned i, hidden = 0;

	html_fmt(html, "<li>%s", zone->label);
	for (i = 0; i < zone->pieces; i++) {
		if (strcmp(zone->piece[i].code, "?") == 0) {
			hidden++;
			continue;
		}
		html_text(html, before);
		write_piece(html, table, zone, &zone->piece[i]);
		before = ", ";
	}
	if (hidden > 0)
		html_fmt(html, "%s%u hidden", before, hidden);
	else if (zone->pieces == 0)
		html_text(html, ": none");
	html_close(html, "li");
}

/* Writes everything that belongs to a seat, or to none if `owner` is -1. */
static void
write_owned(struct html *html, const struct frame_table *table, int owner)
{
	HTML_OPEN(html, "ul");
	for (unsigned i = 0; i < table->gauges; i++)
		if (table->gauge[i].owner == owner && table->gauge[i].known)
			write_gauge(html, &table->gauge[i]);
	for (unsigned i = 0; i < table->zones; i++)
		if (table->zone[i].owner == owner &&
		    (table->zone[i].pieces > 0 ||
		     (owner < 0 && table->zone[i].layout == LAYOUT_PILE)))
			write_zone(html, table, &table->zone[i]);
	html_close(html, "ul");
}

static void
write_seat(struct html *html, const struct frame_table *table, unsigned s)
{
	const struct frame_seat *seat = &table->seat[s];

	html_fmt(html, "<p><bdi>%s</bdi>, seat %u", seat->name, s);
	for (unsigned bit = 0; frame_seat_word(bit) != NULL; bit++)
		if ((seat->flags >> bit & 1) != 0)
			html_fmt(html, ", %s", frame_seat_word(bit));
	if (seat->scored && !frame_has_gauge(table, (int)s, "points"))
		html_fmt(html, ", %d %s%s", (int)seat->points, table->unit,
			 seat->points == 1 ? "" : "s");
	if (seat->place > 0)
		html_fmt(html, ", place %u", seat->place);
	html_close(html, "p");
	write_owned(html, table, (int)s);
}

void
hands_write(struct html *html, const struct frame_table *table)
{
	html_fmt(html,
		 "<div class='felt words'><p>The middle of the table</p>");
	write_owned(html, table, -1);
	for (unsigned s = 0; s < table->seats; s++)
		write_seat(html, table, s);
	html_close(html, "div");
}
