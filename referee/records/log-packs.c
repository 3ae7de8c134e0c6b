/* referee/records/log-packs.c - see log-packs.h. */
#include "referee/records/log-packs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/pack.h"
#include "protocol/asks.h"
#include "protocol/date.h"
#include "protocol/file.h"
#include "referee/base/thread.h"

#define CLOSER_NICE 10 /* gives way to games */

struct packs {
	struct ladder_log log; /* first member */
	char *dir;	       /* owned */
	int dir_fd;
	int64_t folder;	   /* number of `dir` in the ladder */
	int64_t elsewhere; /* serial up to which another log has the entries */
	struct thread *closer;
	atomic_bool stop; /* ends the closing of packs */
	/* The open pack. */
	int fd;	       /* -1: there is none */
	int64_t first; /* its first serial */
	char name[PACK_NAME_BYTES];
	int64_t begun; /* end time of that entry; -1: unknown */
	size_t bytes;  /* durable bytes */
	unsigned records;
	bool torn; /* the file may have more bytes than that */
};

/* ---- closing ---------------------------------------------------------- */

struct closing {
	struct thread_task waits; /* first member */
	int64_t first;
};

/* The whole members of an open pack, up to the first that is not whole. */
struct contents {
	char *path; /* the pack's */
	struct text tar;
	size_t end; /* end of the whole members */
	unsigned records;
	bool mine; /* the first entry belongs to this ladder, or a damaged one */
	int64_t last; /* serial of the last; that before the pack if there is none */
	int64_t begun;
};

/* Returns the time of an entry, for a game that of its end, by its first lines;
 * -1 if they do not say it. */
static int64_t
ended_of(const char *bytes, size_t n)
{
	static const char *const keys[] = { "\nended ", "\ndate " };
	const char *line = NULL;
	char date[DATE_BYTES];

	for (size_t i = 0; i < NELEM(keys) && line == NULL; i++) {
		line = memmem(bytes, n, keys[i], strlen(keys[i]));
		line = line == NULL ? NULL : line + strlen(keys[i]);
	}
	if (line == NULL || n - (size_t)(line - bytes) < sizeof(date))
		return -1;
	snprintf(date, sizeof(date), "%.*s", (int)sizeof(date) - 1, line);
	return date_read(date);
}

/* Writes the path of a pack, which the caller frees. */
static char *
path_of(const struct packs *packs, int64_t first, int64_t last)
{
	char name[PACK_NAME_BYTES];

	pack_name((struct pack_range){ first, last }, name);
	return formatted("%s/%s", packs->dir, name);
}

static int
look_into(const struct packs *packs, int64_t first, struct contents *contents)
{
	struct pack_member member;
	char line[ID_BYTES + 16];

	snprintf(line, sizeof(line), "\nladder %s\n",
		 ladder_id(packs->log.ladder));
	*contents = (struct contents){ .path = path_of(packs, first, 0),
				       .last = first - 1,
				       .begun = -1 };
	if (pack_load(contents->path, &contents->tar) < 0)
		return -1;
	while (pack_next(&contents->tar, &contents->end, &member) > 0) {
		if (contents->records == 0) {
			contents->begun = ended_of(member.bytes, member.used);
			contents->mine = memmem(member.bytes, member.used, line,
						strlen(line)) != NULL;
		}
		contents->records += member.kind != ENTRY_ASKS;
		contents->last = member.serial;
	}
	if (contents->records == 0 && contents->tar.used > 0)
		contents->mine = memmem(contents->tar.bytes, contents->tar.used,
					line, strlen(line)) != NULL;
	return 0;
}

static void
contents_release(struct contents *contents)
{
	text_release(&contents->tar);
	free(contents->path);
}

/* Returns true if the closed pack has the same bytes, before the end of a tar
 * file. */
static bool
is_twin(const char *closed, const struct contents *open)
{
	struct text tar = { 0 };
	bool same = pack_load(closed, &tar) == 0 && tar.used >= open->end &&
		    memcmp(tar.bytes, open->tar.bytes, open->end) == 0;

	text_release(&tar);
	return same;
}

