/* referee/serve/live.h - what happens now, for those who watch: the lines of
 * running games that the public may read, and that a ladder has changed.
 *
 * `GET /api/1/events?topic=TOPIC,…`, a stream of server-sent events, where a
 * TOPIC is `game:ID` or `ladder:NAME`:
 *
 *	id: ID:LINE		the number of the last of these lines, from 1 on
 *	event: game
 *	data: LINE		one for each line
 *
 *	id: ID:LINE
 *	event: over		the game is over; its record can be had
 *	data: ID
 *
 *	event: again		its worker was lost: it is played once more, and
 *	data: ID		its lines begin again with the first
 *
 *	event: ladder
 *	data: {"ladder":…, "games_rated":…, "games_running":…, "bots_sitting":…}
 *
 * With Last-Event-ID the lines of that game go on behind it.  Lines of a running
 * game come spectators-delay seconds late.
 *
 * Nothing is looked at that is not watched.  What is sent is made once, and
 * shared by all watchers; each is as far as it has read. */
#ifndef REFEREE_LIVE_H
#define REFEREE_LIVE_H

#include "referee/serve/dispatch.h"
#include "referee/serve/page.h"

struct live;

/* All of it is borrowed. */
struct live *live_new(struct event_base *base, const struct ladders *ladders,
		      struct dispatch *dispatch) MUST_CHECK;
/* After http_free(), which ends those who watch.  NULL is fine. */
void live_free(struct live *live);

page_handler live_answer;

/* A game is over.  May be called with NULL. */
void live_over(struct live *live, const char *id,
	       const struct job_result *result);
/* As of dispatch_calls. */
void live_looked(struct live *live, uint64_t number, size_t until,
		 const char *lines, size_t n);
/* A worker was lost. */
void live_lost(struct live *live);

#endif
