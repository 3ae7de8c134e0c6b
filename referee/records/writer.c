/* referee/records/writer.c - group commit of records and ratings.
 *
 * After a failure nothing more is written until writer_mend(): a full
 * disk stays full, and every later game would leave a gap in the ladder's
 * order. */
#include "referee/records/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/milli.h"
#include "protocol/asks.h"
#include "protocol/file.h"
#include "referee/records/packing.h"
#include "referee/table/record-keys.h"

struct writer {
	char *dir; /* owned; NULL: no records */
	int dir_fd;
	struct ladder *ladder;
	int64_t folder;
	const struct writer_log *log; /* borrowed, or NULL */
	struct packing *packing; /* or NULL: each record has its own file */
	struct worker_thread *thread;
	atomic_bool mended; /* the thread must forget `broken` */
	/* The thread's own: it failed before, */
	bool broken;
	bool unsynced;	/* and the folder may still have what was taken back. */
	bool behind;	/* the log may have games that the folder lacks: */
	int64_t stands; /* above this serial */
	struct error why;
};

struct writer_job *
writer_job_after(const struct writer_job *job)
{
	return (struct writer_job *)job->waits.next;
}

/* ---- the thread ------------------------------------------------------- */

void
writer_file_name(const struct writer *writer, const struct writer_job *job,
		 char name[LADDER_FILE_BYTES])
{
	if (job->aborted)
		snprintf(name, LADDER_FILE_BYTES, "%s.rec", job->id);
	else
		ladder_file_name(writer->ladder != NULL ? job->game.serial
							: (int64_t)job->number,
				 job->id, name);
}

/* Its record, and its asks, stand in a pack. */
static bool
is_packed(const struct writer *writer, const struct writer_job *job)
{
	return writer->packing != NULL && !job->aborted;
}

/* Bots learn a game's ID and can work out its record's name, so the name before
 * that cannot be guessed and has no ID in it; but ladder_settle() recognises it
 * as a half-written record's. */
static void
temporary_name(const struct writer_job *job, char name[LADDER_FILE_BYTES + 4])
{
	unsigned char bytes[ID_BYTES / 2];
	char hex[ID_BYTES + 1];
	size_t n;

	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(hex, sizeof(hex), bytes, sizeof(bytes));
	ladder_file_name((int64_t)job->number, hex, name);
	n = strlen(name);
	memcpy(name + n, ".tmp", sizeof(".tmp"));
}

/* 0 when all of it is on disk; -1 and errno. */
static int
write_file(int fd, const struct writer_job *job)
{
	if (file_write(fd, job->header.bytes, job->header.used) < 0 ||
	    file_write(fd, "\n", 1) < 0 ||
	    file_write(fd, job->body->bytes, job->body->used) < 0)
		return -1;
	return fdatasync(fd);
}

/* Whole and synced under its name, or not there at all. */
static int
write_record(struct writer *writer, struct writer_job *job)
{
	char name[LADDER_FILE_BYTES], temporary[LADDER_FILE_BYTES + 4];
	const char *what = "write";
	int fd, error;

	writer_file_name(writer, job, name);
	temporary_name(job, temporary);
	fd = openat(writer->dir_fd, temporary,
		    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW |
			    O_NONBLOCK,
		    0644);
	if (fd < 0)
		goto fail;
	if (write_file(fd, job) < 0)
		goto remove;
	if (close(fd) < 0) {
		fd = -1;
		goto remove;
	}
	fd = -1;
	what = "rename";
	if (renameat2(writer->dir_fd, temporary, writer->dir_fd, name,
		      RENAME_NOREPLACE) == 0)
		return 0;
remove:
	error = errno;
	if (fd >= 0)
		close(fd);
	unlinkat(writer->dir_fd, temporary, 0);
	errno = error;
fail:
	error_set(&writer->why, ERROR_MACHINE, "cannot %s the record %s/%s: %m",
		  what, writer->dir, name);
	return -1;
}

