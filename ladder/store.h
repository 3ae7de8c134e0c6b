/* ladder/store.h - keeps a ladder on disk: bots, ratings, games, and where they
 * came from.
 *
 * A ladder is one SQLite file (schema.sql tells every column).  Its games and ratings
 * are a fold over the entries of its log (log.h), in the order of their serials: the
 * founding and the log make them again, to the last digit, but without the moves of
 * pruned games.  A void is the exception: it counts for the games before it, too.
 *
 * Ratings are kept for each pool: one game, its options, its number of seats,
 * and how open decisions are resolved.  They are integers in milli-Elo.
 *
 * Functions return 0, or -1 and an error, unless they say otherwise.  A file
 * that is not a ladder, a game that does not belong to it and a wrong path are
 * ERROR_INPUT; a ladder in use and a full disk are ERROR_MACHINE; in a rebuild,
 * a record that differs from the rated one, or does not hold, is ERROR_ANSWER.
 *
 * Call sodium_init() before these functions.
 *
 * A ladder may be opened in one thread and used in another, but only one thread
 * may use it at a time.
 *
 * Games get in by ladder_follow() of log.h, ladder_rebuild(), ladder_take_until(). */
#ifndef LADDER_STORE_H
#define LADDER_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/fault.h"
#include "ladder/result.h"
#include "protocol/limits.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define LADDER_SERIAL_MAX                                                      \
	1000000000000		 /* of games and voids; far from any           \
				  * number that would overflow */
#define LADDER_OPTIONS_BYTES 512 /* `name=value name=value` and a NUL */
#define LADDER_FILE_BYTES 64	 /* an entry's file name and a NUL */
#define LADDER_PATH_BYTES 4160	 /* a path and its NUL */
#define LADDER_DATE_BYTES 32	 /* a date as in a record, and a NUL */

#define LADDER_VOID_BYTES 200	       /* why a game does not count */
#define LADDER_FOUNDING_BYTES 16777216 /* what a ladder begins with */

#define LADDER_K_MILLI 16000	   /* the value of a new ladder */
#define LADDER_START_MILLI 1500000 /* the value of a new ladder */
#define LADDER_PROVISIONAL 30	   /* games that a rating stays provisional */
#define LADDER_K_MILLI_MAX 1000000 /* 1000 points a game */
#define LADDER_START_MILLI_MAX 9999000
#define LADDER_ANCHORS_MAX 64

/* The kinds of files in a folder of records, and of members of packs (RECORD.md). */
enum entry_kind {
	ENTRY_GAME, /* NNNNNNNN-ID.rec, with the serial in eight digits or more */
	ENTRY_VOID,	/* .void */
	ENTRY_SETTING,	/* .setting */
	ENTRY_FOUNDING, /* 00000000-ID.ladder: what a ladder began with */
	ENTRY_ASKS,	/* .asks: the asks beside a record */
	ENTRY_OTHER,	/* none of these */
};

void ladder_file_name(enum entry_kind kind, int64_t serial, const char *id,
		      char name[LADDER_FILE_BYTES]);
/* Returns the serial in such a name of `n` bytes, and sets its kind.  Returns 0
 * for a founding, and for ENTRY_OTHER. */
int64_t ladder_file_serial(const char *name, size_t n, enum entry_kind *kind);

enum ladder_mode {
	/* Sees the ladder as it was when it was opened; each page opens it for
	 * itself.  Readers and the writer do not wait for each other. */
	LADDER_READ,
	LADDER_WRITE, /* the only writer; makes the file if there is none */
};

struct ladder;

/* ---- opening ---------------------------------------------------------- */

