/* referee/web/opinion-queue.c - see opinion-queue.h. */
#include "referee/web/opinion-queue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/roster-owner.h"
#include "referee/base/fair.h"
#include "referee/base/serve-limits.h"
#include "referee/base/thread.h"
#include "referee/records/opinion-run.h"
#include "referee/records/opinion.h"

/* More than a day has milliseconds, so clients that did not sit in the game come
 * after all who did. */
#define RANK_OF_OTHERS 1000000000

/* The opinion on one seat of a game. */
struct kept {
	char id[ID_BYTES + 1];
	unsigned seat;
	enum opinion_state state; /* COMING, FAILED or READY */
	uint64_t at_us;		  /* when it failed */
	struct text output;
	double loss; /* of the worst decision; 0: none is worse */
	unsigned at; /* its moment */
	TAILQ_ENTRY(kept) link;
};

TAILQ_HEAD(kept_list, kept);

struct opinion_queue {
	struct loop *loop;
	struct logger *logger;
	struct roster *roster;
	char *program; /* owned; NULL: none */
	struct stat file;
	struct thread *thread; /* NULL until one is asked for */
	int stop;	       /* an eventfd that ends the program that runs */
	struct fair waiting;
	struct asked *now;     /* request that the thread works on; or NULL */
	struct kept_list kept; /* the one looked at last comes first */
	unsigned count;
	size_t bytes;
};

struct asked {
	struct fair_entry turn; /* first; used while it waits */
	struct thread_task task;
	struct opinion_queue *queue;
	char id[ID_BYTES + 1];
	unsigned seat;
	bool stale; /* ended, because the program has changed */
	char *program;
	struct text input, output;
	double loss; /* as in struct kept */
	unsigned at;
	int result;
	uint64_t took_us;
	struct error why;
};

/* ---- an end ----------------------------------------------------------- */

/* Ends the program that runs. */
static void
stop_now(struct opinion_queue *queue)
{
	const uint64_t one = 1;

	if (queue->now == NULL || queue->now->stale)
		return;
	queue->now->stale = true;
	if (write(queue->stop, &one, sizeof(one)) < 0)
		bug("cannot write to an eventfd: %s", strerror(errno));
}

/* ---- what is kept ----------------------------------------------------- */

static void
forget(struct opinion_queue *queue, struct kept *kept)
{
	TAILQ_REMOVE(&queue->kept, kept, link);
	queue->count--;
	queue->bytes -= kept->output.used;
	text_release(&kept->output);
	free(kept);
}

/* Forgets the oldest opinions beyond the limits.  Those that are coming stay,
 * because they are few. */
static void
forget_old(struct opinion_queue *queue)
{
	struct kept *kept, *before;

	for (kept = TAILQ_LAST(&queue->kept, kept_list);
	     kept != NULL && (queue->count > SERVE_OPINIONS_KEPT ||
			      queue->bytes > SERVE_OPINIONS_BYTES);
	     kept = before) {
		before = TAILQ_PREV(kept, kept_list, link);
		if (kept->state != OPINION_COMING)
			forget(queue, kept);
	}
}

static void
forget_all(struct opinion_queue *queue)
{
	struct kept *kept;

	while ((kept = TAILQ_FIRST(&queue->kept)) != NULL)
		forget(queue, kept);
}

static struct kept *
find(struct opinion_queue *queue, const char *id, unsigned seat)
{
	struct kept *kept;

	TAILQ_FOREACH(kept, &queue->kept, link)
	if (kept->seat == seat && strcmp(kept->id, id) == 0)
		return kept;
	return NULL;
}

enum opinion_state
opinion_queue_find(struct opinion_queue *queue, const char *id, unsigned seat,
		   struct text *output)
{
	struct kept *kept = find(queue, id, seat);

	if (queue->program == NULL)
		return OPINION_OFF;
	if (kept == NULL)
		return OPINION_NONE;
	if (kept->state == OPINION_FAILED &&
	    clock_us() - kept->at_us >=
		    SERVE_OPINION_AGAIN_MS * UINT64_C(1000)) {
		forget(queue, kept);
		return OPINION_NONE;
	}
	TAILQ_REMOVE(&queue->kept, kept, link);
	TAILQ_INSERT_HEAD(&queue->kept, kept, link);
	if (kept->state == OPINION_READY && output != NULL)
		text_add(output, kept->output.bytes, kept->output.used);
	return kept->state;
}

void
opinion_queue_worst(const struct opinion_queue *queue,
		    void (*each)(void *arg, const struct opinion_worst *worst),
		    void *arg)
{
	struct opinion_worst worst;
	const struct kept *kept;

	TAILQ_FOREACH(kept, &queue->kept, link)
	{
		if (kept->state != OPINION_READY)
			continue;
		memcpy(worst.id, kept->id, sizeof(worst.id));
		worst.seat = kept->seat;
		worst.loss = kept->loss;
		worst.at = kept->at;
		each(arg, &worst);
	}
}

