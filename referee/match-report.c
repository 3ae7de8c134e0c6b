/* referee/match-report.c - the table that a match ends with. */
#include "referee/match-report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "referee/command.h"

struct ratings {
	const struct match_setup *setup;
	int64_t milli[BOTS_MAX];
};

static void
hear_rating(void *arg, const struct ladder_standing *standing)
{
	struct ratings *ratings = arg;
	unsigned b;

	for (b = 0; b < ratings->setup->bots; b++)
		if (strcmp(ratings->setup->bot[b].name, standing->bot) == 0)
			ratings->milli[b] = standing->rating_milli;
}

/* "name=value name=value" */
static void
write_options(const struct game_setup *game, char to[LADDER_OPTIONS_BYTES])
{
	char value[16];
	size_t used = 0;
	unsigned i;

	to[0] = '\0';
	for (i = 0; game->rules->options[i].name != NULL; i++) {
		game_setup_value(game, i, value);
		used += (size_t)snprintf(to + used, LADDER_OPTIONS_BYTES - used,
					 "%s%s=%s", i > 0 ? " " : "",
					 game->rules->options[i].name, value);
	}
}

/* Ratings by bot: the ladder's, or what the match alone gives. */
static int
find_ratings(const struct match_setup *setup, const struct match_report *report,
	     struct ladder *ladder, struct ratings *ratings)
{
	struct ladder_pool pool = { .seats = setup->game.seats,
				    .arrival = setup->arrival };
	char why[LADDER_WHY_BYTES];
	unsigned b;

	ratings->setup = setup;
	for (b = 0; b < setup->bots; b++)
		ratings->milli[report->standing[b].bot] =
			report->standing[b].elo_milli;
	if (ladder == NULL)
		return EXIT_DONE;
	snprintf(pool.game, sizeof(pool.game), "%s", setup->game.rules->name);
	write_options(&setup->game, pool.options);
	if (ladder_pool_find(ladder, &pool, why) != LADDER_OK ||
	    (pool.number != 0 &&
	     ladder_standings(ladder, pool.number, hear_rating, ratings, why) !=
		     LADDER_OK))
		return complain_machine("%s", why);
	return EXIT_DONE;
}

static double
mean(double sum, uint64_t n)
{
	return n == 0 ? 0 : sum / (double)n;
}

/* ---- as a table ------------------------------------------------------- */

static const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void
print_head(const struct match_setup *setup, const struct match_report *report)
{
	char options[LADDER_OPTIONS_BYTES];

	write_options(&setup->game, options);
	printf("%s, %u seats%s%s%s: %" PRIu64 " game%s, %" PRIu64
	       " turn%s in %.1f s\n",
	       setup->game.rules->name, setup->game.seats,
	       setup->arrival ? ", open=arrival" : "", *options ? ", " : "",
	       options, report->games, plural(report->games), report->turns,
	       plural(report->turns), report->seconds);
	if (report->known > 0)
		printf("%" PRIu64 " of them were on the ladder before and did "
		       "not count again\n",
		       report->known);
}

static int
name_width(const struct match_setup *setup)
{
	size_t width = strlen("bot"), n;
	unsigned b;

	for (b = 0; b < setup->bots; b++) {
		n = strlen(setup->bot[b].name);
		width = n > width ? n : width;
	}
	return (int)width;
}

/* Games that all came out alike do not tell how far off their mean is. */
static void
write_error(const struct match_standing *standing, char to[16])
{
	if (standing->error > 0)
		snprintf(to, 16, "%.1f%%", 100 * standing->error);
	else
		snprintf(to, 16, "-");
}

static void
print_table(const struct match_setup *setup, const struct match_report *report,
	    const struct ratings *ratings)
{
	const struct match_standing *standing;
	char error[16];
	int width = name_width(setup);
	unsigned b;

	print_head(setup, report);
	printf("%5s  %-*s  %7s  %7s  %5s  %7s  %6s  %6s  %7s  %6s\n", "rank",
	       width, "bot", "games", "wins", "place", "points", "score", "+-",
	       "rating", "faults");
	for (b = 0; b < setup->bots; b++) {
		standing = &report->standing[b];
		write_error(standing, error);
		printf("%5u  %-*s  %7" PRIu64 "  %7" PRIu64
		       "  %5.2f  %7.2f  %5.1f%%  %6s  %7.1f  %6" PRIu64 "\n",
		       b + 1, width, setup->bot[standing->bot].name,
		       standing->games, standing->wins,
		       mean((double)standing->places, standing->games),
		       mean((double)standing->points, standing->games),
		       100 * standing->score, error,
		       (double)ratings->milli[standing->bot] / 1000,
		       standing->faults);
	}
	if (!setup->seeded && report->signal == 0)
		printf("seed: %s\n", setup->seed);
}

/* ---- as JSON ---------------------------------------------------------- */

static void
print_object(json_t *object)
{
	if (object == NULL)
		bug("a JSON object cannot be made");
	json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(10));
	putchar('\n');
	json_decref(object);
}

static json_t *
options_json(const struct game_setup *game)
{
	json_t *object = json_object();
	char value[16];
	unsigned i;

	for (i = 0; game->rules->options[i].name != NULL; i++) {
		game_setup_value(game, i, value);
		json_object_set_new(object, game->rules->options[i].name,
				    json_string(value));
	}
	return object;
}

static void
print_json(const struct match_setup *setup, const struct match_report *report,
	   const struct ratings *ratings)
{
	const struct match_standing *s;
	json_t *match;
	unsigned b;

	for (b = 0; b < setup->bots; b++) {
		s = &report->standing[b];
		print_object(json_pack(
			"{s:i, s:s, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:I, "
			"s:I}",
			"rank", (int)b + 1, "bot", setup->bot[s->bot].name,
			"games", (json_int_t)s->games, "wins",
			(json_int_t)s->wins, "place",
			mean((double)s->places, s->games), "points",
			mean((double)s->points, s->games), "score", s->score,
			"error", s->error, "rating",
			(double)ratings->milli[s->bot] / 1000, "faults",
			(json_int_t)s->faults, "retired",
			(json_int_t)s->retired));
	}
	match = json_pack(
		"{s:s, s:o, s:s, s:i, s:I, s:I, s:I, s:f}", "game",
		setup->game.rules->name, "options", options_json(&setup->game),
		"open", setup->arrival ? "arrival" : "priority", "seats",
		(int)setup->game.seats, "games", (json_int_t)report->games,
		"known", (json_int_t)report->known, "turns",
		(json_int_t)report->turns, "seconds", report->seconds);
	if (match != NULL && report->signal == 0)
		json_object_set_new(
			match, "seed",
			json_stringn(setup->seed, strlen(setup->seed)));
	print_object(match);
}

int
match_report_print(const struct match_setup *setup,
		   const struct match_report *report, struct ladder *ladder,
		   bool json)
{
	struct ratings ratings;
	int code;

	if (report->standing == NULL)
		return EXIT_DONE;
	code = find_ratings(setup, report, ladder, &ratings);
	if (code != EXIT_DONE)
		return code;
	if (json)
		print_json(setup, report, &ratings);
	else
		print_table(setup, report, &ratings);
	return finish_output();
}
