/* ladder/store-inside.h - what the files of the store share, and no other
 * file includes. */
#ifndef LADDER_STORE_INSIDE_H
#define LADDER_STORE_INSIDE_H

#include <stddef.h>

#include "ladder/sql.h"
#include "ladder/store.h"
#include "protocol/error.h"

/* "card" in ASCII: tells a ladder from other SQLite files. */
#define LADDER_APPLICATION_ID 0x63617264

/* The user_version of the files that this program reads and writes. */
#define LADDER_VERSION 9

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

struct ladder {
	struct sql sql;
	char *path;	  /* as given, for sentences; owned */
	char *file;	  /* the same from the root on; owned */
	size_t dir_bytes; /* of `file`, before its last slash */
	bool made;	  /* it was not there when it was opened */
	bool again;	  /* by ladder_open_again() */
	char *lock_file;  /* owned */
	int lock;	  /* its descriptor, -1 when reading */
	bool lock_made;	  /* it was not there either */
	char id[ID_BYTES + 1];
	char created[LADDER_DATE_BYTES];
	struct ladder_season season;
	/* It must not be there yet, and this is what it begins with; borrowed
	 * while it is opened.  Or NULL. */
	const struct ladder_founding *founding;
	int64_t next_serial;	 /* of ladder_next_serial() */
	int64_t last_rated;	 /* highest serial in table game, as this
				  * transaction sees it */
	int64_t committed;	 /* the same without it */
	int64_t missing;	 /* of ladder_missing() */
	bool behind;		 /* games were taken back: settle first */
	const atomic_bool *stop; /* or NULL */
	/* ladder_log_voids(); or NULL. */
	ladder_void_kept *keep_void;
	void *keep_void_arg;
	/* ladder_mark_by(); or NULL. */
	enum ladder_mark (*mark)(void *arg, const char *bot);
	void *mark_arg;
};

/* ---- store-path.c ----------------------------------------------------- */

/* The kind of errno after a system call with a path that the user gave:
 * ERROR_INPUT if the path is to blame, else ERROR_MACHINE. */
enum error_kind place_kind(int error);
/* Sets `file`, `dir_bytes` and `made`. */
int place_find(struct ladder *ladder, struct error *why) MUST_CHECK;
/* How the table folder has it: `path`, which begins at the root, or if it lies
 * below the folder of the ladder's file, what follows that.  A part of `path`,
 * or ".". */
const char *place_short(const struct ladder *ladder, const char *path);
/* And back. */
void place_long(const struct ladder *ladder, const char *stored,
		char path[LADDER_PATH_BYTES]);

/* ---- season.c --------------------------------------------------------- */

/* What it begins with, and commits the transaction that made its tables. */
int season_found(struct ladder *ladder, const struct ladder_founding *how,
		 struct error *why) MUST_CHECK;
int season_load(struct ladder *ladder, struct error *why) MUST_CHECK;

/* ---- founding.c ------------------------------------------------------- */

/* Likewise what ladder_founding_tell() has told. */
int founding_take(struct ladder *ladder, const char *text,
		  struct error *why) MUST_CHECK;

/* ---- lock.c ----------------------------------------------------------- */

int lock_take(struct ladder *ladder, struct error *why) MUST_CHECK;
/* `remove`: its file, too, if lock_take() made it. */
void lock_give_back(struct ladder *ladder, bool remove);

/* ---- lost.c ----------------------------------------------------------- */

struct folder_list;

/* ERROR_INPUT, and a sentence that names the cure, if the records that belong
 * beside this ladder, which has no games, are another one's.  `state` is what
 * is the matter with its file: "is gone". */
int lost_check(const struct ladder *ladder, const char *state,
	       struct error *why) MUST_CHECK;
/* Likewise of records that it has found. */
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

/* ---- search.c --------------------------------------------------------- */

/* The column of the table `course`: which seats were charged with what. */
int64_t search_faults(const struct ladder_game *game) MUST_CHECK;

/* ---- rate.c ----------------------------------------------------------- */

/* The three of a transaction, without a look at `behind`. */
int rate_begin(struct ladder *ladder, struct error *why) MUST_CHECK;
void rate_take_back(struct ladder *ladder);

#endif
