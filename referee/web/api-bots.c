/* referee/web/api-bots.c - see api-bots.h. */
#include "referee/web/api-bots.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/roster-owner.h"
#include "protocol/date.h"
#include "protocol/file.h"
#include "protocol/message.h"
#include "referee/base/json-line.h"
#include "referee/base/serve-limits.h"
#include "referee/import/files.h"
#include "referee/import/import-add.h"
#include "referee/import/import.h"
#include "referee/import/incoming.h"
#include "referee/scheduler/who.h"
#include "referee/web/api-owners.h"
#include "referee/web/page-ask.h"
#include "referee/web/trials.h"

#define FAILED_BYTES 1024 /* of a sentence that says why an upload failed */
#define WISH_BYTES 80	  /* of one that says what is wrong with a trial */

_Static_assert(UPLOAD_FROM_BYTES == HTTP_SENDER_BYTES, "an address fits");
/* A control character is 5 bytes of JSON: two backslashes and `x01`. */
_Static_assert(5 * GAME_NOTES_A_BOT * GAME_NOTE_BYTES + GAME_NOTES_TOLD_BYTES <=
		       GAME_NOTES_JSON_BYTES,
	       "all notes of a bot and its imports fit");

/* ---- an upload ------------------------------------------------------ */

/* These functions return true, or refuse the request and return false. */

static bool
goes_on(const struct pages *pages, struct http_request *request)
{
	return !*pages->stopping || http_refuse(request, 503, PAGE_STOPPING);
}

/* Says if the bot may be sent in now. */
static bool
may_send(struct pages *pages, struct http_request *request, const char *name,
	 struct roster_bot *bot)
{
	who_look_up(pages->roster, name, bot);
	if (bot->number == 0)
		return http_refuse(request, 503,
				   "the referee cannot look up the bot now; "
				   "try again later");
	if (bot->state != ROSTER_ENABLED)
		return http_refuse(request, 403, api_owners_off(bot));
	return import_has_room(pages->config->data) ||
	       http_refuse(request, 507, IMPORT_NO_ROOM);
}

/* Counts something of an owner today; what cannot be counted is passed over. */
static void
add_count(struct pages *pages, enum roster_kind kind, const char *owner,
	  int64_t more)
{
	struct error ignored;

	if (owner[0] != '\0' && more != 0)
		(void)!roster_add_count(pages->roster, kind, owner,
					roster_today(), more, &ignored);
}

/* Says if the owner, if there is one, may send in another bot today.  `count` is how
 * many he has sent, `ms` how long they came. */
static bool
owner_may_send(struct pages *pages, struct http_request *request,
	       const struct roster_bot *bot, int64_t *count, int64_t *ms)
{
	const int64_t day = roster_today();
	struct error why;

	*count = *ms = 0;
	if (bot->owner[0] != '\0' &&
	    (roster_count(pages->roster, ROSTER_UPLOADS, bot->owner, day, count,
			  &why) != 0 ||
	     roster_count(pages->roster, ROSTER_BODY_TIME, bot->owner, day, ms,
			  &why) != 0))
		return http_refuse(request, 503,
				   "the referee cannot count uploads now; try "
				   "again later");
	return (uint64_t)*count < pages->config->limits.owner_uploads ||
	       page_refuse_today(
		       request,
		       "your owner has uploaded as many bots today as the "
		       "limit allows; try again tomorrow (UTC)");
}

/* ---- what a trial is to be ------------------------------------------- */

static bool
has_trials(const struct pages *pages)
{
	return pages->coordinator == NULL &&
	       pages->config->limits.trial_games > 0;
}

json_t *
api_bots_trial_ladders(const struct pages *pages)
{
	json_t *names = json_array();
	struct scheduler *scheduler;

	LADDERS_EACH (pages->ladders, scheduler, i)
		if (has_trials(pages))
			json_array_append_new(
				names, json_string(scheduler_name(scheduler)));
	return names;
}

/* Refuses the request, and says how many opponents a trial may have. */
static bool
too_many(struct http_request *request, unsigned most)
{
	char sentence[WISH_BYTES];

	snprintf(sentence, sizeof(sentence),
		 "the table has %u other seat%s: name %s%u opponent%s", most,
		 most == 1 ? "" : "s", most == 1 ? "" : "at most ", most,
		 most == 1 ? "" : "s");
	return http_refuse(request, 400, sentence);
}

