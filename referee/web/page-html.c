/* referee/web/page-html.c - see page-html.h.
 *
 * The loop notes what it knows about ladders and bots; a thread makes the page
 * from that and from files. */
#include "referee/web/page-html.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "protocol/clock.h"
#include "protocol/message.h"
#include "referee/base/serve-limits.h"
#include "referee/config/bot-folder.h"
#include "referee/pages/about.h"
#include "referee/pages/account.h"
#include "referee/pages/rules.h"
#include "referee/queue/coordinator.h"
#include "referee/records/tournament-file.h"
#include "referee/scheduler/scheduler-recall.h"
#include "referee/scheduler/who.h"
#include "referee/web/api-bots.h"
#include "referee/web/page-cache.h"
#include "referee/web/static-files.h"

#define TEXT_OF(number) #number
#define LIMIT_TEXT(limit) TEXT_OF(limit)

const struct site *
page_html_site(void)
{
	static char style[64], icon[64], folder[64];
	static struct site site = { style, icon, folder };

	snprintf(style, sizeof(style), "static/%s/style.css",
		 static_files_hash);
	snprintf(icon, sizeof(icon), "static/%s/icon.svg", static_files_hash);
	snprintf(folder, sizeof(folder), "static/%s/", static_files_hash);
	return &site;
}

/* ---- what the loop knows ---------------------------------------------- */

/* Returns true if the bots that sit on this ladder make no table without bots
 * of this machine, and these may play no games. */
static bool
needs_locals(const struct pages *pages, const struct ladder_head *head,
	     unsigned place)
{
	const bool twice = scheduler_setup(pages->ladders->scheduler[place])
				   ->same_bot_twice;
	const struct local_bot *bot;
	unsigned locals = 0;

	if (pages->config->locals.games > 0 || head->running > 0)
		return false;
	for (bot = local_bots_first(pages->locals); bot != NULL;
	     bot = bot->next)
		locals += bot->share.sits >> place & 1;
	return locals > 0 &&
	       head->sitting < locals + (twice ? 1 : head->pool.seats);
}

/* Sets why no bots are paired on this ladder now; "": there is no reason. */
static void
note_why(const struct pages *pages, unsigned place, struct ladder_head *head)
{
	const struct scheduler *scheduler = pages->ladders->scheduler[place];
	const char *blocked = scheduler_blocked(scheduler);

	head->why[0] = '\0';
	head->paced = scheduler_paced(scheduler);
	head->by_term = head->begins > head->now ||
			(head->ends != 0 && head->ends <= head->now);
	if (head->closing)
		return;
	if (blocked != NULL)
		snprintf(head->why, sizeof(head->why), "%s: %s.",
			 head->paced ? "A pause" : "No bots are paired now",
			 blocked);
	else if (head->sitting < head->pool.seats && head->running == 0 &&
		 !scheduler_setup(scheduler)->same_bot_twice)
		snprintf(head->why, sizeof(head->why),
			 "No bots are paired now: a table needs %u, and %u %s "
			 "here.",
			 head->pool.seats, head->sitting,
			 head->sitting == 1 ? "is" : "are");
	else if (needs_locals(pages, head, place))
		snprintf(head->why, sizeof(head->why),
			 "No bots are paired now: bots of this machine play no "
			 "games (local-bots: games = 0).");
}

static void
note_ladders(const struct pages *pages, struct html_wish *wish)
{
	const struct config_ladder *setup;
	struct scheduler *scheduler;
	struct html_ladder *ladder;

	LADDERS_EACH (pages->ladders, scheduler, i) {
		ladder = ADDED(wish->ladder, wish->ladders);
		setup = scheduler_setup(scheduler);
		snprintf(ladder->head.name, sizeof(ladder->head.name), "%s",
			 setup->name);
		scheduler_pool(setup, &ladder->head.pool);
		ladder->head.sitting =
			scheduler_bots_sitting(scheduler_bots(scheduler));
		ladder->head.running = scheduler_counts(scheduler)->running;
		ladder->head.starved = scheduler_counts(scheduler)->starved;
		ladder->changes = scheduler_counts(scheduler)->games +
				  scheduler_counts(scheduler)->fits;
		ladder->head.closing = pages->ladders->closing >> i & 1;
		page_shelf(scheduler, &ladder->shelf);
		ladder->head.begins = setup->begins;
		ladder->head.freezes = setup->freezes;
		ladder->head.ends = setup->ends;
		ladder->head.now = wish->now;
		ladder->head.frozen = ladder->shelf.frozen != 0;
		ladder->head.records = record_view_public(&ladder->shelf);
		note_why(pages, i, &ladder->head);
	}
}

