/* tests/unit/test-queue-page.c - the page of the queue when the database is
 * away, nothing is known, or too many jobs wait. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "referee/pages/queue.h"

static const struct site site = { "s", "i", "f/" };
static struct queue_figures figures;
static struct queue_job jobs[3];
static struct text text;

static void
make(bool known, unsigned count)
{
	text_init(&text, 1 << 20);
	queue_page(&site,
		   &(struct queue_view){ known, &figures, 1790000000, jobs,
					 count },
		   &text);
}

static void
says(const char *what, bool does)
{
	cr_expect_eq(strstr(text_string(&text), what) != NULL, does, "%s: %s",
		     what, text_string(&text));
}

Test(queue_page, tells_that_the_database_is_away)
{
	figures = (struct queue_figures){ .waiting = 3, .at = 1790000000 };
	make(true, 0);
	says("has been away since", true);
	says("none is rated, until it is back", true);
	says("No machine was heard from", true);
	says("Parked games", false);
	text_release(&text);
	figures.up = true;
	make(true, 0);
	says("is up.", true);
	says("away", false);
	text_release(&text);
}

Test(queue_page, has_no_figures_before_it_knows_any)
{
	figures = (struct queue_figures){ .up = false };
	make(false, 0);
	says("<h2", false);
	says("As the database told", false);
	text_release(&text);
}

Test(queue_page, says_where_counts_end)
{
	figures = (struct queue_figures){ .up = true,
					  .workers = 1,
					  .waiting = QUEUE_COUNTED,
					  .parked = QUEUE_COUNTED };
	make(true, 0);
	says(">about ", false);
	text_release(&text);
	figures.waiting++;
	make(true, 0);
	says("<dd>about 10001</dd>", true);
	text_release(&text);
}

Test(queue_page, names_are_names_and_reasons_are_secret)
{
	figures = (struct queue_figures){ .up = true, .parked = 5 };
	snprintf(jobs[0].name[0], sizeof(jobs[0].name[0]), "<b>\"x\"");
	snprintf(jobs[0].why, sizeof(jobs[0].why), "host7 says no");
	jobs[0].seats = 1;
	jobs[1] = jobs[0];
	jobs[1].losses = 2;
	jobs[2] = jobs[0];
	snprintf(jobs[2].unbuilt, sizeof(jobs[2].unbuilt), "<b>");
	make(true, 3);
	says("<b>", false);
	says("&lt;b&gt;", true);
	says("host7", false);
	says("the machines that played it were lost", true);
	says("it waits for the organiser", true);
	says("no machine can fetch or build &lt;b&gt;", true);
	says("The first 3 of them.", true);
	text_release(&text);
}
