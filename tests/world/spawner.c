/* tests/world/spawner.c - starts bots of the world, in place of
 * referee/spawner/spawner.c.
 *
 * Programs are actors in this process.  What happens to them is told by a pipe, as
 * the product's spawner tells it by its socket.  In a fork (subprocess.c) no time
 * passes, so a build is over as soon as it is started, and there are no bots. */
#include "referee/spawner/spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/world/bots.h"
#include "tests/world/build.h"
#include "tests/world/kernel.h"
#include "tests/world/spawner-luck.h"

#define KILL_US 200 /* the usual time until a killed program is gone */

enum answer_kind { ANSWER_STARTED, ANSWER_FAILED, ANSWER_ENDED };

struct answer {
	struct answer *next;
	struct spawner_child *child;
	enum answer_kind kind;
};

struct spawner_child {
	struct spawner_child *next, **prev;
	struct spawner *spawner;
	struct spawner_calls calls;
	void *arg;
	uint64_t number;
	struct dice dice;
	enum nature nature; /* NATURE_COUNT: a build */
	char *word;	    /* owned: argv[1] */
	char *folder;	    /* owned */
	int fds[3];
	bool killed;
	bool told;	   /* that it was started */
	struct local *bot; /* while it runs */
	const char *step;  /* why it failed */
	int error;
	struct spawner_end end;
	struct timer timer; /* its start, then its end */
};

struct spawner {
	struct spawner *next, **prev;
	int ends[2]; /* a pipe */
	bool rung;   /* a byte is in the pipe */
	bool gone;
	struct spawner_child *children;
	struct answer *first, **last;
	struct timer death;
};

struct spawner_luck spawner_luck = { .start_us = 2000, .end_us = 500 };
struct spawners_counts spawners_counts;
static struct spawner *spawners;
static uint64_t starts;

/* ---- answers ---------------------------------------------------------- */

static void
answer(struct spawner_child *child, enum answer_kind kind)
{
	struct spawner *spawner = child->spawner;
	struct answer *answer = zeroed(1, sizeof(*answer));

	answer->child = child;
	answer->kind = kind;
	if (spawner->ends[1] < 0) {
		free(answer);
		return;
	}
	*spawner->last = answer;
	spawner->last = &answer->next;
	if (!spawner->rung && write(spawner->ends[1], "", 1) != 1)
		world_broken("the spawner's pipe takes no byte: %m");
	spawner->rung = true;
}

static void
close_fds(struct spawner_child *child)
{
	for (int i = 0; i < 3; i++)
		if (child->fds[i] >= 0)
			close(child->fds[i]);
	child->fds[0] = child->fds[1] = child->fds[2] = -1;
}

static void
child_free(struct spawner_child *child)
{
	if (child->bot != NULL) {
		local_kill(child->bot);
		spawners_counts.running--;
	}
	close_fds(child);
	timer_stop(&child->timer);
	LIST_CUT(child);
	free(child->word);
	free(child->folder);
	free(child);
}

/* ---- its end ---------------------------------------------------------- */

static void
on_over(void *arg)
{
	answer(arg, ANSWER_ENDED);
}

/* The program has ended.  The descriptors are closed by now. */
static void
end_with(struct spawner_child *child, int status, uint64_t usual_us)
{
	struct spawner_end *end = &child->end;

	end->status = status;
	end->cpu_us = dice_delay_us(&child->dice, 20000);
	end->peak_kib = 2000 + dice_draw(&child->dice, 30000);
	end->left = dice_often(&child->dice, 20);
	if (child->nature == NATURE_CRASHING && status != 0 &&
	    dice_often(&child->dice, spawner_luck.over)) {
		end->status = SIGKILL;
		end->over = true;
	}
	timer_init(&child->timer, &world_timers, on_over, child);
	timer_after(&child->timer, dice_delay_us(&child->dice, usual_us));
}

static void
on_exited(void *arg, int status)
{
	struct spawner_child *child = arg;

	child->bot = NULL;
	spawners_counts.running--;
	world_trace("bot %" PRIu64 " exits: status %d", child->number, status);
	end_with(child, status, spawner_luck.end_us);
}

static const struct local_calls local_calls = { .exited = on_exited };

/* ---- its start -------------------------------------------------------- */

static bool
draw_failure(struct spawner_child *child)
{
	static const struct {
		const char *step;
		int error;
	} machine[] = { { "fork", EAGAIN },
			{ "exec", ENOMEM },
			{ "sandbox", ENOSPC } },
	  bot[] = { { "exec", ENOENT },
		    { "exec", EACCES },
		    { "chdir", ENOENT } };
	uint64_t i;

	if (dice_often(&child->dice, spawner_luck.machine_fails)) {
		i = dice_draw(&child->dice, NELEM(machine));
		child->step = machine[i].step;
		child->error = machine[i].error;
	} else if (child->nature != NATURE_HONEST &&
		   dice_often(&child->dice, spawner_luck.bot_fails)) {
		i = dice_draw(&child->dice, NELEM(bot));
		child->step = bot[i].step;
		child->error = bot[i].error;
	}
	return child->step != NULL;
}

