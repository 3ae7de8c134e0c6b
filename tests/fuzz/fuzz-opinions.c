/* tests/fuzz/fuzz-opinions.c - a program's opinions about the decisions of a
 * seat are accepted only if they are valid.
 *
 * Input: what the program writes.  The model cuts each line into words first. */
#include <stdlib.h>
#include <string.h>

#include "referee/records/opinion.h"
#include "tests/fuzz/fuzz.h"

#define WORDS (7 + 3 + 3 * OPINION_TOP + 1) /* words of a line, and one more */

struct words {
	struct fuzz_text word[WORDS];
	unsigned count, at;
};

static struct fuzz_text
next(struct words *words)
{
	static const struct fuzz_text none = { "", 0 };

	return words->at < words->count ? words->word[words->at++] : none;
}

static bool
next_is(struct words *words, const char *text)
{
	const struct fuzz_text word = next(words);

	return word.n == strlen(text) && memcmp(word.at, text, word.n) == 0;
}

/* Cuts a line into words; a space at its end ends its last word. */
static void
cut(struct words *words, struct fuzz_text line)
{
	memset(words, 0, sizeof(*words));
	while (words->count < WORDS &&
	       fuzz_take(&line, ' ', &words->word[words->count]))
		words->count++;
}

static bool
next_count(struct words *words, unsigned *count)
{
	const struct fuzz_text word = next(words);
	uint64_t sum = 0;
	size_t i;

	if (word.n == 0 || word.n > 10 || (word.n > 1 && word.at[0] == '0'))
		return false;
	for (i = 0; i < word.n; i++) {
		if (word.at[i] < '0' || word.at[i] > '9')
			return false;
		sum = 10 * sum + (uint64_t)(word.at[i] - '0');
	}
	*count = (unsigned)sum;
	return sum <= INT32_MAX;
}

/* Reads digits with at most one point among them. */
static bool
next_share(struct words *words, double *share)
{
	const struct fuzz_text word = next(words);
	unsigned digits = 0, points = 0;
	char *text;
	size_t i;

	for (i = 0; i < word.n; i++) {
		if (word.at[i] == '.')
			points++;
		else if (word.at[i] >= '0' && word.at[i] <= '9')
			digits++;
		else
			return false;
	}
	if (digits == 0 || points > 1)
		return false;
	text = memory(NULL, word.n + 1);
	memcpy(text, word.at, word.n);
	text[word.n] = '\0';
	*share = strtod(text, NULL);
	free(text);
	return *share <= 1;
}

static bool
next_value(struct words *words, struct opinion_value *value)
{
	const struct fuzz_text word = next(words);
	size_t i;

	if (word.n == 0 || word.n > MOVE_BYTES - 1)
		return false;
	for (i = 0; i < word.n; i++)
		if (!((word.at[i] >= 'a' && word.at[i] <= 'z') ||
		      (word.at[i] >= 'A' && word.at[i] <= 'Z') ||
		      (word.at[i] >= '0' && word.at[i] <= '9') ||
		      (word.at[i] != '\0' &&
		       strchr(":-+?.", word.at[i]) != NULL)))
			return false;
	memcpy(value->token, word.at, word.n);
	value->token[word.n] = '\0';
	return next_share(words, &value->value) &&
	       next_share(words, &value->error);
}

static bool
opinion_fits(struct fuzz_text line, struct opinion *opinion)
{
	struct words words;

	cut(&words, line);
	memset(opinion, 0, sizeof(*opinion));
	if (!next_is(&words, "opinion") || !next_count(&words, &opinion->ask) ||
	    !next_count(&words, &opinion->at) || !next_is(&words, "of") ||
	    !next_count(&words, &opinion->moves) || !next_is(&words, "made"))
		return false;
	opinion->known = !next_is(&words, "-");
	if (opinion->known) {
		words.at--;
		if (!next_value(&words, &opinion->made))
			return false;
	}
	if (!next_is(&words, "best"))
		return false;
	do
		if (!next_value(&words, &opinion->best[opinion->tops++]))
			return false;
	while (words.at < words.count && opinion->tops < OPINION_TOP);
	return words.at == words.count;
}

static bool
over_fits(struct fuzz_text line, unsigned count, unsigned *choices)
{
	struct words words;
	unsigned judged;

	cut(&words, line);
	return next_is(&words, "over") && next_count(&words, &judged) &&
	       next_is(&words, "of") && next_count(&words, choices) &&
	       words.at == words.count && judged == count && judged <= *choices;
}

static bool
same_value(const struct opinion_value *a, const struct opinion_value *b)
{
	return strcmp(a->token, b->token) == 0 && a->value == b->value &&
	       a->error == b->error;
}

static bool
same(const struct opinion *a, const struct opinion *b)
{
	unsigned i;

	for (i = 0; i < a->tops && i < b->tops; i++)
		if (!same_value(&a->best[i], &b->best[i]))
			return false;
	return a->ask == b->ask && a->at == b->at && a->moves == b->moves &&
	       a->known == b->known && a->tops == b->tops &&
	       (!a->known || same_value(&a->made, &b->made));
}

/* Returns true if the text is valid.  Compares its opinions with those that the
 * product has `read`, unless that is NULL. */
static bool
fits(struct fuzz_text text, const struct opinions *read)
{
	struct fuzz_text line;
	struct opinion opinion;
	unsigned count = 0, choices, last = 0;

	if (text.n > 0 && memchr(text.at, '\0', text.n) != NULL)
		return false;
	while (fuzz_take(&text, '\n', &line)) {
		if (line.n >= 5 && memcmp(line.at, "over ", 5) == 0) {
			if (!over_fits(line, count, &choices) || text.n > 0)
				return false;
			HOLDS(read == NULL || (read->count == count &&
					       read->choices == choices));
			return true;
		}
		if (!opinion_fits(line, &opinion) ||
		    (count > 0 && opinion.at <= last))
			return false;
		HOLDS(read == NULL || (read->count > count &&
				       same(&read->opinion[count], &opinion)));
		last = opinion.at;
		count++;
	}
	return false;
}

/* Writes the opinions that were read as sentences and as JSON. */
static void
tell(const struct opinions *opinions)
{
	const struct opinion *swing = opinions_swing(opinions);
	char sentence[OPINION_SENTENCE];
	struct text text;
	unsigned i;

	for (i = 0; i < opinions->count; i++) {
		opinion_sentence(&opinions->opinion[i], sentence);
		HOLDS(strlen(sentence) > 0);
		HOLDS(opinions_at(opinions, opinions->opinion[i].at) ==
		      &opinions->opinion[i]);
		HOLDS(swing == NULL || opinion_loss(swing) > 0);
	}
	text_init(&text, SIZE_MAX);
	opinions_json(opinions, &text);
	HOLDS(text.used > 0 && text.bytes[text.used - 1] == '\n');
	text_release(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct opinions opinions;
	struct error why;
	char *text = fuzz_copy(data, n);
	const int result = opinions_read(text, n, &opinions, &why);

	HOLDS(fits((struct fuzz_text){ text, n },
		   result == 0 ? &opinions : NULL) == (result == 0));
	if (result == 0) {
		tell(&opinions);
		opinions_release(&opinions);
	}
	free(text);
	return 0;
}