static void
add_local(struct html_locals *to, const char *bot, const char *author)
{
	struct ladder_local *local = ADDED(to->local, to->count);

	snprintf(local->bot, sizeof(local->bot), "%s", bot);
	snprintf(local->author, sizeof(local->author), "%s", author);
}

struct adding_locals {
	struct html_locals *to;
	unsigned living; /* the first locals, which are sorted */
};

static void
add_entry(void *arg, const struct roster_entry *entry)
{
	struct adding_locals *adding = arg;
	struct html_locals *to = adding->to;

	if (ladder_local_find(to->local, adding->living, entry->stands_as) ==
	    NULL)
		add_local(to, entry->stands_as, "");
}

static struct html_locals *
gather_locals(const struct pages *pages)
{
	struct html_locals *to = zeroed(1, sizeof(*to));
	struct adding_locals adding = { .to = to };
	const struct local_bot *bot;
	struct error ignored;

	for (bot = local_bots_first(pages->locals); bot != NULL;
	     bot = bot->next) {
		add_local(to, bot->participant.stands_as, bot->folder->author);
		for (unsigned i = 0; i < PARTICIPANT_BEFORE &&
				     bot->participant.before[i][0] != '\0';
		     i++)
			add_local(to, bot->participant.before[i],
				  bot->folder->author);
	}
	ladder_locals_sort(to->local, to->count);
	adding.living = to->count;
	to->users = 1;
	to->changes = pages->changes;
	/* A roster that cannot be read is read again for the next page. */
	if (roster_entries_of(pages->roster, 0, add_entry, &adding, &ignored) <
	    0)
		to->changes--;
	ladder_locals_sort(to->local, to->count);
	return to;
}

void
page_html_forget(struct pages *pages)
{
	html_locals_drop(pages->shown_locals);
	pages->shown_locals = NULL;
}

/* Anybody can ask for pages, and there are thousands of versions: they are read only
 * after a change. */
static void
note_locals(struct pages *pages, struct html_wish *wish)
{
	if (pages->shown_locals == NULL ||
	    pages->shown_locals->changes != pages->changes) {
		page_html_forget(pages);
		pages->shown_locals = gather_locals(pages);
	}
	wish->locals = pages->shown_locals;
	wish->locals->users++;
}

void
page_html_note(struct pages *pages, struct html_wish *wish)
{
	wish->now = clock_seconds();
	wish->tallies = pages->tallies;
	wish->queue = pages->coordinator != NULL;
	wish->uploads = pages->config->uploads != CONFIG_UPLOADS_NO;
	wish->sign_up = pages->config->sign_up != CONFIG_SIGN_UP_OFF;
	snprintf(wish->tournaments, sizeof(wish->tournaments),
		 "%s/" TOURNAMENT_FOLDER, pages->config->data);
	note_ladders(pages, wish);
	note_locals(pages, wish);
}

struct noting {
	struct html_wish *wish;
	unsigned ladder, found;
};

static void
note_table(void *arg, const char *id, const char name[][NAME_BYTES + 1],
	   unsigned seats, bool elsewhere)
{
	struct noting *noting = arg;
	struct html_wish *wish = noting->wish;
	struct front_table *table;

	if (elsewhere || noting->found++ >= FRONT_TABLES)
		return;
	table = ADDED(wish->seen, wish->seen_tables);
	table->ladder = noting->ladder;
	table->seats = seats;
	snprintf(table->id, sizeof(table->id), "%s", id);
	for (unsigned s = 0; s < seats; s++)
		snprintf(table->name[s], sizeof(table->name[s]), "%s", name[s]);
}

/* Notes some tables that everybody may watch, in the order of the ladders. */
static void
note_tables(const struct pages *pages, struct html_wish *wish)
{
	struct noting noting = { .wish = wish };
	struct scheduler *scheduler;

	LADDERS_EACH (pages->ladders, scheduler, i) {
		noting.found = 0;
		if (scheduler_is_watched(scheduler))
			scheduler_games_each(scheduler_games(scheduler),
					     note_table, &noting);
		noting.ladder++;
	}
}

