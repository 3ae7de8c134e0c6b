/* referee/web/routes.c - see routes.h. */
#include "referee/web/routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/pages/api.h"
#include "referee/pages/refusal.h"
#include "referee/web/api-bots.h"
#include "referee/web/api-owners.h"
#include "referee/web/page-html.h"
#include "referee/web/live.h"
#include "referee/web/api.h"
#include "referee/web/static-files.h"

#define API "/api/1"

enum { API_PAGE, API_OPENAPI };

static page_handler answer_api;

const struct route routes[] = {
	{ "GET", "/metrics", ROUTE_ANYBODY, HTTP_NO_STORE, api_metrics,
	  "Metrics in the text format of Prometheus." },
	{ "GET", "/healthz", ROUTE_ANYBODY, HTTP_NO_STORE, api_healthz,
	  "`ok`, or 503 and why the referee cannot do its work." },
	{ "GET", "/static/{hash}/{file}", ROUTE_ANYBODY, HTTP_FOREVER,
	  static_files_answer, "What pages load." },
	{ "GET", "/", ROUTE_ANYBODY, HTTP_CHECK, page_html_front,
	  "The ladders, as a page." },
	{ "GET", "/about", ROUTE_ANYBODY, HTTP_CHECK, page_html_about,
	  "What this referee is, as a page." },
	{ "GET", "/queue", ROUTE_ANYBODY, HTTP_CHECK, api_queue,
	  "The queue through which other machines play, as a page.",
	  QUEUE_HTML },
	{ "GET", "/rules", ROUTE_ANYBODY, HTTP_CHECK, page_html_rules,
	  "The games, as a page." },
	{ "GET", "/rules/{game}", ROUTE_ANYBODY, HTTP_CHECK, page_html_rules,
	  "The rules of a game, as a page." },
	{ "GET", "/live", ROUTE_READERS, HTTP_NO_STORE, page_live_all,
	  "Tables that run now, as a page." },
	{ "GET", "/projector", ROUTE_ANYBODY, HTTP_CHECK, page_live_projectors,
	  "The ladders that have such a page." },
	{ "GET", "/projector/", ROUTE_ANYBODY, HTTP_CHECK, page_live_projectors,
	  "The same." },
	{ "GET", "/projector/{ladder}", ROUTE_READERS, HTTP_NO_STORE,
	  page_live_projector,
	  "A ladder's tables and standings, to be read from afar." },
	{ "GET", "/tournaments", ROUTE_ANYBODY, HTTP_CHECK, page_tournaments,
	  "Tournaments of the organiser, as a page.", TOURNAMENT_ALL },
	{ "GET", "/tournaments/{id}", ROUTE_ANYBODY, HTTP_CHECK,
	  page_tournaments, "A tournament: standings and pairings.",
	  TOURNAMENT_ONE },
	{ "GET", "/tournaments/{id}/projector", ROUTE_ANYBODY, HTTP_CHECK,
	  page_tournaments, "The same, to be read from afar.",
	  TOURNAMENT_PROJECTOR },
	{ "GET", "/ladders/{ladder}", ROUTE_ANYBODY, HTTP_CHECK,
	  page_html_ladder, "The standings of a ladder, as a page." },
	{ "GET", "/ladders/{ladder}/cross", ROUTE_ANYBODY, HTTP_CHECK,
	  page_html_cross, "Who scored how much against whom, as a page." },
	{ "GET", "/ladders/{ladder}/games", ROUTE_ANYBODY, HTTP_CHECK,
	  page_html_games, "The games of a ladder, as a page." },
	{ "GET", "/bots/{bot}", ROUTE_ANYBODY, HTTP_CHECK, page_html_bots,
	  "A bot, as a page." },
	{ "GET", "/games/{id}", ROUTE_READERS, HTTP_CHECK, api_records_read,
	  "A game: the table at any moment, and what happened.", RECORD_PAGE },
	{ "GET", "/sign-up", ROUTE_ANYBODY, HTTP_CHECK, page_html_sign_up,
	  "Makes an account of an owner, as a page." },
	{ "GET", "/owners/{owner}", ROUTE_ANYBODY, HTTP_CHECK, page_html_owner,
	  "What an owner's token opens, as a page." },
	{ "GET", "/bots/{bot}/vs/{other}", ROUTE_ANYBODY, HTTP_CHECK,
	  page_html_bots, "Two bots side by side, as a page." },
	{ "GET", "/api", ROUTE_ANYBODY, HTTP_CHECK, answer_api,
	  "What programs can ask for, as a page.", API_PAGE },
	{ "GET", "/api/openapi.json", ROUTE_ANYBODY, HTTP_CHECK, answer_api,
	  "The same as OpenAPI 3.1.", API_OPENAPI },
	{ "PUT", "/bots/{bot}", ROUTE_BOT, HTTP_NO_STORE, api_bots_put,
	  "Uploads the program of a bot: an archive." },
	{ "PUT", "/bots/{bot}/trial", ROUTE_BOT, HTTP_NO_STORE, api_bots_put,
	  "Uploads a version that does not count yet, and has it play: "
	  "?ladder=NAME&games=N&against=A,B.",
	  API_BOTS_TRIAL },
	{ "PUT", "/bots/{bot}/trial/entered", ROUTE_BOT, HTTP_NO_STORE,
	  api_owners_enter_trial, "Enters the version of the trial." },
	{ "PUT", "/bots/{bot}/version", ROUTE_BOT, HTTP_NO_STORE,
	  api_owners_go_back,
	  "Lets an earlier version of a bot of this machine play again: "
	  "?number=N." },
	{ "PUT", "/owners/{owner}", ROUTE_ANYBODY, HTTP_NO_STORE,
	  api_owners_sign_up,
	  "Makes an account with the code that the organiser hands out: "
	  "X-Code: CODE.  The answer has the owner's token." },
	{ "PUT", "/owners/{owner}/token", ROUTE_OWNER, HTTP_NO_STORE,
	  api_owners_token,
	  "Replaces the owner's token; the old one is invalid at once." },
	{ "PUT", "/bots/{bot}/token", ROUTE_OWNER, HTTP_NO_STORE,
	  api_owners_bot_token,
	  "Makes a bot of this owner, or replaces the token of one." },
	{ "PUT", "/bots/{bot}/withdrawn", ROUTE_OWNER, HTTP_NO_STORE,
	  api_owners_withdraw,
	  "Takes a bot off the ladders.  It loses its rank at once." },
	{ "PUT", "/bots/{bot}/playing", ROUTE_OWNER, HTTP_NO_STORE,
	  api_owners_return, "Lets a bot that its owner has withdrawn play." },
	{ "GET", API "/owners/{owner}", ROUTE_OWNER, HTTP_NO_STORE, owner_view,
	  "The owner's bots: states, tokens, versions, where they play." },
	{ "GET", API "/owners/{owner}/games", ROUTE_OWNER, HTTP_NO_STORE,
	  owner_view_games,
	  "Games of the owner's bots, the worst places first: "
	  "?bot=NAME&ladder=NAME&other=NAME&place=N&fault=KIND&order=lost.",
	  OWNER_GAMES },
	{ "GET", API "/owners/{owner}/records", ROUTE_OWNER, HTTP_NO_STORE,
	  owner_view_games, "The records of such games, as a tar file.",
	  OWNER_RECORDS },
	{ "GET", API "/ladders", ROUTE_ANYBODY, HTTP_CHECK, api_ladders,
	  "All ladders." },
	{ "GET", API "/ladders/{ladder}", ROUTE_ANYBODY, HTTP_CHECK, api_ladder,
	  "One ladder, its standings, and its K and start rating." },
	{ "GET", API "/ladders/{ladder}/games", ROUTE_ANYBODY, HTTP_CHECK,
	  api_records_games, "Its latest games, the last one first." },
	{ "GET", API "/ladders/{ladder}/running", ROUTE_ANYBODY, HTTP_NO_STORE,
	  api_running, "The games that are played on it now." },
	{ "GET", API "/events", ROUTE_ANYBODY, HTTP_NO_STORE, live_answer,
	  "A stream of server-sent events: "
	  "?topic=game:ID,frames:ID,ladder:NAME." },
	{ "GET", API "/queue", ROUTE_ANYBODY, HTTP_CHECK, api_queue,
	  "The queue through which other machines play: an object of JSON a "
	  "line, its figures, then up to 100 games that are parked.",
	  QUEUE_JSON },
	{ "GET", API "/tournaments", ROUTE_ANYBODY, HTTP_CHECK,
	  page_tournaments, "Tournaments of the organiser, the latest first.",
	  TOURNAMENT_ALL_JSON },
	{ "GET", API "/tournaments/{id}", ROUTE_ANYBODY, HTTP_CHECK,
	  page_tournaments,
	  "A tournament: its state, bots, tables with results, and bracket.",
	  TOURNAMENT_ONE_JSON },
	{ "GET", API "/bots/{bot}", ROUTE_ANYBODY, HTTP_CHECK, api_bot,
	  "A bot: where it sits, its live Elo and faults." },
	{ "GET", API "/bots/{bot}/log", ROUTE_BOT, HTTP_NO_STORE, api_bots_log,
	  "What its imports and games have left for its author." },
	{ "GET", API "/bots/{bot}/notes", ROUTE_BOT, HTTP_NO_STORE,
	  api_bots_notes, "The same as JSON." },
	{ "GET", API "/bots/{bot}/trial", ROUTE_BOT, HTTP_NO_STORE,
	  api_bots_trial, "How the trial of a version goes, for its author." },
	{ "GET", API "/records/{id}", ROUTE_READERS, HTTP_CHECK,
	  api_records_read, "The record of a game that is over.", RECORD_TEXT },
	{ "GET", API "/games/{id}/frames", ROUTE_READERS, HTTP_CHECK,
	  api_records_read,
	  "The same as tables to draw: an object of JSON a line.",
	  RECORD_FRAMES },
	{ "GET", API "/games/{id}/opinions", ROUTE_READERS, HTTP_CHECK,
	  api_records_read,
	  "What the strong bot would have chosen: ?view=SEAT.",
	  RECORD_OPINIONS },
	{ "GET", API "/games/{id}/asks", ROUTE_READERS, HTTP_CHECK,
	  api_records_read,
	  "How long the bots of a game thought: an object of JSON for each "
	  "ask.",
	  RECORD_ASKS },
	{ NULL, NULL, 0, 0, NULL, NULL },
};

