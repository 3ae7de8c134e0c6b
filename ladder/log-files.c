/* ladder/log-files.c - two logs: a folder with a file for each entry, and one
 * that exists only in memory. */
#include "ladder/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/store-inside.h"

/* ---- files ------------------------------------------------------------------ */

struct files {
	struct ladder_log log; /* first */
	char *dir;	       /* owned */
	int fd;
	int64_t folder; /* the number of `dir` in the ladder */
	bool unsynced;	/* removed names may still be on disk */
};

static int
cannot(const struct files *files, const char *what, const char *name,
       struct error *why)
{
	return error_set(why, ERROR_MACHINE, "cannot %s %s/%s: %m", what,
			 files->dir, name);
}

/* Removes the files of a group whose names could not be synced, as nothing may
 * rely on them.  Removes the last one first, so that a file that cannot be
 * removed keeps its serial, and those before it keep theirs.  Returns true if
 * all are gone. */
static bool
take_back(struct files *files, struct log_entry *entry)
{
	char name[LADDER_FILE_BYTES];

	if (entry == NULL || !entry->durable)
		return true;
	entry->durable = false;
	if (!take_back(files, entry->next))
		return false;
	ladder_file_name(entry->kind, entry->serial, entry->id, name);
	if (unlinkat(files->fd, name, 0) == 0 || errno == ENOENT)
		return true;
	files->log.last = entry->serial;
	return false;
}

/* Writes entries up to the first that cannot be written. */
static int
write_all(const struct files *files, struct log_entry *group, struct error *why)
{
	char name[LADDER_FILE_BYTES];

	for (; group != NULL; group = group->next) {
		ladder_file_name(group->kind, group->serial, group->id, name);
		if (ladder_log_write(files->fd, name, group->text) < 0)
			return cannot(files, "write the record", name, why);
		group->folder = files->folder;
		group->durable = true;
	}
	return 0;
}

static int
files_append(struct ladder_log *log, struct log_entry *group, struct error *why)
{
	struct files *files = (struct files *)log;
	char name[LADDER_FILE_BYTES];
	struct log_entry *entry;
	int result;

	/* A removed name must be gone for good before another entry gets its
	 * serial. */
	if (files->unsynced && folder_sync(files->fd) < 0)
		return cannot(files, "sync the folder", "", why);
	files->unsynced = false;
	result = write_all(files, group, why);
	if (group->durable && folder_sync(files->fd) < 0) {
		result = cannot(files, "sync the folder", "", why);
		files->unsynced = true;
		(void)take_back(files, group);
	}
	for (entry = group; entry != NULL && entry->durable;
	     entry = entry->next) {
		log->last = entry->serial;
		ladder_file_name(entry->kind, entry->serial, entry->id, name);
		ladder_log_write_asks(files->fd, name, entry->asks);
	}
	log->here = log->last;
	return result;
}

static void
files_free(struct ladder_log *log)
{
	struct files *files = (struct files *)log;

	if (files->fd >= 0)
		close(files->fd);
	free(files->dir);
	free(files);
}

static const struct ladder_log_ops files_ops = {
	.append = files_append,
	.read = ladder_log_read,
	.free = files_free,
};

int
ladder_log_files(struct ladder *ladder, const char *dir,
		 struct ladder_log **log, struct error *why)
{
	struct files *files = zeroed(1, sizeof(*files));
	int result = 0;

	files->log.ops = &files_ops;
	files->log.ladder = ladder;
	files->dir = copied(dir);
	files->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (files->fd < 0)
		result = path_error(why, ERROR_MACHINE, "write to", dir);
	if (result == 0 && ladder != NULL)
		result = ladder_folder(ladder, dir, &files->folder, why);
	if (result == 0 && ladder != NULL)
		result = ladder_log_look(&files->log, dir, why);
	*log = result < 0 ? NULL : &files->log;
	if (result < 0)
		ladder_log_free(&files->log);
	return result;
}

/* ---- memory ------------------------------------------------------------------ */

static int
memory_append(struct ladder_log *log, struct log_entry *group,
	      struct error *why UNUSED)
{
	for (; group != NULL; group = group->next) {
		group->durable = true;
		log->last = log->here = group->serial;
	}
	return 0;
}

static void
memory_free(struct ladder_log *log)
{
	free(log);
}

static const struct ladder_log_ops memory_ops = {
	.append = memory_append,
	.read = ladder_log_read,
	.free = memory_free,
};

struct ladder_log *
ladder_log_memory(struct ladder *ladder)
{
	struct ladder_log *log = zeroed(1, sizeof(*log));

	log->ops = &memory_ops;
	log->ladder = ladder;
	if (ladder != NULL)
		log->last = log->here = ladder->last;
	return log;
}
