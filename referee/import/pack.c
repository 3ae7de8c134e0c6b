/* referee/import/pack.c - see pack.h.
 *
 * The archive is one of ustar; a path that does not fit into a head of it has
 * one of GNU's before.  Nothing of the files but their bytes and x is in it, so
 * the same files are the same bytes. */
#include "referee/import/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define ZLIB_CONST /* it does not write what it reads */
#include <zlib.h>

#include "protocol/file.h"
#include "referee/import/files.h"
#include "referee/import/listing.h"

#define SOURCE "source.tar.gz"
#define LEVEL 6
#define GZIP_BITS (15 + 16) /* the largest window, and a gzip header */
#define MEMORY 8	    /* zlib's default */
#define BLOCK 512
#define READ_BYTES 65536

struct packing {
	z_stream stream;
	struct text *to;
};

/* ---- bytes ------------------------------------------------------------ */

static void
put(struct packing *packing, const void *bytes, size_t n, int flush)
{
	unsigned char out[READ_BYTES];
	z_stream *stream = &packing->stream;

	stream->next_in = bytes;
	stream->avail_in = (uInt)n;
	do {
		stream->next_out = out;
		stream->avail_out = sizeof(out);
		if (deflate(stream, flush) == Z_STREAM_ERROR)
			bug("an archive cannot be packed");
		text_add(packing->to, out, sizeof(out) - stream->avail_out);
	} while (stream->avail_out == 0);
}

static void
fill_up(struct packing *packing, uint64_t size)
{
	static const char zero[BLOCK];
	const size_t over = size % BLOCK;

	if (over > 0)
		put(packing, zero, BLOCK - over, Z_NO_FLUSH);
}

/* ---- heads ------------------------------------------------------------ */

#define HEAD_NAME_BYTES 100

struct head {
	char name[HEAD_NAME_BYTES], mode[8], uid[8], gid[8], size[12], time[12],
		sum[8];
	char type, link[100], magic[8], user[32], group[32], major[8], minor[8];
	char prefix[155], rest[12];
};
_Static_assert(sizeof(struct head) == BLOCK, "a head is a block");

static void
put_head(struct packing *packing, const char *name, char type, unsigned mode,
	 uint64_t size)
{
	struct head head = { .type = type };
	const unsigned char *bytes = (const unsigned char *)&head;
	unsigned sum = 0;

	memcpy(head.name, name, strnlen(name, sizeof(head.name)));
	snprintf(head.mode, sizeof(head.mode), "%07o", mode);
	snprintf(head.uid, sizeof(head.uid), "%07o", 0U);
	snprintf(head.gid, sizeof(head.gid), "%07o", 0U);
	snprintf(head.size, sizeof(head.size), "%011llo",
		 (unsigned long long)size);
	snprintf(head.time, sizeof(head.time), "%011o", 0U);
	memcpy(head.magic, "ustar  ", sizeof(head.magic)); /* GNU's */
	memset(head.sum, ' ', sizeof(head.sum));
	for (size_t i = 0; i < BLOCK; i++)
		sum += bytes[i];
	snprintf(head.sum, sizeof(head.sum), "%06o", sum);
	put(packing, &head, BLOCK, Z_NO_FLUSH);
}

static void
put_entry(struct packing *packing, const struct listed *item)
{
	const size_t n = strlen(item->path);
	const bool folder = S_ISDIR(item->mode);
	const unsigned mode = folder || item->mode & 0111 ? 0755 : 0644;

	if (n > HEAD_NAME_BYTES) {
		put_head(packing, "././@LongLink", 'L', 0644, n + 1);
		put(packing, item->path, n + 1, Z_NO_FLUSH);
		fill_up(packing, n + 1);
	}
	put_head(packing, item->path, folder ? '5' : '0', mode,
		 folder ? 0 : (uint64_t)item->size);
}

/* ---- files ------------------------------------------------------------ */

/* As long as it was when it was looked at. */
static int
put_file(struct packing *packing, const char *path, uint64_t size)
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
		put(packing, bytes, (size_t)n, Z_NO_FLUSH);
		left -= (uint64_t)n;
	}
	free(bytes);
	if (fd >= 0)
		close(fd);
	fill_up(packing, size);
	return left > 0 || n < 0 ? -1 : 0;
}

static int
put_item(struct packing *packing, const char *folder, const struct listed *item,
	 struct error *why)
{
	char path[IMPORT_PATH_BYTES + BOT_PATH_BYTES];

	put_entry(packing, item);
	if (S_ISDIR(item->mode))
		return 0;
	snprintf(path, sizeof(path), "%s/%s", folder, item->path);
	if (S_ISREG(item->mode) &&
	    put_file(packing, path, (uint64_t)item->size) == 0)
		return 0;
	return error_set(why, ERROR_MACHINE, "cannot pack %s: %m", path);
}

static int
pack(const char *folder, struct text *to, struct error *why)
{
	static const char end[2 * BLOCK];
	struct packing packing = { .to = to };
	struct listing all = { NULL, 0 };
	int result = listing_read(folder, BOT_FILES, &all, why);

	if (deflateInit2(&packing.stream, LEVEL, Z_DEFLATED, GZIP_BITS, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		bug("out of memory");
	for (size_t i = 0; i < all.count && result == 0; i++)
		result = put_item(&packing, folder, &all.item[i], why);
	put(&packing, end, sizeof(end), Z_FINISH);
	(void)deflateEnd(&packing.stream);
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
	char bot[IMPORT_PATH_BYTES + 8];
	struct text packed;
	int fd = -1, result;

	snprintf(bot, sizeof(bot), "%s/bot", incoming->path);
	text_init(&packed, BOT_PACK_BYTES);
	result = pack(bot, &packed, why);
	if (result == 0)
		fd = openat(incoming->fd, SOURCE,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				    O_CLOEXEC,
			    0600);
	if (result == 0 &&
	    (fd < 0 || file_write(fd, packed.bytes, packed.used) < 0))
		result = error_set(why, ERROR_MACHINE,
				   "cannot write %s/" SOURCE ": %m",
				   incoming->path);
	if (fd >= 0)
		close(fd);
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

/* What lies there is what was imported, unless a build has changed it. */
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
