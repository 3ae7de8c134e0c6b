/* referee/match/tournament.c - makes the tables, phase by phase; see
 * tournament.h.
 *
 * All sums are whole numbers, so that they come out the same in any order. */
#include "referee/match/tournament.h"

#include <stdlib.h>
#include <string.h>

#include "referee/match/schedule.h"
#include "referee/match/standings.h"
#include "referee/match/swiss.h"
#include "referee/records/bracket.h"

const char *const tournament_formats[] = {
	[TOURNAMENT_ROUNDROBIN] = "roundrobin",
	[TOURNAMENT_GAUNTLET] = "gauntlet",
	[TOURNAMENT_SWISS] = "swiss",
	[TOURNAMENT_KNOCKOUT] = "knockout",
	NULL,
};

/* A larger unit could make the sums of find_buchholz() exceed 64 bits. */
#define UNIT_MAX (UINT64_C(1) << 36)

struct table {
	unsigned phase;		    /* from 1 */
	uint64_t first;		    /* number of its first game */
	unsigned bot[SEATS_MAX];    /* the best first once a table of a knockout
				     * is over */
	uint64_t halves[SEATS_MAX]; /* by index of the bot: 2 for each seat
				     * beaten, 1 for each level one */
	uint64_t games;		    /* games that are over */
};

/* Some sets of a table, in games that follow one another. */
struct sitting {
	unsigned table;
	unsigned sets;
	uint64_t first; /* number of its first game */
};

struct player {
	uint64_t halves, games;
	unsigned byes, draw, phase;
	unsigned
		line; /* its line in a seeded knockout; the lowest goes first */
	/* In a phase of a knockout: the bot's place at the table, 0 with a bye,
	 * SEATS_MAX if it is out; and its results there. */
	unsigned place;
	uint64_t there_halves, there_games;
	/* The sum of the mean shares of its opponents, each as often as they
	 * met, in halves of 1 / find_unit(); and the number of these meetings. */
	uint64_t their_halves, met;
};

struct tournament {
	struct tournament_setup setup;
	struct schedule *schedule;
	struct player player[BOTS_MAX];
	unsigned order[BOTS_MAX]; /* standings after the last phase */
	unsigned in;		  /* bots that have not dropped out */
	unsigned phase;		  /* from 1 */
	unsigned phase_table;	  /* index of the phase's first table */
	bool over;
	struct table *table; /* owned */
	unsigned tables;
	struct sitting *sitting; /* owned */
	unsigned sittings;
	uint64_t known, taken, told; /* numbers of games */
	bool spoilt;		     /* a game that was told does not count */
	unsigned taking;	     /* the sitting whose games are taken now */
};

/* ---- tables ----------------------------------------------------------- */

static void
add_sitting(struct tournament *t, unsigned table, unsigned sets)
{
	*ADDED(t->sitting, t->sittings) = (struct sitting){
		.table = table, .sets = sets, .first = t->known + 1
	};
	t->known += (uint64_t)sets * t->setup.seats;
}

/* Adds a table to this phase. */
static void
add_table(struct tournament *t, const unsigned bot[])
{
	const unsigned seats = t->setup.seats;
	struct table *table = ADDED(t->table, t->tables);

	table->phase = t->phase;
	table->first = t->known + 1;
	memcpy(table->bot, bot, seats * sizeof(*bot));
	for (unsigned i = 0; i < seats; i++)
		t->player[bot[i]].phase = t->phase;
	schedule_meet(t->schedule, bot);
	add_sitting(t, t->tables - 1, t->setup.sets);
}

static void
give_bye(struct tournament *t, unsigned bot)
{
	t->player[bot].byes++;
	t->player[bot].phase = t->phase;
}

/* ---- round robin, gauntlet -------------------------------------------- */

/* Adds round `round` of the circle.  All bots but the first sit around it; with
 * an odd number one bot has no partner. */
