/* environment.c - looks for what was left lying about when it was started:
 * variables, open descriptors, a terminal, the arguments of its first process.
 *
 * Bound: it only looks. */
#include <dirent.h>
#include <fcntl.h>

#include "hostile.h"

extern char **environ;

/* A bot is meant to have these variables. */
static const char *const harmless[] = {
	"PATH=", "HOME=",  "LANG=", "USER=",	"TMPDIR=",
	"PWD=",	 "SHLVL=", "_=",    "REFEREE_",
};

static bool
is_harmless(const char *variable)
{
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
		if (strncmp(variable, harmless[i], strlen(harmless[i])) == 0)
			return true;
	return false;
}

static void
tell_variables(void)
{
	long count = 0;

	for (char **at = environ; *at != NULL; at++) {
		if (is_harmless(*at))
			continue;
		hostile_say("variable %.*s: got it", (int)strcspn(*at, "="),
			    *at);
		count++;
	}
	if (count == 0)
		hostile_tried("other variables", false, 0);
}

static void
tell_descriptors(void)
{
	long count = 0;

	for (int fd = 3; fd < 4096; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			continue;
		hostile_say("descriptor %d: got it", fd);
		count++;
	}
	if (count == 0)
		hostile_tried("other descriptors", false, 0);
}

/* The starter of the box may have told it more than the bot. */
static void
tell_first_process(void)
{
	int fd = open("/proc/1/environ", O_RDONLY);
	char bytes[4096];
	ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));

	if (getpid() == 1)
		n = -1; /* it is us */
	hostile_tried("environment of process 1", n > 0, errno);
}

static void
attack(char **args)
{
	(void)args;
	tell_variables();
	tell_descriptors();
	tell_first_process();
	hostile_call("open the terminal", open("/dev/tty", O_RDWR));
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
