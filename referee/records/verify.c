/* referee/records/verify.c - plays a record's moves again and compares every
 * line.
 *
 * The body is read with one cursor, `at`.  The header names the game.  Then for
 * each decision: `ask` lines are compared with the legal lists, `fault` lines
 * with the seats that may have made one; the move is given to the game, and the
 * lines that the game writes are compared.  Each function that reads body lines
 * returns false at the end of the walk: the verdict has a difference, or an
 * aborted record has ended. */
#include "referee/records/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/fault.h"
#include "protocol/hidden.h"
#include "referee/records/verify-header.h"

/* The place of a token that was read for chance. */
struct place {
	unsigned at;	/* line of the body */
	unsigned token; /* number of the token in this line */
	size_t start;	/* its first byte */
};

struct verify {
	struct chance_script script; /* first member: chance holds it */
	const struct record *record;
	struct verdict *verdict;
	struct verify_watch *watch;

	unsigned at;	/* line of the body that comes next */
	unsigned end;	/* end of the lines that are read now */
	bool with_asks; /* every decision has its `ask` lines */
	bool aborted;	/* the lines have ended, as they may */
	struct verify_header header;

	unsigned faults[SEATS_MAX];
	const char *why[SEATS_MAX]; /* reasons of the last faults */
	unsigned retired;	    /* bit s: seat s is retired */
	unsigned left[SEATS_MAX];   /* the retired seats in order */
	unsigned lefts;

	struct place read; /* the token that chance read last */
	struct place odd;  /* the first token that cannot have been drawn */
	bool is_odd;

	struct chance chance;
	struct game game;
	struct legal legal;
	struct events events;
};

/* ---- what differs ------------------------------------------------------ */

