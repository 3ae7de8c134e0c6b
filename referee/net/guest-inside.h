/* referee/net/guest-inside.h - what guest.c, hello.c and bot-remote.c share. */
#ifndef REFEREE_GUEST_INSIDE_H
#define REFEREE_GUEST_INSIDE_H

#include <event2/event_struct.h>

#include "protocol/message.h"
#include "protocol/text.h"
#include "referee/table/bot.h"
#include "referee/net/guest.h"

/* One game of a guest. */
struct remote {
	struct bot bot;
	struct guest *guest;
	struct remote *next;
	char id[ID_BYTES + 1];
	struct text story; /* all lines of the game so far, with their LF */
	uint64_t lines;	   /* of it */
	bool untold;	   /* the story was too long: there is no way back */
	bool marked;	   /* an ask leaves with byte `mark` of the link */
	uint64_t mark;
	bool over; /* nobody plays it any more; kept up to until_us */
	uint64_t until_us;
};

/* bot-remote.c */
struct remote *remote_find(struct guest *guest, const char *id);
void remote_free(struct remote *remote);
/* Sends the lines after the first `lines`. */
void remote_retell(struct remote *remote, uint64_t lines);
/* The link was lost or has written. */
void remote_lost(struct remote *remote, uint64_t now_us);
void remote_moved(struct remote *remote, uint64_t now_us);
void remote_stuck(struct remote *remote, uint64_t now_us);

/* guest.c: whether a connection of that name may come now, which counts. */
bool guest_may_enter(struct guests *guests, const char *name);
/* It has said who it is.  NULL, or why it may not. */
const char *guest_enter(struct guests *guests, struct link *link,
			const char *from, const struct message *message);
/* Something has ended: look what can go. */
void guest_tidy(struct guest *guest);

/* hello.c */
void arrivals_release(struct guests *guests);

#endif
