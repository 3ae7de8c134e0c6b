/* referee/frames/frame-line.c - fits a line into a shape, and says its words. */
#include <string.h>

#include "protocol/text.h"
#include "referee/frames/frame-model.h"

/* ---- shapes --------------------------------------------------------------- */

/* Returns the bytes of the part at `text`, up to a space or a colon. */
static size_t
part_length(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && text[i] != ' ' && text[i] != ':' && text[i] != '\0')
		i++;
	return i;
}

static bool
read_number(const char *text, size_t n, int32_t *number)
{
	const bool minus = n > 0 && text[0] == '-';
	int32_t value = 0;

	if (n == minus || n > 9u + minus)
		return false;
	for (size_t i = minus; i < n; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		value = 10 * value + (text[i] - '0');
	}
	*number = minus ? -value : value;
	return true;
}

static bool
take_seat(const struct frame *frame, const char *text, size_t n,
	  struct frame_line *line)
{
	if (n != 1 || text[0] < '0' ||
	    text[0] >= '0' + (int)frame->table.seats ||
	    line->seats == NELEM(line->seat))
		return false;
	line->seat[line->seats++] = text[0] - '0';
	return true;
}

static bool
take_number(const char *text, size_t n, struct frame_line *line)
{
	return line->numbers < NELEM(line->number) &&
	       read_number(text, n, &line->number[line->numbers]) &&
	       ++line->numbers;
}

/* Takes a piece.  Pieces beyond FRAME_PIECES are dropped. */
static bool
take_piece(const struct frame *frame, const char *text, size_t n,
	   struct frame_line *line)
{
	char *code = line->piece[line->pieces];

	if (!piece_ok(frame->table.kind, text, n))
		return false;
	if (line->pieces == FRAME_PIECES)
		return true;
	memset(code, 0, PIECE_BYTES);
	memcpy(code, text, n);
	line->pieces++;
	return true;
}

static bool
take_word(const char *text, size_t n, struct frame_line *line)
{
	if (n == 0 || line->words == NELEM(line->word))
		return false;
	text_escape(line->word[line->words++], FRAME_LINE_WORD, text, n);
	return true;
}

/* Takes a part whose shape is a single letter. */
static bool
take_letter(const struct frame *frame, char letter, const char *text, size_t n,
	    struct frame_line *line)
{
	switch (letter) {
	case 'S':
		return take_seat(frame, text, n, line);
	case 'N':
		return take_number(text, n, line);
	case 'C':
		return take_piece(frame, text, n, line);
	default:
		return take_word(text, n, line);
	}
}

/* Takes the pieces of `C*`, which is the rest of a line: ` TH JC`, or nothing. */
static bool
take_rest(const struct frame *frame, const char *text, size_t n,
	  struct frame_line *line)
{
	size_t at = 0, length;

	while (at < n) {
		if (text[at++] != ' ')
			return false;
		length = part_length(text + at, n - at);
		if (!take_piece(frame, text + at, length, line))
			return false;
		at += length;
	}
	return true;
}

bool
frame_line_fits(const struct frame *frame, const char *shape, const char *text,
		size_t n, struct frame_line *line)
{
	size_t at = 0, in_shape, in_text;

	line->seats = line->numbers = line->pieces = line->words = 0;
	line->upto = 0;
	for (;; shape++, at++) {
		if (strcmp(shape, "C*") == 0) /* at the very front of a line */
			return false;
		in_shape = part_length(shape, strlen(shape));
		in_text = part_length(text + at, n - at);
		if (in_shape == 1 && strchr("SNCW", shape[0]) != NULL) {
			if (!take_letter(frame, shape[0], text + at, in_text,
					 line))
				return false;
		} else if (in_shape != in_text ||
			   memcmp(shape, text + at, in_text) != 0) {
			return false;
		}
		shape += in_shape;
		at += in_text;
		if (strcmp(shape, " C*") == 0)
			return take_rest(frame, text + at, n - at, line);
		if (strcmp(shape, " W*") == 0)
			return at == n || text[at] == ' ';
		if (*shape == '\0' || at == n)
			return *shape == '\0' && at == n;
		if (*shape != text[at])
			return false;
	}
}

/* ---- words ---------------------------------------------------------------- */

struct telling {
	struct frame *frame;
	const struct frame_line *line;
	unsigned seat, number, piece, word; /* parts taken so far */
	int32_t last;			    /* the last number said */
};