/* ---- asking the page thread ----------------------------------------- */

static void
make(struct page_ask *ask)
{
	struct html_ask *html = (struct html_ask *)ask;

	ask->code = html_make(&html->wish, html->site, &ask->text, &ask->why);
	if (ask->code == 404)
		ask->sentence = "unknown bot name";
}

static void
release(struct page_ask *ask)
{
	html_wish_release(&((struct html_ask *)ask)->wish);
}

static const struct page_maker html_maker = {
	.type = PAGE_HTML,
	.most = SERVE_HTML_BYTES,
	.make = make,
	.release = release,
	.unread = PAGE_UNREAD_LADDER,
	.event = "ladder-unread",
};

struct html_ask *
html_ask_new(struct pages *pages, struct http_request *request,
	     enum html_page page)
{
	struct html_ask *html =
		page_ask_new(pages, request, sizeof(*html), &html_maker);

	if (page == HTML_LIVE || page == HTML_PROJECTOR)
		text_init(&html->ask.text, SERVE_LIVE_BYTES);
	html->wish.page = page;
	html->site = page_html_site();
	page_html_note(pages, &html->wish);
	return html;
}

static uint64_t
mix_text(uint64_t version, const char *text)
{
	return page_version(version, text, strlen(text) + 1);
}

/* Returns a number that is another one when a page says other things about the term. */
static uint64_t
term_of(const struct ladder_head *head)
{
	const int64_t facts[] = {
		head->begins,
		head->freezes,
		head->ends,
		head->frozen,
		head->begins > head->now,
		head->ends > head->now,
	};

	return page_version(PAGE_VERSION_NONE, facts, sizeof(facts));
}

/* Mixes in what a page of a bot says of it. */
static uint64_t
mix_bot(uint64_t version, const struct html_wish *wish)
{
	const struct queue_job *job;

	version = page_version(version, &wish->known, sizeof(wish->known));
	version = mix_text(version, wish->called);
	for (unsigned i = 0; i < wish->notices; i++) {
		version = mix_text(version, wish->notice[i].ladder);
		version = mix_text(version, wish->notice[i].why);
	}
	for (unsigned i = 0; i < wish->parked_jobs; i++) {
		job = &wish->parked[i];
		version = page_version(version, &job->job, sizeof(job->job));
		version = page_version(version, &job->losses,
				       sizeof(job->losses));
		version = mix_text(version, job->why);
		version = mix_text(version, job->unbuilt);
	}
	return version;
}

/* Returns the version of a page of one ladder; or of a page that shows all
 * ladders: the first page, which shows tables, too, or that of a bot. */
static uint64_t
version_of(const struct html_ask *html)
{
	const struct html_wish *wish = &html->wish;
	const bool all = wish->page == HTML_FRONT || wish->bot[0] != '\0';
	const bool shown[] = { wish->uploads, wish->sign_up };
	uint64_t version =
		page_version(PAGE_VERSION_NONE, shown, sizeof(shown));
	const struct html_ladder *ladder;

	for (unsigned i = 0; i < wish->ladders; i++) {
		if (!all && i != wish->which)
			continue;
		ladder = &wish->ladder[i];
		const uint64_t numbers[] = {
			wish->locals->changes, ladder->changes,
			ladder->head.sitting,  ladder->head.running,
			ladder->head.closing,  ladder->head.records,
			ladder->head.starved,  term_of(&ladder->head),
		};

		version = mix_text(version, ladder->head.name);
		version = mix_text(version, ladder->head.why);
		version = page_version(version, numbers, sizeof(numbers));
	}
	for (unsigned i = 0; i < wish->seen_tables; i++)
		version = mix_text(version, wish->seen[i].id);
	return mix_bot(version, wish);
}

static void
ask(struct html_ask *html)
{
	const struct html_wish *wish = &html->wish;
	char key[PAGE_KEY_BYTES];

	/* Anybody can ask for many pairs, and for names of no bots: these would take
	 * the places of other pages. */
	if (wish->page == HTML_VERSUS ||
	    (wish->page == HTML_BOT && !wish->known)) {
		page_ask_send(&html->ask);
		return;
	}
	snprintf(key, sizeof(key), "%d %s %d%c %u %s", (int)wish->page,
		 wish->page == HTML_FRONT || wish->which == wish->ladders
			 ? ""
			 : wish->ladder[wish->which].head.name,
		 (int)wish->sort, wish->falling ? '-' : '+', wish->from,
		 wish->bot);
	page_ask_keep(&html->ask, key, version_of(html));
}

