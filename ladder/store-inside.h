/* ladder/store-inside.h - what the files of the store ask each other for; no other
 * file includes it. */
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
	int64_t committed;	 /* the same without this transaction */
	int64_t missing;	 /* of ladder_missing() */
	const atomic_bool *stop; /* or NULL */
	/* ladder_mark_by(); or NULL. */
	enum ladder_mark (*mark)(void *arg, const char *bot);
	void *mark_arg;
};

/* ---- store.c ---------------------------------------------------------- */

/* Reads from the file what the ladder is. */
int store_load(struct ladder *ladder, struct error *why) MUST_CHECK;

/* A transaction begins, ends, or is taken back with what it has folded.  One that
 * only folds entries is not synced: a power cut may take it, and no more. */
int store_begin(struct ladder *ladder, struct error *why) MUST_CHECK;
int store_begin_fold(struct ladder *ladder, struct error *why) MUST_CHECK;
int store_commit(struct ladder *ladder, struct error *why) MUST_CHECK;
void store_take_back(struct ladder *ladder);
/* The entry with this serial is folded. */
void store_pass(struct ladder *ladder, int64_t serial);

/* ---- rate.c ----------------------------------------------------------- */

/* Rates a game in a transaction, and fills in before_milli and delta_milli of its
 * seats.  LADDER_FOUND: it was rated before.  ERROR_INPUT: it cannot be rated. */
int store_rate(struct ladder *ladder, struct ladder_game *game,
	       struct error *why) MUST_CHECK;

/* ---- anchor.c --------------------------------------------------------- */

/* Writes them into a ladder that has none. */
int anchors_add(struct sql *sql, const struct ladder_anchors *anchors,
		struct error *why) MUST_CHECK;

/* ---- entry.c ---------------------------------------------------------- */

/* The lines of an entry that is no record, one after another. */
struct entry_lines {
	const char *at, *end; /* of what is left, without the line `end` */
	char line[LADDER_OPTIONS_BYTES + 256];
	unsigned number;
	char date[LADDER_DATE_BYTES];
};

/* Returns what an entry is by its first word. */
enum entry_kind entry_kind_of(const char *text, size_t n);
/* Reads the lines with which all of them begin, and looks for the line with which they
 * end.  Here and below: ERROR_INPUT, and a
 * sentence that begins with a line's number, if that is not what is expected. */
int entry_begin(struct entry_lines *lines, enum entry_kind kind,
		const struct text *text, int64_t *serial, char id[ID_BYTES + 1],
		struct error *why) MUST_CHECK;
/* Returns what stands behind the word `key` in the next line; NULL: it is another
 * line. */
const char *entry_value(struct entry_lines *lines, const char *key);
/* Nothing may be left but the line `end`. */
int entry_end(struct entry_lines *lines, struct error *why) MUST_CHECK;
int entry_expected(const struct entry_lines *lines, const char *what,
		   struct error *why) COLD;
/* Appends the lines that entry_begin() reads, with a new `id` and today's date.
 * `ladder` NULL: the ID is a ladder's. */
void entry_write(struct text *to, enum entry_kind kind, int64_t serial,
		 const char *ladder, char id[ID_BYTES + 1]);
void entry_write_end(struct text *to);
/* Looks whether an entry that tells its serial may be folded under the serial of its
 * name.  LADDER_FOUND: it is folded already.  ERROR_INPUT: another entry has that
 * serial. */
int entry_check(struct ladder *ladder, int64_t serial, int64_t told,
		const char *id, struct error *why) MUST_CHECK;

/* ---- setting.c -------------------------------------------------------- */

/* The lines `rating-k K` and `rating-start RATING`. */
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
/* Puts what stands in the ladder's file into the tables again. */
int founding_again(struct ladder *ladder, struct error *why) MUST_CHECK;
/* Puts the founding in this file into the tables, in place of what is there. */
int founding_adopt(struct sql *sql, const char *path,
		   struct error *why) MUST_CHECK;
/* Looks for the ladder's founding in a folder of records: 1, or 0: it is not there.
 * ERROR_INPUT: it is another text; `first` is the path of the right one, or NULL. */
int founding_check(struct ladder *ladder, const char *dir, const char *first,
		   struct error *why) MUST_CHECK;
/* Writes the ladder's founding into a folder of records, unless it is there. */
int founding_keep(struct ladder *ladder, const char *dir,
		  struct error *why) MUST_CHECK;
/* Names the folder in which the records of the ladder in `file` lie if nothing else is
 * said. */
