/* referee/spawner/spawner.c - the referee's side of the spawner.
 *
 * Why it is a process of its own: a bot must be forked from something small,
 * without threads and secrets, and must not outlive the referee, not even a
 * referee killed by SIGKILL or for lack of memory.  Only another process can
 * ensure that.  As the subreaper of all bots it also inherits what they leave
 * behind, so nothing escapes by a double fork.  If the referee were the
 * subreaper, it would have to tell bots from its own helpers.
 *
 *	referee ──requests, descriptors──> spawner ──fork, exec──> bots
 *	        <──answers, ends──────────         <──deaths────── and theirs
 *
 * The spawner sees the referee's death as end of file on its socket, and ends
 * everything.  If the spawner dies its bots are killed by their parent-death
 * signal and we see the end of the file here.
 *
 * Requests leave at once while the socket takes them, else they wait in a queue
 * with duplicates of their descriptors.  The spawner answers each request, so
 * while something waits an answer is due, and spawner_dispatch() then finds
 * room: there is no need to watch the socket for writing.
 *
 * The other side, and how bots are hunted, is in spawner-process.c. */
#include "referee/spawner/spawner-message.h"
#include "referee/spawner/spawner-process.h"
#include "referee/spawner/spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/sandbox/program-exec.h"

struct spawner_child {
	struct spawner_calls calls; /* all NULL once it was dropped */
	void *arg;
	uint32_t tag; /* its index in spawner->children */
	bool started;
};

/* A request that waits to be sent. */
struct waiting {
	struct waiting *next;
	int fds[3]; /* -1: none; owned while it waits */
	size_t bytes;
	struct spawner_request request; /* with its strings */
};

struct spawner {
	int fd;
	pid_t pid;
	bool gone;
	struct spawner_child **children; /* indexed by tag; NULL where free */
	uint32_t count;			 /* places in children[] */
	uint32_t next;			 /* the search for a free tag begins
					  * here */
	struct waiting *first, **last;	 /* requests that wait */
};

static const char *const steps[] = {
	[STEP_FORK] = "fork",
	[STEP_SETSID] = "setsid",
	[STEP_PRCTL] = "prctl",
	[STEP_SETRLIMIT] = "setrlimit",
	[STEP_CHDIR] = "chdir",
	[STEP_DUP] = "dup2",
	[STEP_CLOSE] = "close",
	[STEP_EXEC] = "exec",
	[STEP_EXEC_ANY] = "exec of any program",
	[STEP_EXEC_SOON] = "exec in 10 seconds",
	[STEP_SEND] = "send",
	[STEP_LANDLOCK] = "landlock",
	[STEP_BOX] = "sandbox",
	[STEP_SECCOMP] = "seccomp",
};

/* ---- life ------------------------------------------------------------- */

/* Waits for the spawner's first message.  Returns 0, or -1 and errno. */
static int
wait_until_ready(int fd)
{
	struct spawner_answer said;
	ssize_t n = RETRIED(recv(fd, &said, sizeof(said), 0));

	if (n < 0)
		return -1;
	errno = n == sizeof(said) ? said.error : ECHILD;
	return errno == 0 ? 0 : -1;
}

struct spawner *
spawner_new_below(pid_t above)
{
	struct spawner *spawner = zeroed(1, sizeof(*spawner));
	int pair[2];
	int error;

	spawner->last = &spawner->first;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
		free(spawner);
		return NULL;
	}
	spawner->fd = pair[0];
	spawner->pid = fork();
	if (spawner->pid == 0) {
		close(pair[0]);
		spawner_process(pair[1], above);
	}
	close_quietly(pair[1]);
	if (spawner->pid < 0 || wait_until_ready(spawner->fd) < 0) {
		error = errno;
		spawner_free(spawner);
		errno = error;
		return NULL;
	}
	return spawner;
}

struct spawner *
spawner_new(void)
{
	return spawner_new_below(0);
}

static void
waiting_free(struct waiting *waiting)
{
	for (int i = 0; i < 3; i++)
		if (waiting->fds[i] >= 0)
			close(waiting->fds[i]);
	free(waiting);
}

static struct waiting *
queue_take(struct spawner *spawner)
{
	struct waiting *waiting = spawner->first;

	spawner->first = waiting->next;
	if (spawner->first == NULL)
		spawner->last = &spawner->first;
	return waiting;
}

void
spawner_free(struct spawner *spawner)
{
	if (spawner == NULL)
		return;
	close(spawner->fd);
	if (spawner->pid > 0)
		RETRIED(waitpid(spawner->pid, NULL, 0));
	while (spawner->first != NULL)
		waiting_free(queue_take(spawner));
	for (uint32_t i = 0; i < spawner->count; i++)
		free(spawner->children[i]);
	free(spawner->children);
	free(spawner);
}

int
spawner_fd(const struct spawner *spawner)
{
	return spawner->fd;
}

/* ---- children by number ------------------------------------------------ */

