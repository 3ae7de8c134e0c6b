/* referee/config/bot-folder.c - reads manifests with the parser of the daemon's
 * configuration, then checks each value. */
#include "referee/config/bot-folder.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/message.h"
#include "protocol/utf8.h"
#include "referee/config/config-keys.h"
#include "referee/spawner/spawner.h"
#include "referee/table/game-help.h"

static const struct config_key keys[] = {
	{ "name", CONFIG_TEXT(struct bot_folder, name) },
	{ "version", CONFIG_TEXT(struct bot_folder, version) },
	{ "author", CONFIG_TEXT(struct bot_folder, author) },
	{ "games", .type = KEY_LIST },
	{ "run", .type = KEY_LIST },
	{ "build", .type = KEY_LIST },
	{ "needs", .type = KEY_LIST },
	{ "memory",
	  CONFIG_NUMBER(struct bot_folder, memory_mib, MEMORY_MIB_MAX),
	  .min = MEMORY_MIB_MIN, .preset = MEMORY_MIB },
	{ "entropy", CONFIG_FLAG(struct bot_folder, entropy) },
	{ "reuse", CONFIG_FLAG(struct bot_folder, reuse) },
	{ 0 },
};

/* ---- values ----------------------------------------------------------- */

static int
check_texts(const struct config_section *top, const struct bot_folder *folder)
{
	const char *at = folder->version;

	if (folder->name[0] == '\0')
		return config_wrong(top, top->line,
				    "expected a name: name = \"NAME\"");
	if (!message_name_ok(folder->name, strlen(folder->name)))
		return config_wrong(top, config_line(top, "name"),
				    "name: expected 1 to %d letters, digits, "
				    "'.', '_', '-' that begin with a letter or "
				    "digit, not %s",
				    NAME_BYTES, quoted(folder->name).text);
	while (*at > ' ' && *at < 0x7f)
		at++;
	if (*at != '\0')
		return config_wrong(top, config_line(top, "version"),
				    "version: expected ASCII without blanks, "
				    "not %s",
				    quoted(folder->version).text);
	if (!utf8_ok(folder->author))
		return config_wrong(top, config_line(top, "author"),
				    "author: expected text in UTF-8 without "
				    "control characters");
	return 0;
}

static int
read_games(const struct config_section *top, struct bot_folder *folder)
{
	const struct config_value *value = config_option(top, "games")->first;
	const struct game_rules *rules;

	for (; value != NULL; value = value->next) {
		rules = game_find(value->text);
		if (rules == NULL)
			return config_wrong(top, value->line,
					    "games: expected those that "
					    "`referee games` lists, not %s%s",
					    quoted(value->text).text,
					    suggest_game(value->text).text);
		for (unsigned j = 0; j < folder->games; j++)
			if (folder->game[j] == rules)
				return config_wrong(top, value->line,
						    "games: expected %s once",
						    rules->name);
		if (folder->games == BOT_FOLDER_GAMES)
			bug("more than %d games", BOT_FOLDER_GAMES);
		folder->game[folder->games++] = rules;
	}
	return 0;
}

static void
free_words(char **words)
{
	for (size_t i = 0; words != NULL && words[i] != NULL; i++)
		free(words[i]);
	free(words);
}

/* A command may have the same bytes as one in --bot. */
static int
read_words(const struct config_section *top, const char *name, char ***words)
{
	const struct config_value *value = config_option(top, name)->first;
	size_t bytes = 0;

	for (unsigned i = 0; value != NULL; i++, value = value->next) {
		bytes += strlen(value->text) + 1;
		if (i == WORDS_MAX)
			return config_wrong(top, value->line,
					    "%s: expected at most %d words",
					    name, WORDS_MAX);
		if (bytes > COMMAND_BYTES + 1)
			return config_wrong(top, value->line,
					    "%s: expected at most %d bytes",
					    name, COMMAND_BYTES);
		if (i == 0 && value->text[0] == '\0')
			return config_wrong(top, value->line,
					    "%s: expected a program, not ''",
					    name);
		*words = memory(*words, (i + 2) * sizeof(**words));
		(*words)[i] = copied(value->text);
		(*words)[i + 1] = NULL;
	}
	return 0;
}

static int
check_needs(const struct config_section *top)
{
	const struct config_value *value = config_option(top, "needs")->first;

	for (; value != NULL; value = value->next)
		if (value->text[0] == '\0' || strchr(value->text, '/') != NULL)
			return config_wrong(top, value->line,
					    "needs: expected names of programs "
					    "in PATH, not %s",
					    quoted(value->text).text);
	return 0;
}

static int
read_manifest(const struct config_section *top, struct bot_folder *folder)
{
	if (config_read_keys(top, folder) < 0 || check_texts(top, folder) < 0 ||
	    read_games(top, folder) < 0 ||
	    read_words(top, "run", &folder->run) < 0 ||
	    read_words(top, "build", &folder->build) < 0 ||
	    read_words(top, "needs", &folder->needs) < 0 ||
	    check_needs(top) < 0)
		return -1;
	if (folder->run != NULL)
		return 0;
	return config_wrong(top, top->line,
			    "expected how to start the bot: run = { "
			    "\"PROGRAM\", \"ARGUMENT\" }");
}

static int
read_file(const char *file, struct bot_folder *folder, struct error *why)
{
	static const struct config_section_kind no_sections[] = { { 0 } };
	struct config_section *top =
		config_parse(file, MANIFEST_BYTES, keys, no_sections, why);
	int result = top == NULL ? -1 : read_manifest(top, folder);

	config_parse_free(top);
	return result;
}

struct bot_folder *
bot_folder_read(const char *path, struct error *why)
{
	const char *slash =
		path[0] != '\0' && path[strlen(path) - 1] == '/' ? "" : "/";
	struct bot_folder *folder = zeroed(1, sizeof(*folder));
	char *file = formatted("%s%s" BOT_FOLDER_MANIFEST, path, slash);
	int result;

	config_presets(keys, folder);
	folder->path = copied(path);
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
	for (unsigned i = 0; i < folder->games; i++)
		if (folder->game[i] == rules)
			return true;
	return folder->games == 0;
}

bool
bot_folder_fits(const struct bot_folder *folder, uint64_t memory_mib,
		struct error *why)
{
	if (folder->memory_mib <= memory_mib)
		return true;
	error_set(why, ERROR_INPUT,
		  "%s asks for %u MiB of memory, but this daemon allows %u at "
		  "most",
		  folder->name, (unsigned)folder->memory_mib,
		  (unsigned)memory_mib);
	return false;
}

/* Looks for a program in PATH, or from the folder on if its name has a slash. */
static bool
bare_program_ok(const struct bot_folder *folder, const char *program, char *why,
		size_t bytes)
{
	char *path;
	bool ok;

	if (program[0] == '/' || strchr(program, '/') == NULL)
		return spawner_program_ok(program, why, bytes);
	path = formatted("%s/%s", folder->path, program);
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
