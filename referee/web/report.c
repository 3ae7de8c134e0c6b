/* referee/web/report.c - see report.h. */
#include "referee/web/report.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "ladder/folder.h"
#include "protocol/date.h"
#include "protocol/hidden.h"
#include "protocol/message.h"
#include "referee/base/serve-limits.h"
#include "referee/data/owner.h"
#include "referee/pages/cross.h"
#include "referee/pages/tournament.h"
#include "referee/records/opinion-run.h"
#include "referee/web/report-file.h"
#include "referee/web/static-files.h"

#define PATH_BYTES 160
#define HASH_TEXT 48 /* bytes of a SHA-256 in base64 */

/* ---- what is in it ---------------------------------------------------- */

/* The answers of the daemon about a game that are embedded. report.js finds
 * them by the word before the ID. A game without frames is left out. */
static const struct {
	const char *what;
	enum record_form form;
} embedded[] = { { "frames", RECORD_FRAMES }, { "asks", RECORD_ASKS } };

/* A page that becomes a part. */
struct entry {
	char path[PATH_BYTES]; /* path in links, after the root */
	char id[PATH_BYTES];   /* the part's ID */
	enum html_page page;
	unsigned ladder;
	char bot[NAME_BYTES + 1];
	unsigned from; /* the first row */
	/* Set for a game; else "". */
	char game[ID_BYTES + 1];
	int viewer;
	struct text data[NELEM(embedded)]; /* owned */
};

struct report {
	const struct report_wish *wish;
	struct entry *entry; /* owned */
	unsigned entries;
	struct games_found found[REPORT_LADDERS]; /* the rows are owned */
	struct html_wish pages;
	struct report_told *told;
	const struct entry *now;   /* the part that is written */
	char link[3 * PATH_BYTES]; /* the target of the last link */
};

static struct entry *
add_entry(struct report *report, unsigned ladder, enum html_page page)
{
	struct entry *entry = ADDED(report->entry, report->entries);

	*entry = (struct entry){ .ladder = ladder, .page = page };
	return entry;
}

/* Adds the pages of a table with `rows` rows. */
static void
add_rows(struct report *report, unsigned ladder, enum html_page page,
	 unsigned rows, unsigned at_a_time)
{
	const char *name = report->wish->ladder[ladder].head.name;
	const bool cross = page == HTML_CROSS;
	char id[16] = "", query[32] = "";
	struct entry *entry;

	for (unsigned from = 1; from == 1 || from <= rows; from += at_a_time) {
		if (from > 1) {
			snprintf(id, sizeof(id), "-%u", from);
			snprintf(query, sizeof(query), "?%sfrom=%u",
				 cross ? "" : "sort=rank&", from);
		}
		entry = add_entry(report, ladder, page);
		entry->from = from;
		snprintf(entry->id, PATH_BYTES, "%s-%s%s",
			 cross ? "cross" : "ladder", name, id);
		snprintf(entry->path, PATH_BYTES, "ladders/%s%s%s", name,
			 cross ? "/cross" : "", query);
	}
}

static void
add_bot(struct report *report, unsigned ladder, const char *bot)
{
	const char *name = report->wish->ladder[ladder].head.name;
	struct entry *entry;

	if (!message_name_ok(bot, strlen(bot)))
		return;
	entry = add_entry(report, ladder, HTML_BOT);
	snprintf(entry->bot, sizeof(entry->bot), "%s", bot);
	snprintf(entry->path, PATH_BYTES, "bots/%s?ladder=%s", bot, name);
	snprintf(entry->id, PATH_BYTES, "bot-%s-%s", name, bot);
	report->told->bots++;
}

/* Notes why the first game was left out. */
static void
note_reason(struct report_told *told, const struct record_found *found)
{
	if (told->passed == 0)
		snprintf(told->why, sizeof(told->why), "%.500s",
			 found->code == 503 ? found->why.text
					    : found->sentence);
}

/* Reads what is embedded of the game as `view` sees it.  Returns 200, or the
 * code of the refusal. */
