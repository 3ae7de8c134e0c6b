/* referee/check/check-judge.c - finds what is wrong with a bot, and says it in
 * sentences. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/check/check-inside.h"
#include "referee/sandbox/process-look.h"
#include "referee/sandbox/sandbox.h"
#include "referee/spawner/bot-child.h"
#include "referee/spawner/bot-usage.h"
#include "referee/table/fault-note.h"

/* A thought in which a bot may have started many threads. */
#define LONG_THOUGHT_US 1000

void
check_found(struct check_game *game, enum check_kind kind, const char *fmt, ...)
{
	char sentence[CHECK_SENTENCE_BYTES];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	check_report_add(game->check->report, kind, &game->trial, game->number,
			 game->own, sentence);
	game->wrong = true;
}

/* ---- while it plays --------------------------------------------------- */

/* Describes a line without its end.  Returns false if there is none. */
static bool
look_unended(const struct bot *bot, char to[FAULT_UNENDED_BYTES])
{
	const char *line;
	size_t n = bot_unended(bot, &line);

	if (n == 0)
		return false;
	fault_unended_words(line, n, false, to);
	return true;
}

/* Adds what else is known about a bot that does not answer. */
static void
look_why_silent(struct check_game *game, char *why, size_t size)
{
	const char *lost = check_remote_lost(game->check);
	char doing[BOT_DOING_BYTES], unended[FAULT_UNENDED_BYTES];
	struct bot_seen seen;

	if (lost != NULL) {
		snprintf(why, size, "; it has left: %s", lost);
		return;
	}
	seen = bot_doing(game->own);
	if (seen.doing != BOT_STARVED && look_unended(game->own, unended)) {
		snprintf(why, size, "%s", unended);
		return;
	}
	bot_doing_words(&seen, tap_has_spoken(game->own), doing);
	snprintf(why, size, "%s", doing);
}

