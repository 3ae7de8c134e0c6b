/* referee/serve/page.h - what the daemon's pages need, and which bot asks for
 * one. */
#ifndef REFEREE_PAGE_H
#define REFEREE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/log.h"
#include "referee/net/remote-bot.h"
#include "referee/serve/game-notes.h"
#include "referee/serve/http.h"
#include "referee/serve/ladder-view.h"
#include "referee/serve/ladders.h"
#include "referee/serve/refusals.h"
#include "referee/serve/upload.h"
#include "referee/worker-thread.h"

/* All of it is borrowed. */
struct pages {
	struct http *http;
	struct logger *logger;
	struct roster *roster;
	struct worker_thread *thread; /* reads */
	const struct ladders *ladders;
	struct remote_bots *remotes;
	struct ladder_view *view;
	struct uploads *uploads;
	struct game_notes *notes;
	struct refusals *refusals;
	const char *data;	/* the data folder */
	uint64_t owner_uploads; /* that an owner may send in on a day */
	const bool *stopping;
	/* Appends what /metrics shows. */
	void (*metrics)(void *arg, struct text *out);
	void *arg;
};

#define PAGE_JSON "application/json"
#define PAGE_PLAIN "text/plain; charset=utf-8"
#define PAGE_HTML "text/html; charset=utf-8"

/* Answers 200 with this body, which is released. */
void page_answer(struct http_request *request, const char *type,
		 struct text *body, enum http_cache cache);
/* The bot that asks, by its token: its name, or "" if the request says none.
 * False: the token is not that bot's, and the request is answered. */
bool page_ask_who(const struct pages *pages, struct http_request *request,
		  char name[NAME_BYTES + 1]) MUST_CHECK;
/* Answers that something cannot be read now: the reason has a path in it, which
 * strangers need not know, and goes to the log as `event`. */
void page_refuse_unread(const struct pages *pages, struct http_request *request,
			const char *event, const char *sentence,
			const char *why);
/* Answers from a ladder that is not there, with those that are. */
void page_refuse_ladder(const struct pages *pages, struct http_request *request,
			const char *name);
/* Answers that the referee stops. */
void page_refuse_stopping(struct http_request *request);

#endif
