/* ladder/elo.c - does the arithmetic of elo.h.
 *
 * The odds 10^(-gap/400) are a product of constants, one for each bit of the
 * gap in milli-Elo. pow() and exp2() may differ in the last bit from one C
 * library, or one processor, to the next, and a rating that is folded again
 * from its records elsewhere must come out the same: only +, -, * and / are
 * used here, which IEEE 754 fixes to the last bit, in an order that the
 * compiler may not change.  This forbids -ffast-math, fused multiply-add
 * (-ffp-contract=off, see local.mk), and doubles wider than 64 bits. */
#include "ladder/elo.h"

#include <float.h>

#include "protocol/util.h"

#ifdef __FAST_MATH__
#error "ladder/elo.c must be compiled without -ffast-math"
#endif
_Static_assert(FLT_EVAL_METHOD == 0 && DBL_MANT_DIG == 53,
	       "ratings need plain 64-bit doubles (on i386: -mfpmath=sse)");

/* odds_of_bit[k] is 10^(-2^k / 400000), the double nearest to it. */
static const double odds_of_bit[] = {
	0x1.ffff3ed881041p-1,  0x1.fffe7db14ae66p-1,  0x1.fffcfb63b9458p-1,
	0x1.fff9f6cc006a8p-1,  0x1.fff3edaa38376p-1,  0x1.ffe7db9d4d1c2p-1,
	0x1.ffcfb85e060f0p-1,  0x1.ff9f754984828p-1,  0x1.ff3efcc73307fp-1,
	0x1.fe7e425153e7ap-1,  0x1.fcfda740b1c5cp-1,  0x1.f9ffd58e6256ep-1,
	0x1.f411ac1b71e48p-1,  0x1.e86a84c1c21f5p-1,  0x1.d1eb233a74b23p-1,
	0x1.a7fc06fa070d6p-1,  0x1.5f196b95ffde5p-1,  0x1.e186b78b84266p-2,
	0x1.c4ddc24f781fbp-3,  0x1.908feb20d870fp-5,  0x1.396107d795840p-9,
	0x1.7f9e69f41d39ap-18, 0x1.1f6db187b2505p-35,
};

/* From here on (8388 points) the odds are below 2e-21 and move no rating. */
#define GAP_END ((int64_t)1 << NELEM(odds_of_bit))

double
elo_lead(int64_t gap_milli)
{
	double odds = 1;

	if (gap_milli < 0)
		bug("a rating gap of %lld", (long long)gap_milli);
	if (gap_milli >= GAP_END)
		return 1;
	for (unsigned bit = 0; bit < NELEM(odds_of_bit); bit++)
		if (gap_milli >> bit & 1)
			odds *= odds_of_bit[bit];
	return (1 - odds) / (1 + odds);
}

/* Rounds, halves away from zero.  The remainder after cutting is exact. */
static int64_t
round_half_away(double x)
{
	int64_t whole = (int64_t)x;
	double rest = x - (double)whole;

	return whole + (rest >= 0.5) - (rest <= -0.5);
}

/* Twice S - E is (+1, 0 or -1) - lead for the better of the two.  It is
 * computed for that one whichever of them a is, so that a's gain is exactly b's
 * loss. */
int64_t
elo_duel(int64_t a_milli, int64_t b_milli, int a_place, int b_place,
	 int64_t k_milli, unsigned seats)
{
	int outcome = (a_place < b_place) - (a_place > b_place);
	double twice;

	if (a_milli < b_milli)
		return -elo_duel(b_milli, a_milli, b_place, a_place, k_milli,
				 seats);
	twice = (double)k_milli * (outcome - elo_lead(a_milli - b_milli));
	/* The division comes last, so that halves come out as exact halves. */
	return round_half_away(twice / (2.0 * (seats - 1)));
}

void
elo_deltas(unsigned seats, const int64_t rating_milli[], const int place[],
	   int64_t k_milli, int64_t delta_milli[])
{
	int64_t gain;

	if (seats < 2)
		bug("a rated game of %u seats", seats);
	for (unsigned i = 0; i < seats; i++)
		delta_milli[i] = 0;
	for (unsigned i = 0; i < seats; i++)
		for (unsigned j = i + 1; j < seats; j++) {
			gain = elo_duel(rating_milli[i], rating_milli[j],
					place[i], place[j], k_milli, seats);
			delta_milli[i] += gain;
			delta_milli[j] -= gain;
		}
}
