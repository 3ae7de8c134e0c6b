/* ladder/store.h - a ladder on disk: bots, ratings, games, and where they came
 * from.
 *
 * A ladder is one SQLite file (schema.sql tells every column).  It is a fold
 * over the entries of its log (log.h), in the order of their serials: the file can
 * be made from the log alone, to the last digit.
 *
 * Ratings are kept for each pool: one game, its options, its number of seats,
 * and how open decisions are resolved.  They are integers in milli-Elo.
 *
 * Functions return 0, or -1 and an error, unless they say otherwise.  A file
 * that is not a ladder, a game that does not belong to it and a wrong path are
 * ERROR_INPUT; a ladder in use and a full disk are ERROR_MACHINE; a record that
 * differs from the rated one, or does not hold, is ERROR_ANSWER.
 *
 * sodium_init() was called.
 *
 * Threads: a ladder may be opened in one thread and used in another, but by
 * one at a time.
 *
 * How a game gets in: ladder_follow() of log.h. */
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

#define LADDER_K_MILLI 16000	   /* of a new ladder */
#define LADDER_START_MILLI 1500000 /* of a new ladder */
#define LADDER_PROVISIONAL 30	   /* games that an inherited rating is that */
#define LADDER_K_MILLI_MAX 1000000 /* 1000 points a game */
#define LADDER_START_MILLI_MAX 9999000
#define LADDER_ANCHORS_MAX 64

/* The kinds of files in a folder of records, and of members of packs (RECORD.md). */
enum entry_kind {
	ENTRY_GAME, /* NNNNNNNN-ID.rec, with the serial in eight digits or more */
	ENTRY_VOID,	/* .void */
	ENTRY_SETTING,	/* .setting */
	ENTRY_FOUNDING, /* 00000000-ID.ladder: what a ladder began with */
	ENTRY_ASKS,	/* .asks: beside a record */
	ENTRY_OTHER,	/* none of these */
};

void ladder_file_name(enum entry_kind kind, int64_t serial, const char *id,
		      char name[LADDER_FILE_BYTES]);
/* Returns the serial in such a name of `n` bytes, and sets its kind.  0: it is a
 * founding's, or ENTRY_OTHER. */
int64_t ladder_file_serial(const char *name, size_t n, enum entry_kind *kind);

enum ladder_mode {
	LADDER_READ,  /* sees the ladder as it was at the first reading */
	LADDER_WRITE, /* the only writer; makes the file if there is none */
};

struct ladder;

/* ---- opening ---------------------------------------------------------- */

/* `path` is a file's name, whatever it looks like.  LADDER_WRITE takes the lock
 * PATH.lock until ladder_close(): while another process has it, ERROR_MACHINE
 * and "ladder PATH is in use by another referee (process N)".  A file that is
 * no ladder, is damaged, or is of another version is ERROR_INPUT and stays as
 * it is.  What fails leaves no new file.
 *
 * A ladder whose file is gone or empty, while its founding lies in the folder of
 * ladder_records_beside(), is made again for LADDER_WRITE: it has no games, and
 * follows its log.  It knows only that folder then, and ladder_rebuild() must name
 * others where it had entries, too.  A daemon with a queue asks its database instead
 * (verdicts.h).  Two foundings there are ERROR_INPUT; those of other ladders are
 * ignored while the file is there.  Without a founding a file that is gone is a new
 * ladder with another ID, and the opening of its log refuses records of the old one; so
 * is an empty one if PATH.lock is there, as it is after every use; else that is
 * ERROR_INPUT. */
int ladder_open(const char *path, enum ladder_mode mode, struct ladder **ladder,
		struct error *why) MUST_CHECK;
struct ladder_founding;
/* Opens a ladder for writing, but gives up when *stop becomes true, whatever is done
 * with it: ERROR_MACHINE.  `stop` is borrowed until ladder_heed().  `how`: what a new
 * ladder begins with; or NULL. */
int ladder_open_until(const char *path, const struct ladder_founding *how,
		      const atomic_bool *stop, struct ladder **ladder,
		      struct error *why) MUST_CHECK;
