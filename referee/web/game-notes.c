/* referee/web/game-notes.c - see game-notes.h. */
#include "referee/web/game-notes.h"

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

TAILQ_HEAD(note_list, note);

/* The notes of one bot, the oldest first. */
struct shelf {
	struct shelf *next, **prev;
	char bot[NAME_BYTES + 1];
	struct note_list notes;
	unsigned count;
	size_t bytes;
};

struct note {
	TAILQ_ENTRY(note) of_bot;
	struct shelf *shelf;
	char id[ID_BYTES + 1];
	unsigned seat;
	struct text sentences;
	struct game_wrote *wrote; /* or NULL */
};

struct game_notes {
	struct shelf *first;
	void *shelves; /* the same as a tree of tsearch(), by name */
	size_t bytes, most;
};

static int
compare(const void *one, const void *other)
{
	return strcmp(((const struct shelf *)one)->bot,
		      ((const struct shelf *)other)->bot);
}

struct game_wrote *
game_wrote_keep(struct game_wrote *wrote)
{
	if (wrote != NULL)
		wrote->users++;
	return wrote;
}

void
game_wrote_drop(struct game_wrote *wrote)
{
	if (wrote != NULL && --wrote->users == 0)
		free(wrote);
}

static struct shelf *
find_shelf(const struct game_notes *notes, const char *bot)
{
	struct shelf key;
	void *found;

	snprintf(key.bot, sizeof(key.bot), "%s", bot);
	found = tfind(&key, (void *const *)&notes->shelves, compare);
	return found == NULL ? NULL : *(struct shelf **)found;
}

static struct shelf *
shelf_of(struct game_notes *notes, const char *bot)
{
	struct shelf *shelf = find_shelf(notes, bot);

	if (shelf != NULL)
		return shelf;
	shelf = zeroed(1, sizeof(*shelf));
	snprintf(shelf->bot, sizeof(shelf->bot), "%s", bot);
	TAILQ_INIT(&shelf->notes);
	LIST_PUT(notes->first, shelf);
	if (tsearch(shelf, &notes->shelves, compare) == NULL)
		bug("out of memory");
	return shelf;
}

static size_t
wrote_bytes(const struct note *note)
{
	return note->wrote == NULL ? 0 : note->wrote->n;
}

static size_t
bytes_of(const struct note *note)
{
	return sizeof(*note) + note->sentences.used + wrote_bytes(note);
}

/* Counts bytes that have come; `-n` counts n that have gone. */
static void
count(struct game_notes *notes, struct shelf *shelf, size_t n)
{
	notes->bytes += n;
	shelf->bytes += n;
}

static void
drop(struct game_notes *notes, struct note *note)
{
	struct shelf *shelf = note->shelf;

	count(notes, shelf, -bytes_of(note));
	TAILQ_REMOVE(&shelf->notes, note, of_bot);
	if (--shelf->count == 0) {
		tdelete(shelf, &notes->shelves, compare);
		LIST_CUT(shelf);
		free(shelf);
	}
	text_release(&note->sentences);
	game_wrote_drop(note->wrote);
	free(note);
}

/* Returns the shelf with most bytes; of several the one whose bot came first. */
static struct shelf *
fullest(struct shelf *found)
{
	struct shelf *shelf;

	for (shelf = found; shelf != NULL; shelf = shelf->next)
		if (shelf->bytes >= found->bytes)
			found = shelf;
	return found;
}

/* Lets the bots that have most make room: a bot that writes little keeps its notes,
 * however much others write. */
static void
make_room(struct game_notes *notes)
{
	while (notes->first != NULL && notes->bytes > notes->most)
		drop(notes, TAILQ_FIRST(&fullest(notes->first)->notes));
}

/* Finds a note, or returns NULL. It begins with the latest, because games that
 * have just ended are asked for most. */
static struct note *
find(const struct game_notes *notes, const char *bot, const char *id,
     unsigned seat)
{
	const struct shelf *shelf = find_shelf(notes, bot);
	struct note *note;

	if (shelf == NULL)
		return NULL;
	TAILQ_FOREACH_REVERSE(note, &shelf->notes, note_list, of_bot)
	if (note->seat == seat && strcmp(note->id, id) == 0)
		return note;
	return NULL;
}

