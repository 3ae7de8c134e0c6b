/* referee/web/api-queue.c - see api.h.
 *
 * Everything is in memory already; neither page asks the database. */
#include "referee/web/api.h"

#include "referee/base/json-line.h"
#include "referee/base/serve-limits.h"
#include "referee/pages/queue.h"
#include "referee/queue/coordinator.h"
#include "referee/web/page-html.h"

#define REAL_DIGITS 7

static void
write_json(const struct coordinator_told *told,
	   const struct queue_figures *figures, struct text *text)
{
	json_text_line(queue_figures_json(figures, QUEUE_ALL), REAL_DIGITS,
		       text);
	for (unsigned i = 0; i < told->jobs; i++) {
		json_text_line(queue_job_json(&told->job[i], QUEUE_ALL),
			       REAL_DIGITS, text);
	}
}

void
api_queue(struct pages *pages, struct http_request *request,
	  const struct page_path *path)
{
	const bool json = path->what == QUEUE_JSON;
	const struct coordinator_told *told;
	struct queue_figures figures;
	struct text text = { .max = SERVE_HTML_BYTES };

	if (pages->coordinator == NULL) {
		http_refuse(request, 404,
			    "this referee plays all its games itself");
		return;
	}
	told = coordinator_told(pages->coordinator);
	figures = told->figures;
	figures.up = told->up;
	if (json)
		write_json(told, &figures, &text);
	else
		queue_page(page_html_site(),
			   &(struct queue_view){ told->known, &figures,
						 told->since, told->job,
						 told->jobs },
			   &text);
	page_send(request, 200, json ? PAGE_JSON_LINES : PAGE_HTML, &text);
}
