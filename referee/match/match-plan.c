/* referee/match/match-plan.c - see match-plan.h. */
#include "referee/match/match-plan.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "referee/base/hash.h"
#include "referee/base/json-line.h"

/* ---- the bots ---------------------------------------------------------- */

/* Hashes the content of a file; does nothing if `path` is no file. */
static int
hash_file(crypto_generichash_state *hash, const char *path, struct error *why)
{
	unsigned char bytes[16384];
	uint64_t size = 0;
	struct stat st;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		goto failed;
	while (S_ISREG(st.st_mode) &&
	       (n = read(fd, bytes, sizeof(bytes))) != 0) {
		if (n < 0)
			goto failed;
		crypto_generichash_update(hash, bytes, (size_t)n);
		size += (uint64_t)n;
	}
	hash_part(hash, &size, sizeof(size));
	close(fd);
	return 0;
failed:
	error_set(why, ERROR_MACHINE, "cannot read the bot's file %s: %m",
		  quoted(path).text);
	if (fd >= 0)
		close(fd);
	return -1;
}

static int
by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Returns true for files that no bot brought along: what the match writes
 * (`hide` is the whole list) and Python's caches. */
static bool
is_kept(const FTSENT *entry, char *const *hide)
{
	if (entry->fts_level == 0)
		return false;
	for (; hide != NULL && *hide != NULL; hide++)
		if (strcmp(*hide, entry->fts_path) == 0)
			return true;
	return entry->fts_info == FTS_D &&
	       strcmp(entry->fts_name, "__pycache__") == 0;
}

static int
hash_folder(crypto_generichash_state *hash, const char *folder,
	    char *const *hide, struct error *why)
{
	char *root[] = { realpath(folder, NULL), NULL };
	FTS *fts = root[0] == NULL ? NULL
				   : fts_open(root, FTS_PHYSICAL | FTS_NOCHDIR,
					      by_name);
	FTSENT *entry;
	int result = 0;

	if (fts == NULL)
		result = error_set(why, ERROR_MACHINE,
				   "cannot read the folder %s: %m",
				   quoted(folder).text);
	while (result == 0 && (entry = fts_read(fts)) != NULL) {
		if (is_kept(entry, hide)) {
			fts_set(fts, entry, FTS_SKIP);
			continue;
		}
		if (entry->fts_info != FTS_F)
			continue;
		hash_part(hash, entry->fts_path + strlen(root[0]),
			  strlen(entry->fts_path) - strlen(root[0]));
		result = hash_file(hash, entry->fts_accpath, why);
	}
	if (fts != NULL)
		fts_close(fts);
	free(root[0]);
	return result;
}

/* Relative words of a bot with a folder are in that folder, which is hashed as a
 * whole, and not in ours, which we may not be allowed to search. */
static int
hash_command(crypto_generichash_state *hash, const struct match_bot *bot,
	     struct error *why)
{
	char *const *argv = bot->argv;

	for (unsigned i = 0; argv[i] != NULL; i++) {
		hash_string(hash, argv[i]);
		if (bot->folder != NULL && argv[i][0] != '/')
			continue;
		if (hash_file(hash, argv[i], why) < 0)
			return -1;
	}
	return 0;
}

/* Returns the bot's line of the plan; NULL and an error if a file cannot be
 * read.  Its hash has the words of its command and the content of those that
 * are files; of a folder the names and contents of all files in it. */
static json_t *
describe_bot(const struct match_bot *bot, struct error *why)
{
	char hex[2 * HASH_BYTES + 1];
	unsigned char sum[HASH_BYTES];
	crypto_generichash_state hash;
	int result = 0;

	hash_begin(&hash, NULL, 0);
	if (bot->builtin != NULL)
		hash_string(&hash, bot->builtin);
	else
		result = hash_command(&hash, bot, why);
	if (result == 0 && bot->folder != NULL)
		result = hash_folder(&hash, bot->folder, bot->box.hide, why);
	if (result < 0)
		return NULL;
	hash_end(&hash, sum);
	sodium_bin2hex(hex, sizeof(hex), sum, sizeof(sum));
	return JSON_OBJECT(TEXT("name", bot->name), TEXT("hash", hex),
			   BOOL("entropy", bot->entropy),
			   BOOL("reuse", bot->reuse));
}

/* ---- the plan ---------------------------------------------------------- */

