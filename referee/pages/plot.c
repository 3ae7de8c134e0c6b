/* referee/pages/plot.c - see plot.h. */
#include "referee/pages/plot.h"

#include <math.h>
#include <stdio.h>

#define TICKS 5 /* ticks of an axis, about */

/* The size of a curve, and the margins around its frame. */
#define CURVE_WIDTH 720
#define CURVE_HEIGHT 260
#define CURVE_LEFT 52
#define CURVE_TOP 32
#define CURVE_RIGHT 12
#define CURVE_BOTTOM 28
#define CURVE_ARROW 690 /* x of the arrowheads of the band */
#define LEGEND_HEIGHT 24
#define LEGEND_SAMPLE 28 /* width of a sample */
#define LEGEND_BAND 290	 /* x of its second half */

/* The size of a forest plot: names on the left, numbers on the right. */
#define FOREST_WIDTH 720
#define FOREST_LEFT 200
#define FOREST_RIGHT 70
#define FOREST_ROW 28

#define BAR_WIDTH 160
#define BAR_HEIGHT 14
#define TREND_WIDTH 72
#define TREND_HEIGHT 18

/* ---- scales ----------------------------------------------------------- */

static void
widen(struct plot_scale *scale, double low, double high)
{
	if (low < scale->low)
		scale->low = low;
	if (high > scale->high)
		scale->high = high;
}

/* Returns a scale that is finite and not empty. */
static struct plot_scale
settled(struct plot_scale scale)
{
	if (!isfinite(scale.low) || !isfinite(scale.high))
		scale = (struct plot_scale){ 1400, 1600 };
	if (scale.high - scale.low < 10)
		scale = (struct plot_scale){ scale.low - 5, scale.high + 5 };
	return scale;
}

/* Widens the scale around an interval.  An open end gets as much room as the
 * other end. */
static void
widen_around(struct plot_scale *scale, const struct standings_elo *elo)
{
	const double down = elo->elo - elo->from, up = elo->to - elo->elo;
	const double room = isfinite(down) ? down : isfinite(up) ? up : 0;

	widen(scale, elo->elo - room, elo->elo + (isfinite(up) ? up : room));
}

struct plot_scale
plot_scale_of(const struct plot_value value[], unsigned count)
{
	struct plot_scale scale = { INFINITY, -INFINITY };

	for (unsigned i = 0; i < count; i++)
		if (isfinite(value[i].elo.elo))
			widen_around(&scale, &value[i].elo);
	return settled(scale);
}

static double
at(const struct plot_scale *scale, double value, double from, double to)
{
	double part = (value - scale->low) / (scale->high - scale->low);

	return from + (!(part > 0) ? 0 : part > 1 ? 1 : part) * (to - from);
}

/* Returns 1, 2 or 5 times a power of ten, so that there are about TICKS. */
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
	html_fmt(html,
		 "<svg id='%s' class='plot' viewBox='0 0 %d %d' role='img' "
		 "aria-labelledby='%s-title %s-text'>"
		 "<title id='%s-title'>%s</title><desc id='%s-text'>",
		 id, width, height, id, id, id, title, id);
	html_text(html, text);
	html_close(html, "desc");
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
	text_fmt(html->to, "<text x=\"%.4g\" y=\"%.4g\" text-anchor=\"%s\">", x,
		 y, anchor);
	html_text(html, text);
	text_str(html->to, "</text>");
}

static void
band(struct html *html, double x, double y, double width, double height)
{
	text_fmt(html->to,
		 "<rect class=\"band\" x=\"%.4g\" y=\"%.4g\" "
		 "width=\"%.4g\" height=\"%.4g\"/>",
		 x, y, width, height);
}

/* ---- a curve ---------------------------------------------------------- */

static double
curve_x(const struct plot_scale *games, double x)
{
	return at(games, x, CURVE_LEFT, CURVE_WIDTH - CURVE_RIGHT);
}

static double
curve_y(const struct plot_scale *elos, double y)
{
	return at(elos, y, CURVE_HEIGHT - CURVE_BOTTOM, CURVE_TOP);
}

static void
draw_axes(struct html *html, const struct plot_scale *games,
	  const struct plot_scale *elos)
{
	double step = step_of(elos), tick;
	char text[32];

	for (tick = ceil(elos->low / step) * step; tick <= elos->high;
	     tick += step) {
		line(html, "grid", CURVE_LEFT, curve_y(elos, tick),
		     CURVE_WIDTH - CURVE_RIGHT, curve_y(elos, tick));
		snprintf(text, sizeof(text), "%.0f", tick + 0.0); /* no -0 */
		label(html, CURVE_LEFT - 6, curve_y(elos, tick) + 4, "end",
		      text);
	}
	snprintf(text, sizeof(text), "game %.0f", games->low);
	label(html, CURVE_LEFT, CURVE_HEIGHT - 8, "start", text);
	snprintf(text, sizeof(text), "game %.0f", games->high);
	label(html, CURVE_WIDTH - CURVE_RIGHT, CURVE_HEIGHT - 8, "end", text);
}

static void
draw_band(struct html *html, const struct plot_curve *curve,
	  const struct plot_scale *elos)
{
	double top = curve_y(elos, curve->elo.to);
	double bottom = curve_y(elos, curve->elo.from);

	band(html, CURVE_LEFT, top, CURVE_WIDTH - CURVE_LEFT - CURVE_RIGHT,
	     bottom - top);
	line(html, "middle", CURVE_LEFT, curve_y(elos, curve->elo.elo),
	     CURVE_WIDTH - CURVE_RIGHT, curve_y(elos, curve->elo.elo));
	if (isinf(curve->elo.to))
		text_fmt(html->to,
			 "<path class=\"bar\" d=\"M%d %.1fl8-8 8 8\"/>",
			 CURVE_ARROW, top + 8);
	if (isinf(curve->elo.from))
		text_fmt(html->to,
			 "<path class=\"bar\" d=\"M%d %.1fl8 8 8-8\"/>",
			 CURVE_ARROW, bottom - 8);
}

