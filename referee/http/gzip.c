/* referee/http/gzip.c - see gzip.h. */
#include "referee/http/gzip.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/gzip.h"
#include "protocol/text.h"

struct packing {
	struct thread_task task; /* first member: the thread gives it back */
	gzip_done *done;
	void *arg;
	char *bytes; /* owned */
	size_t n;
	struct text packed;
	bool smaller;
};

static void
pack(struct thread_task *task)
{
	struct packing *packing = (struct packing *)task;

	packing->smaller =
		gzip_all(&packing->packed, packing->bytes, packing->n);
}

static void
on_packed(struct thread_task *task, bool read UNUSED)
{
	struct packing *packing = (struct packing *)task;
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
gzip_give(struct thread *thread, const void *bytes, size_t n, gzip_done *done,
	  void *arg)
{
	struct packing *packing = zeroed(1, sizeof(*packing));

	packing->task.read = pack;
	packing->task.done = on_packed;
	packing->done = done;
	packing->arg = arg;
	packing->bytes = memory(NULL, n);
	packing->n = n;
	memcpy(packing->bytes, bytes, n);
	if (thread != NULL) {
		thread_ask(thread, &packing->task);
		return;
	}
	pack(&packing->task);
	on_packed(&packing->task, true);
}
