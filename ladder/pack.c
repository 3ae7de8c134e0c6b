/* ladder/pack.c - reads and writes the format of packs: ustar, gzipped when
 * closed.
 *
 * Dates and owners are 0 in all members: a record has its own dates, and the
 * same records make the same bytes. */
#include "ladder/pack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define ZLIB_CONST /* zlib does not write to its input */
#include <zlib.h>

#include "ladder/durable.h"
#include "protocol/asks.h"
#include "protocol/file.h"
#include "protocol/gzip.h"

#define BLOCK PACK_BLOCK
#define ASKS_BEGIN "asks "
#define OPEN ".tar"
#define CLOSED ".tar.gz"
#define END_BLOCKS 2 /* blocks of zeros behind the last member */

/* For 256 records of Toepen with their asks, 1.8 MB, level 9 takes 85 ms and
 * gives 18.2 % of the size; level 6 takes 37 ms and gives 18.9 %. */
#define LEVEL 9
#define GZIP_BITS (15 + 16) /* the largest window, and a gzip header */
#define PART 65536	    /* bytes between two looks at `stop` */

/* ---- names ------------------------------------------------------------ */

void
pack_name(struct pack_range range, char name[PACK_NAME_BYTES])
{
	if (range.last == 0)
		snprintf(name, PACK_NAME_BYTES, "%08" PRId64 "-" OPEN,
			 range.first);
	else
		snprintf(name, PACK_NAME_BYTES,
			 "%08" PRId64 "-%08" PRId64 CLOSED, range.first,
			 range.last);
}

bool
pack_is_name(const char *file, struct pack_range *range)
{
	char name[PACK_NAME_BYTES];
	char *dash;

	*range = (struct pack_range){ 0 };
	if (file[0] < '0' || file[0] > '9')
		return false;
	range->first = strtoll(file, &dash, 10);
	if (dash[0] != '-')
		return false;
	if (dash[1] >= '0' && dash[1] <= '9') {
		range->last = strtoll(dash + 1, NULL, 10);
		if (range->last < range->first)
			return false;
	}
	pack_name(*range, name);
	return strcmp(name, file) == 0 && range->first >= 1 &&
	       range->first <= LADDER_SERIAL_MAX &&
	       range->last <= LADDER_SERIAL_MAX;
}

bool
pack_is_closed(const char *file)
{
	struct pack_range range;

	return pack_is_name(file, &range) && range.last > 0;
}

bool
pack_is_twin(const char *file, const char *next)
{
	struct pack_range open, closed;

	return pack_is_name(file, &open) && open.last == 0 &&
	       pack_is_name(next, &closed) && closed.last > 0 &&
	       open.first == closed.first;
}

size_t
pack_in_path(const char *path)
{
	const char *member = strrchr(path, '/');
	char name[PACK_NAME_BYTES];
	struct pack_range range;
	const char *pack = member;
	size_t n;

	if (member == NULL)
		return 0;
	while (pack > path && pack[-1] != '/')
		pack--;
	n = (size_t)(member - pack);
	if (n >= sizeof(name))
		return 0;
	memcpy(name, pack, n);
	name[n] = '\0';
	return pack_is_name(name, &range) ? (size_t)(member - path) : 0;
}

/* ---- members ---------------------------------------------------------- */

struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], date[12], sum[8];
	char kind, link[100], magic[6], version[2], user[32], group[32];
	char major[8], minor[8], prefix[155], unused[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "a tar file's header");

/* Returns the sum of the header's bytes, as if those of the sum were spaces. */
static unsigned
sum_of(const struct header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	unsigned sum = 0;

	for (size_t i = 0; i < sizeof(*header); i++)
		sum += i >= offsetof(struct header, sum) &&
				       i < offsetof(struct header, kind)
			       ? ' '
			       : bytes[i];
	return sum;
}

/* Reads an octal number that ends with the field, a space or a NUL. Returns
 * false if it is none. */
