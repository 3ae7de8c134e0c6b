/* referee/import/pack.c - see pack.h.
 *
 * The archive is in ustar format.  A path that does not fit into its header
 * gets a GNU header before it.  The archive has only the bytes of the files and
 * their x, so the same files give the same bytes. */
#include "referee/import/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/pack.h"
#include "protocol/file.h"
#include "protocol/gzip.h"
#include "referee/import/files.h"
#include "referee/import/listing.h"

#define SOURCE "source.tar.gz"
#define LEVEL 6
#define READ_BYTES 65536

#define HEADER_NAME_BYTES 100

static void
put_header(struct gzip *gzip, const char *name, char kind, unsigned mode,
	   uint64_t size)
{
	struct text header = { .max = PACK_BLOCK };

	pack_header(&header, name, kind, mode, size);
	gzip_put(gzip, header.bytes, header.used);
	text_release(&header);
}

static void
fill_up(struct gzip *gzip, uint64_t size)
{
	static const char zero[PACK_BLOCK];
	const size_t over = size % PACK_BLOCK;

	if (over > 0)
		gzip_put(gzip, zero, PACK_BLOCK - over);
}

static void
put_entry(struct gzip *gzip, const struct listed *item)
{
	const size_t n = strlen(item->path);
	const bool folder = S_ISDIR(item->mode);
	const unsigned mode = folder || item->mode & 0111 ? 0755 : 0644;

	if (n > HEADER_NAME_BYTES) {
		put_header(gzip, "././@LongLink", 'L', 0644, n + 1);
		gzip_put(gzip, item->path, n + 1);
		fill_up(gzip, n + 1);
	}
	put_header(gzip, item->path, folder ? '5' : '0', mode,
		   folder ? 0 : (uint64_t)item->size);
}

/* ---- files ------------------------------------------------------------ */

/* Packs a file, which must still be as long as when it was looked at. */
static int
put_file(struct gzip *gzip, const char *path, uint64_t size)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	char *bytes = memory(NULL, READ_BYTES);
	uint64_t left = size;
	ssize_t n = fd < 0 ? -1 : 1;

	while (left > 0 && n > 0) {
		n = read(fd, bytes, left < READ_BYTES ? left : READ_BYTES);
		if (n == 0)
			errno = EIO;
		if (n <= 0)
			break;
		gzip_put(gzip, bytes, (size_t)n);
		left -= (uint64_t)n;
	}
	free(bytes);
	close_quietly(fd);
	fill_up(gzip, size);
	return left > 0 || n < 0 ? -1 : 0;
}

static int
put_item(struct gzip *gzip, const char *folder, const struct listed *item,
	 struct error *why)
{
	char path[IMPORT_PATH_BYTES + BOT_PATH_BYTES];

	put_entry(gzip, item);
	if (S_ISDIR(item->mode))
		return 0;
	snprintf(path, sizeof(path), "%s/%s", folder, item->path);
	if (S_ISREG(item->mode) &&
	    put_file(gzip, path, (uint64_t)item->size) == 0)
		return 0;
	return error_set(why, ERROR_MACHINE, "cannot pack %s: %m", path);
}

static int
pack(const char *folder, struct text *to, struct error *why)
{
	static const char end[2 * PACK_BLOCK];
	struct gzip *gzip = gzip_new(to, LEVEL);
	struct listing all = { NULL, 0 };
	int result = listing_read(folder, BOT_FILES, &all, why);

	for (size_t i = 0; i < all.count && result == 0; i++)
		result = put_item(gzip, folder, &all.item[i], why);
	gzip_put(gzip, end, sizeof(end));
	gzip_end(gzip);
	listing_release(&all);
	if (result == 0 && to->full)
		result = error_set(why, ERROR_INPUT, "%s is too large to pack",
				   folder);
	return result;
}

/* ---- either ----------------------------------------------------------- */

int
import_keep_source(const struct incoming *incoming, struct error *why)
{
	struct text packed = { .max = BOT_PACK_BYTES };
	int result;

	result = pack(incoming->bot, &packed, why);
	if (result == 0)
		result = incoming_write(incoming, SOURCE, &packed, why);
	text_release(&packed);
	return result;
}

void
import_lend_source(const char *from, const char *to)
{
	char old[IMPORT_PATH_BYTES + 16], new[IMPORT_PATH_BYTES + 16];

	snprintf(old, sizeof(old), "%s/" SOURCE, from);
	snprintf(new, sizeof(new), "%s/" SOURCE, to);
	(void)!link(old, new);
}

/* Packs the folder itself, which is what was imported unless there was a build. */
static int
pack_unbuilt(const char *data, const char *hash, struct text *to,
	     struct error *why)
{
	char bot[IMPORT_PATH_BYTES], found[ROSTER_CONTENT_BYTES + 1];

	import_path(data, hash, "bot", bot);
	if (access(bot, F_OK) < 0)
		return error_set(why, ERROR_MACHINE, "cannot read %s: %m", bot);
	if (import_hash(bot, found, why) < 0 || strcmp(found, hash) != 0)
		return error_set(why, ERROR_INPUT,
				 "%s was built by an earlier referee, which "
				 "has not kept what it was built from; add the "
				 "bot again",
				 bot);
	return pack(bot, to, why);
}

int
import_pack(const char *data, const char *hash, struct text *to,
	    struct error *why)
{
	char path[IMPORT_PATH_BYTES];

	import_path(data, hash, SOURCE, path);
	if (access(path, F_OK) < 0)
		return pack_unbuilt(data, hash, to, why);
	if (file_load(path, to) == 0 && !to->full)
		return 0;
	return error_set(why, ERROR_MACHINE, "cannot read %s: %m", path);
}
