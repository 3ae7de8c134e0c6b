/* memory-many.c - takes memory in many processes, none of which takes much.
 *
 * Bound: 24 processes of 64 MiB each (1536 MiB), 10 seconds.  Those that got
 * their share keep it until the others have had their turn. */
#include <sys/mman.h>

#include "hostile.h"

#define PROCESSES 24
#define MIB 64
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
	close(report);
	hostile_stay();
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
	for (int i = 0; i < PROCESSES; i++)
		if (hostile_fork(SECONDS) == 0)
			eat(report[1]);
	close(report[1]);
	while ((n = read(report[0], bytes, sizeof(bytes))) > 0)
		count += n;
	hostile_counted("MiB in many processes", count, PROCESSES * MIB, 0);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(SECONDS, attack, argv);
}
