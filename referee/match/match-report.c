/* referee/match/match-report.c - prints the table that a match ends with. */
#include "referee/match/match-report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "referee/base/command.h"
#include "referee/base/json-line.h"
#include "referee/base/table-print.h"
#include "referee/match/contest-print.h"
#include "referee/match/match-trouble.h"
#include "referee/table/game-help.h"

/* Points of a bot above the mean of the bots that played, and the ends of its
 * bar, which are infinite where the bar has no end.  NAN if the games do not
 * tell: the bot has played none, or no chain of games connects all bots that
 * played. */
struct elo {
	double points, from, to;
};

/* Fills in the Elo of each bot. */
static int
find_elo(const struct match_report *report, struct elo elo[])
{
	const struct elo unknown = { NAN, NAN, NAN };
	const struct fit_row *row;
	struct error why;
	bool apart = false;

	for (unsigned i = 0; i < report->bots; i++)
		elo[i] = unknown;
	if (report->games == 0)
		return EXIT_DONE;
	if (fit_solve(report->fit, true, &why) < 0)
		return complain_error(&why);
	row = fit_rows(report->fit);
	for (unsigned i = 0; i < report->bots; i++)
		apart |= row[i].games > 0 && row[i].set > 0;
	for (unsigned i = 0; i < report->bots && !apart; i++)
		if (row[i].games > 0)
			elo[row[i].bot] =
				(struct elo){ row[i].rating - FIT_CENTRE,
					      row[i].low - FIT_CENTRE,
					      row[i].high - FIT_CENTRE };
	return EXIT_DONE;
}

/* Fills in by how much the first bot of the table is above the second.  Returns
 * false if there are other bots, or if no game tells. */
static bool
find_difference(const struct match_setup *setup,
		const struct match_report *report,
		struct fit_difference *difference)
{
	if (setup->bots != 2 || report->games == 0)
		return false;
	*difference = fit_compare(report->fit, report->standing[0].bot,
				  report->standing[1].bot);
	return difference->compared;
}

static double
mean(double sum, uint64_t n)
{
	return n == 0 ? 0 : sum / (double)n;
}

#define NUMBER_BYTES 64 /* room for a number and its error */

/* ---- as a table ------------------------------------------------------- */

static void
print_head(const struct match_setup *setup, const struct match_report *report)
{
	char options[LADDER_OPTIONS_BYTES], text[128];
	int column;

	game_setup_text(&setup->game, false, options, sizeof(options));
	snprintf(text, sizeof(text), "%s, %u seats%s%s",
		 setup->game.rules->name, setup->game.seats,
		 setup->arrival ? ", open=arrival" : "", *options ? "," : "");
	column = print_words(text, 0, 0);
	column = print_words(options, 0, column);
	snprintf(text, sizeof(text), "%s, %s in %.1f s",
		 counted(report->games, "game").text,
		 counted(report->turns, "turn").text, report->seconds);
	putchar(':');
	print_words(text, 0, column + 1);
	putchar('\n');
	if (report->known > 0)
		printf("%" PRIu64 " of them %s on the ladder before and did "
		       "not count again\n",
		       report->known, report->known == 1 ? "was" : "were");
}

enum column {
	RANK,
	BOT,
	PHASE,
	SUM,
	BUCHHOLZ,
	GAMES,
	WINS,
	PLACE,
	POINTS,
	SCORE,
	VS_NEXT,
	ELO,
	FROM,
	TO,
	FAULTS,
	COLUMNS,
};

static const struct table_column all_columns[COLUMNS] = {
	[RANK] = { "rank", .spare = 3 },
	[BOT] = { "bot", .left = true },
	[PHASE] = { "phase" },
	[SUM] = { "sum" },
	[BUCHHOLZ] = { "buchholz" },
	[GAMES] = { "games" },
	[WINS] = { "wins", .spare = 4 },
	[PLACE] = { "place", .spare = 1 },
	[POINTS] = { "points", .spare = 2 },
	[SCORE] = { "score", .left = true },
	[VS_NEXT] = { "vs next", .left = true, .spare = 5 },
	[ELO] = { "Elo" },
	[FROM] = { "from" },
	[TO] = { "to" },
	[FAULTS] = { "faults" },
};

/* The columns that each format has beside those of a match. */
static const bool has_column[][COLUMNS] = {
	[TOURNAMENT_SWISS] = { [SUM] = true, [BUCHHOLZ] = true },
	[TOURNAMENT_KNOCKOUT] = { [PHASE] = true },
};

static bool
has(const struct tournament *tournament, enum column column)
{
	if (column != PHASE && column != SUM && column != BUCHHOLZ)
		return true;
	return tournament != NULL &&
	       has_column[tournament_setup_of(tournament)->format][column];
}

/* Writes "0.512 +-0.034"; "0.512 ?" without an error; "-" without a number. */
static void
write_number(char *to, size_t size, double number, double error)
{
	number = shown(number, .001);
	if (isnan(number))
		snprintf(to, size, "-");
	else if (isnan(error))
		snprintf(to, size, "%.3f ?", number);
	else
		snprintf(to, size, "%.3f +-%.3f", number, error);
}

