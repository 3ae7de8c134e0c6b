/* referee/runner/runner.c - plays the games of one loop.
 *
 * A game is a struct play: it begins in begin(), is over in on_table_over(),
 * and gone in runner_receipt(); in between only the loop works.  A program that
 * was let go may take BYE_MS to leave, or longer if it starves.  Meanwhile the
 * next game begins, up to a limit of such stragglers.  A program that will be
 * used again waits in idle.h.  The programs are sittings. */
#include "referee/runner/runner.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "referee/runner/idle.h"
#include "referee/spawner/bot-child.h"

struct runner {
	struct loop *loop;
	const struct runner_calls *calls;
	void *arg;
	unsigned most;
	bool finishing, quiet, beginning;
	struct event *spawner_event;
	struct loop_task task;
	struct play *plays; /* each from its job until its receipt */
	TAILQ_HEAD(waiting, play)
	waiting;	/* games that have not begun, the oldest first */
	unsigned seats; /* programs that sit at tables */
	struct spawner *spawner;
	int core;	   /* see bot_child_keep() */
	unsigned programs; /* those that have not ended */
	struct idle idle;  /* those that wait for a game */
};

struct play {
	struct runner *runner;
	struct play *next, **prev;
	TAILQ_ENTRY(play) at;
	struct job *job;		    /* owned */
	struct table *table;		    /* NULL: the game has not begun */
	struct sitting *sitting[SEATS_MAX]; /* NULL: the program has ended */
	struct timer limit;
	bool held; /* over, but waits for the end of a program */
	bool told; /* over() was called */
	struct job_result result;
};

/* The program of a seat.  A sitting lives as long as its program, which is started
 * for a game or used again, and ends in the game or later. */
struct sitting {
	struct runner *runner;
	struct play *play; /* NULL: its game is done */
	struct bot *program;
	uint64_t game;
	uint32_t bot;
	unsigned seat;
	bool told_of;	 /* its end is reported, however it comes */
	uint64_t cpu_us; /* processor time of its earlier games */
};

/* ---- how a program fares ----------------------------------------------- */

static void
note_complaint(struct bot *program, struct job_end *to)
{
	const char *complaint = bot_complaint(program);

	text_clear(&to->complaint);
	if (complaint != NULL)
		text_add(&to->complaint, complaint,
			 (size_t)(program->wrote - program->wrote_from));
	to->wrote_from = program->wrote_from;
}

/* Fills in a result's `end` for a program that lives. */
static void
note_life(const struct sitting *sitting, struct job_end *to)
{
	to->lives = true;
	note_complaint(sitting->program, to);
}

/* Fills it in for a program that has ended. */
static void
note_end(const struct sitting *sitting, const struct bot_end *end,
	 struct job_end *to)
{
	*to = (struct job_end){ .known = true,
				.started = end->started,
				.machine = end->machine,
				.early = end->early,
				.over = end->over,
				.silent = sitting->program->bytes_in == 0,
				.error = end->error,
				.status = end->status,
				.complaint = to->complaint };
	note_complaint(sitting->program, to);
}

/* Returns the usage for the present game of a program that has used this much in
 * all. */
static struct bot_usage
share(const struct sitting *sitting, uint64_t cpu_us, uint64_t peak_kib)
{
	const uint64_t before_us = sitting->cpu_us;

	return (struct bot_usage){ .cpu_us = cpu_us > before_us
						     ? cpu_us - before_us
						     : 0,
				   .peak_kib = peak_kib };
}

/* ---- trouble ---------------------------------------------------------- */

static void
wake(void *arg)
{
	struct runner *runner = arg;

	loop_post(runner->loop, LOOP_SETTLE, &runner->task);
}

static void
machine_failed(struct play *play, const char *why)
{
	if (!play->result.machine)
		snprintf(play->result.why, sizeof(play->result.why), "%.*s",
			 JOB_WHY_BYTES - 1, why);
	play->result.machine = true;
	if (play->table != NULL)
		table_abort(play->table, ABORT_MACHINE);
}

/* ---- a game ends ------------------------------------------------------ */

