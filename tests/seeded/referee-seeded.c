/* tests/seeded/referee-seeded.c - makes a program of the product draw from
 * CHECK_SEED, when it is linked with this.
 *
 * Each process needs a stream of its own: otherwise two daemons would draw the
 * same IDs.  CHECK_LIVES names a file that gets a byte from each process that
 * begins; the length of the file then names the stream.  Processes that cannot
 * write there have streams that do not repeat. */
#include "tests/seeded/seeded.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static long
count_lives(void)
{
	const char *path = getenv("CHECK_LIVES");
	long count = -1;
	int fd;

	fd = path == NULL ? -1 : open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (write(fd, ".", 1) == 1)
		count = (long)lseek(fd, 0, SEEK_CUR);
	close(fd);
	return count;
}

__attribute__((constructor)) static void
begin_seeded(void)
{
	char name[64];
	long life = count_lives();

	snprintf(name, sizeof(name), "%s %ld", life < 0 ? "process" : "life",
		 life < 0 ? (long)getpid() : life);
	seeded_begin(name);
}
