/* referee/pages/tally.c - see tally.h. */
#include "referee/pages/tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit.h"
#include "ladder/search.h"
#include "protocol/date.h"

#define MINUTE_S 60

struct pair {
	uint32_t low, high; /* indexes in `bot`, low < high; 0, 0: free */
	struct tally_meeting of_low;
};

struct tally {
	struct tally_bot *bot; /* owned, in the order of their first games */
	unsigned bots;
	uint32_t *place; /* owned; by a bot's number 1 + its index; 0: none */
	int64_t places;
	uint32_t *by_name; /* owned; indexes, sorted by name */
	unsigned sorted;   /* length of `by_name` */
	struct pair *pair; /* owned; a hash table */
	uint32_t pairs, slots;
	int64_t pool, serial; /* games are counted up to this one */
	int64_t seats;	      /* seats that were counted */
	int64_t beside;	      /* difference to the number that the ladder has */
	/* Numbers of minutes, and how many games ended in them. */
	int64_t minute[TALLY_MINUTES];
	uint32_t over[TALLY_MINUTES];
};

struct tally *
tally_new(void)
{
	return zeroed(1, sizeof(struct tally));
}

static void
clear(struct tally *tally)
{
	for (unsigned i = 0; i < tally->bots; i++)
		free(tally->bot[i].point);
	free(tally->bot);
	free(tally->place);
	free(tally->by_name);
	free(tally->pair);
	*tally = (struct tally){ 0 };
}

void
tally_free(struct tally *tally)
{
	if (tally == NULL)
		return;
	clear(tally);
	free(tally);
}

/* ---- pairs ------------------------------------------------------------ */

static uint32_t
slot_of(const struct tally *tally, uint32_t low, uint32_t high)
{
	uint64_t hash = ((uint64_t)low << 32 | high) * 0x9e3779b97f4a7c15u;
	uint32_t at = (uint32_t)(hash >> 32) & (tally->slots - 1);
	const struct pair *pair;

	for (;; at = (at + 1) & (tally->slots - 1)) {
		pair = &tally->pair[at];
		if (pair->high == 0 || (pair->low == low && pair->high == high))
			return at;
	}
}

/* Widens the table, so that at most half of the slots are taken. */
static void
widen(struct tally *tally)
{
	struct pair *old = tally->pair;
	uint32_t slots = tally->slots, i;

	if (2 * (tally->pairs + 1) <= slots)
		return;
	tally->slots = slots == 0 ? 256 : 2 * slots;
	tally->pair = zeroed(tally->slots, sizeof(*tally->pair));
	for (i = 0; i < slots; i++)
		if (old[i].high != 0)
			tally->pair[slot_of(tally, old[i].low, old[i].high)] =
				old[i];
	free(old);
}

/* Adds a duel of two bots, given by index, with their places in the game. */
static void
add_duel(struct tally *tally, const uint32_t bot[2], const int place[2])
{
	unsigned first = bot[0] > bot[1]; /* position of the lower bot */
	struct pair *pair;

	if (bot[0] == bot[1])
		return;
	widen(tally);
	pair = &tally->pair[slot_of(tally, bot[first], bot[!first])];
	if (pair->high == 0) {
		if (tally->pairs == TALLY_PAIRS)
			return;
		tally->pairs++;
		pair->low = bot[first];
		pair->high = bot[!first];
	}
	if (place[first] < place[!first])
		pair->of_low.won++;
	else if (place[first] == place[!first])
		pair->of_low.level++;
	else
		pair->of_low.lost++;
}

/* ---- bots ------------------------------------------------------------- */

