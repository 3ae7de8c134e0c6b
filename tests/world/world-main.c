/* tests/world/world-main.c - runs scenarios of seeds, life after life.
 *
 * world [--calm] [--keep] [--trace] SEED [LAST]: prints a line for each seed: what
 * happened, and a hash of all that did.  The same seed prints the same line. */
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/sandbox/sandbox.h"
#include "tests/seeded/seeded.h"
#include "tests/world/check.h"
#include "tests/world/kernel.h"
#include "tests/world/life.h"
#include "tests/world/scenario.h"
#include "tests/world/world-disk.h"

/* The first life begins at this time; 2027-01-15, 08:00 UTC. */
#define BEGIN_US UINT64_C(1000000000)
#define BEGIN_MS INT64_C(1800000000000)
#define LIFE_MS INT64_C(7200000) /* between the beginnings of two lives */

static struct {
	bool calm, keep, trace;
} options;

static int
remove_one(const char *path, const struct stat *st UNUSED, int type UNUSED,
	   struct FTW *at UNUSED)
{
	return remove(path);
}

static void
prepare(const struct scenario *scenario, FILE *trace)
{
	kernel_begin(scenario->seed, BEGIN_US, BEGIN_MS, trace);
	/* Output of commands belongs to the trace. */
	dup2(fileno(trace), STDOUT_FILENO);
	dup2(fileno(trace), STDERR_FILENO);
	setenv("CHECK_SEED", "world", 1);
	seeded_begin("prepare");
	scenario_prepare(scenario);
	fflush(NULL);
	_exit(0);
}

/* Runs one life, or (`number` -1) prepares the first.  Returns its exit status. */
static int
run_life(const struct scenario *scenario, int number, FILE *trace)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0 && number < 0)
		prepare(scenario, trace);
	if (pid == 0)
		life_live(scenario, (unsigned)number, options.calm,
			  BEGIN_US + (uint64_t)number * LIFE_MS * 1000,
			  BEGIN_MS + number * LIFE_MS, trace);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 255;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool
is_good(int status)
{
	if (WIFSIGNALED(status))
		fprintf(stderr, "world: the invariants end by signal %d\n",
			WTERMSIG(status));
	return status == 0;
}

/* Says what does not hold after a life, in a process of its own. */
static bool
is_sound(const struct scenario *scenario, bool stopped)
{
	const char *honest[SCENARIO_BOTS + 1];
	struct world_checked checked;
	struct promises promises;
	struct error why;
	unsigned i, n = 0;
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid != 0)
		return pid > 0 && waitpid(pid, &status, 0) == pid &&
		       is_good(status);
	for (i = 0; i < scenario->bots; i++)
		if (strcmp(scenario->bot[i].nature, "honest") == 0)
			honest[n++] = scenario->bot[i].name;
	honest[n] = NULL;
	if (promises_read(SCENARIO_PROMISES, &promises, &why) < 0) {
		fprintf(stderr, "world: %s\n", why.text);
		_exit(1);
	}
	n = world_check(&(struct world_check){ .data = SCENARIO_DATA,
					       .copy = SCENARIO_COPY,
					       .promises = &promises,
					       .honest = honest,
					       .log = SCENARIO_TRACE,
					       .stopped = stopped,
					       .out = stderr },
			&checked);
	_exit(n > 0);
}

/* Hashes the lines of a trace, in which the folder of the scenario has another name each
 * time. */
static void
print_hash(const char *path, const char *folder)
{
	unsigned char hash[8], whole[16];
	crypto_generichash_state state;
	FILE *file = fopen(path, "r");
	char *line = NULL, *at;
	size_t room = 0;

	crypto_generichash_init(&state, NULL, 0, sizeof(whole));
	while (file != NULL && getline(&line, &room, file) >= 0) {
		while ((at = strstr(line, folder)) != NULL)
			memset(at, '_', strlen(folder));
		crypto_generichash_update(&state, (unsigned char *)line,
					  strlen(line));
	}
	if (file != NULL)
		fclose(file);
	free(line);
	crypto_generichash_final(&state, whole, sizeof(whole));
	memcpy(hash, whole, sizeof(hash));
	for (size_t i = 0; i < sizeof(hash); i++)
		printf("%02x", hash[i]);
}

static bool
run_seed(uint64_t seed)
{
	struct scenario scenario;
	char folder[] = "/dev/shm/world-XXXXXX", path[200];
	bool good = true;
	FILE *trace;
	int status;

	if (mkdtemp(folder) == NULL || chdir(folder) < 0)
		return false;
	scenario_draw(&scenario, seed, options.calm);
	snprintf(path, sizeof(path), "%s/trace", folder);
	trace = fopen(path, "a");
	printf("seed %lu:", (unsigned long)seed);
	good = trace != NULL && run_life(&scenario, -1, trace) == 0;
	if (good)
		scenario_tokens(&scenario);
	for (unsigned life = 0; good && life < scenario.lives; life++) {
		status = run_life(&scenario, (int)life, trace);
		printf(" %d", status);
		good = (status == 0 || status == WORLD_FAILED ||
			status == WORLD_KILLED || status == WORLD_REFUSED ||
			(status == WORLD_CUT &&
			 world_disk_next(SCENARIO_DATA, SCENARIO_NEXT))) &&
		       is_sound(&scenario, status == 0);
	}
	if (trace != NULL)
		fclose(trace);
	printf(" trace ");
	print_hash(path, folder);
	printf(good ? "\n" : " FAILED, see %s\n", path);
	if (good && !options.keep)
		nftw(folder, remove_one, 32, FTW_DEPTH | FTW_PHYS);
	return good;
}

int
main(int argc, char **argv)
{
	uint64_t seed, last;
	bool good = true;
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		options.calm |= strcmp(argv[i], "--calm") == 0;
		options.keep |= strcmp(argv[i], "--keep") == 0;
		options.trace |= strcmp(argv[i], "--trace") == 0;
	}
	if (i == argc || sodium_init() < 0)
		return 2;
	seed = strtoul(argv[i], NULL, 10);
	last = i + 1 < argc ? strtoul(argv[i + 1], NULL, 10) : seed;
	sandbox_probe(); /* it starts real processes */
	for (; seed <= last; seed++)
		good &= run_seed(seed);
	return good ? 0 : 1;
}
