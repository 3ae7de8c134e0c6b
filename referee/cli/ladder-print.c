/* referee/cli/ladder-print.c - prints what a ladder has. */
#include "referee/cli/ladder-print.h"

#include <inttypes.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "ladder/milli.h"
#include "referee/base/command.h"
#include "referee/base/json-line.h"
#include "referee/data/ladder-json.h"

/* The state that the callbacks share. */
struct print {
	struct ladder *ladder;
	const char *bot; /* the bot of a history */
	bool json;
	bool all; /* an export, with types and hashes */
	const struct ladder_pool *pool;
	struct table_print *table;
	unsigned standings; /* standings of the pool that were printed */
	int64_t k_milli, start_milli; /* in force now */
	unsigned count;
	int result; /* result of a reading within another one */
	struct error *why;
};

static double
points_of(int64_t milli)
{
	return (double)milli / 1000;
}

/* ---- within a terminal's width ---------------------------------------- */

#define ID_SHORT 8 /* digits of an ID; enough to find a record */

static void
print_pool(const struct ladder_pool *pool, int indent, int column)
{
	char head[NAME_BYTES + 64];

	snprintf(head, sizeof(head), "%s, %u seats%s%s", pool->game,
		 pool->seats, pool->arrival ? ", open=arrival" : "",
		 *pool->options ? "," : "");
	column = print_words(head, indent, column);
	print_words(pool->options, indent, column);
	putchar('\n');
}

void
ladder_pool_print(const struct ladder_pool *pool)
{
	print_pool(pool, 0, 0);
}

/* Prints the date and the time to the minute of `YYYY-MM-DDTHH:MM:SSZ`. */
static int
print_minute(const char *date)
{
	if (strlen(date) == strlen("YYYY-MM-DDTHH:MM:SSZ"))
		return printf("  %.10s %.5s", date, date + 11);
	return printf("  %-16s", "-");
}

static void
print_key(void *arg UNUSED, const struct ladder_pool *pool)
{
	int n = printf("pool %" PRId64 ": ", pool->number);

	print_pool(pool, n, n);
}

/* Prints lines that explain the numbers of pools, which the rows contain. */
static void
print_keys(struct print *print)
{
	int result = ladder_pools(print->ladder, print_key, NULL, print->why);

	if (result < 0)
		print->result = result;
	putchar('\n');
}

static int64_t
pool_of(struct print *print, const struct ladder_game *game)
{
	struct ladder_pool pool = { .seats = game->seats,
				    .arrival = game->arrival };
	int result;

	memcpy(pool.game, game->game, sizeof(pool.game));
	memcpy(pool.options, game->options, sizeof(pool.options));
	result = ladder_pool_find(print->ladder, &pool, print->why);
	if (result < 0)
		print->result = result;
	return pool.number;
}

/* ---- standings -------------------------------------------------------- */

/* Prints the faults of a bot below its row, if it has any. */
static void
print_faults(struct table_print *table, const struct ladder_standing *standing)
{
	const char *before = "faults: ";
	struct text words = { .max = SIZE_MAX };
	enum fault fault;

	for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++) {
		if (standing->faults[fault] == 0)
			continue;
		text_fmt(&words, "%s%" PRIu64 " %s", before,
			 standing->faults[fault], fault_name(fault));
		before = ", ";
	}
	if (words.used > 0)
		table_print_line(table, TABLE_PRINT_INDENT,
				 text_string(&words));
	text_release(&words);
}

void
ladder_row_end(struct table_print *table,
	       const struct ladder_standing *standing, const char *more)
{
	struct text behind = { .max = SIZE_MAX };

	text_init(&behind, SIZE_MAX);
	if (standing->provisional && standing->heir_of[0] != '\0')
		text_fmt(&behind, "provisional, from %s", standing->heir_of);
	if (standing->mark != LADDER_PLAYS)
		text_fmt(&behind, "%s%s", behind.used > 0 ? "  " : "",
			 ladder_mark_name(standing->mark));
	if (*more != '\0')
		text_fmt(&behind, "%s%s", behind.used > 0 ? "  " : "", more);
	table_print_row(table, text_string(&behind));
	text_release(&behind);
	print_faults(table, standing);
}

