/* tests/unit/test-live-feed.c - watchers of a running game get the same frames
 * as its record gives in the public view. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "protocol/record.h"
#include "referee/frames/frame.h"
#include "referee/table/table-record.h"
#include "referee/web/live-feed.h"
#include "referee/web/record-view.h"
#include "tests/unit/record-vectors.h"

static const char id[] = "00112233445566778899aabbccddeeff";

/* ---- a game --------------------------------------------------------------- */

static void
fill_setup(const struct record *record, struct table_setup *setup)
{
	const struct record_option *option = record->option;
	char why[SENTENCE_BYTES];
	unsigned i;

	memset(setup, 0, sizeof(*setup));
	memcpy(setup->deal.id, id, sizeof(id));
	game_setup_init(&setup->game, game_find(record->game), record->seats);
	for (i = 0; i < record->options; i++)
		cr_assert_eq(game_setup_option(&setup->game, option[i].name,
					       option[i].value, why),
			     0);
	for (i = 0; i < record->seats; i++)
		snprintf(setup->name[i], sizeof(setup->name[i]), "%s",
			 record->name[i]);
}

/* Writes the body as it stands in the file, and its lines as the public sees them. */
static void
public_lines(const struct text *text, struct text *lines)
{
	const char *body = memmem(text->bytes, text->used, "\n\n", 2);
	struct text rest;
	size_t from = 0, to;

	cr_assert_not_null(body);
	text_init(&rest, SIZE_MAX);
	text_add(&rest, body + 2,
		 text->used - (size_t)(body + 2 - text->bytes));
	while ((to = table_record_public(&rest, from, SIZE_MAX, lines)) > from)
		from = to;
	text_release(&rest);
}

/* Adds lines in pieces of some lines each. */
static void
add_in_pieces(struct live_feed *feed, const struct text *lines, unsigned some)
{
	const char *at = lines->bytes, *const end = at + lines->used, *to = at;
	unsigned i;

	for (; at < end; at = to) {
		for (i = 0; i < some && to < end; i++)
			to = (const char *)memchr(to, '\n',
						  (size_t)(end - to)) +
			     1;
		feed_add(feed, at, (size_t)(to - at));
		while (some % 2 == 0 && feed_make_frames(feed))
			;
	}
	while (feed_make_frames(feed))
		;
}

static void
join(const struct live_feed *feed, enum feed_track track, struct text *to)
{
	const struct feed_parts *parts = &feed->track[track];
	uint64_t next = 1;
	unsigned i;

	text_clear(to);
	for (i = 0; i < parts->parts; i++) {
		if (parts->part[i].word != NULL) {
			text_fmt(to, "(%s)\n", parts->part[i].word);
			next = 1;
			continue;
		}
		cr_assert_eq(parts->part[i].first, next);
		next = parts->part[i].last + 1;
		text_add(to, parts->part[i].lines.bytes,
			 parts->part[i].lines.used);
	}
	text_string(to);
}

/* Drops the numbers of the record's lines. */
static void
strip_numbers(struct text *frames)
{
	const char *at = text_string(frames), *end;
	struct text to;

	text_init(&to, SIZE_MAX);
	for (; (end = strchr(at, '\n')) != NULL; at = end + 1) {
		if (strncmp(at, "{\"line\"", 7) == 0) {
			text_str(&to, "{");
			at = memmem(at, (size_t)(end - at), "\"event\"", 7);
			cr_assert_not_null(at);
		}
		text_add(&to, at, (size_t)(end - at) + 1);
	}
	text_release(frames);
	*frames = to;
}

/* ---- frames --------------------------------------------------------------- */

static void
check_frames(const char *name, const struct text *text)
{
	struct text lines, expected, found;
	struct live_feed feed;
	struct table_setup setup;
	struct record *record;
	struct error why;
	/* Lines come in pieces of these sizes, one size for each record. */
	static const unsigned pieces[] = { 1, 20, 400 };
	const unsigned some = pieces[strlen(name) % NELEM(pieces)];

	cr_assert_eq(record_parse(text->bytes, text->used, &record, &why), 0);
	text_init(&lines, SIZE_MAX);
	text_init(&expected, SIZE_MAX);
	text_init(&found, SIZE_MAX);
	public_lines(text, &lines);
	cr_assert_eq(record_view_write(record, RECORD_FRAMES, VIEW_PUBLIC,
				       &expected),
		     0);
	strip_numbers(&expected);
	fill_setup(record, &setup);
	feed_init(&feed, "", &setup, 0);
	add_in_pieces(&feed, &lines, some);
	join(&feed, FEED_LINES, &found);
	cr_assert_str_eq(text_string(&found), text_string(&lines), "%s", name);
	join(&feed, FEED_FRAMES, &found);
	cr_assert_str_eq(text_string(&found), text_string(&expected),
			 "%s, %u lines at a time", name, some);
	feed_release(&feed);
	text_release(&lines);
	text_release(&expected);
	text_release(&found);
	record_free(record);
}

