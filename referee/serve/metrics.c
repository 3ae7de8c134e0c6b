/* referee/serve/metrics.c - see metrics.h. */
#include "referee/serve/metrics.h"

#include <inttypes.h>
#include <unistd.h>

#include "protocol/field.h"
#include "protocol/file.h"
#include "referee/queue/coordinator.h"
#include "referee/scheduler/scheduler-ladder.h"
#include "referee/serve/metric.h"

/* ---- of each ladder --------------------------------------------------- */

static uint64_t
sitting(const struct scheduler *scheduler)
{
	return scheduler_bots_sitting(scheduler_bots(scheduler));
}

static uint64_t
suspended(const struct scheduler *scheduler)
{
	return scheduler_bots_suspended(scheduler_bots(scheduler));
}

static uint64_t
last_s(const struct scheduler *scheduler)
{
	return (clock_us() - scheduler_counts(scheduler)->last_us) / 1000000;
}

static uint64_t
oldest_s(const struct scheduler *scheduler)
{
	return scheduler_games_oldest_us(scheduler_games(scheduler)) / 1000000;
}

/* A metric of a ladder: a number of its scheduler or of struct
 * scheduler_counts. */
static const struct ladder_metric {
	const char *name, *type, *help;
	size_t offset;
	uint64_t (*ask)(const struct scheduler *scheduler);
	bool hidden; /* while the standings are frozen */
} ladder_metrics[] = {
#define COUNT(field) .offset = offsetof(struct scheduler_counts, field)
	{ "referee_bots_sitting", "gauge", "Bots that sit at the ladder.",
	  .ask = sitting },
	{ "referee_bots_suspended", "gauge",
	  "Bots that sit at the ladder and get no games for a while, as they "
	  "have failed.",
	  .ask = suspended },
	{ "referee_last_game_seconds", "gauge",
	  "Seconds since the last game of the ladder ended, or since it was "
	  "opened.",
	  .ask = last_s },
	{ "referee_oldest_game_seconds", "gauge",
	  "Age of the oldest game that is not on disk yet; 0: there is none.",
	  .ask = oldest_s },
	{ "referee_games_begun_total", "counter", "Games begun.",
	  COUNT(begun) },
	{ "referee_games_running", "gauge", "Games being played now.",
	  COUNT(running) },
	{ "referee_games_rated_total", "counter", "Games rated.",
	  COUNT(rated) },
	{ "referee_games_unrated", "gauge",
	  "Games whose records are on disk and which the ladder has not rated "
	  "yet.",
	  COUNT(unrated) },
	{ "referee_games_aborted_total", "counter",
	  "Games that ended without a result.", COUNT(aborted) },
	{ "referee_games_parked_total", "counter",
	  "Games that the machine could not finish.", COUNT(parked) },
	{ "referee_games_settled_total", "counter",
	  "Games rated at the start that the daemon before had left unrated.",
	  COUNT(settled) },
	{ "referee_records_missing", "gauge",
	  "Records of rated games that were missing at the start.",
	  COUNT(missing) },
	{ "referee_games_given_up_total", "counter",
	  "Games whose records could not be written before the daemon ended.",
	  COUNT(given_up) },
	{ "referee_ladder_failures_total", "counter",
	  "Games that the ladder did not rate at the first try.",
	  COUNT(ladder_failures) },
	{ "referee_ladder_lost", "gauge",
	  "Whether the ladder's file was removed or replaced while the daemon "
	  "runs.",
	  COUNT(lost) },
	{ "referee_starved_total", "counter",
	  "Time-outs of bots for which the machine had no processor.",
	  COUNT(starved) },
	{ "referee_turns_total", "counter",
	  "Answered asks of games that are over.", COUNT(turns),
	  .hidden = true },
	{ "referee_prune_runs_total", "counter",
	  "How often records were searched for those older than keep-days.",
	  COUNT(prune_runs) },
	{ "referee_prune_failures_total", "counter",
	  "Searches for old records that failed.", COUNT(prune_failures) },
	{ "referee_records_pruned_total", "counter",
	  "Records cut down to header and result, or removed.", COUNT(pruned) },
	{ "referee_offers_total", "counter",
	  "How often the ladder was told how many games a bot has room for.",
	  COUNT(offers) },
	{ "referee_table_searches_total", "counter",
	  "How often the daemon looked for bots for one more table.",
	  COUNT(searches) },
	{ "referee_writer_queue", "gauge",
	  "Games that are over but not yet on disk.", COUNT(writing) },
	{ "referee_disk_failures_total", "counter",
	  "Records that were not written at the first try.", COUNT(failures) },
};

