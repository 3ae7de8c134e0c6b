/* referee/games/game.h - the games, and the only callers of their methods.
 *
 * A game is pure: no file, clock, socket, bot or global; chance and the event
 * text come in as arguments.  A `struct game` is a plain value without
 * pointers into itself: copy it with `=` (or game_copy(), which copies only
 * what is in use) and play on from both.
 *
 * One place decides what is legal in all games: game_legal() lists it, and
 * game_choose() / game_play() apply nothing that is not in that list.  A game's
 * own code may rely on that. */
#ifndef REFEREE_GAME_H
#define REFEREE_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/card.h"
#include "protocol/event.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/games/chance.h"
#include "referee/games/draws.h"

#define OPTIONS_MAX 12	      /* options of one game */
#define VERBS_MAX 16	      /* verbs of one game, `pass` included */
#define GAME_STATE_BYTES 1536 /* the largest state of all games */
#define MOVE_BYTES 32	      /* a move's token and its NUL */
#define SENTENCE_BYTES 512    /* an error sentence and its NUL */
#define HIDDEN_MAX 128	      /* pieces drawn or moved face down in a round */

/* ---- moves ------------------------------------------------------------ */

/* Verb number 0 is `pass` in every game. */
enum { VERB_PASS = 0 };

/* Holds one move, or one entry of a legal list: a verb with the arguments that its
 * struct verb names, unused ones 0.  An entry with n < top is the range n..top; a move
 * that is made has n == top. */
struct move {
	uint8_t verb;
	uint8_t piece[2];
	uint8_t forced; /* 1: the house move, made by the referee in place of
			 * a seat's answer, as everybody knows; in lists 0 */
	int16_t n, top; /* the verb's integer */
};

/* Says how a verb's token reads: its name, then one `:`-argument for each deck that is
 * not NULL (a piece of it), then an integer if `number`, then `tail`: `play:7H`,
 * `beat:6H:8H`, `put:a:NW`, `stake:12`, `discard:7H:stay`. */
struct verb {
	const char *name;
	const struct deck *deck[2];
	bool number;
	const char *tail; /* ":stay" or NULL */
	uint8_t lays; /* 1, 2: that piece goes from the hand onto the table, for
		       * all to see; 0: none does.  For bots' kits */
	uint8_t priority;  /* the class in an open decision: lower goes first */
	const char *brief; /* for people: what it does, a few words; NULL: it is
			    * never legal and not told of (`pass` alone) */
};

/* Holds a seat's legal list.  The first entry is the house move, never a range. */
struct legal {
	uint32_t stamp; /* which decision of which game state it is from */
	uint16_t seat;
	uint16_t count;
	struct move move[LEGAL_MAX];
};

/* ---- decisions -------------------------------------------------------- */

enum decision_kind {
	DECISION_OVER,	 /* the game is over, no seat is asked */
	DECISION_SINGLE, /* one seat; its move is applied */
	DECISION_OPEN,	 /* several; at most one move takes effect */
};

struct decision {
	uint8_t kind;  /* enum decision_kind */
	uint8_t count; /* seats asked */
	int8_t holder; /* single: the seat; open: who has no pass, or -1 */
	uint8_t asked; /* bit s: seat s is asked */
	uint8_t seat[SEATS_MAX]; /* the seats asked, who goes first in a
				  * priority class first */
};

/* ---- options ---------------------------------------------------------- */

/* Default: as many as there are seats. */
#define OPTION_DEFAULT_SEATS (-1)

struct game_option {
	const char *name;	   /* NULL ends the list */
	int16_t min, max;	   /* integer: the values */
	const char *const *values; /* choice: their names, NULL ends; integer:
				    * NULL */
	int16_t preset;		   /* default: a number, or an index into
				    * values, or OPTION_DEFAULT_SEATS */
	const char *must;	   /* the sentence: "option NAME must be …" */
	const char *brief;
};

struct game_rules;

/* Holds what is settled before a game begins. */
struct game_setup {
	const struct game_rules *rules;
	uint8_t seats;
	int16_t option[OPTIONS_MAX]; /* integers as they are, choices as index
				      */
};

struct game_score {
	int place;   /* 1 is best, ties share the better place */
	long points; /* as in the game's `result` line */
};

/* ---- the table of games ----------------------------------------------- */

struct game_rules {
	const char *name;  /* on the wire and in records: [a-z-]+ */
	const char *title; /* for people */
	const char *brief; /* one line for people */
	uint16_t version;  /* changes if old records replay otherwise */
	uint8_t min_seats, max_seats;
	const char *seats_must; /* "needs 2 to 8 seats" */
	bool names_value;	/* its sentences end in ", not VALUE" */
	uint16_t state_bytes;	/* at most GAME_STATE_BYTES; starts zeroed */