/* What its rating depends on, into the record: it alone makes the ladder. */
static int
enter(struct writer *writer, struct writer_job *job)
{
	char k[MILLI_TEXT_BYTES], start[MILLI_TEXT_BYTES];
	int64_t k_milli, start_milli;

	if (ladder_settings(writer->ladder, &k_milli, &start_milli,
			    &writer->why) != 0 ||
	    ladder_enter(writer->ladder, &job->game, &writer->why) < 0)
		return -1;
	milli_text(k_milli, k);
	milli_text(start_milli, start);
	job->game.serial = ladder_next_serial(writer->ladder);
	job->game.folder = writer->folder;
	record_put(&job->header, RECORD_LADDER, "%s",
		   ladder_id(writer->ladder));
	record_put(&job->header, RECORD_SERIAL, "%lld",
		   (long long)job->game.serial);
	record_put(&job->header, RECORD_RATING_K, "%s", k);
	record_put(&job->header, RECORD_RATING_START, "%s", start);
	for (unsigned s = 0; s < job->game.seats; s++) {
		if (!job->game.seat[s].enters)
			continue;
		milli_text(job->game.seat[s].enter_milli, start);
		record_put(&job->header, RECORD_ENTER, "%u %s", s, start);
	}
	return 0;
}

/* A job that has come to no record leaves no gap: the next one gets its
 * serial. */
static int
leave(struct writer *writer, const struct writer_job *job)
{
	if (writer->ladder != NULL && !job->aborted)
		ladder_untake_serials(writer->ladder, job->game.serial);
	return -1;
}

static void
hash_record(struct writer_job *job)
{
	struct text whole;

	text_init(&whole, RECORD_BYTES * 2);
	text_add(&whole, job->header.bytes, job->header.used);
	text_add(&whole, "\n", 1);
	text_add(&whole, job->body->bytes, job->body->used);
	record_hash_text(whole.bytes, whole.used, job->hash);
	memcpy(job->game.hash, job->hash, sizeof(job->hash));
	text_release(&whole);
}

/* Its serial and hash. */
static int
number(struct writer *writer, struct writer_job *job)
{
	if (writer->ladder != NULL && !job->aborted && enter(writer, job) < 0)
		return -1;
	hash_record(job);
	return 0;
}

/* Its serial, hash and record, unless that goes into a pack. */
static int
keep(struct writer *writer, struct writer_job *job)
{
	if (number(writer, job) < 0)
		return -1;
	if (writer->dir == NULL || is_packed(writer, job) ||
	    write_record(writer, job) == 0)
		return 0;
	return leave(writer, job);
}

/* Its record is safe, so the game stands. */
static void
leave_unrated(const struct writer *writer, struct writer_job *job)
{
	job->unrated = true;
	job->counted = false;
	memcpy(job->why.text, writer->why.text, sizeof(job->why.text));
}

static int
rate(struct writer *writer, struct writer_job *jobs)
{
	struct writer_job *job;
	int result;

	if (ladder_begin(writer->ladder, &writer->why) != 0)
		return -1;
	for (job = jobs; job != NULL; job = writer_job_after(job)) {
		if (job->aborted || job->failed || job->counted)
			continue;
		result = ladder_rate(writer->ladder, &job->game, &writer->why);
		if (result < 0 && writer->why.kind != ERROR_INPUT)
			/* The transaction has ended. */
			return -1;
		job->counted = result == LADDER_FOUND;
		job->refused = result < 0; /* it alone */
		if (job->refused)
			leave_unrated(writer, job);
	}
	return ladder_commit(writer->ladder, &writer->why) == 0 ? 0 : -1;
}

static void
fail(struct writer *writer, struct writer_job *job)
{
	writer->broken = true;
	job->failed = job->again = true;
	job->header.used = job->bare;
	memcpy(job->why.text, writer->why.text, sizeof(job->why.text));
}

/* Their names may not last: then the records must go, as the bots are told, and
 * must not count later.  Only a name that does not go keeps its serial, and
 * those before it. */
static void
take_back(struct writer *writer, struct writer_job *jobs)
{
	char name[LADDER_FILE_BYTES];
	int64_t first = 0, stays = 0;
	struct writer_job *job;

	error_set(&writer->why, ERROR_MACHINE, "cannot sync the folder %s: %m",
		  writer->dir);
	writer->unsynced = true;
	for (job = jobs; job != NULL; job = writer_job_after(job)) {
		if (job->failed || is_packed(writer, job))
			continue;
		writer_file_name(writer, job, name);
		if (!job->aborted && first == 0)
			first = job->game.serial;
		if (unlinkat(writer->dir_fd, name, 0) < 0 && errno != ENOENT &&
		    !job->aborted)
			stays = job->game.serial;
		fail(writer, job);
	}
	if (writer->ladder != NULL && first > 0)
		ladder_untake_serials(writer->ladder,
				      stays > 0 ? stays + 1 : first);
}

