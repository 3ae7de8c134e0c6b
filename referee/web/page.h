/* referee/web/page.h - what the daemon's pages need, and how they answer.
 *
 * A page is a function in the table of routes.c.  It is called with a request
 * that may be answered, and answers it with one of these functions or of
 * http.h, now or later.  Headers for safety, ETag and who may keep the answer
 * come from the table and http.c. */
#ifndef REFEREE_PAGE_H
#define REFEREE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/refusals.h"
#include "referee/base/thread.h"
#include "referee/config/serve-config.h"
#include "referee/http/http.h"
#include "referee/import/upload.h"
#include "referee/remote/remote-bot.h"
#include "referee/scheduler/ladders.h"
#include "referee/scheduler/local-bot.h"
#include "referee/web/game-notes.h"
#include "referee/web/opinion-queue.h"
#include "referee/web/tallies.h"

struct coordinator;
struct live;
struct page_cache;
struct record_shelf;

/* All of it is borrowed, and what an answer needs is there when http listens. */
struct pages {
	struct config *config; /* another one after a reload */
	struct http *http;
	struct logger *logger;
	struct roster *roster;
	struct thread *thread; /* reads */
	const struct ladders *ladders;
	struct remote_bots *remotes;
	struct page_cache *cache;
	struct tallies *tallies; /* the page thread's */
	struct local_bots *locals;
	enum sandbox_tier tier; /* of bots of this machine */
	struct uploads *uploads;
	struct game_notes *notes;
	struct refusals *refusals;
	struct live *live;
	struct opinion_queue *opinions;
	struct coordinator *coordinator; /* NULL: there is no queue */
	const bool *stopping;
	/* How often the roster has changed, or a ladder was made again. */
	uint64_t changes;
	/* Appends what /metrics shows. */
	void (*metrics)(void *arg, struct text *out);
	/* Returns true if all is well; appends what /healthz says. */
	bool (*healthy)(void *arg, struct text *out);
	void *arg;
};

#define PAGE_JSON "application/json"
#define PAGE_JSON_LINES "application/x-ndjson" /* an object a line */
#define PAGE_PLAIN "text/plain; charset=utf-8"
#define PAGE_TOO_LARGE "the answer is too large to send"
#define PAGE_STOPPING "the referee is stopping"
#define PAGE_HTML "text/html; charset=utf-8"

#define PAGE_ROOT_BYTES 32

/* What a page learns of its path; it lasts as long as the call. */
struct page_path {
	char name[2][NAME_BYTES + 1]; /* of its {…}, in order; "": none */
	/* How links begin that lead to the root: "", "../", "../../", …  Never
	 * with a slash: a proxy may have put us below another path. */
	char root[PAGE_ROOT_BYTES];
	/* As the row of routes.c says, of a function that makes several pages. */
	int what;
};

typedef void page_handler(struct pages *pages, struct http_request *request,
			  const struct page_path *path);

/* Answers with this body, which is released. */
void page_send(struct http_request *request, int code, const char *type,
	       struct text *body);
/* Whether the request shows the token of the bot `name`; if not, it is
 * answered. */
bool page_is_owner(const struct pages *pages, struct http_request *request,
		   const char *name) MUST_CHECK;
/* The bot that asks, by its token: its name, or "" if the request says none.
 * False: the token is not that bot's, and the request is answered. */
bool page_ask_who(const struct pages *pages, struct http_request *request,
		  char name[NAME_BYTES + 1]) MUST_CHECK;
/* Notes where the ladder's records are, and who may read them. */
void page_shelf(const struct scheduler *scheduler, struct record_shelf *shelf);
/* Returns the place of a ladder.  Or -1: it is not there, and the request is
 * answered with those that are. */
int page_find_ladder(const struct pages *pages, struct http_request *request,
		     const char *name) MUST_CHECK;

#endif