static void
print_standing(void *arg, const struct ladder_standing *standing)
{
	struct print *print = arg;
	double games = (double)standing->games;
	double rivals = print->pool->seats - 1;

	if (standing->rank > 0)
		table_print_cell(print->table, "%u", standing->rank);
	else
		table_print_cell(print->table, "-");
	table_print_cell(print->table, "%s", standing->bot);
	table_print_cell(print->table, "%.1f",
			 points_of(standing->rating_milli));
	table_print_cell(print->table, "%" PRId64, standing->games);
	table_print_cell(print->table, "%" PRId64, standing->wins);
	table_print_cell(print->table, "%.2f",
			 (double)standing->places / games);
	table_print_cell(print->table, "%.1f%%",
			 50 * (double)standing->halves / (games * rivals));
	ladder_row_end(print->table, standing, "");
	print->standings++;
}

/* Adds what holds for the whole ladder. */
static void
json_head(const struct print *print, json_t *json)
{
	ladder_season_json(json, ladder_season(print->ladder));
	ladder_settings_json(json, print->k_milli, print->start_milli);
}

static void
json_standing(void *arg, const struct ladder_standing *standing)
{
	const struct print *print = arg;
	json_t *json = json_object();

	if (print->all)
		JSON_ADD(json, TEXT("type", "rating"));
	else
		json_head(print, json);
	ladder_rating_json(json, print->pool, standing);
	print_json_line(json, 0);
}

static void
print_table(struct print *print)
{
	static const struct table_column columns[] = {
		{ "rank", .spare = 3 },	    { "bot", .left = true },
		{ "live Elo", .least = 8 }, { "games", .least = 7 },
		{ "wins", 6, .spare = 2 },  { "place", .spare = 1 },
		{ "score", .least = 6 },
	};
	const struct ladder_pool *pool = print->pool;

	print->standings = 0;
	print->table = table_print_new(columns, NELEM(columns));
	print->result = ladder_standings(print->ladder, pool->number,
					 print_standing, print, print->why);
	if (print->result < 0 || print->standings == 0) {
		table_print_free(print->table);
		return; /* or all games are voided */
	}
	if (print->count++ > 0)
		putchar('\n');
	print_pool(pool, 0, 0);
	table_print_end(print->table);
}

static void
print_standings(void *arg, const struct ladder_pool *pool)
{
	struct print *print = arg;

	if (print->result < 0)
		return;
	print->pool = pool;
	if (print->json)
		print->result =
			ladder_standings(print->ladder, pool->number,
					 json_standing, print, print->why);
	else
		print_table(print);
}

static int
all_standings(struct print *print)
{
	int result =
		ladder_pools(print->ladder, print_standings, print, print->why);

	return result < 0 ? result : print->result;
}

int
ladder_print_standings(struct ladder *ladder, bool json, struct error *why)
{
	struct print print = { .ladder = ladder, .json = json, .why = why };
	int result = ladder_settings(ladder, &print.k_milli, &print.start_milli,
				     why);

	if (result == 0)
		result = all_standings(&print);
	if (result == 0 && !json && print.count == 0)
		puts("no games yet");
	return result;
}

/* ---- games that do not count ------------------------------------------ */

static void
add_void(json_t *json, const struct ladder_game *game)
{
	if (game->void_number > 0)
		JSON_ADD(json,
			 JSON("void",
			      JSON_OBJECT(INT("number", game->void_number),
					  TEXT("why", game->void_why))));
}

/* Prints a line below the row of a game that does not count. */
static void
print_void(const struct ladder_game *game)
{
	const int indent = 10;
	int column;

	if (game->void_number == 0)
		return;
	column = printf("%*svoid %" PRId64 ":", indent, "", game->void_number);
	print_words(game->void_why, indent, column);
	putchar('\n');
}

/* ---- history ---------------------------------------------------------- */

