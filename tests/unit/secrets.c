/* tests/unit/secrets.c - see secrets.h. */
#include "tests/unit/secrets.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/words.h"

static int
option_number(const struct game_setup *setup, const char *name)
{
	const struct game_option *option = setup->rules->options;
	char value[16];
	unsigned i;

	for (i = 0; option[i].name; i++) {
		if (strcmp(option[i].name, name) != 0)
			continue;
		game_setup_value(setup, i, value);
		return (int)strtol(value, NULL, 10);
	}
	return 0;
}

void
secrets_begin(struct secrets *secrets, const struct game_setup *setup)
{
	memset(secrets, 0, sizeof(*secrets));
	secrets->game = setup->rules->name;
	secrets->seats = setup->seats;
	if (strcmp(secrets->game, "durnius") == 0)
		secrets->no_talon =
			option_number(setup, "decks") * 36 == setup->seats * 6;
}

/* Writes the line without braces and without the seats behind a closing one. */
static void
drop_marks(const char *line, char *to)
{
	for (; *line != '\0'; line++) {
		if (*line == '}') {
			while (isdigit((unsigned char)line[1]))
				line++;
			continue;
		}
		if (*line != '{')
			*to++ = *line;
	}
	*to = '\0';
}

static bool
is(const struct secrets *secrets, const char *game)
{
	return strcmp(secrets->game, game) == 0;
}

/* ---- whose the secrets are -------------------------------------------- */

/* Durnius: the trump card is drawn last, and lies open; with six seats and one
 * deck the dealer's last card does. */
static bool
lies_open(const struct secrets *secrets, const struct words *words, unsigned i)
{
	if (!is(secrets, "durnius") || i + 1 < words->count)
		return false;
	if (strcmp(words->word[0], "draw") == 0)
		return words->count - 2 == secrets->talon;
	return secrets->no_talon && words_number(words, 1) == secrets->dealer;
}

/* Returns true if the fang of a taken card is known in Daumen drauf. */
static bool
fang_is_known(const struct secrets *secrets, const struct words *words,
	      unsigned i, int viewer)
{
	if (viewer >= 0 && words_number(words, 1) == viewer)
		return true;
	if (i - 2 >= secrets->shows ||
	    strncmp(secrets->shown[i - 2].card, words->word[i], 2) != 0)
		bug("taken in another order than shown");
	return secrets->shown[i - 2].open || secrets->shown[i - 2].by == viewer;
}

static bool
is_own(const struct words *words, int viewer)
{
	return viewer >= 0 && words_number(words, 1) == viewer;
}

/* Takes out of token `i` what the viewer may not read. */
static void
cover(const struct secrets *secrets, struct words *words, unsigned i,
      int viewer)
{
	const char *verb = words->word[0];
	char *word = words->word[i];

	if (strcmp(verb, "deal") == 0 || strcmp(verb, "draw") == 0) {
		if (i >= 2 && !is_own(words, viewer) &&
		    !lies_open(secrets, words, i))
			memcpy(word, "?", 2);
	} else if (strcmp(verb, "talon") == 0 || strcmp(verb, "monster") == 0) {
		if (i >= 1)
			memcpy(word, "?", 2);
	} else if (is(secrets, "daumen-drauf") && i == 2 &&
		   strcmp(verb, "move") == 0 && strchr(word, ':')) {
		if (!is_own(words, viewer))
			word[strlen(word) - 1] = '?';
	} else if (is(secrets, "daumen-drauf") && i >= 2 &&
		   strcmp(verb, "take") == 0) {
		if (!fang_is_known(secrets, words, i, viewer))
			word[2] = '?';
	}
}

void
secrets_view(const struct secrets *secrets, const char *line, int viewer,
	     char *out)
{
	char plain[LINE_REFEREE_BYTES + 1];
	struct words words;
	unsigned i;

	drop_marks(line, plain);
	words_split(plain, &words);
	for (i = 0; i < words.count; i++) {
		cover(secrets, &words, i, viewer);
		if (i > 0)
			*out++ = ' ';
		out = stpcpy(out, words.word[i]);
	}
}

/* ---- what is remembered ----------------------------------------------- */

static void
note_show(struct secrets *secrets, const struct words *words)
{
	const char *card = strchr(words->word[2], ':');

	if (!card)
		return;
	if (secrets->shows == SHOWN_MAX)
		bug("more than %d cards in a turn", SHOWN_MAX);
	snprintf(secrets->shown[secrets->shows].card, 4, "%s", card + 1);
	secrets->shown[secrets->shows].by = (int)words_number(words, 1);
	secrets->shown[secrets->shows++].open = false;
}

static void
note_open(struct secrets *secrets, const struct words *words)
{
	unsigned i;

	for (i = 0; i < secrets->shows; i++)
		if (strcmp(secrets->shown[i].card, words->word[2]) == 0)
			secrets->shown[i].open = true;
}

static void
go_on_daumen(struct secrets *secrets, const struct words *words)
{
	if (strcmp(words->word[0], "turn") == 0)
		secrets->shows = 0;
	else if (strcmp(words->word[0], "move") == 0)
		note_show(secrets, words);
	else if (strcmp(words->word[0], "open") == 0)
		note_open(secrets, words);
}

static void
go_on_durnius(struct secrets *secrets, const struct words *words)
{
	if (strcmp(words->word[0], "round") == 0)
		secrets->dealer = (int)words_number(words, 2);
	else if (strcmp(words->word[0], "draw") == 0)
		secrets->talon -= words->count - 2;
	else if (strcmp(words->word[0], "talon") == 0)
		secrets->talon = words->count;
}

void
secrets_go_on(struct secrets *secrets, const char *line)
{
	char plain[LINE_REFEREE_BYTES + 1];
	struct words words;

	drop_marks(line, plain);
	words_split(plain, &words);
	if (is(secrets, "daumen-drauf"))
		go_on_daumen(secrets, &words);
	else if (is(secrets, "durnius"))
		go_on_durnius(secrets, &words);
}
