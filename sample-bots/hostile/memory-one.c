/* memory-one.c - takes memory and uses it, in one process.
 *
 * Bound: 1024 MiB, 10 seconds.  A child does it, so that the bot lives to tell
 * where the child was killed. */
#include <sys/mman.h>

#include "hostile.h"

#define MIB 1024
#define SECONDS 10

static _Noreturn void
eat(int report)
{
	for (int i = 0; i < MIB; i++) {
		char *bytes = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (bytes == MAP_FAILED)
			break;
		memset(bytes, 'm', 1 << 20);
		hostile_put(report, "m", 1);
	}
	_exit(0);
}

static void
attack(char **args)
{
	char bytes[256];
	int report[2];
	long count = 0;
	ssize_t n;

	(void)args;
	if (pipe(report) < 0)
		return;
	if (hostile_fork(SECONDS) == 0)
		eat(report[1]);
	close(report[1]);
	while ((n = read(report[0], bytes, sizeof(bytes))) > 0)
		count += n;
	hostile_counted("MiB in one process", count, MIB, 0);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(SECONDS, attack, argv);
}
