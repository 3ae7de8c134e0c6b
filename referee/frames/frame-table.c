/* referee/frames/frame-table.c - seats, zones and gauges of a table. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "referee/frames/frame-model.h"

/* ---- text ----------------------------------------------------------------- */

void
frame_text(char *to, size_t size, const char *fmt, ...)
{
	va_list ap;

	memset(to, 0, size);
	va_start(ap, fmt);
	if (vsnprintf(to, size, fmt, ap) < 0)
		to[0] = '\0';
	va_end(ap);
}

/* ---- seats ---------------------------------------------------------------- */

static struct frame_seat *
seat_at(struct frame *frame, int seat)
{
	if (seat < 0 || seat >= (int)frame->table.seats)
		return NULL;
	return &frame->table.seat[seat];
}

const char *
frame_name(const struct frame *frame, int seat)
{
	if (seat < 0 || seat >= (int)frame->table.seats)
		return "no seat";
	return frame->table.seat[seat].name;
}

bool
frame_is(const struct frame *frame, int seat, unsigned flags)
{
	return seat >= 0 && seat < (int)frame->table.seats &&
	       (frame->table.seat[seat].flags & flags) != 0;
}

void
frame_flag(struct frame *frame, int seat, unsigned flags)
{
	struct frame_seat *at = seat_at(frame, seat);

	if (at != NULL)
		at->flags |= (uint32_t)flags;
}

void
frame_unflag(struct frame *frame, int seat, unsigned flags)
{
	struct frame_seat *at = seat_at(frame, seat);

	if (at != NULL)
		at->flags &= ~(uint32_t)flags;
}

void
frame_flag_only(struct frame *frame, int seat, unsigned flags)
{
	for (unsigned i = 0; i < frame->table.seats; i++)
		frame_unflag(frame, (int)i, flags);
	frame_flag(frame, seat, flags);
}

int
frame_left_of(const struct frame *frame, int seat, unsigned without)
{
	const int seats = frame->table.seats;
	int other;

	if (seat < 0 || seat >= seats)
		seat = seats - 1;
	for (int i = 1; i <= seats; i++) {
		other = (seat + i) % seats;
		if (!frame_is(frame, other, without))
			return other;
	}
	return -1;
}

void
frame_points(struct frame *frame, int seat, int32_t points)
{
	struct frame_seat *at = seat_at(frame, seat);

	if (at == NULL)
		return;
	at->points = points;
	at->scored = 1;
}

/* ---- zones ---------------------------------------------------------------- */

unsigned
frame_add_zone(struct frame *frame, const char *kind, const char *label,
	       int owner, unsigned layout)
{
	struct frame_zone *zone;

	if (frame->table.zones == FRAME_ZONES)
		bug("a model adds more than %d zones", FRAME_ZONES);
	zone = &frame->table.zone[frame->table.zones];
	frame_text(zone->kind, sizeof(zone->kind), "%s", kind);
	frame_text(zone->label, sizeof(zone->label), "%s", label);
	zone->owner = (int8_t)owner;
	zone->layout = (uint8_t)layout;
	return frame->table.zones++;
}

struct frame_zone *
frame_zone(struct frame *frame, unsigned index)
{
	if (index >= frame->table.zones)
		bug("a model has no zone %u", index);
	return &frame->table.zone[index];
}

struct frame_zone *
frame_own(struct frame *frame, int seat, unsigned which)
{
	return frame_zone(frame,
			  frame->game->seat_zones * (unsigned)seat + which);
}

struct frame_zone *
frame_middle(struct frame *frame, unsigned which)
{
	return frame_own(frame, frame->table.seats, which);
}

struct frame_piece *
frame_put(struct frame_zone *zone, const char *code, int by, unsigned marks)
{
	struct frame_piece *piece;

	if (zone->pieces == FRAME_PIECES)
		return NULL;
	piece = &zone->piece[zone->pieces++];
	frame_text(piece->code, sizeof(piece->code), "%s", code);
	piece->by = (int8_t)by;
	piece->on = -1;
	piece->marks = (uint16_t)(marks | PIECE_NEW);
	return piece;
}

void
frame_put_all(struct frame_zone *zone, const struct frame_line *line,
	      unsigned marks)
{
	for (unsigned i = 0; i < line->pieces; i++)
		frame_put(zone, line->piece[i], -1, marks);
}

void
frame_put_hidden(struct frame_zone *zone, unsigned count, unsigned marks)
{
	while (count-- > 0 && frame_put(zone, "?", -1, marks) != NULL)
		;
}

int
frame_find(const struct frame_zone *zone, const char *code)
{
	int found = -1;

	for (unsigned i = zone->pieces; i-- > 0;) {
		if (strcmp(zone->piece[i].code, code) == 0)
			return (int)i;
		if (piece_fits(zone->piece[i].code, code))
			found = (int)i;
	}
	return found;
}

