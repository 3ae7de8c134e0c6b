/* tests/unit/settings.c - see settings.h. */
#include "tests/unit/settings.h"

#include <stdio.h>
#include <string.h>

#define LENGTH_MAX 3
#define RACE 9 /* games that the epaulettes of Durnius need */

/* Returns the smallest and the largest tested value of an option. */
static void
limits(const struct game_option *option, int *least, int *largest)
{
	*least = option->min;
	*largest = option->max;
	if (option->values != NULL) {
		for (*largest = 0; option->values[*largest + 1];)
			++*largest;
	} else if (strcmp(option->name, "games") == 0 ||
		   strcmp(option->name, "rounds") == 0) {
		*largest = LENGTH_MAX;
	}
}

unsigned long
settings_count(const struct game_rules *rules)
{
	unsigned long count = rules->max_seats - rules->min_seats + 1u;
	const struct game_option *option;
	int least, largest;

	for (option = rules->options; option->name; option++) {
		limits(option, &least, &largest);
		count *= (unsigned long)(largest - least) + 1;
	}
	return count;
}

/* Sets the number of games that the other options need. */
static void
lengthen(struct game_setup *setup, unsigned option)
{
	int16_t was = setup->option[option];
	char why[SENTENCE_BYTES];

	while (setup->option[option] < RACE &&
	       game_setup_check(setup, why) != 0)
		setup->option[option]++;
	if (game_setup_check(setup, why) != 0)
		setup->option[option] = was;
}

bool
settings_nth(const struct game_rules *rules, unsigned long n,
	     struct game_setup *setup)
{
	unsigned long seats = rules->max_seats - rules->min_seats + 1u, values;
	char why[SENTENCE_BYTES];
	int least, largest;
	unsigned i;

	game_setup_init(setup, rules, rules->min_seats + (unsigned)(n % seats));
	n /= seats;
	for (i = 0; rules->options[i].name; i++) {
		limits(&rules->options[i], &least, &largest);
		values = (unsigned long)(largest - least) + 1;
		setup->option[i] = (int16_t)(least + (int)(n % values));
		n /= values;
	}
	if (game_setup_seats(setup, why) != 0)
		return false;
	for (i = 0; rules->options[i].name; i++)
		if (strcmp(rules->options[i].name, "games") == 0)
			lengthen(setup, i);
	return game_setup_check(setup, why) == 0;
}

void
settings_text(const struct game_setup *setup, char to[SETTINGS_TEXT])
{
	size_t used = 0;
	char value[16];
	unsigned i;

	to[0] = '\0';
	for (i = 0; setup->rules->options[i].name; i++) {
		game_setup_value(setup, i, value);
		used += (size_t)snprintf(to + used, SETTINGS_TEXT - used,
					 "%s%s=%s", i ? " " : "",
					 setup->rules->options[i].name, value);
		if (used >= SETTINGS_TEXT)
			bug("the options of a test are too long");
	}
}

void
settings_see(struct settings_seen *seen, const struct game_setup *setup)
{
	unsigned i;

	seen->seats[setup->seats]++;
	for (i = 0; setup->rules->options[i].name; i++) {
		if ((size_t)setup->option[i] >= NELEM(seen->value[i]))
			bug("%s has a value above %zu",
			    setup->rules->options[i].name,
			    NELEM(seen->value[i]) - 1);
		seen->value[i][setup->option[i]]++;
	}
}

unsigned
settings_least(const struct settings_seen *seen, const struct game_rules *rules)
{
	unsigned least = UINT32_MAX, i;
	int value, largest;

	for (i = rules->min_seats; i <= rules->max_seats; i++)
		if (seen->seats[i] < least)
			least = seen->seats[i];
	for (i = 0; rules->options[i].name; i++) {
		limits(&rules->options[i], &value, &largest);
		for (; value <= largest; value++)
			if (seen->value[i][value] < least)
				least = seen->value[i][value];
	}
	return least;
}
