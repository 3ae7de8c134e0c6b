/* referee/base/address.h - what is known of an address that connects to us.
 *
 * Of IPv6 an address here is a /64, which is what one household gets. */
#ifndef REFEREE_ADDRESS_H
#define REFEREE_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "protocol/util.h"
#include "referee/base/rate-limit.h"

#define ADDRESS_TEXT_BYTES 64

/* Addresses without a connection that are kept for their wrong tokens, or for
 * how often they have come of late. */
#define ADDRESSES_KEPT 10000
/* Addresses that are remembered because a bot has signed in from them. */
#define ADDRESSES_KNOWN 10000

union any_address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_un local;
	struct sockaddr_storage most;
};

struct addresses;

struct address {
	/* For its users to count. */
	unsigned connections, visits;
	unsigned unfinished; /* of the visits, that make room first */
	unsigned watchers;
	unsigned strangers; /* of the connections, that have not said who they
			      * are */
	bool known;	    /* somebody from there has said who he is; it is
				 * kept for that */
	/* For address.c. */
	unsigned char key[16];
	bool counted;	   /* false: local, of which nothing is counted */
	unsigned users;	   /* it is kept for them */
	unsigned wrong;	   /* tokens, less those forgiven */
	uint64_t wrong_us; /* forgiven up to here */
	struct rate comes, asks;
	struct address *next;
};

/* sodium_init() was called. */
struct addresses *addresses_new(void) MUST_CHECK;
void addresses_free(struct addresses *addresses);

/* The entry of this address, one more user of it; address_drop() one less. */
struct address *address_take(struct addresses *addresses,
			     const struct sockaddr *from) MUST_CHECK;
void address_drop(struct addresses *addresses, struct address *address,
		  uint64_t now_us);
/* One more wrong token: how many milliseconds to wait with the answer,
 * WRONG_MS at first and twice as long each time, up to WRONG_MS_MAX; after
 * each WRONG_MS_MAX one is forgiven. */
unsigned address_wrong(struct address *address, uint64_t now_us);
/* Whether one more connection may come from there: so many at once, and as many
 * a second.  Of local ones any. */
bool address_may_come(struct address *address, unsigned a_second,
		      uint64_t now_us);
/* For tests: entries. */
unsigned addresses_count(const struct addresses *addresses);

/* Likewise whether it may ask for one more of what costs much: so many an hour,
 * and as many at once. */
bool address_may_ask(struct address *address, unsigned an_hour,
		     uint64_t now_us);

/* `host:port`, or `local`. */
void address_text(const struct sockaddr *from, char text[ADDRESS_TEXT_BYTES]);
/* Such a text without the port, which differs each time. */
void address_host(const char *text, char host[ADDRESS_TEXT_BYTES]);
/* Whether only this machine can come from there. */
bool address_is_local(const struct sockaddr *at);

#endif
