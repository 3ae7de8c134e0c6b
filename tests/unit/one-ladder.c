/* tests/unit/one-ladder.c */
#include "tests/unit/one-ladder.h"

#include <criterion/criterion.h>

struct ladder *ladder;
int64_t folder;
struct error why;
struct ladder_rebuilt rebuilt;
struct ladder_voided voided;
unsigned followed;

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

void
begin_again(void)
{
	end_ladder();
	kit_begin();
}

void
write_records(uint32_t from, uint32_t to)
{
	kit_write_records(ladder, from, to);
}

int
try_follow(void)
{
	return kit_try_follow(ladder, &followed, &why);
}

int
rebuild(const struct ladder_rebuilding *how)
{
	static const struct ladder_rebuilding as_known;

	return ladder_rebuild(ladder, how == NULL ? &as_known : how, &rebuilt,
			      &why);
}

int
void_game(struct ladder_log *log, uint32_t number, const char *reason)
{
	struct ladder_game game;

	kit_game(number, number, &game);
	return ladder_void(
		ladder, log,
		&(struct ladder_voiding){ .id = game.id, .why = reason },
		&voided, &why);
}

void
expect_same_again(unsigned games)
{
	const char *before = kit_describe(ladder);

	OK(rebuild(NULL));
	kit_expect(ladder, before);
	cr_assert_eq(rebuilt.games, games);
	cr_assert(rebuilt.added == 0 && rebuilt.altered == 0 &&
		  rebuilt.changed == 0);
}
