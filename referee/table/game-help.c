/* referee/table/game-help.c - see game-help.h. */
#include "referee/table/game-help.h"

#include "referee/games/game.h"

struct suggestion
suggest_game(const char *name)
{
	struct suggestion suggestion = suggest(name);

	for (unsigned i = 0; games[i] != NULL; i++)
		suggest_offer(&suggestion, games[i]->name);
	return suggestion;
}

json_t *
json_options(const struct game_setup *setup)
{
	json_t *object = json_object();
	char value[16];

	for (unsigned i = 0; setup->rules->options[i].name != NULL; i++) {
		game_setup_value(setup, i, value);
		json_object_set_new(object, setup->rules->options[i].name,
				    json_string(value));
	}
	return object;
}