static bool
read_octal(const char *field, size_t n, uint64_t *number)
{
	size_t i;

	*number = 0;
	for (i = 0; i < n && field[i] >= '0' && field[i] <= '7'; i++)
		*number = *number * 8 + (unsigned)(field[i] - '0');
	return i > 0 && (i == n || field[i] == ' ' || field[i] == '\0');
}

static size_t
padded(size_t n)
{
	return (n + BLOCK - 1) / BLOCK * BLOCK;
}

/* Reads the header of a member of ours at `at`.  Returns false if there is no
 * such header. */
static bool
header_at(const struct text *tar, size_t at, struct pack_member *member)
{
	struct header header;
	uint64_t size, sum;

	if (tar->used - at < BLOCK)
		return false;
	memcpy(&header, tar->bytes + at, BLOCK);
	if (memchr(header.name, '\0', sizeof(member->name)) == NULL ||
	    memcmp(header.magic, "ustar", 5) != 0 ||
	    (header.kind != '0' && header.kind != '\0') ||
	    !read_octal(header.size, sizeof(header.size), &size) ||
	    !read_octal(header.sum, sizeof(header.sum), &sum) ||
	    sum != sum_of(&header) || size > RECORD_BYTES)
		return false;
	memcpy(member->name, header.name, sizeof(member->name));
	member->serial = ladder_file_serial(member->name, strlen(member->name),
					    &member->kind);
	member->bytes = tar->bytes + at + BLOCK;
	member->used = size;
	return member->serial != 0;
}

/* Does what pack_next() does, but does not check the contents of the member. */
static int
member_at(const struct text *tar, size_t *at, struct pack_member *member)
{
	if (*at == tar->used ||
	    (tar->used - *at >= BLOCK && tar->bytes[*at] == '\0'))
		return 0;
	if (!header_at(tar, *at, member) ||
	    padded(member->used) > tar->used - *at - BLOCK)
		return -1;
	*at += BLOCK + padded(member->used);
	return 1;
}

/* Returns true if the member has bytes, and no NULs among them.  Records have
 * none, but a file that a power cut tore may. */
static bool
is_whole(const struct pack_member *member)
{
	return member->used > 0 &&
	       memchr(member->bytes, '\0', member->used) == NULL;
}

int
pack_next(const struct text *tar, size_t *at, struct pack_member *member)
{
	const size_t begin = *at;
	int result = member_at(tar, at, member);

	if (result <= 0 || is_whole(member))
		return result;
	*at = begin;
	return -1;
}

/* Returns true if a block was written as a whole, as a part of a member's text,
 * or was never written. */
static bool
is_text(const char *block)
{
	const char *end = memchr(block, '\0', BLOCK);

	while (end != NULL && end < block + BLOCK && *end == '\0')
		end++;
	return end == NULL || end == block + BLOCK;
}

bool
pack_is_torn(const struct text *tar, size_t at)
{
	struct pack_member member;
	int result;

	while (tar->used - at >= BLOCK) {
		result = pack_next(tar, &at, &member);
		if (result > 0)
			continue;
		if (!is_text(tar->bytes + at) && !header_at(tar, at, &member))
			return false;
		at += BLOCK;
	}
	return true;
}

bool
pack_skip(const struct text *tar, size_t *at)
{
	struct pack_member member;
	size_t from = *at, next;

	while (tar->used - from > BLOCK) {
		from = next = from + BLOCK;
		if (pack_next(tar, &next, &member) > 0) {
			*at = from;
			return true;
		}
	}
	return false;
}

int
pack_next_open(const struct text *tar, size_t *at, struct pack_member *member,
	       bool *damaged)
{
	const int result = pack_next(tar, at, member);

	if (result > 0 || pack_is_torn(tar, *at))
		return result;
	*damaged = true;
	return pack_skip(tar, at) ? pack_next(tar, at, member) : -1;
}

/* Returns how many bytes asks have at `at`, where their header is damaged; 0 if these
 * are no asks.  A NUL ends their text. */
static size_t
headless_asks(const struct text *tar, size_t at)
{
	const char *text = tar->bytes + at + BLOCK;

	if (tar->used - at <= BLOCK + strlen(ASKS_BEGIN) ||
	    memcmp(text, ASKS_BEGIN, strlen(ASKS_BEGIN)) != 0)
		return 0;
	return BLOCK + padded(strnlen(text, tar->used - at - BLOCK));
}

