/* referee/pages/table.h - the table of a frame as HTML.
 *
 * It draws zones, pieces, gauges and seats, and knows no game: attributes say
 * what is what (`data-zone`, `data-gauge`, `data-at`), static/table.css says how
 * that looks, static/cards.svg has the pictures.  drawTable() of
 * static/table.js makes the same elements from the JSON of a frame; who changes
 * one of the two changes the other. */
#ifndef REFEREE_PAGES_TABLE_H
#define REFEREE_PAGES_TABLE_H

#include "referee/frames/frame.h"
#include "referee/pages/html.h"

#define TABLE_PILE 8   /* pieces of a pile: of more only the top is drawn */
#define TABLE_BEADS 40 /* beads of a gauge: of more only the number is told */

/* `folder` is that of `struct site` (layout.h), `viewer` a seat, who sits in
 * front, or VIEW_…: then seat 0 does. */
void table_write(struct html *html, const char *folder,
		 const struct frame_table *table, int viewer);

#endif
