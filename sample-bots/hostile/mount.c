/* mount.c - mounts: a file system of its own, the read-only ones writable, the
 * root elsewhere.
 *
 * Bound: what it mounts lies upon a folder that it has made, in a mount
 * namespace of its own if it can have one, and is unmounted again; so is a
 * change of rights undone. */
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include "hostile.h"

#ifndef SYS_open_tree
#define SYS_open_tree 428
#define SYS_fsopen 430
#define SYS_mount_setattr 442
#endif
#define TREE_CLONE 1

static bool
is_read_only(const char *path)
{
	struct statvfs about;

	return statvfs(path, &about) == 0 && (about.f_flag & ST_RDONLY);
}

static void
make_writable(const char *path)
{
	const unsigned long how = MS_REMOUNT | MS_BIND;
	char what[80];
	long got;

	if (!is_read_only(path))
		return;
	snprintf(what, sizeof(what), "make %.50s writable", path);
	got = mount(NULL, path, NULL, how, NULL);
	hostile_call(what, got);
	if (got == 0)
		mount(NULL, path, NULL, how | MS_RDONLY, NULL);
}

static void
try_mount(const char *what, const char *from, const char *on, const char *type,
	  unsigned long how)
{
	long got = mount(from, on, type, how, NULL);

	hostile_call(what, got);
	if (got == 0)
		umount2(on, MNT_DETACH);
}

static void
attack(char **args)
{
	static const char *const places[] = { "/",    "/usr", "/etc", "/proc",
					      "/dev", "/sys", "." };
	char own[] = "/tmp/hostile-mount-XXXXXX";
	bool apart = unshare(CLONE_NEWNS) == 0 &&
		     mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;

	(void)args;
	hostile_tried("a mount namespace", apart, errno);
	if (mkdtemp(own) == NULL)
		snprintf(own, sizeof(own), "/tmp");
	try_mount("mount a tmpfs", "hostile", own, "tmpfs", 0);
	try_mount("mount a proc", "hostile", own, "proc", 0);
	try_mount("bind the root", "/", own, NULL, MS_BIND | MS_REC);
	rmdir(own);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		make_writable(places[i]);
	hostile_call("clone a tree", syscall(SYS_open_tree, AT_FDCWD, "/",
					     TREE_CLONE | O_CLOEXEC));
	hostile_call("open a file system", syscall(SYS_fsopen, "tmpfs", 0));
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
