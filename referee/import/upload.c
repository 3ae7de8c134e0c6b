/* referee/import/upload.c - see upload.h.
 *
 * The process that imports gets its archive as standard input, and dies with
 * the daemon. */
#include "referee/import/upload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/roster-owner.h"
#include "protocol/clock.h"
#include "protocol/file.h"
#include "referee/base/fair.h"
#include "referee/base/serve-limits.h"
#include "referee/base/subprocess.h"
#include "referee/import/import.h"

#define OUTPUT_BYTES 65536 /* the first bytes of the process's output */

struct upload {
	struct fair_entry turn; /* first member; counts for its owner */
	int64_t bot;		/* number of the bot, which no rename changes */
	uint64_t number;	/* its own */
	char name[NAME_BYTES + 1]; /* name of the bot when it was sent in */
	/* That of the upload in whose place it waits, or "". */
	char replaced[NAME_BYTES + 1];
	char by[ROSTER_BY_BYTES + 1]; /* who has sent it */
	char from[UPLOAD_FROM_BYTES]; /* address that it came from, or "" */
	int archive;		      /* descriptor of the archive in memory */
	bool trial;
	bool later; /* while it was imported another one of the bot came */
};

struct uploads {
	struct loop *loop;
	struct thread *thread;
	struct logger *logger;
	struct roster *roster;
	char *data; /* owned */
	enum sandbox_want want;
	enum sandbox_tier minimum;
	struct fair waiting;
	uint64_t last;	    /* number of the last upload */
	struct upload *now; /* the upload that is being imported; NULL: none */
	struct subprocess *process;
	uint64_t since_us; /* time since its import began */
};

static void begin_next(struct uploads *uploads);

/* ---- what became of it ------------------------------------------------ */

struct outcome {
	struct thread_task task; /* first member: the thread gives it back */
	char folder[IMPORT_PATH_BYTES], path[IMPORT_PATH_BYTES + 64];
	struct text text;
};

/* Writes an outcome.  A failure is passed over, because the log has the
 * outcome, too. */
static void
write_outcome(struct thread_task *task)
{
	struct outcome *outcome = (struct outcome *)task;

	mkdir(outcome->folder, 0700);
	(void)!file_replace(outcome->path, ".new", 0600, outcome->text.bytes,
			    outcome->text.used);
}

static void
on_outcome(struct thread_task *task, bool read UNUSED)
{
	struct outcome *outcome = (struct outcome *)task;

	text_release(&outcome->text);
	free(outcome);
}

/* Keeps an outcome and takes over the text. */
static void
keep_outcome(const struct uploads *uploads, int64_t bot, struct text *text)
{
	struct outcome *outcome = zeroed(1, sizeof(*outcome));

	outcome->task.read = write_outcome;
	outcome->task.done = on_outcome;
	import_path(uploads->data, "", "", outcome->folder);
	import_upload_path(uploads->data, bot, outcome->path);
	outcome->text = *text;
	*text = (struct text){ 0 };
	thread_ask(uploads->thread, &outcome->task);
}

static void
keep_sentence(const struct uploads *uploads, int64_t bot, const char *sentence)
{
	struct text text = { .max = 512 };

	text_str(&text, sentence);
	keep_outcome(uploads, bot, &text);
}

/* Written before the import, so that the next start knows of an import that we
 * do not finish. */
static const char taken[] =
	"The upload was accepted; its import has not finished. If the referee "
	"stops before, it says so here when it starts again.\n";

/* Returns true if an upload for the bot was taken and has no outcome. */
static bool
is_lost(const struct uploads *uploads, int64_t bot)
{
	char path[IMPORT_PATH_BYTES], found[sizeof(taken) + 1];

	import_upload_path(uploads->data, bot, path);
	return file_peek(found, sizeof(found), "%s", path) > 0 &&
	       strcmp(found, taken) == 0;
}

