/* referee/import/hash.c - hashes the files of a folder. */
#include <endian.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/import/files.h"
#include "referee/import/listing.h"

#define READ_BYTES 65536

/* ---- the hash --------------------------------------------------------- */

static int
hash_file(crypto_generichash_state *state, const char *path)
{
	unsigned char *bytes;
	uint64_t size;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return -1;
	bytes = memory(NULL, READ_BYTES);
	if (fstat(fd, &st) == 0) {
		size = htole64((uint64_t)st.st_size);
		crypto_generichash_update(state, (unsigned char *)&size,
					  sizeof(size));
		while ((n = read(fd, bytes, READ_BYTES)) > 0)
			crypto_generichash_update(state, bytes,
						  (unsigned long long)n);
	}
	free(bytes);
	close(fd);
	return n < 0 ? -1 : 0;
}

static int
hash_link(crypto_generichash_state *state, const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	if (n < 0)
		return -1;
	target[n] = '\0';
	crypto_generichash_update(state, (const unsigned char *)target,
				  (unsigned long long)n + 1);
	return 0;
}

static int
hash_thing(crypto_generichash_state *state, const char *folder,
	   const struct listed *thing, struct error *why)
{
	const unsigned char kind = S_ISDIR(thing->mode)	  ? 'd'
				   : S_ISLNK(thing->mode) ? 'l'
				   : thing->mode & 0111	  ? 'x'
							  : 'f';
	char path[IMPORT_PATH_BYTES + BUILT_PATH_BYTES];

	crypto_generichash_update(state, (const unsigned char *)thing->path,
				  strlen(thing->path) + 1);
	crypto_generichash_update(state, &kind, 1);
	if (kind == 'd')
		return 0;
	snprintf(path, sizeof(path), "%s/%s", folder, thing->path);
	if ((kind == 'l' ? hash_link(state, path) : hash_file(state, path)) ==
	    0)
		return 0;
	return error_set(why, ERROR_MACHINE, "cannot read %s: %m", path);
}

static int
hash_folder(const char *folder, size_t most,
	    char hash[ROSTER_CONTENT_BYTES + 1], struct error *why)
{
	unsigned char bytes[ROSTER_CONTENT_BYTES / 2];
	crypto_generichash_state state;
	struct listing all = { NULL, 0 };
	int result = listing_read(folder, most, &all, why);

	crypto_generichash_init(&state, NULL, 0, sizeof(bytes));
	for (size_t i = 0; i < all.count && result == 0; i++)
		result = hash_thing(&state, folder, &all.item[i], why);
	crypto_generichash_final(&state, bytes, sizeof(bytes));
	sodium_bin2hex(hash, ROSTER_CONTENT_BYTES + 1, bytes, sizeof(bytes));
	listing_release(&all);
	return result;
}

int
import_hash(const char *folder, char hash[ROSTER_CONTENT_BYTES + 1],
	    struct error *why)
{
	return hash_folder(folder, BOT_FILES, hash, why);
}

/* ---- whether it is still what came ------------------------------------ */

int
import_seal(const struct incoming *incoming, struct error *why)
{
	char hash[ROSTER_CONTENT_BYTES + 1];
	const struct text seal = { .bytes = hash,
				   .used = ROSTER_CONTENT_BYTES };

	if (hash_folder(incoming->bot, BUILT_FILES, hash, why) < 0)
		return -1;
	return incoming_write(incoming, "built", &seal, why);
}

/* Reads the hash that its files must have: with a build, that of its result. ""
 * if it is unknown. */
static void
read_seal(const char *data, const char *hash,
	  char want[ROSTER_CONTENT_BYTES + 1])
{
	char path[IMPORT_PATH_BYTES];
	ssize_t n;

	import_path(data, hash, "built", path);
	n = file_peek(want, ROSTER_CONTENT_BYTES + 1, "%s", path);
	import_path(data, hash, "source.tar.gz", path);
	if (n < 0 && access(path, F_OK) < 0)
		snprintf(want, ROSTER_CONTENT_BYTES + 1, "%s", hash);
}

int
import_check_seal(const char *data, const char *hash, struct error *why)
{
	char path[IMPORT_PATH_BYTES], want[ROSTER_CONTENT_BYTES + 1],
		found[ROSTER_CONTENT_BYTES + 1];

	read_seal(data, hash, want);
	if (want[0] == '\0')
		return 0;
	import_path(data, hash, "bot", path);
	if (hash_folder(path, BUILT_FILES, found, why) < 0)
		return -1;
	if (strcmp(found, want) == 0)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "%s is not what was imported any more; add the bot "
			 "again",
			 path);
}
