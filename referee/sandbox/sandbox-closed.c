/* referee/sandbox/sandbox-closed.c - mounts in which one bot can read closed
 * folders.
 *
 * Root may keep bots where no other user can look, but no bot runs as root.  So
 * the bot's files are mounted once more, by descriptor and read-only, below a
 * folder that everybody can enter, in a mount namespace of this bot's
 * processes.  With an ID mapping (Linux 5.12, most file systems) the owner's
 * files belong to the bot there, so that modes do not matter either. */
#include "referee/sandbox/sandbox-closed.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* This folder is covered in that namespace.  What is needed of it has been
 * opened before. */
#define STAGE "/tmp"
#define PLACE_BYTES 32

void
sandbox_sources_set(struct sandbox_sources *sources,
		    const struct sandbox_box *box)
{
	size_t n = 0;

	for (; box->see != NULL && box->see[n] != NULL; n++) {
		if (n == SANDBOX_SEE_MAX)
			bug("a sandbox with too many visible paths");
		sources->see[n] = box->see[n];
	}
	sources->see[n] = NULL;
	sources->folder = box->folder;
}

/* ---- an ID mapping ------------------------------------------------------- */

static int
put_map(pid_t pid, const char *file, unsigned from, unsigned to)
{
	char path[64];
	int fd, result;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	result = dprintf(fd, "%u %u 1\n", from, to) < 0 ? -1 : 0;
	close(fd);
	return result;
}

/* Returns a descriptor of a user namespace in which `uid` is the owner of a
 * file, or -1.  Until the descriptor is open the namespace needs a process in
 * it. */
static int
owner_space(const struct stat *st, uid_t uid)
{
	char path[64];
	int ready[2], fd = -1;
	char byte;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		/* The child ends with its parent: only the parent reads the
		 * pipe. */
		close(ready[0]);
		if (unshare(CLONE_NEWUSER) == 0 &&
		    prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
		    write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	if (pid > 0 && read(ready[0], &byte, 1) == 1 &&
	    put_map(pid, "uid_map", st->st_uid, uid) == 0 &&
	    put_map(pid, "gid_map", st->st_gid, uid) == 0) {
		snprintf(path, sizeof(path), "/proc/%d/ns/user", (int)pid);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	close(ready[0]);
	if (pid > 0) {
		kill(pid, SIGKILL);
		RETRIED(waitpid(pid, NULL, 0));
	}
	return fd;
}

static int
set_attributes(int tree, unsigned flags, const struct mount_attr *attr)
{
	return (int)syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | flags,
			    attr, sizeof(*attr));
}

/* Not every file system can do this.  Without it the bot sees what its user may
 * read. */
static void
map_owner(int tree, const struct stat *st, uid_t uid)
{
	int space = owner_space(st, uid);
	struct mount_attr attr = { .attr_set = MOUNT_ATTR_IDMAP };

	if (space < 0)
		return;
	attr.userns_fd = (unsigned)space;
	if (set_attributes(tree, AT_RECURSIVE, &attr) < 0)
		(void)set_attributes(tree, 0, &attr);
	close(space);
}

/* ---- the view ------------------------------------------------------------ */

/* Returns a descriptor of a mount of `path` that is not attached yet, or -1 and
 * errno. */
static int
mount_of(const char *path, uid_t uid, struct stat *st)
{
	const struct mount_attr attr = { .attr_set = MOUNT_ATTR_NOSUID |
						     MOUNT_ATTR_NODEV |
						     MOUNT_ATTR_RDONLY };
	int tree = (int)syscall(SYS_open_tree, AT_FDCWD, path,
				OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC |
					AT_RECURSIVE);

	if (tree < 0)
		return -1;
	if (fstat(tree, st) < 0 ||
	    set_attributes(tree, AT_RECURSIVE, &attr) < 0)
		return -1;
	if (st->st_uid != uid)
		map_owner(tree, st, uid);
	return tree;
}

static int
put_at(int tree, const struct stat *st, const char *place)
{
	int fd;

	if (S_ISDIR(st->st_mode)) {
		if (mkdir(place, 0755) < 0)
			return -1;
	} else {
		fd = open(place, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0)
			return -1;
		close(fd);
	}
	return (int)syscall(SYS_move_mount, tree, "", AT_FDCWD, place,
			    MOVE_MOUNT_F_EMPTY_PATH);
}

int
sandbox_open_up(struct sandbox_sources *sources, const struct sandbox_box *box,
		uid_t uid)
{
	static char places[SANDBOX_SEE_MAX + 1][PLACE_BYTES];
	struct stat st[SANDBOX_SEE_MAX + 1];
	int trees[SANDBOX_SEE_MAX + 1];
	const char **at[SANDBOX_SEE_MAX + 1];
	size_t count = 0;

	sandbox_sources_set(sources, box);
	while (sources->see[count] != NULL) {
		at[count] = &sources->see[count];
		count++;
	}
	if (sources->folder != NULL)
		at[count++] = &sources->folder;
	if (unshare(CLONE_NEWNS) < 0 ||
	    syscall(SYS_mount, NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		trees[i] = mount_of(*at[i], uid, &st[i]);
		if (trees[i] < 0)
			return -1;
	}
	if (syscall(SYS_mount, "tmpfs", STAGE, "tmpfs",
		    MS_NOSUID | MS_NODEV | MS_NOEXEC,
		    "mode=0755,size=65536") < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		snprintf(places[i], PLACE_BYTES, STAGE "/%zu", i);
		if (put_at(trees[i], &st[i], places[i]) < 0)
			return -1;
		close(trees[i]);
		*at[i] = places[i];
	}
	return 0;
}