static json_t *
describe(const struct match_setup *setup, struct error *why)
{
	json_t *bots = json_array(), *bot, *plan;
	char options[LADDER_OPTIONS_BYTES], seed[2 * SEED_BYTES + 1];
	char stop[CONTEST_TEXT_BYTES] = "";

	for (unsigned b = 0; b < setup->bots; b++) {
		bot = describe_bot(&setup->bot[b], why);
		if (bot == NULL) {
			json_decref(bots);
			return NULL;
		}
		json_array_append_new(bots, bot);
	}
	if (setup->contest != NULL)
		contest_write(setup->contest, stop);
	game_setup_text(&setup->game, false, options, sizeof(options));
	sodium_bin2hex(seed, sizeof(seed), (const unsigned char *)setup->seed,
		       strlen(setup->seed));
	plan = JSON_OBJECT(
		INT("plan", 1), TEXT("game", setup->game.rules->name),
		INT("version", setup->game.rules->version),
		TEXT("options", options), INT("seats", setup->game.seats),
		TEXT("open", setup->arrival ? "arrival" : "priority"),
		JSON("times",
		     JSON_ARRAY(json_integer(setup->clock.time_us),
				json_integer(setup->clock.bank_us),
				json_integer(setup->clock.increment_us),
				json_integer(setup->clock.total_us))),
		INT("faults", setup->faults), BOOL("asks", setup->record_asks),
		BOOL("ponder", !setup->no_pondering),
		BOOL("as_ladder", setup->no_names), TEXT("stop", stop),
		BOOL("duplicate", setup->duplicate),
		TEXT("ladder", setup->ladder == NULL ? "" : setup->ladder),
		TEXT("seed", seed), BOOL("seeded", setup->seeded),
		JSON("bots", bots));

	/* The number of a tournament's games may depend on the seed. */
	if (setup->tournament != NULL)
		JSON_ADD(plan, TEXT("tournament", setup->tournament));
	else
		JSON_ADD(plan, INT("games", setup->games));
	return plan;
}

#define DIFFERENCE_BYTES 160

static const char *
name_of(const json_t *bot)
{
	const char *name = json_string_value(json_object_get(bot, "name"));

	return name == NULL ? "" : name;
}

/* Returns the first bot of the list with that name, or NULL. */
static json_t *
find_bot(const json_t *bots, const char *name)
{
	for (size_t i = 0; i < json_array_size(bots); i++)
		if (strcmp(name_of(json_array_get(bots, i)), name) == 0)
			return json_array_get(bots, i);
	return NULL;
}

/* Returns the first bot of `bots` that `others` do not have by name, or NULL. */
static const json_t *
find_missing(const json_t *bots, const json_t *others)
{
	const json_t *bot;

	for (size_t i = 0; i < json_array_size(bots); i++) {
		bot = json_array_get(bots, i);
		if (find_bot(others, name_of(bot)) == NULL)
			return bot;
	}
	return NULL;
}

/* Writes what differs between the bots of the old plan and those of now. */
static void
find_difference_of_bots(const json_t *was, const json_t *is,
			char to[DIFFERENCE_BYTES])
{
	const json_t *gone = find_missing(was, is);
	const json_t *new = find_missing(is, was);
	json_t *bot;
	size_t i;

	if (gone != NULL && new != NULL)
		snprintf(to, DIFFERENCE_BYTES,
			 "has the bot %.50s instead of %.50s", name_of(gone),
			 name_of(new));
	else if (gone != NULL)
		snprintf(to, DIFFERENCE_BYTES, "also has the bot %.50s",
			 name_of(gone));
	else if (new != NULL)
		snprintf(to, DIFFERENCE_BYTES, "does not have the bot %.50s",
			 name_of(new));
	if (gone != NULL || new != NULL)
		return;
	snprintf(to, DIFFERENCE_BYTES, "has the bots in another order");
	json_array_foreach(is, i, bot)
	{
		if (json_equal(bot, find_bot(was, name_of(bot))))
			continue;
		snprintf(to, DIFFERENCE_BYTES, "differs in bot %.50s",
			 name_of(bot));
		return;
	}
}

/* Writes what differs between the old plan and that of now. */
static void
find_difference(const json_t *was, json_t *is, char to[DIFFERENCE_BYTES])
{
	const char *key;
	json_t *value;

	json_object_foreach(is, key, value)
	{
		if (strcmp(key, "bots") == 0 ||
		    json_equal(value, json_object_get(was, key)))
			continue;
		snprintf(to, DIFFERENCE_BYTES, "differs in `%.50s`", key);
		return;
	}
	if (json_equal(json_object_get(was, "bots"),
		       json_object_get(is, "bots")))
		snprintf(to, DIFFERENCE_BYTES, "differs in its plan");
	else
		find_difference_of_bots(json_object_get(was, "bots"),
					json_object_get(is, "bots"), to);
}

