/* referee/web/report.h - ladders and their latest games as one HTML file: the pages of
 * the daemon as its parts (pages/html.h), with all that they load in it. */
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

#define REPORT_BYTES 67108864 /* of the file */
#define REPORT_GAMES 20	      /* of each ladder, if nothing else is said */
#define REPORT_GAMES_MAX 1000 /* likewise, at most */
#define REPORT_BOTS 100	      /* of each ladder that have a part */
#define REPORT_LADDERS 64
#define REPORT_TOURNAMENTS 16

struct report_wish {
	const char *title;
	/* Whose shelves say what of a game may be read: all cards, or else what
	 * spectators saw, or else the game is left out. */
	struct html_ladder ladder[REPORT_LADDERS];
	unsigned ladders;
	/* Tournaments of these games; owned. */
	struct tournament_told tournament[REPORT_TOURNAMENTS];
	unsigned tournaments;
	unsigned games;	 /* of each ladder: the latest */
	bool unfinished; /* also games of duplicate blocks that are not over */
	int64_t now;	 /* seconds since 1970 */
	/* The program that judges the decisions of each seat, where all cards
	 * are shown (opinion-run.h); NULL: none. */
	const char *opinions;
	int stop; /* a descriptor: readable when all of it must end; or -1 */
};

struct report_told {
	unsigned bots, games, passed; /* parts; games that are left out */
	unsigned judged;	      /* seats with opinions */
	char why[512];		      /* of the first of these; or "" */
};

/* Adds one for each pool of the ladder in `file`, called `name`, to the wish. */
int report_add(struct report_wish *wish, const char *file, const char *name,
	       struct error *why) MUST_CHECK;

/* Adds the tournaments whose files lie in the folder, if it is one: 0, or -1 and an
 * error. */
int report_add_tournaments(struct report_wish *wish, const char *folder,
			   struct error *why) MUST_CHECK;
void report_wish_release(struct report_wish *wish);

/* Appends the file: 0, or -1 and an error.  Of `to` too small it is full. */
int report_write(const struct report_wish *wish, struct text *to,
		 struct report_told *told, struct error *why) MUST_CHECK;

/* make-report-script.sh writes it: report.js, and what it imports, as one script. */
extern const unsigned char report_script[];
extern const size_t report_script_bytes;

#endif
