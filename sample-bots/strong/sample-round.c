/* sample-round.c - see sample-round.h. */
#include "sample-round.h"

#include <stdlib.h>
#include <string.h>

#include "told.h"

/* ---- what was told ---------------------------------------------------- */

static const char *
step_word(const struct sample_round *r, unsigned line, unsigned word,
	  size_t *length)
{
	const struct sample_step *step = &r->step[r->now];

	return told_word(r->text + step->at, step->n, line, word, length);
}

card_set
sample_named(const struct sample_round *r, unsigned line, unsigned word,
	     bool partly)
{
	const struct sample_step *step = &r->step[r->now];
	const char *at;
	size_t n;

	at = step_word(r, line, word, &n);
	if (!at)
		return 0;
	return told_pieces(r->eye.deck, at, r->text + step->at + step->n,
			   partly);
}

/* ---- chance ----------------------------------------------------------- */

/* Returns true if the step that is being played is not settled yet. */
static bool
is_new(const struct sample_round *r)
{
	return r->is_new && r->now + 1 == r->steps;
}

static struct sample_draw *
draw_at(struct sample_round *r, unsigned i)
{
	const unsigned had = r->draw_room;

	if (i >= had) {
		r->draw_room = 2 * i + 64;
		r->draw = memory(r->draw, r->draw_room * sizeof(*r->draw));
		/* A draw that fails leaves its place as it is. */
		memset(r->draw + had, 0,
		       (r->draw_room - had) * sizeof(*r->draw));
	}
	return &r->draw[i];
}

/* Guesses a `?` of the new step: what it was when it was last tried, or any piece that
 * is not named later on. */
static int
guess_card(struct sample_round *r, const struct events *ev, card_set from)
{
	const struct sample_draw *draw = &r->draw[r->next_draw];
	card_set may;

	if (r->next_draw < r->draws_made && draw->hidden &&
	    from >> draw->piece & 1)
		return draw->piece;
	may = from & ~sample_named(r, ev->lines, ev->tokens, false);
	if (!may)
		may = from;
	return (int)card_nth(may, draws_below(&r->draws, cards_count(may)));
}

/* Returns true if the next word of the line that is being written is in a mark. */
static bool
in_mark(const struct events *ev)
{
	const char *line = ev->text + ev->line_at;
	size_t n = ev->used - ev->line_at;

	return ev->hide || (memchr(line, '{', n) && !memchr(line, '}', n));
}

/* Draws a piece of the new step. */
static int
new_card(struct sample_round *r, const struct events *ev, card_set from,
	 const struct deck *deck)
{
	struct sample_draw *draw = draw_at(r, r->next_draw);
	const char *word;
	bool hidden;
	int piece;
	size_t n;

	word = step_word(r, ev->lines, ev->tokens, &n);
	if (r->next_draw >= r->draws_made) /* there may be no such word */
		*draw = (struct sample_draw){ .hidden = false };
	if (!word)
		return -1;
	hidden = n == 1 && *word == '?';
	piece = hidden ? guess_card(r, ev, from) : card_find(deck, word, n);
	if (piece < 0)
		return -1;
	*draw = (struct sample_draw){ .piece = (uint8_t)piece,
				      .hidden = hidden,
				      .marked = in_mark(ev),
				      .line = (uint16_t)ev->lines };
	if (r->next_draw >= r->draws_made)
		r->draws_made = r->next_draw + 1;
	return piece;
}

/* Takes `drawn` out of what is left in the stock. */
static void
note_stock(struct sample_stock *stock, card_set from, card_set twice,
	   card_set drawn)
{
	stock->one |= from;
	stock->twice = (stock->twice & ~from) | twice;
	if (stock->twice & drawn)
		stock->twice &= ~drawn;
	else
		stock->one &= ~drawn;
}

/* Keeps the stock of the round before apart: the new step has begun a round. */
static void
end_stock(struct sample_round *r)
{
	r->old = r->stock;
	r->stock = (struct sample_stock){ .first = r->next_draw,
					  .next_round = true };
}

