/* tests/unit/test-writer-elsewhere.c - a writer whose log is elsewhere. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/desk.h"
#include "tests/unit/ladder-kit.h"

TestSuite(writer_elsewhere, .init = desk_set_up, .fini = desk_tear_down);

struct count {
	struct writer_task task;
	unsigned rated;
};

/* ---- with a log elsewhere ---------------------------------------------- */

/* Holds the whole records of the log elsewhere, by serial. */
static struct {
	struct text record[DESK_TASKS + 1];
	char id[DESK_TASKS + 1][ID_BYTES + 1];
	int64_t job[DESK_TASKS + 1], dropped;
	unsigned kept, early; /* early: a record was here before it was in the
			       * log */
	bool refuses, is_deaf;
	bool is_silent; /* it keeps them, but does not answer */
} there;

/* The files here are a copy of such a log. */
struct elsewhere {
	struct ladder_log log; /* first */
	struct ladder_log *here;
};

static int
no_answer(struct error *error)
{
	return error_set(error, ERROR_MACHINE, "no answer");
}

static void
keep_one(const struct log_entry *entry)
{
	struct text *record = &there.record[entry->serial];
	char name[LADDER_FILE_BYTES];

	cr_assert_leq(entry->serial, DESK_TASKS);
	cr_assert_eq(record->used, 0, "it is decided already");
	for (int i = 1; i <= DESK_TASKS; i++)
		cr_assert_str_neq(there.id[i], entry->id, "it stands there");
	ladder_file_name(entry->kind, entry->serial, entry->id, name);
	there.early += access(desk_path(name), F_OK) == 0;
	there.kept++;
	text_init(record, RECORD_BYTES);
	text_add(record, entry->text->bytes, entry->text->used);
	snprintf(there.id[entry->serial], ID_BYTES + 1, "%s", entry->id);
	there.job[entry->serial] = entry->queue_job;
}

/* Returns the entries above this serial. */
static struct log_entry *
fetch(int64_t serial)
{
	struct log_entry *group = NULL, **end_of = &group;
	const struct text *record;

	while (++serial <= DESK_TASKS && there.record[serial].used > 0) {
		record = &there.record[serial];
		*end_of = ladder_log_entry("there", record->bytes, record->used,
					   NULL, 0, &why);
		cr_assert_not_null(*end_of, "%s", why.text);
		end_of = &(*end_of)->next;
	}
	return group;
}

static int
elsewhere_bring(struct ladder_log *log, struct error *error)
{
	struct elsewhere *elsewhere = (struct elsewhere *)log;
	struct ladder_log *here = elsewhere->here;
	struct log_entry *group, *entry;
	int result = 0;

	if (there.is_deaf)
		return no_answer(error);
	group = fetch(here->last);
	for (entry = group; entry != NULL; entry = entry->next)
		log->last = entry->serial;
	log->unsure = false;
	if (group != NULL)
		result = here->ops->append(here, group, error);
	ladder_log_forget(group);
	log->here = here->last;
	return result;
}

static int
elsewhere_append(struct ladder_log *log, struct log_entry *group,
		 struct error *error)
{
	struct ladder_log *here = ((struct elsewhere *)log)->here;
	struct log_entry *entry;
	struct error ignored;

	if (log->unsure && elsewhere_bring(log, error) < 0 && log->unsure)
		return -1;
	if (there.refuses)
		return no_answer(error);
	cr_assert_eq(group->serial, log->last + 1);
	for (entry = group; entry != NULL; entry = entry->next)
		keep_one(entry);
	log->unsure = there.is_silent;
	if (there.is_silent)
		return no_answer(error);
	if (here->last + 1 == group->serial)
		(void)!here->ops->append(here, group, &ignored);
	log->here = here->last;
	for (entry = group; entry != NULL; entry = entry->next) {
		entry->durable = true;
		log->last = entry->serial;
	}
	return 0;
}

static int
elsewhere_drop(struct ladder_log *log UNUSED, int64_t queue_job,
	       struct error *error)
{
	if (there.refuses)
		return no_answer(error);
	there.dropped = queue_job;
	return 0;
}

static void
elsewhere_free(struct ladder_log *log)
{
	struct elsewhere *elsewhere = (struct elsewhere *)log;

	ladder_log_free(elsewhere->here);
	free(elsewhere);
}

static const struct ladder_log_ops elsewhere_ops = {
	.append = elsewhere_append,
	.read = ladder_log_read,
	.bring = elsewhere_bring,
	.drop = elsewhere_drop,
	.free = elsewhere_free,
};

