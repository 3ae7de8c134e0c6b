/* referee/base/refusal.h - kinds of refused connections, and the call that
 * tells the owner of door, remote bots and pages of one. */
#ifndef REFEREE_REFUSAL_H
#define REFEREE_REFUSAL_H

#include "protocol/limits.h"

enum refusal {
	REFUSAL_LIMIT, /* too many connections, in all or from its address */
	REFUSAL_HELLO, /* it did not sign in: a wrong first line, no TLS
		        * handshake, nothing in time, or it ended before */
	REFUSAL_TOKEN, /* unknown name of a bot or owner, or wrong token */
	REFUSAL_BOT,   /* the bot is known and may not come now */
	REFUSAL_KINDS,
};

/* `from` is a text of address_text(), or empty if it came through no door.
 * `who` is the name of the bot that it said to be, `owner NAME`, or empty if no name
 * was read.  `why` is a sentence.  All are borrowed. */
typedef void refusal_told(void *arg, enum refusal kind, const char *from,
			  const char *who, const char *why);
#define REFUSAL_OWNER "owner "
#define REFUSAL_WHO_BYTES (NAME_BYTES + sizeof(REFUSAL_OWNER))

#endif
