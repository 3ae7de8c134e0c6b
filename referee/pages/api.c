/* referee/pages/api.c - see api.h. */
#include "referee/pages/api.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "protocol/limits.h"
#include "referee/base/json-line.h"

/* ---- for people ------------------------------------------------------- */

static void
write_route(struct html *html, const struct api_route *route)
{
	html_fmt(html,
		 "<tr><th scope='row'><code>%s</code> <code>%s</code></th>"
		 "<td>%s%s</td></tr>",
		 route->method, route->path, route->brief,
		 route->token ? " With the token of that bot." : "");
}

static void
write_examples(struct html *html)
{
	html_fmt(html,
		 "<h2 id='examples'>By example</h2>"
		 "<p>The ladders, and the standings of one:</p>"
		 "<pre tabindex='0'>curl THIS-SITE/api/1/ladders\n"
		 "curl THIS-SITE/api/1/ladders/NAME</pre>"
		 "<p>Its games, the last one first; <code>next</code> in the "
		 "answer is the <code>before</code> to go on with:</p>"
		 "<pre tabindex='0'>"
		 "curl 'THIS-SITE/api/1/ladders/NAME/games?count=100'\n"
		 "curl 'THIS-SITE/api/1/ladders/NAME/games?count=100&"
		 "before=1234'</pre>"
		 "<p>A game as spectators saw it, and as the bot of the token "
		 "saw it from seat 0:</p>"
		 "<pre tabindex='0'>"
		 "curl 'THIS-SITE/api/1/records/ID?view=public'\n"
		 "curl -H 'X-Bot: NAME' -H 'Authorization: Bearer TOKEN' "
		 "'THIS-SITE/api/1/records/ID?view=0'</pre>"
		 "<p>Where records are for everybody, the whole record, and "
		 "its proof:</p>"
		 "<pre tabindex='0'>"
		 "curl -o game.rec THIS-SITE/api/1/records/ID\n"
		 "referee verify game.rec</pre>");
}

void
api_page(const struct site *site, const struct api_route route[],
	 unsigned routes, struct text *to)
{
	struct html html;

	html_begin(&html, site, to, "./");
	layout_begin(&html, &(struct layout){ .title = "For programs" });
	html_fmt(&html,
		 "<p class='lead'>"
		 "What these pages show, programs can ask for as JSON "
		 "and text. Refusals are one sentence. "
		 "<a href='api/openapi.json'>The same as OpenAPI</a>.</p>"
		 "<div class='prose'>");
	HTML_OPEN_TABLE(&html, NULL, "request", NULL, "answer", NULL);
	for (unsigned i = 0; i < routes; i++)
		write_route(&html, &route[i]);
	html_close_table(&html);
	write_examples(&html);
	html_close(&html, "div");
	layout_end(&html);
}

/* ---- for programs ----------------------------------------------------- */

/* Returns a parameter for each {…} of a path. */
static json_t *
parameters(const char *path)
{
	json_t *all = json_array();
	char name[NAME_BYTES + 1];

	while ((path = strchr(path, '{')) != NULL) {
		path++;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(path, "}"),
			 path);
		JSON_PUSH(all, TEXT("name", name), TEXT("in", "path"),
			  BOOL("required", true),
			  JSON("schema", JSON_OBJECT(TEXT("type", "string"))));
	}
	return all;
}

static json_t *
operation(const struct api_route *route)
{
	json_t *answers = JSON_OBJECT(
		JSON("200", JSON_OBJECT(TEXT("description", "The answer."))),
		JSON("default", JSON_OBJECT(TEXT("description",
						 "A refusal: one sentence."))));
	json_t *security = NULL;

	if (route->token)
		security = JSON_ARRAY(JSON_OBJECT(JSON("token", json_array()),
						  JSON("bot", json_array())));
	if (route->owner)
		security = JSON_ARRAY(JSON_OBJECT(JSON("token", json_array()),
						  JSON("owner", json_array())));
	return JSON_OBJECT(TEXT("summary", route->brief),
			   JSON("parameters", parameters(route->path)),
			   JSON("responses", answers),
			   JSON_IF("security", security));
}

static json_t *
schemes(void)
{
	return JSON_OBJECT(JSON("token", JSON_OBJECT(TEXT("type", "http"),
						     TEXT("scheme", "bearer"))),
			   JSON("bot", JSON_OBJECT(TEXT("type", "apiKey"),
						   TEXT("in", "header"),
						   TEXT("name", "X-Bot"))),
			   JSON("owner", JSON_OBJECT(TEXT("type", "apiKey"),
						     TEXT("in", "header"),
						     TEXT("name", "X-Owner"))));
}

void
api_openapi(const struct api_route route[], unsigned routes, struct text *to)
{
	json_t *paths = json_object(), *path, *info;
	char method[8];
	unsigned c;

	for (unsigned i = 0; i < routes; i++) {
		path = json_object_get(paths, route[i].path);
		if (path == NULL) {
			path = json_object();
			json_object_set_new(paths, route[i].path, path);
		}
		for (c = 0; c + 1 < sizeof(method) && route[i].method[c]; c++)
			method[c] = (char)tolower(
				(unsigned char)route[i].method[c]);
		method[c] = '\0';
		json_object_set_new(path, method, operation(&route[i]));
	}
	info = JSON_OBJECT(TEXT("title", "referee"),
			   TEXT("version", PACKAGE_VERSION));
	json_text(JSON_OBJECT(
			  TEXT("openapi", "3.1.0"), JSON("info", info),
			  JSON("paths", paths),
			  JSON("components", JSON_OBJECT(JSON("securitySchemes",
							      schemes())))),
		  7, to);
}
