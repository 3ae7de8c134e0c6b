/* tests/unit/test-packing.c - records appended to packs, and packs closed. */
#include <criterion/criterion.h>
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ladder/folder.h"
#include "ladder/pack.h"
#include "protocol/asks.h"
#include "protocol/file.h"
#include "referee/records/packing.h"
#include "referee/records/record-walk.h"
#include "tests/unit/ladder-kit.h"

#define LADDER "0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210"

TestSuite(packing, .init = kit_begin, .fini = kit_end);

static struct error why;

static struct packing *
begin(int64_t next)
{
	struct packing *packing =
		packing_new(kit_path("records"), LADDER, next, &why);

	cr_assert_not_null(packing, "%s", why.text);
	return packing;
}

/* Game `serial` of a ladder as its record, and `bytes` more. */
static void
make_record(int64_t serial, const char *ladder, size_t bytes,
	    char name[LADDER_FILE_BYTES], struct text *whole)
{
	struct ladder_game game;
	char text[8192];
	size_t header;

	kit_game((uint32_t)serial, serial, &game);
	kit_record_text(&game, ladder, text, sizeof(text));
	ladder_file_name(ENTRY_GAME, serial, game.id, name);
	header = (size_t)(strstr(text, "\n\n") + 2 - text);
	*whole = (struct text){ .max = RECORD_BYTES };
	text_add(whole, text, header);
	while (whole->used - header < bytes)
		text_str(whole, "note ; this is a long comment\n");
	text_str(whole, text + header);
}

/* The line with this key has this date. */
static void
change_date(struct text *entry, const char *key, const char *date)
{
	char *line = memmem(entry->bytes, entry->used, key, strlen(key));

	cr_assert_not_null(line);
	memcpy(line + strlen(key), date, strlen(date));
}

/* `ended`: NULL: a date of the same minute. */
static int
put_any(struct packing *packing, int64_t serial, size_t bytes,
	const char *ended)
{
	struct text text, asks = { .max = 64 };
	char name[LADDER_FILE_BYTES];
	const struct packing_record record = {
		.serial = serial,
		.name = name,
		.text = &text,
		.asks = &asks,
	};
	int result;

	make_record(serial, LADDER, bytes, name, &text);
	if (ended != NULL)
		change_date(&text, "\nended ", ended);
	if (serial % 2 == 0)
		text_fmt(&asks, "asks %" PRId64 "\n", serial);
	result = packing_put(packing, &record, &why);
	text_release(&text);
	text_release(&asks);
	return result;
}

/* A void of game 1, which has no asks. */
static int
put_void(struct packing *packing, int64_t serial, const char *date)
{
	struct text text = { .max = 1024 };
	char name[LADDER_FILE_BYTES];
	const struct packing_record record = {
		.serial = serial,
		.name = name,
		.text = &text,
	};
	int result;

	kit_void(serial, 1, LADDER, name, &text);
	change_date(&text, "\ndate ", date);
	result = packing_put(packing, &record, &why);
	text_release(&text);
	return result;
}

static int
put_sized(struct packing *packing, int64_t serial, size_t bytes)
{
	return put_any(packing, serial, bytes, NULL);
}

static void
put(struct packing *packing, int64_t first, int64_t last)
{
	for (; first <= last; first++)
		cr_assert_eq(put_sized(packing, first, 0), 0, "%s", why.text);
}

static const char *
path_of(int64_t first, int64_t last)
{
	char name[PACK_NAME_BYTES], path[PACK_NAME_BYTES + 8];

	pack_name((struct pack_range){ first, last }, name);
	snprintf(path, sizeof(path), "records/%s", name);
	return kit_path(path);
}

static bool
is_there(int64_t first, int64_t last)
{
	return access(path_of(first, last), F_OK) == 0;
}

