/* cgroup-leave.c - leaves the control group that bounds it, or widens it.
 *
 * Bound: it goes to the root of a hierarchy at most, and takes nothing there.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>

#include "hostile.h"

static bool
write_to(const char *folder, const char *file, const char *text)
{
	char path[PATH_MAX];
	int fd;
	bool got;

	snprintf(path, sizeof(path), "%.1000s/%s", folder, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	got = fd >= 0 && write(fd, text, strlen(text)) > 0;
	if (fd >= 0)
		close(fd);
	return got;
}

static void
leave(const char *root)
{
	char what[100], pid[20];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	snprintf(what, sizeof(what), "leave for %.70s", root);
	hostile_tried(what, write_to(root, "cgroup.procs", pid), errno);
}

static void
attack(char **args)
{
	DIR *roots = opendir("/sys/fs/cgroup");
	struct dirent *root;
	char path[PATH_MAX];
	int count = 0;

	(void)args;
	leave("/sys/fs/cgroup");
	while (roots != NULL && (root = readdir(roots)) != NULL) {
		if (root->d_name[0] == '.' || ++count > 30)
			continue;
		snprintf(path, sizeof(path), "/sys/fs/cgroup/%s", root->d_name);
		if (root->d_type == DT_DIR)
			leave(path);
	}
	hostile_tried(
		"notify_on_release",
		write_to("/sys/fs/cgroup/memory", "notify_on_release", "0"),
		errno);
	if (roots != NULL)
		closedir(roots);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
