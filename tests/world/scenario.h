/* tests/world/scenario.h - what a seed makes: ladders, bots, and how each life ends. */
#ifndef TESTS_WORLD_SCENARIO_H
#define TESTS_WORLD_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "tests/world/world.h"

#define SCENARIO_LADDERS 3
#define SCENARIO_BOTS 48
#define SCENARIO_OWNERS 8
#define SCENARIO_BOTS_PORT 7450
#define SCENARIO_PAGES_PORT 7451
#define SCENARIO_STOP_MS                                                       \
	20000 /* what games have to end when the daemon stops */
#define SCENARIO_BEGIN_S INT64_C(1800000000) /* 2027-01-15, 08:00 UTC */
#define SCENARIO_LIFE_S 7200 /* between the beginnings of two lives */
#define SCENARIO_PROXY UINT32_C(0x7f000909) /* 127.0.9.9, which is trusted */
/* The data folder and the configuration, below the working folder, in which all files
 * of a scenario are. */
#define SCENARIO_DATA "data"
#define SCENARIO_CONFIG "config"
#define SCENARIO_NEXT "next" /* the data folder that a power cut leaves */
#define SCENARIO_COPY "copy" /* for the invariants */
#define SCENARIO_PROMISES "promises"
#define SCENARIO_TRACE "trace"

enum scenario_end { SCENARIO_STOP, SCENARIO_KILL, SCENARIO_CUT, SCENARIO_ENDS };

enum scenario_kind {
	SCENARIO_WILD, /* what may go wrong goes wrong */
	SCENARIO_CALM, /* nothing is wrong with any bot, disk or machine */
	SCENARIO_DAY, /* a day of a league of 40 bots on one ladder, in one life */
};

/* The term of a ladder: dates in seconds, 0: none. */
struct scenario_term {
	int64_t begins, freezes, ends;
	unsigned games_a_day; /* 0: no bound */
};

struct scenario_owner {
	char name[16];
	bool account;
	char token[80]; /* of an account; else "" */
};

struct scenario_bot {
	char name[NAME_BYTES + 1];
	char token[80];	    /* of a remote bot; else "" */
	const char *nature; /* a name of bots.h */
	bool remote;
	unsigned ladder; /* the one that it plays on */
	char owner[16];	 /* or "" */
};

struct scenario {
	uint64_t seed;
	enum scenario_kind kind;
	unsigned ladders, bots, lives;
	struct {
		char name[NAME_BYTES + 1];
		const char *game, *options;
		unsigned seats, at_once, move_ms;
		bool ponder, same_owner, arrival;
		struct scenario_term term;
	} ladder[SCENARIO_LADDERS];
	struct scenario_bot bot[SCENARIO_BOTS];
	unsigned owners;
	struct scenario_owner owner[SCENARIO_OWNERS];
	bool sign_up;	   /* strangers may make accounts, */
	unsigned accounts; /* so many, with this code */
	char code[80];
	/* The limits uploads-per-day, trial-games-per-day and watchers-per-address. */
	unsigned uploads, trials, watchers;
	bool rare; /* its chance has rare words (rare.h) */
};

void scenario_draw(struct scenario *scenario, uint64_t seed,
		   enum scenario_kind kind);
/* Writes the configuration and enters the bots.  Call it on the simulated machine. */
void scenario_prepare(const struct scenario *scenario);
/* Writes the configuration with numbers that these dice draw; NULL: with those of the
 * scenario. */
void scenario_configure(const struct scenario *scenario, struct dice *dice);
/* Reads the tokens and the code that scenario_prepare() has written. */
void scenario_tokens(struct scenario *scenario);

#endif
