/* tests/unit/test-scheduler-running.c - which games ran is told at the next start.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "referee/scheduler/scheduler-running.h"
#include "tests/unit/ladder-kit.h"

static const char *const pair[] = { "alice", "bob" };
static struct text told;

static void
on_ran(void *arg, const char *id, const char *const bot[], unsigned seats)
{
	(void)arg;
	text_fmt(&told, "%s", id + ID_BYTES - 2);
	for (unsigned s = 0; s < seats; s++)
		text_fmt(&told, " %s", bot[s]);
	text_str(&told, "\n");
}

/* What ran is in `told`. */
static struct running *
open_again(unsigned games)
{
	struct running *running;

	text_init(&told, 4096);
	running = running_open(kit_path("running"), games, on_ran, NULL);
	cr_assert_not_null(running, "%s", strerror(errno));
	return running;
}

static const char *
id_of(unsigned number)
{
	static char id[ID_BYTES + 1];

	snprintf(id, sizeof(id), "%0*x", ID_BYTES, number);
	return id;
}

static void
begin(struct running *running, unsigned number)
{
	running_begin(running, id_of(number), pair, 2);
}

static void
expect_told(struct running *running, const char *want)
{
	cr_expect_str_eq(text_string(&told), want);
	text_release(&told);
	running_close(running);
}

Test(scheduler_running, tells_what_has_not_ended)
{
	struct running *running;

	kit_begin();
	running = open_again(4);
	begin(running, 1);
	begin(running, 2);
	begin(running, 3);
	running_end(running, id_of(2));
	expect_told(running, "");
	expect_told(open_again(4), "01 alice bob\n03 alice bob\n");
	expect_told(open_again(4), "");
	kit_end();
}

/* A reload may allow more games at a time than there were at the start. */
Test(scheduler_running, takes_more_games_than_it_was_opened_for)
{
	struct running *running;

	kit_begin();
	running = open_again(1);
	begin(running, 1);
	begin(running, 2);
	begin(running, 3);
	running_end(running, id_of(2));
	begin(running, 4);
	expect_told(running, "");
	expect_told(open_again(1),
		    "01 alice bob\n04 alice bob\n03 alice bob\n");
	expect_told(open_again(1), "");
	kit_end();
}

/* The daemon does its work without the file. */
Test(scheduler_running, no_file_is_fine)
{
	kit_begin();
	cr_expect_null(running_open(kit_path("none/running"), 1, on_ran, NULL));
	cr_expect_eq(errno, ENOENT);
	begin(NULL, 1);
	running_end(NULL, id_of(1));
	running_close(NULL);
	kit_end();
}
