/* referee/sandbox/sandbox-group.c - control groups by their files. */
#include "protocol/file.h"
#include "referee/sandbox/sandbox-group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TREES 3
#define PREFIX "referee-"
/* We move into this group below the one that was delegated to us, because a
 * group with a process in it gives no controllers to its children. */
#define ASIDE "/referee-main"
/* Processes of bubblewrap and our first process, besides the bot's. */
#define OWN_PROCESSES 3
#define CPU_PERIOD_US 100000

enum { MEMORY, PIDS, CPU };
static const char *const controllers[] = { "memory", "pids", "cpu" };

struct sandbox_groups {
	bool v2;
	/* Our folder for each controller; "" if there is none.  With version 2
	 * only the first is used. */
	char base[TREES][PATH_MAX];
};

/* ---- files ------------------------------------------------------------- */

static int
put(const char *folder, const char *file, const char *text)
{
	char path[PATH_MAX + 64];
	int fd;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = write(fd, text, strlen(text));
	close_quietly(fd);
	return n < 0 ? -1 : 0;
}

static int
put_number(const char *folder, const char *file, unsigned long long number)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", number);
	return put(folder, file, text);
}

static bool
get(const char *folder, const char *file, char *to, size_t bytes)
{
	return file_peek(to, bytes, "%s/%s", folder, file) > 0;
}

/* Returns true if `word` is in the list. */
static bool
has_word(const char *list, const char *word, const char *between)
{
	size_t n = strlen(word), skip;

	for (; *list != '\0'; list += skip + (list[skip] != '\0')) {
		skip = strcspn(list, between);
		if (skip == n && strncmp(list, word, n) == 0)
			return true;
	}
	return false;
}

/* ---- where they are ---------------------------------------------------- */

/* Finds the path for a controller ("": version 2) in /proc/PID/cgroup.  Returns
 * false if there is none. */
static bool
path_of(const char *pid, const char *controller, char to[PATH_MAX])
{
	char name[64], line[PATH_MAX], *list, *path;
	FILE *file;
	bool found = false;

	snprintf(name, sizeof(name), "/proc/%s/cgroup", pid);
	file = fopen(name, "re");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		list = strchr(line, ':');
		path = list == NULL ? NULL : strchr(++list, ':');
		if (path == NULL)
			continue;
		*path++ = '\0';
		if (*controller == '\0' ? *list != '\0'
					: !has_word(list, controller, ","))
			continue;
		snprintf(to, PATH_MAX, "%s", strcmp(path, "/") ? path : "");
		found = true;
	}
	if (file != NULL)
		fclose(file);
	return found;
}

static void
join(const char *mount, const char *path, char to[PATH_MAX])
{
	snprintf(to, PATH_MAX, "%.*s%.*s", PATH_MAX / 2 - 1, mount,
		 PATH_MAX / 2 - 1, path);
}

/* Writes our own group's folder below `mount` if it is visible there, else the
 * mount. */
static void
own_place(const char *mount, const char *controller, char to[PATH_MAX])
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(to, PATH_MAX, "%s", mount);
	if (!path_of("self", controller, path))
		return;
	join(mount, path, to);
	if (stat(to, &st) < 0)
		snprintf(to, PATH_MAX, "%s", mount);
}

/* Finds the mount of a controller of version 1, or of version 2 (`controller`
 * ""). */
static bool
find_mount(const char *controller, char to[PATH_MAX])
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;
	bool found = false;

	while (mounts != NULL && !found &&
	       (mount = getmntent(mounts)) != NULL) {
		found = *controller == '\0'
				? strcmp(mount->mnt_type, "cgroup2") == 0
				: strcmp(mount->mnt_type, "cgroup") == 0 &&
					  hasmntopt(mount, controller) != NULL;
		if (found)
			snprintf(to, PATH_MAX, "%s", mount->mnt_dir);
	}
	if (mounts != NULL)
		endmntent(mounts);
	return found;
}

