/* referee/pages/plot.c - see plot.h. */
#include "referee/pages/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TICKS 5 /* about so many on an axis */

/* A curve: the whole, and what lies around its frame. */
#define CURVE_WIDTH 720
#define CURVE_HEIGHT 260
#define CURVE_LEFT 52
#define CURVE_TOP 32
#define CURVE_RIGHT 12
#define CURVE_BOTTOM 28
#define LEGEND_HEIGHT 24
#define LEGEND_SAMPLE 28 /* as wide as that */
#define LEGEND_BAND 290	 /* where its second half begins */

/* A forest: names to the left, numbers to the right. */
#define FOREST_WIDTH 720
#define FOREST_LEFT 200
#define FOREST_RIGHT 120
#define FOREST_ROW 28

#define BAR_WIDTH 160
#define BAR_HEIGHT 14
#define TREND_WIDTH 72
#define TREND_HEIGHT 18

static void
number(struct html *html, const char *name, double value)
{
	text_fmt(html->to, " %s=\"%.4g\"", name, value);
}

/* ---- scales ----------------------------------------------------------- */

static void
widen(struct plot_scale *scale, double low, double high)
{
	if (low < scale->low)
		scale->low = low;
	if (high > scale->high)
		scale->high = high;
}

/* What is not empty, and finite. */
static struct plot_scale
settled(struct plot_scale scale)
{
	if (!isfinite(scale.low) || !isfinite(scale.high))
		scale = (struct plot_scale){ 1400, 1600 };
	if (scale.high - scale.low < 10)
		scale = (struct plot_scale){ scale.low - 5, scale.high + 5 };
	return scale;
}

/* Its bar, 0 if that is not known. */
static double
half_of(const struct plot_value *value)
{
	return isfinite(value->bar) && value->bar > 0 ? value->bar : 0;
}

struct plot_scale
plot_scale_of(const struct plot_value value[], unsigned count)
{
	struct plot_scale scale = { INFINITY, -INFINITY };
	double bar;
	unsigned i;

	for (i = 0; i < count; i++) {
		if (!isfinite(value[i].rating))
			continue;
		bar = half_of(&value[i]);
		widen(&scale, value[i].rating - bar, value[i].rating + bar);
	}
	return settled(scale);
}

static double
at(const struct plot_scale *scale, double value, double from, double to)
{
	double part = (value - scale->low) / (scale->high - scale->low);

	return from + (!(part > 0) ? 0 : part > 1 ? 1 : part) * (to - from);
}

