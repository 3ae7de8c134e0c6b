/* referee/queue/bot-keep.c - see bot-keep.h. */
#include "referee/queue/bot-keep.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "referee/base/command.h"
#include "referee/config/bot-folder.h"
#include "referee/import/files.h"
#include "referee/import/incoming.h"
#include "referee/import/listing.h"
#include "referee/import/make.h"
#include "referee/import/pack.h"
#include "referee/spawner/spawner.h"

struct keep {
	const char *data, *hash;
	struct spawner *spawner;
	enum sandbox_tier tier;
	struct incoming incoming;
};

/* ---- in the process --------------------------------------------------- */

static int
unpack(const struct keep *keep, struct error *why)
{
	char found[ROSTER_CONTENT_BYTES + 1];

	if (import_unpack("/dev/stdin", keep->incoming.bot, why) < 0 ||
	    import_hash(keep->incoming.bot, found, why) < 0)
		return -1;
	if (strcmp(found, keep->hash) == 0)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "what came is another bot, of hash %s", found);
}

static int
build(const struct keep *keep, struct error *why)
{
	struct bot_folder *folder = bot_folder_read(keep->incoming.bot, why);
	int result;

	if (folder == NULL)
		return -1;
	/* A daemon that takes over may need the source. */
	if (folder->build != NULL &&
	    import_keep_source(&keep->incoming, why) < 0) {
		bot_folder_free(folder);
		return -1;
	}
	result = import_build(&keep->incoming, folder, keep->spawner,
			      keep->tier, why);
	if (result == 0 && !bot_folder_ready(folder, keep->tier, why)) {
		/* The machine is not at fault: it can play other bots. */
		why->kind = ERROR_INPUT;
		result = -1;
	}
	bot_folder_free(folder);
	return result;
}

int
bot_keep_sum(const char *folder, uint64_t *bytes, struct error *why)
{
	struct listing all = { NULL, 0 };
	int result = listing_read(folder, 2 * BUILT_FILES, &all, why);

	*bytes = 0;
	for (size_t i = 0; i < all.count; i++)
		if (strcmp(all.item[i].path, BOT_KEEP_BYTES_FILE) != 0)
			*bytes += (uint64_t)all.item[i].size;
	listing_release(&all);
	return result;
}

static int
note_bytes(const struct keep *keep, struct error *why)
{
	char path[IMPORT_PATH_BYTES + 8], digits[32];
	uint64_t bytes;

	if (bot_keep_sum(keep->incoming.path, &bytes, why) < 0)
		return -1;
	snprintf(path, sizeof(path), "%s/" BOT_KEEP_BYTES_FILE,
		 keep->incoming.path);
	snprintf(digits, sizeof(digits), "%" PRIu64 "\n", bytes);
	if (file_make(path, 0, digits, strlen(digits)) == 0)
		return 0;
	return path_error(why, ERROR_MACHINE, "write", path);
}

static int
move(const struct keep *keep, struct error *why)
{
	char to[IMPORT_PATH_BYTES], below[IMPORT_PATH_BYTES];

	import_path(keep->data, "", "", below);
	import_path(keep->data, keep->hash, "", to);
	if (syncfs(keep->incoming.fd) == 0 && folder_make(below, 0700) == 0 &&
	    rename_durably(keep->incoming.path, to) == 0)
		return 0;
	return path_error(why, ERROR_MACHINE, "make", to);
}

static int
take_in(struct keep *keep, struct error *why)
{
	int result;

	incoming_sweep(keep->data);
	if (incoming_open(keep->data, &keep->incoming, why) < 0)
		return -1;
	result = unpack(keep, why);
	if (result == 0)
		result = build(keep, why);
	if (result == 0)
		result = note_bytes(keep, why);
	if (result == 0)
		result = move(keep, why);
	incoming_close(&keep->incoming);
	return result;
}

static int
choose(struct keep *keep, const char *want, const char *minimum,
       struct error *why)
{
	unsigned w = 0, m = 0;

	while (sandbox_wants[w] != NULL && strcmp(sandbox_wants[w], want) != 0)
		w++;
	while (sandbox_tiers[m] != NULL &&
	       strcmp(sandbox_tiers[m], minimum) != 0)
		m++;
	if (sandbox_wants[w] == NULL || sandbox_tiers[m] == NULL)
		return error_set(why, ERROR_INPUT, "unknown sandbox");
	return sandbox_choose((enum sandbox_want)w, (enum sandbox_tier)m,
			      &keep->tier, why);
}

int
bot_keep(char *const word[BOT_KEEP_WORDS])
{
	struct keep keep = { .data = word[0], .hash = word[1] };
	struct error why;
	struct stat st;
	int result;

	/* Refuses the command if a user has typed it. */
	if (fstat(STDOUT_FILENO, &st) < 0 || !S_ISFIFO(st.st_mode))
		return complain_usage("`" BOT_KEEP_COMMAND
				      "` is for the referee itself");
	result = choose(&keep, word[2], word[3], &why);
	if (result == 0 && (keep.spawner = spawner_new()) == NULL)
		result = error_set(&why, ERROR_MACHINE,
				   "cannot make the process that starts "
				   "builds: %m");
	if (result == 0) {
		result = take_in(&keep, &why);
		spawner_free(keep.spawner);
	}
	if (result == 0)
		return EXIT_DONE;
	fputs(why.text, stdout);
	return (int)why.kind;
}

/* ---- by its parent ---------------------------------------------------- */

struct subprocess *
bot_keep_start(const char *data, const char *hash, enum sandbox_want want,
	       enum sandbox_tier minimum, int pack)
{
	const char *const argv[] = {
		"referee",	     BOT_KEEP_COMMAND,	     data, hash,
		sandbox_wants[want], sandbox_tiers[minimum], NULL
	};

	return subprocess_start(
		&(struct subprocess_order){ .argv = argv,
					    .in = pack,
					    .errors_apart = true,
					    .most = ERROR_BYTES - 1,
					    .ms = BOT_KEEP_MS });
}
