/* referee/records/replay-frames.c - see replay-frames.h. */
#include "referee/records/replay-frames.h"

#include <stdlib.h>

#define KEEPS 64	/* the most frames that are kept; each has 35 KB */
#define SPACING_MIN 256 /* the least lines between two kept frames */

void
replay_frame_begin(const struct replay *replay, struct frame *frame)
{
	const struct record *record = replay->record;
	struct frame_option option[RECORD_OPTIONS];
	struct frame_setup setup = { .game = record->game,
				     .seats = record->seats,
				     .option = option };

	for (unsigned seat = 0; seat < record->seats; seat++)
		setup.name[seat] = record->name[seat];
	while (setup.options < record->options &&
	       setup.options < RECORD_OPTIONS) {
		option[setup.options] = (struct frame_option){
			record->option[setup.options].name,
			record->option[setup.options].value,
		};
		setup.options++;
	}
	frame_begin(frame, &setup);
}

void
replay_walk_begin(struct replay_walk *walk, const struct replay *replay,
		  int viewer)
{
	walk->replay = replay;
	walk->viewer = viewer;
	walk->next = 0;
	replay_frame_begin(replay, &walk->frame);
}

int
replay_walk_next(struct replay_walk *walk)
{
	const struct replay *replay = walk->replay;
	ssize_t n;

	do {
		if (walk->next >= replay->lines)
			return 0;
		walk->line = &replay->line[walk->next++];
	} while (!replay_visible(walk->line, walk->viewer));
	n = replay_text(walk->line, walk->viewer, walk->text);
	if (n < 0)
		return -1;
	walk->said = replay_said(walk->line, walk->viewer);
	frame_next(&walk->frame, walk->text, (size_t)n);
	return 1;
}

void
replay_frames_take(const struct replay_frames *frames, unsigned at,
		   struct frame *frame)
{
	static const char broken[] = "(a line whose marks are not in order)";
	const struct replay_line *line = &frames->replay->line[at];
	char text[LINE_REFEREE_BYTES + 1];
	ssize_t n;

	if (!replay_visible(line, frames->viewer))
		return;
	n = replay_text(line, frames->viewer, text);
	if (n < 0)
		frame_next(frame, broken, sizeof(broken) - 1);
	else
		frame_next(frame, text, (size_t)n);
}

void
replay_frames_init(struct replay_frames *frames, const struct replay *replay,
		   int viewer)
{
	struct frame frame;

	*frames = (struct replay_frames){ .replay = replay, .viewer = viewer };
	frames->spacing = SPACING_MIN + replay->lines / KEEPS;
	frames->kept =
		zeroed(replay->lines / frames->spacing + 1, sizeof(frame));
	frames->marks = zeroed(replay->lines + 1, sizeof(frames->marks[0]));
	replay_frame_begin(replay, &frame);
	for (unsigned at = 0; at < replay->lines; at++) {
		if (at % frames->spacing == 0)
			frames->kept[frames->keeps++] = frame;
		replay_frames_take(frames, at, &frame);
		if (replay_visible(&replay->line[at], viewer))
			frames->marks[at] = (uint16_t)frame.marks;
	}
	if (frames->keeps == 0)
		frames->kept[0] = frame;
}

void
replay_frames_release(struct replay_frames *frames)
{
	free(frames->marks);
	free(frames->kept);
	*frames = (struct replay_frames){ 0 };
}

void
replay_frames_at(const struct replay_frames *frames, unsigned at,
		 struct frame *frame)
{
	unsigned i = at / frames->spacing;

	*frame = frames->kept[i];
	for (i *= frames->spacing; i <= at && i < frames->replay->lines; i++)
		replay_frames_take(frames, i, frame);
}

int
replay_frames_find(const struct replay_frames *frames, int from, int step,
		   unsigned marks)
{
	const struct replay *replay = frames->replay;
	int at;

	for (at = from + step; at >= 0 && at < (int)replay->lines; at += step)
		if (replay_visible(&replay->line[at], frames->viewer) &&
		    (marks == 0 || (frames->marks[at] & marks) != 0))
			return at;
	return -1;
}