static uint64_t
ladder_value(const struct ladder_metric *metric,
	     const struct scheduler *scheduler)
{
	const void *counts = scheduler_counts(scheduler);

	if (metric->ask != NULL)
		return metric->ask(scheduler);
	return *(const uint64_t *)((const char *)counts + metric->offset);
}

static void
add_ladder_metric(const struct metrics *metrics,
		  const struct ladder_metric *metric, struct text *out)
{
	struct scheduler *scheduler;

	metric_head(out, metric->name, metric->type, metric->help);
	LADDERS_EACH (metrics->pages->ladders, scheduler, i)
		if (!metric->hidden || scheduler_frozen(scheduler) == 0)
			text_fmt(out, "%s{ladder=\"%s\"} %" PRIu64 "\n",
				 metric->name, scheduler_name(scheduler),
				 ladder_value(metric, scheduler));
}

static void
add_faults(const struct metrics *metrics, struct text *out)
{
	struct scheduler *scheduler;
	const struct scheduler_counts *counts;
	enum fault fault;

	metric_head(out, "referee_faults_total", "counter",
		    "Faults of bots in games that are over.");
	LADDERS_EACH (metrics->pages->ladders, scheduler, i) {
		if (scheduler_frozen(scheduler) != 0)
			continue;
		counts = scheduler_counts(scheduler);
		for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++)
			text_fmt(out,
				 "referee_faults_total{ladder=\"%s\","
				 "kind=\"%s\"} %" PRIu64 "\n",
				 scheduler_name(scheduler), fault_name(fault),
				 counts->faults[fault]);
	}
}

/* Adds the faults of bots that sit at a ladder.  They come last, as the page
 * has a size limit. */
static void
add_bot_faults(const struct metrics *metrics, struct text *out)
{
	struct scheduler *scheduler;

	metric_head(
		out, "referee_bot_faults_total", "counter",
		"Faults of a bot that sits at the ladder, in all games that "
		"count.");
	LADDERS_EACH (metrics->pages->ladders, scheduler, i)
		if (scheduler_frozen(scheduler) == 0)
			scheduler_bots_write_faults(scheduler_bots(scheduler),
						    "referee_bot_faults_total",
						    out);
}

/* ---- of the whole ----------------------------------------------------- */

static void
add_remote_bots(const struct metrics *metrics, struct text *out)
{
	const struct http_counts *http = http_counts(metrics->pages->http);
	const struct remote_bot *remote;
	unsigned here = 0, lost = 0;

	for (remote = metrics->pages->remotes->first; remote != NULL;
	     remote = remote->next) {
		here += remote->here;
		lost += !remote->here;
	}
	metric_head(out, "referee_guests", "gauge",
		    "Remote bots: here (connected) or lost (without a "
		    "connection, and expected back).");
	text_fmt(out,
		 "referee_guests{state=\"here\"} %u\n"
		 "referee_guests{state=\"lost\"} %u\n",
		 here, lost);
	metric_head(out, "referee_connections", "gauge", "Open connections.");
	text_fmt(out,
		 "referee_connections{kind=\"bots\"} %u\n"
		 "referee_connections{kind=\"http\"} %u\n"
		 "referee_connections{kind=\"watchers\"} %u\n",
		 door_count(metrics->door), http->connections, http->watchers);
}

