/* referee/pages/plot.h - pictures of numbers, as SVG.
 *
 * Each has a title and a description, which a screen reader reads out; the
 * numbers themselves stand in a table beside it.  An interval that has no end
 * reaches the edge, with an arrowhead.  Colours and pens are classes of style.css. */
#ifndef REFEREE_PAGES_PLOT_H
#define REFEREE_PAGES_PLOT_H

#include "referee/pages/html.h"
#include "referee/pages/standings.h"

#define PLOT_ROWS 40 /* of a forest plot; the rest is left out */

struct plot_value {
	const char *name;
	struct standings_elo elo;
};

/* From the first game to the last, `y[i]` after game `x[i]`; x rises. */
struct plot_curve {
	const char *id; /* of the element; and of its title, with `-title` */
	const char *title,
		*text; /* what it is, what it shows in one sentence */
	const double *x, *y;
	unsigned points;
	/* It is drawn as a band, with a legend, if its interval is known. */
	struct standings_elo elo;
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

/* Around all of these, with their intervals; something for none. */
struct plot_scale plot_scale_of(const struct plot_value value[],
				unsigned count) MUST_CHECK;
/* A row of a forest plot.  Screen readers pass over it: the numbers stand
 * beside. */
void plot_bar(struct html *html, const struct plot_scale *scale,
	      const struct standings_elo *elo);
/* Draws where live Elo went; nothing if there are less than two points. */
void plot_trend(struct html *html, const double y[], unsigned points);

#endif
