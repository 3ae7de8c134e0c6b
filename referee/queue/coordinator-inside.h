/* referee/queue/coordinator-inside.h - what the files of the coordinator share.
 *
 * An order is a job that a game here waits for, from coordinator_play() on.  A
 * check is a result that was fetched, until the log has it: it keeps the result
 * from being fetched twice. */
#ifndef REFEREE_COORDINATOR_INSIDE_H
#define REFEREE_COORDINATOR_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/text.h"
#include "referee/base/worker-thread.h"
#include "referee/queue/coordinator.h"
#include "referee/queue/pg.h"
#include "referee/queue/proof.h"
#include "referee/queue/seal.h"
#include "referee/queue/spec.h"

struct event;

#define COMMIT_BYTES (2 * DEAL_COMMIT_BYTES + 1) /* in hex, and a NUL */

struct order {
	struct order *next, **prev;
	uint64_t number;
	char ladder[NAME_BYTES + 1], game[ID_BYTES + 1];
	char rules[SPEC_RULES_BYTES], commitment[COMMIT_BYTES];
	unsigned char sealed[SEAL_BYTES];
	struct text spec; /* owned */
	unsigned seats;
	char hash[SEATS_MAX][ROSTER_CONTENT_BYTES + 1];
	char name[SEATS_MAX][NAME_BYTES + 1];
	bool asked; /* it was sent to the database */
	bool over;  /* its result was told */
};

/* The class of machines that a ladder asks for. */
struct classed {
	struct classed *next;
	char ladder[NAME_BYTES + 1], class[NAME_BYTES + 1];
};

struct check {
	struct worker_thread_job waits; /* first */
	struct coordinator *coordinator;
	struct check *next, **prev;
	struct coordinator_result which;
	uint64_t reported_us; /* by the monotonic clock of here */
	char worker[QUEUE_WORKER_BYTES], ladder[NAME_BYTES + 1],
		game[ID_BYTES + 1];
	struct job *job;  /* owned; NULL: the row is damaged */
	struct text body; /* owned; it had: */
	size_t bytes;
	int64_t made; /* by the database's clock, since 1970 */
	struct job_result result;
	bool holds;
	char why[PROOF_WHY_BYTES];
};

/* A bot on its way into the database. */
struct bot_there {
	struct worker_thread_job waits; /* first */
	struct coordinator *coordinator;
	struct bot_there *next;
	char hash[ROSTER_CONTENT_BYTES + 1], name[NAME_BYTES + 1];
	bool busy, there;
	struct text pack;
	bool packed;
	struct error why;
};

/* What an answer of the database is about. */
struct about {
	struct about *next, **prev;
	struct coordinator *coordinator;
	uint64_t number;
	struct coordinator_result which;
};

struct coordinator {
	struct loop *loop;
	struct worker_thread *threads; /* prove results, pack bots */
	char *conninfo, *data;	       /* owned */
	const struct coordinator_calls *calls;
	void *arg;
	const struct coordinator_news *news;
	void *news_arg;
	struct seal_key key;
	struct pg *pg;
	struct event *poll, *retry;
	struct queue_house house;
	enum coordinator_state state;
	char why[512];
	bool begun, fetching, more, taken;
	bool standby;
	bool held;	   /* another daemon had the house */
	uint64_t grace_us; /* until then it may have it again */
	struct order *orders;
	struct about *abouts;
	struct classed *classes; /* one for each ladder that was named */
	struct check *checks;
	unsigned checking;
	size_t bytes;		/* of the results of all checks */
	struct bot_there *bots; /* never freed before the end */
	const char **rules;	/* that this program can read; owned */
	size_t games;		/* how many these are */
	struct left *left;
	struct coordinator_counts counts;
	struct coordinator_told told;
};

/* ---- coordinator.c ---- */

/* Whether the answer is no because of another daemon; that is told once. */
bool coordinator_is_taken(struct coordinator *coordinator,
			  const struct pg_answer *answer);
/* Whether the database can be asked, and would hear us. */
bool coordinator_is_ready(const struct coordinator *coordinator) MUST_CHECK;
/* Until about_free(), by who gets the answer: none comes after the end. */
struct about *about_new(struct coordinator *coordinator);
void about_free(struct about *about);
/* The answer to left_ask(). */
void left_known(struct coordinator *coordinator, bool known);

/* ---- coordinator-bots.c ---- */

/* Whether the bot is in the database; else it comes there, and
 * coordinator_send() is called. */
bool bot_is_there(struct coordinator *coordinator, const char *hash,
		  const char *name) MUST_CHECK;
void bots_free(struct coordinator *coordinator);

/* ---- coordinator-orders.c ---- */

/* Sends the orders that were not sent, if the database can be asked. */
void coordinator_send(struct coordinator *coordinator);
/* The connection is a new one: all are sent again. */
void orders_again(struct coordinator *coordinator);
struct order *order_of_game(const struct coordinator *coordinator,
			    const char *game);
void order_free(struct order *order);
/* The orders that wait for this bot are not played; whether that is because of
 * the bot. */
void orders_park(struct coordinator *coordinator, const struct bot_there *bot,
		 const char *why, bool blamed);
/* Looks for orders that the database has parked, or an operator. */
void orders_ask_parked(struct coordinator *coordinator);
void order_commitment(const struct deal *deal, char hex[COMMIT_BYTES]);

/* ---- coordinator-figures.c ---- */

/* Asks for all that coordinator_told() tells. */
void figures_ask(struct coordinator *coordinator);
/* The database is there, or is not. */
void figures_up(struct coordinator *coordinator, bool up);
/* A verdict has come so long after its result. */
void figures_lag(struct coordinator *coordinator, uint64_t lag_us);

/* ---- coordinator-classes.c ---- */

/* What the jobs of a ladder ask for; borrowed. */
const char *class_of(const struct coordinator *coordinator, const char *ladder);
/* The ladders that are here: an array to be freed, of borrowed names. */
const char **classes_ladders(const struct coordinator *coordinator,
			     size_t *count) MUST_CHECK;
/* Jobs that wait get the class of their ladder. */
void classes_send(struct coordinator *coordinator);
void classes_free(struct coordinator *coordinator);

/* ---- coordinator-left.c ---- */

/* Counts the jobs that an earlier daemon has left. */
void left_ask(struct coordinator *coordinator);
/* One of them has come to its owner. */
void left_less(struct coordinator *coordinator, const char *ladder);
void left_free(struct coordinator *coordinator);

/* ---- coordinator-results.c ---- */

/* Results that are not looked at yet, the oldest first. */
void coordinator_fetch(struct coordinator *coordinator);
struct check *check_find(const struct coordinator *coordinator, int64_t job);
void check_free(struct check *check);

#endif
