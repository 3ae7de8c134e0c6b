/* tests/unit/test-verify.c - valid records verify, all others do not. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "protocol/record.h"
#include "referee/records/replay.h"
#include "referee/records/verify.h"
#include "tests/unit/random-record.h"
#include "tests/unit/record-vectors.h"
#include "tests/unit/rounds.h"
#include "tests/unit/settings.h"

/* ---- vectors ----------------------------------------------------------- */

static void
check_holds(const char *name, const struct text *text)
{
	struct verdict verdict;
	bool sealed = memmem(text->bytes, text->used, "\nsecret ", 8) != NULL;

	cr_expect(record_holds(text->bytes, text->used, false, &verdict),
		  "%s:%u: expected %s, found %s", name, verdict.line,
		  verdict.expected, verdict.found);
	cr_expect_eq(verdict.sealed, sealed, "%s", name);
	cr_expect(record_holds(text->bytes, text->used, true, &verdict),
		  "%s by the rules:%u: expected %s, found %s", name,
		  verdict.line, verdict.expected, verdict.found);
	cr_expect_not(verdict.sealed, "%s", name);
}

Test(verify, vectors_hold)
{
	vectors_each(check_holds);
}

static void
check_view(const char *name, const struct replay *replay, int viewer)
{
	char path[4096], line[LINE_REFEREE_BYTES + 1];
	struct text expected = { .max = RECORD_BYTES };
	struct text found = { .max = RECORD_BYTES };
	const char *said;
	unsigned i;

	if (viewer == VIEW_PUBLIC)
		snprintf(path, sizeof(path), VECTORS "/views/%s.public", name);
	else
		snprintf(path, sizeof(path), VECTORS "/views/%s.%d", name,
			 viewer);
	vector_load(path, &expected);
	for (i = 0; i < replay->lines; i++) {
		if (!replay_visible(&replay->line[i], viewer))
			continue;
		cr_assert_geq(replay_text(&replay->line[i], viewer, line), 0);
		text_fmt(&found, "%s", line);
		said = replay_said(&replay->line[i], viewer);
		if (said != NULL)
			text_fmt(&found, " ; said %.*s",
				 (int)strcspn(said, " "), said);
		text_add(&found, "\n", 1);
	}
	cr_expect_str_eq(text_string(&found), text_string(&expected), "%s",
			 path);
	text_release(&found);
	text_release(&expected);
}

static void
check_views(const char *name, const struct text *text)
{
	struct error why;
	struct record *record;
	struct replay replay;
	struct verdict verdict;
	int viewer;

	cr_assert_eq(record_parse(text->bytes, text->used, &record, &why), 0);
	cr_assert_eq(replay_init(&replay, record, false, &verdict), 0);
	for (viewer = VIEW_PUBLIC; viewer < (int)record->seats; viewer++)
		check_view(name, &replay, viewer);
	replay_release(&replay);
	record_free(record);
}

Test(verify, views_are_those_stored)
{
	vectors_each(check_views);
}

/* Expects the re-derived asks to be those that the record has, as sets. */
static void
check_asks(const char *name, const struct text *text)
{
	struct error why;
	struct record *record;
	struct replay replay;
	struct verdict verdict;
	unsigned i, at = 0, asks = 0;

	cr_assert_eq(record_parse(text->bytes, text->used, &record, &why), 0);
	cr_assert_eq(replay_init(&replay, record, true, &verdict), 0);
	for (i = 0; i < replay.lines; i++) {
		if (replay.line[i].ask < 0)
			continue;
		asks++;
		while (at < record->bodies &&
		       strncmp(record->body[at].text, "ask ", 4) != 0)
			at++;
		if (at == record->bodies)
			continue;
		cr_expect_eq(replay.line[i].n, record->body[at].n, "%s:%u",
			     name, record->body[at].number);
		cr_expect_eq(
			strncmp(replay.line[i].text, record->body[at].text, 6),
			0, "%s:%u", name, record->body[at].number);
		at++;
	}
	cr_expect_gt(asks, 5, "%s has %u asks", name, asks);
	replay_release(&replay);
	record_free(record);
}

Test(verify, asks_are_worked_out_again)
{
	vectors_each(check_asks);
}

