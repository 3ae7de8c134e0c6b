/* referee/web/live.c - see live.h. */
#include "referee/web/live.h"

#include <limits.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/base/json-line.h"
#include "referee/base/serve-limits.h"
#include "referee/web/live-feed.h"

_Static_assert(SERVE_SPECTATORS_DELAY_MAX <= TABLE_DELAY_S,
	       "a table knows what was there so long ago");

#define LADDER_MS 1000 /* between two reported changes of a ladder */
#define FRAMES_MS 10   /* spent on frames in each AGAIN_MS */
#define AGAIN_MS 40    /* until the next turn if frames are missing */
#define SOON_MS 1      /* until a look that a request waits for */
#define TOPIC_BYTES (8 + NAME_BYTES)
#define ALL_BYTES (SERVE_EVENT_TOPICS * (TOPIC_BYTES + 1))

/* A game that is watched. */
struct feed {
	struct feed *next, **prev;
	struct live_feed of;
	uint64_t number;	 /* the game's number at its dispatcher */
	size_t until;		 /* bytes of its body that were read */
	unsigned users, framers; /* all users, and those that want frames */
	bool looking;		 /* lines were asked for and are not here */
	uint64_t looked_us;	 /* when lines were asked for; 0: ask again at
				  * once */
	uint64_t seen_us;	 /* when all lines were here; 0: never */
	uint64_t used_us; /* when it was last watched, or when it ended */
};

/* The last change of a ladder, by the ladder's place. */
struct change {
	char name[NAME_BYTES + 1];
	uint64_t rated, fits;
	unsigned running, sitting;
	uint64_t version; /* 0: none made yet */
	uint64_t made_us;
	struct http_piece *piece; /* owned */
};

struct topic {
	struct feed *feed; /* NULL: a ladder */
	enum feed_track track;
	unsigned next; /* the next part to send */
	uint64_t line; /* the last line that was sent */
	bool stale;    /* its lines are of another life; `again` must be sent */
	char ladder[NAME_BYTES + 1];
	uint64_t version; /* version that was sent */
};

struct spectator {
	struct spectator *next, **prev;
	struct live *live;
	struct http_connection *connection;
	unsigned topics;
	struct topic topic[SERVE_EVENT_TOPICS];
};

/* A call of live_see() that waits. */
struct reading {
	struct reading *next, **prev;
	struct feed *feed[LIVE_TABLES];
	unsigned feeds;
	bool frames;
	uint64_t begun_us;
	live_seen *seen;
	void *arg;
};

struct live {
	const struct ladders *ladders;
	struct timer tick;
	struct feed *feeds;
	unsigned feed_count;
	struct spectator *spectators;
	struct reading *readings;
	struct change change[LADDER_PLACES];
};

/* ---- games ------------------------------------------------------------ */

/* Finds the game of this ID that is not over, and its ladder.  Returns false if
 * there is none. */
static bool
find_game(const struct live *live, const char *id, struct scheduler_game *game,
	  const struct config_ladder **ladder)
{
	struct scheduler *scheduler;

	LADDERS_EACH (live->ladders, scheduler, i)
		if (scheduler_games_find(scheduler_games(scheduler), id,
					 game)) {
			*ladder = scheduler_setup(scheduler);
			return true;
		}
	return false;
}

/* Returns true if another machine plays the game.  A game that is over counts
 * as played here. */
static bool
is_elsewhere(const struct scheduler_game *game)
{
	return game->dispatched != NULL && game->dispatched->ops->elsewhere;
}

/* Returns true if the ladder hides its games; the configuration may have
 * changed since the game was first watched.  A ladder that is gone hides
 * nothing: what was public stays public. */
static bool
hides(const struct live *live, const char *name)
{
	const int place = ladders_find(live->ladders, name);

	return place >= 0 &&
	       !scheduler_is_watched(live->ladders->scheduler[place]);
}

static bool
is_hidden(const struct live *live, const struct feed *feed)
{
	return hides(live, feed->of.ladder);
}

static struct feed *
find_feed(const struct live *live, const char *id)
{
	struct feed *feed = live->feeds;

	while (feed != NULL && strcmp(feed->of.id, id) != 0)
		feed = feed->next;
	return feed;
}

