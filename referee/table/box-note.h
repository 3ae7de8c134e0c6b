/* referee/table/box-note.h - what a bot tried without a good reason: its box takes
 * the notes, and its end reports them. */
#ifndef REFEREE_BOX_NOTE_H
#define REFEREE_BOX_NOTE_H

#include <stdint.h>

enum box_tried {
	BOX_CALL,    /* a refused system call: number */
	BOX_SOCKET,  /* a refused socket: number is the family */
	BOX_OPEN,    /* a file outside its sandbox: path */
	BOX_WRITE,   /* to change a file outside its sandbox: path */
	BOX_LOCK,    /* a lock or a watch on a file of the system: path */
	BOX_RUN,     /* to run a setuid program, or a referee: path */
	BOX_SIGNAL,  /* a signal to process `number`, not its own; -1: to all */
	BOX_PROCESS, /* to look at process `number`, not its own: path, if any
		      */
	BOX_RAISE,   /* a limit or a priority beyond its own: the call */
	BOX_LITTER,  /* it has made BOX_LITTER_MANY files, or changed them */
	BOX_FULL,    /* it has filled its /tmp */
	BOX_HANDLES, /* it has opened as much as it may */
};

#define BOX_LITTER_MANY 5000
#define BOX_NOTES 12
#define BOX_PATH 84

struct box_note {
	uint16_t tried; /* enum box_tried */
	int32_t number;
	char path[BOX_PATH]; /* cut, NUL ends; or empty */
};

#endif