static void
print_stay(struct print *print, const struct ladder_game *game,
	   const struct ladder_seat *seat)
{
	json_t *json;

	if (!print->json) {
		if (print->count++ == 0) {
			print_keys(print);
			printf("%8s  %-16s  %-8s  %4s  %-6s  %8s  %8s\n",
			       "serial", "ended (UTC)", "id", "pool", "place",
			       "before", "after");
		}
		printf("%8" PRId64, game->serial);
		print_minute(game->ended);
		printf("  %.*s  %4" PRId64 "  %d of %u  %8.1f  %8.1f\n",
		       ID_SHORT, game->id, pool_of(print, game), seat->place,
		       game->seats, points_of(seat->before_milli),
		       points_of(seat->before_milli + seat->delta_milli));
		print_void(game);
		return;
	}
	json = JSON_OBJECT(INT("serial", game->serial), TEXT("id", game->id),
			   TEXT("ended", game->ended));
	ladder_pool_of_json(json, game->game, game->options, game->seats,
			    game->arrival);
	JSON_ADD(json, INT("place", seat->place), INT("points", seat->points),
		 INT("before_milli", seat->before_milli),
		 INT("after_milli", seat->before_milli + seat->delta_milli));
	add_void(json, game);
	print_json_line(json, 0);
}

static void
print_stays(void *arg, const struct ladder_game *game)
{
	struct print *print = arg;

	for (unsigned i = 0; i < game->seats; i++)
		if (strcmp(game->seat[i].bot, print->bot) == 0)
			print_stay(print, game, &game->seat[i]);
}

int
ladder_print_history(struct ladder *ladder, const char *bot, bool json,
		     struct error *why)
{
	struct print print = {
		.ladder = ladder, .json = json, .bot = bot, .why = why
	};
	int result = ladder_games(ladder, bot, 0, print_stays, &print, why);

	return result < 0 ? result : print.result;
}

/* ---- games ------------------------------------------------------------ */

static json_t *
json_seat(const struct ladder_seat *seat)
{
	return JSON_OBJECT(TEXT("bot", seat->bot), INT("place", seat->place),
			   INT("points", seat->points),
			   INT("before_milli", seat->before_milli),
			   INT("delta_milli", seat->delta_milli));
}

static void
json_game(const struct print *print, const struct ladder_game *game)
{
	char hash[2 * RECORD_HASH_BYTES + 1];
	json_t *json = json_object(), *seats = json_array();

	if (print->all)
		JSON_ADD(json, TEXT("type", "game"));
	JSON_ADD(json, INT("serial", game->serial), TEXT("id", game->id),
		 TEXT("ended", game->ended));
	ladder_pool_of_json(json, game->game, game->options, game->seats,
			    game->arrival);
	if (game->block[0] != '\0')
		JSON_ADD(json, TEXT("block", game->block));
	sodium_bin2hex(hash, sizeof(hash), game->hash, sizeof(game->hash));
	for (unsigned i = 0; i < game->seats; i++)
		json_array_append_new(seats, json_seat(&game->seat[i]));
	JSON_ADD(json, TEXT("hash", hash), JSON("seat", seats));
	add_void(json, game);
	print_json_line(json, 0);
}

#define BOTS_COLUMN 44 /* column of the bots in print_game() */

static void
print_game(void *arg, const struct ladder_game *game)
{
	struct print *print = arg;
	char seat[NAME_BYTES + 8];
	int column;

	if (print->json) {
		json_game(print, game);
		return;
	}
	if (print->count++ == 0) {
		print_keys(print);
		printf("%8s  %-16s  %-8s  %4s  %s\n", "serial", "ended (UTC)",
		       "id", "pool", "place and bot of each seat");
	}
	column = printf("%8" PRId64, game->serial);
	column += print_minute(game->ended);
	column += printf("  %.*s  %4" PRId64 "  ", ID_SHORT, game->id,
			 pool_of(print, game));
	for (unsigned i = 0; i < game->seats; i++) {
		snprintf(seat, sizeof(seat), "%d.%s%s", game->seat[i].place,
			 game->seat[i].bot, i + 1 < game->seats ? "," : "");
		column = print_words(seat, BOTS_COLUMN, column);
	}
	putchar('\n');
	print_void(game);
}

