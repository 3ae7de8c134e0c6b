/* referee/runner/complaints.h - tells the organiser what went wrong with programs.
 *
 * Standard error gets a log line for a program that ended with an error, left
 * its game or had too much memory, with the line of its own standard error that
 * names the error.  Each bot gets at most a few such lines.  What a program
 * wrote is escaped. */
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

/* Writes how a started program ended, such as "ended with status 1".  Returns
 * false and writes "" if that is not worth telling. */
bool complaints_sentence(const struct bot_end *end, char to[COMPLAINT_BYTES]);
/* Writes the same sentence for a seat of a job's result. */
bool complaints_job_sentence(const struct job_end *end,
			     char to[COMPLAINT_BYTES]);

/* Returns the likely cause of what a program left on standard error, as a
 * sentence without a full stop, or NULL. */
const char *complaints_hint(const char *text, size_t n);

struct complaints {
	bool progress;		/* wipe a progress line first */
	uint8_t told[BOTS_MAX]; /* lines told, by bot */
};

/* Reports the end of a program of bot number `bot`. */
void complaints_hear(struct complaints *complaints, const char *name,
		     unsigned bot, uint64_t game, unsigned seat,
		     const struct job_end *end);

#endif
