/* referee/records/frame-json.c - see frame-json.h. */
#include "referee/records/frame-json.h"

#include <string.h>

#include "referee/base/json-line.h"
#include "referee/records/replay-asks.h"
#include "referee/records/replay-notes.h"

/* Returns the words of the set bits; NULL if none is set. */
static json_t *
words_json(unsigned bits, const char *(*word)(unsigned bit))
{
	json_t *words = bits != 0 ? json_array() : NULL;

	for (unsigned bit = 0; word(bit) != NULL; bit++)
		if (bits >> bit & 1)
			json_array_append_new(words, json_string(word(bit)));
	return words;
}

/* Returns a number, or NULL if it is not wanted. */
static json_t *
number_json(long number, bool wanted)
{
	return wanted ? json_integer(number) : NULL;
}

static json_t *
ask_json(const struct replay_line *line)
{
	json_t *tokens = json_array();
	const char *at = line->text + strlen("ask N "), *end;

	for (; *at; at = *end ? end + 1 : end) {
		end = strchrnul(at, ' ');
		json_array_append_new(tokens,
				      json_stringn(at, (size_t)(end - at)));
	}
	return JSON_OBJECT(INT("line", line->number), INT("ask", line->ask),
			   JSON("tokens", tokens));
}

/* Returns the bots' remarks on the line that the viewer may know. */
static json_t *
remarks_json(const struct replay_walk *walk)
{
	const char *from = NULL;
	struct replay_note note;
	json_t *json = NULL;

	while (replay_note_next(walk->line, walk->viewer, &from, &note)) {
		if (!note.spoke)
			continue;
		if (json == NULL)
			json = json_array();
		JSON_PUSH(json, INT("seat", note.seat),
			  JSON("text", json_any_string(note.text)));
	}
	return json;
}

static json_t *
told(json_t *json, const struct frame *frame)
{
	JSON_ADD(json, JSON_IF("sentence", json_string(frame->sentence)),
		 JSON_IF("marks", words_json(frame->marks, frame_mark_word)),
		 JSON_IF("seat", number_json(frame->seat, frame->seat >= 0)),
		 JSON_IF("round",
			 number_json((long)frame->round, frame->round > 0)));
	return json;
}

json_t *
frame_json_line(const struct replay_walk *walk)
{
	const struct replay_line *line = walk->line;
	const char *said = walk->said;
	const struct asks_ask *ask;
	json_t *remarks = remarks_json(walk);
	json_t *json = line->ask >= 0 ? ask_json(line)
				      : JSON_OBJECT(INT("line", line->number),
						    TEXT("event", walk->text));

	if (line->ask >= 0 &&
	    (ask = replay_asks_of(walk->replay, line, walk->viewer)) != NULL)
		replay_ask_fill(ask, json);
	JSON_ADD(json,
		 JSON_IF("said",
			 said == NULL ? NULL
				      : json_stringn(said, strcspn(said, " "))),
		 JSON_IF("remarks", remarks));
	return told(json, &walk->frame);
}

json_t *
frame_json_event(const char *event, const struct frame *frame)
{
	return told(JSON_OBJECT(TEXT("event", event)), frame);
}

static json_t *
seat_json(const struct frame_seat *seat, unsigned number)
{
	return JSON_OBJECT(
		INT("number", number), TEXT("name", seat->name),
		JSON_IF("flags", words_json(seat->flags, frame_seat_word)),
		JSON_IF("points", number_json(seat->points, seat->scored)),
		JSON_IF("place", number_json(seat->place, seat->place > 0)),
		JSON_IF("team", number_json(seat->team, seat->team > 0)),
		JSON_IF("faults", number_json(seat->faults, seat->faults > 0)));
}

static json_t *
gauge_json(const struct frame_gauge *gauge, unsigned number)
{
	return JSON_OBJECT(
		INT("number", number), TEXT("kind", gauge->kind),
		TEXT("label", gauge->label),
		TEXT("layout", frame_gauge_word(gauge->layout)),
		JSON_IF("owner", number_json(gauge->owner, gauge->owner >= 0)),
		JSON_IF("value", number_json(gauge->value, gauge->known)),
		JSON_IF("goal", number_json(gauge->goal, gauge->goal != 0)));
}

/* Returns a piece; one without marks is only its code. */
static json_t *
piece_json(const struct frame_piece *piece)
{
	if (piece->by < 0 && piece->on < 0 && piece->marks == 0)
		return json_string(piece->code);
	return JSON_OBJECT(
		TEXT("code", piece->code),
		JSON_IF("by", number_json(piece->by, piece->by >= 0)),
		JSON_IF("on", number_json(piece->on, piece->on >= 0)),
		JSON_IF("marks", words_json(piece->marks, frame_piece_word)));
}

static json_t *
zone_json(const struct frame_zone *zone, unsigned number)
{
	json_t *pieces = json_array();

	for (unsigned i = 0; i < zone->pieces; i++)
		json_array_append_new(pieces, piece_json(&zone->piece[i]));
	return JSON_OBJECT(
		INT("number", number), TEXT("kind", zone->kind),
		TEXT("label", zone->label),
		TEXT("layout", frame_layout_word(zone->layout)),
		JSON("pieces", pieces),
		JSON_IF("owner", number_json(zone->owner, zone->owner >= 0)),
		JSON_IF("spot",
			zone->spot[0] != '\0' ? json_string(zone->spot) : NULL),
		JSON_IF("dim", zone->dim ? json_true() : NULL));
}

json_t *
frame_json_table(const struct frame_table *table,
		 const struct frame_table *before)
{
	struct frame_changes changes = { UINT64_MAX, UINT64_MAX, UINT64_MAX };
	json_t *seats = json_array(), *gauges = json_array(),
	       *zones = json_array();

	if (before != NULL)
		changes = frame_changes(before, table);
	for (unsigned i = 0; i < table->seats; i++)
		if (changes.seats >> i & 1)
			json_array_append_new(seats,
					      seat_json(&table->seat[i], i));
	for (unsigned i = 0; i < table->gauges; i++)
		if (changes.gauges >> i & 1)
			json_array_append_new(gauges,
					      gauge_json(&table->gauge[i], i));
	for (unsigned i = 0; i < table->zones; i++)
		if (changes.zones >> i & 1)
			json_array_append_new(zones,
					      zone_json(&table->zone[i], i));
	return JSON_OBJECT(TEXT("pieces", piece_noun(table->kind)),
			   TEXT("unit", table->unit), JSON("seats", seats),
			   JSON("gauges", gauges), JSON("zones", zones));
}