static struct feed *
make_feed(struct live *live, const struct scheduler_game *found,
	  const struct config_ladder *ladder)
{
	struct feed *feed = zeroed(1, sizeof(*feed));

	feed_init(&feed->of, ladder->name, found->setup,
		  found->dispatched == NULL ? 0 : found->dispatched->life);
	if (found->dispatched != NULL)
		feed->number = found->dispatched->number;
	LIST_PUT(live->feeds, feed);
	live->feed_count++;
	return feed;
}

static void
free_feed(struct live *live, struct feed *feed)
{
	feed_release(&feed->of);
	LIST_CUT(feed);
	free(feed);
	live->feed_count--;
}

static void
use_feed(struct feed *feed, bool frames)
{
	feed->users++;
	feed->framers += frames;
}

static void
leave_feed(struct feed *feed, bool frames)
{
	feed->users--;
	feed->framers -= frames;
	if (!feed->of.over)
		feed->used_us = clock_us();
}

static void
end_feed(struct feed *feed)
{
	feed_end(&feed->of);
	feed->used_us = clock_us();
}

/* Makes frames as long as there is time now; returns false if more are missing. */
static bool
make_frames(struct live *live)
{
	const uint64_t until_us =
		clock_machine_us() + FRAMES_MS * UINT64_C(1000);
	struct feed *feed;

	for (feed = live->feeds; feed != NULL; feed = feed->next)
		while (feed->framers > 0 && feed_make_frames(&feed->of))
			if (clock_machine_us() >= until_us)
				return false;
	return true;
}

/* Frees feeds that have no watcher, but only after a while, so that a client
 * that comes back finds them. */
static void
forget_feeds(struct live *live)
{
	const uint64_t now_us = clock_us();
	struct feed *feed, *next;
	uint64_t kept_ms;

	for (feed = live->feeds; feed != NULL; feed = next) {
		next = feed->next;
		kept_ms = feed->of.over ? SERVE_EVENT_KEPT_MS
					: SERVE_EVENT_IDLE_MS;
		if (feed->users == 0 &&
		    now_us - feed->used_us >= kept_ms * UINT64_C(1000))
			free_feed(live, feed);
	}
}

/* Returns true if there is room for one more feed.  It may drop the feed that
 * has had no watcher for longest. */
static bool
has_room(struct live *live)
{
	struct feed *feed, *oldest = NULL;

	if (live->feed_count < SERVE_EVENT_GAMES)
		return true;
	for (feed = live->feeds; feed != NULL; feed = feed->next)
		if (feed->users == 0 &&
		    (oldest == NULL || feed->used_us < oldest->used_us))
			oldest = feed;
	if (oldest == NULL)
		return false;
	free_feed(live, oldest);
	return true;
}

/* Returns the feed of a game.  Returns NULL, a code and a sentence if the game
 * may not or cannot be watched. */
static struct feed *
get_feed(struct live *live, const char *id, int *code, const char **why)
{
	struct feed *feed = find_feed(live, id);
	const struct config_ladder *ladder;
	struct scheduler_game game;

	if (feed != NULL && !is_hidden(live, feed))
		return feed;
	if (feed == NULL && !find_game(live, id, &game, &ladder)) {
		*code = 404;
		*why = "this game does not run; if it is over, "
		       "/api/1/records/ID has its record";
	} else if (feed != NULL || hides(live, ladder->name)) {
		*code = 403;
		*why = "the games of this ladder are not public";
	} else if (is_elsewhere(&game)) {
		*code = 403;
		*why = LIVE_NO_ELSEWHERE;
	} else if (!has_room(live)) {
		*code = 503;
		*why = "too many games are watched now; try again later";
	} else {
		return make_feed(live, &game, ladder);
	}
	return NULL;
}

static void
tick_soon(struct live *live)
{
	timer_after(&live->tick, SOON_MS * 1000);
}

/* ---- watchers --------------------------------------------------------- */

/* Sends a piece that is for this spectator alone, and drops it.  Returns false
 * if there is no room. */