static int
read_data(const struct report *report, unsigned ladder, const char *id,
	  int view, struct text data[])
{
	struct record_wish wish = { .view = view, .now = report->wish->now };
	struct record_found found;

	memcpy(wish.id, id, sizeof(wish.id));
	for (unsigned i = 0; i < NELEM(embedded); i++) {
		wish.form = embedded[i].form;
		record_view_read(&report->wish->ladder[ladder].shelf, 1, &wish,
				 &found);
		if (found.code != 200 && i == 0) {
			note_reason(report->told, &found);
			return found.code;
		}
		data[i] = found.code == 200 ? found.text : (struct text){ 0 };
	}
	return 200;
}

static void
add_game(struct report *report, unsigned ladder, const struct ladder_game *game)
{
	struct text data[NELEM(embedded)];
	struct entry *entry;
	int viewer = VIEW_ALL, code;

	code = read_data(report, ladder, game->id, viewer, data);
	if (code == 401 || code == 403) {
		viewer = VIEW_PUBLIC;
		code = read_data(report, ladder, game->id, viewer, data);
	}
	if (code != 200) {
		report->told->passed++;
		return;
	}
	entry = add_entry(report, ladder, HTML_GAMES);
	memcpy(entry->game, game->id, sizeof(entry->game));
	entry->viewer = viewer;
	memcpy(entry->data, data, sizeof(data));
	snprintf(entry->path, PATH_BYTES, "games/%s", game->id);
	snprintf(entry->id, PATH_BYTES, "game-%s", game->id);
	report->told->games++;
}

static int
add_parts(struct report *report, unsigned which, struct ladder *ladder,
	  struct error *why)
{
	const struct html_ladder *head = &report->wish->ladder[which];
	struct ladder_wanted wanted = { .pool = head->head.pool.number };
	struct games_found *found = &report->found[which];
	struct standings standings;
	struct entry *list;

	if (standings_read(ladder, &head->head.pool, false, &standings, why) <
	    0)
		return -1;
	add_rows(report, which, HTML_LADDER, ladder_page_rows(&standings),
		 LADDER_ROWS);
	add_rows(report, which, HTML_CROSS, standings.count, CROSS_BOTS);
	list = add_entry(report, which, HTML_GAMES);
	snprintf(list->path, PATH_BYTES, "ladders/%s/games", head->head.name);
	snprintf(list->id, PATH_BYTES, "games-%s", head->head.name);
	for (unsigned i = 0; i < standings.count && i < REPORT_BOTS; i++)
		add_bot(report, which, standings.row[i].standing.bot);
	standings_release(&standings);
	if (games_find_all(ladder, &wanted, report->wish->games, found, why) <
	    0)
		return -1;
	for (unsigned i = 0; i < found->count; i++) {
		if (report_go_on(report->wish->stop, why) < 0)
			return -1;
		add_game(report, which, &found->row[i].game);
	}
	return 0;
}

static int
gather(struct report *report, struct error *why)
{
	struct ladder *ladder;
	int result = 0;

	for (unsigned i = 0; i < report->wish->ladders && result == 0; i++) {
		result = ladder_open(report->wish->ladder[i].shelf.path,
				     LADDER_READ, &ladder, why);
		if (result < 0)
			break;
		result = add_parts(report, i, ladder, why);
		ladder_close(ladder);
	}
	return result;
}

/* ---- where links lead ------------------------------------------------- */

static const struct entry *
find_entry(const struct report *report, const char *path)
{
	for (unsigned i = 0; i < report->entries; i++)
		if (strcmp(report->entry[i].path, path) == 0)
			return &report->entry[i];
	return NULL;
}

/* Finds the part that a link leads to.  For a bot it is on the ladder the
 * part's ID with the link. */
