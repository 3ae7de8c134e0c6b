/* ladder/pack.h - reads and writes packs, which hold many records in one file.
 *
 * RECORD.md, «Packs», describes them for people.  A pack is a tar file (ustar):
 * the open one, FIRST-.tar, grows member by member and has no end; a closed
 * one, FIRST-LAST.tar.gz, is compressed as a whole.  Its members are records,
 * SERIAL-ID.rec, and behind each its asks, SERIAL-ID.asks, if there are any;
 * and other entries of the log (ladder_file_name()).
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

/* A pack is closed when it reaches one of these limits (RECORD.md, "Packs"). */
#define PACK_RECORDS 256   /* records */
#define PACK_BYTES 4194304 /* bytes before compression */
#define PACK_SECONDS 86400 /* from its first game's end to a later one's */

#define PACK_BLOCK 512	   /* bytes of a block of a tar file */
#define PACK_NAME_BYTES 64 /* a pack's file name and a NUL */
/* The most bytes of an unpacked pack: the last member may pass PACK_BYTES, and
 * each member has a header. */
#define PACK_BYTES_MAX                                                         \
	(PACK_BYTES + RECORD_BYTES + ASKS_BYTES + PACK_RECORDS * 4096)

/* ---- names ------------------------------------------------------------ */

struct pack_range {
	int64_t first, last; /* serials; last 0: the pack is open */
};

/* Returns true and sets `*range` if a file's name, without its folder, is that
 * of a pack. */
bool pack_is_name(const char *file, struct pack_range *range);
/* Returns true if the name is that of a closed pack. */
bool pack_is_closed(const char *file);
/* Returns true if `file` is the name of an open pack, and `next` that of the
 * same pack closed.  Both may be there for a while, with the same entries.  In the
 * order of names the closed one comes next. */
bool pack_is_twin(const char *file, const char *next);
void pack_name(struct pack_range range, char name[PACK_NAME_BYTES]);
/* Returns how many bytes of DIR/PACK/MEMBER are DIR/PACK; 0 if it is the path
 * of another file.  Looks only at the text of the path. */
size_t pack_in_path(const char *path);

/* ---- a whole pack ----------------------------------------------------- */

/* Adds the whole pack, unpacked, to `tar`, and sets tar->max to PACK_BYTES_MAX.
 * If an open pack was closed meanwhile, loads the closed one.  Returns 0, or -1
 * and errno: EBADMSG if the pack is damaged, EINVAL if it is not a file. */
int pack_load(const char *path, struct text *tar) MUST_CHECK;

struct pack_member {
	char name[LADDER_FILE_BYTES + 1];
	int64_t serial;
	enum entry_kind kind;
	const char *bytes; /* borrowed from the pack */
	size_t used;
};

/* Reads the member at `*at`, which begins with 0, and moves `*at` behind it.
 * Returns 1; 0 at the end; -1 for a torn member, or one that is not ours. */
int pack_next(const struct text *tar, size_t *at,
	      struct pack_member *member) MUST_CHECK;
/* Returns true if a power cut can have left the bytes of an open pack from `at`
 * on, where pack_next() finds no member: each sector of them was written as a
 * whole, or has only zeros because it was never written.  A kill leaves such
 * bytes, too. */
bool pack_is_torn(const struct text *tar, size_t at);
/* Moves `*at`, where pack_next() finds no member, to the next whole member.
 * Returns false if none follows. */
bool pack_skip(const struct text *tar, size_t *at);
/* Does what pack_next() does for an open pack, but passes over a damaged part
 * and sets `*damaged` to true.  Ends at a part that a power cut can have left. */
int pack_next_open(const struct text *tar, size_t *at,
		   struct pack_member *member, bool *damaged) MUST_CHECK;
/* Returns the serial of the last entry of an open pack at `at` or behind, also of a
 * damaged one; without any, `last`, the serial of the entry before.  A damaged end
 * is an entry unless all of it is seen to be asks; it is several if their headers, or
 * those of their asks, tell it. */
int64_t pack_last(const struct text *tar, size_t at, int64_t last);
/* Appends the header of a member of a tar file, PACK_BLOCK bytes: the name, cut
 * to 100 bytes; the kind, a letter of tar's; the mode; and how many bytes
 * follow. */
void pack_header(struct text *tar, const char *name, char kind, unsigned mode,
		 uint64_t n);
/* Appends a member. */
void pack_add(struct text *tar, const char *name, const void *bytes, size_t n);
/* Writes the members in `tar` as a closed pack at `path`, in place of what is
 * there.  Returns 0, or -1 and errno.  The pack is never there in part.  After
 * a power cut `path` + ".tmp" may be there in part; the next call overwrites
 * it.  Gives up with ECANCELED as soon as `*stop` is true; `stop` may be NULL. */
int pack_write(const char *path, const struct text *tar,
	       const atomic_bool *stop) MUST_CHECK;

/* ---- reading a record or its asks, packed or not ---------------------- */

/* The last pack that was unpacked, for reading in order; empty when zeroed. */
struct pack_cache {
	char *path; /* owned */
	struct text tar;
	size_t at; /* behind the last member that was read */
};

void pack_cache_release(struct pack_cache *cache);

/* Does what file_load() does, also for a path through a pack.  `cache` may be
 * NULL. The errno is ENOENT if there is no such member. */
int packed_load(struct pack_cache *cache, const char *path,
		struct text *text) MUST_CHECK;
/* Returns the kind of the errno of packed_load() and packed_load_regular():
 * ERROR_INPUT if the path is to blame or the pack is damaged, else
 * ERROR_MACHINE. */
enum error_kind packed_kind(int error);
/* Does what packed_load() does, but uses file_load_regular() for a path that
 * goes through no pack. */
int packed_load_regular(struct pack_cache *cache, const char *path,
			struct text *text) MUST_CHECK;
/* Does what record_read() does, also for a path through a pack. */
int packed_record(struct pack_cache *cache, const char *path,
		  struct record **record, struct error *why) MUST_CHECK;
/* Finds the path of the record with this file name, in the folder or in a pack
 * there, by the names of both.  Returns false if it is in neither; then the
 * path is DIR/NAME. */
bool packed_find(const char *dir, const char *name,
		 char path[LADDER_PATH_BYTES]);

#endif