/* Opens a ladder.  `path` is the name of a file, whatever it looks like.
 * LADDER_WRITE takes the lock PATH.lock until ladder_close() or the end of the
 * process.  If PATH is a link, the lock lies beside the file that it leads to.  So a
 * command cannot write to a ladder on which a daemon plays: it asks the daemon to.
 * While another process has the lock, it fails with ERROR_MACHINE and "ladder PATH is
 * in use by another referee (process N)".  A file that is no ladder, is damaged, or is
 * of another version is ERROR_INPUT and stays as it is.  A damaged one may be moved
 * away, with its -wal and -shm: the next opening then finds it gone.  A full disk is
 * ERROR_MACHINE, also for LADDER_READ, as SQLite may have to make a file beside.  A
 * failed call leaves no new file.
 *
 * If the file is gone or empty, LADDER_WRITE looks for foundings in the folder
 * of ladder_records_beside():
 *
 *	one	makes that ladder again, without games; it follows its log
 *	none	makes a new ladder with another ID
 *	more	ERROR_INPUT
 *
 * So a new ladder, as any without entries, cannot open its log in a folder that has
 * entries of another.  One with entries can, and passes over those of the other.
 *
 * With "none", an empty file without PATH.lock is ERROR_INPUT, too: every opening for
 * writing leaves the lock behind.  A ladder that is made again knows only that folder.
 * If it had entries in others, name those to ladder_rebuild() before it
 * follows.  A daemon with a queue asks the queue's database first.  If that knows a
 * ladder of the configured name, the daemon moves the folder away, unless it is empty,
 * and makes that ladder from the database alone (verdicts.h).
 *
 * If the folder of ladder_records_beside() has foundings, but not its own, the file
 * is in another ladder's place: its log does not open there, and a rebuild from
 * there, a void and ladder_log_end() fail.  (A ladder without entries becomes the other
 * one in such a rebuild.)  Foundings beside its own are ignored. */
int ladder_open(const char *path, enum ladder_mode mode, struct ladder **ladder,
		struct error *why) MUST_CHECK;
struct ladder_founding;
/* Opens a ladder for writing, but gives up when *stop becomes true, whatever is done
 * with it: ERROR_MACHINE.  `stop` is borrowed until ladder_heed().  `how`: what a new
 * ladder begins with; or NULL. */
int ladder_open_until(const char *path, const struct ladder_founding *how,
		      const atomic_bool *stop, struct ladder **ladder,
		      struct error *why) MUST_CHECK;
/* Sets another `stop`; NULL stands for none. */
void ladder_heed(struct ladder *ladder, const atomic_bool *stop);
/* Finds the folder where records of the ladder in `file` lie by default:
 * FILE.records, or `records` beside a daemon's ladder.db.  If `file` is a link,
 * the folder lies beside the file that it leads to.  Returns false, and sets `dir`
 * to "", if there is no such folder. */
bool ladder_records_beside(const char *file,
			   char dir[LADDER_PATH_BYTES]) MUST_CHECK;
void ladder_close(struct ladder *ladder); /* NULL is fine */
/* Closes the ladder, and removes its file if this opening has made it. */
void ladder_discard(struct ladder *ladder);

/* Returns 32 hex digits, for a record's header `ladder`; borrowed from the
 * ladder. */
const char *ladder_id(const struct ladder *ladder);

/* Returns the date when the ladder was made, `YYYY-MM-DDTHH:MM:SSZ`; borrowed
 * from the ladder. */
const char *ladder_created(const struct ladder *ladder);

/* The origin of the file when it was opened. */
enum ladder_origin {
	LADDER_WAS_THERE,
	LADDER_MADE_NEW,
	LADDER_MADE_AGAIN, /* from a founding */
};
enum ladder_origin ladder_origin(const struct ladder *ladder);
/* Returns true if the open file has lost its name: it was removed or replaced,
 * and what is written to it will be lost.  A file that was emptied has kept its name,
 * and this function does not tell of it. */
bool ladder_is_lost(struct ladder *ladder);

/* ---- making one ------------------------------------------------------- */

struct ladder_founding {
	/* The ladder before it, which does not change, and the name of the
	 * season, in the form of a bot's name; or NULL and NULL. */
	struct ladder *after;
	const char *season;
	/* Less than 0: the values of `after`, or of a new ladder. */
	int64_t k_milli, start_milli;
};

/* Makes a ladder that is not there yet, with its founding in a folder beside
 * it, where ladder_records_beside() finds it, and opens it for writing.  A
 * process that is killed meanwhile leaves no ladder, a whole one, or one whose
 * founding the next opening of its log writes.  In a season each bot that has a
 * rating in a pool of `after` enters the same pool with the start rating plus
 * half of its distance from that.  Also fails with ERROR_INPUT if the ladder is
 * there already. */
int ladder_found(const char *path, const struct ladder_founding *how,
		 struct ladder **ladder, struct error *why) MUST_CHECK;

