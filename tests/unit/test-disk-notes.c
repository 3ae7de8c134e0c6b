/* tests/unit/test-disk-notes.c - the notes of the disk (disk.h) are what happened. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/util.h"
#include "tests/unit/disk.h"
#include "tests/unit/ladder-kit.h"
#include "tests/world/folder-copy.h"

#define STEPS 400
#define NAMES 12

static void
begin(void)
{
	kit_begin();
}

static void
end(void)
{
	disk_leave();
	kit_end();
}

TestSuite(disk_notes, .init = begin, .fini = end);

/* ---- random changes --------------------------------------------------------- */

static const char *
drawn_name(const char *home, uint32_t *state)
{
	static char names[2][300];
	static unsigned turn;
	char *name = names[turn++ % 2];

	snprintf(name, sizeof(names[0]), "%s/%sf%u", home,
		 kit_random(state, 3) == 0 ? "below/" : "",
		 kit_random(state, NAMES));
	return name;
}

static void
sync_file(const char *path, int flags)
{
	const int fd = open(path, flags | O_CLOEXEC);

	if (fd >= 0 && fsync(fd) == 0)
		close(fd);
}

static void
write_some(const char *path, uint32_t *state)
{
	static const char bytes[3000] = "abc";
	const int fd = open(path,
			    O_WRONLY | O_CREAT | O_CLOEXEC |
				    (kit_random(state, 4) == 0 ? O_TRUNC : 0),
			    0640);

	if (fd < 0)
		return;
	cr_assert_gt(pwrite(fd, bytes, 1 + kit_random(state, sizeof(bytes) - 1),
			    kit_random(state, 5000)),
		     0);
	if (kit_random(state, 5) == 0)
		cr_assert_eq(ftruncate(fd, kit_random(state, 4000)), 0);
	if (kit_random(state, 3) == 0)
		fsync(fd);
	close(fd);
}

static void
change(const char *home, uint32_t *state)
{
	const char *one = drawn_name(home, state);
	const char *other = drawn_name(home, state);
	char below[300];

	snprintf(below, sizeof(below), "%s/below", home);
	switch (kit_random(state, 9)) {
	case 0:
		(void)rename(one, other);
		break;
	case 1:
		(void)unlink(one);
		break;
	case 2:
		(void)!link(one, other);
		break;
	case 3:
		(void)!symlink("/no/where", one);
		break;
	case 4:
		sync_file(kit_random(state, 2) == 0 ? home : below, O_RDONLY);
		break;
	default:
		write_some(one, state);
	}
}

/* Makes a folder and changes it; what links lead to is never there. */
static void
change_often(const char *home, bool forget, uint32_t seed)
{
	char below[300];
	uint32_t state = seed;

	cr_assert_eq(mkdir(home, 0700), 0);
	snprintf(below, sizeof(below), "%s/below", home);
	cr_assert_eq(mkdir(below, 0700), 0);
	disk_watch(home);
	if (forget)
		disk_forget();
	for (unsigned i = 0; i < STEPS; i++)
		change(home, &state);
}

static void
expect_same(const char *one, const char *other)
{
	char *found = folder_difference(one, other);

	cr_assert_null(found, "%s is not the same in both", found);
}

static void
cut_with(enum disk_loss loss, const char *to)
{
	uint32_t state = 5;

	disk_cut(disk_changes(), loss, &state, to);
}

Test(disk_notes, nothing_lost_is_what_is_there)
{
	for (uint32_t seed = 1; seed < 20; seed++) {
		change_often(kit_path("home"), seed % 2 == 0, seed);
		cut_with(DISK_NOTHING, kit_path("cut"));
		disk_leave();
		expect_same(kit_path("home"), kit_path("cut"));
		folder_remove(kit_path("home"));
		folder_remove(kit_path("cut"));
	}
}

/* Changes a folder, and makes a folder of what each loss leaves of it. */
static void
change_and_lose(bool forget, uint32_t seed, const char *name)
{
	char to[64];

	change_often(kit_path("home"), forget, seed);
	for (int loss = 0; loss <= DISK_NOTHING; loss++) {
		snprintf(to, sizeof(to), "%s%d", name, loss);
		cut_with(loss, kit_path(to));
	}
	disk_leave();
	folder_remove(kit_path("home"));
}

Test(disk_notes, what_is_forgotten_was_synced)
{
	char one[64], other[64];

	for (uint32_t seed = 1; seed < 20; seed++) {
		change_and_lose(false, seed, "one");
		change_and_lose(true, seed, "other");
		for (int loss = 0; loss <= DISK_NOTHING; loss++) {
			snprintf(one, sizeof(one), "one%d", loss);
			snprintf(other, sizeof(other), "other%d", loss);
			expect_same(kit_path(one), kit_path(other));
			folder_remove(kit_path(one));
			folder_remove(kit_path(other));
		}
	}
}

Test(disk_notes, what_others_change_is_looked_at)
{
	for (uint32_t seed = 1; seed < 10; seed++) {
		uint32_t state = seed + 100;

		change_often(kit_path("home"), true, seed);
		disk_let_go();
		for (unsigned i = 0; i < 50; i++)
			change(kit_path("home"), &state);
		disk_look();
		cut_with(DISK_NOTHING, kit_path("cut"));
		disk_leave();
		expect_same(kit_path("home"), kit_path("cut"));
		folder_remove(kit_path("home"));
		folder_remove(kit_path("cut"));
	}
}

/* ---- a plan ------------------------------------------------------------------ */

struct plan {
	struct disk_plan plan; /* first */
	size_t at;
	int error;
	unsigned syncs;
	jmp_buf ended;
};

static int
next(struct disk_plan *plan, size_t n)
{
	const struct plan *own = (struct plan *)plan;

	return n == own->at ? own->error : 0;
}

static void
on_end(struct disk_plan *plan)
{
	longjmp(((struct plan *)plan)->ended, 1);
}

static void
on_sync(struct disk_plan *plan, int fd UNUSED)
{
	((struct plan *)plan)->syncs++;
}

static struct plan plan = { .plan = { next, on_end, on_sync } };

/* Makes a file, writes six bytes and syncs them. */
static int
write_six(void)
{
	const int fd = open(kit_path("home/six"),
			    O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	int result = -1;

	if (fd >= 0 && write(fd, "sixsix", 6) == 6 && fsync(fd) == 0)
		result = 0;
	if (fd >= 0)
		close(fd);
	return result;
}

static void
watch(size_t at, int error)
{
	cr_assert_eq(mkdir(kit_path("home"), 0700), 0);
	plan.at = at;
	plan.error = error;
	disk_watch(kit_path("home"));
	disk_follow(&plan.plan);
}

Test(disk_notes, a_plan_lets_a_change_fail)
{
	watch(1, EIO);
	cr_assert_eq(write_six(), -1);
	cr_assert_eq(errno, EIO);
	cr_assert(kit_file_equals(kit_path("home/six"), "six", 3));
	cr_assert_eq(plan.syncs, 0);
	cr_assert_eq(write_six(), 0);
	cr_assert_eq(plan.syncs, 1);
}

Test(disk_notes, a_plan_ends_in_the_middle_of_a_write)
{
	watch(1, DISK_END);
	if (setjmp(plan.ended) == 0) {
		(void)write_six();
		cr_assert(false, "it has not ended");
	}
	cut_with(DISK_NOTHING, kit_path("cut"));
	disk_leave();
	cr_assert(kit_file_equals(kit_path("cut/six"), "six", 3));
}
