/* tests/unit/test-frames-views.c - frames of a view show only what its lines
 * say.
 *
 * The proof of secrecy: two records in which a viewer reads the same lines have
 * the same frames for it, byte for byte.  One is a record of tests/vectors, the
 * other the same with everything changed that the viewer does not see; or one
 * is a random game, the other one of its rounds from another deal.  In both
 * cases frames of the full lines differ, so the comparison can fail. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "referee/frames/frame-model.h"
#include "referee/records/replay-frames.h"
#include "tests/unit/frame-wrong.h"
#include "tests/unit/random-record.h"
#include "tests/unit/record-vectors.h"
#include "tests/unit/retell.h"
#include "tests/unit/rounds.h"
#include "tests/unit/settings.h"

/* ---- a record and its frames ---------------------------------------------- */

struct view {
	struct record *record;
	struct replay replay;
	struct frame frame;
	char text[LINE_REFEREE_BYTES + 1];
	ssize_t n; /* bytes of text */
};

static struct view one, two;

static void
open_view(struct view *view, const struct text *text, bool asks)
{
	struct verdict verdict;
	struct error why;

	cr_assert_eq(record_parse(text->bytes, text->used, &view->record, &why),
		     0, "%s", why.text);
	cr_assert_eq(replay_init(&view->replay, view->record, asks, &verdict),
		     0, "%u: expected %s, found %s", verdict.line,
		     verdict.expected, verdict.found);
	replay_frame_begin(&view->replay, &view->frame);
}

static void
close_view(struct view *view)
{
	replay_release(&view->replay);
	record_free(view->record);
}

/* Makes the frame of line `i`, from the view of `reads`. */
static void
next_frame(struct view *view, unsigned i, int reads)
{
	view->n = replay_text(&view->replay.line[i], reads, view->text);
	cr_assert_geq(view->n, 0);
	frame_next(&view->frame, view->text, (size_t)view->n);
}

static bool
same_frame(const struct frame *a, const struct frame *b)
{
	return a->number == b->number && a->marks == b->marks &&
	       a->seat == b->seat && a->raw == b->raw && a->round == b->round &&
	       memcmp(a->sentence, b->sentence, sizeof(a->sentence)) == 0 &&
	       memcmp(&a->table, &b->table, sizeof(a->table)) == 0;
}

/* Returns true if a viewer's frames of both records are the same when they are
 * made of the view of `reads`.  Otherwise `*at` is the line where they differ. */
static bool
same_frames(const struct text *a, const struct text *b, int viewer, int reads,
	    unsigned *at)
{
	bool same = true;
	unsigned i;

	open_view(&one, a, false);
	open_view(&two, b, false);
	cr_assert_eq(one.replay.lines, two.replay.lines);
	for (i = 0; i < one.replay.lines && same; i++) {
		if (!replay_visible(&one.replay.line[i], viewer))
			continue;
		next_frame(&one, i, reads);
		next_frame(&two, i, reads);
		same = same_frame(&one.frame, &two.frame);
		*at = i;
	}
	close_view(&one);
	close_view(&two);
	return same;
}

/* ---- what the viewer does not see, changed --------------------------------
 */

static bool
sees(const char *digits, int viewer)
{
	for (; *digits >= '0' && *digits <= '9'; digits++)
		if (*digits - '0' == viewer)
			return true;
	return false;
}

/* Changes everything in braces that the viewer does not see. */
static unsigned
change_marks(char *line, char *end, int viewer)
{
	unsigned changed = 0;
	char *open, *close, *at;

	for (open = line; open < end; open = close) {
		open = memchr(open, '{', (size_t)(end - open));
		if (open == NULL)
			break;
		close = memchr(open, '}', (size_t)(end - open));
		cr_assert_not_null(close);
		if (sees(close + 1, viewer))
			continue;
		for (at = open + 1; at < close; at++)
			if (*at != ' ')
				*at = *at == '7' ? 'x' : '7';
		changed++;
	}
	return changed;
}