/* Returns true if a whole member follows behind the first that is not whole. */
static bool
has_more(const struct contents *contents)
{
	size_t at = contents->end;

	return pack_skip(&contents->tar, &at);
}

/* Returns true if the file has just these bytes. */
static bool
is_copy(const char *path, const struct text *bytes)
{
	struct text there = { .max = PACK_BYTES_MAX };
	bool same = file_load_regular(path, &there) == 0 &&
		    there.used == bytes->used &&
		    memcmp(there.bytes, bytes->bytes, there.used) == 0;

	text_release(&there);
	return same;
}

/* Copies a pack before a part of it is removed: to FIRST-.tar.damaged, or, if
 * that is a copy of other bytes, to FIRST-.tar.damaged.2 and so on.  Returns the
 * path of the copy, which the caller frees, or NULL and errno. */
static char *
keep_copy(const struct contents *contents)
{
	char *copy = formatted("%s.damaged", contents->path);
	unsigned n = 1;

	while (file_make(copy, 0644, contents->tar.bytes, contents->tar.used) <
	       0) {
		const int error = errno;

		if (error == EEXIST && is_copy(copy, &contents->tar))
			break;
		free(copy);
		if (error != EEXIST) {
			errno = error;
			return NULL;
		}
		copy = formatted("%s.damaged.%u", contents->path, ++n);
	}
	return copy;
}

/* Closes a pack that is whole.  A failure leaves the open one, which is as good. */
static void
close_pack(const struct packs *packs, int64_t first)
{
	struct contents contents;
	char *closed;

	if (look_into(packs, first, &contents) == 0 && contents.records > 0 &&
	    contents.end == contents.tar.used) {
		closed = path_of(packs, first, contents.last);
		if (access(closed, F_OK) == 0
			    ? is_twin(closed, &contents)
			    : pack_write(closed, &contents.tar, &packs->stop) ==
				      0)
			(void)unlink(contents.path);
		free(closed);
	}
	contents_release(&contents);
}

/* Runs in the thread. */
static void
close_packs(void *arg, struct thread_task *jobs)
{
	const struct packs *packs = arg;
	struct thread_task *next;

	/* On Linux this affects only the thread. */
	(void)setpriority(PRIO_PROCESS, 0, CLOSER_NICE);
	for (; jobs != NULL; jobs = next) {
		next = jobs->next;
		if (!atomic_load(&packs->stop))
			close_pack(packs, ((struct closing *)jobs)->first);
		free(jobs);
	}
}

static void
ask_to_close(struct packs *packs, int64_t first)
{
	struct closing *closing = zeroed(1, sizeof(*closing));

	closing->first = first;
	thread_ask(packs->closer, &closing->waits);
}

/* ---- the open pack ---------------------------------------------------- */

static void
name_pack(struct packs *packs, int64_t first)
{
	packs->first = first;
	pack_name((struct pack_range){ .first = first }, packs->name);
}

static int
complain(const struct packs *packs, struct error *why)
{
	return error_set(why, ERROR_MACHINE,
			 "cannot write the records in %s/%s: %m", packs->dir,
			 packs->name);
}

static bool
is_full(unsigned records, size_t bytes)
{
	return records >= PACK_RECORDS || bytes >= PACK_BYTES;
}

static void
leave_pack(struct packs *packs)
{
	close_quietly(packs->fd);
	packs->fd = -1;
	packs->bytes = 0;
	packs->records = 0;
	packs->torn = false;
}

static void
end_pack(struct packs *packs)
{
	leave_pack(packs);
	ask_to_close(packs, packs->first);
}

/* Makes the file of a new pack and syncs its name. */
static int
make_pack(struct packs *packs)
{
	packs->fd = openat(packs->dir_fd, packs->name,
			   O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC |
				   O_NOFOLLOW | O_NONBLOCK,
			   0644);
	packs->torn = packs->fd >= 0;
	return packs->fd < 0 || fchmod(packs->fd, 0644) < 0
		       ? -1
		       : folder_sync(packs->dir_fd);
}

