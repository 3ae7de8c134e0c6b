/* referee/import/make.h - builds and checks an imported bot before it is
 * added. */
#ifndef REFEREE_IMPORT_MAKE_H
#define REFEREE_IMPORT_MAKE_H

#include "protocol/error.h"
#include "protocol/text.h"
#include "referee/config/bot-folder.h"
#include "referee/import/incoming.h"
#include "referee/sandbox/sandbox.h"

/* Time of a build.  It has no network, and writes only to its copy of the bot's
 * folder (BUILT_BYTES, in memory) and its /tmp. */
#define BUILD_MS 120000
/* Time to end once it was told: more than the spawner takes. */
#define BUILD_END_MS 10000
/* Time of its check, which takes a minute by itself. */
#define CHECK_MS 180000
#define BUILD_MIB 2048
#define BUILD_TMP_MIB 512
#define BUILD_FILE_MIB 256
#define BUILD_PROCESSES 256
#define BUILD_LOG_BYTES 65536 /* the last bytes of its output */

/* The first bytes of the report of `referee check`. */
#define CHECK_LOG_BYTES 262144

struct spawner;

/* Runs the manifest's `build`, if there is one.  PATH/build gets its output and
 * a list of the entries that were left out.  Returns 0; or -1 and a sentence if
 * it failed, took too long, made too much or something that is not allowed, or
 * changed the manifest. */
int import_build(const struct incoming *incoming,
		 const struct bot_folder *folder, struct spawner *spawner,
		 enum sandbox_tier tier, struct error *why) MUST_CHECK;
/* The first part of import_build(): only runs the build, and keeps the last
 * BUILD_LOG_BYTES of its output in `log`, which has room for more.  `*made` is
 * a descriptor of the folder that it has made, owned by the caller, or -1.
 * Returns 0, or -1 and a sentence. */
int import_run_build(const struct bot_folder *folder, struct spawner *spawner,
		     enum sandbox_tier tier, struct text *log, int *made,
		     struct error *why) MUST_CHECK;
/* Runs `referee check --quick` on the bot, which has so many processes in its box;
 * the report becomes PATH/check.  Returns 0, or -1 and an error: ERROR_ANSWER if
 * something is wrong with the bot. */
int import_check(const struct incoming *incoming, enum sandbox_want want,
		 unsigned processes, struct error *why) MUST_CHECK;

#endif
