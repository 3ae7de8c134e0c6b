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
 * half-written ones are removed, unless they name another ladder. */
int fold_list(struct ladder *ladder, struct folder_list *list, int64_t after,
	      bool sweep, struct error *why) MUST_CHECK;

/* Tells whether the entry names this ladder. */
int fold_is_mine(const struct ladder *ladder, struct pack_cache *cache,
		 const struct folder_file *file, bool *mine,
		 struct error *why) MUST_CHECK;
/* Counts what the ladder knows and a list above its last entry does not reach, for
 * ladder_missing(). */
int fold_look_for_missing(struct ladder *ladder, const struct folder_list *list,
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

/* A void is an entry of the log (log.h); RECORD.md tells its lines.  The tables
 * `void` and `voided` have what all folded voids say, each under its serial. */

/* Returns true if the text of an entry begins as a void does. */
bool void_is(const char *text, size_t n);
/* Reads who it is: ERROR_INPUT, and a sentence that begins with a line's number,
 * if it is not whole. */
int void_head(const struct text *text, int64_t *serial, char id[ID_BYTES + 1],
	      struct error *why) MUST_CHECK;
/* Puts what it says into the tables.  LADDER_FOUND: that is there already, as it
 * lies in two folders.  ERROR_INPUT, too: another entry has its serial. */
int void_take(struct ladder *ladder, int64_t serial, const struct text *text,
	      struct error *why) MUST_CHECK;
/* ERROR_INPUT: a game has the serial of a void. */
int void_check_serial(struct ladder *ladder, int64_t serial,
		      struct error *why) MUST_CHECK;
/* Tells whether the game with this ID is voided. */
int void_of(struct ladder *ladder, const char *id, bool *voided,
	    struct error *why) MUST_CHECK;

/* ---- rebuild.c -------------------------------------------------------- */

struct ladder_log;
struct log_entry;

/* ladder_rebuild(), with one void more, which is appended to the log before the
 * transaction ends, or NULL. */
int rebuild_with(struct ladder *ladder, const struct ladder_rebuilding *how,
		 struct ladder_log *log, struct log_entry *more,
		 struct ladder_rebuilt *report, struct error *why) MUST_CHECK;

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
