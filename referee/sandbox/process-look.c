/* referee/sandbox/process-look.c - down the tree of /proc/PID/task/TID/children. */
#include "referee/sandbox/process-look.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/field.h"
#include "protocol/file.h"
#include "referee/sandbox/process-memory.h"

/* Returns the state from a `stat` file: the word behind the last bracket, as in
 * "12 (a) b) S 1 …"; '\0' if the process is gone. */
static char
state_of(pid_t pid, pid_t thread)
{
	char text[1024];
	const char *at;

	if (file_peek(text, sizeof(text), "/proc/%d/task/%d/stat", pid,
		      thread) <= 0)
		return '\0';
	at = strrchr(text, ')');
	return at == NULL || at[1] == '\0' ? '\0' : at[2];
}

char
proc_state(pid_t pid)
{
	return state_of(pid, pid);
}

static void
look_at_state(pid_t pid, struct proc_look *look)
{
	const char state = proc_state(pid);

	look->processes += state != '\0' && state != 'Z';
	look->stopped += state == 'T';
}

static void
look_at_memory(pid_t pid, struct proc_look *look)
{
	char text[4096];
	uint64_t pages, shared;
	uint64_t kib = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;

	if (file_peek(text, sizeof(text), "/proc/%d/statm", pid) > 0 &&
	    field_number(field_number(field_skip(text, 1), &pages), &shared) !=
		    NULL) {
		look->memory_kib += pages * kib;
		if (pages > shared)
			look->own_kib += (pages - shared) * kib;
	}
	/* Page tables are not counted as pages. */
	if (file_peek(text, sizeof(text), "/proc/%d/status", pid) > 0)
		look->own_kib += process_kib_of(text, "\nVmPTE:");
}

unsigned
proc_children(pid_t pid, pid_t thread, pid_t child[], unsigned max)
{
	char text[4096], *at = text, *end;
	unsigned count = 0;
	long number;

	if (file_peek(text, sizeof(text), "/proc/%d/task/%d/children", pid,
		      thread) <= 0)
		return 0;
	for (; count < max; at = end) {
		number = strtol(at, &end, 10);
		if (end == at)
			break;
		child[count++] = (pid_t)number;
	}
	return count;
}

void
proc_walk(pid_t pid, proc_seen *seen, void *arg)
{
	/* `all` holds the processes that were looked at, then those still to be
	 * looked at. */
	pid_t *all = memory(NULL, PROC_LOOK_MAX * sizeof(*all)), thread;
	const struct dirent *entry;
	unsigned count = 0, i;
	char path[64];
	DIR *folder;
	bool more = true;

	all[count++] = pid;
	for (i = 0; more && i < count; i++) {
		snprintf(path, sizeof(path), "/proc/%d/task", (int)all[i]);
		folder = opendir(path);
		if (folder == NULL)
			continue;
		while (more && (entry = readdir(folder)) != NULL) {
			thread = (pid_t)strtol(entry->d_name, NULL, 10);
			if (thread <= 0)
				continue;
			more = seen(arg, all[i], thread);
			count += proc_children(all[i], thread, all + count,
					       PROC_LOOK_MAX - count);
		}
		closedir(folder);
	}
	free(all);
}

static bool
look_at_thread(void *arg, pid_t pid, pid_t thread)
{
	struct proc_look *look = arg;

	if (thread == pid) {
		look_at_state(pid, look);
		look_at_memory(pid, look);
	}
	look->threads++;
	look->running += state_of(pid, thread) == 'R';
	return true;
}

void
proc_look(pid_t pid, struct proc_look *look)
{
	memset(look, 0, sizeof(*look));
	if (pid > 0)
		proc_walk(pid, look_at_thread, look);
}

unsigned
proc_orphans(pid_t pid)
{
	struct proc_look look = { 0 };
	pid_t child[64];
	unsigned count;

	if (pid <= 0 || proc_children(pid, pid, child, 1) == 0)
		return 0;
	count = proc_children(child[0], child[0], child, NELEM(child));
	for (unsigned i = 0; i < count; i++)
		look_at_state(child[i],
			      &look); /* dead processes do not count */
	return look.processes > 1 ? (unsigned)look.processes - 1 : 0;
}
