/* referee/sample.c - see sample.h.
 *
 * What is kept of a round: its steps as the viewer reads them, every piece that
 * chance drew, in order, and what was made of the moves that were read in part.
 * Of that, the pieces that were read as `?` are the deal; together with those
 * that were never drawn they are a row of places, and a proposal lets two of
 * them change places. */
#include "referee/sample.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "referee/told.h"

#define TRIES 50000  /* to find a deal that agrees with a new step */
#define PATIENCE 250 /* of them until a worse deal is taken, too */
#define NO_STEP UINT32_MAX
/* How well a deal does: so much for each step, line and piece that is right. */
#define SCORE_STEP ((uint64_t)1 << 32)
#define SCORE_LINE 4096
#define SCORE_PIECE 64

struct sample_step {
	uint32_t at, n;	     /* its lines in the sample's text */
	uint32_t first, end; /* its draws */
	bool start, quiet;
	bool partly; /* the viewer has not read all of the move */
	bool marked; /* there is a mark in it, at least for others */
	unsigned seat;
	card_set alike; /* pieces that would read the same in it */
	struct move move;
	uint64_t asked; /* what the viewer is asked then */
};

struct sample_draw {
	uint8_t piece;
	bool hidden;   /* from the viewer, and not of a round before */
	bool marked;   /* drawn into a mark, and not of a round before */
	uint16_t line; /* of its step */
};

/* ---- what was told ---------------------------------------------------- */

static const char *
step_word(const struct sample *s, unsigned line, unsigned word, size_t *length)
{
	const struct sample_step *step = &s->step[s->now];

	return told_word(s->text + step->at, step->n, line, word, length);
}

/* The pieces that the new step names from a place on. */
static card_set
named_from(const struct sample *s, unsigned line, unsigned word, bool partly)
{
	const struct sample_step *step = &s->step[s->now];
	const char *at;
	size_t n;

	at = step_word(s, line, word, &n);
	if (!at)
		return 0;
	return told_pieces(s->game.setup.rules->deck, at,
			   s->text + step->at + step->n, partly);
}

/* ---- chance ----------------------------------------------------------- */

/* Whether the step that is being played is not settled yet. */
static bool
is_new(const struct sample *s)
{
	return s->is_new && s->now + 1 == s->steps;
}

static struct sample_draw *
draw_at(struct sample *s, unsigned i)
{
	const unsigned had = s->draw_room;

	if (i >= had) {
		s->draw_room = 2 * i + 64;
		s->draw = memory(s->draw, s->draw_room * sizeof(*s->draw));
		s->row = memory(s->row, s->draw_room * sizeof(*s->row));
		/* A draw that fails leaves its place as it is. */
		memset(s->draw + had, 0,
		       (s->draw_room - had) * sizeof(*s->draw));
	}
	return &s->draw[i];
}

/* For a `?` of the new step: what it was when it was last tried, or any piece
 * that is not named later on. */
static int
guess_card(struct sample *s, const struct events *ev, card_set from)
{
	const struct sample_draw *draw = &s->draw[s->next_draw];
	card_set may;

	if (s->next_draw < s->draws_made && draw->hidden &&
	    from >> draw->piece & 1)
		return draw->piece;
	may = from & ~named_from(s, ev->lines, ev->tokens, false);
	if (!may)
		may = from;
	return (int)card_nth(may, draws_below(&s->draws, cards_count(may)));
}

/* Whether the next word of the line that is being written is in a mark. */
static bool
in_mark(const struct events *ev)
{
	const char *line = ev->text + ev->line_at;
	size_t n = ev->used - ev->line_at;

	return ev->hide || (memchr(line, '{', n) && !memchr(line, '}', n));
}