static void
circle_round(struct tournament *t, unsigned round)
{
	const unsigned bots = t->setup.bots, around = (bots - 1) | 1;
	unsigned pair[2], i, a, b;

	for (i = 0; i <= around / 2; i++) {
		a = 1 + (round + i) % around;
		b = i == 0 ? 0 : 1 + (round + around - i) % around;
		if (a >= bots || b >= bots)
			continue;
		pair[0] = t->order[a];
		pair[1] = t->order[b];
		add_table(t, pair);
	}
}

static void
fill_circle(struct tournament *t)
{
	const unsigned around = (t->setup.bots - 1) | 1;

	for (unsigned r = 0; r < t->setup.rounds * around; r++)
		if (t->known <= GAMES_MAX)
			circle_round(t, r % around);
}

/* Returns how many pairs of the table have met as often as they must with this
 * meeting. */
static unsigned
count_done(const struct tournament *t, const unsigned table[], int hero)
{
	unsigned done = 0, i, j;

	for (i = 0; i < t->setup.seats; i++)
		for (j = 0; j < i; j++)
			done += (hero < 0 || (int)table[i] == hero ||
				 (int)table[j] == hero) &&
				schedule_met(t->schedule, table[i], table[j]) ==
					t->setup.rounds;
	return done;
}

static void
fill_chosen(struct tournament *t, int hero)
{
	const unsigned bots = t->setup.bots;
	unsigned lacking = hero < 0 ? bots * (bots - 1) / 2 : bots - 1;
	unsigned table[SEATS_MAX];

	while (lacking > 0 && t->known <= GAMES_MAX) {
		schedule_choose(t->schedule, hero, table);
		add_table(t, table);
		lacking -= count_done(t, table, hero);
	}
}

/* ---- how bots stand --------------------------------------------------- */

/* Returns 1, 0 or -1 if a / an is more than, equal to or less than b / bn.  A
 * mean of no games is 0. */
static int
compare_means(uint64_t a, uint64_t an, uint64_t b, uint64_t bn)
{
	uint64_t x, y;

	an += an == 0;
	bn += bn == 0;
	x = a / an;
	y = b / bn;
	if (x == y) {
		x = a % an * bn;
		y = b % bn * an;
	}
	return (x > y) - (x < y);
}

/* Returns the points in halves; a bye is half of all shares. */
static uint64_t
points_of(const struct tournament *t, const struct player *player)
{
	const uint64_t seats = t->setup.seats;

	return player->halves +
	       player->byes * t->setup.sets * seats * (seats - 1);
}

/* Returns 1, 0 or -1 if in this format player `a` is before, level with or
 * behind `b`. */
static int
compare_players(const struct tournament *t, const struct player *a,
		const struct player *b)
{
	uint64_t x, y;

	switch (t->setup.format) {
	case TOURNAMENT_SWISS:
		x = points_of(t, a);
		y = points_of(t, b);
		if (x == y)
			return compare_means(a->their_halves, a->met,
					     b->their_halves, b->met);
		return x > y ? 1 : -1;
	case TOURNAMENT_KNOCKOUT:
		if (t->setup.seeded && a->place < SEATS_MAX &&
		    b->place < SEATS_MAX)
			return a->line < b->line ? 1 : -1;
		if (a->place != b->place)
			return a->place < b->place ? 1 : -1;
		return compare_means(a->there_halves, a->there_games,
				     b->there_halves, b->there_games);
	default:
		return compare_means(a->halves, a->games, b->halves, b->games);
	}
}

static bool
stands_before(const struct tournament *t, unsigned a, unsigned b)
{
	const struct player *x = &t->player[a], *y = &t->player[b];
	const int better = compare_players(t, x, y);

	return better > 0 || (better == 0 && x->draw < y->draw);
}

/* Sorts the first `n` of the order, which hardly changes from phase to phase. */
static void
sort_order(const struct tournament *t, unsigned order[], unsigned n)
{
	unsigned j, bot;

	for (unsigned i = 1; i < n; i++) {
		bot = order[i];
		for (j = i; j > 0 && stands_before(t, bot, order[j - 1]); j--)
			order[j] = order[j - 1];
		order[j] = bot;
	}
}

