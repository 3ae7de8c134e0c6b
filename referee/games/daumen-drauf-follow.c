/* referee/games/daumen-drauf-follow.c - Daumen drauf, as a viewer is told of
 * it.
 *
 * Guesses are where the cards lie that the viewer has not seen, and the fangs
 * of cards that were shown, so of twins which is which.  Here they are made to
 * agree with the lines of a step, by letting two cards change places wherever
 * they are: a shown card with its twin, others with any. */
#include <string.h>

#include "referee/games/daumen-drauf.h"
#include "referee/games/told.h"

#define NO_CARD 0xff

struct heeding {
	struct daumen *d;
	card_set fixed; /* cards that lie where they are known to */
};

/* ---- pieces ----------------------------------------------------------- */

static void
exchange_in(card_set *set, unsigned card, unsigned other)
{
	if ((*set >> card ^ *set >> other) & 1)
		*set ^= piece(card) | piece(other);
}

static void
exchange_row(uint8_t *row, unsigned n, unsigned card, unsigned other)
{
	for (; n > 0; n--, row++) {
		if (*row == card)
			*row = (uint8_t)other;
		else if (*row == other)
			*row = (uint8_t)card;
	}
}

/* Each of the two is where the other was. */
static void
exchange(struct daumen *d, unsigned card, unsigned other)
{
	unsigned seat;

	exchange_in(&d->stock, card, other);
	exchange_in(&d->covered, card, other);
	for (seat = 0; seat < d->seats; seat++)
		exchange_in(&d->hand[seat], card, other);
	exchange_row(d->dealt, d->drawn, card, other);
	exchange_row(d->card, d->shown, card, other);
}

static card_set
shown_cards(const struct daumen *d)
{
	card_set cards = 0;
	unsigned show;

	for (show = 0; show < d->shown; show++)
		cards |= piece(d->card[show]);
	return cards;
}

static card_set
known_cards(const struct daumen *d, int viewer)
{
	card_set known = 0, places = viewer < 0 ? 0 : d->places[viewer];
	unsigned show;

	while (places)
		known |= piece(d->dealt[card_take_lowest(&places)]);
	for (show = 0; show < d->shown; show++)
		if (knows_fang(d, viewer, show))
			known |= piece(d->card[show]);
	return known;
}

/* The card becomes one that was not shown yet, if it need be by its twin. */
static bool
unshow(struct heeding *h, unsigned card)
{
	unsigned twin = twin_of(card);

	if (!(shown_cards(h->d) >> card & 1))
		return true;
	if ((h->fixed >> card | h->fixed >> twin) & 1)
		return false;
	exchange(h->d, card, twin);
	return !(shown_cards(h->d) >> card & 1);
}

/* The card, not shown yet, lies in one of the places where the cards `to` are,
 * which were not shown either. */
static bool
bring(struct heeding *h, unsigned card, card_set to)
{
	card_set room;

	to &= ~shown_cards(h->d);
	if (!(to >> card & 1)) {
		if (h->fixed >> card & 1 || !unshow(h, card))
			return false;
		/* Its twin may have come out of `to`. */
		room = to & ~h->fixed & ~shown_cards(h->d) & ~piece(card);
		if (!(to >> twin_of(card) & 1 &&
		      shown_cards(h->d) >> twin_of(card) & 1)) {
			if (!room)
				return false;
			exchange(h->d, card, card_lowest(room));
		}
	}
	h->fixed |= piece(card);
	return true;
}

/* ---- what was shown --------------------------------------------------- */

/* A show was this card. */
static bool
pin_show(struct heeding *h, unsigned show, unsigned card)
{
	unsigned guess = h->d->card[show];

	if (guess != card) {
		if (guess != twin_of(card) ||
		    (h->fixed >> card | h->fixed >> guess) & 1)
			return false;
		exchange(h->d, card, guess);
	}
	h->fixed |= piece(card);
	return true;
}

/* Of `take S c ...` and `pile S c ...` each card that is named in full, as the
 * show it was: those that are the seat's by now, then those of this turn.  What
 * this step shows is the one after the last, and goes into `*now`. */
