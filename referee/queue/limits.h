/* referee/queue/limits.h - what the database takes from machines, and when a
 * machine is to blame.
 *
 * The schema uses the names of these numbers, and referee/local.mk puts the
 * numbers in.  A machine that sends more than that does not run this program,
 * and is suspended. */
#ifndef REFEREE_QUEUE_LIMITS_H
#define REFEREE_QUEUE_LIMITS_H

#define QUEUE_NAME_BYTES 64	     /* of a machine's name, a hash, rules */
#define QUEUE_TEXT_BYTES 200	     /* of what a machine says about itself */
#define QUEUE_REASON_BYTES 6143	     /* of a reason as sent */
#define QUEUE_REASON_KEPT 500	     /* characters of a reason that are kept */
#define QUEUE_HELD_MOST 1024	     /* jobs that one call may name or claim */
#define QUEUE_RULES_MOST 100	     /* rules that a claim may name */
#define QUEUE_ENTROPY_BYTES 264	     /* of the entropy of one game */
#define QUEUE_RESULT_BYTES 150000000 /* of one result */

#define QUEUE_LOSSES 2	   /* losses of a job after which it is parked */
#define QUEUE_SHUN_S 600   /* before it may claim a job it has lost */
#define QUEUE_SEEN_S 60	   /* since a present machine was seen */
#define QUEUE_GIVEN_BACK 5 /* jobs without a common bot: suspended */
#define QUEUE_GIVEN_S 3600 /* time in which these count */
#define QUEUE_IDLE_MS 5000 /* idle time of a machine's open transaction */
#define QUEUE_STALLED_S 10 /* after this time the daemon ends its session */

#endif
