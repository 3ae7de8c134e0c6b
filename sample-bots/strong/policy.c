/* policy.c - see policy.h: what all games share. */
#include "policy.h"

#include "protocol/util.h"

const struct policy *
policy_of(const struct game_rules *rules)
{
	static const struct policy all[] = {
		{ &game_daumen_drauf, policy_daumen_drauf, outlook_daumen_drauf,
		  NULL, 1.5, 30, true },
		{ &game_daupun, policy_daupun, NULL, sort_daupun, 2, 800,
		  false },
		{ &game_doubles_dread, policy_doubles_dread, NULL, NULL, 1, 1,
		  false },
		{ &game_durnius, policy_durnius, NULL, NULL, 2.5, 30, false },
		{ &game_toepen, policy_toepen, NULL, NULL, 1, 8, false },
	};
	unsigned i;

	for (i = 0; i < NELEM(all); i++)
		if (all[i].rules == rules)
			return &all[i];
	bug("no policy for %s", rules->name);
}

/* The lowest numbers, then ever larger steps. */
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