/* Returns the index of this ladder in the wish, or `ladders` if it is not
 * there. */
static unsigned
find_ladder(const struct html_wish *wish, const char *name)
{
	unsigned i = 0;

	while (i < wish->ladders &&
	       strcmp(wish->ladder[i].head.name, name) != 0)
		i++;
	return i;
}

/* Reads a value of the query, "" if it is missing.  Returns NULL, or why it is
 * refused. */
static const char *
read_value(struct http_request *request, const char *name, char *value,
	   size_t size)
{
	int given = http_query(request, name, value, size);

	if (given <= 0)
		value[0] = '\0';
	return given < 0 ? "a value of the query is too long, or given twice"
			 : NULL;
}

/* ---- pages ------------------------------------------------------------ */

void
page_html_front(struct pages *pages, struct http_request *request,
		const struct page_path *path UNUSED)
{
	struct html_ask *html = html_ask_new(pages, request, HTML_FRONT);

	note_tables(pages, &html->wish);
	ask(html);
}

/* Begins one of a ladder's pages; returns NULL if the request was refused. */
static struct html_ask *
begin_ladder(struct pages *pages, struct http_request *request,
	     enum html_page page, const char *name)
{
	struct html_ask *html;

	if (page_find_ladder(pages, request, name) < 0)
		return NULL;
	html = html_ask_new(pages, request, page);
	html->wish.which = find_ladder(&html->wish, name);
	return html;
}

/* Reads the place that the page begins with.  Returns false if the request was
 * refused. */
static bool
read_from(struct html_ask *html)
{
	struct http_request *request = html->ask.request;
	uint64_t from = 1;
	char value[16];

	if (read_value(request, "from", value, sizeof(value)) != NULL ||
	    (value[0] != '\0' &&
	     message_number(value, strlen(value), UINT32_MAX, &from) < 0)) {
		page_ask_drop(&html->ask);
		return http_refuse(request, 400, "expected from= and a place");
	}
	html->wish.from = (unsigned)from;
	return true;
}

void
page_html_ladder(struct pages *pages, struct http_request *request,
		 const struct page_path *path)
{
	struct html_ask *html =
		begin_ladder(pages, request, HTML_LADDER, path->name[0]);
	char sort[16];

	if (html == NULL || !read_from(html))
		return;
	if (read_value(request, "sort", sort, sizeof(sort)) != NULL ||
	    (sort[0] != '\0' &&
	     !ladder_sort_read(sort, &html->wish.sort, &html->wish.falling))) {
		page_ask_drop(&html->ask);
		http_refuse(request, 400,
			    "expected sort= and a column: rank, bot, author, "
			    "elo, from, to, games, score, faults, last or "
			    "home");
		return;
	}
	ask(html);
}

void
page_html_cross(struct pages *pages, struct http_request *request,
		const struct page_path *path)
{
	struct html_ask *html =
		begin_ladder(pages, request, HTML_CROSS, path->name[0]);

	if (html != NULL && read_from(html))
		ask(html);
}

void
page_html_games(struct pages *pages, struct http_request *request,
		const struct page_path *path)
{
	struct html_ask *html =
		begin_ladder(pages, request, HTML_GAMES, path->name[0]);
	struct games_form *form;
	const char *wrong = NULL;

	if (html == NULL)
		return;
	form = &html->wish.form;
	const struct {
		const char *name;
		char *value;
		size_t size;
	} values[] = {
		{ "bot", form->bot, sizeof(form->bot) },
		{ "place", form->place, sizeof(form->place) },
		{ "fault", form->fault, sizeof(form->fault) },
		{ "moves", form->moves, sizeof(form->moves) },
		{ "since", form->since, sizeof(form->since) },
		{ "until", form->until, sizeof(form->until) },
		{ "order", form->order, sizeof(form->order) },
		{ "before", form->before, sizeof(form->before) },
	};
	for (unsigned i = 0; i < NELEM(values) && wrong == NULL; i++)
		wrong = read_value(request, values[i].name, values[i].value,
				   values[i].size);
	if (wrong != NULL) {
		page_ask_drop(&html->ask);
		http_refuse(request, 400, wrong);
		return;
	}
	page_ask_send(&html->ask);
}