/* ---- one process ------------------------------------------------------ */

/* Runs the program in the thread and reads its output once, so that all output
 * that is kept can be read. */
static void
run(struct thread_task *task)
{
	struct asked *asked = ENCLOSING(task, struct asked, task);
	const struct opinion_task run = { .program = asked->program,
					  .ms = OPINION_MS,
					  .stop = asked->queue->stop };
	const uint64_t began_us = clock_us();
	const struct opinion *worst;
	struct opinions opinions;

	asked->result =
		opinion_run(&run, &asked->input, &asked->output, &asked->why);
	if (asked->result == 0) {
		asked->result =
			opinions_read(asked->output.bytes, asked->output.used,
				      &opinions, &asked->why);
		worst = asked->result == 0 ? opinions_swing(&opinions) : NULL;
		if (worst != NULL) {
			asked->loss = opinion_loss(worst);
			asked->at = worst->at;
		}
		if (asked->result == 0)
			opinions_release(&opinions);
	}
	asked->took_us = clock_us() - began_us;
}

static void
log_end_of(const struct asked *asked)
{
	const bool good = asked->result == 0;

	log_event(asked->queue->logger, good ? LOG_LEVEL_DEBUG : LOG_LEVEL_WARN,
		  good ? "opinion" : "opinion-failed",
		  "game=%s seat=%u ms=%" PRId64 " why=%s", asked->id,
		  asked->seat, (int64_t)(asked->took_us / 1000),
		  good ? NULL : asked->why.text);
}

/* Those who have used less time today come first, of all who sat in the game.  The
 * others take turns. */
static unsigned
rank_of(const struct opinion_queue *queue, const char *who, bool sat)
{
	struct error ignored;
	int64_t ms = 0;

	if (!sat)
		return RANK_OF_OTHERS;
	(void)!roster_count(queue->roster, ROSTER_OPINION_TIME, who,
			    roster_today(), &ms, &ignored);
	return (unsigned)ms;
}

/* Moves those of a client that wait, because he has used more time. */
static void
move_back(struct opinion_queue *queue, const char *who)
{
	const unsigned rank = rank_of(queue, who, true);
	struct fair_entry *turn;

	while ((turn = fair_first(&queue->waiting, who)) != NULL &&
	       turn->rank < rank) {
		fair_remove(&queue->waiting, turn);
		fair_add(&queue->waiting, turn, who, rank);
	}
}

/* Charges the time to who has asked, if he sat in the game.  The time of others is
 * written nowhere: a reader would make the roster grow, and leave his address there.
 * A failure to count is passed over. */
static void
charge(const struct asked *asked)
{
	struct error ignored;

	if (asked->turn.rank >= RANK_OF_OTHERS)
		return;
	(void)!roster_add_count(asked->queue->roster, ROSTER_OPINION_TIME,
				asked->turn.who, roster_today(),
				(int64_t)(asked->took_us / 1000), &ignored);
	move_back(asked->queue, asked->turn.who);
}

static void
keep(struct opinion_queue *queue, struct asked *asked)
{
	struct kept *kept = find(queue, asked->id, asked->seat);

	if (kept == NULL)
		return;
	kept->state = asked->result == 0 ? OPINION_READY : OPINION_FAILED;
	kept->at_us = clock_us();
	if (asked->result == 0) {
		kept->output = asked->output;
		kept->loss = asked->loss;
		kept->at = asked->at;
		queue->bytes += kept->output.used;
		text_init(&asked->output, 0);
	}
	forget_old(queue);
}

static void
drop(struct asked *asked)
{
	text_release(&asked->input);
	text_release(&asked->output);
	free(asked->program);
	free(asked);
}

static void begin_next(struct opinion_queue *queue);

static void
on_run(struct thread_task *task, bool made)
{
	struct asked *asked = ENCLOSING(task, struct asked, task);
	struct opinion_queue *queue = asked->queue;
	uint64_t stops;

	queue->now = NULL;
	if (asked->stale && read(queue->stop, &stops, sizeof(stops)) < 0)
		bug("cannot read an eventfd: %s", strerror(errno));
	if (made)
		charge(asked);
	if (made && !asked->stale) {
		log_end_of(asked);
		keep(queue, asked);
	}
	drop(asked);
	begin_next(queue);
}

/* Begins a request.  If no thread can be started, the request fails like a
 * program. */
static void
begin(struct opinion_queue *queue, struct asked *asked)
{
	if (queue->thread == NULL)
		queue->thread = thread_new(queue->loop);
	if (queue->thread != NULL) {
		thread_ask(queue->thread, &asked->task);
		return;
	}
	asked->result = error_set(&asked->why, ERROR_MACHINE,
				  "cannot start a thread: %m");
	on_run(&asked->task, true);
}

static void
begin_next(struct opinion_queue *queue)
{
	if (queue->now != NULL)
		return;
	queue->now = (struct asked *)fair_take(&queue->waiting);
	if (queue->now != NULL)
		begin(queue, queue->now);
}

