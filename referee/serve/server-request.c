/* referee/serve/server-request.c - what the daemon's owner asks of it at the
 * control socket. */
#include <stdio.h>
#include <string.h>

#include "referee/serve/bots.h"
#include "referee/command.h"
#include "referee/serve/control.h"
#include "referee/serve/import.h"
#include "referee/serve/server-inside.h"

static void
log_request(struct server *server, const char *key, unsigned words,
	    char *const word[], int code)
{
	struct log_line line;

	log_begin(&line, server->logger, LOG_LEVEL_INFO, "request");
	log_str(&line, "what", word[0]);
	if (words > 1)
		log_str(&line, key, word[1]);
	if (code != CONTROL_LATER)
		log_num(&line, "code", code);
	log_end(&line);
}

/* ---- ladders ---------------------------------------------------------- */

static void
on_rebuilt(void *arg, uint64_t number, int code, const struct text *out,
	   const char *why)
{
	struct server *server = arg;

	control_answer(server->control, number, code, out, why);
}

/* `rebuild NAME text|json prove|accept whole|gaps FOLDER…` */
static int
rebuild(struct server *server, uint64_t number, unsigned words,
	char *const word[], char why[LADDER_WHY_BYTES])
{
	struct rebuild what = { 0 };
	int ladder;

	if (words < 5 || words - 5 > REBUILD_FOLDERS) {
		snprintf(why, LADDER_WHY_BYTES, "no such request");
		return EXIT_USAGE;
	}
	what.json = strcmp(word[2], "json") == 0;
	what.accept = strcmp(word[3], "accept") == 0;
	what.gaps = strcmp(word[4], "gaps") == 0;
	for (; what.count < words - 5; what.count++)
		what.folders[what.count] = word[5 + what.count];
	ladder = server_find_hall(server, word[1], strlen(word[1]));
	if (ladder < 0) {
		snprintf(
			why, LADDER_WHY_BYTES,
			"the daemon has this folder, but plays no ladder %.32s",
			word[1]);
		return EXIT_MACHINE;
	}
	if (hall_rebuild(server->hall[ladder], &what, on_rebuilt, server,
			 number))
		return CONTROL_LATER;
	snprintf(why, LADDER_WHY_BYTES, "ladder %.32s is being rebuilt already",
		 word[1]);
	return EXIT_MACHINE;
}

int
server_request(void *arg, uint64_t number, unsigned words, char *const word[],
	       struct text *out, char why[LADDER_WHY_BYTES])
{
	struct server *server = arg;
	int code;

	if (strcmp(word[0], "rebuild") == 0) {
		code = rebuild(server, number, words, word, why);
		log_request(server, "ladder", words, word, code);
		return code;
	}
	if (strcmp(word[0], "hash") == 0 && words == 2)
		return import_tell_hash(server->roster, word[1], out, why);
	if (strcmp(word[0], "stderr") == 0)
		return server_tell_stderr(server, words, word, out);
	if (strcmp(word[0], "enter") == 0) {
		code = server_enter(server, words, word, out, why);
		log_request(server, "incoming", words, word, code);
		server_look_residents(server);
		return code;
	}
	code = bots_do(server->roster, words, word, out, why);
	log_request(server, "bot", words, word, code);
	if (code == EXIT_DONE && strcmp(word[0], "list") != 0) {
		server_dismiss(server, words, word);
		server_look_residents(server);
	}
	return code;
}
