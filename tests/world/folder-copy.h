/* tests/world/folder-copy.h - copies and removes folders. */
#ifndef TESTS_WORLD_FOLDER_COPY_H
#define TESTS_WORLD_FOLDER_COPY_H

/* Copies a folder with all files and folders below it to a new one.  Sockets, pipes and
 * SQLite's -shm files are left out.  Aborts the program if that fails. */
void folder_copy(const char *from, const char *to);
/* Removes a folder with all that is below, if it is there. */
void folder_remove(const char *path);

#endif