/* Changes the secret, and the marks of each line; comments as well. */
static unsigned
change_hidden(struct text *text, int viewer)
{
	char *line, *end = text->bytes, *last = text->bytes + text->used;
	unsigned changed = 0;

	for (line = text->bytes; line < last; line = end + 1) {
		end = memchr(line, '\n', (size_t)(last - line));
		if (strncmp(line, "secret ", 7) == 0)
			line[7] = line[7] == '0' ? '1' : '0';
		changed += change_marks(line, end, viewer);
	}
	return changed;
}

static unsigned
seats_of(const struct text *text)
{
	unsigned seats;

	open_view(&one, text, false);
	seats = one.record->seats;
	close_view(&one);
	return seats;
}

static unsigned long vectors_changed, vectors_differ;

static void
check_vector(const char *name, const struct text *text)
{
	struct text other = { .max = RECORD_BYTES };
	const unsigned seats = seats_of(text);
	unsigned at = 0, changed;
	int viewer;

	for (viewer = VIEW_PUBLIC; viewer < (int)seats; viewer++) {
		text_clear(&other);
		text_add(&other, text->bytes, text->used);
		changed = change_hidden(&other, viewer);
		cr_expect(same_frames(text, &other, viewer, viewer, &at),
			  "%s: frame %u of view %d shows what it must not",
			  name, at, viewer);
		vectors_changed += changed > 0;
		vectors_differ +=
			changed > 0 &&
			!same_frames(text, &other, viewer, VIEW_ALL, &at);
	}
	text_release(&other);
}

Test(frames_views, vectors_changed_where_the_viewer_does_not_see)
{
	vectors_each(check_vector);
	cr_expect_gt(vectors_changed, 100);
	cr_expect_eq(vectors_differ, vectors_changed,
		     "of full lines all of them differ");
}

/* ---- random games, and other deals ---------------------------------------- */

static struct tale tale;
static unsigned long games_played, looks, differ;

static void
write_record(const struct tale *from, const char *lines, size_t n,
	     struct text *to)
{
	const struct game_setup *setup = &from->game.setup;
	char value[16];
	unsigned i;

	text_fmt(to, "record 1\nid x\ngame %s\nseats %u\n", setup->rules->name,
		 setup->seats);
	for (i = 0; setup->rules->options[i].name; i++) {
		game_setup_value(setup, i, value);
		text_fmt(to, "option %s %s\n", setup->rules->options[i].name,
			 value);
	}
	for (i = 0; i < setup->seats; i++)
		text_fmt(to, "bot %u bot\n", i);
	text_str(to, "\n");
	text_add(to, lines, n);
}

/* Checks that the viewer cannot tell the true round from one of another deal. */
static void
look(int viewer)
{
	static struct game other;
	struct text truth = { .max = RECORD_BYTES };
	struct text untruth = { .max = RECORD_BYTES };
	struct text lines = { .max = RECORD_BYTES };
	unsigned char seed[DRAWS_SEED_BYTES] = { 7 };
	char options[SETTINGS_TEXT];
	struct draws draws;
	const char *why;
	unsigned at = 0;

	seed[1] = (unsigned char)dice_below(&tale.dice, 256);
	draws_seed(&draws, seed);
	other = tale.game;
	game_resample(&other, viewer, &draws);
	why = retell_lines(&tale, &other, viewer, &lines);
	settings_text(&tale.game.setup, options);
	cr_assert_null(why, "%s, %u seats, %s, viewer %d: %s",
		       tale.game.setup.rules->name, tale.game.setup.seats,
		       options, viewer, why);
	write_record(&tale, tale.text, tale.used, &truth);
	write_record(&tale, lines.bytes, lines.used, &untruth);
	looks++;
	cr_assert(same_frames(&truth, &untruth, viewer, viewer, &at),
		  "%s: line %u shows view %d what it must not",
		  tale.game.setup.rules->name, at, viewer);
	differ += !same_frames(&truth, &untruth, viewer, VIEW_ALL, &at);
	text_release(&truth);
	text_release(&untruth);
	text_release(&lines);
}

