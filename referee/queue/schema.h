/* referee/queue/schema.h - what stands in the database, and what it answers. */
#ifndef REFEREE_QUEUE_SCHEMA_H
#define REFEREE_QUEUE_SCHEMA_H

/* schema-*.sql: makes it, or brings it up to date; run it by pg_line_run(). */
extern const char queue_schema[];

#define QUEUE_SCHEMA 5 /* the version, house.version */

/* Channels. */
#define QUEUE_JOBS "referee_job"	 /* there is work */
#define QUEUE_RESULTS "referee_result"	 /* payload: the job's number */
#define QUEUE_VERDICTS "referee_verdict" /* "JOB HASH" in hex */
#define QUEUE_HOUSE "referee_house"	 /* roster or voids have changed */

/* Lets the daemon end sessions of workers, and see what they do. */
#define QUEUE_GRANT                                                            \
	"GRANT pg_signal_backend, pg_read_all_stats TO referee_coordinator"

/* struct pg_answer.state of what the functions refuse. */
#define QUEUE_SUSPENDED "RF001" /* the worker is suspended; why says so */
#define QUEUE_EPOCH "RF002"	/* another daemon has taken over */
#define QUEUE_STRANGER "RF003"	/* no worker of that name and role */
#define QUEUE_OTHER "RF005"	/* it is not what it was */
#define QUEUE_TWIN "RF004"	/* another process plays under the name */

#endif
