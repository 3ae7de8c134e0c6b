/* tests/unit/durnius-model.c - see durnius-model.h. */
#include "tests/unit/durnius-model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ranks[] = "6789TJQKA", suits[] = "CDHS";

int
card_number(const char *name)
{
	const char *rank, *suit;

	if (strlen(name) != 2)
		return -1;
	rank = strchr(ranks, name[0]);
	suit = strchr(suits, name[1]);
	return rank && suit ? (int)(rank - ranks) * 4 + (int)(suit - suits)
			    : -1;
}

const char *
card_text(unsigned card)
{
	static char name[CARDS][3];

	name[card][0] = ranks[card / 4];
	name[card][1] = suits[card % 4];
	return name[card];
}

static void __attribute__((format(printf, 2, 3)))
put(struct model *m, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	m->used += (size_t)vsnprintf(m->text + m->used,
				     sizeof(m->text) - m->used, format, args);
	va_end(args);
	if (m->used >= sizeof(m->text))
		bug("the model's lines are too long");
}

/* ---- questions -------------------------------------------------------- */

static unsigned
held(const struct model *m, unsigned seat)
{
	unsigned card, n = 0;

	for (card = 0; card < CARDS; card++)
		n += m->hand[seat][card];
	return n;
}

static bool
same_side(const struct model *m, unsigned a, unsigned b)
{
	switch (m->option[TEAMS]) {
	case 1:
		return a % (m->seats / 2) == b % (m->seats / 2);
	case 2:
		return a % 2 == b % 2;
	default:
		return a == b;
	}
}

/* Returns the seat that plays this chair, or -1 if it is empty. */
static int
chair_seat(const struct model *m, unsigned chair)
{
	unsigned i, seat;

	for (i = 0; i < m->seats; i++) {
		seat = (chair + i) % m->seats;
		if (m->in[seat] && same_side(m, seat, chair))
			return (int)seat;
	}
	return -1;
}

static unsigned
chair_after(const struct model *m, unsigned chair)
{
	do
		chair = (chair + 1) % m->seats;
	while (chair_seat(m, chair) < 0);
	return chair;
}

static bool
beats(const struct model *m, unsigned card, unsigned attack)
{
	if (card % 4 == attack % 4)
		return card > attack;
	return card % 4 == m->trump;
}

static unsigned
count_beaten(const struct model *m)
{
	unsigned i, n = 0;

	for (i = 0; i < m->attacks; i++)
		n += m->cover[i] >= 0;
	return n;
}

static bool
rank_on_table(const struct model *m, unsigned rank)
{
	unsigned i;

	for (i = 0; i < m->attacks; i++)
		if (m->attack[i] / 4 == rank ||
		    (m->cover[i] >= 0 && (unsigned)m->cover[i] / 4 == rank))
			return true;
	return false;
}

static bool
is_adder(const struct model *m, unsigned seat)
{
	return !same_side(m, seat, m->defender) && held(m, seat) > 0 &&
	       m->attacks < m->limit &&
	       (m->option[ADDING] == 0 || count_beaten(m) > 0);
}

unsigned
model_asked(const struct model *m, int *holder)
{
	unsigned seat, asked = 0;

	*holder = -1;
	if (m->over)
		return 0;
	if (m->attacking) {
		*holder = (int)m->attacker;
		return 1u << m->attacker;
	}
	for (seat = 0; seat < m->seats; seat++)
		if (is_adder(m, seat))
			asked |= 1u << seat;
	if (count_beaten(m) < m->attacks) {
		*holder = (int)m->defender;
		asked |= 1u << m->defender;
	}
	return asked;
}

/* ---- legal moves ------------------------------------------------------ */

static unsigned
legal_attack(const struct model *m, unsigned seat,
	     char token[MODEL_TOKENS][MOVE_BYTES])
{
	unsigned card, n = 0, trumps;

	for (trumps = 0; trumps < 2; trumps++)
		for (card = 0; card < CARDS; card++)
			if (m->hand[seat][card] &&
			    (card % 4 == m->trump) == trumps)
				snprintf(token[n++], MOVE_BYTES, "attack:%.2s",
					 card_text(card));
	return n;
}

