/* referee/check/check-report.c - collects problems and prints them. */
#include "referee/check/check-report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/base/error-line.h"
#include "referee/base/json-line.h"
#include "referee/table/game-help.h"

#define ASIDE_MIN_US 10000
#define ASIDE_PERCENT 3 /* of the time while others were asked */

static const char *
kind_name(enum check_kind kind)
{
	static const char *const name[] = {
		[CHECK_ILLEGAL] = "illegal",
		[CHECK_PROTOCOL] = "protocol",
		[CHECK_TIMEOUT] = "timeout",
		[CHECK_CRASH] = "crash",
		[CHECK_USELESS] = "useless",
		[CHECK_FALLBACK] = "fallback",
		[CHECK_FAILED] = "failed",
		[CHECK_ENTROPY] = "entropy",
		[CHECK_STAYS] = "stays",
		[CHECK_SIGNAL] = "signal",
		[CHECK_LEFT] = "processes left behind",
		[CHECK_STDERR] = "stderr",
		[CHECK_MEMORY] = "memory",
		[CHECK_TOO_MANY] = "processes",
		[CHECK_FORBIDDEN] = "forbidden",
		[CHECK_FILES] = "files",
		[CHECK_STRANGERS] = "strangers",
	};

	return name[kind];
}

/* ---- collecting ------------------------------------------------------- */

void
check_report_add(struct check_report *report, enum check_kind kind,
		 const struct check_trial *trial, uint64_t game,
		 const struct bot *tap, const char *sentence)
{
	struct check_problem *problem;

	report->found[kind]++;
	if (report->told[kind].count == CHECK_TOLD ||
	    report->told[kind].game == game)
		return;
	report->told[kind].count++;
	report->told[kind].game = game;
	problem = ADDED(report->problem, report->problems);
	problem->kind = kind;
	problem->trial = *trial;
	problem->game = game;
	snprintf(problem->sentence, sizeof(problem->sentence), "%s", sentence);
	if (tap != NULL) {
		problem->lines = memory(NULL, sizeof(*problem->lines));
		tap_last_lines(tap, problem->lines);
	}
}

void
check_report_more(struct check_report *report, enum check_kind kind,
		  uint64_t game, const char *more)
{
	struct check_problem *problem = report->problem;
	size_t used;

	for (unsigned i = 0; i < report->problems; i++, problem++) {
		if (problem->kind != kind || problem->game != game)
			continue;
		used = strlen(problem->sentence);
		snprintf(problem->sentence + used,
			 sizeof(problem->sentence) - used, "%s", more);
	}
}

/* Returns the excerpt to show, which the caller owns, or NULL. */
static char *
excerpt(const char *complaint)
{
	struct text shown = { .max = EXCERPT_BYTES };
	char *copy = NULL;

	if (complaint != NULL)
		error_excerpt(complaint, strlen(complaint), &shown);
	if (shown.used > 0)
		copy = copied(text_string(&shown));
	text_release(&shown);
	return copy;
}

void
check_report_ended(struct check_report *report, const char *how,
		   const char *complaint)
{
	struct check_problem *problem;
	size_t used;

	for (; report->waiting < report->problems; report->waiting++) {
		problem = &report->problem[report->waiting];
		problem->complaint = excerpt(complaint);
		used = strlen(problem->sentence);
		if (problem->kind == CHECK_CRASH)
			snprintf(problem->sentence + used,
				 sizeof(problem->sentence) - used, ": %s", how);
	}
}

void
check_report_thought(struct check_report *report, uint64_t us, bool first)
{
	uint32_t *time = first ? ADDED(report->first_us, report->firsts)
			       : ADDED(report->thought_us, report->thoughts);

	*time = us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
}

uint64_t
check_report_found(const struct check_report *report)
{
	uint64_t found = 0;

	for (unsigned kind = 0; kind < CHECK_KINDS; kind++)
		found += report->found[kind];
	return found;
}

static bool
is_untried(const struct check_report *report)
{
	return (report->at_limit || report->quit) && report->seen.over == 0 &&
	       check_report_found(report) == 0;
}

bool
check_report_passes(const struct check_report *report)
{
	return check_report_found(report) == 0 && !is_untried(report);
}

/* Returns true if the bot thinks while others are asked.  Less time is garbage
 * collection or noise of the clock.  The limit is low because on a busy machine
 * a bot gets only what others leave. */
static bool
ponders(const struct check_report *report)
{
	return report->aside_cpu_us > ASIDE_MIN_US &&
	       report->aside_cpu_us * 100 > report->aside_us * ASIDE_PERCENT;
}

void
check_report_release(struct check_report *report)
{
	for (unsigned i = 0; i < report->problems; i++) {
		free(report->problem[i].lines);
		free(report->problem[i].complaint);
	}
	free(report->problem);
	free(report->thought_us);
	free(report->first_us);
	memset(report, 0, sizeof(*report));
}

/* ---- words ------------------------------------------------------------ */