/* Notes if the bot is or was in the roster or is a remote bot, and the present
 * name of the bot that had this name or this version. */
static void
note_roster(const struct pages *pages, struct html_wish *wish)
{
	struct roster_bot bot;

	who_look_up(pages->roster, wish->bot, &bot);
	wish->known = bot.number != 0 ||
		      remote_bots_find(pages->remotes, wish->bot) != NULL;
	snprintf(wish->called, sizeof(wish->called), "%s",
		 bot.number != 0 ? bot.name : wish->bot);
}

/* Notes the bot's parked jobs among those that the database has reported, which
 * are not all. */
static void
note_parked(const struct pages *pages, struct html_wish *wish)
{
	const struct coordinator_told *told;
	bool its;

	if (pages->coordinator == NULL)
		return;
	told = coordinator_told(pages->coordinator);
	for (unsigned i = 0; i < told->jobs; i++) {
		its = false;
		for (unsigned s = 0; s < told->job[i].seats; s++)
			its |= strcmp(told->job[i].name[s], wish->bot) == 0;
		if (!its)
			continue;
		*ADDED(wish->parked, wish->parked_jobs) = told->job[i];
	}
}

static void PRINTF_LIKE(3, 4)
	add_notice(struct html_wish *wish, const char *ladder, const char *fmt,
		   ...)
{
	struct bot_notice *notice;
	va_list ap;

	notice = ADDED(wish->notice, wish->notices);
	snprintf(notice->ladder, sizeof(notice->ladder), "%s", ladder);
	va_start(ap, fmt);
	vsnprintf(notice->why, sizeof(notice->why), fmt, ap);
	va_end(ap);
}

/* Adds `why`, which has no point yet and begins with a small letter, as a
 * sentence; "" adds none. */
static void
add_sentence(struct html_wish *wish, const char *why)
{
	if (why[0] != '\0')
		add_notice(wish, "", "%c%.500s.",
			   toupper((unsigned char)why[0]), why + 1);
}

/* Notes what /api/1/bots/NAME shows to everybody, and what the organiser has
 * said. */
static void
note_notices(const struct pages *pages, struct html_wish *wish)
{
	const struct remote_bot *remote =
		remote_bots_find(pages->remotes, wish->called);
	char why[BOT_NOTICE_BYTES], first[NAME_BYTES + 1];
	struct scheduler *scheduler;
	const struct html_ladder *at;
	struct scheduler_bot bot;

	api_bots_why(pages, wish->called, why);
	add_sentence(wish, why);
	api_bots_why_version(pages, wish->bot, why);
	add_sentence(wish, why);
	if (remote != NULL && !remote->here && remote->why[0] != '\0')
		add_notice(wish, "", "It is not here: %.400s.", remote->why);
	who_stands_as(pages->roster, wish->called, first);
	LADDERS_EACH (pages->ladders, scheduler, i) {
		if (!scheduler_bots_tell(scheduler_bots(scheduler), first,
					 &bot))
			continue;
		/* A freeze hides what the bot did in its games. */
		if (bot.suspended)
			add_notice(wish, scheduler_name(scheduler), "It is %s.",
				   scheduler_frozen(scheduler) == 0
					   ? bot.suspension
					   : "suspended");
		at = &wish->ladder[find_ladder(wish,
					       scheduler_name(scheduler))];
		if (!bot.suspended && bot.sits && bot.playing == 0 &&
		    at->head.why[0] != '\0' && !at->head.paced)
			add_notice(wish, at->head.name, "%s", at->head.why);
	}
}

/* Answers with the page of one bot, or of two side by side. */
void
page_html_bots(struct pages *pages, struct http_request *request,
	       const struct page_path *path)
{
	const char *name = path->name[0], *other = path->name[1];
	struct html_ask *html = html_ask_new(
		pages, request, other[0] != '\0' ? HTML_VERSUS : HTML_BOT);
	char ladder[NAME_BYTES + 1];

	if (read_value(request, "ladder", ladder, sizeof(ladder)) != NULL) {
		page_ask_drop(&html->ask);
		http_refuse(request, 400, "expected ladder= and a name");
		return;
	}
	html->wish.which = find_ladder(&html->wish, ladder);
	snprintf(html->wish.bot, sizeof(html->wish.bot), "%s", name);
	snprintf(html->wish.other, sizeof(html->wish.other), "%s", other);
	note_roster(pages, &html->wish);
	note_parked(pages, &html->wish);
	note_notices(pages, &html->wish);
	ask(html);
}

