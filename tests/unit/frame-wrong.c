/* tests/unit/frame-wrong.c - see frame-wrong.h. */
#include "tests/unit/frame-wrong.h"

#include <string.h>

static bool
ends(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

static const char *
piece_wrong(const struct frame_table *table, const struct frame_zone *zone,
	    int at)
{
	const struct frame_piece *piece = &zone->piece[at];

	if (!ends(piece->code, PIECE_BYTES) ||
	    !piece_ok(table->kind, piece->code, strlen(piece->code)))
		return "a code is none";
	if (piece->by < -1 || piece->by >= (int)table->seats)
		return "a piece was played by no seat of the table";
	if (piece->on < -1 || piece->on >= (int)zone->pieces || piece->on == at)
		return "a piece lies on one that is not there";
	return NULL;
}

static const char *
zone_wrong(const struct frame_table *table, const struct frame_zone *zone)
{
	static const struct frame_piece nothing;
	const char *why;
	int i;

	if (zone->pieces > FRAME_PIECES)
		return "a zone has more pieces than it can";
	if (!ends(zone->kind, FRAME_WORD) || !ends(zone->label, FRAME_LABEL) ||
	    !ends(zone->spot, sizeof(zone->spot)))
		return "a zone's text has no end";
	if (zone->owner < -1 || zone->owner >= (int)table->seats ||
	    frame_layout_word(zone->layout) == NULL)
		return "a zone has no such owner or layout";
	for (i = 0; i < zone->pieces; i++) {
		why = piece_wrong(table, zone, i);
		if (why != NULL)
			return why;
	}
	for (; i < FRAME_PIECES; i++)
		if (memcmp(&zone->piece[i], &nothing, sizeof(nothing)) != 0)
			return "bytes that are not used are not zero";
	return NULL;
}

static const char *
gauge_wrong(const struct frame_table *table, const struct frame_gauge *gauge)
{
	if (!ends(gauge->kind, FRAME_WORD) || !ends(gauge->label, FRAME_LABEL))
		return "a gauge's text has no end";
	if (gauge->owner < -1 || gauge->owner >= (int)table->seats ||
	    frame_gauge_word(gauge->layout) == NULL)
		return "a gauge has no such owner or layout";
	return NULL;
}

static const char *
sentence_wrong(const struct frame *frame)
{
	const char *at = frame->sentence;

	if (!ends(at, FRAME_SENTENCE))
		return "the sentence has no end";
	if (*at == '\0' && !frame->raw)
		return "there is no sentence";
	for (; *at != '\0'; at++)
		if (((unsigned char)*at < ' ' && *at != '\t') || *at == 0x7f)
			return "the sentence has a control character";
	return NULL;
}

const char *
frame_wrong(const struct frame *frame, const struct frame *first)
{
	const struct frame_table *table = &frame->table;
	const char *why = sentence_wrong(frame);
	unsigned i;

	if (table->seats != first->table.seats ||
	    table->zones != first->table.zones ||
	    table->gauges != first->table.gauges)
		return "seats, zones or gauges came or went";
	if (frame->seat < -1 || frame->seat >= (int)table->seats)
		return "the line is about no seat of the table";
	for (i = 0; i < table->zones && why == NULL; i++)
		why = zone_wrong(table, &table->zone[i]);
	for (i = 0; i < table->gauges && why == NULL; i++)
		why = gauge_wrong(table, &table->gauge[i]);
	return why;
}
