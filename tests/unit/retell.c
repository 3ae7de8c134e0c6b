/* tests/unit/retell.c - random rounds, and the same rounds from other deals. */
#include "tests/unit/retell.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"

/* ---- the tale --------------------------------------------------------- */

/* In the text of a step the number of the line `round …`, or -1. */
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

/* Adds what has just happened; a new round begins the tale anew. */
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

/* Random answers: what takes effect. */
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
	uint8_t hidden[HIDDEN_MAX];
	unsigned count, next;
	struct game game;
	struct chance chance;
	struct events ev;
	char why[1024];
};

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

/* Line number `number` of the step as it was: its start, or NULL. */
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

/* Token `number` of a line, its marks dropped, and whether it is marked as a
 * whole. */
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

/* What chance draws: in this round face up as it was, face down as the new
 * deal has it. */
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
	if (!marked || (r->step == tale->step && line < tale->round_at))
		return true;
	if (r->next == r->count)
		return false;
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
	return NULL;
}

/* The move of this step, with what is hidden of it as the new deal has it. */
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
	move.piece[0] = r->hidden[r->next++];
	return move;
}

static const char *
retell_step(struct retelling *r, int viewer)
{
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

const char *
retell_check(struct tale *tale, const struct game *game, int viewer)
{
	static struct retelling r;
	const char *why = NULL;
	unsigned i;

	memset(&r, 0, offsetof(struct retelling, ev));
	r.script.token = retold_token;
	r.tale = tale;
	r.ev.wanted = true;
	r.count = game_hidden(game, r.hidden);
	r.step = tale->step;
	r.game = tale->step[0].before;
	chance_scripted(&r.chance, &r.script);
	for (i = 0; i < tale->steps && !why; i++) {
		r.step = &tale->step[i];
		why = retell_step(&r, viewer);
	}
	if (why)
		return why;
	if (r.chance.failed || r.next != r.count)
		return complain(&r, "%u of %u hidden pieces were drawn", r.next,
				r.count);
	r.game.stamp = game->stamp;
	if (!play_same(&r.game, game))
		return complain(&r, "it does not end as it was resampled");
	return NULL;
}