/* Adds the opponents that the author names, or refuses the request. */
static bool
add_named(const struct pages *pages, struct http_request *request, char *names,
	  unsigned most, struct trial_wish *wish)
{
	const char *name, *builtin;

	while ((name = strsep(&names, ",")) != NULL) {
		builtin = message_builtin(name);
		name = builtin != NULL ? builtin : name;
		if (!trials_have_opponent(pages, name))
			return http_refuse(
				request, 400,
				"an opponent must be a bot of this machine, "
				"random or house");
		if (wish->opponents == most)
			return too_many(request, most);
		snprintf(wish->opponent[wish->opponents++], NAME_BYTES + 1,
			 "%s", name);
	}
	return true;
}

/* Reads what the author of the bot wants, or refuses the request. */
static bool
read_wish(const struct pages *pages, struct http_request *request,
	  const char *own, struct trial_wish *wish)
{
	char wanted[12], against[SEATS_MAX * (NAME_BYTES + 1)];
	uint64_t number = 0;
	unsigned most;
	int place, named;

	memset(wish, 0, sizeof(*wish));
	if (!has_trials(pages))
		return http_refuse(request, 409, "this referee has no trials");
	if (http_query(request, "games", wanted, sizeof(wanted)) != 1 ||
	    message_number(wanted, strlen(wanted), SERVE_TRIAL_GAMES, &number) <
		    0 ||
	    number == 0)
		return http_refuse(request, 400,
				   "expected ?games=N, from 1 to 200");
	if (http_query(request, "ladder", wish->ladder, sizeof(wish->ladder)) !=
		    1 ||
	    (place = ladders_find(pages->ladders, wish->ladder)) < 0)
		return http_refuse(
			request, 400,
			"expected ?ladder=NAME, of a ladder of this referee");
	most = scheduler_setup(pages->ladders->scheduler[place])->setup.seats -
	       1u;
	/* So many games a match plays: each bot sits once in each seat. */
	wish->games = (unsigned)number + most;
	if (wish->games > SERVE_TRIAL_GAMES)
		wish->games = SERVE_TRIAL_GAMES;
	wish->games -= wish->games % (most + 1);
	named = http_query(request, "against", against, sizeof(against));
	if (named < 0)
		return http_refuse(request, 400,
				   "expected one ?against=BOT,BOT");
	if (named == 1 && !add_named(pages, request, against, most, wish))
		return false;
	while (wish->opponents < most)
		trials_draw(pages, own, wish->opponents++, wish);
	return true;
}

/* Says if the owner, or a bot without one, may play so many games of trials today. */
static bool
may_play(struct pages *pages, struct http_request *request,
	 const struct roster_bot *bot, unsigned more)
{
	char who[TRIALS_WHO_BYTES];
	struct error why;
	int64_t count;

	trials_who(bot, who);
	if (roster_count(pages->roster, ROSTER_TRIALS, who, roster_today(),
			 &count, &why) < 0)
		return http_refuse(
			request, 503,
			"the referee cannot count games now; try again later");
	return (uint64_t)count + more <= pages->config->limits.trial_games ||
	       page_refuse_today(
		       request, "these are more games of trials than the limit "
				"allows for a day; try again tomorrow (UTC)");
}

void
api_bots_trial(struct pages *pages, struct http_request *request,
	       const struct page_path *names)
{
	struct roster_bot bot;
	struct text text = { .max = SIZE_MAX };
	json_t *told;

	who_look_up(pages->roster, names->name[0], &bot);
	told = trials_tell(pages->trials, bot.number);
	if (told == NULL) {
		http_refuse(request, 404, "this bot has no trial");
		return;
	}
	json_text_line(told, 9, &text);
	page_send(request, 200, PAGE_JSON, &text);
}

/* ---- taking it ------------------------------------------------------- */

/* Says which upload that of this bot has replaced, if it has. */
static void
add_replaced(const struct pages *pages, int64_t bot, struct text *to)
{
	const char *replaced = uploads_replaced(pages->uploads, bot);

	if (replaced != NULL)
		text_fmt(to,
			 "It replaced the upload of %s that waited, which is "
			 "not imported.\n",
			 replaced);
}

