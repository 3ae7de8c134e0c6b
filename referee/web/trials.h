/* referee/web/trials.h - plays versions that do not count yet: an author sends one
 * in as a trial, sees how it does against bots of this machine, and then enters it,
 * or not.
 *
 * The archive is imported as an upload is, but its folder is entered nowhere.  One
 * trial at a time is played, by `referee match` in a process of its own that yields
 * to all others, and it begins only when local bots may begin games, too.  After
 * SERVE_TRIAL_PATIENCE_MS the next place that becomes free is left to it.  The next
 * one is of the owner whose trials have played for the least time that day; bots
 * without an owner count each for itself.  After SERVE_TRIAL_TURN_MS a trial makes
 * room for one of another owner who has used less.  The first games that have
 * SERVE_TRIAL_BYTES are kept, which is looked at while they are played.  Trials are
 * kept in memory: they end with the daemon, and its next start removes their folders.
 *
 *	DATA/trials/ID/records	the records of the games of a trial, and their asks
 *	DATA/trials/ID/wrote	what its version wrote to standard error in them
 */
#ifndef REFEREE_TRIALS_H
#define REFEREE_TRIALS_H

#include <jansson.h>
#include <stdbool.h>

#include "ladder/roster.h"
#include "protocol/util.h"
#include "referee/web/page.h"

/* The name of the version in the table, which no opponent has. */
#define TRIALS_SELF ROSTER_TRIAL

struct subprocess;
struct trials;

/* The wish of an author. */
struct trial_wish {
	unsigned games;
	char ladder[NAME_BYTES + 1];
	unsigned opponents;
	char opponent[SEATS_MAX][NAME_BYTES + 1];
};

/* Writes for whom trials of a bot count: its owner, or `bot NAME`. */
#define TRIALS_WHO_BYTES (NAME_BYTES + 8)
void trials_who(const struct roster_bot *bot, char who[TRIALS_WHO_BYTES]);

/* Returns true if a bot of that name can be an opponent now. */
bool trials_have_opponent(const struct pages *pages,
			  const char *name) MUST_CHECK;
/* Writes opponent number `i` of a trial of the bot `own`: a drawn one of the ladder's
 * bots that it does not have yet, or `random`. */
void trials_draw(const struct pages *pages, const char *own, unsigned i,
		 struct trial_wish *wish);

/* Borrows the loop and the pages. */
struct trials *trials_new(struct loop *loop, struct pages *pages) MUST_CHECK;
/* Ends the process that runs.  NULL is allowed. */
void trials_free(struct trials *trials);
/* For tests: plays trials by the process that `by` returns. */
void trials_play_by(struct trials *trials, struct subprocess *(*by)(void));

/* Returns false while there is no place for a trial of this bot: SERVE_TRIALS are
 * there, none is over, and each is another owner's only one.  So an owner who has
 * many takes no place from another. */
bool trials_may_wish(struct trials *trials,
		     const struct roster_bot *bot) MUST_CHECK;
/* Notes the wish of a bot whose archive was taken last, in place of the trial that it
 * has, and counts its games for the day.  A trial that begins no game gives them
 * back: its archive was refused, say.  If another trial makes room, its author is
 * told so.  Call it if trials_may_wish() has returned true. */
void trials_wish(struct trials *trials, const struct roster_bot *bot,
		 const struct trial_wish *wish);
/* Notes that the version with this hash has been imported for a trial of the bot
 * that is called `name`, and plays it when its turn has come.  Returns false and notes
 * nothing if no trial waits for it: it was the archive of an earlier one, say. */
bool trials_came(struct trials *trials, const char *name,
		 const char *hash) MUST_CHECK;
/* Forgets the trial of the bot with this number, if it has one, and ends it. */
void trials_drop(struct trials *trials, int64_t bot);
/* Returns true if a trial needs the folder with this hash. */
bool trials_need(const struct trials *trials, const char *hash) MUST_CHECK;
/* Returns the hash of the trial of the bot with this number, borrowed until the
 * next call, or NULL if there is none that was imported. */
const char *trials_hash(const struct trials *trials, int64_t bot) MUST_CHECK;
/* Fills in where the record of the game `id` is, if a trial has it, and who may read
 * it: `*own` is true if that is a trial of the bot `who`, or of another one of its
 * owner.  Returns false if no trial has it. */
bool trials_find_game(const struct trials *trials, const char *id,
		      const struct roster_bot *who, struct record_shelf *shelf,
		      bool *own) MUST_CHECK;
/* Returns what its author may know, or NULL if there is none. */
json_t *trials_tell(struct trials *trials, int64_t bot) MUST_CHECK;

#endif