static bool
put_own(struct spectator *spectator, struct http_piece *piece)
{
	bool fits = http_watch_put(spectator->connection, piece);

	http_piece_drop(piece);
	return fits;
}

/* Sends the next part of a topic.  Returns false if there is
 * no room. */
static bool
put_part(struct spectator *spectator, struct topic *topic)
{
	const struct feed_part *part =
		&topic->feed->of.track[topic->track].part[topic->next];

	if (part->word == NULL && part->last <= topic->line)
		; /* sent before */
	else if (part->word == NULL && part->first <= topic->line) {
		/* A client that comes back to a feed that was made again
		 * meanwhile has the first of these lines. */
		if (!put_own(spectator,
			     feed_rest(&topic->feed->of, topic->track, part,
				       topic->line)))
			return false;
	} else if (!http_watch_put(spectator->connection, part->piece)) {
		return false;
	}
	topic->next++;
	if (part->last > topic->line)
		topic->line = part->last;
	return true;
}

static void
put_change(struct spectator *spectator, struct topic *topic)
{
	const struct live *live = spectator->live;
	const int place = ladders_find(live->ladders, topic->ladder);
	const struct change *change = place < 0 ? NULL : &live->change[place];

	if (change != NULL && change->version != topic->version &&
	    http_watch_put(spectator->connection, change->piece))
		topic->version = change->version;
}

/* Returns true if the topic has parts that were not sent. */
static bool
topic_is_behind(const struct topic *topic)
{
	return topic->feed != NULL &&
	       topic->next < topic->feed->of.track[topic->track].parts;
}

/* Sends what there is room for.  The spectator may be freed after this call. */
static void
pump(struct spectator *spectator)
{
	struct topic *topic;

	for (topic = spectator->topic;
	     topic < spectator->topic + spectator->topics; topic++) {
		if (topic->feed == NULL)
			put_change(spectator, topic);
		if (topic->stale)
			topic->stale = !put_own(spectator,
						feed_stale(&topic->feed->of));
		while (!topic->stale && topic_is_behind(topic) &&
		       put_part(spectator, topic))
			;
	}
	http_watch_flush(spectator->connection);
}

static void
let_go(struct spectator *spectator)
{
	while (spectator->topics > 0) {
		struct topic *topic = &spectator->topic[--spectator->topics];

		if (topic->feed != NULL)
			leave_feed(topic->feed, topic->track == FEED_FRAMES);
	}
}

static bool
is_behind(const struct spectator *spectator)
{
	const struct topic *topic = spectator->topic;

	for (; topic < spectator->topic + spectator->topics; topic++)
		if (topic_is_behind(topic))
			return true;
	return false;
}

static void
on_drained(void *arg)
{
	if (is_behind(arg))
		pump(arg);
}

static void
on_gone(void *arg)
{
	struct spectator *spectator = arg;

	let_go(spectator);
	LIST_CUT(spectator);
	free(spectator);
}

static const struct http_watch watch = {
	.drained = on_drained,
	.gone = on_gone,
};

/* ---- what has changed ------------------------------------------------- */

static void
make_change(struct change *change, const struct scheduler *scheduler,
	    uint64_t now_us)
{
	const struct scheduler_counts *counts = scheduler_counts(scheduler);
	struct text text = { .max = SIZE_MAX };
	json_t *json;

	snprintf(change->name, sizeof(change->name), "%s",
		 scheduler_name(scheduler));
	change->rated = counts->games;
	change->fits = counts->fits;
	change->running = counts->running;
	change->sitting = scheduler_bots_sitting(scheduler_bots(scheduler));
	change->version++;
	change->made_us = now_us;
	json = JSON_OBJECT(TEXT("ladder", change->name),
			   INT("games_rated", (json_int_t)change->rated),
			   INT("games_running", change->running),
			   INT("bots_sitting", change->sitting),
			   INT("fits", (json_int_t)change->fits));
	text_str(&text, "event: ladder\ndata: ");
	json_text(json, 7, &text);
	text_str(&text, "\n\n");
	http_piece_drop(change->piece);
	change->piece = http_piece_new(text.bytes, text.used);
	text_release(&text);
}