static struct note *
note_of(struct game_notes *notes, const char *bot, const char *id,
	unsigned seat)
{
	struct note *note = find(notes, bot, id, seat);
	struct shelf *shelf;

	if (note != NULL)
		return note;
	note = zeroed(1, sizeof(*note));
	shelf = shelf_of(notes, bot);
	note->shelf = shelf;
	snprintf(note->id, sizeof(note->id), "%s", id);
	note->seat = seat;
	text_init(&note->sentences, GAME_NOTE_BYTES);
	TAILQ_INSERT_TAIL(&shelf->notes, note, of_bot);
	count(notes, shelf, bytes_of(note));
	if (++shelf->count > GAME_NOTES_A_BOT)
		drop(notes, TAILQ_FIRST(&shelf->notes));
	return note;
}

void
game_notes_wrote(struct game_notes *notes, const char *bot, const char *id,
		 unsigned seat, uint64_t from, const char *bytes, size_t n)
{
	struct note *note;

	if (n == 0)
		return;
	note = note_of(notes, bot, id, seat);
	if (n > GAME_NOTE_BYTES) {
		bytes += n - GAME_NOTE_BYTES;
		from += n - GAME_NOTE_BYTES;
		n = GAME_NOTE_BYTES;
	}
	count(notes, note->shelf, n - wrote_bytes(note));
	game_wrote_drop(note->wrote);
	note->wrote = memory(NULL, sizeof(*note->wrote) + n);
	note->wrote->users = 1;
	note->wrote->from = from;
	note->wrote->n = n;
	memcpy(note->wrote->bytes, bytes, n);
	make_room(notes);
}

const char *
game_notes_find(const struct game_notes *notes, const char *bot, const char *id,
		unsigned seat, uint64_t *from, size_t *n)
{
	const struct note *note = find(notes, bot, id, seat);

	if (note == NULL || note->wrote == NULL)
		return NULL;
	*from = note->wrote->from;
	*n = note->wrote->n;
	return note->wrote->bytes;
}

void
game_notes_say(struct game_notes *notes, const char *bot, const char *id,
	       unsigned seat, const char *sentence)
{
	struct note *note = note_of(notes, bot, id, seat);
	const size_t before = note->sentences.used;

	text_fmt(&note->sentences, "%s\n", sentence);
	count(notes, note->shelf, note->sentences.used - before);
	make_room(notes);
}

void
game_notes_each(const struct game_notes *notes, const char *bot,
		game_note_told *told, void *arg)
{
	const struct shelf *shelf = find_shelf(notes, bot);
	struct note *note;

	if (shelf == NULL)
		return;
	TAILQ_FOREACH_REVERSE(note, &shelf->notes, note_list, of_bot)
	told(arg, note->id, note->seat, text_string(&note->sentences),
	     note->wrote);
}

size_t
game_notes_bytes(const struct game_notes *notes, const char *bot)
{
	const struct shelf *shelf = find_shelf(notes, bot);

	return shelf == NULL ? 0 : shelf->bytes;
}

void
game_note_tell(const char *id, unsigned seat, const char *sentences,
	       const struct game_wrote *wrote, struct text *out)
{
	struct text one = { .max = SIZE_MAX };

	text_fmt(&one, "Game %s, seat %u:\n%s", id, seat, sentences);
	if (wrote != NULL) {
		text_str(&one, "Standard error");
		if (wrote->from > 0)
			text_fmt(&one, ", without its first %" PRIu64 " bytes",
				 wrote->from);
		text_str(&one, ":\n");
		text_add(&one, wrote->bytes, wrote->n);
		if (wrote->bytes[wrote->n - 1] != '\n')
			text_add(&one, "\n", 1);
	}
	text_add(out, one.bytes, one.used);
	text_release(&one);
}

static void
tell(void *arg, const char *id, unsigned seat, const char *sentences,
     struct game_wrote *wrote)
{
	game_note_tell(id, seat, sentences, wrote, arg);
}

void
game_notes_tell(const struct game_notes *notes, const char *bot,
		struct text *out)
{
	game_notes_each(notes, bot, tell, out);
}

struct game_notes *
game_notes_new(size_t bytes)
{
	struct game_notes *notes = memory(NULL, sizeof(*notes));

	*notes = (struct game_notes){ .most = bytes };
	return notes;
}

void
game_notes_free(struct game_notes *notes)
{
	if (notes == NULL)
		return;
	while (notes->first != NULL)
		drop(notes, TAILQ_FIRST(&notes->first->notes));
	free(notes);
}
