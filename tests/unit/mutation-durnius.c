/* tests/unit/mutation-durnius.c - in Durnius cards may be played in many
 * orders, so the model decides if a changed game is possible. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/durnius-model.h"
#include "tests/unit/mutation.h"

/* Holds a record's game: its event lines without comments, each ended by LF. */
struct script {
	struct text text;
	struct game_setup setup;
};

static void
read_option(struct script *script, const char *line)
{
	char name[32], value[32], why[SENTENCE_BYTES];

	if (sscanf(line, "option %31s %31s", name, value) != 2 ||
	    game_setup_option(&script->setup, name, value, why) != 0)
		bug("the model cannot read \"%s\"", line);
}

static void
read_line(struct script *script, const char *line)
{
	if (strncmp(line, "ask ", 4) == 0 || strncmp(line, "fault ", 6) == 0 ||
	    strncmp(line, "forfeit ", 8) == 0)
		return;
	text_add(&script->text, line, strcspn(line, ";"));
	if (script->text.bytes[script->text.used - 1] == ' ')
		script->text.used--;
	text_str(&script->text, "\n");
}

static void
read_script(struct script *script, struct text *record)
{
	char *copy = strdup(text_string(record)), *rest = copy, *line;
	bool body = false;

	memset(script, 0, sizeof(*script));
	script->text.max = record->max;
	game_setup_init(&script->setup, &game_durnius, 2);
	while ((line = strsep(&rest, "\n")) && rest) {
		if (!*line)
			body = true;
		else if (body)
			read_line(script, line);
		else if (strncmp(line, "seats ", 6) == 0)
			script->setup.seats = (uint8_t)(line[6] - '0');
		else if (strncmp(line, "option ", 7) == 0)
			read_option(script, line);
	}
	free(copy);
}

/* Returns true if the model's lines come next, and skips them.  With `cut` it
 * is enough if the rest is their beginning. */
static bool
comes_next(struct model *model, const char **at, bool cut)
{
	size_t left = strlen(*at), n = model->used;

	if (cut && left < n)
		n = left;
	if (strncmp(*at, model->text, n) != 0)
		return false;
	*at += n;
	model->used = 0;
	return true;
}

static bool
is_legal(const struct model *model, unsigned seat, const char *token)
{
	static char legal[MODEL_TOKENS][MOVE_BYTES];
	unsigned i, n;
	int holder;

	if (!(model_asked(model, &holder) >> seat & 1))
		return false;
	n = model_legal(model, seat, legal);
	for (i = 0; i < n; i++)
		if (strcmp(token, legal[i]) == 0)
			return strcmp(token, "pass") != 0;
	return false;
}

/* Makes one step; *deals becomes true if the lines of a deal follow. */
static bool
step(struct model *model, const char *at, bool *deals)
{
	char token[MOVE_BYTES];
	unsigned seat;
	int holder;

	if (strncmp(at, "quiet\n", 6) == 0) {
		if (model->attacking || !model_asked(model, &holder) ||
		    holder >= 0)
			return false;
		*deals = model_quiet(model);
		return true;
	}
	if (sscanf(at, "move %1u %31s", &seat, token) != 2 ||
	    !is_legal(model, seat, token))
		return false;
	*deals = model_move(model, seat, token);
	return true;
}

bool
durnius_could_have_been(struct text *record, bool cut)
{
	static struct model model;
	struct script script;
	const char *at;
	bool deals = true, good = true;

	read_script(&script, record);
	at = text_string(&script.text);
	model_open(&model, &script.setup);
	while (good && !(cut && !*at)) {
		if (deals)
			model_deal(&model, &at);
		good = comes_next(&model, &at, cut);
		if (!good || model.over || (cut && !*at))
			break;
		good = step(&model, at, &deals) &&
		       (!deals || comes_next(&model, &at, cut));
	}
	good = good && !*at;
	text_release(&script.text);
	return good;
}
