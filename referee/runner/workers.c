/* referee/runner/workers.c - the parent's side: gives out jobs, and replaces
 * lost workers. */
#include "referee/runner/workers.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "referee/runner/channel.h"
#include "referee/runner/cores.h"
#include "referee/runner/wire.h"
#include "referee/runner/worker-start.h"

struct worker {
	struct workers *workers;
	struct channel *channel; /* NULL: it has ended */
	pid_t pid;
	int core;	  /* -1: any */
	unsigned jobs;	  /* its jobs until their receipts */
	unsigned playing; /* its jobs until their results */
	bool gone;	  /* its channel has ended; to be reaped */
};

/* A job from workers_play() until its receipt. */
struct order {
	struct order *next, **prev;
	struct worker *worker;
	uint64_t number;
	struct text bytes; /* owned; empty once the game is over */
	bool all_ends;	   /* the end of each program is awaited */
	bool lives[SEATS_MAX];
	bool received;		/* it has had its receipt */
	struct entropy entropy; /* what its bots have given */
	bool sealed;		/* it waits for its cards */
	bool given;		/* the cards were dealt from it */
	unsigned losses;	/* workers lost while they played it */
};

struct workers {
	struct loop *loop;
	const struct workers_calls *calls;
	void *arg;
	struct workers_setup setup;
	unsigned jobs; /* games at a time now; at most setup.jobs */
	struct worker worker[WORKERS_MAX];
	struct order *orders;
	struct loop_task task; /* looks for workers that are gone */
	bool finishing, aborting, failed;
};

/* ---- starting one ----------------------------------------------------- */

static void on_message(void *arg, enum channel_kind kind, char *bytes,
		       size_t n);

/* Reaps the worker in a later pass, because its channel must not be freed
 * inside its call. */
static void
on_gone(void *arg, bool garbled)
{
	struct worker *worker = arg;

	if (garbled)
		kill(worker->pid, SIGKILL);
	worker->gone = true;
	loop_post(worker->workers->loop, LOOP_SETTLE, &worker->workers->task);
}

static const struct channel_calls channel_calls = {
	.message = on_message,
	.gone = on_gone,
};

/* Starts a worker.  Returns 0 or an errno. */
static int
start(struct worker *worker)
{
	const struct workers_setup *setup = &worker->workers->setup;
	const unsigned jobs = (setup->jobs + setup->count - 1) / setup->count;
	int fd, error = worker_start(jobs, worker->core, &fd, &worker->pid);

	if (error != 0)
		return error;
	worker->channel =
		channel_new(worker->workers->loop, fd, &channel_calls, worker);
	return 0;
}

/* ---- orders ----------------------------------------------------------- */

static struct order *
find(const struct workers *workers, uint64_t number)
{
	struct order *order = workers->orders;

	while (order != NULL && order->number != number)
		order = order->next;
	return order;
}

static void
order_free(struct order *order)
{
	LIST_CUT(order);
	text_release(&order->bytes);
	free(order);
}

/* An order ends with its receipt, or with the last of its programs. */
static void
free_if_done(struct order *order)
{
	for (unsigned s = 0; s < SEATS_MAX; s++)
		if (order->lives[s])
			return;
	if (order->received)
		order_free(order);
}

static void
fail(struct workers *workers, int error)
{
	struct error why;

	if (workers->failed)
		return;
	workers->failed = true;
	error_set(&why, ERROR_MACHINE, "cannot start a worker process: %s",
		  strerror(error));
	workers->calls->failed(workers->arg, why.text);
}

/* Returns how many more games fit into the worker's share.  Fixed shares keep
 * the processes of a program that is used again as few as the games at a time. */
static int
free_share(const struct worker *worker)
{
	const struct workers *workers = worker->workers;
	const unsigned i = (unsigned)(worker - workers->worker);
	unsigned share = workers->jobs / workers->setup.count;

	share += i < workers->jobs % workers->setup.count;
	return (int)share - (int)worker->jobs;
}

/* Returns true if `a` has less to do.  Games that only wait for their receipts
 * need no processor. */
static bool
is_freer(const struct worker *a, const struct worker *b)
{
	const int free_a = free_share(a), free_b = free_share(b);

	if ((free_a > 0) != (free_b > 0))
		return free_a > 0;
	if (a->playing != b->playing)
		return a->playing < b->playing;
	return free_a > free_b;
}

/* Returns the worker with the least to do; with `started`, only among those
 * that run. */