static unsigned
legal_passing(const struct model *m, unsigned n,
	      char token[MODEL_TOKENS][MOVE_BYTES])
{
	unsigned chair = chair_after(m, m->defender_chair);
	unsigned room = held(m, (unsigned)chair_seat(m, chair));
	unsigned card, copies;

	for (card = 0; card < CARDS; card++) {
		copies = m->hand[m->defender][card];
		if (!copies || card / 4 != m->attack[0] / 4)
			continue;
		if (card % 4 == m->trump && copies <= m->shows[m->defender])
			continue;
		if (room >= m->attacks + 1)
			snprintf(token[n++], MOVE_BYTES, "transfer:%.2s",
				 card_text(card));
		if (m->option[TRAVEL] && card % 4 == m->trump &&
		    room >= m->attacks)
			snprintf(token[n++], MOVE_BYTES, "show:%.2s",
				 card_text(card));
	}
	return n;
}

/* Moves the house move to the front: the token that beats the lowest card with
 * the lowest card, or `take`. */
static void
house_first(const struct model *m, unsigned n,
	    char token[MODEL_TOKENS][MOVE_BYTES])
{
	int card, attacked, height, least = 1 << 16;
	unsigned i, best = 0;
	char house[MOVE_BYTES], on[3], with[3];

	for (i = 1; i < n; i++) {
		if (sscanf(token[i], "beat:%2s:%2s", on, with) != 2)
			continue;
		attacked = card_number(on);
		card = card_number(with);
		height = card * CARDS + attacked;
		if ((unsigned)card % 4 == m->trump)
			height += CARDS * CARDS;
		if (height < least) {
			least = height;
			best = i;
		}
	}
	memcpy(house, token[best], MOVE_BYTES);
	memcpy(token[best], token[0], MOVE_BYTES);
	memcpy(token[0], house, MOVE_BYTES);
}

static unsigned
legal_defence(const struct model *m, char token[MODEL_TOKENS][MOVE_BYTES])
{
	unsigned i, j, card, n = 0;
	bool again;

	snprintf(token[n++], MOVE_BYTES, "take");
	for (i = 0; i < m->attacks; i++) {
		for (again = false, j = 0; j < i; j++)
			again |=
				m->cover[j] < 0 && m->attack[j] == m->attack[i];
		if (m->cover[i] >= 0 || again)
			continue;
		for (card = 0; card < CARDS; card++)
			if (m->hand[m->defender][card] &&
			    beats(m, card, m->attack[i]))
				snprintf(token[n++], MOVE_BYTES,
					 "beat:%.2s:%.2s",
					 card_text(m->attack[i]),
					 card_text(card));
	}
	if (m->option[PASSING] && count_beaten(m) == 0)
		n = legal_passing(m, n, token);
	house_first(m, n, token);
	return n;
}

unsigned
model_legal(const struct model *m, unsigned seat,
	    char token[MODEL_TOKENS][MOVE_BYTES])
{
	unsigned card, n = 0;

	if (m->attacking)
		return legal_attack(m, seat, token);
	if (seat == m->defender)
		return legal_defence(m, token);
	snprintf(token[n++], MOVE_BYTES, "pass");
	for (card = 0; card < CARDS; card++)
		if (m->hand[seat][card] && rank_on_table(m, card / 4))
			snprintf(token[n++], MOVE_BYTES, "add:%.2s",
				 card_text(card));
	return n;
}

/* ---- a game begins ---------------------------------------------------- */

void
model_open(struct model *m, const struct game_setup *setup)
{
	memset(m, 0, sizeof(*m));
	m->seats = setup->seats;
	memcpy(m->option, setup->option, sizeof(m->option));
	m->decks = 1u + (unsigned)m->option[DECKS];
	m->fool = -1;
}

static void
put_roles(struct model *m)
{
	put(m, " %u %u", m->attacker, m->defender);
	if (m->option[TEAMS])
		put(m, " %u %u", m->attacker_chair, m->defender_chair);
	put(m, "\n");
}