static const struct entry *
find_part(const struct report *report, const char *path)
{
	const struct entry *entry = find_entry(report, path);
	char other[2 * PATH_BYTES];

	if (entry != NULL)
		return entry;
	if (strncmp(path, "games/", 6) == 0 || folder_ends_in(path, "from=1"))
		snprintf(other, sizeof(other), "%.*s", (int)strcspn(path, "?"),
			 path);
	else
		snprintf(other, sizeof(other), "%.*s?ladder=%s", PATH_BYTES,
			 path,
			 report->wish->ladder[report->now->ladder].head.name);
	return find_entry(report, other);
}

/* Returns the target of a link.  A link to a game may have a line; report.js
 * reads it from the query. */
static const char *
lead(void *arg, const char *path)
{
	struct report *report = arg;
	const struct entry *entry;
	char plain[PATH_BYTES];
	const char *at;

	snprintf(plain, sizeof(plain), "%.*s", (int)strcspn(path, "#"), path);
	entry = find_part(report, plain);
	if (entry == NULL || (entry == report->now && entry->game[0] != '\0'))
		return NULL;
	at = entry->game[0] == '\0' ? NULL : strstr(plain, "at=");
	if (at != NULL)
		snprintf(report->link, sizeof(report->link), "?game=%s&%s#%s",
			 entry->game, at, entry->id);
	else
		snprintf(report->link, sizeof(report->link), "#%s", entry->id);
	return report->link;
}

/* ---- the parts -------------------------------------------------------- */

/* Asks the program about every seat that may be seen, if all cards are shown.
 * Returns 0, or -1 and an error.  The caller releases `output`. */
static int
judge(const struct report *report, const struct entry *entry,
      struct text output[SEATS_MAX], struct record_wish *wish,
      struct error *why)
{
	const struct opinion_task task = { .program = report->wish->opinions,
					   .ms = OPINION_MS,
					   .stop = report->wish->stop };
	struct record_wish input = { .form = RECORD_OPINIONS,
				     .opinions = OPINION_NONE,
				     .now = report->wish->now };
	const bool wanted = task.program != NULL && entry->viewer == VIEW_ALL;
	struct record_found found;
	int result = 0, seat;

	memcpy(input.id, entry->game, sizeof(input.id));
	for (seat = 0; wanted && seat < SEATS_MAX && result == 0; seat++) {
		input.view = seat;
		record_view_read(&report->wish->ladder[entry->ladder].shelf, 1,
				 &input, &found);
		if (found.code != 202)
			break;
		result = opinion_run(&task, &found.input, &output[seat], why);
		text_release(&found.input);
		wish->opinions_of[seat] = &output[seat];
		report->told->judged++;
	}
	return result;
}

static int
make_game(const struct report *report, const struct entry *entry,
	  const struct site *site, struct text *to, struct error *why)
{
	struct record_wish wish = { .view = entry->viewer,
				    .form = RECORD_PAGE,
				    .site = site,
				    .now = report->wish->now };
	struct text opinions[SEATS_MAX] = { { 0 } };
	struct record_found found;
	int result;

	memcpy(wish.id, entry->game, sizeof(wish.id));
	result = judge(report, entry, opinions, &wish, why);
	if (result == 0)
		record_view_read(&report->wish->ladder[entry->ladder].shelf, 1,
				 &wish, &found);
	for (int s = 0; s < SEATS_MAX; s++)
		text_release(&opinions[s]);
	if (result < 0)
		return -1;
	if (found.code != 200)
		return error_set(why, ERROR_INPUT, "the game %s: %s",
				 entry->game, found.sentence);
	text_add(to, found.text.bytes, found.text.used);
	text_release(&found.text);
	return 0;
}

static int
write_part(struct report *report, const struct entry *entry, struct text *to,
	   struct error *why)
{
	const bool game = entry->game[0] != '\0';
	const struct html_part part = {
		.id = entry->id,
		.class = game			   ? "of-game"
			 : entry->page == HTML_BOT ? "of-bot"
						   : "of-ladder",
		.lead = lead,
		.arg = report,
	};
	const struct site site = { .part = &part };
	struct html_wish *wish = &report->pages;

