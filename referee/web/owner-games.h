/* referee/web/owner-games.h - finds the games of an owner's bots on all ladders,
 * and writes them as JSON or their records as a tar file.
 *
 * The functions wait for the disk and run in a thread; they touch only their
 * arguments and files. */
#ifndef REFEREE_OWNER_GAMES_H
#define REFEREE_OWNER_GAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/pages/games.h"
#include "referee/web/opinion-queue.h"
#include "referee/web/record-view.h"

enum owner_order {
	OWNER_LOST,   /* the worst places first, then the latest */
	OWNER_LATEST, /* the latest first */
	OWNER_WORST,  /* the worst decision first, where opinions are known */
	OWNER_ORDERS
};
/* The names of `order`. */
extern const char *const owner_orders[OWNER_ORDERS];

struct owner_bot {
	int64_t number;
	char name[NAME_BYTES + 1];
	struct text names; /* by who_stood_as(); owned */
};

/* All pointers are owned. */
struct owner_wish {
	char owner[NAME_BYTES + 1];
	struct record_shelf *shelf; /* the ladders to search */
	unsigned shelves;
	struct owner_bot *bot; /* the bots to search for */
	unsigned bots;
	struct opinion_worst *worst;
	unsigned worsts;
	bool opinions; /* there is a program that has opinions */
	/* The filters; `bot`, `order` and `before` are not used. */
	struct games_form form;
	char other[NAME_BYTES + 1]; /* an opponent as records call it, or "" */
	enum owner_order order;
	unsigned from;	/* place of the first game to give, from 1 */
	unsigned count; /* the most games to give */
	bool own_view;	/* records as the bot saw them, else whole ones */
	int64_t now;	/* seconds since 1970 */
};

void owner_wish_release(struct owner_wish *wish);

/* Returns NULL, or a sentence about what is wrong with the filters. */
const char *owner_games_wrong(const struct owner_wish *wish) MUST_CHECK;
/* Writes the games as a JSON object.  Of each bot and ladder the latest games
 * are searched, SERVE_OWNER_GAMES in all.  Returns 0, or -1 and an error if a
 * ladder cannot be read. */
int owner_games_json(const struct owner_wish *wish, struct text *to,
		     struct error *why) MUST_CHECK;
/* Writes a tar file: the records of these games that the bots may read
 * (record_view_may()), up to SERVE_TAR_BYTES, and a member `left-out.txt` that
 * names all others and says why, if there are any.  The wish is borrowed. */
struct owner_tar;
struct owner_tar *owner_tar_new(const struct owner_wish *wish) MUST_CHECK;
void owner_tar_free(struct owner_tar *tar); /* NULL is allowed */
/* Adds the next record.  Returns 1 if it has to be called again, 0 at the end, or -1
 * and an error if a ladder cannot be read. */
int owner_tar_add(struct owner_tar *tar, struct text *to,
		  struct error *why) MUST_CHECK;

#endif
