/* referee/web/record-others.h - the other games of a duplicate deal, and where
 * they took another course.  It reads files, for the worker thread. */
#ifndef REFEREE_RECORD_OTHERS_H
#define REFEREE_RECORD_OTHERS_H

#include "protocol/record.h"
#include "protocol/util.h"
#include "referee/pages/opinion.h"

/* Of the block of this record, on the ladder of that file: writes how they differ
 * for spectators and returns how many do; 0 as well where they cannot be read,
 * or the game is of no block. */
unsigned record_others(const char *file, const struct record *record,
		       struct opinion_other other[SEATS_MAX]);

#endif