/* Returns true if the file is there, but has no ladder in it yet, because the
 * process that made it was killed. */
bool ladder_is_empty(const char *path) MUST_CHECK;

struct ladder_season {
	char name[NAME_BYTES + 1]; /* "": the ladder is no season */
	char after[ID_BYTES + 1];  /* the ID of the ladder before it */
};

/* Appends the founding, which tells what the ladder began with (RECORD.md). */
int ladder_founding_tell(struct ladder *ladder, struct text *to,
			 struct error *why) MUST_CHECK;
/* Reads which season the founding begins. */
int ladder_founding_season(const struct text *founding,
			   struct ladder_season *season,
			   struct error *why) MUST_CHECK;
/* Writes the founding into a folder of records, on disk at once, unless it is
 * there. */
int ladder_founding_keep(const struct text *founding, const char *dir,
			 struct error *why) MUST_CHECK;

/* Returns the serial of the last entry of the log that is folded; 0 if none is. */
int64_t ladder_last(const struct ladder *ladder);

/* Returns the season, borrowed from the ladder. */
const struct ladder_season *ladder_season(const struct ladder *ladder);

struct ladder_log;

/* Appends K and the rating that a bot enters a pool with to the log, which the
 * ladder follows.  They hold for the games behind that entry.  If it returns
 * -1, the entry may be in the log all the same, and then holds. */
int ladder_set(struct ladder *ladder, struct ladder_log *log, int64_t k_milli,
	       int64_t start_milli, struct error *why) MUST_CHECK;
/* Gives the settings for the next game. */
int ladder_settings(struct ladder *ladder, int64_t *k_milli,
		    int64_t *start_milli, struct error *why) MUST_CHECK;

/* Sets after how many days without a game in a pool, by the dates of the pool's
 * games, a bot has no rank there any more; 0 (a new ladder): all keep theirs.
 * A rebuild keeps the number, but it stands in no log: a ladder that is made
 * again lacks it.  A daemon that is no standby sets it at each start, and does not
 * start if a full disk prevents this.  It is on disk at once. */
int ladder_rank_for(struct ladder *ladder, int64_t days,
		    struct error *why) MUST_CHECK;
/* Fixed ratings, by the names of bots, each name once.  Zero it at first. */
struct ladder_anchors {
	unsigned count;
	struct ladder_anchor {
		char bot[NAME_BYTES + 1];
		int64_t milli; /* 0 to LADDER_START_MILLI_MAX */
	} at[LADDER_ANCHORS_MAX];
};

/* Adds an anchor that is written as NAME=RATING. Fails with ERROR_INPUT if it
 * has another form, is one too many, or the bot has one already; the caller
 * puts the option's name before the sentence. */
int ladder_anchor_add(struct ladder_anchors *anchors, const char *text,
		      struct error *why) MUST_CHECK;
bool ladder_anchors_same(const struct ladder_anchors *a,
			 const struct ladder_anchors *b);
/* Sets the anchors that the ladder is fitted with from now on, unless a reader
 * wants others; no rating of the ladder's own depends on them.  They are kept,
 * lost and set again like the number of ladder_rank_for().  A season begins with
 * those of the ladder before it, though the founding does not have them. */
int ladder_set_anchors(struct ladder *ladder,
		       const struct ladder_anchors *anchors,
		       struct error *why) MUST_CHECK;
int ladder_anchors(struct ladder *ladder, struct ladder_anchors *anchors,
		   struct error *why) MUST_CHECK;

/* A function that tells what is known about a bot outside the ladder. */
typedef struct ladder_known ladder_know(void *arg, const char *bot);
/* Sets what ladder_standings() asks.  `arg` is borrowed. */
void ladder_mark_by(struct ladder *ladder, ladder_know *know, void *arg);
/* Keeps in the file what this function tells about the bots that are there, for
 * readers that set none.  Call it once. */
int ladder_keep_marks(struct ladder *ladder, ladder_know *know, void *arg,
		      struct error *why) MUST_CHECK;
/* Returns "inactive", "superseded", …; "" for LADDER_PLAYS. */
const char *ladder_mark_name(enum ladder_mark mark);

/* ---- records on disk -------------------------------------------------- */

/* Tells the ladder that records lie in this folder, which exists.  Sets
 * `*folder` to its number, for struct ladder_game; a known folder keeps its
 * number.  A folder below that of the ladder's file may be moved together with
 * it. */
