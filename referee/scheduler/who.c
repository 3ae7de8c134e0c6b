/* referee/scheduler/who.c - see who.h. */
#include "referee/scheduler/who.h"

#include <stdio.h>
#include <string.h>

static enum who_token
tell_failure(struct logger *logger, const struct error *why)
{
	log_event(logger, LOG_LEVEL_ERROR, "roster-fails", "why=%s", why->text);
	return WHO_TOKEN_UNKNOWN;
}

enum who_token
who_check_token(struct roster *roster, struct logger *logger, const char *name,
		const char *token, size_t n, struct roster_bot *bot)
{
	struct error why;
	bool fits;

	if (roster_check(roster, name, strlen(name), token, n, &fits, bot,
			 &why) != 0)
		return tell_failure(logger, &why);
	if (!fits)
		return WHO_TOKEN_WRONG;
	/* A day that cannot be written is passed over. */
	if (bot->token_used != roster_today())
		(void)!roster_bot_came(roster, bot->number, roster_today(),
				       &why);
	return WHO_TOKEN_FITS;
}

enum who_token
who_check_owner(struct roster *roster, struct logger *logger, const char *name,
		const char *token, size_t n, struct roster_owner *owner)
{
	struct error why;
	bool fits;

	if (roster_owner_check(roster, name, token, n, &fits, owner, &why) != 0)
		return tell_failure(logger, &why);
	if (!fits)
		return WHO_TOKEN_WRONG;
	if (owner->token_used != roster_today())
		(void)!roster_owner_came(roster, owner->number, roster_today(),
					 &why);
	return WHO_TOKEN_FITS;
}

bool
who_is_local(struct roster *roster, const char *name,
	     struct roster_entry *entry)
{
	struct error why;
	struct roster_bot bot;

	return roster_find(roster, name, &bot, &why) == 0 &&
	       roster_entry_of(roster, bot.number, entry, &why) == LADDER_FOUND;
}

void
who_first_name(struct roster *roster, const char *name,
	       char first[NAME_BYTES + 1])
{
	struct error why;
	struct roster_bot bot;

	if (roster_find(roster, name, &bot, &why) < 0 ||
	    roster_first_name(roster, bot.number, first, &why) < 0)
		snprintf(first, NAME_BYTES + 1, "%s", name);
}

/* Records cannot be changed.  So a renamed bot keeps its first name in them,
 * and on the ladders that are made of them. */
void
who_stands_as(struct roster *roster, const char *name,
	      char first[NAME_BYTES + 1])
{
	struct roster_entry entry;

	if (who_is_local(roster, name, &entry))
		memcpy(first, entry.stands_as, NAME_BYTES + 1);
	else
		who_first_name(roster, name, first);
}

void
who_look_up(struct roster *roster, const char *name, struct roster_bot *bot)
{
	struct error why;

	if (roster_find(roster, name, bot, &why) != 0 &&
	    roster_find_version(roster, name, bot, &why) != 0)
		memset(bot, 0, sizeof(*bot));
}

static void
on_entry(void *arg, const struct roster_entry *entry)
{
	text_fmt(arg, "%s ", entry->stands_as);
}

void
who_stood_as(struct roster *roster, const char *name, struct text *names)
{
	char first[NAME_BYTES + 1];
	struct roster_bot bot;
	struct error why;

	who_first_name(roster, name, first);
	text_fmt(names, "%s ", first);
	who_look_up(roster, name, &bot);
	(void)!roster_entries_of(roster, bot.number, on_entry, names, &why);
}

bool
who_is_among(const char *names, const char *name)
{
	const size_t n = strlen(name);

	while (*names != '\0' && (strncmp(names, name, n) != 0 ||
				  (names[n] != ' ' && names[n] != '\0'))) {
		names += strcspn(names, " ");
		names += *names == ' ';
	}
	return *names != '\0';
}
