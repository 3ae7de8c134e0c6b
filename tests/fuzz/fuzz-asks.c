/* tests/fuzz/fuzz-asks.c - the side file of a record is read as RECORD.md says.
 *
 * Input: a digit, how many seats there are, and the file.  The model cuts the file
 * into lines and these into words before it looks at one of them. */
#include <stdlib.h>
#include <string.h>

#include "protocol/asks.h"
#include "tests/fuzz/fuzz.h"

#define BANK 5000
#define WORDS 8 /* most words of a line, and one more */

struct model {
	unsigned seats;
	uint64_t body;
	uint32_t number[SEATS_MAX];
	uint64_t bank[SEATS_MAX], wrote[SEATS_MAX];
	struct asks_ask ask;
};

static bool
is(struct fuzz_text word, const char *text)
{
	return word.n == strlen(text) && memcmp(word.at, text, word.n) == 0;
}

/* Reads a number of at most `max` without leading zeros. */
static bool
count_of(struct fuzz_text word, uint64_t max, uint64_t *number)
{
	unsigned __int128 sum = 0;
	size_t i;

	if (word.n == 0 || word.n > 20 || (word.n > 1 && word.at[0] == '0'))
		return false;
	for (i = 0; i < word.n; i++) {
		if (word.at[i] < '0' || word.at[i] > '9')
			return false;
		sum = 10 * sum + (unsigned)(word.at[i] - '0');
	}
	*number = (uint64_t)sum;
	return sum <= max;
}

/* Returns true if the word is `NAME=VALUE`. */
static bool
has_name(struct fuzz_text word, const char *name, struct fuzz_text *value)
{
	const size_t n = strlen(name);

	if (word.n <= n || memcmp(word.at, name, n) != 0)
		return false;
	*value = (struct fuzz_text){ word.at + n, word.n - n };
	return true;
}

static bool
is_fault(struct fuzz_text value, uint8_t *fault)
{
	unsigned kind;

	for (kind = FAULT_TIMEOUT; kind < FAULT_KINDS; kind++)
		if (is(value, fault_name((enum fault)kind))) {
			*fault = (uint8_t)kind;
			return true;
		}
	return false;
}

/* Returns true if the words from the fifth on are those of an ask. */
static bool
rest_fits(struct model *model, const struct fuzz_text word[], unsigned words)
{
	const unsigned seat = model->ask.seat;
	struct fuzz_text value;
	unsigned i = 4;

	if (i < words && has_name(word[i], "fault=", &value)) {
		if (!is_fault(value, &model->ask.fault))
			return false;
		i++;
	}
	if (i < words && has_name(word[i], "bank=", &value)) {
		if (!count_of(value, INT64_MAX, &model->bank[seat]))
			return false;
		i++;
	}
	if (i < words && has_name(word[i], "stderr=", &value)) {
		if (!count_of(value, INT64_MAX, &model->wrote[seat]))
			return false;
		i++;
	}
	return i == words;
}

static bool
answer_fits(struct fuzz_text word, char answer[ASKS_ANSWER_BYTES])
{
	size_t i;

	if (word.n < 1 || word.n > ASKS_ANSWER_BYTES - 1)
		return false;
	for (i = 0; i < word.n; i++)
		if (word.at[i] <= 32 || word.at[i] >= 127)
			return false;
	if (!is(word, "-"))
		memcpy(answer, word.at, word.n);
	return true;
}

/* Returns true if a line is an ask, and stores it in model->ask. */
static bool
ask_fits(struct model *model, struct fuzz_text line)
{
	struct fuzz_text word[WORDS];
	uint64_t lines, seat;
	unsigned words = 0;

	if (line.n == 0 || line.at[line.n - 1] == ' ')
		return false;
	while (words < WORDS && fuzz_take(&line, ' ', &word[words]))
		words++;
	memset(&model->ask, 0, sizeof(model->ask));
	if (words < 4 || words == WORDS ||
	    !count_of(word[0], UINT32_MAX, &lines) ||
	    model->body + lines > UINT32_MAX ||
	    !count_of(word[1], UINT64_MAX, &seat) || seat >= model->seats)
		return false;
	model->body += lines;
	model->ask.line = (uint32_t)model->body;
	model->ask.seat = (uint8_t)seat;
	if (!is(word[2], "-")) {
		if (!count_of(word[2], INT64_MAX, &model->ask.us))
			return false;
		model->ask.number = ++model->number[seat];
	}
	if (!answer_fits(word[3], model->ask.answer) ||
	    !rest_fits(model, word, words))
		return false;
	model->ask.bank = model->bank[seat];
	model->ask.wrote = model->wrote[seat];
	return true;
}

static bool
same(const struct asks_ask *a, const struct asks_ask *b)
{
	return a->line == b->line && a->number == b->number &&
	       a->seat == b->seat && a->fault == b->fault && a->us == b->us &&
	       a->bank == b->bank && a->wrote == b->wrote &&
	       strcmp(a->answer, b->answer) == 0;
}

/* Returns 0 or the number of the first wrong line. */
static unsigned
compare(struct model *model, struct fuzz_text text, const struct asks *asks)
{
	const char *end = text.at + text.n;
	struct fuzz_text line;
	unsigned number = 0;

	for (;;) {
		if (text.n == 0 && number >= 2)
			break;
		number++;
		if (memchr(text.at, '\n', text.n) == NULL)
			return number;
		(void)fuzz_take(&text, '\n', &line);
		if (text.n == 0)
			text.at = end;
		if (number == 1	  ? !is(line, "asks 1")
		    : number == 2 ? line.n < 4 || line.n > 3 + ID_BYTES ||
					    memcmp(line.at, "id ", 3) != 0
				  : !ask_fits(model, line))
			return number;
		if (number == 2)
			HOLDS(strncmp(asks->id, line.at + 3, line.n - 3) == 0);
		if (number > 2) {
			HOLDS(asks->count > number - 3);
			HOLDS(same(&asks->ask[number - 3], &model->ask));
		}
	}
	HOLDS(asks->count == number - 2);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct model model = { .seats = 2 };
	struct asks asks;
	struct error why;
	unsigned wrong, s;
	char *file;
	int result;

	if (n == 0)
		return 0;
	if (data[0] >= '1' && data[0] <= '0' + SEATS_MAX)
		model.seats = data[0] - '0';
	for (s = 0; s < SEATS_MAX; s++)
		model.bank[s] = BANK;
	file = fuzz_copy(data + 1, n - 1);
	result = asks_parse(file, n - 1, model.seats, BANK, &asks, &why);
	wrong = compare(&model, (struct fuzz_text){ file, n - 1 }, &asks);
	HOLDS((result == 0) == (wrong == 0));
	if (wrong > 0) {
		HOLDS(strtoul(why.text, NULL, 10) == wrong);
		HOLDS(asks.count == (wrong > 2 ? wrong - 3 : 0));
	}
	asks_forget(&asks);
	HOLDS(asks.ask == NULL && asks.count == 0);
	free(file);
	return 0;
}
