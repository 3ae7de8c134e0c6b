/* ladder/store-path.c - where a ladder's file is, and its folders beside it.
 *
 * SQLite gets the file's path from the root on: it takes some names, such as
 * the empty one and ":memory:", for something else than a file. */
#include "ladder/store-inside.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum error_kind
place_kind(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
	case EISDIR:
	case EEXIST:
	case ELOOP:
	case ENAMETOOLONG:
		return ERROR_INPUT;
	default:
		return ERROR_MACHINE;
	}
}

/* The path that a file will have which is not there yet; NULL and errno. */
static char *
path_to_be(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char *given, *folder, *whole = NULL;

	if (*name == '\0') {
		errno = ENOENT;
		return NULL;
	}
	given = slash ? formatted("%.*s", (int)(name - path), path)
		      : copied(".");
	folder = realpath(given, NULL);
	free(given);
	if (folder != NULL)
		whole = formatted("%s/%s",
				  strcmp(folder, "/") == 0 ? "" : folder, name);
	free(folder);
	return whole;
}

int
place_find(struct ladder *ladder, struct error *why)
{
	if (ladder->path[0] == '\0')
		return error_set(why, ERROR_INPUT,
				 "a ladder's file must have a name");
	ladder->file = realpath(ladder->path, NULL);
	ladder->made = ladder->file == NULL && errno == ENOENT;
	if (ladder->made)
		ladder->file = path_to_be(ladder->path);
	if (ladder->file == NULL)
		return error_set(why, place_kind(errno),
				 "cannot open ladder %s: %m", ladder->path);
	ladder->dir_bytes = (size_t)(strrchr(ladder->file, '/') - ladder->file);
	return 0;
}

const char *
place_short(const struct ladder *ladder, const char *path)
{
	size_t n = ladder->dir_bytes;

	if (strncmp(path, ladder->file, n) != 0)
		return path;
	if (path[n] == '\0')
		return ".";
	return path[n] == '/' && path[n + 1] != '\0' ? path + n + 1 : path;
}

void
place_long(const struct ladder *ladder, const char *stored,
	   char path[LADDER_PATH_BYTES])
{
	int n = (int)ladder->dir_bytes;

	if (*stored == '/')
		snprintf(path, LADDER_PATH_BYTES, "%s", stored);
	else if (strcmp(stored, ".") == 0)
		snprintf(path, LADDER_PATH_BYTES, "%.*s", n, ladder->file);
	else
		snprintf(path, LADDER_PATH_BYTES, "%.*s/%s", n, ladder->file,
			 stored);
}
