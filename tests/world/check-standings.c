/* tests/world/check-standings.c - the standings that pages told, against the log.
 *
 * The pages may be a moment old, so they have to be those of the first games of the
 * log, whatever their number. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/world/check-inside.h"

#define BOTS_MOST 512

struct row {
	char bot[NAME_BYTES + 1];
	unsigned long games, wins;
};

struct table {
	struct row row[BOTS_MOST];
	unsigned rows;
};

static struct row *
row_of(struct table *table, const char *bot)
{
	unsigned i = 0;

	while (i < table->rows && strcmp(table->row[i].bot, bot) != 0)
		i++;
	if (i == BOTS_MOST)
		bug("more than %u bots have played", BOTS_MOST);
	if (i == table->rows) {
		table->row[i] = (struct row){ .games = 0 };
		snprintf(table->row[i].bot, sizeof(table->row[i].bot), "%s",
			 bot);
		table->rows++;
	}
	return &table->row[i];
}

/* Counts what a game, or a line of standings, says. */
static void
add_game(struct table *table, const char *placing)
{
	char bot[NAME_BYTES + 1];
	struct row *row;
	unsigned place;
	int n;

	for (; sscanf(placing, " %32s %u%n", bot, &place, &n) == 2;
	     placing += n) {
		row = row_of(table, bot);
		row->games++;
		row->wins += place == 1;
	}
}

static void
read_told(struct table *table, const char *line)
{
	unsigned long games, wins;
	char bot[NAME_BYTES + 1];
	struct row *row;
	int n;

	table->rows = 0;
	for (; sscanf(line, " %32s %lu %lu%n", bot, &games, &wins, &n) == 3;
	     line += n) {
		row = row_of(table, bot);
		row->games = games;
		row->wins = wins;
	}
}

static bool
is_same(struct table *told, struct table *table)
{
	const struct row *row;
	unsigned i;

	for (i = 0; i < table->rows; i++) {
		row = row_of(told, table->row[i].bot);
		if (row->games != table->row[i].games ||
		    row->wins != table->row[i].wins)
			return false;
	}
	return told->rows == table->rows;
}

static int
by_serial(const void *a, const void *b)
{
	const struct check_game *const *x = a, *const *y = b;

	return ((*x)->serial > (*y)->serial) - ((*x)->serial < (*y)->serial);
}

/* Returns the games of a ladder in the order of its log; ends with NULL. */
static struct check_game **
games_of(const struct check *check, const char *ladder)
{
	struct check_game **game = zeroed(check->games + 1, sizeof(*game));
	size_t n = 0;

	for (size_t i = 0; i < check->games; i++)
		if (strcmp(check->game[i].ladder, ladder) == 0 &&
		    check->game[i].placing != NULL)
			game[n++] = &check->game[i];
	if (n > 0)
		qsort(game, n, sizeof(*game), by_serial);
	return game;
}

/* Standings that are frozen have no game that ended at `until` or later. */
static void
check_told(struct check *check, const char *ladder, int64_t until,
	   const char *line)
{
	static struct table told, table, before;
	struct check_game **game = games_of(check, ladder);
	bool same;
	size_t i = 0;

	read_told(&told, line);
	before = told;
	table.rows = 0;
	/* A comparison adds the bots that the told standings lack. */
	while (!(same = is_same(&told, &table)) && game[i] != NULL) {
		told = before;
		if (game[i]->ended < until)
			add_game(&table, game[i]->placing);
		i++;
	}
	free(game);
	if (!same)
		check_wrong(check,
			    "ladder %s: expected standings of the first games "
			    "of its log, found%.*s (bot, games, wins)",
			    ladder, (int)strcspn(line, "\n"), line);
}

/* Returns the date from which the ladder is frozen, as the trace says it.  There is no
 * other one in a scenario.  INT64_MAX: there is none. */
static int64_t
freezes_of(const char *log, const char *ladder)
{
	char *key = formatted(" term of %s: ", ladder), *line = NULL;
	const char *at;
	int64_t freezes = 0;
	size_t room = 0;
	FILE *trace = fopen(log, "re");

	while (trace != NULL && freezes == 0 &&
	       getline(&line, &room, trace) > 0) {
		at = strstr(line, key);
		if (at != NULL)
			sscanf(at + strlen(key), "%*d %" SCNd64, &freezes);
	}
	if (trace != NULL)
		fclose(trace);
	free(line);
	free(key);
	return freezes == 0 ? INT64_MAX : freezes;
}

void
check_standings(struct check *check)
{
	static const char key[] = " told standings of ";
	char *line = NULL, *at, *colon, name[NAME_BYTES + 1];
	int64_t until;
	size_t room = 0;
	FILE *trace;

	trace = check->what->log == NULL ? NULL : fopen(check->what->log, "re");
	while (trace != NULL && getline(&line, &room, trace) > 0) {
		at = strstr(line, key);
		colon = at == NULL ? NULL : strchr(at, ':');
		if (colon == NULL)
			continue;
		at += sizeof(key) - 1;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, " "), at);
		*colon = '\0';
		until = strstr(at, " frozen") == NULL
				? INT64_MAX
				: freezes_of(check->what->log, name);
		check_told(check, name, until, colon + 1);
	}
	if (trace != NULL)
		fclose(trace);
	free(line);
}