static void
play_and_look(const struct game_setup *setup, uint64_t seed)
{
	unsigned left = 3;
	int viewer;

	tale.forced = (unsigned)seed % 4 * 5;
	tale.quiet = (unsigned)seed % 10;
	tale_begin(&tale, setup, seed);
	games_played++;
	for (; !game_is_over(&tale.game) && left > 0; tale_go_on(&tale)) {
		if (tale.too_long || dice_below(&tale.dice, 6) > 0)
			continue;
		for (viewer = VIEW_PUBLIC; viewer < setup->seats; viewer++)
			look(viewer);
		left--;
	}
}

/* Plays settings from all over the game's. */
static void
play_settings(const struct game_rules *rules, unsigned long wanted)
{
	const unsigned long count = settings_count(rules);
	struct game_setup setup;
	unsigned long i, at;

	looks = differ = 0;
	for (i = 0; i < wanted; i++) {
		at = i * (count / wanted + 1) + i / 3;
		while (!settings_nth(rules, at % count, &setup))
			at++;
		play_and_look(&setup, i);
	}
	printf("# %s: %lu other deals, %lu differ in full\n", rules->name,
	       looks, differ);
	cr_expect_gt(differ, 0, "%s", rules->name);
}

Test(frames_views, other_deals)
{
	static const char *const names[] = { "daumen-drauf", "daupun",
					     "doubles-dread", "durnius",
					     "toepen" };
	unsigned i;

	for (i = 0; i < NELEM(names); i++)
		play_settings(game_find(names[i]), check_rounds(12, 200));
	cr_expect_geq(games_played, check_rounds(60, 1000));
}

/* ---- frames of any lines ------------------------------------------------ */

/* Checks any line: some frames are kept, and others are made from them. */
static void
check_any_line(const struct replay *replay, int viewer)
{
	static struct frame frame, at;
	struct replay_frames frames;
	int last = -1;
	unsigned i;

	replay_frames_init(&frames, replay, viewer);
	replay_frame_begin(replay, &frame);
	for (i = 0; i < replay->lines; i++) {
		replay_frames_take(&frames, i, &frame);
		if (i % 16 == 0 || (i + 1) % frames.spacing < 3) {
			replay_frames_at(&frames, i, &at);
			cr_assert(same_frame(&frame, &at), "line %u", i);
		}
		if (!replay_visible(&replay->line[i], viewer))
			continue;
		cr_assert_eq(replay_frames_find(&frames, last, 1, 0), (int)i);
		cr_assert_eq(replay_frames_find(&frames, (int)i, -1, 0), last);
		last = (int)i;
	}
	cr_assert_eq(replay_frames_find(&frames, last, 1, 0), -1);
	replay_frames_release(&frames);
}

static void
check_jumps(const struct replay *replay)
{
	struct replay_frames frames;
	int at = -1, rounds = 0, back;

	replay_frames_init(&frames, replay, VIEW_PUBLIC);
	while ((at = replay_frames_find(&frames, at, 1, MARK_ROUND)) >= 0) {
		cr_assert_eq(strncmp(replay->line[at].text, "round ", 6), 0);
		back = replay_frames_find(&frames, at + 1, -1, MARK_ROUND);
		cr_assert_eq(back, at);
		rounds++;
	}
	cr_assert_eq(rounds, 5);
	replay_frames_release(&frames);
}

Test(frames_views, of_any_line)
{
	const struct record_recipe recipe = { .game = "durnius",
					      .seats = 3,
					      .options = "games=5",
					      .seed = "frames",
					      .asks = true };
	struct text text = { .max = RECORD_BYTES };

	random_record(&recipe, &text);
	open_view(&one, &text, true);
	cr_assert_gt(one.replay.lines, 1000);
	check_any_line(&one.replay, VIEW_ALL);
	check_any_line(&one.replay, 2);
	check_jumps(&one.replay);
	close_view(&one);
	text_release(&text);
}

/* ---- every line has a sentence -------------------------------------------- */

static unsigned long sentences, unknown_games;

/* Returns true if the sentence ends with a full stop and has no machine text. */
static bool
is_sentence(const struct frame *frame)
{
	static const char *const wrong[] = {
		"{", "}", "?", "=", "_", "  ", " .", " ,", "hidden", "(s)"
	};
	const char *text = frame->sentence;
	const size_t n = strlen(text);
	size_t i;

	for (i = 0; i < NELEM(wrong); i++)
		if (strstr(text, wrong[i]) != NULL)
			return false;
	return !frame->raw && n > 10 && n < FRAME_SENTENCE - 1 &&
	       text[n - 1] == '.' && strncmp(text, "no seat", 7) != 0;
}

