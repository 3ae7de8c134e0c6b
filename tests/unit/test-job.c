/* tests/unit/test-job.c - jobs and results as bytes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/runner/channel.h"
#include "referee/runner/job.h"

#define TRIES 2000 /* bytes changed, one at a time */

static char *const argv[] = { (char[]){ "python3" }, (char[]){ "b o t.py" },
			      NULL };
static char *const see[] = { (char[]){ "/srv/bots" }, NULL };
static char *const hide[] = { (char[]){ "/srv/records" }, (char[]){ "/x" },
			      NULL };

/* Makes a job with everything in it. */
static void
fill(struct job *job, struct sandbox_box *box)
{
	memset(job, 0, sizeof(*job));
	job->number = UINT64_MAX;
	game_setup_init(&job->setup.game, game_find("toepen"), 3);
	deal_random(&job->setup.deal);
	job->setup.deal.seeded = true;
	job->setup.arrival = true;
	job->setup.clock.time_us = 5;
	job->setup.clock.bank_us = 6;
	job->setup.clock.increment_us = 7;
	job->setup.clock.total_us = 70;
	job->setup.faults = 8;
	job->setup.show_names = true;
	job->setup.date = 1234567890;
	job->setup.entropy[1] = true;
	job->setup.given = true;
	memset(job->setup.given_entropy.byte[1], 0xab, 5);
	job->setup.given_entropy.bytes[1] = 5;
	job->rests = true;
	job->charges_start = true;
	job->all_ends = true;
	job->limit_us = 99;
	memset(box, 0, sizeof(*box));
	box->tier = SANDBOX_BOX;
	box->limits = sandbox_limits_default;
	box->folder = "/srv/bots/ann";
	box->strict = true;
	box->see = see;
	box->hide = hide;
	snprintf(job->setup.name[0], sizeof(job->setup.name[0]), "ann");
	snprintf(job->setup.name[1], sizeof(job->setup.name[1]), "ben");
	snprintf(job->setup.heir_of[1], sizeof(job->setup.heir_of[1]),
		 "ben.old");
	snprintf(job->setup.name[2], sizeof(job->setup.name[2]), "house");
	for (unsigned s = 0; s < 2; s++) {
		job->seat[s].bot = s + 7;
		job->seat[s].reuse = s == 1;
		job->seat[s].program.argv = argv;
		job->seat[s].program.box = s == 0 ? box : NULL;
	}
	job->seat[1].untried = true;
	job->seat[0].program.folder = "";
	job->seat[2].builtin = "house";
}

static void
write_job(struct text *text)
{
	struct sandbox_box box;
	struct job job;

	fill(&job, &box);
	text_init(text, JOB_BYTES);
	job_write(&job, text);
	cr_assert_not(text->full);
}

Test(job, is_the_same_when_it_was_read)
{
	struct sandbox_box box;
	struct job job, *read;
	struct text first, second;

	fill(&job, &box);
	text_init(&first, JOB_BYTES);
	text_init(&second, JOB_BYTES);
	job_write(&job, &first);
	read = job_read(first.bytes, first.used);
	cr_assert_not_null(read);
	job_write(read, &second);
	cr_assert_eq(first.used, second.used);
	cr_assert_eq(memcmp(first.bytes, second.bytes, first.used), 0);
	cr_assert_eq(read->number, UINT64_MAX);
	cr_assert(read->rests && read->charges_start && read->all_ends);
	cr_assert_eq(read->setup.game.rules, game_find("toepen"));
	cr_assert_eq(memcmp(&read->setup.deal, &job.setup.deal,
			    sizeof(job.setup.deal)),
		     0, "its commitment is worked out again");
	cr_assert_str_eq(read->setup.heir_of[1], "ben.old");
	cr_assert_eq(read->setup.given_entropy.bytes[1], 5);
	cr_assert_str_eq(read->seat[0].program.argv[1], "b o t.py");
	cr_assert_str_eq(read->seat[0].program.folder, "");
	cr_assert_null(read->seat[1].program.folder);
	cr_assert_null(read->seat[1].program.box);
	cr_assert_str_eq(read->seat[0].program.box->folder, "/srv/bots/ann");
	cr_assert_str_eq(read->seat[0].program.box->hide[1], "/x");
	cr_assert_null(read->seat[0].program.box->hide[2]);
	cr_assert_str_eq(read->seat[2].builtin, "house");
	cr_assert(read->seat[1].untried && !read->seat[0].untried);
	job_free(read);
	text_release(&first);
	text_release(&second);
}

Test(job, that_ends_early_is_none)
{
	struct text text;

	write_job(&text);
	for (size_t n = 0; n < text.used; n++)
		cr_assert_null(job_read(text.bytes, n), "%zu bytes", n);
	text_add(&text, "", 1);
	cr_assert_null(job_read(text.bytes, text.used), "one byte more");
	text_release(&text);
}

/* Any job that can be read gives the same bytes when it is written. */
Test(job, with_a_changed_byte_is_none_or_another)
{
	struct text text, again;
	struct job *read;
	unsigned nones = 0;

	write_job(&text);
	text_init(&again, JOB_BYTES);
	for (size_t i = 0; i < text.used && i < TRIES; i++) {
		text.bytes[i] = (char)(text.bytes[i] ^ 0x81);
		read = job_read(text.bytes, text.used);
		nones += read == NULL;
		if (read != NULL) {
			text_clear(&again);
			job_write(read, &again);
			cr_assert_eq(again.used, text.used);
			cr_assert_eq(memcmp(again.bytes, text.bytes, text.used),
				     0, "byte %zu", i);
			job_free(read);
		}
		text.bytes[i] = (char)(text.bytes[i] ^ 0x81);
	}
	cr_assert_gt(nones, 100);
	text_release(&text);
	text_release(&again);
}

