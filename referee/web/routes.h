/* referee/web/routes.h - every path that the daemon answers over HTTP: who
 * may see it, who may keep it, and which function answers.
 *
 * Pages for people have the plain paths; JSON lies below /api/1/.  A path that
 * no page has, but /api/1/ in front of it would have, leads there (308). */
#ifndef REFEREE_ROUTES_H
#define REFEREE_ROUTES_H

#include "referee/web/page.h"

enum route_who {
	ROUTE_ANYBODY,
	ROUTE_READERS, /* as the game's ladder says; the answer decides */
	ROUTE_BOT,     /* requests with the token of the bot in the path */
};

struct route {
	const char *method; /* GET, which is also HEAD; or PUT */
	/* Segments as they are, or {WHAT}: a name of message_name_ok(), for
	 * page_path. */
	const char *path;
	enum route_who who;
	enum http_cache cache; /* of what is answered with less than 300 */
	page_handler *answer;
	const char *brief; /* for the documentation of the API */
	int what;	   /* for page_path */
};
/* A NULL path ends. */
extern const struct route routes[];

/* For http_new(); `arg` is a struct pages. */
enum http_methods routes_allowed(void *arg, const char *path);
void routes_asked(void *arg, struct http_request *request, const char *path);
refusal_told routes_refused;
http_refusal_page routes_refusal_page;

#endif