int ladder_folder(struct ladder *ladder, const char *dir, int64_t *folder,
		  struct error *why) MUST_CHECK;

/* Returns how many entries that the ladder has folded were not in the folders
 * when its log was opened.  It only compares numbers of entries;
 * ladder_rebuild() tells which are missing. */
int64_t ladder_missing(const struct ladder *ladder);

struct ladder_rebuilt {
	unsigned games;	  /* games rated again */
	unsigned added;	  /* of these, not rated before */
	unsigned altered; /* of these, the record's hash differs */
	unsigned changed; /* ratings, or seats of games, that differ now */
	unsigned voided;  /* of the games, those that do not count */
	int64_t gaps;	  /* serials without a record */
};

/* Checks the record at `path` before it is rated.  Returns 0, or -1 and an
 * error, ERROR_ANSWER if the record is not valid. */
typedef int ladder_check(const struct record *record, const char *path,
			 struct error *why);

struct ladder_log;
struct log_entry;

/* The way to rebuild.  Zeroed: from the records in the folders that the ladder
 * knows, all of which must be as they were rated. */
struct ladder_rebuilding {
	/* More folders for ladder_folder(), which exist; ends with NULL; or
	 * NULL.  Without `log`, a ladder without entries becomes the one whose
	 * founding the first of them has that has any.  Any other ladder ignores
	 * foundings that are not its own. */
	const char *const *folders;
	ladder_check *check; /* or NULL */
	bool accept;	     /* records need not be as they were rated */
	/* Serials may be missing, up to the highest in the folders or the last that
	 * the ladder is past. */
	bool gaps;
	/* Entries that the folders lack are taken as the ladder knows them.  A
	 * serial that neither has may be missing if the ladder is already past
	 * it. */
	bool recall;
	/* A log that is in use, so entries behind its end, which only the
	 * folders have, are refused; or NULL. */
	struct ladder_log *log;
	/* Or NULL: a void that ladder_void() appends to this log before the
	 * transaction ends. */
	struct log_entry *more;
	/* When it becomes true, the rebuild gives up with ERROR_MACHINE, and
	 * nothing changes; or NULL. */
	const atomic_bool *stop;
};

/* Folds all entries in all folders again, in one transaction.  On -1 nothing
 * changes.  The error is ERROR_INPUT if two records cannot both be right, or if a
 * folder has another text as the ladder's founding.  For a ladder that takes its
 * founding from how->folders, it is ERROR_INPUT, too, if these have the foundings
 * of two ladders, or if they have none and the ladder was just made.  It is
 * ERROR_ANSWER if a record is not the one that was rated,
 * or with a check cannot be read.  It is ERROR_ANSWER, too, if an entry that was
 * folded is missing, without `recall`; or if any other is, without `gaps`.
 * Errors of `check` come here, too. */
int ladder_rebuild(struct ladder *ladder, const struct ladder_rebuilding *how,
		   struct ladder_rebuilt *report, struct error *why) MUST_CHECK;

/* Folds into a copy (ladder_backup()) what `ladder` has behind the copy's last
 * entry, but no game that ended at the date `until` or later; in one transaction.
 * With `again` it folds everything again, so that the copy keeps no such game. */
int ladder_take_until(struct ladder *copy, struct ladder *ladder,
		      const char *until, bool again,
		      struct error *why) MUST_CHECK;

/* ---- games that do not count ------------------------------------------ */

struct ladder_voiding {
	const char *id; /* ID of a game, or the first 8 bytes or more of it */
	const char *bot, *since; /* or all games of this bot that ended at this
				  * date or later, in the form of
				  * ladder_date_ok() */
	const char *why; /* reason, in the form of ladder_void_why_ok() */
	const atomic_bool *stop; /* as in struct ladder_rebuilding; or NULL */
};

struct ladder_voided {
	int64_t serial; /* serial of the void */
	unsigned games; /* games that it names */
};