/* Comments do not change a record. */
Test(verify, comments_mean_nothing)
{
	struct text plain = { .max = RECORD_BYTES };
	struct text noted = { .max = RECORD_BYTES };
	struct record_recipe recipe = { .game = "toepen",
					.seats = 3,
					.options = "points=5",
					.seed = "comments",
					.asks = true };
	unsigned char hash[2][RECORD_HASH_BYTES];
	struct verdict verdict;

	random_record(&recipe, &plain);
	recipe.comments = true;
	random_record(&recipe, &noted);
	cr_expect_gt(noted.used, plain.used);
	cr_expect(record_holds(noted.bytes, noted.used, false, &verdict));
	cr_expect(verdict.sealed);
	record_hash_text(plain.bytes, plain.used, hash[0]);
	record_hash_text(noted.bytes, noted.used, hash[1]);
	cr_expect_arr_eq(hash[0], hash[1], RECORD_HASH_BYTES);
	text_release(&plain);
	text_release(&noted);
}

/* ---- exact words ------------------------------------------------------- */

/* One change of a vector and the whole verdict. */
static const struct {
	const char *vector, *old, *new; /* the first such line */
	uint32_t line;
	const char *expected, *found;
} verdicts[] = {
	{ "toepen-source", "game toepen", "game poker", 3,
	  "a game that this program has", "`game poker`" },
	{ "toepen-source", "seats 4", "seats 1", 7, NULL, NULL },
	{ "toepen-source", "option points 4", "option points 100", 5,
	  "a valid option (option points must be an integer from 1 to 99)",
	  "`option points 100`" },
	{ "toepen-source", "option points 4", "option point 4", 5,
	  "`option points VALUE`", "`option point 4`" },
	{ "toepen-source", "option points 4", "option points 5", 73, NULL,
	  NULL },
	{ "toepen-source", "deal 2 {KD JS 9S AC}2", "deal 2 {KD JS 9S QC}2", 13,
	  "a line `deal` whose word number 6 can still be drawn",
	  "`deal 2 {KD JS 9S QC}2`" },
	{ "toepen-source", "deal 2 {KD JS 9S AC}2", "deal 2 {KD JS 9S XX}2", 13,
	  "a line `deal` whose word number 6 can still be drawn",
	  "`deal 2 {KD JS 9S XX}2`" },
	{ "toepen-source", "deal 2 {KD JS 9S AC}2", "deal 2 {KD JS 9S AC}1", 13,
	  "`deal 2 {KD JS 9S AC}2`", "`deal 2 {KD JS 9S AC}1`" },
	{ "toepen-source", "ask 0 pass knock mulligan", "ask 0 pass knock", 16,
	  "`ask 0 pass knock mulligan`, in any order from the second move on",
	  "`ask 0 pass knock`" },
	{ "toepen-source", "ask 0 pass knock mulligan",
	  "ask 0 knock pass mulligan", 16,
	  "`ask 0 pass knock mulligan`, in any order from the second move on",
	  "`ask 0 knock pass mulligan`" },
	{ "toepen-source", "move 3 mulligan", "move 3 fold", 20,
	  "a legal move of seat 3, one of pass knock mulligan",
	  "`move 3 fold`" },
	{ "toepen-source", "move 3 mulligan", "move 3 pass", 20,
	  "no `pass` in an open decision", "`move 3 pass`" },
	{ "toepen-source", "move 3 mulligan", "move 4 mulligan", 20,
	  "`move SEAT TOKEN`", "`move 4 mulligan`" },
	{ "toepen-source", "move 3 mulligan", "quiet", 20,
	  "a `move` of a seat that is asked here", "`quiet`" },
	{ "toepen-source", "stake 2", "stake 3", 33, "`stake 2`", "`stake 3`" },
	{ "toepen-source", "result 3 4 4", "result 3 3 4", 126,
	  "`result 3 4 4`", "`result 3 3 4`" },
	{ "toepen-challenge", "move 1 play:JH", "move 1 play:QH", 34,
	  "the house move of seat 1, `move 1 play:JH`", "`move 1 play:QH`" },
	{ "toepen-challenge", "fault 1 timeout", "fault 3 timeout", 33,
	  "`fault SEAT WHY`", "`fault 3 timeout`" },
	{ "toepen-challenge", "fault 1 timeout", "fault 0 timeout", 33,
	  "a fault of a seat that is asked here", "`fault 0 timeout`" },
	{ "toepen-challenge", "fault 1 timeout", "fault 1 boredom", 33,
	  "a fault that is `timeout`, `illegal`, `protocol` or `crash`",
	  "`fault 1 boredom`" },
	{ "toepen-challenge", "result 2 2 2", "result 2 2 2\nforfeit 1 timeout",
	  55, "the end of the record", "`forfeit 1 timeout`" },
	{ "toepen-challenge", "result 2 2 2\n", "", 54, "`result 2 2 2`",
	  "the end of the record" },
	{ "toepen-retired", "forfeit 3 protocol", "forfeit 3 timeout", 154,
	  "`forfeit 3 protocol`", "`forfeit 3 timeout`" },
	{ "toepen-retired", "faults 1\n", "", 152, "the end of the record",
	  "`forfeit 2 protocol`" },
	{ "toepen-retired", "move 3 fold", "fault 3 crash\nmove 3 fold", 29,
	  "no fault of seat 3, which was retired at fault number 1",
	  "`fault 3 crash`" },
	{ "toepen-sealed", "open priority", "open never", 11,
	  "`open WORD`, WORD `priority` or `arrival`", "`open never`" },
	{ "toepen-sealed", "faults 2", "faults 02", 12,
	  "`faults N`, N from 1 to 1000", "`faults 02`" },
	{ "toepen-sealed", "faults 2", "faults 2\nfaults 2", 13,
	  "one line `faults`", "`faults 2`" },
	{ "toepen-sealed", "faults 2", "total 9\nfaults 2\ntotal 9", 14,
	  "one line `total`", "`total 9`" },
	{ "toepen-sealed", "faults 2", "faults 2\nserial 7\nserial 7", 14,
	  "one line `serial`", "`serial 7`" },
	{ "toepen-sealed", "faults 2", "faults 2\nserial 7", 13,
	  "a line `ladder`, too, where there is this one", "`serial 7`" },
	{ "toepen-sealed", "faults 2", "faults 2\nrules 9", 13,
	  "`rules 1`, the only ones of toepen that this program can prove",
	  "`rules 9`" },
	{ "toepen-sealed", "faults 2", "faults 2\nbroken 7 crash", 13,
	  "for each seat at most one line `broken SEAT WORD`, WORD `crash` or "
	  "`protocol`",
	  "`broken 7 crash`" },
	{ "toepen-sealed", "faults 2", "faults 2\nended today", 13,
	  "`ended YYYY-MM-DDTHH:MM:SSZ`", "`ended today`" },
	{ "toepen-sealed", "faults 2", "faults 2\nseeded\nseeded", 14,
	  "one line `seeded`", "`seeded`" },
	{ "toepen-sealed", "secret ", "kept ", 18,
	  "a line `secret`, too, where there is a `commit`",
	  "the end of the header" },
};

