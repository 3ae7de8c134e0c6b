/* tests/unit/net-kit.c - see net-kit.h. */
#include "tests/unit/net-kit.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void
add_extension(X509 *cert, int what, const char *value)
{
	X509_EXTENSION *extension =
		X509V3_EXT_conf_nid(NULL, NULL, what, value);

	cr_assert_not_null(extension);
	X509_add_ext(cert, extension, -1);
	X509_EXTENSION_free(extension);
}

static X509 *
make_certificate(EVP_PKEY *key, long serial)
{
	X509 *cert = X509_new();
	X509_NAME *name;

	X509_set_version(cert, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(cert), serial);
	X509_gmtime_adj(X509_getm_notBefore(cert), -3600);
	X509_gmtime_adj(X509_getm_notAfter(cert), 86400);
	X509_set_pubkey(cert, key);
	name = X509_get_subject_name(cert);
	X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
				   (const unsigned char *)"referee test", -1,
				   -1, 0);
	X509_set_issuer_name(cert, name);
	add_extension(cert, NID_basic_constraints, "critical,CA:TRUE");
	add_extension(cert, NID_subject_alt_name,
		      "DNS:localhost,IP:127.0.0.1,IP:::1");
	cr_assert_gt(X509_sign(cert, key, EVP_sha256()), 0);
	return cert;
}

static void
make_one(struct net_kit *kit, int which)
{
	const char *const folder = strdupa(kit->folder);
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *cert = make_certificate(key, which + 1);
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned n, i;
	FILE *out;

	snprintf(kit->chain[which], sizeof(kit->chain[which]), "%s/chain%d.pem",
		 folder, which);
	snprintf(kit->key[which], sizeof(kit->key[which]), "%s/key%d.pem",
		 folder, which);
	out = fopen(kit->chain[which], "we");
	cr_assert(out != NULL && PEM_write_X509(out, cert) == 1);
	fclose(out);
	out = fopen(kit->key[which], "we");
	cr_assert(out != NULL && PEM_write_PrivateKey(out, key, NULL, NULL, 0,
						      NULL, NULL) == 1);
	fclose(out);
	cr_assert_eq(X509_digest(cert, EVP_sha256(), digest, &n), 1);
	for (i = 0; i < n; i++)
		snprintf(kit->pin[which] + (size_t)3 * i, 4, "%02X%s",
			 digest[i], i + 1 < n ? ":" : "");
	X509_free(cert);
	EVP_PKEY_free(key);
}

void
net_kit_init(struct net_kit *kit)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(kit->folder, sizeof(kit->folder), "%.40s/referee-net-XXXXXX",
		 tmp == NULL ? "/tmp" : tmp);
	cr_assert_not_null(mkdtemp(kit->folder));
	make_one(kit, 0);
	make_one(kit, 1);
}

void
net_kit_release(struct net_kit *kit)
{
	int i;

	for (i = 0; i < 2; i++) {
		unlink(kit->chain[i]);
		unlink(kit->key[i]);
	}
	cr_expect_eq(rmdir(kit->folder), 0, "%s is not empty", kit->folder);
}

static void
tcp_pair(int fd[2])
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t n = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	cr_assert_eq(bind(listener, (struct sockaddr *)&at, n), 0);
	cr_assert_eq(listen(listener, 1), 0);
	getsockname(listener, (struct sockaddr *)&at, &n);
	fd[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_assert_eq(connect(fd[0], (struct sockaddr *)&at, n), 0);
	fd[1] = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	cr_assert_geq(fd[1], 0);
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	setsockopt(fd[0], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(fd[1], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	close(listener);
}

void
net_pair(bool tcp, int fd[2])
{
	if (tcp)
		tcp_pair(fd);
	else
		cr_assert_eq(
			socketpair(AF_UNIX,
				   SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
				   0, fd),
			0);
}

bool
net_read(int fd, struct text *text)
{
	char bytes[8192];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		text_add(text, bytes, (size_t)n);
	return n < 0 && errno == EAGAIN;
}

void
net_write(int fd, const char *text)
{
	size_t n = strlen(text);

	cr_assert_eq(write(fd, text, n), (ssize_t)n, "the other side is full");
}

unsigned
net_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned count = 0;

	cr_assert_not_null(folder);
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count;
}
