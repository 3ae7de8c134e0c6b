/* referee/records/packing.h - appends the records of a ladder to packs.
 *
 * A group of records is one write and one sync.  A pack that has PACK_RECORDS
 * records or PACK_BYTES bytes is closed: a thread of its own compresses it, and
 * removes the open one.  What a kill or the end leaves of that is finished at the
 * next start. */
#ifndef REFEREE_PACKING_H
#define REFEREE_PACKING_H

#include <stdint.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

struct packing;

/* Of the ladder with this ID, which was settled and will take serial `next`, in
 * its folder of records: cuts off what is torn behind the last record of its
 * open pack, and goes on there.  NULL and an error. */
struct packing *packing_new(const char *dir, const char *ladder, int64_t next,
			    struct error *why) MUST_CHECK;
/* Does not wait for packs that are not compressed yet: a thread that is niced
 * would keep the end of a daemon for minutes on a busy machine.  NULL is fine. */
void packing_free(struct packing *packing);
/* Likewise, but waits. */
void packing_finish(struct packing *packing);

struct packing_record {
	int64_t serial;
	const char *name;	 /* of its file, if it had one */
	const struct text *text; /* whole */
	const struct text *asks; /* or NULL */
};

/* Takes what is copied into the group, by rising serial; what ended PACK_SECONDS
 * after the first record of a pack goes into the next one.  It is on disk after
 * packing_commit() only, or as packing_last() tells.  -1 and an error: the group
 * is dropped, up to this one. */
int packing_put(struct packing *packing, const struct packing_record *record,
		struct error *why) MUST_CHECK;
int packing_commit(struct packing *packing, struct error *why) MUST_CHECK;
/* The last serial that is on disk for good; those below are as well. */
int64_t packing_last(const struct packing *packing);
/* What was dropped must be gone before another group is begun: 0, or -1 and an
 * error. */
int packing_mend(struct packing *packing, struct error *why) MUST_CHECK;

#endif