/* Draws the legend above the curve. */
static void
draw_legend(struct html *html)
{
	const double y = CURVE_TOP - LEGEND_HEIGHT + 6;

	line(html, "curve", CURVE_LEFT, y, CURVE_LEFT + LEGEND_SAMPLE, y);
	label(html, CURVE_LEFT + LEGEND_SAMPLE + 6, y + 4, "start", "live Elo");
	band(html, LEGEND_BAND, y - 7, LEGEND_SAMPLE, 14);
	line(html, "middle", LEGEND_BAND, y, LEGEND_BAND + LEGEND_SAMPLE, y);
	label(html, LEGEND_BAND + LEGEND_SAMPLE + 6, y + 4, "start",
	      "Elo with its 95 % interval");
}

void
plot_curve(struct html *html, const struct plot_curve *curve)
{
	struct plot_scale elos = { INFINITY, -INFINITY }, games;
	const bool banded = !isnan(curve->elo.from);

	if (curve->points < 2)
		return;
	for (unsigned i = 0; i < curve->points; i++)
		widen(&elos, curve->y[i], curve->y[i]);
	if (banded)
		widen_around(&elos, &curve->elo);
	elos = settled(elos);
	games = (struct plot_scale){ curve->x[0], curve->x[curve->points - 1] };
	if (games.high <= games.low)
		games.high = games.low + 1;
	begin(html, curve->id, curve->title, curve->text, CURVE_WIDTH,
	      CURVE_HEIGHT);
	draw_axes(html, &games, &elos);
	if (banded)
		draw_band(html, curve, &elos);
	text_str(html->to, "<path class=\"curve\" d=\"");
	for (unsigned i = 0; i < curve->points; i++)
		text_fmt(html->to, "%c%.1f %.1f", i == 0 ? 'M' : 'L',
			 curve_x(&games, curve->x[i]),
			 curve_y(&elos, curve->y[i]));
	text_str(html->to, "\"/>");
	if (banded)
		draw_legend(html);
	html_close(html, "svg");
}

/* ---- a forest plot ---------------------------------------------------- */

/* Draws a line from one end to the other, between `left` and `right`, and a
 * dot. */
static void
draw_elo(struct html *html, const struct plot_scale *scale,
	 const struct standings_elo *elo, double left, double right, double y)
{
	if (!isnan(elo->from)) {
		text_fmt(html->to, "<path class=\"bar\" d=\"M%.1f %.1f",
			 at(scale, elo->from, left, right), y);
		if (isinf(elo->from))
			text_str(html->to, "m4-4l-4 4 4 4m-4-4");
		text_fmt(html->to, "H%.1f%s\"/>",
			 at(scale, elo->to, left, right),
			 isinf(elo->to) ? "m-4-4l4 4-4 4" : "");
	}
	text_fmt(html->to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>",
		 at(scale, elo->elo, left, right), y);
}

static double
forest_x(const struct plot_scale *scale, double elo)
{
	return at(scale, elo, FOREST_LEFT, FOREST_WIDTH - FOREST_RIGHT);
}

static void
draw_row(struct html *html, const struct plot_scale *scale,
	 const struct plot_value *value, double y)
{
	char text[32];

	if (!isfinite(value->elo.elo))
		return;
	label(html, 0, y + 4, "start", value->name);
	draw_elo(html, scale, &value->elo, FOREST_LEFT,
		 FOREST_WIDTH - FOREST_RIGHT, y);
	snprintf(text, sizeof(text), "%.0f", value->elo.elo);
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
	      "Elo as dots, with lines for the 95 % intervals.", FOREST_WIDTH,
	      (int)bottom + FOREST_ROW);
	for (tick = ceil(scale.low / step) * step; tick <= scale.high;
	     tick += step) {
		line(html, "grid", forest_x(&scale, tick), 0,
		     forest_x(&scale, tick), bottom);
		snprintf(text, sizeof(text), "%.0f", tick + 0.0); /* no -0 */
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
plot_bar(struct html *html, const struct plot_scale *scale,
	 const struct standings_elo *elo)
{
	begin_small(html, "cell-bar", BAR_WIDTH, BAR_HEIGHT);
	draw_elo(html, scale, elo, 4, BAR_WIDTH - 4, BAR_HEIGHT / 2);
	text_str(html->to, "</svg>");
}

void
plot_trend(struct html *html, const double y[], unsigned points)
{
	struct plot_scale scale = { INFINITY, -INFINITY };

	if (points < 2)
		return;
	for (unsigned i = 0; i < points; i++)
		widen(&scale, y[i], y[i]);
	scale = settled(scale);
	begin_small(html, "cell-trend", TREND_WIDTH, TREND_HEIGHT);
	text_str(html->to, "<path d=\"");
	for (unsigned i = 0; i < points; i++)
		text_fmt(html->to, "%c%.0f %.1f", i == 0 ? 'M' : 'L',
			 1 + i * (TREND_WIDTH - 2.0) / (points - 1),
			 at(&scale, y[i], TREND_HEIGHT - 2, 2));
	text_str(html->to, "\"/></svg>");
}
