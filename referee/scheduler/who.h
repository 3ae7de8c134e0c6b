/* referee/scheduler/who.h - identifies a bot by the roster: whether its token fits,
 * and its names. */
#ifndef REFEREE_WHO_H
#define REFEREE_WHO_H

#include <stdbool.h>
#include <stddef.h>

#include "ladder/roster.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/log.h"

enum who_token {
	WHO_TOKEN_FITS, /* `*bot` is who it is; it may be disabled */
	WHO_TOKEN_WRONG,
	WHO_TOKEN_UNKNOWN, /* it cannot be looked up now */
};

/* Whether the bot that is or was called `name` has this token of `n` bytes.  That
 * it cannot be looked up is logged; of a wrong token the caller tells, who knows
 * where it comes from (refusals.h). */
enum who_token who_check_token(struct roster *roster, struct logger *logger,
			       const char *name, const char *token, size_t n,
			       struct roster_bot *bot) MUST_CHECK;
/* The bot that is or was called `name`, or of which that is a version; zeroed if
 * that cannot be told. */
void who_look_up(struct roster *roster, const char *name,
		 struct roster_bot *bot);
/* Whether the bot that is or was called so lives on this machine; its last
 * entry. */
bool who_is_local(struct roster *roster, const char *name,
		  struct roster_entry *entry);
/* What the bot that is called `name` now was called first. */
void who_first_name(struct roster *roster, const char *name,
		    char first[NAME_BYTES + 1]);
/* What records and ladders call it. */
void who_stands_as(struct roster *roster, const char *name,
		   char first[NAME_BYTES + 1]);
/* Appends all that records and ladders ever called it, its versions, too: names
 * with a space behind each. */
void who_stood_as(struct roster *roster, const char *name, struct text *names);
/* Returns true if `name` is one of those. */
bool who_is_among(const char *names, const char *name);

#endif