/* Returns a new child with a free tag. */
static struct spawner_child *
child_new(struct spawner *spawner, const struct spawner_calls *calls, void *arg)
{
	struct spawner_child *child = memory(NULL, sizeof(*child));
	uint32_t looked = 0;

	while (looked < spawner->count &&
	       spawner->children[spawner->next] != NULL) {
		spawner->next = (spawner->next + 1) % spawner->count;
		looked++;
	}
	if (looked == spawner->count) {
		spawner->next = spawner->count;
		(void)ADDED(spawner->children, spawner->count);
	}
	*child = (struct spawner_child){ .calls = *calls,
					 .arg = arg,
					 .tag = spawner->next };
	spawner->children[child->tag] = child;
	return child;
}

static void
child_free(struct spawner *spawner, struct spawner_child *child)
{
	spawner->children[child->tag] = NULL;
	free(child);
}

/* The last callbacks.  The handle is invalid before they run. */
static void
child_failed(struct spawner *spawner, struct spawner_child *child,
	     enum spawner_step step, int error)
{
	struct spawner_child was = *child;

	child_free(spawner, child);
	if (was.calls.failed != NULL)
		was.calls.failed(was.arg, steps[step], error);
}

static void
child_ended(struct spawner *spawner, struct spawner_child *child,
	    const struct spawner_end *end)
{
	struct spawner_child was = *child;

	child_free(spawner, child);
	if (was.calls.ended != NULL)
		was.calls.ended(was.arg, end);
}

/* ---- requests ----------------------------------------------------------- */

static bool
has_hung_up(int error)
{
	return error == EPIPE || error == ECONNRESET;
}

