/* tests/world/check-ladder.c - one ladder: its log, its file, its records.
 *
 * In a copy of its folder the ladder follows its log, as when a daemon starts, and is
 * rebuilt.  In another one the file is lost, and the ladder is made again from the
 * founding and the log. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/log.h"
#include "protocol/date.h"
#include "tests/world/check-inside.h"
#include "tests/world/folder-copy.h"

#define FOLLOWING "following its log"
#define MAKING "its founding and its log alone"

/* A copy of the ladder's folder. */
struct copy {
	char *dir, *file, *records; /* owned */
	struct ladder *ladder;
	struct ladder_log *log;
	struct dump dump; /* after it has followed its log */
};

static void
copy_take(struct copy *copy, const char *from, const char *below,
	  const char *name)
{
	*copy = (struct copy){ .dir = formatted("%s/%s", below, name) };
	copy->file = formatted("%s/ladder.db", copy->dir);
	copy->records = formatted("%s/records", copy->dir);
	folder_copy(from, copy->dir);
}

static void
copy_close(struct copy *copy)
{
	ladder_log_free(copy->log);
	ladder_close(copy->ladder);
	copy->log = NULL;
	copy->ladder = NULL;
}

static void
copy_release(struct copy *copy)
{
	copy_close(copy);
	dump_release(&copy->dump);
	free(copy->dir);
	free(copy->file);
	free(copy->records);
}

/* Opens the ladder and its log, and lets it follow, as a daemon does.  This log reads
 * packs, too, but has no thread that closes them. */
static int
copy_open(struct copy *copy, struct error *why)
{
	unsigned count;

	if (access(copy->records, F_OK) < 0)
		return error_set(why, ERROR_INPUT, "it has no records");
	if (ladder_open(copy->file, LADDER_WRITE, &copy->ladder, why) < 0 ||
	    ladder_log_files(copy->ladder, copy->records, &copy->log, why) <
		    0 ||
	    ladder_follow(copy->ladder, copy->log, NULL, &count, why) < 0)
		return -1;
	return dump_ladder(copy->file, &copy->dump, why);
}

/* Removes the ladder's file and what SQLite keeps beside it. */
static void
lose_file(const struct copy *copy)
{
	static const char *const ends[] = { "", "-wal", "-journal", ".lock" };

	for (size_t i = 0; i < NELEM(ends); i++) {
		char *path = formatted("%s%s", copy->file, ends[i]);

		(void)unlink(path);
		free(path);
	}
}

/* ---- the log -------------------------------------------------------------- */

static struct check_game *
add_game(struct check *check, const char *ladder, const struct log_entry *entry)
{
	struct check_game *game;

	if (check->games == check->room) {
		check->room = check->room == 0 ? 256 : 2 * check->room;
		check->game =
			memory(check->game, check->room * sizeof(*check->game));
	}
	game = &check->game[check->games++];
	*game = (struct check_game){ .serial = entry->serial };
	snprintf(game->ladder, sizeof(game->ladder), "%s", ladder);
	snprintf(game->id, sizeof(game->id), "%s", entry->id);
	return game;
}

/* Compares the changes of ratings by a game with what ladder/elo.h says in words.  Each
 * duel is rounded there. */
static void
check_elo(struct check *check, const char *ladder,
	  const struct ladder_game *game, int64_t k_milli)
{
	const struct ladder_seat *a, *b;
	const double k = (double)k_milli / (game->seats - 1);
	double gains, expected, score;

	for (a = game->seat; a < game->seat + game->seats; a++) {
		gains = 0;
		for (b = game->seat; b < game->seat + game->seats; b++) {
			expected = 1 / (1 + pow(10, (double)(b->before_milli -
							     a->before_milli) /
							    400000));
			score = a->place < b->place    ? 1
				: a->place == b->place ? 0.5
						       : 0;
			gains += a == b ? 0 : k * (score - expected);
		}
		if (fabs(gains - (double)a->delta_milli) > game->seats)
			check_wrong(
				check,
				"ladder %s, game %s: expected a change of %.0f "
				"milli for %s, found %" PRId64,
				ladder, game->id, gains, a->bot,
				a->delta_milli);
	}
}

static void
check_rated(struct check *check, struct copy *copy, struct check_game *game)
{
	struct ladder_game rated;
	int64_t k_milli, start_milli;
	struct error why;

	if (ladder_game_find(copy->ladder, game->id, &rated, &why) !=
	    LADDER_FOUND) {
		check_wrong(check,
			    "ladder %s: game %s is entry %" PRId64
			    " of the log, but the ladder does not have it",
			    game->ladder, game->id, game->serial);
		return;
	}
	game->rated = true;
	game->ended = date_read(rated.ended);
	if (ladder_settings(copy->ladder, &k_milli, &start_milli, &why) < 0)
		check_wrong(check, "ladder %s: %s", game->ladder, why.text);
	else if (rated.void_number == 0)
		check_elo(check, game->ladder, &rated, k_milli);
	if (rated.serial != game->serial)
		check_wrong(check,
			    "ladder %s: game %s is entry %" PRId64
			    " of the log, and %" PRId64 " on the ladder",
			    game->ladder, game->id, game->serial, rated.serial);
}

