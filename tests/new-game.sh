#!/bin/sh
# new-game.sh NAME - makes the skeleton of a new game.  It builds but does not
# play, and the tests of all games refuse it until its rules are written.
set -eu
name=${1-}
case $name in
'' | *[!a-z-]* | -* | *-)
	echo "usage: tests/new-game.sh NAME, of the letters a to z and -" >&2
	exit 2 ;;
esac
cd "$(dirname "$0")/.."
c=$(echo "$name" | tr - _)
rules=referee/games/$name.c
page=referee/games/$name.md
if [ -e "$rules" ] || [ -e "$page" ]; then
	echo "new-game: $rules or $page is there already" >&2
	exit 2
fi

cat >"$rules" <<END
/* referee/games/$name.c - the rules of $name. */
#include "referee/games/game.h"

/* TODO: the pieces, so that rank order is number order. */
static const struct deck ${c}_deck = { .count = 1, .name = { "1" } };

/* TODO: the state; a plain value, which starts zeroed. */
struct $c {
	uint8_t seats;
};

GAME_STATE_FITS(struct $c);

/* TODO: all up to the first decision: \`round N ...\`, chance_round(), the deal.
 * chance_card() draws while the line is written; event_hide() before what not
 * all may see. */
static void
${c}_start(void *state, const struct game_setup *setup, struct chance *chance,
	   struct events *ev)
{
	struct $c *game = state;

	(void)chance;
	game->seats = setup->seats;
	event_begin(ev, "round");
	event_number(ev, 1);
	event_end(ev);
}

/* TODO: game_ask_one(), or an open decision. */
static void
${c}_decide(const void *state, struct decision *decision)
{
	(void)state;
	decision->kind = DECISION_OVER;
}

/* TODO: game_list() each; the house move first. */
static void
${c}_legal(const void *state, unsigned seat, struct legal *legal)
{
	(void)state;
	(void)seat;
	game_list(legal, (struct move){ .verb = VERB_PASS });
}

/* TODO: a legal move takes effect, up to the next decision. */
static void
${c}_play(void *state, unsigned seat, struct move move, struct chance *chance,
	  struct events *ev)
{
	(void)state;
	(void)chance;
	game_move_event(ev, &game_$c, seat, move);
	event_end(ev);
}

/* TODO: the points, as in the lines \`score\`, and the number of the round. */
static unsigned
${c}_standing(const void *state, long points[SEATS_MAX])
{
	(void)state;
	(void)points;
	return 1;
}

static const struct game_option options[] = { { .name = NULL } };

static const struct verb verbs[] = {
	[VERB_PASS] = { .name = "pass" },
	{ .name = NULL },
};

/* TODO: the form of every line, as on the page. */
static const char *const lines[] = {
	"round N",
	"fault S why",
	"result S place points",
	NULL,
};

const struct game_rules game_$c = {
	.name = "$name",
	.title = "$name",
	.brief = "TODO: one line for people",
	.version = 1,
	.min_seats = 2,
	.max_seats = 4,
	.seats_must = "needs 2 to 4 seats",
	.state_bytes = sizeof(struct $c),
	.deck = &${c}_deck,
	.pieces = { 1, 0, NULL }, /* TODO: as many as a round has */
	.options = options,
	.verbs = verbs,
	.lines = lines,
	.start = ${c}_start,
	.decide = ${c}_decide,
	.legal = ${c}_legal,
	.play = ${c}_play,
	.standing = ${c}_standing,
};
END
cat >"$page" <<END
# $name

TODO: what it is. For 2 to 4 seats, called \`$name\` on the command line and in
records.

TODO: sections, tables and examples as on the pages of the other games: contents,
In short, Options, Cards, What you see, the rules with a number each (R1, R2, ...),
Every line, Every move, a round as a bot reads it.
END
{ sed -n '1,/^$/{/^GAME/!p}' referee/games/list.h
	{ grep '^GAME' referee/games/list.h; echo "GAME($c)"; } | LC_ALL=C sort
} | grep . >referee/games/list.new
mv referee/games/list.new referee/games/list.h
sed -i "s|^\(.%reldir%/games/\)list\.h .*|\1$name.c \\\\\\n&|
s|^\(.%reldir%/games/\)toepen\.md\(.*\)|\1$name.md \\\\\\n&|" referee/local.mk
cat <<END
$rules: the rules; every TODO in it
$page: the same for people
Both are in referee/games/list.h and referee/local.mk now.  Until the rules are
written, tests/unit/test-table and tests/end-to-end/test-pages.py refuse them.
Then: the places that CONTRIBUTING.md lists under "Adding a game".
END
