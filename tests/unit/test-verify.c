/* tests/unit/test-verify.c - records that hold hold, all others do not. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "protocol/record.h"
#include "referee/deal.h"
#include "referee/replay.h"
#include "referee/verify.h"
#include "tests/unit/leaks.h"
#include "tests/unit/mutation.h"
#include "tests/unit/random-record.h"

#define VECTORS SOURCE_DIR "/tests/vectors"

/* ---- files ------------------------------------------------------------- */

static void
load(const char *path, struct text *text)
{
	FILE *file = fopen(path, "rbe");
	char part[4096];
	size_t n;

	text_clear(text);
	cr_assert_not_null(file, "%s", path);
	while ((n = fread(part, 1, sizeof(part), file)) > 0)
		text_add(text, part, n);
	fclose(file);
}

static int
is_record(const struct dirent *entry)
{
	return strstr(entry->d_name, ".rec") != NULL;
}

/* Calls `check` for each vector with its name (without .rec) and text. */
static void
each_vector(void (*check)(const char *name, const struct text *text))
{
	struct text text = { .max = RECORD_BYTES };
	struct dirent **entry;
	int n = scandir(VECTORS, &entry, is_record, alphasort), i;
	char path[4096];

	cr_assert_geq(n, 15, "found %d vectors in " VECTORS, n);
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), VECTORS "/%s", entry[i]->d_name);
		load(path, &text);
		*strstr(entry[i]->d_name, ".rec") = '\0';
		check(entry[i]->d_name, &text);
		free(entry[i]);
	}
	free(entry);
	text_release(&text);
}

/* What is wrong with a text, as "LINE: expected …, found …", or "". */
static bool
holds(const char *bytes, size_t n, bool by_rules, struct verdict *verdict)
{
	char why[RECORD_WHY_BYTES];
	struct record *record;

	memset(verdict, 0, sizeof(*verdict));
	if (record_parse(bytes, n, &record, why) != 0) {
		verdict->line = (uint32_t)strtoul(why, NULL, 10);
		snprintf(verdict->expected, VERDICT_BYTES, "%s", why);
		return false;
	}
	verify_record(record, by_rules, NULL, verdict);
	record_free(record);
	return verdict->ok;
}

/* ---- vectors ----------------------------------------------------------- */

static void
check_holds(const char *name, const struct text *text)
{
	struct verdict verdict;
	bool sealed = memmem(text->bytes, text->used, "\nsecret ", 8) != NULL;

	cr_expect(holds(text->bytes, text->used, false, &verdict),
		  "%s:%u: expected %s, found %s", name, verdict.line,
		  verdict.expected, verdict.found);
	cr_expect_eq(verdict.sealed, sealed, "%s", name);
	cr_expect(holds(text->bytes, text->used, true, &verdict),
		  "%s by the rules:%u: expected %s, found %s", name,
		  verdict.line, verdict.expected, verdict.found);
	cr_expect_not(verdict.sealed, "%s", name);
}

Test(verify, vectors_hold, .timeout = 60)
{
	each_vector(check_holds);
	NO_LEAKS();
}

static void
check_view(const char *name, const struct replay *replay, int viewer)
{
	char path[4096], line[LINE_REFEREE_BYTES + 1];
	struct text expected = { .max = RECORD_BYTES };
	struct text found = { .max = RECORD_BYTES };
	unsigned i;

	if (viewer == VIEW_PUBLIC)
		snprintf(path, sizeof(path), VECTORS "/views/%s.public", name);
	else
		snprintf(path, sizeof(path), VECTORS "/views/%s.%d", name,
			 viewer);
	load(path, &expected);
	for (i = 0; i < replay->lines; i++) {
		if (!replay_visible(&replay->line[i], viewer))
			continue;
		cr_assert_geq(replay_text(&replay->line[i], viewer, line), 0);
		text_fmt(&found, "%s\n", line);
	}
	cr_expect_str_eq(text_string(&found), text_string(&expected), "%s",
			 path);
	text_release(&found);
	text_release(&expected);
}

static void
check_views(const char *name, const struct text *text)
{
	char why[RECORD_WHY_BYTES];
	struct record *record;
	struct replay replay;
	struct verdict verdict;
	int viewer;

	cr_assert_eq(record_parse(text->bytes, text->used, &record, why), 0);
	cr_assert_eq(replay_init(&replay, record, false, &verdict), 0);
	for (viewer = VIEW_PUBLIC; viewer < (int)record->seats; viewer++)
		check_view(name, &replay, viewer);
	replay_release(&replay);
	record_free(record);
}

Test(verify, views_are_those_stored, .timeout = 60)
{
	each_vector(check_views);
	NO_LEAKS();
}

