/* referee/fit-print.h - a fit on standard output: a table for people, JSON lines
 * and CSV for programs. */
#ifndef REFEREE_FIT_PRINT_H
#define REFEREE_FIT_PRINT_H

#include <jansson.h>

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

/* Between two sets. */
#define FIT_APART "No chain of games connects the bots above with those below."
/* A row without its end: 39 columns and the name's; and its titles. */
void fit_titles_print(int width);
void fit_row_print(const struct fit_row *row, int width);
/* Adds a row to an object, but its bot and games. */
#define FIT_DIGITS 8 /* of such numbers */
void fit_row_json(json_t *json, const struct fit_row *row);

#endif
