/* tests/unit/test-tournament-file.c - a tournament's file: its content, and
 * refusals of a foreign one. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/text.h"
#include "referee/pages/tournament.h"
#include "referee/records/bracket.h"
#include "referee/records/tournament-file.h"

#define ID "0123456789abcdef0123456789abcdef"

static char folder[] = "/tmp/referee-tournament-XXXXXX";
static char path[LADDER_PATH_BYTES];

static void
begin(void)
{
	cr_assert_not_null(mkdtemp(folder));
	cr_assert(tournament_file_path(folder, ID, path));
}

static void
end(void)
{
	(void)unlink(path);
	cr_assert_eq(rmdir(folder), 0);
}

static struct tournament_told
make(void)
{
	struct tournament_told told = { .id = ID,
					.format = "knockout",
					.game = "toepen",
					.options = "points=2",
					.seats = 2,
					.games = 4,
					.best = 1,
					.phase = 2,
					.over = true,
					.told = 1764000000,
					.bots = 3,
					.tables = 2,
					.byes = 1 };

	told.bot = zeroed(3, sizeof(*told.bot));
	told.table = zeroed(2, sizeof(*told.table));
	told.bye = zeroed(1, sizeof(*told.bye));
	told.bot[0] = (struct told_bot){ .name = "alma",
					 .draw = 2,
					 .byes = 1,
					 .phase = 2,
					 .games = 4,
					 .score = .75,
					 .points = 5 };
	told.bot[1] = (struct told_bot){ .name = "ben",
					 .draw = 1,
					 .phase = 2,
					 .games = 8,
					 .score = .5,
					 .points = 4 };
	told.bot[2] = (struct told_bot){ .name = "cara",
					 .draw = 3,
					 .phase = 1,
					 .games = 4,
					 .score = .25,
					 .points = 1 };
	told.table[0] = (struct told_table){ .phase = 1,
					     .bot = { 1, 2 },
					     .share = { 3, 1 },
					     .games = 4,
					     .first = ID };
	told.table[1] = (struct told_table){ .phase = 2,
					     .bot = { 0, 1 },
					     .share = { 3, 1 },
					     .games = 4,
					     .first = ID };
	told.bye[0] = (struct told_bye){ .phase = 1, .bot = 0 };
	return told;
}

Test(tournament_file, comes_back_as_it_was, .init = begin, .fini = end)
{
	struct tournament_told told = make(), read;
	char id[TOURNAMENTS_LISTED][ID_BYTES + 1];
	struct error why;

	cr_assert_eq(tournament_file_write(&told, folder, &why), 0, "%s",
		     why.text);
	cr_assert_eq(tournament_files(folder, id), 1);
	cr_assert_str_eq(id[0], ID);
	cr_assert_eq(tournament_file_read(path, &read, &why), 0, "%s",
		     why.text);
	cr_expect_str_eq(read.options, "points=2");
	cr_expect_eq(read.best, 1);
	cr_expect_eq(read.over, true);
	cr_expect_eq(memcmp(read.bot, told.bot, 3 * sizeof(*told.bot)), 0);
	cr_expect_eq(memcmp(read.table, told.table, 2 * sizeof(*told.table)),
		     0);
	cr_expect_eq(read.byes, 1);
	cr_expect_eq(read.bye[0].bot, 0);
	cr_expect_eq(read.frozen, false);
	tournament_told_release(&read);
	/* An older one is replaced. */
	told.over = false;
	told.frozen = true;
	cr_assert_eq(tournament_file_write(&told, folder, &why), 0);
	cr_assert_eq(tournament_file_read(path, &read, &why), 0);
	cr_expect_eq(read.over, false);
	cr_expect_eq(read.frozen, true);
	tournament_told_release(&read);
	tournament_told_release(&told);
}

