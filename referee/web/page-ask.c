/* referee/web/page-ask.c - see page-ask.h. */
#include "referee/web/page-ask.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "protocol/gzip.h"
#include "referee/base/serve-limits.h"
#include "referee/web/page-cache.h"

/* Gzips the page.  Returns false and leaves it if that would not make it
 * smaller. */
static bool
gzip(struct text *text)
{
	struct text packed = { 0 };
	bool smaller;

	smaller = text->used >= SERVE_GZIP_BYTES &&
		  gzip_all(&packed, text->bytes, text->used);
	text_release(smaller ? text : &packed);
	if (smaller)
		*text = packed;
	return smaller;
}

static void
make(struct thread_task *task)
{
	struct page_ask *ask = (struct page_ask *)task;

	ask->more = false;
	ask->maker->make(ask);
	/* A page that lacks a part is made again for the next client. */
	ask->keeps = !ask->more && ask->kept != NULL && ask->code == 200 &&
		     !ask->text.full && ask->why.kind == ERROR_NONE;
	if (ask->keeps && ask->gzip)
		ask->gzip = gzip(&ask->text);
}

/* Answers one request.  `piece` is the text for all that wait for it; NULL: the
 * page is not kept. */
static void
answer(const struct page_ask *ask, struct http_request *request,
       struct http_piece *piece)
{
	const struct http_answer whole = { .code = 200,
					   .type = ask->type,
					   .bytes = ask->text.bytes,
					   .n = ask->text.used };

	/* The reason has a path in it, which strangers need not see. */
	if (ask->code != 200 && ask->why.kind != ERROR_NONE)
		log_event(ask->pages->logger, LOG_LEVEL_WARN, ask->maker->event,
			  "why=%s", ask->why.text);
	if (piece != NULL)
		http_answer_piece(request, ask->type, piece, ask->gzip);
	else if (ask->code != 200)
		http_refuse(request, ask->code, ask->sentence);
	else if (ask->text.full)
		http_refuse(request, 503, PAGE_TOO_LARGE);
	else
		http_answer(request, &whole);
}

void
page_ask_answer(struct page_ask *ask)
{
	answer(ask, ask->request, NULL);
}

static void
keep(const struct page_ask *ask, struct http_piece *piece)
{
	struct page_kept *kept = ask->kept;

	kept->gzipped = ask->gzip;
	kept->version = ask->version;
	kept->made_us = clock_us();
	page_cache_put(ask->pages->cache, kept, piece, ask->text.used);
}

/* Asks for the page again, for all that wait for it. */
static void
ask_again(struct page_ask *ask)
{
	http_ask_again(ask->request);
	for (unsigned i = 0; i < ask->others; i++)
		http_ask_again(ask->other[i]);
	page_ask_drop(ask);
}

/* Refuses a page that is not made, because the referee stops. */
static void
refuse(struct page_ask *ask)
{
	ask->code = 503;
	ask->sentence = PAGE_STOPPING;
	if (ask->kept != NULL)
		ask->kept->asked = NULL;
	answer(ask, ask->request, NULL);
	for (unsigned i = 0; i < ask->others; i++)
		answer(ask, ask->other[i], NULL);
	page_ask_drop(ask);
}

/* Returns true if all clients that wait for the page may have gone. */
static bool
may_have_gone(const struct page_ask *ask)
{
	bool gone = http_may_have_gone(ask->request);

	for (unsigned i = 0; gone && i < ask->others; i++)
		gone = http_may_have_gone(ask->other[i]);
	return gone;
}

/* Forgets a client that has made room for another. */
static void
on_away(void *arg, struct http_request *request)
{
	struct page_ask *ask = arg;
	unsigned i = 0;

	if (ask->others == 0) {
		fair_remove(&ask->pages->waiting, &ask->turn);
		if (ask->kept != NULL)
			ask->kept->asked = NULL;
		page_ask_drop(ask);
	} else if (request == ask->request) {
		ask->request = ask->other[--ask->others];
	} else {
		while (ask->other[i] != request)
			i++;
		ask->other[i] = ask->other[--ask->others];
	}
}

/* Lets a page wait for its turn. */
static void
add_waiting(struct page_ask *ask, const struct http_request *request,
	    unsigned rank)
{
	char who[HTTP_SENDER_BYTES];

	http_who(request, who);
	fair_add(&ask->pages->waiting, &ask->turn, who, rank);
	http_let_wait(ask->request, on_away, ask);
}

