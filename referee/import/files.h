/* referee/import/files.h - copies the files of an imported bot from a
 * folder or an archive (tar, gzip or not) into a folder of ours.
 *
 * Only regular files and folders are copied: no link of either kind, device,
 * pipe or socket, no sparse file; no path that is absolute, has `..` or an
 * empty part, is given twice, or is not plain text in UTF-8.  Of a file's mode
 * only x is kept.  What is too large, too deep or too much is refused while it
 * is read, before it is written.  Each refusal is one sentence that names the
 * entry. */
#ifndef REFEREE_IMPORT_FILES_H
#define REFEREE_IMPORT_FILES_H

#include <stdbool.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/import/incoming.h"

/* Whether the disk of the folder `data` has room for all that an import may
 * make, and a reserve besides (UPLOAD_RESERVE_BYTES, UPLOAD_RESERVE_FILES). */
bool import_has_room(const char *data) MUST_CHECK;
#define IMPORT_NO_ROOM                                                         \
	"the referee's disk has no room for uploads; try again later"

/* Copies all files below `source`, a folder, or out of it, an archive, into the
 * folder `to`, which is there and empty.  The folder `data` is left out of a
 * folder, and `*without` says whether it was there.  An archive of one folder
 * alone with a manifest in it is taken for that folder.  -1 and a sentence. */
int import_files(const char *source, const char *data, const char *to,
		 bool *without, struct error *why) MUST_CHECK;

/* Likewise of a pack (pack.h), which may be larger than a bot that is sent in. */
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

/* Keeps the hash of what a build has made, PATH/bot, as PATH/built: likewise, but
 * of a link, `l`, where it leads to, and a NUL. */
int import_seal(const struct incoming *incoming, struct error *why) MUST_CHECK;
/* Whether the files of DATA/bots/HASH/bot are still those that were imported or
 * built.  It reads all of them.  -1 and a sentence. */
int import_check_seal(const char *data, const char *hash,
		      struct error *why) MUST_CHECK;

/* Copies what a build has left below `from`, whose processes are all dead, into
 * the folder `to`, which is there and empty.  Files come as those that are sent
 * in, each name of a hard link as a file of its own; symbolic links are kept if
 * they lead to what lies in the folder (SANDBOX_FOLDER) or in /usr, and never
 * followed.  Other links, pipes, sockets and devices are left out, with a line
 * for each in `left_out`.  -1 and a sentence: a path or a sum is not allowed.
 */
int import_built(int from, const char *to, struct text *left_out,
		 struct error *why) MUST_CHECK;

#endif
