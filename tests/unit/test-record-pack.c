/* tests/unit/test-record-pack.c - packs: names, members, torn ones, reading by
 * a path. */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ladder/pack.h"
#include "protocol/asks.h"
#include "protocol/file.h"
#include "tests/unit/ladder-kit.h"

#define RECORD_TEXT 8192
#define LADDER "0123456789abcdef0123456789abcdef"

static struct error why;
/* The pack of the present test, and a cache for reading it. */
static struct text tar;
static struct pack_cache cache;

static void
end(void)
{
	text_release(&tar);
	pack_cache_release(&cache);
	kit_end();
}

TestSuite(record_pack, .init = kit_begin, .fini = end);

/* Makes game `number` as its record, and its name. */
static void
make_record(unsigned number, char name[LADDER_FILE_BYTES],
	    char text[RECORD_TEXT])
{
	struct ladder_game game;

	kit_game(number, number, &game);
	kit_record_text(&game, LADDER, text, RECORD_TEXT);
	ladder_file_name(ENTRY_GAME, number, game.id, name);
}

/* Fills in games first..last, each with asks if it is even. */
static void
fill(struct text *pack, unsigned first, unsigned last)
{
	char name[LADDER_FILE_BYTES], asks[LADDER_FILE_BYTES + 1];
	char text[RECORD_TEXT];
	unsigned i;

	pack->max = PACK_BYTES_MAX;
	for (i = first; i <= last; i++) {
		make_record(i, name, text);
		pack_add(pack, name, text, strlen(text));
		cr_assert(asks_path(name, asks, sizeof(asks)));
		if (i % 2 == 0)
			pack_add(pack, asks, "asks 1 of it\n", 13);
	}
}

/* Adds a void of game 1. */
static void
fill_void(struct text *pack, unsigned serial)
{
	struct text text = { .max = RECORD_TEXT };
	char name[LADDER_FILE_BYTES];

	kit_void(serial, 1, LADDER, name, &text);
	pack_add(pack, name, text.bytes, text.used);
	text_release(&text);
}

static unsigned
count(const struct text *pack, size_t *at, int *result)
{
	struct pack_member member;
	unsigned members = 0;

	*at = 0;
	while ((*result = pack_next(pack, at, &member)) > 0)
		members++;
	return members;
}

Test(record_pack, names)
{
	static const char *const bad[] = {
		"",
		"-.tar",
		"1-.tar",
		"00000001.tar",
		"00000001-.tar.gz",
		"00000000-.tar",
		"00000001-00000256.tar",
		"00000002-00000001.tar.gz",
		"000000001-.tar",
		"00000001-.tar.tmp",
		"00000001-00000256.tar.gz.tmp",
		"00000001-1000000000001.tar.gz",
		"x0000001-.tar",
	};
	struct pack_range range;
	char name[PACK_NAME_BYTES];
	size_t i;

	cr_expect(pack_is_name("00000257-.tar", &range));
	cr_expect(range.first == 257 && range.last == 0);
	cr_expect(pack_is_name("00000257-00000512.tar.gz", &range));
	cr_expect(range.first == 257 && range.last == 512);
	cr_expect(pack_is_name("1000000000000-1000000000000.tar.gz", &range));
	pack_name(range, name);
	cr_expect_str_eq(name, "1000000000000-1000000000000.tar.gz");
	for (i = 0; i < NELEM(bad); i++)
		cr_expect_not(pack_is_name(bad[i], &range), "%s", bad[i]);
	cr_expect_eq(pack_in_path("a/00000001-.tar/x"), 15);
	cr_expect_eq(pack_in_path("00000001-00000009.tar.gz/x"), 24);
	cr_expect_eq(pack_in_path("a/00000001-.tar"), 0);
	cr_expect_eq(pack_in_path("00000001-.tar"), 0);
	cr_expect_eq(pack_in_path("/x"), 0);
}

Test(record_pack, members_come_back)
{
	char name[LADDER_FILE_BYTES], text[RECORD_TEXT];
	struct pack_member member;
	size_t at = 0;

	fill(&tar, 1, 2);
	make_record(1, name, text);
	cr_assert_eq(pack_next(&tar, &at, &member), 1);
	cr_expect_str_eq(member.name, name);
	cr_expect(member.serial == 1 && member.kind == ENTRY_GAME);
	cr_expect(member.used == strlen(text) &&
		  memcmp(member.bytes, text, member.used) == 0);
	cr_assert_eq(pack_next(&tar, &at, &member), 1);
	cr_expect(member.serial == 2 && member.kind == ENTRY_GAME);
	cr_assert_eq(pack_next(&tar, &at, &member), 1);
	cr_expect(member.serial == 2 && member.kind == ENTRY_ASKS);
	cr_expect_eq(pack_next(&tar, &at, &member), 0);
	cr_expect_eq(at, tar.used);
}

