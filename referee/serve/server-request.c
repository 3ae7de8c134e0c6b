/* referee/serve/server-request.c - does the owner's requests at the control
 * socket. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/roster-owner.h"
#include "referee/data/control.h"
#include "referee/import/import.h"
#include "referee/queue/coordinator.h"
#include "referee/scheduler/who.h"
#include "referee/serve/bots.h"
#include "referee/serve/server-inside.h"
#include "referee/web/api-bots.h"
#include "referee/web/trials.h"

static void
log_request(struct server *server, const char *key, unsigned words,
	    char *const word[], int result, const struct error *why)
{
	struct log_line line;

	/* Some who ask are told no more than that the log says why. */
	log_begin(&line, server->logger,
		  result < 0 ? LOG_LEVEL_WARN : LOG_LEVEL_INFO, "request");
	log_str(&line, "what", word[0]);
	if (words > 1 && key != NULL)
		log_str(&line, key, word[1]);
	if (result != CONTROL_LATER)
		log_num(&line, "code", result < 0 ? (int)why->kind : 0);
	if (result < 0)
		log_str(&line, "why", why->text);
	log_end(&line);
}

/* ---- ladders ---------------------------------------------------------- */

static void
on_rebuilt(void *arg, uint64_t number, const struct text *out,
	   const struct error *why)
{
	struct server *server = arg;

	server->pages.changes++;
	control_answer(server->control, number, out, why);
}

static int
hand_to_scheduler(struct server *server, uint64_t number, const char *name,
		  const struct rebuild *what, struct error *why)
{
	int ladder = ladders_find(&server->ladders, name);

	if (ladder < 0 && server_will_have(server, name))
		return error_set(
			why, ERROR_MACHINE,
			"ladder %.32s is still being opened; try again later",
			name);
	if (ladder < 0)
		return error_set(
			why, ERROR_MACHINE,
			"the daemon of this folder plays no ladder %.32s",
			name);
	if (scheduler_rebuild(server->ladders.scheduler[ladder], what,
			      on_rebuilt, server, number))
		return CONTROL_LATER;
	return error_set(why, ERROR_MACHINE,
			 "ladder %.32s is already being rebuilt", name);
}

/* Does `rebuild NAME text|json prove|accept whole|gaps FOLDER…`. */
static int
rebuild(struct server *server, uint64_t number, unsigned words,
	char *const word[], struct error *why)
{
	struct rebuild what = { 0 };

	if (words < 5 || words - 5 > REBUILD_FOLDERS)
		return error_set(why, ERROR_INPUT, "unknown request");
	what.json = strcmp(word[2], "json") == 0;
	what.accept = strcmp(word[3], "accept") == 0;
	what.gaps = strcmp(word[4], "gaps") == 0;
	for (; what.count < words - 5; what.count++)
		what.folders[what.count] = word[5 + what.count];
	return hand_to_scheduler(server, number, word[1], &what, why);
}

/* Does `void NAME text|json WHY game ID` or `… bot BOT DATE`. */
static int
void_games(struct server *server, uint64_t number, unsigned words,
	   char *const word[], struct error *why)
{
	struct rebuild what = { 0 };
	bool game = words == 6 && strcmp(word[4], "game") == 0;

	if ((!game && (words != 7 || strcmp(word[4], "bot") != 0)) ||
	    !ladder_void_why_ok(word[3]))
		return error_set(why, ERROR_INPUT, "unknown request");
	what.json = strcmp(word[2], "json") == 0;
	snprintf(what.void_why, sizeof(what.void_why), "%s", word[3]);
	snprintf(game ? what.game : what.bot,
		 game ? sizeof(what.game) : sizeof(what.bot), "%s", word[5]);
	if (!game)
		snprintf(what.since, sizeof(what.since), "%s", word[6]);
	return hand_to_scheduler(server, number, word[1], &what, why);
}

/* ---- suspensions ------------------------------------------------------ */

static int
pardon(struct server *server, const char *name, struct text *out,
       struct error *why)
{
	char stands_as[NAME_BYTES + 1];
	struct scheduler *scheduler;
	struct roster_bot bot;
	unsigned count = 0;