/* A draw of the new step. */
static int
new_card(struct sample *s, const struct events *ev, card_set from,
	 const struct deck *deck)
{
	struct sample_draw *draw = draw_at(s, s->next_draw);
	const char *word;
	bool hidden;
	int piece;
	size_t n;

	word = step_word(s, ev->lines, ev->tokens, &n);
	if (s->next_draw >= s->draws_made) /* there may be no such word */
		*draw = (struct sample_draw){ .hidden = false };
	if (!word)
		return -1;
	hidden = n == 1 && *word == '?';
	piece = hidden ? guess_card(s, ev, from) : card_find(deck, word, n);
	if (piece < 0)
		return -1;
	*draw = (struct sample_draw){ .piece = (uint8_t)piece,
				      .hidden = hidden,
				      .marked = in_mark(ev),
				      .line = (uint16_t)ev->lines };
	if (s->next_draw >= s->draws_made)
		s->draws_made = s->next_draw + 1;
	return piece;
}

/* What is left of what could be drawn. */
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

/* The new step has begun a round: the stock of the one before is kept apart. */
static void
end_stock(struct sample *s)
{
	s->old = s->stock;
	s->stock = (struct sample_stock){ .first = s->next_draw,
					  .next_round = true };
}

static int
sample_card(struct chance_script *script, const struct events *ev,
	    card_set from, card_set twice, const struct deck *deck)
{
	struct sample *s = (struct sample *)script;
	int piece = -1;

	if (is_new(s) && ev->lines >= s->round_at && !s->stock.next_round)
		end_stock(s);
	if (is_new(s))
		piece = new_card(s, ev, from, deck);
	else if (s->next_draw < s->step[s->now].end)
		piece = s->draw[s->next_draw].piece;
	s->next_draw++;
	if (piece < 0)
		return -1;
	note_stock(&s->stock, from, twice, (card_set)1 << piece);
	return from >> piece & 1 ? piece : -1;
}

/* Numbers are told to all. */
static bool
sample_token(struct chance_script *script, unsigned line, unsigned token,
	     char to[32])
{
	const char *word;
	size_t n;

	word = step_word((struct sample *)script, line, token, &n);
	if (!word || n > 31)
		return false;
	memcpy(to, word, n);
	to[n] = '\0';
	return true;
}

/* ---- the same for the viewer ------------------------------------------ */

/* A line that is not as it should be: which pieces are wrong in it, and how
 * much is right. */
static void
note_difference(struct sample *s, const char *told, size_t told_n,
		const char *view, size_t n)
{
	const struct deck *deck = s->game.setup.rules->deck;
	card_set should = told_pieces(deck, told, told + told_n, false);
	card_set is = told_pieces(deck, view, view + n, false);
	size_t at = 0;

	s->agreed += SCORE_PIECE * cards_count(should & is);
	for (; at < n && told[at] == view[at]; at++)
		s->agreed += told[at] == ' ';
	if (should != is) {
		s->wanted = should & ~is;
		s->got = is & ~should;
		return;
	}
	while (at > 0 && told[at - 1] != ' ')
		at--; /* the same ones, elsewhere */
	n = strcspn(told + at, " \n");
	s->wanted = told_like(deck, told + at, n);
	n = strcspn(view + at, " \n");
	s->got = told_like(deck, view + at, n);
}

/* Whether the viewer reads a line like this. */
static bool
same_line(struct sample *s, const char *told, size_t told_n, const char *line,
	  size_t n)
{
	char view[LINE_REFEREE_BYTES + 1];
	ssize_t used = hidden_redact(line, n, s->viewer, view);

	if (used < 0)
		return false;
	if ((size_t)used == told_n && memcmp(view, told, told_n) == 0) {
		s->agreed += SCORE_LINE;
		s->lines++;
		return true;
	}
	view[used] = '\0';
	note_difference(s, told, told_n, view, (size_t)used);
	return false;
}