static void
play_free(struct play *play)
{
	/* Programs may outlive their game. */
	for (unsigned s = 0; s < SEATS_MAX; s++)
		if (play->sitting[s] != NULL)
			play->sitting[s]->play = NULL;
	timer_stop(&play->limit);
	LIST_CUT(play);
	job_result_release(&play->result);
	job_free(play->job);
	free(play);
}

static unsigned
seats(const struct play *play)
{
	return play->job->setup.game.seats;
}

static void
tell(struct play *play)
{
	struct job_result *result = &play->result;
	const struct text *body;

	play->told = true;
	for (unsigned s = 0; s < SEATS_MAX; s++)
		if (play->sitting[s] != NULL)
			note_life(play->sitting[s], &result->end[s]);
	timer_stop(&play->limit);
	if (play->table != NULL) {
		table_outcome(play->table, &result->outcome);
		table_ended(play->table, result->ended);
		table_take_faults(play->table, &result->faults);
		table_take_asks(play->table, &result->asks);
		table_record(play->table, &result->header, &body);
		for (unsigned s = 0; s < SEATS_MAX; s++)
			if (play->sitting[s] != NULL &&
			    result->outcome.faults[s] > 0)
				play->sitting[s]->told_of = true;
		if (body->used > 0)
			text_add(&result->body, body->bytes, body->used);
	}
	play->runner->calls->over(play->runner->arg, result);
}

/* Returns true if a program has broken its line but has not ended.  Only its
 * end tells why, and if it was ever started. */
static bool
end_is_awaited(const struct play *play)
{
	for (unsigned s = 0; s < SEATS_MAX; s++)
		if (play->sitting[s] != NULL && play->sitting[s]->program->gone)
			return true;
	return false;
}

/* Notes the usage of living programs.  The others reported it when they ended. */
static void
note_usages(const struct play *play)
{
	const struct sitting *sitting;
	struct bot_usage usage;

	for (unsigned s = 0; s < SEATS_MAX; s++) {
		sitting = play->sitting[s];
		if (sitting == NULL || !bot_usage(sitting->program, &usage))
			continue;
		usage = share(sitting, usage.cpu_us, usage.peak_kib);
		table_used(play->table, s, &usage);
	}
}

static void
on_table_over(struct table *table UNUSED, void *arg)
{
	struct play *play = arg;

	note_usages(play);
	play->held = end_is_awaited(play);
	if (!play->held)
		tell(play);
}

static void
on_sealed(struct table *table UNUSED, const struct entropy *entropy, void *arg)
{
	const struct play *play = arg;

	play->runner->calls->sealed(play->runner->arg, play->job->number,
				    entropy);
}

/* The limit is by the bots' clock, which stands still when the process does: a
 * stop cannot make a game too long before its seats have used up their time. */
static void
on_limit(void *arg)
{
	struct play *play = arg;

	table_abort(play->table, ABORT_TOO_LONG);
}

static struct play *
find(const struct runner *runner, uint64_t number)
{
	struct play *play = runner->plays;

	while (play != NULL && play->job->number != number)
		play = play->next;
	return play;
}

void
runner_deal(struct runner *runner, uint64_t number)
{
	struct play *play = find(runner, number);

	if (play != NULL && play->table != NULL)
		table_deal(play->table);
}

/* Keeps the programs that play game after game.  The table hands back only
 * those without a fault. */
static void
keep_programs(struct play *play, const unsigned char *hash)
{
	struct runner *runner = play->runner;
	struct bot *bot[SEATS_MAX];
	const struct job_seat *seat;

	table_receipt(play->table, hash, bot);
	for (unsigned s = 0; s < seats(play); s++) {
		if (bot[s] == NULL)
			continue;
		seat = &play->job->seat[s];
		if (play->sitting[s] != NULL) /* a program, not an own bot */
			play->sitting[s]->play = NULL;
		play->sitting[s] = NULL;
		if (seat->reuse && seat->own)
			runner->calls->kept(runner->arg, play->job->number, s,
					    bot[s]);
		else if (seat->reuse && job_seat_is_program(seat))
			idle_keep(&runner->idle, seat->bot, bot[s],
				  runner->most * IDLE_A_JOB);
		else
			idle_send_away(bot[s]);
	}
}

