/* referee/serve/bots.c - see bots.h. */
#include "referee/serve/bots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/roster-owner.h"
#include "protocol/clock.h"
#include "protocol/date.h"
#include "protocol/message.h"
#include "referee/base/json-line.h"
#include "referee/import/import.h"

typedef int action(struct roster *roster, char *const word[], struct text *out,
		   struct error *why);

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

#define BOT_ROW "%-32s %-9s %-20s" /* name, state, since when */

static void
print_bot(const struct roster_bot *bot, struct text *out)
{
	char since[DATE_BYTES];

	date_write(bot->since, since);
	text_fmt(out, BOT_ROW " %s%s%s%s%s\n", bot->name,
		 roster_state_word(bot->state), since,
		 bot->has_token ? "token" : "no-token",
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
	return JSON_OBJECT(TEXT("since", made), INT("number", entry->number),
			   TEXT_SOME("version", entry->version),
			   TEXT("plays_as", entry->stands_as),
			   JSON("ladders", ladders), TEXT("hash", entry->hash));
}

/* Appends a bot as JSON. `entry` is NULL unless it lives on this machine. */
static void
json_bot(const struct roster_bot *bot, const struct roster_entry *entry,
	 struct text *out)
{
	char since[DATE_BYTES];

	date_write(bot->since, since);
	json_text_line(
		JSON_OBJECT(TEXT("bot", bot->name),
			    TEXT("state", roster_state_word(bot->state)),
			    TEXT("since", since), BOOL("token", bot->has_token),
			    TEXT_SOME("owner", bot->owner),
			    TEXT_SOME("why", bot->reason),
			    JSON_IF("local", entry ? entry_json(entry) : NULL)),
		0, out);
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

/* Reads a number up to `most`; 0 if it is none. */
static unsigned
number_of(const char *word, unsigned most)
{
	uint64_t number;

	return message_number(word, strlen(word), most, &number) < 0
		       ? 0
		       : (unsigned)number;
}

/* Makes another token for a bot that exists. */
static int
replace(struct roster *roster, char *const word[],
	char made[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	return roster_new_token(roster, word[1], made, why);
}

/* Adds a bot, or makes a token for one that has none.  It replaces nothing. */
static int
token(struct roster *roster, char *const word[],
      char made[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	struct roster_bot bot;

	if (!is_there(roster, word[1], &bot))
		return roster_add(roster, word[1],
				  word[2] != NULL ? word[2] : "", made, why);
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
	return roster_new_token(roster, word[1], made, why);
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

static int
back(struct roster *roster, char *const word[], struct text *out,
     struct error *why)
{
	const unsigned number = number_of(word[2], ROSTER_ENTRIES_MAX);

	if (number == 0)
		return error_set(why, ERROR_INPUT,
				 "expected the number of a version, from 1 "
				 "to %d",
				 ROSTER_ENTRIES_MAX);
	return import_go_back(roster, word[1], number, out, why);
}

static int
enter_trial(struct roster *roster, char *const word[], struct text *out,
	    struct error *why)
{
	return import_enter_trial(roster, word[1], word[2], out, why);
}

/* ---- owners ----------------------------------------------------------- */

struct owner_listing {
	struct roster_owner *owner; /* owned */
	size_t count;
};

static void
keep_owner(void *arg, const struct roster_owner *owner)
{
	struct owner_listing *listing = arg;

	*ADDED(listing->owner, listing->count) = *owner;
}

static void
count_bot(void *arg, const char *bot UNUSED)
{
	++*(unsigned *)arg;
}

static void
print_owner(const struct roster_owner *owner, unsigned bots, bool json,
	    struct text *out)
{
	const bool banned = owner->state == ROSTER_BANNED;
	char since[DATE_BYTES], used[DATE_BYTES];

	date_write(owner->since, since);
	roster_write_day(owner->token_used, used);
	if (!json) {
		text_fmt(out, "%-32s %-8s %-20s %4u %s%s%s%s%s\n", owner->name,
			 banned ? "banned" : "enabled", since, bots,
			 owner->has_token ? "token" : "no-token",
			 used[0] ? " used=" : "", used,
			 owner->reason[0] ? " " : "", owner->reason);
		return;
	}
	json_text_line(JSON_OBJECT(TEXT("owner", owner->name),
				   TEXT("state", banned ? "banned" : "enabled"),
				   TEXT("since", since), INT("bots", bots),
				   BOOL("token", owner->has_token),
				   TEXT_SOME("token_used", used),
				   TEXT_SOME("why", owner->reason)),
		       0, out);
}

static int
owners(struct roster *roster, char *const word[], struct text *out,
       struct error *why)
{
	struct owner_listing listing = { NULL, 0 };
	int result = roster_owners(roster, keep_owner, &listing, why);
	unsigned bots;

	if (result == 0 && listing.count > 0 && word[1] == NULL)
		text_fmt(out, "%-32s %-8s %-20s bots token, and why\n", "owner",
			 "state", "since (UTC)");
	for (size_t i = 0; i < listing.count && result == 0; i++) {
		bots = 0;
		result = roster_owner_bots(roster, listing.owner[i].name,
					   count_bot, &bots, why);
		if (result == 0)
			print_owner(&listing.owner[i], bots, word[1] != NULL,
				    out);
	}
	free(listing.owner);
	return result;
}

static int
owner_token(struct roster *roster, char *const word[],
	    char made[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	return roster_owner_token(roster, word[1], made, why);
}

static int
sign_up(struct roster *roster, char *const word[],
	char made[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	return roster_sign_up(roster, word[2], word[1], made, why);
}

static int
code(struct roster *roster, char *const word[],
     char made[ROSTER_TOKEN_BYTES + 1], struct error *why)
{
	const unsigned accounts = number_of(word[1], ROSTER_OWNERS);
	const unsigned days = number_of(word[2], BOTS_CODE_DAYS);

	if (accounts == 0 || days == 0)
		return error_set(why, ERROR_INPUT,
				 "a code is for 1 to %d accounts and 1 to %d "
				 "days",
				 ROSTER_OWNERS, BOTS_CODE_DAYS);
	return roster_new_code(roster, accounts,
			       clock_seconds() + days * ROSTER_DAY_S, made,
			       why);
}

static int
code_off(struct roster *roster, char *const word[] UNUSED,
	 struct text *out UNUSED, struct error *why)
{
	return roster_drop_code(roster, why);
}

struct deed_listing {
	struct text *out;
	bool json;
};

static void
print_deed(void *arg, const struct roster_deed *deed)
{
	const struct deed_listing *listing = arg;
	char at[DATE_BYTES];

	date_write(deed->at, at);
	if (!listing->json) {
		text_fmt(listing->out, "%-20s %-24s %-12s %s%s%s\n", at,
			 deed->who, deed->what, deed->name,
			 deed->note[0] ? " " : "", deed->note);
		return;
	}
	json_text_line(JSON_OBJECT(INT("number", deed->number), TEXT("at", at),
				   TEXT("who", deed->who),
				   TEXT("what", deed->what),
				   TEXT_SOME("name", deed->name),
				   TEXT_SOME("note", deed->note)),
		       0, listing->out);
}

static int
deeds(struct roster *roster, char *const word[], struct text *out,
      struct error *why)
{
	struct deed_listing listing = { out, word[2] != NULL };
	const unsigned most = number_of(word[1], ROSTER_DEEDS);

	if (most == 0)
		return error_set(why, ERROR_INPUT,
				 "expected a number from 1 to %d",
				 ROSTER_DEEDS);
	return roster_deeds(roster, most, print_deed, &listing, why);
}

/* `run` does a request, and `make` makes a token, which is told.  If both are NULL,
 * the request is a change of the bot or owner that word 1 names, to word 2 or "". */
static const struct request {
	const char *name;
	unsigned least, most; /* number of words */
	action *run;
	int (*make)(struct roster *roster, char *const word[],
		    char made[ROSTER_TOKEN_BYTES + 1], struct error *why);
	int (*change)(struct roster *roster, const char *name,
		      struct error *why);
	int (*change_to)(struct roster *roster, const char *name,
			 const char *to, struct error *why);
} requests[] = {
	{ "list", 1, 2, .run = list },
	{ "token", 2, 3, .make = token },
	{ "replace", 2, 2, .make = replace },
	{ "owner", 2, 2, .run = owner },
	{ "owner", 3, 3, .change_to = roster_set_owner },
	{ "revoke", 2, 2, .change = roster_revoke },
	{ "enable", 2, 2, .change = roster_enable },
	{ "disable", 2, 3, .change_to = roster_disable },
	{ "withdraw", 2, 2, .change = roster_withdraw },
	{ "rename", 3, 3, .change_to = roster_rename },
	{ "remove", 2, 2, .change = roster_delete },
	{ "pardon", 2, 2, .run = pardon },
	{ "back", 3, 3, .run = back },
	{ "admit", 3, 3, .run = enter_trial },
	{ "owners", 1, 2, .run = owners },
	{ "owner-token", 2, 2, .make = owner_token },
	{ "sign-up", 3, 3, .make = sign_up },
	{ "code", 3, 3, .make = code },
	{ "code-off", 1, 1, .run = code_off },
	{ "ban", 2, 3, .change_to = roster_ban },
	{ "unban", 2, 2, .change = roster_unban },
	{ "deeds", 2, 3, .run = deeds },
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

static bool
is_among(const char *what, const char *const words[])
{
	for (; *words != NULL; words++)
		if (strcmp(*words, what) == 0)
			return true;
	return false;
}

bool
bots_is_reading(const char *what)
{
	static const char *const words[] = { "list", "owners", "deeds", NULL };

	return is_among(what, words);
}

bool
bots_is_of_owner(const char *what)
{
	static const char *const words[] = { "owners", "owner-token", "sign-up",
					     "code",   "code-off",    "ban",
					     "unban",  "deeds",	      NULL };

	return is_among(what, words);
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
	char *all[BOTS_WORDS] = { NULL }, made[ROSTER_TOKEN_BYTES + 1];

	if (request == NULL)
		return error_set(why, ERROR_INPUT, "unknown request");
	for (unsigned i = 0; i < words; i++)
		all[i] = word[i];
	if (request->change != NULL)
		return request->change(roster, all[1], why);
	if (request->change_to != NULL)
		return request->change_to(roster, all[1],
					  all[2] != NULL ? all[2] : "", why);
	if (request->run != NULL)
		return request->run(roster, all, out, why);
	if (request->make(roster, all, made, why) < 0)
		return -1;
	text_fmt(out, "%s\n", made);
	return 0;
}