	if (report_go_on(report->wish->stop, why) < 0)
		return -1;
	report->now = entry;
	if (game)
		return make_game(report, entry, &site, to, why);
	wish->page = entry->page;
	wish->which = entry->ladder;
	wish->from = entry->from;
	wish->found = &report->found[entry->ladder];
	memcpy(wish->bot, entry->bot, sizeof(wish->bot));
	return html_make(wish, &site, to, why) == 200 ? 0 : -1;
}

/* Writes a tournament.  Its bots are linked to their parts of the first ladder. */
static void
write_tournament(struct report *report, const struct tournament_told *told,
		 struct text *to)
{
	const struct entry nowhere = { .ladder = 0 };
	char id[ID_BYTES + sizeof("tournament-")];
	const struct html_part part = {
		.id = id, .class = "of-ladder", .lead = lead, .arg = report
	};
	const struct site site = { .part = &part };

	snprintf(id, sizeof(id), "tournament-%s", told->id);
	report->now = &nowhere;
	tournament_page(&site, told, to);
	report->now = NULL;
}

/* ---- what is embedded ------------------------------------------------- */

static void
add_static(struct text *to, const char *name)
{
	const struct static_file *file = static_files_find(name);

	if (file == NULL)
		bug("there is no %s", name);
	text_add(to, file->bytes, file->n);
}

/* Returns how many bytes at `at` must be replaced in an element, and by what; 0
 * if none. */
static size_t
escape_of(const char *at, size_t n, const char **as)
{
	*as = "\\u003c";
	if (*at == '<')
		return 1;
	*as = n > 2 && at[2] == '\xa8' ? "\\u2028" : "\\u2029";
	return n > 2 && memcmp(at, "\xe2\x80", 2) == 0 &&
			       (at[2] == '\xa8' || at[2] == '\xa9')
		       ? 3
		       : 0;
}

/* Adds JSON so that no browser can take a part of it for the end of the
 * element.  The replaced bytes stand only in strings. */
static void
add_json(struct text *to, const struct text *json)
{
	size_t i = 0, plain = 0, n;
	const char *as;

	while (i < json->used) {
		n = escape_of(json->bytes + i, json->used - i, &as);
		if (n > 0) {
			text_add(to, json->bytes + plain, i - plain);
			text_str(to, as);
			plain = i + n;
		}
		i += n > 0 ? n : 1;
	}
	text_add(to, json->bytes + plain, json->used - plain);
}

static void
write_data(const struct report *report, struct text *to)
{
	const struct entry *entry = report->entry;

	for (; entry < report->entry + report->entries; entry++) {
		for (unsigned i = 0; i < NELEM(embedded); i++) {
			if (entry->data[i].used == 0)
				continue;
			text_fmt(to,
				 "<script type=\"application/json\" "
				 "id=\"%s-",
				 embedded[i].what);
			html_escape(to, entry->game, strlen(entry->game));
			text_str(to, "\">");
			add_json(to, &entry->data[i]);
			text_str(to, "</script>\n");
		}
	}
}

/* Adds the policy's word for an element of ours: `'sha256-…'`. */
static void
add_hash(struct text *to, const void *bytes, size_t n)
{
	unsigned char hash[crypto_hash_sha256_BYTES];
	char text[HASH_TEXT];

	crypto_hash_sha256(hash, bytes, n);
	sodium_bin2base64(text, sizeof(text), hash, sizeof(hash),
			  sodium_base64_VARIANT_ORIGINAL);
	text_fmt(to, "'sha256-%s'", text);
}

/* ---- the site around the parts ---------------------------------------- */

