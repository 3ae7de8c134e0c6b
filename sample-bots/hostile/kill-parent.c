/* kill-parent.c - kills the process that started it, and its parents, up to the first
 * process of what it sees.
 *
 * Bound: 8 processes, none of them but its own ancestors. */
#include "strangers.h"

#define ANCESTORS 8

/* 0 if it is not to be had. */
static pid_t
parent_of(pid_t pid)
{
	int fd = stranger_open(pid, "stat"), parent = 0;
	char line[512] = "", *behind_name;

	if (fd < 0)
		return 0;
	if (read(fd, line, sizeof(line) - 1) < 0)
		line[0] = '\0';
	close(fd);
	behind_name = strrchr(line, ')');
	if (behind_name != NULL)
		sscanf(behind_name, ") %*c %d", &parent);
	return parent;
}

static void
attack(char **args)
{
	pid_t pid[ANCESTORS];
	int count = 0;

	(void)args;
	for (pid_t at = getppid(); at > 1 && count < ANCESTORS;
	     at = parent_of(at))
		pid[count++] = at;
	if (count == 0)
		hostile_tried("kill its parent", false, 0);
	for (int i = 0; i < count; i++)
		hostile_call("kill an ancestor", kill(pid[i], SIGKILL));
	/* The kernel leaves the first process of a machine alone, and that of
	 * a box, but not one that is neither. */
	kill(1, SIGKILL);
	hostile_nap(50);
	hostile_tried("outlive its parent", count > 0 && getppid() != pid[0],
		      0);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
