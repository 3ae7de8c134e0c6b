/* tests/unit/test-proof.c - checks a result against its job: the possible
 * changes of a worker, and the sentences about them. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/queue/proof.h"
#include "referee/runner/runner.h"
#include "referee/table/table-record.h"

/* ---- an honest result --------------------------------------------------- */

struct played {
	struct loop loop;
	struct runner *runner;
	struct job_result result;
};

static void
on_over(void *arg, struct job_result *result)
{
	struct played *played = arg;
	const uint64_t number = result->number;

	job_result_move(&played->result, result);
	runner_receipt(played->runner, number, NULL);
	played->loop.stop = true;
}

static const struct runner_calls calls = { .over = on_over };

/* Makes a job of two built-in bots with a deal that depends only on `seed`. */
static void
make(struct job *job, const char *seed)
{
	memset(job, 0, sizeof(*job));
	job->number = 1;
	game_setup_init(&job->setup.game, game_find("toepen"), 2);
	deal_from_seed(&job->setup.deal, seed, 1);
	job->setup.deal.seeded = false;
	job->setup.clock.time_us = 1000000;
	job->setup.faults = 3;
	job->setup.date = 1000000000;
	job->setup.given = true;
	job->setup.given_entropy.bytes[0] = 4;
	memcpy(job->setup.given_entropy.byte[0], "abcd", 4);
	for (unsigned s = 0; s < 2; s++) {
		snprintf(job->setup.name[s], sizeof(job->setup.name[s]),
			 "bot%u", s);
		job->seat[s].builtin = "random";
	}
	job->setup.entropy[0] = true;
}

static void
play(const struct job *job, struct job_result *result)
{
	struct played played;

	cr_assert_eq(loop_init(&played.loop), 0);
	job_result_init(&played.result);
	played.runner = runner_new(&played.loop, NULL, 1, -1, &calls, &played);
	runner_play(played.runner, job_copy(job));
	if (!played.loop.stop)
		loop_run(&played.loop);
	runner_finish(played.runner);
	while (!runner_is_quiet(played.runner))
		loop_pass(&played.loop);
	runner_free(played.runner);
	loop_release(&played.loop);
	job_result_move(result, &played.result);
	job_result_release(&played.result);
}

/* ---- lies ------------------------------------------------------------------ */

/* The first `old` of a part of a record becomes `new`. */
static void
change(struct text *text, const char *old, const char *new)
{
	const size_t n = strlen(old);
	char *at = memmem(text->bytes, text->used, old, n);
	struct text with;

	cr_assert_not_null(at, "there is no `%s`", old);
	text_init(&with, RECORD_BYTES);
	text_add(&with, text->bytes, (size_t)(at - text->bytes));
	text_str(&with, new);
	text_add(&with, at + n, text->used - n - (size_t)(at - text->bytes));
	text_clear(text);
	text_add(text, with.bytes, with.used);
	text_release(&with);
}

/* Copies a word of the record: the `nth` after the first `before`, from 1. */
static void
word_after(const struct text *text, const char *before, unsigned nth,
	   char word[64])
{
	const char *at =
		memmem(text->bytes, text->used, before, strlen(before));

	cr_assert_not_null(at, "there is no `%s`", before);
	at += strlen(before);
	while (--nth > 0)
		at += strcspn(at, " \n") + 1;
	snprintf(word, 64, "%.*s", (int)strcspn(at, " \n{}"), at);
}

static void
swap_words(struct text *text, const char *one, const char *other)
{
	char line[200];

	snprintf(line, sizeof(line), "%s %s", one, other);
	if (memmem(text->bytes, text->used, line, strlen(line)) == NULL)
		cr_assert_fail("there is no `%s`", line);
	change(text, one, "?");
	change(text, other, one);
	change(text, "?", other);
}

static void
other_cards(struct job_result *result)
{
	char one[64], other[64];

	word_after(&result->body, "deal 0 {", 1, one);
	word_after(&result->body, "deal 0 {", 2, other);
	swap_words(&result->body, one, other);
}

