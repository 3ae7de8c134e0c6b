/* tests/unit/write-record.c - a random record on standard output.
 *
 *	write-record game=toepen seats=4 options='points=5' seed=a asks faults=2
 *
 * Each argument is a field of struct record_recipe.  The test scripts use it;
 * tests/vectors/README.md says which vectors came from it. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/limits.h"
#include "tests/unit/random-record.h"

static struct record_recipe recipe = {
	.game = "toepen", .seats = 2, .options = "", .seed = ""
};

static const struct {
	const char *name;
	const char **text;
	unsigned *number;
	bool *flag;
} fields[] = {
	{ "game=", &recipe.game, NULL, NULL },
	{ "seats=", NULL, &recipe.seats, NULL },
	{ "options=", &recipe.options, NULL, NULL },
	{ "seed=", &recipe.seed, NULL, NULL },
	{ "asks", NULL, NULL, &recipe.asks },
	{ "arrival", NULL, NULL, &recipe.arrival },
	{ "comments", NULL, NULL, &recipe.comments },
	{ "unsealed", NULL, NULL, &recipe.unsealed },
	{ "entropies=", NULL, &recipe.entropies, NULL },
	{ "faults=", NULL, &recipe.faults, NULL },
	{ "fault_rate=", NULL, &recipe.fault_rate, NULL },
	{ "block=", NULL, &recipe.block, NULL },
	{ "cut=", NULL, &recipe.cut, NULL },
};

static bool
set_field(const char *arg)
{
	size_t i, n;

	for (i = 0; i < NELEM(fields); i++) {
		n = strlen(fields[i].name);
		if (strncmp(arg, fields[i].name, n) != 0)
			continue;
		if (fields[i].flag)
			*fields[i].flag = true;
		else if (fields[i].text)
			*fields[i].text = arg + n;
		else
			*fields[i].number =
				(unsigned)strtoul(arg + n, NULL, 10);
		return true;
	}
	return false;
}

int
main(int argc, char **argv)
{
	struct text text = { .max = RECORD_BYTES };
	int i;

	for (i = 1; i < argc; i++) {
		if (set_field(argv[i]))
			continue;
		fprintf(stderr, "write-record: no field for \"%s\"\n", argv[i]);
		return 2;
	}
	random_record(&recipe, &text);
	fwrite(text.bytes, 1, text.used, stdout);
	text_release(&text);
	return fflush(stdout) == 0 ? 0 : 3;
}
