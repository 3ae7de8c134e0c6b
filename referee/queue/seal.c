/* referee/queue/seal.c - see seal.h. */
#include "referee/queue/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/durable.h"

#define KEY_HEAD "referee queue key 1\n"
#define KEY_DIGITS (2 * (size_t)SEAL_KEY_BYTES)
#define KEY_FILE_BYTES (sizeof(KEY_HEAD) - 1 + KEY_DIGITS + 1)
#define AD_BYTES (32 + ID_BYTES + DEAL_COMMIT_BYTES) /* and some words */

/* ---- keys ------------------------------------------------------------- */

static void
make_print(struct seal_key *key)
{
	static const unsigned char what[] = "referee queue key print 1";
	unsigned char hash[crypto_generichash_BYTES_MIN];

	crypto_generichash(hash, sizeof(hash), what, sizeof(what) - 1,
			   key->byte, sizeof(key->byte));
	sodium_bin2hex(key->print, sizeof(key->print), hash, SEAL_PRINT / 2);
}

static void
write_file(const struct seal_key *key, char bytes[KEY_FILE_BYTES + 1])
{
	char digits[KEY_DIGITS + 1];

	sodium_bin2hex(digits, sizeof(digits), key->byte, sizeof(key->byte));
	snprintf(bytes, KEY_FILE_BYTES + 1, KEY_HEAD "%s\n", digits);
	sodium_memzero(digits, sizeof(digits));
}

int
seal_key_make(const char *path, struct seal_key *key, struct error *why)
{
	char bytes[KEY_FILE_BYTES + 1];
	int result;

	randombytes_buf(key->byte, sizeof(key->byte));
	make_print(key);
	write_file(key, bytes);
	result = file_make(path, 0600, bytes, KEY_FILE_BYTES);
	sodium_memzero(bytes, sizeof(bytes));
	if (result == 0)
		return 0;
	return error_set(why, errno == EEXIST ? ERROR_INPUT : ERROR_MACHINE,
			 errno == EEXIST ? "the file %s is there already; a "
					   "key is not overwritten"
					 : "cannot make the key %s: %m",
			 quoted(path).text);
}

static int
no_key(const char *path, const char *fault, struct error *why)
{
	return error_set(why, ERROR_INPUT, "%s %s", quoted(path).text, fault);
}

static bool
parse_key(const char *bytes, struct seal_key *key)
{
	const size_t head = sizeof(KEY_HEAD) - 1;
	size_t n;

	return strncmp(bytes, KEY_HEAD, head) == 0 &&
	       bytes[KEY_FILE_BYTES - 1] == '\n' &&
	       sodium_hex2bin(key->byte, sizeof(key->byte), bytes + head,
			      KEY_DIGITS, NULL, &n, NULL) == 0 &&
	       n == sizeof(key->byte);
}

static int
read_key(int fd, const char *path, struct seal_key *key, struct error *why)
{
	char bytes[KEY_FILE_BYTES + 2];
	struct stat st;
	ssize_t n;
	bool good;

	if (fstat(fd, &st) < 0)
		return error_set(why, ERROR_MACHINE,
				 "cannot read the key %s: %m",
				 quoted(path).text);
	if (!S_ISREG(st.st_mode))
		return no_key(path, "is not a file with a key", why);
	if ((st.st_mode & 077) != 0)
		return no_key(path,
			      "may be read by others; change that with chmod "
			      "600",
			      why);
	n = read(fd, bytes, sizeof(bytes));
	if (n < 0)
		return error_set(why, ERROR_MACHINE,
				 "cannot read the key %s: %m",
				 quoted(path).text);
	good = n == KEY_FILE_BYTES && parse_key(bytes, key);
	sodium_memzero(bytes, sizeof(bytes));
	if (!good)
		return no_key(path, "is not a key made by `referee queue key`",
			      why);
	make_print(key);
	return 0;
}

int
seal_key_load(const char *path, struct seal_key *key, struct error *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int result;

	if (fd < 0)
		return error_set(why, path_kind(errno),
				 "cannot open the key %s: %m",
				 quoted(path).text);
	result = read_key(fd, path, key, why);
	close(fd);
	return result;
}

void
seal_key_forget(struct seal_key *key)
{
	sodium_memzero(key, sizeof(*key));
}

/* ---- seals ------------------------------------------------------------ */

/* Writes the data that a seal is bound to.  An ID has no NUL in it. */
static size_t
belongs(const struct deal *deal, unsigned char ad[AD_BYTES])
{
	const int n = snprintf((char *)ad, AD_BYTES - DEAL_COMMIT_BYTES,
			       "referee seal 1 %s", deal->id);

	memcpy(ad + n + 1, deal->commit, DEAL_COMMIT_BYTES);
	return (size_t)n + 1 + DEAL_COMMIT_BYTES;
}

/* Writes a nonce, and the bytes behind it, bound to what they belong to. */
static void
seal(const struct seal_key *key, const void *ad, size_t ad_bytes,
     const void *bytes, size_t n, unsigned char *sealed)
{
	const size_t nonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;

	randombytes_buf(sealed, nonce);
	crypto_aead_xchacha20poly1305_ietf_encrypt(sealed + nonce, NULL, bytes,
						   n, ad, ad_bytes, NULL,
						   sealed, key->byte);
}

static bool
unseal(const struct seal_key *key, const void *ad, size_t ad_bytes,
       const unsigned char *sealed, size_t n, void *bytes)
{
	const size_t nonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;

	return crypto_aead_xchacha20poly1305_ietf_decrypt(
		       bytes, NULL, NULL, sealed + nonce, n - nonce, ad,
		       ad_bytes, sealed, key->byte) == 0;
}

void
seal_close(const struct seal_key *key, const struct deal *deal,
	   unsigned char sealed[SEAL_BYTES])
{
	unsigned char ad[AD_BYTES];
	const size_t n = belongs(deal, ad);

	seal(key, ad, n, deal->secret, sizeof(deal->secret), sealed);
}

bool
seal_open(const struct seal_key *key, struct deal *deal, const void *sealed,
	  size_t n)
{
	unsigned char ad[AD_BYTES];
	const size_t ad_bytes = belongs(deal, ad);

	return n == SEAL_BYTES &&
	       unseal(key, ad, ad_bytes, sealed, n, deal->secret);
}

/* ---- the key of a roster ----------------------------------------------- */

static const char key_ad[] = "referee seal of bytes 1 roster.key";

void
seal_roster_key(const struct seal_key *key,
		const unsigned char bytes[ROSTER_KEY_BYTES],
		unsigned char sealed[SEAL_ROSTER_KEY_BYTES])
{
	seal(key, key_ad, sizeof(key_ad) - 1, bytes, ROSTER_KEY_BYTES, sealed);
}

bool
unseal_roster_key(const struct seal_key *key, const void *sealed, size_t n,
		  unsigned char bytes[ROSTER_KEY_BYTES])
{
	return n == SEAL_ROSTER_KEY_BYTES &&
	       unseal(key, key_ad, sizeof(key_ad) - 1, sealed, n, bytes);
}
