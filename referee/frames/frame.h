/* referee/frames/frame.h - shows a game to a viewer, line after line.
 *
 * frame_begin(), then frame_next() for each line in turn, as the viewer reads
 * it: already redacted (protocol/hidden.h), with or without the `ask` lines of
 * `referee replay --asks`.  After each line the frame holds the table as it
 * now stands, one English sentence about the line, and marks to jump to.
 *
 * A frame is a function of the setup and of these lines.  This room includes
 * no engine, no chance and no record (tests/lint/check-includes.py), so it
 * cannot know what the lines do not say: two games that read the same up to a
 * line have the same frames up to there, byte for byte.  It knows no viewer;
 * a terminal or a page that draws a seat's view puts that seat in front.
 *
 * Everything is a plain value without pointers to anything that goes: a copy
 * (`struct frame kept = frame`) goes on like the original, and unused bytes
 * are zero, so that memcmp() compares.  To step back, begin at a copy of an
 * earlier frame.  Nothing here allocates, and no line leads to an abort: what
 * a line says beyond the limits below is dropped.
 *
 * Drawing needs no knowledge of a game: a table is seats, zones that hold
 * pieces, and gauges. frame_begin() lists all of them.  Their order, and so the
 * index of each, stays for the whole game; only their contents change, and
 * frame_changes() tells which. frame-model.h is for writers of a game's model. */
#ifndef REFEREE_FRAME_H
#define REFEREE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/frames/piece.h"

#define FRAME_PIECES 80	   /* pieces in a zone: two decks of Durnius are 72 */
#define FRAME_ZONES 48	   /* zones of a table: six for each seat */
#define FRAME_GAUGES 32	   /* gauges of a table: four for each seat */
#define FRAME_WORD 12	   /* bytes of a kind: a word for programs */
#define FRAME_LABEL 32	   /* bytes of a label: some words for people */
#define FRAME_NAME 40	   /* bytes of a name: NAME_BYTES and `(7)` */
#define FRAME_SENTENCE 800 /* bytes of a sentence */
#define FRAME_NOTES 32	   /* numbers that a model keeps for itself */

/* ---- pieces --------------------------------------------------------------- */

/* Marks of a piece where it lies. */
enum {
	PIECE_NEW = 1 << 0,	/* it came here with this line */
	PIECE_DOWN = 1 << 1,	/* it lies face down; the viewer may know it */
	PIECE_SHOWN = 1 << 2,	/* in a hand, but all have seen it */
	PIECE_LED = 1 << 3,	/* it began the trick */
	PIECE_TRUMP = 1 << 4,	/* it is a trump */
	PIECE_WINNING = 1 << 5, /* it has won the trick */
	PIECE_BEATEN = 1 << 6,	/* another piece lies on it and beats it */
	PIECE_GONE = 1 << 7,	/* it does not count any more: dimmed, struck */
	PIECE_THUMB = 1 << 8,	/* a thumb is on its fang */
	PIECE_OPEN = 1 << 9,	/* its fang is open for all */
	PIECE_MAGIC = 1 << 10,	/* it is worth more than others */
	PIECE_DOUBLE = 1 << 11, /* it doubled: same force, another colour */
};

struct frame_piece {
	/* The code of PROTOCOL.md, with `?` for hidden parts: TH, Y3?, ? */
	char code[PIECE_BYTES];
	int8_t by; /* the seat that played it, -1: none */
	/* Index in its zone of the piece that it lies on or belongs to (a
	 * beaten card, a twin, the card that it met), -1: none.  Always
	 * another piece of the zone. */
	int8_t on;
	uint16_t marks; /* PIECE_… */
};

/* ---- zones ---------------------------------------------------------------- */

/* The layout of the pieces of a zone. */
enum {
	LAYOUT_FAN,   /* held by a seat; the order means nothing */
	LAYOUT_ROW,   /* side by side, in order; `on` joins two by a line */
	LAYOUT_PAIRS, /* side by side; a piece with `on` overlaps that piece */
	LAYOUT_PILE,  /* a stack: how many is what matters; the first is the
		       * top, the last the bottom */
};

struct frame_zone {
	char kind[FRAME_WORD];	 /* for programs: hand, trick, stock */
	char label[FRAME_LABEL]; /* for people: "trick 2" */
	char spot[4];		 /* place at a round table: N, NW, W; or "" */
	int8_t owner;		 /* its seat; -1: the middle */
	uint8_t layout;		 /* LAYOUT_… */
	uint8_t pieces;		 /* used places of piece[] */
	uint8_t dim;		 /* 1: out of play for now (a folded hand) */
	struct frame_piece piece[FRAME_PIECES];
};

/* ---- gauges --------------------------------------------------------------- */

/* The form in which a number is shown. */
enum {
	GAUGE_NUMBER, /* the number */
	GAUGE_BAR,    /* a bar from 0 to `goal`; value may pass it */
	GAUGE_BEADS,  /* a number of beads, stones or chips */
};

struct frame_gauge {
	char kind[FRAME_WORD];	 /* for programs: stake, points, pot, sum */
	char label[FRAME_LABEL]; /* for people: "stake" */
	int8_t owner;		 /* the seat, -1: the middle */
	uint8_t layout;		 /* GAUGE_… */
	uint8_t known;		 /* 0: there is no value now, show nothing */
	uint8_t unused;
	int32_t value;
	int32_t goal; /* the goal of a bar, and of a number like "3 of 5" */
};

/* ---- seats ---------------------------------------------------------------- */

