/* referee/http/http-gzip.c - answers that are gzipped on their way: small ones
 * at once, others by the worker thread. */
#include <stdlib.h>
#include <string.h>

#include "referee/base/serve-limits.h"
#include "referee/http/gzip.h"
#include "referee/http/http-inside.h"

struct packing {
	struct worker_thread_job job; /* first: the thread gives it back */
	struct http_request *request;
	struct http_answer answer;
	char *bytes; /* of the answer; owned */
	struct text packed;
	bool smaller;
};

static void
reply_packed(struct http_request *request, const struct http_answer *answer,
	     const struct text *packed)
{
	struct http_answer gzipped = *answer;

	gzipped.bytes = packed->bytes;
	gzipped.n = packed->used;
	gzipped.gzipped = true;
	http_reply(request, &gzipped);
}

static void
pack(struct worker_thread_job *job)
{
	struct packing *packing = (struct packing *)job;

	packing->smaller =
		gzip_add(&packing->packed, packing->bytes, packing->answer.n);
}

static void
on_packed(struct worker_thread_job *job, bool read UNUSED)
{
	struct packing *packing = (struct packing *)job;

	packing->request->connection->packing = 0;
	if (packing->smaller)
		reply_packed(packing->request, &packing->answer,
			     &packing->packed);
	else
		http_reply(packing->request, &packing->answer);
	text_release(&packing->packed);
	free(packing->bytes);
	free(packing);
}

/* The thread has a copy: the caller's bytes may go. */
static void
pack_later(struct http_request *request, const struct http_answer *answer)
{
	struct packing *packing = zeroed(1, sizeof(*packing));

	packing->job.read = pack;
	packing->job.done = on_packed;
	packing->request = request;
	packing->answer = *answer;
	packing->answer.bytes = packing->bytes = memory(NULL, answer->n);
	memcpy(packing->bytes, answer->bytes, answer->n);
	text_init(&packing->packed, SIZE_MAX);
	request->connection->packing = answer->n;
	worker_thread_ask(request->connection->http->thread, &packing->job);
}

void
http_pack(struct http_request *request, const struct http_answer *answer)
{
	struct text packed;

	if (answer->n > SERVE_GZIP_NOW_BYTES) {
		pack_later(request, answer);
		return;
	}
	text_init(&packed, SIZE_MAX);
	if (gzip_add(&packed, answer->bytes, answer->n))
		reply_packed(request, answer, &packed);
	else
		http_reply(request, answer);
	text_release(&packed);
}