/* The pack has just these records, and the asks of every second one. */
static void
expect_pack(int64_t first, int64_t last, bool closed)
{
	struct text tar = { 0 };
	struct pack_member member;
	int64_t serial = first;
	size_t at = 0;
	int result;

	cr_assert_eq(pack_load(path_of(first, closed ? last : 0), &tar), 0,
		     "%s", strerror(errno));
	while ((result = pack_next(&tar, &at, &member)) > 0) {
		cr_expect_eq(member.serial, serial);
		if (member.kind == ENTRY_GAME && serial % 2 == 0)
			continue;
		cr_expect_eq(member.kind == ENTRY_ASKS, serial % 2 == 0);
		serial++;
	}
	cr_expect_eq(result, 0);
	cr_expect_eq(serial, last + 1);
	text_release(&tar);
}

static unsigned
count_files(void)
{
	DIR *dir = opendir(kit_path("records"));
	struct dirent *entry;
	unsigned count = 0;

	cr_assert_not_null(dir);
	while ((entry = readdir(dir)) != NULL)
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

Test(packing, a_group_stands_when_it_is_committed)
{
	struct packing *packing = begin(1);

	cr_expect_eq(packing_last(packing), 0);
	cr_assert_eq(packing_commit(packing, &why), 0);
	cr_expect_eq(count_files(), 0);
	put(packing, 1, 3);
	cr_expect_not(is_there(1, 0));
	cr_assert_eq(packing_commit(packing, &why), 0, "%s", why.text);
	cr_expect_eq(packing_last(packing), 3);
	expect_pack(1, 3, false);
	put(packing, 4, 5);
	cr_expect_eq(packing_last(packing), 3);
	cr_assert_eq(packing_commit(packing, &why), 0);
	expect_pack(1, 5, false);
	packing_finish(packing);
	cr_expect_eq(count_files(), 1);
}

Test(packing, a_full_one_is_closed)
{
	struct packing *packing = begin(1);

	put(packing, 1, PACK_RECORDS - 1);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	cr_expect(is_there(1, 0));
	packing = begin(PACK_RECORDS);
	put(packing, PACK_RECORDS, PACK_RECORDS + 1);
	cr_expect_eq(packing_last(packing), PACK_RECORDS);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	cr_expect_not(is_there(1, 0));
	expect_pack(1, PACK_RECORDS, true);
	expect_pack(PACK_RECORDS + 1, PACK_RECORDS + 1, false);
	cr_expect_eq(count_files(), 2);
}

Test(packing, a_long_one_is_closed)
{
	struct packing *packing = begin(1);

	cr_assert_eq(put_sized(packing, 1, PACK_BYTES - 8192), 0);
	cr_assert_eq(packing_commit(packing, &why), 0);
	cr_assert_eq(put_sized(packing, 2, 8192), 0);
	cr_expect_eq(packing_last(packing), 2);
	cr_assert_eq(put_sized(packing, 3, 2 * PACK_BYTES), 0);
	cr_expect_eq(packing_last(packing), 3);
	packing_finish(packing);
	expect_pack(1, 2, true);
	expect_pack(3, 3, true);
}

/* Whatever of the last group is on disk. */
Test(packing, goes_on_behind_what_is_whole)
{
	struct text tar = { .max = PACK_BYTES_MAX };
	struct packing *packing = begin(1);
	size_t whole, n;

	put(packing, 1, 2);
	cr_assert_eq(packing_commit(packing, &why), 0);
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	whole = tar.used;
	put(packing, 3, 3);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	text_clear(&tar);
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	for (n = whole; n < tar.used; n += 97) {
		kit_write_file(path_of(1, 0), tar.bytes, n);
		packing = begin(3);
		expect_pack(1, 2, false);
		put(packing, 3, 4);
		cr_assert_eq(packing_commit(packing, &why), 0);
		expect_pack(1, 4, false);
		packing_finish(packing);
	}
	/* Not one record is whole. */
	kit_write_file(path_of(1, 0), tar.bytes, 700);
	packing = begin(1);
	cr_expect_eq(count_files(), 0);
	put(packing, 1, 1);
	cr_assert_eq(packing_commit(packing, &why), 0);
	expect_pack(1, 1, false);
	packing_finish(packing);
	text_release(&tar);
}

/* What is not torn by a cut, but damaged before its end, is not cut off. */
Test(packing, a_damaged_one_stays_as_it_is)
{
	struct text tar = { .max = PACK_BYTES_MAX };
	struct packing *packing = begin(1);

	put(packing, 1, 4);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	tar.bytes[tar.used / 2] = '\0';
	kit_write_file(path_of(1, 0), tar.bytes, tar.used);
	packing = begin(5);
	put(packing, 5, 5);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	cr_expect(kit_file_equals(path_of(1, 0), tar.bytes, tar.used));
	expect_pack(5, 5, false);
	text_release(&tar);
}

Test(packing, what_a_kill_left_of_closing_is_finished)
{
	struct text tar = { .max = PACK_BYTES_MAX };
	struct packing *packing = begin(1);
	unsigned i;

	put(packing, 1, 4);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	/* 0: nothing was done; 1: half is written; 2: both are there. */
	for (i = 0; i < 3; i++) {
		kit_write_file(path_of(1, 0), tar.bytes, tar.used);
		unlink(path_of(1, 4));
		if (i == 1)
			kit_write_file(kit_path("records/00000001-00000004."
						"tar.gz.tmp"),
				       "half", 4);
		if (i == 2)
			cr_assert_eq(pack_write(path_of(1, 4), &tar, NULL), 0);
		/* At 9: an earlier version went on with files. */
		packing_finish(begin(i == 2 ? 5 : 9));
		cr_expect_not(is_there(1, 0), "%u", i);
		expect_pack(1, 4, true);
		cr_expect_eq(count_files(), 1);
	}
	/* A closed one that is another is left alone, and so is the open one. */
	kit_write_file(path_of(1, 0), tar.bytes, tar.used);
	text_clear(&tar);
	pack_add(&tar, "00000001-ff.rec", "x", 1);
	cr_assert_eq(pack_write(path_of(1, 4), &tar, NULL), 0);
	packing_finish(begin(5));
	cr_expect(is_there(1, 0) && is_there(1, 4));
	text_release(&tar);
}

/* Serials that are missing, or those of a ladder that went on without packs. */
Test(packing, a_pack_has_no_gaps)
{
	struct packing *packing = begin(1);

	put(packing, 1, 2);
	put(packing, 5, 6);
	cr_assert_eq(packing_commit(packing, &why), 0);
	cr_expect_eq(packing_last(packing), 6);
	packing_finish(packing);
	expect_pack(1, 2, true);
	expect_pack(5, 6, false);
}

/* Also in another life. */
Test(packing, a_pack_is_of_one_day)
{
	static const char first[] = "2026-11-21T09:00:10Z";
	static const char within[] = "2026-11-22T09:00:09Z";
	static const char next[] = "2026-11-22T09:00:10Z";
	static const char before[] = "2025-01-01T00:00:00Z";
	struct packing *packing = begin(1);

	cr_expect_eq(PACK_SECONDS, 24 * 60 * 60);
	cr_assert_eq(put_any(packing, 1, 0, first), 0);
	cr_assert_eq(put_any(packing, 2, 0, within), 0);
	cr_assert_eq(put_any(packing, 3, 0, before), 0);
	cr_assert_eq(put_any(packing, 4, 0, next), 0);
	cr_expect_eq(packing_last(packing), 3);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	expect_pack(1, 3, true);
	expect_pack(4, 4, false);
	packing = begin(5);
	cr_assert_eq(put_any(packing, 5, 0, "2026-11-23T09:00:09Z"), 0);
	cr_assert_eq(put_any(packing, 6, 0, "2026-11-23T09:00:10Z"), 0);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	expect_pack(4, 5, true);
	expect_pack(6, 6, false);
}

/* As a record it can be the first and the last of one, and counts by its date. */
Test(packing, a_void_stands_among_records)
{
	struct packing *packing = begin(1);

	cr_assert_eq(put_void(packing, 1, "2026-11-21T09:00:10Z"), 0);
	cr_assert_eq(put_any(packing, 2, 0, "2026-11-22T09:00:09Z"), 0);
	cr_assert_eq(put_void(packing, 3, "2026-11-22T09:00:10Z"), 0);
	cr_expect_eq(packing_last(packing), 2);
	cr_assert_eq(packing_commit(packing, &why), 0);
	cr_expect_eq(packing_last(packing), 3);
	packing_finish(packing);
	expect_pack(1, 2, true);
	expect_pack(3, 3, false);
	packing = begin(4);
	cr_assert_eq(put_any(packing, 4, 0, "2026-11-23T09:00:09Z"), 0);
	cr_assert_eq(put_void(packing, 5, "2026-11-23T09:00:10Z"), 0);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	expect_pack(3, 4, true);
	expect_pack(5, 5, false);
}

static int
count_record(void *arg, const char *path, const struct text *text UNUSED)
{
	cr_expect(folder_ends_in(path, ".rec"), "%s", path);
	++*(unsigned *)arg;
	return 0;
}

static int
on_trouble(void *arg UNUSED, enum walk_trouble trouble UNUSED,
	   const struct error *reason)
{
	cr_expect(false, "%s", reason->text);
	return 0;
}

/* Who looks for records finds them around it, and no hole. */
Test(packing, a_void_is_walked_over)
{
	struct packing *packing = begin(1);
	struct pack_cache cache = { 0 };
	unsigned count = 0;
	const struct record_walk walk = { .record = count_record,
					  .trouble = on_trouble,
					  .arg = &count,
					  .cache = &cache };

	cr_assert_eq(put_void(packing, 1, "2026-11-21T09:00:10Z"), 0);
	put(packing, 2, 3);
	cr_assert_eq(put_void(packing, 4, "2026-11-21T09:00:10Z"), 0);
	put(packing, 5, PACK_RECORDS - 1);
	cr_assert_eq(put_void(packing, PACK_RECORDS, "2026-11-21T09:00:10Z"),
		     0);
	cr_assert_eq(
		put_void(packing, PACK_RECORDS + 1, "2026-11-21T09:00:10Z"), 0);
	put(packing, PACK_RECORDS + 2, PACK_RECORDS + 2);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	cr_expect(is_there(1, PACK_RECORDS) && is_there(PACK_RECORDS + 1, 0));
	cr_expect_eq(record_walk(&walk, path_of(1, PACK_RECORDS)), 0);
	cr_expect_eq(count, PACK_RECORDS - 3);
	cr_expect_eq(record_walk(&walk, path_of(PACK_RECORDS + 1, 0)), 0);
	cr_expect_eq(count, PACK_RECORDS - 2);
	cr_expect_eq(record_walk(&walk, kit_path("records")), 0);
	cr_expect_eq(count, 2 * (PACK_RECORDS - 2));
	pack_cache_release(&cache);
}

/* Voids fill a pack as records do. */
Test(packing, one_that_is_full_of_voids_is_closed)
{
	struct packing *packing = begin(1);
	int64_t serial;

	for (serial = 1; serial <= PACK_RECORDS; serial++)
		cr_assert_eq(put_void(packing, serial, "2026-11-21T09:00:10Z"),
			     0);
	cr_expect_eq(packing_last(packing), PACK_RECORDS);
	packing_finish(packing);
	cr_expect_not(is_there(1, 0));
	cr_expect(is_there(1, PACK_RECORDS));
}

Test(packing, the_pack_of_another_ladder_is_left_alone)
{
	char name[LADDER_FILE_BYTES];
	struct text tar = { .max = PACK_BYTES_MAX }, whole;
	struct packing *packing;

	make_record(1, OTHER, 0, name, &whole);
	pack_add(&tar, name, whole.bytes, whole.used);
	kit_write_file(path_of(1, 0), tar.bytes, tar.used);
	packing = begin(2);
	put(packing, 2, 2);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	cr_expect(kit_file_equals(path_of(1, 0), tar.bytes, tar.used));
	/* Nor is its name taken. */
	packing = begin(1);
	put(packing, 1, 1);
	cr_expect_eq(packing_commit(packing, &why), -1);
	cr_expect_not_null(strstr(why.text, strerror(EEXIST)), "%s", why.text);
	packing_finish(packing);
	cr_expect(kit_file_equals(path_of(1, 0), tar.bytes, tar.used));
	text_release(&tar);
	text_release(&whole);
}

/* By who restores a backup, or a script. */
Test(packing, one_that_was_replaced_is_left)
{
	struct text tar = { .max = PACK_BYTES_MAX };
	struct packing *packing = begin(1);

	put(packing, 1, 2);
	cr_assert_eq(packing_commit(packing, &why), 0);
	cr_assert_eq(file_load(path_of(1, 0), &tar), 0);
	cr_assert_eq(unlink(path_of(1, 0)), 0);
	kit_write_file(path_of(1, 0), tar.bytes, tar.used);
	put(packing, 3, 4);
	cr_assert_eq(packing_commit(packing, &why), 0, "%s", why.text);
	put(packing, 5, 5);
	cr_assert_eq(packing_commit(packing, &why), 0);
	expect_pack(1, 2, false);
	expect_pack(3, 5, false);
	cr_assert_eq(truncate(path_of(3, 0), 0), 0);
	put(packing, 6, 6);
	cr_assert_eq(packing_commit(packing, &why), 0);
	expect_pack(6, 6, false);
	packing_finish(packing);
	text_release(&tar);
}

/* ---- a disk that is full ---------------------------------------------- */

static void
limit_files(rlim_t bytes)
{
	const struct rlimit limit = { bytes, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

Test(packing, a_group_that_does_not_fit_is_taken_back)
{
	struct packing *packing = begin(1);

	/* Not even the first. */
	limit_files(600);
	put(packing, 1, 2);
	cr_expect_eq(packing_commit(packing, &why), -1);
	cr_expect_eq(why.kind, ERROR_MACHINE);
	cr_expect_not_null(strstr(why.text, "/00000001-.tar: "), "%s",
			   why.text);
	cr_expect_eq(packing_last(packing), 0);
	cr_expect_eq(count_files(), 0);
	limit_files(100000);
	cr_assert_eq(packing_mend(packing, &why), 0);
	put(packing, 1, 3);
	cr_assert_eq(packing_commit(packing, &why), 0, "%s", why.text);
	/* The one that grows. */
	cr_assert_eq(put_sized(packing, 4, 0), 0);
	cr_assert_eq(put_sized(packing, 5, 200000), 0);
	cr_expect_eq(packing_commit(packing, &why), -1);
	cr_expect_eq(packing_last(packing), 3);
	expect_pack(1, 3, false);
	cr_assert_eq(packing_mend(packing, &why), 0);
	put(packing, 4, 4);
	cr_assert_eq(packing_commit(packing, &why), 0);
	expect_pack(1, 4, false);
	limit_files(RLIM_INFINITY);
	packing_finish(packing);
}

/* No room to compress: the open one stays, and is closed at the next start. */
Test(packing, one_that_cannot_be_closed_stays_open)
{
	struct packing *packing = begin(1);

	cr_assert_eq(
		mkdir(kit_path("records/00000001-00000256.tar.gz.tmp"), 0700),
		0);
	put(packing, 1, PACK_RECORDS);
	put(packing, PACK_RECORDS + 1, PACK_RECORDS + 1);
	cr_assert_eq(packing_commit(packing, &why), 0);
	packing_finish(packing);
	expect_pack(1, PACK_RECORDS, false);
	expect_pack(PACK_RECORDS + 1, PACK_RECORDS + 1, false);
	cr_assert_eq(rmdir(kit_path("records/00000001-00000256.tar.gz.tmp")),
		     0);
	packing_finish(begin(PACK_RECORDS + 2));
	cr_expect_not(is_there(1, 0));
	expect_pack(1, PACK_RECORDS, true);
	expect_pack(PACK_RECORDS + 1, PACK_RECORDS + 1, false);
}

/* Only who may mount can try this. */
Test(packing, what_a_full_disk_took_is_taken_back)
{
	struct packing *packing;
	int64_t next = 1;

	if (unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", kit_path("records"), "tmpfs", 0, "size=256k") < 0)
		cr_skip_test("not allowed to mount");
	packing = begin(1);
	while (next < 100 && put_sized(packing, next, 20000) == 0 &&
	       packing_commit(packing, &why) == 0)
		next++;
	cr_expect(next > 5 && next < 15, "%" PRId64, next);
	cr_expect_not_null(strstr(why.text, strerror(ENOSPC)), "%s", why.text);
	cr_expect_eq(packing_last(packing), next - 1);
	expect_pack(1, next - 1, false);
	packing_finish(packing);
	packing = begin(next);
	expect_pack(1, next - 1, false);
	packing_finish(packing);
	cr_assert_eq(umount(kit_path("records")), 0);
}

/* ---- kills ------------------------------------------------------------ */

#define KILLS 25
#define LATEST_US 2000
#define GROUPS 8
#define GROUP 60

/* Appends groups until it is killed, and tells the last serial of each. */
static _Noreturn void
append_until_killed(int64_t next, unsigned seed, int tell)
{
	struct packing *packing = begin(next);
	uint32_t state = seed;
	uint32_t group;

	for (;;) {
		for (group = 1 + kit_random(&state, GROUP); group > 0; group--)
			if (put_sized(packing, next++, 0) < 0)
				_exit(1);
		if (packing_commit(packing, &why) < 0 ||
		    write(tell, &next, sizeof(next)) != sizeof(next))
			_exit(1);
	}
}

/* Kills it after some groups, at any moment.  Returns the next serial that was
 * told. */
static int64_t
kill_one(int64_t next, unsigned seed)
{
	int64_t told = next;
	int pipe_fd[2], status;
	uint32_t state = seed + 1, groups;
	pid_t pid;

	cr_assert_eq(pipe2(pipe_fd, O_CLOEXEC), 0);
	pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0)
		append_until_killed(next, seed, pipe_fd[1]);
	close(pipe_fd[1]);
	for (groups = 1 + kit_random(&state, GROUPS); groups > 0; groups--)
		cr_assert_eq(read(pipe_fd[0], &told, sizeof(told)),
			     sizeof(told));
	/* luck: the moment is drawn, and any will do. */
	usleep(kit_random(&state, LATEST_US));
	cr_assert_eq(kill(pid, SIGKILL), 0);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect(WIFSIGNALED(status), "it had ended by itself: %d", status);
	while (read(pipe_fd[0], &told, sizeof(told)) == sizeof(told))
		;
	close(pipe_fd[0]);
	return told;
}

/* The serial behind the last record; there are no gaps before it. */
static int64_t
find_next(void)
{
	struct folder_list list = { 0 };
	int64_t next = 1;
	size_t i;

	cr_assert_eq(
		folder_read(&list, kit_path("records"), 1, 0, LADDER, &why), 0,
		"%s", why.text);
	folder_sort(&list);
	for (i = 0; i < list.count; i++) {
		/* In a closed pack, and still in the open one. */
		if (list.file[i].serial == next - 1)
			continue;
		cr_assert_eq(list.file[i].serial, next, "%s",
			     list.file[i].path);
		next++;
	}
	folder_release(&list);
	return next;
}

Test(packing, killed_at_any_moment)
{
	int64_t next = 1, told;
	unsigned i, packs;

	for (i = 0; i < KILLS; i++) {
		told = kill_one(next, i);
		next = find_next();
		cr_assert_geq(next, told, "what was told is there");
	}
	packing_finish(begin(next));
	cr_expect_eq(find_next(), next);
	packs = (unsigned)((next - 1) / PACK_RECORDS);
	cr_expect_gt(packs, 1);
	cr_expect_leq(count_files(), packs + 1);
}
