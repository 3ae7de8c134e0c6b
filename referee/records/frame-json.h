/* referee/records/frame-json.h - frames for programs; the keys stand in
 * doc/referee-replay.1. */
#ifndef REFEREE_FRAME_JSON_H
#define REFEREE_FRAME_JSON_H

#include <jansson.h>

#include "referee/frames/frame.h"
#include "referee/records/replay-frames.h"

/* What a viewer reads of a line, its sentence, and the remarks of bots that this
 * viewer may know (replay-notes.h); `round` once there was one. */
json_t *frame_json_line(const struct replay_walk *walk);
/* Likewise of an event of a game that runs: it has no record yet, and so no
 * `line`. */
json_t *frame_json_event(const char *event, const struct frame *frame);

/* The table: those seats, gauges and zones that are not the same in `before`,
 * each in whole; with NULL all of them.  To take it in, put each in the place
 * of the one with its number. */
json_t *frame_json_table(const struct frame_table *table,
			 const struct frame_table *before);

#endif