static void
look_at_ladders(struct live *live)
{
	const uint64_t now_us = clock_us();
	const struct scheduler_counts *counts;
	struct scheduler *scheduler;
	struct change *change;

	LADDERS_EACH (live->ladders, scheduler, i) {
		change = &live->change[i];
		counts = scheduler_counts(scheduler);
		if (strcmp(change->name, scheduler_name(scheduler)) != 0 ||
		    ((change->rated != counts->games ||
		      change->fits != counts->fits ||
		      change->running != counts->running ||
		      change->sitting != scheduler_bots_sitting(
						 scheduler_bots(scheduler))) &&
		     now_us - change->made_us >= LADDER_MS * UINT64_C(1000)))
			make_change(change, scheduler, now_us);
	}
}

static void
look_at_game(struct live *live, struct feed *feed)
{
	const struct config_ladder *ladder;
	struct scheduler_game game;
	uint64_t delay_s;

	if (feed->looking || feed->of.over)
		return;
	if (is_hidden(live, feed) ||
	    !find_game(live, feed->of.id, &game, &ladder)) {
		end_feed(feed);
		return;
	}
	if (game.dispatched == NULL) /* live_over() will end the feed */
		return;
	delay_s = game.here ? ladder->spectators_delay
			    : ladder->spectators_delay_local;
	feed->looking = true;
	feed->looked_us = clock_us();
	dispatch_look(game.dispatched, feed->until, delay_s * 1000000);
}

/* Takes lines up to byte `until` of the body. */
static void
take_lines(struct live *live, struct feed *feed, size_t until,
	   const char *lines, size_t n)
{
	/* At most PUBLIC_BYTES and the rest of a line come at a time. */
	const bool all = until - feed->until < PUBLIC_BYTES;

	feed->looking = false;
	feed->until = until;
	feed_add(&feed->of, lines, n);
	if (all)
		feed->seen_us = clock_us();
	else
		feed->looked_us = 0;
	if (!all || live->readings != NULL)
		tick_soon(live);
}

void
live_looked(struct live *live, uint64_t number, size_t until, const char *lines,
	    size_t n)
{
	struct feed *feed;

	for (feed = live->feeds; feed != NULL; feed = feed->next)
		if (feed->number == number && feed->looking && !feed->of.over)
			take_lines(live, feed, until, lines, n);
}

void
live_over(struct live *live, const char *id, const struct job_result *result)
{
	struct feed *feed = live == NULL ? NULL : find_feed(live, id);
	struct text lines = { .max = SIZE_MAX };
	size_t from;

	if (feed == NULL || feed->of.over)
		return;
	if (is_hidden(live, feed)) {
		end_feed(feed);
		return;
	}
	do {
		from = feed->until;
		feed->until = table_record_public(&result->body, from, SIZE_MAX,
						  &lines);
	} while (feed->until > from);
	feed_add(&feed->of, lines.bytes, lines.used);
	text_release(&lines);
	end_feed(feed);
}

/* Lets all watchers of a feed begin with its first line again. */
static void
begin_again(struct live *live, const struct feed *feed)
{
	struct spectator *spectator = live->spectators;
	struct topic *topic;

	for (; spectator != NULL; spectator = spectator->next)
		for (topic = spectator->topic;
		     topic < spectator->topic + spectator->topics; topic++)
			if (topic->feed == feed) {
				topic->stale = true;
				topic->line = topic->next = 0;
			}
}

void
live_again(struct live *live, uint64_t number)
{
	struct feed *feed;

	if (live == NULL)
		return;
	for (feed = live->feeds; feed != NULL; feed = feed->next) {
		if (feed->number != number || feed->of.over)
			continue;
		feed->looking = false;
		feed->looked_us = 0;
		feed->until = 0;
		feed_again(&feed->of);
		begin_again(live, feed);
	}
}

/* ---- who waits for what can be seen now ------------------------------- */

static bool
is_ready(const struct reading *reading)
{
	const uint64_t since_us =
		reading->begun_us - SERVE_EVENTS_MS * UINT64_C(1000);
	const struct feed *feed;

	for (unsigned i = 0; i < reading->feeds; i++) {
		feed = reading->feed[i];
		if (!feed->of.over && feed->seen_us < since_us)
			return false;
		if (reading->frames && !feed_is_framed(&feed->of))
			return false;
	}
	return true;
}