static bool
same_lines(struct sample *s, const struct sample_step *step)
{
	const char *told = s->text + step->at, *end = told + step->n, *lf;
	const char *line = s->ev.text, *line_end = line + s->ev.used, *line_lf;

	if (s->ev.used == step->n && memcmp(line, told, step->n) == 0)
		return true; /* nothing is hidden */
	for (; told < end && line < line_end; told = lf + 1) {
		lf = memchr(told, '\n', (size_t)(end - told));
		line_lf = memchr(line, '\n', (size_t)(line_end - line));
		if (!same_line(s, told, (size_t)(lf - told), line,
			       (size_t)(line_lf - line)))
			return false;
		line = line_lf + 1;
	}
	return told == end && line == line_end;
}

/* What the viewer is asked, as a number (Fowler, Noll and Vo's). */
static uint64_t
asked_now(const struct sample *s)
{
	const struct decision *decision = &s->trial.decision;
	uint64_t hash = 14695981039346656037u;
	const unsigned char *byte;
	struct legal legal;
	size_t n;

	if (s->viewer < 0 || !(decision->asked >> s->viewer & 1))
		return 0;
	game_legal(&s->trial, (unsigned)s->viewer, &legal);
	byte = (const unsigned char *)legal.move;
	for (n = legal.count * sizeof(legal.move[0]); n > 0; n--)
		hash = (hash ^ *byte++) * 1099511628211u;
	return hash;
}

/* ---- a round is played again ------------------------------------------ */

/* Whether a token may read like this word, in which `?` hides the rest. */
static bool
reads_like(const char *token, const char *word, size_t n)
{
	const char *hidden = memchr(word, '?', n);

	if (hidden)
		return strncmp(token, word, (size_t)(hidden - word)) == 0;
	return strlen(token) == n && memcmp(token, word, n) == 0;
}

/* Any move that the viewer may read like that of this step. */
static bool
guess_move(struct sample *s, struct sample_step *step)
{
	char token[MOVE_BYTES];
	struct legal legal;
	unsigned i, n = 0;
	const char *word;
	size_t bytes;

	word = step_word(s, 0, 2, &bytes);
	game_legal(&s->trial, step->seat, &legal);
	for (i = 0; i < legal.count; i++) {
		if (legal.move[i].n != legal.move[i].top)
			continue;
		game_move_token(s->game.setup.rules, legal.move[i], token);
		if (reads_like(token, word, bytes))
			legal.move[n++] = legal.move[i];
	}
	if (n == 0)
		return false;
	legal.move[0] = legal.move[draws_below(&s->draws, n)];
	legal.move[0].forced = step->move.forced;
	step->move = legal.move[0];
	return true;
}

static bool
make_move(struct sample *s, struct sample_step *step)
{
	const struct decision *decision = &s->trial.decision;

	if (step->start) {
		game_start(&s->trial, &s->game.setup, &s->chance, &s->ev);
		return true;
	}
	if (step->quiet) {
		if (decision->kind != DECISION_OPEN || decision->holder >= 0)
			return false;
		game_quiet(&s->trial, &s->chance, &s->ev);
		return true;
	}
	if (!(decision->asked >> step->seat & 1) ||
	    (s->now == s->again && !guess_move(s, step)))
		return false;
	return game_play(&s->trial, step->seat, step->move, &s->chance, &s->ev);
}

/* Whether there is a mark in the first line. */
static bool
marked_move(const struct events *ev)
{
	const char *lf = memchr(ev->text, '\n', ev->used);

	return memchr(ev->text, '{', (size_t)(lf - ev->text));
}

/* Step `s->now`: whether all is as the viewer was told. */
static bool
play_step(struct sample *s)
{
	struct sample_step *step = &s->step[s->now];
	uint64_t asked;

	if (is_new(s))
		game_copy(&s->last, &s->trial);
	s->next_draw = step->first;
	events_clear(&s->ev);
	if (!make_move(s, step))
		return false;
	s->agreed = 1; /* it is legal */
	if (is_new(s))
		step->end = s->next_draw;
	if (s->next_draw != step->end || !same_lines(s, step) ||
	    s->chance.failed)
		return false;
	asked = asked_now(s);
	if (is_new(s)) {
		step->asked = asked;
		step->marked =
			!step->start && !step->quiet && marked_move(&s->ev);
	}
	return step->asked == asked;
}

