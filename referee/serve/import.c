/* referee/serve/import.c - folders of bots: on their way in, where they stay,
 * and out again. */
#include "referee/serve/import.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "referee/command.h"

#define TREE_DESCRIPTORS 16 /* while a tree is removed */

/* ---- trees ------------------------------------------------------------ */

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	remove(path);
	return 0;
}

/* A build may have taken our rights away. */
static int
open_up(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)at;
	if ((kind == FTW_D || kind == FTW_DNR) &&
	    (st->st_mode & S_IRWXU) != S_IRWXU)
		chmod(path, S_IRWXU);
	return 0;
}

static void
remove_tree(const char *path)
{
	if (nftw(path, remove_one, TREE_DESCRIPTORS, FTW_DEPTH | FTW_PHYS) ==
		    0 &&
	    access(path, F_OK) < 0)
		return;
	nftw(path, open_up, TREE_DESCRIPTORS, FTW_PHYS);
	nftw(path, remove_one, TREE_DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

/* ---- incoming --------------------------------------------------------- */

static int
make_folder(const char *path)
{
	return folder_make(path, 0700);
}

static void
random_name(char name[IMPORT_NAME_BYTES + 1])
{
	unsigned char bytes[IMPORT_NAME_BYTES / 2];

	randombytes_buf(bytes, sizeof(bytes));
	sodium_bin2hex(name, IMPORT_NAME_BYTES + 1, bytes, sizeof(bytes));
}

/* Its descriptor, locked; -1 and errno: EWOULDBLOCK if somebody has it. */
static int
lock_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

int
incoming_open(const char *data, struct incoming *incoming,
	      char why[IMPORT_WHY_BYTES])
{
	char below[IMPORT_PATH_BYTES - IMPORT_NAME_BYTES - 1];

	if (snprintf(below, sizeof(below), "%s/incoming", data) >=
	    (int)sizeof(below) - 16) {
		snprintf(why, IMPORT_WHY_BYTES, "the path %s is too long",
			 data);
		return -1;
	}
	random_name(incoming->name);
	snprintf(incoming->path, sizeof(incoming->path), "%s/%s", below,
		 incoming->name);
	incoming->fd = -1;
	if (make_folder(below) == 0 && mkdir(incoming->path, 0700) == 0)
		incoming->fd = lock_folder(incoming->path);
	/* Who swept just then took it for one that nobody works in. */
	if (incoming->fd >= 0 && access(incoming->path, F_OK) == 0)
		return 0;
	snprintf(why, IMPORT_WHY_BYTES, "cannot make the folder %s: %s",
		 incoming->path, strerror(errno));
	return -1;
}

void
incoming_close(struct incoming *incoming)
{
	remove_tree(incoming->path);
	close(incoming->fd);
	incoming->fd = -1;
}

static void
sweep_one(const char *path)
{
	int fd = lock_folder(path);

	if (fd < 0) {
		if (errno == ENOTDIR || errno == ELOOP)
			unlink(path);
		return;
	}
	remove_tree(path);
	close(fd);
}

void
incoming_sweep(const char *data)
{
	char below[IMPORT_PATH_BYTES - 256 - 1];
	char path[IMPORT_PATH_BYTES];
	struct dirent *entry;
	DIR *dir;

	if (snprintf(below, sizeof(below), "%s/incoming", data) >=
	    (int)sizeof(below))
		return;
	dir = opendir(below);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", below, entry->d_name);
		sweep_one(path);
	}
	if (dir != NULL)
		closedir(dir);
}

/* ---- bots ------------------------------------------------------------- */

void
import_path(const char *data, const char *hash, const char *below,
	    char path[IMPORT_PATH_BYTES])
{
	snprintf(path, IMPORT_PATH_BYTES, "%s/bots/%s%s%s", data, hash,
		 below[0] ? "/" : "", below);
}

static bool
is_hex(const char *text, size_t n)
{
	return strlen(text) == n && strspn(text, "0123456789abcdef") == n;
}

/* On disk when it returns. */
static int
move(const char *from, const char *to, const char *below)
{
	int fd, result;

	if (access(to, F_OK) == 0)
		return 0; /* the same was there before */
	if (make_folder(below) < 0 || rename(from, to) < 0)
		return -1;
	fd = open(below, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	result = fd < 0 ? -1 : fsync(fd);
	if (fd >= 0)
		close(fd);
	return result;
}

static int
exit_code(int result)
{
	return result == LADDER_BAD ? EXIT_USAGE : EXIT_MACHINE;
}

static int
enter(const char *data, struct roster *roster, const char *from,
      struct roster_entry *entry, struct text *out, char why[LADDER_WHY_BYTES])
{
	char to[IMPORT_PATH_BYTES], below[IMPORT_PATH_BYTES];
	int result;

	import_path(data, entry->hash, "", to);
	import_path(data, "", "", below);
	if (move(from, to, below) < 0) {
		snprintf(why, LADDER_WHY_BYTES, "cannot make %.300s: %s", to,
			 strerror(errno));
		return EXIT_MACHINE;
	}
	result = roster_enter(roster, entry, why);
	if (result < 0)
		return exit_code(result);
	if (result == LADDER_COUNTED)
		text_fmt(out, "%s is just this already, nothing is new\n",
			 entry->name);
	else if (entry->number == 1)
		text_fmt(out, "%s was added\n", entry->name);
	else
		text_fmt(out,
			 "%s was added, its version %lld, which plays as %s\n",
			 entry->name, (long long)entry->number,
			 entry->stands_as);
	return EXIT_DONE;
}

int
import_enter(const char *data, struct roster *roster, const char *name,
	     const char *hash, const char *ladders, uint64_t memory_mib,
	     struct text *out, char why[LADDER_WHY_BYTES])
{
	char from[IMPORT_PATH_BYTES - 8], path[IMPORT_PATH_BYTES];
	char reason[BOT_FOLDER_WHY_BYTES];
	struct roster_entry entry = { .number = 0 };
	struct bot_folder *folder;
	int code = EXIT_USAGE;

	if (!is_hex(name, IMPORT_NAME_BYTES) ||
	    !is_hex(hash, ROSTER_CONTENT_BYTES) ||
	    strlen(ladders) > ROSTER_LADDERS_BYTES) {
		snprintf(why, LADDER_WHY_BYTES, "no such request");
		return EXIT_USAGE;
	}
	snprintf(from, sizeof(from), "%s/incoming/%s", data, name);
	snprintf(path, sizeof(path), "%s/bot", from);
	folder = bot_folder_read(path, reason);
	if (folder == NULL) {
		snprintf(why, LADDER_WHY_BYTES, "%.500s", reason);
		return EXIT_USAGE;
	}
	memcpy(entry.name, folder->name, sizeof(entry.name));
	memcpy(entry.version, folder->version, sizeof(entry.version));
	snprintf(entry.hash, sizeof(entry.hash), "%s", hash);
	snprintf(entry.ladders, sizeof(entry.ladders), "%s", ladders);
	if (folder->memory_mib > memory_mib)
		snprintf(why, LADDER_WHY_BYTES,
			 "%s asks for %u MiB of memory, and this daemon gives "
			 "%u at most",
			 entry.name, (unsigned)folder->memory_mib,
			 (unsigned)memory_mib);
	else
		code = enter(data, roster, from, &entry, out, why);
	bot_folder_free(folder);
	return code;
}

int
import_tell_hash(struct roster *roster, const char *name, struct text *out,
		 char why[LADDER_WHY_BYTES])
{
	struct roster_entry entry = { .number = 0 };
	struct roster_bot bot;
	int result = roster_find(roster, name, &bot, why);

	if (result == LADDER_OK)
		result = roster_entry_of(roster, bot.number, &entry, why);
	if (result < 0)
		return exit_code(result);
	text_fmt(out, "%s\n", entry.hash);
	return EXIT_DONE;
}

/* ---- out again -------------------------------------------------------- */

struct kept {
	char (*hash)[ROSTER_CONTENT_BYTES + 1];
	size_t count;
};

static void
on_entry(void *arg, const struct roster_entry *entry)
{
	struct kept *kept = arg;

	if (entry->state == ROSTER_DELETED)
		return;
	kept->hash =
		memory(kept->hash, (kept->count + 1) * sizeof(*kept->hash));
	memcpy(kept->hash[kept->count++], entry->hash, sizeof(entry->hash));
}

static bool
is_kept(const struct kept *kept, const char *hash)
{
	size_t i;

	for (i = 0; i < kept->count; i++)
		if (strcmp(kept->hash[i], hash) == 0)
			return true;
	return false;
}

static void
discard_others(const char *data, const struct kept *kept)
{
	char below[IMPORT_PATH_BYTES], from[IMPORT_PATH_BYTES];
	char to[IMPORT_PATH_BYTES], name[IMPORT_NAME_BYTES + 1];
	struct dirent *entry;
	DIR *dir;

	import_path(data, "", "", below);
	snprintf(to, sizeof(to), "%s/incoming", data);
	if (make_folder(to) < 0)
		return;
	dir = opendir(below);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (!is_hex(entry->d_name, ROSTER_CONTENT_BYTES) ||
		    is_kept(kept, entry->d_name))
			continue;
		random_name(name);
		import_path(data, entry->d_name, "", from);
		snprintf(to, sizeof(to), "%s/incoming/%s", data, name);
		rename(from, to);
	}
	if (dir != NULL)
		closedir(dir);
}

void
import_discard(const char *data, struct roster *roster)
{
	char why[LADDER_WHY_BYTES];
	struct kept kept = { NULL, 0 };

	if (roster_entries(roster, on_entry, &kept, why) == LADDER_OK)
		discard_others(data, &kept);
	free(kept.hash);
}
