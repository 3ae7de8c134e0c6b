/* referee/records/packing.c - see packing.h. */
#include "referee/records/packing.h"

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
#include "referee/base/worker-thread.h"

#define CLOSER_NICE 10 /* games go first */

struct packing {
	char *dir; /* owned */
	int dir_fd;
	struct worker_thread *closer;
	atomic_bool stop; /* closes no more */
	/* The open pack. */
	int fd;	       /* -1: there is none */
	int64_t first; /* its first serial */
	int64_t begun; /* when that game ended; -1: it does not say so */
	size_t bytes;  /* that are on disk for good */
	unsigned records;
	bool named; /* so is its name */
	bool torn;  /* more than that may be there */
	int64_t last;
	/* Behind it, and not on disk yet. */
	struct text group;
	unsigned waiting; /* records */
	int64_t put;	  /* the last one's serial */
};

/* ---- closing ---------------------------------------------------------- */

struct closing {
	struct worker_thread_job waits; /* first */
	char *dir;			/* owned */
	int64_t first;
};

/* What stands whole in an open pack. */
struct contents {
	struct text tar;
	size_t end; /* of what is whole */
	unsigned records;
	int64_t last, begun;
};

/* When a game ended, or a void was made, by the entry's first lines; -1: it does
 * not say so. */
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

static int
look_into(const char *path, struct contents *contents)
{
	struct pack_member member;

	*contents = (struct contents){ .begun = -1 };
	if (pack_load(path, &contents->tar) < 0)
		return -1;
	while (pack_next(&contents->tar, &contents->end, &member) > 0) {
		if (contents->records == 0)
			contents->begun = ended_of(member.bytes, member.used);
		contents->records += member.kind != ENTRY_ASKS;
		contents->last = member.serial;
	}
	return 0;
}

/* Whether the closed pack has just this; a tar file's end comes behind. */
static bool
is_twin(const char *closed, const struct contents *open)
{
	struct text tar = { 0 };
	bool same = pack_load(closed, &tar) == 0 && tar.used >= open->end &&
		    memcmp(tar.bytes, open->tar.bytes, open->end) == 0;

	text_release(&tar);
	return same;
}

/* What fails leaves the open one, which is as good. */
static void
close_pack(const char *dir, int64_t first, const atomic_bool *stop)
{
	struct pack_range range = { .first = first };
	char open_name[PACK_NAME_BYTES], name[PACK_NAME_BYTES];
	struct contents contents;
	char *path, *closed;
	bool done;

	pack_name(range, open_name);
	path = formatted("%s/%s", dir, open_name);
	if (look_into(path, &contents) == 0 && contents.records > 0 &&
	    contents.end == contents.tar.used) {
		range.last = contents.last;
		pack_name(range, name);
		closed = formatted("%s/%s", dir, name);
		done = access(closed, F_OK) == 0
			       ? is_twin(closed, &contents)
			       : pack_write(closed, &contents.tar, stop) == 0;
		if (done)
			(void)unlink(path);
		free(closed);
	}
	text_release(&contents.tar);
	free(path);
}

static void
on_closed(struct worker_thread_job *waits, bool read UNUSED)
{
	struct closing *closing = (struct closing *)waits;

	free(closing->dir);
	free(closing);
}

static void
close_packs(void *arg, struct worker_thread_job *jobs)
{
	struct packing *packing = arg;
	struct worker_thread_job *job;

	/* Of Linux: this thread alone. */
	(void)setpriority(PRIO_PROCESS, 0, CLOSER_NICE);
	for (job = jobs; job != NULL && !atomic_load(&packing->stop);
	     job = job->next)
		close_pack(((struct closing *)job)->dir,
			   ((struct closing *)job)->first, &packing->stop);
	worker_thread_back(packing->closer, jobs);
}

static void
ask_to_close(struct packing *packing, int64_t first)
{
	struct closing *closing = zeroed(1, sizeof(*closing));
	struct worker_thread_job *done;

	while ((done = worker_thread_take(packing->closer)) != NULL)
		on_closed(done, true);
	closing->dir = copied(packing->dir);
	closing->first = first;
	closing->waits.done = on_closed;
	worker_thread_ask(packing->closer, &closing->waits);
}

/* ---- the open pack ---------------------------------------------------- */

static void
name_of(const struct packing *packing, char name[PACK_NAME_BYTES])
{
	pack_name((struct pack_range){ .first = packing->first }, name);
}

static bool
is_full(const struct packing *packing)
{
	return packing->records + packing->waiting >= PACK_RECORDS ||
	       packing->bytes + packing->group.used >= PACK_BYTES;
}

static void
leave_pack(struct packing *packing)
{
	if (packing->fd >= 0)
		close(packing->fd);
	packing->fd = -1;
	packing->bytes = 0;
	packing->records = 0;
	packing->named = packing->torn = false;
}