Test(live_feed, frames_are_those_of_the_record)
{
	vectors_each(check_frames);
}

/* ---- a lost worker, an end ------------------------------------------------ */

static const char few[] = "round 1 0\n"
			  "deal 0 ? ? ? ?\n"
			  "deal 1 ? ? ? ?\n";

static void
begin_toepen(struct live_feed *feed)
{
	struct table_setup setup = { .name = { "ada", "bob" } };

	memcpy(setup.deal.id, id, sizeof(id));
	game_setup_init(&setup.game, game_find("toepen"), 2);
	feed_init(feed, "", &setup, 0);
}

/* A watcher who comes after the loss is not told of it, and sees nothing of the lines
 * before it. */
Test(live_feed, again_begins_with_an_empty_table)
{
	struct live_feed feed;
	struct text one, two;

	text_init(&one, SIZE_MAX);
	text_init(&two, SIZE_MAX);
	begin_toepen(&feed);
	feed_add(&feed, few, strlen(few));
	while (feed_make_frames(&feed))
		;
	join(&feed, FEED_FRAMES, &one);
	feed_again(&feed);
	join(&feed, FEED_LINES, &two);
	cr_expect_str_eq(text_string(&two), "");
	feed_add(&feed, few, strlen(few));
	cr_expect(!feed_is_framed(&feed));
	while (feed_make_frames(&feed))
		;
	cr_expect(feed_is_framed(&feed));
	cr_expect_eq(feed_frame(&feed)->number, 3);
	join(&feed, FEED_LINES, &two);
	cr_expect_str_eq(text_string(&two), few);
	join(&feed, FEED_FRAMES, &two);
	cr_expect_str_eq(text_string(&two), text_string(&one));
	text_release(&one);
	text_release(&two);
	feed_release(&feed);
}

Test(live_feed, an_end_without_lines)
{
	struct live_feed feed;
	struct text found;

	text_init(&found, SIZE_MAX);
	begin_toepen(&feed);
	feed_end(&feed);
	while (feed_make_frames(&feed))
		;
	join(&feed, FEED_FRAMES, &found);
	cr_expect_str_eq(text_string(&found), "(over)\n");
	text_release(&found);
	feed_release(&feed);
}

/* Lines that are longer than a watcher's buffer come in several parts. */
Test(live_feed, parts_are_short)
{
	struct live_feed feed;
	unsigned i, j, track;
	struct text lines;

	text_init(&lines, SIZE_MAX);
	for (i = 0; i < 2500; i++)
		text_fmt(&lines, "move %u play:AH\n", i % 2);
	begin_toepen(&feed);
	feed_add(&feed, lines.bytes, lines.used);
	while (feed_make_frames(&feed))
		;
	for (track = 0; track < FEED_TRACKS; track++) {
		cr_expect_gt(feed.track[track].parts, 1);
		for (j = 0; j < feed.track[track].parts; j++)
			cr_expect_lt(feed.track[track].part[j].lines.used,
				     2 * FEED_PART_BYTES);
	}
	text_release(&lines);
	feed_release(&feed);
}

/* ---- as a record ---------------------------------------------------------- */

Test(live_feed, as_a_record)
{
	struct live_feed feed;
	struct record *record;
	struct error why;
	struct text text;

	text_init(&text, SIZE_MAX);
	begin_toepen(&feed);
	feed_add(&feed, "round 9 9\n", 10);
	feed_again(&feed);
	feed_add(&feed, few, strlen(few));
	feed_write(&feed, &text);
	cr_assert_eq(record_parse(text.bytes, text.used, &record, &why), 0,
		     "%s", why.text);
	cr_expect_str_eq(record->id, id);
	cr_expect_str_eq(record->name[1], "bob");
	cr_expect_eq(record->bodies, 3);
	record_free(record);
	text_release(&text);
	feed_release(&feed);
}
