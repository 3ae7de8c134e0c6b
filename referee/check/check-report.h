/* referee/check/check-report.h - what a check has found, and how it is told. */
#ifndef REFEREE_CHECK_REPORT_H
#define REFEREE_CHECK_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/check/check-plan.h"
#include "referee/check/check-tap.h"
#include "referee/check/check-watch.h"

/* Of each kind so many are told whole, one of a game; the others are counted.
 */
#define CHECK_SENTENCE_BYTES (WATCH_WHY_BYTES + 256)
#define CHECK_TOLD 3

/* What can be wrong. */
enum check_kind {
	CHECK_ILLEGAL, /* faults, as a seat finds them */
	CHECK_PROTOCOL,
	CHECK_TIMEOUT,
	CHECK_CRASH,
	CHECK_USELESS,	/* lines that mean nothing */
	CHECK_FALLBACK, /* mistakes that it tells of itself: enum slip */
	CHECK_FAILED,
	CHECK_ENTROPY,	 /* none came, though it said so */
	CHECK_STAYS,	 /* it does not leave */
	CHECK_SIGNAL,	 /* it leaves by a signal */
	CHECK_LEFT,	 /* it leaves processes behind */
	CHECK_STDERR,	 /* too much of it */
	CHECK_MEMORY,	 /* more than it asked for */
	CHECK_TOO_MANY,	 /* processes */
	CHECK_FORBIDDEN, /* calls that its box refuses, and the like */
	CHECK_FILES,	 /* that are none of its own */
	CHECK_STRANGERS, /* processes that are none of its own */
	CHECK_KINDS,
};

struct check_problem {
	enum check_kind kind;
	struct check_trial trial;
	uint64_t game; /* its number */
	char sentence[CHECK_SENTENCE_BYTES];
	struct tap_lines *lines; /* owned; NULL: none belong to it */
	char *complaint;	 /* owned; of its standard error */
};

struct check_report {
	char name[NAME_BYTES + 1];     /* of the bot */
	bool by_tcp;		       /* of its process nothing is known */
	struct check_problem *problem; /* owned; CHECK_TOLD of each kind */
	unsigned problems;
	unsigned waiting; /* those from here on wait for its end */
	uint64_t found[CHECK_KINDS];
	struct {
		unsigned count; /* problems told whole */
		uint64_t game;	/* of the last one */
	} told[CHECK_KINDS];
	uint64_t games, planned, wrong_games, aborted;
	uint32_t *thought_us; /* owned; of each answer but the first ones */
	size_t thoughts;
	uint32_t *first_us; /* owned; of each process's first */
	size_t firsts;
	uint64_t cpu_us, peak_kib, processes; /* the largest of the last two */
	/* While others were asked, in the games in which these take their
	 * time: of the processor, and of the clock. */
	uint64_t aside_cpu_us, aside_us;
	uint64_t stderr_bytes;
	unsigned at_once; /* the most games that were played at once */
	struct watch_seen seen;
	double seconds;
	bool at_limit;	  /* the time was over */
	bool gave_up;	  /* enough was wrong */
	bool quit;	  /* it wanted no more games */
	int signal;	  /* that ended it; or 0 */
	bool failed;	  /* the machine did: `why` */
	bool not_started; /* the program could not be: `why` */
	char why[512];
};

/* Takes note of a problem; `tap` (or NULL) has the lines around it. */
void check_report_add(struct check_report *report, enum check_kind kind,
		      const struct check_trial *trial, uint64_t game,
		      const struct bot *tap, const char *sentence);
/* Adds to the sentence of the problem of this kind in that game, if it is told
 * whole. */
void check_report_more(struct check_report *report, enum check_kind kind,
		       uint64_t game, const char *more);
/* The process has ended: `how` is added to its crashes, what it left on its
 * standard error (NULL: nothing) to all of its problems. */
void check_report_ended(struct check_report *report, const char *how,
			const char *complaint);
void check_report_thought(struct check_report *report, uint64_t us, bool first);
/* All that is wrong. */
uint64_t check_report_found(const struct check_report *report);

/* Returns false if something is wrong.  Returns false, too, if no game came to its
 * end before the time was over or the bot quit: nothing is known then. */
bool check_report_passes(const struct check_report *report);

/* Prints it on standard output. */
void check_report_print(struct check_report *report);
void check_report_print_json(struct check_report *report, const char *seed);
void check_report_release(struct check_report *report);

/* ---- for tests -------------------------------------------------------- */

/* Of `n` values in rising order the smallest that at least `permille` of them
 * do not pass; 0 of none. */
uint32_t check_percentile(const uint32_t value[], size_t n, unsigned permille);

/* "Toepen, 4 seats, seat 2, game 3 (points=5; lines in single bytes)" */
void check_trial_text(const struct check_trial *trial, uint64_t game, char *to,
		      size_t size);

#endif
