/* referee/records/verify.h - a record proves itself.
 *
 * A game is played again from the moves in its record, and every line that it
 * writes must be the record's next line, byte for byte (comments aside).  What
 * chance did comes from one of two places:
 *
 *  sealed    the record has a commitment and its secret: the commitment must
 *	      match, and all chance is drawn again from the secret;
 *  by rules  chance is read from the record's own lines: they then only have
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

/* Told of each decision of the record before its move is made: `at` is the
 * body's index of the first line that belongs to it (`ask`, `fault`, `move` or
 * `quiet`; record->bodies if an aborted record ends there), `game` is borrowed
 * for the call.  Of a record that does not verify, the decisions up to the
 * first difference are told. */
struct verify_watch {
	void (*decision)(struct verify_watch *watch, unsigned at,
			 const struct game *game);
};

/* Checks a record; `by_rules`: leaves its secret out of it, if it has one.
 * `watch` may be NULL. */
void verify_record(const struct record *record, bool by_rules,
		   struct verify_watch *watch, struct verdict *verdict);

/* Checks what is left of a pruned record: its header has the form of one, and
 * behind it are the `result` lines alone.  Proves no game. */
void verify_pruned(const struct record *record, struct verdict *verdict);

/* Appends `ask S token…`, as the rules have it, of a seat that is asked. */
void verify_ask(const struct game *game, unsigned seat, struct text *line);

/* Whether two `ask` lines name the same seat, the same token first (the house
 * move), and the same others behind it in any order. */
bool verify_same_ask(const char *one, const char *other);

#endif