/* Ends a game.  Its bots hear of it only if `told`. */
static void
close_play(struct runner *runner, uint64_t number, const unsigned char *hash,
	   bool told)
{
	struct play *play = find(runner, number);

	if (play == NULL || !play->told)
		bug("a receipt for a game that is not over");
	if (play->table != NULL) {
		runner->seats -= job_programs(play->job);
		if (!told)
			table_leave(play->table);
		else if (runner->finishing || !job_reuses(play->job))
			table_receipt(play->table, hash, NULL);
		else
			keep_programs(play, hash);
	}
	play_free(play);
	wake(runner);
}

void
runner_receipt(struct runner *runner, uint64_t number,
	       const unsigned char *hash)
{
	close_play(runner, number, hash, true);
}

void
runner_leave(struct runner *runner, uint64_t number)
{
	close_play(runner, number, NULL, false);
}

/* ---- a program ends --------------------------------------------------- */

static void
not_started(const struct sitting *sitting)
{
	struct play *play = sitting->play;

	if (play->result.not_started < 0)
		play->result.not_started = (int)sitting->seat;
	table_abort(play->table, ABORT_NOT_STARTED);
}

/* The machine has ended a program whose game is played. */
static void
fail_game(const struct sitting *sitting, const struct bot_end *end)
{
	const struct job *job = sitting->play->job;
	struct error why;

	if (end->started || end->error == EPIPE)
		error_set(&why, ERROR_INPUT, "%s", SPAWNER_DIED);
	else
		error_set(&why, ERROR_MACHINE,
			  "the machine cannot start bot %s: %s: %s: %s",
			  job->setup.name[sitting->seat],
			  quoted(job->seat[sitting->seat].program.argv[0]).text,
			  end->step, strerror(end->error));
	machine_failed(sitting->play, why.text);
}

/* A program could not be started, or has ended without a word.  It has not been
 * charged.  One that was ended for its memory has at least begun. */
static void
on_bot_failed(void *arg, struct bot *bot UNUSED, const struct bot_end *end)
{
	const struct sitting *sitting = arg;

	if (sitting->play == NULL)
		return;
	if (end->machine)
		fail_game(sitting, end);
	else if (sitting->play->job->seat[sitting->seat].untried && !end->over)
		not_started(sitting);
}

/* Reports an end that its game's result did not, unless it was to be expected. */
static void
tell_late(const struct sitting *sitting, const struct bot_end *end)
{
	const struct runner *runner = sitting->runner;
	const struct bot *bot = sitting->program;
	struct job_end told = { .known = false };

	/* A bot that has answered and was let go may end in any way. */
	if (runner->calls->ended == NULL ||
	    (!sitting->told_of && (!end->started || end->machine ||
				   !bot->asked || bot->bytes_in > 0)))
		return;
	text_init(&told.complaint, STDERR_BYTES);
	note_end(sitting, end, &told);
	runner->calls->ended(runner->arg, sitting->game, sitting->seat,
			     sitting->bot, &told);
	text_release(&told.complaint);
}

static void
program_ended(struct sitting *sitting, const struct bot_end *end)
{
	struct play *play = sitting->play;
	struct bot_usage usage;

	play->sitting[sitting->seat] = NULL;
	if (play->told) {
		tell_late(sitting, end);
		return;
	}
	usage = share(sitting, end->cpu_us, end->peak_kib);
	table_used(play->table, sitting->seat, &usage);
	if (sitting->program->gone || !end->started || end->machine ||
	    sitting->told_of)
		note_end(sitting, end, &play->result.end[sitting->seat]);
	if (end->machine) {
		fail_game(sitting, end); /* perhaps the table did not listen */
	} else if (!end->started && !play->job->charges_start) {
		not_started(sitting);
	}
	if (play->held && !end_is_awaited(play)) {
		play->held = false;
		tell(play);
	}
}

static void
on_bot_ended(void *arg, struct bot *bot UNUSED, const struct bot_end *end)
{
	struct sitting *sitting = arg;
	struct runner *runner = sitting->runner;

	runner->programs--;
	if (sitting->play != NULL)
		program_ended(sitting, end);
	else
		tell_late(sitting, end);
	free(sitting);
	wake(runner);
}

/* ---- a game begins ---------------------------------------------------- */

