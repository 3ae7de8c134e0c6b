/* referee/cli/ladder-change.c - see ladder-change.h. */
#include "referee/cli/ladder-change.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/durable.h"
#include "referee/base/command.h"
#include "referee/data/owner.h"

static int
rebuild_on_files(const struct owner_request *request, struct text *out,
		 struct error *why)
{
	return rebuild_do(request->arg, NULL, NULL, out, why);
}

/* Asks the daemon that has the data folder to rebuild; without a daemon does it
 * here. */
static int
rebuild_in(const char *data, char *name, struct rebuild *rebuild,
	   struct text *out, struct error *why)
{
	char *word[REBUILD_FOLDERS + 5] = {
		(char *)(uintptr_t) "rebuild", name,
		(char *)(uintptr_t)(rebuild->json ? "json" : "text"),
		(char *)(uintptr_t)(rebuild->accept ? "accept" : "prove"),
		(char *)(uintptr_t)(rebuild->gaps ? "gaps" : "whole")
	};
	const struct owner_request request = { .data = data,
					       .words = 5 + rebuild->count,
					       .word = word,
					       .on_files = rebuild_on_files,
					       .arg = rebuild };
	int result = 0;

	/* The daemon may have another working directory, so it needs absolute
	 * paths. */
	for (unsigned i = 0; i < rebuild->count && result == 0; i++) {
		word[5 + i] = realpath(rebuild->folders[i], NULL);
		if (word[5 + i] != NULL && strpbrk(word[5 + i], "\t\n") == NULL)
			continue;
		result = error_set(
			why, word[5 + i] ? ERROR_INPUT : path_kind(errno),
			"cannot keep records in %.4000s: %s",
			rebuild->folders[i],
			word[5 + i] ? "its path contains a tab or a line feed"
				    : strerror(errno));
	}
	if (result == 0)
		result = owner_do(&request, out, why);
	for (unsigned i = 0; i < rebuild->count; i++)
		free(word[5 + i]);
	return result;
}

static int
void_in(const char *data, char *name, struct rebuild *rebuild, struct text *out,
	struct error *why)
{
	const bool one = *rebuild->bot == '\0';
	char *const word[] = {
		(char *)(uintptr_t) "void",
		name,
		(char *)(uintptr_t)(rebuild->json ? "json" : "text"),
		rebuild->void_why,
		(char *)(uintptr_t)(one ? "game" : "bot"),
		one ? rebuild->game : rebuild->bot,
		rebuild->since,
	};
	const struct owner_request request = { .data = data,
					       .words = one ? 6 : 7,
					       .word = word,
					       .changes = true,
					       .on_files = rebuild_on_files,
					       .arg = rebuild };

	return owner_do(&request, out, why);
}

int
ladder_change(struct rebuild *rebuild)
{
	char data[LADDER_PATH_BYTES], name[NAME_BYTES + 1];
	struct error why = { 0 };
	struct text out = { .max = CONTROL_ANSWER_BYTES };
	int result;

	if (!owner_of_ladder(rebuild->file, data, name))
		result = rebuild_do(rebuild, NULL, NULL, &out, &why);
	else if (*rebuild->void_why)
		result = void_in(data, name, rebuild, &out, &why);
	else
		result = rebuild_in(data, name, rebuild, &out, &why);
	if (out.used > 0)
		fwrite(out.bytes, 1, out.used, stdout);
	text_release(&out);
	return result == 0 ? finish_output() : complain_error(&why);
}
