/* referee/serve/server-uploads.c - bots sent in over HTTP, and what became of
 * them.
 */
#include <event2/buffer.h>
#include <event2/http.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "referee/serve/import-add.h"
#include "referee/serve/import-files.h"
#include "referee/serve/import.h"
#include "referee/serve/server-inside.h"

#define LOG_BYTES 16777216 /* of what is told of a bot */

/* Whether who asks has the token of the bot `name`; if not, he was told. */
static bool
is_owner(struct server *server, struct evhttp_request *request,
	 const char *name)
{
	char who[NAME_BYTES + 1];

	if (!server_ask_who(server, request, who))
		return false;
	if (strcmp(who, name) == 0)
		return true;
	if (who[0] == '\0')
		http_refuse(server->http, request, 401,
			    "expected X-Bot: NAME and Authorization: Bearer "
			    "TOKEN");
	else
		http_refuse(server->http, request, 403,
			    "this is another bot's");
	return false;
}

/* ---- `PUT /bots/NAME` ------------------------------------------------- */

#define DAY_S 86400

/* Whether the owner, if there is one, may send in another one today.  NULL, or
 * why not. */
static const char *
wrong_with_owner(struct server *server, const struct roster_bot *bot,
		 int64_t day, int *code)
{
	struct error why;
	int64_t count = 0;

	*code = 503;
	if (bot->owner[0] != '\0' &&
	    roster_uploads(server->roster, bot->owner, day, &count, &why) != 0)
		return "the referee cannot count uploads now";
	*code = 429;
	if ((uint64_t)count >= server->config->limits.owner_uploads)
		return "your owner has sent in as many bots today as he may; "
		       "try it again tomorrow (UTC)";
	return NULL;
}

/* NULL: it was taken. */
static const char *
take(struct server *server, struct evhttp_request *request, const char *name,
     int *code)
{
	struct evbuffer *body = evhttp_request_get_input_buffer(request);
	size_t n = evbuffer_get_length(body);
	const int64_t day = (int64_t)time(NULL) / DAY_S;
	struct error why;
	struct roster_bot bot;
	const char *wrong;

	*code = 400;
	if (n == 0)
		return "expected an archive, tar.gz";
	*code = 503;
	if (roster_find(server->roster, name, &bot, &why) != 0)
		return "the referee cannot look the bot up now";
	*code = 403;
	if (bot.state != ROSTER_ENABLED)
		return "this bot is disabled";
	*code = 507;
	if (!import_has_room(server->config->data))
		return IMPORT_NO_ROOM;
	wrong = wrong_with_owner(server, &bot, day, code);
	if (wrong == NULL)
		wrong = uploads_take(server->uploads, &bot,
				     (const char *)evbuffer_pullup(body, -1),
				     n);
	/* One that cannot be counted is taken all the same. */
	if (wrong == NULL && bot.owner[0] != '\0')
		(void)!roster_add_upload(server->roster, bot.owner, day, &why);
	return wrong;
}

void
server_put_bot(struct server *server, struct evhttp_request *request,
	       const char *name)
{
	char text[NAME_BYTES + 32];
	const char *wrong;
	struct log_line line;
	int code;

	if (!is_owner(server, request, name))
		return;
	if (server->stopping) {
		http_refuse(server->http, request, 503, "the referee stops");
		return;
	}
	wrong = take(server, request, name, &code);
	if (wrong != NULL) {
		http_refuse(server->http, request, code, wrong);
		return;
	}
	log_begin(&line, server->logger, LOG_LEVEL_INFO, "upload");
	log_str(&line, "bot", name);
	log_end(&line);
	snprintf(text, sizeof(text), "/bots/%s/log", name);
	http_add_header(request, "Location", text);
	snprintf(text, sizeof(text), "see /bots/%s/log\n", name);
	http_accept(server->http, request, text);
}

/* ---- `GET /bots/NAME/log` --------------------------------------------- */

struct log_ask {
	struct worker_thread_job
		job; /* first: the worker thread gives it back */
	struct server *server;
	struct evhttp_request *request;
	char data[CONFIG_PATH_BYTES + 1];
	int64_t bot; /* its number */
	char hash[ROSTER_CONTENT_BYTES + 1];
	struct text text, heard;
};

static void
read_log(struct worker_thread_job *job)
{
	struct log_ask *ask = (struct log_ask *)job;

	import_add_logs(ask->data, ask->bot, ask->hash, &ask->text);
	import_add_escaped(&ask->text, ask->heard.bytes, ask->heard.used);
}

static void
on_log(struct worker_thread_job *job, bool read)
{
	struct log_ask *ask = (struct log_ask *)job;

	if (read)
		http_answer(ask->server->http, ask->request,
			    "text/plain; charset=utf-8", ask->text.bytes,
			    ask->text.used);
	else
		http_refuse(ask->server->http, ask->request, 503,
			    "the referee stops");
	text_release(&ask->text);
	text_release(&ask->heard);
	free(ask);
}

void
server_answer_log(struct server *server, struct evhttp_request *request,
		  const char *name)
{
	struct roster_entry entry = { .number = 0 };
	char *word[] = { NULL, (char *)(uintptr_t)name };
	struct error why;
	struct roster_bot bot;
	struct log_ask *ask;

	if (!is_owner(server, request, name))
		return;
	ask = memory(NULL, sizeof(*ask));
	memset(ask, 0, sizeof(*ask));
	ask->job.read = read_log;
	ask->job.done = on_log;
	ask->server = server;
	ask->request = request;
	memcpy(ask->data, server->config->data, sizeof(ask->data));
	if (roster_find(server->roster, name, &bot, &why) == 0)
		ask->bot = bot.number;
	text_init(&ask->text, LOG_BYTES);
	text_init(&ask->heard, LOG_BYTES);
	if (uploads_has(server->uploads, ask->bot))
		text_str(&ask->text, "An upload waits, or is imported now.\n");
	if (server_is_local_bot(server, name, &entry))
		memcpy(ask->hash, entry.hash, sizeof(ask->hash));
	server_tell_stderr(server, 2, word, &ask->heard);
	worker_thread_ask(server->thread, &ask->job);
}
