/* referee/web/page-ask.h - a request that waits: the page thread makes its
 * page, and the loop answers with it.
 *
 * A page that is kept (page-cache.h) is made once for all who ask meanwhile. */
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
	size_t most; /* bytes of its text */
	/* Called by the page thread: writes the text, or sets what the request
	 * is refused with. */
	void (*make)(struct page_ask *ask);
	/* Called by the loop, in place of page_ask_answer(), which it may call.
	 * May be NULL. */
	void (*answer)(struct page_ask *ask);
	/* Frees what else the page has, but not `ask` itself.  May be NULL. */
	void (*release)(struct page_ask *ask);
	/* 503 with an error in `why` is this sentence, and a line of the log. */
	const char *unread, *event;
};

/* What a page needs of the loop and of files begins with this. */
struct page_ask {
	struct thread_task task; /* first: the page thread gives it back */
	const struct page_maker *maker;
	struct pages *pages;
	struct http_request *request;
	const char *type; /* as the maker says */
	struct text text;
	int code;	      /* 200; else the request is refused with */
	const char *sentence; /* this, which is maker->unread at first */
	struct error why;     /* for the log */
	/* Of a page that is kept: */
	struct page_kept *kept; /* NULL: it is not */
	uint64_t version;
	bool gzip, keeps;
	struct http_request **other; /* owned: who waits for it, too */
	unsigned others;
};

/* Makes one of `size` bytes, zeroed behind struct page_ask.  One of the next three
 * follows, which frees it sooner or later. */
void *page_ask_new(struct pages *pages, struct http_request *request,
		   size_t size, const struct page_maker *maker) MUST_CHECK;
/* Has it made, and answered. */
void page_ask_send(struct page_ask *ask);
/* Likewise; or answers with the page of this key that is kept, if it is fresh. */
void page_ask_keep(struct page_ask *ask, const char *key, uint64_t version);
/* The request is answered by the caller. */
void page_ask_drop(struct page_ask *ask);

/* Answers the request with what was made. */
void page_ask_answer(struct page_ask *ask);

#endif
