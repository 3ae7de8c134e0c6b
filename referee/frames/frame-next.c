/* referee/frames/frame-next.c - takes a line, finds the row that knows it, and
 * says it. */
#include "referee/frames/frame.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "protocol/ascii.h"
#include "protocol/message.h"
#include "protocol/text.h"
#include "referee/frames/frame-model.h"

#define MODEL(name) extern const struct frame_game frame_##name;
#include "referee/frames/list.h"
#undef MODEL

static const struct frame_game *const models[] = {
#define MODEL(name) &frame_##name,
#include "referee/frames/list.h"
#undef MODEL
};

/* ---- the beginning -------------------------------------------------------- */

static const struct frame_game *
find_model(const char *name)
{
	for (size_t i = 0; i < NELEM(models); i++)
		if (strcmp(models[i]->name, name) == 0)
			return models[i];
	return &frame_any_game;
}

static bool
is_shared(const struct frame_setup *setup, unsigned seats, unsigned seat)
{
	for (unsigned i = 0; i < seats; i++)
		if (i != seat && setup->name[i] != NULL &&
		    strcmp(setup->name[i], setup->name[seat]) == 0)
			return true;
	return false;
}

/* Makes names unique: a bot may sit on several seats.  No name has a bracket. */
static void
set_name(struct frame *frame, const struct frame_setup *setup, unsigned seat)
{
	char *name = frame->table.seat[seat].name;

	if (setup->name[seat] == NULL)
		snprintf(name, FRAME_NAME, "seat %u", seat);
	else if (is_shared(setup, frame->table.seats, seat))
		snprintf(name, FRAME_NAME, "%.*s(%u)", NAME_BYTES,
			 setup->name[seat], seat);
	else
		snprintf(name, FRAME_NAME, "%.*s", NAME_BYTES,
			 setup->name[seat]);
}

void
frame_begin(struct frame *frame, const struct frame_setup *setup)
{
	memset(frame, 0, sizeof(*frame));
	frame->seat = -1;
	frame->game = find_model(setup->game);
	frame->table.kind = (uint8_t)frame->game->kind;
	frame_text(frame->table.unit, sizeof(frame->table.unit), "%s",
		   frame->game->unit != NULL ? frame->game->unit : "point");
	frame->table.seats =
		(uint8_t)(setup->seats < SEATS_MAX ? setup->seats : SEATS_MAX);
	for (unsigned seat = 0; seat < frame->table.seats; seat++)
		set_name(frame, setup, seat);
	frame->game->begin(frame, setup);
}

const char *
frame_option(const struct frame_setup *setup, const char *name)
{
	for (unsigned i = 0; i < setup->options; i++)
		if (strcmp(setup->option[i].name, name) == 0)
			return setup->option[i].value;
	return NULL;
}

int32_t
frame_option_number(const struct frame_setup *setup, const char *name,
		    int32_t otherwise)
{
	const char *value = frame_option(setup, name);
	uint64_t number;

	if (value == NULL ||
	    message_number(value, strlen(value), INT32_MAX, &number) != 0)
		return otherwise;
	return (int32_t)number;
}

/* ---- the sentence --------------------------------------------------------- */

void
frame_say(struct frame *frame, const char *fmt, ...)
{
	const size_t used = strlen(frame->sentence);
	va_list ap;

	va_start(ap, fmt);
	if (vsnprintf(frame->sentence + used, FRAME_SENTENCE - used, fmt, ap) <
	    0)
		frame->sentence[used] = '\0';
	va_end(ap);
}

/* ---- what a line of any game says ----------------------------------------- */

static void
tell_fault(struct frame *frame, const struct frame_line *line)
{
	static const struct {
		const char *why, *words;
	} reasons[] = {
		{ "timeout", "S does not answer in time" },
		{ "illegal", "S answers with a move that is not allowed" },
		{ "protocol", "S breaks the protocol" },
		{ "crash",
		  "S is lost: its program or its connection has ended" },
	};
	size_t i;

	frame->table.seat[line->seat[0]].faults++;
	for (i = 0; i < NELEM(reasons); i++)
		if (strcmp(line->word[0], reasons[i].why) == 0)
			break;
	frame_tell(frame, line,
		   i < NELEM(reasons) ? reasons[i].words
				      : "S makes a fault (W)");
	frame_say(frame, ", so the referee makes the house move.");
}

