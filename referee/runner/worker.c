/* referee/runner/worker.c - a loop, a spawner, a runner and a channel. */
#include "referee/runner/worker.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "protocol/record.h"
#include "referee/base/command.h"
#include "referee/base/loop.h"
#include "referee/runner/channel.h"
#include "referee/runner/job.h"
#include "referee/runner/runner.h"
#include "referee/runner/wire.h"
#include "referee/sandbox/sandbox.h"
#include "referee/spawner/core.h"
#include "referee/spawner/spawner.h"
#include "referee/table/table.h"

struct worker {
	struct loop loop;
	struct spawner *spawner;
	struct runner *runner;
	struct channel *channel;
	bool finishing;
	bool garbled; /* the parent has sent an invalid message */
	bool gone;    /* the parent has closed the channel */
};

/* ---- to the parent ---------------------------------------------------- */

static void
on_sealed(void *arg, uint64_t number, const struct entropy *entropy)
{
	struct worker *worker = arg;
	struct text text = { .max = CHANNEL_BYTES };

	wire_put(&text, number);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		wire_put_bytes(&text, entropy->byte[s], entropy->bytes[s]);
	channel_send(worker->channel, CHANNEL_ENTROPY, &text);
	text_release(&text);
}

/* Ends the worker because its spawner is gone.  The games are played again
 * elsewhere. */
static void
on_orphaned(void *arg UNUSED)
{
	_Exit(EXIT_MACHINE);
}

static bool
is_orphaned(const struct worker *worker)
{
	struct pollfd spawner = { .fd = spawner_fd(worker->spawner),
				  .events = POLLIN };

	return poll(&spawner, 1, 0) == 1 && (spawner.revents & POLLHUP) != 0;
}

static void
on_over(void *arg, struct job_result *result)
{
	struct worker *worker = arg;
	struct text text = { .max = CHANNEL_BYTES };

	/* Failures, and programs that die with their spawner, may show that it
	 * is gone before we are told. */
	if (is_orphaned(worker))
		on_orphaned(worker);
	job_result_write(result, &text);
	channel_send(worker->channel, CHANNEL_RESULT, &text);
	text_release(&text);
}

static void
on_ended(void *arg, uint64_t number, unsigned seat, uint32_t bot,
	 const struct job_end *end)
{
	struct worker *worker = arg;
	struct text text = { .max = CHANNEL_BYTES };
	struct wire wire = { .to = &text };
	struct job_end same = *end;

	wire_put(&text, number);
	wire_put(&text, seat);
	wire_put(&text, bot);
	job_end_code(&wire, &same);
	channel_send(worker->channel, CHANNEL_ENDED, &text);
	text_release(&text);
}

static void
on_quiet(void *arg)
{
	struct worker *worker = arg;

	worker->loop.stop |= worker->finishing;
}

static const struct runner_calls runner_calls = {
	.sealed = on_sealed,
	.over = on_over,
	.ended = on_ended,
	.orphaned = on_orphaned,
	.quiet = on_quiet,
};

/* ---- from the parent -------------------------------------------------- */

static void
take_job(struct worker *worker, const char *bytes, size_t n)
{
	struct job *job = job_read(bytes, n);

	if (job == NULL)
		worker->garbled = worker->loop.stop = true;
	else
		runner_play(worker->runner, job);
}

static void
take_receipt(struct worker *worker, struct wire *from)
{
	const uint64_t number = wire_take(from);
	char *hash;
	size_t n = wire_take_bytes(from, &hash);

	if (from->bad || (n != 0 && n != RECORD_HASH_BYTES))
		worker->garbled = worker->loop.stop = true;
	else
		runner_receipt(worker->runner, number,
			       n == 0 ? NULL : (unsigned char *)hash);
}

/* Answers a look.  A game that is over gets no answer, because its result tells
 * everything. */
