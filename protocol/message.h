/* protocol/message.h - what a bot says: line -> verb and arguments.
 *
 * Pure: a line in, a struct out, no state.  What the referee says is written by
 * the few message_* functions at the end, so that these forms stand in one
 * place, too. */
#ifndef PROTOCOL_MESSAGE_H
#define PROTOCOL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"

enum message_verb {
	MESSAGE_BAD,	 /* breaks the grammar: `why` says how */
	MESSAGE_BOT,	 /* bot 1 NAME KEY=VALUE… */
	MESSAGE_DO,	 /* do K TOKEN */
	MESSAGE_SAY,	 /* say TEXT */
	MESSAGE_ENTROPY, /* entropy HEX */
	MESSAGE_PONG,	 /* pong TEXT (TCP) */
	MESSAGE_SIT,	 /* sit LADDER… (TCP) */
	MESSAGE_REST,	 /* rest (TCP) */
	MESSAGE_QUIT,	 /* quit (TCP) */
	MESSAGE_CRASHED, /* crashed (TCP) */
};

struct message {
	enum message_verb verb;
	const char *why;   /* MESSAGE_BAD: a sentence for the author */
	uint32_t ask;	   /* do: K, from 1 */
	const char *text;  /* do: the token; bot: the name; say, pong, sit: the
			    * rest of the line; borrowed from the line */
	size_t n;	   /* bytes at text */
	const char *pairs; /* bot: the KEY=VALUE part, or NULL */
	size_t pairs_bytes;
	bool entropy;	    /* bot: entropy=yes */
	bool multi;	    /* bot: multi=yes */
	unsigned games;	    /* bot: games=N, 1 to GAMES_AT_ONCE; 0: not said */
	const char *token;  /* bot: what token= says, or NULL; borrowed */
	size_t token_bytes; /* 1 to BOT_TOKEN_BYTES */
	const char *resume; /* bot: what resume= says, or NULL; borrowed; for
			     * message_resume() */
	size_t resume_bytes;
	unsigned char hex[ENTROPY_BYTES]; /* entropy: the bytes */
	size_t hex_bytes;
};

/* Reads one line of `n` bytes (printable ASCII, as line_take() gives it). */
void message_read(const char *line, size_t n, struct message *message);

/* A slip is a mistake that a program tells of itself: `say WORD TYPE: TEXT`. */
enum slip {
	SLIP_FALLBACK, /* it could not choose, and makes the first move */
	SLIP_FAILED,   /* another of its functions failed */
	SLIPS,
};

/* Returns which slip a MESSAGE_SAY tells, and `TYPE: TEXT` in `what`, which is
 * borrowed; SLIPS: it is a remark like any other. */
enum slip message_slip(const struct message *say, const char **what, size_t *n);

/* Holds a game that a bot comes back to. */
struct message_resume {
	char id[ID_BYTES + 1];
	uint64_t lines; /* of it the bot has read so many */
};

/* Takes the next `ID:N` of resume=, from `*at` on, which is 0 at first; false
 * if there is none any more.  There are GAMES_AT_ONCE at most, each ID once. */
bool message_resume(const struct message *message, size_t *at,
		    struct message_resume *resume);

/* Returns true if the `n` bytes are a game's ID. */
bool message_id_ok(const char *id, size_t n);
/* Returns true if the `n` bytes are a bot's name: NAME_BYTES at most,
 * [A-Za-z0-9][A-Za-z0-9._-]* */
bool message_name_ok(const char *name, size_t n);
/* Returns the name of a bot that the referee has itself, "random" or "house", which
 * `name` is but for capitals; else NULL. */
const char *message_builtin(const char *name);
/* Reads a decimal without sign or leading zeros, at most `max`: 0, or -1. */
int message_number(const char *text, size_t n, uint64_t max,
		   uint64_t *number) MUST_CHECK;

/* There is room for what message_ask() writes. */
#define MESSAGE_ASK_BYTES 48

/* Writes `ask K MS ` (no NUL) and leaves the line open for its tokens; returns
 * the number of bytes. */
size_t message_ask(char to[MESSAGE_ASK_BYTES], uint32_t ask, uint64_t ms);

#endif
