/* referee/web/record-view.h - reads the records of finished games for
 * spectators, and decides who may read what.
 *
 * All functions wait for the disk and run in a thread; they touch only their
 * arguments and files. */
#ifndef REFEREE_RECORD_VIEW_H
#define REFEREE_RECORD_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/pages/decision.h"
#include "referee/web/opinion-queue.h"

/* A ladder, and who may read its records (serve-config.h). */
struct record_shelf {
	char name[NAME_BYTES + 1];    /* the ladder's name */
	char path[LADDER_PATH_BYTES]; /* the path of ladder.db; records lie
				       * beside it */
	/* The file that pages show, and the second of the freeze, 0: none
	 * (scheduler_shown_path()).  Only the bots that sat there may read a game that
	 * ended at that second or later. */
	char shown[LADDER_PATH_BYTES];
	int64_t frozen;
	/* The folder with what the version of a trial wrote (replay-wrote.h); then
	 * `path` is that of the trial's only record.  "": it is a ladder. */
	char wrote[LADDER_PATH_BYTES];
	unsigned readers; /* enum config_readers */
	uint64_t read_after_minutes;
};

enum record_form {
	RECORD_TEXT,
	RECORD_FRAMES, /* printed like `referee replay --json --tables` */
	/* the strong bot's opinions on a seat's decisions; 202: not there yet */
	RECORD_OPINIONS,
	RECORD_ASKS, /* times (records/replay-asks.h); none for VIEW_PUBLIC */
	/* HTML; instead of a view that may not be seen it shows the public one,
	 * and says so if `named` */
	RECORD_PAGE,
};

struct record_wish {
	char id[ID_BYTES + 1]; /* valid by message_id_ok() */
	int view;   /* VIEW_ALL: the whole record; VIEW_PUBLIC or a seat: what
		     * was seen from there */
	bool named; /* the client has named the view */
	enum record_form form;
	unsigned at;		 /* for a page: the moment (pages/game.h) */
	const struct site *site; /* for a page; borrowed */
	/* The state of opinions on the seat of the view, and for OPINION_READY
	 * the program's output, which opinions_read() has read before;
	 * borrowed. */
	enum opinion_state opinions;
	const struct text *opinions_text;
	/* The outputs for each seat, for a part (pages/html.h); NULL: none;
	 * borrowed. */
	const struct text *opinions_of[SEATS_MAX];
	/* The names that records use for the bot whose token was shown, in the
	 * form of who_stood_as(); borrowed.  NULL: no bot. */
	const char *bots;
	/* For a page: what that bot wrote in each seat where it sat; borrowed. */
	const struct replay_wrote *wrote;
	int64_t now; /* seconds since 1970 */
};

struct record_found {
	/* An HTTP code: 200, 202 (opinions are not there yet), or that of a
	 * refusal. */
	int code;
	char sentence[256]; /* for the client, without its point */
	struct error why;   /* 503: for the log */
	struct text text;   /* 200; to be released */
	/* If opinions are asked for and OPINION_NONE: the program's input, to be
	 * released, and whether the bot of `bots` sat in the game. */
	struct text input;
	bool sat;
	const char *state; /* 200: `whole`, `pruned` or `aborted` */
	/* 200 of RECORD_ASKS: `whole`; `damaged`: the part that could be read;
	 * or `missing`: there is a record, but no times beside it. */
	const char *asks;
};

/* Looks for the game on the shelves and fills `found`.  A game that is not over
 * is not found. */
void record_view_read(const struct record_shelf shelf[], unsigned shelves,
		      const struct record_wish *wish,
		      struct record_found *found);

/* Returns true if a game that ended then is hidden from all who did not play it, and
 * its ratings from all. */
bool record_view_frozen(const struct record_shelf *shelf,
			int64_t ended) MUST_CHECK;
/* Returns true if everybody may read what spectators saw of the shelf's games
 * once they are over. */
bool record_view_public(const struct record_shelf *shelf) MUST_CHECK;
/* Returns 200 if the view may be read; else 401 or 403 and a sentence. */
int record_view_may(const struct record_shelf *shelf,
		    const struct record_wish *wish, const struct record *record,
		    int64_t ended, char sentence[256]) MUST_CHECK;

/* Writes a record as a viewer may read it.  RECORD_TEXT is the header without
 * the secret, and what hidden_redact() leaves of the body, without comments.
 * RECORD_FRAMES is a JSON object a line, with the table or its changes
 * (records/frame-json.h).  Returns -1 if a line is not in order. */
int record_view_write(const struct record *record, enum record_form form,
		      int viewer, struct text *to) MUST_CHECK;

#endif
