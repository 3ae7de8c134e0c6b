/* tests/unit/test-spawner-box.c - how the spawner interprets the reports of a
 * box. */
#include <criterion/criterion.h>
#include <signal.h>
#include <sys/socket.h>

#include "referee/spawner/spawner-box.h"

#define LEFT 3

/* Returns the end of a box that wrote these words, and has ended LEFT processes. */
static struct spawner_end
end_after(const enum box_word *words, size_t n)
{
	struct boxes boxes = { 0 };
	struct boxed *boxed =
		boxed_new(&boxes, &(struct sandbox_box){ .tier = SANDBOX_BOX });
	struct spawner_end end = { .status = SIGKILL };

	cr_assert_not_null(boxed);
	for (size_t i = 0; i < n; i++) {
		struct box_report report = { .word = words[i], .left = LEFT };

		cr_assert_eq(
			send(boxed->report_theirs, &report, sizeof(report), 0),
			sizeof(report));
	}
	boxed_forked(boxed);
	cr_assert(boxed_hear(boxed));
	boxed_end(&boxes, boxed, &end);
	boxed_free(&boxes, boxed);
	boxes_release(&boxes);
	return end;
}

/* The kernel may need seconds to free memory: then the box is killed from
 * outside before it has reported the end. */
Test(spawner_box, one_killed_while_it_ends_its_bot_for_memory_has_told_why)
{
	const enum box_word words[] = { BOX_STARTED, BOX_OVER, BOX_ENDED };

	cr_expect(end_after(words, 2).over);
	cr_expect(end_after(words, 3).over);
}

Test(spawner_box, one_that_was_killed_had_not_too_much)
{
	const enum box_word words[] = { BOX_STARTED, BOX_ENDED };

	cr_expect_not(end_after(words, 1).over);
	cr_expect_not(end_after(words, 2).over);
}

Test(spawner_box, what_its_bot_has_left_is_told)
{
	const enum box_word words[] = { BOX_STARTED, BOX_ENDED };

	cr_expect_eq(end_after(words, 1).left, 0u);
	cr_expect_eq(end_after(words, 2).left, LEFT);
}