/* Plays the trial on from a step; how much of the round is as it should be. */
static uint64_t
try_from(struct sample *s, unsigned step)
{
	s->chance.failed = false;
	s->agreed = s->lines = 0;
	s->wanted = s->got = 0;
	for (s->now = step; s->now < s->steps && play_step(s); s->now++)
		s->agreed = s->lines = 0;
	return s->now * SCORE_STEP + s->agreed;
}

/* Plays the round. */
static uint64_t
try_deal(struct sample *s)
{
	s->stock = (struct sample_stock){ 0 };
	game_copy(&s->trial, &s->before);
	return try_from(s, 0);
}

/* The trial becomes the game. */
static void
keep_trial(struct sample *s)
{
	game_copy(&s->game, &s->trial);
	s->kept = s->stock;
}

/* ---- the row ---------------------------------------------------------- */

/* Finds the places that the viewer cannot look into, among these draws and what
 * was left then. */
static void
find_row(struct sample *s, unsigned from, unsigned to,
	 const struct sample_stock *stock)
{
	card_set one = stock->one, twice = stock->twice;

	s->drawn = s->rest = 0;
	for (; from < to; from++)
		if (s->draw[from].hidden)
			s->row[s->drawn++] = from;
	while (one)
		s->left[s->rest++] = (uint8_t)card_take_lowest(&one);
	while (twice)
		s->left[s->rest++] = (uint8_t)card_take_lowest(&twice);
}

static uint8_t *
place(struct sample *s, unsigned i)
{
	return i < s->drawn ? &s->draw[s->row[i]].piece
			    : &s->left[i - s->drawn];
}

/* A place of the row where one of these pieces lies, or -1. */
static int
find_place(struct sample *s, card_set pieces)
{
	unsigned all = s->drawn + s->rest, i, k;

	if (all == 0)
		return -1;
	for (i = 0, k = draws_below(&s->draws, all); i < all; i++, k++)
		if (pieces >> *place(s, k % all) & 1)
			return (int)(k % all);
	return -1;
}

/* Two places; the same: there are none. */
struct pair {
	unsigned one, other;
	uint8_t piece[2]; /* what lay in them */
};

struct proposal {
	struct pair pair[2]; /* the first, then the second */
	bool moves;	     /* the pieces of the first change in moves that are
			      * read in part, too */
	unsigned again;	     /* this move becomes another, or NO_STEP */
	struct move was;
};

static void
exchange_moves(struct sample *s, unsigned piece, unsigned other)
{
	uint8_t *at;
	unsigned i;

	for (i = 0; i < s->steps; i++) {
		at = &s->step[i].move.piece[0];
		if (s->step[i].partly && (*at == piece || *at == other))
			*at = (uint8_t)(*at == piece ? other : piece);
	}
}

static void
exchange_places(struct sample *s, struct pair *pair)
{
	pair->piece[0] = *place(s, pair->one);
	pair->piece[1] = *place(s, pair->other);
	*place(s, pair->one) = pair->piece[1];
	*place(s, pair->other) = pair->piece[0];
}

static void
put_back(struct sample *s, const struct pair *pair)
{
	*place(s, pair->one) = pair->piece[0];
	*place(s, pair->other) = pair->piece[1];
}

static void
exchange(struct sample *s, struct proposal *p)
{
	if (s->drawn == 0)
		return;
	exchange_places(s, &p->pair[0]);
	if (p->moves)
		exchange_moves(s, p->pair[0].piece[0], p->pair[0].piece[1]);
	exchange_places(s, &p->pair[1]);
}