/* ---- what is left of the dead -------------------------------------------- */

static void
remove_tree(const char *folder)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *dir = opendir(folder);

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", folder,
			     entry->d_name) < (int)sizeof(path))
			rmdir(path);
	}
	if (dir != NULL)
		closedir(dir);
	rmdir(folder);
}

static void
remove_stale(const char *place)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *dir = opendir(place);
	long pid;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0)
			continue;
		pid = strtol(entry->d_name + strlen(PREFIX), NULL, 10);
		if (pid <= 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", place,
			     entry->d_name) < (int)sizeof(path))
			remove_tree(path);
	}
	if (dir != NULL)
		closedir(dir);
}

/* ---- ours ---------------------------------------------------------------- */

static bool
make_base(const char *place, char base[PATH_MAX])
{
	remove_stale(place);
	if (snprintf(base, PATH_MAX, "%s/" PREFIX "%d", place, (int)getpid()) >=
	    PATH_MAX)
		return false;
	if (mkdir(base, 0755) == 0 || errno == EEXIST)
		return true;
	base[0] = '\0';
	return false;
}

static bool
open_v1(struct sandbox_groups *groups)
{
	char mount[PATH_MAX], place[PATH_MAX];

	for (int i = 0; i < TREES; i++) {
		if (!find_mount(controllers[i], mount))
			continue;
		own_place(mount, controllers[i], place);
		make_base(place, groups->base[i]);
	}
	return groups->base[MEMORY][0] != '\0' && groups->base[PIDS][0] != '\0';
}

/* Gives the controllers to the groups below `folder`. */
static bool
hand_down(const char *folder)
{
	char list[256];

	if (!get(folder, "cgroup.controllers", list, sizeof(list)) ||
	    !has_word(list, "memory", " \n") || !has_word(list, "pids", " \n"))
		return false;
	/* `cpu` comes last: the kernel grants it even while processes are in
	 * the group, and then they cannot move to a group below any more. */
	return put(folder, "cgroup.subtree_control", "+memory +pids") == 0 &&
	       (!has_word(list, "cpu", " \n") ||
		put(folder, "cgroup.subtree_control", "+cpu") == 0);
}

/* Returns true if we are alone in our group.  Then it belongs to a service; we
 * must not rearrange the group of a user's whole session. */
static bool
is_alone(const char *folder)
{
	char list[64], own[32];

	snprintf(own, sizeof(own), "%d\n", (int)getpid());
	return get(folder, "cgroup.procs", list, sizeof(list)) &&
	       strcmp(list, own) == 0;
}

/* Moves us from the group that was delegated to us to one below it. */
static bool
step_aside(const char *place)
{
	char aside[PATH_MAX];

	if (!is_alone(place))
		return false;
	join(place, ASIDE, aside);
	if (mkdir(aside, 0755) < 0 && errno != EEXIST)
		return false;
	return put(aside, "cgroup.procs", "0") == 0;
}

/* Writes the group that was delegated to us: our own, or the one above if we,
 * or the process that started us, stepped aside. */
static void
delegated_place(const char *mount, char place[PATH_MAX])
{
	size_t n;

	own_place(mount, "", place);
	n = strlen(place);
	if (n > strlen(ASIDE) && strcmp(place + n - strlen(ASIDE), ASIDE) == 0)
		place[n - strlen(ASIDE)] = '\0';
}

