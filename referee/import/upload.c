/* referee/import/upload.c - see upload.h.
 *
 * The process that imports gets its archive as standard input, and dies with
 * the daemon. */
#include "referee/import/upload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/file.h"
#include "protocol/text.h"
#include "referee/base/serve-limits.h"
#include "referee/base/subprocess.h"
#include "referee/import/import.h"

#define OUTPUT_BYTES 65536 /* of the process, the first of it */

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
	struct upload *first; /* the one that is imported, if: */
	unsigned count;
	struct subprocess *process; /* NULL: none */
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
keep_outcome(const struct uploads *uploads, int64_t bot, struct text *text)
{
	struct outcome *outcome = zeroed(1, sizeof(*outcome));

	outcome->job.read = write_outcome;
	outcome->job.done = on_outcome;
	import_path(uploads->data, "", "", outcome->folder);
	import_upload_path(uploads->data, bot, outcome->path);
	outcome->text = *text;
	*text = (struct text){ 0 };
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
log_outcome(struct uploads *uploads, const char *name, int status)
{
	const bool exited = WIFEXITED(status);

	log_event(uploads->logger, LOG_LEVEL_INFO, "upload-over",
		  exited ? "bot=%s code=%d" : "bot=%s signal=%d", name,
		  exited ? WEXITSTATUS(status) : WTERMSIG(status));
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

static void
on_end(void *arg, struct subprocess_end *end)
{
	struct uploads *uploads = arg;

	uploads->process = NULL;
	if (end->how == SUBPROCESS_LATE)
		text_str(&end->output, "It took too long.\n");
	else if (WIFSIGNALED(end->status))
		text_fmt(
			&end->output,
			"Its import was ended by signal %d; upload it again.\n",
			WTERMSIG(end->status));
	log_outcome(uploads, uploads->first->name, end->status);
	keep_outcome(uploads, uploads->first->bot, &end->output);
	forget(uploads);
	begin_next(uploads);
}

static struct subprocess *
start(const struct uploads *uploads)
{
	const char *const argv[] = { "referee",
				     "bots",
				     "add",
				     "/dev/stdin",
				     "--data",
				     uploads->data,
				     "--name",
				     uploads->first->name,
				     "--upload",
				     "--sandbox",
				     sandbox_wants[uploads->want],
				     "--sandbox-minimum",
				     sandbox_tiers[uploads->minimum],
				     NULL };

	return subprocess_start(
		&(struct subprocess_order){ .argv = argv,
					    .in = uploads->first->archive,
					    .most = OUTPUT_BYTES,
					    .ms = UPLOAD_MS });
}

static void
begin_next(struct uploads *uploads)
{
	struct text text;

	while (uploads->first != NULL && uploads->process == NULL) {
		uploads->process = start(uploads);
		if (uploads->process != NULL) {
			subprocess_watch(uploads->process, uploads->loop,
					 on_end, uploads);
			break;
		}
		text_init(&text, 256);
		text_fmt(&text, "The import failed: %s.\n", strerror(errno));
		keep_outcome(uploads, uploads->first->bot, &text);
		forget(uploads);
	}
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
	archive = subprocess_input(bytes, n);
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
	return uploads;
}

void
uploads_free(struct uploads *uploads)
{
	if (uploads == NULL)
		return;
	subprocess_free(uploads->process);
	while (uploads->first != NULL)
		forget(uploads);
	free(uploads->data);
	free(uploads);
}
