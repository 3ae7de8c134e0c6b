/* referee/runner/complaints.h - tells the organiser what went wrong with programs.
 *
 * One log line on standard error for a program that ended with an error, left
 * its game or had too much memory, with the line of its standard error that
 * names the error; at most a few for each bot.  What a program wrote is
 * escaped. */
#ifndef REFEREE_COMPLAINTS_H
#define REFEREE_COMPLAINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/text.h"
#include "referee/table/bot.h"

struct job_end;

#define COMPLAINTS_A_BOT 3
#define COMPLAINT_BYTES 192
/* The end of a sentence about status 0. */
#define COMPLAINT_EARLY " before its game was over"

/* How a program that was started has ended: "ended with status 1".  False, and
 * "": in no way that is worth telling. */
bool complaints_sentence(const struct bot_end *end, char to[COMPLAINT_BYTES]);
/* The same of a seat in a job's result. */
bool complaints_job_sentence(const struct job_end *end,
			     char to[COMPLAINT_BYTES]);

/* What may have caused what a program left on standard error: a sentence
 * without its point; or NULL. */
const char *complaints_hint(const char *text, size_t n);

struct complaints {
	bool progress;		/* a progress line is wiped first */
	uint8_t told[BOTS_MAX]; /* by bot */
};

/* The program of bot number `bot` has ended. */
void complaints_hear(struct complaints *complaints, const char *name,
		     unsigned bot, uint64_t game, unsigned seat,
		     const struct job_end *end);

#endif
