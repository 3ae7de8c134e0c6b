/* referee/remote/tls.c - contexts of OpenSSL. */
#include "referee/remote/tls.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *
tls_reason(void)
{
	unsigned long error = ERR_peek_error();
	const char *reason = ERR_reason_error_string(error);

	if (ERR_SYSTEM_ERROR(error))
		reason = strerror(ERR_GET_REASON(error));
	ERR_clear_error();
	return reason != NULL ? reason : "unknown";
}

static void
say_why(struct error *why, const char *what, const char *file)
{
	error_set(why, ERROR_INPUT, "%s %.100s: %.120s", what, file,
		  tls_reason());
}

/* Refuses to ask for a passphrase: a daemon has no one to ask. */
static int
no_passphrase(char *buf UNUSED, int size UNUSED, int writing UNUSED,
	      void *arg UNUSED)
{
	return -1;
}

static SSL_CTX *
new_context(bool client)
{
	SSL_CTX *ctx =
		SSL_CTX_new(client ? TLS_client_method() : TLS_server_method());

	if (ctx == NULL)
		return NULL;
	SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION);
	SSL_CTX_set_options(
		ctx, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
			     SSL_OP_NO_TICKET | SSL_OP_IGNORE_UNEXPECTED_EOF);
	SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_num_tickets(ctx, 0);
	/* Lines wait in a buffer of ours that moves and grows; a connection
	 * that is idle, as most are, holds no buffers of its own. */
	SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE |
				      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
				      SSL_MODE_RELEASE_BUFFERS);
	/* AUTO_RETRY would let one read go on while records without bytes of a
	 * line come, such as new keys, and all other connections would wait. */
	SSL_CTX_clear_mode(ctx, SSL_MODE_AUTO_RETRY);
	SSL_CTX_set_default_passwd_cb(ctx, no_passphrase);
	return ctx;
}

/* ---- server --------------------------------------------------------- */

static struct tls *
tls_new(bool client)
{
	struct tls *tls = memory(NULL, sizeof(*tls));

	*tls = (struct tls){ .ctx = new_context(client), .client = client };
	return tls;
}

struct tls *
tls_server_new(const char *chain, const char *key, struct error *why)
{
	struct tls *tls = tls_new(false);

	ERR_clear_error();
	/* Other groups cost up to 80 ms for each handshake, which a stranger
	 * begins for nothing, and in which all bots wait. */
	if (tls->ctx == NULL ||
	    SSL_CTX_set1_groups_list(tls->ctx, "X25519:P-256:P-384") != 1)
		say_why(why, "cannot begin TLS with", chain);
	else if (SSL_CTX_use_certificate_chain_file(tls->ctx, chain) != 1)
		say_why(why, "cannot read the certificate", chain);
	else if (SSL_CTX_use_PrivateKey_file(tls->ctx, key, SSL_FILETYPE_PEM) !=
			 1 ||
		 SSL_CTX_check_private_key(tls->ctx) != 1)
		say_why(why, "cannot use the private key", key);
	else
		return tls;
	tls_free(tls);
	return NULL;
}

static int64_t
end_of(const X509 *certificate)
{
	struct tm tm;

	return ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &tm) == 1
		       ? (int64_t)timegm(&tm)
		       : INT64_MAX;
}

int64_t
tls_expires(const struct tls *tls)
{
	STACK_OF(X509) *chain = NULL;
	int64_t first = end_of(SSL_CTX_get0_certificate(tls->ctx)), end;

	SSL_CTX_get0_chain_certs(tls->ctx, &chain);
	for (int i = 0; i < sk_X509_num(chain); i++) {
		end = end_of(sk_X509_value(chain, i));
		if (end < first)
			first = end;
	}
	return first;
}

/* ---- client --------------------------------------------------------- */

static bool
read_pin(const char *text, unsigned char pin[TLS_PIN_BYTES])
{
	size_t n;

	return sodium_hex2bin(pin, TLS_PIN_BYTES, text, strlen(text), ":", &n,
			      NULL) == 0 &&
	       n == TLS_PIN_BYTES;
}

/* Replaces all other checks: accepts only this certificate. */
static int
check_pin(X509_STORE_CTX *store, void *arg)
{
	const struct tls *tls = arg;
	X509 *shown = X509_STORE_CTX_get0_cert(store);
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned n;

	if (shown != NULL && X509_digest(shown, EVP_sha256(), digest, &n) &&
	    n == TLS_PIN_BYTES && memcmp(digest, tls->pin, n) == 0)
		return 1;
	X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED);
	return 0;
}

struct tls *
tls_client_new(const struct tls_trust *trust, struct error *why)
{
	struct tls *tls = tls_new(true);
	const char *file = trust->ca_file;

	if (tls->ctx == NULL) {
		error_set(why, ERROR_MACHINE, "%s", tls_reason());
		goto failed;
	}
	SSL_CTX_set_verify(tls->ctx, SSL_VERIFY_PEER, NULL);
	if (trust->pin != NULL) {
		tls->pinned = true;
		if (!read_pin(trust->pin, tls->pin)) {
			error_set(why, ERROR_INPUT, "%s",
				  "a fingerprint is 64 hex digits");
			goto failed;
		}
		SSL_CTX_set_cert_verify_callback(tls->ctx, check_pin, tls);
	} else if (file != NULL &&
		   SSL_CTX_load_verify_locations(tls->ctx, file, NULL) != 1) {
		say_why(why, "cannot read the authorities in", file);
		goto failed;
	} else if (file == NULL &&
		   SSL_CTX_set_default_verify_paths(tls->ctx) != 1) {
		say_why(why, "cannot read the authorities of", "the system");
		goto failed;
	}
	return tls;
failed:
	tls_free(tls);
	return NULL;
}

void
tls_free(struct tls *tls)
{
	if (tls == NULL)
		return;
	SSL_CTX_free(tls->ctx);
	free(tls);
}

/* ---- connections ---------------------------------------------------- */

static bool
set_host(SSL *ssl, const char *host)
{
	unsigned char address[sizeof(struct in6_addr)];

	SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
	if (inet_pton(AF_INET, host, address) == 1 ||
	    inet_pton(AF_INET6, host, address) == 1)
		return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl),
						     host) == 1;
	return SSL_set1_host(ssl, host) == 1 &&
	       SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME,
			TLSEXT_NAMETYPE_host_name,
			(void *)(uintptr_t)host) == 1; /* OpenSSL copies it */
}

SSL *
tls_connection(const struct tls *tls, int fd, const char *host)
{
	SSL *ssl = SSL_new(tls->ctx);

	if (ssl == NULL)
		return NULL;
	if (SSL_set_fd(ssl, fd) != 1 ||
	    (tls->client && host != NULL && !set_host(ssl, host)) ||
	    (tls->client && host == NULL && !tls->pinned)) {
		SSL_free(ssl);
		return NULL;
	}
	if (tls->client)
		SSL_set_connect_state(ssl);
	else
		SSL_set_accept_state(ssl);
	return ssl;
}
