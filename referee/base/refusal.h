/* referee/base/refusal.h - kinds of refused connections, and the call that
 * tells the owner of door, remote bots and pages of one. */
#ifndef REFEREE_REFUSAL_H
#define REFEREE_REFUSAL_H

enum refusal {
	REFUSAL_LIMIT, /* too many connections, in all or from its address */
	REFUSAL_HELLO, /* it did not sign in: a wrong first line, no TLS
		        * handshake, nothing in time, or it ended before */
	REFUSAL_TOKEN, /* unknown bot name or wrong token */
	REFUSAL_BOT,   /* the bot is known and may not come now */
	REFUSAL_KINDS,
};

/* `from` is a text of address_text(), or empty if it came through no door.
 * `bot` is the name that it said, or empty if none was read.  `why` is a
 * sentence.  All are borrowed. */
typedef void refusal_told(void *arg, enum refusal kind, const char *from,
			  const char *bot, const char *why);

#endif