/* Returns a waiting program that has played before, or NULL. */
static struct sitting *
take_idle(struct runner *runner, const struct job *job, unsigned seat)
{
	struct bot *bot = idle_take(&runner->idle, job->seat[seat].bot);
	struct bot_usage usage;
	struct sitting *sitting;

	if (bot == NULL)
		return NULL;
	sitting = bot->ended_arg;
	bot_child_forget(bot);
	if (bot_usage(bot, &usage))
		sitting->cpu_us = usage.cpu_us;
	return sitting;
}

static struct sitting *
start(struct runner *runner, const struct job *job, unsigned seat)
{
	struct bot *bot = bot_child_start(runner->loop, runner->spawner,
					  &job->seat[seat].program);
	struct sitting *sitting;

	if (bot == NULL)
		return NULL;
	sitting = memory(NULL, sizeof(*sitting));
	*sitting = (struct sitting){ .runner = runner,
				     .program = bot,
				     .bot = job->seat[seat].bot,
				     .told_of = job->all_ends };
	bot->rests = job->rests;
	bot->failed = on_bot_failed;
	bot->ended = on_bot_ended;
	bot->ended_arg = sitting;
	bot_child_keep(bot, runner->core);
	runner->programs++;
	return sitting;
}

/* Returns NULL and errno if the program cannot be started. */
static struct bot *
seat_program(struct runner *runner, struct play *play, unsigned s)
{
	const struct job *job = play->job;
	struct sitting *sitting = NULL;

	if (job->seat[s].reuse)
		sitting = take_idle(runner, job, s);
	if (sitting == NULL)
		sitting = start(runner, job, s);
	if (sitting == NULL)
		return NULL;
	play->sitting[s] = sitting;
	sitting->play = play;
	sitting->seat = s;
	sitting->game = job->number;
	return sitting->program;
}

static struct bot *
seat_bot(struct runner *runner, struct play *play, unsigned s)
{
	const struct job *job = play->job;
	struct chance chance;

	if (job->seat[s].own)
		return runner->calls->seat(runner->arg, job, s);
	if (job_seat_is_program(&job->seat[s]))
		return seat_program(runner, play, s);
	deal_side_chance(&job->setup.deal, "referee random 1", s, &chance);
	return bot_builtin_new(runner->loop, job->seat[s].builtin, &chance);
}

/* Seats all bots.  Returns false and errno, with no bot seated, if one fails. */
static bool
seat_bots(struct runner *runner, struct play *play, struct bot *bot[SEATS_MAX])
{
	unsigned s;
	int error;

	for (s = 0; s < seats(play); s++)
		if ((bot[s] = seat_bot(runner, play, s)) == NULL)
			break;
	if (s == seats(play))
		return true;
	error = errno;
	while (s-- > 0) {
		if (play->sitting[s] != NULL) {
			play->sitting[s]->play = NULL;
			play->sitting[s]->told_of = false;
		}
		play->sitting[s] = NULL;
		bot_part(bot[s], 0);
	}
	errno = error;
	return false;
}

static void
set_limit(struct play *play)
{
	const uint64_t us = play->job->limit_us;

	if (us == 0)
		return;
	timer_init(&play->limit, &play->runner->loop->timers, on_limit, play);
	timer_after(&play->limit, us);
}

static void
begin(struct runner *runner, struct play *play)
{
	struct bot *bot[SEATS_MAX];
	struct error why;

	if (!seat_bots(runner, play, bot)) {
		error_set(&why, ERROR_MACHINE,
			  "cannot start a bot's program: %m");
		machine_failed(play, why.text);
		tell(play);
		return;
	}
	runner->seats += job_programs(play->job);
	play->table = table_new(runner->loop, &play->job->setup, bot,
				on_table_over, play);
	if (runner->calls->sealed != NULL && job_asks_entropy(play->job))
		table_seal(play->table, on_sealed);
	set_limit(play);
}

/* Returns true if a game may begin.  A program that has died at its table does
 * not count as a straggler. */
static bool
may_begin(const struct runner *runner)
{
	const unsigned placed = runner->seats + runner->idle.count;

	return runner->programs < placed + runner->most * STRAGGLERS_A_JOB;
}

