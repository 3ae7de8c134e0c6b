/* referee/queue/schema.h - the schema of the database, its channels and errors. */
#ifndef REFEREE_QUEUE_SCHEMA_H
#define REFEREE_QUEUE_SCHEMA_H

/* The text of schema-*.sql, which makes the schema or brings it up to date; run
 * it by pg_line_run(). */
extern const char queue_schema[];

#define QUEUE_SCHEMA 5 /* the version, house.version */

/* The channels of notices. */
#define QUEUE_JOBS "referee_job"	 /* there is work */
#define QUEUE_RESULTS "referee_result"	 /* payload: the job's number */
#define QUEUE_VERDICTS "referee_verdict" /* "JOB HASH" in hex */
#define QUEUE_REGISTRY "referee_house"	 /* roster or voids have changed */

/* Lets the daemon end sessions of machines and see what they do. */
#define QUEUE_GRANT                                                            \
	"GRANT pg_signal_backend, pg_read_all_stats TO referee_coordinator"

/* Values of struct pg_answer.state if a function refuses. */
#define QUEUE_SUSPENDED "RF001" /* machine suspended; the message says why */
#define QUEUE_EPOCH "RF002"	/* another daemon has taken over */
#define QUEUE_STRANGER "RF003"	/* no machine of that name and role */
#define QUEUE_OTHER "RF005"	/* its content has changed since it was read */
#define QUEUE_TWIN "RF004"	/* another process plays under that name */

#endif