static void
write_head(const struct report *report, struct text *to)
{
	struct text style = { .max = SIZE_MAX };

	add_static(&style, "style.css");
	add_static(&style, "table.css");
	text_str(to, "<!DOCTYPE html>\n<html lang=\"en\"><head>"
		     "<meta charset=\"utf-8\">"
		     "<meta http-equiv=\"Content-Security-Policy\" content=\""
		     "default-src 'none'; base-uri 'none'; form-action 'none'; "
		     "script-src ");
	add_hash(to, report_script, report_script_bytes);
	text_str(to, "; style-src ");
	add_hash(to, style.bytes, style.used);
	text_str(to, "\"><meta name=\"viewport\" content=\""
		     "width=device-width, initial-scale=1\">"
		     "<meta name=\"color-scheme\" content=\"light dark\">"
		     "<title>");
	html_escape(to, report->wish->title, strlen(report->wish->title));
	text_str(to, "</title><style>");
	text_add(to, style.bytes, style.used);
	text_str(to, "</style></head><body class=\"report\">"
		     "<a class=\"skip\" href=\"#main\">Skip to content</a>");
	text_release(&style);
}

static void
write_pictures(struct text *to)
{
	struct text svg = { .max = SIZE_MAX };

	add_static(&svg, "cards.svg");
	text_str(to, "<svg hidden aria-hidden=\"true\" ");
	text_str(to, text_string(&svg) + strlen("<svg "));
	text_release(&svg);
}

static void
write_links(const struct report *report, struct html *html)
{
	const struct html_ladder *ladder = report->wish->ladder;

	html_fmt(html, "<header class='top'><span class='brand'>referee</span>"
		       "<nav aria-label='Ladders'><ul>");
	for (unsigned i = 0; i < report->wish->tournaments; i++)
		html_fmt(html, "<li><a href='#tournament-%s'>%s</a></li>",
			 report->wish->tournament[i].id,
			 report->wish->tournament[i].format);
	for (unsigned i = 0; i < report->wish->ladders; i++)
		html_fmt(html, "<li><a href='#ladder-%s'>%s</a></li>",
			 ladder[i].head.name, ladder[i].head.name);
	html_fmt(html, "</ul></nav></header>");
}

/* Writes what the report is and what it leaves out. */
static void
write_lead(const struct report *report, struct html *html)
{
	const struct report_told *told = report->told;
	char date[DATE_BYTES];

	date_write(report->wish->now, date);
	HTML_LEAF(html, report->wish->title, "h1");
	html_fmt(html,
		 "<p class='lead'>Made by referee " PACKAGE_VERSION
		 " on %.10s. It has %s, the latest of each ladder",
		 date, counted(told->games, "game").text);
	if (told->passed > 0)
		html_fmt(html,
			 "; %s of them cannot be read, or not by everyone yet",
			 counted(told->passed, "more").text);
	html_fmt(html, ".</p>");
}

static int
write_file(struct report *report, struct text *to, struct error *why)
{
	static const struct site site; /* the site around the parts */
	struct html html;
	unsigned i;
	int result = 0;

	write_head(report, to);
	write_pictures(to);
	html_begin(&html, &site, to, "");
	write_links(report, &html);
	HTML_OPEN(&html, "main", "id", "main", "tabindex", "-1");
	write_lead(report, &html);
	for (i = 0; i < report->wish->tournaments; i++)
		write_tournament(report, &report->wish->tournament[i], to);
	for (i = 0; i < report->entries && result == 0 && !to->full; i++)
		result = write_part(report, &report->entry[i], to, why);
	html_close(&html, "main");
	html_end(&html);
	write_data(report, to);
	text_str(to, "<script>");
	text_add(to, report_script, report_script_bytes);
	text_str(to, "</script></body></html>\n");
	return result;
}

int
report_write(const struct report_wish *wish, struct text *to,
	     struct report_told *told, struct error *why)
{
	struct report *report = zeroed(1, sizeof(*report));
	struct tallies *tallies = tallies_new();
	int result;