/* Returns a multiple of all bots' numbers of games, so that sums over equal
 * opponents are equal in any order.  After a phase of a Swiss the numbers of
 * games differ by a bye at most.  In the middle of a phase there may be no such
 * multiple below UNIT_MAX; then mean shares are rounded down. */
static uint64_t
find_unit(const struct tournament *t)
{
	uint64_t unit = 1, a, b, rest;

	for (unsigned i = 0; i < t->setup.bots; i++) {
		if (t->player[i].games == 0)
			continue;
		for (a = unit, b = t->player[i].games; b > 0; a = b, b = rest)
			rest = a % b;
		if (unit / a > UNIT_MAX / t->player[i].games)
			return UNIT_MAX;
		unit = unit / a * t->player[i].games;
	}
	return unit;
}

static void
find_buchholz(const struct tournament *t, unsigned bot, uint64_t unit,
	      struct player *player)
{
	const struct player *other;
	uint64_t times;

	player->their_halves = player->met = 0;
	for (unsigned b = 0; b < t->setup.bots; b++) {
		other = &t->player[b];
		times = b == bot ? 0 : schedule_met(t->schedule, bot, b);
		player->met += times;
		if (other->games > 0)
			player->their_halves +=
				times * (other->halves * unit / other->games);
	}
}

static void
stand(struct tournament *t)
{
	const uint64_t unit = find_unit(t);

	for (unsigned b = 0; b < t->setup.bots; b++)
		find_buchholz(t, b, unit, &t->player[b]);
}

/* ---- byes ------------------------------------------------------------- */

/* Gives byes, and moves these bots behind the others, which keep their order.
 * Returns how many bots have no bye; they fill whole tables. */
static unsigned
take_byes(struct tournament *t, unsigned order[], unsigned n)
{
	const bool lowest = t->setup.format == TOURNAMENT_SWISS;
	unsigned rest = n % t->setup.seats, i, at, bot;

	for (; rest > 0; rest--, n--) {
		at = 0;
		for (i = 1; i < n && !t->setup.seeded; i++)
			if (t->player[order[i]].byes <
			    t->player[order[at]].byes + lowest)
				at = i;
		bot = order[at];
		memmove(&order[at], &order[at + 1],
			(n - 1 - at) * sizeof(*order));
		order[n - 1] = bot;
		give_bye(t, bot);
	}
	return n;
}

/* ---- swiss ------------------------------------------------------------ */

/* The bots of a round in their order. */
struct standing {
	const struct tournament *tournament;
	unsigned bot[BOTS_MAX];
};

static unsigned
standing_met(const void *arg, unsigned a, unsigned b)
{
	const struct standing *standing = arg;

	return schedule_met(standing->tournament->schedule, standing->bot[a],
			    standing->bot[b]);
}

static void
fill_swiss(struct tournament *t)
{
	const unsigned seats = t->setup.seats;
	struct standing standing = { .tournament = t };
	unsigned place[BOTS_MAX], table[SEATS_MAX], n, i, s;
	uint64_t points[BOTS_MAX];

	memcpy(standing.bot, t->order, sizeof(standing.bot));
	n = take_byes(t, standing.bot, t->setup.bots);
	for (i = 0; i < n; i++)
		points[i] = points_of(t, &t->player[standing.bot[i]]);
	swiss_seat(&(struct swiss){ .seats = seats,
				    .bots = n,
				    .points = points,
				    .met = standing_met,
				    .arg = &standing },
		   place);
	for (i = 0; i < n; i += seats) {
		for (s = 0; s < seats; s++)
			table[s] = standing.bot[place[i + s]];
		add_table(t, table);
	}
}

/* ---- knockout --------------------------------------------------------- */

/* Returns how often the bot has met the first `n` of the table. */
static unsigned
count_met(const struct tournament *t, const unsigned table[], unsigned n,
	  unsigned bot)
{
	unsigned met = 0;

	for (unsigned i = 0; i < n; i++)
		met += schedule_met(t->schedule, table[i], bot);
	return met;
}

