/* tests/unit/test-seal.c - secrets in the database can only be read with the
 * key and for their own game. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/file.h"
#include "referee/queue/seal.h"

static char folder[64], path[96];
static struct error why;

static void
begin(void)
{
	snprintf(folder, sizeof(folder), "/tmp/referee-test-XXXXXX");
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/key", folder);
}

static void
end(void)
{
	unlink(path);
	cr_assert_eq(rmdir(folder), 0, "%m");
}

static void
put(const char *text, size_t n, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);

	cr_assert_geq(fd, 0);
	cr_assert_eq(fchmod(fd, mode), 0);
	cr_assert_eq(file_write(fd, text, n), 0);
	close(fd);
}

static void
refused(const char *part)
{
	struct seal_key key;

	memset(&why, 0, sizeof(why));
	cr_assert_eq(seal_key_load(path, &key, &why), -1);
	cr_assert_eq(why.kind, ERROR_INPUT);
	cr_assert_not_null(strstr(why.text, part), "%s", why.text);
}

Test(seal, a_key_is_made_once_and_for_its_owner)
{
	struct seal_key made, again, other;
	struct rlimit before, none;
	struct stat st;
	const mode_t mask = umask(0);

	begin();
	cr_assert_eq(seal_key_make(path, &made, &why), 0, "%s", why.text);
	umask(mask);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 07777, 0600);
	cr_assert_eq(seal_key_load(path, &again, &why), 0, "%s", why.text);
	cr_assert_arr_eq(made.byte, again.byte, SEAL_KEY_BYTES);
	cr_assert_str_eq(made.print, again.print);
	cr_assert_eq(strlen(made.print), SEAL_PRINT);
	cr_assert_eq(seal_key_make(path, &other, &why), -1);
	cr_assert_eq(why.kind, ERROR_INPUT);
	cr_assert_not_null(strstr(why.text, "is there already"));
	/* A process without free descriptors is no fault of the key. */
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){ 0, before.rlim_max };
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	cr_expect_eq(seal_key_load(path, &again, &why), -1);
	cr_expect_eq(why.kind, ERROR_MACHINE, "%s", why.text);
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(seal_key_make(path, &other, &why), 0);
	cr_assert_str_neq(made.print, other.print);
	seal_key_forget(&made);
	cr_assert(sodium_is_zero(made.byte, sizeof(made.byte)));
	end();
}

Test(seal, a_file_that_is_no_key_is_refused)
{
	struct seal_key key;
	char text[200];
	size_t n;
	int fd;

	begin();
	refused("cannot open");
	cr_assert_eq(seal_key_make(path, &key, &why), 0);
	fd = open(path, O_RDONLY);
	n = (size_t)read(fd, text, sizeof(text));
	close(fd);
	cr_assert_eq(n, sizeof("referee queue key 1\n") - 1 + 64 + 1);
	for (unsigned mode = 0; mode < 077; mode++) {
		cr_assert_eq(chmod(path, 0600 | (mode_t)(mode + 1)), 0);
		refused("chmod 600");
	}
	put(text, n - 1, 0600);
	refused("is not a key");
	text[n] = '\n';
	put(text, n + 1, 0600);
	refused("is not a key");
	put(text, 0, 0600);
	refused("is not a key");
	for (size_t i = 0; i < n; i++) {
		const char was = text[i];

		text[i] = 'x';
		put(text, n, 0600);
		if (was != 'x')
			refused("is not a key");
		text[i] = was;
	}
	put(text, n, 0600);
	cr_assert_eq(seal_key_load(path, &key, &why), 0, "%s", why.text);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(mkdir(path, 0700), 0);
	refused("is not a file");
	cr_assert_eq(rmdir(path), 0);
	end();
}

/* Opens the seal without knowing the secret. */
static bool
opens(const struct seal_key *key, const struct deal *deal, const void *sealed,
      size_t n)
{
	struct deal blind = *deal;

	memset(blind.secret, 0, sizeof(blind.secret));
	return seal_open(key, &blind, sealed, n) &&
	       memcmp(blind.secret, deal->secret, sizeof(deal->secret)) == 0;
}

Test(seal, a_seal_opens_with_its_key_for_its_game_unchanged)
{
	unsigned char sealed[SEAL_BYTES + 1] = { 0 }, second[SEAL_BYTES];
	struct seal_key key, other;
	struct deal deal, another;

	begin();
	cr_assert_eq(seal_key_make(path, &key, &why), 0);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(seal_key_make(path, &other, &why), 0);
	deal_random(&deal);
	deal_random(&another);
	seal_close(&key, &deal, sealed);
	cr_assert(opens(&key, &deal, sealed, SEAL_BYTES));
	cr_assert_not(opens(&other, &deal, sealed, SEAL_BYTES));
	cr_assert_not(opens(&key, &another, sealed, SEAL_BYTES));
	cr_assert_not(opens(&key, &deal, sealed, SEAL_BYTES - 1));
	cr_assert_not(opens(&key, &deal, sealed, SEAL_BYTES + 1));
	cr_assert_not(opens(&key, &deal, sealed, 0));
	for (size_t bit = 0; bit < 8 * (size_t)SEAL_BYTES; bit++) {
		sealed[bit / 8] ^= (unsigned char)(1 << bit % 8);
		cr_assert_not(opens(&key, &deal, sealed, SEAL_BYTES));
		sealed[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	another = deal;
	another.commit[0] ^= 1;
	cr_assert_not(opens(&key, &another, sealed, SEAL_BYTES));
	another = deal;
	another.id[0] = another.id[0] == '0' ? '1' : '0';
	cr_assert_not(opens(&key, &another, sealed, SEAL_BYTES));
	/* Two seals of one secret differ. */
	seal_close(&key, &deal, second);
	cr_assert_neq(memcmp(sealed, second, SEAL_BYTES), 0);
	end();
}

Test(seal, a_roster_key_opens_with_its_key_unchanged)
{
	unsigned char sealed[SEAL_ROSTER_KEY_BYTES], bytes[32], found[32];
	struct seal_key key, other;

	begin();
	cr_assert_eq(seal_key_make(path, &key, &why), 0);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(seal_key_make(path, &other, &why), 0);
	randombytes_buf(bytes, sizeof(bytes));
	seal_roster_key(&key, bytes, sealed);
	cr_assert_null(memmem(sealed, sizeof(sealed), bytes, 8));
	cr_assert(unseal_roster_key(&key, sealed, sizeof(sealed), found));
	cr_assert_arr_eq(found, bytes, sizeof(bytes));
	cr_assert_not(unseal_roster_key(&other, sealed, sizeof(sealed), found));
	for (size_t n = 0; n < sizeof(sealed); n++)
		cr_assert_not(unseal_roster_key(&key, sealed, n, found));
	for (size_t bit = 0; bit < 8 * sizeof(sealed); bit++) {
		sealed[bit / 8] ^= (unsigned char)(1 << bit % 8);
		cr_assert_not(
			unseal_roster_key(&key, sealed, sizeof(sealed), found));
		sealed[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	end();
}
