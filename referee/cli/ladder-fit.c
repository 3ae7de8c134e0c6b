/* referee/cli/ladder-fit.c - runs `referee ladder fit`: takes games from a
 * ladder's pools or from a file, solves a fit for each, and prints tables. */
#include "referee/cli/ladder-fit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "referee/base/command.h"
#include "referee/cli/fit-print.h"
#include "referee/cli/fit-results.h"
#include "referee/data/owner.h"

/* ---- what it is asked for --------------------------------------------- */

void
fit_take_anchor(void *to, const struct argument *option, char *arg)
{
	struct fit_request *request = argument_field(option, to);
	struct error why;

	if (ladder_anchor_add(&request->settings.anchors, arg, &why) < 0)
		refuse_argument("--anchor %s", why.text);
}

void
fit_take_prior(void *to, const struct argument *option, char *arg)
{
	struct fit_request *request = argument_field(option, to);

	if (strcmp(arg, "0") != 0)
		refuse_argument("--prior must be 0, for none, not %s",
				quoted(arg).text);
	request->settings.prior = false;
}

void
fit_take_pool(void *to, const struct argument *option, char *arg)
{
	struct fit_request *request = argument_field(option, to);
	char *end;

	errno = 0;
	request->pool = strtoll(arg, &end, 10);
	if (errno != 0 || end == arg || *end != '\0' || request->pool < 1)
		refuse_argument("--pool must be the number of a pool, not %s",
				quoted(arg).text);
}

/* Checks that the options go together.  Returns EXIT_DONE, or prints a sentence
 * and returns EXIT_USAGE. */
static int
check_request(const struct fit_request *request)
{
	if (request->json && request->csv)
		return complain_usage("--json or --csv, not both");
	if (request->versus != NULL && request->other == NULL)
		return complain_usage("--versus needs two bots: --versus A B");
	if (request->versus == NULL && request->other != NULL)
		return complain_usage("unexpected argument %s",
				      quoted(request->other).text);
	if (request->csv && (request->cross || request->versus != NULL))
		return complain_usage("--cross and --versus print text or "
				      "--json, not --csv");
	if (request->results != NULL &&
	    (request->pool != 0 || request->since != NULL))
		return complain_usage("--pool and --since are for a ladder, "
				      "not for --results");
	if (request->since != NULL && !ladder_date_ok(request->since))
		return complain_usage("--since must be a date as 2026-11-22 or "
				      "2026-11-22T10:00:00Z, not %s",
				      quoted(request->since).text);
	return EXIT_DONE;
}

/* ---- one fit ---------------------------------------------------------- */

struct run {
	const struct fit_request *request;
	struct ladder *ladder;
	struct fit_settings settings;
	bool daemons; /* the ladder is in a data folder */
	enum fit_format format;
	unsigned fits; /* fits printed so far */
	bool found;    /* the pool that was asked for is there */
	int result;    /* EXIT_DONE, or the code of a complaint */
};

/* Checks that the bots of --anchor are in the fit. */
static int
check_names(const struct run *run, const struct fit *fit)
{
	const struct ladder_anchors *anchors = &run->settings.anchors;
	unsigned bot;

	for (unsigned i = 0; i < anchors->count; i++)
		if (!fit_find(fit, anchors->at[i].bot, &bot))
			return complain_usage("--anchor: %s has no bot %s",
					      run->request->results,
					      anchors->at[i].bot);
	return EXIT_DONE;
}

static int
print_fit(struct run *run, struct fit *fit, const struct ladder_pool *pool)
{
	const struct fit_request *request = run->request;
	unsigned a, b;

	if (request->versus != NULL) {
		if (!fit_find(fit, request->versus, &a) ||
		    !fit_find(fit, request->other, &b))
			return EXIT_DONE;
		if (a == b)
			return complain_usage(
				"--versus: name two different bots");
		fit_print_versus(fit, pool, a, b, run->format);
		run->fits++;
		return EXIT_DONE;
	}
	if (request->cross && fit_bots(fit) > FIT_DENSE_BOTS)
		return complain_usage("--cross is for %d bots at most, and "
				      "these are %u; take --versus",
				      FIT_DENSE_BOTS, fit_bots(fit));
	if (run->fits == 0 && run->format == FIT_CSV)
		fit_print_columns();
	if (run->fits++ > 0 && run->format == FIT_TEXT)
		putchar('\n');
	fit_print(fit, pool, run->format);
	if (request->cross)
		fit_print_cross(fit, pool, run->format);
	return EXIT_DONE;
}

/* ---- a ladder --------------------------------------------------------- */

static bool
is_daemons(const char *file)
{
	char data[LADDER_PATH_BYTES], name[NAME_BYTES + 1];

	return owner_of_ladder(file, data, name);
}

/* Returns true if the fit is the one that `show` would make and is worth
 * storing for it. */
