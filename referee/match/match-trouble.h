/* referee/match/match-trouble.h - keeps the first trouble that a bot of a match
 * had: a fault, or an end of its program that is worth telling, with all that
 * explains it. */
#ifndef REFEREE_MATCH_TROUBLE_H
#define REFEREE_MATCH_TROUBLE_H

#include <jansson.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "referee/runner/complaints.h"
#include "referee/runner/job.h"

/* A bot never begins if it has ended without a word in so many games and has
 * done nothing else in any game. */
#define NEVER_BEGAN_GAMES 2

struct match_trouble {
	uint64_t game; /* number of the game; 0: no trouble so far */
	unsigned seat;
	struct fault_note note;		/* FAULT_NONE: the program has ended
					 * without a fault */
	char end[COMPLAINT_BYTES];	/* "ended with status 1"; or "" */
	char record[LADDER_FILE_BYTES]; /* file of the game's record; "": none
					 * so far */
	struct text wrote;		/* owned; error_excerpt() of stderr */
	bool begun;	 /* the bot has done something in some game */
	uint64_t silent; /* games that the bot has left without a word */
};

/* Call it when the program of a seat in game `number` has ended, or lives on
 * and the game is over.  `note` is its first fault in that game, or NULL. */
void match_trouble_hear(struct match_trouble *trouble, uint64_t number,
			unsigned seat, const struct fault_note *note,
			const struct job_end *end);
/* Tells that the record of the game is safe in this file. */
void match_trouble_kept(struct match_trouble *trouble, uint64_t number,
			const char *file);
/* Returns true if the bot has left all its games so far without a word, and if
 * these are enough of the `planned` ones. */
bool match_trouble_is_silent(const struct match_trouble *trouble,
			     uint64_t planned);
/* Sets an error of input: bot `name` never begins, and why. */
void match_trouble_silent(const struct match_trouble *trouble, const char *name,
			  struct error *why);
/* Prints the trouble for people on standard error: a line with bot, game and
 * seat, then lines that begin with two spaces.  `spec` is what `check` takes,
 * or NULL; `records` is the folder that the record is in, or NULL. */
void match_trouble_print(const char *name, const char *spec, const char *game,
			 const char *records,
			 const struct match_trouble *trouble);
json_t *match_trouble_json(const char *records,
			   const struct match_trouble *trouble);
void match_trouble_release(struct match_trouble *trouble);

#endif