static int
write_bytes(struct packs *packs, const struct text *bytes)
{
	if (packs->fd < 0 && make_pack(packs) < 0)
		return -1;
	packs->torn = true;
	if (file_write(packs->fd, bytes->bytes, bytes->used) < 0 ||
	    fdatasync(packs->fd) < 0)
		return -1;
	packs->bytes += bytes->used;
	packs->torn = false;
	return 0;
}

/* Removes what may stand behind the last entry, and a pack without an entry. */
static int
mend(struct packs *packs)
{
	if (!packs->torn)
		return 0;
	if (ftruncate(packs->fd, (off_t)packs->bytes) < 0 ||
	    fdatasync(packs->fd) < 0)
		return -1;
	if (packs->bytes == 0 &&
	    ((unlinkat(packs->dir_fd, packs->name, 0) < 0 && errno != ENOENT) ||
	     folder_sync(packs->dir_fd) < 0))
		return -1;
	if (packs->bytes == 0)
		leave_pack(packs);
	packs->torn = false;
	return 0;
}

/* Returns true if the pack is still ours: it was not moved away, replaced or
 * changed by someone else. */
static bool
is_ours(const struct packs *packs)
{
	struct stat open, named;

	return fstat(packs->fd, &open) == 0 &&
	       fstatat(packs->dir_fd, packs->name, &named,
		       AT_SYMLINK_NOFOLLOW) == 0 &&
	       open.st_dev == named.st_dev && open.st_ino == named.st_ino &&
	       open.st_size == (off_t)packs->bytes;
}

/* ---- appending -------------------------------------------------------- */

/* Returns true if an entry is too late for this pack.  Only closed packs are
 * pruned, so a slow ladder must close them, too. */
static bool
is_later(const struct packs *packs, const struct log_entry *entry)
{
	return packs->begun >= 0 &&
	       ended_of(entry->text->bytes, entry->text->used) >=
		       packs->begun + PACK_SECONDS;
}

/* Returns false for asks with a NUL, which would end the pack for its readers. */
static bool
may_add(const struct text *asks)
{
	return asks != NULL && asks->used > 0 &&
	       memchr(asks->bytes, '\0', asks->used) == NULL;
}

static void
add_entry(struct text *to, const struct log_entry *entry)
{
	char name[LADDER_FILE_BYTES], asks[LADDER_FILE_BYTES + 1];

	ladder_file_name(entry->kind, entry->serial, entry->id, name);
	pack_add(to, name, entry->text->bytes, entry->text->used);
	if (may_add(entry->asks) && asks_path(name, asks, sizeof(asks)))
		pack_add(to, asks, entry->asks->bytes, entry->asks->used);
}

/* Appends as much of a group as one pack takes, and sets `*group` to the rest. */
static int
append_part(struct packs *packs, struct log_entry **group, struct error *why)
{
	struct text bytes = { .max = PACK_BYTES_MAX };
	struct log_entry *entry = *group;
	unsigned count = 0;
	int result;

	if (packs->fd >= 0 && !is_ours(packs))
		leave_pack(packs);
	if (packs->fd >= 0 && is_later(packs, entry))
		end_pack(packs);
	if (packs->fd < 0) {
		name_pack(packs, entry->serial);
		packs->begun = ended_of(entry->text->bytes, entry->text->used);
	}
	do {
		add_entry(&bytes, entry);
		count++;
		entry = entry->next;
	} while (entry != NULL && !is_later(packs, entry) &&
		 !is_full(packs->records + count, packs->bytes + bytes.used));
	result = write_bytes(packs, &bytes);
	text_release(&bytes);
	if (result < 0) {
		complain(packs, why);
		(void)!mend(packs);
		return -1;
	}
	packs->records += count;
	for (; *group != entry; *group = (*group)->next) {
		(*group)->folder = packs->folder;
		(*group)->durable = true;
		packs->log.last = packs->log.here = (*group)->serial;
	}
	if (is_full(packs->records, packs->bytes))
		end_pack(packs);
	return 0;
}

