/* tests/unit/test-spec.c - a job of the queue as bytes. */
#include <criterion/criterion.h>

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/spec.h"

#define A "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static char *const words[] = { (char *)(uintptr_t) "run", NULL };
static struct sandbox_box box;

/* Makes a job of a program and a bot that is built in. */
static void
make(struct job *job)
{
	memset(job, 0, sizeof(*job));
	memset(&box, 0, sizeof(box));
	job->number = 7;
	game_setup_init(&job->setup.game, game_find("toepen"), 2);
	deal_random(&job->setup.deal);
	job->setup.given = true;
	job->setup.given_entropy.bytes[0] = 3;
	snprintf(job->setup.name[0], sizeof(job->setup.name[0]), "alice");
	snprintf(job->setup.name[1], sizeof(job->setup.name[1]), "random");
	box.tier = SANDBOX_BOX;
	box.limits.memory_mib = 99;
	box.folder = "/secret/place";
	job->seat[0].program = (struct spawner_task){ .argv = words,
						      .folder = "/secret/place",
						      .box = &box };
	job->seat[0].content = A;
	job->seat[1].builtin = "random";
}

static bool
has(const struct text *text, const void *bytes, size_t n)
{
	for (size_t i = 0; i + n <= text->used; i++)
		if (memcmp(text->bytes + i, bytes, n) == 0)
			return true;
	return false;
}

Test(spec, has_neither_secret_nor_entropy_nor_paths)
{
	const char *found[SEATS_MAX];
	struct job job, *read;
	struct text text;

	make(&job);
	text_init(&text, JOB_BYTES);
	spec_write(&job, &text);
	cr_expect_not(has(&text, job.setup.deal.secret, DEAL_SECRET_BYTES));
	cr_expect_not(has(&text, "/secret", 7));
	read = spec_read(text.bytes, text.used, found);
	cr_assert_not_null(read);
	cr_expect_str_eq(found[0], A);
	cr_expect_null(found[1]);
	cr_expect_not(read->setup.given);
	cr_expect_str_eq(read->setup.deal.id, job.setup.deal.id);
	cr_expect_str_eq(read->setup.name[0], "alice");
	cr_expect_eq(read->seat[0].program.box->tier, SANDBOX_BOX);
	cr_expect_eq(read->seat[0].program.box->limits.memory_mib, 99);
	cr_expect_null(read->seat[0].program.box->folder);
	cr_expect_str_eq(read->seat[1].builtin, "random");
	job_free(read);
	text_release(&text);
}

/* A bot's hash becomes part of a path. */
Test(spec, what_is_no_hash_is_refused)
{
	static const char *const wrong[] = {
		"", "../../etc", "00", A "0",
		("A0112233445566778899aabbccddeeff"
		 "00112233445566778899aabbccddeeff")
	};
	const char *found[SEATS_MAX];
	struct text text;
	struct job job;

	make(&job);
	for (size_t i = 0; i < NELEM(wrong); i++) {
		job.seat[0].content = wrong[i];
		text_init(&text, JOB_BYTES);
		spec_write(&job, &text);
		cr_expect_null(spec_read(text.bytes, text.used, found), "%s",
			       wrong[i]);
		text_release(&text);
	}
}

Test(spec, cut_anywhere_it_is_none)
{
	const char *found[SEATS_MAX];
	struct text text;
	struct job job;

	make(&job);
	text_init(&text, JOB_BYTES);
	spec_write(&job, &text);
	for (size_t n = 0; n < text.used; n++)
		cr_assert_null(spec_read(text.bytes, n, found), "%zu", n);
	text_release(&text);
}

Test(spec, entropy_comes_back)
{
	struct entropy given = { .bytes = { 0, ENTROPY_BYTES, 1 } }, read;
	struct text text;

	memset(given.byte[1], 0xab, ENTROPY_BYTES);
	given.byte[2][0] = 0xff;
	text_init(&text, 4096);
	spec_entropy_write(&given, 3, &text);
	cr_assert(spec_entropy_read(text.bytes, text.used, 3, &read));
	cr_expect_arr_eq(&read, &given, sizeof(given));
	for (size_t n = 0; n < text.used; n++)
		cr_expect_not(spec_entropy_read(text.bytes, n, 3, &read));
	cr_expect_not(spec_entropy_read(text.bytes, text.used, 2, &read),
		      "something is left");
	text.bytes[1] = (char)(ENTROPY_BYTES + 1);
	cr_expect_not(spec_entropy_read(text.bytes, text.used, 3, &read),
		      "more than may be given");
	text_release(&text);
}

