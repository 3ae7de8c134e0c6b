/* tests/world/proxied.h - one client behind a trusted proxy, who watches by as many
 * connections as it gets and forges who it is. */
#ifndef TESTS_WORLD_PROXIED_H
#define TESTS_WORLD_PROXIED_H

#include <stdint.h>

/* Begins it.  `proxy` is the address from which its connections come.  Before each of
 * its names the client has written another one itself.  The life ends if more than
 * `limit` connections watch at the same time. */
void proxied_begin(uint16_t port, uint32_t proxy, const char *ladder,
		   unsigned limit);

#endif