static const char trials_full[] =
	"as many trials wait as this referee takes; try again later";

/* Says if an archive would find a place now, whose owner has sent in so many today with
 * it. */
static bool
has_place(struct pages *pages, struct http_request *request, bool trial,
	  const struct roster_bot *bot, int64_t sent)
{
	char from[HTTP_SENDER_BYTES];
	const char *wrong;

	http_who(request, from);
	wrong = trial && !trials_may_wish(pages->trials, bot)
			? trials_full
			: uploads_full(pages->uploads, bot, from, sent);
	return wrong == NULL || http_refuse(request, 429, wrong);
}

/* Takes an archive, for a trial unless `wish` is NULL, or refuses the request.  One
 * that finds no place any more does not count. */
static bool
take(struct pages *pages, struct http_request *request, const char *name,
     const struct trial_wish *wish, const char *bytes, size_t n,
     struct roster_bot *bot)
{
	struct upload_sender sender;
	const char *wrong;

	if (n == 0)
		return http_refuse(request, 400, "expected an archive, tar.gz");
	if (!may_send(pages, request, name, bot))
		return false;
	if (wish != NULL && !may_play(pages, request, bot, wish->games))
		return false;
	page_by(request, bot->name, sender.by);
	http_who(request, sender.from);
	wrong = wish != NULL && !trials_may_wish(pages->trials, bot)
			? trials_full
			: uploads_take(pages->uploads, bot, &sender,
				       wish != NULL, bytes, n);
	if (wrong != NULL) {
		add_count(pages, ROSTER_UPLOADS, bot->owner, -1);
		return http_refuse(request, 429, wrong);
	}
	if (wish != NULL)
		trials_wish(pages->trials, bot, wish);
	else
		trials_drop(pages->trials, bot->number);
	return true;
}

/* Takes the archive that the bot in X-Bot has sent for itself, as
 * page_is_owner() has checked. */
static void
take_archive(struct pages *pages, struct http_request *request, bool trial,
	     const char *bytes, size_t n)
{
	char name[NAME_BYTES + 1], path[NAME_BYTES + 32];
	struct trial_wish wish;
	struct roster_bot bot;
	struct text text = { .max = SIZE_MAX };

	if (http_header(request, "X-Bot", name, sizeof(name)) != 1)
		bug("an upload without a bot");
	who_look_up(pages->roster, name, &bot);
	if (!goes_on(pages, request) ||
	    (trial && !read_wish(pages, request, bot.name, &wish)) ||
	    !take(pages, request, name, trial ? &wish : NULL, bytes, n, &bot))
		return;
	snprintf(path, sizeof(path), "%sapi/1/bots/%s/%s",
		 trial ? "../../" : "../", bot.name, trial ? "trial" : "log");
	text_fmt(&text, "see %s\n", strstr(path, "/api"));
	add_replaced(pages, bot.number, &text);
	log_event(pages->logger, LOG_LEVEL_INFO, "upload", "bot=%s", bot.name);
	http_add_header(request, "Location", path);
	page_send(request, 202, PAGE_PLAIN, &text);
}

static void
on_archive(void *arg, struct http_request *request, const char *bytes, size_t n)
{
	take_archive(arg, request, false, bytes, n);
}

static void
on_trial(void *arg, struct http_request *request, const char *bytes, size_t n)
{
	take_archive(arg, request, true, bytes, n);
}

static void
on_left(void *arg, const char *owner, uint64_t us)
{
	add_count(arg, ROSTER_BODY_TIME, owner, (int64_t)(us / 1000));
}

/* Counts an upload when it begins, so that one that never ends counts, too.  One that
 * would find no place does not begin. */
void
api_bots_put(struct pages *pages, struct http_request *request,
	     const struct page_path *names)
{
	const bool trial = names->what == API_BOTS_TRIAL;
	struct trial_wish wish;
	struct roster_bot bot;
	int64_t count, ms;

	if (!goes_on(pages, request) ||
	    !may_send(pages, request, names->name[0], &bot) ||
	    !owner_may_send(pages, request, &bot, &count, &ms) ||
	    (trial && (!read_wish(pages, request, bot.name, &wish) ||
		       !may_play(pages, request, &bot, wish.games))) ||
	    !has_place(pages, request, trial, &bot, count + 1) ||
	    !http_expect_body(request, bot.owner, (uint64_t)ms * 1000))
		return;
	add_count(pages, ROSTER_UPLOADS, bot.owner, 1);
	http_read_body(request, trial ? on_trial : on_archive, on_left, pages);
}

