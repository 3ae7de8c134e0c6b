/* referee/import/import-add.c - see import-add.h. */
#include "referee/import/import-add.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/data/data-folder.h"
#include "referee/data/owner.h"
#include "referee/import/files.h"
#include "referee/import/import.h"
#include "referee/import/make.h"
#include "referee/import/pack.h"
#include "referee/spawner/spawner.h"

/* The longest log is the report of a check. */
#define LOG_READ_BYTES (2 * CHECK_LOG_BYTES)

/* ---- logs ------------------------------------------------------------- */

void
import_add_escaped(struct text *to, const char *bytes, size_t n)
{
	text_add_escaped(to, bytes, n, true);
	if (n > 0 && bytes[n - 1] != '\n')
		text_add(to, "\n", 1);
}

/* Appends a log under a heading.  The file is ours, but its words are a
 * stranger's. */
static void
add_log(const char *path, const char *heading, struct text *out)
{
	struct text log = { .max = LOG_READ_BYTES };

	if (file_load_regular(path, &log) == 0 && log.used > 0) {
		text_fmt(out, "%s\n", heading);
		import_add_escaped(out, log.bytes, log.used);
	}
	text_release(&log);
}

void
import_add_logs_of(const char *folder, const char *whose, struct text *out)
{
	static const char *const logs[] = { "build", "check" };
	char path[IMPORT_PATH_BYTES + 16], heading[NAME_BYTES + 64];

	for (size_t i = 0; i < NELEM(logs); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, logs[i]);
		snprintf(heading, sizeof(heading), "%s, its %s:", whose,
			 logs[i]);
		add_log(path, heading, out);
	}
}

void
import_add_logs(const char *data, int64_t bot, const char *hash,
		const char *stands_as, struct text *out)
{
	char path[IMPORT_PATH_BYTES + 64], whose[NAME_BYTES + 32];

	import_upload_path(data, bot, path);
	add_log(path, "Its last upload:", out);
	if (hash[0] == '\0')
		return;
	import_path(data, hash, "", path);
	snprintf(whose, sizeof(whose), "%s, which is its version now",
		 stands_as);
	import_add_logs_of(path, whose, out);
}

/* ---- requests --------------------------------------------------------- */

static char *
word(const char *text)
{
	return (char *)(uintptr_t)text;
}

/* Runs a request when there is no daemon. */
static int
ask_files(const struct owner_request *request, struct text *out,
	  struct error *why)
{
	struct roster *roster;
	int result;

	if (strcmp(request->word[0], "limits") == 0) {
		import_tell_limits(MEMORY_MIB_MAX, SERVE_LOCAL_BOT_PROCESSES,
				   out);
		return 0;
	}
	if (roster_open(request->data, &roster, why) < 0)
		return -1;
	result = request->changes
			 ? import_enter(request->data, roster, MEMORY_MIB_MAX,
					request->words, request->word, out, why)
			 : import_tell_hash(roster, request->word[1], out, why);
	roster_close(roster);
	return result;
}

static int
enter(const struct import_order *order, const char *incoming, const char *hash,
      const char *name, struct text *out, struct error *why)
{
	char *words[IMPORT_ENTER_WORDS + CONFIG_LADDERS] = {
		word("enter"),
		word(incoming),
		word(hash),
		word(name),
		word(order->trial    ? "trial"
		     : order->upload ? "upload"
				     : "add"),
	};
	const struct owner_request request = {
		.data = order->data,
		.words = IMPORT_ENTER_WORDS + order->ladders,
		.word = words,
		.changes = true,
		.on_files = ask_files,
	};

	for (unsigned i = 0; i < order->ladders; i++)
		words[IMPORT_ENTER_WORDS + i] = word(order->ladder[i]);
	return owner_do(&request, out, why);
}

/* ---- before that ------------------------------------------------------ */

/* Names the source in an error of the manifest, because the sender does not
 * know our path. */
static void
name_source(const char *source, const char *bot, struct error *why)
{
	size_t n = strlen(bot);

	why->kind = ERROR_INPUT;
	if (strncmp(why->text, bot, n) == 0 && why->text[n] == '/')
		error_set(why, why->kind, "%.1000s: %s", source,
			  why->text + n + 1);
}

/* Copies and hashes a bot, and reads its manifest. */
static struct bot_folder *
take_in(const struct import_order *order, const struct incoming *incoming,
	char hash[ROSTER_CONTENT_BYTES + 1], struct text *out,
	struct error *why)
{
	const char *bot = incoming->bot;
	struct bot_folder *folder;
	bool without;

	if (import_files(order->source, order->data, bot, &without, why) < 0 ||
	    import_hash(bot, hash, why) < 0)
		return NULL;
	if (without)
		text_fmt(out, "The data folder %s was left out of it.\n",
			 quoted(order->data).text);
	folder = bot_folder_read(bot, why);
	if (folder == NULL)
		name_source(order->source, bot, why);
	if (folder == NULL || order->name == NULL ||
	    strcmp(folder->name, order->name) == 0)
		return folder;
	error_set(why, ERROR_INPUT, "the bot's name is %s, but %s was expected",
		  folder->name, order->name);
	bot_folder_free(folder);
	return NULL;
}

/* Refuses a bot that asks for more memory than the daemon allows: nothing of it may
 * run.  Writes how many processes the daemon gives to a bot. */
