/* referee/base/networks.c - see networks.h. */
#include "referee/base/networks.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "protocol/message.h"

#define MAPPED_BITS 96 /* bits of IPv6 before an IPv4 address */

static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };

bool
networks_bytes(const struct sockaddr *from, unsigned char bytes[16])
{
	const struct sockaddr_in6 *v6 = (const void *)from;
	const struct sockaddr_in *v4 = (const void *)from;

	if (from->sa_family == AF_INET6) {
		memcpy(bytes, v6->sin6_addr.s6_addr, 16);
		return true;
	}
	if (from->sa_family != AF_INET)
		return false;
	memcpy(bytes, mapped, sizeof(mapped));
	memcpy(bytes + sizeof(mapped), &v4->sin_addr, 4);
	return true;
}

bool
networks_are_v4(const unsigned char bytes[16])
{
	return memcmp(bytes, mapped, sizeof(mapped)) == 0;
}

bool
networks_read(const char *text, struct sockaddr_storage *at)
{
	struct sockaddr_in6 *v6 = (void *)at;
	struct sockaddr_in *v4 = (void *)at;

	memset(at, 0, sizeof(*at));
	if (inet_pton(AF_INET, text, &v4->sin_addr) == 1)
		at->ss_family = AF_INET;
	else if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1)
		at->ss_family = AF_INET6;
	return at->ss_family != 0;
}

/* Returns true if the address begins with the network's bits. */
static bool
is_in(const struct network *network, const unsigned char bytes[16])
{
	const unsigned whole = network->bits / 8, rest = network->bits % 8;

	return memcmp(network->bytes, bytes, whole) == 0 &&
	       (rest == 0 ||
		(network->bytes[whole] ^ bytes[whole]) >> (8 - rest) == 0);
}

int
networks_add(struct networks *networks, const char *text, struct error *why)
{
	const char *slash = strchr(text, '/');
	const size_t n = slash == NULL ? strlen(text) : (size_t)(slash - text);
	char host[INET6_ADDRSTRLEN];
	struct network *network;
	struct sockaddr_storage at;
	uint64_t bits;
	unsigned most;

	if (networks->count == NETWORKS_MAX)
		return error_set(why, ERROR_INPUT,
				 "expected at most %d networks", NETWORKS_MAX);
	network = &networks->network[networks->count];
	if (n >= sizeof(host))
		goto wrong;
	memcpy(host, text, n);
	host[n] = '\0';
	if (!networks_read(host, &at) ||
	    !networks_bytes((struct sockaddr *)&at, network->bytes))
		goto wrong;
	bits = most = at.ss_family == AF_INET ? 32 : 128;
	if (slash != NULL &&
	    message_number(slash + 1, strlen(slash + 1), most, &bits) < 0)
		goto wrong;
	network->bits = (unsigned)bits + 128 - most;
	networks->count++;
	return 0;
wrong:
	return error_set(why, ERROR_INPUT,
			 "expected an address in digits, or a network as "
			 "ADDRESS/BITS, not %s",
			 quoted(text).text);
}

bool
networks_have(const struct networks *networks, const struct sockaddr *at)
{
	unsigned char bytes[16];

	if (!networks_bytes(at, bytes))
		return false;
	for (unsigned i = 0; i < networks->count; i++)
		if (is_in(&networks->network[i], bytes))
			return true;
	return false;
}

bool
networks_same(const struct sockaddr *a, const struct sockaddr *b)
{
	unsigned char bytes_a[16], bytes_b[16];

	return networks_bytes(a, bytes_a) && networks_bytes(b, bytes_b) &&
	       memcmp(bytes_a, bytes_b, 16) == 0;
}

void
networks_text(const struct network *network, char text[NETWORK_TEXT_BYTES])
{
	const bool v4 =
		network->bits >= MAPPED_BITS && networks_are_v4(network->bytes);
	char host[INET6_ADDRSTRLEN];

	inet_ntop(v4 ? AF_INET : AF_INET6, network->bytes + (v4 ? 12 : 0), host,
		  sizeof(host));
	snprintf(text, NETWORK_TEXT_BYTES, "%s/%u", host,
		 network->bits - (v4 ? MAPPED_BITS : 0));
}
