/* tests/unit/desk.h - a writer and forty finished games for it, in the folder of
 * ladder-kit.h. */
#ifndef TESTS_UNIT_DESK_H
#define TESTS_UNIT_DESK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "referee/records/writer.h"
#include "tests/unit/one-ladder.h"

#define DESK_TASKS 40

/* All tests use these, and the ladder; the writer and its log are NULL before they
 * are opened. */
extern struct writer_task tasks[DESK_TASKS];
extern struct text bodies[DESK_TASKS];
extern struct writer *writer;
extern struct ladder_log *log_used; /* by the writer */

/* A suite's fixture: a fresh folder with all tasks prepared, without long bodies. */
void desk_set_up(void);
void desk_tear_down(void);

/* Prepares a task again, with game `number`; its body has at least this many
 * bytes. */
void desk_prepare_game(unsigned i, uint32_t number, size_t bytes);
void desk_prepare(unsigned i, size_t bytes); /* game i + 1 */

/* Begins a writer with this log, which it takes, and this folder, which may be NULL. */
void desk_begin_with(struct ladder_log *log, const char *records);
/* Begins a writer with a log of files, and with the ladder if games are rated. */
enum desk_log { UNRATED, RATED };
void desk_begin(enum desk_log rated);
void desk_end(void);

/* Puts a task that is done where desk_take() finds it. */
void desk_on_done(struct writer_task *task);
/* Waits for the task that is done next. */
struct writer_task *desk_take(void);
/* Submits tasks from..to-1, as one group if it says so, and takes them back in this
 * order. */
void desk_submit(unsigned from, unsigned to);
void desk_submit_group(unsigned from, unsigned to);

/* Limits the size of a file that this process can write. */
void desk_limit_files(rlim_t bytes);
/* Makes the ladder refuse all games, because another has the next serial, or accept
 * them again. */
void desk_hinder(bool hinders);

/* Counts the files in the folder beside the founding, and those of them that are no
 * whole records. */
unsigned desk_count_files(const char *dir, unsigned *broken);
/* Expects so many whole records in the folder, and no other files. */
void desk_expect_files(unsigned count);
const char *desk_path(const char *name); /* of a file among the records */
const char *desk_name(unsigned i); /* of the file of a task that is safe */
void desk_expect_record(unsigned i, const char *name);

/* Expects this state of each of the tasks from..to-1. */
enum desk_state { SAFE, FAILED, BEHIND, COUNTED };
void desk_expect(unsigned from, unsigned to, enum desk_state state);
void desk_expect_records(unsigned from, unsigned to); /* all are safe */
/* Expects the task still to have the faults of game `number`. */
void desk_expect_faults(unsigned i, uint32_t number);
/* Expects a failure whose text has `middle` and what `error` means. */
void desk_expect_failed(unsigned i, const char *middle, int error);
bool desk_rated(unsigned i); /* the ladder has the task's game */
/* Ends the writer.  Expects the whole log on the ladder, in agreement with the
 * records. */
void desk_expect_followed(void);

#endif
