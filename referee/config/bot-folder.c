/* referee/config/bot-folder.c - manifests: read with the reader of the daemon's
 * configuration, then each value looked at by itself. */
#include "referee/config/bot-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/message.h"
#include "protocol/utf8.h"
#include "referee/command.h"
#include "referee/child/spawner.h"
#include "referee/config/serve-config-inside.h"
#include "referee/suggest.h"

#define FIELD(field) .offset = offsetof(struct bot_folder, field)

static const struct config_key keys[] = {
	{ "name", KEY_TEXT, FIELD(name), .max = NAME_BYTES },
	{ "version", KEY_TEXT, FIELD(version), .max = VERSION_BYTES },
	{ "author", KEY_TEXT, FIELD(author), .max = AUTHOR_BYTES },
	{ "games", .kind = KEY_OPTIONS },
	{ "run", .kind = KEY_OPTIONS },
	{ "build", .kind = KEY_OPTIONS },
	{ "needs", .kind = KEY_OPTIONS },
	{ "memory", KEY_NUMBER, FIELD(memory_mib), .min = MEMORY_MIB_MIN,
	  .max = MEMORY_MIB_MAX, .preset = MEMORY_MIB },
	{ "entropy", KEY_FLAG, FIELD(entropy) },
	{ "reuse", KEY_FLAG, FIELD(reuse) },
	{ 0 },
};

/* ---- values ----------------------------------------------------------- */

static int
check_name(cfg_t *cfg, const struct bot_folder *folder)
{
	if (folder->name[0] == '\0')
		return config_wrong(1, "expected a name: name = \"NAME\"");
	if (message_name_ok(folder->name, strlen(folder->name)))
		return 0;
	return config_wrong(config_line_of(cfg, "name", 1),
			    "name: expected 1 to %d letters, digits, '.', '_', "
			    "'-' that begin with a letter or digit, not %s",
			    NAME_BYTES, quoted(folder->name).text);
}

static int
check_version(cfg_t *cfg, const struct bot_folder *folder)
{
	const char *at;

	for (at = folder->version; *at != '\0'; at++)
		if (*at <= ' ' || *at >= 0x7f)
			return config_wrong(
				config_line_of(cfg, "version", 1),
				"version: expected ASCII without blanks, not "
				"%s",
				quoted(folder->version).text);
	return 0;
}

static int
check_author(cfg_t *cfg, const struct bot_folder *folder)
{
	if (utf8_ok(folder->author))
		return 0;
	return config_wrong(config_line_of(cfg, "author", 1),
			    "author: expected text in UTF-8 without control "
			    "characters");
}

/* ---- lists ------------------------------------------------------------ */

static int
read_game(cfg_t *cfg, unsigned i, struct bot_folder *folder)
{
	const struct config_value *value = config_value_of(cfg, "games", i);
	const struct game_rules *rules = game_find(value->text);
	unsigned j;

	if (rules == NULL)
		return config_wrong(
			value->line,
			"games: expected those that `referee games` lists, not "
			"%s%s",
			quoted(value->text).text,
			suggest_game(value->text).text);
	for (j = 0; j < i; j++)
		if (folder->game[j] == rules)
			return config_wrong(value->line,
					    "games: expected %s once",
					    rules->name);
	if (i == BOT_FOLDER_GAMES)
		bug("more than %d games", BOT_FOLDER_GAMES);
	folder->game[i] = rules;
	folder->games = i + 1;
	return 0;
}

static int
read_games(cfg_t *cfg, struct bot_folder *folder)
{
	unsigned i;

	for (i = 0; config_value_of(cfg, "games", i) != NULL; i++)
		if (read_game(cfg, i, folder) < 0)
			return -1;
	return 0;
}

static char *
copy(const char *text)
{
	size_t n = strlen(text) + 1;

	return memcpy(memory(NULL, n), text, n);
}

static void
free_words(char **words)
{
	size_t i;

	for (i = 0; words != NULL && words[i] != NULL; i++)
		free(words[i]);
	free(words);
}

/* A command is held to the same bytes as one in --bot. */
static int
read_words(cfg_t *cfg, const char *name, char ***words)
{
	const struct config_value *value;
	size_t bytes = 0;
	unsigned i;

	for (i = 0; (value = config_value_of(cfg, name, i)) != NULL; i++) {
		bytes += strlen(value->text) + 1;
		if (i == WORDS_MAX)
			return config_wrong(value->line,
					    "%s: expected at most %d words",
					    name, WORDS_MAX);
		if (bytes > COMMAND_BYTES + 1)
			return config_wrong(value->line,
					    "%s: expected at most %d bytes",
					    name, COMMAND_BYTES);
		if (i == 0 && value->text[0] == '\0')
			return config_wrong(value->line,
					    "%s: expected a program, not ''",
					    name);
		*words = memory(*words, (i + 2) * sizeof(**words));
		(*words)[i] = copy(value->text);
		(*words)[i + 1] = NULL;
	}
	return 0;
}