static void
drop_waiting(struct opinion_queue *queue)
{
	struct fair_entry *turn;

	while ((turn = fair_take(&queue->waiting)) != NULL)
		drop((struct asked *)turn);
}

/* ---- who waits -------------------------------------------------------- */

static unsigned
count_of(const struct opinion_queue *queue, const char *who)
{
	return fair_count(&queue->waiting, who) +
	       (queue->now != NULL && strcmp(queue->now->turn.who, who) == 0);
}

static bool
is_full(const struct opinion_queue *queue)
{
	return queue->waiting.count + (queue->now != NULL) >=
	       SERVE_OPINIONS_WAITING;
}

enum opinion_room
opinion_queue_room(const struct opinion_queue *queue, const char *who, bool sat)
{
	if (who[0] != '\0' && count_of(queue, who) >= SERVE_OPINIONS_EACH)
		return OPINION_SHARE;
	return is_full(queue) && fair_yields(&queue->waiting, who,
					     rank_of(queue, who, sat)) == NULL
		       ? OPINION_FULL
		       : OPINION_ROOM;
}

static void
make_room(struct opinion_queue *queue, const char *who, unsigned rank)
{
	struct asked *last =
		(struct asked *)fair_yields(&queue->waiting, who, rank);
	struct kept *kept;

	if (!is_full(queue) || last == NULL)
		return;
	kept = find(queue, last->id, last->seat);
	if (kept != NULL)
		forget(queue, kept);
	fair_remove(&queue->waiting, &last->turn);
	drop(last);
}

void
opinion_queue_ask(struct opinion_queue *queue, const char *who, bool sat,
		  const char *id, unsigned seat, struct text *input)
{
	const unsigned rank = rank_of(queue, who, sat);
	struct asked *asked = zeroed(1, sizeof(*asked));
	struct kept *kept = zeroed(1, sizeof(*kept));

	make_room(queue, who, rank);
	kept->seat = seat;
	kept->state = OPINION_COMING;
	snprintf(kept->id, sizeof(kept->id), "%s", id);
	TAILQ_INSERT_HEAD(&queue->kept, kept, link);
	queue->count++;
	*asked = (struct asked){ .task = { .read = run, .done = on_run },
				 .queue = queue,
				 .seat = seat,
				 .program = copied(queue->program),
				 .input = *input };
	snprintf(asked->id, sizeof(asked->id), "%s", id);
	text_init(input, 0);
	fair_add(&queue->waiting, &asked->turn, who, rank);
	begin_next(queue);
}

/* ---- life ------------------------------------------------------------- */

struct opinion_queue *
opinion_queue_new(struct loop *loop, struct logger *logger,
		  struct roster *roster)
{
	struct opinion_queue *queue = zeroed(1, sizeof(*queue));

	queue->loop = loop;
	queue->logger = logger;
	queue->roster = roster;
	TAILQ_INIT(&queue->kept);
	fair_init(&queue->waiting);
	queue->stop = eventfd(0, EFD_CLOEXEC);
	if (queue->stop < 0)
		bug("cannot make an eventfd: %s", strerror(errno));
	return queue;
}

void
opinion_queue_free(struct opinion_queue *queue)
{
	if (queue == NULL)
		return;
	drop_waiting(queue);
	stop_now(queue);
	thread_free(queue->thread);
	close(queue->stop);
	forget_all(queue);
	free(queue->program);
	free(queue);
}

static bool
is_same(const struct opinion_queue *queue, const char *program,
	const struct stat *file)
{
	if (program == NULL || queue->program == NULL)
		return program == queue->program;
	return strcmp(program, queue->program) == 0 &&
	       file->st_ino == queue->file.st_ino &&
	       file->st_size == queue->file.st_size &&
	       file->st_mtim.tv_sec == queue->file.st_mtim.tv_sec &&
	       file->st_mtim.tv_nsec == queue->file.st_mtim.tv_nsec;
}

/* Returns the path of the program, or NULL for none.  A program that is missing
 * fails with the first game.  If our own is not found, its path is where `make
 * install` will put it, and never depends on where the daemon happens to be. */
static const char *
program_of(const char *opinions)
{
	const char *program = opinions;
	struct error why;

	if (strcmp(opinions, SERVE_OPINIONS_OFF) == 0)
		return NULL;
	if (strcmp(opinions, SERVE_OPINIONS_OWN) == 0)
		program = opinion_program(&why);
	return program == NULL ? PKGLIBEXECDIR "/" OPINION_PROGRAM : program;
}

void
opinion_queue_set(struct opinion_queue *queue, const char *opinions)
{
	const char *program = program_of(opinions);
	struct stat file = { 0 };

	if (program != NULL && stat(program, &file) < 0)
		file = (struct stat){ 0 };
	if (is_same(queue, program, &file))
		return;
	forget_all(queue);
	drop_waiting(queue);
	stop_now(queue);
	free(queue->program);
	queue->program = program == NULL ? NULL : copied(program);
	queue->file = file;
}
