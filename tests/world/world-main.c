/* tests/world/world-main.c - runs scenarios of seeds, life after life.
 *
 * world [--calm|--day] [--keep] [SEED [LAST]]: prints a line of TAP for each seed: how
 * each life ended (enum world_end), and a hash of all that happened.  A seed prints the
 * same line each time; that, too, is tested.  Without a SEED it runs WORLD_SCENARIOS
 * (or as many as the environment says by this name) that CHECK_SEED decides.
 *
 * --keep keeps the files of scenarios that did not fail, too.  --calm and --day are the
 * other kinds of scenarios (scenario.h). */
#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/text.h"
#include "referee/base/command.h"
#include "referee/sandbox/sandbox.h"
#include "tests/seeded/seeded.h"
#include "tests/world/check.h"
#include "tests/world/kernel.h"
#include "tests/world/life.h"
#include "tests/world/moves.h"
#include "tests/world/rare.h"
#include "tests/world/scenario.h"
#include "tests/world/world-disk.h"

#define MEMORY_BYTES (UINT64_C(2) << 30)
#define LIFE_CPU_S 1800
#define LIFE_REAL_S 3600
#define WORLD_SCENARIOS 20
#define CALM_EACH 10 /* one seed of so many is calm, unless a kind is chosen */
#define SEEDS_EACH 100000 /* scenarios of one CHECK_SEED */

/* The first life begins at this time. */
#define BEGIN_US UINT64_C(1000000000)
#define BEGIN_MS (SCENARIO_BEGIN_S * 1000)
#define LIFE_MS INT64_C(1000) * SCENARIO_LIFE_S

static struct {
	enum scenario_kind kind;
	bool keep;
} options;

/* A file without a name: all processes of a scenario say there what is wrong. */
static int wrong = -1;

/* The options that choose a kind, with the space before them. */
static const char *const kinds[] = { "", " --calm", " --day" };

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

/* A life that goes round in circles ends, and one that waits for ever, and one whose
 * supervisor ends.  Its standard error is told below the line of its seed. */
static void
bound(void)
{
	const struct rlimit cpu = { .rlim_cur = LIFE_CPU_S,
				    .rlim_max = LIFE_CPU_S };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CPU, &cpu);
	alarm(LIFE_REAL_S);
	dup2(wrong, STDERR_FILENO);
}

/* Runs one life, or (`number` -1) prepares the first.  Returns its exit status. */
static int
run_life(const struct scenario *scenario, int number, FILE *trace)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		bound();
	if (pid == 0 && number < 0)
		prepare(scenario, trace);
	if (pid == 0)
		life_live(scenario, (unsigned)number,
			  BEGIN_US + (uint64_t)number * LIFE_MS * 1000,
			  BEGIN_MS + number * LIFE_MS, trace);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 255;
	if (WIFSIGNALED(status))
		dprintf(wrong, "world: life %d ended by signal %d (%s)\n",
			number, WTERMSIG(status), strsignal(WTERMSIG(status)));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool
is_good(int status)
{
	if (WIFSIGNALED(status))
		dprintf(wrong, "world: the invariants end by signal %d\n",
			WTERMSIG(status));
	return status == 0;
}

/* An upload has the name of its bot, and perhaps a `.` and a number. */
static const char *
owner_of(void *arg, const char *bot)
{
	const struct scenario *scenario = arg;
	const size_t n = strcspn(bot, ".");

	for (unsigned i = 0; i < scenario->bots; i++)
		if (strlen(scenario->bot[i].name) == n &&
		    strncmp(scenario->bot[i].name, bot, n) == 0)
			return scenario->bot[i].owner;
	return "";
}

static bool
has_many_seats(void *arg, const char *ladder)
{
	const struct scenario *scenario = arg;

	for (unsigned i = 0; i < scenario->ladders; i++)
		if (strcmp(scenario->ladder[i].name, ladder) == 0)
			return scenario->ladder[i].seats > 2;
	return false;
}