/* All that waits in the pack goes to disk; of a group that does not, no job has
 * its record.  -1: it is so with some, which have serials above
 * packing_last(). */
static int
pack_records(struct writer *writer, struct writer_job *jobs)
{
	struct packing_record record = { 0 };
	char name[LADDER_FILE_BYTES];
	struct writer_job *job;

	for (job = jobs; job != NULL; job = writer_job_after(job)) {
		if (job->failed || job->counted || job->aborted ||
		    job->game.serial <= packing_last(writer->packing))
			continue;
		writer_file_name(writer, job, name);
		record.serial = job->game.serial;
		record.name = name;
		record.header = &job->header;
		record.body = job->body;
		record.asks = job->asks;
		if (packing_put(writer->packing, &record, &writer->why) < 0)
			return -1;
	}
	return packing_commit(writer->packing, &writer->why);
}

/* Likewise; those that are not on disk fail, and their serials go back. */
static void
pack_group(struct writer *writer, struct writer_job *jobs)
{
	struct writer_job *job;
	int64_t first = 0;

	if (pack_records(writer, jobs) == 0)
		return;
	for (job = jobs; job != NULL; job = writer_job_after(job)) {
		if (job->failed || job->aborted ||
		    job->game.serial <= packing_last(writer->packing))
			continue;
		if (first == 0)
			first = job->game.serial;
		fail(writer, job);
	}
	if (first > 0)
		ladder_untake_serials(writer->ladder, first);
}

/* ladder_settle() rates them at the next start. */
static void
leave_all_unrated(struct writer *writer, struct writer_job *jobs)
{
	struct writer_job *job;

	writer->broken = true;
	for (job = jobs; job != NULL; job = writer_job_after(job))
		if (!job->failed && !job->aborted && !job->counted)
			leave_unrated(writer, job);
}

/* What was taken back must be gone for good before another game gets its
 * serial. */
static void
sync_again(struct writer *writer)
{
	if (!writer->broken && writer->packing != NULL &&
	    packing_mend(writer->packing, &writer->why) < 0)
		writer->broken = true;
	if (!writer->unsynced || writer->broken)
		return;
	writer->unsynced = folder_sync(writer->dir_fd) < 0;
	if (!writer->unsynced)
		return;
	writer->broken = true;
	error_set(&writer->why, ERROR_MACHINE, "cannot sync the folder %s: %m",
		  writer->dir);
}

/* Beside the record, and less than it: no sync, and what fails is only missing.
 * A file of this name belongs to a record that is gone. */
static void
write_asks(const struct writer *writer, const struct writer_job *job)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	char record[LADDER_FILE_BYTES], name[LADDER_FILE_BYTES + 1];
	int fd;

	if (job->failed || job->asks == NULL || job->asks->used == 0 ||
	    is_packed(writer, job))
		return;
	writer_file_name(writer, job, record);
	if (!asks_path(record, name, sizeof(name)))
		return;
	fd = openat(writer->dir_fd, name, flags, 0644);
	if (fd < 0 && errno == EEXIST && unlinkat(writer->dir_fd, name, 0) == 0)
		fd = openat(writer->dir_fd, name, flags, 0644);
	if (fd < 0)
		return;
	if (file_write(fd, job->asks->bytes, job->asks->used) < 0)
		(void)unlinkat(writer->dir_fd, name, 0);
	close(fd);
}

/* ---- with a log -------------------------------------------------------- */

/* The ladder goes on behind this serial of the log. */
static int
take_serial(struct writer *writer, int64_t serial)
{
	const int64_t next = ladder_next_serial(writer->ladder);

	if (next > serial) /* it was taken before */
		ladder_untake_serials(writer->ladder, next);
	if (next >= serial)
		return 0;
	ladder_untake_serials(writer->ladder, next);
	return error_set(
		&writer->why, ERROR_INPUT,
		"the queue's database has game %lld of the ladder, but "
		"not game %lld",
		(long long)serial, (long long)next);
}

/* Records whose headers are whole.  Those that are there already are the same:
 * the log has one game with a serial. */
