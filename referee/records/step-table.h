/* referee/records/step-table.h - a table of a frame on a page of a terminal.
 *
 * It knows zones, pieces and gauges, but no game. */
#ifndef REFEREE_STEP_TABLE_H
#define REFEREE_STEP_TABLE_H

#include "referee/frames/frame.h"
#include "referee/records/canvas.h"

/* The seats, a row or more each, and the middle, from the canvas's row on; the
 * seat `viewer` gets a sign. */
void step_draw_table(struct canvas *canvas, const struct frame_table *table,
		     int viewer);

/* What the signs behind pieces mean, for the help. */
void step_draw_signs(struct canvas *canvas);

#endif