static void
take_chairs(struct model *m, unsigned chair)
{
	m->attacker_chair = chair;
	m->defender_chair = chair_after(m, chair);
	m->attacker = (unsigned)chair_seat(m, m->attacker_chair);
	m->defender = (unsigned)chair_seat(m, m->defender_chair);
	m->limit = held(m, m->defender);
}

static void
begin_turn(struct model *m, unsigned chair)
{
	take_chairs(m, chair);
	m->turn++;
	put(m, "turn %u", m->turn);
	put_roles(m);
	m->attacks = 0;
	memset(m->shows, 0, sizeof(m->shows));
	m->attacking = true;
}

/* Returns the first leaver of the first side out of the last game, or -1. */
static int
first_leaver(const struct model *m)
{
	unsigned i, j, seat, members, gone;

	for (i = 0; i < m->outs; i++) {
		members = gone = 0;
		for (seat = 0; seat < m->seats; seat++)
			members += same_side(m, seat, m->out[i]);
		for (j = 0; j <= i; j++)
			gone += same_side(m, m->out[j], m->out[i]);
		if (gone < members)
			continue;
		for (j = 0; !same_side(m, m->out[j], m->out[i]); j++)
			;
		return (int)m->out[j];
	}
	return -1;
}

static unsigned
lowest_trump(struct model *m)
{
	unsigned card, i, seat;

	for (card = m->trump; card < CARDS; card += 4) {
		for (i = 1; i <= m->seats; i++) {
			seat = (m->dealer + i) % m->seats;
			if (!m->hand[seat][card])
				continue;
			put(m, "lowest %u %s\n", seat, card_text(card));
			return seat;
		}
	}
	put(m, "lowest none\n");
	return (m->dealer + 1) % m->seats;
}

/* Reads the next word of the lines, which must be this one if it is not NULL. */
static const char *
word(const char **at, const char *must)
{
	static char copy[32];
	size_t n = strcspn(*at, " \n");

	if (n >= sizeof(copy))
		bug("a long word in a deal");
	memcpy(copy, *at, n);
	copy[n] = '\0';
	*at += n + 1;
	if (must && strcmp(copy, must) != 0)
		bug("\"%s\" where a deal has \"%s\"", copy, must);
	return copy;
}

/* Reads a card between these marks, which may be empty. */
static unsigned
card_word(const char **at, const char *before, const char *after)
{
	const char *read = word(at, NULL);
	size_t n = strlen(before);
	char name[3] = "";
	int card;

	if (strncmp(read, before, n) != 0 || strlen(read) < n + 2 ||
	    strcmp(read + n + 2, after) != 0)
		bug("\"%s\" where a card has the marks \"%s%s\"", read, before,
		    after);
	memcpy(name, read + n, 2);
	card = card_number(name);
	if (card < 0)
		bug("\"%s\" is no card", read);
	return (unsigned)card;
}

/* Reads one `deal` line; returns the last card.  `open`: this card lies open. */
static unsigned
read_hand(struct model *m, unsigned seat, bool open, const char **at)
{
	const char digit[] = { (char)('0' + seat), '\0' };
	const char close[] = { '}', digit[0], '\0' };
	unsigned i, hidden = open ? 5 : 6, card = 0;

	word(at, "deal");
	word(at, digit);
	for (i = 1; i <= 6; i++) {
		card = card_word(at, i == 1 ? "{" : "",
				 i == hidden ? close : "");
		m->hand[seat][card]++;
	}
	return card;
}

static void
read_deal(struct model *m, const char **at)
{
	bool open = m->seats * 6 == m->decks * CARDS;
	unsigned i, card = 0, trump;

	for (i = 1; i <= m->seats; i++)
		card = read_hand(m, (m->dealer + i) % m->seats,
				 open && i == m->seats, at);
	word(at, "trump");
	trump = card_word(at, "", "");
	m->trump = trump % 4;
	m->talons = m->decks * CARDS - 6 * m->seats;
	if (open && trump != card)
		bug("another trump card than the last one dealt");
	if (open)
		return;
	word(at, "talon");
	for (i = 0; i + 1 < m->talons; i++)
		m->talon[i] = card_word(at, i == 0 ? "{" : "",
					i + 2 == m->talons ? "}" : "");
	m->talon[i] = trump;
}

