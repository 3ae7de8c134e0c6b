/* referee/base/suggest.h - "did you mean …?": the word that the user may have meant.
 *
 * Offer the words that exist, one after another, then print the text behind the
 * sentence that says the given one does not exist. */
#ifndef REFEREE_SUGGEST_H
#define REFEREE_SUGGEST_H

#include "protocol/error.h"

#define SUGGEST_WORD_BYTES 40  /* longer words are not compared */
#define SUGGEST_LIST_BYTES 200 /* bytes of the list of words that exist */

struct suggestion {
	const char *word; /* borrowed */
	unsigned edits;	  /* edits from `word` to the nearest so far */
	char text[SUGGEST_WORD_BYTES + 24];
	/* All words that were offered: "cup, main"; a list that is too long
	 * ends in ", ...". */
	char list[SUGGEST_LIST_BYTES];
};

/* Begins without a near word: `text` is "". */
struct suggestion suggest(const char *word);

/* If OFFER is near and no word so far was as near, `text` becomes "; did you
 * mean OFFER?".  A word is near if it begins with the one given (of two letters
 * or more), or if as many edits as a third of its letters, rounded up, turn one
 * into the other.  A letter put in, left out or changed and two neighbours in
 * the wrong order are one edit each (Damerau, CACM 7 (1964) 171-176, the
 * restricted form). */
void suggest_offer(struct suggestion *suggestion, const char *offer);

/* Sets ERROR_INPUT with a sentence, the words that exist and the one that may
 * have been meant: "…; there are cup, main; did you mean main?".  Returns -1. */
int suggest_none(const struct suggestion *suggestion, struct error *why,
		 const char *fmt, ...) PRINTF_LIKE(3, 4) COLD;

#endif
