/* tests/unit/one-ladder.c */
#include "tests/unit/one-ladder.h"

#include <stddef.h>

#include "tests/unit/ladder-kit.h"

struct ladder *ladder;
int64_t folder;

void
open_ladder(void)
{
	close_ladder();
	ladder = kit_open(&folder);
}

void
close_ladder(void)
{
	ladder_close(ladder);
	ladder = NULL;
}

void
end_ladder(void)
{
	close_ladder();
	kit_end();
}
