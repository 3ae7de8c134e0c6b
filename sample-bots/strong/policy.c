/* policy.c - see policy.h: what all games share. */
#include "policy.h"

/* Weighs any move alike, for a game of which nothing else is known. */
static void
policy_any(const struct game *game, const struct legal *legal, float *weight)
{
	unsigned i;

	(void)game;
	for (i = 0; i < legal->count; i++)
		weight[i] = 1;
}

const struct policy *
policy_of(const struct game_rules *rules)
{
	static const struct policy all[] = {
		{ &game_daumen_drauf, policy_daumen_drauf, outlook_daumen_drauf,
		  NULL, NULL, 1.5, 30, true, 5 },
		{ &game_daupun, policy_daupun, NULL, sort_daupun, NULL, 2, 800,
		  false, 45 },
		{ &game_doubles_dread, policy_doubles_dread, NULL, NULL, NULL,
		  1, 1, false, 25 },
		{ &game_durnius, policy_durnius, NULL, NULL, spares_durnius,
		  2.5, 30, false, 1 },
		{ &game_toepen, policy_toepen, NULL, NULL, NULL, 1, 8, false,
		  0 },
		{ NULL, policy_any, NULL, NULL, NULL, 1, 1, false, 10 },
	};
	const struct policy *policy = all;

	while (policy->rules && policy->rules != rules)
		policy++;
	return policy;
}

/* Keeps the lowest numbers, then ever larger steps. */
void
policy_narrow(struct legal *legal)
{
	static const int16_t steps[] = { 0, 1, 2, 4, 7, 12, 20, 40 };
	struct move range;
	unsigned i, k, count = legal->count;

	for (i = 0; i < count; i++) {
		if (legal->move[i].n >= legal->move[i].top)
			continue;
		range = legal->move[i];
		legal->move[i].top = range.n;
		for (k = 1; k < NELEM(steps); k++) {
			if (range.n + steps[k] > range.top ||
			    legal->count == LEGAL_MAX)
				break;
			legal->move[legal->count] = range;
			legal->move[legal->count].n =
				legal->move[legal->count].top =
					(int16_t)(range.n + steps[k]);
			legal->count++;
		}
	}
}