enum {
	SEAT_TURN = 1 << 0,    /* the table waits for its move */
	SEAT_HAS_ASK = 1 << 1, /* an `ask` line says that it is asked */
	SEAT_DEALER = 1 << 2,  /* deals, opens or starts this round */
	SEAT_LEADER = 1 << 3,  /* leads, or plays first */
	SEAT_ATTACKER = 1 << 4,
	SEAT_DEFENDER = 1 << 5, /* the arrow points to it */
	SEAT_SOUTH = 1 << 6,	/* plays for its bid */
	SEAT_CALLED = 1 << 7,	/* has called the battle */
	SEAT_PASSED = 1 << 8,	/* has passed in this auction or turn */
	SEAT_FOLDED = 1 << 9,	/* is not in this round any more */
	SEAT_OUT = 1 << 10,	/* is not in the game any more */
	SEAT_WINNER = 1 << 11,	/* has won this round, at the end the game */
	SEAT_LOSER = 1 << 12,	/* has lost it: the fool */
	SEAT_RETIRED = 1 << 13, /* the referee moves for it: too many faults */
	SEAT_KNOCKED = 1 << 14, /* has knocked last */
	SEAT_OFFERED = 1 << 15, /* has made the last offer */
	SEAT_BIDDER = 1 << 16,	/* has made the highest bid */
	SEAT_SHOWED = 1 << 17,	/* has shown a piece last */
};

struct frame_seat {
	char name[FRAME_NAME]; /* for people; no two seats have the same one */
	uint32_t flags;	       /* SEAT_… */
	uint8_t scored;	       /* 1: `points` means something */
	uint8_t place;	       /* place at the end, from 1; 0: not yet */
	uint8_t team;	       /* from 1; 0: there are no teams */
	uint8_t unused;
	int32_t points; /* points in the game so far, or at the end */
	uint32_t faults;
};

/* ---- the frame ------------------------------------------------------------ */

struct frame_table {
	uint8_t kind; /* enum piece_kind: what the pieces are */
	uint8_t seats, zones, gauges;
	char unit[FRAME_WORD]; /* what seats have: "point", "stone" */
	struct frame_seat seat[SEATS_MAX];
	struct frame_gauge gauge[FRAME_GAUGES];
	struct frame_zone zone[FRAME_ZONES];
};

/* Marks of a line, to jump to. */
enum {
	MARK_ROUND = 1 << 0,   /* a round begins */
	MARK_TURN = 1 << 1,    /* a turn, or a part of a round, begins */
	MARK_MOVE = 1 << 2,    /* a seat's decision takes effect */
	MARK_ASK = 1 << 3,     /* a seat is asked */
	MARK_TRICK = 1 << 4,   /* a trick, or a turn, ends */
	MARK_STAKE = 1 << 5,   /* the stake, the pot or a bid goes up */
	MARK_SHOW = 1 << 6,    /* what was hidden is shown to all */
	MARK_SCORE = 1 << 7,   /* points change */
	MARK_END = 1 << 8,     /* a round is won or lost */
	MARK_OUT = 1 << 9,     /* a seat leaves */
	MARK_FAULT = 1 << 10,  /* a seat made a fault, or is retired */
	MARK_RESULT = 1 << 11, /* the game is over */
};

struct frame_game; /* a game's model, frame-model.h */

struct frame {
	uint32_t number; /* number of the line, from 1; 0: before the first */
	uint32_t marks;	 /* MARK_… */
	uint32_t round;	 /* number of the last line that began a round; 0: none
			  * yet */
	int8_t seat;	 /* the seat that the line is about; -1: none */
	bool raw;	 /* no model knows the line: the sentence quotes it */
	uint8_t unused[2];
	/* In ASCII (raw: as by text_shown()); ends with a full stop (unless
	 * raw) and NUL. */
	char sentence[FRAME_SENTENCE];
	struct frame_table table;

	/* For the model. */
	const struct frame_game *game;
	int32_t note[FRAME_NOTES];
};

struct frame_option {
	const char *name, *value;
};

/* The facts before the first line: from the header of the record, or from the
 * `game` line.  Only frame_begin() borrows them. */
struct frame_setup {
	const char *game;
	unsigned seats;		     /* 1 to SEATS_MAX */
	const char *name[SEATS_MAX]; /* NULL: "seat 3" */
	const struct frame_option *option;
	unsigned options;
};

/* Makes the frame before the first line.  A game without a model gets that of
 * all games (any-game.c).  `seats` beyond SEATS_MAX are dropped. */
void frame_begin(struct frame *frame, const struct frame_setup *setup);

/* Takes one line of `n` bytes, without LF. Any bytes are allowed. */
void frame_next(struct frame *frame, const char *line, size_t n);

/* Returns true if a seat, or with -1 the middle, has a gauge of this kind. */
bool frame_has_gauge(const struct frame_table *table, int owner,
		     const char *kind);

/* ---- deltas --------------------------------------------------------------- */

/* Bit i is set if seat, gauge or zone i has changed. */
struct frame_changes {
	uint64_t seats, gauges, zones;
};

/* Compares two frames of one game.  A delta is the seats, gauges and zones
 * whose bits are set, each in whole. */
struct frame_changes frame_changes(const struct frame_table *before,
				   const struct frame_table *after);

/* ---- words ---------------------------------------------------------------- */

/* Return the word for bit i of `flags`, and of `marks` of a piece and of a
 * frame; NULL beyond the last one.  In lower case without spaces: "defender",
 * "led", "round". */
const char *frame_seat_word(unsigned bit);
const char *frame_piece_word(unsigned bit);
const char *frame_mark_word(unsigned bit);
/* Return the words of LAYOUT_… and of GAUGE_…, such as "fan" and "bar". */
const char *frame_layout_word(unsigned layout);
const char *frame_gauge_word(unsigned layout);

#endif
