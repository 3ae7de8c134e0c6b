/* tests/unit/test-doubles-dread-random.c - what must hold in every game of
 * Double's Dread.
 *
 * A watch reads the event lines of random games, knows nothing of the engine's
 * state, checks section 11 of the rules and works out every legal list. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "tests/unit/leaks.h"
#include "tests/unit/play.h"
#include "tests/unit/rounds.h"

#define SEEDS 50
#define PAWNS 32
#define LINE (LINE_REFEREE_BYTES + 1)
#define LIST 1024 /* bytes of a legal list's text */

/* A pawn is colour * 8 + force - 1 here. */
enum place { NOWHERE, BARK, LYING, SWALLOWED, TAKEN };

struct watch {
	unsigned seats, rounds, magic[2];
	unsigned round, opener, auction, spread, leads, plays;

	enum place place[PAWNS];
	unsigned bark[PAWNS], taker[PAWNS];
	unsigned body[2], bodies;

	unsigned passed; /* set of seats */
	long bid;
	int highest, south; /* seats, or -1 */

	const char *position[5]; /* of each bark, NULL: not put yet */
	unsigned put, at;
	unsigned owner[5];

	unsigned trick[5], in_trick;  /* pawns in order */
	unsigned lying[5], lie;	      /* and those on the monster */
	bool swallow_due, asked_lead; /* asked_lead: of the next decision */
	unsigned due[5], dues;	      /* what the `swallow` line must say */
	unsigned swallowed[PAWNS], swallows;
	int turn;	  /* the bark whose turn it is, or -1 */
	unsigned chooser; /* who decides about the lead */
	int winner;	  /* the bark that won the last trick, or -1 */

	long count[4], total[4];
	unsigned counted;
	unsigned doubles, discards; /* seen in all games */
};

static struct game game;
static struct chance chance;
static struct events ev = { .wanted = true };
static struct legal legal;
static struct watch watch;

static const char *const clockwise[] = { "S", "W", "NW", "N", "NE", "E" };

static unsigned
pawn_of(const char *token)
{
	static const char colours[] = "RGBY";
	const char *colour = strchr(colours, token[0]);

	cr_assert(colour && strlen(token) == 2, "%s", token);
	cr_assert(token[1] >= '1' && token[1] <= '8', "%s", token);
	return (unsigned)(colour - colours) * 8 + (unsigned)(token[1] - '1');
}

static unsigned
number(const char *token)
{
	return (unsigned)strtoul(token, NULL, 10);
}

static unsigned
bark_of(const char *token)
{
	cr_assert(strlen(token) == 1 && token[0] >= 'a' &&
		  token[0] < 'a' + (watch.seats == 4 ? 5 : 4));
	return (unsigned)(token[0] - 'a');
}

static unsigned
barks(void)
{
	return watch.seats == 4 ? 5 : 4;
}

static unsigned
bark_size(void)
{
	return watch.seats == 4 ? 6 : 8;
}

/* The bark at a position. */
static unsigned
bark_at(const char *position)
{
	unsigned i;

	for (i = 0; i < barks(); i++)
		if (watch.position[i] &&
		    strcmp(watch.position[i], position) == 0)
			return i;
	cr_assert_fail("nothing lies at %s", position);
	return 0;
}

static bool
is_taken(const char *position)
{
	unsigned i;

	for (i = 0; i < barks(); i++)
		if (watch.position[i] &&
		    strcmp(watch.position[i], position) == 0)
			return true;
	return false;
}

static unsigned
next_bark(unsigned bark)
{
	unsigned i = 0;

	while (strcmp(clockwise[i], watch.position[bark]) != 0)
		i++;
	do
		i = (i + 1) % 6;
	while (!is_taken(clockwise[i]));
	return bark_at(clockwise[i]);
}

/* ---- a round begins --------------------------------------------------- */

