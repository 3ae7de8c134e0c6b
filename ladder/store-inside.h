/* ladder/store-inside.h - shared by the files of the store; no other file
 * includes it. */
#ifndef LADDER_STORE_INSIDE_H
#define LADDER_STORE_INSIDE_H

#include <stddef.h>

#include "ladder/place.h"
#include "ladder/sql.h"
#include "ladder/store.h"
#include "protocol/error.h"

/* schema.sql, compiled in. */
extern const char ladder_schema[];

struct ladder {
	struct sql sql;
	struct place place;
	enum ladder_origin origin;
	char id[ID_BYTES + 1];
	char created[LADDER_DATE_BYTES];
	struct ladder_season season;
	/* The serial of the last entry of the log that this transaction has
	 * folded; 0: there is none. */
	int64_t last;
	int64_t committed;	 /* `last` without this transaction */
	int64_t missing;	 /* what ladder_missing() returns */
	const atomic_bool *stop; /* or NULL */
	/* Set by ladder_mark_by(); or NULL. */
	ladder_know *know;
	void *know_arg;
};

/* ---- store.c ---------------------------------------------------------- */

/* Reads ID, date, last serial and season of the ladder from its file. */
int store_load(struct ladder *ladder, struct error *why) MUST_CHECK;
/* Reads a number of the table of marks; 0 stands for a bot that is not there. */
struct ladder_known store_read_mark(int64_t number);

/* These begin a transaction, commit it, or roll it back with what it has
 * folded.  A transaction that only folds entries is not synced: a power cut may
 * undo it, and no more. */
int store_begin(struct ladder *ladder, struct error *why) MUST_CHECK;
int store_begin_fold(struct ladder *ladder, struct error *why) MUST_CHECK;
int store_commit(struct ladder *ladder, struct error *why) MUST_CHECK;
void store_take_back(struct ladder *ladder);
/* Notes that the entry with this serial is folded. */
void store_pass(struct ladder *ladder, int64_t serial);

/* ---- rate.c ----------------------------------------------------------- */

/* Rates a game in a transaction, and fills in before_milli and delta_milli of
 * its seats.  Returns LADDER_FOUND if it was rated before.  Fails with
 * ERROR_INPUT if it cannot be rated. */
int store_rate(struct ladder *ladder, struct ladder_game *game,
	       struct error *why) MUST_CHECK;
/* Copies the ratings of the seats of a rated game. */
void rate_tell(const struct ladder_game *rated, struct ladder_game *game);

/* ---- anchor.c --------------------------------------------------------- */

/* Writes the anchors into a ladder that has none. */
int anchors_add(struct sql *sql, const struct ladder_anchors *anchors,
		struct error *why) MUST_CHECK;

/* ---- entry.c ---------------------------------------------------------- */

/* Reads the lines of an entry that is not a record, one after another. */
struct entry_lines {
	const char *at, *end; /* text left, without the line `end` */
	char line[LADDER_OPTIONS_BYTES + 256];
	unsigned number;
	char date[LADDER_DATE_BYTES];
};

/* Returns the kind of an entry, judging by its first word. */
enum entry_kind entry_kind_of(const char *text, size_t n);
/* Reads the lines that all such entries begin with, and looks for the line that
 * they end with.  This and the functions below fail with ERROR_INPUT, and a
 * sentence that begins with a line's number, if a line is not the expected one. */
int entry_begin(struct entry_lines *lines, enum entry_kind kind,
		const struct text *text, int64_t *serial, char id[ID_BYTES + 1],
		struct error *why) MUST_CHECK;
/* Returns what stands behind the word `key` in the next line; NULL if that is
 * another line. */
const char *entry_value(struct entry_lines *lines, const char *key);
/* Checks that nothing is left but the line `end`. */
int entry_end(struct entry_lines *lines, struct error *why) MUST_CHECK;
int entry_expected(const struct entry_lines *lines, const char *what,
		   struct error *why) COLD;
/* Appends the lines that entry_begin() reads, with a new `id` and today's date.
 * If `ladder` is NULL, `id` is also the ladder's ID. */
void entry_write(struct text *to, enum entry_kind kind, int64_t serial,
		 const char *ladder, char id[ID_BYTES + 1]);
void entry_write_end(struct text *to);
/* Checks that an entry may be folded under the serial of its name, which must
 * be the serial that its text tells.  Returns LADDER_FOUND if it is folded
 * already.  Fails with ERROR_INPUT if the serials differ, or if another entry
 * has that serial. */
int entry_check(struct ladder *ladder, int64_t serial, int64_t told,
		const char *id, struct error *why) MUST_CHECK;

