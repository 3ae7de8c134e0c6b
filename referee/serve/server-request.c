/* referee/serve/server-request.c - does the owner's requests at the control
 * socket. */
#include <stdio.h>
#include <string.h>

#include "referee/data/control.h"
#include "referee/import/import.h"
#include "referee/queue/coordinator.h"
#include "referee/scheduler/who.h"
#include "referee/serve/bots.h"
#include "referee/serve/server-inside.h"
#include "referee/web/api-bots.h"

static void
log_request(struct server *server, const char *key, unsigned words,
	    char *const word[], int result, const struct error *why)
{
	struct log_line line;

	log_begin(&line, server->logger, LOG_LEVEL_INFO, "request");
	log_str(&line, "what", word[0]);
	if (words > 1)
		log_str(&line, key, word[1]);
	if (result != CONTROL_LATER)
		log_num(&line, "code", result < 0 ? (int)why->kind : 0);
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
	unsigned i, count = 0;

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

int
server_request(void *arg, uint64_t number, unsigned words, char *const word[],
	       struct text *out, struct error *why)
{
	struct server *server = arg;
	const char *what = word[0], *key = "bot";
	bool looked = false; /* the roster has changed */
	bool is_entry;
	int result;

	if (server->pages.roster == NULL)
		return refuse_waiting(server, why);
	if (strcmp(what, "hash") == 0 && words == 2)
		return import_tell_hash(server->pages.roster, word[1], out,
					why);
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
	} else if (strcmp(what, "pardon") == 0 && words == 2) {
		result = pardon(server, word[1], out, why);
	} else if (strcmp(what, "list") != 0 &&
		   server_registry_check(server->registry, why) < 0) {
		result = -1;
	} else if (strcmp(what, "enter") == 0) {
		key = "incoming";
		looked = true;
		result = server_enter(server, words, word, out, why);
	} else {
		result = bots_do(server->pages.roster, words, word, out, why);
		looked = result == 0 && strcmp(what, "list") != 0;
	}
	log_request(server, key, words, word, result, why);
	if (!looked)
		return result;
	server->pages.changes++;
	server_look_remote_bot(server, words, word);
	server_look_local_bots(server);
	if (result < 0)
		return -1;
	is_entry = strcmp(what, "enter") == 0;
	return server_registry_keep(server->registry, number,
				    is_entry ? word[2] : "",
				    is_entry ? word[3] : "", out, why);
}
