/* referee/pages/queue.c - see queue.h. */
#include "referee/pages/queue.h"

#include <inttypes.h>
#include <stdio.h>

#include "protocol/date.h"
#include "referee/pages/ladder.h"

#define WHY_BYTES (NAME_BYTES + 64)

static const char *
why_of(const struct queue_job *job, char why[WHY_BYTES])
{
	if (job->unbuilt[0] != '\0')
		snprintf(why, WHY_BYTES, "no machine can fetch or build %s",
			 job->unbuilt);
	else
		snprintf(why, WHY_BYTES, "%s",
			 job->losses >= QUEUE_LOSSES
				 ? "the machines that played it were lost"
				 : "it waits for the organiser");
	return why;
}

static void
write_bots(struct html *html, const struct queue_job *job)
{
	for (unsigned s = 0; s < job->seats; s++) {
		if (s > 0)
			html_text(html, s + 1 < job->seats ? ", " : " and ");
		html_name_link(html, "bots", job->name[s]);
	}
}

void
queue_job_write(struct html *html, const struct queue_job *job)
{
	char why[WHY_BYTES];

	write_bots(html, job);
	html_text(html, " on ");
	html_name_link(html, "ladders", job->ladder);
	html_fmt(html, ": %s (job %" PRId64 ")", why_of(job, why), job->job);
}

static void
write_count(struct html *html, const char *what, int64_t count)
{
	html_fact(html, what, "%s%" PRId64,
		  count > QUEUE_COUNTED ? "about " : "", count);
}

/* Writes a time as "1.5 s", "12 minutes" or "3 hours". */
static const char *
lasting(double seconds, char text[32])
{
	if (seconds < 10)
		snprintf(text, 32, "%.1f s", seconds);
	else if (seconds < 120)
		snprintf(text, 32, "%.0f s", seconds);
	else if (seconds < 7200)
		snprintf(text, 32, "%.0f minutes", seconds / 60);
	else if (seconds < 2 * 86400)
		snprintf(text, 32, "%.0f hours", seconds / 3600);
	else
		snprintf(text, 32, "%.0f days", seconds / 86400);
	return text;
}

static void
write_lasting(struct html *html, const char *what, double seconds)
{
	char text[32];

	html_fact(html, what, "%s", lasting(seconds, text));
}

static void
write_time(struct html *html, int64_t seconds)
{
	char date[DATE_BYTES];

	date_write(seconds, date);
	ladder_write_date(html, date);
	html_text(html, " UTC");
}

/* ---- parts of the page ----------------------------------------------------- */

static void
write_state(struct html *html, const struct queue_view *view)
{
	HTML_OPEN(html, "p", "role", "status");
	if (view->figures->up && view->figures->taken > 0) {
		html_text(html, "The database of the queue is up, and this "
				"referee has had the queue since ");
		write_time(html, view->figures->taken);
	} else if (view->figures->up) {
		html_text(html, "The database of the queue is up");
	} else if (view->since == 0) {
		html_text(html, "The database of the queue was never reached");
	} else {
		html_text(html,
			  "The database of the queue has been away since ");
		write_time(html, view->since);
	}
	html_fmt(html, ".%s</p>",
		 view->figures->up
			 ? ""
			 : " What runs is played to its end; no other game "
			   "begins, and none is rated, until it is back.");
}

static void
write_facts(struct html *html, const struct queue_figures *figures)
{
	html_fmt(html, "<h2 id='games'>Games</h2><dl class='facts'>");
	write_count(html, "wait for a machine", figures->waiting);
	if (figures->waiting > 0)
		write_lasting(html, "the oldest waits for",
			      (double)figures->oldest_s);
	write_count(html, "are played now", figures->claimed);
	write_count(html, "are over and not rated yet", figures->reported);
	write_count(html, "are parked", figures->parked);
	html_fmt(html, "</dl><h2 id='machines'>Machines</h2>"
		       "<dl class='facts'>");
	write_count(html, "play, or are ready to", figures->workers);
	write_count(html, "are suspended", figures->suspended);
	html_close(html, "dl");
	if (figures->workers == 0 && figures->waiting > 0)
		html_fmt(html, "<p>No machine was heard from in the last "
			       "minute, so the games wait.</p>");
}

static void
write_rated(struct html *html, const struct queue_figures *figures)
{
	char text[32];

	HTML_LEAF(html, "Ratings", "h2", "id", "ratings");
	if (figures->recent == 0) {
		html_fmt(html,
			 "<p>No game of the queue was rated in the last %d "
			 "minutes.</p>",
			 QUEUE_RECENT_S / 60);
		return;
	}
	HTML_OPEN(html, "dl", "class", "facts");
	html_fact(html, "games a second", "%.1f", queue_pace(figures));
	write_lasting(html, "from result to rating (median)",
		      figures->lag_median_s);
	write_lasting(html, "at most", figures->lag_worst_s);
	html_fmt(html,
		 "</dl><p class='soft'>Of the last %" PRId64
		 " games, which took %s. Each result is proved before it is "
		 "rated.</p>",
		 figures->recent, lasting(figures->recent_s, text));
}

static void
write_job(struct html *html, const struct queue_job *job)
{
	char why[WHY_BYTES];

	html_fmt(html, "<tr><th scope='row' class='n'>%" PRId64 "</th><td>",
		 job->job);
	html_name_link(html, "ladders", job->ladder);
	html_fmt(html, "</td><td>");
	write_bots(html, job);
	html_fmt(html, "</td><td>%s</td></tr>", why_of(job, why));
}

static void
write_parked(struct html *html, const struct queue_view *view)
{
	if (view->jobs == 0)
		return;
	html_fmt(html,
		 "<h2 id='parked'>Parked games</h2>"
		 "<p>A game is parked when two machines were lost with it, "
		 "so that it takes no more of them, when no machine can "
		 "fetch or build one of its bots, when two results of it "
		 "were refused, or by the organiser. "
		 "It counts for no one unless the organiser has it "
		 "played, with the same cards: "
		 "<code>referee queue retry JOB</code>. "
		 "The log of each of its bots tells its author.</p>"
		 "<div class='scroll' tabindex='0' role='region' "
		 "aria-labelledby='parked'>");
	HTML_OPEN_TABLE(html, NULL, "job", "n", "ladder", NULL, "bots", NULL,
			"why", NULL);
	for (unsigned i = 0; i < view->jobs; i++)
		write_job(html, &view->job[i]);
	html_close_table(html);
	html_close(html, "div");
	if (view->figures->parked > view->jobs)
		html_fmt(html, "<p class='soft'>The first %u of them.</p>",
			 view->jobs);
}

void
queue_page(const struct site *site, const struct queue_view *view,
	   struct text *to)
{
	struct html html;

	html_begin(&html, site, to, "./");
	layout_begin(&html, &(struct layout){ .title = "The queue",
					      .crumb = { { "Ladders", "" } } });
	html_fmt(&html, "<p class='lead'>Games of bots that live here are "
			"played by other machines. They cannot be watched; "
			"their records can be read when they are over.</p>");
	write_state(&html, view);
	if (view->known) {
		write_facts(&html, view->figures);
		write_rated(&html, view->figures);
		write_parked(&html, view);
		html_fmt(&html, "<p class='soft'>As the database told it at ");
		write_time(&html, view->figures->at);
		html_fmt(&html, ". <a href='api/1/queue'>"
				"The same for programs</a>.</p>");
	}
	layout_end(&html);
}
