/* referee/pages/strip.c - see strip.h. */
#include "referee/pages/strip.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "referee/records/replay-asks.h"

#define HEIGHT 44
#define TOP 10
#define BASE 36
#define LEAST 4	  /* height of no time */
#define MIDDLE 12 /* where none is known */
#define DOT 5	  /* how far down a fault's is */

struct mark {
	unsigned n; /* the line, from 1, that it leads to */
	int seat;
	bool timed, banked, fault;
	uint64_t us, bank; /* if they are known; in milliseconds */
};

struct drawing {
	struct html *html;
	const struct strip *strip;
	const struct frame_table *table; /* for the names */
	struct mark *mark;
	unsigned marks, now; /* now: the mark of the moment, from 0 */
	bool asks;
	uint64_t longest;
};

/* ---- the marks ------------------------------------------------------------ */

void
strip_add(struct strip *strip, uint32_t line, const struct frame *frame)
{
	if (strip->lines == strip->size) {
		strip->size = strip->size == 0 ? 256 : 2 * strip->size;
		strip->line =
			memory(strip->line, strip->size * sizeof(*strip->line));
	}
	strip->line[strip->lines++] =
		(struct strip_line){ line, frame->round, frame->marks,
				     frame->seat };
}

void
strip_release(struct strip *strip)
{
	free(strip->line);
	*strip = (struct strip){ NULL, 0, 0 };
}

static void
mark_asks(struct drawing *draw, const struct asks *asks, int viewer)
{
	const struct strip *strip = draw->strip;
	const struct asks_ask *ask;
	bool banks = false;
	unsigned i, n = 1;

	for (i = 0; i < asks->count; i++)
		banks |= asks->ask[i].bank > 0 &&
			 replay_ask_visible(&asks->ask[i], viewer);
	for (i = 0; i < asks->count; i++) {
		ask = &asks->ask[i];
		if (!replay_ask_visible(ask, viewer))
			continue;
		/* It is answered with the first line that comes behind it. */
		while (n < strip->lines && strip->line[n - 1].line < ask->line)
			n++;
		draw->mark[draw->marks++] = (struct mark){
			.n = n,
			.seat = ask->seat,
			.timed = ask->number != 0,
			.banked = banks,
			.fault = ask->fault != FAULT_NONE,
			.us = ask->number == 0 ? 0 : ask->us,
			.bank = ask->bank,
		};
		if (ask->number != 0 && ask->us > draw->longest)
			draw->longest = ask->us;
	}
}

static void
mark_moves(struct drawing *draw)
{
	const struct strip_line *line = draw->strip->line;
	unsigned i;

	for (i = 0; i < draw->strip->lines; i++)
		if ((line[i].marks & (MARK_FAULT | MARK_MOVE)) != 0)
			draw->mark[draw->marks++] = (struct mark){
				.n = i + 1,
				.seat = line[i].seat,
				.fault = (line[i].marks & MARK_FAULT) != 0,
			};
}

/* The mark at the moment or before it; the first one, if there is none. */
static void
find_now(struct drawing *draw, unsigned at)
{
	while (draw->now + 1 < draw->marks && draw->mark[draw->now + 1].n <= at)
		draw->now++;
}

/* ---- the picture ---------------------------------------------------------- */

static bool
is_thought(const struct drawing *draw, unsigned i)
{
	return !draw->mark[i].fault;
}

static bool
is_fault(const struct drawing *draw, unsigned i)
{
	return draw->mark[i].fault;
}

static uint32_t
round_of(const struct drawing *draw, unsigned i)
{
	return draw->strip->line[draw->mark[i].n - 1].round;
}

static bool
begins_round(const struct drawing *draw, unsigned i)
{
	return i > 0 && round_of(draw, i) != round_of(draw, i - 1);
}

/* In place of its logarithm; JavaScript gets the same number, to the last bit. */
static double
scale(uint64_t us)
{
	double part = (double)us + 1;
	unsigned power = 0;

	while (part >= 2) {
		part /= 2;
		power++;
	}
	return power + part - 1;
}

static unsigned
height_of(const struct drawing *draw, const struct mark *mark)
{
	const uint64_t longest = draw->longest > 0 ? draw->longest : 1;

	return mark->timed
		       ? LEAST + (unsigned)((BASE - TOP - LEAST) *
					    scale(mark->us) / scale(longest))
		       : MIDDLE;
}

/* From the place of each wanted mark, `y` down, a line `height` down, 0 for a
 * dot, or as high as the mark. */
#define AS_MARK (-1)