uint32_t
check_percentile(const uint32_t value[], size_t n, unsigned permille)
{
	size_t rank = (n * permille + 999) / 1000;

	if (n == 0)
		return 0;
	return value[rank == 0 ? 0 : rank - 1];
}

void
check_trial_text(const struct check_trial *trial, uint64_t game, char *to,
		 size_t size)
{
	const char *style = check_style_text(trial->style);
	char more[512];
	size_t used = game_setup_text(&trial->setup, true, more, sizeof(more));

	if (trial->arrival && used < sizeof(more))
		used += (size_t)snprintf(more + used, sizeof(more) - used,
					 "%sopen=arrival", used > 0 ? " " : "");
	if (style[0] != '\0' && used < sizeof(more))
		used += (size_t)snprintf(more + used, sizeof(more) - used,
					 "%s%s", used > 0 ? "; " : "", style);
	if (trial->at_once > 1 && used < sizeof(more))
		used += (size_t)snprintf(more + used, sizeof(more) - used,
					 "%sup to %u games at once",
					 used > 0 ? "; " : "", trial->at_once);
	snprintf(to, size, "%s, %u seats, seat %u, game %" PRIu64 "%s%s%s",
		 trial->setup.rules->title, trial->setup.seats, trial->seat,
		 game, used > 0 ? " (" : "", used > 0 ? more : "",
		 used > 0 ? ")" : "");
}

/* ---- printing --------------------------------------------------------- */

static void
print_complaint(const char *complaint)
{
	char shown[EXCERPT_PART_BYTES];
	const char *at;
	size_t n;

	for (at = complaint; *at != '\0'; at += n + (at[n] == '\n')) {
		n = strcspn(at, "\n");
		text_escape(shown, sizeof(shown), at, n);
		printf("    ! %s\n", shown);
	}
}

static void
print_problem(const struct check_problem *problem)
{
	char where[768];
	unsigned i;

	check_trial_text(&problem->trial, problem->game, where, sizeof(where));
	printf("%s: %s\n", where, problem->sentence);
	for (i = 0; problem->lines != NULL && i < problem->lines->count; i++)
		printf("    %s\n", problem->lines->line[i]);
	if (problem->complaint != NULL)
		print_complaint(problem->complaint);
}

static void
print_more(const struct check_report *report)
{
	for (unsigned kind = 0; kind < CHECK_KINDS; kind++)
		if (report->found[kind] > report->told[kind].count)
			printf("and %" PRIu64 " more like these: %s\n",
			       report->found[kind] - report->told[kind].count,
			       kind_name((enum check_kind)kind));
}

static void
print_times(const char *what, uint32_t *us, size_t n)
{
	if (n > 0)
		qsort(us, n, sizeof(*us), by_unsigned);
	printf("  %-16s median %.1f, 90%% %.1f, 99%% %.1f, longest %.1f ms\n",
	       what, check_percentile(us, n, 500) / 1e3,
	       check_percentile(us, n, 900) / 1e3,
	       check_percentile(us, n, 990) / 1e3,
	       check_percentile(us, n, 1000) / 1e3);
}

static void
print_seen(const struct check_report *report)
{
	const struct watch_seen *seen = &report->seen;

	printf("  %-16s %s, %" PRIu64 " void, %" PRIu64
	       " with a range, at most %s;\n"
	       "  %-16s lines of up to %s; %s aborted\n",
	       "it was shown", counted(seen->asks, "ask").text, seen->voids,
	       seen->ranges, counted(seen->longest_list, "token").text, "",
	       counted(seen->longest_line, "byte").text,
	       counted(seen->aborted, "game").text);
	if (report->at_once > 1)
		printf("  %-16s up to %u games at once\n", "it played",
		       report->at_once);
}

static void
print_verdict(const struct check_report *report)
{
	const char *name = report->name;
	const struct counted planned = counted(report->planned, "game");
	uint64_t found = check_report_found(report);

	if (report->at_limit)
		printf("the time was over after %" PRIu64 " of %s\n",
		       report->games, planned.text);
	if (report->speechless_games > 0)
		printf("stopped after %" PRIu64 " of %s: in %u of them it "
		       "answered nothing\n",
		       report->games, planned.text, report->speechless_games);
	else if (report->gave_up)
		printf("stopped after %" PRIu64 " of %s: in %" PRIu64
		       " of them something was wrong\n",
		       report->games, planned.text, report->wrong_games);
	if (report->quit)
		printf("it quit after %" PRIu64 " of %s\n", report->games,
		       planned.text);
	if (is_untried(report))
		printf("%s: no game came to its end, so the check failed\n",
		       name);
	else
		printf("%s: %s wrong in %s\n", name,
		       found == 0 ? "nothing" : counted(found, "thing").text,
		       counted(report->games, "game").text);
}

static void
print_taken(const struct check_report *report)
{
	printf("  %-16s at most %.1f MiB, %s; %.2f s of processor\n", "it took",
	       (double)report->peak_kib / 1024,
	       counted(report->processes, "thread").text,
	       (double)report->cpu_us / 1e6);
}