/* ---- pages that wait for nothing -------------------------------------- */

/* Answers with the rules of a game, or with the list of games. */
void
page_html_rules(struct pages *pages UNUSED, struct http_request *request,
		const struct page_path *path)
{
	const char *game = path->name[0];
	struct text text = { .max = SERVE_HTML_BYTES };

	if (game[0] == '\0')
		rules_list_page(page_html_site(), &text);
	else if (!rules_page(page_html_site(), game, &text))
		http_refuse(request, 404,
			    "unknown game; /rules lists the games");
	if (text.used > 0)
		page_send(request, 200, PAGE_HTML, &text);
}

static const char *
readers_of(const struct config_ladder *setup, char text[128])
{
	static const char *const who[] = {
		[CONFIG_NOBODY] = "records are not public",
		[CONFIG_PLAYERS] = "records are for the bots that sat there",
		[CONFIG_EVERYBODY] = "records are for everybody",
	};

	if (setup->readers == CONFIG_NOBODY || setup->read_after_minutes == 0)
		snprintf(text, 128, "%s", who[setup->readers]);
	else
		snprintf(text, 128, "%s, %llu minutes after the game",
			 who[setup->readers],
			 (unsigned long long)setup->read_after_minutes);
	return text;
}

void
page_html_about(struct pages *pages, struct http_request *request,
		const struct page_path *path UNUSED)
{
	struct about_ladder ladder[LADDER_PLACES];
	char readers[LADDER_PLACES][128], owners[32], processes[32];
	const struct about_limit limit[] = {
		{ "bytes of a line from a bot", LIMIT_TEXT(LINE_BOT_BYTES) },
		{ "games that one bot plays at once",
		  LIMIT_TEXT(GAMES_AT_ONCE) },
		{ "bytes of an upload", LIMIT_TEXT(UPLOAD_BYTES) },
		{ "uploads of one owner a day", owners },
		{ "memory of a program, MiB", LIMIT_TEXT(BOX_MEMORY_MIB) },
		{ "processes of a program", processes },
		{ "games told at a time", LIMIT_TEXT(SERVE_GAMES_MAX) },
	};
	struct about about = { sandbox_tiers[pages->tier],
			       sandbox_probe()->sentence,
			       limit,
			       NELEM(limit),
			       ladder,
			       0,
			       pages->config->sign_up != CONFIG_SIGN_UP_OFF };
	struct scheduler *scheduler;
	struct text text = { .max = SERVE_HTML_BYTES };

	snprintf(owners, sizeof(owners), "%llu",
		 (unsigned long long)pages->config->limits.owner_uploads);
	snprintf(processes, sizeof(processes), "%llu",
		 (unsigned long long)pages->config->locals.processes);
	LADDERS_EACH (pages->ladders, scheduler, i) {
		ladder[about.ladders].name = scheduler_name(scheduler);
		ladder[about.ladders].readers = readers_of(
			scheduler_setup(scheduler), readers[about.ladders]);
		about.ladders++;
	}
	about_page(page_html_site(), &about, &text);
	page_send(request, 200, PAGE_HTML, &text);
}

void
page_html_sign_up(struct pages *pages, struct http_request *request,
		  const struct page_path *path UNUSED)
{
	struct text text = { .max = SERVE_HTML_BYTES };

	account_sign_up_page(page_html_site(),
			     pages->config->sign_up != CONFIG_SIGN_UP_OFF,
			     &text);
	page_send(request, 200, PAGE_HTML, &text);
}

/* Answers with the page of any name, so that it does not tell who has an
 * account. */
void
page_html_owner(struct pages *pages UNUSED, struct http_request *request,
		const struct page_path *path)
{
	struct text text = { .max = SERVE_HTML_BYTES };

	account_owner_page(page_html_site(), path->name[0], &text);
	page_send(request, 200, PAGE_HTML, &text);
}
