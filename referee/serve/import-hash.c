/* referee/serve/import-hash.c - the hash of what lies in a folder. */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "referee/serve/import-files.h"

#define READ_BYTES 65536

struct thing {
	char *path; /* from the folder on; owned */
	mode_t mode;
};

struct things {
	struct thing *thing;
	size_t count;
};

static int
by_path(const void *a, const void *b)
{
	const struct thing *one = a, *other = b;

	return strcmp(one->path, other->path);
}

static void
keep(struct things *things, const char *path, mode_t mode)
{
	struct thing *thing;

	things->thing = grown(things->thing, things->count, sizeof(*thing));
	thing = &things->thing[things->count++];
	thing->path = copied(path);
	thing->mode = mode;
}

static void
release(struct things *things)
{
	size_t i;

	for (i = 0; i < things->count; i++)
		free(things->thing[i].path);
	free(things->thing);
}

/* All of it, links not followed; no more than `max`. */
static int
walk(const char *folder, size_t max, struct things *things, struct error *why)
{
	char *const paths[] = { (char *)(uintptr_t)folder, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *at;
	int result = 0;

	if (fts == NULL)
		bug("out of memory");
	while (result == 0 && (at = fts_read(fts)) != NULL) {
		if (at->fts_info == FTS_DP || at->fts_level == 0)
			continue;
		if (at->fts_info == FTS_DNR || at->fts_info == FTS_ERR ||
		    at->fts_info == FTS_NS) {
			error_set(why, ERROR_MACHINE, "cannot look at %s: %s",
				  at->fts_path, strerror(at->fts_errno));
			result = -1;
		} else if (things->count == max) {
			error_set(why, ERROR_INPUT,
				  "more than %zu files and folders", max);
			result = -1;
		} else {
			keep(things, at->fts_path + strlen(folder) + 1,
			     at->fts_statp->st_mode);
		}
	}
	fts_close(fts);
	return result;
}

/* ---- the hash --------------------------------------------------------- */

static int
hash_file(crypto_generichash_state *state, const char *path)
{
	unsigned char size[8], *bytes;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	ssize_t n = -1;
	unsigned i;

	if (fd < 0)
		return -1;
	bytes = memory(NULL, READ_BYTES);
	if (fstat(fd, &st) == 0) {
		for (i = 0; i < sizeof(size); i++)
			size[i] = (unsigned char)((uint64_t)st.st_size >>
						  (8 * i));
		crypto_generichash_update(state, size, sizeof(size));
		while ((n = read(fd, bytes, READ_BYTES)) > 0)
			crypto_generichash_update(state, bytes,
						  (unsigned long long)n);
	}
	free(bytes);
	close(fd);
	return n < 0 ? -1 : 0;
}

static int
hash_thing(crypto_generichash_state *state, const char *folder,
	   const struct thing *thing, struct error *why)
{
	const unsigned char kind = S_ISDIR(thing->mode) ? 'd'
				   : thing->mode & 0111 ? 'x'
							: 'f';
	char path[IMPORT_PATH_BYTES + BOT_PATH_BYTES];

	crypto_generichash_update(state, (const unsigned char *)thing->path,
				  strlen(thing->path) + 1);
	crypto_generichash_update(state, &kind, 1);
	if (kind == 'd')
		return 0;
	snprintf(path, sizeof(path), "%s/%s", folder, thing->path);
	if (hash_file(state, path) == 0)
		return 0;
	return error_set(why, ERROR_MACHINE, "cannot read %s: %m", path);
}

int
import_hash(const char *folder, char hash[ROSTER_CONTENT_BYTES + 1],
	    struct error *why)
{
	unsigned char bytes[ROSTER_CONTENT_BYTES / 2];
	crypto_generichash_state state;
	struct things things = { NULL, 0 };
	int result = walk(folder, BOT_FILES, &things, why);
	size_t i;

	crypto_generichash_init(&state, NULL, 0, sizeof(bytes));
	if (things.count > 0)
		qsort(things.thing, things.count, sizeof(*things.thing),
		      by_path);
	for (i = 0; i < things.count && result == 0; i++)
		result = hash_thing(&state, folder, &things.thing[i], why);
	crypto_generichash_final(&state, bytes, sizeof(bytes));
	sodium_bin2hex(hash, ROSTER_CONTENT_BYTES + 1, bytes, sizeof(bytes));
	release(&things);
	return result;
}
