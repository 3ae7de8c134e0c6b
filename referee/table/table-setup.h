/* referee/table/table-setup.h - what is fixed before the cards are dealt. */
#ifndef REFEREE_TABLE_SETUP_H
#define REFEREE_TABLE_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "referee/games/game.h"
#include "referee/table/deal.h"
#include "referee/table/seat.h"

struct table_setup {
	struct game_setup game;
	struct deal deal;
	bool arrival; /* open=arrival */
	struct seat_clock clock;
	unsigned faults;  /* at this one a seat is retired */
	bool record_asks; /* `ask` lines in the record */
	bool show_names;  /* `names=` in the bots' game line */
	char name[SEATS_MAX][NAME_BYTES + 1];
	/* The bot there is a later version of the one that stands on the ladder
	 * under this name, and enters it with that one's rating; or "". */
	char heir_of[SEATS_MAX][NAME_BYTES + 1];
	bool entropy[SEATS_MAX]; /* the bot there is known to send some */
	/* If the game has been begun before, it is dealt the same cards: these are what
	 * the seats gave then, so that none is asked. */
	bool given;
	struct entropy given_entropy;
	uint64_t date; /* seconds since 1970, for the header */
};

#endif
