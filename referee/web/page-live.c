/* referee/web/page-live.c - see page-html.h.
 *
 * The loop notes what the public may see of games; a thread makes the page from
 * it. */
#include "referee/web/page-html.h"

#include <string.h>

#include "protocol/hidden.h"
#include "protocol/message.h"
#include "referee/base/serve-limits.h"
#include "referee/pages/game.h"
#include "referee/web/live-feed.h"
#include "referee/web/live.h"

/* ---- which tables ----------------------------------------------------- */

/* IDs of games to look at. */
struct chosen {
	char id[LIVE_TABLES][ID_BYTES + 1];
	unsigned count, most;
	unsigned elsewhere; /* games that cannot be looked at */
};

static void
choose(struct chosen *chosen, const char *id)
{
	for (unsigned i = 0; i < chosen->count; i++)
		if (strcmp(chosen->id[i], id) == 0)
			return;
	if (chosen->count < chosen->most)
		memcpy(chosen->id[chosen->count++], id, ID_BYTES + 1);
}

static void
add_running(void *arg, const char *id, const char name[][NAME_BYTES + 1] UNUSED,
	    unsigned seats UNUSED, bool elsewhere)
{
	struct chosen *chosen = arg;

	if (elsewhere)
		chosen->elsewhere++;
	else
		choose(chosen, id);
}

/* Chooses games of a ladder, at most `most`; none if they are not public. */
static void
choose_of(struct chosen *chosen, const struct scheduler *scheduler,
	  unsigned most)
{
	if (!scheduler_is_watched(scheduler))
		return;
	chosen->most = chosen->count + most;
	if (chosen->most > LIVE_TABLES)
		chosen->most = LIVE_TABLES;
	scheduler_games_each(scheduler_games(scheduler), add_running, chosen);
}

/* Chooses first the game that is asked for, which may be over by now. */
static void
choose_asked(struct http_request *request, struct chosen *chosen,
	     struct html_wish *wish)
{
	char id[ID_BYTES + 1];
	const int given = http_query(request, "game", id, sizeof(id));

	chosen->most = 1;
	wish->asks = given != 0;
	if (given != 1 || !message_id_ok(id, strlen(id)))
		return;
	memcpy(wish->asked, id, sizeof(wish->asked));
	choose(chosen, id);
}

static void
add_table(struct html_wish *wish, const struct live_feed *feed)
{
	struct live_table *table = &wish->table[wish->tables];

	if (feed_frame(feed) == NULL)
		return;
	memcpy(table->id, feed->id, sizeof(table->id));
	memcpy(table->ladder, feed->ladder, sizeof(table->ladder));
	table->frame = *feed_frame(feed);
	wish->tables++;
}

/* Takes the feeds.  If all games have just ended, one is shown, which is better
 * than an empty page. */
static void
on_seen(void *arg, const struct live_feed *const feed[], unsigned count)
{
	struct html_ask *html = arg;
	struct html_wish *wish = &html->wish;

	wish->table = zeroed(count + 1, sizeof(*wish->table));
	for (unsigned i = 0; i < count; i++)
		if (!feed[i]->over)
			add_table(wish, feed[i]);
	if (wish->tables == 0 && count > 0)
		add_table(wish, feed[0]);
	page_ask_send(&html->ask);
}

/* ---- one game --------------------------------------------------------- */

struct game_ask {
	struct page_ask ask; /* first */
	unsigned at;
	char ladder[NAME_BYTES + 1];
	struct text record; /* the game so far, as the public sees it */
};

static void
make_game(struct page_ask *ask)
{
	const struct game_ask *game = (struct game_ask *)ask;
	struct game_view view = { .ladder = game->ladder,
				  .viewer = VIEW_PUBLIC,
				  .at = game->at,
				  .running = true };
	struct record *record;
	struct error why;

	ask->code = 503;
	if (record_parse(game->record.bytes, game->record.used, &record, &why) <
	    0)
		return;
	view.record = record;
	if (game_page(page_html_site(), &view, &ask->text) == 0 &&
	    !ask->text.full)
		ask->code = 200;
	record_free(record);
}