/* ---- setting.c -------------------------------------------------------- */

/* Reads the lines `rating-k K` and `rating-start RATING`. */
int entry_settings(struct entry_lines *lines, int64_t *k_milli,
		   int64_t *start_milli, struct error *why) MUST_CHECK;
void entry_write_settings(struct text *to, int64_t k_milli,
			  int64_t start_milli);
int setting_add(struct sql *sql, int64_t serial, const char *id,
		int64_t k_milli, int64_t start_milli,
		struct error *why) MUST_CHECK;
/* Puts what an entry says into the tables, as void_take() does. */
int setting_take(struct ladder *ladder, int64_t serial, const struct text *text,
		 struct error *why) MUST_CHECK;

/* ---- founding.c ------------------------------------------------------- */

/* Writes the founding of a new ladder into its tables; `how` may be NULL. */
int founding_new(struct sql *sql, const struct ladder_founding *how,
		 struct error *why) MUST_CHECK;
/* Puts the founding in the ladder's file into the tables again. */
int founding_again(struct ladder *ladder, struct error *why) MUST_CHECK;
/* Puts the founding in this file into the tables, in place of what is there. */
int founding_adopt(struct sql *sql, const char *path,
		   struct error *why) MUST_CHECK;
/* Looks for the ladder's founding in a folder of records.  Returns 1, or 0 if
 * it is not there.  Fails with ERROR_INPUT if its text differs; `first` is the
 * path of the right one, or NULL. */
int founding_check(struct ladder *ladder, const char *dir, const char *first,
		   struct error *why) MUST_CHECK;
/* Fails with ERROR_INPUT if the folder of ladder_records_beside() has only foundings of
 * other ladders, because the file has taken the place of another ladder's.  `dir`: only
 * if that is the folder; or NULL. */
int founding_own(struct ladder *ladder, const char *dir,
		 struct error *why) MUST_CHECK;
/* Writes the ladder's founding into a folder of records, unless it is there.  Calls
 * founding_own() first. */
int founding_keep(struct ladder *ladder, const char *dir,
		  struct error *why) MUST_CHECK;
/* Names the folder in which the records of the ladder in `file` lie if nothing else is
 * said. */
void ladder_records_default(const char *file, char dir[LADDER_PATH_BYTES]);
/* Finds the founding in a folder: that of the ladder `own`, else the only one
 * there.  Returns 1, or 0 if there is none.  Fails with ERROR_INPUT if there
 * are several. */
int founding_find(const char *dir, const char *own,
		  char path[LADDER_PATH_BYTES], struct error *why) MUST_CHECK;

int season_load(struct sql *sql, struct ladder_season *season,
		struct error *why) MUST_CHECK;
/* Returns 1 and the rating that the bot enters the pool of this game with, if the
 * season gives it one; else 0. */
int season_entry(struct ladder *ladder, const struct ladder_game *game,
		 const char *bot, int64_t *milli, struct error *why) MUST_CHECK;

/* ---- fold.c ----------------------------------------------------------- */

struct folder_file;
struct folder_list;
struct pack_cache;

/* Puts the path of an entry in front of a sentence, which may begin with a line's
 * number; returns -1. */
int fold_prefix(struct error *why, const char *path);
/* Reads a record.  Returns LADDER_FOUND and sets `*game`; or 0 if there is
 * nothing to rate, because the record belongs to another ladder or none, or
 * because the game was aborted.  Sets `*mine` to true if it is a record of this
 * ladder.  If `check` is not NULL, it is called before a game is rated, and a
 * file that is not a record is ERROR_ANSWER, otherwise ERROR_INPUT. An
 * unreadable file that does not name this ladder counts as one of another
 * ladder. */
int fold_game(const struct ladder *ladder, struct pack_cache *cache,
	      const struct folder_file *file, ladder_check *check,
	      struct ladder_game *game, bool *mine,
	      struct error *why) MUST_CHECK;
/* Lists the entries in all folders with a serial above `after`, sorted.  With
 * `sweep`, removes half-written entries, but only in folders that hold the
 * ladder's founding, and never one that names another ladder. (That the
 * ladder's file lists a folder does not prove that the folder is its own.) It
 * then fails with ERROR_INPUT if a folder has another founding of this ladder. */
int fold_list(struct ladder *ladder, struct folder_list *list, int64_t after,
	      bool sweep, struct error *why) MUST_CHECK;

/* Returns true if the same bots sat in the same seats, with the same results.
 * For a pruned record the hash does not prove that. */
bool fold_is_same(const struct ladder_game *was,
		  const struct ladder_game *game);
