/* referee/suggest-game.c - see suggest.h; apart, for it needs all games. */
#include "referee/game.h"
#include "referee/suggest.h"

struct suggestion
suggest_game(const char *name)
{
	struct suggestion suggestion = suggest(name);
	unsigned i;

	for (i = 0; games[i] != NULL; i++)
		suggest_offer(&suggestion, games[i]->name);
	return suggestion;
}
