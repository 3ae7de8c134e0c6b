/* protocol/event.h - write event lines with their hidden parts marked.
 *
 * A game writes what happens, once, in full; who sees what of it is written
 * into the line as `{…}S` marks and cut out by hidden_redact() alone.  The
 * functions are inline because engines write millions of lines a second.
 *
 *	event_begin_of(ev, "deal", 1);	deal 1 {7H TC}1
 *	event_hide(ev);
 *	event_word(ev, "7H");
 *	event_word(ev, "TC");
 *	event_seen_by(ev, 1u << 1);
 *	event_end(ev);
 *
 * With `wanted` false everything here does nothing: the game is played
 * without text. */
#ifndef PROTOCOL_EVENT_H
#define PROTOCOL_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "protocol/limits.h"
#include "protocol/put.h"
#include "protocol/util.h"

/* There is room for all lines of one step (one move and all that follows from it). */
#define EVENTS_BYTES 32768

struct events {
	bool wanted;		 /* false: write nothing */
	bool hide;		 /* the next word opens a mark */
	uint32_t used;		 /* bytes in text */
	uint32_t line_at;	 /* where the line being written starts */
	uint32_t lines;		 /* whole lines since events_clear() */
	uint32_t tokens;	 /* tokens of the line being written so far */
	char text[EVENTS_BYTES]; /* lines, each ended by LF; no NUL */
};

/* Empties the buffer: the text is gone. */
static inline void
events_clear(struct events *ev)
{
	ev->used = ev->line_at = ev->lines = ev->tokens = 0;
	ev->hide = false;
}

/* `n` bytes as they are. */
static inline void
event_bytes(struct events *ev, const char *bytes, size_t n)
{
	if (!ev->wanted)
		return;
	if (n > EVENTS_BYTES - ev->used)
		bug("a step has more than %d bytes of events", EVENTS_BYTES);
	memcpy(ev->text + ev->used, bytes, n);
	ev->used += (uint32_t)n;
}

static inline void
event_begin(struct events *ev, const char *verb)
{
	if (!ev->wanted)
		return;
	ev->line_at = ev->used;
	ev->tokens = 1;
	event_bytes(ev, verb, strlen(verb));
}

/* Writes what separates the next token from the last one, and the brace if a mark opens
 * here. */
static inline void
event_space(struct events *ev)
{
	event_bytes(ev, " {", ev->hide ? 2 : 1);
	ev->hide = false;
	ev->tokens++;
}

/* Writes one more token. */
static inline void
event_word(struct events *ev, const char *word)
{
	if (!ev->wanted)
		return;
	event_space(ev);
	event_bytes(ev, word, strlen(word));
}

/* Writes bytes that continue the token written last. */
static inline void
event_part(struct events *ev, const char *part)
{
	if (!ev->wanted)
		return;
	if (ev->hide)
		event_bytes(ev, "{", 1);
	ev->hide = false;
	event_bytes(ev, part, strlen(part));
}

/* A number as one more token, in decimal. */
static inline void
event_number(struct events *ev, long number)
{
	char digits[24], *end = digits;

	if (!ev->wanted)
		return;
	if (number < 0)
		*end++ = '-';
	end = put_number(end,
			 number < 0 ? -(uint64_t)number : (uint64_t)number);
	event_space(ev);
	event_bytes(ev, digits, (size_t)(end - digits));
}

/* Begins a line with a number behind its verb, which is most often a seat. */
static inline void
event_begin_of(struct events *ev, const char *verb, long number)
{
	event_begin(ev, verb);
	event_number(ev, number);
}

/* Hides what follows, up to event_seen_by().  At least one word or part must come
 * between the two. */
static inline void
event_hide(struct events *ev)
{
	ev->hide = true;
}

/* Closes the mark: the seats whose bits are set in `seats` see it. */
static inline void
event_seen_by(struct events *ev, unsigned seats)
{
	char close[1 + SEATS_MAX];
	size_t n = 0;
	unsigned seat;

	if (!ev->wanted) {
		ev->hide = false;
		return;
	}
	if (ev->hide)
		bug("an empty mark in an event line");
	close[n++] = '}';
	for (seat = 0; seat < SEATS_MAX; seat++)
		if (seats >> seat & 1)
			close[n++] = (char)('0' + seat);
	event_bytes(ev, close, n);
}

static inline void
event_end(struct events *ev)
{
	if (!ev->wanted)
		return;
	if (ev->used - ev->line_at > LINE_REFEREE_BYTES)
		bug("an event line is longer than %d bytes",
		    LINE_REFEREE_BYTES);
	event_bytes(ev, "\n", 1);
	ev->line_at = ev->used;
	ev->lines++;
	ev->tokens = 0;
}

static inline void
event_line(struct events *ev, const char *verb, const long number[], size_t n)
{
	event_begin(ev, verb);
	for (size_t i = 0; i < n; i++)
		event_number(ev, number[i]);
	event_end(ev);
}

/* Writes a whole line: EVENT_LINE(ev, "turn", 3, seat) is `turn 3 1`. */
#define EVENT_LINE(ev, verb, ...)                                              \
	event_line(ev, verb, (const long[]){ __VA_ARGS__ },                    \
		   NELEM(((const long[]){ __VA_ARGS__ })))

#endif
