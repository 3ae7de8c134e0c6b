/* referee/check/check-judge.c - what is wrong with a bot, in sentences. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/check/check-inside.h"
#include "referee/check/check-listen.h"
#include "referee/child/bot-child.h"
#include "referee/child/bot-usage.h"
#include "referee/child/process-look.h"
#include "referee/child/sandbox.h"

static void
found(struct check *check, enum check_kind kind, const char *sentence)
{
	check_report_add(check->report, kind, check->trial, check->game,
			 check->own, sentence);
	check->wrong = true;
}

/* ---- while it plays --------------------------------------------------- */

/* What else is known of a bot that does not answer. */
static void
look_why_silent(struct check *check, char *why, size_t size)
{
	if (check->listener != NULL && check_listen_is_lost(check->listener))
		snprintf(why, size, "; it has left: %s",
			 check_listen_why(check->listener));
	else
		snprintf(why, size, "%s",
			 bot_doing_words(bot_doing(check->own),
					 tap_has_spoken(check->own)));
}

/* A game in which nothing comes of any ask is not played to its end. */
static void
give_up_game(struct check *check)
{
	if (check->setup->keep_going || tap_has_spoken(check->own))
		return;
	check->speechless = true;
	loop_post(&check->loop, LOOP_SETTLE, &check->abort_task);
}

static enum check_kind
kind_of(enum fault fault)
{
	switch (fault) {
	case FAULT_TIMEOUT:
		return CHECK_TIMEOUT;
	case FAULT_ILLEGAL:
		return CHECK_ILLEGAL;
	case FAULT_CRASH:
		return CHECK_CRASH;
	default:
		return CHECK_PROTOCOL;
	}
}

/* Whether the last ask may not have reached it, or its answer us. */
static bool
was_cut_off(const struct check *check)
{
	return check->trial->style == CHECK_CUT &&
	       (check_listen_is_lost(check->listener) ||
		tap_watch(check->own)->ask <= check->missed);
}

static void
on_fault(void *arg, enum fault fault)
{
	struct check *check = arg;
	char why[WATCH_WHY_BYTES + 128];

	if (check->trial->style == CHECK_RETIRE && fault == FAULT_ILLEGAL &&
	    tap_watch(check->own)->ask >= CHECK_SPOIL_FROM)
		return; /* our own doing */
	if (fault == FAULT_TIMEOUT && was_cut_off(check))
		return; /* likewise */
	watch_why(tap_watch(check->own), fault, why);
	if (fault == FAULT_TIMEOUT)
		look_why_silent(check, why + strlen(why),
				sizeof(why) - strlen(why));
	found(check, kind_of(fault), why);
	if (fault == FAULT_TIMEOUT)
		give_up_game(check);
}

static void
on_useless(void *arg)
{
	struct check *check = arg;
	const struct watch *watch = tap_watch(check->own);

	/* The first of a game stands for all of them. */
	if (watch->useless == 1)
		found(check, CHECK_USELESS, watch->useless_why);
}

static void
on_slipped(void *arg, enum slip slip)
{
	struct check *check = arg;

	found(check, slip == SLIP_FALLBACK ? CHECK_FALLBACK : CHECK_FAILED,
	      tap_watch(check->own)->slip_why);
}

static void
on_broken(void *arg, enum fault fault)
{
	struct check *check = arg;
	char why[WATCH_WHY_BYTES];

	if (check->report->not_started || check->report->failed)
		return;
	watch_why(tap_watch(check->own), fault, why);
	if (check->listener != NULL && fault == FAULT_CRASH)
		snprintf(why, sizeof(why),
			 "lost its connection after ask %u, and did not come "
			 "back within %d seconds",
			 (unsigned)tap_watch(check->own)->ask, CHECK_AWAY_S);
	found(check, kind_of(fault), why);
}

void
check_on_useless(void *arg, const char *why)
{
	struct check *check = arg;

	if (check->trial != NULL)
		found(check, CHECK_USELESS, why);
}

/* What it did with the processor since its last answer, beyond what it can have
 * done while it was asked.  In the games in which that is a while. */