/* Returns the index of the part that a letter with a digit means, or of the
 * next part; -1 if there is none. */
static int
which(const char *digit, unsigned *next, unsigned count)
{
	unsigned index = *digit >= '1' && *digit <= '9'
				 ? (unsigned)(*digit - '1')
				 : (*next)++;

	return index < count ? (int)index : -1;
}

void
frame_say_piece(struct frame *frame, const char *code)
{
	char name[PIECE_NAME];

	piece_name(frame->table.kind, code, name);
	frame_say(frame, "%s", name);
}

static void
say_piece(struct telling *telling, int index)
{
	frame_say_piece(telling->frame,
			index < 0 ? "?" : telling->line->piece[index]);
}

static bool
is_hidden(const struct telling *telling, unsigned index)
{
	return strcmp(telling->line->piece[index], "?") == 0;
}

/* Returns the words between two items of a list; `left` items follow. */
static const char *
joint(unsigned said, unsigned left)
{
	if (said == 0)
		return "";
	return left > 1 ? ", " : " and ";
}

static void
say_pieces(struct telling *telling)
{
	const char *noun = piece_noun(telling->frame->table.kind);
	const unsigned end = telling->line->pieces;
	const char *article =
		telling->frame->table.kind == PIECES_PLAIN ? "" : "the ";
	unsigned i, hidden = 0, said = 0, left;

	for (i = telling->piece; i < end; i++)
		hidden += is_hidden(telling, i);
	left = end - telling->piece - hidden + (hidden > 0);
	for (i = telling->piece; i < end; i++) {
		if (is_hidden(telling, i))
			continue;
		frame_say(telling->frame, "%s%s", joint(said++, left--),
			  article);
		say_piece(telling, (int)i);
	}
	if (hidden > 0)
		frame_say(telling->frame, "%s%u %s%s", joint(said, left),
			  hidden, noun, hidden == 1 ? "" : "s");
	else if (said == 0)
		frame_say(telling->frame, "no %ss", noun);
	telling->piece = end;
}

static void
say_letter(struct telling *telling, char letter, const char *digit)
{
	const struct frame_line *line = telling->line;
	int at;

	if (letter == 'S') {
		at = which(digit, &telling->seat, line->seats);
		frame_say(telling->frame, "%s",
			  frame_name(telling->frame,
				     at < 0 ? -1 : line->seat[at]));
	} else if (letter == 'N') {
		at = which(digit, &telling->number, line->numbers);
		telling->last = at < 0 ? 0 : line->number[at];
		frame_say(telling->frame, "%d", telling->last);
		if (line->upto != 0)
			frame_say(telling->frame, " to %d", line->upto);
	} else if (letter == 'C') {
		at = which(digit, &telling->piece, line->pieces);
		say_piece(telling, at);
	} else {
		at = which(digit, &telling->word, line->words);
		frame_say(telling->frame, "%s", at < 0 ? "" : line->word[at]);
	}
}

static bool
is_wordy(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte == '\'';
}

/* Returns the bytes of a letter with its digit or star at `words`, or 0. */
static size_t
letter_length(const char *words, char before)
{
	size_t n = 1;

	if (is_wordy(before) || words[0] == '\0' ||
	    strchr("SNCW", words[0]) == NULL)
		return 0;
	if (words[0] == 'C' && words[1] == '*')
		return 2;
	if (words[1] >= '1' && words[1] <= '9')
		n = 2;
	return is_wordy(words[n]) && words[n] != '\'' ? 0 : n;
}

void
frame_tell(struct frame *frame, const struct frame_line *line,
	   const char *words)
{
	struct telling telling = { .frame = frame, .line = line };
	char before = ' ';
	size_t n;

	while (*words != '\0') {
		n = letter_length(words, before);
		if (n == 2 && words[1] == '*') {
			say_pieces(&telling);
		} else if (n > 0) {
			say_letter(&telling, words[0], words + 1);
		} else if (strncmp(words, "(s)", 3) == 0) {
			frame_say(frame, "%s", telling.last == 1 ? "" : "s");
			n = 3;
		} else {
			n = 1 + strcspn(words + 1, "SNCW(");
			frame_say(frame, "%.*s", (int)n, words);
		}
		words += n;
		before = words[-1];
	}
}
