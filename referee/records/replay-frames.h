/* referee/records/replay-frames.h - turns a replay into frames for a viewer. */
#ifndef REFEREE_REPLAY_FRAMES_H
#define REFEREE_REPLAY_FRAMES_H

#include "referee/frames/frame.h"
#include "referee/records/replay.h"

/* Makes the frame before the first line, with the facts of the record's header
 * that all may know: the game, its options, the bots' seats.  Then give
 * frame_next() the text of replay_text() for each visible line. */
void replay_frame_begin(const struct replay *replay, struct frame *frame);

/* A walk over the lines that a viewer sees, each with its frame.  The struct is
 * too large for the stack. */
struct replay_walk {
	const struct replay *replay; /* borrowed */
	int viewer;
	unsigned next; /* index of the line to look at next */

	const struct replay_line *line;
	const char *said;		   /* see replay_said() */
	char text[LINE_REFEREE_BYTES + 1]; /* as the viewer reads it */
	struct frame frame;		   /* the frame after the line */
};

void replay_walk_begin(struct replay_walk *walk, const struct replay *replay,
		       int viewer);
/* Takes the next line.  Returns 1; 0 at the end; -1 if the marks of `line` are
 * not in order. */
int replay_walk_next(struct replay_walk *walk) MUST_CHECK;

/* The frames of all lines that a viewer sees, in any order. */
struct replay_frames {
	const struct replay *replay; /* borrowed */
	int viewer;
	uint16_t *marks;    /* owned; MARK_… of each line */
	struct frame *kept; /* owned; the frames before every line that is a
			     * multiple of */
	unsigned keeps, spacing;
};

/* Goes through the whole replay once. */
void replay_frames_init(struct replay_frames *frames,
			const struct replay *replay, int viewer);
void replay_frames_release(struct replay_frames *frames);

/* Makes the frame after line `at` (an index of replay->line), or after the last
 * line before it that the viewer sees. */
void replay_frames_at(const struct replay_frames *frames, unsigned at,
		      struct frame *frame);

/* Changes the frame after line `at` - 1 to the one after line `at`, which is
 * the same if the viewer does not see the line. */
void replay_frames_take(const struct replay_frames *frames, unsigned at,
			struct frame *frame);

/* Returns the next line after `from`, or with `step` -1 before it, that the
 * viewer sees and that has one of these marks (0: any line); -1 if there is
 * none. */
int replay_frames_find(const struct replay_frames *frames, int from, int step,
		       unsigned marks);

#endif
