/* tests/unit/test-roster-owner.c - owners' accounts, the code, bans, deeds. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ladder/roster-owner.h"
#include "protocol/clock.h"
#include "tests/unit/ladder-kit.h"

static struct error why;
static char token[ROSTER_TOKEN_BYTES + 1];
static struct roster *roster;

static void
begin(void)
{
	kit_begin();
	OK(roster_open(kit_path("."), &roster, &why));
}

static void
end(void)
{
	roster_close(roster);
	kit_end();
}

TestSuite(roster_owner, .init = begin, .fini = end);

#define REFUSED(call, part) FAILS(call, ERROR_INPUT, part)

static void
open_again(void)
{
	roster_close(roster);
	OK(roster_open(kit_path("."), &roster, &why));
}

static bool
owner_fits(const char *name, const char *with)
{
	struct roster_owner owner;
	bool fits;

	OK(roster_owner_check(roster, name, with, strlen(with), &fits, &owner,
			      &why));
	if (fits)
		cr_expect_str_eq(owner.name, name);
	return fits;
}

static void
make_code(unsigned accounts, char code[ROSTER_TOKEN_BYTES + 1])
{
	OK(roster_new_code(roster, accounts, clock_seconds() + 1000, code,
			   &why));
	cr_assert_eq(strlen(code), ROSTER_CODE_BYTES);
}

/* Two accounts by one code, and no third; tokens outlive the process. */
Test(roster_owner, sign_up)
{
	char code[ROSTER_TOKEN_BYTES + 1], ann[ROSTER_TOKEN_BYTES + 1];

	REFUSED(roster_sign_up(roster, "", "ann", ann, &why), "wrong code");
	make_code(2, code);
	REFUSED(roster_sign_up(roster, "0123456789abcdef", "ann", ann, &why),
		"wrong code");
	REFUSED(roster_sign_up(roster, code, "a b", ann, &why),
		"an owner's name");
	OK(roster_sign_up(roster, code, "ann", ann, &why));
	REFUSED(roster_sign_up(roster, code, "ANN", token, &why), "is taken");
	cr_expect_str_empty(token);
	OK(roster_sign_up(roster, code, "ben", token, &why));
	REFUSED(roster_sign_up(roster, code, "cas", token, &why), "has ended");
	open_again();
	cr_expect(owner_fits("ann", ann));
	cr_expect_not(owner_fits("ben", ann));
	cr_expect_not(owner_fits("cas", ann));
	cr_expect_not(owner_fits("", ann));
	cr_expect_not(owner_fits("ann", ""));
}

/* No stranger passes for the organiser, or for a bot of the referee's. */
Test(roster_owner, names_that_are_reserved)
{
	static const char *const names[] = {
		"organiser", "Organiser", "trial", "random", "HOUSE", "local"
	};
	char code[ROSTER_TOKEN_BYTES + 1];

	make_code(1, code);
	for (size_t i = 0; i < NELEM(names); i++) {
		REFUSED(roster_sign_up(roster, "0123456789abcdef", names[i],
				       token, &why),
			"wrong code");
		REFUSED(roster_sign_up(roster, code, names[i], token, &why),
			"is reserved");
	}
	OK(roster_sign_up(roster, code, "locals", token, &why));
}

/* A name that the organiser gave to a bot's owner is taken, too. */
Test(roster_owner, names_that_are_taken)
{
	char code[ROSTER_TOKEN_BYTES + 1];

	make_code(9, code);
	OK(roster_add(roster, "bot", "Ann", token, &why));
	REFUSED(roster_sign_up(roster, code, "ann", token, &why), "is taken");
	OK(roster_owner_token(roster, "Ann", token, &why));
	cr_expect(owner_fits("Ann", token));
}

