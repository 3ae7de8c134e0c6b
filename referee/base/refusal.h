/* referee/base/refusal.h - connections that get no further, and how that is
 * told to the owner of door, remote bots and pages. */
#ifndef REFEREE_REFUSAL_H
#define REFEREE_REFUSAL_H

enum refusal {
	REFUSAL_LIMIT, /* too many connections, in all or from its address */
	REFUSAL_HELLO, /* it did not say who it is: a wrong first line, no TLS
			* handshake, nothing in time, or it ended before */
	REFUSAL_TOKEN, /* unknown bot name or wrong token */
	REFUSAL_BOT,   /* the bot is known and may not come now */
	REFUSAL_KINDS,
};

/* `from`: address_text(), or empty: through no door.  `bot`: the name that it
 * said; empty: none that was read.  `why`: a sentence.  All are borrowed. */
typedef void refusal_told(void *arg, enum refusal kind, const char *from,
			  const char *bot, const char *why);

#endif