/* Does what pack_last() does for a damaged end.  It walks from header to header.  What
 * is neither asks nor has a header is an entry. */
static int64_t
last_damaged(const struct text *tar, size_t at, int64_t last)
{
	struct pack_member member;
	bool headless = false;
	size_t asks;

	while (at < tar->used) {
		if (header_at(tar, at, &member)) {
			last = member.serial > last ? member.serial : last;
			at += BLOCK + padded(member.used);
			headless = false;
			continue;
		}
		asks = headless_asks(tar, at);
		headless = headless || asks == 0;
		at += asks == 0 ? BLOCK : asks;
	}
	return last + headless;
}

int64_t
pack_last(const struct text *tar, size_t at, int64_t last)
{
	struct pack_member member;
	bool damaged;
	int result;

	do {
		damaged = false;
		result = pack_next_open(tar, &at, &member, &damaged);
		if (result > 0 && member.serial > last)
			last = member.serial;
	} while (result > 0);
	return damaged ? last_damaged(tar, at, last) : last;
}

void
pack_header(struct text *tar, const char *name, char kind, unsigned mode,
	    uint64_t n)
{
	struct header header = { .uid = "0000000",
				 .gid = "0000000",
				 .date = "00000000000",
				 .kind = kind,
				 .magic = "ustar",
				 .version = { '0', '0' },
				 .major = "0000000",
				 .minor = "0000000" };

	memcpy(header.name, name, strnlen(name, sizeof(header.name)));
	snprintf(header.mode, sizeof(header.mode), "%07o", mode);
	snprintf(header.size, sizeof(header.size), "%011" PRIo64, n);
	snprintf(header.sum, sizeof(header.sum), "%06o", sum_of(&header));
	header.sum[7] = ' ';
	text_add(tar, &header, sizeof(header));
}

void
pack_add(struct text *tar, const char *name, const void *bytes, size_t n)
{
	static const char zeros[BLOCK];

	pack_header(tar, name, '0', 0644, n);
	text_add(tar, bytes, n);
	text_add(tar, zeros, padded(n) - n);
}

/* ---- the file --------------------------------------------------------- */

/* Unpacks a gzip file, which must consist of a single part. */
static int
unpack(const struct text *packed, struct text *tar)
{
	z_stream stream = { .next_in = (const unsigned char *)packed->bytes,
			    .avail_in = (uInt)packed->used };
	unsigned char part[65536];
	int result;

	if (inflateInit2(&stream, GZIP_BITS) != Z_OK)
		bug("out of memory");
	do {
		stream.next_out = part;
		stream.avail_out = sizeof(part);
		result = inflate(&stream, Z_NO_FLUSH);
		text_add(tar, part, sizeof(part) - stream.avail_out);
	} while (result == Z_OK && !tar->full);
	(void)inflateEnd(&stream);
	if (result == Z_STREAM_END && stream.avail_in == 0 && !tar->full)
		return 0;
	errno = EBADMSG;
	return -1;
}

/* Compresses a pack.  Returns false if it was stopped. */
static bool
pack_up(const struct text *tar, const atomic_bool *stop, struct text *packed)
{
	static const char end[END_BLOCKS * BLOCK];
	struct gzip *gzip = gzip_new(packed, LEVEL);
	bool stopped = false;
	size_t n;

	for (size_t at = 0; at < tar->used && !stopped; at += n) {
		n = tar->used - at < PART ? tar->used - at : PART;
		gzip_put(gzip, tar->bytes + at, n);
		stopped = stop != NULL && atomic_load(stop);
	}
	gzip_put(gzip, end, sizeof(end));
	gzip_end(gzip);
	return !stopped;
}

/* Opens the closed pack with the same first serial, for when the open one is
 * gone. */
