/* tests/unit/inn.h - runs remote bots, tables for them, and the programs at the
 * other end of their connections, all in one process. */
#ifndef TESTS_UNIT_INN_H
#define TESTS_UNIT_INN_H

#include "config.h"

#include <stdbool.h>

#include "protocol/text.h"
#include "referee/remote/remote-bot.h"
#include "referee/remote/stream.h"
#include "referee/table/table.h"
#include "tests/unit/net-kit.h"

#define INN_TABLES 5
#define INN_GAMES 8

#define INN_HELLO "bot 1 knock token=secret\n"
#define INN_GREETING "referee 1 referee-" PACKAGE_VERSION "\n"

struct client;

struct inn {
	struct loop loop;
	struct remote_bots remotes;
	struct tls *server, *client_tls; /* NULL: plain */
	struct remote_bot *remote;	 /* the last that came, while it is
					  * present */
	unsigned came, sat, resting, quit, lost, back, left;
	char sat_for[64];
	unsigned refused;
	char refusal[200]; /* the last, `KIND FROM BOT: WHY` without a port */
	struct table_setup setup;
	struct table *table[INN_TABLES];
	unsigned over;
	struct text record[INN_TABLES]; /* bodies of finished games */
	unsigned ended;			/* bots of remote bots */
	unsigned descriptors;
};

/* Holds a game as the program at the other end has read it. */
struct told {
	char id[ID_BYTES + 1];
	struct text lines;
	unsigned count;
	unsigned ask;	/* that waits for an answer; 0: none */
	char token[64]; /* the first of its list */
	/* These hold the last `awaits` of the game.  If its ask is sent again
	 * after that, it has this time and must be the same as at first. */
	unsigned awaits, left_ms, retold;
	bool over;
};

/* Holds a bot's program, which answers with the first token. */
struct client {
	struct inn *inn;
	struct stream *stream; /* NULL: not connected */
	struct text in;	       /* read and not yet a line */
	struct text other;     /* lines that belong to no game */
	struct told game[INN_GAMES];
	unsigned games;
	struct told *current; /* of lines without a prefix */
	bool mute;	      /* does not answer */
	bool deaf;	      /* does not read */
	bool ended;	      /* the connection has ended */
	size_t bytes, most;   /* read so far; reads no more than `most` */
};

/* Begins with remote bots called knock, which was called tap, with the token `secret`;
 * a table is a parley of two seats and single decisions, the remote bot at seat 0 and
 * `house` at the other. */
void inn_init(struct inn *inn);
void inn_release(struct inn *inn);
/* Begins table `t`, whose ID is number t + 1 of the seed "inn". */
void inn_play(struct inn *inn, unsigned t, struct remote_bot *remote);
/* inn_pass() runs a pass in which no timer is due; inn_wait() one this many
 * milliseconds later. */
void inn_pass(struct inn *inn);
void inn_wait(struct inn *inn, unsigned ms);
/* These run `n` passes, or passes until a count is not 0, or until this many
 * games are over. */
void inn_passes(struct inn *inn, unsigned n);
void inn_until(struct inn *inn, const unsigned *count);
void inn_until_over(struct inn *inn, unsigned over);
/* Releases both and checks that nothing has leaked. */
void inn_finish(struct inn *inn, struct client *client);
/* Returns the lines of game `t` as an undisturbed remote bot reads them;
 * borrowed. */
const char *inn_undisturbed(unsigned t);

void client_init(struct client *client, struct inn *inn);
void client_release(struct client *client);
/* Connects as knock, is let in, and sits mute at table 0 if wanted. */
void client_come(struct client *client, struct inn *inn);
void client_come_and_sit_mute(struct client *client, struct inn *inn);
/* Connects; says `hello` unless NULL. */
void client_connect(struct client *client, const char *hello);
/* Connects with `bot 1 knock token=secret`, `pairs`, and resume= with what it
 * has read of its games. */
void client_return(struct client *client, const char *pairs);
/* Cuts the connection. */
void client_cut(struct client *client);
void client_say(struct client *client, const char *text);
/* Answers all asks that wait. */
void client_answer(struct client *client);
/* Returns the lines outside of games that the client has read, NUL-terminated;
 * borrowed. */
const char *client_other(struct client *client);

#endif
