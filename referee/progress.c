/* referee/progress.c - one line that is drawn over itself. */
#include "referee/progress.h"

#include <inttypes.h>
#include <stdio.h>

void
progress_draw(uint64_t done, uint64_t all, uint64_t us)
{
	double rate = us == 0 ? 0 : (double)done * 1e6 / (double)us;
	uint64_t left;

	fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " games", done, all);
	if (rate > 0) {
		left = (uint64_t)((double)(all - done) / rate + 0.5);
		fprintf(stderr,
			", %.1f a second, %" PRIu64 ":%02" PRIu64 " left", rate,
			left / 60, left % 60);
	}
	fputs("\033[K", stderr);
	fflush(stderr);
}

void
progress_erase(void)
{
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
