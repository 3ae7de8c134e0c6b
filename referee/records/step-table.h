/* referee/records/step-table.h - draws a frame's table on a page of a terminal.
 *
 * It knows zones, pieces and gauges, but no game. */
#ifndef REFEREE_STEP_TABLE_H
#define REFEREE_STEP_TABLE_H

#include "referee/frames/frame.h"
#include "referee/records/canvas.h"

/* Draws the seats, a row or more each, and the middle, from the canvas's row
 * on.  The seat `viewer` gets a sign. */
void step_draw_table(struct canvas *canvas, const struct frame_table *table,
		     int viewer);

/* Draws the meaning of the signs behind pieces, for the help. */
void step_draw_signs(struct canvas *canvas);

#endif
