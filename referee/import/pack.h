/* referee/import/pack.h - a bot as it was imported, before its build, as bytes
 * that travel: a tar archive, gzipped.
 *
 * A build changes the folder.  So what is built keeps its pack beside it, as
 * DATA/bots/HASH/source.tar.gz; any other is packed when it is asked for. */
#ifndef REFEREE_IMPORT_PACK_H
#define REFEREE_IMPORT_PACK_H

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/import/incoming.h"

/* Keeps the files in PATH/bot, before their build, as PATH/source.tar.gz.  -1
 * and a sentence. */
int import_keep_source(const struct incoming *incoming,
		       struct error *why) MUST_CHECK;
/* The same bot came again, into the folder `from`: its source is kept in `to`,
 * too, if it is not there. */
void import_lend_source(const char *from, const char *to);
/* What was imported as DATA/bots/HASH, into `to`, which has room for
 * BOT_PACK_BYTES.  -1 and a sentence. */
int import_pack(const char *data, const char *hash, struct text *to,
		struct error *why) MUST_CHECK;

#endif