/* Says what does not hold after a life, in a process of its own. */
static bool
is_sound(const struct scenario *scenario, bool stopped)
{
	const struct check_rules rules = {
		.uploads = scenario->uploads,
		.trials = scenario->trials,
		.owner = owner_of,
		.many = has_many_seats,
		.arg = (void *)(uintptr_t)scenario,
	};
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
	bound();
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
					       .rules = &rules,
					       .stopped = stopped,
					       .out = stderr },
			&checked);
	_exit(n > 0);
}

static void
hash_file(crypto_generichash_state *state, const char *path, const char *folder)
{
	FILE *file = fopen(path, "r");
	char *line = NULL, *at;
	size_t room = 0;

	while (file != NULL && getline(&line, &room, file) >= 0) {
		while ((at = strstr(line, folder)) != NULL)
			memmove(at, at + strlen(folder),
				strlen(at + strlen(folder)) + 1);
		crypto_generichash_update(state, (unsigned char *)line,
					  strlen(line));
	}
	if (file != NULL)
		fclose(file);
	free(line);
}

/* Hashes the lines of the trace and of the promises, without the scenario's folder: it
 * has another name each time, in /dev/shm or elsewhere. */
static void
print_hash(FILE *to, const char *folder)
{
	unsigned char hash[8], whole[16];
	crypto_generichash_state state;

	crypto_generichash_init(&state, NULL, 0, sizeof(whole));
	hash_file(&state, SCENARIO_TRACE, folder);
	hash_file(&state, SCENARIO_PROMISES, folder);
	crypto_generichash_final(&state, whole, sizeof(whole));
	memcpy(hash, whole, sizeof(hash));
	for (size_t i = 0; i < sizeof(hash); i++)
		fprintf(to, "%02x", hash[i]);
}

/* Runs all lives.  Writes how they ended, and the hash, to `told`. */
static bool
run_lives(struct scenario *scenario, FILE *told)
{
	FILE *trace = fopen(SCENARIO_TRACE, "a");
	bool good = trace != NULL && run_life(scenario, -1, trace) == 0;
	int status;

	if (good)
		scenario_tokens(scenario);
	for (unsigned life = 0; good && life < scenario->lives; life++) {
		status = run_life(scenario, (int)life, trace);
		fprintf(told, " %d", status);
		good = (status == 0 || status == WORLD_FAILED ||
			status == WORLD_KILLED || status == WORLD_REFUSED ||
			(status == WORLD_CUT &&
			 world_disk_next(SCENARIO_DATA, SCENARIO_NEXT))) &&
		       is_sound(scenario, status == 0);
	}
	if (trace != NULL)
		fclose(trace);
	return good && moves_hold(scenario->rare, wrong);
}

/* Makes a folder, in memory if there is much. */
static char *
make_folder(void)
{
	const char *root = getenv("TMPDIR");
	struct statvfs memory;
	char *folder;

	if (statvfs("/dev/shm", &memory) == 0 &&
	    (uint64_t)memory.f_bavail * memory.f_frsize >= MEMORY_BYTES &&
	    access("/dev/shm", W_OK) == 0)
		root = "/dev/shm";
	folder = formatted("%s/world-XXXXXX", root == NULL ? "/tmp" : root);
	if (mkdtemp(folder) == NULL || chdir(folder) < 0)
		bug("cannot make %s: %s", folder, strerror(errno));
	return folder;
}

static enum scenario_kind
kind_of(uint64_t seed)
{
	return options.kind == SCENARIO_WILD && seed % CALM_EACH == 0
		       ? SCENARIO_CALM
		       : options.kind;
}

/* Writes as comments what is wrong with a scenario. */
static void
write_wrong(FILE *to)
{
	FILE *file = fdopen(dup(wrong), "r");
	char *line = NULL;
	size_t room = 0;

	if (file == NULL)
		bug("cannot read what is wrong: %s", strerror(errno));
	rewind(file);
	while (getline(&line, &room, file) >= 0)
		fprintf(to, "# %.*s\n", (int)strcspn(line, "\n"), line);
	free(line);
	fclose(file);
}

/* Runs the scenario of a seed in a folder of its own, which it removes if all is well.
 * Writes what is told of it to `*told`, and comments that follow this line to
 * `*comments`, both owned by the caller. */