static int
make_pack(struct packing *packing)
{
	char name[PACK_NAME_BYTES];

	name_of(packing, name);
	packing->fd = openat(packing->dir_fd, name,
			     O_WRONLY | O_CREAT | O_EXCL | O_APPEND |
				     O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
			     0644);
	if (packing->fd < 0)
		return -1;
	packing->torn = true;
	return fchmod(packing->fd, 0644);
}

static int
append(struct packing *packing)
{
	if (packing->fd < 0 && make_pack(packing) < 0)
		return -1;
	packing->torn = true;
	if (file_write(packing->fd, packing->group.bytes, packing->group.used) <
		    0 ||
	    fdatasync(packing->fd) < 0)
		return -1;
	if (!packing->named && folder_sync(packing->dir_fd) < 0)
		return -1;
	packing->named = true;
	packing->torn = false;
	return 0;
}

/* One without a record goes. */
static int
take_back(struct packing *packing)
{
	char name[PACK_NAME_BYTES];

	if (packing->bytes > 0)
		return ftruncate(packing->fd, (off_t)packing->bytes) < 0
			       ? -1
			       : fdatasync(packing->fd);
	name_of(packing, name);
	if (ftruncate(packing->fd, 0) < 0 ||
	    (unlinkat(packing->dir_fd, name, 0) < 0 && errno != ENOENT) ||
	    folder_sync(packing->dir_fd) < 0)
		return -1;
	leave_pack(packing);
	return 0;
}

static int
complain(const struct packing *packing, struct error *why)
{
	char name[PACK_NAME_BYTES];

	name_of(packing, name);
	return error_set(why, ERROR_MACHINE,
			 "cannot write the records in %s/%s: %m", packing->dir,
			 name);
}

int
packing_mend(struct packing *packing, struct error *why)
{
	if (packing->fd < 0 || !packing->torn)
		return 0;
	if (take_back(packing) < 0)
		return complain(packing, why);
	packing->torn = false;
	return 0;
}

static int
drop_group(struct packing *packing)
{
	text_clear(&packing->group);
	packing->waiting = 0;
	return -1;
}

/* Whether what is appended will be found: a pack that was moved away, replaced
 * or changed by someone else is not ours any more. */
static bool
is_ours(const struct packing *packing)
{
	char name[PACK_NAME_BYTES];
	struct stat open, named;

	name_of(packing, name);
	return fstat(packing->fd, &open) == 0 &&
	       fstatat(packing->dir_fd, name, &named, AT_SYMLINK_NOFOLLOW) ==
		       0 &&
	       open.st_dev == named.st_dev && open.st_ino == named.st_ino &&
	       open.st_size == (off_t)packing->bytes;
}

int
packing_commit(struct packing *packing, struct error *why)
{
	struct error ignored;

	if (packing->waiting == 0)
		return 0;
	if (packing->fd >= 0 && !is_ours(packing)) {
		leave_pack(packing);
		packing->first = packing->put - packing->waiting + 1;
	}
	if (append(packing) < 0) {
		complain(packing, why);
		(void)!packing_mend(packing, &ignored);
		return drop_group(packing);
	}
	packing->bytes += packing->group.used;
	packing->records += packing->waiting;
	packing->last = packing->put;
	text_clear(&packing->group);
	packing->waiting = 0;
	if (is_full(packing)) {
		leave_pack(packing);
		ask_to_close(packing, packing->first);
	}
	return 0;
}

/* Only closed packs are pruned: what is played slowly must come into one. */
static bool
is_later(const struct packing *packing, int64_t ended)
{
	return (packing->fd >= 0 || packing->waiting > 0) &&
	       packing->begun >= 0 && ended >= packing->begun + PACK_SECONDS;
}

/* The serials of a pack have no gaps. */
static int
begin_another(struct packing *packing, struct error *why)
{
	if (packing_commit(packing, why) < 0)
		return -1;
	if (packing->fd < 0)
		return 0;
	leave_pack(packing);
	ask_to_close(packing, packing->first);
	return 0;
}

int
packing_put(struct packing *packing, const struct packing_record *record,
	    struct error *why)
{
	const int64_t before =
		packing->waiting > 0 ? packing->put : packing->last;
	const int64_t ended = ended_of(record->text->bytes, record->text->used);
	const struct text *asks = record->asks;
	char name[LADDER_FILE_BYTES + 1];

	if ((record->serial != before + 1 || is_later(packing, ended)) &&
	    begin_another(packing, why) < 0)
		return -1;
	if (packing->fd < 0 && packing->waiting == 0) {
		packing->first = record->serial;
		packing->begun = ended;
	}
	pack_add(&packing->group, record->name, record->text->bytes,
		 record->text->used);
	if (asks != NULL && asks->used > 0 &&
	    asks_path(record->name, name, sizeof(name)))
		pack_add(&packing->group, name, asks->bytes, asks->used);
	packing->waiting++;
	packing->put = record->serial;
	return is_full(packing) ? packing_commit(packing, why) : 0;
}

