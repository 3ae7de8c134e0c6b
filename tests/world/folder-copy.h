/* tests/world/folder-copy.h - copies, compares and removes folders. */
#ifndef TESTS_WORLD_FOLDER_COPY_H
#define TESTS_WORLD_FOLDER_COPY_H

#include "protocol/util.h"

/* Copies a folder with all files and folders below it to a new one.  Sockets, pipes and
 * SQLite's -shm files are left out.  Aborts the program if that fails. */
void folder_copy(const char *from, const char *to);
/* Copies a file to a new one. */
void file_copy(const char *from, const char *to);
/* Returns the path below of something that is in one of them and not the same in the
 * other, to be freed; NULL if all is the same.  It looks at what folder_copy() copies,
 * and at links. */
char *folder_difference(const char *one, const char *other) MUST_CHECK;
/* Removes a folder with all that is below, if it is there. */
void folder_remove(const char *path);

#endif