/* Counts the entries that the ladder knows and that are not in the folders, for
 * ladder_missing().  `list` holds the entries above the ladder's last one. */
int fold_look_for_missing(struct ladder *ladder, const struct folder_list *list,
			  struct error *why) MUST_CHECK;

/* Folds the games and settings that `before` knows with serials above the last that
 * is folded and below this one; but no game that ended at `until` or later, unless
 * that is NULL. */
int recall_entries(struct ladder *ladder, struct ladder *before, int64_t below,
		   const char *until, struct error *why) MUST_CHECK;

/* ---- read.c ----------------------------------------------------------- */

/* Every statement that gives games begins with these columns. */
#define GAMES_COLUMNS                                                          \
	"SELECT g.serial, g.id, p.game, p.options, p.seats, p.arrival,"        \
	" g.ended, ifnull(g.folder, 0), g.hash, ifnull(v.number, 0), v.why,"   \
	" ifnull(b.id, '')"
#define GAMES_FROM                                                             \
	" FROM game g JOIN pool p USING (pool)"                                \
	" LEFT JOIN block b USING (serial)"                                    \
	" LEFT JOIN voided x ON x.id = g.id"                                   \
	" LEFT JOIN void v ON v.number = x.number "
#define GAMES_SELECT GAMES_COLUMNS GAMES_FROM
#define GAME_COLUMNS 12
/* Reads a row of such a statement, and the game's seats. */
int read_game(struct ladder *ladder, sqlite3_stmt *stmt,
	      struct ladder_game *game, struct error *why) MUST_CHECK;

/* Copies the path of this folder of records.  Returns 1, or 0 if there is no
 * such number. */
int read_folder(struct ladder *ladder, int64_t folder,
		char dir[LADDER_PATH_BYTES], struct error *why) MUST_CHECK;

/* ---- void.c ----------------------------------------------------------- */

/* RECORD.md tells the lines of a void.  The tables `void` and `voided` hold
 * what all folded voids say, each under its serial. */

/* Puts what a void says into the tables.  If `ladder` is NULL, only reads it.
 * Returns LADDER_FOUND if it is there already, because it lies in two folders,
 * or was taken before the games.  Also fails with ERROR_INPUT if another entry
 * has its serial. */
int void_take(struct ladder *ladder, int64_t serial, const struct text *text,
	      struct error *why) MUST_CHECK;
/* Sets `*voided` to true if the game with this ID is voided. */
int void_of(struct ladder *ladder, const char *id, bool *voided,
	    struct error *why) MUST_CHECK;

/* ---- follow.c --------------------------------------------------------- */

struct ladder_log;
struct log_entry;

/* Folds an entry in a transaction, and fills in the ratings of a game.  Returns
 * LADDER_FOUND if it was folded before, LADDER_AGAIN if it is a void of games
 * that are folded. */
int store_fold(struct ladder *ladder, struct log_entry *entry,
	       struct error *why) MUST_CHECK;
#define LADDER_AGAIN 3
/* ---- log.c ------------------------------------------------------------ */

/* Finds the serial of the last entry in the folders; gives the ladder's own if
 * there is none above it.  With `sweep`, removes half-written files.  Fails
 * with ERROR_INPUT if the ladder is empty, and the entries that lie there
 * belong to another one. */
int log_find_end(struct ladder *ladder, bool sweep, int64_t *last,
		 struct error *why) MUST_CHECK;
/* Sets an error that says that the log lacks the entry with this serial, and names the
 * damaged pack that read() has found. */
int log_is_missing(const struct ladder_log *log, int64_t serial,
		   struct error *why) COLD;
/* Returns the serial of the last entry, also of a damaged one, in the damaged packs
 * that read() has found; 0 if there is none. */
int64_t log_lost(const struct ladder_log *log);
/* Gives all voids in the folders.  Call it before a log in folders is read from
 * its beginning. */
int log_voids(struct ladder_log *log, struct log_entry **group,
	      struct error *why) MUST_CHECK;

/* ---- search.c --------------------------------------------------------- */

/* Gets the number of the bot with this name; 0 if there is none. */
int search_bot(struct ladder *ladder, const char *name, int64_t *bot,
	       struct error *why) MUST_CHECK;
/* Does the same, but fails with ERROR_INPUT if there is none. */
int search_bot_known(struct ladder *ladder, const char *name, int64_t *bot,
		     struct error *why) MUST_CHECK;

/* Returns the column `faults` of the table `course`, which says which seats
 * were charged with what. */
int64_t search_faults(const struct ladder_game *game) MUST_CHECK;

#endif