static int
packs_append(struct ladder_log *log, struct log_entry *group, struct error *why)
{
	struct packs *packs = (struct packs *)log;
	int result = 0;

	/* A dropped entry must be gone before its serial is used again. */
	if (mend(packs) < 0)
		return complain(packs, why);
	while (group != NULL && result == 0)
		result = append_part(packs, &group, why);
	return result;
}

/* ---- what is cut off ---------------------------------------------------- */

/* Counts the whole entries behind the first member that is not whole. */
static unsigned
entries_behind(const struct contents *contents)
{
	struct pack_member member;
	size_t at = contents->end;
	unsigned count = 0;

	while (pack_next(&contents->tar, &at, &member) > 0 ||
	       (pack_skip(&contents->tar, &at) &&
		pack_next(&contents->tar, &at, &member) > 0))
		count += member.kind != ENTRY_ASKS;
	return count;
}

static void
note_cut(struct packs *packs, char *copy, const struct contents *contents)
{
	struct ladder_log_cut *cut = &packs->log.cut;

	free(cut->copy);
	cut->copy = copy;
	cut->bytes += (int64_t)(contents->tar.used - contents->end);
	cut->entries += entries_behind(contents);
}

/* Copies a pack, and notes what will be cut off, unless that is only a part of an
 * entry that the log does not have. */
static int
keep_value(struct packs *packs, const struct contents *contents)
{
	char *copy;

	if (contents->last == packs->log.last && !has_more(contents) &&
	    pack_is_torn(&contents->tar, contents->end))
		return 0;
	copy = keep_copy(contents);
	if (copy == NULL)
		return -1;
	note_cut(packs, copy, contents);
	return 0;
}

/* Cuts off all behind the first whole entries of a pack, or removes a pack
 * without such an entry. */
