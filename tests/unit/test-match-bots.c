/* tests/unit/test-match-bots.c - command lines and names of bots. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/message.h"
#include "referee/match/match-bots.h"
#include "tests/unit/ladder-kit.h"

static struct match_bots bots;
static struct error why;

static int
add(const char *spec)
{
	why.text[0] = '\0';
	return match_bots_add(&bots, spec, &why);
}

static void
end(void)
{
	match_bots_release(&bots);
}

TestSuite(match_bots, .fini = end);

Test(match_bots, a_command_line_is_cut_as_a_shell_would)
{
	static const struct {
		const char *spec;
		const char *word[5];
	} cases[] = {
		{ "true", { "true" } },
		{ "  true   a\tb ", { "true", "a", "b" } },
		{ "true 'a  b' \"c d\" e\\ f",
		  { "true", "a  b", "c d", "e f" } },
		{ "true '$HOME|;' \"\"", { "true", "$HOME|;", "" } },
		{ "true ~/x $BOT_WORD", { "true", "/home/of/mine/x", "one" } },
		{ "true a#b ''", { "true", "a#b", "" } },
	};
	size_t i, w;

	setenv("HOME", "/home/of/mine", 1);
	setenv("BOT_WORD", "one", 1);
	for (i = 0; i < NELEM(cases); i++) {
		cr_assert_eq(add(cases[i].spec), 0, "%s", why.text);
		for (w = 0; cases[i].word[w] != NULL; w++)
			cr_assert_str_eq(bots.bot[i].argv[w], cases[i].word[w]);
		cr_expect_null(bots.bot[i].argv[w], "%s", cases[i].spec);
		cr_expect_null(bots.bot[i].builtin);
		cr_expect_eq(bots.command[i], cases[i].spec);
	}
	cr_expect_eq(bots.count, NELEM(cases));
}

Test(match_bots, what_cannot_be_cut_says_why)
{
	static const char *const cases[][2] = {
		{ "", "a bot's command line is empty" },
		{ "  ", "a bot's command line is empty" },
		{ "a | b", "the bot's command line 'a | b' cannot be cut into "
			   "words: it has a line break or one of | & ; < > ( ) "
			   "{ } outside of quotes" },
		{ "a\nb", "the bot's command line 'a\nb' cannot be cut into "
			  "words: it has a line break or one of | & ; < > ( ) "
			  "{ } outside of quotes" },
		{ "a $NO_SUCH", "the bot's command line 'a $NO_SUCH' cannot be "
				"cut into words: it names a variable that is "
				"not set" },
		{ "a $(b)", "the bot's command line 'a $(b)' cannot be cut "
			    "into words: it asks for a command's output, which "
			    "only a shell gives" },
		{ "a `b`", "the bot's command line 'a `b`' cannot be cut into "
			   "words: it asks for a command's output, which only "
			   "a shell gives" },
		{ "a 'b", "the bot's command line 'a 'b' cannot be cut into "
			  "words: a quote or bracket is not closed" },
	};
	char longest[COMMAND_BYTES + 2];
	size_t i;

	unsetenv("NO_SUCH");
	for (i = 0; i < NELEM(cases); i++) {
		cr_expect_eq(add(cases[i][0]), -1);
		cr_expect_str_eq(why.text, cases[i][1]);
	}
	memset(longest, 'x', sizeof(longest));
	longest[COMMAND_BYTES + 1] = '\0';
	cr_expect_eq(add(longest), -1);
	cr_expect_str_eq(why.text,
			 "a bot's command line is longer than 4096 bytes");
	cr_expect_eq(bots.count, 0);
	longest[COMMAND_BYTES] = '\0';
	cr_expect_eq(add(longest), 0);
}

Test(match_bots, there_are_only_so_many)
{
	unsigned i;

	for (i = 0; i < BOTS_MAX; i++)
		cr_assert_eq(add(i % 2 ? "random" : "house"), 0);
	cr_expect_eq(add("random"), -1);
	cr_expect_str_eq(why.text, "more than 256 bots");
	cr_assert_eq(match_bots_ready(&bots, false, &why), 0, "%s", why.text);
	cr_expect_str_eq(bots.bot[0].name, "house");
	cr_expect_str_eq(bots.bot[1].name, "random");
	cr_expect_str_eq(bots.bot[2].name, "house-2");
	cr_expect_str_eq(bots.bot[255].name, "random-128");
	cr_expect_str_eq(bots.bot[255].builtin, "random");
}

Test(match_bots, a_name_is_given_to_the_bot_before_it)
{
	static const char *const bad[] = {
		"", "-x", ".a", "a b", "ä", "123456789012345678901234567890123"
	};
	size_t i;

	cr_expect_eq(match_bots_name(&bots, "x", &why), -1);
	cr_expect_str_eq(why.text, "--name comes after its --bot");
	cr_assert_eq(add("random"), 0);
	for (i = 0; i < NELEM(bad); i++)
		cr_expect_eq(match_bots_name(&bots, bad[i], &why), -1, "%s",
			     bad[i]);
	cr_expect_str_eq(why.text,
			 "a bot's name is 1 to 32 of A-Z a-z 0-9 . _ -, "
			 "the first a letter or digit, not "
			 "'123456789012345678901234567890123'");
	cr_assert_eq(match_bots_name(&bots, "12345678901234567890123456789012",
				     &why),
		     0);
	cr_expect_eq(match_bots_name(&bots, "x", &why), -1);
	cr_expect_str_eq(why.text,
			 "two names for one bot: "
			 "'12345678901234567890123456789012' and 'x'");
	cr_assert_eq(match_bots_ready(&bots, false, &why), 0);
	cr_expect_str_eq(bots.bot[0].name, "12345678901234567890123456789012");
	cr_assert_eq(add("house"), 0);
	cr_assert_eq(match_bots_name(&bots, "12345678901234567890123456789012",
				     &why),
		     0);
	cr_expect_eq(match_bots_ready(&bots, false, &why), -1);
	cr_expect_str_eq(why.text, "two bots have the name "
				   "'12345678901234567890123456789012'");
}

/* Adds a bot whose command is that file, by its path. */
static void
add_file(const char *name, const char *before)
{
	char spec[1024];
	static char kept[16][1024];
	unsigned i = bots.count;

	kit_write_file(kit_path(name), "#!/bin/sh\n", 10);
	cr_assert_eq(chmod(kit_path(name), 0755), 0);
	snprintf(spec, sizeof(spec), "%s'%s'", before, kit_path(name));
	memcpy(kept[i], spec, sizeof(spec));
	cr_assert_eq(add(kept[i]), 0, "%s", why.text);
}