/* Voids games: from now on the ladder is as if they had not been rated, except that
 * they are read as void.  Appends a void to the log; if `log` is NULL, writes it as a
 * file into a folder that has the ladder's founding: of several, the one that the
 * ladder came to know last.  First it folds everything again without these games, as
 * ladder_rebuild() does, whose errors come here, too.  Then it appends the void, and
 * then it commits that transaction.  If only the commit fails, or if the queue's
 * database has the void but the ladder's folders lack it, it returns -1, but the void
 * counts, and the ladder is behind.  If the queue's database did not answer, the void
 * may count, and the sentence says so.  If anything else fails, nothing is voided,
 * unless the log keeps the void (append() in log.h).  Nothing takes a void back.
 *
 * A lost entry stays as the ladder knows it.  A ladder that is behind follows its log
 * before all this; if it cannot, nothing is voided.  Fails with ERROR_INPUT if there
 * is no such game, bot, date or reason, or if the game is voided already.  A game that
 * the log does not have yet is no such game. */
int ladder_void(struct ladder *ladder, struct ladder_log *log,
		const struct ladder_voiding *how, struct ladder_voided *report,
		struct error *why) MUST_CHECK;
/* Returns true for 1 to LADDER_VOID_BYTES printable bytes of ASCII. */
bool ladder_void_why_ok(const char *text);
/* Returns true for YYYY-MM-DD, and for YYYY-MM-DDTHH:MM:SSZ as in a record. */
bool ladder_date_ok(const char *text);

/* ---- rating ----------------------------------------------------------- */

struct ladder_seat {
	char bot[NAME_BYTES + 1];
	/* The name of an earlier version of the bot, from the record's header
	 * `heir-of`, or "".  The bot enters the pool with that version's
	 * rating, unless the ladder is a season that has a rating for the bot
	 * itself. */
	char heir_of[NAME_BYTES + 1];
	int place; /* 1 is best; ties equal; the retired behind the others */
	long points;
	/* Counted by enum fault. */
	unsigned faults[FAULT_KINDS];
	/* Filled in by ladder_follow(), and when the game is read. */
	int64_t before_milli, delta_milli;
};

/* A finished game; a plain value. */
struct ladder_game {
	int64_t serial;
	char id[ID_BYTES + 1];
	char game[NAME_BYTES + 1];
	char options[LADDER_OPTIONS_BYTES]; /* in the record's order, single
					     * spaces */
	unsigned seats;
	bool arrival;		       /* `open arrival`, else priority */
	char ended[LADDER_DATE_BYTES]; /* header `ended`, "" if there is none */
	int64_t folder; /* number of the folder where its record is; 0: no
			 * record is kept, so a rebuild needs `recall` */
	unsigned char hash[RECORD_HASH_BYTES];
	char block[ID_BYTES + 1]; /* "": the game is in no block */
	/* The number of its `move` lines; less than 0: its record is pruned.
	 * Not filled in when the game is read. */
	int64_t moves;
	struct ladder_seat seat[SEATS_MAX];
	/* For a game that is read and does not count: the void that says so,
	 * and why; the deltas of its seats are 0.  Else 0 and "". */
	int64_t void_number;
	char void_why[LADDER_VOID_BYTES + 1];
};

/* Fills in all fields but `folder`, which is 0, from a record with header
 * `serial`.  Fails with ERROR_INPUT if the record has no such header, was
 * aborted or is not whole. */
int ladder_game_from_record(const struct record *record,
			    struct ladder_game *game,
			    struct error *why) MUST_CHECK;

/* Does the same with this serial, whatever the record's own is. */
int ladder_game_with_serial(const struct record *record, int64_t serial,
			    struct ladder_game *game,
			    struct error *why) MUST_CHECK;

/* ---- reading ---------------------------------------------------------- */

struct ladder_pool {
	int64_t number; /* from 1 */
	char game[NAME_BYTES + 1];
	char options[LADDER_OPTIONS_BYTES];
	unsigned seats;
	bool arrival;
};

struct ladder_standing {
	/* From 1; equal ratings share the better rank.  0: the bot has no rank
	 * any more, see ladder_rank_for() and enum ladder_mark. */
	unsigned rank;
	enum ladder_mark mark;
	char bot[NAME_BYTES + 1];
	int64_t rating_milli;
	int64_t games;	 /* counted once for each seat that it filled */
	int64_t wins;	 /* at place 1, shared or not */
	int64_t places;	 /* sum of its places */
	int64_t halves;	 /* 2 for each seat that it beat, 1 for each tie */
	int64_t entered; /* serial of its first game in the pool */
	uint64_t faults[FAULT_KINDS]; /* by enum fault */
	/* The earlier version whose rating it entered with; or "". */
	char heir_of[NAME_BYTES + 1];
	/* For LADDER_SUPERSEDED the version that stands for the bot, which is not
	 * superseded; else "".  Of the versions in the pool it is the one that played
	 * last, as ladder_mark_by() tells; of those that nothing is known about, the
	 * last heir. */
	char superseded_by[NAME_BYTES + 1];
	/* It plays, and has fewer than LADDER_PROVISIONAL games. */
	bool provisional;
};

