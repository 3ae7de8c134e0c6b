/* referee/web/report.h - writes ladders and their latest games as one HTML
 * file: its parts are the pages of the daemon (pages/html.h), and it has all
 * that they load. */
#ifndef REFEREE_REPORT_H
#define REFEREE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/records/tournament-file.h"
#include "referee/web/html-make.h"

#define REPORT_BYTES 67108864 /* bytes of the file */
#define REPORT_GAMES 20	      /* games of each ladder by default */
#define REPORT_GAMES_MAX 1000 /* the most games of each ladder */
#define REPORT_BOTS 100	      /* bots of each ladder that have a part */
#define REPORT_LADDERS 64
#define REPORT_TOURNAMENTS 16

struct report_wish {
	const char *title;
	/* The ladders.  A game is shown as their shelves allow it: with all
	 * cards, or as spectators saw it, or not at all. */
	struct html_ladder ladder[REPORT_LADDERS];
	unsigned ladders;
	/* Tournaments of these games; owned. */
	struct tournament_told tournament[REPORT_TOURNAMENTS];
	unsigned tournaments;
	unsigned games; /* the latest games of each ladder */
	bool unfinished; /* include games of duplicate blocks that are not over */
	int64_t now;	 /* seconds since 1970 */
	/* The program that judges the decisions of each seat in games with all
	 * cards shown (opinion-run.h); NULL: none. */
	const char *opinions;
	int stop; /* a descriptor that can be read when the work must end; or -1 */
};

struct report_told {
	unsigned bots, games, passed; /* bots and games with a part; games left
				       * out */
	unsigned judged;	      /* seats with opinions */
	char why[512]; /* why the first game was left out; or "" */
};

/* Adds an html_ladder for each pool of the ladder in `file`, called `name`, to
 * the wish.  Returns 0, or -1 and an error. */
int report_add(struct report_wish *wish, const char *file, const char *name,
	       struct error *why) MUST_CHECK;

/* Adds the tournaments whose files lie in the folder, if it is one.  Returns 0,
 * or -1 and an error. */
int report_add_tournaments(struct report_wish *wish, const char *folder,
			   struct error *why) MUST_CHECK;
void report_wish_release(struct report_wish *wish);

/* Appends the file to `to`, which is full if it is too small.  Returns 0, or -1
 * and an error. */
int report_write(const struct report_wish *wish, struct text *to,
		 struct report_told *told, struct error *why) MUST_CHECK;

/* report.js and what it imports as one script, written by
 * make-report-script.sh. */
extern const unsigned char report_script[];
extern const size_t report_script_bytes;

#endif
