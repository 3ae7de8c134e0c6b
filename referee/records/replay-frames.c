/* referee/records/replay-frames.c - see replay-frames.h. */
#include "referee/records/replay-frames.h"

void
replay_frame_begin(const struct replay *replay, struct frame *frame)
{
	const struct record *record = replay->record;
	struct frame_option option[RECORD_OPTIONS];
	struct frame_setup setup = { .game = record->game,
				     .seats = record->seats,
				     .option = option };
	unsigned seat;

	for (seat = 0; seat < record->seats; seat++)
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