/* ---- why it plays nowhere ---------------------------------------- */

void
api_bots_why(const struct pages *pages, const char *name,
	     char why[API_BOTS_WHY_BYTES])
{
	const char *refused = local_bots_refused(pages->locals, name);
	struct roster_bot bot;

	why[0] = '\0';
	who_look_up(pages->roster, name, &bot);
	if (bot.number != 0 && bot.state == ROSTER_DELETED)
		snprintf(why, API_BOTS_WHY_BYTES,
			 "the organiser has removed it");
	else if (bot.number != 0 && bot.state == ROSTER_WITHDRAWN)
		snprintf(why, API_BOTS_WHY_BYTES, "its owner has withdrawn it");
	else if (bot.number != 0 && bot.state != ROSTER_ENABLED)
		snprintf(why, API_BOTS_WHY_BYTES,
			 "the organiser has disabled it%s%s",
			 bot.reason[0] != '\0' ? ": " : "", bot.reason);
	else if (refused != NULL)
		snprintf(why, API_BOTS_WHY_BYTES,
			 "this daemon does not take its program: %s", refused);
}

void
api_bots_why_version(const struct pages *pages, const char *stands_as,
		     char why[API_BOTS_WHY_BYTES])
{
	struct roster_entry last;
	struct roster_bot bot;
	struct error ignored;

	why[0] = '\0';
	if (roster_find_version(pages->roster, stands_as, &bot, &ignored) ==
		    0 &&
	    roster_entry_of(pages->roster, bot.number, &last, &ignored) ==
		    LADDER_FOUND &&
	    strcmp(last.stands_as, stands_as) != 0)
		snprintf(why, API_BOTS_WHY_BYTES,
			 "another version, %s, has its place", last.stands_as);
}

/* ---- the log ----------------------------------------------------- */

static void
tell_suspensions(const struct pages *pages, const char *name, struct text *out)
{
	char first[NAME_BYTES + 1];
	struct scheduler *scheduler;
	struct scheduler_bot bot;

	who_stands_as(pages->roster, name, first);
	LADDERS_EACH (pages->ladders, scheduler, i)
		if (scheduler_bots_tell(scheduler_bots(scheduler), first,
					&bot) &&
		    bot.suspension[0] != '\0')
			text_fmt(out, "On the ladder %s: %s\n",
				 scheduler_name(scheduler), bot.suspension);
}

void
api_bots_tell(const struct pages *pages, const char *name, struct text *out)
{
	char first[NAME_BYTES + 1];

	tell_suspensions(pages, name, out);
	who_first_name(pages->roster, name, first);
	game_notes_tell(pages->notes, first, out);
}

struct log_ask {
	struct page_ask ask; /* first */
	char data[CONFIG_PATH_BYTES + 1];
	int64_t bot; /* its number */
	char hash[ROSTER_CONTENT_BYTES + 1], stands_as[NAME_BYTES + 1];
	struct text heard;
	struct game_note *game;
	unsigned games;
	json_t *notes; /* of the answer as JSON; owned */
};

struct game_note {
	char id[ID_BYTES + 1];
	unsigned seat;
	char *told;		  /* owned */
	struct game_wrote *wrote; /* kept; NULL: nothing */
};

static json_t *
escaped(const char *bytes, size_t n)
{
	struct text to = { .max = SIZE_MAX };
	json_t *json;

	import_add_escaped(&to, bytes, n);
	json = json_string(text_string(&to));
	text_release(&to);
	return json;
}