static void
release_game(struct page_ask *ask)
{
	text_release(&((struct game_ask *)ask)->record);
}

static const struct page_maker game_maker = {
	.type = PAGE_HTML,
	.most = SERVE_FRAMES_BYTES,
	.make = make_game,
	.release = release_game,
	.unread = "this game is too long to be shown as it runs",
};

static void
on_game_seen(void *arg, const struct live_feed *const feed[], unsigned count)
{
	struct game_ask *game = arg;

	if (count == 0 || (feed[0]->over && feed[0]->lines == 0)) {
		http_refuse(game->ask.request, 503,
			    count == 0 ? "too many games are watched now; try "
					 "again later"
				       : "this game has just ended; load the "
					 "page again");
		page_ask_drop(&game->ask);
		return;
	}
	feed_write(feed[0], &game->record);
	memcpy(game->ladder, feed[0]->ladder, sizeof(game->ladder));
	page_ask_send(&game->ask);
}

void
page_live_game(struct pages *pages, struct http_request *request,
	       const char *id, unsigned at)
{
	struct game_ask *game =
		page_ask_new(pages, request, sizeof(*game), &game_maker);
	char wanted[1][ID_BYTES + 1];

	game->at = at;
	text_init(&game->record, SIZE_MAX);
	memcpy(wanted[0], id, sizeof(wanted[0]));
	live_see(pages->live, wanted, 1, false, on_game_seen, game);
}

/* ---- pages ------------------------------------------------------------ */

void
page_live_all(struct pages *pages, struct http_request *request,
	      const struct page_path *path UNUSED)
{
	struct html_ask *html = html_ask_new(pages, request, HTML_LIVE);
	struct chosen chosen = { .count = 0 };
	struct scheduler *scheduler;
	unsigned each;

	each = html->wish.ladders == 0 ? 0 : LIVE_TABLES / html->wish.ladders;
	choose_asked(request, &chosen, &html->wish);
	LADDERS_EACH (pages->ladders, scheduler, i)
		choose_of(&chosen, scheduler, each > 0 ? each : 1);
	html->wish.elsewhere = chosen.elsewhere;
	live_see(pages->live, chosen.id, chosen.count, true, on_seen, html);
}

void
page_live_projectors(struct pages *pages, struct http_request *request,
		     const struct page_path *path)
{
	struct html_wish wish = { .page = HTML_PROJECTOR };
	const struct ladder_head *head[LADDER_PLACES];
	struct live_view view = { .ladder = head };
	struct text text = { .max = SERVE_LIVE_BYTES };

	page_html_note(pages, &wish);
	for (unsigned i = 0; i < wish.ladders; i++)
		if (wish.ladder[i].head.records)
			head[view.ladders++] = &wish.ladder[i].head;
	live_projectors(page_html_site(), &view,
			path->root[0] != '\0' ? path->root : "./", &text);
	html_wish_release(&wish);
	page_send(request, 200, PAGE_HTML, &text);
}

void
page_live_projector(struct pages *pages, struct http_request *request,
		    const struct page_path *path)
{
	const char *name = path->name[0];
	const int place = page_find_ladder(pages, request, name);
	struct chosen chosen = { .count = 0 };
	struct html_ask *html;

	if (place < 0)
		return;
	html = html_ask_new(pages, request, HTML_PROJECTOR);
	for (unsigned i = 0; i < html->wish.ladders; i++)
		if (strcmp(html->wish.ladder[i].head.name, name) == 0)
			html->wish.which = i;
	choose_asked(request, &chosen, &html->wish);
	choose_of(&chosen, pages->ladders->scheduler[place], 1);
	html->wish.elsewhere = chosen.elsewhere;
	live_see(pages->live, chosen.id, chosen.count, true, on_seen, html);
}
