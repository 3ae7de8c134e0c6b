/* tests/unit/retell.c - plays random rounds, and the same rounds from other
 * deals. */
#include "tests/unit/retell.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"

/* ---- the tale --------------------------------------------------------- */

/* Returns the number of the line `round …` in the text of a step, or -1. */
static int
round_line(const struct events *ev)
{
	char line[LINE_REFEREE_BYTES + 1];
	size_t at = 0;
	int i;

	for (i = 0; play_next_line(ev, &at, line); i++)
		if (strncmp(line, "round ", 6) == 0)
			return i;
	return -1;
}

/* Adds the last step; a new round begins the tale again. */
static void
tell(struct tale *tale, const struct tale_step *step)
{
	int at = round_line(&tale->ev);
	struct tale_step *to;

	if (at >= 0) {
		tale->steps = tale->used = 0;
		tale->round_at = (unsigned)at;
		tale->too_long = false;
	}
	if (tale->steps == TALE_STEPS ||
	    tale->ev.used > TALE_BYTES - tale->used)
		tale->too_long = true;
	if (tale->too_long)
		return;
	to = &tale->step[tale->steps++];
	*to = *step;
	to->at = tale->used;
	to->used = tale->ev.used;
	memcpy(tale->text + to->at, tale->ev.text, to->used);
	tale->used += to->used;
}

void
tale_begin(struct tale *tale, const struct game_setup *setup, uint64_t seed)
{
	struct tale_step step = { .start = true };

	tale->dice.state = seed * 77 + 1;
	tale->ev.wanted = true;
	step.before.setup = *setup;
	play_seeded(&tale->game, setup, seed, &tale->chance, &tale->ev);
	tell(tale, &step);
}

static struct move
answer_of(struct tale *tale, const struct legal *legal)
{
	struct move move;

	if (tale->forced && dice_below(&tale->dice, tale->forced) == 0) {
		move = legal->move[0];
		move.forced = 1;
		return move;
	}
	if (legal->move[0].verb == VERB_PASS &&
	    dice_below(&tale->dice, 10) < tale->quiet)
		return legal->move[0];
	return dice_move(&tale->dice, legal);
}

/* Gives random answers and chooses the one that takes effect. */
static void
choose(struct tale *tale, struct tale_step *step)
{
	const struct decision *decision = &tale->game.decision;
	struct move answer[SEATS_MAX];
	struct legal legal;
	unsigned i, seat;

	for (i = 0; i < decision->count; i++) {
		seat = decision->seat[i];
		game_legal(&tale->game, seat, &legal);
		answer[seat] = answer_of(tale, &legal);
	}
	step->seat = decision->kind == DECISION_SINGLE
			     ? decision->holder
			     : game_first(&tale->game, answer);
	if (step->seat >= 0)
		step->move = answer[step->seat];
}

static void
take_step(struct tale *tale, const struct tale_step *step)
{
	events_clear(&tale->ev);
	if (step->seat < 0)
		game_quiet(&tale->game, &tale->chance, &tale->ev);
	else if (!game_play(&tale->game, (unsigned)step->seat, step->move,
			    &tale->chance, &tale->ev))
		bug("a legal move was refused");
}

void
tale_go_on(struct tale *tale)
{
	unsigned tries = tale->patience;
	static struct tale_step step;
	struct chance chance = tale->chance;

	step.before = tale->game;
	step.start = false;
	for (;;) {
		choose(tale, &step);
		take_step(tale, &step);
		if (tries-- == 0)
			break;
		if (!game_is_over(&tale->game) && round_line(&tale->ev) < 0)
			break;
		tale->game = step.before;
		tale->chance = chance;
	}
	tell(tale, &step);
}

void
tale_view(const char *line, size_t n, int viewer, char *out)
{
	ssize_t used = hidden_redact(line, n, viewer, out);

	if (used < 0)
		bug("a line that cannot be shown: %.*s", (int)n, line);
	out[used] = '\0';
}

/* ---- retold ----------------------------------------------------------- */

struct retelling {
	struct chance_script script; /* first: the callback gets its address */
	const struct tale *tale;
	const struct tale_step *step;
	int viewer;
	struct hidden_row *row; /* to fill in, or NULL */
	struct text *lines;	/* to fill in, or NULL */
	uint8_t hidden[HIDDEN_MAX];
	unsigned count, next;
	struct game game;
	struct chance chance;
	struct events ev;
	char why[1024];
};

