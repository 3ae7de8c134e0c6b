/* referee/sandbox/box-files.c - files and processes outside a bot's sandbox.
 *
 * Everything that exists in a box may be read.  Decent programs also look for
 * files that do not exist: the system's libraries in its folders, interpreters
 * in all folders above the bot's own for files of certain names, bots beside
 * themselves.  Other attempts are reported. */
#include "referee/sandbox/box-hear.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- paths --------------------------------------------------------------- */

static bool
starts(const char *path, const char *with)
{
	return strncmp(path, with, strlen(with)) == 0;
}

/* `path` is `folder` or lies in it. */
static bool
is_in(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return starts(path, folder) && (path[n] == '/' || path[n] == '\0');
}

static bool
is_in_any(const char *path, const char *const folders[])
{
	for (size_t i = 0; folders[i] != NULL; i++)
		if (is_in(path, folders[i]))
			return true;
	return false;
}

static void
read_folder(pid_t pid, int folder, char path[BOX_PATH_MAX])
{
	char link[64];
	ssize_t n;

	if (folder == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/%d/cwd", (int)pid);
	else
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)pid,
			 folder);
	n = readlink(link, path, BOX_PATH_MAX - 1);
	path[n < 0 ? 0 : n] = '\0';
}

/* Resolves `.` and `..` by the text alone; links are not followed. */
static void
make_plain(const char *text, char path[BOX_PATH_MAX])
{
	size_t used = 0, n;

	for (; *text != '\0'; text += n) {
		text += strspn(text, "/");
		n = strcspn(text, "/");
		if (n == 0 || (n == 1 && text[0] == '.'))
			continue;
		if (n == 2 && text[0] == '.' && text[1] == '.') {
			while (used > 0 && path[--used] != '/')
				;
			continue;
		}
		if (used + n + 2 > BOX_PATH_MAX)
			break;
		path[used++] = '/';
		memcpy(path + used, text, n);
		used += n;
	}
	if (used == 0)
		path[used++] = '/';
	path[used] = '\0';
}

bool
box_path_read(pid_t pid, int folder, unsigned long at, char path[BOX_PATH_MAX])
{
	char file[64], text[BOX_PATH_MAX], from[BOX_PATH_MAX] = "";
	char whole[2 * BOX_PATH_MAX];
	ssize_t n;
	int fd;

	snprintf(file, sizeof(file), "/proc/%d/mem", (int)pid);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = pread(fd, text, sizeof(text) - 1, (off_t)at);
	close(fd);
	if (n <= 0 || text[0] == '\0')
		return false;
	text[n] = '\0';
	if (text[0] != '/') {
		read_folder(pid, folder, from);
		if (from[0] != '/')
			return false;
	}
	snprintf(whole, sizeof(whole), "%s/%s", from, text);
	make_plain(whole, path);
	return true;
}

/* ---- processes ----------------------------------------------------------- */

/* Returns the last process ID that the kernel gave out: it ends the line of
 * loadavg. */
static long
last_pid(void)
{
	char text[128], *at;
	int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n < 0 ? 0 : n] = '\0';
	at = strrchr(text, ' ');
	return at == NULL ? -1 : strtol(at, NULL, 10);
}

bool
box_is_own(long pid)
{
	long last;

	if (pid <= 1)
		return false;
	last = last_pid();
	return last < 0 || pid <= last;
}

/* Files in /proc that tell secrets of the kernel. */
static const char *const kernel_files[] = {
	"/proc/kcore",
	"/proc/kmsg",
	"/proc/kallsyms",
	"/proc/keys",
	"/proc/key-users",
	"/proc/sysrq-trigger",
	"/proc/sched_debug",
	"/proc/timer_list",
	"/proc/iomem",
	"/proc/kpagecount",
	"/proc/kpageflags",
	"/proc/slabinfo",
	"/proc/vmallocinfo",
	"/proc/self/root",
	"/proc/thread-self/root",
	"/proc/sys/kernel/core_pattern",
	NULL,
};

static void
judge_process(const char *path, bool change)
{
	char *end;
	long pid = strtol(path + strlen("/proc/"), &end, 10);

	if (end != path + strlen("/proc/") && (*end == '/' || *end == '\0')) {
		if (!box_is_own(pid))
			box_note(BOX_PROCESS, (int)pid, path);
		else if (starts(end, "/root/"))
			box_note(BOX_OPEN, 0, path);
	} else if (is_in_any(path, kernel_files)) {
		box_note(change ? BOX_WRITE : BOX_OPEN, 0, path);
	} else if (change && !is_in(path, "/proc/self") &&
		   !is_in(path, "/proc/thread-self")) {
		box_note(BOX_WRITE, 0, path);
	}
}

