/* referee/web/report-file.c - see report-file.h. */
#include "referee/web/report-file.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "protocol/file.h"

/* ---- signals ---------------------------------------------------------- */

static void
fill_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

int
report_hold_signals(void)
{
	sigset_t set;
	int fd;

	fill_set(&set);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (fd < 0)
		bug("cannot make a signalfd: %s", strerror(errno));
	return fd;
}

void
report_let_signals(void)
{
	sigset_t set;

	fill_set(&set);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int
report_go_on(int stop, struct error *why)
{
	struct pollfd ready = { .fd = stop, .events = POLLIN };

	if (poll(&ready, 1, 0) <= 0)
		return 0;
	return error_set(why, ERROR_MACHINE,
			 "the report was stopped by a signal");
}

/* ---- the file --------------------------------------------------------- */

int
report_file_check(const char *path, struct error *why)
{
	struct stat st;

	if (strcmp(path, REPORT_STDOUT) == 0 || lstat(path, &st) < 0)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "%.4000s exists; remove it, or give another name",
			 path);
}

int
report_file_write(const char *path, const struct text *text, int stop,
		  struct error *why)
{
	if (report_go_on(stop, why) < 0)
		return -1;
	if (strcmp(path, REPORT_STDOUT) == 0) {
		if (file_write(STDOUT_FILENO, text->bytes, text->used) == 0)
			return 0;
		return error_set(why, ERROR_MACHINE,
				 "cannot write standard output: %s",
				 strerror(errno));
	}
	if (file_make(path, 0, text->bytes, text->used) < 0)
		return error_set(why, path_kind(errno),
				 "cannot write %.4000s: %s", path,
				 strerror(errno));
	/* The file is ours, because it was not there before. */
	if (report_go_on(stop, why) == 0)
		return 0;
	unlink(path);
	return -1;
}
