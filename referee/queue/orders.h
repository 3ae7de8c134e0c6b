/* referee/queue/orders.h - the jobs that games of this daemon wait for.  It
 * sends a job once the database has the job's bots, says which machines may
 * play it, and counts the jobs that an earlier daemon has ordered. */
#ifndef REFEREE_ORDERS_H
#define REFEREE_ORDERS_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/queue/pg.h"
#include "referee/queue/seal.h"
#include "referee/queue/tenure.h"
#include "referee/runner/dispatch.h"

#define ORDERS_CLASSED 10000 /* jobs whose class is set at a time */

struct orders;

/* Makes the list for the games of this place.  All arguments are borrowed.  The
 * loop calls `lacks` once for each job of which the database lacks a bot. */
struct orders *orders_new(const struct dispatch_place *place, struct pg *pg,
			  struct tenure *tenure, const struct seal_key *key,
			  void (*lacks)(void *arg), void *arg) MUST_CHECK;
void orders_free(struct orders *orders); /* NULL is allowed */

/* Lets the game wait for this job, which is copied, until orders_leave() or
 * until the job is parked. */
void orders_play(struct orders *orders, const struct job *job,
		 struct dispatched *game);
/* Lets the game wait no longer, if it does.  The job is played all the same. */
void orders_leave(struct orders *orders, const struct dispatched *game);
/* Returns the game that waits under this ID, or NULL. */
struct dispatched *orders_find(const struct orders *orders,
			       const char *id) MUST_CHECK;
/* Sends the jobs that are not sent yet, if the database can be asked. */
void orders_send(struct orders *orders);
/* Sends the jobs that waited for this bot, which the database has by now.  If
 * `why` is a sentence, the bot cannot come there, and the jobs are parked. */
void orders_bot(struct orders *orders, const char *hash, const char *why);
/* Marks all jobs as not sent, because the connection is a new one. */
void orders_again(struct orders *orders);
/* Looks for jobs that the database or an operator has parked. */
void orders_ask_parked(struct orders *orders);

/* Lets only machines of this class play jobs of this ladder, including those
 * that wait; "" means any machine. */
void orders_set_class(struct orders *orders, const char *ladder,
		      const char *class);
/* Gives waiting jobs the class of their ladder, if the database can be asked. */
void orders_send_classes(struct orders *orders);
/* Returns the names of the ladders that have a class, `*n` of them.  The caller
 * frees the array; the names are borrowed. */
const char **orders_ladders(const struct orders *orders, size_t *n) MUST_CHECK;

/* Counts the jobs that an earlier daemon has left and that wait, are played or
 * have a result.  The jobs of our games do not count, nor those of the `n`
 * games of `own`.  That list was made by grown(), and this function frees it.
 * It calls tenure_begin() once the jobs are counted. */
void orders_count_left(struct orders *orders, const char **own, size_t n);
/* Returns how many of these jobs of that ladder have no result here yet. */
uint64_t orders_left(const struct orders *orders,
		     const char *ladder) MUST_CHECK;
/* Notes that the result of one of them has come. */
void orders_came(struct orders *orders, const char *ladder);

#endif
