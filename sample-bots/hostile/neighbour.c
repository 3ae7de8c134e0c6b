/* neighbour.c FOLDER... - looks into another bot's folder, and changes it.
 *
 * Bound: it reads a byte of each file there, and adds one empty file. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "hostile.h"

static int
open_inside(const char *folder, const char *name, int how)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return open(path, how | O_CLOEXEC, 0600);
}

static void
look_into(const char *folder)
{
	DIR *files = opendir(folder);
	long count = 0;
	struct dirent *file;

	hostile_tried("list its folder", files != NULL, errno);
	while (files != NULL && (file = readdir(files)) != NULL) {
		int fd = open_inside(folder, file->d_name, O_RDONLY);
		char byte;

		count += fd >= 0 && read(fd, &byte, 1) == 1;
	}
	hostile_tried("read its files", count > 0, 0);
	if (files != NULL)
		closedir(files);
}

static void
attack(char **args)
{
	for (; *args != NULL; args++) {
		look_into(*args);
		hostile_call("write into its folder",
			     open_inside(*args, "hostile-neighbour-was-here",
					 O_WRONLY | O_CREAT));
		hostile_call("change its rights", chmod(*args, 0700));
	}
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
