/* tests/unit/test-opinion.c - what the strong bot thinks of a seat's decisions.
 *
 * The test of secrecy: in a random game the cards that a seat does not see are
 * dealt again, so that it reads the same lines and is asked the same.  The
 * opinions must be the same, byte for byte. */
#include "referee/records/opinion.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/hidden.h"
#include "referee/records/opinion-run.h"
#include "tests/unit/retell.h"
#include "tests/unit/rounds.h"
#include "tests/unit/settings.h"

#define LONG_MS 600000 /* for programs that must not be late */

static struct error why;

/* ---- what is read --------------------------------------------------------- */

static int
reads(const char *text, struct opinions *opinions)
{
	return opinions_read(text, strlen(text), opinions, &why);
}

#define ONE                                                                    \
	"opinion 1 4 of 3 made pass 0.4 0.01 best knock 0.6 0.02 pass 0.4 "    \
	"0.01\n"
#define TWO "opinion 2 9 of 2 made - best play:7H 0.512 0.013\n"

Test(opinion, is_read)
{
	struct opinions opinions;

	cr_assert_eq(reads(ONE TWO "over 2 of 5\n", &opinions), 0);
	cr_assert_eq(opinions.count, 2);
	cr_assert_eq(opinions.choices, 5);
	cr_assert(opinions.opinion[0].known);
	cr_assert_eq(opinions.opinion[0].tops, 2);
	cr_assert_str_eq(opinions.opinion[0].best[0].token, "knock");
	cr_assert_float_eq(opinion_loss(&opinions.opinion[0]), 0.2, 1e-9);
	cr_assert_not(opinions.opinion[1].known);
	cr_assert_float_eq(opinion_loss(&opinions.opinion[1]), 0, 1e-9);
	cr_assert_eq(opinions_at(&opinions, 9), &opinions.opinion[1]);
	cr_assert_null(opinions_at(&opinions, 5));
	cr_assert_eq(opinions_swing(&opinions), &opinions.opinion[0]);
	opinions_release(&opinions);
}

Test(opinion, what_is_wrong_is_refused)
{
	static const char *const wrong[] = {
		"",
		ONE,
		ONE "over 2 of 5\n",
		ONE "over 1 of 0\n",
		ONE "over 1 of 1 x\n",
		ONE "over 1 of 1\n" ONE,
		ONE ONE "over 2 of 2\n",
		TWO ONE "over 2 of 2\n",
		"opinion 1 4 of 3 made pass 0.4 0.01 best\nover 1 of 1\n",
		"opinion 1 4 of 3 made pass 1.4 0.01 best pass 0.4 0.1\nover 1 "
		"of 1\n",
		"opinion 1 4 of 3 made pass nan 0.01 best pass 0.4 0.1\nover 1 "
		"of 1\n",
		"opinion 1 4 of 3 made <b> 0.4 0.01 best pass 0.4 0.1\nover 1 "
		"of 1\n",
		"opinion 1 4 of 3 made - best a 0 0 b 0 0 c 0 0 d 0 0\nover 1 "
		"of 1\n",
		"opinion 1 4 of 3 made - best "
		"a234567890123456789012345678901234567890 0 0\nover 1 of 1\n",
		"opinion 1 -4 of 3 made - best a 0 0\nover 1 of 1\n",
		"<script>\n",
	};
	struct opinions opinions;
	unsigned i;

	for (i = 0; i < NELEM(wrong); i++)
		cr_expect_eq(reads(wrong[i], &opinions), -1, "%s", wrong[i]);
	cr_expect_eq(opinions_read("over\0", 6, &opinions, &why), -1);
}

/* A loss within the error is not a mistake; the largest one counts, not the
 * first. */
Test(opinion, swing)
{
	struct opinions opinions;

	cr_assert_eq(reads("opinion 1 4 of 3 made a 0.58 0.02 best b 0.6 0.02\n"
			   "over 1 of 1\n",
			   &opinions),
		     0);
	cr_assert_null(opinions_swing(&opinions));
	opinions_release(&opinions);
	cr_assert_eq(reads("opinion 1 4 of 3 made a 0.5 0.01 best b 0.6 0.01\n"
			   "opinion 2 5 of 3 made a 0.1 0.01 best b 0.4 0.01\n"
			   "opinion 3 6 of 3 made a 0.1 0.3 best b 0.5 0.3\n"
			   "over 3 of 3\n",
			   &opinions),
		     0);
	cr_assert_eq(opinions_swing(&opinions), &opinions.opinion[1]);
	opinions_release(&opinions);
}

