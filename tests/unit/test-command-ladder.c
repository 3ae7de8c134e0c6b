/* tests/unit/test-command-ladder.c - what `referee ladder` prints, and its exit
 * codes. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/base/table-print.h"
#include "referee/cli/commands.h"
#include "tests/unit/ladder-kit.h"

static void
redirect(void)
{
	cr_redirect_stdout();
	cr_redirect_stderr();
}

static void
begin(void)
{
	kit_begin();
	redirect();
}

TestSuite(command_ladder, .init = begin, .fini = kit_end);

/* Runs `referee ladder WHAT --ladder …/ladder.db ARG ARG`. */
static int
run(const char *what, const char *one, const char *two)
{
	char text[6][512], *argv[7];
	const char *args[] = { "referee ladder",      what, "--ladder",
			       kit_path("ladder.db"), one,  two };
	int argc;

	for (argc = 0; argc < 6 && args[argc]; argc++) {
		snprintf(text[argc], sizeof(text[argc]), "%s", args[argc]);
		argv[argc] = text[argc];
	}
	argv[argc] = NULL;
	return command_ladder.run(argc, argv);
}

static void
rate_three(void)
{
	struct ladder_game game;
	struct ladder *ladder;
	int64_t folder, serial;

	ladder = kit_open(&folder);
	for (serial = 1; serial <= 3; serial++) {
		kit_game(3, serial, &game);
		game.arrival = false;
		game.id[0] = (char)('0' + serial);
		snprintf(game.seat[0].bot, sizeof(game.seat[0].bot), "knock");
		snprintf(game.seat[1].bot, sizeof(game.seat[1].bot), "%s",
			 serial == 3 ? "random" : "house");
		game.seat[0].place = serial == 2 ? 2 : 1;
		game.seat[1].place = serial == 2 ? 1 : 2;
		game.seat[0].points = 5;
		game.seat[1].points = 3;
		kit_rate(ladder, &game, 1);
	}
	ladder_close(ladder);
}

/* The ratings are those of tests/independent/fit.py. */
Test(command_ladder, show)
{
	rate_three();
	cr_assert_eq(run("show", NULL, NULL), EXIT_DONE);
	cr_assert_stdout_eq_str(
		"toepen, 2 seats, points=10 joker=no\n"
		" rank  bot         Elo     from       to   games   score  "
		"live "
		"Elo\n"
		"  1-3  knock    1589.4   1326.6   1884.4       3   66.7%      "
		"1508\n"
		"  1-3  house    1560.7   1215.6   1905.7       2   50.0%      "
		"1500\n"
		"  1-3  random   1349.9        -   1724.0       1    0.0%      "
		"1492\n"
		"      lost its only game: at most 1724\n"
		"1500 is the mean of all bots.\n"
		"In 95 of 100 cases the true Elo is between from and to.\n"
		"Rank 1-3 of 3: 0 bots surely better, 0 surely worse, all "
		"pairs considered.\n"
		"An Elo from fewer than 30 games is provisional.\n"
		"The live Elo: K 16, start rating 1500.\n");
}

Test(command_ladder, show_in_the_order_of_live_elo)
{
	rate_three();
	cr_assert_eq(run("show", "--order", "live"), EXIT_DONE);
	cr_assert_stdout_eq_str(
		"toepen, 2 seats, points=10 joker=no\n"
		"rank  bot     live Elo    games    wins  place   score\n"
		"   1  knock     1507.6        3       2   1.33   66.7%\n"
		"   2  house     1500.4        2       1   1.50   50.0%\n"
		"   3  random    1492.0        1       0   2.00    0.0%\n"
		"The live Elo: K 16, start rating 1500.\n");
}

/* Rates 12 games of knock and 12 of knock.2, which won more. */
static void
rate_versions(void)
{
	struct ladder_game game;
	struct ladder *ladder;
	int64_t folder, serial;

	ladder = kit_open(&folder);
	for (serial = 1; serial <= 24; serial++) {
		kit_game(3, serial, &game);
		game.arrival = false;
		game.id[0] = (char)('a' + serial);
		snprintf(game.seat[0].bot, sizeof(game.seat[0].bot), "%s",
			 serial > 12 ? "knock.2" : "knock");
		snprintf(game.seat[0].heir_of, sizeof(game.seat[0].heir_of),
			 "%s", serial > 12 ? "knock" : "");
		snprintf(game.seat[1].bot, sizeof(game.seat[1].bot), "house");
		game.seat[1].heir_of[0] = '\0';
		game.seat[0].place = serial % 3 > 0 ? 2 : 1;
		if (serial > 12)
			game.seat[0].place = serial % 4 > 0 ? 1 : 2;
		game.seat[1].place = 3 - game.seat[0].place;
		kit_rate(ladder, &game, 1);
	}
	ladder_close(ladder);
}