static void
take_look(struct worker *worker, struct wire *from)
{
	const uint64_t number = wire_take(from), byte = wire_take(from),
		       delay_us = wire_take(from);
	const struct table *table = runner_table(worker->runner, number);
	struct text lines = { .max = 2 * (size_t)PUBLIC_BYTES };
	struct text text = { .max = CHANNEL_BYTES };

	if (from->bad) {
		worker->garbled = worker->loop.stop = true;
		return;
	}
	if (table == NULL)
		return;
	wire_put(&text, number);
	wire_put(&text, table_public(table, byte, delay_us, &lines));
	wire_put_bytes(&text, lines.bytes, lines.used);
	channel_send(worker->channel, CHANNEL_LOOKED, &text);
	text_release(&lines);
	text_release(&text);
}

static void
take_stop(struct worker *worker, struct wire *from)
{
	const uint64_t number = wire_take(from);
	const enum abort_word why =
		(enum abort_word)wire_take_max(from, ABORT_WORDS - 1);

	if (why != ABORT_NONE && number != 0) {
		runner_abort_one(worker->runner, number, why);
		return;
	}
	if (why != ABORT_NONE) {
		runner_abort(worker->runner, why);
		return;
	}
	worker->finishing = true;
	runner_finish(worker->runner);
	worker->loop.stop |= runner_is_quiet(worker->runner);
}

static void
on_message(void *arg, enum channel_kind kind, char *bytes, size_t n)
{
	struct worker *worker = arg;
	struct wire from = { .at = bytes, .left = n };

	switch (kind) {
	case CHANNEL_JOB:
		take_job(worker, bytes, n);
		break;
	case CHANNEL_ENTROPY:
		runner_deal(worker->runner, wire_take(&from));
		break;
	case CHANNEL_RECEIPT:
		take_receipt(worker, &from);
		break;
	case CHANNEL_LEAVE:
		runner_leave(worker->runner, wire_take(&from));
		break;
	case CHANNEL_LOOK:
		take_look(worker, &from);
		break;
	case CHANNEL_STOP:
		take_stop(worker, &from);
		break;
	default:
		worker->garbled = worker->loop.stop = true;
		break;
	}
}

/* Ends: there is no parent to play for. */
static void
on_gone(void *arg, bool garbled)
{
	struct worker *worker = arg;

	worker->garbled = garbled;
	worker->gone = true;
	worker->loop.stop = true;
}

static const struct channel_calls channel_calls = {
	.message = on_message,
	.gone = on_gone,
};

/* ---- life ------------------------------------------------------------- */

const int worker_deaf[WORKER_DEAF] = { SIGHUP, SIGINT, SIGTERM };

/* Ignores the signals that were blocked until now, and drops pending ones. */
static void
be_deaf(void)
{
	sigset_t none;

	for (size_t i = 0; i < NELEM(worker_deaf); i++)
		signal(worker_deaf[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

int
worker_play(int channel, unsigned jobs, int core)
{
	struct worker worker = { .finishing = false };
	struct spawner *spawner;
	struct stat st;

	/* A user has typed the command.  Nothing would ever end it. */
	if (fstat(channel, &st) < 0 || !S_ISSOCK(st.st_mode))
		return complain_usage("`" WORKER_COMMAND
				      "` is for the referee itself");

	be_deaf();
	sandbox_prepare();
	spawner = spawner_new_below(getppid());
	if (spawner == NULL)
		return complain_machine("cannot make the process that starts "
					"the bots: %m");
	/* Only we stay on the processor; programs start anywhere. */
	if (core >= 0)
		core_stay(core);
	if (loop_init(&worker.loop) < 0)
		return complain_machine("cannot make an event loop: %m");
	worker.spawner = spawner;
	worker.runner = runner_new(&worker.loop, spawner, jobs, core,
				   &runner_calls, &worker);
	worker.channel =
		channel_new(&worker.loop, channel, &channel_calls, &worker);
	loop_run(&worker.loop);
	while (!worker.gone && !worker.garbled &&
	       !channel_has_sent(worker.channel))
		loop_pass(&worker.loop);
	if (worker.gone || worker.garbled) {
		/* There is nothing to report.  The programs end now. */
		spawner_free(spawner);
		_Exit(worker.garbled ? EXIT_MACHINE : EXIT_DONE);
	}
	runner_free(worker.runner);
	channel_free(worker.channel);
	loop_release(&worker.loop);
	spawner_free(spawner);
	return EXIT_DONE;
}
