/* referee/spawner/bot-usage.c - processor time and memory, as /proc tells them.
 */
#include "referee/spawner/bot-usage.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "protocol/field.h"
#include "protocol/file.h"
#include "referee/sandbox/process-look.h"
#include "referee/sandbox/process-memory.h"

#define DEPTH 8 /* levels of descendants */
#define PROCESSES                                                              \
	512 /* processes looked at for one bot: it may have made many \ */

/* Reads the time of the process itself, by a clock that any user may read. */
static bool
own_time(pid_t pid, uint64_t *us)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 ||
	    clock_gettime(clock, &time) < 0)
		return false;
	*us += (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
	return true;
}

/* Returns the time of the children that it waited for: cutime and cstime,
 * fields 16 and 17, in ticks.  Field 2 is a name in brackets. */
static uint64_t
children_time(pid_t pid)
{
	char text[1024], *name_end;
	uint64_t user, kernel;
	const char *at;

	if (file_peek(text, sizeof(text), "/proc/%d/stat", pid) <= 0)
		return 0;
	name_end = strrchr(text, ')');
	if (name_end == NULL)
		return 0;
	at = field_skip(name_end + 1, 13);
	if (field_number(field_number(at, &user), &kernel) == NULL)
		return 0;
	return (user + kernel) * (1000000 / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* Returns the peak of its memory with its page tables, which VmHWM leaves out. */
static uint64_t
peak_kib(pid_t pid)
{
	char text[4096];

	if (file_peek(text, sizeof(text), "/proc/%d/status", pid) <= 0)
		return 0;
	return process_kib_of(text, "\nVmHWM:") +
	       process_kib_of(text, "\nVmPTE:");
}

/* Adds one process without its descendants. */
static bool
add_own(pid_t pid, struct bot_usage *usage)
{
	uint64_t peak;

	if (!own_time(pid, &usage->cpu_us))
		return false;
	peak = peak_kib(pid);
	if (peak > usage->peak_kib)
		usage->peak_kib = peak;
	return true;
}

/* Adds a process and its descendants.  The first `ours` generations are not the
 * bot's, but children that the last of them waited for are. */
static bool
add(pid_t pid, unsigned ours, unsigned depth, unsigned *count,
    struct bot_usage *usage)
{
	pid_t child[PROCESSES];
	unsigned n;

	if (++*count > PROCESSES || (ours == 0 && !add_own(pid, usage)))
		return false;
	if (ours <= 1)
		usage->cpu_us += children_time(pid);
	n = depth == 0 ? 0 : proc_children(pid, pid, child, PROCESSES);
	for (unsigned i = 0; i < n; i++)
		(void)!add(child[i], ours > 0 ? ours - 1 : 0, depth - 1, count,
			   usage);
	return true;
}

bool
bot_usage_of(pid_t pid, bool boxed, struct bot_usage *usage)
{
	unsigned count = 0;

	*usage = (struct bot_usage){ .cpu_us = 0 };
	return add(pid, boxed ? BOT_BOX_PROCESSES : 0, DEPTH, &count, usage);
}
