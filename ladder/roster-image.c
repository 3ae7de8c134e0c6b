/* ladder/roster-image.c - turns a roster into bytes, for a copy elsewhere, and
 * back. */
#include "ladder/roster-inside.h"

#include <stdlib.h>
#include <unistd.h>

#include "ladder/durable.h"

int
roster_image(struct roster *roster, struct text *to, struct error *why)
{
	sqlite3_int64 n = 0;
	unsigned char *bytes = sqlite3_serialize(roster->sql.db, "main", &n, 0);

	if (bytes == NULL || n <= 0 || n > ROSTER_IMAGE_BYTES) {
		sqlite3_free(bytes);
		return error_set(why, ERROR_MACHINE,
				 "cannot read the roster %s as a whole",
				 roster->path);
	}
	text_add(to, (const char *)bytes, (size_t)n);
	sqlite3_free(bytes);
	return 0;
}

const unsigned char *
roster_key(const struct roster *roster)
{
	return roster->key;
}

/* ---- and back --------------------------------------------------------- */

static int
install(const char *dir, const char *name, const void *bytes, size_t n)
{
	char *path = formatted("%s/%s", dir, name);
	int result = file_replace(path, ".new", 0600, bytes, n);

	free(path);
	return result;
}

/* Removes the logs of the previous roster, which SQLite would apply to the new
 * one. */
static void
remove_logs(const char *dir)
{
	static const char *const logs[] = { ROSTER_DB "-wal",
					    ROSTER_DB "-shm" };
	char *path;
	size_t i;

	for (i = 0; i < NELEM(logs); i++) {
		path = formatted("%s/%s", dir, logs[i]);
		unlink(path);
		free(path);
	}
}

int
roster_install(const char *dir, const void *image, size_t n,
	       const unsigned char key[ROSTER_KEY_BYTES], struct error *why)
{
	remove_logs(dir);
	if (install(dir, ROSTER_KEY, key, ROSTER_KEY_BYTES) == 0 &&
	    install(dir, ROSTER_DB, image, n) == 0)
		return 0;
	return path_error(why, ERROR_MACHINE, "write the roster in", dir);
}