	*told = (struct report_told){ 0 };
	report->wish = wish;
	report->told = told;
	report->pages = (struct html_wish){ .ladders = wish->ladders,
					    .fit = true,
					    .now = wish->now,
					    .tallies = tallies };
	report->pages.ladder = zeroed(wish->ladders + 1, sizeof(*wish->ladder));
	memcpy(report->pages.ladder, wish->ladder,
	       wish->ladders * sizeof(*wish->ladder));
	result = gather(report, why);
	if (result == 0)
		result = write_file(report, to, why);
	for (unsigned i = 0; i < report->entries; i++)
		for (unsigned j = 0; j < NELEM(embedded); j++)
			text_release(&report->entry[i].data[j]);
	for (unsigned i = 0; i < wish->ladders; i++)
		free(report->found[i].row);
	html_wish_release(&report->pages);
	free(report->entry);
	free(report);
	tallies_free(tallies);
	return result;
}

/* ---- what ladders there are ------------------------------------------- */

struct adding {
	struct report_wish *wish;
	const char *file, *name;
	bool full;
};

static bool
is_taken(const struct report_wish *wish, const char *name)
{
	for (unsigned i = 0; i < wish->ladders; i++)
		if (strcmp(wish->ladder[i].head.name, name) == 0)
			return true;
	return false;
}

/* Sets a ladder's name, with a number added if the ladder has several pools. */
static void
name_it(const struct report_wish *wish, const char *wanted,
	char name[NAME_BYTES + 1])
{
	snprintf(name, NAME_BYTES + 1, "%s", wanted);
	for (unsigned i = 2; is_taken(wish, name); i++)
		snprintf(name, NAME_BYTES + 1, "%.*s-%u", NAME_BYTES - 6,
			 wanted, i);
}

static void
add_pool(void *arg, const struct ladder_pool *pool)
{
	struct adding *adding = arg;
	struct report_wish *wish = adding->wish;
	struct html_ladder *ladder = &wish->ladder[wish->ladders];

	if (wish->ladders == REPORT_LADDERS) {
		adding->full = true;
		return;
	}
	*ladder = (struct html_ladder){ .head.pool = *pool };
	name_it(wish, adding->name == NULL ? pool->game : adding->name,
		ladder->head.name);
	memcpy(ladder->shelf.name, ladder->head.name,
	       sizeof(ladder->shelf.name));
	snprintf(ladder->shelf.shown, sizeof(ladder->shelf.shown), "%s",
		 adding->file);
	snprintf(ladder->shelf.path, sizeof(ladder->shelf.path), "%s",
		 adding->file);
	ladder->head.records = true;
	wish->ladders++;
}

int
report_add_tournaments(struct report_wish *wish, const char *folder,
		       struct error *why)
{
	char id[TOURNAMENTS_LISTED][ID_BYTES + 1], path[LADDER_PATH_BYTES];
	const unsigned files = tournament_files(folder, id);

	for (unsigned i = 0; i < files; i++) {
		if (wish->tournaments == REPORT_TOURNAMENTS)
			return error_set(why, ERROR_INPUT,
					 "a report can have %d tournaments",
					 REPORT_TOURNAMENTS);
		if (!tournament_file_path(folder, id[i], path))
			continue;
		if (tournament_file_read(path,
					 &wish->tournament[wish->tournaments++],
					 why) < 0)
			return -1;
	}
	return 0;
}

void
report_wish_release(struct report_wish *wish)
{
	for (unsigned i = 0; i < wish->tournaments; i++)
		tournament_told_release(&wish->tournament[i]);
	wish->tournaments = 0;
}

int
report_add(struct report_wish *wish, const char *file, const char *name,
	   struct error *why)
{
	struct adding adding = { wish, file, name, false };
	struct ladder *ladder;
	int result;

	if (strlen(file) >= LADDER_PATH_BYTES)
		return error_set(why, ERROR_INPUT, "the path is too long");
	if (ladder_open(file, LADDER_READ, &ladder, why) < 0)
		return -1;
	owner_tell_behind(ladder, file);
	result = ladder_pools(ladder, add_pool, &adding, why);
	ladder_close(ladder);
	if (result == 0 && adding.full)
		return error_set(why, ERROR_INPUT,
				 "a report can have %d ladders or pools; name "
				 "one of them",
				 REPORT_LADDERS);
	return result;
}
