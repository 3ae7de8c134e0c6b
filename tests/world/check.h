/* tests/world/check.h - the invariants: what must hold of a data folder whatever has
 * happened to the daemon.
 *
 * Call it between two lives, and at the end, in a process that is not a life and ends
 * soon.  The folder itself stays as it is: what a daemon would do at its start is done
 * in a copy.  What must hold:
 *
 * promises	each game that a bot was told to be `over` is in the log with that hash,
 *		and on the ladder after it has followed its log
 * log		serials count from 1 without a hole, no game is there twice
 * ladder	the ladder that has followed its log, one that is made again from the
 *		founding and the log alone, and `ladder rebuild` agree in everything
 * roster	SQLite takes it for sound
 * records	every record verifies, also of games without a result
 * moves	each record holds by rules that share no code with the product (moves.h)
 * honest bots	no record charges one with a fault, and the log of the daemon does not
 *		say that one was suspended
 * tokens	a bot whose token was taken away does not come again, and gets no new
 *		version
 * seats	the log names the bot on each seat that read the lines of this seat, and
 *		bots sit about equally often in each seat
 * owners	bots of one owner do not meet in a game that has begun after a reload
 *		with same-owner = no, and none uploads more in a day than is allowed,
 *		or has more games of trials
 * bans		no bot that is disabled, or whose owner is banned, plays or is uploaded;
 *		owners who are banned do nothing; a code makes no account too many
 * standings	those that the pages told are those of the first games of the log
 * terms	no game begins before `begins`, after `ends` or beyond games-a-day;
 *		while standings are frozen nothing public names a later game
 * Elo		each game moves ratings by what ladder/elo.h says in words
 * secrets	each line that a bot read is the one that its seat may read by
 *		tests/unit/secrets.h, and each ask is one that the rules give */
#ifndef TESTS_WORLD_CHECK_H
#define TESTS_WORLD_CHECK_H

#include <stdbool.h>
#include <stdio.h>

#include "protocol/util.h"
#include "tests/world/promises.h"

/* The configuration of the scenario allows this. */
struct check_rules {
	/* Uploads of one owner in a day, and games of its trials. */
	unsigned uploads, trials;
	/* Returns the owner of a bot; "": it has none. */
	const char *(*owner)(void *arg, const char *bot);
	/* Returns true if bots of one owner are apart where `same-owner` says so. */
	bool (*many)(void *arg, const char *ladder);
	void *arg;
};

struct world_check {
	const char *data; /* the data folder of a daemon that does not run */
	const char *copy; /* a new folder for copies, removed in the end */
	const struct promises *promises;
	const char *const *honest; /* names as in records; ends with NULL */
	const char *log;	   /* the daemon's log, or NULL */
	const struct check_rules *rules;
	/* The daemon was told to stop, and the disk worked: its ladders are at the
	 * end of their logs. */
	bool stopped;
	FILE *out; /* gets a line for each thing that does not hold */
};

/* Counts what was looked at. */
struct world_checked {
	unsigned long ladders, games, aborted, pruned, promises, lines, asks;
};

/* Returns how many things do not hold. */
unsigned world_check(const struct world_check *what,
		     struct world_checked *checked) MUST_CHECK;

#endif