/* Another `stop`, or none any more: NULL. */
void ladder_heed(struct ladder *ladder, const atomic_bool *stop);
/* The folder where records of the ladder in `file` lie if nothing else is said,
 * and which is there: FILE.records, or of a daemon's ladder.db `records` beside
 * it.  False: there is none, and `dir` is "". */
bool ladder_records_beside(const char *file,
			   char dir[LADDER_PATH_BYTES]) MUST_CHECK;
void ladder_close(struct ladder *ladder); /* NULL is fine */
/* Likewise, and a ladder that this ladder_open() has made is gone again. */
void ladder_discard(struct ladder *ladder);

/* 32 hex digits, for a record's header `ladder`; borrowed from the ladder. */
const char *ladder_id(const struct ladder *ladder);

/* When it was made, `YYYY-MM-DDTHH:MM:SSZ`; borrowed from the ladder. */
const char *ladder_created(const struct ladder *ladder);

/* How the file came to be there when it was opened. */
enum ladder_origin {
	LADDER_WAS_THERE,
	LADDER_MADE_NEW,
	LADDER_MADE_AGAIN, /* from a founding */
};
enum ladder_origin ladder_origin(const struct ladder *ladder);
/* Returns true if the file that is open has not its name any more: it was removed or
 * replaced, and what is written to it will be gone. */
bool ladder_is_lost(struct ladder *ladder);

/* ---- making one ------------------------------------------------------- */

struct ladder_founding {
	/* The ladder before it, which stays as it is, and the name of the
	 * season as ladder_season_ok() has it; or NULL and NULL. */
	struct ladder *after;
	const char *season;
	/* Less than 0: those of `after`, or of a new ladder. */
	int64_t k_milli, start_milli;
};

/* Makes a ladder that is not there yet, with its founding in a folder beside it, where
 * ladder_records_beside() finds it, and opens it for writing.  A process
 * that is killed meanwhile leaves none, all of it, or a ladder whose founding the next
 * opening of its log writes.  In a season each bot
 * that has a rating in a pool of `after` enters the same pool with the start
 * rating and half of what it stood above or below that.  ERROR_INPUT, too: it
 * is there. */
int ladder_found(const char *path, const struct ladder_founding *how,
		 struct ladder **ladder, struct error *why) MUST_CHECK;
bool ladder_season_ok(const char *name);

/* Returns true if the file is there, but no ladder in it yet: who made it was
 * killed. */
bool ladder_is_empty(const char *path) MUST_CHECK;

struct ladder_season {
	char name[NAME_BYTES + 1]; /* "": it is none */
	char after[ID_BYTES + 1];  /* the ID of the ladder before it */
};

/* Appends the founding, which tells what the ladder began with (RECORD.md). */
int ladder_founding_tell(struct ladder *ladder, struct text *to,
			 struct error *why) MUST_CHECK;
/* Reads what season it begins. */
int ladder_founding_season(const struct text *founding,
			   struct ladder_season *season,
			   struct error *why) MUST_CHECK;
/* Writes it into a folder of records, on disk at once, unless it is there. */
int ladder_founding_keep(const struct text *founding, const char *dir,
			 struct error *why) MUST_CHECK;

/* Returns the serial of the last entry of the log that is folded; 0: none is. */
int64_t ladder_last(const struct ladder *ladder);

/* Borrowed from the ladder. */
const struct ladder_season *ladder_season(const struct ladder *ladder);

struct ladder_log;

/* Appends K and the rating that a bot enters a pool with to the log, which the ladder
 * follows: they hold for the games behind that entry.  After -1 the entry may be in the
 * log all the same, and then holds. */
int ladder_set(struct ladder *ladder, struct ladder_log *log, int64_t k_milli,
	       int64_t start_milli, struct error *why) MUST_CHECK;
/* Gives those in force for the next game. */
int ladder_settings(struct ladder *ladder, int64_t *k_milli,
		    int64_t *start_milli, struct error *why) MUST_CHECK;

