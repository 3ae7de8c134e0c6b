/* referee/frames/piece.h - codes of pieces, and their names in English.
 *
 * A code is what stands in a line: one to three bytes, `?` for what is hidden.
 */
#ifndef REFEREE_PIECE_H
#define REFEREE_PIECE_H

#include <stdbool.h>
#include <stddef.h>

#define PIECE_BYTES 4 /* of a code, with its NUL; the rest is zero, too */
#define PIECE_NAME 40 /* bytes of a name, with its NUL */

enum piece_kind {
	PIECES_PLAIN, /* any code, named by itself */
	PIECES_CARD,  /* TH: rank of 23456789TJQKA, suit of CDHS */
	PIECES_PAWN,  /* R7: colour of RGBY, force from 1 to 8 */
	PIECES_SNAKE, /* Y3t: colour of YGB, number from 1 to 9, fang t or n */
};

/* Whether these bytes are the code of such a piece, or hide one: `?` alone, or
 * for a fang that is not seen `Y3?`. */
bool piece_ok(enum piece_kind kind, const char *code, size_t n);

/* Whether a piece known as `known` can be the one that a line calls `code`:
 * each `?` stands for anything. */
bool piece_fits(const char *known, const char *code);

/* "ten of hearts", "red 7", "toxic yellow 3", "yellow 3"; "hidden card" (or
 * pawn, snake, piece) for `?`.  Without an article. */
void piece_name(enum piece_kind kind, const char *code, char name[PIECE_NAME]);

/* "clubs"; "unknown" if the letter is that of no suit. */
const char *piece_suit(char suit);

/* As short as it can be drawn: a card with the sign of its suit in UTF-8
 * ("10\u2665"), any other piece by its code. */
#define PIECE_SIGN 8 /* bytes, with the NUL */
void piece_sign(enum piece_kind kind, const char *code, char sign[PIECE_SIGN]);

/* A move as words: `beat:6C:9C` is "beat the six of clubs, the nine of clubs",
 * `bid:53` "bid 53".  What does not fit into the `n` bytes is cut. */
void piece_move(const char *token, char *words, size_t n);

/* The letter of its suit or colour; NUL: it is hidden, or has none. */
char piece_colour(enum piece_kind kind, const char *code);

/* What one is called: "card", "pawn", "snake", "piece". */
const char *piece_noun(enum piece_kind kind);

#endif