/* Ends a game in which no ask is answered. */
static void
give_up_game(struct check_game *game)
{
	if (game->check->setup->keep_going || tap_has_spoken(game->own))
		return;
	game->speechless = true;
	loop_post(&game->check->loop, LOOP_SETTLE, &game->abort_task);
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

/* Returns true if the last ask, or its answer, may have been lost with the
 * connection. */
static bool
was_cut_off(const struct check_game *game)
{
	return game->check->cut || tap_watch(game->own)->ask <= game->missed;
}

static void
on_fault(void *arg, enum fault fault)
{
	struct check_game *game = arg;
	char why[WATCH_WHY_BYTES + FAULT_UNENDED_BYTES];

	if (game->trial.style == CHECK_RETIRE && fault == FAULT_ILLEGAL &&
	    tap_watch(game->own)->ask >= CHECK_SPOIL_FROM)
		return; /* we have caused it */
	if (fault == FAULT_TIMEOUT && was_cut_off(game))
		return; /* we have caused it */
	watch_why(tap_watch(game->own), fault, why);
	if (fault == FAULT_TIMEOUT)
		look_why_silent(game, why + strlen(why),
				sizeof(why) - strlen(why));
	check_found(game, kind_of(fault), "%s", why);
	if (fault != FAULT_TIMEOUT)
		return;
	game->timeouts++;
	give_up_game(game);
}

/* Reports the first late answer of a game. */
static void
on_late(void *arg, uint64_t us)
{
	const struct check_game *game = arg;
	char late[FAULT_LATE_BYTES];

	if (game->timeouts != 1)
		return;
	fault_late_words(us, late);
	check_report_more(game->check->report, CHECK_TIMEOUT, game->number,
			  late);
}

static void
on_useless(void *arg)
{
	struct check_game *game = arg;
	const struct watch *watch = tap_watch(game->own);

	/* The first one stands for all of the game. */
	if (watch->useless == 1)
		check_found(game, CHECK_USELESS, "%s", watch->useless_why);
}

static void
on_slipped(void *arg, enum slip slip)
{
	struct check_game *game = arg;

	check_found(game, slip == SLIP_FALLBACK ? CHECK_FALLBACK : CHECK_FAILED,
		    "%s", tap_watch(game->own)->slip_why);
}

static void
on_broken(void *arg, enum fault fault)
{
	struct check_game *game = arg;
	char why[WATCH_WHY_BYTES + FAULT_UNENDED_BYTES];
	char unended[FAULT_UNENDED_BYTES];

	if (game->check->report->not_started || game->check->report->failed)
		return;
	watch_why(tap_watch(game->own), fault, why);
	if (game->check->listener != NULL && fault == FAULT_CRASH)
		snprintf(why, sizeof(why),
			 "lost its connection after ask %u, and did not come "
			 "back within %d seconds",
			 (unsigned)tap_watch(game->own)->ask, CHECK_AWAY_S);
	else if (fault == FAULT_CRASH && look_unended(game->own, unended))
		snprintf(why + strlen(why), sizeof(why) - strlen(why), "%s",
			 unended);
	game->check->loss_told |= fault == FAULT_CRASH;
	check_found(game, kind_of(fault), "%s", why);
}

/* It counts for the game that has begun last. */
void
check_on_useless(void *arg, const char *why)
{
	struct check_game *last = check_last_game(arg);

	if (last->number > 0)
		check_found(last, CHECK_USELESS, "%s", why);
}

static bool
is_boxed(const struct check_game *game)
{
	const struct sandbox_box *box = game->check->setup->box;

	return box != NULL && box->tier >= SANDBOX_BOX;
}

/* Looks at the bot's processes, without the two of its box. */
static void
look_at_tree(const struct check_game *game, pid_t pid, struct proc_look *tree)
{
	const uint64_t ours = is_boxed(game) ? BOT_BOX_PROCESSES : 0;

	proc_look(pid, tree);
	tree->threads -= tree->threads < ours ? tree->threads : ours;
	tree->processes -= tree->processes < ours ? tree->processes : ours;
}

static void
judge_orphans(struct check_game *game, pid_t pid)
{
	if (!is_boxed(game) || game->orphans_told || proc_orphans(pid) == 0)
		return;
	game->orphans_told = true;
	check_found(
		game, CHECK_LEFT,
		"started a process whose parent has ended: whatever it starts "
		"has to end before it does");
}

/* Judges the sum of its processes, each of which may be small.  The memory of
 * one process is known when it has ended. */
static void
judge_sum(struct check_game *game, uint64_t processes, uint64_t kib)
{
	if (game->sum_told || processes <= 1 ||
	    kib <= game->check->setup->memory_mib * 1024)
		return;
	game->sum_told = true;
	check_found(
		game, CHECK_MEMORY,
		"took %llu MiB of memory in all of its processes; more than "
		"%llu is too much",
		(unsigned long long)(kib / 1024),
		(unsigned long long)game->check->setup->memory_mib);
}

static void
look_at_processes(struct check_game *game)
{
	const uint64_t most = game->check->setup->processes;
	struct check_report *report = game->check->report;
	struct proc_look tree;
	struct bot_look look;

	if (game->own == NULL || game->check->listener != NULL)
		return;
	tap_look(game->own, &look);
	look_at_tree(game, look.pid, &tree);
	judge_orphans(game, look.pid);
	judge_sum(game, tree.processes, tree.own_kib);
	if (tree.threads > most) /* some may have begun while others ended */
		look_at_tree(game, look.pid, &tree);
	if (tree.threads > report->processes)
		report->processes = tree.threads;
	if (tree.threads <= most || game->processes_told)
		return;
	game->processes_told = true;
	check_found(
		game, CHECK_TOO_MANY,
		"had %llu processes and threads at once; more than %llu are "
		"too many",
		(unsigned long long)tree.threads, (unsigned long long)most);
}

/* Adds the processor time since its last answer, without that of the ask.  While
 * the loop's clock stood still the bot may have thought about the ask.  Only games
 * with slow opponents give enough time for this. */
static void
look_aside(struct check_game *game, uint64_t asked_us)
{
	struct check_aside *aside = &game->aside;
	struct bot_usage usage;
	struct bot_look look;
	uint64_t now_us = clock_us(), cpu_us, since_us;
	const uint64_t stood_us = clock_machine_us() - now_us;

	if (game->trial.style != CHECK_SLOW || game->check->listener != NULL)
		return;
	tap_look(game->own, &look);
	if (!bot_usage_of(look.pid, is_boxed(game), &usage))
		return;
	cpu_us = usage.cpu_us - aside->cpu_us;
	since_us = now_us - aside->at_us;
	if (stood_us > aside->stood_us) {
		since_us += stood_us - aside->stood_us;
		asked_us += stood_us - aside->stood_us;
	}
	asked_us *= (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	if (aside->at_us != 0 && usage.cpu_us > aside->cpu_us &&
	    since_us > asked_us) {
		game->check->report->aside_us += since_us - asked_us;
		if (cpu_us > asked_us)
			game->check->report->aside_cpu_us += cpu_us - asked_us;
	}
	aside->cpu_us = usage.cpu_us;
	aside->at_us = now_us;
	aside->stood_us = stood_us;
}

/* Looks at its processes, too: they may be gone before the timer looks, but are there
 * while it answers. */
static void
on_thought(void *arg, uint64_t us, bool first)
{
	struct check_game *game = arg;

	check_report_thought(game->check->report, us, first);
	look_aside(game, us);
	if (first || us >= LONG_THOUGHT_US)
		look_at_processes(game);
	if (++game->answers == CHECK_ABORT_AFTER &&
	    game->trial.style == CHECK_ABORT)
		loop_post(&game->check->loop, LOOP_SETTLE, &game->abort_task);
	if (game->answers == CHECK_CUT_AFTER && game->trial.style == CHECK_CUT)
		loop_post(&game->check->loop, LOOP_SETTLE,
			  &game->check->cut_task);
}

const struct tap_calls check_calls = {
	.fault = on_fault,
	.late = on_late,
	.useless = on_useless,
	.slipped = on_slipped,
	.broken = on_broken,
	.thought = on_thought,
};

/* The timer calls this now and then. */
void
check_on_look(void *arg)
{
	struct check *check = arg;

	look_at_processes(&check->game[0]); /* a program plays one game at a
					     * time */
}

void
check_on_complained(void *arg, const char *bytes UNUSED, size_t n)
{
	struct check_game *game = arg;
	struct tap_end end;

	game->check->report->stderr_bytes += n;
	tap_end(game->own, &end);
	if (end.stderr_bytes <= CHECK_STDERR_BYTES || game->stderr_told)
		return;
	game->stderr_told = true;
	check_found(
		game, CHECK_STDERR,
		"wrote more than %d bytes to standard error; a referee keeps "
		"the last %d",
		CHECK_STDERR_BYTES, STDERR_BYTES);
}

/* Reports a mistake that no ask was left to charge. */
static void
judge_owed(struct check_game *game)
{
	const struct watch *watch;

	if (game->own == NULL)
		return;
	watch = tap_watch(game->own);
	if (watch->owed && !watch_flooded(watch))
		check_found(game, CHECK_PROTOCOL, "%s", watch->why);
}

static void
judge_entropy(struct check_game *game)
{
	if (game->own != NULL && tap_watch(game->own)->entropy_wanted)
		check_found(game, CHECK_ENTROPY,
			    "did not answer `entropy?` in time");
}

/* ---- a process ends --------------------------------------------------- */

/* Returns the signal that ended a program, also if a wrapper reports it as 128
 * + the signal. */
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
		 number == SIGSYS ? ": a forbidden call" : "");
}

