/* referee/records/record-walk.c - see record-walk.h. */
#include "referee/records/record-walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ladder/folder.h"

static int PRINTF_LIKE(4, 5)
	tell(const struct record_walk *walk, enum walk_trouble trouble,
	     enum error_kind kind, const char *fmt, ...)
{
	struct error why;
	va_list ap;

	va_start(ap, fmt);
	error_vset(&why, kind, fmt, ap);
	va_end(ap);
	return walk->trouble(walk->arg, trouble, &why);
}

static int
tell_unread(const struct record_walk *walk, const char *path, int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return tell(walk, WALK_UNREAD, ERROR_INPUT, "%s: no such file",
			    path);
	case EINVAL:
		return tell(walk, WALK_UNREAD, ERROR_INPUT, "%s: not a file",
			    path);
	case EBADMSG:
		return tell(walk, WALK_UNREAD, ERROR_ANSWER,
			    "%s: the pack is damaged", path);
	default:
		return tell(walk, WALK_UNREAD, ERROR_MACHINE,
			    "%s: cannot read it: %s", path, strerror(error));
	}
}

/* ---- a record, a pack ------------------------------------------------- */

static int
walk_record(const struct record_walk *walk, const char *path)
{
	struct text text = { .max = RECORD_BYTES };
	int result;

	if (packed_load(walk->cache, path, &text) < 0)
		result = tell_unread(walk, path, errno);
	else if (text.full)
		result = tell(walk, WALK_UNREAD, ERROR_INPUT,
			      "%s: a record has at most %d bytes", path,
			      RECORD_BYTES);
	else
		result = walk->record(walk->arg, path, &text);
	text_release(&text);
	return result;
}

/* Ends a pack; `next` is the serial that a closed one must have next. */
static int
end_pack(const struct record_walk *walk, const char *path,
	 const struct pack_range *range, bool torn, int64_t next)
{
	if (torn && range->last > 0)
		return tell_unread(walk, path, EBADMSG);
	if (torn)
		return tell(walk, WALK_TORN, ERROR_NONE,
			    "%s: its last record is not whole", path);
	if (next <= range->last)
		return tell(walk, WALK_LACKS, ERROR_ANSWER,
			    "%s: it has no record of serial %lld", path,
			    (long long)next);
	return 0;
}

/* Reads a pack, and as much as possible of a damaged one. */
static int
walk_pack(const struct record_walk *walk, const char *path,
	  const struct pack_range *range)
{
	struct pack_member member;
	int64_t next = range->first;
	struct text tar = { 0 };
	const int error = pack_load(path, &tar) < 0 ? errno : 0;
	int result = 0, left = 0;
	bool damaged = false;
	size_t at = 0;
	char *name;

	if (error != 0 && error != EBADMSG) {
		text_release(&tar);
		return tell_unread(walk, path, error);
	}
	while (result == 0 &&
	       (left = range->last > 0 ? pack_next(&tar, &at, &member)
				       : pack_next_open(&tar, &at, &member,
							&damaged)) > 0) {
		if (member.kind == ENTRY_ASKS)
			continue;
		next += member.serial == next;
		if (member.kind != ENTRY_GAME)
			continue;
		name = formatted("%s/%s", path, member.name);
		result = walk->record(
			walk->arg, name,
			&(struct text){ .bytes =
						(char *)(uintptr_t)member.bytes,
					.used = member.used });
		free(name);
	}
	if (result == 0 && damaged)
		result = tell_unread(walk, path, EBADMSG);
	else if (result == 0)
		result = end_pack(walk, path, range, error != 0 || left < 0,
				  next);
	text_release(&tar);
	return result;
}

/* ---- a folder --------------------------------------------------------- */

static bool
is_pack(const char *path, struct pack_range *range)
{
	const char *slash = strrchr(path, '/');

	return pack_is_name(slash == NULL ? path : slash + 1, range);
}

static int
is_wanted(const struct dirent *entry)
{
	struct pack_range range;

	return (entry->d_name[0] != '.' &&
		folder_ends_in(entry->d_name, ".rec")) ||
	       pack_is_name(entry->d_name, &range);
}

static int
walk_file(const struct record_walk *walk, const char *path, bool pipes)
{
	struct pack_range range;
	struct stat about;

	if (is_pack(path, &range))
		return walk_pack(walk, path, &range);
	if (!pipes && stat(path, &about) == 0 && !S_ISREG(about.st_mode))
		return tell_unread(walk, path, EINVAL);
	return walk_record(walk, path);
}

static int
walk_folder(const struct record_walk *walk, const char *path)
{
	const size_t n = strlen(path);
	struct dirent **entry;
	int entries = scandir(path, &entry, is_wanted, alphasort), i;
	int result = 0;
	char *name;

	if (entries < 0)
		return tell_unread(walk, path, errno);
	if (entries == 0)
		result = tell(walk, WALK_LACKS, ERROR_INPUT,
			      "%s: there is no *.rec file and no pack in this "
			      "folder",
			      path);
	for (i = 0; i < entries; i++) {
		name = formatted("%s%s%s", path, path[n - 1] == '/' ? "" : "/",
				 entry[i]->d_name);
		if (result == 0 &&
		    (i + 1 == entries ||
		     !pack_is_twin(entry[i]->d_name, entry[i + 1]->d_name)))
			result = walk_file(walk, name, false);
		free(name);
		free(entry[i]);
	}
	free(entry);
	return result;
}

static bool
is_folder(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

int
record_walk(const struct record_walk *walk, const char *path)
{
	return is_folder(path) ? walk_folder(walk, path)
			       : walk_file(walk, path, walk->pipes);
}

bool
record_walk_is_many(const char *path)
{
	struct pack_range range;

	return is_pack(path, &range) || is_folder(path);
}
