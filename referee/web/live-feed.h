/* referee/web/live-feed.h - one running game for watchers: the lines that the
 * public may read, and their frames.
 *
 * Both are kept in parts, events that all watchers share.  Frames are made when
 * they are first asked for.  They cannot show more than the public may know,
 * because they are made only from what all may know before the first card, and
 * from these lines. */
#ifndef REFEREE_LIVE_FEED_H
#define REFEREE_LIVE_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/http/http.h"
#include "referee/table/table-setup.h"

#define FEED_PART_BYTES 16384 /* bytes; a part ends with the line after */

enum feed_track {
	FEED_LINES,  /* `event: game`, lines as they are */
	FEED_FRAMES, /* `event: frame`, like `referee replay --json --tables` */
	FEED_TRACKS
};

struct frame;
struct record;

struct feed_part {
	struct http_piece *piece; /* owned; an event */
	const char *word;	  /* `over`; NULL: a part with lines */
	struct text lines;
	uint64_t first, last; /* numbers of its lines */
};

struct live_feed {
	char id[ID_BYTES + 1]; /* the game's ID */
	char ladder[NAME_BYTES + 1];
	/* The first lines of its record, which all may know before the first card.
	 * Both are owned. */
	struct text header;
	struct record *record;
	struct feed_parts {
		struct feed_part *part; /* owned */
		unsigned parts;
	} track[FEED_TRACKS];
	uint64_t lines;
	/* The times that the game was begun again before these lines.  The
	 * lines of another life may differ. */
	unsigned life;
	bool over;
	struct feed_view *view; /* the last frame; NULL: none made yet */
	unsigned framed;	/* parts whose frames are made */
};

void feed_init(struct live_feed *feed, const char *ladder,
	       const struct table_setup *setup, unsigned life);
void feed_release(struct live_feed *feed);

/* Adds lines, each with its LF. */
void feed_add(struct live_feed *feed, const char *lines, size_t n);
/* Notes that the game is played once more: drops all parts, because its lines
 * begin with the first again. */
void feed_again(struct live_feed *feed);
/* Returns the event `again` for a watcher who has lines of another life.  The
 * caller drops it. */
struct http_piece *feed_stale(const struct live_feed *feed) MUST_CHECK;
/* Notes that the game is over and has no more lines. */
void feed_end(struct live_feed *feed);

/* Makes the frames of one more part.  Returns false if all were made before. */
bool feed_make_frames(struct live_feed *feed) MUST_CHECK;

bool feed_is_framed(const struct live_feed *feed);
/* Returns the last frame that was made; NULL if there is none.  Borrowed until
 * the feed changes. */
const struct frame *feed_frame(const struct live_feed *feed);

/* Returns the lines of a part after number `line` as an event.  The caller
 * drops it. */
struct http_piece *feed_rest(const struct live_feed *feed,
			     enum feed_track track,
			     const struct feed_part *part,
			     uint64_t line) MUST_CHECK;
/* Appends the game so far as a record: the header that all may know, and the
 * lines. */
void feed_write(const struct live_feed *feed, struct text *to);

#endif
