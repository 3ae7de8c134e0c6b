/* referee/sandbox/sandbox-argv.c - the contents of a box.
 *
 * The root of a box is a tmpfs that is made read-only when all is in place: the
 * system's programs and libraries, the few files of /etc that interpreters
 * read, two devices, a /proc of its own, and /tmp.  Only /tmp can be written
 * to, and the folder of a build, which is another tmpfs.  The box has a list of
 * users of its own. */
#include "referee/sandbox/sandbox-argv.h"

#include <glob.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STRING(x) #x
#define TEXT(x) STRING(x)
#define USER 1000 /* the bot's user ID in the box */

struct words {
	char **word;
	size_t count;
};

/* Takes over the word. */
static void
add_owned(struct words *words, char *word)
{
	*ADDED(words->word, words->count) = word;
}

static void
add(struct words *words, const char *word)
{
	char *copy = copied(word);

	add_owned(words, copy);
}

/* Adds words up to a NULL. */
static void
add_all(struct words *words, ...)
{
	const char *word;
	va_list ap;

	va_start(ap, words);
	while ((word = va_arg(ap, const char *)) != NULL)
		add(words, word);
	va_end(ap);
}

static void
add_number(struct words *words, unsigned long long number)
{
	char *text = formatted("%llu", number);

	add_owned(words, text);
}

static void
add_fd(struct words *words, const char *option, int fd)
{
	add(words, option);
	add_number(words, (unsigned)fd);
}

/* ---- the system --------------------------------------------------------- */

const char *const sandbox_roots[] = {
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", NULL,
};

/* On most machines all but the first root are links into the first. */
static void
add_roots(struct words *words)
{
	char target[256];
	struct stat st;
	ssize_t n;

	for (size_t i = 0; sandbox_roots[i] != NULL; i++) {
		if (lstat(sandbox_roots[i], &st) < 0)
			continue;
		n = S_ISLNK(st.st_mode) ? readlink(sandbox_roots[i], target,
						   sizeof(target) - 1)
					: -1;
		if (n < 0) {
			add_all(words, "--ro-bind", sandbox_roots[i],
				sandbox_roots[i], NULL);
			continue;
		}
		target[n] = '\0';
		add_all(words, "--symlink", target, sandbox_roots[i], NULL);
	}
}

/* Adds the files that the loader and interpreters need.  Each file costs time
 * when a box is built. */
static void
add_etc(struct words *words)
{
	static const char *const patterns[] = { "/etc/ld.so.cache",
						"/etc/alternatives",
						"/etc/java*" };
	static glob_t found;
	static bool looked;

	for (size_t i = 0; i < NELEM(patterns) && !looked; i++)
		if (glob(patterns[i], i == 0 ? 0 : GLOB_APPEND, NULL, &found) ==
		    GLOB_NOSPACE)
			bug("out of memory");
	looked = true;
	for (size_t i = 0; i < found.gl_pathc; i++)
		add_all(words, "--ro-bind", found.gl_pathv[i],
			found.gl_pathv[i], NULL);
}

static void
add_devices(struct words *words)
{
	/* /dev/zero is missing on purpose: its memory is charged to no process. */
	static const char *const devices[] = { "/dev/null", "/dev/urandom" };

	for (size_t i = 0; i < NELEM(devices); i++)
		add_all(words, "--dev-bind", devices[i], devices[i], NULL);
	add_all(words, "--symlink", "urandom", "/dev/random", "--symlink",
		"/proc/self/fd", "/dev/fd", "--symlink", "/proc/self/fd/0",
		"/dev/stdin", "--symlink", "/proc/self/fd/1", "/dev/stdout",
		"--symlink", "/proc/self/fd/2", "/dev/stderr", "--symlink",
		"/tmp", "/dev/shm", NULL);
}

/* ---- the bot ------------------------------------------------------------- */

/* Hides `path`, which lies at `from`.  What the bot's user cannot see there
 * need not be hidden. */
static void
hide(struct words *words, const char *path, const char *from)
{
	struct stat st;

	if (stat(from, &st) < 0)
		return;
	if (S_ISDIR(st.st_mode))
		add_all(words, "--tmpfs", path, "--remount-ro", path, NULL);
	else
		add_all(words, "--ro-bind", "/dev/null", path, NULL);
}

/* Hides each folder once, and only if a shown folder contains it. */
static void
hide_seen(struct words *words, const struct sandbox_start *start,
	  const char *path)
{
	char *const *see = start->box->see;
	char *from;
	size_t n;

	for (size_t i = 0; see != NULL && see[i] != NULL; i++) {
		n = strlen(see[i]);
		if (strncmp(see[i], path, n) != 0 ||
		    (path[n] != '/' && path[n] != '\0'))
			continue;
		from = formatted("%s%s", start->sources.see[i], path + n);
		hide(words, path, from);
		free(from);
		return;
	}
}

