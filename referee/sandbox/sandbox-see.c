/* referee/sandbox/sandbox-see.c - finds the files that a bare command line
 * needs in its box. */
#include "referee/sandbox/sandbox.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/file.h"

/* Folders that every box has, from the machine or of its own.  A command that
 * names a file in one adds nothing. */
static const char *const system_folders[] = {
	"/usr",	 "/bin",  "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
	"/etc",	 "/dev",  "/proc", "/sys", "/boot",  "/run",   "/var",
	"/root", "/home", "/tmp",  "/srv", "/opt",   "/mnt",   "/media",
};

/* Returns true for a path that every box has. */
static bool
is_given(const char *path)
{
	static const char *const given[] = { "/usr",	"/bin",	  "/sbin",
					     "/lib",	"/lib32", "/lib64",
					     "/libx32", "/dev",	  "/proc",
					     "/sys" };

	for (size_t i = 0; i < NELEM(given); i++)
		if (path_is_below(path, given[i]))
			return true;
	return false;
}

/* Returns true for a folder that holds too much else to be shown whole. */
static bool
is_wide(const char *folder)
{
	const char *home = getenv("HOME");
	char *real;
	bool wide;

	if (strcmp(folder, "/") == 0)
		return true;
	for (size_t i = 0; i < NELEM(system_folders); i++)
		if (strcmp(folder, system_folders[i]) == 0)
			return true;
	if (path_is_below(folder, "/etc") || path_is_below(folder, "/proc") ||
	    path_is_below(folder, "/sys") || path_is_below(folder, "/dev"))
		return true;
	if (home == NULL || (real = realpath(home, NULL)) == NULL)
		return false;
	/* The home folder and all folders above it. */
	wide = path_is_below(real, folder);
	free(real);
	return wide;
}

static int
add(struct sandbox_seen *seen, const char *path, struct error *why)
{
	for (unsigned i = 0; i < seen->count; i++)
		if (path_is_below(path, seen->path[i]))
			return 0;
	if (seen->count == SANDBOX_SEE_MAX) {
		error_set(why, ERROR_INPUT,
			  "a bot's command line names files in more than %d "
			  "folders",
			  SANDBOX_SEE_MAX);
		return -1;
	}
	seen->path[seen->count] = copied(path);
	seen->path[++seen->count] = NULL;
	return 0;
}

/* Removes `.`, `..` and empty names from an absolute path.  In the box no
 * folder on the path is a link. */
static void
straighten(char *path)
{
	char *to = path, *from = path, *end;
	size_t n;

	for (; *from != '\0'; from = end) {
		end = from + 1 + strcspn(from + 1, "/");
		n = (size_t)(end - from);
		if (n == 1 || strncmp(from, "/.", n) == 0)
			continue;
		if (n == 3 && strncmp(from, "/..", n) == 0) {
			while (to > path && *--to != '/')
				;
			continue;
		}
		memmove(to, from, n);
		to += n;
	}
	if (to == path)
		*to++ = '/';
	*to = '\0';
}

/* Makes a path absolute without following links. */
static bool
absolute(const char *path, char to[PATH_MAX])
{
	char here[PATH_MAX / 2];
	int n;

	if (*path == '/')
		n = snprintf(to, PATH_MAX, "%s", path);
	else if (getcwd(here, sizeof(here)) == NULL)
		return false;
	else
		n = snprintf(to, PATH_MAX, "%s/%s", here, path);
	if (n < 0 || n >= PATH_MAX)
		return false;
	straighten(to);
	return true;
}

/* Adds what must be visible for the file or folder at `path`. */
static int
see_path(struct sandbox_seen *seen, char *path, bool folder, struct error *why)
{
	char *slash = strrchr(path, '/');

	if (is_given(path) || (folder && is_wide(path)))
		return 0;
	if (folder)
		return add(seen, path, why);
	*slash = '\0';
	if (is_wide(*path == '\0' ? "/" : path)) {
		*slash = '/';
		return add(seen, path, why);
	}
	/* A program in a folder `bin` needs what lies beside that folder, such
	 * as the libraries of an interpreter that a user has installed. */
	slash = strrchr(path, '/');
	if (strcmp(slash, "/bin") == 0) {
		*slash = '\0';
		if (is_wide(*path == '\0' ? "/" : path))
			*slash = '/';
	}
	return add(seen, path, why);
}

/* Adds a file or folder by its name and, if it is a link, by its target. */
static int
see(struct sandbox_seen *seen, const char *name, struct error *why)
{
	char path[PATH_MAX], *real;
	struct stat st;
	bool folder;
	int result;

	if (*name == '\0' || !absolute(name, path) || stat(name, &st) < 0 ||
	    (real = realpath(name, NULL)) == NULL)
		return 0;
	folder = S_ISDIR(st.st_mode);
	result =
		strcmp(real, path) == 0 ? 0 : see_path(seen, real, folder, why);
	free(real);
	return result < 0 ? -1 : see_path(seen, path, folder, why);
}

bool
sandbox_seen_add(struct sandbox_seen *seen, const char *name)
{
	char path[PATH_MAX], *real;
	struct error why;
	bool added;

	if (!absolute(name, path) || add(seen, path, &why) < 0)
		return false;
	real = realpath(name, NULL);
	added = real == NULL || add(seen, real, &why) == 0;
	free(real);
	return added;
}

/* Adds the file that a word names, also behind an option's name: `--x=FILE`. */
static int
see_word(struct sandbox_seen *seen, const char *word, struct error *why)
{
	const char *equals = strchr(word, '=');

	if (see(seen, word, why) < 0)
		return -1;
	return equals == NULL ? 0 : see(seen, equals + 1, why);
}

/* Returns true if a box's PATH has this program. */
static bool
is_in_path(const char *name)
{
	const char *at = SANDBOX_PATH;
	char path[PATH_MAX];
	size_t n;

	for (; at != NULL; at = at[n] ? at + n + 1 : NULL) {
		n = strcspn(at, ":");
		snprintf(path, sizeof(path), "%.*s/%s", (int)n, at, name);
		if (access(path, X_OK) == 0)
			return true;
	}
	return false;
}

int
sandbox_see_command(struct sandbox_seen *seen, char *const argv[],
		    struct error *why)
{
	*seen = (struct sandbox_seen){ .count = 0 };
	if (strchr(argv[0], '/') == NULL && !is_in_path(argv[0])) {
		error_set(
			why, ERROR_INPUT,
			"%s is not visible in the sandbox, which looks for "
			"programs only in %s; give its path, or --sandbox off",
			quoted(argv[0]).text, SANDBOX_PATH);
		return -1;
	}
	if (strchr(argv[0], '/') != NULL && see(seen, argv[0], why) < 0)
		return -1;
	for (unsigned i = 1; argv[i] != NULL; i++)
		if (see_word(seen, argv[i], why) < 0)
			return -1;
	return 0;
}

void
sandbox_seen_release(struct sandbox_seen *seen)
{
	while (seen->count > 0)
		free(seen->path[--seen->count]);
}
