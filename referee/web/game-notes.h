/* referee/web/game-notes.h - what a bot's author may read of its games: its
 * standard error and its faults.
 *
 * A note is about one seat in one game.  It is made when the game is over:
 * until then others play with the same cards.  Notes are in memory and end with
 * the daemon.  When there are too many, the oldest go first. */
#ifndef REFEREE_GAME_NOTES_H
#define REFEREE_GAME_NOTES_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/serve-limits.h"

struct game_notes;

/* `bytes`: of all notes together, GAME_NOTES_BYTES. */
struct game_notes *game_notes_new(size_t bytes) MUST_CHECK;
void game_notes_free(struct game_notes *notes); /* NULL is fine */

/* What the bot that is first called `bot` has written in game `id`, of which the
 * last GAME_NOTE_BYTES are kept; in place of what was told of it before.
 * It wrote `from` bytes before these. */
void game_notes_wrote(struct game_notes *notes, const char *bot, const char *id,
		      unsigned seat, uint64_t from, const char *bytes,
		      size_t n);
/* What is kept of that: `*n` bytes, and how many it wrote before; NULL: nothing.
 * Borrowed until the next change. */
const char *game_notes_find(const struct game_notes *notes, const char *bot,
			    const char *id, unsigned seat, uint64_t *from,
			    size_t *n);
/* A sentence about it. */
void game_notes_say(struct game_notes *notes, const char *bot, const char *id,
		    unsigned seat, const char *sentence);
/* A note: its sentences, each with its LF, and what the bot wrote. */
typedef void game_note_told(void *arg, const char *id, unsigned seat,
			    const char *sentences, const char *wrote, size_t n);
/* Each of this bot, the latest first. */
void game_notes_each(const struct game_notes *notes, const char *bot,
		     game_note_told *told, void *arg);
/* The notes of this bot as text, the latest first; as many as `out` has room for.
 *  Their bytes are those that the bot wrote. */
void game_notes_tell(const struct game_notes *notes, const char *bot,
		     struct text *out);

#endif