static int
sample_card(struct chance_script *script, const struct events *ev,
	    card_set from, card_set twice, const struct deck *deck)
{
	struct sample_round *r = (struct sample_round *)script;
	int piece = -1;

	if (is_new(r) && ev->lines >= r->round_at && !r->stock.next_round)
		end_stock(r);
	if (is_new(r))
		piece = new_card(r, ev, from, deck);
	else if (r->next_draw < r->step[r->now].end)
		piece = r->draw[r->next_draw].piece;
	r->next_draw++;
	if (piece < 0)
		return -1;
	note_stock(&r->stock, from, twice, (card_set)1 << piece);
	return from >> piece & 1 ? piece : -1;
}

/* Numbers are told to all. */
static bool
sample_token(struct chance_script *script, unsigned line, unsigned token,
	     char to[32])
{
	const char *word;
	size_t n;

	word = step_word((struct sample_round *)script, line, token, &n);
	if (!word || n > 31)
		return false;
	memcpy(to, word, n);
	to[n] = '\0';
	return true;
}

/* ---- what is asked ----------------------------------------------------- */

/* Returns a hash of the viewer's legal moves (Fowler, Noll and Vo's), or 0 if it is not
 * asked. */
static uint64_t
asked_now(const struct sample_round *r)
{
	const struct decision *decision = &r->trial.decision;
	uint64_t hash = 14695981039346656037u;
	const unsigned char *byte;
	struct legal legal;
	size_t n;

	if (r->eye.viewer < 0 || !(decision->asked >> r->eye.viewer & 1))
		return 0;
	game_legal(&r->trial, (unsigned)r->eye.viewer, &legal);
	byte = (const unsigned char *)legal.move;
	for (n = legal.count * sizeof(legal.move[0]); n > 0; n--)
		hash = (hash ^ *byte++) * 1099511628211u;
	return hash;
}

/* ---- a round is played again ------------------------------------------ */

/* Returns true if a token may read like this word, in which `?` hides the rest. */
static bool
reads_like(const char *token, const char *word, size_t n)
{
	const char *hidden = memchr(word, '?', n);

	if (hidden)
		return strncmp(token, word, (size_t)(hidden - word)) == 0;
	return strlen(token) == n && memcmp(token, word, n) == 0;
}

/* Makes any move that the viewer may read like that of this step. */
static bool
guess_move(struct sample_round *r, struct sample_step *step)
{
	char token[MOVE_BYTES];
	struct legal legal;
	unsigned i, n = 0;
	const char *word;
	size_t bytes;

	word = step_word(r, 0, 2, &bytes);
	game_legal(&r->trial, step->seat, &legal);
	for (i = 0; i < legal.count; i++) {
		if (legal.move[i].n != legal.move[i].top)
			continue;
		game_move_token(r->before.setup.rules, legal.move[i], token);
		if (reads_like(token, word, bytes))
			legal.move[n++] = legal.move[i];
	}
	if (n == 0)
		return false;
	legal.move[0] = legal.move[draws_below(&r->draws, n)];
	legal.move[0].forced = step->move.forced;
	step->move = legal.move[0];
	return true;
}

static bool
make_move(struct sample_round *r, struct sample_step *step)
{
	const struct decision *decision = &r->trial.decision;

	if (step->start) {
		game_start(&r->trial, &r->before.setup, &r->chance, &r->ev);
		return true;
	}
	if (step->quiet) {
		if (decision->kind != DECISION_OPEN || decision->holder >= 0)
			return false;
		game_quiet(&r->trial, &r->chance, &r->ev);
		return true;
	}
	if (!(decision->asked >> step->seat & 1) ||
	    (r->now == r->again && !guess_move(r, step)))
		return false;
	return game_play(&r->trial, step->seat, step->move, &r->chance, &r->ev);
}

/* Returns true if there is a mark in the first line. */
static bool
marked_move(const struct events *ev)
{
	const char *lf = memchr(ev->text, '\n', ev->used);

	return memchr(ev->text, '{', (size_t)(lf - ev->text));
}

