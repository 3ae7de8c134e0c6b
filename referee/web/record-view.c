/* referee/web/record-view.c - see record-view.h. */
#include "referee/web/record-view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/pack.h"
#include "protocol/date.h"
#include "protocol/hidden.h"
#include "protocol/prune.h"
#include "referee/base/json-line.h"
#include "referee/config/serve-config.h"
#include "referee/pages/game.h"
#include "referee/records/frame-json.h"
#include "referee/records/opinion.h"
#include "referee/records/replay-asks.h"
#include "referee/records/replay-frames.h"
#include "referee/records/replay.h"
#include "referee/scheduler/who.h"

#define MINUTE_S 60

/* ---- who may, and when ------------------------------------------------ */

/* Returns true if one of the bots sat there.  A token opens all versions of its
 * bot. */
static bool
sat_there(const struct record *record, const char *bots, int seat)
{
	return bots != NULL && seat >= 0 && (unsigned)seat < record->seats &&
	       who_is_among(bots, record->name[seat]);
}

static bool
sat(const struct record *record, const char *bots)
{
	for (unsigned s = 0; s < record->seats; s++)
		if (sat_there(record, bots, (int)s))
			return true;
	return false;
}

static int
not_yet(int64_t from, char sentence[256])
{
	char date[DATE_BYTES];

	date_write(from, date);
	snprintf(sentence, 256, "this record is readable from %s on", date);
	return 403;
}

bool
record_view_frozen(const struct record_shelf *shelf, int64_t ended)
{
	return shelf->frozen != 0 && ended >= shelf->frozen;
}

bool
record_view_public(const struct record_shelf *shelf)
{
	return shelf->readers != CONFIG_NOBODY;
}

int
record_view_may(const struct record_shelf *shelf,
		const struct record_wish *wish, const struct record *record,
		int64_t ended, char sentence[256])
{
	const int64_t from =
		ended + (int64_t)shelf->read_after_minutes * MINUTE_S;

	if (!record_view_public(shelf)) {
		snprintf(sentence, 256,
			 "the records of this ladder are not public");
		return 403;
	}
	if (record_view_frozen(shelf, ended) && !sat(record, wish->bots)) {
		snprintf(sentence, 256,
			 "the standings are frozen: only bots that sat in this "
			 "game may read it now");
		return 403;
	}
	/* A bot may see again what it has seen already. */
	if (wish->view == VIEW_PUBLIC ||
	    sat_there(record, wish->bots, wish->view))
		return 200;
	if (shelf->readers == CONFIG_PLAYERS && wish->bots == NULL) {
		snprintf(sentence, 256,
			 "send the token of a bot that sat in this game: "
			 "Authorization: Bearer TOKEN and X-Bot: NAME");
		return 401;
	}
	if (shelf->readers == CONFIG_PLAYERS && !sat(record, wish->bots)) {
		snprintf(sentence, 256,
			 "only bots that sat in this game may read its record");
		return 403;
	}
	return wish->now < from ? not_yet(from, sentence) : 200;
}

/* ---- what a viewer reads ---------------------------------------------- */

/* Returns true for the line of the secret, from which all hidden cards could be
 * computed. */
static bool
is_secret(const struct record_line *line)
{
	return strncmp(line->text, "secret ", 7) == 0;
}

static void
add_line(struct text *to, const char *line, size_t n)
{
	text_add(to, line, n);
	text_add(to, "\n", 1);
}

static void
write_header(const struct record *record, struct text *to)
{
	for (unsigned i = 0; i < record->headers; i++)
		if (!is_secret(&record->header[i]))
			add_line(to, record->header[i].text,
				 record->header[i].n);
	add_line(to, "", 0);
}

static int
write_body(const struct replay *replay, int viewer, struct text *to)
{
	char text[LINE_REFEREE_BYTES + 1];
	ssize_t n;

	for (unsigned i = 0; i < replay->lines; i++) {
		if (!replay_visible(&replay->line[i], viewer))
			continue;
		n = replay_text(&replay->line[i], viewer, text);
		if (n < 0)
			return -1;
		add_line(to, text, (size_t)n);
	}
	return 0;
}

static int
write_frames(const struct replay *replay, int viewer, struct text *to)
{
	struct replay_walk *walk = memory(NULL, sizeof(*walk));
	struct frame_table *before = memory(NULL, sizeof(*before));
	json_t *json;
	int result;

	replay_walk_begin(walk, replay, viewer);
	while ((result = replay_walk_next(walk)) > 0 && !to->full) {
		json = frame_json_line(walk);
		JSON_ADD(json,
			 JSON("table",
			      frame_json_table(&walk->frame.table,
					       to->used > 0 ? before : NULL)));
		json_text_line(json, 0, to);
		*before = walk->frame.table;
	}
	free(before);
	free(walk);
	return result < 0 ? -1 : 0;
}

