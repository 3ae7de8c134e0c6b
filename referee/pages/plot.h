/* referee/pages/plot.h - draws numbers as SVG.
 *
 * Each picture has a title and a description, which a screen reader reads out;
 * a table beside it has the numbers.  An interval that has no end reaches the
 * edge, with an arrowhead.  Colours and pens are classes of style.css. */
#ifndef REFEREE_PAGES_PLOT_H
#define REFEREE_PAGES_PLOT_H

#include "referee/pages/html.h"
#include "referee/pages/standings.h"

#define PLOT_ROWS 40 /* rows of a forest plot; more are left out */

struct plot_value {
	const char *name;
	struct standings_elo elo;
};

/* A curve from the first game to the last: `y[i]` after game `x[i]`; x rises. */
struct plot_curve {
	const char *id; /* ID of the element; its title's has `-title` added */
	const char *title,
		*text; /* the title; a sentence about what it shows */
	const double *x, *y;
	unsigned points;
	/* Drawn as a band with a legend if its interval is known. */
	struct standings_elo elo;
};

/* Draws the curve; nothing if it has less than two points. */
void plot_curve(struct html *html, const struct plot_curve *curve);
/* Draws a row for each value, from the top. */
void plot_forest(struct html *html, const char *id, const char *title,
		 const struct plot_value value[], unsigned count);

/* ---- in the cells of a table ------------------------------------------ */

/* The scale of all rows of a table. */
struct plot_scale {
	double low, high; /* low < high */
};

/* Returns a scale around all values with their intervals, or a default one if
 * there are none. */
struct plot_scale plot_scale_of(const struct plot_value value[],
				unsigned count) MUST_CHECK;
/* Draws a row of a forest plot.  Screen readers skip it, because the numbers
 * stand beside it. */
void plot_bar(struct html *html, const struct plot_scale *scale,
	      const struct standings_elo *elo);
/* Draws the course of live Elo; nothing if there are less than two points. */
void plot_trend(struct html *html, const double y[], unsigned points);

#endif