static int
copy_records(struct writer *writer, struct writer_job *jobs)
{
	struct writer_job *job;

	if (writer->packing != NULL && pack_records(writer, jobs) < 0)
		return -1;
	for (job = jobs; job != NULL; job = writer_job_after(job)) {
		if (job->failed || job->counted || job->aborted ||
		    is_packed(writer, job))
			continue;
		if (write_record(writer, job) < 0 && errno != EEXIST)
			return -1;
	}
	if (folder_sync(writer->dir_fd) == 0)
		return 0;
	return error_set(&writer->why, ERROR_MACHINE,
			 "cannot sync the folder %s: %m", writer->dir);
}

static int
copy_some(struct writer *writer, struct writer_job *jobs, unsigned *count)
{
	struct writer_job *job;
	int64_t last = 0;

	for (job = jobs; job != NULL; job = writer_job_after(job)) {
		if (take_serial(writer, job->game.serial) < 0)
			return -1;
		job->game.folder = writer->folder;
		hash_record(job);
		last = job->game.serial;
		(*count)++;
	}
	if (copy_records(writer, jobs) < 0)
		return -1;
	writer->stands = last;
	for (job = jobs; job != NULL; job = writer_job_after(job))
		write_asks(writer, job);
	return rate(writer, jobs);
}

static int
catch_up(struct writer *writer, unsigned *count)
{
	const struct writer_log *log = writer->log;
	struct writer_job *jobs;
	int result;

	do {
		if (log->missed(log->arg, writer->stands, &jobs, &writer->why) <
		    0)
			return -1;
		if (jobs == NULL)
			break;
		result = copy_some(writer, jobs, count);
		log->forget(log->arg, jobs);
		if (result < 0)
			return -1;
	} while (true);
	writer->behind = false;
	return 0;
}

/* It stands in the log, as was not known: true. */
static bool
stands_already(struct writer *writer, struct writer_job *job)
{
	struct ladder_game game;

	if (!job->again || job->aborted ||
	    ladder_game_find(writer->ladder, job->id, &game, &writer->why) !=
		    LADDER_FOUND)
		return false;
	job->game = game;
	memcpy(job->hash, game.hash, sizeof(job->hash));
	job->counted = true;
	return true;
}

/* None of them is in the log, as far as is known: their serials go back. */
static void
fail_all(struct writer *writer, struct writer_job *jobs)
{
	struct writer_job *job;
	int64_t first = 0;

	for (job = jobs; job != NULL; job = writer_job_after(job)) {
		if (job->failed || job->counted)
			continue;
		if (!job->aborted && first == 0)
			first = job->game.serial;
		fail(writer, job);
	}
	if (first > 0)
		ladder_untake_serials(writer->ladder, first);
	writer->behind = true;
}

/* The log decides; then the folder and the ladder follow. */
static void
write_logged(struct writer *writer, struct writer_job *jobs)
{
	const struct writer_log *log = writer->log;
	struct writer_job *job;
	unsigned copied = 0;
	int64_t last = writer->stands;
	bool any = false, stand;

	if (!writer->broken && writer->behind && catch_up(writer, &copied) < 0)
		writer->broken = true;
	for (job = jobs; job != NULL; job = writer_job_after(job)) {
		if (!writer->broken && stands_already(writer, job))
			continue;
		if (writer->broken || number(writer, job) < 0)
			fail(writer, job);
		else if (!job->aborted)
			last = job->game.serial;
		any |= !job->failed;
	}
	if (!any)
		return;
	if (log->keep(log->arg, jobs, &writer->why) < 0) {
		fail_all(writer, jobs);
		return;
	}
	for (job = jobs; job != NULL; job = writer_job_after(job))
		if (job->aborted && !job->failed &&
		    write_record(writer, job) < 0 && errno != EEXIST)
			fail(writer, job);
	stand = copy_records(writer, jobs) == 0;
	if (stand)
		writer->stands = last;
	else
		writer->behind = true;
	if (!stand || rate(writer, jobs) < 0)
		leave_all_unrated(writer, jobs);
	for (job = jobs; job != NULL; job = writer_job_after(job))
		write_asks(writer, job);
}

/* A record that is safe, to be rated. */
static bool
has_any(const struct writer_job *job)
{
	while (job != NULL && (job->failed || job->aborted))
		job = writer_job_after(job);
	return job != NULL;
}

/* Everything that waited, as one group.  From the first that cannot be written
 * on they fail; what stands before it is synced and rated as ever. */
