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

static struct writer_task *
after(const struct writer_task *task)
{
	return (struct writer_task *)task->waits.next;
}

static void
fail(struct writer_task *task, const struct error *why)
{
	task->failed = true;
	memcpy(&task->why, why, sizeof(task->why));
}

/* ---- 1. a record and its serial ------------------------------------------ */

static void
make_whole(struct writer_task *task)
{
	text_init(&task->whole, RECORD_BYTES * 2);
	text_add(&task->whole, task->header.bytes, task->header.used);
	text_add(&task->whole, "\n", 1);
	text_add(&task->whole, task->body->bytes, task->body->used);
	record_hash_text(task->whole.bytes, task->whole.used, task->hash);
	memcpy(task->game.hash, task->hash, sizeof(task->hash));
}

/* Makes the entry of a game.  Restores its header as it was submitted. */
static void
make_entry(struct writer *writer, struct writer_task *task, int64_t serial)
{
	struct ladder *ladder = writer->log->ladder;

	task->header.used = task->bare;
	if (ladder != NULL) {
		record_put(&task->header, RECORD_LADDER, "%s",
			   ladder_id(ladder));
		record_put(&task->header, RECORD_SERIAL, "%lld",
			   (long long)serial);
	}
	make_whole(task);
	task->entry = (struct log_entry){
		.serial = ladder != NULL ? serial : (int64_t)task->number,
		.id = task->id,
		.text = &task->whole,
		.asks = task->asks,
		.path = task->id,
		.game = &task->game,
		.queue_job = task->queue_job,
		.queue_attempt = task->queue_attempt,
	};
	task->game.serial = task->entry.serial;
}

/* Returns true if the log has the game, which could not be known when it
 * failed. */
static bool
stands_already(struct writer *writer, struct writer_task *task)
{
	struct ladder *ladder = writer->log->ladder;
	struct ladder_game game;
	struct error why;

	if (!task->failed_before || ladder == NULL ||
	    ladder_game_find(ladder, task->id, &game, &why) != LADDER_FOUND)
		return false;
	task->game = game;
	memcpy(task->hash, game.hash, sizeof(task->hash));
	task->counted = true;
	return true;
}

/* Returns true while it cannot be known if the log has the game.  It gets no
 * second serial meanwhile, because a log has a game once. */
static bool
may_stand(const struct writer *writer, const struct writer_task *task,
	  struct error *why)
{
	const struct ladder *ladder = writer->log->ladder;

	if (!task->unsure || ladder == NULL ||
	    ladder_last(ladder) >= writer->log->last)
		return false;
	error_set(why, ERROR_MACHINE,
		  "it may be in the log, but the ladder does not follow it");
	return true;
}

/* ---- a game that counts nowhere ------------------------------------------- */

static int
write_aborted(struct writer *writer, struct writer_task *task,
	      struct error *why)
{
	char name[LADDER_FILE_BYTES];
	const struct ladder_log_ops *ops = writer->log->ops;

	if (task->queue_job != 0 && ops->drop != NULL &&
	    ops->drop(writer->log, task->queue_job, why) < 0)
		return -1;
	if (writer->dir == NULL)
		return 0;
	writer_file_name(task, name);
	if ((ladder_log_write(writer->dir_fd, name, &task->whole) < 0 &&
	     errno != EEXIST) ||
	    folder_sync(writer->dir_fd) < 0)
		return error_set(why, ERROR_MACHINE,
				 "cannot write the record %s/%s: %m",
				 writer->dir, name);
	ladder_log_write_asks(writer->dir_fd, name, task->asks);
	return 0;
}

static void
keep_aborted(struct writer *writer, struct writer_task *task)
{
	struct error why;

	task->header.used = task->bare;
	make_whole(task);
	if (write_aborted(writer, task, &why) < 0)
		fail(task, &why);
}

/* ---- a group ---------------------------------------------------------------- */

/* Gives serials to as many of the games as possible. */
static struct log_entry *
make_group(struct writer *writer, struct writer_task *tasks)
{
	struct log_entry *group = NULL, **end = &group;
	int64_t serial = writer->log->last;
	struct writer_task *task;
	struct error why;

	for (task = tasks; task != NULL; task = after(task)) {
		if (task->aborted) {
			keep_aborted(writer, task);
		} else if (stands_already(writer, task)) {
			continue;
		} else if (may_stand(writer, task, &why)) {
			fail(task, &why);
		} else {
			make_entry(writer, task, ++serial);
			*end = &task->entry;
			end = &task->entry.next;
		}
	}
	return group;
}