/* ---- the table for others --------------------------------------------- */

/* Returns the routes for programs; the caller frees them. */
static struct api_route *
list_routes(unsigned *count)
{
	struct api_route *all = zeroed(NELEM(routes), sizeof(*all));
	const struct route *route = routes;

	for (*count = 0; route->path != NULL; route++)
		if (strncmp(route->path, API, strlen(API)) == 0 ||
		    strcmp(route->method, "PUT") == 0 ||
		    strcmp(route->path, "/metrics") == 0 ||
		    strcmp(route->path, "/healthz") == 0)
			all[(*count)++] =
				(struct api_route){ route->method, route->path,
						    route->brief,
						    route->who == ROUTE_BOT,
						    route->who == ROUTE_OWNER };
	return all;
}

static void
answer_api(struct pages *pages UNUSED, struct http_request *request,
	   const struct page_path *path)
{
	const bool page = path->what == API_PAGE;
	struct text text = { .max = SIZE_MAX };
	unsigned count;
	struct api_route *all = list_routes(&count);

	if (page)
		api_page(page_html_site(), all, count, &text);
	else
		api_openapi(all, count, &text);
	free(all);
	page_send(request, 200, page ? PAGE_HTML : PAGE_JSON, &text);
}

/* ---- which one -------------------------------------------------------- */

