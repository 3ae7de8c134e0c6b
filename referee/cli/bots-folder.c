/* referee/cli/bots-folder.c - see bots-folder.h. */
#include "referee/cli/bots-folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "protocol/message.h"
#include "referee/base/command.h"
#include "referee/config/bot-folder.h"
#include "referee/data/data-folder.h"
#include "referee/import/files.h"
#include "referee/import/import-add.h"
#include "referee/import/import.h"
#include "referee/import/make.h"
#include "referee/spawner/spawner.h"

/* ---- what lies there -------------------------------------------------- */

/* Owned paths of the subfolders, in order. */
struct subfolders {
	char **path;
	unsigned count;
};

static void
release(struct subfolders *subfolders)
{
	for (unsigned i = 0; i < subfolders->count; i++)
		free(subfolders->path[i]);
	free(subfolders->path);
}

static int
is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Keeps the path of a folder.  Prints a note about anything else, so that a bot
 * that was sent in as an archive does not go missing silently. */
static void
take(struct subfolders *subfolders, char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		subfolders->path[subfolders->count++] = path;
		return;
	}
	note("'%s' is no folder, and is passed over", path);
	free(path);
}

static bool
has_manifest(const char *path)
{
	char *manifest = formatted("%s/" BOT_FOLDER_MANIFEST, path);
	const bool has = access(manifest, F_OK) == 0;

	free(manifest);
	return has;
}

/* Lists the subfolders.  Returns EXIT_DONE, or prints a sentence and returns
 * EXIT_USAGE. The caller releases the list in either case. */
static int
list(struct subfolders *subfolders, const char *path)
{
	const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
	struct dirent **entry;
	int n;

	*subfolders = (struct subfolders){ 0 };
	if (has_manifest(path))
		return complain_usage(
			"'%s' has a " BOT_FOLDER_MANIFEST ", so it is one bot; "
			"give it with --bot, or the folder above with --bots",
			path);
	n = scandir(path, &entry, is_shown, by_name);
	if (n < 0)
		return complain_usage("--bots: cannot read the folder '%s': %m",
				      path);
	subfolders->path = zeroed((size_t)n + 1, sizeof(*subfolders->path));
	for (int i = 0; i < n; i++) {
		take(subfolders,
		     formatted("%s%s%s", path, slash, entry[i]->d_name));
		free(entry[i]);
	}
	free(entry);
	return EXIT_DONE;
}

/* ---- adding ----------------------------------------------------------- */

static bool
can_play(const struct bot_folder *folder, const char *path,
	 const struct game_rules *rules, enum sandbox_tier tier)
{
	struct error why;

	if (!bot_folder_plays(folder, rules))
		note("'%s' does not play %s, says its " BOT_FOLDER_MANIFEST,
		     path, rules->name);
	else if (folder->build == NULL && !bot_folder_ready(folder, tier, &why))
		note("'%s': %s", path, why.text);
	else
		return true;
	return false;
}

/* Adds the bot of a subfolder.  Prints a sentence and returns false if it
 * cannot play. */
static bool
add(struct match_bots *bots, const char *path, const struct game_rules *rules,
    enum sandbox_tier tier)
{
	const char *name = strrchr(path, '/') + 1;
	struct error why;

	if (!has_manifest(path))
		note("'%s' has no " BOT_FOLDER_MANIFEST
		     ", which says how to start the bot",
		     path);
	else if (!message_name_ok(name, strlen(name)))
		note("'%s' cannot give a bot its name, which is 1 to "
		     "%d of A-Z a-z 0-9 . _ -, the first a letter "
		     "or digit",
		     path, NAME_BYTES);
	else if (match_bots_take(bots, name, path, &why) < 0)
		complain_error(&why);
	else if (bots->folder[bots->count - 1] == NULL)
		note("'%s' is not a folder any more", path);
	else
		return can_play(bots->folder[bots->count - 1], path, rules,
				tier);
	return false;
}

static int
add_all(struct match_bots *bots, const struct subfolders *subfolders,
	const char *path, const struct game_rules *rules,
	enum sandbox_tier tier)
{
	unsigned bad = 0;

	if (subfolders->count > BOTS_MAX - bots->count)
		return complain_usage(
			"'%s' has %s, which makes %u bots; a match "
			"takes at most %d",
			path, counted(subfolders->count, "folder").text,
			bots->count + subfolders->count, BOTS_MAX);
	for (unsigned i = 0; i < subfolders->count; i++)
		bad += !add(bots, subfolders->path[i], rules, tier);
	if (bad == 0)
		return EXIT_DONE;
	return complain_usage(
		"%u of %s in '%s' cannot play; mend them, or put a "
		"dot before their names",
		bad, counted(subfolders->count, "folder").text, path);
}

