/* referee/import/tree.h - removes folders with everything below them, whatever
 * others have changed in them. */
#ifndef REFEREE_IMPORT_TREE_H
#define REFEREE_IMPORT_TREE_H

#include <dirent.h>

#include "protocol/util.h"

/* Descriptors and stack levels of a removal.  Deeper folders are moved up
 * first. */
#define TREE_LEVELS 32

/* Removes `name` in the folder `at`, a descriptor, and everything below it.  It
 * follows no links, restores missing rights, and handles any depth and length
 * of paths.  Returns 0; or -1 and errno if some of it could not be removed;
 * everything else is gone. */
int tree_remove(int at, const char *name) MUST_CHECK;

/* Returns the name of the next entry of a folder except `.` and `..`.  Returns
 * NULL at the end, or with errno on failure, as readdir(3). */
const char *tree_next(DIR *dir) MUST_CHECK;

/* Adds the owner's rights of `mode` to `name` in the folder `at`, unless it is
 * a link.  Returns 0, or -1 and errno. */
int tree_open_up(int at, const char *name, unsigned mode) MUST_CHECK;

#endif
