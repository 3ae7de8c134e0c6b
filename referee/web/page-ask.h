/* referee/web/page-ask.h - a request that waits while a thread makes its page;
 * then the loop answers.
 *
 * The request notes which files the thread reads.  If standings freeze before the page
 * is made, these may have later results.  So it is not sent, and the path is asked for
 * again.
 *
 * A page that is kept (page-cache.h) is made once for all clients that ask
 * meanwhile. */
#ifndef REFEREE_PAGE_ASK_H
#define REFEREE_PAGE_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/web/page.h"

#define PAGE_UNREAD_LADDER "cannot read the ladder now; try again later"

struct page_ask;
struct page_kept;

/* Says how pages of a kind are made. */
struct page_maker {
	const char *type;
	size_t most; /* the most bytes of its text */
	/* Called by the thread: writes the text, or sets the code and the
	 * sentence of a refusal.  If it sets `more`, it is called again when
	 * others have had their turn. */
	void (*make)(struct page_ask *ask);
	/* Called by the loop, in place of page_ask_answer(), which it may call.
	 * May be NULL. */
	void (*answer)(struct page_ask *ask);
	/* Frees what else the page owns, but not `ask` itself.  May be NULL. */
	void (*release)(struct page_ask *ask);
	/* The sentence of a 503, and the event of the log line if the page
	 * cannot be made and `why` has an error. */
	const char *unread, *event;
};

/* The first member of everything that a page needs from the loop and from
 * files. */
struct page_ask {
	struct thread_task task; /* first: the thread gives it back */
	struct fair_entry turn;	 /* while it waits for the thread */
	const struct page_maker *maker;
	struct pages *pages;
	struct http_request *request;
	const char *type; /* the maker's, unless changed */
	struct text text;
	bool more;	      /* the page is not done yet */
	int code;	      /* 200, or the code of a refusal */
	const char *sentence; /* for a refusal; maker->unread at first */
	struct error why;     /* for the log */
	uint64_t frozen;      /* ladders_frozen() when it was asked for */
	/* The next members are for a page that is kept. */
	struct page_kept *kept; /* NULL: not kept */
	uint64_t version;
	bool gzip, keeps;
	struct http_request **other; /* owned; others that wait for it */
	unsigned others;
};

/* Makes an ask of `size` bytes, zeroed after struct page_ask.  Call one of the
 * next three functions for it, which frees it sooner or later. */
void *page_ask_new(struct pages *pages, struct http_request *request,
		   size_t size, const struct page_maker *maker) MUST_CHECK;
/* Has the page made and the request answered.  Addresses take turns (fair.h), and
 * clients that may have gone come after all others.  While it waits, or another
 * request has the page made, the request may make room (http_let_wait()). */
void page_ask_send(struct page_ask *ask);
/* Answers with the page that is kept under this key if it is fresh; else has it
 * made, kept and answered. */
void page_ask_keep(struct page_ask *ask, const char *key, uint64_t version);
/* Refuses the requests that wait and those that will have to.  The page that the
 * thread has is still made. */
void page_ask_close(struct pages *pages);
/* Frees the ask; the caller answers the request. */
void page_ask_drop(struct page_ask *ask);

/* Answers the request with the page that was made, or refuses it. */
void page_ask_answer(struct page_ask *ask);

#endif
