/* setuid.c - becomes somebody else: by setuid programs of the system, by one
 * that it makes, by asking.
 *
 * Bound: what it runs as somebody else is `id`. */
#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "hostile.h"

/* Returns true if a program that is run with these arguments exits with 0. */
static bool
runs(char *const argv[])
{
	pid_t pid = hostile_fork(5);

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execv(argv[0], argv);
		_exit(127);
	}
	return hostile_wait(pid) == 0;
}

static bool
becomes(uid_t user)
{
	pid_t pid = hostile_fork(5);

	if (pid == 0)
		_exit(setgroups(0, NULL) < 0 || setuid(user) < 0);
	return hostile_wait(pid) == 0;
}

/* Makes a shell that runs as its owner for every user; returns true if it did. */
static bool
makes_setuid(const char *folder)
{
	char path[200];
	int fd;
	bool got;

	snprintf(path, sizeof(path), "%.100s/hostile-setuid", folder);
	fd = open(path, O_WRONLY | O_CREAT, 0700);
	got = fd >= 0 && fchown(fd, 0, 0) == 0 && fchmod(fd, 04755) == 0;
	if (fd >= 0)
		close(fd);
	unlink(path);
	return got;
}

/* The capabilities that would be worth something. */
static bool
has_capabilities(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	unsigned long long held = 0;
	char line[256];

	while (status != NULL && fgets(line, sizeof(line), status) != NULL)
		sscanf(line, "CapEff: %llx", &held);
	if (status != NULL)
		fclose(status);
	return held != 0;
}

static void
attack(char **args)
{
	char id[] = "/usr/bin/id", su[] = "/bin/su", sudo[] = "/usr/bin/sudo";
	char n[] = "-n", c[] = "-c", word[] = "id";
	char *const by_su[] = { su, c, word, NULL };
	char *const by_sudo[] = { sudo, n, id, NULL };

	(void)args;
	hostile_tried("su", runs(by_su), 0);
	hostile_tried("sudo", runs(by_sudo), 0);
	hostile_tried("become root", getuid() != 0 && becomes(0), 0);
	hostile_tried("become nobody", becomes(65534), 0);
	hostile_tried("be root", geteuid() == 0, 0);
	hostile_tried("capabilities", has_capabilities(), 0);
	hostile_tried("a setuid program of root's", makes_setuid("/tmp"), 0);
	hostile_tried("new privileges by exec",
		      prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1, 0);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
