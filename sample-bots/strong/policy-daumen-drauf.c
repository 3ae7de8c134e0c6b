/* policy-daumen-drauf.c - take what is worth taking. */
#include "policy.h"

#include "referee/games/daumen-drauf.h"

/* Returns the points for the seat that takes what lies on the table. */
static int
pot(const struct daumen *d)
{
	unsigned show;
	int points = 0;

	for (show = d->turn_from; show < d->shown; show++)
		points += is_toxic(d->card[show]) ? -1 : 1;
	return points;
}

static float
weigh(const struct daumen *d, const struct move *move, int points)
{
	bool toxic = is_toxic(move->piece[0]);

	switch (move->verb) {
	case VERB_TWIN: /* one of the two is toxic */
		return points + (toxic ? -1 : 1) >= 0 ? 4 : 0.2f;
	case VERB_SHOW:
		if (d->phase == PHASE_START)
			return toxic ? 1.5f : 1;
		if (points > 0)
			return toxic ? 0.7f : 1;
		return points < 0 ? 0.05f : toxic ? 0.4f : 0.2f;
	default:
		return points > 0 ? 0.7f : 1.5f;
	}
}

void
policy_daumen_drauf(const struct game *game, const struct legal *legal,
		    float *weight)
{
	const struct daumen *d = (const void *)game->state;
	int points = pot(d);
	unsigned i;

	for (i = 0; i < legal->count; i++)
		weight[i] = weigh(d, &legal->move[i], points);
}

/* ---- the outlook ------------------------------------------------------ */

#define TURNS 2 /* that are played out, the present one included */

/* Returns the points that a card in the hand is worth: a harmless one wins something, a
 * toxic one is a burden. */
static double
keep(const struct daumen *d, unsigned card)
{
	double top = d->seats + 2;

	if (is_toxic(card))
		return -0.3;
	return 0.3 + 0.2 * (card / NUMBER_PIECES + 1) / top;
}

bool
outlook_daumen_drauf(const struct game *root, const struct game *game,
		     double points[SEATS_MAX])
{
	const struct daumen *d = (const void *)game->state;
	const struct daumen *then = (const void *)root->state;
	unsigned show, seat;
	card_set hand;

	if (d->phase != PHASE_START || d->turn < then->turn + TURNS)
		return false;
	for (show = 0; show < d->shown; show++)
		points[d->whose[show]] += is_toxic(d->card[show]) ? -1 : 1;
	for (seat = 0; seat < d->seats; seat++)
		for (hand = d->hand[seat]; hand;)
			points[seat] += keep(d, card_take_lowest(&hand));
	return true;
}
