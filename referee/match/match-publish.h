/* referee/match/match-publish.h - a block is over: its records are moved up by
 * the writer's thread. */
#ifndef REFEREE_MATCH_PUBLISH_H
#define REFEREE_MATCH_PUBLISH_H

#include <stdint.h>

#include "ladder/store.h"
#include "protocol/limits.h"
#include "referee/records/writer.h"

/* Submits the block that game `number` of the match with this seed belongs to;
 * `dir`: where its records go.  Free the job when it comes back. */
void match_publish(struct writer *writer, const char *dir, const char *seed,
		   unsigned seats, uint64_t number);

#endif
