/* referee/import/pack.h - packs a bot as it was imported, before its build,
 * into a gzipped tar archive.
 *
 * A build changes the folder.  So a built bot keeps its pack as
 * DATA/bots/HASH/source.tar.gz; any other is packed when it is needed. */
#ifndef REFEREE_IMPORT_PACK_H
#define REFEREE_IMPORT_PACK_H

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/import/incoming.h"

/* Keeps the files in PATH/bot, before their build, as PATH/source.tar.gz.
 * Returns 0, or -1 and a sentence. */
int import_keep_source(const struct incoming *incoming,
		       struct error *why) MUST_CHECK;
/* Keeps the source of a bot that came again, into the folder `from`, also in
 * `to`, if it is not there. */
void import_lend_source(const char *from, const char *to);
/* Appends the pack of DATA/bots/HASH to `to`, which has room for
 * BOT_PACK_BYTES. Returns 0, or -1 and a sentence. */
int import_pack(const char *data, const char *hash, struct text *to,
		struct error *why) MUST_CHECK;

#endif
