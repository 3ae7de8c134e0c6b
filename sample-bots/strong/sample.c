/* sample.c - see sample.h. */
#include "sample.h"

#include <string.h>

#include "told.h"

#define TRIES 50000  /* to find a deal that agrees with a new step */
#define PATIENCE 250 /* number of them until a worse deal is accepted, too */

/* Makes the trial the game. */
static void
keep_trial(struct sample *s)
{
	game_copy(&s->game, &s->deal.round.trial);
	s->kept = s->deal.round.stock;
}

void
sample_walk(struct sample *s, unsigned n)
{
	struct sample_round *r = &s->deal.round;
	struct sample_proposal p;

	if (s->deal.drawn == 0 && r->hidden_moves == 0)
		return;
	for (; n > 0; n--) {
		p = sample_propose(&s->deal);
		r->again = p.again;
		sample_exchange(&s->deal, &p);
		if (sample_try(r) == r->steps * SAMPLE_SCORE_STEP)
			keep_trial(s);
		else
			sample_undo(&s->deal, &p);
	}
}

/* ---- a new step ------------------------------------------------------- */

/* Proposes to exchange a piece that was told in the new step, and may not lie where it
 * should, for another one. */
static struct sample_proposal
mending(struct sample_deal *d)
{
	struct sample_round *r = &d->round;
	struct sample_proposal p = sample_propose(d);
	int from, to = -1;

	if (p.again != SAMPLE_NO_STEP || d->drawn == 0 ||
	    draws_below(&r->draws, 4) == 0)
		return p;
	if (r->fit.wanted && draws_below(&r->draws, 4) > 0) {
		from = sample_find_place(d, r->fit.wanted);
		to = sample_find_place(d, r->fit.got);
	} else {
		from = sample_find_place(d, sample_named(r, 0, 0, true));
	}
	if (from < 0)
		return p;
	p.pair[0].one = (unsigned)from;
	p.pair[0].other = to >= 0 ? (unsigned)to : sample_free_place(d);
	if (draws_below(&r->draws, 3) == 0)
		p.pair[1] = sample_any_pair(d);
	return p;
}

/* Keeps the draws of the try of the new step.  Where it begins a round, first
 * everything before that must be right, then the new deal. */
static void
keep_try(struct sample_deal *d)
{
	struct sample_round *r = &d->round;
	const struct sample_step *step = &r->step[r->steps - 1];

	r->draws_made = r->fit.agreed > 0 ? step->end : step->first;
	if (!r->stock.next_round)
		sample_find_row(d, 0, r->draws_made, &r->stock);
	else if (r->fit.lines < r->round_at)
		sample_find_row(d, 0, r->stock.first, &r->old);
	else
		sample_find_row(d, r->stock.first, r->draws_made, &r->stock);
}

/* Begins with another deal that agrees with the steps before, if the game itself
 * can make one. */
static void
start_elsewhere(struct sample *s)
{
	struct sample_round *r = &s->deal.round;
	uint8_t piece[HIDDEN_MAX];
	unsigned n = 0, i, k = 0;

	if (!s->game.setup.rules->resample || r->steps == 1)
		return;
	game_resample(&s->game, r->eye.viewer, &r->draws);
	game_hidden(&s->game, piece);
	for (i = 0; i + 1 < r->steps; i++) {
		if (r->step[i].marked)
			r->step[i].move.piece[0] = piece[n++];
		for (; k < r->step[i].end; k++)
			if (r->draw[k].marked)
				r->draw[k].piece = piece[n++];
	}
}

/* Goes from deal to deal, all of which agree with the steps before, never to
 * one that agrees with less of the new one; or now and then. */
static bool
find_deal(struct sample *s)
{
	struct sample_round *r = &s->deal.round;
	uint64_t all = r->steps * SAMPLE_SCORE_STEP,
		 least = all - SAMPLE_SCORE_STEP;
	bool partly = r->step[r->steps - 1].partly;
	struct sample_proposal p = { .again = SAMPLE_NO_STEP };
	uint64_t best = least, score;
	unsigned tries;

	for (tries = 1; tries <= TRIES; tries++) {
		r->again = p.again != SAMPLE_NO_STEP ? p.again
			   : partly		     ? r->steps - 1
						     : SAMPLE_NO_STEP;
		score = tries == 1 ? sample_try_from(r, r->steps - 1)
				   : sample_try(r);
		if (score == all)
			return true;
		if (tries % PATIENCE == 1)
			best = least;
		if (score >= best) {
			best = score;
			keep_try(&s->deal);
		} else {
			sample_undo(&s->deal, &p);
		}
		if (s->deal.drawn + r->hidden_moves == 0)
			break;
		r->now = r->steps - 1;
		p = (struct sample_proposal){ .again = SAMPLE_NO_STEP };
		if (tries % PATIENCE == 0)
			start_elsewhere(s);
		else
			p = mending(&s->deal);
		sample_exchange(&s->deal, &p);
	}
	return false;
}

/* `move S TOKEN` or `quiet`; false if it is neither. */
static bool
read_step(struct sample_round *r, struct sample_step *step, bool forced)
{
	const struct game_setup *setup = &r->before.setup;
	const char *lines = r->text + step->at, *word, *piece;
	size_t n;

	step->quiet = strncmp(lines, "quiet\n", 6) == 0;
	if (step->start || step->quiet)
		return true;
	word = told_word(lines, step->n, 0, 2, &n);
	if (!word || strncmp(lines, "move ", 5) != 0 || lines[6] != ' ' ||
	    lines[5] < '0' || lines[5] >= '0' + setup->seats)
		return false;
	step->seat = (unsigned)(lines[5] - '0');
	step->partly = memchr(word, '?', n);
	if (!step->partly &&
	    game_move_read(setup->rules, word, n, &step->move) != 0)
		return false;
	step->move.forced = forced;
	if (step->partly) {
		r->hidden_moves++;
		piece = memchr(word, ':', n);
		piece = piece ? piece + 1 : word;
		step->alike = told_like(r->eye.deck, piece,
					(size_t)(word + n - piece));
		if (!step->alike) /* all of it is hidden */
			step->alike = ~(card_set)0;
	}
	return true;
}

int
sample_step(struct sample *s, const char *lines, size_t n, bool forced)
{
	struct sample_round *r = &s->deal.round;
	struct sample_step *step = sample_keep_lines(r, lines, n);

	if (!read_step(r, step, forced))
		return -1;
	r->round_at = told_round(r->text + step->at, n);
	r->is_new = true;
	r->stock = s->kept;
	game_copy(&r->trial, &s->game);
	if (!find_deal(s))
		return -1;
	r->is_new = false;
	keep_trial(s);
	r->draws_made = step->end;
	r->now = r->steps - 1;
	r->named |= sample_named(r, 0, 0, false);
	if (r->round_at != TOLD_NO_LINE)
		sample_next_round(r);
	s->kept.next_round = false;
	sample_find_row(&s->deal, 0, r->draws_made, &s->kept);
	return 0;
}

void
sample_begin(struct sample *s, const struct game_setup *setup, int viewer,
	     const unsigned char seed[DRAWS_SEED_BYTES])
{
	sample_round_begin(&s->deal.round, setup, viewer, seed);
	s->deal.drawn = s->deal.rest = 0;
	s->kept = (struct sample_stock){ 0 };
	game_copy(&s->game, &s->deal.round.before);
}

void
sample_release(struct sample *s)
{
	sample_deal_release(&s->deal);
	memset(s, 0, sizeof(*s));
}
