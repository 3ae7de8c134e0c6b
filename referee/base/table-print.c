/* referee/base/table-print.c - see table-print.h. */
#include "referee/base/table-print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/text.h"
#include "referee/base/command.h"

/* A row, or a line of words below one. */
struct item {
	char *cell[TABLE_PRINT_COLUMNS]; /* owned */
	char *words; /* owned; in a row the words behind it */
	int indent;  /* indent of a line of words; -1: a row */
};

struct table_print {
	const struct table_column *column;
	unsigned columns,
		filled; /* columns, and filled `filled` in the last row */
	int width[TABLE_PRINT_COLUMNS], gap;
	bool out[TABLE_PRINT_COLUMNS];
	struct item *item;
	unsigned items;
};

struct table_print *
table_print_new(const struct table_column column[], unsigned columns)
{
	struct table_print *table = zeroed(1, sizeof(*table));

	if (columns > TABLE_PRINT_COLUMNS)
		bug("a table has %u columns", columns);
	table->column = column;
	table->columns = columns;
	table->gap = 2;
	for (unsigned c = 0; c < columns; c++) {
		table->width[c] = (int)strlen(column[c].title);
		if (table->width[c] < column[c].least)
			table->width[c] = column[c].least;
	}
	return table;
}

static struct item *
add_item(struct table_print *table, int indent)
{
	struct item *item = ADDED(table->item, table->items);

	*item = (struct item){ .indent = indent };
	return item;
}

/* Returns how many columns an escaped text takes: one for each character. */
static int
columns_of(const char *text)
{
	int n = 0;

	for (; *text != '\0'; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

void
table_print_cell(struct table_print *table, const char *fmt, ...)
{
	const unsigned c = table->filled++;
	struct item *item;
	char *cell;
	va_list ap;
	size_t size;
	int n;

	if (c >= table->columns)
		bug("a row has more cells than the table has columns");
	item = c == 0 ? add_item(table, -1) : &table->item[table->items - 1];
	va_start(ap, fmt);
	cell = vformatted(fmt, ap);
	va_end(ap);
	size = 4 * strlen(cell) + sizeof("\\x00...");
	item->cell[c] = memory(NULL, size);
	text_escape(item->cell[c], size, cell, strlen(cell));
	free(cell);
	n = columns_of(item->cell[c]);
	if (n > table->width[c])
		table->width[c] = n;
}

void
table_print_row(struct table_print *table, const char *behind)
{
	if (table->filled != table->columns)
		bug("a row has fewer cells than the table has columns");
	table->filled = 0;
	table->item[table->items - 1].words = copied(behind);
}

void
table_print_line(struct table_print *table, int indent, const char *words)
{
	add_item(table, indent)->words = copied(words);
}

/* ---- printing --------------------------------------------------------- */

static int
total(const struct table_print *table)
{
	int columns = -table->gap;

	for (unsigned c = 0; c < table->columns; c++)
		if (!table->out[c])
			columns += table->width[c] + table->gap;
	return columns;
}

static void
make_narrow(struct table_print *table)
{
	if (total(table) > TERMINAL_COLUMNS)
		table->gap = 1;
	for (unsigned spare = 1; spare <= table->columns; spare++)
		for (unsigned c = 0; c < table->columns; c++)
			if (table->column[c].spare == spare &&
			    total(table) > TERMINAL_COLUMNS)
				table->out[c] = true;
}

/* Prints the cells of a row, or the titles if `cell` is NULL, without spaces at
 * the end.  Returns the column where they end. */
static int
print_cells(const struct table_print *table, char *const cell[])
{
	int column = 0, at = 0, width;
	const char *text;

	for (unsigned c = 0; c < table->columns; c++) {
		if (table->out[c])
			continue;
		text = cell == NULL ? table->column[c].title : cell[c];
		width = columns_of(text);
		if (!table->column[c].left)
			at += table->width[c] - width;
		printf("%*s%s", at - column, "", text);
		column = at + width;
		at = column + table->gap;
		if (table->column[c].left)
			at += table->width[c] - width;
	}
	return column;
}

static void
print_below(int indent, const char *words)
{
	printf("%*s", indent, "");
	print_words(words, indent, indent);
	putchar('\n');
}

static void
print_item(const struct table_print *table, const struct item *item)
{
	int column;

	if (item->indent >= 0) {
		print_below(item->indent, item->words);
		return;
	}
	column = print_cells(table, item->cell);
	if (item->words[0] == '\0')
		putchar('\n');
	else if (column + 2 + (int)strlen(item->words) <= TERMINAL_COLUMNS)
		printf("  %s\n", item->words);
	else {
		putchar('\n');
		print_below(TABLE_PRINT_INDENT, item->words);
	}
}

void
table_print_free(struct table_print *table)
{
	struct item *item;

	for (item = table->item; item < table->item + table->items; item++) {
		for (unsigned c = 0; c < table->columns; c++)
			free(item->cell[c]);
		free(item->words);
	}
	free(table->item);
	free(table);
}

void
table_print_end(struct table_print *table)
{
	make_narrow(table);
	print_cells(table, NULL);
	putchar('\n');
	for (unsigned i = 0; i < table->items; i++)
		print_item(table, &table->item[i]);
	table_print_free(table);
}
