/* referee/queue/bot-keep.h - a process that takes one bot in: unpacks it, looks
 * whether it is the one, builds it in a sandbox, and puts it where it stays
 * (referee/import/incoming.h).
 *
 * It is this program, executed again by bot-cache.h, with the bot's pack
 * (referee/import/pack.h) as standard input; what goes wrong is told by a
 * sentence on standard output, which is a pipe.  It dies with its parent. */
#ifndef REFEREE_BOT_KEEP_H
#define REFEREE_BOT_KEEP_H

#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/subprocess.h"
#include "referee/sandbox/sandbox.h"

/* `referee BOT_KEEP_COMMAND DATA HASH WANT MINIMUM` */
#define BOT_KEEP_COMMAND "keep-bot"
#define BOT_KEEP_WORDS 4
/* In DATA/bots/HASH: how many bytes there are, in digits.  It marks what is a
 * worker's. */
#define BOT_KEEP_BYTES_FILE "bytes"

/* How many bytes a folder has, without that note.  -1 and a sentence. */
int bot_keep_sum(const char *folder, uint64_t *bytes,
		 struct error *why) MUST_CHECK;

/* The exit code. */
int bot_keep(char *const word[BOT_KEEP_WORDS]) MUST_CHECK;

#define BOT_KEEP_MS 240000 /* more than its build may take */
/* Starts one for its parent, whose `pack` it reads from its beginning; its output
 * is the sentence.  Returns NULL and errno if that fails. */
struct subprocess *bot_keep_start(const char *data, const char *hash,
				  enum sandbox_want want,
				  enum sandbox_tier minimum,
				  int pack) MUST_CHECK;

#endif
