/* tests/world/folder-copy.c - see folder-copy.h. */
#include "tests/world/folder-copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/util.h"

void
file_copy(const char *from, const char *to)
{
	static char bytes[65536];
	const int in = open(from, O_RDONLY | O_CLOEXEC);
	const int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ssize_t n;

	if (in < 0 || out < 0)
		bug("cannot copy %s to %s: %m", from, to);
	while ((n = read(in, bytes, sizeof(bytes))) > 0)
		if (write(out, bytes, (size_t)n) != n)
			bug("cannot copy %s to %s: %m", from, to);
	close(in);
	close(out);
}

static bool
is_shared_memory(const char *name)
{
	const size_t n = strlen(name);

	return n > 4 && strcmp(name + n - 4, "-shm") == 0;
}

static void
copy_entry(const char *from, const char *to)
{
	struct stat st;

	if (lstat(from, &st) < 0)
		bug("cannot look at %s: %m", from);
	if (S_ISDIR(st.st_mode))
		folder_copy(from, to);
	else if (S_ISREG(st.st_mode) && !is_shared_memory(from))
		file_copy(from, to);
}

void
folder_copy(const char *from, const char *to)
{
	DIR *dir = opendir(from);
	struct dirent *entry;
	char *one, *other;

	if (dir == NULL || mkdir(to, 0700) < 0)
		bug("cannot copy the folder %s to %s: %m", from, to);
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		one = formatted("%s/%s", from, entry->d_name);
		other = formatted("%s/%s", to, entry->d_name);
		copy_entry(one, other);
		free(one);
		free(other);
	}
	closedir(dir);
}

/* ---- comparing ------------------------------------------------------------ */

static bool
same_bytes(FILE *one, FILE *other)
{
	char a[4096], b[sizeof(a)];
	size_t n;

	do {
		n = fread(a, 1, sizeof(a), one);
		if (fread(b, 1, sizeof(b), other) != n || memcmp(a, b, n) != 0)
			return false;
	} while (n > 0);
	return true;
}

static bool
same_file(const char *one, const char *other)
{
	FILE *a = fopen(one, "re"), *b = fopen(other, "re");
	const bool same = a != NULL && b != NULL && same_bytes(a, b);

	if (a != NULL)
		fclose(a);
	if (b != NULL)
		fclose(b);
	return same;
}

static bool
same_link(const char *one, const char *other)
{
	char a[4096], b[sizeof(a)];
	const ssize_t n = readlink(one, a, sizeof(a));

	return n > 0 && readlink(other, b, sizeof(b)) == n &&
	       memcmp(a, b, (size_t)n) == 0;
}

/* Compares what has the same name in both folders. */
static char *
entry_difference(const char *one, const char *other)
{
	struct stat a, b;

	if (lstat(one, &a) < 0 || is_shared_memory(one) ||
	    (!S_ISDIR(a.st_mode) && !S_ISREG(a.st_mode) && !S_ISLNK(a.st_mode)))
		return NULL;
	if (lstat(other, &b) < 0 || a.st_mode != b.st_mode)
		return copied(one);
	if (S_ISDIR(a.st_mode))
		return folder_difference(one, other);
	if (S_ISLNK(a.st_mode) ? same_link(one, other) : same_file(one, other))
		return NULL;
	return copied(one);
}

/* Looks for what is in `one` and not the same in `other`. */
static char *
find_difference(const char *one, const char *other)
{
	DIR *dir = opendir(one);
	struct dirent *entry;
	char *a, *b, *found = NULL;

	if (dir == NULL)
		return copied(one);
	while (found == NULL && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		a = formatted("%s/%s", one, entry->d_name);
		b = formatted("%s/%s", other, entry->d_name);
		found = entry_difference(a, b);
		free(a);
		free(b);
	}
	closedir(dir);
	return found;
}

char *
folder_difference(const char *one, const char *other)
{
	char *found = find_difference(one, other);

	return found != NULL ? found : find_difference(other, one);
}

/* ---- removing ------------------------------------------------------------- */

static int
remove_one(const char *path, const struct stat *st UNUSED, int type UNUSED,
	   struct FTW *at UNUSED)
{
	return remove(path);
}

void
folder_remove(const char *path)
{
	if (nftw(path, remove_one, 32, FTW_DEPTH | FTW_PHYS) != 0 &&
	    errno != ENOENT)
		bug("cannot remove %s: %m", path);
}