static int
shorten(struct packs *packs, const struct contents *contents)
{
	int fd, result;

	if (keep_value(packs, contents) < 0)
		return -1;
	if (contents->records == 0)
		return unlink(contents->path) < 0 ? -1
						  : folder_sync(packs->dir_fd);
	fd = open(contents->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -1;
	result = ftruncate(fd, (off_t)contents->end) < 0 ? -1 : fdatasync(fd);
	return close(fd) < 0 ? -1 : result;
}

/* Cuts a damaged pack before the damaged entry, if another log has this entry and
 * all behind it, and the ladder has folded none of them. */
static int
cut_copied(struct packs *packs, int64_t first)
{
	const int64_t folded = ladder_last(packs->log.ladder);
	struct contents contents;
	int64_t last;
	int result = look_into(packs, first, &contents);

	last = pack_last(&contents.tar, contents.end, contents.last);
	if (result < 0)
		result = errno == ENOENT ? 0 : -1;
	else if (last > contents.last && last <= packs->elsewhere &&
		 (contents.records > 0
			  ? contents.mine && contents.last >= folded
			  : first == folded + 1))
		result = shorten(packs, &contents);
	contents_release(&contents);
	return result;
}

/* ---- opening ---------------------------------------------------------- */

static int
go_on_in(struct packs *packs, int64_t first, const struct contents *contents)
{
	name_pack(packs, first);
	packs->fd = openat(packs->dir_fd, packs->name,
			   O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
	if (packs->fd < 0)
		return -1;
	packs->bytes = contents->end;
	packs->records = contents->records;
	packs->begun = contents->begun;
	/* A kill may have cut off its last group before the sync. */
	packs->torn = true;
	if (mend(packs) < 0 || folder_sync(packs->dir_fd) < 0)
		return -1;
	if (is_full(packs->records, packs->bytes))
		end_pack(packs);
	return 0;
}

/* Returns true if an open pack that is not the last one may be closed.  Damage at
 * its end must be told before, by ladder_follow(), unless the ladder is past it. */
static bool
may_close(const struct packs *packs, const struct contents *contents)
{
	const int64_t last =
		pack_last(&contents->tar, contents->end, contents->last);

	return contents->mine && entries_behind(contents) == 0 &&
	       (last == contents->last ||
		last <= ladder_last(packs->log.ladder));
}

/* Goes on in an open pack of this ladder if it is the last one, else lets it be
 * closed.  Before a part that may be of value is removed, the pack is copied.
 * A pack that is damaged before its end stays as it is, as the log ends with its
 * last entry or a later one. */
static int
take_up(struct packs *packs, int64_t first)
{
	struct contents contents;
	char *closed;
	int result = look_into(packs, first, &contents);

	closed = path_of(packs, first, contents.last);
	if (result < 0) {
		result = errno == ENOENT ? 0 : -1;
	} else if (contents.records == 0 && first == packs->log.last + 1) {
		result = shorten(packs, &contents);
	} else if (contents.mine && contents.last == packs->log.last &&
		   packs->fd < 0 && access(closed, F_OK) < 0) {
		result = keep_value(packs, &contents) < 0
				 ? -1
				 : go_on_in(packs, first, &contents);
	} else if (may_close(packs, &contents)) {
		if (contents.end < contents.tar.used)
			result = shorten(packs, &contents);
		if (contents.records > 0)
			ask_to_close(packs, first);
	}
	free(closed);
	contents_release(&contents);
	return result;
}

/* Calls `each` with the first serial of each open pack. */
static int
for_all(struct packs *packs, int (*each)(struct packs *packs, int64_t first),
	struct error *why)
{
	DIR *dir = opendir(packs->dir);
	struct pack_range range;
	struct dirent *entry;
	int result = 0;

	if (dir == NULL)
		return path_error(why, ERROR_MACHINE, "read", packs->dir);
	while (result == 0 && (entry = readdir(dir)) != NULL) {
		if (!pack_is_name(entry->d_name, &range) || range.last > 0)
			continue;
		result = each(packs, range.first);
		if (result < 0)
			error_set(why, ERROR_MACHINE,
				  "cannot go on in the pack %s/%s: %m",
				  packs->dir, entry->d_name);
	}
	closedir(dir);
	return result;
}

static void
packs_free(struct ladder_log *log)
{
	struct packs *packs = (struct packs *)log;

	atomic_store(&packs->stop, true);
	thread_free(packs->closer);
	leave_pack(packs);
	close_quietly(packs->dir_fd);
	free(packs->dir);
	free(packs);
}

static const struct ladder_log_ops packs_ops = {
	.append = packs_append,
	.read = ladder_log_read,
	.free = packs_free,
};

/* Opens the folder and begins the thread. */
static int
begin(struct packs *packs, struct error *why)
{
	const struct thread_plan plan = { .work = close_packs,
					  .arg = packs,
					  .finish = true };

	packs->dir_fd = open(packs->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (packs->dir_fd >= 0)
		packs->closer = thread_start(&plan);
	if (packs->closer != NULL)
		return 0;
	return path_error(why, ERROR_MACHINE, "write to", packs->dir);
}

int
log_packs_open(struct ladder *ladder, const char *dir, int64_t elsewhere,
	       struct ladder_log **log, struct error *why)
{
	struct packs *packs = zeroed(1, sizeof(*packs));

	packs->log.ops = &packs_ops;
	packs->log.ladder = ladder;
	packs->dir = copied(dir);
	packs->elsewhere = elsewhere;
	packs->fd = packs->dir_fd = -1;
	*log = &packs->log;
	if (ladder_folder(ladder, dir, &packs->folder, why) == 0 &&
	    begin(packs, why) == 0 &&
	    (elsewhere == 0 || for_all(packs, cut_copied, why) == 0) &&
	    ladder_log_look(&packs->log, dir, why) == 0 &&
	    for_all(packs, take_up, why) == 0)
		return 0;
	ladder_log_free(&packs->log);
	*log = NULL;
	return -1;
}