void ladder_records_default(const char *file, char dir[LADDER_PATH_BYTES]);
/* Finds the founding in a folder, that of the ladder `own` or of the only one: 1; 0:
 * there is none.  ERROR_INPUT: there are several. */
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
/* Reads a record of this ladder: LADDER_FOUND, and `*game` is set; or
 * 0 if there is nothing to rate (of another ladder or none, or
 * aborted).  `*mine`: it is one of this ladder.  `check`, unless it is NULL, is
 * called before a game is rated, and a file that is no record then is
 * ERROR_ANSWER, else ERROR_INPUT.  What is unreadable and does not name this
 * ladder is as one of another. */
int fold_game(const struct ladder *ladder, struct pack_cache *cache,
	      const struct folder_file *file, ladder_check *check,
	      struct ladder_game *game, bool *mine,
	      struct error *why) MUST_CHECK;
/* The entries in all folders with a serial above `after`, sorted.  `sweep`:
 * half-written ones are removed where the ladder's founding lies, unless they name
 * another ladder: the ladder's file alone does not tell that a folder is its own.
 * ERROR_INPUT, then: a folder has another founding of this ladder. */
int fold_list(struct ladder *ladder, struct folder_list *list, int64_t after,
	      bool sweep, struct error *why) MUST_CHECK;

/* Tells whether who sat where, and what came of it, is as it was.  Of a pruned record
 * the hash does not tell it. */
bool fold_is_same(const struct ladder_game *was,
		  const struct ladder_game *game);
/* Tells whether the entry names this ladder. */
int fold_is_mine(const struct ladder *ladder, struct pack_cache *cache,
		 const struct folder_file *file, bool *mine,
		 struct error *why) MUST_CHECK;
/* Counts what the ladder knows and a list above its last entry does not reach, for
 * ladder_missing(). */
int fold_look_for_missing(struct ladder *ladder, const struct folder_list *list,
			  struct error *why) MUST_CHECK;

/* Folds the games and settings that `before` knows with serials above the last that
 * is folded and below this one. */
int recall_entries(struct ladder *ladder, struct ladder *before, int64_t below,
		   struct error *why) MUST_CHECK;

/* ---- read.c ----------------------------------------------------------- */

/* Each statement that gives games begins with this. */
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
/* A row of such a statement, and the game's seats. */
int read_game(struct ladder *ladder, sqlite3_stmt *stmt,
	      struct ladder_game *game, struct error *why) MUST_CHECK;

/* Copies where this folder with records is: 1; 0: there is no such number. */
int read_folder(struct ladder *ladder, int64_t folder,
		char dir[LADDER_PATH_BYTES], struct error *why) MUST_CHECK;

/* ---- void.c ----------------------------------------------------------- */

/* RECORD.md tells the lines of a void.  The tables `void` and `voided` have what all
 * folded voids say, each under its serial. */

/* Puts what it says into the tables; `ladder` NULL: only reads it.  LADDER_FOUND: that
 * is there already, as it lies in two folders, or was taken before the games.
 * ERROR_INPUT, too: another entry has its serial. */
int void_take(struct ladder *ladder, int64_t serial, const struct text *text,
	      struct error *why) MUST_CHECK;
/* Tells whether the game with this ID is voided. */
int void_of(struct ladder *ladder, const char *id, bool *voided,
	    struct error *why) MUST_CHECK;

/* ---- follow.c --------------------------------------------------------- */

struct ladder_log;
struct log_entry;

/* Folds an entry in a transaction, and fills in the ratings of a game.  LADDER_FOUND:
 * it was folded before.  LADDER_AGAIN: it is a void of games that are folded. */
int store_fold(struct ladder *ladder, struct log_entry *entry,
	       struct error *why) MUST_CHECK;
#define LADDER_AGAIN 3
/* Says that the log lacks the entry with this serial. */
int follow_is_missing(const struct ladder *ladder, int64_t serial,
		      struct error *why) COLD;

/* ---- log.c ------------------------------------------------------------ */

/* Finds the serial of the last entry in the folders; that of the ladder if there is
 * none above.  `sweep`: removes half-written files.  ERROR_INPUT: the ladder is empty,
 * and what lies there is another one's. */
int log_find_end(struct ladder *ladder, bool sweep, int64_t *last,
		 struct error *why) MUST_CHECK;
/* Gives all voids in the folders, before a log in folders is read from its
 * beginning. */
int log_voids(struct ladder_log *log, struct log_entry **group,
	      struct error *why) MUST_CHECK;

/* ---- search.c --------------------------------------------------------- */

/* The number of the bot that is called so; 0: there is none. */
int search_bot(struct ladder *ladder, const char *name, int64_t *bot,
	       struct error *why) MUST_CHECK;
/* Does the same; ERROR_INPUT: there is none. */
int search_bot_known(struct ladder *ladder, const char *name, int64_t *bot,
		     struct error *why) MUST_CHECK;

/* The column of the table `course`: which seats were charged with what. */
int64_t search_faults(const struct ladder_game *game) MUST_CHECK;

#endif
