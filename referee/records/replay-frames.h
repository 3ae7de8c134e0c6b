/* referee/records/replay-frames.h - a replay as frames of its viewer. */
#ifndef REFEREE_REPLAY_FRAMES_H
#define REFEREE_REPLAY_FRAMES_H

#include "referee/frames/frame.h"
#include "referee/records/replay.h"

/* The frame before the first line.  It takes from the record's header what all
 * may know: the game, its options, who sits where.  frame_next() then wants
 * what replay_text() gives of each visible line. */
void replay_frame_begin(const struct replay *replay, struct frame *frame);

#endif
