/* referee/match/anytime.h - an interval for a mean that stays valid if one
 * looks at it after every value and stops at will.
 *
 * Values v_1, v_2, ... from 0 to 1 have the same mean whatever came before.
 * The interval contains it at all times at once with probability 1 -
 * ANYTIME_RISK or more.  The method is the hedged betting of I. Waudby-Smith
 * and A. Ramdas, "Estimating means of bounded random variables by betting",
 * JRSS B 86 (2024) 1-27, theorem 3 and section 4.2.  Against each mean m two
 * gamblers bet a part of their capital that the next value is above, or below:
 *
 *	K+ = product of 1 + min(b_i, 1/2 / m) (v_i - m),
 *	K- = product of 1 - min(b_i, 1/2 / (1 - m)) (v_i - m),
 *	b_i = sqrt(2 ln(2 / risk) / (w_i i ln(i + 1))),
 *	w_i = (1/4 + sum over j < i of (v_j - m_j)^2) / i,
 *	m_j = (1/2 + sum over k <= j of v_k) / (j + 1)
 *
 * The mean m is ruled out for good when max(K+, K-) / 2 reaches 1 / risk. */
#ifndef REFEREE_ANYTIME_H
#define REFEREE_ANYTIME_H

#include <stdint.h>

#define ANYTIME_RISK .05
#define ANYTIME_STEPS 200 /* steps between 0 and 1 that are tried as means */

struct anytime {
	uint64_t values;
	double sum, squares; /* of v_j, and of (v_j - m_j)^2 */
	unsigned low, high;  /* first and last step that is not ruled out */
	double capital[ANYTIME_STEPS + 1][2];
};

void anytime_init(struct anytime *anytime);
void anytime_add(struct anytime *anytime, double v);
/* Sets `*low` to the last mean below that is ruled out and `*high` to the first
 * above; 0 and 1 at first.  The mean lies between the two and is neither of
 * them, unless it is 0 or 1. */
void anytime_interval(const struct anytime *anytime, double *low, double *high);

#endif