static void
fill_result(struct job_result *result)
{
	struct fault_note *note;

	job_result_init(result);
	result->number = 12;
	snprintf(result->ended, sizeof(result->ended), "2026-11-22T10:00:00Z");
	result->outcome.aborted = ABORT_TOO_LONG;
	result->outcome.turns = 77;
	result->outcome.place[1] = 2;
	result->outcome.points[1] = -15;
	result->outcome.faults[0] = 3;
	result->outcome.retired[0] = true;
	result->outcome.slip[1][SLIP_FALLBACK] =
		(struct seat_slip){ 37, "TypeError: no hands" };
	result->not_started = 1;
	result->machine = true;
	snprintf(result->why, sizeof(result->why), "no room");
	text_str(&result->header, "record 1\n");
	text_str(&result->body, "round 1\n");
	text_str(&result->asks, "asks 1\n");
	note = fault_notes_add(&result->faults, 1);
	*note = (struct fault_note){ .seat = 1,
				     .fault = FAULT_ILLEGAL,
				     .seen = { BOT_STARVED, 6, 44 },
				     .ask = 7,
				     .used_us = 1234,
				     .again = 3,
				     .late_us = 200000,
				     .said = { .why = SAID_BYTE,
					       .bytes = 300,
					       .kept = 7,
					       .text = "do 7 x\xff" },
				     .legal = "pass go" };
	result->end[0].lives = true;
	result->end[1].known = true;
	result->end[1].early = true;
	result->end[1].error = 2;
	result->end[1].status = 0x100;
	text_str(&result->end[1].complaint, "no such file\n");
	result->end[1].wrote_from = 4711;
}

Test(result, has_the_hash_of_its_record)
{
	static const char record[] = "record 1\n\nround 1\n";
	unsigned char hash[RECORD_HASH_BYTES], expected[RECORD_HASH_BYTES];
	struct job_result result;

	fill_result(&result);
	job_result_hash(&result, hash);
	record_hash_text(record, sizeof(record) - 1, expected);
	cr_assert_arr_eq(hash, expected, sizeof(hash));
	job_result_release(&result);
}

Test(result, is_the_same_when_it_was_read)
{
	struct job_result result, read;
	struct text first, second;

	fill_result(&result);
	text_init(&first, RESULT_BYTES);
	text_init(&second, RESULT_BYTES);
	job_result_write(&result, &first);
	job_result_init(&read);
	cr_assert(job_result_read(&read, first.bytes, first.used));
	job_result_write(&read, &second);
	cr_assert_eq(first.used, second.used);
	cr_assert_eq(memcmp(first.bytes, second.bytes, first.used), 0);
	cr_assert_eq(read.outcome.aborted, ABORT_TOO_LONG);
	cr_assert_eq(read.outcome.points[1], -15);
	cr_assert_eq(read.outcome.slip[1][SLIP_FALLBACK].count, 37);
	cr_assert_str_eq(read.outcome.slip[1][SLIP_FALLBACK].first,
			 "TypeError: no hands");
	cr_assert_eq(read.not_started, 1);
	cr_assert_eq(read.faults.count, 1);
	cr_assert_eq(read.faults.note[0].seat, 1);
	cr_assert_eq(read.faults.note[0].again, 3);
	cr_assert_eq(read.faults.note[0].late_us, 200000);
	cr_assert_eq(read.faults.note[0].said.why, SAID_BYTE);
	cr_assert_eq(read.faults.note[0].said.kept, 7);
	cr_assert_eq(memcmp(read.faults.note[0].said.text, "do 7 x\xff", 7), 0);
	cr_assert_str_eq(read.faults.note[0].legal, "pass go");
	cr_assert_eq(read.end[1].status, 0x100);
	cr_assert_eq(read.end[1].wrote_from, 4711);
	cr_assert_str_eq(text_string(&read.asks), "asks 1\n");
	cr_assert(read.end[0].lives && !read.end[1].lives);
	job_result_release(&result);
	job_result_release(&read);
	text_release(&first);
	text_release(&second);
}

Test(result, can_be_moved)
{
	struct job_result result, moved;

	fill_result(&result);
	job_result_move(&moved, &result);
	cr_assert_eq(moved.outcome.aborted, ABORT_TOO_LONG);
	cr_assert_str_eq(text_string(&moved.body), "round 1\n");
	cr_assert_eq(result.outcome.aborted, ABORT_NONE);
	cr_assert_eq(result.body.used, 0);
	cr_assert_eq(result.not_started, -1);
	job_result_release(&moved);
	job_result_release(&result);
}

Test(result, that_ends_early_is_none)
{
	struct job_result result, read;
	struct text text;
	char *copy;

	fill_result(&result);
	text_init(&text, RESULT_BYTES);
	job_result_write(&result, &text);
	for (size_t n = 0; n < text.used; n++) {
		copy = memory(NULL, n + 1);
		memcpy(copy, text.bytes, n);
		job_result_init(&read);
		cr_assert_not(job_result_read(&read, copy, n), "%zu", n);
		job_result_release(&read);
		free(copy);
	}
	job_result_release(&result);
	text_release(&text);
}