Test(opinion, sentences)
{
	char sentence[OPINION_SENTENCE];
	struct opinions opinions;

	cr_assert_eq(reads(ONE TWO
			   "opinion 3 10 of 2 made a 0.5 0.01 best a 0.5 "
			   "0.01\nover 3 of 3\n",
			   &opinions),
		     0);
	opinion_sentence(&opinions.opinion[0], sentence);
	cr_assert_str_eq(sentence, "The strong bot would have chosen \"knock\" "
				   "(0.60 +-0.02); \"pass\" gave 0.40 +-0.01.");
	opinion_sentence(&opinions.opinion[1], sentence);
	cr_assert_str_eq(sentence,
			 "The strong bot would have chosen \"play "
			 "the seven of hearts\" (0.51 +-0.01); another "
			 "seat moved first.");
	opinion_sentence(&opinions.opinion[2], sentence);
	cr_assert_str_eq(
		sentence,
		"The strong bot would have chosen \"a\" (0.50 +-0.01), "
		"too.");
	opinions_release(&opinions);
}

/* Moves that differ by less than the error are called equal; none is
 * recommended. */
Test(opinion, of_equal_moves_none_is_better)
{
	char sentence[OPINION_SENTENCE];
	struct opinions opinions;

	cr_assert_eq(reads("opinion 1 4 of 3 made a 0.58 0.02 best b 0.6 0.02\n"
			   "opinion 2 5 of 3 made a 0.57 0.02 best b 0.6 0.02\n"
			   "over 2 of 2\n",
			   &opinions),
		     0);
	cr_assert(opinion_is_equal(&opinions.opinion[0]));
	opinion_sentence(&opinions.opinion[0], sentence);
	cr_assert_str_eq(sentence, "To the strong bot \"a\" (0.58 +-0.02) and "
				   "\"b\" (0.60 +-0.02) are equal.");
	cr_assert_not(opinion_is_equal(&opinions.opinion[1]));
	opinion_sentence(&opinions.opinion[1], sentence);
	cr_assert_str_eq(
		sentence,
		"The strong bot would have chosen \"b\" (0.60 +-0.02); "
		"\"a\" gave 0.57 +-0.02.");
	opinions_release(&opinions);
}

/* ---- nothing but what the seat knew --------------------------------------- */

static struct tale tale;

/* Makes a record that ends here. */
static void
make_input(const char *lines, size_t n, int viewer, struct text *to)
{
	const struct game_setup *setup = &tale.game.setup;
	struct text text = { .max = SIZE_MAX };
	struct verdict verdict;
	struct record *record;
	struct replay replay;
	char value[16];
	unsigned i;

	text_fmt(&text, "record 1\nid x\ngame %s\nseats %u\n",
		 setup->rules->name, setup->seats);
	for (i = 0; setup->rules->options[i].name; i++) {
		game_setup_value(setup, i, value);
		text_fmt(&text, "option %s %s\n", setup->rules->options[i].name,
			 value);
	}
	for (i = 0; i < setup->seats; i++)
		text_fmt(&text, "bot %u bot\n", i);
	text_str(&text, "aborted test\n\n");
	text_add(&text, lines, n);
	cr_assert_eq(record_parse(text.bytes, text.used, &record, &why), 0,
		     "%s", why.text);
	cr_assert_eq(replay_init(&replay, record, true, &verdict), 0,
		     "%u: expected %s, found %s", verdict.line,
		     verdict.expected, verdict.found);
	cr_assert_eq(opinion_input(&replay, (unsigned)viewer, to), 0);
	replay_release(&replay);
	record_free(record);
	text_release(&text);
}

static bool
same(const struct text *one, const struct text *other)
{
	return one->used == other->used &&
	       memcmp(one->bytes, other->bytes, one->used) == 0;
}

static void
ask(const struct text *input, struct text *output)
{
	const struct opinion_task task = { .program = opinion_program(&why),
					   .playouts = "16",
					   .ms = LONG_MS,
					   .stop = -1 };
	struct opinions opinions;

	cr_assert_not_null(task.program, "%s", why.text);
	cr_assert_eq(opinion_run(&task, input, output, &why), 0, "%s",
		     why.text);
	cr_assert_eq(
		opinions_read(output->bytes, output->used, &opinions, &why), 0,
		"%s", why.text);
	opinions_release(&opinions);
}

/* Compares the hidden deal with another.  Returns true if there was another deal; then
 * the program was asked, too. */
static bool
compare(int viewer)
{
	static struct game other;
	struct text truth = { .max = SIZE_MAX }, untruth = { .max = SIZE_MAX };
	struct text lines = { .max = SIZE_MAX }, one, two;
	unsigned char seed[DRAWS_SEED_BYTES] = { 7 };
	struct draws draws;
	const char *wrong;
	bool differs;

	seed[1] = (unsigned char)dice_below(&tale.dice, 256);
	draws_seed(&draws, seed);
	other = tale.game;
	game_resample(&other, viewer, &draws);
	wrong = retell_lines(&tale, &other, viewer, &lines);
	cr_assert_null(wrong, "%s: %s", tale.game.setup.rules->name, wrong);
	differs = lines.used != tale.used ||
		  memcmp(lines.bytes, tale.text, lines.used) != 0;
	if (differs) {
		make_input(tale.text, tale.used, viewer, &truth);
		make_input(lines.bytes, lines.used, viewer, &untruth);
		cr_assert(same(&truth, &untruth), "%s, seat %d: `%s` and `%s`",
			  tale.game.setup.rules->name, viewer,
			  text_string(&truth), text_string(&untruth));
		ask(&truth, &one);
		ask(&untruth, &two);
		cr_assert(same(&one, &two), "the same is judged otherwise");
		text_release(&one);
		text_release(&two);
	}
	text_release(&truth);
	text_release(&untruth);
	text_release(&lines);
	return differs;
}

