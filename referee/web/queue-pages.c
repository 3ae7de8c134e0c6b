/* referee/web/queue-pages.c - see queue-pages.h.
 *
 * All is in memory already: neither page asks the database. */
#include "referee/web/queue-pages.h"

#include "referee/base/json-line.h"
#include "referee/base/serve-limits.h"
#include "referee/pages/queue.h"
#include "referee/queue/coordinator.h"
#include "referee/web/html-pages.h"

#define REAL_DIGITS 7

/* NULL: it is refused. */
static const struct coordinator_told *
ask(const struct pages *pages, struct http_request *request,
    struct queue_figures *figures)
{
	const struct coordinator_told *told;

	if (pages->coordinator == NULL) {
		http_refuse(request, 404,
			    "this referee plays all its games itself");
		return NULL;
	}
	told = coordinator_told(pages->coordinator);
	*figures = told->figures;
	figures->up = told->up;
	return told;
}

void
queue_pages_show(struct pages *pages, struct http_request *request,
		 const struct page_path *path UNUSED)
{
	struct queue_figures figures;
	const struct coordinator_told *told = ask(pages, request, &figures);
	struct text text;

	if (told == NULL)
		return;
	text_init(&text, SERVE_HTML_BYTES);
	queue_page(html_pages_site(),
		   &(struct queue_view){ told->known, &figures, told->since,
					 told->job, told->jobs },
		   &text);
	page_answer(request, PAGE_HTML, &text);
}

void
queue_pages_json(struct pages *pages, struct http_request *request,
		 const struct page_path *path UNUSED)
{
	struct queue_figures figures;
	const struct coordinator_told *told = ask(pages, request, &figures);
	struct text text;

	if (told == NULL)
		return;
	text_init(&text, SERVE_HTML_BYTES);
	json_text(queue_figures_json(&figures, QUEUE_ALL), REAL_DIGITS, &text);
	text_str(&text, "\n");
	for (unsigned i = 0; i < told->jobs; i++) {
		json_text(queue_job_json(&told->job[i], QUEUE_ALL), REAL_DIGITS,
			  &text);
		text_str(&text, "\n");
	}
	page_answer(request, PAGE_JSON_LINES, &text);
}
