/* referee/remote/tls.h - certificates of TLS connections, and whom they trust.
 *
 * TLS 1.2 or newer, without compression, renegotiation or session tickets.  A
 * connection keeps the context that it was made with, even if the struct
 * changes. */
#ifndef REFEREE_TLS_H
#define REFEREE_TLS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"

struct ssl_st;
struct ssl_ctx_st;

#define TLS_WHY_BYTES 256 /* bytes of a sentence about an error */
#define TLS_PIN_BYTES 32  /* bytes of a fingerprint */

struct tls {
	struct ssl_ctx_st *ctx; /* owned */
	bool client;
	bool pinned; /* client: the pin decides, not names and authorities */
	unsigned char pin[TLS_PIN_BYTES];
};

/* The means by which a client recognizes the referee. */
struct tls_trust {
	const char *pin;     /* SHA-256 of its certificate, 64 hex digits, with
			      * or without colons; or NULL */
	const char *ca_file; /* PEM; or NULL: the system's authorities */
};

/* Makes a server from the chain and the key in these PEM files.  Returns NULL
 * and a sentence in `why` on failure. */
struct tls *tls_server_new(const char *chain, const char *key,
			   struct error *why) MUST_CHECK;

/* Returns when the first of a server's certificates expires, in seconds since
 * 1970. */
int64_t tls_expires(const struct tls *tls);

/* Makes a client.  It must live as long as its connections. */
struct tls *tls_client_new(const struct tls_trust *trust,
			   struct error *why) MUST_CHECK;

void tls_free(struct tls *tls);

/* For stream.c: makes a connection on `fd` before its handshake.  `host` is the
 * name or address that a client wants to talk to.  Returns NULL if out of
 * memory. */
struct ssl_st *tls_connection(const struct tls *tls, int fd, const char *host);
/* Returns the cause by OpenSSL's error, as part of a sentence. */
const char *tls_reason(void);

#endif
