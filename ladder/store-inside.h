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
	bool again; /* by ladder_open_again() */
	bool fresh; /* it must not be there yet, and begins with more */
	char id[ID_BYTES + 1];
	char created[LADDER_DATE_BYTES];
	struct ladder_season season;
	int64_t next_serial; /* what the next game gets */
	/* The highest serial in table game, as this transaction sees it; 0: there
	 * is no game. */
	int64_t last_rated;
	int64_t committed;	 /* the same without this transaction */
	bool behind;		 /* games were taken back: settle first */
	int64_t missing;	 /* of ladder_missing() */
	const atomic_bool *stop; /* or NULL */
	/* ladder_log_voids(); or NULL. */
	ladder_void_kept *keep_void;
	void *keep_void_arg;
	/* ladder_mark_by(); or NULL. */
	enum ladder_mark (*mark)(void *arg, const char *bot);
	void *mark_arg;
};

/* ---- store.c ---------------------------------------------------------- */

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
/* The serial is in use: ladder_next_serial() gives higher ones. */
void store_pass_serial(struct ladder *ladder, int64_t serial);

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

/* A line each of what a ladder begins with. */
void founding_tell_setting(struct text *to, int64_t k_milli,
			   int64_t start_milli);
void founding_tell_season(struct text *to, const char *name, const char *after);
void founding_tell_entry(struct text *to, const struct ladder_pool *pool,
			 const char *bot, int64_t milli);
/* Writes what these lines, or ladder_founding_tell(), have told, and commits. */
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