/* Finds the bot with this number, or adds it. */
static int
find_place(struct tally *tally, struct ladder *ladder, int64_t number,
	   uint32_t *place, struct error *why)
{
	const int64_t places = tally->places;
	struct tally_bot *bot;

	if (number < 0 || number > INT32_MAX)
		return error_set(why, ERROR_INPUT,
				 "the ladder is damaged (a bot has the number "
				 "%lld)",
				 (long long)number);
	if (number >= places) {
		tally->places = number + number / 2 + 64;
		tally->place = memory(tally->place,
				      (size_t)tally->places * sizeof(uint32_t));
		memset(tally->place + places, 0,
		       (size_t)(tally->places - places) * sizeof(uint32_t));
	}
	if (tally->place[number] == 0) {
		tally->bot = grown(tally->bot, tally->bots, sizeof(*bot));
		bot = &tally->bot[tally->bots];
		*bot = (struct tally_bot){ .number = number, .stride = 1 };
		if (ladder_bot_name(ladder, number, bot->name, why) < 0)
			return -1;
		tally->place[number] = ++tally->bots;
	}
	*place = tally->place[number] - 1;
	return 0;
}

/* Adds a point.  When the curve is full, every second point is dropped. */
static void
add_point(struct tally_bot *bot, float live_elo)
{
	if ((bot->games - 1) % bot->stride != 0)
		return;
	if (bot->points == TALLY_CURVE) {
		for (unsigned i = 0; i < TALLY_CURVE / 2; i++)
			bot->point[i] = bot->point[2 * i];
		bot->points = TALLY_CURVE / 2;
		bot->stride *= 2;
	}
	*ADDED(bot->point, bot->points) =
		(struct tally_point){ bot->games, live_elo };
}

static int
by_name(const void *left, const void *right, void *arg)
{
	const struct tally *tally = arg;

	return strcmp(tally->bot[*(const uint32_t *)left].name,
		      tally->bot[*(const uint32_t *)right].name);
}

static void
sort(struct tally *tally)
{
	if (tally->sorted == tally->bots)
		return;
	tally->by_name = memory(tally->by_name, tally->bots * sizeof(uint32_t));
	for (uint32_t i = 0; i < tally->bots; i++)
		tally->by_name[i] = i;
	qsort_r(tally->by_name, tally->bots, sizeof(uint32_t), by_name, tally);
	tally->sorted = tally->bots;
}

/* ---- games ------------------------------------------------------------ */

struct reading {
	struct tally *tally;
	struct ladder *ladder;
	int64_t serial; /* the game whose seats are being read */
	unsigned seats;
	uint32_t bot[SEATS_MAX];
	int place[SEATS_MAX];
	int result;
	struct error *why;
};

/* Counts the duels of a game when all its seats have been read. */
static void
end_game(struct reading *reading)
{
	for (unsigned s = 0; s < reading->seats; s++)
		for (unsigned t = s + 1; t < reading->seats; t++)
			add_duel(reading->tally,
				 (uint32_t[]){ reading->bot[s],
					       reading->bot[t] },
				 (int[]){ reading->place[s],
					  reading->place[t] });
	reading->seats = 0;
}

static void
note_hour(struct tally *tally, const char *ended)
{
	const int64_t minute = date_read(ended) / MINUTE_S;
	const unsigned at = (unsigned)(minute % TALLY_MINUTES);

	if (minute <= 0 || minute < tally->minute[at])
		return;
	if (minute > tally->minute[at])
		tally->over[at] = 0;
	tally->minute[at] = minute;
	tally->over[at]++;
}

static void
on_row(void *arg, const struct ladder_row *row)
{
	struct reading *reading = arg;
	struct tally *tally = reading->tally;
	struct tally_bot *bot;
	uint32_t place = 0;

	if (reading->result < 0)
		return;
	if (row->serial != reading->serial) {
		end_game(reading);
		note_hour(tally, row->ended);
	}
	reading->serial = row->serial;
	reading->result = find_place(tally, reading->ladder, row->bot, &place,
				     reading->why);
	if (reading->result < 0 || reading->seats == SEATS_MAX)
		return;
	reading->bot[reading->seats] = place;
	reading->place[reading->seats++] = row->place;
	tally->seats++;
	bot = &tally->bot[place];
	bot->trend[bot->games++ % TALLY_TREND] =
		(float)row->rating_milli / 1000;
	add_point(bot, (float)row->rating_milli / 1000);
	bot->last = row->serial;
	snprintf(bot->ended, sizeof(bot->ended), "%s", row->ended);
}

