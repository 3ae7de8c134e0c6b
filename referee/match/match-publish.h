/* referee/match/match-publish.h - a block is over: its records are moved up by
 * the writer's thread. */
#ifndef REFEREE_MATCH_PUBLISH_H
#define REFEREE_MATCH_PUBLISH_H

#include <stdint.h>

#include "ladder/store.h"
#include "protocol/limits.h"
#include "referee/records/writer.h"

/* By writer_tell(); `why` is NULL, or a sentence: they stay where they are. */
typedef void match_published(void *arg, const char *why);

/* Submits the block that game `number` of the match with this seed belongs to;
 * `dir`: where its records go. */
void match_publish(struct writer *writer, const char *dir, const char *seed,
		   unsigned seats, uint64_t number, match_published *published,
		   void *arg);

#endif
