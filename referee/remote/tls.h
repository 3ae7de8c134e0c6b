/* referee/remote/tls.h - whom a TLS connection shows, and whom it believes.
 *
 * TLS 1.2 or newer, without compression, renegotiation or session tickets.  A
 * connection keeps what it was made with, whatever becomes of the struct. */
#ifndef REFEREE_TLS_H
#define REFEREE_TLS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"

struct ssl_st;
struct ssl_ctx_st;

#define TLS_WHY_BYTES 256 /* of a sentence that says what went wrong */
#define TLS_PIN_BYTES 32  /* of a fingerprint */

struct tls {
	struct ssl_ctx_st *ctx; /* owned */
	bool client;
	bool pinned; /* client: `pin` decides, not names and authorities */
	unsigned char pin[TLS_PIN_BYTES];
};

/* How a client knows the referee. */
struct tls_trust {
	const char *pin;     /* SHA-256 of its certificate, 64 hex digits, with
			      * or without colons; or NULL */
	const char *ca_file; /* PEM; or NULL: the system's authorities */
};

/* A server with the chain and the key in these PEM files; NULL and a sentence
 * in `why`. */
struct tls *tls_server_new(const char *chain, const char *key,
			   struct error *why) MUST_CHECK;

/* When the first of a server's certificates expires, in seconds since 1970. */
int64_t tls_expires(const struct tls *tls);

/* A client; it must live as long as its connections. */
struct tls *tls_client_new(const struct tls_trust *trust,
			   struct error *why) MUST_CHECK;

void tls_free(struct tls *tls);

/* For stream.c: a connection on `fd`, not yet shaken hands; `host` is whom a
 * client wants to talk to, a name or an address.  NULL: out of memory. */
struct ssl_st *tls_connection(const struct tls *tls, int fd, const char *host);
/* What OpenSSL holds to be the cause, as part of a sentence. */
const char *tls_reason(void);

#endif
