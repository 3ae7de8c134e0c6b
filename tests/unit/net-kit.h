/* tests/unit/net-kit.h - what tests of connections need: certificates, sockets,
 * and the count of open descriptors. */
#ifndef TESTS_UNIT_NET_KIT_H
#define TESTS_UNIT_NET_KIT_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/text.h"
#include "referee/base/loop.h"
#include "referee/remote/tls.h"

/* Holds a folder with certificates that sign themselves, for localhost, 127.0.0.1 and
 * ::1. */
struct net_kit {
	char folder[64];
	char chain[2][96], key[2][96];	/* two of them */
	char pin[2][3 * TLS_PIN_BYTES]; /* their fingerprints, with colons */
};

void net_kit_init(struct net_kit *kit);
void net_kit_release(struct net_kit *kit);

/* Makes two connected sockets that do not block, over TCP if `tcp`. */
void net_pair(bool tcp, int fd[2]);
/* Adds all available bytes to `text`; returns false if the other side has
 * ended. */
bool net_read(int fd, struct text *text);
/* Writes all; fails the test if it cannot. */
void net_write(int fd, const char *text);
/* Returns the number of open descriptors of this process. */
unsigned net_descriptors(void);

#endif