int
ladder_print_games(struct ladder *ladder, bool json, struct error *why)
{
	struct print print = { .ladder = ladder, .json = json, .why = why };
	int result = ladder_games(ladder, NULL, 0, print_game, &print, why);

	if (result == 0)
		result = print.result;
	if (result == 0 && !json && print.count == 0)
		puts("no games yet");
	return result;
}

/* ---- export ----------------------------------------------------------- */

static void
json_setting(void *arg UNUSED, const struct ladder_setting *setting)
{
	print_json_line(JSON_OBJECT(TEXT("type", "setting"),
				    INT("from_serial", setting->from_serial),
				    INT("k_milli", setting->k_milli),
				    INT("start_milli", setting->start_milli)),
			0);
}

static void
json_entry(void *arg UNUSED, const struct ladder_entry *entry)
{
	json_t *json = JSON_OBJECT(TEXT("type", "entry"));

	ladder_pool_json(json, &entry->pool);
	JSON_ADD(json, TEXT("bot", entry->bot),
		 INT("live_elo_milli", entry->rating_milli));
	print_json_line(json, 0);
}

void
ladder_season_print(const struct ladder *ladder)
{
	const struct ladder_season *season = ladder_season(ladder);

	int column;

	if (season->name[0] == '\0')
		return;
	column = printf("season %s, after ladder", season->name);
	print_words(season->after, 0, column);
	fputs("\n\n", stdout);
}

int
ladder_settings_print(struct ladder *ladder, struct error *why)
{
	char k[MILLI_TEXT_BYTES], start[MILLI_TEXT_BYTES];
	int64_t k_milli, start_milli;

	if (ladder_settings(ladder, &k_milli, &start_milli, why) < 0)
		return -1;
	milli_text(k_milli, k);
	milli_text(start_milli, start);
	printf("The live Elo: K %s, start rating %s.\n", k, start);
	return 0;
}

static json_t *
ladder_json(const struct ladder *ladder)
{
	json_t *json = JSON_OBJECT(TEXT("type", "ladder"),
				   TEXT("id", ladder_id(ladder)),
				   TEXT("created", ladder_created(ladder)));

	ladder_season_json(json, ladder_season(ladder));
	return json;
}

int
ladder_export_json(struct ladder *ladder, struct error *why)
{
	struct print print = {
		.ladder = ladder, .json = true, .all = true, .why = why
	};
	int result;

	print_json_line(ladder_json(ladder), 0);
	if ((result = ladder_settings_log(ladder, json_setting, NULL, why)) <
		    0 ||
	    (result = ladder_entries(ladder, json_entry, NULL, why)) < 0 ||
	    (result = all_standings(&print)) < 0)
		return result;
	return ladder_games(ladder, NULL, 0, print_game, &print, why);
}

static void
csv_game(void *arg UNUSED, const struct ladder_game *game)
{
	const struct ladder_seat *seat;

	for (unsigned i = 0; i < game->seats; i++) {
		seat = &game->seat[i];
		printf("%" PRId64 ",%s,%s,%s,", game->serial, game->id,
		       game->ended, game->game);
		print_csv_text(game->options);
		printf(",%u,%s,%u,%s,%d,%ld,%" PRId64 ",%" PRId64 ",",
		       game->seats, game->arrival ? "arrival" : "priority", i,
		       seat->bot, seat->place, seat->points, seat->before_milli,
		       seat->delta_milli);
		print_csv_text(game->void_why);
		putchar('\n');
	}
}

int
ladder_export_csv(struct ladder *ladder, struct error *why)
{
	puts("serial,id,ended,game,options,seats,open,seat,bot,place,points,"
	     "before_milli,delta_milli,void");
	return ladder_games(ladder, NULL, 0, csv_game, NULL, why);
}