/* The numbers are those of tests/independent/fit.py --tie knock.2=knock. */
Test(command_ladder, versions)
{
	rate_versions();
	cr_assert_eq(run("show", "--versions", "knock"), EXIT_DONE);
	cr_assert_stdout_eq_str(
		"toepen, 2 seats, points=10 joker=no\n"
		" rank  bot          Elo     from       to   games   score  "
		"better\n"
		"    -  knock     1461.5   1368.8   1551.7      12   33.3%     "
		"  "
		"-\n"
		"  1-2  knock.2   1557.8   1468.2   1651.3      12   75.0%   "
		"88.5%\n");
}

Test(command_ladder, history)
{
	rate_three();
	cr_assert_eq(run("history", "house", NULL), EXIT_DONE);
	cr_assert_stdout_eq_str(
		"pool 1: toepen, 2 seats, points=10 joker=no\n"
		"\n"
		"  serial  ended (UTC)       id        pool  place     before "
		"    after\n"
		"       1  2026-11-21 09:00  10000000     1  2 of 2    1500.0 "
		"   1492.0\n"
		"       2  2026-11-21 09:00  20000000     1  1 of 2    1492.0 "
		"   1500.4\n");
}

Test(command_ladder, games)
{
	rate_three();
	cr_assert_eq(run("games", NULL, NULL), EXIT_DONE);
	cr_assert_stdout_eq_str(
		"pool 1: toepen, 2 seats, points=10 joker=no\n"
		"\n"
		"  serial  ended (UTC)       id        pool  place and bot of "
		"each seat\n"
		"       1  2026-11-21 09:00  10000000     1  1.knock, 2.house\n"
		"       2  2026-11-21 09:00  20000000     1  2.knock, 1.house\n"
		"       3  2026-11-21 09:00  30000000     1  1.knock, "
		"2.random\n");
}

static void
rate_long_names(int64_t serial)
{
	char sql[64];
	struct ladder_game game;
	struct ladder *ladder;
	int64_t folder;
	unsigned i;

	ladder_close(kit_open(&folder));
	snprintf(sql, sizeof(sql), "UPDATE meta SET last = %" PRId64,
		 serial - 1);
	kit_execute(kit_path("ladder.db"), sql);
	ladder = kit_open(&folder);
	kit_game(3, serial, &game);
	game.seats = SEATS_MAX;
	memset(game.options, 'o', 100);
	memcpy(game.options + 100, "=1 two=2", sizeof("=1 two=2"));
	game.options[60] = ' ';
	for (i = 0; i < SEATS_MAX; i++) {
		memset(game.seat[i].bot, (int)('a' + i), NAME_BYTES);
		game.seat[i].bot[NAME_BYTES] = '\0';
		game.seat[i].place = (int)i + 1;
	}
	game.ended[0] = '\0';
	kit_rate(ladder, &game, 1);
	cr_assert_eq(game.serial, serial);
	ladder_close(ladder);
}

Test(command_ladder, tables_fit_into_80_columns)
{
	char line[256], bot[NAME_BYTES + 1];
	unsigned lines = 0;
	FILE *out;

	rate_long_names(12345678);
	memset(bot, 'c', NAME_BYTES);
	bot[NAME_BYTES] = '\0';
	cr_assert_eq(run("show", NULL, NULL), EXIT_DONE);
	cr_assert_eq(run("games", NULL, NULL), EXIT_DONE);
	cr_assert_eq(run("history", bot, NULL), EXIT_DONE);
	fflush(stdout);
	out = cr_get_redirected_stdout();
	/* 2 + 1 + 8; 2 + 2 + 8; 2 + 2 + 1. */
	while (lines < 28 && fgets(line, sizeof(line), out)) {
		lines++;
		cr_assert_leq(strcspn(line, "\n"), 80, "%s", line);
	}
	cr_assert_eq(lines, 28);
}

