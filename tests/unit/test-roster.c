/* tests/unit/test-roster.c - bots' names, tokens and states, on disk. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ladder/roster.h"
#include "tests/unit/ladder-kit.h"

static struct error why;
static char token[ROSTER_TOKEN_BYTES + 1];

static struct roster *roster;

static void
close_roster(void)
{
	roster_close(roster);
	roster = NULL;
}

/* Opens it, after closing it if it is open. */
static void
open_roster(void)
{
	close_roster();
	OK(roster_open(kit_path("."), &roster, &why));
}

static void
begin(void)
{
	kit_begin();
	open_roster();
}

static void
end(void)
{
	close_roster();
	kit_end();
}

TestSuite(roster, .init = begin, .fini = end);
/* Tests in which the file is made otherwise. */
TestSuite(roster_file, .init = kit_begin, .fini = end);

/* Expects that opening fails with `result` and a sentence that has `part` in it. */
static void
expect_closed(enum error_kind kind, const char *part)
{
	struct roster *none;

	why.text[0] = '\0';
	cr_expect_eq(KIND(roster_open(kit_path("."), &none, &why)), kind,
		     "%s: %s", part, why.text);
	cr_expect_null(none);
	TELLS(part);
}

static void
add(const char *name)
{
	cr_assert_eq(roster_add(roster, name, "", token, &why), 0, "%s: %s",
		     name, why.text);
}

#define REFUSED(call, part) FAILS(call, ERROR_INPUT, part)

static struct roster_bot
found(const char *name)
{
	struct roster_bot bot;

	memset(&bot, 0, sizeof(bot));
	OK(roster_find(roster, name, &bot, &why));
	return bot;
}

static bool
fits(struct roster *its, const char *name, const char *with)
{
	struct roster_bot bot;
	bool yes;

	OK(roster_check(its, name, strlen(name), with, strlen(with), &yes, &bot,
			&why));
	if (yes)
		cr_expect_eq(bot.number, found(name).number);
	return yes;
}

static void
run_sql(const char *sql)
{
	kit_execute(kit_path(ROSTER_DB), sql);
}

static size_t
read_file(const char *name, unsigned char *bytes, size_t size)
{
	FILE *in = fopen(kit_path(name), "re");
	size_t n;

	cr_assert_not_null(in);
	n = fread(bytes, 1, size, in);
	fclose(in);
	return n;
}

/* ---- tokens ----------------------------------------------------------- */

Test(roster, a_name_belongs_to_its_token)
{
	char alice[ROSTER_TOKEN_BYTES + 1], bob[ROSTER_TOKEN_BYTES + 1];
	struct roster_bot bot;
	unsigned i;

	add("alice");
	memcpy(alice, token, sizeof(alice));
	add("bob");
	memcpy(bob, token, sizeof(bob));
	cr_expect_eq(strspn(alice, "0123456789abcdef"), ROSTER_TOKEN_BYTES);
	cr_expect_str_neq(alice, bob);
	cr_expect(fits(roster, "alice", alice));
	cr_expect(fits(roster, "bob", bob));
	cr_expect_not(fits(roster, "alice", bob));
	cr_expect_not(fits(roster, "bob", alice));
	cr_expect_not(fits(roster, "carol", alice));
	cr_expect_not(fits(roster, "Alice", alice));
	cr_expect_not(fits(roster, "", alice));
	cr_expect_not(fits(roster, "", ""));
	cr_expect_not(fits(roster, "alice", ""));
	/* Every digit counts. */
	for (i = 0; i < ROSTER_TOKEN_BYTES; i++) {
		memcpy(token, alice, sizeof(token));
		token[i] ^= 1;
		cr_expect_not(fits(roster, "alice", token), "digit %u", i);
	}
	alice[ROSTER_TOKEN_BYTES - 1] = '\0';
	cr_expect_not(fits(roster, "alice", alice));
	bot = found("bob");
	cr_expect_eq(bot.number, 2);
	cr_expect_eq(bot.state, ROSTER_ENABLED);
	cr_expect(bot.has_token);
	cr_expect_gt(bot.made, 0);
}

/* Names and tokens come from strangers. */
Test(roster, what_strangers_send_fits_nobody)
{
	static char large[5000];
	struct roster_bot bot;
	bool yes = true;

	add("alice");
	memset(large, 'a', sizeof(large));
	OK(roster_check(roster, large, sizeof(large), large, sizeof(large),
			&yes, &bot, &why));
	cr_expect_not(yes);
	OK(roster_check(roster, "alice\0x", 7, token, ROSTER_TOKEN_BYTES, &yes,
			&bot, &why));
	cr_expect_not(yes);
	OK(roster_check(roster, "alice", 5, "", 0, &yes, &bot, &why));
	cr_expect_not(yes);
	cr_expect_not(fits(roster, "' OR 1=1 --", token));
	cr_expect_not(fits(roster, "\xff\xfe", token));
	/* Not NUL-terminated. */
	memcpy(large, "alice", 5);
	OK(roster_check(roster, large, 5, token, ROSTER_TOKEN_BYTES, &yes, &bot,
			&why));
	cr_expect(yes);
}