	const struct deck *deck; /* the pieces that are dealt */
	/* Says how many pieces a round has, for bots' kits: (fixed + each_seat for each
	 * seat) times the number of an option, if there is one. */
	struct {
		uint8_t fixed, each_seat;
		const char *times; /* NULL: none */
	} pieces;
	const struct game_option *options; /* in the rules' order */
	const struct verb *verbs;	   /* [0] is pass; NULL name ends */
	const char *const *lines; /* the forms of its lines, NULL ends */

	/* Returns a sentence if the options do not go together, or NULL.  NULL method:
	 * every combination is valid. */
	const char *(*invalid)(const struct game_setup *setup);

	/* Does all that happens before the first decision. */
	void (*start)(void *state, const struct game_setup *setup,
		      struct chance *chance, struct events *ev);
	/* Says who is asked now. */
	void (*decide)(const void *state, struct decision *decision);
	/* Calls game_list() for each move that `seat`, which is asked, may make; the
	 * house move first. */
	void (*legal)(const void *state, unsigned seat, struct legal *legal);
	/* Makes a legal move take effect, up to the next decision. */
	void (*play)(void *state, unsigned seat, struct move move,
		     struct chance *chance, struct events *ev);
	/* Everybody passed in an open decision without holder, and `quiet` is
	 * written; writes what follows.  NULL: the game has no such decision. */
	void (*quiet)(void *state, struct chance *chance, struct events *ev);
	/* Writes place and points of each seat when the game is over.  NULL: the points
	 * of standing(), and places by them. */
	void (*result)(const void *state, struct game_score score[SEATS_MAX]);

	/* A game has both or neither: see game_resample() and game_hidden().  A game
	 * without them is sampled by its lines alone (sample.h of the strong bot),
	 * which is slower. */
	void (*resample)(void *state, int viewer, struct draws *draws);
	unsigned (*hidden)(const void *state, uint8_t piece[HIDDEN_MAX]);

	/* See game_standing(). */
	unsigned (*standing)(const void *state, long points[SEATS_MAX]);
};

extern const struct game_rules *const games[]; /* by name; NULL ends */
#define GAME(name) extern const struct game_rules game_##name;
#include "referee/games/list.h"
#undef GAME
/* Returns the rules of this name, or NULL. */
const struct game_rules *game_find(const char *name);

/* ---- setting up ------------------------------------------------------- */

/* Sets the defaults for that many seats; `seats` is not checked here. */
void game_setup_init(struct game_setup *setup, const struct game_rules *rules,
		     unsigned seats);
/* Returns the number of an option, or -1 and the rules' sentence. */
int game_setup_find(const struct game_setup *setup, const char *name,
		    char why[SENTENCE_BYTES]) MUST_CHECK;
/* Each returns 0, or -1 and the rules' sentence.  Order of use, so that of
 * several sentences the first one is told: seats; game_setup_find() for each
 * option, then each option; the combination. */
int game_setup_seats(const struct game_setup *setup,
		     char why[SENTENCE_BYTES]) MUST_CHECK;
int game_setup_option(struct game_setup *setup, const char *name,
		      const char *value, char why[SENTENCE_BYTES]) MUST_CHECK;
int game_setup_check(const struct game_setup *setup,
		     char why[SENTENCE_BYTES]) MUST_CHECK;
/* Writes the value of option i as in a record; at most 15 bytes and a NUL. */
void game_setup_value(const struct game_setup *setup, unsigned i,
		      char value[16]);

/* Writes all options as `NAME=VALUE NAME=VALUE`, or only those that are not as by
 * default, with a NUL; returns how many bytes. */
size_t game_setup_text(const struct game_setup *setup, bool changed, char *to,
		       size_t size);

/* ---- a game in progress ----------------------------------------------- */

struct game {
	struct game_setup setup;
	uint32_t stamp;		  /* moves so far: makes old lists stale */
	struct decision decision; /* the decision that stands */
	_Alignas(16) unsigned char state[GAME_STATE_BYTES];
};

/* Each writes its event lines to `ev` (which the caller clears) and sets
 * game->decision.  game_start() also writes nothing but event lines; when the
 * game is over the `result` lines have been written, too. */
void game_start(struct game *game, const struct game_setup *setup,
		struct chance *chance, struct events *ev);
/* Goes on after an open decision in which all passed and that no seat holds, else
 * bug(). */
void game_quiet(struct game *game, struct chance *chance, struct events *ev);

/* `to` becomes an equal game. */
void game_copy(struct game *to, const struct game *from);

static inline bool
game_is_over(const struct game *game)
{
	return game->decision.kind == DECISION_OVER;
}

/* Makes the legal list of a seat, never empty; the seat is asked, else bug(). */
void game_legal(const struct game *game, unsigned seat, struct legal *legal);

/* Applies entry `i` of a list that game_legal() has just made for this
 * decision (`n`: the integer, for an entry that is a range).  The list is of this
 * decision, `i` in the list, `n` in the range, and no pass is chosen in an open
 * decision; else bug(). */
void game_choose(struct game *game, const struct legal *legal, unsigned i,
		 int n, struct chance *chance, struct events *ev);