static int
open_closed(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	struct pack_range wanted, range;
	struct dirent *entry;
	char *above;
	DIR *dir;
	int fd = -1;

	if (!pack_is_name(name, &wanted) || wanted.last != 0)
		return -1;
	above = formatted("%.*s", (int)(name - path), path);
	dir = opendir(above[0] == '\0' ? "." : above);
	free(above);
	while (dir != NULL && fd < 0 && (entry = readdir(dir)) != NULL)
		if (pack_is_name(entry->d_name, &range) &&
		    range.first == wanted.first && range.last > 0)
			fd = openat(dirfd(dir), entry->d_name,
				    O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (dir != NULL)
		closedir(dir);
	return fd;
}

static int
open_pack(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	fd = open_closed(path);
	if (fd < 0)
		errno = ENOENT;
	return fd;
}

static int
read_pack(int fd, struct text *tar)
{
	struct text packed = { .max = PACK_BYTES_MAX };
	struct stat st;
	int result;

	if (fstat(fd, &st) < 0)
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	result = file_read(fd, &packed);
	if (result == 0 && packed.full) {
		errno = EBADMSG;
		result = -1;
	}
	/* A gzip file begins with this byte, a tar file with a digit. */
	if (result == 0 && packed.used > 0 && packed.bytes[0] == '\x1f')
		result = unpack(&packed, tar);
	else if (result == 0)
		text_add(tar, packed.bytes, packed.used);
	text_release(&packed);
	return result;
}

int
pack_load(const char *path, struct text *tar)
{
	int fd = open_pack(path), result;

	if (fd < 0)
		return -1;
	tar->max = PACK_BYTES_MAX;
	result = read_pack(fd, tar);
	close_quietly(fd);
	return result;
}

int
pack_write(const char *path, const struct text *tar, const atomic_bool *stop)
{
	struct text packed = { .max = PACK_BYTES_MAX * 2 };
	int result = -1;

	errno = ECANCELED;
	if (pack_up(tar, stop, &packed))
		result = file_replace(path, ".tmp", 0644, packed.bytes,
				      packed.used);
	text_release(&packed);
	return result;
}

/* ---- one member ------------------------------------------------------- */

void
pack_cache_release(struct pack_cache *cache)
{
	free(cache->path);
	text_release(&cache->tar);
	*cache = (struct pack_cache){ 0 };
}

/* Returns true for an open pack, whose last member may be half written. */
static bool
is_open(const char *path)
{
	const size_t n = strlen(path), end = strlen(OPEN);

	return n >= end && strcmp(path + n - end, OPEN) == 0;
}

/* Does what member_at() does, but passes over a damaged part of an open pack. */
static int
next_in(struct pack_cache *cache, struct pack_member *member)
{
	const int result = member_at(&cache->tar, &cache->at, member);

	if (result > 0 || !is_open(cache->path) ||
	    pack_is_torn(&cache->tar, cache->at) ||
	    !pack_skip(&cache->tar, &cache->at))
		return result;
	return member_at(&cache->tar, &cache->at, member);
}

/* Searches a member behind the last one, then from the beginning.  Returns 0;
 * or -1 and errno if the pack, or the sound part of a damaged one, does not
 * have it. */
static int
find_member(struct pack_cache *cache, const char *name,
	    struct pack_member *member)
{
	const size_t begin = cache->at;
	int result;

	while ((result = next_in(cache, member)) > 0)
		if (strcmp(member->name, name) == 0)
			return 0;
	errno = result < 0 ? EBADMSG : ENOENT;
	cache->at = 0;
	while (cache->at < begin && next_in(cache, member) > 0)
		if (strcmp(member->name, name) == 0)
			return 0;
	cache->at = 0;
	return -1;
}

/* Loads the pack unless it is the one in the cache, and finds a member.  An
 * open pack in the cache is loaded again if it lacks the member, which may have
 * come since. */
static int
look_up(struct pack_cache *cache, const char *path, size_t n,
	struct pack_member *member)
{
	const char *name = path + n + 1;

	if (cache->path != NULL && strncmp(cache->path, path, n) == 0 &&
	    cache->path[n] == '\0') {
		if (find_member(cache, name, member) == 0)
			return 0;
		if (!is_open(cache->path))
			return -1;
	}
	pack_cache_release(cache);
	cache->path = formatted("%.*s", (int)n, path);
	if (pack_load(cache->path, &cache->tar) < 0) {
		pack_cache_release(cache);
		return -1;
	}
	if (find_member(cache, name, member) == 0)
		return 0;
	if (is_open(cache->path))
		errno = ENOENT;
	return -1;
}

/* Loads a member.  The first `n` bytes of `path` are the path of the pack. */
static int
load_member(struct pack_cache *cache, const char *path, size_t n,
	    struct text *text)
{
	struct pack_cache own = { 0 };
	struct pack_member member;
	int result;

	result = look_up(cache != NULL ? cache : &own, path, n, &member);
	if (result == 0 && !is_whole(&member)) {
		errno = EBADMSG;
		result = -1;
	}
	if (result == 0)
		text_add(text, member.bytes, member.used);
	pack_cache_release(&own);
	return result;
}

int
packed_load(struct pack_cache *cache, const char *path, struct text *text)
{
	const size_t n = pack_in_path(path);

	return n == 0 ? file_load(path, text)
		      : load_member(cache, path, n, text);
}

enum error_kind
packed_kind(int error)
{
	return error == EBADMSG ? ERROR_INPUT : path_kind(error);
}

int
packed_load_regular(struct pack_cache *cache, const char *path,
		    struct text *text)
{
	const size_t n = pack_in_path(path);

	return n == 0 ? file_load_regular(path, text)
		      : load_member(cache, path, n, text);
}

int
packed_record(struct pack_cache *cache, const char *path,
	      struct record **record, struct error *why)
{
	struct text text = { .max = RECORD_BYTES };
	struct error sentence;
	int result = -1;

	if (pack_in_path(path) == 0)
		return record_read(path, record, why);
	*record = NULL;
	if (packed_load(cache, path, &text) < 0)
		error_set(why, packed_kind(errno), "%.200s: cannot read it: %s",
			  path,
			  errno == EBADMSG ? "the pack is damaged"
					   : strerror(errno));
	else
		result = record_parse(text.bytes, text.used, record, &sentence);
	if (result < 0 && text.used > 0)
		error_set(why, ERROR_INPUT, "%.200s:%.300s", path,
			  sentence.text);
	text_release(&text);
	return result;
}

static bool
has_member(const char *path)
{
	struct text text = { .max = RECORD_BYTES };
	bool found = packed_load(NULL, path, &text) == 0;

	text_release(&text);
	return found;
}

static bool
may_have(const struct pack_range *range, int64_t serial)
{
	return range->first <= serial &&
	       (range->last == 0 || serial <= range->last);
}

/* Two ladders may keep their records in one folder.  A pack is read only if
 * more than one may have the record. */
bool
packed_find(const char *dir, const char *name, char path[LADDER_PATH_BYTES])
{
	enum entry_kind kind;
	const int64_t serial = ladder_file_serial(name, strlen(name), &kind);
	const int room =
		LADDER_PATH_BYTES - LADDER_FILE_BYTES - PACK_NAME_BYTES - 4;
	char through[LADDER_PATH_BYTES];
	struct pack_range range;
	struct dirent *entry;
	bool found = false;
	DIR *folder;

	snprintf(path, LADDER_PATH_BYTES, "%.*s/%.*s", room, dir,
		 LADDER_FILE_BYTES, name);
	if (access(path, F_OK) == 0)
		return true;
	if (serial == 0 || (folder = opendir(dir)) == NULL)
		return false;
	while ((entry = readdir(folder)) != NULL) {
		if (!pack_is_name(entry->d_name, &range) ||
		    !may_have(&range, serial) || (found && has_member(path)))
			continue;
		snprintf(through, sizeof(through), "%.*s/%.*s/%.*s", room, dir,
			 PACK_NAME_BYTES, entry->d_name, LADDER_FILE_BYTES,
			 name);
		memcpy(path, through, sizeof(through));
		found = true;
	}
	closedir(folder);
	return found;
}
