/* tests/unit/write-tables.c - the tables of a record as HTML and as JSON.
 *
 *	write-tables RECORD VIEW EVERY
 *
 * prints of every EVERY-th line that the viewer reads, and of the last one, an
 * object with the keys line, html and table.  VIEW is a number: a seat, or
 * VIEW_….  test-web-tables.py compares the two. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/file.h"
#include "protocol/limits.h"
#include "referee/base/json-line.h"
#include "referee/pages/table.h"
#include "referee/records/frame-json.h"
#include "referee/records/replay-frames.h"

static struct replay_walk walk; /* too large for the stack */

static void
write_line(int viewer)
{
	const struct frame_table *table = &walk.frame.table;
	struct text text = { .max = SIZE_MAX };
	struct html html;

	html_begin(&html, &text, "../");
	table_write(&html, "static/", table, viewer);
	html_end(&html);
	print_json_line(
		JSON_OBJECT(INT("line", walk.frame.number),
			    JSON("html", json_stringn(text.bytes, text.used)),
			    JSON("table", frame_json_table(table, NULL))),
		0);
	text_release(&text);
}

static int
write_lines(const struct replay *replay, int viewer, unsigned every)
{
	unsigned written = 0;
	int result;

	replay_walk_begin(&walk, replay, viewer);
	while ((result = replay_walk_next(&walk)) > 0) {
		if (walk.frame.number % every != 0)
			continue;
		write_line(viewer);
		written = walk.frame.number;
	}
	if (walk.frame.number != written)
		write_line(viewer);
	return result;
}

int
main(int argc, char **argv)
{
	struct record *record = NULL;
	struct verdict verdict;
	struct replay replay;
	struct text text = { .max = RECORD_BYTES };
	struct error why;
	int result = -1;

	if (argc != 4)
		return 2;
	if (file_load(argv[1], &text) == 0 &&
	    record_parse(text.bytes, text.used, &record, &why) == 0 &&
	    replay_init(&replay, record, false, &verdict) == 0) {
		result = write_lines(&replay, (int)strtol(argv[2], NULL, 10),
				     (unsigned)strtoul(argv[3], NULL, 10));
		replay_release(&replay);
	}
	record_free(record);
	text_release(&text);
	return result == 0 && fflush(stdout) == 0 ? 0 : 3;
}