/* Expects all that was printed to be this. */
static void
expect_narrow(const char *what)
{
	char line[512];
	FILE *out;

	fflush(stdout);
	out = cr_get_redirected_stdout();
	while (fgets(line, sizeof(line), out))
		cr_expect_leq(strcspn(line, "\n"), TERMINAL_COLUMNS, "%s: %s",
			      what, line);
}

/* Rows have names of 32 bytes, larger numbers than any ladder, and every
 * remark: an heir, marks, faults. */
Test(command_ladder, any_ladder_fits_into_80_columns)
{
	static const char *const runs[][3] = {
		{ "show", NULL, NULL },	 { "show", "--order", "live" },
		{ "games", NULL, NULL }, { "show", "--versions", NULL },
		{ "fit", NULL, NULL },	 { "history", NULL, NULL },
	};
	char bot[NAME_BYTES + 1], sql[512];
	int64_t size;
	unsigned i;

	memset(bot, 'c', NAME_BYTES);
	bot[NAME_BYTES] = '\0';
	rate_long_names(LADDER_SERIAL_MAX);
	kit_execute(
		kit_path("ladder.db"),
		"INSERT INTO heir SELECT pool, bot, bot % 8 + 1 FROM rating;"
		"INSERT OR REPLACE INTO season VALUES (1,"
		" 'ssssssssssssssssssssssssssssssss',"
		" 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');");
	for (size = 1; size < INT64_C(1000000000000000); size *= 1000) {
		snprintf(sql, sizeof(sql),
			 "UPDATE rating SET milli = bot * %" PRId64
			 ", games = bot * %" PRId64 ", wins = bot * %" PRId64
			 ", places = 8 * bot * %" PRId64 ", halves = 14 * bot;"
			 "UPDATE conduct SET timeout = %" PRId64
			 ", illegal = %" PRId64 ", protocol = %" PRId64
			 ", crash = %" PRId64,
			 size, size, size, size, size, size, size, size);
		kit_execute(kit_path("ladder.db"), sql);
		for (i = 0; i < NELEM(runs); i++)
			cr_expect_eq(
				run(runs[i][0],
				    runs[i][1] == NULL && runs[i][0][0] == 'h'
					    ? bot
					    : runs[i][1],
				    runs[i][1] != NULL && runs[i][2] == NULL
					    ? bot
					    : runs[i][2]),
				EXIT_DONE);
		snprintf(sql, sizeof(sql), "numbers of about %" PRId64, size);
		expect_narrow(sql);
	}
}

/* Any table is that narrow if its necessary columns are, and no cell is lost
 * without need. */
Test(command_ladder, tables_of_any_shape)
{
	struct table_column columns[TABLE_PRINT_COLUMNS];
	unsigned n, c, r, round, spare, most;
	struct table_print *table;
	uint32_t state = 1;

	for (round = 0; round < 300; round++) {
		n = 1 + kit_random(&state, TABLE_PRINT_COLUMNS);
		spare = kit_random(&state, n);
		most = 80 / (n - spare) - 1; /* of a cell that must stay */
		for (c = 0; c < n; c++)
			columns[c] = (struct table_column){
				.title = &"abcdefghijklmnop"[kit_random(&state,
									16)],
				.left = kit_random(&state, 2) > 0,
				.spare = c < spare ? c + 1 : 0,
			};
		for (c = spare; c < n; c++)
			if (strlen(columns[c].title) > most)
				columns[c].title = "t";
		table = table_print_new(columns, n);
		for (r = 0; r < 5; r++) {
			for (c = 0; c < n; c++)
				table_print_cell(
					table, "%0*d",
					1 + (int)kit_random(&state,
							    c < spare ? 40
								      : most),
					0);
			table_print_row(table,
					r % 2 > 0 ? "behind it, maybe" : "");
			if (r == 3)
				table_print_line(table, 6,
						 "some words that are longer "
						 "than a line of eighty "
						 "columns, and so go on in "
						 "another one below it");
		}
		table_print_end(table);
	}
	expect_narrow("a table");
}

