/* referee/http/gzip.c - see gzip.h. */
#include "referee/http/gzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST /* it does not write what it reads */
#include <zlib.h>

/* A ladder's page of 87 KB: 0.5 ms, to 14 % of its bytes; 6 takes twice the time,
 * to 12.5 %, 1 takes 0.3 ms, to 15.5 %. */
#define LEVEL 4
#define GZIP_BITS (15 + 16) /* the largest window, and a gzip header */
#define MEMORY 8	    /* zlib's default */

bool
gzip_add(struct text *to, const void *bytes, size_t n)
{
	z_stream stream = { .next_in = bytes, .avail_in = (uInt)n };
	unsigned char *packed;
	int result;

	if (n == 0 || n > UINT32_MAX)
		return false;
	packed = memory(NULL, n);
	stream.next_out = packed;
	stream.avail_out = (uInt)(n - 1);
	if (deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP_BITS, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		bug("out of memory");
	result = deflate(&stream, Z_FINISH);
	if (result == Z_STREAM_END)
		text_add(to, packed, stream.total_out);
	(void)deflateEnd(&stream);
	free(packed);
	return result == Z_STREAM_END;
}

struct packing {
	struct worker_thread_job job; /* first: the thread gives it back */
	gzip_done *done;
	void *arg;
	char *bytes; /* owned */
	size_t n;
	struct text packed;
	bool smaller;
};

static void
pack(struct worker_thread_job *job)
{
	struct packing *packing = (struct packing *)job;

	packing->smaller =
		gzip_add(&packing->packed, packing->bytes, packing->n);
}

static void
on_packed(struct worker_thread_job *job, bool read UNUSED)
{
	struct packing *packing = (struct packing *)job;
	const struct text *packed = &packing->packed;

	if (packing->smaller)
		packing->done(packing->arg, packed->bytes, packed->used, true);
	else
		packing->done(packing->arg, packing->bytes, packing->n, false);
	text_release(&packing->packed);
	free(packing->bytes);
	free(packing);
}

void
gzip_give(struct worker_thread *thread, const void *bytes, size_t n,
	  gzip_done *done, void *arg)
{
	struct packing *packing = zeroed(1, sizeof(*packing));

	packing->job.read = pack;
	packing->job.done = on_packed;
	packing->done = done;
	packing->arg = arg;
	packing->bytes = memory(NULL, n);
	packing->n = n;
	memcpy(packing->bytes, bytes, n);
	text_init(&packing->packed, SIZE_MAX);
	if (thread != NULL) {
		worker_thread_ask(thread, &packing->job);
		return;
	}
	pack(&packing->job);
	on_packed(&packing->job, true);
}
