/* tests/fuzz/fuzz-game.c - games with any answers.
 *
 * Input: a first line `GAME SEATS SEED [NAME=VALUE...]`, all of it taken as
 * well as it can be, then one line for each answer:
 *
 *	S TOKEN		seat S answers so, whether it may or not
 *	#BYTES		each byte picks one of the legal moves
 *	!S		the house moves for seat S
 *	?S		all that seat S cannot know is dealt again; the public
 *			if there is no such seat
 *	(empty)		all pass, if they all may
 *
 * A refused move changes nothing; after an accepted one everything is checked
 * that holds in games at any moment. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "referee/games/game.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/views.h"

#define STEPS_MAX 2000

/* Takes the place of a seat: all pass.  No byte of a line has this value. */
#define EVERYBODY 1000u

static struct game game, before;
static struct chance chance;
static struct draws draws; /* for other deals */
static struct events ev;
static unsigned steps;

static bool
word_is(struct fuzz_text word, const char *string)
{
	return word.n == strlen(string) && memcmp(word.at, string, word.n) == 0;
}

/* ---- setting up -------------------------------------------------------- */

static void
set_option(struct game_setup *setup, struct fuzz_text word)
{
	char why[SENTENCE_BYTES] = "", name[64] = "", value[64] = "";
	struct game_setup tried = *setup;
	struct fuzz_text part;

	if (fuzz_take(&word, '=', &part) && part.n < sizeof(name))
		memcpy(name, part.at, part.n);
	if (word.n < sizeof(value))
		memcpy(value, word.at, word.n);
	if (game_setup_option(&tried, name, value, why) != 0) {
		HOLDS(why[0] != '\0');
		HOLDS(memcmp(tried.option, setup->option,
			     sizeof(tried.option)) == 0);
		return;
	}
	HOLDS(why[0] == '\0');
	if (game_setup_check(&tried, why) == 0)
		*setup = tried;
	else
		HOLDS(why[0] != '\0');
}

static void
set_up(struct game_setup *setup, struct fuzz_text line)
{
	const struct game_rules *rules = games[0];
	char why[SENTENCE_BYTES];
	struct fuzz_text word = { 0 };
	unsigned i, seats = 0;

	fuzz_take(&line, ' ', &word);
	for (i = 0; games[i]; i++)
		if (word_is(word, games[i]->name))
			rules = games[i];
	if (fuzz_take(&line, ' ', &word) && word.n > 0)
		seats = (unsigned)(unsigned char)word.at[0] - '0';
	game_setup_init(setup, rules, seats);
	if (game_setup_seats(setup, why) != 0)
		game_setup_init(setup, rules, rules->min_seats);
	HOLDS(game_setup_seats(setup, why) == 0);
	HOLDS(game_setup_check(setup, why) == 0);
	memset(&word, 0, sizeof(word));
	fuzz_take(&line, ' ', &word); /* the seed */
	while (fuzz_take(&line, ' ', &word))
		set_option(setup, word);
}

static void
seed(struct fuzz_text line)
{
	unsigned char bytes[CHANCE_SEED_BYTES] = { 0 };
	struct fuzz_text word = { 0 };
	unsigned i;

	for (i = 0; i < 3; i++)
		if (!fuzz_take(&line, ' ', &word))
			word.n = 0;
	if (word.n > 0)
		memcpy(bytes, word.at,
		       word.n < sizeof(bytes) ? word.n : sizeof(bytes));
	chance_seed(&chance, bytes);
	draws_seed(&draws, bytes);
}

/* ---- what holds at any moment ------------------------------------------ */

static bool
unchanged(void)
{
	return game.stamp == before.stamp &&
	       memcmp(&game.decision, &before.decision,
		      sizeof(game.decision)) == 0 &&
	       memcmp(game.state, before.state,
		      game.setup.rules->state_bytes) == 0;
}

/* Returns true if the next draw comes from the same place. */
static bool
same_chance(const struct chance *other)
{
	return other->next == chance.next && other->block == chance.block &&
	       other->round == chance.round &&
	       memcmp(other->seed, chance.seed, sizeof(chance.seed)) == 0;
}

/* Checks that each token of the list reads back as its entry. */
static void
check_tokens(const struct legal *legal)
{
	char token[MOVE_BYTES], *exact;
	struct move move;
	unsigned i;
	size_t n;

	for (i = 0; i < legal->count; i++) {
		n = game_move_token(game.setup.rules, legal->move[i], token);
		HOLDS(n < MOVE_BYTES && strlen(token) == n);
		exact = fuzz_copy(token, n);
		if (legal->move[i].n < legal->move[i].top) {
			HOLDS(i > 0);
			HOLDS(game_move_read(game.setup.rules, exact, n,
					     &move) != 0);
		} else {
			HOLDS(game_move_read(game.setup.rules, exact, n,
					     &move) == 0);
			HOLDS(memcmp(&move, &legal->move[i], sizeof(move)) ==
			      0);
			HOLDS(game_is_legal(legal, move));
		}
		free(exact);
	}
}