/* Begins a writer elsewhere: the ladder follows, and this many games are new to it. */
static void
begin_elsewhere(unsigned news)
{
	struct elsewhere *elsewhere = zeroed(1, sizeof(*elsewhere));
	struct ladder_log *here;
	unsigned count = 0;

	open_ladder();
	here = kit_log(ladder);
	elsewhere->here = here;
	elsewhere->log = (struct ladder_log){ .ops = &elsewhere_ops,
					      .ladder = ladder,
					      .last = here->last,
					      .here = here->last,
					      .unsure = true };
	OK(ladder_follow(ladder, &elsewhere->log, NULL, &count, &why));
	cr_expect_eq(count, news);
	desk_begin_with(&elsewhere->log, kit_path("records"));
}

/* Expects these games in log, folder and ladder, each once. */
static void
end_elsewhere(unsigned games)
{
	struct ladder_game game;
	unsigned i;

	desk_end();
	cr_expect_eq(there.kept, games);
	cr_expect_eq(there.early, 0);
	desk_expect_files(games);
	for (i = 0; i < games; i++) {
		cr_assert_eq(ladder_game_find(ladder, tasks[i].id, &game, &why),
			     LADDER_FOUND);
		cr_expect_eq(game.serial, tasks[i].game.serial);
		cr_expect_str_eq(there.id[game.serial], tasks[i].id);
		desk_expect_record(i, desk_name(i));
	}
	desk_expect_followed();
	for (i = 0; i <= DESK_TASKS; i++)
		text_release(&there.record[i]);
}

/* The log decides before a record is on disk. */
Test(writer_elsewhere, a_log_comes_before_the_folder)
{
	tasks[7].queue_job = 70;
	begin_elsewhere(0);
	desk_submit(0, 20);
	desk_expect(0, 20, SAFE);
	cr_expect_eq(there.job[8], 70);
	end_elsewhere(20);
}

/* A game that the log refuses takes no serial, and can be submitted once more. */
Test(writer_elsewhere, a_log_that_refuses)
{
	begin_elsewhere(0);
	desk_submit(0, 5);
	there.refuses = true;
	desk_submit(5, 9);
	desk_expect(5, 9, FAILED);
	there.refuses = false;
	desk_submit(7, 12);
	desk_submit(5, 7);
	desk_expect(0, 12, SAFE);
	cr_expect_eq(tasks[7].game.serial, 6);
	end_elsewhere(12);
}

/* The answer of the log is lost: its games are written to disk first, and are
 * found when they are submitted again in another order. */
Test(writer_elsewhere, a_log_whose_answer_is_lost)
{
	unsigned i;

	begin_elsewhere(0);
	there.is_silent = true;
	desk_submit(0, 6);
	desk_expect(0, 6, FAILED);
	there.is_silent = false;
	desk_submit(3, 8);
	desk_submit(0, 3);
	desk_expect(0, 6, COUNTED);
	desk_expect(6, 8, SAFE);
	for (i = 0; i < 8; i++) {
		cr_expect_eq(tasks[i].game.serial, (int64_t)i + 1);
		desk_expect_faults(i, i + 1);
	}
	end_elsewhere(8);
}

/* While the disk has no room, it is unknown that the log has them; others go
 * on. */
Test(writer_elsewhere, a_log_whose_answer_is_lost_beside_a_full_disk)
{
	desk_prepare(2, 1000000);
	begin_elsewhere(0);
	desk_submit(0, 2);
	desk_limit_files(400000);
	there.is_silent = true;
	desk_submit(2, 3);
	cr_expect(tasks[2].failed);
	there.is_silent = false;
	desk_submit_group(2, 5);
	cr_expect(tasks[2].failed);
	cr_expect_not_null(strstr(tasks[2].why.text, "it may be in the log"),
			   "%s", tasks[2].why.text);
	desk_expect(3, 5, BEHIND);
	desk_limit_files(RLIM_INFINITY);
	desk_submit(5, 6);
	desk_submit(2, 3);
	desk_expect(2, 3, COUNTED);
	end_elsewhere(6);
}

/* It is found out later, too, if no other game comes. */
Test(writer_elsewhere, a_log_whose_answer_is_lost_before_the_disk_has_room)
{
	desk_prepare(2, 1000000);
	begin_elsewhere(0);
	desk_submit(0, 2);
	desk_limit_files(400000);
	there.is_silent = true;
	desk_submit(2, 3);
	there.is_silent = false;
	desk_submit(2, 3);
	desk_expect(2, 3, FAILED);
	desk_limit_files(RLIM_INFINITY);
	desk_submit(2, 3);
	desk_expect(2, 3, COUNTED);
	end_elsewhere(3);
}

