/* referee/serve/bots.c - see bots.h. */
#include "referee/serve/bots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "protocol/date.h"
#include "referee/base/json-line.h"

typedef int action(struct roster *roster, char *const word[], struct text *out,
		   struct error *why);

static const char *const states[] = { "enabled", "disabled", "removed" };

struct listing {
	struct roster_bot *bot; /* owned; the roster must not be used inside
				 * roster_list() */
	size_t count;
};

static void
keep_bot(void *arg, const struct roster_bot *bot)
{
	struct listing *listing = arg;

	*ADDED(listing->bot, listing->count) = *bot;
}

#define BOT_ROW "%-32s %-8s %-20s" /* name, state, since when */

static void
print_bot(const struct roster_bot *bot, struct text *out)
{
	char since[DATE_BYTES];

	date_write(bot->since, since);
	text_fmt(out, BOT_ROW " %s%s%s%s%s\n", bot->name, states[bot->state],
		 since, bot->has_token ? "token" : "no-token",
		 bot->owner[0] ? " owner=" : "", bot->owner,
		 bot->reason[0] ? " " : "", bot->reason);
}

/* Prints the second line of a bot that lives on this machine. */
static void
print_entry(const struct roster_entry *entry, struct text *out)
{
	char made[DATE_BYTES];

	date_write(entry->made, made);
	text_fmt(out,
		 "\tlocal bot since %s, number %lld%s%s, plays as %s, on %s, "
		 "hash %.16s\n",
		 made, (long long)entry->number,
		 entry->version[0] ? ", version " : "", entry->version,
		 entry->stands_as,
		 entry->ladders[0] ? entry->ladders : "all ladders",
		 entry->hash);
}

static json_t *
entry_json(const struct roster_entry *entry)
{
	char made[DATE_BYTES], name[NAME_BYTES + 1];
	json_t *ladders = json_array();
	const char *at = entry->ladders;
	size_t n;

	for (; *at != '\0'; at += n + (at[n] == ' ')) {
		n = strcspn(at, " ");
		snprintf(name, sizeof(name), "%.*s", (int)n, at);
		json_array_append_new(ladders, json_string(name));
	}
	date_write(entry->made, made);
	return JSON_OBJECT(
		TEXT("since", made), INT("number", entry->number),
		TEXT_IF("version", entry->version[0] ? entry->version : NULL),
		TEXT("plays_as", entry->stands_as), JSON("ladders", ladders),
		TEXT("hash", entry->hash));
}

/* Appends a bot as JSON. `entry` is NULL unless it lives on this machine. */
static void
json_bot(const struct roster_bot *bot, const struct roster_entry *entry,
	 struct text *out)
{
	char since[DATE_BYTES];

	date_write(bot->since, since);
	json_text(
		JSON_OBJECT(TEXT("bot", bot->name),
			    TEXT("state", states[bot->state]),
			    TEXT("since", since), BOOL("token", bot->has_token),
			    TEXT_IF("owner", bot->owner[0] ? bot->owner : NULL),
			    TEXT_IF("why", bot->reason[0] ? bot->reason : NULL),
			    JSON_IF("local", entry ? entry_json(entry) : NULL)),
		0, out);
	text_str(out, "\n");
}

static int
list(struct roster *roster, char *const word[], struct text *out,
     struct error *why)
{
	struct listing listing = { NULL, 0 };
	int result = roster_list(roster, keep_bot, &listing, why), there;
	struct roster_entry entry;

	if (result == 0 && listing.count > 0 && word[1] == NULL)
		text_fmt(out, BOT_ROW " %s\n", "bot", "state", "since (UTC)",
			 "token, owner, and why");
	for (size_t i = 0; i < listing.count && result == 0; i++) {
		there = roster_entry_of(roster, listing.bot[i].number, &entry,
					why);
		if (there < 0)
			result = there;
		else if (word[1] != NULL)
			json_bot(&listing.bot[i],
				 there == LADDER_FOUND ? &entry : NULL, out);
		else
			print_bot(&listing.bot[i], out);
		if (there == LADDER_FOUND && word[1] == NULL)
			print_entry(&entry, out);
	}
	free(listing.bot);
	return result;
}

static bool
is_there(struct roster *roster, const char *name, struct roster_bot *bot)
{
	struct error ignored;

	return roster_find(roster, name, bot, &ignored) == 0 &&
	       strcmp(bot->name, name) == 0;
}

