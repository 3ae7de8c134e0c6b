/* referee/records/log-packs.c - see log-packs.h. */
#include "referee/records/log-packs.h"

#include <stdlib.h>

#include "referee/records/packing.h"

struct packs {
	struct ladder_log log; /* first */
	struct packing *packing;
	int64_t folder;
};

static int
put_all(struct packs *packs, struct log_entry *group, struct error *why)
{
	char name[LADDER_FILE_BYTES];
	struct packing_record record;

	for (; group != NULL; group = group->next) {
		ladder_file_name(group->kind, group->serial, group->id, name);
		record = (struct packing_record){ .serial = group->serial,
						  .name = name,
						  .text = group->text,
						  .asks = group->asks };
		group->folder = packs->folder;
		if (packing_put(packs->packing, &record, why) < 0)
			return -1;
	}
	return packing_commit(packs->packing, why);
}

static int
packs_append(struct ladder_log *log, struct log_entry *group, struct error *why)
{
	struct packs *packs = (struct packs *)log;
	int result;

	/* A dropped entry must be gone before its serial comes again. */
	if (packing_mend(packs->packing, why) < 0)
		return -1;
	result = put_all(packs, group, why);
	log->last = log->here = packing_last(packs->packing);
	for (; group != NULL; group = group->next)
		group->durable = group->serial <= log->last;
	return result;
}

static void
packs_free(struct ladder_log *log)
{
	struct packs *packs = (struct packs *)log;

	packing_free(packs->packing);
	free(packs);
}

static const struct ladder_log_ops packs_ops = {
	.append = packs_append,
	.read = ladder_log_read,
	.free = packs_free,
};

int
log_packs_open(struct ladder *ladder, const char *dir, struct ladder_log **log,
	       struct error *why)
{
	struct packs *packs = zeroed(1, sizeof(*packs));
	int result = ladder_folder(ladder, dir, &packs->folder, why);

	packs->log.ops = &packs_ops;
	packs->log.ladder = ladder;
	if (result == 0)
		result = ladder_log_look(&packs->log, dir, why);
	if (result == 0) {
		packs->packing = packing_new(dir, ladder_id(ladder),
					     packs->log.last + 1, why);
		result = packs->packing == NULL ? -1 : 0;
	}
	*log = result < 0 ? NULL : &packs->log;
	if (result < 0)
		ladder_log_free(&packs->log);
	return result;
}