/* Writes the file with a change, and reads it. */
static int
read_with(const char *old, const char *new)
{
	struct tournament_told told = make(), read;
	struct text text;
	const char *at;
	struct error why;
	FILE *file;
	int result;

	cr_assert_eq(tournament_file_write(&told, folder, &why), 0);
	tournament_told_release(&told);
	text_init(&text, TOURNAMENT_FILE_BYTES);
	file = fopen(path, "r+");
	cr_assert_not_null(file);
	for (int c; (c = getc(file)) != EOF;)
		text_fmt(&text, "%c", c);
	at = strstr(text_string(&text), old);
	cr_assert_not_null(at, "%s", old);
	rewind(file);
	cr_assert_eq(ftruncate(fileno(file), 0), 0);
	fprintf(file, "%.*s%s%s", (int)(at - text.bytes), text.bytes, new,
		at + strlen(old));
	fclose(file);
	result = tournament_file_read(path, &read, &why);
	cr_expect(result == 0 || why.kind == ERROR_INPUT);
	tournament_told_release(&read);
	text_release(&text);
	return result;
}

Test(tournament_file, refuses_what_is_none, .init = begin, .fini = end)
{
	static const char *const changes[][2] = {
		{ "\"tournament\":1", "\"tournament\":2" },
		{ "\"alma\"", "\"<script>\"" },
		{ "\"alma\"", "\"a\\u001b[2J\"" },
		{ "\"alma\"", "\"a\\u0000b\"" },
		{ "\"alma\"", "7" },
		{ "\"toepen\"", "\"\"" },
		{ "\"points=2\"", "\"\\u202e\"" },
		{ "\"seats\":2", "\"seats\":9" },
		{ "\"seats\":2", "\"seats\":3" },
		{ "\"games\":4", "\"games\":-4" },
		{ "\"games\":4", "\"games\":4.5" },
		{ "\"bots\":[2,3]", "\"bots\":[2,4]" },
		{ "\"bots\":[2,3]", "\"bots\":[0,3]" },
		{ "\"bots\":[2,3]", "\"bots\":[2]" },
		{ "\"shares\":[3.0,1.0]", "\"shares\":[3.0,-1.0]" },
		{ "\"shares\":[3.0,1.0]", "\"shares\":[3.0,1e300]" },
		{ "\"byes\":[{\"phase\":1", "\"byes\":[{\"phase\":3" },
		{ "\"bot\":1}]", "\"bot\":4}]" },
		{ "\"id\":\"0", "\"id\":\"/" },
		{ "{\"tournament\"", "[{\"tournament\"" },
		{ "\"over\":true,", "" },
	};

	cr_expect_eq(read_with("\"over\":true", "\"over\":false"), 0);
	for (size_t i = 0; i < NELEM(changes); i++)
		cr_expect_eq(read_with(changes[i][0], changes[i][1]), -1, "%s",
			     changes[i][1]);
}

Test(tournament_file, page_tells_who_won_and_who_met)
{
	static const char *const told_there[] = {
		"</bdi> has won.", "Bye: ",
		"Phase 1</h3>",	   "Final</h3>",
		" goes on",	   "points=2",
		"4 games a table", "<p class=\"soft\">As of ",
	};
	const struct site site = { "s", "i", "f", NULL };
	struct tournament_told told = make();
	struct text text;

	text_init(&text, SIZE_MAX);
	tournament_page(&site, &told, &text);
	for (size_t i = 0; i < NELEM(told_there); i++)
		cr_expect(strstr(text_string(&text), told_there[i]) != NULL,
			  "%s", told_there[i]);
	text_release(&text);
	text_init(&text, SIZE_MAX);
	tournament_projector(&site, &told, &text);
	cr_expect_not_null(strstr(text_string(&text), "</bdi> has won."));
	cr_expect_not_null(
		strstr(text_string(&text), "http-equiv=\"refresh\""));
	cr_expect_null(strstr(text_string(&text), "noscript"));
	text_clear(&text);
	told.over = false;
	tournament_page(&site, &told, &text);
	cr_expect_not_null(strstr(text_string(&text), "being played.</p>"));
	text_release(&text);
	tournament_told_release(&told);
}