static bool
open_v2(struct sandbox_groups *groups)
{
	char mount[PATH_MAX], place[PATH_MAX], list[256];

	if (!find_mount("", mount))
		return false;
	delegated_place(mount, place);
	/* A group with processes in it gives no controllers, except the root of
	 * all groups, which root may use. */
	if (!hand_down(place) && !(step_aside(place) && hand_down(place))) {
		snprintf(place, sizeof(place), "%s", mount);
		if (geteuid() != 0 || !hand_down(place))
			return false;
	}
	if (!make_base(place, groups->base[MEMORY]) ||
	    !hand_down(groups->base[MEMORY]) ||
	    !get(groups->base[MEMORY], "cgroup.controllers", list,
		 sizeof(list))) {
		remove_tree(groups->base[MEMORY]);
		return false;
	}
	memcpy(groups->base[PIDS], groups->base[MEMORY], PATH_MAX);
	if (has_word(list, "cpu", " \n"))
		memcpy(groups->base[CPU], groups->base[MEMORY], PATH_MAX);
	groups->v2 = true;
	return true;
}

struct sandbox_groups *
sandbox_groups_open(char why[128])
{
	struct sandbox_groups *groups = zeroed(1, sizeof(*groups));

	if (open_v2(groups) || open_v1(groups))
		return groups;
	sandbox_groups_close(groups);
	snprintf(why, 128, "%s",
		 geteuid() == 0 ? "no control groups for memory and processes"
				: "control groups are not delegated to this "
				  "user");
	return NULL;
}

void
sandbox_groups_close(struct sandbox_groups *groups)
{
	if (groups == NULL)
		return;
	for (int i = 0; i < TREES; i++)
		if (groups->base[i][0] != '\0')
			remove_tree(groups->base[i]);
	free(groups);
}

bool
sandbox_groups_bound_cpu(const struct sandbox_groups *groups)
{
	return groups->base[CPU][0] != '\0';
}

/* ---- one box ------------------------------------------------------------- */

/* Writes the folder of a group for a controller.  Returns false if there is
 * none, or if version 2 has named it already. */
static bool
folder_of(const struct sandbox_groups *groups, int controller, unsigned number,
	  char to[PATH_MAX])
{
	if (groups->base[controller][0] == '\0' ||
	    (groups->v2 && controller != MEMORY))
		return false;
	return snprintf(to, PATH_MAX, "%s/%u", groups->base[controller],
			number) < PATH_MAX;
}

static int
limit_memory(const struct sandbox_groups *groups, const char *folder,
	     unsigned long long bytes)
{
	if (groups->v2) {
		if (put_number(folder, "memory.max", bytes) < 0)
			return -1;
		/* These fail on older kernels and without swap, which is
		 * harmless. */
		(void)put(folder, "memory.swap.max", "0");
		(void)put(folder, "memory.oom.group", "1");
		return 0;
	}
	if (put_number(folder, "memory.limit_in_bytes", bytes) < 0)
		return -1;
	(void)put_number(folder, "memory.memsw.limit_in_bytes", bytes);
	return 0;
}

/* Limits a box to one processor, and gives it less weight than the referee. */
static int
limit_cpu(const struct sandbox_groups *groups, const char *folder)
{
	char text[64];

	if (groups->v2) {
		snprintf(text, sizeof(text), "%d %d", CPU_PERIOD_US,
			 CPU_PERIOD_US);
		(void)put(folder, "cpu.weight", "50");
		return put(folder, "cpu.max", text);
	}
	(void)put(folder, "cpu.shares", "512");
	(void)put_number(folder, "cpu.cfs_period_us", CPU_PERIOD_US);
	/* A container that has less than one processor refuses more, and bounds the
	 * box itself. */
	if (put_number(folder, "cpu.cfs_quota_us", CPU_PERIOD_US) < 0 &&
	    errno != EINVAL)
		return -1;
	return 0;
}

static int
limit_one(const struct sandbox_groups *groups, int controller,
	  const char *folder, const struct sandbox_limits *limits)
{
	switch (controller) {
	case MEMORY:
		return limit_memory(groups, folder,
				    (unsigned long long)limits->memory_mib
					    << 20);
	case PIDS:
		return put_number(folder, "pids.max",
				  limits->processes + OWN_PROCESSES);
	default:
		return limit_cpu(groups, folder);
	}
}