/* Makes another token for a bot that exists. */
static int
replace(struct roster *roster, char *const word[], struct text *out,
	struct error *why)
{
	char made[ROSTER_TOKEN_BYTES + 1];
	int result = roster_new_token(roster, word[1], made, why);

	if (result == 0)
		text_fmt(out, "%s\n", made);
	return result;
}

/* Adds a bot, or makes a token for one that has none.  It replaces nothing. */
static int
token(struct roster *roster, char *const word[], struct text *out,
      struct error *why)
{
	char made[ROSTER_TOKEN_BYTES + 1];
	struct roster_bot bot;
	int result;

	if (!is_there(roster, word[1], &bot)) {
		result = roster_add(roster, word[1],
				    word[2] != NULL ? word[2] : "", made, why);
		if (result == 0)
			text_fmt(out, "%s\n", made);
		return result;
	}
	if (word[2] != NULL && strcmp(word[2], bot.owner) != 0)
		return error_set(why, ERROR_INPUT,
				 "there is a bot %s; its owner is changed by "
				 "`referee bots owner`",
				 bot.name);
	if (bot.has_token)
		return error_set(why, ERROR_INPUT,
				 "bot %s has a token; --replace makes another "
				 "one, and the old one stops working",
				 bot.name);
	return replace(roster, word, out, why);
}

static int
owner(struct roster *roster, char *const word[], struct text *out,
      struct error *why)
{
	struct roster_bot bot;
	int result = roster_find(roster, word[1], &bot, why);

	if (result == 0 && bot.owner[0] == '\0')
		text_fmt(out, "bot %s has no owner\n", bot.name);
	else if (result == 0)
		text_fmt(out, "the owner of bot %s is %s\n", bot.name,
			 bot.owner);
	return result;
}

/* Does nothing without a daemon: suspensions belong to the daemon and end with
 * it. */
static int
pardon(struct roster *roster, char *const word[], struct text *out,
       struct error *why)
{
	struct roster_bot bot;
	int result = roster_find(roster, word[1], &bot, why);

	if (result == 0)
		text_fmt(out, "%s is not suspended: no daemon runs\n",
			 bot.name);
	return result;
}

/* `run` does a request.  If it is NULL, the request is a change of the bot that
 * word 1 names, to word 2 or "". */
static const struct request {
	const char *name;
	unsigned least, most; /* number of words */
	action *run;
	int (*change)(struct roster *roster, const char *name,
		      struct error *why);
	int (*change_to)(struct roster *roster, const char *name,
			 const char *to, struct error *why);
} requests[] = {
	{ "list", 1, 2, .run = list },
	{ "token", 2, 3, .run = token },
	{ "replace", 2, 2, .run = replace },
	{ "owner", 2, 2, .run = owner },
	{ "owner", 3, 3, .change_to = roster_set_owner },
	{ "revoke", 2, 2, .change = roster_revoke },
	{ "enable", 2, 2, .change = roster_enable },
	{ "disable", 2, 3, .change_to = roster_disable },
	{ "rename", 3, 3, .change_to = roster_rename },
	{ "remove", 2, 2, .change = roster_delete },
	{ "pardon", 2, 2, .run = pardon },
};

static const struct request *
find(unsigned words, char *const word[])
{
	for (unsigned i = 0; words > 0 && i < NELEM(requests); i++)
		if (strcmp(requests[i].name, word[0]) == 0 &&
		    words >= requests[i].least && words <= requests[i].most)
			return &requests[i];
	return NULL;
}

bool
bots_is(unsigned words, char *const word[])
{
	return find(words, word) != NULL;
}

int
bots_do(struct roster *roster, unsigned words, char *const word[],
	struct text *out, struct error *why)
{
	const struct request *request = find(words, word);
	char *all[BOTS_WORDS] = { NULL };

	if (request == NULL)
		return error_set(why, ERROR_INPUT, "unknown request");
	for (unsigned i = 0; i < words; i++)
		all[i] = word[i];
	if (request->change != NULL)
		return request->change(roster, all[1], why);
	if (request->change_to != NULL)
		return request->change_to(roster, all[1],
					  all[2] != NULL ? all[2] : "", why);
	return request->run(roster, all, out, why);
}