static int
check_limits(const struct import_order *order, const struct bot_folder *folder,
	     unsigned *processes, struct error *why)
{
	char *words[] = { word("limits") };
	const struct owner_request request = {
		.data = order->data,
		.words = NELEM(words),
		.word = words,
		.on_files = ask_files,
	};
	struct text told = { .max = CONTROL_ANSWER_BYTES };
	int result = owner_do(&request, &told, why);
	uint64_t memory_mib = 0;
	char *end;

	if (result == 0) {
		memory_mib = strtoull(text_string(&told), &end, 10);
		*processes = (unsigned)strtoul(end, NULL, 10);
		result = bot_folder_fits(folder, memory_mib, why) ? 0 : -1;
	}
	text_release(&told);
	return result;
}

static int
make(const struct import_order *order, const struct incoming *incoming,
     const struct bot_folder *folder, struct spawner *spawner,
     enum sandbox_tier tier, struct error *why)
{
	unsigned processes = 0;

	if (check_limits(order, folder, &processes, why) != 0)
		return -1;
	if (order->upload && folder->build != NULL && tier < SANDBOX_BOX)
		return error_set(why, ERROR_ANSWER,
				 "this machine has no sandbox of tier A or B, "
				 "which the build of an upload needs; send the "
				 "bot built, without `build`");
	if (folder->build != NULL && import_keep_source(incoming, why) < 0)
		return -1;
	if (import_build(incoming, folder, spawner, tier, why) < 0 ||
	    !bot_folder_ready(folder, tier, why)) {
		why->kind = ERROR_ANSWER;
		return -1;
	}
	if (folder->build != NULL && import_seal(incoming, why) < 0)
		return -1;
	return order->unchecked
		       ? 0
		       : import_check(incoming, order->want, processes, why);
}

/* Does all that takes time, in a folder of our own. */
static int
add(const struct import_order *order, struct incoming *incoming,
    struct spawner *spawner, enum sandbox_tier tier, struct text *out,
    struct error *why)
{
	char hash[ROSTER_CONTENT_BYTES + 1], name[NAME_BYTES + 1];
	struct bot_folder *folder;
	int result;

	folder = take_in(order, incoming, hash, out, why);
	if (folder == NULL)
		return -1;
	memcpy(name, folder->name, sizeof(name));
	result = make(order, incoming, folder, spawner, tier, why);
	bot_folder_free(folder);
	if (result < 0) {
		import_add_logs_of(
			incoming->path,
			order->upload ? "This upload" : "What was added", out);
		if (order->upload)
			return -1;
		return error_prefix(why, "%.1000s: ", order->source);
	}
	if (syncfs(incoming->fd) < 0)
		return error_set(why, ERROR_MACHINE, "cannot write %s: %m",
				 incoming->bot);
	return enter(order, incoming->name, hash, name, out, why);
}

/* Makes the data folder if need be. */
static int
make_data(const char *data, struct error *why)
{
	int lock = data_folder_take(data, why);

	close_quietly(lock);
	return lock >= 0 || lock == DATA_FOLDER_IN_USE ? 0 : -1;
}

int
import_add(const struct import_order *order, struct text *out,
	   struct error *why)
{
	struct incoming incoming;
	struct spawner *spawner;
	enum sandbox_tier tier;
	int result;

	if (sandbox_choose(order->want, order->minimum, &tier, why) < 0) {
		why->kind = ERROR_MACHINE;
		return -1;
	}
	if (make_data(order->data, why) < 0)
		return -1;
	incoming_sweep(order->data);
	if (order->upload && !import_has_room(order->data))
		return error_set(why, ERROR_MACHINE, "%s", IMPORT_NO_ROOM);
	spawner = spawner_new();
	if (spawner == NULL)
		return error_set(why, ERROR_MACHINE,
				 "cannot make the process that starts builds: "
				 "%m");
	result = incoming_open(order->data, &incoming, why);
	if (result == 0) {
		result = add(order, &incoming, spawner, tier, out, why);
		incoming_close(&incoming);
	}
	spawner_free(spawner);
	return result;
}

/* ---- `log NAME` ------------------------------------------------------- */

static void
tell_log(const char *data, const char *name, int64_t bot, const char *hash,
	 const char *stands_as, struct text *out)
{
	struct error ignored;
	char *words[] = { word("stderr"), word(name) };
	struct text heard = { .max = CONTROL_ANSWER_BYTES };

	import_add_logs(data, bot, hash, stands_as, out);
	if (control_ask(data, 2, words, &heard, &ignored) == 0)
		import_add_escaped(out, heard.bytes, heard.used);
	text_release(&heard);
}

int
import_log(const char *data, const char *name, struct text *out,
	   struct error *why)
{
	char *words[] = { word("hash"), word(name) };
	const struct owner_request request = {
		.data = data,
		.words = NELEM(words),
		.word = words,
		.on_files = ask_files,
	};
	char hash[ROSTER_CONTENT_BYTES + 1], stands_as[NAME_BYTES + 1];
	const char *line;
	struct text found = { .max = CONTROL_ANSWER_BYTES };
	int64_t bot;
	char *end;
	int result;

	result = owner_do(&request, &found, why);
	line = found.used > 0 ? text_string(&found) : "";
	bot = strtoll(line, &end, 10);
	end += *end == ' ';
	snprintf(hash, sizeof(hash), "%.*s", (int)strcspn(end, " \n"), end);
	end += strcspn(end, " \n");
	end += *end == ' ';
	snprintf(stands_as, sizeof(stands_as), "%.*s", (int)strcspn(end, "\n"),
		 end);
	text_release(&found);
	if (result == 0)
		tell_log(data, name, bot, hash, stands_as, out);
	return result;
}