Test(record_pack, a_void_is_a_member)
{
	struct text text = { .max = RECORD_TEXT };
	char name[LADDER_FILE_BYTES];
	struct pack_member member;
	unsigned serial = 0;
	size_t at = 0;

	fill(&tar, 1, 2);
	fill_void(&tar, 3);
	fill(&tar, 5, 5);
	while (serial < 3) {
		cr_assert_eq(pack_next(&tar, &at, &member), 1);
		serial += member.kind != ENTRY_ASKS;
		cr_expect_eq(member.kind == ENTRY_VOID, serial == 3);
		cr_expect_eq(member.serial, serial);
	}
	kit_void(3, 1, LADDER, name, &text);
	cr_expect_str_eq(member.name, name);
	cr_expect(member.used == text.used &&
		  memcmp(member.bytes, text.bytes, text.used) == 0);
	cr_assert_eq(pack_next(&tar, &at, &member), 1);
	cr_expect(member.serial == 5 && member.kind == ENTRY_GAME);
	pack_add(&tar, "00000006.void", "void 1\n", 7); /* has no ID */
	cr_expect_eq(pack_next(&tar, &at, &member), -1);
	text_release(&text);
}

/* The members before a cut are whole, at every place of the cut. */
Test(record_pack, torn_at_every_byte)
{
	struct text torn;
	size_t whole, at, n;
	unsigned members;
	int result;

	fill(&tar, 1, 2);
	whole = tar.used;
	fill(&tar, 3, 3);
	for (n = 0; n < tar.used; n++) {
		torn = (struct text){ .max = PACK_BYTES_MAX };
		text_add(&torn, tar.bytes, n);
		members = count(&torn, &at, &result);
		cr_assert_leq(at, n);
		cr_assert_eq(result, at == n ? 0 : -1, "%zu", n);
		if (n >= whole)
			cr_assert(members == 3 && at == whole, "%zu", n);
		/* The pack has its full length, but its end is not on disk. */
		while (torn.used < tar.used)
			text_add(&torn, "", 1);
		members = count(&torn, &at, &result);
		if (n >= whole && n < whole + 512 + 100)
			cr_assert(members == 3 && at == whole, "%zu", n);
		text_release(&torn);
	}
}

/* The first member is not on disk, the second is. */
Test(record_pack, a_hole_is_no_record)
{
	size_t at;
	int result;

	fill(&tar, 1, 1);
	fill(&tar, 3, 3);
	memset(tar.bytes + 600, 0, 100);
	cr_expect_eq(count(&tar, &at, &result), 0);
	cr_expect(at == 0 && result == -1);
}