/* Returns true if the path fits the pattern, and gives the names in it. */
static bool
fits(const char *pattern, const char *path, struct page_path *names)
{
	unsigned found = 0;
	size_t n, m;

	memset(names, 0, sizeof(*names));
	while (*pattern == '/' && *path == '/') {
		n = strcspn(++pattern, "/");
		m = strcspn(++path, "/");
		if (*pattern == '{') {
			if (!message_name_ok(path, m))
				return false;
			memcpy(names->name[found++], path, m);
		} else if (n != m || memcmp(pattern, path, n) != 0) {
			return false;
		}
		pattern += n;
		path += m;
	}
	return *pattern == '\0' && *path == '\0';
}

/* Returns the route of a method and a path, or NULL. */
static const struct route *
find_route(const char *method, const char *path, struct page_path *names)
{
	const struct route *route = routes;

	for (; route->path != NULL; route++)
		if (strcmp(route->method, method) == 0 &&
		    fits(route->path, path, names))
			return route;
	return NULL;
}

/* Returns the route of this path below /api/1/, or NULL. */
static const struct route *
find_moved(const char *path)
{
	char moved[sizeof(API) + 4 * (NAME_BYTES + 1)];
	struct page_path names;

	if ((size_t)snprintf(moved, sizeof(moved), API "%s", path) >=
	    sizeof(moved))
		return NULL;
	return find_route("GET", moved, &names);
}