/* Returns true if `move` is in the list; it may then be given to game_play(). */
bool game_is_legal(const struct legal *legal, struct move move);
/* Applies a move, checked against the legal list of the seat.  Returns false, and
 * nothing has changed, if the seat is not asked, the move is not in its list (or, if it
 * is forced, not the first of it), or it is a pass in an open decision (which never
 * takes effect). */
bool game_play(struct game *game, unsigned seat, struct move move,
	       struct chance *chance, struct events *ev) MUST_CHECK;

/* Returns the seat whose answer to an open decision takes effect, or -1 if all passed
 * (then game_quiet()).  `answer[s]` is there for each seat asked. */
int game_first(const struct game *game, const struct move answer[SEATS_MAX]);

/* Writes the scores of all seats; the game is over, else bug(). */
void game_result(const struct game *game, struct game_score score[SEATS_MAX]);

/* ---- what a viewer cannot know ---------------------------------------- */

/* Deals again all that `viewer` (a seat or VIEW_PUBLIC) cannot know, and keeps
 * all that it can: had this been the deal of the round that is on, the same
 * moves would have been legal, house moves made by the referee the same, and
 * the viewer would have read the same lines and been asked the same.  (Of moves
 * that it reads in part only the rest may be another.)  Nothing that it cannot
 * know goes into the choice: from every game that looks alike to the viewer the
 * same draws make the same game.  Each deal is equally likely but where some
 * moves tell of one seat's cards and others of another's at once; there nearly.
 *
 * A game without the method aborts; bots use follow_deal() of
 * sample-bots/strong/follow.h, which serves every game. */
void game_resample(struct game *game, int viewer, struct draws *draws);

/* Lists what not everybody saw in this round, in the order of its lines: pieces drawn
 * by chance into marks, and those of moves with a marked part.  Returns how many. */
unsigned game_hidden(const struct game *game, uint8_t piece[HIDDEN_MAX]);

/* Writes the points of each seat so far, as in the `score` lines, and returns the
 * number of the round that is on (or was the last). */
unsigned game_standing(const struct game *game, long points[SEATS_MAX]);

/* ---- moves as tokens -------------------------------------------------- */

/* Writes the token, a range as `verb:n..top`; returns its length. */
size_t game_move_token(const struct game_rules *rules, struct move move,
		       char token[MOVE_BYTES]);
/* Reads a token that a bot may answer (no ranges): 0, or -1 if it is no move
 * of this game.  Whether it is legal is another question. */
int game_move_read(const struct game_rules *rules, const char *token, size_t n,
		   struct move *move) MUST_CHECK;

/* ---- for the games' own code ------------------------------------------ */

/* Adds a seat to those that are asked. */
static inline void
game_ask(struct decision *decision, unsigned seat)
{
	decision->seat[decision->count++] = (uint8_t)seat;
	decision->asked |= (uint8_t)(1u << seat);
}

/* Asks this seat alone. */
static inline void
game_ask_one(struct decision *decision, unsigned seat)
{
	decision->kind = DECISION_SINGLE;
	decision->holder = (int8_t)seat;
	game_ask(decision, seat);
}

/* Adds an entry.  Member by member: of `= move` gcc makes a struct on the
 * stack, written in parts and read back as a whole, which the processor has to
 * wait for; engines spend most of their time on lists. */
static inline void
game_list(struct legal *legal, struct move move)
{
	if (legal->count == LEGAL_MAX)
		bug("a legal list has more than %d entries", LEGAL_MAX);
	legal->move[legal->count++] = (struct move){
		.verb = move.verb,
		.piece = { move.piece[0], move.piece[1] },
		.n = move.n,
		.top = move.top,
	};
}

/* Adds a move with one piece. */
static inline void
game_list_piece(struct legal *legal, uint8_t verb, unsigned card)
{
	game_list(legal,
		  (struct move){ .verb = verb, .piece[0] = (uint8_t)card });
}

/* Adds a move with each piece of a set. */
static inline void
game_list_pieces(struct legal *legal, uint8_t verb, card_set set)
{
	while (set)
		game_list_piece(legal, verb, card_take_lowest(&set));
}

/* Adds a move without more. */
static inline void
game_list_verb(struct legal *legal, uint8_t verb)
{
	game_list(legal, (struct move){ .verb = verb });
}

/* Begins the line `move S token` and leaves it open before its end. */
void game_move_event(struct events *ev, const struct game_rules *rules,
		     unsigned seat, struct move move);

/* `result` lines for all seats. */
void game_result_events(struct events *ev, unsigned seats,
			const struct game_score score[SEATS_MAX]);

/* place = 1 + number of seats with more points. */
void game_places_by_points(unsigned seats, struct game_score score[SEATS_MAX]);

/* Checks that the state bytes have room for a game's own type. */
#define GAME_STATE_FITS(type)                                                  \
	_Static_assert(sizeof(type) <= GAME_STATE_BYTES, #type " is too "      \
							       "large")

#endif
