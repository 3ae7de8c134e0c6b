/* tests/world/build.c - see build.h. */
#include "tests/world/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "tests/world/world.h"

#define FULL_LINES 500

/* The reader of its output may have gone or be slow; then it is lost. */
static void
say(int out, const char *line)
{
	if (write(out, line, strlen(line)) < 0)
		return;
}

static void
put_file(const char *folder, const char *name, const char *bytes)
{
	char *path = formatted("%s/%s", folder, name);

	if (file_replace(path, ".new", 0644, bytes, strlen(bytes)) < 0)
		world_broken("cannot write %s: %m", path);
	free(path);
}

int
build_run(const char *outcome, const char *folder, int out)
{
	int i;

	say(out, "building\n");
	if (strcmp(outcome, "fail") == 0) {
		say(out, "bot.c:1: error: no rhyme\n");
		return 2 << 8;
	}
	for (i = 0; i < FULL_LINES && strcmp(outcome, "full") == 0; i++)
		say(out, "and so on, and so on, and so on\n");
	if (strcmp(outcome, "lie") == 0)
		put_file(
			folder, "bot.conf",
			"name = \"liar\"\nrun = { \"world-bot\", \"slow\" }\n");
	put_file(folder, "built", "a program\n");
	return 0;
}