static void
illegal_move(struct job_result *result)
{
	char token[64], line[100];

	word_after(&result->body, "move ", 2, token);
	snprintf(line, sizeof(line), " %s", token);
	change(&result->body, line, " play:2S");
}

static void
truncated(struct job_result *result)
{
	result->body.used /= 2;
	while (result->body.bytes[result->body.used - 1] != '\n')
		result->body.used--;
}

static void
cut_in_a_line(struct job_result *result)
{
	result->body.used--;
}

static void
nothing_played(struct job_result *result)
{
	text_clear(&result->body);
}

static void
no_header(struct job_result *result)
{
	text_clear(&result->header);
}

static void
other_game(struct job_result *result)
{
	struct job job;

	make(&job, "another");
	job_result_release(result);
	play(&job, result);
}

static void
other_option(struct job_result *result)
{
	char value[64], line[100];

	word_after(&result->header, "option points ", 1, value);
	snprintf(line, sizeof(line), "option points %s", value);
	change(&result->header, line, "option points 2");
}

static void
other_secret(struct job_result *result)
{
	char *at = (char *)memmem(result->header.bytes, result->header.used,
				  "\nsecret ", 8);

	cr_assert_not_null(at);
	at[8] = at[8] == '0' ? '1' : '0';
}

static void
no_secret(struct job_result *result)
{
	char hex[80], line[100];
	const char *at = memmem(result->header.bytes, result->header.used,
				"\nsecret ", 8);

	snprintf(hex, sizeof(hex), "%.*s", 64, at + 8);
	snprintf(line, sizeof(line), "secret %s\n", hex);
	change(&result->header, line, "");
}

static void
pruned(struct job_result *result)
{
	char line[100];

	snprintf(line, sizeof(line), "\npruned %064d\nsecret", 0);
	change(&result->header, "\nsecret", line);
}

/* Moves a line of the body to the header: what the writer adds to the header would
 * stand in the body. */
static void
begun_body(struct job_result *result)
{
	const size_t n = strcspn(result->body.bytes, "\n");

	text_str(&result->header, "\n");
	text_add(&result->header, result->body.bytes, n);
	result->body.used -= n + 1;
	memmove(result->body.bytes, result->body.bytes + n + 1,
		result->body.used);
}

static void
other_place(struct job_result *result)
{
	result->outcome.place[0] = 3 - result->outcome.place[0];
	result->outcome.place[1] = 3 - result->outcome.place[1];
}

static void
other_points(struct job_result *result)
{
	result->outcome.points[0]++;
}

static void
retired(struct job_result *result)
{
	result->outcome.retired[1] = true;
}

static void
forfeits(struct job_result *result)
{
	text_str(&result->body, "forfeit 1 crash\n");
}

static void
aborted(struct job_result *result)
{
	result->outcome.aborted = ABORT_TOO_LONG;
}

static void
stopped(struct job_result *result)
{
	truncated(result);
	result->outcome.aborted = ABORT_SHUTDOWN;
	change(&result->header, "\nsecret", "\naborted shutdown\nsecret");
}

static void
too_long(struct job_result *result)
{
	truncated(result);
	result->outcome.aborted = ABORT_TOO_LONG;
	change(&result->header, "\nsecret", "\naborted too-long\nsecret");
}

static void
not_started(struct job_result *result)
{
	truncated(result);
	result->outcome.aborted = ABORT_NOT_STARTED;
	result->not_started = 1;
	change(&result->header, "\nsecret", "\naborted not-started\nsecret");
}

#define OF_ANOTHER                                                             \
	"its record is not of this game, these bots and these settings"

