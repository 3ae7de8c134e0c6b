/* referee/scheduler/refit.c - see refit.h. */
#include "referee/scheduler/refit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "referee/base/subprocess.h"
#include "referee/data/owner.h"

/* The last fit of the ladder at a place. */
struct fitted {
	char name[NAME_BYTES + 1];
	uint64_t games;	   /* its games at its last fit; 0: no fit yet */
	uint64_t anchored; /* its count `anchored` at its last fit */
	uint64_t marked;   /* what *refit->marked was at its last fit */
	uint64_t at_us;	   /* when that fit began */
};

struct refit {
	struct loop *loop;
	struct logger *logger;
	const struct ladders *ladders;
	char *data; /* owned, as a reload replaces the configuration */
	struct timer timer;
	struct fitted fitted[LADDER_PLACES];
	struct subprocess *process; /* the running fit, or NULL */
	unsigned place;		    /* the place of its ladder */
	const uint64_t *marked;
};

/* ---- one process ------------------------------------------------------ */

static void
log_end_of(struct refit *refit, const char *why, int code)
{
	const struct fitted *fitted = &refit->fitted[refit->place];

	if (why != NULL)
		log_event(refit->logger, LOG_LEVEL_WARN, "ladder-not-fitted",
			  "ladder=%s why=%s code=%d", fitted->name, why, code);
	else
		log_event(refit->logger, LOG_LEVEL_DEBUG, "ladder-fitted",
			  "ladder=%s games=%" PRId64 " ms=%" PRId64,
			  fitted->name, (int64_t)fitted->games,
			  (int64_t)((clock_us() - fitted->at_us) / 1000));
}

/* Tells the scheduler about the new fit.  The name is compared, as another
 * ladder may have the place by now. */
static void
hand_over(const struct refit *refit)
{
	struct scheduler *scheduler = refit->ladders->scheduler[refit->place];

	if (scheduler != NULL && strcmp(scheduler_name(scheduler),
					refit->fitted[refit->place].name) == 0)
		scheduler_refitted(scheduler);
}

static void
on_end(void *arg, struct subprocess_end *end)
{
	struct refit *refit = arg;

	refit->process = NULL;
	if (end->status == 0) {
		log_end_of(refit, NULL, 0);
		hand_over(refit);
	} else if (WIFEXITED(end->status))
		log_end_of(refit, "`referee ladder fit` says what is wrong",
			   WEXITSTATUS(end->status));
	else
		log_end_of(refit, "the process was killed",
			   WTERMSIG(end->status));
}

/* ---- when ------------------------------------------------------------- */

static bool
is_due(struct refit *refit, unsigned place, const struct scheduler *scheduler)
{
	struct fitted *fitted = &refit->fitted[place];
	const struct scheduler_counts *counts = scheduler_counts(scheduler);
	const uint64_t now = counts->games;
	uint64_t apart;

	if (strcmp(fitted->name, scheduler_name(scheduler)) != 0) {
		*fitted = (struct fitted){ 0 };
		snprintf(fitted->name, sizeof(fitted->name), "%s",
			 scheduler_name(scheduler));
	}
	/* A rebuild or a void may have reduced the number of games. */
	apart = now > fitted->games ? now - fitted->games : fitted->games - now;
	if (now == 0 ||
	    ((apart == 0 || apart < fitted->games / REFIT_NEW_PART) &&
	     counts->anchored == fitted->anchored &&
	     *refit->marked == fitted->marked))
		return false;
	return fitted->at_us == 0 ||
	       clock_us() - fitted->at_us >= REFIT_EACH_MS * UINT64_C(1000);
}

static void
begin(struct refit *refit, unsigned place, const struct scheduler *scheduler)
{
	struct fitted *fitted = &refit->fitted[place];
	char file[LADDER_PATH_BYTES];
	const char *const argv[] = { "referee", "ladder", "fit", "--ladder",
				     file,	"--csv",  NULL };

	refit->place = place;
	fitted->games = scheduler_counts(scheduler)->games;
	fitted->anchored = scheduler_counts(scheduler)->anchored;
	fitted->marked = *refit->marked;
	fitted->at_us = clock_us();
	if (!owner_ladder_file(refit->data, fitted->name, file))
		return;
	refit->process = subprocess_start(&(struct subprocess_order){
		.argv = argv, .in = -1, .nice = REFIT_NICE });
	if (refit->process != NULL)
		subprocess_watch(refit->process, refit->loop, on_end, refit);
	else
		log_end_of(refit, strerror(errno), errno);
}

/* Fits the ladder that has waited longest of those that are due. */
static void
on_timer(void *arg)
{
	struct refit *refit = arg;
	const struct scheduler *scheduler, *best = NULL;
	unsigned at = 0;

	if (refit->process != NULL)
		return;
	LADDERS_EACH (refit->ladders, scheduler, i)
		if (is_due(refit, i, scheduler) &&
		    (best == NULL ||
		     refit->fitted[i].at_us < refit->fitted[at].at_us)) {
			best = scheduler;
			at = i;
		}
	if (best != NULL)
		begin(refit, at, best);
}

struct refit *
refit_new(struct loop *loop, struct logger *logger,
	  const struct ladders *ladders, const char *data,
	  const uint64_t *marked)
{
	struct refit *refit = memory(NULL, sizeof(*refit));

	*refit = (struct refit){ .loop = loop,
				 .logger = logger,
				 .ladders = ladders,
				 .marked = marked,
				 .data = copied(data) };
	timer_init(&refit->timer, &loop->timers, on_timer, refit);
	timer_every(&refit->timer, REFIT_LOOK_MS * UINT64_C(1000));
	return refit;
}

void
refit_free(struct refit *refit)
{
	if (refit == NULL)
		return;
	timer_stop(&refit->timer);
	subprocess_free(refit->process);
	free(refit->data);
	free(refit);
}