/* The re-derived asks are those that the record has, as sets. */
static void
check_asks(const char *name, const struct text *text)
{
	char why[RECORD_WHY_BYTES];
	struct record *record;
	struct replay replay;
	struct verdict verdict;
	unsigned i, at = 0, asks = 0;

	cr_assert_eq(record_parse(text->bytes, text->used, &record, why), 0);
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

Test(verify, asks_are_worked_out_again, .timeout = 60)
{
	each_vector(check_asks);
	NO_LEAKS();
}

/* ---- mutations --------------------------------------------------------- */

struct tally {
	unsigned refused, harmless;
};

static void
try(const char *name, const struct sheet *sheet,
    const struct mutation *mutation, bool by_rules, struct tally *tally)
{
	static const char *const verb[] = { "deleted", "doubled", "swapped",
					    "replaced" };
	struct text text = { .max = RECORD_BYTES };
	struct verdict verdict;
	const char *line = sheet->line[mutation->at];

	sheet_mutate(sheet, mutation, &text);
	if (holds(text.bytes, text.used, by_rules, &verdict)) {
		tally->harmless++;
		cr_expect(sheet_harmless(sheet, mutation, verdict.sealed),
			  "%s:%u: `%s` %s (%s), and still it holds%s", name,
			  mutation->at + 1, line, verb[mutation->change],
			  mutation->line ? mutation->line : "",
			  verdict.sealed ? "" : " by the rules");
	} else {
		tally->refused++;
		/* Nothing is amiss before the place of the change, if it
		 * still reads as a record. */
		if (mutation->at >= sheet->body && verdict.found[0])
			cr_expect_gt(verdict.line, mutation->at,
				     "%s:%u: `%s` %s (%s): found in line %u: "
				     "expected %s, found %s",
				     name, mutation->at + 1, line,
				     verb[mutation->change],
				     mutation->line ? mutation->line : "",
				     verdict.line, verdict.expected,
				     verdict.found);
		cr_expect_leq(verdict.line, sheet->lines + 2, "%s", name);
		cr_expect_neq(verdict.line, 0, "%s", name);
	}
	text_release(&text);
}

static void
try_lines(const char *name, const struct text *text, bool by_rules)
{
	struct sheet sheet;
	struct mutation mutation = { 0 };
	struct tally tally = { 0 };
	int change;

	sheet_init(&sheet, text->bytes, text->used);
	for (mutation.at = 0; mutation.at < sheet.lines; mutation.at++) {
		for (change = CHANGE_DELETE; change <= CHANGE_SWAP; change++) {
			mutation.change = (enum change)change;
			if (change == CHANGE_SWAP &&
			    mutation.at + 1 == sheet.lines)
				continue;
			try(name, &sheet, &mutation, by_rules, &tally);
		}
	}
	cr_expect_gt(tally.refused, 9 * tally.harmless, "%s: %u and %u", name,
		     tally.refused, tally.harmless);
	sheet_release(&sheet);
}

static void
check_lines(const char *name, const struct text *text)
{
	try_lines(name, text, false);
	try_lines(name, text, true);
}

Test(verify, lines_deleted_doubled_swapped, .timeout = 300)
{
	each_vector(check_lines);
	NO_LEAKS();
}

/* Each byte of the record once becomes another one. */
static void
check_bytes(const char *name, const struct text *text)
{
	static const unsigned char seed[CHANCE_SEED_BYTES] = "bytes";
	struct mutation mutation = { .change = CHANGE_REPLACE };
	struct tally tally = { 0 };
	struct chance dice;
	struct sheet sheet;
	char *line;
	size_t i, n;

	chance_seed(&dice, seed);
	sheet_init(&sheet, text->bytes, text->used);
	for (mutation.at = 0; mutation.at < sheet.lines; mutation.at++) {
		line = strdup(sheet.line[mutation.at]);
		n = strlen(line);
		for (i = 0; i < n; i++) {
			/* Half of them stay close: another digit. */
			line[i] =
				(char)(chance_below(&dice, 2)
					       ? '0' + chance_below(&dice, 10)
					       : ' ' + chance_below(&dice, 95));
			mutation.line = line;
			try(name, &sheet, &mutation,
			    chance_below(&dice, 2) == 0, &tally);
			line[i] = sheet.line[mutation.at][i];
		}
		free(line);
	}
	cr_expect_gt(tally.refused, 0);
	sheet_release(&sheet);
}

Test(verify, bytes_changed, .timeout = 300)
{
	each_vector(check_bytes);
	NO_LEAKS();
}

/* A byte changed in comments changes nothing. */
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
	cr_expect(holds(noted.bytes, noted.used, false, &verdict));
	cr_expect(verdict.sealed);
	record_hash_text(plain.bytes, plain.used, hash[0]);
	record_hash_text(noted.bytes, noted.used, hash[1]);
	cr_expect_arr_eq(hash[0], hash[1], RECORD_HASH_BYTES);
	text_release(&plain);
	text_release(&noted);
	NO_LEAKS();
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
	{ "toepen-source", "ask 0 knock mulligan pass", "ask 0 knock pass", 16,
	  "`ask 0 pass knock mulligan`, in any order", "`ask 0 knock pass`" },
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
	{ "toepen-retired", "forfeit 3 illegal", "forfeit 3 timeout", 157,
	  "`forfeit 3 illegal`", "`forfeit 3 timeout`" },
	{ "toepen-retired", "faults 1\n", "", 155, "the end of the record",
	  "`forfeit 1 protocol`" },
	{ "toepen-retired", "move 3 fold", "fault 3 crash\nmove 3 fold", 24,
	  "no fault of seat 3, which was retired at fault number 1",
	  "`fault 3 crash`" },
	{ "toepen-sealed", "open priority", "open never", 11,
	  "`open priority` or `open arrival`", "`open never`" },
	{ "toepen-sealed", "faults 2", "faults 02", 12,
	  "`faults N`, N from 1 to 1000", "`faults 02`" },
	{ "toepen-sealed", "faults 2", "faults 2\nfaults 2", 13,
	  "one line `faults`", "`faults 2`" },
};

