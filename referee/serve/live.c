/* referee/serve/live.c - see live.h. */
#include "referee/serve/live.h"

#include <event2/event.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/config/serve-limits.h"
#include "referee/json-line.h"
#include "referee/table/loop.h"
#include "referee/table/table-record.h"
#include "referee/table/table.h"

_Static_assert(SERVE_SPECTATORS_DELAY_MAX <= TABLE_DELAY_S,
	       "a table knows what was there so long ago");

#define KEPT_MS 60000  /* what was watched, after its end */
#define LADDER_MS 1000 /* between two changes of a ladder that are told */
#define TOPIC_BYTES (8 + NAME_BYTES)
#define ALL_BYTES (SERVE_EVENT_TOPICS * (TOPIC_BYTES + 1))

/* Made once for all watchers. */
struct part {
	struct http_piece *piece; /* owned */
	struct text lines;	  /* of it, for those who need not all */
	uint64_t last;		  /* the number of its last line */
};

/* A game that is watched. */
struct feed {
	struct feed *next, **prev;
	char id[ID_BYTES + 1];
	uint64_t number; /* at the dispatch */
	size_t until;	 /* of its body */
	uint64_t lines;
	struct part *part;
	unsigned parts;
	unsigned users;
	bool looking; /* was asked for, and is not here */
	bool over;
	uint64_t over_us;
};

/* A ladder, by its place. */
struct change {
	char name[NAME_BYTES + 1];
	uint64_t rated;
	unsigned running, sitting;
	uint64_t version; /* 0: none was made */
	uint64_t made_us;
	struct http_piece *piece; /* owned */
};

struct topic {
	struct feed *feed; /* NULL: a ladder */
	unsigned next;	   /* part */
	uint64_t line;	   /* the last that was told */
	char ladder[NAME_BYTES + 1];
	uint64_t version; /* that was told */
};

struct spectator {
	struct spectator *next, **prev;
	struct live *live;
	struct http_connection *connection;
	unsigned topics;
	struct topic topic[SERVE_EVENT_TOPICS];
};

struct live {
	const struct ladders *ladders;
	struct dispatch *dispatch;
	struct event *tick;
	bool ticks;
	struct feed *feeds;
	unsigned feed_count;
	struct spectator *spectators;
	struct change change[LADDER_PLACES];
};

/* ---- games ------------------------------------------------------------ */

/* The game of this ID that is not over, and its ladder; false: there is none.
 */
static bool
find_game(const struct live *live, const char *id, struct scheduler_game *game,
	  const struct config_ladder **ladder)
{
	struct scheduler *scheduler;
	unsigned i;

	LADDERS_EACH (live->ladders, scheduler, i)
		if (scheduler_find_game(scheduler, id, game)) {
			*ladder = scheduler_setup(scheduler);
			return true;
		}
	return false;
}

static struct feed *
find_feed(const struct live *live, const char *id)
{
	struct feed *feed = live->feeds;

	while (feed != NULL && strcmp(feed->id, id) != 0)
		feed = feed->next;
	return feed;
}

static void
free_feed(struct live *live, struct feed *feed)
{
	unsigned i;

	for (i = 0; i < feed->parts; i++) {
		http_piece_drop(feed->part[i].piece);
		text_release(&feed->part[i].lines);
	}
	free(feed->part);
	LIST_CUT(feed);
	free(feed);
	live->feed_count--;
}

/* Lines as an event, up to number `last`. */
static struct http_piece *
make_piece(const struct feed *feed, const char *event, const char *lines,
	   size_t n, uint64_t last)
{
	const char *end = lines + n, *lf;
	struct http_piece *piece;
	struct text text;

	text_init(&text, SIZE_MAX);
	text_fmt(&text, "id: %s:%" PRIu64 "\nevent: %s\n", feed->id, last,
		 event);
	for (; lines < end; lines = lf + 1) {
		lf = memchr(lines, '\n', (size_t)(end - lines));
		text_str(&text, "data: ");
		text_add(&text, lines, (size_t)(lf - lines) + 1);
	}
	text_str(&text, "\n");
	piece = http_piece_new(text.bytes, text.used);
	text_release(&text);
	return piece;
}