enum http_methods
routes_allowed(void *arg UNUSED, const char *path)
{
	struct page_path names;
	const struct route *put = find_route("PUT", path, &names);

	if (put != NULL)
		return put->answer == api_bots_put ? HTTP_READ_PUT
						   : HTTP_READ_CHANGE;
	return find_route("GET", path, &names) != NULL ||
			       find_moved(path) != NULL
		       ? HTTP_READ
		       : HTTP_NOTHING;
}

/* ---- answers ---------------------------------------------------------- */

/* Writes the way from this path up to the root.  A proxy may have put us below
 * another path that we do not know. */
static void
write_root(const char *path, char root[PAGE_ROOT_BYTES])
{
	size_t used = 0;

	root[0] = '\0';
	while ((path = strchr(path + 1, '/')) != NULL &&
	       used + 4 <= PAGE_ROOT_BYTES)
		used += (size_t)snprintf(root + used, PAGE_ROOT_BYTES - used,
					 "../");
}

static void
redirect(struct http_request *request, const char *path)
{
	const char *query = http_raw_query(request);
	char root[PAGE_ROOT_BYTES];
	struct text to = { .max = SIZE_MAX };

	write_root(path, root);
	text_fmt(&to, "%s%s%s", root, &API[1], path);
	if (query != NULL)
		text_fmt(&to, "?%s", query);
	http_add_header(request, "Location", text_string(&to));
	text_str(&to, "\n");
	page_send(request, 308, PAGE_PLAIN, &to);
}

void
routes_refusal_page(const char *path, int code, const char *sentence,
		    struct text *to)
{
	char root[PAGE_ROOT_BYTES];

	write_root(path, root);
	refusal_page(page_html_site(), root, code, sentence, to);
}

/* Refuses a path and lists every path of the table except the files that pages
 * load. */
static void
refuse_path(struct http_request *request)
{
	struct text text = { .max = ERROR_BYTES };
	const struct route *route = routes;

	text_str(&text, "unknown page; there are");
	for (; route->path != NULL; route++)
		if (strcmp(route->method, "GET") == 0 &&
		    strncmp(route->path, "/static", 7) != 0)
			text_fmt(&text, "%s %s", route > routes ? "," : "",
				 route->path);
	http_refuse(request, 404, text_string(&text));
	text_release(&text);
}

void
routes_asked(void *arg, struct http_request *request, const char *path)
{
	struct pages *pages = arg;
	struct page_path names;
	const struct route *route =
		find_route(http_is_put(request) ? "PUT" : "GET", path, &names);

	if (route == NULL && find_moved(path) != NULL) {
		redirect(request, path);
		return;
	}
	if (route == NULL) {
		refuse_path(request);
		return;
	}
	write_root(path, names.root);
	names.what = route->what;
	http_set_cache(request, route->cache);
	if (route->who != ROUTE_BOT ||
	    page_is_owner(pages, request, names.name[0]))
		route->answer(pages, request, &names);
}

void
routes_refused(void *arg, enum refusal kind, const char *from, const char *bot,
	       const char *why)
{
	const struct pages *pages = arg;

	refusals_tell(pages->refusals, kind, from, bot, why);
}