Test(command_ladder, export_csv)
{
	rate_three();
	cr_assert_eq(run("export", "--format", "csv"), EXIT_DONE);
	cr_assert_stdout_eq_str(
		"serial,id,ended,game,options,seats,open,seat,bot,place,points,"
		"before_milli,delta_milli,void\n"
		"1,10000000000000000000000000000003,2026-11-21T09:00:03Z,"
		"toepen,points=10 joker=no,2,priority,0,knock,1,5,1500000,"
		"8000,\n"
		"1,10000000000000000000000000000003,2026-11-21T09:00:03Z,"
		"toepen,points=10 joker=no,2,priority,1,house,2,3,1500000,"
		"-8000,\n"
		"2,20000000000000000000000000000003,2026-11-21T09:00:03Z,"
		"toepen,points=10 joker=no,2,priority,0,knock,2,5,1508000,"
		"-8368,\n"
		"2,20000000000000000000000000000003,2026-11-21T09:00:03Z,"
		"toepen,points=10 joker=no,2,priority,1,house,1,3,1492000,"
		"8368,\n"
		"3,30000000000000000000000000000003,2026-11-21T09:00:03Z,"
		"toepen,points=10 joker=no,2,priority,0,knock,1,5,1499632,"
		"8008,\n"
		"3,30000000000000000000000000000003,2026-11-21T09:00:03Z,"
		"toepen,points=10 joker=no,2,priority,1,random,2,3,1500000,"
		"-8008,\n");
}

/* Each line has its type, and the ratings are integers. */
Test(command_ladder, export_json)
{
	static const char *const types[] = { "ladder", "setting", "rating",
					     "rating", "rating",  "game",
					     "game",   "game" };
	char line[1024];
	json_t *json;
	size_t i;
	FILE *out;

	rate_three();
	cr_assert_eq(run("export", NULL, NULL), EXIT_DONE);
	out = cr_get_redirected_stdout();
	for (i = 0; i < NELEM(types); i++) {
		cr_assert_not_null(fgets(line, sizeof(line), out));
		json = json_loads(line, 0, NULL);
		cr_assert_not_null(json, "%s", line);
		cr_assert_str_eq(
			json_string_value(json_object_get(json, "type")),
			types[i]);
		if (i == 2)
			cr_assert_eq(json_integer_value(json_object_get(
					     json, "live_elo_milli")),
				     1507640);
		json_decref(json);
	}
}

Test(command_ladder, new_takes_k_and_start_and_no_file_that_is_there)
{
	int64_t folder, k, start;
	struct error why;
	struct ladder *ladder;

	cr_assert_eq(run("new", "--k=12.5", "--start=1000"), EXIT_DONE);
	ladder = kit_open(&folder);
	cr_assert_eq(ladder_settings(ladder, &k, &start, &why), 0);
	cr_assert(k == 12500 && start == 1000000);
	ladder_close(ladder);
	cr_assert_eq(run("new", NULL, NULL), EXIT_USAGE);
	cr_assert_eq(run("show", NULL, NULL), EXIT_DONE);
}

Test(command_ladder, bad_input_is_one_sentence_and_2)
{
	char wanted[1024];

	cr_assert_eq(run("show", NULL, NULL), EXIT_USAGE);
	cr_assert_eq(run("rebuild", NULL, NULL), EXIT_USAGE);
	cr_assert_neq(access(kit_path("ladder.db"), F_OK), 0);
	rate_three();
	cr_assert_eq(run("history", "nobody", NULL), EXIT_USAGE);
	snprintf(wanted, sizeof(wanted),
		 "referee: cannot open ladder %s: No such file or directory\n"
		 "referee: no founding of a ladder (00000000-ID.ladder) was "
		 "found to make %s from\n"
		 "referee: ladder %s has no bot nobody\n",
		 kit_path("ladder.db"), kit_path("ladder.db"),
		 kit_path("ladder.db"));
	fflush(stderr);
	cr_assert_stderr_eq_str(wanted);
	cr_assert_stdout_eq_str("");
}

Test(command_ladder, help_is_no_error)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) { /* it leaves by exit() */
		run("show", "--help", NULL);
		_exit(EXIT_USAGE);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect_eq(status, EXIT_DONE);
}

Test(command_ladder, a_ladder_in_use_is_no_ones_fault)
{
	struct ladder *ladder;
	int64_t folder;

	ladder = kit_open(&folder);
	cr_assert_eq(run("rebuild", NULL, NULL), EXIT_MACHINE);
	cr_assert_eq(run("show", NULL, NULL), EXIT_DONE);
	ladder_close(ladder);
}