/* Bots that have not played in a pool for so many days, by the dates of its
 * games, have no rank there any more; 0 (a new ladder): all have.  It stays
 * when the ladder is rebuilt, but stands in no log: a ladder that is made again lacks
 * it.  On disk at once. */
int ladder_rank_for(struct ladder *ladder, int64_t days,
		    struct error *why) MUST_CHECK;
/* Ratings that are fixed, by the names of bots, each of them once.  Begins
 * zeroed. */
struct ladder_anchors {
	unsigned count;
	struct ladder_anchor {
		char bot[NAME_BYTES + 1];
		int64_t milli; /* 0 to LADDER_START_MILLI_MAX */
	} at[LADDER_ANCHORS_MAX];
};

/* Adds one that is written as NAME=RATING.  ERROR_INPUT: it is not, or is one
 * too many, or the bot has one; the sentence goes on after the option's name. */
int ladder_anchor_add(struct ladder_anchors *anchors, const char *text,
		      struct error *why) MUST_CHECK;
bool ladder_anchors_same(const struct ladder_anchors *a,
			 const struct ladder_anchors *b);
/* With these the ladder is fitted from now on, unless a reader wants others; no
 * rating of the ladder's own depends on them.  They stay when it is rebuilt, and
 * a season begins with those of the ladder before it.  The founding does not have
 * them.  As ladder_rank_for(). */
int ladder_set_anchors(struct ladder *ladder,
		       const struct ladder_anchors *anchors,
		       struct error *why) MUST_CHECK;
int ladder_anchors(struct ladder *ladder, struct ladder_anchors *anchors,
		   struct error *why) MUST_CHECK;

/* What is known of a bot beside the ladder: LADDER_DISABLED, LADDER_REMOVED or
 * LADDER_PLAYS.  For ladder_standings(); `arg` is borrowed. */
void ladder_mark_by(struct ladder *ladder,
		    enum ladder_mark (*mark)(void *arg, const char *bot),
		    void *arg);
/* "inactive", "superseded", …; "" of LADDER_PLAYS. */
const char *ladder_mark_name(enum ladder_mark mark);

/* ---- records on disk -------------------------------------------------- */

/* The ladder will find records in this folder, which exists; `*folder` is its
 * number, for struct ladder_game.  Known ones keep theirs.  A folder below that
 * of the ladder's file may be moved together with it. */
int ladder_folder(struct ladder *ladder, const char *dir, int64_t *folder,
		  struct error *why) MUST_CHECK;

/* How many entries that the ladder has folded were not in the folders when its log
 * was opened, by their number alone; ladder_rebuild() tells which. */
int64_t ladder_missing(const struct ladder *ladder);

struct ladder_rebuilt {
	unsigned games;	  /* rated again */
	unsigned added;	  /* of them: were not rated before */
	unsigned altered; /* of them: the record's hash is another */
	unsigned changed; /* ratings, or seats of games, that came out other */
	unsigned voided;  /* of the games: do not count */
	int64_t gaps;	  /* serials without a record */
};

/* Looks at a record before it is rated, at `path`: 0, or -1 and an error
 * (ERROR_ANSWER: it does not hold). */
typedef int ladder_check(const struct record *record, const char *path,
			 struct error *why);

struct ladder_log;
struct log_entry;

/* Zeroed: from the records in the folders that the ladder knows, all of which
 * must be as they were rated. */
struct ladder_rebuilding {
	/* More folders, which exist, for ladder_folder(); ends with NULL.  Or
	 * NULL.  A ladder without games becomes the one whose founding they
	 * have. */
	const char *const *folders;
	ladder_check *check; /* or NULL */
	bool accept;	     /* records need not be as they were rated */
	bool gaps;	     /* serials may be missing below the highest */
	/* Entries that the folders lack are taken as the ladder knows them, and
	 * serials may be missing that it has passed before. */
	bool recall;
	/* Or NULL: this log is in use, so entries behind its end are refused,
	 * which only the folders have. */
	struct ladder_log *log;
	/* Or NULL: a void that ladder_void() appends to this log before the
	 * transaction ends. */
	struct log_entry *more;
	/* Or NULL: when it becomes true the rest is left, nothing changes, and
	 * the answer is ERROR_MACHINE. */
	const atomic_bool *stop;
};

