/* protocol/abort.h - why a game ended without a result, and the words for it:
 * those of `abort ID WHY` and of a record's `aborted WHY`.  One more also stands
 * in RECORD.md. */
#ifndef PROTOCOL_ABORT_H
#define PROTOCOL_ABORT_H

#define ABORT_LIST(ROW)                                                        \
	ROW(MACHINE, "machine")		/* the referee's machine failed */     \
	ROW(SHUTDOWN, "shutdown")	/* the daemon stops */                 \
	ROW(INTERRUPTED, "interrupted") /* the command stops */                \
	ROW(NOT_STARTED, "not-started") /* a bot did not begin to play */      \
	ROW(TOO_LONG, "too-long") /* the time of the whole game is over */     \
	ROW(RECORD_TOO_LONG, "record-too-long")                                \
	ROW(ORGANISER, "organiser") /* a bot of it was taken out */

/* ABORT_NONE: the game has a result, or goes on.  ABORT_WORDS: how many there
 * are, none included. */
#define ABORT_ENUM(name, word) ABORT_##name,
enum abort_word { ABORT_NONE, ABORT_LIST(ABORT_ENUM) ABORT_WORDS };
#undef ABORT_ENUM

/* Returns the word for it; there is none for ABORT_NONE. */
const char *abort_name(enum abort_word word);

#endif
