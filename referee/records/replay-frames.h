/* referee/records/replay-frames.h - a replay as frames of its viewer. */
#ifndef REFEREE_REPLAY_FRAMES_H
#define REFEREE_REPLAY_FRAMES_H

#include "referee/frames/frame.h"
#include "referee/records/replay.h"

/* The frame before the first line.  It takes from the record's header what all
 * may know: the game, its options, who sits where.  frame_next() then wants
 * what replay_text() gives of each visible line. */
void replay_frame_begin(const struct replay *replay, struct frame *frame);

/* The lines that a viewer sees, one after the other, each with its frame.  It is
 * too large for the stack. */
struct replay_walk {
	const struct replay *replay; /* borrowed */
	int viewer;
	unsigned next; /* index of the line to look at next */

	const struct replay_line *line;
	const char *said;		   /* as replay_said() */
	char text[LINE_REFEREE_BYTES + 1]; /* as the viewer reads it */
	struct frame frame;		   /* after it */
};

void replay_walk_begin(struct replay_walk *walk, const struct replay *replay,
		       int viewer);
/* Takes the next one: 1; 0: there is none; -1: the marks of `line` are not in
 * order. */
int replay_walk_next(struct replay_walk *walk) MUST_CHECK;

/* The frames of all lines that a viewer sees, to be had in any order. */
struct replay_frames {
	const struct replay *replay; /* borrowed */
	int viewer;
	uint16_t *marks;    /* of each line: MARK_…; owned */
	struct frame *kept; /* before every line that is a multiple of; owned */
	unsigned keeps, spacing;
};

/* Goes through the whole replay once. */
void replay_frames_init(struct replay_frames *frames,
			const struct replay *replay, int viewer);
void replay_frames_release(struct replay_frames *frames);

/* The frame after line `at` (an index of replay->line); if the viewer does not
 * see it, after the last one before it that he sees. */
void replay_frames_at(const struct replay_frames *frames, unsigned at,
		      struct frame *frame);

/* Goes on from the frame after line `at` - 1 to that after line `at`; the same
 * one if the viewer does not see the line. */
void replay_frames_take(const struct replay_frames *frames, unsigned at,
			struct frame *frame);

/* The next line from `from` on, or with `step` -1 before it, that the viewer
 * sees and that has one of these marks (0: any line); -1: there is none.
 * `from` itself is left out. */
int replay_frames_find(const struct replay_frames *frames, int from, int step,
		       unsigned marks);

#endif
