/* tests/unit/test-game-notes.c - the output of games that is kept for the
 * author. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/web/game-notes.h"

static struct game_notes *notes;
static struct text told;

static void
begin(size_t bytes)
{
	notes = game_notes_new(bytes);
	text_init(&told, (size_t)64 << 20);
}

static void
finish(void)
{
	game_notes_free(notes);
	text_release(&told);
}

TestSuite(game_notes, .fini = finish);

static const char *
of(const char *bot)
{
	text_clear(&told);
	game_notes_tell(notes, bot, &told);
	return text_string(&told);
}

/* Ends game `number`, in which the bot has written `n` bytes. */
static void
play(const char *bot, unsigned number, size_t n)
{
	char id[ID_BYTES + 1], *bytes = malloc(n);

	memset(bytes, 'x', n);
	snprintf(id, sizeof(id), "%u", number);
	game_notes_wrote(notes, bot, id, 0, 0, bytes, n);
	free(bytes);
}

Test(game_notes, are_told_to_no_other_bot)
{
	begin(GAME_NOTES_BYTES);
	game_notes_say(notes, "ada", "1", 2, "crash: gone");
	game_notes_wrote(notes, "ada", "1", 2, 0, "ou", 2);
	cr_expect_str_eq(of("ada"), "Game 1, seat 2:\ncrash: gone\n"
				    "Standard error:\nou\n");
	game_notes_wrote(notes, "ada", "1", 2, 0, "ouch\n", 5);
	game_notes_wrote(notes, "ada", "2", 2, 0, "", 0);
	cr_expect_str_eq(of("ada"), "Game 1, seat 2:\ncrash: gone\n"
				    "Standard error:\nouch\n");
	game_notes_wrote(notes, "cas", "1", 0, 7, "end", 3);
	cr_expect_str_eq(of("cas"), "Game 1, seat 0:\nStandard error, without "
				    "its first 7 bytes:\nend\n");
	game_notes_say(notes, "bob", "1", 1, "timeout: late");
	cr_expect_str_eq(of("bob"), "Game 1, seat 1:\ntimeout: late\n");
	cr_expect_str_eq(of("eve"), "");
}

Test(game_notes, the_latest_comes_first_and_what_has_no_room_does_not)
{
	begin(GAME_NOTES_BYTES);
	play("ada", 1, 1);
	play("ada", 2, 1);
	cr_expect_str_eq(of("ada"), "Game 2, seat 0:\nStandard error:\nx\n"
				    "Game 1, seat 0:\nStandard error:\nx\n");
	told.max = 40;
	cr_expect_str_eq(of("ada"), "Game 2, seat 0:\nStandard error:\nx\n");
}

Test(game_notes, the_last_bytes_of_a_game_are_kept)
{
	static char bytes[GAME_NOTE_BYTES + 1];
	const size_t head = strlen("Game 1, seat 0:\nStandard error, without "
				   "its first 7 bytes:\n");
	uint64_t from;
	size_t n;

	begin(GAME_NOTES_BYTES);
	memset(bytes, 'b', sizeof(bytes));
	bytes[0] = 'a';
	game_notes_wrote(notes, "ada", "1", 0, 7, bytes, GAME_NOTE_BYTES);
	cr_expect_eq(of("ada")[head], 'a');
	cr_expect_eq(told.used, head + GAME_NOTE_BYTES + 1);
	game_notes_wrote(notes, "ada", "1", 0, 7, bytes, GAME_NOTE_BYTES + 1);
	cr_expect_eq(of("ada")[head], 'b');
	cr_expect_not_null(game_notes_find(notes, "ada", "1", 0, &from, &n));
	cr_expect_eq(from, 8, "and their place is known");
	cr_expect_eq(n, GAME_NOTE_BYTES);
	cr_expect_null(game_notes_find(notes, "ada", "1", 1, &from, &n));
	cr_expect_null(game_notes_find(notes, "bob", "1", 0, &from, &n));
	cr_expect_eq(told.used, head + GAME_NOTE_BYTES + 1);
}

Test(game_notes, the_last_games_of_a_bot_are_kept)
{
	unsigned i;

	begin(GAME_NOTES_BYTES);
	play("bob", 1, 1);
	for (i = 1; i <= GAME_NOTES_A_BOT; i++)
		play("ada", i, 1);
	cr_expect_not_null(strstr(of("ada"), "Game 1,"));
	play("ada", i, 1);
	cr_expect_null(strstr(of("ada"), "Game 1,"));
	cr_expect_not_null(strstr(of("ada"), "Game 2,"));
	cr_expect_not_null(strstr(of("bob"), "Game 1,"));
}

static void
keep(void *arg, const char *id UNUSED, unsigned seat UNUSED,
     const char *sentences UNUSED, struct game_wrote *wrote)
{
	*(struct game_wrote **)arg = game_wrote_keep(wrote);
}

Test(game_notes, what_is_kept_is_shared_and_outlives_its_note)
{
	struct game_wrote *one, *two;

	begin(GAME_NOTES_BYTES);
	game_notes_wrote(notes, "ada", "1", 0, 7, "old", 3);
	game_notes_each(notes, "ada", keep, &one);
	game_notes_each(notes, "ada", keep, &two);
	cr_expect_eq(one, two);
	game_wrote_drop(two);
	game_notes_wrote(notes, "ada", "1", 0, 8, "anew", 4);
	cr_expect_eq(one->n, 3);
	cr_expect_eq(one->from, 7);
	cr_expect_eq(memcmp(one->bytes, "old", 3), 0);
	game_wrote_drop(one);
}

Test(game_notes, the_bytes_of_a_bot_are_counted)
{
	begin(GAME_NOTES_BYTES);
	play("ada", 1, 4000);
	play("ada", 2, 4000);
	play("bob", 3, 1);
	cr_expect_geq(game_notes_bytes(notes, "ada"), 8000);
	cr_expect_lt(game_notes_bytes(notes, "bob"), 4000);
	cr_expect_eq(game_notes_bytes(notes, "cyd"), 0);
}

Test(game_notes, all_together_they_have_a_limit)
{
	begin(10000);
	play("ada", 1, 4000);
	play("bob", 2, 3000);
	cr_expect_not_null(strstr(of("ada"), "Game 1,"));
	play("cyd", 3, 3500);
	cr_expect_str_eq(of("ada"), "", "the bot with most makes room");
	cr_expect_not_null(strstr(of("bob"), "Game 2,"));
	cr_expect_not_null(strstr(of("cyd"), "Game 3,"));
	play("cyd", 4, 10001);
	cr_expect_str_eq(of("cyd"), "", "one that is too long by itself");
	cr_expect_not_null(strstr(of("bob"), "Game 2,"));
}

Test(game_notes, who_writes_much_leaves_others_their_notes)
{
	unsigned i;

	begin(100000);
	play("ada", 1, 1000);
	play("ada", 2, 1000);
	for (i = 3; i < 40; i++) {
		play("eve", i, 4000);
		play("evi", i, 4000);
	}
	cr_expect_not_null(strstr(of("ada"), "Game 1,"));
	cr_expect_not_null(strstr(of("ada"), "Game 2,"));
	cr_expect_null(strstr(of("eve"), "Game 3,"), "its oldest went");
	cr_expect_not_null(strstr(of("eve"), "Game 39,"));
	game_notes_say(notes, "eve", "40", 0, "timeout: late");
	cr_expect_not_null(strstr(of("eve"), "timeout: late"));
	cr_expect_not_null(strstr(of("ada"), "Game 1,"));
}