static void
check_decision(void)
{
	static struct legal legal;
	const struct decision *decision = &game.decision;
	struct move pass = { .verb = VERB_PASS };
	unsigned i, seat, asked = 0;

	HOLDS(decision->count > 0);
	for (i = 0; i < decision->count; i++) {
		seat = decision->seat[i];
		HOLDS(seat < game.setup.seats && !(asked >> seat & 1));
		asked |= 1u << seat;
		game_legal(&game, seat, &legal);
		HOLDS(legal.count > 0);
		check_tokens(&legal);
		if (decision->kind == DECISION_OPEN)
			HOLDS(game_is_legal(&legal, pass) ==
			      ((int)seat != decision->holder));
	}
	HOLDS(asked == decision->asked);
	if (decision->kind == DECISION_SINGLE)
		HOLDS(decision->count == 1 &&
		      decision->seat[0] == decision->holder);
	else
		HOLDS(decision->kind == DECISION_OPEN);
}

static void
check_result(void)
{
	struct game_score score[SEATS_MAX];
	unsigned seat, other;
	int better;

	HOLDS(game.decision.count == 0 && game.decision.asked == 0);
	game_result(&game, score);
	for (seat = 0; seat < game.setup.seats; seat++) {
		better = 0;
		for (other = 0; other < game.setup.seats; other++)
			better += score[other].place < score[seat].place;
		HOLDS(score[seat].place == better + 1);
	}
}

static void
check_lines(void)
{
	struct fuzz_text text = { ev.text, ev.used }, line;
	unsigned lines = 0;

	HOLDS(ev.used > 0 && ev.text[ev.used - 1] == '\n');
	for (; fuzz_take(&text, '\n', &line); lines++) {
		HOLDS(line.n > 0 && line.n <= LINE_REFEREE_BYTES);
		HOLDS(line.at[0] != ' ' && line.at[line.n - 1] != ' ');
		HOLDS(memmem(line.at, line.n, "  ", 2) == NULL);
		HOLDS(views_nest(line.at, line.n, game.setup.seats));
	}
	HOLDS(lines == ev.lines);
}

static void
check_moment(void)
{
	check_lines();
	if (game_is_over(&game))
		check_result();
	else
		check_decision();
}

/* ---- answers ----------------------------------------------------------- */

/* Makes the same move again from the position before it, without text. */
static void
silently(unsigned seat, struct move move, struct chance was)
{
	static struct events none = { .wanted = false };

	if (seat == EVERYBODY)
		game_quiet(&before, &was, &none);
	else
		HOLDS(game_play(&before, seat, move, &was, &none));
	HOLDS(unchanged());
	HOLDS(same_chance(&was));
	HOLDS(none.used == 0);
}

/* Returns true if the move must be accepted: its token is in the seat's list,
 * itself or within a range, and it is not a pass that changes nothing. */
static bool
acceptable(unsigned seat, struct move move)
{
	static struct legal legal;
	char token[MOVE_BYTES], entry[MOVE_BYTES];
	struct move one;
	unsigned i;

	if (seat >= game.setup.seats || !(game.decision.asked >> seat & 1))
		return false;
	game_move_token(game.setup.rules, move, token);
	if (strcmp(token, "pass") == 0 && game.decision.kind == DECISION_OPEN)
		return false;
	game_legal(&game, seat, &legal);
	for (i = 0; i < legal.count; i++) {
		one = legal.move[i];
		if (one.n < one.top && move.n >= one.n && move.n <= one.top)
			one.n = one.top = move.n;
		game_move_token(game.setup.rules, one, entry);
		if (strcmp(token, entry) == 0)
			return true;
	}
	return false;
}

/* Makes a move; returns false if it is refused. */
static bool
step(unsigned seat, struct move move)
{
	struct chance was = chance;
	bool expected = acceptable(seat, move);

	game_copy(&before, &game);
	events_clear(&ev);
	if (seat == EVERYBODY) {
		if (game.decision.kind != DECISION_OPEN ||
		    game.decision.holder >= 0)
			return false;
		game_quiet(&game, &chance, &ev);
	} else if (!game_play(&game, seat, move, &chance, &ev)) {
		HOLDS(!expected);
		HOLDS(unchanged());
		HOLDS(same_chance(&was));
		HOLDS(ev.used == 0 && ev.lines == 0);
		return false;
	}
	steps++;
	HOLDS(seat == EVERYBODY || expected);
	HOLDS(game.stamp == before.stamp + 1);
	silently(seat, move, was);
	check_moment();
	return true;
}