int
record_view_write(const struct record *record, enum record_form form,
		  int viewer, struct text *to)
{
	struct verdict verdict;
	struct replay replay;
	int result;

	if (replay_init(&replay, record, false, &verdict) < 0)
		return -1;
	if (form == RECORD_FRAMES) {
		result = write_frames(&replay, viewer, to);
	} else {
		write_header(record, to);
		result = write_body(&replay, viewer, to);
	}
	replay_release(&replay);
	return result;
}

/* ---- where it is ------------------------------------------------------ */

static void PRINTF_LIKE(3, 4)
	refuse(struct record_found *found, int code, const char *fmt, ...)
{
	va_list ap;

	found->code = code;
	va_start(ap, fmt);
	vsnprintf(found->sentence, sizeof(found->sentence), fmt, ap);
	va_end(ap);
}

static void PRINTF_LIKE(2, 3)
	trouble(struct record_found *found, const char *fmt, ...)
{
	va_list ap;

	refuse(found, 503, "cannot read the record now; try again later");
	va_start(ap, fmt);
	error_vset(&found->why, ERROR_INPUT, fmt, ap);
	va_end(ap);
}

/* Finds the record of an aborted game, which is not on the ladder and has
 * another name.  Only games that are over have one. */
static bool
find_aborted(const struct record_shelf *shelf, const char *id,
	     char path[LADDER_PATH_BYTES])
{
	const char *slash = strrchr(shelf->path, '/');
	int n = slash == NULL ? 0 : (int)(slash - shelf->path + 1);

	return snprintf(path, LADDER_PATH_BYTES, "%.*srecords/%s.rec", n,
			shelf->path, id) < LADDER_PATH_BYTES &&
	       access(path, F_OK) == 0;
}

/* Finds a game.  Returns LADDER_FOUND and the path of its record ("" if there
 * is none), 0 if the game is not there, or -1 and an error. */
static int
find_record(const struct record_shelf *shelf, const char *id,
	    char path[LADDER_PATH_BYTES], struct error *why)
{
	struct ladder *ladder = NULL;
	struct ladder_game game;
	int result;

	if (shelf->wrote[0] != '\0') {
		snprintf(path, LADDER_PATH_BYTES, "%s", shelf->path);
		return LADDER_FOUND;
	}
	result = ladder_open(shelf->path, LADDER_READ, &ladder, why);
	if (result == 0)
		result = ladder_game_find(ladder, id, &game, why);
	if (result == LADDER_FOUND &&
	    ladder_game_path(ladder, &game, path, why) < 0)
		result = -1;
	ladder_close(ladder);
	if (result == 0 && find_aborted(shelf, id, path))
		result = LADDER_FOUND;
	return result;
}

/* ---- reading it ------------------------------------------------------- */

/* The place of a record. */
struct kept {
	const char *path; /* may lead into a pack */
	struct pack_cache cache;
};

/* Reads a text of bounded size.  Returns 0, or -1 and what is wrong. */
static int
read_text(struct kept *kept, struct record_found *found)
{
	int result;

	text_init(&found->text, SERVE_RECORD_BYTES);
	result = packed_load_regular(&kept->cache, kept->path, &found->text);
	if (found->text.full)
		refuse(found, 503, "the record is too large to send");
	else if (result < 0 && errno == ENOENT)
		refuse(found, 410, "the record of this game is gone");
	else if (result < 0)
		trouble(found, "cannot read %s: %s", kept->path,
			errno == EBADMSG ? "the pack is damaged"
					 : strerror(errno));
	return result < 0 || found->text.full ? -1 : 0;
}

/* Returns true if the client of `wish` may see that view. */
static bool
may_see(const struct record_shelf *shelf, struct record_wish wish,
	const struct record *record, int64_t ended, int view)
{
	char sentence[256];

	wish.view = view;
	return record_view_may(shelf, &wish, record, ended, sentence) == 200;
}

/* ---- opinions --------------------------------------------------------- */

/* Writes the program's input if opinions were not asked for yet. */
static int
write_input(const struct record_wish *wish, const struct record *record,
	    struct record_found *found)
{
	struct verdict verdict;
	struct replay replay;
	int result;

	if (wish->opinions != OPINION_NONE)
		return 0;
	if (replay_init(&replay, record, true, &verdict) < 0)
		return -1;
	text_init(&found->input, SIZE_MAX);
	result = opinion_input(&replay, (unsigned)wish->view, &found->input);
	found->sat = sat(record, wish->bots);
	replay_release(&replay);
	return result;
}

/* Reads the opinions that are there into `of`, which the caller releases. */
static void
fill_opinions_of(const struct record_wish *wish, struct game_view *view,
		 struct opinions of[SEATS_MAX])
{
	const struct text *text;
	struct error why;

