/* referee/import/import.c - moves folders of bots in, keeps them, and moves
 * them out. */
#include "referee/import/import.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/roster-owner.h"
#include "referee/base/serve-limits.h"
#include "referee/import/files.h"
#include "referee/import/pack.h"

/* ---- bots ------------------------------------------------------------- */

void
import_upload_path(const char *data, int64_t bot, char path[IMPORT_PATH_BYTES])
{
	snprintf(path, IMPORT_PATH_BYTES, "%s/bots/%" PRId64 ".upload", data,
		 bot);
}

static bool
is_hex(const char *text, size_t n)
{
	return strlen(text) == n && strspn(text, "0123456789abcdef") == n;
}

int
import_keep(const char *data, const char *from, const char *hash, bool *moved,
	    struct error *why)
{
	char to[IMPORT_PATH_BYTES], below[IMPORT_PATH_BYTES];

	import_path(data, hash, "", to);
	import_path(data, "", "", below);
	/* Replaces a folder that somebody has changed since. */
	if (access(to, F_OK) == 0 && import_check_seal(data, hash, why) < 0)
		import_drop(data, hash);
	*moved = access(to, F_OK) < 0;
	if (*moved &&
	    (folder_make(below, 0700) < 0 || rename_durably(from, to) < 0))
		return path_error(why, ERROR_MACHINE, "make", to);
	return 0;
}

static void
write_incoming(const char *data, char *const word[],
	       char path[IMPORT_PATH_BYTES - 8])
{
	snprintf(path, IMPORT_PATH_BYTES - 8, "%s/incoming/%s", data, word[1]);
}

static int
enter(const char *data, struct roster *roster, const char *from,
      struct roster_entry *entry, bool moved, struct text *out,
      struct error *why)
{
	char to[IMPORT_PATH_BYTES];
	int result;

	import_path(data, entry->hash, "", to);
	if (!moved)
		import_lend_source(from, to);
	result = roster_enter(roster, entry, why);
	/* Moves it back to where its sender removes it. */
	if (result < 0 && moved)
		(void)!rename(to, from);
	if (result < 0)
		return -1;
	if (result == LADDER_FOUND)
		text_fmt(out, "%s has this version already; nothing changed\n",
			 entry->name);
	else if (entry->number == 1)
		text_fmt(out, "%s was added\n", entry->name);
	else
		text_fmt(out,
			 "%s was added, its version %lld, which plays as %s\n",
			 entry->name, (long long)entry->number,
			 entry->stands_as);
	return 0;
}

/* Checks that a sender with only a token may still do this: much may have
 * happened since the upload. */
static int
check_upload(struct roster *roster, const char *name, struct error *why)
{
	struct roster_bot bot;
	int result = roster_find(roster, name, &bot, why);

	if (result < 0)
		return -1;
	if (strcmp(bot.name, name) != 0)
		error_set(why, ERROR_INPUT, "bot %s is called %s now", name,
			  bot.name);
	else if (bot.state == ROSTER_DELETED)
		error_set(why, ERROR_INPUT, "bot %s was removed", name);
	else if (bot.state != ROSTER_ENABLED)
		error_set(why, ERROR_INPUT, "bot %s is %s", name,
			  roster_state_word(bot.state));
	else if (!bot.has_token)
		error_set(why, ERROR_INPUT, "bot %s has no token", name);
	else
		return 0;
	return -1;
}

static int
check_entry(struct roster *roster, const struct bot_folder *folder,
	    uint64_t memory_mib, const char *name, bool upload,
	    struct error *why)
{
	if (strcmp(folder->name, name) != 0)
		return error_set(why, ERROR_INPUT,
				 "the bot's name is %s, but %.*s was expected",
				 folder->name, NAME_BYTES, name);
	if (!bot_folder_fits(folder, memory_mib, why))
		return -1;
	return upload ? check_upload(roster, folder->name, why) : 0;
}

static bool
is_upload(char *const word[])
{
	return strcmp(word[4], "add") != 0;
}

/* Reads the request and the manifest in the folder `path`, and checks both. */
static int
read_entry(const char *path, struct roster *roster, uint64_t memory_mib,
	   unsigned words, char *const word[], struct roster_entry *entry,
	   struct error *why)
{
	struct bot_folder *folder = bot_folder_read(path, why);
	size_t used = 0;
	int result;

