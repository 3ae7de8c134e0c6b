/* tests/unit/words.h - the tokens of a line of a record, without marks. */
#ifndef TESTS_UNIT_WORDS_H
#define TESTS_UNIT_WORDS_H

#define LINE_WORDS 128

/* Holds the tokens of a line, without marks. */
struct words {
	unsigned count;
	char word[LINE_WORDS][32];
};

/* Cuts a NUL-terminated line into its tokens.  Aborts the program if there are too many
 * or one is too long. */
void words_split(const char *line, struct words *words);

/* Returns token i as a number; aborts the program if it is not one. */
long words_number(const struct words *words, unsigned i);

#endif
