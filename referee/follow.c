/* referee/follow.c - the lines of a step, one after the other, into the game.
 */
#include "referee/follow.h"

#include <string.h>

#include "protocol/hidden.h"

/* ---- chance from the lines -------------------------------------------- */

static bool
told_token(struct chance_script *script, unsigned line, unsigned token,
	   char to[32])
{
	const struct told *step = &((struct follow *)script)->step;
	const char *word = told_word(step, line, token);
	size_t n = strlen(word);

	if (n == 0 || n > 31)
		return false;
	memcpy(to, word, n + 1);
	return true;
}

/* Any piece but those that the viewer reads later on in this round. */
static card_set
told_unknown(struct chance_script *script, unsigned line, unsigned token)
{
	const struct follow *follow = (struct follow *)script;
	const struct game_rules *rules = follow->game.setup.rules;
	const struct told *step = &follow->step;
	card_set named = told_pieces(step, line, token, rules->deck);
	card_set may = ~(card_set)0;
	unsigned i;

	for (i = line + 1; i < step->lines && !told_is(step, i, "round"); i++)
		named |= told_pieces(step, i, 1, rules->deck);
	if (rules->foresee)
		may = rules->foresee(step, line, token);
	return may & ~named ? may & ~named : may;
}

/* ---- a step ----------------------------------------------------------- */

/* Whether the viewer reads line `number` of the step like this. */
static bool
same_line(const struct told *step, unsigned number, const char *view, size_t n)
{
	const char *was = told_word(step, number, 0);
	size_t i;

	for (i = 0; i < n; i++)
		if (was[i] != (view[i] == ' ' ? '\0' : view[i]))
			return false;
	return was[n] == '\0' &&
	       told_count(step, number) > 0; /* so `was` is in the text */
}

/* Whether the game has written what the viewer was told. */
static bool
same_lines(const struct follow *follow)
{
	const char *line = follow->ev.text, *lf;
	char view[LINE_REFEREE_BYTES + 1];
	unsigned i;
	ssize_t n;

	if (follow->ev.lines != follow->step.lines)
		return false;
	for (i = 0; i < follow->step.lines; i++, line = lf + 1) {
		lf = memchr(line, '\n', LINE_REFEREE_BYTES + 1);
		n = hidden_redact(line, (size_t)(lf - line), follow->viewer,
				  view);
		if (n < 0 || !same_line(&follow->step, i, view, (size_t)n))
			return false;
	}
	return true;
}

/* Draws anew what the viewer cannot know. */
static void
guess(struct follow *follow)
{
	game_resample(&follow->game, follow->viewer, &follow->draws);
}

/* Who is to move by this step, as a set. */
static unsigned
mover(const struct told *step)
{
	return told_is(step, 0, "move") ? 1u << told_seat(step, 0) : 0;
}

static bool
take_step(struct follow *follow)
{
	struct told *step = &follow->step;

	events_clear(&follow->ev);
	step->forced = (follow->at_fault | follow->retired) & mover(step);
	follow->at_fault = 0;
	if (follow->begun) {
		if (!game_follow(&follow->game, follow->viewer, step,
				 &follow->chance, &follow->ev))
			return false;
	} else {
		follow->begun = true;
		game_start(&follow->game, &follow->game.setup, &follow->chance,
			   &follow->ev);
	}
	if (follow->chance.failed || !same_lines(follow))
		return false;
	guess(follow);
	return true;
}

/* ---- lines ------------------------------------------------------------ */

static bool
begins_with(const char *line, size_t n, const char *verb)
{
	size_t bytes = strlen(verb);

	return n >= bytes && memcmp(line, verb, bytes) == 0 &&
	       (n == bytes || line[bytes] == ' ');
}

/* Lines that say nothing of what happens at the table. */
static bool
is_control(const char *line, size_t n)
{
	static const char *const verbs[] = { "referee", "game",	 "commit",
					     "ask",	"void",	 "retired",
					     "over",	"abort", "entropy?",
					     "bye" };
	unsigned i;

	for (i = 0; i < NELEM(verbs); i++)
		if (begins_with(line, n, verbs[i]))
			return true;
	return false;
}

/* `fault S WHY` */
static int
take_fault(struct follow *follow, const char *line, size_t n)
{
	unsigned seat;

	if (n < 7 || line[6] < '0' ||
	    line[6] >= '0' + (int)follow->game.setup.seats)
		return -1;
	if (follow_settle(follow) != 0)
		return -1;
	seat = (unsigned)(line[6] - '0');
	follow->at_fault |= 1u << seat;
	if (++follow->faults[seat] >= follow->faults_max) {
		follow->retired |= 1u << seat;
	}
	return 0;
}

void
follow_begin(struct follow *follow, const struct game_setup *setup,
	     unsigned faults, int viewer,
	     const unsigned char seed[DRAWS_SEED_BYTES])
{
	memset(follow, 0, offsetof(struct follow, ev));
	follow->game.setup = *setup;
	follow->viewer = viewer;
	follow->faults_max = faults;
	follow->script.token = told_token;
	follow->script.unknown = told_unknown;
	draws_seed(&follow->draws, seed);
	chance_told(&follow->chance, &follow->script, &follow->draws);
	follow->ev.wanted = true;
	events_clear(&follow->ev);
	told_clear(&follow->step);
}

int
follow_line(struct follow *follow, const char *line, size_t n)
{
	if (follow->lost)
		return -1;
	if (is_control(line, n))
		return 0;
	if (begins_with(line, n, "fault"))
		return take_fault(follow, line, n);
	if ((begins_with(line, n, "move") || begins_with(line, n, "quiet")) &&
	    follow_settle(follow) != 0)
		return -1;
	if (told_add(&follow->step, line, n))
		return 0;
	follow->lost = true;
	return -1;
}

int
follow_settle(struct follow *follow)
{
	if (!follow->lost && follow->step.lines > 0) {
		follow->lost = !take_step(follow);
		told_clear(&follow->step);
	}
	return follow->lost || !follow->begun ? -1 : 0;
}
