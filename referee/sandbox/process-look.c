/* referee/sandbox/process-look.c - down the tree of /proc/PID/task/TID/children. */
#include "referee/sandbox/process-look.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/field.h"
#include "protocol/file.h"
#include "protocol/util.h"
#include "referee/sandbox/process-memory.h"

struct walk {
	pid_t *pid; /* owned; those that are yet to be looked at, and were */
	unsigned count;
	struct proc_look *look;
};

/* It is the word behind the last bracket: "12 (a) b) S 1 …"; '\0': gone. */
static char
state_in(const char *path)
{
	char text[1024];
	const char *at;

	if (file_peek(path, text, sizeof(text)) <= 0)
		return '\0';
	at = strrchr(text, ')');
	return at == NULL || at[1] == '\0' ? '\0' : at[2];
}

static void
look_at_state(pid_t pid, struct proc_look *look)
{
	char path[64], state;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	state = state_in(path);
	look->processes += state != '\0' && state != 'Z';
	look->stopped += state == 'T';
}

static void
look_at_memory(pid_t pid, struct proc_look *look)
{
	char path[64], text[4096];
	uint64_t pages, shared;
	uint64_t kib = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	if (file_peek(path, text, sizeof(text)) > 0 &&
	    field_number(field_number(field_skip(text, 1), &pages), &shared) !=
		    NULL) {
		look->memory_kib += pages * kib;
		if (pages > shared)
			look->own_kib += (pages - shared) * kib;
	}
	/* Those of pages are no pages of its own. */
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (file_peek(path, text, sizeof(text)) > 0)
		look->own_kib += process_kib_of(text, "\nVmPTE:");
}

/* The pids of a list of children, at most `max`: how many. */
static unsigned
read_children(const char *path, pid_t pid[], unsigned max)
{
	char text[4096], *at = text, *end;
	unsigned count = 0;
	long number;

	if (file_peek(path, text, sizeof(text)) <= 0)
		return 0;
	for (; count < max; at = end) {
		number = strtol(at, &end, 10);
		if (end == at)
			break;
		pid[count++] = (pid_t)number;
	}
	return count;
}

static void
look_at_threads(struct walk *walk, pid_t pid)
{
	char path[64], file[384];
	const struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	folder = opendir(path);
	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		walk->look->threads++;
		snprintf(file, sizeof(file), "%s/%s/stat", path, entry->d_name);
		walk->look->running += state_in(file) == 'R';
		snprintf(file, sizeof(file), "%s/%s/children", path,
			 entry->d_name);
		walk->count += read_children(file, walk->pid + walk->count,
					     PROC_LOOK_MAX - walk->count);
	}
	closedir(folder);
}

void
proc_look(pid_t pid, struct proc_look *look)
{
	struct walk walk = { .look = look };
	unsigned i;

	memset(look, 0, sizeof(*look));
	if (pid <= 0)
		return;
	walk.pid = memory(NULL, PROC_LOOK_MAX * sizeof(*walk.pid));
	walk.pid[walk.count++] = pid;
	for (i = 0; i < walk.count; i++) {
		look_at_state(walk.pid[i], look);
		look_at_memory(walk.pid[i], look);
		look_at_threads(&walk, walk.pid[i]);
	}
	free(walk.pid);
}

unsigned
proc_orphans(pid_t pid)
{
	struct proc_look look = { 0 };
	char path[64];
	pid_t child[64];
	unsigned count, i;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid,
		 (int)pid);
	if (pid <= 0 || read_children(path, child, 1) == 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)child[0],
		 (int)child[0]);
	count = read_children(path, child, NELEM(child));
	for (i = 0; i < count; i++)
		look_at_state(child[i], &look); /* not those that are dead */
	return look.processes > 1 ? (unsigned)look.processes - 1 : 0;
}
