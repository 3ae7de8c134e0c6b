/* protocol/error.h - why something could not be done: a kind and a sentence.
 *
 * A function that can fail for more than one reason takes a struct error,
 * returns 0 or -1 (or a pointer or NULL), and fills it in the second case only.
 * The caller decides what becomes of it: a command prints the sentence and
 * exits with the code of its kind, the daemon answers or logs it.
 *
 * A sentence has no full stop, no line feed of ours and no prefix like
 * "error:"; it says the fact, then the cure. */
#ifndef PROTOCOL_ERROR_H
#define PROTOCOL_ERROR_H

#include <stdarg.h>
#include <stdint.h>

#include "protocol/util.h"

/* There is room for two paths and the words around them; what is longer ends in
 * "...". */
#define ERROR_BYTES 6144

/* An error kind says who is to blame.  The numbers are the exit codes of the commands,
 * and what the daemon answers at its control socket. */
enum error_kind {
	ERROR_NONE = 0,
	ERROR_ANSWER = 1,  /* the answer is no: a record does not hold, … */
	ERROR_INPUT = 2,   /* what was given or asked for: ask differently */
	ERROR_MACHINE = 3, /* disk full, no permission, in use: ask again */
};

struct error {
	enum error_kind kind;
	char text[ERROR_BYTES]; /* the sentence, NUL-terminated */
};

/* Fills `error` and returns -1.  The arguments may point into its text. */
int error_set(struct error *error, enum error_kind kind, const char *fmt, ...)
	PRINTF_LIKE(3, 4) COLD;
int error_vset(struct error *error, enum error_kind kind, const char *fmt,
	       va_list ap) PRINTF_LIKE(3, 0) COLD;

/* Puts words in front of the sentence, whose kind stays; returns -1. */
int error_prefix(struct error *error, const char *fmt, ...)
	PRINTF_LIKE(2, 3) COLD;

#define QUOTED_BYTES 100 /* of a value in a sentence */

/* Holds a value that a user gave, for a sentence: in '…', and cut if it is long.  Use
 * it as quoted(VALUE).text. */
struct quoted {
	char text[QUOTED_BYTES + 8];
};
struct quoted quoted(const char *value);

/* "1 game", "2 games", "2 processes".  Use it as counted(n, "game").text. */
struct counted {
	char text[48];
};
struct counted counted(uint64_t n, const char *noun);

#endif
