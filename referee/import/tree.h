/* referee/import/tree.h - removes folders with everything below them, whatever
 * others have changed in them. */
#ifndef REFEREE_IMPORT_TREE_H
#define REFEREE_IMPORT_TREE_H

#include <dirent.h>

#include "protocol/util.h"

/* How many descriptors, and levels of the stack, a removal takes; what is
 * deeper is moved up first. */
#define TREE_LEVELS 32

/* Removes `name` in the folder `at`, a descriptor, and all that is below it.
 * No link is followed, rights that were taken away are taken back, and neither
 * depth nor the length of paths matters.  0; or -1 and errno: some of it could
 * not be removed, all else is gone. */
int tree_remove(int at, const char *name) MUST_CHECK;

/* The name of the next entry of a folder but `.` and `..`; NULL: there is none, or
 * errno, as of readdir(3). */
const char *tree_next(DIR *dir) MUST_CHECK;

/* Gives us, the owner, the rights of `mode` on `name` in the folder `at`, if it
 * is no link, besides those that we have.  0, or -1 and errno. */
int tree_open_up(int at, const char *name, unsigned mode) MUST_CHECK;

#endif
