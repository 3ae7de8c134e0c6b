/* referee/import/upload.c - see upload.h.
 *
 * The process that imports gets its archive as standard input, and dies with
 * the daemon. */
#include "referee/import/upload.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/file.h"
#include "protocol/text.h"
#include "referee/base/serve-limits.h"
#include "referee/import/import.h"

#define OUTPUT_BYTES 65536 /* of the process, the first of it */
#define PART_BYTES 4096

struct upload {
	struct upload *next;
	int64_t bot;		   /* its number, whatever it is called */
	char name[NAME_BYTES + 1]; /* when it was sent in */
	int archive;		   /* in memory */
};

struct uploads {
	struct loop *loop;
	struct worker_thread *thread;
	struct logger *logger;
	char *data; /* owned */
	enum sandbox_want want;
	enum sandbox_tier minimum;
	struct upload *first; /* the one that is imported, if `pid` */
	unsigned count;
	pid_t pid; /* 0: none */
	int output;
	struct event *event, *limit;
	bool late;
	struct text text;
};

static void begin_next(struct uploads *uploads);

/* ---- what became of it ------------------------------------------------ */

struct outcome {
	struct worker_thread_job
		job; /* first: the worker thread gives it back */
	char folder[IMPORT_PATH_BYTES], path[IMPORT_PATH_BYTES + 64];
	struct text text;
};

/* One cannot be written is not told; the log has it. */
static void
write_outcome(struct worker_thread_job *job)
{
	struct outcome *outcome = (struct outcome *)job;
	char path[IMPORT_PATH_BYTES + 80];
	int fd;

	snprintf(path, sizeof(path), "%s.new", outcome->path);
	mkdir(outcome->folder, 0700);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
		  0600);
	if (fd < 0)
		return;
	if (file_write(fd, outcome->text.bytes, outcome->text.used) == 0)
		rename(path, outcome->path);
	close(fd);
}

static void
on_outcome(struct worker_thread_job *job, bool read UNUSED)
{
	struct outcome *outcome = (struct outcome *)job;

	text_release(&outcome->text);
	free(outcome);
}

/* Takes the text over. */
static void
keep_outcome(const struct uploads *uploads, int64_t bot,
	     const struct text *text)
{
	struct outcome *outcome = zeroed(1, sizeof(*outcome));

	outcome->job.read = write_outcome;
	outcome->job.done = on_outcome;
	import_path(uploads->data, "", "", outcome->folder);
	import_upload_path(uploads->data, bot, outcome->path);
	outcome->text = *text;
	worker_thread_ask(uploads->thread, &outcome->job);
}

/* On disk before it is imported: it is all that is told if we end first. */
static void
keep_taken(const struct uploads *uploads, int64_t bot)
{
	struct text text;

	text_init(&text, 256);
	text_str(&text, "The upload was accepted, but its import has not "
			"finished. If no import is running or waiting, the "
			"referee stopped before: upload it again.\n");
	keep_outcome(uploads, bot, &text);
}

static void
keep_end(struct uploads *uploads, int64_t bot)
{
	keep_outcome(uploads, bot, &uploads->text);
	text_init(&uploads->text, OUTPUT_BYTES + 256);
}

static void
log_outcome(struct uploads *uploads, const char *name, int status)
{
	struct log_line line;

	log_begin(&line, uploads->logger, LOG_LEVEL_INFO, "upload-over");
	log_str(&line, "bot", name);
	if (WIFEXITED(status))
		log_num(&line, "code", WEXITSTATUS(status));
	else
		log_num(&line, "signal", WTERMSIG(status));
	log_end(&line);
}

/* ---- the process ------------------------------------------------------ */

static void
forget(struct uploads *uploads)
{
	struct upload *upload = uploads->first;

	uploads->first = upload->next;
	uploads->count--;
	close(upload->archive);
	free(upload);
}

/* Its output has ended, and so has it, or is about to. */
static void
end(struct uploads *uploads)
{
	int status = 0;

	kill(uploads->pid, SIGKILL); /* it has closed its output: no more */
	while (waitpid(uploads->pid, &status, 0) < 0 && errno == EINTR)
		;
	uploads->pid = 0;
	event_del(uploads->limit);
	event_free(uploads->event);
	close(uploads->output);
	if (uploads->late)
		text_str(&uploads->text, "It took too long.\n");
	else if (WIFSIGNALED(status))
		text_fmt(
			&uploads->text,
			"Its import was ended by signal %d; upload it again.\n",
			WTERMSIG(status));
	log_outcome(uploads, uploads->first->name, status);
	keep_end(uploads, uploads->first->bot);
	forget(uploads);
}

static void
on_output(evutil_socket_t fd, short what UNUSED, void *arg)
{
	struct uploads *uploads = arg;
	char bytes[PART_BYTES];
	ssize_t n = read(fd, bytes, sizeof(bytes));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0) {
		if (uploads->text.used + (size_t)n <= OUTPUT_BYTES)
			text_add(&uploads->text, bytes, (size_t)n);
		return;
	}
	end(uploads);
	begin_next(uploads);
}