int64_t
packing_last(const struct packing *packing)
{
	return packing->last;
}

/* ---- at the start ----------------------------------------------------- */

/* Looks at the line `ladder` of its first member. */
static bool
is_of(const struct contents *contents, const char *ladder)
{
	char line[ID_BYTES + 16];
	struct pack_member member;
	size_t at = 0;

	snprintf(line, sizeof(line), "\nladder %s\n", ladder);
	return pack_next(&contents->tar, &at, &member) > 0 &&
	       memmem(member.bytes, member.used, line, strlen(line)) != NULL;
}

static int
go_on_in(struct packing *packing, const char *name, int64_t first,
	 const struct contents *contents)
{
	packing->fd = openat(packing->dir_fd, name,
			     O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
	if (packing->fd < 0)
		return -1;
	packing->first = first;
	packing->bytes = contents->end;
	packing->records = contents->records;
	packing->begun = contents->begun;
	packing->torn = contents->end < contents->tar.used;
	/* Its last group may have been cut off before it was synced. */
	if (take_back(packing) < 0 || folder_sync(packing->dir_fd) < 0)
		return -1;
	packing->torn = false;
	if (packing->fd < 0)
		return 0; /* it had no record */
	packing->named = true;
	if (!is_full(packing))
		return 0;
	leave_pack(packing);
	ask_to_close(packing, first);
	return 0;
}

/* An open one of this ladder is the last one, or should be closed.  One that is
 * damaged before its end stays as it is. */
static int
take_up(struct packing *packing, const char *ladder, const char *name,
	int64_t first)
{
	struct pack_range range = { .first = first };
	char closed[PACK_NAME_BYTES];
	char *path = formatted("%s/%s", packing->dir, name);
	struct contents contents;
	int result = look_into(path, &contents);

	free(path);
	range.last = contents.last;
	pack_name(range, closed);
	if (result < 0 || (contents.records > 0 && !is_of(&contents, ladder)))
		result = result < 0 && errno != ENOENT ? -1 : 0;
	else if (contents.records == 0
			 ? first == packing->last + 1
			 : contents.last == packing->last && packing->fd < 0 &&
				   faccessat(packing->dir_fd, closed, F_OK, 0) <
					   0)
		result = go_on_in(packing, name, first, &contents);
	else if (contents.records > 0)
		ask_to_close(packing, first);
	text_release(&contents.tar);
	return result;
}

static int
take_up_all(struct packing *packing, const char *ladder, struct error *why)
{
	int fd = openat(packing->dir_fd, ".",
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct pack_range range;
	struct dirent *entry;
	int result = 0;

	if (dir == NULL) {
		if (fd >= 0)
			close(fd);
		return error_set(why, ERROR_MACHINE, "cannot read %s: %m",
				 packing->dir);
	}
	while (result == 0 && (entry = readdir(dir)) != NULL) {
		if (!pack_is_name(entry->d_name, &range) || range.last > 0)
			continue;
		result = take_up(packing, ladder, entry->d_name, range.first);
		if (result < 0)
			error_set(why, ERROR_MACHINE,
				  "cannot go on in the pack %s/%s: %m",
				  packing->dir, entry->d_name);
	}
	closedir(dir);
	return result;
}

struct packing *
packing_new(const char *dir, const char *ladder, int64_t next,
	    struct error *why)
{
	struct packing *packing = zeroed(1, sizeof(*packing));
	const struct worker_thread_plan plan = { .work = close_packs,
						 .arg = packing,
						 .finish = true };

	packing->dir = copied(dir);
	packing->fd = -1;
	packing->last = next - 1;
	packing->group.max = PACK_BYTES_MAX;
	packing->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (packing->dir_fd >= 0)
		packing->closer = worker_thread_start(&plan);
	if (packing->closer == NULL)
		error_set(why, ERROR_MACHINE, "cannot write to %s: %m", dir);
	else if (take_up_all(packing, ladder, why) == 0)
		return packing;
	packing_free(packing);
	return NULL;
}

void
packing_finish(struct packing *packing)
{
	if (packing->closer != NULL)
		worker_thread_free(packing->closer);
	if (packing->fd >= 0)
		close(packing->fd);
	if (packing->dir_fd >= 0)
		close(packing->dir_fd);
	text_release(&packing->group);
	free(packing->dir);
	free(packing);
}

void
packing_free(struct packing *packing)
{
	if (packing == NULL)
		return;
	atomic_store(&packing->stop, true);
	packing_finish(packing);
}
