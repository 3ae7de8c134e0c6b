/* referee/import/make.h - builds and checks an imported bot before it is
 * added. */
#ifndef REFEREE_IMPORT_MAKE_H
#define REFEREE_IMPORT_MAKE_H

#include "protocol/error.h"
#include "protocol/text.h"
#include "referee/config/bot-folder.h"
#include "referee/import/incoming.h"
#include "referee/sandbox/sandbox.h"

/* Of a build; it has no network, and writes to its copy of the bot's folder
 * (BUILT_BYTES, in memory) and its /tmp alone. */
#define BUILD_MS 120000
/* Of its end, once it has been told: more than the spawner takes. */
#define BUILD_END_MS 10000
/* Of its check, which takes a minute by itself. */
#define CHECK_MS 180000
#define BUILD_MIB 2048
#define BUILD_TMP_MIB 512
#define BUILD_FILE_MIB 256
#define BUILD_PROCESSES 256
#define BUILD_LOG_BYTES 65536 /* of its output, the last of it */

/* Of the report of `referee check`, the first of it. */
#define CHECK_LOG_BYTES 262144

struct spawner;

/* Runs `build` of the manifest, if there is one; its output, and what was left
 * out of what it has made, become PATH/build.  -1 and a sentence: it failed,
 * took too long, made too much or what is not allowed, or changed the manifest.
 */
int import_build(const struct incoming *incoming,
		 const struct bot_folder *folder, struct spawner *spawner,
		 enum sandbox_tier tier, struct error *why) MUST_CHECK;
/* Its first part: only runs it, and keeps the last BUILD_LOG_BYTES of its
 * output in `log`, which has room for more.  `*made` is the folder that it has
 * made, a descriptor, owned; or -1.  -1 and a sentence. */
int import_run_build(const struct bot_folder *folder, struct spawner *spawner,
		     enum sandbox_tier tier, struct text *log, int *made,
		     struct error *why) MUST_CHECK;
/* Has `referee check --quick` look at it; the report becomes PATH/check.  0,
 * or -1 and an error: ERROR_ANSWER if something is wrong with the bot. */
int import_check(const struct incoming *incoming, enum sandbox_want want,
		 struct error *why) MUST_CHECK;

#endif
