/* policy-doubles-dread.c - bid low, pass often; all else is for the search. */
#include "policy.h"

#include <string.h>

void
policy_doubles_dread(const struct game *game, const struct legal *legal,
		     float *weight)
{
	const struct verb *verbs = game->setup.rules->verbs;
	unsigned i;

	for (i = 0; i < legal->count; i++)
		weight[i] = strcmp(verbs[legal->move[i].verb].name, "bid") == 0
				    ? 0.2f / (float)(1 + i)
				    : 1;
}
