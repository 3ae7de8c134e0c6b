/* referee/web/game-notes.h - keeps what a bot's author may read about its
 * games: standard error and faults.
 *
 * A note is about one seat in one game.  It is made when the game is over,
 * because until then others play with the same cards.  Notes are kept in memory
 * and end with the daemon.  When there are too many, the oldest of the bot
 * whose notes have most bytes are dropped. */
#ifndef REFEREE_GAME_NOTES_H
#define REFEREE_GAME_NOTES_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/serve-limits.h"

struct game_notes;

/* A bot's standard error in one game.  It never changes, so a thread may read it. */
struct game_wrote {
	unsigned users; /* for the loop alone */
	uint64_t from;	/* bytes before these, which are not kept */
	size_t n;
	char bytes[];
};

/* `bytes` is the limit for all notes together, GAME_NOTES_BYTES. */
struct game_notes *game_notes_new(size_t bytes) MUST_CHECK;
void game_notes_free(struct game_notes *notes); /* NULL is allowed */

/* Keeps the last GAME_NOTE_BYTES of what the bot whose first name is `bot` has
 * written in game `id`, in place of what was kept before.  The bot wrote `from`
 * bytes before these. */
void game_notes_wrote(struct game_notes *notes, const char *bot, const char *id,
		      unsigned seat, uint64_t from, const char *bytes,
		      size_t n);
/* Returns what is kept: `*n` bytes, and in `*from` how many the bot wrote
 * before them; NULL if nothing is kept.  Borrowed until the next change. */
const char *game_notes_find(const struct game_notes *notes, const char *bot,
			    const char *id, unsigned seat, uint64_t *from,
			    size_t *n);
/* Adds a sentence to the note. */
void game_notes_say(struct game_notes *notes, const char *bot, const char *id,
		    unsigned seat, const char *sentence);
/* Takes a note: its sentences, each with its LF, and what the bot wrote (NULL:
 * nothing), borrowed unless it calls game_wrote_keep(). */
typedef void game_note_told(void *arg, const char *id, unsigned seat,
			    const char *sentences, struct game_wrote *wrote);
/* Keeps it until game_wrote_drop(), and returns it; NULL is allowed. */
struct game_wrote *game_wrote_keep(struct game_wrote *wrote);
void game_wrote_drop(struct game_wrote *wrote); /* NULL is allowed */
/* Returns how many bytes the notes of this bot have. */
size_t game_notes_bytes(const struct game_notes *notes, const char *bot);
/* Calls told() for each note of this bot, the latest first. */
void game_notes_each(const struct game_notes *notes, const char *bot,
		     game_note_told *told, void *arg);
/* Appends a note as text if `out` has room for it. */
void game_note_tell(const char *id, unsigned seat, const char *sentences,
		    const struct game_wrote *wrote, struct text *out);
/* Appends the notes of this bot as text, the latest first, as many as `out` has
 * room for.  The bytes are unchanged, as the bot wrote them. */
void game_notes_tell(const struct game_notes *notes, const char *bot,
		     struct text *out);

#endif
