/* referee/web/record-view.h - the records of finished games, for spectators:
 * who may read what, and the text of it.
 *
 * All of it waits for the disk and runs in the page thread; it touches only
 * its arguments and files. */
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
#include "referee/base/serve-limits.h"
#include "referee/pages/decision.h"
#include "referee/pages/layout.h"
#include "referee/web/opinion-queue.h"

/* A ladder, and what it says of its readers (serve-config.h). */
struct record_shelf {
	char name[NAME_BYTES + 1];    /* of the ladder */
	char path[LADDER_PATH_BYTES]; /* of ladder.db; records lie beside */
	unsigned readers;	      /* enum config_readers */
	uint64_t read_after_minutes;
};

enum record_form {
	RECORD_TEXT,
	RECORD_FRAMES, /* as `referee replay --json --tables` prints them */
	/* What the strong bot thinks of a seat's decisions; 202: not yet. */
	RECORD_OPINIONS,
	RECORD_ASKS, /* its times (records/replay-asks.h); of VIEW_PUBLIC none */
	/* HTML; a view that may not be seen: the public one, which says so if
	 * `named` */
	RECORD_PAGE,
};

struct record_wish {
	char id[ID_BYTES + 1]; /* message_id_ok() */
	int view;   /* VIEW_ALL: the record; VIEW_PUBLIC or a seat: what
		   * was seen from there */
	bool named; /* who asks has named the view */
	enum record_form form;
	unsigned at;		 /* of a page: the moment (pages/game.h) */
	const struct site *site; /* of a page; borrowed */
	/* What is known of opinions on the seat of the view; OPINION_READY:
	 * the program's output, which opinions_read() has read before;
	 * borrowed. */
	enum opinion_state opinions;
	const struct text *opinions_text;
	/* Likewise of each seat, for a part (pages/html.h); NULL: none. */
	const struct text *opinions_of[SEATS_MAX];
	/* Who has shown the token of a bot: what records call it, as of
	 * who_stood_as(); borrowed.  NULL: no bot. */
	const char *bots;
	/* Of a page: what that bot wrote in each seat where it sat; borrowed. */
	const struct decision_wrote *wrote;
	int64_t now; /* seconds since 1970 */
};

struct record_found {
	/* As in HTTP: 200, 202 (opinions are not there yet), or */
	int code;
	char sentence[256]; /* for who asks, without its point */
	struct error why;   /* 503: for the log */
	struct text text;   /* 200; to be released */
	/* Opinions are wanted, and OPINION_NONE: what the program is to read;
	 * to be released. */
	struct text input;
	const char *state; /* 200: `whole`, `pruned` or `aborted` */
	/* 200 of RECORD_ASKS: `whole`; `damaged`: what could be read; or
	 * `missing`: the record is there, and nothing beside it. */
	const char *asks;
};

/* Looks through the shelves.  A game that is not over is not found. */
void record_view_read(const struct record_shelf shelf[], unsigned shelves,
		      const struct record_wish *wish,
		      struct record_found *found);

/* Whether everybody may read what spectators saw of the shelf's games, once they
 * are over. */
bool record_view_public(const struct record_shelf *shelf) MUST_CHECK;
/* Whether this may be read: 200, 401 or 403 and a sentence. */
int record_view_may(const struct record_shelf *shelf,
		    const struct record_wish *wish, const struct record *record,
		    int64_t ended, char sentence[256]) MUST_CHECK;

/* Writes what a viewer reads of a record.  RECORD_TEXT: the header without the
 * secret, and of the body what hidden_redact() leaves; no comments.  RECORD_FRAMES:
 * an object of JSON a line, with the table or what of it has changed
 * (records/frame-json.h).  -1: a line is not in order. */
int record_view_write(const struct record *record, enum record_form form,
		      int viewer, struct text *to) MUST_CHECK;

#endif
