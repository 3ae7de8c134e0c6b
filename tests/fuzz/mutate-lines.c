/* tests/fuzz/mutate-lines.c - for targets whose inputs are lines of words.
 *
 * Bytes changed at random spoil nearly every record before its first decision.
 * So half of the mutations move whole lines and words about; the other half
 * are libFuzzer's own. */
#include <stdlib.h>
#include <string.h>

#include "protocol/text.h"
#include "tests/fuzz/fuzz.h"

#define LINES_MAX 2048

/* libFuzzer defines the first and calls the second. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max,
			       unsigned seed);

static struct fuzz_text lines[LINES_MAX];
static unsigned count;
static uint64_t state;

/* Returns a number below n. */
static unsigned
draw(size_t n)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (unsigned)((state >> 33) % n);
}

static void
split(const char *bytes, size_t n)
{
	struct fuzz_text text = { bytes, n };

	count = 0;
	while (count < LINES_MAX && fuzz_take(&text, '\n', &lines[count]))
		count++;
}

static void
add_line(struct text *to, struct fuzz_text line)
{
	text_add(to, line.at, line.n);
	text_str(to, "\n");
}

/* Returns any word of the line, or nothing. */
static struct fuzz_text
any_word(struct fuzz_text line)
{
	struct fuzz_text word, found = { line.at, 0 };
	unsigned words = 0;

	while (fuzz_take(&line, ' ', &word))
		if (draw(++words) == 0)
			found = word;
	return found;
}

/* Adds the line with one of its words replaced by one of the other's. */
static void
add_changed(struct text *to, struct fuzz_text line, struct fuzz_text other)
{
	struct fuzz_text out = any_word(line), in = any_word(other);
	size_t before = (size_t)(out.at - line.at);

	text_add(to, line.at, before);
	text_add(to, in.at, in.n);
	add_line(to,
		 (struct fuzz_text){ out.at + out.n, line.n - before - out.n });
}

static void
move_about(struct text *to)
{
	unsigned kind = draw(4), i = draw(count), j = draw(count), k;

	for (k = 0; k < count; k++) {
		if (k != i)
			add_line(to, lines[kind == 0 && k == j ? i : k]);
		else if (kind == 0)
			add_line(to, lines[j]);
		else if (kind == 1)
			continue;
		else if (kind == 2)
			add_changed(to, lines[i], lines[j]);
		else {
			add_line(to, lines[j]);
			add_line(to, lines[i]);
		}
	}
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	struct text text = { .max = max };

	state = seed;
	split((const char *)data, n);
	if (count < 2 || draw(2) == 0)
		return LLVMFuzzerMutate(data, n, max);
	move_about(&text);
	if (text.used == 0) {
		text_release(&text);
		return LLVMFuzzerMutate(data, n, max);
	}
	memcpy(data, text.bytes, text.used);
	n = text.used;
	text_release(&text);
	return n;
}