static void
begin_waiting(struct runner *runner)
{
	struct play *play;

	if (runner->beginning)
		return; /* on_task() looks again */
	runner->beginning = true;
	while ((play = TAILQ_FIRST(&runner->waiting)) != NULL &&
	       may_begin(runner)) {
		TAILQ_REMOVE(&runner->waiting, play, at);
		begin(runner, play);
	}
	runner->beginning = false;
}

static void
on_task(struct loop_task *task)
{
	struct runner *runner = ENCLOSING(task, struct runner, task);

	begin_waiting(runner);
	if (runner->finishing)
		idle_dismiss(&runner->idle);
	if (!runner_is_quiet(runner)) {
		runner->quiet = false;
	} else if (!runner->quiet) {
		runner->quiet = true;
		if (runner->calls->quiet != NULL)
			runner->calls->quiet(runner->arg);
	}
}

void
runner_play(struct runner *runner, struct job *job)
{
	struct play *play = zeroed(1, sizeof(*play));

	play->runner = runner;
	play->job = job;
	job_result_init(&play->result);
	play->result.number = job->number;
	LIST_PUT(runner->plays, play);
	TAILQ_INSERT_TAIL(&runner->waiting, play, at);
	wake(runner);
	begin_waiting(runner);
}

static void
abort_waiting(struct play *play, enum abort_word why)
{
	TAILQ_REMOVE(&play->runner->waiting, play, at);
	play->result.outcome.aborted = why;
	tell(play);
}

void
runner_abort(struct runner *runner, enum abort_word why)
{
	struct play *play;

	for (play = runner->plays; play != NULL; play = play->next)
		if (play->table != NULL)
			table_abort(play->table, why);
	while ((play = TAILQ_LAST(&runner->waiting, waiting)) != NULL)
		abort_waiting(play, why);
}

void
runner_abort_one(struct runner *runner, uint64_t number, enum abort_word why)
{
	struct play *play = find(runner, number);

	if (play == NULL || play->told)
		return;
	if (play->table != NULL)
		table_abort(play->table, why);
	else
		abort_waiting(play, why);
}

struct table *
runner_table(const struct runner *runner, uint64_t number)
{
	const struct play *play = find(runner, number);

	return play == NULL || play->told ? NULL : play->table;
}

void
runner_traffic(const struct runner *runner, uint64_t *out, uint64_t *in)
{
	const struct play *play;

	idle_traffic(&runner->idle, out, in);
	for (play = runner->plays; play != NULL; play = play->next)
		for (unsigned s = 0; s < SEATS_MAX; s++)
			if (play->sitting[s] != NULL) {
				*out += play->sitting[s]->program->bytes_out;
				*in += play->sitting[s]->program->bytes_in;
			}
}

void
runner_finish(struct runner *runner)
{
	runner->finishing = true;
	wake(runner);
}

bool
runner_is_quiet(const struct runner *runner)
{
	return runner->plays == NULL && runner->programs == 0;
}

/* ---- life ------------------------------------------------------------- */

static void
on_spawner(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct runner *runner = arg;

	if (spawner_dispatch(runner->spawner) == 0)
		return;
	event_del(runner->spawner_event);
	if (runner->calls->orphaned != NULL)
		runner->calls->orphaned(runner->arg);
	wake(runner);
}

struct runner *
runner_new(struct loop *loop, struct spawner *spawner, unsigned most, int core,
	   const struct runner_calls *calls, void *arg)
{
	struct runner *runner = zeroed(1, sizeof(*runner));

	runner->loop = loop;
	runner->most = most;
	runner->calls = calls;
	runner->arg = arg;
	runner->quiet = true;
	runner->task.run = on_task;
	TAILQ_INIT(&runner->waiting);
	runner->spawner = spawner;
	runner->core = core;
	idle_init(&runner->idle);
	if (spawner == NULL)
		return runner;
	runner->spawner_event =
		loop_reads(loop->base, spawner_fd(spawner), on_spawner, runner);
	return runner;
}

void
runner_free(struct runner *runner)
{
	if (!runner_is_quiet(runner))
		bug("a runner is freed while games run");
	loop_cancel(runner->loop, &runner->task);
	loop_drop(&runner->spawner_event);
	free(runner);
}