static void
tell_lost(void *arg, const struct roster_bot *bot)
{
	struct uploads *uploads = arg;

	if (bot->state == ROSTER_DELETED || !is_lost(uploads, bot->number))
		return;
	log_event(uploads->logger, LOG_LEVEL_WARN, "upload-lost", "bot=%s",
		  bot->name);
	keep_sentence(uploads, bot->number,
		      UPLOAD_FAILED "the referee stopped before; upload it "
				    "again.\n");
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
forget(struct upload *upload)
{
	if (upload == NULL)
		return;
	close(upload->archive);
	free(upload);
}

/* Counts a long import like several.  A failure to count is passed over. */
static void
count_time(struct uploads *uploads)
{
	const char *owner = uploads->now->turn.who;
	uint64_t more = (clock_us() - uploads->since_us) /
			(UPLOAD_COUNTS_MS * UINT64_C(1000));
	struct error why;

	if (owner[0] != '\0' && more > 0)
		(void)!roster_add_count(uploads->roster, ROSTER_UPLOADS, owner,
					roster_today(), (int64_t)more, &why);
}

/* Appends the output of the import, and that it failed if so: then the output begins
 * with the error. */
static void
tell_end(const struct subprocess_end *end, struct text *told)
{
	static const char error[] = "referee: ";
	const char *bytes = end->output.bytes;
	size_t n = end->output.used;

	if (end->how == SUBPROCESS_LATE)
		text_fmt(told,
			 UPLOAD_FAILED "it took longer than %d seconds.\n",
			 UPLOAD_MS / 1000);
	else if (WIFSIGNALED(end->status))
		text_fmt(told,
			 UPLOAD_FAILED
			 "it was ended by signal %d; upload it again.\n",
			 WTERMSIG(end->status));
	else if (WEXITSTATUS(end->status) != 0)
		text_str(told, UPLOAD_FAILED);
	if (n >= strlen(error) && memcmp(bytes, error, strlen(error)) == 0) {
		bytes += strlen(error);
		n -= strlen(error);
	}
	text_add(told, bytes, n);
}

static void
on_end(void *arg, struct subprocess_end *end)
{
	struct uploads *uploads = arg;
	struct text told = { .max = OUTPUT_BYTES + 256 };

	uploads->process = NULL;
	tell_end(end, &told);
	log_outcome(uploads, uploads->now->name, end->status);
	/* The file tells of the last upload, which may be over already. */
	if (uploads->now->later)
		text_release(&told);
	else
		keep_outcome(uploads, uploads->now->bot, &told);
	count_time(uploads);
	forget(uploads->now);
	uploads->now = NULL;
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
				     uploads->now->name,
				     "--upload",
				     "--sandbox",
				     sandbox_wants[uploads->want],
				     "--sandbox-minimum",
				     sandbox_tiers[uploads->minimum],
				     uploads->now->trial ? "--trial" : NULL,
				     NULL };

	return subprocess_start(
		&(struct subprocess_order){ .argv = argv,
					    .in = uploads->now->archive,
					    .most = OUTPUT_BYTES,
					    .ms = UPLOAD_MS });
}

static void
begin_next(struct uploads *uploads)
{
	struct text text;

	while (uploads->now == NULL &&
	       (uploads->now = (struct upload *)fair_take(&uploads->waiting)) !=
		       NULL) {
		uploads->since_us = clock_us();
		uploads->process = start(uploads);
		if (uploads->process != NULL) {
			subprocess_watch(uploads->process, uploads->loop,
					 on_end, uploads);
			break;
		}
		text_init(&text, 256);
		text_fmt(&text, UPLOAD_FAILED "%s.\n", strerror(errno));
		keep_outcome(uploads, uploads->now->bot, &text);
		forget(uploads->now);
		uploads->now = NULL;
	}
}

/* ---- those that wait -------------------------------------------------- */

int
uploads_place(const struct uploads *uploads, int64_t bot)
{
	const struct fair_entry *turn;
	int before = uploads->now != NULL;

	TAILQ_FOREACH(turn, &uploads->waiting.entries, at)
	{
		if (((const struct upload *)turn)->bot == bot)
			return before;
		before++;
	}
	return uploads->now != NULL && uploads->now->bot == bot ? 0 : -1;
}

uint64_t
uploads_last(const struct uploads *uploads)
{
	return uploads->last;
}