static bool
heed_taken(struct heeding *h, const struct told *step, unsigned line,
	   unsigned taker, unsigned *now)
{
	struct daumen *d = h->d;
	bool pile = told_is(step, line, "pile");
	unsigned seat = told_seat(step, line), word = 2, show;
	int card;

	for (show = pile ? 0 : d->turn_from; show <= d->shown; show++) {
		if (show < d->turn_from ? d->whose[show] != seat
					: seat != taker)
			continue;
		if (word == told_count(step, line))
			break;
		card = told_piece(step, line, word++, &daumen_deck);
		if (card < 0)
			continue;
		if (show == d->shown)
			*now = (unsigned)card;
		else if (!pin_show(h, show, (unsigned)card))
			return false;
	}
	return true;
}

/* `open S c`: the card that S showed last before. */
static bool
heed_open(struct heeding *h, const struct told *step, unsigned line)
{
	int card = told_piece(step, line, 2, &daumen_deck);
	unsigned seat = told_seat(step, line);

	return seat < h->d->seats && card >= 0 &&
	       pin_show(h, h->d->latest[seat], (unsigned)card);
}

static bool
heed_shows(struct heeding *h, const struct told *step, unsigned end,
	   unsigned *now)
{
	unsigned taker = SEATS_MAX, line;

	for (line = 1; line < end; line++) {
		if (told_is(step, line, "open") && !heed_open(h, step, line))
			return false;
		if (told_is(step, line, "take"))
			taker = told_seat(step, line);
		if ((told_is(step, line, "take") ||
		     told_is(step, line, "pile")) &&
		    !heed_taken(h, step, line, taker, now))
			return false;
	}
	return true;
}

/* ---- the move --------------------------------------------------------- */

/* Of `show:Y3?` either twin that the viewer has not seen elsewhere. */
static bool
choose_fang(struct heeding *h, unsigned seat, const char *token, unsigned *card)
{
	card_set shown = shown_cards(h->d), hand = free_cards(h->d, seat);
	card_set may = 0;
	unsigned i;

	for (i = 0; i < PIECES_MAX; i++)
		if (strncmp(daumen_deck.name[i], token, 2) == 0)
			may |= piece(i);
	may &= ~shown & ~h->fixed;
	if (!may)
		return false;
	*card = card_lowest(may & hand ? may & hand : may);
	return true;
}

/* Which card the move shows, if it shows one; `now` is it, or NO_CARD. */
static bool
heed_move(struct heeding *h, const struct told *step, struct move *move,
	  unsigned now)
{
	const char *token = told_word(step, 0, 2), *colon = strchr(token, ':');
	unsigned seat = told_seat(step, 0);

	if (!colon)
		return true;
	if (!strchr(token, '?')) /* the viewer's own */
		return h->d->hand[seat] >> move->piece[0] & 1;
	*move = (struct move){ .verb = VERB_SHOW, .forced = step->forced };
	if (strncmp(token, "twin:", 5) == 0) {
		move->verb = VERB_TWIN;
		if (now == NO_CARD)
			now = twin_of(h->d->card[h->d->shown - 1]);
	}
	if (now == NO_CARD && !choose_fang(h, seat, colon + 1, &now))
		return false;
	move->piece[0] = (uint8_t)now;
	return bring(h, now, free_cards(h->d, seat));
}

/* ---- the rest --------------------------------------------------------- */

/* What is drawn comes from the stock, what is left over, too, or is held. */
static bool
heed_cards(struct heeding *h, const struct told *step, unsigned line)
{
	card_set cards = told_pieces(step, line, 2, &daumen_deck), to;
	unsigned seat = told_seat(step, line);

	if (seat >= h->d->seats)
		return false;
	while (cards) {
		to = h->d->stock;
		if (told_is(step, line, "hand"))
			to |= h->d->hand[seat];
		if (!bring(h, card_take_lowest(&cards), to))
			return false;
	}
	return true;
}

bool
daumen_heed(void *state, int viewer, const struct told *step, struct move *move)
{
	struct daumen *d = state;
	struct heeding h = { .d = d, .fixed = known_cards(d, viewer) };
	unsigned end = told_round(step), now = NO_CARD, line;

	if (!heed_shows(&h, step, end, &now) || !heed_move(&h, step, move, now))
		return false;
	for (line = 1; line < end; line++)
		if ((told_is(step, line, "draw") ||
		     told_is(step, line, "hand")) &&
		    !heed_cards(&h, step, line))
			return false;
	return true;
}
