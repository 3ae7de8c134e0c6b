/* referee/config/serve-config.h - the configuration file of `referee serve`.
 *
 *	data = "/var/lib/referee"	# NAME = VALUE
 *	listener bots {			// sections, some with a name
 *		kind = tls
 *		port = 7450
 *	}
 *	ladder quick {
 *		game = durnius
 *		options = { "scoring=order", "decks=2" }
 *	}
 *
 * doc/referee.conf.example has every option with its default, and an empty
 * file means the same.  The listeners of a file replace the default ones, and
 * so do its ladders.
 *
 * config-parse.h describes the language. */
#ifndef REFEREE_CONFIG_H
#define REFEREE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/networks.h"
#include "referee/base/serve-limits.h"
#include "referee/games/game.h"
#include "referee/sandbox/sandbox.h"

#define CONFIG_NO_PORT UINT64_C(65536) /* the port of a unix listener */

enum config_kind {
	CONFIG_TCP,  /* bots, plain */
	CONFIG_TLS,  /* bots */
	CONFIG_UNIX, /* bots on this machine */
	CONFIG_HTTP, /* people, plain */
};

struct config_listener {
	char name[NAME_BYTES + 1];
	unsigned kind;			       /* enum config_kind */
	char address[SERVE_ADDRESS_BYTES + 1]; /* numeric; "" for a unix
					        * listener */
	uint64_t port;			       /* 0: any that is free */
	char path[SERVE_SOCKET_BYTES + 1];     /* of a unix listener, else "" */
	/* Files in PEM of a TLS listener, else "". */
	char certificate[CONFIG_PATH_BYTES + 1];
	char key[CONFIG_PATH_BYTES + 1];
	bool plain_beyond_loopback; /* a TCP or HTTP one may have any address */
};

enum config_pairing {
	CONFIG_RANDOM, /* any bots that are ready */
	CONFIG_RATING, /* those near in rating */
	CONFIG_ROUNDS, /* everybody against everybody in every seat, in turn */
};

/* Says if authors may send in programs, and in which tiers of the sandbox. */
enum config_uploads {
	CONFIG_UPLOADS_NO,
	CONFIG_UPLOADS_YES, /* in tier A or B alone */
	CONFIG_UPLOADS_WITHOUT_BOX,
};

/* Says if strangers may make an account (roster-owner.h). */
enum config_sign_up {
	CONFIG_SIGN_UP_OFF,
	CONFIG_SIGN_UP_CODE, /* with the organiser's code */
};

/* Says who may read whole records, once their game is over. */
enum config_readers {
	CONFIG_NOBODY,
	CONFIG_PLAYERS, /* the bots that sat in it */
	CONFIG_EVERYBODY,
};

struct config_ladder {
	char name[NAME_BYTES + 1];
	struct game_setup setup; /* game, seats and options belong together */
	unsigned arrival; /* 1: open decisions go to the first answer; 0: by
			   * priority */
	uint64_t move_time_ms, bank_ms, increment_ms;
	uint64_t total_ms; /* 0: config_total_ms() */
	uint64_t faults;
	unsigned pairing; /* enum config_pairing */
	uint64_t at_once; /* games at a time */
	char class[NAME_BYTES +
		   1];	     /* a class of machines, or SERVE_CLASS_ANY */
	bool same_bot_twice; /* the same bot may sit twice at a table */
	bool same_owner;     /* an owner's bots meet at tables of more than 2 */
	bool ponder;	     /* a bot that is not asked may think on */
	uint64_t game_minutes;	     /* a longer game is aborted */
	uint64_t keep_days;	     /* 0: for ever */
	uint64_t ranked_days;	     /* 0: for ever */
	unsigned readers;	     /* enum config_readers */
	uint64_t read_after_minutes; /* since the game's end */
	/* Seconds; the latter for games of local bots alone. */
	uint64_t spectators_delay, spectators_delay_local;
	/* Seconds since 1970; 0: no such moment.  Those that are set are in this
	 * order. */
	int64_t begins, freezes, ends;
	uint64_t games_a_day;	      /* 0: no bound */
	int64_t k_milli, start_milli; /* CONFIG_UNSET: as the ladder has it */
	struct ladder_anchors anchors;
};

struct config_limits {
	uint64_t connections, per_address, unknown;
	uint64_t pages_per_address; /* connections over HTTP */
	uint64_t watchers, watchers_per_address;
	uint64_t hello_ms;
	uint64_t lines_second;
	uint64_t queue_bytes;
	uint64_t return_ms;
	uint64_t keep_alive_ms;
	uint64_t stop_ms;
	uint64_t owner_bots, owner_uploads; /* the latter is per day */
	uint64_t trial_games;		    /* per day and owner */
	uint64_t sign_ups;		    /* per day and address */
};

/* Bots that live on this machine. */
struct config_local_bots {
	uint64_t games, at_once;
	uint64_t memory_mib, processes;
};

struct config {
	/* Paths are kept as written; relative ones start in the daemon's
	 * working directory. */
	char data[CONFIG_PATH_BYTES + 1];
	unsigned log_level; /* enum log_level */
	/* For programs on this machine. */
	unsigned sandbox;	  /* enum sandbox_want */
	unsigned sandbox_minimum; /* enum sandbox_tier */
	unsigned uploads;	  /* enum config_uploads */
	unsigned sign_up;	  /* enum config_sign_up */
	char opinions[CONFIG_PATH_BYTES +
		      1]; /* SERVE_OPINIONS_…, or a program */
	/* The connection string of the queue, and the file of its key.  Both
	 * are SERVE_QUEUE_OFF without a queue. */
	char queue[SERVE_QUEUE_BYTES + 1];
	char queue_key[CONFIG_PATH_BYTES + 1];
	bool standby;
	struct networks proxies; /* trusted proxies */
	struct config_local_bots locals;
	struct config_limits limits;
	unsigned listeners;
	struct config_listener *listener; /* owned */
	unsigned ladders;
	struct config_ladder *ladder; /* owned */
};

/* Reads a file, or the defaults if `file` is NULL. Returns 0, and the caller
 * frees `*config` by config_free(); or -1 and one sentence, `FILE:LINE: what
 * was expected` (without LINE if the file cannot be read).  Threads may read at
 * the same time. */
int config_read(const char *file, struct config **config,
		struct error *why) MUST_CHECK;
void config_free(struct config *config); /* NULL is fine */

/* Writes the whole configuration as a file that reads the same, with a comment
 * where an option stands first. */
void config_print(const struct config *config, FILE *out);

/* Returns true if other machines play. */
bool config_has_queue(const struct config *config);

/* Chooses the tier for this machine's bots, builds and checks by
 * sandbox_choose().  Returns 0; or -1 and a sentence with the cure. */
int config_tier(const struct config *config, enum sandbox_tier *tier,
		struct error *why) MUST_CHECK;
/* Returns the weakest tier for uploads. */
enum sandbox_tier config_upload_tier(const struct config *config);

/* Returns the class of machines that may play the ladder's games; "" for any. */
const char *config_class(const struct config_ladder *ladder);

/* Returns the milliseconds that a seat may use in a whole game, never 0: those
 * of the file, or an equal part of `game_minutes` less SERVE_GAME_OVERHEAD_MS. */
uint64_t config_total_ms(const struct config_ladder *ladder);

#endif