static void
undo(struct sample *s, const struct proposal *p)
{
	if (p->again != NO_STEP)
		s->step[p->again].move = p->was;
	if (s->drawn == 0)
		return;
	put_back(s, &p->pair[1]);
	if (p->moves)
		exchange_moves(s, p->pair[0].piece[0], p->pair[0].piece[1]);
	put_back(s, &p->pair[0]);
}

/* ---- other deals ------------------------------------------------------ */

/* One of the moves that the viewer has read in part. */
static unsigned
hidden_move(struct sample *s)
{
	unsigned k = draws_below(&s->draws, s->hidden_moves), i;

	for (i = 0; !s->step[i].partly || k-- > 0; i++)
		;
	return i;
}

/* The pieces that the viewer holds to be played, or shown. */
static card_set
played(const struct sample *s)
{
	card_set pieces = s->named;
	unsigned i;

	for (i = 0; s->hidden_moves > 0 && i < s->steps; i++)
		if (s->step[i].partly)
			pieces |= (card_set)1 << s->step[i].move.piece[0];
	return pieces;
}

/* A place, if it can be with a piece that was not played: only of those each
 * may lie nearly anywhere. */
static unsigned
free_place(struct sample *s)
{
	card_set not = played(s);
	unsigned tries, i;

	for (tries = 0; tries < 8; tries++) {
		i = draws_below(&s->draws, s->drawn + s->rest);
		if (!(not >> *place(s, i) & 1))
			break;
	}
	return i;
}

/* A move that is read in part is made with a piece that reads the same, which
 * lies where the other one did; or that is in the same hand. */
static struct proposal
other_move(struct sample *s)
{
	struct proposal p = { .again = NO_STEP, .moves = true };
	unsigned i = hidden_move(s);
	const struct sample_step *step = &s->step[i];
	card_set was = (card_set)1 << step->move.piece[0];
	int one = find_place(s, was), other = find_place(s, step->alike & ~was);

	if (draws_below(&s->draws, 3) == 0) {
		p.again = i;
		p.was = step->move;
	} else if (one >= 0 && other >= 0) {
		p.pair[0].one = (unsigned)one;
		p.pair[0].other = (unsigned)other;
	}
	return p;
}

static struct pair
any_pair(struct sample *s)
{
	return (struct pair){
		.one = draws_below(&s->draws, s->drawn),
		.other = draws_below(&s->draws, s->drawn + s->rest),
	};
}

static struct proposal
any_proposal(struct sample *s)
{
	struct proposal p = { .again = NO_STEP };

	if (s->drawn == 0 ||
	    (s->hidden_moves && draws_below(&s->draws, 3) == 0))
		return s->hidden_moves ? other_move(s) : p;
	if (draws_below(&s->draws, 3) > 0) {
		p.pair[0].one = free_place(s);
		p.pair[0].other = free_place(s);
	} else {
		p.pair[0] = any_pair(s);
		if (draws_below(&s->draws, 4) == 0) {
			p.pair[1] = any_pair(s);
			return p;
		}
	}
	p.moves = s->hidden_moves && draws_below(&s->draws, 2);
	return p;
}

void
sample_walk(struct sample *s, unsigned n)
{
	struct proposal p;

	if (s->drawn == 0 && s->hidden_moves == 0)
		return;
	for (; n > 0; n--) {
		p = any_proposal(s);
		s->again = p.again;
		exchange(s, &p);
		if (try_deal(s) == s->steps * SCORE_STEP)
			keep_trial(s);
		else
			undo(s, &p);
	}
}

/* ---- a new step ------------------------------------------------------- */

/* A piece that was told in the new step, and may not lie where it should, for
 * another one. */
