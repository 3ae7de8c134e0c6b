/* referee/table/fault-note.h - the faults of a bot, and their causes.
 *
 * A table takes a note of each fault that it charges: the ask, what the bot
 * said, what would have been legal.  They go with the result of a job to the
 * code that tells the author.  They hold what the seat itself was told and
 * said, nothing more; so they are for the author of that bot alone while a game
 * runs. */
#ifndef REFEREE_FAULT_NOTE_H
#define REFEREE_FAULT_NOTE_H

#include <stdint.h>

#include "protocol/limits.h"
#include "referee/table/seat.h"

/* The first ones of a game are kept; others are counted. */
#define FAULT_NOTES_A_SEAT 3
#define FAULT_LEGAL_BYTES 512 /* of a legal list, with its NUL; then "..." */
#define FAULT_SENTENCE_BYTES (4 * SAID_BYTES + FAULT_LEGAL_BYTES + 256)

struct fault_note {
	uint8_t seat;
	enum fault fault;
	struct bot_seen seen;  /* at a timeout; else BOT_UNSEEN */
	uint32_t ask;	       /* number of the ask; 0: it was not sent, for the
				* fault came before it */
	uint64_t used_us;      /* of the clock */
	uint32_t again;	       /* at a timeout: an ask of before, which it has
				* answered again instead; 0: none */
	uint64_t late_us;      /* so much too late its answer came after all; 0:
				* it did not */
	struct seat_said said; /* the line that was charged, or had no end, as
				* it came */
	char legal[FAULT_LEGAL_BYTES]; /* tokens, a space between two */
};

/* Zeroed notes are empty. */
struct fault_notes {
	struct fault_note *note; /* owned; in the order of the game */
	unsigned count;
};

/* Adds a zeroed note of this seat at the end and returns it, borrowed until the next
 * call; NULL: the seat has FAULT_NOTES_A_SEAT. */
struct fault_note *fault_notes_add(struct fault_notes *notes, unsigned seat);
/* Returns the first note of the seat, or NULL. */
const struct fault_note *fault_notes_first(const struct fault_notes *notes,
					   unsigned seat);
void fault_notes_release(struct fault_notes *notes);
/* Notes the list of tokens of `n` bytes, cut between two of them. */
void fault_note_legal(struct fault_note *note, const char *tokens, size_t n);
/* Writes the token of the seat's answer, if the line that was charged was one; else
 * "". */
void fault_note_token(const struct fault_note *note,
		      char token[SAID_BYTES + 1]);
/* These return what an answer of `n` bytes that is not among these tokens, or a line
 * that breaks the grammar, looks like: "; small and capital letters differ", or "". */
const char *fault_token_hint(const char *tokens, const char *token, size_t n);
const char *fault_line_hint(const char *tokens, const char *line, size_t n);
/* Writes "; its answer came 9 ms late", of `us` microseconds. */
#define FAULT_LATE_BYTES 64
void fault_late_words(uint64_t us, char to[FAULT_LATE_BYTES]);
/* Writes "; its line `do 1 X` has no end (no line feed)", of `n` bytes, of which at
 * most SAID_BYTES are shown; `cut`: the line has more than `n`. */
#define FAULT_UNENDED_BYTES (4 * SAID_BYTES + 64)
void fault_unended_words(const char *line, size_t n, bool cut,
			 char to[FAULT_UNENDED_BYTES]);
/* Writes what is said before a line of `n` bytes that has one which is not
 * printable ASCII: "said a line with the byte 0x09, which …: ". */
void fault_byte_words(const char *line, size_t n, char *to, size_t size);
/* "illegal: answered ask 7 with 'play:9X'; legal: play:7H pass", escaped, one
 * line. */
void fault_note_sentence(const struct fault_note *note,
			 char to[FAULT_SENTENCE_BYTES]);

#endif
