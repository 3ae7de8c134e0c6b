/* tests/unit/durnius-model.h - a second Durnius for comparison.
 *
 * It is written from the rules alone, in the plainest way: cards are counted
 * in arrays, and everything is computed again each time.  It reads the lines
 * of a deal and then writes the lines that each move must lead to. */
#ifndef TESTS_DURNIUS_MODEL_H
#define TESTS_DURNIUS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "referee/games/game.h"

#define CARDS 36
#define MODEL_TOKENS 512

/* Numbers the options in their order. */
enum {
	DECKS,
	PASSING,
	TRAVEL,
	ADDING,
	TEAMS,
	START,
	DEALER,
	GAMES,
	SCORING,
	EPAULETTES
};

struct model {
	unsigned seats, decks;
	int16_t option[OPTIONS_MAX];

	unsigned hand[6][CARDS]; /* copies of each card */
	unsigned talon[72], talons, drawn;
	unsigned discarded;
	unsigned trump; /* its suit, 0 to 3 */

	/* Holds the attacking cards; cover: the card on it, or -1. */
	unsigned attack[72], by[72], attacks;
	int cover[72];

	bool in[6];
	unsigned last_card[6], clock; /* when a seat played its last card */
	unsigned out[6], outs;	      /* seats that have left this game */
	unsigned out_turn[6];	      /* and in which turn */

	unsigned game, dealer, turn;
	unsigned attacker, defender, attacker_chair, defender_chair;
	unsigned limit, idle;
	unsigned shows[6];
	long points[6];
	int fool; /* of the last game; -1: none */
	bool attacking, over;

	/* These count rare events, to show that the tests reach them. */
	unsigned stalls, draws, aces, only_trumps, came_back, second_shows;

	char text[65536]; /* the lines that must come */
	size_t used;
};

void model_open(struct model *model, const struct game_setup *setup);

/* Takes the lines of a deal, `round` to `talon`, from the front of `*lines`
 * (NUL-terminated), and writes the other lines that must be there. */
void model_deal(struct model *model, const char **lines);

/* Writes the lines that must follow from a move, or from `quiet`, up to the
 * next deal.  Returns true if there is one; then call model_deal(). */
bool model_move(struct model *model, unsigned seat, const char *token);
bool model_quiet(struct model *model);

/* Returns the set of seats that are asked.  Sets *holder to the seat that holds the
 * decision, or to -1. */
unsigned model_asked(const struct model *model, int *holder);

/* Writes the moves of a seat that is asked, the house move first; returns how many. */
unsigned model_legal(const struct model *model, unsigned seat,
		     char token[MODEL_TOKENS][MOVE_BYTES]);

/* Checks what must hold at every decision (section 11); returns a sentence, or NULL. */
const char *model_broken(const struct model *model);

/* These return the number of a card's name, rank * 4 + suit, or -1; and the name of a
 * number. */
int card_number(const char *name);
const char *card_text(unsigned card);

#endif
