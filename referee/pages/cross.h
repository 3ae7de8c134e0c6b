/* referee/pages/cross.h - who scored how much against whom, as a page. */
#ifndef REFEREE_PAGES_CROSS_H
#define REFEREE_PAGES_CROSS_H

#include "protocol/text.h"
#include "referee/pages/ladder.h"

#define CROSS_BOTS 30 /* on one page */

/* `/ladders/NAME/cross`: the bots from place `from` of the standings on, which
 * begin with 1. */
void cross_page(const struct site *site, const struct ladder_view_of *view,
		unsigned from, struct text *to);

/* ---- for other tables ------------------------------------------------- */

/* "62.5 % ± 4.1", or without what is not known; and a likelihood in per cent,
 * which is never told as certain: ">99.9 %". */
void cross_score(char text[HTML_NUMBER_BYTES], const struct tally_score *score);
void cross_likelihood(char text[HTML_NUMBER_BYTES], double p);

#endif