json_t *
api_bots_failed_upload(const char *data, int64_t bot)
{
	char path[IMPORT_PATH_BYTES], at[DATE_BYTES], first[FAILED_BYTES];
	const size_t n = strlen(UPLOAD_FAILED);
	struct text why = { .max = SIZE_MAX };
	struct stat st;
	json_t *failed;

	import_upload_path(data, bot, path);
	if (file_peek(first, sizeof(first), "%s", path) <= 0 ||
	    strncmp(first, UPLOAD_FAILED, n) != 0 || stat(path, &st) < 0)
		return NULL;
	date_write(st.st_mtime, at);
	text_add_escaped(&why, first + n, strcspn(first + n, "\n"), false);
	if (why.used > 0 && why.bytes[why.used - 1] == '.')
		why.used--;
	failed = JSON_OBJECT(TEXT("at", at), TEXT("why", text_string(&why)));
	text_release(&why);
	return failed;
}

static json_t *
note_object(const struct game_note *game)
{
	const struct game_wrote *wrote = game->wrote;

	return JSON_OBJECT(
		TEXT("id", game->id), INT("seat", game->seat),
		JSON("told", escaped(game->told, strlen(game->told))),
		JSON("stderr", wrote == NULL ? json_string("")
					     : escaped(wrote->bytes, wrote->n)),
		INT("stderr_from",
		    wrote == NULL ? 0 : (json_int_t)wrote->from));
}

static void
read_notes(struct page_ask *ask)
{
	struct log_ask *log = (struct log_ask *)ask;
	json_t *all = json_array();
	struct text imports = { .max = GAME_NOTES_TOLD_BYTES };

	import_add_logs(log->data, log->bot, log->hash, log->stands_as,
			&imports);
	for (unsigned i = 0; i < log->games; i++)
		json_array_append_new(all, note_object(&log->game[i]));
	JSON_ADD(log->notes, JSON("games", all),
		 TEXT("imports", text_string(&imports)),
		 JSON_IF("failed_upload",
			 api_bots_failed_upload(log->data, log->bot)));
	text_release(&imports);
	json_text(log->notes, 7, &ask->text);
	log->notes = NULL;
}

static void
read_log(struct page_ask *ask)
{
	struct log_ask *log = (struct log_ask *)ask;
	const struct game_note *game;

	for (game = log->game; game < log->game + log->games; game++)
		game_note_tell(game->id, game->seat, game->told, game->wrote,
			       &log->heard);
	import_add_logs(log->data, log->bot, log->hash, log->stands_as,
			&ask->text);
	import_add_escaped(&ask->text, log->heard.bytes, log->heard.used);
}

static void
release(struct page_ask *ask)
{
	struct log_ask *log = (struct log_ask *)ask;

	text_release(&log->heard);
	json_decref(log->notes);
	while (log->games > 0) {
		free(log->game[--log->games].told);
		game_wrote_drop(log->game[log->games].wrote);
	}
	free(log->game);
}

static const struct page_maker log_maker = {
	.type = PAGE_PLAIN,
	.most = GAME_NOTES_TOLD_BYTES,
	.make = read_log,
	.release = release,
};

static const struct page_maker notes_maker = {
	.type = PAGE_JSON,
	.most = GAME_NOTES_JSON_BYTES,
	.make = read_notes,
	.release = release,
};

static void
add_note(void *arg, const char *id, unsigned seat, const char *sentences,
	 struct game_wrote *wrote)
{
	struct log_ask *log = arg;
	struct game_note *game = ADDED(log->game, log->games);

	snprintf(game->id, sizeof(game->id), "%s", id);
	game->seat = seat;
	game->told = copied(sentences);
	game->wrote = game_wrote_keep(wrote);
}

/* Finds the bot as it is called now, which page_is_owner() has found, the notes of its
 * games, and what of its log is in files.  Returns NULL if the request is refused,
 * because too many large answers are under way. */
static struct log_ask *
begin(struct pages *pages, struct http_request *request,
      const struct page_path *names, const struct page_maker *maker,
      struct roster_bot *bot)
{
	struct roster_entry entry = { .number = 0 };
	char first[NAME_BYTES + 1];
	struct log_ask *log;

