/* referee/scheduler/who.h - identifies a bot by the roster: it checks its token
 * and finds its names. */
#ifndef REFEREE_WHO_H
#define REFEREE_WHO_H

#include <stdbool.h>
#include <stddef.h>

#include "ladder/roster-owner.h"
#include "ladder/roster.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/log.h"

enum who_token {
	WHO_TOKEN_FITS, /* `*bot` is that bot; it may be disabled */
	WHO_TOKEN_WRONG,
	WHO_TOKEN_UNKNOWN, /* the roster cannot be read now */
};

/* Checks if the bot that is or was called `name` has this token of `n` bytes.
 * A token that fits counts as used today.  A failed look-up is logged here.  The
 * caller logs a wrong token, because it knows where the token comes from
 * (refusals.h). */
enum who_token who_check_token(struct roster *roster, struct logger *logger,
			       const char *name, const char *token, size_t n,
			       struct roster_bot *bot) MUST_CHECK;
/* Does the same for an owner, who may be banned. */
enum who_token who_check_owner(struct roster *roster, struct logger *logger,
			       const char *name, const char *token, size_t n,
			       struct roster_owner *owner) MUST_CHECK;
/* Looks up the bot that is or was called `name`, or of which that is a version.
 * `*bot` is zeroed if there is none or the look-up fails. */
void who_look_up(struct roster *roster, const char *name,
		 struct roster_bot *bot);
/* Returns true, and its last entry, if the bot that is or was called `name`
 * lives on this machine. */
bool who_is_local(struct roster *roster, const char *name,
		  struct roster_entry *entry);
/* Writes the first name of the bot that is called `name` now. */
void who_first_name(struct roster *roster, const char *name,
		    char first[NAME_BYTES + 1]);
/* Writes the name that records and ladders call the bot. */
void who_stands_as(struct roster *roster, const char *name,
		   char first[NAME_BYTES + 1]);
/* Appends all names that records and ladders ever called the bot and its
 * versions, with a space behind each. */
void who_stood_as(struct roster *roster, const char *name, struct text *names);
/* Returns true if `name` is one of the names that who_stood_as() wrote. */
bool who_is_among(const char *names, const char *name);

#endif