void
frame_take_at(struct frame_zone *zone, int index)
{
	if (index < 0 || index >= zone->pieces)
		return;
	zone->pieces--;
	memmove(&zone->piece[index], &zone->piece[index + 1],
		(zone->pieces - (unsigned)index) * sizeof(zone->piece[0]));
	memset(&zone->piece[zone->pieces], 0, sizeof(zone->piece[0]));
	for (unsigned i = 0; i < zone->pieces; i++) {
		if (zone->piece[i].on == index)
			zone->piece[i].on = -1;
		else if (zone->piece[i].on > index)
			zone->piece[i].on--;
	}
}

void
frame_take(struct frame_zone *zone, const char *code)
{
	frame_take_at(zone, frame_find(zone, code));
}

void
frame_clear(struct frame_zone *zone)
{
	memset(zone->piece, 0, sizeof(zone->piece));
	zone->pieces = 0;
}

void
frame_clear_all(struct frame *frame)
{
	for (unsigned i = 0; i < frame->table.zones; i++)
		frame_clear(frame_zone(frame, i));
}

void
frame_take_first(struct frame_zone *zone, unsigned count)
{
	while (count-- > 0 && zone->pieces > 0)
		frame_take_at(zone, 0);
}

void
frame_move_all(struct frame_zone *from, struct frame_zone *to, unsigned marks)
{
	for (unsigned i = 0; i < from->pieces; i++)
		frame_put(to, from->piece[i].code, -1, marks);
	frame_clear(from);
}

void
frame_mark_all(struct frame_zone *zone, unsigned set, unsigned clear)
{
	for (unsigned i = 0; i < zone->pieces; i++) {
		zone->piece[i].marks |= (uint16_t)set;
		zone->piece[i].marks &= (uint16_t)~clear;
	}
}

struct frame_piece *
frame_played(struct frame_zone *zone, int seat)
{
	for (unsigned i = zone->pieces; i-- > 0;)
		if (zone->piece[i].by == seat)
			return &zone->piece[i];
	return NULL;
}

/* ---- gauges --------------------------------------------------------------- */

void
frame_add_gauge(struct frame *frame, const char *kind, const char *label,
		int owner, unsigned layout, int32_t goal)
{
	struct frame_gauge *gauge;

	if (frame->table.gauges == FRAME_GAUGES)
		bug("a model adds more than %d gauges", FRAME_GAUGES);
	gauge = &frame->table.gauge[frame->table.gauges++];
	frame_text(gauge->kind, sizeof(gauge->kind), "%s", kind);
	frame_text(gauge->label, sizeof(gauge->label), "%s", label);
	gauge->owner = (int8_t)owner;
	gauge->layout = (uint8_t)layout;
	gauge->goal = goal;
}

struct frame_gauge *
frame_gauge(struct frame *frame, int owner, unsigned which)
{
	const unsigned before =
		owner < 0 ? frame->table.seats : (unsigned)owner;
	const unsigned index = frame->game->seat_gauges * before + which;

	if (index >= frame->table.gauges)
		bug("a model has no gauge %u", index);
	return &frame->table.gauge[index];
}

void
frame_gauge_set(struct frame *frame, int owner, unsigned which, int32_t value)
{
	struct frame_gauge *gauge = frame_gauge(frame, owner, which);

	gauge->known = value != GAUGE_NONE;
	gauge->value = gauge->known ? value : 0;
}

/* ---- deltas --------------------------------------------------------------- */

struct frame_changes
frame_changes(const struct frame_table *before, const struct frame_table *after)
{
	struct frame_changes changes = { 0 };

	for (unsigned i = 0; i < SEATS_MAX; i++)
		if (memcmp(&before->seat[i], &after->seat[i],
			   sizeof(after->seat[i])) != 0)
			changes.seats |= UINT64_C(1) << i;
	for (unsigned i = 0; i < FRAME_GAUGES; i++)
		if (memcmp(&before->gauge[i], &after->gauge[i],
			   sizeof(after->gauge[i])) != 0)
			changes.gauges |= UINT64_C(1) << i;
	for (unsigned i = 0; i < FRAME_ZONES; i++)
		if (memcmp(&before->zone[i], &after->zone[i],
			   sizeof(after->zone[i])) != 0)
			changes.zones |= UINT64_C(1) << i;
	return changes;
}

bool
frame_has_gauge(const struct frame_table *table, int owner, const char *kind)
{
	for (unsigned i = 0; i < table->gauges; i++)
		if (table->gauge[i].owner == owner &&
		    strcmp(table->gauge[i].kind, kind) == 0)
			return true;
	return false;
}