void
model_deal(struct model *m, const char **at)
{
	int leaver = first_leaver(m), chair = -1;
	unsigned seat;

	if (m->game > 0 && m->fool >= 0 && m->option[START] == 1)
		chair = (m->fool + (int)m->seats - 1) % (int)m->seats;
	if (m->game > 0 && m->fool >= 0 && m->option[START] == 2)
		chair = leaver;
	word(at, "round");
	m->game++;
	if (strtoul(word(at, NULL), NULL, 10) != m->game)
		bug("not round %u", m->game);
	seat = (unsigned)strtoul(word(at, NULL), NULL, 10);
	if (m->game > 1) {
		m->dealer = m->option[DEALER] == 1 && m->fool >= 0
				    ? (unsigned)m->fool
				    : (m->dealer + 1) % m->seats;
		if (seat != m->dealer)
			bug("seat %u deals, not %u", seat, m->dealer);
	}
	m->dealer = seat;
	memset(m->hand, 0, sizeof(m->hand));
	m->drawn = m->discarded = m->outs = m->turn = m->idle = 0;
	for (seat = 0; seat < m->seats; seat++)
		m->in[seat] = true;
	read_deal(m, at);
	if (chair < 0)
		chair = (int)lowest_trump(m);
	begin_turn(m, (unsigned)chair);
}

/* ---- a game ends ------------------------------------------------------ */

static void
side_gets(struct model *m, unsigned of, long points)
{
	unsigned seat;

	for (seat = 0; seat < m->seats; seat++)
		if (same_side(m, seat, of))
			m->points[seat] += points;
}

static void
mark(struct model *m, const unsigned *f, unsigned n)
{
	int last = -1, before = -1;
	unsigned i;

	for (i = 0; i < n; i++) {
		if (f[i] / 4 != 0)
			continue;
		before = last;
		last = (int)f[i];
	}
	if (f[n - 1] / 4 != 0)
		return;
	put(m, "epaulette %d", m->fool);
	if (before >= 0)
		put(m, " %s", card_text((unsigned)before));
	put(m, " %s\n", card_text((unsigned)last));
}

/* Writes the epaulette line if one is due.  Returns true if the card was the ace. */
static bool
race(struct model *m, const unsigned *f, unsigned n)
{
	unsigned i, plain = 0, rank = f[n - 1] / 4;

	for (i = 0; i < n; i++)
		plain += f[i] % 4 != m->trump;
	if ((long)rank != -m->points[m->fool])
		return false;
	m->only_trumps += plain == 0;
	if (plain == 0)
		return false;
	put(m, "epaulette %d %s\n", m->fool, card_text(f[n - 1]));
	side_gets(m, (unsigned)m->fool, -1);
	m->aces += rank == 8;
	return rank == 8;
}

static bool
epaulette(struct model *m)
{
	unsigned f[72], i, n = 0;

	if (m->option[EPAULETTES] == 0 || m->fool != (int)m->defender)
		return false;
	for (i = 0; i < m->attacks; i++)
		if (!same_side(m, m->by[i], (unsigned)m->fool))
			f[n++] = m->attack[i];
	m->came_back += n < m->attacks;
	if (n == 0)
		return false;
	if (m->option[EPAULETTES] == 2)
		return race(m, f, n);
	mark(m, f, n);
	return false;
}

/* Computes `scoring order` at the end, from the order of leaving. */
static void
score_order(struct model *m)
{
	unsigned seat, other, turn_out[6], sides;
	bool leads;

	for (seat = 0; seat < m->seats; seat++) {
		turn_out[seat] = 0;
		for (other = 0; other < m->seats; other++) {
			if (!same_side(m, seat, other))
				continue;
			if (m->in[other])
				turn_out[seat] = UINT32_MAX;
			else if (m->out_turn[other] > turn_out[seat])
				turn_out[seat] = m->out_turn[other];
		}
	}
	for (seat = 0; seat < m->seats; seat++) {
		if (turn_out[seat] == UINT32_MAX)
			continue;
		for (sides = 0, other = 0; other < m->seats; other++) {
			/* Each side counts once, by its lowest seat. */
			leads = m->option[TEAMS] == 1
					? other < m->seats / 2
					: m->option[TEAMS] == 0 || other < 2;
			sides += leads && turn_out[other] > turn_out[seat];
		}
		m->points[seat] += sides;
	}
}