/* Writes the text with the first `old` at the beginning of a line made `new`. */
static void
replace(const struct text *text, const char *old, const char *new,
	struct text *to)
{
	char lines[512];
	const char *at;
	size_t before;

	snprintf(lines, sizeof(lines), "\n%s", old);
	at = memmem(text->bytes, text->used, lines, strlen(lines));
	cr_assert_not_null(at, "%s", old);
	before = (size_t)(at + 1 - text->bytes);
	text_clear(to);
	text_add(to, text->bytes, before);
	text_str(to, new);
	before += strlen(old);
	text_add(to, text->bytes + before, text->used - before);
}

Test(verify, verdicts_name_line_and_both_sides)
{
	struct text text = { .max = RECORD_BYTES }, to = text;
	struct verdict verdict;
	char path[4096];
	size_t i;

	for (i = 0; i < NELEM(verdicts); i++) {
		snprintf(path, sizeof(path), VECTORS "/%s.rec",
			 verdicts[i].vector);
		vector_load(path, &text);
		replace(&text, verdicts[i].old, verdicts[i].new, &to);
		cr_expect_not(record_holds(to.bytes, to.used, false, &verdict),
			      "%s", verdicts[i].new);
		cr_expect_eq(verdict.line, verdicts[i].line,
			     "%s, %s: line %u: expected %s, found %s",
			     verdicts[i].vector, verdicts[i].new, verdict.line,
			     verdict.expected, verdict.found);
		if (!verdicts[i].expected)
			continue;
		cr_expect_str_eq(verdict.expected, verdicts[i].expected,
				 "%s, %s: %s", verdicts[i].vector,
				 verdicts[i].new, verdict.expected);
		cr_expect_str_eq(verdict.found, verdicts[i].found, "%s, %s: %s",
				 verdicts[i].vector, verdicts[i].new,
				 verdict.found);
	}
	text_release(&text);
	text_release(&to);
}

/* ---- the seal ---------------------------------------------------------- */

