/* referee/queue/orders.h - jobs that games of this daemon wait for: they go into
 * the database when it has their bots, which house.h brings there; which machines
 * play them; and how many jobs are played that an earlier daemon has ordered. */
#ifndef REFEREE_ORDERS_H
#define REFEREE_ORDERS_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/queue/pg.h"
#include "referee/queue/seal.h"
#include "referee/queue/tenure.h"
#include "referee/runner/dispatch.h"

#define ORDERS_CLASSED 10000 /* jobs that change class at a time */

struct orders;

/* Of games of this place.  All is borrowed. */
struct orders *orders_new(const struct dispatch_place *place, struct pg *pg,
			  struct tenure *tenure,
			  const struct seal_key *key) MUST_CHECK;
void orders_free(struct orders *orders); /* NULL is fine */

/* The game waits for this job, which is copied, until orders_leave(), or until it
 * is parked. */
void orders_play(struct orders *orders, const struct job *job,
		 struct dispatched *game);
/* The game waits no longer, or never has; the job is played all the same. */
void orders_leave(struct orders *orders, const struct dispatched *game);
/* The one that waits under this ID, or NULL. */
struct dispatched *orders_find(const struct orders *orders,
			       const char *id) MUST_CHECK;
/* Sends the jobs that were not sent, if the database can be asked. */
void orders_send(struct orders *orders);
/* The database has this bot by now: jobs that waited for it are sent.  Or (a
 * sentence) it cannot come there: they are parked. */
void orders_bot(struct orders *orders, const char *hash, const char *why);
/* The connection is a new one: all are sent again. */
void orders_again(struct orders *orders);
/* Looks for jobs that the database has parked, or an operator. */
void orders_ask_parked(struct orders *orders);

/* From now on jobs of this ladder, also those that wait, are played by machines
 * of this class alone; "": by any. */
void orders_set_class(struct orders *orders, const char *ladder,
		      const char *class);
/* Jobs that wait get the class of their ladder, if the database can be asked. */
void orders_send_classes(struct orders *orders);
/* The ladders that have a class: an array to be freed, of borrowed names. */
const char **orders_ladders(const struct orders *orders, size_t *n) MUST_CHECK;

/* Counts the jobs that an earlier daemon has left: those that wait, are played or
 * have a result, but for those of our games and of `n` more.  That list is made by
 * grown(), and taken over.  tenure_begin() is called when they are counted. */
void orders_count_left(struct orders *orders, const char **own, size_t n);
/* Returns how many these were of that ladder, without those that have come. */
uint64_t orders_left(const struct orders *orders,
		     const char *ladder) MUST_CHECK;
/* The result of one of them has come. */
void orders_came(struct orders *orders, const char *ladder);

#endif