static void
end_reading(struct reading *reading)
{
	const struct live_feed *feed[LIVE_TABLES];

	for (unsigned i = 0; i < reading->feeds; i++)
		feed[i] = &reading->feed[i]->of;
	LIST_CUT(reading);
	reading->seen(reading->arg, feed, reading->feeds);
	for (unsigned i = 0; i < reading->feeds; i++)
		leave_feed(reading->feed[i], reading->frames);
	free(reading);
}

/* Ends the readings that are ready.  An answer to a look may never come, so a
 * reading ends after SERVE_LOOK_MS with what is there. */
static void
end_readings(struct live *live)
{
	struct reading *reading, *next;

	for (reading = live->readings; reading != NULL; reading = next) {
		next = reading->next;
		if (is_ready(reading) || clock_us() - reading->begun_us >=
						 SERVE_LOOK_MS * UINT64_C(1000))
			end_reading(reading);
	}
}

enum live_state
live_state_of(const struct live *live, const char *id)
{
	const struct config_ladder *ladder;
	struct scheduler_game game;

	if (!find_game(live, id, &game, &ladder))
		return LIVE_NOT;
	if (hides(live, ladder->name))
		return LIVE_HIDDEN;
	return is_elsewhere(&game) ? LIVE_ELSEWHERE : LIVE_SEEN;
}

void
live_see(struct live *live, const char id[][ID_BYTES + 1], unsigned count,
	 bool frames, live_seen *seen, void *arg)
{
	struct reading *reading = zeroed(1, sizeof(*reading));
	struct feed *feed;
	const char *why;
	int code;

	reading->frames = frames;
	reading->begun_us = clock_us();
	reading->seen = seen;
	reading->arg = arg;
	for (unsigned i = 0; i < count && i < LIVE_TABLES; i++) {
		feed = get_feed(live, id[i], &code, &why);
		if (feed == NULL)
			continue;
		use_feed(feed, frames);
		reading->feed[reading->feeds++] = feed;
		look_at_game(live, feed);
	}
	LIST_PUT(live->readings, reading);
	tick_soon(live);
}

/* ---- all of it, in turns ---------------------------------------------- */

static void
look_at_games(struct live *live)
{
	const uint64_t now_us = clock_us();
	struct feed *feed;

	for (feed = live->feeds; feed != NULL; feed = feed->next)
		if (feed->users > 0 && now_us - feed->looked_us >=
					       SERVE_EVENTS_MS * UINT64_C(1000))
			look_at_game(live, feed);
}

static void
on_tick(void *arg)
{
	struct live *live = arg;
	struct spectator *spectator, *next;
	bool framed;

	forget_feeds(live);
	look_at_games(live);
	look_at_ladders(live);
	framed = make_frames(live);
	end_readings(live);
	for (spectator = live->spectators; spectator != NULL;
	     spectator = next) {
		next = spectator->next;
		pump(spectator);
	}
	if (live->spectators != NULL || live->feeds != NULL)
		timer_after(&live->tick,
			    (framed ? SERVE_EVENTS_MS : AGAIN_MS) * 1000);
}

/* ---- who asks --------------------------------------------------------- */

/* Returns the line after which the client goes on, and its life; 0 if it has
 * none.  Last-Event-ID is `ID:LINE` or `ID:LINE:LIFE`. */
static uint64_t
last_line(struct http_request *request, const char *id, uint64_t *life)
{
	char value[ID_BYTES + 32], *part;
	uint64_t line = 0;

	*life = 0;
	if (http_header(request, "Last-Event-ID", value, sizeof(value)) != 1 ||
	    strncmp(value, id, ID_BYTES) != 0 || value[ID_BYTES] != ':')
		return 0;
	part = strchr(value + ID_BYTES + 1, ':');
	if (part != NULL) {
		*part++ = '\0';
		if (message_number(part, strlen(part), UINT_MAX, life) < 0)
			return 0;
	}
	if (message_number(value + ID_BYTES + 1, strlen(value + ID_BYTES + 1),
			   INT64_MAX, &line) < 0)
		return 0;
	return line;
}