/* Section 8's bounds, and that the old round is whole. */
static void
end_of_round(void)
{
	unsigned i;

	if (watch.round == 0)
		return;
	cr_assert_leq(watch.auction, watch.seats == 4 ? 42 : 35);
	cr_assert_eq(watch.spread, barks());
	cr_assert_eq(watch.leads, bark_size());
	cr_assert_eq(watch.plays, barks() * bark_size());
	cr_assert_leq(watch.auction + watch.spread + watch.leads + watch.plays,
		      watch.seats == 4 ? 83 : 79);
	cr_assert_eq(watch.counted, watch.seats);
	for (i = 0; i < PAWNS; i++)
		cr_assert_eq(watch.place[i], TAKEN);
}

static void
watch_round(const struct words *words)
{
	unsigned opener = number(words->word[2]);

	end_of_round();
	cr_assert_eq(number(words->word[1]), ++watch.round);
	cr_assert_lt(opener, watch.seats);
	if (watch.round > 1)
		cr_assert_eq(opener, (watch.opener + 1) % watch.seats);
	watch.opener = opener;
	memset(watch.place, 0, sizeof(watch.place));
	memset(watch.position, 0, sizeof(watch.position));
	watch.auction = watch.spread = watch.leads = watch.plays = 0;
	watch.bodies = watch.passed = watch.put = watch.at = 0;
	watch.swallows = watch.counted = 0;
	watch.bid = 0;
	watch.highest = watch.south = watch.turn = watch.winner = -1;
	watch.asked_lead = false;
}

static void
watch_bark(const struct words *words)
{
	unsigned bark = bark_of(words->word[1]), i, pawn;

	cr_assert_eq(words->count, 2 + bark_size());
	for (i = 2; i < words->count; i++) {
		pawn = pawn_of(words->word[i]);
		cr_assert_eq(watch.place[pawn], NOWHERE);
		watch.place[pawn] = BARK;
		watch.bark[pawn] = bark;
	}
}

static void
watch_monster(const struct words *words)
{
	unsigned i, pawn;

	cr_assert_eq(watch.seats, 4);
	cr_assert_eq(words->count, 3);
	for (i = 1; i < words->count; i++) {
		pawn = pawn_of(words->word[i]);
		cr_assert_eq(watch.place[pawn], NOWHERE);
		watch.place[pawn] = SWALLOWED;
		watch.body[watch.bodies++] = pawn;
	}
}

/* ---- auction and spread ----------------------------------------------- */

static void
watch_bid(const char *token, unsigned seat)
{
	long bid = strtol(token + 4, NULL, 10);

	cr_assert_not(watch.passed >> seat & 1);
	watch.auction++;
	if (strcmp(token, "pass") == 0) {
		watch.passed |= 1u << seat;
		return;
	}
	cr_assert_gt(bid, watch.bid);
	cr_assert_geq(bid, watch.seats == 4 ? 27 : 33);
	cr_assert_leq(bid, 64);
	watch.bid = bid;
	watch.highest = (int)seat;
}

static void
watch_south(const struct words *words)
{
	unsigned seat = number(words->word[1]);
	unsigned all = (1u << watch.seats) - 1;

	if (watch.highest < 0) {
		cr_assert_eq(watch.passed, all);
		cr_assert_eq(seat, watch.opener);
		watch.bid = watch.seats == 4 ? 27 : 33;
	} else {
		cr_assert_eq((int)seat, watch.highest);
		cr_assert(watch.bid == 64 ||
			  (watch.passed | 1u << seat) == all);
	}
	cr_assert_eq((long)number(words->word[2]), watch.bid);
	watch.south = (int)seat;
	watch.chooser = seat;
}

static void
watch_put(const char *token, unsigned seat)
{
	char bark[2] = { token[4], '\0' };
	unsigned i = 0;

	cr_assert_eq((int)seat, watch.south);
	cr_assert_null(watch.position[bark_of(bark)]);
	while (strcmp(clockwise[i], token + 6) != 0)
		cr_assert_lt(++i, 6);
	cr_assert_not(is_taken(clockwise[i]));
	watch.position[bark_of(bark)] = clockwise[i];
	watch.spread++;
}

