/* referee/sandbox/sandbox-start.c - the last steps before bubblewrap.
 *
 * Besides the bot's own three descriptors it hands over the socket for reports,
 * and the filter and the files of /etc as full, closed pipes, so that every box
 * reads them from the beginning. */
#include "referee/sandbox/sandbox-start.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "protocol/field.h"
#include "protocol/file.h"
#include "referee/sandbox/sandbox-argv.h"
#include "referee/sandbox/sandbox-filter.h"

/* User IDs that no distribution gives out.  A container with 65536 users does
 * not have them; there we take others that are free. */
#define SLOT_UID 70000
#define SLOT_UIDS 20000
#define SLOT_UID_LOW 60600
#define SLOT_UIDS_LOW 400

/* ---- the two programs ---------------------------------------------------- */

const char *
sandbox_bwrap(void)
{
	static const char *const paths[] = { "/usr/bin/bwrap", "/bin/bwrap",
					     "/usr/local/bin/bwrap" };

	for (size_t i = 0; i < NELEM(paths); i++)
		if (access(paths[i], X_OK) == 0)
			return paths[i];
	return NULL;
}

const char *
sandbox_shim(void)
{
	static char path[FILE_PROGRAM_BYTES];
	static const char *shim;

	if (shim == NULL)
		shim = file_program("referee-box", "referee", PKGLIBEXECDIR,
				    path);
	return shim;
}

/* ---- users ------------------------------------------------------------- */

static bool
is_mapped(unsigned uid)
{
	uint64_t inside, count;
	const char *at = NULL;
	bool mapped = false;
	char text[4096];

	if (file_peek(text, sizeof(text), "/proc/self/uid_map") > 0)
		at = text;
	while ((at = field_number(at, &inside)) != NULL &&
	       (at = field_number(field_skip(at, 1), &count)) != NULL)
		mapped = mapped || (uid >= inside && uid - inside < count);
	return mapped;
}

uid_t
sandbox_slot_uid(unsigned slot)
{
	static int high = -1;

	if (geteuid() != 0)
		return 0;
	if (high < 0)
		high = is_mapped(SLOT_UID + SLOT_UIDS);
	return high ? SLOT_UID + slot % SLOT_UIDS
		    : SLOT_UID_LOW + slot % SLOT_UIDS_LOW;
}

/* Returns true if the user set by setfsuid() can read the file. */
static bool
can_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Returns true if the user of a slot can read `path`. */
static bool
is_open_to(uid_t uid, const char *path)
{
	bool can;

	setfsgid(uid);
	setfsuid(uid);
	can = can_read(path);
	setfsuid(0);
	setfsgid(0);
	return can;
}

/* Returns true if the user can read the file that a word names, seen from the
 * working directory.  With `stays` files elsewhere are not looked at: the words
 * come from a stranger, who could learn from the answer which files exist. */
static bool
is_word_open(uid_t uid, bool stays, const char *word)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC,
				.resolve = RESOLVE_BENEATH |
					   RESOLVE_NO_MAGICLINKS };
	int fd;

	if (!stays)
		return access(word, F_OK) < 0 || is_open_to(uid, word);
	fd = (int)syscall(SYS_openat2, AT_FDCWD, word, &how, sizeof(how));
	if (fd < 0)
		return true;
	close(fd);
	return is_open_to(uid, word);
}

bool
sandbox_is_open_to(uid_t uid, const struct sandbox_order *order)
{
	const struct sandbox_box *box = order->box;
	const char *folder = box->folder != NULL ? box->folder : order->folder;
	char *const *p;

	if (setgroups(0, NULL) < 0)
		return false;
	if (box->folder != NULL && !is_open_to(uid, box->folder))
		return false;
	for (p = box->see; p != NULL && *p != NULL; p++)
		if (!is_open_to(uid, *p))
			return false;
	if (folder == NULL || chdir(folder) < 0)
		return true;
	for (p = order->argv; p != NULL && *p != NULL; p++)
		if (!is_word_open(uid, box->folder != NULL, *p))
			return false;
	return true;
}

void
sandbox_give_pipes(uid_t uid, const int fds[3])
{
	struct statfs fs;

	for (int i = 0; i < 3; i++)
		if (fstatfs(fds[i], &fs) == 0 && fs.f_type == PIPEFS_MAGIC)
			(void)!fchown(fds[i], uid, uid);
}