static bool
run_seed(uint64_t seed, char **told, char **comments)
{
	struct scenario scenario;
	char *folder = make_folder(), *program;
	size_t bytes;
	FILE *to = open_memstream(told, &bytes);
	FILE *below = open_memstream(comments, &bytes);
	bool good;

	if (to == NULL || below == NULL || ftruncate(wrong, 0) < 0 ||
	    lseek(wrong, 0, SEEK_SET) < 0)
		bug("cannot tell of a seed: %s", strerror(errno));
	fprintf(to, "seed %" PRIu64 ": lives", seed);
	scenario_draw(&scenario, seed, kind_of(seed));
	rare_words = scenario.rare;
	good = run_lives(&scenario, to);
	fprintf(to, " trace ");
	print_hash(to, folder);
	fclose(to);
	if (!good) {
		write_wrong(below);
		program = realpath("/proc/self/exe", NULL);
		fprintf(below,
			"# files: %s\n# again: %s --keep%s %" PRIu64 "\n",
			folder, program, kinds[options.kind], seed);
		free(program);
	}
	fclose(below);
	if (chdir("/") < 0)
		bug("cannot leave a folder: %s", strerror(errno));
	if (good && !options.keep)
		nftw(folder, remove_one, 32, FTW_DEPTH | FTW_PHYS);
	free(folder);
	return good;
}

/* Prints a line of TAP, and the comments on it. */
static bool
tell(bool good, const char *what, const char *comments)
{
	static unsigned number;

	printf("%sok %u - %s\n%s", good ? "" : "not ", ++number, what,
	       comments);
	fflush(stdout);
	return good;
}

static bool
run_seeds(uint64_t seed, uint64_t last)
{
	char *first = NULL, *again, *told, *comments;
	const uint64_t begin = seed;
	bool good = true, lived;

	printf("1..%" PRIu64 "\n", last - seed + 2);
	for (; seed <= last; seed++) {
		lived = run_seed(seed, &told, &comments);
		good &= tell(lived, told, comments);
		free(comments);
		if (first == NULL)
			first = told;
		else
			free(told);
	}
	run_seed(begin, &again, &comments);
	lived = strcmp(first, again) == 0;
	good &= tell(lived, "the first seed, once more", comments);
	if (!lived)
		printf("# %s\n# %s\n", first, again);
	free(comments);
	free(first);
	free(again);
	return good;
}

/* Does once what would cost each life, or cannot be done in it. */
static void
warm(void)
{
	sandbox_probe(); /* it starts real processes */
	/* One fiber runs at a time: heaps of their own would cost pages alone. */
	mallopt(M_ARENA_MAX, 1);
	/* The one that referee/import/archive.c loads.  It brings many others. */
	dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
}

static uint64_t
environment_number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text == NULL || *text == '\0' ? otherwise
					     : strtoull(text, NULL, 10);
}

int
main(int argc, char **argv)
{
	uint64_t seed, last;
	size_t kind;
	bool known, good;
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		known = strcmp(argv[i], "--keep") == 0;
		options.keep |= known;
		for (kind = 1; kind < NELEM(kinds); kind++)
			if (strcmp(argv[i], kinds[kind] + 1) == 0) {
				options.kind = (enum scenario_kind)kind;
				known = true;
			}
		if (!known)
			return complain_usage("there is no option %s",
					      quoted(argv[i]).text);
	}
	if (i == argc) {
		seed = environment_number("CHECK_SEED", 1) * SEEDS_EACH;
		last = seed +
		       environment_number("WORLD_SCENARIOS", WORLD_SCENARIOS) -
		       1;
	} else if (strspn(argv[i], "0123456789") != strlen(argv[i])) {
		return complain_usage("%s is not a seed", quoted(argv[i]).text);
	} else {
		seed = strtoull(argv[i], NULL, 10);
		last = i + 1 < argc ? strtoull(argv[i + 1], NULL, 10) : seed;
	}
	if (sodium_init() < 0 || last < seed)
		return EXIT_USAGE;
	wrong = memfd_create("wrong", MFD_CLOEXEC);
	if (wrong < 0)
		bug("cannot make a file: %s", strerror(errno));
	warm();
	moves_begin();
	good = run_seeds(seed, last);
	moves_end();
	return good ? EXIT_DONE : EXIT_NEGATIVE;
}