/* In clockwise order, and who plays with it is as the rules' table says. */
static void
watch_at(const struct words *words)
{
	static const unsigned shift[5][6] = {
		{ 0 },
		{ 0 },
		{ 0, 1, 9, 0, 9, 1 },
		{ 0, 1, 9, 0, 9, 2 },
		{ 0, 1, 0, 2, 0, 3 },
	};
	unsigned bark = bark_of(words->word[2]);

	while (!is_taken(clockwise[watch.at]))
		watch.at++;
	cr_assert_str_eq(words->word[1], clockwise[watch.at]);
	cr_assert_str_eq(words->word[1], watch.position[bark]);
	watch.owner[bark] =
		((unsigned)watch.south + shift[watch.seats][watch.at++]) %
		watch.seats;
	cr_assert_eq(number(words->word[3]), watch.owner[bark]);
	watch.asked_lead = true;
}

/* ---- tricks ----------------------------------------------------------- */

static void
watch_lead(const char *token, unsigned seat)
{
	cr_assert(watch.asked_lead);
	cr_assert_eq(seat, watch.chooser);
	watch.turn = (int)bark_at(token + 5);
	watch.asked_lead = false;
	watch.in_trick = watch.lie = 0;
	watch.leads++;
}

static bool
has_colour(unsigned bark, unsigned colour)
{
	unsigned pawn;

	for (pawn = colour * 8; pawn < colour * 8 + 8; pawn++)
		if (watch.place[pawn] == BARK && watch.bark[pawn] == bark)
			return true;
	return false;
}

static bool
is_double(unsigned pawn)
{
	return watch.lie > 0 && pawn / 8 != watch.lying[0] / 8 &&
	       pawn % 8 == watch.trick[0] % 8;
}

static bool
may_play(unsigned pawn)
{
	unsigned bark = (unsigned)watch.turn;

	if (watch.place[pawn] != BARK || watch.bark[pawn] != bark)
		return false;
	return watch.lie == 0 || pawn / 8 == watch.lying[0] / 8 ||
	       !has_colour(bark, watch.lying[0] / 8);
}

static void
watch_play(const char *token, unsigned seat)
{
	unsigned pawn = pawn_of(token + 5), i;

	cr_assert_eq(seat, watch.owner[watch.turn]);
	cr_assert(may_play(pawn));
	watch.dues = 0;
	if (is_double(pawn)) {
		for (i = 0; i < watch.lie; i++)
			watch.due[watch.dues++] = watch.lying[i];
		watch.lie = 0;
		watch.doubles++;
	}
	watch.place[pawn] = LYING;
	watch.trick[watch.in_trick++] = pawn;
	if (watch.lie > 0 && pawn / 8 != watch.lying[0] / 8) {
		watch.due[watch.dues++] = pawn;
		watch.discards++;
	} else {
		watch.lying[watch.lie++] = pawn;
	}
	watch.swallow_due = watch.dues > 0;
	watch.turn = (int)next_bark((unsigned)watch.turn);
	watch.plays++;
}

static void
watch_swallow(const struct words *words)
{
	unsigned i, pawn;

	cr_assert_eq(words->count - 1, watch.dues);
	for (i = 0; i < watch.dues; i++) {
		pawn = pawn_of(words->word[i + 1]);
		cr_assert_eq(pawn, watch.due[i]);
		cr_assert_eq(watch.place[pawn], LYING);
		watch.place[pawn] = SWALLOWED;
		watch.swallowed[watch.swallows++] = pawn;
	}
	watch.swallow_due = false;
}

static void
take(unsigned pawn, unsigned seat)
{
	watch.place[pawn] = TAKEN;
	watch.taker[pawn] = seat;
}