	if (folder == NULL) {
		why->kind = ERROR_INPUT;
		return -1;
	}
	for (unsigned i = IMPORT_ENTER_WORDS; i < words; i++)
		used += (size_t)snprintf(entry->ladders + used,
					 sizeof(entry->ladders) - used, "%s%s",
					 used > 0 ? " " : "", word[i]);
	memcpy(entry->name, folder->name, sizeof(entry->name));
	memcpy(entry->version, folder->version, sizeof(entry->version));
	snprintf(entry->hash, sizeof(entry->hash), "%s", word[2]);
	result = check_entry(roster, folder, memory_mib, word[3],
			     is_upload(word), why);
	bot_folder_free(folder);
	return result;
}

int
import_enter_check(const char *data, struct roster *roster, uint64_t memory_mib,
		   unsigned words, char *const word[], struct error *why)
{
	char from[IMPORT_PATH_BYTES - 8], path[IMPORT_PATH_BYTES];
	struct roster_entry entry = { .number = 0 };

	if (words < IMPORT_ENTER_WORDS ||
	    words - IMPORT_ENTER_WORDS > CONFIG_LADDERS ||
	    !is_hex(word[1], IMPORT_NAME_BYTES) ||
	    !is_hex(word[2], ROSTER_CONTENT_BYTES))
		return error_set(why, ERROR_INPUT, "unknown request");
	write_incoming(data, word, from);
	snprintf(path, sizeof(path), "%s/bot", from);
	return read_entry(path, roster, memory_mib, words, word, &entry, why);
}

int
import_enter_keep(const char *data, char *const word[], bool *moved,
		  struct error *why)
{
	char from[IMPORT_PATH_BYTES - 8];

	write_incoming(data, word, from);
	return import_keep(data, from, word[2], moved, why);
}

int
import_enter_kept(const char *data, struct roster *roster, uint64_t memory_mib,
		  unsigned words, char *const word[], const char *by,
		  bool moved, struct text *out, struct error *why)
{
	char from[IMPORT_PATH_BYTES - 8], path[IMPORT_PATH_BYTES];
	struct roster_entry entry = { .number = 0 };
	char bot[ROSTER_BY_BYTES + 1];
	int result;

	write_incoming(data, word, from);
	import_path(data, word[2], "bot", path);
	result = read_entry(path, roster, memory_mib, words, word, &entry, why);
	if (result == 0) {
		snprintf(bot, sizeof(bot), "bot %s", entry.name);
		roster_by(roster, !is_upload(word) ? ROSTER_ORGANISER
				  : by == NULL	   ? bot
						   : by);
		result = enter(data, roster, from, &entry, moved, out, why);
		roster_by(roster, ROSTER_ORGANISER);
		return result;
	}
	import_path(data, word[2], "", path);
	if (moved)
		(void)!rename(path, from);
	return result;
}

int
import_trial_kept(const char *data, struct roster *roster, uint64_t memory_mib,
		  unsigned words, char *const word[], bool moved,
		  struct error *why)
{
	char from[IMPORT_PATH_BYTES - 8], path[IMPORT_PATH_BYTES];
	struct roster_entry entry = { .number = 0 };
	int result;

	write_incoming(data, word, from);
	import_path(data, word[2], "bot", path);
	result = read_entry(path, roster, memory_mib, words, word, &entry, why);
	import_path(data, word[2], "", path);
	if (result < 0 && moved)
		(void)!rename(path, from);
	if (result == 0 && !moved)
		import_lend_source(from, path);
	return result;
}

int
import_enter_trial(struct roster *roster, const char *name, const char *hash,
		   struct text *out, struct error *why)
{
	struct roster_entry entry = { .number = 0 };
	char path[IMPORT_PATH_BYTES];
	struct bot_folder *folder;
	int result;

	if (!is_hex(hash, ROSTER_CONTENT_BYTES))
		return error_set(why, ERROR_INPUT, "unknown request");
	import_path(roster_folder(roster), hash, "bot", path);
	folder = bot_folder_read(path, why);
	if (folder == NULL)
		return -1;
	result = check_entry(roster, folder, MEMORY_MIB_MAX, name, false, why);
	snprintf(entry.name, sizeof(entry.name), "%s", folder->name);
	memcpy(entry.version, folder->version, sizeof(entry.version));
	snprintf(entry.hash, sizeof(entry.hash), "%s", hash);
	bot_folder_free(folder);
	if (result == 0)
		result = roster_enter(roster, &entry, why);
	if (result >= 0)
		text_fmt(out, "%s plays\n", entry.stands_as);
	return result < 0 ? -1 : 0;
}