static void
look_aside(struct check *check, uint64_t asked_us)
{
	const struct sandbox_box *box = check->setup->box;
	struct check_aside *aside = &check->aside;
	struct bot_usage usage;
	struct bot_look look;
	uint64_t now_us = clock_us(), cpu_us, since_us;

	if (check->trial->style != CHECK_SLOW || check->listener != NULL)
		return;
	tap_look(check->own, &look);
	if (!bot_usage_of(look.pid, box != NULL && box->tier >= SANDBOX_BOX,
			  &usage))
		return;
	cpu_us = usage.cpu_us - aside->cpu_us;
	since_us = now_us - aside->at_us;
	asked_us *= (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	if (aside->at_us != 0 && usage.cpu_us > aside->cpu_us &&
	    since_us > asked_us) {
		check->report->aside_us += since_us - asked_us;
		if (cpu_us > asked_us)
			check->report->aside_cpu_us += cpu_us - asked_us;
	}
	aside->cpu_us = usage.cpu_us;
	aside->at_us = now_us;
}

static void
on_thought(void *arg, uint64_t us, bool first)
{
	struct check *check = arg;

	check_report_thought(check->report, us, first);
	look_aside(check, us);
	if (++check->answers == CHECK_ABORT_AFTER &&
	    check->trial->style == CHECK_ABORT)
		loop_post(&check->loop, LOOP_SETTLE, &check->abort_task);
	if (check->answers == CHECK_CUT_AFTER &&
	    check->trial->style == CHECK_CUT)
		loop_post(&check->loop, LOOP_SETTLE, &check->cut_task);
}

const struct tap_calls check_calls = {
	.fault = on_fault,
	.useless = on_useless,
	.slipped = on_slipped,
	.broken = on_broken,
	.thought = on_thought,
};

/* With those of its box, of which there are two. */
static uint64_t
most_threads(const struct check *check)
{
	const struct sandbox_box *box = check->setup->box;

	if (box == NULL || box->tier < SANDBOX_BOX)
		return CHECK_PROCESSES;
	return box->limits.processes + 1;
}

static void
judge_orphans(struct check *check, pid_t pid)
{
	const struct sandbox_box *box = check->setup->box;

	if (box == NULL || box->tier < SANDBOX_BOX || check->orphans_told ||
	    proc_orphans(pid) == 0)
		return;
	check->orphans_told = true;
	found(check, CHECK_LEFT,
	      "started a process whose parent has ended: whatever it starts "
	      "has to end before it does");
}

/* Each may be small.  What one process took is known when it has ended. */
static void
judge_sum(struct check *check, uint64_t processes, uint64_t kib)
{
	const struct sandbox_box *box = check->setup->box;
	bool boxed = box != NULL && box->tier >= SANDBOX_BOX;
	char why[160];

	if (check->sum_told || processes <= (boxed ? 3 : 1) ||
	    kib <= check->setup->memory_mib * 1024)
		return;
	check->sum_told = true;
	snprintf(why, sizeof(why),
		 "took %llu MiB of memory in all of its processes; more than "
		 "%llu is too much",
		 (unsigned long long)(kib / 1024),
		 (unsigned long long)check->setup->memory_mib);
	found(check, CHECK_MEMORY, why);
}

static void
look_at_processes(struct check *check)
{
	struct check_report *report = check->report;
	struct proc_look tree;
	struct bot_look look;
	char why[128];

	if (check->own == NULL || check->listener != NULL)
		return;
	tap_look(check->own, &look);
	proc_look(look.pid, &tree);
	judge_orphans(check, look.pid);
	judge_sum(check, tree.processes, tree.own_kib);
	if (tree.threads > report->processes)
		report->processes = tree.threads;
	if (tree.threads <= most_threads(check) || check->processes_told)
		return;
	check->processes_told = true;
	snprintf(why, sizeof(why),
		 "had %llu processes and threads at once, which is too many",
		 (unsigned long long)tree.threads);
	found(check, CHECK_TOO_MANY, why);
}

/* Now and then. */
void
check_on_look(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	look_at_processes(arg);
}

void
check_on_complained(void *arg, const char *bytes UNUSED, size_t n)
{
	struct check *check = arg;
	struct tap_end end;
	char why[160];

	check->report->stderr_bytes += n;
	tap_end(check->own, &end);
	if (end.stderr_bytes <= CHECK_STDERR_BYTES || check->stderr_told)
		return;
	check->stderr_told = true;
	snprintf(why, sizeof(why),
		 "wrote more than %d bytes to standard error; a referee keeps "
		 "the last %d",
		 CHECK_STDERR_BYTES, STDERR_BYTES);
	found(check, CHECK_STDERR, why);
}

/* What was wrong when there was no ask any more to charge it to. */
static void
judge_owed(struct check *check)
{
	const struct watch *watch;

	if (check->own == NULL)
		return;
	watch = tap_watch(check->own);
	if (watch->owed && !watch_flooded(watch))
		found(check, CHECK_PROTOCOL, watch->why);
}

static void
judge_entropy(struct check *check)
{
	if (check->own != NULL && tap_watch(check->own)->entropy_wanted)
		found(check, CHECK_ENTROPY,
		      "did not answer `entropy?` in time");
}

/* ---- a process ends --------------------------------------------------- */

/* Of a program that some wrapper ran, too, which reports 128 + the signal. */
static int
signal_of(int status)
{
	if (WIFSIGNALED(status))
		return WTERMSIG(status);
	if (WIFEXITED(status) && WEXITSTATUS(status) > 128 &&
	    WEXITSTATUS(status) < 128 + NSIG)
		return WEXITSTATUS(status) - 128;
	return 0;
}

static void
tell_signal(int number, char *to, size_t size)
{
	snprintf(to, size, "it was ended by signal %d (%s%s)", number,
		 strsignal(number),
		 number == SIGSYS ? ": it did what is forbidden" : "");
}

/* How a bot ended that had not been let go. */
static void
tell_end(const struct bot_end *end, char *to, size_t size)
{
	int number = signal_of(end->status);

	if (number == SIGKILL && end->over)
		snprintf(to, size,
			 "it was killed: its processes had more memory "
			 "together than a bot may have, or more files in /tmp");
	else if (number == SIGKILL)
		snprintf(to, size,
			 "it was killed, or closed its output and lived on");
	else if (number != 0)
		tell_signal(number, to, size);
	else
		snprintf(to, size, "it ended with status %d",
			 WEXITSTATUS(end->status));
}

static void
judge_leaving(struct check *check, const struct bot_end *end,
	      const struct tap_end *tap)
{
	int number = signal_of(end->status);
	char why[256];

	if (!tap->parted)
		return;
	if (number == SIGKILL) { /* ours: BYE_MS were over */
		snprintf(why, sizeof(why),
			 "did not leave within %d ms of %s and was killed",
			 BYE_MS,
			 check->trial->style == CHECK_EOF ? "the end of its "
							    "input"
							  : "`bye`");
		found(check, CHECK_STAYS, why);
	} else if (number != 0 && number != SIGPIPE) {
		snprintf(why, sizeof(why), "left, but ");
		tell_signal(number, why + strlen(why),
			    sizeof(why) - strlen(why));
		found(check, CHECK_SIGNAL, why);
	}
}

/* After a kill of ours its processes may just be dying. */
static void
judge_left(struct check *check, const struct bot_end *end)
{
	uint32_t left = end->strayed;
	char why[160];

	if (signal_of(end->status) != SIGKILL)
		left += end->left;
	if (left == 0)
		return;
	snprintf(why, sizeof(why),
		 "left %s behind: whatever it starts has to end "
		 "before it does",
		 counted(left, "process").text);
	found(check, CHECK_LEFT, why);
}

static void
judge_memory(struct check *check, const struct bot_end *end)
{
	struct check_report *report = check->report;
	uint64_t max_kib = check->setup->memory_mib * 1024;
	char why[160];

	report->cpu_us += end->cpu_us;
	if (end->peak_kib > report->peak_kib)
		report->peak_kib = end->peak_kib;
	if (end->peak_kib <= max_kib)
		return;
	snprintf(why, sizeof(why),
		 "took %llu MiB of memory; more than %llu is too much",
		 (unsigned long long)(end->peak_kib / 1024),
		 (unsigned long long)check->setup->memory_mib);
	found(check, CHECK_MEMORY, why);
}

void
check_judge_game(struct check *check)
{
	look_at_processes(check);
	judge_owed(check);
	judge_entropy(check);
}

void
check_judge_end(struct check *check, struct bot *tap, const struct bot_end *end)
{
	struct tap_end leaving;
	char how[256];

	tap_end(tap, &leaving);
	judge_leaving(check, end, &leaving);
	judge_left(check, end);
	judge_memory(check, end);
	check_judge_notes(check, end);
	tell_end(end, how, sizeof(how));
	check_report_ended(check->report, how, tap->ops->complaint(tap));
}