/* One colour, one pawn at least; the strongest is from the bark that won. */
static void
watch_trick(const struct words *words)
{
	unsigned bark = bark_at(words->word[1]), i, best = 0;
	unsigned seat = number(words->word[2]);

	cr_assert_eq(watch.in_trick, barks());
	cr_assert_geq(watch.lie, 1);
	cr_assert_eq(words->count - 3, watch.lie);
	for (i = 0; i < watch.lie; i++) {
		cr_assert_eq(pawn_of(words->word[i + 3]), watch.lying[i]);
		cr_assert_eq(watch.lying[i] / 8, watch.lying[0] / 8);
		if (watch.lying[i] > watch.lying[best])
			best = i;
		take(watch.lying[i], seat);
	}
	cr_assert_eq(watch.bark[watch.lying[best]], bark);
	cr_assert_eq(watch.owner[bark], seat);
	watch.chooser = seat;
	watch.winner = (int)bark;
	watch.asked_lead = true;
	watch.turn = -1;
}

/* ---- a round ends ----------------------------------------------------- */

static void
watch_back(const struct words *words)
{
	unsigned seat = number(words->word[1]), i, pawn, wanted;

	cr_assert_eq(seat, watch.chooser, "the winner of the last trick");
	cr_assert_eq(words->count - 2, watch.bodies + watch.swallows);
	for (i = 0; i + 2 < words->count; i++) {
		pawn = pawn_of(words->word[i + 2]);
		wanted = i < watch.bodies ? watch.body[i]
					  : watch.swallowed[i - watch.bodies];
		cr_assert_eq(pawn, wanted);
		cr_assert_eq(watch.place[pawn], SWALLOWED);
		take(pawn, seat);
	}
}

static void
watch_count(const struct words *words)
{
	unsigned seat = number(words->word[1]), i;

	cr_assert_eq(seat, watch.counted++);
	watch.count[seat] = 0;
	for (i = 0; i < PAWNS; i++) {
		cr_assert_eq(watch.place[i], TAKEN);
		if (watch.taker[i] != seat)
			continue;
		watch.count[seat] += i % 8 + 1 == watch.magic[0] ||
						     i % 8 + 1 == watch.magic[1]
					     ? 5
					     : 1;
	}
	cr_assert_eq((long)number(words->word[2]), watch.count[seat]);
}

/* The sums of section 11, 3 and 6. */
static void
watch_contract(const struct words *words)
{
	unsigned south = (unsigned)watch.south, seat;
	bool made = watch.count[south] >= watch.bid;
	long counts = 0, scores = 0, score;

	cr_assert_eq(words->count, 5);
	cr_assert_eq(number(words->word[1]), south);
	cr_assert_eq((long)number(words->word[2]), watch.bid);
	cr_assert_eq((long)number(words->word[3]), watch.count[south]);
	cr_assert_str_eq(words->word[4], made ? "made" : "failed");
	for (seat = 0; seat < watch.seats; seat++) {
		score = watch.count[seat];
		if (!made)
			score = seat == south ? 0 : score + watch.bid;
		counts += watch.count[seat];
		scores += score;
		watch.total[seat] += score;
	}
	cr_assert_eq(counts, 64);
	if (made)
		cr_assert_eq(scores, 64);
	else
		cr_assert_eq(scores,
			     64 - watch.count[south] +
				     watch.bid * ((long)watch.seats - 1));
}

static void
watch_result(const struct words *words, unsigned seat)
{
	unsigned s, place = 1;

	for (s = 0; s < watch.seats; s++)
		place += watch.total[s] > watch.total[seat];
	cr_assert_eq(number(words->word[2]), place);
	cr_assert_eq((long)number(words->word[3]), watch.total[seat]);
}

/* ---- all lines -------------------------------------------------------- */

static void
watch_move(const char *token, unsigned seat)
{
	if (strcmp(token, "pass") == 0 || strncmp(token, "bid:", 4) == 0)
		watch_bid(token, seat);
	else if (strncmp(token, "put:", 4) == 0)
		watch_put(token, seat);
	else if (strncmp(token, "lead:", 5) == 0)
		watch_lead(token, seat);
	else
		watch_play(token, seat);
}

static const struct {
	const char *verb;
	void (*watch)(const struct words *words);
} verbs[] = {
	{ "round", watch_round },     { "bark", watch_bark },
	{ "monster", watch_monster }, { "south", watch_south },
	{ "at", watch_at },	      { "swallow", watch_swallow },
	{ "trick", watch_trick },     { "back", watch_back },
	{ "count", watch_count },     { "contract", watch_contract },
};