	who_look_up(pages->roster, names->name[0], bot);
	who_first_name(pages->roster, bot->name, first);
	if (game_notes_bytes(pages->notes, first) > GAME_NOTES_LARGE_BYTES &&
	    !http_expect_large(request)) {
		http_refuse(request, 429,
			    "too many records and long notes are being read; "
			    "try again later");
		return NULL;
	}
	log = page_ask_new(pages, request, sizeof(*log), maker);
	game_notes_each(pages->notes, first, add_note, log);
	memcpy(log->data, pages->config->data, sizeof(log->data));
	log->bot = bot->number;
	text_init(&log->heard, GAME_NOTES_TOLD_BYTES);
	if (who_is_local(pages->roster, bot->name, &entry)) {
		memcpy(log->hash, entry.hash, sizeof(log->hash));
		memcpy(log->stands_as, entry.stands_as, sizeof(log->stands_as));
	}
	return log;
}

void
api_bots_log(struct pages *pages, struct http_request *request,
	     const struct page_path *names)
{
	struct roster_bot bot;
	struct log_ask *log = begin(pages, request, names, &log_maker, &bot);
	int place;

	if (log == NULL)
		return;
	place = uploads_place(pages->uploads, log->bot);
	if (place == 0)
		text_str(&log->ask.text, "An upload is being imported now.\n");
	else if (place > 0)
		text_fmt(&log->ask.text, "An upload waits: %d %s before it.\n",
			 place, place == 1 ? "comes" : "come");
	add_replaced(pages, log->bot, &log->ask.text);
	tell_suspensions(pages, bot.name, &log->heard);
	page_ask_send(&log->ask);
}

/* ---- the same as JSON -------------------------------------------------- */

static void
add_entry(void *arg, const struct roster_entry *entry)
{
	json_array_append_new(arg, json_string(entry->stands_as));
}

struct versions {
	json_t *json;
	const char *data;
};

/* Adds a version whose program is kept; the first one is the one that plays. */
static void
add_version(void *arg, const struct roster_entry *entry)
{
	const struct versions *versions = arg;
	char path[IMPORT_PATH_BYTES];

	import_path(versions->data, entry->hash, "", path);
	if (json_array_size(versions->json) < SERVE_VERSIONS_KEPT &&
	    access(path, F_OK) == 0)
		JSON_PUSH(versions->json, INT("number", entry->number),
			  TEXT("plays_as", entry->stands_as),
			  TEXT_SOME("version", entry->version));
}

/* Lists the names that records use for the bot: those of its versions, or its
 * first name if it has no versions. */
static json_t *
list_names(struct pages *pages, const struct log_ask *log, const char *first)
{
	json_t *names = json_array();
	struct error why;

	(void)!roster_entries_of(pages->roster, log->bot, add_entry, names,
				 &why);
	if (json_array_size(names) == 0)
		json_array_append_new(names, json_string(first));
	return names;
}

void
api_bots_notes(struct pages *pages, struct http_request *request,
	       const struct page_path *names)
{
	struct roster_bot own;
	struct log_ask *log = begin(pages, request, names, &notes_maker, &own);
	struct versions versions;
	struct scheduler *scheduler;
	struct scheduler_bot bot;
	char first[NAME_BYTES + 1];
	json_t *suspensions;
	struct error why;
	int place;

	if (log == NULL)
		return;
	place = uploads_place(pages->uploads, log->bot);
	versions = (struct versions){ json_array(), log->data };
	suspensions = json_array();
	if (log->hash[0] != '\0')
		(void)!roster_entries_of(pages->roster, log->bot, add_version,
					 &versions, &why);

	who_stands_as(pages->roster, own.name, first);
	LADDERS_EACH (pages->ladders, scheduler, i)
		if (scheduler_bots_tell(scheduler_bots(scheduler), first,
					&bot) &&
		    bot.suspension[0] != '\0')
			JSON_PUSH(suspensions,
				  TEXT("ladder", scheduler_name(scheduler)),
				  BOOL("now", bot.suspended),
				  TEXT("why", bot.suspension));
	who_first_name(pages->roster, own.name, first);
	log->notes = JSON_OBJECT(
		TEXT("bot", own.name),
		JSON("names", list_names(pages, log, first)),
		JSON("versions", versions.json),
		JSON_IF("trial", trials_tell(pages->trials, log->bot)),
		JSON("trial_ladders", api_bots_trial_ladders(pages)),
		BOOL("uploading", place >= 0), JSON("suspensions", suspensions),
		INT_IF("before", place >= 0, place),
		TEXT_IF("replaced",
			uploads_replaced(pages->uploads, log->bot)));
	page_ask_send(&log->ask);
}