static void
add_outcomes(const struct metrics *metrics, struct text *out)
{
	const struct http_counts *http = http_counts(metrics->pages->http);
	uint64_t suppressed, lost;

	log_counts(metrics->pages->logger, &suppressed, &lost);
	metric_one(out, "referee_workers_lost_total", "counter",
		   "Worker processes that ended before their games.",
		   metrics->workers_lost);
	metric_one(out, "referee_log_lines_suppressed_total", "counter",
		   "Log lines held back because there were too many.",
		   suppressed);
	metric_one(out, "referee_log_lines_lost_total", "counter",
		   "Log lines that could not be written.", lost);
	metric_head(out, "referee_http_requests_total", "counter",
		    "HTTP requests before this one: ok (answered with 200 or "
		    "202) or refused (any other answer, or turned away at a "
		    "limit).");
	text_fmt(out,
		 "referee_http_requests_total{result=\"ok\"} %" PRIu64 "\n"
		 "referee_http_requests_total{result=\"refused\"} %" PRIu64
		 "\n",
		 http->answered, http->refused);
	metric_head(out, "referee_reloads_total", "counter",
		    "Reloads of the configuration: ok (it is in effect) or "
		    "refused (it was wrong, and nothing changed).");
	text_fmt(out,
		 "referee_reloads_total{result=\"ok\"} %" PRIu64 "\n"
		 "referee_reloads_total{result=\"refused\"} %" PRIu64 "\n",
		 metrics->reloads, metrics->reloads_failed);
}

static void
add_refusals(const struct metrics *metrics, struct text *out)
{
	enum refusal kind;

	metric_head(
		out, "referee_connections_refused_total", "counter",
		"Connections that got no further: limit (too many), hello (no "
		"correct first line in time), token (wrong), bot (it may not "
		"come "
		"now).");
	for (kind = 0; kind < REFUSAL_KINDS; kind++)
		text_fmt(out,
			 "referee_connections_refused_total{kind=\"%s\"} "
			 "%" PRIu64 "\n",
			 refusal_name(kind),
			 refusals_count(metrics->pages->refusals, kind));
}

static void
add_seconds(struct text *out, const char *name, const char *type,
	    const char *help, uint64_t us)
{
	metric_head(out, name, type, help);
	text_fmt(out, "%s %" PRIu64 ".%06u\n", name, us / 1000000,
		 (unsigned)(us % 1000000));
}

/* The maximum is that of a time window, not since the last reading, because
 * several may read. */
static void
add_lag(const struct metrics *metrics, struct text *out)
{
	uint64_t lag_us, worst_us;

	loop_lag(metrics->loop, &lag_us, &worst_us);
	add_seconds(out, "referee_loop_lag_seconds", "gauge",
		    "Latest measured delay of the event loop, measured 20 "
		    "times a second.",
		    lag_us);
	add_seconds(out, "referee_loop_lag_max_seconds", "gauge",
		    "Worst delay of the event loop in the last one to two "
		    "minutes.",
		    worst_us);
}

