/* referee/http/http-forwarded.h - on whose behalf a proxy asks.
 *
 * A proxy appends the address of its client to X-Forwarded-For or Forwarded
 * (RFC 7239); what stands before that, anybody may have written.  So the list
 * is read from its end, as long as each address in it is that of a proxy that
 * the configuration trusts: the first that is not is the client. */
#ifndef REFEREE_HTTP_FORWARDED_H
#define REFEREE_HTTP_FORWARDED_H

#include <stdbool.h>

#include "protocol/util.h"
#include "referee/base/networks.h"
#include "referee/http/http-head.h"

/* The client of a request that came from a trusted proxy at `*from`, which
 * stays if the head tells no other.  False: the two headers contradict each
 * other, so one of them is not the proxy's. */
bool http_forwarded(const struct networks *proxies,
		    const struct http_head *head,
		    struct sockaddr_storage *from) MUST_CHECK;

#endif
