/* referee/queue/coordinator-again.c - games that are played again elsewhere. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/again.h"
#include "referee/queue/coordinator-inside.h"

void
coordinator_set_again(struct coordinator *coordinator, uint64_t share)
{
	coordinator->repeats = share;
}

/* Who comes first to an open decision is chance. */
static bool
can_repeat(const struct check *check)
{
	const struct job *job = check->job;

	return check->result.outcome.aborted == ABORT_NONE &&
	       !job->setup.arrival && job_programs(job) > 0;
}

void
again_ask(struct coordinator *coordinator, const struct check *check)
{
	if (randombytes_uniform(COORDINATOR_AGAIN) >= coordinator->repeats ||
	    coordinator->told.figures.workers < 2 || !can_repeat(check))
		return;
	pg_ask(coordinator->pg, NULL, NULL,
	       "SELECT referee.add_again($1, $2, $3, $4)", "iisi",
	       coordinator->house.epoch, check->which.job, check->worker,
	       (int64_t)COORDINATOR_AGAIN_WAITING);
}

/* ---- what it tells ------------------------------------------------------- */

/* Rows `from` to `to` are of one worker. */
static void
judge(struct coordinator *coordinator, const struct pg_answer *answer,
      unsigned from, unsigned to)
{
	struct again_bot *bot = memory(NULL, (to - from) * sizeof(*bot));
	char why[RESIDUALS_WHY_BYTES];
	double p, here = 0, other = 0;

	for (unsigned i = from; i < to; i++) {
		bot[i - from] = (struct again_bot){
			.other = pg_real(answer, i, 1),
			.here = pg_real(answer, i, 2),
			.share = pg_real(answer, i, 3),
		};
		other += bot[i - from].other;
		here += bot[i - from].here;
	}
	p = again_chance(bot, to - from);
	free(bot);
	if (p >= RESIDUALS_WARN || coordinator->odd == COORDINATOR_OFF)
		return;
	snprintf(why, sizeof(why),
		 "bots move otherwise on it than elsewhere: of %.0f games that "
		 "came out otherwise when they were played again it had played "
		 "%.0f; by chance with p %.1e",
		 other, here, p);
	odd_tell(coordinator, pg_string(answer, from, 0), why,
		 p < RESIDUALS_SUSPEND &&
			 coordinator->odd == COORDINATOR_SUSPEND);
}

static void
on_ended(void *arg, const struct pg_answer *answer)
{
	struct about *about = arg;
	struct coordinator *coordinator = about->coordinator;
	const int64_t job = about->which.job;
	const unsigned rows = pg_rows(answer);
	unsigned from = 0, to;

	about_free(about);
	if (coordinator_is_taken(coordinator, answer))
		return;
	for (; from < rows; from = to) {
		for (to = from + 1; to < rows; to++)
			if (strcmp(pg_string(answer, to, 0),
				   pg_string(answer, from, 0)) != 0)
				break;
		judge(coordinator, answer, from, to);
	}
	/* What was not taken is fetched again. */
	coordinator_receipt(coordinator, job);
}

/* ---- comparing ------------------------------------------------------------ */

/* Ends the repetition; what it tells of `n` bots. */
static void
end(const struct check *check, const char *first, const char *const bot[],
    const int64_t other[], size_t n)
{
	struct coordinator *coordinator = check->coordinator;
	struct about *about = about_new(coordinator);

	about->which = check->which;
	pg_ask(coordinator->pg, on_ended, about,
	       "SELECT suspect, differs, here, share FROM "
	       "referee.end_again($1, $2, $3, $4, $5, $6, $7)",
	       "iiissSI", coordinator->house.epoch, check->which.job,
	       check->which.attempt, check->worker, first, bot, n, other, n);
}

static void
compare(const struct check *check, const char *first, const char *record,
	size_t n)
{
	struct coordinator_counts *counts = &check->coordinator->counts;
	const struct job *job = check->job;
	const struct text *body = &check->result.body;
	const char *bot[SEATS_MAX] = { NULL };
	int64_t other[SEATS_MAX] = { 0 };
	unsigned s, seat = 0;
	size_t bots = 0;
	enum again again =
		again_compare(record, n, body->bytes, body->used, &seat);

	for (s = 0; s < job->setup.game.seats && again != AGAIN_UNKNOWN; s++) {
		if (!job_seat_is_program(&job->seat[s]) ||
		    (again == AGAIN_OTHER && s != seat))
			continue;
		bot[bots] = job->seat[s].program.folder; /* its hash */
		other[bots++] = again == AGAIN_OTHER;
	}
	counts->again++;
	counts->again_other += again == AGAIN_OTHER;
	end(check, first, bot, other, bots);
}

/* Without a verdict, or by the same worker, it says nothing. */
static void
on_first(void *arg, const struct pg_answer *answer)
{
	struct about *about = arg;
	struct coordinator *coordinator = about->coordinator;
	const struct check *check = check_find(coordinator, about->which.job);
	static const char *const none[1];
	const char *record;
	size_t n;

	about_free(about);
	if (check == NULL)
		return;
	if (answer->outcome != PG_DONE) {
		coordinator_receipt(coordinator, check->which.job);
		return;
	}
	if (pg_rows(answer) == 0 ||
	    strcmp(pg_string(answer, 0, 0), check->worker) == 0) {
		end(check, check->worker, none, NULL, 0);
		return;
	}
	record = pg_bytes(answer, 0, 1, &n);
	compare(check, pg_string(answer, 0, 0), record, n);
}

void
again_compared(const struct check *check)
{
	struct coordinator *coordinator = check->coordinator;
	struct about *about = about_new(coordinator);

	about->which = check->which;
	pg_ask(coordinator->pg, on_first, about,
	       "SELECT j.again_worker, v.record FROM referee.job j "
	       "JOIN referee.verdict v ON v.game = $2 WHERE j.job = $1",
	       "is", check->which.job, check->game);
}
