/* tests/fuzz/fuzz-frame.c - frames of any lines of a game.
 *
 * Input: `GAME SEATS` with options as `NAME=VALUE`, then lines.  Any line must
 * lead to a frame that can be drawn. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/frame-wrong.h"

#define WORDS 16

/* Cuts the first line into words, each a string; returns how many there are. */
static unsigned
cut_words(char *text, char *word[WORDS])
{
	unsigned count = 0;
	char *at;

	while (count < WORDS && (at = strsep(&text, " ")) != NULL)
		word[count++] = at;
	return count;
}

static void
begin(struct fuzz_text first, struct frame *frame)
{
	char *text = memory(NULL, first.n + 1), *word[WORDS], *value;
	struct frame_option option[WORDS];
	struct frame_setup setup = { .game = "", .option = option };
	unsigned i, count;

	memcpy(text, first.at, first.n);
	text[first.n] = '\0';
	count = cut_words(text, word);
	if (count > 0)
		setup.game = word[0];
	if (count > 1)
		setup.seats = (unsigned)(word[1][0] - '0') % 10;
	for (i = 2; i < count; i++) {
		value = strchr(word[i], '=');
		if (value == NULL)
			continue;
		*value = '\0';
		option[setup.options++] =
			(struct frame_option){ word[i], value + 1 };
	}
	setup.name[0] = setup.name[2] = "Anna";
	frame_begin(frame, &setup);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct frame frame, first;
	struct fuzz_text text = { (const char *)data, n }, piece = { "", 0 };
	char *line;

	(void)fuzz_take(&text, '\n', &piece);
	begin(piece, &frame);
	first = frame;
	while (fuzz_take(&text, '\n', &piece)) {
		line = fuzz_copy(piece.at, piece.n);
		frame_next(&frame, line, piece.n);
		HOLDS(frame_wrong(&frame, &first) == NULL);
		free(line);
	}
	return 0;
}
