/* referee/records/step-draw.c - see step-draw.h. */
#include "referee/records/step-draw.h"

#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "referee/records/replay-asks.h"
#include "referee/records/replay-notes.h"
#include "referee/records/replay-wrote.h"
#include "referee/records/step-table.h"

#define LOG_ROWS 4	/* the least rows for sentences, above the keys */
#define WROTE_BYTES 240 /* of standard error, the last bytes: three rows */

/* ---- the top -------------------------------------------------------------- */

static void
draw_places(struct canvas *canvas, const struct frame_table *table,
	    const int place[SEATS_MAX], const long points[SEATS_MAX])
{
	for (int rank = 1; rank <= (int)table->seats; rank++)
		for (unsigned seat = 0; seat < table->seats; seat++)
			if (place[seat] == rank)
				canvas_fmt(canvas, 0, "%d. %s (%ld)   ", rank,
					   table->seat[seat].name,
					   points[seat]);
}

/* Returns true if any seat has its place already. */
static bool
is_told(const struct frame_table *table)
{
	for (unsigned seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].place > 0)
			return true;
	return false;
}

/* Draws how the game ended, once its lines say it. */
static void
draw_result(struct canvas *canvas, const struct record *record,
	    const struct frame_table *table, bool last)
{
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	struct error why;

	if (!last && !is_told(table))
		canvas_put(canvas, STYLE_DIM, "G: how it ends");
	else if (record->aborted != NULL)
		canvas_fmt(canvas, 0, "aborted: %s", record->aborted);
	else if (record_places(record, place, points, &why) == 0)
		draw_places(canvas, table, place, points);
	else
		canvas_put(canvas, 0, "the record has no result");
	canvas_next(canvas);
}

static void
draw_title(struct canvas *canvas, const struct replay_frames *frames,
	   unsigned at, const struct frame *frame)
{
	char title[256];
	size_t n;

	n = (size_t)snprintf(title, sizeof(title), "%s   view %s%s",
			     frames->replay->record->game,
			     frames->viewer < 0 ? "" : "seat ",
			     view_name(frames->viewer).text);
	if (frame->round > 0)
		n += (size_t)snprintf(title + n, sizeof(title) - n,
				      "   round %u", frame->round);
	snprintf(title + n, sizeof(title) - n, "   line %u of %u", at + 1,
		 frames->replay->lines);
	canvas_cut(canvas, STYLE_REVERSE, title);
	canvas_next(canvas);
}

/* ---- the sentences -------------------------------------------------------- */

static void
draw_notes(struct canvas *canvas, const struct replay_frames *frames,
	   unsigned at, const struct frame_table *table)
{
	const struct replay_line *line = &frames->replay->line[at];
	struct replay_note note;
	const char *from = NULL;

	while (replay_note_next(line, frames->viewer, &from, &note)) {
		if (!note.spoke)
			canvas_fmt(canvas, 0, " (%s)", note.text);
		else if (note.seat < table->seats)
			canvas_fmt(canvas, STYLE_YELLOW, " %s says: \"%s\"",
				   table->seat[note.seat].name, note.text);
	}
}

/* Draws a line's ask.  The time of a move is a note. */
static void
draw_ask(struct canvas *canvas, const struct replay_frames *frames, unsigned at)
{
	const struct replay *replay = frames->replay;
	const struct replay_line *line = &replay->line[at];
	const struct asks_ask *ask =
		replay_asks_of(replay, line, frames->viewer);
	char sentence[REPLAY_ASK_BYTES];

	if (ask == NULL || (line->ask < 0 && line->charged < 0))
		return;
	if (line->ask >= 0)
		replay_ask_sentence(ask, replay->record, sentence);
	else
		replay_ask_time(ask, sentence);
	canvas_fmt(canvas, 0, " %s", sentence);
}

/* Finds what seats wrote to standard error at a line that the viewer sees.
 * Returns how many parts there are. */
static unsigned
find_wrote(const struct replay_frames *frames, unsigned at,
	   struct replay_wrote_part part[SEATS_MAX + 1])
{
	const struct replay *replay = frames->replay;
	const struct asks_ask *ask =
		replay_asks_of(replay, &replay->line[at], frames->viewer);
	unsigned n = 0;

	if (replay->wrote == NULL)
		return 0;
	if (ask != NULL && replay->line[at].ask >= 0)
		part[n++] =
			replay_wrote_at(replay->asks, ask,
					&replay->wrote[ask->seat], WROTE_BYTES);
	n -= n > 0 && part[0].all == 0;
	if (replay_frames_find(frames, (int)at, 1, 0) >= 0)
		return n;
	for (unsigned s = 0; s < replay->record->seats; s++) {
		if (frames->viewer != VIEW_ALL && frames->viewer != (int)s)
			continue;
		part[n] = replay_wrote_after(replay->asks, s, &replay->wrote[s],
					     WROTE_BYTES);
		n += part[n].all > 0;
	}
	return n;
}

bool
step_wrote(const struct replay_frames *frames, unsigned at)
{
	struct replay_wrote_part part[SEATS_MAX + 1];

	return find_wrote(frames, at, part) > 0;
}

static void
draw_part(struct canvas *canvas, const struct replay_wrote_part *part)
{
	const char *at, *end;
	struct text text = { .max = SIZE_MAX };

	text_add_escaped(&text, part->bytes, part->n, true);
	canvas->indent = 4;
	for (at = text_string(&text); *at != '\0'; at = end + (*end == '\n')) {
		end = at + strcspn(at, "\n");
		canvas_next(canvas);
		canvas_fmt(canvas, 0, "    %.*s", (int)(end - at), at);
	}
	canvas->indent = 2;
	text_release(&text);
}

