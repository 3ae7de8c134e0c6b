/* referee/base/address.c - a table of addresses, hashed under a secret
 * key: no stranger can choose addresses that collide. */
#include "referee/base/address.h"

#include <arpa/inet.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/limits.h"
#include "referee/base/networks.h"

#define BUCKETS 4096

struct addresses {
	unsigned char secret[crypto_shorthash_KEYBYTES];
	struct address *bucket[BUCKETS];
	unsigned count,
		unused[2]; /* addresses without a user: unknown ones and known
			    * ones */
};

/* Returns true if connections from there are counted at all. */
static bool
make_key(const struct sockaddr *from, unsigned char key[16])
{
	const bool counted = networks_bytes(from, key);

	if (!counted)
		memset(key, 0, 16);
	else if (!networks_are_v4(key))
		memset(key + 8, 0, 8);
	return counted;
}

static struct address **
bucket_of(struct addresses *addresses, const unsigned char key[16])
{
	unsigned char hash[crypto_shorthash_BYTES];

	crypto_shorthash(hash, key, 16, addresses->secret);
	return &addresses->bucket[(hash[0] | hash[1] << 8) % BUCKETS];
}

/* Drops all unused addresses that are known, or all that are not.  There are
 * too many of them for a single one to matter. */
static void
forget_unused(struct addresses *addresses, bool known)
{
	struct address **at, *address;

	for (unsigned i = 0; i < BUCKETS; i++)
		for (at = &addresses->bucket[i]; (address = *at) != NULL;) {
			if (address->users > 0 || address->known != known) {
				at = &address->next;
				continue;
			}
			*at = address->next;
			free(address);
			addresses->count--;
		}
	addresses->unused[known] = 0;
}

struct addresses *
addresses_new(void)
{
	struct addresses *addresses = zeroed(1, sizeof(*addresses));

	randombytes_buf(addresses->secret, sizeof(addresses->secret));
	return addresses;
}

void
addresses_free(struct addresses *addresses)
{
	if (addresses == NULL)
		return;
	forget_unused(addresses, false);
	forget_unused(addresses, true);
	if (addresses->count > 0)
		bug("%u addresses are in use", addresses->count);
	free(addresses);
}

struct address *
address_take(struct addresses *addresses, const struct sockaddr *from)
{
	struct address *address, **bucket;
	unsigned char key[16];
	bool counted = make_key(from, key);

	bucket = bucket_of(addresses, key);
	for (address = *bucket; address != NULL; address = address->next)
		if (memcmp(address->key, key, sizeof(key)) == 0 &&
		    address->counted == counted)
			break;
	if (address == NULL) {
		address = memory(NULL, sizeof(*address));
		*address =
			(struct address){ .counted = counted, .next = *bucket };
		memcpy(address->key, key, sizeof(key));
		*bucket = address;
		addresses->count++;
	} else if (address->users == 0) {
		addresses->unused[address->known]--;
	}
	address->users++;
	return address;
}

static void
forgive(struct address *address, uint64_t now_us)
{
	const uint64_t each_us = WRONG_MS_MAX * (uint64_t)1000;

	while (address->wrong > 0 && now_us - address->wrong_us >= each_us) {
		address->wrong--;
		address->wrong_us += each_us;
	}
}

void
address_drop(struct addresses *addresses, struct address *address,
	     uint64_t now_us)
{
	struct address **at = bucket_of(addresses, address->key);
	const bool known = address->known;

	if (--address->users > 0)
		return;
	forgive(address, now_us);
	if (known || address->wrong > 0 ||
	    !rate_is_full(&address->comes, now_us) ||
	    !rate_is_full(&address->asks, now_us)) {
		if (++addresses->unused[known] >
		    (known ? ADDRESSES_KNOWN : ADDRESSES_KEPT))
			forget_unused(addresses, known);
		return;
	}
	while (*at != address)
		at = &(*at)->next;
	*at = address->next;
	free(address);
	addresses->count--;
}

unsigned
address_wrong(struct address *address, uint64_t now_us)
{
	unsigned ms = WRONG_MS, i;

	forgive(address, now_us);
	for (i = 0; i < address->wrong && ms < WRONG_MS_MAX; i++)
		ms *= 2;
	if (address->wrong == 0)
		address->wrong_us = now_us;
	if (ms < WRONG_MS_MAX)
		address->wrong++;
	return ms < WRONG_MS_MAX ? ms : WRONG_MS_MAX;
}

bool
address_may_come(struct address *address, unsigned a_second, uint64_t now_us)
{
	const uint64_t each_us = 1000000 / a_second + (1000000 % a_second > 0);

	if (!address->counted)
		return true;
	if (address->comes.each_us != each_us)
		rate_init(&address->comes, each_us, a_second, now_us);
	return rate_take(&address->comes, now_us);
}

bool
address_may_ask(struct address *address, unsigned an_hour, uint64_t now_us)
{
	if (!address->counted)
		return true;
	if (address->asks.each_us == 0)
		rate_init(&address->asks, UINT64_C(3600000000) / an_hour,
			  an_hour, now_us);
	return rate_take(&address->asks, now_us);
}

unsigned
addresses_count(const struct addresses *addresses)
{
	return addresses->count;
}

void
address_text(const struct sockaddr *from, char text[ADDRESS_TEXT_BYTES])
{
	const struct sockaddr_in6 *in6 = (const void *)from;
	char host[INET6_ADDRSTRLEN];
	unsigned char bytes[16];
	bool v4;

	if (!networks_bytes(from, bytes)) {
		snprintf(text, ADDRESS_TEXT_BYTES, "local");
		return;
	}
	v4 = networks_are_v4(bytes);
	inet_ntop(v4 ? AF_INET : AF_INET6, bytes + (v4 ? 12 : 0), host,
		  sizeof(host));
	snprintf(
		text, ADDRESS_TEXT_BYTES, v4 ? "%s:%u" : "[%s]:%u", host,
		ntohs(in6->sin6_port)); /* IPv4 has the port at the same place */
}

void
address_host(const char *text, char host[ADDRESS_TEXT_BYTES])
{
	const char *colon = strrchr(text, ':');
	const bool v6 = text[0] == '[';
	size_t n = colon == NULL ? strlen(text) : (size_t)(colon - text);

	snprintf(host, ADDRESS_TEXT_BYTES, "%.*s", (int)(v6 ? n - 2 : n),
		 text + v6);
}

bool
address_is_local(const struct sockaddr *at)
{
	unsigned char bytes[16];

	if (!networks_bytes(at, bytes))
		return at->sa_family == AF_UNIX;
	return networks_are_v4(bytes)
		       ? bytes[12] == 127
		       : memcmp(bytes, &in6addr_loopback, 16) == 0;
}