/* Returns the table for the bot, among those with `row` bots. */
static unsigned
find_table(const struct tournament *t, unsigned table[][SEATS_MAX],
	   const unsigned filled[], unsigned tables, unsigned row, unsigned bot)
{
	unsigned best = tables, met, least = UINT32_MAX;

	for (unsigned i = 0; i < tables; i++) {
		if (filled[i] != row)
			continue;
		met = count_met(t, table[i], row, bot);
		if (met < least) {
			least = met;
			best = i;
		}
	}
	return best;
}

/* Pairs the first line with the last, and so on; a line that has no partner has
 * a bye.  Both bots of a pair take its better line. */
static void
fill_bracket(struct tournament *t)
{
	const unsigned pairs = bracket_size(t->in) / 2;
	unsigned high, low;

	for (unsigned i = 0; i < pairs; i++) {
		high = bracket_line(i, pairs);
		low = 2 * pairs - 1 - high;
		t->player[t->order[high]].line = high;
		if (low < t->in) {
			t->player[t->order[low]].line = high;
			add_table(t, (unsigned[]){ t->order[high],
						   t->order[low] });
		} else {
			t->player[t->order[high]].place = 0;
			give_bye(t, t->order[high]);
		}
	}
}

/* Returns the table for the bot at `i` of those that sit: the rows go to and fro,
 * so that the best bots are apart and all tables are about as strong. */
static unsigned
find_seeded(unsigned i, unsigned tables)
{
	const unsigned at = i % tables;

	return i / tables % 2 == 0 ? at : tables - 1 - at;
}

static void
fill_knockout(struct tournament *t)
{
	const unsigned seats = t->setup.seats;
	unsigned table[BOTS_MAX / 2][SEATS_MAX], filled[BOTS_MAX / 2] = { 0 };
	unsigned left[BOTS_MAX], n, i, at;

	memcpy(left, t->order, sizeof(left));
	n = take_byes(t, left, t->in);
	for (i = 0; i < n; i++) {
		at = t->setup.seeded ? find_seeded(i, n / seats)
				     : find_table(t, table, filled, n / seats,
						  i / (n / seats), left[i]);
		table[at][filled[at]++] = left[i];
	}
	for (i = n; i < t->in; i++)
		t->player[left[i]].place = 0;
	for (i = 0; i < n / seats; i++)
		add_table(t, table[i]);
}

static bool
is_final(const struct tournament *t)
{
	return t->in == t->setup.seats;
}

static unsigned
count_best(const struct tournament *t)
{
	return is_final(t) ? 1 : t->setup.best;
}

static void
swap_bots(struct table *table, unsigned i, unsigned j)
{
	const unsigned bot = table->bot[i];
	const uint64_t halves = table->halves[i];

	table->bot[i] = table->bot[j];
	table->halves[i] = table->halves[j];
	table->bot[j] = bot;
	table->halves[j] = halves;
}

/* Compares two bots by their shares at this table, then by the draw. */
static bool
is_better_there(const struct tournament *t, const struct table *table,
		unsigned i, unsigned j)
{
	if (table->halves[i] != table->halves[j])
		return table->halves[i] > table->halves[j];
	return t->player[table->bot[i]].draw < t->player[table->bot[j]].draw;
}

static void
sort_table(const struct tournament *t, struct table *table)
{
	for (unsigned i = 1; i < t->setup.seats; i++)
		for (unsigned j = i; j > 0; j--)
			if (is_better_there(t, table, j, j - 1))
				swap_bots(table, j, j - 1);
}

/* Returns true if some tables must play on, which they do once. */
static bool
play_on(struct tournament *t)
{
	const unsigned last = count_best(t) - 1;
	const uint64_t games = (uint64_t)t->setup.sets * t->setup.seats;
	const uint64_t before = t->known;
	struct table *table;

	for (unsigned i = t->phase_table; i < t->tables; i++) {
		table = &t->table[i];
		sort_table(t, table);
		if (table->games == games &&
		    table->halves[last] == table->halves[last + 1])
			add_sitting(t, i, KNOCKOUT_MORE);
	}
	return t->known > before;
}