PRINTF_LIKE(2, 3)
static const char *
complain(struct retelling *r, const char *format, ...)
{
	va_list args;
	int n;

	n = snprintf(r->why, sizeof(r->why),
		     "step %u: ", (unsigned)(r->step - r->tale->step));
	va_start(args, format);
	vsnprintf(r->why + n, sizeof(r->why) - (size_t)n, format, args);
	va_end(args);
	return r->why;
}

/* Returns the start of line `number` of the original step, or NULL. */
static const char *
told_line(const struct retelling *r, unsigned number, size_t *n)
{
	const char *line = r->tale->text + r->step->at;
	const char *end = line + r->step->used, *lf;

	for (; line < end; line = lf + 1) {
		lf = memchr(line, '\n', (size_t)(end - line));
		*n = (size_t)(lf - line);
		if (number-- == 0)
			return line;
	}
	return NULL;
}

/* Copies token `number` of a line without marks; returns true if it is marked
 * as a whole. */
static bool
told_token(const char *line, size_t n, unsigned number, char to[32],
	   bool *marked)
{
	const char *end = line + n;
	bool inside = false;
	size_t used = 0;

	*marked = false;
	for (; line < end && number > 0; line++) {
		if (*line == '{' || *line == '}')
			inside = *line == '{';
		number -= *line == ' ';
	}
	for (; line < end && *line != ' '; line++) {
		if (*line == '{') {
			inside = true;
			*marked = used == 0;
		} else if (*line == '}') {
			break;
		} else if (used < 31) {
			*marked |= inside && used == 0;
			to[used++] = *line;
		}
	}
	to[used] = '\0';
	return used > 0;
}

/* Returns the pieces whose names match this, where `?` stands for any rest. */
static card_set
pieces_like(const struct deck *deck, const char *token)
{
	size_t n = strcspn(token, ":"), known = strcspn(token, "?");
	card_set like = 0;
	unsigned i;

	for (i = 0; i < deck->count; i++)
		if (known < n ? strncmp(deck->name[i], token, known) == 0
			      : strlen(deck->name[i]) == n &&
					strncmp(deck->name[i], token, n) == 0)
			like |= (card_set)1 << i;
	return like;
}

/* Notes what the viewer reads of the next hidden piece, which is in token
 * `token` of the line. */
static void
note_hidden(struct retelling *r, const char *line, size_t n, unsigned token,
	    bool moved)
{
	const struct deck *deck = r->tale->game.setup.rules->deck;
	char view[LINE_REFEREE_BYTES + 1], word[32], *part = word;
	bool marked;

	if (!r->row)
		return;
	tale_view(line, n, r->viewer, view);
	told_token(view, strlen(view), token, word, &marked);
	if (moved && strchr(word, ':'))
		part = strchr(word, ':') + 1;
	r->row->moved[r->next] = moved;
	r->row->alike[r->next] = pieces_like(deck, part);
}

static void
note_open(struct retelling *r, const char *token)
{
	const struct deck *deck = r->tale->game.setup.rules->deck;
	int piece = card_find(deck, token, strlen(token));

	if (r->row && piece >= 0)
		r->row->face_up[piece]++;
}

/* Draws for the new deal: open pieces of this round as before, hidden ones from
 * the new deal. */
static bool
retold_token(struct chance_script *script, unsigned line, unsigned token,
	     char to[32])
{
	struct retelling *r = (struct retelling *)script;
	const struct tale *tale = r->tale;
	const struct deck *deck = tale->game.setup.rules->deck;
	const char *told;
	bool marked;
	size_t n;

	told = told_line(r, line, &n);
	if (!told || !told_token(told, n, token, to, &marked))
		return false;
	if (r->step == tale->step && line < tale->round_at)
		return true;
	if (!marked) {
		note_open(r, to);
		return true;
	}
	if (r->next == r->count)
		return false;
	note_hidden(r, told, n, token, false);
	snprintf(to, 32, "%s", deck->name[r->hidden[r->next++]]);
	return true;
}

static const char *
same_asks(struct retelling *r, int viewer)
{
	const struct game *before = &r->step->before;
	struct legal was, is;

	if (memcmp(&before->decision, &r->game.decision,
		   sizeof(before->decision)) != 0)
		return complain(r, "another decision");
	if (viewer < 0 || !(before->decision.asked >> viewer & 1))
		return NULL;
	game_legal(before, (unsigned)viewer, &was);
	game_legal(&r->game, (unsigned)viewer, &is);
	if (was.count != is.count ||
	    memcmp(was.move, is.move, was.count * sizeof(was.move[0])) != 0)
		return complain(r, "the viewer is asked something else");
	return NULL;
}