/* Each part that the seal binds, changed alone. */
Test(verify, seal_binds_its_parts)
{
	static const char *const keys[] = { "id ", "commit ", "entropy 2 ",
					    "entropy 4 ", "secret " };
	struct text text = { .max = RECORD_BYTES }, to = text;
	struct verdict verdict;
	size_t i, n;
	char *at, kept;

	vector_load(VECTORS "/toepen-sealed.rec", &text);
	for (i = 0; i < NELEM(keys); i++) {
		at = memmem(text.bytes, text.used, keys[i], strlen(keys[i]));
		cr_assert_not_null(at, "%s", keys[i]);
		at += strlen(keys[i]);
		kept = *at;
		*at = kept == '7' ? '8' : '7';
		cr_expect_not(
			record_holds(text.bytes, text.used, false, &verdict),
			"%s", keys[i]);
		cr_expect(record_holds(text.bytes, text.used, true, &verdict),
			  "by the rules, %s: line %u", keys[i], verdict.line);
		*at = kept;
	}
	at = memmem(text.bytes, text.used, "commit ", 7);
	n = (size_t)((char *)memchr(at, '\n', 100) - at) + 1;
	text_add(&to, text.bytes, (size_t)(at - text.bytes));
	text_add(&to, at + n, text.used - (size_t)(at - text.bytes) - n);
	cr_expect_not(record_holds(to.bytes, to.used, false, &verdict),
		      "a secret without a commitment");
	text_release(&text);
	text_release(&to);
}

/* ---- random records ---------------------------------------------------- */

static void
check_recipe(const struct record_recipe *recipe)
{
	struct text text = { .max = RECORD_BYTES };
	struct verdict verdict;
	bool ok;

	random_record(recipe, &text);
	ok = record_holds(text.bytes, text.used, false, &verdict);
	cr_expect(ok, "%s %u %s:%u: expected %s, found %s", recipe->game,
		  recipe->seats, recipe->seed, verdict.line, verdict.expected,
		  verdict.found);
	cr_expect_eq(verdict.sealed, !recipe->unsealed);
	ok = record_holds(text.bytes, text.used, true, &verdict);
	cr_expect(ok, "%s %u %s by the rules:%u: expected %s, found %s",
		  recipe->game, recipe->seats, recipe->seed, verdict.line,
		  verdict.expected, verdict.found);
	text_release(&text);
}

static void
add_line(struct text *to, const struct record_line *line)
{
	text_add(to, line->text, line->n);
	if (line->comment)
		text_fmt(to, " ;%s", line->comment);
	text_str(to, "\n");
}

/* Expects the parsed lines to give the text again, byte for byte. (Verifying
 * shows that the game writes the same lines.) */
static void
check_written_again(const struct text *text)
{
	struct text again = { .max = RECORD_BYTES };
	struct error why;
	struct record *record;
	unsigned i;

	cr_assert_eq(record_parse(text->bytes, text->used, &record, &why), 0);
	for (i = 0; i < record->headers; i++)
		add_line(&again, &record->header[i]);
	text_str(&again, "\n");
	for (i = 0; i < record->bodies; i++)
		add_line(&again, &record->body[i]);
	cr_assert_eq(again.used, text->used);
	cr_assert_eq(memcmp(again.bytes, text->bytes, text->used), 0);
	record_free(record);
	text_release(&again);
}

static void
check_setting(const struct game_setup *setup, unsigned long n)
{
	char options[SETTINGS_TEXT], seed[24];
	struct text text = { .max = RECORD_BYTES };
	unsigned kind = (unsigned)(n * 2654435761u >> 16 & 0xff);
	struct record_recipe recipe = {
		.game = setup->rules->name,
		.seats = setup->seats,
		.options = options,
		.seed = seed,
		.asks = kind & 1,
		.arrival = kind & 2,
		.comments = kind & 4,
		.unsealed = (kind & 24) == 24,
		.entropies = kind & 32 ? setup->seats : 0,
		.faults = kind & 64 ? 1 + kind % 3 : 0,
		.fault_rate = kind & 128 ? 20 : 0,
	};

	settings_text(setup, options);
	snprintf(seed, sizeof(seed), "%lu", n);
	check_recipe(&recipe);
	random_record(&recipe, &text);
	check_written_again(&text);
	text_release(&text);
}

/* Checks some settings of a game, a prime number apart so that all values and seats
 * come up; in the long form all. */
static void
check_settings(const struct game_rules *rules)
{
	unsigned long count = settings_count(rules), n, step;
	struct game_setup setup;

	step = check_rounds(rules == &game_durnius ? 257 : 29, 1);
	if (count < 50)
		step = 1;
	for (n = 0; n < count; n += step)
		if (settings_nth(rules, n, &setup))
			check_setting(&setup, n);
}

Test(verify, random_records_of_every_setting)
{
	unsigned i;

	for (i = 0; games[i]; i++)
		check_settings(games[i]);
}

/* An aborted record may end after any of its lines; the retired seats follow. */
Test(verify, aborted_anywhere)
{
	struct record_recipe recipe = { .game = "toepen",
					.seats = 3,
					.options = "points=3",
					.seed = "cut",
					.asks = true,
					.faults = 2,
					.fault_rate = 4 };

	for (recipe.cut = 1; recipe.cut < 120; recipe.cut++)
		check_recipe(&recipe);
}
