/* referee/web/live.h - what happens now, for those who watch: the lines of
 * running games that the public may read, and that a ladder has changed.
 *
 * `GET /api/1/events?topic=TOPIC,…`, a stream of server-sent events, where a
 * TOPIC is `game:ID`, `frames:ID` or `ladder:NAME`:
 *
 *	id: ID:LINE		the number of the last of these lines, from 1 on
 *	event: game
 *	data: LINE		one for each line
 *
 *	id: ID:LINE		likewise of `frames:ID`
 *	event: frame
 *	data: OBJECT		one for each line: its frame, as a change of the
 *				one before it
 *
 *	id: ID:LINE
 *	event: over		the game is over; its record can be had
 *	data: ID
 *
 *	event: again		its worker was lost: it is played once more, and
 *	data: ID		its lines begin again with the first
 *
 *	event: ladder
 *	data: {"ladder":…, "games_rated":…, "games_running":…,
 *	       "bots_sitting":…, "fits":…}
 *
 * After a worker was lost IDs are `ID:LINE:LIFE`: who comes back with lines of
 * another life hears `again`, and all lines.
 *
 * With Last-Event-ID the lines of that game go on behind it.  Lines of a running
 * game come spectators-delay seconds late.
 *
 * Frames are a topic of their own: they are thirty times as long as lines, which
 * programs may prefer, and only browsers cannot make a table of lines.
 *
 * Nothing is looked at that is not watched.  What is sent is made once, and
 * shared by all watchers; each is as far as it has read. */
#ifndef REFEREE_LIVE_H
#define REFEREE_LIVE_H

#include "referee/runner/dispatch.h"
#include "referee/web/page.h"

#define LIVE_TABLES 24 /* that are seen at a time */

struct live;
struct live_feed;

/* All of it is borrowed. */
struct live *live_new(struct event_base *base,
		      const struct ladders *ladders) MUST_CHECK;
/* Calls all seen() that are due; none may be asked for after it.  NULL is fine. */
void live_stop(struct live *live);
/* After live_stop() and http_free(), which ends those who watch.  NULL is fine. */
void live_free(struct live *live);

page_handler live_answer;

/* A game that has begun and is not on disk yet may be seen, or its ladder says
 * that it may not, or another machine plays it. */
enum live_state { LIVE_NOT, LIVE_SEEN, LIVE_HIDDEN, LIVE_ELSEWHERE };
#define LIVE_NO_ELSEWHERE                                                      \
	"another machine plays this game, so it cannot be watched; its "       \
	"record "                                                              \
	"can be read when it is over"
enum live_state live_state_of(const struct live *live,
			      const char *id) MUST_CHECK;

/* Some games as the public may see them now, without those that it may not or
 * that cannot be watched now; at most LIVE_TABLES.  `seen` is called within
 * SERVE_LOOK_MS; feeds are its own until it returns.  With `frames`, so far as
 * time has allowed, these are made. */
typedef void live_seen(void *arg, const struct live_feed *const feed[],
		       unsigned count);
void live_see(struct live *live, const char id[][ID_BYTES + 1], unsigned count,
	      bool frames, live_seen *seen, void *arg);

/* A game is over.  May be called with NULL. */
void live_over(struct live *live, const char *id,
	       const struct job_result *result);
/* As of dispatch_calls. */
void live_looked(struct live *live, uint64_t number, size_t until,
		 const char *lines, size_t n);
/* A worker was lost. */
void live_lost(struct live *live);

#endif
