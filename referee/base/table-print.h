/* referee/base/table-print.h - prints a table for people that fits into a
 * terminal.
 *
 *	table = table_print_new(columns, NELEM(columns));
 *	table_print_cell(table, "%u", rank);	... for each column
 *	table_print_row(table, "inactive");	... for each row
 *	table_print_end(table);
 *
 * A column is as wide as its widest cell.  If the table is wider than
 * TERMINAL_COLUMNS, one space parts the columns instead of two, and then spare
 * columns are left out; --json has them all.  If that does not help, the table
 * stays as wide as the other columns. */
#ifndef REFEREE_TABLE_PRINT_H
#define REFEREE_TABLE_PRINT_H

#include <stdbool.h>

#include "protocol/util.h"

#define TABLE_PRINT_COLUMNS 16 /* at most */
#define TABLE_PRINT_INDENT 6   /* columns before words that stand below a row */

struct table_column {
	const char *title;
	int least;	/* the least width */
	bool left;	/* cells are aligned left; else right */
	unsigned spare; /* 1 is left out first, then 2; 0: always there */
};

struct table_print;

/* The columns and their titles are borrowed until table_print_end(). */
struct table_print *table_print_new(const struct table_column column[],
				    unsigned columns) MUST_CHECK;
/* Adds the next cell of the row; bytes that are not printable ASCII become
 * \xHH. */
void table_print_cell(struct table_print *table, const char *fmt, ...)
	PRINTF_LIKE(2, 3);
/* Ends the row.  `behind` stands behind it if there is room, else below it; ""
 * adds nothing. */
void table_print_row(struct table_print *table, const char *behind);
/* Adds a line of words below the last row, `indent` columns in. */
void table_print_line(struct table_print *table, int indent, const char *words);
/* Prints the table and frees it. */
void table_print_end(struct table_print *table);
void table_print_free(struct table_print *table); /* does not print it */

#endif
