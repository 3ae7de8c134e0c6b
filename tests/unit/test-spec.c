/* tests/unit/test-spec.c - a job of the queue as bytes. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "referee/queue/spec.h"
#include "tests/unit/leaks.h"

TestSuite(spec, .timeout = 60);

#define A "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static char *const words[] = { (char *)(uintptr_t) "run", NULL };
static struct sandbox_box box;

/* Of a program and a bot that is built in. */
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
	job->seat[0].program = (struct spawner_job){ .argv = words,
						     .folder = "/secret/place",
						     .box = &box };
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
	const char *hash[SEATS_MAX] = { A }, *found[SEATS_MAX];
	struct job job, *read;
	struct text text;

	make(&job);
	text_init(&text, JOB_BYTES);
	spec_write(&job, hash, &text);
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
	NO_LEAKS();
}

/* Where a bot's hash leads is a path. */
Test(spec, what_is_no_hash_is_refused)
{
	static const char *const wrong[] = {
		"", "../../etc", "00", A "0",
		"A0112233445566778899aabbccddeeff"
		"00112233445566778899aabbccddeeff"
	};
	const char *hash[SEATS_MAX], *found[SEATS_MAX];
	struct text text;
	struct job job;

	make(&job);
	for (size_t i = 0; i < NELEM(wrong); i++) {
		hash[0] = wrong[i];
		text_init(&text, JOB_BYTES);
		spec_write(&job, hash, &text);
		cr_expect_null(spec_read(text.bytes, text.used, found), "%s",
			       wrong[i]);
		text_release(&text);
	}
	NO_LEAKS();
}

Test(spec, cut_anywhere_it_is_none)
{
	const char *hash[SEATS_MAX] = { A }, *found[SEATS_MAX];
	struct text text;
	struct job job;

	make(&job);
	text_init(&text, JOB_BYTES);
	spec_write(&job, hash, &text);
	for (size_t n = 0; n < text.used; n++)
		cr_assert_null(spec_read(text.bytes, n, found), "%zu", n);
	text_release(&text);
	NO_LEAKS();
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
	NO_LEAKS();
}

Test(spec, rules_name_game_version_and_format)
{
	char text[SPEC_RULES_BYTES];
	unsigned version, format;

	spec_rules(game_find("toepen"), text);
	cr_expect_eq(sscanf(text, "toepen/%u/%u", &version, &format), 2);
	cr_expect_eq(version, game_find("toepen")->version);
	NO_LEAKS();
}
