/* referee/records/writer.c - see writer.h. */
#include "referee/records/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "referee/table/record-keys.h"

struct writer {
	char *dir; /* owned; NULL: aborted games are not kept */
	int dir_fd;
	struct ladder_log *log; /* borrowed */
	struct thread *thread;
};

static struct writer_job *
after(const struct writer_job *job)
{
	return (struct writer_job *)job->waits.next;
}

static void
fail(struct writer_job *job, const struct error *why)
{
	job->failed = true;
	memcpy(&job->why, why, sizeof(job->why));
}

/* ---- 1. a record and its serial ------------------------------------------ */

static void
make_whole(struct writer_job *job)
{
	text_init(&job->whole, RECORD_BYTES * 2);
	text_add(&job->whole, job->header.bytes, job->header.used);
	text_add(&job->whole, "\n", 1);
	text_add(&job->whole, job->body->bytes, job->body->used);
	record_hash_text(job->whole.bytes, job->whole.used, job->hash);
	memcpy(job->game.hash, job->hash, sizeof(job->hash));
}

/* Makes the entry of a game.  Restores its header as it was submitted. */
static void
make_entry(struct writer *writer, struct writer_job *job, int64_t serial)
{
	struct ladder *ladder = writer->log->ladder;

	job->header.used = job->bare;
	if (ladder != NULL) {
		record_put(&job->header, RECORD_LADDER, "%s",
			   ladder_id(ladder));
		record_put(&job->header, RECORD_SERIAL, "%lld",
			   (long long)serial);
	}
	make_whole(job);
	job->entry = (struct log_entry){
		.serial = ladder != NULL ? serial : (int64_t)job->number,
		.id = job->id,
		.text = &job->whole,
		.asks = job->asks,
		.path = job->id,
		.game = &job->game,
		.queue_job = job->queue_job,
		.queue_attempt = job->queue_attempt,
	};
	job->game.serial = job->entry.serial;
}

/* Returns true if the log has the game, which could not be known when it
 * failed. */
static bool
stands_already(struct writer *writer, struct writer_job *job)
{
	struct ladder *ladder = writer->log->ladder;
	struct ladder_game game;
	struct error why;

	if (!job->failed_before || ladder == NULL ||
	    ladder_game_find(ladder, job->id, &game, &why) != LADDER_FOUND)
		return false;
	job->game = game;
	memcpy(job->hash, game.hash, sizeof(job->hash));
	job->counted = true;
	return true;
}

/* Returns true while it cannot be known if the log has the game.  It gets no
 * second serial meanwhile, because a log has a game once. */
static bool
may_stand(const struct writer *writer, const struct writer_job *job,
	  struct error *why)
{
	const struct ladder *ladder = writer->log->ladder;

	if (!job->unsure || ladder == NULL ||
	    ladder_last(ladder) >= writer->log->last)
		return false;
	error_set(why, ERROR_MACHINE,
		  "it may stand in the log, which the ladder does not follow");
	return true;
}

/* ---- a game that counts nowhere ------------------------------------------- */

static int
write_aborted(struct writer *writer, struct writer_job *job, struct error *why)
{
	char name[LADDER_FILE_BYTES];
	const struct ladder_log_ops *ops = writer->log->ops;

	if (job->queue_job != 0 && ops->drop != NULL &&
	    ops->drop(writer->log, job->queue_job, why) < 0)
		return -1;
	if (writer->dir == NULL)
		return 0;
	writer_file_name(job, name);
	if ((ladder_log_write(writer->dir_fd, name, &job->whole) < 0 &&
	     errno != EEXIST) ||
	    folder_sync(writer->dir_fd) < 0)
		return error_set(why, ERROR_MACHINE,
				 "cannot write the record %s/%s: %m",
				 writer->dir, name);
	ladder_log_write_asks(writer->dir_fd, name, job->asks);
	return 0;
}

static void
keep_aborted(struct writer *writer, struct writer_job *job)
{
	struct error why;

	job->header.used = job->bare;
	make_whole(job);
	if (write_aborted(writer, job, &why) < 0)
		fail(job, &why);
}

/* ---- a group ---------------------------------------------------------------- */

/* Gives serials to as many of the games as possible. */
static struct log_entry *
make_group(struct writer *writer, struct writer_job *jobs)
{
	struct log_entry *group = NULL, **end = &group;
	int64_t serial = writer->log->last;
	struct writer_job *job;
	struct error why;

	for (job = jobs; job != NULL; job = after(job)) {
		if (job->aborted) {
			keep_aborted(writer, job);
		} else if (stands_already(writer, job)) {
			continue;
		} else if (may_stand(writer, job, &why)) {
			fail(job, &why);
		} else {
			make_entry(writer, job, ++serial);
			*end = &job->entry;
			end = &job->entry.next;
		}
	}
	return group;
}

/* Marks the games that are not in the log. */
static void
mark_failed(struct writer_job *jobs, bool unsure, const struct error *why)
{
	struct writer_job *job;

	for (job = jobs; job != NULL; job = after(job))
		if (!job->aborted && !job->counted && !job->failed &&
		    !job->entry.durable) {
			fail(job, why);
			job->unsure = job->unsure || unsure;
		}
}

