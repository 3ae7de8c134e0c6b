/* ladder/pack.h - many records in one file.
 *
 * RECORD.md, «Packs», describes it for people.  A pack is a tar file (ustar): the
 * open one, FIRST-.tar, grows member by member and has no end; a closed one,
 * FIRST-LAST.tar.gz, is compressed as a whole.  Its members are records,
 * SERIAL-ID.rec, and behind each its asks, SERIAL-ID.asks, if there are any; and
 * other entries of the log (ladder_file_name()).
 *
 * A record's path may go through a pack: DIR/FIRST-LAST.tar.gz/SERIAL-ID.rec. */
#ifndef LADDER_PACK_H
#define LADDER_PACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "protocol/util.h"

/* When a pack is closed: RECORD.md, "Packs". */
#define PACK_RECORDS 256   /* it has so many records, */
#define PACK_BYTES 4194304 /* or is so long, before it is compressed, */
#define PACK_SECONDS 86400 /* or a game ended so long after its first one */

#define PACK_BLOCK 512	   /* of a tar file */
#define PACK_NAME_BYTES 64 /* a pack's file name and a NUL */
/* Unpacked: the last member may pass PACK_BYTES, and each has a header. */
#define PACK_BYTES_MAX                                                         \
	(PACK_BYTES + RECORD_BYTES + ASKS_BYTES + PACK_RECORDS * 4096)

/* ---- names ------------------------------------------------------------ */

struct pack_range {
	int64_t first, last; /* serials; last 0: the pack is open */
};

/* Whether a file's name, without its folder, is a pack's. */
bool pack_is_name(const char *file, struct pack_range *range);
/* Returns true if it is that of a closed pack. */
bool pack_is_closed(const char *file);
/* Whether the first is an open pack, and the second what it is called now that it
 * is closed: both may be there for a while, and then the closed one counts.  In
 * the order of names it comes next. */
bool pack_is_twin(const char *file, const char *next);
void pack_name(struct pack_range range, char name[PACK_NAME_BYTES]);
/* Of DIR/PACK/MEMBER how many bytes DIR/PACK has; 0: it is another file's path.
 * By the words alone. */
size_t pack_in_path(const char *path);

/* ---- a whole pack ----------------------------------------------------- */

/* Adds the whole pack, unpacked, to `tar`, whose `max` is set to PACK_BYTES_MAX.
 * An open one that was closed meanwhile is found as the closed one.  0, or -1
 * and errno; EBADMSG: it is damaged, EINVAL: no file. */
int pack_load(const char *path, struct text *tar) MUST_CHECK;

struct pack_member {
	char name[LADDER_FILE_BYTES + 1];
	int64_t serial;
	enum entry_kind kind;
	const char *bytes; /* borrowed from the pack */
	size_t used;
};

/* The member at `*at`, which moves behind it: 1.  0: the end; -1: a torn member,
 * or none of ours.  From 0 on. */
int pack_next(const struct text *tar, size_t *at,
	      struct pack_member *member) MUST_CHECK;
/* The header of a member of a tar file, of PACK_BLOCK bytes: its name, cut to 100
 * bytes, its kind by tar's letter, its mode, and how many bytes follow. */
void pack_header(struct text *tar, const char *name, char kind, unsigned mode,
		 uint64_t n);
/* Behind the others. */
void pack_add(struct text *tar, const char *name, const void *bytes, size_t n);
/* The members in `tar` as a closed pack at `path`, in place of what is there:
 * 0, or -1 and errno.  It is never there in part; `path` + ".tmp" may be, after
 * a cut, and is written over.  `stop`, or NULL: as soon as it is true the rest is
 * left, ECANCELED. */
int pack_write(const char *path, const struct text *tar,
	       const atomic_bool *stop) MUST_CHECK;

/* ---- reading a record or its asks, packed or not ---------------------- */

/* The last pack, for who reads in order; zeroed it is empty. */
struct pack_cache {
	char *path; /* owned */
	struct text tar;
	size_t at; /* behind the last member that was read */
};

void pack_cache_release(struct pack_cache *cache);

/* Like file_load().  `cache` may be NULL.  ENOENT: no such member. */
int packed_load(struct pack_cache *cache, const char *path,
		struct text *text) MUST_CHECK;
/* Likewise; where it is no pack, like file_load_regular(). */
int packed_load_regular(struct pack_cache *cache, const char *path,
			struct text *text) MUST_CHECK;
/* Like record_read(). */
int packed_record(struct pack_cache *cache, const char *path,
		  struct record **record, struct error *why) MUST_CHECK;
/* The path of the record with this file name, in the folder or a pack there,
 * by the names of both.  False: it is in neither, and the path is DIR/NAME. */
bool packed_find(const char *dir, const char *name,
		 char path[LADDER_PATH_BYTES]);

#endif