static void
tell_forfeit(struct frame *frame, const struct frame_line *line)
{
	frame_flag(frame, line->seat[0], SEAT_RETIRED);
}

/* The winner of the last round may have lost the game. */
static void
flag_winners(struct frame *frame)
{
	frame_flag_only(frame, -1, SEAT_WINNER | SEAT_LOSER);
	for (unsigned seat = 0; seat < frame->table.seats; seat++)
		if (frame->table.seat[seat].place == 1)
			frame_flag(frame, (int)seat, SEAT_WINNER);
}

static void
tell_result(struct frame *frame, const struct frame_line *line)
{
	static const char *const ordinal[] = { "first",	  "second", "third",
					       "fourth",  "fifth",  "sixth",
					       "seventh", "eighth" };
	const int32_t place = line->number[0];
	char points[FRAME_WORD + 16];

	frame_points(frame, line->seat[0], line->number[1]);
	frame_flag_only(frame, -1, SEAT_TURN);
	snprintf(points, sizeof(points), " with N2 %s(s).", frame->table.unit);
	if (place < 1 || place > (int)NELEM(ordinal)) {
		frame_tell(frame, line, "S has place N");
		frame_tell(frame, line, points);
		return;
	}
	frame->table.seat[line->seat[0]].place = (uint8_t)place;
	flag_winners(frame);
	frame_tell(frame, line, "S comes ");
	frame_say(frame, "%s", ordinal[place - 1]);
	frame_tell(frame, line, points);
}

/* Sets the points of a seat. */
static void
tell_score(struct frame *frame, const struct frame_line *line)
{
	frame_points(frame, line->seat[0], line->number[0]);
}

static const struct frame_shape shapes[] = {
	{ "fault S W", NULL, MARK_FAULT, tell_fault },
	{ "forfeit S W",
	  "S was retired for its faults (W) and is placed behind the others.",
	  MARK_FAULT, tell_forfeit },
	{ "score S N", "S now has N point(s).", MARK_SCORE, tell_score },
	{ "result S N N", NULL, MARK_RESULT, tell_result },
	{ NULL, NULL, 0, NULL },
};

/* ---- asks ----------------------------------------------------------------- */

#define TOKENS_SAID                                                            \
	12 /* tokens of one ask that are said; the others are
		        * counted */

/* Cuts `stake:4..30` into `stake:4` and its end, 30. */
static size_t
cut_range(const char *token, size_t n, int32_t *upto)
{
	uint64_t number;

	for (size_t i = 1; i + 2 < n; i++)
		if (memcmp(token + i, "..", 2) == 0 &&
		    message_number(token + i + 2, n - i - 2, INT32_MAX,
				   &number) == 0) {
			*upto = (int32_t)number;
			return i;
		}
	return n;
}

/* Returns the words of a move without those before its piece that were just
 * said. */
static const char *
words_after(const struct frame_move *move, const struct frame_move *before)
{
	static const char end[] = "the C";
	const char *piece = strstr(move->words, end);

	return move == before && piece != NULL &&
			       piece[sizeof(end) - 1] == '\0' &&
			       strstr(move->words, " C ") == NULL
		       ? piece
		       : move->words;
}

/* Says a token.  Returns its move, or NULL; `before` is the move of the token
 * before it. */
static const struct frame_move *
say_token(struct frame *frame, const char *token, size_t n,
	  const struct frame_move *before)
{
	const struct frame_move *move;
	struct frame_line line;
	int32_t upto = 0;
	const size_t whole = n;

	n = cut_range(token, n, &upto);
	for (move = frame->game->moves; move->shape != NULL; move++) {
		if (!frame_line_fits(frame, move->shape, token, n, &line))
			continue;
		line.upto = upto;
		frame_tell(frame, &line, words_after(move, before));
		return move;
	}
	frame_say(frame, "%.*s", (int)whole, token);
	return NULL;
}

static unsigned
count_tokens(const char *text, size_t n)
{
	unsigned count = n > 0;

	for (size_t i = 0; i < n; i++)
		count += text[i] == ' ';
	return count;
}