static bool differs(struct verify *v, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Sets the verdict: line `at` breaks the format. */
static bool
differs(struct verify *v, const char *fmt, ...)
{
	const struct record *record = v->record;
	va_list ap;

	va_start(ap, fmt);
	verdict_say(v->verdict->expected, fmt, ap);
	va_end(ap);
	if (v->at < record->bodies) {
		v->verdict->line = record->body[v->at].number;
		verdict_quote(v->verdict->found, record->body[v->at].text);
		return false;
	}
	v->verdict->line = record_end_line(record);
	snprintf(v->verdict->found, VERDICT_BYTES, "the end of the record");
	return false;
}

/* Returns the next line of the body.  Returns NULL at the end of the walk. */
static const struct record_line *
next_line(struct verify *v, const char *expected)
{
	if (v->at < v->end)
		return &v->record->body[v->at];
	if (v->record->aborted)
		v->aborted = true;
	else
		differs(v, "%s", expected);
	return NULL;
}

static bool
is_seat(const struct verify *v, char digit)
{
	return digit >= '0' && digit < '0' + (int)v->record->seats;
}

static bool
next_is(const struct verify *v, const char *word)
{
	return v->at < v->end &&
	       record_after(&v->record->body[v->at], word) != NULL;
}

/* ---- chance from the record's own lines --------------------------------- */

/* Moves `read` to a token of its line or of another one.  Going on from its old
 * place keeps long lines cheap. */
static bool
seek(struct place *read, const struct record_line *line, unsigned at,
     unsigned token)
{
	const char *space;

	if (read->at != at || read->token > token)
		*read = (struct place){ .at = at };
	while (read->token < token) {
		space = strchr(line->text + read->start, ' ');
		if (!space) {
			read->start = line->n;
			return false;
		}
		read->start = (size_t)(space - line->text) + 1;
		read->token++;
	}
	return true;
}

static bool
copy_without_marks(const char *from, char to[32])
{
	size_t n = 0;

	for (; *from && *from != ' ' && *from != '}'; from++) {
		if (*from == '{')
			continue;
		if (n == 31)
			return false;
		to[n++] = *from;
	}
	to[n] = '\0';
	return n > 0;
}

/* Notes if the token before was impossible.  Called when the game asks for the
 * next token, or ends. */
static void
note_odd(struct verify *v)
{
	if (v->chance.failed && !v->is_odd) {
		v->odd = v->read;
		v->is_odd = true;
	}
}

static bool
script_token(struct chance_script *script, unsigned line, unsigned token,
	     char to[32])
{
	struct verify *v = (struct verify *)script;
	unsigned at = v->at + line;

	note_odd(v);
	if (at >= v->end) {
		v->read = (struct place){ .at = at };
		return false;
	}
	if (!seek(&v->read, &v->record->body[at], at, token))
		return false;
	return copy_without_marks(v->record->body[at].text + v->read.start, to);
}

/* ---- what the game writes ----------------------------------------------- */

static void
begin_step(struct verify *v)
{
	events_clear(&v->events);
	v->is_odd = v->chance.failed = false;
	v->read = (struct place){ .at = UINT32_MAX };
}

/* Returns true if the record's first difference from `text` is at a token that
 * cannot have been drawn: then `text` was not expected there. */
static bool
drawn_oddly(const struct verify *v, const char *text, size_t n)
{
	const char *found;

	if (!v->is_odd || v->odd.at != v->at)
		return false;
	if (v->at >= v->end)
		return true;
	found = v->record->body[v->at].text;
	return v->odd.start <= n && strncmp(found, text, v->odd.start) == 0;
}

static bool
take_line(struct verify *v, const char *text, size_t n)
{
	const struct record_line *line = NULL;
	const char *verb_end = memchr(text, ' ', n);
	int verb = (int)(verb_end ? (size_t)(verb_end - text) : n);

	if (v->at < v->end)
		line = &v->record->body[v->at];
	else if (v->record->aborted)
		return next_line(v, "") != NULL;
	if (line && line->n == n && memcmp(line->text, text, n) == 0) {
		v->at++;
		return true;
	}
	if (!drawn_oddly(v, text, n))
		return differs(v, "`%.*s`", (int)n, text);
	if (!line)
		return differs(v, "a line `%.*s`", verb, text);
	return differs(v,
		       "a line `%.*s` whose word number %u can still be drawn",
		       verb, text, v->odd.token + 1);
}

static bool
take_events(struct verify *v)
{
	const char *line = v->events.text;
	const char *end = line + v->events.used;
	const char *lf;

	note_odd(v);
	for (; line < end; line = lf + 1) {
		lf = memchr(line, '\n', (size_t)(end - line));
		if (!lf)
			bug("%s leaves a line open", v->record->game);
		if (!take_line(v, line, (size_t)(lf - line)))
			return false;
	}
	return true;
}

/* ---- asks --------------------------------------------------------------- */

static bool
take_ask(struct verify *v, unsigned seat)
{
	const struct record_line *line = next_line(v, "an `ask` line");
	struct text text = { .max = LINE_REFEREE_BYTES };
	const char *expected;
	bool same;

	if (!line)
		return false;
	verify_ask(&v->game, seat, &text);
	expected = text_string(&text);
	same = line->n == text.used && (strcmp(line->text, expected) == 0 ||
					verify_same_ask(line->text, expected));
	if (same)
		v->at++;
	else
		differs(v, "`%s`, in any order from the second move on",
			expected);
	text_release(&text);
	return same;
}

static bool
take_asks(struct verify *v)
{
	if (!v->with_asks)
		return true;
	for (unsigned seat = 0; seat < v->record->seats; seat++)
		if (v->game.decision.asked >> seat & 1 && !take_ask(v, seat))
			return false;
	return true;
}

/* ---- faults ------------------------------------------------------------- */

static void
retire(struct verify *v, unsigned faulty)
{
	for (unsigned seat = 0; seat < v->record->seats; seat++) {
		if (!(faulty >> seat & 1) ||
		    v->faults[seat] != v->header.faults)
			continue;
		v->retired |= 1u << seat;
		v->left[v->lefts++] = seat;
	}
}

/* Takes one `fault S WHY`.  `*faulty` has the seats with a fault in this
 * decision. */
static bool
take_fault(struct verify *v, unsigned *faulty)
{
	const struct record_line *line = &v->record->body[v->at];
	const char *text = line->text;
	enum fault why;
	unsigned seat;

	if (line->n < 9 || text[7] != ' ' || !is_seat(v, text[6]))
		return differs(v, "`fault SEAT WHY`");
	seat = (unsigned)(text[6] - '0');
	if (!(v->game.decision.asked >> seat & 1))
		return differs(v, "a fault of a seat that is asked here");
	if (v->retired >> seat & 1)
		return differs(v,
			       "no fault of seat %u, which was retired "
			       "at fault number %u",
			       seat, v->header.faults);
	if (*faulty >> seat)
		return differs(v, "faults of one decision in the order of "
				  "the seats, one a seat");
	if (!fault_read(text + 8, strlen(text + 8), &why))
		return differs(v, "a fault that is `timeout`, `illegal`, "
				  "`protocol` or `crash`");
	*faulty |= 1u << seat;
	v->faults[seat]++;
	v->why[seat] = fault_name(why);
	v->at++;
	return true;
}

static bool
take_faults(struct verify *v, unsigned *bound)
{
	unsigned faulty = 0;

	while (next_is(v, "fault"))
		if (!take_fault(v, &faulty))
			return false;
	*bound = (faulty | v->retired) & v->game.decision.asked;
	if (v->header.faults)
		retire(v, faulty);
	return true;
}

/* ---- moves -------------------------------------------------------------- */

static struct move
house_move(struct verify *v, unsigned seat)
{
	struct move move;

	game_legal(&v->game, seat, &v->legal);
	move = v->legal.move[0];
	move.forced = 1;
	return move;
}

static bool
same_move(struct move one, struct move other)
{
	return memcmp(&one, &other, sizeof(one)) == 0;
}

/* Returns the move with the lowest priority of a seat that cannot pass: if it
 * comes before another seat's move, all its moves do. */
static struct move
last_move(struct verify *v, unsigned seat)
{
	const struct verb *verbs = v->game.setup.rules->verbs;
	struct move last = house_move(v, seat);

	for (unsigned i = 1; i < v->legal.count; i++)
		if (verbs[v->legal.move[i].verb].priority >
		    verbs[last.verb].priority)
			last = v->legal.move[i];
	last.top = last.n;
	return last;
}

/* Returns true if `move` of `mover` can take effect in the open decision, in
 * which the seats in `bound` can only have given their house moves. */
static bool
comes_first(struct verify *v, unsigned mover, struct move move, unsigned bound)
{
	const struct decision *decision = &v->game.decision;
	struct move answer[SEATS_MAX] = { 0 };

	/* Every move comes before a house move if the order is by arrival. */
	if (v->header.arrival)
		return true;
	for (unsigned seat = 0; seat < v->record->seats; seat++) {
		if (!(decision->asked >> seat & 1))
			continue;
		if (seat == mover)
			answer[seat] = move;
		else if (bound >> seat & 1)
			answer[seat] = house_move(v, seat);
		else if ((int)seat == decision->holder)
			answer[seat] = last_move(v, seat);
	}
	return game_first(&v->game, answer) == (int)mover;
}

/* Reads `move S token` without marks. */
static bool
read_move(struct verify *v, unsigned *seat, struct move *move)
{
	const struct record_line *line = &v->record->body[v->at];
	char plain[LINE_REFEREE_BYTES + 1];
	ssize_t n = -1;
	const char *token, *end;

	if (line->n <= LINE_REFEREE_BYTES)
		n = hidden_redact(line->text, line->n, VIEW_ALL, plain);
	if (n < 0)
		return differs(v, "a line with its marks in order");
	plain[n] = '\0';
	if (n < 8 || plain[6] != ' ' || !is_seat(v, plain[5]))
		return differs(v, "`move SEAT TOKEN`");
	*seat = (unsigned)(plain[5] - '0');
	if (!(v->game.decision.asked >> *seat & 1))
		return differs(v, "a move of a seat that is asked here");
	token = plain + 7;
	end = strchrnul(token, ' ');
	if (game_move_read(v->game.setup.rules, token, (size_t)(end - token),
			   move))
		return differs(v, "a move of %s", v->record->game);
	return true;
}

static bool
refuse_move(struct verify *v, unsigned seat)
{
	struct text text = { .max = LINE_REFEREE_BYTES };
	const char *tokens;

	verify_ask(&v->game, seat, &text);
	tokens = text_string(&text) + strlen("ask N");
	differs(v, "a legal move of seat %u, one of%s", seat, tokens);
	text_release(&text);
	return false;
}

static bool
refuse_other(struct verify *v, unsigned seat)
{
	char token[MOVE_BYTES];

	game_move_token(v->game.setup.rules, house_move(v, seat), token);
	return differs(v, "the house move of seat %u, `move %u %s`", seat, seat,
		       token);
}

static bool
take_move(struct verify *v, unsigned bound)
{
	const struct decision *decision = &v->game.decision;
	struct move move;
	unsigned seat;

	if (!read_move(v, &seat, &move))
		return false;
	move.forced = bound >> seat & 1;
	if (move.forced && !same_move(move, house_move(v, seat)))
		return refuse_other(v, seat);
	if (decision->kind == DECISION_OPEN) {
		if (move.verb == VERB_PASS)
			return differs(v, "no `pass` in an open decision");
		if (!comes_first(v, seat, move, bound))
			return differs(v, "a move that goes before the house "
					  "moves of others");
	}
	begin_step(v);
	if (!game_play(&v->game, seat, move, &v->chance, &v->events))
		return refuse_move(v, seat);
	return take_events(v);
}

static bool
take_quiet(struct verify *v)
{
	const struct decision *decision = &v->game.decision;

	if (decision->kind != DECISION_OPEN || decision->holder >= 0)
		return differs(v, "a `move` of a seat that is asked here");
	begin_step(v);
	game_quiet(&v->game, &v->chance, &v->events);
	return take_events(v);
}

static bool
take_decision(struct verify *v)
{
	unsigned bound;

	if (v->watch)
		v->watch->decision(v->watch, v->at, &v->game);
	if (!take_asks(v) || !take_faults(v, &bound))
		return false;
	if (!next_line(v, "a `move`"))
		return false;
	if (next_is(v, "move"))
		return take_move(v, bound);
	if (next_is(v, "quiet"))
		return take_quiet(v);
	return differs(v, v->with_asks || v->game.decision.holder >= 0
				  ? "`fault` or `move`"
				  : "`fault`, `move` or `quiet`");
}

/* ---- the whole record --------------------------------------------------- */

static bool
take_forfeits(struct verify *v)
{
	const struct record_line *line;
	char expected[32];

	for (unsigned i = 0; i < v->lefts; i++) {
		snprintf(expected, sizeof(expected), "`forfeit %u %s`",
			 v->left[i], v->why[v->left[i]]);
		line = next_line(v, expected);
		if (!line)
			return false;
		if (strncmp(line->text, expected + 1, strlen(expected) - 2) !=
			    0 ||
		    line->n != strlen(expected) - 2)
			return differs(v, "%s", expected);
		v->at++;
	}
	return true;
}

static bool
has_asks(const struct record *record)
{
	for (unsigned i = 0; i < record->bodies; i++)
		if (record_after(&record->body[i], "ask") != NULL)
			return true;
	return false;
}

/* Takes the game up to its end, or to where it was aborted. */
static bool
take_game(struct verify *v)
{
	v->end = v->record->bodies;
	if (v->record->aborted)
		v->end -= v->record->forfeits;
	begin_step(v);
	game_start(&v->game, &v->header.setup, &v->chance, &v->events);
	if (!take_events(v))
		return v->aborted;
	while (!game_is_over(&v->game))
		if (!take_decision(v))
			return v->aborted;
	return true;
}

static bool
take_body(struct verify *v)
{
	if (!take_game(v))
		return false;
	v->end = v->record->bodies;
	v->aborted = false;
	if (!take_forfeits(v))
		return v->aborted;
	if (v->at < v->end)
		return differs(v, "the end of the record");
	return true;
}

void
verify_record(const struct record *record, bool by_rules,
	      struct verify_watch *watch, struct verdict *verdict)
{
	struct verify *v = zeroed(1, sizeof(*v));

	memset(verdict, 0, sizeof(*verdict));
	v->script.token = script_token;
	v->record = record;
	v->verdict = verdict;
	v->watch = watch;
	v->with_asks = has_asks(record);
	v->events.wanted = true;
	if (verify_header_read(&v->header, record, by_rules, verdict) == 0) {
		verdict->sealed = v->header.sealed;
		if (verdict->sealed)
			deal_chance(&v->header.deal, &v->header.setup,
				    &v->header.entropy, &v->chance);
		else
			chance_scripted(&v->chance, &v->script);
		verdict->ok = take_body(v);
	}
	free(v);
}

void
verify_pruned(const struct record *record, struct verdict *verdict)
{
	struct verify_header header;
	unsigned at = 0;

	memset(verdict, 0, sizeof(*verdict));
	if (verify_header_forms(&header, record, verdict) != 0)
		return;
	while (at < record->bodies &&
	       record_after(&record->body[at], "result") != NULL)
		at++;
	if (at == record->bodies && at == record->seats) {
		verdict->ok = true;
		return;
	}
	verdict->line = at < record->bodies ? record->body[at].number
					    : record_end_line(record);
	snprintf(verdict->expected, VERDICT_BYTES,
		 "one `result` line for each seat and nothing else");
	if (at < record->bodies)
		verdict_quote(verdict->found, record->body[at].text);
	else
		snprintf(verdict->found, VERDICT_BYTES, "%u of them", at);
}
