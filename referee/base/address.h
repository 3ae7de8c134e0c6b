/* referee/base/address.h - counts what comes from an address.
 *
 * All addresses of an IPv6 /64, which is what one household gets, count as one. */
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

/* Addresses without a user that are kept because of wrong tokens, or because
 * their rates are not full again. */
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
	/* Counted by the users of the address. */
	unsigned connections, visits;
	unsigned
		unfinished; /* visits that are closed first when room is needed */
	unsigned watchers;
	unsigned strangers; /* connections that have not said who they are */
	bool known;	    /* a bot has signed in from there, so the address is
			     * kept */
	/* Private to address.c. */
	unsigned char key[16];
	bool counted;	   /* false: a local address, for which nothing is
			    * counted */
	unsigned users;	   /* the address is kept while it has users */
	unsigned wrong;	   /* wrong tokens, less those forgiven */
	uint64_t wrong_us; /* wrong tokens are forgiven up to this time */
	struct rate comes, asks;
	struct address *next;
};

/* Call sodium_init() before. */
struct addresses *addresses_new(void) MUST_CHECK;
void addresses_free(struct addresses *addresses);

/* Returns the entry of this address and adds a user to it, which address_drop()
 * takes away again. */
struct address *address_take(struct addresses *addresses,
			     const struct sockaddr *from) MUST_CHECK;
void address_drop(struct addresses *addresses, struct address *address,
		  uint64_t now_us);
/* Counts a wrong token.  Returns how many milliseconds to wait with the answer:
 * WRONG_MS at first and twice as long each time, up to WRONG_MS_MAX. Every
 * WRONG_MS_MAX one wrong token is forgiven. */
unsigned address_wrong(struct address *address, uint64_t now_us);
/* Counts a connection from there.  Returns false if there were too many:
 * `a_second` may come at once, and as many each second.  Local addresses have
 * no limit. */
bool address_may_come(struct address *address, unsigned a_second,
		      uint64_t now_us);
/* For tests: returns the number of entries. */
unsigned addresses_count(const struct addresses *addresses);

/* Counts a request that costs much.  Returns false if there were too many:
 * `an_hour` may come at once, and as many each hour.  Local addresses have no
 * limit. */
bool address_may_ask(struct address *address, unsigned an_hour,
		     uint64_t now_us);

/* Writes `host:port`, or `local` for a unix socket. */
void address_text(const struct sockaddr *from, char text[ADDRESS_TEXT_BYTES]);
/* Copies a text of address_text() without the port, which differs for each
 * connection. */
void address_host(const char *text, char host[ADDRESS_TEXT_BYTES]);
/* Returns true for a unix socket and a loopback address: only this machine can
 * come from there. */
bool address_is_local(const struct sockaddr *at);

#endif