void
check_report_print(struct check_report *report)
{
	for (unsigned i = 0; i < report->problems; i++)
		print_problem(&report->problem[i]);
	print_more(report);
	if (report->problems > 0)
		putchar('\n');
	if (report->thoughts > 0)
		print_times("an answer", report->thought_us, report->thoughts);
	if (report->firsts > 0)
		print_times("the first one", report->first_us, report->firsts);
	if (!report->by_tcp)
		print_taken(report);
	if (ponders(report))
		printf("  %-16s %.2f s of processor in %.2f s in which others "
		       "were asked:\n"
		       "  %-16s with `--ponder off` it is held in these\n",
		       "it ponders", (double)report->aside_cpu_us / 1e6,
		       (double)report->aside_us / 1e6, "");
	print_seen(report);
	print_verdict(report);
}

/* ---- JSON ------------------------------------------------------------- */

static json_t *
lines_array(const struct tap_lines *lines)
{
	json_t *array = json_array();

	for (unsigned i = 0; lines != NULL && i < lines->count; i++)
		json_array_append_new(array, json_any_string(lines->line[i]));
	return array;
}

/* Returns lines of a stranger as JSON text. */
static json_t *
escaped(const char *text)
{
	size_t size = text == NULL ? 16 : 4 * strlen(text) + 16, used = 0, n;
	char *shown = memory(NULL, size);
	json_t *string;

	shown[0] = '\0';
	for (; text != NULL && *text != '\0'; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		text_escape(shown + used, size - used, text, n);
		used += strlen(shown + used);
		used += (size_t)snprintf(shown + used, size - used, "\n");
	}
	string = json_string(shown);
	free(shown);
	return string;
}

static void
print_problem_json(const struct check_problem *problem)
{
	const struct check_trial *trial = &problem->trial;

	print_json_line(
		JSON_OBJECT(
			TEXT("type", "problem"),
			TEXT("kind", kind_name(problem->kind)),
			TEXT("sentence", problem->sentence),
			TEXT("game", trial->setup.rules->name),
			INT("seats", trial->setup.seats),
			INT("seat", trial->seat), INT("number", problem->game),
			JSON("options", json_options(&trial->setup)),
			TEXT("open", trial->arrival ? "arrival" : "priority"),
			TEXT("style", check_style_text(trial->style)),
			JSON("lines", lines_array(problem->lines)),
			JSON("stderr", escaped(problem->complaint))),
		10);
}

static json_t *
times_object(uint32_t *us, size_t n)
{
	if (n > 0)
		qsort(us, n, sizeof(*us), by_unsigned);
	return JSON_OBJECT(REAL("median", check_percentile(us, n, 500) / 1e3),
			   REAL("p90", check_percentile(us, n, 900) / 1e3),
			   REAL("p99", check_percentile(us, n, 990) / 1e3),
			   REAL("max", check_percentile(us, n, 1000) / 1e3),
			   INT("count", n));
}

static json_t *
found_object(const struct check_report *report)
{
	json_t *object = json_object();

	for (unsigned kind = 0; kind < CHECK_KINDS; kind++)
		if (report->found[kind] > 0)
			json_object_set_new(
				object, kind_name((enum check_kind)kind),
				json_integer((json_int_t)report->found[kind]));
	return object;
}

void
check_report_print_json(struct check_report *report, const char *seed)
{
	const struct watch_seen *seen = &report->seen;

	for (unsigned i = 0; i < report->problems; i++)
		print_problem_json(&report->problem[i]);
	print_json_line(
		JSON_OBJECT(
			TEXT("type", "summary"),
			JSON("bot", json_any_string(report->name)),
			JSON("seed", json_any_string(seed)),
			INT("games", report->games),
			INT("planned", report->planned),
			BOOL("whole", !report->at_limit && !report->gave_up &&
					      !report->quit &&
					      report->signal == 0),
			INT("wrong", check_report_found(report)),
			JSON("kinds", found_object(report)),
			REAL("seconds", report->seconds),
			JSON("answer_ms", times_object(report->thought_us,
						       report->thoughts)),
			JSON("first_ms",
			     times_object(report->first_us, report->firsts)),
			REAL("memory_mib", (double)report->peak_kib / 1024),
			INT("processes", report->processes),
			REAL("cpu_s", (double)report->cpu_us / 1e6),
			BOOL("ponders", ponders(report)),
			REAL("aside_cpu_s", (double)report->aside_cpu_us / 1e6),
			REAL("aside_s", (double)report->aside_us / 1e6),
			INT("stderr_bytes", report->stderr_bytes),
			JSON("shown",
			     JSON_OBJECT(
				     INT("asks", seen->asks),
				     INT("voids", seen->voids),
				     INT("ranges", seen->ranges),
				     INT("longest_list", seen->longest_list),
				     INT("longest_line", seen->longest_line),
				     INT("entropy", seen->entropy),
				     INT("aborted", seen->aborted),
				     INT("at_once", report->at_once)))),
		10);
}
