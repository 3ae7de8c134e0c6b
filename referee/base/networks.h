/* referee/base/networks.h - a few networks, and which addresses are in one of them.
 * IPv4 is the part ::ffff:0:0/96 of IPv6. */
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
		unsigned bits; /* of it that count, from the first */
	} network[NETWORKS_MAX];
};

/* The address, an IPv4 one as a part of IPv6; false: it is neither. */
bool networks_bytes(const struct sockaddr *from,
		    unsigned char bytes[16]) MUST_CHECK;
/* Returns whether they are an IPv4 address. */
bool networks_are_v4(const unsigned char bytes[16]) MUST_CHECK;
/* IPv4 or IPv6 in digits, nothing else. */
bool networks_read(const char *text, struct sockaddr_storage *at) MUST_CHECK;
/* Adds `ADDRESS`, a network of one, or `ADDRESS/BITS`.  -1 and a sentence: it
 * is neither, or there are too many. */
int networks_add(struct networks *networks, const char *text,
		 struct error *why) MUST_CHECK;
bool networks_have(const struct networks *networks,
		   const struct sockaddr *at) MUST_CHECK;
/* Whether the two are one address, whatever their ports. */
bool networks_same(const struct sockaddr *a,
		   const struct sockaddr *b) MUST_CHECK;
/* As networks_add() reads it. */
void networks_text(const struct network *network,
		   char text[NETWORK_TEXT_BYTES]);

#endif