static struct proposal
mending(struct sample *s)
{
	struct proposal p = any_proposal(s);
	int from, to = -1;

	if (p.again != NO_STEP || s->drawn == 0 ||
	    draws_below(&s->draws, 4) == 0)
		return p;
	if (s->wanted && draws_below(&s->draws, 4) > 0) {
		from = find_place(s, s->wanted);
		to = find_place(s, s->got);
	} else {
		from = find_place(s, named_from(s, 0, 0, true));
	}
	if (from < 0)
		return p;
	p.pair[0].one = (unsigned)from;
	p.pair[0].other = to >= 0 ? (unsigned)to : free_place(s);
	if (draws_below(&s->draws, 3) == 0)
		p.pair[1] = any_pair(s);
	return p;
}

/* What was drawn when the new step was tried.  Where it begins a round, first
 * all before that has to be right, then the new deal. */
static void
keep_try(struct sample *s)
{
	const struct sample_step *step = &s->step[s->steps - 1];

	s->draws_made = s->agreed > 0 ? step->end : step->first;
	if (!s->stock.next_round)
		find_row(s, 0, s->draws_made, &s->stock);
	else if (s->lines < s->round_at)
		find_row(s, 0, s->stock.first, &s->old);
	else
		find_row(s, s->stock.first, s->draws_made, &s->stock);
}

/* Begins with another deal that agrees with the steps before, if the game itself
 * can make one. */
static void
start_elsewhere(struct sample *s)
{
	uint8_t piece[HIDDEN_MAX];
	unsigned n = 0, i, k = 0;

	if (!s->game.setup.rules->resample || s->steps == 1)
		return;
	game_resample(&s->game, s->viewer, &s->draws);
	game_hidden(&s->game, piece);
	for (i = 0; i + 1 < s->steps; i++) {
		if (s->step[i].marked)
			s->step[i].move.piece[0] = piece[n++];
		for (; k < s->step[i].end; k++)
			if (s->draw[k].marked)
				s->draw[k].piece = piece[n++];
	}
}

/* Goes from deal to deal, all of which agree with the steps before, never to
 * one that agrees with less of the new one; or now and then. */
static bool
find_deal(struct sample *s)
{
	uint64_t all = s->steps * SCORE_STEP, least = all - SCORE_STEP;
	bool partly = s->step[s->steps - 1].partly;
	struct proposal p = { .again = NO_STEP };
	uint64_t best = least, score;
	unsigned tries;

	for (tries = 1; tries <= TRIES; tries++) {
		s->again = p.again != NO_STEP ? p.again
			   : partly	      ? s->steps - 1
					      : NO_STEP;
		score = tries == 1 ? try_from(s, s->steps - 1) : try_deal(s);
		if (score == all)
			return true;
		if (tries % PATIENCE == 1)
			best = least;
		if (score >= best) {
			best = score;
			keep_try(s);
		} else {
			undo(s, &p);
		}
		if (s->drawn + s->hidden_moves == 0)
			break;
		s->now = s->steps - 1;
		p = (struct proposal){ .again = NO_STEP };
		if (tries % PATIENCE == 0)
			start_elsewhere(s);
		else
			p = mending(s);
		exchange(s, &p);
	}
	return false;
}

/* The last step has begun a round: what was before is settled. */
static void
begin_round(struct sample *s)
{
	struct sample_step *step = &s->step[s->steps - 1];
	unsigned i, n = 0;

	game_copy(&s->before, &s->last);
	for (i = step->first; i < step->end; i++, n++) {
		s->draw[n] = s->draw[i];
		s->draw[n].hidden &= s->draw[n].line >= s->round_at;
		s->draw[n].marked &= s->draw[n].line >= s->round_at;
	}
	memmove(s->text, s->text + step->at, step->n + 1);
	s->used = step->n;
	step->at = step->first = 0;
	step->end = s->draws_made = n;
	step->partly = step->marked = false;
	s->step[0] = *step;
	s->steps = 1;
	s->hidden_moves = 0;
	s->now = 0;
	s->named = named_from(s, s->round_at, 0, false);
}

