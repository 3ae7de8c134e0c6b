/* referee/web/live-feed.c - see live-feed.h. */
#include "referee/web/live-feed.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/record.h"
#include "referee/base/json-line.h"
#include "referee/records/frame-json.h"
#include "referee/records/replay-frames.h"
#include "referee/table/table-record.h"

/* A frame, and the table of the frame before it. */
struct feed_view {
	struct frame frame;
	struct frame_table before;
};

static const char *const events[FEED_TRACKS] = { "game", "frame" };

void
feed_init(struct live_feed *feed, const char *ladder,
	  const struct table_setup *setup, unsigned life)
{
	struct error why;

	*feed = (struct live_feed){ .life = life };
	memcpy(feed->id, setup->deal.id, sizeof(feed->id));
	snprintf(feed->ladder, sizeof(feed->ladder), "%s", ladder);
	text_init(&feed->header, SIZE_MAX);
	table_record_names(&feed->header, setup);
	text_str(&feed->header, "\n");
	if (record_parse(feed->header.bytes, feed->header.used, &feed->record,
			 &why) < 0)
		bug("the record of a game begins otherwise: %s", why.text);
}

/* Forgets all lines and frames. */
static void
drop_parts(struct live_feed *feed)
{
	struct feed_parts *parts;

	for (parts = feed->track; parts < feed->track + FEED_TRACKS; parts++) {
		for (unsigned i = 0; i < parts->parts; i++) {
			http_piece_drop(parts->part[i].piece);
			text_release(&parts->part[i].lines);
		}
		free(parts->part);
		*parts = (struct feed_parts){ .part = NULL };
	}
	free(feed->view);
	feed->view = NULL;
	feed->lines = feed->framed = 0;
}

void
feed_release(struct live_feed *feed)
{
	drop_parts(feed);
	record_free(feed->record);
	text_release(&feed->header);
}

/* ---- parts ---------------------------------------------------------------- */

/* Makes an event of lines; the last one has number `last`. */
static struct http_piece *
make_piece(const struct live_feed *feed, const char *event, const char *lines,
	   size_t n, uint64_t last)
{
	const char *end = lines + n, *lf;
	struct http_piece *piece;
	struct text text = { .max = SIZE_MAX };

	text_fmt(&text, "id: %s:%" PRIu64, feed->id, last);
	if (feed->life > 0)
		text_fmt(&text, ":%u", feed->life);
	text_fmt(&text, "\nevent: %s\n", event);
	for (; lines < end; lines = lf + 1) {
		lf = memchr(lines, '\n', (size_t)(end - lines));
		text_str(&text, "data: ");
		text_add(&text, lines, (size_t)(lf - lines) + 1);
	}
	text_str(&text, "\n");
	piece = http_piece_new(text.bytes, text.used);
	text_release(&text);
	return piece;
}

static struct feed_part *
new_part(struct feed_parts *parts)
{
	struct feed_part *part = ADDED(parts->part, parts->parts);

	text_init(&part->lines, SIZE_MAX);
	return part;
}

/* Takes over `lines`, which is empty afterwards. */
static void
add_part(struct live_feed *feed, enum feed_track track, struct text *lines,
	 uint64_t first, uint64_t last)
{
	struct feed_part *part;

	if (lines->used == 0)
		return;
	part = new_part(&feed->track[track]);
	part->piece = make_piece(feed, events[track], lines->bytes, lines->used,
				 last);
	part->first = first;
	part->last = last;
	part->lines = *lines;
	text_init(lines, SIZE_MAX);
}

/* Adds a part with a word in place of lines of the game. */
static void
add_word(struct live_feed *feed, enum feed_track track, const char *word,
	 uint64_t last)
{
	char line[ID_BYTES + 2];
	struct feed_part *part = new_part(&feed->track[track]);

	snprintf(line, sizeof(line), "%s\n", feed->id);
	part->piece = make_piece(feed, word, line, strlen(line), last);
	part->word = word;
	part->first = part->last = last;
}

