/* referee/pages/account.h - writes the pages of owners: one to make an account,
 * and one for what an owner has.  Scripts fill in what a token opens. */
#ifndef REFEREE_PAGES_ACCOUNT_H
#define REFEREE_PAGES_ACCOUNT_H

#include <stdbool.h>

#include "protocol/text.h"
#include "referee/pages/html.h"

/* Writes `/sign-up`.  It says so if strangers can make none (`on` is false). */
void account_sign_up_page(const struct site *site, bool on, struct text *to);
/* Writes `/owners/NAME`, which says nothing about the owner. */
void account_owner_page(const struct site *site, const char *owner,
			struct text *to);
/* Writes where an account is made, for other pages. */
void account_write_link(struct html *html);

#endif
