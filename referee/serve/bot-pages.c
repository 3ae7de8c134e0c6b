/* referee/serve/bot-pages.c - see bot-pages.h. */
#include "referee/serve/bot-pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "referee/serve/import-add.h"
#include "referee/serve/import-files.h"
#include "referee/serve/import.h"
#include "referee/serve/who.h"

#define LOG_BYTES 16777216 /* of what is told of a bot */

/* ---- an upload ------------------------------------------------------ */

#define DAY_S 86400

/* Whether the owner, if there is one, may send in another one today.  NULL, or
 * why not. */
static const char *
wrong_with_owner(struct pages *pages, const struct roster_bot *bot, int64_t day,
		 int *code)
{
	struct error why;
	int64_t count = 0;

	*code = 503;
	if (bot->owner[0] != '\0' &&
	    roster_uploads(pages->roster, bot->owner, day, &count, &why) != 0)
		return "the referee cannot count uploads now; try again later";
	*code = 429;
	if ((uint64_t)count >= pages->owner_uploads)
		return "your owner has uploaded as many bots today as the "
		       "limit allows; try again tomorrow (UTC)";
	return NULL;
}

/* NULL: it was taken. */
static const char *
take(struct pages *pages, const char *name, const char *bytes, size_t n,
     int *code)
{
	const int64_t day = (int64_t)time(NULL) / DAY_S;
	struct error why;
	struct roster_bot bot;
	const char *wrong;

	*code = 400;
	if (n == 0)
		return "expected an archive, tar.gz";
	*code = 503;
	if (roster_find(pages->roster, name, &bot, &why) != 0)
		return "the referee cannot look up the bot now; try again "
		       "later";
	*code = 403;
	if (bot.state != ROSTER_ENABLED)
		return "this bot is disabled";
	*code = 507;
	if (!import_has_room(pages->data))
		return IMPORT_NO_ROOM;
	wrong = wrong_with_owner(pages, &bot, day, code);
	if (wrong == NULL)
		wrong = uploads_take(pages->uploads, &bot, bytes, n);
	/* One that cannot be counted is taken all the same. */
	if (wrong == NULL && bot.owner[0] != '\0')
		(void)!roster_add_upload(pages->roster, bot.owner, day, &why);
	return wrong;
}

/* It was sent by the bot that X-Bot names, for itself: page_is_owner(). */
static void
on_archive(void *arg, struct http_request *request, const char *bytes, size_t n)
{
	struct pages *pages = arg;
	char name[NAME_BYTES + 1], path[NAME_BYTES + 32];
	const char *wrong;
	struct text text;
	int code;

	if (http_header(request, "X-Bot", name, sizeof(name)) != 1)
		bug("an upload without a bot");
	if (*pages->stopping) {
		page_refuse_stopping(request);
		return;
	}
	wrong = take(pages, name, bytes, n, &code);
	if (wrong != NULL) {
		http_refuse(request, code, wrong);
		return;
	}
	log_one(pages->logger, LOG_LEVEL_INFO, "upload", "bot", name);
	snprintf(path, sizeof(path), "api/1/bots/%s/log", name);
	text_init(&text, sizeof(path) + 32);
	text_fmt(&text, "../%s", path);
	http_add_header(request, "Location", text_string(&text));
	text_clear(&text);
	text_fmt(&text, "see /%s\n", path);
	page_send(request, 202, PAGE_PLAIN, &text);
}

void
bot_pages_put(struct pages *pages, struct http_request *request,
	      const struct page_path *names UNUSED)
{
	if (*pages->stopping)
		page_refuse_stopping(request);
	else if (!http_read_body(request, on_archive, pages))
		return; /* refused */
}

/* ---- the log ----------------------------------------------------- */

void
bot_pages_tell(const struct pages *pages, const char *name, struct text *out)
{
	char first[NAME_BYTES + 1];
	struct scheduler *scheduler;
	struct scheduler_bot bot;
	unsigned i;

	who_stands_as(pages->roster, name, first);
	LADDERS_EACH (pages->ladders, scheduler, i)
		if (scheduler_bot(scheduler, first, &bot) && bot.suspended)
			text_fmt(out, "On the ladder %s: %s\n",
				 scheduler_name(scheduler), bot.suspension);
	who_first_name(pages->roster, name, first);
	game_notes_tell(pages->notes, first, out);
}

struct log_ask {
	struct worker_thread_job
		job; /* first: the worker thread gives it back */
	struct pages *pages;
	struct http_request *request;
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
		page_answer(ask->request, PAGE_PLAIN, &ask->text);
	else
		page_refuse_stopping(ask->request);
	text_release(&ask->text);
	text_release(&ask->heard);
	free(ask);
}

void
bot_pages_log(struct pages *pages, struct http_request *request,
	      const struct page_path *names)
{
	const char *name = names->name[0];
	struct roster_entry entry = { .number = 0 };
	struct error why;
	struct roster_bot bot;
	struct log_ask *ask;

	ask = zeroed(1, sizeof(*ask));
	ask->job.read = read_log;
	ask->job.done = on_log;
	ask->pages = pages;
	ask->request = request;
	memcpy(ask->data, pages->data, sizeof(ask->data));
	if (roster_find(pages->roster, name, &bot, &why) == 0)
		ask->bot = bot.number;
	text_init(&ask->text, LOG_BYTES);
	text_init(&ask->heard, LOG_BYTES);
	if (uploads_has(pages->uploads, ask->bot))
		text_str(&ask->text,
			 "An upload is waiting, or is being imported now.\n");
	if (who_is_local(pages->roster, name, &entry))
		memcpy(ask->hash, entry.hash, sizeof(ask->hash));
	bot_pages_tell(pages, name, &ask->heard);
	worker_thread_ask(pages->thread, &ask->job);
}