static void
watch_line(const char *line)
{
	struct words words;
	unsigned seat, i;

	words_split(line, &words);
	cr_assert_eq(watch.swallow_due, strcmp(words.word[0], "swallow") == 0,
		     "%s", line);
	for (i = 0; i < NELEM(verbs); i++) {
		if (strcmp(words.word[0], verbs[i].verb) == 0) {
			verbs[i].watch(&words);
			return;
		}
	}
	seat = number(words.word[1]);
	if (strcmp(words.word[0], "move") == 0) {
		watch_move(words.word[2], seat);
	} else if (strcmp(words.word[0], "score") == 0) {
		cr_assert_eq((long)number(words.word[2]), watch.total[seat]);
	} else {
		cr_assert_str_eq(words.word[0], "result", "%s", line);
		watch_result(&words, seat);
	}
}

/* Everybody reads the same, and of `monster` nothing. */
static void
view_line(const char *line, int viewer)
{
	bool hidden = strncmp(line, "monster ", 8) == 0;
	char out[LINE];
	ssize_t n = hidden_redact(line, strlen(line), viewer, out);

	cr_assert_gt(n, 0);
	out[n] = '\0';
	cr_assert_str_eq(out, hidden ? "monster ? ?" : line);
}

static void
watch_step(void)
{
	char line[LINE];
	size_t at = 0;
	int viewer;

	while (play_next_line(&ev, &at, line)) {
		watch_line(line);
		for (viewer = VIEW_PUBLIC; viewer < (int)watch.seats; viewer++)
			view_line(line, viewer);
	}
	cr_assert_not(watch.swallow_due);
}

/* ---- legal lists ------------------------------------------------------ */

/* Tokens, each behind a space; the first one is the house move. */
struct list {
	char text[LIST];
	size_t used;
};

static void
list_add(struct list *list, const char *verb, const char *a, const char *b)
{
	list->used +=
		(size_t)snprintf(list->text + list->used, LIST - list->used,
				 " %s%s%s", verb, a, b);
	cr_assert_lt(list->used, LIST);
}

static void
list_auction(struct list *list)
{
	long least = watch.seats == 4 ? 27 : 33;
	char bid[16];

	if (watch.bid > 0)
		least = watch.bid + 1;
	snprintf(bid, sizeof(bid), least < 64 ? "%ld..64" : "%ld", least);
	list_add(list, "pass", "", "");
	list_add(list, "bid:", bid, "");
}

static void
list_spread(struct list *list)
{
	static const char *const order[] = { ":S", ":W", ":N", ":E" };
	char bark[2] = "";
	unsigned i;

	for (i = 0; i < barks(); i++) {
		bark[0] = (char)('a' + i);
		if (watch.position[i])
			continue;
		if (watch.spread < 4) {
			list_add(list, "put:", bark, order[watch.spread]);
			continue;
		}
		list_add(list, "put:", bark, ":NW");
		list_add(list, "put:", bark, ":NE");
	}
}

static void
list_leads(struct list *list)
{
	const char *house =
		watch.winner < 0 ? "S" : watch.position[watch.winner];
	unsigned i;

	list_add(list, "lead:", house, "");
	for (i = 0; i < 6; i++)
		if (is_taken(clockwise[i]) && strcmp(clockwise[i], house) != 0)
			list_add(list, "lead:", clockwise[i], "");
}

/* What is no double by force, then by colour; then the doubles. */
static void
list_plays(struct list *list)
{
	unsigned doubles, force, colour, pawn;
	char token[3] = "";

	for (doubles = 0; doubles < 2; doubles++) {
		for (force = 0; force < 8; force++) {
			for (colour = 0; colour < 4; colour++) {
				pawn = colour * 8 + force;
				if (!may_play(pawn) ||
				    is_double(pawn) != doubles)
					continue;
				token[0] = "RGBY"[colour];
				token[1] = (char)('1' + force);
				list_add(list, "play:", token, "");
			}
		}
	}
}