static struct sample_step *
keep_lines(struct sample *s, const char *lines, size_t n)
{
	struct sample_step *step;

	if (s->steps == s->step_room) {
		s->step_room = 2 * s->step_room + 64;
		s->step = memory(s->step, s->step_room * sizeof(*s->step));
	}
	if (s->used + n + 1 > s->text_room) {
		s->text_room = 2 * (s->used + n) + 4096;
		s->text = memory(s->text, s->text_room);
	}
	memcpy(s->text + s->used, lines, n);
	s->text[s->used + n] = '\0';
	step = &s->step[s->steps++];
	*step = (struct sample_step){ .at = (uint32_t)s->used,
				      .n = (uint32_t)n,
				      .first = s->draws_made,
				      .start = !s->begun };
	s->used += n;
	s->begun = true;
	return step;
}

/* `move S TOKEN` or `quiet`; false if it is neither. */
static bool
read_step(struct sample *s, struct sample_step *step, bool forced)
{
	const struct game_rules *rules = s->game.setup.rules;
	const char *lines = s->text + step->at, *word, *piece;
	size_t n;

	step->quiet = strncmp(lines, "quiet\n", 6) == 0;
	if (step->start || step->quiet)
		return true;
	word = told_word(lines, step->n, 0, 2, &n);
	if (!word || strncmp(lines, "move ", 5) != 0 || lines[6] != ' ' ||
	    lines[5] < '0' || lines[5] >= '0' + s->game.setup.seats)
		return false;
	step->seat = (unsigned)(lines[5] - '0');
	step->partly = memchr(word, '?', n);
	if (!step->partly && game_move_read(rules, word, n, &step->move) != 0)
		return false;
	step->move.forced = forced;
	if (step->partly) {
		s->hidden_moves++;
		piece = memchr(word, ':', n);
		piece = piece ? piece + 1 : word;
		step->alike = told_like(rules->deck, piece,
					(size_t)(word + n - piece));
		if (!step->alike) /* all of it is hidden */
			step->alike = ~(card_set)0;
	}
	return true;
}

int
sample_step(struct sample *s, const char *lines, size_t n, bool forced)
{
	struct sample_step *step = keep_lines(s, lines, n);

	draw_at(s, s->draws_made); /* so that there is a row */
	if (!read_step(s, step, forced))
		return -1;
	s->round_at = told_round(s->text + step->at, n);
	s->is_new = true;
	s->stock = s->kept;
	game_copy(&s->trial, &s->game);
	if (!find_deal(s))
		return -1;
	s->is_new = false;
	keep_trial(s);
	s->draws_made = step->end;
	s->now = s->steps - 1;
	s->named |= named_from(s, 0, 0, false);
	if (s->round_at != TOLD_NO_LINE)
		begin_round(s);
	s->kept.next_round = false;
	find_row(s, 0, s->draws_made, &s->kept);
	return 0;
}

void
sample_begin(struct sample *s, const struct game_setup *setup, int viewer,
	     const unsigned char seed[DRAWS_SEED_BYTES])
{
	s->begun = s->is_new = false;
	s->steps = s->draws_made = s->hidden_moves = 0;
	s->drawn = s->rest = 0;
	s->kept = (struct sample_stock){ 0 };
	s->named = 0;
	s->used = 0;
	s->viewer = viewer;
	s->again = NO_STEP;
	memset(&s->before, 0, sizeof(s->before));
	s->before.setup = *setup;
	game_copy(&s->game, &s->before);
	s->script.token = sample_token;
	s->script.card = sample_card;
	chance_scripted(&s->chance, &s->script);
	draws_seed(&s->draws, seed);
	s->ev.wanted = true;
}

void
sample_release(struct sample *s)
{
	free(s->step);
	free(s->draw);
	free(s->row);
	free(s->text);
	memset(s, 0, sizeof(*s));
}