static void
draw_wrote(struct canvas *canvas, const struct replay_frames *frames,
	   unsigned at, const struct frame_table *table)
{
	struct replay_wrote_part part[SEATS_MAX + 1];
	const unsigned n = find_wrote(frames, at, part);
	char sentence[REPLAY_WROTE_BYTES];

	for (unsigned i = 0; i < n; i++) {
		if (part[i].after)
			canvas_fmt(canvas, STYLE_YELLOW,
				   " %s:", table->seat[part[i].seat].name);
		replay_wrote_sentence(&part[i], sentence);
		canvas_fmt(canvas, STYLE_YELLOW, " %s", sentence);
		draw_part(canvas, &part[i]);
	}
}

static void
draw_sentence(struct canvas *canvas, const struct replay_frames *frames,
	      unsigned at, const struct frame *frame, unsigned style)
{
	const char *said =
		replay_said(&frames->replay->line[at], frames->viewer);
	char text[SAID_BYTES + 1];

	canvas->indent = 2;
	canvas_put(canvas, style, style != 0 ? "> " : "  ");
	canvas_put(canvas, style, frame->sentence);
	if (said != NULL) {
		replay_said_text(said, text);
		canvas_fmt(canvas, 0, " It had sent `%s`.", text);
	}
	draw_ask(canvas, frames, at);
	draw_notes(canvas, frames, at, &frame->table);
	draw_wrote(canvas, frames, at, &frame->table);
	canvas->indent = 0;
	canvas_next(canvas);
}

/* Returns how many rows a sentence takes, counted on a canvas that is not
 * shown. */
static unsigned
rows_of(const struct canvas *canvas, const struct replay_frames *frames,
	unsigned at, const struct frame *frame)
{
	struct canvas trial = *canvas;

	text_init(&trial.text, canvas->text.max);
	trial.row = trial.column = 0;
	trial.end = canvas->rows + 1;
	draw_sentence(&trial, frames, at, frame, STYLE_BOLD);
	canvas_release(&trial);
	return trial.row;
}

/* Returns the first line whose sentences up to line `at` fit into the remaining
 * rows. */
static unsigned
first_of(const struct canvas *canvas, const struct replay_frames *frames,
	 unsigned at)
{
	const unsigned left = canvas->end - canvas->row;
	unsigned used = 0, line, first, rows[256], count = 0;
	int before = (int)at;
	struct frame frame;

	do {
		first = (unsigned)before;
		before = replay_frames_find(frames, before, -1, 0);
	} while (before >= 0 && ++count < left && count < NELEM(rows));
	replay_frames_at(frames, first, &frame);
	for (line = first, count = 0;;
	     replay_frames_take(frames, line, &frame)) {
		rows[count++] = rows_of(canvas, frames, line, &frame);
		before = replay_frames_find(frames, (int)line, 1, 0);
		if (line == at || before < 0 || count == NELEM(rows))
			break;
		line = (unsigned)before;
	}
	for (line = at, used = rows[--count];
	     count > 0 && used + rows[count - 1] <= left; used += rows[--count])
		line = (unsigned)replay_frames_find(frames, (int)line, -1, 0);
	return line;
}

static void
draw_log(struct canvas *canvas, const struct replay_frames *frames, unsigned at)
{
	unsigned line = first_of(canvas, frames, at);
	struct frame frame;

	replay_frames_at(frames, line, &frame);
	while (line < at) {
		draw_sentence(canvas, frames, line, &frame, 0);
		line = (unsigned)replay_frames_find(frames, (int)line, 1, 0);
		replay_frames_take(frames, line, &frame);
	}
	draw_sentence(canvas, frames, at, &frame, STYLE_BOLD);
}

/* ---- the page ------------------------------------------------------------- */

void
step_draw(const struct replay_frames *frames, unsigned at,
	  struct canvas *canvas)
{
	struct frame frame;

	replay_frames_at(frames, at, &frame);
	canvas_go(canvas, 0);
	draw_title(canvas, frames, at, &frame);
	draw_result(canvas, frames->replay->record, &frame.table,
		    at + 1 == frames->replay->lines);
	canvas->end = canvas->rows > LOG_ROWS + 1 ? canvas->rows - LOG_ROWS - 1
						  : canvas->rows;
	step_draw_table(canvas, &frame.table, frames->viewer);
	canvas->end = canvas->rows - 1;
	canvas_go(canvas, canvas->row);
	if (canvas->full) {
		canvas_cut(canvas, STYLE_RED,
			   "(this window is too small for the whole table)");
		canvas_next(canvas);
	}
	draw_log(canvas, frames, at);
}

void
step_draw_help(struct canvas *canvas)
{
	static const char *const lines[] = {
		"right, n, space, Enter   the next line",
		"left, b, Backspace       the line before",
		"down, j                  the next move",
		"up, k                    the move before",
		"r, PageDown              the next round",
		"R, PageUp                the round before",
		"g, Home                  the first line",
		"G, End                   the last line",
		"f                        the next fault",
		"e                        what was written to standard error; "
		"E: before",
		"v, Tab                   the next view; V: the one before",
		"q, Ctrl-D                the end of this program",
		"",
		"> is whose turn it is, = whose view this is",
		("(7H) lies face down, ? is hidden, 7D/TD: the second beats "
		 "the first"),
	};

	canvas_go(canvas, 0);
	for (size_t i = 0; i < NELEM(lines); i++) {
		canvas_cut(canvas, 0, lines[i]);
		canvas_next(canvas);
	}
	step_draw_signs(canvas);
}