/* Says `n` bytes of tokens in the order of the ask. */
static void
say_tokens(struct frame *frame, const char *text, size_t n)
{
	const unsigned count = count_tokens(text, n);
	const unsigned said = count > TOKENS_SAID + 1 ? TOKENS_SAID : count;
	const struct frame_move *move = NULL;
	const char *end = text + n, *next;

	for (unsigned i = 0; i < said; i++, text = next + 1) {
		next = memchr(text, ' ', (size_t)(end - text));
		if (next == NULL)
			next = end;
		if (i > 0)
			frame_say(frame, "%s", i + 1 == count ? " or " : ", ");
		move = say_token(frame, text, (size_t)(next - text), move);
	}
	if (said < count)
		frame_say(frame, " or make one of %u other moves",
			  count - said);
}

/* Handles `ask S token…`.  Returns false for any other line. */
static bool
tell_ask(struct frame *frame, const char *line, size_t n)
{
	const int seat = n > 6 ? line[4] - '0' : -1;

	if (seat < 0 || seat >= (int)frame->table.seats || line[5] != ' ' ||
	    memcmp(line, "ask ", 4) != 0 || !ascii_printable(line, n))
		return false;
	frame->seat = (int8_t)seat;
	frame->marks |= MARK_ASK;
	frame_flag(frame, seat, SEAT_HAS_ASK);
	frame_say(frame, "%s %s ", frame_name(frame, seat),
		  frame->game->moves[0].shape != NULL ? "may" : "is asked:");
	say_tokens(frame, line + 6, n - 6);
	frame_say(frame, ".");
	return true;
}

/* ---- a line --------------------------------------------------------------- */

static bool
tell_shapes(struct frame *frame, const struct frame_shape *row,
	    const char *line, size_t n)
{
	struct frame_line parts;

	for (; row->shape != NULL; row++) {
		if (!frame_line_fits(frame, row->shape, line, n, &parts))
			continue;
		frame->marks |= row->marks;
		frame->seat = (int8_t)(parts.seats > 0 ? parts.seat[0] : -1);
		if ((row->marks & MARK_ROUND) != 0 && parts.numbers > 0)
			frame->round = (uint32_t)parts.number[0];
		if (row->change != NULL)
			row->change(frame, &parts);
		if (frame->sentence[0] == '\0' && row->words != NULL)
			frame_tell(frame, &parts, row->words);
		return true;
	}
	return false;
}

static void
forget_last_line(struct frame *frame)
{
	for (unsigned i = 0; i < frame->table.zones; i++)
		frame_mark_all(&frame->table.zone[i], 0, PIECE_NEW);
	memset(frame->sentence, 0, sizeof(frame->sentence));
	frame->marks = 0;
	frame->seat = -1;
	frame->raw = false;
}

void
frame_next(struct frame *frame, const char *line, size_t n)
{
	forget_last_line(frame);
	frame->number++;
	if (tell_ask(frame, line, n))
		return;
	frame_flag_only(frame, -1, SEAT_HAS_ASK);
	if (tell_shapes(frame, frame->game->shapes, line, n) ||
	    tell_shapes(frame, shapes, line, n))
		return;
	frame->raw = true;
	text_escape(frame->sentence, FRAME_SENTENCE, line, n);
}

/* ---- words for programs --------------------------------------------------- */

static const char *
word_at(const char *const words[], size_t n, unsigned at)
{
	return at < n ? words[at] : NULL;
}

const char *
frame_seat_word(unsigned bit)
{
	static const char *const words[] = {
		"turn",	    "asked",  "dealer", "leader",  "attacker",
		"defender", "south",  "called", "passed",  "folded",
		"out",	    "winner", "loser",	"retired", "knocked",
		"offered",  "bidder", "showed",
	};
	return word_at(words, NELEM(words), bit);
}

const char *
frame_piece_word(unsigned bit)
{
	static const char *const words[] = {
		"new",	  "down", "shown", "led",  "trump", "winning",
		"beaten", "gone", "thumb", "open", "magic", "double",
	};
	return word_at(words, NELEM(words), bit);
}

const char *
frame_mark_word(unsigned bit)
{
	static const char *const words[] = {
		"round", "turn",  "move", "ask", "trick", "stake",
		"show",	 "score", "end",  "out", "fault", "result",
	};
	return word_at(words, NELEM(words), bit);
}

const char *
frame_layout_word(unsigned layout)
{
	static const char *const words[] = { "fan", "row", "pairs", "pile" };
	return word_at(words, NELEM(words), layout);
}

const char *
frame_gauge_word(unsigned layout)
{
	static const char *const words[] = { "number", "bar", "beads" };
	return word_at(words, NELEM(words), layout);
}
