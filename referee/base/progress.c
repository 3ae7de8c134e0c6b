/* referee/base/progress.c - draws one line over itself. */
#include "referee/base/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "protocol/error.h"

#define COLUMNS_DEFAULT 80

void
progress_write(char to[PROGRESS_BYTES], uint64_t done, uint64_t all,
	       uint64_t us, const char *more, unsigned columns)
{
	double rate = us == 0 ? 0 : (double)done * 1e6 / (double)us;
	uint64_t left;
	int n;

	if (all > 0)
		n = snprintf(to, PROGRESS_BYTES, "%" PRIu64 " of %s", done,
			     counted(all, "game").text);
	else
		n = snprintf(to, PROGRESS_BYTES, "%s",
			     counted(done, "game").text);
	if (rate > 0)
		n += snprintf(to + n, PROGRESS_BYTES - (size_t)n,
			      ", %.1f a second", rate);
	if (rate > 0 && all > 0) {
		left = (uint64_t)((double)(all - done) / rate + 0.5);
		n += snprintf(to + n, PROGRESS_BYTES - (size_t)n,
			      ", %" PRIu64 ":%02" PRIu64 " left", left / 60,
			      left % 60);
	}
	if (*more != '\0')
		snprintf(to + n, PROGRESS_BYTES - (size_t)n, ", %s", more);
	/* Some terminals begin a new line in the last column. */
	if (strlen(to) >= columns)
		to[columns - 1] = '\0';
}

static unsigned
terminal_columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return COLUMNS_DEFAULT;
	return size.ws_col;
}

void
progress_draw(uint64_t done, uint64_t all, uint64_t us, const char *more)
{
	char line[PROGRESS_BYTES];

	progress_write(line, done, all, us, more, terminal_columns());
	fprintf(stderr, "\r%s\033[K", line);
	fflush(stderr);
}

void
progress_erase(void)
{
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
