/* referee/import/hash.c - the hash of what lies in a folder. */
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "referee/import/files.h"
#include "referee/import/listing.h"

#define READ_BYTES 65536

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
	   const struct listed *thing, struct error *why)
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
	struct listing all = { NULL, 0 };
	int result = listing_read(folder, BOT_FILES, &all, why);
	size_t i;

	crypto_generichash_init(&state, NULL, 0, sizeof(bytes));
	for (i = 0; i < all.count && result == 0; i++)
		result = hash_thing(&state, folder, &all.item[i], why);
	crypto_generichash_final(&state, bytes, sizeof(bytes));
	sodium_bin2hex(hash, ROSTER_CONTENT_BYTES + 1, bytes, sizeof(bytes));
	listing_release(&all);
	return result;
}