static void
on_start(void *arg)
{
	struct spawner_child *child = arg;

	if (child->step != NULL || draw_failure(child)) {
		world_trace("bot %" PRIu64 " does not start: %s, error %d",
			    child->number, child->step, child->error);
		close_fds(child);
		answer(child, ANSWER_FAILED);
		return;
	}
	answer(child, ANSWER_STARTED);
	if (child->killed) {
		close_fds(child);
		end_with(child, SIGKILL, KILL_US);
		return;
	}
	world_trace("bot %" PRIu64 " starts: %s", child->number, child->word);
	child->bot =
		local_begin(child->nature, child->fds, &local_calls, child);
	child->fds[0] = child->fds[1] = child->fds[2] = -1;
	spawners_counts.running++;
}

/* Starts and ends a program while no time passes. */
static void
run_at_once(struct spawner_child *child)
{
	if (child->step == NULL && child->nature != NATURE_COUNT) {
		child->step = "exec";
		child->error = ENOENT;
	}
	if (child->step != NULL) {
		answer(child, ANSWER_FAILED);
	} else {
		answer(child, ANSWER_STARTED);
		child->end.status =
			build_run(child->word, child->folder, child->fds[1]);
		answer(child, ANSWER_ENDED);
	}
	close_fds(child);
}

/* Reads its command line: a program that is not there, or does not know its words, does
 * not start. */
static void
read_command(struct spawner_child *child, const struct spawner_task *task)
{
	char *const *argv = task->argv;

	if (strcmp(argv[0], "sh") == 0 && argv[1] != NULL)
		argv++;
	child->nature = NATURE_COUNT;
	child->word = copied(argv[1] == NULL ? "" : argv[1]);
	child->folder = copied(task->folder == NULL ? "." : task->folder);
	if (strcmp(argv[0], "world-bot") == 0)
		child->nature = nature_read(child->word);
	else if (strcmp(argv[0], "world-build") == 0)
		return;
	if (child->nature != NATURE_COUNT)
		return;
	child->step = "exec";
	child->error = ENOENT;
}

struct spawner_child *
spawner_start(struct spawner *spawner, const struct spawner_task *task,
	      const struct spawner_calls *calls, void *arg)
{
	struct spawner_child *child;
	bool full = false;

	if (spawner->ends[1] < 0) {
		errno = EPIPE;
		return NULL;
	}
	child = zeroed(1, sizeof(*child));
	for (int i = 0; i < 3; i++) {
		child->fds[i] = fcntl(task->fds[i], F_DUPFD_CLOEXEC, 3);
		full |= child->fds[i] < 0;
	}
	LIST_PUT(spawner->children, child);
	if (full) {
		child_free(child);
		errno = EMFILE;
		return NULL;
	}
	child->spawner = spawner;
	child->calls = *calls;
	child->arg = arg;
	child->number = ++starts;
	child->dice = dice_of("spawner", child->number);
	read_command(child, task);
	timer_init(&child->timer, &world_timers, on_start, child);
	spawners_counts.starts++;
	if (kernel_runs())
		timer_after(&child->timer,
			    dice_delay_us(&child->dice, spawner_luck.start_us));
	else
		run_at_once(child);
	return child;
}

void
spawner_kill(struct spawner *spawner UNUSED, struct spawner_child *child)
{
	spawners_counts.killed += !child->killed;
	child->killed = true;
	if (child->bot == NULL)
		return; /* not yet started, or its end is on its way */
	local_kill(child->bot);
	child->bot = NULL;
	spawners_counts.running--;
	world_trace("bot %" PRIu64 " is killed", child->number);
	end_with(child, SIGKILL, KILL_US);
}

bool
spawner_signal(pid_t pid, int number)
{
	const struct spawner *spawner = spawners;
	struct spawner_child *child = NULL;

	for (; spawner != NULL && child == NULL; spawner = spawner->next)
		for (child = spawner->children; child != NULL;
		     child = child->next)
			if (pid == SPAWNER_FIRST_PID + (pid_t)child->number)
				break;
	if (child == NULL)
		return false;
	if (child->bot != NULL && (number == SIGSTOP || number == SIGCONT))
		local_stop(child->bot, number == SIGSTOP);
	return true;
}

void
spawner_drop(struct spawner *spawner, struct spawner_child *child)
{
	child->calls = (struct spawner_calls){ .started = NULL };
	spawner_kill(spawner, child);
}

/* ---- telling ---------------------------------------------------------- */