static int
check_needs(cfg_t *cfg, const struct bot_folder *folder)
{
	size_t i;

	for (i = 0; folder->needs != NULL && folder->needs[i] != NULL; i++)
		if (folder->needs[i][0] == '\0' ||
		    strchr(folder->needs[i], '/') != NULL)
			return config_wrong(
				config_value_of(cfg, "needs", (unsigned)i)
					->line,
				"needs: expected names of programs in PATH, "
				"not %s",
				quoted(folder->needs[i]).text);
	return 0;
}

static int
read_manifest(cfg_t *cfg, struct bot_folder *folder)
{
	if (config_read_keys(cfg, keys, folder) < 0 ||
	    check_name(cfg, folder) < 0 || check_version(cfg, folder) < 0 ||
	    check_author(cfg, folder) < 0 || read_games(cfg, folder) < 0 ||
	    read_words(cfg, "run", &folder->run) < 0 ||
	    read_words(cfg, "build", &folder->build) < 0 ||
	    read_words(cfg, "needs", &folder->needs) < 0 ||
	    check_needs(cfg, folder) < 0)
		return -1;
	if (folder->run == NULL)
		return config_wrong(
			1, "expected how to start the bot: run = { \"PROGRAM\","
			   " \"ARGUMENT\" }");
	return 0;
}

/* ---- the file --------------------------------------------------------- */

static int
read_text(char *text, size_t n, struct bot_folder *folder)
{
	char why[256];
	cfg_t *cfg;
	int line;

	if (config_text_check(text, n, &config_reading->marks, &line, why,
			      sizeof(why)) < 0)
		return config_wrong(line, "%s", why);
	cfg = config_parse_keys(text, keys);
	if (!config_reading->failed && read_manifest(cfg, folder) < 0)
		config_reading->failed = true;
	cfg_free(cfg);
	return config_reading->failed ? -1 : 0;
}

static int
read_file(const char *file, struct bot_folder *folder, struct error *why)
{
	struct config_reading now = { .file = file, .why = why };
	size_t n;
	char *text = config_load(file, MANIFEST_BYTES, &n, why);
	int result;

	if (text == NULL)
		return -1;
	config_reading = &now;
	result = read_text(text, n, folder);
	config_reading = NULL;
	free(now.marks.mark);
	free(now.given);
	free(text);
	return result;
}

struct bot_folder *
bot_folder_read(const char *path, struct error *why)
{
	const char *slash =
		path[0] != '\0' && path[strlen(path) - 1] == '/' ? "" : "/";
	struct bot_folder *folder = memory(NULL, sizeof(*folder));
	size_t n = strlen(path) + sizeof("/" BOT_FOLDER_MANIFEST);
	char *file = memory(NULL, n);
	int result;

	memset(folder, 0, sizeof(*folder));
	config_presets(keys, folder);
	folder->path = copy(path);
	snprintf(file, n, "%s%s%s", path, slash, BOT_FOLDER_MANIFEST);
	result = read_file(file, folder, why);
	free(file);
	if (result == 0)
		return folder;
	bot_folder_free(folder);
	return NULL;
}

void
bot_folder_free(struct bot_folder *folder)
{
	if (folder == NULL)
		return;
	free_words(folder->run);
	free_words(folder->build);
	free_words(folder->needs);
	free(folder->path);
	free(folder);
}

/* ---- use -------------------------------------------------------------- */

bool
bot_folder_plays(const struct bot_folder *folder,
		 const struct game_rules *rules)
{
	unsigned i;

	for (i = 0; i < folder->games; i++)
		if (folder->game[i] == rules)
			return true;
	return folder->games == 0;
}

/* One with a slash is looked for from the folder on. */
static bool
bare_program_ok(const struct bot_folder *folder, const char *program, char *why,
		size_t bytes)
{
	size_t n = strlen(folder->path) + strlen(program) + 2;
	char *path;
	bool ok;

	if (program[0] == '/' || strchr(program, '/') == NULL)
		return spawner_program_ok(program, why, bytes);
	path = memory(NULL, n);
	snprintf(path, n, "%s/%s", folder->path, program);
	ok = spawner_program_ok(path, why, bytes);
	free(path);
	return ok;
}

static bool
program_ok(const struct bot_folder *folder, const char *program,
	   enum sandbox_tier tier, char *why, size_t bytes)
{
	return tier == SANDBOX_NONE
		       ? bare_program_ok(folder, program, why, bytes)
		       : spawner_boxed_program_ok(folder->path, tier, program,
						  why, bytes);
}

bool
bot_folder_ready(const struct bot_folder *folder, enum sandbox_tier tier,
		 struct error *why)
{
	char because[1024];
	size_t i;

	for (i = 0; folder->needs != NULL && folder->needs[i] != NULL; i++)
		if (!program_ok(folder, folder->needs[i], tier, because,
				sizeof(because))) {
			error_set(why, ERROR_INPUT, "%s needs %s", folder->name,
				  because);
			return false;
		}
	if (program_ok(folder, folder->run[0], tier, because, sizeof(because)))
		return true;
	error_set(why, ERROR_MACHINE, "%s cannot be started: %s%s",
		  folder->name, because,
		  folder->build == NULL ? ""
					: "; its `build` may have to be run");
	return false;
}
