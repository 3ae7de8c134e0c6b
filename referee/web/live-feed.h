/* referee/web/live-feed.h - one running game for those who watch: the lines that
 * the public may read, and their frames.
 *
 * Both are kept in parts of events that all watchers share.  Frames are made
 * when they are first asked for.  Made of nothing but what all may know before
 * the first card, and of these lines, they cannot tell more. */
#ifndef REFEREE_LIVE_FEED_H
#define REFEREE_LIVE_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/http/http.h"
#include "referee/table/table-setup.h"

#define FEED_PART_BYTES 16384 /* of lines; a part ends with the line after */

enum feed_track {
	FEED_LINES,  /* `event: game`, lines as they are */
	FEED_FRAMES, /* `event: frame`, as `referee replay --json --tables` */
	FEED_TRACKS
};

struct frame;
struct record;

struct feed_part {
	struct http_piece *piece; /* owned: an event */
	const char *word;	  /* `over`, `again`; NULL: it has lines, */
	struct text lines;
	uint64_t first, last; /* and these are their numbers */
};

struct live_feed {
	char id[ID_BYTES + 1]; /* of the game */
	char ladder[NAME_BYTES + 1];
	/* The first lines of its record, which all may know before the first card.
	 * Both are owned. */
	struct text header;
	struct record *record;
	struct feed_parts {
		struct feed_part *part; /* owned */
		unsigned parts;
	} track[FEED_TRACKS];
	uint64_t lines; /* so far, since the last `again` */
	/* How many workers had been lost when these lines began, and when the
	 * feed did: lines of another life may be others. */
	unsigned life, born;
	bool over;
	struct feed_view *view; /* the last frame; NULL: none was made */
	unsigned framed;	/* parts that frames are made of */
};

void feed_init(struct live_feed *feed, const char *ladder,
	       const struct table_setup *setup, unsigned life);
void feed_release(struct live_feed *feed);

/* Further lines, each with its LF. */
void feed_add(struct live_feed *feed, const char *lines, size_t n);
/* It is played once more: its lines begin with the first again. */
void feed_again(struct live_feed *feed, unsigned life);
/* That as an event, for one who has lines of a life that the feed does not know:
 * to be dropped. */
struct http_piece *feed_stale(const struct live_feed *feed) MUST_CHECK;
/* It is over, and has no more lines. */
void feed_end(struct live_feed *feed);

/* Makes the frames of one more part.  False: all were made before. */
bool feed_make_frames(struct live_feed *feed) MUST_CHECK;

bool feed_is_framed(const struct live_feed *feed);
/* The last frame that was made; NULL: none.  Borrowed as long as the feed does
 * not change. */
const struct frame *feed_frame(const struct live_feed *feed);

/* Lines of a part behind number `line`, as an event: to be dropped. */
struct http_piece *feed_rest(const struct live_feed *feed,
			     enum feed_track track,
			     const struct feed_part *part,
			     uint64_t line) MUST_CHECK;
/* Appends the game so far as a record: a header with what all may know, and the
 * lines. */
void feed_write(const struct live_feed *feed, struct text *to);

#endif
