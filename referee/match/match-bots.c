/* referee/match/match-bots.c - reads the command lines of bots and names the
 * bots. */
#include "referee/match/match-bots.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wordexp.h>

#include "protocol/message.h"
#include "referee/config/bot-folder.h"
#include "referee/spawner/spawner.h"

static const char *
word_error(int code)
{
	switch (code) {
	case WRDE_BADCHAR:
		return "it has a line break or one of | & ; < > ( ) { } "
		       "outside of quotes";
	case WRDE_BADVAL:
		return "it names a variable that is not set";
	case WRDE_CMDSUB:
		return "it asks for a command's output, which only a shell "
		       "gives";
	case WRDE_SYNTAX:
		return "a quote or bracket is not closed";
	default:
		return "there is not enough memory for it";
	}
}

/* Cuts `spec` into words, which the bot owns. */
static int
cut_words(struct match_bot *bot, const char *spec, struct error *why)
{
	wordexp_t words;
	int code = wordexp(spec, &words, WRDE_NOCMD | WRDE_UNDEF);

	if (code == 0 && words.we_wordc > 0) {
		bot->argv = zeroed(words.we_wordc + 1, sizeof(char *));
		for (size_t i = 0; i < words.we_wordc; i++) {
			bot->argv[i] = copied(words.we_wordv[i]);
		}
		wordfree(&words);
		return 0;
	}
	if (code == 0)
		error_set(why, ERROR_INPUT, "a bot's command line is empty");
	else
		error_set(why, ERROR_MACHINE,
			  "the bot's command line %s cannot be cut into "
			  "words: %s",
			  quoted(spec).text, word_error(code));
	if (code == 0 || code == WRDE_NOSPACE)
		wordfree(&words);
	return -1;
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Reads the manifest in the folder and takes the bot's command from it. */
static int
read_folder(struct match_bots *bots, unsigned b, const char *path,
	    struct error *why)
{
	struct bot_folder *folder = bot_folder_read(path, why);
	struct match_bot *bot = &bots->bot[b];

	if (folder == NULL)
		return -1;
	bot_folder_free(bots->folder[b]);
	bots->folder[b] = folder;
	bot->argv = folder->run;
	bot->folder = folder->path;
	bot->entropy = folder->entropy;
	bot->reuse = folder->reuse;
	return 0;
}

int
match_bots_add(struct match_bots *bots, const char *spec, struct error *why)
{
	struct match_bot *bot = &bots->bot[bots->count];

	if (bots->count == BOTS_MAX)
		return error_set(why, ERROR_INPUT, "more than %d bots",
				 BOTS_MAX);
	if (strlen(spec) > COMMAND_BYTES)
		return error_set(why, ERROR_INPUT,
				 "a bot's command line is longer than %d bytes",
				 COMMAND_BYTES);
	memset(bot, 0, sizeof(*bot));
	bots->folder[bots->count] = NULL;
	bots->taken[bots->count] = NULL;
	if (bot_builtin_is(spec)) {
		bot->builtin = spec;
	} else if (is_folder(spec)) {
		if (read_folder(bots, bots->count, spec, why) < 0)
			return -1;
	} else if (cut_words(bot, spec, why) < 0) {
		return -1;
	}
	bot->spec = bot->builtin == NULL ? spec : NULL;
	bots->command[bots->count++] = spec;
	return 0;
}

int
match_bots_name(struct match_bots *bots, const char *name, struct error *why)
{
	char *has;

	if (bots->count == 0)
		return error_set(why, ERROR_INPUT,
				 "--name comes after its --bot");
	has = bots->bot[bots->count - 1].name;
	if (!message_name_ok(name, strlen(name)))
		return error_set(
			why, ERROR_INPUT,
			"a bot's name is 1 to %d of A-Z a-z 0-9 . _ -, the "
			"first a letter or digit, not %s",
			NAME_BYTES, quoted(name).text);
	if (*has != '\0')
		return error_set(why, ERROR_INPUT,
				 "two names for one bot: %s and %s",
				 quoted(has).text, quoted(name).text);
	snprintf(has, NAME_BYTES + 1, "%s", name);
	return 0;
}

int
match_bots_take(struct match_bots *bots, const char *name, const char *path,
		struct error *why)
{
	char *taken = copied(path);

	if (match_bots_add(bots, taken, why) < 0) {
		free(taken);
		return -1;
	}
	bots->taken[bots->count - 1] = taken;
	return match_bots_name(bots, name, why);
}

int
match_bots_move(struct match_bots *bots, unsigned b, const char *path,
		struct error *why)
{
	return read_folder(bots, b, path, why);
}

/* ---- names ------------------------------------------------------------ */

static bool
is_file(const char *path)
{
	struct stat st;

	return path != NULL && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Writes what the author would call the bot: the first argument that is a file
 * (the script of an interpreter), else the program, without folder and suffix. */
static void
program_name(const struct match_bot *bot, char name[NAME_BYTES + 1])
{
	const char *from = bot->builtin, *slash, *p;
	size_t n = 0;

	for (unsigned i = 1; from == NULL && bot->argv[i] != NULL; i++)
		if (is_file(bot->argv[i]))
			from = bot->argv[i];
	if (from == NULL)
		from = bot->argv[0];
	slash = strrchr(from, '/');
	if (slash != NULL && slash[1] != '\0')
		from = slash + 1;
	for (p = from; *p != '\0' && n < NAME_BYTES; p++) {
		if (*p == '.' && p > from && strchr(p + 1, '.') == NULL)
			break;
		name[n] = *p;
		if (message_name_ok(name, n + 1))
			n++;
	}
	name[n] = '\0';
	if (n == 0)
		snprintf(name, NAME_BYTES + 1, "bot");
}

static bool
is_taken(const struct match_bots *bots, const char *name)
{
	for (unsigned b = 0; b < bots->count; b++)
		if (strcmp(bots->bot[b].name, name) == 0)
			return true;
	return false;
}

static int
give_name(const struct match_bots *bots, struct match_bot *bot, bool rated,
	  struct error *why)
{
	const struct bot_folder *folder = bots->folder[bot - bots->bot];
	char name[NAME_BYTES + 1], tail[16], unique[NAME_BYTES + 1];
	int n;

	if (folder != NULL)
		memcpy(name, folder->name, sizeof(name));
	else
		program_name(bot, name);
	if (rated && is_taken(bots, name))
		return error_set(
			why, ERROR_INPUT,
			"two bots would be called %s; give them --name",
			quoted(name).text);
	snprintf(unique, sizeof(unique), "%s", name);
	for (int i = 2; is_taken(bots, unique); i++) {
		n = snprintf(tail, sizeof(tail), "-%d", i);
		snprintf(unique, sizeof(unique), "%.*s%s", NAME_BYTES - n, name,
			 tail);
	}
	memcpy(bot->name, unique, sizeof(unique));
	return 0;
}

/* Refuses names that were given to two bots. */
static int
check_names(const struct match_bots *bots, struct error *why)
{
	for (unsigned b = 0; b < bots->count; b++)
		for (unsigned c = 0; c < b && bots->bot[b].name[0] != '\0'; c++)
			if (strcmp(bots->bot[b].name, bots->bot[c].name) == 0)
				return error_set(
					why, ERROR_INPUT,
					"two bots have the name %s",
					quoted(bots->bot[b].name).text);
	return 0;
}

int
match_bots_play(const struct match_bots *bots, const struct game_rules *rules,
		struct error *why)
{
	for (unsigned b = 0; b < bots->count; b++) {
		if (bots->folder[b] == NULL ||
		    bot_folder_plays(bots->folder[b], rules))
			continue;
		return error_set(why, ERROR_INPUT,
				 "the bot in %s does not play %s, says its %s",
				 quoted(bots->command[b]).text, rules->name,
				 BOT_FOLDER_MANIFEST);
	}
	return 0;
}

static bool
can_start(const struct match_bots *bots, unsigned b, struct error *why)
{
	/* The box decides whether a bot of a folder can be started. */
	return bots->bot[b].builtin != NULL || bots->folder[b] != NULL ||
	       spawner_program_ok(bots->bot[b].argv[0], why->text,
				  sizeof(why->text));
}

/* Refuses another bot with the name of a built-in bot, because a ladder takes
 * that name for the built-in one. */
static int
check_builtin(const struct match_bot *bot, struct error *why)
{
	const char *builtin = message_builtin(bot->name);

	if (builtin == NULL ||
	    (bot->builtin != NULL && strcmp(bot->builtin, bot->name) == 0))
		return 0;
	return error_set(why, ERROR_INPUT,
			 "in a ladder only the built-in bot is called %s; "
			 "give yours another --name, or its folder in --bots "
			 "another name",
			 builtin);
}

int
match_bots_ready(struct match_bots *bots, bool rated, struct error *why)
{
	struct match_bot *bot;

	if (check_names(bots, why) < 0)
		return -1;
	for (bot = bots->bot; bot < bots->bot + bots->count; bot++) {
		if (!can_start(bots, (unsigned)(bot - bots->bot), why))
			return -1;
		if (bot->name[0] == '\0' &&
		    give_name(bots, bot, rated, why) < 0)
			return -1;
		if (rated && check_builtin(bot, why) < 0)
			return -1;
	}
	return 0;
}

void
match_bots_reuse(struct match_bots *bots)
{
	for (unsigned b = 0; b < bots->count; b++)
		bots->bot[b].reuse = bots->bot[b].builtin == NULL;
}

/* Shows the bot nothing but its own folder, and gives it the memory that the
 * manifest asks for. */
static int
box_folder(struct match_bot *bot, const struct bot_folder *folder,
	   struct error *why)
{
	bot->home = realpath(folder->path, NULL);
	if (bot->home == NULL)
		return error_set(why, ERROR_MACHINE, "%s: %m",
				 quoted(folder->path).text);
	bot->box.folder = bot->home;
	bot->box.limits.memory_mib = (unsigned)folder->memory_mib;
	return 0;
}

static int
box_command(struct match_bot *bot, struct error *why)
{
	if (sandbox_see_command(&bot->seen, bot->argv, why) < 0)
		return -1;
	bot->box.see = bot->seen.path;
	return 0;
}

int
match_bots_box(struct match_bots *bots, enum sandbox_tier tier,
	       const char *records, const char *stderr_dir, const char *ladder,
	       struct error *why)
{
	static const char *const beside[] = { "",	  "-wal",  "-shm",
					      "-journal", ".lock", ".records" };
	struct match_bot *bot;
	char path[PATH_MAX];

	if (records != NULL)
		(void)sandbox_seen_add(&bots->hidden, records);
	if (stderr_dir != NULL)
		(void)sandbox_seen_add(&bots->hidden, stderr_dir);
	for (size_t i = 0; ladder != NULL && i < NELEM(beside); i++) {
		snprintf(path, sizeof(path), "%s%s", ladder, beside[i]);
		(void)sandbox_seen_add(&bots->hidden, path);
	}
	for (unsigned b = 0; b < bots->count; b++) {
		bot = &bots->bot[b];
		if (bot->builtin != NULL)
			continue;
		bot->box.tier = tier;
		bot->box.hide = bots->hidden.path;
		bot->box.limits = sandbox_limits_default;
		if (bots->folder[b] != NULL &&
		    !bot_folder_ready(bots->folder[b], tier, why))
			return -1;
		if (tier == SANDBOX_NONE)
			continue;
		if ((bots->folder[b] != NULL
			     ? box_folder(bot, bots->folder[b], why)
			     : box_command(bot, why)) < 0)
			return -1;
	}
	return 0;
}

void
match_bots_release(struct match_bots *bots)
{
	sandbox_seen_release(&bots->hidden);
	for (unsigned b = 0; b < bots->count; b++) {
		free(bots->bot[b].home);
		free(bots->taken[b]);
		if (bots->folder[b] != NULL) {
			bot_folder_free(bots->folder[b]);
			continue;
		}
		for (unsigned i = 0;
		     bots->bot[b].argv != NULL && bots->bot[b].argv[i] != NULL;
		     i++)
			free(bots->bot[b].argv[i]);
		free(bots->bot[b].argv);
		sandbox_seen_release(&bots->bot[b].seen);
	}
	bots->count = 0;
}