static struct worker *
least_busy(struct workers *workers, bool started)
{
	struct worker *best = NULL, *worker;

	for (unsigned i = 0; i < workers->setup.count; i++) {
		worker = &workers->worker[i];
		if (worker->gone || (started && worker->channel == NULL))
			continue;
		if (best == NULL || is_freer(worker, best))
			best = worker;
	}
	return best;
}

/* Gives an order to a worker.  A lost worker is started again only when it has
 * something to do, so that one that cannot live does not keep us busy. */
static void
give(struct workers *workers, struct order *order)
{
	struct worker *worker = least_busy(workers, false);
	int error = 0;

	if (worker == NULL || workers->failed)
		return; /* it is given out after the lost ones are reaped, or
			 * never */
	if (worker->channel == NULL && (error = start(worker)) != 0)
		worker = least_busy(workers, true);
	if (worker == NULL) {
		fail(workers, error);
		return;
	}
	order->worker = worker;
	order->sealed = false;
	order->worker->jobs++;
	order->worker->playing++;
	channel_send(order->worker->channel, CHANNEL_JOB, &order->bytes);
}

void
workers_share(struct workers *workers, unsigned jobs)
{
	workers->jobs = jobs;
}

void
workers_play(struct workers *workers, const struct job *job)
{
	struct order *order = zeroed(1, sizeof(*order));

	order->number = job->number;
	order->all_ends = job->all_ends;
	text_init(&order->bytes, JOB_BYTES);
	job_write(job, &order->bytes);
	LIST_PUT(workers->orders, order);
	give(workers, order);
}

/* Gives an order out again.  The entropy of its bots goes with it, so the cards
 * are the same. */
static void
play_again(struct workers *workers, struct order *order)
{
	struct job *job;

	if (order->given) {
		job = job_read(order->bytes.bytes, order->bytes.used);
		if (job == NULL)
			bug("cannot read a job again");
		job->setup.given = true;
		job->setup.given_entropy = order->entropy;
		text_clear(&order->bytes);
		job_write(job, &order->bytes);
		job_free(job);
		order->given = false;
	}
	give(workers, order);
}

void
workers_look(struct workers *workers, uint64_t number, size_t from,
	     uint64_t delay_us)
{
	const struct order *order = find(workers, number);
	struct text text = { .max = CHANNEL_BYTES };

	if (order == NULL || order->worker == NULL ||
	    order->worker->channel == NULL || order->bytes.used == 0)
		return;
	wire_put(&text, number);
	wire_put(&text, from);
	wire_put(&text, delay_us);
	channel_send(order->worker->channel, CHANNEL_LOOK, &text);
	text_release(&text);
}

/* Sends the last message about a game and releases `what`. */
static void
say_last(struct workers *workers, uint64_t number, enum channel_kind kind,
	 struct text *what)
{
	struct order *order = find(workers, number);

	if (order == NULL || order->bytes.used > 0 || order->received)
		bug("a receipt for a game that is not over");
	order->received = true;
	if (order->worker != NULL) {
		order->worker->jobs--;
		channel_send(order->worker->channel, kind, what);
	}
	text_release(what);
	free_if_done(order);
}

void
workers_receipt(struct workers *workers, uint64_t number,
		const unsigned char *hash)
{
	struct text text = { .max = CHANNEL_BYTES };

	wire_put(&text, number);
	wire_put_bytes(&text, hash, hash == NULL ? 0 : RECORD_HASH_BYTES);
	say_last(workers, number, CHANNEL_RECEIPT, &text);
}

void
workers_leave(struct workers *workers, uint64_t number)
{
	struct text text = { .max = CHANNEL_BYTES };

	wire_put(&text, number);
	say_last(workers, number, CHANNEL_LEAVE, &text);
}

/* ---- what workers say ------------------------------------------------- */

static void
take_result(struct worker *worker, char *bytes, size_t n)
{
	struct workers *workers = worker->workers;
	struct job_result result;
	struct order *order;

	job_result_init(&result);
	if (!job_result_read(&result, bytes, n) ||
	    (order = find(workers, result.number)) == NULL ||
	    order->worker != worker || order->bytes.used == 0) {
		job_result_release(&result);
		kill(worker->pid, SIGKILL);
		return;
	}
	worker->playing--;
	text_release(&order->bytes);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		order->lives[s] = order->all_ends && result.end[s].lives;
	workers->calls->over(workers->arg, &result);
}

/* Sends the game's number back: the entropy is kept, so the cards may be dealt. */
void
workers_deal(struct workers *workers, uint64_t number)
{
	struct order *order = find(workers, number);
	struct text back = { .max = CHANNEL_BYTES };

	if (order == NULL || !order->sealed || order->worker == NULL)
		return;
	order->sealed = false;
	order->given = true;
	wire_put(&back, number);
	channel_send(order->worker->channel, CHANNEL_ENTROPY, &back);
	text_release(&back);
}

