/* referee/table/seat.h - one seat of a table: its asks, its clock, its faults:
 * «The clock» and «Faults» of protocol/PROTOCOL.md.
 *
 * A seat hears from its bot (bot.h) and tells its table that an answer, or a
 * fault in its place, stands.  The table says what is legal. */
#ifndef REFEREE_SEAT_H
#define REFEREE_SEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/fault.h"
#include "protocol/message.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/games/game.h"
#include "referee/table/bot.h"

/* Holds the time control; microseconds. */
struct seat_clock {
	uint64_t time_us;      /* a move, uncharged */
	uint64_t bank_us;      /* at the start */
	uint64_t increment_us; /* after each move that takes effect */
	uint64_t total_us;     /* all asks of the game; 0: no bound */
};

/* Says why a bot is charged with the fault `protocol`. */
enum said_why {
	SAID_WRONG,    /* the line says what it may not say */
	SAID_EMPTY,    /* it has nothing */
	SAID_LONG,     /* it has more than LINE_BOT_BYTES */
	SAID_BYTE,     /* it has a byte that is not printable ASCII */
	SAID_MUCH,     /* it was one useless line more than CHATTER_MAX */
	SAID_ENDLESS,  /* it had no end after SKIP_BYTES */
	SAID_NOT_READ, /* none: the bot does not read */
	SAID_WHYS,
};

/* Holds the first bytes of a line of the bot's that was charged, or at a timeout or a
 * crash of one without its end. */
struct seat_said {
	uint8_t why;	/* enum said_why */
	uint32_t bytes; /* of the line; 0: none belongs to the fault */
	uint32_t kept;	/* of them */
	char text[SAID_BYTES];
};

enum seat_state {
	SEAT_IDLE,     /* nothing is asked */
	SEAT_ASKED,    /* an answer is awaited */
	SEAT_ANSWERED, /* `answer` stands: its own, or after a fault the house
			* move */
};

/* Holds what a program has told of one kind of its own mistakes in a game. */
struct seat_slip {
	unsigned count;
	char first[SAY_BYTES + 1]; /* "TYPE: TEXT" */
};

struct seat;

/* Holds what a seat needs of its table. */
struct seat_table {
	/* Returns true if `token` is legal for the seat now, and writes the move. */
	bool (*judge)(void *table, unsigned seat, const char *token, size_t n,
		      struct move *move);
	/* Called when an answer or a fault stands in `seat`. */
	void (*answered)(void *table, unsigned seat);
	/* Asks the table to call seat_due() at this moment, the deadline or before;
	 * its timer must not be later. */
	void (*deadline)(void *table, uint64_t deadline_us);
	/* Called when the entropy that was asked for is there, or none will come. */
	void (*entropy)(void *table, unsigned seat);
	/* Keeps a remark of `n` bytes. */
	void (*remark)(void *table, unsigned seat, const char *text, size_t n);
	/* Called when the answer to an ask that was charged with a timeout has come so
	 * much too late. */
	void (*late)(void *table, unsigned seat, uint32_t ask, uint64_t us);
};

