/* referee/pages/plot.h - pictures of numbers, as SVG.
 *
 * Each has a title and a description, which a screen reader reads out; the
 * numbers themselves stand in a table beside it.  Colours and pens are classes of
 * style.css. */
#ifndef REFEREE_PAGES_PLOT_H
#define REFEREE_PAGES_PLOT_H

#include "referee/pages/html.h"

#define PLOT_ROWS 40 /* of a forest plot; the rest is left out */

/* A rating and half of its 95 % interval, in points; `bar` less than 0: not
 * known. */
struct plot_value {
	const char *name;
	double rating, bar;
};

/* From the first game to the last, `y[i]` after game `x[i]`; x rises. */
struct plot_curve {
	const char *id; /* of the element; and of its title, with `-title` */
	const char *title,
		*text; /* what it is, what it shows in one sentence */
	const double *x, *y;
	unsigned points;
	/* The rating by all games and half of its interval, as a band, and a
	 * legend of both; `bar` less than 0: none. */
	double rating, bar;
};

/* Nothing if there are less than two points. */
void plot_curve(struct html *html, const struct plot_curve *curve);
/* A row for each, the first one above. */
void plot_forest(struct html *html, const char *id, const char *title,
		 const struct plot_value value[], unsigned count);

/* ---- in the cells of a table ------------------------------------------ */

/* What all rows of a table have in common. */
struct plot_scale {
	double low, high; /* low < high */
};

/* Around all of these, with their bars; something for none. */
struct plot_scale plot_scale_of(const struct plot_value value[],
				unsigned count) MUST_CHECK;
/* A row of a forest plot.  Screen readers pass over it: the numbers stand
 * beside. */
void plot_bar(struct html *html, const struct plot_scale *scale, double rating,
	      double bar);
/* Where ratings went; nothing if there are less than two. */
void plot_trend(struct html *html, const double y[], unsigned points);

#endif