/* Unpacks it in its folder; returns the exit code of tar. */
static int
untar(const char *name)
{
	const pid_t child = fork();
	int status;

	if (child == 0) {
		if (chdir(kit_path("records")) == 0)
			execl("/bin/tar", "tar", "xf", name, (char *)NULL);
		_exit(99);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(record_pack, other_tools_read_it)
{
	static const char closed[] = "00000004-00000006.tar.gz";
	char name[LADDER_FILE_BYTES], text[RECORD_TEXT];

	fill(&tar, 1, 3);
	kit_write_file(kit_path("records/00000001-.tar"), tar.bytes, tar.used);
	text_clear(&tar);
	fill(&tar, 4, 6);
	cr_assert_eq(pack_write(kit_pathf("records/%s", closed), &tar, NULL),
		     0);
	cr_expect_eq(untar("00000001-.tar"), 0);
	cr_expect_eq(untar(closed), 0);
	cr_expect_eq(kit_count_records(), 6);
	make_record(5, name, text);
	cr_expect(kit_file_equals(kit_pathf("records/%s", name), text,
				  strlen(text)));
}

Test(record_pack, one_that_is_stopped_leaves_nothing)
{
	static const char name[] = "records/00000001-00000003.tar.gz";
	const atomic_bool stop = true, go_on = false;

	fill(&tar, 1, 3);
	errno = 0;
	cr_expect_eq(pack_write(kit_path(name), &tar, &stop), -1);
	cr_expect_eq(errno, ECANCELED);
	cr_expect_neq(access(kit_path(name), F_OK), 0);
	cr_expect_neq(
		access(kit_path("records/00000001-00000003.tar.gz.tmp"), F_OK),
		0);
	cr_expect_eq(pack_write(kit_path(name), &tar, &go_on), 0);
	cr_expect_eq(access(kit_path(name), F_OK), 0);
}

/* Returns where the record of this game would be in the pack. */
static const char *
member_path(const char *pack, unsigned number)
{
	char name[LADDER_FILE_BYTES], text[RECORD_TEXT];

	make_record(number, name, text);
	return kit_pathf("%s/%s", pack, name);
}

static void
expect_read(struct pack_cache *from, const char *pack, unsigned number)
{
	char name[LADDER_FILE_BYTES], expected[RECORD_TEXT];
	struct text text = { .max = RECORD_BYTES };
	struct record *record;
	const char *path = member_path(pack, number);

	make_record(number, name, expected);
	cr_assert_eq(packed_load(from, path, &text), 0, "%s: %s", path,
		     strerror(errno));
	cr_expect_str_eq(text_string(&text), expected);
	text_release(&text);
	OK(packed_record(from, path, &record, &why));
	record_free(record);
}

Test(record_pack, is_read_by_a_path)
{
	static const char open[] = "records/00000001-.tar";
	static const char closed[] = "records/00000001-00000009.tar.gz";
	char name[LADDER_FILE_BYTES], text[RECORD_TEXT], path[1024];
	char found[LADDER_PATH_BYTES];
	struct text asks = { .max = ASKS_BYTES };
	struct record *record;

	fill(&tar, 1, 5);
	kit_write_file(kit_path(open), tar.bytes, tar.used);
	expect_read(NULL, open, 5);
	expect_read(&cache, open, 2);
	expect_read(&cache, open, 3);
	expect_read(&cache, open, 1);
	fill(&tar, 6, 9); /* it grows */
	kit_write_file(kit_path(open), tar.bytes, tar.used);
	expect_read(&cache, open, 9);
	make_record(9, name, text);
	cr_expect(packed_find(kit_path("records"), name, found));
	cr_expect_not_null(strstr(found, "/00000001-.tar/00000009-"));
	cr_assert_eq(pack_write(kit_path(closed), &tar, NULL), 0);
	cr_assert_eq(unlink(kit_path(open)), 0);
	expect_read(NULL, open, 9);
	expect_read(&cache, closed, 4);
	cr_expect(packed_find(kit_path("records"), name, found));
	cr_expect_not_null(strstr(found, "-00000009.tar.gz/00000009-"));
	cr_expect(asks_path(found, path, sizeof(path)));
	cr_expect_eq(packed_load(&cache, path, &asks), -1);
	cr_expect_eq(errno, ENOENT);
	make_record(10, name, text);
	cr_expect_not(packed_find(kit_path("records"), name, found));
	snprintf(path, sizeof(path), "%s/%s", kit_path("records"), name);
	cr_expect_str_eq(found, path);
	snprintf(path, sizeof(path), "%s/%s", kit_path(closed), name);
	FAILS(packed_record(&cache, path, &record, &why), ERROR_INPUT, "");
	text_release(&asks);
}

/* The void lies in an open pack, a closed one, and a file of its own. */
Test(record_pack, a_void_is_read_by_a_path)
{
	static const char *const packs[] = { "records/00000001-.tar",
					     "records/00000001-00000004.tar.gz",
					     "records" };
	struct text text = { .max = RECORD_TEXT }, read;
	char name[LADDER_FILE_BYTES], path[1024];
	size_t i;

	fill(&tar, 1, 2);
	fill_void(&tar, 3);
	fill(&tar, 4, 4);
	kit_void(3, 1, LADDER, name, &text);
	kit_write_file(kit_path(packs[0]), tar.bytes, tar.used);
	cr_assert_eq(pack_write(kit_path(packs[1]), &tar, NULL), 0);
	snprintf(path, sizeof(path), "%s/%s", packs[2], name);
	kit_write_file(kit_path(path), text.bytes, text.used);
	for (i = 0; i < 2 * NELEM(packs); i++) {
		read = (struct text){ .max = RECORD_TEXT };
		snprintf(path, sizeof(path), "%s/%s", kit_path(packs[i / 2]),
			 name);
		cr_assert_eq(packed_load(i % 2 ? &cache : NULL, path, &read), 0,
			     "%s", path);
		cr_expect(read.used == text.used &&
			  memcmp(read.bytes, text.bytes, text.used) == 0);
		text_release(&read);
	}
	text_release(&text);
}

Test(record_pack, a_damaged_one_is_told)
{
	static const char closed[] = "records/00000001-00000002.tar.gz";
	const char *path;
	struct text bytes = { .max = PACK_BYTES_MAX };
	struct record *record;

	fill(&tar, 1, 2);
	cr_assert_eq(pack_write(kit_path(closed), &tar, NULL), 0);
	cr_assert_eq(file_load(kit_path(closed), &bytes), 0);
	text_clear(&tar);
	kit_write_file(kit_path(closed), bytes.bytes, bytes.used - 1);
	cr_expect_eq(pack_load(kit_path(closed), &tar), -1);
	cr_expect_eq(errno, EBADMSG);
	path = member_path(closed, 1);
	FAILS(packed_record(NULL, path, &record, &why), ERROR_INPUT,
	      "the pack is damaged");
	bytes.bytes[bytes.used / 2] ^= 1;
	kit_write_file(kit_path(closed), bytes.bytes, bytes.used);
	text_clear(&tar);
	cr_expect_eq(pack_load(kit_path(closed), &tar), -1);
	cr_assert_eq(unlink(kit_path(closed)), 0);
	cr_assert_eq(mkfifo(kit_path(closed), 0600), 0);
	text_clear(&tar);
	cr_expect_eq(pack_load(kit_path(closed), &tar), -1);
	cr_expect_eq(errno, EINVAL);
	text_release(&bytes);
}

/* Members that stand before a damaged one can be read. */
Test(record_pack, a_damaged_member_is_told)
{
	static const char closed[] = "records/00000001-00000003.tar.gz";
	const char *path;
	struct text text = { .max = RECORD_BYTES };
	struct pack_member member;
	size_t at = 0;

	fill(&tar, 1, 3);
	cr_assert_eq(pack_next(&tar, &at, &member), 1);
	tar.bytes[at] ^= 1; /* the name of the second */
	cr_assert_eq(pack_write(kit_path(closed), &tar, NULL), 0);
	expect_read(&cache, closed, 1);
	path = member_path(closed, 3);
	cr_expect_eq(packed_load(&cache, path, &text), -1);
	cr_expect_eq(errno, EBADMSG);
	cr_expect_eq(packed_load_regular(NULL, path, &text), -1);
	cr_expect_eq(errno, EBADMSG);
	expect_read(&cache, closed, 1);
	text_release(&text);
}

/* A closed pack tells it, too, and is not read again for it. */
Test(record_pack, a_cached_one_tells_what_is_missing)
{
	static const char closed[] = "records/00000001-00000003.tar.gz";
	char beside[LADDER_PATH_BYTES];
	const char *path;
	struct text text = { .max = RECORD_BYTES };

	fill(&tar, 1, 3);
	cr_assert_eq(pack_write(kit_path(closed), &tar, NULL), 0);
	expect_read(&cache, closed, 1);
	cr_assert_eq(unlink(kit_path(closed)), 0);
	path = member_path(closed, 1);
	cr_assert(asks_path(path, beside, sizeof(beside)));
	cr_expect_eq(packed_load_regular(&cache, beside, &text), -1);
	cr_expect_eq(errno, ENOENT);
	expect_read(&cache, closed, 2);
	expect_read(&cache, closed, 3);
	text_release(&text);
}

Test(record_pack, a_full_disk_leaves_the_old_one)
{
	static const char closed[] = "records/00000001-00000002.tar.gz";
	const struct rlimit full = { 100, RLIM_INFINITY };
	const struct rlimit room = { RLIM_INFINITY, RLIM_INFINITY };
	struct text again = { 0 };

	fill(&tar, 1, 2);
	cr_assert_eq(pack_write(kit_path(closed), &tar, NULL), 0);
	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &full), 0);
	cr_expect_eq(pack_write(kit_path(closed), &tar, NULL), -1);
	cr_expect_eq(errno, EFBIG);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &room), 0);
	cr_assert_eq(pack_load(kit_path(closed), &again), 0);
	cr_expect_eq(again.used, tar.used + 1024);
	cr_expect_eq(memcmp(again.bytes, tar.bytes, tar.used), 0);
	cr_expect_eq(access(kit_path("records/"
				     "00000001-00000002.tar.gz.tmp"),
			    F_OK),
		     -1);
	text_release(&again);
}
