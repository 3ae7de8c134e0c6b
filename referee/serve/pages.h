/* referee/serve/pages.h - what the daemon answers over HTTP: its metrics, its
 * ladders, its bots; and which path leads to which page. */
#ifndef REFEREE_PAGES_H
#define REFEREE_PAGES_H

#include "referee/serve/page.h"

/* For http_new(); `arg` is a struct pages. */
enum http_methods pages_allowed(void *arg, const char *path);
void pages_asked(void *arg, struct http_request *request, const char *path);
refusal_told pages_refused;

#endif