/* Plays step `r->now`; returns true if all is as the viewer was told. */
static bool
play_step(struct sample_round *r)
{
	struct sample_step *step = &r->step[r->now];
	uint64_t asked;

	if (is_new(r))
		game_copy(&r->last, &r->trial);
	r->next_draw = step->first;
	events_clear(&r->ev);
	if (!make_move(r, step))
		return false;
	r->fit.agreed = 1; /* it is legal */
	if (is_new(r))
		step->end = r->next_draw;
	if (r->next_draw != step->end ||
	    !sample_same_lines(&r->eye, r->text + step->at, step->n, &r->ev,
			       &r->fit) ||
	    r->chance.failed)
		return false;
	asked = asked_now(r);
	if (is_new(r)) {
		step->asked = asked;
		step->marked =
			!step->start && !step->quiet && marked_move(&r->ev);
	}
	return step->asked == asked;
}

uint64_t
sample_try_from(struct sample_round *r, unsigned step)
{
	r->chance.failed = false;
	r->fit.agreed = r->fit.lines = 0;
	r->fit.wanted = r->fit.got = 0;
	for (r->now = step; r->now < r->steps && play_step(r); r->now++)
		r->fit.agreed = r->fit.lines = 0;
	return r->now * SAMPLE_SCORE_STEP + r->fit.agreed;
}

uint64_t
sample_try(struct sample_round *r)
{
	r->stock = (struct sample_stock){ 0 };
	game_copy(&r->trial, &r->before);
	return sample_try_from(r, 0);
}

/* ---- one more step ---------------------------------------------------- */

struct sample_step *
sample_keep_lines(struct sample_round *r, const char *lines, size_t n)
{
	struct sample_step *step;

	r->step = grown(r->step, r->steps, sizeof(*r->step));
	if (r->used + n + 1 > r->text_room) {
		r->text_room = 2 * (r->used + n) + 4096;
		r->text = memory(r->text, r->text_room);
	}
	memcpy(r->text + r->used, lines, n);
	r->text[r->used + n] = '\0';
	draw_at(r, r->draws_made); /* so that there is one */
	step = &r->step[r->steps++];
	*step = (struct sample_step){ .at = (uint32_t)r->used,
				      .n = (uint32_t)n,
				      .first = r->draws_made,
				      .start = !r->begun };
	r->used += n;
	r->begun = true;
	return step;
}

void
sample_next_round(struct sample_round *r)
{
	struct sample_step *step = &r->step[r->steps - 1];
	unsigned i, n = 0;

	game_copy(&r->before, &r->last);
	for (i = step->first; i < step->end; i++, n++) {
		r->draw[n] = r->draw[i];
		r->draw[n].hidden &= r->draw[n].line >= r->round_at;
		r->draw[n].marked &= r->draw[n].line >= r->round_at;
	}
	memmove(r->text, r->text + step->at, step->n + 1);
	r->used = step->n;
	step->at = step->first = 0;
	step->end = r->draws_made = n;
	step->partly = step->marked = false;
	r->step[0] = *step;
	r->steps = 1;
	r->hidden_moves = 0;
	r->now = 0;
	r->named = sample_named(r, r->round_at, 0, false);
}

void
sample_round_begin(struct sample_round *r, const struct game_setup *setup,
		   int viewer, const unsigned char seed[DRAWS_SEED_BYTES])
{
	r->begun = r->is_new = false;
	r->steps = r->draws_made = r->hidden_moves = 0;
	r->named = 0;
	r->used = 0;
	r->eye = (struct sample_eye){ setup->rules->deck, viewer };
	r->again = SAMPLE_NO_STEP;
	memset(&r->before, 0, sizeof(r->before));
	r->before.setup = *setup;
	r->script.token = sample_token;
	r->script.card = sample_card;
	chance_scripted(&r->chance, &r->script);
	draws_seed(&r->draws, seed);
	r->ev.wanted = true;
}

void
sample_round_release(struct sample_round *r)
{
	free(r->step);
	free(r->draw);
	free(r->text);
}