/* Compares only in the first round, where the tale begins with the game. */
static bool
play_and_compare(const struct game_setup *setup, uint64_t seed)
{
	unsigned wait = (unsigned)seed % 5;

	tale.forced = 0;
	tale.quiet = (unsigned)seed % 10;
	tale_begin(&tale, setup, seed);
	while (!tale.too_long && tale.step[0].start &&
	       !game_is_over(&tale.game)) {
		if (wait-- == 0) {
			if (compare((int)(seed % setup->seats)))
				return true;
			wait = 3;
		}
		tale_go_on(&tale);
	}
	return false;
}

Test(opinion, of_other_deals_are_the_same)
{
	static const char *const names[] = { "daumen-drauf", "daupun",
					     "doubles-dread", "durnius",
					     "toepen" };
	const unsigned long wanted = check_rounds(6, 100);
	const struct game_rules *rules;
	struct game_setup setup;
	unsigned long i, count, at;
	unsigned k, compared;

	for (k = 0; k < NELEM(names); k++) {
		rules = game_find(names[k]);
		count = settings_count(rules);
		compared = 0;
		for (i = 0; i < wanted; i++) {
			at = i * (count / wanted + 1) + i / 3;
			while (!settings_nth(rules, at % count, &setup))
				at++;
			compared += play_and_compare(&setup, i);
		}
		cr_expect_gt(compared, 1, "%s", names[k]);
	}
}

/* ---- the process ---------------------------------------------------------- */

/* A script in place of the program; the caller removes its path. */
static void
make_script(char path[64], const char *body)
{
	int fd;

	snprintf(path, 64, "%s/opinion-XXXXXX", getenv("TMPDIR"));
	fd = mkstemp(path);
	cr_assert_geq(fd, 0);
	cr_assert_gt(dprintf(fd, "#!/bin/sh\n%s\n", body), 0);
	cr_assert_eq(fchmod(fd, 0700), 0);
	cr_assert_eq(close(fd), 0);
}

static const char *
run_script(const char *body, unsigned ms, int stop)
{
	struct text input = { .max = SIZE_MAX }, output;
	char path[64];
	struct opinion_task task = { .program = path, .ms = ms, .stop = stop };
	int result;

	make_script(path, body);
	text_str(&input, "game\n");
	result = opinion_run(&task, &input, &output, &why);
	text_release(&output);
	text_release(&input);
	unlink(path);
	return result == 0 ? "" : why.text;
}

Test(opinion, a_process_that_is_wrong)
{
	int ends[2];

	cr_expect_str_eq(
		run_script("read line; test \"$line\" = game", LONG_MS, -1),
		"");
	cr_expect(
		strstr(run_script("echo oh; echo no >&2; exit 4", LONG_MS, -1),
		       "ended with status 4: `no`") != NULL,
		"%s", why.text);
	cr_expect(strstr(run_script("sleep 100 & sleep 100", 50, -1),
			 "took more than 50 ms and was killed") != NULL,
		  "%s", why.text);
	cr_expect(strstr(run_script("exec >/dev/null 2>&1; exec sleep 100", 50,
				    -1),
			 "took more than 50 ms and was killed") != NULL,
		  "%s", why.text);
	cr_expect(strstr(run_script("kill -9 $$", LONG_MS, -1),
			 "was killed: ") != NULL,
		  "%s", why.text);
	cr_expect(strstr(run_script("yes", LONG_MS, -1), "writes too much") !=
			  NULL,
		  "%s", why.text);
	cr_assert_eq(pipe(ends), 0);
	close(ends[1]);
	cr_expect(strstr(run_script("sleep 100", LONG_MS, ends[0]),
			 "was stopped") != NULL,
		  "%s", why.text);
	cr_expect(strstr(run_script("exec >/dev/null 2>&1; exec sleep 100",
				    LONG_MS, ends[0]),
			 "was stopped") != NULL,
		  "%s", why.text);
	close(ends[0]);
}

Test(opinion, a_program_that_is_not_there)
{
	struct text input = { .max = SIZE_MAX }, output;
	struct opinion_task task = { .program = "/no/program",
				     .ms = 1000,
				     .stop = -1 };

	text_str(&input, "game\n");
	cr_assert_eq(opinion_run(&task, &input, &output, &why), -1);
	cr_expect_str_eq(why.text, "cannot start /no/program: No such file or "
				   "directory");
	text_release(&output);
	text_release(&input);
}
