/* referee/web/live.h - sends watchers what happens now: the lines of running
 * games that the public may read, and changes of a ladder.
 *
 * `GET /api/1/events?topic=TOPIC,…`, a stream of server-sent events, where a
 * TOPIC is `game:ID`, `frames:ID` or `ladder:NAME`:
 *
 *	id: ID:LINE		the number of the last of these lines, from 1 on
 *	event: game
 *	data: LINE		one for each line
 *
 *	id: ID:LINE		the same for `frames:ID`
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
 * IDs of a game that was begun again are `ID:LINE:LIFE`: a client that comes back
 * with lines of another life gets `again`, and all lines.
 *
 * With Last-Event-ID the lines of that game go on after it.  Lines of a running
 * game come spectators-delay seconds late.
 *
 * Frames are a topic of their own: they are thirty times as long as lines,
 * which programs may prefer.  Only browsers cannot make a table from lines.
 *
 * A game or ladder that is not watched is not looked at.  Each event is made
 * once and shared by all watchers; each watcher has its own position. */
#ifndef REFEREE_LIVE_H
#define REFEREE_LIVE_H

#include "referee/web/page.h"

#define LIVE_TABLES 24 /* games that live_see() shows at a time */

struct live;
struct live_feed;

/* Borrows its arguments. */
struct live *live_new(struct loop *loop,
		      const struct ladders *ladders) MUST_CHECK;
/* Calls all seen() that are due.  Do not call live_see() after it.  NULL is
 * allowed. */
void live_stop(struct live *live);
/* Call it after live_stop() and after http_free(), which ends the watchers.
 * NULL is allowed. */
void live_free(struct live *live);

page_handler live_answer;

/* States of a game that has begun and is not on disk yet: it may be seen, its
 * ladder hides it, or another machine plays it. */
enum live_state { LIVE_NOT, LIVE_SEEN, LIVE_HIDDEN, LIVE_ELSEWHERE };
#define LIVE_NO_ELSEWHERE                                                      \
	"another machine plays this game, so it cannot be watched; its "       \
	"record "                                                              \
	"can be read when it is over"
enum live_state live_state_of(const struct live *live,
			      const char *id) MUST_CHECK;

/* Looks at some games, at most LIVE_TABLES, as the public may see them now.
 * Games that are hidden or cannot be watched now are left out.  `seen` is
 * called within SERVE_LOOK_MS and may use the feeds until it returns.  With
 * `frames` their frames are made as far as time allows. */
typedef void live_seen(void *arg, const struct live_feed *const feed[],
		       unsigned count);
void live_see(struct live *live, const char id[][ID_BYTES + 1], unsigned count,
	      bool frames, live_seen *seen, void *arg);

/* Notes that a game is over.  `live` may be NULL. */
void live_over(struct live *live, const char *id,
	       const struct job_result *result);
/* Takes lines of a running game; see dispatch_calls. */
void live_looked(struct live *live, uint64_t number, size_t until,
		 const char *lines, size_t n);
/* Notes that a game is played once more, because its worker was lost.  `live` may be
 * NULL. */
void live_again(struct live *live, uint64_t number);

#endif