/* Orders the bots that go on, and lets the others drop out. */
static void
end_knockout_phase(struct tournament *t)
{
	const unsigned best = count_best(t), seats = t->setup.seats;
	const unsigned tables = t->tables - t->phase_table;
	const struct table *table;
	struct player *player;

	for (unsigned i = t->phase_table; i < t->tables; i++) {
		table = &t->table[i];
		for (unsigned s = 0; s < seats; s++) {
			player = &t->player[table->bot[s]];
			player->place = s < best ? s + 1 : SEATS_MAX;
			player->there_halves = table->halves[s];
			player->there_games = table->games;
		}
	}
	sort_order(t, t->order, t->in);
	t->over = is_final(t);
	t->in -= tables * (seats - best);
	if (t->in < seats)
		t->in = seats;
}

/* ---- phases ----------------------------------------------------------- */

static void
begin_phase(struct tournament *t)
{
	t->phase++;
	t->phase_table = t->tables;
	if (t->setup.format == TOURNAMENT_SWISS)
		fill_swiss(t);
	else if (t->setup.format == TOURNAMENT_KNOCKOUT && t->setup.seeded &&
		 t->setup.seats == 2)
		fill_bracket(t);
	else if (t->setup.format == TOURNAMENT_KNOCKOUT)
		fill_knockout(t);
	else if (t->setup.format == TOURNAMENT_GAUNTLET)
		fill_chosen(t, (int)t->setup.hero);
	else if (t->setup.seats == 2)
		fill_circle(t);
	else
		fill_chosen(t, -1);
}

/* Call it when all known games are over. */
static void
end_phase(struct tournament *t)
{
	if (t->setup.format == TOURNAMENT_KNOCKOUT) {
		if (play_on(t))
			return;
		end_knockout_phase(t);
	} else {
		stand(t);
		sort_order(t, t->order, t->setup.bots);
		t->over = t->setup.format != TOURNAMENT_SWISS ||
			  t->phase == t->setup.rounds;
	}
	if (!t->over)
		begin_phase(t);
}

static enum match_next
next(void *arg, uint64_t number, struct match_game *game)
{
	struct tournament *t = arg;
	const struct sitting *sitting;
	uint64_t into;

	if (t->over || (t->spoilt && t->told == t->known))
		return MATCH_END;
	if (t->taken == t->known)
		return MATCH_WAIT;
	sitting = &t->sitting[t->taking];
	into = number - sitting->first;
	if (into % t->setup.seats == 0)
		schedule_sit(t->schedule, t->table[sitting->table].bot);
	schedule_next(t->schedule, game->bot);
	t->taken++;
	if (into + 1 == (uint64_t)sitting->sets * t->setup.seats)
		t->taking++;
	return MATCH_GAME;
}

/* Returns the table of the last sitting that begins with the game or before it. */
static struct table *
find_table_of(struct tournament *t, uint64_t number)
{
	unsigned low = 0, high = t->sittings, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (t->sitting[middle].first <= number)
			low = middle;
		else
			high = middle;
	}
	return &t->table[t->sitting[low].table];
}

static unsigned
place_at(const struct tournament *t, const struct table *table, unsigned bot)
{
	unsigned i = 0;

	while (i < t->setup.seats && table->bot[i] != bot)
		i++;
	if (i == t->setup.seats)
		bug("a bot at a table of others");
	return i;
}

static void
hear(void *arg, const struct match_result *result)
{
	struct tournament *t = arg;
	struct table *table = find_table_of(t, result->number);
	const unsigned seats = t->setup.seats;
	unsigned halves;

	t->told++;
	t->spoilt |= !result->counts;
	for (unsigned s = 0; result->counts && s < seats; s++) {
		halves = standings_halves(result->place, seats, s);
		table->halves[place_at(t, table, result->bot[s])] += halves;
		t->player[result->bot[s]].halves += halves;
		t->player[result->bot[s]].games++;
	}
	table->games += result->counts;
	if (t->told == t->known && !t->spoilt)
		end_phase(t);
}

/* Fills in the bots, the best first. */
static void
order(void *arg, unsigned bot[])
{
	struct tournament now = *(const struct tournament *)arg;

	/* A knockout stands as its last whole phase left it. */
	stand(&now);
	if (now.setup.format != TOURNAMENT_KNOCKOUT)
		sort_order(&now, now.order, now.setup.bots);
	memcpy(bot, now.order, now.setup.bots * sizeof(*bot));
}