/* The fields that every turn needs come first (see struct table). */
struct seat {
	const struct seat_table *up;
	void *table;
	struct bot *bot; /* NULL once it was let go */
	const struct seat_clock *clock;
	uint8_t number;
	uint8_t state;	      /* enum seat_state */
	uint8_t fault;	      /* enum fault: in this decision */
	uint8_t owed;	      /* enum fault: charged at the next ask */
	uint8_t broken_fault; /* what each further ask is then, */
	uint8_t broken_why;   /* and enum said_why */
	uint8_t why;	      /* enum said_why: of what is heard now */
	bool broken;	      /* crash or a flood: no answer will come */
	bool sent_away;	      /* by the organiser: its end is no crash */
	bool unsent;	      /* this ask was answered by a fault of before */
	bool retired;
	bool greeted;	      /* `bot …` was said */
	bool entropy_wanted;  /* asked for and still awaited */
	uint32_t ask;	      /* number of the last ask, from 1 */
	uint32_t heard;	      /* the greatest that was answered, also late */
	uint32_t again;	      /* answered before, and again while `ask` waits;
			       * 0: none */
	uint32_t missed;      /* the last that was charged with a timeout, */
	uint64_t missed_us;   /* and its deadline; 0: its answer has come */
	uint64_t late_us;     /* so much too late that of `ask` came; 0: not */
	struct move house;    /* of this decision */
	struct move answer;   /* while SEAT_ANSWERED */
	uint64_t asked_us;    /* the last ask, or `entropy?`, was posted */
	uint64_t from_us;     /* the clock runs from here; 0: not yet */
	uint64_t deadline_us; /* while from_us is set */
	uint64_t watch_us;    /* when its bot is looked at; 0: not (any more) */
	uint64_t used_us;     /* of the last ask */
	uint64_t wrote;	      /* on standard error, up to its end */
	uint64_t start_us;    /* more for this ask, while from_us is set */
	uint64_t bank_us;
	uint64_t total_us; /* left of the clock's, if that has one */
	const char *line;  /* that is heard now; NULL: none */
	size_t line_bytes;
	unsigned faults;	/* so far */
	unsigned says, useless; /* remarks, useless lines so far */
	struct seat_slip slip[SLIPS];
	unsigned types;		   /* of slips that the record has */
	uint64_t type[SLIP_TYPES]; /* their hashes */
	struct bot_seen seen;	   /* when `fault` was charged, if a timeout */
	struct seat_said said, owed_said; /* what `fault` and `owed` are for */
	uint64_t entropy_until_us;	  /* what comes later counts as empty */
	unsigned char entropy[ENTROPY_BYTES];
	size_t entropy_bytes;
};

void seat_init(struct seat *seat, unsigned number, struct bot *bot,
	       const struct seat_clock *clock, const struct seat_table *up,
	       void *table);

/* Collects `entropy?`; up->entropy() follows, also if nothing comes until
 * `until_us`, when the table has to call seat_end_entropy(). */
void seat_ask_entropy(struct seat *seat, uint64_t until_us);
/* Sets the entropy that the seat has given before, so that it is not asked. */
void seat_set_entropy(struct seat *seat, const unsigned char *bytes, size_t n);
/* Ends the time for entropy. */
void seat_end_entropy(struct seat *seat);

/* Asks with the legal list and its tokens as text (separated by spaces).  Where no
 * answer can come (a fault is owed, the bot is gone, its whole time is used up, the
 * seat is retired) the house move stands at once and nothing is sent; up->answered() is
 * not called then, the caller sees the state. */
void seat_ask(struct seat *seat, struct move house, const char *tokens,
	      size_t n);
/* Charges a timeout if the deadline is over at `now_us`, also if the timer is late and
 * something else has come meanwhile. */
void seat_check_deadline(struct seat *seat, uint64_t now_us);
/* Returns when it has to be called again for the ask that is open: it looks at the bot
 * once (starved.h), then comes the deadline.  UINT64_MAX: no ask is open. */
uint64_t seat_due(struct seat *seat, uint64_t now_us) MUST_CHECK;
/* Ends the decision, which was resolved.  An ask that still waits is void; `moved`: a
 * move of this seat took effect, its own or the house's. */
void seat_decision_over(struct seat *seat, bool moved);
/* Retires the seat, which is no longer asked: sends `retired`, then `bye`; a bot that
 * stays is only told the end of the game. */
void seat_retire(struct seat *seat);
/* Returns true if there is a bot that is told what happens. */
static inline bool
seat_hears(const struct seat *seat)
{
	return seat->bot != NULL && !seat->retired;
}
/* The two calls below note in bot->late which asks the bot has not answered.  A
 * late answer to one of them in the bot's next game is useless, but no fault.
 * If that game has an open ask of the same number, though, a legal answer is
 * taken for that.  Lines arrive in order: the first `do` that answers neither
 * ends this. */
/* Takes the bot back for its next game.  NULL, and the seat still owns the bot:
 * the bot has made a fault or owes one, is gone, or has not read what it was told. */
struct bot *seat_give_back(struct seat *seat) MUST_CHECK;
/* Lets the bot leave; nothing more is told to it or heard of it. */
void seat_let_go(struct seat *seat, unsigned grace_ms);

#endif
