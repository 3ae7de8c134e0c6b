/* referee/check/check-report.h - the findings of a check, and how they are
 * printed. */
#ifndef REFEREE_CHECK_REPORT_H
#define REFEREE_CHECK_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "referee/check/check-plan.h"
#include "referee/check/check-tap.h"
#include "referee/check/check-watch.h"

/* CHECK_TOLD problems of each kind are told in full, one for each game; the
 * others are counted. */
#define CHECK_SENTENCE_BYTES (WATCH_WHY_BYTES + 256)
#define CHECK_TOLD 3

/* The kinds of problems. */
enum check_kind {
	CHECK_ILLEGAL, /* faults found by a seat */
	CHECK_PROTOCOL,
	CHECK_TIMEOUT,
	CHECK_CRASH,
	CHECK_USELESS,	/* lines that mean nothing */
	CHECK_FALLBACK, /* mistakes that the bot reports itself: enum slip */
	CHECK_FAILED,
	CHECK_ENTROPY,	 /* no entropy came, though it had said so */
	CHECK_STAYS,	 /* it does not leave */
	CHECK_SIGNAL,	 /* it ends by a signal */
	CHECK_LEFT,	 /* it leaves processes behind */
	CHECK_STDERR,	 /* too much standard error */
	CHECK_MEMORY,	 /* more memory than it asked for */
	CHECK_TOO_MANY,	 /* too many processes */
	CHECK_FORBIDDEN, /* system calls that its box refuses, and the like */
	CHECK_FILES,	 /* files that are not its own */
	CHECK_STRANGERS, /* processes that are not its own */
	CHECK_KINDS,
};

struct check_problem {
	enum check_kind kind;
	struct check_trial trial;
	uint64_t game; /* number of the game */
	char sentence[CHECK_SENTENCE_BYTES];
	struct tap_lines *lines; /* owned; NULL: no lines belong to it */
	char *complaint;	 /* owned; an excerpt of its standard error */
};

struct check_report {
	char name[NAME_BYTES + 1]; /* name of the bot */
	bool by_tcp;		   /* nothing is known about its process */
	struct check_problem
		*problem; /* owned; at most CHECK_TOLD of each kind */
	unsigned problems;
	unsigned waiting; /* problems from here on wait for the end of the
			   * process */
	uint64_t found[CHECK_KINDS];
	struct {
		unsigned count; /* problems told in full */
		uint64_t game;	/* game of the last problem */
	} told[CHECK_KINDS];
	uint64_t games, planned, wrong_games, aborted;
	uint32_t
		*thought_us; /* owned; time of each answer but the first ones */
	size_t thoughts;
	uint32_t *first_us; /* owned; time of each process's first answer */
	size_t firsts;
	uint64_t cpu_us, peak_kib, processes; /* the last two are maxima */
	/* Processor time and clock time while others were asked, in the games
	 * with slow opponents. */
	uint64_t aside_cpu_us, aside_us;
	uint64_t stderr_bytes;
	unsigned at_once; /* most games played at once */
	struct watch_seen seen;
	double seconds;
	bool at_limit;		   /* the time was over */
	bool gave_up;		   /* enough was wrong */
	unsigned speechless_games; /* not 0: that was because of these */
	bool quit;		   /* it wanted no more games */
	int signal;		   /* the signal that ended the check, or 0 */
	bool failed;		   /* the machine has failed; see `why` */
	bool not_started; /* the program could not be started; see `why` */
	char why[512];
};

/* Notes a problem.  `tap`, or NULL, has the lines around it. */
void check_report_add(struct check_report *report, enum check_kind kind,
		      const struct check_trial *trial, uint64_t game,
		      const struct bot *tap, const char *sentence);
/* Adds words to the sentence of this kind of problem in that game, if it is
 * told in full. */
void check_report_more(struct check_report *report, enum check_kind kind,
		       uint64_t game, const char *more);
/* Notes the end of the process: adds `how` to its crashes, and its last
 * standard error (NULL: none) to all of its problems. */
void check_report_ended(struct check_report *report, const char *how,
			const char *complaint);
void check_report_thought(struct check_report *report, uint64_t us, bool first);
/* Returns the number of all problems. */
uint64_t check_report_found(const struct check_report *report);

/* Returns false if something is wrong.  Returns false, too, if no game came to its
 * end before the time was over or the bot quit: nothing is known then. */
bool check_report_passes(const struct check_report *report);

/* Print the report on standard output. */
void check_report_print(struct check_report *report);
void check_report_print_json(struct check_report *report, const char *seed);
void check_report_release(struct check_report *report);

/* ---- for tests -------------------------------------------------------- */

/* Returns the smallest of `n` sorted values that is not below `permille` of
 * them; 0 if there are no values. */
uint32_t check_percentile(const uint32_t value[], size_t n, unsigned permille);

/* Writes a trial such as "Toepen, 4 seats, seat 2, game 3 (points=5; lines in
 * single bytes)". */
void check_trial_text(const struct check_trial *trial, uint64_t game, char *to,
		      size_t size);

#endif
