/* referee/match/match-keeping.c - opens the folder and the ladder of a match. */
#include "referee/match/match-keeping.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "referee/base/command.h"

/* ---- opening ---------------------------------------------------------- */

/* Complains that the folder cannot be made.  A path that leads nowhere is the
 * user's mistake, other causes are the machine's. */
static int
folder_trouble(const char *dir)
{
	if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG)
		return complain_usage("cannot make the folder %s: %m",
				      quoted(dir).text);
	return complain_machine("cannot make the folder %s: %m",
				quoted(dir).text);
}

/* Checks that `dir`, if it exists, is a folder that we can read and write. */
static int
check_folder(const char *dir)
{
	struct stat st;

	if (stat(dir, &st) < 0)
		return EXIT_DONE;
	if (!S_ISDIR(st.st_mode))
		return complain_usage("%s is no folder", quoted(dir).text);
	if (access(dir, R_OK | W_OK | X_OK) < 0)
		return complain_machine("cannot read and write the folder %s: "
					"%m",
					quoted(dir).text);
	return EXIT_DONE;
}

/* Checks that the folder that `path` is in exists. */
static int
check_parent(const char *path)
{
	char parent[LADDER_PATH_BYTES];
	const char *slash;
	size_t n = strlen(path);
	struct stat st;

	while (n > 1 && path[n - 1] == '/')
		n--;
	slash = memrchr(path, '/', n);
	if (slash == NULL || slash == path)
		return EXIT_DONE;
	n = (size_t)(slash - path);
	if (n >= sizeof(parent))
		return complain_usage("the path %s is longer than %zu bytes",
				      quoted(path).text, sizeof(parent) - 1);
	memcpy(parent, path, n);
	parent[n] = '\0';
	if (stat(parent, &st) == 0)
		return S_ISDIR(st.st_mode)
			       ? EXIT_DONE
			       : complain_usage("%s is no folder, so there is "
						"no %s",
						quoted(parent).text,
						quoted(path).text);
	if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG)
		return complain_usage("there is no folder %s for %s",
				      quoted(parent).text, quoted(path).text);
	return complain_machine("cannot look into the folder %s: %m",
				quoted(parent).text);
}

/* Makes a folder that files are to be written in, or checks that the existing
 * one can be used. */
static int
make_folder(const char *dir)
{
	if (folder_make(dir, 0777) < 0)
		return folder_trouble(dir);
	return check_folder(dir);
}

/* Returns true if the name is one that replay_wrote_keep() gives. */
static bool
is_stderr_file(const char *name)
{
	const size_t digits = strspn(name, "0123456789"), n = strlen(name);

	return digits >= 8 && name[digits] == '-' && n > 4 &&
	       strcmp(name + n - 4, ".txt") == 0;
}

int
match_keeping_stderr(const char *dir, bool fresh)
{
	const struct dirent *entry;
	bool found = false;
	DIR *folder;
	int code = make_folder(dir);

	if (code != EXIT_DONE || !fresh)
		return code;
	folder = opendir(dir);
	if (folder == NULL)
		return complain_machine("cannot read the folder %s: %m",
					quoted(dir).text);
	while (!found && (entry = readdir(folder)) != NULL)
		found = is_stderr_file(entry->d_name);
	closedir(folder);
	if (!found)
		return EXIT_DONE;
	return complain_usage("%s has the standard error of another match; "
			      "take another folder",
			      quoted(dir).text);
}

/* Opens the log, and lets the ladder rate what the log has beyond it. */
static int
open_log(struct match_keeping *keeping)
{
	struct ladder *ladder = keeping->ladder;
	struct error why;
	unsigned count = 0;
	int result =
		ladder_log_files(ladder, keeping->dir, &keeping->log, &why);

	if (result == 0 && ladder != NULL)
		result =
			ladder_follow(ladder, keeping->log, NULL, &count, &why);
	if (result != 0)
		return complain_error(&why);
	if (ladder != NULL && ladder_origin(ladder) == LADDER_MADE_AGAIN)
		note("the ladder's file was lost and is made again; `referee "
		     "ladder rebuild` verifies its records");
	if (count > 0)
		fprintf(stderr, "%s of its log %s rated now\n",
			counted(count, "game").text, count == 1 ? "is" : "are");
	if (ladder != NULL && ladder_missing(ladder) > 0)
		note("the ladder misses %s; `referee ladder "
		     "rebuild` tells which",
		     counted((uint64_t)ladder_missing(ladder), "record").text);
	return EXIT_DONE;
}