Test(roster_owner, a_code_ends)
{
	char old[ROSTER_TOKEN_BYTES + 1], code[ROSTER_TOKEN_BYTES + 1];

	make_code(9, old);
	make_code(9, code);
	REFUSED(roster_sign_up(roster, old, "ann", token, &why), "wrong code");
	OK(roster_new_code(roster, 9, clock_seconds(), code, &why));
	REFUSED(roster_sign_up(roster, code, "ann", token, &why), "has ended");
	make_code(9, code);
	OK(roster_drop_code(roster, &why));
	REFUSED(roster_sign_up(roster, code, "ann", token, &why), "wrong code");
}

Test(roster_owner, another_token)
{
	char old[ROSTER_TOKEN_BYTES + 1];

	OK(roster_owner_token(roster, "ann", old, &why));
	OK(roster_owner_token(roster, "ann", token, &why));
	cr_expect_not(owner_fits("ann", old));
	cr_expect(owner_fits("ann", token));
}

/* A token of a bot is none of an owner of the same number, and the other way
 * round. */
Test(roster_owner, tokens_of_two_kinds)
{
	char bot[ROSTER_TOKEN_BYTES + 1], owner[ROSTER_TOKEN_BYTES + 1];
	struct roster_bot known;
	bool fits;

	OK(roster_add(roster, "ann", "", bot, &why));
	OK(roster_owner_token(roster, "ann", owner, &why));
	cr_expect_not(owner_fits("ann", bot));
	OK(roster_check(roster, "ann", 3, owner, strlen(owner), &fits, &known,
			&why));
	cr_expect_not(fits);
}

static enum roster_state
state(const char *name, const char *reason)
{
	struct roster_bot bot;

	OK(roster_find(roster, name, &bot, &why));
	cr_expect_str_eq(bot.reason, reason, "%s", name);
	return bot.state;
}

/* A ban takes the bots that play, and gives back only those. */
Test(roster_owner, ban)
{
	struct roster_owner owner;

	OK(roster_add(roster, "plays", "ann", token, &why));
	OK(roster_add(roster, "loops", "ann", token, &why));
	OK(roster_add(roster, "other", "ben", token, &why));
	OK(roster_add(roster, "rests", "ann", token, &why));
	OK(roster_add(roster, "free", "", token, &why));
	OK(roster_disable(roster, "loops", "owner banned", &why));
	OK(roster_withdraw(roster, "rests", &why));
	OK(roster_ban(roster, "ann", "cheats", &why));
	cr_expect_eq(state("plays", ""), ROSTER_BANNED);
	cr_expect_eq(state("loops", "owner banned"), ROSTER_DISABLED);
	cr_expect_eq(state("other", ""), ROSTER_ENABLED);
	cr_expect_eq(state("free", ""), ROSTER_ENABLED);
	REFUSED(roster_add(roster, "more", "ann", token, &why),
		"ann is banned");
	REFUSED(roster_set_owner(roster, "free", "ann", &why), "is banned");
	REFUSED(roster_owner_token(roster, "ann", token, &why), "is banned");
	OK(roster_owner_find(roster, "ann", &owner, &why));
	cr_expect_eq(owner.state, ROSTER_BANNED);
	cr_expect_str_eq(owner.reason, "cheats");
	OK(roster_unban(roster, "ann", &why));
	cr_expect_eq(state("plays", ""), ROSTER_ENABLED);
	cr_expect_eq(state("loops", "owner banned"), ROSTER_DISABLED);
	cr_expect_eq(state("rests", ""), ROSTER_WITHDRAWN);
	OK(roster_owner_token(roster, "ann", token, &why));
	REFUSED(roster_ban(roster, "nemo", "", &why), "no owner nemo");
	REFUSED(roster_unban(roster, "nemo", &why), "no owner nemo");
}

/* A banned owner's bot cannot be enabled by its own line. */
Test(roster_owner, a_ban_cannot_be_undone_bot_by_bot)
{
	OK(roster_add(roster, "plays", "ann", token, &why));
	OK(roster_ban(roster, "ann", "", &why));
	REFUSED(roster_enable(roster, "plays", &why), "ann is banned");
	OK(roster_unban(roster, "ann", &why));
	OK(roster_enable(roster, "plays", &why));
}