/* Has the next page made, if one waits.  Who may have gone comes last. */
static void
make_next(struct pages *pages)
{
	struct fair_entry *turn;
	struct page_ask *ask;

	pages->making = NULL;
	while (pages->making == NULL &&
	       (turn = fair_take(&pages->waiting)) != NULL) {
		ask = ENCLOSING(turn, struct page_ask, turn);
		if (pages->closed)
			refuse(ask);
		else if (turn->rank == 0 && pages->waiting.count > 0 &&
			 may_have_gone(ask))
			add_waiting(ask, ask->request, 1);
		else
			pages->making = ask;
	}
	if (pages->making == NULL)
		return;
	http_go_on(pages->making->request);
	thread_ask(pages->thread, &pages->making->task);
}

/* Answers with a page that was made. */
static void
finish(struct page_ask *ask)
{
	struct http_piece *piece = NULL;

	if (ask->keeps)
		piece = http_piece_new(ask->text.bytes, ask->text.used);
	if (ask->maker->answer != NULL)
		ask->maker->answer(ask);
	else
		answer(ask, ask->request, piece);
	for (unsigned i = 0; i < ask->others; i++)
		answer(ask, ask->other[i], piece);
	if (piece != NULL)
		keep(ask, piece);
	page_ask_drop(ask);
}

static void
on_made(struct thread_task *task, bool made)
{
	struct page_ask *ask = (struct page_ask *)task;

	const bool more = made && ask->more;

	if (more)
		add_waiting(ask, ask->request, 0);
	make_next(ask->pages); /* which may refuse it */
	if (more)
		return;
	if (!made) {
		refuse(ask);
		return;
	}
	if (ask->kept != NULL) {
		ask->kept->asked = NULL;
		/* Drop the old page, so that it is not sent to some clients
		 * while others are told that it cannot be made. */
		page_cache_drop(ask->pages->cache, ask->kept);
	}
	if (ask->frozen != ladders_frozen(ask->pages->ladders))
		ask_again(ask);
	else
		finish(ask);
}

void *
page_ask_new(struct pages *pages, struct http_request *request, size_t size,
	     const struct page_maker *maker)
{
	struct page_ask *ask = zeroed(1, size);

	ask->task.read = make;
	ask->task.done = on_made;
	ask->maker = maker;
	ask->pages = pages;
	ask->request = request;
	ask->frozen = ladders_frozen(pages->ladders);
	ask->type = maker->type;
	ask->code = 200;
	ask->sentence = maker->unread;
	text_init(&ask->text, maker->most);
	return ask;
}

void
page_ask_drop(struct page_ask *ask)
{
	if (ask->maker->release != NULL)
		ask->maker->release(ask);
	text_release(&ask->text);
	free(ask->other);
	free(ask);
}

void
page_ask_send(struct page_ask *ask)
{
	struct pages *pages = ask->pages;

	if (pages->making == NULL) {
		fair_init(&pages->waiting);
		pages->making = ask;
		thread_ask(pages->thread, &ask->task);
	} else {
		add_waiting(ask, ask->request, 0);
	}
}

void
page_ask_close(struct pages *pages)
{
	struct fair_entry *turn;

	pages->closed = true;
	while ((turn = fair_take(&pages->waiting)) != NULL)
		refuse(ENCLOSING(turn, struct page_ask, turn));
}

/* Lets a request wait for a page that another one has asked for.  It must not
 * wait for the turn of an address that has asked for many. */
static void
join(struct page_ask *asked, struct http_request *request)
{
	struct pages *pages = asked->pages;
	char who[HTTP_SENDER_BYTES];

	*ADDED(asked->other, asked->others) = request;
	http_let_wait(request, on_away, asked);
	http_who(request, who);
	if (asked == pages->making ||
	    (asked->turn.rank == 0 && fair_count(&pages->waiting, who) > 0))
		return;
	fair_remove(&pages->waiting, &asked->turn);
	add_waiting(asked, request, 0);
}

void
page_ask_keep(struct page_ask *ask, const char *key, uint64_t version)
{
	char whole[PAGE_KEY_BYTES];
	struct page_kept *kept;

	ask->gzip = http_takes_gzip(ask->request);
	ask->version = version;
	snprintf(whole, sizeof(whole), "%s%s", key, ask->gzip ? " z" : "");
	kept = page_cache_find(ask->pages->cache, whole);
	if (kept != NULL && kept->asked != NULL) {
		join(kept->asked, ask->request);
		page_ask_drop(ask);
	} else if (kept != NULL &&
		   page_cache_fresh(kept, version, clock_us())) {
		http_answer_piece(ask->request, ask->type, kept->piece,
				  kept->gzipped);
		page_ask_drop(ask);
	} else {
		ask->kept = kept;
		if (kept != NULL)
			kept->asked = ask;
		page_ask_send(ask);
	}
}