static void
add_part(struct feed *feed, const char *event, const char *lines, size_t n,
	 uint64_t last)
{
	struct part *part;

	feed->part = grown(feed->part, feed->parts, sizeof(*feed->part));
	part = &feed->part[feed->parts++];
	part->piece = make_piece(feed, event, lines, n, last);
	part->last = last;
	text_init(&part->lines, SIZE_MAX);
}

static void
add_lines(struct feed *feed, const char *lines, size_t n)
{
	const char *at = lines, *end = lines + n;

	if (n == 0)
		return;
	for (; at < end; at++)
		feed->lines += *at == '\n';
	add_part(feed, "game", lines, n, feed->lines);
	text_add(&feed->part[feed->parts - 1].lines, lines, n);
}

static void
add_word(struct feed *feed, const char *event)
{
	char line[ID_BYTES + 2];

	snprintf(line, sizeof(line), "%s\n", feed->id);
	add_part(feed, event, line, strlen(line), feed->lines);
}

static void
end_feed(struct feed *feed)
{
	feed->over = true;
	feed->over_us = clock_us();
	add_word(feed, "over");
}

/* ---- watchers --------------------------------------------------------- */

/* The first lines of the part have been told before.  Those who come back to a
 * feed that was made again meanwhile. */
static bool
put_rest(struct spectator *spectator, const struct topic *topic,
	 const struct part *part)
{
	const char *at = part->lines.bytes, *const end = at + part->lines.used;
	uint64_t first = part->last + 1, i;
	struct http_piece *piece;
	const char *lf;
	bool fits;

	for (lf = at; lf < end; lf++)
		first -= *lf == '\n';
	for (i = first; i <= topic->line; i++)
		at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
	piece = make_piece(topic->feed, "game", at, (size_t)(end - at),
			   part->last);
	fits = http_watch_put(spectator->connection, piece);
	http_piece_drop(piece);
	return fits;
}

/* False: there is no room. */
static bool
put_part(struct spectator *spectator, struct topic *topic)
{
	const struct part *part = &topic->feed->part[topic->next];
	const uint64_t before =
		topic->next == 0 ? 0 : topic->feed->part[topic->next - 1].last;

	if (part->lines.used > 0 && part->last <= topic->line)
		; /* told before */
	else if (part->lines.used > 0 && before < topic->line &&
		 !put_rest(spectator, topic, part))
		return false;
	else if ((part->lines.used == 0 || before >= topic->line) &&
		 !http_watch_put(spectator->connection, part->piece))
		return false;
	topic->next++;
	/* `again` begins with the first line once more. */
	if (part->lines.used == 0 || part->last > topic->line)
		topic->line = part->last;
	return true;
}

static const struct change *
find_change(const struct live *live, const char *ladder)
{
	int place = ladders_find(live->ladders, ladder, strlen(ladder));

	return place < 0 ? NULL : &live->change[place];
}

static void
put_change(struct spectator *spectator, struct topic *topic)
{
	const struct change *change =
		find_change(spectator->live, topic->ladder);

	if (change != NULL && change->version != topic->version &&
	    http_watch_put(spectator->connection, change->piece))
		topic->version = change->version;
}