/* Folds all entries in all folders again, in one transaction.
 * -1, and nothing changes: ERROR_INPUT if two records cannot both be right, if the
 * folders have the foundings of two ladders, or if a ladder that was just made finds
 * none; ERROR_ANSWER if an entry that was folded is missing, whatever `gaps` says, if a
 * record is not the one that was rated, or with a check cannot be read, or if
 * serials are missing that no game was rated with;
 * what `check` says. */
int ladder_rebuild(struct ladder *ladder, const struct ladder_rebuilding *how,
		   struct ladder_rebuilt *report, struct error *why) MUST_CHECK;

/* ---- games that do not count ------------------------------------------ */

struct ladder_voiding {
	const char *id; /* of a game, or the first 8 bytes or more of it */
	const char *bot, *since; /* or all games of this one that ended then or
				  * later: a date as ladder_date_ok() has it */
	const char *why;	 /* as ladder_void_why_ok() has it */
	const atomic_bool *stop; /* or NULL: as in ladder_rebuilding */
};

struct ladder_voided {
	int64_t serial; /* of the void */
	unsigned games; /* that it is about */
};

/* The ladder from now on is the one that it were if these games had not been
 * rated, but that they are read as void.  A void is appended to the log, or if that
 * is NULL, as a file to the folder that the ladder came to know last and that has its
 * founding.  All is folded again without these games, as by ladder_rebuild(), whose
 * sentences come here, too; then the void is appended, and then that transaction is
 * committed: if that alone fails, the ladder is behind.  An entry that is lost stays as
 * the ladder knows it.  ERROR_INPUT: no such game, bot, date or reason, or it is voided
 * already. */
int ladder_void(struct ladder *ladder, struct ladder_log *log,
		const struct ladder_voiding *how, struct ladder_voided *report,
		struct error *why) MUST_CHECK;
/* 1 to LADDER_VOID_BYTES printable bytes of ASCII. */
bool ladder_void_why_ok(const char *text);
/* YYYY-MM-DD, or YYYY-MM-DDTHH:MM:SSZ as in a record. */
bool ladder_date_ok(const char *text);

/* ---- rating ----------------------------------------------------------- */

struct ladder_seat {
	char bot[NAME_BYTES + 1];
	/* Of an earlier version of it, from its record's header `heir-of`, or
	 * "": with that one's rating it enters the pool, unless the ladder is a
	 * season that has one for the bot itself. */
	char heir_of[NAME_BYTES + 1];
	int place; /* 1 is best; ties equal; the retired behind the others */
	long points;
	/* By enum fault. */
	unsigned faults[FAULT_KINDS];
	/* Filled in by ladder_follow() and when read. */
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
	int64_t folder; /* where its record is; 0: no record is kept, and the
			 * ladder can never be rebuilt */
	unsigned char hash[RECORD_HASH_BYTES];
	char block[ID_BYTES + 1]; /* "": of none */
	/* Its `move` lines; less than 0: its record is pruned.  Not read
	 * back. */
	int64_t moves;
	struct ladder_seat seat[SEATS_MAX];
	/* Of a game that does not count, where it is read: which void says so,
	 * and why; its seats' deltas are 0.  Else 0 and "". */
	int64_t void_number;
	char void_why[LADDER_VOID_BYTES + 1];
};

/* All but `folder` (0), from a record with header `serial`: 0, or ERROR_INPUT
 * if it has none, was aborted or is not whole. */
int ladder_game_from_record(const struct record *record,
			    struct ladder_game *game,
			    struct error *why) MUST_CHECK;