/* Until the log answers, nothing more is decided. */
Test(writer_elsewhere, a_log_that_is_silent_for_long)
{
	begin_elsewhere(0);
	there.is_silent = there.is_deaf = true;
	desk_submit_group(0, 4);
	cr_expect_eq(there.kept, 4);
	desk_submit(2, 6);
	desk_expect(0, 6, FAILED);
	cr_expect_eq(there.kept, 4);
	there.is_silent = there.is_deaf = false;
	desk_submit_group(2, 8);
	desk_submit(0, 2);
	desk_expect(0, 4, COUNTED);
	desk_expect(4, 8, SAFE);
	end_elsewhere(8);
}

/* The next writer finds a decided game. */
Test(writer_elsewhere, a_log_whose_answer_came_after_the_end)
{
	begin_elsewhere(0);
	desk_submit(0, 2);
	there.is_silent = there.is_deaf = true;
	desk_submit(2, 3);
	cr_expect(tasks[2].failed);
	desk_end();
	close_ladder();
	there.is_silent = there.is_deaf = false;
	begin_elsewhere(1);
	desk_submit(2, 4);
	desk_expect(2, 3, COUNTED);
	desk_expect(3, 4, SAFE);
	end_elsewhere(4);
}

/* Games in the log are safe, and are written to disk when it has room or at the
 * next start. */
Test(writer_elsewhere, a_log_is_ahead_of_a_full_disk)
{
	unsigned i;

	for (i = 4; i < 9; i++)
		desk_prepare(i, 1000000);
	begin_elsewhere(0);
	desk_submit(0, 4);
	desk_limit_files(400000);
	desk_submit_group(4, 6);
	desk_submit(6, 7);
	desk_expect(0, 4, SAFE);
	desk_expect(4, 7, BEHIND);
	cr_expect_not_null(strstr(tasks[6].why.text, strerror(EFBIG)), "%s",
			   tasks[6].why.text);
	desk_limit_files(RLIM_INFINITY);
	desk_submit(7, 8);
	desk_expect(7, 8, SAFE);
	cr_expect_eq(ladder_last(ladder), 8);
	desk_limit_files(400000);
	desk_submit(8, 9);
	desk_expect(8, 9, BEHIND);
	desk_end();
	close_ladder();
	desk_limit_files(RLIM_INFINITY);
	begin_elsewhere(1);
	end_elsewhere(9);
}

static void
let_follow(struct writer_task *task, struct ladder *its, struct ladder_log *log)
{
	unsigned rated = 0;

	OK(ladder_follow(its, log, NULL, &rated, &why));
	((struct count *)task)->rated = rated;
}

/* The ladder also follows when its owner says so, not only with the next game. */
Test(writer_elsewhere, a_ladder_that_is_behind_follows_by_a_task)
{
	struct count count = { .task.run = let_follow,
			       .task.done = desk_on_done };

	desk_prepare(2, 1000000);
	begin_elsewhere(0);
	desk_submit(0, 2);
	desk_limit_files(400000);
	desk_submit(2, 3);
	cr_expect(tasks[2].behind);
	desk_limit_files(RLIM_INFINITY);
	writer_submit(writer, &count.task);
	cr_assert_eq(desk_take(), &count.task);
	cr_expect_eq(count.rated, 1);
	end_elsewhere(3);
}

/* The queue is told about a game without a result. */
Test(writer_elsewhere, an_aborted_game_is_dropped_there)
{
	tasks[3].aborted = tasks[4].aborted = true;
	tasks[3].queue_job = 30;
	begin_elsewhere(0);
	desk_submit(0, 3);
	there.refuses = true;
	desk_submit(3, 5);
	cr_expect(tasks[3].failed);
	cr_expect_not(tasks[4].failed, "the queue does not know it");
	desk_expect_files(4);
	there.refuses = false;
	desk_submit(3, 4);
	cr_expect_not(tasks[3].failed, "%s", tasks[3].why.text);
	cr_expect_eq(there.dropped, 30);
	desk_expect_record(3, desk_name(3));
	cr_assert_eq(unlink(desk_path(desk_name(3))), 0);
	cr_assert_eq(unlink(desk_path(desk_name(4))), 0);
	end_elsewhere(3);
}
