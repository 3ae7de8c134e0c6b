/* tests/unit/test-bots-folder.c - which bots a folder of bots has, up to the limits;
 * tests/end-to-end/test-folder-of-bots.py plays and builds them. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "referee/base/command.h"
#include "referee/cli/bots-folder.h"
#include "referee/config/bot-folder.h"
#include "tests/unit/ladder-kit.h"

static struct match_bots bots;

static void
begin(void)
{
	kit_begin();
	cr_assert_eq(mkdir(kit_path("bots"), 0700), 0);
}

static void
end(void)
{
	match_bots_release(&bots);
	kit_end();
}

/* A bot of this name in the folder, called another by its manifest. */
static void
make(const char *name)
{
	static const char conf[] = "name = same\nrun = { sh, x }\n";
	char below[128];

	snprintf(below, sizeof(below), "bots/%s", name);
	cr_assert_eq(mkdir(kit_path(below), 0700), 0);
	snprintf(below, sizeof(below), "bots/%s/" BOT_FOLDER_MANIFEST, name);
	kit_write_file(kit_path(below), conf, sizeof(conf) - 1);
}

static int
add(void)
{
	return bots_folder_add(&bots, kit_path("bots"), game_find("toepen"),
			       SANDBOX_NONE);
}

Test(bots_folder, the_order_is_that_of_the_bytes, .init = begin, .fini = end)
{
	static const char *const names[] = { "B",  "_",	 "a", "a-",
					     "a.", "aa", "b" };
	struct error why;

	for (size_t i = NELEM(names); i-- > 0;)
		if (names[i][0] != '_')
			make(names[i]);
	make(".git");
	cr_assert_eq(add(), EXIT_DONE);
	cr_assert_eq(bots.count, NELEM(names) - 1);
	for (unsigned i = 0, b = 0; i < NELEM(names); i++)
		if (names[i][0] != '_')
			cr_expect_str_eq(bots.bot[b++].name, names[i]);
	cr_assert_eq(match_bots_ready(&bots, true, &why), 0, "%s", why.text);
	cr_expect_str_eq(bots.bot[0].name, "B");
}

Test(bots_folder, there_are_only_so_many, .init = begin, .fini = end)
{
	char name[16];

	for (unsigned i = 0; i < BOTS_MAX; i++) {
		snprintf(name, sizeof(name), "bot%u", i);
		make(name);
	}
	cr_assert_eq(add(), EXIT_DONE);
	cr_expect_eq(bots.count, BOTS_MAX);
	match_bots_release(&bots);
	make("x");
	cr_redirect_stderr();
	cr_expect_eq(add(), EXIT_USAGE);
	cr_expect_eq(bots.count, 0, "none of them was taken");
	fflush(stderr);
}

Test(bots_folder, a_name_has_only_so_many_bytes, .init = begin, .fini = end)
{
	char name[NAME_BYTES + 2];

	memset(name, 'x', sizeof(name));
	name[NAME_BYTES + 1] = '\0';
	make(name + 1);
	cr_assert_eq(add(), EXIT_DONE);
	cr_expect_str_eq(bots.bot[0].name, name + 1);
	match_bots_release(&bots);
	make(name);
	cr_redirect_stderr();
	cr_expect_eq(add(), EXIT_USAGE);
}

Test(bots_folder, a_bot_moves_to_its_copy, .init = begin, .fini = end)
{
	struct error why;
	char to[1024];

	make("one");
	make("two");
	cr_assert_eq(add(), EXIT_DONE);
	snprintf(to, sizeof(to), "%s", kit_path("bots/two"));
	cr_assert_eq(match_bots_move(&bots, 0, to, &why), 0, "%s", why.text);
	cr_expect_str_eq(bots.bot[0].name, "one");
	cr_expect_str_eq(bots.bot[0].folder, to);
	cr_expect_str_neq(bots.bot[0].spec, to, "the folder that was given");
	cr_expect_eq(bots.bot[0].argv, bots.folder[0]->run);
	cr_expect_eq(match_bots_move(&bots, 0, kit_path("gone"), &why), -1);
	cr_expect_str_eq(bots.bot[0].folder, to, "it stays where it was");
}