/* These functions call `each` for one thing after another, which is valid
 * during the call.  A callback may read other things, but not things of the
 * same kind. */

struct ladder_setting {
	int64_t from_serial; /* the entry's; 0: the ladder began with them */
	int64_t k_milli, start_milli;
};

/* Lists all settings that were ever in force, by serial. */
int ladder_settings_log(struct ladder *ladder,
			void (*each)(void *arg,
				     const struct ladder_setting *setting),
			void *arg, struct error *why) MUST_CHECK;

struct ladder_entry {
	struct ladder_pool pool; /* without its number */
	char bot[NAME_BYTES + 1];
	int64_t rating_milli;
};

/* Lists the ratings that bots enter a season with, by pool and name, also of
 * bots that have not entered yet. */
int ladder_entries(struct ladder *ladder,
		   void (*each)(void *arg, const struct ladder_entry *entry),
		   void *arg, struct error *why) MUST_CHECK;
/* Returns 1 if the ladder is a season whose bots enter other pools, and none
 * enters this one: the ladder before it had another game or other options.  Else
 * 0. */
int ladder_season_is_apart(struct ladder *ladder,
			   const struct ladder_pool *pool,
			   struct error *why) MUST_CHECK;
/* Lists pools by game, options, seats, open; leaves out pools without games. */
int ladder_pools(struct ladder *ladder,
		 void (*each)(void *arg, const struct ladder_pool *pool),
		 void *arg, struct error *why) MUST_CHECK;
/* Sets pool->number from the other fields; 0 if there is no such pool. */
int ladder_pool_find(struct ladder *ladder, struct ladder_pool *pool,
		     struct error *why) MUST_CHECK;
/* Lists the bots of a pool, the best rating first, equal ones by name, and
 * those without a rank behind the others.  The marks of the roster come from
 * ladder_mark_by(). */
int ladder_standings(struct ladder *ladder, int64_t pool,
		     void (*each)(void *arg,
				  const struct ladder_standing *standing),
		     void *arg, struct error *why) MUST_CHECK;
/* Lists games by serial: only those of `bot`, unless it is NULL, and only those
 * of `pool`, unless it is 0.  Fails with ERROR_INPUT if the ladder does not
 * know the bot. */
int ladder_games(struct ladder *ladder, const char *bot, int64_t pool,
		 void (*each)(void *arg, const struct ladder_game *game),
		 void *arg, struct error *why) MUST_CHECK;

/* Lists at most `count` games with serials below `before`, the latest first. */
int ladder_latest(struct ladder *ladder, int64_t before, unsigned count,
		  void (*each)(void *arg, const struct ladder_game *game),
		  void *arg, struct error *why) MUST_CHECK;
/* Sets `*game` to the game with this ID, and returns LADDER_FOUND; or returns
 * 0. */
int ladder_game_find(struct ladder *ladder, const char *id,
		     struct ladder_game *game, struct error *why) MUST_CHECK;

/* Gives the path of a game's record; "" if none is kept.  A lost record has a path,
 * too: its game stays in lists and ratings. */
int ladder_game_path(struct ladder *ladder, const struct ladder_game *game,
		     char path[LADDER_PATH_BYTES],
		     struct error *why) MUST_CHECK;

/* Copies the ladder, as it is now, to a file that must not exist. */
int ladder_backup(struct ladder *ladder, const char *path,
		  struct error *why) MUST_CHECK;
/* Copies the SQLite file at `from`, also while others write to it, to `to`, which
 * must not be there: a single file of mode 0600, on disk, and sound (PRAGMA
 * quick_check).  Returns 0, or -1 and an error; then there is no file at `to`. */
int database_copy(const char *from, const char *to,
		  struct error *why) MUST_CHECK;

#endif