static void
write_group(struct writer *writer, struct writer_job *jobs)
{
	bool kept = false, named = false;
	struct writer_job *job;

	sync_again(writer);
	if (writer->log != NULL) {
		write_logged(writer, jobs);
		return;
	}
	for (job = jobs; job != NULL; job = writer_job_after(job)) {
		if (writer->broken || keep(writer, job) < 0)
			fail(writer, job);
		else
			kept = true;
		named |= !job->failed && !is_packed(writer, job);
	}
	if (!kept)
		return;
	if (named && writer->dir != NULL && folder_sync(writer->dir_fd) < 0)
		take_back(writer, jobs);
	if (writer->packing != NULL)
		pack_group(writer, jobs);
	if (writer->ladder != NULL && has_any(jobs) && rate(writer, jobs) < 0)
		leave_all_unrated(writer, jobs);
	for (job = jobs; writer->dir != NULL && job != NULL;
	     job = writer_job_after(job))
		write_asks(writer, job);
}

/* The first job, or games up to the first that is none.  Returns what is behind
 * them, and the list ends before that. */
static struct writer_job *
do_first(struct writer *writer, struct writer_job *jobs)
{
	struct writer_job *last = jobs, *rest;

	if (jobs->run == NULL)
		while (writer_job_after(last) != NULL &&
		       writer_job_after(last)->run == NULL)
			last = writer_job_after(last);
	rest = writer_job_after(last);
	last->waits.next = NULL;
	if (jobs->run != NULL)
		jobs->run(jobs, writer->ladder);
	else
		write_group(writer, jobs);
	return rest;
}

static void
work(void *arg, struct worker_thread_job *waiting)
{
	struct writer *writer = arg;
	struct writer_job *jobs = (struct writer_job *)waiting, *rest;

	if (atomic_exchange(&writer->mended, false))
		writer->broken = false;
	for (; jobs != NULL; jobs = rest) {
		rest = do_first(writer, jobs);
		worker_thread_back(writer->thread, &jobs->waits);
	}
}

/* ---- the loop's side -------------------------------------------------- */

static void
release(struct writer *writer)
{
	packing_free(writer->packing);
	if (writer->dir_fd >= 0)
		close(writer->dir_fd);
	free(writer->dir);
	free(writer);
}

struct writer *
writer_new(const char *dir, struct ladder *ladder, int64_t folder)
{
	struct writer *writer = calloc(1, sizeof(*writer));
	const struct worker_thread_plan plan = { .work = work,
						 .arg = writer,
						 .finish = true };
	int error;

	if (writer == NULL)
		return NULL;
	writer->ladder = ladder;
	writer->folder = folder;
	writer->dir_fd = -1;
	if (dir != NULL) {
		writer->dir = strdup(dir);
		writer->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (dir == NULL || (writer->dir != NULL && writer->dir_fd >= 0))
		writer->thread = worker_thread_start(&plan);
	if (writer->thread != NULL)
		return writer;
	error = errno;
	release(writer);
	errno = error;
	return NULL;
}

int
writer_pack(struct writer *writer, struct error *why)
{
	const int64_t next = ladder_next_serial(writer->ladder);

	ladder_untake_serials(writer->ladder, next);
	writer->packing =
		packing_new(writer->dir, ladder_id(writer->ladder), next, why);
	return writer->packing == NULL ? -1 : 0;
}

void
writer_set_log(struct writer *writer, const struct writer_log *log)
{
	const int64_t next = ladder_next_serial(writer->ladder);

	ladder_untake_serials(writer->ladder, next);
	writer->log = log;
	writer->stands = next - 1;
	writer->behind = true;
}

int
writer_catch_up(struct writer *writer, unsigned *count, struct error *why)
{
	*count = 0;
	if (catch_up(writer, count) == 0)
		return 0;
	return error_set(why, writer->why.kind, "%s", writer->why.text);
}

void
writer_free(struct writer *writer)
{
	if (writer == NULL)
		return;
	worker_thread_free(writer->thread);
	release(writer);
}

int
writer_fd(const struct writer *writer)
{
	return worker_thread_fd(writer->thread);
}

void
writer_mend(struct writer *writer)
{
	atomic_store(&writer->mended, true);
}

void
writer_submit(struct writer *writer, struct writer_job *job)
{
	job->bare = job->header.used;
	job->failed = job->unrated = job->refused = job->counted = false;
	job->waits.done = NULL;
	worker_thread_ask(writer->thread, &job->waits);
}

void
writer_tell(struct writer *writer)
{
	struct writer_job *job;

	while ((job = (struct writer_job *)worker_thread_take(
			writer->thread)) != NULL)
		job->done(job);
}