struct match_source
tournament_source(struct tournament *t)
{
	return (struct match_source){
		.next = next, .hear = hear, .order = order, .arg = t
	};
}

/* ---- all of it -------------------------------------------------------- */

uint64_t
tournament_known(const struct tournament *t)
{
	return t->known;
}

/* Counts phase by phase as if all tables had to play on. */
static uint64_t
most_of_knockout(const struct tournament_setup *setup)
{
	const uint64_t seats = setup->seats;
	unsigned in = setup->bots, tables;
	uint64_t games = 0;

	for (;;) {
		tables = in / setup->seats;
		games += tables * seats * (setup->sets + KNOCKOUT_MORE);
		if (in == setup->seats)
			return games;
		in -= tables * (setup->seats - setup->best);
		if (in < setup->seats)
			in = setup->seats;
	}
}

uint64_t
tournament_most(const struct tournament *t)
{
	const struct tournament_setup *setup = &t->setup;

	if (setup->format == TOURNAMENT_KNOCKOUT)
		return most_of_knockout(setup);
	if (setup->format != TOURNAMENT_SWISS)
		return t->known;
	return (uint64_t)setup->rounds * (setup->bots / setup->seats) *
	       setup->seats * setup->sets;
}

struct tournament *
tournament_new(const struct tournament_setup *setup, struct error *why)
{
	struct tournament *t = zeroed(1, sizeof(*t));

	t->setup = *setup;
	t->setup.seed = NULL;
	t->in = setup->bots;
	t->schedule = schedule_new(setup->bots, setup->seats, setup->seed);
	schedule_draw(t->schedule, t->order);
	for (unsigned i = 0; i < setup->bots; i++) {
		if (setup->seeded)
			t->order[i] = i;
		t->player[t->order[i]].draw = i + 1;
		t->player[t->order[i]].line = i;
	}
	begin_phase(t);
	if (tournament_most(t) <= GAMES_MAX)
		return t;
	tournament_free(t);
	(void)error_set(why, ERROR_INPUT,
			"the tournament would have more than %d games; take "
			"fewer rounds or games",
			GAMES_MAX);
	return NULL;
}

void
tournament_free(struct tournament *t)
{
	if (t == NULL)
		return;
	schedule_free(t->schedule);
	free(t->table);
	free(t->sitting);
	free(t);
}

const struct tournament_setup *
tournament_setup_of(const struct tournament *t)
{
	return &t->setup;
}

bool
tournament_is_over(const struct tournament *t)
{
	return t->over;
}

struct told_bot
tournament_row(const struct tournament *t, unsigned bot)
{
	const struct player *player = &t->player[bot];
	const uint64_t whole = 2 * ((uint64_t)t->setup.seats - 1);
	const uint64_t unit = find_unit(t);
	const double all = (double)whole;
	struct player now;

	find_buchholz(t, bot, unit, &now);
	return (struct told_bot){
		.draw = player->draw,
		.byes = player->byes,
		.phase = player->phase,
		.points = (double)points_of(t, player) / all,
		.buchholz = now.met == 0
				    ? 0
				    : (double)now.their_halves /
					      (double)(whole * unit * now.met),
		.games = player->games,
		.score = player->games == 0 ? 0
					    : (double)player->halves / all /
						      (double)player->games,
	};
}

unsigned
tournament_tables(const struct tournament *t)
{
	return t->tables;
}

unsigned
tournament_phase_now(const struct tournament *t)
{
	return t->phase;
}

uint64_t
tournament_table(const struct tournament *t, unsigned table,
		 struct told_table *to)
{
	const struct table *from = &t->table[table];

	*to = (struct told_table){ .phase = from->phase, .games = from->games };
	memcpy(to->bot, from->bot, sizeof(to->bot));
	for (unsigned s = 0; s < t->setup.seats; s++)
		to->share[s] =
			(double)from->halves[s] / (2.0 * (t->setup.seats - 1));
	return from->first;
}
