/* tests/unit/desk.c */
#include "tests/unit/desk.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/ladder-kit.h"

struct writer_task tasks[DESK_TASKS];
struct text bodies[DESK_TASKS];
struct writer *writer;
struct ladder_log *log_used;

/* Holds the tasks that have come back, in this order, and how many of them were
 * taken. */
static struct writer_task *back[2 * DESK_TASKS];
static unsigned told, taken;

void
desk_on_done(struct writer_task *task)
{
	cr_assert_lt(told, NELEM(back));
	back[told++] = task;
}

void
desk_prepare_game(unsigned i, uint32_t number, size_t bytes)
{
	struct writer_task *task = &tasks[i];
	char text[8192];

	text_release(&task->header);
	text_release(&bodies[i]);
	memset(task, 0, sizeof(*task));
	kit_game(number, 0, &task->game);
	kit_record_text(&task->game, NULL, text, sizeof(text));
	text_init(&task->header, RECORD_BYTES);
	text_init(&bodies[i], RECORD_BYTES);
	text_add(&task->header, text,
		 (size_t)(strstr(text, "\n\n") + 1 - text));
	while (bodies[i].used < bytes)
		text_str(&bodies[i], "note ; this is a long comment\n");
	text_str(&bodies[i], strstr(text, "\n\n") + 2);
	task->done = desk_on_done;
	task->body = &bodies[i];
	task->number = i + 1;
	task->id = task->game.id;
}

void
desk_prepare(unsigned i, size_t bytes)
{
	desk_prepare_game(i, i + 1, bytes);
}

void
desk_set_up(void)
{
	kit_begin();
	for (unsigned i = 0; i < DESK_TASKS; i++)
		desk_prepare(i, 0);
}

void
desk_tear_down(void)
{
	desk_end();
	close_ladder();
	for (unsigned i = 0; i < DESK_TASKS; i++) {
		text_release(&tasks[i].header);
		text_release(&bodies[i]);
	}
	kit_end();
}

void
desk_expect(unsigned from, unsigned to, enum desk_state state)
{
	for (unsigned i = from; i < to; i++) {
		const struct writer_task *task = &tasks[i];

		cr_expect_eq(task->failed, state == FAILED, "task %u: %s", i,
			     task->why.text);
		cr_expect_eq(task->behind, state == BEHIND, "task %u: %s", i,
			     task->why.text);
		cr_expect_eq(task->counted, state == COUNTED, "task %u", i);
	}
}

void
desk_expect_records(unsigned from, unsigned to)
{
	desk_expect(from, to, SAFE);
	for (unsigned i = from; i < to; i++)
		desk_expect_record(i, desk_name(i));
}

void
desk_expect_faults(unsigned i, uint32_t number)
{
	struct ladder_game game;

	kit_game(number, 0, &game);
	for (unsigned s = 0; s < game.seats; s++)
		cr_expect_eq(memcmp(tasks[i].game.seat[s].faults,
				    game.seat[s].faults,
				    sizeof(game.seat[s].faults)),
			     0, "job %u, seat %u", i, s);
}

struct writer_task *
desk_take(void)
{
	struct pollfd pollfd = { .fd = writer_fd(writer), .events = POLLIN };

	for (writer_tell(writer); taken == told; writer_tell(writer))
		cr_assert_gt(poll(&pollfd, 1, 600000), 0);
	return back[taken++];
}

void
desk_submit(unsigned from, unsigned to)
{
	unsigned i;

	for (i = from; i < to; i++)
		writer_submit(writer, &tasks[i]);
	for (i = from; i < to; i++)
		cr_assert_eq(desk_take(), &tasks[i]);
	writer_tell(writer);
	cr_expect_eq(taken, told);
}

void
desk_begin_with(struct ladder_log *log, const char *records)
{
	writer = writer_new(log, records);
	cr_assert_not_null(writer);
	log_used = log;
}

void
desk_begin(enum desk_log rated)
{
	if (rated == RATED && ladder == NULL)
		open_ladder();
	desk_begin_with(kit_log(rated == RATED ? ladder : NULL),
			kit_path("records"));
}

void
desk_end(void)
{
	writer_free(writer);
	writer = NULL;
	ladder_log_free(log_used);
	log_used = NULL;
}

/* ---- groups ------------------------------------------------------------ */

/* A task that keeps the writer busy until the gate is open. */
struct gate {
	struct writer_task task; /* first */
	int fd[2];
};

static void
wait_at(struct writer_task *task, struct ladder *its UNUSED,
	struct ladder_log *log UNUSED)
{
	struct gate *gate = (struct gate *)task;
	char byte;

	cr_expect_eq(read(gate->fd[0], &byte, 1), 1);
}