/* The spectator may be gone after that. */
static void
pump(struct spectator *spectator)
{
	struct topic *topic;

	for (topic = spectator->topic;
	     topic < spectator->topic + spectator->topics; topic++) {
		if (topic->feed == NULL)
			put_change(spectator, topic);
		while (topic->feed != NULL &&
		       topic->next < topic->feed->parts &&
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
			topic->feed->users--;
	}
}

/* Whether there is more for it. */
static bool
is_behind(const struct spectator *spectator)
{
	const struct topic *topic = spectator->topic;

	for (; topic < spectator->topic + spectator->topics; topic++)
		if (topic->feed != NULL && topic->next < topic->feed->parts)
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
	struct text text;
	json_t *json;

	snprintf(change->name, sizeof(change->name), "%s",
		 scheduler_name(scheduler));
	change->rated = counts->games;
	change->running = counts->running;
	change->sitting = scheduler_sitting(scheduler);
	change->version++;
	change->made_us = now_us;
	json = JSON_OBJECT(TEXT("ladder", change->name),
			   INT("games_rated", (json_int_t)change->rated),
			   INT("games_running", change->running),
			   INT("bots_sitting", change->sitting));
	text_init(&text, SIZE_MAX);
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
	unsigned i;

	LADDERS_EACH (live->ladders, scheduler, i) {
		change = &live->change[i];
		counts = scheduler_counts(scheduler);
		if (strcmp(change->name, scheduler_name(scheduler)) != 0 ||
		    ((change->rated != counts->games ||
		      change->running != counts->running ||
		      change->sitting != scheduler_sitting(scheduler)) &&
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

	if (feed->looking || feed->over)
		return;
	if (!find_game(live, feed->id, &game, &ladder)) {
		end_feed(feed);
		return;
	}
	if (game.dispatched == NULL) /* live_over() comes */
		return;
	delay_s = game.here ? ladder->spectators_delay
			    : ladder->spectators_delay_local;
	feed->looking = true;
	feed->number = game.dispatched->number;
	dispatch_look(live->dispatch, game.dispatched, feed->until,
		      delay_s * 1000000);
}

void
live_looked(struct live *live, uint64_t number, size_t until, const char *lines,
	    size_t n)
{
	struct feed *feed;

	for (feed = live->feeds; feed != NULL; feed = feed->next)
		if (feed->number == number && feed->looking && !feed->over) {
			feed->looking = false;
			feed->until = until;
			add_lines(feed, lines, n);
		}
}

void
live_over(struct live *live, const char *id, const struct job_result *result)
{
	struct feed *feed = live == NULL ? NULL : find_feed(live, id);
	struct text lines;
	size_t from;

	if (feed == NULL || feed->over)
		return;
	text_init(&lines, SIZE_MAX);
	do {
		from = feed->until;
		feed->until = table_record_public(&result->body, from, SIZE_MAX,
						  &lines);
	} while (feed->until > from);
	add_lines(feed, lines.bytes, lines.used);
	text_release(&lines);
	end_feed(feed);
}

void
live_lost(struct live *live)
{
	const struct config_ladder *ladder;
	struct scheduler_game game;
	struct feed *feed;

	for (feed = live == NULL ? NULL : live->feeds; feed != NULL;
	     feed = feed->next) {
		if (feed->over || !find_game(live, feed->id, &game, &ladder) ||
		    game.here)
			continue;
		feed->looking = false;
		feed->until = 0;
		feed->lines = 0;
		add_word(feed, "again");
	}
}

/* What no client watches: at once while it runs, and a while after its end. */
static void
forget_feeds(struct live *live)
{
	const uint64_t now_us = clock_us();
	struct feed *feed, *next;

	for (feed = live->feeds; feed != NULL; feed = next) {
		next = feed->next;
		if (feed->users == 0 &&
		    (!feed->over ||
		     now_us - feed->over_us >= KEPT_MS * UINT64_C(1000)))
			free_feed(live, feed);
	}
}

static void
start_ticking(struct live *live)
{
	if (live->ticks)
		return;
	live->ticks = true;
	loop_after_us(live->tick, SERVE_EVENTS_MS * 1000);
}

static void
on_tick(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct live *live = arg;
	struct spectator *spectator, *next;
	struct feed *feed;

	live->ticks = false;
	forget_feeds(live);
	for (feed = live->feeds; feed != NULL; feed = feed->next)
		if (feed->users > 0)
			look_at_game(live, feed);
	look_at_ladders(live);
	for (spectator = live->spectators; spectator != NULL;
	     spectator = next) {
		next = spectator->next;
		pump(spectator);
	}
	if (live->spectators != NULL || live->feeds != NULL)
		start_ticking(live);
}

/* ---- who asks --------------------------------------------------------- */

static struct feed *
make_feed(struct live *live, const char *id)
{
	struct feed *feed = zeroed(1, sizeof(*feed));

	memcpy(feed->id, id, sizeof(feed->id));
	LIST_PUT(live->feeds, feed);
	live->feed_count++;
	return feed;
}

/* NULL: it was refused. */
static struct feed *
get_feed(struct live *live, struct http_request *request, const char *id)
{
	struct feed *feed = find_feed(live, id);
	const struct config_ladder *ladder;
	struct scheduler_game game;

	if (feed != NULL)
		return feed;
	if (!find_game(live, id, &game, &ladder))
		http_refuse(request, 404,
			    "this game does not run; if it is over, "
			    "/api/1/records/ID has its record");
	else if (ladder->readers == CONFIG_NOBODY)
		http_refuse(request, 403,
			    "the games of this ladder are not public");
	else if (live->feed_count >= SERVE_EVENT_GAMES)
		http_refuse(request, 503,
			    "too many games are watched now; try again later");
	else
		return make_feed(live, id);
	return NULL;
}

/* The line behind which it goes on: Last-Event-ID is `ID:LINE`. */
static uint64_t
last_line(struct http_request *request, const char *id)
{
	char value[ID_BYTES + 24];
	uint64_t line = 0;

	if (http_header(request, "Last-Event-ID", value, sizeof(value)) != 1 ||
	    strncmp(value, id, ID_BYTES) != 0 || value[ID_BYTES] != ':' ||
	    message_number(value + ID_BYTES + 1, strlen(value + ID_BYTES + 1),
			   INT64_MAX, &line) < 0)
		return 0;
	return line;
}

/* False: it was refused. */
static bool
add_topic(struct pages *pages, struct http_request *request,
	  struct spectator *spectator, const char *word)
{
	struct live *live = pages->live;
	struct topic topic = { .feed = NULL };

	if (strncmp(word, "game:", 5) == 0 &&
	    message_id_ok(word + 5, strlen(word + 5))) {
		topic.feed = get_feed(live, request, word + 5);
		if (topic.feed == NULL)
			return false;
		topic.feed->users++;
		topic.line = last_line(request, word + 5);
	} else if (strncmp(word, "ladder:", 7) == 0 &&
		   message_name_ok(word + 7, strlen(word + 7))) {
		if (find_change(live, word + 7) == NULL) {
			page_refuse_ladder(pages, request, word + 7);
			return false;
		}
		snprintf(topic.ladder, sizeof(topic.ladder), "%s", word + 7);
	} else {
		http_refuse(request, 400,
			    "expected topic=game:ID or topic=ladder:NAME, or "
			    "several with commas");
		return false;
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
		if (spectator->topics == SERVE_EVENT_TOPICS) {
			http_refuse(request, 400, "expected fewer topics");
			return false;
		}
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
	look_at_ladders(live);
	start_ticking(live);
	pump(spectator);
}

/* ---- life ------------------------------------------------------------- */

struct live *
live_new(struct event_base *base, const struct ladders *ladders,
	 struct dispatch *dispatch)
{
	struct live *live = zeroed(1, sizeof(*live));

	live->ladders = ladders;
	live->dispatch = dispatch;
	live->tick = loop_timer(base, on_tick, live);
	return live;
}

void
live_free(struct live *live)
{
	unsigned i;

	if (live == NULL)
		return;
	while (live->feeds != NULL)
		free_feed(live, live->feeds);
	for (i = 0; i < LADDER_PLACES; i++)
		http_piece_drop(live->change[i].piece);
	event_free(live->tick);
	free(live);
}
