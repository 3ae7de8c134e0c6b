/* referee/spawner/spawner-program.c - finds out if a bot's program can be
 * started at all.
 *
 * This makes a message before the first game possible.  The later exec decides. */
#include "protocol/file.h"
#include "referee/spawner/spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "referee/sandbox/sandbox-argv.h"

/* Returns NULL if `path` seems to be executable, or the reason why it is not. */
static const char *
not_executable(const char *path)
{
	struct stat found;

	if (stat(path, &found) < 0)
		return errno == ENOENT || errno == ENOTDIR ? "no such file"
							   : strerror(errno);
	if (S_ISDIR(found.st_mode))
		return "a folder, not a program";
	if (!S_ISREG(found.st_mode))
		return "not a program";
	if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0)
		return "not executable (chmod +x)";
	return NULL;
}

/* Reads the interpreter from the first line of the script `path`; "" if there
 * is none or the file cannot be read, which a program need not allow. */
static void
read_interpreter(const char *path, char to[256])
{
	size_t skip;

	file_peek(to, 256, "%s", path);
	if (strncmp(to, "#!", 2) != 0) {
		to[0] = '\0';
		return;
	}
	skip = 2 + strspn(to + 2, " \t");
	memmove(to, to + skip, strlen(to + skip) + 1);
	to[strcspn(to, " \t\n")] = '\0';
}

/* Editors on Windows end the first line with CR LF, too. */
static void
tell_interpreter(const char *path, const char *interpreter, const char *wrong,
		 char *why, size_t why_bytes)
{
	snprintf(why, why_bytes, "%s: its interpreter %s is %s%s",
		 quoted(path).text, quoted(interpreter).text, wrong,
		 strchr(interpreter, '\r') == NULL
			 ? ""
			 : "; the file has the line ends of Windows, save it "
			   "with those of Unix");
}

static bool
interpreter_ok(const char *path, char *why, size_t why_bytes)
{
	char interpreter[256];

	read_interpreter(path, interpreter);
	if (interpreter[0] == '\0' || not_executable(interpreter) == NULL)
		return true;
	tell_interpreter(path, interpreter,
			 access(interpreter, F_OK) < 0 ? "missing"
						       : "no program",
			 why, why_bytes);
	return false;
}

/* Looks for a program in PATH and writes its path.  Returns false if there is
 * none. */
static bool
find_program(const char *name, char path[4096])
{
	const char *at = getenv("PATH");
	size_t n;

	if (at == NULL)
		at = "/bin:/usr/bin"; /* the default of execvp(3) */
	for (; *name != '\0' && at != NULL; at = at[n] ? at + n + 1 : NULL) {
		n = strcspn(at, ":");
		snprintf(path, 4096, "%.*s%s%s", (int)n, at, n == 0 ? "" : "/",
			 name);
		if (not_executable(path) == NULL)
			return true;
	}
	return false;
}

bool
spawner_program_ok(const char *argv0, char *why, size_t why_bytes)
{
	const char *wrong;
	char path[4096];

	if (strchr(argv0, '/') != NULL) {
		wrong = not_executable(argv0);
		if (wrong == NULL)
			return interpreter_ok(argv0, why, why_bytes);
		snprintf(why, why_bytes, "%s: %s", quoted(argv0).text, wrong);
		return false;
	}
	if (find_program(argv0, path))
		return interpreter_ok(path, why, why_bytes);
	snprintf(why, why_bytes, "%s: no such program in PATH%s",
		 quoted(argv0).text,
		 access(argv0, F_OK) == 0 && *argv0 != '\0'
			 ? " (a file here is ./NAME)"
			 : "");
	return false;
}

/* ---- in a box ----------------------------------------------------------- */

/* Opens a path whose links, too, stay below `top`. */
static int
open_below(const char *top, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC,
				.resolve = RESOLVE_BENEATH |
					   RESOLVE_NO_MAGICLINKS };
	int folder = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (folder < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));
	close_quietly(folder);
	return fd;
}

/* Returns the part behind `top` of a path below it, or NULL. */
static const char *
rest_below(const char *path, const char *top)
{
	size_t n = strlen(top);

	return strncmp(path, top, n) == 0 && path[n] == '/'
		       ? path + n + strspn(path + n, "/")
		       : NULL;
}

/* Opens (O_PATH) what a box shows at `path`.  Returns a descriptor, or -1 and
 * errno; EXDEV means that the path leads to where we may not look. */
static int
open_seen(const char *folder, enum sandbox_tier tier, const char *path)
{
	const char *rest;

	if (path[0] != '/')
		return open_below(folder, path);
	rest = rest_below(path, SANDBOX_FOLDER);
	if (rest != NULL && tier >= SANDBOX_BOX)
		return open_below(folder, rest);
	for (size_t i = 0; sandbox_roots[i] != NULL; i++)
		if ((rest = rest_below(path, sandbox_roots[i])) != NULL)
			return open_below(sandbox_roots[i], rest);
	/* In tier C the program may see more. */
	errno = tier >= SANDBOX_BOX ? ENOENT : EXDEV;
	return -1;
}

/* Returns NULL if the box can start what it shows at `path`, or that is not
 * known; else the reason.  Writes the interpreter of what can be started, or "". */
static const char *
look_at(const char *folder, enum sandbox_tier tier, const char *path,
	bool *there, char interpreter[256])
{
	const int fd = open_seen(folder, tier, path);
	const char *wrong;
	char fd_path[32];

	*there = fd >= 0;
	interpreter[0] = '\0';
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR
			       ? "no such file in its sandbox"
			       : NULL;
	snprintf(fd_path, sizeof(fd_path), "/proc/self/fd/%d", fd);
	wrong = not_executable(fd_path);
	if (wrong == NULL)
		read_interpreter(fd_path, interpreter);
	close(fd);
	return wrong;
}

static bool
boxed_file_ok(const char *folder, enum sandbox_tier tier, const char *path,
	      char *why, size_t why_bytes)
{
	char interpreter[256], ignored[256];
	bool there;
	const char *wrong = look_at(folder, tier, path, &there, interpreter);

	if (wrong != NULL) {
		snprintf(why, why_bytes, "%s: %s", quoted(path).text, wrong);
		return false;
	}
	if (interpreter[0] == '\0' ||
	    look_at(folder, tier, interpreter, &there, ignored) == NULL)
		return true;
	tell_interpreter(path, interpreter,
			 there ? "no program" : "missing in its sandbox", why,
			 why_bytes);
	return false;
}

bool
spawner_boxed_program_ok(const char *folder, enum sandbox_tier tier,
			 const char *argv0, char *why, size_t why_bytes)
{
	const char *at = SANDBOX_PATH;
	char path[4096], ignored[1];
	size_t n;

	if (strchr(argv0, '/') != NULL)
		return boxed_file_ok(folder, tier, argv0, why, why_bytes);
	for (; *at != '\0'; at += n + (at[n] == ':')) {
		n = strcspn(at, ":");
		snprintf(path, sizeof(path), "%.*s/%s", (int)n, at, argv0);
		if (boxed_file_ok(folder, tier, path, ignored, 1))
			return true;
	}
	snprintf(why, why_bytes, "%s: no such program in the PATH of sandboxes",
		 quoted(argv0).text);
	return false;
}
