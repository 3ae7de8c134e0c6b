/* referee/records/step-draw.h - draws a frame on a page of a terminal. */
#ifndef REFEREE_STEP_DRAW_H
#define REFEREE_STEP_DRAW_H

#include "referee/records/canvas.h"
#include "referee/records/replay-frames.h"

/* Draws the table after line `at` of the replay, and below it as many of the
 * last sentences as there is room for, with thinking times and remarks that the
 * viewer may know.  The top has the winner, the view and the round. */
void step_draw(const struct replay_frames *frames, unsigned at,
	       struct canvas *canvas);

/* Returns true if the viewer reads at this line what a bot wrote to standard
 * error. */
bool step_wrote(const struct replay_frames *frames, unsigned at) MUST_CHECK;

/* Draws the keys and signs in place of the table. */
void step_draw_help(struct canvas *canvas);

#endif