enum upload_at
uploads_find(const struct uploads *uploads, uint64_t number)
{
	const struct fair_entry *turn;

	if (uploads->now != NULL && uploads->now->number == number)
		return UPLOAD_NOW;
	TAILQ_FOREACH(turn, &uploads->waiting.entries, at)
	if (((const struct upload *)turn)->number == number)
		return UPLOAD_WAITS;
	return UPLOAD_GONE;
}

const char *
uploads_replaced(const struct uploads *uploads, int64_t bot)
{
	const struct upload *upload = uploads->now;
	const struct fair_entry *turn;

	TAILQ_FOREACH(turn, &uploads->waiting.entries, at)
	if (((const struct upload *)turn)->bot == bot)
		upload = (const struct upload *)turn;
	return upload != NULL && upload->bot == bot &&
			       upload->replaced[0] != '\0'
		       ? upload->replaced
		       : NULL;
}

const char *
uploads_by(const struct uploads *uploads, const char *name)
{
	const struct upload *now = uploads->now;

	return now != NULL && strcmp(now->name, name) == 0 ? now->by : NULL;
}

/* Replaces a waiting upload by one of the same owner. */
static void
replace(struct uploads *uploads, struct upload *upload,
	const struct roster_bot *by)
{
	struct text text = { .max = 256 };

	log_event(uploads->logger, LOG_LEVEL_INFO, "upload-replaced",
		  "bot=%s by=%s", upload->name, by->name);
	close(upload->archive);
	memcpy(upload->replaced, upload->name, sizeof(upload->replaced));
	if (upload->bot == by->number)
		return;
	text_fmt(&text,
		 UPLOAD_FAILED "an upload of %s, which has the same owner, "
			       "came before its turn did. Upload it again.\n",
		 by->name);
	keep_outcome(uploads, upload->bot, &text);
}

/* Returns how often an owner has sent in today; a long import counts more.
 * -1: that cannot be read. */
static int64_t
sent_today(const struct uploads *uploads, const char *owner)
{
	int64_t count = 0;
	struct error ignored;

	if (owner[0] != '\0' &&
	    roster_count(uploads->roster, ROSTER_UPLOADS, owner, roster_today(),
			 &count, &ignored) < 0)
		return -1;
	return count;
}

static unsigned
count_from(const struct uploads *uploads, const char *from)
{
	const struct fair_entry *turn;
	unsigned count = 0;

	TAILQ_FOREACH(turn, &uploads->waiting.entries, at)
	count += strcmp(((const struct upload *)turn)->from, from) == 0;
	return from[0] == '\0' ? 0 : count;
}

/* Returns the last upload from the address that has the most places, if these are
 * more than UPLOADS_WAITING_PER_ADDRESS, and still as many as those of this address
 * after it has made room; else NULL.  Its owner has sent in at least as much as this
 * one.  An address that is not counted gets nothing. */
static struct upload *
find_crowded(const struct uploads *uploads, const char *from, int64_t sent)
{
	unsigned count, most = count_from(uploads, from) + 2;
	struct fair_entry *turn, *found = NULL;

	if (from[0] == '\0')
		return NULL;
	if (most <= UPLOADS_WAITING_PER_ADDRESS)
		most = UPLOADS_WAITING_PER_ADDRESS + 1;
	TAILQ_FOREACH(turn, &uploads->waiting.entries, at)
	{
		count = count_from(uploads, ((struct upload *)turn)->from);
		if (count < most || sent_today(uploads, turn->who) < sent)
			continue;
		most = count;
		found = turn;
	}
	return (struct upload *)found;
}

/* Returns the last upload of the owner who has sent in most today, if that is
 * more than this owner has; else NULL. */
static struct upload *
find_greedy(const struct uploads *uploads, const char *owner, int64_t sent)
{
	struct fair_entry *turn, *found = NULL;
	int64_t count, most = sent + 1;

	if (owner[0] == '\0')
		return NULL;
	TAILQ_FOREACH(turn, &uploads->waiting.entries, at)
	{
		count = sent_today(uploads, turn->who);
		if (count < most)
			continue;
		most = count;
		found = turn;
	}
	return (struct upload *)found;
}

/* Returns the upload that makes room for one of this owner from this address; else
 * NULL, also if it cannot be read how often the owner has sent in today (-1). */
