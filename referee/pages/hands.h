/* referee/pages/hands.h - writes the table of a frame in words.
 *
 * Scripts replace it with the drawing of static/table.js. */
#ifndef REFEREE_PAGES_HANDS_H
#define REFEREE_PAGES_HANDS_H

#include "referee/frames/frame.h"
#include "referee/pages/html.h"

/* Writes an element of the class `felt`: the middle and each seat, with the
 * gauges that have a value and the zones that are not empty.  A pile in the
 * middle is written even if it is empty. */
void hands_write(struct html *html, const struct frame_table *table);

#endif
