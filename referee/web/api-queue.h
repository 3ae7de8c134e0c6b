/* referee/web/api-queue.h - what all may see of the queue; 404 where there is
 * none. */
#ifndef REFEREE_API_QUEUE_H
#define REFEREE_API_QUEUE_H

#include "referee/web/page.h"

/* In the form that page_path->what says. */
page_handler api_queue;
enum { QUEUE_HTML, QUEUE_JSON };

#endif
