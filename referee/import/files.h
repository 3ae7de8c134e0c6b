/* referee/import/files.h - copies the files of an imported bot from a
 * folder or an archive (tar, gzip or not) into a folder of ours.
 *
 * Only regular files and folders are copied: no link of either kind, device,
 * pipe or socket, no sparse file; no path that is absolute, has `..` or an
 * empty part, is given twice, or is not plain text in UTF-8.  Of a file's mode
 * only x is kept.  Entries that are too large, too deep or too many are refused
 * while they are read, before they are written.  Each refusal is one sentence
 * that names the entry. */
#ifndef REFEREE_IMPORT_FILES_H
#define REFEREE_IMPORT_FILES_H

#include <stdbool.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/import/incoming.h"

/* Returns true if the disk of the folder `data` has room for all that an import
 * may make and a reserve (UPLOAD_RESERVE_BYTES, UPLOAD_RESERVE_FILES). */
bool import_has_room(const char *data) MUST_CHECK;
/* Returns true if there is room for one import more. */
bool import_has_much_room(const char *data) MUST_CHECK;
#define IMPORT_NO_ROOM                                                         \
	"the referee's disk has no room for uploads: each needs 1088 MiB and " \
	"32000 files that are free; the organiser makes room, so try again "   \
	"later"

/* Copies all files of `source`, a folder or an archive, into the existing,
 * empty folder `to`.  Leaves out the folder `data` and sets `*without` to true
 * if it was there.  An archive that holds only one folder with a manifest is
 * taken for that folder.  Returns 0, or -1 and a sentence. */
int import_files(const char *source, const char *data, const char *to,
		 bool *without, struct error *why) MUST_CHECK;

/* Copies the files of a pack (pack.h), which may be larger than a bot that is
 * sent in.  Returns 0, or -1 and a sentence. */
int import_unpack(const char *source, const char *to,
		  struct error *why) MUST_CHECK;

/* The hash of what lies in `folder`, whose files import_files() has put there:
 * BLAKE2b-256, in lower-case hex, over each file and folder in the order of
 * their paths' bytes:
 *
 *	the path, from the folder on, and a NUL
 *	`d` for a folder; `f` for a file, `x` for one that may be executed
 *	of a file, its size as eight bytes, the lowest first, and its bytes
 */
int import_hash(const char *folder, char hash[ROSTER_CONTENT_BYTES + 1],
		struct error *why) MUST_CHECK;

/* Keeps the hash of a build's result, PATH/bot, as PATH/built.  It is made in
 * the same way; for a link it covers `l`, its target, and a NUL. Returns 0, or
 * -1 and a sentence. */
int import_seal(const struct incoming *incoming, struct error *why) MUST_CHECK;
/* Checks that the files of DATA/bots/HASH/bot are still those that were
 * imported or built.  Reads all of them.  Returns 0, or -1 and a sentence. */
int import_check_seal(const char *data, const char *hash,
		      struct error *why) MUST_CHECK;

/* Copies the result of a build, whose processes are all dead, from `from` into
 * the existing, empty folder `to`.  The rules are those for files that are sent
 * in.  Each name of a hard link becomes a file of its own.  Symbolic links into
 * the folder (SANDBOX_FOLDER) or /usr are kept and never followed.  Other
 * links, pipes, sockets and devices are left out, with a line for each in
 * `left_out`.  Returns 0; or -1 and a sentence if a path or a sum is not
 * allowed. */
int import_built(int from, const char *to, struct text *left_out,
		 struct error *why) MUST_CHECK;

#endif