static void
add_files(struct words *words, const struct sandbox_start *start)
{
	const struct sandbox_box *box = start->box;

	if (box->folder == NULL && start->folder != NULL)
		add_all(words, "--dir", start->folder, NULL);
	for (size_t i = 0; box->see != NULL && box->see[i] != NULL; i++)
		add_all(words, "--ro-bind", start->sources.see[i], box->see[i],
			NULL);
	for (size_t i = 0; box->hide != NULL && box->hide[i] != NULL; i++)
		hide_seen(words, start, box->hide[i]);
	if (box->folder != NULL)
		add_all(words, "--ro-bind", start->sources.folder,
			box->writable ? SANDBOX_SENT : SANDBOX_FOLDER, NULL);
	if (box->folder != NULL && box->writable) {
		add(words, "--size");
		add_number(words,
			   (unsigned long long)box->limits.folder_mib << 20);
		add_all(words, "--tmpfs", SANDBOX_FOLDER, NULL);
	}
}

static void
add_shim(struct words *words, const struct sandbox_start *start)
{
	if (start->fds.shim < 0) {
		add_all(words, "--ro-bind", start->shim, SANDBOX_SHIM, NULL);
		return;
	}
	add_all(words, "--perms", "0555", NULL);
	add_fd(words, "--file", start->fds.shim);
	add(words, SANDBOX_SHIM);
}

static void
add_command(struct words *words, const struct sandbox_start *start)
{
	const struct sandbox_limits *limits = &start->box->limits;

	add(words, SANDBOX_SHIM);
	if (start->argv == NULL)
		return;
	add_number(words, (unsigned)start->fds.report);
	for (int i = 0; i < 3; i++)
		add_number(words, (unsigned)start->fds.bot[i]);
	/* The first process counts, too. */
	add_number(words, limits->processes + 1ULL);
	add_number(words, (unsigned long long)limits->memory_mib << 20);
	add_number(words, (unsigned long long)limits->file_mib << 20);
	add_number(words, limits->descriptors);
	add_number(words, limits->cpu_s);
	/* Without a control group the first process watches the sum. */
	add_number(words,
		   start->box->tier >= SANDBOX_FULL
			   ? 0
			   : (unsigned long long)limits->memory_mib << 20);
	if (start->box->watch)
		add_number(words, (unsigned)start->fds.filter);
	else
		add(words, "-1");
	add(words,
	    start->box->folder != NULL && start->box->writable ? "1" : "0");
	for (size_t i = 0; start->argv[i] != NULL; i++)
		add(words, start->argv[i]);
}

char **
sandbox_argv(const struct sandbox_start *start)
{
	const struct sandbox_limits *limits = &start->box->limits;
	struct words words = { .count = 0 };

	add_all(&words, start->bwrap, "--unshare-user", "--unshare-pid",
		"--unshare-net", "--unshare-ipc", "--unshare-uts",
		"--unshare-cgroup-try", "--uid", TEXT(USER), "--gid",
		TEXT(USER), "--hostname", "box", "--die-with-parent",
		"--as-pid-1", "--cap-drop", "ALL", NULL);
	add_roots(&words);
	/* bubblewrap, too, makes these read-only. */
	add_all(&words, "--proc", "/proc", "--ro-bind", "/proc/sys",
		"/proc/sys", NULL);
	add_devices(&words);
	add_etc(&words);
	add_fd(&words, "--file", start->fds.passwd);
	add(&words, "/etc/passwd");
	add_fd(&words, "--file", start->fds.group);
	add(&words, "/etc/group");
	add(&words, "--size");
	add_number(&words, limits->tmp_mib == 0
				   ? 4096
				   : (unsigned long long)limits->tmp_mib << 20);
	add_all(&words, "--tmpfs", "/tmp", NULL);
	add_files(&words, start);
	add_shim(&words, start);
	add_all(&words, "--remount-ro", "/", "--chdir",
		start->box->folder != NULL ? SANDBOX_FOLDER
		: start->folder != NULL	   ? start->folder
					   : "/",
		NULL);
	/* The refusing one of two filters wins, so nothing would be reported. */
	if (!start->box->watch)
		add_fd(&words, "--seccomp", start->fds.filter);
	add_command(&words, start);
	add_owned(&words, NULL);
	return words.word;
}