static int
become(uid_t uid)
{
	pid_t parent = getppid();

	if (setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0)
		return -1;
	/* The change of the user has cleared it. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return -1;
	if (getppid() != parent)
		_exit(127);
	return 0;
}

/* ---- descriptors ------------------------------------------------------- */

/* Returns the reading end of a pipe that holds these bytes, or -1 and errno. */
static int
pipe_of(const void *bytes, size_t n)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	if (write(ends[1], bytes, n) != (ssize_t)n) {
		errno = EFBIG;
		return -1;
	}
	close(ends[1]);
	return ends[0];
}

static int
text_pipe(const char *text)
{
	return pipe_of(text, strlen(text));
}

static int
keep_open(int fd)
{
	return fcntl(fd, F_SETFD, 0);
}

/* Lets the exec close every descriptor that the box does not need. */
static int
settle_fds(struct sandbox_start *start)
{
	struct sandbox_fds *fds = &start->fds;
	const void *filter;
	size_t bytes;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	filter = sandbox_filter(true, start->box->strict, &bytes);
	if (filter == NULL || null < 0)
		return -1;
	fds->filter = pipe_of(filter, bytes);
	fds->passwd = text_pipe("root:x:0:0::/:/bin/false\n"
				"bot:x:1000:1000::/tmp:/bin/sh\n"
				"nobody:x:65534:65534::/:/bin/false\n");
	fds->group = text_pipe("root:x:0:\nbot:x:1000:\nnogroup:x:65534:\n");
	if (fds->filter < 0 || fds->passwd < 0 || fds->group < 0)
		return -1;
	/* Messages of bubblewrap go to the bot's standard error. */
	if (dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
	    dup2(fds->bot[2], 2) < 0 ||
	    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) < 0)
		return -1;
	if (keep_open(fds->filter) < 0 || keep_open(fds->passwd) < 0 ||
	    keep_open(fds->group) < 0 ||
	    (fds->shim >= 0 && keep_open(fds->shim) < 0))
		return -1;
	if (start->argv == NULL)
		return 0;
	for (int i = 0; i < 3; i++)
		if (keep_open(fds->bot[i]) < 0)
			return -1;
	return keep_open(fds->report);
}

/* Refuses the bot because its files cannot be shown to the user. */
static int
refuse_closed(uid_t uid, const struct sandbox_order *order)
{
	int error = errno;

	dprintf(order->fds[2],
		"only their owner may read the bot's files, and a bot does not "
		"run as root: let user %u read them and enter the folders "
		"above them (chmod o+rX)\n",
		(unsigned)uid);
	errno = error;
	return -1;
}

/* Lets this user read the bot's files and the first process's program.  Returns
 * 0, or -1 and errno. */
static int
show_to(uid_t uid, struct sandbox_start *start,
	const struct sandbox_order *order)
{
	struct sandbox_sources *sources = &start->sources;
	bool is_open = sandbox_is_open_to(uid, order);

	if (!is_open || !is_open_to(uid, start->shim)) {
		start->fds.shim = open(start->shim, O_RDONLY | O_CLOEXEC);
		if (start->fds.shim < 0)
			return -1;
	}
	if (is_open)
		return 0;
	if (sandbox_open_up(sources, order->box, uid) < 0)
		return refuse_closed(uid, order);
	errno = EACCES;
	for (size_t i = 0; sources->see[i] != NULL; i++)
		if (!is_open_to(uid, sources->see[i]))
			return refuse_closed(uid, order);
	if (sources->folder != NULL && !is_open_to(uid, sources->folder))
		return refuse_closed(uid, order);
	return 0;
}

void
sandbox_enter(const struct sandbox_order *order)
{
	struct sandbox_start start = { .box = order->box,
				       .bwrap = sandbox_bwrap(),
				       .shim = sandbox_shim(),
				       .folder = order->folder,
				       .argv = order->argv };
	uid_t uid = sandbox_slot_uid(order->slot);

	if (start.bwrap == NULL || start.shim == NULL) {
		errno = ENOENT;
		return;
	}
	start.fds.shim = -1;
	start.fds.report = order->report;
	memcpy(start.fds.bot, order->fds, sizeof(start.fds.bot));
	sandbox_sources_set(&start.sources, order->box);
	if (uid != 0 && show_to(uid, &start, order) < 0)
		return;
	if (uid != 0)
		sandbox_give_pipes(uid, order->fds);
	if (settle_fds(&start) < 0 || (uid != 0 && become(uid) < 0) ||
	    chdir("/") < 0)
		return;
	execve(start.bwrap, sandbox_argv(&start), order->envp);
}