static struct upload *
find_yielding(const struct uploads *uploads, const char *owner,
	      const char *from, int64_t sent)
{
	struct upload *found;

	if (sent < 0)
		return NULL;
	found = find_crowded(uploads, from, sent);
	return found != NULL ? found : find_greedy(uploads, owner, sent);
}

/* Drops a waiting upload for one of another owner. */
static void
yield(struct uploads *uploads, struct upload *upload,
      const struct roster_bot *to)
{
	log_event(uploads->logger, LOG_LEVEL_INFO, "upload-replaced",
		  "bot=%s by=%s", upload->name, to->name);
	keep_sentence(uploads, upload->bot,
		      UPLOAD_FAILED
		      "too many uploads were waiting, and it made room for "
		      "one whose owner had sent in less today, or that came "
		      "from elsewhere. Upload it again later.\n");
	fair_remove(&uploads->waiting, &upload->turn);
	forget(upload);
}

/* Finds the upload whose place a new one would take: `*own` of its owner, or `*yields`
 * of another one; NULL: none.  Returns NULL, or why it would find no place. */
static const char *
find_place(const struct uploads *uploads, const struct roster_bot *bot,
	   const char *from, int64_t sent, struct upload **own,
	   struct upload **yields)
{
	*own = (struct upload *)fair_first(&uploads->waiting, bot->owner);
	*yields = NULL;
	/* Bots without an owner share this place. */
	if (*own != NULL && bot->owner[0] == '\0' && (*own)->bot != bot->number)
		return "an upload of another bot without an owner is waiting; "
		       "try again later";
	if (*own == NULL && uploads->waiting.count == UPLOADS_WAITING) {
		*yields = find_yielding(uploads, bot->owner, from, sent);
		if (*yields == NULL)
			return "too many uploads are waiting; try again later";
	}
	return NULL;
}

const char *
uploads_full(const struct uploads *uploads, const struct roster_bot *bot,
	     const char *from, int64_t sent)
{
	struct upload *own, *yields;

	return find_place(uploads, bot, from, sent, &own, &yields);
}

const char *
uploads_take(struct uploads *uploads, const struct roster_bot *bot,
	     const struct upload_sender *sender, bool trial, const char *bytes,
	     size_t n)
{
	struct upload *upload, *yields;
	const char *wrong =
		find_place(uploads, bot, sender->from,
			   sent_today(uploads, bot->owner), &upload, &yields);
	int archive;

	if (wrong != NULL)
		return wrong;
	archive = subprocess_input(bytes, n);
	if (archive < 0)
		return "the referee has no memory for the upload now; try "
		       "again later";
	if (yields != NULL)
		yield(uploads, yields, bot);
	if (upload == NULL) {
		upload = zeroed(1, sizeof(*upload));
		fair_add(&uploads->waiting, &upload->turn, bot->owner, 0);
	} else {
		replace(uploads, upload, bot);
	}
	upload->bot = bot->number;
	upload->number = ++uploads->last;
	upload->trial = trial;
	snprintf(upload->by, sizeof(upload->by), "%s", sender->by);
	snprintf(upload->from, sizeof(upload->from), "%s", sender->from);
	memcpy(upload->name, bot->name, sizeof(upload->name));
	upload->archive = archive;
	keep_sentence(uploads, bot->number, taken);
	if (uploads->now != NULL && uploads->now->bot == bot->number)
		uploads->now->later = true;
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
uploads_new(struct loop *loop, struct thread *thread, struct logger *logger,
	    struct roster *roster, const char *data)
{
	struct uploads *uploads = zeroed(1, sizeof(*uploads));
	struct error why;

	uploads->loop = loop;
	uploads->thread = thread;
	uploads->logger = logger;
	uploads->roster = roster;
	fair_init(&uploads->waiting);
	uploads->data = copied(data);
	/* Other code reports a roster that cannot be read. */
	(void)!roster_list(roster, tell_lost, uploads, &why);
	return uploads;
}

void
uploads_free(struct uploads *uploads)
{
	if (uploads == NULL)
		return;
	subprocess_free(uploads->process);
	do {
		forget(uploads->now);
		uploads->now = (struct upload *)fair_take(&uploads->waiting);
	} while (uploads->now != NULL);
	free(uploads->data);
	free(uploads);
}
