/* referee/table/table.h - one game being played: engine, seats and clocks in, a
 * record out.
 *
 * The table knows decisions, not cards: it asks, collects answers, lets the
 * game apply the one that takes effect, and hands each event line to the
 * record in full and to each seat through hidden_redact().  There is no other
 * way from the game to a bot. */
#ifndef REFEREE_TABLE_H
#define REFEREE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/abort.h"
#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/table/bot.h"
#include "referee/table/deal.h"
#include "referee/table/seat.h"
#include "referee/table/table-record.h"
#include "referee/table/table-setup.h"

struct table;

/* Says what came out. */
struct table_outcome {
	enum abort_word aborted; /* why there is no result */
	int place[SEATS_MAX];	 /* as a ladder counts: retired seats last */
	long points[SEATS_MAX];	 /* as the game counts */
	unsigned faults[SEATS_MAX];
	bool retired[SEATS_MAX];
	struct seat_slip slip[SEATS_MAX][SLIPS]; /* what the bots told */
	unsigned turns;				 /* answered asks */
};

/* Seats the bots (one per seat, the table's from now on) and begins.  `over` is
 * called from the loop, never from inside, once the game has ended; the record
 * can then be had, and table_receipt() is due. */
struct table *table_new(struct loop *loop, const struct table_setup *setup,
			struct bot *const bot[],
			void (*over)(struct table *table, void *arg),
			void *arg) MUST_CHECK;

/* Must be called right after table_new(): once the seats have given their entropy,
 * `sealed` is called from the loop with the `arg` of table_new(), and no card is dealt
 * before table_deal(). */
void table_seal(struct table *table,
		void (*sealed)(struct table *table,
			       const struct entropy *entropy, void *arg));
/* Deals, unless the game is over by now. */
void table_deal(struct table *table);

/* Ends a game that runs, without a result.  `over` is called as ever. */
void table_abort(struct table *table, enum abort_word why);

/* Says what came out; the game must be over. */
void table_outcome(const struct table *table, struct table_outcome *outcome);
/* Writes when the game ended, as in its record. */
void table_ended(const struct table *table, char date[RECORD_DATE_BYTES]);
/* Returns the record in two parts, between which further header lines may be put: the
 * header, each line with its LF and without the empty line; and the body. */
void table_record(const struct table *table, struct text *header,
		  const struct text **body);

/* Call it when the record is safe and has this hash: tells the seats (`over`, or
 * `abort`), lets the bots go and frees the table.  `hash` NULL: there is no record, the
 * machine has failed.  Unless `bot` is NULL, bots without a fault stay for their next
 * game: bot[seat], or NULL for those that were let go. */
void table_receipt(struct table *table, const unsigned char *hash,
		   struct bot *bot[SEATS_MAX]);
/* Ends the table where it is not known in time whether the record is safe: the seats
 * are let go and not told. */
void table_leave(struct table *table);

/* Takes the side file of the record (protocol/asks.h), once the game is over; the
 * caller's to release from now on. */
void table_take_asks(struct table *table, struct text *asks);

/* Takes what the seats were charged with; the caller's to release from now on. */
struct fault_notes;
void table_take_faults(struct table *table, struct fault_notes *notes);

/* Tells what the bot of a seat has taken for this game, so far, when the game is over,
 * or when the bot ends before.  It stands in the record. */
void table_used(struct table *table, unsigned seat,
		const struct bot_usage *usage);

/* Appends to `to` what the public may read of the game's body from byte `from` on, as
 * it stood `delay_us` ago, TABLE_DELAY_S at most, as table_record_public() does.
 * Returns up to which byte it was read. */
#define TABLE_DELAY_S 300
size_t table_public(const struct table *table, size_t from, uint64_t delay_us,
		    struct text *to) MUST_CHECK;

/* Returns how many asks were answered so far. */
unsigned table_turns(const struct table *table);

#endif
