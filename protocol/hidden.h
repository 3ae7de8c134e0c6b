/* protocol/hidden.h - what of a line a viewer may read (PROTOCOL.md: `{X}S`).
 *
 * `{X}S` marks X as seen only by the seats whose digits make up S; no viewer
 * sees `{X}`.  The mark closes its token.  This is the only way by which an
 * event line may leave for a bot or a spectator. */
#ifndef PROTOCOL_HIDDEN_H
#define PROTOCOL_HIDDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "protocol/util.h"

/* These are the viewers beside the seats 0 to SEATS_MAX-1. */
enum {
	VIEW_PUBLIC = -1, /* a spectator: sees what everybody sees */
	VIEW_ALL = -2, /* the record's reader after the game: marks dropped */
};

/* The name of a viewer: "all", "public", or the number of a seat.  Use it as
 * view_name(viewer).text. */
struct view_name {
	char text[12];
};

struct view_name view_name(int viewer);
/* Finds the viewer of this name.  False: there is none. */
bool view_read(const char *name, int *viewer) MUST_CHECK;

/* Writes to `out` what `viewer` reads of the `n` bytes of one full line
 * (without LF).  Returns the number of bytes, at most n; `out` has room for n.
 * Fails closed: -1, and nothing useful in `out`, on any mark that it does not
 * understand (nested, never closed, empty, seats not rising, no end of token
 * after it), on a viewer that does not exist, and on any byte that is not
 * printable ASCII. */
ssize_t hidden_redact(const char *line, size_t n, int viewer,
		      char *out) MUST_CHECK;

#endif