/* Lets the ladder follow the group and a part of the earlier entries that it
 * lacks. */
static int
follow(struct writer *writer, struct log_entry *group, struct error *why)
{
	struct ladder *ladder = writer->log->ladder;
	unsigned count = 0;
	int result = 0;

	if (ladder != NULL)
		result = ladder_follow_some(ladder, writer->log, group, &count,
					    why);
	if (result == LADDER_MORE)
		error_set(why, ERROR_MACHINE,
			  "it is %lld games behind and follows",
			  (long long)(writer->log->last - ladder_last(ladder)));
	return result == 0 ? 0 : -1;
}

/* Marks games as behind.  Even if the ladder has one by now, its ratings are
 * unknown. */
static void
mark_behind(struct writer_job *jobs, const struct error *why)
{
	struct writer_job *job;

	for (job = jobs; job != NULL; job = after(job)) {
		if (job->aborted || job->failed || job->counted)
			continue;
		job->behind = true;
		memcpy(&job->why, why, sizeof(job->why));
	}
}

/* Notes the result of a game whose group is in the log. */
static void
end_job(struct writer_job *job)
{
	if (job->entry.twin)
		job->counted = true;
	text_release(&job->whole);
}

static void
write_group(struct writer *writer, struct writer_job *jobs)
{
	struct ladder *ladder = writer->log->ladder;
	struct log_entry *group;
	struct error why, late;
	bool lost;

	/* After this it is known what the log has. */
	if (writer->log->unsure)
		(void)!follow(writer, NULL, &late);
	group = make_group(writer, jobs);
	if (group != NULL &&
	    writer->log->ops->append(writer->log, group, &why) < 0)
		mark_failed(jobs, writer->log->unsure, &why);
	if (group != NULL && follow(writer, group, &late) < 0)
		mark_behind(jobs, &late);
	lost = ladder != NULL && ladder_is_lost(ladder);
	for (; jobs != NULL; jobs = after(jobs)) {
		jobs->lost = lost;
		end_job(jobs);
	}
}

/* ---- the thread --------------------------------------------------------------- */

/* Does the first job, or all games up to the first other job.  Cuts the list
 * behind them and returns the rest. */
static struct writer_job *
do_first(struct writer *writer, struct writer_job *jobs)
{
	struct writer_job *last = jobs, *rest;

	if (jobs->run == NULL)
		while (after(last) != NULL && after(last)->run == NULL)
			last = after(last);
	rest = after(last);
	last->waits.next = NULL;
	if (jobs->run != NULL)
		jobs->run(jobs, writer->log->ladder, writer->log);
	else
		write_group(writer, jobs);
	return rest;
}

static void
work(void *arg, struct thread_task *waiting)
{
	struct writer *writer = arg;
	struct writer_job *jobs = (struct writer_job *)waiting, *rest;

	for (; jobs != NULL; jobs = rest) {
		rest = do_first(writer, jobs);
		thread_back(writer->thread, &jobs->waits);
	}
}

/* ---- the loop's side ----------------------------------------------------------- */

static void
release(struct writer *writer)
{
	if (writer->dir_fd >= 0)
		close(writer->dir_fd);
	free(writer->dir);
	free(writer);
}

struct writer *
writer_new(struct ladder_log *log, const char *dir)
{
	struct writer *writer = zeroed(1, sizeof(*writer));
	const struct thread_plan plan = { .work = work,
					  .arg = writer,
					  .finish = true };
	int error;

	writer->log = log;
	writer->dir_fd = -1;
	if (dir != NULL) {
		writer->dir = copied(dir);
		writer->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (dir == NULL || writer->dir_fd >= 0)
		writer->thread = thread_start(&plan);
	if (writer->thread != NULL)
		return writer;
	error = errno;
	release(writer);
	errno = error;
	return NULL;
}

void
writer_free(struct writer *writer)
{
	if (writer == NULL)
		return;
	thread_free(writer->thread);
	release(writer);
}

void
writer_file_name(const struct writer_job *job, char name[LADDER_FILE_BYTES])
{
	if (job->aborted)
		snprintf(name, LADDER_FILE_BYTES, "%s.rec", job->id);
	else
		ladder_file_name(ENTRY_GAME, job->game.serial, job->id, name);
}

int
writer_fd(const struct writer *writer)
{
	return thread_fd(writer->thread);
}

void
writer_submit_all(struct writer *writer, struct writer_job *jobs)
{
	struct writer_job *job;

	for (job = jobs; job != NULL; job = after(job)) {
		if (job->failed)
			job->failed_before = true;
		else
			job->bare = job->header.used;
		job->failed = job->behind = job->counted = false;
		job->waits.done = NULL;
	}
	thread_ask_all(writer->thread, &jobs->waits);
}

void
writer_submit(struct writer *writer, struct writer_job *job)
{
	job->waits.next = NULL;
	writer_submit_all(writer, job);
}

void
writer_tell(struct writer *writer)
{
	struct writer_job *job;

	while ((job = (struct writer_job *)thread_take(writer->thread)) != NULL)
		job->done(job);
}