/* Ends the game, whose fool is a seat or -1.  Returns true if there is another game. */
static bool
end_game(struct model *m, int fool)
{
	bool ace;
	unsigned seat;

	m->fool = fool;
	m->draws += fool < 0;
	if (fool < 0)
		put(m, "fool none\n");
	else
		put(m, "fool %d\n", fool);
	ace = epaulette(m);
	if (m->option[EPAULETTES] != 2) {
		if (m->option[SCORING] == 2)
			score_order(m);
		else if (fool >= 0)
			side_gets(m, (unsigned)fool, -1);
		if (m->option[SCORING] == 1 && first_leaver(m) >= 0)
			side_gets(m, (unsigned)first_leaver(m), 1);
	}
	for (seat = 0; seat < m->seats; seat++)
		put(m, "score %u %ld\n", seat, m->points[seat]);
	m->over = ace || m->game == (unsigned)m->option[GAMES];
	return !m->over;
}

static void
put_results(struct model *m)
{
	unsigned seat, other, place;

	for (seat = 0; seat < m->seats; seat++) {
		for (place = 1, other = 0; other < m->seats; other++)
			place += m->points[other] > m->points[seat];
		put(m, "result %u %u %ld\n", seat, place, m->points[seat]);
	}
}

/* ---- a turn ends ------------------------------------------------------ */

static void
draw_up(struct model *m, unsigned seat)
{
	unsigned n = held(m, seat), first = m->drawn, last = m->talons - 1;

	if (n >= 6 || m->drawn == m->talons)
		return;
	put(m, "draw %u", seat);
	for (; n < 6 && m->drawn < m->talons; n++, m->drawn++) {
		if (m->drawn == last && m->drawn > first)
			put(m, "}%u", seat);
		put(m, m->drawn == first && m->drawn < last ? " {%s" : " %s",
		    card_text(m->talon[m->drawn]));
		m->hand[seat][m->talon[m->drawn]]++;
	}
	if (m->drawn < m->talons)
		put(m, "}%u", seat);
	put(m, "\n");
}

/* Returns how many leave. */
static unsigned
leave(struct model *m)
{
	unsigned seat, next, n = 0;

	for (;; n++) {
		next = m->seats;
		for (seat = 0; seat < m->seats; seat++)
			if (m->in[seat] && held(m, seat) == 0 &&
			    (next == m->seats ||
			     m->last_card[seat] < m->last_card[next]))
				next = seat;
		if (next == m->seats)
			return n;
		m->in[next] = false;
		m->out[m->outs++] = next;
		m->out_turn[next] = m->turn;
		put(m, "out %u\n", next);
	}
}

/* Returns true if all seats that hold cards are of one side.  Sets *fool to the first
 * of them from the defender on, or to -1. */
static bool
one_side_left(const struct model *m, int *fool)
{
	unsigned i, seat;

	*fool = -1;
	for (i = 0; i < m->seats; i++) {
		seat = (m->defender + i) % m->seats;
		if (held(m, seat) == 0)
			continue;
		if (*fool < 0)
			*fool = (int)seat;
		else if (!same_side(m, seat, (unsigned)*fool))
			return false;
	}
	return true;
}

static bool
end_turn(struct model *m, bool taken)
{
	unsigned i, n = m->attacks + count_beaten(m), drawn = m->drawn;
	unsigned chair = m->defender_chair;
	bool changed;
	int fool;

	for (i = 0; taken && i < m->attacks; i++) {
		m->hand[m->defender][m->attack[i]]++;
		if (m->cover[i] >= 0)
			m->hand[m->defender][m->cover[i]]++;
	}
	if (taken)
		put(m, "pickup %u %u\n", m->defender, n);
	else
		put(m, "discard %u\n", n);
	if (!taken)
		m->discarded += n;
	for (i = 0; i < m->seats; i++)
		if ((m->attacker + i) % m->seats != m->defender)
			draw_up(m, (m->attacker + i) % m->seats);
	draw_up(m, m->defender);
	changed = leave(m) > 0 || !taken || m->drawn > drawn;
	m->idle = changed ? 0 : m->idle + 1;
	if (one_side_left(m, &fool)) {
		if (end_game(m, fool))
			return true;
		put_results(m);
		return false;
	}
	if (m->idle == CARDS * m->decks) {
		m->stalls++;
		put(m, "stall\n");
		if (end_game(m, -1))
			return true;
		put_results(m);
		return false;
	}
	if (taken || chair_seat(m, chair) < 0)
		chair = chair_after(m, chair);
	begin_turn(m, chair);
	return false;
}