int
sandbox_group_make(struct sandbox_groups *groups, unsigned number,
		   const struct sandbox_limits *limits)
{
	char folder[PATH_MAX] = "";

	for (int i = 0; i < TREES; i++) {
		if (folder_of(groups, i, number, folder) &&
		    mkdir(folder, 0755) < 0)
			return -1;
		if (groups->base[i][0] != '\0' &&
		    limit_one(groups, i, folder, limits) < 0)
			return -1;
	}
	return 0;
}

int
sandbox_group_join(const struct sandbox_groups *groups, unsigned number)
{
	char folder[PATH_MAX];

	for (int i = 0; i < TREES; i++)
		if (folder_of(groups, i, number, folder) &&
		    put(folder, "cgroup.procs", "0") < 0)
			return -1;
	return 0;
}

/* Returns the part `/referee-PID/SLOT` of a group's path if it is one of our
 * boxes, or NULL. */
static char *
box_part(char *path)
{
	static const char digits[] = "0123456789";
	char *at, *ours = NULL;
	size_t pid, slot;

	for (at = path; (at = strstr(at, "/" PREFIX)) != NULL; at++)
		ours = at;
	if (ours == NULL)
		return NULL;
	at = ours + strlen("/" PREFIX);
	pid = strspn(at, digits);
	if (pid == 0 || at[pid] != '/')
		return NULL;
	slot = strspn(at + pid + 1, digits);
	return slot > 0 && at[pid + 1 + slot] == '\0' ? ours : NULL;
}

/* The folder is below ours or, with version 2, below the mount. */
static int
open_idle(pid_t pid, const char *controller)
{
	char mount[PATH_MAX], place[PATH_MAX], path[PATH_MAX], file[PATH_MAX];
	char number[32], *ours;
	size_t n;
	int fd;

	snprintf(number, sizeof(number), "%d", (int)pid);
	if (!find_mount(controller, mount) ||
	    !path_of(number, controller, path) ||
	    (ours = box_part(path)) == NULL)
		return -1;
	n = strlen(ours);
	snprintf(ours + n, sizeof(path) - (size_t)(ours + n - path),
		 "/cpu.idle");
	own_place(mount, controller, place);
	join(place, ours, file);
	fd = open(file, O_WRONLY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	join(mount, ours, file);
	return open(file, O_WRONLY | O_CLOEXEC);
}

int
sandbox_group_open_idle(pid_t pid)
{
	int fd = open_idle(pid, "");

	return fd >= 0 ? fd : open_idle(pid, controllers[CPU]);
}

uint64_t
sandbox_group_peak_kib(const struct sandbox_groups *groups, unsigned number)
{
	char folder[PATH_MAX], text[64];

	if (!folder_of(groups, MEMORY, number, folder) ||
	    !get(folder,
		 groups->v2 ? "memory.peak" : "memory.max_usage_in_bytes", text,
		 sizeof(text)))
		return 0;
	return strtoull(text, NULL, 10) / 1024;
}

bool
sandbox_group_was_over(const struct sandbox_groups *groups, unsigned number)
{
	static const char word[] = "oom_kill ";
	char folder[PATH_MAX], text[512];
	const char *at;

	if (!folder_of(groups, MEMORY, number, folder) ||
	    !get(folder, groups->v2 ? "memory.events" : "memory.oom_control",
		 text, sizeof(text)))
		return false;
	at = strstr(text, word);
	return at != NULL && strtoul(at + sizeof(word) - 1, NULL, 10) > 0;
}

bool
sandbox_group_remove(const struct sandbox_groups *groups, unsigned number)
{
	char folder[PATH_MAX];
	bool gone = true;

	for (int i = 0; i < TREES; i++)
		if (folder_of(groups, i, number, folder) && rmdir(folder) < 0 &&
		    errno != ENOENT)
			gone = false;
	return gone;
}