static struct move
nobodys(void)
{
	return (struct move){ .verb = VERB_PASS };
}

/* `S TOKEN` */
static void
answer(struct fuzz_text line)
{
	char *token, again[MOVE_BYTES];
	struct move move;
	size_t n;

	if (line.n < 2)
		return;
	n = line.n - 2;
	token = fuzz_copy(line.at + 2, n);
	if (game_move_read(game.setup.rules, token, n, &move) == 0) {
		HOLDS(move.n == move.top && move.forced == 0);
		HOLDS(game_move_token(game.setup.rules, move, again) == n);
		HOLDS(memcmp(again, token, n) == 0);
		step((unsigned)(unsigned char)line.at[0] - '0', move);
	}
	free(token);
}

/* Makes legal moves: each byte picks the seat and the move. */
static void
pick(struct fuzz_text bytes)
{
	static struct legal legal;
	unsigned seat, choice;
	struct move move;
	size_t i;

	for (i = 0; i < bytes.n; i++) {
		if (game_is_over(&game) || steps >= STEPS_MAX)
			return;
		choice = (unsigned char)bytes.at[i];
		seat = game.decision.seat[choice % game.decision.count];
		choice /= game.decision.count;
		game_legal(&game, seat, &legal);
		move = legal.move[choice % legal.count];
		choice /= legal.count;
		move.n = (int16_t)(move.n +
				   (int)choice % (move.top - move.n + 1));
		move.top = move.n;
		/* A single pass has no effect. */
		if (!step(seat, move))
			step(EVERYBODY, nobodys());
	}
}

/* Returns the number of a seat, or -1 if the byte is not one. */
static int
seat_of(struct fuzz_text line)
{
	int seat = line.n < 2 ? -1 : line.at[1] - '0';

	return seat >= 0 && seat < game.setup.seats ? seat : -1;
}

static void
house_moves(int seat)
{
	static struct legal legal;
	struct move move;

	if (seat < 0 || !(game.decision.asked >> seat & 1))
		return;
	game_legal(&game, (unsigned)seat, &legal);
	move = legal.move[0];
	move.forced = 1;
	if (!step((unsigned)seat, move))
		step(EVERYBODY, nobodys());
}

/* Deals again.  The seat must be asked the same, and the true hidden cards must
 * not matter: the same draws must make the same game from the new deal.  Then
 * the game goes on with the new deal. */
static void
deal_anew(int viewer)
{
	static struct legal was, is;
	static struct game again;
	struct draws one = draws, other = draws;

	if (!game.setup.rules->resample)
		return;
	game_copy(&before, &game);
	game_resample(&game, viewer, &draws);
	HOLDS(memcmp(&game.decision, &before.decision, sizeof(game.decision)) ==
	      0);
	if (viewer >= 0 && game.decision.asked >> viewer & 1) {
		game_legal(&before, (unsigned)viewer, &was);
		game_legal(&game, (unsigned)viewer, &is);
		HOLDS(was.count == is.count);
		HOLDS(memcmp(was.move, is.move,
			     was.count * sizeof(was.move[0])) == 0);
	}
	game_copy(&again, &game);
	game_resample(&before, viewer, &one);
	game_resample(&again, viewer, &other);
	HOLDS(memcmp(before.state, again.state,
		     game.setup.rules->state_bytes) == 0);
	if (!game_is_over(&game))
		check_decision();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct fuzz_text text = { (const char *)data, n }, line = { 0 };
	struct game_setup setup;

	HOLDS(sodium_init() >= 0);
	steps = 0;
	ev.wanted = true;
	events_clear(&ev);
	fuzz_take(&text, '\n', &line);
	set_up(&setup, line);
	seed(line);
	game_start(&game, &setup, &chance, &ev);
	check_moment();
	while (steps < STEPS_MAX && fuzz_take(&text, '\n', &line)) {
		if (line.n == 0)
			step(EVERYBODY, nobodys());
		else if (line.at[0] == '#')
			pick((struct fuzz_text){ line.at + 1, line.n - 1 });
		else if (line.at[0] == '!')
			house_moves(seat_of(line));
		else if (line.at[0] == '?')
			deal_anew(seat_of(line));
		else
			answer(line);
	}
	return 0;
}
