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

/* Every statement but those of opening; the texts stand in store-sql.c. */
enum ladder_sql {
	SQL_BEGIN,
	SQL_COMMIT,
	SQL_ROLLBACK,
	SQL_META,
	SQL_META_ID,
	SQL_META_CREATED,
	SQL_LAST_SERIAL,
	SQL_SEASON,
	SQL_SEASON_ADD,
	SQL_ENTRY_ADD,
	SQL_ENTRY_GET,
	SQL_ENTRIES,
	SQL_RATED_NAME,
	SQL_SETTING_ADD,
	SQL_SETTING_AT,
	SQL_SETTINGS,
	SQL_FOLDER_ADD,
	SQL_FOLDER_FIND,
	SQL_FOLDERS,
	SQL_FOLDER_PATH,
	SQL_POOL_ADD,
	SQL_POOL_FIND,
	SQL_POOLS,
	SQL_BOT_ADD,
	SQL_BOT_FIND,
	SQL_BOT_NAME,
	SQL_RATING_ADD,
	SQL_RATING_GET,
	SQL_RATING_UPDATE,
	SQL_CONDUCT_ADD,
	SQL_CONDUCT_UPDATE,
	SQL_ANCHORS,
	SQL_ANCHOR_ADD,
	SQL_FORGET_ANCHORS,
	SQL_RANKING,
	SQL_RANKING_SET,
	SQL_HEIR_ADD,
	SQL_HEIR_NOTE,
	SQL_HEIR_OF,
	SQL_HEIRS,
	SQL_RATINGS,
	SQL_STANDINGS,
	SQL_GAME_ADD,
	SQL_BLOCK_ADD,
	SQL_COURSE_ADD,
	SQL_GAME_FIND,
	SQL_GAMES,
	SQL_GAMES_KEPT,
	SQL_SEAT_ADD,
	SQL_SEATS,
	SQL_SEATS_POOL,
	SQL_ROWS,
	SQL_POOL_STATE,
	SQL_GAMES_ALL,
	SQL_GAMES_LATEST,
	SQL_SEARCH,
	SQL_SEARCH_BOT,
	SQL_GAMES_POOL,
	SQL_GAMES_BOT,
	SQL_GAMES_BOT_POOL,
	SQL_GAMES_LIKE,
	SQL_VOID_ADD,
	SQL_VOID_HAS,
	SQL_VOID_LAST,
	SQL_VOID_COUNT,
	SQL_VOIDS,
	SQL_VOIDED_ADD,
	SQL_VOIDED_HAS,
	SQL_FORGET_VOIDS,
	SQL_FORGET_VOIDED,
	SQL_FORGET_SEATS,
	SQL_FORGET_GAMES,
	SQL_FORGET_BLOCKS,
	SQL_FORGET_COURSES,
	SQL_FORGET_RATINGS,
	SQL_FORGET_HEIRS,
	SQL_FORGET_CONDUCT,
	SQL_COUNT,
};

extern const char *const ladder_sql_text[SQL_COUNT];

/* ---- store.c ---------------------------------------------------------- */

struct sql *store_sql(struct ladder *ladder);
const struct place *store_place(const struct ladder *ladder);
/* Returns it as the user has given it, for sentences. */
const char *store_path(const struct ladder *ladder);
/* Sets what ladder_id() gives; the table is left alone. */
void store_set_id(struct ladder *ladder, const char *id);

/* Begins a transaction, without a look at whether games were taken back. */
int store_begin(struct ladder *ladder, struct error *why) MUST_CHECK;
/* Returns -1 and an error if an error on the way has taken the transaction
 * back. */
int store_in_transaction(const struct ladder *ladder,
			 struct error *why) MUST_CHECK;
void store_take_back(struct ladder *ladder);
/* Does the same after trouble and returns -1.  The records still have all of it:
 * the next ladder_begin() settles first. */
int store_fail(struct ladder *ladder, struct error *why);
/* All that was taken back is in the ladder again. */
void store_settled(struct ladder *ladder);

/* The highest serial in table game, as this transaction sees it. */
int64_t store_last_rated(const struct ladder *ladder);
/* Sets it; 0: there is no game any more. */
void store_rated(struct ladder *ladder, int64_t serial);
/* The serial is in use: ladder_next_serial() gives higher ones. */
void store_pass_serial(struct ladder *ladder, int64_t serial);
/* Returns what the next game gets. */
int64_t store_next_serial(const struct ladder *ladder);

/* They have what ladder_mark_by(), ladder_missing() and ladder_log_voids() are
 * about. */
enum ladder_mark store_mark(const struct ladder *ladder, const char *bot);
void store_set_missing(struct ladder *ladder, int64_t missing);
int store_keep_void(const struct ladder *ladder, int64_t number,
		    const char *text, struct error *why) MUST_CHECK;

/* ---- anchor.c --------------------------------------------------------- */

/* Writes them into a ladder that has none. */
int anchors_add(struct sql *sql, const struct ladder_anchors *anchors,
		struct error *why) MUST_CHECK;

/* ---- season.c --------------------------------------------------------- */

/* Writes what it begins with, and commits the transaction that made its tables. */
int season_found(struct sql *sql, const struct ladder_founding *how,
		 struct error *why) MUST_CHECK;
int season_load(struct sql *sql, struct ladder_season *season,
		struct error *why) MUST_CHECK;

/* ---- founding.c ------------------------------------------------------- */

/* Writes what ladder_founding_tell() has told, and commits. */
int founding_take(struct sql *sql, const char *text,
		  struct error *why) MUST_CHECK;

/* ---- lost.c ----------------------------------------------------------- */

struct folder_list;

/* ERROR_INPUT, and a sentence that names the cure, if the records that belong
 * beside the ladder with this ID, which has no games, are another one's.  `state`
 * is what is the matter with its file: "is gone". */
int lost_check(const struct place *place, const char *id, const char *state,
	       struct error *why) MUST_CHECK;
/* Does the same for records that a ladder has found. */
int lost_check_list(const struct ladder *ladder, const struct folder_list *list,
		    struct error *why) MUST_CHECK;

/* ---- fold.c ----------------------------------------------------------- */

struct folder_file;
struct pack_cache;

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
/* The records in all folders with a serial above `after`, sorted.  `sweep`:
 * half-written ones are removed, unless they name another ladder. */
int fold_list(struct ladder *ladder, struct folder_list *list, int64_t after,
	      bool sweep, struct error *why) MUST_CHECK;

/* ---- read.c ----------------------------------------------------------- */

#define GAME_COLUMNS 12 /* of a statement that gives games */
/* A row of such a statement, and the game's seats. */
int read_game(struct ladder *ladder, sqlite3_stmt *stmt,
	      struct ladder_game *game, struct error *why) MUST_CHECK;

/* Copies where this folder with records is: 1; 0: there is no such number. */
int read_folder(struct ladder *ladder, int64_t folder,
		char dir[LADDER_PATH_BYTES], struct error *why) MUST_CHECK;

/* ---- search.c --------------------------------------------------------- */

/* The column of the table `course`: which seats were charged with what. */
int64_t search_faults(const struct ladder_game *game) MUST_CHECK;

#endif
