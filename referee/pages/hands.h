/* referee/pages/hands.h - what lies on the table of a frame, in words.
 *
 * Scripts put the drawing of static/table.js in its place. */
#ifndef REFEREE_PAGES_HANDS_H
#define REFEREE_PAGES_HANDS_H

#include "referee/frames/frame.h"
#include "referee/pages/html.h"

/* Writes an element of the class `felt`: the middle and each seat, with their
 * gauges that have a value and their zones that are not empty. */
void hands_write(struct html *html, const struct frame_table *table);

#endif