	if (roster_find(server->pages.roster, name, &bot, why) < 0)
		return -1;
	who_stands_as(server->pages.roster, bot.name, stands_as);
	LADDERS_EACH (&server->ladders, scheduler, i)
		if (scheduler_pardon(scheduler, stands_as)) {
			text_fmt(out, "%s plays again on ladder %s\n", bot.name,
				 scheduler_name(scheduler));
			count++;
		}
	if (count == 0)
		text_fmt(out, "%s is not suspended\n", bot.name);
	return 0;
}

/* Refuses a request while this daemon waits for the queue, as it must not
 * change its data folder then. */
static int
refuse_waiting(const struct server *server, struct error *why)
{
	const struct coordinator *coordinator = server->pages.coordinator;
	const char *sentence = "it starts";

	if (coordinator != NULL)
		(void)!tenure_state(coordinator_tenure(coordinator), &sentence);
	return error_set(
		why, ERROR_MACHINE,
		"this daemon only waits (%.300s): ask the one that has "
		"the queue",
		sentence);
}

/* Returns the key of the first argument of a request in the log; NULL: it is not
 * logged. */
static const char *
key_of(const char *what)
{
	if (strcmp(what, "code") == 0 || strcmp(what, "deeds") == 0 ||
	    strcmp(what, "owners") == 0)
		return NULL;
	return bots_is_of_owner(what) ? "owner" : "bot";
}

/* ---- the roster ------------------------------------------------------- */

static void
on_control(void *arg, uint64_t number, const struct text *out,
	   const struct error *why)
{
	struct server *server = arg;

	control_answer(server->control, number, out, why);
}

static void
drop_trial(void *arg, const char *bot)
{
	struct server *server = arg;
	struct roster_bot known;

	who_look_up(server->pages.roster, bot, &known);
	trials_drop(server->pages.trials, known.number);
}

/* Ends the trials of bots that may play no more. */
static void
drop_trials(struct server *server, char *const word[])
{
	struct error ignored;

	if (strcmp(word[0], "disable") == 0 || strcmp(word[0], "remove") == 0 ||
	    strcmp(word[0], "withdraw") == 0)
		drop_trial(server, word[1]);
	else if (strcmp(word[0], "ban") == 0)
		(void)!roster_owner_bots(server->pages.roster, word[1],
					 drop_trial, server, &ignored);
}

/* Returns true if ladders may mark other bots after this request. */
static bool
is_marking(const char *what)
{
	static const char *const words[] = { "back",	"ban",	  "disable",
					     "enable",	"remove", "unban",
					     "withdraw" };

	for (unsigned i = 0; i < NELEM(words); i++)
		if (strcmp(words[i], what) == 0)
			return true;
	return false;
}

/* Lets all take up what has changed in the roster.  Returns CONTROL_LATER if the
 * request is answered once the queue's database has it. */
static int
look_after(struct server *server, const struct server_reply *to,
	   char *const word[], int result, const struct text *out,
	   struct error *why)
{
	const bool is_entry = strcmp(word[0], "enter") == 0;
	struct roster_entry entry = { .number = 0 };

	if (is_entry)
		snprintf(entry.hash, sizeof(entry.hash), "%s", word[2]);
	if (is_entry)
		snprintf(entry.name, sizeof(entry.name), "%s", word[3]);
	/* The database may not have kept the program of an earlier version. */
	if (result >= 0 &&
	    (strcmp(word[0], "back") == 0 || strcmp(word[0], "admit") == 0))
		(void)!who_is_local(server->pages.roster, word[1], &entry);
	server->pages.changes++;
	server->marked += is_marking(word[0]);
	if (result == 0)
		drop_trials(server, word);
	server_look_local_bots(server);
	if (result < 0)
		return -1;
	return server_registry_keep(server->registry, to, entry.hash,
				    entry.name, out, why);
}

void
server_entered(struct server *server, uint64_t number, unsigned words,
	       char *const word[], int result, const struct text *out,
	       struct error *why)
{
	static const char key[] = "incoming";
	const struct server_reply to = { on_control, server, number };

	log_request(server, key, words, word, result, why);
	result = look_after(server, &to, word, result, out, why);
	if (result != CONTROL_LATER)
		control_answer(server->control, number, out,
			       result < 0 ? why : NULL);
}