/* Sends a request.  Returns 1; 0 if there is no room now; -1 and errno. */
static int
request_send(const struct spawner *spawner, struct waiting *waiting)
{
	_Alignas(8) char control[CMSG_SPACE(sizeof(waiting->fds))] = { 0 };
	struct iovec part = { .iov_base = &waiting->request,
			      .iov_len = waiting->bytes };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *rights = (void *)control;

	if (waiting->fds[0] >= 0) {
		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(sizeof(waiting->fds));
		memcpy(CMSG_DATA(rights), waiting->fds, sizeof(waiting->fds));
	}
	if (sendmsg(spawner->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
		return 1;
	/* Too many descriptors in flight is a lack of room, too. */
	if (errno == EAGAIN || errno == EINTR || errno == ENOBUFS ||
	    errno == ETOOMANYREFS)
		return 0;
	return -1;
}

/* Takes over the request and duplicates its descriptors.  Returns 0, or -1 and
 * errno.  The request is freed in either case, now or later. */
static int
queue_add(struct spawner *spawner, struct waiting *waiting)
{
	bool full = false;

	for (int i = 0; i < 3; i++) {
		if (waiting->fds[i] < 0)
			continue;
		waiting->fds[i] = fcntl(waiting->fds[i], F_DUPFD_CLOEXEC, 3);
		full |= waiting->fds[i] < 0;
	}
	if (full) {
		waiting_free(waiting);
		errno = EMFILE;
		return -1;
	}
	waiting->next = NULL;
	*spawner->last = waiting;
	spawner->last = &waiting->next;
	return 0;
}

/* Sends a request or lets it wait.  Returns 0, or -1 and errno. */
static int
request_submit(struct spawner *spawner, struct waiting *waiting)
{
	int sent = 0;
	int error;

	if (spawner->first == NULL)
		sent = request_send(spawner, waiting);
	if (sent == 0)
		return queue_add(spawner, waiting);
	error = errno;
	free(waiting); /* the descriptors are still the caller's */
	errno = error;
	return sent < 0 ? -1 : 0;
}

static struct waiting *
request_new(enum spawner_request_kind kind, uint32_t tag, size_t strings)
{
	struct waiting *waiting = zeroed(1, sizeof(*waiting) + strings);

	for (int i = 0; i < 3; i++)
		waiting->fds[i] = -1;
	waiting->bytes = sizeof(waiting->request) + strings;
	waiting->request.kind = kind;
	waiting->request.tag = tag;
	return waiting;
}

static size_t
strings_count(char *const *strings, uint32_t *count)
{
	size_t bytes = 0;

	for (*count = 0; strings != NULL && strings[*count] != NULL; ++*count)
		bytes += strlen(strings[*count]) + 1;
	return bytes;
}

static char *
strings_add(char *at, char *const *strings, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		at = stpcpy(at, strings[i]) + 1;
	return at;
}

/* Makes the request of a start.  Returns NULL and errno on failure. */
static struct waiting *
request_start(const struct spawner_task *task)
{
	static const struct sandbox_box bare = { .tier = SANDBOX_NONE };
	const struct sandbox_box *box = task->box != NULL ? task->box : &bare;
	const char *folder = task->folder == NULL ? "" : task->folder;
	const char *own = box->folder == NULL ? "" : box->folder;
	struct spawner_request head = { .kind = REQUEST_START, .box = *box };
	size_t bytes = strlen(folder) + 1, box_bytes = strlen(own) + 1;
	struct waiting *waiting;
	char *at;

	bytes += strings_count(task->argv, &head.args);
	bytes += strings_count(task->extra, &head.extras);
	box_bytes += strings_count(box->see, &head.sees);
	box_bytes += strings_count(box->hide, &head.hides);
	if (head.args == 0)
		bug("a bot without a command line");
	if (bytes > SPAWNER_REQUEST_BYTES ||
	    box_bytes > SPAWNER_REQUEST_BYTES) {
		errno = E2BIG;
		return NULL;
	}
	waiting = request_new(REQUEST_START, 0, bytes + box_bytes);
	memcpy(waiting->fds, task->fds, sizeof(waiting->fds));
	waiting->request = head;
	at = stpcpy(waiting->request.strings, folder) + 1;
	at = strings_add(at, task->argv, head.args);
	at = strings_add(at, task->extra, head.extras);
	at = stpcpy(at, own) + 1;
	at = strings_add(at, box->see, head.sees);
	strings_add(at, box->hide, head.hides);
	return waiting;
}

struct spawner_child *
spawner_start(struct spawner *spawner, const struct spawner_task *task,
	      const struct spawner_calls *calls, void *arg)
{
	struct waiting *waiting;
	struct spawner_child *child;
	int error;

	errno = EPIPE;
	waiting = spawner->gone ? NULL : request_start(task);
	if (waiting == NULL)
		return NULL;
	child = child_new(spawner, calls, arg);
	waiting->request.tag = child->tag;
	if (request_submit(spawner, waiting) < 0) {
		error = errno;
		child_free(spawner, child);
		errno = error;
		return NULL;
	}
	return child;
}

void
spawner_kill(struct spawner *spawner, struct spawner_child *child)
{
	struct waiting *waiting = request_new(REQUEST_KILL, child->tag, 0);

	/* Only a spawner that is gone refuses, and its bots are gone with it.
	 * The next dispatch says so. */
	if (request_submit(spawner, waiting) < 0 && !has_hung_up(errno))
		bug("cannot ask for a kill: %m");
}

void
spawner_drop(struct spawner *spawner, struct spawner_child *child)
{
	child->calls = (struct spawner_calls){ .started = NULL };
	spawner_kill(spawner, child);
}

/* ---- answers ------------------------------------------------------------ */

/* Handles a request that the kernel will never take. */
static void
refused(struct spawner *spawner, const struct waiting *waiting, int error)
{
	if (waiting->request.kind == REQUEST_KILL)
		bug("cannot ask for a kill: %s", strerror(error));
	child_failed(spawner, spawner->children[waiting->request.tag],
		     STEP_SEND, error);
}

static void
flush(struct spawner *spawner)
{
	struct waiting *waiting;
	int sent, error;

	while (spawner->first != NULL) {
		sent = request_send(spawner, spawner->first);
		/* Reading the end of file will clean up. */
		if (sent == 0 || (sent < 0 && has_hung_up(errno)))
			return;
		error = errno;
		waiting = queue_take(spawner);
		if (sent < 0)
			refused(spawner, waiting, error);
		waiting_free(waiting);
	}
}

static void
answered(struct spawner *spawner, const struct spawner_answer *said)
{
	struct spawner_child *child;

	if (said->kind == ANSWER_HEARD)
		return;
	if (said->tag >= spawner->count || spawner->children[said->tag] == NULL)
		bug("the spawner answers for an unknown child %u", said->tag);
	child = spawner->children[said->tag];
	switch (said->kind) {
	case ANSWER_STARTED:
		child->started = true;
		if (child->calls.started != NULL)
			child->calls.started(child->arg, said->pid);
		break;
	case ANSWER_FAILED:
		child_failed(spawner, child, said->step, said->error);
		break;
	case ANSWER_ENDED:
		child_ended(spawner, child, &said->end);
		break;
	default:
		bug("the spawner answers %u", said->kind);
	}
}

static void
lose_all(struct spawner *spawner)
{
	const struct spawner_end end = { .status = SIGKILL, .lost = true };
	struct spawner_child *child;

	spawner->gone = true;
	for (uint32_t i = 0; i < spawner->count; i++) {
		child = spawner->children[i];
		if (child == NULL)
			continue;
		if (child->started)
			child_ended(spawner, child, &end);
		else
			child_failed(spawner, child, STEP_SEND, EPIPE);
	}
}

int
spawner_dispatch(struct spawner *spawner)
{
	struct spawner_answer said;
	ssize_t n;

	if (spawner->gone)
		return -1;
	for (;;) {
		flush(spawner);
		n = recv(spawner->fd, &said, sizeof(said), MSG_DONTWAIT);
		if (n == sizeof(said)) {
			answered(spawner, &said);
		} else if (n < 0 && errno == EAGAIN) {
			return 0;
		} else if (n >= 0 || errno != EINTR) {
			lose_all(spawner);
			return -1;
		}
	}
}

/* ---- what it says of itself --------------------------------------------- */

bool
spawner_is_machine(const char *step, int error)
{
	if (strcmp(step, steps[STEP_EXEC]) == 0)
		return program_is_shortage(error);
	if (strcmp(step, steps[STEP_CHDIR]) == 0)
		return program_is_shortage(error) || error == EIO;
	return true;
}