	for (unsigned s = 0; s < SEATS_MAX; s++) {
		of[s] = (struct opinions){ 0 };
		text = wish->opinions_of[s];
		if (text != NULL &&
		    opinions_read(text->bytes, text->used, &of[s], &why) == 0)
			view->opinion.of[s] = &of[s];
	}
}

static int
write_opinions(const struct record_wish *wish, struct text *to)
{
	const struct text *text = wish->opinions_text;
	struct opinions opinions;
	struct error why;

	if (opinions_read(text->bytes, text->used, &opinions, &why) < 0)
		return -1;
	opinions_json(&opinions, to);
	opinions_release(&opinions);
	return 0;
}

static void
show_opinions(const struct record_wish *wish, const struct record *record,
	      struct record_found *found)
{
	if (wish->opinions == OPINION_OFF)
		refuse(found, 404,
		       "there are no opinions here: the configuration names no "
		       "program that has any");
	else if (wish->view < 0)
		refuse(found, 400,
		       "expected view=SEAT: an opinion is about what one seat "
		       "knew");
	else if (wish->opinions == OPINION_FAILED)
		refuse(found, 503,
		       "the program of opinions has failed; try again in some "
		       "minutes");
	else if (wish->opinions == OPINION_READY)
		found->code =
			write_opinions(wish, &found->text) < 0 ? 503 : 200;
	else if (write_input(wish, record, found) < 0)
		trouble(found, "the record of %s cannot be played again",
			wish->id);
	else
		found->code = 202;
}

/* ---- the forms -------------------------------------------------------- */

/* A view that was asked for but that the page does not show. */
struct refused {
	const char *why; /* NULL: not named, or shown */
	int view;
	char sentence[256];
};

/* Marks as gone what the reader's own bots wrote and the daemon has dropped.
 * The page says nothing about what other authors' bots wrote. */
static const struct replay_wrote *
fill_wrote(const struct record_wish *wish, const struct record *record,
	   struct replay_wrote wrote[SEATS_MAX])
{
	if (wish->wrote == NULL)
		return NULL;
	for (unsigned s = 0; s < SEATS_MAX; s++) {
		wrote[s] = (struct replay_wrote){ .bytes = NULL };
		if (!sat_there(record, wish->bots, (int)s))
			continue;
		wrote[s] = wish->wrote[s];
		wrote[s].gone = wrote[s].bytes == NULL;
	}
	return wrote;
}

static int
write_page(const struct record_shelf *shelf, const struct record_wish *wish,
	   struct kept *kept, const struct record *record, int64_t ended,
	   const struct refused *refused, struct text *to)
{
	char ladder[NAME_BYTES + 1];
	struct game_view view = { .record = record,
				  .ladder = ladder,
				  .viewer = wish->view,
				  .refused = refused->why,
				  .wanted = refused->view,
				  .at = wish->at,
				  .trial = shelf->wrote[0] != '\0' };
	const bool part = wish->site->part != NULL;
	struct opinions of[SEATS_MAX];
	struct replay_wrote wrote[SEATS_MAX], filed[SEATS_MAX] = { 0 };
	struct record_wish own = *wish;
	struct asks asks;
	struct error why;
	int result;

	snprintf(ladder, sizeof(ladder), "%s", shelf->name);
	for (unsigned s = 0; s < record->seats && !part; s++)
		view.seat[s] = may_see(shelf, *wish, record, ended, (int)s);
	view.all = part ? wish->view == VIEW_ALL
			: may_see(shelf, *wish, record, ended, VIEW_ALL);
	view.opinion.offered = wish->opinions != OPINION_OFF;
	view.opinion.known = wish->opinions == OPINION_READY;
	fill_opinions_of(wish, &view, of);
	/* A damaged file gives fewer times. */
	(void)!replay_asks_read(&kept->cache, kept->path, record, &asks, &why);
	if (shelf->wrote[0] != '\0') {
		/* Most programs write nothing, and have no file then. */
		(void)!replay_wrote_read(shelf->wrote, kept->path, record,
					 filed, &why);
		own.wrote = filed;
	}
	view.decision = (struct decision_view){ &asks, fill_wrote(&own, record,
								  wrote) };
	result = game_page(wish->site, &view, to);
	replay_wrote_forget(filed);
	asks_forget(&asks);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		opinions_release(&of[s]);
	return result;
}

static const char *
write_asks(const struct record_wish *wish, struct kept *kept,
	   const struct record *record, struct text *to)
{
	struct asks asks;
	struct error why;
	const char *state = "whole";
	unsigned own = 0;

	for (unsigned s = 0; s < record->seats; s++)
		own |= (unsigned)sat_there(record, wish->bots, (int)s) << s;

	if (replay_asks_read(&kept->cache, kept->path, record, &asks, &why) < 0)
		state = "damaged";
	else if (asks.id[0] == '\0')
		state = "missing";
	replay_asks_write(&asks, wish->view, own, to);
	asks_forget(&asks);
	return state;
}

