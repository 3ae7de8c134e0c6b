/* tests/unit/test-seals.c - the folders of bots are read once, and not by the
 * loop. */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/import/files.h"
#include "referee/import/tree.h"
#include "referee/serve/seals.h"

static char data[64], hash[ROSTER_CONTENT_BYTES + 1];
static struct loop loop;
static struct seals *seals;
static unsigned calls;
static int found; /* what checked() was told */

static void
on_checked(void *arg UNUSED)
{
	struct error why;

	calls++;
	found = seals_look(seals, hash, &why);
}

static void
write_bot(const char *below, const char *bytes)
{
	char path[IMPORT_PATH_BYTES];
	int fd;

	import_path(data, hash, below, path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	cr_assert(fd >= 0 && file_write(fd, bytes, strlen(bytes)) == 0);
	close(fd);
}

static void
make_bot(void)
{
	char path[IMPORT_PATH_BYTES];

	import_path(data, hash, "", path);
	cr_assert_eq(mkdir(path, 0755), 0);
	import_path(data, hash, "bot", path);
	cr_assert_eq(mkdir(path, 0755), 0);
	write_bot("bot/play", "as it came");
}

/* Begins with a bot whose folder is named by its hash. */
static void
begin(void)
{
	char from[IMPORT_PATH_BYTES], to[IMPORT_PATH_BYTES];
	struct error why;

	snprintf(data, sizeof(data), "%s/seals.XXXXXX", getenv("TMPDIR"));
	cr_assert_not_null(mkdtemp(data));
	snprintf(from, sizeof(from), "%s/bots", data);
	cr_assert_eq(mkdir(from, 0755), 0);
	snprintf(hash, sizeof(hash), "new");
	make_bot();
	import_path(data, "new", "bot", from);
	cr_assert_eq(import_hash(from, hash, &why), 0, "%s", why.text);
	import_path(data, "new", "", from);
	import_path(data, hash, "", to);
	cr_assert_eq(rename(from, to), 0);
	cr_assert_eq(loop_init(&loop), 0);
	seals = seals_new(data);
	calls = 0;
}

static void
end(void)
{
	seals_free(seals);
	loop_release(&loop);
	cr_assert_eq(tree_remove(AT_FDCWD, data), 0);
}

static void
pass_until(unsigned count)
{
	while (calls < count)
		loop_pass(&loop); /* the thread wakes it */
}

static int
look(void)
{
	struct error why = { 0 };
	const int result = seals_look(seals, hash, &why);

	cr_expect_eq(result < 0, why.text[0] != '\0', "%s", why.text);
	return result;
}

Test(seals, reads_a_folder_once)
{
	begin();
	cr_expect_eq(look(), 1, "at once: there is no thread yet");
	write_bot("bot/play", "changed");
	cr_expect_eq(look(), 1, "it is not read again");
	end();
}

Test(seals, a_broken_one_is_read_again)
{
	begin();
	write_bot("bot/play", "changed");
	cr_expect_eq(look(), -1);
	seals_begin(seals, &loop, on_checked, NULL);
	cr_expect_eq(look(), 0);
	cr_expect_eq(look(), 0, "it is asked for once");
	pass_until(1);
	cr_expect_eq(found, -1);
	write_bot("bot/play", "as it came");
	cr_expect_eq(look(), 0);
	pass_until(2);
	cr_expect_eq(found, 1);
	cr_expect_eq(look(), 1);
	end();
}

Test(seals, what_was_imported_is_sound)
{
	begin();
	seals_begin(seals, &loop, on_checked, NULL);
	write_bot("bot/play", "changed");
	cr_expect_eq(look(), 0);
	seals_take(seals, hash);
	cr_expect_eq(look(), 1);
	seals_forget(seals);
	pass_until(1);
	cr_expect_eq(found, 1, "what was read before does not count");
	end();
}

Test(seals, a_folder_that_is_gone_is_forgotten)
{
	char path[IMPORT_PATH_BYTES], away[IMPORT_PATH_BYTES];

	begin();
	seals_begin(seals, &loop, on_checked, NULL);
	seals_take(seals, hash);
	seals_forget(seals);
	cr_expect_eq(look(), 1, "it is there");
	import_path(data, hash, "", path);
	import_path(data, "away", "", away);
	cr_assert_eq(rename(path, away), 0);
	seals_forget(seals);
	make_bot();
	write_bot("bot/play", "changed");
	cr_expect_eq(look(), 0);
	pass_until(1);
	cr_expect_eq(found, -1);
	end();
}

/* The end does not wait for the loop. */
Test(seals, ends_while_a_folder_is_read)
{
	begin();
	seals_begin(seals, &loop, on_checked, NULL);
	cr_expect_eq(look(), 0);
	end();
	cr_expect_eq(calls, 0);
}
