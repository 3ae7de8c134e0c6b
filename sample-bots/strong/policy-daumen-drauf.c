/* policy-daumen-drauf.c - take what is worth taking. */
#include "policy.h"

#include "referee/games/daumen-drauf.h"

/* Points for whoever takes what lies on the table. */
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