void
desk_submit_group(unsigned from, unsigned to)
{
	struct gate gate = { .task.run = wait_at, .task.done = desk_on_done };
	unsigned i;

	cr_assert_eq(pipe2(gate.fd, O_CLOEXEC), 0);
	writer_submit(writer, &gate.task);
	for (i = from; i < to; i++)
		writer_submit(writer, &tasks[i]);
	cr_assert_eq(write(gate.fd[1], "", 1), 1);
	cr_assert_eq(desk_take(), &gate.task);
	for (i = from; i < to; i++)
		cr_assert_eq(desk_take(), &tasks[i]);
	close(gate.fd[0]);
	close(gate.fd[1]);
}

/* ---- what lies in the folder ------------------------------------------- */

unsigned
desk_count_files(const char *dir, unsigned *broken)
{
	char path[1024];
	struct dirent *entry;
	struct record *record;
	unsigned files = 0;
	DIR *open = opendir(dir);

	*broken = 0;
	cr_assert_not_null(open);
	while ((entry = readdir(open)) != NULL) {
		if (entry->d_name[0] == '.' ||
		    strstr(entry->d_name, ".ladder") != NULL)
			continue;
		files++;
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		if (strstr(entry->d_name, ".tmp") != NULL ||
		    record_read(path, &record, &why) != 0)
			++*broken;
		else
			record_free(record);
	}
	closedir(open);
	return files;
}

void
desk_expect_files(unsigned count)
{
	unsigned broken;

	cr_expect_eq(desk_count_files(kit_path("records"), &broken), count);
	cr_expect_eq(broken, 0);
}

const char *
desk_name(unsigned i)
{
	static char name[LADDER_FILE_BYTES];

	writer_file_name(&tasks[i], name);
	return name;
}

/* Expects the line once, even after several tries. */
static void
expect_once(const struct record *record, const char *key)
{
	unsigned i, count = 0;

	for (i = 0; i < record->headers; i++)
		count += strncmp(record->header[i].text, key, strlen(key)) == 0;
	cr_expect_leq(count, 1, "%s%u times", key, count);
}

void
desk_expect_record(unsigned i, const char *name)
{
	char path[1024];
	unsigned char hash[RECORD_HASH_BYTES];
	struct record *record;
	const mode_t mask = umask(0);
	struct stat st;

	umask(mask);
	snprintf(path, sizeof(path), "%s/%s", kit_path("records"), name);
	cr_assert_eq(record_read(path, &record, &why), 0, "%s", why.text);
	record_hash(record, hash);
	cr_expect_eq(memcmp(hash, tasks[i].hash, sizeof(hash)), 0);
	cr_expect_str_eq(record->id, tasks[i].id);
	expect_once(record, "ladder ");
	expect_once(record, "serial ");
	record_free(record);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0644 & ~mask);
}

bool
desk_rated(unsigned i)
{
	struct ladder_game game;
	const int result = ladder_game_find(ladder, tasks[i].id, &game, &why);

	cr_assert_geq(result, 0, "%s", why.text);
	return result == LADDER_FOUND;
}

void
desk_expect_followed(void)
{
	const struct ladder_rebuilding how = { 0 };
	struct ladder_log *log;
	struct ladder_rebuilt report;
	unsigned count = 0;

	desk_end();
	if (ladder == NULL)
		open_ladder();
	log = kit_log(ladder);
	cr_expect_eq(log->last, ladder_last(ladder));
	cr_assert_eq(ladder_follow(ladder, log, NULL, &count, &why), 0, "%s",
		     why.text);
	cr_expect_eq(count, 0);
	ladder_log_free(log);
	cr_assert_eq(ladder_rebuild(ladder, &how, &report, &why), 0, "%s",
		     why.text);
	cr_expect_eq(report.games, (unsigned)ladder_last(ladder));
	cr_expect(report.changed == 0 && report.added == 0 && report.gaps == 0);
}

void
desk_limit_files(rlim_t bytes)
{
	const struct rlimit limit = { bytes, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

const char *
desk_path(const char *name)
{
	char below[LADDER_FILE_BYTES + 16];

	snprintf(below, sizeof(below), "records/%s", name);
	return kit_path(below);
}

void
desk_expect_failed(unsigned i, const char *middle, int error)
{
	cr_assert(tasks[i].failed);
	cr_expect_not_null(strstr(tasks[i].why.text, middle), "%s",
			   tasks[i].why.text);
	cr_expect_not_null(strstr(tasks[i].why.text, strerror(error)), "%s",
			   tasks[i].why.text);
}

void
desk_hinder(bool hinders)
{
	const char *text =
		hinders ? "insert into game select ifnull(max(serial), 0) + 1,"
			  " 'hinders', 1, '', null, zeroblob(32) from game"
			: "delete from game where id = 'hinders'";
	sqlite3 *base;

	cr_assert_eq(sqlite3_open(kit_path("ladder.db"), &base), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(base, text, NULL, NULL, NULL), SQLITE_OK,
		     "%s", sqlite3_errmsg(base));
	sqlite3_close(base);
}
