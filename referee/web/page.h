/* referee/web/page.h - shared by the daemon's pages: what they need, and
 * functions to answer with.
 *
 * A page is a function in the table of routes.c.  It is called with a request
 * that is to be answered, and answers it with a function of this header or of
 * http.h, now or later.  The table and http.c add the headers for safety, the
 * ETag, and who may keep the answer. */
#ifndef REFEREE_PAGE_H
#define REFEREE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/fair.h"
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

/* Answers a request whose change of the roster is done, or, with `why`, has
 * failed.  `out` is what `referee bots` would print. */
typedef void page_changed(struct http_request *request, const struct text *out,
			  const struct error *why);

struct coordinator;
struct html_locals;
struct live;
struct page_ask;
struct page_cache;
struct record_shelf;
struct trials;

/* All members are borrowed.  The ones that an answer needs are set before http
 * listens. */
struct pages {
	struct config *config; /* another one after a reload */
	struct http *http;
	struct logger *logger;
	struct roster *roster;
	struct thread *thread; /* reads files for pages */
	/* page-ask.c keeps these: the page that the thread has, and those that wait. */
	struct page_ask *making;
	struct fair waiting;
	bool closed; /* no page is made any more */
	const struct ladders *ladders;
	struct remote_bots *remotes;
	struct page_cache *cache;
	struct tallies *tallies; /* used by the thread alone */
	struct local_bots *locals;
	struct html_locals *shown_locals; /* page-html.c keeps it; or NULL */
	enum sandbox_tier tier;		  /* for bots of this machine */
	struct uploads *uploads;
	struct trials *trials;
	struct game_notes *notes;
	struct refusals *refusals;
	struct live *live;
	struct opinion_queue *opinions;
	struct coordinator *coordinator; /* NULL: there is no queue */
	const bool *stopping;
	/* Count of the changes of the roster and of the configuration, of the ladders
	 * that were made again, and of the bots of this machine. */
	uint64_t changes;
	/* Does a request of bots.h as `by` (roster-owner.h), now or later. */
	void (*change)(void *change_arg, const char *by, unsigned words,
		       char *const word[], page_changed *done,
		       struct http_request *request);
	void *change_arg;
	/* Appends the text of /metrics. */
	void (*metrics)(void *arg, struct text *out);
	/* Returns true if all is well; appends the text of /healthz. */
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

/* The parts of a page's path; valid during the call. */
struct page_path {
	char name[2][NAME_BYTES + 1]; /* for each {…}, in order; "": none */
	/* The begin of a link to the root: "", "../", "../../", … It never
	 * begins with a slash, because a proxy may have put us below another
	 * path. */
	char root[PAGE_ROOT_BYTES];
	/* For a function that makes several pages: `what` of the row in
	 * routes.c. */
	int what;
};

typedef void page_handler(struct pages *pages, struct http_request *request,
			  const struct page_path *path);

/* Answers with this body and releases it. */
void page_send(struct http_request *request, int code, const char *type,
	       struct text *body);
/* Refuses a request beyond a limit of the day with 429, until tomorrow (UTC), which
 * the sentence says, too.  Returns false. */
bool page_refuse_today(struct http_request *request, const char *sentence);
/* A request shows a bot's token with X-Bot, or its owner's with X-Owner; with both
 * headers it acts as that bot, by the owner's token. */

/* Returns true if the request shows the token of the bot `name` or of its owner;
 * else it answers the request and returns false. */
bool page_is_owner(const struct pages *pages, struct http_request *request,
		   const char *name) MUST_CHECK;
/* Writes who acts as the bot `name`, after page_is_owner() has returned true for it:
 * `owner NAME` or `bot NAME`. */
void page_by(const struct http_request *request, const char *name,
	     char by[ROSTER_BY_BYTES + 1]);
/* Gives the name of the bot that shows its token, or "" if the request names
 * none.  If the token is not that bot's or cannot be checked, it answers the
 * request and returns false. */
bool page_ask_who(const struct pages *pages, struct http_request *request,
		  char name[NAME_BYTES + 1]) MUST_CHECK;
/* Gives the owner whose token the request shows, who is not banned.  If there is
 * none, it answers the request and returns false. */
bool page_ask_owner(const struct pages *pages, struct http_request *request,
		    char owner[NAME_BYTES + 1]) MUST_CHECK;
/* Does what page_ask_owner() does, and refuses all owners but `name`. */
bool page_is_this_owner(const struct pages *pages, struct http_request *request,
			const char *name,
			char owner[NAME_BYTES + 1]) MUST_CHECK;
/* Frees what page-html.c keeps. */
void page_html_forget(struct pages *pages);
/* Fills in where the ladder's records are, and who may read them. */
void page_shelf(const struct scheduler *scheduler, struct record_shelf *shelf);
/* Returns the place of a ladder.  If there is none, it answers the request with
 * the names of the ladders and returns -1. */
int page_find_ladder(const struct pages *pages, struct http_request *request,
		     const char *name) MUST_CHECK;

#endif