static void
check_entry(struct check *check, const char *name, struct copy *copy,
	    struct log_entry *entry)
{
	struct check_game *game;
	struct error why;
	char *where;

	if (entry->kind != ENTRY_GAME)
		return;
	check->checked->games++;
	game = add_game(check, name, entry);
	check_rated(check, copy, game);
	if (entry->text == NULL &&
	    ladder_log_load(copy->log, entry, &why) < 0) {
		check_wrong(check, "ladder %s: %s", name, why.text);
		return;
	}
	where = formatted("ladder %s, entry %" PRId64, name, entry->serial);
	check_record(check, where, entry->text, game->hash, &game->placing);
	free(where);
}

static void
check_log(struct check *check, const char *name, struct copy *copy)
{
	struct log_entry *group, *entry;
	struct error why;
	int64_t last = 0;

	for (;;) {
		if (copy->log->ops->read(copy->log, last, &group, &why) < 0) {
			check_wrong(check, "ladder %s: its log: %s", name,
				    why.text);
			return;
		}
		if (group == NULL)
			break;
		for (entry = group; entry != NULL; entry = entry->next) {
			if (entry->serial != last + 1)
				check_wrong(check,
					    "ladder %s: expected entry %" PRId64
					    " of its log, found %" PRId64,
					    name, last + 1, entry->serial);
			last = entry->serial;
			check_entry(check, name, copy, entry);
		}
		ladder_log_forget(group);
	}
	if (last != ladder_last(copy->ladder))
		check_wrong(check,
			    "ladder %s: it ends with entry %" PRId64
			    ", its log with entry %" PRId64,
			    name, ladder_last(copy->ladder), last);
}

/* ---- the ladder ----------------------------------------------------------- */

static void
check_rebuild(struct check *check, const char *name, struct copy *copy)
{
	const struct ladder_rebuilding how = { .log = copy->log };
	struct ladder_rebuilt report;
	struct error why;

	if (ladder_rebuild(copy->ladder, &how, &report, &why) < 0)
		check_wrong(check, "ladder %s: a rebuild: %s", name, why.text);
	else if (report.added > 0 || report.altered > 0 || report.changed > 0 ||
		 report.gaps > 0)
		check_wrong(check,
			    "ladder %s: expected a rebuild that changes "
			    "nothing, found %u added, %u altered, %u changed, "
			    "%" PRId64 " gaps",
			    name, report.added, report.altered, report.changed,
			    report.gaps);
}

/* Compares the file as the daemon has left it with one that has followed. */
static void
check_left(struct check *check, const char *name, const char *dir,
	   const struct copy *followed)
{
	struct copy copy;
	struct error why;

	copy_take(&copy, dir, check->what->copy, "left");
	if (dump_ladder(copy.file, &copy.dump, &why) < 0)
		check_wrong(check, "ladder %s: %s", name, why.text);
	else
		dump_compare(check, name, "its file", &copy.dump, FOLLOWING,
			     &followed->dump);
	folder_remove(copy.dir);
	copy_release(&copy);
}

/* Compares a ladder that is made again with one that has followed. */
static void
check_again(struct check *check, const char *name, const char *dir,
	    const struct copy *followed)
{
	struct copy again;
	struct error why;

	copy_take(&again, dir, check->what->copy, "again");
	lose_file(&again);
	if (copy_open(&again, &why) < 0)
		check_wrong(check, "ladder %s cannot be made again: %s", name,
			    why.text);
	else
		dump_compare(check, name, "its file", &followed->dump, MAKING,
			     &again.dump);
	copy_close(&again);
	folder_remove(again.dir);
	copy_release(&again);
}

/* A daemon that is killed while it makes a ladder leaves one that has nothing. */
static bool
has_nothing(const char *dir)
{
	char *file = formatted("%s/ladder.db", dir);
	char *records = formatted("%s/records", dir);
	const bool nothing =
		access(records, F_OK) < 0 ||
		((access(file, F_OK) < 0 || ladder_is_empty(file)) &&
		 rmdir(records) == 0);

	free(file);
	free(records);
	return nothing;
}

void
check_ladder(struct check *check, const char *name, const char *dir)
{
	struct copy followed;
	struct error why;

	check->checked->ladders++;
	copy_take(&followed, dir, check->what->copy, "followed");
	if (has_nothing(followed.dir)) {
		folder_remove(followed.dir);
		copy_release(&followed);
		return;
	}
	if (copy_open(&followed, &why) < 0) {
		check_wrong(check, "ladder %s cannot follow its log: %s", name,
			    why.text);
	} else {
		check_log(check, name, &followed);
		check_rebuild(check, name, &followed);
		if (check->what->stopped)
			check_left(check, name, dir, &followed);
		/* The founding comes into the folder when a log is opened. */
		check_again(check, name, followed.dir, &followed);
	}
	copy_close(&followed);
	folder_remove(followed.dir);
	copy_release(&followed);
}