static int
write_form(const struct record_shelf *shelf, const struct record_wish *wish,
	   struct kept *kept, const struct record *record, int64_t ended,
	   const struct refused *refused, struct record_found *found)
{
	struct text *to = &found->text;

	if (wish->form == RECORD_PAGE)
		return write_page(shelf, wish, kept, record, ended, refused,
				  to);
	if (wish->form != RECORD_ASKS)
		return record_view_write(record, wish->form, wish->view, to);
	found->asks = write_asks(wish, kept, record, to);
	return 0;
}

/* Takes the public view in place of one that may not be seen, so that the page
 * behind a link can say so.  The public view may be refused, too. */
static void
step_back(const struct record_shelf *shelf, struct record_wish *wish,
	  const struct record *record, int64_t ended, struct refused *refused)
{
	int code;

	if (wish->form != RECORD_PAGE || wish->view == VIEW_PUBLIC ||
	    wish->view >= (int)record->seats)
		return;
	code = record_view_may(shelf, wish, record, ended, refused->sentence);
	if (code == 200)
		return;
	if (code == 401)
		snprintf(refused->sentence, sizeof(refused->sentence),
			 "it is for authors of bots that sat here, who paste "
			 "the token on the page of their bot and come here "
			 "again");
	if (wish->named)
		refused->why = refused->sentence;
	refused->view = wish->view;
	wish->view = VIEW_PUBLIC;
}

static void
show(const struct record_shelf *shelf, struct record_wish wish,
     struct kept *kept, const struct record *record, struct record_found *found)
{
	const int64_t ended = date_read(record_header(record, "ended"));
	struct refused refused = { .why = NULL };
	unsigned char hash[RECORD_HASH_BYTES];

	if (ended < 0) {
		trouble(found, "the record of %s does not say when it ended",
			wish.id);
		return;
	}
	step_back(shelf, &wish, record, ended, &refused);
	found->code =
		record_view_may(shelf, &wish, record, ended, found->sentence);
	if (found->code != 200)
		return;
	if (wish.view >= (int)record->seats) {
		refuse(found, 404, "this table has no seat %d", wish.view);
		return;
	}
	found->state = record_pruned(record, hash) ? "pruned" : "whole";
	if (record->aborted != NULL)
		found->state = "aborted";
	if (wish.view == VIEW_ALL && wish.form == RECORD_TEXT)
		return;
	if (wish.form == RECORD_OPINIONS &&
	    strcmp(found->state, "pruned") == 0) {
		refuse(found, 410, "only the result of this game is left");
		return;
	}
	text_release(&found->text);
	text_init(&found->text, wish.form == RECORD_TEXT ? SERVE_RECORD_BYTES
							 : SERVE_FRAMES_BYTES);
	if (wish.form == RECORD_OPINIONS) {
		show_opinions(&wish, record, found);
		return;
	}
	if (write_form(shelf, &wish, kept, record, ended, &refused, found) < 0)
		trouble(found, "the record of %s has a line out of order",
			wish.id);
	else if (found->text.full)
		refuse(found, 503, "the game is too long to send");
}

static void
read_record(const struct record_shelf *shelf, const struct record_wish *wish,
	    const char *path, struct record_found *found)
{
	struct kept kept = { .path = path };
	struct error why;
	struct record *record;

	if (path[0] == '\0') {
		refuse(found, 410, "the record of this game is gone");
	} else if (read_text(&kept, found) < 0) {
		;
	} else if (record_parse(found->text.bytes, found->text.used, &record,
				&why) < 0) {
		trouble(found, "%s: %s", path, why.text);
	} else {
		show(shelf, *wish, &kept, record, found);
		record_free(record);
	}
	pack_cache_release(&kept.cache);
}

void
record_view_read(const struct record_shelf shelf[], unsigned shelves,
		 const struct record_wish *wish, struct record_found *found)
{
	char path[LADDER_PATH_BYTES];
	struct error why;
	int result;

	memset(found, 0, sizeof(*found));
	refuse(found, 404, "no finished game has this ID");
	for (unsigned i = 0; i < shelves; i++) {
		result = find_record(&shelf[i], wish->id, path, &why);
		if (result == LADDER_FOUND) {
			read_record(&shelf[i], wish, path, found);
			break;
		}
		if (result < 0) /* another shelf may have it */
			trouble(found, "%s", why.text);
	}
	if (found->code != 200)
		text_release(&found->text);
	if (found->code != 200 && found->code != 202)
		text_release(&found->input);
}