static void
keep_lines(const struct retelling *r)
{
	if (r->lines != NULL)
		text_add(r->lines, r->ev.text, r->ev.used);
}

static const char *
same_lines(struct retelling *r, int viewer)
{
	char was[LINE_REFEREE_BYTES + 1], is[LINE_REFEREE_BYTES + 1];
	char line[LINE_REFEREE_BYTES + 1];
	const char *told;
	unsigned number = 0;
	size_t at = 0, n;

	while (play_next_line(&r->ev, &at, line)) {
		told = told_line(r, number++, &n);
		if (!told)
			return complain(r, "one more line: %s", line);
		tale_view(told, n, viewer, was);
		tale_view(line, strlen(line), viewer, is);
		if (strcmp(was, is) != 0)
			return complain(r, "`%s` became `%s`", was, is);
	}
	told = told_line(r, number, &n);
	if (told)
		return complain(r, "no line for `%.*s`", (int)n, told);
	keep_lines(r);
	return NULL;
}

/* Returns the move of this step, with its hidden part from the new deal. */
static struct move
retold_move(struct retelling *r)
{
	struct move move = r->step->move;
	const char *line;
	size_t n = 0;

	line = told_line(r, 0, &n);
	if (r->step == r->tale->step || !memchr(line, '{', n) ||
	    r->next == r->count)
		return move;
	note_hidden(r, line, n, 2, true);
	move.piece[0] = r->hidden[r->next++];
	return move;
}

static const char *
retell_step(struct retelling *r)
{
	int viewer = r->viewer;
	const struct tale_step *step = r->step;
	const char *why;

	events_clear(&r->ev);
	if (step->start) {
		game_start(&r->game, &step->before.setup, &r->chance, &r->ev);
		return same_lines(r, viewer);
	}
	why = same_asks(r, viewer);
	if (why)
		return why;
	if (step->seat < 0)
		game_quiet(&r->game, &r->chance, &r->ev);
	else if (!game_play(&r->game, (unsigned)step->seat, retold_move(r),
			    &r->chance, &r->ev))
		return complain(r, "seat %d cannot do what it did", step->seat);
	return same_lines(r, viewer);
}

/* Retells the whole round, with r->hidden. */
static const char *
retell_all(struct retelling *r)
{
	const struct tale *tale = r->tale;
	const char *why = NULL;
	unsigned i;

	r->script.token = retold_token;
	r->ev.wanted = true;
	r->next = 0;
	r->step = tale->step;
	game_copy(&r->game, &tale->step[0].before);
	chance_scripted(&r->chance, &r->script);
	for (i = 0; i < tale->steps && !why; i++) {
		r->step = &tale->step[i];
		why = retell_step(r);
		if (!why && r->chance.failed)
			why = complain(r,
				       "a piece was drawn that is not there");
	}
	if (!why && r->next != r->count)
		why = complain(r, "%u of %u hidden pieces were drawn", r->next,
			       r->count);
	return why;
}

static struct retelling *
retelling_of(const struct tale *tale, int viewer)
{
	static struct retelling r;

	r.tale = tale;
	r.viewer = viewer;
	r.row = NULL;
	r.lines = NULL;
	return &r;
}

const char *
retell(const struct tale *tale, const uint8_t *hidden, unsigned count,
       int viewer)
{
	struct retelling *r = retelling_of(tale, viewer);

	memcpy(r->hidden, hidden, count);
	r->count = count;
	return retell_all(r);
}

void
tale_row(const struct tale *tale, int viewer, struct hidden_row *row)
{
	struct retelling *r = retelling_of(tale, viewer);
	const char *why;

	memset(row, 0, sizeof(*row));
	r->row = row;
	r->count = row->count = game_hidden(&tale->game, row->piece);
	memcpy(r->hidden, row->piece, row->count);
	why = retell_all(r);
	if (why)
		bug("the truth is not possible: %s", why);
}

const char *
retell_check(const struct tale *tale, const struct game *game, int viewer)
{
	return retell_lines(tale, game, viewer, NULL);
}

const char *
retell_lines(const struct tale *tale, const struct game *game, int viewer,
	     struct text *to)
{
	struct retelling *r = retelling_of(tale, viewer);
	const char *why;

	r->lines = to;
	r->count = game_hidden(game, r->hidden);
	why = retell_all(r);
	if (why)
		return why;
	r->game.stamp = game->stamp;
	if (!play_same(&r->game, game))
		return complain(r, "it does not end as it was resampled");
	return NULL;
}