int
import_enter(const char *data, struct roster *roster, uint64_t memory_mib,
	     unsigned words, char *const word[], struct text *out,
	     struct error *why)
{
	bool moved;

	if (words >= IMPORT_ENTER_WORDS && strcmp(word[4], "trial") == 0)
		return error_set(why, ERROR_INPUT,
				 "a trial needs a daemon that plays it");
	if (import_enter_check(data, roster, memory_mib, words, word, why) <
		    0 ||
	    import_enter_keep(data, word, &moved, why) < 0)
		return -1;
	return import_enter_kept(data, roster, memory_mib, words, word, NULL,
				 moved, out, why);
}

void
import_tell_limits(uint64_t memory_mib, uint64_t processes, struct text *out)
{
	text_fmt(out, "%" PRIu64 " %" PRIu64 "\n", memory_mib, processes);
}

int
import_tell_hash(struct roster *roster, const char *name, struct text *out,
		 struct error *why)
{
	struct roster_entry entry = { .number = 0 };
	struct roster_bot bot;
	int result = roster_find(roster, name, &bot, why);

	if (result == 0)
		result = roster_entry_of(roster, bot.number, &entry, why);
	if (result < 0)
		return -1;
	text_fmt(out, "%" PRId64 " %s %s\n", bot.number, entry.hash,
		 entry.stands_as);
	return 0;
}

int
import_go_back(struct roster *roster, const char *name, int64_t number,
	       struct text *out, struct error *why)
{
	char path[IMPORT_PATH_BYTES];
	struct roster_entry entry;
	int result = roster_entry_find(roster, name, number, &entry, why);

	if (result < 0)
		return -1;
	import_path(roster_folder(roster), entry.hash, "", path);
	if (access(path, F_OK) < 0)
		return error_set(why, ERROR_INPUT,
				 "the program of %s is not kept any more: "
				 "send it in again",
				 entry.stands_as);
	result = roster_go_back(roster, name, number, &entry, why);
	if (result == LADDER_FOUND)
		text_fmt(out, "%s plays already\n", entry.stands_as);
	else if (result == 0)
		text_fmt(out, "%s plays again\n", entry.stands_as);
	return result < 0 ? -1 : 0;
}

/* ---- out again -------------------------------------------------------- */

static void
on_entry(void *arg, const struct roster_entry *entry)
{
	struct import_hashes *to = arg;

	if (entry->state == ROSTER_DELETED)
		return;
	memcpy(*ADDED(to->hash, to->count), entry->hash, sizeof(entry->hash));
}

int
import_hashes(struct roster *roster, struct import_hashes *to,
	      struct error *why)
{
	return roster_entries(roster, on_entry, to, why);
}

/* Hashes of the versions that are kept. */
struct keeping {
	struct import_hashes *to;
	unsigned most;	/* of one bot */
	int64_t bot;	/* the last one */
	unsigned count; /* of its versions */
};

static void
keep_version(void *arg, const struct roster_entry *entry)
{
	struct keeping *keeping = arg;

	if (entry->bot != keeping->bot)
		keeping->count = 0;
	keeping->bot = entry->bot;
	if (keeping->count++ < keeping->most)
		on_entry(keeping->to, entry);
}

static bool
is_kept(const struct import_hashes *kept, const char *hash)
{
	for (size_t i = 0; i < kept->count; i++)
		if (strcmp(kept->hash[i], hash) == 0)
			return true;
	return false;
}

static void
discard_others(const char *data, const struct import_hashes *kept,
	       bool (*used)(const void *arg, const char *hash), const void *arg)
{
	char below[IMPORT_PATH_BYTES];
	struct dirent *entry;
	DIR *dir;

	import_path(data, "", "", below);
	dir = opendir(below);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (is_hex(entry->d_name, ROSTER_CONTENT_BYTES) &&
		    !is_kept(kept, entry->d_name) &&
		    !used(arg, entry->d_name) &&
		    !import_is_held(data, entry->d_name))
			import_drop(data, entry->d_name);
	}
	if (dir != NULL)
		closedir(dir);
}

void
import_discard(const char *data, struct roster *roster,
	       bool (*used)(const void *arg, const char *hash), const void *arg)
{
	struct error why;
	struct import_hashes kept = { NULL, 0 };
	struct keeping keeping = {
		.to = &kept,
		.most = import_has_much_room(data) ? SERVE_VERSIONS_KEPT : 1,
	};

	if (roster_entries_of(roster, 0, keep_version, &keeping, &why) == 0)
		discard_others(data, &kept, used, arg);
	free(kept.hash);
}
