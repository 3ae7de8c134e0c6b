/* referee/records/verify.h - a record proves itself.
 *
 * The game is played again from the moves in its record, and every line that it
 * writes must be the record's next line, byte for byte, except comments.
 * Chance comes from one of two places:
 *
 * sealed    the record has a commitment and its secret: the commitment must
 *	      match, and all chance is drawn again from the secret;
 * by rules  chance is read from the record's own lines: they then only have
 *	      to be possible.
 *
 * A commitment without its secret is refused, unless the rules alone are asked
 * for: cards could have been changed, and nothing would show it.  Every header
 * line of referee/table/record-keys.h must have its form.
 *
 * What a record cannot show is not judged: why a bot's answer counted as a
 * fault, and whether a bot gave the house move of its own free will. */
#ifndef REFEREE_VERIFY_H
#define REFEREE_VERIFY_H

#include <stdbool.h>

#include "protocol/record.h"
#include "protocol/text.h"
#include "referee/games/game.h"
#include "referee/records/verdict.h"

/* Called for each decision of the record before its move is made.  `at` is the
 * body's index of the decision's first line (`ask`, `fault`, `move` or `quiet`;
 * record->bodies if an aborted record ends there).  `game` is borrowed for the
 * call.  If a record does not verify, the calls end at the first difference. */
struct verify_watch {
	void (*decision)(struct verify_watch *watch, unsigned at,
			 const struct game *game);
};

/* Checks a record; with `by_rules` without its secret, if it has one.  `watch`
 * may be NULL. */
void verify_record(const struct record *record, bool by_rules,
		   struct verify_watch *watch, struct verdict *verdict);

/* Checks a pruned record: its header has the right form, and only `result`
 * lines follow.  This proves no game. */
void verify_pruned(const struct record *record, struct verdict *verdict);

/* Appends `ask S token…` by the rules for a seat that is asked. */
void verify_ask(const struct game *game, unsigned seat, struct text *line);

/* Returns true if two `ask` lines name the same seat, the same first token (the
 * house move), and the same others in any order. */
bool verify_same_ask(const char *one, const char *other);

#endif