void
feed_add(struct live_feed *feed, const char *lines, size_t n)
{
	const char *const end = lines + n, *lf;
	uint64_t first = feed->lines + 1;
	struct text text = { .max = SIZE_MAX };

	for (; lines < end; lines = lf + 1) {
		lf = memchr(lines, '\n', (size_t)(end - lines));
		text_add(&text, lines, (size_t)(lf - lines) + 1);
		feed->lines++;
		if (text.used >= FEED_PART_BYTES) {
			add_part(feed, FEED_LINES, &text, first, feed->lines);
			first = feed->lines + 1;
		}
	}
	add_part(feed, FEED_LINES, &text, first, feed->lines);
	text_release(&text);
}

void
feed_again(struct live_feed *feed)
{
	drop_parts(feed);
	feed->life++;
}

struct http_piece *
feed_stale(const struct live_feed *feed)
{
	char line[ID_BYTES + 2];
	int n = snprintf(line, sizeof(line), "%s\n", feed->id);

	return make_piece(feed, "again", line, (size_t)n, 0);
}

void
feed_end(struct live_feed *feed)
{
	feed->over = true;
	add_word(feed, FEED_LINES, "over", feed->lines);
}

/* ---- frames --------------------------------------------------------------- */

static void
begin_frames(struct live_feed *feed)
{
	const struct replay replay = { .record = feed->record };

	replay_frame_begin(&replay, &feed->view->frame);
}

/* Writes the frame of a line, given without its LF, as a JSON object. */
static void
frame_line(struct live_feed *feed, const char *line, size_t n, struct text *to)
{
	struct feed_view *view = feed->view;
	char event[LINE_REFEREE_BYTES + 1];
	json_t *json;

	memcpy(event, line, n);
	event[n] = '\0';
	frame_next(&view->frame, event, n);
	json = frame_json_event(event, &view->frame);
	JSON_ADD(json, JSON("table", frame_json_table(&view->frame.table,
						      view->frame.number > 1
							      ? &view->before
							      : NULL)));
	view->before = view->frame.table;
	json_text_line(json, 0, to);
}

static void
frame_part(struct live_feed *feed, const struct feed_part *part)
{
	const char *at = part->lines.bytes, *const end = at + part->lines.used;
	uint64_t number = part->first, first = number;
	struct text text = { .max = SIZE_MAX };
	const char *lf;

	for (; at < end; at = lf + 1, number++) {
		lf = memchr(at, '\n', (size_t)(end - at));
		frame_line(feed, at, (size_t)(lf - at), &text);
		if (text.used >= FEED_PART_BYTES) {
			add_part(feed, FEED_FRAMES, &text, first, number);
			first = number + 1;
		}
	}
	add_part(feed, FEED_FRAMES, &text, first, part->last);
	text_release(&text);
}

bool
feed_make_frames(struct live_feed *feed)
{
	const struct feed_part *part;

	if (feed->view == NULL) {
		feed->view = zeroed(1, sizeof(*feed->view));
		begin_frames(feed);
	}
	if (feed_is_framed(feed))
		return false;
	part = &feed->track[FEED_LINES].part[feed->framed++];
	if (part->word == NULL)
		frame_part(feed, part);
	else
		add_word(feed, FEED_FRAMES, part->word, part->last);
	return true;
}

bool
feed_is_framed(const struct live_feed *feed)
{
	return feed->framed == feed->track[FEED_LINES].parts;
}

const struct frame *
feed_frame(const struct live_feed *feed)
{
	return feed->view == NULL ? NULL : &feed->view->frame;
}

/* ---- what others read ----------------------------------------------------- */

struct http_piece *
feed_rest(const struct live_feed *feed, enum feed_track track,
	  const struct feed_part *part, uint64_t line)
{
	const char *at = part->lines.bytes, *const end = at + part->lines.used;

	for (uint64_t i = part->first; i <= line; i++)
		at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
	return make_piece(feed, events[track], at, (size_t)(end - at),
			  part->last);
}

void
feed_write(const struct live_feed *feed, struct text *to)
{
	const struct feed_parts *parts = &feed->track[FEED_LINES];

	text_add(to, feed->header.bytes, feed->header.used);
	for (unsigned i = 0; i < parts->parts; i++)
		text_add(to, parts->part[i].lines.bytes,
			 parts->part[i].lines.used);
}