Test(roster, a_new_token_replaces_the_old_one)
{
	char old[ROSTER_TOKEN_BYTES + 1];

	add("alice");
	memcpy(old, token, sizeof(old));
	OK(roster_new_token(roster, "alice", token, &why));
	cr_expect(fits(roster, "alice", token));
	cr_expect_not(fits(roster, "alice", old));
	OK(roster_revoke(roster, "alice", &why));
	cr_expect_not(fits(roster, "alice", token));
	cr_expect_not(fits(roster, "alice", ""));
	cr_expect_not(found("alice").has_token);
	OK(roster_revoke(roster, "alice", &why));
	OK(roster_new_token(roster, "alice", token, &why));
	cr_expect(fits(roster, "alice", token));
	REFUSED(roster_new_token(roster, "bob", token, &why), "no bot bob");
	cr_expect_str_eq(token, "");
	REFUSED(roster_revoke(roster, "bob", &why), "no bot bob");
}

/* Write access to the database without the key does not help to move a token's
 * hash to another row. */
Test(roster, a_hash_is_worth_nothing_in_another_row)
{
	char alice[ROSTER_TOKEN_BYTES + 1];

	add("alice");
	memcpy(alice, token, sizeof(alice));
	add("bob");
	close_roster();
	run_sql("UPDATE bot SET token = (SELECT token FROM bot b"
		" WHERE b.name = 'alice') WHERE bot IN (0, 2)");
	open_roster();
	cr_expect(fits(roster, "alice", alice));
	cr_expect_not(fits(roster, "bob", alice));
	cr_expect_not(fits(roster, "nobody", alice));
}

