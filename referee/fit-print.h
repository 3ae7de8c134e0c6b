/* referee/fit-print.h - a fit on standard output: a table for people, JSON lines
 * and CSV for programs. */
#ifndef REFEREE_FIT_PRINT_H
#define REFEREE_FIT_PRINT_H

#include <stdbool.h>

#include "ladder/fit.h"
#include "ladder/store.h"

enum fit_format { FIT_TEXT, FIT_JSON, FIT_CSV };

/* `pool` is NULL for games from anywhere. */
void fit_print(const struct fit *fit, const struct ladder_pool *pool,
	       enum fit_format format);
/* The line of titles of FIT_CSV. */
void fit_print_columns(void);
/* P(row is stronger than column) of all pairs: a table of whole per cent, or a
 * line for each pair, also as CSV. */
void fit_print_cross(const struct fit *fit, const struct ladder_pool *pool,
		     enum fit_format format);
void fit_print_versus(struct fit *fit, const struct ladder_pool *pool,
		      unsigned a, unsigned b, enum fit_format format);

/* "1613.4", with `>`, `<` or `?` in front where that holds; and "35.2", or
 * "?". */
#define FIT_TEXT_BYTES 32
void fit_rating_text(double rating, enum fit_mark mark,
		     char text[FIT_TEXT_BYTES]);
void fit_bar_text(double sd, char text[FIT_TEXT_BYTES]);

#endif