/* Adds a topic of a game.  Returns false if the request was refused. */
static bool
watch_game(struct live *live, struct http_request *request, struct topic *topic,
	   enum feed_track track, const char *id)
{
	const char *why;
	uint64_t life;
	int code;

	topic->feed = get_feed(live, id, &code, &why);
	if (topic->feed == NULL)
		return http_refuse(request, code, why);
	topic->track = track;
	topic->line = last_line(request, id, &life);
	topic->stale = topic->line > 0 && life != topic->feed->of.life;
	if (topic->stale)
		topic->line = 0;
	use_feed(topic->feed, track == FEED_FRAMES);
	return true;
}

/* Returns the ID in `WORD:ID`, or NULL. */
static const char *
game_of(const char *topic, const char *word)
{
	const size_t n = strlen(word);

	return strncmp(topic, word, n) == 0 && topic[n] == ':' &&
			       message_id_ok(topic + n + 1,
					     strlen(topic + n + 1))
		       ? topic + n + 1
		       : NULL;
}

/* Adds a topic by its name.  Returns false if the request was refused. */
static bool
add_topic(struct pages *pages, struct http_request *request,
	  struct spectator *spectator, const char *word)
{
	const char *game = game_of(word, "game");
	const char *frames = game_of(word, "frames");
	struct live *live = pages->live;
	struct topic topic = { .feed = NULL };

	if (game != NULL || frames != NULL) {
		if (!watch_game(live, request, &topic,
				game != NULL ? FEED_LINES : FEED_FRAMES,
				game != NULL ? game : frames))
			return false;
	} else if (strncmp(word, "ladder:", 7) == 0 &&
		   message_name_ok(word + 7, strlen(word + 7))) {
		if (page_find_ladder(pages, request, word + 7) < 0)
			return false;
		snprintf(topic.ladder, sizeof(topic.ladder), "%s", word + 7);
	} else {
		return http_refuse(request, 400,
				   "expected topic=game:ID, topic=frames:ID or "
				   "topic=ladder:NAME, or several with commas");
	}
	spectator->topic[spectator->topics++] = topic;
	return true;
}

static bool
add_topics(struct pages *pages, struct http_request *request,
	   struct spectator *spectator)
{
	char value[ALL_BYTES], *rest = value, *word;

	if (http_query(request, "topic", value, sizeof(value)) != 1)
		value[0] = '\0';
	while ((word = strsep(&rest, ",")) != NULL) {
		if (spectator->topics == SERVE_EVENT_TOPICS)
			return http_refuse(request, 400,
					   "expected fewer topics");
		if (!add_topic(pages, request, spectator, word))
			return false;
	}
	return true;
}

void
live_answer(struct pages *pages, struct http_request *request,
	    const struct page_path *path UNUSED)
{
	struct live *live = pages->live;
	struct spectator *spectator = zeroed(1, sizeof(*spectator));

	spectator->live = live;
	if (add_topics(pages, request, spectator))
		spectator->connection = http_watch(request, &watch, spectator);
	if (spectator->connection == NULL) {
		let_go(spectator);
		free(spectator);
		return;
	}
	LIST_PUT(live->spectators, spectator);
	tick_soon(live);
}

/* ---- life ------------------------------------------------------------- */

struct live *
live_new(struct loop *loop, const struct ladders *ladders)
{
	struct live *live = zeroed(1, sizeof(*live));

	live->ladders = ladders;
	timer_init(&live->tick, &loop->timers, on_tick, live);
	return live;
}

void
live_stop(struct live *live)
{
	while (live != NULL && live->readings != NULL)
		end_reading(live->readings);
}

void
live_free(struct live *live)
{
	if (live == NULL)
		return;
	while (live->feeds != NULL)
		free_feed(live, live->feeds);
	for (unsigned i = 0; i < LADDER_PLACES; i++)
		http_piece_drop(live->change[i].piece);
	timer_stop(&live->tick);
	free(live);
}
