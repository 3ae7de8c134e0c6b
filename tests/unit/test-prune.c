/* tests/unit/test-prune.c - records that are not kept leave their result. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/prune.h"
#include "protocol/record.h"
#include "referee/serve/hall-prune.h"
#include "tests/unit/leaks.h"

#define VECTORS SOURCE_DIR "/tests/vectors"

static unsigned pruned, refused;

static void
same_result(const struct record *record, const struct record *other,
	    const char *path)
{
	long points[2][SEATS_MAX];
	int place[2][SEATS_MAX];
	char why[RECORD_WHY_BYTES];
	unsigned s;

	cr_assert_eq(record_places(record, place[0], points[0], why), 0);
	cr_assert_eq(record_places(other, place[1], points[1], why), 0, "%s",
		     why);
	for (s = 0; s < record->seats; s++) {
		cr_assert_eq(place[0][s], place[1][s], "%s, seat %u", path, s);
		cr_assert_eq(points[0][s], points[1][s], "%s, seat %u", path,
			     s);
	}
}

static void
prune(const char *path)
{
	unsigned char hash[RECORD_HASH_BYTES], was[RECORD_HASH_BYTES];
	struct record *record, *other;
	char why[RECORD_WHY_BYTES];
	struct text text;

	cr_assert_eq(record_read(path, &record, why), 0, "%s", why);
	text_init(&text, RECORD_BYTES);
	cr_assert_not(record_pruned(record, hash));
	if (record_prune(record, &text, why) < 0) {
		cr_assert_not_null(record->aborted, "%s: %s", path, why);
		cr_assert_eq(text.used, 0);
		refused++;
	} else {
		cr_assert_eq(record_parse(text.bytes, text.used, &other, why),
			     0, "%s", why);
		cr_assert(record_pruned(other, hash));
		record_hash(record, was);
		cr_assert_eq(memcmp(hash, was, sizeof(hash)), 0);
		cr_assert_eq(other->bodies, other->seats);
		cr_assert_str_eq(other->id, record->id);
		same_result(record, other, path);
		cr_assert_eq(record_prune(other, &text, why), -1, "twice");
		record_free(other);
		pruned++;
	}
	text_release(&text);
	record_free(record);
}

Test(prune, the_result_stays)
{
	glob_t files;
	size_t i;

	cr_assert_eq(glob(VECTORS "/*.rec", 0, NULL, &files), 0);
	for (i = 0; i < files.gl_pathc; i++)
		prune(files.gl_pathv[i]);
	globfree(&files);
	cr_assert_gt(pruned, 40);
	cr_assert_gt(refused, 3);
	NO_LEAKS();
}

Test(prune, a_hash_of_another_form_is_none)
{
	static const char text[] = "record 1\nid x\ngame toepen\nseats 2\n"
				   "option points 15\nbot 0 a\nbot 1 b\n"
				   "pruned 12\n\nresult 0 1 0\nresult 1 2 0\n";
	unsigned char hash[RECORD_HASH_BYTES];
	char why[RECORD_WHY_BYTES];
	struct record *record;

	cr_assert_eq(record_parse(text, strlen(text), &record, why), 0, "%s",
		     why);
	cr_assert_not(record_pruned(record, hash));
	record_free(record);
	NO_LEAKS();
}

/* ---- a folder --------------------------------------------------------- */

static char folder[64];

static void
put(const char *vector, const char *name, time_t date)
{
	const struct timespec times[2] = { { .tv_sec = date },
					   { .tv_sec = date } };
	char command[512], path[256];
	struct record *record;
	char why[RECORD_WHY_BYTES];
	FILE *from, *to;
	size_t n;

	snprintf(command, sizeof(command), "%s/%s.rec", VECTORS, vector);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	from = fopen(command, "re");
	to = fopen(path, "we");
	cr_assert(from != NULL && to != NULL);
	while ((n = fread(command, 1, sizeof(command), from)) > 0)
		fwrite(command, 1, n, to);
	fclose(from);
	fclose(to);
	cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
	cr_assert_eq(record_read(path, &record, why), 0);
	record_free(record);
}

/* 1: pruned, 0: whole, -1: not there. */
static int
state_of(const char *name)
{
	unsigned char hash[RECORD_HASH_BYTES];
	char path[256], why[RECORD_WHY_BYTES];
	struct record *record;
	int state;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (access(path, F_OK) != 0)
		return -1;
	cr_assert_eq(record_read(path, &record, why), 0);
	state = record_pruned(record, hash);
	record_free(record);
	return state;
}

Test(prune, what_is_old_in_a_folder)
{
	static const char *const names[] = { "old.rec", "new.rec", "gone.rec",
					     "other.txt" };
	char why[HALL_PRUNE_WHY_BYTES], path[256];
	unsigned i;

	snprintf(folder, sizeof(folder), "/tmp/prune-XXXXXX");
	cr_assert_not_null(mkdtemp(folder));
	put("toepen-source", names[0], 999);
	put("toepen-source", names[1], 1000);
	put("toepen-aborted", names[2], 1);
	put("toepen-source", names[3], 1);
	put("toepen-source", "cut.rec" HALL_PRUNE_HALF, INT32_MAX);
	cr_assert_eq(hall_prune_now(folder, 1000, why), 2);
	cr_expect_eq(state_of(names[0]), 1);
	cr_expect_eq(state_of(names[1]), 0);
	cr_expect_eq(state_of(names[2]), -1);
	cr_expect_eq(state_of(names[3]), 0);
	cr_expect_eq(state_of("cut.rec" HALL_PRUNE_HALF), -1);
	cr_assert_eq(hall_prune_now(folder, INT64_MAX, why), 1);
	cr_expect_eq(state_of(names[1]), 1);
	cr_assert_eq(hall_prune_now(folder, INT64_MAX, why), 0, "all are");
	for (i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	cr_assert_eq(rmdir(folder), 0, "nothing half-written is left");
	cr_assert_eq(hall_prune_now(folder, 0, why), -1);
	cr_expect_not_null(strstr(why, folder));
	NO_LEAKS();
}