/* The text with the first `old` at the begin of a line made `new`. */
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
		load(path, &text);
		replace(&text, verdicts[i].old, verdicts[i].new, &to);
		cr_expect_not(holds(to.bytes, to.used, false, &verdict), "%s",
			      verdicts[i].new);
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
	NO_LEAKS();
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

	load(VECTORS "/toepen-sealed.rec", &text);
	for (i = 0; i < NELEM(keys); i++) {
		at = memmem(text.bytes, text.used, keys[i], strlen(keys[i]));
		cr_assert_not_null(at, "%s", keys[i]);
		at += strlen(keys[i]);
		kept = *at;
		*at = kept == '7' ? '8' : '7';
		cr_expect_not(holds(text.bytes, text.used, false, &verdict),
			      "%s", keys[i]);
		cr_expect(holds(text.bytes, text.used, true, &verdict),
			  "by the rules, %s: line %u", keys[i], verdict.line);
		*at = kept;
	}
	at = memmem(text.bytes, text.used, "commit ", 7);
	n = (size_t)((char *)memchr(at, '\n', 100) - at) + 1;
	text_add(&to, text.bytes, (size_t)(at - text.bytes));
	text_add(&to, at + n, text.used - (size_t)(at - text.bytes) - n);
	cr_expect_not(holds(to.bytes, to.used, false, &verdict),
		      "a secret without a commitment");
	text_release(&text);
	text_release(&to);
	NO_LEAKS();
}

/* ---- random records ---------------------------------------------------- */

static void
check_recipe(const struct record_recipe *recipe)
{
	struct text text = { .max = RECORD_BYTES };
	struct verdict verdict;
	bool ok;

	random_record(recipe, &text);
	ok = holds(text.bytes, text.used, false, &verdict);
	cr_expect(ok, "%s %u %s:%u: expected %s, found %s", recipe->game,
		  recipe->seats, recipe->seed, verdict.line, verdict.expected,
		  verdict.found);
	cr_expect_eq(verdict.sealed, !recipe->unsealed);
	ok = holds(text.bytes, text.used, true, &verdict);
	cr_expect(ok, "%s %u %s by the rules:%u: expected %s, found %s",
		  recipe->game, recipe->seats, recipe->seed, verdict.line,
		  verdict.expected, verdict.found);
	text_release(&text);
}

Test(verify, random_records_hold, .timeout = 300)
{
	static const struct {
		const char *game, *options;
		unsigned min, max;
	} games_played[] = { { "toepen", "points=4", 2, 8 },
			     { "daumen-drauf", "games=2", 2, 7 } };
	struct record_recipe recipe = { .seed = "" };
	char seed[16];
	unsigned i, kind;

	for (i = 0; i < NELEM(games_played); i++) {
		recipe.game = games_played[i].game;
		recipe.options = games_played[i].options;
		for (kind = 0; kind < 64; kind++) {
			snprintf(seed, sizeof(seed), "%u", kind);
			recipe.seed = seed;
			recipe.seats = games_played[i].min +
				       kind % (games_played[i].max -
					       games_played[i].min + 1);
			recipe.arrival = kind & 1;
			recipe.asks = kind & 2;
			recipe.faults = kind & 4 ? 1 + kind % 3 : 0;
			recipe.fault_rate = kind & 8 ? 4 : kind & 4 ? 15 : 0;
			recipe.unsealed = kind & 16;
			recipe.entropies = kind & 32 ? recipe.seats : 1;
			recipe.cut = kind % 7 == 0 ? 20 + 2 * kind : 0;
			check_recipe(&recipe);
		}
	}
	NO_LEAKS();
}

/* An aborted record may end after any of its lines. */
Test(verify, aborted_anywhere, .timeout = 120)
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
	NO_LEAKS();
}