static void
print_number(struct table_print *table, double number, double error)
{
	char text[NUMBER_BYTES];

	write_number(text, sizeof(text), number, error);
	table_print_cell(table, "%s", text);
}

/* Prints "+120"; "-" without a number. */
static void
print_points(struct table_print *table, double points)
{
	if (isfinite(points))
		table_print_cell(table, "%+.0f", shown(points, 1));
	else
		table_print_cell(table, "-");
}

static void
print_tournament(struct table_print *table, const struct tournament *tournament,
		 unsigned bot)
{
	struct told_bot row;

	if (tournament == NULL)
		return;
	row = tournament_row(tournament, bot);
	if (has(tournament, PHASE))
		table_print_cell(table, "%u", row.phase);
	if (has(tournament, SUM))
		table_print_cell(table, "%.2f", row.points);
	if (has(tournament, BUCHHOLZ))
		table_print_cell(table, "%.4f", row.buchholz);
}

static void
print_row(struct table_print *table, const struct match_setup *setup,
	  const struct match_standing *standing, unsigned rank,
	  const struct elo *elo, const struct tournament *tournament)
{
	const uint64_t played = standing->games;

	table_print_cell(table, "%u", rank);
	table_print_cell(table, "%s", setup->bot[standing->bot].name);
	print_tournament(table, tournament, standing->bot);
	table_print_cell(table, "%" PRIu64, played);
	table_print_cell(table, "%" PRIu64, standing->wins);
	table_print_cell(table, "%.2f", mean((double)standing->places, played));
	table_print_cell(table, "%.2f", mean((double)standing->points, played));
	print_number(table, played > 0 ? standing->score : NAN,
		     standing->error);
	print_number(table, standing->vs_next, standing->vs_next_error);
	print_points(table, elo->points);
	print_points(table, elo->from);
	print_points(table, elo->to);
	table_print_cell(table, "%" PRIu64, standing->faults);
	table_print_row(table, "");
}

/* Chooses from all columns those that this table needs. */
static unsigned
choose_columns(const struct tournament *tournament,
	       struct table_column columns[COLUMNS])
{
	unsigned count = 0;

	for (int c = 0; c < COLUMNS; c++)
		if (has(tournament, c))
			columns[count++] = all_columns[c];
	return count;
}

/* Prints "+120.4 (+12.3 to +240.1), LOS 97.1%". */
static void
print_difference(const struct match_setup *setup,
		 const struct match_report *report)
{
	struct fit_difference found;
	char all[32] = "the only game";

	if (!find_difference(setup, report, &found))
		return;
	if (report->games > 1)
		snprintf(all, sizeof(all), "all %" PRIu64 " games",
			 report->games);
	fputs("Elo difference: ", stdout);
	if (isinf(found.high))
		printf("at least %+.1f (won %s)", shown(found.low, .1), all);
	else if (isinf(found.low))
		printf("at most %+.1f (lost %s)", shown(found.high, .1), all);
	else
		printf("%+.1f (%+.1f to %+.1f)", shown(found.points, .1),
		       shown(found.low, .1), shown(found.high, .1));
	if (found.los >= 0)
		printf(", LOS %.1f%%", 100 * found.los);
	putchar('\n');
}

/* Warns that the faults say more about the machine than about the bots. */
static void
print_starved(const struct match_report *report)
{
	uint64_t starved = 0;

	for (unsigned b = 0; b < report->bots; b++)
		starved += report->faults[b].starved;
	if (starved > 0)
		printf("overloaded: %s came because the machine had no "
		       "processor for the bot; play fewer games at a time "
		       "(--jobs), or allow more time (--move-time)\n",
		       counted(starved, "time-out").text);
}

/* Prints "1.32 +-0.11 times as many games". */
static void
print_gain(const struct gain *gain)
{
	char text[NUMBER_BYTES];

	write_number(text, sizeof(text), gain->gain, gain->error);
	printf("gain: %s (games without duplicate deals that are worth one of "
	       "these)\n",
	       text);
}

static void
print_table(const struct match_setup *setup, const struct match_report *report,
	    const struct elo elo[], const struct tournament *tournament)
{
	struct table_column columns[COLUMNS];
	struct table_print *table =
		table_print_new(columns, choose_columns(tournament, columns));

	print_head(setup, report);
	if (tournament != NULL)
		printf("%s%s\n", setup->tournament,
		       tournament_is_over(tournament) ? "" : ", not over");
	for (unsigned b = 0; b < setup->bots; b++)
		print_row(table, setup, &report->standing[b], b + 1,
			  &elo[report->standing[b].bot], tournament);
	table_print_end(table);
	print_starved(report);
	print_difference(setup, report);
	if (setup->contest != NULL)
		contest_print(setup->contest, setup->bot[0].name,
			      setup->bot[1].name);
	if (setup->duplicate)
		print_gain(&report->gain);
	if (!setup->seeded)
		printf("seed: %s\n", setup->seed);
}

/* ---- as JSON ---------------------------------------------------------- */