int
match_keeping_open(struct match_keeping *keeping, const char *records,
		   const char *ladder)
{
	struct error why;
	int result, code = EXIT_DONE;

	memset(keeping, 0, sizeof(*keeping));
	if (records == NULL && ladder == NULL) {
		keeping->log = ladder_log_memory(NULL);
		return EXIT_DONE;
	}
	if (records != NULL)
		result = snprintf(keeping->dir, sizeof(keeping->dir), "%s",
				  records);
	else
		result = snprintf(keeping->dir, sizeof(keeping->dir),
				  "%s.records", ladder);
	if ((size_t)result >= sizeof(keeping->dir))
		return complain_usage("the path of the records is longer than "
				      "%zu bytes",
				      sizeof(keeping->dir) - 1);
	/* The ladder is opened before the folder is made: if the file is no
	 * ladder, nothing must be made beside it. */
	if (ladder != NULL)
		code = check_parent(ladder);
	if (code == EXIT_DONE)
		code = check_parent(keeping->dir);
	if (code == EXIT_DONE)
		code = check_folder(keeping->dir);
	if (code == EXIT_DONE && ladder != NULL) {
		result = ladder_open(ladder, LADDER_WRITE, &keeping->ladder,
				     &why);
		if (result != 0)
			code = complain_error(&why);
	}
	if (code == EXIT_DONE)
		code = make_folder(keeping->dir);
	if (code == EXIT_DONE)
		code = open_log(keeping);
	if (code != EXIT_DONE) {
		ladder_log_free(keeping->log);
		keeping->log = NULL;
		ladder_discard(keeping->ladder);
		keeping->ladder = NULL;
	}
	return code;
}

void
match_keeping_release(struct match_keeping *keeping)
{
	ladder_log_free(keeping->log);
	keeping->log = NULL;
	ladder_close(keeping->ladder);
	keeping->ladder = NULL;
}

/* ---- what has been played --------------------------------------------- */

static int
compare_ids(const void *a, const void *b)
{
	const struct match_file *x = a, *y = b;

	return strcmp(x->id, y->id);
}

/* A record's name ends in ID.rec, whatever stands before it. */
static void
add_file(struct match_files *files, const char *name)
{
	static const char suffix[] = ".rec";
	size_t n = strlen(name), tail = ID_BYTES + sizeof(suffix) - 1;
	struct match_file *file;

	if (n < tail || n >= LADDER_FILE_BYTES ||
	    strcmp(name + n - sizeof(suffix) + 1, suffix) != 0)
		return;
	file = ADDED(files->file, files->count);
	snprintf(file->name, sizeof(file->name), "%.*s", LADDER_FILE_BYTES - 1,
		 name);
	memcpy(file->id, name + n - tail, ID_BYTES);
	file->id[ID_BYTES] = '\0';
}

int
match_files_read(struct match_files *files, const char *dir, struct error *why)
{
	const struct dirent *entry;
	DIR *folder = opendir(dir);

	memset(files, 0, sizeof(*files));
	if (folder == NULL)
		return error_set(why, ERROR_MACHINE,
				 "cannot read the folder %s: %m",
				 quoted(dir).text);
	while ((entry = readdir(folder)) != NULL)
		add_file(files, entry->d_name);
	closedir(folder);
	if (files->count > 0)
		qsort(files->file, files->count, sizeof(*files->file),
		      compare_ids);
	return 0;
}

const char *
match_files_find(const struct match_files *files, const char *id)
{
	struct match_file key, *found = NULL;

	snprintf(key.id, sizeof(key.id), "%s", id);
	if (files->count > 0)
		found = bsearch(&key, files->file, files->count, sizeof(key),
				compare_ids);
	return found == NULL ? NULL : found->name;
}

void
match_files_release(struct match_files *files)
{
	free(files->file);
	memset(files, 0, sizeof(*files));
}

static int
check_game(const struct match_keeping *keeping, const struct match_files *files,
	   const char *seed, uint64_t number)
{
	struct ladder_game game;
	struct error why;
	struct deal deal;
	int result;

	deal_from_seed(&deal, seed, number);
	if (match_files_find(files, deal.id) != NULL)
		return complain_usage("games with the seed %s are in %s "
				      "already; take another seed or folder",
				      quoted(seed).text,
				      quoted(keeping->dir).text);
	if (keeping->ladder == NULL)
		return EXIT_DONE;
	result = ladder_game_find(keeping->ladder, deal.id, &game, &why);
	if (result == LADDER_FOUND)
		return complain_usage("games with the seed %s are on the "
				      "ladder already; take another seed",
				      quoted(seed).text);
	return result == 0 ? EXIT_DONE : complain_error(&why);
}

int
match_keeping_unplayed(const struct match_keeping *keeping,
		       const struct match_setup *setup)
{
	struct match_files files;
	struct error why;
	uint64_t number;
	int code = EXIT_DONE;

	if (!setup->seeded || keeping->dir[0] == '\0')
		return EXIT_DONE;
	if (match_files_read(&files, keeping->dir, &why) < 0)
		code = complain_error(&why);
	for (number = 1; code == EXIT_DONE && number <= setup->games; number++)
		code = check_game(keeping, &files, setup->seed, number);
	match_files_release(&files);
	return code;
}
