/* referee/cli/data-bot.c - see data-bot.h. */
#include "referee/cli/data-bot.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/base/suggest.h"
#include "referee/data/data-folder.h"
#include "referee/import/files.h"
#include "referee/serve/bots.h"

int
data_bot_on_files(const struct owner_request *request, struct text *out,
		  struct error *why)
{
	struct roster *roster;
	int result;

	if (roster_open(request->data, &roster, why) < 0)
		return -1;
	result = bots_do(roster, request->words, request->word, out, why);
	roster_close(roster);
	return result;
}

static const char *
text_of(const json_t *from, const char *key)
{
	const char *text = json_string_value(json_object_get(from, key));

	return text != NULL ? text : "";
}

/* Returns the bot in the list, borrowed; NULL and an error if there is none. */
static const json_t *
find_line(const json_t *list, const char *data, const char *name,
	  struct error *why)
{
	struct suggestion meant = suggest(name);
	const json_t *line;
	size_t i;

	json_array_foreach(list, i, line)
	{
		if (strcmp(text_of(line, "bot"), name) == 0)
			return line;
		if (strcmp(text_of(line, "state"), "removed") != 0)
			suggest_offer(&meant, text_of(line, "bot"));
	}
	(void)suggest_none(&meant, why, "%s has no bot %s", quoted(data).text,
			   quoted(name).text);
	return NULL;
}

/* Takes from the bot's line the name, hash and path of its latest version.
 * Fails if the bot is not enabled or not of this machine. */
static int
take_line(const json_t *line, const char *data, struct data_bot *found,
	  char hash[ROSTER_CONTENT_BYTES + 1], struct error *why)
{
	const json_t *local = json_object_get(line, "local");
	const char *name = text_of(line, "bot"),
		   *state = text_of(line, "state");
	const char *as = text_of(local, "plays_as");

	if (strcmp(state, "enabled") != 0)
		return error_set(why, ERROR_INPUT, "bot %s of %s is %s%s%s",
				 name, quoted(data).text, state,
				 *text_of(line, "why") != '\0' ? ": " : "",
				 text_of(line, "why"));
	if (local == NULL || !message_name_ok(as, strlen(as)) ||
	    strlen(text_of(local, "hash")) != ROSTER_CONTENT_BYTES)
		return error_set(why, ERROR_INPUT,
				 "bot %s of %s does not live on this machine, "
				 "so it cannot play here",
				 name, quoted(data).text);
	snprintf(found->name, sizeof(found->name), "%s", as);
	snprintf(hash, ROSTER_CONTENT_BYTES + 1, "%s", text_of(local, "hash"));
	import_path(data, hash, "bot", found->path);
	return 0;
}

json_t *
data_bot_list(const char *data, struct error *why)
{
	static char list[] = "list", json_word[] = "json";
	char *words[] = { list, json_word };
	const struct owner_request request = {
		.data = data,
		.words = NELEM(words),
		.word = words,
		.on_files = data_bot_on_files,
	};
	json_t *bots = NULL;
	struct text out = { .max = CONTROL_ANSWER_BYTES };
	const char *at;

	if (data_folder_find(data, why) == 0 &&
	    owner_do(&request, &out, why) == 0) {
		text_str(&out, "\n");
		bots = json_array();
		for (at = out.bytes; at < out.bytes + out.used;
		     at += strcspn(at, "\n") + 1)
			json_array_append_new(
				bots,
				json_loadb(at, strcspn(at, "\n"), 0, NULL));
	}
	text_release(&out);
	return bots;
}

int
data_bot_hold(const char *data, const char *hash, struct error *why)
{
	return import_hold(data, hash, why) < 0 ||
			       import_check_seal(data, hash, why) < 0
		       ? -1
		       : 0;
}

int
data_bot_find(const char *data, const char *name, struct data_bot *found,
	      struct error *why)
{
	char hash[ROSTER_CONTENT_BYTES + 1];
	json_t *list = data_bot_list(data, why);
	const json_t *line =
		list == NULL ? NULL : find_line(list, data, name, why);
	int result = -1;

	if (line != NULL)
		result = take_line(line, data, found, hash, why);
	if (result == 0)
		result = data_bot_hold(data, hash, why);
	json_decref(list);
	return result;
}
