/* referee/match/match-trouble.h - the first trouble that a bot of a match had:
 * a fault, or an end that is worth telling, with all that explains it. */
#ifndef REFEREE_MATCH_TROUBLE_H
#define REFEREE_MATCH_TROUBLE_H

#include <jansson.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "referee/runner/complaints.h"
#include "referee/runner/job.h"

/* So many games in which a bot has ended without a word are enough, if there
 * was none before in which it did anything else. */
#define NEVER_BEGAN_GAMES 2

struct match_trouble {
	uint64_t game; /* its number; 0: no trouble so far */
	unsigned seat;
	struct fault_note note;		/* FAULT_NONE: it has only ended */
	char end[COMPLAINT_BYTES];	/* "ended with status 1"; or "" */
	char record[LADDER_FILE_BYTES]; /* its file; "": none so far */
	struct text wrote; /* owned: of its standard error (error_excerpt()) */
	bool begun;	   /* it has done something in some game */
	uint64_t silent;   /* games that it has left without a word */
};

/* The program of a seat in game `number` has ended, or lives and the game is
 * over; `note`: what it was charged with there first, or NULL. */
void match_trouble_hear(struct match_trouble *trouble, uint64_t number,
			unsigned seat, const struct fault_note *note,
			const struct job_end *end);
/* The game is safe in this file. */
void match_trouble_kept(struct match_trouble *trouble, uint64_t number,
			const char *file);
/* Whether it has left all its games so far, and enough of them, without a
 * word. */
bool match_trouble_is_silent(const struct match_trouble *trouble,
			     uint64_t planned);
/* An error of input: that bot `name` never began, and the cause. */
void match_trouble_silent(const struct match_trouble *trouble, const char *name,
			  struct error *why);
/* Prints it for people on standard error: what it was, then lines that begin
 * with two spaces.  `spec`: what `check` takes, or NULL; `records`: the folder
 * that the record is in, or NULL. */
void match_trouble_print(const char *name, const char *spec, const char *game,
			 const char *records,
			 const struct match_trouble *trouble);
json_t *match_trouble_json(const char *records,
			   const struct match_trouble *trouble);
void match_trouble_release(struct match_trouble *trouble);

/* What the program of a seat has left on its standard error, as a file of its
 * own in `dir`: 0, or -1 and errno.  A later call for the game replaces it. */
int match_stderr_keep(const char *dir, uint64_t number, unsigned seat,
		      const char *name, const struct text *text) MUST_CHECK;

#endif