Test(match_bots, bots_without_a_name_are_called_after_their_file)
{
	static const char *const names[] = {
		"bot",
		"my-bot",
		"hidden",
		"x.tar",
		"a_b",
		"bot-2",
		"sh",
		"bot-4",
		"12345678901234567890123456789012",
		"123456789012345678901234567890-2",
		"bot-3", /* its own */
	};
	unsigned i, j;

	kit_begin();
	add_file("bot.py", "sh -u ");
	add_file("my-bot", "");
	add_file(".hidden", "");
	add_file("x.tar.gz", "");
	add_file("a_(b)!", "");
	add_file("bot", "");
	cr_assert_eq(add("sh -c 'no file here'"), 0);
	add_file("!?", ""); /* nothing of it is left */
	add_file("12345678901234567890123456789012345", "");
	add_file("12345678901234567890123456789012346", "");
	cr_assert_eq(add("random"), 0);
	cr_assert_eq(match_bots_name(&bots, "bot-3", &why), 0);
	cr_assert_eq(match_bots_ready(&bots, false, &why), 0, "%s", why.text);
	for (i = 0; i < NELEM(names); i++) {
		cr_expect_str_eq(bots.bot[i].name, names[i]);
		cr_expect(message_name_ok(bots.bot[i].name,
					  strlen(bots.bot[i].name)));
		for (j = 0; j < i; j++)
			cr_expect_str_neq(bots.bot[i].name, bots.bot[j].name);
	}
	kit_end();
}

/* "-2" would be another bot in each match. */
Test(match_bots, on_a_ladder_nobody_is_called_by_a_number)
{
	static const char *const cases[][2] = { { "random", NULL },
						{ "house", "random" },
						{ "x/random", NULL } };
	size_t i;

	kit_begin();
	for (i = 0; i < NELEM(cases); i++) {
		cr_assert_eq(add("random"), 0);
		if (strchr(cases[i][0], '/') != NULL)
			add_file("random.py", "sh ");
		else
			cr_assert_eq(add(cases[i][0]), 0);
		if (cases[i][1] != NULL)
			cr_assert_eq(match_bots_name(&bots, cases[i][1], &why),
				     0);
		cr_expect_eq(match_bots_ready(&bots, true, &why), -1);
		cr_expect_str_eq(why.text, "two bots would be called 'random'; "
					   "give them --name");
		match_bots_release(&bots);
	}
	cr_assert_eq(add("random"), 0);
	cr_assert_eq(match_bots_name(&bots, "one", &why), 0);
	cr_assert_eq(add("random"), 0);
	cr_assert_eq(match_bots_ready(&bots, true, &why), 0, "%s", why.text);
	cr_expect_str_eq(bots.bot[1].name, "random");
	kit_end();
}

Test(match_bots, on_a_ladder_a_built_in_name_is_that_bot_s)
{
	static const struct {
		const char *spec, *name;
		bool rated, ok;
	} cases[] = {
		{ "sh x", "random", true, false },
		{ "sh x", "House", true, false },
		{ "house", "random", true, false },
		{ "random", "Random", true, false },
		{ "sh x", "random", false, true },
		{ "sh x", "random1", true, true },
		{ "random", "random", true, true },
		{ "random", "other", true, true },
	};
	size_t i;

	for (i = 0; i < NELEM(cases); i++) {
		cr_assert_eq(add(cases[i].spec), 0);
		cr_assert_eq(match_bots_name(&bots, cases[i].name, &why), 0);
		cr_expect_eq(match_bots_ready(&bots, cases[i].rated, &why),
			     cases[i].ok ? 0 : -1, "%s as %s", cases[i].spec,
			     cases[i].name);
		if (!cases[i].ok)
			cr_expect_not_null(
				strstr(why.text, "only the built-in bot"));
		match_bots_release(&bots);
	}
}