static void
on_limit(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct uploads *uploads = arg;

	uploads->late = true;
	kill(uploads->pid, SIGKILL); /* which ends its output */
}

/* In the child. */
static void
become(const struct uploads *uploads, int archive, int output, pid_t parent)
{
	char *const argv[] = {
		(char *)(uintptr_t) "referee",
		(char *)(uintptr_t) "bots",
		(char *)(uintptr_t) "add",
		(char *)(uintptr_t) "/dev/stdin",
		(char *)(uintptr_t) "--data",
		(char *)(uintptr_t)uploads->data,
		(char *)(uintptr_t) "--name",
		(char *)(uintptr_t)uploads->first->name,
		(char *)(uintptr_t) "--upload",
		(char *)(uintptr_t) "--sandbox",
		(char *)(uintptr_t)sandbox_wants[uploads->want],
		(char *)(uintptr_t) "--sandbox-minimum",
		(char *)(uintptr_t)sandbox_tiers[uploads->minimum],
		NULL,
	};
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(archive, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent)
		execv("/proc/self/exe", argv);
	_exit(127);
}

static int
spawn(struct uploads *uploads)
{
	const pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	uploads->pid = fork();
	if (uploads->pid == 0)
		become(uploads, uploads->first->archive, ends[1], parent);
	close(ends[1]);
	if (uploads->pid < 0) {
		uploads->pid = 0;
		close(ends[0]);
		return -1;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	return ends[0];
}

static void
begin_next(struct uploads *uploads)
{
	while (uploads->first != NULL && uploads->pid == 0) {
		uploads->output = spawn(uploads);
		if (uploads->output >= 0)
			break;
		text_fmt(&uploads->text, "The import failed: %s.\n",
			 strerror(errno));
		keep_end(uploads, uploads->first->bot);
		forget(uploads);
	}
	uploads->late = false;
	if (uploads->first == NULL)
		return;
	uploads->event = loop_reads(uploads->loop->base, uploads->output,
				    on_output, uploads);
	loop_after_us(uploads->limit, UPLOAD_MS * UINT64_C(1000));
}

/* ---- those that wait -------------------------------------------------- */

bool
uploads_has(const struct uploads *uploads, int64_t bot)
{
	const struct upload *upload = uploads->first;

	while (upload != NULL && upload->bot != bot)
		upload = upload->next;
	return upload != NULL;
}

/* A file in memory with these bytes, or -1. */
static int
make_archive(const char *bytes, size_t n)
{
	int fd = memfd_create("upload", MFD_CLOEXEC);

	if (fd < 0 || file_write(fd, bytes, n) == 0)
		return fd;
	close(fd);
	return -1;
}

const char *
uploads_take(struct uploads *uploads, const struct roster_bot *bot,
	     const char *bytes, size_t n)
{
	struct upload *upload, **at = &uploads->first;
	int archive;

	if (uploads_has(uploads, bot->number))
		return "your previous upload is not imported yet; try again "
		       "later";
	if (uploads->count == UPLOADS_WAITING)
		return "too many uploads are waiting; try again later";
	archive = make_archive(bytes, n);
	if (archive < 0)
		return "the referee has no memory for the upload now; try "
		       "again later";
	upload = zeroed(1, sizeof(*upload));
	upload->bot = bot->number;
	memcpy(upload->name, bot->name, sizeof(upload->name));
	upload->archive = archive;
	while (*at != NULL)
		at = &(*at)->next;
	*at = upload;
	uploads->count++;
	keep_taken(uploads, bot->number);
	if (uploads->pid == 0)
		begin_next(uploads);
	return NULL;
}

/* ---- life ------------------------------------------------------------- */

void
uploads_set(struct uploads *uploads, enum sandbox_want want,
	    enum sandbox_tier minimum)
{
	uploads->want = want;
	uploads->minimum = minimum;
}

struct uploads *
uploads_new(struct loop *loop, struct worker_thread *thread,
	    struct logger *logger, const char *data)
{
	struct uploads *uploads = zeroed(1, sizeof(*uploads));

	uploads->loop = loop;
	uploads->thread = thread;
	uploads->logger = logger;
	uploads->data = copied(data);
	uploads->limit = loop_timer(loop->base, on_limit, uploads);
	text_init(&uploads->text, OUTPUT_BYTES + 256);
	return uploads;
}

void
uploads_free(struct uploads *uploads)
{
	if (uploads == NULL)
		return;
	if (uploads->pid != 0) {
		kill(uploads->pid, SIGKILL);
		while (waitpid(uploads->pid, NULL, 0) < 0 && errno == EINTR)
			;
		event_free(uploads->event);
		close(uploads->output);
	}
	while (uploads->first != NULL)
		forget(uploads);
	event_free(uploads->limit);
	text_release(&uploads->text);
	free(uploads->data);
	free(uploads);
}