Test(spec, rules_name_game_version_and_format)
{
	char text[SPEC_RULES_BYTES];
	unsigned version, format;

	spec_rules(game_find("toepen"), text);
	cr_expect_eq(sscanf(text, "toepen/%u/%u", &version, &format), 2);
	cr_expect_eq(version, game_find("toepen")->version);
	cr_expect_eq(format, SPEC_FORMAT);
}

Test(spec, rules_of_other_programs_are_newer_or_older)
{
	const unsigned version = game_find("toepen")->version;
	char text[SPEC_RULES_BYTES];
	const struct {
		int version, format;
		enum spec_age age;
	} tries[] = {
		{ 0, 0, SPEC_KNOWN },  { 1, 0, SPEC_NEWER },
		{ 0, 1, SPEC_NEWER },  { -1, 0, SPEC_OLDER },
		{ 0, -1, SPEC_OLDER }, { -1, 1, SPEC_NEWER },
	};
	const char **known;
	size_t n;

	for (size_t i = 0; i < NELEM(tries); i++) {
		snprintf(text, sizeof(text), "toepen/%d/%d",
			 (int)version + tries[i].version,
			 SPEC_FORMAT + tries[i].format);
		cr_expect_eq(spec_age(text), tries[i].age, "%s", text);
	}
	cr_expect_eq(spec_age("poker/1/5"), SPEC_STRANGE);
	cr_expect_eq(spec_age("toep/1/5"), SPEC_STRANGE);
	cr_expect_eq(spec_age("toepen"), SPEC_STRANGE);
	cr_expect_eq(spec_age(""), SPEC_STRANGE);
	known = spec_known(&n);
	cr_expect_gt(n, 0);
	for (size_t i = 0; i < n; i++)
		cr_expect_eq(spec_age(known[i]), SPEC_KNOWN, "%s", known[i]);
	free((void *)known);
}

static void
expect_hash(const struct text *text, const char *expected, const char *what)
{
	unsigned char hash[16];
	char hex[2 * sizeof(hash) + 1];

	crypto_generichash(hash, sizeof(hash), (const void *)text->bytes,
			   text->used, NULL, 0);
	sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
	cr_expect_str_eq(hex, expected,
			 "%s has other bytes, of hash %s: SPEC_FORMAT must be "
			 "one more",
			 what, hex);
}

/* Programs of two versions must not misread each other's bytes. */
Test(spec, bytes_that_change_need_another_format)
{
	struct job_result result;
	struct text text;
	struct job job;

	cr_assert_eq(SPEC_FORMAT, 7);
	make(&job);
	memset(&job.setup.deal, 0, sizeof(job.setup.deal));
	memset(job.setup.deal.id, 'a', sizeof(job.setup.deal.id));
	job.setup.deal.id[sizeof(job.setup.deal.id) - 1] = '\0';
	text_init(&text, JOB_BYTES);
	spec_write(&job, &text);
	expect_hash(&text, "6ab6d8d8ce36894740ca2a5c77183edd", "a job");
	text_release(&text);
	job_result_init(&result);
	text_str(&result.header, "a 1\n");
	text_str(&result.body, "b 2\n");
	text_str(&result.asks, "c 3\n");
	snprintf(result.why, sizeof(result.why), "why");
	for (unsigned s = 0; s < SEATS_MAX; s++) {
		result.outcome.place[s] = (int)s + 1;
		result.end[s].known = result.end[s].started = s % 2 == 0;
		text_str(&result.end[s].complaint, "complaint");
	}
	text_init(&text, RESULT_BYTES);
	job_result_write(&result, &text);
	expect_hash(&text, "4d50684b2454c89c008a2c53d6ad2d1f", "a result");
	text_release(&text);
	job_result_release(&result);
}