static int
compare(json_t *was, json_t *is, const char *dir, struct error *why)
{
	char difference[DIFFERENCE_BYTES];

	if (json_equal(was, is))
		return 0;
	find_difference(was, is, difference);
	return error_set(why, ERROR_INPUT,
			 "%s has another match, which %s; give the same "
			 "arguments and bots, or another folder",
			 quoted(dir).text, difference);
}

/* ---- its file ---------------------------------------------------------- */

static int
cannot(struct error *why, const char *what, const char *path)
{
	return error_set(why, ERROR_MACHINE, "cannot %s the plan %s: %m", what,
			 quoted(path).text);
}

static int
write_plan(const json_t *plan, const char *path, struct error *why)
{
	char *text = json_dumps(plan, JSON_INDENT(1));
	int result;

	if (text == NULL)
		bug("out of memory");
	result = file_make(path, 0600, text, strlen(text));
	free(text);
	return result < 0 ? cannot(why, "write", path) : 0;
}

bool
match_plan_is_there(const char *dir)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/" MATCH_PLAN_FILE, dir);
	return access(path, F_OK) == 0;
}

/* Returns the plan; NULL and an error if it cannot be read, NULL and no error
 * if there is none. */
static json_t *
read_plan(const char *path, struct error *why)
{
	json_t *plan;

	why->kind = ERROR_NONE;
	if (access(path, F_OK) < 0 && errno == ENOENT)
		return NULL;
	plan = json_load_file(path, 0, NULL);
	if (plan == NULL)
		error_set(why, ERROR_INPUT,
			  "%s is no plan of a match; take another folder",
			  quoted(path).text);
	return plan;
}

/* Takes from the file the seed and whether it was given. */
static int
take_seed(struct match_plan *plan, const json_t *json, const char *path,
	  struct error *why)
{
	const char *hex = json_string_value(json_object_get(json, "seed"));
	size_t n = 0;

	memset(plan->seed, 0, sizeof(plan->seed));
	plan->seeded = json_is_true(json_object_get(json, "seeded"));
	if (hex != NULL &&
	    sodium_hex2bin((unsigned char *)plan->seed, SEED_BYTES, hex,
			   strlen(hex), NULL, &n, NULL) == 0 &&
	    n > 0)
		return 0;
	return error_set(why, ERROR_INPUT, "%s is no plan of a match",
			 quoted(path).text);
}

static int
lock_folder(struct match_plan *plan, const char *dir, struct error *why)
{
	plan->lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (plan->lock >= 0 && flock(plan->lock, LOCK_EX | LOCK_NB) == 0)
		return 0;
	if (errno == EWOULDBLOCK)
		error_set(why, ERROR_MACHINE,
			  "another match is played in %s; wait until it has "
			  "ended",
			  quoted(dir).text);
	else
		(void)cannot(why, "lock the folder of", dir);
	return -1;
}

int
match_plan_take(struct match_plan *plan, const char *dir,
		const struct match_setup *setup, struct error *why)
{
	struct match_setup mine = *setup;
	char path[PATH_MAX];
	json_t *was, *is = NULL;
	int result = -1;

	memset(plan, 0, sizeof(*plan));
	snprintf(path, sizeof(path), "%s/" MATCH_PLAN_FILE, dir);
	if (lock_folder(plan, dir, why) < 0)
		return -1;
	snprintf(plan->seed, sizeof(plan->seed), "%s", setup->seed);
	plan->seeded = setup->seeded;
	was = read_plan(path, why);
	plan->resumed = was != NULL;
	if (why->kind == ERROR_NONE && (was == NULL || setup->seeded ||
					take_seed(plan, was, path, why) == 0)) {
		mine.seed = plan->seed;
		mine.seeded = plan->seeded;
		is = describe(&mine, why);
	}
	if (is != NULL)
		result = was != NULL ? compare(was, is, dir, why)
				     : write_plan(is, path, why);
	json_decref(was);
	json_decref(is);
	return result;
}

void
match_plan_release(struct match_plan *plan)
{
	sodium_memzero(plan->seed, sizeof(plan->seed));
	if (plan->lock > 0)
		close(plan->lock);
	plan->lock = 0;
}
