/* referee/frames/piece.c - checks codes of pieces, and names pieces in English. */
#include "referee/frames/piece.h"

#include <stdio.h>
#include <string.h>

#include "protocol/util.h"

/* The values of each byte of a code; NULL: no such byte.  A hidden byte is `?`.
 * Only a fang may be hidden alone. */
static const struct {
	const char *byte[3];
	const char *noun;
} kinds[] = {
	[PIECES_PLAIN] = { { NULL, NULL, NULL }, "piece" },
	[PIECES_CARD] = { { "23456789TJQKA", "CDHS", NULL }, "card" },
	[PIECES_PAWN] = { { "RGBY", "12345678", NULL }, "pawn" },
	[PIECES_SNAKE] = { { "YGB", "123456789", "tn?" }, "snake" },
};

static bool
plain_ok(const char *code, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (code[i] <= ' ' || code[i] > '~' || code[i] == ':')
			return false;
	return n > 0 && n < PIECE_BYTES;
}

bool
piece_ok(enum piece_kind kind, const char *code, size_t n)
{
	size_t i;

	if (kind == PIECES_PLAIN || (n == 1 && code[0] == '?'))
		return plain_ok(code, n);
	for (i = 0; i < NELEM(kinds[kind].byte); i++) {
		if (kinds[kind].byte[i] == NULL)
			break;
		if (i >= n || code[i] == '\0' ||
		    strchr(kinds[kind].byte[i], code[i]) == NULL)
			return false;
	}
	return n == i;
}

bool
piece_fits(const char *known, const char *code)
{
	if (strcmp(known, "?") == 0 || strcmp(code, "?") == 0)
		return true;
	for (size_t i = 0; i < PIECE_BYTES; i++)
		if (known[i] != code[i] && known[i] != '?' && code[i] != '?')
			return false;
	return true;
}

const char *
piece_noun(enum piece_kind kind)
{
	return kinds[kind].noun;
}

/* Returns the word of a letter in a list "A ace\0B ...". */
static const char *
word_of(char letter, const char *const words[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (words[i][0] == letter)
			return words[i] + 1;
	return "unknown";
}

static const char *
rank_word(char rank)
{
	static const char *const words[] = {
		"2two",	  "3three", "4four", "5five", "6six",
		"7seven", "8eight", "9nine", "Tten",  "Jjack",
		"Qqueen", "Kking",  "Aace",
	};
	return word_of(rank, words, NELEM(words));
}

const char *
piece_suit(char suit)
{
	static const char *const words[] = { "Cclubs", "Ddiamonds", "Hhearts",
					     "Sspades" };
	return word_of(suit, words, NELEM(words));
}

static const char *
colour_word(enum piece_kind kind, char colour)
{
	static const char *const pawns[] = { "Rred", "Ggreen", "Bblue",
					     "Yyellow" };
	static const char *const snakes[] = { "Yyellow", "Ggreen", "Bblack" };

	if (kind == PIECES_PAWN)
		return word_of(colour, pawns, NELEM(pawns));
	return word_of(colour, snakes, NELEM(snakes));
}

void
piece_name(enum piece_kind kind, const char *code, char name[PIECE_NAME])
{
	const char *fang = "";

	if (!piece_ok(kind, code, strlen(code)) || strcmp(code, "?") == 0) {
		snprintf(name, PIECE_NAME, "hidden %s", kinds[kind].noun);
		return;
	}
	switch (kind) {
	case PIECES_CARD:
		snprintf(name, PIECE_NAME, "%s of %s", rank_word(code[0]),
			 piece_suit(code[1]));
		return;
	case PIECES_SNAKE:
		if (code[2] != '?')
			fang = code[2] == 't' ? "toxic " : "harmless ";
		FALL_THROUGH;
	case PIECES_PAWN:
		snprintf(name, PIECE_NAME, "%s%s %c", fang,
			 colour_word(kind, code[0]), code[1]);
		return;
	case PIECES_PLAIN:
		break;
	}
	snprintf(name, PIECE_NAME, "%s", code);
}

char
piece_colour(enum piece_kind kind, const char *code)
{
	if (kind == PIECES_PLAIN || code[0] == '?')
		return '\0';
	return code[kind == PIECES_CARD];
}

void
piece_sign(enum piece_kind kind, const char *code, char sign[PIECE_SIGN])
{
	static const char letters[] = "CDHS";
	static const char *const signs[] = { "\u2663", "\u2666", "\u2665",
					     "\u2660" };
	const char colour = piece_colour(kind, code);
	const char *at = colour == '\0' ? NULL : strchr(letters, colour);

	if (kind == PIECES_CARD && at != NULL)
		snprintf(sign, PIECE_SIGN, "%.*s%s", code[0] == 'T' ? 2 : 1,
			 code[0] == 'T' ? "10" : code, signs[at - letters]);
	else
		snprintf(sign, PIECE_SIGN, "%s", code);
}

/* Writes the name of a piece of any kind; no two kinds have a code in common.
 * Returns false if it is not a piece, or hidden. */
static bool
name_any(const char *code, size_t n, char name[PIECE_NAME])
{
	char one[PIECE_BYTES] = "";

	if (n >= PIECE_BYTES || (n == 1 && code[0] == '?'))
		return false;
	memcpy(one, code, n);
	for (unsigned kind = PIECES_CARD; kind < NELEM(kinds); kind++)
		if (piece_ok((enum piece_kind)kind, one, n)) {
			piece_name((enum piece_kind)kind, one, name);
			return true;
		}
	return false;
}

void
piece_move(const char *token, char *words, size_t n)
{
	char name[PIECE_NAME];
	size_t length, used = 0;
	bool is_piece, after_piece = false;
	const char *between = "";

	words[0] = '\0';
	for (; *token != '\0' && used < n; token += length) {
		token += *token == ':';
		length = strcspn(token, ":");
		is_piece = name_any(token, length, name);
		if (is_piece)
			used += (size_t)snprintf(
				words + used, n - used, "%sthe %s",
				after_piece ? ", " : between, name);
		else
			used += (size_t)snprintf(words + used, n - used,
						 "%s%.*s",
						 after_piece ? ", " : between,
						 (int)length, token);
		after_piece = is_piece;
		between = " ";
	}
}