/* Who is asked, and the seat's list but for what the lines told. */
static unsigned
expected(struct list *list)
{
	if (watch.south < 0) {
		list_auction(list);
		return SEATS_MAX; /* who, the next `move` line checks */
	}
	if (watch.spread < barks()) {
		list_spread(list);
		return (unsigned)watch.south;
	}
	if (watch.asked_lead) {
		list_leads(list);
		return watch.chooser;
	}
	list_plays(list);
	return watch.owner[watch.turn];
}

/* Clockwise from who has moved last, or the opener. */
static unsigned
next_bidder(unsigned after)
{
	do
		after = (after + 1) % watch.seats;
	while (watch.passed >> after & 1);
	return after;
}

static void
ask_is_right(unsigned moved)
{
	unsigned seat = game.decision.seat[0], i, wanted;
	struct list list = { .used = 0 }, found = { .used = 0 };
	char token[MOVE_BYTES];

	cr_assert_eq(game.decision.kind, DECISION_SINGLE);
	game_legal(&game, seat, &legal);
	wanted = expected(&list);
	if (wanted == SEATS_MAX)
		wanted = watch.auction ? next_bidder(moved) : watch.opener;
	cr_assert_eq(seat, wanted);
	for (i = 0; i < legal.count; i++) {
		game_move_token(&game_doubles_dread, legal.move[i], token);
		list_add(&found, token, "", "");
	}
	cr_assert_str_eq(found.text, list.text);
}

static void
watch_game(const struct game_setup *setup, uint64_t seed)
{
	struct dice dice = { seed };
	unsigned moved = 0, doubles = watch.doubles, discards = watch.discards;
	char magic[16];

	memset(&watch, 0, sizeof(watch));
	watch.doubles = doubles;
	watch.discards = discards;
	watch.seats = setup->seats;
	watch.rounds = (unsigned)setup->option[1];
	game_setup_value(setup, 0, magic);
	watch.magic[0] = (unsigned)(magic[0] - '0');
	watch.magic[1] = (unsigned)(magic[1] - '0');
	play_seeded(&game, setup, seed, &chance, &ev);
	watch_step();
	while (!game_is_over(&game)) {
		ask_is_right(moved);
		moved = game.decision.seat[0];
		play_random(&game, &dice, &chance, &ev);
		watch_step();
	}
	end_of_round();
	cr_assert_eq(watch.round, watch.rounds);
}

Test(doubles_dread_random, invariants)
{
	static const struct {
		const char *options;
		unsigned seeds;
	} samples[] = {
		{ "", SEEDS },
		{ "magic=12 rounds=1", SEEDS },
		{ "magic=37 rounds=2", SEEDS },
		{ "magic=18 rounds=99", 2 },
	};
	struct game_setup setup;
	unsigned i, seats;
	uint64_t seed;

	for (i = 0; i < NELEM(samples); i++) {
		for (seats = 2; seats <= 4; seats++) {
			play_setup(&setup, "doubles-dread", seats,
				   samples[i].options);
			for (seed = 0;
			     seed < samples[i].seeds * check_rounds(1, 100);
			     seed++)
				watch_game(&setup, seed);
		}
	}
	cr_assert_gt(watch.doubles, 1000);
	cr_assert_gt(watch.discards, 1000);
	NO_LEAKS();
}

/* Every value of `magic` makes 64 points. */
Test(doubles_dread_random, every_magic)
{
	const char *const *value = game_doubles_dread.options[0].values;
	struct game_setup setup;
	char options[32];
	uint64_t seed;
	unsigned i;

	for (i = 0; value[i]; i++) {
		snprintf(options, sizeof(options), "magic=%s rounds=1",
			 value[i]);
		play_setup(&setup, "doubles-dread", 2 + i % 3, options);
		for (seed = 0; seed < check_rounds(1, 300); seed++)
			watch_game(&setup, i + seed);
	}
	cr_assert_eq(i, 28);
	NO_LEAKS();
}