/* The last calls.  The handle is invalid before they run. */
static void
tell_last(struct spawner_child *child, bool failed)
{
	const struct spawner_calls calls = child->calls;
	const struct spawner_end end = child->end;
	const char *step = child->step;
	const int error = child->error;
	void *arg = child->arg;

	spawners_counts.failed += failed;
	spawners_counts.ended += !failed;
	child_free(child);
	if (failed && calls.failed != NULL)
		calls.failed(arg, step, error);
	else if (!failed && calls.ended != NULL)
		calls.ended(arg, &end);
}

static void
tell(struct spawner_child *child, enum answer_kind kind)
{
	child->told = true;
	if (kind != ANSWER_STARTED)
		tell_last(child, kind == ANSWER_FAILED);
	else if (child->calls.started != NULL)
		child->calls.started(child->arg,
				     SPAWNER_FIRST_PID + (pid_t)child->number);
}

static struct answer *
take_answer(struct spawner *spawner)
{
	struct answer *answer = spawner->first;

	if (answer == NULL)
		return NULL;
	spawner->first = answer->next;
	if (spawner->first == NULL)
		spawner->last = &spawner->first;
	return answer;
}

/* All children get their last call; those whose start was not told have failed. */
static void
tell_lost(struct spawner *spawner)
{
	struct spawner_child *child;

	while ((child = spawner->children) != NULL) {
		child->end =
			(struct spawner_end){ .status = SIGKILL, .lost = true };
		child->step = "send";
		child->error = EPIPE;
		tell_last(child, !child->told);
	}
}

int
spawner_dispatch(struct spawner *spawner)
{
	struct answer *answer;
	enum answer_kind kind;
	struct spawner_child *child;
	char byte;

	if (spawner->gone)
		return -1;
	if (spawner->rung && read(spawner->ends[0], &byte, 1) != 1)
		world_broken("the spawner's pipe has no byte: %m");
	spawner->rung = false;
	while ((answer = take_answer(spawner)) != NULL) {
		child = answer->child;
		kind = answer->kind;
		free(answer);
		tell(child, kind);
	}
	if (spawner->ends[1] >= 0)
		return 0;
	spawner->gone = true;
	tell_lost(spawner);
	return -1;
}

int
spawner_fd(const struct spawner *spawner)
{
	return spawner->ends[0];
}

/* ---- life ------------------------------------------------------------- */

struct spawner *
spawner_new_below(pid_t above UNUSED)
{
	return spawner_new();
}

/* Programs die with the process that has started them. */
static void
on_death(void *arg)
{
	struct spawner *spawner = arg;
	struct spawner_child *child;

	if (spawner->ends[1] < 0)
		return;
	world_trace("the spawner dies");
	spawners_counts.died = true;
	spawner_luck.died();
	for (child = spawner->children; child != NULL; child = child->next)
		if (child->bot != NULL)
			spawner_kill(spawner, child);
	close(spawner->ends[1]);
	spawner->ends[1] = -1;
	spawner->rung = false;
}

void
spawner_luck_begin(void)
{
	struct spawner *spawner = spawners;

	if (spawner != NULL && spawner_luck.dies_us > 0)
		timer_after(&spawner->death, spawner_luck.dies_us);
}

struct spawner *
spawner_new(void)
{
	struct spawner *spawner = zeroed(1, sizeof(*spawner));

	if (pipe2(spawner->ends, O_CLOEXEC | O_NONBLOCK) < 0) {
		free(spawner);
		return NULL;
	}
	spawner->last = &spawner->first;
	timer_init(&spawner->death, &world_timers, on_death, spawner);
	LIST_PUT(spawners, spawner);
	return spawner;
}

static void
drop_answers(struct spawner *spawner)
{
	struct answer *answer;

	while ((answer = take_answer(spawner)) != NULL)
		free(answer);
}

void
spawner_free(struct spawner *spawner)
{
	if (spawner == NULL)
		return;
	timer_stop(&spawner->death);
	drop_answers(spawner);
	while (spawner->children != NULL)
		child_free(spawner->children);
	close(spawner->ends[0]);
	if (spawner->ends[1] >= 0)
		close(spawner->ends[1]);
	LIST_CUT(spawner);
	free(spawner);
}

/* ---- what it says of programs ------------------------------------------ */

bool
spawner_is_machine(const char *step, int error)
{
	if (strcmp(step, "exec") == 0 || strcmp(step, "chdir") == 0)
		return error == ENOMEM || error == EAGAIN || error == EMFILE ||
		       error == ENFILE;
	return true;
}

bool
spawner_program_ok(const char *argv0, char *why, size_t why_bytes)
{
	if (strcmp(argv0, "world-bot") == 0 ||
	    strcmp(argv0, "world-build") == 0 || strcmp(argv0, "sh") == 0)
		return true;
	snprintf(why, why_bytes, "%s: no such program in PATH",
		 quoted(argv0).text);
	return false;
}

bool
spawner_boxed_program_ok(const char *folder UNUSED,
			 enum sandbox_tier tier UNUSED, const char *argv0,
			 char *why, size_t why_bytes)
{
	return spawner_program_ok(argv0, why, why_bytes);
}
