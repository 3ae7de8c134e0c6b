/* referee/queue/limits.h - what the database takes from workers, and when a worker
 * is to blame.
 *
 * The schema has these numbers by their names: referee/local.mk puts them in.  A
 * worker that sends more than that is not this program, and is suspended. */
#ifndef REFEREE_QUEUE_LIMITS_H
#define REFEREE_QUEUE_LIMITS_H

#define QUEUE_NAME_BYTES 64	     /* of a worker's name, a hash, rules */
#define QUEUE_TEXT_BYTES 200	     /* of what it tells of itself */
#define QUEUE_REASON_BYTES 6143	     /* that it gives, of which are kept: */
#define QUEUE_REASON_KEPT 500	     /* characters */
#define QUEUE_HELD_MOST 1024	     /* jobs that one call names or claims */
#define QUEUE_RULES_MOST 100	     /* rules that a claim names */
#define QUEUE_ENTROPY_BYTES 264	     /* of one game */
#define QUEUE_RESULT_BYTES 150000000 /* of one result */

#define QUEUE_LOSSES 2	   /* of a job; then it is parked */
#define QUEUE_SHUN_S 600   /* who lost a job leaves it to others so long */
#define QUEUE_SEEN_S 60	   /* a worker is there that was seen then */
#define QUEUE_GIVEN_BACK 5 /* jobs that no bot has in common: suspended; */
#define QUEUE_GIVEN_S 3600 /* these are counted for so long */
#define QUEUE_IDLE_MS 5000 /* of a worker's open transaction; and */
#define QUEUE_STALLED_S 10 /* then the daemon ends its session */

#endif