Test(roster_owner, days)
{
	int64_t count;

	OK(roster_add_count(roster, ROSTER_TRIALS, "ann", 20000, 3, &why));
	OK(roster_add_count(roster, ROSTER_TRIALS, "ann", 20000, 4, &why));
	open_again();
	OK(roster_count(roster, ROSTER_TRIALS, "ann", 20000, &count, &why));
	cr_expect_eq(count, 7);
	OK(roster_count(roster, ROSTER_UPLOADS, "ann", 20000, &count, &why));
	cr_expect_eq(count, 0);
	OK(roster_add_count(roster, ROSTER_TRIALS, "ann", 20000, -8, &why));
	OK(roster_count(roster, ROSTER_TRIALS, "ann", 20000, &count, &why));
	cr_expect_eq(count, 0, "and never less");
	OK(roster_add_count(roster, ROSTER_TRIALS, "bob", 20000, -1, &why));
	OK(roster_count(roster, ROSTER_TRIALS, "bob", 20000, &count, &why));
	cr_expect_eq(count, 0);
	OK(roster_add_count(roster, ROSTER_TRIALS, "ann", 20000, 1, &why));
	OK(roster_add_count(roster, ROSTER_UPLOADS, "x", 20001, 1, &why));
	OK(roster_count(roster, ROSTER_TRIALS, "ann", 20000, &count, &why));
	cr_expect_eq(count, 1, "the calendar may be set back by a day");
	OK(roster_add_count(roster, ROSTER_UPLOADS, "x", 20002, 1, &why));
	OK(roster_count(roster, ROSTER_TRIALS, "ann", 20000, &count, &why));
	cr_expect_eq(count, 0);
}

Test(roster_owner, last_use)
{
	struct roster_owner owner;
	struct roster_bot bot;

	OK(roster_add(roster, "bot", "ann", token, &why));
	OK(roster_owner_token(roster, "ann", token, &why));
	OK(roster_find(roster, "bot", &bot, &why));
	cr_expect_eq(bot.token_used, 0);
	OK(roster_bot_came(roster, bot.number, 20000, &why));
	OK(roster_owner_find(roster, "ann", &owner, &why));
	OK(roster_owner_came(roster, owner.number, 20001, &why));
	OK(roster_find(roster, "bot", &bot, &why));
	OK(roster_owner_find(roster, "ann", &owner, &why));
	cr_expect_eq(bot.token_used, 20000);
	cr_expect_eq(owner.token_used, 20001);
	OK(roster_new_token(roster, "bot", token, &why));
	OK(roster_find(roster, "bot", &bot, &why));
	cr_expect_eq(bot.token_used, 0, "another token was never shown");
}

static void
on_deed(void *arg, const struct roster_deed *deed)
{
	text_fmt(arg, "%lld %s %s %s %s\n", (long long)deed->number, deed->who,
		 deed->what, deed->name, deed->note);
}

static void
on_bot(void *arg, const char *bot)
{
	text_fmt(arg, "%s ", bot);
}

/* Each change is told, the last one first; one that fails is not. */
Test(roster_owner, deeds)
{
	struct text text = { .max = SIZE_MAX };

	OK(roster_add(roster, "bot", "ann", token, &why));
	roster_by(roster, "owner ann");
	OK(roster_new_token(roster, "bot", token, &why));
	REFUSED(roster_delete(roster, "nobody", &why), "no bot");
	OK(roster_withdraw(roster, "bot", &why));
	roster_by(roster, "organiser");
	OK(roster_ban(roster, "ann", "cheats", &why));
	OK(roster_write_deed(roster, "void", "quick", "game 7", &why));
	open_again();
	OK(roster_deeds(roster, 4, on_deed, &text, &why));
	cr_expect_str_eq(text_string(&text), "5 organiser void quick game 7\n"
					     "4 organiser ban ann cheats\n"
					     "3 owner ann withdraw bot \n"
					     "2 owner ann token bot \n");
	text_clear(&text);
	OK(roster_owner_bots(roster, "ann", on_bot, &text, &why));
	cr_expect_str_eq(text_string(&text), "bot ");
	text_release(&text);
}