/* Does a request that may change the roster, as `by`.  Returns 0, CONTROL_LATER,
 * or -1 and an error. */
static int
change(struct server *server, const char *by, const struct server_reply *to,
       unsigned words, char *const word[], struct text *out, struct error *why)
{
	const bool reads = bots_is_reading(word[0]);
	int result = 0;

	if (!reads)
		result = server_registry_check(server->registry, why);
	roster_by(server->pages.roster, by);
	if (result == 0)
		result = bots_do(server->pages.roster, words, word, out, why);
	roster_by(server->pages.roster, ROSTER_ORGANISER);
	if (reads || result < 0)
		return result;
	server_look_remote_bot(server, by, words, word);
	return look_after(server, to, word, result, out, why);
}

/* Writes down what the organiser has done to a ladder or a bot.  A failure is
 * passed over: what was done stands. */
static void
write_deed(struct server *server, unsigned words, char *const word[])
{
	struct text note = { .max = ROSTER_REASON_BYTES };
	struct error ignored;

	for (unsigned i = 2; i < words; i++)
		text_fmt(&note, "%s%s", i > 2 ? " " : "", word[i]);
	(void)!roster_write_deed(server->pages.roster, word[0],
				 words > 1 ? word[1] : "", text_string(&note),
				 &ignored);
	text_release(&note);
}

int
server_request(void *arg, uint64_t number, unsigned words, char *const word[],
	       struct text *out, struct error *why)
{
	struct server *server = arg;
	const struct config *config = server->pages.config;
	const struct server_reply to = { on_control, server, number };
	const char *what = word[0], *key = "bot";
	int result;

	if (server->pages.roster == NULL)
		return refuse_waiting(server, why);
	if (strcmp(what, "hash") == 0 && words == 2)
		return import_tell_hash(server->pages.roster, word[1], out,
					why);
	if (strcmp(what, "limits") == 0) {
		import_tell_limits(config->locals.memory_mib,
				   config->locals.processes, out);
		return 0;
	}
	if (strcmp(what, "stderr") == 0) {
		if (words > 1)
			api_bots_tell(&server->pages, word[1], out);
		return 0;
	}
	if (strcmp(what, "rebuild") == 0 || strcmp(what, "void") == 0) {
		key = "ladder";
		result = *what == 'r'
				 ? rebuild(server, number, words, word, why)
				 : void_games(server, number, words, word, why);
		if (result >= 0)
			write_deed(server, words, word);
	} else if (strcmp(what, "pardon") == 0 && words == 2) {
		result = pardon(server, word[1], out, why);
		if (result >= 0)
			write_deed(server, words, word);
	} else if (strcmp(what, "enter") == 0) {
		key = "incoming";
		result = server_registry_check(server->registry, why);
		if (result == 0)
			result = server_enter(server, number, words, word, why);
		if (result == CONTROL_LATER)
			return result;
	} else {
		key = key_of(what);
		result = change(server, ROSTER_ORGANISER, &to, words, word, out,
				why);
	}
	log_request(server, key, words, word, result, why);
	return result;
}

/* ---- changes by pages ------------------------------------------------- */

struct page_reply {
	page_changed *done;
	struct http_request *request;
};

static void
on_page(void *arg, uint64_t number UNUSED, const struct text *out,
	const struct error *why)
{
	struct page_reply *reply = arg;

	reply->done(reply->request, out, why);
	free(reply);
}

void
server_change(void *arg, const char *by, unsigned words, char *const word[],
	      page_changed *done, struct http_request *request)
{
	struct server *server = arg;
	struct page_reply *reply = zeroed(1, sizeof(*reply));
	const struct server_reply to = { on_page, reply, 0 };
	struct text out = { .max = ROSTER_TOKEN_BYTES + ERROR_BYTES };
	struct error why;
	int result;

	reply->done = done;
	reply->request = request;
	result = change(server, by, &to, words, word, &out, &why);
	log_request(server, key_of(word[0]), words, word, result, &why);
	if (result != CONTROL_LATER)
		on_page(reply, 0, &out, result < 0 ? &why : NULL);
	text_release(&out);
}
