/* tests/world/check-seats.c - the seats of a ladder's bots are evened out.
 *
 * ladder/pairing.h promises that of all ways to seat the bots of a table the one is
 * taken that best evens out how often each has sat where, in one life of the daemon.
 * How far that goes depends on who is there, so all bots of a scenario are looked at
 * together.  Seats that the pairing chooses are half as uneven as is allowed here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/world/check-inside.h"

/* Less is a matter of luck, above all if there are many short lives: a game that goes
 * on in the next life was seated by what the last one knew.  It is measured as seats
 * that are drawn would be uneven. */
#define LEAST 30
#define ALLOWED 0.9 /* of what it would be then */

struct of_bot {
	struct of_bot *next;
	char ladder[NAME_BYTES + 1], name[NAME_BYTES + 1];
	unsigned seats, sat[SEATS_MAX];
};

struct seating {
	struct of_bot *bots;
	double uneven, drawn;
};

static bool
take_word(const char *line, const char *key, char to[NAME_BYTES + 1])
{
	const char *at = strstr(line, key);

	if (at == NULL)
		return false;
	at += strlen(key);
	snprintf(to, NAME_BYTES + 1, "%.*s", (int)strcspn(at, " \n"), at);
	return true;
}

static struct of_bot *
bot_of(struct seating *seating, const char *ladder, const char *name)
{
	struct of_bot *bot = seating->bots;

	while (bot != NULL && (strcmp(bot->name, name) != 0 ||
			       strcmp(bot->ladder, ladder) != 0))
		bot = bot->next;
	if (bot != NULL)
		return bot;
	bot = zeroed(1, sizeof(*bot));
	snprintf(bot->ladder, sizeof(bot->ladder), "%s", ladder);
	snprintf(bot->name, sizeof(bot->name), "%.*s", NAME_BYTES, name);
	bot->next = seating->bots;
	return seating->bots = bot;
}

static void
on_over(struct seating *seating, const char *line)
{
	char ladder[NAME_BYTES + 1], name[SEATS_MAX][NAME_BYTES + 1], key[16];
	struct of_bot *bot;
	unsigned seats, i;

	if (!take_word(line, " ladder=", ladder))
		return;
	for (seats = 0; seats < SEATS_MAX; seats++) {
		snprintf(key, sizeof(key), " bot%u=", seats);
		if (!take_word(line, key, name[seats]))
			break;
	}
	for (i = 0; i < seats; i++) {
		bot = bot_of(seating, ladder, name[i]);
		bot->seats = seats;
		bot->sat[i]++;
	}
}

/* Adds up what a life says: the sum of the squares by which the seats of a bot differ
 * from their mean, less what no way to seat it can avoid. */
static void
end_life(struct seating *seating)
{
	struct of_bot *bot;
	double mean, least;
	unsigned games, i;

	while ((bot = seating->bots) != NULL) {
		for (games = i = 0; i < bot->seats; i++)
			games += bot->sat[i];
		mean = (double)games / bot->seats;
		least = (double)(games % bot->seats) *
			(bot->seats - games % bot->seats) / bot->seats;
		for (i = 0; i < bot->seats; i++)
			seating->uneven +=
				(bot->sat[i] - mean) * (bot->sat[i] - mean);
		seating->uneven -= least;
		seating->drawn += mean * (bot->seats - 1) - least;
		seating->bots = bot->next;
		free(bot);
	}
}

void
check_seats(struct check *check)
{
	struct seating seating = { .bots = NULL };
	char *line = NULL;
	size_t room = 0;
	FILE *trace;

	trace = check->what->log == NULL ? NULL : fopen(check->what->log, "re");
	while (trace != NULL && getline(&line, &room, trace) > 0)
		if (strstr(line, " event=game-over ") != NULL)
			on_over(&seating, line);
		else if (strstr(line, " begins\n") != NULL)
			end_life(&seating);
	end_life(&seating);
	if (trace != NULL)
		fclose(trace);
	free(line);
	if (seating.drawn >= LEAST && seating.uneven > ALLOWED * seating.drawn)
		check_wrong(check,
			    "expected that seats are evened out, found %.1f "
			    "where seats that are drawn give about %.1f",
			    seating.uneven, seating.drawn);
}
