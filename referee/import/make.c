/* referee/import/make.c - see make.h. */
#include "referee/import/make.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "protocol/file.h"
#include "referee/base/subprocess.h"
#include "referee/import/files.h"
#include "referee/import/tree.h"

#define WRONG_BYTES 600 /* of what a check has found wrong first */

#define LEFT_OUT_BYTES                                                         \
	32768 /* bytes of the first lines about entries that are
			      * left out */

/* ---- the manifest ----------------------------------------------------- */

/* Reads the manifest; `bytes` becomes full if it is too large.  Returns -1 if
 * there is none. */
static int
read_manifest(const char *folder, struct text *bytes)
{
	char path[IMPORT_PATH_BYTES + 24];

	text_init(bytes, MANIFEST_BYTES);
	snprintf(path, sizeof(path), "%s/" BOT_FOLDER_MANIFEST, folder);
	return file_load_regular(path, bytes);
}

/* Checks that a build has not changed the manifest that was sent in. */
static int
check_manifest(const char *folder, const struct text *was, struct error *why)
{
	struct text now;
	bool same = read_manifest(folder, &now) == 0 && !now.full &&
		    now.used == was->used &&
		    memcmp(now.bytes, was->bytes, now.used) == 0;

	text_release(&now);
	if (same)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "its build has changed " BOT_FOLDER_MANIFEST
			 "; only the uploaded one counts");
}

/* ---- what it has made ------------------------------------------------- */

/* Puts the result of the build in the place of what was sent in. */
static int
replace(const struct incoming *incoming, struct error *why)
{
	if (tree_remove(incoming->fd, "bot") == 0 &&
	    renameat(incoming->fd, "made", incoming->fd, "bot") == 0)
		return 0;
	return error_set(why, ERROR_MACHINE, "cannot replace %s/bot: %m",
			 incoming->path);
}

static int
take_over(const struct incoming *incoming, int home, const struct text *was,
	  struct text *left_out, struct error *why)
{
	char made[IMPORT_PATH_BYTES + 8];

	snprintf(made, sizeof(made), "%s/made", incoming->path);
	if (mkdir(made, 0755) < 0)
		return error_set(why, ERROR_MACHINE, "cannot make %s: %m",
				 made);
	if (import_built(home, made, left_out, why) < 0 ||
	    check_manifest(made, was, why) < 0)
		return -1;
	return replace(incoming, why);
}

/* ---- the build -------------------------------------------------------- */

int
import_build(const struct incoming *incoming, const struct bot_folder *folder,
	     struct spawner *spawner, enum sandbox_tier tier, struct error *why)
{
	struct text was, log = { .max = BUILD_LOG_BYTES + LEFT_OUT_BYTES },
			 left_out = { .max = LEFT_OUT_BYTES };
	struct error ignored;
	int home = -1, result;

	if (folder->build == NULL)
		return 0;
	if (read_manifest(folder->path, &was) < 0)
		bug("%s has a manifest, and has not", folder->path);
	result = import_run_build(folder, spawner, tier, &log, &home, why);
	if (result == 0)
		result = take_over(incoming, home, &was, &left_out, why);
	close_quietly(home);
	text_add(&log, left_out.bytes, left_out.used);
	if (incoming_write(incoming, "build", &log,
			   result == 0 ? why : &ignored) < 0)
		result = -1;
	text_release(&left_out);
	text_release(&log);
	text_release(&was);
	return result;
}

/* ---- the check -------------------------------------------------------- */

/* Returns the report, without what the check has said at its start. */
static const char *
skip_start(const char *report)
{
	while (strncmp(report, "referee: ", 9) == 0 ||
	       strncmp(report, "checking ", 9) == 0) {
		report += strcspn(report, "\n");
		report += *report == '\n';
	}
	return report;
}

/* Says what is wrong with the bot: the report begins with it. */
static void
say_wrong(struct text *output, struct error *why)
{
	const char *first = skip_start(text_string(output));
	size_t n = strcspn(first, "\n");

	if (n > WRONG_BYTES)
		n = WRONG_BYTES;
	error_set(why, ERROR_ANSWER,
		  "`referee check` found something wrong with the bot%s%.*s",
		  n > 0 ? ": " : "", (int)n, first);
}

int
import_check(const struct incoming *incoming, enum sandbox_want want,
	     unsigned processes, struct error *why)
{
	char limit[32];
	const char *const argv[] = {
		"referee",
		"check",
		"--quick",
		"--sandbox",
		sandbox_wants[want],
		incoming->bot,
		want == SANDBOX_OFF ? NULL : limit,
		NULL,
	};
	struct subprocess *process;
	struct subprocess_end *end;
	int code;

	snprintf(limit, sizeof(limit), "--processes=%u", processes);
	process = subprocess_start(
		&(struct subprocess_order){ .argv = argv,
					    .in = -1,
					    .most = CHECK_LOG_BYTES,
					    .ms = CHECK_MS });
	if (process == NULL)
		return error_set(why, ERROR_MACHINE,
				 "cannot start its check: %m");
	end = subprocess_wait(process, -1, 0);
	code = WIFEXITED(end->status) ? WEXITSTATUS(end->status)
				      : ERROR_MACHINE;
	if (code == ERROR_ANSWER)
		say_wrong(&end->output, why);
	else if (code != ERROR_NONE)
		error_set(why,
			  code == ERROR_INPUT ? ERROR_ANSWER : ERROR_MACHINE,
			  "cannot check the bot");
	if (incoming_write(incoming, "check", &end->output, why) < 0)
		code = ERROR_MACHINE;
	subprocess_free(process);
	return code == ERROR_NONE ? 0 : -1;
}
