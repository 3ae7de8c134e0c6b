/* referee/records/unfinished.h - the records of blocks that are not over.
 *
 * The secret in the record of one game tells the cards of its whole block.  So
 * the writer keeps these records in the subfolder FOLDER_UNFINISHED of the
 * records' folder, which only the owner can read, until the last game of the
 * block is over; then they are moved up together.  A file is linked into the
 * folder before its old name is removed, and all of a block are linked before
 * the first is removed: so a block of which one file has both names is over.
 * What belongs to a record (protocol/asks.h) moves with it. */
#ifndef REFEREE_UNFINISHED_H
#define REFEREE_UNFINISHED_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/folder.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"

#define UNFINISHED_WHY "a block of duplicate deals was not finished"

/* Takes the subfolder of `dir` for this process: a descriptor, which
 * unfinished_leave() closes; -1 and an error.  -1 and ERROR_NONE without
 * `make`: there is none, or a match is at work in it; with `make` it is made. */
int unfinished_take(const char *dir, bool make, struct error *why) MUST_CHECK;
/* Removes the subfolder if it is empty.  -1 is fine. */
void unfinished_leave(const char *dir, int taken);

/* Moves the records of these games up, as far as they are there. */
int unfinished_publish(const char *dir, char id[][ID_BYTES + 1], unsigned games,
		       struct error *why) MUST_CHECK;

/* What an earlier match has left, or this one: whole blocks are moved up.  Of
 * the others, unless `keep`, the records are moved up, too; those of the ladder
 * are voided there before, by one void.  Without their ladder they stay.
 * `folder` is the number of `dir` in the ladder, which may be NULL.  Half-written
 * files go.  The caller has taken the subfolder, and no writer works there.  0,
 * or -1 and an error. */
int unfinished_sweep(const char *dir, struct ladder *ladder, int64_t folder,
		     bool keep, struct error *why) MUST_CHECK;

#endif
