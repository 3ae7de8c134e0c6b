/* tests/world/talk.h - one side of a conversation over descriptors: a bot's pipes, or a
 * connection.
 *
 * What is said leaves in pieces that are cut at drawn places, and waits while the other
 * side does not read.  What comes is read in drawn pieces, too.  SIGPIPE is ignored by
 * the whole program. */
#ifndef TESTS_WORLD_TALK_H
#define TESTS_WORLD_TALK_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/text.h"
#include "tests/world/world.h"

/* Bytes that wait to leave; one who says more is not heard. */
#define TALK_BYTES 4194304
/* A piece that is not the last of what is said is followed by the next after about so
 * long. */
#define TALK_PIECE_US 100

struct talk_calls {
	/* These bytes came.  The call may free the talk. */
	void (*heard)(void *arg, const char *bytes, size_t n);
	/* The other side says nothing more, or we have cut the line.  It is called
	 * once.  The call may free the talk. */
	void (*ended)(void *arg);
};

struct talk {
	struct talk *next, **prev; /* in the list of all */
	int in, out;		   /* owned; -1: closed; a connection is both */
	struct watch *watch;
	struct timer piece, cut;
	struct dice dice;
	struct text waiting;
	size_t left;	  /* bytes of it that have left */
	bool held;	  /* its side is stopped */
	bool whole;	  /* what is said is not cut */
	size_t until_cut; /* bytes in both directions; SIZE_MAX: never */
	const struct talk_calls *calls;
	void *arg;
};

/* Takes descriptors over and makes them not block. */
void talk_init(struct talk *talk, int in, int out, struct dice dice,
	       const struct talk_calls *calls, void *arg);
/* Closes what is open. */
void talk_release(struct talk *talk);
/* Closes the descriptors of all talks, without a call. */
void talks_close(void);

void talk_say(struct talk *talk, const char *bytes, size_t n);
/* Cuts the line after so many bytes more have come or left. */
void talk_cut_after(struct talk *talk, size_t bytes);
/* Stops to read; begins to read again. */
void talk_deafen(struct talk *talk);
void talk_listen(struct talk *talk);
/* Neither reads nor writes, until it is not held any more. */
void talk_hold(struct talk *talk, bool held);
/* These close one direction.  What waits is lost. */
void talk_close_in(struct talk *talk);
void talk_close_out(struct talk *talk);

#endif