static int
read_rows(struct tally *tally, struct ladder *ladder, struct error *why)
{
	struct reading reading = { .tally = tally,
				   .ladder = ladder,
				   .why = why };
	int result = ladder_rows(ladder, tally->pool, tally->serial, on_row,
				 &reading, why);

	if (result == 0)
		result = reading.result;
	if (result < 0)
		return result;
	end_game(&reading);
	if (reading.serial > 0)
		tally->serial = reading.serial;
	sort(tally);
	return 0;
}

/* After a void the old counts are too high, so everything is read again.  If
 * the ladder's number still differs then, the difference is kept in `beside`. */
int
tally_update(struct tally *tally, struct ladder *ladder, int64_t pool,
	     struct error *why)
{
	int64_t seats;
	int result = 0;

	if (tally->pool != pool)
		clear(tally);
	tally->pool = pool;
	if (pool == 0)
		return 0;
	result = ladder_pool_seats(ladder, pool, &seats, why);
	if (result == 0)
		result = read_rows(tally, ladder, why);
	if (result == 0 && seats - tally->seats != tally->beside) {
		clear(tally);
		tally->pool = pool;
		result = read_rows(tally, ladder, why);
		tally->beside = seats - tally->seats;
	}
	if (result < 0)
		clear(tally);
	return result;
}

/* ---- what is told ----------------------------------------------------- */

const struct tally_bot *
tally_find(const struct tally *tally, const char *name)
{
	unsigned low = 0, high = tally->sorted, middle;
	const struct tally_bot *bot;
	int order;

	while (low < high) {
		middle = (low + high) / 2;
		bot = &tally->bot[tally->by_name[middle]];
		order = strcmp(name, bot->name);
		if (order == 0)
			return bot;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

unsigned
tally_trend(const struct tally_bot *bot, double trend[TALLY_TREND])
{
	unsigned n = bot->games < TALLY_TREND ? bot->games : TALLY_TREND, i;

	for (i = 0; i < n; i++)
		trend[i] = bot->trend[(bot->games - n + i) % TALLY_TREND];
	return n;
}

struct tally_meeting
tally_meet(const struct tally *tally, const struct tally_bot *a,
	   const struct tally_bot *b)
{
	const uint32_t x = (uint32_t)(a - tally->bot),
		       y = (uint32_t)(b - tally->bot);
	struct tally_meeting met = { 0 };

	if (x == y || tally->slots == 0)
		return met;
	met = tally->pair[slot_of(tally, x < y ? x : y, x < y ? y : x)].of_low;
	return x < y ? met
		     : (struct tally_meeting){ met.lost, met.level, met.won };
}

unsigned
tally_hour(const struct tally *tally, int64_t now)
{
	unsigned games = 0, i;

	for (i = 0; i < TALLY_MINUTES; i++)
		if (tally->minute[i] > now / MINUTE_S - TALLY_MINUTES &&
		    tally->minute[i] <= now / MINUTE_S)
			games += tally->over[i];
	return games;
}

/* Adds an unplayed win and an unplayed loss to the duels, so that a few duels
 * prove nothing, and ten wins out of ten not everything. */
struct tally_score
tally_score(const struct tally_meeting *meeting)
{
	const double won = meeting->won + 1.0, level = meeting->level;
	const double n = won + level + meeting->lost + 1;
	const double mean = (won + level / 2) / n;
	const double sd = sqrt(((won + level / 4) / n - mean * mean) / (n - 1));
	struct tally_score score = { 0, -1, -1 };

	if (n <= 2)
		return score;
	score.score = (won - 1 + level / 2) / (n - 2);
	score.bar = FIT_Z * sd;
	score.better = erfc((0.5 - mean) / sd / sqrt(2)) / 2;
	return score;
}