static void
check_sentences(const char *name, const struct text *text)
{
	const unsigned seats = seats_of(text);
	int viewer;
	unsigned i;

	for (viewer = VIEW_ALL; viewer < (int)seats; viewer++) {
		open_view(&one, text, true);
		if (one.frame.game == &frame_any_game)
			unknown_games++;
		for (i = 0;
		     i < one.replay.lines && one.frame.game != &frame_any_game;
		     i++) {
			if (!replay_visible(&one.replay.line[i], viewer))
				continue;
			next_frame(&one, i, viewer);
			cr_expect(is_sentence(&one.frame), "%s: `%s` is `%s`",
				  name, one.text, one.frame.sentence);
			sentences++;
		}
		close_view(&one);
	}
}

Test(frames_views, every_line_of_the_vectors_has_a_sentence)
{
	vectors_each(check_sentences);
	printf("# %lu sentences; %lu views of games without a model\n",
	       sentences, unknown_games);
	cr_expect_gt(sentences, 5000);
}

/* ---- any lines, in any order ---------------------------------------------- */

#define POOL_MAX 65536

static struct {
	char *line;
	size_t n;
} pool[POOL_MAX];
static size_t pooled;
static struct dice dice;

/* Adds the body's lines with their marks and without, of all games. */
static void
add_pool(const char *name, const struct text *text)
{
	unsigned i;

	open_view(&one, text, strstr(name, "aborted") == NULL);
	for (i = 0; i < one.replay.lines && pooled < POOL_MAX; i++) {
		next_frame(&one, i, (int)(i % 4) + VIEW_ALL);
		pool[pooled].line =
			copied(i % 5 == 0 ? one.replay.line[i].text : one.text);
		pool[pooled].n = strlen(pool[pooled].line);
		pooled++;
	}
	close_view(&one);
}

/* Returns a line of the pool, whole or with other bytes; perhaps only a part. */
static size_t
any_line(char to[LINE_REFEREE_BYTES])
{
	const size_t which = dice_below(&dice, (unsigned)pooled);
	size_t n = pool[which].n;
	unsigned i,
		changes = dice_below(&dice, 3) == 0 ? dice_below(&dice, 6) : 0;

	memcpy(to, pool[which].line, n);
	for (i = 0; i < changes && n > 0; i++)
		to[dice_below(&dice, (unsigned)n)] =
			(char)(dice_below(&dice, 4) == 0
				       ? dice_below(&dice, 256)
				       : (unsigned char)" :0179?TH"[dice_below(
						 &dice, 9)]);
	if (dice_below(&dice, 16) == 0)
		n = dice_below(&dice, (unsigned)n + 1);
	return n;
}

static void
feed(const char *game, unsigned seats, unsigned long lines)
{
	static struct frame frame, first;
	const struct frame_setup setup = { .game = game, .seats = seats };
	char line[LINE_REFEREE_BYTES];
	const char *why;

	frame_begin(&frame, &setup);
	first = frame;
	while (lines-- > 0) {
		frame_next(&frame, line, any_line(line));
		why = frame_wrong(&frame, &first);
		cr_assert_null(why, "%s, %u seats, after `%s`: %s", game, seats,
			       frame.sentence, why);
	}
}

Test(frames_views, any_lines_in_any_order)
{
	static const char *const names[] = { "daumen-drauf",  "daupun",
					     "doubles-dread", "durnius",
					     "toepen",	      "" };
	const unsigned long lines = check_rounds(1500, 20000);
	unsigned i;

	dice.state = 5;
	vectors_each(add_pool);
	cr_assert_gt(pooled, 1000);
	for (i = 0; i < NELEM(names); i++) {
		feed(names[i], 2, lines);
		feed(names[i], 8, lines);
		feed(names[i], 1, lines / 8);
		feed(names[i], 0, 10);
	}
	while (pooled > 0)
		free(pool[--pooled].line);
}