static bool
worth_keeping(const struct run *run, const struct fit *fit)
{
	if (run->request->since != NULL ||
	    (fit_games(fit) < FIT_KEEP_GAMES && !run->daemons))
		return false;
	return run->settings.prior && run->request->settings.anchors.count == 0;
}

static void
fit_one(void *arg, const struct ladder_pool *pool)
{
	struct run *run = arg;
	struct error why;
	struct fit *fit;

	if (run->result != EXIT_DONE ||
	    (run->request->pool != 0 && run->request->pool != pool->number))
		return;
	run->found = true;
	if (fit_pool(run->ladder, pool->number, &run->settings,
		     run->request->since, &fit, &why) < 0) {
		run->result = complain_error(&why);
		return;
	}
	if (fit_games(fit) > 0 && worth_keeping(run, fit))
		fit_keep(fit, run->ladder, pool->number);
	if (fit_games(fit) > 0)
		run->result = print_fit(run, fit, pool);
	fit_free(fit);
}

static int
know_bot(struct run *run, const char *option, const char *bot)
{
	struct error why;
	int result = ladder_knows_bot(run->ladder, bot, &why);

	if (result < 0)
		return complain_error(&why);
	return result == LADDER_FOUND
		       ? EXIT_DONE
		       : complain_usage("%s: the ladder knows no bot %s",
					option, quoted(bot).text);
}

static int
know_bots(struct run *run)
{
	const struct fit_request *request = run->request;
	int code = EXIT_DONE;
	const struct ladder_anchors *anchors = &request->settings.anchors;

	for (unsigned i = 0; code == EXIT_DONE && i < anchors->count; i++)
		code = know_bot(run, "--anchor", anchors->at[i].bot);
	if (code == EXIT_DONE && request->versus != NULL)
		code = know_bot(run, "--versus", request->versus);
	if (code == EXIT_DONE && request->versus != NULL)
		code = know_bot(run, "--versus", request->other);
	return code;
}

static int
fit_pools(struct run *run)
{
	struct error why;
	int code = know_bots(run);

	if (code != EXIT_DONE)
		return code;
	if (ladder_pools(run->ladder, fit_one, run, &why) < 0)
		return complain_error(&why);
	if (run->result == EXIT_DONE && run->request->pool != 0 && !run->found)
		return complain_usage("there is no pool %lld; `referee ladder "
				      "games` lists the pools",
				      (long long)run->request->pool);
	if (run->result == EXIT_DONE && run->fits == 0 &&
	    run->request->versus != NULL)
		return complain_usage("%s and %s have no pool in common",
				      run->request->versus,
				      run->request->other);
	if (run->result == EXIT_DONE && run->fits == 0 &&
	    run->format == FIT_TEXT)
		puts("no games yet");
	return run->result;
}

static int
fit_ladder(struct run *run, const char *file)
{
	struct roster_marks *marks;
	struct error why;
	int result = owner_open_ladder(file, &run->ladder, &marks, &why);

	if (result < 0)
		return complain_error(&why);
	owner_tell_behind(run->ladder, file);
	/* Anchors on the command line replace the ladder's own. */
	if (run->settings.anchors.count == 0)
		result = ladder_anchors(run->ladder, &run->settings.anchors,
					&why);
	result = result < 0 ? complain_error(&why) : fit_pools(run);
	ladder_close(run->ladder);
	roster_marks_free(marks);
	return result;
}

/* ---- games from anywhere ---------------------------------------------- */

static int
fit_results(struct run *run)
{
	struct fit *fit = fit_new();
	struct error why;
	int result;

	if (fit_add_results(fit, run->request->results, &why) < 0)
		result = complain_error(&why);
	else if ((result = check_names(run, fit)) == EXIT_DONE)
		result = fit_games(fit) == 0 ? EXIT_DONE
			 : fit_settle(fit, &run->settings, &why) < 0
				 ? complain_error(&why)
				 : print_fit(run, fit, NULL);
	if (result == EXIT_DONE && run->fits == 0) {
		if (run->request->versus != NULL)
			result = complain_usage(
				"--versus: %s does not have both bots",
				run->request->results);
		else if (run->format == FIT_TEXT)
			puts("no games yet");
	}
	fit_free(fit);
	return result;
}

int
ladder_fit(const struct fit_request *request, const char *file)
{
	struct run run = { .request = request, .settings = request->settings };
	int code = check_request(request);

	if (code != EXIT_DONE)
		return code;
	run.format = request->json  ? FIT_JSON
		     : request->csv ? FIT_CSV
				    : FIT_TEXT;
	run.daemons = request->results == NULL && is_daemons(file);
	code = request->results != NULL ? fit_results(&run)
					: fit_ladder(&run, file);
	/* A table without rows has columns, but an error has no table. */
	if (code == EXIT_DONE && run.format == FIT_CSV && run.fits == 0)
		fit_print_columns();
	return code == EXIT_DONE ? finish_output() : code;
}
