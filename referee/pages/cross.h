/* referee/pages/cross.h - writes a page with the score of each bot against each
 * other bot. */
#ifndef REFEREE_PAGES_CROSS_H
#define REFEREE_PAGES_CROSS_H

#include "protocol/text.h"
#include "referee/pages/ladder.h"

#define CROSS_BOTS 30 /* bots on one page */

/* Writes `/ladders/NAME/cross`, with the bots from place `from` of the
 * standings on; places begin with 1. */
void cross_page(const struct site *site, const struct ladder_view_of *view,
		unsigned from, struct text *to);

/* ---- for other tables ------------------------------------------------- */

/* Write a score as "62.5 % ± 4.1", without the parts that are not known; and a
 * likelihood in per cent, which is never shown as certain: ">99.9 %". */
void cross_score(char text[HTML_NUMBER_BYTES], const struct tally_score *score);
void cross_likelihood(char text[HTML_NUMBER_BYTES], double p);

#endif