/* Marks the games that are not in the log. */
static void
mark_failed(struct writer_task *tasks, bool unsure, const struct error *why)
{
	struct writer_task *task;

	for (task = tasks; task != NULL; task = after(task))
		if (!task->aborted && !task->counted && !task->failed &&
		    !task->entry.durable) {
			fail(task, why);
			task->unsure = task->unsure || unsure;
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
mark_behind(struct writer_task *tasks, const struct error *why)
{
	struct writer_task *task;

	for (task = tasks; task != NULL; task = after(task)) {
		if (task->aborted || task->failed || task->counted)
			continue;
		task->behind = true;
		memcpy(&task->why, why, sizeof(task->why));
	}
}

/* Notes the result of a game whose group is in the log. */
static void
end_task(struct writer_task *task)
{
	if (task->entry.twin)
		task->counted = true;
	text_release(&task->whole);
}

/* Returns true if the ladder must follow before it is known what the log has. */
static bool
is_unsure(const struct writer *writer, const struct writer_task *tasks)
{
	bool unsure = writer->log->unsure;
	struct error why;

	for (; tasks != NULL && !unsure; tasks = after(tasks))
		unsure = may_stand(writer, tasks, &why);
	return unsure;
}

static void
write_group(struct writer *writer, struct writer_task *tasks)
{
	struct ladder *ladder = writer->log->ladder;
	struct log_entry *group;
	struct error why, late;
	bool lost;

	if (is_unsure(writer, tasks))
		(void)!follow(writer, NULL, &late);
	group = make_group(writer, tasks);
	if (group != NULL &&
	    writer->log->ops->append(writer->log, group, &why) < 0)
		mark_failed(tasks, writer->log->unsure, &why);
	if (group != NULL && follow(writer, group, &late) < 0)
		mark_behind(tasks, &late);
	lost = ladder != NULL && ladder_is_lost(ladder);
	for (; tasks != NULL; tasks = after(tasks)) {
		tasks->lost = lost;
		end_task(tasks);
	}
}

/* ---- the thread --------------------------------------------------------------- */

/* Does the first task, or all games up to the first other task.  Cuts the list
 * behind them and returns the rest. */
static struct writer_task *
do_first(struct writer *writer, struct writer_task *tasks)
{
	struct writer_task *last = tasks, *rest;

	if (tasks->run == NULL)
		while (after(last) != NULL && after(last)->run == NULL)
			last = after(last);
	rest = after(last);
	last->waits.next = NULL;
	if (tasks->run != NULL)
		tasks->run(tasks, writer->log->ladder, writer->log);
	else
		write_group(writer, tasks);
	return rest;
}

static void
work(void *arg, struct thread_task *waiting)
{
	struct writer *writer = arg;
	struct writer_task *tasks = (struct writer_task *)waiting, *rest;

	for (; tasks != NULL; tasks = rest) {
		rest = do_first(writer, tasks);
		thread_back(writer->thread, &tasks->waits);
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
writer_file_name(const struct writer_task *task, char name[LADDER_FILE_BYTES])
{
	if (task->aborted)
		snprintf(name, LADDER_FILE_BYTES, "%s.rec", task->id);
	else
		ladder_file_name(ENTRY_GAME, task->game.serial, task->id, name);
}

int
writer_fd(const struct writer *writer)
{
	return thread_fd(writer->thread);
}

void
writer_submit_all(struct writer *writer, struct writer_task *tasks)
{
	struct writer_task *task;

	for (task = tasks; task != NULL; task = after(task)) {
		if (task->failed)
			task->failed_before = true;
		else
			task->bare = task->header.used;
		task->failed = task->behind = task->counted = false;
		task->waits.done = NULL;
	}
	thread_ask_all(writer->thread, &tasks->waits);
}

void
writer_submit(struct writer *writer, struct writer_task *task)
{
	task->waits.next = NULL;
	writer_submit_all(writer, task);
}

void
writer_tell(struct writer *writer)
{
	struct writer_task *task;

	while ((task = (struct writer_task *)thread_take(writer->thread)) !=
	       NULL)
		task->done(task);
}