/* 1, 2 or 5 times a power of ten, such that there are about TICKS. */
static double
step_of(const struct plot_scale *scale)
{
	double raw = (scale->high - scale->low) / TICKS;
	double ten = pow(10, floor(log10(raw))), part = raw / ten;

	return ten * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

/* ---- the frame of a picture ------------------------------------------- */

static void
begin(struct html *html, const char *id, const char *title, const char *text,
      int width, int height)
{
	char box[64], names[HTML_NUMBER_BYTES], of_title[64], of_text[64];

	snprintf(box, sizeof(box), "0 0 %d %d", width, height);
	snprintf(of_title, sizeof(of_title), "%.40s-title", id);
	snprintf(of_text, sizeof(of_text), "%.40s-text", id);
	snprintf(names, sizeof(names), "%s %s", of_title, of_text);
	HTML_OPEN(html, "svg", "id", id, "class", "plot", "viewBox", box,
		  "role", "img", "aria-labelledby", names);
	HTML_LEAF(html, title, "title", "id", of_title);
	HTML_LEAF(html, text, "desc", "id", of_text);
}

static void
line(struct html *html, const char *class, double x1, double y1, double x2,
     double y2)
{
	text_fmt(html->to, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>",
		 class, x1, y1, x2, y2);
}

static void
label(struct html *html, double x, double y, const char *anchor,
      const char *text)
{
	text_str(html->to, "<text");
	number(html, "x", x);
	number(html, "y", y);
	text_fmt(html->to, " text-anchor=\"%s\">", anchor);
	html_text(html, text);
	text_str(html->to, "</text>");
}

/* ---- a rating curve --------------------------------------------------- */

static double
curve_x(const struct plot_scale *games, double x)
{
	return at(games, x, CURVE_LEFT, CURVE_WIDTH - CURVE_RIGHT);
}

static double
curve_y(const struct plot_scale *ratings, double y)
{
	return at(ratings, y, CURVE_HEIGHT - CURVE_BOTTOM, CURVE_TOP);
}

static void
draw_axes(struct html *html, const struct plot_scale *games,
	  const struct plot_scale *ratings)
{
	double step = step_of(ratings), tick;
	char text[32];

	for (tick = ceil(ratings->low / step) * step; tick <= ratings->high;
	     tick += step) {
		line(html, "grid", CURVE_LEFT, curve_y(ratings, tick),
		     CURVE_WIDTH - CURVE_RIGHT, curve_y(ratings, tick));
		snprintf(text, sizeof(text), "%.0f", tick);
		label(html, CURVE_LEFT - 6, curve_y(ratings, tick) + 4, "end",
		      text);
	}
	snprintf(text, sizeof(text), "game %.0f", games->low);
	label(html, CURVE_LEFT, CURVE_HEIGHT - 8, "start", text);
	snprintf(text, sizeof(text), "game %.0f", games->high);
	label(html, CURVE_WIDTH - CURVE_RIGHT, CURVE_HEIGHT - 8, "end", text);
}

static void
draw_band(struct html *html, const struct plot_curve *curve,
	  const struct plot_scale *ratings)
{
	double top = curve_y(ratings, curve->rating + curve->bar);
	double bottom = curve_y(ratings, curve->rating - curve->bar);

	text_str(html->to, "<rect class=\"band\"");
	number(html, "x", CURVE_LEFT);
	number(html, "y", top);
	number(html, "width", CURVE_WIDTH - CURVE_LEFT - CURVE_RIGHT);
	number(html, "height", bottom - top);
	text_str(html->to, "/>");
	line(html, "middle", CURVE_LEFT, curve_y(ratings, curve->rating),
	     CURVE_WIDTH - CURVE_RIGHT, curve_y(ratings, curve->rating));
}

/* Which of them is which, above them. */
static void
draw_legend(struct html *html)
{
	const double y = CURVE_TOP - LEGEND_HEIGHT + 6;

	line(html, "curve", CURVE_LEFT, y, CURVE_LEFT + LEGEND_SAMPLE, y);
	label(html, CURVE_LEFT + LEGEND_SAMPLE + 6, y + 4, "start",
	      "after each game");
	text_str(html->to, "<rect class=\"band\"");
	number(html, "x", LEGEND_BAND);
	number(html, "y", y - 7);
	number(html, "width", LEGEND_SAMPLE);
	number(html, "height", 14);
	text_str(html->to, "/>");
	line(html, "middle", LEGEND_BAND, y, LEGEND_BAND + LEGEND_SAMPLE, y);
	label(html, LEGEND_BAND + LEGEND_SAMPLE + 6, y + 4, "start",
	      "by all games, with its 95 % interval");
}

void
plot_curve(struct html *html, const struct plot_curve *curve)
{
	struct plot_scale ratings = { INFINITY, -INFINITY }, games;
	unsigned i;

	if (curve->points < 2)
		return;
	for (i = 0; i < curve->points; i++)
		widen(&ratings, curve->y[i], curve->y[i]);
	if (curve->bar >= 0)
		widen(&ratings, curve->rating - curve->bar,
		      curve->rating + curve->bar);
	ratings = settled(ratings);
	games = (struct plot_scale){ curve->x[0], curve->x[curve->points - 1] };
	if (games.high <= games.low)
		games.high = games.low + 1;
	begin(html, curve->id, curve->title, curve->text, CURVE_WIDTH,
	      CURVE_HEIGHT);
	draw_axes(html, &games, &ratings);
	if (curve->bar >= 0)
		draw_band(html, curve, &ratings);
	text_str(html->to, "<path class=\"curve\" d=\"");
	for (i = 0; i < curve->points; i++)
		text_fmt(html->to, "%c%.1f %.1f", i == 0 ? 'M' : 'L',
			 curve_x(&games, curve->x[i]),
			 curve_y(&ratings, curve->y[i]));
	text_str(html->to, "\"/>");
	if (curve->bar >= 0)
		draw_legend(html);
	html_close(html, "svg");
}

/* ---- a forest plot ---------------------------------------------------- */

static void
draw_value(struct html *html, double low, double middle, double high, double y)
{
	line(html, "bar", low, y, high, y);
	text_fmt(html->to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>",
		 middle, y);
}

static double
forest_x(const struct plot_scale *scale, double rating)
{
	return at(scale, rating, FOREST_LEFT, FOREST_WIDTH - FOREST_RIGHT);
}

static void
draw_row(struct html *html, const struct plot_scale *scale,
	 const struct plot_value *value, double y)
{
	double bar = half_of(value);
	char text[64];

	if (!isfinite(value->rating))
		return;
	label(html, 0, y + 4, "start", value->name);
	draw_value(html, forest_x(scale, value->rating - bar),
		   forest_x(scale, value->rating),
		   forest_x(scale, value->rating + bar), y);
	snprintf(text, sizeof(text), bar == 0 ? "%.0f" : "%.0f \xc2\xb1 %.0f",
		 value->rating, bar);
	label(html, FOREST_WIDTH, y + 4, "end", text);
}

void
plot_forest(struct html *html, const char *id, const char *title,
	    const struct plot_value value[], unsigned count)
{
	unsigned rows = count < PLOT_ROWS ? count : PLOT_ROWS, i;
	struct plot_scale scale = plot_scale_of(value, rows);
	double step = step_of(&scale), tick, bottom = rows * FOREST_ROW;
	char text[32];

	begin(html, id, title,
	      "Ratings as dots, with lines for their 95 % intervals.",
	      FOREST_WIDTH, (int)bottom + FOREST_ROW);
	for (tick = ceil(scale.low / step) * step; tick <= scale.high;
	     tick += step) {
		line(html, "grid", forest_x(&scale, tick), 0,
		     forest_x(&scale, tick), bottom);
		snprintf(text, sizeof(text), "%.0f", tick);
		label(html, forest_x(&scale, tick), bottom + 18, "middle",
		      text);
	}
	for (i = 0; i < rows; i++)
		draw_row(html, &scale, &value[i], (i + 0.5) * FOREST_ROW);
	html_close(html, "svg");
}

/* ---- in cells --------------------------------------------------------- */

static void
begin_small(struct html *html, const char *class, int width, int height)
{
	text_fmt(html->to,
		 "<svg class=\"%s\" viewBox=\"0 0 %d %d\" "
		 "aria-hidden=\"true\">",
		 class, width, height);
}

void
plot_bar(struct html *html, const struct plot_scale *scale, double rating,
	 double bar)
{
	const double left = 4, right = BAR_WIDTH - 4;
	double half = bar > 0 ? bar : 0;

	begin_small(html, "cell-bar", BAR_WIDTH, BAR_HEIGHT);
	draw_value(html, at(scale, rating - half, left, right),
		   at(scale, rating, left, right),
		   at(scale, rating + half, left, right), BAR_HEIGHT / 2);
	text_str(html->to, "</svg>");
}

void
plot_trend(struct html *html, const double y[], unsigned points)
{
	struct plot_scale scale = { INFINITY, -INFINITY };
	unsigned i;

	if (points < 2)
		return;
	for (i = 0; i < points; i++)
		widen(&scale, y[i], y[i]);
	scale = settled(scale);
	begin_small(html, "cell-trend", TREND_WIDTH, TREND_HEIGHT);
	text_str(html->to, "<path d=\"");
	for (i = 0; i < points; i++)
		text_fmt(html->to, "%c%.0f %.1f", i == 0 ? 'M' : 'L',
			 1 + i * (TREND_WIDTH - 2.0) / (points - 1),
			 at(&scale, y[i], TREND_HEIGHT - 2, 2));
	text_str(html->to, "\"/></svg>");
}
