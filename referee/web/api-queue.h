/* referee/web/api-queue.h - answers with what all may see of the queue; 404 if
 * there is no queue. */
#ifndef REFEREE_API_QUEUE_H
#define REFEREE_API_QUEUE_H

#include "referee/web/page.h"

/* Answers in the form of page_path->what. */
page_handler api_queue;
enum { QUEUE_HTML, QUEUE_JSON };

#endif
