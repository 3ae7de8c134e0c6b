/* tests/world/bots.h - bots as actors: natures, and what they tell of the referee.
 *
 * A local bot is a program that the spawner of the world starts; a remote one connects
 * to the daemon.  Both play by the same player (player.h), over real descriptors.  An
 * honest bot keeps to PROTOCOL.md: it answers each ask in time with a move of its
 * list, and comes back if it is cut off.  The others do not, each in its way. */
#ifndef TESTS_WORLD_BOTS_H
#define TESTS_WORLD_BOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "tests/world/world.h"

/* The comments say what a bot does at drawn times, beside playing honestly. */
#define NATURES(ROW)                                                           \
	ROW(HONEST, "honest")                                                  \
	ROW(SLOW, "slow")     /* answers past its clock */                     \
	ROW(SILENT, "silent") /* says nothing more */                          \
	ROW(FLOODING,                                                          \
	    "flooding") /* says thousands of lines, or an endless    \
				   * one */         \
	ROW(CRASHING, "crashing") /* ends, also in the middle of a line */     \
	ROW(STALE, "stale")	  /* answers an ask that is over or to come */ \
	ROW(GARBLED, "garbled")	  /* says nonsense, illegal moves, NUL */      \
	ROW(DEAF, "deaf")	  /* does not read */                          \
	ROW(CLOSING, "closing")	  /* closes one direction */                   \
	ROW(VANISHING,                                                         \
	    "vanishing")	/* remote: cuts its connection at a drawn  \
				     * byte, and comes back */   \
	ROW(DOUBLED, "doubled") /* remote: connects twice */

#define NATURE_ENUM(name, word) NATURE_##name,
enum nature { NATURES(NATURE_ENUM) NATURE_COUNT };
#undef NATURE_ENUM
extern const char *const nature_names[NATURE_COUNT];
/* Returns NATURE_COUNT if there is none of this name. */
enum nature nature_read(const char *name);

struct bot_about {
	char name[NAME_BYTES + 1]; /* "" for a local one, who is not told it */
	enum nature nature;
	uint64_t number; /* of the bot in this life */
};

/* The bots tell these of what they read.  Each may be NULL. */
struct bot_calls {
	/* The bot has read this line, without the ID before it, line `number` of its
	 * game. */
	void (*read)(void *arg, const struct bot_about *bot, const char *id,
		     unsigned seat, uint64_t number, const char *line);
	/* A game is over: its record is kept, and it counts. */
	void (*over)(void *arg, const struct bot_about *bot, const char *id,
		     const char *hash);
	void (*aborted)(void *arg, const struct bot_about *bot, const char *id,
			const char *why);
	/* The daemon does not know this game any more. */
	void (*gone)(void *arg, const struct bot_about *bot, const char *id);
	/* The bot was charged with a fault.  `away`: it was cut off in this game. */
	void (*charged)(void *arg, const struct bot_about *bot, const char *id,
			const char *why, bool away);
	/* The bot, which was there all the time, has said `said` and the referee made
	 * `made`. */
	void (*refused)(void *arg, const struct bot_about *bot, const char *id,
			const char *said, const char *made);
	/* The bot read nothing of its game for longer than the clocks allow. */
	void (*waited)(void *arg, const struct bot_about *bot, const char *id,
		       uint64_t us, uint64_t allowed_us);
	/* A line of the referee breaks PROTOCOL.md. */
	void (*wrong)(void *arg, const struct bot_about *bot, const char *line,
		      const char *why);
	/* The referee has ended the connection.  `for_good`: again=no. */
	void (*turned_away)(void *arg, const struct bot_about *bot,
			    const char *sentence, bool for_good);
};
/* Sets them for all bots; `calls` is borrowed. */
void bots_tell(const struct bot_calls *calls, void *arg);

/* Numbers of all bots of this life, for invariants. */
struct bots_counts {
	uint64_t games, asks, answers, over, aborted, gone, faults;
	uint64_t connections, returns, cuts;
	uint64_t longest_us; /* that a bot read nothing of its game */
};
extern struct bots_counts bots_counts;

/* The usual time of an answer, where the clock is long enough. */
extern uint64_t bots_think_us;
/* So many of 1000 honest local bots are sluggish: while they owe no answer they do not
 * read for most of the time, though less than WRITE_MS, their input is full, and they
 * use their clock up to the end. */
extern unsigned bots_sluggish;

/* ---- local bots ------------------------------------------------------- */

struct local;
struct local_calls {
	/* The program has ended with this status of waitpid(2), and is freed. */
	void (*exited)(void *arg, int status);
};
/* Begins a program whose descriptors 0, 1 and 2 are these, which it takes over. */
struct local *local_begin(enum nature nature, const int fds[3],
			  const struct local_calls *calls,
			  void *arg) MUST_CHECK;
/* Stops it, or lets it go on: a program that is stopped does not read, speak or end. */
void local_stop(struct local *local, bool stopped);
/* Ends it without a call. */
void local_kill(struct local *local);

/* ---- remote bots ------------------------------------------------------ */

struct remote_setup {
	enum nature nature;
	const char *name, *token;
	const char *ladders; /* the words of `sit`, with a space between them */
	uint16_t port;
	uint32_t address; /* see world_connect() */
	bool multi, entropy;
	unsigned games;	   /* at a time, with `multi` */
	uint64_t begin_us; /* its first connection comes after about so long */
	unsigned
		stay_away; /* how often in 1000 games it rests or quits for a while */
};
/* Begins a bot that connects, plays and comes back until the end of this life.  The
 * strings are copied. */
void remote_begin(const struct remote_setup *setup);

#endif