static uint64_t
resident_bytes(void)
{
	uint64_t pages;
	char text[256];

	if (file_peek(text, sizeof(text), "/proc/self/statm") <= 0 ||
	    field_number(field_skip(text, 1), &pages) == NULL)
		return 0;
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void
add_verdict_lag(const struct coordinator_told *told, struct text *out)
{
	static const double bounds[] = COORDINATOR_LAG_SECONDS;
	uint64_t sum = 0;
	unsigned i;

	metric_head(out, "referee_queue_lag_seconds", "histogram",
		    "Between the report of a result and its verdict.");
	for (i = 0; i < COORDINATOR_LAG_BOUNDS; i++) {
		sum += told->lag[i];
		text_fmt(out,
			 "referee_queue_lag_seconds_bucket{le=\"%g\"} %" PRIu64
			 "\n",
			 bounds[i], sum);
	}
	sum += told->lag[i];
	text_fmt(out,
		 "referee_queue_lag_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\n"
		 "referee_queue_lag_seconds_sum %.6f\n"
		 "referee_queue_lag_seconds_count %" PRIu64 "\n",
		 sum, (double)told->lag_us / 1e6, sum);
}

/* Adds the last figures from the database. */
static void
add_queue_figures(const struct queue_figures *figures, struct text *out)
{
	metric_one(out, "referee_queue_waiting", "gauge",
		   "Games that wait for a worker, above 10000 about how many.",
		   (uint64_t)figures->waiting);
	metric_one(out, "referee_queue_oldest_seconds", "gauge",
		   "Age of the oldest game that waits for a worker.",
		   (uint64_t)figures->oldest_s);
	metric_one(out, "referee_queue_claimed", "gauge",
		   "Games that workers play now.", (uint64_t)figures->claimed);
	metric_one(out, "referee_queue_parked", "gauge",
		   "Games that are not played, as two workers have lost them "
		   "or an operator wants it so, above 10000 about how many.",
		   (uint64_t)figures->parked);
	metric_one(out, "referee_queue_reported", "gauge",
		   "Results that are not rated yet.",
		   (uint64_t)figures->reported);
	metric_one(out, "referee_queue_workers", "gauge",
		   "Workers that were seen in the last minute and are not "
		   "suspended.",
		   (uint64_t)figures->workers);
	metric_one(out, "referee_queue_workers_suspended", "gauge",
		   "Workers that get no games.", (uint64_t)figures->suspended);
}

static void
add_queue(const struct metrics *metrics, struct text *out)
{
	const struct coordinator_told *told;

	if (metrics->pages->coordinator == NULL)
		return;
	told = coordinator_told(metrics->pages->coordinator);
	add_queue_figures(&told->figures, out);
	metric_one(out, "referee_queue_up", "gauge",
		   "Whether the queue's database can be reached.", told->up);
	metric_one(out, "referee_queue_connects_total", "counter",
		   "Connections of the daemon to the queue's database, the "
		   "first one included.",
		   told->connects);
	metric_one(out, "referee_queue_followers", "gauge",
		   "Daemons that wait and follow this one.", told->followers);
	metric_one(out, "referee_queue_followers_behind", "gauge",
		   "Verdicts that one of them lacks, at most.", told->behind);
	metric_one(out, "referee_queue_followers_behind_seconds", "gauge",
		   "For how long the oldest of these has been there.",
		   (int64_t)told->behind_s);
	metric_one(out, "referee_queue_results_total", "counter",
		   "Results of games that this daemon has begun.",
		   told->results);
	metric_one(out, "referee_queue_adopted_total", "counter",
		   "Results of games that an earlier daemon had begun, or that "
		   "were parked.",
		   told->adopted);
	metric_one(out, "referee_queue_refused_total", "counter",
		   "Results of workers that did not hold.", told->refused);
	add_verdict_lag(told, out);
}

bool
metrics_healthy(void *arg, struct text *out)
{
	const struct metrics *metrics = arg;
	const struct pages *pages = metrics->pages;
	const size_t used = out->used;
	const struct scheduler *scheduler;

	if (*pages->stopping)
		text_fmt(out, PAGE_STOPPING "\n");
	if (pages->coordinator != NULL &&
	    !coordinator_told(pages->coordinator)->up)
		text_fmt(out, "the database of the queue cannot be reached\n");
	LADDERS_EACH (pages->ladders, scheduler, i)
		if (scheduler_counts(scheduler)->lost > 0)
			text_fmt(out, "ladder %s: " SCHEDULER_LADDER_LOST "\n",
				 scheduler_setup(scheduler)->name);
	health_tell(metrics->health, out);
	if (out->used > used)
		return false;
	text_fmt(out, "ok\n");
	return true;
}

void
metrics_write(void *arg, struct text *out)
{
	const struct metrics *metrics = arg;
	const uint64_t resident = resident_bytes();

	metric_one(out, "referee_up_seconds", "gauge",
		   "Seconds since the start.",
		   (clock_us() - metrics->started_us) / 1000000);
	if (resident > 0) /* 0 if no descriptor was left to read it */
		metric_one(out, "process_resident_memory_bytes", "gauge",
			   "Resident memory size in bytes.", resident);
	metric_one(out, "referee_nursery_up", "gauge",
		   "Whether programs of local bots can be started.",
		   metrics->spawner);
	add_lag(metrics, out);
	add_remote_bots(metrics, out);
	add_refusals(metrics, out);
	add_queue(metrics, out);
	health_write(metrics->health, out);
	for (size_t i = 0; i < NELEM(ladder_metrics); i++)
		add_ladder_metric(metrics, &ladder_metrics[i], out);
	add_faults(metrics, out);
	add_outcomes(metrics, out);
	add_bot_faults(metrics, out);
}
