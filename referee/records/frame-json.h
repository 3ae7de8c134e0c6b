/* referee/records/frame-json.h - frames for programs; the keys stand in
 * doc/referee-replay.1. */
#ifndef REFEREE_FRAME_JSON_H
#define REFEREE_FRAME_JSON_H

#include <jansson.h>

#include "referee/frames/frame.h"
#include "referee/records/replay-frames.h"

/* Returns a line as its viewer reads it, its sentence, and the bots' remarks
 * that this viewer may know (replay-notes.h); with `round` once a round has
 * begun. */
json_t *frame_json_line(const struct replay_walk *walk);
/* Returns the same for an event of a running game, which has no record yet and
 * so no `line`. */
json_t *frame_json_event(const char *event, const struct frame *frame);

/* Returns the seats, gauges and zones that differ from `before`, each in whole;
 * with NULL all of them.  The reader replaces those with the same numbers. */
json_t *frame_json_table(const struct frame_table *table,
			 const struct frame_table *before);

#endif
