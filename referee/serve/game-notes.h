/* referee/serve/game-notes.h - what a bot's author may read of its games: its
 * standard error and its faults.
 *
 * A note is about one seat in one game.  It is made when the game is over:
 * until then others play with the same cards.  Notes are in memory and end with
 * the daemon.  When there are too many, the oldest go first. */
#ifndef REFEREE_GAME_NOTES_H
#define REFEREE_GAME_NOTES_H

#include <stddef.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/config/serve-limits.h"

struct game_notes;

/* `bytes`: of all notes together, GAME_NOTES_BYTES. */
struct game_notes *game_notes_new(size_t bytes) MUST_CHECK;
void game_notes_free(struct game_notes *notes); /* NULL is fine */

/* What the bot that is first called `bot` has written in game `id`, of which the
 * last GAME_NOTE_BYTES are kept; in place of what was told of it before. */
void game_notes_wrote(struct game_notes *notes, const char *bot, const char *id,
		      unsigned seat, const char *bytes, size_t n);
/* A sentence about it. */
void game_notes_say(struct game_notes *notes, const char *bot, const char *id,
		    unsigned seat, const char *sentence);
/* The notes of this bot, the latest first; as many as `out` has room for.
 *  Their bytes are those that the bot wrote. */
void game_notes_tell(const struct game_notes *notes, const char *bot,
		     struct text *out);

#endif