/* ---- files --------------------------------------------------------------- */

static const char *const system_folders[] = {
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
	"/etc", "/sys", "/tmp",	 "/bot", "/box",   NULL,
};

/* Services that libraries and runtimes look for, though they may be missing. */
static const char *const services[] = {
	"/var/run/nscd",
	"/run/nscd",
	"/var/lib/sss",
	"/var/cache",
	"/var/db/nscd",
	"/run/systemd/userdb",
	"/run/user",
	"/var/lib/dbus/machine-id",
	"/dev/shm",
	"/dev/fd",
	"/dev/random",
	"/dev/urandom",
	"/dev/null",
	"/dev/zero",
	"/dev/full",
	"/dev/stdin",
	"/dev/stdout",
	"/dev/stderr",
	"/dev/hugepages",
	"/dev/cpu",
	"/var/lib/locales",
	"/selinux",
	NULL,
};

static const char *const secrets[] = {
	"/etc/shadow",
	"/etc/shadow-",
	"/etc/gshadow",
	"/etc/gshadow-",
	"/etc/sudoers",
	"/etc/sudoers.d",
	"/etc/ssh",
	"/etc/ssl/private",
	"/etc/security/opasswd",
	"/etc/referee",
	NULL,
};

/* Returns true for a name that interpreters look for in every folder above a
 * program. */
static bool
is_probe(const char *name)
{
	static const char *const names[] = {
		"package.json",
		"node_modules",
		"pyvenv.cfg",
		"__pycache__",
		"pybuilddir.txt",
		"lib",
		"lib64",
		"python3",
		"bin",
		"Cargo.toml",
		"go.mod",
		".git",
		"release",
		"jvm.cfg",
		"__init__.py",
		"openssl.cnf",
		".node_modules",
		".node_libraries",
		".perl5lib",
		NULL,
	};

	for (size_t i = 0; names[i] != NULL; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Returns true for the bot's own folder and for what else was put into the box;
 * false for a folder that only leads to one of these. */
static bool
is_shown(const char *folder)
{
	struct stat here, root;

	return stat(folder, &here) == 0 && stat("/", &root) == 0 &&
	       here.st_dev != root.st_dev;
}

/* Returns true if the nearest existing folder above the path is shown. */
static bool
is_beside(const char *path)
{
	char folder[BOX_PATH_MAX];
	struct stat st;
	char *slash;

	snprintf(folder, sizeof(folder), "%s", path);
	do {
		slash = strrchr(folder, '/');
		if (slash == NULL || slash == folder)
			return false;
		*slash = '\0';
	} while (stat(folder, &st) < 0);
	return is_shown(folder);
}

static bool
is_decent_to_read(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	struct stat st;

	if (is_in_any(path, secrets) || strcmp(name, "ladder.db") == 0)
		return false;
	return lstat(path, &st) == 0 || is_in_any(path, system_folders) ||
	       is_in_any(path, services) || is_probe(name) || is_beside(path);
}

static bool
is_decent_to_change(const char *path)
{
	static const char *const writable[] = {
		"/tmp",	     "/dev/shm",    "/dev/null",   "/dev/zero",
		"/dev/full", "/dev/stdout", "/dev/stderr", "/dev/stdin",
		"/dev/fd",   NULL,
	};

	/* Python stores compiled modules wherever it can. */
	return is_in_any(path, writable) ||
	       strstr(path, "/__pycache__") != NULL;
}

/* A bot that makes this many files takes the room of others. */
static void
count_names(const char *path)
{
	static unsigned names;

	if (is_in(path, "/tmp") && ++names == BOX_LITTER_MANY)
		box_note(BOX_LITTER, 0, NULL);
}

void
box_path_judge(const char *path, bool change)
{
	if (change)
		count_names(path);
	if (starts(path, "/proc/"))
		judge_process(path, change);
	else if (!is_decent_to_read(path))
		box_note(change ? BOX_WRITE : BOX_OPEN, 0, path);
	else if (change && !is_decent_to_change(path))
		box_note(BOX_WRITE, 0, path);
}

void
box_path_judge_run(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	struct stat st;

	if (strcmp(name, "referee") == 0 ||
	    (stat(path, &st) == 0 && (st.st_mode & S_ISUID) != 0))
		box_note(BOX_RUN, 0, path);
}

void
box_path_judge_lock(const char *path)
{
	static const char *const shared[] = { "/usr", "/etc",	"/bin", "/sbin",
					      "/lib", "/lib64", NULL };

	if (is_in_any(path, shared))
		box_note(BOX_LOCK, 0, path);
}
