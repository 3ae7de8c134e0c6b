/* referee/away/away-link.h - our connection to a referee elsewhere, as lines.
 *
 * One at a time: it is dialled, opened and lost, and may be dialled again. */
#ifndef REFEREE_AWAY_LINK_H
#define REFEREE_AWAY_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/util.h"
#include "referee/table/loop.h"

/* That the other side may leave what we send unacknowledged, or be silent to
 * TCP's own questions, in milliseconds. */
#define AWAY_SILENCE_MS 45000

struct away_link;
struct tls;

enum away_loss {
	AWAY_UNREACHED, /* nobody answered there */
	AWAY_DISTRUST,	/* hands could not be shaken */
	AWAY_OPEN_LINE, /* plain, and beyond this machine */
	AWAY_CUT,	/* it was open */
};

struct away_link_where {
	const char *host, *port; /* borrowed */
	const struct tls *tls;	 /* NULL: plain; */
	bool plain;		 /* which may go beyond this machine */
};

/* All by the loop.  Each of them may call away_link_close(). */
struct away_link_calls {
	void (*open)(void *arg); /* lines may be sent */
	void (*line)(void *arg, char *line, size_t n);
	/* It is closed; `why` is a sentence. */
	void (*lost)(void *arg, enum away_loss loss, const char *why);
};

struct away_link *away_link_new(struct loop *loop,
				const struct away_link_where *where,
				const struct away_link_calls *calls,
				void *arg) MUST_CHECK;
void away_link_free(struct away_link *link);

/* Only while it is closed. */
void away_link_dial(struct away_link *link);
/* At once; what has not left is dropped. */
void away_link_close(struct away_link *link);

/* Sends a line, `id` NULL or the game that it is for.  False: it was dropped,
 * OUT_BYTES wait already. */
bool away_link_line(struct away_link *link, const char *id, const char *line,
		    size_t n) MUST_CHECK;

#endif