Test(roster, the_folder_tells_no_token)
{
	static unsigned char bytes[1 << 20];
	unsigned char raw[ROSTER_TOKEN_BYTES / 2], key[ROSTER_KEY_BYTES];
	struct stat st;
	unsigned i;
	size_t n;

	add("alice");
	close_roster();
	for (i = 0; i < sizeof(raw); i++) {
		unsigned value;

		cr_assert_eq(sscanf(token + 2 * i, "%2x", &value), 1);
		raw[i] = (unsigned char)value;
	}
	cr_assert_eq(read_file(ROSTER_KEY, key, sizeof(key)), sizeof(key));
	n = read_file(ROSTER_DB, bytes, sizeof(bytes));
	cr_expect_not_null(memmem(bytes, n, "alice", 5));
	cr_expect_null(memmem(bytes, n, token, ROSTER_TOKEN_BYTES));
	cr_expect_null(memmem(bytes, n, raw, sizeof(raw)));
	cr_expect_null(memmem(bytes, n, key, sizeof(key)));
	cr_expect_eq(stat(kit_path(ROSTER_KEY), &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0600);
	cr_expect_eq(stat(kit_path(ROSTER_DB), &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0600);
}

/* ---- names ------------------------------------------------------------ */

static int
enter(const char *name, const char *hash, struct roster_entry *entry)
{
	memset(entry, 0, sizeof(*entry));
	snprintf(entry->name, sizeof(entry->name), "%s", name);
	snprintf(entry->hash, sizeof(entry->hash), "%s", hash);
	return roster_enter(roster, entry, &why);
}

Test(roster, names_at_their_limits)
{
	char name[NAME_BYTES + 2];

	memset(name, 'n', sizeof(name));
	name[NAME_BYTES + 1] = '\0';
	REFUSED(roster_add(roster, name, "", token, &why), "1 to 32 letters");
	cr_expect_str_eq(token, "");
	name[NAME_BYTES] = '\0';
	add(name);
	cr_expect(fits(roster, name, token));
	add("a");
	add("0._-");
	REFUSED(roster_add(roster, "", "", token, &why), "1 to 32 letters");
	REFUSED(roster_add(roster, ".a", "", token, &why), "1 to 32 letters");
	REFUSED(roster_add(roster, "a b", "", token, &why), "1 to 32 letters");
	REFUSED(roster_add(roster, "a", "", token, &why), "name a is taken");
	REFUSED(roster_rename(roster, "a", "a\n", &why), "1 to 32 letters");
}

/* Adds a bot that an older referee has let in by this name. */
static void
add_old(const char *name)
{
	char sql[256];

	add("beginner");
	snprintf(sql, sizeof(sql),
		 "UPDATE bot SET name = '%s' WHERE name = 'beginner';"
		 "UPDATE name SET name = '%s' WHERE name = 'beginner'",
		 name, name);
	run_sql(sql);
}

static void
expect_no_name(const char *name, const char *part)
{
	REFUSED(roster_add(roster, name, "", token, &why), part);
	cr_expect_str_eq(token, "");
	REFUSED(roster_rename(roster, "other", name, &why), part);
	REFUSED(enter(name, "aa", &(struct roster_entry){ 0 }), part);
}

Test(roster, a_new_name_looks_like_no_other_bot_s)
{
	static const char *const good[] = { "random1",	"house-",   "r",
					    "alice.1",	"alice.0",  "alice.02",
					    "alice.2b", "alice.b2", "alice-2",
					    "2.alice",	"alice.2." };
	size_t i;

	add("other");
	add("Bob");
	OK(roster_rename(roster, "Bob", "Carl", &why));
	OK(enter("dora", "aa", &(struct roster_entry){ 0 }));
	OK(roster_delete(roster, "dora", &why));
	expect_no_name("random", "the referee's own bot random");
	expect_no_name("RANDOM", "the referee's own bot random");
	expect_no_name("House", "the referee's own bot house");
	expect_no_name("Trial", "a version in a trial is called so");
	expect_no_name("alice.2", "versions of a bot are called");
	expect_no_name("alice.10", "versions of a bot are called");
	expect_no_name("a.b.999999", "versions of a bot are called");
	expect_no_name("bob", "is or was called Bob");
	expect_no_name("CARL", "is or was called Carl");
	expect_no_name("Dora", "is or was called dora");
	for (i = 0; i < NELEM(good); i++)
		add(good[i]);
	/* A bot may take its own name in other letters. */
	OK(roster_rename(roster, "Carl", "cARL", &why));
	OK(roster_rename(roster, "cARL", "bOB", &why));
}

Test(roster, an_old_name_goes_on)
{
	struct roster_entry entry;

	add_old("random");
	add_old("alice.2");
	add_old("alice");
	add_old("ALICE");
	cr_expect(fits(roster, "ALICE", token));
	OK(roster_new_token(roster, "random", token, &why));
	cr_expect(fits(roster, "random", token));
	OK(enter("random", "aa", &entry));
	OK(enter("random", "bb", &entry));
	cr_expect_str_eq(entry.stands_as, "random.2");
	OK(roster_rename(roster, "random", "other", &why));
	OK(roster_rename(roster, "other", "random", &why));
	OK(roster_set_owner(roster, "alice.2", "random", &why));
	OK(roster_rename(roster, "ALICE", "new", &why));
	OK(roster_rename(roster, "new", "ALICE", &why));
}

struct heard {
	char text[1024];
};

static void
hear_bot(void *arg, const struct roster_bot *bot)
{
	struct heard *heard = arg;
	size_t n = strlen(heard->text);

	snprintf(heard->text + n, sizeof(heard->text) - n, "%d:%s:%d:%s ",
		 (int)bot->number, bot->name, (int)bot->state, bot->reason);
}

static const char *
first_name_of(int64_t number)
{
	static char first[NAME_BYTES + 1];

	cr_assert_geq(roster_first_name(roster, number, first, &why), 0);
	return first;
}

static const char *
listed(void)
{
	static struct heard heard;

	heard.text[0] = '\0';
	OK(roster_list(roster, hear_bot, &heard, &why));
	return heard.text;
}

Test(roster, a_renamed_bot_keeps_its_old_name_to_itself)
{
	char kept[ROSTER_TOKEN_BYTES + 1];

	add("other");
	add("old");
	memcpy(kept, token, sizeof(kept));
	OK(roster_rename(roster, "old", "new", &why));
	/* The games of a renamed bot are found by either name; it is shown by
	 * one. */
	cr_expect_eq(found("old").number, 2);
	cr_expect_str_eq(found("old").name, "new");
	cr_expect_eq(found("new").number, 2);
	/* The program knows only the old name. */
	cr_expect(fits(roster, "new", kept));
	cr_expect(fits(roster, "old", kept));
	cr_expect_not(fits(roster, "other", kept));
	cr_expect_str_eq(first_name_of(2), "old");
	REFUSED(roster_add(roster, "old", "", token, &why), "old is taken");
	REFUSED(roster_rename(roster, "other", "old", &why), "old is taken");
	REFUSED(roster_rename(roster, "other", "new", &why), "new is taken");
	REFUSED(roster_rename(roster, "old", "x", &why), "is called new now");
	REFUSED(roster_disable(roster, "old", "", &why), "is called new now");
	REFUSED(roster_rename(roster, "nobody", "x", &why), "no bot nobody");
	/* Then it takes its old name back. */
	OK(roster_rename(roster, "new", "old", &why));
	OK(roster_rename(roster, "old", "old", &why));
	cr_expect(fits(roster, "old", kept));
	cr_expect_str_eq(first_name_of(2), "old");
	REFUSED(roster_first_name(roster, 77, kept, &why), "has no name");
	REFUSED(roster_add(roster, "new", "", token, &why), "new is taken");
	cr_expect_str_eq(listed(), "2:old:0: 1:other:0: ");
}

Test(roster, so_many_names_and_no_more)
{
	char from[16] = "n1", to[16];
	unsigned i;

	add(from);
	for (i = 2; i <= ROSTER_NAMES; i++) {
		snprintf(to, sizeof(to), "n%u", i);
		OK(roster_rename(roster, from, to, &why));
		memcpy(from, to, sizeof(from));
	}
	REFUSED(roster_rename(roster, from, "more", &why), "16 names");
	cr_expect_str_eq(found("n1").name, from);
	OK(roster_rename(roster, from, "n1", &why));
}

Test(roster, so_many_bots_and_no_more)
{
	char sql[512];

	close_roster();
	snprintf(sql, sizeof(sql),
		 "BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
		 " SELECT i + 1 FROM n WHERE i < %d)"
		 " INSERT INTO bot (name, state, reason, since, made)"
		 " SELECT 'b' || i, 2, '', 1, 1 FROM n; COMMIT",
		 ROSTER_BOTS - 1);
	run_sql(sql);
	open_roster();
	add("last");
	REFUSED(roster_add(roster, "beyond", "", token, &why), "100000 bots");
	REFUSED(roster_find(roster, "beyond", &(struct roster_bot){ 0 }, &why),
		"no bot beyond");
}

/* ---- states ----------------------------------------------------------- */

Test(roster, disabled_and_enabled_again)
{
	char reason[ROSTER_REASON_BYTES + 2];
	struct roster_bot bot;

	add("alice");
	OK(roster_disable(roster, "alice", "floods the \"referee\"", &why));
	bot = found("alice");
	cr_expect_eq(bot.state, ROSTER_DISABLED);
	cr_expect_str_eq(bot.reason, "floods the \"referee\"");
	cr_expect_geq(bot.since, bot.made);
	cr_expect(fits(roster, "alice", token));
	OK(roster_enable(roster, "alice", &why));
	bot = found("alice");
	cr_expect_eq(bot.state, ROSTER_ENABLED);
	cr_expect_str_eq(bot.reason, "");

	memset(reason, 'r', sizeof(reason));
	reason[ROSTER_REASON_BYTES + 1] = '\0';
	REFUSED(roster_disable(roster, "alice", reason, &why), "200 bytes");
	cr_expect_eq(found("alice").state, ROSTER_ENABLED);
	reason[ROSTER_REASON_BYTES] = '\0';
	OK(roster_disable(roster, "alice", reason, &why));
	cr_expect_str_eq(found("alice").reason, reason);
	REFUSED(roster_disable(roster, "alice", "a\nb", &why), "printable");
	REFUSED(roster_disable(roster, "bob", "", &why), "no bot bob");
	REFUSED(roster_enable(roster, "bob", &why), "no bot bob");
	REFUSED(roster_enable(roster, "", &why), "no bot ");
}

/* A word of the organiser is not the state that an owner chooses. */
Test(roster, withdrawn)
{
	struct roster_bot bot;

	add("alice");
	OK(roster_withdraw(roster, "alice", &why));
	bot = found("alice");
	cr_expect_eq(bot.state, ROSTER_WITHDRAWN);
	cr_expect_str_eq(roster_state_word(bot.state), "withdrawn");
	cr_expect_str_eq(bot.reason, "");
	cr_expect(fits(roster, "alice", token));
	OK(roster_disable(roster, "alice", "withdrawn by its owner", &why));
	cr_expect_eq(found("alice").state, ROSTER_DISABLED);
	OK(roster_withdraw(roster, "alice", &why));
	OK(roster_enable(roster, "alice", &why));
	cr_expect_eq(found("alice").state, ROSTER_ENABLED);
	OK(roster_delete(roster, "alice", &why));
	REFUSED(roster_withdraw(roster, "alice", &why), "is removed");
}

Test(roster, a_deleted_bot_stays_as_a_tombstone)
{
	add("first");
	OK(roster_rename(roster, "first", "alice", &why));
	add("bob");
	OK(roster_new_token(roster, "alice", token, &why));
	OK(roster_delete(roster, "alice", &why));
	cr_expect_not(fits(roster, "alice", token));
	cr_expect_eq(found("alice").state, ROSTER_DELETED);
	cr_expect_eq(found("first").number, 1);
	cr_expect_not(found("alice").has_token);
	REFUSED(roster_add(roster, "alice", "", token, &why), "alice is taken");
	REFUSED(roster_add(roster, "first", "", token, &why), "first is taken");
	REFUSED(roster_rename(roster, "bob", "alice", &why), "alice is taken");
	REFUSED(roster_enable(roster, "alice", &why), "is removed");
	REFUSED(roster_disable(roster, "alice", "", &why), "is removed");
	REFUSED(roster_new_token(roster, "alice", token, &why), "is removed");
	REFUSED(roster_revoke(roster, "alice", &why), "is removed");
	REFUSED(roster_rename(roster, "alice", "eve", &why), "is removed");
	REFUSED(roster_delete(roster, "alice", &why), "is removed");
	cr_expect_str_eq(listed(), "1:alice:2: 2:bob:0: ");
	add("carol");
	cr_expect_eq(found("carol").number, 3);
}

/* A deleted bot stays deleted even if its row gets a token. */
Test(roster, a_deleted_bot_with_a_token_does_not_fit)
{
	add("alice");
	close_roster();
	run_sql("UPDATE bot SET state = 2 WHERE bot = 1");
	open_roster();
	cr_expect_not(fits(roster, "alice", token));
}

/* ---- the files -------------------------------------------------------- */

Test(roster, all_is_there_again)
{
	cr_expect_str_eq(listed(), "");
	add("alice");
	open_roster();
	cr_expect(fits(roster, "alice", token));
	cr_expect_str_eq(listed(), "1:alice:0: ");
	close_roster();
	roster_close(NULL);
	cr_expect_neq(access(kit_path(ROSTER_DB ".new"), F_OK), 0);
	cr_expect_neq(access(kit_path(ROSTER_KEY ".new"), F_OK), 0);
}

/* A founding was killed after the key was made, or in the middle of either file. */
Test(roster, an_interrupted_founding_is_begun_again)
{
	unsigned char before[ROSTER_KEY_BYTES], after[ROSTER_KEY_BYTES];

	close_roster();
	read_file(ROSTER_KEY, before, sizeof(before));
	cr_assert_eq(unlink(kit_path(ROSTER_DB)), 0);
	kit_write_file(kit_path(ROSTER_DB ".new"), "half", 4);
	open_roster();
	add("alice");
	close_roster();
	read_file(ROSTER_KEY, after, sizeof(after));
	cr_expect_eq(memcmp(before, after, sizeof(before)), 0);
	cr_assert_eq(unlink(kit_path(ROSTER_DB)), 0);
	cr_assert_eq(unlink(kit_path(ROSTER_KEY)), 0);
	kit_write_file(kit_path(ROSTER_KEY ".new"), "half", 4);
	open_roster();
	add("alice");
	cr_expect(fits(roster, "alice", token));
}

Test(roster, another_key_is_found_out)
{
	unsigned char key[ROSTER_KEY_BYTES + 1] = { 0 };

	add("alice");
	close_roster();
	cr_assert_eq(read_file(ROSTER_KEY, key, sizeof(key)), ROSTER_KEY_BYTES);
	key[ROSTER_KEY_BYTES - 1] ^= 1;
	kit_write_file(kit_path(ROSTER_KEY), (char *)key, ROSTER_KEY_BYTES);
	expect_closed(ERROR_INPUT, "is not the key of");
	kit_write_file(kit_path(ROSTER_KEY), (char *)key, ROSTER_KEY_BYTES - 1);
	expect_closed(ERROR_INPUT, "expected a file of 32 bytes");
	kit_write_file(kit_path(ROSTER_KEY), (char *)key, ROSTER_KEY_BYTES + 1);
	expect_closed(ERROR_INPUT, "expected a file of 32 bytes");
	key[ROSTER_KEY_BYTES - 1] ^= 1;
	kit_write_file(kit_path(ROSTER_KEY), (char *)key, ROSTER_KEY_BYTES);
	cr_assert_eq(chmod(kit_path(ROSTER_KEY), 0640), 0);
	expect_closed(ERROR_INPUT, "expected mode 0600, found 0640");
	cr_assert_eq(chmod(kit_path(ROSTER_KEY), 0600), 0);
	open_roster();
	cr_expect(fits(roster, "alice", token));
	close_roster();
	/* No key is made for an existing roster. */
	cr_assert_eq(rename(kit_path(ROSTER_KEY), kit_path("elsewhere")), 0);
	expect_closed(ERROR_INPUT, "roster.key is missing");
	cr_expect_neq(access(kit_path(ROSTER_KEY), F_OK), 0);
	cr_assert_eq(symlink("elsewhere", kit_path(ROSTER_KEY)), 0);
	expect_closed(ERROR_INPUT, "cannot open");
}

Test(roster, a_damaged_file_stays_as_it_is)
{
	static unsigned char bytes[1 << 20];
	char name[16];
	unsigned i;
	size_t n;

	for (i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "bot-%u", i);
		add(name);
	}
	close_roster();
	n = read_file(ROSTER_DB, bytes, sizeof(bytes));
	cr_assert_gt(n, 16384);

	kit_write_file(kit_path(ROSTER_DB), "", 0);
	expect_closed(ERROR_INPUT, "is empty, not a roster");
	cr_expect(kit_file_equals(kit_path(ROSTER_DB), "", 0));

	kit_write_file(kit_path(ROSTER_DB),
		       "no database, but long enough to be "
		       "read as the header of one........"
		       "....................................",
		       100);
	expect_closed(ERROR_INPUT, "is not a roster, and not a database");

	memset(bytes + 4096, 0x5a, 8192);
	kit_write_file(kit_path(ROSTER_DB), (char *)bytes, n);
	expect_closed(ERROR_INPUT, "is damaged");
	kit_write_file(kit_path(ROSTER_DB), (char *)bytes, 8192);
	expect_closed(ERROR_INPUT, "is damaged");
	unlink(kit_path(ROSTER_DB));
	cr_assert_eq(mkdir(kit_path(ROSTER_DB), 0700), 0);
	expect_closed(ERROR_INPUT, "it is not a file");
}

Test(roster, a_log_without_its_roster)
{
	close_roster();
	cr_assert_eq(unlink(kit_path(ROSTER_DB)), 0);
	kit_write_file(kit_path(ROSTER_DB "-wal"), "x", 1);
	expect_closed(ERROR_INPUT, "roster.db is missing");
	cr_expect_neq(access(kit_path(ROSTER_DB), F_OK), 0);
	cr_assert_eq(unlink(kit_path(ROSTER_DB "-wal")), 0);
	open_roster();
}

Test(roster, files_of_others)
{
	close_roster();
	run_sql("PRAGMA user_version = 6");
	expect_closed(ERROR_INPUT, "is of version 6, but this referee knows "
				   "version 5: use a newer referee");
	run_sql("PRAGMA user_version = 2");
	expect_closed(ERROR_INPUT, "is of version 2, but this referee knows "
				   "version 5: only a referee of that version "
				   "can open it");
	run_sql("PRAGMA user_version = 0");
	expect_closed(ERROR_INPUT, "another SQLite database");
	run_sql("PRAGMA user_version = 5; PRAGMA application_id = 1");
	expect_closed(ERROR_INPUT, "another SQLite database");
	run_sql("PRAGMA application_id = 0x626f7473");
	open_roster();
	close_roster();
	run_sql("DELETE FROM meta");
	expect_closed(ERROR_INPUT, "it has no proof");
	FAILS(roster_open(kit_path("nowhere"), &roster, &why), ERROR_INPUT,
	      "nowhere/roster.key");
}

/* Fills the disk, or not any more. */
static void
let_files_grow(bool may)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = may ? limit.rlim_max : 1;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The tables differ from ours, or there are other objects. */
Test(roster_file, a_schema_that_somebody_has_made)
{
	static const char *const change[] = {
		"CREATE TRIGGER on_disable AFTER UPDATE OF state ON bot"
		" BEGIN UPDATE bot SET state = 0; END",
		"CREATE VIEW who AS SELECT name FROM bot",
		"CREATE TABLE more (a)",
		"CREATE INDEX more ON bot (made)",
		"DROP INDEX name_of_bot",
		"ALTER TABLE bot ADD COLUMN more",
		"ALTER TABLE tally RENAME COLUMN day TO owner_day",
		"DROP TABLE tally; CREATE TABLE tally (kind INTEGER NOT NULL,"
		" who TEXT NOT NULL COLLATE NOCASE, day INTEGER NOT NULL,"
		" count INTEGER NOT NULL, PRIMARY KEY (kind, who, day))"
		" WITHOUT ROWID",
		"DROP TABLE tally; CREATE VIEW tally AS SELECT 0 AS kind,"
		" name AS who, 0 AS day, 0 AS count FROM bot",
	};
	struct roster_marks *marks;
	size_t i;

	for (i = 0; i < NELEM(change); i++) {
		open_roster();
		run_sql(change[i]);
		expect_closed(ERROR_INPUT, "has other tables, triggers or "
					   "views than this referee makes");
		cr_expect_eq(roster_marks_read(kit_path("."), &marks, &why),
			     -1);
		roster_marks_free(marks);
		unlink(kit_path("roster.db"));
		unlink(kit_path("roster.db-wal"));
		unlink(kit_path("roster.db-shm"));
		unlink(kit_path("roster.key"));
	}
	/* The line ends of the schema do not matter. */
	open_roster();
	run_sql("DROP TABLE tally; CREATE TABLE tally (\n kind INTEGER NOT "
		"NULL,"
		" who TEXT NOT NULL, day INTEGER NOT NULL,\n\n count INTEGER "
		"NOT NULL, -- more\n"
		"PRIMARY KEY (kind, who, day)\n) WITHOUT ROWID");
	open_roster();
}

/* The text contains no terminal commands. */
Test(roster, what_is_read_is_printable)
{
	struct roster_bot bot;

	add("alice");
	close_roster();
	run_sql("UPDATE bot SET reason = 'a' || char(27) || '[2J' || char(7) "
		"|| "
		"char(155), owner = char(10) || 'x' WHERE name = 'alice'");
	open_roster();
	OK(roster_find(roster, "alice", &bot, &why));
	cr_expect_str_eq(bot.reason, "a?[2J???", "a byte of UTF-8 is one, too");
	cr_expect_str_eq(bot.owner, "?x");
}

/* A change that cannot be written is not half done, and its token is not
 * printed. */
Test(roster, a_change_that_fails_changes_nothing)
{
	char kept[ROSTER_TOKEN_BYTES + 1];

	add("alice");
	memcpy(kept, token, sizeof(kept));
	open_roster();
	let_files_grow(false);
	cr_expect_eq(KIND(roster_add(roster, "bob", "", token, &why)),
		     ERROR_MACHINE);
	cr_expect_str_eq(token, "");
	cr_expect_eq(KIND(roster_new_token(roster, "alice", token, &why)),
		     ERROR_MACHINE);
	cr_expect_str_eq(token, "");
	cr_expect_eq(KIND(roster_delete(roster, "alice", &why)), ERROR_MACHINE);
	cr_expect_str_eq(listed(), "1:alice:0: ");
	cr_expect(fits(roster, "alice", kept));
	let_files_grow(true);
	OK(roster_disable(roster, "alice", "", &why));
	open_roster();
	cr_expect_str_eq(listed(), "1:alice:1: ");
}

/* ---- entries ---------------------------------------------------------- */

static void
on_entry(void *arg, const struct roster_entry *entry)
{
	char *names = arg;

	snprintf(names + strlen(names), 256 - strlen(names), "%s ",
		 entry->stands_as);
}

Test(roster, a_bot_has_entry_after_entry)
{
	struct roster_entry entry;
	struct roster_bot bot;
	char names[256] = "";
	int i;

	OK(enter("alice", "aa", &entry));
	cr_expect_eq(entry.number, 1);
	cr_expect_str_eq(entry.stands_as, "alice");
	OK(roster_find(roster, "alice", &bot, &why));
	cr_expect_not(bot.has_token);
	cr_expect_eq(enter("alice", "aa", &entry), LADDER_FOUND);
	for (i = 2; i < 5; i++)
		OK(enter("alice", i % 2 ? "aa" : "bb", &entry));
	cr_expect_str_eq(entry.stands_as, "alice.4");
	OK(roster_entries_of(roster, entry.bot, on_entry, names, &why));
	cr_expect_str_eq(names, "alice.4 alice.3 alice.2 alice ");
	names[0] = '\0';
	OK(enter("bob", "cc", &entry));
	OK(roster_entries(roster, on_entry, names, &why));
	cr_expect_str_eq(names, "alice.4 bob ");
	add("carol");
	OK(roster_find(roster, "carol", &bot, &why));
	cr_expect_eq(roster_entry_of(roster, bot.number, &entry, &why), 0);
}

static enum ladder_mark
mark_of(const char *bot)
{
	struct roster_marks *marks;
	enum ladder_mark mark;

	OK(roster_marks_read(kit_path("."), &marks, &why));
	mark = roster_mark_of(marks, bot).mark;
	roster_marks_free(marks);
	return mark;
}

/* Expects that these are versions of one bot, the one that plays at the end, or that it
 * is the only one. */
static void
expect_versions(const char *const names[], size_t count)
{
	struct ladder_known known, before = { .of = 0 };
	struct roster_marks *marks;

	OK(roster_marks_read(kit_path("."), &marks, &why));
	for (size_t i = 0; i < count; i++) {
		known = roster_mark_of(marks, names[i]);
		cr_expect_eq(known.of != 0, count > 1, "%s", names[i]);
		cr_expect(i == 0 ||
			  (known.of == before.of && known.turn > before.turn));
		cr_expect_str_eq(roster_plays(marks, names[i]),
				 names[count - 1]);
		before = known;
	}
	roster_marks_free(marks);
}
#define EXPECT_VERSIONS(...)                                                   \
	expect_versions((const char *const[]){ __VA_ARGS__ },                  \
			sizeof((const char *const[]){ __VA_ARGS__ }) /         \
				sizeof(char *))

Test(roster, an_earlier_entry_plays_again)
{
	struct roster_entry entry;
	char names[256] = "";
	int i;

	for (i = 1; i < 4; i++)
		OK(enter("alice", i % 2 ? "aa" : "bb", &entry));
	OK(enter("bob", "cc", &entry));
	EXPECT_VERSIONS("alice", "alice.2", "alice.3");
	cr_expect_eq(roster_go_back(roster, "alice", 3, &entry, &why),
		     LADDER_FOUND, "it plays");
	OK(roster_go_back(roster, "alice", 2, &entry, &why));
	cr_expect_str_eq(entry.stands_as, "alice.2");
	cr_expect_eq(entry.number, 2);
	OK(roster_entries(roster, on_entry, names, &why));
	cr_expect_str_eq(names, "alice.2 bob ");
	EXPECT_VERSIONS("alice", "alice.3", "alice.2");
	EXPECT_VERSIONS("bob");
	EXPECT_VERSIONS("a bot of a connection");
	cr_expect_eq(enter("alice", "bb", &entry), LADDER_FOUND, "the same");
	OK(enter("alice", "dd", &entry));
	cr_expect_str_eq(entry.stands_as, "alice.4");
	cr_expect_eq(entry.number, 4);
	EXPECT_VERSIONS("alice", "alice.3", "alice.2", "alice.4");
	names[0] = '\0';
	OK(roster_entries_of(roster, entry.bot, on_entry, names, &why));
	cr_expect_str_eq(names, "alice.4 alice.2 alice.3 alice ");
	OK(roster_disable(roster, "alice", "withdrawn by its owner", &why));
	cr_expect_eq(mark_of("alice.2"), LADDER_DISABLED);
	OK(roster_withdraw(roster, "alice", &why));
	cr_expect_eq(mark_of("alice.2"), LADDER_WITHDRAWN);
	REFUSED(roster_go_back(roster, "alice", 5, &entry, &why),
		"has no version 5");
	REFUSED(roster_go_back(roster, "bob", 0, &entry, &why),
		"has no version 0");
	OK(roster_delete(roster, "bob", &why));
	REFUSED(roster_go_back(roster, "bob", 1, &entry, &why), "is removed");
}

Test(roster, an_entry_has_a_name_that_is_nobody_else_s)
{
	const char *longest = "a2345678901234567890123456789012";
	struct roster_entry entry;

	add_old("alice.2");
	OK(enter("alice", "aa", &entry));
	OK(enter("alice", "bb", &entry));
	cr_expect_str_eq(entry.stands_as, "alice.3");
	REFUSED(roster_add(roster, "alice.3", "", token, &why), "is taken");
	REFUSED(roster_rename(roster, "alice.2", "alice.3", &why), "is taken");
	REFUSED(roster_rename(roster, "alice", "alice.3", &why), "is taken");
	OK(enter(longest, "aa", &entry));
	OK(enter(longest, "bb", &entry));
	cr_expect_str_eq(entry.stands_as, "a23456789012345678901234567890.2");
}

Test(roster, who_was_renamed_or_removed_enters_no_more)
{
	struct roster_entry entry;

	OK(enter("alice", "aa", &entry));
	OK(roster_rename(roster, "alice", "bob", &why));
	REFUSED(enter("alice", "bb", &entry), "is called bob now");
	OK(enter("bob", "bb", &entry));
	cr_expect_str_eq(entry.stands_as, "alice.2");
	OK(roster_delete(roster, "bob", &why));
	REFUSED(enter("bob", "cc", &entry), "was removed");
	REFUSED(enter("-", "cc", &entry), "a bot's name has");
}

/* ---- owners ------------------------------------------------------------ */

Test(roster, versions_of_a_bot_have_its_owner)
{
	struct roster_entry entry;

	add("alice");
	OK(enter("alice", "aa", &entry));
	cr_expect_str_eq(found("alice").owner, "");
	OK(roster_set_owner(roster, "alice", "ann", &why));
	OK(enter("alice", "bb", &entry));
	cr_expect_str_eq(entry.stands_as, "alice.2");
	cr_expect_eq(roster_entry_of(roster, entry.bot, &entry, &why),
		     LADDER_FOUND);
	cr_expect_str_eq(entry.owner, "ann", "its versions are hers, too");
}

Test(roster, an_owner_has_so_many_bots)
{
	char name[NAME_BYTES + 1];
	unsigned i;

	roster_limit(roster, 5);
	for (i = 0; i < 7; i++) {
		snprintf(name, sizeof(name), "bot-%u", i);
		add(name);
		cr_expect_eq(roster_set_owner(roster, name, "ann", &why),
			     i < 5 ? 0 : -1, "%u", i);
	}
	TELLS("ann has 5 bots");
	cr_expect_str_eq(found("bot-6").owner, "");
	OK(roster_set_owner(roster, "bot-0", "ann", &why)); /* as before */
	REFUSED(roster_add(roster, "new", "ann", token, &why), "5 bots");
	OK(roster_delete(roster, "bot-1", &why));
	OK(roster_set_owner(roster, "bot-0", "", &why));
	OK(roster_set_owner(roster, "bot-5", "ann", &why));
	cr_expect_str_eq(found("bot-5").owner, "ann");
	for (i = 0; i < 7; i++) {
		snprintf(name, sizeof(name), "free-%u", i);
		add(name);
		OK(roster_set_owner(roster, name, "", &why));
	}
	cr_expect_eq(KIND(roster_set_owner(roster, "free-0", "no name", &why)),
		     ERROR_INPUT);
	cr_expect_eq(KIND(roster_set_owner(roster, "nobody", "ann", &why)),
		     ERROR_INPUT);
}

/* ---- as a whole -------------------------------------------------------- */

/* A copy elsewhere, also in place of one that is there. */
Test(roster, a_copy_takes_the_same_tokens)
{
	unsigned char key[ROSTER_KEY_BYTES];
	struct roster *copy;
	char elsewhere[LADDER_PATH_BYTES];
	struct text image;

	snprintf(elsewhere, sizeof(elsewhere), "%s", kit_path("elsewhere"));
	cr_assert_eq(mkdir(elsewhere, 0700), 0);
	cr_assert_eq(roster_open(elsewhere, &copy, &why), 0);
	roster_close(copy);
	text_init(&image, ROSTER_IMAGE_BYTES);
	for (unsigned i = 0; i < 2; i++) {
		add(i == 0 ? "alice" : "bob");
		text_clear(&image);
		cr_assert_eq(roster_image(roster, &image, &why), 0);
		memcpy(key, roster_key(roster), sizeof(key));
		OK(roster_install(elsewhere, image.bytes, image.used, key,
				  &why));
		OK(roster_open(elsewhere, &copy, &why));
		cr_expect(fits(copy, i == 0 ? "alice" : "bob", token));
		cr_expect_not(fits(copy, "alice", "bob"));
		roster_close(copy);
	}
	text_release(&image);
	close_roster();
	for (unsigned i = 0; i < 2; i++) {
		snprintf(elsewhere, sizeof(elsewhere), "%s/%s",
			 kit_path("elsewhere"),
			 i == 0 ? ROSTER_DB : ROSTER_KEY);
		cr_expect_eq(unlink(elsewhere), 0, "%m");
	}
	cr_expect_eq(rmdir(kit_path("elsewhere")), 0, "%m");
}