/* Writes how a bot ended that had not been let go. */
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
judge_leaving(struct check_game *game, const struct bot_end *end,
	      const struct tap_end *tap)
{
	int number = signal_of(end->status);
	char how[256];

	if (!tap->parted)
		return;
	if (number == SIGKILL) { /* our signal: BYE_MS were over */
		check_found(game, CHECK_STAYS,
			    "did not leave within %d ms of %s and was killed",
			    BYE_MS,
			    game->trial.style == CHECK_EOF ? "the end of its "
							     "input"
							   : "`bye`");
	} else if (number != 0 && number != SIGPIPE) {
		tell_signal(number, how, sizeof(how));
		check_found(game, CHECK_SIGNAL, "left, but %s", how);
	}
}

/* Reports processes that are left.  After our kill they may just be dying. */
static void
judge_left(struct check_game *game, const struct bot_end *end)
{
	uint32_t left = end->strayed;

	if (signal_of(end->status) != SIGKILL)
		left += end->left;
	if (left > 0)
		check_found(game, CHECK_LEFT,
			    "left %s behind: whatever it starts has to end "
			    "before it does",
			    counted(left, "process").text);
}

static void
judge_memory(struct check_game *game, const struct bot_end *end)
{
	struct check_report *report = game->check->report;
	uint64_t max_kib = game->check->setup->memory_mib * 1024;

	report->cpu_us += end->cpu_us;
	if (end->peak_kib > report->peak_kib)
		report->peak_kib = end->peak_kib;
	if (end->peak_kib > max_kib)
		check_found(
			game, CHECK_MEMORY,
			"took %llu MiB of memory; more than %llu is too much",
			(unsigned long long)(end->peak_kib / 1024),
			(unsigned long long)game->check->setup->memory_mib);
}

void
check_judge_game(struct check_game *game)
{
	look_at_processes(game);
	judge_owed(game);
	judge_entropy(game);
}

void
check_judge_end(struct check_game *game, struct bot *tap,
		const struct bot_end *end)
{
	struct tap_end leaving;
	char how[256];

	tap_end(tap, &leaving);
	judge_leaving(game, end, &leaving);
	judge_left(game, end);
	judge_memory(game, end);
	check_judge_notes(game, end);
	tell_end(end, how, sizeof(how));
	check_report_ended(game->check->report, how, bot_complaint(tap));
}
