/* referee/frames/piece.h - codes of pieces, and their names in English.
 *
 * A code is the word of a line: one to three bytes, with `?` for hidden ones. */
#ifndef REFEREE_PIECE_H
#define REFEREE_PIECE_H

#include <stdbool.h>
#include <stddef.h>

#define PIECE_BYTES 4 /* bytes of a code, with its NUL; the rest is zero, too */
#define PIECE_NAME 40 /* bytes of a name, with its NUL */

enum piece_kind {
	PIECES_PLAIN, /* any code, named by itself */
	PIECES_CARD,  /* TH: rank of 23456789TJQKA, suit of CDHS */
	PIECES_PAWN,  /* R7: colour of RGBY, force from 1 to 8 */
	PIECES_SNAKE, /* Y3t: colour of YGB, number from 1 to 9, fang t or n */
};

/* Returns true if these bytes are the code of such a piece, or hide one: `?`
 * alone, or `Y3?` for a fang that is not seen. */
bool piece_ok(enum piece_kind kind, const char *code, size_t n);

/* Returns true if a piece known as `known` can be the one that a line calls
 * `code`: each `?` stands for anything. */
bool piece_fits(const char *known, const char *code);

/* Writes a name without an article: "ten of hearts", "red 7", "toxic yellow 3",
 * "yellow 3"; "hidden card" (or pawn, snake, piece) for `?`. */
void piece_name(enum piece_kind kind, const char *code, char name[PIECE_NAME]);

/* Returns the name of a suit, such as "clubs"; "unknown" for any other letter. */
const char *piece_suit(char suit);

/* Writes the shortest sign of a piece: a card with the sign of its suit in
 * UTF-8 ("10\u2665"), any other piece by its code. */
#define PIECE_SIGN 8 /* bytes, with the NUL */
void piece_sign(enum piece_kind kind, const char *code, char sign[PIECE_SIGN]);

/* Writes a move as words: `beat:6C:9C` is "beat the six of clubs, the nine of
 * clubs", `bid:53` "bid 53".  Words that do not fit into the `n` bytes are cut. */
void piece_move(const char *token, char *words, size_t n);

/* Returns the letter of its suit or colour; NUL if it is hidden or has none. */
char piece_colour(enum piece_kind kind, const char *code);

/* Returns the noun for a piece of this kind: "card", "pawn", "snake" or
 * "piece". */
const char *piece_noun(enum piece_kind kind);

#endif
