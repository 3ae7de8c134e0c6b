/* referee/records/bracket.c - see bracket.h. */
#include "referee/records/bracket.h"

#include <stdio.h>

unsigned
bracket_size(unsigned bots)
{
	unsigned size = 2;

	while (size < bots)
		size *= 2;
	return size;
}

unsigned
bracket_line(unsigned at, unsigned matches)
{
	unsigned line;

	if (matches <= 1)
		return 0;
	line = bracket_line(at / 2, matches / 2);
	return at % 2 == 0 ? line : matches - 1 - line;
}

unsigned
bracket_matches(const struct bracket *bracket, unsigned round)
{
	return 1U << (bracket->rounds - 1 - round);
}

/* Returns the bot with this seed, or -1 if the file has none. */
static int
find_seed(const struct tournament_told *told, unsigned line)
{
	for (unsigned i = 0; i < told->bots; i++)
		if (told->bot[i].draw == line + 1)
			return (int)i;
	return -1;
}

static bool
sits(const struct told_table *table, int bot)
{
	return (int)table->bot[0] == bot || (int)table->bot[1] == bot;
}

static const struct told_table *
find_table(const struct tournament_told *told, unsigned round,
	   const struct bracket_match *match)
{
	const struct told_table *table = told->table;

	for (; table < told->table + told->tables; table++)
		if (table->phase == round + 1 && sits(table, match->bot[0]) &&
		    sits(table, match->bot[1]))
			return table;
	return NULL;
}

/* Returns true if the bot has won its match of this round. */
static bool
has_won(const struct bracket *bracket, const struct tournament_told *told,
	unsigned round, int bot)
{
	if (bot < 0)
		return false;
	if (round + 1 == bracket->rounds)
		return told->over && bot == 0;
	return told->bot[bot].phase > round + 1;
}

/* Returns true if the table has played all its games, and one of the two has won
 * more of them.  The other one is out, though the phase goes on. */
static bool
is_clear(const struct tournament_told *told, const struct told_table *table)
{
	return table->share[0] != table->share[1] &&
	       (table->games == told->games ||
		table->games == told->games + KNOCKOUT_MORE * told->seats);
}

static void
fill_match(struct bracket *bracket, const struct tournament_told *told,
	   unsigned round, unsigned at)
{
	struct bracket_match *match = &bracket->match[round][at];
	const unsigned lines = 2 * bracket_matches(bracket, 0);
	unsigned s;

	*match = (struct bracket_match){ .winner = -1 };
	for (s = 0; s < 2 && round > 0; s++)
		match->bot[s] = bracket->match[round - 1][2 * at + s].winner;
	if (round == 0) {
		s = bracket_line(at, lines / 2);
		match->bot[0] = find_seed(told, s);
		match->bot[1] = find_seed(told, lines - 1 - s);
		match->bye = lines - 1 - s >= told->bots;
	}
	if (match->bye)
		match->winner = match->bot[0];
	else if (match->bot[0] >= 0 && match->bot[1] >= 0)
		match->table = find_table(told, round, match);
	for (s = 0; s < 2 && match->table != NULL; s++)
		if (has_won(bracket, told, round, match->bot[s]))
			match->winner = match->bot[s];
	if (match->table != NULL && match->winner < 0 &&
	    is_clear(told, match->table))
		match->winner = (int)match->table->bot[match->table->share[1] >
						       match->table->share[0]];
}

bool
bracket_fill(struct bracket *bracket, const struct tournament_told *told)
{
	unsigned at;

	if (told->final[0] == '\0' || told->seats != 2 ||
	    told->bots > BRACKET_BOTS)
		return false;
	bracket->rounds = 0;
	while (1U << bracket->rounds < bracket_size(told->bots))
		bracket->rounds++;
	for (unsigned round = 0; round < bracket->rounds; round++)
		for (at = 0; at < bracket_matches(bracket, round); at++)
			fill_match(bracket, told, round, at);
	return true;
}

void
bracket_name(const struct bracket *bracket, unsigned round,
	     char name[BRACKET_NAME])
{
	static const char *const last[] = { "Final", "Semi-finals",
					    "Quarter-finals" };
	const unsigned left =
		round < bracket->rounds ? bracket->rounds - 1 - round : 0;

	if (left < NELEM(last))
		snprintf(name, BRACKET_NAME, "%s", last[left]);
	else
		snprintf(name, BRACKET_NAME, "Last %u", 2U << left);
}