/* ---- moves ------------------------------------------------------------ */

static void
play_card(struct model *m, unsigned seat, unsigned card)
{
	m->hand[seat][card]--;
	m->last_card[seat] = ++m->clock;
}

static void
lay_attack(struct model *m, unsigned seat, unsigned card)
{
	play_card(m, seat, card);
	m->attack[m->attacks] = card;
	m->by[m->attacks] = seat;
	m->cover[m->attacks++] = -1;
}

static void
shift(struct model *m)
{
	take_chairs(m, m->defender_chair);
	put(m, "shift");
	put_roles(m);
}

static void
cover(struct model *m, const char *token)
{
	char name[3] = "";
	unsigned i, attack, card;

	memcpy(name, token + 5, 2);
	attack = (unsigned)card_number(name);
	card = (unsigned)card_number(token + 8);
	for (i = 0; m->cover[i] >= 0 || m->attack[i] != attack; i++)
		;
	play_card(m, m->defender, card);
	m->cover[i] = (int)card;
}

bool
model_move(struct model *m, unsigned seat, const char *token)
{
	const char *colon = strchr(token, ':');
	int holder;

	put(m, "move %u %s\n", seat, token);
	m->attacking = false;
	if (strcmp(token, "take") == 0)
		return end_turn(m, true);
	if (strncmp(token, "beat", 4) == 0) {
		cover(m, token);
	} else if (strncmp(token, "show", 4) == 0) {
		m->second_shows += m->shows[seat]++ > 0;
		shift(m);
	} else {
		lay_attack(m, seat, (unsigned)card_number(colon + 1));
		if (strncmp(token, "transfer", 8) == 0)
			shift(m);
	}
	if (model_asked(m, &holder) == 0)
		return end_turn(m, false);
	return false;
}

bool
model_quiet(struct model *m)
{
	put(m, "quiet\n");
	return end_turn(m, false);
}

/* ---- section 11 ------------------------------------------------------- */

static const char *
broken_at_turn(const struct model *m)
{
	unsigned seat;

	for (seat = 0; seat < m->seats; seat++) {
		if (m->in[seat] && held(m, seat) == 0)
			return "a hand is empty at the begin of a turn";
		if (m->drawn < m->talons && held(m, seat) < 6)
			return "fewer than six cards while the talon lasts";
	}
	return NULL;
}

const char *
model_broken(const struct model *m)
{
	unsigned i, seat, card, all = m->discarded + m->talons - m->drawn;
	unsigned on_table = m->attacking ? 0 : m->attacks + count_beaten(m);
	unsigned unbeaten = on_table - (m->attacking ? 0 : 2 * count_beaten(m));
	unsigned copies;

	for (card = 0; card < CARDS; card++) {
		for (copies = 0, seat = 0; seat < m->seats; seat++)
			copies += m->hand[seat][card];
		if (copies > m->decks)
			return "a card more often than there are decks";
		all += copies;
	}
	if (all + on_table != CARDS * m->decks)
		return "a card is missing";
	if (same_side(m, m->attacker, m->defender))
		return "attacker and defender are of one side";
	if (unbeaten > held(m, m->defender))
		return "more unbeaten cards than the defender holds";
	for (i = 1; i < m->attacks; i++)
		if (!m->attacking && count_beaten(m) == 0 &&
		    m->attack[i] / 4 != m->attack[0] / 4)
			return "two ranks before a card is beaten";
	return m->attacking ? broken_at_turn(m) : NULL;
}
