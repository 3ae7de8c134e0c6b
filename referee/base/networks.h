/* referee/base/networks.h - a list of networks that finds out if an address is
 * in one of them.  IPv4 is the part ::ffff:0:0/96 of IPv6. */
#ifndef REFEREE_NETWORKS_H
#define REFEREE_NETWORKS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "protocol/error.h"
#include "protocol/util.h"

#define NETWORKS_MAX 16
#define NETWORK_TEXT_BYTES (INET6_ADDRSTRLEN + 4)

struct networks {
	unsigned count;
	struct network {
		unsigned char bytes[16];
		unsigned bits; /* leading bits that count */
	} network[NETWORKS_MAX];
};

/* Gives the address as IPv6, with IPv4 as a part of it.  Returns false if it is
 * neither. */
bool networks_bytes(const struct sockaddr *from,
		    unsigned char bytes[16]) MUST_CHECK;
/* Returns true if they are an IPv4 address. */
bool networks_are_v4(const unsigned char bytes[16]) MUST_CHECK;
/* Reads an IPv4 or IPv6 address in digits; returns false for anything else. */
bool networks_read(const char *text, struct sockaddr_storage *at) MUST_CHECK;
/* Adds `ADDRESS`, a network of one, or `ADDRESS/BITS`.  Returns -1 and a
 * sentence if the text is neither, or if there are too many. */
int networks_add(struct networks *networks, const char *text,
		 struct error *why) MUST_CHECK;
bool networks_have(const struct networks *networks,
		   const struct sockaddr *at) MUST_CHECK;
/* Returns true if the two are one address; their ports may differ. */
bool networks_same(const struct sockaddr *a,
		   const struct sockaddr *b) MUST_CHECK;
/* Writes the network in the form that networks_add() reads. */
void networks_text(const struct network *network,
		   char text[NETWORK_TEXT_BYTES]);

#endif
