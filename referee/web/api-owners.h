/* referee/web/api-owners.h - what owners do over HTTP: they make an account, bots
 * and tokens.
 *
 * A change answers 200 or 201 with an object; 403 if it is not allowed, 409 if
 * the name is taken or another rule of the roster is broken, 429 if it was done
 * too often today. */
#ifndef REFEREE_API_OWNERS_H
#define REFEREE_API_OWNERS_H

#include "referee/web/page.h"

/* Returns a sentence that says that the bot does not play. */
const char *api_owners_off(const struct roster_bot *bot) MUST_CHECK;

page_handler api_owners_sign_up;
page_handler api_owners_token;
page_handler api_owners_bot_token;
page_handler api_owners_withdraw;
page_handler api_owners_return;
/* Also for a bot that shows its own token. */
page_handler api_owners_go_back, api_owners_enter_trial;

#endif
