/* referee/http/http-forwarded.h - finds the client that a proxy asks for.
 *
 * A proxy appends the address of its client to X-Forwarded-For or Forwarded
 * (RFC 7239).  Anybody may have written the entries before it.  So the list is
 * read from its end while each address is a proxy that the configuration
 * trusts; the first other address is the client. */
#ifndef REFEREE_HTTP_FORWARDED_H
#define REFEREE_HTTP_FORWARDED_H

#include <stdbool.h>

#include "protocol/util.h"
#include "referee/base/networks.h"
#include "referee/http/http-head.h"

/* Sets `*from`, the address of a trusted proxy, to that of its client, if the
 * head names one.  Returns false if the two headers contradict each other: then
 * one of them is not the proxy's. */
bool http_forwarded(const struct networks *proxies,
		    const struct http_head *head,
		    struct sockaddr_storage *from) MUST_CHECK;

#endif
