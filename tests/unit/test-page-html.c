/* tests/unit/test-page-html.c - what the loop notes for a page of people. */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "ladder/roster.h"
#include "referee/config/serve-config.h"
#include "referee/import/tree.h"
#include "referee/scheduler/ladders.h"
#include "referee/scheduler/local-bot.h"
#include "referee/web/page-html.h"

static const struct local_bot_calls calls;
static char data[64];
static struct loop loop;
static struct ladders ladders;
static struct config config;
static struct pages pages;

/* Adds a version to the bot `ada`. */
static void
enter(const char *hash)
{
	struct roster_entry entry = { .name = "ada" };
	struct error why;

	snprintf(entry.hash, sizeof(entry.hash), "%s", hash);
	cr_assert_eq(roster_enter(pages.roster, &entry, &why), 0, "%s",
		     why.text);
}

static void
begin(void)
{
	struct error why;

	snprintf(data, sizeof(data), "%s/page-html.XXXXXX", getenv("TMPDIR"));
	cr_assert_not_null(mkdtemp(data));
	cr_assert(sodium_init() >= 0);
	cr_assert_eq(loop_init(&loop), 0);
	pages = (struct pages){
		.ladders = &ladders,
		.config = &config,
		.locals = local_bots_new(&loop, &calls, NULL),
	};
	cr_assert_eq(roster_open(data, &pages.roster, &why), 0, "%s", why.text);
	enter("1");
}

static void
end(void)
{
	page_html_forget(&pages);
	roster_close(pages.roster);
	local_bots_free(pages.locals);
	loop_release(&loop);
	cr_assert_eq(tree_remove(AT_FDCWD, data), 0);
}

TestSuite(page_html, .init = begin, .fini = end);

static void
expect(const struct html_wish *wish, const char *bot, bool there)
{
	cr_expect_eq(ladder_local_find(wish->locals->local, wish->locals->count,
				       bot) != NULL,
		     there, "%s", bot);
}

Test(page_html, who_waits_shares_the_names_of_versions)
{
	struct html_wish first = { .page = HTML_FRONT }, second = first;

	page_html_note(&pages, &first);
	page_html_note(&pages, &second);
	cr_expect_eq(first.locals, second.locals, "the roster was read again");
	html_wish_release(&first);
	expect(&second, "ada", true);
	html_wish_release(&second);
}

Test(page_html, a_change_of_the_roster_is_read)
{
	struct html_wish old = { .page = HTML_FRONT }, new = old;

	page_html_note(&pages, &old);
	enter("2");
	pages.changes++;
	page_html_note(&pages, &new);
	expect(&old, "ada.2", false);
	expect(&new, "ada", true);
	expect(&new, "ada.2", true);
	html_wish_release(&new);
	html_wish_release(&old);
}