static void
take_entropy(struct worker *worker, char *bytes, size_t n)
{
	struct workers *workers = worker->workers;
	struct wire from = { .at = bytes, .left = n };
	struct order *order = find(workers, wire_take(&from));
	char *given;

	if (order == NULL || order->worker != worker)
		return;
	for (unsigned s = 0; s < SEATS_MAX; s++) {
		size_t some = wire_take_bytes(&from, &given);

		if (from.bad || some > ENTROPY_BYTES) {
			kill(worker->pid, SIGKILL);
			return;
		}
		memcpy(order->entropy.byte[s], given, some);
		order->entropy.bytes[s] = (uint8_t)some;
	}
	order->sealed = true;
	if (workers->calls->sealed == NULL)
		workers_deal(workers, order->number);
	else
		workers->calls->sealed(workers->arg, order->number,
				       &order->entropy);
}

static void
take_look(struct worker *worker, char *bytes, size_t n)
{
	const struct workers *workers = worker->workers;
	struct wire from = { .at = bytes, .left = n };
	const uint64_t number = wire_take(&from), until = wire_take(&from);
	const struct order *order = find(workers, number);
	char *lines;
	const size_t lines_n = wire_take_bytes(&from, &lines);

	if (from.bad || workers->calls->looked == NULL)
		kill(worker->pid, SIGKILL);
	else if (order != NULL && order->worker == worker &&
		 order->bytes.used > 0)
		workers->calls->looked(workers->arg, number, until, lines,
				       lines_n);
}

static void
take_end(struct worker *worker, char *bytes, size_t n)
{
	struct workers *workers = worker->workers;
	struct wire from = { .at = bytes, .left = n };
	struct job_end end = { .known = false };
	uint64_t number = wire_take(&from);
	unsigned seat = (unsigned)wire_take_max(&from, SEATS_MAX - 1);
	uint32_t bot = (uint32_t)wire_take_max(&from, UINT32_MAX);
	struct order *order = find(workers, number);

	text_init(&end.complaint, STDERR_BYTES);
	job_end_code(&from, &end);
	if (!from.bad) {
		if (workers->calls->ended != NULL)
			workers->calls->ended(workers->arg, number, seat, bot,
					      &end);
		if (order != NULL && order->worker == worker) {
			order->lives[seat] = false;
			free_if_done(order);
		}
	}
	text_release(&end.complaint);
}

static void
on_message(void *arg, enum channel_kind kind, char *bytes, size_t n)
{
	struct worker *worker = arg;

	switch (kind) {
	case CHANNEL_RESULT:
		take_result(worker, bytes, n);
		break;
	case CHANNEL_ENTROPY:
		take_entropy(worker, bytes, n);
		break;
	case CHANNEL_LOOKED:
		take_look(worker, bytes, n);
		break;
	case CHANNEL_ENDED:
		take_end(worker, bytes, n);
		break;
	default:
		kill(worker->pid, SIGKILL);
		break;
	}
}

/* ---- losing one ------------------------------------------------------- */

/* Reports the ends of the programs of a lost worker. */
static void
tell_ends(struct workers *workers, struct order *order)
{
	const struct job_end end = { .known = false };

	for (unsigned s = 0; s < SEATS_MAX; s++) {
		if (!order->lives[s])
			continue;
		order->lives[s] = false;
		workers->calls->ended(workers->arg, order->number, s, 0, &end);
	}
	free_if_done(order);
}

/* Gives the jobs of a lost worker to others, or parks them. */
static unsigned
take_orders_from(struct workers *workers, const struct worker *worker)
{
	struct order *order, *next;
	unsigned again = 0;
	uint64_t number;

	for (order = workers->orders; order != NULL; order = next) {
		next = order->next;
		if (order->worker != worker)
			continue;
		order->worker = NULL;
		if (order->bytes.used == 0) { /* the game is over */
			tell_ends(workers, order);
			continue;
		}
		if (++order->losses < WORKER_LOSSES && !workers->aborting) {
			again++;
			if (workers->calls->again != NULL)
				workers->calls->again(workers->arg,
						      order->number);
			continue;
		}
		number = order->number;
		order_free(order);
		workers->calls->parked(workers->arg, number);
	}
	return again;
}

static void
play_orphans(struct workers *workers)
{
	struct order *order, *next;

	for (order = workers->orders; order != NULL; order = next) {
		next = order->next;
		if (order->worker == NULL && order->bytes.used > 0)
			play_again(workers, order);
	}
}

