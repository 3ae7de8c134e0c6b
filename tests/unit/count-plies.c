/* tests/unit/count-plies.c - writes lines of tests/vectors/counts.txt.
 *
 * usage: count-plies GAME SEATS OPTIONS BASE AFTER DEPTH; OPTIONS as in that
 * file: `-` or NAME=VALUE separated by commas. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/walk.h"

#define DEPTH_MAX 400

static struct walk walk;
static struct walk_count count[DEPTH_MAX + 1];

static unsigned
number(const char *text)
{
	return (unsigned)strtoul(text, NULL, 10);
}

int
main(int argc, char **argv)
{
	unsigned depth, i;

	if (argc != 7) {
		fputs("usage: count-plies GAME SEATS OPTIONS BASE AFTER "
		      "DEPTH\n",
		      stderr);
		return 2;
	}
	depth = number(argv[6]);
	if (depth > DEPTH_MAX)
		depth = DEPTH_MAX;
	walk_open_commas(&walk, argv[1], number(argv[2]), argv[3],
			 number(argv[4]));
	walk_count(&walk, number(argv[5]), depth, count);
	for (i = 0; i <= depth; i++) {
		if (count[i].single + count[i].open + count[i].over == 0)
			break;
		printf("%s %s %s %s %s %u %llu %llu %llu\n", argv[1], argv[2],
		       argv[3], argv[4], argv[5], i,
		       (unsigned long long)count[i].single,
		       (unsigned long long)count[i].open,
		       (unsigned long long)count[i].over);
	}
	return 0;
}