int
bots_folder_add(struct match_bots *bots, const char *path,
		const struct game_rules *rules, enum sandbox_tier tier)
{
	struct subfolders subfolders;
	int code = list(&subfolders, path);

	if (code == EXIT_DONE)
		code = add_all(bots, &subfolders, path, rules, tier);
	release(&subfolders);
	return code;
}

/* ---- copying and building ---------------------------------------------- */

struct copier {
	const char *data; /* laid out like a data folder */
	struct spawner *spawner;
	enum sandbox_tier tier;
};

/* Returns true if the copy of these files is there, and is unchanged. */
static bool
is_there(const struct copier *copier, const char *hash)
{
	char path[IMPORT_PATH_BYTES];
	struct error ignored;

	import_path(copier->data, hash, "", path);
	return access(path, F_OK) == 0 &&
	       import_check_seal(copier->data, hash, &ignored) == 0;
}

/* Builds the copy, if its bot.conf says so, and keeps it. */
static int
build(const struct copier *copier, const struct incoming *incoming,
      const char *hash, const char *name, struct error *why)
{
	struct bot_folder *folder = bot_folder_read(incoming->bot, why);
	bool moved;
	int result;

	if (folder == NULL)
		return -1;
	if (folder->build != NULL)
		note("building %s", name);
	result = import_build(incoming, folder, copier->spawner, copier->tier,
			      why);
	/* The author must mend this, also if a program of the machine is missing. */
	if (result == 0 && !bot_folder_ready(folder, copier->tier, why)) {
		why->kind = ERROR_INPUT;
		result = -1;
	}
	bot_folder_free(folder);
	if (result < 0 || import_seal(incoming, why) < 0)
		return -1;
	return import_keep(copier->data, incoming->path, hash, &moved, why);
}

/* Prints the output of the build. */
static void
print_log(const struct incoming *incoming, const char *name)
{
	struct text log = { .max = SIZE_MAX };

	import_add_logs_of(incoming->path, name, &log);
	if (log.used > 0)
		fputs(text_string(&log), stderr);
	text_release(&log);
}

static int
copy(const struct copier *copier, struct match_bots *bots, unsigned b,
     struct error *why)
{
	char hash[ROSTER_CONTENT_BYTES + 1], path[IMPORT_PATH_BYTES];
	const char *name = bots->bot[b].name;
	struct incoming incoming;
	bool without;
	int result;

	if (incoming_open(copier->data, &incoming, why) < 0)
		return -1;
	result = import_files(bots->command[b], copier->data, incoming.bot,
			      &without, why);
	if (result == 0)
		result = import_hash(incoming.bot, hash, why);
	if (result == 0 && !is_there(copier, hash)) {
		result = build(copier, &incoming, hash, name, why);
		if (result < 0)
			print_log(&incoming, name);
	}
	incoming_close(&incoming);
	if (result < 0)
		return -1;
	import_path(copier->data, hash, "bot", path);
	return match_bots_move(bots, b, path, why);
}

static int
copy_all(const struct copier *copier, struct match_bots *bots, unsigned first)
{
	struct error why;
	unsigned bad = 0;

	if (folder_make(copier->data, 0700) < 0)
		return complain_machine("cannot make the folder %s: %m",
					copier->data);
	if (data_folder_check(copier->data, NULL, &why) < 0)
		return complain_error(&why);
	incoming_sweep(copier->data);
	for (unsigned b = first; b < bots->count; b++) {
		if (copy(copier, bots, b, &why) == 0)
			continue;
		note("'%s': %s", bots->command[b], why.text);
		bad++;
		if (why.kind == ERROR_MACHINE)
			break;
	}
	incoming_sweep(copier->data);
	if (bad > 0 && why.kind == ERROR_MACHINE)
		return EXIT_MACHINE;
	if (bad == 0)
		return EXIT_DONE;
	return complain_usage("%s cannot play; mend them, or put a dot before "
			      "the names of their folders",
			      counted(bad, "bot").text);
}

int
bots_folder_copy(struct match_bots *bots, unsigned first, const char *data,
		 enum sandbox_tier tier)
{
	struct copier copier = { .data = data, .tier = tier };
	int code;

	/* A build must not read the seed in our memory. */
	prctl(PR_SET_DUMPABLE, 0);
	copier.spawner = spawner_new();
	if (copier.spawner == NULL)
		return complain_machine("cannot make the process that starts "
					"builds: %m");
	code = copy_all(&copier, bots, first);
	spawner_free(copier.spawner);
	return code;
}
