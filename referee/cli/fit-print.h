/* referee/cli/fit-print.h - prints a fit to standard output: a table for
 * people, JSON lines and CSV for programs. */
#ifndef REFEREE_FIT_PRINT_H
#define REFEREE_FIT_PRINT_H

#include "ladder/fit.h"
#include "ladder/store.h"
#include "referee/base/table-print.h"

enum fit_format { FIT_TEXT, FIT_JSON, FIT_CSV };

/* Prints the fit; `pool` is NULL if the games are not of a ladder. */
void fit_print(const struct fit *fit, const struct ladder_pool *pool,
	       enum fit_format format);
/* Prints the line of titles of FIT_CSV. */
void fit_print_columns(void);
/* Prints P(row is stronger than column) for all pairs: a table of whole per
 * cent, or a line for each pair, also as CSV. */
void fit_print_cross(const struct fit *fit, const struct ladder_pool *pool,
		     enum fit_format format);
void fit_print_versus(const struct fit *fit, const struct ladder_pool *pool,
		      unsigned a, unsigned b, enum fit_format format);

/* The line between two sets of bots. */
#define FIT_APART "No chain of games connects the bots above with those below."
/* The columns of a table that has fits, and their cells. */
/* clang-format off */
#define FIT_COLUMNS                                                            \
	{ "rank", .least = 5, .spare = 3 },                                    \
	{ "bot", .left = true },                                               \
	{ "Elo", .least = 7 },                                                 \
	{ "from", .least = 7 },                                                \
	{ "to", .least = 7 },                                                  \
	{ "games", .least = 6 },                                               \
	{ "score", .least = 6, .spare = 1 }
/* clang-format on */
void fit_row_print(struct table_print *table, const struct fit_row *row);
/* Says below a table what its numbers are measured from. */
void fit_print_zero(const struct fit_row row[], unsigned count);

#endif
