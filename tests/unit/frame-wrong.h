/* tests/unit/frame-wrong.h - checks what must hold for every frame, of any
 * lines. */
#ifndef TESTS_UNIT_FRAME_WRONG_H
#define TESTS_UNIT_FRAME_WRONG_H

#include "referee/frames/frame.h"

/* Returns a sentence about what is wrong with a frame, or NULL; `first` is the frame
 * before the first line of the same game.  Checks that seats, zones and gauges are
 * still as many, all texts end, codes are codes, and indices are in range. */
const char *frame_wrong(const struct frame *frame, const struct frame *first);

#endif