static const struct lie {
	const char *what;
	void (*tell)(struct job_result *result); /* NULL: as below */
	const char *part;			 /* of the sentence */
	const char *old, *new; /* this in the header becomes that */
} lies[] = {
	{ "other cards", other_cards, "its record does not hold: line " },
	{ "an illegal move", illegal_move, "its record does not hold: line " },
	{ "a truncated record", truncated, "its record does not hold: line " },
	{ "a line that is cut", cut_in_a_line, "cannot be read: line " },
	{ "no body", nothing_played, "its record " },
	{ "no header", no_header, OF_ANOTHER },
	{ "another bot", NULL, OF_ANOTHER, "bot 0 bot0", "bot 0 bot1" },
	{ "another game's result", other_game, OF_ANOTHER },
	{ "another option", other_option, OF_ANOTHER },
	{ "other entropy", NULL, "another `entropy` line", "entropy 0 61",
	  "entropy 0 62" },
	{ "less entropy", NULL, "another `entropy` line",
	  "entropy 0 61626364\n", "" },
	{ "more entropy", NULL, "another `entropy` line",
	  "entropy 0 61626364\n", "entropy 0 61626364\nentropy 1 61\n" },
	{ "another clock", NULL, OF_ANOTHER, "\ntime 1000\n", "\ntime 9000\n" },
	{ "a second clock", NULL, "another `total` line", "\nended",
	  "\ntotal 5\nended" },
	{ "a second clock behind the first", NULL, "another `total` line",
	  "\nsecret", "\ntotal 5\nsecret" },
	{ "an heir", NULL, "another `heir-of` line", "\nsecret",
	  "\nheir-of 0 champion\nsecret" },
	{ "another limit of faults", NULL, OF_ANOTHER, "\nfaults 3\n",
	  "\nfaults 1\n" },
	{ "another start", NULL, OF_ANOTHER, "\nstarted 2001-",
	  "\nstarted 2002-" },
	{ "another secret", other_secret, "another `secret` line" },
	{ "no secret", no_secret, "another `secret` line" },
	{ "a seeded deal", NULL, "another `seeded` line", "\nsecret",
	  "\nseeded\nsecret" },
	{ "a block", NULL, "another `block` line", "\nsecret",
	  "\nblock 00112233445566778899aabbccddeeff 1\nsecret" },
	{ "a serial", NULL, "another `ladder` line", "\nsecret",
	  "\nladder 00112233445566778899aabbccddeeff\nserial 7\nsecret" },
	{ "a pruned record", pruned, "another `pruned` line" },
	{ "two ends", NULL, "its record does not hold: line ", "\nreferee",
	  "\nended 2001-01-01T00:00:00Z\nreferee" },
	{ "a header with a line of the body", begun_body, "its header and" },
	/* The database writes its date over the worker's. */
	{ "a comment in the header", NULL, "a comment in its header: line ",
	  "Z\nreferee", "Z ; late\nreferee" },
	{ "no end", NULL, "when the game ended", "\nended 2", "\nendedly 2" },
	{ "no date", NULL, "its record does not hold: line ", "\nended 2",
	  "\nended x" },
	{ "other places", other_place, "tells another result" },
	{ "other points", other_points, "tells another result" },
	{ "a seat that was retired", retired, "other seats that were retired" },
	{ "a forfeit", forfeits, "its record " },
	{ "an end beside the record", aborted, "another end of the game" },
	{ "an end in the record", NULL, "another end of the game", "\nsecret",
	  "\naborted too-long\nsecret" },
	{ "a worker that stopped", stopped, "`aborted shutdown`" },
	{ "a bound that the game does not have", too_long,
	  "`aborted too-long`" },
	{ "a bot that did not begin, though games of it count", not_started,
	  "`aborted not-started`" },
};

Test(proof, holds_for_what_was_played)
{
	char why[PROOF_WHY_BYTES] = "";
	struct job_result result;
	struct job job;

	make(&job, "one");
	play(&job, &result);
	cr_expect(proof_holds(&job, &result, why), "%s", why);
	job_result_release(&result);
}

