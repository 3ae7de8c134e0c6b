/* devices.c - opens devices: memory, disks, terminals, virtual machines; and
 * makes one where there is none.
 *
 * Bound: nothing is read or written. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "hostile.h"

static const char *const devices[] = {
	"/dev/mem",
	"/dev/kmsg",
	"/dev/port",
	"/dev/kvm",
	"/dev/fuse",
	"/dev/net/tun",
	"/dev/sda",
	"/dev/vda",
	"/dev/nvme0n1",
	"/dev/mapper/control",
	"/dev/loop0",
	"/dev/loop-control",
	"/dev/console",
	"/dev/tty0",
	"/dev/vhost-net",
	"/dev/uinput",
	"/dev/rtc0",
	"/dev/dri/card0",
	"/proc/sysrq-trigger",
	"/proc/sys/kernel/core_pattern",
	"/proc/sys/kernel/randomize_va_space",
	"/proc/self/oom_score_adj",
	"/sys/power/state",
	"/sys/kernel/mm/transparent_hugepage/enabled",
};

/* A disk made by its number.  Debian's sda and virtio's first. */
static void
make_disk(const char *folder, unsigned major)
{
	char path[200];

	snprintf(path, sizeof(path), "%.100s/hostile-disk", folder);
	hostile_call("make a disk",
		     mknod(path, S_IFBLK | 0600, makedev(major, 0)));
	unlink(path);
}

static void
attack(char **args)
{
	(void)args;
	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++) {
		int fd = open(devices[i], O_WRONLY | O_NONBLOCK | O_NOCTTY);

		/* The bot may raise its own score, but not lower it. */
		if (fd >= 0 && strstr(devices[i], "oom") != NULL)
			hostile_call("a lower oom_score_adj",
				     write(fd, "-1000", 5));
		else
			hostile_call(devices[i], fd);
		if (fd >= 0)
			close(fd);
	}
	make_disk("/tmp", 8);
	make_disk("/dev", 254);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