static void
tell_lost(struct workers *workers, pid_t pid, int status, unsigned again)
{
	char how[64];
	struct error sentence;

	if (WIFSIGNALED(status))
		snprintf(how, sizeof(how), "was killed by signal %d",
			 WTERMSIG(status));
	else
		snprintf(how, sizeof(how), "ended with status %d",
			 WEXITSTATUS(status));
	error_set(&sentence, ERROR_INPUT,
		  "worker process %d %s; %u of its games %s played again",
		  (int)pid, how, again, again == 1 ? "is" : "are");
	workers->calls->lost(workers->arg, sentence.text);
}

static void
reap(struct workers *workers, struct worker *worker)
{
	const pid_t pid = worker->pid;
	unsigned again;
	int status = 0;

	channel_free(worker->channel);
	worker->channel = NULL;
	worker->gone = false;
	worker->jobs = worker->playing = 0;
	/* The process has closed its channel, so it has ended or is about to. */
	RETRIED(waitpid(pid, &status, 0));
	again = take_orders_from(workers, worker);
	if (workers->finishing && again == 0 && status == 0)
		return;
	tell_lost(workers, pid, status, again);
	play_orphans(workers);
	if (workers->finishing)
		workers_finish(workers);
}

static void
on_task(struct loop_task *task)
{
	struct workers *workers = ENCLOSING(task, struct workers, task);
	bool live = false;

	for (unsigned i = 0; i < workers->setup.count; i++)
		if (workers->worker[i].channel != NULL &&
		    workers->worker[i].gone)
			reap(workers, &workers->worker[i]);
	for (unsigned i = 0; i < workers->setup.count; i++)
		live |= workers->worker[i].channel != NULL;
	if (workers->finishing && !live)
		workers->calls->finished(workers->arg);
}

/* ---- all of them ------------------------------------------------------ */

static void
send_stop(struct worker *worker, uint64_t number, enum abort_word why)
{
	struct text text = { .max = CHANNEL_BYTES };

	wire_put(&text, number);
	wire_put(&text, why);
	channel_send(worker->channel, CHANNEL_STOP, &text);
	text_release(&text);
}

void
workers_abort(struct workers *workers, enum abort_word why)
{
	workers->aborting = true;
	for (unsigned i = 0; i < workers->setup.count; i++)
		if (workers->worker[i].channel != NULL)
			send_stop(&workers->worker[i], 0, why);
}

void
workers_abort_one(struct workers *workers, uint64_t number, enum abort_word why)
{
	struct order *order = find(workers, number);

	if (order == NULL || order->bytes.used == 0)
		return;
	order->losses = WORKER_LOSSES; /* do not play it again */
	if (order->worker != NULL)
		send_stop(order->worker, number, why);
}

void
workers_finish(struct workers *workers)
{
	workers->finishing = true;
	for (unsigned i = 0; i < workers->setup.count; i++)
		if (workers->worker[i].channel != NULL &&
		    !workers->worker[i].gone)
			send_stop(&workers->worker[i], 0, ABORT_NONE);
	loop_post(workers->loop, LOOP_SETTLE, &workers->task);
}

unsigned
workers_count(void)
{
	const unsigned cores = cores_usable();

	return cores > WORKERS_MAX ? WORKERS_MAX : cores;
}

struct workers *
workers_new(struct loop *loop, const struct workers_setup *setup,
	    const struct workers_calls *calls, void *arg, struct error *why)
{
	struct workers *workers = zeroed(1, sizeof(*workers));
	int error;

	workers->loop = loop;
	workers->setup = *setup;
	workers->jobs = setup->jobs;
	workers->calls = calls;
	workers->arg = arg;
	workers->task.run = on_task;
	for (unsigned i = 0; i < setup->count; i++) {
		workers->worker[i].workers = workers;
		workers->worker[i].core = setup->pin ? cores_pick(i) : -1;
		error = start(&workers->worker[i]);
		if (error == 0)
			continue;
		error_set(why, ERROR_MACHINE,
			  "cannot start a worker process: %s", strerror(error));
		workers_free(workers);
		return NULL;
	}
	return workers;
}

void
workers_free(struct workers *workers)
{
	struct worker *worker;

	for (unsigned i = 0; i < workers->setup.count; i++) {
		worker = &workers->worker[i];
		if (worker->channel == NULL)
			continue;
		channel_free(worker->channel);
		RETRIED(waitpid(worker->pid, NULL, 0));
	}
	while (workers->orders != NULL)
		order_free(workers->orders);
	loop_cancel(workers->loop, &workers->task);
	free(workers);
}