/* Asks are not part of the proof, but a NUL in them would damage a pack. */
Test(proof, drops_asks_that_do_not_hold)
{
	char why[PROOF_WHY_BYTES] = "";
	struct job_result result;
	struct job job;

	make(&job, "one");
	for (unsigned i = 0; i < 4; i++) {
		play(&job, &result);
		cr_assert_gt(result.asks.used, 0);
		if (i == 1)
			text_str(&result.asks, "no ask\n");
		else if (i == 2)
			memcpy(strchr(text_string(&result.asks), '\n') + 4,
			       "12", 2);
		else if (i == 3)
			strchr(text_string(&result.asks), '\n')[40] = '\0';
		cr_expect(proof_holds(&job, &result, why), "%s", why);
		cr_expect_eq(result.asks.used > 0, i == 0, "%u", i);
		job_result_release(&result);
	}
}

Test(proof, refuses_each_lie_in_a_sentence)
{
	char why[PROOF_WHY_BYTES];
	struct job_result result;
	struct job job;

	make(&job, "one");
	for (size_t i = 0; i < NELEM(lies); i++) {
		play(&job, &result);
		if (lies[i].tell != NULL)
			lies[i].tell(&result);
		else
			change(&result.header, lies[i].old, lies[i].new);
		why[0] = '\0';
		cr_expect_not(proof_holds(&job, &result, why), "%s",
			      lies[i].what);
		cr_expect_not_null(strstr(why, lies[i].part), "%s: %s",
				   lies[i].what, why);
		job_result_release(&result);
	}
}

/* An abort that the job allows is accepted. */
Test(proof, holds_for_a_game_that_took_too_long)
{
	char why[PROOF_WHY_BYTES] = "";
	struct job_result result;
	struct job job;

	make(&job, "one");
	play(&job, &result);
	too_long(&result);
	job.limit_us = 1;
	cr_expect(proof_holds(&job, &result, why), "%s", why);
	job_result_release(&result);
}

Test(proof, holds_for_a_game_in_which_an_untried_bot_did_not_begin)
{
	char why[PROOF_WHY_BYTES] = "";
	struct job_result result;
	struct job job;

	make(&job, "one");
	play(&job, &result);
	not_started(&result);
	job.seat[0].untried = true;
	cr_expect_not(proof_holds(&job, &result, why), "it was the other one");
	job.seat[0].untried = false;
	job.seat[1].untried = true;
	cr_expect(proof_holds(&job, &result, why), "%s", why);
	job_result_release(&result);
}

/* Fills a part of a record up to `n` bytes with a meaningless line that begins
 * with `key`. */
static void
fill(struct text *text, size_t n, const char *key)
{
	char *more = memory(NULL, n);
	const size_t k = strlen(key);

	cr_assert_lt(text->used + k, n);
	memcpy(more, key, k);
	memset(more + k, 'x', n - text->used - k);
	more[n - text->used] = '\0';
	text->used--; /* its LF */
	text_str(text, more);
	text_str(text, "\n");
	cr_assert_eq(text->used, n);
	free(more);
}

Test(proof, takes_a_record_that_fills_its_room_and_none_beyond)
{
	char why[PROOF_WHY_BYTES] = "";
	struct job_result result;
	struct job job;

	make(&job, "one");
	for (unsigned more = 0; more < 2; more++) {
		play(&job, &result);
		fill(&result.body, TABLE_BODY_BYTES + more, " ; ");
		cr_expect_eq(proof_holds(&job, &result, why), more == 0, "%s",
			     why);
		job_result_release(&result);
		play(&job, &result);
		fill(&result.header, TABLE_HEADER_BYTES + more, "\nnote ");
		cr_expect_eq(proof_holds(&job, &result, why), more == 0, "%s",
			     why);
		job_result_release(&result);
	}
	cr_expect_not_null(strstr(why, "is too long"), "%s", why);
}

Test(proof, dates_a_game_by_another_clock)
{
	char why[PROOF_WHY_BYTES] = "";
	struct job_result result;
	struct job job;

	make(&job, "one");
	play(&job, &result);
	proof_date(&result, 1000003600);
	cr_expect_str_eq(result.ended, "2001-09-09T02:46:40Z");
	cr_expect_not_null(memmem(result.header.bytes, result.header.used,
				  "\nended 2001-09-09T02:46:40Z\nreferee", 35));
	cr_expect(proof_holds(&job, &result, why), "%s", why);
	job_result_release(&result);
}
