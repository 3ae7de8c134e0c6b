/* referee/web/routes.h - lists every path that the daemon answers over HTTP:
 * who may see it, who may keep it, and which function answers.
 *
 * Pages for people have plain paths; JSON lies below /api/1/. A path that no
 * page has is redirected (308) to the same path below /api/1/ if that exists. */
#ifndef REFEREE_ROUTES_H
#define REFEREE_ROUTES_H

#include "referee/web/page.h"

enum route_who {
	ROUTE_ANYBODY,
	ROUTE_READERS, /* clients that the game's ladder allows; the page
		        * decides */
	ROUTE_BOT,     /* requests with the token of the bot in the path, or of
			* its owner */
	ROUTE_OWNER,   /* requests with the token of an owner; the page asks */
};

struct route {
	const char *method; /* GET, which includes HEAD, or PUT */
	/* Literal segments, or {WHAT}: a name valid by message_name_ok(), for
	 * page_path. */
	const char *path;
	enum route_who who;
	enum http_cache cache; /* for answers with a code below 300 */
	page_handler *answer;
	const char *brief; /* for the documentation of the API */
	int what;	   /* for page_path */
};
/* Ends with a NULL path. */
extern const struct route routes[];

/* These are for http_new(); `arg` is a struct pages. */
enum http_methods routes_allowed(void *arg, const char *path);
void routes_asked(void *arg, struct http_request *request, const char *path);
refusal_told routes_refused;
http_refusal_page routes_refusal_page;

#endif
