/* referee/queue/bot-keep.h - a process that takes one bot in: it unpacks the
 * bot, checks its hash, builds it in a sandbox, and moves it into its folder
 * (referee/import/incoming.h).
 *
 * It is this program, executed again, with the bot's pack
 * (referee/import/pack.h) as standard input.  If something goes wrong, it
 * writes a sentence to standard output, which is a pipe.  It dies with its
 * parent. */
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
/* The file in DATA/bots/HASH that holds the number of its bytes in digits.  It
 * marks a folder as one of a machine. */
#define BOT_KEEP_BYTES_FILE "bytes"

/* Sums up the bytes of a folder, without that file.  Returns 0, or -1 and an
 * error. */
int bot_keep_sum(const char *folder, uint64_t *bytes,
		 struct error *why) MUST_CHECK;

/* Runs the command.  Returns the exit code. */
int bot_keep(char *const word[BOT_KEEP_WORDS]) MUST_CHECK;

#define BOT_KEEP_MS 240000 /* longer than its build may take */
/* Starts such a process for its parent.  It reads the descriptor `pack` from
 * its beginning, and its output is the sentence.  Returns NULL and sets errno
 * if that fails. */
struct subprocess *bot_keep_start(const char *data, const char *hash,
				  enum sandbox_want want,
				  enum sandbox_tier minimum,
				  int pack) MUST_CHECK;

#endif
