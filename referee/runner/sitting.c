/* referee/runner/sitting.c - see sitting.h. */
#include "referee/runner/sitting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "referee/spawner/bot-child.h"

/* ---- how it fares ----------------------------------------------------- */

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

void
sitting_note_life(const struct sitting *sitting, struct job_end *to)
{
	to->lives = true;
	note_complaint(sitting->program, to);
}

void
sitting_note_end(const struct sitting *sitting, const struct bot_end *end,
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

struct bot_usage
sitting_share(const struct sitting *sitting, uint64_t cpu_us, uint64_t peak_kib)
{
	const uint64_t before_us = sitting->cpu_us;

	return (struct bot_usage){ .cpu_us = cpu_us > before_us
						     ? cpu_us - before_us
						     : 0,
				   .peak_kib = peak_kib };
}

bool
sitting_usage(const struct sitting *sitting, struct bot_usage *usage)
{
	if (!bot_usage(sitting->program, usage))
		return false;
	*usage = sitting_share(sitting, usage->cpu_us, usage->peak_kib);
	return true;
}

/* ---- it ends ---------------------------------------------------------- */

void
sitting_failed(const struct sitting *sitting, const struct bot_end *end)
{
	const struct job *job = sitting->job;
	struct error why;

	if (!end->machine || sitting->play == NULL)
		return;
	if (end->started || end->error == EPIPE)
		error_set(&why, ERROR_INPUT, "%s", SPAWNER_DIED);
	else
		error_set(&why, ERROR_MACHINE,
			  "the machine cannot start bot %s: %s: %s: %s",
			  job->setup.name[sitting->seat],
			  quoted(job->seat[sitting->seat].program.argv[0]).text,
			  end->step, strerror(end->error));
	sitting->all->calls->failed(sitting->play, why.text);
}

static void
on_bot_failed(void *arg, struct bot *bot UNUSED, const struct bot_end *end)
{
	const struct sitting *sitting = arg;

	if (end->machine)
		sitting_failed(sitting, end);
	else if (sitting->play != NULL)
		sitting->all->calls->silent(sitting, end);
}

void
sitting_tell_late(const struct sitting *sitting, const struct bot_end *end)
{
	const struct sittings *all = sitting->all;
	const struct bot *bot = sitting->program;
	struct job_end told = { .known = false };

	/* A bot that has answered and was let go may end in any way. */
	if (!sitting->told_of &&
	    (!end->started || end->machine || !bot->asked || bot->bytes_in > 0))
		return;
	text_init(&told.complaint, STDERR_BYTES);
	sitting_note_end(sitting, end, &told);
	all->calls->late(all->arg, sitting->game, sitting->seat, sitting->bot,
			 &told);
	text_release(&told.complaint);
}

static void
on_bot_ended(void *arg, struct bot *bot UNUSED, const struct bot_end *end)
{
	struct sitting *sitting = arg;
	struct sittings *all = sitting->all;

	all->count--;
	if (sitting->play != NULL)
		all->calls->ended(sitting, end);
	else
		sitting_tell_late(sitting, end);
	free(sitting);
	all->calls->gone(all->arg);
}

/* ---- it begins -------------------------------------------------------- */

/* Returns a waiting program that has played before, or NULL. */
static struct sitting *
take_idle(struct sittings *all, const struct job *job, unsigned seat)
{
	struct bot *bot = idle_take(&all->idle, job->seat[seat].bot);
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
start(struct sittings *all, const struct job *job, unsigned seat)
{
	struct bot *bot = bot_child_start(all->loop, all->spawner,
					  &job->seat[seat].program);
	struct sitting *sitting;

	if (bot == NULL)
		return NULL;
	sitting = memory(NULL, sizeof(*sitting));
	*sitting = (struct sitting){ .all = all,
				     .program = bot,
				     .bot = job->seat[seat].bot,
				     .told_of = job->all_ends };
	bot->rests = job->rests;
	bot->failed = on_bot_failed;
	bot->ended = on_bot_ended;
	bot->ended_arg = sitting;
	bot_child_keep(bot, all->core);
	all->count++;
	return sitting;
}

struct sitting *
sitting_begin(struct sittings *all, struct play *play, const struct job *job,
	      unsigned seat)
{
	struct sitting *sitting = NULL;

	if (job->seat[seat].reuse)
		sitting = take_idle(all, job, seat);
	if (sitting == NULL)
		sitting = start(all, job, seat);
	if (sitting == NULL)
		return NULL;
	sitting->play = play;
	sitting->job = job;
	sitting->seat = seat;
	sitting->game = job->number;
	return sitting;
}
