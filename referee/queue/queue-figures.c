/* referee/queue/queue-figures.c - see queue-figures.h. */
#include "referee/queue/queue-figures.h"

#include "protocol/date.h"
#include "referee/base/json-line.h"

double
queue_pace(const struct queue_figures *figures)
{
	return figures->recent_s > 0
		       ? (double)figures->recent / figures->recent_s
		       : 0;
}

/* Returns the text as JSON; null if it is "" or not for this reader. */
static json_t *
told_to(enum queue_reader reader, const char *text)
{
	return reader == QUEUE_ALL || *text == '\0' ? NULL
						    : json_any_string(text);
}

static json_t *
date_or_none(int64_t seconds)
{
	char date[DATE_BYTES];

	if (seconds <= 0)
		return NULL;
	date_write(seconds, date);
	return json_string(date);
}

json_t *
queue_figures_json(const struct queue_figures *figures,
		   enum queue_reader reader)
{
	return JSON_OBJECT(TEXT("type", "queue"), BOOL("up", figures->up),
			   INT("version", figures->version),
			   INT("epoch", figures->epoch),
			   JSON_IF("holder", told_to(reader, figures->holder)),
			   JSON_IF("key", told_to(reader, figures->key)),
			   JSON_IF("taken", date_or_none(figures->taken)),
			   JSON_IF("at", date_or_none(figures->at)),
			   INT("waiting", figures->waiting),
			   INT("claimed", figures->claimed),
			   INT("reported", figures->reported),
			   INT("parked", figures->parked),
			   INT("verdicts", figures->verdicts),
			   INT("oldest_s", figures->oldest_s),
			   INT("workers", figures->workers),
			   INT("suspended", figures->suspended),
			   INT("recent", figures->recent),
			   REAL("recent_s", figures->recent_s),
			   REAL("lag_median_s", figures->lag_median_s),
			   REAL("lag_worst_s", figures->lag_worst_s));
}

json_t *
queue_job_json(const struct queue_job *job, enum queue_reader reader)
{
	json_t *bots = json_array();

	for (unsigned s = 0; s < job->seats; s++)
		json_array_append_new(bots, json_any_string(job->name[s]));
	return JSON_OBJECT(
		TEXT("type", "job"), INT("job", job->job),
		TEXT("ladder", job->ladder), TEXT("game", job->game),
		INT("losses", job->losses),
		JSON_IF("made", date_or_none(job->made)), JSON("bots", bots),
		JSON_IF("unbuilt", told_to(QUEUE_OPERATOR, job->unbuilt)),
		JSON_IF("why", told_to(reader, job->why)));
}

json_t *
queue_worker_json(const struct queue_worker *worker)
{
	return JSON_OBJECT(
		TEXT("type", "worker"), TEXT("worker", worker->name),
		TEXT("class", worker->class), TEXT("version", worker->version),
		TEXT("processor", worker->processor),
		INT("cores", worker->cores), REAL("speed", worker->speed),
		INT("seen_s", worker->seen_s), INT("jobs", worker->jobs),
		INT("hour", worker->hour), BOOL("suspended", worker->suspended),
		JSON_IF("why", told_to(QUEUE_OPERATOR, worker->why)));
}
