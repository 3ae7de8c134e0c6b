/* referee/web/queue-pages.h - what all may see of the queue; 404 where there is
 * none. */
#ifndef REFEREE_SERVE_QUEUE_PAGES_H
#define REFEREE_SERVE_QUEUE_PAGES_H

#include "referee/web/page.h"

/* In the form that page_path->what says. */
page_handler queue_pages;
enum { QUEUE_HTML, QUEUE_JSON };

#endif