/* Returns null if the number is not known or infinite. */
static json_t *
json_known(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

/* Adds a slip under two `keys`: the count, and the first one. */
static void
add_slip(json_t *line, const char *const keys[2], const struct match_slip *slip)
{
	JSON_ADD(line, INT(keys[0], slip->count),
		 JSON(keys[1], slip->count == 0
				       ? json_null()
				       : json_any_string(slip->first)));
}

static void
add_tournament(json_t *line, const struct tournament *tournament, unsigned bot)
{
	struct told_bot row;

	if (tournament == NULL)
		return;
	row = tournament_row(tournament, bot);
	JSON_ADD(line, INT("draw", row.draw), INT("byes", row.byes),
		 INT("phase", row.phase), REAL("sum", row.points),
		 REAL("buchholz", row.buchholz));
}

static json_t *
bot_json(const struct match_setup *setup, const struct match_report *report,
	 unsigned rank, const struct elo *elo)
{
	static const char *const slip_keys[SLIPS][2] = {
		[SLIP_FALLBACK] = { "fallbacks", "fallback" },
		[SLIP_FAILED] = { "failures", "failure" },
	};
	const struct match_standing *s = &report->standing[rank - 1];
	json_t *line = JSON_OBJECT(
		INT("rank", rank), TEXT("bot", setup->bot[s->bot].name),
		INT("games", s->games), INT("wins", s->wins),
		REAL("place", mean((double)s->places, s->games)),
		REAL("points", mean((double)s->points, s->games)),
		REAL("score", s->score), JSON("error", json_known(s->error)),
		JSON("vs_next", json_known(s->vs_next)),
		JSON("vs_next_error", json_known(s->vs_next_error)),
		JSON("elo", json_known(elo->points)),
		JSON("from", json_known(elo->from)),
		JSON("to", json_known(elo->to)), INT("faults", s->faults),
		JSON("fault_kinds", json_faults(report->faults[s->bot].kind)),
		INT("starved", report->faults[s->bot].starved),
		INT("retired", s->retired),
		JSON("trouble", match_trouble_json(setup->records,
						   &report->trouble[s->bot])));

	for (unsigned i = 0; i < SLIPS; i++)
		add_slip(line, slip_keys[i], &report->faults[s->bot].slip[i]);
	return line;
}

static json_t *
match_json(const struct match_setup *setup, const struct match_report *report)
{
	return JSON_OBJECT(
		TEXT("game", setup->game.rules->name),
		JSON("options", json_options(&setup->game)),
		TEXT("open", setup->arrival ? "arrival" : "priority"),
		INT("seats", setup->game.seats), INT("games", report->games),
		INT("known", report->known), INT("turns", report->turns),
		REAL("seconds", report->seconds),
		JSON("seed", json_any_string(setup->seed)));
}

static void
add_difference(json_t *line, const struct match_setup *setup,
	       const struct match_report *report)
{
	struct fit_difference found = { NAN, NAN, NAN, NAN, false };

	if (setup->bots != 2)
		return;
	(void)find_difference(setup, report, &found);
	JSON_ADD(line, JSON("elo_difference", json_known(found.points)),
		 JSON("elo_difference_from", json_known(found.low)),
		 JSON("elo_difference_to", json_known(found.high)),
		 JSON("los", json_known(found.los < 0 ? NAN : found.los)));
}

static void
print_lines(const struct match_setup *setup, const struct match_report *report,
	    const struct elo elo[], const struct tournament *tournament,
	    bool csv)
{
	json_t *line;
	unsigned bot;

	for (unsigned rank = 1; rank <= setup->bots; rank++) {
		bot = report->standing[rank - 1].bot;
		line = bot_json(setup, report, rank, &elo[bot]);
		add_tournament(line, tournament, bot);
		if (!csv) {
			print_json_line(line, 10);
			continue;
		}
		json_object_del(line, "trouble"); /* an object or null */
		if (rank == 1)
			print_csv_line(line, true);
		print_csv_line(line, false);
		json_decref(line);
	}
	if (csv)
		return;
	line = match_json(setup, report);
	add_difference(line, setup, report);
	if (setup->contest != NULL)
		contest_json(setup->contest, setup->bot[0].name,
			     setup->bot[1].name, line);
	if (tournament != NULL)
		JSON_ADD(line, TEXT("tournament", setup->tournament),
			 BOOL("over", tournament_is_over(tournament)));
	if (setup->duplicate)
		JSON_ADD(line, JSON("gain", json_known(report->gain.gain)),
			 JSON("gain_error", json_known(report->gain.error)));
	print_json_line(line, 10);
}

int
match_report_print(const struct match_setup *setup,
		   const struct match_report *report,
		   const struct tournament *tournament,
		   enum match_format format)
{
	struct elo elo[BOTS_MAX];
	int code;

	if (report->standing == NULL)
		return EXIT_DONE;
	code = find_elo(report, elo);
	if (code != EXIT_DONE)
		return code;
	if (format == MATCH_TEXT)
		print_table(setup, report, elo, tournament);
	else
		print_lines(setup, report, elo, tournament,
			    format == MATCH_CSV);
	return finish_output();
}