static void
write_path(const struct drawing *draw, const char *class, unsigned y,
	   int height, bool (*wanted)(const struct drawing *, unsigned))
{
	struct text *to = draw->html->to;
	unsigned i, from = 0, up;
	bool any = false;

	text_fmt(to, "<path class=\"%s\" d=\"", class);
	for (i = 0; i < draw->marks; i++) {
		if (!wanted(draw, i))
			continue;
		if (!any)
			text_fmt(to, "M0.5 %u", y);
		any = true;
		up = height_of(draw, &draw->mark[i]);
		text_fmt(to, "m%u 0", i - from);
		if (height == AS_MARK)
			text_fmt(to, "v-%um0 %u", up, up);
		else if (height > 0)
			text_fmt(to, "v%dm0 -%d", height, height);
		else
			text_str(to, "h0");
		from = i;
	}
	text_str(to, "\"></path>");
}

static void
write_picture(const struct drawing *draw)
{
	struct html *html = draw->html;
	char box[64], needle[64];

	snprintf(box, sizeof(box), "0 0 %u %d",
		 draw->marks > 0 ? draw->marks : 1, HEIGHT);
	snprintf(needle, sizeof(needle), "M%u.5 0v%d", draw->now, HEIGHT);
	HTML_OPEN(html, "svg", "viewBox", box, "preserveAspectRatio", "none",
		  "aria-hidden", "true");
	write_path(draw, "thought", BASE, AS_MARK, is_thought);
	write_path(draw, "fault", BASE, AS_MARK, is_fault);
	write_path(draw, "dot", DOT, 0, is_fault);
	write_path(draw, "tick", BASE + 1, HEIGHT - BASE - 1, begins_round);
	HTML_LEAF(html, "", "path", "class", "needle", "d", needle);
	html_close(html, "svg");
}

/* ---- the words ------------------------------------------------------------ */

static void
write_now(const struct drawing *draw)
{
	const struct mark *mark = &draw->mark[draw->now];
	char time[REPLAY_TIME_BYTES];
	struct html *html = draw->html;

	HTML_OPEN(html, "span", "class", "now");
	if (draw->marks > 0) {
		html_fmt(html, "Decision %u of %u: ", draw->now + 1,
			 draw->marks);
		if (mark->seat >= 0 && mark->seat < draw->table->seats)
			html_text(html, draw->table->seat[mark->seat].name);
		if (mark->timed) {
			replay_time(mark->us, time);
			html_fmt(html, " thought %s", time);
		}
		if (mark->banked) {
			replay_time(1000 * mark->bank, time);
			html_fmt(html, ", bank %s", time);
		}
		html_text(html, mark->fault ? ", a fault." : ".");
	}
	html_close(html, "span");
}

static void
write_legend(const struct drawing *draw)
{
	const struct strip *strip = draw->strip;
	struct html *html = draw->html;
	char time[REPLAY_TIME_BYTES];
	bool faults = false;
	unsigned i;

	for (i = 0; i < draw->marks; i++)
		faults |= draw->mark[i].fault;
	HTML_OPEN(html, "span");
	if (draw->asks) {
		replay_time(draw->longest, time);
		html_fmt(html, " Higher is longer; the longest took %s.", time);
	}
	if (faults)
		html_text(html, " A dot above is a fault.");
	if (strip->lines > 0 && strip->line[strip->lines - 1].round > 1)
		html_text(html, " Ticks are rounds.");
	html_close(html, "span");
}

void
strip_write(struct html *html, const struct strip *strip,
	    const struct asks *asks, const struct frame_table *table,
	    int viewer, unsigned at)
{
	struct drawing draw = { .html = html, .strip = strip, .table = table };
	unsigned most = strip->lines;

	if (asks != NULL && asks->count > most)
		most = asks->count;
	draw.mark = zeroed(most + 1, sizeof(*draw.mark));
	if (asks != NULL && strip->lines > 0)
		mark_asks(&draw, asks, viewer);
	draw.asks = draw.marks > 0;
	if (!draw.asks)
		mark_moves(&draw);
	find_now(&draw, at);
	HTML_OPEN(html, "figure", "class", "strip", "hidden",
		  draw.marks == 0 ? "" : NULL);
	HTML_OPEN(html, "div");
	write_picture(&draw);
	html_close(html, "div");
	HTML_OPEN(html, "figcaption");
	write_now(&draw);
	write_legend(&draw);
	html_close(html, "figcaption");
	html_close(html, "figure");
	free(draw.mark);
}