/* Returns what a final at two seats looks like after its first round: 1 has a bye,
 * 2 has lost against 3. */
static struct tournament_told
make_final(void)
{
	struct tournament_told told = make();

	memcpy(told.final, "main", 5);
	told.over = false;
	told.bot[0].draw = 1; /* alma */
	told.bot[1].draw = 3; /* ben */
	told.bot[2].draw = 2; /* cara */
	told.table[1].games = 1;
	told.table[1].share[0] = 0;
	return told;
}

Test(tournament_file, a_bracket_says_who_meets_whom_and_who_goes_on)
{
	struct tournament_told told = make_final();
	char name[BRACKET_NAME];
	struct bracket bracket;

	cr_assert(bracket_fill(&bracket, &told));
	cr_expect_eq(bracket.rounds, 2);
	cr_expect(bracket.match[0][0].bye);
	cr_expect_eq(bracket.match[0][0].winner, 0);
	cr_expect_eq(bracket.match[0][1].bot[0], 2);
	cr_expect_eq(bracket.match[0][1].bot[1], 1);
	cr_expect_eq(bracket.match[0][1].winner, 1);
	cr_expect_eq(bracket.match[1][0].bot[0], 0);
	cr_expect_eq(bracket.match[1][0].bot[1], 1);
	/* One game is no result, nor are four if they are level. */
	cr_expect_eq(bracket.match[1][0].winner, -1);
	told.table[1].games = 4;
	told.table[1].share[0] = told.table[1].share[1] = 2;
	cr_assert(bracket_fill(&bracket, &told));
	cr_expect_eq(bracket.match[1][0].winner, -1);
	told.table[1].share[1] = 2.5;
	cr_assert(bracket_fill(&bracket, &told));
	cr_expect_eq(bracket.match[1][0].winner, 1);
	bracket_name(&bracket, 0, name);
	cr_expect_str_eq(name, "Semi-finals");
	/* A file may lack a seed. */
	told.bot[1].draw = 7;
	cr_assert(bracket_fill(&bracket, &told));
	cr_expect_eq(bracket.match[0][1].bot[1], -1);
	cr_expect_eq(bracket.match[0][1].winner, -1);
	told.final[0] = '\0';
	cr_expect_not(bracket_fill(&bracket, &told));
	tournament_told_release(&told);
}

Test(tournament_file, winners_of_neighbours_meet)
{
	for (unsigned matches = 1; matches <= 8; matches *= 2)
		for (unsigned at = 0; at < matches; at++) {
			const unsigned one = bracket_line(2 * at, 2 * matches);
			const unsigned two =
				bracket_line(2 * at + 1, 2 * matches);

			cr_expect_eq(one, bracket_line(at, matches));
			cr_expect_eq(two, 2 * matches - 1 - one);
		}
}

Test(tournament_file, a_projector_has_no_ranks_before_a_final_is_over)
{
	const struct site site = { "s", "i", "f", NULL };
	struct tournament_told told = make_final();
	struct text text;

	text_init(&text, SIZE_MAX);
	tournament_projector(&site, &told, &text);
	cr_expect_not_null(strstr(text_string(&text), "Now: Final."));
	cr_expect_not_null(strstr(text_string(&text), "bye"));
	cr_expect_null(strstr(text_string(&text), "has won"));
	cr_expect_null(strstr(text_string(&text), "id=\"standings\""));
	/* A knockout without a bracket ranks only those that are out. */
	told.final[0] = '\0';
	text_clear(&text);
	tournament_projector(&site, &told, &text);
	cr_expect_not_null(strstr(text_string(&text), "Final</h3>"));
	cr_expect_not_null(
		strstr(text_string(&text), "<td class=\"n\">in</td>"));
	cr_expect_null(strstr(text_string(&text), "<tr><td class=\"n\">1<"));
	cr_expect_not_null(
		strstr(text_string(&text), "<td class=\"n\">3</td>"));
	text_release(&text);
	tournament_told_release(&told);
}
