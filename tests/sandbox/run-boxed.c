/* tests/sandbox/run-boxed.c - runs a program in a sandbox, with our own
 * standard input, output and error.
 *
 *	run-boxed [--tier D|C|B|A] [--folder DIR] [--see PATH]...
 *		[--hide PATH]... [--memory MIB] [--processes N] [--kill]
 *		PROGRAM ARGUMENT...
 *
 *	run-boxed --tell
 *
 * The first form takes the best tier unless --tier is given.  At the end it
 * writes one line to descriptor 3 if that is open, otherwise to standard error:
 * `end STATUS CPU_US PEAK_KIB`, with ` over` if it was killed for its memory,
 * or `failed STEP ERROR`, where STATUS is as of waitpid(2). --kill: it is
 * killed as soon as it runs; else SIGUSR1 does that.
 *
 * The second form prints in one line what this machine allows: the best tier,
 * if boxes can be watched, and the protections of that tier: `B watched tier B:
 * no network, ...`, or `B unwatched ...`. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/sandbox/sandbox.h"
#include "referee/spawner/spawner.h"

struct run {
	struct spawner *spawner;
	struct spawner_child *child;
	bool over, kill;
	int told;
};

static void
on_started(void *arg, pid_t pid)
{
	struct run *run = arg;

	(void)pid;
	if (run->kill)
		spawner_kill(run->spawner, run->child);
}

static void
on_failed(void *arg, const char *step, int error)
{
	struct run *run = arg;

	dprintf(run->told, "failed %s %s\n", step, strerror(error));
	run->over = true;
}

static void
on_ended(void *arg, const struct spawner_end *end)
{
	struct run *run = arg;

	dprintf(run->told, "end %d %llu %llu%s\n", end->status,
		(unsigned long long)end->cpu_us,
		(unsigned long long)end->peak_kib, end->over ? " over" : "");
	run->over = true;
}

static const struct spawner_calls calls = { .started = on_started,
					    .failed = on_failed,
					    .ended = on_ended };

static void
usage(const char *word)
{
	fprintf(stderr, "run-boxed: not understood: %s\n", word);
	exit(2);
}

static enum sandbox_tier
read_tier(const char *word)
{
	for (unsigned i = 0; sandbox_tiers[i] != NULL; i++)
		if (strcmp(word, sandbox_tiers[i]) == 0)
			return i;
	usage(word);
	return SANDBOX_NONE;
}

static unsigned
read_number(const char *word)
{
	char *end;
	unsigned long number = strtoul(word, &end, 10);

	if (*end != '\0')
		usage(word);
	return (unsigned)number;
}

static struct sandbox_box box;
static char *see[64], *hide[64];

/* Returns the index of PROGRAM. */
static int
read_options(int argc, char **argv, struct run *run)
{
	unsigned sees = 0, hides = 0;
	int i;

	box.limits = sandbox_limits_default;
	box.tier = sandbox_probe()->tier;
	box.see = see;
	box.hide = hide;
	for (i = 1; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--kill") == 0) {
			run->kill = true;
			continue;
		}
		if (i + 1 == argc)
			usage(argv[i]);
		if (strcmp(argv[i], "--tier") == 0)
			box.tier = read_tier(argv[++i]);
		else if (strcmp(argv[i], "--folder") == 0)
			box.folder = argv[++i];
		else if (strcmp(argv[i], "--see") == 0 && sees < 63)
			see[sees++] = argv[++i];
		else if (strcmp(argv[i], "--hide") == 0 && hides < 63)
			hide[hides++] = argv[++i];
		else if (strcmp(argv[i], "--memory") == 0)
			box.limits.memory_mib = read_number(argv[++i]);
		else if (strcmp(argv[i], "--processes") == 0)
			box.limits.processes = read_number(argv[++i]);
		else
			usage(argv[i]);
	}
	if (i >= argc)
		usage("no PROGRAM");
	return i;
}

static volatile sig_atomic_t told_to_kill;

static void
on_signal(int number)
{
	(void)number;
	told_to_kill = 1;
}

int
main(int argc, char **argv)
{
	struct run run = { .told = fcntl(3, F_GETFD) < 0 ? 2 : 3 };
	struct spawner_task task = { .box = &box, .fds = { 0, 1, 2 } };
	struct pollfd ready;

	if (argc == 2 && strcmp(argv[1], "--tell") == 0) {
		printf("%s %s %s\n", sandbox_tiers[sandbox_probe()->tier],
		       sandbox_can_watch() ? "watched" : "unwatched",
		       sandbox_probe()->sentence);
		return 0;
	}
	task.argv = argv + read_options(argc, argv, &run);
	run.spawner = spawner_new();
	if (run.spawner == NULL) {
		perror("run-boxed: spawner");
		return 1;
	}
	ready = (struct pollfd){ .fd = spawner_fd(run.spawner),
				 .events = POLLIN };
	signal(SIGUSR1, on_signal);
	run.child = spawner_start(run.spawner, &task, &calls, &run);
	while (run.child != NULL && !run.over) {
		poll(&ready, 1, -1);
		if (told_to_kill)
			spawner_kill(run.spawner, run.child);
		told_to_kill = 0;
		if (spawner_dispatch(run.spawner) < 0)
			break;
	}
	spawner_free(run.spawner);
	return run.over ? 0 : 1;
}