/* Likewise, whatever its own serial is. */
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
	/* From 1; equal ratings share the better one.  0: it is ranked no more,
	 * ladder_rank_for(). */
	unsigned rank;
	enum ladder_mark mark;
	char bot[NAME_BYTES + 1];
	int64_t rating_milli;
	int64_t games;	 /* counted once for each seat that it filled */
	int64_t wins;	 /* at place 1, shared or not */
	int64_t places;	 /* their sum */
	int64_t halves;	 /* 2 for each seat beaten, 1 for each level with it */
	int64_t entered; /* serial of its first game in the pool */
	uint64_t faults[FAULT_KINDS]; /* by enum fault */
	/* It entered with the rating of this one, an earlier version of it; or
	 * "". */
	char heir_of[NAME_BYTES + 1];
	bool provisional; /* and has played less than LADDER_PROVISIONAL since
			   */
};

/* Each calls `each` for one thing after another, which is valid during the
 * call.  A callback may read other things, not the same. */

struct ladder_setting {
	int64_t from_serial; /* of the entry; 0: the ladder began with them */
	int64_t k_milli, start_milli;
};

/* All that were ever in force, by serial. */
int ladder_settings_log(struct ladder *ladder,
			void (*each)(void *arg,
				     const struct ladder_setting *setting),
			void *arg, struct error *why) MUST_CHECK;

struct ladder_entry {
	struct ladder_pool pool; /* without its number */
	char bot[NAME_BYTES + 1];
	int64_t rating_milli;
};

/* With what bots enter a season, by pool and name, whether they have or not. */
int ladder_entries(struct ladder *ladder,
		   void (*each)(void *arg, const struct ladder_entry *entry),
		   void *arg, struct error *why) MUST_CHECK;
/* Returns 1 if the ladder is a season whose bots enter other pools, and none
 * enters this one: the ladder before it had another game or other options.  Else
 * 0. */
int ladder_season_is_apart(struct ladder *ladder,
			   const struct ladder_pool *pool,
			   struct error *why) MUST_CHECK;
/* By game, options, seats, open; pools without games are left out. */
int ladder_pools(struct ladder *ladder,
		 void (*each)(void *arg, const struct ladder_pool *pool),
		 void *arg, struct error *why) MUST_CHECK;
/* Sets pool->number from the rest of it: 0 if there is no such pool. */
int ladder_pool_find(struct ladder *ladder, struct ladder_pool *pool,
		     struct error *why) MUST_CHECK;
/* Best rating first, equal ones by name; those without a rank behind the
 * others. What the roster says of them is as ladder_mark_by() has told. */
int ladder_standings(struct ladder *ladder, int64_t pool,
		     void (*each)(void *arg,
				  const struct ladder_standing *standing),
		     void *arg, struct error *why) MUST_CHECK;
/* By serial.  `bot`: only the games of that one, or NULL; ERROR_INPUT if the
 * ladder does not know it.  `pool`: only that one's, or 0. */
int ladder_games(struct ladder *ladder, const char *bot, int64_t pool,
		 void (*each)(void *arg, const struct ladder_game *game),
		 void *arg, struct error *why) MUST_CHECK;

/* Likewise the latest first: at most `count` games with serials below
 * `before`. */
int ladder_latest(struct ladder *ladder, int64_t before, unsigned count,
		  void (*each)(void *arg, const struct ladder_game *game),
		  void *arg, struct error *why) MUST_CHECK;
/* LADDER_FOUND, and `*game` is the one with this ID; or 0. */
int ladder_game_find(struct ladder *ladder, const char *id,
		     struct ladder_game *game, struct error *why) MUST_CHECK;

/* The record of a game as a path; "" if none is kept. */
int ladder_game_path(struct ladder *ladder, const struct ladder_game *game,
		     char path[LADDER_PATH_BYTES],
		     struct error *why) MUST_CHECK;

/* A copy of the ladder as it is now in a file that did not exist. */
int ladder_backup(struct ladder *ladder, const char *path,
		  struct error *why) MUST_CHECK;
/* Copies the SQLite file at `from`, also while others write to it, to `to`, which
 * must not be there: a single file of mode 0600, on disk, and sound (PRAGMA
 * quick_check).  Returns 0, or -1 and an error; then there is no file at `to`. */
int database_copy(const char *from, const char *to,
		  struct error *why) MUST_CHECK;

#endif
