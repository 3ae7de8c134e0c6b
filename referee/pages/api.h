/* referee/pages/api.h - describes what programs can ask for: a page with
 * examples, and OpenAPI for programs. */
#ifndef REFEREE_PAGES_API_H
#define REFEREE_PAGES_API_H

#include "protocol/text.h"
#include "referee/pages/layout.h"

struct api_route {
	const char *method; /* in capitals */
	const char *path;   /* from the root, with a slash; {NAME} is any */
	const char *brief;  /* one sentence */
	bool token;	    /* needs the token of the bot in the path */
	bool owner;	    /* needs the token of an owner */
};

/* Writes `/api`. */
void api_page(const struct site *site, const struct api_route route[],
	      unsigned routes, struct text *to);
/* Writes `/api/openapi.json`, which is OpenAPI 3.1. */
void api_openapi(const struct api_route route[], unsigned routes,
		 struct text *to);

#endif
