/* referee/spawner/core.c - see core.h. */
#include "protocol/file.h"
#include "referee/spawner/core.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DEPTH 8	    /* of descendants: bubblewrap and its first process too */
#define THREADS 512 /* looked at for one bot */

static cpu_set_t all;
static bool known;

static void
remember_all(void)
{
	known = known || sched_getaffinity(0, sizeof(all), &all) == 0;
}

static void
only(int core, cpu_set_t *set)
{
	CPU_ZERO(set);
	CPU_SET(core, set);
}

void
core_stay(int core)
{
	cpu_set_t one;

	remember_all();
	only(core, &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
}

static void set_process(pid_t pid, const cpu_set_t *set, unsigned depth,
			unsigned *count);

static void
set_children(const char *path, const cpu_set_t *set, unsigned depth,
	     unsigned *count)
{
	char list[4096], *at = list, *end;
	long child;

	file_peek(path, list, sizeof(list));
	for (; (child = strtol(at, &end, 10)) > 0 && end > at; at = end)
		set_process((pid_t)child, set, depth - 1, count);
}

static void
set_process(pid_t pid, const cpu_set_t *set, unsigned depth, unsigned *count)
{
	char path[64];
	struct dirent *entry;
	DIR *tasks;
	long thread;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = depth == 0 ? NULL : opendir(path);
	if (tasks == NULL)
		return;
	while (*count < THREADS && (entry = readdir(tasks)) != NULL) {
		thread = strtol(entry->d_name, NULL, 10);
		if (thread <= 0)
			continue;
		++*count;
		/* One that is not ours to move stays where it is. */
		(void)sched_setaffinity((pid_t)thread, sizeof(*set), set);
		snprintf(path, sizeof(path), "/proc/%d/task/%ld/children",
			 (int)pid, thread);
		set_children(path, set, depth, count);
	}
	closedir(tasks);
}

void
core_set(pid_t pid, int core)
{
	cpu_set_t one;
	unsigned count = 0;

	remember_all();
	if (core >= 0)
		only(core, &one);
	set_process(pid, core >= 0 ? &one : &all, DEPTH, &count);
}
